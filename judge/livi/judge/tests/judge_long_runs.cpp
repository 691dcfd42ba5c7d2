// SPDX-License-Identifier: MIT
//
// The rows on stability and on long runs.
#include <livi/judge/tests/judge.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <livi/judge/measures/run_points.hpp>

namespace livi::foreign_detail {

namespace {

constexpr Interval growth_of_stable_steps{0, 64};

}  // namespace

void Judge::stability() {
  if (!declares().takes(ProblemKind::mechanical)) return;
  if (declares().memory) {
    does_not_apply(TestId::linear_stability, "it declares memory=yes: a first step is that of its starting procedure");
    return;
  }
  const auto declared = declares().stability_limit;
  const double most = declared && std::isinf(*declared) ? 64 : std::max(8.0, 2 * declared.value_or(0));
  const double growth = is_coarse() ? double_bounds(declares()).holds : 0;
  Claim claim;
  claim.statement = format("q'' = -omega^2 q is stable up to h omega = %g", declared.value_or(0));
  claim.interval = !declared               ? Interval{}
                   : std::isinf(*declared) ? Interval{most, most}
                   : *declared == 0
                       ? Interval{0, std::max(0x1p-5, 2 * std::sqrt(std::sqrt(growth)))}
                       : Interval::around(*declared, 1e-4 * (1 + *declared) + growth * (1 + *declared * *declared));
  claim.reason =
      "bisection of a step whose spectral radius is known to 1e-12, of which the square root is taken at the limit; "
      "near zero growth of h^4 is seen from there on only; growth of less than is declared is none";
  row_beside(
      TestId::linear_stability, declared ? format("%g", *declared) : "-", "spectral radius of a step, double",
      std::move(claim), [this, most](ForeignSubject& subject) { return measurements_.stability_limit(subject, most); },
      built_in_verlet(), built_in_runge_kutta_4(), Interval::around(2, 3e-4), "the control is to be stable up to two");
}

void Judge::several_oscillators() {
  const auto declared = declares().stability_limit;
  if (!declares().takes(ProblemKind::mechanical) || !declared || *declared == 0) return;
  const double h = std::isinf(*declared) ? 16 : 0.97 * *declared;
  Claim claim;
  claim.statement = "several oscillators are stable as far as one is";
  claim.interval = growth_of_stable_steps;
  // Near the limit the ellipse of Verlet has the axes 1 and (1 - (h omega / 2)^2)^(-1/2), 4.1 at 0.97 of it.
  claim.reason = "orbits of a stable step are ellipses, of axes up to some tens at 0.97 of the limit";
  row(TestId::stability_of_several, format("%g", *declared), "512 steps, double", std::move(claim),
      [this, h](ForeignSubject& subject) { return measurements_.growth_of_several(subject, h); }, {});
  if (result_.rows.back().claim.verdict == Verdict::not_testable) return;
  Claim& written = result_.rows.back().claim;
  for (const double at : {1.94, 2.06}) {
    const auto control = built_in_subject(built_in_verlet());
    written.controls.push_back({format("Verlet at h omega = %g", at),
                                measurements_.growth_of_several(*control, at).value, growth_of_stable_steps,
                                "its limit is two", at < 2 ? Expected::passes : Expected::fails});
  }
  written.verdict = Verdict::confirmed;
  written.verdict = decide(written);
}

void Judge::later() {
  if (!declares().takes(ProblemKind::mechanical) || declares().memory) return;
  duty(
      TestId::later, "a step after 20000", "late steps are those of a fresh start", 0x1p-44,
      "rounding: a method may keep q and p in another form",
      [this](ForeignSubject& subject) { return measurements_.after_many_steps(subject, problems_.orbit); },
      built_in_verlet(BuiltInFlaw::tires));
}

void Judge::energy() {
  if (!declares().takes(ProblemKind::mechanical)) return;
  const auto declared = declares().symplectic;
  constexpr long steps = 8192;
  Claim claim;
  claim.statement = "the energy of a regular motion does not drift";
  claim.interval = {0, 0.1};
  claim.reason = "the mean of a bounded error changes by a small share of its size; that of a drift by all of it";
  row(TestId::energy, declared == true ? "yes" : "-", "8192 steps, double", std::move(claim),
      [this](ForeignSubject& subject) {
        return measurements_.energy_drift(subject, problems_.orbit, steps, rounding_of(subject));
      },
      {{built_in_runge_kutta_4(), Expected::fails}, {built_in_verlet(), Expected::passes}});
  Claim& written = result_.rows.back().claim;
  if (written.verdict != Verdict::confirmed || declared_accuracy(declares()).empty()) return;
  if (measurements_.energy_drift(subject_, problems_.orbit, steps, 0x1p-53).value <= written.interval.high) return;
  written.verdict = Verdict::confirmed_with_limits;
  written.note = declared_accuracy(declares()) + " explains the drift; " + written.note;
}

}  // namespace livi::foreign_detail
