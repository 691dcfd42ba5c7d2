// SPDX-License-Identifier: MIT
//
// The rows on orders.
#include <livi/foreign/judge.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace livi::foreign_detail {

void Judge::order_rows(
    const std::string& suffix, const std::string& evidence,
    const std::function<std::vector<std::pair<std::string, MeasuredOrder>>(ForeignSubject&)>& every_time,
    const BuiltInMethod& right, const BuiltInMethod& wrong) {
  // Both rows have the same steps, which are most of those of a judgement.
  std::vector<std::pair<std::string, MeasuredOrder>> of_subject;
  const auto measure = [&](ForeignSubject& subject) {
    if (&subject != &subject_) return every_time(subject);
    if (of_subject.empty()) of_subject = every_time(subject);
    return of_subject;
  };
  for (const bool momentum : {false, true}) {
    Claim claim;
    const int order = declares().order.value_or(0);
    claim.statement = "the order is " + std::to_string(order);
    claim.interval = declares().order ? Interval::around(order, 0.3) : Interval{};
    claim.reason = "orders are whole numbers: the declared one lies inside, its neighbours outside";
    const Measure worst = [&](ForeignSubject& subject) {
      Measured lowest{infinity};
      std::string left_out;
      for (const auto& [name, measured] : measure(subject)) {
        const double value = momentum ? measured.p : measured.q;
        // A slope that is far from the declared one refutes, settled or not.
        const bool far = declares().order && std::abs(value - order) > 0.7;
        // Where errors are rounding from the start, or slopes do not settle before, other problems decide.
        if (!far && measured.shows_nothing) {
          left_out = name + ": " + measured.why_undecided;
          continue;
        }
        if (!far && (std::isnan(value) || !measured.why_undecided.empty()))
          return Measured{not_a_number, name + ": " + measured.why_undecided};
        if (value < lowest.value) {
          lowest = {value, name + (measured.table.empty() ? "" : ", errors at " + measured.table)};
          if (measured.stalled > 0)
            lowest.note = format("errors stop falling at %.2g, far above rounding; ", measured.stalled) + lowest.note;
        }
      }
      if (std::isinf(lowest.value)) return Measured{not_a_number, left_out};
      return lowest;
    };
    row_beside(std::string(momentum ? "order of p" : "order of q") + suffix,
               declares().order ? std::to_string(order) : "-", evidence, std::move(claim), worst, right, wrong,
               Interval::around(2, 0.3), "the control is to be of order two", [&](ForeignSubject& subject) {
                 double lowest = infinity;
                 for (const auto& [name, measured] : measure(subject))
                   lowest = std::min(lowest, momentum ? measured.p : measured.q);
                 return Measured{lowest};
               });
  }
}

void Judge::orders() {
  order_rows("", "errors against the exact motion, double", [this](ForeignSubject& subject) {
    std::vector<std::pair<std::string, MeasuredOrder>> measured;
    for (const JudgedProblem& problem : problems_.generic)
      measured.emplace_back(problem.name, measurements_.order(subject, problem, 1));
    return measured;
  });
}

void Judge::local_orders(NumberType type) {
  const bool fractions = type == NumberType::rational;
  if (declares().memory) {
    does_not_apply(fractions ? "order, fractions" : "order, digits",
                   "it declares memory=yes: a first step is that of its starting procedure");
    return;
  }
  if (declares().tolerance > 0 && !fractions) {
    does_not_apply("order, digits", "errors of single steps are less than its tolerance");
    return;
  }
  order_rows(fractions ? ", fractions" : ", digits",
             fractions ? "local errors, fractions" : "local errors, many digits",
             [this, type](ForeignSubject& subject) {
               std::vector<std::pair<std::string, MeasuredOrder>> measured;
               for (const JudgedProblem& problem : problems_.generic)
                 measured.emplace_back(problem.name, measurements_.local_order(subject, problem, type));
               if (declares().forward) return measured;
               // Without drawn problems none goes back.
               JudgedProblem back = problems_.generic.front();
               back.h = -back.h;
               measured.emplace_back(back.name + ", negative steps", measurements_.local_order(subject, back, type));
               return measured;
             });
}

void Judge::backwards() {
  if (!declares().order) return;
  if (declares().forward) {
    does_not_apply("order, negative steps", makes_no_steps_back);
    return;
  }
  const int order = *declares().order;
  Claim claim;
  claim.statement = "with negative steps the order is " + std::to_string(order);
  claim.interval = Interval::around(order, 0.3);
  claim.reason = "orders are whole numbers: the declared one lies inside, its neighbours outside";
  const Measure measure = [this, order](ForeignSubject& subject) {
    Measured lowest{infinity};
    for (const ProblemKind kind : {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable}) {
      // The first and the largest of each kind, which without drawn problems are one; others where these show nothing.
      std::vector<const JudgedProblem*> problems;
      for (const JudgedProblem& problem : problems_.generic)
        if (problem.kind == kind) problems.push_back(&problem);
      if (problems.empty()) continue;
      const auto largest = std::ranges::max_element(problems, {}, &JudgedProblem::size);
      if (largest != problems.begin()) std::rotate(problems.begin() + 1, largest, largest + 1);
      const std::size_t wanted = largest == problems.begin() ? 1 : 2;
      bool is_measured = false;
      std::string left_out;
      // Over twice the time errors are larger. That is for where nothing is seen else, and only a slope that is far off refutes then,
      // for the steps are longer.
      for (const double time : {-1.0, -2.0})
        for (std::size_t k = 0; k < problems.size() && (time == -1 ? k < wanted || !is_measured : !is_measured); ++k) {
          const MeasuredOrder measured = measurements_.order(subject, *problems[k], time);
          const double lower = std::min(measured.q, measured.p), off = std::abs(lower - order);
          // A slope that is far from the declared one refutes, settled or not.
          if (!(off > 0.7) && (!measured.why_undecided.empty() || (time == -2 && off > 0.3))) {
            if (time == -1) left_out = problems[k]->name + ": " + measured.why_undecided;
            if (!measured.shows_nothing && time == -1) return Measured{not_a_number, left_out};
            continue;
          }
          is_measured = true;
          if (lower < lowest.value) lowest = {lower, problems[k]->name + ", errors at " + measured.table};
          // What one refutes needs no other, on which its numbers may grow beyond those that a client can read.
          if (std::abs(lowest.value - order) > 0.3) return lowest;
        }
      if (!is_measured) return Measured{not_a_number, left_out};
    }
    if (std::isinf(lowest.value)) return Measured{not_a_number, "it takes no problem that this is measured on"};
    return lowest;
  };
  row_beside("order, negative steps", std::to_string(order), "errors against the exact motion, double",
             std::move(claim), measure, built_in_verlet(), built_in_verlet(BuiltInFlaw::absolute_step),
             Interval::around(2, 0.3), "the control is to be of order two");
}

}  // namespace livi::foreign_detail
