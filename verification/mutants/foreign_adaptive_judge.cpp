// SPDX-License-Identifier: MIT
//
// The judge of methods from outside that choose their steps in time: what it measures on a method that is right and on one
// that is wrong in the way in question. The sources are compiled into this program, so that mutants of them are.
#include <gtest/gtest.h>

#include <livi/judge/controls/built_in_adaptive.cpp>
#include <livi/judge/measures/adaptive_steps.cpp>
#include <livi/judge/measures/measured_dependence.cpp>
#include <livi/judge/measures/measured_motions.cpp>
#include <livi/judge/measures/measured_symplecticity.cpp>
#include <livi/judge/measures/measurements.cpp>
#include <livi/judge/method/foreign_subject.cpp>
#include <livi/judge/problems/exact_motion.cpp>
#include <livi/judge/problems/judged_problem.cpp>
#include <livi/judge/problems/judged_problems.cpp>
#include <livi/judge/problems/number_text.cpp>
#include <livi/judge/rows/judgement.cpp>
#include <livi/judge/rows/row_table.cpp>
#include <livi/judge/tests/adaptive_judgement.cpp>

#include "verification/judge/declaring.hpp"

// Steps at drawn places: foreign_drawn_steps.cpp.
livi::DrawnSteps::DrawnSteps(ForeignSubject& subject, ProblemKind kind, std::uint64_t seed)
    : subject_(subject), ranges_{.kind = kind}, random_(seed), allowed_(0) {}
livi::Measured livi::DrawnSteps::local_error() { return {0}; }

namespace {

using namespace livi;

const JudgedProblem& generic() {
  static const JudgedProblem problem = judged_problems({ProblemKind::mechanical}, 1, 0).generic.front();
  return problem;
}
double of(const BuiltInAdaptiveMethod& method, Measured (*measure)(ForeignSubject&, const JudgedProblem&)) {
  return measure(*adaptive_subject(method), generic()).value;
}

TEST(AdaptiveSteps, orders_are_those_in_the_time) {
  for (const double time : {1.0, -1.0})
    for (const AdaptiveRule rule : {integrated, reversible, hamiltonian}) {
      const MeasuredOrder order = order_in_time(*adaptive_subject({rule}), generic(), time);
      EXPECT_NEAR(order.q, 2, 0.05) << BuiltInAdaptiveMethod{rule}.name();
      EXPECT_NEAR(order.p, 2, 0.05) << BuiltInAdaptiveMethod{rule}.name();
      EXPECT_EQ(order.why_undecided, "");
    }
  const MeasuredOrder order = order_in_time(*adaptive_subject({reversible, old_clock}), generic(), 1);
  EXPECT_NEAR(order.q, 1, 0.25);
  EXPECT_NEAR(order.p, 1, 0.25);
}

TEST(AdaptiveSteps, of_the_clock_tell_its_flaws) {
  EXPECT_EQ(of(honest, steps_against_time), 0);
  // Six of 48 steps forwards and six of 48 backwards.
  EXPECT_EQ(of({reversible, clock_backwards}, steps_against_time), 12);
  EXPECT_LE(of(honest, later_by_the_clock), 1e-13);
  // Steps grow by 2^-30 of themselves in a unit of the time, by 1e-6 in 1024.
  const double late = of({reversible, of_the_time}, later_by_the_clock);
  EXPECT_GT(late, 1e-7);
  EXPECT_LT(late, 1e-5);
  EXPECT_EQ(of(honest, state_without_forces), 0);
  EXPECT_EQ(of({reversible, fails_silently}, state_without_forces), 1);
}

TEST(AdaptiveSteps, of_tiny_steps_see_a_fast_clock) {
  for (const AdaptiveRule rule : {integrated, reversible, hamiltonian})
    EXPECT_LE(error_of_the_clock(*adaptive_subject({rule})).value, 1e-14) << BuiltInAdaptiveMethod{rule}.name();
  EXPECT_NEAR(error_of_the_clock(*adaptive_subject({reversible, fast_clock})).value, 0x1p-32, 1e-14);
}

TEST(AdaptiveSteps, of_short_steps_see_clocks_that_differ_with_their_size) {
  for (const AdaptiveRule rule : {integrated, reversible, hamiltonian}) {
    EXPECT_LE(of({rule}, clock_in_the_limit), 1e-10) << BuiltInAdaptiveMethod{rule}.name();
    // The force changes by some 2^-20 of itself in a step.
    EXPECT_LE(of({rule}, short_step_in_time), 1e-5) << BuiltInAdaptiveMethod{rule}.name();
    EXPECT_LE(of({rule}, bits_of_steps), 1e-14) << BuiltInAdaptiveMethod{rule}.name();
    EXPECT_LE(of({rule}, ways_of_single_steps), 64) << BuiltInAdaptiveMethod{rule}.name();
  }
  // At the longest, 2^-13, of a clock that is fast by 1e-3: that over the square of the time.
  EXPECT_GT(of({reversible, fast_in_between}, ways_of_single_steps), 1e4);
  EXPECT_NEAR(of({reversible, fast_when_long}, clock_in_the_limit), 1e-8, 1e-9);
  EXPECT_GT(of({reversible, single_step}, bits_of_steps), 1e-9);
  EXPECT_GT(of({reversible, density_by_sign}, bits_of_steps), 1e-9);
  // Steps keep the bits of h that they are asked for.
  JudgedProblem problem = generic();
  problem.h = 0x1.9a3d6f1b2e65fp-3;
  const JudgedProblem scaled = for_adaptive_steps(*adaptive_subject(honest), problem, ProblemKind::adaptive);
  int exponent = 0;
  EXPECT_EQ(std::frexp(scaled.h, &exponent), std::frexp(problem.h, &exponent));
}

TEST(AdaptiveSteps, of_turned_steps_tell_branches_on_the_sign_of_h) {
  for (const AdaptiveRule rule : {integrated, reversible, hamiltonian})
    EXPECT_LE(of({rule}, turned_step_in_time), 1e-15) << BuiltInAdaptiveMethod{rule}.name();
  EXPECT_LE(of({reversible, old_density}, turned_step_in_time), 1e-15);
  EXPECT_GT(of({reversible, density_by_sign}, turned_step_in_time), 1e-3);
  EXPECT_THROW(of({integrated, odd_start}, turned_step_in_time), ProblemRefused);
}

TEST(AdaptiveSteps, of_the_kind_extended_are_those_of_the_kind_adaptive) {
  for (const AdaptiveRule rule : {integrated, reversible, hamiltonian})
    EXPECT_LE(of({rule}, extended_beside_adaptive), 1e-13) << BuiltInAdaptiveMethod{rule}.name();
  EXPECT_GT(of({hamiltonian, free_if_extended}, extended_beside_adaptive), 1e-2);
  // The energy that a method does not keep, the motion being nearly that of the other kind.
  EXPECT_GT(of({hamiltonian, own_energy}, extended_beside_adaptive), 1e-6);
}

TEST(AdaptiveSteps, potentials_are_below_zero_on_the_motion) {
  const JudgedProblem lower = below_zero(generic());
  Forces<double> forces(lower), of_generic(generic());
  EXPECT_LT(forces.energy(lower.start), -1);
  EXPECT_EQ(forces.gradient(0, lower.start.q), of_generic.gradient(0, lower.start.q));
}

TEST(AdaptiveSteps, of_reversal_tell_symmetric_steps) {
  for (const AdaptiveRule rule : {integrated, reversible, hamiltonian}) EXPECT_LE(of({rule}, reversal_in_time), 1e-14);
  EXPECT_GT(of({reversible, old_density}, reversal_in_time), 1e-3);
  // The motion comes back, and the clock does not.
  EXPECT_GT(of({reversible, old_clock}, reversal_in_time), 1e-3);
}

TEST(AdaptiveSteps, of_the_elongated_orbit_tell_ranges_and_drifts) {
  // sigma = 1 / (1 + r^2) between r = 2 and the innermost point, r^2 = 0.031: steps differ by 5 / 1.03.
  EXPECT_NEAR(range_of_steps(*adaptive_subject(honest)).value, 4.85, 0.05);
  EXPECT_EQ(range_of_steps(*adaptive_subject({reversible, constant_steps})).value, 1);
  for (const AdaptiveRule rule : {integrated, reversible, hamiltonian})
    EXPECT_LE(energy_drift_in_time(*adaptive_subject({rule})).value, 0.02);
  EXPECT_GT(energy_drift_in_time(*adaptive_subject({reversible, old_density})).value, 0.9);
  // The longest step is as long as is asked for, but for the rounding to a power of two.
  for (const AdaptiveRule rule : {integrated, reversible, hamiltonian}) {
    const auto subject = adaptive_subject({rule});
    const JudgedProblem scaled = orbit_for_adaptive_steps(*subject);
    Forces<double> forces(scaled);
    const auto run = subject->in_double(forces);
    run->start(scaled.start);
    double t = 0, longest = 0;
    for (int k = 0; k < 512; ++k) {
      run->step(scaled.h, 1);
      longest = std::max(longest, run->point().t - t);
      t = run->point().t;
    }
    EXPECT_GT(longest, 0.7 * elongated_orbit().h);
    EXPECT_LT(longest, 1.5 * elongated_orbit().h);
  }
}

TEST(AdaptiveSteps, of_loops_see_the_form_with_time_and_energy) {
  const auto loop = [](AdaptiveFlaw flaw) {
    const auto subject = adaptive_subject({hamiltonian, flaw});
    const JudgedProblem scaled = for_adaptive_steps(*subject, generic(), ProblemKind::extended);
    const auto clocked = clock_as_coordinate(*subject, scaled);
    Measurements measurements(1);
    return measurements.loop_integral(*clocked, with_clock(scaled), NumberType::real).value;
  };
  EXPECT_LE(loop(none), 1e-13);
  EXPECT_GT(loop(without_gradients), 1e-2);
  EXPECT_GT(loop(own_energy), 1e-2);
}

TEST(AdaptiveSteps, rows_are_decided_by_declarations) {
  const auto verdict = [](const BuiltInAdaptiveMethod& method, const std::string& test, auto declare) {
    using Declaring = DeclaringMethod<BuiltInAdaptiveMethod>;
    ForeignDeclaration declaration;
    declaration.name = "x";
    declaration.kinds = {ProblemKind::adaptive};
    declare(declaration);
    Declaring subject(method, declaration);
    Judgement judgement;
    judge_adaptive_steps(subject, {.drawn = 0}, judgement);
    for (const JudgementRow& row : judgement.rows)
      if (row.test == test) return row.claim.verdict;
    return Verdict::not_testable;
  };
  const auto nothing = [](ForeignDeclaration&) {};
  const auto symmetric = [](ForeignDeclaration& declaration) { declaration.symmetric = true; };
  const auto not_symmetric = [](ForeignDeclaration& declaration) { declaration.symmetric = false; };
  EXPECT_EQ(verdict(honest, "symmetric", nothing), Verdict::result);
  EXPECT_EQ(verdict(honest, "symmetric", symmetric), Verdict::confirmed);
  EXPECT_EQ(verdict(honest, "symmetric", not_symmetric), Verdict::refuted);
  EXPECT_EQ(verdict({reversible, old_density}, "symmetric", symmetric), Verdict::refuted);
  EXPECT_EQ(verdict({reversible, old_density}, "symmetric", not_symmetric), Verdict::confirmed);
  EXPECT_EQ(verdict({reversible, old_density}, "energy", nothing), Verdict::result);
  EXPECT_EQ(verdict(honest, "symplectic", [](ForeignDeclaration& declaration) { declaration.symplectic = true; }),
            Verdict::undecided);
  for (const auto& [order, expected] : {std::pair(2, Verdict::confirmed), {1, Verdict::refuted}, {3, Verdict::refuted}})
    EXPECT_EQ(
        verdict(honest, "order of q", [order = order](ForeignDeclaration& declaration) { declaration.order = order; }),
        expected);
}

}  // namespace
