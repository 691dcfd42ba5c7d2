// SPDX-License-Identifier: MIT
//
// The battery on methods under noise: those of the library are what they declare, and each wrong one is named by the rows that its
// error belongs to.
#include <gtest/gtest.h>

#include <livi/battery.hpp>
#include <livi/claims/stochastic_controls.hpp>
#include <livi/stochastic/commutator_rattle.hpp>
#include <livi/stochastic/constrained_runge_kutta.hpp>
#include <livi/stochastic/staircase_rattle.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>
#include <set>
#include <string>

// In a namespace with a name: the battery makes types of them.
namespace stochastic_battery_test {

using livi::BatteryOptions;
using livi::BatteryResult;
using livi::NoiseWeights;
using livi::ScalarOf;
using livi::StochasticSubject;
using livi::Verdict;
using livi::battery_detail::StochasticControl;

using Names = std::set<std::string>;

/// Returns the rows with a verdict.
Names rows_with(const BatteryResult& result, Verdict verdict) {
  Names rows;
  for (const auto& row : result.rows)
    if (row.claim.verdict == verdict) rows.insert(row.test);
  return rows;
}
BatteryResult run(StochasticControl control, const BatteryOptions& options = {}) {
  return livi::run_battery(*livi::battery_detail::stochastic_control(control).subject, options);
}

const std::string constant = "strong order, constant K", varying = "strong order";

// ---- the reference ----------------------------------------------------------------------------------------------------

// What it leaves out has mean zero and the weight 2 (of W_i W_j on the finest steps) or 5/2: errors of order 3/2 or two. Without its kicks
// by the products K_ij the weight-two part has a mean, and the order is one. The bound is half-way between one and 3/2.
TEST(StochasticBattery, has_a_reference_of_strong_order_above_one_where_products_vary) {
  double coarse = 0, fine = 0;
  for (std::size_t number = 0; number < 32; ++number) {
    const auto end = [&](int finest) {
      return livi::battery_detail::end_of_reference(livi::stochastic_place::varying_products, number, finest);
    };
    const auto best = end(12);
    coarse += (end(6).q - best.q).squaredNorm();
    fine += (end(9).q - best.q).squaredNorm();
  }
  EXPECT_GT(std::log2(coarse / fine) / 2 / 3, 1.25);
}

// ---- methods of the library -------------------------------------------------------------------------------------------

TEST(StochasticBattery, confirms_rattle_with_both_weights) {
  for (const auto control : {StochasticControl::integrals, StochasticControl::increments}) {
    const BatteryResult result = run(control);
    EXPECT_EQ(result.exit_status(), 0) << livi::battery_table(result);
    EXPECT_EQ(result.rows.size(), 18U);
  }
}
TEST(StochasticBattery, confirms_methods_of_strong_order_two_for_several_noises) {
  for (const auto control : {StochasticControl::commutator, StochasticControl::staircase}) {
    const BatteryResult result = run(control);
    EXPECT_EQ(result.exit_status(), 0) << livi::battery_table(result);
    EXPECT_TRUE(rows_with(result, Verdict::confirmed).contains("strong order")) << livi::battery_table(result);
    EXPECT_TRUE(rows_with(result, Verdict::confirmed).contains("weak order")) << livi::battery_table(result);
  }
}
TEST(StochasticBattery, confirms_weak_order_two_of_a_method_of_strong_order_one) {
  const BatteryResult result = run(StochasticControl::weak, {.only = {"weak order", varying}});
  EXPECT_EQ(rows_with(result, Verdict::confirmed), (Names{"weak order", varying})) << livi::battery_table(result);
}
TEST(StochasticBattery, confirms_variational_euler) {
  const BatteryResult result = run(StochasticControl::euler);
  EXPECT_EQ(result.exit_status(), 0) << livi::battery_table(result);
}

template <class Factory>
void expect_confirmed(const Factory& factory) {
  const BatteryResult result = livi::run_battery(StochasticSubject(factory));
  EXPECT_EQ(result.exit_status(), 0) << livi::battery_table(result);
}
/// Lobatto's method, and for one stage the tableau of the variational Euler method B.
TEST(StochasticBattery, confirms_methods_of_tableaux) {
  for (const int stages : {1, 3})
    expect_confirmed([stages]<class System>(const System& system) {
      using S = ScalarOf<System>;
      using Method = livi::ConstrainedPartitionedRungeKutta<System>;
      if (stages == 1)
        return Method(system, livi::variational_euler_tableau<S>(livi::EulerForce::at_end), NoiseWeights::increments,
                      livi::TableauCondition::weights_may_vanish);
      return Method(system, livi::lobatto<S>(stages), NoiseWeights::integrals);
    });
}

/// RATTLE under noise that makes no step longer than 1/64.
template <class System>
struct ShortSteps : livi::StochasticRattle<System> {
  using Base = livi::StochasticRattle<System>;
  using Base::Base;
  using typename Base::S, typename Base::state_type;
  static bool is_long(const S& h) { return livi::magnitude(h) > livi::RealOf<S>(1) / livi::RealOf<S>(64); }
  livi::StepOutcome step(state_type& z, const S& h) {
    return is_long(h) ? livi::StepOutcome{livi::Failure::no_real_root} : Base::step(z, h);
  }
  livi::StepOutcome step(state_type& z, const S& h, livi::StepNoise<S> noises) {
    return is_long(h) ? livi::StepOutcome{livi::Failure::no_real_root} : Base::step(z, h, noises);
  }
};

/// RATTLE under noise that makes no step under an increment of more than 3.5 standard deviations.
template <class System>
struct SmallNoises : livi::StochasticRattle<System> {
  using Base = livi::StochasticRattle<System>;
  using Base::Base;
  using typename Base::S, typename Base::state_type;
  livi::StepOutcome step(state_type& z, const S& h, livi::StepNoise<S> noises) {
    for (const auto& noise : noises)
      if (livi::magnitude(S(noise.increment * noise.increment)) >
          livi::RealOf<S>(49) / livi::RealOf<S>(4) * livi::magnitude(h))
        return {livi::Failure::no_real_root};
    return Base::step(z, h, noises);
  }
};

// ---- wrong methods ----------------------------------------------------------------------------------------------------

/// Expects that exactly these rows refute a control, and exactly those are undecided.
void expect_refuted(StochasticControl control, const Names& rows, const Names& undecided = {}) {
  const BatteryResult result = run(control, {.quick = true});
  EXPECT_EQ(rows_with(result, Verdict::refuted), rows) << livi::battery_table(result);
  EXPECT_EQ(rows_with(result, Verdict::undecided), undecided) << livi::battery_table(result);
  EXPECT_EQ(rows_with(result, Verdict::broken_control), Names{}) << livi::battery_table(result);
  EXPECT_EQ(result.exit_status(), rows.empty() ? 3 : 1) << livi::battery_table(result);
}
TEST(StochasticBattery, clears_projected_methods_that_declare_what_they_are) {
  expect_refuted(StochasticControl::euler_maruyama, {});
  expect_refuted(StochasticControl::heun, {});
  expect_refuted(StochasticControl::weakly_of_order_one, {});
}
TEST(StochasticBattery, names_declarations_that_are_too_good) {
  expect_refuted(StochasticControl::declared_variational, {"symplectic", "angular momentum"});
  expect_refuted(StochasticControl::heun_declared_symplectic, {"symplectic"});
  expect_refuted(StochasticControl::three_halves, {constant});
  expect_refuted(StochasticControl::weakly_of_order_two, {"weak order"});
  expect_refuted(StochasticControl::increments_of_weak_order_two, {"weak order"});
  expect_refuted(StochasticControl::euler_of_order_two, {"order without noise"});
  expect_refuted(StochasticControl::symmetric_euler, {"symmetric"});
}
// With the wrong covariance of the noises the order is 3/2 where products vary, and nothing else is wrong: means are those of the
// right one.
TEST(StochasticBattery, names_a_covariance_of_the_noises_that_is_wrong) {
  expect_refuted(StochasticControl::turned_covariances, {varying});
}
// The mean of C is nearer to C: that takes more paths and shorter steps than a quick run has.
TEST(StochasticBattery, names_a_mean_in_the_place_of_the_covariance) {
  const BatteryResult result = run(StochasticControl::mean_covariance);
  EXPECT_EQ(rows_with(result, Verdict::refuted), Names{varying}) << livi::battery_table(result);
  EXPECT_EQ(rows_with(result, Verdict::undecided), Names{}) << livi::battery_table(result);
}
// Means of C are not zero where the integrals of the noises are: these steps have a kick there, and declare it.
TEST(StochasticBattery, clears_methods_that_take_means_of_products) {
  const auto expect_cleared = [](const livi::Subject& subject) {
    const BatteryResult result = livi::run_battery(subject, {.quick = true, .only = {"zero noise", "weak order"}});
    EXPECT_EQ(rows_with(result, Verdict::confirmed), (Names{"zero noise", "weak order"}))
        << livi::battery_table(result);
  };
  expect_cleared(*livi::battery_detail::stochastic_control(StochasticControl::mean).subject);
  expect_cleared(*livi::battery_detail::stochastic_control(StochasticControl::conditional_mean).subject);
  expect_cleared(StochasticSubject([]<class System>(const System& system) {
    return livi::StaircaseRattle<System>(system, livi::PathCovariance::mean);
  }));
}
// Its error of order 3/2 is below RATTLE's own at the steps of a quick run: undecided there, and the row says so.
TEST(StochasticBattery, decides_the_strong_order_of_the_mean_under_increments_and_integrals_unless_it_is_quick) {
  const BatteryResult quick = run(StochasticControl::conditional_mean, {.quick = true, .only = {varying}}),
                      whole = run(StochasticControl::conditional_mean, {.only = {varying}});
  EXPECT_EQ(rows_with(quick, Verdict::undecided), Names{varying}) << livi::battery_table(quick);
  EXPECT_NE(quick.rows.front().detail.find("on its way to the declared one"), std::string::npos);
  EXPECT_NE(quick.rows.front().detail.find("shorter steps and more paths"), std::string::npos);
  EXPECT_EQ(rows_with(whole, Verdict::confirmed), Names{varying}) << livi::battery_table(whole);
}
TEST(StochasticBattery, names_what_such_methods_do_besides_where_the_noises_are_zero) {
  for (const auto control : {StochasticControl::turned_mean, StochasticControl::mean_and_branch}) {
    const BatteryResult result = run(control, {.quick = true, .only = {"zero noise"}});
    EXPECT_EQ(rows_with(result, Verdict::refuted), Names{"zero noise"}) << livi::battery_table(result);
  }
}
/// RATTLE with the kick of the mean of C, which does not declare it.
template <class System>
struct Undeclared : livi::CommutatorRattle<System> {
  explicit Undeclared(const System& system) : livi::CommutatorRattle<System>(system, livi::PathCovariance::mean) {}
  [[nodiscard]] livi::StochasticProperties declares_for_noise() const {
    livi::StochasticProperties p = livi::CommutatorRattle<System>::declares_for_noise();
    p.means_of_products = false;
    return p;
  }
};
TEST(StochasticBattery, names_a_mean_of_products_that_is_not_declared) {
  const BatteryResult result = livi::run_battery(
      StochasticSubject([]<class System>(const System& system) { return Undeclared<System>(system); }),
      {.quick = true, .only = {"zero noise"}});
  EXPECT_EQ(rows_with(result, Verdict::refuted), Names{"zero noise"}) << livi::battery_table(result);
}
TEST(StochasticBattery, names_steps_that_leave_the_constraints) {
  // They have no start in 50 digits where such a step ends.
  expect_refuted(StochasticControl::unprojected, {"hidden constraint", "short steps", "each noise", constant, varying},
                 {"symmetric"});
  expect_refuted(StochasticControl::off_manifold, {"constraint", "symplectic", "angular momentum", "short steps"},
                 {"symmetric"});
}
TEST(StochasticBattery, names_wrong_noises) {
  const Names solution{"short steps", "each noise", constant, varying};
  Names with_energy = solution;
  with_energy.insert("mean energy");
  // Isotropic noise has the same mean energy when noises are exchanged, or equal: few paths cannot say more.
  expect_refuted(StochasticControl::one_noise_for_all, solution, {"mean energy"});
  expect_refuted(StochasticControl::exchanged_noises, solution, {"mean energy"});
  expect_refuted(StochasticControl::strong_noise, with_energy);
  expect_refuted(StochasticControl::nearly_strong_noise, {"short steps", "each noise"});
  with_energy.insert("symmetric");
  expect_refuted(StochasticControl::first_half, with_energy);
}
TEST(StochasticBattery, names_the_second_kick_with_the_gradient_of_the_old_position) {
  expect_refuted(StochasticControl::old_gradient, {"symplectic", "angular momentum", "symmetric"});
}
TEST(StochasticBattery, names_steps_that_are_hardly_wrong) {
  expect_refuted(StochasticControl::wrong_force, {"symmetric", "short steps"});
  expect_refuted(StochasticControl::branch_without_noise, {"zero noise"});
  expect_refuted(StochasticControl::in_double, {"number types"});
}
TEST(StochasticBattery, names_a_counter) {
  // By 1e-12 of the momentum, too.
  expect_refuted(StochasticControl::counter_in_method, {"restart", "angular momentum", "linear momentum"});
  expect_refuted(StochasticControl::counter_shared,
                 {"repetition", "restart", "angular momentum", "linear momentum", "symplectic", "symmetric",
                  "zero noise", "short steps", "each noise"});
}
TEST(StochasticBattery, names_steps_that_do_not_exist) {
  expect_refuted(StochasticControl::unguarded, {"existence"});
  expect_refuted(StochasticControl::far_root, {"existence"});
}
TEST(StochasticBattery, is_undecided_about_a_method_that_fails) {
  // No step is longer than 1/64: nothing that is measured with longer ones is confirmed.
  const auto factory = []<class System>(const System& system) { return ShortSteps<System>(system); };
  const BatteryResult result = livi::run_battery(StochasticSubject(factory), {.quick = true});
  const Names undecided = rows_with(result, Verdict::undecided);
  EXPECT_EQ(result.exit_status(), 2) << livi::battery_table(result);
  for (const char* const row : {"constraint", "hidden constraint", "symplectic", "symmetric", "angular momentum",
                                "mean energy", "order without noise", "zero noise", "number types", "repetition",
                                "restart", "existence", "strong order", "strong order, constant K"})
    EXPECT_TRUE(undecided.contains(row)) << row;
}

TEST(StochasticBattery, is_undecided_about_orders_where_some_paths_are_lost) {
  const auto factory = []<class System>(const System& system) { return SmallNoises<System>(system); };
  const BatteryResult result =
      livi::run_battery(StochasticSubject(factory), {.quick = true, .only = {varying, constant}});
  EXPECT_EQ(rows_with(result, Verdict::undecided), (Names{varying, constant})) << livi::battery_table(result);
  EXPECT_NE(result.rows.front().detail.find("of the paths a step could not be made"), std::string::npos);
}

}  // namespace stochastic_battery_test
