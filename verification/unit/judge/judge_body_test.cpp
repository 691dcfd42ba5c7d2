// SPDX-License-Identifier: MIT
//
// The rows of the judge for rigid bodies: which flaw is refuted by which rows, that honest methods are cleared on several
// seeds, and that the exact motions are those of the equations.
#include <gtest/gtest.h>
#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/measures/rigid_bodies.hpp>
#include <livi/judge/output/judgement_table.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include "verification/judge/declaring.hpp"
#include "verification/judge/judgement_rows.hpp"

namespace judge_body_test {

using namespace livi;

using namespace livi::test;
using enum BodyFlaw;

ForeignDeclaration splitting_declares() {
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.kinds = {ProblemKind::body};
  declaration.order = 2;
  declaration.symplectic = declaration.symmetric = declaration.angular_momentum = declaration.casimir = true;
  declaration.gradients = 2;
  return declaration;
}
BuiltInMethod method_of(BodyRule rule, BodyFlaw flaw = none) {
  return {.name = "x", .body = BodySteps{{1}, rule, flaw}};
}

Judgement judged(const BuiltInMethod& method, const ForeignDeclaration& declaration, const JudgementOptions& options) {
  Declaring subject(method, declaration);
  Judgement judgement = judge(subject, options);
  for (const JudgementRow& row : judgement.rows)
    EXPECT_NE(row.claim.verdict, Verdict::broken_control) << method.name << ", " << row.test << ": " << row.claim.note;
  return judgement;
}

TEST(Bodies, honest_methods_are_cleared) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const JudgementOptions options{.seed = seed, .quick = true};
    const Judgement splitting = judged(built_in_body_splitting(), splitting_declares(), options);
    EXPECT_TRUE(livi::test::is_cleared(splitting)) << judgement_table(splitting);
    EXPECT_EQ(rows_with(splitting, Verdict::confirmed).size(), splitting.rows.size());

    const Judgement verlet = judged(method_of(BodyRule::lie_verlet), splitting_declares(), options);
    EXPECT_TRUE(livi::test::is_cleared(verlet)) << judgement_table(verlet);
  }
  const JudgementOptions one{.drawn = 1, .quick = true};
  ForeignDeclaration fourth = splitting_declares();
  fourth.order = 4;
  fourth.gradients = 10;
  const Judgement suzuki = judged({.name = "x", .body = BodySteps{suzuki_shares()}}, fourth, one);
  EXPECT_TRUE(livi::test::is_cleared(suzuki)) << judgement_table(suzuki);
  // What is declared not to hold is seen to fail.
  fourth.gradients = 4;
  fourth.symplectic = fourth.symmetric = fourth.angular_momentum = fourth.casimir = false;
  const Judgement runge_kutta = judged(method_of(BodyRule::runge_kutta), fourth, one);
  EXPECT_TRUE(livi::test::is_cleared(runge_kutta)) << judgement_table(runge_kutta);
  // A method of order one, symplectic and not symmetric.
  ForeignDeclaration first = splitting_declares();
  first.order = first.gradients = 1;
  first.symmetric = false;
  const Judgement kick = judged(built_in_body_splitting(kicks_at_start), first, one);
  EXPECT_TRUE(livi::test::is_cleared(kick)) << judgement_table(kick);
}

// The error of a method of order one in a short step is proportional to h. The judge extrapolates to h = 0 and refutes a torque that is
// too strong by 1e-9, as it does for methods of a higher order.
TEST(Bodies, of_order_one_have_the_torque_as_others_do) {
  ForeignDeclaration first = splitting_declares();
  first.order = 1;
  for (const BodyFlaw flaw : {kicks_at_start, strong_torque})
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
      const Judgement judgement =
          judged(built_in_body_splitting(flaw), first, {.seed = seed, .quick = true, .slow = true});
      EXPECT_EQ(row_of(judgement, "torque").claim.verdict,
                flaw == kicks_at_start ? Verdict::confirmed : Verdict::refuted)
          << row_of(judgement, "torque").claim.measured;
    }
}

/// Returns the rows that refute a method with a flaw which declares what the splitting does.
Tests refuted(BodyFlaw flaw, bool long_runs = false) {
  const bool implicit = flaw == without_quadratic || flaw == early_end || flaw == short_cut ||
                        flaw == short_cut_in_between || flaw == short_cut_if_fast;
  const Judgement judgement = judged(method_of(implicit ? BodyRule::lie_verlet : BodyRule::splitting, flaw),
                                     splitting_declares(), {.drawn = 0, .quick = !long_runs});
  EXPECT_EQ(judgement.exit_status(), 1) << judgement_table(judgement);
  return own_rows_with(judgement, Verdict::refuted);
}

TEST(Bodies, each_flaw_is_refuted_by_the_rows_that_it_belongs_to) {
  const Tests of_orders{"order of q", "order of p", "order, negative steps"};
  const auto and_orders = [&](Tests tests) {
    tests.insert(of_orders.begin(), of_orders.end());
    return tests;
  };
  EXPECT_EQ(refuted(without_quadratic), (Tests{"symplectic", "symplectic, reach"}));
  EXPECT_EQ(refuted(old_torque), and_orders({"symplectic", "symmetric", "symplectic, reach", "symmetric, reach",
                                             "angular momentum", "gradients", "very short steps"}));
  const Tests of_another_equation =
      and_orders({"symplectic", "symplectic, reach", "angular momentum", "short steps", "very short steps"});
  Tests of_long_runs = of_another_equation;
  of_long_runs.insert("group");  // the momentum grows, and what rounding leaves with it
  EXPECT_EQ(refuted(in_place), of_long_runs);
  EXPECT_EQ(refuted(turned_back), of_another_equation);
  Tests of_torque = of_another_equation;
  of_torque.insert("torque");
  EXPECT_EQ(refuted(torque_of_space), of_torque);
  // The attitude alone; R mu is right where R is.
  EXPECT_EQ(refuted(off_the_group),
            (Tests{"group", "symplectic", "symmetric", "symplectic, reach", "symmetric, reach", "angular momentum"}));
  EXPECT_TRUE(refuted(left_handed).count("group"));
  // Symplectic and symmetric steps of another body.
  EXPECT_EQ(refuted(without_products), and_orders({"short steps", "very short steps"}));
  EXPECT_EQ(refuted(as_if_symmetric), and_orders({"short steps", "very short steps"}));
  EXPECT_TRUE(refuted(weak_if_equal).count("torque"));
  EXPECT_TRUE(refuted(weak_at_identity).count("torque"));
  EXPECT_EQ(refuted(kicks_at_start), and_orders({"symmetric", "symmetric, reach", "gradients", "very short steps"}));
  EXPECT_EQ(refuted(inverse_if_negative),
            and_orders({"symmetric, both signs", "symmetric, reach", "gradients", "very short steps"}));
  EXPECT_EQ(refuted(lopsided), and_orders({"symmetric", "symmetric, reach", "very short steps"}));
  EXPECT_EQ(refuted(absolute_step), (Tests{"order, negative steps", "symmetric", "symmetric, both signs",
                                           "symmetric, reach", "very short steps"}));
  EXPECT_EQ(refuted(float_step), (Tests{"short steps", "very short steps"}));
  EXPECT_EQ(refuted(strong_torque), (Tests{"torque", "short steps"}));
  EXPECT_EQ(refuted(long_turn), (Tests{"short steps", "very short steps"}));
  EXPECT_TRUE(refuted(light_when_short).count("very short steps"));
  for (const char* test : {"angular momentum", "size of momentum", "rest", "short steps"})
    EXPECT_TRUE(refuted(pushes).count(test)) << test;
  EXPECT_TRUE(refuted(longer_momentum).count("size of momentum"));
  EXPECT_TRUE(refuted(counts_steps).count("repetition"));
  EXPECT_TRUE(refuted(remembers).count("history"));
  EXPECT_TRUE(refuted(keeps_torque).count("memory"));
  EXPECT_EQ(refuted(forgets_in_saved), (Tests{"restart"}));
  EXPECT_EQ(refuted(tires, true), (Tests{"later"}));
}

// What is right on ordinary bodies, in ordinary steps, at ordinary times.
TEST(Bodies, flaws_that_show_in_few_places_are_refuted) {
  EXPECT_EQ(refuted(short_cut), (Tests{"symplectic, reach"}));
  EXPECT_EQ(refuted(short_cut_in_between), (Tests{"symplectic, reach"}));
  EXPECT_EQ(refuted(short_cut_if_fast), (Tests{"symplectic, reach"}));
  EXPECT_EQ(refuted(inverse_if_short), (Tests{"symmetric, both signs", "symmetric, reach"}));
  EXPECT_EQ(refuted(weak_if_fast), (Tests{"short steps"}));
  EXPECT_EQ(refuted(slow_is_still), (Tests{"short steps"}));
  EXPECT_EQ(refuted(asleep_at_rest), (Tests{"short steps", "torque"}));
  EXPECT_EQ(refuted(far_when_short), (Tests{"short steps", "very short steps"}));
  EXPECT_EQ(refuted(reads_clock), (Tests{"start of the time"}));
  EXPECT_EQ(refuted(longer_if_long), (Tests{"angular momentum", "size of momentum", "symplectic", "symmetric"}));
  EXPECT_EQ(refuted(grows), (Tests{"group"}));
  EXPECT_EQ(refuted(asleep_for_a_while, true), (Tests{"later"}));
  EXPECT_TRUE(refuted(stale_torque).count("memory"));
  for (const BodyFlaw flaw : {weak_on_tops, weak_upside_down})
    for (const char* test : {"torque", "short steps"}) EXPECT_TRUE(refuted(flaw).count(test)) << test;
}

TEST(Bodies, a_memory_hides_no_steps_that_come_later) {
  ForeignDeclaration declares = splitting_declares();
  declares.memory = true;
  declares.gradients.reset();
  declares.angular_momentum.reset();
  declares.casimir.reset();
  const Judgement false_one = judged(method_of(BodyRule::adams_bashforth), declares, {.drawn = 1, .quick = true});
  EXPECT_EQ(row_of(false_one, "symplectic").claim.verdict, Verdict::refuted) << judgement_table(false_one);
  EXPECT_EQ(row_of(false_one, "symmetric").claim.verdict, Verdict::refuted);
  declares.symplectic = declares.symmetric = false;
  const Judgement right = judged(method_of(BodyRule::adams_bashforth), declares, {.drawn = 1, .quick = true});
  EXPECT_EQ(row_of(right, "symplectic").claim.verdict, Verdict::confirmed) << judgement_table(right);
  EXPECT_EQ(row_of(right, "symmetric").claim.verdict, Verdict::confirmed);
}

// Four steps of Runge and Kutta in one: what is declared not to hold is small where steps are of the usual size.
TEST(Bodies, a_small_defect_that_is_declared_is_seen_in_longer_steps) {
  ForeignDeclaration declares = splitting_declares();
  declares.order = 4;
  declares.gradients.reset();
  declares.symplectic = declares.symmetric = declares.angular_momentum = declares.casimir = false;
  const BuiltInMethod parts{.name = "x", .body = BodySteps{std::vector<double>(4, 0.25), BodyRule::runge_kutta}};
  const Judgement exact = judged(parts, declares, {.drawn = 1, .quick = true});
  for (const char* test : {"symplectic", "symmetric", "angular momentum", "size of momentum"})
    EXPECT_EQ(row_of(exact, test).claim.verdict, Verdict::confirmed) << judgement_table(exact);
  // What is less than a tolerance would excuse is seen where it falls with the step, and is else undecided.
  declares.tolerance = 1e-6;
  const Judgement coarse = judged(parts, declares, {.drawn = 1, .quick = true});
  for (const char* test : {"symplectic", "symmetric"})
    EXPECT_EQ(row_of(coarse, test).claim.verdict, Verdict::confirmed) << judgement_table(coarse);
  EXPECT_EQ(rows_with(coarse, Verdict::refuted), Tests{}) << judgement_table(coarse);
  // What holds to rounding is not seen to fail in any.
  declares = splitting_declares();
  declares.angular_momentum = declares.casimir = false;
  const Judgement holds = judged(built_in_body_splitting(), declares, {.drawn = 1, .quick = true});
  for (const char* test : {"angular momentum", "size of momentum"})
    EXPECT_EQ(row_of(holds, test).claim.verdict, Verdict::refuted) << test;
}

TEST(Bodies, a_tolerance_excuses_an_iteration_and_no_method) {
  ForeignDeclaration declares = splitting_declares();
  EXPECT_TRUE(refuted(early_end).count("symplectic"));
  declares.tolerance = 1e-8;
  const Judgement early = judged(method_of(BodyRule::lie_verlet, early_end), declares, {.quick = true});
  EXPECT_TRUE(livi::test::is_cleared(early)) << judgement_table(early);
  EXPECT_EQ(row_of(early, "symplectic").claim.verdict, Verdict::confirmed_with_limits);
  // 64 times the tolerance is more than the defect of the method, which falls as h^3.
  declares.tolerance = 1e-6;
  declares.gradients = 16;
  const BuiltInMethod eighths{
      .name = "x", .body = BodySteps{std::vector<double>(8, 0.125), BodyRule::lie_verlet, without_quadratic}};
  const Judgement another = judged(eighths, declares, {.quick = true});
  EXPECT_EQ(row_of(another, "symplectic").claim.verdict, Verdict::undecided) << judgement_table(another);
  EXPECT_NE(row_of(another, "symplectic").claim.note.find("falls by one power of h"), std::string::npos);
}

/// A method whose states are NaN, except after its first step, or that fails.
class Lost final : public ForeignSubject {
 public:
  explicit Lost(bool fails) : fails_(fails), declaration_(splitting_declares()) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>&) override {
    return std::make_unique<Run>(fails_, steps_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override { return std::make_unique<Lost>(fails_); }

 private:
  struct Run final : ForeignRun<double> {
    Run(bool does, long& all) : fails(does), steps(all) {}
    void start(const TimedPoint<double>& z) override { at = z; }
    void step(const double&, long) override {
      if (fails) throw ForeignRefusal("lost");
      if (steps++ == 0) return;
      for (auto* x : {&at.q, &at.p}) x->assign(x->size(), std::nan(""));
    }
    TimedPoint<double> point() override { return at; }
    std::optional<std::string> save() override { return std::nullopt; }
    void restore(const std::string&) override {}
    TimedPoint<double> at;
    bool fails;
    long& steps;
  };
  bool fails_;
  long steps_ = 0;
  ForeignDeclaration declaration_;
};

TEST(Bodies, what_is_no_number_or_fails_is_never_confirmed) {
  for (const bool fails : {false, true}) {
    Lost subject(fails);
    const Judgement judgement = judge(subject, {.drawn = 1, .quick = true});
    // Nor does it refute: what is no number is equal to nothing, itself among it.
    EXPECT_EQ(rows_with(judgement, Verdict::refuted), fails ? Tests{} : Tests{"gradients"});  // it asks for none
    EXPECT_EQ(judgement.exit_status(), fails ? 2 : 1) << judgement_table(judgement);
    for (const JudgementRow& row : judgement.rows) {
      EXPECT_NE(row.claim.verdict, Verdict::confirmed) << row.test;
      EXPECT_NE(row.claim.verdict, Verdict::confirmed_with_limits) << row.test;
    }
  }
}

// The reference shares no line with the methods that are judged but products of matrices: it stays on SO(3), keeps the
// energy, and is where a method of order four tends to.
TEST(Bodies, exact_motions_solve_the_equations) {
  const auto suzuki = built_in_subject({.name = "x", .body = BodySteps{suzuki_shares()}});
  const JudgedBodies bodies = judged_bodies(1, 2);
  for (const auto* problems : {&bodies.generic, &bodies.tops, &bodies.free})
    for (const JudgedProblem& problem : *problems) {
      const auto start = point_in<Float50>(problem.start);
      const TimedPoint<Float50> end = body_motion(problem, start, Float50(1), 1e-19);
      const double size = std::max(1.0, *std::ranges::max_element(problem.masses));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const auto product = [&](const std::vector<Float50>& r) {
            Float50 sum(0);
            for (int k = 0; k < 3; ++k)
              sum += r[static_cast<std::size_t>(3 * i + k)] * r[static_cast<std::size_t>(3 * j + k)];
            return sum;
          };
          // R R^T is constant; in the start, whose numbers are rounded, it is not quite one.
          EXPECT_LT(std::abs(Float50(product(end.q) - product(start.q)).convert_to<double>()), 1e-17) << problem.name;
        }
      Forces<Float50> exact(problem);
      // V off the rotations is another function: attitudes are so to rounding.
      EXPECT_LT(std::abs(Float50(exact.energy(end) - exact.energy(start)).convert_to<double>()), 1e-14 * size)
          << problem.name;
      Forces<double> forces(problem);
      const auto run = suzuki->in_double(forces);
      run->start(problem.start);
      run->step(1.0 / 256, 256);
      // The error of order four at this step, some 1e-10, without which it is 16 times as large at twice the step.
      for (std::size_t i = 0; i < 9; ++i)
        EXPECT_NEAR(run->point().q[i], end.q[i].convert_to<double>(), 1e-8) << problem.name;
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(run->point().p[i], end.p[i].convert_to<double>(), 1e-8 * size) << problem.name;
    }
}

// A torque is minus the derivative along R exp(s hat(y)), here of values at both sides.
TEST(Bodies, torques_are_derivatives_of_the_potential) {
  for (const JudgedProblem& problem : judged_bodies(3, 2).generic) {
    Forces<double> forces(problem);
    const std::vector<double> tau = forces.torque(problem.start.q), v = forces.velocity(problem.start.p);
    constexpr double s = 1e-5;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t b = (axis + 1) % 3, c = (axis + 2) % 3;
      const auto value = [&](double angle) {
        std::vector<double> q = problem.start.q;
        for (std::size_t i = 0; i < 9; i += 3) {
          q[i + b] = std::cos(angle) * problem.start.q[i + b] + std::sin(angle) * problem.start.q[i + c];
          q[i + c] = std::cos(angle) * problem.start.q[i + c] - std::sin(angle) * problem.start.q[i + b];
        }
        return forces.value(0, q);
      };
      // Third derivatives times s^2, and rounding over s.
      EXPECT_NEAR(tau[axis], -(value(s) - value(-s)) / (2 * s), 1e-8 * (1 + problem.masses[0])) << problem.name;
      double momentum = 0;
      for (std::size_t k = 0; k < 3; ++k) momentum += problem.masses[3 * axis + k] * v[k];
      EXPECT_NEAR(momentum, problem.start.p[axis], 1e-13 * (1 + problem.masses[0])) << problem.name;
    }
  }
}

/// The splitting, which is Verlet where there is no body.
class Both final : public ForeignSubject {
 public:
  Both() {
    declaration_.kinds = {ProblemKind::mechanical, ProblemKind::body};
    declaration_.linear_momentum = true;
    declaration_.stability_limit = 2;
  }
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    return (forces.problem().kind == ProblemKind::body ? splitting_ : verlet_)->in_double(forces);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override { return std::make_unique<Both>(); }

 private:
  ForeignDeclaration declaration_ = splitting_declares();
  std::unique_ptr<ForeignSubject> splitting_ = built_in_subject(built_in_body_splitting()),
                                  verlet_ = built_in_subject(built_in_verlet());
};

TEST(Bodies, a_method_that_takes_other_kinds_is_judged_on_all) {
  Both both;
  const Judgement judgement = judge(both, {.drawn = 0, .quick = true});
  EXPECT_TRUE(livi::test::is_cleared(judgement)) << judgement_table(judgement);
  for (const char* test : {"symplectic", "symplectic, body", "order of q", "order of q, body", "restart, body",
                           "group, body", "size of momentum, body", "linear stability"})
    EXPECT_EQ(row_of(judgement, test).claim.verdict, Verdict::confirmed) << test;

  ForeignDeclaration casimir = splitting_declares();
  casimir.kinds = {ProblemKind::mechanical};
  Declaring verlet(built_in_verlet(), casimir);
  EXPECT_EQ(row_of(judge(verlet, {.drawn = 0, .quick = true}), "size of momentum, body").claim.verdict,
            Verdict::undecided);
}

}  // namespace judge_body_test
