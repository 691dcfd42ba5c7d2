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
    const Judgement judgement = judged(built_in_verlet(), declaration);
    EXPECT_EQ(judgement.exit_status(), 0) << judgement_table(judgement);
  }
  for (const NumberType type : {NumberType::complex, NumberType::digits, NumberType::rational}) {
    ForeignDeclaration declaration = of_verlet();
    declaration.numbers = {type};
    const Judgement judgement = judged(built_in_verlet(), declaration);
    EXPECT_EQ(judgement.exit_status(), 0) << judgement_table(judgement);
  }
}

TEST(Judge, measures_what_is_not_declared_and_gives_no_verdict_on_nothing) {
  ForeignDeclaration nothing;
  nothing.name = "x";
  const Judgement judgement = judged(built_in_explicit_euler(), nothing);
  EXPECT_TRUE(rows_with(judgement, Verdict::refuted).empty()) << judgement_table(judgement);
  EXPECT_TRUE(rows_with(judgement, Verdict::result).contains("order of q"));
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
      {built_in_verlet(BuiltInFlaw::absolute_step), {"order, negative steps", "symmetric"}},
      {built_in_verlet(BuiltInFlaw::counts_steps), {"repetition", "batch", "restart"}},
      {built_in_verlet(BuiltInFlaw::single_number),
       {"precision", "double, many digits", "double, fractions", "double, complex numbers"}},
      {built_in_verlet(BuiltInFlaw::remembers), {"history"}},
      {built_in_verlet(BuiltInFlaw::pushes),
       {"linear momentum", "linear momentum, digits", "linear momentum, fractions", "free particle"}},
      {built_in_verlet(BuiltInFlaw::forgets_in_saved), {"restart"}},
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

TEST(Judge, has_no_row_that_never_refutes) {
  std::set<std::string> refuted;
  for (const Flawed& flawed : flawed_methods()) refuted.insert(flawed.refuted.begin(), flawed.refuted.end());
  for (const JudgementRow& row : judged(built_in_verlet(), of_verlet()).rows)
    EXPECT_TRUE(refuted.contains(row.test)) << row.test;
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

TEST(Judge, does_not_depend_on_its_seed) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
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
  JudgementReport report{judge(subject, {.drawn = 0, .quick = true}), {}, {}};
  report.reproducer = reproduce(subject, report.judgement);
  return report;
}

TEST(JudgementFiles, say_the_same_in_every_form) {
  const JudgementReport report = report_of("<\"&'> \x1b[31m\xff \xc3\xa9");
  const auto document = nlohmann::json::parse(judgement_json(report));
  EXPECT_EQ(document.at("method"), "<\"&'> ?[31m? \xc3\xa9");
  EXPECT_EQ(document.at("verdict"), "refuted");
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
