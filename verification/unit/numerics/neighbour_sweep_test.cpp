// SPDX-License-Identifier: MIT
//
// Linearly implicit steps on chains, which compute, eliminate and forget link by link: exactly those that store the
// Hessian in rationals and duals over them, to rounding in double and 50 digits, for the planar chain of pendula and
// for random chains with blocks of 1, 2 and 3; failures say where; both ends at once is each end alone, to the bit.
#include <gtest/gtest.h>

#include <array>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/planar_chain.hpp>
#include <livi/trajectory/trajectory.hpp>

#include "ridge_chain.hpp"
#include "verification/support/fixed_seed.hpp"

namespace neighbour_sweep_test {

using livi::BlockTridiagonalHessian;
using livi::BothEnds;
using livi::DiagonalMass;
using livi::Dual;
using livi::Dynamic;
using livi::Failure;
using livi::Float50;
using livi::magnitude;
using livi::Matrix;
using livi::MechanicalSystem;
using livi::ratio;
using livi::Rational;
using livi::ScalarMass;
using livi::SimplifiedZhangSkeel;
using livi::StepOutcome;
using livi::Vector;
using livi::WorkCounters;
using livi::ZhangSkeel;
using livi::test::RidgeChain;
using livi::test::WithoutTerms;

int between(int low, int high) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1)); }
template <class S>
S hundredths(int low, int high) {
  return ratio<S>(between(low, high), 100);
}
template <class S>
Vector<S, Dynamic> random_vector(Eigen::Index n, int low, int high) {
  Vector<S, Dynamic> v(n);
  for (Eigen::Index i = 0; i < n; ++i) v(i) = hundredths<S>(low, high);
  return v;
}

template <class S>
using Penalty = livi::PlanarChainPenalty<S, Dynamic, BlockTridiagonalHessian<S, 2>>;
template <class S>
using Pendula = livi::PenalisedPotential<livi::GravityPotential<S, Dynamic>, Penalty<S>>;

/// A random potential on n blocks and a point where M + c Hess V is positive definite for the c of the tests, mostly.
template <class P>
struct RandomChain;
template <class S>
struct RandomChain<Pendula<S>> {
  static constexpr int block = 2;
  static Pendula<S> make(Eigen::Index n) {
    return {{hundredths<S>(-100, 100)}, {random_vector<S>(n, 50, 200), hundredths<S>(100, 10000)}};
  }
  static Vector<S, Dynamic> point(Eigen::Index n) {
    Vector<S, Dynamic> q = random_vector<S>(2 * n, -100, 100);
    for (Eigen::Index i = 2; i < 2 * n; ++i) q(i) += q(i - 2);
    return q;
  }
};
template <class S, int B>
struct RandomChain<RidgeChain<S, B>> {
  static constexpr int block = B;
  static RidgeChain<S, B> make(Eigen::Index n) {
    RidgeChain<S, B> chain;
    for (Eigen::Index k = 0; k < n; ++k) {
      auto& ridges = chain.ridges.emplace_back();
      for (int r = 0; r < 3; ++r)
        ridges.push_back({Vector<S, B>(random_vector<S>(B, -200, 200)), Vector<S, B>(random_vector<S>(B, -200, 200))});
    }
    return chain;
  }
  static Vector<S, Dynamic> point(Eigen::Index n) { return random_vector<S>(B * n, -50, 50); }
};

/// The system with its terms one by one, and the one that must store its Hessian.
template <class Mass, class P>
struct TwoSystems {
  MechanicalSystem<Mass, P> by_terms;
  MechanicalSystem<Mass, WithoutTerms<P>> stored;
  TwoSystems(const Mass& mass, const P& potential) : by_terms(mass, potential), stored(mass, {potential}) {
    static_assert(livi::NeighbourSystem<decltype(by_terms)>);
    static_assert(!livi::NeighbourSystem<decltype(stored)>);
  }
};
template <class P>
auto random_systems(Eigen::Index n) {
  using S = typename P::scalar_type;
  const auto masses = random_vector<S>(RandomChain<P>::block * n, 50, 200);
  return TwoSystems<DiagonalMass<S, Dynamic>, P>(DiagonalMass<S, Dynamic>(masses), RandomChain<P>::make(n));
}

template <class S>
struct Forces {
  StepOutcome outcome;
  Vector<S, Dynamic> zhang_skeel, simplified, physical;
  WorkCounters work;
};
template <class System, class S>
Forces<S> forces(const System& system, const Vector<S, Dynamic>& x, const S& h, const S& beta) {
  Forces<S> result;
  ZhangSkeel<System> zhang_skeel(system, {beta});
  SimplifiedZhangSkeel<System> simplified(system, {beta});
  result.zhang_skeel = result.simplified = result.physical = x;
  result.outcome = zhang_skeel.force()(system, x, h, result.zhang_skeel, result.work);
  StepOutcome of_simplified = simplified.force()(system, x, h, result.simplified, result.work);
  EXPECT_EQ(of_simplified.failure, result.outcome.failure);
  EXPECT_EQ(of_simplified.detail, result.outcome.detail);
  // The position may be overwritten.
  EXPECT_EQ(zhang_skeel.force().physical_position(system, result.physical, h, result.physical, result.work).ok(),
            result.outcome.ok());
  return result;
}

template <class P>
void expect_exactly_the_same(int rows) {
  using S = typename P::scalar_type;
  const Eigen::Index n = between(1, rows);
  const auto systems = random_systems<P>(n);
  const auto x = RandomChain<P>::point(n);
  const S h = hundredths<S>(1, 40), beta = hundredths<S>(0, 50);
  const auto by_terms = forces(systems.by_terms, x, h, beta), stored = forces(systems.stored, x, h, beta);
  RC_ASSERT(by_terms.outcome.failure == stored.outcome.failure);
  RC_ASSERT(by_terms.outcome.detail == stored.outcome.detail);
  RC_ASSERT(by_terms.work.indefinite_matrices == stored.work.indefinite_matrices);
  RC_ASSERT(by_terms.work.most_negative == stored.work.most_negative);
  RC_ASSERT(by_terms.work.linear_solves == stored.work.linear_solves);
  RC_PRE(stored.outcome.ok());
  RC_ASSERT(by_terms.zhang_skeel == stored.zhang_skeel);
  RC_ASSERT(by_terms.simplified == stored.simplified);
  RC_ASSERT(by_terms.physical == stored.physical);
  // Not trivially: the third derivative counts.
  if (beta != S(0)) RC_ASSERT(by_terms.zhang_skeel != by_terms.simplified || x.isZero());
}
RC_GTEST_PROP(Exactly, the_same_on_a_chain_of_pendula, ()) { expect_exactly_the_same<Pendula<Rational>>(6); }
RC_GTEST_PROP(Exactly, the_same_with_blocks_of_one, ()) { expect_exactly_the_same<RidgeChain<Rational, 1>>(7); }
RC_GTEST_PROP(Exactly, the_same_with_blocks_of_two, ()) { expect_exactly_the_same<RidgeChain<Rational, 2>>(5); }
RC_GTEST_PROP(Exactly, the_same_with_blocks_of_three, ()) { expect_exactly_the_same<RidgeChain<Rational, 3>>(4); }

/// Derivatives of the force along a random direction, exactly.
RC_GTEST_PROP(Exactly, the_same_derivatives, ()) {
  using D = Dual<Rational>;
  const Eigen::Index n = between(1, 4);
  const auto systems = random_systems<Pendula<D>>(n);
  auto x = RandomChain<Pendula<D>>::point(n);
  for (Eigen::Index i = 0; i < x.size(); ++i) x(i).derivative = hundredths<Rational>(-100, 100);
  const D h = hundredths<D>(1, 40), beta = hundredths<D>(1, 50);
  const auto by_terms = forces(systems.by_terms, x, h, beta), stored = forces(systems.stored, x, h, beta);
  RC_PRE(stored.outcome.ok());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    RC_ASSERT(by_terms.zhang_skeel(i).value == stored.zhang_skeel(i).value);
    RC_ASSERT(by_terms.zhang_skeel(i).derivative == stored.zhang_skeel(i).derivative);
  }
}

/// Positive definite by a small c: both ways round by a few epsilon a row, whatever the order of the sums. Over S, the
/// scale of f is that of the largest acceleration, since neighbours' forces cancel.
template <class P>
void expect_the_same_to_rounding(int rows) {
  using S = typename P::scalar_type;
  const Eigen::Index n = between(1, rows);
  const auto systems = random_systems<P>(n);
  const auto x = RandomChain<P>::point(n);
  const S h = hundredths<S>(1, 5), beta = hundredths<S>(25, 50);
  const auto by_terms = forces(systems.by_terms, x, h, beta), stored = forces(systems.stored, x, h, beta);
  RC_PRE(stored.outcome.ok() && stored.work.indefinite_matrices == 0);
  const auto distance = [](const Vector<S, Dynamic>& a, const Vector<S, Dynamic>& b) {
    return livi::to_double(S(livi::max_magnitude(Vector<S, Dynamic>(a - b)) / livi::max_magnitude(b)));
  };
  // M + c Hess V has condition numbers up to 100 here (masses 0.5 to 2, c Hess V up to 25): 100 times 16 epsilon.
  const double rounding = 1600 * livi::to_double(livi::ScalarTraits<S>::epsilon());
  RC_ASSERT(distance(by_terms.simplified, stored.simplified) <= rounding);
  RC_ASSERT(distance(by_terms.zhang_skeel, stored.zhang_skeel) <= rounding);
  RC_ASSERT(distance(by_terms.physical, stored.physical) <= rounding);
}
RC_GTEST_PROP(ToRounding, the_same_in_double, ()) { expect_the_same_to_rounding<Pendula<double>>(60); }
RC_GTEST_PROP(ToRounding, the_same_in_double_with_blocks_of_one, ()) {
  expect_the_same_to_rounding<RidgeChain<double, 1>>(60);
}
RC_GTEST_PROP(ToRounding, the_same_in_double_with_blocks_of_three, ()) {
  expect_the_same_to_rounding<RidgeChain<double, 3>>(60);
}
RC_GTEST_PROP(ToRounding, the_same_in_50_digits, ()) { expect_the_same_to_rounding<Pendula<Float50>>(8); }

/// A step by rows is (21) with the force of the whole: kick and drift reach each row once, before it is read.
RC_GTEST_PROP(Step, by_rows_is_the_step_of_the_family, ()) {
  const Eigen::Index n = between(1, 40);
  const auto systems = random_systems<Pendula<double>>(n);
  using System = std::decay_t<decltype(systems.by_terms)>;
  const double h = hundredths<double>(1, 5);
  ZhangSkeel<System> method(systems.by_terms);
  auto z = method.start(RandomChain<Pendula<double>>::point(n), random_vector<double>(2 * n, -100, 100));
  RC_PRE(method.step(z, h).ok());
  auto whole = z;
  RC_PRE(method.step(z, h).ok());
  whole.v += h / 2 * whole.f;
  whole.q += h * whole.v;
  WorkCounters work;
  RC_ASSERT(method.force()(systems.by_terms, whole.q, h, whole.f, work).ok());
  whole.v += h / 2 * whole.f;
  RC_ASSERT(z.q == whole.q);
  RC_ASSERT(z.v == whole.v);
  RC_ASSERT(z.f == whole.f);
}

// --- failures -------------------------------------------------------------------------------------------------------

/// Uncoupled rows, M = 1, V = sum_k (k_k x_k^2 + x_k^3)/2: row k is singular at x = 0 for 1 + c k_k = 0.
struct Wells {
  using scalar_type = double;
  using vector_type = Vector<double, Dynamic>;
  using hessian_type = BlockTridiagonalHessian<double, 1>;
  static constexpr int dimension = Dynamic, block_size = 1;
  vector_type stiffness;

  double value(const vector_type&) const { return 0; }
  void gradient(const vector_type& q, vector_type& out) const { out = stiffness.cwiseProduct(q); }
  void hessian(const vector_type&, hessian_type&) const {}
  template <class T, class At>
  livi::NeighbourDerivatives<T, 1> neighbour_derivatives(const At& at, const Vector<T, 1>&,
                                                         const Vector<T, 1>& here) const {
    livi::NeighbourDerivatives<T, 1> w;
    w.gradient_before(0) = w.hessian_before(0, 0) = w.hessian_cross(0, 0) = T(0);
    w.hessian(0, 0) = at([&](Eigen::Index k) { return stiffness(k); });
    w.gradient(0) = w.hessian(0, 0) * here(0);
    return w;
  }
  template <class T, class At>
  livi::NeighbourThird<T, 1> neighbour_third(const At&, const Vector<T, 1>&, const Vector<T, 1>&, const Vector<T, 1>&,
                                             const Vector<T, 1>&) const {
    return {Vector<T, 1>::Constant(T(0)), Vector<T, 1>::Constant(T(0))};
  }
};

TEST(Singular, pivots_stop_the_run_and_say_step_and_row) {
  for (const int n : {1, 2, 3, 4, 7, 8})
    for (int row = 0; row < n; ++row) {
      Vector<double, Dynamic> stiffness = Vector<double, Dynamic>::Ones(n);
      stiffness(row) = -16;  // 1 + h^2/4 k = 0 for h = 1/2
      const MechanicalSystem<ScalarMass<double, Dynamic>, Wells> system{ScalarMass<double, Dynamic>(1, n), {stiffness}};
      ZhangSkeel method(system);
      const Vector<double, Dynamic> start = Vector<double, Dynamic>::Ones(n);
      livi::Trajectory run(method, method.start(start, start), 0.5, 3);
      EXPECT_EQ(run.complete().describe(),
                "stopped in step 1 after t = 0: singular matrix at pivot " + std::to_string(row))
          << n;
      EXPECT_EQ(run.state().q, start);
    }
}

TEST(Indefinite, matrices_are_counted_with_their_negative_eigenvalues) {
  for (const int n : {1, 2, 5, 6})
    for (int negative = 0; negative <= n; ++negative) {
      Vector<double, Dynamic> stiffness = Vector<double, Dynamic>::Ones(n);
      for (int k = 0; k < negative; ++k) stiffness(n - 1 - k) = -32;
      const MechanicalSystem<ScalarMass<double, Dynamic>, Wells> system{ScalarMass<double, Dynamic>(1, n), {stiffness}};
      ZhangSkeel method(system);
      const Vector<double, Dynamic> zero = Vector<double, Dynamic>::Zero(n);
      auto z = method.start(zero, zero);
      EXPECT_TRUE(method.step(z, 0.5).ok());
      EXPECT_EQ(method.work().linear_solves, 2);
      EXPECT_EQ(method.work().indefinite_matrices, negative > 0 ? 2 : 0);
      EXPECT_EQ(method.work().most_negative, negative);
    }
}

TEST(NotFinite, states_stop_the_run) {
  const auto system = MechanicalSystem<ScalarMass<double, Dynamic>, Pendula<double>>(
      ScalarMass<double, Dynamic>(1, 10), {{1.0}, {Vector<double, Dynamic>::Ones(5), 400.0}});
  ZhangSkeel method(system);
  for (int entry = 0; entry < 10; ++entry) {
    Vector<double, Dynamic> q = Vector<double, Dynamic>::LinSpaced(10, 1, 10), v = q;
    q(entry) = std::numeric_limits<double>::quiet_NaN();
    auto z = method.start(q, v);
    EXPECT_EQ(method.step(z, 0.01).failure, Failure::singular_matrix) << entry;
  }
}

TEST(Empty, chains_may_be) {
  const auto system = MechanicalSystem<ScalarMass<double, Dynamic>, Pendula<double>>(
      ScalarMass<double, Dynamic>(1, 0), {{1.0}, {Vector<double, Dynamic>(0), 400.0}});
  ZhangSkeel method(system);
  auto z = method.start(Vector<double, Dynamic>(0), Vector<double, Dynamic>(0));
  EXPECT_TRUE(method.step(z, 0.01).ok());
}

// --- two numbers at once --------------------------------------------------------------------------------------------

RC_GTEST_PROP(BothEnds, is_each_end_alone, (double a, double b, double c, double d)) {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  const BothEnds<double> x(a, b), y(c, d);
  const auto check = [&](const BothEnds<double>& both, double front, double back) {
    RC_ASSERT(same(both.front(), front));
    RC_ASSERT(same(both.back(), back));
  };
  check(x + y, a + c, b + d);
  check(x - y, a - c, b - d);
  check(x * y, a * c, b * d);
  check(x / y, a / c, b / d);
  check(-x, -a, -b);
  check(front_and_back(x, y), a, d);
  check(sizes(x), std::abs(a), std::abs(b));
  RC_ASSERT(all_less(x, y) == (a < c && b < d));
  RC_ASSERT((x == y) == (a == c && b == d));
  const BothEnds<Rational> s{Rational(a), Rational(b)}, t{Rational(c), Rational(d)};
  RC_ASSERT((s * t - s).front() == Rational(a) * Rational(c) - Rational(a));
  RC_ASSERT((s * t - s).back() == Rational(b) * Rational(d) - Rational(b));
}

}  // namespace neighbour_sweep_test
