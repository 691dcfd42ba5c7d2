// SPDX-License-Identifier: MIT
//
// Sampling of water clusters: the motion of the whole, freedoms of rigid molecules, runs that are lost, seeds. Starts
// of the motion without noise, and what is measured of it.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <livi/systems/vectorised_water.hpp>

#include "study/models/water_motion.hpp"
#include "study/models/water_runs.hpp"
#include "study/models/water_sampling.hpp"
#include "study/statistics/slope_of_sums.hpp"

namespace water_sampling_test {

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
  // Methods whose stored positions are the physical ones, and those for which they stand for others.
  const Settings with_small_steps{.method = Method::verlet, .h = 0.01};
  for (const Settings& set : {Settings{.method = Method::shake}, with_small_steps}) {
    const Sample sample = run(set, 1);
    EXPECT_TRUE(std::isnan(sample.lost_at));
    EXPECT_EQ(sample.physical.counts, sample.stored.counts);
    EXPECT_EQ(sample.physical_spread, sample.stored_spread);
  }
  for (const Method method : {Method::stiff_zhang_skeel, Method::variational}) {
    // x = q - beta h^2 a, and a of the stiff sides is -4.5^2 omega^2 times their stretch at most: both spread alike,
    // but not the same.
    const Sample sample = run({.method = method}, 1);
    EXPECT_GT(sample.physical_spread, 0.01 * sample.stored_spread);
    EXPECT_LT(sample.physical_spread, 100 * sample.stored_spread);
    EXPECT_NE(sample.physical_spread, sample.stored_spread);
  }
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
  double of_oxygen = 0, of_hydrogen = 0, drifting = 0, turning = 0, potential = 0, constraint = 0;
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
          if (at_q) constraint = std::max(constraint, std::abs(squares.back() - model.squared_oh));
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

/// The scripted method, but one step fails or has a cluster that flies apart.
template <class System>
class Spoilt : public Scripted<System> {
 public:
  using state_type = typename Scripted<System>::state_type;
  Spoilt(const System& system, std::uint64_t at, bool fails) : Scripted<System>(system), at_(at), fails_(fails) {}
  StepOutcome step(state_type& z, double h) {
    StepOutcome outcome = Scripted<System>::step(z, h);
    if (z.steps != at_) return outcome;
    if (fails_) outcome.failure = Failure::no_convergence;
    z.v *= 1000;
    return outcome;
  }

 private:
  std::uint64_t at_;
  bool fails_;
};

TEST(WaterSampling, a_run_is_lost_when_a_step_fails_or_the_cluster_is_a_hundred_times_too_hot) {
  const auto rigid = water_cluster<double>(2);
  const auto lost_at = [&](std::uint64_t step, bool fails) {
    const Spoilt<std::remove_const_t<decltype(rigid)>> script(rigid, step, fails);
    return water::detail::sampled(script, script, {.h = 0.5, .inverse_temperature = 2},
                                  {.thermalised = 1, .settled = 1, .recorded = 3, .between = 1}, lattice(2, 3),
                                  Histogram(2, 8, 0.1), [](const auto& z, V& q) { q = z.q; })
        .lost_at;
  };
  // Two steps thermalise, whose heat does not count, two settle, six are recorded. Every second is looked at; a failure
  // tells always, but not when.
  EXPECT_EQ(lost_at(1, true), 0);
  EXPECT_TRUE(std::isnan(lost_at(1, false)));
  EXPECT_EQ(lost_at(3, true), 0);
  EXPECT_EQ(lost_at(4, false), 0);
  EXPECT_EQ(lost_at(7, true), 0);
  EXPECT_TRUE(std::isnan(lost_at(7, false)));
  EXPECT_EQ(lost_at(8, false), 2) << "after four recorded steps of 0.5";
  EXPECT_EQ(lost_at(10, false), 3);
  EXPECT_EQ(lost_at(10, true), 0);
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

TEST(WaterMotion, velocities_of_a_start_are_rigid_warm_and_without_drift) {
  const V q = heptamer();
  ASSERT_EQ(q.size(), 9 * heptamer_size);
  const Rigid system = rigid_cluster(heptamer_size);
  constexpr double kt = 0.3;
  constexpr std::uint64_t seeds = 400;
  double twice_kinetic = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const V v = rigid_velocities(system, q, kt, seed);
    // The squares of the three sides of each molecule do not change.
    double change = 0;
    for (Eigen::Index m = 0; m < q.size(); m += 9)
      for (const auto& [a, b] : {std::pair<Eigen::Index, Eigen::Index>{0, 3}, {0, 6}, {3, 6}})
        change = std::max(
            change,
            std::abs((q.segment<3>(m + a) - q.segment<3>(m + b)).dot(v.segment<3>(m + a) - v.segment<3>(m + b))));
    EXPECT_LT(change, 1e-13);
    for (Eigen::Index k = 0; k < 3; ++k) {
      double momentum = 0;
      for (Eigen::Index i = k; i < v.size(); i += 3) momentum += system.mass().diagonal(i) * v(i);
      EXPECT_LT(std::abs(momentum), 1e-12);
    }
    for (Eigen::Index i = 0; i < v.size(); ++i) twice_kinetic += system.mass().diagonal(i) * v(i) * v(i);
  }
  // 39 freedoms: each kinetic energy is kt/2 times a number of the chi-squared distribution with 39, whose variance is
  // 78. Four standard errors of the mean.
  EXPECT_NEAR(twice_kinetic / seeds / kt, 39, 4 * std::sqrt(78.0 / seeds));
}

TEST(WaterMotion, a_start_is_the_minimum_with_twice_the_temperature) {
  const V q = heptamer();
  const Rigid system = rigid_cluster(heptamer_size);
  const Start start = rigid_start(system, q, 3);
  EXPECT_EQ(start.q, q);
  EXPECT_EQ(start.v, rigid_velocities(system, q, 2 / printed_inverse_temperature, 3));
  EXPECT_NE(start.v, rigid_start(system, q, 4).v);
}

TEST(WaterMotion, a_relaxed_minimum_is_a_minimum_near_the_rigid_one) {
  const V q = heptamer();
  constexpr double omega = 20;
  const auto system = dense_cluster(heptamer_size, omega);
  const V relaxed = relaxed_minimum(system, q);
  V gradient(q.size());
  system.potential().gradient(q, gradient);
  EXPECT_GT(gradient.cwiseAbs().maxCoeff(), 1) << "the rigid minimum is none of this energy";
  system.potential().gradient(relaxed, gradient);
  // The last step is below 1e-10, the largest eigenvalue of the Hessian below 1e4.
  EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(system.potential().value(relaxed), system.potential().value(q));
  // Molecules are 2.7 apart and softly bound.
  EXPECT_LT((relaxed - q).cwiseAbs().maxCoeff(), 1);
  Dense hessian(q.size());
  system.potential().gradient_and_hessian(relaxed, gradient, hessian);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(hessian.matrix.selfadjointView<Eigen::Lower>());
  // Six motions of the whole cost nothing; the rounding of entries of 1e3 is below 1e-10.
  EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-8);
  EXPECT_GT(eigen.eigenvalues()(6), 1e-3) << "no saddle";
  EXPECT_THROW(relaxed_minimum(system, V::Constant(q.size(), std::numeric_limits<double>::quiet_NaN())),
               std::runtime_error);
}

TEST(WaterMotion, momenta_and_kinetic_energy_are_their_sums) {
  const auto masses = water_masses<double>(1, tip3p<double>());
  const double oxygen = masses.diagonal(0), hydrogen = masses.diagonal(3);
  V q(9), v(9);
  q << 1, 2, 3, -1, 0.5, 2, 4, -2, 0.25;
  v << 0.5, -1, 2, 3, 1, -2, 0, 4, -0.5;
  const V p = (V(9) << oxygen * v.head<3>(), hydrogen * v.tail<6>()).finished();
  EXPECT_NEAR((linear_momentum(masses, v) - p.segment<3>(0) - p.segment<3>(3) - p.segment<3>(6)).norm(), 0, 1e-13);
  const Vector3d about_the_origin{q(1) * p(2) - q(2) * p(1) + q(4) * p(5) - q(5) * p(4) + q(7) * p(8) - q(8) * p(7),
                                  q(2) * p(0) - q(0) * p(2) + q(5) * p(3) - q(3) * p(5) + q(8) * p(6) - q(6) * p(8),
                                  q(0) * p(1) - q(1) * p(0) + q(3) * p(4) - q(4) * p(3) + q(6) * p(7) - q(7) * p(6)};
  EXPECT_NEAR((angular_momentum(masses, q, v) - about_the_origin).norm(), 0, 1e-12);
  EXPECT_NEAR(livi::water::kinetic_energy(masses, v), p.dot(v) / 2, 1e-12);
}

TEST(SlopeOfSums, is_that_of_least_squares) {
  SlopeOfSums line;
  for (const auto& [x, y] : {std::pair{1.0, 2.0}, {2.0, 3.5}, {4.0, 3.0}, {7.0, 9.5}}) line.add(x, y);
  // About the means 3.5 and 4.5: (2.5 * 2.5 + 1.5 * 1 - 0.5 * 1.5 + 3.5 * 5) / (2.5^2 + 1.5^2 + 0.5^2 + 3.5^2).
  EXPECT_NEAR(line.slope(), 24.5 / 21, 1e-14);
}

}  // namespace water_sampling_test
