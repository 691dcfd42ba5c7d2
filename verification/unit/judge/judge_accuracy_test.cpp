// SPDX-License-Identifier: MIT
//
// Methods that compute less accurately than their numbers allow, before the judge: one that iterates to a tolerance, one
// in single precision. Undeclared they are refuted, and told what their defects look like; declared they are judged up
// to that, and no further.
#include <gtest/gtest.h>
#include <livi/judge/measures/measurements.hpp>
#include <livi/judge/output/judgement_files.hpp>
#include <livi/judge/output/judgement_table.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <cmath>
#include <functional>
#include <set>
#include <tuple>

#include "verification/judge/declaring.hpp"
#include "verification/judge/judgement_rows.hpp"
#include "verification/judge/of_step.hpp"

namespace judge_accuracy_test {

using namespace livi;
using namespace livi::test;

/// The implicit midpoint rule by fixed-point iteration, until the middle moves by less than a tolerance.
Step midpoint(double tolerance, bool relative = true) {
  return [tolerance, relative](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const std::size_t n = z.q.size();
    std::vector<double> q = z.q, p = z.p;
    for (int k = 0; k < 200; ++k) {
      const std::vector<double> v = forces.velocity(p), g = forces.gradient(z.t + h / 2, q);
      double change_q = 0, change_p = 0, size_q = 0, size_p = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double next_q = z.q[i] + h / 2 * v[i], next_p = z.p[i] - h / 2 * g[i];
        change_q = std::max(change_q, std::abs(next_q - q[i]));
        change_p = std::max(change_p, std::abs(next_p - p[i]));
        size_q = relative ? std::max(size_q, std::abs(next_q)) : 1;
        size_p = relative ? std::max(size_p, std::abs(next_p)) : 1;
        q[i] = next_q;
        p[i] = next_p;
      }
      if (change_q <= tolerance * size_q && change_p <= tolerance * size_p) break;
    }
    for (std::size_t i = 0; i < n; ++i) {
      z.q[i] = 2 * q[i] - z.q[i];
      z.p[i] = 2 * p[i] - z.p[i];
    }
  };
}
ForeignDeclaration of_midpoint(double tolerance) {
  ForeignDeclaration declaration;
  declaration.name = "implicit midpoint";
  declaration.order = 2;
  declaration.symplectic = declaration.symmetric = declaration.linear_momentum = declaration.angular_momentum = true;
  declaration.tolerance = tolerance;
  return declaration;
}

double single(double x) { return static_cast<double>(static_cast<float>(x)); }
/// Verlet in numbers of 24 bits; `friction` is what it loses of its momentum in a step.
Step single_verlet(double friction = 0) {
  return [friction](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const auto kick = [&] {
      const std::vector<double> g = forces.gradient(z.t, z.q);
      for (std::size_t i = 0; i < g.size(); ++i) z.p[i] = single(z.p[i] - single(single(h / 2) * single(g[i])));
    };
    for (auto* x : {&z.q, &z.p})
      for (double& entry : *x) entry = single(entry);
    kick();
    const std::vector<double> v = forces.velocity(z.p);
    for (std::size_t i = 0; i < v.size(); ++i) z.q[i] = single(z.q[i] + single(single(h) * single(v[i])));
    kick();
    for (double& p : z.p) p = single((1 - friction) * p);
  };
}
ForeignDeclaration of_single_verlet(bool declared) {
  ForeignDeclaration declaration = of_midpoint(0);
  declaration.name = "Verlet in single precision";
  declaration.gradients = 2;
  declaration.stability_limit = 2;
  declaration.single_precision = declared;
  return declaration;
}

Judgement judged(const Step& step, const ForeignDeclaration& declaration) {
  OfStepSubject subject(step, declaration);
  return judge(subject, {.drawn = 2});
}
std::string note_of(const Judgement& judgement, const std::string& test) {
  for (const JudgementRow& row : judgement.rows)
    if (row.test == test) return row.claim.note;
  return "no such row";
}

// Where the errors of the first problem are below what is declared before they show a slope, those of another do.
TEST(Tolerance, takes_the_order_of_steps_back_from_a_problem_that_shows_one) {
  const Step verlet = [](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const auto kick = [&] {
      const std::vector<double> g = forces.gradient(z.t, z.q);
      for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= h / 2 * g[i];
    };
    kick();
    for (std::size_t i = 0; i < z.q.size(); ++i) z.q[i] += h * z.p[i] / forces.problem().masses[i];
    kick();
  };
  ForeignDeclaration declaration;
  declaration.name = "Verlet";
  declaration.order = 2;
  declaration.tolerance = 1e-6;
  const Judgement judgement = judged(verlet, declaration);
  EXPECT_TRUE(livi::test::is_cleared(judgement)) << judgement_table(judgement);
  declaration.order = 4;
  EXPECT_TRUE(rows_with(judged(verlet, declaration), Verdict::refuted).contains("order, negative steps"));
}

/// Three steps of Verlet, of order four; under forces of time with an eighth of the step.
void triple_jump(Forces<double>& forces, TimedPoint<double>& z, double h) {
  const double outer = 1 / (2 - std::cbrt(2.0)), middle = 1 - 2 * outer;
  const int parts = forces.problem().kind == ProblemKind::timed ? 8 : 1;
  double t = z.t;
  for (int part = 0; part < parts; ++part)
    for (const double share : {outer, middle, outer}) {
      const double step = share * h / parts;
      for (const bool is_first : {true, false}) {
        const std::vector<double> g = forces.gradient(t, z.q);
        for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= step / 2 * g[i];
        if (!is_first) break;
        for (std::size_t i = 0; i < g.size(); ++i) z.q[i] += step * z.p[i] / forces.problem().masses[i];
        t += step;
      }
    }
}
TEST(Tolerance, takes_the_order_of_steps_back_from_a_kind_that_shows_one) {
  ForeignDeclaration declaration;
  declaration.name = "triple jump";
  declaration.order = 4;
  declaration.tolerance = 1e-7;
  declaration.kinds = {ProblemKind::mechanical, ProblemKind::timed};
  OfStepSubject subject(triple_jump, declaration);
  const Judgement judgement = judge(subject, {.seed = 2, .drawn = 1, .quick = true});
  EXPECT_TRUE(rows_with(judgement, Verdict::confirmed).contains("order, negative steps")) << judgement_table(judgement);
}

TEST(Tolerance, clears_an_honest_iteration_and_says_how_far) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    const Judgement judgement = judged(midpoint(tolerance), of_midpoint(tolerance));
    EXPECT_TRUE(livi::test::is_cleared(judgement)) << judgement_table(judgement);
    const std::set<std::string> limited = rows_with(judgement, Verdict::confirmed_with_limits);
    EXPECT_TRUE(limited.contains("symmetric") || limited.contains("symplectic")) << judgement_table(judgement);
  }
  for (const double tolerance : {1e-6, 1e-10}) {
    const Judgement absolute = judged(midpoint(tolerance, false), of_midpoint(tolerance));
    EXPECT_TRUE(livi::test::is_cleared(absolute)) << judgement_table(absolute);
    EXPECT_EQ(rows_with(absolute, Verdict::confirmed_with_limits).contains("energy"), tolerance > 1e-10)
        << judgement_table(absolute);
  }
  const Judgement judgement = judged(midpoint(1e-10), of_midpoint(1e-10));
  EXPECT_NE(note_of(judgement, "symplectic").find("up to 6.4e-09, for it declares tolerance=1e-10"), std::string::npos)
      << note_of(judgement, "symplectic");
  EXPECT_NE(judgement_table(judgement).find(", declares tolerance=1e-10, judged up to 6.4e-09\n"), std::string::npos);
  EXPECT_NE(judgement_badge({judgement, {}, {}}).find("symmetric, to 6.4e-09"), std::string::npos);
}

TEST(Tolerance, that_is_not_declared_is_named) {
  const Judgement judgement = judged(midpoint(1e-10), of_midpoint(0));
  EXPECT_EQ(judgement.exit_status(), 1);
  for (const char* test : {"symplectic", "symmetric"})
    EXPECT_NE(note_of(judgement, test).find("if an iteration stops there, tolerance=T declares it"), std::string::npos)
        << judgement_table(judgement);
  EXPECT_TRUE(rows_with(judgement, Verdict::undecided).contains("drawn steps"));
  EXPECT_NE(note_of(judgement, "drawn steps").find("an absolute tolerance explains it, tolerance=1e-"),
            std::string::npos)
      << note_of(judgement, "drawn steps");
}

// The control of 'precision', with fewer bits than single precision has, was once taken for momenta that are differences.
TEST(SinglePrecision, judgement_reaches_its_last_row_with_every_seed) {
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.order = 2;
  declaration.single_precision = true;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Declaring subject(built_in_verlet(BuiltInFlaw::single_number), declaration);
    const Judgement judgement = judge(subject, {.seed = seed, .drawn = 1, .quick = true});
    EXPECT_EQ(rows_with(judgement, Verdict::broken_control), Tests{}) << seed << "\n" << judgement_table(judgement);
  }
}

TEST(Tolerance, hides_no_larger_defect) {
  // Stops a hundred thousand times earlier than it says.
  EXPECT_EQ(judged(midpoint(1e-5), of_midpoint(1e-10)).exit_status(), 1);
  // Loses a millionth of its momentum in a step.
  const Step with_friction = [](Forces<double>& forces, TimedPoint<double>& z, double h) {
    midpoint(1e-10)(forces, z, h);
    for (double& p : z.p) p *= 1 - 1e-6;
  };
  const std::set<std::string> refuted = rows_with(judged(with_friction, of_midpoint(1e-10)), Verdict::refuted);
  for (const char* test : {"symplectic", "symmetric", "free particle", "angular momentum", "symplectic, reach"})
    EXPECT_TRUE(refuted.contains(test)) << test;
  ForeignDeclaration runge_kutta = of_midpoint(1e-6);
  runge_kutta.order = 4;
  Declaring subject(built_in_runge_kutta_4(), runge_kutta);
  EXPECT_TRUE(rows_with(judge(subject, {.drawn = 1, .quick = true}), Verdict::refuted).contains("symplectic"));
}

TEST(Tolerance, excuses_no_error_of_a_method) {
  // Loses a share of its momentum that falls with h^3: of each step at h = 1/4 less than the tolerance.
  const Step with_friction = [](Forces<double>& forces, TimedPoint<double>& z, double h) {
    midpoint(1e-13)(forces, z, h);
    for (double& p : z.p) p *= 1 - 1e-5 * h * h * h;
  };
  const std::set<std::string> undecided = rows_with(judged(with_friction, of_midpoint(1e-6)), Verdict::undecided);
  for (const char* test : {"symplectic", "symmetric"}) EXPECT_TRUE(undecided.contains(test)) << test;
}

TEST(Tolerance, is_named_where_it_hides_the_order) {
  const Judgement judgement = judged(midpoint(1e-4), of_midpoint(1e-4));
  EXPECT_TRUE(rows_with(judgement, Verdict::undecided).contains("order of q")) << judgement_table(judgement);
  const std::string note = note_of(judgement, "order of q");
  EXPECT_NE(note.find("errors meet what it declares, tolerance=0.0001, before"), std::string::npos) << note;
}

// What an iteration leaves neither shows that a property holds nor that it does not. A defect of rounding alone does show it.
TEST(Tolerance, leaves_open_what_is_declared_not_to_hold) {
  ForeignDeclaration modest = of_midpoint(1e-10);
  modest.symplectic = modest.symmetric = modest.angular_momentum = false;
  const Judgement judgement = judged(midpoint(1e-10), modest);
  for (const char* test : {"symplectic", "symmetric", "angular momentum"})
    EXPECT_TRUE(rows_with(judgement, Verdict::undecided).contains(test)) << judgement_table(judgement);
  EXPECT_NE(note_of(judgement, "symplectic").find("tolerance=1e-10 explains defects up to 6.4e-09"), std::string::npos)
      << note_of(judgement, "symplectic");
  EXPECT_TRUE(rows_with(judgement, Verdict::refuted).empty()) << judgement_table(judgement);
  ForeignDeclaration verlet = modest;
  verlet.tolerance = 0;
  Declaring subject(built_in_verlet(), verlet);
  const std::set<std::string> refuted = rows_with(judge(subject, {.drawn = 1}), Verdict::refuted);
  for (const char* test : {"symplectic", "symmetric", "angular momentum"}) EXPECT_TRUE(refuted.contains(test)) << test;
}
// A defect near rounding may be one.
TEST(SmallDefects, near_rounding_refute_no_declaration_that_a_property_does_not_hold) {
  const Step nearly = [](Forces<double>& forces, TimedPoint<double>& z, double h) {
    midpoint(1e-15)(forces, z, h);
    for (double& p : z.p) p *= 1 - 0x1p-43;
  };
  ForeignDeclaration modest = of_midpoint(0);
  modest.symplectic = modest.symmetric = false;
  modest.linear_momentum = modest.angular_momentum = std::nullopt;
  const Judgement judgement = judged(nearly, modest);
  for (const char* test : {"symplectic", "symmetric"})
    EXPECT_TRUE(rows_with(judgement, Verdict::undecided).contains(test)) << judgement_table(judgement);
}

/// Symplectic Euler whose velocities are kept, and handed out, as differences of positions.
Step verlet_of_positions(bool in_single = false) {
  return [in_single](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const std::vector<double> g = forces.gradient(z.t, z.q);
    for (std::size_t i = 0; i < g.size(); ++i) {
      const double m = forces.problem().masses[i], q = z.q[i];
      z.q[i] = q + h * (z.p[i] - h * g[i]) / m;
      z.p[i] = m * (z.q[i] - q) / h;
      if (in_single) z.p[i] = single(z.p[i]);
    }
  };
}
/// Verlet whose velocity in the middle of a step is the difference of positions, as where constraints may move these.
void verlet_of_positions_and_half_kicks(Forces<double>& forces, TimedPoint<double>& z, double h) {
  const std::vector<double>& masses = forces.problem().masses;
  const std::vector<double> g = forces.gradient(z.t, z.q);
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double q = z.q[i];
    z.q[i] = q + h * (z.p[i] - h / 2 * g[i]) / masses[i];
    z.p[i] = masses[i] * ((z.q[i] - q) / h);
  }
  const std::vector<double> after = forces.gradient(z.t, z.q);
  for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= h / 2 * after[i];
}
TEST(Precision, is_not_asked_of_momenta_that_are_differences_of_positions) {
  ForeignDeclaration declaration;
  declaration.name = "positions alone";
  declaration.order = 1;
  const Judgement judgement = judged(verlet_of_positions(), declaration);
  EXPECT_TRUE(livi::test::is_cleared(judgement)) << judgement_table(judgement);
  EXPECT_NE(note_of(judgement, "precision").find("momenta are differences of positions"), std::string::npos);
  declaration.order = 2;
  const Judgement half = judged(verlet_of_positions_and_half_kicks, declaration);
  EXPECT_TRUE(livi::test::is_cleared(half)) << judgement_table(half);
  EXPECT_NE(note_of(half, "precision").find("momenta are differences of positions"), std::string::npos);
  declaration.order = 1;
  // Momenta of 24 bits are still named, and so is a method that makes no kick.
  const Step still = [](Forces<double>&, TimedPoint<double>&, double) {};
  for (const Step& wrong : {single_verlet(), still})
    EXPECT_TRUE(rows_with(judged(wrong, declaration), Verdict::refuted).contains("precision"));
  EXPECT_EQ(judged(verlet_of_positions(true), declaration).exit_status(), 1);
}
TEST(Precision, does_not_count_the_bits_of_infinite_momenta) {
  ForeignDeclaration declaration;
  declaration.name = "infinite where steps are short";
  const Step infinite = [verlet = single_verlet()](Forces<double>& forces, TimedPoint<double>& z, double h) {
    verlet(forces, z, h);
    if (std::abs(h) < 1e-6) z.p.assign(z.p.size(), std::numeric_limits<double>::infinity());
  };
  EXPECT_EQ(note_of(judged(infinite, declaration), "precision"),
            "inconclusive: the state is infinite after 1 step of |h| = 1.49012e-08 on the problem 'three coupled "
            "oscillators, quartic'");
}

TEST(LinearStability, is_zero_where_all_short_steps_grow) {
  // Growth of y^4 / 8 for order two, of y^6 / 144 and so on for others; 1/k! of the given power more than exp.
  const auto explicit_steps = [](int order, int changed = 0, double more = 0) -> Step {
    return [order, changed, more](Forces<double>& forces, TimedPoint<double>& z, double h) {
      // exp of the linear field, up to a power.
      std::vector<double> q = z.q, p = z.p;
      double factor = 1;
      for (int k = 1; k <= order; ++k) {
        factor *= h / k;
        const std::vector<double> v = forces.velocity(p), g = forces.gradient(z.t, q);
        const double weight = factor * (k == changed ? 1 + more : 1);
        for (std::size_t i = 0; i < v.size(); ++i) {
          z.q[i] += weight * v[i];
          z.p[i] -= weight * g[i];
        }
        q = v;
        p = g;
        for (double& entry : p) entry = -entry;
      }
    };
  };
  Measurements measurements(1);
  const auto limit_of = [&](const Step& step) {
    OfStepSubject subject(step, {});
    return measurements.stability_limit(subject, 8);
  };
  const auto expect_growth = [&](const Step& step, const char* power) {
    const Measured limit = limit_of(step);
    EXPECT_EQ(limit.value, 0) << limit.note;
    EXPECT_NE(limit.note.find("short steps grow"), std::string::npos) << limit.note;
    EXPECT_NE(limit.note.find(power), std::string::npos) << limit.note;
  };
  for (const auto& [order, power] : {std::pair{1, "h^2;"}, {2, "h^4;"}, {5, "h^6;"}, {6, "h^8;"}, {9, "h^10;"}})
    expect_growth(explicit_steps(order), power);
  // Nearly Prince and Dormand 8(7): from 0 to 1.5.
  expect_growth(explicit_steps(13, 10, -0.103), "h^10;");
  // Dormand and Prince 5(4) shrinks below its limit.
  EXPECT_NEAR(limit_of(explicit_steps(6, 6, 0.2)).value, 0.997, 1e-3);
  EXPECT_NEAR(limit_of(explicit_steps(3)).value, std::sqrt(3.0), 1e-4);
  EXPECT_NEAR(limit_of(explicit_steps(4)).value, std::sqrt(8.0), 1e-4);
  Declaring verlet(built_in_verlet(), {});
  EXPECT_NEAR(measurements.stability_limit(verlet, 8).value, 2, 1e-4);
}

TEST(Table, has_no_numbers_that_are_none) {
  const Step away = [](Forces<double>&, TimedPoint<double>& z, double) {
    for (double& q : z.q) q = q * 1e30 + 1;
  };
  ForeignDeclaration declaration = of_midpoint(0);
  declaration.stability_limit = 2;
  const std::string table = judgement_table(judged(away, declaration));
  EXPECT_EQ(table.find("e+308"), std::string::npos) << table;
  EXPECT_EQ(table.find(" nan "), std::string::npos) << table;
}

// Kutta's method of order four over many small steps is symplectic up to an error that falls with h^4.
TEST(SmallDefects, that_fall_with_the_step_are_no_iterations) {
  const Step small_steps = [](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const auto kutta = built_in_subject(built_in_runge_kutta_4());
    const auto run = kutta->in_double(forces);
    run->start(z);
    run->step(h / 16, 16);
    const double t = z.t;
    z = run->point();
    z.t = t;
  };
  ForeignDeclaration declaration = of_midpoint(0);
  declaration.order = 4;
  const Judgement judgement = judged(small_steps, declaration);
  EXPECT_NE(note_of(judgement, "symmetric").find(" for h/8, which falls with the step"), std::string::npos)
      << judgement_table(judgement);
}

/// Verlet whose forces are too strong, and which keeps a share of its momenta in a step.
Step wrong_verlet(double strength, double kept) {
  return [=](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const auto kick = [&] {
      const std::vector<double> g = forces.gradient(z.t, z.q);
      for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= h / 2 * strength * g[i];
    };
    kick();
    const std::vector<double> v = forces.velocity(z.p);
    for (std::size_t i = 0; i < v.size(); ++i) z.q[i] += h * v[i];
    kick();
    for (double& p : z.p) p *= kept;
  };
}

// Neither loses digits, stops an iteration early, or has coefficients with few digits.
TEST(SmallDefects, have_no_cause_that_is_not_seen) {
  const std::string of_verlet = "; of one particle its steps are drifts and kicks, in which nothing is iterated",
                    of_friction = "; the momentum of a free particle changes, too",
                    of_any =
                        "; it could be left by an iteration that stops early, which tolerance=T declares, by numbers "
                        "with fewer digits, or by other equations";
  const Step strong_midpoint = [](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const std::vector<double> p = z.p;
    midpoint(1e-14)(forces, z, h);
    for (std::size_t i = 0; i < p.size(); ++i) z.p[i] += 1e-9 * (z.p[i] - p[i]);
  };
  // The second one as much as numbers of 24 bits are wrong.
  for (const auto& [step, test, end] : std::vector<std::tuple<Step, const char*, std::string>>{
           {wrong_verlet(1 + 1e-6, 1), "constant force", of_verlet},
           {wrong_verlet(1 + 5e-8, 1), "precision", of_verlet},
           {wrong_verlet(1, 1 - 1e-9), "symplectic", of_friction},
           {wrong_verlet(1, 1 - 1e-9), "free particle", "times what it was; a defect of 5e-10"},
           {strong_midpoint, "symplectic", of_any}}) {
    const Judgement judgement = judged(step, of_midpoint(0));
    const std::string note = note_of(judgement, test);
    EXPECT_TRUE(note.ends_with(end)) << test << ": " << note;
    if (end == of_any) continue;
    for (const JudgementRow& row : judgement.rows)
      for (const char* cause : {"single precision", "24 bits", "digits", "lose", "tolerance=", "another equation"})
        EXPECT_TRUE(row.claim.verdict != Verdict::refuted || row.claim.note.find(cause) == std::string::npos)
            << row.test << ": " << row.claim.note;
  }
}

// Defects between what counts as none and what is seen for certain, which another method would have to leave or not to leave.
TEST(SmallDefects, that_are_declared_are_not_refuted) {
  const Step smaller_steps = [](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const auto kutta = built_in_subject(built_in_runge_kutta_4());
    const auto run = kutta->in_double(forces);
    run->start(z);
    run->step(h / 64, 64);
    const double t = z.t;
    z = run->point();
    z.t = t;
  };
  ForeignDeclaration declaration = of_midpoint(0);
  declaration.order = 4;
  declaration.symplectic = declaration.symmetric = false;
  const Judgement judgement = judged(smaller_steps, declaration);
  const std::set<std::string> undecided = rows_with(judgement, Verdict::undecided);
  for (const char* test : {"symplectic", "symmetric"})
    EXPECT_TRUE(undecided.contains(test)) << judgement_table(judgement);
}

TEST(SinglePrecision, is_cleared_where_it_is_declared_and_named_where_it_is_not) {
  const Judgement declared = judged(single_verlet(), of_single_verlet(true));
  EXPECT_TRUE(livi::test::is_cleared(declared)) << judgement_table(declared);
  const std::set<std::string> limited = rows_with(declared, Verdict::confirmed_with_limits);
  for (const char* test : {"symplectic", "symmetric", "precision"}) EXPECT_TRUE(limited.contains(test)) << test;
  const Judgement silent = judged(single_verlet(), of_single_verlet(false));
  EXPECT_EQ(silent.exit_status(), 1);
  for (const char* test : {"symplectic", "symmetric", "precision"})
    EXPECT_NE(note_of(silent, test).find("from rest have 24 bits: precision=single declares it"), std::string::npos)
        << judgement_table(silent);
}

TEST(SinglePrecision, hides_no_larger_defect) {
  EXPECT_EQ(judged(single_verlet(1e-3), of_single_verlet(true)).exit_status(), 1);
  ForeignDeclaration declaration = of_single_verlet(true);
  Declaring coarse(built_in_verlet(BuiltInFlaw::coarse_number), declaration);
  EXPECT_TRUE(rows_with(judge(coarse, {.drawn = 1, .quick = true}), Verdict::refuted).contains("precision"));
  // Full precision may be more than is declared.
  Declaring verlet(built_in_verlet(), declaration);
  const Judgement judgement = judge(verlet, {.drawn = 1, .quick = true});
  EXPECT_TRUE(livi::test::is_cleared(judgement));
  EXPECT_TRUE(rows_with(judgement, Verdict::confirmed_with_limits).empty());
}

}  // namespace judge_accuracy_test
