// SPDX-License-Identifier: MIT
//
// The judge in seconds: for each kind of problem a right method, every row of which holds, and a wrong one, which the row of its fault
// refutes.
#include <gtest/gtest.h>
#include <livi/judge/controls/built_in_adaptive.hpp>
#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/output/judgement_table.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <memory>
#include <string>
#include <utility>

#include "verification/judge/judgement_rows.hpp"

namespace judge_kinds_test {

using namespace livi;

/// A subject that declares what a test wants.
class Declared final : public ForeignSubject {
 public:
  Declared(std::unique_ptr<ForeignSubject> subject, ForeignDeclaration declaration)
      : subject_(std::move(subject)), declaration_(std::move(declaration)) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override { return subject_->in_double(forces); }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<Declared>(subject_->another(), declaration_);
  }

 private:
  std::unique_ptr<ForeignSubject> subject_;
  ForeignDeclaration declaration_;
};

/// Expects that a quick judgement confirms the right subject and that a row of it refutes the wrong one.
void expect_told_apart(std::unique_ptr<ForeignSubject> right, std::unique_ptr<ForeignSubject> wrong,
                       const std::string& row, const ForeignDeclaration& declaration) {
  const JudgementOptions quick{.drawn = 1, .quick = true};
  Declared right_one(std::move(right), declaration), wrong_one(std::move(wrong), declaration);
  const Judgement confirmed = judge(right_one, quick);
  EXPECT_TRUE(livi::test::is_cleared(confirmed)) << judgement_table(confirmed);
  const Judgement refuted = judge(wrong_one, quick);
  EXPECT_EQ(refuted.exit_status(), 1) << judgement_table(refuted);
  bool found = false;
  for (const JudgementRow& each : refuted.rows)
    found = found || (each.test == row && each.claim.verdict == Verdict::refuted);
  EXPECT_TRUE(found) << "'" << row << "' is not refuted:\n" << judgement_table(refuted);
}

ForeignDeclaration order_two(ProblemKind kind) {
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.kinds = {kind};
  declaration.order = 2;
  return declaration;
}

TEST(JudgeKinds, mechanical_verlet_is_told_from_lopsided_kicks) {
  ForeignDeclaration declaration = order_two(ProblemKind::mechanical);
  declaration.symplectic = declaration.symmetric = true;
  expect_told_apart(built_in_subject(built_in_verlet()), built_in_subject(built_in_lopsided_verlet()), "order of q",
                    declaration);
}

TEST(JudgeKinds, constrained_rattle_is_told_from_half_a_multiplier) {
  ForeignDeclaration declaration = order_two(ProblemKind::constrained);
  declaration.symplectic = declaration.symmetric = declaration.hidden = true;
  expect_told_apart(built_in_subject(built_in_rattle()),
                    built_in_subject(built_in_rattle(ConstrainedFlaw::half_in_momentum)), "order of p", declaration);
}

TEST(JudgeKinds, body_splitting_is_told_from_an_old_torque) {
  ForeignDeclaration declaration = order_two(ProblemKind::body);
  declaration.symplectic = declaration.symmetric = true;
  expect_told_apart(built_in_subject(built_in_body_splitting()),
                    built_in_subject(built_in_body_splitting(BodyFlaw::old_torque)), "symmetric", declaration);
}

TEST(JudgeKinds, adaptive_steps_are_told_from_an_old_density) {
  ForeignDeclaration declaration = order_two(ProblemKind::adaptive);
  declaration.symmetric = true;
  expect_told_apart(adaptive_subject({AdaptiveRule::reversible}),
                    adaptive_subject({AdaptiveRule::reversible, AdaptiveFlaw::old_density}), "symmetric", declaration);
}

TEST(JudgeKinds, langevin_baoab_is_told_from_friction_per_body) {
  ForeignDeclaration declaration = order_two(ProblemKind::langevin);
  declaration.kinds = {ProblemKind::mechanical, ProblemKind::langevin};
  declaration.sampling = 2;
  expect_told_apart(built_in_subject(built_in_baoab()),
                    built_in_subject(built_in_baoab(BuiltInFlaw::friction_per_body)), "friction", declaration);
}

}  // namespace judge_kinds_test
