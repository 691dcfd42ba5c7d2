// SPDX-License-Identifier: MIT
#include "seldom_visited.hpp"

#include "gallery.hpp"

namespace livi::deceivers {

std::vector<Exhibit> in_places_seldom_visited() {
  return {
      deceiver<FivePointForce>("five_point_force", "differences for the gradient, exact on polynomials of degree four",
                               {"tiny steps"}),
      deceiver<StandsStillFromRest>("stands_still_from_rest", "no step from rest, not rational", {"tiny steps"}),
      deceiver<ForkedAtRest>("forked_at_rest", "no step from rest, not in exact types", {"tiny steps"}),
      deceiver<MemoryThenEuler, SavedState>("memory_then_euler", "of order one after 300 steps, and a memory",
                                            {"order of q", "order of p"}),
      deceiver<MemoryNotSymplectic, SavedState>("memory_not_symplectic",
                                                "not symplectic after eight steps, and a memory", {"symplectic"}),
      deceiver<EulerForLongStepsInDouble>("euler_for_long_steps_in_double", "symplectic Euler for |h| > 1/2 in double",
                                          {"single steps"}),
      deceiver<StillForTinyStepsInDouble>("still_for_tiny_steps_in_double", "no step for |h| < 1e-4 in double",
                                          {"single steps"}),
      deceiver<FrictionFarOutInDouble>("friction_far_out_in_double", "friction where |q_0| > 200 in double",
                                       {"single steps"}),
      deceiver<FrictionFarOut>("friction_far_out", "friction where |q_0| > 200, not rational", {"reach"}),
      deceiver<LowerLimitOfSeveral>("lower_limit_of_several", "a lower limit with more than one degree of freedom",
                                    {"coupled oscillators"}),
      deceiver<UnconditionalAlone>("unconditional_alone", "a limit with more than one degree of freedom",
                                   {"coupled oscillators"}),
      deceiver<TenGradientsOfMany>("ten_gradients_of_many", "ten gradients with more than two degrees of freedom",
                                   {"cost"}),
      deceiver<OtherDimensions>("other_dimensions", "no step for n > 40, nor for full masses of n > 5", {"tiny steps"}),
  };
}

}  // namespace livi::deceivers
