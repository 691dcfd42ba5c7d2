// SPDX-License-Identifier: MIT
//
// The judge of methods from outside: what it measures on a method that is right and on one that is wrong in the way in
// question. The sources are compiled into this program, so that mutants of them are. One file, for in two programs they would be
// compiled twice.
#include <gtest/gtest.h>

#include <livi/judge/controls/built_in_methods.cpp>
#include <livi/judge/controls/constrained_methods.cpp>
#include <livi/judge/controls/rigid_body_methods.cpp>
#include <livi/judge/hints/bath_diagnosis.cpp>
#include <livi/judge/hints/bath_mistakes.cpp>
#include <livi/judge/hints/bath_places.cpp>
#include <livi/judge/hints/diagnosis.cpp>
#include <livi/judge/hints/reproducer.cpp>
#include <livi/judge/hints/reproducer_baths.cpp>
#include <livi/judge/hints/reproducer_constrained.cpp>
#include <livi/judge/hints/reproduction.cpp>
#include <livi/judge/hints/timed_diagnosis.cpp>
#include <livi/judge/measures/closed_curves.cpp>
#include <livi/judge/measures/constrained_problems.cpp>
#include <livi/judge/measures/constraints.cpp>
#include <livi/judge/measures/found_coefficients.cpp>
#include <livi/judge/measures/heat_bath.cpp>
#include <livi/judge/measures/measured_dependence.cpp>
#include <livi/judge/measures/measured_motions.cpp>
#include <livi/judge/measures/measured_symplecticity.cpp>
#include <livi/judge/measures/measurements.cpp>
#include <livi/judge/method/foreign_subject.cpp>
#include <livi/judge/output/judgement_table.cpp>
#include <livi/judge/problems/exact_motion.cpp>
#include <livi/judge/problems/judged_problem.cpp>
#include <livi/judge/problems/judged_problems.cpp>
#include <livi/judge/problems/number_text.cpp>
#include <livi/judge/rows/judgement.cpp>
#include <livi/judge/rows/row_table.cpp>
#include <livi/judge/tests/judge.cpp>
#include <livi/judge/tests/judge_constraints.cpp>
#include <livi/judge/tests/judge_heat_bath.cpp>
#include <livi/judge/tests/judge_long_runs.cpp>
#include <livi/judge/tests/judge_manifold.cpp>
#include <livi/judge/tests/judge_orders.cpp>
#include <livi/judge/tests/judge_rows.cpp>
#include <livi/judge/tests/judge_steps.cpp>
#include <livi/judge/tests/judge_structure.cpp>

// Rigid bodies: foreign_body_judge.cpp.
void livi::foreign_detail::Judge::bodies() {}
// Steps at drawn places: foreign_drawn_steps.cpp.
void livi::foreign_detail::Judge::drawn_steps() {}
// Constrained systems in a heat bath: heat_bath_judge.cpp.
void livi::foreign_detail::Judge::constrained_bath() {}
// Methods that choose their steps: foreign_adaptive_judge.cpp.
void livi::judge_adaptive_steps(ForeignSubject&, const JudgementOptions&, Judgement&) {}
std::vector<std::string> livi::diagnose_adaptive_steps(ForeignSubject&, const Judgement&) { return {}; }
livi::Reproducer livi::reproduce_adaptive_steps(ForeignSubject&, const Judgement&, const std::optional<RowId>&) {
  return {};
}
std::vector<std::string> livi::diagnose_bodies(ForeignSubject&, const Judgement&) { return {}; }
livi::Reproducer livi::foreign_detail::reproduce_bodies(ForeignSubject&, const Judgement&,
                                                        const std::optional<RowId>&) {
  return {};
}

#include "verification/judge/bath_method.hpp"
#include "verification/judge/declaring.hpp"
#include "verification/judge/forked.hpp"
#include "verification/judge/judgement_rows.hpp"
#include "verification/judge/mistaken.hpp"

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

const JudgedProblems& problems() {
  static const JudgedProblems all = judged_problems({ProblemKind::mechanical}, 1, 0);
  return all;
}
const JudgedProblem& generic() { return problems().generic.front(); }

/// Returns what `measure` says of a method.
template <class Measure>
double of(const BuiltInMethod& method, const Measure& measure) {
  const auto subject = built_in_subject(method);
  Measurements measurements(1);
  return measure(measurements, *subject).value;
}

constexpr double rounding_of_steps = 1e-13, visible = 1e-9;

/// The measurement is at the floor for a right method and visible for a wrong one.
template <class Measure>
void tells(const BuiltInMethod& right, const BuiltInMethod& wrong, const Measure& measure) {
  EXPECT_LT(of(right, measure), rounding_of_steps);
  EXPECT_GT(of(wrong, measure), visible);
}

TEST(Measurements, of_loops_tell_symplectic_steps) {
  for (const NumberType type : {NumberType::real, NumberType::digits})
    tells(built_in_verlet(), built_in_runge_kutta_4(),
          [&](Measurements& m, ForeignSubject& s) { return m.loop_integral(s, generic(), type); });
}
TEST(Measurements, of_derivatives_tell_symplectic_steps) {
  tells(built_in_verlet(), built_in_runge_kutta_4(),
        [](Measurements& m, ForeignSubject& s) { return m.complex_step(s, generic()); });
  tells(built_in_verlet(), built_in_runge_kutta_4(),
        [](Measurements& m, ForeignSubject& s) { return m.exact_in_fractions(s, problems().cubic); });
  tells(built_in_verlet(), built_in_explicit_euler(),
        [](Measurements& m, ForeignSubject& s) { return m.exact_in_double(s, problems().cubic); });
}
TEST(Measurements, of_exact_derivatives_are_those_of_the_step) {
  // Explicit Euler on the oscillator: the determinant is 1 + h^2, h = 1/4.
  for (const bool fractions : {false, true})
    EXPECT_EQ(of(built_in_explicit_euler(),
                 [&](Measurements& m, ForeignSubject& s) {
                   return fractions ? m.exact_in_fractions(s, problems().oscillator)
                                    : m.exact_in_double(s, problems().oscillator);
                 }),
              1.0 / 16);
  EXPECT_EQ(of(built_in_verlet(),
               [](Measurements& m, ForeignSubject& s) { return m.exact_in_fractions(s, problems().cubic); }),
            0);
}
TEST(Measurements, of_orders_are_those_of_the_methods) {
  Measurements measurements(1);
  for (const auto& [method, order] : {std::pair(built_in_symplectic_euler(), 1), std::pair(built_in_verlet(), 2),
                                      std::pair(built_in_runge_kutta_4(), 4)}) {
    const auto subject = built_in_subject(method);
    const MeasuredOrder global = measurements.order(*subject, generic(), 1);
    EXPECT_NEAR(global.q, order, 0.1);
    EXPECT_NEAR(global.p, order, 0.1);
    EXPECT_EQ(global.why_undecided, "");
    const MeasuredOrder local = measurements.local_order(*subject, generic(), NumberType::rational);
    EXPECT_NEAR(local.p, order, 0.05);
  }
}
TEST(Measurements, of_reversal_tell_symmetric_steps) {
  tells(built_in_verlet(), built_in_symplectic_euler(),
        [](Measurements& m, ForeignSubject& s) { return m.reversal(s, generic(), NumberType::real); });
}
TEST(Measurements, of_turned_steps_tell_branches_on_the_sign_of_h) {
  Measurements measurements(1);
  for (const ProblemKind kind : {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable}) {
    const JudgedProblem problem = judged_problems({kind}, 1, 0).generic.back();
    const auto turned = [&](const BuiltInMethod& method) {
      return measurements.turned_step(*built_in_subject(method), problem).value;
    };
    // It holds for any order, symmetric or not.
    for (const BuiltInMethod& method : {built_in_verlet(), built_in_symplectic_euler(), built_in_runge_kutta_4()})
      EXPECT_LE(turned(method), 1e-15) << method.name;
    EXPECT_GT(turned(built_in_symplectic_euler(BuiltInFlaw::turned_back)), 1e-2);
  }
}

TEST(Measurements, of_momentum_tell_what_conserves_it) {
  const JudgedProblem& particles = problems().particles;
  tells(built_in_verlet(), built_in_verlet(BuiltInFlaw::pushes), [&](Measurements& m, ForeignSubject& s) {
    return m.momentum(s, particles, particles.linear, NumberType::real);
  });
  tells(built_in_verlet(), built_in_explicit_euler(), [&](Measurements& m, ForeignSubject& s) {
    return m.momentum(s, particles, particles.angular, NumberType::rational);
  });
}
TEST(Measurements, of_closed_forms_tell_right_coefficients) {
  const BuiltInMethod long_drift = built_in_splitting("x", {1.001}, {0.5, 0.5}, true);
  const BuiltInMethod strong_kick = built_in_splitting("y", {1}, {0.501, 0.501}, true);
  tells(built_in_verlet(), long_drift,
        [](Measurements& m, ForeignSubject& s) { return m.free_particle(s, generic()); });
  tells(built_in_verlet(), strong_kick, [](Measurements& m, ForeignSubject& s) { return m.constant_force(s, 2); });
  tells(built_in_runge_kutta_4(), built_in_verlet(),
        [](Measurements& m, ForeignSubject& s) { return m.forces_of_time(s, 4); });
  tells(built_in_verlet(), built_in_verlet(BuiltInFlaw::single_number),
        [](Measurements& m, ForeignSubject& s) { return m.precision(s, generic()); });
}
TEST(Measurements, of_dependence_count_what_differs) {
  const BuiltInMethod right = built_in_verlet();
  tells(right, built_in_verlet(BuiltInFlaw::counts_steps),
        [](Measurements& m, ForeignSubject& s) { return m.repetition(s, generic()); });
  tells(right, built_in_verlet(BuiltInFlaw::counts_steps),
        [](Measurements& m, ForeignSubject& s) { return m.batch(s, generic()); });
  tells(right, built_in_verlet(BuiltInFlaw::remembers),
        [](Measurements& m, ForeignSubject& s) { return m.history(s, generic()); });
  tells(right, built_in_verlet(BuiltInFlaw::forgets_in_saved),
        [](Measurements& m, ForeignSubject& s) { return m.restart(s, generic()); });
  const BuiltInMethod old_force{.name = "old force",
                                .parts = {{StepPart::What::kick_with_last_force, 1, 2},
                                          {StepPart::What::drift, 1},
                                          {StepPart::What::kick_with_last_force, 1, 2}}};
  tells(right, old_force, [](Measurements& m, ForeignSubject& s) { return m.memory(s, generic()); });
  const IsWrong turned = [last = 0.0](const JudgedProblem&, double h, NumberType) mutable {
    const bool is_turned = h == -last;
    last = h;
    return is_turned;
  };
  Forked kept_by_square(right, built_in_lopsided_verlet(), turned, {.name = "x"});
  EXPECT_GT(Measurements(1).memory(kept_by_square, generic()).value, visible);
}
TEST(Measurements, of_the_oscillator_know_its_limits) {
  const auto limit = [](Measurements& m, ForeignSubject& s) { return m.stability_limit(s, 8); };
  EXPECT_NEAR(of(built_in_verlet(), limit), 2, 1e-5);
  EXPECT_NEAR(of(built_in_runge_kutta_4(), limit), std::sqrt(8), 1e-5);
}
TEST(Measurements, of_energy_tell_drifts) {
  const auto drift = [](Measurements& m, ForeignSubject& s) {
    return m.energy_drift(s, problems().orbit, 4096, 0x1p-53);
  };
  EXPECT_LT(of(built_in_verlet(), drift), 0.1);
  EXPECT_GT(of(built_in_runge_kutta_4(), drift), 0.5);
}
TEST(Measurements, of_number_types_tell_those_that_differ) {
  tells(built_in_verlet(), built_in_verlet(BuiltInFlaw::single_number),
        [](Measurements& m, ForeignSubject& s) { return m.number_types(s, generic(), NumberType::digits); });
}
TEST(Measurements, of_cost_count_gradients) {
  const auto gradients = [](Measurements& m, ForeignSubject& s) { return m.gradients(s, generic()); };
  EXPECT_EQ(of(built_in_verlet(), gradients), 2);
  EXPECT_EQ(of(built_in_runge_kutta_4(), gradients), 4);
}

TEST(Defects, that_are_no_numbers_are_the_worst) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(foreign_detail::is_worse(nan, 1e300));
  EXPECT_FALSE(foreign_detail::is_worse(1e300, nan));
  EXPECT_TRUE(std::isnan(foreign_detail::worse(nan, 1)) && std::isnan(foreign_detail::worse(1, nan)));
  EXPECT_EQ(foreign_detail::worse(1, 2), 2);
}

TEST(HeatBath, is_measured_to_rounding) {
  const auto of = [](BuiltInFlaw flaw, auto measure) { return measure(*built_in_subject(built_in_baoab(flaw))).value; };
  using enum BuiltInFlaw;
  EXPECT_LE(of(none, fresh_noise), 1e-14);
  EXPECT_LE(of(none, friction_of_free_bodies), 1e-5);
  EXPECT_LE(of(none, noise_of_free_bodies), 1e-5);
  EXPECT_EQ(of(none, noise_without_heat), 0);
  EXPECT_EQ(of(old_noise, fresh_noise), 1);
  EXPECT_LE(of(none, noise_later), 1e-14);
  EXPECT_GT(of(bath_ends, noise_later), 0.01);
  EXPECT_EQ(of(none, restart_in_a_bath), 0);
  EXPECT_GT(of(bath_is_not_saved, restart_in_a_bath), 0.01);
  EXPECT_NEAR(of(friction_per_body, friction_of_free_bodies), 2, 1e-3);
  EXPECT_NEAR(of(noise_without_mass, noise_of_free_bodies), 1, 1e-3);
  EXPECT_NEAR(of(shared_noise, noise_of_free_bodies), 1, 1e-3);
  EXPECT_NEAR(of(noise_of_three, noise_of_free_bodies), 1, 1e-3);
  EXPECT_GT(of(warm_without_heat, noise_without_heat), 0);
  EXPECT_LE(step_is_affine(*built_in_subject(built_in_baoab()), 1).value, 1e-14);
  EXPECT_GT(step_is_affine(*built_in_subject(built_in_baoab(squared_noise)), 1).value, 1e-3);
  const auto order = [](BuiltInFlaw flaw, bool momentum) {
    return sampling_order(*built_in_subject(built_in_baoab(flaw)), momentum).value;
  };
  EXPECT_EQ(order(none, false), exact_sampling);
  EXPECT_NEAR(order(none, true), 2, 0.01);
  EXPECT_NEAR(order(first_order_bath, false), 1, 0.05);
  EXPECT_NEAR(order(first_order_bath, true), 1, 0.05);
  EXPECT_NEAR(order(noise_without_mass, true), 0, 0.05);
}

const ConstrainedProblems& constrained() {
  static const ConstrainedProblems all = constrained_problems(1, 1);
  return all;
}
/// Returns the largest value of a measurement over the problems without symmetry.
double worst_of(ConstrainedFlaw flaw, Measured (*measure)(ForeignSubject&, const JudgedProblem&)) {
  const auto subject = built_in_subject(built_in_rattle(flaw));
  double worst = 0;
  for (const JudgedProblem& problem : constrained().generic)
    worst = foreign_detail::worse(worst, measure(*subject, problem).value);
  return worst;
}
Measured one_force(ForeignSubject& subject, const JudgedProblem& problem) {
  return force_along_manifold(subject, problem).error;
}
TEST(Constraints, are_measured_to_rounding) {
  using enum ConstrainedFlaw;
  EXPECT_LT(worst_of(none, distance_from_constraints), 1e-14);
  EXPECT_LT(worst_of(none, velocity_across_constraints), 1e-14);
  EXPECT_LT(worst_of(none, constrained_reversal), 1e-13);
  EXPECT_LT(worst_of(none, one_force), 1e-14);
  EXPECT_LT(worst_of(without_hidden, constrained_reversal), 1e-13);
  EXPECT_GT(worst_of(without_hidden, velocity_across_constraints), 1e-3);
  EXPECT_GT(worst_of(one_iteration, distance_from_constraints), 1e-6);
  EXPECT_GT(worst_of(momentum_of_free, constrained_reversal), 1e-3);
  EXPECT_GT(worst_of(strong_force, one_force), 1e-10);
  // Steps longer than that of the problem, and what the momentum has across the constraints.
  EXPECT_GT(worst_of(lopsided_in_between, constrained_reversal), 1e-3);
  EXPECT_GT(worst_of(keeps_sign_across, constrained_reversal), 1e-6);
  EXPECT_GT(worst_of(keeps_sign_across, effect_of_momentum_across), 1e-6);
  EXPECT_LT(worst_of(none, effect_of_momentum_across), 1e-13);
  EXPECT_LT(worst_of(without_hidden, effect_of_momentum_across), 1e-13);
  EXPECT_LT(worst_of(none, constrained_turned_step), 1e-13);
  EXPECT_GT(worst_of(absolute_step, constrained_turned_step), 1e-3);
  const auto last = built_in_subject(built_in_rattle(forgets_last));
  EXPECT_GT(distance_from_constraints(*last, constrained().generic[2]).value, 1e-6);
  EXPECT_GT(velocity_across_constraints(*last, constrained().generic[2]).value, 1e-6);
}
TEST(Constraints, bind_heavy_bodies) {
  const ConstrainedMeasurements measurements(1);
  const IsWrong with_heavy = [](const JudgedProblem& problem, double, NumberType) {
    return foreign_detail::extent_of(problem.masses) > 5;
  };
  Forked subject(built_in_rattle(), built_in_rattle(ConstrainedFlaw::lopsided), with_heavy, {.name = "x"});
  double worst = 0;
  for (const JudgedProblem& problem : constrained().wide)
    worst = foreign_detail::worse(worst, constrained_reversal(subject, problem).value);
  EXPECT_GT(worst, 1e-6);
  // Roundings of areas are taken over masses, as areas are.
  for (const JudgedProblem& problem : constrained().wide)
    EXPECT_LT(measurements.loop_integral(*built_in_subject(built_in_rattle()), problem, 0).value, 1e-13)
        << problem.name;
}
TEST(Constraints, have_loops_on_their_manifold) {
  const ConstrainedMeasurements measurements(1);
  using enum ConstrainedFlaw;
  for (const JudgedProblem& problem : constrained().generic) {
    for (const ConstrainedFlaw flaw : {none, without_hidden, lopsided})
      EXPECT_LT(measurements.loop_integral(*built_in_subject(built_in_rattle(flaw)), problem, 0).value, 1e-12);
    for (const ConstrainedFlaw flaw : {momentum_of_free, direction_of_end, step_without_masses})
      EXPECT_GT(measurements.loop_integral(*built_in_subject(built_in_rattle(flaw)), problem, 0).value, 1e-6);
  }
}
TEST(Constraints, have_orders_and_momenta_that_are_known) {
  ConstrainedMeasurements measurements(1);
  const BuiltInMethod suzuki{.name = "x", .constrained = ConstrainedSteps{suzuki_shares()}};
  const JudgedProblem& problem = constrained().generic[2];
  using enum ConstrainedFlaw;
  for (const auto& [method, order] : {std::pair(built_in_rattle(), 2), std::pair(built_in_rattle(without_hidden), 2),
                                      std::pair(built_in_rattle(hidden_of_start), 1), std::pair(suzuki, 4)}) {
    const MeasuredOrder measured = measurements.order(*built_in_subject(method), problem, 1, 0);
    EXPECT_NEAR(measured.q, order, 0.05) << method.name;
    EXPECT_NEAR(measured.p, order, 0.05) << method.name;
    EXPECT_EQ(measured.why_undecided, "") << method.name;
  }
  const auto short_steps = [&](ConstrainedFlaw flaw) {
    return measurements.short_steps(*built_in_subject(built_in_rattle(flaw)), constrained().generic[1], 0).value;
  };
  EXPECT_LT(short_steps(none), 1e-9);
  EXPECT_LT(short_steps(from_differences), 1e-9);
  EXPECT_GT(short_steps(long_drift), 5e-9);
  EXPECT_GT(short_steps(pushes), 1e-5);
  EXPECT_GT(short_steps(float_step), 1e-8);
  EXPECT_GT(short_steps(asleep_at_rest), 0.1);
  const auto very_short_steps = [&](ConstrainedFlaw flaw, double distance = 0) {
    return measurements
        .very_short_steps(*built_in_subject(built_in_rattle(flaw)), constrained().generic[1], distance, 2)
        .value;
  };
  EXPECT_LT(very_short_steps(none), 1e-5);
  EXPECT_LT(very_short_steps(from_differences), 1e-5);
  EXPECT_GT(very_short_steps(light_when_short), 0.1);
  EXPECT_GT(very_short_steps(too_light_when_short), 1e-3);  // the shorter the more
  EXPECT_GT(very_short_steps(absolute_step), 0.1);
  EXPECT_GT(very_short_steps(pushes), 1e-4);  // momenta only
  EXPECT_GT(very_short_steps(early_end), 1e-6);
  EXPECT_LT(very_short_steps(early_end, 1e-8), 1e-7);
  // A distance that is left says where slopes end.
  EXPECT_TRUE(measurements.order(*built_in_subject(built_in_rattle()), problem, 1, 1e-4).shows_nothing);
  const auto momentum = [](ConstrainedFlaw flaw, const JudgedProblem& of, bool angular) {
    return constrained_momentum(*built_in_subject(built_in_rattle(flaw)), of, angular ? of.angular : of.linear).value;
  };
  EXPECT_LT(momentum(none, constrained().bodies, false), 1e-13);
  EXPECT_LT(momentum(none, constrained().bodies, true), 1e-13);
  EXPECT_LT(momentum(without_hidden, constrained().surface, true), 1e-13);
  EXPECT_GT(momentum(pushes, constrained().bodies, false), 1e-4);
  EXPECT_GT(momentum(hidden_of_start, constrained().bodies, true), 1e-4);
  EXPECT_GT(momentum(hidden_of_start, constrained().surface, true), 1e-5);
  EXPECT_LT(long_steps(*built_in_subject(built_in_rattle())).value, 1e-14);
  EXPECT_GT(long_steps(*built_in_subject(built_in_rattle(hides_failure))).value, 1e-3);
  EXPECT_EQ(typical_constrained_mistake(*built_in_subject(built_in_rattle())), "");
  EXPECT_EQ(typical_constrained_mistake(*built_in_subject(built_in_rattle(half_in_momentum))),
            "its step is that of RATTLE with half of the multipliers in the momentum");
}
/// RATTLE that declares what it is, and leaves out chains of rods, which are much work.
class Constrained final : public ForeignSubject {
 public:
  explicit Constrained(ConstrainedFlaw flaw) : Constrained(ConstrainedSteps{{1}, flaw}) {}
  explicit Constrained(const ConstrainedSteps& steps) : method_(constrained_subject("x", steps)) {
    declaration.kinds = {ProblemKind::constrained};
    declaration.symplectic = declaration.symmetric = declaration.hidden = true;
    declaration.order = 2;
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    if (forces.problem().constraints.size() > 2) throw ProblemRefused("it takes two constraints at most");
    return method_->in_double(forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override { return method_->another(); }
  ForeignDeclaration declaration{.name = "x"};

 private:
  std::unique_ptr<ForeignSubject> method_;
};
std::map<std::string, Verdict> verdicts_of(ForeignSubject& subject) {
  std::map<std::string, Verdict> verdicts;
  for (const JudgementRow& row : judge(subject, {.drawn = 0, .quick = true}).rows)
    verdicts[row.test] = row.claim.verdict;
  return verdicts;
}
TEST(Constraints, are_judged_fairly) {
  using enum ConstrainedFlaw;
  Constrained early(early_end);
  auto verdict = verdicts_of(early);
  EXPECT_EQ(verdict["symplectic"], Verdict::undecided);
  EXPECT_EQ(verdict["constraint"], Verdict::refuted);
  // Steps that are far too long fail on problems with two constraints and more; what is seen on the others refutes.
  Forked lost(
      built_in_rattle(hidden_of_start), {.name = "x", .constrained = ConstrainedSteps{{1024}}},
      [](const JudgedProblem& problem, double, NumberType) { return problem.constraints.size() > 1; },
      early.declaration);
  verdict = verdicts_of(lost);
  EXPECT_EQ(verdict["constraint"], Verdict::undecided);
  EXPECT_EQ(verdict["symmetric"], Verdict::refuted);
  EXPECT_EQ(verdict["order of q"], Verdict::refuted);
  // Bodies that hang on one rod of two are lost far away; two surfaces, of which one is missing, tell.
  Constrained one(forgets_last);
  EXPECT_EQ(verdicts_of(one)["hidden constraint"], Verdict::refuted);
  Constrained shake(without_hidden);
  shake.declaration.hidden = false;
  EXPECT_EQ(verdicts_of(shake)["hidden constraint"], Verdict::confirmed);
}
TEST(Constraints, are_judged_by_the_tolerance_declared) {
  Constrained early(ConstrainedFlaw::early_end);
  early.declaration.tolerance = 1e-8;
  auto verdict = verdicts_of(early);
  EXPECT_EQ(verdict["symplectic"], Verdict::confirmed_with_limits);
  EXPECT_EQ(verdict["constraint"], Verdict::confirmed_with_limits);
  // A step of two sizes is not symmetric, by less than the tolerance; it lies on the constraints, so that it is no iteration.
  Constrained unequal(ConstrainedSteps{{0.50001, 0.49999}});
  unequal.declaration.tolerance = 1e-6;
  verdict = verdicts_of(unequal);
  EXPECT_EQ(verdict["symmetric"], Verdict::undecided);
  EXPECT_EQ(verdict["very short steps"], Verdict::confirmed);
  unequal.declaration.tolerance = 1e-4;
  EXPECT_EQ(verdicts_of(unequal)["very short steps"], Verdict::not_testable);
}

TEST(Problems, have_the_derivatives_of_their_potentials) {
  const JudgedProblem& problem = generic();
  Forces<Rational> forces(problem);
  const auto start = point_in<Rational>(problem.start);
  const Rational e(Integer(1), pow(Integer(2), 40));
  const auto g = forces.gradient(start.t, start.q);
  const auto hessian = forces.hessian(start.t, start.q);
  for (std::size_t i = 0; i < 3; ++i) {
    auto q = start.q;
    q[i] += e;
    const Rational slope = (forces.value(start.t, q) - forces.value(start.t, start.q)) / e;
    EXPECT_NEAR(Rational(slope - g[i]).convert_to<double>(), 0, 1e-10);
    for (std::size_t j = 0; j < 3; ++j) {
      const Rational second = (forces.gradient(start.t, q)[j] - g[j]) / e;
      EXPECT_NEAR(Rational(second - hessian[3 * i + j]).convert_to<double>(), 0, 1e-10);
      std::vector<Rational> a(3, Rational(0)), b(3, Rational(0));
      a[i] = b[j] = Rational(1);
      const auto third = forces.third(start.t, start.q, a, b);
      const Rational change = (forces.hessian(start.t, q)[3 * j + 1] - hessian[3 * j + 1]) / e;
      EXPECT_NEAR(Rational(change - third[1]).convert_to<double>(), 0, 1e-10);
    }
  }
}

TEST(Problems, that_are_drawn_have_steps_of_all_bits_and_either_sign) {
  const JudgedProblems drawn =
      judged_problems({ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable}, 1, 2);
  const auto has_all_bits = [](const JudgedProblem& problem) {
    return std::ldexp(problem.h, 40) != std::round(std::ldexp(problem.h, 40));
  };
  int back = 0, ahead = 0;
  for (const JudgedProblem& problem : drawn.generic) {
    if (problem.h == 0.25) continue;
    EXPECT_TRUE(has_all_bits(problem)) << problem.name;
    ++(problem.h < 0 ? back : ahead);
  }
  EXPECT_EQ(back, 3);  // one of every kind
  EXPECT_EQ(ahead, 1);
  EXPECT_LT(drawn.bodies.back().h, 0);
  for (const ProblemKind kind : {ProblemKind::mechanical, ProblemKind::separable})
    EXPECT_TRUE(std::ranges::any_of(drawn.cubics,
                                    [kind](const JudgedProblem& cubic) { return cubic.kind == kind && cubic.h < 0; }));
}

TEST(Judgement, looks_at_a_constant_force_in_long_steps) {
  const IsWrong in_long_steps = [](const JudgedProblem&, double h, NumberType) { return std::abs(h) > 2; };
  ForeignDeclaration declaration{.name = "x", .order = 2};
  Forked subject(built_in_verlet(), built_in_splitting("y", {1}, {0.501, 0.501}, true), in_long_steps, declaration);
  for (const JudgementRow& row : judge(subject, {.drawn = 0, .slow = true}).rows)
    EXPECT_EQ(row.claim.verdict == Verdict::refuted, row.test == "constant force") << row.test;
}

TEST(Judgement, looks_at_drawn_problems_in_every_number_type) {
  const BuiltInMethod midpoint{.name = "x", .tableau = {{}, {1}, {0, 2}}, .tableau_denominator = 2};
  for (const NumberType type : {NumberType::digits, NumberType::rational}) {
    ForeignDeclaration declaration{.name = "x"};
    declaration.symplectic = declaration.symmetric = declaration.angular_momentum = true;
    declaration.numbers = {type};
    declaration.digits = 50;
    Forked subject(
        built_in_verlet(), midpoint,
        [](const JudgedProblem& problem, double, NumberType) { return problem.size() > 3 && problem.size() != 6; },
        declaration);
    int refuted = 0;
    for (const JudgementRow& row : judge(subject, {.drawn = 1, .quick = true}).rows)
      if (row.claim.verdict == Verdict::refuted) ++refuted;
    EXPECT_EQ(refuted, 3);
  }
}

TEST(Measurements, of_local_orders_go_the_way_of_the_step) {
  JudgedProblem back = generic();
  back.h = -back.h;
  const auto order = [&](const BuiltInMethod& method) {
    return of(method, [&](Measurements& m, ForeignSubject& s) {
      return Measured{m.local_order(s, back, NumberType::rational).q};
    });
  };
  EXPECT_NEAR(order(built_in_verlet()), 2, 0.05);
  EXPECT_NEAR(order(built_in_verlet(BuiltInFlaw::absolute_step)), 0, 0.05);
}

TEST(Accuracy, is_allowed_where_it_is_declared_and_no_further) {
  ForeignDeclaration declaration{.name = "x"};
  EXPECT_EQ(allowed(declaration, 0x1p-44), 0x1p-44);
  EXPECT_EQ(double_bounds(declaration).holds, 0x1p-40);
  EXPECT_EQ(double_bounds(declaration).visible, 0x1p-33);
  declaration.digits = 50;
  EXPECT_NEAR(digits_bounds(declaration).holds, 1e-42, 1e-50);
  declaration.tolerance = 1e-10;
  EXPECT_NEAR(double_bounds(declaration).holds, 6.4e-9, 1e-15);
  EXPECT_NEAR(double_bounds(declaration).visible, 16 * 6.4e-9, 1e-15);
  EXPECT_NEAR(digits_bounds(declaration).holds, 6.4e-9, 1e-15);
  EXPECT_EQ(double_bounds(declaration).strict, 0x1p-40);
  EXPECT_EQ(declared_accuracy(declaration), "tolerance=1e-10");
  declaration.single_precision = true;
  EXPECT_EQ(declared_rounding(declaration, NumberType::real), 0x1p-24);
  EXPECT_EQ(declared_rounding(declaration, NumberType::digits), 1e-10);
  EXPECT_EQ(declared_rounding(declaration, NumberType::rational), 0);
}

TEST(Judgement, says_where_it_has_a_limit) {
  class Single final : public ForeignSubject {
   public:
    explicit Single(bool declared) {
      declaration_.symplectic = declaration_.symmetric = true;
      declaration_.single_precision = declared;
    }
    [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
    std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
      return method_->in_double(forces);
    }
    [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override { return method_->another(); }

   private:
    ForeignDeclaration declaration_{.name = "x"};
    std::unique_ptr<ForeignSubject> method_ = built_in_subject(built_in_verlet(BuiltInFlaw::single_number));
  };
  for (const bool declared : {true, false}) {
    Single subject(declared);
    int seen = 0;
    for (const JudgementRow& row : judge(subject, {.drawn = 0, .quick = true}).rows) {
      if (row.test != "precision" && row.test != "symmetric") continue;
      // A force that is rounded is the same force on the way back.
      const bool holds = row.test == "symmetric";
      EXPECT_EQ(row.claim.verdict, holds      ? Verdict::confirmed
                                   : declared ? Verdict::confirmed_with_limits
                                              : Verdict::refuted);
      if (!holds) {
        const char* says =
            declared ? "up to 3.8e-06, for it declares precision=single" : "precision=single declares it";
        EXPECT_NE(row.claim.note.find(says), std::string::npos) << row.claim.note;
      }
      ++seen;
    }
    EXPECT_EQ(seen, 2);
  }
}

TEST(Judgement, names_no_cause_that_is_not_seen) {
  // Forces that are as much too strong as numbers of 24 bits may be.
  const BuiltInMethod strong = built_in_splitting("x", {1}, {0.5 + 2.5e-8, 0.5 + 2.5e-8}, true);
  const IsWrong never = [](const JudgedProblem&, double, NumberType) { return false; };
  ForeignDeclaration declaration{.name = "x"};
  declaration.order = 2;
  Forked subject(strong, strong, never, declaration);
  int seen = 0;
  for (const JudgementRow& row : judge(subject, {.drawn = 0, .quick = true}).rows) {
    if (row.test != "precision" && row.test != "constant force") continue;
    EXPECT_EQ(row.claim.verdict, Verdict::refuted) << row.test;
    EXPECT_TRUE(row.claim.note.ends_with("its steps are drifts and kicks, in which nothing is iterated"))
        << row.claim.note;
    ++seen;
  }
  EXPECT_EQ(seen, 2);
}

TEST(Judgement, excuses_no_method_by_its_tolerance) {
  // Two steps of Verlet whose lengths differ are not symmetric, by less than the tolerance; their defect falls like h^3.
  const double longer = 0.50001, shorter = 1 - longer;
  const BuiltInMethod unequal = built_in_splitting("x", {longer, shorter}, {longer / 2, 0.5, shorter / 2}, true);
  const auto row_of = [&](double tolerance) {
    ForeignDeclaration declaration{.name = "x"};
    declaration.symmetric = true;
    declaration.tolerance = tolerance;
    const IsWrong never = [](const JudgedProblem&, double, NumberType) { return false; };
    Forked subject(unequal, unequal, never, declaration);
    for (const JudgementRow& row : judge(subject, {.drawn = 0, .quick = true}).rows)
      if (row.test == "symmetric") return row.claim;
    return Claim{};
  };
  EXPECT_EQ(row_of(1e-6).verdict, Verdict::undecided);
  EXPECT_NE(row_of(1e-6).note.find("fall by one power of h"), std::string::npos);
  const Claim undeclared = row_of(0);
  EXPECT_EQ(undeclared.verdict, Verdict::refuted);
  EXPECT_NE(undeclared.note.find(" for h/8, which falls with the step"), std::string::npos);
}

TEST(Numbers, are_those_that_are_written) {
  EXPECT_EQ(parse_double("-0x1.8p-3"), -0.1875);
  EXPECT_EQ(parse_double("1.5D+01"), 15);
  EXPECT_EQ(parse_rational("0x1.8p1"), Rational(3));
  EXPECT_EQ(parse_rational("-12.5e-1"), Rational(Integer(-5), Integer(4)));
  EXPECT_EQ(parse_rational("-3/6"), Rational(Integer(-1), Integer(2)));
  EXPECT_EQ(parse_digits("0x1.8p1"), Float50(3));
  EXPECT_FALSE(parse_double("1e12345"));
  EXPECT_FALSE(parse_double("1e00001"));
}

TEST(Judgement, decides_by_declarations) {
  class Declaring final : public ForeignSubject {
   public:
    [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration; }
    std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override { return method->in_double(forces); }
    [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override { return method->another(); }
    ForeignDeclaration declaration{.name = "x"};
    std::unique_ptr<ForeignSubject> method;
  };
  Declaring subject;
  subject.declaration.order = 2;
  subject.declaration.symplectic = true;
  subject.declaration.symmetric = true;
  const auto status = [&](const BuiltInMethod& method) {
    subject.method = built_in_subject(method);
    const Judgement judgement = judge(subject, {.drawn = 0, .quick = true});
    return livi::test::is_cleared(judgement) ? 0 : judgement.exit_status();
  };
  EXPECT_EQ(status(built_in_verlet()), 0);
  EXPECT_EQ(status(built_in_symplectic_euler()), 1);
  subject.declaration.symmetric = false;
  EXPECT_EQ(status(built_in_verlet()), 1);
  subject.declaration.symmetric = std::nullopt;
  EXPECT_EQ(status(built_in_verlet()), 0);
  subject.declaration.order = 1;
  EXPECT_EQ(status(built_in_symplectic_euler()), 0);
  // One that takes its adjoint for steps back is reversed, and has an odd order.
  EXPECT_EQ(odd_order_of_symmetric(subject.declaration, TestId::symmetric_order).claim.verdict, Verdict::refuted);
  subject.declaration.symmetric = true;
  EXPECT_EQ(status(built_in_symplectic_euler(BuiltInFlaw::turned_back)), 1);
  subject.declaration.order = 2;
  EXPECT_EQ(odd_order_of_symmetric(subject.declaration, TestId::symmetric_order).claim.verdict, Verdict::confirmed);
}

/// Returns a judgement in which one row is refuted, of a method for one kind of problem.
Judgement with_row(ProblemKind kind, const std::string& test, int order = 2, Verdict verdict = Verdict::refuted) {
  ForeignDeclaration declares;
  declares.kinds = {kind};
  declares.order = order;
  return {declares, {test::bare_row(declares, test, verdict)}, 1};
}
/// Returns the words of the smallest case of a method for a row.
std::string small_case(const BuiltInMethod& method, ProblemKind kind, const std::string& test) {
  const Judgement judgement = with_row(kind, test);
  Declaring subject(method, judgement.declares);
  return reproduce(subject, judgement).words;
}
std::string small_case(ConstrainedFlaw flaw, const std::string& test) {
  return small_case(built_in_rattle(flaw), ProblemKind::constrained, test);
}
std::string small_case(const OtherTime& other, const std::string& test, bool memory = false) {
  Judgement judgement = with_row(ProblemKind::timed, test);
  judgement.declares.memory = memory;
  OtherTimes subject(built_in_verlet(), judgement.declares, other);
  return reproduce(subject, judgement).words;
}

TEST(TimesOfForces, have_small_cases) {
  const auto found = [](const OtherTime& other, const char* test, const char* part) {
    const std::string words = small_case(other, test);
    EXPECT_NE(words.find(part), std::string::npos) << test << ": " << words;
  };
  for (const char* test : {"free particle", "forces of time", "memory", "symmetric", "symmetric, both signs"})
    EXPECT_EQ(small_case(built_in_verlet(), ProblemKind::timed, test), "") << test;
  const OtherTime still = [](const Asked& at) { return at.start; };
  found(still, "forces of time", "V = -q1*t, masses (1)\nstart: t = 0, q = (1), p = (0), h = 1\n");
  const OtherTime from_zero = [](const Asked& at) { return at.begin - at.start + at.share * at.h; };
  found(from_zero, "order of q", "start: t = 1, q = (1), p = (0), h = 0.25\n");
  EXPECT_NE(small_case(from_zero, "order of q", true).find("the motion at t = 2: "), std::string::npos);
  EXPECT_NE(
      small_case(built_in_verlet(BuiltInFlaw::remembers), ProblemKind::timed, "history").find("a step from t = 1"),
      std::string::npos);
}

double with_six_digits(const Asked& at) {
  return std::stod(foreign_detail::format("%.6g", at.begin + at.share * at.h));
}

TEST(TimesOfForces, have_all_their_digits) {
  OtherTimes subject(built_in_verlet(), {.name = "x"}, with_six_digits);
  EXPECT_GT(Measurements(1).forces_of_time(subject, 2).value, visible);
}

TEST(TimesOfForces, have_mistakes_that_are_named) {
  const auto said = [](const BuiltInMethod& method, const OtherTime& other, int order = 2) {
    OtherTimes subject(method, with_row(ProblemKind::timed, "forces of time", order).declares, other);
    const std::string all = mistake_of_clock(subject, 1);
    return all.substr(0, all.find(';'));
  };
  using What = StepPart::What;
  const BuiltInMethod verlet = built_in_verlet();
  const BuiltInMethod remembering{.name = "x",
                                  .parts = {{What::kick_with_last_force, 1, 2}, {What::drift, 1}, {What::kick, 1, 2}}};
  const OtherTime still = [](const Asked& at) { return at.start; };
  const OtherTime in_the_middle = [](const Asked& at) { return at.begin + at.h / 2; };
  EXPECT_EQ(said(verlet, [](const Asked& at) { return at.begin + at.share * at.h; }), "");
  EXPECT_EQ(said(verlet, in_the_middle), "");
  EXPECT_EQ(said(built_in_lopsided_verlet(), still), "");
  EXPECT_EQ(said(remembering, still), "the clock stands still: all forces are those of one time");
  EXPECT_EQ(said(verlet, [](const Asked& at) { return at.begin - at.start + at.share * at.h; }),
            "the time of a start is not read: the clock begins at zero");
  EXPECT_EQ(said(verlet, [](const Asked& at) { return at.start + std::abs(at.begin + at.share * at.h - at.start); }),
            "in steps back the clock goes forwards, as by abs(h)");
  EXPECT_EQ(said(verlet, [](const Asked& at) { return at.start + std::abs(at.begin + at.h / 2 - at.start); }),
            "in steps back the clock goes forwards, as by abs(h)");
  EXPECT_EQ(said(verlet, [](const Asked& at) { return 2 * at.begin - at.start + at.share * at.h; }),
            "the clock goes on by 2 h in a step of h");
  EXPECT_EQ(said(verlet, [](const Asked& at) { return at.begin + (at.share + 0.5) * at.h; }),
            "the clock is half a step ahead");
  EXPECT_EQ(said(verlet, [](const Asked& at) { return at.start + (at.made + at.share) * at.h; }),
            "the clock is the number of steps times the size of the last one");
  EXPECT_EQ(said(verlet, [](const Asked&) { return 1; }), "the clock stands still: all forces are those of the time 1");
  EXPECT_EQ(said(verlet, [](const Asked& at) { return 0.25 - 1.5 * (at.begin + at.share * at.h); }),
            "forces are those of the time -1.5 t + 0.25");
  EXPECT_EQ(said(verlet, [](const Asked& at) { return -(at.begin + at.h / 2); }), "forces are those of the time -t");
  EXPECT_EQ(said(verlet, [](const Asked& at) { return at.begin + at.share * at.h + (at.made > 1 ? 1.5 : 0.5); }), "");
  EXPECT_EQ(said(verlet, with_six_digits), "times come with 6 digits");
  EXPECT_EQ(said(verlet, [](const Asked& at) { return at.made + 1; }), "");
  EXPECT_EQ(said(verlet, [](const Asked& at) { return at.begin; }),
            "all forces of a step are those of the time with which a step begins");
}

TEST(SeparableProblems, have_small_cases) {
  const ProblemKind kind = ProblemKind::separable;
  for (const char* test : {"free particle", "precision", "symmetric", "symmetric, both signs", "order of q"})
    EXPECT_EQ(small_case(built_in_verlet(), kind, test), "") << test;
  EXPECT_NE(small_case(built_in_symplectic_euler(), kind, "order of q").find("the step's power 2 is 0.5\n"),
            std::string::npos);
  EXPECT_NE(small_case(built_in_splitting("x", {1}, {0.5, 0.50002}, true), kind, "order of p").find("step is 2e-05\n"),
            std::string::npos);
  EXPECT_NE(small_case(built_in_explicit_euler(), kind, "symplectic")
                .find("T = 0.5*p1^2, V = 0.5*q1^2\nstart: q = (1), p = (0), h = 1\n"),
            std::string::npos);
  // What takes no force knows no T that is not p^2 / 2.
  const Judgement judgement = with_row(kind, "free particle");
  EulerForSeparable subject([](Forces<double>& forces, const std::vector<double>& q, const std::vector<double>& p) {
    std::vector<double> force = forces.gradient(0, q);
    for (double& x : force) x = -x;
    return std::pair(p, force);
  });
  EXPECT_NE(reproduce(subject, judgement).words.find("T = 0.5*p1^2 + 0.25*p1^4, V = 0\n"), std::string::npos);
  // Where mechanical problems are reversed, what is refuted is the other kind.
  Judgement of_both = with_row(ProblemKind::mechanical, "symmetric");
  of_both.rows.push_back(with_row(kind, "symmetric, reach", 2, Verdict::confirmed).rows.front());
  of_both.declares.kinds.push_back(kind);
  Declaring lopsided(built_in_lopsided_verlet(), of_both.declares);
  EXPECT_NE(reproduce(lopsided, of_both).words.find("T = 0.5*p1^2, V = q1\n"), std::string::npos);
}

TEST(SeparableProblems, have_mistakes_that_are_named) {
  using Vector = std::vector<double>;
  using What = StepPart::What;
  const auto said_of = [](ForeignSubject& subject, const Judgement& judgement) {
    std::string all;
    for (const std::string& sentence : diagnose(subject, judgement)) all += sentence + "\n";
    return all;
  };
  const auto said = [&](const BuiltInMethod& method, Judgement judgement) {
    Declaring subject(method, judgement.declares);
    return said_of(subject, judgement);
  };
  const Judgement refuted = with_row(ProblemKind::separable, "order of q");
  EXPECT_EQ(said(built_in_verlet(), refuted), "");
  const BuiltInMethod old_velocity{
      .name = "x", .parts = {{What::drift, 1, 2}, {What::kick, 1}, {What::drift_with_first_velocity, 1, 2}}};
  // Both of its drifts are along the velocity of the start.
  const JudgedProblem problem = judged_problems({ProblemKind::separable}, 1, 0).generic.front();
  Forces<double> forces(problem);
  const auto subject = built_in_subject(old_velocity);
  const auto run = subject->in_double(forces);
  run->start(problem.start);
  run->step(0.25, 1);
  EXPECT_NEAR(run->point().q[1], problem.start.q[1] + 0.25 * forces.velocity(problem.start.p)[1], 1e-15);
  const std::string named =
      "its steps are those of position Verlet whose second half drift uses the velocity of the old momentum\n";
  EXPECT_EQ(said(old_velocity, refuted), named);
  EXPECT_EQ(said(built_in_splitting("x", {1}, {0.375, 0.375}, true), refuted), "momenta get 0.75 times the force\n");
  EXPECT_EQ(said(built_in_splitting("x", {0.75}, {0.5, 0.5}, true), refuted), "positions move with 0.75 times dT/dp\n");
  // The first kind that shows a mistake is named, and nothing of a method that is not refuted.
  Judgement of_both = refuted;
  of_both.declares.kinds.insert(of_both.declares.kinds.begin(), ProblemKind::mechanical);
  EXPECT_NE(
      said(built_in_splitting("x", {1}, {0.375, 0.375}, true), of_both).find("its kicks sum to 0.75, not to one\n"),
      std::string::npos);
  EXPECT_EQ(said(old_velocity, with_row(ProblemKind::separable, "order of q", 2, Verdict::confirmed)), "");
  // Coefficients of McLachlan and Atela (1992).
  const Vector drifts{0.5153528374311229364, -0.085782019412973646, 0.4415830236164665242, 0.1288461583653841854},
      kicks{0.1344961992774310892, -0.2248198030794208058, 0.7563200005156682911, 0.3340036032863214255};
  EXPECT_EQ(said(built_in_splitting("x", drifts, kicks, true), with_row(ProblemKind::separable, "order of q", 4)),
            "its coefficients are of order 4 only where T is quadratic\n");
  // A velocity that is that of a position moves numbers at rest, and does not shorten them.
  EulerForSeparable at_positions([](Forces<double>& forces, const Vector& q, const Vector&) {
    Vector force = forces.gradient(0, q);
    for (double& x : force) x = -x;
    return std::pair(forces.velocity(q), force);
  });
  EXPECT_EQ(said_of(at_positions, refuted), "dT/dp is taken at positions\n");
  // A momentum that is 1e-6 too large is no coefficient.
  EulerForSeparable moved([](Forces<double>& forces, const Vector& q, const Vector& p) {
    Vector other = p, force = forces.gradient(0, q);
    for (double& x : other) x += 1e-6;
    for (double& x : force) x = -x;
    return std::pair(forces.velocity(other), force);
  });
  EXPECT_EQ(said_of(moved, refuted).rfind("its steps have no constant coefficients: ", 0), 0U);
}

TEST(Constraints, have_small_cases) {
  using enum ConstrainedFlaw;
  for (const char* test : {"constraint", "momentum across", "symmetric", "linear momentum", "angular momentum"}) {
    EXPECT_EQ(small_case(none, test), "");
    EXPECT_EQ(small_case(without_hidden, test), "");
  }
  EXPECT_NE(small_case(one_iteration, "constraint").find("g(q) = (0.015625)"), std::string::npos);
  EXPECT_NE(small_case(without_hidden, "hidden constraint").find("Dg M^-1 p = (0.53589838486224"), std::string::npos);
  EXPECT_NE(small_case(hidden_of_start, "angular momentum").find("becomes 1.15470053837925"), std::string::npos);
  EXPECT_NE(small_case(pushes, "linear momentum"), "");
  EXPECT_NE(small_case(keeps_sign_across, "momentum across"), "");
}

using Of = BathRules::Of;
Judgement of_rows(const ForeignDeclaration& declares, const std::vector<std::string>& refuted) {
  Judgement judgement{declares, {}, 1};
  for (const std::string& test : refuted)
    if (row_named(test, declares)) judgement.rows.push_back(test::bare_row(declares, test));
  return judgement;
}
/// Returns what is said of a method in a bath that is wrong by `change`.
template <class Change>
std::string likely(const Change& change, const std::vector<std::string>& refuted, bool constrained = false) {
  BathRules rules;
  change(rules);
  BathMethod subject(rules, constrained);
  std::string all;
  for (const std::string& sentence : diagnose_baths(subject, of_rows(subject.declares(), refuted))) all += sentence;
  return all;
}
template <class Variance>
auto with_variance(const Variance& variance) {
  return [=](BathRules& rules) {
    rules.variance = [=](const Of& of) { return variance(of) * of.temperature * -std::expm1(-2 * of.gamma * of.h); };
  };
}
BathRules euler_bath() {
  return {.decay = [](const Of& of) { return 1 - of.gamma * of.h; },
          .variance = [](const Of& of) { return 2 * of.gamma * of.temperature * of.mass * of.h; }};
}
TEST(HeatBath, has_mistakes_that_are_named) {
  const std::vector<std::string> every{"noise",
                                       "friction",
                                       "noise of a body",
                                       "fresh noise",
                                       "noise without heat",
                                       "sampling of q",
                                       "friction in the bath",
                                       "noise in the bath",
                                       "hidden constraint in the bath",
                                       "fresh noise in the bath",
                                       "sampling of q and p"};
  for (const bool constrained : {false, true}) EXPECT_EQ(likely([](BathRules&) {}, every, constrained), "");
  const auto once_for = [](double Of::*what) {
    return [=](BathRules& rules) { rules.decay = [=](const Of& of) { return std::exp(-of.gamma * of.h * of.*what); }; };
  };
  EXPECT_EQ(likely(once_for(&Of::bodies), {"friction"}),
            "momenta are damped at the rate gamma N, not gamma: once for every body");
  EXPECT_EQ(likely(once_for(&Of::constraints), {"friction in the bath"}, true),
            "momenta are damped at the rate gamma c, not gamma: once for every constraint");
  EXPECT_EQ(likely(with_variance([](const Of& of) { return of.mass * of.mass; }), {"noise of a body"}),
            "the noise of a step of h has the variance 2 gamma T m^2 h, not 2 gamma T m h: its size is in proportion "
            "to m, not to its root");
  EXPECT_EQ(likely(with_variance([](const Of& of) { return of.h * of.mass; }), {"noise in the bath"}, true),
            "the noise of a step of h has the variance 2 gamma T m h^2, not 2 gamma T m h: its size is in proportion "
            "to h, not to its root");
  // Right where all masses are one or four.
  EXPECT_EQ(likely(with_variance([](const Of& of) { return of.mass == 1 || of.mass == 4 ? of.mass : 1; }),
                   {"noise of a body"}),
            "");
  EXPECT_EQ(likely([](BathRules& rules) { rules.number = [](std::size_t i) { return i % 3; }; }, {"noise of a body"}),
            "the normal numbers of the first three momenta are taken for all others, too");
  EXPECT_EQ(likely([](BathRules& rules) { rules.in_halves = true; }, {"noise of a body"}),
            "the noise of a step of h has the variance 4 gamma T m h, not 2 gamma T m h: both halves of a step have "
            "the same numbers");
  EXPECT_EQ(likely([](BathRules& rules) { rules.first_numbers = true; }, {"fresh noise"}),
            "the normal numbers of the first step are taken in the next one, too");
  EXPECT_EQ(likely([](BathRules& rules) { rules.next_numbers = true; }, {"noise of a body", "fresh noise"}), "");
  EXPECT_EQ(
      likely([](BathRules& rules) { rules.taken_for = [](double x) { return std::min(2.5, std::max(-2.5, x)); }; },
             {"noise"}),
      "normal numbers are clipped: those beyond 2.5 have the effect of that");
  EXPECT_EQ(likely([](BathRules& rules) { rules.projected = false; }, {"hidden constraint in the bath"}, true),
            "the noise is not projected: it has the covariance of free bodies");
  const auto euler = [](BathRules& rules) { rules = euler_bath(); };
  EXPECT_EQ(likely(euler, {"sampling of q"}).find("the bath is Euler and Maruyama's"), 0U);
  EXPECT_EQ(likely(euler, {"noise without heat"}), "");
  EXPECT_EQ(diagnose_baths(*built_in_subject(built_in_baoab(BuiltInFlaw::warm_without_heat)),
                           of_rows(built_in_subject(built_in_baoab())->declares(), {"noise without heat"})),
            std::vector<std::string>{"the temperature is higher by 9.537e-07 than it is to be"});
}
template <class Change>
std::string case_in_a_bath(const Change& change, const std::string& test, bool constrained = false) {
  BathRules rules;
  change(rules);
  BathMethod subject(rules, constrained);
  return reproduce_baths(subject, of_rows(subject.declares(), {test}), row_named(test, subject.declares())).words;
}
TEST(HeatBath, has_small_cases) {
  for (const char* test :
       {"noise", "friction", "noise of a body", "fresh noise", "noise without heat", "sampling of p"})
    EXPECT_EQ(case_in_a_bath([](BathRules&) {}, test), "");
  for (const char* test : {"friction in the bath", "linear noise in the bath", "noise in the bath", "without friction"})
    EXPECT_EQ(case_in_a_bath([](BathRules&) {}, test, true), "");
  const auto expect = [](const std::string& words, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_NE(words.find(part), std::string::npos) << part << ": " << words;
  };
  const auto undamped = [](BathRules& rules) { rules.decay = [](const Of&) { return 1; }; };
  expect(case_in_a_bath(undamped, "friction"),
         {"masses (1), gamma = 1, T = 1", "q = (0.22119921692859512), p = (0.7788007830714049)"});
  expect(case_in_a_bath(undamped, "friction in the bath", true), {"q = (1, 0), p = (0, 1), h = 0.25"});
  expect(case_in_a_bath(with_variance([](const Of&) { return 1; }), "noise of a body"),
         {"masses (2), gamma = 1, T = 1", "goes to 4 for h to 0", "1.99221 for"});
  expect(case_in_a_bath([](BathRules& rules) { rules.number = [](std::size_t) { return 0; }; }, "noise of a body"),
         {"masses (1, 1)", "products of changes of p1 and p2, over h, goes to 0"});
  expect(case_in_a_bath([](BathRules& rules) { rules.taken_for = [](double x) { return x * x; }; }, "noise"),
         {"by 2 times what ones do"});
  expect(case_in_a_bath([](BathRules& rules) { rules.first_numbers = true; }, "fresh noise"),
         {"the second step asks for other numbers"});
  const auto euler = [](BathRules& rules) { rules = euler_bath(); };
  // On a spring of one: 1/(1 - h/2) of q, for h = 1/4.
  expect(case_in_a_bath(euler, "sampling of q"), {"is to be 1, but for O(h^2)\nh = 0.25: 1.14285714\n"});
}

}  // namespace
