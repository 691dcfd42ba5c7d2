// SPDX-License-Identifier: MIT
#include <livi/judge/tests/judge.hpp>

namespace livi {
namespace foreign_detail {

Judge::Judge(ForeignSubject& subject, const JudgementOptions& options, Judgement& result)
    : subject_(subject),
      options_(options),
      problems_(judged_problems(subject.declares().kinds, options.seed, options.drawn)),
      measurements_(options.seed, options.slow ? 8 : 11),
      result_(result) {
  result_.declares = judged_declaration(subject.declares(), options.strict);
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
  if (!has_only_own_rows() && can_step(pointers_to(problems_.generic), ProblemKind::mechanical)) rows_of_points();
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

long steps_of_judgement(const JudgementOptions& options) {
  return options.slow ? 12000 : options.quick ? 40000 : 71000;
}

void judge(ForeignSubject& subject, const JudgementOptions& options, Judgement& judgement) {
  judgement.partial = options.quick || options.slow;
  if (subject.declares().takes(ProblemKind::adaptive)) {
    judge_adaptive_steps(subject, options, judgement);
  } else {
    Judge(subject, options, judgement).run();
  }
  judgement.has_all_rows = true;
}

}  // namespace livi
