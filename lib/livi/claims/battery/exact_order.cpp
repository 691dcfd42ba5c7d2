// SPDX-License-Identifier: MIT
//
// Decides the order where a step is a rational function: the step and the exact flow as power series in h over residues
// modulo random primes.
#include <livi/claims/battery/controls.hpp>
#include <livi/claims/battery/step_statements.hpp>
#include <livi/claims/battery/tests.hpp>
#include <livi/diagnostics/exact_order.hpp>
#include <random>

namespace livi::battery_detail {

namespace {

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

}  // namespace

void test_exact_order(const Tested& tested) {
  constexpr int highest = 9;
  if (tested.declared.order < 1 || tested.declared.order > highest) {
    tested.rows.does_not_apply("exact order", "orders from 1 to 9 are decided, none of them is declared");
    return;
  }
  const OrderFound found = order_of(tested.subject, tested.declared.order, tested.declared.memory);
  if (found.order < 0 && !tested.declared.rational) {
    tested.rows.does_not_apply("exact order", "the step is declared not to be a rational function: " + found.why);
    return;
  }
  const BatteryRow* const tiny_steps = tested.rows.find("tiny steps");
  const bool measured_instead = tiny_steps && (tiny_steps->claim.verdict == Verdict::confirmed_with_limits ||
                                               tiny_steps->claim.verdict == Verdict::confirmed);
  if (found.order < 0 && found.divides_by_step && measured_instead) {
    tested.rows.does_not_apply(
        "exact order", "the step divides by what vanishes with h: the order conditions are those of \"tiny steps\"");
    return;
  }
  Claim claim;
  claim.statement = format("all order conditions up to h^%d hold exactly, and one of h^%d does not",
                           tested.declared.order, tested.declared.order + 1);
  claim.how =
      "the step and the exact flow as power series in h over residues modulo random primes, at random points of the "
      "polynomial problems (diagnostics/certificate.hpp)";
  if (tested.declared.memory) claim.how += "; with a memory, what the fifth to the eighth step add to the error";
  claim.unit = "order";
  claim.interval = {static_cast<double>(tested.declared.order), static_cast<double>(tested.declared.order)};
  claim.reason = "exact";
  static const int of_flawed = order_of(*lopsided_control().subject, 2).order;
  claim.controls = {{.name = lopsided_control().name, .measured = static_cast<double>(of_flawed), .interval = {2, 2}}};
  if (found.order < 0) {
    tested.rows.undecided("exact order", std::to_string(tested.declared.order), std::move(claim),
                          found.why + declare_it);
    return;
  }
  claim.measured = found.order;
  claim.note = format("seed %llu", static_cast<unsigned long long>(judge_seed()));
  claim.evidence = found.order == tested.declared.order ? Evidence::proved : Evidence::disproved;
  if (found.order == tested.declared.order && found.probability.bound() > 0)
    claim.probability_bound = found.probability.bound();
  // Coefficients with finitely many digits violate order conditions by their rounding, and then "tiny steps" has
  // measured by how much. If that is nothing, or the rounding of points, which exact numbers do not have, the two
  // results contradict each other.
  if (found.order < tested.declared.order && measured_instead &&
      (tiny_steps->claim.measured == 0 || tiny_steps->detail == rounded_points)) {
    tested.rows.undecided(
        "exact order", std::to_string(tested.declared.order), std::move(claim),
        format("exactly, conditions up to h^%d fail on %s, of which tiny steps show nothing: the step is not "
               "analytic at h = 0, or so nearly of this order that 50 digits do not show it",
               tested.declared.order, found.where.c_str()));
    return;
  }
  if (found.order < tested.declared.order && measured_instead) {
    static const double of_lopsided = violation_of_order(*lopsided_control().subject, 2);
    claim.statement =
        format("all order conditions up to h^%d hold but for the rounding of coefficients", tested.declared.order);
    claim.how += "; they do not hold exactly, so that the largest violation is measured in 50 digits";
    claim.measured = tiny_steps->claim.measured;
    claim.unit = "relative";
    claim.interval = {0, largest_double_defect(tested.declared.order)};
    claim.reason = double_defect_reason;
    claim.note = format(
        "down to a defect of %.1e, as coefficients with so many digits leave: exactly, conditions up to "
        "h^%d fail on %s; %s",
        claim.measured, tested.declared.order, found.where.c_str(), claim.note.c_str());
    claim.verdict = Verdict::confirmed_with_limits;
    claim.evidence = Evidence::measured;
    claim.controls = {{.name = lopsided_control().name, .measured = of_lopsided, .interval = claim.interval}};
  }
  tested.rows.add("exact order", std::to_string(tested.declared.order), std::move(claim),
                  found.order < tested.declared.order ? "fails on " + found.where : "");
}

}  // namespace livi::battery_detail
