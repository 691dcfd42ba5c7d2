// SPDX-License-Identifier: MIT
//
// What the judge says of a refuted method for forces of time, separable or constrained systems, or rigid bodies beyond its rows: the
// smallest case in which it fails, and its typical mistake. Judgements are made up here: they say which row is refuted. One file, for
// all kinds share what finds a case, and the lists of rows for which a right method has none.
#include <gtest/gtest.h>

#include <cmath>
#include <livi/judge/hints/diagnosis.hpp>
#include <livi/judge/problems/attitude.hpp>
#include <livi/judge/problems/measured_text.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "judged_verlet.hpp"
#include "verification/judge/declaring.hpp"
#include "verification/judge/mistaken.hpp"

namespace judge_reproducer_test {

using namespace livi;

ForeignDeclaration declaring(ProblemKind kind, int order = 2) {
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.kinds = {kind};
  declaration.order = order;
  declaration.symplectic = declaration.symmetric = declaration.angular_momentum = true;
  return declaration;
}
Judgement with_row(const ForeignDeclaration& declares, const std::string& test, Verdict verdict = Verdict::refuted,
                   const std::string& declared = "yes") {
  return {declares, {test::bare_row(declares, test, verdict, declared)}, 1};
}
std::string case_of(const BuiltInMethod& method, const ForeignDeclaration& declares, const std::string& test) {
  Declaring subject(method, declares);
  const Reproducer found = reproduce(subject, with_row(declares, test), row_named(test, declares));
  EXPECT_EQ(found.test, found.words.empty() ? "" : test);
  EXPECT_EQ(found.session, "");  // there is no pipe
  return found.words;
}
void expect_part(const std::string& words, const std::string& part, const std::string& of) {
  EXPECT_NE(words.find(part), std::string::npos) << of << ": '" << part << "' is not in: " << words;
}
BuiltInMethod body_of(BodyFlaw flaw, BodyRule rule = BodyRule::splitting) {
  return {.name = "x", .body = BodySteps{{1}, rule, flaw}};
}

double of_the_start(const Asked& at) { return at.start; }
/// The time of a step back goes forwards.
double of_the_size(const Asked& at) { return at.start + std::abs(at.begin + at.share * at.h - at.start); }
double with_six_digits(const Asked& at) {
  return std::stod(foreign_detail::format("%.6g", at.begin + at.share * at.h));
}

BuiltInMethod position_verlet() { return built_in_splitting("position Verlet", {0.5, 0.5}, {1}, false); }
/// Three Verlet steps, kick first, of order four.
const double side = 1 / (2 - std::cbrt(2.0));
BuiltInMethod yoshida() {
  const double middle = 1 - 2 * side, between = (side + middle) / 2;
  return built_in_splitting("Yoshida", {side, middle, side}, {side / 2, between, between, side / 2}, true);
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
    for (const std::string& test : every_way)
      if (std::ranges::find(all[k].but, test) == all[k].but.end()) {
        EXPECT_EQ(case_of(all[k].method, all[k].declares, test), "") << k << ", " << test;
      } else {
        EXPECT_NE(case_of(all[k].method, all[k].declares, test), "") << k << ", " << test;
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

std::string said_of(ForeignSubject& subject, const std::string& refuted = "order of q") {
  std::string all;
  for (const std::string& sentence : diagnose(subject, with_row(subject.declares(), refuted))) all += sentence + "\n";
  return all;
}

TEST(ClockDiagnosis, names_mistakes_that_explain_the_order) {
  struct Expected {
    BuiltInMethod method;
    int order;
    OtherTime other;
    std::string sentence;  ///< none where it is empty
  };
  using What = StepPart::What;
  const BuiltInMethod verlet = built_in_verlet();
  // It asks once in a step, but for the first one.
  const BuiltInMethod remembering{.name = "x",
                                  .parts = {{What::kick_with_last_force, 1, 2}, {What::drift, 1}, {What::kick, 1, 2}}};
  const auto of_step = [](double steps) { return [=](const Asked& at) { return at.begin + steps * at.h; }; };
  const auto late = [](double steps) { return [=](const Asked& at) { return at.begin + (at.share + steps) * at.h; }; };
  // The number of the part of Yoshida's step at whose beginning, or end, the force is due.
  const auto number = [](double share) {
    return share < -1e-9 ? 2.0 : share < 1e-9 ? 0.0 : share > 1 + 1e-9 ? 1.0 : 3.0;
  };
  const std::string still = "the clock stands still: all forces are those of one time";
  const std::vector<Expected> all{
      {verlet, 2, of_the_start, still},
      {remembering, 2, of_the_start, still},
      {yoshida(), 4, of_the_start, still},
      {verlet, 2, [](const Asked& at) { return at.start + at.share * at.h; },
       "the clock does not go on from step to step: every step begins at the time of the start"},
      {verlet, 2, [](const Asked& at) { return at.begin - at.start + at.share * at.h; },
       "the time of a start is not read: the clock begins at zero"},
      {verlet, 2, of_the_size, "in steps back the clock goes forwards, as by abs(h)"},
      {verlet, 2, [](const Asked& at) { return at.h < 0 ? at.start : at.begin + at.share * at.h; },
       "in steps back " + still},
      {verlet, 2, [](const Asked& at) { return 2 * at.begin - at.start + 2 * at.share * at.h; },
       "the clock goes on by 2 h in a step of h"},
      {yoshida(), 4, [=](const Asked& at) { return at.start + 3 * (at.begin - at.start) + number(at.share) * at.h; },
       "the clock goes on by 3 h in a step of h, by h in each part of the step"},
      {yoshida(), 4, [=](const Asked& at) { return at.begin + number(at.share) / 3 * at.h; },
       "the clock goes on by 0.3333 h in every part of a step, as if all were equally long"},
      {verlet, 2, of_step(0), "all forces of a step are those of the time with which a step begins"},
      {remembering, 2, of_step(0), "all forces of a step are those of the time with which a step begins"},
      {position_verlet(), 2, of_step(1), "all forces of a step are those of the time with which a step ends"},
      {yoshida(), 4, of_step(0.5), "all forces of a step are those of the time in the middle of the step"},
      {verlet, 2, late(1), "the clock is a step ahead"},
      {verlet, 2, late(0.5), "the clock is half a step ahead"},
      {verlet, 2, late(-0.5), "the clock is half a step behind"},
      {remembering, 2, late(-1), "the clock is a step behind"},
      {built_in_runge_kutta_4(), 4, of_step(0), "all forces of a step are those of the time with which a step begins"},
      {built_in_runge_kutta_4(), 4, [](const Asked& at) { return at.begin + at.share * at.share * at.h; },
       "forces of a step from t on are those of t + 0 h, 0.25 h, 0.25 h, 1 h, due at t + 0 h, 0.5 h, 0.5 h, 1 h"},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h * (1 + at.begin - at.start); },
       "the clock does not go evenly"},
      {verlet, 2, [](const Asked& at) { return at.start + (at.made + at.share) * at.h; },
       "the clock is the number of steps times the size of the last one"},
      {verlet, 2, with_six_digits, "times come with 6 digits"},
      {verlet, 2, [](const Asked& at) { return static_cast<double>(static_cast<float>(at.begin + at.share * at.h)); },
       "times pass through single precision"},
      {verlet, 2, [](const Asked& at) { return -(at.begin + at.share * at.h); }, "forces are those of the time -t"},
      {yoshida(), 4, [](const Asked& at) { return -(at.begin + at.share * at.h); }, "forces are those of the time -t"},
      {remembering, 2, [](const Asked& at) { return 2 * (at.begin + at.share * at.h); },
       "forces are those of the time 2 t"},
      {built_in_runge_kutta_4(), 4, [](const Asked& at) { return at.begin + at.share * at.h + 1; },
       "forces are those of the time t + 1"},
      {verlet, 2, [](const Asked& at) { return 0.25 - 1.5 * (at.begin + at.share * at.h); },
       "forces are those of the time -1.5 t + 0.25"},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h - 1e-4; },
       "forces are those of the time t - 0.0001"},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h + 1e6; },
       "forces are those of the time t + 1000000"},
      {verlet, 2, [](const Asked&) { return -3; }, "the clock stands still: all forces are those of the time -3"},
      // With every force at its time it is not of its order either, or as it stands it is.
      {built_in_lopsided_verlet(), 2, [](const Asked& at) { return -(at.begin + at.share * at.h); }, ""},
      // Not so in all steps, from all starts, forwards and backwards, or in steps of all sizes.
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h + (at.made > 1 ? 1 : 0); }, ""},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h + (at.made > 1 ? 1.5 : 0.5); }, ""},
      {verlet, 2, [](const Asked& at) { return std::abs(at.begin + at.share * at.h); }, ""},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h + (at.start > 0 ? 1 : 0); }, ""},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h + (at.h > 0 ? 1 : 0); }, ""},
      {verlet, 2, [](const Asked& at) { return at.begin + at.share * at.h + (std::abs(at.h) > 0.4 ? 1 : 0); }, ""},
      {verlet, 2, [](const Asked& at) { return (1 + at.h) * (at.begin + at.share * at.h); }, ""},
      // Times of few digits that have lost none.
      {verlet, 2, [](const Asked& at) { return at.made + 1; }, ""},
      // A law of one start is none of the other.
      {verlet, 2, [](const Asked& at) { return at.begin + (at.start > 0 ? 0 : at.share) * at.h; }, ""},
      // Wrong by what does not go with h: no law of one step is one of the other.
      {verlet, 2,
       [](const Asked& at) { return std::ldexp(std::floor(std::ldexp(at.begin + at.share * at.h, 10)), -10); }, ""},
      // Right, or right enough for its order: forces of the middle are of order two, and of any time of the step of order one.
      {verlet, 2, late(0), ""},
      {yoshida(), 4, late(0), ""},
      {built_in_runge_kutta_4(), 4, late(0), ""},
      {verlet, 2, of_step(0.5), ""},
      {built_in_symplectic_euler(), 1, of_step(1), ""},
      // With every force at its time it is not of its order either.
      {built_in_lopsided_verlet(), 2, of_the_start, ""},
      {verlet, 4, of_step(0.5), ""}};
  for (const auto& [method, order, other, sentence] : all) {
    OtherTimes subject(method, declaring(ProblemKind::timed, order), other);
    EXPECT_EQ(mistake_of_clock(subject, 1),
              sentence.empty() ? "" : sentence + "; with every force at its time the order is " + std::to_string(order))
        << method.name;
  }
  // Times of the middle are harmless: what is named is the clock.
  const auto middle_of = [](const auto& begin) {
    return [=](const Asked& at) { return begin(at) + (at.h < 0 ? -0.5 : 0.5) * std::abs(at.h); };
  };
  const std::vector<std::pair<OtherTime, std::string>> of_middles{
      {[](const Asked& at) { return -(at.begin + at.h / 2); }, "forces are those of the time -t"},
      {[](const Asked& at) { return at.start + std::abs(at.begin - at.start) + std::abs(at.h) / 2; },
       "in steps back the clock goes forwards, as by abs(h)"},
      {[](const Asked& at) { return at.start + (at.made + 0.5) * at.h; },
       "the clock is the number of steps times the size of the last one"},
      {middle_of([](const Asked& at) { return at.begin - at.start; }),
       "the time of a start is not read: the clock begins at zero"},
      {[](const Asked& at) { return static_cast<double>(static_cast<float>(at.begin + at.h / 2)); },
       "times pass through single precision"}};
  for (const auto& [other, sentence] : of_middles) {
    OtherTimes subject(verlet, declaring(ProblemKind::timed), other);
    EXPECT_EQ(mistake_of_clock(subject, 1), sentence + "; with steps that begin at their time the order is 2");
  }
  OtherTimes fast(verlet, declaring(ProblemKind::timed),
                  [](const Asked& at) { return at.begin + 1e-4 * (at.begin - at.start) + 1.0001 * at.share * at.h; });
  EXPECT_EQ(mistake_of_clock(fast, 1),
            "the clock goes on by 1.0001 h in a step of h; with every force at its time the order is 2");
  // A judgement says it, of a method that takes other kinds, too; of one that is not refuted it is not asked.
  ForeignDeclaration declares = declaring(ProblemKind::mechanical);
  declares.kinds.push_back(ProblemKind::timed);
  OtherTimes subject(verlet, declares, of_the_start);
  EXPECT_EQ(said_of(subject, "forces of time"), still + "; with every force at its time the order is 2\n");
  EXPECT_TRUE(diagnose(subject, with_row(declares, "forces of time", Verdict::confirmed)).empty());
}

TEST(SeparableDiagnosis, says_that_coefficients_are_none) {
  using Vector = EulerForSeparable::Vector;
  // A velocity of a momentum that is 1e-6 too large is not 1 + 1e-6 times too large.
  EulerForSeparable moved([](Forces<double>& forces, const Vector& q, const Vector& p) {
    Vector other = p, force = forces.gradient(0, q);
    for (double& x : other) x += 1e-6;
    for (double& x : force) x = -x;
    return std::pair(forces.velocity(other), force);
  });
  EXPECT_EQ(said_of(moved),
            "its steps have no constant coefficients: in one of 1 from the momentum 1 and one of 1/2 from 1/2 a free "
            "particle advances by 1.000001 and 1.000002 times h p, and kicks sum to 1 and 1\n");
}

TEST(SeparableDiagnosis, names_mistaken_equations_of_any_method) {
  using Vector = EulerForSeparable::Vector;
  const auto times = [](double factor, Vector x) {
    for (double& entry : x) entry *= factor;
    return x;
  };
  const auto right = [=](double of_q, double of_p) {
    return [=](Forces<double>& forces, const Vector& q, const Vector& p) {
      return std::pair(times(of_q, forces.velocity(p)), times(of_p, forces.gradient(0, q)));
    };
  };
  const std::string exchanged = "kinetic and potential energy are exchanged: ";
  const std::vector<std::pair<std::string, EulerForSeparable::Rates>> all{
      {"", right(1, -1)},
      {"the sign of the force is turned round", right(1, 1)},
      {"positions go against dT/dp: its sign is turned round", right(-1, -1)},
      {"positions move with 0.25 times dT/dp", right(0.25, -1)},
      {"momenta get 2 times the force", right(1, -2)},
      {"the momentum is taken for dT/dp",
       [=](Forces<double>& forces, const Vector& q, const Vector& p) {
         return std::pair(p, times(-1, forces.gradient(0, q)));
       }},
      {exchanged + "dV/dq moves positions, dT/dp momenta",
       [=](Forces<double>& forces, const Vector& q, const Vector& p) {
         return std::pair(times(-1, forces.gradient(0, q)), forces.velocity(p));
       }},
      {exchanged + "dV/dq is taken at momenta, dT/dp at positions",
       [=](Forces<double>& forces, const Vector& q, const Vector& p) {
         return std::pair(forces.gradient(0, p), times(-1, forces.velocity(q)));
       }},
      {"dT/dp is taken at positions",
       [=](Forces<double>& forces, const Vector& q, const Vector&) {
         return std::pair(forces.velocity(q), times(-1, forces.gradient(0, q)));
       }},
      {"dV/dq is taken at momenta", [=](Forces<double>& forces, const Vector&, const Vector& p) {
         return std::pair(forces.velocity(p), times(-1, forces.gradient(0, p)));
       }}};
  for (const auto& [sentence, rates] : all) {
    EulerForSeparable subject(rates);
    EXPECT_EQ(said_of(subject), sentence.empty() ? "" : sentence + "\n");
  }
}

TEST(SeparableDiagnosis, names_mistaken_steps_and_none_of_right_ones) {
  using What = StepPart::What;
  const auto said = [](const BuiltInMethod& method, int order = 2, bool is_symmetric = true) {
    ForeignDeclaration declaration = declaring(ProblemKind::separable, order);
    declaration.symmetric = is_symmetric;
    Declaring subject(method, declaration);
    return said_of(subject);
  };
  const auto parts = [](std::vector<StepPart> of_step) {
    return BuiltInMethod{.name = "x", .parts = std::move(of_step)};
  };
  const std::string steps = "its steps are those of ";
  const StepPart half_kick{What::kick, 1, 2}, half_drift{What::drift, 1, 2};
  const std::vector<std::pair<BuiltInMethod, std::string>> all{
      {built_in_symplectic_euler(), "symplectic Euler, kick first: there is no half step"},
      {parts({half_kick, {What::drift, 1}}), "Verlet whose second half kick is missing"},
      {parts({{What::drift, 1}, half_kick}), "Verlet whose first half kick is missing"},
      {parts({half_drift, {What::kick, 1}}), "position Verlet whose second half drift is missing"},
      {parts({{What::kick, 1}, half_drift}), "position Verlet whose first half drift is missing"},
      {parts({{What::kick, 0}, {What::drift, 1}, {What::kick_with_first_force, 1, 2}, half_kick}),
       "Verlet whose position moves with the old momentum: the term h^2/2 of the force is missing"},
      {parts({half_drift, {What::kick, 1}, {What::drift_with_first_velocity, 1, 2}}),
       "position Verlet whose second half drift uses the velocity of the old momentum"}};
  for (const auto& [method, sentence] : all) EXPECT_EQ(said(method), steps + sentence + "\n");
  EXPECT_EQ(said(built_in_verlet(BuiltInFlaw::absolute_step)),
            "a step of -h is one of h: the sign of the step is lost, as by abs(h)\n");
  EXPECT_EQ(said(built_in_splitting("x", livi::test::drifts, livi::test::kicks, true), 4),
            "its coefficients are of order 4 only where T is quadratic\n");
  // The third order of Ruth (1983), and with the wrong flow first; of any T and V that is the same as the vectors exchanged.
  const auto ruth = [](bool kick_first) {
    return built_in_splitting("Ruth", {2.0 / 3, -2.0 / 3, 1}, {7.0 / 24, 3.0 / 4, -1.0 / 24}, kick_first);
  };
  EXPECT_EQ(said(ruth(false), 3, false),
            "the roles of its two coefficient vectors look exchanged: with them exchanged the order is 3\n");
  // What is declared symmetric is not made so by them.
  EXPECT_EQ(said(ruth(false), 3).find("exchanged"), std::string::npos);
  EXPECT_EQ(said(ruth(true), 3), "");
  for (const auto& [method, order] : std::vector<std::pair<BuiltInMethod, int>>{
           {built_in_verlet(), 2}, {yoshida(), 4}, {built_in_runge_kutta_4(), 4}, {built_in_symplectic_euler(), 1}})
    EXPECT_EQ(said(method, order), "") << method.name;
}

using foreign_detail::Nine;
using foreign_detail::Three;
using Rates = std::pair<Nine<double>, Three<double>>;
using Equations = std::function<Rates(const Nine<double>& inertia, const Nine<double>& r, const Three<double>& mu,
                                      const Three<double>& w, const Three<double>& torque)>;

/// Explicit Euler steps of equations in the nine numbers and mu, right or not.
class EulerForBodies final : public ForeignSubject {
 public:
  explicit EulerForBodies(Equations equations)
      : equations_(std::move(equations)), declaration_(declaring(ProblemKind::body)) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<EulerForBodies>(equations_);
  }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Run>(equations_, forces);
  }

 private:
  class Run final : public ForeignRun<double> {
   public:
    Run(const Equations& equations, Forces<double>& forces) : equations_(equations), forces_(forces) {}
    void start(const TimedPoint<double>& z) override { z_ = z; }
    void step(const double& h, long count) override {
      using foreign_detail::sum;
      for (long k = 0; k < count; ++k) {
        const auto r = foreign_detail::taken<Nine<double>>(z_.q);
        const auto mu = foreign_detail::taken<Three<double>>(z_.p);
        const auto [of_r, of_mu] = equations_(foreign_detail::taken<Nine<double>>(forces_.problem().masses), r, mu,
                                              foreign_detail::taken<Three<double>>(forces_.velocity(z_.p)),
                                              foreign_detail::taken<Three<double>>(forces_.torque(z_.q)));
        z_ = {z_.t + h, foreign_detail::listed(sum(r, h, of_r)), foreign_detail::listed(sum(mu, h, of_mu))};
      }
    }
    TimedPoint<double> point() override { return z_; }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string& text) override { throw ForeignRefusal(text); }

   private:
    const Equations& equations_;
    Forces<double>& forces_;
    TimedPoint<double> z_;
  };

  Equations equations_;
  ForeignDeclaration declaration_;
};

TEST(BodyDiagnosis, names_mistaken_equations_of_any_method) {
  using namespace foreign_detail;
  using Matrix = Nine<double>;
  using Vector = Three<double>;
  const auto turning = [](const Matrix& r, const Vector& w) { return product(r, hat(w)); };
  const auto with_torque = [&](const std::function<Vector(const Matrix&, const Vector&)>& mistaken) {
    return [=](const Matrix&, const Matrix& r, const Vector& mu, const Vector& w, const Vector& tau) {
      return Rates{turning(r, w), sum(cross(mu, w), 1.0, mistaken(r, tau))};
    };
  };
  const auto with_velocity = [&](const std::function<Vector(const Matrix&, const Vector&)>& mistaken) {
    return [=](const Matrix& inertia, const Matrix& r, const Vector& mu, const Vector&, const Vector& tau) {
      const Vector w = mistaken(inertia, mu);
      return Rates{turning(r, w), sum(cross(mu, w), 1.0, tau)};
    };
  };
  const auto with_turn = [](const std::function<Matrix(const Matrix&, const Vector&)>& mistaken) {
    return [=](const Matrix&, const Matrix& r, const Vector& mu, const Vector& w, const Vector& tau) {
      return Rates{mistaken(r, w), sum(cross(mu, w), 1.0, tau)};
    };
  };
  const std::vector<std::pair<const char*, Equations>> all{
      {"taken for ones in the axes of space",
       with_torque([](const Matrix& r, const Vector& tau) { return times(transposed(r), tau); })},
      {"torques are turned into the axes of space",
       with_torque([](const Matrix& r, const Vector& tau) { return times(r, tau); })},
      {"the sign of the torque", with_torque([](const Matrix&, const Vector& tau) { return sum(tau, -2.0, tau); })},
      {"the momentum gets no torque", with_torque([](const Matrix&, const Vector&) { return Vector{}; })},
      {"the momentum gets 2 times the torque",
       with_torque([](const Matrix&, const Vector& tau) { return sum(tau, 1.0, tau); })},
      {"the momentum gets 0.5 times the torque",
       with_torque([](const Matrix&, const Vector& tau) { return sum(tau, -0.5, tau); })},
      {"mu x W is missing",
       [=](const Matrix&, const Matrix& r, const Vector&, const Vector& w, const Vector& tau) {
         return Rates{turning(r, w), tau};
       }},
      {"W x mu for mu x W",
       [=](const Matrix&, const Matrix& r, const Vector& mu, const Vector& w, const Vector& tau) {
         return Rates{turning(r, w), sum(tau, 1.0, cross(w, mu))};
       }},
      {"the angular velocity is taken for one in the axes of space",
       with_turn([](const Matrix& r, const Vector& w) { return product(hat(w), r); })},
      {"R' = -R hat(W)", with_turn([](const Matrix& r, const Vector& w) { return product(r, transposed(hat(w))); })},
      {"by columns",
       with_turn([](const Matrix& r, const Vector& w) { return transposed(product(transposed(r), hat(w))); })},
      {"the momentum is taken for one in the axes of space",
       [=](const Matrix& inertia, const Matrix& r, const Vector& mu, const Vector&, const Vector& tau) {
         return Rates{turning(r, solved(inertia, times(transposed(r), mu))), times(r, tau)};
       }},
      {"taken for the angular velocity", with_velocity([](const Matrix&, const Vector& mu) { return mu; })},
      {"turn 1.5 times as fast",
       with_velocity([](const Matrix& inertia, const Vector& mu) { return sum(Vector{}, 1.5, solved(inertia, mu)); })},
      {"the sign of W is turned round",
       with_velocity([](const Matrix& inertia, const Vector& mu) { return sum(Vector{}, -1.0, solved(inertia, mu)); })},
      {"W = I mu", with_velocity([](const Matrix& inertia, const Vector& mu) { return times(inertia, mu); })},
      // Right equations, and turns that are none.
      {"up to order 1, which leaves SO(3)", with_torque([](const Matrix&, const Vector& tau) { return tau; })}};
  for (const auto& [part, equations] : all) {
    EulerForBodies subject(equations);
    const std::string said = said_of(subject);
    expect_part(said, part, "Euler");
    EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
  }
}

TEST(BodyDiagnosis, names_mistaken_steps_and_none_of_right_ones) {
  using enum BodyFlaw;
  const auto said = [](BodyFlaw flaw, BodyRule rule = BodyRule::splitting) {
    Declaring subject(body_of(flaw, rule), declaring(ProblemKind::body));
    return said_of(subject);
  };
  expect_part(said(old_torque), "torques are taken at the attitude with which a step begins", "old torque");
  expect_part(said(off_the_group), "the terms of exp(hat(x)) up to order 2", "off the group");
  expect_part(said(without_products, BodyRule::lie_verlet), "only the diagonal of the inertia", "Lie-Verlet");
  expect_part(said(as_if_symmetric), "the second moment of inertia is taken for the first", "as if symmetric");
  expect_part(said(torque_of_space, BodyRule::runge_kutta), "taken for ones in the axes of space", "Runge-Kutta");
  Declaring short_of_terms(body_of(without_quadratic, BodyRule::lie_verlet), declaring(ProblemKind::body));
  EXPECT_EQ(said_of(short_of_terms, "symplectic"), "its step is that of Lie-Verlet without its quadratic terms\n");
  // What it does wrong explains no other row, and one torque is right where the order is one.
  EXPECT_EQ(said_of(short_of_terms, "order of q"), "");
  Declaring one_torque(body_of(kicks_at_start), declaring(ProblemKind::body, 1));
  EXPECT_EQ(said_of(one_torque), "");
  expect_part(said(absolute_step), "the sign of the step is lost", "absolute step");
  Declaring halves({.name = "x", .body = BodySteps{{0.5}}}, declaring(ProblemKind::body));
  expect_part(said_of(halves), "a step of h goes as far as the motion does in 0.5 h", "steps of h/2");
  for (const BodyRule rule : {BodyRule::splitting, BodyRule::lie_verlet, BodyRule::runge_kutta})
    for (const BodyFlaw flaw : {none, strong_torque, pushes}) EXPECT_EQ(said(flaw, rule), "");
  // A method that is not refuted is not asked.
  Declaring subject(body_of(old_torque), declaring(ProblemKind::body));
  EXPECT_TRUE(diagnose(subject, with_row(subject.declares(), "order of q", Verdict::confirmed)).empty());
}

}  // namespace judge_reproducer_test
