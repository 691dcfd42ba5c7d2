// SPDX-License-Identifier: MIT
//
// RATTLE under noise and in a heat bath on rigid molecules of water whose multipliers are solved for with vector instructions: the
// steps are those of the general solver, and a step that does not exist is said not to.
#include <gtest/gtest.h>

#include <livi/stochastic/brownian_path.hpp>
#include <livi/stochastic/constrained_langevin.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>
#include <livi/systems/vectorised_water.hpp>

namespace livi {

namespace stochastic_water_test {

using V = Vector<double, Dynamic>;
using Noise = LinearNoise<double, Dynamic, Dynamic>;

/// Five molecules in a row, 3.1 A apart, of which the first charges are driven along x, y and z.
V positions() {
  const Vector<double, 9> molecule = water_molecule(tip3p<double>());
  V q(45);
  for (Eigen::Index a = 0; a < 5; ++a)
    for (int i = 0; i < 9; ++i) q(9 * a + i) = molecule(i) + (i % 3 == 0 ? 3.1 * static_cast<double>(a) : 0);
  return q;
}
Noise noise() {
  Noise result;
  result.forces = Matrix<double, Dynamic, Dynamic>::Zero(45, 3);
  for (Eigen::Index a = 0; a < 5; ++a)
    for (Eigen::Index i = 0; i < 3; ++i) {
      result.forces(9 * a + i, i) = -2.0;
      result.forces(9 * a + 3 + i, i) = result.forces(9 * a + 6 + i, i) = 1.0;
    }
  return result;
}
/// Returns the system with noise.
template <class Water>
auto with_noise(const Water& water) {
  return StochasticSystem(water.mass(), water.potential(), water.constraint(), noise());
}
const auto fast = with_noise(vectorised_water_cluster(5));
const auto plain = with_noise(water_cluster<double>(5));

/// Makes steps of 1/64 under noise of a size; returns the last outcome.
template <class System, class State>
StepOutcome run(const System& system, State& z, int steps, double size) {
  StochasticRattle method(system);
  z = method.start(positions(), V::Zero(45));
  const BrownianPath path(4, 0, 3, 1, 6);
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(steps); ++k) {
    std::vector<NoiseIntegrals<double>> noises;
    for (int i = 0; i < 3; ++i) {
      const auto& of = path.over(i, 6, k);
      noises.push_back({size * of.increment, size * of.integral, size * size * of.squared});
    }
    if (const StepOutcome outcome = method.step(z, path.step(6), noises); !outcome.ok()) return outcome;
  }
  return {};
}
template <class System>
using StateOf = typename StochasticRattle<System>::state_type;

// Both solve to 32 units of rounding; errors grow by a factor of some tens over half a unit of time.
TEST(WaterUnderNoise, makes_the_steps_of_the_general_solver) {
  StateOf<std::remove_cvref_t<decltype(fast)>> a;
  StateOf<std::remove_cvref_t<decltype(plain)>> b;
  ASSERT_TRUE(run(fast, a, 32, 1).ok());
  ASSERT_TRUE(run(plain, b, 32, 1).ok());
  EXPECT_GT((a.q - positions()).cwiseAbs().maxCoeff(), 0.01);
  EXPECT_LT((a.q - b.q).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((a.v - b.v).cwiseAbs().maxCoeff(), 1e-10);
  V g;
  fast.constraint().value(a.q, g);
  EXPECT_LT(g.cwiseAbs().maxCoeff(), 1e-13);
}
// A far solution would be one where the general solver has none, or another one than that.
TEST(WaterUnderNoise, takes_the_nearest_multipliers_or_says_that_there_are_none) {
  StateOf<std::remove_cvref_t<decltype(fast)>> a;
  StateOf<std::remove_cvref_t<decltype(plain)>> b;
  int made = 0, failed = 0;
  for (int k = 0; k < 24; ++k) {
    const double size = 500 * std::pow(1.25, k);
    const StepOutcome of_fast = run(fast, a, 1, size), of_plain = run(plain, b, 1, size);
    ASSERT_EQ(of_fast.failure, of_plain.failure) << size << " " << of_fast.describe() << of_plain.describe();
    if (of_fast.ok()) {
      ++made;
      EXPECT_LT((a.q - b.q).cwiseAbs().maxCoeff(), 1e-11) << size;
    } else {
      ++failed;
      EXPECT_EQ(of_fast.failure, Failure::no_real_root) << size;
    }
  }
  EXPECT_GE(made, 4);
  EXPECT_GE(failed, 4);
}

/// One step of 1/64 from rest, in baths that are hotter and hotter; the bath alone moves the molecules that fast. Both systems have
/// the same normal numbers.
template <template <class, class> class Langevin>
void expect_nearest_in_a_bath() {
  int made = 0, failed = 0;
  const auto step = [&](const auto& system, double temperature, V& q) {
    using System = std::remove_cvref_t<decltype(system)>;
    Langevin<System, NormalNumbers> method(system, {20, 1 / temperature, Friction::momentum}, NormalNumbers(6));
    auto z = method.start(positions(), V::Zero(45));
    const StepOutcome outcome = method.step(z, 1.0 / 64);
    q = z.q;
    return outcome;
  };
  for (int k = 0; k < 12; ++k) {
    const double temperature = std::ldexp(100, k);
    V a, b;
    const StepOutcome of_fast = step(fast, temperature, a), of_plain = step(plain, temperature, b);
    ASSERT_EQ(of_fast.failure, of_plain.failure) << temperature << " " << of_fast.describe() << of_plain.describe();
    if (of_fast.ok()) {
      ++made;
      EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-11) << temperature;
    } else {
      ++failed;
      EXPECT_EQ(of_fast.failure, Failure::no_real_root) << temperature;
    }
  }
  EXPECT_GE(made, 4);
  EXPECT_GE(failed, 4);
}
TEST(WaterInABath, takes_the_nearest_multipliers_or_says_that_there_are_none) {
  expect_nearest_in_a_bath<ConstrainedObabo>();
  expect_nearest_in_a_bath<GeodesicBaoab>();
}

}  // namespace stochastic_water_test
}  // namespace livi
