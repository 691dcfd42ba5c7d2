// SPDX-License-Identifier: MIT
//
// The rows that the battery decides instead of measuring, where the step of a method is a rational function: the
// properties of a step, its order, its linear stability.
#include <livi/claims/battery/mechanical_control.hpp>
#include <livi/claims/battery_rows.hpp>
#include <livi/diagnostics/exact_order.hpp>
#include <livi/diagnostics/linear_stability.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <random>

namespace livi::battery_detail {

namespace {

using D = Dual<Residue>;

std::vector<Residue> values_of(const PhasePoint<D>& point) {
  std::vector<Residue> values;
  for (const auto& x : point.q) values.push_back(x.value);
  for (const auto& x : point.p) values.push_back(x.value);
  return values;
}

/// A method on a problem in residues, with q, p and h drawn, in this order.
struct StepAtPoint {
  StepAtPoint(const Subject& subject, std::size_t index, Draw<Residue>& draw)
      : stepper(subject.in_residues(index)), problem(mechanical_problem_in_residues(index)) {
    const Eigen::Index n = problem.system.size();
    at.q = draw.variables("q", n);
    at.p = draw.variables("p", n);
    h = D(draw.positive("h"));
  }
  [[nodiscard]] PhasePoint<D> start() const { return {at.q.cast<D>(), at.p.cast<D>()}; }
  /// Returns the end of one step of size `by` from a fresh start.
  [[nodiscard]] PhasePoint<D> advance(const PhasePoint<D>& from, const D& by) const {
    stepper->start(from);
    if (!stepper->step(by).ok()) throw StepFailed("the step fails in exact arithmetic");
    return stepper->point();
  }

  std::unique_ptr<AnyStepper<D>> stepper;
  TestProblem<D> problem;
  PhasePoint<Residue> at;
  D h;
};

}  // namespace

bool is_decided(const ProblemSummary& problem) {
  return problem.role == ProblemRole::generic ||
         (problem.role == ProblemRole::drawn && problem.points.front().q.size() <= 2);
}

CertificateOptions options_of_certificates() { return {.seed = judge_seed(), .least_points = 8}; }

std::vector<Residue> step_statement(const Subject& subject, std::size_t problem, Statement statement,
                                    Draw<Residue>& draw) {
  const StepAtPoint step(subject, problem, draw);
  if (statement == Statement::symplectic)
    return livi::symplecticity<Residue>(step.at, [&](Vector<D, Dynamic>& q, Vector<D, Dynamic>& p) {
      const PhasePoint<D> image = step.advance({q, p}, step.h);
      q = image.q;
      p = image.p;
    });
  std::vector<Residue> functions;
  const PhasePoint<D> start = step.start(), end = step.advance(start, step.h);
  if (statement == Statement::symmetric) {
    const PhasePoint<D> back = step.advance(end, -step.h);
    step.stepper->start(start);
    static_cast<void>(step.stepper->step(step.h));
    step.stepper->reverse();
    if (!step.stepper->step(step.h).ok()) throw StepFailed("the step fails in exact arithmetic");
    step.stepper->reverse();
    for (const D& d : differences(back, start)) functions.push_back(d.value);
    for (const D& d : differences(step.stepper->point(), start)) functions.push_back(d.value);
  } else {
    for (const auto& symmetry : step.problem.symmetries)
      if (symmetry.is_translation == (statement == Statement::translations))
        functions.push_back((symmetry.momentum(end.q, end.p) - symmetry.momentum(start.q, start.p)).value);
  }
  return functions;
}

std::vector<Residue> step_end(const Subject& subject, std::size_t problem, Draw<Residue>& draw) {
  const StepAtPoint step(subject, problem, draw);
  return values_of(step.advance(step.start(), step.h));
}

namespace {

/// Decides a statement about one step, on one problem, for all positions, momenta and step sizes.
Certificate certify_step(const Subject& subject, std::size_t problem, Statement statement) {
  return certify([&](Draw<Residue>& draw) { return step_statement(subject, problem, statement, draw); },
                 options_of_certificates());
}

struct Certified {
  int contradicted = 0;  ///< properties that are not as declared
  int decided = 0;
  std::string undecided;                 ///< the properties that are not decided, and why
  CombinedProbability probability = {};  ///< probability that any of the proofs is an accident
  std::string detail;
};

/// Decides all declared properties. A property that is proved must be proved on all these problems; one disproof is
/// enough.
Certified certify_declared(const Subject& subject, const Properties& declared) {
  Certified result;
  const auto& problems = subject.problems();
  for (const auto& [statement, name, holds] :
       {std::tuple(Statement::symplectic, "symplectic", declared.symplectic),
        std::tuple(Statement::symmetric, "symmetric", declared.symmetric),
        std::tuple(Statement::translations, "linear momentum", declared.linear_momentum),
        std::tuple(Statement::rotations, "angular momentum", declared.angular_momentum)}) {
    int proved = 0, not_decided = 0;
    double degree = 0;
    std::string disproof, undecided;
    for (std::size_t i = 0; i < problems.size(); ++i) {
      if (!is_decided(problems[i])) continue;
      const Certificate certificate = certify_step(subject, i, statement);
      if (certificate.functions == 0 && certificate.points > 0) continue;  // no such symmetry
      if (certificate.proved()) {
        ++proved;
        degree = std::max(degree, certificate.degree);
        result.probability.add(certificate);
      } else if (certificate.disproved()) {
        disproof = problems[i].name + ": " + certificate.note;
        break;
      } else {
        if (++not_decided == 1) undecided = problems[i].name + ": " + certificate.note;
        if (proved == 0) break;  // on the first problem: no step is rational, or all are too large
      }
    }
    if (!disproof.empty()) {
      ++result.decided;
      if (holds) ++result.contradicted;
      result.detail += format("%s: disproved (%s); ", name, disproof.c_str());
    } else if (proved > 0 && (not_decided == 0 || holds)) {
      // A property that is not declared may hold on some problems.
      ++result.decided;
      if (!holds) ++result.contradicted;
      result.detail += format("%s: proved on %d problems (degree <= %.0f); ", name, proved, degree);
    }
    if (disproof.empty() && (not_decided > 0 || proved == 0)) {
      result.undecided += (result.undecided.empty() ? "" : "; ") + std::string(name) + " (" + undecided + ")";
      result.detail += format("%s: undecided on %d problems (%s); ", name, not_decided, undecided.c_str());
    }
  }
  return result;
}

const char* const declare_it =
    "; where a step has roots, branches or iterations, declare .rational = false, and only the measured rows speak";

void certificate(const Subject& subject, const Properties& declared, Rows& rows) {
  const Certified certified = certify_declared(subject, declared);
  if (certified.decided == 0 && !declared.rational) {
    rows.does_not_apply("certificate", "the step is declared not to be a rational function: " + certified.undecided);
    return;
  }
  static const int of_simplified = [] {
    const auto zhang_skeel = mechanical_control<ZhangSkeel>("ZhangSkeel");
    return certify_declared(*simplified_control().subject, zhang_skeel.subject->declares()).contradicted;
  }();
  Claim claim;
  claim.statement =
      "on the fixed problems and on those drawn, for all positions, momenta and steps, the properties of a step are "
      "those declared";
  claim.how =
      "the step in residues modulo random 61-bit primes at random points, on every problem (diagnostics/"
      "certificate.hpp)";
  claim.measured = certified.contradicted;
  claim.unit = "properties";
  claim.interval = {0, 0};
  claim.reason = "exact: what vanishes at all points drawn is zero up to the probability given, what does not is not";
  claim.controls = {{.name = "SimplifiedZhangSkeel declared to be what ZhangSkeel is",
                     .measured = static_cast<double>(of_simplified),
                     .interval = {0, 0}}};
  claim.note = format("seed %llu", static_cast<unsigned long long>(judge_seed()));
  // One contradiction is exact, whatever else is not decided.
  if (certified.contradicted == 0 && !certified.undecided.empty() && declared.rational) {
    rows.undecided("certificate", "rational", std::move(claim), certified.undecided + declare_it);
    return;
  }
  if (!certified.undecided.empty())
    claim.statement =
        "where it can be decided, for all positions, momenta and steps, the properties of a step are those "
        "declared; not decided: " +
        certified.undecided;
  claim.evidence = certified.contradicted > 0 ? Evidence::disproved : Evidence::proved;
  if (claim.evidence == Evidence::proved && certified.probability.bound() > 0)
    claim.probability_bound = certified.probability.bound();
  rows.add("certificate", format("%d decided", certified.decided), std::move(claim), certified.detail);
}

// ---- exact order ----------------------------------------------------------------------------------------------------

struct OrderFound {
  int order = -1;  ///< the smallest of all problems; -1: undecided
  CombinedProbability probability = {};
  std::string why, where;
  bool divides_by_step = false;
};

/// Returns whether a step divides by h, or by something that vanishes with it: then it has no expansion in h at any
/// point.
bool divides_by_step(const Subject& subject, std::size_t problem) {
  std::mt19937_64 generator(judge_seed());
  for (int points = 0; points < 3; ++points) {
    Residue::choose_prime(generator);
    Draw<Residue> draw(generator);
    const auto n = subject.problems()[problem].points.front().q.size();
    std::unique_ptr<AnyStepper<ExactSeries>> stepper;
    const auto variables = [&](const std::string& name) {
      return Vector<ExactSeries, Dynamic>(
          draw.variables(name, n).unaryExpr([](const Residue& x) { return ExactSeries(x); }));
    };
    try {
      stepper = subject.in_series(problem);
      stepper->start({variables("q"), variables("p")});
      static_cast<void>(stepper->step(ExactSeries::variable()));
      return false;
    } catch (const NotRational&) {
      return false;
    } catch (const SingularPoint&) {
    }
  }
  return true;
}

/// Returns the largest p <= declared + 1 such that all coefficients up to h^p vanish on every problem, after one step
/// and after two; with a memory, those of what the fifth to the eighth step add.
OrderFound order_of(const Subject& subject, int declared, bool memory = false) {
  const StepsCompared steps = memory ? StepsCompared{4, 8} : StepsCompared{0, 2};
  OrderFound result;
  int order = declared;
  bool is_exceeded = true;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!is_decided(problems[i])) continue;
    const auto make = [&] { return SeriesProblem<10>{mechanical_problem_in_series(i).system, subject.in_series(i)}; };
    while (true) {
      const ExactOrder found = livi::exact_order<10>(make, order, steps, options_of_certificates());
      if (found.lower() && order > 0) {
        --order;
        is_exceeded = false;
        result.where = problems[i].name;
        continue;
      }
      if (!found.exactly() && !found.higher()) {
        const Certificate& undecided = found.attained.proved() ? found.exceeded : found.attained;
        result.why = problems[i].name + ": " + undecided.note;
        result.divides_by_step = divides_by_step(subject, i);
        return result;
      }
      result.probability.add(found.attained);
      if (found.exactly()) is_exceeded = false;
      break;
    }
  }
  result.order = is_exceeded ? order + 1 : order;
  return result;
}

void exact_order(const Subject& subject, const Properties& declared, Rows& rows) {
  constexpr int highest = 9;
  if (declared.order < 1 || declared.order > highest) {
    rows.does_not_apply("exact order", "orders from 1 to 9 are decided, none of them is declared");
    return;
  }
  const OrderFound found = order_of(subject, declared.order, declared.memory);
  if (found.order < 0 && !declared.rational) {
    rows.does_not_apply("exact order", "the step is declared not to be a rational function: " + found.why);
    return;
  }
  const BatteryRow* const tiny_steps = rows.find("tiny steps");
  const bool measured_instead = tiny_steps && (tiny_steps->claim.verdict == Verdict::confirmed_with_limits ||
                                               tiny_steps->claim.verdict == Verdict::confirmed);
  if (found.order < 0 && found.divides_by_step && measured_instead) {
    rows.does_not_apply("exact order",
                        "the step divides by what vanishes with h: the order conditions are those of \"tiny steps\"");
    return;
  }
  Claim claim;
  claim.statement = format("all order conditions up to h^%d hold exactly, and one of h^%d does not", declared.order,
                           declared.order + 1);
  claim.how =
      "the step and the exact flow as power series in h over residues modulo random primes, at random points of the "
      "polynomial problems (diagnostics/certificate.hpp)";
  if (declared.memory) claim.how += "; with a memory, what the fifth to the eighth step add to the error";
  claim.unit = "order";
  claim.interval = {static_cast<double>(declared.order), static_cast<double>(declared.order)};
  claim.reason = "exact";
  static const int of_flawed = order_of(*lopsided_control().subject, 2).order;
  claim.controls = {{.name = lopsided_control().name, .measured = static_cast<double>(of_flawed), .interval = {2, 2}}};
  if (found.order < 0) {
    rows.undecided("exact order", std::to_string(declared.order), std::move(claim), found.why + declare_it);
    return;
  }
  claim.measured = found.order;
  claim.note = format("seed %llu", static_cast<unsigned long long>(judge_seed()));
  claim.evidence = found.order == declared.order ? Evidence::proved : Evidence::disproved;
  if (found.order == declared.order && found.probability.bound() > 0)
    claim.probability_bound = found.probability.bound();
  // Coefficients with finitely many digits violate order conditions by their rounding, and then "tiny steps" has
  // measured by how much. If that is nothing, or the rounding of points, which exact numbers do not have, the two
  // results contradict each other.
  if (found.order < declared.order && measured_instead &&
      (tiny_steps->claim.measured == 0 || tiny_steps->detail == rounded_points)) {
    rows.undecided(
        "exact order", std::to_string(declared.order), std::move(claim),
        format("exactly, conditions up to h^%d fail on %s, of which tiny steps show nothing: the step is not "
               "analytic at h = 0, or so nearly of this order that 50 digits do not show it",
               declared.order, found.where.c_str()));
    return;
  }
  if (found.order < declared.order && measured_instead) {
    static const double of_lopsided = violation_of_order(*lopsided_control().subject, 2);
    claim.statement =
        format("all order conditions up to h^%d hold but for the rounding of coefficients", declared.order);
    claim.how += "; they do not hold exactly, so that the largest violation is measured in 50 digits";
    claim.measured = tiny_steps->claim.measured;
    claim.unit = "relative";
    claim.interval = {0, largest_double_defect(declared.order)};
    claim.reason = double_defect_reason;
    claim.note = format(
        "down to a defect of %.1e, as coefficients with so many digits leave: exactly, conditions up to "
        "h^%d fail on %s; %s",
        claim.measured, declared.order, found.where.c_str(), claim.note.c_str());
    claim.verdict = Verdict::confirmed_with_limits;
    claim.evidence = Evidence::measured;
    claim.controls = {{.name = lopsided_control().name, .measured = of_lopsided, .interval = claim.interval}};
  }
  rows.add("exact order", std::to_string(declared.order), std::move(claim),
           found.order < declared.order ? "fails on " + found.where : "");
}

// ---- linear stability -----------------------------------------------------------------------------------------------

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

void linear_stability(const Subject& subject, const Properties& declared, Rows& rows) {
  const auto problem = first(subject, ProblemRole::oscillator);
  if (!problem) {
    rows.does_not_apply("linear stability", "this kind of problem has no oscillator");
    return;
  }
  // A limit that is not declared need not be decided, which takes minutes for long compositions.
  const Stability found = stability_of(subject, *problem, !std::isnan(declared.stability_limit));
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
  if (std::isnan(declared.stability_limit)) {
    claim.statement = "no stability limit is declared";
    if (std::isnan(found.limit)) {
      rows.does_not_apply("linear stability", "nothing is declared, and no limit is found: " + found.detail);
      return;
    }
    claim.interval = {0, infinity};
    claim.reason = "nothing is declared; the number is for information";
    rows.add("linear stability", "-", std::move(claim),
             format("stable up to h omega = %.8g; ", found.limit) + found.detail);
    return;
  }
  const double expected = declared.stability_limit == 0 ? 1e4 : inverse(declared.stability_limit);
  claim.statement = declared.stability_limit == 0
                        ? std::string("on q'' = -omega^2 q stable for no step")
                        : format("stable on q'' = -omega^2 q up to h omega = %.6g", declared.stability_limit);
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
    const auto verlet = mechanical_control<VelocityVerlet>("VelocityVerlet");
    return 1 / stability_of(*verlet.subject, *first(*verlet.subject, ProblemRole::oscillator)).limit;
  }();
  claim.controls = {{.name = "VelocityVerlet, declared stable up to 2.001",
                     .measured = of_verlet,
                     .interval = Interval::around(1 / 2.001, 1e-6)}};
  rows.add("linear stability", format("%.6g", declared.stability_limit), std::move(claim),
           format("stable up to h omega = %.8g; ", found.limit) + found.detail);
}

// ---- coupled oscillators --------------------------------------------------------------------------------------------

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

/// Tests several oscillators at once: linear stability is decided for one oscillator, but a method may treat several in
/// another way.
void coupled_stability(const Subject& subject, const Properties& declared, Rows& rows) {
  const std::string test = "coupled oscillators";
  if (!first(subject, ProblemRole::coupled)) {
    rows.does_not_apply(test, "this kind of problem has no coupled oscillators");
    return;
  }
  if (std::isnan(declared.stability_limit) || declared.stability_limit == 0) {
    rows.does_not_apply(test, "no stability is declared");
    return;
  }
  const Worst worst = growth_below(subject, declared.stability_limit);
  static const double of_verlet = growth_below(*mechanical_control<VelocityVerlet>("").subject, 2.2).value;
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
  rows.add(test, format("%.6g", declared.stability_limit), std::move(claim));
}

}  // namespace

void test_exactly(const Tested& tested) {
  const auto& [subject, declared, options, rows] = tested;
  const auto has_exact_form = [&] {
    try {
      return subject.in_residues(*first(subject, ProblemRole::generic)) != nullptr;
    } catch (const NotRational&) {
      return true;  // the certificate says where
    }
  };
  const auto if_any = [&](const char* row, const auto& make) {
    rows.test(row, [&] {
      if (has_exact_form()) {
        make(subject, declared, rows);
      } else {
        rows.does_not_apply(row, subject.kind() == SubjectKind::separable
                                     ? "problems T(p) + V(q, t) are measured only"
                                     : "this kind of problem has no exact form: its steps solve nonlinear equations");
      }
    });
  };
  if_any("certificate", certificate);
  if_any("exact order", exact_order);
  rows.test("exact types", [&] { test_exact_types(tested); });
  rows.test("linear stability", [&] { linear_stability(subject, declared, rows); });
  rows.test("coupled oscillators", [&] { coupled_stability(subject, declared, rows); });
}

}  // namespace livi::battery_detail
