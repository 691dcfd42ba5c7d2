// SPDX-License-Identifier: MIT
//
// Dual numbers and power series obey the identities that define them, and agree with each other. Exact types must agree
// to the last bit; for the others a tolerance is given in units of epsilon().
#include <gtest/gtest.h>

#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/scalar/power_series.hpp>

#include "fixed_seed.hpp"
#include "sample.hpp"

namespace {

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

}  // namespace
