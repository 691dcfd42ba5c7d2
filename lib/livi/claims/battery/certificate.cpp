// SPDX-License-Identifier: MIT
//
// Decides properties of a step where it is a rational function: symplectic, symmetric, with momenta, for all positions,
// momenta and step sizes.
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/step_statements.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/diagnostics/measures.hpp>
#include <tuple>

namespace livi::battery_detail {

namespace {

using DualResidue = Dual<Residue>;

std::vector<Residue> values_of(const PhasePoint<DualResidue>& point) {
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
    h = DualResidue(draw.positive("h"));
  }
  [[nodiscard]] PhasePoint<DualResidue> start() const { return {at.q.cast<DualResidue>(), at.p.cast<DualResidue>()}; }
  /// Returns the end of one step of size `by` from a fresh start.
  [[nodiscard]] PhasePoint<DualResidue> advance(const PhasePoint<DualResidue>& from, const DualResidue& by) const {
    stepper->start(from);
    if (!stepper->step(by).ok()) throw StepFailed("the step fails in exact arithmetic");
    return stepper->point();
  }

  std::unique_ptr<AnyStepper<DualResidue>> stepper;
  TestProblem<DualResidue> problem;
  PhasePoint<Residue> at;
  DualResidue h;
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
    return livi::symplecticity<Residue>(step.at, [&](Vector<DualResidue, Dynamic>& q, Vector<DualResidue, Dynamic>& p) {
      const PhasePoint<DualResidue> image = step.advance({q, p}, step.h);
      q = image.q;
      p = image.p;
    });
  std::vector<Residue> functions;
  const PhasePoint<DualResidue> start = step.start(), end = step.advance(start, step.h);
  if (statement == Statement::symmetric) {
    const PhasePoint<DualResidue> back = step.advance(end, -step.h);
    step.stepper->start(start);
    static_cast<void>(step.stepper->step(step.h));
    step.stepper->reverse();
    if (!step.stepper->step(step.h).ok()) throw StepFailed("the step fails in exact arithmetic");
    step.stepper->reverse();
    for (const DualResidue& d : differences(back, start)) functions.push_back(d.value);
    for (const DualResidue& d : differences(step.stepper->point(), start)) functions.push_back(d.value);
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

}  // namespace

void test_certificate(const Tested& tested) {
  const Certified certified = certify_declared(tested.subject, tested.declared);
  if (certified.decided == 0 && !tested.declared.rational) {
    tested.rows.does_not_apply("certificate",
                               "the step is declared not to be a rational function: " + certified.undecided);
    return;
  }
  static const int of_simplified =
      certify_declared(*simplified_control().subject, zhang_skeel_control().subject->declares()).contradicted;
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
  if (certified.contradicted == 0 && !certified.undecided.empty() && tested.declared.rational) {
    tested.rows.undecided("certificate", "rational", std::move(claim), certified.undecided + declare_it);
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
  tested.rows.add("certificate", format("%d decided", certified.decided), std::move(claim), certified.detail);
}

}  // namespace livi::battery_detail
