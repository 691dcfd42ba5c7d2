// SPDX-License-Identifier: MIT
//
// The smallest case in which a refuted method fails, for forces of time, separable or constrained systems, or rigid bodies. Judgements
// are made up here: they say which row is refuted.
#include <gtest/gtest.h>

#include <cmath>
#include <livi/judge/hints/diagnosis.hpp>
#include <livi/judge/problems/measured_text.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "made_up_judgements.hpp"
#include "verification/judge/declaring.hpp"
#include "verification/judge/mistaken.hpp"

namespace judge_reproducer_test {

using namespace livi;
using namespace livi::test;

std::string case_of(const BuiltInMethod& method, const ForeignDeclaration& declares, const std::string& test) {
  Declaring subject(method, declares);
  const Reproducer found = reproduce(subject, with_row(declares, test), row_named(test, declares));
  EXPECT_EQ(found.test, found.words.empty() ? "" : test);
  EXPECT_EQ(found.session, "");  // there is no pipe
  return found.words;
}
std::string case_of_times(const BuiltInMethod& method, const OtherTime& other, const std::string& test, int order = 2) {
  OtherTimes subject(method, declaring(ProblemKind::timed, order), other);
  return reproduce(subject, with_row(subject.declares(), test)).words;
}

/// Verlet whose momenta get something in all runs of a process but the first.
class Leaking final : public ForeignSubject {
 public:
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    methods_.push_back(built_in_subject(built_in_verlet(runs_++ == 0 ? BuiltInFlaw::none : BuiltInFlaw::pushes_hard)));
    return methods_.back()->in_double(forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override { return std::make_unique<Leaking>(); }

 private:
  ForeignDeclaration declaration_ = declaring(ProblemKind::mechanical);
  std::vector<std::unique_ptr<ForeignSubject>> methods_;
  int runs_ = 0;
};
// A case of another row would show what was before, and could not be repeated.
TEST(Reproducer, shows_of_what_is_carried_from_run_to_run_nothing_but_that) {
  for (const char* test : {"free particle", "constant force", "order of q", "symmetric"}) {
    Leaking leaking;
    EXPECT_EQ(reproduce(leaking, with_row(leaking.declares(), test)).words, "") << test;
    EXPECT_NE(case_of(built_in_verlet(BuiltInFlaw::pushes_hard), leaking.declares(), test), "") << test;
  }
}

TEST(TimedReproducer, is_as_small_as_can_be) {
  struct Expected {
    BuiltInMethod method;
    OtherTime other;
    const char* test;
    std::vector<std::string> parts;
  };
  const BuiltInMethod verlet = built_in_verlet();
  const OtherTime right = [](const Asked& at) { return at.begin + at.share * at.h; };
  const std::string from_rest = "masses (1)\nstart: t = 0, q = (1), p = (0), h = 1\none step leads to t = 1, ";
  const std::vector<Expected> all{
      // t^2 / 2 at t = 1.
      {verlet, of_the_start, "forces of time", {"V = -q1*t, " + from_rest, "the motion leads to p = (0.5)\n"}},
      {verlet,
       with_six_digits,
       "forces of time",
       {"V = -q1*t, masses (1)\nstart: t = 0, q = (1), p = (0), h = 0.3333333333333333\n"}},
      {verlet,
       [](const Asked& at) { return std::stod(foreign_detail::format("%.6g", at.begin)) + at.share * at.h; },
       "forces of time",
       {"V = -q1*t, masses (1)\nstart: t = 0.3333333333333333, "}},
      {verlet, of_the_start, "memory", {"V = q1*t, masses (1)", "started there, it leads to t = 1.5, "}},
      {verlet, of_the_start, "order of p", {"V = q1*t, masses (1)", "the error over the step's power 2 is 0.5\n"}},
      {verlet, of_the_start, "symmetric", {"V = q1*t, masses (1)", "not to the start"}},
      {verlet,
       [](const Asked& at) { return at.begin - at.start + at.share * at.h; },
       "order of q",
       {"V = q1*t, masses (1)\nstart: t = 1, ", "one step of 0.015625: the error over the step is 1\n"}},
      {verlet,
       of_the_size,
       "order, negative steps",
       {"V = q1*t", "start: t = 0, q = (1), p = (0), h = -0.25\n", "the error over the step's power 2 is 1\n"}},
      {position_verlet(),
       [](const Asked& at) { return at.begin + (at.h < 0 ? 1 : 0) * at.h; },
       "symmetric, both signs",
       {"V = q1*t^2, masses (1)", "differs by more than the sign"}},
      {verlet,
       // The step has six digits in a force of its end.
       [](const Asked& at) {
         return at.begin + (at.share > 0 ? std::stod(foreign_detail::format("%.6g", at.share * at.h)) : 0);
       },
       "symmetric",
       {"h = 0.3333333333333333\n", "not to the start"}},
      {built_in_verlet(BuiltInFlaw::remembers), right, "history", {"after a step from t = 1, "}},
      {built_in_explicit_euler(),
       right,
       "symplectic",
       {"V = 0.5*q1^2, masses (1)", "1 at the start, 2 after one step"}},
      {built_in_splitting("x", {1.001}, {0.5, 0.5}, true),
       right,
       "free particle",
       {"V = 0, masses (1)", "p = (1), h = 1"}},
      {built_in_splitting("x", {1}, {0.5 + 1e-11, 0.5}, true),
       right,
       "forces of time",
       {"V = -q1, masses (1)\n", "the motion leads to p = (1)\n"}},
      {verlet, right, "forces of time", {}},
      {verlet, right, "order of p", {}},
      {verlet, right, "memory", {}}};
  for (const auto& [method, other, test, parts] : all) {
    const std::string words = case_of_times(method, other, test);
    EXPECT_EQ(words.empty(), parts.empty()) << method.name << ", " << test << ": " << words;
    for (const std::string& part : parts) expect_part(words, part, method.name + ", " + test);
  }
}

TEST(SeparableReproducer, is_as_small_as_can_be) {
  struct Expected {
    BuiltInMethod method;
    const char* test;
    std::vector<std::string> parts;
  };
  const std::string oscillator = "T = 0.5*p1^2, V = 0.5*q1^2\nstart: q = (1), p = (0), h = 1\n";
  // The absolute size of h makes a step of -h one of h.
  const std::vector<Expected> all{
      {built_in_explicit_euler(), "symplectic", {oscillator, "q1 and p1: 1 at the start, 2 after one step"}},
      {built_in_lopsided_verlet(), "symmetric", {"T = 0.5*p1^2, V = q1\n", "not to the start"}},
      {built_in_verlet(BuiltInFlaw::absolute_step), "symmetric, both signs", {"T = 0.5*p1^2, V = 0\n"}},
      {built_in_verlet(BuiltInFlaw::absolute_step),
       "order, negative steps",
       {"T = 0.5*p1^2, V = 0\nstart: q = (0), p = (1), h = -0.25\n", "the error over the step is 2\n"}},
      {built_in_symplectic_euler(),
       "order of q",
       {"T = 0.5*p1^2, V = q1\n", "one step of 0.015625: the error over the step's power 2 is 0.5\n",
        "with the step it would go to zero if the step were of order 2\n"}},
      // Half kicks of 0.5 + 1e-7 and 0.5 - 1e-7 move a falling body by 1e-7 h^2 too far: less than 64 steps are wrong elsewhere.
      {built_in_splitting("x", {1}, {0.5 + 1e-7, 0.5 - 1e-7}, true),
       "order of q",
       {"T = 0.5*p1^2, V = q1\n", "the error over the step's power 2 is 1e-07\n"}},
      // Forces that are too strong.
      {built_in_splitting("x", {1}, {0.50005, 0.50005}, true),
       "order of q",
       {"T = 0.5*p1^2, V = q1\nstart: q = (1), p = (0), h = 0.25\n",
        "one step of 0.25: the error over the step is 0.0001\n",
        "one step of 0.0625: the error over the step is 0.0001\n",
        "one step of 0.015625: the error over the step is 0.0001\n",
        "with the step it would go to zero if the step followed the equations\n"}},
      {built_in_splitting("x", {1}, {0.5 + 1e-11, 0.5}, true), "order of p", {"V = q1\n", "over the step is 1e-11\n"}},
      {built_in_splitting("x", {1}, {0.50005, 0.50005}, true),
       "precision",
       {"T = 0.5*p1^2, V = 0.5*q1^2\nstart: q = (1), p = (0), h = 1.4901161193847656e-08\none step leads to ",
        "the motion leads to q = (1), p = -h dV/dq = (-1.4901161193847656e-08)\n"}},
      {built_in_verlet(BuiltInFlaw::single_number),
       "precision",
       {"start: q = (0.3333333333333333), p = (0), h = 1.49"}},
      {built_in_splitting("x", {1 + 1e-11}, {0.5, 0.5}, true), "free particle", {"leads to q = (1.00000000001)"}},
      {built_in_verlet(BuiltInFlaw::counts_steps), "repetition", {"V = q1\n", "the same step leads to"}},
      {built_in_verlet(BuiltInFlaw::remembers), "history", {"after a step from"}},
      {built_in_splitting("x", {1.001}, {0.5, 0.5}, true),
       "free particle",
       {"T = 0.5*p1^2, V = 0\nstart: q = (0), p = (1)"}}};
  for (const auto& [method, test, parts] : all) {
    const std::string words = case_of(method, declaring(ProblemKind::separable), test);
    EXPECT_EQ(words.empty(), parts.empty()) << method.name << ", " << test << ": " << words;
    for (const std::string& part : parts) expect_part(words, part, method.name + ", " + test);
  }
}

TEST(ConstrainedReproducer, is_as_small_as_can_be) {
  using enum ConstrainedFlaw;
  struct Expected {
    ConstrainedFlaw flaw;
    const char* test;
    std::vector<std::string> parts;
  };
  const std::string circle = "V = 0, masses (1, 1), g = q1^2 + q2^2 - 1\nstart: q = (1, 0), p = (0, 1), h = 0.5\n",
                    pendulum = "V = q2, masses (1, 1), g = q1^2 + q2^2 - 1\n";
  // On the free circle a step of h = 1/2 goes by the angle of which the sine is 1/2.
  const std::vector<Expected> all{
      {one_iteration, "constraint", {circle, "g(q) = (0.015625) there"}},
      {forgets_last, "constraint", {"masses (1, 1, 1, 1)", "g2 = q1^2 - 2*q1*q3 + q3^2", "g(q) = ("}},
      // 4 - 2 sqrt(3): the velocity of the free drift across the circle.
      {without_hidden, "hidden constraint", {circle, "Dg M^-1 p = (0.53589838486224"}},
      {hidden_without_masses, "hidden constraint", {"V = q2, masses (1, 2)"}},
      // 2 / sqrt(3): what is not tangent at the end is taken away along the old radius.
      {hidden_of_start, "angular momentum", {circle, "q1 p2 - q2 p1 = 1 becomes 1.15470053837925"}},
      // sqrt(3) / 2, and the derivative of L sqrt(1 - h^2 L^2) by L, which is 1 / sqrt(3).
      {momentum_of_free, "angular momentum", {circle, "q1 p2 - q2 p1 = 1 becomes 0.86602540378443"}},
      {momentum_of_free, "symplectic", {circle, "q2 and p2: 1 at the start, 0.577350269 after one step"}},
      {half_in_momentum, "symmetric", {circle, "not to the start"}},
      {direction_of_end, "order of q", {"p = (-sin t, cos t)", "after 64 steps", "order 2 needs 4"}},
      {step_without_masses, "symplectic", {"V = q2, masses (1, 2)"}},
      {lopsided, "symmetric", {pendulum}},
      {absolute_step, "order, negative steps", {"h = -0.125", "the motion at t = -1: q = (0.540302305868"}},
      {absolute_step, "symmetric, both signs", {circle, "differs by more than the sign"}},
      {pushes, "linear momentum", {"masses (1, 1, 2, 2)", "p1 + p3 = 3 becomes 3.00"}},
      {strong_force, "short steps", {"masses (1, 2, 0.5)", "the error over the step is 1.8"}},
      {long_drift, "short steps", {"masses (1, 1)", "the error over the step is 1e-08"}},
      {light_when_short, "very short steps", {"h = 0.0009765625", "the error over the step is 1\n"}},
      {counts_steps, "repetition", {pendulum, "the same step leads to"}},
      {remembers, "history", {"after a step from"}},
      {old_jacobian, "memory", {"started there, it leads to"}},
      {keeps_sign_across, "momentum across", {"without what p has there along Dg'"}},
      {without_hidden, "momentum across", {}},
      {from_differences, "short steps", {}}};
  for (const auto& [flaw, test, parts] : all) {
    const std::string words = case_of(built_in_rattle(flaw), declaring(ProblemKind::constrained), test);
    EXPECT_EQ(words.empty(), parts.empty()) << name_of_rattle(flaw) << ", " << test << ": " << words;
    for (const std::string& part : parts) expect_part(words, part, name_of_rattle(flaw) + ", " + test);
  }
}

TEST(BodyReproducer, is_as_small_as_can_be) {
  using enum BodyFlaw;
  struct Expected {
    BodyFlaw flaw;
    const char* test;
    std::vector<std::string> parts;
  };
  const std::string ball =
      "V = 0, moments of inertia (1, 1, 1)\nstart: R = (1, 0, 0; 0, 1, 0; 0, 0, 1), mu = (0, 0, 1), h = 0.5\n";
  const std::vector<Expected> all{
      // x^4 / 4 for x = 1/2.
      {off_the_group, "group", {ball, "R'R - 1 = (0.015625, 0, 0; 0, 0.015625, 0; 0, 0, 0)"}},
      {left_handed, "group", {"128 steps lead to", "det R - 1 = -2"}},
      {pushes, "rest", {"mu = (0, 0, 0), h = 0.5\n", "mu = (0.00048828125, 0, 0)\nnothing moves this body"}},
      {longer_momentum, "size of momentum", {ball, "|mu| = 1 becomes 1.0001220703125"}},
      {pushes, "angular momentum", {ball, "R mu = (0, 0, 1) becomes ("}},
      {in_place, "angular momentum", {"V = 0, moments of inertia (1, 1, 1)", "h = 0.5\n"}},
      {torque_of_space, "angular momentum", {"V = R31 + 0.5*R33", "(R mu)_3 ="}},
      {torque_of_space, "torque", {"V = R33, moments of inertia (1, 1, 1)", "it would go to zero"}},
      {turned_back, "short steps", {"V = 0, moments of inertia (1, 2, 2.5)", "the error over the step is"}},
      {long_turn,
       "short steps",
       {"the motion is a turn by t about the third axis", "the error over the step is 9.999e-09"}},
      {light_when_short, "very short steps", {"h = 0.0009765625", "the error over the step is 1\n"}},
      {without_quadratic, "symplectic", {"dR_ij ^ dP_ij", "at the start"}},
      {old_torque, "symmetric", {"V = R33, moments of inertia (1, 1, 1)", "not to the start"}},
      {lopsided, "symmetric", {"V = R33"}},
      {inverse_if_negative, "symmetric, both signs", {"differs by more than the sign"}},
      {inverse_if_negative, "symmetric", {}},
      {absolute_step, "order, negative steps", {"h = -0.125", "the motion at t = -1: R = (0.540302305868"}},
      {kicks_at_start, "order of q", {"after 64 steps", "order 2 needs 4"}},
      {without_products, "order of q", {"V = 0, inertia (2, 0.5, 0; 0.5, 2, 0; 0, 0, 2)"}},
      {counts_steps, "repetition", {"V = R33", "the same step leads to"}},
      {remembers, "history", {"after a step from R = "}},
      {keeps_torque, "memory", {"started there, it leads to"}},
      {remembers, "batch", {"one after the other they lead to"}}};
  for (const auto& [flaw, test, parts] : all) {
    const BodyRule rule = flaw == without_quadratic ? BodyRule::lie_verlet : BodyRule::splitting;
    const std::string words = case_of(body_of(flaw, rule), declaring(ProblemKind::body), test);
    EXPECT_EQ(words.empty(), parts.empty()) << name_of_body_splitting(flaw) << ", " << test << ": " << words;
    for (const std::string& part : parts) expect_part(words, part, name_of_body_splitting(flaw) + ", " + test);
  }
}

/// A row for each way of every kind to find a case.
const std::vector<std::string> every_way{"repetition",
                                         "free particle",
                                         "forces of time",
                                         "constraint",
                                         "hidden constraint",
                                         "group",
                                         "rest",
                                         "history",
                                         "batch",
                                         "memory",
                                         "start of the time",
                                         "symmetric",
                                         "symmetric, both signs",
                                         "linear momentum",
                                         "angular momentum",
                                         "size of momentum",
                                         "momentum across",
                                         "symplectic",
                                         "short steps",
                                         "precision",
                                         "order of q",
                                         "order, negative steps"};

TEST(SmallCases, of_right_methods_there_are_none) {
  struct Right {
    BuiltInMethod method;
    ForeignDeclaration declares;
    std::vector<std::string> but = {};  ///< what is not so
  };
  const auto constrained = ProblemKind::constrained, body = ProblemKind::body;
  ForeignDeclaration coarse_rattle = declaring(constrained), coarse_verlet = declaring(body);
  coarse_rattle.tolerance = coarse_verlet.tolerance = 1e-8;
  const auto mechanical = ProblemKind::mechanical;
  ForeignDeclaration coarse_verlet_of_particles = declaring(mechanical);
  coarse_verlet_of_particles.single_precision = true;
  const auto timed = ProblemKind::timed, separable = ProblemKind::separable;
  const std::vector<Right> all{
      {built_in_rattle(), declaring(constrained)},
      {built_in_rattle(ConstrainedFlaw::without_hidden), declaring(constrained), {"hidden constraint"}},
      {built_in_rattle(ConstrainedFlaw::from_differences), declaring(constrained)},
      {built_in_rattle(ConstrainedFlaw::kicks_at_start), declaring(constrained, 1), {"symmetric"}},
      {built_in_rattle(ConstrainedFlaw::early_end), coarse_rattle},
      {{.name = "x", .constrained = ConstrainedSteps{suzuki_shares()}}, declaring(constrained, 4)},
      {body_of(BodyFlaw::none), declaring(body)},
      {body_of(BodyFlaw::none, BodyRule::lie_verlet), declaring(body)},
      {body_of(BodyFlaw::early_end, BodyRule::lie_verlet), coarse_verlet},
      {body_of(BodyFlaw::kicks_at_start), declaring(body, 1), {"symmetric"}},
      {{.name = "x", .body = BodySteps{suzuki_shares()}}, declaring(body, 4)},
      {built_in_verlet(), declaring(mechanical)},
      {built_in_verlet(BuiltInFlaw::single_number), coarse_verlet_of_particles},
      // A long step of Yoshida's method leads far away, from where rounding comes back enlarged.
      {yoshida(), declaring(mechanical, 4)},
      {yoshida(), declaring(timed, 4)},
      {yoshida(), declaring(separable, 4)},
      {built_in_symplectic_euler(), declaring(mechanical, 1), {"symmetric"}},
      {built_in_runge_kutta_4(), declaring(mechanical, 4), {"symmetric", "symplectic", "angular momentum"}}};
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const std::string& test : every_way) {
      if (!row_named(test, all[k].declares)) continue;  // of another kind
      if (std::ranges::find(all[k].but, test) == all[k].but.end()) {
        EXPECT_EQ(case_of(all[k].method, all[k].declares, test), "") << k << ", " << test;
      } else {
        EXPECT_NE(case_of(all[k].method, all[k].declares, test), "") << k << ", " << test;
      }
    }
  EXPECT_NE(case_of(all[4].method, declaring(constrained), "constraint"), "");
}

TEST(SmallCases, are_those_of_refuted_declarations) {
  const ForeignDeclaration declares = declaring(ProblemKind::constrained);
  Declaring subject(built_in_rattle(ConstrainedFlaw::one_iteration), declares);
  const auto found = [&](Verdict verdict, const char* declared) {
    return reproduce(subject, with_row(declares, "constraint", verdict, declared)).test;
  };
  EXPECT_EQ(found(Verdict::refuted, "yes"), "constraint");
  EXPECT_EQ(found(Verdict::refuted, "no"), "");
  EXPECT_EQ(found(Verdict::confirmed, "yes"), "");
  EXPECT_EQ(found(Verdict::undecided, "yes"), "");
  // What takes several kinds has a case for the row of the kind.
  ForeignDeclaration several = declares;
  several.kinds = {ProblemKind::mechanical, ProblemKind::constrained, ProblemKind::body};
  const BuiltInMethod halves = built_in_rattle(ConstrainedFlaw::half_in_momentum);
  expect_part(case_of(halves, several, "symmetric, constrained"), "g = q1^2 + q2^2 - 1", "several kinds");
  EXPECT_EQ(case_of(halves, several, "symmetric"), "");
  EXPECT_EQ(case_of(halves, several, "symmetric, body"), "");
  expect_part(case_of(body_of(BodyFlaw::lopsided), several, "symmetric, body"), "V = R33", "several kinds");
}

TEST(SmallCases, are_of_the_kind_that_refutes) {
  ForeignDeclaration declares = declaring(ProblemKind::mechanical);
  declares.kinds.push_back(ProblemKind::separable);
  Declaring subject(built_in_lopsided_verlet(), declares);
  Judgement judgement = with_row(declares, "symmetric");
  expect_part(reproduce(subject, judgement).words, "V = q1, masses (1)\n", "lopsided Verlet");
  judgement.rows.push_back(with_row(declares, "symmetric, reach", Verdict::confirmed).rows.front());
  expect_part(reproduce(subject, judgement).words, "T = 0.5*p1^2, V = q1\n", "lopsided Verlet");
}

/// A built-in method whose steps are half as long where they begin late.
class ReadsClock final : public ForeignSubject {
 public:
  explicit ReadsClock(BuiltInMethod method) : method_(std::move(method)), subject_(built_in_subject(method_)) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return subject_->declares(); }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<ReadsClock>(method_);
  }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Run>(subject_->in_double(forces));
  }

 private:
  class Run final : public ForeignRun<double> {
   public:
    explicit Run(std::unique_ptr<ForeignRun<double>> run) : run_(std::move(run)) {}
    void start(const TimedPoint<double>& z) override { run_->start(z); }
    void step(const double& h, long count) override { run_->step(run_->point().t > 100 ? h / 2 : h, count); }
    TimedPoint<double> point() override { return run_->point(); }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string& text) override { throw ForeignRefusal(text); }

   private:
    std::unique_ptr<ForeignRun<double>> run_;
  };
  BuiltInMethod method_;
  std::unique_ptr<ForeignSubject> subject_;
};

TEST(SmallCases, show_the_clock_and_no_first_step_of_a_memory) {
  for (const BuiltInMethod& method : {built_in_rattle(), body_of(BodyFlaw::none)}) {
    ReadsClock subject(method);
    const Judgement judgement = with_row(subject.declares(), "start of the time");
    expect_part(reproduce(subject, judgement).words, "one from t = 1024 leads to", "clock");
  }
  ForeignDeclaration declares = declaring(ProblemKind::body);
  declares.memory = true;
  for (const char* test : {"symmetric", "symmetric, both signs", "symplectic"})
    EXPECT_EQ(case_of(body_of(BodyFlaw::old_torque), declares, test), "") << test;
  // Nor do single steps show what the order of a memory's is.
  ForeignDeclaration of_particles = declaring(ProblemKind::mechanical);
  of_particles.memory = true;
  expect_part(case_of(built_in_symplectic_euler(), of_particles, "order of q"), "order 2 needs 4", "memory");
}

}  // namespace judge_reproducer_test
