// SPDX-License-Identifier: MIT
//
// The battery runs its tests in their order, gives what was refused a control that must pass.
#include <algorithm>
#include <array>
#include <cmath>
#include <livi/claims/adaptive_controls.hpp>
#include <livi/claims/battery.hpp>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/problems.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/claims/stochastic_controls.hpp>
#include <livi/diagnostics/seed.hpp>
#include <livi/scalar/errors.hpp>
#include <map>
#include <optional>
#include <tuple>

namespace livi {

namespace {

using namespace battery_detail;

/// Runs a test if the problems of the subject have an exact form.
void test_if_exact(const char* row, const Tested& tested, void (*test)(const Tested&)) {
  const auto has_exact_form = [&] {
    try {
      return tested.subject.in_residues(*first(tested.subject, ProblemRole::generic)) != nullptr;
    } catch (const NotRational&) {
      return true;  // the certificate says where
    }
  };
  if (has_exact_form()) {
    test(tested);
  } else {
    tested.rows.does_not_apply(row,
                               tested.subject.kind() == SubjectKind::separable
                                   ? "problems T(p) + V(q, t) are measured only"
                                   : "this kind of problem has no exact form: its steps solve nonlinear equations");
  }
}

/// Runs the tests of methods for problems of vector spaces or of rigid bodies.
BatteryResult run_fixed_step_tests(const Subject& subject, const BatteryOptions& options) {
  BatteryResult result;
  result.declares = subject.declares();
  result.quick = options.quick;
  result.only = options.only;
  result.seed = judge_seed();
  Rows rows(result.declares, result.rows, options);
  const Tested tested{subject, result.declares, options, controls_of(subject.kind()), rows};
  const bool rigid_body = tested.controls.rigid_body;
  const auto test = [&](const char* name, std::initializer_list<const char*> writes, void (*make)(const Tested&)) {
    rows.test(name, writes, [&] { make(tested); });
  };
  const auto test_row = [&](const char* row, void (*make)(const Tested&)) { test(row, {row}, make); };

  // The names of rows must be those that the tests write: a row that is missing here cannot be asked for.
  const std::array<const char*, 2> order = names_of_order(rigid_body);
  test("order", {order[0], order[1]}, test_order);
  test("symplectic", {"symplectic", "conjugate symplectic", "canonical map", "continuous map"}, test_symplecticity);
  test_row("symmetric", test_symmetry);
  test_row("linear momentum", test_linear_momentum);
  test_row("angular momentum", test_angular_momentum);
  if (tested.declared.order > 0) {
    // Where coefficients are rounded the exact order refers to the measurement of the tiny steps.
    test("tiny steps", {"tiny steps", "exact order"}, test_tiny_steps);
    test("negative steps", {"negative steps", "last step shorter"}, test_order_of_runs);
  }
  test_row("end moved", test_end_moved);
  test("number types", {"number types", "duals", "single steps"}, test_number_types);
  test_row("reach", test_reach);
  test("repetition", {"repetition", "history", "memory"}, test_dependence);
  test_row("restart", test_restart);
  rows.test("certificate", [&] { test_if_exact("certificate", tested, test_certificate); });
  rows.test("exact order", [&] { test_if_exact("exact order", tested, test_exact_order); });
  test_row("exact types", test_exact_types);
  test_row("linear stability", test_linear_stability);
  test_row("coupled oscillators", test_coupled_oscillators);
  if (rigid_body) {
    test_row("Casimir function", test_casimir);
    test_row("stress test", test_stress);
    test_row("group", test_group);
  } else {
    test_row("energy drift", test_energy);
    test_row("constraint", test_constraint);
  }
  test_row("cost", test_cost);
  for (const std::string& row : options.only)
    if (!rows.find(row)) throw InvalidParameter("only", row, "must be a row of the battery that this method has");
  return result;
}

BatteryResult run_tests(const Subject& subject, const BatteryOptions& options) {
  if (subject.kind() == SubjectKind::adaptive)
    return run_adaptive_tests(dynamic_cast<const AnyAdaptiveSubject&>(subject), options);
  if (subject.kind() == SubjectKind::stochastic)
    return run_stochastic_tests(dynamic_cast<const AnyStochasticSubject&>(subject), options);
  return run_fixed_step_tests(subject, options);
}

/// Returns a control that must pass: the test of `row` on the first of the honest methods that declares the same
/// answer, where that is yes or no, and is confirmed; nothing if there is no such method. Each is run once.
std::optional<Control> passing_control(SubjectKind kind, const BatteryRow& row, bool quick) {
  const bool is_answer = row.declared == "yes" || row.declared == "no";
  static std::map<std::tuple<SubjectKind, std::string, std::string>, std::optional<Control>> kept;
  // Methods for separable Hamiltonians have the honest methods of vector spaces.
  const auto key = std::tuple(kind == SubjectKind::separable ? SubjectKind::vector_space : kind, row.test,
                              is_answer ? row.declared : "");
  if (const auto found = kept.find(key); found != kept.end()) return found->second;
  std::optional<Control>& control = kept[key];
  for (const ControlMethod& method : honest_methods(kind)) {
    try {
      const BatteryResult result = run_tests(*method.subject, {.quick = quick, .only = {row.test}});
      const auto same = std::find_if(result.rows.begin(), result.rows.end(),
                                     [&](const BatteryRow& other) { return other.test == row.test; });
      const Verdict verdict = same->claim.verdict;
      if (verdict != Verdict::confirmed && verdict != Verdict::confirmed_with_limits) continue;
      if (is_answer && same->declared != row.declared) continue;
      control = {.name = method.name + ", which declares " + same->declared,
                 .measured = same->claim.measured,
                 .interval = same->claim.interval,
                 .note = "in the interval of what it declares",
                 .expected = Expected::passes};
      break;
    } catch (const InvalidParameter&) {
      // This method has no such row.
    }
  }
  return control;
}

}  // namespace

BatteryResult run_battery(const Subject& subject, const BatteryOptions& options) {
  BatteryResult result = run_tests(subject, options);
  for (BatteryRow& row : result.rows) {
    Claim& claim = row.claim;
    if (row.undeclared && !options.strict) {
      row.declared = "-";
      claim.verdict = std::isfinite(claim.measured) ? Verdict::result : Verdict::not_testable;
      continue;
    }
    if (claim.verdict != Verdict::undecided || !std::isfinite(claim.measured)) continue;
    // The number is outside the interval: this is a refusal, provided the test has also been seen to accept.
    if (auto control = passing_control(subject.kind(), row, options.quick)) claim.controls.push_back(*control);
    if (claim.note.empty()) claim.note = "outside the interval";
    claim.verdict = Verdict::refuted;  // replaces a proposal, which would stand
    claim.verdict = decide(claim);
  }
  return result;
}

}  // namespace livi
