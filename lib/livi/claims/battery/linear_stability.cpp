// SPDX-License-Identifier: MIT
//
// Tests linear stability: up to which h omega is q'' = -omega^2 q stable, decided where a step is a rational function and
// scanned elsewhere; and are several oscillators at once as stable as one?
#include <array>
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/problems.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/diagnostics/certificate.hpp>
#include <livi/diagnostics/linear_stability.hpp>
#include <livi/diagnostics/measures.hpp>

namespace livi::battery_detail {

namespace {

/// Returns the matrix of a step on q'' = -q, with entries that are rational functions of h.
StepMatrix<Rational> matrix_of_step(AnyStepper<FunctionOfStep>& stepper) {
  using F = FunctionOfStep;
  StepMatrix<Rational> m;
  for (std::size_t j = 0; j < 2; ++j) {
    PhasePoint<F> z{Vector<F, Dynamic>::Constant(1, F(j == 0 ? 1 : 0)),
                    Vector<F, Dynamic>::Constant(1, F(j == 1 ? 1 : 0))};
    stepper.start(z);
    if (const StepOutcome outcome = stepper.step(F::variable()); !outcome.ok())
      throw StepFailed("the step fails in exact arithmetic: " + outcome.describe());
    const PhasePoint<F> end = stepper.point();
    m.entries[0][j] = end.q(0);
    m.entries[1][j] = end.p(0);
  }
  return m;
}

struct Stability {
  double limit = not_a_number;
  bool exact = false;
  std::string detail;
};

Stability stability_of(const Subject& subject, std::size_t problem, bool exactly = true) {
  std::string why = "nothing is declared";
  try {
    if (const auto stepper = exactly ? subject.in_functions_of_step(problem) : nullptr) {
      const StabilityDecision decision = decide_stability(matrix_of_step(*stepper));
      // Here the variable is h omega itself, not its square.
      const auto middle = [](const RootBracket& at) { return Rational((at.low + at.high) / 2).convert_to<double>(); };
      std::string windows;
      for (const auto& window : decision.windows)
        windows += format("%s%.8g to %s", windows.empty() ? "unstable from " : ", ", middle(window.begin),
                          window.end ? format("%.8g", middle(*window.end)).c_str() : "infinity");
      for (const RootBracket& pole : decision.poles) windows += format("; no step at %.8g", middle(pole));
      return {decision.unconditional ? unlimited : middle({decision.z_low, decision.z_high}), true,
              std::string(decision.determinant_is_one ? "determinant 1; " : "determinant not 1; ") + windows};
    }
    if (exactly) why = "this kind of problem has no exact form";
  } catch (const std::exception& error) {
    why = error.what();
  }
  const auto stepper = subject.in_50_digits(problem);
  const ScannedStability scanned = measure_stability_limit(*stepper);
  std::string detail = "scanned in steps of 0.6 per cent (" + why + ")";
  if (scanned.fails_from) detail += format("; steps fail from h omega = %.4g on", *scanned.fails_from);
  return {scanned.limit, false, detail};
}

/// Returns log10 of the largest entry of the 2^20th power of the matrix of a step of size h, at least 0; NaN if a step
/// fails.
double growth_on_coupled_oscillators(const Subject& subject, std::size_t problem, const Float50& h) {
  const Eigen::Index n = subject.problems()[problem].points.front().q.size();
  const auto stepper = subject.in_50_digits(problem);
  Matrix<Float50, Dynamic> power(2 * n, 2 * n);
  for (Eigen::Index j = 0; j < 2 * n; ++j) {
    const Vector<Float50, Dynamic> zero = Vector<Float50, Dynamic>::Constant(n, Float50(0));
    PhasePoint<Float50> unit{zero, zero};
    (j < n ? unit.q(j) : unit.p(j - n)) = 1;
    stepper->start(unit);
    if (!stepper->step(h).ok()) return not_a_number;
    const PhasePoint<Float50> end = stepper->point();
    for (Eigen::Index i = 0; i < n; ++i) {
      power(i, j) = end.q(i);
      power(n + i, j) = end.p(i);
    }
  }
  for (int squarings = 0; squarings < 20; ++squarings) power = (power * power).eval();
  Float50 largest = 0;
  for (Eigen::Index i = 0; i < 2 * n; ++i)
    for (Eigen::Index j = 0; j < 2 * n; ++j) largest = larger(largest, Float50(abs(power(i, j))));
  return largest > 1 ? to_double(Float50(log10(largest))) : to_double(largest) >= 0 ? 0 : not_a_number;
}

/// Returns the largest growth where the fastest mode is below the limit: near it, at two thirds and at a third of it;
/// for a method without a limit at h omega = 1, 30 and 1000.
Worst growth_below(const Subject& subject, double limit) {
  Worst worst;
  const std::size_t problem = *first(subject, ProblemRole::coupled);
  const double fastest = subject.problems()[problem].rates.front();
  const auto products =
      std::isfinite(limit) ? std::array{0.99 * limit, 0.67 * limit, 0.31 * limit} : std::array{1.0, 30.0, 1000.0};
  for (const double product : products)
    worst.update(growth_on_coupled_oscillators(subject, problem, Float50(product / fastest)),
                 format("h omega = %.4g of the fastest mode", product));
  return worst;
}

}  // namespace

void test_linear_stability(const Tested& tested) {
  const auto problem = first(tested.subject, ProblemRole::oscillator);
  if (!problem) {
    tested.rows.does_not_apply("linear stability", "this kind of problem has no oscillator");
    return;
  }
  // A limit that is not declared need not be decided, which takes minutes for long compositions.
  const Stability found = stability_of(tested.subject, *problem, !std::isnan(tested.declared.stability_limit));
  const auto inverse = [](double limit) { return 1 / limit; };  // 0 where there is no limit
  Claim claim;
  claim.unit = "1 / (h omega)";
  claim.evidence = found.exact ? Evidence::proved : Evidence::measured;
  claim.measured = inverse(found.limit);
  claim.how = found.exact
                  ? "trace and determinant of a step as rational functions of h omega, by Sturm's theorem"
                  : "spectral radius of a step in 50 digits over h omega in [1e-2, 1e4], the threshold bisected";
  if (found.limit == 0) {  // unstable from the first step size on, so that the inverse is no number
    claim.measured = 1e4;
    claim.note = "never stable: 1e4 stands for infinity";
  }
  if (std::isnan(tested.declared.stability_limit)) {
    claim.statement = "no stability limit is declared";
    if (std::isnan(found.limit)) {
      tested.rows.does_not_apply("linear stability", "nothing is declared, and no limit is found: " + found.detail);
      return;
    }
    claim.interval = {0, infinity};
    claim.reason = "nothing is declared; the number is for information";
    tested.rows.add("linear stability", "-", std::move(claim),
                    format("stable up to h omega = %.8g; ", found.limit) + found.detail);
    return;
  }
  const double expected = tested.declared.stability_limit == 0 ? 1e4 : inverse(tested.declared.stability_limit);
  claim.statement = tested.declared.stability_limit == 0
                        ? std::string("on q'' = -omega^2 q stable for no step")
                        : format("stable on q'' = -omega^2 q up to h omega = %.6g", tested.declared.stability_limit);
  const double width = found.exact ? 1e-12 * std::max(expected, 1e-300) : (expected == 0 ? 1e-4 : 1e-6 * expected);
  claim.interval = Interval::around(expected, width);
  claim.reason = found.exact ? "exact but for the rounding of the declared number"
                             : "the threshold is where the radius exceeds 1 + 1e-20; steps up to 1e4 are looked at";
  if (!found.exact) {
    claim.verdict = Verdict::confirmed_with_limits;
    claim.note += std::string(claim.note.empty() ? "" : "; ") +
                  "windows of instability narrower than 0.6 per cent of h are not looked for";
  }
  if (std::isnan(found.limit))
    claim.note += std::string(claim.note.empty() ? "" : "; ") + found.detail +
                  ": declare no limit where the equations of a longer step are not solved";
  static const double of_verlet = [] {
    const Subject& verlet = *verlet_control().subject;
    return 1 / stability_of(verlet, *first(verlet, ProblemRole::oscillator)).limit;
  }();
  claim.controls = {{.name = "VelocityVerlet, declared stable up to 2.001",
                     .measured = of_verlet,
                     .interval = Interval::around(1 / 2.001, 1e-6)}};
  tested.rows.add("linear stability", format("%.6g", tested.declared.stability_limit), std::move(claim),
                  format("stable up to h omega = %.8g; ", found.limit) + found.detail);
}

/// Tests several oscillators at once: linear stability is decided for one oscillator, but a method may treat several in
/// another way.
void test_coupled_oscillators(const Tested& tested) {
  const std::string test = "coupled oscillators";
  if (!first(tested.subject, ProblemRole::coupled)) {
    tested.rows.does_not_apply(test, "this kind of problem has no coupled oscillators");
    return;
  }
  if (std::isnan(tested.declared.stability_limit) || tested.declared.stability_limit == 0) {
    tested.rows.does_not_apply(test, "no stability is declared");
    return;
  }
  const Worst worst = growth_below(tested.subject, tested.declared.stability_limit);
  static const double of_verlet = growth_below(*verlet_control().subject, 2.2).value;
  Claim claim;
  claim.statement = "stable on coupled oscillators as long as h omega of the fastest mode is below the limit";
  claim.how =
      "log10 of the largest entry of the 2^20th power of a step's matrix, in 50 digits: two to five degrees of "
      "freedom, full masses and springs drawn at random";
  claim.measured = worst.value;
  claim.interval = {0, 6};
  claim.reason = "a stable power is as large as its change to normal modes, some thousand; e^(1e-4 steps) is 10^45";
  claim.note = "largest at " + worst.where;
  claim.controls = {{.name = "VelocityVerlet, declared stable up to 2.2", .measured = of_verlet, .interval = {0, 6}}};
  tested.rows.add(test, format("%.6g", tested.declared.stability_limit), std::move(claim));
}

}  // namespace livi::battery_detail
