// SPDX-License-Identifier: MIT
//
// What the judge of methods from outside says beyond its rows: typical mistakes by name, the smallest case, what is
// measured of exact motions, and the files of a judgement.
#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>
#include <functional>
#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/measures/measurements.hpp>
#include <livi/judge/output/judgement_files.hpp>
#include <nlohmann/json.hpp>

#include "judged_verlet.hpp"
#include "verification/judge/declaring.hpp"

namespace judge_diagnosis_test {

using namespace livi;
using namespace livi::test;
using What = StepPart::What;

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

/// Verlet that keeps the force for the next step, and has none at the start; it may hold a bath.
class ForcelessStart final : public ForeignSubject {
 public:
  explicit ForcelessStart(std::vector<ProblemKind> kinds) {
    declaration_.name = "no force at the start";
    declaration_.order = 2;
    declaration_.kinds = std::move(kinds);
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Run>(forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<ForcelessStart>(declaration_.kinds);
  }

 private:
  class Run final : public ForeignRun<double> {
   public:
    explicit Run(Forces<double>& forces) : forces_(forces) {}
    void start(const TimedPoint<double>& z) override {
      z_ = z;
      g_.assign(z.q.size(), 0);
    }
    void step(const double& h, long count) override {
      const JudgedProblem& problem = forces_.problem();
      for (; count > 0; --count) {
        kick(h / 2);
        drift(h / 2);
        if (problem.has_bath()) {
          const std::vector<double> xi = forces_.noise(z_.p.size());
          const double kept = std::exp(-problem.friction * h);
          for (std::size_t i = 0; i < xi.size(); ++i)
            z_.p[i] = kept * z_.p[i] + std::sqrt(problem.temperature * problem.masses[i] * (1 - kept * kept)) * xi[i];
        }
        drift(h / 2);
        g_ = forces_.gradient(z_.t, z_.q);
        kick(h / 2);
      }
    }
    [[nodiscard]] TimedPoint<double> point() override { return z_; }
    [[nodiscard]] std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string&) override {}

   private:
    void kick(double h) {
      for (std::size_t i = 0; i < g_.size(); ++i) z_.p[i] -= h * g_[i];
    }
    void drift(double h) {
      for (std::size_t i = 0; i < z_.q.size(); ++i) z_.q[i] += h * z_.p[i] / forces_.problem().masses[i];
    }
    Forces<double>& forces_;
    TimedPoint<double> z_;
    std::vector<double> g_;
  };
  ForeignDeclaration declaration_;
};

// Its coefficients, and what it does in a bath, are right but for the first step.
TEST(Diagnosis, says_that_the_first_step_is_another) {
  for (const std::vector<ProblemKind>& kinds :
       {std::vector{ProblemKind::mechanical}, std::vector{ProblemKind::mechanical, ProblemKind::langevin}}) {
    ForcelessStart subject(kinds);
    std::string all;
    for (const std::string& sentence : diagnose(subject, judge(subject, {.drawn = 0, .quick = true})))
      all += sentence + "\n";
    EXPECT_EQ(all.rfind("the first step after a start differs", 0), 0U) << all;
    for (const char* false_sentence : {"coefficients", "in the bath forces are"})
      EXPECT_EQ(all.find(false_sentence), std::string::npos) << all;
  }
}

/// Verlet that keeps a share of the momenta in each step, or takes 1/m for m.
class WrongWithoutForces final : public ForeignSubject {
 public:
  WrongWithoutForces(double kept, bool is_turned) : kept_(kept), is_turned_(is_turned) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Run>(forces, kept_, is_turned_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<WrongWithoutForces>(kept_, is_turned_);
  }

 private:
  class Run final : public ForeignRun<double> {
   public:
    Run(Forces<double>& forces, double kept, bool is_turned) : forces_(forces), kept_(kept), is_turned_(is_turned) {}
    void start(const TimedPoint<double>& z) override { z_ = z; }
    void step(const double& h, long count) override {
      for (; count > 0; --count) {
        kick(h / 2);
        for (std::size_t i = 0; i < z_.q.size(); ++i) {
          const double m = forces_.problem().masses[i];
          z_.q[i] += h * z_.p[i] * (is_turned_ ? m : 1 / m);
        }
        z_.t += h;
        kick(h / 2);
        for (double& p : z_.p) p *= kept_;
      }
    }
    TimedPoint<double> point() override { return z_; }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string&) override {}

   private:
    void kick(double h) {
      const std::vector<double> g = forces_.gradient(z_.t, z_.q);
      for (std::size_t i = 0; i < g.size(); ++i) z_.p[i] -= h * g[i];
    }
    Forces<double>& forces_;
    double kept_;
    bool is_turned_;
    TimedPoint<double> z_;
  };
  double kept_;
  bool is_turned_;
  ForeignDeclaration declaration_ = [] {
    ForeignDeclaration declaration = of_verlet();
    declaration.numbers = {NumberType::real};
    declaration.kinds = {ProblemKind::mechanical};
    return declaration;
  }();
};

TEST(Diagnosis, says_what_is_wrong_without_a_force) {
  const auto note_of = [](const Judgement& judgement, const char* test) {
    const auto row = std::ranges::find(judgement.rows, test, &JudgementRow::test);
    return row == judgement.rows.end() ? std::string() : row->claim.note;
  };
  WrongWithoutForces damped(0.999999, false), turned(1, true), right(1, false);
  const Judgement of_damped = judge(damped, {.drawn = 0, .quick = true}),
                  of_turned = judge(turned, {.drawn = 0, .quick = true});
  // The coefficients of its kicks are right: only this is said of it.
  EXPECT_EQ(
      diagnose(damped, of_damped),
      std::vector<std::string>{"a step of 0.25 without a force multiplies momenta by 0.999999, as friction does"});
  EXPECT_EQ(note_of(of_damped, "free particle"),
            "the momentum of a free particle becomes 0.999999 times what it was; a defect of 5e-07");
  EXPECT_EQ(
      diagnose(turned, of_turned),
      std::vector<std::string>{"a step without a force advances by momentum times mass, not by momentum over mass"});
  EXPECT_EQ(note_of(of_turned, "free particle"),
            "a step of h advances a free particle of the mass 12.011 by 144.264121 h times its velocity");
  EXPECT_EQ(note_of(of_turned, "order of q").rfind("errors stop falling at ", 0), 0U);
  EXPECT_NE(note_of(of_turned, "order of q").find(", far above rounding; "), std::string::npos);
  EXPECT_TRUE(diagnose(right, judge(right, {.drawn = 0, .quick = true})).empty());
}

TEST(Diagnosis, accuses_nothing_that_explains_no_refuted_row) {
  // Symplectic Euler that says what it is, but for its stability.
  ForeignDeclaration euler = of_verlet();
  euler.order = 1;
  euler.symmetric = false;
  euler.gradients = 1;
  euler.stability_limit = 1.9;
  EXPECT_EQ(diagnosis_of(built_in_symplectic_euler(), euler).find("half step"), std::string::npos);
  EXPECT_NE(diagnosis_of(built_in_symplectic_euler(), of_verlet()).find("there is no half step"), std::string::npos);
  // Without a declared order a wrong count of forces, or a limit of stability, says nothing of the steps.
  euler.order.reset();
  EXPECT_EQ(diagnosis_of(built_in_symplectic_euler(), euler), "");
  ForeignDeclaration runge_kutta;
  runge_kutta.name = "x";
  runge_kutta.gradients = 5;
  EXPECT_EQ(diagnosis_of(built_in_runge_kutta_4(), runge_kutta), "");
  // A step that does nothing has not lost its sign.
  EXPECT_EQ(diagnosis_of(built_in_splitting("still", {0}, {0, 0}, true), of_verlet()).find("sign of the step"),
            std::string::npos);
  // A method that is better than it says needs no repair.
  ForeignDeclaration modest = of_verlet();
  modest.order = 1;
  EXPECT_EQ(diagnosis_of(built_in_verlet(), modest), "its order is 2: order=2 declares it\n");
  // So is one that is no splitting.
  runge_kutta.gradients.reset();
  runge_kutta.order = 3;
  EXPECT_EQ(diagnosis_of(built_in_runge_kutta_4(), runge_kutta), "its order is 4: order=4 declares it\n");
}

TEST(Diagnosis, proposes_only_what_the_judge_would_pass) {
  // Yoshida's step of order four with a last but one kick that is wrong by less than measured orders see.
  const double outer = 1 / (2 - std::cbrt(2.0)), inner = 1 - 2 * outer;
  const std::vector<double> a{outer, inner, outer};
  std::vector<double> b{outer / 2, (outer + inner) / 2, (outer + inner) / 2, outer / 2};
  b[2] *= 1 + 1e-9;
  ForeignDeclaration symmetric = of_order_four();
  symmetric.symmetric = true;
  const std::string one = diagnosis_of(built_in_splitting("x", a, b, true), symmetric);
  EXPECT_NE(one.find("kick 3 looks wrong"), std::string::npos) << one;
  EXPECT_EQ(one.find("kick 1 looks wrong"), std::string::npos) << one;
  // Forces that are too strong: no single kick is wrong, nor is it known which one if the step need not be symmetric.
  const auto strong = [](bool is_symmetric) {
    ForeignDeclaration declaration = of_verlet();
    declaration.symmetric = is_symmetric;
    return diagnosis_of(built_in_splitting("x", {1}, {0.500001, 0.500001}, true), declaration);
  };
  for (const bool is_symmetric : {true, false})
    EXPECT_EQ(strong(is_symmetric),
              "the coefficients of its kicks sum to 1.000002, not to one\n"
              "its kicks are all 1.000002 times what they should be: divided by this the order is 2\n");
  // By less than measured orders see.
  EXPECT_EQ(
      diagnosis_of(built_in_splitting("x", {1}, {0.5 + 1e-12, 0.5}, true), of_verlet()).find("sum to 1.000000000001, "),
      std::string("the coefficients of its kicks ").size());
  // Two kicks of which either may be wrong.
  ForeignDeclaration first = of_verlet();
  first.order = 1;
  first.symmetric = false;
  EXPECT_EQ(diagnosis_of(built_in_splitting("x", {1}, {0.75, 0.5}, true), first).find("looks wrong"),
            std::string::npos);
  EXPECT_EQ(unlike(1.0000000000000002, 1), "1.0000000000000002");
  EXPECT_EQ(unlike(1.0001, 1, 4), "1.0001");
}

/// Verlet with a change of its numbers after each step.
class Changed final : public ForeignSubject {
 public:
  using Change = std::function<void(double h, TimedPoint<double>&)>;
  Changed(ForeignDeclaration declaration, Change after)
      : declaration_(std::move(declaration)), after_(std::move(after)) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Run>(forces, after_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<Changed>(declaration_, after_);
  }

 private:
  class Run final : public ForeignRun<double> {
   public:
    Run(Forces<double>& forces, Change after) : forces_(forces), after_(std::move(after)) {}
    void start(const TimedPoint<double>& z) override { z_ = z; }
    void step(const double& h, long count) override {
      for (; count > 0; --count) {
        kick(h / 2);
        for (std::size_t i = 0; i < z_.q.size(); ++i) z_.q[i] += h * z_.p[i] / forces_.problem().masses[i];
        z_.t += h;
        kick(h / 2);
        after_(h, z_);
      }
    }
    TimedPoint<double> point() override { return z_; }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string& text) override { throw ForeignRefusal(text); }

   private:
    void kick(double h) {
      const std::vector<double> g = forces_.gradient(z_.t, z_.q);
      for (std::size_t i = 0; i < g.size(); ++i) z_.p[i] -= h * g[i];
    }
    Forces<double>& forces_;
    Change after_;
    TimedPoint<double> z_;
  };
  ForeignDeclaration declaration_;
  Change after_;
};

TEST(Diagnosis, accuses_digits_only_where_they_are_missing) {
  ForeignDeclaration declaration = of_verlet();
  declaration.numbers = {NumberType::real};
  declaration.kinds = {ProblemKind::mechanical};
  const auto said = [&](const Changed::Change& after) {
    Changed subject(declaration, after);
    std::string all;
    for (const std::string& sentence : diagnose(subject, judge(subject, {.drawn = 0, .quick = true})))
      all += sentence + "\n";
    return all;
  };
  const auto every = [](const auto& change) {
    return [change](double, TimedPoint<double>& z) {
      for (auto* numbers : {&z.q, &z.p})
        for (double& x : *numbers) x = change(x);
    };
  };
  const auto to_single = every([](double x) { return static_cast<double>(static_cast<float>(x)); });
  EXPECT_NE(said(to_single).find("they pass through single precision\n"), std::string::npos);
  EXPECT_NE(said(every([](double x) {
              return std::stod(foreign_detail::format("%.6g", x));
            })).find("they are written with 6 digits\n"),
            std::string::npos);
  // Units that do not cancel, and a push, leave all digits.
  EXPECT_EQ(said([](double, TimedPoint<double>& z) {
              for (double& q : z.q) q *= 0.529177 * 1.88973;
            }),
            "a step without a force changes numbers at rest by 2e-06\n");
  EXPECT_EQ(said([](double h, TimedPoint<double>& z) {
              for (double& p : z.p) p += 1e-6 * h;
            }),
            "a step without a force changes numbers at rest by 8e-07\n");
  // What is declared is no mistake.
  declaration.single_precision = true;
  declaration.gradients = 7;
  EXPECT_EQ(said(to_single), "");
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
  const Reproducer symplectic = reproduce(euler, judgement, TestId::symplectic);
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

/// Verlet that takes the mass of the first body for all, or one for all.
class WrongMasses final : public ForeignSubject {
 public:
  explicit WrongMasses(bool of_first) : of_first_(of_first) {
    declaration_.name = "wrong masses";
    declaration_.order = 2;
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    JudgedProblem problem = forces.problem();
    std::ranges::fill(problem.masses, of_first_ ? problem.masses.front() : 1);
    problems_.push_back(std::make_unique<JudgedProblem>(std::move(problem)));
    forces_.push_back(std::make_unique<Forces<double>>(*problems_.back()));
    return verlet_->in_double(*forces_.back());
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<WrongMasses>(of_first_);
  }

 private:
  bool of_first_;
  ForeignDeclaration declaration_;
  std::vector<std::unique_ptr<JudgedProblem>> problems_;
  std::vector<std::unique_ptr<Forces<double>>> forces_;
  std::unique_ptr<ForeignSubject> verlet_ = built_in_subject(built_in_verlet());
};

TEST(Diagnosis, says_that_masses_are_ignored_only_where_all_are) {
  for (const bool of_first : {true, false}) {
    WrongMasses subject(of_first);
    const std::vector<std::string> said = diagnose(subject, judge(subject, {.drawn = 0, .quick = true, .slow = true}));
    EXPECT_EQ(std::ranges::count(said, "a step does not depend on the masses"), of_first ? 0 : 1);
  }
}

}  // namespace judge_diagnosis_test
