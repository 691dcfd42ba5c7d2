// SPDX-License-Identifier: MIT
//
// Steps that fail, wherever they do: a judgement goes on to its last row, and so do diagnosis and reproducer. Where every
// step fails, that is said once.
#include <gtest/gtest.h>
#include <livi/judge/controls/built_in_adaptive.hpp>
#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/hints/diagnosis.hpp>
#include <livi/judge/output/judgement_table.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "verification/judge/judgement_rows.hpp"

namespace judge_failures_test {

using namespace livi;

constexpr long never = 1L << 60;

/// Which requests for steps fail, and how many there were; of all processes of one method together.
struct Failures {
  long first = never, last = never, asked = 0;
  std::string row = {};  ///< that is measured
  std::set<std::string> failed_in = {};
};

/// A method in double some of whose steps fail.
class Failing final : public ForeignSubject {
 public:
  Failing(std::unique_ptr<ForeignSubject> subject, ForeignDeclaration declaration, Failures& failures)
      : subject_(std::move(subject)), declaration_(std::move(declaration)), failures_(failures) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<Failing>(subject_->another(), declaration_, failures_);
  }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Run>(subject_->in_double(forces), failures_);
  }

 private:
  class Run final : public ForeignRun<double> {
   public:
    Run(std::unique_ptr<ForeignRun<double>> run, Failures& failures) : run_(std::move(run)), failures_(failures) {}
    void start(const TimedPoint<double>& z) override { run_->start(z); }
    void step(const double& h, long count) override {
      const long asked = failures_.asked++;
      if (failures_.first <= asked && asked <= failures_.last) {
        failures_.failed_in.insert(failures_.row);
        throw ForeignRefusal("a step failed: 'no convergence'");
      }
      run_->step(h, count);
    }
    TimedPoint<double> point() override { return run_->point(); }
    std::optional<std::string> save() override { return run_->save(); }
    void restore(const std::string& text) override { run_->restore(text); }

   private:
    std::unique_ptr<ForeignRun<double>> run_;
    Failures& failures_;
  };
  std::unique_ptr<ForeignSubject> subject_;
  ForeignDeclaration declaration_;
  Failures& failures_;
};

struct Example {
  const char* name;
  std::function<std::unique_ptr<ForeignSubject>()> method;
  std::vector<ProblemKind> kinds;
  double tolerance = 0;
  bool is_right = false;  ///< cleared where no step fails
};

/// Right methods, and methods with small defects, which are looked into, and with those that a tolerance would excuse.
const std::vector<Example>& examples() {
  using enum ProblemKind;
  static const std::vector<Example> all{
      {"points", [] { return built_in_subject(built_in_verlet(BuiltInFlaw::pushes)); }, {mechanical, timed, separable}},
      {"points with a tolerance",
       [] { return built_in_subject(built_in_verlet(BuiltInFlaw::single_number)); },
       {mechanical},
       1e-7},
      {"bath", [] { return built_in_subject(built_in_baoab(BuiltInFlaw::friction_per_body)); }, {mechanical, langevin}},
      {"constrained", [] { return built_in_subject(built_in_rattle(ConstrainedFlaw::pushes)); }, {constrained}},
      {"body", [] { return built_in_subject(built_in_body_splitting(BodyFlaw::pushes)); }, {body}},
      {"adaptive",
       [] {
         return adaptive_subject({AdaptiveRule::reversible, AdaptiveFlaw::pushes});
       },
       {adaptive}},
      {"right points", [] { return built_in_subject(built_in_verlet()); }, {mechanical, timed}, 0, true},
      {"right, constrained", [] { return built_in_subject(built_in_rattle()); }, {constrained}, 0, true},
      {"right, body", [] { return built_in_subject(built_in_body_splitting()); }, {body}, 0, true}};
  return all;
}

/// Where the cause and the smallest case are looked for.
constexpr const char* after_the_rows = "after the rows";

Judgement judged_to_the_end(const Example& example, Failures& failures) {
  ForeignDeclaration declaration;
  declaration.name = example.name;
  declaration.kinds = example.kinds;
  declaration.order = 2;
  declaration.symplectic = declaration.symmetric = declaration.angular_momentum = true;
  if (example.kinds.front() == ProblemKind::adaptive) declaration.symplectic.reset();
  declaration.tolerance = example.tolerance;
  Failing subject(example.method(), declaration, failures);
  Judgement judgement =
      judge(subject,
            {.drawn = 0, .quick = true, .slow = true, .progress = [&](const std::string& row) { failures.row = row; }});
  failures.row = after_the_rows;
  static_cast<void>(diagnose(subject, judgement));
  static_cast<void>(reproduce(subject, judgement));
  return judgement;
}

TEST(FailedSteps, end_no_judgement_wherever_they_are) {
  std::mt19937_64 draw(20261127);
  for (const Example& example : examples()) {
    Failures none;
    const Judgement whole = judged_to_the_end(example, none);
    const std::size_t rows = whole.rows.size();
    EXPECT_EQ(livi::test::is_cleared(whole), example.is_right) << judgement_table(whole);
    for (int k = 0; k < 6; ++k) {
      const long first = static_cast<long>(draw() % static_cast<std::uint64_t>(none.asked));
      // One, some, or all that come after it.
      Failures failures{.first = first, .last = k % 3 == 0 ? first : k % 3 == 1 ? first + 40 : never};
      EXPECT_NO_THROW({
        const Judgement judgement = judged_to_the_end(example, failures);
        EXPECT_GE(judgement.rows.size() + 4, rows) << example.name << ", step " << first;
        // A row in which a step fails is not confirmed. That of drawn steps says how many failed; loops of two steps of h need none of
        // 2 h, which may have no solution.
        const bool is_said = std::ranges::any_of(
            judgement.rows, [](const JudgementRow& row) { return row.cause == Cause::some_not_judged; });
        if (failures.failed_in != std::set<std::string>{"symplectic"} &&
            failures.failed_in != std::set<std::string>{after_the_rows}) {
          EXPECT_FALSE(livi::test::is_cleared(judgement) && !is_said)
              << example.name << ", step " << first << ": " << testing::PrintToString(failures.failed_in);
        }
      }) << example.name
         << ", step " << first << " to " << failures.last;
    }
  }
}

TEST(FailedSteps, are_said_once_where_all_fail) {
  for (const Example& example : examples()) {
    Failures all{.first = 0};
    const Judgement judgement = judged_to_the_end(example, all);
    ASSERT_EQ(judgement.rows.size(), 1U) << judgement_table(judgement);
    EXPECT_EQ(judgement.rows[0].test.rfind("steps", 0), 0U);
    EXPECT_EQ(judgement.rows[0].claim.note, "no step could be made; the first: a step failed: 'no convergence'");
    EXPECT_EQ(judgement.exit_status(), 2) << example.name;
  }
}

}  // namespace judge_failures_test
