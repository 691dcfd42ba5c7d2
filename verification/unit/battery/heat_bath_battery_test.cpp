// SPDX-License-Identifier: MIT
//
// The battery of heat baths: both methods of the library are what they declare, and each wrong one is named by the rows that its
// error belongs to.
#include <gtest/gtest.h>

#include <array>
#include <livi/battery.hpp>
#include <livi/claims/heat_bath_controls.hpp>
#include <livi/stochastic/constrained_langevin.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
  EXPECT_EQ(result.rows.size(), 15U);
  EXPECT_EQ(rows_with(result, Verdict::confirmed).size(), 15U - not_testable.size()) << livi::battery_table(result);
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
TEST(HeatBathBattery, names_what_does_not_look_at_its_bath) {
  // With less friction sixteen runs tell less.
  expect_refuted(C::friction_of_one, {"friction", "noise", "fresh noise"}, {"momenta"});
  expect_refuted(C::heat_of_one_bath, {"noise", "fresh noise", "averages", "momenta", "positions"});
  expect_refuted(C::noise_by_friction, {"noise", "fresh noise", "averages", "momenta", "positions"});
}
TEST(HeatBathBattery, names_wrong_friction) {
  expect_refuted(C::friction_twice, {"friction", "averages", "momenta", "positions"});
  expect_refuted(C::friction_by_mass, {"friction", "averages", "momenta", "positions"});
}
TEST(HeatBathBattery, names_noise_of_a_wrong_strength) {
  expect_refuted(C::warm_by_mass, {"noise", "fresh noise", "averages", "momenta", "positions"});
  expect_refuted(C::half_temperature, {"noise", "fresh noise", "averages", "momenta", "positions"});
  expect_refuted(C::first_order_bath, {"averages", "momenta"});
}
TEST(HeatBathBattery, names_noise_of_a_wrong_strength_at_one_time_or_place) {
  expect_refuted(C::warm_later, {"momenta", "positions"});
  expect_refuted(C::warm_on_one_side, {"averages"});
  expect_refuted(C::warm_on_the_rods, {"momenta"});
  expect_refuted(C::warm_on_the_chain, {"averages"});
}
TEST(HeatBathBattery, names_noise_that_is_not_projected) {
  expect_refuted(C::unprojected, {"hidden constraint", "noise", "fresh noise", "averages", "momenta"});
}
TEST(HeatBathBattery, names_noise_without_tails) { expect_refuted(C::clipped_noise, {"linear noise"}); }
TEST(HeatBathBattery, names_noises_that_are_not_independent) {
  expect_refuted(C::shared_noise, {"noise", "fresh noise", "averages", "momenta"}, {"positions"});
  expect_refuted(C::one_noise_for_both, {"noise", "fresh noise", "averages", "momenta", "positions"});
  expect_refuted(C::old_noise, {"fresh noise", "numbers used once", "momenta", "positions"});
  expect_refuted(C::repeating_noise, {"numbers used once"}, {"momenta", "positions"});
  expect_refuted(C::antithetic_noise, {"numbers used once"});
  // Runs that are all alike are no sample, and what asks for no numbers is not linear in them.
  expect_refuted(C::own_numbers, {"friction", "noise", "fresh noise", "averages", "repetition"},
                 {"linear noise", "momenta", "positions"});
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
/// The battery on a method that is made of a system, a bath and numbers.
template <template <class> class Method>
BatteryResult run_of(const std::vector<std::string>& only) {
  return livi::run_heat_bath_battery(
      HeatBathSubject([]<class System>(const System& system, const Bath<double>& bath, const BathNumbers& numbers) {
        return Method<System>(system, bath, numbers);
      }),
      {.only = only});
}
TEST(HeatBathBattery, does_not_decide_what_it_cannot_measure) {
  // Both rows have the same runs: neither takes what the other has not measured for a measurement.
  const Names rows{"momenta", "positions", "restart"};
  const BatteryResult result = run_of<Slow>({rows.begin(), rows.end()});
  EXPECT_EQ(rows_with(result, Verdict::undecided), rows) << livi::battery_table(result);
  for (const auto& row : result.rows)
    EXPECT_NE(row.detail.find("the equation that determines the step has no solution"), std::string::npos)
        << row.test << ": " << row.detail;
  EXPECT_EQ(result.exit_status(), 2);
}

/// GeodesicBaoab that declares averages of order three, and one that asks for numbers that it does not use.
template <class System>
struct Third : livi::GeodesicBaoab<System, BathNumbers> {
  using livi::GeodesicBaoab<System, BathNumbers>::GeodesicBaoab;
  [[nodiscard]] livi::StochasticProperties declares_for_noise() const {
    return {.deterministic = this->declares(), .weak_order = 3};
  }
};
template <class System>
struct Curious : livi::GeodesicBaoab<System, BathNumbers> {
  using Base = livi::GeodesicBaoab<System, BathNumbers>;
  using typename Base::state_type;
  Curious(const System& system, const Bath<double>& bath, const BathNumbers& numbers)
      : Base(system, bath, numbers), asked(numbers) {}
  livi::StepOutcome step(state_type& z, double h) {
    std::array<double, 60> none{};
    asked(z.steps, 1, none.data(), static_cast<std::ptrdiff_t>(none.size()));
    return Base::step(z, h);
  }
  BathNumbers asked;
};
TEST(HeatBathBattery, says_which_averages_it_does_not_tell) {
  for (const auto& [result, why] : {std::pair(run_of<Third>({"averages"}), "tells no order beyond two"),
                                    std::pair(run_of<Curious>({"averages"}), "asks for 63 normal numbers")}) {
    EXPECT_EQ(rows_with(result, Verdict::undecided), Names{"averages"}) << livi::battery_table(result);
    EXPECT_NE(result.rows.at(0).detail.find(why), std::string::npos) << result.rows.at(0).detail;
  }
}

}  // namespace heat_bath_battery_test
