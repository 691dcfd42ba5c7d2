// SPDX-License-Identifier: MIT
//
// The battery on methods with adaptive steps: those of the library are what they declare, and each wrong one is named by
// the rows that its error belongs to.
#include <gtest/gtest.h>

#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/logarithmic_hamiltonian.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/adaptive/symplectic_energy_momentum.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/battery.hpp>
#include <livi/claims/adaptive_controls.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <set>
#include <string>

// In a namespace with a name: the battery makes types of them.
namespace adaptive_battery_test {

using livi::AdaptiveSubject;
using livi::BatteryOptions;
using livi::BatteryResult;
using livi::Verdict;
using livi::battery_detail::AdaptiveControl;

/// Returns the rows with a verdict.
std::set<std::string> rows_with(const BatteryResult& result, Verdict verdict) {
  std::set<std::string> rows;
  for (const auto& row : result.rows)
    if (row.claim.verdict == verdict) rows.insert(row.test);
  return rows;
}
template <class Factory>
BatteryResult run(const Factory& factory, const BatteryOptions& options = {}) {
  return livi::run_battery(AdaptiveSubject(factory), options);
}
template <class Factory>
void expect_confirmed(const Factory& factory) {
  const BatteryResult result = run(factory);
  EXPECT_EQ(result.exit_status(), 0) << livi::battery_table(result);
  EXPECT_EQ(result.rows.size(), 21U);
}

// ---- methods of the library -------------------------------------------------------------------------------------------

TEST(AdaptiveBattery, confirms_the_hamiltonian_methods) {
  for (const auto parts : {livi::StepParts::kick_drift_kick, livi::StepParts::drift_kick_drift})
    expect_confirmed([parts]<class System, class Density>(const System& system, const Density& density) {
      return livi::HamiltonianAdaptiveVerlet<System, Density>(system, density, parts);
    });
}

TEST(AdaptiveBattery, confirms_the_variational_methods) {
  using livi::PotentialWeight;
  using livi::StepRule;
  for (const auto& [rule, weight] :
       {std::pair(StepRule::start, PotentialWeight::time), std::pair(StepRule::mean, PotentialWeight::time),
        std::pair(StepRule::midpoint, PotentialWeight::time), std::pair(StepRule::mean, PotentialWeight::density)})
    expect_confirmed([chosen = rule, by = weight]<class System, class Density>(const System& system,  //
                                                                               const Density& density) {
      return livi::VariationalAdaptiveVerlet<System, Density>(system, density, chosen, by);
    });
}

TEST(AdaptiveBattery, confirms_the_reversible_methods) {
  expect_confirmed([]<class System, class Density>(const System& system, const Density& density) {
    return livi::ReversibleAdaptiveVerlet<System, Density>(system, density);
  });
  expect_confirmed([]<class System>(const System& system) {
    using Density = livi::EqualStateDistances<System>;
    return livi::ReversibleAdaptiveVerlet<System, Density>(system, Density(system));
  });
}

/// Velocity Verlet composed to an order, or itself.
template <class System>
auto verlet(const System& system, int order) {
  using S = livi::ScalarOf<System>;
  const livi::CompositionScheme<S> once{"once", "-", 2, {S(1)}};
  return livi::Composition(livi::VelocityVerlet<System>(system), order == 2 ? once : livi::yoshida<S>(order));
}

TEST(AdaptiveBattery, confirms_explicit_steps_of_order_two_and_four) {
  for (const int order : {2, 4})
    expect_confirmed([order]<class System, class Density>(const System& system, const Density& density) {
      return livi::ExplicitSteps(verlet(system, order), density);
    });
}
TEST(AdaptiveBattery, confirms_reversible_steps_of_order_two_and_four) {
  for (const int order : {2, 4})
    expect_confirmed([order]<class System, class Density>(const System& system, const Density& density) {
      return livi::ReversibleSteps(verlet(system, order), density);
    });
}
TEST(AdaptiveBattery, confirms_integrated_steps_of_order_two_and_four) {
  for (const int order : {2, 4})
    expect_confirmed([order]<class System, class Density>(const System& system, const Density& density) {
      return livi::IntegratedSteps(verlet(system, order), density);
    });
}

TEST(AdaptiveBattery, confirms_compositions_of_order_four_and_six) {
  for (const int order : {4, 6})
    expect_confirmed([order]<class System, class Density>(const System& system, const Density& density) {
      using S = livi::ScalarOf<System>;
      return livi::Composition(livi::HamiltonianAdaptiveVerlet<System, Density>(system, density),
                               livi::suzuki<S>(order));
    });
  // Yoshida's of order six has no step of 1/4 on all problems, and is decided by shorter ones.
  expect_confirmed([]<class System, class Density>(const System& system, const Density& density) {
    using S = livi::ScalarOf<System>;
    return livi::Composition(livi::HamiltonianAdaptiveVerlet<System, Density>(system, density), livi::yoshida<S>(6));
  });
}

/// Expects that a row refutes a method with something wrong.
void expect_named_by(AdaptiveControl control, const std::string& row) {
  const BatteryResult result =
      livi::run_battery(*livi::battery_detail::adaptive_control(control).subject, {.only = {row}});
  EXPECT_EQ(rows_with(result, Verdict::refuted), std::set<std::string>{row});
}
TEST(AdaptiveBattery, names_clocks_that_are_hardly_wrong) {
  expect_named_by(AdaptiveControl::fast_clock, "tiny steps");
  expect_named_by(AdaptiveControl::clock_in_double, "number types");
}

TEST(AdaptiveBattery, names_what_begins_late) {
  expect_named_by(AdaptiveControl::late, "later");
  expect_named_by(AdaptiveControl::counter_late, "restart");
}
TEST(AdaptiveBattery, names_what_long_steps_do) { expect_named_by(AdaptiveControl::long_steps, "symmetric"); }

TEST(AdaptiveBattery, confirms_the_logarithmic_hamiltonian) {
  expect_confirmed([]<class System>(const System& system) { return livi::LogarithmicHamiltonian<System>(system); });
}

/// The method whose E0 the first step fixes, so that it can also begin with an E0 that is given.
template <class System>
struct EnergyMomentum : livi::SymplecticEnergyMomentum<System> {
  using Base = livi::SymplecticEnergyMomentum<System>;
  using Base::Base;
  using typename Base::S, typename Base::state_type;
  livi::StepOutcome step(state_type& z, const S& h) {
    if (z.last_step == S(0) && livi::magnitude(z.energy) > livi::RealOf<S>(0)) z.last_step = h;
    return Base::step(z, h);
  }
};
TEST(AdaptiveBattery, decides_of_the_energy_momentum_method_what_it_can_run) {
  const BatteryResult result = run([]<class System>(const System& system) { return EnergyMomentum<System>(system); });
  // It has no step from some point of most problems: what could not be measured is not confirmed. Elsewhere it has.
  EXPECT_EQ(result.exit_status(), 2) << livi::battery_table(result);
  for (const char* const name : {"order of q", "clock", "symplectic", "symmetric", "restart", "energy, regular"})
    EXPECT_TRUE(rows_with(result, Verdict::undecided).contains(name)) << name;
  EXPECT_NE(result.rows.front().detail.find("coupled anharmonic, M full: q 2.00"), std::string::npos);
}

// ---- wrong methods ----------------------------------------------------------------------------------------------------

void expect_refuted(AdaptiveControl control, const std::set<std::string>& rows) {
  const BatteryResult result =
      livi::run_battery(*livi::battery_detail::adaptive_control(control).subject, {.strict = true});
  EXPECT_EQ(rows_with(result, Verdict::refuted), rows) << livi::battery_table(result);
  EXPECT_EQ(result.exit_status(), rows.empty() ? 0 : 1) << livi::battery_table(result);
}

TEST(AdaptiveBattery, names_a_reversible_method_that_declares_to_be_symplectic) {
  expect_refuted(AdaptiveControl::declared_symplectic, {"symplectic"});
}
TEST(AdaptiveBattery, names_the_printed_sign) { expect_refuted(AdaptiveControl::printed_sign, {"symplectic"}); }
TEST(AdaptiveBattery, names_a_wrong_clock) {
  expect_refuted(AdaptiveControl::wrong_clock,
                 {"order of q", "order of p", "order of output", "clock", "tiny steps", "drawn problems", "symmetric"});
}
TEST(AdaptiveBattery, names_a_counter) {
  // By 1e-12 of the momentum, too.
  const std::set<std::string> momenta{"linear momentum", "angular momentum", "linear momentum, other density",
                                      "angular momentum, other density"};
  std::set<std::string> rows = momenta;
  rows.insert("restart");
  expect_refuted(AdaptiveControl::counter_in_method, rows);
  rows.insert({"tiny steps", "drawn problems", "later", "repetition", "symmetric", "scale of sigma"});
  expect_refuted(AdaptiveControl::counter_shared, rows);
}
TEST(AdaptiveBattery, names_a_method_that_reports_no_failure) {
  expect_refuted(AdaptiveControl::unguarded, {"no step"});
}
TEST(AdaptiveBattery, clears_its_honest_controls) {
  for (const AdaptiveControl control : {AdaptiveControl::of_one_coordinate, AdaptiveControl::naive,
                                        AdaptiveControl::bounded_steps, AdaptiveControl::first_order})
    expect_refuted(control, {});
}
TEST(AdaptiveBattery, names_momenta_that_the_density_keeps) {
  expect_refuted(AdaptiveControl::every_density, {"linear momentum, other density", "angular momentum, other density"});
}
TEST(AdaptiveBattery, names_a_scale_that_is_not_declared) {
  expect_refuted(AdaptiveControl::own_scale, {"scale of sigma"});
}
TEST(AdaptiveBattery, names_the_order_of_a_method_of_first_order) {
  expect_refuted(AdaptiveControl::first_as_second,
                 {"order of q", "order of p", "order of output", "clock", "tiny steps", "drawn problems"});
}
TEST(AdaptiveBattery, names_methods_made_for_the_fixed_problems) {
  expect_refuted(AdaptiveControl::for_problems, {"drawn problems"});
  expect_refuted(AdaptiveControl::form_for_problems, {"symplectic"});
}
TEST(AdaptiveBattery, says_for_which_densities_momenta_are_declared) {
  using livi::battery_detail::adaptive_control;
  const auto declared = [](AdaptiveControl control, const char* row) {
    const BatteryResult result = livi::run_battery(*adaptive_control(control).subject, {.only = {row}, .strict = true});
    for (const auto& found : result.rows)
      if (found.test == row) return found.declared + ", " + found.detail;
    return std::string("no row");
  };
  const char* const row = "angular momentum, other density";
  EXPECT_EQ(declared(AdaptiveControl::hamiltonian, row), "no, declared for densities that have the symmetry, at most");
  EXPECT_EQ(declared(AdaptiveControl::reversible, row), "yes, declared for every density");
}

}  // namespace adaptive_battery_test
