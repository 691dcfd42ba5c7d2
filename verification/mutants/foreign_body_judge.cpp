// SPDX-License-Identifier: MIT
//
// The judge of methods for rigid bodies from outside: what it measures on a method that is right and on one that is wrong
// in the way in question. The sources are compiled into this program, so that mutants of them are.
#include <gtest/gtest.h>

#include <livi/judge/controls/built_in_methods.cpp>
#include <livi/judge/controls/constrained_methods.cpp>
#include <livi/judge/controls/rigid_body_methods.cpp>
#include <livi/judge/hints/body_diagnosis.cpp>
#include <livi/judge/hints/reproducer_bodies.cpp>
#include <livi/judge/hints/reproduction.cpp>
#include <livi/judge/measures/closed_curves.cpp>
#include <livi/judge/measures/measured_dependence.cpp>
#include <livi/judge/measures/measured_motions.cpp>
#include <livi/judge/measures/measured_symplecticity.cpp>
#include <livi/judge/measures/measurements.cpp>
#include <livi/judge/measures/rigid_bodies.cpp>
#include <livi/judge/measures/rigid_body_problems.cpp>
#include <livi/judge/method/foreign_subject.cpp>
#include <livi/judge/output/judgement_table.cpp>
#include <livi/judge/problems/exact_motion.cpp>
#include <livi/judge/problems/judged_problem.cpp>
#include <livi/judge/problems/judged_problems.cpp>
#include <livi/judge/problems/number_text.cpp>
#include <livi/judge/rows/judgement.cpp>
#include <livi/judge/rows/row_table.cpp>
#include <livi/judge/tests/judge.cpp>
#include <livi/judge/tests/judge_bodies.cpp>
#include <livi/judge/tests/judge_manifold.cpp>
#include <livi/judge/tests/judge_orders.cpp>
#include <livi/judge/tests/judge_rows.cpp>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "verification/judge/declaring.hpp"
#include "verification/judge/forked.hpp"
#include "verification/judge/judgement_rows.hpp"

// The rows of other kinds: foreign_judge.cpp, foreign_adaptive_judge.cpp.
namespace livi {
void judge_adaptive_steps(ForeignSubject&, const JudgementOptions&, Judgement&) {}
FoundCoefficients find_coefficients(ForeignSubject&, ProblemKind, double, double) { return {}; }
namespace foreign_detail {
void Judge::symplecticity() {}
void Judge::symmetry() {}
void Judge::momenta() {}
void Judge::cost() {}
void Judge::closed_forms() {}
void Judge::reach() {}
void Judge::drawn_steps() {}
void Judge::dependence() {}
void Judge::number_types() {}
void Judge::stability() {}
void Judge::several_oscillators() {}
void Judge::energy() {}
void Judge::later() {}
void Judge::heat_bath() {}
void Judge::constrained() {}
void Judge::constrained_bath() {}
}  // namespace foreign_detail
}  // namespace livi

// No method here is behind a pipe: what is made in a process of its own elsewhere is made here.
std::string livi::foreign_detail::written_session(const ForeignSubject& subject, const JudgedProblem& problem,
                                                  const std::function<void(ForeignRun<double>&)>& session,
                                                  const std::vector<double>& normals) {
  Forces<double> forces(problem);
  forces.normals = normals;
  session(*subject.another()->in_double(forces));
  return "";
}

namespace {

using namespace livi;
using enum BodyFlaw;

const JudgedBodies& bodies() {
  static const JudgedBodies all = judged_bodies(1, 2);
  return all;
}
BuiltInMethod lie_verlet(BodyFlaw flaw = none) {
  return {.name = "Lie-Verlet", .body = BodySteps{{1}, BodyRule::lie_verlet, flaw}};
}
using MeasureOne = std::function<Measured(ForeignSubject&, const JudgedProblem&)>;
Measured one_from_group(ForeignSubject& subject, const JudgedProblem& problem) {
  return distance_from_group(subject, problem, false);
}
Measured one_taken_back(ForeignSubject& subject, const JudgedProblem& problem) {
  return body_reversal(subject, problem);
}
Measured one_torque(ForeignSubject& subject, const JudgedProblem& problem) {
  return torque_from_rest(subject, problem).error;
}
/// Returns the worst of a measurement over all problems without symmetry.
double worst_of(const BuiltInMethod& method, const MeasureOne& measure) {
  double worst = 0;
  for (const JudgedProblem& problem : bodies().generic)
    worst = foreign_detail::worse(worst, measure(*built_in_subject(method), problem).value);
  return worst;
}
double worst_of(BodyFlaw flaw, const MeasureOne& measure) { return worst_of(built_in_body_splitting(flaw), measure); }

TEST(Bodies, are_measured_to_rounding) {
  EXPECT_LT(worst_of(none, one_from_group), 1e-14);
  EXPECT_LT(worst_of(lie_verlet(), one_from_group), 1e-14);
  EXPECT_GT(worst_of(off_the_group, one_from_group), 1e-6);
  EXPECT_GT(worst_of(left_handed, one_from_group), 1e-6);
  EXPECT_LT(worst_of(none, one_taken_back), 1e-13);
  EXPECT_LT(worst_of(lie_verlet(), one_taken_back), 1e-13);
  EXPECT_LT(worst_of(inverse_if_negative, one_taken_back), 1e-13);
  EXPECT_GT(worst_of(lopsided, one_taken_back), 1e-6);
  EXPECT_GT(worst_of(kicks_at_start, one_taken_back), 1e-6);
  EXPECT_LT(worst_of(none, body_turned_step), 1e-13);
  EXPECT_LT(worst_of(lopsided, body_turned_step), 1e-13);
  EXPECT_GT(worst_of(inverse_if_negative, body_turned_step), 1e-6);
  EXPECT_LT(worst_of(none, one_torque), 1e-13);
  EXPECT_GT(worst_of(strong_torque, one_torque), 5e-10);
  EXPECT_GT(worst_of(torque_of_space, one_torque), 1e-2);
}

TEST(Bodies, have_loops_in_the_cotangent_bundle) {
  const BodyMeasurements measurements(1);
  for (const JudgedProblem& problem : bodies().generic) {
    for (const BuiltInMethod& method : {built_in_body_splitting(), lie_verlet(), built_in_body_splitting(lopsided),
                                        built_in_body_splitting(kicks_at_start)})
      EXPECT_LT(measurements.loop_integral(*built_in_subject(method), problem).value, 1e-12) << problem.name;
    for (const BuiltInMethod& method : {built_in_body_splitting(old_torque), built_in_body_splitting(in_place),
                                        BuiltInMethod{.name = "x", .body = BodySteps{{1}, BodyRule::runge_kutta}}})
      EXPECT_GT(measurements.loop_integral(*built_in_subject(method), problem).value, 1e-8) << problem.name;
    // The terms that are missing change the angle alone where the body is a ball: symplectic, too.
    const double missing = measurements.loop_integral(*built_in_subject(lie_verlet(without_quadratic)), problem).value;
    if (problem.masses[0] == problem.masses[4] && problem.masses[4] == problem.masses[8])
      EXPECT_LT(missing, 1e-12) << problem.name;
    else
      EXPECT_GT(missing, 1e-8) << problem.name;
  }
}

TEST(Bodies, have_orders_that_are_known) {
  BodyMeasurements measurements(1);
  const BuiltInMethod suzuki{.name = "Suzuki", .body = BodySteps{suzuki_shares()}},
      runge_kutta{.name = "Runge-Kutta", .body = BodySteps{{1}, BodyRule::runge_kutta}};
  for (const auto& [method, order] :
       {std::pair(built_in_body_splitting(), 2), std::pair(lie_verlet(), 2), std::pair(suzuki, 4),
        std::pair(runge_kutta, 4), std::pair(built_in_body_splitting(kicks_at_start), 1)})
    for (const double time : {1.0, -1.0}) {
      const MeasuredOrder measured = measurements.order(*built_in_subject(method), bodies().generic.front(), time, 0);
      EXPECT_NEAR(measured.q, order, 0.1) << method.name;
      EXPECT_NEAR(measured.p, order, 0.1) << method.name;
      EXPECT_EQ(measured.why_undecided, "") << method.name;
    }
  const auto short_steps = [&](BodyFlaw flaw) {
    return measurements.short_steps(*built_in_subject(built_in_body_splitting(flaw)), bodies().generic.front(), 0)
        .value;
  };
  EXPECT_LT(short_steps(none), 1e-9);
  EXPECT_GT(short_steps(long_turn), 4e-9);
  EXPECT_GT(short_steps(float_step), 4e-9);
  EXPECT_GT(short_steps(pushes), 1e-5);  // momenta only
  const auto very_short_steps = [&](BodyFlaw flaw) {
    return measurements
        .very_short_steps(*built_in_subject(built_in_body_splitting(flaw)), bodies().generic.front(), 0, 2)
        .value;
  };
  EXPECT_LT(very_short_steps(none), 1e-5);
  EXPECT_GT(very_short_steps(light_when_short), 0.1);
  EXPECT_GT(very_short_steps(absolute_step), 0.1);
  EXPECT_GT(very_short_steps(pushes), 1e-4);  // momenta only
}

TEST(Bodies, have_momenta) {
  const auto of = [](BodyFlaw flaw) { return built_in_subject(built_in_body_splitting(flaw)); };
  for (const JudgedProblem& problem : bodies().free) {
    EXPECT_LT(change_of_spatial_momentum(*of(none), problem, -1).value, 1e-13);
    EXPECT_GT(change_of_spatial_momentum(*of(in_place), problem, -1).value, 1e-2);
    EXPECT_LT(change_of_size_of_momentum(*of(none), problem).value, 1e-13);
    EXPECT_LT(change_of_size_of_momentum(*of(in_place), problem).value, 1e-13);
    EXPECT_GT(change_of_size_of_momentum(*of(longer_momentum), problem).value, 1e-6);
    EXPECT_LT(motion_at_rest(*of(none), problem).value, 1e-14);
  }
  // More than what the attitude makes of it.
  EXPECT_GT(motion_at_rest(*of(pushes), bodies().free.front()).value, 2e-4);
  for (const JudgedProblem& problem : bodies().tops) {
    EXPECT_LT(change_of_spatial_momentum(*of(none), problem, 2).value, 1e-13);
    EXPECT_GT(change_of_spatial_momentum(*of(none), problem, -1).value, 1e-2);  // gravity turns the others
    EXPECT_GT(change_of_spatial_momentum(*of(torque_of_space), problem, 2).value, 1e-3);
  }
}

TEST(Bodies, have_torques_and_motions_of_their_potential) {
  for (const JudgedProblem& problem : bodies().generic) {
    const auto start = point_in<Float50>(problem.start);
    const TimedPoint<Float50> end = body_motion(problem, start, Float50(0.5), 1e-19);
    const Forces<Float50> forces(problem);
    EXPECT_LT(std::abs(Float50(forces.energy(end) - forces.energy(start)).convert_to<double>()),
              1e-14 * foreign_detail::extent_of(problem.masses))
        << problem.name;
  }
}

// ---- verdicts ----

ForeignDeclaration splitting_declares() {
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.kinds = {ProblemKind::body};
  declaration.order = declaration.gradients = 2;
  declaration.symplectic = declaration.symmetric = declaration.angular_momentum = declaration.casimir = true;
  return declaration;
}
Judgement judged(const BuiltInMethod& method, const ForeignDeclaration& declaration, int drawn = 0) {
  Declaring subject(method, declaration);
  return judge(subject, {.drawn = drawn, .quick = true});
}
using namespace livi::test;
/// Returns the rows that refute a method with a flaw which declares what the splitting does.
std::set<std::string> refuted(const BuiltInMethod& method) {
  return own_rows_with(judged(method, splitting_declares()), Verdict::refuted);
}
std::set<std::string> refuted(BodyFlaw flaw) { return refuted(built_in_body_splitting(flaw)); }

ForeignDeclaration declares_no() {
  ForeignDeclaration no = splitting_declares();
  no.order = 4;
  no.gradients.reset();
  no.symplectic = no.symmetric = no.angular_momentum = no.casimir = false;
  return no;
}
/// Four steps of Runge and Kutta in one: what does not hold is small where steps are of the usual size.
const BuiltInMethod four_of_runge_kutta{.name = "x",
                                        .body = BodySteps{std::vector<double>(4, 0.25), BodyRule::runge_kutta}};

TEST(Bodies, have_rows_that_clear) {
  const Judgement right = judged(built_in_body_splitting(), splitting_declares());
  EXPECT_EQ(rows_with(right, Verdict::confirmed).size(), right.rows.size()) << judgement_table(right);
  const Judgement parts = judged(four_of_runge_kutta, declares_no());
  EXPECT_TRUE(livi::test::is_cleared(parts)) << judgement_table(parts);
}

TEST(Bodies, have_loops_for_short_and_long_steps) {
  EXPECT_EQ(refuted(lie_verlet(short_cut)), (Tests{"symplectic, reach"}));
  EXPECT_EQ(refuted(lie_verlet(short_cut_in_between)), (Tests{"symplectic, reach"}));
}
TEST(Bodies, have_loops_for_slow_and_fast_bodies) {
  EXPECT_EQ(refuted(lie_verlet(short_cut_if_fast)), (Tests{"symplectic, reach"}));
  const IsWrong is_very_fast = [](const JudgedProblem& problem, double, NumberType) {
    return foreign_detail::extent_of(problem.start.p) > 100 * foreign_detail::extent_of(problem.masses);
  };
  Forked subject(built_in_body_splitting(), built_in_body_splitting(lopsided), is_very_fast, splitting_declares());
  const Judgement judgement = judge(subject, {.drawn = 0, .slow = true});
  EXPECT_EQ(rows_with(judgement, Verdict::refuted), (Tests{"symmetric, reach"})) << judgement_table(judgement);
}
TEST(Bodies, have_steps_of_both_signs_at_every_size) {
  EXPECT_EQ(refuted(inverse_if_short), (Tests{"symmetric, both signs", "symmetric, reach"}));
}
TEST(Bodies, have_short_steps_from_rest) { EXPECT_EQ(refuted(asleep_at_rest), (Tests{"short steps", "torque"})); }
TEST(Bodies, have_short_steps_of_slow_bodies) { EXPECT_EQ(refuted(slow_is_still), (Tests{"short steps"})); }
TEST(Bodies, have_short_steps_of_fast_bodies) { EXPECT_EQ(refuted(weak_if_fast), (Tests{"short steps"})); }
TEST(Bodies, have_very_short_steps) { EXPECT_EQ(refuted(far_when_short), (Tests{"short steps", "very short steps"})); }
TEST(Bodies, have_no_clock) { EXPECT_EQ(refuted(reads_clock), (Tests{"start of the time"})); }
TEST(Bodies, have_attitudes_that_must_not_grow) { EXPECT_EQ(refuted(grows), (Tests{"group"})); }
TEST(Bodies, have_momenta_in_long_steps) { EXPECT_TRUE(refuted(longer_if_long).count("size of momentum")); }
TEST(Bodies, have_no_stale_torque) { EXPECT_TRUE(refuted(stale_torque).count("memory")); }
TEST(Bodies, have_two_equal_moments) { EXPECT_TRUE(refuted(weak_on_tops).count("torque")); }
TEST(Bodies, have_an_attitude_upside_down) { EXPECT_TRUE(refuted(weak_upside_down).count("torque")); }

TEST(Bodies, have_tolerances_that_excuse_iterations) {
  ForeignDeclaration declares = splitting_declares();
  declares.tolerance = 1e-8;
  const Judgement early = judged(lie_verlet(early_end), declares);
  EXPECT_TRUE(livi::test::is_cleared(early)) << judgement_table(early);
}
TEST(Bodies, have_tolerances_that_excuse_no_method) {
  ForeignDeclaration declares = splitting_declares();
  declares.gradients.reset();
  declares.tolerance = 1e-6;
  const BuiltInMethod eighths{
      .name = "x", .body = BodySteps{std::vector<double>(8, 0.125), BodyRule::lie_verlet, without_quadratic}};
  EXPECT_TRUE(rows_with(judged(eighths, declares), Verdict::undecided).count("symplectic"));
}
TEST(Bodies, have_tolerances_that_refute_no_small_defect) {
  ForeignDeclaration declares = declares_no();
  declares.tolerance = 1e-6;
  EXPECT_EQ(rows_with(judged(four_of_runge_kutta, declares), Verdict::refuted), Tests{});
}

TEST(Bodies, have_memories_that_hide_no_later_steps) {
  ForeignDeclaration declares = splitting_declares();
  declares.gradients.reset();
  declares.memory = true;
  const BuiltInMethod adams{.name = "x", .body = BodySteps{{1}, BodyRule::adams_bashforth}};
  const Tests found = rows_with(judged(adams, declares), Verdict::refuted);
  EXPECT_TRUE(found.count("symplectic"));
  EXPECT_TRUE(found.count("symmetric"));
}

/// The splitting, whose steps are half as long where their count is a multiple of a number, between two others.
struct Counts {
  long every, above, below;
};
class CountedRun final : public ForeignRun<double> {
 public:
  CountedRun(Forces<double>& forces, Counts counts) : run_(subject_->in_double(forces)), counts_(counts) {}
  void start(const TimedPoint<double>& z) override {
    made_ = 0;
    run_->start(z);
  }
  void step(const double& h, long count) override {
    for (; count > 0; --count) run_->step(is_short(++made_) ? h / 2 : h, 1);
  }
  TimedPoint<double> point() override { return run_->point(); }
  std::optional<std::string> save() override { return std::nullopt; }
  void restore(const std::string&) override {}

 private:
  [[nodiscard]] bool is_short(long count) const {
    return count > counts_.above && count < counts_.below && count % counts_.every == 0;
  }

  std::unique_ptr<ForeignSubject> subject_ = built_in_subject(built_in_body_splitting());
  std::unique_ptr<ForeignRun<double>> run_;
  Counts counts_;
  long made_ = 0;
};
class CountedSubject final : public ForeignSubject {
 public:
  explicit CountedSubject(Counts counts) : counts_(counts) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<CountedRun>(forces, counts_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<CountedSubject>(counts_);
  }

 private:
  Counts counts_;
  ForeignDeclaration declaration_ = splitting_declares();
};

TEST(Bodies, are_looked_at_in_long_runs) {
  Measurements measurements(1);
  const auto after = [&](ForeignSubject& subject) {
    return measurements.after_many_steps(subject, bodies().generic.front()).value;
  };
  EXPECT_LT(after(*built_in_subject(built_in_body_splitting())), 1e-13);
  EXPECT_GT(after(*built_in_subject(built_in_body_splitting(asleep_for_a_while))), 1e-6);
  CountedSubject every_other({.every = 2, .above = 5000, .below = 15000}),
      every_thousandth({.every = 1000, .above = 0, .below = 30000});
  EXPECT_GT(after(every_other), 1e-6);
  EXPECT_GT(after(every_thousandth), 1e-6);
}

/// Returns the judgement of a row, and a method for problems of these kinds that declares to be of order two.
Judgement with_row(const std::string& test, const std::string& declared = "yes",
                   const std::vector<ProblemKind>& kinds = {ProblemKind::body}) {
  ForeignDeclaration declares;
  declares.kinds = kinds;
  declares.order = 2;
  return {declares, {test::bare_row(declares, test, Verdict::refuted, declared)}, 1};
}
std::string small_case(const BuiltInMethod& method, const Judgement& judgement) {
  Declaring subject(method, judgement.declares);
  return foreign_detail::reproduce_bodies(subject, judgement, {}).words;
}
std::string small_case(BodyFlaw flaw, const std::string& test) {
  return small_case(built_in_body_splitting(flaw), with_row(test));
}

TEST(Bodies, have_small_cases) {
  for (const char* test :
       {"group", "symmetric", "symmetric, both signs", "angular momentum", "symplectic", "short steps", "order of q"})
    EXPECT_EQ(small_case(none, test), "") << test;
  EXPECT_NE(small_case(off_the_group, "group").find("R'R - 1 = (0.015625, 0"), std::string::npos);
  EXPECT_NE(small_case(left_handed, "group").find("det R - 1 = -2"), std::string::npos);
  EXPECT_NE(small_case(lopsided, "symmetric"), "");
  EXPECT_NE(small_case(inverse_if_negative, "symmetric, both signs"), "");
  EXPECT_NE(small_case(torque_of_space, "angular momentum"), "");
  EXPECT_NE(small_case(lie_verlet(without_quadratic), with_row("symplectic")), "");
  // A turn by x and a change of mu_3 by y: x y.
  EXPECT_NE(small_case(longer_momentum, "symplectic").find("1 at the start, 1.00012"), std::string::npos);
  EXPECT_NE(small_case(light_when_short, "short steps").find("the error over the step is 1\n"), std::string::npos);
  EXPECT_NE(small_case(kicks_at_start, "order of q"), "");
  EXPECT_EQ(small_case(built_in_body_splitting(lopsided), with_row("symmetric", "no")), "");
  Judgement with_memory = with_row("symmetric");
  with_memory.declares.memory = true;
  EXPECT_EQ(small_case(built_in_body_splitting(lopsided), with_memory), "");
  // The row of the other kind: the small case is a mechanical problem.
  const Judgement of_two_kinds = with_row("symmetric", "yes", {ProblemKind::mechanical, ProblemKind::body});
  EXPECT_EQ(small_case(built_in_body_splitting(lopsided), of_two_kinds), "");
}

TEST(Bodies, have_mistakes_that_are_named) {
  const auto said_of = [](const BuiltInMethod& method) {
    Declaring subject(method, with_row("order of q").declares);
    const std::vector<std::string> sentences = diagnose_bodies(subject, with_row("order of q"));
    return sentences.empty() ? "" : sentences.front();
  };
  const auto said = [&](BodyFlaw flaw) { return said_of(built_in_body_splitting(flaw)); };
  EXPECT_EQ(said_of({.name = "steps of h/2", .body = BodySteps{{0.5}}}),
            "a step of h goes as far as the motion does in 0.5 h");
  const auto begins = [&](BodyFlaw flaw, const char* with) {
    EXPECT_TRUE(said(flaw).starts_with(with)) << name_of_body_splitting(flaw) << ": " << said(flaw);
  };
  EXPECT_EQ(said(none), "");
  EXPECT_EQ(said(pushes), "");
  begins(torque_of_space, "torques, which are in the axes of the body, are taken for ones");
  begins(in_place, "the momentum is not turned");
  begins(turned_back, "the momentum is turned the wrong way");
  begins(without_products, "only the diagonal");
  begins(off_the_group, "attitudes turn by the terms of exp(hat(x)) up to order 2");
  begins(old_torque, "torques are taken at the attitude with which a step begins");
  begins(absolute_step, "a step of -h is one of h");
}

}  // namespace
