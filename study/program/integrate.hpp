// SPDX-License-Identifier: MIT
//
// Boost.Odeint's controlled Runge-Kutta-Fehlberg 7(8), compiled once for the programs that integrate many right sides.
#pragma once

#include <functional>
#include <type_traits>
#include <vector>

namespace livi::theorem {

/// rate = x' at x and t.
template <class S>
using RightHandSide = std::function<void(const std::vector<S>& x, std::vector<S>& rate, const S& t)>;
template <class S>
using Observe = std::function<void(const std::vector<S>& x, const S& t)>;

/// Runs x' = right_hand_side(x) through the times, the first of which is the start; observe(x, t) at each. `tolerance`
/// is both the absolute and the relative bound on the local error. S: double, Float50. std::runtime_error if a value
/// stops being finite.
template <class S>
void integrate(std::vector<S> x, const std::vector<S>& times, const std::type_identity_t<S>& tolerance,
               const std::type_identity_t<RightHandSide<S>>& right_hand_side,
               const std::type_identity_t<Observe<S>>& observe);

}  // namespace livi::theorem
