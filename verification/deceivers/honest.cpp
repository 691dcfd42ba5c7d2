// SPDX-License-Identifier: MIT
#include "honest.hpp"

#include "gallery.hpp"
#include "precision.hpp"

namespace livi::deceivers {

std::vector<Exhibit> that_are_honest() {
  return {
      honest<FewWords>("few_words", "no source, no limit"),
      honest<NeverStable>("never_stable", "a limit of zero"),
      honest<Kutta4>("kutta_4", "no structure, and says so"),
      honest<ConstantsInAStatic>("constants_in_a_static", "static const third = 1/3; a limit of 6"),
      honest<VerletSevenTimes>("verlet_seven_times", "rational numbers with many digits"),
      honest<YoshidaInDouble>("yoshida_in_double", "coefficients with 16 digits"),
      honest<YoshidaWith24Digits>("yoshida_with_24_digits", "coefficients with 24 digits"),
      honest<McLachlanAtelaInDouble>("mclachlan_atela_in_double", "coefficients with 16 digits"),
      honest<SuzukiInDouble>("suzuki_in_double", "coefficients with 15 digits"),
      // A method that rounds to double; what more digits would show is said as the limit of its rows.
      honest<RoundsToDouble>("rounds_to_double", "positions rounded to double in 50 digits"),
      honest<CoefficientWithARoot>("coefficient_with_a_root", "not rational, and says so"),
      honest<CarriesTheForce, SavedState>("carries_the_force", "its state has the force of the last position"),
      honest<DeclaresItsMemory, SavedState>("declares_its_memory", "a memory, and says so"),
      honest<PlainSymplecticEuler>("plain_symplectic_euler", "not symmetric, and says so"),
      honest<Unconditional>("unconditional", "no limit of stability"),
      honest<Staggered, SavedState>("staggered", "velocities between positions; begun anew when it turns round"),
      honest<YoshidaOrderEight>("yoshida_order_eight", "coefficients with 16 digits, errors below 1e-16"),
      honest<YoshidaOrderSix>("yoshida_order_six", "coefficients with 15 digits"),
      honest<MidpointByNewton>("midpoint_by_newton", "an iteration to convergence"),
  };
}

}  // namespace livi::deceivers
