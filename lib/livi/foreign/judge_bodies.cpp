// SPDX-License-Identifier: MIT
//
// The rows of methods for rigid bodies.
#include <algorithm>
#include <cmath>

#include <livi/foreign/judge_manifold.hpp>
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
class BodyJudge final : ManifoldJudge {
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
  MeasuredOrder order_on(ForeignSubject& subject, const JudgedProblem& problem, double time) override {
    return measurements_.order(subject, problem, time, &subject == &judge_.subject_ ? tolerance_ : 0);
  }
  /// Returns the worst of a measurement over problems, undecided where the method declares a tolerance that would excuse it
  /// and it falls with h as the error of a method does.
  [[nodiscard]] Measure fairly(const Problems& problems, const MeasureOne& measure, const Bounds& bounds) const;
  /// Returns whether a defect falls by one power of h, two at least, where the step is halved four times. What an iteration
  /// leaves does not: somewhere on that way it makes a round less, and leaves more.
  bool falls_steadily(const MeasureOne& measure) const;
  // Rows of the table, in its order.
  void positions();
  void structure();
  void momenta();
  void evaluations();
  void single_steps();

  JudgedBodies problems_;
  BodyMeasurements measurements_;
  Problems tops_, free_;
};

BodyJudge::BodyJudge(Judge& judge)
    : ManifoldJudge(judge, judge.declares().kinds.size() == 1 ? "" : ", body",
                    {.state = "time, attitude and momentum",
                     .other_form = "rounding: a method may keep attitudes in another form",
                     .right = built_in_body_splitting(),
                     .lopsided = built_in_body_splitting(lopsided),
                     .absolute_step = built_in_body_splitting(absolute_step),
                     .counts_steps = built_in_body_splitting(counts_steps),
                     .remembers = built_in_body_splitting(remembers),
                     .keeps_force = built_in_body_splitting(keeps_torque),
                     .forgets_in_saved = built_in_body_splitting(forgets_in_saved),
                     .falls_asleep = built_in_body_splitting(falls_asleep),
                     .tires = built_in_body_splitting(tires)}),
      problems_(judged_bodies(judge.options_.seed, judge.options_.drawn)),
      measurements_(judge.options_.seed, judge.options_.slow ? 8 : 9) {
  for (const auto& [list, problems] :
       {std::pair(&generic_, &problems_.generic), {&tops_, &problems_.tops}, {&free_, &problems_.free}})
    for (const JudgedProblem& problem : *problems) take(problem, {list, &every_});
  require_problems();
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

void BodyJudge::positions() {
  must("group" + suffix_, "24 steps, and 1024", "attitudes are rotations", std::max(distance_of_a_step, tolerance_),
       "for each step made: rounding of some dozens of operations of 1.1e-16, all of one sign at worst; or the "
       "tolerance "
       "that the method declares",
       over(every_, distance_from_group, 0x1p-33), built_in_body_splitting(off_the_group));
  judge_.limit_to(distance_of_a_step);
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

void Judge::bodies() { BodyJudge(*this).run(); }

}  // namespace livi::foreign_detail
