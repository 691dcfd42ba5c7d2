// SPDX-License-Identifier: MIT
//
// Numbers modulo a random prime of 61 bits that know the rational function they are a value of: what an exact statement
// about a step map is decided with (diagnostics/certificate.hpp).
//
// A program that only adds, subtracts, multiplies and divides computes rational functions of its arguments with integer
// coefficients. Whether such a function vanishes identically is decided by evaluating it at random points modulo random
// primes (Schwartz 1980, Zippel 1979; with primes: Ibarra and Moran 1983): a value that is not zero disproves it,
// whatever the prime and the point; zeros everywhere prove it up to a probability that depends on how large the degree
// and the coefficients of the numerator may be. Both bounds are computed here beside the value by the very program that
// is examined:
//
//   value = P / (A_1^e_1 A_2^e_2 ...),   degree >= total degree of P,   height >= log2 of the sum of |coefficients| of
//   P
//
// where the denominators are products of the polynomials A_i that the program has divided by so far. For numerators P
// and R over denominators A and B with least common multiple C (by exponents),
//
//   product    deg P + deg R,                        height P + height R
//   sum        max(deg P + deg C/A, deg R + deg C/B), log2(2^(height P + height C/A) + 2^(height R + height C/B))
//   quotient   P B / (A R), common factors A_i cancelled, with a new A_i = R.
//
// A divisor met before is recognised by its value. That two different ones agree at a random point, or that an
// intermediate result on which the program branches vanishes there but not identically, makes the bounds wrong: the
// degrees and heights of the differences that were so compared are summed (comparisons()), so that this accident has a
// probability too.
//
// Rationals (multiprecision.hpp) say the same at one point, but the numerators of two steps have some thousand digits.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <livi/scalar/scalar.hpp>

namespace livi {

/// A division by zero: this point is not in the domain.
class SingularPoint : public std::runtime_error {
 public:
  SingularPoint() : std::runtime_error("division by zero modulo the prime") {}
};

/// The program does something that no rational function does: a root, an elementary function, a comparison.
class NotRational : public std::runtime_error {
 public:
  explicit NotRational(const std::string& what) : std::runtime_error(what + " is not a rational function") {}
};

namespace residue_detail {

__extension__ typedef unsigned __int128 Wide;

inline std::uint64_t multiply(std::uint64_t a, std::uint64_t b, std::uint64_t p) {
  return static_cast<std::uint64_t>(Wide(a) * b % p);
}
inline std::uint64_t power(std::uint64_t a, std::uint64_t e, std::uint64_t p) {
  std::uint64_t result = 1;
  for (; e > 0; e >>= 1, a = multiply(a, a, p))
    if (e & 1) result = multiply(result, a, p);
  return result;
}

/// Miller and Rabin's test with the first twelve primes as bases: no composite below 3.1e23 passes (Sorenson, Webster
/// 2017).
inline bool is_prime(std::uint64_t n) {
  constexpr std::uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (const std::uint64_t b : bases)
    if (n % b == 0) return n == b;
  if (n < 2) return false;
  std::uint64_t odd = n - 1;
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2) ++twos;
  for (const std::uint64_t b : bases) {
    std::uint64_t x = power(b, odd, n);
    bool composite = x != 1 && x != n - 1;
    for (int i = 1; composite && i < twos; ++i) {
      x = multiply(x, x, n);
      composite = x != n - 1;
    }
    if (composite) return false;
  }
  return true;
}

/// A polynomial that was divided by: its degree and height, and how to recognise it when it is divided by again.
struct Divisor {
  double degree, height;
  std::uint64_t residue;
};

/// Sums of degrees and heights of polynomials that must not vanish by accident.
struct Events {
  double degree = 0, height = 0;
  void add(double d, double h) {
    degree += std::max(d, 0.0);
    height += h;
  }
};

/// The prime in force, the divisors met and the comparisons made since it was chosen.
struct Field {
  std::uint64_t prime = (std::uint64_t(1) << 61) - 1;
  std::vector<Divisor> divisors = {};
  Events comparisons = {};
};
inline Field& field() {
  static thread_local Field instance;
  return instance;
}

}  // namespace residue_detail

class Residue {
 public:
  Residue() = default;
  template <std::integral I>
  Residue(I constant) {  // NOLINT(google-explicit-constructor): constants of formulas
    const auto wide = static_cast<long long>(constant);
    const std::uint64_t p = prime();
    const std::uint64_t size = (wide < 0 ? ~static_cast<std::uint64_t>(wide) + 1 : static_cast<std::uint64_t>(wide));
    value_ = size % p;
    if (wide < 0 && value_ != 0) value_ = p - value_;
    if (size != 0) degree_ = 0, height_ = std::log2(static_cast<double>(size));
  }
  /// The dyadic number that the double is: 0.5 is 1/2, but 0.1 is not 1/10.
  Residue(double constant) {  // NOLINT(google-explicit-constructor)
    if (!std::isfinite(constant)) throw NotRational("an infinite constant");
    int exponent = 0;
    auto mantissa = static_cast<long long>(std::ldexp(std::frexp(constant, &exponent), 53));
    exponent -= 53;
    for (; mantissa != 0 && mantissa % 2 == 0 && exponent < 0; mantissa /= 2) ++exponent;
    *this = Residue(mantissa);
    if (mantissa == 0) return;
    const Residue two(2);
    for (; exponent < 0; ++exponent) *this /= two;
    for (; exponent > 0; --exponent) *this *= two;
  }

  /// Chooses a prime between 2^60 and 2^61 at random and forgets every number that there was.
  template <class Generator>
  static void choose_prime(Generator& generator) {
    std::uniform_int_distribution<std::uint64_t> draw(std::uint64_t(1) << 60, (std::uint64_t(1) << 61) - 1);
    std::uint64_t p = 0;
    do {
      p = draw(generator) | 1;
    } while (!residue_detail::is_prime(p));
    residue_detail::field() = {p, {}, {}};
  }
  /// A variable of the rational functions with a random value.
  template <class Generator>
  static Residue variable(Generator& generator) {
    Residue x;
    x.value_ = std::uniform_int_distribution<std::uint64_t>(0, prime() - 1)(generator);
    x.degree_ = 1;
    x.height_ = 0;
    return x;
  }
  [[nodiscard]] static std::uint64_t prime() { return residue_detail::field().prime; }
  /// Sums over all divisors so far: whether a random point is singular is decided by the product of these polynomials.
  [[nodiscard]] static residue_detail::Events all_divisors() {
    residue_detail::Events sum;
    for (const auto& divisor : residue_detail::field().divisors) sum.add(divisor.degree, divisor.height);
    return sum;
  }
  /// Sums over all differences that were compared with zero.
  [[nodiscard]] static residue_detail::Events comparisons() { return residue_detail::field().comparisons; }
  /// A branch of the program depends on whether this is zero.
  [[nodiscard]] bool compare_with_zero() const {
    residue_detail::field().comparisons.add(degree_, height_);
    return value_ == 0;
  }

  [[nodiscard]] std::uint64_t value() const { return value_; }
  [[nodiscard]] bool is_zero() const { return value_ == 0; }
  /// Bound of the total degree of the numerator; minus infinity for a number that is zero by construction.
  [[nodiscard]] double degree() const { return degree_; }
  /// Bound of log2 of the sum of the numerator's absolute coefficients.
  [[nodiscard]] double height() const { return height_; }

  Residue& operator+=(const Residue& b) {
    const std::uint64_t p = prime(), sum = value_ + b.value_;
    value_ = sum >= p ? sum - p : sum;
    bound_sum(b);
    return *this;
  }
  Residue& operator-=(const Residue& b) {
    const std::uint64_t p = prime();
    value_ = value_ >= b.value_ ? value_ - b.value_ : value_ + p - b.value_;
    bound_sum(b);
    return *this;
  }
  Residue& operator*=(const Residue& b) {
    value_ = residue_detail::multiply(value_, b.value_, prime());
    if (zero_by_construction() || b.zero_by_construction()) return *this = Residue(0);
    degree_ += b.degree_;
    height_ += b.height_;
    if (exponents_.size() < b.exponents_.size()) exponents_.resize(b.exponents_.size(), 0);
    for (std::size_t i = 0; i < b.exponents_.size(); ++i) {
      exponents_[i] += b.exponents_[i];
      if (exponents_[i] < largest_exponent) continue;
      exponents_[i] = largest_exponent;  // beyond any bound that is of use
      degree_ = std::numeric_limits<double>::infinity();
    }
    return *this;
  }
  Residue& operator/=(const Residue& b) {
    if (b.value_ == 0) throw SingularPoint();
    const Residue divisor = b;  // may be *this
    const std::uint64_t p = prime();
    value_ = residue_detail::multiply(value_, residue_detail::power(divisor.value_, p - 2, p), p);
    if (zero_by_construction()) return *this;
    auto& table = residue_detail::field().divisors;
    for (std::size_t i = 0; i < divisor.exponents_.size(); ++i) {  // times the denominator of the divisor
      const std::uint32_t excess = divisor.exponents_[i];
      const std::uint32_t cancelled = std::min(excess, i < exponents_.size() ? exponents_[i] : 0);
      if (cancelled > 0) exponents_[i] -= cancelled;
      degree_ += (excess - cancelled) * table[i].degree;
      height_ += (excess - cancelled) * table[i].height;
    }
    if (divisor.degree_ == 0 && divisor.height_ == 0) return *this;  // the numerator is 1 or -1
    // The numerator of the divisor, recognised up to sign when it was divided by before.
    std::uint64_t numerator = divisor.value_;
    for (std::size_t i = 0; i < divisor.exponents_.size(); ++i)
      numerator =
          residue_detail::multiply(numerator, residue_detail::power(table[i].residue, divisor.exponents_[i], p), p);
    numerator = std::min(numerator, p - numerator);
    std::size_t index = 0;
    for (; index < table.size(); ++index) {
      residue_detail::field().comparisons.add(std::max(table[index].degree, divisor.degree_),
                                              std::max(table[index].height, divisor.height_) + 1);
      if (table[index].residue == numerator) break;
    }
    if (index == table.size()) {
      table.push_back({divisor.degree_, divisor.height_, numerator});
    } else {
      table[index].degree = std::max(table[index].degree, divisor.degree_);
      table[index].height = std::max(table[index].height, divisor.height_);
    }
    if (exponents_.size() <= index) exponents_.resize(index + 1, 0);
    ++exponents_[index];
    return *this;
  }
  friend Residue operator+(Residue a, const Residue& b) { return a += b; }
  friend Residue operator-(Residue a, const Residue& b) { return a -= b; }
  friend Residue operator*(Residue a, const Residue& b) { return a *= b; }
  friend Residue operator/(Residue a, const Residue& b) { return a /= b; }
  friend Residue operator-(Residue a) {
    if (a.value_ != 0) a.value_ = prime() - a.value_;
    return a;
  }

  friend bool operator==(const Residue& a, const Residue& b) { return a.value_ == b.value_; }
  friend bool operator!=(const Residue& a, const Residue& b) { return a.value_ != b.value_; }
  // A program may contain these; only when it comes to them is it not rational.
  friend bool operator<(const Residue&, const Residue&) { throw NotRational("an order"); }
  friend bool operator>(const Residue&, const Residue&) { throw NotRational("an order"); }
  friend bool operator<=(const Residue&, const Residue&) { throw NotRational("an order"); }
  friend bool operator>=(const Residue&, const Residue&) { throw NotRational("an order"); }
  friend Residue abs(const Residue&) { throw NotRational("abs"); }
  friend Residue sqrt(const Residue&) { throw NotRational("sqrt"); }
  friend Residue sin(const Residue&) { throw NotRational("sin"); }
  friend Residue cos(const Residue&) { throw NotRational("cos"); }
  friend Residue exp(const Residue&) { throw NotRational("exp"); }
  friend Residue log(const Residue&) { throw NotRational("log"); }

 private:
  static constexpr std::uint32_t largest_exponent = 1u << 30;
  [[nodiscard]] bool zero_by_construction() const { return degree_ < 0; }

  void bound_sum(const Residue& b) {
    if (b.zero_by_construction()) return;
    if (zero_by_construction()) {
      degree_ = b.degree_, height_ = b.height_, exponents_ = b.exponents_;
      return;
    }
    const auto& table = residue_detail::field().divisors;
    double degree = b.degree_, height = b.height_;
    if (exponents_.size() < b.exponents_.size()) exponents_.resize(b.exponents_.size(), 0);
    for (std::size_t i = 0; i < exponents_.size(); ++i) {
      const std::uint32_t other = i < b.exponents_.size() ? b.exponents_[i] : 0;
      const std::uint32_t common = std::max(exponents_[i], other);
      degree_ += (common - exponents_[i]) * table[i].degree;
      height_ += (common - exponents_[i]) * table[i].height;
      degree += (common - other) * table[i].degree;
      height += (common - other) * table[i].height;
      exponents_[i] = common;
    }
    degree_ = std::max(degree_, degree);
    const double larger_height = std::max(height_, height);
    height_ = larger_height + std::log2(1 + std::exp2(-std::abs(height_ - height)));
  }

  std::uint64_t value_ = 0;
  double degree_ = -std::numeric_limits<double>::infinity();
  double height_ = 0;
  std::vector<std::uint32_t> exponents_ = {};
};

/// Sizes are 0 or 1: a pivot is good when it is not zero. An iteration that stops when something is small never does.
template <>
struct ScalarTraits<Residue> {
  using real = double;
  static constexpr bool exact = true;
  static real epsilon() { return 0; }
  static real magnitude(const Residue& x) { return x.compare_with_zero() ? 0 : 1; }
  static real leading(const Residue& x) { return x.compare_with_zero() ? 0 : 1; }
  static double to_double(const Residue&) { return std::numeric_limits<double>::quiet_NaN(); }
  static bool is_finite(const Residue&) { return true; }
};

}  // namespace livi

template <>
struct Eigen::NumTraits<livi::Residue> : Eigen::GenericNumTraits<livi::Residue> {
  using Real = livi::Residue;
  using NonInteger = livi::Residue;
  using Nested = livi::Residue;
  using Literal = livi::Residue;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 4,
    AddCost = 8,
    MulCost = 16
  };
};
