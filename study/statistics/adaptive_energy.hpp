// SPDX-License-Identifier: MIT
//
// The energy of a run with adaptive steps, as energy_drift.hpp has it of one with constant steps: means over blocks of
// whole periods of the motion, and a line through them. The unit of time is the period, so that a slope is the change
// of the energy in a period.
//
// A mean over a block weighs the states of equal fictitious times by the smooth weight of energy_drift.hpp. It is
// another mean than that over time, and drifts as that does.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <livi/adaptive/adaptive_step.hpp>
#include <numbers>
#include <utility>

#include "energy_drift.hpp"

namespace livi {

/// A start, the period of the motion from there, and how long it is followed.
template <int N>
struct PeriodicMotion {
  Vector<double, N> q, v;
  double period = 2 * std::numbers::pi;
  long periods = 1000, periods_of_block = 10;
};

/// The energy error of a run, with times in periods; the largest in the first period; steps and their lengths in time.
struct AdaptiveDrift : Drift {
  double largest_of_first_period = 0;
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  long steps = 0;
  [[nodiscard]] double steps_per_period() const { return static_cast<double>(steps) / end_time; }
};

/// Collects the errors of one block after another.
class BlocksOfEnergy {
 public:
  /// `t` is the time in blocks. A state at the edge of a block weighs nothing.
  void add(double t, double error) {
    const double s = t - static_cast<double>(block_), weight = s > 0 && s < 1 ? std::exp(-1 / (s * (1 - s))) : 0;
    weights_ += weight;
    mean_ += weight * error;
    low_ = std::min(low_, error);
    high_ = std::max(high_, error);
  }
  /// Whether the block of `t` is a later one than that which is collected.
  [[nodiscard]] bool is_later(double t) const { return t >= static_cast<double>(block_ + 1); }
  /// Ends the block, of so many periods, and begins the next.
  void close(double periods, Drift& drift) {
    drift.t.push_back((static_cast<double>(block_) + 0.5) * periods);
    drift.mean.push_back(mean_ / weights_);
    drift.low.push_back(low_);
    drift.high.push_back(high_);
    drift.largest = std::max({drift.largest, high_, -low_});
    *this = BlocksOfEnergy(block_ + 1);
  }
  explicit BlocksOfEnergy(long block = 0) : block_(block) {}

 private:
  long block_;
  double weights_ = 0, mean_ = 0;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -std::numeric_limits<double>::infinity();
};

/// Follows a motion by fictitious steps h; `energy(state)` is what should not change. A run that takes more than
/// `most_steps` is given up as one whose steps are too small.
template <class Method, class Energy, int N>
AdaptiveDrift measure_adaptive_energy(Method&& method, const PeriodicMotion<N>& motion, double h, const Energy& energy,
                                      long most_steps = 20'000'000) {
  auto z = method.start(motion.q, motion.v);
  const double initial = energy(z), of_block = static_cast<double>(motion.periods_of_block);
  AdaptiveDrift drift;
  drift.end_time = static_cast<double>(motion.periods);
  BlocksOfEnergy blocks;
  while (true) {
    drift.outcome = method.step(z, h);
    if (drift.outcome.ok() && (!(z.last_step > 0) || drift.steps >= most_steps))
      drift.outcome = {Failure::step_too_small, -1};
    const double error = energy(z) - initial, t = z.t / motion.period;
    if (drift.outcome.ok() && !std::isfinite(error)) drift.outcome = {Failure::not_finite, -1};
    if (!drift.outcome.ok()) return drift;
    ++drift.steps;
    drift.shortest = std::min(drift.shortest, z.last_step);
    drift.longest = std::max(drift.longest, z.last_step);
    if (t <= 1) drift.largest_of_first_period = std::max(drift.largest_of_first_period, std::abs(error));
    if (blocks.is_later(t / of_block)) blocks.close(of_block, drift);
    if (t >= drift.end_time) break;
    blocks.add(t / of_block, error);
  }
  drift.step = drift.end_time / static_cast<double>(drift.steps);
  const Line line = fitted_trend(drift.t, drift.mean);
  drift.slope = line.slope;
  drift.standard_error = line.standard_error;
  return drift;
}

/// Follows a motion with the energy of the system as what should not change.
template <class Method, int N>
AdaptiveDrift measure_adaptive_energy(Method&& method, const PeriodicMotion<N>& motion, double h) {
  const auto& system = method.system();
  return measure_adaptive_energy(method, motion, h, [&](const auto& z) { return system.energy(z.q, z.v); });
}

}  // namespace livi
