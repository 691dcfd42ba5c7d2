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
    running_ = &trajectory;
    for (const auto& point : trajectory) {
      this->state_ = point.state;
      if (!observe(point.step) || point.step == steps) break;
    }
    running_ = nullptr;
    return trajectory.outcome();
  }

  bool read_at(double time, Reading& reading) const override {
    if (running_ == nullptr) return false;
    const auto point = running_->at(time);
    reading.q = point.q;
    reading.v = point.v;
    return true;
  }
  [[nodiscard]] std::string save_before() const override {
    return running_ == nullptr ? std::string() : save_state(running_->before());
  }

 private:
  const AdaptiveTrajectory<Method>* running_ = nullptr;  ///< while it runs
};

}  // namespace livi
