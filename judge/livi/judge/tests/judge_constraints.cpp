// SPDX-License-Identifier: MIT
//
// The rows of methods for constrained systems.
#include <algorithm>
#include <cmath>

#include <livi/judge/measures/constraints.hpp>
#include <livi/judge/tests/judge_manifold.hpp>

namespace livi::foreign_detail {

using enum ConstrainedFlaw;

namespace {

/// Positions this close to the constraints, relative to their size, lie on them.
constexpr double on_manifold = 0x1p-46;

}  // namespace

/// Adds the rows of constrained problems to those of a judge.
class ConstrainedJudge final : ManifoldJudge {
 public:
  explicit ConstrainedJudge(Judge& judge);
  void run() {
    if (!can_step()) return;
    positions();
    orders();
    structure();
    evaluations();
    single_steps();
    dependence();
    existence();
  }

 private:
  MeasuredOrder order_on(ForeignSubject& subject, const JudgedProblem& problem, double time) override {
    return measurements_.order(subject, problem, time, &subject == &judge_.subject_ ? left_ : 0);
  }
  /// Returns a measurement that is undecided where the defect is of the size of the distance that the iteration leaves: that
  /// is not held against the method in other rows than its own.
  Measure fairly(const Measure& measure, double holds, double times, double strict = 0x1p-40) const;
  // Rows of the table, in its order.
  void positions();
  void structure();
  void across();
  void evaluations();
  void single_steps();
  void existence();

  ConstrainedProblems problems_;
  ConstrainedMeasurements measurements_;
  double of_numbers_;  ///< the rounding of the method's numbers over that of double
  double left_ = 0;    ///< the distance from the manifold that its iteration leaves; zero where it is rounding
};

ConstrainedJudge::ConstrainedJudge(Judge& judge)
    : ManifoldJudge(judge, ProblemKind::constrained,
                    {.state = "time, position and momentum",
                     .other_form = "rounding: a method may keep q and p in another form",
                     .right = built_in_rattle(),
                     .lopsided = built_in_rattle(lopsided),
                     .absolute_step = built_in_rattle(absolute_step),
                     .counts_steps = built_in_rattle(counts_steps),
                     .remembers = built_in_rattle(remembers),
                     .keeps_force = built_in_rattle(old_jacobian),
                     .forgets_in_saved = built_in_rattle(forgets_in_saved),
                     .falls_asleep = built_in_rattle(falls_asleep),
                     .tires = built_in_rattle(tires),
                     .reads_clock = built_in_rattle(reads_clock)}),
      problems_(constrained_problems(judge.options_.seed, judge.options_.drawn)),
      measurements_(judge.options_.seed, judge.options_.slow ? 8 : 9),
      of_numbers_(judge.declares().single_precision ? 0x1p29 : 1) {
  for (auto* problems : {&problems_.generic, &problems_.wide}) judge.make_possible(*problems);
  for (const JudgedProblem& problem : problems_.generic) take(problem, {&generic_, &every_});
  require_problems();
  for (const JudgedProblem& problem : problems_.wide) take(problem, {&every_});
}

Measure ConstrainedJudge::fairly(const Measure& measure, double holds, double times, double strict) const {
  return [this, measure, holds, times, strict](ForeignSubject& subject) {
    const Measured measured = measure(subject);
    const ForeignDeclaration& declares = judge_.declares();
    if (&subject == &judge_.subject_ && declares.tolerance > 0 && !declares.single_precision &&
        measured.value > std::max(strict, times * std::max(left_, on_manifold)) && measured.value <= holds)
      return Measured{not_a_number,
                      format("%.2g, which tolerance=%g would excuse, but its positions are within %.2g of "
                             "the constraints, and the defect is more than %g times that; ",
                             measured.value, declares.tolerance, std::max(left_, on_manifold), times) +
                          measured.note};
    if (&subject != &judge_.subject_ || declares.single_precision ||
        !(measured.value > holds && measured.value <= times * left_))
      return measured;
    std::string explained =
        format("%.2g, which the distance of %.2g from the constraints may explain", measured.value, left_);
    if (left_ <= largest_tolerance)
      explained +=
          format(": an iteration that ends there declares tolerance=%.0e", std::pow(10, std::ceil(std::log10(left_))));
    return Measured{not_a_number, explained};
  };
}

void ConstrainedJudge::positions() {
  must(TestId::constraint, "24 steps, and 256", "positions lie on the constraints",
       std::max(on_manifold * of_numbers_, tolerance_),
       "rounding: some ten operations of 1.1e-16, or 6e-8 where single precision is declared, on numbers of order one, "
       "as often as an iteration ends beside it; or the tolerance that the method declares",
       over(every_, distance_from_constraints, 0x1p-33), built_in_rattle(one_iteration));
  if (Claim& claim = judge_.result_.rows.back().claim; claim.measured > on_manifold) {
    left_ = claim.measured;
    if (claim.verdict == Verdict::refuted)
      claim.note = format("the distance is up to %.3g; ", left_) + claim.note +
                   (left_ <= largest_tolerance ? "; an iteration that ends there declares its tolerance" : "");
  }
  judge_.limit_to(on_manifold);
  const double across = std::max(0x1p-44 * of_numbers_, tolerance_);
  judge_.property(
      row_of(TestId::hidden_constraint), judge_.declares().hidden, "24 steps, and 256",
      "velocities lie along the constraints",
      {across, std::max(0x1p-30, 16 * across),
       "rounding: some hundred operations of 1.1e-16, or 6e-8 where single precision is declared; or the tolerance "
       "that "
       "the method declares",
       0x1p-44},
      over(every_, velocity_across_constraints, 0x1p-30), built_in_rattle(without_hidden), built_in_rattle());
}

void ConstrainedJudge::structure() {
  const Bounds of_loops = bounds_of(1024);
  judge_.property(row_of(TestId::symplectic), judge_.declares().symplectic, "loop integral on the manifold",
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
  judge_.property(row_of(TestId::symmetric), judge_.declares().symmetric, "reversal, double", judge_.taken_back(),
                  of_steps, fairly(over(every_, constrained_reversal, of_steps.visible), of_steps.holds, 64),
                  built_in_rattle(momentum_of_free), built_in_rattle());
  if (judge_.declares().symmetric == true && judge_.declares().forward)
    judge_.does_not_apply(row_of(TestId::symmetric_signs), makes_no_steps_back);
  else if (judge_.declares().symmetric == true)
    judge_.property(row_of(TestId::symmetric_signs), true, "one step, double",
                    "a step of -h is that of h with momenta turned", of_steps,
                    fairly(over(every_, constrained_turned_step, of_steps.visible), of_steps.holds, 64),
                    built_in_rattle(absolute_step), built_in_rattle());
  across();
  if (judge_.declares().symmetric == true && judge_.only_constrained() && order_ % 2 == 1)
    judge_.result_.rows.push_back(odd_order_of_symmetric(judge_.declares(), row_of(TestId::symmetric_order)));
  // In single precision each of the 64 steps leaves the rounding of some sums over the bodies.
  const Bounds of_run = bounds_of(judge_.declares().single_precision ? 1024 : 64);
  for (const bool angular : {false, true}) {
    const TestId test = angular ? TestId::angular_momentum : TestId::linear_momentum;
    judge_.property(row_of(test), angular ? judge_.declares().angular_momentum : judge_.declares().linear_momentum,
                    "64 steps, double", std::string(row_entry(row_of(test)).name) + " is conserved", of_run,
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
                        of_run.holds, 64),
                    built_in_rattle(angular ? hidden_of_start : pushes), built_in_rattle());
  }
}

void ConstrainedJudge::across() {
  // Symplectic and symmetric are maps of positions and momenta along the constraints; other steps may have more of a state.
  const bool is_map = judge_.declares().symplectic == true || judge_.declares().symmetric == true;
  const Bounds bounds = bounds_of(64);
  judge_.property(
      row_of(TestId::momentum_across), is_map ? std::optional(true) : std::nullopt, "a step with it, and without",
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
      row_of(TestId::gradients), declared_gradients ? format("%g", *declared_gradients) : "-", "counted",
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
  judge_.row(row_of(TestId::constraint_evaluations), "-", "counted", std::move(evaluations),
             over({generic_.front()}, constraint_evaluations, infinity), {});
}

void ConstrainedJudge::single_steps() {
  const double strict = order_ >= 2 ? 0x1p-30 : 0x1p-27,
               limit = std::max(strict, tolerance_ * (judge_.declares().single_precision ? 0x1p15 : 0x1p13));
  const Measure short_steps = over(
      every_,
      [&](ForeignSubject& subject, const JudgedProblem& problem) {
        return measurements_.short_steps(subject, problem,
                                         &subject == &judge_.subject_ ? std::max(tolerance_, left_) : 0);
      },
      limit);
  const BuiltInMethod twice{.name = "RATTLE with steps of 2 h", .constrained = ConstrainedSteps{{2}}};
  must(TestId::short_steps, "steps of 2^-4 to 2^-9, of 53 bits, h to 0", "short steps follow the equations", limit,
       "what a polynomial through six steps leaves, 2e-10, and of methods of order one, or of none declared, 1.4e-9; "
       "rounding over h^2 where momenta are differences",
       fairly(short_steps, limit, 0x1p13, strict), tolerance_ > 0 ? twice : built_in_rattle(long_drift));
  if (tolerance_ > 0x1p-15) {
    judge_.does_not_apply(row_of(TestId::very_short_steps), "its tolerance is too large for so short a step");
  } else {
    const double most = order_ >= 2 ? 0x1p-14 : 0x1p-6;
    must(TestId::very_short_steps, "steps of 2^-10 to 2^-22, of both signs",
         "single short steps are those of the motion", most,
         "80 h^2 or, where the order is one or not declared, 18 h, of the longest, 9e-4, and as much less of the "
         "others: "
         "ten times and more what the derivatives of the motions make",
         over(
             every_,
             [&](ForeignSubject& subject, const JudgedProblem& problem) {
               const double left = &subject == &judge_.subject_ ? left_ : 0;
               return measurements_.very_short_steps(subject, problem, std::max(tolerance_, left), order_ >= 2 ? 2 : 1);
             },
             most),
         built_in_rattle(order_ >= 2 && tolerance_ == 0 ? too_light_when_short : light_when_short));
  }
  must(
      TestId::force, "step of 2^-26 from rest", "a short step from rest has the force along the constraints",
      std::max(order_ >= 2 ? 0x1p-44 : 0x1p-22, 0x1p-44 * of_numbers_),
      "coefficients with 16 digits, or 7 where single precision is declared, some dozens of them; for methods of order "
      "one, or of none declared, a share of h",
      [&](ForeignSubject& subject) {
        double in_roundings = 0;
        const Measured error = over(
            every_,
            [&](ForeignSubject& of, const JudgedProblem& problem) {
              const MeasuredForce force = force_along_manifold(of, problem);
              in_roundings = worse(in_roundings, force.in_roundings);
              return force.error;
            },
            0x1p-22)(subject);
        // What differences of positions leave is some roundings over h^2; that the force is right is then seen in longer steps
        // from rest.
        if (error.value > 0x1p-10 && in_roundings < 64 && short_steps(subject).value <= limit)
          throw ProblemRefused(
              "its momenta are differences of positions, whose rounding hides the force in so short a step");
        return error;
      },
      judge_.declares().single_precision ? twice : built_in_rattle(order_ >= 2 ? strong_force : pushes));
}

void ConstrainedJudge::existence() {
  must(TestId::long_steps, "steps up to 32", "what is not said to have failed lies on the constraints",
       std::max(on_manifold * of_numbers_, tolerance_), "a position beside the constraints is no step",
       fairly(long_steps, std::max(on_manifold, tolerance_), 4), built_in_rattle(hides_failure));
}

void Judge::constrained() { ConstrainedJudge(*this).run(); }

}  // namespace livi::foreign_detail
