// SPDX-License-Identifier: MIT
//
// What the programs about BO07 measure on: the pendulum on the unit sphere and the double pendulum in space with a full mass,
// with noise and random states of their phase spaces.
#pragma once

#include <livi/linalg/normal_numbers.hpp>
#include <livi/stochastic/noise_integrals.hpp>
#include <livi/systems/stochastic_problems.hpp>

#include "study/statistics/fitted_line.hpp"

namespace livi::constrained_states {

/// Noise potentials x y/2 and x/2 + z^2/4, whose forces depend on the position.
template <class S>
QuadraticNoise<S, 3> quadratic_noise() {
  QuadraticNoise<S, 3> noise;
  noise.terms.resize(2, {zeros<Vector<S, 3>>(), zeros<Matrix<S, 3>>()});
  noise.terms[0].matrix(0, 1) = noise.terms[0].matrix(1, 0) = ratio<S>(1, 2);
  noise.terms[1].matrix(2, 2) = noise.terms[1].force(0) = ratio<S>(1, 2);
  return noise;
}

/// The unit sphere: M = I, V = z, two noises. `draw` returns a random state of this speed.
struct Sphere {
  static constexpr int dimension = 3;
  template <class S>
  static auto problem() {
    return sphere_pendulum<S>(quadratic_noise<S>());
  }
  template <class S>
  static PhaseState<S, 3> draw(std::uint64_t number, const S& speed);
};
/// Two bobs on heavy rods of length 1 and 2, one noise along x on the first bob, one along z on the second. `draw` returns a
/// random state in which no bob is faster than `speed`: both rods turn with a third of it.
struct DoubleSphere {
  static constexpr int dimension = 6;
  template <class S>
  static auto problem() {
    return double_sphere_pendulum<S>(coordinate_noise<S, 6>(ratio<S>(1, 2), std::array{0, 5}));
  }
  template <class S>
  static PhaseState<S, 6> draw(std::uint64_t number, const S& speed);
};

/// A random direction and one that is orthogonal to it, of length one, made of normal numbers.
template <class S>
std::array<Vector<S, 3>, 2> orthogonal_directions(std::uint64_t number, std::uint64_t draw) {
  double xi[6];
  NormalNumbers(7)(number, draw, xi, 6);
  Vector<S, 3> a{S(xi[0]), S(xi[1]), S(xi[2])}, b{S(xi[3]), S(xi[4]), S(xi[5])};
  using std::sqrt;
  a /= S(sqrt(S(a.dot(a))));
  b -= S(a.dot(b)) * a;
  b /= S(sqrt(S(b.dot(b))));
  return {a, b};
}
template <class S>
PhaseState<S, 3> Sphere::draw(std::uint64_t number, const S& speed) {
  const auto [along, across] = orthogonal_directions<S>(number, 0);
  return {along, speed * across};
}
template <class S>
PhaseState<S, 6> DoubleSphere::draw(std::uint64_t number, const S& speed) {
  const auto [first, first_rate] = orthogonal_directions<S>(number, 0);
  const auto [second, second_rate] = orthogonal_directions<S>(number, 1);
  PhaseState<S, 6> z{zeros<Vector<S, 6>>(), zeros<Vector<S, 6>>()};
  z.q.head(3) = first;
  z.q.tail(3) = first + S(2) * second;
  const S rate = speed / S(3);
  z.v.head(3) = rate * first_rate;
  z.v.tail(3) = rate * (first_rate + S(2) * second_rate);
  return z;
}

/// Returns random integrals of each noise over step number `step` of length h.
template <class S>
std::vector<NoiseIntegrals<S>> random_noise(std::size_t count, std::uint64_t number, std::uint64_t step, double h) {
  std::vector<NoiseIntegrals<S>> noises;
  for (std::size_t i = 0; i < count; ++i) {
    double xi[2];
    NormalNumbers(8, number)(step, i, xi, 2);
    const double increment = std::sqrt(h) * xi[0], zeta = std::sqrt(h * h * h / 12) * xi[1];
    noises.push_back(NoiseIntegrals<double>{increment, zeta + h * increment / 2, 0}.cast<S>());
  }
  return noises;
}

/// Returns where the pendulum on the sphere, without noise, is at T = 1 from its start: on the unit sphere the multiplier is
/// known, dv/dt = F - (q . F + |v|^2) q. By the classical method of order four in 4096 steps, whose error is a rounding or two
/// of each step, 1e-13 at most.
inline PhaseState<double, 3> sphere_pendulum_after_one() {
  using V = Vector<double, 3>;
  const auto problem = Sphere::problem<double>();
  const V force(0, 0, -1);
  const auto acceleration = [&](const V& q, const V& v) { return V(force - (q.dot(force) + v.dot(v)) * q); };
  PhaseState<double, 3> z{problem.q, problem.v};
  constexpr int steps = 4096;
  constexpr double h = 1.0 / steps;
  for (int k = 0; k < steps; ++k) {
    const V v1 = z.v, a1 = acceleration(z.q, v1), v2 = z.v + h / 2 * a1, a2 = acceleration(z.q + h / 2 * v1, v2),
            v3 = z.v + h / 2 * a2, a3 = acceleration(z.q + h / 2 * v2, v3), v4 = z.v + h * a3,
            a4 = acceleration(z.q + h * v3, v4);
    z.q += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    z.v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return z;
}

/// The exponents of h in the errors of q and v after T = 1.
struct Orders {
  double q = 0, v = 0;
  /// Returns the one that is farther from a number.
  [[nodiscard]] double farther_from(double order) const { return std::abs(q - order) < std::abs(v - order) ? v : q; }
};
/// `make(system)` makes the method; `problem` starts where sphere_pendulum_after_one() does. NaN if a step fails.
template <class Make, class Problem>
Orders orders_on_the_sphere(const Make& make, const Problem& problem, const std::vector<int>& steps) {
  const PhaseState<double, 3> exact = sphere_pendulum_after_one();
  std::vector<double> h, of_q, of_v;
  for (const int n : steps) {
    auto method = make(problem.system);
    auto z = method.start(problem.q, problem.v);
    bool ok = true;
    for (int k = 0; k < n; ++k) ok = ok && method.step(z, 1.0 / n).ok();
    const double lost = std::numeric_limits<double>::quiet_NaN();
    h.push_back(1.0 / n);
    of_q.push_back(ok ? (z.q - exact.q).norm() : lost);
    of_v.push_back(ok ? (z.v - exact.v).norm() : lost);
  }
  return {fitted_power(h, of_q).slope, fitted_power(h, of_v).slope};
}

}  // namespace livi::constrained_states
