// SPDX-License-Identifier: MIT
//
// Rational functions p(z)/q(z) of one variable over an exact field. A step of an integrator on q'' = -z q, evaluated
// with them, is its own stability function, exactly and for every z at once. They have no order: a step that branches
// by size or sign may be another function for other z, so it throws NotRational. The field may consist of rational
// functions again (of beta, say).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include <livi/scalar/multiprecision.hpp>
#include <livi/scalar/zero_or_not.hpp>

namespace livi {

/// A polynomial c[0] + c[1] z + ... without trailing zeros; the zero polynomial has no coefficients.
template <class K>
class Polynomial {
 public:
  Polynomial() = default;
  explicit Polynomial(std::vector<K> coefficients) : c_(std::move(coefficients)) { trim(); }
  static Polynomial constant(const K& value) { return Polynomial({value}); }
  static Polynomial variable() { return Polynomial({K(0), K(1)}); }

  /// Returns the degree; -1 for the zero polynomial.
  [[nodiscard]] int degree() const { return static_cast<int>(c_.size()) - 1; }
  [[nodiscard]] bool is_zero() const { return c_.empty(); }
  [[nodiscard]] bool is_one() const { return c_.size() == 1 && c_[0] == K(1); }
  /// Returns the coefficient of z^k, which is zero beyond the degree.
  [[nodiscard]] K operator[](int k) const { return k <= degree() ? c_[static_cast<std::size_t>(k)] : K(0); }
  [[nodiscard]] const std::vector<K>& coefficients() const { return c_; }
  [[nodiscard]] K highest() const { return c_.back(); }

  template <class T>
  [[nodiscard]] T operator()(const T& z) const {
    T value(0);
    for (std::size_t k = c_.size(); k-- > 0;) value = value * z + T(c_[k]);
    return value;
  }
  [[nodiscard]] Polynomial derivative() const {
    std::vector<K> d;
    for (int k = 1; k <= degree(); ++k) d.push_back(K(k) * (*this)[k]);
    return Polynomial(std::move(d));
  }

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b) {
    if (a.degree() < b.degree()) return b + a;
    std::vector<K> sum = a.c_;
    for (std::size_t k = 0; k < b.c_.size(); ++k) sum[k] += b.c_[k];
    return Polynomial(std::move(sum));
  }
  friend Polynomial operator*(const K& s, Polynomial a) {
    for (K& c : a.c_) c *= s;
    a.trim();
    return a;
  }
  friend Polynomial operator-(Polynomial a) {
    for (K& c : a.c_) c = -c;
    return a;
  }
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + -b; }
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    if (a.is_zero() || b.is_zero()) return {};
    if (a.is_one()) return b;
    if (b.is_one()) return a;
    std::vector<K> product(a.c_.size() + b.c_.size() - 1, K(0));
    // Each product and sum of fractions costs a greatest common divisor, and odd and even functions have many zeros.
    for (std::size_t i = 0; i < a.c_.size(); ++i) {
      if (a.c_[i] == K(0)) continue;
      for (std::size_t j = 0; j < b.c_.size(); ++j)
        if (b.c_[j] != K(0)) product[i + j] += a.c_[i] * b.c_[j];
    }
    return Polynomial(std::move(product));
  }
  friend bool operator==(const Polynomial& a, const Polynomial& b) { return a.c_ == b.c_; }

  /// Returns the quotient and the remainder of a division by b != 0.
  static std::pair<Polynomial, Polynomial> divide(Polynomial a, const Polynomial& b) {
    std::vector<K> quotient(static_cast<std::size_t>(std::max(0, a.degree() - b.degree() + 1)), K(0));
    while (a.degree() >= b.degree()) {
      const int shift = a.degree() - b.degree();
      const K factor = a.highest() / b.highest();
      quotient[static_cast<std::size_t>(shift)] = factor;
      for (int k = 0; k < b.degree(); ++k)
        a.c_[static_cast<std::size_t>(k + shift)] -= factor * b.c_[static_cast<std::size_t>(k)];
      a.c_.pop_back();  // cancels exactly
      a.trim();
    }
    return {Polynomial(std::move(quotient)), std::move(a)};
  }
  /// Returns the multiple with highest coefficient 1; zero stays zero.
  [[nodiscard]] Polynomial monic() const { return is_zero() || c_.back() == K(1) ? *this : (K(1) / highest()) * *this; }
  /// Returns the greatest common divisor, monic, by Euclid's algorithm.
  static Polynomial greatest_common_divisor(Polynomial a, Polynomial b) {
    while (!b.is_zero()) {
      Polynomial remainder = divide(std::move(a), b).second.monic();
      a = std::move(b);
      b = std::move(remainder);
    }
    return a.monic();
  }

 private:
  void trim() {
    while (!c_.empty() && c_.back() == K(0)) c_.pop_back();
  }
  std::vector<K> c_;
};

/// A quotient of two polynomials in lowest terms, with a monic denominator.
template <class K>
class RationalFunction {
 public:
  RationalFunction(int constant = 0)  // NOLINT(google-explicit-constructor): constants of formulas
      : numerator_(Polynomial<K>::constant(K(constant))), denominator_(Polynomial<K>::constant(K(1))) {}
  /// Makes the constant that the double is: a dyadic number, so that 0.1 is not 1/10.
  RationalFunction(double constant)  // NOLINT(google-explicit-constructor): constants of formulas
      : RationalFunction(K(constant)) {}
  RationalFunction(const K& constant)  // NOLINT(google-explicit-constructor)
      : numerator_(Polynomial<K>::constant(constant)), denominator_(Polynomial<K>::constant(K(1))) {}
  RationalFunction(Polynomial<K> numerator, Polynomial<K> denominator)
      : numerator_(std::move(numerator)), denominator_(std::move(denominator)) {
    reduce();
  }
  static RationalFunction variable() {
    return RationalFunction(Polynomial<K>::variable(), Polynomial<K>::constant(K(1)));
  }

  [[nodiscard]] const Polynomial<K>& numerator() const { return numerator_; }
  [[nodiscard]] const Polynomial<K>& denominator() const { return denominator_; }
  [[nodiscard]] bool is_zero() const { return numerator_.is_zero(); }
  /// Returns the value at z. Throws std::overflow_error at a pole.
  [[nodiscard]] K operator()(const K& z) const { return numerator_(z) / denominator_(z); }

  RationalFunction& operator+=(const RationalFunction& b) { return *this = *this + b; }
  RationalFunction& operator-=(const RationalFunction& b) { return *this = *this - b; }
  RationalFunction& operator*=(const RationalFunction& b) { return *this = *this * b; }
  RationalFunction& operator/=(const RationalFunction& b) { return *this = *this / b; }
  friend RationalFunction operator+(const RationalFunction& a, const RationalFunction& b) {
    if (a.denominator_.is_one() && b.denominator_.is_one()) return {a.numerator_ + b.numerator_, a.denominator_};
    return {a.numerator_ * b.denominator_ + b.numerator_ * a.denominator_, a.denominator_ * b.denominator_};
  }
  friend RationalFunction operator-(const RationalFunction& a) { return {-a.numerator_, a.denominator_}; }
  friend RationalFunction operator-(const RationalFunction& a, const RationalFunction& b) { return a + -b; }
  friend RationalFunction operator*(const RationalFunction& a, const RationalFunction& b) {
    return {a.numerator_ * b.numerator_, a.denominator_ * b.denominator_};
  }
  /// Divides a by b. Throws std::overflow_error for b = 0.
  friend RationalFunction operator/(const RationalFunction& a, const RationalFunction& b) {
    if (b.is_zero()) throw std::overflow_error("division of a rational function by zero");
    return {a.numerator_ * b.denominator_, a.denominator_ * b.numerator_};
  }
  friend bool operator==(const RationalFunction& a, const RationalFunction& b) {
    return a.numerator_ == b.numerator_ && a.denominator_ == b.denominator_;
  }
  friend bool operator!=(const RationalFunction& a, const RationalFunction& b) { return !(a == b); }
  // A program may contain comparisons; it is refused as not rational only when it comes to one.
  friend bool operator<(const RationalFunction&, const RationalFunction&) { throw NotRational("an order"); }
  friend bool operator>(const RationalFunction&, const RationalFunction&) { throw NotRational("an order"); }
  friend bool operator<=(const RationalFunction&, const RationalFunction&) { throw NotRational("an order"); }
  friend bool operator>=(const RationalFunction&, const RationalFunction&) { throw NotRational("an order"); }
  friend RationalFunction abs(const RationalFunction&) { throw NotRational("abs"); }
  friend RationalFunction sqrt(const RationalFunction&) { throw NotRational("sqrt"); }
  friend RationalFunction sin(const RationalFunction&) { throw NotRational("sin"); }
  friend RationalFunction cos(const RationalFunction&) { throw NotRational("cos"); }
  friend RationalFunction exp(const RationalFunction&) { throw NotRational("exp"); }
  friend RationalFunction log(const RationalFunction&) { throw NotRational("log"); }

 private:
  void reduce() {
    if (denominator_.degree() == 0) {  // a polynomial has nothing to cancel
      if (denominator_.highest() == K(1)) return;
      numerator_ = (K(1) / denominator_.highest()) * std::move(numerator_);
      denominator_ = Polynomial<K>::constant(K(1));
      return;
    }
    const Polynomial<K> common = Polynomial<K>::greatest_common_divisor(numerator_, denominator_);
    if (common.degree() > 0) {
      numerator_ = Polynomial<K>::divide(std::move(numerator_), common).first;
      denominator_ = Polynomial<K>::divide(std::move(denominator_), common).first;
    }
    if (denominator_.highest() == K(1)) return;
    const K scale = K(1) / denominator_.highest();
    numerator_ = scale * std::move(numerator_);
    denominator_ = scale * std::move(denominator_);
  }
  Polynomial<K> numerator_, denominator_;
};

/// The number traits of RationalFunction. A sign or a size would be that at one z, so only zero and not zero are told
/// apart.
template <class K>
struct ScalarTraits<RationalFunction<K>> {
  using real = ZeroOrNot;
  static constexpr bool exact = true;
  static real epsilon() { return 0; }
  static real leading(const RationalFunction<K>& x) { return ZeroOrNot::sign_of(x.is_zero()); }
  static real magnitude(const RationalFunction<K>& x) { return ZeroOrNot::size_of(x.is_zero()); }
  static double to_double(const RationalFunction<K>&) { throw NotRational("the value as a double"); }
  static bool is_finite(const RationalFunction<K>&) { return true; }
};

/// Sturm's sequence of a polynomial over the rationals, which counts its distinct real roots in an interval exactly.
class SturmSequence {
 public:
  /// Makes the sequence of p. Throws std::invalid_argument if p is the zero polynomial.
  explicit SturmSequence(const Polynomial<Rational>& p) {
    if (p.is_zero()) throw std::invalid_argument("SturmSequence: the zero polynomial has no count of roots");
    // Multiple roots would end the sequence early without harm to the count, but the sequence of a square-free p is
    // shorter.
    const auto common = Polynomial<Rational>::greatest_common_divisor(p, p.derivative());
    sequence_.push_back(Polynomial<Rational>::divide(p, common).first.monic());
    if (sequence_[0].degree() > 0) sequence_.push_back(sequence_[0].derivative());
    while (sequence_.back().degree() > 0) {
      const auto remainder = Polynomial<Rational>::divide(sequence_[sequence_.size() - 2], sequence_.back()).second;
      sequence_.push_back(-remainder);
      make_primitive(sequence_.back());
    }
    for (auto& member : sequence_) make_primitive(member);
  }
  /// Returns the number of distinct roots in (low, high], or in (low, infinity) without `high`.
  [[nodiscard]] int roots(const Rational& low, const std::optional<Rational>& high = std::nullopt) const {
    return variations(low) - (high ? variations(*high) : variations_at_infinity());
  }
  /// Returns an interval (first, second], no wider than `width`, that contains the smallest root above `low` and no
  /// other root; nothing if there is no such root.
  [[nodiscard]] std::optional<std::pair<Rational, Rational>> smallest_root_above(Rational low,
                                                                                 const Rational& width) const {
    if (roots(low) == 0) return std::nullopt;
    Rational high = low + 1;
    while (roots(low, high) == 0) high = 2 * high + 1;
    while (high - low > width || roots(low, high) > 1) {
      const Rational middle = (low + high) / 2;
      (roots(low, middle) > 0 ? high : low) = middle;
    }
    return std::pair(low, high);
  }

 private:
  /// Makes the coefficients whole and small by a positive factor, which changes no sign.
  static void make_primitive(Polynomial<Rational>& p) {
    Integer multiple = 1, divisor = 0;
    for (const Rational& c : p.coefficients()) multiple = lcm(multiple, denominator(c));
    p = Rational(multiple) * p;
    for (const Rational& c : p.coefficients()) divisor = gcd(divisor, numerator(c));
    p = Rational(1, divisor) * p;
  }
  /// Counts the changes of sign along the sequence at z, in integers alone: rationals would be reduced after every
  /// operation.
  [[nodiscard]] int variations(const Rational& z) const {
    return count([&](const Polynomial<Rational>& p) {
      const Integer numerator_of_z = numerator(z), denominator_of_z = denominator(z);
      Integer value = 0, power = 1;
      for (int k = p.degree(); k >= 0; --k) {
        value = value * numerator_of_z + numerator(p[k]) * power;
        power *= denominator_of_z;
      }
      return value;
    });
  }
  [[nodiscard]] int variations_at_infinity() const {
    return count([](const Polynomial<Rational>& p) { return p.highest(); });
  }
  template <class Value>
  [[nodiscard]] int count(const Value& value) const {
    int changes = 0, last = 0;
    for (const auto& p : sequence_) {
      const auto v = value(p);
      const int sign = v > 0 ? 1 : v < 0 ? -1 : 0;
      if (sign != 0 && last != 0 && sign != last) ++changes;
      if (sign != 0) last = sign;
    }
    return changes;
  }
  std::vector<Polynomial<Rational>> sequence_;
};

}  // namespace livi

template <class K>
struct Eigen::NumTraits<livi::RationalFunction<K>> : Eigen::GenericNumTraits<livi::RationalFunction<K>> {
  using Real = livi::RationalFunction<K>;
  using NonInteger = livi::RationalFunction<K>;
  using Nested = livi::RationalFunction<K>;
  using Literal = livi::RationalFunction<K>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 100,
    AddCost = 1000,
    MulCost = 1000
  };
};
