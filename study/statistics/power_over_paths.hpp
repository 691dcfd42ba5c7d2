// SPDX-License-Identifier: MIT
//
// Powers of the step from the same paths at every step: strong orders.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "estimate.hpp"

namespace livi {

/// A power with the standard error that comes from the paths.
struct PathPower {
  double power = not_a_number, standard_error = not_a_number;
  std::vector<double> rms = {};  ///< at each step
};

/// Returns p of rms ~ h^p by least squares in logarithms, where squares[path][k] is a square at the step h[k]. The standard
/// error is that of linear statistics: with the weights w_k of the line, p = sum_k w_k log(m_k)/2 of the means m_k, and a path
/// moves it by sum_k w_k (square_k/m_k)/2. Errors of different steps on one path are correlated, which this counts. NaN if a
/// square is not a number, or a mean is not positive.
inline PathPower power_over_paths(const std::vector<double>& h, const std::vector<std::vector<double>>& squares) {
  const std::size_t steps = h.size();
  const auto paths = static_cast<double>(squares.size());
  std::vector<double> weights(steps), mean(steps, 0);
  double middle = 0, spread = 0;
  for (const double step : h) middle += std::log(step) / static_cast<double>(steps);
  for (const double step : h) spread += (std::log(step) - middle) * (std::log(step) - middle);
  for (std::size_t k = 0; k < steps; ++k) weights[k] = (std::log(h[k]) - middle) / spread;
  for (const auto& of_path : squares)
    for (std::size_t k = 0; k < steps; ++k) mean[k] += of_path[k] / paths;
  PathPower result;
  result.power = 0;
  for (std::size_t k = 0; k < steps; ++k) {
    result.rms.push_back(std::sqrt(mean[k]));
    result.power += weights[k] * std::log(mean[k]) / 2;
  }
  if (!std::isfinite(result.power)) return {not_a_number, not_a_number, result.rms};
  // sum_k w_k/2, the mean of the moves, is zero but for rounding.
  double variance = 0;
  for (const auto& of_path : squares) {
    double move = 0;
    for (std::size_t k = 0; k < steps; ++k) move += weights[k] * of_path[k] / mean[k] / 2;
    variance += move * move / paths / (paths - 1);
  }
  result.standard_error = std::sqrt(variance);
  return result;
}

}  // namespace livi
