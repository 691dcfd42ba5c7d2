// SPDX-License-Identifier: MIT
//
// What verdicts rest on: residues, certificates, coefficients of orders, linear stability, permutation tests, errors of
// slopes; compiled in seconds: see methods.hpp.
#include <gtest/gtest.h>

#include <livi/diagnostics/certificate.hpp>
#include <livi/diagnostics/correlated_residuals.hpp>
#include <livi/diagnostics/linear_stability.hpp>
#include <livi/scalar/power_series.hpp>

#include "study/statistics/histogram.hpp"

namespace {

using namespace livi;

class Residues : public testing::Test {
 protected:
  std::mt19937_64 generator{7};
  Residue x, y;
  void SetUp() override {
    Residue::choose_prime(generator);
    x = Residue::variable(generator);
    y = Residue::variable(generator);
  }
};

TEST_F(Residues, of_variables_belong_to_their_prime) {
  const Residue difference = x - x;
  Residue::choose_prime(generator);
  const Residue z = Residue::variable(generator);
  EXPECT_THROW(static_cast<void>(z + x), MadeBeforeThePrime);
  EXPECT_THROW(static_cast<void>(x * z), MadeBeforeThePrime);
  EXPECT_THROW(static_cast<void>(-x), MadeBeforeThePrime);
  EXPECT_THROW(static_cast<void>(x.is_zero()), MadeBeforeThePrime);
  EXPECT_THROW(static_cast<void>(magnitude(difference)), MadeBeforeThePrime);
}
TEST_F(Residues, of_constants_follow) {
  const Residue third = Residue(1) / Residue(3), tenth(0.1), sixth = third / Residue(2), half = sixth + third;
  Residue::choose_prime(generator);
  const Residue z = Residue::variable(generator);
  EXPECT_EQ(z * third * Residue(3), z);
  EXPECT_EQ(third - z, Residue(1) / Residue(3) - z);
  EXPECT_EQ(tenth, Residue(0.1));
  EXPECT_EQ(half, Residue(1) / Residue(2));
  EXPECT_EQ(-sixth, Residue(-1) / Residue(6));
}
TEST_F(Residues, are_those_of_a_division) {
  __extension__ typedef unsigned __int128 Wide;
  const std::uint64_t p = Residue::prime(), large = (std::uint64_t(1) << 63) - 25;
  for (const std::uint64_t m : {p, large}) {
    const residue_detail::Modulus modulus(m);
    Wide sum = 0;
    std::uint64_t slow = 0;
    for (int k = 0; k < 2000; ++k) {
      const std::uint64_t a = m - 1 - (k % 2 == 0 ? 0 : generator() % m), b = generator() % m;
      const auto product = static_cast<std::uint64_t>(Wide(a) * b % m);
      ASSERT_EQ(modulus.multiply(a, b), product);
      sum = modulus.add_product(sum, m - 1, m - 1);
      slow = (slow + 1) % m;
      ASSERT_EQ(modulus.remainder(sum), slow);
      if (b != 0) ASSERT_EQ(static_cast<std::uint64_t>(Wide(modulus.inverse(b)) * b % m), 1u);
    }
  }
  SumOfProducts<Residue> sum(x);
  sum.subtract(x, y);
  sum.add(y, x / y);
  EXPECT_EQ(sum.value(), x - x * y + y * (x / y));
  EXPECT_EQ(sum.value().degree(), (x - x * y + y * (x / y)).degree());
}
TEST_F(Residues, know_degree_and_height) {
  const auto expect = [](const Residue& r, double degree, double height) {
    EXPECT_EQ(r.degree(), degree);
    EXPECT_NEAR(r.height(), height, 1e-12);
  };
  expect(x * x * y + Residue(3) * x, 3, 2);
  expect((x + y) * (x - y), 2, 2);
  expect(x / y + y / x, 2, 1);
  expect(x / (x + y) - y / (Residue(0) - x - y), 1, 1);
  expect(Residue(1) / (Residue(1) / (x + y)), 1, 1);
  EXPECT_LT((Residue(0) * x).degree(), 0);
}
TEST_F(Residues, count_what_branches_depend_on) {
  static_cast<void>(x * x == y);
  EXPECT_EQ(Residue::branches().degree, 2);
  static_cast<void>(magnitude(x));
  EXPECT_EQ(Residue::branches().degree, 3);
  static_cast<void>(x / (x + y) / (x * y));
  EXPECT_EQ(Residue::comparisons().degree - Residue::branches().degree, 2 * 2);
  static_cast<void>(Residue(0) / (x - y));
  EXPECT_EQ(Residue::all_divisors().degree, 1 + 2 + 1);
}
TEST_F(Residues, have_no_sign) {
  EXPECT_THROW(static_cast<void>(leading(x) < 0), NotRational);
  EXPECT_THROW(static_cast<void>(magnitude(x) < magnitude(y)), NotRational);
  EXPECT_THROW(static_cast<void>(magnitude(x) < 2), NotRational);
  EXPECT_TRUE(0 < magnitude(x));
}

TEST(Certificates, prove_an_identity_and_disprove_another) {
  const auto statement = [](int error) {
    return [error](auto& draw) {
      const auto x = draw.variable("x"), y = draw.variable("y");
      return std::vector{(x + y) * (x - y) - x * x + y * y, x / y * y - x + decltype(x)(error) / 1000000000};
    };
  };
  const Certificate proved = certify(statement(0), {.least_points = 8});
  EXPECT_TRUE(proved.proved());
  EXPECT_EQ(proved.points, 8);
  EXPECT_EQ(proved.functions, 2);
  EXPECT_LE(proved.probability, 1e-30);
  EXPECT_GT(proved.probability, 0);
  const Certificate disproved = certify(statement(1));
  EXPECT_TRUE(disproved.disproved());
  EXPECT_EQ(disproved.nonzero, 1);
}
// A constant that the first four primes of a seed divide is no zero.
TEST(Certificates, take_a_new_prime_for_each_of_five_points_at_least) {
  constexpr std::uint64_t seed = 99;
  std::mt19937_64 generator(seed);
  std::vector<std::uint64_t> primes;
  for (int k = 0; k < 4; ++k) {
    Residue::choose_prime(generator);
    primes.push_back(Residue::prime());
    Draw<Residue> draw(generator);
    static_cast<void>(draw.variable("x"));
  }
  const auto statement = [&](auto& draw) {
    Residue product = draw.variable("x");
    for (const std::uint64_t p : primes) product *= Residue(p);
    return std::vector{product};
  };
  EXPECT_TRUE(certify(statement, {.seed = seed}).disproved());
}
TEST(Certificates, are_undecided_where_a_program_branches_or_fails) {
  const auto finding = [](auto statement) { return certify(statement).finding; };
  using enum Certificate::Finding;
  EXPECT_EQ(finding([](auto& draw) {
              const auto x = draw.variable("x");
              return std::vector{leading(x) < 0 ? x : x - x};
            }),
            undecided);
  EXPECT_EQ(finding([](auto& draw) -> std::vector<Residue> {
              static_cast<void>(draw.variable("x"));
              throw StepFailed("always");
            }),
            undecided);
}
// Degree 2^40: one point is wrong with probability 2^-20, so that more than five are needed.
TEST(Certificates, take_more_points_for_high_degrees) {
  const Certificate high = certify([](auto& draw) {
    auto x = draw.variable("x");
    const auto start = x;
    for (int k = 0; k < 40; ++k) x *= x;
    return std::vector{x / start * start - x};
  });
  EXPECT_TRUE(high.proved());
  EXPECT_GE(high.points, 6);
  EXPECT_LE(high.probability, 1e-30);
  const double of_one_point = high.degree * std::exp2(-60) + high.height / 60 * std::exp2(-53);
  EXPECT_DOUBLE_EQ(high.probability, next_power_of_ten(std::pow(of_one_point, high.points)));
  // With branches each point may be a deception.
  const Certificate branching = certify([](auto& draw) {
    const auto x = draw.variable("x");
    return std::vector{x == draw.variable("y") ? x : x - x};
  });
  EXPECT_TRUE(branching.proved());
  EXPECT_GT(branching.probability, 0);
}
TEST(Certificates, add_up) {
  Certificate one{.finding = Certificate::Finding::proved, .probability = 1e-31};
  CombinedProbability sum;
  for (int k = 0; k < 5; ++k) sum.add(one);
  EXPECT_DOUBLE_EQ(sum.bound(), 1e-30);
  one.finding = Certificate::Finding::undecided;
  EXPECT_THROW(sum.add(one), std::logic_error);
}
TEST(Certificates, of_the_order_of_verlet) {
  const auto coefficients = [](int from, int to) {
    return [=](auto& draw) {
      const Vector<Residue, Dynamic> q = draw.variables("q", 1), v = draw.variables("v", 1);
      const auto acceleration = [](const auto& x, auto& a) { a(0) = -x(0) * x(0) * x(0); };
      const auto all = order_coefficients<Residue, 4>(q, v, acceleration, [&](auto& x, auto& u, const auto& h) {
        using T = PowerSeries<Residue, 4>;
        auto a = x;
        acceleration(x, a);
        u(0) += h / T(2) * a(0);
        x(0) += h * u(0);
        acceleration(x, a);
        u(0) += h / T(2) * a(0);
      });
      std::vector<Residue> values;
      for (int k = from; k <= to; ++k)
        for (const Residue& c : all[static_cast<std::size_t>(k)]) values.push_back(c);
      return values;
    };
  };
  EXPECT_TRUE(certify(coefficients(0, 2)).proved());
  EXPECT_EQ(certify(coefficients(0, 2)).functions, 6);
  EXPECT_TRUE(certify(coefficients(3, 3)).disproved());
}

using F = RationalFunction<Rational>;
StepMatrix<Rational> matrix(const F& a, const F& b, const F& c, const F& d) { return {{{{a, b}, {c, d}}}}; }

TEST(LinearStability, of_verlet_ends_at_two) {
  const F z = F::variable();
  const StabilityDecision verlet = decide_stability(matrix(F(1) - z / F(2), F(1), -z + z * z / F(4), F(1) - z / F(2)));
  EXPECT_TRUE(verlet.determinant_is_one);
  EXPECT_FALSE(verlet.unconditional);
  EXPECT_NEAR(verlet.limit, 2, 1e-15);
  EXPECT_EQ(verlet.crossings, 1);
  ASSERT_EQ(verlet.windows.size(), 1u);
  EXPECT_FALSE(verlet.windows[0].end.has_value());
}
TEST(LinearStability, needs_more_than_a_trace_in_bounds) {
  EXPECT_FALSE(decide_stability(matrix(F(1), F(1), F(0), F(1))).unconditional);   // a drift
  EXPECT_FALSE(decide_stability(matrix(F(0), F(4), F(-4), F(0))).unconditional);  // determinant 16
  EXPECT_TRUE(decide_stability(matrix(F(1), F(0), F(0), F(1))).unconditional);
  EXPECT_TRUE(decide_stability(matrix(F(0), F(1), F(-1), F(0))).unconditional);
  // Heun's: |eigenvalue|^2 = 1 + z^2/4.
  const F z = F::variable();
  const auto heun = matrix(F(1) - z / F(2), F(1), -z, F(1) - z / F(2));
  EXPECT_FALSE(is_stable_near_zero(heun));
  EXPECT_EQ(decide_stability(heun).limit, 0);
}
TEST(LinearStability, finds_windows_touchings_and_poles) {
  const F z = F::variable();
  const auto of_trace = [](const F& trace) { return matrix(trace, F(1), F(-1), F(0)); };
  // |T| > 2 between 1 and 1 + 1/1000.
  const StabilityDecision window = decide_stability(of_trace(F(2) + (z - F(1)) * (F(1001) / F(1000) - z)));
  ASSERT_EQ(window.windows.size(), 2u);
  EXPECT_NEAR(window.limit, 1, 1e-15);
  ASSERT_TRUE(window.windows[0].end.has_value());
  EXPECT_NEAR(Rational(window.windows[0].end->high).convert_to<double>(), 1.001, 1e-15);
  // T = 2 at z = 1 alone, bounded beside it.
  const F bump = F(1) / (F(1) + (z - F(1)) * (z - F(1)));
  const StabilityDecision touching = decide_stability(of_trace(F(2) * bump));
  EXPECT_TRUE(touching.unconditional);
  ASSERT_EQ(touching.touchings.size(), 1u);
  EXPECT_TRUE(touching.touchings[0].grows);
  // A pole that trace and determinant do not show.
  const StabilityDecision pole = decide_stability(matrix(F(0), F(1) / (z - F(1)), F(1) - z, F(0)));
  EXPECT_FALSE(pole.unconditional);
  ASSERT_EQ(pole.poles.size(), 1u);
  EXPECT_NEAR(pole.limit, 1, 1e-15);
}

// Two sets of four runs that have no bin in common: of 70 ways to deal them out 2 take the sets as far apart.
TEST(PermutationTest, counts_every_way_and_the_one_that_was_seen) {
  const Densities left(4, {1, 0, 0}), right(4, {0, 1, 0}), shorter(2, {0, 1, 0});
  EXPECT_DOUBLE_EQ(permutation_p(left, right, 1), 2.0 / 70);
  EXPECT_DOUBLE_EQ(permutation_p(left, left, 1), 1);
  EXPECT_DOUBLE_EQ(permutation_p(left, shorter, 1), 1.0 / 15);
  EXPECT_DOUBLE_EQ(permutation_p(shorter, left, 1), 1.0 / 15);
  EXPECT_DOUBLE_EQ(permutation_p(left, right, 1, 10), 2.0 / 6) << "two pools of two of each set";
  EXPECT_THROW(static_cast<void>(permutation_p(left, {}, 1)), std::invalid_argument);
}
TEST(PermutationTest, measures_means_of_sets_that_differ_in_size) {
  // 3 against 4/3: as far apart are 2, 0 and 3, 3, 2 in two ways, their means 1 and 8/3.
  EXPECT_DOUBLE_EQ(permutation_p({{3}, {3}}, {{2}, {2}, {0}}, 1), 3.0 / 10);
}
TEST(Distances, are_those_of_two_spikes) {
  const Distance apart = distance({2, 0, 0, -2}, 0.5);
  EXPECT_DOUBLE_EQ(apart.total_variation, 1);
  EXPECT_DOUBLE_EQ(apart.earth_mover, 1.5);
}
TEST(Peaks, are_as_high_as_their_higher_valley_lets_them) {
  std::vector<Estimate> density;
  for (const double mean : {9.0, 1.0, 5.0, 3.0, 9.5}) density.push_back({mean, 0.1, 4});
  const auto found = peaks(density, 3);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[1].bin, 2u);
  EXPECT_DOUBLE_EQ(found[1].prominence, 2);
}
TEST(CorrelationFactor, is_that_of_the_autocorrelation_at_lag_one) {
  // Sum of products 1, of squares 8: rho = 1/8 + (1 + 1/2)/8 = 5/16.
  EXPECT_NEAR(correlation_factor({1, 1, -1, -1, 1, 1, -1, -1}), std::sqrt(21.0 / 11), 1e-14);
  EXPECT_EQ(correlation_factor({1, -1, 1, -1, 1, -1}), 1);
  EXPECT_EQ(correlation_factor({1, 1, -1, 1, 1, -1}), 1);  // rho = -1/6 + (1 - 4/6)/6
  EXPECT_NEAR(correlation_factor({1, 1, 1, 1, -1, -1, -1, -1}), std::sqrt(12.0), 1e-14);
  EXPECT_EQ(correlation_factor({0, 0, 0}), 1);
  EXPECT_TRUE(std::isnan(correlation_factor({1, not_a_number, 1})));
}

}  // namespace
