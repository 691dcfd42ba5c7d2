// SPDX-License-Identifier: MIT
#include "bodies.hpp"

#include "gallery.hpp"

namespace livi::deceivers {

namespace {

template <template <class> class Method>
Exhibit body(std::string name, std::string hides, std::vector<std::string> rows) {
  const auto factory = []<class System>(const System& system) { return Method<System>(system); };
  return {std::move(name), std::move(hides), std::move(rows),
          std::make_shared<BodySubject<decltype(factory)>>(factory)};
}

}  // namespace

std::vector<Exhibit> of_rigid_bodies() {
  return {
      body<AlternatingBody>("alternating_body", "parity in the object", {"history", "symmetric"}),
      body<TorqueTooLarge>("torque_too_large", "the torque times 1 + 1e-10",
                           {"tiny steps", "order of Q", "order of W"}),
      body<BodyWithFriction>("body_with_friction", "friction of 1e-9", {"symplectic", "stress test"}),
      body<LeavesTheGroup>("leaves_the_group", "the attitude grows by 1e-30 a step", {"group"}),
      body<LeavesTheGroupSlowly>("leaves_the_group_slowly", "the attitude grows by 1e-18 a step", {"group"}),
      body<BodyThatRunsForward>("body_that_runs_forward", "|h| for h", {"negative steps"}),
      body<AnotherBodyInDouble>("another_body_in_double", "another torque in double", {"number types"}),
      body<BodyEveryThousandthStep>("body_every_thousandth_step", "the number of steps", {"history"}),
      body<BodyByFewIterations>("body_by_few_iterations", "eight iterations", {"symplectic", "symmetric"}),
      body<MapToZeroMomentum>("map_to_zero_momentum", "its map has no inverse",
                              {"canonical map", "conjugate symplectic"}),
      body<BodyThatTurnsFast>("body_that_turns_fast", "other kicks where |W| > 8", {"reach"}),
      body<BodyWithASpeedLimit>("body_with_a_speed_limit", "angular velocities above 200 are halved", {"reach"}),
      body<HeavyBody>("heavy_body", "friction of 1e-9 where a moment is above 5", {"reach"}),
      body<BodyInLongSteps>("body_in_long_steps", "other kicks where |h| > 0.3", {"reach"}),
      body<HonestLieVerlet>("honest_lie_verlet", "an iteration to convergence", {}),
  };
}

}  // namespace livi::deceivers
