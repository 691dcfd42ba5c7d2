// SPDX-License-Identifier: MIT
//
// How rows are made: measured on the method and on its controls, and decided.
#include <livi/judge/tests/judge.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <livi/judge/hints/diagnosis.hpp>

namespace livi::foreign_detail {

Measured with_steps_that_exist(JudgedProblem problem, const std::function<Measured(const JudgedProblem&)>& measure) {
  constexpr int most_halvings = 2;
  for (int halvings = 0;; ++halvings) {
    try {
      Measured measured = measure(problem);
      if (halvings > 0) {
        measured.note += format("; its step is %g, for a longer one fails", problem.h);
        if (measured.cause == Cause::none) measured.cause = Cause::some_not_judged;
      }
      return measured;
    } catch (const ForeignRefusal&) {
      if (halvings == most_halvings) throw;
      problem.h /= 2;
    }
  }
}

double time_of(const JudgedProblem& problem, double most) {
  const double h = std::abs(problem.h), share = problem.constraints.size() > 3 ? 0.25 : 1;
  return share * most * h / std::exp2(std::ceil(std::log2(h)));
}

Measure over(const std::vector<const JudgedProblem*>& problems, const MeasureOne& measure, double visible) {
  return [=](ForeignSubject& subject) {
    if (problems.empty()) throw ProblemRefused("the method takes no problem for it");
    Measured worst{-1}, lost{0};
    std::string shorter;  ///< the problem whose longer steps fail
    for (const JudgedProblem* const problem : problems) {
      Measured measured{not_a_number};
      try {
        measured = with_steps_that_exist(*problem, [&](const JudgedProblem& of) { return measure(subject, of); });
      } catch (const ForeignRefusal& refusal) {
        measured.note = problem->name + ": " + refusal.what();
      }
      measured.problem = problem->name;
      if (measured.cause == Cause::some_not_judged) shorter = problem->name;
      if (!std::isfinite(measured.value)) {
        lost = measured;
        lost.value = not_a_number;
      } else if (measured.value > worst.value) {
        worst = measured;
      }
    }
    if (std::isnan(lost.value) && !(worst.value >= visible)) return lost;
    if (!shorter.empty() && worst.cause == Cause::none) {
      worst.cause = Cause::some_not_judged;
      worst.note += "; longer steps fail on " + shorter;
    }
    return worst;
  };
}

void Judge::row(const RowId& id, const std::string& declared, const std::string& evidence, Claim claim,
                const Measure& measure, const std::vector<ControlOf>& controls) {
  const Claim named = claim_of_row(declares(), id);
  if (options_.progress) options_.progress(named.headline);
  claim.id = named.id;
  claim.source = named.source;
  claim.headline = named.headline;
  claim.anchor = named.anchor;
  Measured measured{not_a_number};
  try {
    measured = measure(subject_);
  } catch (const ProblemRefused& refused) {
    does_not_apply(id, refused.what());
    return;
  } catch (const ForeignRefusal& refusal) {
    measured.note = refusal.what();
  }
  claim.measured = measured.value;
  if (claim.note.empty()) claim.note = measured.note;
  subject_.say_if_not_measured(claim, measured);
  if (declared == "-") {
    claim.verdict = std::isfinite(claim.measured) ? Verdict::result : Verdict::not_testable;
  } else {
    for (const ControlOf& control : controls) {
      const auto method = built_in_subject(control.method);
      Measured of_control{not_a_number};
      try {
        of_control = measure(*method);
      } catch (const ForeignRefusal& refusal) {
        of_control.note = refusal.what();
      }
      claim.controls.push_back({control.method.name, of_control.value, claim.interval,
                                of_control.note.empty() ? "no note" : of_control.note, control.expected});
    }
    if (measured.exact && std::isfinite(measured.value))
      claim.evidence = measured.value == 0 ? Evidence::proved : Evidence::disproved;
    claim.verdict = decide(claim);
  }
  result_.rows.push_back({id, named.headline, declared, evidence, std::move(claim), measured.cause, measured.problem});
}

void Judge::limit_to(double strict) {
  Claim& claim = result_.rows.back().claim;
  if (claim.verdict != Verdict::confirmed || claim.measured <= strict || claim.interval.low > 0) return;
  // A tolerance excuses what an iteration leaves.
  if (declares().tolerance > 0 && !declares().single_precision) try {
      if (falls_steadily()) {
        claim.verdict = Verdict::undecided;
        claim.note =
            format(
                "%.2g, which tolerance=%g would excuse, but where h is halved the defects of its steps fall by one "
                "power of h, as none do that an iteration leaves where it stops at a tolerance; ",
                claim.measured, declares().tolerance) +
            claim.note;
        return;
      }
    } catch (const ForeignRefusal& refusal) {
      claim.verdict = Verdict::undecided;
      claim.note =
          format("%.2g, which tolerance=%g would excuse if it did not fall where h is halved: ", claim.measured,
                 declares().tolerance) +
          refusal.what();
      return;
    }
  claim.verdict = Verdict::confirmed_with_limits;
  claim.note =
      format("up to %.2g, for it declares ", claim.interval.high) + declared_accuracy(declares()) + "; " + claim.note;
}

void Judge::row_beside(const RowId& id, const std::string& declared, const std::string& evidence, Claim claim,
                       const Measure& measure, const BuiltInMethod& right, const BuiltInMethod& wrong,
                       const Interval& interval, const std::string& why, const Measure& measure_control) {
  row(id, declared, evidence, std::move(claim), measure, {});
  if (declared == "-" || result_.rows.back().claim.verdict == Verdict::not_testable) return;
  Claim& written = result_.rows.back().claim;
  for (const auto& [method, expected] : {std::pair(right, Expected::passes), std::pair(wrong, Expected::fails)}) {
    const auto control = built_in_subject(method);
    const Measured measured = (measure_control ? measure_control : measure)(*control);
    written.controls.push_back({method.name, measured.value, interval, why, expected});
  }
  written.verdict = Verdict::confirmed;  // so that it is decided anew, with its controls
  written.verdict = decide(written);
}

void Judge::property(const RowId& id, std::optional<bool> declared, const std::string& evidence,
                     const std::string& what, const Bounds& bounds, const Measure& measure,
                     const BuiltInMethod& without, const BuiltInMethod& with) {
  Claim claim;
  const bool holds = declared.value_or(true);
  claim.statement = holds ? what : "not: " + what;
  claim.interval = holds ? Interval{0, bounds.holds} : Interval{bounds.visible, infinity};
  claim.reason = bounds.reason;
  row(id,
      !declared   ? "-"
      : *declared ? "yes"
                  : "no",
      evidence, std::move(claim), measure,
      {{without, holds ? Expected::fails : Expected::passes}, {with, holds ? Expected::passes : Expected::fails}});
  limit_to(bounds.strict);
  Claim& written = result_.rows.back().claim;
  // An exact defect refutes, however small it is. In floating point a defect counts as zero up to a 64th of the bound for
  // round-off, which is some hundred operations. Above, it may come from round-off, an iteration, or the method.
  const double none = written.evidence == Evidence::disproved ? 0 : bounds.strict / 64;
  if (holds || written.verdict != Verdict::refuted || written.measured <= none) return;
  written.verdict = Verdict::undecided;
  written.note = format("inconclusive: the defect %.2g lies below the detection limit %.2g, and ", written.measured,
                        bounds.visible) +
                 (bounds.holds > bounds.strict ? declared_accuracy(declares()) : std::string("round-off")) +
                 format(" explains defects up to %.2g; ", bounds.holds) + written.note;
}

void Judge::duty(const RowId& id, const std::string& evidence, const std::string& what, double bound,
                 const char* reason, const Measure& measure, const BuiltInMethod& without) {
  Claim claim;
  claim.statement = what;
  claim.interval = {0, bound == 0 ? 0 : allowed(declares(), bound)};
  claim.reason = claim.interval.high > bound ? reason_of_declared : reason;
  row(id, "yes", evidence, std::move(claim), measure,
      {{without, Expected::fails}, {built_in_verlet(), Expected::passes}});
  limit_to(bound);
}

bool Judge::can_step(const std::vector<const JudgedProblem*>& problems, ProblemKind kind) {
  const std::string why = measurements_.why_no_step(subject_, problems);
  if (!why.empty()) result_.rows.push_back(undecided_row(declares(), {TestId::steps, kind}, "steps can be made", why));
  return why.empty();
}

void Judge::what_no_row_judged() {
  // Where no step can be made, that is said once.
  if (has_no_steps()) return;
  const auto is_judged = [this](TestId property) {
    return std::ranges::any_of(result_.rows, [&](const JudgementRow& row) {
      return property_of(row.id.test) == property && row.declared != "-" && row.claim.verdict != Verdict::not_testable;
    });
  };
  using enum ProblemKind;
  constexpr const char *numbers = "numbers of double, many digits or fractions",
                       *of_points = "the kind mechanical, and numbers of double, many digits or fractions";
  const ForeignDeclaration& declared = declares();
  for (const auto& [is_declared, row, needs] :
       {std::tuple(declared.order.has_value(), RowId(TestId::order_q), numbers),
        std::tuple(declared.symplectic.has_value(), RowId(TestId::symplectic),
                   "a kind of problem and numbers that it takes"),
        std::tuple(declared.symmetric.has_value(), RowId(TestId::symmetric), numbers),
        std::tuple(declared.linear_momentum.has_value(), RowId(TestId::linear_momentum), of_points),
        std::tuple(declared.angular_momentum.has_value(), RowId(TestId::angular_momentum), of_points),
        std::tuple(declared.gradients.has_value(), RowId(TestId::gradients), "a step"),
        std::tuple(declared.stability_limit.has_value(), RowId(TestId::linear_stability),
                   "the kind mechanical, and numbers of double"),
        std::tuple(declared.sampling.has_value(), RowId(TestId::sampling_q, langevin),
                   "the kinds langevin and constrained_langevin"),
        std::tuple(declared.hidden.has_value(), RowId(TestId::hidden_constraint, constrained), "the kind constrained"),
        std::tuple(declared.casimir.has_value(), RowId(TestId::size_of_momentum, body), "the kind body")}) {
    if (!is_declared || is_judged(row.test)) continue;
    result_.rows.push_back(undecided_row(declared, row, "what is declared of this holds",
                                         std::string("declared, and not judged: it is judged on ") + needs));
  }
}

void Judge::name_small_defects() {
  // Numbers of 24 bits are wrong by at most 2^-25 of the next power of two.
  const bool single = std::ranges::any_of(result_.rows, [](const JudgementRow& row) {
    return row.id.test == TestId::precision && row.claim.measured > 0x1p-30 && row.claim.measured <= 0x1p-23 &&
           row.cause == Cause::short_numbers;
  });
  // An iteration is not told from a method of high order by more; loops that shrink multiply what single precision
  // leaves by a thousand.
  const double largest_small = single ? 1e-3 : 1e-5;
  std::vector<JudgementRow*> small;
  for (JudgementRow& row : result_.rows) {
    const Claim& claim = row.claim;
    if (claim.verdict == Verdict::refuted && row.declared == "yes" && claim.interval.low == 0 &&
        claim.interval.high > 0 && claim.measured < largest_small)
      small.push_back(&row);
  }
  if (small.empty()) return;
  const auto is_of_free_momenta = [](const JudgementRow* row) {
    return row->id.test == TestId::free_particle && row->cause == Cause::changed_momentum;
  };
  const bool push = std::ranges::any_of(small, is_of_free_momenta);
  const std::string seen = single ? "; numbers pass through single precision, for momenta after a step of 2^-26 from "
                                    "rest have 24 bits: precision=single declares it"
                           : push ? "; the momentum of a free particle changes, too"
                                  : seen_of_small_defects();
  for (JudgementRow* const row : small) {
    row->claim.note += format("; a defect of %.2g", row->claim.measured);
    if (single || !is_of_free_momenta(row)) row->claim.note += seen;
  }
}

std::string Judge::seen_of_small_defects() {
  std::string seen;
  if (declares().computes_in(NumberType::real) && !problems_.generic.empty()) {
    const bool loops = declares().symplectic == true, reversal = declares().symmetric == true;
    const auto [whole, eighth] = loops || reversal ? defects_of_two_steps() : std::pair(not_a_number, not_a_number);
    constexpr double rounding = 0x1p-40;
    if (std::isfinite(whole) && std::isfinite(eighth) && whole > rounding) {
      seen = std::string("; ") + (loops ? "loops" : "") + (loops && reversal ? " and " : "") +
             (reversal ? "steps there and back" : "") +
             format(" leave %.2g for h = %g and %.2g for h/8", whole, problems_.generic.front().h, eighth);
      // What an iteration leaves falls by less than its rate of convergence, some h^2, in one more round.
      if (eighth * 512 < whole) return seen + ", which falls with the step";
    }
  }
  if (is_of_drifts_and_kicks())
    return seen + "; of one particle its steps are drifts and kicks, in which nothing is iterated";
  if (const std::optional<double> last = where_questions_end(); last)
    return seen + format(
                      "; the positions at which a step asks for forces come closer and closer, the last two to "
                      "%.2g: if an iteration stops there, tolerance=T declares it, T being where",
                      *last);
  return seen +
         "; it could be left by an iteration that stops early, which tolerance=T declares, by numbers with fewer "
         "digits, "
         "or by other equations";
}

bool Judge::is_of_drifts_and_kicks() {
  if (!declares().computes_in(NumberType::real)) return false;
  // So in every kind of problem that it takes.
  bool is_seen = false;
  for (const ProblemKind kind : {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable}) try {
      if (!declares().takes(kind)) continue;
      if (!find_coefficients(subject_, kind).is_splitting) return false;
      is_seen = true;
    } catch (const ForeignRefusal&) {
      return false;
    }
  return is_seen;
}

std::optional<double> Judge::where_questions_end() {
  if (!declares().computes_in(NumberType::real) || problems_.generic.empty()) return std::nullopt;
  const JudgedProblem& problem = problems_.generic.front();
  AskedPositions forces(problem);
  try {
    const auto run = subject_.in_double(forces);
    run->start(problem.start);
    forces.asked.clear();
    run->step(problem.h, 1);
  } catch (const ForeignRefusal&) {
    return std::nullopt;
  }
  std::vector<double> ways;  // from question to question
  for (std::size_t k = 1; k < forces.asked.size(); ++k) {
    double way = 0;
    for (std::size_t i = 0; i < forces.asked[k].size(); ++i)
      way = worse(way, std::abs(forces.asked[k][i] - forces.asked[k - 1][i]));
    ways.push_back(way);
  }
  // Stages of an explicit step are some share of h apart. An iteration that ends at rounding does not stop early.
  constexpr double close = 1e-4, rounding = 0x1p-40;
  if (ways.size() < 3 || !(ways.back() > rounding && ways.back() < close)) return std::nullopt;
  for (std::size_t k = ways.size() - 2; k < ways.size(); ++k)
    if (!(2 * ways[k] < ways[k - 1])) return std::nullopt;
  return ways.back();
}

std::pair<double, double> Judge::defects_of_two_steps() {
  JudgedProblem problem = problems_.generic.front();
  const auto defect = [&] {
    const double loops =
        declares().symplectic == true ? measurements_.loop_integral(subject_, problem, NumberType::real).value : 0;
    return worse(loops,
                 declares().symmetric == true ? measurements_.reversal(subject_, problem, NumberType::real).value : 0);
  };
  try {
    const double whole = defect();
    problem.h /= 8;
    return {whole, defect()};
  } catch (const ForeignRefusal&) {
    return {not_a_number, not_a_number};  // a step that fails here says nothing
  }
}

bool Judge::falls_steadily() {
  if (falls_steadily_) return *falls_steadily_;
  if (!declares().computes_in(NumberType::real) || problems_.generic.empty()) return false;
  bool falls = false;
  for (const bool loops : {true, false}) {
    if ((loops ? declares().symplectic : declares().symmetric) != true) continue;
    JudgedProblem problem = problems_.generic.front();
    const auto defect = [&] {
      return loops ? measurements_.loop_integral(subject_, problem, NumberType::real).value
                   : measurements_.reversal(subject_, problem, NumberType::real).value;
    };
    double least = infinity, most = -infinity, before = defect();
    for (int k = 0; k < 4; ++k) {
      problem.h /= 2;
      const double now = defect(), power = std::log2(before / now);
      // Below this defects are rounding, which does not fall.
      if (!(now > 0x1p-46)) break;
      least = std::min(least, power);
      most = worse(most, power);
      before = now;
    }
    if (least >= 2 && most - least < 0.75) falls = true;
  }
  falls_steadily_ = falls;
  return falls;
}

BuiltInMethod Judge::is_not_symplectic() const {
  return is_coarse() ? built_in_explicit_euler() : built_in_runge_kutta_4();
}

BuiltInMethod Judge::loses_bits() const {
  return built_in_verlet(is_coarse() ? BuiltInFlaw::coarse_number : BuiltInFlaw::single_number);
}

}  // namespace livi::foreign_detail
