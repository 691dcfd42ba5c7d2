// SPDX-License-Identifier: MIT
//
// Klein-Gordon chains and the DNA model: every derivative is that of the value; what Z&S does with them in two sweeps
// is what the separate parts give; on the quartic chain its properties are certified.
#include <gtest/gtest.h>

#include <livi/diagnostics/certificate.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/systems/dna_chain.hpp>

#include "derivative_check.hpp"

namespace klein_gordon_chain_test {

using livi::Certificate;
using livi::certify;
using livi::ChainEnds;
using livi::CyclicTridiagonalHessian;
using livi::DiagonalMass;
using livi::dna_chain;
using livi::DnaParameters;
using livi::Draw;
using livi::Dual;
using livi::Dynamic;
using livi::Float50;
using livi::InvalidParameter;
using livi::KleinGordonChainPotential;
using livi::MechanicalSystem;
using livi::MorsePairing;
using livi::PhasePoint;
using livi::PowerSeries;
using livi::QuarticDoubleWell;
using livi::ratio;
using livi::Rational;
using livi::Residue;
using livi::ScalarMass;
using livi::ShiftedSolver;
using livi::SimplifiedZhangSkeel;
using livi::Vector;
using livi::ZhangSkeel;
using livi::test::generic_vector;
using livi::test::Jet;

constexpr ChainEnds both_ends[] = {ChainEnds::periodic, ChainEnds::free};

TEST(Derivatives, of_the_quartic_chain_exactly) {
  for (const ChainEnds ends : both_ends)
    for (const Eigen::Index n : {1, 2, 3, 7})
      livi::test::expect_derivatives_of_value(
          KleinGordonChainPotential<QuarticDoubleWell<Rational>>({ratio<Rational>(2, 7)}, ends),
          KleinGordonChainPotential<QuarticDoubleWell<Jet<Rational>>>({ratio<Jet<Rational>>(2, 7)}, ends),
          generic_vector<Vector<Rational, Dynamic>>(n, 1), generic_vector<Vector<Rational, Dynamic>>(n, 5),
          Rational(0));
}

TEST(Derivatives, of_the_dna_chain_in_50_digits) {
  // Numbers up to exp(7 * 0.3) * 7^3, some tens of operations: 1e-40 leaves six digits and more.
  const auto parameters = []<class S>(S) { return livi::DnaParameters<S>{S(7), ratio<S>(3, 10), ratio<S>(1, 14)}; };
  for (const ChainEnds ends : both_ends)
    for (const Eigen::Index n : {1, 2, 3, 7})
      livi::test::expect_derivatives_of_value(
          KleinGordonChainPotential<MorsePairing<Float50>>(MorsePairing<Float50>(parameters(Float50())), ends),
          KleinGordonChainPotential<MorsePairing<Jet<Float50>>>(MorsePairing<Jet<Float50>>(parameters(Jet<Float50>())),
                                                                ends),
          generic_vector<Vector<Float50, Dynamic>>(n, 1), generic_vector<Vector<Float50, Dynamic>>(n, 5),
          Float50("1e-40"));
}

TEST(Derivatives, of_the_printed_equation) {
  // (31) itself, with the coupling of either kind of end; numbers below 1 and some tens of roundings.
  constexpr int n = 5;
  const DnaParameters<double> p;
  Vector<double, Dynamic> q(n), a(n);
  q << 0.8, 0.6, 1.3, 3.0, 5.2;
  const auto force = [&](double x) {  // epsilon U'
    const double e = std::exp(-p.a * (1 - std::cos(x) - p.x0));
    return p.epsilon * 2 * (e - 1) * e * -p.a * std::sin(x);
  };
  for (const ChainEnds ends : both_ends) {
    dna_chain<double>(n, ends).acceleration(q, a);
    for (int k = 0; k < n; ++k) {
      const bool ring = ends == ChainEnds::periodic;
      const double ahead = k + 1 < n ? q(k + 1) - q(k) : ring ? q(0) - q(k) : 0;
      const double behind = k > 0 ? q(k - 1) - q(k) : ring ? q(n - 1) - q(k) : 0;
      EXPECT_NEAR(a(k), ahead + behind - force(q(k)), 1e-14) << k;
    }
  }
}

TEST(DnaChain, starts_as_printed) {
  const Vector<double, Dynamic> xi = generic_vector<Vector<double, Dynamic>>(200, 0);
  const auto q = livi::dna_start_position<double>(xi), v = livi::dna_start_velocity<double>(200);
  for (int k = 0; k < 200; ++k) {
    EXPECT_NEAR(q(k), 0.8 + 0.1 * xi(k), 1e-15);
    EXPECT_NEAR(v(k), std::cos(4 * std::acos(-1.0) * k / 200) / std::sqrt(200.0), 1e-15);
  }
  EXPECT_NEAR(v.squaredNorm(), 0.5, 1e-14);  // the mean of cos^2
}

TEST(DnaChain, refuses_parameters_that_cannot_be_meant) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const auto refused = [](double a, double x0, double epsilon, const std::string& name) {
    try {
      dna_chain<double>(3, ChainEnds::periodic, {a, x0, epsilon});
    } catch (const InvalidParameter& error) {
      return std::string(error.what()).rfind(name + " = ", 0) == 0;
    }
    return false;
  };
  for (const double a : {0.0, -1.0, nan, infinity}) EXPECT_TRUE(refused(a, 0.3, 0.1, "a")) << a;
  for (const double x0 : {0.0, 2.0, -0.1, nan}) EXPECT_TRUE(refused(7, x0, 0.1, "x0")) << x0;
  for (const double epsilon : {-0.1, nan, infinity}) EXPECT_TRUE(refused(7, 0.3, epsilon, "epsilon")) << epsilon;
  EXPECT_THROW(dna_chain<double>(0), InvalidParameter);
  EXPECT_NO_THROW(dna_chain<double>(1, ChainEnds::free, {7, 0.3, 0}));
}

// --- two sweeps -----------------------------------------------------------------------------------------------------

/// The force of Z&S and of Z&Ss from gradient, hessian, third and the solver, each on its own.
template <class S, class Mass, class P>
std::pair<Vector<S, Dynamic>, Vector<S, Dynamic>> forces_in_parts(const MechanicalSystem<Mass, P>& system,
                                                                  const Vector<S, Dynamic>& q, const S& c) {
  CyclicTridiagonalHessian<S> hessian(q.size());
  ShiftedSolver<CyclicTridiagonalHessian<S>> solver;
  Vector<S, Dynamic> a = q, third = q;
  system.potential().gradient(q, a);
  a = -a;
  system.potential().hessian(q, hessian);
  EXPECT_FALSE(solver.factor(system.mass(), c, hessian).singular);
  solver.solve_in_place(a);
  system.potential().third(q, a, third);
  system.mass().solve_in_place(third);
  return {a - c * c / S(2) * third, a};
}

TEST(TwoSweeps, give_the_force_of_the_separate_parts_exactly) {
  using Q = Rational;
  for (const ChainEnds ends : both_ends)
    for (const Eigen::Index n : {1, 2, 3, 4, 5, 8})
      for (const Q& depth : {Q(1), Q(-7)}) {  // the second makes matrices that are not positive definite
        using V = Vector<Q, Dynamic>;
        V m = generic_vector<V>(n, 3);
        for (Eigen::Index i = 0; i < n; ++i) m(i) = 2 + m(i) * m(i);
        const MechanicalSystem<DiagonalMass<Q, Dynamic>, KleinGordonChainPotential<QuarticDoubleWell<Q>>> system(
            DiagonalMass<Q, Dynamic>(m), KleinGordonChainPotential<QuarticDoubleWell<Q>>({depth}, ends));
        using System = std::remove_const_t<decltype(system)>;
        const V q = generic_vector<V>(n, 1);
        const Q h = ratio<Q>(1, 2), beta = ratio<Q>(3, 10);
        const auto [exact, simplified] = forces_in_parts<Q>(system, q, beta * h * h);
        livi::ZhangSkeelForce<System> force(system, {beta});
        livi::SimplifiedZhangSkeelForce<System, livi::HessianPart::all> simplified_force(system, {beta});
        livi::WorkCounters work;
        V f = q, a = q, x = q;
        ASSERT_TRUE(force(system, q, h, f, work).ok());
        ASSERT_TRUE(simplified_force(system, q, h, a, work).ok());
        ASSERT_TRUE(force.physical_position(system, q, h, x, work).ok());
        EXPECT_TRUE(f == exact) << n;
        EXPECT_TRUE(a == simplified) << n;
        EXPECT_TRUE(x == V(q + beta * h * h * simplified)) << n;
        EXPECT_EQ(work.linear_solves, 3);
        if (n == 8) {
          EXPECT_EQ(work.indefinite_matrices, depth < 0 ? 3 : 0);
        }
      }
}

TEST(TwoSweeps, do_not_depend_on_tiles) {
  // Longer than tiles, so that all paths are taken; both sides commit some roundings of numbers below 10.
  for (const ChainEnds ends : both_ends)
    for (const Eigen::Index n : {255, 512, 513, 1024, 1025, 2001}) {
      const auto system = dna_chain<double>(n, ends);
      Vector<double, Dynamic> q(n), f(n);
      for (Eigen::Index i = 0; i < n; ++i) q(i) = 3 + 2.5 * std::sin(0.37 * static_cast<double>(i));
      const auto [exact, simplified] = forces_in_parts<double>(system, q, 0.3 * 4);
      livi::ZhangSkeelForce<livi::DnaChain<double>> force(system, {0.3});
      livi::WorkCounters work;
      ASSERT_TRUE(force(system, q, 2, f, work).ok());
      EXPECT_LT((f - exact).cwiseAbs().maxCoeff(), 1e-14) << n;
    }
}

// Kicks and drifts are made row by row on the way: each once, before the row is read and after it is final.
TEST(TwoSweeps, make_the_step_of_the_force_alone) {
  for (const ChainEnds ends : both_ends)
    for (const double depth : {0.3, -2.0})  // the second makes matrices that are not positive definite
      for (const Eigen::Index n : {1, 2, 3, 4, 5, 6, 7, 8, 511, 512, 513, 514, 1030}) {
        const auto system = livi::klein_gordon_chain(n, QuarticDoubleWell<double>{depth}, ends);
        using System = std::remove_const_t<decltype(system)>;
        constexpr double h = 0.5, beta = 0.3;
        const int steps = depth < 0 ? 1 : 3;  // that potential has no lower bound
        Vector<double, Dynamic> q(n), v(n), f(n);
        for (Eigen::Index i = 0; i < n; ++i) {
          q(i) = std::sin(0.7 * static_cast<double>(i + 1));
          v(i) = std::cos(1.1 * static_cast<double>(i));
        }
        ZhangSkeel method(system, {beta});
        SimplifiedZhangSkeel simplified_method(system, {beta});
        auto z = method.start(q, v);
        auto y = simplified_method.start(q, v);
        const auto expect_steps = [&](auto& stepper, auto& state, auto force) {
          livi::WorkCounters work;
          Vector<double, Dynamic> x = q, u = v;
          ASSERT_TRUE(force(system, x, h, f, work).ok());
          for (int k = 0; k < steps; ++k) {
            u += h / 2 * f;
            x += h * u;
            ASSERT_TRUE(force(system, x, h, f, work).ok());
            u += h / 2 * f;
            ASSERT_TRUE(stepper.step(state, h).ok());
            EXPECT_TRUE(state.q == x && state.v == u && state.f == f) << n << " " << depth;
          }
          EXPECT_EQ(stepper.work().indefinite_matrices, work.indefinite_matrices);
          EXPECT_EQ(stepper.work().linear_solves, steps + 1);
        };
        expect_steps(method, z, livi::ZhangSkeelForce<System>(system, {beta}));
        expect_steps(simplified_method, y,
                     livi::SimplifiedZhangSkeelForce<System, livi::HessianPart::all>(system, {beta}));
      }
}

TEST(TwoSweeps, report_a_singular_matrix) {
  // One particle, M + c U'' = 1 + c depth (12 x^2 - 4) = 0.
  const auto system = livi::klein_gordon_chain(1, QuarticDoubleWell<double>{1}, ChainEnds::free);
  ZhangSkeel method(system, {0.25});
  const Vector<double, Dynamic> zero = Vector<double, Dynamic>::Zero(1);
  auto z = method.start(zero, zero);
  const livi::StepOutcome outcome = method.step(z, 1.0);
  EXPECT_EQ(outcome.failure, livi::Failure::singular_matrix);
  EXPECT_EQ(outcome.detail, 0);
}

// --- certificates: rational functions of depth, mass, beta, h, q and p ----------------------------------------------

inline constexpr auto zhang_skeel = []<class System, class T>(const System& system, const T& beta) {
  return ZhangSkeel<System>(system, {beta});
};
inline constexpr auto simplified = []<class System, class T>(const System& system, const T& beta) {
  return SimplifiedZhangSkeel<System>(system, {beta});
};

template <class T, class K>
auto draw_chain(Draw<K>& draw, Eigen::Index n, ChainEnds ends) {
  return MechanicalSystem<ScalarMass<T, Dynamic>, KleinGordonChainPotential<QuarticDoubleWell<T>>>(
      ScalarMass<T, Dynamic>(T(draw.positive("m")), n),
      KleinGordonChainPotential<QuarticDoubleWell<T>>({T(draw.variable("depth"))}, ends));
}
template <class Method, class System, class V, class T>
void advance(Method& method, const System& system, V& q, V& p, const T& h) {
  auto state = method.start(q, system.velocity(p));
  if (!method.step(state, h).ok()) throw livi::StepFailed("the step fails");
  q = state.q;
  p = system.momentum(state.v);
}

template <class Factory>
struct IsSymplectic {
  Eigen::Index n;
  ChainEnds ends;
  Factory factory;
  std::vector<Residue> operator()(Draw<Residue>& draw) const {
    using T = Dual<Residue>;
    const auto system = draw_chain<T>(draw, n, ends);
    const T h(draw.positive("h")), beta(draw.positive("beta"));
    const PhasePoint<Residue> at{draw.variables("q", n), draw.variables("p", n)};
    auto method = factory(system, beta);
    return livi::symplecticity<Residue>(at, [&](auto& q, auto& p) { advance(method, system, q, p, h); });
  }
};
template <class Factory>
IsSymplectic(Eigen::Index, ChainEnds, Factory) -> IsSymplectic<Factory>;

struct IsSymmetric {
  Eigen::Index n;
  ChainEnds ends;
  int back = 1;  ///< the second step is of -h times that
  std::vector<Residue> operator()(Draw<Residue>& draw) const {
    const auto system = draw_chain<Residue>(draw, n, ends);
    const Residue h = draw.positive("h"), beta = draw.positive("beta");
    const PhasePoint<Residue> at{draw.variables("q", n), draw.variables("p", n)};
    auto method = zhang_skeel(system, beta);
    PhasePoint<Residue> there = at;
    advance(method, system, there.q, there.p, h);
    advance(method, system, there.q, there.p, Residue(-(h * Residue(back))));
    return livi::differences(there, at);
  }
};

/// The coefficients of h^from, ..., h^to of the local error.
struct LocalError {
  Eigen::Index n;
  ChainEnds ends;
  std::size_t from, to;
  std::vector<Residue> operator()(Draw<Residue>& draw) const {
    using T = PowerSeries<Residue, 4>;
    const auto system = draw_chain<T>(draw, n, ends);
    auto method = zhang_skeel(system, T(draw.positive("beta")));
    const auto q = draw.variables("q", n), v = draw.variables("v", n);
    const auto coefficients = livi::order_coefficients<Residue, 4>(
        q, v, [&](const auto& x, auto& a) { system.acceleration(x, a); },
        [&](auto& x, auto& velocity, const T& h) {
          auto state = method.start(x, velocity);
          if (!method.step(state, h).ok()) throw livi::StepFailed("the step fails");
          x = state.q;
          velocity = state.v;
        });
    std::vector<Residue> values;
    for (std::size_t k = from; k <= to; ++k)
      values.insert(values.end(), coefficients[k].begin(), coefficients[k].end());
    return values;
  }
};

void expect_proved(const Certificate& certificate) {
  EXPECT_TRUE(certificate.proved()) << certificate.describe();
  EXPECT_LE(certificate.probability, 1e-30);
}

TEST(Certificates, zhang_skeel_is_symplectic_on_rings_and_open_chains) {
  for (const ChainEnds ends : both_ends)
    for (const Eigen::Index n : {1, 2, 3, 4, 5}) expect_proved(certify(IsSymplectic{n, ends, zhang_skeel}));
}
TEST(Certificates, simplified_zhang_skeel_is_not_symplectic_on_them) {
  for (const ChainEnds ends : both_ends)
    for (const Eigen::Index n : {2, 3, 4}) EXPECT_TRUE(certify(IsSymplectic{n, ends, simplified}).disproved()) << n;
}
TEST(Certificates, zhang_skeel_is_symmetric_on_rings_and_open_chains) {
  for (const ChainEnds ends : both_ends)
    for (const Eigen::Index n : {1, 2, 3, 4, 5}) {
      expect_proved(certify(IsSymmetric{n, ends}));
      EXPECT_TRUE(certify(IsSymmetric{n, ends, 2}).disproved());
    }
}
TEST(Certificates, zhang_skeel_is_of_order_two_and_not_three_on_rings_and_open_chains) {
  for (const ChainEnds ends : both_ends)
    for (const Eigen::Index n : {1, 2, 3, 4}) {
      expect_proved(certify(LocalError{n, ends, 0, 2}));
      EXPECT_TRUE(certify(LocalError{n, ends, 3, 3}).disproved());
    }
}

}  // namespace klein_gordon_chain_test
