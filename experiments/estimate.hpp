// SPDX-License-Identifier: MIT
//
// Means over seeds with their standard errors and confidence intervals.
#pragma once

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

/// Of the values that are numbers.
[[nodiscard]] Estimate estimate(const std::vector<double>& values);

/// Mean of independent values with the half width of its 95 % confidence interval, by Student's distribution.
struct Confidence {
  double mean = not_a_number, half_width = std::numeric_limits<double>::infinity();
  [[nodiscard]] double low() const { return mean - half_width; }
  [[nodiscard]] double high() const { return mean + half_width; }
};

/// Of the values that are numbers; infinitely wide for fewer than two.
[[nodiscard]] Confidence confidence(const std::vector<double>& values);

}  // namespace livi
