// SPDX-License-Identifier: MIT
//
// Bodies under gravity: derivatives, invariants, the starts by what is known of them, what is refused.
#include <gtest/gtest.h>

#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/logarithmic_hamiltonian.hpp>
#include <livi/diagnostics/check_derivatives.hpp>
#include <livi/systems/gravity.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>
#include <numbers>

namespace livi {

namespace gravity_test {

template <class Problem>
Vector<double, 3> total_momentum(const Problem& problem, const Vector<double, Dynamic>& v, int dimensions) {
  Vector<double, 3> sum(0, 0, 0);
  for (Eigen::Index i = 0; i < v.size(); ++i) sum(i % dimensions) += problem.system.mass().diagonal(i) * v(i);
  return sum;
}

TEST(Gravity, derivatives_are_those_of_the_value) {
  const auto three = pythagorean_problem<double>();
  EXPECT_TRUE(check_derivatives(three.system.potential(), three.q).ok())
      << check_derivatives(three.system.potential(), three.q).describe();
  const GravitationalPotential<double, 3> softened({1, 2, 0.5, 3}, 0.7, 0.3);
  Vector<double, Dynamic> q(12);
  q << 1, 0.2, 0, -0.4, 0.8, 0.3, 0.5, -0.9, 0.1, -0.7, -0.3, -0.6;
  EXPECT_TRUE(check_derivatives(softened, q).ok()) << check_derivatives(softened, q).describe();
}

TEST(Gravity, energies_of_the_starts) {
  const auto three = pythagorean_problem<double>();
  EXPECT_NEAR(three.system.energy(three.q, three.v), -(12.0 / 5 + 15.0 / 4 + 20.0 / 3), 1e-14);
  for (const double e : {0.0, 0.6, 0.99}) {
    const auto start = kepler_pericentre(e);
    EXPECT_NEAR(start.tail<2>().squaredNorm() / 2 - 1 / start.head<2>().norm(), -0.5, 1e-13) << e;
    EXPECT_NEAR(start(0) * start(3) - start(1) * start(2), std::sqrt(1 - e * e), 1e-15) << e;
  }
  // Softened, at distance 0.4 with b = 0.3: -G m m / 0.5.
  const GravitationalPotential<double, 2> pair({2, 3}, 5, 0.3);
  EXPECT_NEAR(pair.value((Vector<double, Dynamic>(4) << 0, 0, 0.4, 0).finished()), -60, 1e-13);
}

TEST(Gravity, planets_go_round_in_their_times) {
  // Kepler's third law with the energy relative to the sun; periods in years (365.25 days) as every table has them, the
  // osculating ones within the planets' perturbations.
  const auto problem = outer_solar_system();
  const double gravity = 2.95912208286e-4;
  const double years[] = {11.86, 29.46, 84.0, 164.8, 248};
  for (Eigen::Index k = 1; k <= 5; ++k) {
    const Vector<double, 3> r = problem.q.segment<3>(3 * k), w = problem.v.segment<3>(3 * k);
    const double mu = gravity * (problem.system.potential().masses()[0] +
                                 problem.system.potential().masses()[static_cast<std::size_t>(k)]);
    const double half_axis = 1 / (2 / r.norm() - w.squaredNorm() / mu);
    EXPECT_NEAR(2 * std::numbers::pi * std::sqrt(std::pow(half_axis, 3) / mu) / 365.25 / years[k - 1], 1, 0.02) << k;
  }
}

TEST(Gravity, the_pythagorean_problem_passes_its_first_encounters) {
  const auto problem = pythagorean_problem<double>();
  LogarithmicHamiltonian method(problem.system);
  const double start = problem.system.energy(problem.q, problem.v);
  AdaptiveTrajectory run(method, method.start(problem.q, problem.v), 1e-2, 16.0);
  double shortest = 1, longest = 0, closest = 10, error = 0;
  for (const auto& point : run) {
    const auto& z = point.state;
    if (point.step > 0) {
      shortest = std::min(shortest, z.last_step);
      longest = std::max(longest, z.last_step);
    }
    error = std::max(error, std::abs(problem.system.energy(z.q, z.v) / start - 1));
    for (const auto& [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}})
      closest = std::min(closest, (z.q.segment<2>(2 * i) - z.q.segment<2>(2 * j)).norm());
  }
  ASSERT_TRUE(run.outcome().ok()) << run.outcome().describe();
  // Szebehely and Peters 1967: 0.0004 at t = 15.83. The steps follow, so that it needs no more of them.
  EXPECT_NEAR(closest, 0.0004, 0.00005);
  EXPECT_GT(longest / shortest, 100);
  EXPECT_LT(error, 1e-3);
  EXPECT_LT(total_momentum(problem, run.state().v, 2).norm(), 1e-9);
}

TEST(Gravity, bad_input_is_refused_by_name) {
  const auto message = [](const auto& f) -> std::string {
    try {
      f();
    } catch (const InvalidParameter& error) {
      return error.what();
    }
    return "accepted";
  };
  using Potential = GravitationalPotential<double, 2>;
  const auto has = [&](const std::string& text, const char* words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  has(message([] { kepler_pericentre(1.0); }), "eccentricity = 1");
  has(message([] { kepler_pericentre(-0.1); }), "eccentricity = -0.1");
  has(message([] { kepler_pericentre(std::nan("")); }), "eccentricity");
  has(message([] { Potential({1, -2}, 1); }), "mass of body 1 = -2");
  has(message([] { Potential({1, 2}, 0); }), "gravitational constant = 0");
  has(message([] { Potential({1, 2}, 1, -1); }), "softening = -1");
  const Vector<double, Dynamic> q = (Vector<double, Dynamic>(4) << 1, 2, 1, 2).finished(), v = q;
  has(message([&] { gravitational_problem<double, 2>(Potential({1, 2}, 1), q, v); }), "distance of bodies 0 and 1 = 0");
  has(message([&] { gravitational_problem<double, 2>(Potential({1, 2, 3}, 1), q, v); }), "must be 6");
  EXPECT_EQ(message([&] { gravitational_problem<double, 2>(Potential({1, 2}, 1, 0.1), q, v); }), "accepted");
}

}  // namespace gravity_test
}  // namespace livi
