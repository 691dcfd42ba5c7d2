// SPDX-License-Identifier: MIT
//
// Heat baths that the battery must reject, and those that it must clear, compiled once. Only for the battery's own sources and its
// tests.
#pragma once

#include <livi/claims/heat_bath_battery.hpp>

namespace livi::battery_detail {

enum class HeatBathControl {
  obabo,                     ///< ConstrainedObabo
  baoab,                     ///< GeodesicBaoab
  friction_of_one,           ///< gamma is one whatever it is, unless it is nothing
  heat_of_one_bath,          ///< beta is 2.5 whatever it is
  noise_by_friction,         ///< noise is gamma^(1/2) times too strong, as gamma (2/beta)^(1/2) dW is
  friction_twice,            ///< the velocity is damped twice, noise is that of one bath
  friction_by_mass,          ///< the rate of a coordinate is gamma/m
  warm_by_mass,              ///< noise of a coordinate is m^(1/2) times too strong
  unprojected,               ///< noise is not projected to the tangent space
  shared_noise,              ///< all particles have the numbers of the first
  half_temperature,          ///< noise of half the temperature
  one_noise_for_both,        ///< the bath before the step and the one after it have the same numbers
  old_noise,                 ///< every step has the numbers of the first
  clipped_noise,             ///< numbers beyond 2.5 are 2.5
  repeating_noise,           ///< numbers come again after 128 steps
  antithetic_noise,          ///< 64 steps have the numbers of the 64 before with the other sign
  warm_later,                ///< noise of 1.2 times the temperature from the fourth step on
  warm_on_one_side,          ///< noise of 1 + y/2 times the temperature on the sphere
  warm_on_the_rods,          ///< noise of 1 + h times the temperature on the rods
  warm_on_the_chain,         ///< noise of 1 + h/4 times the temperature on the chain
  own_numbers,               ///< numbers of its own, whatever the seed
  first_order_bath,          ///< v (1 - gamma h/2) + (gamma h/beta)^(1/2) noise, which declares averages of order two
  first_order_declared,      ///< that bath of order one, which declares it
  lopsided,                  ///< motion over h (1 + h/8), which declares order two
  off_manifold,              ///< the position is 1 + 1e-12 times too long
  other_without_friction,    ///< without friction it damps velocities by 1e-13 of a normal number
  rattle_of_other_rounding,  ///< each step makes the velocity longer by four units of the last place
  speed_limit,               ///< velocities of a kinetic energy beyond 4/beta are halved
  counter_in_method,         ///< the method object counts its steps, and moves the velocity by 1e-12 from the tenth on
};

struct HeatBathControlMethod {
  std::string name;
  std::unique_ptr<AnyHeatBathSubject> subject;
};
/// Returns a control, made once.
const HeatBathControlMethod& heat_bath_control(HeatBathControl control);

}  // namespace livi::battery_detail
