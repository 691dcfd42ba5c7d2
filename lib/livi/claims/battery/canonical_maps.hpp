// SPDX-License-Identifier: MIT
//
// The coordinates in which the form of a step is judged. Only for the battery's own sources.
#pragma once

#include <livi/diagnostics/any_stepper.hpp>

namespace livi::battery_detail {

/// Return a point in the coordinates in which a method is canonical: its own, or those that it names (own_map).
inline PhasePoint<Dual<Float50>> identity(AnyStepper<Dual<Float50>>&, const PhasePoint<Dual<Float50>>& z,
                                          const Dual<Float50>&) {
  return z;
}
inline PhasePoint<Dual<Float50>> own_map(AnyStepper<Dual<Float50>>& stepper, const PhasePoint<Dual<Float50>>& z,
                                         const Dual<Float50>& h) {
  return stepper.canonical(z, h);
}

}  // namespace livi::battery_detail
