// SPDX-License-Identifier: MIT
#include "branches.hpp"

#include "gallery.hpp"

namespace livi::deceivers {

std::vector<Exhibit> with_branches() {
  return {
      deceiver<HalvesVelocitiesFarOut>("halves_velocities_far_out", "friction where q_0 > 2", {"certificate", "reach"}),
      deceiver<BranchesByMagnitude>("branches_by_magnitude", "friction where |q_0| > 2", {"certificate", "reach"}),
      deceiver<BranchesByRoundedValue>("branches_by_rounded_value", "friction where |q_0| > 5, not rational",
                                       {"reach"}),
      deceiver<SpeedLimit>("speed_limit", "velocities are cut at 10", {"certificate", "reach"}),
      deceiver<SubstepsWhenFast>("substeps_when_fast", "the number of substeps depends on v", {"certificate", "reach"}),
      deceiver<CrudeForTinySteps>("crude_for_tiny_steps", "of order one below h = 1/1000",
                                  {"order of q", "order of p", "reach"}),
      deceiver<CrudeInFullLanes>("crude_in_full_lanes", "of order one for 16, 32, ... degrees of freedom",
                                 {"reach", "tiny steps"}),
      deceiver<CrudeInLongSteps>("crude_in_long_steps", "of order one for h > 0.6, not rational", {"symmetric"}),
      deceiver<RightForDyadicSteps>("right_for_dyadic_steps", "of order one where 1024 h is no integer",
                                    {"order of q", "order of p", "reach"}),
      deceiver<KnowsTheJudgesPoints, SavedState>("knows_the_judges_points", "right from starts with few decimals",
                                                 {"memory", "reach", "symmetric"}),
      deceiver<DilatesBackwards>("dilates_backwards", "q -> 2 q for h < 0", {"negative steps"}),
      deceiver<TakesTheSizeOfTheStep>("takes_the_size_of_the_step", "|h| for h", {"negative steps"}),
      deceiver<TakesTheRootOfTheSquare>("takes_the_root_of_the_square", "sqrt(h^2) for h, not rational",
                                        {"negative steps"}),
      deceiver<StandsStillBackwards>("stands_still_backwards", "no step for h < 0", {"negative steps"}),
      deceiver<CrudeInHighDimensions>("crude_in_high_dimensions", "of order one for n > 6", {"reach"}),
      deceiver<ForgetsTheTail>("forgets_the_tail", "the last coordinate for odd n > 6", {"reach"}),
      deceiver<CrudeInOneDimension>("crude_in_one_dimension", "of order one for n = 1", {"reach"}),
      deceiver<DiagonalMassOnly>("diagonal_mass_only", "the mass off its diagonal for n > 3", {"reach"}),
      deceiver<LightensHeavyMasses>("lightens_heavy_masses", "masses above 5 count as 5", {"certificate", "reach"}),
      deceiver<NotSymplecticForLargeFullMasses>("not_symplectic_for_large_full_masses",
                                                "another drift for full masses with n > 3", {"reach"}),
      deceiver<CrudeForLongSteps>("crude_for_long_steps", "of order one beyond h = 3", {"certificate", "reach"}),
  };
}

}  // namespace livi::deceivers
