// SPDX-License-Identifier: MIT
#include "failures.hpp"

#include "gallery.hpp"
#include "precision.hpp"

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
      deceiver<StandsStill>("stands_still", "does nothing, of order 0", {"order of q", "order of p", "exact order"}),
      deceiver<WrongTableInDouble>("wrong_table_in_double", "another force in double", {"number types"}),
      deceiver<AnotherMethodInDouble>("another_method_in_double", "drift, kick, drift in double", {"number types"}),
      deceiver<RoundsToFloat>("rounds_to_float", "positions in float", {"number types"}),
      deceiver<GrowsInDouble>("grows_in_double", "velocities grow by 1e-13 a step", {"number types", "energy drift"}),
      deceiver<RoundsToDouble>("rounds_to_double", "50 digits rounded to 16", {"symmetric", "order of q"}),
      deceiver<AnotherMethodUnderDuals>("another_method_under_duals", "another method when differentiated",
                                        {"number types"}),
      deceiver<AnotherMethodInResidues>("another_method_in_residues", "another method when certified",
                                        {"certificate"}),
      deceiver<ThreeIterations>("three_iterations", "an iteration that is cut short", {"symplectic", "symmetric"}),
      deceiver<TwelveIterations>("twelve_iterations", "enough iterations for double", {"symplectic", "symmetric"}),
      deceiver<StopsEarly>("stops_early", "iterates to 1e-10", {"symplectic", "symmetric"}),
  };
}

}  // namespace livi::deceivers
