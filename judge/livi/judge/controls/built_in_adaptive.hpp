// SPDX-License-Identifier: MIT
//
// Methods with adaptive steps in this process, right and wrong: the controls of the judge of such methods. All of them
// take velocity Verlet's step with the density sigma(q) = 1 / (1 + |q|^2) and answer the kinds adaptive and extended.
#pragma once

#include <memory>
#include <string>

#include <livi/judge/method/foreign_subject.hpp>

namespace livi {

/// How the length dt of a step follows from the fictitious step h.
enum class AdaptiveRule {
  integrated,  ///< dt = h / z, z' = -(d sigma/dt) / sigma (Hairer and Soederlind 2005): explicit, reversible; z is a memory
  reversible,   ///< dt = h (sigma(q) + sigma(q')) / 2, an equation: reversible
  hamiltonian,  ///< Verlet on sigma (H - E0): reversible, and symplectic in (q, t; p, -E0)
};

/// The way in which such a method is wrong.
enum class AdaptiveFlaw {
  none,
  old_density,        ///< dt = h sigma(q) of the old position
  old_clock,          ///< the clock advances by h sigma(q), the motion by dt
  fast_clock,         ///< the clock is fast by 2^-32 of itself
  clock_backwards,    ///< every seventh step of a run is taken backwards
  absolute_step,      ///< the size of h counts, not its sign
  constant_steps,     ///< dt = h
  of_the_time,        ///< dt grows by 2^-30 of itself in a unit of the time
  counts_steps,       ///< every other step of the process is longer by 1/500
  remembers,          ///< what start() should forget stays: the step before enters the next
  forgets_in_saved,   ///< the saved text has not got the momentum's last bits
  pushes,             ///< the first momentum gets h 2^-20 from nowhere
  asks_twice,         ///< the first gradient of a step is asked for twice
  fails_silently,     ///< a step that cannot be made is answered by numbers that are none
  without_gradients,  ///< the Hamiltonian method without grad sigma: reversible only
  tires,              ///< from the ten-thousandth step of a run on, steps follow the old position's density
  free_if_extended,   ///< where the kind is extended bodies are free, and the time is tau
  fast_beyond_ten,    ///< the clock is fast by a half beyond ten degrees of freedom
  fast_in_between,    ///< the clock is fast by 1e-3 for |h| between 2e-6 and 2e-4
  fast_when_long,     ///< the clock is fast by 1e-8 where |h| > 1e-6
  density_by_sign,    ///< dt = h sigma(q) where h > 0, and h sigma(q') where h < 0, which takes that back
  odd_start,          ///< integrated steps whose first length depends on the sign of q . v, which is no flaw
  single_step,        ///< h is rounded to 24 bits
  own_energy,         ///< the Hamiltonian method with E0 = H of the start of every step
};

struct BuiltInAdaptiveMethod {
  AdaptiveRule rule = AdaptiveRule::reversible;
  AdaptiveFlaw flaw = AdaptiveFlaw::none;

  [[nodiscard]] std::string name() const;
};

/// Returns such a method as a subject in double that takes the kinds adaptive and extended.
std::unique_ptr<ForeignSubject> adaptive_subject(const BuiltInAdaptiveMethod& method);

}  // namespace livi
