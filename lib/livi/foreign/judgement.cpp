// SPDX-License-Identifier: MIT
#include <livi/foreign/judgement.hpp>

#include <algorithm>
#include <cmath>

#include <livi/foreign/adaptive_steps.hpp>
#include <livi/foreign/judge.hpp>

namespace livi {
namespace foreign_detail {

Judge::Judge(ForeignSubject& subject, const JudgementOptions& options, Judgement& result)
    : subject_(subject),
      options_(options),
      problems_(judged_problems(subject.declares().kinds, options.seed, options.drawn)),
      measurements_(options.seed, options.slow ? 8 : 11),
      result_(result) {
  result_.declares = subject.declares();
  result_.seed = options.seed;
  for (auto* problems : {&problems_.generic, &problems_.cubics, &problems_.bodies}) make_possible(*problems);
  std::string refused;
  std::erase_if(problems_.generic, [&](const JudgedProblem& problem) {
    const std::string why = measurements_.why_refused(subject, problem);
    if (!why.empty()) refused = why;
    return !why.empty();
  });
  if (problems_.generic.empty() && !has_only_own_rows())
    throw ForeignFailure(refused + ", nor any other problem of the judge");
  // The first one says why a row does not apply.
  for (auto* problems : {&problems_.cubics, &problems_.bodies})
    for (std::size_t k = problems->size(); k-- > 1;)
      if (!measurements_.why_refused(subject, (*problems)[k]).empty())
        problems->erase(problems->begin() + static_cast<std::ptrdiff_t>(k));
}

void Judge::run() {
  if (!has_only_own_rows() && can_step(pointers_to(problems_.generic), "")) rows_of_points();
  if (declares().takes(ProblemKind::constrained)) constrained();
  if (declares().takes(ProblemKind::constrained_langevin) && !has_no_steps()) constrained_bath();
  if (declares().takes(ProblemKind::body)) bodies();
  if (!has_no_steps()) drawn_steps();
  what_no_row_judged();
  if (!has_only_own_rows() && !is_coarse()) name_small_defects();
}

void Judge::rows_of_points() {
  if (declares().computes_in(NumberType::real)) orders();
  for (const NumberType type : {NumberType::digits, NumberType::rational})
    if (declares().computes_in(type)) local_orders(type);
  symplecticity();
  symmetry();
  momenta();
  cost();
  closed_forms();
  reach();
  dependence();
  if (declares().computes_in(NumberType::real)) {
    backwards();
    number_types();
    stability();
    several_oscillators();
    if (!options_.quick && !options_.slow) {
      energy();
      later();
    }
    if (declares().takes(ProblemKind::langevin)) heat_bath();
  }
}

}  // namespace foreign_detail

using namespace foreign_detail;

int Judgement::exit_status() const {
  if (!ended_by.empty()) return 2;
  bool refuted = false, undecided = false, confirmed = false;
  for (const JudgementRow& row : rows) {
    const Verdict verdict = row.claim.verdict;
    refuted = refuted || verdict == Verdict::refuted;
    undecided = undecided || verdict == Verdict::undecided || verdict == Verdict::broken_control;
    confirmed = confirmed || verdict == Verdict::confirmed || verdict == Verdict::confirmed_with_limits;
  }
  return refuted ? 1 : undecided || !confirmed || !declares.declares_something() ? 2 : 0;
}

void Judgement::end_early(const std::string& reason) {
  ended_by = reason;
  rows.push_back(
      undecided_row(declares, "protocol", "yes", "the method keeps to the protocol up to the last row", reason));
}

long steps_of_judgement(const JudgementOptions& options) {
  return options.slow ? 12000 : options.quick ? 40000 : 71000;
}

void judge(ForeignSubject& subject, const JudgementOptions& options, Judgement& judgement) {
  if (subject.declares().takes(ProblemKind::adaptive)) {
    judge_adaptive_steps(subject, options, judgement);
  } else {
    Judge(subject, options, judgement).run();
  }
}

std::string judgement_table(const Judgement& judgement) {
  const auto column = [](const std::string& s, std::size_t width) {
    return s + std::string(s.size() < width ? width - s.size() : 1, ' ');
  };
  std::string text = judgement.declares.name;
  if (!judgement.declares.source.empty()) text += " (" + judgement.declares.source + ")";
  text += ", seed " + std::to_string(judgement.seed);
  if (const std::string accuracy = declared_accuracy(judgement.declares); !accuracy.empty())
    text += ", declares " + accuracy +
            (largest_limit(judgement) > 0 ? format(", judged up to %.2g", largest_limit(judgement))
                                          : ", which no row needs");
  text += "\n";
  text += column("test", 28) + column("declared", 10) + column("measured", 12) + column("verdict", 16) + "evidence\n";
  for (const JudgementRow& row : judgement.rows) {
    const Claim& claim = row.claim;
    if (claim.verdict == Verdict::not_testable) {
      text += column(row.test, 28) + column("-", 10) + column("-", 12) +
              (claim.note.rfind("not measured", 0) == 0 ? "" : "does not apply: ") + claim.note + "\n";
      continue;
    }
    const std::string verdict = claim.verdict == Verdict::result ? "measured" : std::string(to_string(claim.verdict));
    text += column(row.test, 28) + column(row.declared, 10) + column(text_of_measured(claim.measured), 12) +
            column(verdict, 16) + row.evidence;
    if (claim.verdict == Verdict::refuted || claim.verdict == Verdict::undecided ||
        claim.verdict == Verdict::confirmed_with_limits)
      text += ": " + claim.note;
    text += "\n";
    if (claim.verdict == Verdict::broken_control)
      for (const Control& control : claim.controls)
        if (!control.as_expected())
          text += "  control '" + control.name + "' was not " +
                  (control.expected == Expected::fails ? "rejected" : "accepted") + ": " +
                  text_of_measured(control.measured) + ", " + control.note + "\n";
  }
  return text;
}

}  // namespace livi
