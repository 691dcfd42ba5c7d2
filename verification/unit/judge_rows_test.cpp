// SPDX-License-Identifier: MIT
//
// The rows of the judge of methods from outside, on methods in this process whose flaws are known: which rows refute
// which, that every row has been seen to refute, that honest ones are cleared, and what is said of the flaws.
#include <gtest/gtest.h>
#include <livi/foreign/built_in_methods.hpp>
#include <livi/foreign/judgement_files.hpp>
#include <livi/foreign/measurements.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "verification/judge/declaring.hpp"

using namespace livi;

namespace {

using What = StepPart::What;

/// What Verlet is, in all number types and kinds of problem.
ForeignDeclaration of_verlet() {
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.order = 2;
  declaration.symplectic = declaration.symmetric = declaration.linear_momentum = declaration.angular_momentum = true;
  declaration.gradients = 2;
  declaration.stability_limit = 2;
  declaration.numbers = {NumberType::real, NumberType::complex, NumberType::digits, NumberType::rational};
  declaration.digits = 50;
  declaration.kinds = {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable};
  return declaration;
}

std::set<std::string> rows_with(const Judgement& judgement, Verdict verdict) {
  std::set<std::string> tests;
  for (const JudgementRow& row : judgement.rows)
    if (row.claim.verdict == verdict) tests.insert(row.test);
  return tests;
}

Judgement judged(const BuiltInMethod& method, const ForeignDeclaration& declaration) {
  Declaring subject(method, declaration);
  return judge(subject, {.drawn = 1});
}

/// Fourth order with two vectors of four coefficients (McLachlan and Atela 1992), kick first.
const std::vector<double> drifts{0.5153528374311229364, -0.085782019412973646, 0.4415830236164665242,
                                 0.1288461583653841854};
const std::vector<double> kicks{0.1344961992774310892, -0.2248198030794208058, 0.7563200005156682911,
                                0.3340036032863214255};
ForeignDeclaration of_order_four() {
  ForeignDeclaration declaration = of_verlet();
  declaration.order = 4;
  declaration.gradients = 4;
  declaration.symmetric = false;
  declaration.stability_limit = std::nullopt;
  declaration.numbers = {NumberType::real};
  declaration.kinds = {ProblemKind::mechanical};
  return declaration;
}

TEST(Judge, clears_methods_that_are_what_they_declare) {
  EXPECT_EQ(judged(built_in_verlet(), of_verlet()).exit_status(), 0)
      << judgement_table(judged(built_in_verlet(), of_verlet()));
  ForeignDeclaration runge_kutta = of_verlet();
  runge_kutta.order = 4;
  runge_kutta.symplectic = runge_kutta.symmetric = runge_kutta.angular_momentum = false;
  runge_kutta.gradients = 4;
  runge_kutta.stability_limit = std::sqrt(8);
  EXPECT_EQ(judged(built_in_runge_kutta_4(), runge_kutta).exit_status(), 0);
  ForeignDeclaration euler = of_verlet();
  euler.order = 1;
  euler.symmetric = false;
  euler.gradients = 1;
  EXPECT_EQ(judged(built_in_symplectic_euler(), euler).exit_status(), 0);
  const Judgement of_four = judged(built_in_splitting("McLachlan and Atela", drifts, kicks, true), of_order_four());
  EXPECT_EQ(of_four.exit_status(), 0) << judgement_table(of_four);
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
    EXPECT_EQ(judgement.exit_status(), 0) << judgement_table(judgement);
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
    EXPECT_EQ(judgement.exit_status(), 0) << judgement_table(judgement);
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
  EXPECT_EQ(rows_with(judgement, Verdict::undecided), (std::set<std::string>{"order of", "symmetric", "linear momentum",
                                                                             "angular momentum", "linear stability"}));
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
  // The momenta of three bodies are numbers, and their sum is conserved.
  EXPECT_EQ(rows_with(judgement, Verdict::confirmed), (std::set<std::string>{"gradients", "linear momentum"}));
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
  EXPECT_EQ(judgement.exit_status(), 0) << judgement_table(judgement);
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
      {built_in_splitting("long drift", {1.001}, {0.5, 0.5}, true), {"free particle"}},
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
  EXPECT_EQ(rows_with(judged(unequal, declaration), Verdict::refuted),
            (std::set<std::string>{"symmetric, both signs"}));
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
    EXPECT_EQ(judge(subject, options).exit_status(), 0);
    EXPECT_LT(steps, 2 * steps_of_judgement(options));
    EXPECT_GT(2 * steps, steps_of_judgement(options));
  }
}

TEST(Judge, does_not_depend_on_its_seed) {
  // With 106 a loop of one degree of freedom would be drawn as a point.
  for (const std::uint64_t seed : {1U, 2U, 106U}) {
    Declaring subject(built_in_verlet(), of_verlet());
    EXPECT_EQ(judge(subject, {.seed = seed, .drawn = 6, .quick = true}).exit_status(), 0) << seed;
  }
}

std::string diagnosis_of(const BuiltInMethod& method, const ForeignDeclaration& declaration) {
  Declaring subject(method, declaration);
  std::string all;
  for (const std::string& sentence : diagnose(subject, judge(subject, {.drawn = 0, .quick = true})))
    all += sentence + "\n";
  return all;
}

TEST(Diagnosis, names_typical_mistakes) {
  const auto says = [](const std::string& all, const char* part) {
    EXPECT_NE(all.find(part), std::string::npos) << "'" << part << "' is not in: " << all;
  };
  says(diagnosis_of(built_in_splitting("x", kicks, drifts, true), of_order_four()),
       "the roles of its two coefficient vectors look exchanged: with them exchanged the order is 4");
  says(diagnosis_of(built_in_splitting("x", drifts, kicks, false), of_order_four()),
       "drifts and kicks look exchanged: with the kick first the order is 4");
  auto sign = drifts;
  sign[1] = -sign[1];
  says(diagnosis_of(built_in_splitting("x", sign, kicks, true), of_order_four()),
       "the sign of drift 2 looks wrong: with it turned round the order is 4");
  auto digit = kicks;
  digit[2] = 0.7653200005156682911;
  says(diagnosis_of(built_in_splitting("x", drifts, digit, true), of_order_four()),
       "kick 3 looks wrong, 0.765320000516 for 0.756320000516: so the order is 4");
  says(diagnosis_of(built_in_splitting("x", {0.1, 0.1}, {0.5, 0.5}, true), of_order_four()),
       "the coefficients of its drifts sum to 0.2: a step of h advances by 0.2 h");
  says(diagnosis_of(built_in_explicit_euler(), of_verlet()), "explicit Euler");
  says(diagnosis_of(built_in_verlet(BuiltInFlaw::absolute_step), of_verlet()), "the sign of the step is lost");
  const BuiltInMethod stale{.name = "x",
                            .parts = {{What::kick, 1, 2}, {What::drift, 1}, {What::kick_with_first_force, 1, 2}}};
  says(diagnosis_of(stale, of_verlet()), "second half kick uses the force of the old position");
}

TEST(Diagnosis, finds_the_coefficients_of_a_step) {
  const auto verlet = built_in_subject(built_in_splitting("x", drifts, kicks, true));
  const FoundCoefficients found = find_coefficients(*verlet);
  ASSERT_EQ(found.kick.size(), 4U);
  EXPECT_TRUE(found.is_splitting);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(found.kick[k], kicks[k], 1e-15);
  EXPECT_NEAR(found.c[1], drifts[0], 1e-15);
  EXPECT_FALSE(find_coefficients(*built_in_subject(built_in_runge_kutta_4())).is_splitting);
}

TEST(Reproducer, is_as_small_as_can_be) {
  Declaring euler(built_in_explicit_euler(), of_verlet());
  const Judgement judgement = judge(euler, {.drawn = 0, .quick = true});
  const Reproducer symplectic = reproduce(euler, judgement, "symplectic");
  EXPECT_EQ(symplectic.test, "symplectic");
  EXPECT_NE(symplectic.words.find("V = 0.5*q1^2, masses (1)\nstart: q = (1), p = (0), h = 1\n"), std::string::npos)
      << symplectic.words;
  // J = (1 h; -h 1), whose determinant is 1 + h^2.
  EXPECT_NE(symplectic.words.find("1 at the start, 2 after one step"), std::string::npos) << symplectic.words;
  const Reproducer first = reproduce(euler, judgement);
  EXPECT_EQ(first.test, "constant force");
  EXPECT_NE(first.words.find("V = q1, masses (1)"), std::string::npos) << first.words;
  Declaring verlet(built_in_verlet(), of_verlet());
  EXPECT_TRUE(reproduce(verlet, judge(verlet, {.drawn = 0, .quick = true})).test.empty());
}

TEST(Measurements, know_the_motion_of_an_oscillator) {
  const auto problem = judged_problems({ProblemKind::mechanical}, 1, 0).oscillator;
  const auto end = exact_motion(problem, point_in<Float50>(problem.start), Float50(1), 1e-40);
  const Float50 exact = Float50(problem.start.q[0]) * cos(Float50(1)) + Float50(problem.start.p[0]) * sin(Float50(1));
  EXPECT_LT(abs(end.q[0] - exact).convert_to<double>(), 1e-39);
}

TEST(Measurements, see_rounding_where_a_step_is_not_exact) {
  Measurements measurements(1);
  const auto problems = judged_problems({ProblemKind::mechanical}, 1, 0);
  const auto exact = built_in_subject(built_in_verlet());
  const auto rounded = built_in_subject(built_in_runge_kutta_4());
  EXPECT_EQ(measurements.exact_in_double(*exact, problems.cubic).value, 0);
  EXPECT_TRUE(std::isnan(measurements.exact_in_double(*rounded, problems.cubic).value));
}

JudgementReport report_of(const std::string& name) {
  ForeignDeclaration declaration = of_verlet();
  declaration.name = name;
  declaration.numbers = {NumberType::real};
  Declaring subject(built_in_lopsided_verlet(), declaration);
  JudgementReport report{judge(subject, {.drawn = 0, .quick = true}), {}, {}, {.drawn = 0, .quick = true}, {}};
  report.through = {.command = {"./x", "\x1b"}, .time_limit = 10, .line_limit = 1024};
  report.reproducer = reproduce(subject, report.judgement);
  return report;
}

TEST(JudgementFiles, say_the_same_in_every_form) {
  const JudgementReport report = report_of("<\"&'> \x1b[31m\xff \xc3\xa9");
  const auto document = nlohmann::json::parse(judgement_json(report));
  EXPECT_EQ(document.at("method"), "<\"&'> ?[31m? \xc3\xa9");
  EXPECT_EQ(document.at("verdict"), "refuted");
  const auto& options = document.at("options");
  EXPECT_EQ(options.at("seed"), JudgementOptions().seed);
  EXPECT_EQ(options.at("drawn"), 0);
  EXPECT_EQ(options.at("quick"), true);
  EXPECT_EQ(options.at("slow"), false);
  EXPECT_EQ(options.at("time_limit"), 10);
  EXPECT_EQ(options.at("line_limit"), 1024);
  EXPECT_EQ(options.at("command"), (std::vector<std::string>{"./x", "?"}));
  EXPECT_FALSE(options.contains("library"));
  const auto& declares = document.at("declares");
  EXPECT_EQ(declares.at("order"), 2);
  EXPECT_EQ(declares.at("stability"), 2);
  EXPECT_EQ(declares.at("kinds"), (std::vector<std::string>{"mechanical", "timed", "separable"}));
  EXPECT_EQ(declares.at("numbers"), std::vector<std::string>{"double"});
  EXPECT_FALSE(declares.contains("sampling"));
  EXPECT_NE(document.at("livi"), "");
  const std::size_t rows = report.judgement.rows.size();
  EXPECT_EQ(document.at("rows").size(), rows);
  const std::size_t refuted = rows_with(report.judgement, Verdict::refuted).size();
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  const std::string junit = judgement_junit(report), tap = judgement_tap(report), badge = judgement_badge(report);
  EXPECT_EQ(count(junit, "<testcase "), rows);
  EXPECT_EQ(count(junit, "<failure "), refuted);
  EXPECT_NE(junit.find("failures=\"" + std::to_string(refuted) + "\""), std::string::npos);
  EXPECT_NE(junit.find("&lt;&quot;&amp;'&gt; ?[31m? \xc3\xa9"), std::string::npos);
  EXPECT_EQ(tap.rfind("TAP version 14\n1.." + std::to_string(rows) + "\n", 0), 0U);
  EXPECT_EQ(count(tap, "\nnot ok "), refuted);
  EXPECT_EQ(count(tap, "\nok "), rows - refuted);
  EXPECT_NE(badge.find("order of q refuted"), std::string::npos);
  EXPECT_EQ(badge.find('\x1b'), std::string::npos);
}

}  // namespace
