// SPDX-License-Identifier: MIT
#pragma once

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

}  // namespace livi
