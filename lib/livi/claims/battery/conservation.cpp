// SPDX-License-Identifier: MIT
//
// Tests what many steps conserve: the energy, on a regular orbit and in the stress test of BOS09 for rigid bodies; and the
// manifold, which is g = 0 and Dg v = 0 with constraints and SO(3) for rigid bodies.
#include <cmath>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/problems.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/diagnostics/constrained_subject.hpp>
#include <livi/diagnostics/measures.hpp>
#include <optional>

namespace livi::battery_detail {

namespace {

/// Returns the drift of the energy over T = 15000 with h = 1/4 from each start of the stress test.
std::vector<EnergyDrift> stress_drifts(const Subject& subject) {
  std::vector<EnergyDrift> drifts;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].role != ProblemRole::long_run) continue;
    auto stepper = subject.in_double(i);
    for (const auto& point : problems[i].points)
      drifts.push_back(measure_energy_drift(*stepper, convert_point<double>(point), 0.25, 60, 1000));
  }
  return drifts;
}
/// Returns the slope in units of its noise: the standard error, and a rounding of 8 epsilon |E| in every step.
double significance(const EnergyDrift& drift) {
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(drift.initial_energy) / 0.25;
  return std::abs(drift.slope) / (drift.standard_error + rounding);
}
double significance(const std::vector<EnergyDrift>& drifts) {
  double largest = 0;
  for (const EnergyDrift& drift : drifts) largest = larger(largest, significance(drift));
  return largest;
}

/// Returns the largest distance from the manifold over 100 steps of h = 1/16, from all points of the problems with
/// more coordinates than degrees of freedom; nothing if there is no such problem.
std::optional<Worst> distance_from_manifold(const Subject& subject) {
  std::optional<Worst> worst;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].role != ProblemRole::generic || problems[i].tangents.empty() ||
        subject.kind() == SubjectKind::separable)
      continue;
    if (!worst) worst.emplace();
    auto stepper = subject.in_50_digits(i);
    for (const auto& point : problems[i].points) {
      stepper->start(point);
      double largest = 0;
      for (int k = 0; k < 100; ++k) {
        if (!stepper->step(Float50(Float50(1) / 16)).ok()) largest = not_a_number;
        largest = larger(largest, to_double(stepper->constraint_defect()));
      }
      worst->update(largest, problems[i].name);
    }
  }
  return worst;
}

}  // namespace

void test_energy(const Tested& tested) {
  const auto problem = first(tested.subject, ProblemRole::long_run);
  if (tested.options.quick || !problem) {
    tested.rows.does_not_apply("energy drift", "a quick run leaves it out");
    return;
  }
  if (!tested.declared.symmetric && !tested.declared.symplectic && !tested.declared.conjugate_symplectic) {
    tested.rows.does_not_apply("energy drift", "neither symmetry nor symplecticity is declared: nothing is promised");
    return;
  }
  constexpr double h = 0.125;
  constexpr int blocks = 64, per_block = 1024;
  auto stepper = tested.subject.in_double(*problem);
  const PhasePoint<double> at = convert_point<double>(tested.subject.problems()[*problem].points.front());
  const EnergyDrift drift = measure_energy_drift(*stepper, at, h, blocks, per_block);
  static const EnergyDrift of_euler = [&] {
    const Subject& subject = *tested.controls.runge_kutta->subject;
    const auto i = *first(subject, ProblemRole::long_run);
    auto control_stepper = subject.in_double(i);
    return measure_energy_drift(*control_stepper, convert_point<double>(subject.problems()[i].points.front()), h,
                                blocks, per_block);
  }();
  Claim claim;
  claim.statement = "no secular drift of the energy on a regular orbit";
  claim.how = "least-squares slope through 64 block means over 65536 steps of h = 1/8, in double";
  claim.measured = drift.slope;
  claim.unit = "1/time";
  const auto bound = [&](const EnergyDrift& d) {
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(d.initial_energy) / h;
    return 4 * d.standard_error + rounding;
  };
  claim.interval = Interval::around(0, std::isnan(drift.slope) ? 0 : bound(drift));
  claim.reason = "four standard errors of the slope, plus a bias of 8 epsilon |E| in every step";
  claim.controls = {{.name = "RungeKutta4",
                     .measured = of_euler.slope,
                     .interval = Interval::around(0, bound(of_euler)),
                     .note = "dissipates"}};
  tested.rows.add("energy drift", "none", claim,
                  format("slope %.2e +- %.1e, max |E - E0| %.2e over T = %.0f", drift.slope, drift.standard_error,
                         drift.largest_error, drift.time));
}

/// Tests from the start of BOS09 and from the mirrored one, W_0 -> -W_0. A method that is symmetric but not
/// symplectic drifts in opposite directions from the two, so that a good start could hide a bad one, and an average
/// both. A method that is not symplectic need not drift on this orbit: for such methods the row only reports what was
/// measured.
void test_stress(const Tested& tested) {
  if (tested.options.quick) {
    tested.rows.does_not_apply("stress test", "a quick run leaves it out");
    return;
  }
  const auto drifts = stress_drifts(tested.subject);
  static const double of_newmark = significance(stress_drifts(*tested.controls.not_symplectic->subject));
  const bool promised = tested.declared.symplectic || tested.declared.conjugate_symplectic;
  Claim claim;
  claim.statement = promised ? "no secular drift of the energy in the stress test of BOS09, nor from its mirrored start"
                             : "nothing is declared about the energy in the stress test of BOS09";
  claim.how =
      "least-squares slope through 60 block means over T = 15000, h = 1/4, in double, over its standard error plus "
      "rounding; the larger of the starts W_0 and -W_0";
  claim.measured = significance(drifts);
  claim.unit = "standard errors";
  claim.interval = {0, promised ? 4 : infinity};
  claim.reason = promised ? "four standard errors of the slope, from the scatter of block means about the line"
                          : "nothing is declared; the number is for information";
  claim.controls = {{.name = tested.controls.not_symplectic->name, .measured = of_newmark, .interval = {0, 4}}};
  std::string detail;
  for (const EnergyDrift& drift : drifts)
    detail += format("%s: slope %.2e +- %.1e, max |E - E0| %.2e; ", detail.empty() ? "W0" : "-W0", drift.slope,
                     drift.standard_error, drift.largest_error);
  tested.rows.add("stress test", promised ? "no drift" : "-", claim, detail);
}

void test_group(const Tested& tested) {
  static const double of_matrix = distance_from_manifold(*tested.controls.off_the_group->subject)->value;
  tested.rows.add_defect("group", tested.declared.group, "stays on SO(3)", *distance_from_manifold(tested.subject),
                         {{.name = tested.controls.off_the_group->name, .measured = of_matrix}},
                         "max |Q'Q - I| over 100 steps of h = 1/16, in 50 digits", "", Coefficients::cannot_matter);
}

void test_constraint(const Tested& tested) {
  const std::optional<Worst> worst = distance_from_manifold(tested.subject);
  if (!worst) {
    tested.rows.does_not_apply("constraint", "problems of this kind have no constraints");
    return;
  }
  tested.rows.add_defect(
      "constraint", true, "stays on g = 0 and Dg v = 0", *worst,
      {{.name = "the penalised system, omega = 20, by Z&S", .measured = penalised_constraint_defect()}},
      "max |g|, |Dg v| over 100 steps of h = 1/16, in 50 digits", "", Coefficients::cannot_matter);
}

}  // namespace livi::battery_detail
