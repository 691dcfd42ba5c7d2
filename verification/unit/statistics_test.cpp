// SPDX-License-Identifier: MIT
//
// Statistics of the experiments: distances of known densities, the exact test by dealing out, the floor of sampling,
// peaks; means with their intervals; slopes. What a claim says of chance ("in at most 1 of 100 cases") is simulated
// without an effect, and with a small one that is known, which must be seen. Seeds are fixed: what passes, passes
// always. And what every experiment does around its measurements.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <livi/linalg/normal_numbers.hpp>
#include <tuple>

#include "study/program/experiment.hpp"
#include "study/statistics/energy_drift.hpp"
#include "study/statistics/estimate.hpp"
#include "study/statistics/histogram.hpp"
#include "text_of.hpp"

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

/// How often something that is as rare as `probability` happens at most in n cases: four standard deviations of the
/// binomial number and one, which chance passes in less than 1 of 10^4 tests.
double at_most(double probability, int n) { return n * probability + 4 * std::sqrt(n * probability) + 1; }
double at_least(double probability, int n) { return n * probability - 4 * std::sqrt(n * probability) - 1; }

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

TEST(Estimate, interval_is_student_s) {
  const livi::Confidence c = livi::confidence({1, 2, 4, livi::not_a_number});
  EXPECT_DOUBLE_EQ(c.mean, 7.0 / 3);
  // The standard error is sqrt(7)/3, the quantile of Student's distribution with two degrees of freedom 4.30265.
  EXPECT_NEAR(c.half_width, 4.302652729749 * std::sqrt(7.0) / 3, 1e-10);
  EXPECT_EQ(livi::confidence({1}).half_width, std::numeric_limits<double>::infinity());
}

TEST(Estimate, of_all_is_none_where_one_has_no_value) {
  EXPECT_DOUBLE_EQ(livi::estimate_of_all({1, 2, 6}).mean, 3);
  EXPECT_TRUE(std::isnan(livi::estimate_of_all({1, 2, livi::not_a_number}).mean));
  EXPECT_TRUE(std::isnan(livi::estimate_of_all({1, 2, livi::not_a_number}).error));
  EXPECT_EQ(livi::estimate({1, 2, livi::not_a_number}).count, 2U);
}

/// |mean| in its standard errors, for the means over `seeds` seeds of `count` normal numbers; the first moved by so
/// many standard errors. With `alike` all are the same numbers.
double largest_of(std::size_t count, Eigen::Index seeds, std::uint64_t which, double moved = 0, bool alike = false) {
  double largest = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto xi = livi::normal_numbers(which, seeds, 10 + (alike ? 0 : k));
    std::vector<double> values(xi.data(), xi.data() + seeds);
    if (k == 0)
      for (double& x : values) x += moved / std::sqrt(static_cast<double>(seeds));
    const Estimate e = livi::estimate(values);
    largest = std::max(largest, std::abs(e.mean) / e.error);
  }
  return largest;
}

TEST(LargestDeviation, is_passed_by_chance_in_one_of_a_hundred_cases) {
  constexpr int cases = 10000;
  for (const auto& [count, seeds] : {std::pair{std::size_t{12}, 8}, std::pair{std::size_t{7}, 32}}) {
    const double bound = livi::largest_deviation(count, static_cast<std::size_t>(seeds));
    int passed = 0, passed_alike = 0, seen = 0;
    for (std::uint64_t k = 0; k < cases; ++k) {
      passed += largest_of(count, seeds, k) > bound ? 1 : 0;
      if (k >= cases / 10) continue;
      passed_alike += largest_of(count, seeds, k, 0, true) > bound ? 1 : 0;
      seen += largest_of(count, seeds, k, 3 * bound) > bound ? 1 : 0;
    }
    EXPECT_LE(passed, at_most(0.01, cases)) << count;
    EXPECT_GE(passed, at_least(0.01, cases)) << count;  // independent ones: Bonferroni's inequality is nearly sharp
    EXPECT_LE(passed_alike, at_most(0.01, cases / 10)) << count;
    // Power: one mean that is off by three times the bound, in its true error.
    EXPECT_GE(seen, 0.97 * cases / 10) << count;
  }
}

TEST(LargestDeviation, of_one_is_student_s_and_refuses_what_is_none) {
  EXPECT_NEAR(livi::largest_deviation(1, 3, 0.05), 4.302652729749, 1e-10);
  EXPECT_NEAR(livi::largest_deviation(5, 3, 0.25), 4.302652729749, 1e-10);
  EXPECT_THROW(static_cast<void>(livi::largest_deviation(0, 3)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(livi::largest_deviation(1, 1)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(livi::largest_deviation(1, 3, 0)), std::invalid_argument);
}

TEST(LargestDifference, is_on_the_wrong_side_of_a_margin_in_one_of_a_hundred_cases) {
  // Three true differences, the errors of 20 seeds: a decision against the truth is made in at most 1 of 100 cases even
  // where the largest is at the margin, and one is made nearly always where it is far from it.
  constexpr double margin = 0.1;
  const auto decide = [](const std::array<double, 3>& truth, std::uint64_t which) {
    std::vector<Estimate> differences;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto xi = livi::normal_numbers(which, 20, 30 + k);
      std::vector<double> values;
      for (Eigen::Index i = 0; i < 20; ++i) values.push_back(truth[k] + 0.05 * xi(i));
      differences.push_back(livi::estimate(values));
    }
    return livi::largest_difference(differences).decisive(margin);
  };
  constexpr int cases = 4000;
  int above = 0, below = 0, undecided = 0, right_below = 0, right_above = 0;
  for (std::uint64_t k = 0; k < cases; ++k) {
    const double at_margin = decide({0.1, -0.1, 0.1}, k);
    above += at_margin > margin ? 1 : 0;
    undecided += std::isnan(at_margin) ? 1 : 0;
    below += decide({0, -0.1, 0}, k) < margin ? 1 : 0;
    right_below += decide({0, 0.02, -0.02}, k) < margin ? 1 : 0;
    right_above += decide({0, -0.18, 0}, k) > margin ? 1 : 0;
  }
  EXPECT_LE(above, at_most(0.01, cases));
  EXPECT_LE(below, at_most(0.01, cases));
  EXPECT_GE(undecided, 0.97 * cases);
  EXPECT_GE(right_below, 0.97 * cases);
  EXPECT_GE(right_above, 0.97 * cases);
  EXPECT_TRUE(std::isnan(livi::largest_difference({{0.01, 0.001, 20}, {}}).decisive(margin)));
  EXPECT_TRUE(std::isnan(livi::largest_difference({{0.01, livi::not_a_number, 1}}).decisive(margin)));
}

/// n points of an autoregressive process of first order with unit innovations, stationary.
std::vector<double> correlated(std::size_t n, double rho, std::uint64_t seed) {
  const auto xi = livi::normal_numbers(seed, static_cast<Eigen::Index>(n), 40);
  std::vector<double> result{xi(0) / std::sqrt(1 - rho * rho)};
  for (std::size_t k = 1; k < n; ++k) result.push_back(rho * result.back() + xi(static_cast<Eigen::Index>(k)));
  return result;
}
std::vector<double> times(std::size_t n) {
  std::vector<double> t;
  for (std::size_t k = 0; k < n; ++k) t.push_back(static_cast<double>(k));
  return t;
}

TEST(Trend, of_correlated_points_is_seen_by_chance_as_rarely_as_it_says) {
  struct Case {
    std::size_t n;
    int cases;
    double bound;
  };
  for (const auto& [n, cases, bound] : {Case{150, 10000, 1.0 / 500}, Case{30, 5000, 1.0 / 40}})
    for (const double rho : {-0.5, 0.0, 0.3, 0.5, 0.7}) {
      int seen = 0, by_least_squares = 0;
      for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(cases); ++k) {
        const auto y = correlated(n, rho, k);
        const livi::Line line = livi::fitted_trend(times(n), y), naive = livi::fitted_line(times(n), y);
        seen += std::abs(line.slope) > livi::drift_threshold * line.standard_error ? 1 : 0;
        by_least_squares += std::abs(naive.slope) > livi::drift_threshold * naive.standard_error ? 1 : 0;
      }
      EXPECT_LE(seen, at_most(bound, cases)) << n << " " << rho;
      // Without the correlation the error would be wrong where the bound is not.
      if (rho == 0.7) {
        EXPECT_GE(by_least_squares, at_least(0.1, cases)) << n;
      }
    }
}

TEST(Trend, is_not_seen_in_an_oscillation_of_one_period_and_more) {
  for (const std::size_t n : {std::size_t{15}, std::size_t{30}, std::size_t{150}})
    for (const double periods : {1.0, 1.5, 2.0, 3.0, 5.0})
      for (int phase = 0; phase < 64; ++phase) {
        std::vector<double> y;
        for (std::size_t k = 0; k < n; ++k)
          y.push_back(std::sin(2 * M_PI * (periods * static_cast<double>(k) / static_cast<double>(n) + phase / 64.0)));
        const livi::Line line = livi::fitted_trend(times(n), y);
        EXPECT_LE(std::abs(line.slope), 2 * line.standard_error) << n << " " << periods << " " << phase;
      }
  // By the error of independent points it would be: 15 errors of one period in 150 points.
  std::vector<double> sine;
  for (std::size_t k = 0; k < 150; ++k) sine.push_back(std::sin(2 * M_PI * (static_cast<double>(k) + 0.5) / 150));
  const livi::Line naive = livi::fitted_line(times(150), sine);
  EXPECT_GT(std::abs(naive.slope), 14 * naive.standard_error);
}

TEST(Trend, of_known_small_size_is_seen) {
  // Slopes of ten true standard errors: sqrt((1 + rho)/(1 - rho)) times those of independent points of the same
  // variance 1/(1 - rho^2), 1/((1 - rho) sqrt(n^3/12)).
  constexpr int cases = 1000;
  for (const double rho : {0.0, 0.5, 0.7}) {
    const double error = 1 / ((1 - rho) * std::sqrt(150.0 * 150 * 150 / 12));
    int seen = 0;
    for (std::uint64_t k = 0; k < cases; ++k) {
      auto y = correlated(150, rho, k);
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += 10 * error * static_cast<double>(i);
      const livi::Line line = livi::fitted_trend(times(150), y);
      seen += line.slope > livi::drift_threshold * line.standard_error ? 1 : 0;
    }
    EXPECT_GE(seen, 0.97 * cases) << rho;
  }
}

TEST(Trend, factor_is_between_that_of_independent_points_and_that_of_a_random_walk) {
  EXPECT_EQ(livi::correlation_factor({1, -1, 1, -1, 1, -1}), 1);
  EXPECT_EQ(livi::correlation_factor({}), 1);
  EXPECT_EQ(livi::correlation_factor({0, 0, 0}), 1);
  EXPECT_DOUBLE_EQ(livi::correlation_factor({1, 1, 1, 1, -1, -1, -1, -1}), std::sqrt(1.5 * 8));
  EXPECT_TRUE(std::isnan(livi::correlation_factor({1, livi::not_a_number, 2})));
  // Autocorrelation (1 + 0 + 0 + ...)/20 of 40 residuals of which 20 are zero: +1 and -1 in turn, twice each.
  std::vector<double> r;
  for (int k = 0; k < 10; ++k)
    for (const double x : {1.0, 0.5, -0.5, -1.0}) r.push_back(x);
  // Products of neighbours of a turn: 0.5 - 0.25 + 0.5, and -1 from turn to turn.
  const double found = (10 * 0.75 - 9) / 25, rho = found + (1 + 4 * found) / 40;
  EXPECT_LT(rho, 0);
  EXPECT_EQ(livi::correlation_factor(r), 1);
  for (double& x : r) x += 1;
  const double shifted = (40 + 10 * 0.75 - 9 + 0) / (40 + 25);
  // The ends have one neighbour each: sum of x(k) x(k + 1) with x = 1 + r, r summing to zero.
  const double exact = (39 + (0.0 - r.back() + 1) + (0.0 - r.front() + 1) + 10 * 0.75 - 9) / 65;
  EXPECT_NEAR(shifted, exact, 0.05);
  const double corrected = exact + (1 + 4 * exact) / 40;
  EXPECT_NEAR(livi::correlation_factor(r), std::sqrt((1 + corrected) / (1 - corrected)), 1e-12);
}

TEST(Estimate, intervals_are_around_the_mean) {
  const Estimate estimate{2, 0.5, 3};
  EXPECT_DOUBLE_EQ(estimate.low(), 2 - 0.98);
  EXPECT_DOUBLE_EQ(estimate.high(), 2 + 0.98);
  const livi::Confidence confidence{2, 0.5};
  EXPECT_EQ(confidence.low(), 1.5);
  EXPECT_EQ(confidence.high(), 2.5);
}

TEST(Drift, has_its_points_at_the_middles_of_blocks_and_four_errors) {
  double t = 0;
  const livi::Drift drift = livi::measure_energy_drift(
      0.5, 500,
      [&](double h) {
        t += h;
        return livi::StepOutcome{};
      },
      [&] { return 0.01 * t + std::cos(0.7 * t); });
  EXPECT_EQ(drift.t, (std::vector<double>{50, 150, 250, 350, 450}));
  EXPECT_NEAR(drift.slope, 0.01, 1e-5);
  // The mean of a block is the line in its middle, but for half a step and for what smooth weights leave of the wave.
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(drift.mean[k] + 1, 0.01 * (drift.t[k] + 0.25), 1e-3);
  EXPECT_EQ(drift.half_width(), 4 * drift.standard_error);
  EXPECT_EQ(drift.coefficient(), drift.slope / 0.25);
  EXPECT_DOUBLE_EQ(drift.significance(),
                   drift.slope / (drift.standard_error + 80 * std::numeric_limits<double>::epsilon()));
}

TEST(Drift, is_not_seen_in_a_slow_oscillation) {
  double t = 0;
  const livi::Drift drift = livi::measure_energy_drift(
      1, 15000,
      [&](double h) {
        t += h;
        return livi::StepOutcome{};
      },
      [&] { return std::sin(2 * M_PI * t / 15000); });
  EXPECT_LT(drift.significance(), 2);
  EXPECT_EQ(drift.mean.size(), 150U);
}

TEST(Drift, of_the_size_of_rounding_is_none) {
  // Without any scatter: a slope of 100 units of rounding in a step is 2.5 of what a step and its solver may do.
  livi::Drift drift;
  drift.step = 0.5;
  drift.slope = 100 * std::numeric_limits<double>::epsilon() / 0.5;
  EXPECT_DOUBLE_EQ(drift.significance(), 2.5);
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

/// run_experiment with these arguments, as a program "made_up" with an option --h and threads: its status, what was
/// said, the options that the measurements were given.
struct ExperimentRun {
  int status = -1;
  std::string said, printed;
  livi::ExperimentOptions options{.out = "not run", .quick = false};
  double h = 0.5;
  unsigned threads = 1;
};
ExperimentRun run_made_up(std::vector<std::string> arguments, bool threaded = true) {
  ExperimentRun result;
  arguments.insert(arguments.begin(), "made_up");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  livi::OwnOptions own{.numbers = {{"h", &result.h, "step"}}};
  if (threaded) own.threads = &result.threads;
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  result.status = livi::run_experiment(
      static_cast<int>(pointers.size()), pointers.data(), "made_up", {"XX00", "1", ""}, "a made-up experiment", own,
      [&](livi::Report& report, const livi::ExperimentOptions& options) {
        result.options = options;
        report.claim({.id = "XX00.made_up",
                      .source = {"XX00", "1"},
                      .anchor = "words of its sentence",
                      .headline = "method",
                      .statement = "one is one",
                      .how = "seen",
                      .measured = 1,
                      .unit = "m",
                      .interval = {1, 1},
                      .reason = "it is",
                      .controls = {{.name = "two", .measured = 2, .interval = {1, 1}}}});
      });
  result.said = testing::internal::GetCapturedStderr();
  result.printed = testing::internal::GetCapturedStdout();
  return result;
}

TEST(Experiment, writes_its_report_and_says_what_it_found) {
  std::string folder = (std::filesystem::temp_directory_path() / "livi_experiment_test.XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string below = folder + "/made/if/missing";
  const ExperimentRun run = run_made_up({"--out", below, "--quick", "--h", "0.25", "--threads", "3"});
  EXPECT_EQ(run.status, 0) << run.said;
  EXPECT_EQ(run.options.out, below);
  EXPECT_TRUE(run.options.quick);
  EXPECT_EQ(run.h, 0.25);
  EXPECT_EQ(run.threads, 3U);
  EXPECT_EQ(run.said, "made_up: a made-up experiment\n  XX00.made_up: confirmed (1 m)\nmade_up: wrote " + below +
                          "/made_up.json\n");
  EXPECT_NE(livi::test::text_of(below + "/made_up.json").find("\"XX00.made_up\""), std::string::npos);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(below)) ++files;
  EXPECT_EQ(files, 1U) << "nothing but the report";
  EXPECT_FALSE(run_made_up({"--out", below}).options.quick);
  std::filesystem::remove_all(folder);
}

TEST(Experiment, refuses_what_it_cannot_do_before_it_measures) {
  const auto expect_refused = [](const ExperimentRun& run, const std::string& words) {
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.said.find(words), std::string::npos) << run.said;
    EXPECT_EQ(run.options.out, "not run");
  };
  for (const std::string folder : {"/proc/nowhere", "/dev/null/below"})
    expect_refused(run_made_up({"--out", folder}), "cannot write in the folder '" + folder + "'; choose another");
  expect_refused(run_made_up({"--threads", "0"}), "--threads");
  expect_refused(run_made_up({"--threads", "1025"}), "--threads");
  expect_refused(run_made_up({"--threads", "2"}, false), "--threads");
  expect_refused(run_made_up({"--frobnicate"}), "--frobnicate");
}

TEST(Experiment, explains_itself) {
  const ExperimentRun run = run_made_up({"--help"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.options.out, "not run");
  for (const char* words :
       {"a made-up experiment", "--out", "=results", "folder of the report (made if missing)", "--quick",
        "no claims are decided", "--h", "=0.5", "step", "--threads", "the report does not depend on it", "this text"})
    EXPECT_NE(run.printed.find(words), std::string::npos) << words;
  testing::internal::CaptureStderr();
  livi::say_progress("half", 0.5);
  livi::say_progress("begun", 0);
  livi::say_progress("something");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "  half  50 %\n  begun  0 %\n  something\n");
}

}  // namespace
