// SPDX-License-Identifier: MIT
//
// Means with their errors, the largest of several deviations, trends of correlated points, and drifts.
#include <gtest/gtest.h>

#include <array>
#include <livi/linalg/normal_numbers.hpp>

#include "rare_events.hpp"
#include "study/statistics/energy_drift.hpp"
#include "study/statistics/estimate.hpp"

namespace statistics_test {

using namespace livi::test;
using livi::Estimate;

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

}  // namespace statistics_test
