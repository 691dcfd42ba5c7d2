// SPDX-License-Identifier: MIT
//
// Chains of constrained Langevin dynamics: what they sample, beside a distribution in closed form.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "study/program/estimates.hpp"
#include "study/program/parallel.hpp"
#include "study/statistics/histogram.hpp"
#include "study/statistics/over_runs.hpp"

namespace livi::on_manifolds {

/// What a chain leaves: means and the shares of a coordinate in bins of [-1, 1].
struct Chain {
  double x = not_a_number, v_squared = not_a_number;
  std::vector<double> counts;
  long made = 0;      ///< steps
  bool lost = false;  ///< a step does not exist
};
/// How many of some chains end with a step that does not exist, and the steps that all of them made.
struct Losses {
  std::size_t chains = 0;
  long lost = 0, steps = 0;
};
inline Losses losses_of(const std::vector<Chain>& chains) {
  Losses found{chains.size(), count_of(chains, [](const Chain& of) { return of.lost; }), 0};
  for (const Chain& of : chains) found.steps += of.made;
  return found;
}
inline constexpr int bins = 40;

/// Runs a method from a start; `coordinate` reads x of a state.
template <class Method, class Coordinate>
Chain chain(Method method, typename Method::state_type z, double h, long before, long steps,
            const Coordinate& coordinate) {
  Histogram histogram(-1, 1, 2.0 / bins);
  Chain found;
  double x = 0, v_squared = 0;
  for (long k = -before; k < steps; ++k) {
    if (!method.step(z, h).ok()) {
      found.lost = true;
      return found;
    }
    ++found.made;
    if (k < 0) continue;
    const double at = coordinate(z);
    x += at / static_cast<double>(steps);
    v_squared += z.v.squaredNorm() / static_cast<double>(steps);
    histogram.add(std::min(at, std::nextafter(1.0, 0.0)));
  }
  found.x = x;
  found.v_squared = v_squared;
  found.counts.assign(histogram.counts.begin(), histogram.counts.begin() + bins);
  return found;
}

/// Chains, with their distribution functions at the ends of the bins against that in closed form.
struct Sample {
  Estimate x, v_squared;
  double distance = not_a_number, error_of_distance = not_a_number;
  double between_starts = not_a_number;  ///< difference of the means of x from both starts, in its standard error
  std::vector<Estimate> density;
  Losses losses;
};
template <class Distribution>
Sample sampled(const std::vector<Chain>& chains, const Distribution& distribution) {
  Sample found;
  found.losses = losses_of(chains);
  if (found.losses.lost > 0) return found;
  found.x = estimate_of_all(of_each(chains, &Chain::x));
  found.v_squared = estimate_of_all(of_each(chains, &Chain::v_squared));
  std::vector<double> below(chains.size(), 0), density(chains.size()), one, other;
  for (std::size_t i = 0; i < chains.size(); ++i) (i % 2 == 0 ? one : other).push_back(chains[i].x);
  const Estimate first = estimate_of_all(one), second = estimate_of_all(other);
  found.between_starts = std::abs(first.mean - second.mean) / std::hypot(first.error, second.error);
  found.distance = 0;
  for (int bin = 0; bin < bins; ++bin) {
    for (std::size_t i = 0; i < chains.size(); ++i) {
      double all = 0;
      for (const double n : chains[i].counts) all += n;
      const double share = chains[i].counts[static_cast<std::size_t>(bin)] / all;
      below[i] += share;
      density[i] = share * bins / 2;
    }
    found.density.push_back(estimate_of_all(density));
    const Estimate e = estimate_of_all(below);
    const double apart = std::abs(e.mean - distribution(-1 + 2.0 * (bin + 1) / bins));
    if (apart > found.distance) found.distance = apart, found.error_of_distance = e.error;
  }
  return found;
}

}  // namespace livi::on_manifolds
