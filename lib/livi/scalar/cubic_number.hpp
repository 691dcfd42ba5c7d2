// SPDX-License-Identifier: MIT
//
// Numbers a + b r + c r^2 with r^3 = 2. In this field the fractions of Yoshida's composition of order 4, 1/(2 - r) and
// -r/(2 - r), are exact. K is the field of a, b and c: rationals, or residues for certificates.
#pragma once

#include <Eigen/Core>

#include <livi/scalar/zero_or_not.hpp>

namespace livi {

template <class K>
struct CubicNumber {
  K a{0}, b{0}, c{0};

  CubicNumber() = default;
  CubicNumber(int constant) : a(constant) {}       // NOLINT(google-explicit-constructor): constants of formulas
  CubicNumber(const K& constant) : a(constant) {}  // NOLINT(google-explicit-constructor)
  CubicNumber(const K& first, const K& second, const K& third) : a(first), b(second), c(third) {}
  /// Returns the cube root of 2.
  static CubicNumber root() { return {K(0), K(1), K(0)}; }

  CubicNumber& operator+=(const CubicNumber& y) {
    a += y.a;
    b += y.b;
    c += y.c;
    return *this;
  }
  CubicNumber& operator-=(const CubicNumber& y) {
    a -= y.a;
    b -= y.b;
    c -= y.c;
    return *this;
  }
  CubicNumber& operator*=(const CubicNumber& y) {
    return *this = {a * y.a + K(2) * (b * y.c + c * y.b), a * y.b + b * y.a + K(2) * (c * y.c),
                    a * y.c + b * y.b + c * y.a};
  }
  /// Divides by y != 0: y times its cofactor is its norm, a number of K, by which the coefficients are divided.
  CubicNumber& operator/=(const CubicNumber& y) {
    const CubicNumber cofactor{y.a * y.a - K(2) * y.b * y.c, K(2) * y.c * y.c - y.a * y.b, y.b * y.b - y.a * y.c};
    const K norm = y.a * cofactor.a + K(2) * (y.b * cofactor.c + y.c * cofactor.b);
    *this *= cofactor;
    a /= norm;
    b /= norm;
    c /= norm;
    return *this;
  }
  friend CubicNumber operator+(CubicNumber x, const CubicNumber& y) { return x += y; }
  friend CubicNumber operator-(CubicNumber x, const CubicNumber& y) { return x -= y; }
  friend CubicNumber operator*(CubicNumber x, const CubicNumber& y) { return x *= y; }
  friend CubicNumber operator/(CubicNumber x, const CubicNumber& y) { return x /= y; }
  friend CubicNumber operator-(const CubicNumber& x) { return {-x.a, -x.b, -x.c}; }
  friend bool operator==(const CubicNumber& x, const CubicNumber& y) { return x.a == y.a && x.b == y.b && x.c == y.c; }
  friend bool operator!=(const CubicNumber& x, const CubicNumber& y) { return !(x == y); }
};

/// The number traits of CubicNumber. It has no order, as residues have none: the field comes without its embedding in
/// the reals.
template <class K>
struct ScalarTraits<CubicNumber<K>> {
  using real = ZeroOrNot;
  static constexpr bool exact = true;
  static real epsilon() { return 0; }
  static bool zero_by_construction(const CubicNumber<K>& x) {
    return livi::zero_by_construction(x.a) && livi::zero_by_construction(x.b) && livi::zero_by_construction(x.c);
  }
  static real magnitude(const CubicNumber<K>& x) { return ZeroOrNot::size_of(x == CubicNumber<K>()); }
  static real leading(const CubicNumber<K>& x) { return ZeroOrNot::sign_of(x == CubicNumber<K>()); }
  static double to_double(const CubicNumber<K>&) { throw NotRational("the value as a double"); }
  static bool is_finite(const CubicNumber<K>&) { return true; }
};

}  // namespace livi

template <class K>
struct Eigen::NumTraits<livi::CubicNumber<K>> : Eigen::GenericNumTraits<livi::CubicNumber<K>> {
  using Real = livi::CubicNumber<K>;
  using NonInteger = livi::CubicNumber<K>;
  using Nested = livi::CubicNumber<K>;
  using Literal = livi::CubicNumber<K>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 12,
    AddCost = 24,
    MulCost = 160
  };
};
