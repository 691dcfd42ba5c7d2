// SPDX-License-Identifier: MIT
//
// The battery of heat baths: both methods of the library are what they declare, and each wrong one is named by the rows that its
// error belongs to.
#include <gtest/gtest.h>

#include <livi/battery.hpp>
#include <livi/claims/heat_bath_controls.hpp>
#include <livi/stochastic/constrained_langevin.hpp>
#include <set>
#include <string>

// In a namespace with a name: the battery makes types of them.
namespace heat_bath_battery_test {

using livi::Bath;
using livi::BathNumbers;
using livi::BatteryResult;
using livi::HeatBathSubject;
using livi::Verdict;
using livi::battery_detail::HeatBathControl;

using Names = std::set<std::string>;
using C = HeatBathControl;

Names rows_with(const BatteryResult& result, Verdict verdict) {
  Names rows;
  for (const auto& row : result.rows)
    if (row.claim.verdict == verdict) rows.insert(row.test);
  return rows;
}
BatteryResult run(HeatBathControl control) {
  return livi::run_heat_bath_battery(*livi::battery_detail::heat_bath_control(control).subject);
}

/// RATTLE.
constexpr auto rattle = []<class System>(const System& system) { return livi::Rattle<System>(system); };
/// Kicks around two halves of RATTLE without force, what GeodesicBaoab is without friction.
template <class System>
class TwoHalves {
 public:
  using state_type = typename livi::GeodesicBaoab<System>::state_type;
  explicit TwoHalves(const System& system)
      : baoab_(system, {0, 1, livi::Friction::momentum}), free_(without_force(system)), rattle_(free_) {}
  [[nodiscard]] state_type start(const auto& q, const auto& v) const { return baoab_.start(q, v); }
  livi::StepOutcome step(state_type& z, double h) {
    z.v += h / 2 * z.f;
    for (int half = 0; half < 2; ++half) {
      auto y = rattle_.start(z.q, z.v);
      if (const auto outcome = rattle_.step(y, h / 2); !outcome.ok()) return outcome;
      z.q = y.q, z.v = y.v;
    }
    z.f = baoab_.start(z.q, z.v).f;
    z.v += h / 2 * z.f;
    return {};
  }

 private:
  static System without_force(const System& system) {
    return {system.mass(), {livi::zeros<typename System::vector_type>()}, system.constraint()};
  }
  livi::GeodesicBaoab<System> baoab_;
  System free_;
  livi::Rattle<System> rattle_;
};

// ---- methods of the library -------------------------------------------------------------------------------------------

void expect_confirmed(const BatteryResult& result, const Names& not_testable) {
  EXPECT_EQ(result.exit_status(), 0) << livi::battery_table(result);
  EXPECT_EQ(result.rows.size(), 13U);
  EXPECT_EQ(rows_with(result, Verdict::confirmed).size(), 13U - not_testable.size()) << livi::battery_table(result);
  EXPECT_EQ(rows_with(result, Verdict::not_testable), not_testable) << livi::battery_table(result);
}
TEST(HeatBathBattery, confirms_obabo_whose_limit_is_rattle_to_the_bit) { expect_confirmed(run(C::obabo), {}); }
TEST(HeatBathBattery, confirms_baoab) {
  expect_confirmed(livi::run_heat_bath_battery<livi::GeodesicBaoab>(), {"limit without friction"});
}
TEST(HeatBathBattery, compares_with_the_limit_that_is_said_to_the_bit) {
  const auto obabo = []<class System>(const System& system, const Bath<double>& bath, const BathNumbers& numbers) {
    return livi::ConstrainedObabo<System, BathNumbers>(system, bath, numbers);
  };
  const auto two_halves = []<class System>(const System& system) { return TwoHalves<System>(system); };
  const BatteryResult wrong =
      livi::run_heat_bath_battery(HeatBathSubject(obabo, two_halves), {.only = {"limit without friction"}});
  EXPECT_EQ(rows_with(wrong, Verdict::refuted), Names{"limit without friction"}) << livi::battery_table(wrong);
  EXPECT_EQ(wrong.exit_status(), 1);
  const BatteryResult right =
      livi::run_heat_bath_battery(HeatBathSubject(obabo, rattle), {.only = {"limit without friction"}});
  EXPECT_EQ(rows_with(right, Verdict::confirmed), Names{"limit without friction"}) << livi::battery_table(right);
  EXPECT_EQ(right.exit_status(), 3) << "a part is no verdict";
}
TEST(HeatBathBattery, refuses_names_of_rows_that_there_are_not) {
  const auto& subject = *livi::battery_detail::heat_bath_control(C::baoab).subject;
  EXPECT_THROW(livi::run_heat_bath_battery(subject, {.only = {"limit"}}), livi::InvalidParameter);
}

// ---- wrong methods ----------------------------------------------------------------------------------------------------

/// Expects that exactly these rows refute a control, and exactly those are undecided.
void expect_refuted(HeatBathControl control, const Names& rows, const Names& undecided = {}) {
  const BatteryResult result = run(control);
  EXPECT_EQ(rows_with(result, Verdict::refuted), rows) << livi::battery_table(result);
  EXPECT_EQ(rows_with(result, Verdict::undecided), undecided) << livi::battery_table(result);
  EXPECT_EQ(rows_with(result, Verdict::broken_control), Names{}) << livi::battery_table(result);
  EXPECT_EQ(result.exit_status(), rows.empty() ? 0 : 1) << livi::battery_table(result);
}
const std::string limit = "limit without friction", order = "order without friction";

TEST(HeatBathBattery, clears_a_bath_of_order_one_that_says_so) { expect_refuted(C::first_order_declared, {}); }
TEST(HeatBathBattery, names_wrong_friction) {
  expect_refuted(C::friction_twice, {"friction", "averages", "momenta", "heights"});
  expect_refuted(C::friction_by_mass, {"friction", "momenta"});
}
TEST(HeatBathBattery, names_noise_of_a_wrong_strength) {
  expect_refuted(C::warm_by_mass, {"noise", "fresh noise", "momenta"});
  expect_refuted(C::half_temperature, {"noise", "fresh noise", "averages", "momenta", "heights"});
  expect_refuted(C::first_order_bath, {"averages"});
}
TEST(HeatBathBattery, names_noise_that_is_not_projected) {
  expect_refuted(C::unprojected, {"hidden constraint", "noise", "fresh noise", "averages"});
}
TEST(HeatBathBattery, names_noises_that_are_not_independent) {
  expect_refuted(C::shared_noise, {"noise", "fresh noise", "momenta"});
  expect_refuted(C::one_noise_for_both, {"noise", "fresh noise", "averages", "momenta", "heights"});
  expect_refuted(C::old_noise, {"fresh noise", "momenta"});
  // Runs that are all alike are no sample.
  expect_refuted(C::own_numbers, {"friction", "noise", "fresh noise", "averages", "repetition"},
                 {"momenta", "heights"});
}
TEST(HeatBathBattery, names_a_motion_that_is_wrong_without_friction) {
  expect_refuted(C::lopsided, {limit, order});
  expect_refuted(C::other_without_friction, {limit, "numbers without friction"});
  expect_refuted(C::rattle_of_other_rounding, {limit});
}
TEST(HeatBathBattery, names_what_leaves_the_manifold) { expect_refuted(C::off_manifold, {limit, "constraint"}); }
TEST(HeatBathBattery, names_what_is_not_in_the_state) { expect_refuted(C::counter_in_method, {limit, "restart"}); }

/// GeodesicBaoab that makes no step from speeds of more than 1.5.
template <class System>
struct Slow : livi::GeodesicBaoab<System, BathNumbers> {
  using Base = livi::GeodesicBaoab<System, BathNumbers>;
  using Base::Base;
  using typename Base::state_type;
  livi::StepOutcome step(state_type& z, double h) {
    return z.v.norm() > 1.5 ? livi::StepOutcome{livi::Failure::no_real_root} : Base::step(z, h);
  }
};
TEST(HeatBathBattery, does_not_decide_what_it_cannot_measure) {
  const BatteryResult result = livi::run_heat_bath_battery(
      HeatBathSubject([]<class System>(const System& system, const Bath<double>& bath, const BathNumbers& numbers) {
        return Slow<System>(system, bath, numbers);
      }),
      {.only = {"momenta", "restart"}});
  EXPECT_EQ(rows_with(result, Verdict::undecided), (Names{"momenta", "restart"})) << livi::battery_table(result);
  EXPECT_EQ(result.exit_status(), 2);
}

}  // namespace heat_bath_battery_test
