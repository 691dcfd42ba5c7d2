// SPDX-License-Identifier: MIT
#include "hidden_state.hpp"

#include "gallery.hpp"

namespace livi::deceivers {

std::vector<Exhibit> with_hidden_state() {
  return {
      deceiver<AlternatesInTheObject>("alternates_in_the_object", "parity in the object", {"history"}),
      deceiver<AlternatesWithARoot>("alternates_with_a_root", "parity in the object, no certificate", {"history"}),
      deceiver<AlternatesInAStatic>("alternates_in_a_static", "parity in a static", {"history", "repetition"}),
      deceiver<AlternatesInTheState, ForgetfulState>("alternates_in_the_state", "parity in the state, not in fields()",
                                                     {"history", "restart"}),
      deceiver<AlternatesInAField, SavedState>("alternates_in_a_field", "parity in a saved field", {"memory"}),
      deceiver<EveryThousandthStep>("every_thousandth_step", "the number of steps, in the object", {"history"}),
      deceiver<EveryThousandthStepOfAll>("every_thousandth_step_of_all", "the number of steps of all objects",
                                         {"history", "repetition"}),
      deceiver<EveryTwoThousandthStep>("every_two_thousandth_step", "the number of steps, in the object", {"history"}),
      deceiver<EveryTwoThousandthStepOfAState, SavedState>("every_two_thousandth_step_of_a_state",
                                                           "the number of steps, in a saved field", {"memory"}),
      deceiver<RightForThreeHundredSteps, SavedState>("right_for_three_hundred_steps",
                                                      "the number of steps, in a saved field", {"memory"}),
      deceiver<ForceInAStatic>("force_in_a_static", "the last force, whoever computed it", {"repetition"}),
      deceiver<LastStepSize, SavedState>("last_step_size", "the h of the step before",
                                         {"last step shorter", "order of q", "order of p", "memory"}),
      deceiver<ShowsAnotherVelocity, SavedState>("shows_another_velocity", "the velocity is an output of order one",
                                                 {"order of p"}),
      deceiver<SteersByAnOutput, SavedState>("steers_by_an_output", "a field that looks like an output steers",
                                             {"memory", "symplectic"}),
      deceiver<HiddenTime>("hidden_time", "a force that depends on the age of the object",
                           {"history", "order of q", "order of p"}),
      deceiver<WearsOut>("wears_out", "the object's age, in double only", {"history", "number types"}),
      deceiver<LooksAtTheClock>("looks_at_the_clock", "the clock of the machine", {"repetition"}),
      deceiver<DrawsRandomNumbers>("draws_random_numbers", "a generator of random numbers", {"repetition"}),
  };
}

}  // namespace livi::deceivers
