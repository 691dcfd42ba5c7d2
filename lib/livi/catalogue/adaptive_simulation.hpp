// SPDX-License-Identifier: MIT
#pragma once

#include <livi/catalogue/simulation.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>

namespace livi {

/// A method with adaptive steps in its state.
template <AdaptiveMethod Method>
class AdaptiveSimulationOf final : public SimulationOf<Method> {
 public:
  using SimulationOf<Method>::SimulationOf;

  [[nodiscard]] std::optional<Clock> clock() const override { return Clock{this->state_.t, this->state_.last_step}; }

  RunOutcome run(long steps, const std::function<bool(long)>& observe) override {
    // Who observes knows the end.
    AdaptiveTrajectory trajectory(this->method_, this->state_, this->h_, std::numeric_limits<double>::max());
    for (const auto& point : trajectory) {
      this->state_ = point.state;
      if (!observe(point.step) || point.step == steps) break;
    }
    return trajectory.outcome();
  }
};

}  // namespace livi
