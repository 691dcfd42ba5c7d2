// SPDX-License-Identifier: MIT
#include "experiments/estimate.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace livi {

Estimate estimate(const std::vector<double>& values) {
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

Confidence confidence(const std::vector<double>& values) {
  const Estimate e = estimate(values);
  if (e.count < 2) return {.mean = e.mean};
  const boost::math::students_t distribution(static_cast<double>(e.count - 1));
  return {e.mean, e.error * boost::math::quantile(boost::math::complement(distribution, 0.025))};
}

}  // namespace livi
