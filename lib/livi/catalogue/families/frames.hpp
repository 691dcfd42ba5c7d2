// SPDX-License-Identifier: MIT
//
// Methods that become one when something is put into them: another method, or functions.
#pragma once

#include <livi/catalogue/method.hpp>
#include <livi/integrators/generic_consistent.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/stochastic/geometric_langevin.hpp>

namespace livi {

inline auto frame_methods() {
  return std::tuple{
      method<SystemKind::thermostat>(
          {.name = "geometric-langevin",
           .type = "GeometricLangevin",
           .header = "geometric_langevin.hpp",
           .sentence = "Heat baths around any method, also with constraints: exact friction and noise after each step.",
           .equation = "a step of the method, then the bath for h; or half of it before and after",
           .options = {{"friction", ">= 0", "none", "gamma of TO14 (27)"},
                       {"inverse-temperature", "> 0", "none", "beta of TO14 (27)"}},
           .folder = "stochastic"},
          []<class System>(const System& system, const auto&) {
            return GeometricLangevin(VelocityVerlet<System>(system), Bath<ScalarOf<System>>{1, 1});
          }),
      method<SystemKind::given_functions>(
          {.name = "generic-symmetric",
           .type = "GenericSymmetric",
           .header = "kick_drift_kick.hpp",
           .sentence = "The family TO14 (21) for a force of yours: symmetric for every one.",
           .equation = "kick, drift, kick with f(x)"},
          []<class System>(const System& system, const auto&) {
            return GenericSymmetric(system, [&system](const VectorOf<System>& x) {
              VectorOf<System> a = x;
              system.acceleration(x, a);
              return a;
            });
          }),
      method<SystemKind::given_functions>(
          {.name = "generic-consistent",
           .type = "GenericConsistent",
           .header = "generic_consistent.hpp",
           .sentence = "The family TO14 (20) for functions f and g of yours: of order two for all of them.",
           .equation = "(M + h^2 f(x)) a = -grad V(x); kick, drift, kick with a + h^4 g(x)"},
          []<class System>(const System& system, const auto&) {
            using Matrix = livi::Matrix<ScalarOf<System>, System::dimension>;
            const auto f = [n = system.size()](const VectorOf<System>&) -> Matrix { return Matrix::Identity(n, n); };
            const auto g = [](const VectorOf<System>& x) -> VectorOf<System> { return x; };
            return GenericConsistent(system, f, g, PositionCorrection::included);
          })};
}

}  // namespace livi
