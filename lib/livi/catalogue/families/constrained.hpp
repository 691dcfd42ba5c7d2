// SPDX-License-Identifier: MIT
#pragma once

#include <livi/catalogue/method.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>

namespace livi {

inline auto constrained_methods() {
  return std::tuple{
      method<SystemKind::constrained>({.name = "shake",
                                       .type = "Shake",
                                       .header = "shake.hpp",
                                       .sentence = "For rigid bonds and joints; its velocity is not tangent.",
                                       .equation = "Verlet with forces Dg^T lambda; Newton's method on g(q') = 0",
                                       .options = {newton_tolerance, newton_iterations, fixed_iterations},
                                       .subjects = {{"Shake"}}},
                                      WithNewton<Shake>()),
      method<SystemKind::constrained>({.name = "rattle",
                                       .type = "Rattle",
                                       .header = "rattle.hpp",
                                       .sentence = "For rigid bonds and joints, with tangent velocities.",
                                       .equation = "SHAKE, and a projection of the velocity",
                                       .options = {newton_tolerance, newton_iterations, fixed_iterations},
                                       .subjects = {{"Rattle"}}},
                                      WithNewton<Rattle>())};
}

}  // namespace livi
