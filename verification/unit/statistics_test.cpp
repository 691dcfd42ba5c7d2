// SPDX-License-Identifier: MIT
//
// Comparison of histograms over seeds: distances of known densities, the exact test by dealing out, the floor of
// sampling, peaks; means with their intervals; drifts.
#include <gtest/gtest.h>

#include <livi/linalg/normal_numbers.hpp>

#include "experiments/energy_drift.hpp"
#include "experiments/estimate.hpp"
#include "experiments/histogram.hpp"

namespace {

using livi::compare;
using livi::Comparison;
using livi::Densities;
using livi::Estimate;
using livi::Histogram;

/// `runs` histograms of 400 normal numbers each, moved by `shift`; seeds from `first` on.
Densities normal_runs(std::size_t runs, std::uint64_t first, double shift) {
  Densities result;
  for (std::size_t i = 0; i < runs; ++i) {
    Histogram histogram(-4, 4, 0.25);
    const auto numbers = livi::normal_numbers(first + i, 400);
    for (Eigen::Index k = 0; k < numbers.size(); ++k) histogram.add(numbers(k) + shift);
    result.push_back(histogram.density());
  }
  return result;
}

TEST(Histogram, counts_what_is_beyond_in_the_outer_bins) {
  Histogram histogram(1, 3, 0.5);
  ASSERT_EQ(histogram.counts.size(), 5U);
  for (const double r : {0.2, 1.1, 1.6, 2.9, 3.0, 17.0}) histogram.add(r);
  EXPECT_EQ(histogram.counts, (std::vector<double>{2, 1, 0, 1, 2}));
  EXPECT_DOUBLE_EQ(histogram.middle(1), 1.75);
  double all = 0;
  for (const double p : histogram.density()) all += p * histogram.width;
  EXPECT_DOUBLE_EQ(all, 1);
}

TEST(Histogram, counts_no_more_than_numbers) {
  Histogram histogram(1, 3, 0.5);
  EXPECT_THROW(histogram.add(std::numeric_limits<double>::quiet_NaN()), std::domain_error);
  histogram.add(std::numeric_limits<double>::infinity());
  EXPECT_EQ(histogram.counts, (std::vector<double>{0, 0, 0, 0, 1}));
}

TEST(Histogram, distance_of_two_spikes_is_how_far_they_are_apart) {
  // All of it moved by three bins of 0.5.
  const livi::Distance d = livi::distance({2, 0, 0, -2, 0}, 0.5);
  EXPECT_DOUBLE_EQ(d.total_variation, 1);
  EXPECT_DOUBLE_EQ(d.earth_mover, 1.5);
}

TEST(Histogram, halvings_are_all_different_and_all_there) {
  std::vector<std::vector<bool>> seen;
  livi::for_each_halving(8, [&](const std::vector<bool>& group) {
    EXPECT_TRUE(group.front());
    EXPECT_EQ(std::count(group.begin(), group.end(), true), 4);
    seen.push_back(group);
  });
  EXPECT_EQ(seen.size(), 35U);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

TEST(Histogram, comparison_sees_a_shift_and_nothing_else) {
  const Densities a = normal_runs(8, 1, 0);
  const Comparison same = compare(a, normal_runs(8, 101, 0), 0.25), moved = compare(a, normal_runs(8, 101, 0.5), 0.25);
  EXPECT_LT(same.apart.total_variation, same.floor.total_variation);
  EXPECT_GT(same.p, 0.01);
  EXPECT_GT(moved.apart.total_variation, 2 * moved.floor.total_variation);
  EXPECT_DOUBLE_EQ(moved.p, 1.0 / 6435);
  // Sampling error of a mean of 3200 normal numbers: 0.018; of the difference of two: 0.025.
  EXPECT_NEAR(moved.apart.earth_mover, 0.5, 0.1);
}

TEST(Histogram, the_floor_is_exceeded_as_rarely_as_it_says) {
  int beyond = 0;
  double p = 0;
  constexpr int pairs = 60;
  for (std::uint64_t k = 0; k < pairs; ++k) {
    const Comparison c = compare(normal_runs(6, 1000 * k + 1, 0), normal_runs(6, 1000 * k + 501, 0), 0.25);
    beyond += c.apart.total_variation > c.floor.total_variation ? 1 : 0;
    p += c.p / pairs;
  }
  // The 99th percentile of ten halvings is their largest; 60 pairs with a share of a few per cent each.
  EXPECT_LE(beyond, 12);
  // Uniform: mean 1/2 with error 0.29/sqrt(60).
  EXPECT_NEAR(p, 0.5, 0.15);
}

TEST(Histogram, pools_are_means) {
  const Densities runs{{1, 3}, {3, 5}, {0, 0}, {2, 8}};
  EXPECT_EQ(livi::pooled(runs, 2), (Densities{{2, 4}, {1, 4}}));
}

TEST(Histogram, peaks_stand_out_of_their_valleys) {
  const auto density = [](const std::vector<double>& values, double error) {
    std::vector<Estimate> result;
    for (const double x : values) result.push_back({x, error, 8});
    return result;
  };
  const std::vector<double> two{0, 5, 1, 3, 2, 2.2, 0};
  const auto all = livi::peaks(density(two, 0.01), 5);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].bin, 1U);
  EXPECT_DOUBLE_EQ(all[0].prominence, 5);
  EXPECT_DOUBLE_EQ(all[1].prominence, 2);  // over the valley of 1 towards the higher peak
  EXPECT_NEAR(all[2].prominence, 0.2, 1e-12);
  EXPECT_NEAR(all[1].significance, 2 / std::hypot(0.01, 0.01), 1e-9);
  EXPECT_EQ(livi::peaks(density(two, 0.1), 5).size(), 2U);
}

TEST(Histogram, comparison_of_sets_of_several_sizes) {
  // All sixteen and all six count for the distance, eight pools at the most for the test.
  const Densities many = normal_runs(16, 1, 0), few = normal_runs(6, 101, 0);
  const Comparison c = compare(many, few, 0.25), back = compare(few, many, 0.25);
  std::vector<double> difference(many[0].size());
  for (std::size_t b = 0; b < difference.size(); ++b)
    difference[b] = livi::mean_density(many)[b].mean - livi::mean_density(few)[b].mean;
  EXPECT_NEAR(c.apart.total_variation, livi::distance(difference, 0.25).total_variation, 1e-14);
  EXPECT_NEAR(c.apart.total_variation, back.apart.total_variation, 1e-14);
  EXPECT_DOUBLE_EQ(c.p, back.p);
  // 12!/(6!)^2/2 = 462 ways, so that p is a multiple of 1/462.
  EXPECT_NEAR(c.p * 462, std::round(c.p * 462), 1e-9);
  EXPECT_GT(c.p, 0.01);
  EXPECT_DOUBLE_EQ(compare(many, normal_runs(6, 101, 0.5), 0.25).p, 1.0 / 462);
}

TEST(Estimate, interval_is_student_s) {
  const livi::Confidence c = livi::confidence({1, 2, 4, livi::not_a_number});
  EXPECT_DOUBLE_EQ(c.mean, 7.0 / 3);
  // The standard error is sqrt(7)/3, the quantile of Student's distribution with two degrees of freedom 4.30265.
  EXPECT_NEAR(c.half_width, 4.302652729749 * std::sqrt(7.0) / 3, 1e-10);
  EXPECT_EQ(livi::confidence({1}).half_width, std::numeric_limits<double>::infinity());
}

TEST(Drift, is_not_denied_by_what_is_no_number) {
  const auto significance = [](double end_time, double spoilt_at) {
    double t = 0;
    return livi::measure_energy_drift(
               1, end_time,
               [&](double h) {
                 t += h;
                 return livi::StepOutcome{};
               },
               [&] { return t == spoilt_at ? livi::not_a_number : std::sin(t); })
        .significance();
  };
  EXPECT_LT(significance(1000, -1), livi::drift_threshold);
  EXPECT_EQ(significance(1000, 500), std::numeric_limits<double>::infinity());
  EXPECT_EQ(significance(200, -1), std::numeric_limits<double>::infinity()) << "a line through two points";
}

}  // namespace
