// SPDX-License-Identifier: MIT
//
// Dual numbers and power series obey the identities that define them, and agree with each other; rational functions of
// one variable decide stability. Exact types must agree to the last bit; for the others a tolerance is given in units
// of epsilon().
#include <gtest/gtest.h>

#include <livi/diagnostics/linear_stability.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/scalar/power_series.hpp>

#include "sample.hpp"
#include "verification/support/fixed_seed.hpp"

namespace dual_and_series_test {

using livi::Dual;
using livi::Float50;
using livi::magnitude;
using livi::PowerSeries;
using livi::ratio;
using livi::Rational;
using livi::test::same;
using livi::test::Sample;

RC_GTEST_PROP(Rationals, divide_back, ()) {
  const auto number = [] { return ratio<Rational>(*rc::gen::inRange(-1000, 1000), *rc::gen::inRange(1, 1000)); };
  const Rational a = number(), b = number();
  RC_PRE(b != 0);
  RC_ASSERT(a / b * b == a);
  RC_ASSERT((a + b) * (a - b) == a * a - b * b);
}

// --- dual numbers ---------------------------------------------------------------------------------------------------

TEST(Duals, magnitude_is_the_larger_component_and_order_is_that_of_the_value) {
  EXPECT_EQ(magnitude(Dual<double>(-3, 2)), 3);
  EXPECT_EQ(magnitude(Dual<double>(-3, -4)), 4);
  EXPECT_EQ(livi::leading(Dual<double>(-3, 4)), -3);
  EXPECT_EQ(livi::to_double(Dual<Dual<double>>(Dual<double>(5, 6), Dual<double>(7, 8))), 5);
  EXPECT_TRUE(Dual<double>(1, 9) < Dual<double>(2, -9));
  EXPECT_TRUE(Dual<double>(2, -9) > Dual<double>(1, 9));
  EXPECT_TRUE(Dual<double>(2, 1) == Dual<double>(2, 3));
  EXPECT_TRUE(Dual<double>(2, 1) <= Dual<double>(2, 3));
  EXPECT_TRUE(Dual<double>(2, 1) >= Dual<double>(2, 3));
  EXPECT_FALSE(Dual<double>(2, 1) != Dual<double>(2, 3));
  EXPECT_FALSE(Dual<double>(2, 1) < Dual<double>(2, 3));
}

/// The derivative of f at x by Dual<S>, and of f' at x by a Dual of it.
template <class S, class F>
std::pair<S, S> two_derivatives(const F& f, const S& x) {
  using D = Dual<S>;
  const Dual<D> y = f(Dual<D>(D(x, S(1)), D(S(1), S(0))));
  EXPECT_EQ(y.value.derivative, y.derivative.value);  // symmetry of mixed derivatives
  return {y.value.derivative, y.derivative.derivative};
}

TEST(Duals, polynomials_and_quotients_have_their_derivatives_exactly) {
  using Q = Rational;
  const Q x = ratio<Q>(7, 5);
  EXPECT_EQ(two_derivatives([](const auto& t) { return t * t * t; }, x), std::pair(Q(3 * x * x), Q(6 * x)));
  EXPECT_EQ(two_derivatives([](const auto& t) { return std::decay_t<decltype(t)>(1) / t; }, x),
            std::pair(Q(-1 / (x * x)), Q(2 / (x * x * x))));
  const auto quotient = [](const auto& t) {
    using T = std::decay_t<decltype(t)>;
    return (t * t + T(1)) / (t - T(3));
  };
  const Q u = x - 3;  // (t^2 + 1)/(t - 3) = t + 3 + 10/(t - 3)
  EXPECT_EQ(two_derivatives(quotient, x), std::pair(Q(1 - 10 / (u * u)), Q(20 / (u * u * u))));
}

template <class S>
class DualFunctions : public testing::Test {};
using RealScalars = testing::Types<double, Float50>;
TYPED_TEST_SUITE(DualFunctions, RealScalars);

TYPED_TEST(DualFunctions, have_the_derivatives_of_the_tables) {
  using S = TypeParam;
  using std::cos, std::exp, std::log, std::sin, std::sqrt;
  constexpr int roundings = 16;
  for (const S& x : {ratio<S>(1, 3), ratio<S>(7, 5), ratio<S>(29, 10)}) {
    const auto expect = [&](const std::pair<S, S>& measured, const S& first, const S& second) {
      EXPECT_TRUE(same(measured.first, first, roundings)) << measured.first << " " << first;
      EXPECT_TRUE(same(measured.second, second, roundings)) << measured.second << " " << second;
    };
    const auto apply = [&](auto f) { return two_derivatives(f, x); };
    expect(apply([](const auto& t) { return sin(t); }), cos(x), -sin(x));
    expect(apply([](const auto& t) { return cos(t); }), -sin(x), -cos(x));
    expect(apply([](const auto& t) { return exp(t); }), exp(x), exp(x));
    expect(apply([](const auto& t) { return log(t); }), S(1) / x, S(-1) / (x * x));
    expect(apply([](const auto& t) { return sqrt(t); }), S(1) / (S(2) * sqrt(x)), S(-1) / (S(4) * x * sqrt(x)));
    expect(apply([](const auto& t) { return abs(t); }), S(1), S(0));
    expect(apply([](const auto& t) { return abs(-t); }), S(1), S(0));
    // Values, not only derivatives.
    const Dual<S> d(x, S(3));
    EXPECT_EQ(sin(d).value, sin(x));
    EXPECT_EQ(cos(d).value, cos(x));
    EXPECT_EQ(exp(d).value, exp(x));
    EXPECT_EQ(log(d).value, log(x));
    EXPECT_EQ(sqrt(d).value, sqrt(x));
    EXPECT_EQ(abs(-d).value, x);
    EXPECT_TRUE(same(Dual<S>(sin(d) * sin(d) + cos(d) * cos(d)), Dual<S>(S(1)), roundings));
    EXPECT_TRUE(same(exp(log(d)), d, roundings));
    EXPECT_TRUE(same(Dual<S>(sqrt(d) * sqrt(d)), d, roundings));
  }
}

// A step of a linearly implicit method is differentiated through its linear solve.
RC_GTEST_PROP(Duals, go_through_a_linear_solve_exactly, ()) {
  using Q = Rational;
  using D = Dual<Q>;
  const auto number = [] { return Q(*rc::gen::inRange(-9, 10)); };
  D m[2][2], b[2];
  for (auto& row : m)
    for (D& entry : row) entry = D(number(), number());
  for (D& entry : b) entry = D(number(), number());
  const D determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
  RC_PRE(determinant.value != 0 && m[0][0].value != 0);
  // Gaussian elimination by hand, then A x' = b' - A' x.
  const D factor = m[1][0] / m[0][0], pivot = m[1][1] - factor * m[0][1];
  const D y = (b[1] - factor * b[0]) / pivot, x = (b[0] - m[0][1] * y) / m[0][0];
  for (int i = 0; i < 2; ++i) {
    RC_ASSERT(m[i][0].value * x.value + m[i][1].value * y.value == b[i].value);
    RC_ASSERT(m[i][0].value * x.derivative + m[i][1].value * y.derivative ==
              b[i].derivative - m[i][0].derivative * x.value - m[i][1].derivative * y.value);
  }
}

// --- power series ---------------------------------------------------------------------------------------------------

TEST(Series, of_the_tables) {
  using T = PowerSeries<Float50, 12>;
  const T t = T::variable();
  const T e = exp(t), s = sin(t), c = cos(t), root = sqrt(T(1) + t), geometric = T(1) / (T(1) - t);
  Float50 factorial = 1, binomial = 1;  // k!, (1/2 over k)
  for (int k = 0; k <= 12; ++k) {
    if (k > 0) {
      factorial *= k;
      binomial *= (ratio<Float50>(1, 2) - (k - 1)) / k;
    }
    const Float50 sign = k % 4 < 2 ? 1 : -1;
    EXPECT_TRUE(same(e[k], Float50(1 / factorial), 16)) << k;
    EXPECT_TRUE(same(s[k], Float50(k % 2 == 1 ? sign / factorial : 0), 16)) << k;
    EXPECT_TRUE(same(c[k], Float50(k % 2 == 0 ? sign / factorial : 0), 16)) << k;
    EXPECT_TRUE(same(root[k], binomial, 16)) << k;
    EXPECT_EQ(geometric[k], 1) << k;
  }
}

TEST(Series, obey_the_identities_of_their_functions) {
  using T = PowerSeries<Float50, 20>;
  T a = Sample<T>::make(2), b = Sample<T>::make(5);
  a[0] = ratio<Float50>(3, 2);
  // Coefficients of functions of a grow like 6^k at most: 20 of them lose 16 of 50 digits, 1e-30 leaves a margin.
  const auto nearly = [](const T& x, const T& y) { return magnitude(T(x - y)) <= Float50("1e-30"); };
  EXPECT_TRUE(nearly(sin(a) * sin(a) + cos(a) * cos(a), T(1)));
  EXPECT_TRUE(nearly(sin(a + b), sin(a) * cos(b) + cos(a) * sin(b)));
  EXPECT_TRUE(nearly(exp(a) * exp(-a), T(1)));
  EXPECT_TRUE(nearly(sqrt(a) * sqrt(a), a));
  EXPECT_FALSE(nearly(sqrt(a) * sqrt(a), b));
  EXPECT_EQ(sin(a)[0], sin(a[0]));
  EXPECT_EQ(sqrt(a)[0], sqrt(a[0]));
}

TEST(Series, agree_with_nested_duals) {
  using T = PowerSeries<Float50, 3>;
  using D = Dual<Dual<Float50>>;
  const Float50 x = ratio<Float50>(4, 3);
  const auto f = [](const auto& t) {
    using N = std::decay_t<decltype(t)>;
    return sqrt(t * t + N(1)) * sin(t) / exp(cos(t)) - t / (N(2) + t);
  };
  const T series = f(T(x) + T::variable());
  const D nested = f(D(Dual<Float50>(x, 1), Dual<Float50>(1, 0)));
  EXPECT_TRUE(same(series[0], nested.value.value, 100));
  EXPECT_TRUE(same(series[1], nested.value.derivative, 100));
  EXPECT_TRUE(same(Float50(2 * series[2]), nested.derivative.derivative, 100));
}

TEST(Series, integrate_and_evaluate) {
  using T = PowerSeries<Rational, 5>;
  T a;
  for (int k = 0; k <= 5; ++k) a[k] = k + 1;  // sum (k+1) t^k integrates to sum t^(k+1)
  const T integral = a.integral();
  EXPECT_EQ(integral[0], 0);
  for (int k = 1; k <= 5; ++k) EXPECT_EQ(integral[k], 1) << k;
  EXPECT_EQ(a.evaluate(2), 1 + 2 * 2 + 3 * 4 + 4 * 8 + 5 * 16 + 6 * 32);
  EXPECT_EQ(T::variable().evaluate(ratio<Rational>(3, 7)), ratio<Rational>(3, 7));
  EXPECT_EQ(livi::leading(a), 1);
  EXPECT_EQ(magnitude(a), 6);
}

RC_GTEST_PROP(Series, divide_back_and_multiply_as_polynomials, ()) {
  using T = PowerSeries<Rational, 6>;
  T a, b;
  for (int k = 0; k <= 6; ++k) {
    a[k] = *rc::gen::inRange(-9, 10);
    b[k] = *rc::gen::inRange(-9, 10);
  }
  const T product = a * b;
  for (int k = 0; k <= 6; ++k) {
    Rational sum = 0;
    for (int j = 0; j <= k; ++j) sum += a[j] * b[k - j];
    RC_ASSERT(product[k] == sum);
  }
  RC_PRE(b[0] != 0);
  RC_ASSERT(a / b * b == a);
}

// Coefficients may be duals: one that vanishes while its derivative does not must still be multiplied.
TEST(Series, multiply_coefficients_whose_value_alone_vanishes) {
  using D = Dual<Rational>;
  using T = PowerSeries<D, 2>;
  T a, b;
  a[0] = D(0, 1);
  b[0] = D(5, 0);
  b[1] = D(7, 0);
  const T product = a * b;
  EXPECT_EQ(product[0].derivative, 5);
  EXPECT_EQ(product[1].derivative, 7);
}

// --- rational functions of one variable, and what is decided with them -----------------------------------------------

using P = livi::Polynomial<Rational>;
using F = livi::RationalFunction<Rational>;
using livi::StepMatrix;

P polynomial(std::initializer_list<int> coefficients) {
  std::vector<Rational> c;
  for (const int x : coefficients) c.emplace_back(x);
  return P(std::move(c));
}

TEST(Sturm, counts_the_roots_of_constants_and_polynomials) {
  EXPECT_EQ(livi::SturmSequence(polynomial({7})).roots(-100), 0);
  EXPECT_EQ(livi::SturmSequence(polynomial({-7})).roots(-100, Rational(100)), 0);
  EXPECT_EQ(livi::SturmSequence(polynomial({-6, 11, -6, 1})).roots(0), 3);  // (z - 1)(z - 2)(z - 3)
  EXPECT_EQ(livi::SturmSequence(polynomial({-6, 11, -6, 1})).roots(1, Rational(2)), 1);
  EXPECT_EQ(livi::SturmSequence(polynomial({1, -2, 1})).roots(0), 1);
  EXPECT_THROW(static_cast<void>(livi::SturmSequence(P{})), std::invalid_argument);
}

TEST(RationalFunctions, have_no_size_and_no_sign) {
  const F z = F::variable();
  EXPECT_TRUE(livi::leading(F(z - z)) == 0);
  EXPECT_TRUE(0 < magnitude(z));
  EXPECT_THROW(static_cast<void>(livi::leading(z) <= 1), livi::NotRational);
  EXPECT_THROW(static_cast<void>(magnitude(z) < magnitude(F(z * z))), livi::NotRational);
  EXPECT_THROW(static_cast<void>(livi::to_double(z)), livi::NotRational);
}

/// Entries given as functions of z.
StepMatrix<Rational> matrix(const F& a, const F& b, const F& c, const F& d) { return {{{{a, b}, {c, d}}}}; }
const F z = F::variable();

TEST(LinearStability, of_verlet_and_midpoint_by_hand) {
  const auto verlet = livi::decide_stability(matrix(1 - z / 2, 1, z * z / 4 - z, 1 - z / 2));
  EXPECT_TRUE(verlet.determinant_is_one);
  EXPECT_FALSE(verlet.unconditional);
  EXPECT_EQ(verlet.limit, 2);
  EXPECT_EQ(verlet.crossings, 1);
  ASSERT_EQ(verlet.windows.size(), 1u);
  EXPECT_FALSE(verlet.windows[0].end.has_value());
  EXPECT_TRUE(verlet.z_low < 4 && 4 <= verlet.z_high);
  const F d = 1 + z / 4;
  const StepMatrix<Rational> midpoint = matrix((1 - z / 4) / d, 1 / d, -z / d, (1 - z / 4) / d);
  EXPECT_TRUE(livi::decide_stability(midpoint).unconditional);
  EXPECT_EQ(livi::decide_stability(midpoint).limit, livi::unlimited);
  EXPECT_TRUE(livi::is_stable_near_zero(midpoint));
}

TEST(LinearStability, wants_a_determinant_that_is_not_above_one) {
  const auto rotation = livi::decide_stability(matrix(0, 4, -4, 0));  // radius 4, trace 0
  EXPECT_FALSE(rotation.unconditional);
  EXPECT_EQ(rotation.limit, 0);
  // Heun: radius sqrt(1 + z^2/4), never stable. Explicit Euler: the same with 1 + z.
  const StepMatrix<Rational> heun = matrix(1 - z / 2, 1, -z, 1 - z / 2);
  EXPECT_EQ(livi::decide_stability(heun).limit, 0);
  EXPECT_EQ(livi::decide_stability(heun).crossings, 0);
  EXPECT_FALSE(livi::is_stable_near_zero(heun));
  // Implicit Euler is damped at every z.
  const F d = 1 + z;
  const auto implicit_euler = livi::decide_stability(matrix(1 / d, 1 / d, -z / d, 1 / d));
  EXPECT_TRUE(implicit_euler.unconditional);
  EXPECT_FALSE(implicit_euler.determinant_is_one);
  // A real eigenvalue below -1 at a determinant below one: -z/2 and 1/2.
  const auto overshoot = livi::decide_stability(matrix(-z / 2, 0, 0, F(1) / 2));
  EXPECT_DOUBLE_EQ(overshoot.limit, std::sqrt(2));
}

TEST(LinearStability, knows_jordan_blocks_everywhere_and_at_single_points) {
  const auto drift = livi::decide_stability(matrix(1, 1, 0, 1));
  EXPECT_FALSE(drift.unconditional);
  EXPECT_EQ(drift.limit, 0);
  EXPECT_FALSE(livi::is_stable_near_zero(matrix(-1, 1, 0, -1)));
  EXPECT_TRUE(livi::decide_stability(matrix(1, 0, 0, 1)).unconditional);
  EXPECT_TRUE(livi::decide_stability(matrix(-1, 0, 0, -1)).unconditional);
  // T = -2 at z = 1 with T > -2 on either side: T + 2 = (z - 1)^2/(z + 1)^2, once with a Jordan block and once as -I.
  const F t = (z - 1) * (z - 1) / ((z + 1) * (z + 1)) - 2;
  for (const bool grows : {true, false}) {
    const F upper = grows ? F(1) : F(1 - z), diagonal = t / 2;
    const auto touching = livi::decide_stability(matrix(diagonal, upper, (diagonal * diagonal - 1) / upper, diagonal));
    EXPECT_TRUE(touching.determinant_is_one);
    EXPECT_TRUE(touching.unconditional);
    ASSERT_EQ(touching.touchings.size(), 1u) << grows;
    EXPECT_EQ(touching.touchings[0].grows, grows);
    EXPECT_TRUE(touching.touchings[0].at.low < 1 && 1 <= touching.touchings[0].at.high);
  }
}

TEST(LinearStability, reports_windows_and_poles) {
  // Verlet's trace, pushed above 2 between z = 1.0100 and 1.0120 only: a window of 0.1 % in h omega.
  const F bump = (z - F(Rational(101) / 100)) * (z - F(Rational(253) / 250)) / (1 + z * z);
  const F half = 1 - bump * z / ((1 + z) * (1 + z));  // below 1 outside
  const auto window = livi::decide_stability(matrix(half, 1, half * half - 1, half));
  EXPECT_TRUE(window.determinant_is_one);
  EXPECT_FALSE(window.unconditional);
  EXPECT_EQ(window.crossings, 2);
  ASSERT_EQ(window.windows.size(), 1u);
  EXPECT_DOUBLE_EQ(window.limit, std::sqrt(1.01));
  ASSERT_TRUE(window.windows[0].end.has_value());
  EXPECT_TRUE(window.windows[0].end->low < Rational(253) / 250 && Rational(253) / 250 <= window.windows[0].end->high);
  // A pole at z = 1 that trace and determinant do not show.
  const F pole = 1 / (z - 1);
  const auto hidden = livi::decide_stability(matrix(pole, 1, -pole * pole - 1, -pole));
  EXPECT_TRUE(hidden.determinant_is_one);
  EXPECT_FALSE(hidden.unconditional);
  ASSERT_EQ(hidden.poles.size(), 1u);
  EXPECT_EQ(hidden.limit, 1);
  EXPECT_TRUE(hidden.windows.empty());
}

/// Midpoint's matrix for z <= 1, explicit Euler's beyond; or a step that is not linear, or knows its h.
enum class Trick { none, branch, square, step_size };
template <class System>
struct Tricky {
  using S = livi::ScalarOf<System>;
  using V = livi::VectorOf<System>;
  const System& system;
  Trick trick;
  static livi::PhaseState<S, 1> start(const V& q, const V& v) { return {q, v}; }
  livi::StepOutcome step(livi::PhaseState<S, 1>& state, const S& h) const {
    V a = state.q;
    system.acceleration(state.q, a);
    if (trick == Trick::branch && livi::leading(S(h * h * a(0))) < -1) a *= S(2);
    if (trick == Trick::square) a(0) *= state.q(0);
    if (trick == Trick::step_size) a(0) *= h;
    state.v += h * a;
    state.q += h * state.v;
    return {};
  }
};

TEST(LinearStability, is_of_steps_that_are_one_linear_map_of_h_omega) {
  const auto of = [](Trick trick) {
    return livi::step_matrix<Rational>([&]<class System>(const System& s) { return Tricky<System>{s, trick}; });
  };
  EXPECT_EQ(livi::decide_stability(of(Trick::none)).limit, 2);  // symplectic Euler
  EXPECT_THROW(of(Trick::branch), livi::NotRational);
  EXPECT_THROW(of(Trick::square), std::domain_error);
  EXPECT_THROW(of(Trick::step_size), std::domain_error);
}

}  // namespace dual_and_series_test
