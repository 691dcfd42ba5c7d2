// SPDX-License-Identifier: MIT
//
// Histograms and the permutation test: distances, floors, peaks, and how often chance passes them.
#include <gtest/gtest.h>

#include <livi/linalg/normal_numbers.hpp>
#include <tuple>

#include "rare_events.hpp"
#include "study/statistics/estimate.hpp"
#include "study/statistics/histogram.hpp"

namespace histogram_test {

using namespace livi::test;
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

/// `runs` densities on five bins of normal numbers that depend on each other, of which `moved` is moved from the second
/// bin to the first: not histograms, for the test is one of exchange and of nothing else.
Densities random_densities(std::size_t runs, std::uint64_t seed, std::uint64_t stream, double moved = 0) {
  const auto xi = livi::normal_numbers(seed, static_cast<Eigen::Index>(6 * runs), stream);
  Densities result;
  for (std::size_t i = 0; i < runs; ++i) {
    std::vector<double> density;
    for (std::size_t k = 0; k < 5; ++k)
      density.push_back(
          1 + 0.01 * (xi(static_cast<Eigen::Index>(6 * i + k)) + 0.3 * xi(static_cast<Eigen::Index>(6 * i + 5))));
    density[0] += moved;
    density[1] -= moved;
    result.push_back(density);
  }
  return result;
}

TEST(PermutationTest, every_way_to_deal_out_the_same_runs_has_its_own_rank) {
  // Dealt out in all ways, the same runs have each p once (and its mirror image, of sets of the same size): k/ways for
  // the k-th, exactly. That is what makes the test exact.
  const Densities runs = random_densities(7, 3, 0);
  for (const std::size_t of_a : {std::size_t{2}, std::size_t{3}, std::size_t{4}, std::size_t{5}})
    for (const std::size_t all : {std::size_t{6}, std::size_t{7}}) {
      std::vector<bool> group(all);
      std::fill(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(of_a), true);
      std::vector<double> p;
      do {
        Densities a, b;
        for (std::size_t i = 0; i < all; ++i) (group[i] ? a : b).push_back(runs[i]);
        p.push_back(livi::permutation_p(a, b, 0.2));
      } while (std::prev_permutation(group.begin(), group.end()));
      ASSERT_EQ(static_cast<double>(p.size()), livi::ways_to_choose(all, of_a));
      std::sort(p.begin(), p.end());
      const std::size_t alike = 2 * of_a == all ? 2 : 1;
      for (std::size_t k = 0; k < p.size(); ++k)
        EXPECT_DOUBLE_EQ(p[k], static_cast<double>(k / alike * alike + alike) / static_cast<double>(p.size()))
            << of_a << " of " << all;
    }
}

// A run in which nothing was counted has no density.
TEST(PermutationTest, refuses_densities_that_are_no_numbers) {
  const livi::Densities good(3, {1, 0}), lost{{1, 0}, {std::nan(""), std::nan("")}, {0, 1}};
  EXPECT_THROW(static_cast<void>(livi::permutation_p(good, lost, 1)), std::domain_error);
  EXPECT_THROW(static_cast<void>(livi::permutation_p(lost, good, 1)), std::domain_error);
}

TEST(PermutationTest, ties_count_as_as_far) {
  const std::vector<double> x{1.1, 0.3, 0.1}, y{0.2, 0.7, 1.3}, z{0.9, 0.9, 0.4};
  // Both sides have the same runs, in another order, so that sums are rounded differently: nothing is nearer.
  EXPECT_EQ(livi::permutation_p({x, y, z}, {z, x, y}, 1), 1);
  for (std::uint64_t k = 1; k <= 100; ++k) {
    const Densities runs = random_densities(4, k, 6);
    EXPECT_EQ(livi::permutation_p(runs, {runs[2], runs[0], runs[3], runs[1]}, 1), 1) << k;
  }
  EXPECT_EQ(livi::permutation_p({x, x, x}, {x, x}, 1), 1);
  // As far apart as sets can be: with x twice and y twice, 2 of the 6 ways.
  EXPECT_DOUBLE_EQ(livi::permutation_p({x, x}, {y, y}, 1), 2.0 / 6);
  EXPECT_EQ(livi::permutation_p({x}, {y}, 1), 1);
  EXPECT_THROW(static_cast<void>(livi::permutation_p({x}, {}, 1)), std::invalid_argument);
}

TEST(PermutationTest, counts_the_total_variation_of_means) {
  // Three runs and five, in all 56 ways, by the means of each set.
  const Densities runs = random_densities(8, 11, 0);
  const auto apart = [&](const std::vector<bool>& group) {
    Densities a, b;
    for (std::size_t i = 0; i < 8; ++i) (group[i] ? a : b).push_back(runs[i]);
    std::vector<double> difference;
    for (std::size_t k = 0; k < 5; ++k)
      difference.push_back(livi::mean_density(a)[k].mean - livi::mean_density(b)[k].mean);
    return livi::distance(difference, 0.2).total_variation;
  };
  std::vector<bool> group{true, true, true, false, false, false, false, false};
  const double observed = apart(group);
  int as_far = 0;
  do as_far += apart(group) >= observed - 1e-12 ? 1 : 0;
  while (std::prev_permutation(group.begin(), group.end()));
  const Densities a(runs.begin(), runs.begin() + 3), b(runs.begin() + 3, runs.end());
  EXPECT_DOUBLE_EQ(livi::permutation_p(a, b, 0.2), as_far / 56.0);
  EXPECT_DOUBLE_EQ(livi::permutation_p(b, a, 0.2), as_far / 56.0);
}

TEST(PermutationTest, deals_out_pools_where_there_are_too_many_ways) {
  // 16 and 16 runs would be 6e8 ways: pools of two are 12870. 11 and 16 at no more than 100 ways: pools of three, 3 and
  // 5 of them, 56 ways; two runs of the eleven and one of the others are left out.
  Densities a = random_densities(16, 5, 0), b = random_densities(16, 5, 1, 0.5);
  EXPECT_DOUBLE_EQ(livi::permutation_p(a, b, 0.2), 2.0 / 12870);
  a.resize(11);
  const double p = livi::permutation_p(a, b, 0.2, 100);
  EXPECT_DOUBLE_EQ(p, 1.0 / 56);
  for (std::size_t i = 9; i < 11; ++i) a[i] = {9, 9, 9, 9, 9};
  EXPECT_EQ(livi::permutation_p(a, b, 0.2, 100), p);
}

TEST(PermutationTest, is_passed_by_chance_as_often_as_p_says) {
  // Ways of six and six runs: 924, of which each and its mirror image have one p; of four and eight: 495.
  for (const auto& [of_a, of_b, ways] : {std::tuple{6, 6, 462.0}, std::tuple{4, 8, 495.0}}) {
    constexpr int cases = 3000;
    int below_twentieth = 0, below_hundredth = 0;
    for (std::uint64_t k = 1; k <= cases; ++k) {
      const double p = livi::permutation_p(random_densities(static_cast<std::size_t>(of_a), k, 1),
                                           random_densities(static_cast<std::size_t>(of_b), k, 2), 0.2);
      below_twentieth += p <= 0.05 ? 1 : 0;
      below_hundredth += p <= 0.01 ? 1 : 0;
    }
    // No more than it says, and no less than whole ways allow.
    EXPECT_LE(below_twentieth, at_most(0.05, cases)) << of_a;
    EXPECT_GE(below_twentieth, at_least(std::floor(0.05 * ways) / ways, cases)) << of_a;
    EXPECT_LE(below_hundredth, at_most(0.01, cases)) << of_a;
    EXPECT_GE(below_hundredth, at_least(std::floor(0.01 * ways) / ways, cases)) << of_a;
  }
}

TEST(PermutationTest, deals_out_pools_where_the_runs_have_more_than_a_million_ways) {
  // 23 over 11 ways are 1.35 million; 5 pools of two runs and 6 have 11 over 5, of which only the given one is as far.
  const Densities a(11, {1, 0}), b(12, {0, 1});
  EXPECT_DOUBLE_EQ(livi::permutation_p(a, b, 1), 1.0 / 462);
  EXPECT_DOUBLE_EQ(livi::permutation_p(b, a, 1), 1.0 / 462);
  // 22 over 10 ways are few enough.
  EXPECT_DOUBLE_EQ(livi::permutation_p({a.begin() + 1, a.end()}, b, 1), 1.0 / 646646);
}

TEST(PermutationTest, sees_a_small_effect) {
  // Eight and eight runs; what is moved is three standard deviations of a bin of one run, so that the means differ in
  // two of five bins by six of their errors: of 200 pairs nearly all have a p below 1/400, which decides the claims on
  // ensembles. Without the effect hardly one in 400.
  constexpr int cases = 200;
  int seen = 0, imagined = 0;
  for (std::uint64_t k = 1; k <= cases; ++k) {
    const Densities a = random_densities(8, k, 1);
    seen += livi::permutation_p(a, random_densities(8, k, 2, 0.03), 0.2) < 0.0025 ? 1 : 0;
    imagined += livi::permutation_p(a, random_densities(8, k, 2), 0.2) < 0.0025 ? 1 : 0;
  }
  EXPECT_GE(seen, 0.9 * cases);
  EXPECT_LE(imagined, at_most(0.0025, cases));
}

TEST(Histogram, the_floor_is_a_scale_that_is_exceeded_as_often_as_it_says) {
  // 20 of 100 pairs of four runs each, 5 of 100 of eight: no 99th percentile.
  const auto beyond = [](std::size_t runs, int pairs) {
    int count = 0;
    for (std::uint64_t k = 1; k <= static_cast<std::uint64_t>(pairs); ++k) {
      const Comparison c = compare(random_densities(runs, k, 1), random_densities(runs, k, 2), 0.2);
      count += c.apart.total_variation > c.floor.total_variation ? 1 : 0;
    }
    return count;
  };
  EXPECT_LE(beyond(4, 1000), at_most(0.2, 1000));
  EXPECT_GE(beyond(4, 1000), at_least(0.2, 1000));
  EXPECT_LE(beyond(8, 200), at_most(0.05, 200));
}

TEST(Histogram, the_floor_of_two_runs_each_is_half_of_what_parts_them_in_the_mean_square) {
  // Halves of {0, 1} and {3, 0} in the first of two bins, the rest in the other: total variations 1 and 3, and the
  // means of two runs are apart by less than halves of one by sqrt 2: sqrt((1^2 + 3^2)/2/2).
  const Comparison c = compare({{0, 3}, {1, 2}}, {{3, 0}, {0, 3}}, 1);
  EXPECT_DOUBLE_EQ(c.floor.total_variation, std::sqrt(10.0) / 2);
  EXPECT_DOUBLE_EQ(c.floor.earth_mover, std::sqrt(10.0) / 2);
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
  EXPECT_NEAR(all[1].errors, 2 / std::hypot(0.01, 0.01), 1e-9);
  EXPECT_EQ(livi::peaks(density(two, 0.1), 5).size(), 2U);
  // Between two that are higher: over the higher of the two valleys.
  const auto between = livi::peaks(density({0, 5, 1, 3, 2, 6, 0}, 0.01), 5);
  ASSERT_EQ(between.size(), 3U);
  EXPECT_DOUBLE_EQ(between[1].prominence, 1);
  // A level top is one peak, at its first bin.
  const auto level = livi::peaks(density({0, 5, 5, 1, 3, 0}, 0.01), 5);
  ASSERT_EQ(level.size(), 2U);
  EXPECT_EQ(level[0].bin, 1U);
  EXPECT_EQ(level[1].bin, 4U);
}

TEST(Histogram, noise_makes_peaks_of_several_errors_but_none_of_half_their_height) {
  // A flat density of 100 bins, 16 runs with 1000 numbers each. Peaks and valleys are picked, so that "three standard
  // errors", which of a peak chosen before chance passes once in 100 times, are passed by some in most of 20 cases;
  // with half of their height, by none.
  int of_errors = 0, clear = 0;
  for (std::uint64_t k = 0; k < 20; ++k) {
    Densities runs;
    for (std::uint64_t i = 0; i < 16; ++i) {
      Histogram histogram(0, 1, 0.01);
      const auto numbers = livi::normal_numbers(16 * k + i, 1000, 3);
      for (Eigen::Index j = 0; j < 1000; ++j) histogram.add(std::erfc(numbers(j) / std::sqrt(2.0)) / 2 * 0.999);
      runs.push_back(histogram.density());
    }
    for (Densities::value_type& density : runs) density.pop_back();
    for (const livi::Peak& peak : livi::peaks(livi::mean_density(runs), 3)) {
      // The highest of all stands out of nothing.
      const bool highest = peak.prominence == peak.height;
      of_errors += highest ? 0 : 1;
      clear += !highest && peak.prominence > 0.5 * peak.height ? 1 : 0;
    }
  }
  EXPECT_GE(of_errors, 10);
  EXPECT_EQ(clear, 0);
}

TEST(Histogram, comparison_of_sets_of_several_sizes) {
  // All sixteen and all six count for the distance and for the test.
  const Densities many = normal_runs(16, 1, 0), few = normal_runs(6, 101, 0);
  const Comparison c = compare(many, few, 0.25), back = compare(few, many, 0.25);
  std::vector<double> difference(many[0].size());
  for (std::size_t b = 0; b < difference.size(); ++b)
    difference[b] = livi::mean_density(many)[b].mean - livi::mean_density(few)[b].mean;
  EXPECT_NEAR(c.apart.total_variation, livi::distance(difference, 0.25).total_variation, 1e-14);
  EXPECT_NEAR(c.apart.total_variation, back.apart.total_variation, 1e-14);
  EXPECT_DOUBLE_EQ(c.p, back.p);
  // 22!/(6! 16!) = 74613 ways, so that p is a multiple of one of them.
  EXPECT_NEAR(c.p * 74613, std::round(c.p * 74613), 1e-6);
  EXPECT_GT(c.p, 0.01);
  EXPECT_DOUBLE_EQ(compare(many, normal_runs(6, 101, 0.5), 0.25).p, 1.0 / 74613);
}

}  // namespace histogram_test
