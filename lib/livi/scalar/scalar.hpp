// SPDX-License-Identifier: MIT
//
// The number types for which a step map compiles.
//
// A step of an integrator is a formula. Evaluated with `double` it is a simulation, with 50 digits the proof of a
// residual, with dual numbers (dual.hpp) its own exact Jacobian, with rationals (multiprecision.hpp) an exact
// statement, and with truncated power series (power_series.hpp) its own expansion in h. Integrators and systems are
// therefore templates over Scalar, which asks only for a field: no order, no square root. Only control flow
// (convergence, pivots) needs an order, and gets it from magnitude() and leading().
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

namespace livi {

/// A number type of the library: a field. Elementary functions (sqrt, sin, ...) are found by argument-dependent lookup
/// where a system needs them; a system that needs none works with exact rationals.
template <class S>
concept Scalar = std::copyable<S> && requires(S a, const S b) {
  S(1);
  { b + b } -> std::convertible_to<S>;
  { b - b } -> std::convertible_to<S>;
  { b* b } -> std::convertible_to<S>;
  { b / b } -> std::convertible_to<S>;
  { -b } -> std::convertible_to<S>;
  { b == b } -> std::convertible_to<bool>;
  a += b;
  a -= b;
  a *= b;
  a /= b;
};

/// The properties of a number type that the library uses; specialised beside each type.
///
///   real          the ordered type of sizes and tolerances (S itself for real types); ZeroOrNot where nothing has an
///                 order and all that can be asked is whether a number is zero
///   epsilon()     relative rounding error of one operation; zero for exact types
///   magnitude(x)  largest absolute value of all components (value, derivative, coefficients), as `real`:
///                 an iteration has converged when *all* of them have
///   leading(x)    the value itself without derivative or higher coefficients, as `real`: it decides pivots and signs
///   to_double(x)  the value, rounded
template <class S>
struct ScalarTraits;

template <std::floating_point F>
struct ScalarTraits<F> {
  using real = F;
  static constexpr bool exact = false;
  static real epsilon() { return std::numeric_limits<F>::epsilon(); }
  static real magnitude(const F& x) { return std::abs(x); }
  static const real& leading(const F& x) { return x; }
  static double to_double(const F& x) { return static_cast<double>(x); }
  static bool is_finite(const F& x) { return std::isfinite(x); }
};

template <class S>
using RealOf = typename ScalarTraits<S>::real;

class ZeroOrNot;  // scalar/zero_or_not.hpp
/// True if sizes and signs of S can be compared.
template <class S>
inline constexpr bool has_order = !std::same_as<RealOf<S>, ZeroOrNot>;

template <class S>
RealOf<S> magnitude(const S& x) {
  return ScalarTraits<S>::magnitude(x);
}

template <class S>
RealOf<S> leading(const S& x) {
  return ScalarTraits<S>::leading(x);
}

/// Returns whether x is zero by the way it was made, so that products with it need not be computed. A residue is if it
/// is zero whatever the variables are; any other number is if it vanishes with all derivatives and coefficients.
template <class S>
bool zero_by_construction(const S& x) {
  if constexpr (requires { ScalarTraits<S>::zero_by_construction(x); }) {
    return ScalarTraits<S>::zero_by_construction(x);
  } else {
    return magnitude(x) == RealOf<S>(0);
  }
}

/// Returns the larger of two sizes, and NaN if either is NaN: a maximum that loses a NaN makes a failure look small.
template <class R>
R larger(const R& a, const R& b) {
  return a < b || !(b == b) ? b : a;
}

/// Returns |x| for a type with an order, also where no abs() exists.
template <class R>
R absolute_value(const R& x) {
  return x < R(0) ? R(-x) : x;
}

/// The reasons for which the library may assume an order where there is none.
enum class OrderReason {
  pivots,      ///< a pivot that is not zero counts as positive and large enough: the solution does not depend on it
  parameters,  ///< a parameter that is not zero counts as being in its allowed range: the statement is for those
  damping,     ///< no update of an iteration is halved: the statement is for starts where none has to be
  formula,     ///< one of several formulas for a function is always taken: rounding prefers one by size
};
template <class Real>
class [[maybe_unused]] OrderAssumedFor {
 public:
  explicit constexpr OrderAssumedFor(OrderReason) {}
  static constexpr void note(OrderReason) {}
};
/// A guard that stands before comparisons of sizes and signs whose outcome cannot change what is proved of a step. It
/// does nothing where sizes have an order. Where they have none (scalar/zero_or_not.hpp), these comparisons are
/// answered during its life as if all that is not zero were 1, and certificates say so. Code that takes a path of its
/// own where there is no order calls note().
template <class S>
using OrderAssumed = OrderAssumedFor<RealOf<S>>;

/// The sum start + a b + c d + ..., computed one product after the other. A number type with a faster algorithm
/// specialises it beside itself.
template <class S>
class SumOfProducts {
 public:
  explicit SumOfProducts(const S& start) : sum_(start) {}
  void add(const S& a, const S& b) { sum_ += a * b; }
  void subtract(const S& a, const S& b) { sum_ -= a * b; }
  [[nodiscard]] const S& value() const { return sum_; }

 private:
  S sum_;
};

template <class S>
double to_double(const S& x) {
  return ScalarTraits<S>::to_double(x);
}

template <class S>
bool is_finite(const S& x) {
  return ScalarTraits<S>::is_finite(x);
}

/// Returns numerator/denominator as exactly as S can hold it: ratio<Float50>(2, 5) is 2/5 to 50 digits, not the double
/// 0.4.
template <class S>
S ratio(int numerator, int denominator) {
  return S(numerator) / S(denominator);
}

/// Returns a count as S, exactly. Every S is made from an int, but a run may have more steps than an int has values.
template <class S>
S whole(long count) {
  constexpr long base = 1L << 30;
  if (-base < count && count < base) return S(static_cast<int>(count));
  return S(static_cast<int>(base)) * whole<S>(count / base) + S(static_cast<int>(count % base));
}

}  // namespace livi
