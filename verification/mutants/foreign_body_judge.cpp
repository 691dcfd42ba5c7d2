// SPDX-License-Identifier: MIT
//
// The judge of methods for rigid bodies from outside: what it measures on a method that is right and on one that is wrong
// in the way in question. The sources are compiled into this program, so that mutants of them are.
#include <gtest/gtest.h>

#include <livi/foreign/body_diagnosis.cpp>
#include <livi/foreign/built_in_methods.cpp>
#include <livi/foreign/closed_curves.cpp>
#include <livi/foreign/constrained_methods.cpp>
#include <livi/foreign/exact_motion.cpp>
#include <livi/foreign/foreign_subject.cpp>
#include <livi/foreign/judge_bodies.cpp>
#include <livi/foreign/judge_manifold.cpp>
#include <livi/foreign/judge_orders.cpp>
#include <livi/foreign/judge_rows.cpp>
#include <livi/foreign/judged_problem.cpp>
#include <livi/foreign/judged_problems.cpp>
#include <livi/foreign/measured_dependence.cpp>
#include <livi/foreign/measured_motions.cpp>
#include <livi/foreign/measured_symplecticity.cpp>
#include <livi/foreign/measurements.cpp>
#include <livi/foreign/number_text.cpp>
#include <livi/foreign/reproducer_bodies.cpp>
#include <livi/foreign/reproduction.cpp>
#include <livi/foreign/rigid_bodies.cpp>
#include <livi/foreign/rigid_body_methods.cpp>
#include <livi/foreign/rigid_body_problems.cpp>

#include <map>

#include "verification/judge/declaring.hpp"

// No method here is behind a pipe: what is made in a process of its own elsewhere is made here.
std::string livi::foreign_detail::written_session(const ForeignSubject& subject, const JudgedProblem& problem,
                                                  const std::function<void(ForeignRun<double>&)>& session) {
  Forces<double> forces(problem);
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
using MeasureOne = Measured (*)(ForeignSubject&, const JudgedProblem&);
/// Returns the worst of a measurement over all problems without symmetry.
double worst_of(const BuiltInMethod& method, MeasureOne measure) {
  double worst = 0;
  for (const JudgedProblem& problem : bodies().generic)
    worst = foreign_detail::worse(worst, measure(*built_in_subject(method), problem).value);
  return worst;
}
double worst_of(BodyFlaw flaw, MeasureOne measure) { return worst_of(built_in_body_splitting(flaw), measure); }

TEST(Bodies, are_measured_to_rounding) {
  EXPECT_LT(worst_of(none, distance_from_group), 1e-14);
  EXPECT_LT(worst_of(lie_verlet(), distance_from_group), 1e-14);
  EXPECT_GT(worst_of(off_the_group, distance_from_group), 1e-6);
  EXPECT_GT(worst_of(left_handed, distance_from_group), 1e-6);
  EXPECT_LT(worst_of(none, body_reversal), 1e-13);
  EXPECT_LT(worst_of(lie_verlet(), body_reversal), 1e-13);
  EXPECT_LT(worst_of(inverse_if_negative, body_reversal), 1e-13);
  EXPECT_GT(worst_of(lopsided, body_reversal), 1e-6);
  EXPECT_GT(worst_of(kicks_at_start, body_reversal), 1e-6);
  EXPECT_LT(worst_of(none, body_turned_step), 1e-13);
  EXPECT_LT(worst_of(lopsided, body_turned_step), 1e-13);
  EXPECT_GT(worst_of(inverse_if_negative, body_turned_step), 1e-6);
  EXPECT_LT(worst_of(none, torque_from_rest), 1e-13);
  EXPECT_GT(worst_of(strong_torque, torque_from_rest), 5e-10);
  EXPECT_GT(worst_of(torque_of_space, torque_from_rest), 1e-2);
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
    if (problem.masses[0] == problem.masses[4])
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
    return measurements.short_steps(*built_in_subject(built_in_body_splitting(flaw)), bodies().generic.front()).value;
  };
  EXPECT_LT(short_steps(none), 1e-9);
  EXPECT_GT(short_steps(long_turn), 4e-9);
  EXPECT_GT(short_steps(float_step), 4e-9);
  EXPECT_GT(short_steps(pushes), 1e-5);  // momenta only
  const auto very_short_steps = [&](BodyFlaw flaw) {
    return measurements.very_short_steps(*built_in_subject(built_in_body_splitting(flaw)), bodies().generic.front(), 0)
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

/// Returns the judgement of a row, and a method that declares to be of order two.
Judgement with_row(const std::string& test, const std::string& declared = "yes") {
  JudgementRow row{test, declared, "", {}, ""};
  row.claim.verdict = Verdict::refuted;
  Judgement judgement{{}, {row}, 1};
  judgement.declares.kinds = {ProblemKind::body};
  judgement.declares.order = 2;
  return judgement;
}
std::string small_case(const BuiltInMethod& method, const Judgement& judgement) {
  Declaring subject(method, judgement.declares);
  return foreign_detail::reproduce_bodies(subject, judgement, "").words;
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
  Judgement of_two_kinds = with_row("symmetric");
  of_two_kinds.declares.kinds = {ProblemKind::mechanical, ProblemKind::body};
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
