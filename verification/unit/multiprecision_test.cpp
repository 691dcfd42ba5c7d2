// SPDX-License-Identifier: MIT
//
// The numbers of many digits are Boost's, bit for bit, whatever is done with them; and what the classes around them promise beside that.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <livi/scalar/boost_multiprecision.hpp>
#include <livi/scalar/multiprecision.hpp>

namespace {

using livi::BoostFloat;
using livi::BoostInteger;
using livi::BoostRational;
using livi::Float100;
using livi::Float50;
using livi::FloatOfDigits;
using livi::Integer;
using livi::Rational;
using livi::to_boost;

template <class Number>
class Floats : public testing::Test {};
using AllFloats = testing::Types<FloatOfDigits<50>, FloatOfDigits<60>, FloatOfDigits<100>>;
TYPED_TEST_SUITE(Floats, AllFloats);

template <unsigned D>
FloatOfDigits<D> drawn(std::mt19937_64& generator, const FloatOfDigits<D>&) {
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-40, 40);
  // All digits: a double alone has 16.
  FloatOfDigits<D> x = mantissa(generator);
  for (double scale = 1e-16; scale > 1e-110; scale *= 1e-16) x += FloatOfDigits<D>(mantissa(generator) * scale);
  return ldexp(x, static_cast<int>(exponent(generator)));
}

TYPED_TEST(Floats, compute_what_boosts_numbers_compute) {
  std::mt19937_64 generator(4711);
  for (int trial = 0; trial < 200; ++trial) {
    const TypeParam a = drawn(generator, TypeParam()), b = drawn(generator, TypeParam());
    const auto &x = to_boost(a), &y = to_boost(b);
    const auto expect = [&](const TypeParam& ours, const auto& boosts) {
      EXPECT_TRUE(to_boost(ours) == boosts) << ours << " and not " << boosts << " from " << a << " and " << b;
    };
    expect(a + b, x + y);
    expect(a - b, x - y);
    expect(a * b, x * y);
    expect(a / b, x / y);
    expect(-a, -x);
    TypeParam sum = a, difference = a, product = a, quotient = a;
    expect(sum += b, x + y);
    expect(difference -= b, x - y);
    expect(product *= b, x * y);
    expect(quotient /= b, x / y);
    expect(abs(a), abs(x));
    expect(sqrt(abs(a)), sqrt(abs(x)));
    expect(exp(a / (1 + abs(a))), exp(x / (1 + abs(x))));
    expect(expm1(a / (1 + abs(a))), expm1(x / (1 + abs(x))));
    expect(log(abs(a)), log(abs(x)));
    expect(log1p(abs(a)), log1p(abs(x)));
    expect(log10(abs(a)), log10(abs(x)));
    expect(sin(b), sin(y));
    expect(cos(b), cos(y));
    expect(tan(b), tan(y));
    expect(asin(a / (1 + abs(a))), asin(x / (1 + abs(x))));
    expect(acos(a / (1 + abs(a))), acos(x / (1 + abs(x))));
    expect(atan(a), atan(x));
    expect(sinh(a / (1 + abs(a))), sinh(x / (1 + abs(x))));
    expect(cosh(a / (1 + abs(a))), cosh(x / (1 + abs(x))));
    expect(tanh(a), tanh(x));
    expect(floor(a), floor(x));
    expect(ceil(a), ceil(x));
    expect(round(a), round(x));
    expect(trunc(a), trunc(x));
    expect(atan2(a, b), atan2(x, y));
    expect(pow(abs(a), b / (1 + abs(b))), pow(abs(x), y / (1 + abs(y))));
    expect(pow(a, 5), pow(x, 5));
    EXPECT_EQ(a < b, x < y);
    EXPECT_EQ(a > b, x > y);
    EXPECT_EQ(a <= b, x <= y);
    EXPECT_EQ(a >= b, x >= y);
    EXPECT_EQ(a == b, x == y);
    EXPECT_EQ(a.template convert_to<double>(), x.template convert_to<double>());
    EXPECT_EQ(a.template convert_to<long double>(), x.template convert_to<long double>());
    EXPECT_EQ(a.str(20), x.str(20, {}));
    int ours = 0, theirs = 0;
    expect(frexp(a, &ours), frexp(x, &theirs));
    EXPECT_EQ(ours, theirs);
    // As a checkpoint writes and reads it.
    std::stringstream text;
    text.precision(std::numeric_limits<TypeParam>::max_digits10);
    text << std::scientific << a;
    TypeParam read = 0;
    text >> read;
    EXPECT_EQ(read, a);
  }
}

TYPED_TEST(Floats, have_the_limits_of_boosts_numbers) {
  using Ours = std::numeric_limits<TypeParam>;
  using Boosts = std::numeric_limits<std::decay_t<decltype(to_boost(TypeParam()))>>;
  EXPECT_EQ(Ours::digits, Boosts::digits);
  EXPECT_EQ(Ours::max_digits10, Boosts::max_digits10);
  EXPECT_TRUE(to_boost(Ours::epsilon()) == Boosts::epsilon());
  EXPECT_TRUE(to_boost(Ours::min()) == (Boosts::min)());
  EXPECT_TRUE(to_boost(Ours::max()) == (Boosts::max)());
  EXPECT_TRUE(to_boost(Ours::lowest()) == Boosts::lowest());
  EXPECT_TRUE(isinf(Ours::infinity()));
  EXPECT_TRUE(isnan(Ours::quiet_NaN()));
}

TYPED_TEST(Floats, that_are_no_number_are_in_no_order) {
  const TypeParam nan = std::numeric_limits<TypeParam>::quiet_NaN(), one = 1;
  for (const auto& [a, b] : {std::pair(nan, one), std::pair(one, nan), std::pair(nan, nan)}) {
    EXPECT_FALSE(a < b || a > b || a <= b || a >= b || a == b);
    EXPECT_TRUE(a != b);
  }
  EXPECT_FALSE(isfinite(nan));
  EXPECT_FALSE(isfinite(std::numeric_limits<TypeParam>::infinity()));
  EXPECT_TRUE(isfinite(one));
  EXPECT_FALSE(isnan(one) || isinf(one) || isinf(nan) || isnan(std::numeric_limits<TypeParam>::infinity()));
}

TYPED_TEST(Floats, convert_from_and_to_every_built_in_number) {
  EXPECT_EQ(TypeParam(std::numeric_limits<long long>::min()).template convert_to<long long>(),
            std::numeric_limits<long long>::min());
  const auto large = std::numeric_limits<unsigned long long>::max();
  EXPECT_EQ(TypeParam(large).template convert_to<unsigned long long>(), large);
  EXPECT_EQ(TypeParam(large).str(), "18446744073709551615");
  EXPECT_EQ(TypeParam(0.1L).template convert_to<long double>(), 0.1L);
  EXPECT_EQ(TypeParam(0.1f).template convert_to<float>(), 0.1f);
  EXPECT_EQ(static_cast<int>(TypeParam(-2.75)), -2);
  EXPECT_TRUE(static_cast<bool>(TypeParam(0.5)));  // is not zero, though its integer part is
  EXPECT_FALSE(static_cast<bool>(TypeParam(0)));
  EXPECT_THROW(TypeParam("one half"), std::runtime_error);
}

TEST(Floats, of_fewer_digits_are_exact_in_more_and_of_more_are_rounded) {
  const Float100 third = Float100(1) / 3;
  const Float50 rounded(third);
  EXPECT_TRUE(to_boost(rounded) == BoostFloat<50>(to_boost(third)));
  EXPECT_EQ(Float50(Float100(rounded)), rounded);
  EXPECT_NE(Float100(rounded), third);
  EXPECT_FALSE((std::is_convertible_v<Float100, Float50>));
  EXPECT_FALSE((std::is_convertible_v<Float50, double>));
  EXPECT_TRUE((std::is_convertible_v<Float50, Float100>));
}

TEST(Integers, and_fractions_compute_what_boosts_compute) {
  std::mt19937_64 generator(4711);
  const auto draw = [&] {
    std::string digits = generator() % 2 == 0 ? "-" : "";
    digits += std::to_string(1 + generator() % 9);
    for (auto more = generator() % 60; more > 0; --more) digits += std::to_string(generator() % 10);
    return digits;
  };
  for (int trial = 0; trial < 200; ++trial) {
    const std::string t = draw(), u = draw();
    const Integer a(t), b(u);
    const BoostInteger x(t), y(u);
    const auto expect = [&](const auto& ours, const auto& boosts) {
      EXPECT_EQ(ours.str(), boosts.str()) << t << " and " << u;
    };
    expect(a, x);
    expect(a + b, BoostInteger(x + y));
    expect(a - b, BoostInteger(x - y));
    expect(a * b, BoostInteger(x * y));
    expect(a / b, BoostInteger(x / y));
    expect(a % b, BoostInteger(x % y));
    expect(-a, BoostInteger(-x));
    expect(abs(a), BoostInteger(abs(x)));
    expect(gcd(a, b), BoostInteger(gcd(x, y)));
    expect(lcm(a, b), BoostInteger(lcm(x, y)));
    expect(sqrt(abs(a)), BoostInteger(sqrt(BoostInteger(abs(x)))));
    expect(pow(a, 3), BoostInteger(pow(x, 3)));
    EXPECT_EQ(msb(abs(a)), msb(BoostInteger(abs(x))));
    EXPECT_EQ(a < b, x < y);
    EXPECT_EQ(a == b, x == y);
    EXPECT_EQ(a.convert_to<double>(), x.convert_to<double>());

    const Rational p(a, b), q(b, a + 1);
    const auto fraction = [](const BoostInteger& n, const BoostInteger& d) {
      return d < 0 ? BoostRational(-n, -d) : BoostRational(n, d);
    };
    const BoostRational v = fraction(x, y), w = fraction(y, x + 1);
    expect(p, v);
    expect(p + q, BoostRational(v + w));
    expect(p - q, BoostRational(v - w));
    expect(p * q, BoostRational(v * w));
    expect(p / q, BoostRational(v / w));
    expect(-p, BoostRational(-v));
    expect(abs(p), BoostRational(abs(v)));
    expect(numerator(p), BoostInteger(numerator(v)));
    expect(denominator(p), BoostInteger(denominator(v)));
    EXPECT_EQ(p < q, v < w);
    EXPECT_EQ(p == q, v == w);
    EXPECT_EQ(p.convert_to<double>(), v.convert_to<double>());
    EXPECT_TRUE(to_boost(Float50(p)) == BoostFloat<50>(v));
    std::stringstream text;
    text << p;
    Rational read = 0;
    text >> read;
    EXPECT_EQ(read, p);
  }
}

TEST(Integers, and_fractions_convert_and_refuse) {
  const auto large = std::numeric_limits<unsigned long long>::max();
  EXPECT_EQ(Integer(large).convert_to<unsigned long long>(), large);
  EXPECT_EQ(Rational(large).convert_to<unsigned long long>(), large);
  EXPECT_EQ(Integer(std::numeric_limits<long long>::min()).str(), "-9223372036854775808");
  EXPECT_EQ(Rational(0.1).str(), "3602879701896397/36028797018963968");
  EXPECT_EQ(Rational(0.1L) - Rational(0.1), Rational(0.1L - static_cast<long double>(0.1)));
  EXPECT_NE(Rational(0.1L), Rational(0.1));
  EXPECT_EQ(static_cast<int>(Rational(-7, 2)), -3);
  EXPECT_TRUE(static_cast<bool>(Rational(1, 2)));
  EXPECT_FALSE(static_cast<bool>(Rational(0)));
  EXPECT_TRUE(static_cast<bool>(Integer(256)));
  EXPECT_THROW(Rational(1, 0), std::domain_error);
  EXPECT_EQ(Rational(3, -6), Rational(-1, 2));
  EXPECT_EQ(denominator(Rational(3, -6)), 2);
  EXPECT_THROW(Rational(1) / Rational(0), std::overflow_error);
  EXPECT_THROW(Integer(1) / Integer(0), std::overflow_error);
  EXPECT_THROW(Integer(1) % Integer(0), std::overflow_error);
  EXPECT_THROW(Rational("one half"), std::runtime_error);
  for (const double x : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(static_cast<void>(Rational(x)), std::runtime_error) << x;
  EXPECT_THROW(static_cast<void>(msb(Integer(0))), std::range_error);
}

// Numbers that own memory are copied, moved and destroyed by hand-written members.
TEST(Integers, and_fractions_survive_copies_and_moves) {
  const Integer googol = pow(Integer(10), 100);
  std::vector<Rational> list;
  for (int k = 1; k <= 100; ++k) list.emplace_back(googol + k, googol - k);
  std::vector<Rational> copy = list, moved = std::move(list);
  std::swap(moved.front(), moved.back());
  copy.front() = copy.back();
  copy.back() = std::move(copy[1]);
  EXPECT_EQ(moved.back(), Rational(googol + 1, googol - 1));
  EXPECT_EQ(copy.front(), Rational(googol + 100, googol - 100));
  EXPECT_EQ(copy.back(), Rational(googol + 2, googol - 2));
  Rational self = copy.back();
  const Rational& also = self;
  self -= also;
  EXPECT_EQ(self, 0);
}

}  // namespace
