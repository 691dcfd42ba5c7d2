// SPDX-License-Identifier: MIT
//
// What the experiments on energy under noise are made of: powers from paths with their errors, second moments of the
// oscillator, ensembles on the sphere.
#include <gtest/gtest.h>

#include "study/models/oscillator_moments.hpp"
#include "study/models/sphere_ensembles.hpp"
#include "study/statistics/power_over_paths.hpp"

namespace livi {

namespace energy_under_noise_test {

TEST(PowerOverPaths, is_exact_for_exact_powers) {
  const std::vector<double> h{0.5, 0.25, 0.125};
  std::vector<std::vector<double>> squares;
  for (const double size : {1.0, 3.0, 0.2}) {
    squares.emplace_back();
    for (const double step : h) squares.back().push_back(size * std::pow(step, 3));
  }
  const PathPower found = power_over_paths(h, squares);
  EXPECT_NEAR(found.power, 1.5, 1e-14);
  EXPECT_LT(found.standard_error, 1e-14);
  EXPECT_NEAR(found.rms[0], std::sqrt(1.4 * 0.125), 1e-15);
  squares[1][2] = not_a_number;
  EXPECT_TRUE(std::isnan(power_over_paths(h, squares).power));
}

TEST(PowerOverPaths, knows_the_error_of_independent_normal_numbers) {
  // Squares of normal numbers have the variance 2: p has that of sum_k w_k xi_k^2/2, where sum_k w_k^2 = 1/(2 log(2)^2) for three
  // halvings. The estimate of a standard error from 4000 paths is good to a twentieth.
  const std::vector<double> h{0.5, 0.25, 0.125};
  constexpr std::size_t paths = 4000;
  std::vector<std::vector<double>> squares;
  for (std::size_t path = 0; path < paths; ++path) {
    const auto xi = normal_numbers(5, 3, path);
    squares.push_back({xi(0) * xi(0), xi(1) * xi(1), xi(2) * xi(2)});
  }
  const PathPower found = power_over_paths(h, squares);
  const double expected = std::sqrt(2.0 / 4 / (2 * std::log(2) * std::log(2)) / paths);
  EXPECT_NEAR(found.standard_error, expected, expected / 20);
  EXPECT_LT(std::abs(found.power), 4 * expected);
}

using oscillator::Moments, oscillator::Setting;

TEST(OscillatorMoments, are_those_of_two_states_with_the_noise_of_both_signs) {
  // A normal number and one that is 1 or -1 have one variance.
  const Setting s{0.3, 0, 0.2};
  const double kick = s.sigma * std::sqrt(s.h), q = 0.7, p = -0.4;
  Moments mean(0, 0, 0, 1);
  for (const double sign : {-1.0, 1.0}) {
    const double half = p - s.h / 2 * q, next_q = q + s.h * half, next_p = half - s.h / 2 * next_q + sign * kick;
    mean += Moments(next_q * next_q, next_q * next_p, next_p * next_p, 0) / 2;
  }
  EXPECT_LT((oscillator::verlet(s) * Moments(q * q, q * p, p * p, 1) - mean).norm(), 1e-15);
}

TEST(OscillatorMoments, keep_areas_where_the_method_does) {
  // The determinant of the second symmetric power of A is that of A to the third.
  const auto area = [](oscillator::Method method) {
    const Matrix<double, 3> m = method({0.3, 0, 0.2}).topLeftCorner<3, 3>();
    return m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) - m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0)) +
           m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0));
  };
  for (const oscillator::Method method : {oscillator::verlet, oscillator::symplectic_euler, oscillator::rotation})
    EXPECT_NEAR(area(method), 1, 1e-14);
  for (const oscillator::Method method :
       {oscillator::runge_kutta_4, oscillator::explicit_euler, oscillator::backward_euler, oscillator::heun})
    EXPECT_GT(std::abs(area(method) - 1), 1e-6);
}

TEST(OscillatorMoments, of_the_exact_motion_grow_and_come_to_rest_as_is_known) {
  const Moments free = oscillator::exact_map(7, 0, 0.2) * oscillator::start();
  EXPECT_NEAR(oscillator::mean_energy(free), 0.5 + 0.02 * 7, 1e-8);
  const Moments rest = oscillator::exact_map(2000, 0.05, 0.2) * oscillator::start();
  EXPECT_NEAR(oscillator::mean_energy(rest), 0.04 / (2 * 0.05), 1e-6);
  EXPECT_NEAR(rest(1), 0, 1e-6);
  // The exact rotation and the exact bath have the same energy at rest.
  const Moments bath = oscillator::power(oscillator::rotation({0.2, 0.05, 0.2}), 20000) * oscillator::start();
  EXPECT_NEAR(oscillator::mean_energy(bath), 0.04 / (2 * 0.05), 1e-10);
  // The method of order four meets it with its h^4, Heun's with h^2: a sixteenth and a quarter for half the step.
  const auto error = [&](oscillator::Method method, double h) {
    const auto n = static_cast<std::uint64_t>(std::llround(2 / h));
    return (oscillator::power(method({h, 0, 0}), n) * oscillator::start() -
            oscillator::exact_map(2, 0, 0) * oscillator::start())
        .norm();
  };
  EXPECT_NEAR(error(oscillator::runge_kutta_4, 0.2) / error(oscillator::runge_kutta_4, 0.1), 16, 1);
  EXPECT_NEAR(error(oscillator::heun, 0.02) / error(oscillator::heun, 0.01), 4, 0.1);
}

TEST(OscillatorMoments, powers_are_repeated_steps) {
  const oscillator::MomentMap step = oscillator::heun({0.1, 0.05, 0.3});
  Moments m = oscillator::start();
  for (int k = 0; k < 77; ++k) m = (step * m).eval();
  EXPECT_LT((oscillator::power(step, 77) * oscillator::start() - m).norm(), 1e-13);
}

TEST(SphereEnsembles, have_the_right_side_of_itos_formula) {
  const auto isotropic = sphere::pendulum(0.3, 0.3, 0.3), vertical = sphere::pendulum(0, 0, 0.5);
  EXPECT_NEAR(sphere::rate_of_energy(isotropic.system, isotropic.q), 0.09, 1e-15);
  EXPECT_NEAR(sphere::rate_of_energy(vertical.system, vertical.q), 0.125 * (1 - 0.64), 1e-15);
}

TEST(SphereEnsembles, draw_increments_with_the_variances_of_their_integrals) {
  // With 8000 numbers, four standard errors of a variance are 0.063 of it, and of a covariance 0.045.
  constexpr double h = 0.3;
  double increments = 0, zetas = 0, products = 0, count = 0;
  for (std::uint64_t path = 0; path < 400; ++path) {
    sphere::Increments draw(11, path);
    for (std::uint64_t k = 0; k < 20; ++k, ++count) {
      const NoiseIntegrals<double>& noise = draw(k, h)[1];
      increments += noise.increment * noise.increment / h;
      zetas += noise.zeta(h) * noise.zeta(h) / (h * h * h / 12);
      products += noise.increment * noise.zeta(h) / (h * h / std::sqrt(12.0));
    }
  }
  EXPECT_NEAR(increments / count, 1, 0.063);
  EXPECT_NEAR(zetas / count, 1, 0.063);
  EXPECT_NEAR(products / count, 0, 0.045);
}

TEST(SphereEnsembles, take_the_martingale_away_without_a_bias) {
  // One step with noise of both signs: what is left of the gain is even in the noise up to the energy error h dW.
  const auto problem = sphere::pendulum(0.3, 0.3, 0.3);
  const auto growth = sphere::energy_growth(StochasticRattle(problem.system), problem, 0.01, 100, 2, 200, 3, 1);
  EXPECT_EQ(growth.lost, 0);
  EXPECT_NEAR(growth.by_ito.mean, 0.09, 1e-12);
  // The variance of a step's gain is sigma^4 h^2, of which the standard error of the mean follows.
  const double expected = 0.09 * std::sqrt(0.01 / 200);
  EXPECT_LT(std::abs(growth.excess.mean), 4 * growth.excess.error);
  EXPECT_NEAR(growth.excess.error, expected, expected / 4);
}

TEST(SphereEnsembles, do_not_depend_on_the_number_of_threads) {
  const auto problem = sphere::pendulum(0.3, 0.3, 0.3);
  const auto run = [&](unsigned threads) {
    return sphere::energy_growth(ProjectedHeun(problem.system), problem, 0.1, 20, 2, 40, 4, threads);
  };
  const auto one = run(1), two = run(2);
  EXPECT_EQ(one.gained[1].mean, two.gained[1].mean);
  EXPECT_EQ(one.excess.error, two.excess.error);
}

TEST(SphereEnsembles, with_a_lost_path_have_no_mean) {
  const auto problem = sphere::pendulum(0.5, 0.5, 0.5);
  const auto growth = sphere::energy_growth(StochasticRattle(problem.system), problem, 0.9, 40, 2, 20, 5, 1);
  EXPECT_GT(growth.lost, 0);
  EXPECT_TRUE(std::isnan(growth.gained.back().mean));
  EXPECT_TRUE(std::isnan(growth.excess.mean));
}

}  // namespace energy_under_noise_test
}  // namespace livi
