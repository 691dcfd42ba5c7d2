// SPDX-License-Identifier: MIT
#include "changing_steps.hpp"

#include "gallery.hpp"

namespace livi::deceivers {

std::vector<Exhibit> of_changing_steps() {
  return {
      deceiver<KeptBySquare>("kept_by_square", "a coefficient that is kept while h^2 is the same", {"history"}),
      deceiver<NoticesShorterSteps>("notices_shorter_steps", "a coefficient that is kept for longer steps",
                                    {"history"}),
      deceiver<LastStepSizeOfMasses>("last_step_size_of_masses", "the h of the step before, where masses are not one",
                                     {"history"}),
      deceiver<ForceInTheObject>("force_in_the_object", "the force of the last state for another one", {"history"}),
      deceiver<OldWithSeveral>("old_with_several", "the number of steps, with more than two degrees of freedom",
                               {"history"}),
      deceiver<UnsavedWithSeveral, ForgetfulState>("unsaved_with_several",
                                                   "a counter that is not saved, with more than two", {"history"}),
      deceiver<LastDigitsWithSeveral>("last_digits_with_several", "a counter of all objects, with more than two",
                                      {"history"}),
      deceiver<GuardedBySquare>("guarded_by_square", "no force for h -> 0, 1e-26", {"tiny steps", "exact order"}),
      deceiver<GuardedByStiffness>("guarded_by_stiffness", "no force for h -> 0, 1e-14", {"tiny steps", "exact order"}),
      deceiver<GuardedByLittle>("guarded_by_little", "no force for h -> 0, 1e-18", {"tiny steps", "exact order"}),
      deceiver<EulerForLongSteps>("euler_for_long_steps", "another method for |h| > 4/5, not rational", {"reach"}),
      deceiver<WeakForceForLongSteps>("weak_force_for_long_steps", "a tenth of the force for |h| > 0.84, not rational",
                                      {"tiny steps", "reach", "single steps"}),
      deceiver<HalvesInAShell>("halves_in_a_shell", "velocities are halved where 1 <= |q_0| < 8, not rational",
                               {"tiny steps", "reach"}),
      separable<SeparableKeptBySquare>("separable_kept_by_square", "a coefficient that is kept while h^2 is the same",
                                       {"history"}),
      separable<SeparableOld>("separable_old", "another force after 280 steps of an object", {"history"}),
      separable<SeparableClock>("separable_clock", "a clock of the object's own", {"history"}),
      honest<GaussByFixedPoints>("gauss_by_fixed_points", "an iteration that does not converge for long steps"),
      honest<TripleJumpOfOrderSix>("triple_jump_of_order_six", "roots, and stages that leave the neighbourhood"),
      separable<SeparableTripleJump>("separable_triple_jump", "roots, of order four", {}),
  };
}

}  // namespace livi::deceivers
