// SPDX-License-Identifier: MIT
//
// The rows on orders.
#include <livi/judge/tests/judge.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

namespace livi::foreign_detail {

void Judge::order_rows(
    ProblemKind kind, NumberType numbers, const std::string& evidence,
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
      return decided_in_digits(
          lowest_order(measure(subject), momentum ? OrderOf::momenta : OrderOf::positions, declares().order), numbers);
    };
    row_beside({momentum ? TestId::order_p : TestId::order_q, kind, numbers},
               declares().order ? std::to_string(order) : "-", evidence, std::move(claim), worst, right, wrong,
               Interval::around(2, 0.3), "the control is to be of order two", [&](ForeignSubject& subject) {
                 double lowest = infinity;
                 for (const auto& [name, measured] : measure(subject))
                   lowest = std::min(lowest, momentum ? measured.p : measured.q);
                 return Measured{lowest};
               });
  }
}

Measured Judge::decided_in_digits(Measured order, NumberType numbers) const {
  const int declared = declares().order.value_or(0);
  // Errors of such orders meet rounding after two or three halvings, in which slopes of 10 to 13 may agree.
  if (numbers == NumberType::real && declared > 10 && order.value > 9.5)
    order = {not_a_number,
             format("orders of eleven and more are not told apart in double: a slope of %.2f on ", order.value) +
                 order.note};
  if (!std::isnan(order.value) || declared < 6 || numbers == NumberType::digits) return order;
  if (declares().computes_in(NumberType::digits))
    throw ProblemRefused("rounding of double is met before the slopes settle; many digits decide it");
  order.note += "; more digits would decide it: numbers=digits:50";
  return order;
}

std::vector<std::pair<std::string, MeasuredOrder>> Judge::orders_on_gentle_problems(ForeignSubject& subject,
                                                                                    double direction) {
  std::vector<std::pair<std::string, MeasuredOrder>> measured;
  for (JudgedProblem problem : problems_.generic) {
    if (problem.kind == ProblemKind::timed) continue;
    for (auto* const x : {&problem.start.q, &problem.start.p})
      for (double& entry : *x) entry /= 4;
    problem.name += ", a quarter of the size";
    measured.emplace_back(problem.name, measurements_.order_of_long_steps(subject, problem, 12 * direction));
  }
  return measured;
}

void Judge::orders() {
  order_rows(ProblemKind::mechanical, NumberType::real, "errors against the exact motion, double",
             [this](ForeignSubject& subject) {
               std::vector<std::pair<std::string, MeasuredOrder>> measured;
               for (const JudgedProblem& problem : problems_.generic)
                 measured.emplace_back(problem.name, measurements_.order(subject, problem, 1));
               // Where the motion is nearly that of springs, the next terms of the error are small beside the first one.
               const auto is_open = [&](OrderOf of) {
                 return std::isnan(lowest_order(measured, of, declares().order).value);
               };
               if (declares().order.value_or(0) >= 6 && !is_coarse() &&
                   (is_open(OrderOf::positions) || is_open(OrderOf::momenta)))
                 for (auto& one : orders_on_gentle_problems(subject, 1)) measured.push_back(std::move(one));
               return measured;
             });
}

void Judge::local_orders(NumberType type) {
  const bool fractions = type == NumberType::rational;
  if (declares().memory) {
    does_not_apply({TestId::local_order, ProblemKind::mechanical, type},
                   "it declares memory=yes: a first step is that of its starting procedure");
    return;
  }
  if (declares().tolerance > 0 && !fractions) {
    does_not_apply({TestId::local_order, ProblemKind::mechanical, type},
                   "errors of single steps are less than its tolerance");
    return;
  }
  order_rows(ProblemKind::mechanical, type, fractions ? "local errors, fractions" : "local errors, many digits",
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
    does_not_apply(TestId::order_negative, makes_no_steps_back);
    return;
  }
  const int order = *declares().order;
  Claim claim;
  claim.statement = "with negative steps the order is " + std::to_string(order);
  claim.interval = Interval::around(order, 0.3);
  claim.reason = "orders are whole numbers: the declared one lies inside, its neighbours outside";
  const Measure measure = [this, order](ForeignSubject& subject) {
    std::vector<std::pair<std::string, MeasuredOrder>> all;
    std::optional<Measured> open;
    for (const ProblemKind kind : {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable}) {
      // The first and the largest of each kind, which without drawn problems are one; others where these show nothing.
      std::vector<const JudgedProblem*> problems;
      for (const JudgedProblem& problem : problems_.generic)
        if (problem.kind == kind) problems.push_back(&problem);
      if (problems.empty()) continue;
      const auto largest = std::ranges::max_element(problems, {}, &JudgedProblem::size);
      if (largest != problems.begin()) std::rotate(problems.begin() + 1, largest, largest + 1);
      const std::size_t wanted = largest == problems.begin() ? 1 : 2;
      std::vector<std::pair<std::string, MeasuredOrder>> of_kind;
      const auto found = [&] { return lowest_order(of_kind, OrderOf::both, order); };
      // Over twice the time errors are larger. That is for where nothing is seen else.
      for (const double time : {-1.0, -2.0})
        for (std::size_t k = 0; k < problems.size(); ++k) {
          const bool is_open = of_kind.empty() || std::isnan(found().value);
          if (!is_open && (time == -2 || k >= wanted)) break;
          of_kind.emplace_back(problems[k]->name, measurements_.order(subject, *problems[k], time));
          // What one refutes needs no other, on which its numbers may grow beyond those that a client can read.
          if (const Measured now = found(); now.value - order < -0.3) return decided_in_digits(now, NumberType::real);
        }
      if (order >= 6 && !is_coarse() && kind == ProblemKind::mechanical && std::isnan(found().value))
        for (auto& one : orders_on_gentle_problems(subject, -1)) of_kind.push_back(std::move(one));
      // One kind may show nothing of a high order in double, or of one near a tolerance; nor do all problems of the rows on steps
      // forwards.
      if (const Measured now = found(); std::isnan(now.value) && order < 6 && !is_coarse() && !open) open = now;
      for (auto& one : of_kind) all.push_back(std::move(one));
    }
    if (all.empty()) return Measured{not_a_number, "it takes no problem that this is measured on"};
    // A kind that shows nothing leaves the row open, unless another kind refutes it.
    if (open) return *open;
    return decided_in_digits(lowest_order(all, OrderOf::both, order), NumberType::real);
  };
  row_beside(TestId::order_negative, std::to_string(order), "errors against the exact motion, double", std::move(claim),
             measure, built_in_verlet(), built_in_verlet(BuiltInFlaw::absolute_step), Interval::around(2, 0.3),
             "the control is to be of order two");
}

}  // namespace livi::foreign_detail
