// SPDX-License-Identifier: MIT
//
// Methods with adaptive steps that the battery must reject, and those that it must clear, compiled once. Only for the
// battery's own sources and its tests.
#pragma once

#include <livi/claims/battery.hpp>
#include <livi/claims/battery/canonical_maps.hpp>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/rows.hpp>

namespace livi::battery_detail {

enum class AdaptiveControl {
  hamiltonian,          ///< symplectic, symmetric, keeps momenta
  of_one_coordinate,    ///< the Hamiltonian method with a density of one coordinate: keeps no momentum
  reversible,           ///< symmetric, not symplectic
  naive,                ///< dt = h sigma(q_k): neither
  declared_symplectic,  ///< the reversible method, which declares to be symplectic
  printed_sign,         ///< the variational method with both terms of sigma of the wrong sign (CS101 slide 16)
  wrong_clock,          ///< steps of the mean of sigma at both ends, but t advances by h sigma(q_k)
  fast_clock,           ///< the reversible method, but t advances by 1 + 1e-12 times the step
  clock_in_double,      ///< t advances by 1 + 1e-9 times the step, in double only
  late,                 ///< the velocity moves by 1e-12 in each step after t = 300
  long_steps,           ///< the velocity moves by 1e-12 in each step with |h| > 1/2
  counter_in_method,    ///< the method object counts its steps, and moves the velocity by 1e-12 from the tenth on
  counter_late,         ///< the method object counts, and moves the velocity from the thousandth step on
  counter_shared,       ///< all objects count together, and move it by 1e-12 at each third step
  unguarded,            ///< reports no failure
  every_density,        ///< the Hamiltonian method, which declares momenta for every density
  own_scale,            ///< the reversible method with sigma + 1e-12
  bounded_steps,        ///< the reversible method with sigma / (1 + sigma), which says that it depends on the scale
  first_order,          ///< symplectic Euler on sigma (H - E0): of order one, symplectic, not symmetric
  first_as_second,      ///< that method, declared to be of order two
  for_problems,         ///< the clock is fast by 1e-12, but on the fixed problems
  form_for_problems,  ///< the Hamiltonian method between two kicks by a force without potential, but on the fixed problems
};

/// Returns a control, made once.
const ControlMethod& adaptive_control(AdaptiveControl control);
/// Returns methods that are what they declare.
std::vector<ControlMethod> honest_adaptive_methods();

/// Runs the tests of methods with adaptive steps (adaptive_battery.cpp).
BatteryResult run_adaptive_tests(const AnyAdaptiveSubject& subject, const BatteryOptions& options);

}  // namespace livi::battery_detail
