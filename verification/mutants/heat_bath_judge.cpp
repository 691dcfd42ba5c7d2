// SPDX-License-Identifier: MIT
//
// The battery of heat baths, on ConstrainedObabo, which it must clear with all its controls as expected; compiled in seconds: see
// methods.hpp.
#include <gtest/gtest.h>

#include <livi/claims/battery/rows.cpp>
#include <livi/claims/heat_bath_battery.cpp>
#include <livi/claims/heat_bath_controls.cpp>

namespace livi::battery_detail {
namespace {

/// Expects that these rows confirm ConstrainedObabo.
void expect_confirmed(const std::vector<std::string>& rows) {
  const BatteryResult result = run_heat_bath_battery(*heat_bath_control(C::obabo).subject, {.only = rows});
  EXPECT_EQ(result.rows.size(), rows.size());
  for (const BatteryRow& row : result.rows)
    EXPECT_EQ(row.claim.verdict, Verdict::confirmed) << row.test << ", measured " << row.claim.measured;
}

TEST(HeatBathBattery, is_measured_without_sampling) { expect_confirmed({"friction", "noise", "averages"}); }
TEST(HeatBathBattery, has_controls_that_fail) {
  expect_confirmed({"numbers without friction", "limit without friction", "averages", "repetition"});
}
TEST(HeatBathBattery, has_runs_that_can_be_repeated) { expect_confirmed({"repetition", "restart"}); }

}  // namespace
}  // namespace livi::battery_detail
