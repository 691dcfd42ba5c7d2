// SPDX-License-Identifier: MIT
//
// Methods that are wrong in one place: one number of degrees of freedom, one mass, one size, one step, one time, one number of steps
// at once. Each is a right method that makes another step there. One file, for right and wrong methods are judged by the same draws.
#include <gtest/gtest.h>
#include <livi/judge/problems/measured_text.hpp>
#include <livi/judge/tests/drawn_steps.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <sstream>

#include "verification/judge/bath_method.hpp"
#include "verification/judge/declaring.hpp"
#include "verification/judge/high_orders.hpp"
#include "verification/judge/of_step.hpp"
#include "verification/judge/wrong_places.hpp"
#include "verification/unit/judge/made_up_judgements.hpp"

namespace judge_drawn_steps_test {

using namespace livi;

constexpr std::array<std::uint64_t, 3> seeds{1, 2, 3};

bool is_named(ForeignSubject& subject, ProblemKind kind, std::uint64_t seed) {
  return drawn_steps(subject, kind, seed, 1).value > 1 || DrawnSteps(subject, kind, seed).local_error().value > 1;
}

TEST(WrongPlaces, are_named_with_three_seeds) {
  std::size_t named = 0;
  std::string missed;
  const std::vector<WrongPlace> all = wrong_places();
  for (const WrongPlace& place : all) {
    WrongSomewhere subject(place);
    const bool seen = std::ranges::any_of(seeds, [&](auto seed) { return is_named(subject, place.kind, seed); });
    named += seen ? 1 : 0;
    if (!seen) missed += "\n" + kind_name(place.kind) + ", " + place.name;
  }
  EXPECT_GE(all.size(), 100U);
  EXPECT_GE(20 * named, 19 * all.size()) << named << " of " << all.size() << missed;
}

TEST(WrongPlaces, in_which_all_bodies_are_alike_are_named) {
  for (const WrongPlace& place : wrong_where_all_are_alike()) {
    WrongSomewhere subject(place);
    EXPECT_TRUE(std::ranges::any_of(seeds, [&](auto seed) { return is_named(subject, place.kind, seed); }))
        << kind_name(place.kind) << ", " << place.name;
  }
}

// Most of their draws are wrong, so that what a step is in ordinary units is the exception.
TEST(WrongMethods, in_most_places_are_all_named) {
  for (const WrongPlace& place : wrong_in_most_places()) {
    WrongSomewhere subject(place);
    std::size_t named = 0;
    for (const std::uint64_t seed : seeds) named += is_named(subject, place.kind, seed) ? 1 : 0;
    EXPECT_EQ(named, seeds.size()) << kind_name(place.kind) << ", " << place.name;
  }
}

// A step of order one is one of these equations: only the declared order tells that it is wrong there.
TEST(WrongPlaces, of_order_one_are_named_by_the_declared_order) {
  for (const auto& [name, is_wrong] : {std::pair<std::string, std::function<bool(const StepPlace&)>>(
                                           "at rest", [](const auto& z) { return z.p == 0; }),
                                       {"nearly at rest", [](const auto& z) { return z.p > 0 && z.p < 1e-6; }}}) {
    WrongSomewhere subject({ProblemKind::body, name, Mistake::low_order, is_wrong});
    for (const std::uint64_t seed : seeds)
      EXPECT_GT(DrawnSteps(subject, ProblemKind::body, seed).local_error().value, 1) << name << ", " << seed;
  }
}

void drift(Forces<double>& forces, TimedPoint<double>& z, double h) {
  const std::vector<double> v = forces.velocity(z.p);
  for (std::size_t i = 0; i < v.size(); ++i) z.q[i] += h * v[i];
}

/// The implicit midpoint rule, iterated until nothing changes; or with the mean force that conserves the energy (Gonzalez 1996), in the
/// metric of the masses, of all bodies at once.
Step midpoint(bool conserves_energy) {
  return [=](Forces<double>& forces, TimedPoint<double>& z, double h) {
    TimedPoint<double> end = z;
    const std::size_t n = z.q.size();
    for (int k = 0; k < 80; ++k) {
      std::vector<double> q(n), p(n), way(n);
      for (std::size_t i = 0; i < n; ++i) q[i] = (z.q[i] + end.q[i]) / 2, p[i] = (z.p[i] + end.p[i]) / 2;
      std::vector<double> g = forces.gradient(z.t + h / 2, q);
      const std::vector<double> v = forces.velocity(p);
      double work = 0, square = 0;
      for (std::size_t i = 0; i < n; ++i) {
        way[i] = h * v[i];
        work += g[i] * way[i];
        square += forces.problem().masses[i] * way[i] * way[i];
      }
      if (conserves_energy && square > 0) {
        std::vector<double> to = z.q;
        for (std::size_t i = 0; i < n; ++i) to[i] += way[i];
        const double lacks = (forces.value(z.t, to) - forces.value(z.t, z.q) - work) / square;
        for (std::size_t i = 0; i < n; ++i) g[i] += lacks * forces.problem().masses[i] * way[i];
      }
      const TimedPoint<double> before = end;
      for (std::size_t i = 0; i < n; ++i) end.q[i] = z.q[i] + way[i], end.p[i] = z.p[i] - h * g[i];
      if (end.q == before.q && end.p == before.p) break;
    }
    z.q = end.q;
    z.p = end.p;
  };
}
/// A step of Verlet, then a scaling of all momenta that restores the energy at the start.
void scaled_verlet(Forces<double>& forces, TimedPoint<double>& z, double h) {
  const double energy = forces.energy(z);
  std::vector<double> g = forces.gradient(z.t, z.q);
  for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= h / 2 * g[i];
  const std::vector<double> v = forces.velocity(z.p);
  for (std::size_t i = 0; i < g.size(); ++i) z.q[i] += h * v[i];
  g = forces.gradient(z.t, z.q);
  for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= h / 2 * g[i];
  const double now = forces.energy(z), kinetic = now - forces.value(z.t, z.q), wanted = energy - now + kinetic;
  // Where there is hardly a motion nothing is scaled.
  if (wanted > kinetic / 2 && wanted < 2 * kinetic)
    for (double& p : z.p) p *= std::sqrt(wanted / kinetic);
}

// Errors of a right step fall as its order says, also where other bodies are beside it and whatever the units are: each of these is
// asked as if it acted on all bodies at once.
TEST(RightMethods, have_errors_that_fall_with_forty_seeds) {
  using enum ProblemKind;
  std::vector<std::pair<std::string, std::unique_ptr<ForeignSubject>>> all;
  for (const BuiltInMethod& method :
       {built_in_verlet(), built_in_symplectic_euler(), built_in_explicit_euler(), built_in_lopsided_verlet(),
        built_in_runge_kutta_4(), built_in_baoab(), built_in_baoab(BuiltInFlaw::first_order_bath), built_in_rattle(),
        built_in_body_splitting()})
    all.emplace_back(method.name, built_in_subject(method));
  ForeignDeclaration of_points;
  of_points.kinds = {mechanical, timed, separable};
  for (const high_orders::Named& method : high_orders::right_methods())
    all.emplace_back(method.name, std::make_unique<OfStepSubject>(method.step, of_points));
  all.emplace_back("implicit midpoint", std::make_unique<OfStepSubject>(midpoint(false), of_points));
  of_points.kinds = {mechanical};
  all.emplace_back("discrete gradient", std::make_unique<OfStepSubject>(midpoint(true), of_points));
  all.emplace_back("scaled Verlet", std::make_unique<OfStepSubject>(scaled_verlet, of_points));
  long draws = 0;
  for (const auto& [name, subject] : all)
    for (const ProblemKind kind : {mechanical, timed, separable, langevin, constrained, constrained_langevin, body}) {
      if (!subject->declares().takes(kind)) continue;
      for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        DrawnSteps steps(*subject, kind, seed);
        for (int k = 0; k < 6; ++k) {
          const DrawnCase drawn = steps.draw();
          ++draws;
          EXPECT_NE(steps.is_of_another_equation(drawn), true)
              << name << ", seed " << seed << ": " << steps.words(drawn);
          if (kind == langevin && k < 2) {
            EXPECT_FALSE(steps.has_another_noise(drawn)) << name << ", seed " << seed << ": " << steps.words(drawn);
          }
        }
      }
    }
  RecordProperty("draws", static_cast<int>(draws));
}

Step runge_kutta_4() {
  return high_orders::runge_kutta({{}, {0.5}, {0, 0.5}, {0, 0, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}});
}
/// A Runge-Kutta method of order four whose momenta are scaled to keep the energy: many steps are too accurate to show it.
void projected_runge_kutta(Forces<double>& forces, TimedPoint<double>& z, double h) {
  const double energy = forces.energy(z);
  runge_kutta_4()(forces, z, h);
  for (int k = 0; k < 3; ++k) {
    const double excess = forces.energy(z) - energy;
    TimedPoint<double> at_rest = z;
    at_rest.p.assign(z.p.size(), 0);
    const double twice_kinetic = 2 * (forces.energy(z) - forces.energy(at_rest));
    if (!(std::abs(excess) < 0.1 * twice_kinetic)) break;
    for (double& p : z.p) p *= std::sqrt(1 - 2 * excess / twice_kinetic);
  }
}
/// As many steps of a method, of at most this length, as are needed: its errors fall as h does while h is longer.
Step in_short_steps(Step step, double length) {
  return [=](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const double steps = std::ceil(std::abs(h) / length);
    if (!(steps <= 1000)) throw ForeignRefusal("a step failed: 'more than 1000 steps'");
    for (double k = 0; k < steps; ++k) step(forces, z, h / steps);
  };
}
void position_verlet(Forces<double>& forces, TimedPoint<double>& z, double h) {
  drift(forces, z, h / 2);
  const std::vector<double> g = forces.gradient(z.t, z.q);
  for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= h * g[i];
  drift(forces, z, h / 2);
}
TEST(RightMethods, that_divide_long_steps_are_not_refuted) {
  for (const auto& [step, length, order] :
       {std::tuple(Step(position_verlet), 0.05, 2), {Step(position_verlet), 0.01, 2}, {runge_kutta_4(), 0.1, 4}}) {
    ForeignDeclaration declares;
    declares.order = order;
    OfStepSubject subject(in_short_steps(step, length), declares);
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Measured drawn = drawn_steps(subject, ProblemKind::mechanical, seed, 1),
                     local = DrawnSteps(subject, ProblemKind::mechanical, seed).local_error();
      EXPECT_LE(drawn.value, 1) << order << ", " << length << ", seed " << seed << ": " << drawn.note;
      EXPECT_LE(local.value, 1) << order << ", " << length << ", seed " << seed << ": " << local.note;
    }
  }
}
// Steps of order one are among those that a method of order two must not make, also where it acts on all bodies at once elsewhere.
TEST(WrongMethods, that_act_on_all_bodies_elsewhere_are_named) {
  ForeignDeclaration declares;
  declares.order = 2;
  OfStepSubject subject(
      [](Forces<double>& forces, TimedPoint<double>& z, double h) {
        const std::size_t n = z.q.size();
        if (n < 23 || n > 31) return n < 4 || n > 7 ? position_verlet(forces, z, h) : scaled_verlet(forces, z, h);
        const std::vector<double> g = forces.gradient(z.t, z.q);
        for (std::size_t i = 0; i < n; ++i) z.p[i] -= h * g[i];
        drift(forces, z, h);
      },
      declares);
  for (const std::uint64_t seed : seeds)
    EXPECT_GT(drawn_steps(subject, ProblemKind::mechanical, seed, 1).value, 1) << seed;
}

/// A step of order four with the gradient of |force|^2 (Chin 1997, method A). `neighbours_from`: where there are as many coordinates,
/// second derivatives of V are taken for zero where they are not those of neighbours in a row; 0 is the right method.
Step chin_with_neighbours(std::size_t neighbours_from) {
  return [=](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const std::size_t n = z.q.size();
    const auto kick = [&](double length, double of_square) {
      const std::vector<double> g = forces.gradient(0, z.q),
                                second = of_square == 0 ? std::vector<double>() : forces.hessian(0, z.q);
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < n && of_square != 0; ++j)
          if (neighbours_from == 0 || n < neighbours_from || i - j + 1 <= 2)
            sum += second[i * n + j] * g[j] / forces.problem().masses[j];
        z.p[i] -= length * g[i] - of_square * sum;
      }
    };
    kick(h / 6, 0);
    drift(forces, z, h / 2);
    kick(2 * h / 3, 2 * h / 3 * h * h / 24);
    drift(forces, z, h / 2);
    kick(h / 6, 0);
  };
}
TEST(WrongPlaces, in_which_distant_bodies_are_alone_are_named) {
  ForeignDeclaration of_order_four;
  of_order_four.order = 4;
  for (const std::size_t from : {11U, 16U}) {
    OfStepSubject subject(chin_with_neighbours(from), of_order_four);
    for (const std::uint64_t seed : seeds)
      EXPECT_GT(DrawnSteps(subject, ProblemKind::mechanical, seed).local_error().value, 1) << from << ", " << seed;
  }
  OfStepSubject right(chin_with_neighbours(0), of_order_four);
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    EXPECT_LE(DrawnSteps(right, ProblemKind::mechanical, seed).local_error().value, 1) << seed;
}

// Errors of single steps fall as the declared order says, also in long steps, for methods whose first terms of the error are small.
TEST(RightMethods, have_the_local_errors_of_their_order_with_forty_seeds) {
  using enum ProblemKind;
  std::vector<std::pair<std::string, std::unique_ptr<ForeignSubject>>> all;
  for (const auto& [method, order] :
       {std::pair(built_in_verlet(), 2), std::pair(built_in_symplectic_euler(), 1), std::pair(test::yoshida(), 4),
        std::pair(built_in_lopsided_verlet(), 1), std::pair(built_in_runge_kutta_4(), 4),
        std::pair(built_in_rattle(), 2), std::pair(built_in_body_splitting(), 2)}) {
    ForeignDeclaration declares = built_in_subject(method)->declares();
    declares.order = order;
    all.emplace_back(method.name, std::make_unique<Declaring>(method, declares));
  }
  ForeignDeclaration of_points;
  of_points.kinds = {mechanical, timed, separable};
  for (const high_orders::Named& method : high_orders::right_methods()) {
    of_points.order = method.order;
    all.emplace_back(method.name, std::make_unique<OfStepSubject>(method.step, of_points));
  }
  of_points.order = 2;
  all.emplace_back("implicit midpoint", std::make_unique<OfStepSubject>(midpoint(false), of_points));
  for (const auto& [name, subject] : all)
    for (const ProblemKind kind : {mechanical, timed, separable, constrained, body}) {
      if (!subject->declares().takes(kind)) continue;
      for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Measured local = DrawnSteps(*subject, kind, seed).local_error();
        EXPECT_LE(local.value, 1) << name << ", seed " << seed << ", " << kind_name(kind) << ": " << local.note;
      }
    }
}

TEST(RightMethods, that_act_on_all_bodies_at_once_are_not_refuted) {
  for (const auto& [name, step] :
       {std::pair<std::string, Step>("discrete gradient", midpoint(true)),
        std::pair<std::string, Step>("scaled Verlet", scaled_verlet),
        std::pair<std::string, Step>("projected Runge-Kutta", projected_runge_kutta),
        std::pair<std::string, Step>("Verlet in short steps", in_short_steps(position_verlet, 0.05))}) {
    OfStepSubject subject(step, {});
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Measured measured = drawn_steps(subject, ProblemKind::mechanical, seed, 0.25);
      EXPECT_LE(measured.value, 1) << name << ", seed " << seed << ": " << measured.note;
    }
  }
}

TEST(RightMethods, are_not_refuted_by_drawn_steps_with_forty_seeds) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const WrongPlace& right : right_methods()) {
      WrongSomewhere subject(right);
      const Measured measured = drawn_steps(subject, right.kind, seed, 0.25);
      EXPECT_LE(measured.value, 1) << right.name << ": " << measured.note;
      if (seed > 8) continue;
      const Measured local = DrawnSteps(subject, right.kind, seed).local_error();
      EXPECT_LE(local.value, 1) << right.name << ": " << local.note;
    }
}

TEST(RightMethods, in_a_bath_with_constraints_are_not_refuted_by_drawn_steps) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    BathMethod subject(BathRules{}, true);
    const Measured measured = drawn_steps(subject, ProblemKind::constrained_langevin, seed, 1);
    EXPECT_LE(measured.value, 1) << seed << ": " << measured.note;
  }
}

TEST(RightMethods, that_take_the_times_of_both_ends_are_not_refuted) {
  ForeignDeclaration declares;
  declares.kinds = {ProblemKind::mechanical, ProblemKind::timed};
  OfStepSubject subject(
      [](Forces<double>& forces, TimedPoint<double>& z, double h) {
        const double end = z.t + h, length = end - z.t;
        if (length == 0) throw ForeignRefusal("a step failed: 't + h is t'");
        drift(forces, z, length / 2);
        const std::vector<double> g = forces.gradient(z.t + length / 2, z.q);
        for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= length * g[i];
        drift(forces, z, length / 2);
      },
      declares);
  int hidden = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const ProblemKind kind : declares.kinds) {
      const Measured measured = drawn_steps(subject, kind, seed, 0.25);
      EXPECT_FALSE(measured.value > 1) << kind_name(kind) << ", seed " << seed << ": " << measured.note;
      hidden += measured.note.find(" hidden by the rounding of t") != std::string::npos ? 1 : 0;
    }
  EXPECT_GT(hidden, 0) << "what the rounding of t hides is not judged";
}

// BAOAB asks once; the method of ASE, for one, twice.
TEST(RightMethods, that_ask_for_noise_twice_are_not_refuted) {
  ForeignDeclaration declares;
  declares.kinds = {ProblemKind::langevin};
  const auto bath = [](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const JudgedProblem& problem = forces.problem();
    const std::vector<double> numbers = forces.noise(z.p.size());
    for (std::size_t i = 0; i < z.p.size(); ++i)
      z.p[i] = std::exp(-problem.friction * h) * z.p[i] +
               std::sqrt(-problem.temperature * problem.masses[i] * std::expm1(-2 * problem.friction * h)) * numbers[i];
  };
  OfStepSubject subject(
      [&](Forces<double>& forces, TimedPoint<double>& z, double h) {
        bath(forces, z, h / 2);
        drift(forces, z, h / 2);
        const std::vector<double> g = forces.gradient(z.t, z.q);
        for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= h * g[i];
        drift(forces, z, h / 2);
        bath(forces, z, h / 2);
      },
      declares);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Measured measured = drawn_steps(subject, ProblemKind::langevin, seed, 0.25);
    EXPECT_LE(measured.value, 1) << seed << ": " << measured.note;
  }
}

// Terms of its error cancel in long steps of a seed: errors of shorter ones are a little larger than these foretell.
TEST(RightMethods, of_order_one_have_errors_of_their_order) {
  const Step implicit_euler = [](Forces<double>& forces, TimedPoint<double>& z, double h) {
    TimedPoint<double> end = z;
    for (int k = 0; k < 40; ++k) {
      const std::vector<double> v = forces.velocity(end.p), g = forces.gradient(z.t + h, end.q);
      for (std::size_t i = 0; i < v.size(); ++i) {
        end.q[i] = z.q[i] + h * v[i];
        end.p[i] = z.p[i] - h * g[i];
      }
    }
    z.q = end.q;
    z.p = end.p;
  };
  OfStepSubject subject(implicit_euler, {});
  for (const std::uint64_t seed : {33U, 67U, 86U, 213U, 252U, 270U})
    for (const ProblemKind kind : {ProblemKind::mechanical, ProblemKind::timed}) {
      const Measured local = DrawnSteps(subject, kind, seed).local_error();
      EXPECT_LE(local.value, 1) << seed << ", " << kind_name(kind) << ": " << local.note;
    }
}

/// Verlet that declines steps, by their start and end.
Step declines(std::function<bool(const std::vector<double>& velocity, double t)> is_declined) {
  return [is_declined](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const auto decline = [&](double t) {
      if (is_declined(forces.velocity(z.p), t)) throw ForeignRefusal("a step failed: 'it is beyond a limit'");
    };
    decline(z.t);
    for (const double share : {0.5, 1.0}) {
      const std::vector<double> g = forces.gradient(share < 1 ? z.t : z.t + h, z.q);
      for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= h / 2 * g[i];
      const std::vector<double> v = forces.velocity(z.p);
      for (std::size_t i = 0; share < 1 && i < v.size(); ++i) z.q[i] += h * v[i];
    }
    decline(z.t + h);
  };
}

// An engine that cuts velocities at 400 fails in steps beyond. The share of draws that failed is said.
TEST(RightMethods, may_fail_beyond_a_limit) {
  OfStepSubject slow(declines([](const auto&v, double) {
                       return std::ranges::any_of(v, [](double entry) { return std::abs(entry) > 400; });
                     }),
                     {}),
      early(declines([](const auto&, double t) { return std::abs(t) > 1e40; }), {});
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (OfStepSubject* const subject : {&slow, &early})
      for (const ProblemKind kind : {ProblemKind::mechanical, ProblemKind::timed}) {
        const Measured measured = drawn_steps(*subject, kind, seed, 1);
        EXPECT_LE(measured.value, 1) << seed << ", " << kind_name(kind) << ": " << measured.note;
        EXPECT_EQ(measured.cause, Cause::some_not_judged);
        const std::string all = kind == ProblemKind::mechanical ? " of 800 draws" : " of 400 draws";
        EXPECT_NE(measured.note.find(all + " not judged"), std::string::npos) << measured.note;
      }
}

/// Verlet that fails where a mass or a position is beyond 1/40 and 40.
Step fails_in_most_places() {
  return [](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const auto is_beyond = [](double x) { return std::abs(x) < 1 / 40.0 || std::abs(x) > 40; };
    if (std::ranges::any_of(forces.problem().masses, is_beyond) ||
        std::ranges::any_of(z.q, [](double q) { return std::abs(q) > 40; }) ||
        std::ranges::all_of(z.q, [](double q) { return std::abs(q) < 1 / 40.0; }))
      throw ForeignRefusal("a step failed: 'it is beyond a limit'");
    declines([](const auto&, double) { return false; })(forces, z, h);
  };
}

TEST(WrongMethods, that_fail_in_most_places_are_not_confirmed) {
  OfStepSubject subject(fails_in_most_places(), {});
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    const Measured measured = drawn_steps(subject, ProblemKind::mechanical, seed, 1);
    EXPECT_TRUE(std::isnan(measured.value)) << measured.note;
    EXPECT_NE(measured.note.find("too few draws were judged"), std::string::npos) << measured.note;
    EXPECT_NE(measured.note.find("of 800 draws not judged"), std::string::npos) << measured.note;
  }
  Hunt hunt;
  int asked = 0;
  hunt_for_wrong_steps(
      subject, 1, [&] { return ++asked < 600; }, hunt);
  EXPECT_GT(hunt.not_judged["mechanical"], hunt.draws["mechanical"]);
  EXPECT_EQ(hunt.exit_status(), 2);
}

/// Verlet that declines problems with a reason, as the optional function of a library does.
class Declining final : public ForeignSubject {
 public:
  explicit Declining(std::function<bool(const JudgedProblem&)> is_declined) : is_declined_(std::move(is_declined)) {}
  [[nodiscard]] const ForeignDeclaration& declares() const override { return declaration_; }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<Declining>(is_declined_);
  }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    if (is_declined_(forces.problem())) throw ProblemRefused("it takes no such problem");
    return verlet_->in_double(forces);
  }

 private:
  std::function<bool(const JudgedProblem&)> is_declined_;
  ForeignDeclaration declaration_;
  std::unique_ptr<ForeignSubject> verlet_ = built_in_subject(built_in_verlet());
};

// Declined problems are not failures and are counted. The first method declines few problems, the second nearly all.
TEST(RightMethods, may_decline_problems_and_that_is_said) {
  Declining many([](const JudgedProblem&problem) { return problem.size() > 4; }),
      nearly_all(
          [](const JudgedProblem&problem) { return problem.size() > 1 || std::abs(std::log2(problem.masses[0])) > 1; });
  for (const std::uint64_t seed : seeds) {
    const Measured measured = drawn_steps(many, ProblemKind::mechanical, seed, 1);
    EXPECT_LE(measured.value, 1) << measured.note;
    EXPECT_NE(measured.note.find(" were declined"), std::string::npos) << measured.note;
    EXPECT_EQ(measured.note.find(" failed,"), std::string::npos) << measured.note;
    EXPECT_EQ(measured.cause, Cause::some_not_judged);
    const Measured of_few = drawn_steps(nearly_all, ProblemKind::mechanical, seed, 1);
    EXPECT_TRUE(std::isnan(of_few.value)) << of_few.note;
  }
}

// A step that fails in ordinary units leaves draws without their measure: they are counted.
TEST(RightMethods, that_fail_in_ordinary_units_say_so) {
  OfStepSubject subject(
      [](Forces<double>& forces, TimedPoint<double>& z, double h) {
        if (z.q[0] == 0.5) throw ForeignRefusal("a step failed: 'not there'");
        declines([](const auto&, double) { return false; })(forces, z, h);
      },
      {});
  for (const std::uint64_t seed : seeds) {
    const Measured measured = drawn_steps(subject, ProblemKind::mechanical, seed, 1);
    EXPECT_NE(measured.note.find(" failed in ordinary units"), std::string::npos) << measured.note;
  }
}

TEST(WrongMethods, that_overflow_are_not_confirmed) {
  OfStepSubject subject(
      [](Forces<double>&, TimedPoint<double>& z, double) {
        z.q.assign(z.q.size(), 1e308);
        z.p.assign(z.p.size(), 1e308);
      },
      {});
  for (const ProblemKind kind : {ProblemKind::mechanical, ProblemKind::timed})
    for (const std::uint64_t seed : seeds) {
      const Measured measured = drawn_steps(subject, kind, seed, 1);
      EXPECT_FALSE(measured.value <= 1) << kind_name(kind) << ", seed " << seed << ": " << measured.note;
    }
  Hunt hunt;
  int asked = 0;
  hunt_for_wrong_steps(
      subject, 1, [&] { return ++asked < 400; }, hunt);
  EXPECT_EQ(hunt.exit_status(), 2);
}

TEST(LocalErrors, of_no_step_at_all_are_no_verdict) {
  // A clock that is infinite after a step: there is no motion to compare with.
  ForeignDeclaration declares;
  declares.kinds = {ProblemKind::adaptive};
  OfStepSubject subject(
      [](Forces<double>&, TimedPoint<double>& z, double) { z.t = std::numeric_limits<double>::infinity(); }, declares);
  const Measured local = DrawnSteps(subject, ProblemKind::adaptive, 1).local_error();
  EXPECT_TRUE(std::isnan(local.value)) << local.value << ": " << local.note;
}

TEST(WrongMethods, that_fail_for_a_number_of_bodies_are_undecided) {
  OfStepSubject subject(declines([](const auto& v, double) { return v.size() == 37; }), {});
  for (const std::uint64_t seed : seeds) {
    const Measured measured = drawn_steps(subject, ProblemKind::mechanical, seed, 1);
    EXPECT_TRUE(std::isnan(measured.value)) << measured.note;
    EXPECT_NE(measured.note.find("n = 37"), std::string::npos) << measured.note;
  }
}

TEST(Hunt, continues_if_local_errors_cannot_be_measured) {
  const Step fails_if_short = [](Forces<double>& forces, TimedPoint<double>& z, double h) {
    if (std::abs(h) < 0x1p-12 && z.q.size() < 3) throw ForeignRefusal("a step failed: 'it is too short'");
    const std::vector<double>& masses = forces.problem().masses;
    for (std::size_t i = 0; i < z.q.size(); ++i) z.q[i] += h * z.p[i] / masses[i];
    const std::vector<double> g = forces.gradient(z.t, z.q);
    for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= h * g[i];
  };
  OfStepSubject subject(fails_if_short, {});
  ASSERT_THROW((void)DrawnSteps(subject, ProblemKind::mechanical, 1).local_error(), ForeignRefusal);
  Hunt hunt;
  int asked = 0;
  hunt_for_wrong_steps(
      subject, 1, [&] { return ++asked < 40; }, hunt);
  EXPECT_GT(hunt.draws["mechanical"], 0);
  EXPECT_TRUE(hunt.found.empty());
  EXPECT_NE(hunt.first_failed, "");
}

TEST(Shrinking, finds_the_dimension_of_a_mistake) {
  WrongSomewhere subject(
      {ProblemKind::mechanical, "n = 14", Mistake::still, [](const StepPlace& at) { return at.n == 14; }});
  DrawnSteps steps(subject, ProblemKind::mechanical, 1);
  const auto differs = [&](const DrawnCase& drawn) { return steps.compare(drawn).what == DrawnOutcome::What::differs; };
  DrawnCase drawn = steps.draw();
  for (int k = 0; k < 4000 && !differs(drawn); ++k) drawn = steps.draw();
  const std::string words = steps.words(steps.shrunk(drawn, 200, differs));
  EXPECT_NE(words.find("n = 14"), std::string::npos) << words;
  EXPECT_NE(words.find("t = 0"), std::string::npos) << words;
}

TEST(Hunt, goes_on_to_its_end_and_keeps_the_smallest_case) {
  WrongSomewhere subject(
      {ProblemKind::mechanical, "n of 5 and more", Mistake::still, [](const StepPlace& at) { return at.n > 4; }});
  Hunt hunt;
  long asked = 0;
  hunt_for_wrong_steps(
      subject, 1, [&] { return ++asked < 2000; }, hunt);
  EXPECT_GE(asked, 2000);
  EXPECT_GT(hunt.draws["mechanical"], 256);
  ASSERT_EQ(hunt.found.count("drawn steps, mechanical"), 1U);
  EXPECT_EQ(hunt.found["drawn steps, mechanical"].size[0], 5U)
      << hunt.found["drawn steps, mechanical"].reproducer.words;
}

// What is not seen is written down as the ranges of the code.
TEST(Ranges, are_those_of_the_document) {
  std::ifstream document(LIVI_SOURCE_FOLDER "/docs/judge.md");
  std::ostringstream text;
  text << document.rdbuf();
  EXPECT_NE(text.str().find(table_of_drawn_ranges()), std::string::npos) << table_of_drawn_ranges();
  for (const WrongPlace& right : right_methods()) {
    if (right.kind == ProblemKind::body) continue;
    const DrawnRanges& ranges = *std::ranges::find(drawn_ranges(), right.kind, &DrawnRanges::kind);
    WrongSomewhere subject(right);
    DrawnSteps steps(subject, right.kind, 1);
    int least = ranges.coordinates, most = 0;
    for (int k = 0; k < 2000; ++k) {
      const int n = steps.problem_of(steps.draw()).size();
      least = std::min(least, n);
      most = std::max(most, n);
    }
    const std::string row =
        "| " + kind_name(right.kind) + " | " + std::to_string(least) + " to " + std::to_string(most) + " |";
    EXPECT_NE(table_of_drawn_ranges().find(row), std::string::npos) << row;
  }
}

}  // namespace judge_drawn_steps_test
