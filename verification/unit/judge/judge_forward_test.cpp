// SPDX-License-Identifier: MIT
//
// Methods that make no steps back and say so, of every kind: they are judged like others, in steps forwards alone.
#include <gtest/gtest.h>
#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/doors/hello.hpp>
#include <livi/judge/hints/diagnosis.hpp>
#include <livi/judge/output/judgement_table.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "verification/judge/judgement_rows.hpp"

namespace judge_forward_test {

using namespace livi;
using namespace livi::test;

/// A run in which a step back is a fault of the judge.
template <class S>
class ForwardRun final : public ForeignRun<S> {
 public:
  explicit ForwardRun(std::unique_ptr<ForeignRun<S>> run) : run_(std::move(run)) {}
  void start(const TimedPoint<S>& z) override { run_->start(z); }
  void step(const S& h, long count) override {
    if (h < S(0)) throw std::logic_error("a method without steps back is asked for one");
    run_->step(h, count);
  }
  [[nodiscard]] TimedPoint<S> point() override { return run_->point(); }
  [[nodiscard]] std::optional<std::string> save() override { return run_->save(); }
  void restore(const std::string& text) override { run_->restore(text); }

 private:
  std::unique_ptr<ForeignRun<S>> run_;
};

/// A built-in method that goes forwards only.
class Forward final : public ForeignSubject {
 public:
  Forward(BuiltInMethod method, const std::string& declared)
      : method_(std::move(method)),
        subject_(built_in_subject(method_)),
        declaration_(parse_hello("livi 1 steps=forward " + declared).declaration),
        declared_(declared) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<ForwardRun<double>>(subject_->in_double(forces));
  }
  std::unique_ptr<ForeignRun<Float50>> in_digits(Forces<Float50>& forces) override {
    return std::make_unique<ForwardRun<Float50>>(subject_->in_digits(forces));
  }
  std::unique_ptr<ForeignRun<Rational>> in_rational(Forces<Rational>& forces) override {
    return std::make_unique<ForwardRun<Rational>>(subject_->in_rational(forces));
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<Forward>(method_, declared_);
  }

 private:
  BuiltInMethod method_;
  std::unique_ptr<ForeignSubject> subject_;
  ForeignDeclaration declaration_;
  std::string declared_;
};

/// Judges a method, with its diagnosis and the smallest case if it is refuted: none of them asks for a step back.
Judgement judged(const BuiltInMethod& method, const std::string& declared, std::uint64_t seed = 1) {
  Forward subject(method, declared);
  Judgement judgement = judge(subject, {.seed = seed, .quick = true});
  if (judgement.exit_status() == 1) {
    static_cast<void>(diagnose(subject, judgement));
    const Reproducer found = reproduce(subject, judgement);
    EXPECT_EQ(found.session.find("step -"), std::string::npos) << found.session;
  }
  return judgement;
}

std::set<std::string> not_forward(const Judgement& judgement) {
  std::set<std::string> rows;
  for (const JudgementRow& row : judgement.rows)
    if (row.claim.verdict == Verdict::not_testable && row.claim.note == makes_no_steps_back) rows.insert(row.test);
  return rows;
}

void expect_confirmed(const BuiltInMethod& method, const std::string& declared,
                      const std::set<std::string>& do_not_apply) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const Judgement judgement = judged(method, declared, seed);
    EXPECT_TRUE(livi::test::is_cleared(judgement)) << judgement_table(judgement);
    EXPECT_EQ(not_forward(judgement), do_not_apply) << judgement_table(judgement);
  }
}
void expect_refuted(const BuiltInMethod& method, const std::string& declared, const std::string& row) {
  const Judgement judgement = judged(method, declared);
  EXPECT_TRUE(rows_with(judgement, Verdict::refuted).count(row)) << judgement_table(judgement);
}

const std::string as_verlet =
    "order=2 symplectic=yes symmetric=yes momentum=linear,angular gradients=2 stability=2 "
    "kinds=mechanical,timed,separable numbers=double,digits:50,rational";
const std::string as_rattle = "order=2 symplectic=yes symmetric=yes hidden=yes kinds=constrained";
const std::string as_body = "order=2 symplectic=yes symmetric=yes momentum=angular kinds=body";

TEST(JudgeForward, right_methods_of_every_kind_are_confirmed) {
  const auto without_stability = [](std::string text) { return text.erase(text.find("stability=2 "), 12); };
  expect_confirmed(built_in_verlet(), without_stability(as_verlet), {"order, negative steps", "symmetric, both signs"});
  expect_confirmed(built_in_verlet(), "order=2 symplectic=yes symmetric=yes stability=2",
                   {"order, negative steps", "symmetric, both signs"});
  expect_confirmed(built_in_rattle(), as_rattle, {"order, negative steps", "symmetric, both signs"});
  expect_confirmed(built_in_body_splitting(), as_body, {"order, negative steps", "symmetric, both signs"});
}

TEST(JudgeForward, wrong_methods_are_refuted) {
  expect_refuted(built_in_lopsided_verlet(), as_verlet, "order of q");
  expect_refuted(built_in_symplectic_euler(), as_verlet, "symmetric");
  expect_refuted(built_in_symplectic_euler(), as_verlet, "symmetric, fractions");
  expect_refuted(built_in_runge_kutta_4(), "order=4 symplectic=yes", "symplectic");
  expect_refuted(built_in_verlet(BuiltInFlaw::pushes), as_verlet, "linear momentum");
  expect_refuted(built_in_rattle(ConstrainedFlaw::half_in_momentum), as_rattle, "order of p");
  expect_refuted(built_in_rattle(ConstrainedFlaw::momentum_of_free), as_rattle, "symmetric");
  expect_refuted(built_in_body_splitting(BodyFlaw::old_torque), as_body, "symmetric");
  expect_refuted(built_in_body_splitting(BodyFlaw::pushes), as_body, "angular momentum");
}

TEST(JudgeForward, heat_bath_that_takes_no_other_kind_is_judged_with_and_without_it) {
  const std::string as_baoab = "order=2 sampling=2 kinds=langevin";
  expect_confirmed(built_in_baoab(), as_baoab, {"order, negative steps"});
  expect_refuted(built_in_baoab(BuiltInFlaw::friction_per_body), as_baoab, "friction");
  expect_refuted(built_in_baoab(BuiltInFlaw::noise_without_mass), as_baoab, "noise of a body");
  expect_refuted(built_in_baoab(BuiltInFlaw::first_order_bath), as_baoab, "sampling of p");
  expect_refuted(built_in_baoab(), "order=3 kinds=langevin", "order of q");
}

TEST(JudgeForward, declaration_is_read) {
  const auto declared = [](const std::string& words) { return parse_hello("livi 1 " + words).declaration; };
  EXPECT_TRUE(declared("steps=forward").forward);
  EXPECT_FALSE(declared("steps=both").forward);
  EXPECT_FALSE(declared("order=2").forward);
  EXPECT_EQ(declared("steps=forward").possible_step(-0.5), 0.5);
  EXPECT_EQ(declared("steps=both").possible_step(-0.5), -0.5);
  EXPECT_EQ(declared("kinds=langevin").told(ProblemKind::mechanical), ProblemKind::langevin);
  EXPECT_EQ(declared("kinds=langevin,mechanical").told(ProblemKind::mechanical), ProblemKind::mechanical);
  EXPECT_EQ(declared("kinds=constrained_langevin").told(ProblemKind::constrained), ProblemKind::constrained_langevin);
  EXPECT_EQ(declared("kinds=mechanical,constrained_langevin").told(ProblemKind::mechanical), ProblemKind::mechanical);
  for (const char* const refused :
       {"steps=back", "steps=forward kinds=adaptive", "kinds=langevin numbers=double,digits:50"})
    EXPECT_THROW(declared(refused), ForeignFailure) << refused;
}

}  // namespace judge_forward_test
