// SPDX-License-Identifier: MIT
//
// The rows of the judge of methods from outside, on methods in this process whose flaws are known: which rows refute
// which, that every row has been seen to refute, and that honest ones are cleared. One file, for its methods are built once.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <livi/claims/battery_result.hpp>
#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/measures/measurements.hpp>
#include <livi/judge/output/judgement_table.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "judged_verlet.hpp"
#include "verification/judge/declaring.hpp"
#include "verification/judge/mistaken.hpp"
#include "verification/judge/of_step.hpp"

namespace judge_rows_test {

using namespace livi;
using namespace livi::test;
using What = StepPart::What;

TEST(Judge, clears_methods_that_are_what_they_declare) {
  EXPECT_TRUE(livi::test::is_cleared(judged(built_in_verlet(), of_verlet())))
      << judgement_table(judged(built_in_verlet(), of_verlet()));
  ForeignDeclaration runge_kutta = of_verlet();
  runge_kutta.order = 4;
  runge_kutta.symplectic = runge_kutta.symmetric = runge_kutta.angular_momentum = false;
  runge_kutta.gradients = 4;
  runge_kutta.stability_limit = std::sqrt(8);
  EXPECT_TRUE(livi::test::is_cleared(judged(built_in_runge_kutta_4(), runge_kutta)));
  ForeignDeclaration euler = of_verlet();
  euler.order = 1;
  euler.symmetric = false;
  euler.gradients = 1;
  EXPECT_TRUE(livi::test::is_cleared(judged(built_in_symplectic_euler(), euler)));
  const Judgement of_four = judged(built_in_splitting("McLachlan and Atela", drifts, kicks, true), of_order_four());
  EXPECT_TRUE(livi::test::is_cleared(of_four)) << judgement_table(of_four);
}

TEST(Judge, clears_methods_that_take_one_kind_of_problem_or_number) {
  for (const ProblemKind kind : {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable}) {
    ForeignDeclaration declaration = of_verlet();
    declaration.kinds = {kind};
    if (kind != ProblemKind::mechanical) {
      declaration.linear_momentum = declaration.angular_momentum = std::nullopt;
      declaration.stability_limit = std::nullopt;
    }
    const Judgement judgement = judged(built_in_verlet(), declaration);
    EXPECT_TRUE(livi::test::is_cleared(judgement)) << judgement_table(judgement);
  }
  for (const NumberType type : {NumberType::complex, NumberType::digits, NumberType::rational}) {
    ForeignDeclaration declaration = of_verlet();
    declaration.numbers = {type};
    declaration.stability_limit = std::nullopt;
    if (type == NumberType::complex) {
      declaration.order = std::nullopt;
      declaration.symmetric = declaration.linear_momentum = declaration.angular_momentum = std::nullopt;
    }
    const Judgement judgement = judged(built_in_verlet(), declaration);
    EXPECT_TRUE(livi::test::is_cleared(judgement)) << judgement_table(judgement);
  }
}

// A clock that goes on by the size of h is right without forces of time, and forwards.
TEST(Judge, looks_at_steps_back_on_every_kind_of_problem) {
  ForeignDeclaration declaration = of_verlet();
  declaration.kinds = {ProblemKind::mechanical, ProblemKind::timed};
  declaration.symmetric = std::nullopt;
  OtherTimes wrong(built_in_verlet(), declaration, [](const Asked& at) {
    return at.start + std::abs(at.begin - at.start) + at.share * std::abs(at.h);
  });
  EXPECT_EQ(rows_with(judge(wrong, {.quick = true}), Verdict::refuted),
            (std::set<std::string>{"local error, timed", "order, negative steps"}));
  OtherTimes right(built_in_verlet(), declaration, [](const Asked& at) { return at.begin + at.share * at.h; });
  EXPECT_TRUE(rows_with(judge(right, {.quick = true}), Verdict::refuted).empty());
}

// Steps of Yoshida's method of order four are long inside; with these seeds they lead beyond 10^100 on a drawn problem, where shorter
// ones decide.
TEST(Judge, clears_steps_that_lead_far_away) {
  const double side = 1 / (2 - std::cbrt(2.0)), middle = 1 - 2 * side, between = (side + middle) / 2;
  const BuiltInMethod yoshida =
      built_in_splitting("Yoshida", {side, middle, side}, {side / 2, between, between, side / 2}, true);
  ForeignDeclaration declaration = of_order_four();
  declaration.symmetric = std::nullopt;
  declaration.kinds = {ProblemKind::separable};
  declaration.gradients = std::nullopt;
  declaration.linear_momentum = declaration.angular_momentum = std::nullopt;
  declaration.stability_limit = std::nullopt;
  for (const std::uint64_t seed : {11U, 13U}) {
    Declaring subject(yoshida, declaration);
    const Judgement judgement = judge(subject, {.seed = seed, .quick = true});
    EXPECT_TRUE(livi::test::is_cleared(judgement)) << judgement_table(judgement);
    Declaring runge_kutta(built_in_runge_kutta_4(), declaration);
    EXPECT_TRUE(rows_with(judge(runge_kutta, {.seed = seed, .quick = true}), Verdict::refuted).contains("symplectic"));
  }
}

TEST(Judge, confirms_nothing_that_no_row_has_judged) {
  ForeignDeclaration declaration = of_verlet();
  declaration.kinds = {ProblemKind::separable};
  Judgement judgement = judged(built_in_verlet(), declaration);
  EXPECT_EQ(judgement.exit_status(), 2);
  EXPECT_EQ(rows_with(judgement, Verdict::undecided),
            (std::set<std::string>{"linear momentum", "angular momentum", "linear stability"}));
  declaration = of_verlet();
  declaration.numbers = {NumberType::complex};
  judgement = judged(built_in_verlet(), declaration);
  EXPECT_EQ(judgement.exit_status(), 2);
  EXPECT_EQ(
      rows_with(judgement, Verdict::undecided),
      (std::set<std::string>{"order of q", "symmetric", "linear momentum", "angular momentum", "linear stability"}));
}

/// Verlet whose first position is no number where there is no force, or whatever the force is.
class Numberless final : public ForeignRun<double> {
 public:
  Numberless(std::unique_ptr<ForeignRun<double>> run, Forces<double>& forces, bool always)
      : run_(std::move(run)), forces_(&forces), always_(always) {}
  void start(const TimedPoint<double>& z) override { run_->start(z); }
  void step(const double& h, long count) override { run_->step(h, count); }
  [[nodiscard]] TimedPoint<double> point() override {
    TimedPoint<double> z = run_->point();
    if (always_ || forces_->problem().potential.degree(forces_->problem().size()) < 2)
      z.q[0] = std::numeric_limits<double>::quiet_NaN();
    return z;
  }
  [[nodiscard]] std::optional<std::string> save() override { return run_->save(); }
  void restore(const std::string& text) override { run_->restore(text); }

 private:
  std::unique_ptr<ForeignRun<double>> run_;
  Forces<double>* forces_;
  bool always_;
};
class NumberlessSubject final : public ForeignSubject {
 public:
  explicit NumberlessSubject(bool always) : verlet_(built_in_subject(built_in_verlet())), always_(always) {
    declaration_ = of_verlet();
    declaration_.numbers = {NumberType::real};
    declaration_.kinds = {ProblemKind::mechanical};
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Numberless>(verlet_->in_double(forces), forces, always_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<NumberlessSubject>(always_);
  }

 private:
  std::unique_ptr<ForeignSubject> verlet_;
  bool always_;
  ForeignDeclaration declaration_;
};

TEST(Judge, never_confirms_what_is_no_number) {
  NumberlessSubject without_force(false);
  EXPECT_EQ(rows_with(judge(without_force, {.drawn = 0, .quick = true}), Verdict::undecided),
            (std::set<std::string>{"free particle", "constant force"}));
  NumberlessSubject everywhere(true);
  const Judgement judgement = judge(everywhere, {.drawn = 0, .quick = true});
  ASSERT_EQ(judgement.rows.size(), 1U) << judgement_table(judgement);
  EXPECT_EQ(judgement.rows[0].claim.note,
            "inconclusive: the state is not a number after 1 step of |h| = 0.25 on the problem "
            "'three coupled oscillators, quartic'");
  EXPECT_EQ(judgement.exit_status(), 2);
}
TEST(Judge, names_the_state_that_is_not_a_number_in_every_row) {
  ForeignDeclaration declaration = of_verlet();
  declaration.numbers = {NumberType::real};
  declaration.kinds = {ProblemKind::mechanical};
  for (const std::size_t size : {1U, 3U}) {
    const auto verlet = [size](Forces<double>& forces, TimedPoint<double>& z, double h) {
      const auto add = [](std::vector<double>& x, double by, const std::vector<double>& rate) {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += by * rate[i];
      };
      add(z.p, -h / 2, forces.gradient(z.t, z.q));
      add(z.q, h, forces.velocity(z.p));
      add(z.p, -h / 2, forces.gradient(z.t, z.q));
      if (z.p.size() == size) z.p[0] = std::nan("");
    };
    OfStepSubject subject(verlet, declaration);
    const Judgement judgement = judge(subject, {.drawn = 0});
    EXPECT_EQ(rows_with(judgement, Verdict::refuted), std::set<std::string>()) << judgement_table(judgement);
    const std::string& note = row_of(judgement, size == 1 ? "linear stability" : "history").claim.note;
    EXPECT_EQ(note.rfind("inconclusive: the state is not a number after ", 0), 0U) << note;
    for (const JudgementRow& row : judgement.rows) {
      EXPECT_EQ(row.claim.note.find("nan"), std::string::npos) << row.test << ": " << row.claim.note;
      EXPECT_NE(row.claim.note, "not measured: three coupled oscillators, quartic") << row.test;
    }
  }
}

/// Adams and Bashforth's method of two steps, which begins with Euler's and whenever the step changes.
class TwoSteps final : public ForeignRun<double> {
 public:
  explicit TwoSteps(Forces<double>& forces) : forces_(&forces) {}
  void start(const TimedPoint<double>& z) override {
    z_ = z;
    last_.clear();
  }
  void step(const double& h, long count) override {
    for (; count > 0; --count) {
      const std::vector<double> v = forces_->velocity(z_.p), g = forces_->gradient(z_.t, z_.q);
      std::vector<double> slope = v;
      for (const double x : g) slope.push_back(-x);
      const bool first = last_.empty() || h != h_;
      for (std::size_t i = 0; i < slope.size(); ++i)
        (i < v.size() ? z_.q[i] : z_.p[i - v.size()]) += h * (first ? slope[i] : 1.5 * slope[i] - 0.5 * last_[i]);
      last_ = slope;
      h_ = h;
      z_.t += h;
    }
  }
  [[nodiscard]] TimedPoint<double> point() override { return z_; }
  [[nodiscard]] std::optional<std::string> save() override { return std::nullopt; }
  void restore(const std::string&) override {}

 private:
  Forces<double>* forces_;
  TimedPoint<double> z_;
  std::vector<double> last_;
  double h_ = 0;
};
class TwoStepSubject final : public ForeignSubject {
 public:
  explicit TwoStepSubject(bool memory) {
    declaration_.name = "Adams and Bashforth 2";
    declaration_.order = 2;
    declaration_.memory = memory;
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<TwoSteps>(forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<TwoStepSubject>(declaration_.memory);
  }

 private:
  ForeignDeclaration declaration_;
};

TEST(Judge, sees_a_memory_that_begins_anew_with_every_change_of_the_step) {
  TwoStepSubject honest(true), silent(false);
  EXPECT_TRUE(rows_with(judge(honest, {.drawn = 0, .quick = true}), Verdict::confirmed).contains("memory"));
  EXPECT_TRUE(rows_with(judge(silent, {.drawn = 0, .quick = true}), Verdict::refuted).contains("memory"));
}

/// Verlet that takes problems of one degree of freedom alone.
class OneDegree final : public ForeignSubject {
 public:
  OneDegree() : verlet_(built_in_subject(built_in_verlet())) {
    declaration_ = of_verlet();
    declaration_.linear_momentum = declaration_.angular_momentum = std::nullopt;
    declaration_.numbers = {NumberType::real};
    declaration_.kinds = {ProblemKind::mechanical};
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    if (forces.problem().size() != 1) throw ProblemRefused("one degree of freedom only");
    return verlet_->in_double(forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override { return std::make_unique<OneDegree>(); }

 private:
  std::unique_ptr<ForeignSubject> verlet_;
  ForeignDeclaration declaration_;
};

TEST(Judge, judges_a_method_on_the_problems_that_it_takes) {
  OneDegree subject;
  const Judgement judgement = judge(subject, {.drawn = 0, .quick = true});
  EXPECT_TRUE(livi::test::is_cleared(judgement)) << judgement_table(judgement);
  EXPECT_TRUE(rows_with(judgement, Verdict::not_testable).contains("symplectic, dyadic"));
  EXPECT_TRUE(rows_with(judgement, Verdict::confirmed).contains("order of q"));
}

TEST(Judge, decides_high_orders_in_double) {
  // The method of order eight of Suzuki and Umeno (1993): Hairer, Lubich and Wanner, V (3.11).
  std::vector<double> all{0.74167036435061295345,  -0.40910082580003159400, 0.19075471029623837995,
                          -0.57386247111608226666, 0.29906418130365592384,  0.33462491824529818378,
                          0.31529309239676659663,  -0.79688793935291635402};
  for (std::size_t i = 7; i-- > 0;) all.push_back(all[i]);
  std::vector<double> drifts_of_8, kicks_of_8{all.front() / 2};
  for (std::size_t i = 0; i < all.size(); ++i) {
    drifts_of_8.push_back(all[i]);
    kicks_of_8.push_back(i + 1 < all.size() ? (all[i] + all[i + 1]) / 2 : all[i] / 2);
  }
  ForeignDeclaration declaration = of_order_four();
  declaration.order = 8;
  declaration.gradients = 16;
  declaration.symmetric = true;
  const Judgement judgement =
      judged(built_in_splitting("Suzuki and Umeno", drifts_of_8, kicks_of_8, true), declaration);
  EXPECT_TRUE(rows_with(judgement, Verdict::confirmed).contains("order of q")) << judgement_table(judgement);
  EXPECT_TRUE(rows_with(judgement, Verdict::confirmed).contains("order of p")) << judgement_table(judgement);
}

// Steps of nearly twice the size within a step bend a loop so that 32 points on it are too few; it is symplectic whatever
// its coefficients are.
TEST(Judge, does_not_take_a_loop_that_is_not_resolved_for_a_defect) {
  const std::vector<double> long_steps{0.9, 0.3, -1.4, -0.2, 1.9, -2, 0.1, 2.8, 0.1, -2, 1.9, -0.2, -1.4, 0.3, 0.9};
  ForeignDeclaration declaration = of_order_four();
  declaration.order = std::nullopt;
  declaration.gradients = std::nullopt;
  const std::vector<double> kicks_between(14, 1.0 / 14);
  const Judgement judgement = judged(built_in_splitting("long steps", long_steps, kicks_between, false), declaration);
  EXPECT_FALSE(rows_with(judgement, Verdict::refuted).contains("symplectic")) << judgement_table(judgement);
}

TEST(Judge, measures_what_is_not_declared_and_gives_no_verdict_on_nothing) {
  ForeignDeclaration nothing;
  nothing.name = "x";
  const Judgement judgement = judged(built_in_explicit_euler(), nothing);
  EXPECT_TRUE(rows_with(judgement, Verdict::refuted).empty()) << judgement_table(judgement);
  EXPECT_TRUE(rows_with(judgement, Verdict::result).contains("order of q"));
  EXPECT_EQ(judgement.exit_status(), 2) << "nothing was declared: nothing is confirmed";
  EXPECT_EQ(Judgement().exit_status(), 2);
}

struct Flawed {
  BuiltInMethod method;
  std::set<std::string> refuted;  ///< rows that must refute it, among others
};

std::vector<Flawed> flawed_methods() {
  const auto parts = [](const char* name, std::vector<StepPart> of) {
    return BuiltInMethod{.name = name, .parts = std::move(of)};
  };
  return {
      {built_in_lopsided_verlet(),
       {"order of q", "order of p", "order of q, digits", "order of p, digits", "order of q, fractions",
        "order of p, fractions", "symmetric", "symmetric, digits", "symmetric, fractions", "constant force",
        "forces of time", "order, negative steps"}},
      {built_in_explicit_euler(),
       {"symplectic", "symplectic, dyadic", "symplectic, complex", "symplectic, digits", "symplectic, fractions",
        "angular momentum", "angular momentum, digits", "angular momentum, fractions", "gradients", "linear stability",
        "energy", "stability of several", "symplectic, reach", "symmetric, reach"}},
      {built_in_splitting("long drift", {1.001}, {0.5, 0.5}, true),
       {"free particle", "local error", "local error, separable", "local error, timed"}},
      {built_in_verlet(BuiltInFlaw::still_in_sevens), {"drawn steps", "drawn steps, separable", "drawn steps, timed"}},
      {built_in_verlet(BuiltInFlaw::absolute_step), {"order, negative steps", "symmetric", "symmetric, both signs"}},
      {built_in_verlet(BuiltInFlaw::counts_steps), {"repetition", "batch", "restart"}},
      {built_in_verlet(BuiltInFlaw::single_number),
       {"precision", "double, many digits", "double, fractions", "double, complex numbers"}},
      {built_in_verlet(BuiltInFlaw::remembers), {"history"}},
      {built_in_verlet(BuiltInFlaw::pushes),
       {"linear momentum", "linear momentum, digits", "linear momentum, fractions", "free particle"}},
      {built_in_verlet(BuiltInFlaw::forgets_in_saved), {"restart"}},
      {built_in_verlet(BuiltInFlaw::tires), {"later"}},
      {parts("old force", {{What::kick_with_last_force, 1, 2}, {What::drift, 1}, {What::kick_with_last_force, 1, 2}}),
       {"memory", "order of p"}},
  };
}

TEST(Judge, refutes_each_flaw_by_the_row_that_is_for_it) {
  for (const Flawed& flawed : flawed_methods()) {
    const Judgement judgement = judged(flawed.method, of_verlet());
    EXPECT_EQ(judgement.exit_status(), 1);
    const std::set<std::string> refuted = rows_with(judgement, Verdict::refuted);
    EXPECT_TRUE(std::ranges::includes(refuted, flawed.refuted)) << flawed.method.name << "\n"
                                                                << judgement_table(judgement);
    EXPECT_TRUE(rows_with(judgement, Verdict::broken_control).empty()) << judgement_table(judgement);
  }
}

TEST(Judge, refutes_what_takes_its_adjoint_for_steps_back) {
  // A step of -h takes back one of h, whatever the method is: what is left is that it is not one map of h.
  ForeignDeclaration declaration = of_verlet();
  declaration.numbers = {NumberType::real};
  declaration.kinds = {ProblemKind::mechanical};
  declaration.order = declaration.gradients = 1;
  const BuiltInMethod euler = built_in_symplectic_euler(BuiltInFlaw::turned_back);
  EXPECT_EQ(rows_with(judged(euler, declaration), Verdict::refuted),
            (std::set<std::string>{"symmetric, order", "symmetric, both signs"}));
  // Two steps of Verlet of unequal length have an even order, and their adjoint the same leading error.
  BuiltInMethod unequal = built_in_splitting("unequal steps", {0.3125, 0.6875}, {0.15625, 0.5, 0.34375}, true);
  unequal.flaw = BuiltInFlaw::turned_back;
  declaration.order = 2;
  declaration.gradients = 3;
  declaration.stability_limit = std::nullopt;
  for (const ProblemKind kind : {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable}) {
    declaration.kinds = {kind};
    if (kind != ProblemKind::mechanical) declaration.linear_momentum = declaration.angular_momentum = std::nullopt;
    EXPECT_EQ(rows_with(judged(unequal, declaration), Verdict::refuted),
              (std::set<std::string>{"symmetric, both signs"}));
  }
}

TEST(Judge, has_no_row_that_never_refutes) {
  std::set<std::string> refuted;
  for (const Flawed& flawed : flawed_methods()) refuted.insert(flawed.refuted.begin(), flawed.refuted.end());
  for (const JudgementRow& row : judged(built_in_verlet(), of_verlet()).rows)
    EXPECT_TRUE(refuted.contains(row.test) || row.test == "other evaluations") << row.test;
}

TEST(Judge, asks_that_what_is_declared_not_to_hold_is_seen_to_fail) {
  ForeignDeclaration modest = of_verlet();
  modest.symplectic = modest.symmetric = modest.linear_momentum = modest.angular_momentum = false;
  const std::set<std::string> refuted = rows_with(judged(built_in_verlet(), modest), Verdict::refuted);
  for (const char* test :
       {"symplectic", "symplectic, dyadic", "symplectic, complex", "symplectic, digits", "symplectic, fractions",
        "symmetric", "symmetric, fractions", "linear momentum", "angular momentum, fractions"})
    EXPECT_TRUE(refuted.contains(test)) << test;
}

/// Verlet that counts the steps of all of its runs.
class CountedSubject final : public ForeignSubject {
 public:
  CountedSubject(long* steps, const ForeignDeclaration& declaration) : steps_(steps), declaration_(declaration) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    class Run final : public ForeignRun<double> {
     public:
      Run(std::unique_ptr<ForeignRun<double>> verlet, long* steps) : verlet_(std::move(verlet)), steps_(steps) {}
      void start(const TimedPoint<double>& z) override { verlet_->start(z); }
      void step(const double& h, long count) override {
        *steps_ += count;
        verlet_->step(h, count);
      }
      [[nodiscard]] TimedPoint<double> point() override { return verlet_->point(); }
      [[nodiscard]] std::optional<std::string> save() override { return verlet_->save(); }
      void restore(const std::string& text) override { verlet_->restore(text); }

     private:
      std::unique_ptr<ForeignRun<double>> verlet_;
      long* steps_;
    };
    return std::make_unique<Run>(verlet_->in_double(forces), steps_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<CountedSubject>(steps_, declaration_);
  }

 private:
  long* steps_;
  ForeignDeclaration declaration_;
  std::unique_ptr<ForeignSubject> verlet_ = built_in_subject(built_in_verlet());
};

TEST(Judge, makes_as_many_steps_as_it_says) {
  ForeignDeclaration declaration = of_verlet();
  declaration.numbers = {NumberType::real};
  declaration.kinds = {ProblemKind::mechanical};
  for (const JudgementOptions& options :
       {JudgementOptions(), JudgementOptions{.quick = true}, JudgementOptions{.slow = true}}) {
    long steps = 0;
    CountedSubject subject(&steps, declaration);
    EXPECT_TRUE(livi::test::is_cleared(judge(subject, options)));
    EXPECT_LT(steps, 2 * steps_of_judgement(options));
    EXPECT_GT(2 * steps, steps_of_judgement(options));
  }
}

TEST(Judge, does_not_depend_on_its_seed) {
  // With 106 a loop of one degree of freedom would be drawn as a point.
  for (const std::uint64_t seed : {1U, 2U, 106U}) {
    Declaring subject(built_in_verlet(), of_verlet());
    EXPECT_TRUE(livi::test::is_cleared(judge(subject, {.seed = seed, .drawn = 6, .quick = true}))) << seed;
  }
}

// On a hill so steep that a step makes differences some hundred thousand times larger.
TEST(Judge, does_not_take_enlarged_rounding_for_asymmetry) {
  JudgedProblem hill{.name = "a hill", .kind = ProblemKind::mechanical, .masses = {1}, .potential = {}};
  hill.potential.add(-500, {0, 0});
  hill.start = {0, {1.0 / 3}, {0.7}};
  hill.h = 0.0859375;
  const auto reversal = [&](const BuiltInMethod& method, const JudgedProblem& problem) {
    Measurements measurements(1);
    return measurements.reversal(*built_in_subject(method), problem, NumberType::real);
  };
  // Palindromic, so that its own adjoint.
  const Measured palindromic = reversal(built_in_splitting("palindromic", {4, -7, 4}, {2, -1.5, -1.5, 2}, true), hill);
  EXPECT_LT(palindromic.value, 0x1p-40);
  EXPECT_NE(palindromic.note.find("that makes differences"), std::string::npos) << palindromic.note;
  EXPECT_GT(reversal(built_in_symplectic_euler(), hill).value, 1e-3);
  // Without the hill nothing is enlarged, and as little is seen.
  JudgedProblem spring = hill;
  spring.potential = {};
  spring.potential.add(0.5, {0, 0});
  spring.h = 0.5;
  const BuiltInMethod lopsided = built_in_splitting("lopsided", {1}, {0.5 + 1e-11, 0.5 - 1e-11}, true);
  EXPECT_GT(reversal(lopsided, spring).value, 0x1p-40);
}

TEST(Judge, takes_no_slope_from_an_error_whose_leading_term_nearly_vanishes) {
  // The error of positions, 2e-4 h^3 - h^4/500, is small beside that of momenta, h^3/10.
  std::vector<MeasuredError> errors;
  for (double h = 0.25; h > 0.03; h /= 2)
    errors.push_back({std::abs(2e-4 * h * h * h - h * h * h * h / 500), h * h * h / 10, 1e-13});
  MeasuredOrder order{0, 0};
  settle_order(order, errors);
  EXPECT_NEAR(order.p, 3, 1e-9);
  EXPECT_TRUE(std::isnan(order.q)) << order.q;
  EXPECT_TRUE(order.shows_nothing);
  EXPECT_NE(order.why_undecided, "");
  // Rounding that is seen in the last error leaves the slope before.
  errors.clear();
  for (const double e : {3e-9, 1.875e-10, 1.5e-11}) errors.push_back({e, e, 1e-12, 16});
  order = {0, 0};
  settle_order(order, errors);
  EXPECT_NEAR(order.q, 4, 1e-9);
  errors.back().parts = 1;
  settle_order(order, errors);
  EXPECT_NEAR(order.q, 3.64, 0.01);
  // An error of a lower order is the larger one in short steps.
  errors.clear();
  for (double h = 0.25; h > 0.0005; h /= 2) errors.push_back({h * h / 1000, h, 1e-13});
  order = {0, 0};
  settle_order(order, errors);
  EXPECT_NEAR(order.p, 1, 1e-9);
  errors.clear();
  for (double h = 0.25; h > 0.0005; h /= 2) errors.push_back({h / 100, h * h, 1e-13});
  order = {0, 0};
  settle_order(order, errors);
  EXPECT_NEAR(order.q, 1, 1e-9);
}

TEST(Judge, refutes_an_order_where_errors_grow_again_with_shorter_steps) {
  // A method that is wrong after 290 steps; one error of a right one that is small by chance.
  std::vector<MeasuredError> errors;
  for (int level = 2; level <= 11; ++level) {
    const double error = level < 9 ? std::ldexp(1, -2 * level) : level == 9 ? 0.9 : level == 10 ? 2 : 0.5;
    errors.push_back({error, error, 1e-13});
  }
  MeasuredOrder order{0, 0};
  settle_order(order, errors);
  EXPECT_EQ(order.stalled, 0.5);
  EXPECT_TRUE(slopes_refute(order.of_q, 2) && slopes_refute(order.of_p, 1));
  EXPECT_EQ(lowest_order({{"it", order}}, OrderOf::both, 2).value, 0);
  for (int level = 2; level <= 11; ++level) {
    const double error = level == 4 ? 1e-6 : std::ldexp(1, -level);
    errors[static_cast<std::size_t>(level - 2)] = {error, error, 1e-13};
  }
  order = {0, 0};
  settle_order(order, errors);
  EXPECT_EQ(order.stalled, 0);
  EXPECT_NEAR(order.q, 1, 1e-9);
}

/// Verlet that keeps h/m for each h, as long as its process lives.
class KeepsMasses final : public ForeignSubject {
 public:
  KeepsMasses() {
    declaration_.name = "keeps h/m";
    declaration_.order = 2;
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<OfStep>(forces, [this](Forces<double>& of, TimedPoint<double>& z, double h) {
      std::vector<double>& share = kept_[{h, z.q.size()}];
      if (share.empty())
        for (const double m : of.problem().masses) share.push_back(h / m);
      const auto kick = [&] {
        const std::vector<double> g = of.gradient(z.t, z.q);
        for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= h / 2 * g[i];
      };
      kick();
      for (std::size_t i = 0; i < share.size(); ++i) z.q[i] += share[i] * z.p[i];
      kick();
    });
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override { return std::make_unique<KeepsMasses>(); }

 private:
  ForeignDeclaration declaration_;
  std::map<std::pair<double, std::size_t>, std::vector<double>> kept_;
};
TEST(History, includes_runs_of_other_problems) {
  KeepsMasses subject;
  const Judgement judgement = judge(subject, {.drawn = 1, .quick = true});
  const auto history = std::ranges::find(judgement.rows, "history", &JudgementRow::test);
  ASSERT_NE(history, judgement.rows.end());
  EXPECT_EQ(history->claim.verdict, Verdict::refuted) << judgement_table(judgement);
}

TEST(ExitCodes, refutation_counts_before_inconclusive_before_partial) {
  using enum Verdict;
  struct Case {
    std::vector<Verdict> verdicts;
    int whole, partial;
  };
  for (const Case& of : std::initializer_list<Case>{{{confirmed, result, not_testable}, 0, 3},
                                                    {{confirmed_with_limits}, 0, 3},
                                                    {{confirmed, refuted, broken_control, undecided}, 1, 1},
                                                    {{confirmed, broken_control}, 2, 2},
                                                    {{confirmed, undecided}, 2, 2},
                                                    {{result, not_testable}, 2, 3},
                                                    {{}, 2, 2}})
    for (const bool partial : {false, true}) {
      Judgement judgement{.declares = of_verlet(), .rows = {}, .partial = partial};
      BatteryResult battery{.declares = {}, .rows = {}, .quick = partial};
      for (const Verdict verdict : of.verdicts) {
        judgement.rows.push_back(bare_row(of_verlet(), "symplectic", verdict));
        battery.rows.push_back(
            {.test = "symplectic", .declared = "yes", .claim = judgement.rows.back().claim, .detail = ""});
      }
      EXPECT_EQ(judgement.exit_status(), partial ? of.partial : of.whole);
      EXPECT_EQ(battery.exit_status(), partial ? of.partial : of.whole);
    }
  Judgement nothing_declared{.declares = {}, .rows = {bare_row(of_verlet(), "symplectic", confirmed)}};
  EXPECT_EQ(nothing_declared.exit_status(), 2);
  nothing_declared.end_early("it ended");
  nothing_declared.rows.push_back(bare_row(of_verlet(), "symplectic", refuted));
  EXPECT_EQ(nothing_declared.exit_status(), 2);
}

TEST(Strict, asks_that_undeclared_properties_be_seen_to_fail) {
  ForeignDeclaration order_alone;
  order_alone.name = "x";
  order_alone.order = 4;
  const auto verdicts = [&](bool strict) {
    Declaring subject(built_in_runge_kutta_4(), order_alone);
    const Judgement judgement = judge(subject, {.drawn = 0, .slow = true, .strict = strict});
    return std::array{row_of(judgement, "symplectic").claim.verdict,
                      row_of(judgement, "linear momentum").claim.verdict};
  };
  EXPECT_EQ(verdicts(false), (std::array{Verdict::result, Verdict::result}));
  EXPECT_EQ(verdicts(true), (std::array{Verdict::confirmed, Verdict::refuted}));
}

}  // namespace judge_rows_test
