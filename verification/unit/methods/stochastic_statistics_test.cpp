// SPDX-License-Identifier: MIT
//
// What is measured with random numbers: moments of integrals of products and of the covariance of the noises within a
// step, strong orders of stochastic methods with coupled paths. And the weak order of staircases, which are not smooth
// in the increment.
#include <gtest/gtest.h>

#include <livi/systems/stochastic_problems.hpp>
#include <numbers>

#include "stochastic_methods.hpp"

namespace livi {

namespace stochastic_statistics_test {

using stochastic_test::commutator;
using stochastic_test::Noise;
using stochastic_test::rattle;
using stochastic_test::staircase;

/// Means with their standard errors. Five are exceeded by chance in six of ten million means.
struct Mean {
  double sum = 0, sum_of_squares = 0, count = 0;
  void add(double x) {
    sum += x;
    sum_of_squares += x * x;
    ++count;
  }
  [[nodiscard]] double value() const { return sum / count; }
  [[nodiscard]] double error() const { return std::sqrt((sum_of_squares / count - value() * value()) / count); }
  [[nodiscard]] double errors_from(double x) const { return std::abs(value() - x) / error(); }
};
constexpr double most_errors = 5;

TEST(BrownianPathWithProducts, are_those_of_brownian_motion_on_every_level) {
  for (const int level : {0, 2}) {
    Mean j, jj, of_increments, of_zetas;
    const double h = std::ldexp(2.0, -level);
    for (std::uint64_t number = 0; number < 20000; ++number) {
      Noise noise(number, 2, level + 4, 2);
      const auto step = noise.over(level, 0);
      const double product = step.product(1, 0);
      j.add(product);
      jj.add(product * product);
      of_increments.add(product * step[0].increment * step[1].increment);
      of_zetas.add(product * step[0].zeta(h) * step[1].zeta(h));
    }
    // E[W(s)^2 W(t)^2] = s^2 for s < t in both noises; E[W_i(s) zeta_i] = s (h - s)/2.
    EXPECT_LT(j.errors_from(0), most_errors);
    EXPECT_LT(jj.errors_from(std::pow(h, 4) / 6), most_errors);
    EXPECT_LT(of_increments.errors_from(std::pow(h, 3) / 3), most_errors);
    EXPECT_LT(of_zetas.errors_from(std::pow(h, 5) / 120), most_errors);
    // Values that are wrong by a half are seen.
    EXPECT_GT(jj.errors_from(1.5 * std::pow(h, 4) / 6), most_errors);
    EXPECT_GT(of_increments.errors_from(1.5 * std::pow(h, 3) / 3), most_errors);
    EXPECT_GT(of_zetas.errors_from(0), most_errors);
  }
}

TEST(StepCovariance, has_the_means_that_take_its_place) {
  const double h = 2;
  Mean variance, mixed, left, left_with_increment, left_with_zeta, explained;
  for (std::uint64_t number = 0; number < 20000; ++number) {
    Noise noise(number, 2, 5, h);
    const auto step = noise.over(0, 0);
    const auto of = [&](PathCovariance taken) {
      StepCovariance<double> covariance(2, taken);
      covariance.set(step, h);
      return covariance.matrix();
    };
    const auto exact = of(PathCovariance::exact), conditional = of(PathCovariance::conditional_mean);
    const auto difference = exact(0, 0) - conditional(0, 0);
    variance.add(exact(0, 0));
    mixed.add(exact(0, 1));
    left.add(difference);
    left_with_increment.add(difference * (step[0].increment * step[0].increment));
    left_with_zeta.add((exact(0, 1) - conditional(0, 1)) * step[0].zeta(h) * step[1].zeta(h));
    explained.add(std::pow(conditional(0, 0) - h / 6, 2));
    EXPECT_EQ(of(PathCovariance::mean), (h / 6 * Matrix<double, 2>::Identity()));
  }
  EXPECT_LT(variance.errors_from(h / 6), most_errors);
  EXPECT_LT(mixed.errors_from(0), most_errors);
  EXPECT_LT(left.errors_from(0), most_errors);
  EXPECT_LT(left_with_increment.errors_from(0), most_errors);
  EXPECT_LT(left_with_zeta.errors_from(0), most_errors);
  EXPECT_LT(explained.errors_from(13 * h * h / 900), most_errors);
  // C has the variance h^2/45, of which the mean leaves 7 h^2/900. Fourth moments of C are about ten squares of its
  // variance: 5 errors are a fifth.
  EXPECT_NEAR(std::pow(variance.error(), 2) * variance.count / (h * h / 45), 1, 0.2);
  EXPECT_NEAR(std::pow(left.error(), 2) * left.count / (7 * h * h / 900), 1, 0.2);
  EXPECT_GT(variance.errors_from(1.1 * h / 6), most_errors);
  EXPECT_GT(explained.errors_from(1.5 * 13 * h * h / 900), most_errors);
}

/// Where a path ends at T = 1 by steps of a level.
template <class Problem, class Make>
Vector<double, 6> end_of(const Problem& problem, const Make& make, Noise& noise, int level) {
  auto method = make(problem.system);
  auto z = method.start(problem.q, problem.v);
  for (std::uint64_t k = 0; k < 1ULL << level; ++k)
    EXPECT_TRUE(method.step(z, noise.path().step(level), noise.over(level, k)).ok());
  return Vector<double, 6>(z.q(0), z.q(1), z.q(2), z.v(0), z.v(1), z.v(2));
}

/// Which distance falls with the order of a method: that between a step and its half, or that from CommutatorRattle.
enum class Distance { of_halves, from_commutator };

/// Expects the slopes of distances in the mean square over paths, at steps from 2^-4 to 2^-7, in order to be the given
/// ones.
template <class Problem, class... Make>
void expect_strong_orders(const Problem& problem, int noises,
                          const std::array<std::pair<Distance, double>, sizeof...(Make)>& expected,
                          const Make&... make) {
  constexpr int lowest = 4, levels = 4, batches = 10, paths = 25;
  constexpr std::size_t methods = sizeof...(Make);
  std::array<Mean, methods> slopes;
  for (int batch = 0; batch < batches; ++batch) {
    std::array<std::array<double, levels>, methods> squares{};
    for (int path = 0; path < paths; ++path) {
      Noise noise(static_cast<std::uint64_t>(batch * paths + path), noises, lowest + levels);
      std::array<std::array<Vector<double, 6>, levels + 1>, methods + 1> ends;
      for (int level = 0; level <= levels; ++level) {
        const auto at = static_cast<std::size_t>(level);
        std::size_t method = 0;
        ((ends[method++][at] = end_of(problem, make, noise, lowest + level)), ...);
        ends[method][at] = end_of(problem, commutator(PathCovariance::exact), noise, lowest + level);
      }
      for (std::size_t method = 0; method < methods; ++method)
        for (std::size_t level = 0; level < levels; ++level)
          squares[method][level] +=
              (ends[method][level] -
               (expected[method].first == Distance::of_halves ? ends[method][level + 1] : ends[methods][level]))
                  .squaredNorm();
    }
    for (std::size_t method = 0; method < methods; ++method) {
      // Least squares on four equidistant logarithms.
      const auto y = [&](std::size_t k) { return -std::log2(squares[method][k]) / 2; };
      slopes[method].add((3 * (y(3) - y(0)) + y(2) - y(1)) / 10);
    }
  }
  for (std::size_t method = 0; method < methods; ++method) {
    const double error = slopes[method].error() * std::sqrt(batches / (batches - 1.0));
    EXPECT_LT(std::abs(slopes[method].value() - expected[method].second), 0.05 + 3 * error)
        << "method " << method << ": " << slopes[method].value() << " +- " << error;
    EXPECT_LT(error, 0.05);
  }
}

// 250 paths. 0.05 is for the next order in a slope from these steps; the neighbours of an order are half an order away.
// The word that makes an order of 1 or 3/2 is small beside RATTLE's own error until h is below 2^-8. The distance from
// the method of order two shows it.
TEST(StrongOrders, are_those_that_the_methods_declare) {
  using enum Distance;
  const auto exact = commutator(PathCovariance::exact), mean = commutator(PathCovariance::mean);
  const auto stairs = staircase(PathCovariance::exact), stairs_of_mean = staircase(PathCovariance::mean);
  const auto integrals = rattle(NoiseWeights::integrals), weak = rattle(NoiseWeights::weak);
  const auto triple = sphere_pendulum<double>(coordinate_noise<double, 3>(0.5, std::array{0, 1, 2}));
  expect_strong_orders(triple, 3, {{{of_halves, 2}, {of_halves, 2}, {from_commutator, 2}, {from_commutator, 1.5}}},
                       exact, stairs, stairs, integrals);
  // The quadratic noises 3/10 (x z, x^2 + y z).
  QuadraticNoise<double, 3> noise;
  noise.terms.resize(2, {zeros<Vector<double, 3>>(), zeros<Matrix<double, 3>>()});
  noise.terms[0].matrix(0, 2) = noise.terms[0].matrix(2, 0) = 0.3;
  noise.terms[1].matrix(0, 0) = 0.6;
  noise.terms[1].matrix(1, 2) = noise.terms[1].matrix(2, 1) = 0.3;
  const auto pair = sphere_pendulum<double>(noise);
  expect_strong_orders(pair, 2,
                       {{{of_halves, 2}, {from_commutator, 2}, {from_commutator, 1.5}, {from_commutator, 1.5}}}, exact,
                       stairs, mean, commutator(PathCovariance::conditional_mean));
  const auto single = sphere_pendulum<double>(coordinate_noise<double, 3>(0.5, std::array{0}));
  expect_strong_orders(single, 1, {{{from_commutator, 1}, {from_commutator, 1}}}, integrals, weak);
  const auto constant = cylinder_pendulum<double>(coordinate_noise<double, 3>(0.5, std::array{2}));
  expect_strong_orders(constant, 1, {{{of_halves, 2}, {of_halves, 1}, {of_halves, 2}}}, integrals, weak,
                       stairs_of_mean);
}

/// A quadrature formula for the normal law.
struct Nodes {
  std::vector<double> at, weight;
};
/// Returns the formula of Gauss and Hermite with five nodes: exact for polynomials of degree nine.
Nodes hermite() {
  return {{-2.8569700138728056, -1.3556261799742659, 0, 1.3556261799742659, 2.8569700138728056},
          {0.011257411327720689, 0.22207592200561266, 8.0 / 15, 0.22207592200561266, 0.011257411327720689}};
}
/// Returns one for functions that are smooth on each side of zero only: that of Gauss and Legendre with 24 nodes on [0,
/// 7], and mirrored; what is beyond has the probability 3e-12.
Nodes both_sides() {
  constexpr int n = 24;
  Nodes nodes;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 0;
    for (int iteration = 0; iteration < 8; ++iteration) {
      double before = 1, here = x;
      for (int k = 2; k <= n; ++k) before = std::exchange(here, ((2 * k - 1) * x * here - (k - 1) * before) / k);
      slope = n * (x * here - before) / (x * x - 1);
      x -= here / slope;
    }
    const double at = 3.5 * (1 + x);
    for (const double sign : {-1.0, 1.0}) {
      nodes.at.push_back(sign * at);
      nodes.weight.push_back(7 / ((1 - x * x) * slope * slope) * std::exp(-at * at / 2) /
                             std::sqrt(2 * std::numbers::pi));
    }
  }
  return nodes;
}

/// Returns how the difference between the mean velocities after a step h and after two steps h/2 falls with h: the
/// local weak order, one more than the weak order. Means over increments and I10 are by quadrature.
template <class Make>
double local_weak_order(const Make& make, const Nodes& of_increment) {
  const auto problem = sphere_pendulum<double>(coordinate_noise<double, 3>(0.5, std::array{0}));
  const auto difference = [&](double h) {
    auto method = make(problem.system);
    const Nodes of_zeta = hermite();
    // Calls f(z, weight) for z after one step from `before` with each of the nodes.
    const auto for_all = [&](const auto& before, double step, const auto& f) {
      for (std::size_t a = 0; a < of_increment.at.size(); ++a)
        for (std::size_t b = 0; b < of_zeta.at.size(); ++b) {
          const double w = std::sqrt(step) * of_increment.at[a],
                       zeta = std::sqrt(step * step * step / 12) * of_zeta.at[b];
          const NoiseIntegrals<double> noise{w, step * w / 2 + zeta, 0};
          auto z = before;
          EXPECT_TRUE(method.step(z, step, {&noise, 1}).ok());
          f(z, of_increment.weight[a] * of_zeta.weight[b]);
        }
    };
    const auto start = method.start(problem.q, problem.v);
    Vector<double, 3> sum(0, 0, 0);
    for_all(start, h, [&](const auto& z, double weight) { sum += weight * z.v; });
    for_all(start, h / 2, [&](const auto& half, double weight) {
      for_all(half, h / 2, [&](const auto& z, double weight_2) { sum -= weight * weight_2 * z.v; });
    });
    return sum.norm();
  };
  return std::log2(difference(1.0 / 64) / difference(1.0 / 128));
}

// 0.1 is for the next term of the expansion; the neighbours of an order are an order away.
TEST(WeakOrders, of_staircases_are_two) {
  EXPECT_NEAR(local_weak_order(staircase(PathCovariance::mean), both_sides()), 3, 0.1);
  // A control.
  EXPECT_NEAR(local_weak_order(rattle(NoiseWeights::integrals), both_sides()), 2, 0.1);
}

}  // namespace stochastic_statistics_test
}  // namespace livi
