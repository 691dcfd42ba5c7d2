// SPDX-License-Identifier: MIT
#include "constrained.hpp"

#include "gallery.hpp"

namespace livi::deceivers {

namespace {

template <template <class> class Method>
Exhibit constrained(std::string name, std::string hides, std::vector<std::string> rows) {
  const auto factory = []<class System>(const System& system) { return Method<System>(system); };
  return {std::move(name), std::move(hides), std::move(rows),
          std::make_shared<ConstrainedSubject<decltype(factory)>>(factory)};
}

}  // namespace

std::vector<Exhibit> of_constrained_systems() {
  return {
      constrained<RattleOffTheTangents>("rattle_off_the_tangents", "velocities are tangent to 1e-12", {"constraint"}),
      constrained<RattleWithNewNormals>("rattle_with_new_normals", "multipliers push along other normals",
                                        {"symplectic", "symmetric"}),
      constrained<RattleStopsEarly>("rattle_stops_early", "two iterations", {"constraint", "symplectic"}),
      constrained<RattleWithAnotherForce>("rattle_with_another_force", "half the force times 1 + 1e-9",
                                          {"order of q", "order of p", "symmetric"}),
      constrained<RattleEveryThousandthStep>("rattle_every_thousandth_step", "the number of steps", {"history"}),
      constrained<RattleThatRunsForward>("rattle_that_runs_forward", "|h| for h", {"negative steps"}),
      constrained<RattleInManyDimensions>("rattle_in_many_dimensions", "half a kick too large for n > 4", {"reach"}),
      constrained<RattleWithHeavyMasses>("rattle_with_heavy_masses", "friction of 1e-9 where a mass is above 5",
                                         {"reach"}),
      constrained<RattleFarFromTheOrigin>("rattle_far_from_the_origin", "velocities are tangent to 1e-9 far out",
                                          {"reach"}),
      constrained<HonestRattle>("honest_rattle", "an iteration to convergence", {}),
  };
}

}  // namespace livi::deceivers
