// SPDX-License-Identifier: MIT
//
// Methods that stop an iteration at an absolute tolerance, or take a small motion for none, and do not declare it, by drawn steps.
#include <gtest/gtest.h>
#include <livi/judge/tests/drawn_steps.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "verification/judge/of_step.hpp"
#include "verification/judge/wrong_places.hpp"

namespace judge_stopping_methods_test {

using namespace livi;

constexpr std::array<std::uint64_t, 3> seeds{1, 2, 3};

void drift(Forces<double>& forces, TimedPoint<double>& z, double h) {
  const std::vector<double> v = forces.velocity(z.p);
  for (std::size_t i = 0; i < v.size(); ++i) z.q[i] += h * v[i];
}

/// The implicit midpoint rule, whose iteration stops where its last change is at most `stop`: Newton's, as is usual, or the fixed point's.
Step stopping_midpoint(double stop, bool by_newton) {
  return [=](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const std::size_t n = z.q.size();
    std::vector<double> x = z.q;  // q at h/2
    for (int k = 0; k < 60; ++k) {
      const std::vector<double> g = forces.gradient(z.t + h / 2, x), v = forces.velocity(z.p);
      std::vector<double> change(n), matrix(n * n);
      for (std::size_t i = 0; i < n; ++i)
        change[i] = z.q[i] + h / 2 * (v[i] - h / 2 * g[i] / forces.problem().masses[i]) - x[i];
      if (by_newton) {
        const std::vector<double> second = forces.hessian(z.t + h / 2, x);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            matrix[i * n + j] = (i == j ? 1 : 0) + h * h / 4 * second[i * n + j] / forces.problem().masses[i];
        foreign_detail::solve_in_place(matrix, change);
      }
      double largest = 0;
      for (std::size_t i = 0; i < n; ++i) {
        largest = std::max(largest, std::abs(change[i]) / std::max(1.0, std::abs(x[i])));
        x[i] += change[i];
      }
      if (largest <= stop) break;
    }
    const std::vector<double> g = forces.gradient(z.t + h / 2, x);
    for (std::size_t i = 0; i < n; ++i) {
      z.q[i] = 2 * x[i] - z.q[i];
      z.p[i] -= h * g[i];
    }
  };
}

/// Verlet, which keeps forces, also from step to step, until a position has moved by more than a tolerance, as ASE does with 1e-15.
Step verlet_with_old_forces(double tolerance) {
  struct Kept {
    std::vector<double> at, gradient, end;
  };
  return [tolerance, kept = std::make_shared<Kept>()](Forces<double>& forces, TimedPoint<double>& z, double h) {
    const auto gradient = [&] {
      if (kept->at.empty() || foreign_detail::largest_difference(kept->at, z.q) > tolerance) {
        kept->at = z.q;
        kept->gradient = forces.gradient(z.t, z.q);
      }
      return kept->gradient;
    };
    if (kept->end != z.q) kept->at.clear();  // another start
    for (const bool is_last : {false, true}) {
      const std::vector<double> g = gradient();
      for (std::size_t i = 0; i < z.p.size(); ++i) z.p[i] -= h / 2 * g[i];
      if (!is_last) drift(forces, z, h);
    }
    kept->end = z.q;
  };
}

TEST(RightMethods, that_keep_forces_where_nothing_moves_are_told_to_declare_a_tolerance) {
  for (const double tolerance : {1e-16, 1e-15}) {
    OfStepSubject subject(verlet_with_old_forces(tolerance), {});
    ForeignDeclaration declares;
    declares.tolerance = tolerance;
    OfStepSubject declared(verlet_with_old_forces(tolerance), declares);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Measured measured = drawn_steps(subject, ProblemKind::mechanical, seed, 0.25);
      EXPECT_TRUE(std::isnan(measured.value)) << tolerance << ", seed " << seed << ": " << measured.note;
      EXPECT_NE(measured.note.find("declares it"), std::string::npos) << measured.note;
      EXPECT_LE(drawn_steps(declared, ProblemKind::mechanical, seed, 0.25).value, 1) << tolerance << ", seed " << seed;
    }
  }
}

/// Expects that methods that stop at a tolerance are not refuted, and that at least half of the seeds tell to declare it.
void expect_told_to_declare(std::uint64_t count, std::uint64_t of_all_draws) {
  for (const double stop : {1e-15, 1e-12, 1e-9})
    for (const bool by_newton : {false, true}) {
      OfStepSubject subject(stopping_midpoint(stop, by_newton), {});
      std::uint64_t undecided = 0;
      for (std::uint64_t seed = 1; seed <= count; ++seed) {
        const Measured measured =
            drawn_steps(subject, ProblemKind::mechanical, seed == 1 ? 20140825 : seed, seed <= of_all_draws ? 1 : 0.25);
        EXPECT_FALSE(measured.value > 1) << stop << ", Newton " << by_newton << ", seed " << seed << ": "
                                         << measured.note;
        undecided += measured.note.find("declares it") != std::string::npos ? 1 : 0;
      }
      EXPECT_GE(2 * undecided, count) << stop << ", Newton " << by_newton;
    }
}

TEST(RightMethods, that_stop_at_an_absolute_tolerance_are_told_to_declare_it) { expect_told_to_declare(8, 1); }
TEST(RightMethods, that_stop_at_an_absolute_tolerance_are_told_to_declare_it_with_forty_seeds) {
  expect_told_to_declare(40, 5);
}

/// Returns what the judge measures of a method that is wrong where positions are below a limit.
Measured measured_below(double limit, Mistake mistake, std::uint64_t seed) {
  WrongSomewhere subject({ProblemKind::mechanical, "|q| below a limit", mistake,
                          [limit](const StepPlace& at) { return at.q < limit && at.q > 0; }});
  return drawn_steps(subject, ProblemKind::mechanical, seed, 1);
}
constexpr std::array kinds_of_mistake{Mistake::still, Mistake::longer, Mistake::force};

// A mistake where sizes are small is no tolerance.
TEST(WrongMethods, that_are_wrong_in_small_sizes_are_refuted) {
  for (const double limit : {1e-6, 1e-9, 1e-12})
    for (const Mistake mistake : kinds_of_mistake)
      for (const std::uint64_t seed : seeds) {
        const Measured measured = measured_below(limit, mistake, seed);
        EXPECT_GT(measured.value, 1) << limit << ": " << measured.note;
      }
}

// Below 2^-49 it may be one.
TEST(WrongMethods, that_are_wrong_where_bodies_hardly_move_are_not_confirmed) {
  for (const Mistake mistake : kinds_of_mistake)
    for (const std::uint64_t seed : seeds) {
      const Measured measured = measured_below(1e-20, mistake, seed);
      EXPECT_FALSE(measured.value <= 1) << measured.note;
    }
}

}  // namespace judge_stopping_methods_test
