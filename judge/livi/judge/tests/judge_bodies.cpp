// SPDX-License-Identifier: MIT
//
// The rows of methods for rigid bodies.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <livi/judge/measures/closed_curves.hpp>
#include <livi/judge/measures/rigid_bodies.hpp>
#include <livi/judge/tests/judge_manifold.hpp>

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
    if (!can_step()) return;
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
  /// Returns the problem of a name; the first one if none has it.
  [[nodiscard]] const JudgedProblem& problem_of(const std::string& name) const {
    const auto found = std::ranges::find(every_, name, [](const JudgedProblem* problem) { return problem->name; });
    return found == every_.end() ? *generic_.front() : **found;
  }
  /// Returns the worst of a measurement over problems. Of what is declared to hold it is undecided where a tolerance or single
  /// precision would excuse a defect that falls with h as the error of a method does; what is declared not to hold may be
  /// seen in longer steps only, of up to `longest` times the size.
  [[nodiscard]] Measure fairly(std::optional<bool> declared, const Problems& problems, const MeasureOne& measure,
                               const Bounds& bounds, double longest = 8) const;
  /// Confirms of the last row, declared not to hold, what is less than a tolerance would excuse and yet falls with h as the
  /// error of a method does; leaves other such defects undecided.
  void see_falling(std::optional<bool> declared, const MeasureOne& measure);
  static Measured with_long_steps(ForeignSubject& subject, const Measure& usual, const Problems& problems,
                                  const MeasureOne& measure, const Bounds& bounds, double longest);
  /// Returns whether a defect falls by one power of h, two at least, from twice the step to an eighth of it. What an
  /// iteration leaves does not: somewhere on that way it makes a round less, and leaves more.
  bool falls_steadily(const MeasureOne& measure, JudgedProblem problem) const;
  // Rows of the table, in its order.
  void positions();
  void structure();
  void reach();
  void momenta();
  void evaluations();
  void single_steps();

  JudgedBodies problems_;
  BodyMeasurements measurements_;
  Problems tops_, free_;
  std::vector<JudgedProblem> reached_;    ///< with other steps and speeds
  std::map<std::string, double> speeds_;  ///< at which these turn, by their names
};

BodyJudge::BodyJudge(Judge& judge)
    : ManifoldJudge(judge, ProblemKind::body,
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
                     .tires = built_in_body_splitting(tires),
                     .reads_clock = built_in_body_splitting(reads_clock)}),
      problems_(judged_bodies(judge.options_.seed, judge.options_.drawn)),
      measurements_(judge.options_.seed, judge.options_.slow ? 8 : 9) {
  for (auto* problems : {&problems_.generic, &problems_.tops, &problems_.free}) judge.make_possible(*problems);
  for (const auto& [list, problems] :
       {std::pair(&generic_, &problems_.generic), {&tops_, &problems_.tops}, {&free_, &problems_.free}})
    for (const JudgedProblem& problem : *problems) take(problem, {list, &every_});
  require_problems();
  // The drawn ones first; of a ball many a wrong map is a right one.
  Problems bodies;
  for (auto problem = generic_.rbegin(); problem != generic_.rend(); ++problem) {
    const std::vector<double>& inertia = (*problem)->masses;
    if (inertia[0] != inertia[4] || inertia[4] != inertia[8]) bodies.push_back(*problem);
  }
  if (bodies.empty()) bodies = generic_;
  // Steps with few bits and with all, and twice as long ones. A body turns by two thirds of a radian in one of them: of longer
  // ones equations have no solution. The longest is for a body whose moments are of one size.
  for (const auto& [h, speed] : {std::pair(-0.26, 1.0),
                                 {0.0107, 1.0},
                                 {-0.03125, 1.0},
                                 {0.0391, 1.0},
                                 {0.078125, 1.0},
                                 {0.2, 0.125},
                                 {0.0313, 4.0},
                                 {-0.0625, 4.0},
                                 {0.0078, 16.0},
                                 {0.015625, 16.0},
                                 {0.000123, 1024.0}}) {
    reached_.push_back(at_speed(*bodies[reached_.size() % bodies.size()], speed, judge.declares().possible_step(h)));
    reached_.back().name += format(", h = %g", h);
    speeds_[reached_.back().name] = speed;
  }
}

bool BodyJudge::falls_steadily(const MeasureOne& measure, JudgedProblem problem) const {
  std::vector<double> defects;
  problem.h *= 2;
  for (int k = 0; k < 5; ++k, problem.h /= 2) {
    try {
      defects.push_back(measure(judge_.subject_, problem).value);
    } catch (const ForeignRefusal&) {
      defects.push_back(not_a_number);
    }
    // Below this defects are rounding, which does not fall.
    if (!(defects.back() > 0x1p-46) && k > 0) {
      defects.pop_back();
      break;
    }
  }
  // What Newton's iteration leaves after so many rounds falls by a high power, and is rounding after two halvings. In a step
  // of twice the size it makes a round more.
  if (defects.size() < 4) return false;
  double least = infinity, most = -infinity;
  for (std::size_t k = defects.size() - 3; k < defects.size(); ++k) {
    const double power = std::log2(defects[k - 1] / defects[k]);
    least = std::min(least, power);
    most = worse(most, power);
  }
  // The first power may be that of a step too long for the leading error; without a solution it says nothing.
  const double first = std::log2(defects[0] / defects[1]);
  return least >= 2 && most - least < 0.75 && !(first < least - 1) && !(first > most + 3);
}

Measure BodyJudge::fairly(std::optional<bool> declared, const Problems& problems, const MeasureOne& measure,
                          const Bounds& bounds, double longest) const {
  const Measure worst = over(problems, measure, bounds.visible);
  if (declared == false)
    return [=](ForeignSubject& subject) { return with_long_steps(subject, worst, problems, measure, bounds, longest); };
  return [this, declared, measure, bounds, worst](ForeignSubject& subject) {
    const Measured measured = worst(subject);
    if (&subject != &judge_.subject_ || tolerance_ == 0 || declared != true ||
        !(measured.value > bounds.strict && measured.value <= bounds.holds) ||
        !falls_steadily(measure, problem_of(measured.problem)))
      return measured;
    return Measured{not_a_number,
                    format("%.2g, which ", measured.value) + declared_accuracy(judge_.declares()) +
                        " would excuse, but where h is halved it falls by one power of h, as neither rounding does "
                        "nor what an iteration leaves where it stops at a tolerance; " +
                        measured.note};
  };
}

Measured BodyJudge::with_long_steps(ForeignSubject& subject, const Measure& usual, const Problems& problems,
                                    const MeasureOne& measure, const Bounds& bounds, double longest) {
  Measured measured = usual(subject);
  for (const double times : {4.0, 8.0}) {
    if (times > longest || measured.value >= bounds.visible || std::isnan(measured.value)) break;
    const Measured of_long = over(
        problems,
        [&](ForeignSubject& of, JudgedProblem problem) {
          problem.h *= times;
          problem.name += format(", steps %g times as long", times);
          return measure(of, problem);
        },
        bounds.visible)(subject);
    // Long steps may have no solution.
    if (of_long.value > measured.value) measured = of_long;
  }
  return measured;
}

void BodyJudge::see_falling(std::optional<bool> declared, const MeasureOne& measure) {
  const std::string& name = judge_.result_.rows.back().problem;
  Claim& claim = judge_.result_.rows.back().claim;
  if (declared != false || tolerance_ == 0 || claim.verdict == Verdict::confirmed ||
      !(claim.measured > rounding_.holds))
    return;
  JudgedProblem problem = problem_of(name);
  problem.h *= 4;  // it was seen in steps eight times as long, or not
  if (claim.measured > rounding_.visible && falls_steadily(measure, problem)) {
    claim.interval.low = rounding_.visible;
    claim.reason =
        "a defect that falls by one power of h where h is halved is none of an iteration that stops at a tolerance";
    claim.verdict = Verdict::confirmed;
    claim.verdict = decide(claim);
  }
}

void BodyJudge::positions() {
  // Rounding walks at random; what an iteration leaves may have one sign.
  const bool adds_up = tolerance_ > 0;
  const double bound = std::max(
      {distance_of_a_step, 8 * judge_.declares().tolerance, judge_.declares().single_precision ? 0x1p-17 : 0.0});
  must(TestId::group, "24 steps, and 1024", "attitudes are rotations", bound,
       adds_up
           ? "for each step made: eight times the tolerance that the method declares, or 128 roundings to 24 bits"
           : "for one step, and for more the root of their number: rounding of some dozens of operations of 1.1e-16, "
             "all of one sign at worst",
       over(
           every_,
           [adds_up](ForeignSubject& subject, const JudgedProblem& problem) {
             return distance_from_group(subject, problem, adds_up);
           },
           0x1p-33),
       built_in_body_splitting(off_the_group));
  judge_.limit_to(distance_of_a_step);
}

void BodyJudge::structure() {
  const ForeignDeclaration& declares = judge_.declares();
  const Bounds bounds = bounds_of(64);
  // Steps of a starting procedure say nothing of those that come after it. Many steps are much work: fewer problems and loops.
  const Problems with_memory{generic_.front(), generic_.back()};
  const Problems& problems = declares.memory ? with_memory : every_;
  const LoopsOf loops = declares.memory ? LoopsOf{.curves = 1, .steps = steps_with_memory} : LoopsOf{};
  const auto brief = [many = declares.memory](JudgedProblem problem) {
    if (many) problem.h /= 4;
    return problem;
  };
  const char* const after = declares.memory ? ", 64 steps" : "";
  const MeasureOne of_loops = [=, this](ForeignSubject& subject, const JudgedProblem& problem) {
    return measurements_.loop_integral(subject, brief(problem), loops);
  };
  judge_.property(row_of(TestId::symplectic), declares.symplectic, std::string("loop integral of mu . R^-1 dR") + after,
                  "a step preserves the form of T*SO(3)", bounds,
                  // Loops are too coarse for longer steps than four times the usual ones.
                  fairly(declares.symplectic, problems, of_loops, bounds, declares.memory ? 1 : 4),
                  judge_.is_coarse() ? built_in_body_splitting(old_torque) : lie_verlet(without_quadratic),
                  built_in_body_splitting());
  see_falling(declares.symplectic, of_loops);
  const MeasureOne of_reversal = [=](ForeignSubject& subject, const JudgedProblem& problem) {
    return body_reversal(subject, brief(problem), loops.steps);
  };
  judge_.property(row_of(TestId::symmetric), declares.symmetric, std::string("reversal, double") + after,
                  judge_.taken_back(), bounds,
                  fairly(declares.symmetric, problems, of_reversal, bounds, declares.memory ? 1 : 8),
                  built_in_body_splitting(judge_.is_coarse() ? old_torque : lopsided), built_in_body_splitting());
  see_falling(declares.symmetric, of_reversal);
  if (declares.symmetric == true) {
    if (declares.forward)
      judge_.does_not_apply(row_of(TestId::symmetric_signs), makes_no_steps_back);
    else
      judge_.property(row_of(TestId::symmetric_signs), true, "one step, double",
                      "a step of -h is that of h with momenta turned", bounds,
                      fairly(true, every_, body_turned_step, bounds), built_in_body_splitting(inverse_if_negative),
                      built_in_body_splitting());
    if (declares.kinds.size() == 1 && order_ % 2 == 1)
      judge_.result_.rows.push_back(odd_order_of_symmetric(declares, row_of(TestId::symmetric_order)));
  }
  if (!declares.memory) reach();
}

void BodyJudge::reach() {
  const Bounds bounds = bounds_of(64);
  Problems reached;
  for (const JudgedProblem& problem : reached_) reached.push_back(&problem);
  if (judge_.declares().symplectic == true)
    judge_.property(
        row_of(TestId::symplectic_reach), true, "steps of 1/100 to 1/2, bodies slow and fast",
        "steps of other sizes preserve the form of T*SO(3)", bounds,
        over(
            reached,
            [this](ForeignSubject& subject, const JudgedProblem& problem) {
              return measurements_.loop_integral(subject, problem, {.curves = 1, .speed = speeds_.at(problem.name)});
            },
            bounds.visible),
        judge_.is_coarse() ? built_in_body_splitting(old_torque) : lie_verlet(short_cut), built_in_body_splitting());
  if (judge_.declares().symmetric == true)
    judge_.property(row_of(TestId::symmetric_reach), true, "steps of 1/100 to 1/2, bodies slow and fast",
                    "steps of other sizes are taken back, and turn with the momenta", bounds,
                    over(
                        reached,
                        [](ForeignSubject& subject, const JudgedProblem& problem) {
                          const Measured back = body_reversal(subject, problem);
                          if (subject.declares().forward) return back;
                          const Measured turned = body_turned_step(subject, problem);
                          return is_worse(turned.value, back.value) ? turned : back;
                        },
                        bounds.visible),
                    built_in_body_splitting(judge_.is_coarse() ? old_torque : inverse_if_short),
                    built_in_body_splitting());
}

void BodyJudge::momenta() {
  const Bounds bounds = bounds_of(64);
  const auto declared = judge_.declares().angular_momentum, of_size = judge_.declares().casimir;
  const auto change_along = [](int axis) {
    return [axis](ForeignSubject& subject, const JudgedProblem& problem) {
      return change_of_spatial_momentum(subject, problem, axis);
    };
  };
  const Measure in_space = fairly(declared, free_, change_along(-1), bounds),
                vertical = fairly(declared, tops_, change_along(2), bounds);
  judge_.property(
      row_of(TestId::angular_momentum), declared, "64 steps, double",
      "the momentum in space of a free body, and that of a top about the vertical, are conserved", bounds,
      [=](ForeignSubject& subject) {
        const Measured of_free = in_space(subject), of_tops = vertical(subject);
        return is_worse(of_tops.value, of_free.value) ? of_tops : of_free;
      },
      built_in_body_splitting(pushes), built_in_body_splitting());
  see_falling(declared, change_along(2));
  judge_.property(row_of(TestId::size_of_momentum), of_size, "64 steps, double",
                  "the length of the momentum of a free body is conserved", bounds,
                  fairly(of_size, free_, change_of_size_of_momentum, bounds), built_in_body_splitting(longer_momentum),
                  built_in_body_splitting());
  see_falling(of_size, change_of_size_of_momentum);
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
  judge_.row_beside(row_of(TestId::gradients), declared ? format("%g", *declared) : "-", "counted", std::move(torques),
                    over({generic_.front()}, count, infinity), built_in_body_splitting(),
                    {.name = "two steps of half the size", .body = BodySteps{{0.5, 0.5}}}, {2, 2},
                    "the control is to take two torques");
}

void BodyJudge::single_steps() {
  const bool is_of_order_one = order_ < 2;
  const double strict = is_of_order_one ? 0x1p-27 : 0x1p-30,
               limit = std::max(strict, tolerance_ * (judge_.declares().single_precision ? 0x1p15 : 0x1p13));
  const Measure short_steps = over(
      every_,
      [&](ForeignSubject& subject, const JudgedProblem& problem) {
        return measurements_.short_steps(subject, problem, tolerance_);
      },
      limit);
  must(TestId::short_steps, "steps of 2^-4 to 2^-9, of 53 bits, h to 0", "short steps follow the equations", limit,
       "rounding over h^2 in the shortest, 7e-10, where momenta are differences of attitudes, of bodies at rest, too; "
       "for "
       "methods of order one, or of none declared, eight times that, for what a polynomial through six steps leaves",
       short_steps,
       tolerance_ > 0 ? BuiltInMethod{.name = "splitting of a body with steps of 2 h", .body = BodySteps{{2}}}
                      : built_in_body_splitting(long_turn));
  if (tolerance_ > 0x1p-15) {
    judge_.does_not_apply(row_of(TestId::very_short_steps),
                          "the error that it declares is too large for so short a step");
  } else {
    const double most = is_of_order_one ? 0x1p-5 : 0x1p-13;
    must(TestId::very_short_steps, "steps of 2^-10 to 2^-22, of both signs",
         "single short steps are those of the motion", most,
         "160 h^2 or, where the order is one or not declared, 36 h, of the longest, 9e-4, and as much less of the "
         "others: "
         "ten times and more what the derivatives of the motions make",
         over(
             every_,
             [&](ForeignSubject& subject, const JudgedProblem& problem) {
               return measurements_.very_short_steps(subject, problem, &subject == &judge_.subject_ ? tolerance_ : 0,
                                                     is_of_order_one ? 1 : 2);
             },
             most),
         built_in_body_splitting(is_of_order_one ? light_when_short : far_when_short));
  }
  if (tolerance_ > 0x1p-48) {
    judge_.does_not_apply(row_of(TestId::torque), "the error that it declares is too large for so short a step");
  } else {
    must(
        TestId::torque, "step of 2^-26 from rest", "a short step from rest has the torque",
        is_of_order_one ? 0x1p-40 : 0x1p-44,
        "rounding of some dozens of operations; for methods of order one, or of none declared, led on to steps of zero",
        [&](ForeignSubject& subject) {
          double in_roundings = 0;
          const Measured error = over(
              generic_,
              [&](ForeignSubject& of, const JudgedProblem& problem) {
                const MeasuredTorque torque = torque_from_rest(of, problem, is_of_order_one);
                in_roundings = worse(in_roundings, torque.in_roundings);
                return torque.error;
              },
              0x1p-22)(subject);
          // What differences of attitudes leave is some roundings over h^2; that the torque is right is then seen in longer
          // steps from rest.
          if (error.value > 0x1p-10 && in_roundings < 64 && short_steps(subject).value <= limit)
            throw ProblemRefused(
                "its momenta are differences of attitudes, whose rounding hides the torque in so short a step");
          return error;
        },
        built_in_body_splitting(strong_torque));
  }
  must(TestId::rest, "16 steps of changing size", "a free body at rest stays", std::max(0x1p-44, 64 * tolerance_),
       "rounding: a method may keep attitudes in another form", over(free_, motion_at_rest, 0x1p-33),
       built_in_body_splitting(pushes));
}

void Judge::bodies() { BodyJudge(*this).run(); }

}  // namespace livi::foreign_detail
