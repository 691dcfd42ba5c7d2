// SPDX-License-Identifier: MIT
//
// The pendulum on the sphere under noise: energy less the work of the noise, projection onto levels of the energy, and steps that do not exist.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <livi/linalg/gaussian_elimination.hpp>
#include <livi/stochastic/brownian_path.hpp>
#include <livi/stochastic/projected_methods.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>
#include <numbers>
#include <utility>
#include <vector>

#include "study/models/sphere_ensembles.hpp"
#include "study/statistics/energy_drift.hpp"

namespace livi::energy_balance {

using sphere::Problem, sphere::Space;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

inline double energy(const Space& q, const Space& p) { return p.squaredNorm() / 2 + q(2); }

inline long steps_to(double time, double h) { return std::lround(time / h); }

/// The energy less the work of the noise on a path: the change between smooth means over the first and the last tenth; and
/// the largest |L_z - (torque of the kicks)|.
struct LessWork {
  double change = not_a_number, momentum = not_a_number;
};

enum class Work { of_kicks, of_mean_velocity };

/// `work_of` is the gradient along which the work is taken; equal to that of the noise unless something is wrong.
template <class Method>
LessWork energy_less_work(Method method, const Problem& problem, const Space& work_of, Work kind,
                          sphere::Increments increments, double h, long steps) {
  auto z = method.start(problem.q, problem.v);
  const double initial = energy(z.q, z.v);
  const auto l_z = [](const Space& q, const Space& p) { return q(0) * p(1) - q(1) * p(0); };
  const auto tangential_square = [](const Space& q, const Space& b) { return b.squaredNorm() - q.dot(b) * q.dot(b); };
  const double initial_l_z = l_z(z.q, z.v);
  const long tenth = steps / 10;
  const std::vector<double> weights = smooth_weights(tenth);
  double work = 0, torque = 0, first = 0, last = 0, momentum = 0;
  for (long k = 0; k < steps; ++k) {
    const StepNoise<double> noises = increments(static_cast<std::uint64_t>(k), h);
    const Space b = noises[0].increment * work_of, before = z.v;
    if (kind == Work::of_kicks) {
      work += z.v.dot(b / 2) + tangential_square(z.q, b / 2) / 2;
      torque += l_z(z.q, b / 2);
    }
    if (!method.step(z, h, noises).ok()) return {};
    if (kind == Work::of_kicks) {
      work += z.v.dot(b / 2) - tangential_square(z.q, b / 2) / 2;
      torque += l_z(z.q, b / 2);
    } else {
      work += (before + z.v).dot(b) / 2;
    }
    momentum = std::max(momentum, std::abs(l_z(z.q, z.v) - initial_l_z - torque));
    const double less = energy(z.q, z.v) - initial - work;
    if (k < tenth) first += weights[static_cast<std::size_t>(k)] * less;
    if (k >= steps - tenth) last += weights[static_cast<std::size_t>(k - (steps - tenth))] * less;
  }
  return {last - first, momentum};
}

/// Moves (q, p) to the constraint, its tangent space, and the levels of H and L_z, along the gradients of all four, by Newton's
/// method; false if it does not converge to 1e-13.
inline bool project_onto_levels(Space& q, Space& p, double h_level, double l_level) {
  for (int iteration = 0; iteration < 50; ++iteration) {
    Matrix<double, 4, 6> gradients = zeros<Matrix<double, 4, 6>>();
    Vector<double, 4> defect((q.squaredNorm() - 1) / 2, q.dot(p), energy(q, p) - h_level,
                             q(0) * p(1) - q(1) * p(0) - l_level);
    if (max_magnitude(defect) < 1e-13) return true;
    for (int i = 0; i < 3; ++i) {
      gradients(0, i) = q(i);
      gradients(1, i) = p(i);
      gradients(1, i + 3) = q(i);
      gradients(2, i + 3) = p(i);
    }
    gradients(2, 2) = 1;
    gradients(3, 0) = p(1);
    gradients(3, 1) = -p(0);
    gradients(3, 3) = -q(1);
    gradients(3, 4) = q(0);
    GaussianElimination<double, 4> solver;
    if (solver.factor(gradients * gradients.transpose()).singular) return false;
    solver.solve_in_place(defect);
    const Vector<double, 6> move = gradients.transpose() * defect;
    q -= move.head<3>();
    p -= move.tail<3>();
    if (!all_finite(q)) return false;
  }
  return false;
}

enum class Levels { none, of_the_start, with_work };

/// The energy at T of projected Heun's method, projected onto levels; not a number if a step or a projection fails.
inline double energy_of_projected(const Problem& problem, const BrownianPath& path, int level, Levels levels) {
  ProjectedHeun method(problem.system);
  auto z = method.start(problem.q, problem.v);
  double h_level = energy(z.q, z.v), l_level = z.q(0) * z.v(1) - z.q(1) * z.v(0);
  const double amplitude = problem.system.noise().forces(0, 0);
  for (std::uint64_t k = 0; k < std::uint64_t{1} << level; ++k) {
    const BrownianIntegrals noises[3]{path.over(0, level, k), {}, {}};
    const auto before = z;
    if (!method.step(z, path.step(level), noises).ok()) return not_a_number;
    if (levels == Levels::none) continue;
    if (levels == Levels::with_work) {
      h_level += amplitude * noises[0].increment * (before.v(0) + z.v(0)) / 2;
      l_level -= amplitude * noises[0].increment * (before.q(1) + z.q(1)) / 2;
    }
    if (!project_onto_levels(z.q, z.v, h_level, l_level)) return not_a_number;
  }
  return energy(z.q, z.v);
}
/// That of RATTLE, and the martingale (1).
inline std::pair<double, double> energy_of_rattle(const Problem& problem, const BrownianPath& path, int level) {
  StochasticRattle method(problem.system, NoiseWeights::integrals);
  auto z = method.start(problem.q, problem.v);
  double martingale = 0;
  for (std::uint64_t k = 0; k < std::uint64_t{1} << level; ++k) {
    const BrownianIntegrals noises[3]{path.over(0, level, k), {}, {}};
    martingale += z.v.dot(sphere::impulse(problem.system, noises));
    if (!method.step(z, path.step(level), noises).ok()) return {not_a_number, not_a_number};
  }
  return {energy(z.q, z.v), martingale};
}

/// The largest change of a function of the state over T = 200.
template <class Function>
double largest_change(const Problem& problem, double h, const Function& f) {
  StochasticRattle method(problem.system);
  auto z = method.start(problem.q, problem.v);
  const double first = f(h, z.q, z.v);
  double largest = 0;
  for (long k = 0; k < steps_to(200, h); ++k) {
    if (!method.step(z, h).ok()) return not_a_number;
    largest = std::max(largest, std::abs(f(h, z.q, z.v) - first));
  }
  return largest;
}

/// The end of the motion on the cylinder at t = 1 from q and v, in the angle a about its axis and z, with V = cos a z + z^2/2:
/// the classical Runge-Kutta method.
inline PhaseState<double, 3> motion_on_cylinder(const Space& q, const Space& v, int steps) {
  using Flat = Vector<double, 4>;  // a, z and their rates
  const auto rate = [](const Flat& y) { return Flat(y(2), y(3), std::sin(y(0)) * y(1), -std::cos(y(0)) - y(1)); };
  Flat y(std::atan2(q(1), q(0)), q(2), q(0) * v(1) - q(1) * v(0), v(2));
  const double h = 1.0 / steps;
  for (int k = 0; k < steps; ++k) {
    const Flat f1 = rate(y), f2 = rate(y + h / 2 * f1), f3 = rate(y + h / 2 * f2), f4 = rate(y + h * f3);
    y += h / 6 * (f1 + 2 * f2 + 2 * f3 + f4);
  }
  const double c = std::cos(y(0)), s = std::sin(y(0));
  return {Space(c, s, y(1)), Space(-s * y(2), c * y(2), y(3))};
}

/// The probability that |m + s xi| > r in the plane, |m| = mean, with two normal numbers xi: by the trapezoidal rule in
/// x = r sin u along m.
inline double probability_beyond(double mean, double s, double r) {
  constexpr int n = 20000;
  double inside = 0;
  for (int k = 1; k < n; ++k) {
    const double u = std::numbers::pi * (static_cast<double>(k) / n - 0.5), x = r * std::sin(u), y = r * std::cos(u);
    const double density = std::exp(-(x - mean) * (x - mean) / (2 * s * s)) / (s * std::sqrt(2 * std::numbers::pi));
    inside += density * std::erf(y / (s * std::sqrt(2.0))) * y * std::numbers::pi / n;
  }
  return 1 - inside;
}

/// Counts of single steps from tangential p of length 0.95/h.
struct Counts {
  long none = 0, beyond = 0, beyond_in_space = 0, truncated = 0, halved = 0;
};

inline constexpr double sigma = 0.5;

inline Counts count_steps(double h, std::uint64_t first, std::uint64_t count) {
  const Problem problem = sphere::pendulum(sigma, sigma, sigma);
  StochasticRattle method(problem.system, NoiseWeights::increments);
  const Space p = (0.95 / h) * problem.v / problem.v.norm();
  const auto start = method.start(problem.q, p);
  Counts found;
  for (std::uint64_t number = first; number < first + count; ++number) {
    double xi[6];
    NormalNumbers(41, number)(0, 0, xi, 6);
    NoiseIntegrals<double> noises[3], cut[3], halves[2][3];
    Space impulse = p - h / 2 * Space(0, 0, 1);
    for (int i = 0; i < 3; ++i) {
      // The increment is the sum of those of two halves.
      const double a = std::sqrt(h / 2) * xi[i], b = std::sqrt(h / 2) * xi[i + 3];
      noises[i].increment = a + b;
      cut[i].increment = truncated(a + b, h, 2);
      halves[0][i].increment = a;
      halves[1][i].increment = b;
      impulse(i) += sigma * (a + b) / 2;
    }
    const double normal = impulse.dot(problem.q);
    if (h * std::sqrt(impulse.squaredNorm() - normal * normal) > 1) ++found.beyond;
    if (h * impulse.norm() > 1) ++found.beyond_in_space;
    auto z = start;
    if (!method.step(z, h, noises).ok()) ++found.none;
    z = start;
    if (!method.step(z, h, cut).ok()) ++found.truncated;
    z = start;
    if (!method.step(z, h / 2, halves[0]).ok() || !method.step(z, h / 2, halves[1]).ok()) ++found.halved;
  }
  return found;
}

/// The time to the first step that does not exist; infinite if there is none up to `limit`.
inline double time_to_end(const Problem& problem, std::uint64_t seed, std::uint64_t path, double h, double limit,
                          bool keep_speed) {
  StochasticRattle method(problem.system, NoiseWeights::increments);
  auto z = method.start(problem.q, problem.v);
  sphere::Increments increments(seed, path);
  for (long k = 0; static_cast<double>(k) * h < limit; ++k) {
    if (!method.step(z, h, increments(static_cast<std::uint64_t>(k), h)).ok()) return static_cast<double>(k) * h;
    if (keep_speed) z.v *= problem.v.norm() / z.v.norm();
  }
  return infinity;
}

}  // namespace livi::energy_balance
