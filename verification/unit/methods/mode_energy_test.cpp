// SPDX-License-Identifier: MIT
// Unit tests: the closed form of the energy of a mode, against steps of Z&S and of Verlet in double.
#include <livi/diagnostics/mode_energy.hpp>

#include <gtest/gtest.h>

#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/systems/klein_gordon_chain.hpp>

namespace livi {

namespace mode_energy_test {

using V = Vector<double, Dynamic>;

struct HarmonicWell {
  using scalar_type = double;
  double stiffness;
  [[nodiscard]] double value(double x) const { return stiffness * x * x / 2; }
  [[nodiscard]] OnSiteDerivatives<double> derivatives(double x) const { return {stiffness * x, stiffness, 0}; }
};

constexpr double w2 = 3.7, h = 1.3, beta = 0.3;
constexpr ModePoint<double> start{0.4, -1.1};

TEST(ModeUnderStep, steps_as_zhang_skeel_does) {
  const auto chain = klein_gordon_chain(1, HarmonicWell{w2}, ChainEnds::free);
  ZhangSkeel method(chain, {beta});
  const ModeUnderStep<double> mode(w2, h, beta);
  auto z = method.start(V::Constant(1, start.x), V::Constant(1, start.v));
  ModePoint<double> point = start;
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(method.step(z, h).ok());
    point = mode.step(point);
    EXPECT_NEAR(point.x, z.q(0), 1e-13);
    EXPECT_NEAR(point.v, z.v(0), 1e-13);
  }
  V q = z.q;
  WorkCounters work;
  ASSERT_TRUE(method.force().physical_position(chain, z.q, h, q, work).ok());
  EXPECT_NEAR(mode.stored_over_physical(), z.q(0) / q(0), 1e-13);
  EXPECT_NEAR(mode.energy(point, PositionReading::stored), (z.v(0) * z.v(0) + w2 * z.q(0) * z.q(0)) / 2, 1e-12);
  EXPECT_NEAR(mode.energy(point, PositionReading::physical), (z.v(0) * z.v(0) + w2 * q(0) * q(0)) / 2, 1e-12);
}

TEST(ModeUnderStep, is_verlet_for_beta_zero) {
  const double small_step = 0.2;
  const auto chain = klein_gordon_chain(1, HarmonicWell{w2}, ChainEnds::free);
  VelocityVerlet method(chain);
  auto z = method.start(V::Constant(1, start.x), V::Constant(1, start.v));
  ASSERT_TRUE(method.step(z, small_step).ok());
  const ModePoint<double> point = ModeUnderStep<double>(w2, small_step, 0).step(start);
  EXPECT_NEAR(point.x, z.q(0), 1e-15);
  EXPECT_NEAR(point.v, z.v(0), 1e-15);
}

TEST(ModeUnderStep, keeps_its_invariant) {
  const ModeUnderStep<double> mode(w2, h, beta);
  const auto kept = [&](const ModePoint<double>& z) { return z.v * z.v + mode.kept_frequency_squared() * z.x * z.x; };
  ModePoint<double> z = start;
  for (int k = 0; k < 50; ++k) {
    z = mode.step(z);
    EXPECT_NEAR(kept(z), kept(start), 1e-12);
  }
}

TEST(ModeUnderStep, has_the_mean_energies_of_its_steps) {
  const ModeUnderStep<double> mode(w2, h, beta);
  for (const PositionReading at : {PositionReading::stored, PositionReading::physical}) {
    double sum = 0;
    ModePoint<double> z = start;
    for (long k = 1; k <= 100000; ++k) {
      z = mode.step(z);
      sum += mode.energy(z, at);
      if (k == 7 || k == 100) {
        EXPECT_NEAR(sum / static_cast<double>(k), mode.mean_energy(start, at, k), 1e-12);
      }
    }
    EXPECT_NEAR(sum / 100000, mode.mean_energy(start, at), 1e-4);  // the phases mix as 1/steps
  }
}

}  // namespace mode_energy_test
}  // namespace livi
