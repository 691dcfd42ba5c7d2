// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <limits>

#include <livi/integrators/integrator.hpp>

namespace livi {

/// Returns the supremum of h omega for which Newmark with gamma = 1/2, push-forward Newmark, Z&S and Z&Ss are stable on
/// q'' = -omega^2 q. All four have trace 2 - z/(1 + beta z), z = (h omega)^2, and |trace| <= 2 iff z (1 - 4 beta) <= 4
/// (TO14 Theorem 2.2).
inline double newmark_stability_limit(double beta) { return beta >= 0.25 ? unlimited : 2 / std::sqrt(1 - 4 * beta); }

/// Returns beta as a double for the declarations of a method: NaN where numbers have no order, so that no limit is
/// declared.
template <class S>
double declared_beta(const S& beta) {
  if constexpr (has_order<S>) {
    return to_double(beta);
  } else {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

/// Throws InvalidParameter unless beta is finite and >= 0; returns it.
template <class S>
const S& require_newmark_beta(const S& beta) {
  const OrderAssumed<S> all_beta(OrderReason::parameters);
  if (!is_finite(beta) || !(RealOf<S>(0) <= leading(beta)))
    throw InvalidParameter("beta", to_double(beta), "Newmark's beta must be finite and >= 0");
  return beta;
}

}  // namespace livi
