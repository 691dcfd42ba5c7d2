// SPDX-License-Identifier: MIT
//
// The rows of the judge for constrained systems: which flaw is refuted by which rows, that honest methods are cleared,
// what an iteration that ends early does to the verdicts, and that the exact motions are those of the equations.
#include <gtest/gtest.h>
#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/hints/diagnosis.hpp>
#include <livi/judge/measures/constraints.hpp>
#include <livi/judge/output/judgement_table.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "verification/judge/declaring.hpp"
#include "verification/judge/judgement_rows.hpp"
#include "verification/judge/of_step.hpp"

namespace judge_constraints_test {

using namespace livi;

using namespace livi::test;
using enum ConstrainedFlaw;

ForeignDeclaration rattle_declares() {
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.kinds = {ProblemKind::constrained};
  declaration.order = 2;
  declaration.symplectic = declaration.symmetric = declaration.hidden = true;
  declaration.linear_momentum = declaration.angular_momentum = true;
  declaration.gradients = 2;
  return declaration;
}
BuiltInMethod composition(const std::string& name, std::vector<double> shares) {
  return {.name = name, .constrained = ConstrainedSteps{std::move(shares)}};
}

Judgement judged(const BuiltInMethod& method, const ForeignDeclaration& declaration, int drawn = 1) {
  Declaring subject(method, declaration);
  Judgement judgement = judge(subject, {.drawn = drawn, .quick = true});
  for (const JudgementRow& row : judgement.rows)
    EXPECT_NE(row.claim.verdict, Verdict::broken_control) << method.name << ", " << row.test << ": " << row.claim.note;
  return judgement;
}

TEST(Constraints, honest_methods_are_cleared) {
  const Judgement rattle = judged(built_in_rattle(), rattle_declares(), 3);
  EXPECT_TRUE(livi::test::is_cleared(rattle)) << judgement_table(rattle);
  EXPECT_EQ(rows_with(rattle, Verdict::confirmed).size(), rattle.rows.size() - 1);  // but for the count

  ForeignDeclaration shake = rattle_declares();
  shake.hidden = false;
  EXPECT_TRUE(livi::test::is_cleared(judged(built_in_rattle(without_hidden), shake)));

  ForeignDeclaration fourth = rattle_declares();
  fourth.order = 4;
  fourth.gradients = 10;
  EXPECT_TRUE(livi::test::is_cleared(judged(composition("Suzuki's composition", suzuki_shares()), fourth)));
  EXPECT_EQ(rows_with(judged(composition("x", suzuki_shares()), rattle_declares()), Verdict::refuted),
            (Tests{"order of q", "order of p", "order, negative steps", "gradients"}));

  // The steps of the triple jump are longer than those of RATTLE, and some have no solution: shorter ones are judged.
  const double outer = 1 / (2 - std::cbrt(2.0));
  fourth.gradients = 6;
  const Judgement triple = judged(composition("the triple jump", {outer, 1 - 2 * outer, outer}), fourth, 3);
  EXPECT_TRUE(livi::test::is_cleared(triple)) << judgement_table(triple);
  EXPECT_NE(row_of(triple, "constraint").claim.note.find("a longer one fails"), std::string::npos);

  // Positions have rounding, and momenta formed of their differences that of it over h: no force is seen in it.
  const Judgement differences = judged(built_in_rattle(from_differences), rattle_declares());
  EXPECT_TRUE(livi::test::is_cleared(differences)) << judgement_table(differences);
  EXPECT_EQ(row_of(differences, "force").claim.verdict, Verdict::not_testable);

  // A method of order one that is not symmetric.
  ForeignDeclaration first = rattle_declares();
  first.order = 1;
  first.symplectic = first.symmetric = first.angular_momentum = false;
  EXPECT_TRUE(livi::test::is_cleared(judged(built_in_rattle(momentum_of_free), first)));
  // One that is symplectic.
  first.symplectic = first.angular_momentum = true;
  const Judgement kick = judged(built_in_rattle(kicks_at_start), first);
  EXPECT_TRUE(livi::test::is_cleared(kick)) << judgement_table(kick);
}

/// M-SHAKE (Kraeutler, van Gunsteren and Huenenberger 2001): Newton's iteration for the multipliers along the old derivatives, then
/// momenta without what is across. Where it does not converge the step fails.
void matrix_shake(Forces<double>& forces, TimedPoint<double>& z, double h) {
  const std::vector<double>& masses = forces.problem().masses;
  const std::size_t n = masses.size(), c = forces.problem().constraints.size();
  const auto matrix = [&](const std::vector<double>& now, const std::vector<double>& along) {
    std::vector<double> a(c * c);
    for (std::size_t i = 0; i < c; ++i)
      for (std::size_t j = 0; j < c; ++j)
        for (std::size_t k = 0; k < n; ++k) a[i * c + j] += now[i * n + k] * along[j * n + k] / masses[k];
    return a;
  };
  const std::vector<double> along = forces.constraint_jacobian(z.q), g = forces.gradient(z.t, z.q);
  std::vector<double> p = z.p, q = z.q;
  for (std::size_t k = 0; k < n; ++k) p[k] -= h / 2 * g[k];
  for (std::size_t k = 0; k < n; ++k) q[k] += h * p[k] / masses[k];
  double before = std::numeric_limits<double>::infinity();
  for (int iteration = 0;; ++iteration) {
    std::vector<double> values = forces.constraint(q);
    double largest = 0, size = 1;
    for (const double value : values) largest = std::max(largest, std::abs(value));
    for (const double entry : q) size = std::max(size, entry * entry);
    // It ends where rounding does.
    if (largest <= 1e-13 * size && (largest == 0 || largest >= before / 2)) break;
    if (iteration == 40 || !std::isfinite(largest)) throw ForeignRefusal("a step failed: 'no convergence'");
    before = largest;
    std::vector<double> a = matrix(forces.constraint_jacobian(q), along);
    foreign_detail::solve_in_place(a, values);
    for (std::size_t i = 0; i < c; ++i)
      for (std::size_t k = 0; k < n; ++k) {
        q[k] -= along[i * n + k] * values[i] / masses[k];
        p[k] -= along[i * n + k] * values[i] / h;
      }
  }
  const std::vector<double> at_end = forces.gradient(z.t + h, q), rows = forces.constraint_jacobian(q);
  for (std::size_t k = 0; k < n; ++k) p[k] -= h / 2 * at_end[k];
  std::vector<double> across(c), a = matrix(rows, rows);
  for (std::size_t i = 0; i < c; ++i)
    for (std::size_t k = 0; k < n; ++k) across[i] += rows[i * n + k] * p[k] / masses[k];
  foreign_detail::solve_in_place(a, across);
  for (std::size_t i = 0; i < c; ++i)
    for (std::size_t k = 0; k < n; ++k) p[k] -= rows[i * n + k] * across[i];
  z.q = q;
  z.p = p;
}

// Long steps have no solution, and are said to have failed: that refutes nothing.
TEST(Constraints, a_right_matrix_shake_is_not_refuted) {
  OfStepSubject subject(matrix_shake, rattle_declares());
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    const Judgement judgement = judge(subject, {.seed = seed, .drawn = 1, .quick = true, .slow = true});
    EXPECT_EQ(rows_with(judgement, Verdict::refuted), Tests{}) << judgement_table(judgement);
    EXPECT_EQ(row_of(judgement, "long steps").claim.verdict, Verdict::confirmed) << judgement_table(judgement);
    EXPECT_EQ(row_of(judgement, "long steps").claim.note.find(" 0 said to have failed"), std::string::npos)
        << row_of(judgement, "long steps").claim.note;
  }
}

/// Returns the rows that refute RATTLE with a flaw which declares what RATTLE does.
Tests refuted(ConstrainedFlaw flaw) {
  const Judgement judgement = judged(built_in_rattle(flaw), rattle_declares(), 0);
  EXPECT_EQ(judgement.exit_status(), 1) << judgement_table(judgement);
  return own_rows_with(judgement, Verdict::refuted);
}

TEST(Constraints, each_flaw_is_refuted_by_the_rows_that_it_belongs_to) {
  EXPECT_EQ(refuted(without_hidden), (Tests{"hidden constraint"}));
  EXPECT_EQ(refuted(hidden_without_masses), (Tests{"hidden constraint"}));
  const Tests of_direction{"order of q", "order of p",       "order, negative steps", "symplectic",
                           "symmetric",  "angular momentum", "very short steps"};
  EXPECT_EQ(refuted(hidden_of_start), of_direction);
  EXPECT_EQ(refuted(momentum_of_free), of_direction);
  EXPECT_EQ(refuted(half_in_momentum), of_direction);
  EXPECT_EQ(refuted(step_without_masses), of_direction);
  EXPECT_TRUE(refuted(forgets_last).count("constraint"));
  EXPECT_TRUE(refuted(as_if_quadratic).count("constraint"));
  EXPECT_EQ(refuted(hides_failure), (Tests{"long steps"}));
  EXPECT_EQ(refuted(strong_force), (Tests{"force", "short steps"}));
  EXPECT_EQ(refuted(weak_for_many), (Tests{"order of q", "order of p", "short steps", "very short steps", "force"}));
  EXPECT_EQ(refuted(weak_for_equal_masses),
            (Tests{"order of q", "order of p", "order, negative steps", "short steps", "very short steps", "force"}));
  EXPECT_EQ(refuted(float_step), (Tests{"short steps", "very short steps"}));
  EXPECT_EQ(refuted(lopsided_in_between), (Tests{"symmetric"}));
  EXPECT_EQ(refuted(light_when_short), (Tests{"very short steps"}));
  // What is kept where momenta are not compared. Its size leaves rounding, which over 2^-26 is a force.
  EXPECT_EQ(refuted(keeps_sign_across),
            (Tests{"symmetric", "momentum across", "hidden constraint", "gradients", "force"}));
  EXPECT_EQ(refuted(absolute_step),
            (Tests{"order, negative steps", "symmetric", "symmetric, both signs", "very short steps"}));
  EXPECT_EQ(refuted(remembers), (Tests{"batch", "history"}));
  EXPECT_EQ(refuted(forgets_in_saved), (Tests{"restart"}));
  EXPECT_TRUE(refuted(counts_steps).count("repetition"));
  EXPECT_TRUE(refuted(old_jacobian).count("memory"));
  EXPECT_TRUE(refuted(pushes).count("linear momentum"));
  EXPECT_EQ(refuted(long_drift), (Tests{"short steps", "very short steps"}));
  EXPECT_EQ(refuted(asleep_at_rest), (Tests{"force", "short steps"}));
  EXPECT_EQ(refuted(reads_clock), (Tests{"start of the time"}));
  EXPECT_EQ(refuted(too_light_when_short), (Tests{"very short steps"}));
  EXPECT_TRUE(refuted(lopsided).count("symmetric"));
}

TEST(Constraints, a_tolerance_excuses_no_defect_of_what_lies_on_the_constraints) {
  // Two steps of unequal length are not symmetric, by less than the tolerance; positions meet the constraints to rounding.
  ForeignDeclaration declares = rattle_declares();
  declares.tolerance = 1e-6;
  declares.gradients = 4;
  const Judgement unequal = judged(composition("unequal steps", {0.50001, 0.49999}), declares);
  EXPECT_EQ(rows_with(unequal, Verdict::undecided), (Tests{"symmetric"})) << judgement_table(unequal);
  declares.gradients = 2;
  // What iterates to rounding, and declares less, needs no excuse.
  const Judgement modest = judged(built_in_rattle(), declares);
  EXPECT_TRUE(livi::test::is_cleared(modest)) << judgement_table(modest);
}

TEST(Constraints, an_iteration_that_ends_early_is_named_with_its_number) {
  const Judgement silent = judged(built_in_rattle(early_end), rattle_declares());
  EXPECT_EQ(own_rows_with(silent, Verdict::refuted), (Tests{"constraint"})) << judgement_table(silent);
  EXPECT_NE(row_of(silent, "constraint").claim.note.find("e-09"), std::string::npos);
  const JudgementRow& symplectic = row_of(silent, "symplectic");
  EXPECT_EQ(symplectic.claim.verdict, Verdict::undecided);
  EXPECT_NE(symplectic.claim.note.find("tolerance=1e-08"), std::string::npos) << symplectic.claim.note;
  EXPECT_EQ(row_of(silent, "order of q").claim.verdict, Verdict::confirmed);

  ForeignDeclaration declares = rattle_declares();
  declares.tolerance = 1e-8;
  const Judgement declared = judged(built_in_rattle(early_end), declares);
  EXPECT_TRUE(livi::test::is_cleared(declared)) << judgement_table(declared);
  EXPECT_EQ(row_of(declared, "symplectic").claim.verdict, Verdict::confirmed_with_limits);

  // A tolerance is no excuse for what is larger, and a small one none for a large distance.
  EXPECT_TRUE(rows_with(judged(built_in_rattle(hidden_of_start), declares), Verdict::refuted).count("symplectic"));
  declares.tolerance = 1e-11;
  EXPECT_TRUE(rows_with(judged(built_in_rattle(early_end), declares), Verdict::refuted).count("constraint"));
  declares.tolerance = 1e-6;
  EXPECT_TRUE(rows_with(judged(built_in_rattle(one_iteration), declares), Verdict::refuted).count("constraint"));
}

/// RATTLE of which one thing is no number, or fails, on problems with two constraints.
class Lost final : public ForeignRun<double> {
 public:
  Lost(std::unique_ptr<ForeignRun<double>> run, bool fails, bool is_lost)
      : run_(std::move(run)), fails_(fails), is_lost_(is_lost) {}
  void start(const TimedPoint<double>& z) override { run_->start(z); }
  void step(const double& h, long count) override {
    if (fails_ && is_lost_) throw ForeignRefusal("a step failed");
    run_->step(h, count);
  }
  [[nodiscard]] TimedPoint<double> point() override {
    TimedPoint<double> z = run_->point();
    if (is_lost_) z.p[0] = z.q[0] = std::nan("");
    return z;
  }
  [[nodiscard]] std::optional<std::string> save() override { return std::nullopt; }
  void restore(const std::string&) override {}

 private:
  std::unique_ptr<ForeignRun<double>> run_;
  bool fails_, is_lost_;
};
class LostSubject final : public ForeignSubject {
 public:
  LostSubject(bool fails, ConstrainedFlaw flaw)
      : fails_(fails), flaw_(flaw), rattle_(built_in_subject(built_in_rattle(flaw))) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override {
    static const ForeignDeclaration declaration = rattle_declares();
    return declaration;
  }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Lost>(rattle_->in_double(forces), fails_, forces.problem().constraints.size() == 2);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<LostSubject>(fails_, flaw_);
  }

 private:
  bool fails_;
  ConstrainedFlaw flaw_;
  std::unique_ptr<ForeignSubject> rattle_;
};

TEST(Constraints, what_is_no_number_or_fails_is_never_confirmed) {
  for (const bool fails : {false, true}) {
    LostSubject subject(fails, none);
    const Judgement judgement = judge(subject, {.drawn = 1, .quick = true});
    // Nor is it refuted: what is no number is equal to nothing, itself among it.
    EXPECT_EQ(rows_with(judgement, Verdict::refuted), Tests{}) << judgement_table(judgement);
    EXPECT_EQ(judgement.exit_status(), 2);
    for (const char* test : {"constraint", "hidden constraint", "order of q", "order of p", "symplectic", "symmetric",
                             "linear momentum", "angular momentum", "force", "short steps"})
      EXPECT_EQ(row_of(judgement, test).claim.verdict, Verdict::undecided) << test << (fails ? ", fails" : "");
    // What is seen on the other problems refutes.
    LostSubject wrong(fails, hidden_of_start);
    const Tests seen = rows_with(judge(wrong, {.drawn = 0, .quick = true}), Verdict::refuted);
    for (const char* test : {"order of q", "order of p", "symplectic", "symmetric"})
      EXPECT_TRUE(seen.count(test)) << test;
  }
}

TEST(Constraints, typical_mistakes_are_named) {
  for (const ConstrainedFlaw flaw : {hidden_of_start, momentum_of_free, direction_of_end, step_without_masses}) {
    const Judgement judgement = judged(built_in_rattle(flaw), rattle_declares(), 0);
    Declaring subject(built_in_rattle(flaw), rattle_declares());
    const std::vector<std::string> sentences = diagnose(subject, judgement);
    ASSERT_EQ(sentences.size(), 1U) << name_of_rattle(flaw);
    EXPECT_EQ(sentences.front(), "its step is that of " + name_of_rattle(flaw));
  }
  EXPECT_EQ(typical_constrained_mistake(*built_in_subject(built_in_rattle())), "");
  EXPECT_EQ(typical_constrained_mistake(*built_in_subject(built_in_rattle(strong_force))), "");
}

// The reference shares no line with the methods that are judged: an equation without multipliers, in 50 digits. It stays
// on the manifold, keeps the energy, and is where a method of order four tends to.
TEST(Constraints, exact_motions_solve_the_equations) {
  const auto suzuki = built_in_subject(composition("x", suzuki_shares()));
  for (const JudgedProblem& problem : constrained_problems(1, 1).generic) {
    const auto start = point_in<Float50>(problem.start);
    const TimedPoint<Float50> end = constrained_motion(problem, start, Float50(1), 1e-19);
    Forces<Float50> exact(problem);
    for (const Float50& g : exact.constraint(end.q)) EXPECT_LT(std::abs(g.convert_to<double>()), 1e-15) << problem.name;
    EXPECT_LT(std::abs(Float50(exact.energy(end) - exact.energy(start)).convert_to<double>()), 1e-15) << problem.name;
    Forces<double> forces(problem);
    const auto run = suzuki->in_double(forces);
    run->start(problem.start);
    run->step(1.0 / 512, 512);
    // The error of order four at this step, some 1e-11, without which it is 16 times as large at twice the step.
    for (std::size_t i = 0; i < end.q.size(); ++i)
      EXPECT_NEAR(run->point().q[i], end.q[i].convert_to<double>(), 1e-9) << problem.name;
  }
}

/// RATTLE, which is Verlet where there are no constraints.
class Both final : public ForeignSubject {
 public:
  Both() {
    declaration_.kinds = {ProblemKind::mechanical, ProblemKind::constrained};
    declaration_.stability_limit = 2;
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return (forces.problem().kind == ProblemKind::constrained ? rattle_ : verlet_)->in_double(forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override { return std::make_unique<Both>(); }

 private:
  ForeignDeclaration declaration_ = rattle_declares();
  std::unique_ptr<ForeignSubject> rattle_ = built_in_subject(built_in_rattle()),
                                  verlet_ = built_in_subject(built_in_verlet());
};

TEST(Constraints, a_method_that_takes_other_kinds_is_judged_on_all) {
  Both both;
  const Judgement judgement = judge(both, {.drawn = 0, .quick = true});
  EXPECT_TRUE(livi::test::is_cleared(judgement)) << judgement_table(judgement);
  for (const char* test : {"symplectic", "symplectic, constrained", "order of q", "order of q, constrained", "restart",
                           "restart, constrained", "constraint", "linear stability"})
    EXPECT_EQ(row_of(judgement, test).claim.verdict, Verdict::confirmed) << test;

  ForeignDeclaration hidden = rattle_declares();
  hidden.kinds = {ProblemKind::mechanical};
  Declaring verlet(built_in_verlet(), hidden);
  EXPECT_EQ(row_of(judge(verlet, {.drawn = 0, .quick = true}), "hidden constraint").claim.verdict, Verdict::undecided);
}

/// RATTLE that rounds its state to `bits` before and after each step.
class FewBits final : public ForeignSubject {
 public:
  FewBits(int bits, ForeignDeclaration declaration) : bits_(bits), declaration_(std::move(declaration)) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return std::make_unique<Run>(rattle_->in_double(forces), bits_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<FewBits>(bits_, declaration_);
  }

 private:
  class Run final : public ForeignRun<double> {
   public:
    Run(std::unique_ptr<ForeignRun<double>> run, int bits) : run_(std::move(run)), bits_(bits) {}
    void start(const TimedPoint<double>& z) override { run_->start(rounded(z)); }
    void step(const double& h, long count) override {
      for (; count > 0; --count) {
        run_->step(h, 1);
        run_->start(point());
      }
    }
    [[nodiscard]] TimedPoint<double> point() override { return rounded(run_->point()); }
    [[nodiscard]] std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string&) override {}

   private:
    [[nodiscard]] TimedPoint<double> rounded(TimedPoint<double> z) const {
      for (auto* x : {&z.q, &z.p})
        for (double& entry : *x) {
          int exponent = 0;
          const double share = std::frexp(entry, &exponent);
          entry = std::ldexp(std::nearbyint(std::ldexp(share, bits_)), exponent - bits_);
        }
      return z;
    }
    std::unique_ptr<ForeignRun<double>> run_;
    int bits_;
  };
  int bits_;
  ForeignDeclaration declaration_;
  std::unique_ptr<ForeignSubject> rattle_ = built_in_subject(built_in_rattle());
};

TEST(Constraints, single_precision_is_cleared_where_it_is_declared) {
  const auto with_bits = [](int bits, bool is_declared) {
    ForeignDeclaration declares = rattle_declares();
    declares.gradients = std::nullopt;  // each step begins with a start
    declares.single_precision = is_declared;
    FewBits subject(bits, declares);
    return judge(subject, {.drawn = 1, .quick = true});
  };
  const Judgement declared = with_bits(24, true);
  EXPECT_TRUE(livi::test::is_cleared(declared)) << judgement_table(declared);
  for (const char* test : {"constraint", "hidden constraint", "symplectic", "angular momentum"})
    EXPECT_EQ(row_of(declared, test).claim.verdict, Verdict::confirmed_with_limits) << test;
  EXPECT_TRUE(rows_with(with_bits(24, false), Verdict::refuted).contains("constraint"));
  // Numbers of fourteen bits are not single.
  const Judgement coarse = with_bits(14, true);
  for (const char* test : {"constraint", "symplectic", "angular momentum"})
    EXPECT_EQ(row_of(coarse, test).claim.verdict, Verdict::refuted) << test;
  // More than is declared is no lie.
  EXPECT_TRUE(livi::test::is_cleared(with_bits(53, true)));
  // Nor does it hide other equations, or a form that is not preserved.
  ForeignDeclaration declares = rattle_declares();
  declares.single_precision = true;
  EXPECT_TRUE(rows_with(judged(built_in_rattle(pushes), declares), Verdict::refuted).contains("linear momentum"));
  EXPECT_TRUE(rows_with(judged(built_in_rattle(hidden_of_start), declares), Verdict::refuted).contains("symplectic"));
  EXPECT_TRUE(rows_with(judged(built_in_rattle(one_iteration), declares), Verdict::refuted).contains("constraint"));
}

TEST(Constraints, a_memory_is_seen_where_it_is_declared) {
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.kinds = {ProblemKind::constrained};
  declaration.memory = true;
  EXPECT_EQ(row_of(judged(built_in_rattle(old_jacobian), declaration, 0), "memory").claim.verdict, Verdict::confirmed);
  EXPECT_EQ(row_of(judged(built_in_rattle(), declaration, 0), "memory").claim.verdict, Verdict::refuted);
}

TEST(Constraints, late_steps_are_seen) {
  Declaring subject(built_in_rattle(tires), rattle_declares());
  const Judgement judgement = judge(subject, {.drawn = 0});
  EXPECT_EQ(rows_with(judgement, Verdict::refuted), Tests{"later"}) << judgement_table(judgement);
}

}  // namespace judge_constraints_test
