// SPDX-License-Identifier: MIT
//
// Exact motions of z' = motion(z), in 50 digits or in double, by extrapolation of the explicit midpoint rule (Gragg 1965), for
// the judge's own sources.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <livi/judge/measures/manifold.hpp>

namespace livi::foreign_detail {

using State50 = std::vector<Float50>;

/// Returns the motion over `time` by `steps` steps of the explicit midpoint rule, an even number, after one of Euler's:
/// the error is even in the step.
template <class Motion, class S>
std::vector<S> midpoint_rule(const Motion& motion, const std::vector<S>& z, const S& time, int steps) {
  const S h = time / S(steps);
  std::vector<S> before = z, now = z;
  for (int k = 0; k < steps; ++k) {
    const std::vector<S> slope = motion(now);
    std::vector<S> next = k == 0 ? z : before;
    const S by = k == 0 ? h : h * S(2);
    for (std::size_t i = 0; i < z.size(); ++i) next[i] += by * slope[i];
    before = std::exchange(now, std::move(next));
  }
  return now;
}

/// Moves z over `time`, until two columns of the table agree to `tolerance`; returns whether they did.
template <class Motion, class S>
bool extrapolate(const Motion& motion, std::vector<S>& z, const S& time, double tolerance) {
  constexpr int columns = 20;
  std::vector<std::vector<S>> row;
  for (int j = 1; j <= columns; ++j) {
    std::vector<std::vector<S>> next{midpoint_rule(motion, z, time, 2 * j)};
    for (int k = 1; k < j; ++k) {
      const S ratio = S(j * j) / S((j - k) * (j - k)) - S(1);
      std::vector<S> better = next.back();
      const std::vector<S>& coarse = row[static_cast<std::size_t>(k - 1)];
      for (std::size_t i = 0; i < better.size(); ++i) better[i] += (better[i] - coarse[i]) / ratio;
      next.push_back(std::move(better));
    }
    if (j > 3) {
      double difference = 0;
      for (std::size_t i = 0; i < z.size(); ++i)
        difference = worse(difference, extent_of(S(next.back()[i] - row.back()[i])));
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
template <class Motion, class S>
std::optional<std::vector<S>> extrapolated_motion(const Motion& motion, const std::vector<S>& from, const S& time,
                                                  double tolerance) {
  const int least = std::max(1, static_cast<int>(std::ceil(extent_of(time) * 4)));
  for (int intervals = least; intervals <= 64 * least; intervals *= 2) {
    std::vector<S> z = from;
    bool converged = true;
    for (int k = 0; k < intervals && converged; ++k)
      converged = extrapolate(motion, z, S(time / S(intervals)), tolerance / intervals);
    if (converged) return z;
  }
  return std::nullopt;
}

}  // namespace livi::foreign_detail
