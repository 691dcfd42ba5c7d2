// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <livi/diagnostics/correlated_residuals.hpp>
#include <vector>

namespace livi {

/// A line through points by least squares, with the standard error of its slope from the scatter about it, as of
/// independent points.
struct Line {
  double slope = 0, standard_error = 0, scatter = 0;
};
inline Line fitted_line(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    mean_x += x[k] / n;
    mean_y += y[k] / n;
  }
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mean_x) * (x[k] - mean_x);
    xy += (x[k] - mean_x) * (y[k] - mean_y);
  }
  Line line;
  line.slope = xy / xx;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double r = y[k] - mean_y - line.slope * (x[k] - mean_x);
    line.scatter += r * r;
  }
  line.standard_error = std::sqrt(line.scatter / (n - 2) / xx);
  return line;
}

/// Returns the line through points of a run at equal times, with a standard error that accounts for the correlation of
/// neighbours about the line.
inline Line fitted_trend(const std::vector<double>& t, const std::vector<double>& y) {
  Line line = fitted_line(t, y);
  double mean_t = 0, mean_y = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    mean_t += t[k] / static_cast<double>(t.size());
    mean_y += y[k] / static_cast<double>(t.size());
  }
  std::vector<double> residuals;
  for (std::size_t k = 0; k < t.size(); ++k) residuals.push_back(y[k] - mean_y - line.slope * (t[k] - mean_t));
  line.standard_error *= correlation_factor(residuals);
  return line;
}

/// p of y ~ x^p: the line through the logarithms.
inline Line fitted_power(std::vector<double> x, std::vector<double> y) {
  for (double& value : x) value = std::log(value);
  for (double& value : y) value = std::log(value);
  return fitted_line(x, y);
}

}  // namespace livi
