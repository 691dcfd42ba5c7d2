// SPDX-License-Identifier: MIT
//
// The number types a step map compiles for.
//
// A step of an integrator is a formula; evaluated with `double` it is a simulation, with 50 digits a proof of a
// residual, with dual numbers (dual.hpp) its own exact Jacobian, with rationals (multiprecision.hpp) an exact
// statement, with truncated power series (power_series.hpp) its own expansion in h. So integrators and systems are
// templates over Scalar, which asks only for a field: no order, no square root. Order is needed for control flow alone
// (convergence, pivots) and goes through magnitude().
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

namespace livi {

/// A number type of the library: a field. Elementary functions (sqrt, sin, ...) are found by argument-dependent lookup
/// where a system needs them; a system that uses none works with exact rationals.
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

/// What the library needs to know about a number type; specialised beside each type.
///
///   real         the ordered type in which sizes and tolerances are expressed (S itself for real types); ZeroOrNot
///                where nothing has an order: only what follows from being zero or not can be asked of it
///   epsilon()    relative rounding error of one operation; zero for exact types
///   magnitude(x) largest absolute value of all components (value, derivative, coefficients), as `real`:
///                an iteration is converged when *all* of them are
///   leading(x)   the value itself without derivative or higher coefficients, as `real`: what pivots and signs are
///   decided by to_double(x) the value, rounded
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
/// Whether sizes and signs can be compared.
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

/// Whether x is zero by the way it was made: what it is multiplied by need not be computed. Of residues only what is
/// zero whatever the variables are; of other numbers all that vanish with all derivatives and coefficients.
template <class S>
bool zero_by_construction(const S& x) {
  if constexpr (requires { ScalarTraits<S>::zero_by_construction(x); }) {
    return ScalarTraits<S>::zero_by_construction(x);
  } else {
    return magnitude(x) == RealOf<S>(0);
  }
}

/// The larger of two sizes; NaN if either is. A maximum that loses a NaN makes what failed look small.
template <class R>
R larger(const R& a, const R& b) {
  return a < b || !(b == b) ? b : a;
}

/// |x| of a type with an order, also where no abs() exists.
template <class R>
R absolute_value(const R& x) {
  return x < R(0) ? R(-x) : x;
}

/// Why the library may assume an order where there is none.
enum class OrderReason {
  pivots,      ///< a pivot that is not zero counts as positive and large enough: the solution does not depend on it
  parameters,  ///< a parameter that is not zero counts as being in its allowed range: the statement is for those
  damping,     ///< no update of an iteration is halved: the statement is for starts where none has to be
  formula,  ///< of several formulas for one function, of which rounding prefers one by size, the same is always taken
};
template <class Real>
class [[maybe_unused]] OrderAssumedFor {
 public:
  explicit constexpr OrderAssumedFor(OrderReason) {}
  static constexpr void note(OrderReason) {}
};
/// Stands before comparisons of sizes and signs whose outcome cannot change what is proved of a step. Nothing where
/// sizes have an order; where they have none (scalar/zero_or_not.hpp) these comparisons are answered while it lives, as
/// if all that is not zero were 1, and certificates say so. note() says it of code that takes a path of its own there.
template <class S>
using OrderAssumed = OrderAssumedFor<RealOf<S>>;

/// start + a b + c d + ..., one product after the other. A number type that has a faster way specialises it beside
/// itself.
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

/// The constant numerator/denominator as exactly as S can hold it: ratio<Float50>(2, 5) is 2/5 to 50 digits, not the
/// double 0.4.
template <class S>
S ratio(int numerator, int denominator) {
  return S(numerator) / S(denominator);
}

/// A count as S, exactly: every S is made from an int, and a run may have more steps than an int has values.
template <class S>
S whole(long count) {
  constexpr long base = 1L << 30;
  if (-base < count && count < base) return S(static_cast<int>(count));
  return S(static_cast<int>(base)) * whole<S>(count / base) + S(static_cast<int>(count % base));
}

}  // namespace livi
