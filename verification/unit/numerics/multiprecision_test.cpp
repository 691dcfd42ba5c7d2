// SPDX-License-Identifier: MIT
//
// The numbers of many digits against Boost's, which share no code with them: what IEEE 754 says of sums, products, quotients and square roots
// is the same, bit for bit, and so is a function that is rounded to nearest. And what their classes promise beside that.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <livi/scalar/boost_multiprecision.hpp>
#include <livi/scalar/multiprecision.hpp>

namespace multiprecision_test {

using livi::BoostFloat;
using livi::BoostInteger;
using livi::BoostRational;
using livi::Float100;
using livi::Float50;
using livi::FloatOfDigits;
using livi::from_boost;
using livi::Integer;
using livi::Rational;
using livi::to_boost;

template <class Number>
class Floats : public testing::Test {};
using AllFloats = testing::Types<FloatOfDigits<50>, FloatOfDigits<60>, FloatOfDigits<100>>;
TYPED_TEST_SUITE(Floats, AllFloats);

/// Boost's numbers with twice as many digits as are compared, and 20 more. Sums and products are exact in them, quotients and roots are at
/// least 2^-670 from the middle of two numbers of 334 bits, their values in 733 bits much nearer to what they are.
using Reference = BoostFloat<220>;

template <unsigned D>
FloatOfDigits<D> drawn(std::mt19937_64& generator, const FloatOfDigits<D>&) {
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-40, 40);
  // All digits: a double alone has 16.
  FloatOfDigits<D> x = mantissa(generator);
  for (double scale = 1e-16; scale > 1e-110; scale *= 1e-16) x += FloatOfDigits<D>(mantissa(generator) * scale);
  return ldexp(x, static_cast<int>(exponent(generator)));
}

/// Draws a partner of x for sums and products that are hard to round: near it, half a unit of its last place or next to that, as far below it
/// as is just seen, or with few bits.
template <unsigned D>
FloatOfDigits<D> drawn_for(const FloatOfDigits<D>& x, std::mt19937_64& generator) {
  using Number = FloatOfDigits<D>;
  const int digits = std::numeric_limits<Number>::digits, sign = generator() % 2 == 0 ? 1 : -1;
  int exponent = 0;
  frexp(x, &exponent);
  const auto place = [&](int n) { return ldexp(Number(sign), exponent - digits + n); };
  const auto few = [&] { return static_cast<int>(generator() % 5) - 2; };
  switch (generator() % 5) {
    case 0:
      return -x + few() * place(static_cast<int>(generator() % 100));
    case 1:
      return place(-1) + few() * ldexp(place(-1), few() - digits);
    case 2:
      return ldexp(drawn(generator, x), few() - digits);
    case 3:
      return Number(generator() % 1024) + ldexp(Number(generator() % 1024), -digits / 2);
    default:
      return drawn(generator, x);
  }
}

// Boost's numbers of as many digits would not do: with 168 bits they take 1 - 2^-168 (1 - 2^-168) to be 1, not 1 - 2^-168.
TYPED_TEST(Floats, are_rounded_to_nearest) {
  std::mt19937_64 generator(4711);
  for (int trial = 0; trial < 300; ++trial) {
    const TypeParam a = trial % 7 == 0 ? ldexp(TypeParam(1), trial % 5) : drawn(generator, TypeParam());
    const TypeParam b = drawn_for(a, generator);
    const Reference x(to_boost(a)), y(to_boost(b));
    const auto expect = [&](const TypeParam& ours, const Reference& boosts) {
      using Rounded = std::decay_t<decltype(to_boost(ours))>;
      EXPECT_TRUE(to_boost(ours) == Rounded(boosts)) << ours << " and not " << boosts << " from " << a << " and " << b;
    };
    expect(a + b, x + y);
    expect(a - b, x - y);
    expect(a * b, x * y);
    if (b != 0) expect(a / b, x / y);
    expect(sqrt(abs(a)), sqrt(abs(x)));
  }
}

// A product of two whole numbers of all bits that is the middle of two numbers, or is off it by a few units of its own last place.
TYPED_TEST(Floats, are_rounded_to_nearest_next_to_the_middle) {
  const unsigned bits = std::numeric_limits<TypeParam>::digits;
  const Integer range = pow(Integer(2), bits), half = pow(Integer(2), bits - 1);
  std::mt19937_64 generator(4711);
  int found = 0;
  for (int trial = 0; trial < 100; ++trial) {
    Integer a = half + 1;
    for (unsigned bit = 1; bit + 1 < bits; ++bit)
      if (generator() % 2 == 0) a += pow(Integer(2), bit);
    Integer inverse = a;  // of its three lowest bits; each step doubles their number
    for (unsigned known = 3; known < bits; known *= 2)
      inverse = inverse * ((range + 2 - a * inverse % range) % range) % range;
    ASSERT_EQ(a * inverse % range, 1);
    for (const int off : {-3, -1, 0, 1, 3}) {
      const Integer b = inverse * (half + off) % range;
      if (b < half || a * b < half * range) continue;  // fewer bits
      ++found;
      const Integer lower = a * b / range, nearest = off < 0 || (off == 0 && lower % 2 == 0) ? lower : lower + 1;
      EXPECT_EQ(TypeParam(a) * TypeParam(b), ldexp(TypeParam(nearest), static_cast<int>(bits))) << off;
    }
  }
  EXPECT_GT(found, 50);
}

TYPED_TEST(Floats, compute_what_boosts_numbers_compute) {
  std::mt19937_64 generator(4711);
  for (int trial = 0; trial < 200; ++trial) {
    const TypeParam a = drawn(generator, TypeParam()), b = drawn(generator, TypeParam());
    const auto x = to_boost(a), y = to_boost(b);
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
    expect(floor(a), floor(x));
    expect(ceil(a), ceil(x));
    expect(round(a), round(x));
    expect(trunc(a), trunc(x));
    expect(ldexp(a, trial), ldexp(x, trial));
    EXPECT_EQ(a < b, x < y);
    EXPECT_EQ(a > b, x > y);
    EXPECT_EQ(a <= b, x <= y);
    EXPECT_EQ(a >= b, x >= y);
    EXPECT_EQ(a == b, x == y);
    EXPECT_EQ(a.template convert_to<double>(), x.template convert_to<double>());
    EXPECT_EQ(a.template convert_to<long double>(), x.template convert_to<long double>());
    EXPECT_EQ(a.template convert_to<long long>(), x.template convert_to<long long>());
    EXPECT_EQ(TypeParam(from_boost(x)), a);
    int ours = 0, theirs = 0;
    expect(frexp(a, &ours), frexp(x, &theirs));
    EXPECT_EQ(ours, theirs);
    EXPECT_EQ(a.str(20), x.str(20, {}));
    // As a checkpoint writes and reads it.
    std::stringstream text;
    text.precision(std::numeric_limits<TypeParam>::max_digits10);
    text << std::scientific << a;
    TypeParam read = 0;
    text >> read;
    EXPECT_EQ(read, a);
  }
}

// Boost's own functions err by a few units of the last place; their values in twice the digits, rounded, do not: those that are so near to the
// middle of two numbers have a chance of 1e-100.
TYPED_TEST(Floats, have_functions_that_are_rounded_to_nearest) {
  std::mt19937_64 generator(4711);
  for (int trial = 0; trial < 6; ++trial) {
    const TypeParam a = drawn(generator, TypeParam()), b = drawn(generator, TypeParam()), c = a / (1 + abs(a));
    const Reference x(to_boost(a)), y(to_boost(b)), z(to_boost(c));
    const auto expect = [&](const char* name, const TypeParam& ours, const Reference& boosts) {
      using Rounded = std::decay_t<decltype(to_boost(ours))>;
      EXPECT_TRUE(to_boost(ours) == Rounded(boosts))
          << name << ": " << ours << " and not " << boosts << " from " << a << " and " << b;
    };
    expect("exp", exp(c), exp(z));
    expect("expm1", expm1(c), expm1(z));
    expect("log", log(abs(a)), log(abs(x)));
    expect("log1p", log1p(abs(a)), log1p(abs(x)));
    expect("log10", log10(abs(a)), log10(abs(x)));
    expect("sin", sin(b), sin(y));
    expect("cos", cos(b), cos(y));
    expect("tan", tan(b), tan(y));
    expect("asin", asin(c), asin(z));
    expect("acos", acos(c), acos(z));
    expect("atan", atan(a), atan(x));
    expect("sinh", sinh(c), sinh(z));
    expect("cosh", cosh(c), cosh(z));
    expect("tanh", tanh(a), tanh(x));
    expect("atan2", atan2(a, b), atan2(x, y));
    expect("pow", pow(abs(a), b / (1 + abs(b))), pow(abs(x), Reference(to_boost(b / (1 + abs(b))))));
    for (const int n : {-3, -1, 0, 1, 2, 3, 5, 40}) expect("pow", pow(a, n), pow(x, n));
  }
}

TYPED_TEST(Floats, have_limits) {
  using Limits = std::numeric_limits<TypeParam>;
  using Boosts = std::numeric_limits<std::decay_t<decltype(to_boost(TypeParam()))>>;
  EXPECT_EQ(Limits::digits, Boosts::digits);
  EXPECT_EQ(Limits::max_digits10, Boosts::max_digits10);
  EXPECT_TRUE(to_boost(Limits::epsilon()) == Boosts::epsilon());
  const TypeParam one = 1, epsilon = Limits::epsilon();
  EXPECT_EQ(one + epsilon / 2, one);
  EXPECT_EQ(one + (epsilon / 2) * (1 + epsilon), one + epsilon);
  EXPECT_EQ(Limits::min(), ldexp(one, Limits::min_exponent - 1));
  EXPECT_EQ(Limits::min() / 2, 0);
  EXPECT_EQ(Limits::min() * 2, ldexp(one, Limits::min_exponent));
  EXPECT_EQ(Limits::max(), ldexp(one - epsilon / 2, Limits::max_exponent));
  EXPECT_TRUE(isinf(Limits::max() * (1 + epsilon)));
  EXPECT_FALSE(isinf(Limits::max() * (1 - epsilon)));
  EXPECT_TRUE(isinf(Limits::max() + Limits::max()) && isinf(Limits::max() / (one / 2)));
  EXPECT_EQ(Limits::min() * TypeParam(1.5) - Limits::min(), 0);
  EXPECT_EQ(Limits::lowest(), -Limits::max());
  EXPECT_TRUE(isfinite(pow(TypeParam(10), Limits::max_exponent10)) &&
              isinf(pow(TypeParam(10), Limits::max_exponent10 + 1)));
  EXPECT_TRUE(pow(TypeParam(10), Limits::min_exponent10) >= Limits::min());
  EXPECT_FALSE(pow(TypeParam(10), Limits::min_exponent10 - 1) >= Limits::min());
  EXPECT_TRUE(isinf(Limits::infinity()));
  EXPECT_TRUE(isnan(Limits::quiet_NaN()));
  // Through Boost and back, which texts take, too; beyond the range of our exponents Boost has some more.
  for (const TypeParam& x :
       {Limits::min(), Limits::max(), Limits::lowest(), Limits::infinity(), -Limits::infinity(), TypeParam(0)})
    EXPECT_EQ(TypeParam(from_boost(to_boost(x))), x);
  EXPECT_TRUE(isnan(TypeParam(from_boost(to_boost(Limits::quiet_NaN())))));
  EXPECT_EQ(1 / TypeParam(from_boost(to_boost(-TypeParam(0)))), -Limits::infinity());
  EXPECT_TRUE(isinf(TypeParam("1e400000000")));
  EXPECT_EQ(TypeParam("1e-400000000"), 0);
}

// Also the signs of zeros, which are those of the inverses.
TYPED_TEST(Floats, compute_with_zeros_and_infinities_as_doubles_do) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> numbers{-infinity, -2, -0.0, 0.0, 2, infinity, std::numeric_limits<double>::quiet_NaN()};
  const auto expect = [](const TypeParam& ours, double expected) {
    EXPECT_TRUE(std::isnan(expected) ? isnan(ours) : ours == expected && 1 / ours == 1 / expected)
        << ours << " and not " << expected;
  };
  for (const double a : numbers) {
    for (const double b : numbers) {
      SCOPED_TRACE(testing::Message() << "of " << a << " and " << b);
      const TypeParam x = a, y = b;
      expect(x + y, a + b);
      expect(x - y, a - b);
      expect(x * y, a * b);
      expect(x / y, a / b);
      TypeParam z = x;
      expect(z += y, a + b);
      expect((z = x) -= y, a - b);
      expect((z = x) *= y, a * b);
      expect((z = x) /= y, a / b);
    }
    TypeParam x = a;
    expect(x -= x, a - a);
  }
}

// A number has no pointer into itself, and MPFR's functions are never given the same limbs as an argument and for the result.
TYPED_TEST(Floats, may_be_both_operands_and_the_result) {
  static_assert(std::is_trivially_copyable_v<TypeParam> && std::is_trivially_destructible_v<TypeParam>);
  const TypeParam third = TypeParam(1) / 3;
  TypeParam x = third;
  const TypeParam& also = x;
  EXPECT_EQ(x += also, third + third);
  EXPECT_EQ(x *= also, (third + third) * (third + third));
  EXPECT_EQ(x /= also, 1);
  EXPECT_EQ(x -= also, 0);
  alignas(TypeParam) std::byte bytes[sizeof(TypeParam)];
  std::memcpy(bytes, &third, sizeof third);
  std::memcpy(&x, bytes, sizeof x);
  EXPECT_EQ(x, third);
}

TEST(Floats50, compute_the_same_in_several_threads) {
  const auto sum = [] {
    Float50 result = 0;
    for (int k = 1; k < 300; ++k) result += sin(Float50(k)) * exp(-Float50(k) / 50) + log(Float50(k)) / k;
    return result;
  };
  const Float50 expected = sum();
  std::vector<Float50> sums(4);
  std::vector<std::thread> threads;
  for (Float50& each : sums) threads.emplace_back([&] { each = sum(); });
  for (std::thread& thread : threads) thread.join();
  for (const Float50& each : sums) EXPECT_EQ(each, expected);
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
  EXPECT_THROW(static_cast<void>(static_cast<int>(std::numeric_limits<TypeParam>::quiet_NaN())), std::runtime_error);
  for (const double x : {0.1, -3e-310, 5e-324, -0.0, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(TypeParam(x).template convert_to<double>(), x);
    EXPECT_TRUE(to_boost(TypeParam(x)) == std::decay_t<decltype(to_boost(TypeParam()))>(x));
  }
  EXPECT_TRUE(std::isnan(TypeParam(std::nan("")).template convert_to<double>()));
}

TYPED_TEST(Floats, are_ordered_from_minus_infinity_to_infinity) {
  using Limits = std::numeric_limits<TypeParam>;
  const std::vector<TypeParam> rising = {-Limits::infinity(),
                                         Limits::lowest(),
                                         -2,
                                         -1 - Limits::epsilon(),
                                         -1,
                                         -0.5,
                                         -Limits::min(),
                                         0,
                                         Limits::min(),
                                         0.5,
                                         1,
                                         1 + Limits::epsilon(),
                                         2,
                                         3,
                                         Limits::max(),
                                         Limits::infinity()};
  for (std::size_t i = 0; i < rising.size(); ++i)
    for (std::size_t j = 0; j < rising.size(); ++j) {
      EXPECT_EQ(rising[i] < rising[j], i < j);
      EXPECT_EQ(rising[i] == rising[j], i == j);
      EXPECT_EQ(rising[i] > rising[j], i > j);
    }
  EXPECT_TRUE(TypeParam(0) == -TypeParam(0) && TypeParam(0) <= -TypeParam(0));
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

}  // namespace multiprecision_test
