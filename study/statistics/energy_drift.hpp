// SPDX-License-Identifier: MIT
//
// The drift of an energy over a long run, with a standard error: means over blocks of time, and a line through them.
//
// Means over a torus are taken with the weight exp(-1/(s (1 - s))), 0 < s < 1 the fraction of the interval: they
// converge faster than any power of its length (Das, Saiki, Sander and Yorke 2017).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <livi/integrators/integrator.hpp>
#include <vector>

#include "fitted_line.hpp"

namespace livi {

/// Slopes are resolved beyond so many standard errors.
inline constexpr double drift_threshold = 4;

/// How large a drift is: what the slope makes of the energy over the run, in units of the largest energy error that
/// Lie-Verlet (for bodies; another symplectic method for particles) has on the same run, which is bounded. From one on
/// the drift has outgrown what a good method's energy does anyway: systematic. Up to a hundredth there is none: over
/// 150 blocks, T = 15000, four standard errors of the slope of Lie-Verlet itself are half of that.
inline constexpr double outgrown_oscillation = 1, no_drift = 0.01;

/// exp(-1/(s (1 - s))) at the middles of n equal parts, divided by the sum.
inline std::vector<double> smooth_weights(long n) {
  std::vector<double> weights;
  double sum = 0;
  for (long k = 0; k < n; ++k) {
    const double s = (static_cast<double>(k) + 0.5) / static_cast<double>(n);
    weights.push_back(std::exp(-1 / (s * (1 - s))));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// The energy error of a run: in blocks of 100 units of time its smooth mean, least and largest value; the line through
/// the means; the largest overall.
struct Drift {
  double slope = 0, standard_error = 0, largest = 0, step = 0, end_time = 0;
  std::vector<double> t, mean, low, high;
  StepOutcome outcome;

  /// |slope| in standard errors, to which the rounding of a step and the tolerance of its solver (32 units) are added
  /// as if they all had one sign.
  [[nodiscard]] double significance() const {
    const double errors = std::abs(slope) / (standard_error + 40 * std::numeric_limits<double>::epsilon() / step);
    // A failed step, an energy that is not a number, two blocks or fewer: nothing shows that there is no drift.
    return outcome.ok() && !std::isnan(errors) ? errors : std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] bool resolved() const { return significance() > drift_threshold; }
  /// What the slope makes of the energy over the run.
  [[nodiscard]] double change() const { return slope * end_time; }
  /// |change| in units of the largest energy error of a run without a drift.
  [[nodiscard]] double size(const Drift& oscillation) const {
    const double size = std::abs(change()) / oscillation.largest;
    return outcome.ok() && oscillation.outcome.ok() && !std::isnan(size) ? size
                                                                         : std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] double coefficient() const { return slope / (step * step); }
  /// Half of the width of the interval that the slope is taken to be in: four standard errors.
  [[nodiscard]] double half_width() const { return drift_threshold * standard_error; }
};

inline constexpr double drift_block_time = 100;

/// `advance(h)` makes one step and returns its outcome, `energy()` is that of the present state. h is made smaller
/// until a block is a whole number of steps.
template <class Advance, class Energy>
Drift measure_energy_drift(double h, double end_time, const Advance& advance, const Energy& energy) {
  const long blocks = std::lround(end_time / drift_block_time), steps = std::lround(drift_block_time / h);
  h = drift_block_time / static_cast<double>(steps);
  const std::vector<double> weights = smooth_weights(steps);
  Drift drift;
  drift.step = h;
  drift.end_time = end_time;
  const double initial = energy();
  for (long block = 0; block < blocks; ++block) {
    double mean = 0, low = std::numeric_limits<double>::infinity(), high = -low;
    for (long k = 0; k < steps; ++k) {
      drift.outcome = advance(h);
      if (!drift.outcome.ok()) return drift;
      const double error = energy() - initial;
      mean += weights[static_cast<std::size_t>(k)] * error;
      low = std::min(low, error);
      high = std::max(high, error);
    }
    drift.largest = std::max({drift.largest, high, -low});
    drift.t.push_back((static_cast<double>(block) + 0.5) * drift_block_time);
    drift.mean.push_back(mean);
    drift.low.push_back(low);
    drift.high.push_back(high);
  }
  const Line line = fitted_trend(drift.t, drift.mean);
  drift.slope = line.slope;
  drift.standard_error = line.standard_error;
  return drift;
}

/// Exponent of |slope| ~ h^p over all steps of the runs, with its standard error.
inline Line power_of_step(const std::vector<Drift>& runs) {
  std::vector<double> steps, slopes;
  for (const Drift& run : runs) {
    steps.push_back(run.step);
    slopes.push_back(std::abs(run.slope));
  }
  return fitted_power(steps, slopes);
}

}  // namespace livi
