// SPDX-License-Identifier: MIT
//
// The number types: every one is a field, also inside Eigen, and what the library asks of a type (scalar.hpp) tells the
// truth; derivatives and series are in dual_and_series_test.cpp. Exact types must agree to the last bit; for the others
// a tolerance is given in units of epsilon().
#include <gtest/gtest.h>

#include <livi/linalg/vector.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/errors.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/scalar/power_series.hpp>

#include "sample.hpp"

namespace scalar_test {

using livi::Dual;
using livi::Float100;
using livi::Float50;
using livi::magnitude;
using livi::PowerSeries;
using livi::ratio;
using livi::Rational;
using livi::RealOf;
using livi::test::same;
using livi::test::Sample;

template <class S>
class EveryScalar : public testing::Test {};
using AllScalars = testing::Types<double, long double, Float50, Float100, Rational, Dual<double>, Dual<Float50>,
                                  Dual<Dual<Rational>>, PowerSeries<Rational, 4>, PowerSeries<Dual<Rational>, 2>>;
TYPED_TEST_SUITE(EveryScalar, AllScalars);

TYPED_TEST(EveryScalar, is_a_field) {
  using S = TypeParam;
  static_assert(livi::Scalar<S>);
  // Two or three operations on numbers below 3, divisors above 1/16: at most 3 * 16^2 roundings in a derivative.
  constexpr int roundings = 1000;
  for (int k = 0; k < 8; ++k) {
    const S a = Sample<S>::make(k), b = Sample<S>::make(k + 1), c = Sample<S>::make(k + 4);
    EXPECT_TRUE(same(S(a + b), S(b + a), 0));
    EXPECT_TRUE(same(S((a + b) + c), S(a + (b + c)), roundings));
    EXPECT_TRUE(same(S(a * b), S(b * a), roundings));
    EXPECT_TRUE(same(S((a * b) * c), S(a * (b * c)), roundings));
    EXPECT_TRUE(same(S(a * (b + c)), S(a * b + a * c), roundings));
    EXPECT_TRUE(same(S(a + (-a)), S(0), 0));
    EXPECT_TRUE(same(S(a - b), S(a + (-b)), 0));
    EXPECT_TRUE(same(S((a / b) * b), a, roundings));
    EXPECT_TRUE(same(S(a * (S(1) / a)), S(1), roundings));
    EXPECT_TRUE(same(S(a / a), S(1), roundings));
    EXPECT_TRUE(same(S(a * S(1)), a, 0));
    EXPECT_TRUE(same(S(a + S(0)), a, 0));
    EXPECT_FALSE(same(a, b, roundings));
    EXPECT_FALSE(a == b);
    EXPECT_TRUE(a != b);
  }
}

TYPED_TEST(EveryScalar, compound_operators_are_the_binary_ones_even_on_themselves) {
  using S = TypeParam;
  const S a = Sample<S>::make(2), b = Sample<S>::make(5);
  S x = a;
  EXPECT_TRUE(same(x += b, S(a + b), 0));
  EXPECT_TRUE(same(x -= b, S((a + b) - b), 0));
  x = a;
  EXPECT_TRUE(same(x *= b, S(a * b), 0));
  x = a;
  EXPECT_TRUE(same(x /= b, S(a / b), 0));
  S& itself = x;  // by another name: clang++ takes x -= x for a slip
  x = a;
  x += itself;
  EXPECT_TRUE(same(x, S(a + a), 0));
  x = a;
  x *= itself;
  EXPECT_TRUE(same(x, S(a * a), 0));
  x = a;
  x /= itself;
  EXPECT_TRUE(same(x, S(1), 16));
  x = a;
  x -= itself;
  EXPECT_TRUE(same(x, S(0), 0));
}

TYPED_TEST(EveryScalar, is_known_to_the_library) {
  using S = TypeParam;
  const S a = Sample<S>::make(3);
  EXPECT_TRUE(livi::is_finite(a));
  EXPECT_GT(magnitude(a), RealOf<S>(0));
  EXPECT_EQ(magnitude(S(-a)), magnitude(a));
  EXPECT_EQ(magnitude(S(0)), RealOf<S>(0));
  EXPECT_EQ(livi::leading(S(-2)), RealOf<S>(-2));
  EXPECT_EQ(livi::to_double(S(-2)), -2.0);
  EXPECT_EQ(livi::ScalarTraits<S>::exact, livi::ScalarTraits<S>::epsilon() == RealOf<S>(0));
  EXPECT_TRUE(same(S(ratio<S>(2, 3) * S(3)), S(2), 4));
  EXPECT_TRUE(same(ratio<S>(-6, 4), ratio<S>(3, -2), 0));
}

TYPED_TEST(EveryScalar, works_in_eigen) {
  using S = TypeParam;
  using Square = livi::Matrix<S, 2>;
  const auto s = [](int k) { return Sample<S>::make(k); };
  Square a, b;
  a << s(0), s(1), s(2), s(3);
  b << s(4), s(5), s(6), s(7);
  const livi::Vector<S, 2> v(s(8), s(9));
  constexpr int roundings = 100;
  const Square product = a * b, sum = a + b, scaled = s(3) * a, transposed = a.transpose();
  const livi::Vector<S, 2> image = a * v, coefficientwise = v.cwiseProduct(image), quotient = v.cwiseQuotient(image);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      EXPECT_TRUE(same(product(i, j), S(a(i, 0) * b(0, j) + a(i, 1) * b(1, j)), roundings));
      EXPECT_TRUE(same(sum(i, j), S(a(i, j) + b(i, j)), 0));
      EXPECT_TRUE(same(scaled(i, j), S(s(3) * a(i, j)), 0));
      EXPECT_TRUE(same(transposed(i, j), a(j, i), 0));
    }
    EXPECT_TRUE(same(image(i), S(a(i, 0) * v(0) + a(i, 1) * v(1)), roundings));
    EXPECT_TRUE(same(coefficientwise(i), S(v(i) * image(i)), 0));
    EXPECT_TRUE(same(quotient(i), S(v(i) / image(i)), 0));
  }
  livi::Matrix<S, livi::Dynamic> dynamic = livi::zeros<livi::Matrix<S, livi::Dynamic>>(2, 2);
  EXPECT_EQ(livi::max_magnitude(dynamic), RealOf<S>(0));
  dynamic += a;
  dynamic.row(0).swap(dynamic.row(1));
  EXPECT_TRUE(same(dynamic(0, 1), a(1, 1), 0));
  RealOf<S> largest(0);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) largest = std::max<RealOf<S>>(largest, magnitude(a(i, j)));
  EXPECT_EQ(livi::max_magnitude(a), largest);
  EXPECT_TRUE(livi::all_finite(a));
}

// --- reals ----------------------------------------------------------------------------------------------------------

TEST(Reals, have_the_digits_they_are_named_for) {
  EXPECT_LT(livi::ScalarTraits<Float50>::epsilon(), Float50("1e-49"));
  EXPECT_LT(livi::ScalarTraits<Float100>::epsilon(), Float100("1e-99"));
  EXPECT_EQ(livi::ScalarTraits<double>::epsilon(), 0x1p-52);
  EXPECT_EQ(livi::ScalarTraits<Rational>::epsilon(), 0);
  // 2/5 is not the double 0.4, whose error is 2e-17.
  const Float50 error = ratio<Float50>(2, 5) - Float50(0.4);
  EXPECT_GT(abs(error), Float50("1e-18"));
  EXPECT_LT(abs(ratio<Float50>(2, 5) * 5 - 2), Float50("1e-49"));
}

TEST(Reals, rationals_are_exact) {
  Rational harmonic = 0;
  for (int k = 1; k <= 30; ++k) harmonic += ratio<Rational>(1, k);
  for (int k = 30; k >= 1; --k) harmonic -= ratio<Rational>(1, k);
  EXPECT_EQ(harmonic, 0);
  EXPECT_EQ(ratio<Rational>(1, 3) + ratio<Rational>(1, 6), ratio<Rational>(1, 2));
  EXPECT_EQ(livi::to_double(ratio<Rational>(1, 3)), 1.0 / 3);
}

// --- what is not finite ---------------------------------------------------------------------------------------------

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(NotFinite, is_seen_in_every_component) {
  EXPECT_FALSE(livi::is_finite(nan));
  EXPECT_FALSE(livi::is_finite(-infinity));
  EXPECT_FALSE(livi::is_finite(Float50(nan)));
  EXPECT_FALSE(livi::is_finite(Float50(infinity)));
  EXPECT_TRUE(livi::is_finite(Dual<double>(1, 2)));
  EXPECT_FALSE(livi::is_finite(Dual<double>(nan, 2)));
  EXPECT_FALSE(livi::is_finite(Dual<double>(1, infinity)));
  PowerSeries<double, 3> series(1.0);
  EXPECT_TRUE(livi::is_finite(series));
  series[3] = nan;
  EXPECT_FALSE(livi::is_finite(series));
  livi::Vector<double, 3> v(1, 2, nan);
  EXPECT_FALSE(livi::all_finite(v));
}

// An iteration that took a NaN for small would call itself converged.
TEST(NotFinite, is_not_hidden_by_the_size_of_another_component) {
  EXPECT_EQ(livi::larger(2.0, 3.0), 3.0);
  EXPECT_EQ(livi::larger(3.0, 2.0), 3.0);
  EXPECT_TRUE(std::isnan(livi::larger(nan, 1.0)));
  EXPECT_TRUE(std::isnan(livi::larger(1.0, nan)));
  EXPECT_TRUE(std::isnan(magnitude(Dual<double>(nan, 1))));
  EXPECT_TRUE(std::isnan(magnitude(Dual<double>(1, nan))));
  for (int k = 0; k <= 3; ++k) {
    PowerSeries<double, 3> series = Sample<PowerSeries<double, 3>>::make(1);
    series[k] = nan;
    EXPECT_TRUE(std::isnan(magnitude(series))) << k;
  }
  for (int k = 0; k < 3; ++k) {
    livi::Vector<double, 3> v(1, 2, 3);
    v(k) = nan;
    EXPECT_TRUE(std::isnan(livi::max_magnitude(v))) << k;
  }
}

// --- counts ----------------------------------------------------------------------------------------------------------

TEST(Whole, is_exact_beyond_the_range_of_int) {
  for (const long count : {0L, 7L, -7L, 2147483648L, -3000000000L, 4503599627370497L}) {
    EXPECT_EQ(livi::whole<double>(count), static_cast<double>(count));
    EXPECT_EQ(livi::whole<Rational>(count), Rational(count));
    EXPECT_EQ(livi::whole<Dual<double>>(count).value, static_cast<double>(count));
  }
  EXPECT_EQ(livi::whole<Float50>(9223372036854775807L), Float50(9223372036854775807L));
}

// --- errors ---------------------------------------------------------------------------------------------------------

TEST(InvalidParameter, names_the_thing_its_value_and_what_is_allowed) {
  const livi::InvalidParameter error("omega", -1.5, "must be > 0");
  EXPECT_STREQ(error.what(), "omega = -1.5: must be > 0");
}

}  // namespace scalar_test
