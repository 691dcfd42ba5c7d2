// SPDX-License-Identifier: MIT
//
// The battery of heat baths, on ConstrainedObabo, which it must clear with all its controls as expected; compiled in seconds: see
// methods.hpp.
#include <gtest/gtest.h>

#include <livi/claims/battery/rows.cpp>
#include <livi/claims/heat_bath_averages.cpp>
#include <livi/claims/heat_bath_battery.cpp>
#include <livi/claims/heat_bath_controls.cpp>
#include <livi/claims/heat_bath_steps.cpp>

namespace livi::battery_detail {
namespace {

/// Expects that these rows confirm ConstrainedObabo.
void expect_confirmed(const std::vector<std::string>& rows) {
  const BatteryResult result = run_heat_bath_battery(*heat_bath_control(C::obabo).subject, {.only = rows});
  EXPECT_EQ(result.rows.size(), rows.size());
  for (const BatteryRow& row : result.rows)
    EXPECT_EQ(row.claim.verdict, Verdict::confirmed) << row.test << ", measured " << row.claim.measured;
}

TEST(HeatBathBattery, is_measured_without_sampling) { expect_confirmed({"friction", "linear noise", "noise"}); }
TEST(HeatBathBattery, has_controls_that_fail) {
  expect_confirmed({"numbers without friction", "limit without friction", "numbers used once", "repetition"});
}
TEST(HeatBathBattery, has_runs_that_can_be_repeated) { expect_confirmed({"repetition", "restart"}); }
TEST(HeatBathBattery, tells_the_order_of_averages) { expect_confirmed({"averages"}); }
TEST(HeatBathBattery, tells_averages_of_each_problem) {
  for (const C control : {C::warm_on_one_side, C::warm_on_the_chain})
    EXPECT_LT(order_of_averages(*heat_bath_control(control).subject).value, 1.7) << heat_bath_control(control).name;
}
TEST(HeatBathBattery, knows_the_gibbs_measure) {
  // By midpoint rules of 400 and 800 polar angles with extrapolation, which leaves 1e-10.
  const auto [first, second] = mean_heights_of_rods(2.5);
  EXPECT_NEAR(first, -0.9196533676, 1e-9);
  EXPECT_NEAR(second, -0.9234964341, 1e-9);
  // A velocity of the mean energy is no difference.
  const auto run = heat_bath_control(C::obabo).subject->in_bath(bath_place::chain, judged_baths[0], BathNumbers());
  const D v = run->origin().second, thermal = v * std::sqrt(7 / (2.5 * v.dot(run->momentum(v))));
  EXPECT_NEAR(energy_difference(*run, thermal, judged_baths[0]), 0, 1e-14);
}

}  // namespace
}  // namespace livi::battery_detail
