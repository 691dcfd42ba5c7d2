// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>

#include <livi/integrators/integrator.hpp>

namespace livi {

/// Supremum of h omega for which Newmark with gamma = 1/2, push-forward Newmark, Z&S and Z&Ss are stable on q'' =
/// -omega^2 q, where all four have trace 2 - z/(1 + beta z), z = (h omega)^2: |trace| <= 2 iff z (1 - 4 beta) <= 4
/// (TO14 Theorem 2.2).
inline double newmark_stability_limit(double beta) { return beta >= 0.25 ? unlimited : 2 / std::sqrt(1 - 4 * beta); }

/// beta for what a method declares, a double: NaN, and with it the limit, where numbers have no order.
template <class S>
double declared_beta(const S& beta) {
  if constexpr (has_order<S>) {
    return to_double(beta);
  } else {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

/// Throws unless beta is finite and >= 0.
template <class S>
const S& require_newmark_beta(const S& beta) {
  const OrderAssumed<S> all_beta(OrderReason::parameters);
  if (!is_finite(beta) || !(RealOf<S>(0) <= leading(beta)))
    throw InvalidParameter("beta", to_double(beta), "Newmark's beta must be finite and >= 0");
  return beta;
}

}  // namespace livi
