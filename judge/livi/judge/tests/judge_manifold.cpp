// SPDX-License-Identifier: MIT
#include <livi/judge/tests/judge_manifold.hpp>

#include <algorithm>
#include <cmath>

namespace livi::foreign_detail {

ManifoldJudge::ManifoldJudge(Judge& judge, ProblemKind of, Kind kind)
    : judge_(judge),
      of_(of),
      kind_(std::move(kind)),
      order_(judge.declares().order.value_or(0)),
      tolerance_(judge.is_coarse() ? declared_rounding(judge.declares(), NumberType::real) : 0) {}

void ManifoldJudge::take(const JudgedProblem& problem, std::initializer_list<Problems*> lists) {
  const std::string why = judge_.measurements_.why_refused(judge_.subject_, problem);
  if (!why.empty()) {
    refused_ = why;
    judge_.result_.rows.push_back(
        row_that_does_not_apply(judge_.declares(), row_of(TestId::problem), why, problem.name));
    return;
  }
  for (Problems* const list : lists) list->push_back(&problem);
}

bool ManifoldJudge::can_step() const { return judge_.can_step(generic_, of_); }
void ManifoldJudge::require_problems() const {
  if (generic_.empty()) throw ForeignFailure(refused_ + ", nor any other problem of the judge");
}

Bounds ManifoldJudge::bounds_of(double times) const {
  return {std::max(rounding_.holds, times * tolerance_), std::max(rounding_.visible, 16 * times * tolerance_),
          tolerance_ > 0 ? "the tolerance that the method declares, times what a step makes of it" : rounding_.reason,
          rounding_.holds};
}

void ManifoldJudge::must(TestId test, const std::string& evidence, const std::string& what, double bound,
                         const char* reason, const Measure& measure, const BuiltInMethod& wrong) {
  Claim claim;
  claim.statement = what;
  claim.interval = {0, bound};
  claim.reason = reason;
  judge_.row(row_of(test), "yes", evidence, std::move(claim), measure,
             {{wrong, Expected::fails}, {kind_.right, Expected::passes}});
}

std::vector<std::pair<std::string, MeasuredOrder>> ManifoldJudge::orders_in(ForeignSubject& subject,
                                                                            const Problems& problems, double time) {
  std::vector<std::pair<std::string, MeasuredOrder>> measured, lost;
  bool decided = false;
  for (const JudgedProblem* const problem : problems) {
    try {
      const MeasuredOrder one = order_on(subject, *problem, time_of(*problem, time));
      decided = decided || slopes_refute(one.of_q, order_) || slopes_refute(one.of_p, order_);
      (std::isnan(one.q) && !one.shows_nothing ? lost : measured).emplace_back(problem->name, one);
    } catch (const ForeignRefusal& refusal) {
      lost.push_back({problem->name, {not_a_number, not_a_number, false, 0, "", refusal.what()}});
    }
  }
  if (!decided) measured.insert(measured.end(), lost.begin(), lost.end());
  return measured;
}

void ManifoldJudge::orders() {
  judge_.order_rows(
      of_, NumberType::real, "errors against the exact motion, double",
      [&](ForeignSubject& subject) { return orders_in(subject, every_, 1); }, kind_.right, kind_.lopsided);
  if (!judge_.declares().order) return;
  if (judge_.declares().forward)
    judge_.does_not_apply(row_of(TestId::order_negative), makes_no_steps_back);
  else
    negative_order();
}

void ManifoldJudge::negative_order() {
  Claim claim;
  claim.statement = "with negative steps the order is " + std::to_string(order_);
  claim.interval = Interval::around(order_, 0.3);
  claim.reason = "orders are whole numbers: the declared one lies inside, its neighbours outside";
  judge_.row_beside(
      row_of(TestId::order_negative), std::to_string(order_), "errors against the exact motion, double",
      std::move(claim),
      [&](ForeignSubject& subject) {
        // The last problem, a drawn one; others where it shows nothing.
        std::vector<std::pair<std::string, MeasuredOrder>> all;
        Measured measured{not_a_number};
        for (auto problem = generic_.rbegin(); problem != generic_.rend() && std::isnan(measured.value); ++problem) {
          all.push_back(orders_in(subject, {*problem}, -1).front());
          measured = lowest_order(all, OrderOf::both, order_);
          if (!all.back().second.shows_nothing && !all.back().second.why_undecided.empty()) break;
        }
        return measured;
      },
      kind_.right, kind_.absolute_step, Interval::around(2, 0.3), "the control is to be of order two");
}

void ManifoldJudge::dependence() {
  constexpr const char* bitwise = "the same operations on the same numbers: no entry differs";
  const double fresh = std::max(0x1p-44, 64 * tolerance_);
  const auto on_two = [&](Measured (Measurements::*measure)(ForeignSubject&, const JudgedProblem&)) {
    return over(
        {generic_.front(), generic_.back()},
        [this, measure](ForeignSubject& subject, const JudgedProblem& problem) {
          return (judge_.measurements_.*measure)(subject, problem);
        },
        1);
  };
  // What is kept of the step before may be used where the next one is near. Momenta may be differences over h, which is
  // 16 roundings over 2^-12: 2^7 times what is allowed in steps of ordinary size.
  const MeasureOne memory = [this](ForeignSubject& subject, const JudgedProblem& problem) {
    JudgedProblem brief = problem;
    brief.h = std::copysign(0x1p-12, problem.h);
    brief.name += ", steps of 2^-12";
    const Measured usual = judge_.measurements_.memory(subject, problem);
    Measured of_brief = judge_.measurements_.memory(subject, brief);
    of_brief.value *= 0x1p-7;
    return is_worse(of_brief.value, usual.value) ? of_brief : usual;
  };
  must(TestId::repetition, "bitwise, in another process", "the same steps lead to the same numbers", 0, bitwise,
       on_two(&Measurements::repetition), kind_.counts_steps);
  must(TestId::batch, "bitwise", "k steps at once are k steps one by one", 0, bitwise, on_two(&Measurements::batch),
       kind_.counts_steps);
  must(TestId::history, "bitwise, beside another process", "a start forgets the run before it", 0, bitwise,
       on_two(&Measurements::history), kind_.remembers);
  must(TestId::start_of_time, "bitwise, eight steps", "the motion does not depend on when it begins", 0, bitwise,
       on_two(&Measurements::start_of_time), kind_.reads_clock);
  if (judge_.declares().memory) {
    Claim claim;
    claim.statement = std::string("a step depends on more than ") + kind_.state;
    claim.interval = {0x1p-40, infinity};
    claim.reason = "a memory that changes no more than rounding is none";
    judge_.row(row_of(TestId::memory), "yes", "steps of one size, and of changing size", std::move(claim),
               on_two(&Measurements::memory), {{kind_.right, Expected::fails}, {kind_.keeps_force, Expected::passes}});
  } else {
    must(TestId::memory, "steps of one size, and of changing size",
         std::string("a step depends on ") + kind_.state + " alone", fresh, kind_.other_form,
         over({generic_.front(), generic_.back()}, memory, 1), kind_.keeps_force);
  }
  if (const std::string why = judge_.measurements_.why_nothing_is_saved(judge_.subject_, *generic_.front());
      !why.empty()) {
    judge_.does_not_apply(row_of(TestId::restart), "nothing is saved: " + why);
  } else {
    must(TestId::restart, "bitwise, in another process", "a run continues from what was saved", 0, bitwise,
         on_two(&Measurements::restart), kind_.forgets_in_saved);
  }
  if (!judge_.options_.quick && !judge_.options_.slow && !judge_.declares().memory)
    must(TestId::later, "a step after 1000 to 20000", "late steps are those of a fresh start", fresh, kind_.other_form,
         over(
             {generic_.front()},
             [this](ForeignSubject& subject, const JudgedProblem& problem) {
               return judge_.measurements_.after_many_steps(subject, problem);
             },
             infinity),
         // What a subtle control does wrong is less than what a coarse method is allowed.
         tolerance_ > 0 ? kind_.falls_asleep : kind_.tires);
}

}  // namespace livi::foreign_detail
