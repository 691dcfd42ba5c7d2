// SPDX-License-Identifier: MIT
//
// Means over seeds with their standard errors and confidence intervals.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace livi {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Mean and its standard error.
struct Estimate {
  double mean = not_a_number, error = not_a_number;
  std::size_t count = 0;
  [[nodiscard]] double low() const { return mean - 1.96 * error; }
  [[nodiscard]] double high() const { return mean + 1.96 * error; }
};

/// Returns the estimate from those values that are numbers.
[[nodiscard]] inline Estimate estimate(const std::vector<double>& values) {
  Estimate result;
  double sum = 0, squares = 0;
  for (const double x : values)
    if (!std::isnan(x)) {
      sum += x;
      ++result.count;
    }
  const auto n = static_cast<double>(result.count);
  result.mean = sum / n;
  for (const double x : values)
    if (!std::isnan(x)) squares += (x - result.mean) * (x - result.mean);
  result.error = std::sqrt(squares / (n - 1) / n);
  return result;
}

/// Returns the estimate from all values: not a number if one is not, as from a run that was lost or in which what is
/// counted did not happen. The others are no fair sample.
[[nodiscard]] inline Estimate estimate_of_all(const std::vector<double>& values) {
  if (std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); })) return {};
  return estimate(values);
}

/// Mean of independent values with the half width of its 95 % confidence interval, by Student's distribution.
struct Confidence {
  double mean = not_a_number, half_width = std::numeric_limits<double>::infinity();
  [[nodiscard]] double low() const { return mean - half_width; }
  [[nodiscard]] double high() const { return mean + half_width; }
};

/// Returns the confidence interval from those values that are numbers; infinitely wide for fewer than two.
[[nodiscard]] Confidence confidence(const std::vector<double>& values);

/// What the largest of `count` deviations of means over `seeds` seeds, each in its own standard error, exceeds with a
/// probability of at most `chance` if all expectations are right: Student's quantile by Bonferroni's inequality, for
/// means that depend on each other, too. Numbers of a run that are nearly normal, as sums over it are.
/// std::invalid_argument unless count >= 1, seeds >= 2, 0 < chance < 1.
[[nodiscard]] double largest_deviation(std::size_t count, std::size_t seeds, double chance = 0.01);

/// The largest of several differences in absolute value, between bounds that hold for all of them at once.
struct RelativeDifference {
  double low = not_a_number, high = not_a_number;
  /// The bound that decides on which side of a margin the largest difference is: `high` if that is below, `low` if that
  /// is above. Not a number if the margin is between them, or a bound is not a number: nothing is decided.
  [[nodiscard]] double decisive(double margin) const {
    if (high < margin) return high;
    return low > margin ? low : not_a_number;
  }
};

/// Returns the largest of several differences, given with their errors over the same seeds; the bounds are wrong with a
/// probability of at most `chance`.
[[nodiscard]] RelativeDifference largest_difference(const std::vector<Estimate>& differences, double chance = 0.01);

}  // namespace livi
