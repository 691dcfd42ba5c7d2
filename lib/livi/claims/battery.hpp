// SPDX-License-Identifier: MIT
//
// The battery: is an integrator what it declares to be? Everything declared must hold, everything not declared is measured and,
// where the battery is strict, must be seen to fail. Every test runs beside a control that it must reject. A test that refuses a method is also run on
// one that it must accept. What could not be measured is reported as undecided; what does not apply has a row that says
// why.
#pragma once

#include <livi/claims/battery_result.hpp>
#include <livi/diagnostics/adaptive_subject.hpp>
#include <livi/diagnostics/body_subject.hpp>
#include <livi/diagnostics/constrained_subject.hpp>
#include <livi/diagnostics/mechanical_subject.hpp>
#include <livi/diagnostics/separable_subject.hpp>
#include <livi/diagnostics/stochastic_subject.hpp>

namespace livi {

/// Runs all tests that apply, or those asked for.
BatteryResult run_battery(const Subject& subject, const BatteryOptions& options = {});

/// Makes Method<System> from a system, by its constructor or as an aggregate.
template <template <class> class Method>
inline constexpr auto construct_from_system = []<class System>(const System& system) {
  if constexpr (std::is_constructible_v<Method<System>, const System&>) {
    return Method<System>(system);
  } else {
    return Method<System>{system};
  }
};

/// Runs the battery on Method<AnySystem<S>>: the entry for users' own integrators.
template <template <class> class Method>
BatteryResult run_battery(const BatteryOptions& options = {}) {
  return run_battery(MechanicalSubject(construct_from_system<Method>), options);
}

/// Runs the battery on Method<AnyBody<S>>, an integrator for rigid bodies (diagnostics/body_subject.hpp).
template <template <class> class Method>
BatteryResult run_rigid_body_battery(const BatteryOptions& options = {}) {
  return run_battery(BodySubject(construct_from_system<Method>), options);
}

/// Runs the battery on Method<AnySeparable<S>>, an integrator for H(q, p, t) = T(p) + V(q, t)
/// (diagnostics/separable_subject.hpp).
template <template <class> class Method>
BatteryResult run_separable_battery(const BatteryOptions& options = {}) {
  return run_battery(SeparableSubject(construct_from_system<Method>), options);
}

/// Makes Method<System, Density> from a system and a step density, by its constructor or as an aggregate.
template <template <class, PositionDensity> class Method>
inline constexpr auto construct_from_density =
    []<class System, class Density>(const System& system, const Density& density) {
      using M = Method<System, Density>;
      if constexpr (std::is_constructible_v<M, const System&, const Density&>) {
        return M(system, density);
      } else {
        return M{system, density};
      }
    };

/// Runs the battery on Method<AnySystem<S>>, a method with adaptive steps that brings its own step density
/// (diagnostics/adaptive_subject.hpp).
template <template <class> class Method>
BatteryResult run_adaptive_battery(const BatteryOptions& options = {}) {
  return run_battery(AdaptiveSubject(construct_from_system<Method>), options);
}
/// Runs the battery on Method<AnySystem<S>, Density>, a method with adaptive steps for any density of the position.
template <template <class, PositionDensity> class Method>
BatteryResult run_adaptive_battery(const BatteryOptions& options = {}) {
  return run_battery(AdaptiveSubject(construct_from_density<Method>), options);
}

/// Runs the battery on Method<System>, a method for constrained systems under noise (diagnostics/stochastic_subject.hpp).
template <template <class> class Method>
BatteryResult run_stochastic_battery(const BatteryOptions& options = {}) {
  return run_battery(StochasticSubject(construct_from_system<Method>), options);
}

}  // namespace livi
