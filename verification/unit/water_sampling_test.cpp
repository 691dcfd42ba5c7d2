// SPDX-License-Identifier: MIT
//
// Sampling of water clusters: the motion of the whole, freedoms of rigid molecules, runs that are lost, seeds.
#include <gtest/gtest.h>

#include <livi/systems/vectorised_water.hpp>

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

}  // namespace
