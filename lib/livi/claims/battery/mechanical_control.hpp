// SPDX-License-Identifier: MIT
//
// Makes controls of methods for M q'' = -grad V, each of which is compiled where it is made. Only for the battery's own
// sources.
#pragma once

#include <livi/claims/battery/controls.hpp>
#include <livi/diagnostics/mechanical_subject.hpp>

namespace livi::battery_detail {

/// Returns Method<System> as a control on the problems of vector spaces.
template <template <class> class Method>
ControlMethod mechanical_control(const std::string& name) {
  const auto factory = []<class System>(const System& system) { return Method<System>(system); };
  return {name, std::make_unique<MechanicalSubject<decltype(factory)>>(factory)};
}

}  // namespace livi::battery_detail
