// SPDX-License-Identifier: MIT
//
// The rows of methods for constrained systems.
#include <algorithm>
#include <cmath>

#include <livi/foreign/constraints.hpp>
#include <livi/foreign/judge.hpp>

namespace livi::foreign_detail {

using enum ConstrainedFlaw;

namespace {

/// Positions this close to the constraints, relative to their size, lie on them.
constexpr double on_manifold = 0x1p-46;

}  // namespace

/// Adds the rows of constrained problems to those of a judge.
class ConstrainedJudge {
 public:
  explicit ConstrainedJudge(Judge& judge);
  void run() {
    positions();
    orders();
    structure();
    evaluations();
    single_steps();
    dependence();
    existence();
  }

 private:
  using Problems = std::vector<const JudgedProblem*>;

  /// Takes a problem into lists; where the method does not take it, a row says why.
  void take(const JudgedProblem& problem, std::initializer_list<Problems*> lists);
  /// Returns the bounds for a method that leaves `times` what its iteration does.
  [[nodiscard]] Bounds bounds_of(double times) const;
  /// Returns a measurement that is undecided where the defect is of the size of the distance that the iteration leaves: that
  /// is not held against the method in other rows than its own.
  Measure fairly(const Measure& measure, double holds, double times, double strict = 0x1p-40) const;
  /// Adds a row for what every method must do, declared or not.
  void must(const std::string& test, const std::string& evidence, const std::string& what, double bound,
            const char* reason, const Measure& measure, const BuiltInMethod& wrong);
  std::vector<std::pair<std::string, MeasuredOrder>> orders_in(ForeignSubject& subject, const Problems& problems,
                                                               double time);
  // Rows of the table, in its order.
  void positions();
  void orders();
  void structure();
  void across();
  void evaluations();
  void single_steps();
  void dependence();
  void existence();

  Judge& judge_;
  ConstrainedProblems problems_;
  ConstrainedMeasurements measurements_;
  std::string suffix_;        ///< what the names of rows end with where rows of other kinds stand beside them
  Problems generic_, every_;  ///< `every_`: chains of rods, too
  std::string refused_;       ///< why a problem was not taken
  int order_;
  double tolerance_;  ///< declared; 0: rounding
  Bounds rounding_ = double_bounds({});
  double left_ = 0;  ///< the distance from the manifold that its iteration leaves; zero where it is rounding
};

ConstrainedJudge::ConstrainedJudge(Judge& judge)
    : judge_(judge),
      problems_(constrained_problems(judge.options_.seed, judge.options_.drawn)),
      measurements_(judge.options_.seed, judge.options_.slow ? 8 : 9),
      suffix_(judge.only_constrained() ? "" : ", constrained"),
      order_(judge.declares().order.value_or(0)),
      tolerance_(judge.is_coarse() ? declared_rounding(judge.declares(), NumberType::real) : 0) {
  for (const JudgedProblem& problem : problems_.generic) take(problem, {&generic_, &every_});
  if (generic_.empty()) throw ForeignFailure(refused_ + ", nor any other problem of the judge");
  for (const JudgedProblem& problem : problems_.wide) take(problem, {&every_});
}

void ConstrainedJudge::take(const JudgedProblem& problem, std::initializer_list<Problems*> lists) {
  const std::string why = judge_.measurements_.why_refused(judge_.subject_, problem);
  if (!why.empty()) {
    refused_ = why;
    judge_.does_not_apply(problem.name, why);
    return;
  }
  for (Problems* const list : lists) list->push_back(&problem);
}

Bounds ConstrainedJudge::bounds_of(double times) const {
  return {std::max(rounding_.holds, times * tolerance_), std::max(rounding_.visible, 16 * times * tolerance_),
          tolerance_ > 0 ? "the tolerance that the method declares, times what a step makes of it" : rounding_.reason,
          rounding_.holds};
}

Measure ConstrainedJudge::fairly(const Measure& measure, double holds, double times, double strict) const {
  return [this, measure, holds, times, strict](ForeignSubject& subject) {
    const Measured measured = measure(subject);
    const ForeignDeclaration& declares = judge_.declares();
    if (&subject == &judge_.subject_ && declares.tolerance > 0 && !declares.single_precision &&
        measured.value > std::max(strict, times * std::max(left_, on_manifold)) && measured.value <= holds)
      return Measured{not_a_number, format("%.2g, which tolerance=%g would excuse, but its iteration leaves positions "
                                           "within %.2g of the constraints: the defect is none of an iteration; ",
                                           measured.value, declares.tolerance, std::max(left_, on_manifold)) +
                                        measured.note};
    if (&subject != &judge_.subject_ || !(measured.value > holds && measured.value <= times * left_)) return measured;
    return Measured{not_a_number, format("%.2g, which is explained by the distance of %.2g from the constraints: "
                                         "an iteration that ends there, which tolerance=%.0e would say",
                                         measured.value, left_, std::pow(10, std::ceil(std::log10(left_))))};
  };
}

void ConstrainedJudge::must(const std::string& test, const std::string& evidence, const std::string& what, double bound,
                            const char* reason, const Measure& measure, const BuiltInMethod& wrong) {
  Claim claim;
  claim.statement = what;
  claim.interval = {0, bound};
  claim.reason = reason;
  judge_.row(test, "yes", evidence, std::move(claim), measure,
             {{wrong, Expected::fails}, {built_in_rattle(), Expected::passes}});
}

std::vector<std::pair<std::string, MeasuredOrder>> ConstrainedJudge::orders_in(ForeignSubject& subject,
                                                                               const Problems& problems, double time) {
  std::vector<std::pair<std::string, MeasuredOrder>> measured, lost;
  bool decided = false;
  for (const JudgedProblem* const problem : problems) {
    try {
      const MeasuredOrder one =
          measurements_.order(subject, *problem, time_of(*problem, time), &subject == &judge_.subject_ ? left_ : 0);
      decided = decided || std::abs(one.q - order_) > 0.7 || std::abs(one.p - order_) > 0.7;
      (std::isnan(one.q) && !one.shows_nothing ? lost : measured).emplace_back(problem->name, one);
    } catch (const ForeignRefusal& refusal) {
      lost.push_back({problem->name, {not_a_number, not_a_number, false, 0, "", refusal.what()}});
    }
  }
  if (!decided) measured.insert(measured.end(), lost.begin(), lost.end());
  return measured;
}

void ConstrainedJudge::positions() {
  must("constraint", "24 steps, and 256", "positions lie on the constraints", std::max(on_manifold, tolerance_),
       "rounding: some ten operations of 1.1e-16 on numbers of order one, as often as an iteration ends beside it; or "
       "the tolerance that the method declares",
       over(every_, distance_from_constraints, 0x1p-33), built_in_rattle(one_iteration));
  if (Claim& claim = judge_.result_.rows.back().claim; claim.measured > on_manifold) {
    left_ = claim.measured;
    if (claim.verdict == Verdict::refuted)
      claim.note = format("the distance is up to %.3g; ", left_) + claim.note +
                   (left_ < 1e-4 ? "; an iteration that ends there declares its tolerance" : "");
  }
  judge_.limit_to(on_manifold);
  judge_.property(
      "hidden constraint", judge_.declares().hidden, "24 steps, and 256", "velocities lie along the constraints",
      {std::max(0x1p-44, tolerance_), std::max(0x1p-30, 16 * tolerance_),
       "rounding: some hundred operations of 1.1e-16; or the tolerance that the method declares", 0x1p-44},
      over(every_, velocity_across_constraints, 0x1p-30), built_in_rattle(without_hidden), built_in_rattle());
}

void ConstrainedJudge::orders() {
  judge_.order_rows(
      suffix_, "errors against the exact motion, double",
      [&](ForeignSubject& subject) { return orders_in(subject, every_, 1); }, built_in_rattle(),
      built_in_rattle(lopsided));
  if (judge_.declares().order) {
    Claim claim;
    claim.statement = "with negative steps the order is " + std::to_string(order_);
    claim.interval = Interval::around(order_, 0.3);
    claim.reason = "orders are whole numbers: the declared one lies inside, its neighbours outside";
    judge_.row_beside(
        "order, negative steps" + suffix_, std::to_string(order_), "errors against the exact motion, double",
        std::move(claim),
        [&](ForeignSubject& subject) {
          // The last problem, a drawn one; others where it shows nothing.
          Measured measured{not_a_number};
          for (auto problem = generic_.rbegin(); problem != generic_.rend(); ++problem) {
            const MeasuredOrder one = orders_in(subject, {*problem}, -1).front().second;
            measured = {std::min(one.q, one.p), (*problem)->name + ", errors at " + one.table};
            // A slope that is far from the declared one refutes, settled or not.
            if (one.why_undecided.empty() || std::abs(measured.value - order_) > 0.7) break;
            measured = {not_a_number, (*problem)->name + ": " + one.why_undecided};
            if (!one.shows_nothing) break;
          }
          return measured;
        },
        built_in_rattle(), built_in_rattle(absolute_step), Interval::around(2, 0.3),
        "the control is to be of order two");
  }
}

void ConstrainedJudge::structure() {
  const Bounds of_loops = bounds_of(1024);
  judge_.property("symplectic" + suffix_, judge_.declares().symplectic, "loop integral on the manifold",
                  "a step preserves dq ^ dp", of_loops,
                  fairly(over(
                             every_,
                             [&](ForeignSubject& subject, const JudgedProblem& problem) {
                               return measurements_.loop_integral(subject, problem,
                                                                  &subject == &judge_.subject_ ? left_ : 0);
                             },
                             of_loops.visible),
                         of_loops.holds, 1024),
                  built_in_rattle(hidden_of_start), built_in_rattle());
  const Bounds of_steps = bounds_of(64);
  judge_.property("symmetric" + suffix_, judge_.declares().symmetric, "reversal, double",
                  "a step of -h takes back a step of h", of_steps,
                  fairly(over(every_, constrained_reversal, of_steps.visible), of_steps.holds, 64),
                  built_in_rattle(momentum_of_free), built_in_rattle());
  if (judge_.declares().symmetric == true)
    judge_.property("symmetric, both signs" + suffix_, true, "one step, double",
                    "a step of -h is that of h with momenta turned", of_steps,
                    fairly(over(every_, constrained_turned_step, of_steps.visible), of_steps.holds, 64),
                    built_in_rattle(absolute_step), built_in_rattle());
  across();
  if (judge_.declares().symmetric == true && judge_.only_constrained() && order_ % 2 == 1)
    judge_.result_.rows.push_back(
        {"symmetric, order", "yes", "declared", odd_order_of_symmetric(judge_.declares()), ""});
  for (const bool angular : {false, true}) {
    const std::string test = angular ? "angular momentum" : "linear momentum";
    judge_.property(test + suffix_, angular ? judge_.declares().angular_momentum : judge_.declares().linear_momentum,
                    "64 steps, double", test + " is conserved", of_steps,
                    fairly(
                        [&, angular](ForeignSubject& subject) {
                          const auto change = [&](const JudgedProblem& problem) {
                            return constrained_momentum(subject, problem, angular ? problem.angular : problem.linear);
                          };
                          Measured worst = change(problems_.bodies);
                          if (!angular) return worst;
                          const Measured on_surface = change(problems_.surface);
                          return is_worse(on_surface.value, worst.value) ? on_surface : worst;
                        },
                        of_steps.holds, 64),
                    built_in_rattle(angular ? hidden_of_start : pushes), built_in_rattle());
  }
}

void ConstrainedJudge::across() {
  // Symplectic and symmetric are maps of positions and momenta along the constraints; other steps may have more of a state.
  const bool is_map = judge_.declares().symplectic == true || judge_.declares().symmetric == true;
  const Bounds bounds = bounds_of(64);
  judge_.property(
      "momentum across" + suffix_, is_map ? std::optional(true) : std::nullopt, "a step with it, and without",
      "a step does not depend on what the momentum before has across the constraints", bounds,
      fairly(over(every_, effect_of_momentum_across, bounds.visible), bounds.holds, 64),
      built_in_rattle(tolerance_ > 0 ? stops_by_sign_across : keeps_sign_across), built_in_rattle(without_hidden));
  if (Claim& claim = judge_.result_.rows.back().claim; claim.measured > bounds.visible)
    claim.note +=
        "; its steps depend on what momenta have across the constraints, which no other row compares: they are "
        "no map of positions and momenta along the constraints";
}

void ConstrainedJudge::evaluations() {
  Claim gradients;
  const auto declared_gradients = judge_.declares().gradients;
  gradients.statement = format("a step after the first takes %g gradients", declared_gradients.value_or(0));
  gradients.interval = declared_gradients ? Interval{*declared_gradients, *declared_gradients} : Interval{};
  gradients.reason = "counts are whole numbers";
  judge_.row_beside(
      "gradients" + suffix_, declared_gradients ? format("%g", *declared_gradients) : "-", "counted",
      std::move(gradients),
      [&](ForeignSubject& subject) {
        return with_steps_that_exist(
            *generic_.front(), [&](const JudgedProblem& of) { return judge_.measurements_.gradients(subject, of); });
      },
      built_in_rattle(), {.name = "Suzuki's composition", .constrained = ConstrainedSteps{suzuki_shares()}}, {2, 2},
      "the control is to take two gradients");
  Claim evaluations;
  evaluations.statement = "the constraints and their derivatives that a step takes";
  evaluations.reason = "a count";
  judge_.row("constraint evaluations", "-", "counted", std::move(evaluations),
             over({generic_.front()}, constraint_evaluations, infinity), {});
}

void ConstrainedJudge::single_steps() {
  const double strict = order_ >= 2 ? 0x1p-30 : 0x1p-27, limit = std::max(strict, tolerance_ * 0x1p13);
  const Measure short_steps = over(
      every_,
      [&](ForeignSubject& subject, const JudgedProblem& problem) {
        return measurements_.short_steps(subject, problem);
      },
      limit);
  const BuiltInMethod twice{.name = "RATTLE with steps of 2 h", .constrained = ConstrainedSteps{{2}}};
  must("short steps" + suffix_, "steps of 2^-4 to 2^-9, of 53 bits, h to 0", "short steps follow the equations", limit,
       "what a polynomial through six steps leaves, 2e-10, and of methods of order one, or of none declared, 1.4e-9; "
       "rounding over h^2 where momenta are differences",
       fairly(short_steps, limit, 0x1p13, strict), tolerance_ > 0 ? twice : built_in_rattle(long_drift));
  if (tolerance_ > 0x1p-15) {
    judge_.does_not_apply("very short steps" + suffix_, "what its iteration leaves is too large for so short a step");
  } else {
    const double most = order_ >= 2 ? 0x1p-14 : 0x1p-6;
    must("very short steps" + suffix_, "steps of 2^-10 to 2^-22, of both signs",
         "single short steps are those of the motion", most,
         "80 h^2 in the longest, of 9e-4, or 18 h where the order is one or not declared: ten times and more what the "
         "derivatives of the motions make",
         over(
             every_,
             [&](ForeignSubject& subject, const JudgedProblem& problem) {
               const double left = &subject == &judge_.subject_ ? left_ : 0;
               return measurements_.very_short_steps(subject, problem, std::max(tolerance_, left));
             },
             most),
         built_in_rattle(light_when_short));
  }
  must(
      "force" + suffix_, "step of 2^-26 from rest", "a short step from rest has the force along the constraints",
      order_ >= 2 ? 0x1p-44 : 0x1p-22,
      "coefficients with 16 digits, some dozens of them; for methods of order one, or of none declared, a share of h",
      [&](ForeignSubject& subject) {
        const Measured error = over(every_, force_along_manifold, 0x1p-22)(subject);
        // Rounding of positions, over h^2 and the force, is of order one, and not one in a thousand.
        if (error.value > 0x1p-10 && error.value < 4 && short_steps(subject).value <= limit)
          throw ProblemRefused(
              "its momenta are differences of positions, whose rounding hides the force in so short a step");
        return error;
      },
      built_in_rattle(order_ >= 2 ? strong_force : pushes));
}

void ConstrainedJudge::dependence() {
  constexpr const char* bitwise = "the same operations on the same numbers: no entry differs";
  const auto on_two = [&](Measured (Measurements::*measure)(ForeignSubject&, const JudgedProblem&)) {
    return over(
        {generic_.front(), generic_.back()},
        [this, measure](ForeignSubject& subject, const JudgedProblem& problem) {
          return (judge_.measurements_.*measure)(subject, problem);
        },
        1);
  };
  must("repetition" + suffix_, "bitwise, in another process", "the same steps lead to the same numbers", 0, bitwise,
       on_two(&Measurements::repetition), built_in_rattle(counts_steps));
  must("batch" + suffix_, "bitwise", "k steps at once are k steps one by one", 0, bitwise, on_two(&Measurements::batch),
       built_in_rattle(counts_steps));
  must("history" + suffix_, "bitwise, beside another process", "a start forgets the run before it", 0, bitwise,
       on_two(&Measurements::history), built_in_rattle(remembers));
  if (judge_.declares().memory) {
    Claim claim;
    claim.statement = "a step depends on more than time, position and momentum";
    claim.interval = {0x1p-40, infinity};
    claim.reason = "a memory that changes no more than rounding is none";
    judge_.row("memory" + suffix_, "yes", "steps of one size, and of changing size", std::move(claim),
               on_two(&Measurements::memory),
               {{built_in_rattle(), Expected::fails}, {built_in_rattle(old_jacobian), Expected::passes}});
  } else {
    must("memory" + suffix_, "steps of one size, and of changing size",
         "a step depends on time, position and momentum alone", std::max(0x1p-44, 64 * tolerance_),
         "rounding: a method may keep q and p in another form", on_two(&Measurements::memory),
         built_in_rattle(old_jacobian));
  }
  if (const std::string why = judge_.measurements_.why_nothing_is_saved(judge_.subject_, *generic_.front());
      !why.empty()) {
    judge_.does_not_apply("restart" + suffix_, "nothing is saved: " + why);
  } else {
    must("restart" + suffix_, "bitwise, in another process", "a run continues from what was saved", 0, bitwise,
         on_two(&Measurements::restart), built_in_rattle(forgets_in_saved));
  }
  if (!judge_.options_.quick && !judge_.options_.slow && !judge_.declares().memory)
    must(
        "later" + suffix_, "a step after 20000", "late steps are those of a fresh start",
        std::max(0x1p-44, 64 * tolerance_), "rounding: a method may keep q and p in another form",
        [&](ForeignSubject& subject) { return judge_.measurements_.after_many_steps(subject, *generic_.front()); },
        // What a subtle control does wrong is less than what a coarse method is allowed.
        built_in_rattle(tolerance_ > 0 ? falls_asleep : tires));
}

void ConstrainedJudge::existence() {
  must("long steps", "steps up to 32", "what is not said to have failed lies on the constraints",
       std::max(on_manifold, tolerance_), "a position beside the constraints is no step",
       fairly(long_steps, std::max(on_manifold, tolerance_), 4), built_in_rattle(hides_failure));
}

void Judge::constrained() { ConstrainedJudge(*this).run(); }

}  // namespace livi::foreign_detail
