// SPDX-License-Identifier: MIT
//
// Brownian paths: covariances of their integrals within sampling errors, consistency between levels to rounding, and the same
// path whatever is asked for.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <livi/stochastic/brownian_path.hpp>
#include <livi/stochastic/brownian_steps.hpp>
#include <string>

namespace livi {

namespace brownian_path_test {

constexpr std::uint64_t seed = 20070418;

/// Means of the products of two numbers of each path.
struct Moments {
  double sum = 0, sum_of_squares = 0;
  long count = 0;
  void add(double x) {
    sum += x;
    sum_of_squares += x * x;
    ++count;
  }
  [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
  /// How many standard errors the mean is away from a value.
  [[nodiscard]] double errors_from(double value) const {
    const auto n = static_cast<double>(count);
    const double variance = sum_of_squares / n - mean() * mean();
    return std::abs(mean() - value) / std::sqrt(variance / n);
  }
};
/// Five standard errors are exceeded by chance in six of ten million means.
constexpr double most_errors = 5;

TEST(BrownianPath, covariances_of_a_step_are_those_of_brownian_motion_on_every_level) {
  const double end = 2;
  for (const int level : {0, 1, 3}) {
    Moments ww, wi, ii, w, i, neighbours, other_noise, j, jj;
    for (std::uint64_t path = 0; path < 20000; ++path) {
      const BrownianPath motion(seed, path, 2, end, 6);
      const double h = motion.step(level);
      const std::uint64_t last = (1ULL << level) - 1;
      const auto& a = motion.over(0, level, last / 2);
      ww.add(a.increment * a.increment);
      wi.add(a.increment * a.integral);
      ii.add(a.integral * a.integral);
      w.add(a.increment);
      i.add(a.integral);
      j.add(a.squared);
      jj.add(a.squared * a.increment * a.increment);
      other_noise.add(a.increment * motion.over(1, level, last / 2).increment);
      if (level > 0) neighbours.add(a.increment * motion.over(0, level, last / 2 + 1).integral);
      if (path + 1 < 20000) continue;
      EXPECT_LT(ww.errors_from(h), most_errors);
      EXPECT_LT(wi.errors_from(h * h / 2), most_errors);
      EXPECT_LT(ii.errors_from(h * h * h / 3), most_errors);
      EXPECT_LT(w.errors_from(0), most_errors);
      EXPECT_LT(i.errors_from(0), most_errors);
      EXPECT_LT(j.errors_from(h * h / 2), most_errors);
      // E[W(h)^2 W(s)^2] = s h + 2 s^2, whose integral is h^3/2 + 2 h^3/3.
      EXPECT_LT(jj.errors_from(7 * h * h * h / 6), most_errors);
      EXPECT_LT(other_noise.errors_from(0), most_errors);
      if (level > 0) {
        EXPECT_LT(neighbours.errors_from(0), most_errors);
      }
      // Values that are wrong by a tenth are seen.
      EXPECT_GT(ww.errors_from(1.1 * h), most_errors);
      EXPECT_GT(ii.errors_from(1.1 * h * h * h / 3), most_errors);
      EXPECT_GT(j.errors_from(1.1 * h * h / 2), most_errors);
    }
  }
}

TEST(BrownianPath, a_coarse_step_is_the_sum_of_its_fine_ones) {
  const BrownianPath motion(seed, 7, 3, 1.5, 8);
  double worst = 0;
  for (int noise = 0; noise < 3; ++noise)
    for (int level = 0; level < 8; ++level)
      for (std::uint64_t k = 0; k < (1ULL << level); ++k) {
        const double d = motion.step(level + 1);
        const auto sum = joined(motion.over(noise, level + 1, 2 * k), motion.over(noise, level + 1, 2 * k + 1), d);
        const auto& whole = motion.over(noise, level, k);
        worst = std::max({worst, std::abs(sum.increment - whole.increment), std::abs(sum.integral - whole.integral),
                          std::abs(sum.squared - whole.squared)});
      }
  EXPECT_LT(worst, 16 * std::numeric_limits<double>::epsilon());
}

TEST(BrownianPath, a_finer_path_has_the_values_of_a_coarser_one) {
  const BrownianPath coarse(seed, 3, 2, 1, 4), fine(seed, 3, 2, 1, 9), other_path(seed, 4, 2, 1, 4),
      other_seed(seed + 1, 3, 2, 1, 4);
  for (std::uint64_t k = 0; k < 16; ++k) {
    EXPECT_EQ(coarse.over(1, 4, k).increment, fine.over(1, 4, k).increment);
    EXPECT_EQ(coarse.over(1, 4, k).integral, fine.over(1, 4, k).integral);
    EXPECT_NE(coarse.over(1, 4, k).increment, coarse.over(0, 4, k).increment);
    EXPECT_NE(coarse.over(1, 4, k).increment, other_path.over(1, 4, k).increment);
    EXPECT_NE(coarse.over(1, 4, k).increment, other_seed.over(1, 4, k).increment);
  }
}

TEST(BrownianPath, the_integral_of_the_square_converges_with_the_finest_step) {
  // The error over T has the size T^(1/2) h^(3/2): a factor of 8 in the mean square for half the step.
  const auto mean_square = [](int level) {
    double sum = 0;
    for (std::uint64_t path = 0; path < 1000; ++path) {
      const double exact = BrownianPath(seed, path, 1, 1, 9).over(0, 0, 0).squared;
      sum += std::pow(BrownianPath(seed, path, 1, 1, level).over(0, 0, 0).squared - exact, 2);
    }
    return sum / 1000;
  };
  const double of_h = mean_square(3), of_half = mean_square(4);
  EXPECT_NEAR(std::log2(of_h / of_half), 3, 0.3);
}

TEST(SmoothPath, has_the_integrals_of_its_sine) {
  const SmoothPath path(0.7, 3, 2);
  const double h = path.step(2);
  const auto found = path.over(0, 2, 1);
  // Simpson's rule with 1000 parts: errors of 1e-15.
  const auto w = [](double t) { return 0.7 * std::sin(3 * t); };
  double integral = 0, squared = 0;
  constexpr int parts = 1000;
  for (int k = 0; k <= parts; ++k) {
    const double d = w(h + h * k / parts) - w(h), weight = (k == 0 || k == parts ? 1
                                                            : k % 2 == 1         ? 4
                                                                                 : 2) *
                                                           h / (3 * parts);
    integral += weight * d;
    squared += weight * d * d;
  }
  EXPECT_NEAR(found.increment, w(2 * h) - w(h), 1e-14);
  EXPECT_NEAR(found.integral, integral, 1e-12);
  EXPECT_NEAR(found.squared, squared, 1e-12);
  const auto sum = joined(path.over(0, 3, 2), path.over(0, 3, 3), path.step(3));
  EXPECT_NEAR(sum.increment, found.increment, 1e-14);
  EXPECT_NEAR(sum.integral, found.integral, 1e-14);
  EXPECT_NEAR(sum.squared, found.squared, 1e-14);
}

/// Counts the numbers of steps that differ from those of the stored path, bit for bit.
int steps_that_differ(BrownianSteps& steps, const BrownianPathWithProducts& path, int level, std::uint64_t first) {
  int differ = 0;
  for (std::uint64_t k = first; k < std::uint64_t{1} << level; ++k) {
    const StepNoise<double> of = steps.next();
    std::size_t pair = 0;
    for (int i = 0; i < path.noises(); ++i) {
      const BrownianIntegrals &a = of[static_cast<std::size_t>(i)], &b = path.over(i, level, k);
      differ += a.increment != b.increment || a.integral != b.integral || a.squared != b.squared;
      for (int j = i + 1; j < path.noises(); ++j, ++pair)
        differ +=
            of.product(static_cast<std::size_t>(i), static_cast<std::size_t>(j)) != path.products_over(level, k)[pair];
    }
  }
  return differ;
}

TEST(BrownianSteps, are_those_of_the_stored_path_from_each_step_on) {
  for (const int noises : {1, 3})
    for (const int level : {0, 1, 5})
      for (const int refinement : {0, 1, 3}) {
        const BrownianPathWithProducts path(seed, 11, noises, 1.6, level + refinement);
        for (const std::uint64_t first : {0U, 1U, 14U}) {
          BrownianSteps steps(seed, 11, noises, 1.6, level, refinement, first);
          EXPECT_EQ(steps_that_differ(steps, path, level, first), 0) << noises << " " << level << " " << refinement;
        }
      }
  // Controls: another path, and another refinement, which changes the squares alone.
  const BrownianPathWithProducts path(seed, 11, 1, 1.6, 5);
  BrownianSteps of_another(seed, 12, 1, 1.6, 5), refined(seed, 11, 1, 1.6, 5, 2);
  EXPECT_EQ(steps_that_differ(of_another, path, 5, 0), 32);
  EXPECT_EQ(steps_that_differ(refined, path, 5, 0), 32);
}

TEST(BrownianSteps, of_later_spans_are_independent_and_join) {
  Moments neighbours, variance;
  for (std::uint64_t number = 0; number < 4000; ++number) {
    BrownianSteps fine(seed, number, 1, 2, 3, 0, 7), coarse(seed, number, 1, 2, 2, 0, 4);
    const BrownianIntegrals last = fine.next()[0], a = fine.next()[0], b = fine.next()[0], both = coarse.next()[0];
    neighbours.add(last.increment * a.increment);
    variance.add(a.increment * a.increment);
    // A sum of two numbers: a few roundings of the larger one.
    EXPECT_NEAR(both.increment, a.increment + b.increment, 4e-16 * (std::abs(a.increment) + std::abs(b.increment)));
  }
  EXPECT_LT(neighbours.errors_from(0), most_errors);
  EXPECT_LT(variance.errors_from(0.25), most_errors);
  EXPECT_GT(variance.errors_from(0.5), most_errors);
}

TEST(Truncation, cuts_what_is_rare_and_nothing_else) {
  const double h = 0.01, most = std::sqrt(2 * 2 * h * std::log(100));
  EXPECT_EQ(truncated(0.9 * most, h, 2), 0.9 * most);
  EXPECT_EQ(truncated(-0.9 * most, h, 2), -0.9 * most);
  EXPECT_DOUBLE_EQ(truncated(1.5 * most, h, 2), most);
  EXPECT_DOUBLE_EQ(truncated(-1.5 * most, h, 2), -most);
}

template <class F>
std::string message(const F& f) {
  try {
    f();
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "accepted";
}
TEST(BrownianPath, bad_input_is_refused_by_name) {
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(contains(message([] { BrownianPath(1, 1, 1, 0, 3); }), "end time of a Brownian path = 0"));
  EXPECT_TRUE(contains(message([] { BrownianPath(1, 1, 0, 1, 3); }), "number of noises = 0"));
  for (const auto& [noises, level] : {std::pair{1, 31}, {1, 26}, {2, 25}, {3, 24}, {1, -1}})
    EXPECT_TRUE(contains(message([n = noises, l = level] { BrownianPath(1, 1, n, 1, l); }),
                         "finest level of a Brownian path = " + std::to_string(level)));
  EXPECT_TRUE(contains(message([] { BrownianSteps(1, 1, 1, 0, 3); }), "span of Brownian steps = 0"));
  EXPECT_TRUE(contains(message([] { BrownianSteps(1, 1, 0, 1, 3); }), "number of noises = 0"));
  EXPECT_TRUE(contains(message([] { BrownianSteps(1, 1, 1, 1, 41); }), "level of Brownian steps = 41"));
  EXPECT_TRUE(contains(message([] { BrownianSteps(1, 1, 1, 1, 3, 13); }), "refinement of Brownian steps = 13"));
  const BrownianPath path(1, 1, 1, 1, 3);
  EXPECT_TRUE(contains(message([&] { (void)path.over(1, 0, 0); }), "noise = 1"));
  EXPECT_TRUE(contains(message([&] { (void)path.over(0, 4, 0); }), "level of a Brownian path = 4"));
  EXPECT_TRUE(contains(message([&] { (void)path.over(0, 3, 8); }), "step of a Brownian path = 8"));
  EXPECT_TRUE(contains(message([] { (void)truncated(0, 1, 2); }), "step of a truncated increment = 1"));
  EXPECT_TRUE(contains(message([] { (void)truncated(0, 0.1, 0); }), "k of a truncated increment = 0"));
  EXPECT_TRUE(contains(message([] { SmoothPath(1, 0, 1); }), "frequency of a smooth path = 0"));
  // 2^25 finest steps of all noises take 1.5 GiB.
  EXPECT_TRUE(contains(message([] { BrownianPath(1, 1, 1, 1, 26); }), "finest level of a Brownian path = 26"));
  EXPECT_TRUE(contains(message([] { BrownianPath(1, 1, 100, 1, 19); }), "finest level of a Brownian path = 19"));
  EXPECT_TRUE(contains(message([] { SmoothPath(std::nan(""), 1, 1); }), "amplitude of a smooth path = nan"));
  EXPECT_TRUE(contains(message([] { SmoothPath(1, 1, 0); }), "end time of a smooth path = 0"));
  const SmoothPath smooth(1, 1, 1);
  EXPECT_TRUE(contains(message([&] { (void)smooth.over(0, -1, 0); }), "level of a smooth path = -1"));
  EXPECT_TRUE(contains(message([&] { (void)smooth.over(0, 3, 8); }), "step of a smooth path = 8"));
}

}  // namespace brownian_path_test
}  // namespace livi
