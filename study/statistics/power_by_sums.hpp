// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <utility>
#include <vector>

namespace livi {

/// p of y ~ x^p through points (x, y), by least squares in logarithms, from sums that are not centred: fitted_power
/// (fitted_line.hpp) differs from it by rounding, and the accepted reports have the last digits of this one.
inline double power_by_sums(const std::vector<std::pair<double, double>>& points) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [x, y] : points) {
    const double u = std::log(x), v = std::log(y);
    sx += u, sy += v, sxx += u * u, sxy += u * v;
  }
  const auto count = static_cast<double>(points.size());
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

}  // namespace livi
