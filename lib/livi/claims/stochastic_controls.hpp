// SPDX-License-Identifier: MIT
//
// Methods under noise that the battery must reject, and those that it must clear, compiled once. Only for the battery's own
// sources and its tests.
#pragma once

#include <livi/claims/battery.hpp>
#include <livi/claims/battery/canonical_maps.hpp>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/rows.hpp>
#include <livi/diagnostics/stochastic_subject.hpp>

namespace livi::battery_detail {

enum class StochasticControl {
  integrals,             ///< RATTLE with I10
  increments,            ///< RATTLE with the kicks dW/2
  euler,                 ///< variational Euler A
  euler_maruyama,        ///< projected Euler-Maruyama
  heun,                  ///< projected Heun
  declared_variational,  ///< projected Euler-Maruyama, which declares to be symplectic and to keep momenta
  heun_declared_symplectic,
  weak,                          ///< RATTLE with the weights of weak order two
  increments_of_weak_order_two,  ///< RATTLE with the kicks dW/2, which declares that weak order
  commutator,                    ///< RATTLE with the kick of its commutator
  turned_covariances,            ///< that, with the opposite sign of the covariances C_ij of two noises
  mean_covariance,               ///< that with the mean of C, which declares strong order two all the same
  mean,                          ///< RATTLE with the kick of the mean of C
  conditional_mean,              ///< that with the mean of C under increments and I10
  turned_mean,           ///< that with the mean of C, and the kick in the other direction where the noises are zero
  mean_and_branch,       ///< that with the mean of C, and another step by some roundings where the noises are zero
  staircase,             ///< RATTLE along a staircase
  weakly_of_order_one,   ///< projected Euler-Maruyama, which declares that weak order, and has it
  weakly_of_order_two,   ///< projected Euler-Maruyama, which declares that weak order
  three_halves,          ///< RATTLE with the kicks dW/2, which declares strong order 3/2 for constant products
  unprojected,           ///< the kick of the noise has no multiplier
  off_manifold,          ///< the position is 1 + 1e-12 times too long
  one_noise_for_all,     ///< every noise is the first
  exchanged_noises,      ///< noises in the reverse order
  strong_noise,          ///< noise 2^(1/2) times too strong
  nearly_strong_noise,   ///< noise 1 + 1e-10 times too strong
  first_half,            ///< the second kick is forgotten
  old_gradient,          ///< the second kick takes the gradient of the old position
  wrong_force,           ///< a force 1 + 1e-10 times too strong
  euler_of_order_two,    ///< variational Euler A, which declares order two
  symmetric_euler,       ///< variational Euler A, which declares to be symmetric
  branch_without_noise,  ///< zero noise is a step of another size by some roundings
  in_double,             ///< wrong by 1e-9 in double only
  counter_in_method,     ///< the method object counts its steps, and moves the velocity by 1e-12 from the tenth on
  counter_shared,        ///< all objects count together, and move it by 1e-12 at each third step
  unguarded,             ///< reports no failure
  far_root,              ///< takes the far root of a long step
};

/// Returns a control, made once.
const ControlMethod& stochastic_control(StochasticControl control);
/// Returns methods that are what they declare.
std::vector<ControlMethod> honest_stochastic_methods();

/// Returns the end of the reference of strong orders at T = 1 along a path, in 2^finest steps, for tests.
PhasePoint<double> end_of_reference(std::size_t problem, std::size_t number, int finest);
/// Runs the tests of methods under noise (stochastic_battery.cpp).
BatteryResult run_stochastic_tests(const AnyStochasticSubject& subject, const BatteryOptions& options);

}  // namespace livi::battery_detail
