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
// A divisor met before is recognised by its value, up to sign. That two different ones agree there at a random point,
// or that an intermediate result on which the program branches vanishes there but not identically, makes the bounds
// wrong: the degrees and heights of all that was compared with zero, by == as well, and of the sum and the difference
// of every pair of divisors are summed (comparisons()), so that this accident has a probability too.
//
// A residue belongs to the prime that was in force when it was made. Used with a later one it throws
// MadeBeforeThePrime, unless it is a constant, made of integers and doubles alone: that is known as a rational number
// as long as numerator and denominator have at most 63 bits (scalar/small_rational.hpp), and follows to any prime, so
// that constants may be kept in static variables. Residues compare with zero and with each other for equality only
// (scalar/zero_or_not.hpp).
//
// Rationals (multiprecision.hpp) say the same at one point, but the numerators of two steps have some thousand digits.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <livi/scalar/small_rational.hpp>
#include <livi/scalar/straight_line_program.hpp>
#include <livi/scalar/zero_or_not.hpp>

namespace livi {

/// A division by zero: this point is not in the domain.
class SingularPoint : public std::runtime_error {
 public:
  SingularPoint() : std::runtime_error("division by zero modulo the prime") {}
};

/// A residue of another prime: its value says nothing.
class MadeBeforeThePrime : public NotRational {
 public:
  MadeBeforeThePrime()
      : NotRational(
            Sentence{"a number that was made before the prime was chosen, and kept in a static variable or an object, "
                     "has no value modulo it"}) {}
};

namespace residue_detail {

__extension__ typedef unsigned __int128 Wide;

/// Arithmetic modulo a number below 2^63. The remainder of a product takes two multiplications by a reciprocal that is
/// computed once (Barrett 1986, in the form of Moeller and Granlund 2011, algorithm 4) instead of a division.
class Modulus {
 public:
  explicit Modulus(std::uint64_t modulus)
      : modulus_(modulus),
        shift_(std::countl_zero(modulus)),
        shifted_(modulus << shift_),
        reciprocal_(static_cast<std::uint64_t>(~Wide(0) / shifted_ - (Wide(1) << 64))) {}

  [[nodiscard]] std::uint64_t value() const { return modulus_; }
  /// x below 2^64 times the modulus, as the product of any two residues and the sum of an add_product() are.
  [[nodiscard]] std::uint64_t remainder(Wide x) const {
    // The modulus is shifted so that its highest bit is set, and x with it: the remainder is shifted, too. `quotient` is
    // one too large or right, but for rare cases in which it is one too small.
    x <<= shift_;
    const auto low = static_cast<std::uint64_t>(x);
    const Wide estimate = Wide(reciprocal_) * static_cast<std::uint64_t>(x >> 64) + x;
    const std::uint64_t quotient = static_cast<std::uint64_t>(estimate >> 64) + 1;
    std::uint64_t rest = low - quotient * shifted_;
    if (rest > static_cast<std::uint64_t>(estimate)) rest += shifted_;
    if (rest >= shifted_) rest -= shifted_;
    return rest >> shift_;
  }
  [[nodiscard]] std::uint64_t multiply(std::uint64_t a, std::uint64_t b) const { return remainder(Wide(a) * b); }
  /// sum + a b or a number congruent to it, of which remainder() can be taken: any number of products may be added
  /// before one reduction. `sum` is 0, a residue, or came from here.
  [[nodiscard]] Wide add_product(Wide sum, std::uint64_t a, std::uint64_t b) const {
    sum += Wide(a) * b;
    const Wide limit = Wide(modulus_) << 64;
    return sum >= limit ? sum - limit : sum;
  }
  [[nodiscard]] std::uint64_t negative(std::uint64_t a) const { return a == 0 ? 0 : modulus_ - a; }
  [[nodiscard]] std::uint64_t power(std::uint64_t a, std::uint64_t e) const {
    std::uint64_t result = 1;
    for (; e > 0; e >>= 1, a = multiply(a, a))
      if (e & 1) result = multiply(result, a);
    return result;
  }
  /// Returns the inverse of a number without common factors with the modulus, by Euclid's algorithm.
  [[nodiscard]] std::uint64_t inverse(std::uint64_t a) const {
    // Modulo the modulus, of_larger a is larger or its negative, and of_smaller a is smaller or its negative: one of
    // the two is the negative, and which one changes with each division.
    std::uint64_t larger = modulus_, smaller = a, of_larger = 0, of_smaller = 1;
    bool larger_is_negative = true;
    while (smaller != 0) {
      const std::uint64_t quotient = larger / smaller;
      larger -= quotient * smaller;
      of_larger += quotient * of_smaller;
      std::swap(larger, smaller);
      std::swap(of_larger, of_smaller);
      larger_is_negative = !larger_is_negative;
    }
    return larger_is_negative ? negative(of_larger) : of_larger;
  }

 private:
  std::uint64_t modulus_;
  int shift_;  ///< bits above the highest one of the modulus
  std::uint64_t shifted_, reciprocal_;
};
inline std::uint64_t multiply(std::uint64_t a, std::uint64_t b, std::uint64_t p) {
  return static_cast<std::uint64_t>(Wide(a) * b % p);
}
inline std::uint64_t power(std::uint64_t a, std::uint64_t e, std::uint64_t p) { return Modulus(p).power(a, e); }

/// Miller and Rabin's test with the first twelve primes as bases: no composite below 3.1e23 passes (Sorenson, Webster
/// 2017).
bool is_prime(std::uint64_t n);

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

/// Numbers of choices of a prime, in all threads: none is 0.
std::uint32_t next_epoch();

/// The prime in force, the divisors met and the comparisons with zero made since it was chosen, and where what is
/// computed is being recorded.
struct Field {
  Modulus modulus = Modulus((std::uint64_t(1) << 61) - 1);
  std::vector<Divisor> divisors = {};
  Events comparisons = {};
  std::uint32_t epoch = next_epoch();
  StraightLineProgram* recorder = nullptr;
  std::uint64_t inverted = 1, inverse_of_inverted = 1;

  /// The last one is kept: series and dual numbers divide all of their coefficients by the same number.
  std::uint64_t inverse(std::uint64_t x) {
    if (x != inverted) {
      inverse_of_inverted = modulus.inverse(x);
      inverted = x;
    }
    return inverse_of_inverted;
  }
};
Field& field();

}  // namespace residue_detail

class Residue {
 public:
  Residue() = default;
  Residue(const Residue& x);
  Residue(Residue&& x) noexcept = default;
  Residue& operator=(const Residue& x);
  Residue& operator=(Residue&& x) noexcept = default;
  ~Residue();
  template <std::integral I>
  Residue(I constant) : Residue(Whole{static_cast<long long>(constant)}) {}
  /// The dyadic number that the double is: 0.5 is 1/2, but 0.1 is not 1/10.
  Residue(double constant);

  /// Chooses a prime between 2^60 and 2^61 at random. Of the numbers that there were only constants can still be used.
  template <class Generator>
  static void choose_prime(Generator& generator) {
    std::uniform_int_distribution<std::uint64_t> draw(std::uint64_t(1) << 60, (std::uint64_t(1) << 61) - 1);
    std::uint64_t p = 0;
    do {
      p = draw(generator) | 1;
    } while (!residue_detail::is_prime(p));
    residue_detail::field() = {.modulus = residue_detail::Modulus(p)};
  }
  /// A variable of the rational functions with a random value; the name is for a recording.
  template <class Generator>
  static Residue variable(Generator& generator, const std::string& name = "variable") {
    auto& field = residue_detail::field();
    Residue x;
    x.value_ = std::uniform_int_distribution<std::uint64_t>(0, field.modulus.value() - 1)(generator);
    x.degree_ = 1;
    x.height_ = 0;
    x.constant_ = SmallRational::unknown();
    x.epoch_ = field.epoch;
    if (field.recorder) x.number_ = field.recorder->append_variable(name);
    return x;
  }
  [[nodiscard]] static std::uint64_t prime() { return residue_detail::field().modulus.value(); }
  /// Sums over all divisors so far: whether a random point is singular is decided by the product of these polynomials.
  [[nodiscard]] static residue_detail::Events all_divisors();
  /// Sums over all numbers that were compared with zero: the branches of the program.
  [[nodiscard]] static residue_detail::Events branches() { return residue_detail::field().comparisons; }
  /// Sums over branches() and over the sum and the difference of every two divisors: whether these vanish decides about
  /// the bounds of degree and height. (A divisor that was recognised is the same polynomial as the one in the table, so
  /// every pair counts once, however often its members were divided by.)
  [[nodiscard]] static residue_detail::Events comparisons();
  /// A branch of the program depends on whether this is zero.
  [[nodiscard]] bool compare_with_zero() const;

  [[nodiscard]] std::uint64_t value() const;
  [[nodiscard]] bool is_zero() const { return value() == 0; }
  /// Zero whatever the variables and the prime are: a constant, or a multiple of one.
  [[nodiscard]] bool zero_by_construction() const { return degree_ < 0; }
  /// Bound of the total degree of the numerator; minus infinity for a number that is zero by construction.
  [[nodiscard]] double degree() const { return degree_; }
  /// Bound of log2 of the sum of the numerator's absolute coefficients.
  [[nodiscard]] double height() const { return height_; }
  /// Declares this number an output of the program that is being recorded.
  void record_output() const;

  Residue& operator+=(const Residue& b);
  Residue& operator-=(const Residue& b);
  Residue& operator*=(const Residue& b);
  Residue& operator/=(const Residue& b);
  friend Residue operator+(Residue a, const Residue& b) { return a += b; }
  friend Residue operator-(Residue a, const Residue& b) { return a -= b; }
  friend Residue operator*(Residue a, const Residue& b) { return a *= b; }
  friend Residue operator/(Residue a, const Residue& b) { return a /= b; }
  friend Residue operator-(const Residue& a) { return a.negative(); }

  friend bool operator==(const Residue& a, const Residue& b) { return equal(a, b); }
  friend bool operator!=(const Residue& a, const Residue& b) { return !(a == b); }
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
  friend class SumOfProducts<Residue>;

  struct Whole {
    long long value;
  };
  explicit Residue(const Whole& constant);
  [[nodiscard]] Residue negative() const;
  static bool equal(const Residue& a, const Residue& b);

  static constexpr std::uint32_t largest_exponent = 1u << 30;
  static constexpr std::uint32_t not_recorded = std::numeric_limits<std::uint32_t>::max();

  /// Returns this number, a constant, modulo the prime in force.
  [[nodiscard]] Residue renewed() const;
  /// Its number in the recording.
  [[nodiscard]] std::uint32_t number(residue_detail::Field& field) const;
  void record(residue_detail::Field& field, StraightLineProgram::Operation operation, const Residue& b);

  /// Where the numerator of this number stands in the table of divisors, up to sign; it is added if it does not.
  std::size_t index_of_numerator(residue_detail::Field& field) const;

  /// Bounds of the sum with b.
  void bound_sum(const Residue& b);
  /// Bounds of the sum with a b; neither factor is zero by construction.
  void bound_sum_with_product(const Residue& a, const Residue& b);
  /// exponent(i), for any i, is that of divisor i in the denominator of the other number, 0 from `exponents` on.
  template <class Exponent>
  void bound_sum(double degree, double height, std::size_t exponents, const Exponent& exponent);
  /// log2(1 + 2^-difference), rounded, without a logarithm where it is plain.
  static double carry(double difference);
  /// Returns the exponent of divisor i in the denominator.
  [[nodiscard]] std::uint32_t exponent(std::size_t i) const { return i < exponents_.size() ? exponents_[i] : 0; }

  std::uint64_t value_ = 0;
  double degree_ = -std::numeric_limits<double>::infinity();
  double height_ = 0;
  SmallRational constant_ = {};  ///< unknown: not a constant, or not a small one
  std::uint32_t epoch_ = 0;
  std::uint32_t number_ = not_recorded;
  std::vector<std::uint32_t> exponents_ = {};
};

/// Reduced once, when the sum is asked for; degree, height and recording are those of the operations one by one. No
/// prime may be chosen in its life.
template <>
class SumOfProducts<Residue> {
 public:
  explicit SumOfProducts(const Residue& start) : sum_(start), value_(start.value_) {}
  void add(const Residue& a, const Residue& b) { include(a, b, StraightLineProgram::Operation::add); }
  void subtract(const Residue& a, const Residue& b) { include(a, b, StraightLineProgram::Operation::subtract); }
  [[nodiscard]] Residue value() const;

 private:
  void include(const Residue& a, const Residue& b, StraightLineProgram::Operation operation);

  residue_detail::Field* field_ = &residue_detail::field();
  Residue sum_;  ///< all of it but the value
  residue_detail::Wide value_;
};

/// While it lives, what residues of this thread compute is appended to a program. It chooses the prime, so that no
/// number can be older than the recording.
class ResidueRecording {
 public:
  template <class Generator>
  ResidueRecording(StraightLineProgram& program, Generator& generator) {
    Residue::choose_prime(generator);
    residue_detail::field().recorder = &program;
  }
  ResidueRecording(const ResidueRecording&) = delete;
  ResidueRecording& operator=(const ResidueRecording&) = delete;
  ~ResidueRecording() { residue_detail::field().recorder = nullptr; }
};

/// A program at another point, modulo another prime below 2^63.
struct Replay {
  std::vector<std::uint64_t> outputs = {};
  bool same_branches = true;  ///< every comparison with zero had the recorded outcome
};
/// `values` of the variables, below the prime. Throws SingularPoint at a division by zero.
Replay replay(const StraightLineProgram& program, const std::vector<std::uint64_t>& values, std::uint64_t prime);

/// Zero or not: nothing else is known of a size. An iteration that stops when something is small stops at zero only.
template <>
struct ScalarTraits<Residue> {
  using real = ZeroOrNot;
  static constexpr bool exact = true;
  static real epsilon() { return 0; }
  static bool zero_by_construction(const Residue& x) { return x.zero_by_construction(); }
  static real magnitude(const Residue& x) { return ZeroOrNot::size_of(x.compare_with_zero()); }
  static real leading(const Residue& x) { return ZeroOrNot::sign_of(x.compare_with_zero()); }
  static double to_double(const Residue&) { throw NotRational("the value as a double"); }
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
