// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <limits>

#include <livi/scalar/scalar.hpp>

namespace livi {

/// The outcome of a factorisation.
struct FactorOutcome {
  bool singular = false;    ///< no solution can be trusted: a pivot is at round-off of the terms of the matrix
  bool indefinite = false;  ///< symmetric but not positive definite
  int pivot = -1;           ///< the (block) row of the pivot that was zero or showed indefiniteness
  int negative = 0;         ///< negative eigenvalues of a symmetric matrix that is not singular
};

/// Returns the size of x without its derivatives or coefficients; where there is no order, whether it is zero.
template <class S>
RealOf<S> absolute_leading(const S& x) {
  const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
  const RealOf<S> value = leading(x);
  return value < RealOf<S>(0) ? RealOf<S>(-value) : value;
}

/// Returns the sum of the sizes of the terms m and c h of a diagonal entry a = m + c h, m > 0.
template <class S>
RealOf<S> size_of_terms(const S& a, const S& m) {
  return absolute_leading(m) + absolute_leading(S(a - m));
}

/// Returns the least part of the product of the diagonal entries that the determinant of a 2 x 2 or 3 x 3 pivot may be.
/// While the determinant is above it, the inverse of the pivot is as good as an elimination row by row. Multiplying a
/// right-hand side b by the inverse leaves a residual of epsilon |b| divided by that part; the bound, 2^42 epsilon
/// (2^-10 for double), keeps the residual below a thousand roundings.
template <class S>
RealOf<S> least_part_of_determinant() {
  return RealOf<S>(4398046511104.0) * ScalarTraits<S>::epsilon();
}

/// Returns the size at and below which a number is no pivot: 1/x is infinite for a denormal x, and infinity times zero
/// would give a solution that is not a number. Exact numbers have no such size.
template <class S>
RealOf<S> least_pivot() {
  if constexpr (ScalarTraits<S>::exact)
    return RealOf<S>(0);
  else
    return std::numeric_limits<RealOf<S>>::min();
}
/// Returns the size at and below which the diagonal entries of a pivot that is inverted by its determinant are too
/// small: the determinant may be the part least_part_of_determinant() of their product.
template <class S>
RealOf<S> least_entry_of_pivot() {
  if constexpr (ScalarTraits<S>::exact)
    return RealOf<S>(0);
  else
    return least_pivot<S>() / least_part_of_determinant<S>();
}
/// Returns whether the reciprocal x of a pivot above least_pivot() is a number together with its derivatives and
/// coefficients, which overflow before it does. For a floating-point number this always holds.
template <class S>
bool is_reciprocal(const S& x) {
  if constexpr (std::floating_point<S>)
    return true;
  else
    return is_finite(x);
}

}  // namespace livi
