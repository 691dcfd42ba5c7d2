// SPDX-License-Identifier: MIT
//
// The rows of methods for rigid bodies.
#include <algorithm>
#include <cmath>

#include <livi/foreign/judge.hpp>
#include <livi/foreign/rigid_bodies.hpp>

namespace livi::foreign_detail {

using enum BodyFlaw;

namespace {

/// What a step may add to the distance of its attitude from SO(3).
constexpr double distance_of_a_step = 0x1p-46;

BuiltInMethod lie_verlet(BodyFlaw flaw) {
  return {.name = flaw == none ? "Lie-Verlet" : name_of_body_splitting(flaw),
          .body = BodySteps{{1}, BodyRule::lie_verlet, flaw}};
}

}  // namespace

/// Adds the rows of rigid bodies to those of a judge.
class BodyJudge {
 public:
  explicit BodyJudge(Judge& judge);
  void run() {
    positions();
    orders();
    structure();
    momenta();
    evaluations();
    single_steps();
    dependence();
  }

 private:
  using Problems = std::vector<const JudgedProblem*>;

  /// Returns the bounds for a method that leaves `times` what its iteration does.
  [[nodiscard]] Bounds bounds_of(double times) const;
  /// Returns the worst of a measurement over problems, undecided where the method declares a tolerance that would excuse it
  /// and it falls with h as the error of a method does.
  [[nodiscard]] Measure fairly(const Problems& problems, const MeasureOne& measure, const Bounds& bounds) const;
  /// Returns whether a defect falls by one power of h, two at least, where the step is halved four times. What an iteration
  /// leaves does not: somewhere on that way it makes a round less, and leaves more.
  bool falls_steadily(const MeasureOne& measure) const;
  /// Adds a row for what every method must do, declared or not.
  void must(const std::string& test, const std::string& evidence, const std::string& what, double bound,
            const char* reason, const Measure& measure, const BuiltInMethod& wrong);
  std::vector<std::pair<std::string, MeasuredOrder>> orders_in(ForeignSubject& subject, const Problems& problems,
                                                               double time);
  // Rows of the table, in its order.
  void positions();
  void orders();
  void structure();
  void momenta();
  void evaluations();
  void single_steps();
  void dependence();

  Judge& judge_;
  JudgedBodies problems_;
  BodyMeasurements measurements_;
  std::string suffix_;  ///< what the names of rows end with where rows of other kinds stand beside them
  Problems generic_, every_, tops_, free_;
  int order_;
  double tolerance_;  ///< declared; 0: rounding
  Bounds rounding_ = double_bounds({});
};

BodyJudge::BodyJudge(Judge& judge)
    : judge_(judge),
      problems_(judged_bodies(judge.options_.seed, judge.options_.drawn)),
      measurements_(judge.options_.seed, judge.options_.slow ? 8 : 9),
      suffix_(judge.declares().kinds.size() == 1 ? "" : ", body"),
      order_(judge.declares().order.value_or(0)),
      tolerance_(judge.is_coarse() ? declared_rounding(judge.declares(), NumberType::real) : 0) {
  std::string refused;
  for (const auto& [list, problems] :
       {std::pair(&generic_, &problems_.generic), {&tops_, &problems_.tops}, {&free_, &problems_.free}})
    for (const JudgedProblem& problem : *problems) {
      if (const std::string why = judge.measurements_.why_refused(judge.subject_, problem); !why.empty()) {
        refused = why;
        judge.does_not_apply(problem.name, why);
        continue;
      }
      list->push_back(&problem);
      every_.push_back(&problem);
    }
  if (generic_.empty()) throw ForeignFailure(refused + ", nor any other problem of the judge");
}

Bounds BodyJudge::bounds_of(double times) const {
  return {std::max(rounding_.holds, times * tolerance_), std::max(rounding_.visible, 16 * times * tolerance_),
          tolerance_ > 0 ? "the tolerance that the method declares, times what a step makes of it" : rounding_.reason,
          rounding_.holds};
}

bool BodyJudge::falls_steadily(const MeasureOne& measure) const {
  JudgedProblem problem = *generic_.front();
  double least = infinity, most = -infinity, before = measure(judge_.subject_, problem).value;
  int powers = 0;
  for (int k = 0; k < 4; ++k) {
    problem.h /= 2;
    const double now = measure(judge_.subject_, problem).value, power = std::log2(before / now);
    // Below this defects are rounding, which does not fall.
    if (!(now > 0x1p-46)) break;
    ++powers;
    least = std::min(least, power);
    most = worse(most, power);
    before = now;
  }
  // What Newton's iteration leaves after so many rounds falls by a high power, and is rounding after two halvings.
  return powers >= 3 && least >= 2 && most - least < 0.75;
}

Measure BodyJudge::fairly(const Problems& problems, const MeasureOne& measure, const Bounds& bounds) const {
  return [this, measure, bounds, worst = over(problems, measure, bounds.visible)](ForeignSubject& subject) {
    const Measured measured = worst(subject);
    const ForeignDeclaration& declares = judge_.declares();
    if (&subject != &judge_.subject_ || declares.tolerance == 0 || declares.single_precision ||
        !(measured.value > bounds.strict && measured.value <= bounds.holds) || !falls_steadily(measure))
      return measured;
    return Measured{
        not_a_number,
        format("%.2g, which tolerance=%g would excuse, but where h is halved it falls by one power of h, as "
               "the error of a method does, and no iteration; ",
               measured.value, declares.tolerance) +
            measured.note};
  };
}

void BodyJudge::must(const std::string& test, const std::string& evidence, const std::string& what, double bound,
                     const char* reason, const Measure& measure, const BuiltInMethod& wrong) {
  Claim claim;
  claim.statement = what;
  claim.interval = {0, bound};
  claim.reason = reason;
  judge_.row(test, "yes", evidence, std::move(claim), measure,
             {{wrong, Expected::fails}, {built_in_body_splitting(), Expected::passes}});
}

std::vector<std::pair<std::string, MeasuredOrder>> BodyJudge::orders_in(ForeignSubject& subject,
                                                                        const Problems& problems, double time) {
  std::vector<std::pair<std::string, MeasuredOrder>> measured, lost;
  bool decided = false;
  for (const JudgedProblem* const problem : problems) {
    try {
      const MeasuredOrder one = measurements_.order(subject, *problem, time_of(*problem, time),
                                                    &subject == &judge_.subject_ ? tolerance_ : 0);
      decided = decided || std::abs(one.q - order_) > 0.7 || std::abs(one.p - order_) > 0.7;
      (std::isnan(one.q) && !one.shows_nothing ? lost : measured).emplace_back(problem->name, one);
    } catch (const ForeignRefusal& refusal) {
      lost.push_back({problem->name, {not_a_number, not_a_number, false, 0, "", refusal.what()}});
    }
  }
  if (!decided) measured.insert(measured.end(), lost.begin(), lost.end());
  return measured;
}

void BodyJudge::positions() {
  must("group" + suffix_, "24 steps, and 1024", "attitudes are rotations", std::max(distance_of_a_step, tolerance_),
       "for each step made: rounding of some dozens of operations of 1.1e-16, all of one sign at worst; or the "
       "tolerance "
       "that the method declares",
       over(every_, distance_from_group, 0x1p-33), built_in_body_splitting(off_the_group));
  judge_.limit_to(distance_of_a_step);
}

void BodyJudge::orders() {
  judge_.order_rows(
      suffix_, "errors against the exact motion, double",
      [&](ForeignSubject& subject) { return orders_in(subject, every_, 1); }, built_in_body_splitting(),
      built_in_body_splitting(lopsided));
  if (!judge_.declares().order) return;
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
          const auto seen = orders_in(subject, {*problem}, -1);
          const MeasuredOrder& one = seen.front().second;
          measured = {std::min(one.q, one.p), (*problem)->name + ", errors at " + one.table};
          // A slope that is far from the declared one refutes, settled or not.
          if (one.why_undecided.empty() || std::abs(measured.value - order_) > 0.7) break;
          measured = {not_a_number, (*problem)->name + ": " + one.why_undecided};
          if (!one.shows_nothing) break;
        }
        return measured;
      },
      built_in_body_splitting(), built_in_body_splitting(absolute_step), Interval::around(2, 0.3),
      "the control is to be of order two");
}

void BodyJudge::structure() {
  const ForeignDeclaration& declares = judge_.declares();
  const Bounds of_loops = bounds_of(1024);
  judge_.property("symplectic" + suffix_, declares.symplectic, "loop integral of mu . R^-1 dR",
                  "a step preserves the form of T*SO(3)", of_loops,
                  fairly(
                      every_,
                      [&](ForeignSubject& subject, const JudgedProblem& problem) {
                        return measurements_.loop_integral(subject, problem);
                      },
                      of_loops),
                  judge_.is_coarse() ? built_in_body_splitting(old_torque) : lie_verlet(without_quadratic),
                  built_in_body_splitting());
  const Bounds of_steps = bounds_of(64);
  judge_.property("symmetric" + suffix_, declares.symmetric, "reversal, double", "a step of -h takes back a step of h",
                  of_steps, fairly(every_, body_reversal, of_steps),
                  built_in_body_splitting(judge_.is_coarse() ? old_torque : lopsided), built_in_body_splitting());
  if (declares.symmetric != true) return;
  judge_.property("symmetric, both signs" + suffix_, true, "one step, double",
                  "a step of -h is that of h with momenta turned", of_steps, fairly(every_, body_turned_step, of_steps),
                  built_in_body_splitting(inverse_if_negative), built_in_body_splitting());
  if (declares.kinds.size() == 1 && order_ % 2 == 1)
    judge_.result_.rows.push_back({"symmetric, order", "yes", "declared", odd_order_of_symmetric(declares), ""});
}

void BodyJudge::momenta() {
  const Bounds bounds = bounds_of(64);
  const Measure in_space = over(
      free_,
      [](ForeignSubject& subject, const JudgedProblem& problem) {
        return change_of_spatial_momentum(subject, problem, -1);
      },
      bounds.visible);
  const Measure vertical = over(
      tops_,
      [](ForeignSubject& subject, const JudgedProblem& problem) {
        return change_of_spatial_momentum(subject, problem, 2);
      },
      bounds.visible);
  judge_.property(
      "angular momentum" + suffix_, judge_.declares().angular_momentum, "64 steps, double",
      "the momentum in space of a free body, and that of a top about the vertical, are conserved", bounds,
      [=](ForeignSubject& subject) {
        const Measured of_free = in_space(subject), of_tops = vertical(subject);
        return is_worse(of_tops.value, of_free.value) ? of_tops : of_free;
      },
      built_in_body_splitting(pushes), built_in_body_splitting());
  judge_.property("size of momentum" + suffix_, judge_.declares().casimir, "64 steps, double",
                  "the length of the momentum of a free body is conserved", bounds,
                  over(free_, change_of_size_of_momentum, bounds.visible), built_in_body_splitting(longer_momentum),
                  built_in_body_splitting());
}

void BodyJudge::evaluations() {
  Claim torques;
  const auto declared = judge_.declares().gradients;
  torques.statement = format("a step after the first takes %g torques or gradients", declared.value_or(0));
  torques.interval = declared ? Interval{*declared, *declared} : Interval{};
  torques.reason = "counts are whole numbers";
  const MeasureOne count = [this](ForeignSubject& subject, const JudgedProblem& problem) {
    return judge_.measurements_.gradients(subject, problem);
  };
  judge_.row_beside("gradients" + suffix_, declared ? format("%g", *declared) : "-", "counted", std::move(torques),
                    over({generic_.front()}, count, infinity), built_in_body_splitting(),
                    {.name = "two steps of half the size", .body = BodySteps{{0.5, 0.5}}}, {2, 2},
                    "the control is to take two torques");
}

void BodyJudge::single_steps() {
  const bool is_of_order_one = order_ < 2;
  const double strict = is_of_order_one ? 0x1p-27 : 0x1p-30, limit = std::max(strict, tolerance_ * 0x1p13);
  const Measure short_steps = over(
      every_,
      [&](ForeignSubject& subject, const JudgedProblem& problem) {
        return measurements_.short_steps(subject, problem);
      },
      limit);
  must("short steps" + suffix_, "steps of 2^-4 to 2^-9, of 53 bits, h to 0", "short steps follow the equations", limit,
       "rounding over h^2 in the shortest, 2e-10, where momenta are differences of attitudes; for methods of order "
       "one, or "
       "of none declared, eight times that, for what a polynomial through six steps leaves",
       short_steps,
       tolerance_ > 0 ? BuiltInMethod{.name = "splitting of a body with steps of 2 h", .body = BodySteps{{2}}}
                      : built_in_body_splitting(long_turn));
  if (tolerance_ > 0x1p-15) {
    judge_.does_not_apply("very short steps" + suffix_, "what its iteration leaves is too large for so short a step");
  } else {
    const double most = is_of_order_one ? 0x1p-5 : 0x1p-13;
    must("very short steps" + suffix_, "steps of 2^-10 to 2^-22, of both signs",
         "single short steps are those of the motion", most,
         "160 h^2 in the longest, of 9e-4, or 36 h where the order is one or not declared: ten times and more what the "
         "derivatives of the motions make",
         over(
             every_,
             [&](ForeignSubject& subject, const JudgedProblem& problem) {
               return measurements_.very_short_steps(subject, problem, tolerance_);
             },
             most),
         built_in_body_splitting(light_when_short));
  }
  if (tolerance_ > 0x1p-48) {
    judge_.does_not_apply("torque" + suffix_, "what its iteration leaves is too large for so short a step");
  } else {
    must(
        "torque" + suffix_, "step of 2^-26 from rest", "a short step from rest has the torque",
        is_of_order_one ? 0x1p-22 : 0x1p-44,
        "rounding of some dozens of operations; for methods of order one, or of none declared, a share of h",
        [&](ForeignSubject& subject) {
          const Measured error = over(generic_, torque_from_rest, 0x1p-22)(subject);
          // Rounding of attitudes, over h^2 and the torque, is of order one, and not one in a thousand.
          if (error.value > 0x1p-10 && error.value < 64 && short_steps(subject).value <= limit)
            throw ProblemRefused(
                "its momenta are differences of attitudes, whose rounding hides the torque in so short a step");
          return error;
        },
        built_in_body_splitting(is_of_order_one ? pushes : strong_torque));
  }
  must("rest" + suffix_, "16 steps of changing size", "a free body at rest stays", std::max(0x1p-44, 64 * tolerance_),
       "rounding: a method may keep attitudes in another form", over(free_, motion_at_rest, 0x1p-33),
       built_in_body_splitting(pushes));
}

void BodyJudge::dependence() {
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
       on_two(&Measurements::repetition), built_in_body_splitting(counts_steps));
  must("batch" + suffix_, "bitwise", "k steps at once are k steps one by one", 0, bitwise, on_two(&Measurements::batch),
       built_in_body_splitting(counts_steps));
  must("history" + suffix_, "bitwise, beside another process", "a start forgets the run before it", 0, bitwise,
       on_two(&Measurements::history), built_in_body_splitting(remembers));
  if (judge_.declares().memory) {
    Claim claim;
    claim.statement = "a step depends on more than time, attitude and momentum";
    claim.interval = {0x1p-40, infinity};
    claim.reason = "a memory that changes no more than rounding is none";
    judge_.row(
        "memory" + suffix_, "yes", "steps of one size, and of changing size", std::move(claim),
        on_two(&Measurements::memory),
        {{built_in_body_splitting(), Expected::fails}, {built_in_body_splitting(keeps_torque), Expected::passes}});
  } else {
    must("memory" + suffix_, "steps of one size, and of changing size",
         "a step depends on time, attitude and momentum alone", std::max(0x1p-44, 64 * tolerance_),
         "rounding: a method may keep attitudes in another form", on_two(&Measurements::memory),
         built_in_body_splitting(keeps_torque));
  }
  if (const std::string why = judge_.measurements_.why_nothing_is_saved(judge_.subject_, *generic_.front());
      !why.empty()) {
    judge_.does_not_apply("restart" + suffix_, "nothing is saved: " + why);
  } else {
    must("restart" + suffix_, "bitwise, in another process", "a run continues from what was saved", 0, bitwise,
         on_two(&Measurements::restart), built_in_body_splitting(forgets_in_saved));
  }
  if (!judge_.options_.quick && !judge_.options_.slow && !judge_.declares().memory)
    must("later" + suffix_, "a step after 20000", "late steps are those of a fresh start",
         std::max(0x1p-44, 64 * tolerance_), "rounding: a method may keep attitudes in another form",
         over(
             {generic_.front()},
             [this](ForeignSubject& subject, const JudgedProblem& problem) {
               return judge_.measurements_.after_many_steps(subject, problem);
             },
             infinity),
         // What a subtle control does wrong is less than what a coarse method is allowed.
         built_in_body_splitting(tolerance_ > 0 ? falls_asleep : tires));
}

void Judge::bodies() { BodyJudge(*this).run(); }

}  // namespace livi::foreign_detail
