// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <limits>

#include <livi/scalar/scalar.hpp>

namespace livi {

/// How a factorisation went.
struct FactorOutcome {
  bool singular = false;    ///< no solution can be trusted: a pivot is at round-off of the terms of the matrix
  bool indefinite = false;  ///< symmetric but not positive definite
  int pivot = -1;           ///< the (block) row of the pivot that was zero or showed indefiniteness
  int negative = 0;         ///< negative eigenvalues of a symmetric matrix that is not singular
};

/// The size of x without its derivatives or coefficients. Where nothing has an order, that it is zero or not.
template <class S>
RealOf<S> absolute_leading(const S& x) {
  const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
  const RealOf<S> value = leading(x);
  return value < RealOf<S>(0) ? RealOf<S>(-value) : value;
}

/// The size of the terms of a diagonal entry a = m + c h, m > 0.
template <class S>
RealOf<S> size_of_terms(const S& a, const S& m) {
  return absolute_leading(m) + absolute_leading(S(a - m));
}

/// The inverse of a pivot of 2 x 2 or 3 x 3 is as good as the elimination of its rows one by one while the determinant
/// is not a small part of the product of the diagonal entries. Multiplying a right-hand side b by it leaves a residual
/// of epsilon |b| times the inverse of that part; below this part, 2^42 epsilon (2^-10 for double), it is not used, and
/// the residual stays below a thousand roundings.
template <class S>
RealOf<S> least_part_of_determinant() {
  return RealOf<S>(4398046511104.0) * ScalarTraits<S>::epsilon();
}

/// Pivots of this size and below are none: 1/x is infinite where x is denormal, and infinity times zero would be a
/// solution that is not a number. Exact numbers have no such size.
template <class S>
RealOf<S> least_pivot() {
  if constexpr (ScalarTraits<S>::exact)
    return RealOf<S>(0);
  else
    return std::numeric_limits<RealOf<S>>::min();
}
/// The same of the entries of a pivot that is inverted by its determinant, which may be that part of their product.
template <class S>
RealOf<S> least_entry_of_pivot() {
  if constexpr (ScalarTraits<S>::exact)
    return RealOf<S>(0);
  else
    return least_pivot<S>() / least_part_of_determinant<S>();
}
/// Whether the reciprocal of a pivot above least_pivot() is a number, with its derivatives and coefficients: they
/// overflow before it does. Of a floating-point number it always is.
template <class S>
bool is_reciprocal(const S& x) {
  if constexpr (std::floating_point<S>)
    return true;
  else
    return is_finite(x);
}

}  // namespace livi
