// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "reference/double_pendulum_reference.hpp"

/// The double pendulum by each method. Apart from the checked references, which are Taylor series: Boost.Odeint takes the
/// compiler half a minute.
namespace livi::reference {

/// One run at t_k = k * end_time / (samples - 1), k = 0 .. samples - 1, with the given local error tolerance (absolute
/// and relative; states are of order one), converted to double at the end. Controlled steps are shortened to land on
/// every t_k; the Taylor method evaluates its polynomial there instead. Errors: std::invalid_argument for parameters,
/// times or a tolerance out of range; std::runtime_error naming the time when a value stops being finite or the step
/// size underflows.
[[nodiscard]] std::vector<PendulumState> integrate(const DoublePendulumParameters& parameters, Formulation formulation,
                                                   Method method, Arithmetic arithmetic, double end_time, int samples,
                                                   double tolerance);

}  // namespace livi::reference
