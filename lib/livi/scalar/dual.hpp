// SPDX-License-Identifier: MIT
//
// Dual numbers a + b eps, eps^2 = 0: forward-mode derivatives that are exact up to the rounding of S.
//
// One direction at a time. The Jacobian of a step in n unknowns takes n evaluations; in exchange the type is small,
// works for any dimension, and nests (Dual<Dual<S>> gives second derivatives). Derivatives go through the linear solve
// of a step because the solve is ordinary arithmetic, and through an iteration because it is converged in value *and*
// derivative (see magnitude()).
#pragma once

#include <Eigen/Core>
#include <algorithm>

#include <livi/scalar/scalar.hpp>

namespace livi {

template <class S>
struct Dual {
  S value{};
  S derivative{};

  Dual() : value(0), derivative(0) {}
  Dual(int constant) : value(constant), derivative(0) {}  // NOLINT(google-explicit-constructor): constants of formulas
  Dual(const S& constant)                                 // NOLINT(google-explicit-constructor)
      requires(!std::same_as<S, int>)
      : value(constant), derivative(0) {}
  Dual(const S& v, const S& d) : value(v), derivative(d) {}
  /// A double constant in a formula over Dual<S>, S another type.
  Dual(double constant)  // NOLINT(google-explicit-constructor)
      requires(!std::same_as<S, double>)
      : value(constant), derivative(0) {}

  // Defined below, not inline: they are compiled once per number type and not wherever they are used (see the end).
  Dual& operator+=(const Dual& b);
  Dual& operator-=(const Dual& b);
  Dual& operator*=(const Dual& b);
  Dual& operator/=(const Dual& b);
  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.derivative}; }

  // Compared by value: a branch taken by the program is the branch of the value.
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend bool operator!=(const Dual& a, const Dual& b) { return !(a.value == b.value); }
  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return b.value < a.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return !(b.value < a.value); }
  friend bool operator>=(const Dual& a, const Dual& b) { return !(a.value < b.value); }

  friend Dual abs(const Dual& a) { return a.value < S(0) ? -a : a; }
  friend Dual sqrt(const Dual& a) {
    using std::sqrt;
    const S root = sqrt(a.value);
    return {root, a.derivative / (S(2) * root)};
  }
  friend Dual sin(const Dual& a) {
    using std::cos, std::sin;
    return {sin(a.value), a.derivative * cos(a.value)};
  }
  friend Dual cos(const Dual& a) {
    using std::cos, std::sin;
    return {cos(a.value), -a.derivative * sin(a.value)};
  }
  friend Dual exp(const Dual& a) {
    using std::exp;
    const S e = exp(a.value);
    return {e, a.derivative * e};
  }
  friend Dual log(const Dual& a) {
    using std::log;
    return {log(a.value), a.derivative / a.value};
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    return {atan2(y.value, x.value),
            (y.derivative * x.value - y.value * x.derivative) / (x.value * x.value + y.value * y.value)};
  }
};

template <class S>
Dual<S>& Dual<S>::operator+=(const Dual& b) {
  value += b.value;
  derivative += b.derivative;
  return *this;
}
template <class S>
Dual<S>& Dual<S>::operator-=(const Dual& b) {
  value -= b.value;
  derivative -= b.derivative;
  return *this;
}
template <class S>
Dual<S>& Dual<S>::operator*=(const Dual& b) {
  derivative = derivative * b.value + value * b.derivative;
  value *= b.value;
  return *this;
}
template <class S>
Dual<S>& Dual<S>::operator/=(const Dual& b) {
  value /= b.value;
  derivative = (derivative - value * b.derivative) / b.value;
  return *this;
}

template <class S>
struct ScalarTraits<Dual<S>> {
  using real = RealOf<S>;
  static constexpr bool exact = ScalarTraits<S>::exact;
  static real epsilon() { return ScalarTraits<S>::epsilon(); }
  static bool zero_by_construction(const Dual<S>& x) {
    return livi::zero_by_construction(x.value) && livi::zero_by_construction(x.derivative);
  }
  static real magnitude(const Dual<S>& x) {
    return larger(ScalarTraits<S>::magnitude(x.value), ScalarTraits<S>::magnitude(x.derivative));
  }
  static real leading(const Dual<S>& x) { return ScalarTraits<S>::leading(x.value); }
  static double to_double(const Dual<S>& x) { return ScalarTraits<S>::to_double(x.value); }
  static bool is_finite(const Dual<S>& x) {
    return ScalarTraits<S>::is_finite(x.value) && ScalarTraits<S>::is_finite(x.derivative);
  }
};

}  // namespace livi

template <class S>
struct Eigen::NumTraits<livi::Dual<S>> : Eigen::GenericNumTraits<livi::Dual<S>> {
  using Real = livi::Dual<S>;
  using NonInteger = livi::Dual<S>;
  using Nested = livi::Dual<S>;
  using Literal = livi::Dual<S>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 2,
    MulCost = 6
  };
};
