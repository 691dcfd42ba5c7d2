// SPDX-License-Identifier: MIT
//
// Means over seeds with their standard errors, and text with numbers in it.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <string>
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
inline Estimate estimate(const std::vector<double>& values) {
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

inline std::string text(const char* format, auto... values) {
  char buffer[3000];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

}  // namespace livi
