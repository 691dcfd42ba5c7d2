// SPDX-License-Identifier: MIT
#include "precision.hpp"

#include "gallery.hpp"

namespace livi::deceivers {

std::vector<Exhibit> of_number_types() {
  return {
      deceiver<WrongTableInDouble>("wrong_table_in_double", "another force in double", {"number types"}),
      deceiver<AnotherMethodInDouble>("another_method_in_double", "drift, kick, drift in double", {"number types"}),
      deceiver<AnotherMethodBackwardsInDouble>("another_method_backwards_in_double", "symplectic Euler for h < 0",
                                               {"number types"}),
      deceiver<AnotherMethodForDecimalSteps>("another_method_for_decimal_steps", "symplectic Euler for h = 0.01",
                                             {"number types"}),
      deceiver<AnotherMethodForLongSteps>("another_method_for_long_steps", "symplectic Euler for h > 1/5",
                                          {"number types"}),
      deceiver<RoundsToFloat>("rounds_to_float", "positions in float", {"number types"}),
      deceiver<GrowsInDouble>("grows_in_double", "velocities grow by 1e-13 a step", {"number types", "energy drift"}),
      deceiver<AnotherMethodUnderDuals>("another_method_under_duals", "another method when differentiated",
                                        {"duals", "number types"}),
      deceiver<AnotherMethodInResidues>("another_method_in_residues", "another method when certified", {"certificate"}),
      deceiver<ForkedFarOut>("forked_far_out", "other velocities beyond 100, not in exact types", {"exact types"}),
      deceiver<ForkedStability>("forked_stability", "another limit of stability, not in exact types", {"exact types"}),
      deceiver<ForkedOnTheOscillator>("forked_on_the_oscillator", "another limit of stability, not where it is decided",
                                      {"exact types"}),
      deceiver<ForkedInSeries>("forked_in_series", "another method of order two in series", {"exact types"}),
      deceiver<ForkedComposition>("forked_composition", "another method of order two, not in exact types",
                                  {"exact types"}),
      deceiver<ThreeIterations>("three_iterations", "an iteration that is cut short", {"symplectic", "symmetric"}),
      deceiver<TwelveIterations>("twelve_iterations", "enough iterations for double", {"symplectic", "symmetric"}),
      deceiver<StopsEarly>("stops_early", "iterates to 1e-10", {"symplectic", "symmetric"}),
  };
}

}  // namespace livi::deceivers
