// SPDX-License-Identifier: MIT
//
// Histograms of independent runs: how far apart those of two methods are, whether that is more than sampling, and which
// of their peaks stand out.
//
// A run's points are correlated, runs with different seeds are not: every error here is from the scatter of whole runs.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "estimate.hpp"

namespace livi {

/// Counts in bins of one width from `low` on; what is beyond the last bin goes to one more, what is below to the first.
struct Histogram {
  double low = 0, width = 1;
  std::vector<double> counts;

  Histogram() = default;
  Histogram(double from, double to, double bin_width)
      : low(from), width(bin_width), counts(static_cast<std::size_t>(std::lround((to - from) / bin_width)) + 1) {}
  void add(double r) {
    if (std::isnan(r)) throw std::domain_error("histogram: what is counted is not a number");
    const double bin = std::clamp((r - low) / width, 0.0, static_cast<double>(counts.size() - 1));
    ++counts[static_cast<std::size_t>(bin)];
  }
  [[nodiscard]] double middle(std::size_t bin) const { return low + (static_cast<double>(bin) + 0.5) * width; }
  /// Shares per unit of r.
  [[nodiscard]] std::vector<double> density() const {
    double all = 0;
    for (const double n : counts) all += n;
    std::vector<double> result;
    for (const double n : counts) result.push_back(n / all / width);
    return result;
  }
};

/// Densities over the same bins, one per run.
using Densities = std::vector<std::vector<double>>;

/// Bin by bin.
inline std::vector<Estimate> mean_density(const Densities& runs) {
  std::vector<Estimate> result;
  std::vector<double> of_bin(runs.size());
  for (std::size_t b = 0; b < runs.front().size(); ++b) {
    for (std::size_t i = 0; i < runs.size(); ++i) of_bin[i] = runs[i][b];
    result.push_back(estimate(of_bin));
  }
  return result;
}

/// The distance of two densities: half the integral of |a - b|, the share that has to be moved; and the integral of the
/// difference of their distribution functions, how far it has to be moved times how much.
struct Distance {
  double total_variation = 0, earth_mover = 0;
};
inline Distance distance(const std::vector<double>& difference, double width) {
  Distance result;
  double ahead = 0;
  for (const double d : difference) {
    result.total_variation += width * std::abs(d) / 2;
    ahead += width * d;
    result.earth_mover += width * std::abs(ahead);
  }
  return result;
}

/// f(group) for every way to colour n = 2 m things half true, half false, up to exchange: the first stays true.
/// (2 m)!/(m!)^2/2 ways; n at most 20.
template <class F>
void for_each_halving(std::size_t n, const F& f) {
  std::vector<bool> group(n);
  std::fill(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(n / 2), true);
  do f(group);
  while (std::prev_permutation(group.begin(), group.end()) && group.front());
}

/// In how many ways k of n things can be chosen, as a double: exact below 2^53.
inline double ways_to_choose(std::size_t n, std::size_t k) {
  double ways = 1;
  for (std::size_t i = 1; i <= k; ++i) ways = ways * static_cast<double>(n - k + i) / static_cast<double>(i);
  return ways;
}

/// f(sum) for the sums of every choice of k of the runs, the first k first. Each sum costs one addition of a run.
template <class F>
void for_each_sum_of(const Densities& runs, std::size_t k, const F& f) {
  // partial[i]: the sum of the first i that are chosen.
  Densities partial(k + 1, std::vector<double>(runs.front().size(), 0.0));
  const std::function<void(std::size_t, std::size_t)> choose = [&](std::size_t chosen, std::size_t next) {
    if (chosen == k) return f(partial[k]);
    for (std::size_t i = next; i + (k - chosen) <= runs.size(); ++i) {
      for (std::size_t bin = 0; bin < runs[i].size(); ++bin)
        partial[chosen + 1][bin] = partial[chosen][bin] + runs[i][bin];
      choose(chosen + 1, i + 1);
    }
  };
  choose(0, 0);
}

/// Returns the runs as `sets` sets of equal numbers, each with its mean density.
inline Densities pooled(const Densities& runs, std::size_t sets) {
  const std::size_t each = runs.size() / sets;
  Densities result(sets, std::vector<double>(runs.front().size(), 0.0));
  for (std::size_t i = 0; i < sets * each; ++i)
    for (std::size_t k = 0; k < runs[i].size(); ++k) result[i / each][k] += runs[i][k] / static_cast<double>(each);
  return result;
}

/// Share of all ways to deal out the runs of both sets to two sets of these sizes that takes their means at least as
/// far apart in total variation as `a` and `b` are, these included: the p-value of an exact permutation test. If all
/// runs are independent and have one distribution, whatever it is, p <= x has a probability of at most x.
///
/// All runs are dealt out if that is no more than `most_ways`; else pools of two, of three, ... runs of a set, those
/// without a pool being left out.
inline double permutation_p(const Densities& a, const Densities& b, double width, double most_ways = 1e6) {
  const std::size_t fewest = std::min(a.size(), b.size());
  if (fewest == 0) throw std::invalid_argument("permutation test: a set without runs; allowed: one and more of each");
  for (const Densities* runs : {&a, &b})
    for (const std::vector<double>& run : *runs)
      for (const double share : run)
        if (!std::isfinite(share)) throw std::domain_error("permutation test: a density that is no number");
  std::size_t each = 1;
  while (each < fewest && ways_to_choose(a.size() / each + b.size() / each, fewest / each) > most_ways) ++each;
  const auto pools = [each](const Densities& runs) {
    const std::size_t sets = runs.size() / each;
    return pooled({runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(sets * each)}, sets);
  };
  // The smaller set first: its means are dealt out, which takes fewer sums.
  Densities both = pools(a.size() < b.size() ? a : b);
  const std::size_t of_one = both.size();
  for (std::vector<double>& pool : pools(a.size() < b.size() ? b : a)) both.push_back(std::move(pool));
  const std::size_t bins = both.front().size();
  std::vector<double> total(bins, 0.0);
  for (const std::vector<double>& pool : both)
    for (std::size_t k = 0; k < bins; ++k) total[k] += pool[k];
  const double one = 1 / static_cast<double>(of_one), other = 1 / static_cast<double>(both.size() - of_one);
  double ways = 0, as_far = 0, observed = 0;
  for_each_sum_of(both, of_one, [&](const std::vector<double>& sum) {
    double apart = 0;
    for (std::size_t k = 0; k < bins; ++k) apart += width * std::abs(sum[k] * one - (total[k] - sum[k]) * other) / 2;
    if (ways++ == 0) observed = apart;  // the first way is a against b
    // A total variation is at most one, and its rounding below 1e-12: what differs by less is as far.
    if (apart >= observed - 1e-12) ++as_far;
  });
  return as_far / ways;
}

/// How far the mean densities of two sets of independent runs are apart; they need not have as many runs.
struct Comparison {
  Distance apart;
  /// What sampling alone does to such a distance, as a scale and for no decision: the 99th percentile of the distances
  /// between the halves of a set, over all ways to halve it (of six runs and fewer their largest), in the mean square
  /// of both sets. Halves have half as many runs, so that a distance between them is sqrt(2) times as large. All
  /// halvings are of the same runs: two sets of one distribution are farther apart than this in 20 of 100 cases with
  /// four runs each, in 5 of 100 with eight (statistics_test).
  Distance floor;
  double p = 1;  ///< permutation_p: decides whether the sets differ by more than sampling
};
inline Comparison compare(const Densities& a, const Densities& b, double width) {
  const std::size_t bins = a.front().size();
  std::vector<double> difference(bins);
  const auto between = [&](const Densities& runs, const std::vector<bool>& group) {
    std::fill(difference.begin(), difference.end(), 0);
    const double share = 2 / static_cast<double>(group.size());
    for (std::size_t i = 0; i < group.size(); ++i) {
      const double weight = group[i] ? share : -share;
      for (std::size_t k = 0; k < bins; ++k) difference[k] += weight * runs[i][k];
    }
    return distance(difference, width);
  };
  Comparison result;
  double total_variation = 0, earth_mover = 0;
  for (const Densities* runs : {&a, &b}) {
    std::vector<double> of_total_variation, of_earth_mover;
    // The last of an odd number is left out.
    for_each_halving(runs->size() / 2 * 2, [&](const std::vector<bool>& group) {
      const Distance d = between(*runs, group);
      of_total_variation.push_back(d.total_variation);
      of_earth_mover.push_back(d.earth_mover);
    });
    const auto percentile = [](std::vector<double>& values) {
      const auto at = values.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(values.size() - 1) + 0.5);
      std::nth_element(values.begin(), at, values.end());
      return *at;
    };
    // The variance of a difference is the sum of the variances of both: half the sum of what each would give alone.
    total_variation += std::pow(percentile(of_total_variation), 2) / 2;
    earth_mover += std::pow(percentile(of_earth_mover), 2) / 2;
  }
  result.floor = {std::sqrt(total_variation / 2), std::sqrt(earth_mover / 2)};
  const Densities mean_of_a = pooled(a, 1), mean_of_b = pooled(b, 1);
  for (std::size_t k = 0; k < bins; ++k) difference[k] = mean_of_a[0][k] - mean_of_b[0][k];
  result.apart = distance(difference, width);
  result.p = permutation_p(a, b, width);
  return result;
}

/// A local maximum of a mean density.
struct Peak {
  std::size_t bin = 0;
  double height = 0;
  double prominence = 0;  ///< height over the higher of the two valleys that part it from higher peaks
  /// Prominence in its standard errors, those of peak and valley. A description and no significance: both are picked as
  /// extremes of many bins, so that a density without any peak has some of three errors (statistics_test counts
  /// them).
  double errors = 0;
};

/// The peaks that stand out by at least so many errors.
inline std::vector<Peak> peaks(const std::vector<Estimate>& density, double least_errors) {
  std::vector<Peak> result;
  const auto n = static_cast<std::ptrdiff_t>(density.size());
  const auto at = [&](std::ptrdiff_t b) {
    return b < 0 || b >= n ? Estimate{0, 0, 0} : density[static_cast<std::size_t>(b)];
  };
  for (std::ptrdiff_t b = 0; b < n; ++b) {
    if (!(at(b).mean > at(b - 1).mean && at(b).mean >= at(b + 1).mean)) continue;
    Estimate valley{0, 0, 0};
    bool has_higher = false;
    for (const std::ptrdiff_t direction : {-1, 1}) {
      Estimate lowest = at(b);
      for (std::ptrdiff_t k = b + direction; k >= 0 && k < n; k += direction) {
        if (at(k).mean < lowest.mean) lowest = at(k);
        if (at(k).mean > at(b).mean) {
          if (!has_higher || lowest.mean > valley.mean) valley = lowest;
          has_higher = true;
          break;
        }
      }
    }
    const double prominence = at(b).mean - valley.mean, error = std::hypot(at(b).error, valley.error);
    if (prominence > 0 && prominence >= least_errors * error)
      result.push_back({static_cast<std::size_t>(b), at(b).mean, prominence, prominence / error});
  }
  return result;
}

}  // namespace livi
