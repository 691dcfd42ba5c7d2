// SPDX-License-Identifier: MIT
//
// Langevin dynamics on random cases: interruptions, threads, trajectories, with plain and vectorised noise.
#include <gtest/gtest.h>

#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/linalg/vectorised_normal_numbers.hpp>
#include <livi/stochastic/geometric_langevin.hpp>
#include <livi/systems/potentials.hpp>
#include <livi/trajectory/checkpoint.hpp>
#include <livi/trajectory/trajectory.hpp>

#include "study/program/parallel.hpp"
#include "verification/support/fixed_seed.hpp"

namespace livi {

namespace langevin_properties_test {

constexpr Bath<double> warm{0.4, 2.5};
constexpr double h = 0.05;
const Vector<double, 4> start_position(0.3, -0.2, 0.1, 0.4), start_velocity(0.5, 0.1, -0.3, 0.2);

auto anharmonic() {
  const Vector<double, 4> m(1, 3, 0.5, 2);
  return MechanicalSystem<DiagonalMass<double, 4>, CoupledAnharmonicPotential<double, 4>>(DiagonalMass<double, 4>(m),
                                                                                          {0.75, 0.5});
}

RC_GTEST_PROP(LangevinProperties, an_interruption_anywhere_changes_nothing, ()) {
  const auto system = anharmonic();
  const auto seed = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1 << 30));
  const int steps = *rc::gen::inRange(1, 30), before = *rc::gen::inRange(0, steps + 1);
  const Bath<double> bath{*rc::gen::inRange(1, 500) / 100.0, *rc::gen::inRange(1, 500) / 100.0,
                          *rc::gen::element(Friction::velocity, Friction::momentum)};
  GeometricLangevin langevin{ZhangSkeel(system), bath, NormalNumbers(seed)};
  auto straight = langevin.start(start_position, start_velocity), halved = straight;
  for (int k = 0; k < steps; ++k) RC_ASSERT(langevin.step(straight, h).ok());
  for (int k = 0; k < before; ++k) RC_ASSERT(langevin.step(halved, h).ok());
  GeometricLangevin anew{ZhangSkeel(system), bath, NormalNumbers(seed)};
  auto resumed = anew.start(start_velocity, start_position);
  load_state(save_state(halved), resumed);
  for (int k = before; k < steps; ++k) RC_ASSERT(anew.step(resumed, h).ok());
  RC_ASSERT(save_state(resumed) == save_state(straight));
}

TEST(LangevinProperties, ensembles_do_not_depend_on_the_number_of_threads) {
  const auto system = anharmonic();
  const auto of_seed = [&](std::size_t seed) {
    GeometricLangevin langevin{VelocityVerlet(system), warm, VectorisedNormalNumbers(seed)};
    auto z = langevin.start(start_position, start_velocity);
    for (int k = 0; k < 50; ++k)
      if (!langevin.step(z, h).ok()) throw std::runtime_error("a step fails");
    return save_state(z);
  };
  const auto one = for_each_case(9, 1, of_seed);
  EXPECT_EQ(for_each_case(9, 2, of_seed), one);
  EXPECT_EQ(for_each_case(9, 16, of_seed), one);
  for (std::size_t i = 1; i < one.size(); ++i) EXPECT_NE(one[i], one[0]);
}

TEST(LangevinProperties, fits_a_trajectory) {
  const auto system = anharmonic();
  GeometricLangevin langevin{VelocityVerlet(system), warm, VectorisedNormalNumbers(1)};
  Trajectory run(langevin, langevin.start(start_position, start_velocity), h, 30);
  EXPECT_TRUE(run.complete().ok());
  EXPECT_EQ(run.state().steps, 30U);
}

}  // namespace langevin_properties_test
}  // namespace livi
