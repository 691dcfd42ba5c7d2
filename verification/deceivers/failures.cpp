// SPDX-License-Identifier: MIT
#include "failures.hpp"

#include "gallery.hpp"

namespace livi::deceivers {

std::vector<Exhibit> that_fail() {
  return {
      deceiver<RefusesLongSteps>("refuses_long_steps", "fails where structure is tested", {"symplectic", "symmetric"}),
      deceiver<FailsOnOneProblem>("fails_on_one_problem", "fails on one problem", {"order of q", "order of p"}),
      deceiver<FailsAtOneStepSize>("fails_at_one_step_size", "fails at h = 1/64 under duals", {"symplectic"}),
      deceiver<FailsEveryThousandthStep>("fails_every_thousandth_step", "fails rarely", {"history"}),
      deceiver<FailsInSomeStates>("fails_in_some_states", "fails in one state of a hundred",
                                  {"history", "memory", "order of q"}),
      deceiver<NotANumberBackwards>("not_a_number_backwards", "NaN for h < 0", {"negative steps"}),
      deceiver<FailsBackwards>("fails_backwards", "fails for h < 0", {"negative steps", "symmetric"}),
      deceiver<InfiniteInHighDimensions>("infinite_in_high_dimensions", "infinity for n > 6", {"reach"}),
      deceiver<NotANumberUnderDuals>("not_a_number_under_duals", "NaN when differentiated", {"symplectic"}),
      deceiver<AlwaysFails>("always_fails", "never makes a step", {"order of q", "order of p"}),
      deceiver<StandsStill>("stands_still", "does nothing, of order 0", {"order of q", "order of p", "restart"}),
  };
}

}  // namespace livi::deceivers
