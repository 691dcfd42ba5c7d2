// SPDX-License-Identifier: MIT
//
// Exact motions of z' = motion(z) in 50 digits, by extrapolation of the explicit midpoint rule (Gragg 1965), for the
// judge's own sources.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <livi/foreign/manifold.hpp>

namespace livi::foreign_detail {

using State50 = std::vector<Float50>;

/// Returns the motion over `time` by `steps` steps of the explicit midpoint rule, an even number, after one of Euler's:
/// the error is even in the step.
template <class Motion>
State50 midpoint_rule(const Motion& motion, const State50& z, const Float50& time, int steps) {
  const Float50 h = time / Float50(steps);
  State50 before = z, now = z;
  for (int k = 0; k < steps; ++k) {
    const State50 slope = motion(now);
    State50 next = k == 0 ? z : before;
    const Float50 by = k == 0 ? h : h * Float50(2);
    for (std::size_t i = 0; i < z.size(); ++i) next[i] += by * slope[i];
    before = std::exchange(now, std::move(next));
  }
  return now;
}

/// Moves z over `time`, until two columns of the table agree to `tolerance`; returns whether they did.
template <class Motion>
bool extrapolate(const Motion& motion, State50& z, const Float50& time, double tolerance) {
  constexpr int columns = 20;
  std::vector<State50> row;
  for (int j = 1; j <= columns; ++j) {
    std::vector<State50> next{midpoint_rule(motion, z, time, 2 * j)};
    for (int k = 1; k < j; ++k) {
      const Float50 ratio = Float50(j * j) / Float50((j - k) * (j - k)) - Float50(1);
      State50 better = next.back();
      const State50& coarse = row[static_cast<std::size_t>(k - 1)];
      for (std::size_t i = 0; i < better.size(); ++i) better[i] += (better[i] - coarse[i]) / ratio;
      next.push_back(std::move(better));
    }
    if (j > 3) {
      double difference = 0;
      for (std::size_t i = 0; i < z.size(); ++i)
        difference = worse(difference, extent_of(Float50(next.back()[i] - row.back()[i])));
      if (difference < tolerance) {
        z = next.back();
        return true;
      }
    }
    row = std::move(next);
  }
  return false;
}

/// Returns the motion from z over `time`, good to `tolerance`, in as many intervals as that takes; nothing if it is not
/// found in 64 times as many as a quarter of the time is.
template <class Motion>
std::optional<State50> extrapolated_motion(const Motion& motion, const State50& from, const Float50& time,
                                           double tolerance) {
  const int least = std::max(1, static_cast<int>(std::ceil(std::abs(time.template convert_to<double>()) * 4)));
  for (int intervals = least; intervals <= 64 * least; intervals *= 2) {
    State50 z = from;
    bool converged = true;
    for (int k = 0; k < intervals && converged; ++k)
      converged = extrapolate(motion, z, Float50(time / Float50(intervals)), tolerance / intervals);
    if (converged) return z;
  }
  return std::nullopt;
}

}  // namespace livi::foreign_detail
