// SPDX-License-Identifier: MIT
//
// Sampling of water clusters: the motion of the whole, freedoms of rigid molecules, runs that are lost, seeds.
#include <gtest/gtest.h>

#include <livi/systems/vectorised_water.hpp>

#include "experiments/water_runs.hpp"
#include "experiments/water_sampling.hpp"

namespace {

using namespace livi;
using namespace livi::water;

TEST(WaterSampling, the_motion_of_the_whole_is_all_there_is_when_the_cluster_is_one_body) {
  const auto masses = water_masses<double>(5, tip3p<double>());
  const V q = lattice(5, 3) + V::Constant(45, 20);
  double all = 0, center[3] = {0, 0, 0};
  for (Eigen::Index i = 0; i < 45; ++i) {
    center[i % 3] += masses.diagonal(i) * q(i);
    if (i % 3 == 0) all += masses.diagonal(i);
  }
  const double spin[3] = {0.3, -0.2, 0.7}, drift[3] = {1, 2, -0.5};
  V v(45);
  double kinetic = 0, of_drift = 0;
  for (Eigen::Index i = 0; i < 45; ++i) {
    const Eigen::Index k = i % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    const auto relative = [&](Eigen::Index axis) { return q(i - k + axis) - center[axis] / all; };
    v(i) = drift[k] + spin[k1] * relative(k2) - spin[k2] * relative(k1);
    kinetic += masses.diagonal(i) * v(i) * v(i);
  }
  for (const double d : drift) of_drift += all * d * d;
  const WholeMotion whole = whole_motion(masses, q, v);
  EXPECT_NEAR(whole.drift, of_drift, 1e-11 * of_drift);
  EXPECT_NEAR(whole.drift + whole.rotation, kinetic, 1e-11 * kinetic);
}

TEST(WaterSampling, a_rigid_molecule_has_six_freedoms_shared_by_its_atoms) {
  const Freedoms f = tangent_freedoms();
  EXPECT_NEAR(f.oxygen + f.hydrogen, 6, 1e-12);
  // Centre of mass: 3 m/M of them are the oxygen's; about it the oxygen moves little.
  EXPECT_GT(f.oxygen, 3 * 15.9994 / 18.0154);
  EXPECT_LT(f.oxygen, 3);
}

TEST(WaterSampling, a_lattice_has_neighbours_at_its_spacing_and_the_right_molecules) {
  const V q = lattice(7, 3);
  double least = 100;
  int pairs = 0;
  for_each_distance(q, [&](double r) {
    least = std::min(least, r);
    ++pairs;
  });
  EXPECT_NEAR(least, 3, 1e-12);
  EXPECT_EQ(pairs, 21);
  V g;
  const WaterModel<double> model = tip3p<double>();
  WaterRigidity<double>{model.squared_oh, model.squared_hh}.value(q, g);
  EXPECT_LT(g.cwiseAbs().maxCoeff(), 1e-13);
}

TEST(WaterSampling, runs_are_those_of_their_seed_and_tell_when_they_are_lost) {
  const auto rigid = vectorised_water_cluster(2);
  const V q = lattice(2, 3);
  const Duration brief{.thermalised = 2, .settled = 2, .recorded = 20};
  const Histogram empty(2, 8, 0.1);
  const auto run = [&](const Settings& set, std::uint64_t seed) { return sampled(rigid, set, brief, q, seed, empty); };
  for (const Method method : {Method::shake, Method::stiff_zhang_skeel}) {
    const Sample one = run({.method = method}, 1), again = run({.method = method}, 1),
                 other = run({.method = method}, 2);
    EXPECT_TRUE(std::isnan(one.lost_at));
    EXPECT_EQ(one.temperature, again.temperature);
    EXPECT_EQ(one.physical.counts, again.physical.counts);
    EXPECT_NE(one.temperature, other.temperature);
    double points = 0;
    for (const double n : one.physical.counts) points += n;
    EXPECT_EQ(points, 40);
  }
  EXPECT_LT(run({.method = Method::shake}, 1).constraint, 1e-12);
  EXPECT_FALSE(std::isnan(run({.method = Method::verlet}, 1).lost_at)) << "h times the highest frequency is 4.5";
}

/// A "method" whose states are given: positions and velocities of step k, whatever came before. Three iterations of
/// Newton's method in each step.
template <class System>
class Scripted {
 public:
  using system_type = System;
  struct state_type {
    V q, v;
    std::uint64_t steps = 0;
  };
  explicit Scripted(const System& system) : system_(&system) {}
  static V position(Eigen::Index size, std::uint64_t step) {
    return lattice(size / 9, 3) + 0.05 * normal_numbers(step, size, 1);
  }
  static V velocity(Eigen::Index size, std::uint64_t step) { return 0.4 * normal_numbers(step, size, 2); }
  [[nodiscard]] state_type start(const V& q, const V& v) const { return {q, v, 0}; }
  StepOutcome step(state_type& z, double) {
    ++z.steps;
    z.q = position(z.q.size(), z.steps);
    z.v = velocity(z.q.size(), z.steps);
    work_.newton_iterations += 3;
    return {};
  }
  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] const WorkCounters& work() const { return work_; }

 private:
  const System* system_;
  WorkCounters work_;
};

/// What is recorded of seven scripted steps after two that settle, every second one, recomputed one number at a time.
/// The physical position is the stored one stretched by 1 %. Freedoms of a molecule: `oxygen` and `hydrogen`.
template <class System>
void expect_what_was_recorded(const System& system, double oxygen, double hydrogen) {
  constexpr Eigen::Index size = 18;
  const Settings set{.h = 0.5, .omega = 20, .inverse_temperature = 2};
  const Scripted<System> script(system);
  const Sample found =
      water::detail::sampled(script, script, set, {.thermalised = 0, .settled = 1, .recorded = 3.5, .between = 1},
                             lattice(2, 3), Histogram(2, 8, 0.1), [](const auto& z, V& q) { q = 1.01 * z.q; });

  const std::vector<std::uint64_t> recorded{4, 6, 8};  // steps 2, 4, 6 after the two; 7 is none of every second
  const WaterModel<double> model = tip3p<double>();
  double of_oxygen = 0, of_hydrogen = 0, drifting = 0, turning = 0, potential = 0, stretch = 0, constraint = 0;
  std::vector<double> distances;
  std::vector<std::vector<double>> bonds[2];
  for (const std::uint64_t step : recorded) {
    const V x = Scripted<System>::position(size, step), v = Scripted<System>::velocity(size, step), q = 1.01 * x;
    const auto masses = water_masses<double>(2, model);
    for (Eigen::Index i = 0; i < size; ++i)
      (i % 9 < 3 ? of_oxygen : of_hydrogen) += masses.diagonal(i) * v(i) * v(i) / 3;
    const WholeMotion whole = whole_motion(masses, q, v);
    drifting += whole.drift / 3;
    turning += whole.rotation / 3;
    distances.push_back((q.segment<3>(9) - q.segment<3>(0)).norm());
    potential += WaterPotential<double>(model).value(q) / 3;
    for (const bool at_q : {false, true}) {
      const V& at = at_q ? q : x;
      std::vector<double> squares;
      for (const Eigen::Index m : {0, 9})
        for (const Eigen::Index hydrogen_of : {3, 6}) {
          squares.push_back((at.segment<3>(m + hydrogen_of) - at.segment<3>(m)).squaredNorm());
          if (!at_q) continue;
          stretch += (std::sqrt(squares.back()) - std::sqrt(model.squared_oh)) / 12;
          constraint = std::max(constraint, std::abs(squares.back() - model.squared_oh));
        }
      if (at_q)
        for (const Eigen::Index m : {0, 9})
          constraint = std::max(
              constraint, std::abs((at.segment<3>(m + 3) - at.segment<3>(m + 6)).squaredNorm() - model.squared_hh));
      bonds[at_q].push_back(squares);
    }
  }
  const auto spread = [&](const std::vector<std::vector<double>>& of) {
    double variance = 0;
    for (std::size_t bond = 0; bond < 4; ++bond) {
      double mean = 0, square = 0;
      for (const auto& row : of) mean += (row[bond] - model.squared_oh) / 3;
      for (const auto& row : of) square += std::pow(row[bond] - model.squared_oh - mean, 2) / 3;
      variance += square / 4;
    }
    return 20.0 * 20 * 2 * variance;
  };
  const double all = of_oxygen + of_hydrogen, freedoms = oxygen + hydrogen;
  const auto near = [](double number, double expected, const char* name) {
    EXPECT_NEAR(number, expected, 1e-10 * std::abs(expected)) << name;
  };
  EXPECT_TRUE(std::isnan(found.lost_at));
  near(found.temperature, 2 * all / (2 * freedoms), "temperature");
  near(found.oxygen, 2 * of_oxygen / (2 * oxygen), "oxygen");
  near(found.hydrogen, 2 * of_hydrogen / (2 * hydrogen), "hydrogen");
  near(found.drifting, 2 * drifting / 3, "drifting");
  near(found.turning, 2 * turning / 3, "turning");
  near(found.internal, 2 * (all - drifting - turning) / (2 * freedoms - 6), "internal");
  near(found.potential, potential, "potential");
  near(found.stretch, stretch, "stretch");
  near(found.constraint, constraint, "constraint");
  near(found.mean_distance, (distances[0] + distances[1] + distances[2]) / 3, "mean distance");
  // The first half of seven steps ends with the third: row 1 against rows 2 and 3.
  near(found.drift, (distances[1] + distances[2]) / 2 - distances[0], "drift");
  near(found.stored_spread, spread(bonds[0]), "stored spread");
  near(found.physical_spread, spread(bonds[1]), "physical spread");
  // Three in a step and seven steps recorded, all of them.
  EXPECT_EQ(found.iterations, 3);
  for (const bool at_q : {false, true}) {
    Histogram expected(2, 8, 0.1);
    for (const double r : distances) expected.add(at_q ? r : r / 1.01);
    EXPECT_EQ((at_q ? found.physical : found.stored).counts, expected.counts);
  }
}

TEST(WaterSampling, records_what_is_there) {
  const auto rigid = water_cluster<double>(2);
  // Tangent freedoms of one rigid molecule; all nine of one whose sides are springs.
  const Freedoms tangent = tangent_freedoms();
  expect_what_was_recorded(rigid, tangent.oxygen, tangent.hydrogen);
  expect_what_was_recorded(penalised(rigid, 20.0), 3, 6);
}

TEST(WaterSampling, ensembles_are_the_runs_of_their_settings_and_seeds_with_noise_of_their_own) {
  const auto rigid = vectorised_water_cluster(2);
  const V q = lattice(2, 3);
  const Duration brief{.thermalised = 1, .settled = 1, .recorded = 5};
  const Histogram empty(2, 8, 0.1);
  Settings one{.method = Method::shake}, other = one;
  other.ensemble = 1;
  const auto both = ensembles(rigid, {one, other}, brief, q, 3, 1, empty);
  ASSERT_EQ(both.size(), 2U);
  std::vector<double> all;
  for (std::size_t k = 0; k < 2; ++k) {
    ASSERT_EQ(both[k].size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(both[k][i].temperature, sampled(rigid, k == 0 ? one : other, brief, q, i + 1, empty).temperature);
      all.push_back(both[k][i].temperature);
    }
  }
  // Six runs, no two of which have one noise: neither seeds nor ensembles.
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
}

TEST(WaterSampling, means_over_seeds_are_none_when_a_run_was_lost) {
  Sample kept, lost;
  kept.temperature = 1;
  lost.temperature = 2;
  lost.lost_at = 17;
  EXPECT_EQ(over_seeds({kept, kept, kept}, &Sample::temperature).mean, 1);
  EXPECT_TRUE(std::isnan(over_seeds({kept, lost, kept}, &Sample::temperature).mean));
  EXPECT_DOUBLE_EQ(share_lost({kept, lost, kept}), 1.0 / 3);
  EXPECT_THROW(densities({kept, lost}, &Sample::physical), std::runtime_error);
}

TEST(WaterSampling, an_equilibration_has_ten_times_the_friction_and_a_stream_of_its_own) {
  const auto rigid = vectorised_water_cluster(2);
  const Bath<double> bath{0.02, 3};
  constexpr std::uint64_t seed = 5;
  const auto soft = penalised(rigid, 20.0);
  const auto compare = [&](const auto& method) {
    const V q = lattice(2, 3), v = maxwell_velocities(method.system(), q, 3, seed);
    // By hand: friction 0.2, numbers of stream 2.
    GeometricLangevin strong(method, Bath<double>{0.2, 3}, NormalNumbers(seed, 2));
    auto expected = strong.start(q, v), z = expected;
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(strong.step(expected, 0.01).ok());
    ASSERT_TRUE(equilibrate(method, z, bath, 0.01, 3, seed, [] { return true; }).ok());
    EXPECT_EQ(z.q, expected.q);
    EXPECT_EQ(z.v, expected.v);
    EXPECT_EQ(z.steps, 3U);
    GeometricLangevin weak(method, bath, NormalNumbers(seed, 2));
    auto other = weak.start(q, v);
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(weak.step(other, 0.01).ok());
    EXPECT_NE(other.v, expected.v);
  };
  compare(VelocityVerlet(soft));
  compare(Rattle(rigid));
}

}  // namespace
