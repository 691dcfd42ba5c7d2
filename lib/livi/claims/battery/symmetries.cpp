// SPDX-License-Identifier: MIT
//
// Tests symmetries: is a step its own adjoint, and is it reversed by turning the velocity? Does it conserve the momenta
// of the problems' symmetries: linear momentum, angular momentum and, of the free body, the Casimir function |I W|?
#include <limits>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/problems.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/diagnostics/measures.hpp>
#include <optional>

namespace livi::battery_detail {

namespace {

std::optional<Worst> momentum_worst(const Subject& subject, ProblemRole role, bool translations, int steps) {
  std::optional<Worst> worst;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].role != role) continue;
    auto stepper = subject.in_50_digits(i);
    for (const auto& symmetry : problems[i].symmetries) {
      if (symmetry.is_translation != translations) continue;
      if (!worst) worst.emplace();
      for (const auto& point : problems[i].points)
        worst->update(momentum_defect(*stepper, point, symmetry, Float50(Float50(1) / 8), steps),
                      problems[i].name + ", " + symmetry.name);
    }
  }
  return worst;
}

Worst casimir_worst(const Subject& subject) {
  Worst worst;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].role != ProblemRole::generic || !problems[i].constant_size_of_momentum) continue;
    auto stepper = subject.in_50_digits(i);
    for (const auto& point : problems[i].points)
      worst.update(casimir_defect(*stepper, point, Float50(Float50(1) / 8), 16), problems[i].name);
  }
  return worst;
}

void test_momentum(const Tested& tested, bool translations) {
  const std::string test = translations ? "linear momentum" : "angular momentum";
  constexpr int few = 16;
  const int steps = tested.declared.memory ? steps_with_memory : few;
  const std::optional<Worst> worst = momentum_worst(tested.subject, ProblemRole::generic, translations, steps);
  if (!worst) {
    tested.rows.does_not_apply(test, "no problem of this kind has such a symmetry");
    return;
  }
  std::optional<Worst> broken = momentum_worst(tested.subject, ProblemRole::broken, translations, few);
  std::string name = "the same method, the symmetry broken by 1e-6";
  if (!broken && !tested.controls.rigid_body) {
    broken = momentum_worst(*tested.controls.verlet->subject, ProblemRole::broken, translations, few);
    name = "VelocityVerlet, the symmetry broken by 1e-6";
  }
  tested.rows.add_defect(test, translations ? tested.declared.linear_momentum : tested.declared.angular_momentum,
                         "conserves " + test, *worst,
                         {{.name = name, .measured = broken->value, .note = "a failed run counts as failing"}},
                         format("largest change of the momentum map over %d steps of h = 1/8, in 50 digits", steps), "",
                         translations ? Coefficients::cannot_matter : Coefficients::can_matter);
}

}  // namespace

void test_symmetry(const Tested& tested) {
  int left_out = 0;
  const auto worst_of = [&](const Subject& subject) {
    Worst worst;
    left_out = 0;
    const bool rational_step = subject.declares().rational && subject.kind() == SubjectKind::vector_space;
    for_each_generic(subject, [&](std::size_t i, const ProblemSummary& problem) {
      auto stepper = subject.in_50_digits(i);
      const auto fails = [&](const PhasePoint<Float50>& point) {
        stepper->start(point);
        return !stepper->step(Float50(Float50(3) / 4)).ok();
      };
      for (const auto& point : problem.points) {
        worst.update(reversal_defect(*stepper, point, Float50(Float50(1) / 4), 3), problem.name + ", reversal");
        worst.update(adjoint_defect(*stepper, point, Float50(Float50(1) / 4)), problem.name + ", adjoint");
        // This step is long, and yet too short for the equations of an implicit step to have other solutions nearby:
        // V'' is below 5.
        const std::optional<double> of_long = adjoint_defect_of_long_step(*stepper, point, Float50(Float50(3) / 4));
        if (of_long)
          worst.update(*of_long, problem.name + ", adjoint, h = 3/4");
        else if (rational_step && problem.tangents.empty() && fails(point))
          // A rational step solves nothing by iteration, so there is no excuse if it fails.
          worst.update(not_a_number, problem.name + ", a step of 3/4 fails");
        else
          ++left_out;
      }
    });
    return worst;
  };
  static OncePerKind<double> kept;
  const double of_euler = kept(tested.controls, [&] { return worst_of(*tested.controls.asymmetric->subject).value; });
  const Worst worst = worst_of(tested.subject);
  // The reversal is also measured in double, in units of its epsilon, for those who run in double.
  double ulps = 0;
  for_each_generic(tested.subject, [&](std::size_t i, const ProblemSummary& problem) {
    auto stepper = tested.subject.in_double(i);
    ulps = larger(ulps, reversal_defect(*stepper, convert_point<double>(problem.points.front()), 0.25, 3) /
                            std::numeric_limits<double>::epsilon());
  });
  tested.rows.add_defect(
      "symmetric", tested.declared.symmetric, "its own adjoint, and reversed by turning the velocity", worst,
      {{.name = tested.controls.asymmetric->name, .measured = of_euler}},
      "distance from the start after three steps, reversal, three steps, h = 1/4; and after a step of h and one of "
      "-h, h = 1/4 and, in units of what the way back makes of a change of its beginning, 3/4",
      format("in double: %.3g epsilon", ulps) +
          (left_out == 0 ? "" : format("; steps of 3/4 that cannot be made, left out: %d", left_out)));
}

void test_linear_momentum(const Tested& tested) { test_momentum(tested, true); }

void test_angular_momentum(const Tested& tested) { test_momentum(tested, false); }

void test_casimir(const Tested& tested) {
  static const double of_newmark = casimir_worst(*tested.controls.not_symplectic->subject).value;
  tested.rows.add_defect("Casimir function", tested.declared.angular_momentum, "conserves |I W| of the free body",
                         casimir_worst(tested.subject),
                         {{.name = tested.controls.not_symplectic->name, .measured = of_newmark}},
                         "largest change of |I W| over 16 steps of h = 1/8, in 50 digits", "");
}

}  // namespace livi::battery_detail
