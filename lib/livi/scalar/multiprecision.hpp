// SPDX-License-Identifier: MIT
//
// 50- and 100-digit floating point, whole numbers and rationals of any length: classes whose arithmetic is compiled once
// (multiprecision.cpp). Floating point is MPFR's but for sums and products, the others are Boost.Multiprecision's. No
// header of either is parsed.
// A sum or a product of 50 digits takes some 11 ns, a quarter of what Boost's floating point takes. Boost's templates,
// expanded wherever they meet, took most of the compile time of a step map for five number types.
// boost_multiprecision.hpp converts from and to Boost's numbers.
#pragma once

#include <Eigen/Core>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ios>
#include <iosfwd>
#include <limits>
#include <string>
#include <utility>

#include <livi/scalar/scalar.hpp>

namespace livi {

class Integer;
class Rational;
template <unsigned Digits>
class FloatOfDigits;

namespace detail {
template <class T>
concept BuiltInNumber = std::integral<T> || std::floating_point<T>;
/// The number of bits of a number with this many decimal digits: one more than the digits need, as Boost has it.
constexpr int bits_of_float(unsigned digits) { return static_cast<int>(digits * 1000 / 301) + 2; }
}  // namespace detail

/// A binary floating-point number with at least `Digits` decimal digits, infinities and NaN; every operation and
/// function is rounded to nearest. Compiled for 50, 60 and 100 digits. Needs the range of exponents that MPFR begins with.
template <unsigned Digits>
class FloatOfDigits {
 public:
  FloatOfDigits() : limbs_{}, exponent_(0), kind_(zero) {}
  template <detail::BuiltInNumber T>
  FloatOfDigits(T x) {  // NOLINT(google-explicit-constructor): constants of formulas
    if constexpr (std::same_as<T, long double>) {
      set(x);
    } else if constexpr (std::floating_point<T>) {
      set(static_cast<double>(x));
    } else if constexpr (std::signed_integral<T>) {
      set(static_cast<long long>(x));
    } else {
      set(static_cast<unsigned long long>(x));
    }
  }
  /// A decimal number, or "inf", "nan". Throws std::runtime_error for other texts.
  explicit FloatOfDigits(const char* text);
  explicit FloatOfDigits(const std::string& text) : FloatOfDigits(text.c_str()) {}
  /// Rounded to nearest.
  explicit FloatOfDigits(const Integer& x);
  explicit FloatOfDigits(const Rational& x);
  template <unsigned Fewer>
  FloatOfDigits(const FloatOfDigits<Fewer>& x)  // NOLINT(google-explicit-constructor): exact
      requires(Fewer < Digits) {
    set(x);
  }
  template <unsigned More>
  explicit FloatOfDigits(const FloatOfDigits<More>& x) requires(More > Digits) {
    set(x);
  }

  /// Returns this number rounded to a floating-point type (float by way of double), truncated to an integral one, or,
  /// as bool, whether it is not zero. NaN is no whole number: throws std::runtime_error.
  template <detail::BuiltInNumber T>
  [[nodiscard]] T convert_to() const {
    if constexpr (std::same_as<T, bool>) {
      return !equal(*this, FloatOfDigits());
    } else if constexpr (std::same_as<T, long double>) {
      return to_long_double();
    } else if constexpr (std::floating_point<T>) {
      return static_cast<T>(to_double());
    } else if constexpr (std::signed_integral<T>) {
      return static_cast<T>(to_long_long());
    } else {
      return static_cast<T>(to_unsigned_long_long());
    }
  }
  template <detail::BuiltInNumber T>
  explicit operator T() const {
    return convert_to<T>();
  }
  /// Decimal, with this many significant digits; 0 for as many as read back the same number.
  [[nodiscard]] std::string str(std::streamsize digits = 0, std::ios_base::fmtflags flags = {}) const;

  FloatOfDigits& operator+=(const FloatOfDigits& b);
  FloatOfDigits& operator-=(const FloatOfDigits& b);
  FloatOfDigits& operator*=(const FloatOfDigits& b);
  FloatOfDigits& operator/=(const FloatOfDigits& b);
  friend FloatOfDigits operator+(const FloatOfDigits& a, const FloatOfDigits& b) { return sum(a, b); }
  friend FloatOfDigits operator-(const FloatOfDigits& a, const FloatOfDigits& b) { return difference(a, b); }
  friend FloatOfDigits operator*(const FloatOfDigits& a, const FloatOfDigits& b) { return product(a, b); }
  friend FloatOfDigits operator/(const FloatOfDigits& a, const FloatOfDigits& b) { return quotient(a, b); }
  friend FloatOfDigits operator-(const FloatOfDigits& a) { return a.negative(); }
  friend FloatOfDigits operator+(const FloatOfDigits& a) { return a; }
  friend bool operator==(const FloatOfDigits& a, const FloatOfDigits& b) { return equal(a, b); }
  friend std::partial_ordering operator<=>(const FloatOfDigits& a, const FloatOfDigits& b) { return compare(a, b); }

  friend FloatOfDigits abs(const FloatOfDigits& x) { return x.absolute(); }
  friend FloatOfDigits fabs(const FloatOfDigits& x) { return x.absolute(); }
  friend FloatOfDigits sqrt(const FloatOfDigits& x) { return x.of(Function::sqrt); }
  friend FloatOfDigits exp(const FloatOfDigits& x) { return x.of(Function::exp); }
  friend FloatOfDigits expm1(const FloatOfDigits& x) { return x.of(Function::expm1); }
  friend FloatOfDigits log1p(const FloatOfDigits& x) { return x.of(Function::log1p); }
  friend FloatOfDigits log(const FloatOfDigits& x) { return x.of(Function::log); }
  friend FloatOfDigits log10(const FloatOfDigits& x) { return x.of(Function::log10); }
  friend FloatOfDigits sin(const FloatOfDigits& x) { return x.of(Function::sin); }
  friend FloatOfDigits cos(const FloatOfDigits& x) { return x.of(Function::cos); }
  friend FloatOfDigits tan(const FloatOfDigits& x) { return x.of(Function::tan); }
  friend FloatOfDigits asin(const FloatOfDigits& x) { return x.of(Function::asin); }
  friend FloatOfDigits acos(const FloatOfDigits& x) { return x.of(Function::acos); }
  friend FloatOfDigits atan(const FloatOfDigits& x) { return x.of(Function::atan); }
  friend FloatOfDigits sinh(const FloatOfDigits& x) { return x.of(Function::sinh); }
  friend FloatOfDigits cosh(const FloatOfDigits& x) { return x.of(Function::cosh); }
  friend FloatOfDigits tanh(const FloatOfDigits& x) { return x.of(Function::tanh); }
  friend FloatOfDigits floor(const FloatOfDigits& x) { return x.of(Function::floor); }
  friend FloatOfDigits ceil(const FloatOfDigits& x) { return x.of(Function::ceil); }
  friend FloatOfDigits round(const FloatOfDigits& x) { return x.of(Function::round); }
  friend FloatOfDigits trunc(const FloatOfDigits& x) { return x.of(Function::trunc); }
  friend FloatOfDigits atan2(const FloatOfDigits& y, const FloatOfDigits& x) { return angle(y, x); }
  friend FloatOfDigits pow(const FloatOfDigits& x, const FloatOfDigits& y) { return power(x, y); }
  friend FloatOfDigits pow(const FloatOfDigits& x, int n) { return power(x, n); }
  friend FloatOfDigits ldexp(const FloatOfDigits& x, int exponent) { return scaled(x, exponent); }
  /// x = fraction 2^exponent, 1/2 <= |fraction| < 1.
  friend FloatOfDigits frexp(const FloatOfDigits& x, int* exponent) { return x.fraction(exponent); }
  friend bool isfinite(const FloatOfDigits& x) { return x.is_finite(); }
  friend bool isnan(const FloatOfDigits& x) { return x.is_nan(); }
  friend bool isinf(const FloatOfDigits& x) { return !x.is_finite() && !x.is_nan(); }
  friend std::ostream& operator<<(std::ostream& out, const FloatOfDigits& x) { return x.write(out); }
  friend std::istream& operator>>(std::istream& in, FloatOfDigits& x) { return x.read(in); }

 private:
  friend struct FloatAccess;
  template <unsigned>
  friend class FloatOfDigits;
  friend class std::numeric_limits<FloatOfDigits>;
  enum class Function {
    sqrt,
    exp,
    expm1,
    log1p,
    log,
    log10,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    floor,
    ceil,
    round,
    trunc
  };
  enum class Limit { epsilon, smallest, largest, infinity, nan };

  void set(double x);
  void set(long double x);
  void set(long long x);
  void set(unsigned long long x);
  template <unsigned Other>
  void set(const FloatOfDigits<Other>& x);
  [[nodiscard]] double to_double() const;
  [[nodiscard]] long double to_long_double() const;
  [[nodiscard]] long long to_long_long() const;
  [[nodiscard]] unsigned long long to_unsigned_long_long() const;
  static FloatOfDigits sum(const FloatOfDigits& a, const FloatOfDigits& b);
  static FloatOfDigits difference(const FloatOfDigits& a, const FloatOfDigits& b);
  static FloatOfDigits product(const FloatOfDigits& a, const FloatOfDigits& b);
  static FloatOfDigits quotient(const FloatOfDigits& a, const FloatOfDigits& b);
  static FloatOfDigits angle(const FloatOfDigits& y, const FloatOfDigits& x);
  static FloatOfDigits power(const FloatOfDigits& x, const FloatOfDigits& y);
  static FloatOfDigits power(const FloatOfDigits& x, int n);
  static FloatOfDigits scaled(const FloatOfDigits& x, int exponent);
  static bool equal(const FloatOfDigits& a, const FloatOfDigits& b);
  static std::partial_ordering compare(const FloatOfDigits& a, const FloatOfDigits& b);
  [[nodiscard]] FloatOfDigits negative() const {
    FloatOfDigits result = *this;
    result.kind_ = -kind_;
    return result;
  }
  [[nodiscard]] FloatOfDigits absolute() const { return kind_ < 0 ? negative() : *this; }
  [[nodiscard]] FloatOfDigits of(Function function) const;
  [[nodiscard]] FloatOfDigits fraction(int* exponent) const;
  [[nodiscard]] bool is_finite() const { return kind_ >= zero || kind_ <= -zero; }
  [[nodiscard]] bool is_nan() const { return kind_ == nan; }
  std::ostream& write(std::ostream& out) const;
  std::istream& read(std::istream& in);
  static FloatOfDigits limit(Limit which);
  /// The number as an argument of MPFR's functions.
  class Argument;
  /// Returns what an operation writes to the number of MPFR that it is given.
  template <class Operation>
  static FloatOfDigits computed(const Operation& operation);

  /// MPFR's kinds of numbers, whose values these are.
  static constexpr std::int32_t nan = 0, infinite = 1, zero = 2, regular = 3;
  static constexpr int bits = detail::bits_of_float(Digits), limbs = (bits + 63) / 64;
  static constexpr std::int32_t largest_exponent = (1 << 30) - 1;  // MPFR's default

  /// A significand of MPFR, in the number itself: a copy of its bytes is a copy of the number. A regular number is
  /// f 2^exponent_ with 1/2 <= f < 1; the limbs, words of 64 bits, have the bits of f, the lowest first, then zeros.
  std::uint64_t limbs_[limbs];
  std::int32_t exponent_;
  std::int32_t kind_;  ///< a kind, or minus it for a negative number
};

using Float50 = FloatOfDigits<50>;
using Float100 = FloatOfDigits<100>;

/// A whole number of any length.
class Integer {
 public:
  Integer();  ///< zero
  template <std::integral T>
  Integer(T x) : Integer() {  // NOLINT(google-explicit-constructor): constants of formulas
    if constexpr (std::signed_integral<T>) {
      set(static_cast<long long>(x));
    } else {
      set(static_cast<unsigned long long>(x));
    }
  }
  explicit Integer(const char* decimal);
  explicit Integer(const std::string& decimal) : Integer(decimal.c_str()) {}
  /// Truncated.
  explicit Integer(const Float50& x);
  explicit Integer(const Float100& x);
  Integer(const Integer& x);
  Integer(Integer&& x) noexcept;
  Integer& operator=(const Integer& x);
  Integer& operator=(Integer&& x) noexcept;
  ~Integer();

  /// Returns this number rounded to a floating-point type (by way of double), the nearest value of an integral one, or,
  /// as bool, whether it is not zero.
  template <detail::BuiltInNumber T>
  [[nodiscard]] T convert_to() const {
    if constexpr (std::same_as<T, bool>) {
      return compare(*this, Integer()) != 0;
    } else if constexpr (std::floating_point<T>) {
      return static_cast<T>(to_double());
    } else if constexpr (std::signed_integral<T>) {
      return static_cast<T>(to_long_long());
    } else {
      return static_cast<T>(to_unsigned_long_long());
    }
  }
  template <detail::BuiltInNumber T>
  explicit operator T() const {
    return convert_to<T>();
  }
  [[nodiscard]] std::string str() const;

  Integer& operator+=(const Integer& b);
  Integer& operator-=(const Integer& b);
  Integer& operator*=(const Integer& b);
  Integer& operator/=(const Integer& b);  ///< truncates; throws std::overflow_error for b = 0
  Integer& operator%=(const Integer& b);  ///< has the sign of the dividend; throws std::overflow_error for b = 0
  friend Integer operator+(Integer a, const Integer& b) { return std::move(a += b); }
  friend Integer operator-(Integer a, const Integer& b) { return std::move(a -= b); }
  friend Integer operator*(Integer a, const Integer& b) { return std::move(a *= b); }
  friend Integer operator/(Integer a, const Integer& b) { return std::move(a /= b); }
  friend Integer operator%(Integer a, const Integer& b) { return std::move(a %= b); }
  friend Integer operator-(Integer a) { return a.negated(); }
  friend bool operator==(const Integer& a, const Integer& b) { return compare(a, b) == 0; }
  friend std::strong_ordering operator<=>(const Integer& a, const Integer& b) { return compare(a, b) <=> 0; }
  friend Integer abs(const Integer& x) { return compare(x, Integer()) < 0 ? -x : x; }
  friend Integer gcd(const Integer& a, const Integer& b) { return greatest_common_divisor(a, b); }
  friend Integer lcm(const Integer& a, const Integer& b) { return least_common_multiple(a, b); }
  /// The largest whole number whose square is at most x >= 0.
  friend Integer sqrt(const Integer& x) { return square_root(x); }
  friend Integer pow(const Integer& x, unsigned n) { return power(x, n); }
  /// The index of the highest bit of x > 0. Throws std::range_error otherwise.
  friend std::size_t msb(const Integer& x) { return x.highest_bit(); }
  friend std::ostream& operator<<(std::ostream& out, const Integer& x) { return x.write(out); }

 private:
  friend struct IntegerAccess;
  void set(long long x);
  void set(unsigned long long x);
  [[nodiscard]] double to_double() const;
  [[nodiscard]] long long to_long_long() const;
  [[nodiscard]] unsigned long long to_unsigned_long_long() const;
  [[nodiscard]] Integer negated() const;
  static int compare(const Integer& a, const Integer& b);
  static Integer greatest_common_divisor(const Integer& a, const Integer& b);
  static Integer least_common_multiple(const Integer& a, const Integer& b);
  static Integer square_root(const Integer& x);
  static Integer power(const Integer& x, unsigned n);
  [[nodiscard]] std::size_t highest_bit() const;
  std::ostream& write(std::ostream& out) const;

  alignas(16) std::byte number_[32];  ///< Boost's number
};

/// A fraction of whole numbers in lowest terms with a positive denominator.
class Rational {
 public:
  Rational();  ///< zero
  template <std::integral T>
  Rational(T x) : Rational() {  // NOLINT(google-explicit-constructor): constants of formulas
    if constexpr (std::signed_integral<T>) {
      set(static_cast<long long>(x));
    } else {
      set(static_cast<unsigned long long>(x));
    }
  }
  /// The dyadic number that the argument is. Throws std::runtime_error where it is not finite.
  Rational(double x);          // NOLINT(google-explicit-constructor): constants of formulas
  Rational(long double x);     // NOLINT(google-explicit-constructor): constants of formulas
  Rational(const Integer& x);  // NOLINT(google-explicit-constructor): exact
  /// The denominator may have either sign. Throws std::domain_error where it is zero.
  Rational(const Integer& numerator, const Integer& denominator);
  /// "p" or "p/q".
  explicit Rational(const char* fraction);
  explicit Rational(const std::string& fraction) : Rational(fraction.c_str()) {}
  Rational(const Rational& x);
  Rational(Rational&& x) noexcept;
  Rational& operator=(const Rational& x);
  Rational& operator=(Rational&& x) noexcept;
  ~Rational();

  /// Returns this number rounded to a floating-point type (by way of double), truncated to an integral one, or, as bool,
  /// whether it is not zero.
  template <detail::BuiltInNumber T>
  [[nodiscard]] T convert_to() const {
    if constexpr (std::same_as<T, bool>) {
      return !equal(*this, Rational());
    } else if constexpr (std::floating_point<T>) {
      return static_cast<T>(to_double());
    } else if constexpr (std::signed_integral<T>) {
      return static_cast<T>(to_long_long());
    } else {
      return static_cast<T>(to_unsigned_long_long());
    }
  }
  template <detail::BuiltInNumber T>
  explicit operator T() const {
    return convert_to<T>();
  }
  [[nodiscard]] std::string str() const;

  Rational& operator+=(const Rational& b);
  Rational& operator-=(const Rational& b);
  Rational& operator*=(const Rational& b);
  Rational& operator/=(const Rational& b);  ///< throws std::overflow_error for b = 0
  friend Rational operator+(Rational a, const Rational& b) { return std::move(a += b); }
  friend Rational operator-(Rational a, const Rational& b) { return std::move(a -= b); }
  friend Rational operator*(Rational a, const Rational& b) { return std::move(a *= b); }
  friend Rational operator/(Rational a, const Rational& b) { return std::move(a /= b); }
  friend Rational operator-(const Rational& a) { return a.negated(); }
  friend bool operator==(const Rational& a, const Rational& b) { return equal(a, b); }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) { return compare(a, b) <=> 0; }
  friend Rational abs(const Rational& x) { return compare(x, Rational()) < 0 ? -x : x; }
  friend Integer numerator(const Rational& x) { return x.numerator_of(); }
  friend Integer denominator(const Rational& x) { return x.denominator_of(); }
  friend std::ostream& operator<<(std::ostream& out, const Rational& x) { return x.write(out); }
  friend std::istream& operator>>(std::istream& in, Rational& x) { return x.read(in); }

 private:
  friend struct RationalAccess;
  void set(long long x);
  void set(unsigned long long x);
  [[nodiscard]] double to_double() const;
  [[nodiscard]] long long to_long_long() const;
  [[nodiscard]] unsigned long long to_unsigned_long_long() const;
  [[nodiscard]] Rational negated() const;
  static bool equal(const Rational& a, const Rational& b);
  static int compare(const Rational& a, const Rational& b);
  [[nodiscard]] Integer numerator_of() const;
  [[nodiscard]] Integer denominator_of() const;
  std::ostream& write(std::ostream& out) const;
  std::istream& read(std::istream& in);

  alignas(16) std::byte number_[64];  ///< Boost's number
};

template <unsigned Digits>
struct ScalarTraits<FloatOfDigits<Digits>> {
  using real = FloatOfDigits<Digits>;
  static constexpr bool exact = false;
  static real epsilon() { return std::numeric_limits<real>::epsilon(); }
  static real magnitude(const real& x) { return abs(x); }
  static const real& leading(const real& x) { return x; }
  static double to_double(const real& x) { return x.template convert_to<double>(); }
  static bool is_finite(const real& x) { return isfinite(x); }
};

template <>
struct ScalarTraits<Rational> {
  using real = Rational;
  static constexpr bool exact = true;
  static real epsilon() { return 0; }
  static real magnitude(const Rational& x) { return abs(x); }
  static const real& leading(const Rational& x) { return x; }
  static double to_double(const Rational& x) { return x.convert_to<double>(); }
  static bool is_finite(const Rational&) { return true; }
};

}  // namespace livi

template <unsigned Digits>
class std::numeric_limits<livi::FloatOfDigits<Digits>> {
  using Number = livi::FloatOfDigits<Digits>;

 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = false;
  static constexpr bool is_iec559 = false, is_bounded = true, is_modulo = false, traps = false;
  static constexpr int radix = 2, digits = Number::bits, digits10 = Digits, max_digits10 = Digits + 3;
  static constexpr int max_exponent = Number::largest_exponent, min_exponent = -max_exponent;
  static constexpr int max_exponent10 = static_cast<int>(max_exponent * 0.3010299956639812),
                       min_exponent10 = -max_exponent10;
  static constexpr std::float_denorm_style has_denorm = std::denorm_absent;
  static constexpr bool has_denorm_loss = false, tinyness_before = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;
  static Number epsilon() { return Number::limit(Number::Limit::epsilon); }
  static Number round_error() { return 0.5; }
  static Number denorm_min() { return min(); }
  static Number min() { return Number::limit(Number::Limit::smallest); }
  static Number max() { return Number::limit(Number::Limit::largest); }
  static Number lowest() { return -max(); }
  static Number infinity() { return Number::limit(Number::Limit::infinity); }
  static Number quiet_NaN() { return Number::limit(Number::Limit::nan); }
};

template <class Number>
struct LiviMultiprecisionNumTraits {
  using Real = Number;
  using NonInteger = Number;
  using Literal = double;
  using Nested = Number;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 4,
    MulCost = 8
  };
};
template <unsigned Digits>
struct Eigen::NumTraits<livi::FloatOfDigits<Digits>> : LiviMultiprecisionNumTraits<livi::FloatOfDigits<Digits>> {
  using Number = livi::FloatOfDigits<Digits>;
  static Number epsilon() { return std::numeric_limits<Number>::epsilon(); }
  static Number dummy_precision() { return 1000 * epsilon(); }
  static Number highest() { return std::numeric_limits<Number>::max(); }
  static Number lowest() { return std::numeric_limits<Number>::lowest(); }
  static int digits10() { return static_cast<int>(Digits); }
};
// Matrices of these numbers and built-in factors: v / 2.0.
template <unsigned Digits, livi::detail::BuiltInNumber T, class Operation>
struct Eigen::ScalarBinaryOpTraits<livi::FloatOfDigits<Digits>, T, Operation> {
  using ReturnType = livi::FloatOfDigits<Digits>;
};
template <unsigned Digits, livi::detail::BuiltInNumber T, class Operation>
struct Eigen::ScalarBinaryOpTraits<T, livi::FloatOfDigits<Digits>, Operation> {
  using ReturnType = livi::FloatOfDigits<Digits>;
};
template <livi::detail::BuiltInNumber T, class Operation>
struct Eigen::ScalarBinaryOpTraits<livi::Rational, T, Operation> {
  using ReturnType = livi::Rational;
};
template <livi::detail::BuiltInNumber T, class Operation>
struct Eigen::ScalarBinaryOpTraits<T, livi::Rational, Operation> {
  using ReturnType = livi::Rational;
};
template <>
struct Eigen::NumTraits<livi::Rational> : LiviMultiprecisionNumTraits<livi::Rational> {
  static livi::Rational epsilon() { return 0; }
  static livi::Rational dummy_precision() { return 0; }
  static int digits10() { return 0; }
};
