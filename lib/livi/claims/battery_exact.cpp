// SPDX-License-Identifier: MIT
//
// What the battery decides instead of measuring, where the step of a method is a rational function: the properties of a
// step, its order, its linear stability.
#include <livi/claims/battery_rows.hpp>
#include <livi/diagnostics/exact_order.hpp>
#include <livi/diagnostics/linear_stability.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>

namespace livi::battery_detail {

namespace {

std::vector<Residue> values_of(const PhasePoint<Dual<Residue>>& point) {
  std::vector<Residue> values;
  for (const auto& x : point.q) values.push_back(x.value);
  for (const auto& x : point.p) values.push_back(x.value);
  return values;
}

}  // namespace

bool is_decided(const ProblemSummary& problem) {
  return problem.role == ProblemRole::generic ||
         (problem.role == ProblemRole::drawn && problem.points.front().q.size() <= 2);
}

CertificateOptions options_of_certificates() { return {.seed = judge_seed(), .least_points = 8}; }

StepStatement step_statement(const Subject& subject, std::size_t problem, Statement statement, Draw<Residue>& draw) {
  using D = Dual<Residue>;
  StepStatement result;
  const auto stepper = subject.in_residues(problem);
  const TestProblem<D> in_residues = mechanical_problem_in_residues(problem);
  const Eigen::Index n = in_residues.system.size();
  const PhasePoint<Residue> at{draw.variables("q", n), draw.variables("p", n)};
  const D h(draw.positive("h"));
  const auto advance = [&](const PhasePoint<D>& from, const D& by) {
    stepper->start(from);
    if (!stepper->step(by).ok()) throw StepFailed("the step fails in exact arithmetic");
    return stepper->point();
  };
  PhasePoint<D> start{at.q.cast<D>(), at.p.cast<D>()};
  if (statement == Statement::symplectic) {
    result.functions = livi::symplecticity<Residue>(at, [&](Vector<D, Dynamic>& q, Vector<D, Dynamic>& p) {
      const PhasePoint<D> image = advance({q, p}, h);
      if (result.end.empty()) result.end = values_of(image);
      q = image.q;
      p = image.p;
    });
    return result;
  }
  const PhasePoint<D> end = advance(start, h);
  result.end = values_of(end);
  if (statement == Statement::symmetric) {
    const PhasePoint<D> back = advance(end, -h);
    stepper->start(start);
    static_cast<void>(stepper->step(h));
    stepper->reverse();
    if (!stepper->step(h).ok()) throw StepFailed("the step fails in exact arithmetic");
    stepper->reverse();
    for (const D& d : differences(back, start)) result.functions.push_back(d.value);
    for (const D& d : differences(stepper->point(), start)) result.functions.push_back(d.value);
  } else {
    for (const auto& symmetry : in_residues.symmetries)
      if (symmetry.is_translation == (statement == Statement::translations))
        result.functions.push_back((symmetry.momentum(end.q, end.p) - symmetry.momentum(start.q, start.p)).value);
  }
  return result;
}

namespace {

/// The statement about one step, on one problem, for all positions, momenta and step sizes.
Certificate certify_step(const Subject& subject, std::size_t problem, Statement statement) {
  return certify([&](Draw<Residue>& draw) { return step_statement(subject, problem, statement, draw).functions; },
                 options_of_certificates());
}

struct Certified {
  int contradicted = 0;  ///< properties that are not as declared
  int decided = 0;
  std::string undecided;                 ///< the properties that are not decided, and why
  CombinedProbability probability = {};  ///< that any of the proofs is an accident
  std::string detail;
};

/// A property that is proved must be so on all these problems; one disproof is enough.
Certified certify_declared(const Subject& subject, const Properties& declared) {
  Certified result;
  const auto& problems = subject.problems();
  for (const auto& [statement, name, holds] :
       {std::tuple(Statement::symplectic, "symplectic", declared.symplectic),
        std::tuple(Statement::symmetric, "symmetric", declared.symmetric),
        std::tuple(Statement::translations, "linear momentum", declared.linear_momentum),
        std::tuple(Statement::rotations, "angular momentum", declared.angular_momentum)}) {
    int proved = 0;
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
        undecided = problems[i].name + ": " + certificate.note;
        break;
      }
    }
    if (!disproof.empty()) {
      ++result.decided;
      if (holds) ++result.contradicted;
      result.detail += format("%s: disproved (%s); ", name, disproof.c_str());
    } else if (undecided.empty() && proved > 0) {
      ++result.decided;
      if (!holds) ++result.contradicted;
      result.detail += format("%s: proved on %d problems (degree <= %.0f); ", name, proved, degree);
    } else {
      result.undecided += (result.undecided.empty() ? "" : "; ") + std::string(name) + " (" + undecided + ")";
      result.detail += format("%s: undecided (%s); ", name, undecided.c_str());
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
    const auto zhang_skeel = ControlMethod::make<ZhangSkeel>("ZhangSkeel");
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
  claim.evidence = certified.contradicted > 0 ? Evidence::disproved : Evidence::proved;
  if (claim.evidence == Evidence::proved && certified.probability.bound() > 0)
    claim.probability_bound = certified.probability.bound();
  rows.add("certificate", format("%d decided", certified.decided), std::move(claim), certified.detail);
}

// ---------------------------------------------------------------------------------------------------------------------
// exact order

struct OrderFound {
  int order = -1;  ///< the smallest of all problems; -1: undecided
  CombinedProbability probability = {};
  std::string why, where;
};

/// The largest p <= declared + 1 such that all coefficients up to h^p vanish on every problem, after one step and two.
OrderFound order_of(const Subject& subject, int declared) {
  OrderFound result;
  int order = declared;
  bool is_exceeded = true;
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (!is_decided(problems[i])) continue;
    const auto make = [&] { return SeriesProblem<10>{mechanical_problem_in_series(i).system, subject.in_series(i)}; };
    while (true) {
      const ExactOrder found = livi::exact_order<10>(make, order, 2, options_of_certificates());
      if (found.lower() && order > 0) {
        --order;
        is_exceeded = false;
        result.where = problems[i].name;
        continue;
      }
      if (!found.exactly() && !found.higher()) {
        const Certificate& undecided = found.attained.proved() ? found.exceeded : found.attained;
        result.why = problems[i].name + ": " + undecided.note;
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
  if (declared.memory) {
    rows.does_not_apply("exact order", "with a memory, the first step from a fresh start is not one of a run");
    return;
  }
  const OrderFound found = order_of(subject, declared.order);
  if (found.order < 0 && !declared.rational) {
    rows.does_not_apply("exact order", "the step is declared not to be a rational function: " + found.why);
    return;
  }
  Claim claim;
  claim.statement = format("all order conditions up to h^%d hold exactly, and one of h^%d does not", declared.order,
                           declared.order + 1);
  claim.how =
      "the step and the exact flow as power series in h over residues modulo random primes, at random points of the "
      "polynomial problems (diagnostics/certificate.hpp)";
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
  // Coefficients with finitely many digits violate order conditions by their rounding: then "tiny steps" has measured
  // by how much, or that it is less than matters to any precision.
  const BatteryRow* const tiny_steps = rows.find("tiny steps");
  if (found.order < declared.order && tiny_steps &&
      (tiny_steps->claim.verdict == Verdict::confirmed_with_limits ||
       tiny_steps->claim.verdict == Verdict::confirmed)) {
    static const double of_lopsided = violation_of_order(*lopsided_control().subject, 2);
    claim.statement =
        format("all order conditions up to h^%d hold but for the rounding of coefficients", declared.order);
    claim.how += "; they do not hold exactly, so that the largest violation is measured in 50 digits";
    claim.measured = tiny_steps->claim.measured;
    claim.unit = "relative";
    claim.interval = {0, largest_double_defect};
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

// ---------------------------------------------------------------------------------------------------------------------
// linear stability

/// The matrix of a step on q'' = -q, entries rational functions of h.
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

Stability stability_of(const Subject& subject, std::size_t problem) {
  std::string why;
  try {
    if (const auto stepper = subject.in_functions_of_step(problem)) {
      const StabilityDecision decision = decide_stability(matrix_of_step(*stepper));
      // The variable is h omega itself here, not its square.
      const auto middle = [](const RootBracket& at) { return Rational((at.low + at.high) / 2).convert_to<double>(); };
      std::string windows;
      for (const auto& window : decision.windows)
        windows += format("%s%.8g to %s", windows.empty() ? "unstable from " : ", ", middle(window.begin),
                          window.end ? format("%.8g", middle(*window.end)).c_str() : "infinity");
      for (const RootBracket& pole : decision.poles) windows += format("; no step at %.8g", middle(pole));
      return {decision.unconditional ? unlimited : middle({decision.z_low, decision.z_high}), true,
              std::string(decision.determinant_is_one ? "determinant 1; " : "determinant not 1; ") + windows};
    }
    why = "this kind of problem has no exact form";
  } catch (const std::exception& error) {
    why = error.what();
  }
  const auto stepper = subject.in_50_digits(problem);
  const double limit = measure_stability_limit(*stepper);
  return {limit, false, "scanned in steps of 0.6 per cent (" + why + ")"};
}

void linear_stability(const Subject& subject, const Properties& declared, Rows& rows) {
  const auto problem = first(subject, ProblemRole::oscillator);
  if (!problem) {
    rows.does_not_apply("linear stability", "this kind of problem has no oscillator");
    return;
  }
  const Stability found = stability_of(subject, *problem);
  const auto inverse = [](double limit) { return 1 / limit; };  // 0 where there is no limit
  Claim claim;
  claim.unit = "1 / (h omega)";
  claim.evidence = found.exact ? Evidence::proved : Evidence::measured;
  claim.measured = inverse(found.limit);
  claim.how = found.exact
                  ? "trace and determinant of a step as rational functions of h omega, by Sturm's theorem"
                  : "spectral radius of a step in 50 digits over h omega in [1e-2, 1e4], the threshold bisected";
  if (found.limit == 0) {  // unstable from the first step size on: its inverse is no number
    claim.measured = 1e4;
    claim.note = "never stable: 1e4 stands for infinity";
  }
  if (std::isnan(declared.stability_limit)) {
    claim.statement = "no stability limit is declared";
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
  static const double of_verlet = [] {
    const auto verlet = ControlMethod::make<VelocityVerlet>("VelocityVerlet");
    return 1 / stability_of(*verlet.subject, *first(*verlet.subject, ProblemRole::oscillator)).limit;
  }();
  claim.controls = {{.name = "VelocityVerlet, declared stable up to 2.001",
                     .measured = of_verlet,
                     .interval = Interval::around(1 / 2.001, 1e-6)}};
  rows.add("linear stability", format("%.6g", declared.stability_limit), std::move(claim),
           format("stable up to h omega = %.8g; ", found.limit) + found.detail);
}

}  // namespace

void test_exactly(const Subject& subject, const Properties& declared, const BatteryOptions& options, Rows& rows) {
  const auto begin = [&](const std::string& test) {
    if (options.progress) options.progress(test);
  };
  const auto problem = *first(subject, ProblemRole::generic);
  std::string why;
  bool has_exact_form = false;
  try {
    has_exact_form = subject.in_residues(problem) != nullptr;
    why = subject.kind() == SubjectKind::separable
              ? "problems T(p) + V(q, t) are measured only"
              : "this kind of problem has no exact form: its steps solve nonlinear equations";
  } catch (const NotRational& error) {
    has_exact_form = true;
  }
  if (has_exact_form) {
    begin("certificate");
    rows.guard("certificate", [&] { certificate(subject, declared, rows); });
    begin("exact order");
    rows.guard("exact order", [&] { exact_order(subject, declared, rows); });
  } else {
    rows.does_not_apply("certificate", why);
    rows.does_not_apply("exact order", why);
  }
  begin("linear stability");
  rows.guard("linear stability", [&] { linear_stability(subject, declared, rows); });
}

}  // namespace livi::battery_detail
