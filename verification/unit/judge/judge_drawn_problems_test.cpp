// SPDX-License-Identifier: MIT
//
// Methods that are right on the fixed problems of the judge, forwards or with steps of few bits, and wrong otherwise:
// what is drawn names them, in every number type.
#include <gtest/gtest.h>
#include <livi/judge/rows/judgement.hpp>

#include <cmath>
#include <set>

#include "verification/judge/forked.hpp"
#include "verification/judge/judgement_rows.hpp"

namespace judge_drawn_problems_test {

using namespace livi;

using What = StepPart::What;

ForeignDeclaration of_verlet(std::vector<NumberType> numbers) {
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.order = 2;
  declaration.symplectic = declaration.symmetric = declaration.linear_momentum = declaration.angular_momentum = true;
  declaration.gradients = 2;
  declaration.numbers = std::move(numbers);
  declaration.digits = 50;
  return declaration;
}

/// Order two with two gradients; neither symplectic nor symmetric.
BuiltInMethod explicit_midpoint() {
  return {.name = "explicit midpoint rule", .tableau = {{}, {1}, {0, 2}}, .tableau_denominator = 2};
}

std::set<std::string> refuted(ForeignSubject& subject) {
  return test::own_rows_with(judge(subject, {.drawn = 1, .quick = true}), Verdict::refuted);
}

constexpr auto never = [](const JudgedProblem&, double, NumberType) { return false; };
constexpr auto backwards = [](const JudgedProblem&, double h, NumberType) { return h < 0; };
/// The fixed problems have one, two, three and six degrees of freedom.
constexpr auto beyond_the_fixed_problems = [](const JudgedProblem& problem, double, NumberType) {
  return problem.size() > 3 && problem.size() != 6;
};

struct Row {
  NumberType type;
  const char* suffix;
};
constexpr std::array exact_rows{Row{NumberType::digits, ", digits"}, Row{NumberType::rational, ", fractions"}};

TEST(Forked, is_cleared_if_it_never_forks) {
  for (const Row& row : exact_rows) {
    Forked honest(built_in_verlet(), explicit_midpoint(), never, of_verlet({row.type}));
    EXPECT_TRUE(livi::test::is_cleared(judge(honest, {.drawn = 1, .quick = true}))) << row.suffix;
  }
}

TEST(Forked, on_drawn_problems_is_named_in_every_number_type) {
  for (const Row& row : exact_rows) {
    Forked subject(built_in_verlet(), explicit_midpoint(), beyond_the_fixed_problems, of_verlet({row.type}));
    const std::set<std::string> tests = refuted(subject);
    for (const char* test : {"symplectic", "symmetric", "angular momentum"})
      EXPECT_TRUE(tests.contains(std::string(test) + row.suffix)) << test << row.suffix;
    // Explicit midpoint has the order and keeps the linear momentum.
    EXPECT_FALSE(tests.contains(std::string("order of q") + row.suffix));
    EXPECT_FALSE(tests.contains(std::string("linear momentum") + row.suffix));
  }
}

TEST(Forked, backwards_is_named_in_every_number_type) {
  for (const auto& [type, suffix] :
       {exact_rows[0], exact_rows[1], Row{NumberType::complex, ", complex"}, Row{NumberType::real, ""}}) {
    ForeignDeclaration declaration = of_verlet({type});
    declaration.order = std::nullopt;
    declaration.symmetric = std::nullopt;
    declaration.linear_momentum = std::nullopt;
    declaration.gradients = std::nullopt;
    Forked euler(built_in_symplectic_euler(), built_in_explicit_euler(), backwards, declaration);
    const std::set<std::string> tests = refuted(euler);
    EXPECT_TRUE(tests.contains(std::string("symplectic") + suffix)) << suffix;
    if (type == NumberType::complex) continue;
    EXPECT_TRUE(tests.contains(std::string("angular momentum") + suffix)) << suffix;
  }
}

TEST(Forked, backwards_has_another_order_in_every_number_type) {
  for (const Row& row : exact_rows) {
    ForeignDeclaration declaration = of_verlet({row.type});
    declaration.symplectic = declaration.symmetric = declaration.angular_momentum = std::nullopt;
    declaration.gradients = std::nullopt;
    Forked subject(explicit_midpoint(), built_in_explicit_euler(), backwards, declaration);
    const std::set<std::string> tests = refuted(subject);
    for (const char* test : {"order of q", "order of p"})
      EXPECT_TRUE(tests.contains(std::string(test) + row.suffix)) << test << row.suffix;
  }
}

TEST(Forked, backwards_beyond_the_fixed_problems_has_another_order_in_double) {
  ForeignDeclaration declaration = of_verlet({NumberType::real});
  declaration.symplectic = declaration.symmetric = declaration.angular_momentum = std::nullopt;
  declaration.gradients = std::nullopt;
  Forked subject(
      explicit_midpoint(), built_in_explicit_euler(),
      [](const JudgedProblem& problem, double h, NumberType type) {
        return h < 0 && beyond_the_fixed_problems(problem, h, type);
      },
      declaration);
  EXPECT_EQ(refuted(subject), std::set<std::string>{"order, negative steps"});
}

// Position Verlet is all that velocity Verlet declares.
TEST(Forked, into_another_right_method_in_one_number_type_is_named_by_the_others) {
  const BuiltInMethod position_verlet{.name = "position Verlet",
                                      .parts = {{What::drift, 1, 2}, {What::kick, 1}, {What::drift, 1, 2}}};
  for (const auto& [type, suffix] : {Row{NumberType::digits, "many digits"}, Row{NumberType::rational, "fractions"},
                                     Row{NumberType::complex, "complex numbers"}}) {
    const NumberType forked = type;
    ForeignDeclaration declaration = of_verlet({NumberType::real, type});
    declaration.gradients = std::nullopt;
    Forked subject(
        built_in_verlet(), position_verlet,
        [forked](const JudgedProblem& problem, double h, NumberType in) {
          return in == forked && beyond_the_fixed_problems(problem, h, in);
        },
        declaration);
    EXPECT_EQ(refuted(subject), std::set<std::string>{std::string("double, ") + suffix});
  }
}

TEST(Forked, by_steps_of_all_bits_is_named_on_problems_of_every_kind) {
  const auto of_many_bits = [](const JudgedProblem&, double h, NumberType) {
    return std::ldexp(h, 30) != std::round(std::ldexp(h, 30));
  };
  for (const ProblemKind kind : {ProblemKind::separable, ProblemKind::timed}) {
    ForeignDeclaration declaration = of_verlet({NumberType::real});
    declaration.kinds = {kind};
    declaration.linear_momentum = declaration.angular_momentum = std::nullopt;
    Forked subject(built_in_verlet(), explicit_midpoint(), of_many_bits, declaration);
    EXPECT_EQ(refuted(subject), (std::set<std::string>{"symplectic", "symmetric"}));
    Forked honest(built_in_verlet(), explicit_midpoint(), never, declaration);
    EXPECT_TRUE(livi::test::is_cleared(judge(honest, {.drawn = 1, .quick = true})));
  }
}

/// Verlet with a push of 2^-40 across two coordinates that vanishes, with its first derivatives, where the fixed cubic
/// problem starts. Loops in double do not see it; it keeps away from the problems of extreme sizes that would.
class PushedAcross final : public ForeignRun<double> {
 public:
  PushedAcross(std::unique_ptr<ForeignRun<double>> verlet, const JudgedProblem& problem, double size)
      : verlet_(std::move(verlet)), size_(size) {
    for (const double m : problem.masses)
      if (problem.size() != 3 || m < 0.5 || m > 2) size_ = 0;
  }
  void start(const TimedPoint<double>& z) override { verlet_->start(z); }
  void step(const double& h, long count) override {
    for (; count > 0; --count) {
      const TimedPoint<double> before = verlet_->point();
      verlet_->step(h, 1);
      TimedPoint<double> z = verlet_->point();
      if (size_ != 0 && std::abs(h) <= 0.25 && std::abs(before.q[0]) > 0x1p-6 && std::abs(before.q[1]) < 2 &&
          std::abs(before.q[2]) < 2)
        z.p[0] += h * size_ * (before.q[1] + 0.25) * (before.q[2] - 0.25);
      verlet_->start(z);
    }
  }
  [[nodiscard]] TimedPoint<double> point() override { return verlet_->point(); }
  [[nodiscard]] std::optional<std::string> save() override { return std::nullopt; }
  void restore(const std::string&) override {}

 private:
  std::unique_ptr<ForeignRun<double>> verlet_;
  double size_;
};
class PushedAcrossSubject final : public ForeignSubject {
 public:
  explicit PushedAcrossSubject(double size, ProblemKind kind = ProblemKind::mechanical) : size_(size) {
    declaration_ = of_verlet({NumberType::real});
    declaration_.gradients = std::nullopt;
    declaration_.kinds = {kind};
    if (kind != ProblemKind::mechanical) declaration_.linear_momentum = declaration_.angular_momentum = std::nullopt;
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<PushedAcross>(verlet_->in_double(forces), forces.problem(), size_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<PushedAcrossSubject>(size_, declaration_.kinds.front());
  }

 private:
  double size_;
  ForeignDeclaration declaration_;
  std::unique_ptr<ForeignSubject> verlet_ = built_in_subject(built_in_verlet());
};

TEST(DyadicRow, looks_at_couplings_of_kinetic_and_potential_energy) {
  PushedAcrossSubject pushed(0x1p-40, ProblemKind::separable), honest(0, ProblemKind::separable);
  EXPECT_EQ(refuted(pushed), std::set<std::string>{"symplectic, dyadic"});
  const Judgement judgement = judge(honest, {.drawn = 1, .quick = true});
  EXPECT_TRUE(livi::test::is_cleared(judgement));
  for (const JudgementRow& row : judgement.rows)
    if (row.test == "symplectic, dyadic") {
      EXPECT_NE(row.claim.note.find("without rounding on 2 of 2 problems"), std::string::npos) << row.claim.note;
    }
}

TEST(DyadicRow, sees_a_term_across_coordinates_that_vanishes_at_the_fixed_start) {
  PushedAcrossSubject pushed(0x1p-40), honest(0);
  EXPECT_EQ(refuted(pushed), std::set<std::string>{"symplectic, dyadic"});
  const Judgement judgement = judge(honest, {.drawn = 1, .quick = true});
  EXPECT_TRUE(livi::test::is_cleared(judgement));
  for (const JudgementRow& row : judgement.rows)
    if (row.test == "symplectic, dyadic") {
      EXPECT_NE(row.claim.note.find("without rounding on 5 of 5 problems"), std::string::npos) << row.claim.note;
    }
}

}  // namespace judge_drawn_problems_test
