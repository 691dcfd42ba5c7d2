// SPDX-License-Identifier: MIT
#include "study/statistics/estimate.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <stdexcept>
#include <string>

namespace livi {

Confidence confidence(const std::vector<double>& values) {
  const Estimate e = estimate(values);
  if (e.count < 2) return {.mean = e.mean};
  const boost::math::students_t distribution(static_cast<double>(e.count - 1));
  return {e.mean, e.error * boost::math::quantile(boost::math::complement(distribution, 0.025))};
}

double largest_deviation(std::size_t count, std::size_t seeds, double chance) {
  if (count < 1 || seeds < 2 || !(chance > 0 && chance < 1))
    throw std::invalid_argument("largest deviation of " + std::to_string(count) + " means over " +
                                std::to_string(seeds) + " seeds at chance " + std::to_string(chance) +
                                ": allowed are one mean and more, two seeds and more, chances between 0 and 1");
  const boost::math::students_t distribution(static_cast<double>(seeds - 1));
  return boost::math::quantile(boost::math::complement(distribution, chance / (2 * static_cast<double>(count))));
}

RelativeDifference largest_difference(const std::vector<Estimate>& differences, double chance) {
  RelativeDifference largest{0, 0};
  for (const Estimate& d : differences) {
    if (!std::isfinite(d.mean) || !std::isfinite(d.error)) return {};
    const double reach = d.error * largest_deviation(differences.size(), d.count, chance);
    largest.low = std::max(largest.low, std::abs(d.mean) - reach);
    largest.high = std::max(largest.high, std::abs(d.mean) + reach);
  }
  return largest;
}

}  // namespace livi
