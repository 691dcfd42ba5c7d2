// SPDX-License-Identifier: MIT
#pragma once

#include <livi/catalogue/method.hpp>
#include <livi/integrators/variational_euler_generalized.hpp>

namespace livi {

inline auto lagrangian_methods() {
  return std::tuple{method<SystemKind::lagrangian>(
      {.name = "variational-euler",
       .type = "VariationalEulerGeneralized",
       .header = "variational_euler_generalized.hpp",
       .sentence = "For generalised coordinates: any Lagrangian, derivatives by dual numbers.",
       .options = {newton_tolerance, newton_iterations},
       .subjects = {{"VariationalEulerGeneralized"}}},
      WithNewton<VariationalEulerGeneralized>())};
}

}  // namespace livi
