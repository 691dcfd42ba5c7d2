// SPDX-License-Identifier: MIT
//
// Ensembles on the sphere: the integrals of noises that are drawn step by step, and the Runge-Kutta method that is a reference
// for variational ones.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "study/models/projected_runge_kutta.hpp"
#include "study/statistics/estimate.hpp"

namespace livi::sphere {

namespace sphere_ensembles_test {

/// Five standard errors are exceeded by chance in six of ten million means.
constexpr double most_errors = 5;

double errors_from(double expected, const std::vector<double>& values) {
  const Estimate e = estimate(values);
  return std::abs(e.mean - expected) / e.error;
}

TEST(IncrementsWithProducts, have_the_covariances_of_brownian_motion) {
  constexpr double h = 0.5;
  IncrementsWithProducts draw(11, 3);
  std::vector<double> ww, wi, ii, square, square_ww, product, product_ww, neighbours;
  double before = 0;
  for (std::uint64_t k = 0; k < 20000; ++k) {
    const StepNoise<double> noises = draw(k, h);
    const double w = noises[0].increment, i = noises[0].integral, other = noises[2].increment;
    ww.push_back(w * w);
    wi.push_back(w * i);
    ii.push_back(i * i);
    square.push_back(noises.product(0, 0));
    square_ww.push_back(noises.product(0, 0) * w * w);
    product.push_back(noises.product(0, 2));
    product_ww.push_back(noises.product(0, 2) * w * other);
    neighbours.push_back(before * w);
    before = w;
  }
  EXPECT_LT(errors_from(h, ww), most_errors);
  EXPECT_LT(errors_from(h * h / 2, wi), most_errors);
  EXPECT_LT(errors_from(h * h * h / 3, ii), most_errors);
  EXPECT_LT(errors_from(h * h / 2, square), most_errors);
  // W(s)^2 W(h)^2 has the mean s h + 2 s^2, W_i(s) W_j(s) W_i(h) W_j(h) the mean s^2.
  EXPECT_LT(errors_from(h * h * h * (1.0 / 2 + 2.0 / 3), square_ww), most_errors);
  EXPECT_LT(errors_from(0, product), most_errors);
  EXPECT_LT(errors_from(h * h * h / 3, product_ww), most_errors);
  EXPECT_LT(errors_from(0, neighbours), most_errors);
}

TEST(ProjectedRungeKutta4, gains_a_thirty_sixth_of_the_sixth_power_of_its_angle) {
  // So fast that gravity does nothing; the next even power is a thirtieth of this one at this angle.
  constexpr double speed = 1000, angle = 0.25;
  auto z = ProjectedRungeKutta4::start(Space(1, 0, 0), Space(0, speed, 0));
  ASSERT_TRUE(ProjectedRungeKutta4::step(z, angle / speed).ok());
  EXPECT_NEAR((z.v.squaredNorm() / (speed * speed) - 1) * 36 / std::pow(angle, 6), 1, 0.05);
}

TEST(ProjectedRungeKutta4, keeps_the_energy_on_the_cylinder_to_order_four) {
  const auto problem = cylinder_pendulum<double>(pendulum(0, 0, 0).system.noise());
  const auto error = [&](int steps) {
    auto z = ProjectedRungeKutta4OnCylinder::start(problem.q, problem.v);
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(ProjectedRungeKutta4OnCylinder::step(z, 2.0 / steps).ok());
    return problem.system.energy(z.q, z.v) - problem.system.energy(problem.q, problem.v);
  };
  // 16, or more where the term of order four is small; the neighbouring orders have 8 and 32.
  const double ratio = error(20) / error(40);
  EXPECT_GT(ratio, 12);
  EXPECT_LT(ratio, 24);
}

/// The energy that a step gains under the noises (q_x, q_y, q_z)/2 is sigma^2 h on both surfaces, where the projections have the trace two.
template <class Method, class AnyProblem>
void expect_the_whole_noise(const AnyProblem& problem) {
  constexpr double sigma = 0.5, h = 0.01;
  Method method(problem.system);
  Increments draw(12, 0);
  std::vector<double> gained;
  for (std::uint64_t k = 0; k < 20000; ++k) {
    const StepNoise<double> noises = draw(k, h);
    auto z = Method::start(problem.q, problem.v);
    const double before = problem.system.energy(z.q, z.v) + z.v.dot(impulse(problem.system, noises));
    ASSERT_TRUE(method.step(z, h, noises).ok());
    typename std::decay_t<decltype(problem.system)>::jacobian_type normal;
    problem.system.constraint().jacobian(z.q, normal);
    EXPECT_LT(std::abs((normal * z.v)(0)), 1e-14);
    gained.push_back(problem.system.energy(z.q, z.v) - before);
  }
  // The turn by h |v| in a step changes this by (h |v|)^2 of itself, far below the sampling error.
  EXPECT_LT(errors_from(sigma * sigma * h, gained), most_errors);
}
TEST(ProjectedRungeKutta4, takes_the_whole_noise) {
  const Problem problem = pendulum(0.5, 0.5, 0.5);
  expect_the_whole_noise<ProjectedRungeKutta4>(problem);
  expect_the_whole_noise<ProjectedRungeKutta4OnCylinder>(cylinder_pendulum<double>(problem.system.noise()));
}

}  // namespace sphere_ensembles_test
}  // namespace livi::sphere
