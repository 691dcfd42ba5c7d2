// SPDX-License-Identifier: MIT
//
// The cyclic solver, chains with a potential on every site, and Z&S on them in two sweeps: see methods.hpp.
#include <gtest/gtest.h>

#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/systems/dna_chain.hpp>

namespace {

using namespace livi;
using V = Vector<double, Dynamic>;

V wave(Eigen::Index n, double frequency) {
  V b(n);
  for (Eigen::Index i = 0; i < n; ++i) b(i) = std::sin(frequency * static_cast<double>(i + 1));
  return b;
}

/// |(M + c H) a - b| for a of the solver.
double residual(const CyclicTridiagonalHessian<double>& h, double mass, double c, FactorOutcome* outcome = nullptr) {
  const Eigen::Index n = h.size();
  ShiftedSolver<CyclicTridiagonalHessian<double>> solver;
  const FactorOutcome found = solver.factor(ScalarMass<double, Dynamic>(mass, n), c, h);
  if (outcome) *outcome = found;
  if (found.singular) return std::numeric_limits<double>::infinity();
  const V b = wave(n, 0.7);
  V a = b, image = b;
  solver.solve_in_place(a);
  h.multiply(a, image);
  return (mass * a + c * image - b).cwiseAbs().maxCoeff();
}

CyclicTridiagonalHessian<double> ring(Eigen::Index n, double corner) {
  CyclicTridiagonalHessian<double> h(n);
  h.diagonal.setConstant(2);
  h.lower.setConstant(-1);
  h.lower += 0.3 * wave(n, 1.7);
  h.lower(0) = corner;
  return h;
}

// Lengths around the tiles, even and odd.
TEST(CyclicSolver, solves_rings_and_open_chains) {
  for (const double corner : {0.0, -0.8})
    for (const Eigen::Index n : {1, 2, 3, 4, 5, 8, 40, 511, 514, 1029}) {
      FactorOutcome outcome;
      EXPECT_LT(residual(ring(n, corner), 1, 0.5, &outcome), 1e-13) << n << " " << corner;
      EXPECT_FALSE(outcome.indefinite) << n;
    }
}

TEST(CyclicSolver, solves_what_is_not_positive_definite_and_says_so) {
  for (const double corner : {0.0, -0.8})
    for (const Eigen::Index n : {2, 3, 4, 5, 8, 301}) {
      CyclicTridiagonalHessian<double> h = ring(n, corner);
      h.diagonal = 3 * wave(n, 2.3);
      h.diagonal(n - 1) = -4;
      FactorOutcome outcome;
      EXPECT_LT(residual(h, 1, 0.5, &outcome), 1e-11) << n << " " << corner;
      EXPECT_TRUE(outcome.indefinite) << n;
    }
  FactorOutcome outcome;
  CyclicTridiagonalHessian<double> h(4);  // 0 1 0 2; 1 0 1 0; 0 1 0 1; 2 0 1 0: no pivot on the diagonal
  h.diagonal.setConstant(-1);
  h.lower << 2, 1, 1, 1;
  EXPECT_LT(residual(h, 1, 1, &outcome), 1e-14);
  EXPECT_TRUE(outcome.indefinite);
}

TEST(CyclicSolver, says_singular) {
  for (const Eigen::Index n : {2, 3, 7, 600}) {
    CyclicTridiagonalHessian<double> h(n);  // with the mass, the Laplacian of a ring
    h.diagonal.setConstant(1);
    h.lower.setConstant(-1);
    FactorOutcome outcome;
    residual(h, 1, 1, &outcome);
    EXPECT_TRUE(outcome.singular) << n;
  }
}

template <class P>
double gradient_error(const P& potential, const V& q) {
  double worst = 0;
  V g = q, moved = q;
  potential.gradient(q, g);
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const auto at = [&](double step) {
      moved = q;
      moved(i) += step;
      return potential.value(moved);
    };
    // Differences of order four; 1e-12 and rounding 1e-13 for h = 1e-3.
    const double slope = (8 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3;
    worst = std::max(worst, std::abs(slope - g(i)));
  }
  return worst;
}
/// Hessian a and a.V'''.a against differences of the gradient along a.
template <class P>
std::pair<double, double> derivative_errors(const P& potential, const V& q, const V& a) {
  typename P::hessian_type hessian(q.size());
  V g = q, image = q, third = q;
  potential.gradient_and_hessian(q, g, hessian);
  hessian.multiply(a, image);
  potential.third(q, a, third);
  const auto along = [&](double step) {
    V gradient = q;
    potential.gradient(q + step * a, gradient);
    return gradient;
  };
  const double h = 1e-3;
  const V first = (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h);
  const V second = (16 * (along(h) + along(-h)) - (along(2 * h) + along(-2 * h)) - 30 * along(0)) / (12 * h * h);
  return {(first - image).cwiseAbs().maxCoeff(), (second - third).cwiseAbs().maxCoeff()};
}

TEST(KleinGordonChain, has_the_derivatives_of_its_value) {
  const DnaParameters<double> strong{2, 0.3, 0.5};
  for (const ChainEnds ends : {ChainEnds::periodic, ChainEnds::free})
    for (const Eigen::Index n : {1, 2, 3, 6}) {
      const V q = 2 * wave(n, 0.9), a = wave(n, 1.3);
      const auto quartic = klein_gordon_chain(n, QuarticDoubleWell<double>{0.3}, ends);
      const auto dna = dna_chain<double>(n, ends, strong);
      const auto check = [&](const auto& potential) {
        EXPECT_LT(gradient_error(potential, q), 1e-8) << n;
        const auto [second, third] = derivative_errors(potential, q, a);
        EXPECT_LT(second, 1e-8) << n;
        EXPECT_LT(third, 1e-6) << n;
      };
      check(quartic.potential());
      check(dna.potential());
    }
}

TEST(KleinGordonChain, has_the_printed_potential) {
  const DnaParameters<double> p;
  V q(2);
  q << 0.8, 2;
  const auto u = [](double x) { return std::pow(std::exp(-7 * (1 - std::cos(x) - 0.3)) - 1, 2) / 1400; };
  EXPECT_NEAR(dna_chain<double>(2, ChainEnds::free, p).potential().value(q), 0.72 + u(0.8) + u(2), 1e-15);
  EXPECT_NEAR(dna_chain<double>(2).potential().value(q), 1.44 + u(0.8) + u(2), 1e-15);
}

// Steps, with kicks and drifts made on the way, against gradient, hessian, third and the solver on their own.
template <class Method>
double distance_from_parts(bool with_third, ChainEnds ends, Eigen::Index n) {
  const auto system = klein_gordon_chain(n, QuarticDoubleWell<double>{0.3}, ends);
  constexpr double h = 0.5, beta = 0.3, c = beta * h * h;
  CyclicTridiagonalHessian<double> hessian(n);
  ShiftedSolver<CyclicTridiagonalHessian<double>> solver;
  V q = wave(n, 0.7), v = wave(n, 1.1), f = q, third = q;
  const auto force = [&] {
    system.potential().gradient_and_hessian(q, f, hessian);
    f = -f;
    EXPECT_FALSE(solver.factor(system.mass(), c, hessian).singular);
    solver.solve_in_place(f);
    if (!with_third) return;
    system.potential().third(q, f, third);
    f -= c * c / 2 * third;
  };
  Method method(system, {beta});
  auto z = method.start(q, v);
  force();
  for (int k = 0; k < 3; ++k) {
    v += h / 2 * f;
    q += h * v;
    force();
    v += h / 2 * f;
    EXPECT_TRUE(method.step(z, h).ok());
  }
  return (z.q - q).cwiseAbs().maxCoeff() + (z.v - v).cwiseAbs().maxCoeff() + (z.f - f).cwiseAbs().maxCoeff();
}

TEST(TwoSweeps, make_the_steps_of_the_parts) {
  using Chain = KleinGordonChain<QuarticDoubleWell<double>>;
  for (const ChainEnds ends : {ChainEnds::periodic, ChainEnds::free})
    for (const Eigen::Index n : {1, 2, 3, 4, 7, 512, 515}) {
      EXPECT_LT(distance_from_parts<ZhangSkeel<Chain>>(true, ends, n), 1e-13) << n;
      EXPECT_LT(distance_from_parts<SimplifiedZhangSkeel<Chain>>(false, ends, n), 1e-13) << n;
    }
}

}  // namespace
