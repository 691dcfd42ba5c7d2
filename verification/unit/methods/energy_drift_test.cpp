// SPDX-License-Identifier: MIT
//
// The drift of the energy over blocks of a run: the slope and its error, on made-up energies.
#include <gtest/gtest.h>

#include <functional>
#include <livi/diagnostics/measures.hpp>

#include "verification/support/given_map.hpp"

namespace energy_drift_test {

using namespace livi::test;
using livi::PhasePoint;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// --- energy ---------------------------------------------------------------------------------------------------------

/// Energies 3 + slope * t + noise(step), t = h * step.
livi::EnergyDrift drift_of(double slope, const std::function<double(int)>& noise, int blocks, int per_block) {
  const double h = 0.5;
  GivenMap<double> stepper([&](const PhasePoint<double>&, const double& step_size,
                               int step) { return one_dimensional<double>(slope * step_size * step + noise(step), 0); },
                           [](const PhasePoint<double>& z) { return 3 + z.q(0); });
  return livi::measure_energy_drift(stepper, one_dimensional<double>(0, 0), h, blocks, per_block);
}

TEST(EnergyDrift, of_a_straight_line_is_its_slope) {
  const auto drift = drift_of(
      0.25, [](int) { return 0.0; }, 10, 20);
  EXPECT_NEAR(drift.slope, 0.25, 1e-14);
  EXPECT_LE(drift.standard_error, 1e-14);
  EXPECT_EQ(drift.time, 0.5 * 10 * 20);
  EXPECT_EQ(drift.initial_energy, 3);
  EXPECT_NEAR(drift.largest_error, 0.25 * 100, 1e-12);
}

TEST(EnergyDrift, averages_oscillations_inside_a_block) {
  const auto drift = drift_of(
      1e-3, [](int k) { return k % 2 == 0 ? 0.1 : -0.1; }, 10, 20);
  EXPECT_NEAR(drift.slope, 1e-3, 1e-14);
  EXPECT_NEAR(drift.largest_error, 0.1 + 1e-3 * 100, 1e-12);
}

TEST(EnergyDrift, has_the_standard_error_of_least_squares) {
  // Block means: r = (1, -2, 1) about a horizontal line: slope 0, sum r^2 = 6, sxx = 2, error sqrt(6/1/2) per block.
  const auto drift = drift_of(
      0, [](int k) { return k <= 4   ? 1.0
                            : k <= 8 ? -2.0
                                     : 1.0; }, 3, 4);
  EXPECT_NEAR(drift.slope, 0, 1e-15);
  EXPECT_NEAR(drift.standard_error, std::sqrt(3.0) / (4 * 0.5), 1e-14);
  EXPECT_EQ(drift.largest_error, 2);
}

TEST(EnergyDrift, has_an_error_that_knows_the_correlation_of_blocks) {
  // One period in the run is no drift, though least squares with independent blocks would have 6.6 errors of it.
  const auto drift = drift_of(
      0, [](int k) { return std::sin(2 * std::acos(-1.0) * k / 600); }, 30, 20);
  EXPECT_LT(drift.slope, 0);
  EXPECT_LE(std::abs(drift.slope), 2 * drift.standard_error);
  // One of twenty amplitudes in the run is.
  const auto seen = drift_of(
      20.0 / 300, [](int k) { return std::sin(2 * std::acos(-1.0) * k / 600); }, 30, 20);
  EXPECT_GT(seen.slope, 4 * seen.standard_error);
}

TEST(EnergyDrift, of_a_run_that_ends_early_is_not_a_number) {
  EXPECT_TRUE(std::isnan(drift_of(
                             0, [](int k) { return k == 30 ? nan : 0.0; }, 10, 20)
                             .slope));
  GivenMap<double> failing([](const PhasePoint<double>& z, const double&, int) { return z; },
                           [](const PhasePoint<double>&) { return 1.0; }, 5);
  const auto drift = livi::measure_energy_drift(failing, one_dimensional<double>(0, 0), 0.5, 3, 4);
  EXPECT_TRUE(std::isnan(drift.slope) && std::isnan(drift.standard_error));
}

}  // namespace energy_drift_test
