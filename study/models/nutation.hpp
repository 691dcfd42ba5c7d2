// SPDX-License-Identifier: MIT
//
// The pendulum on the sphere without noise: its exact nutation, and what a long run of a method says of its statistics.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "study/models/sphere_ensembles.hpp"

namespace livi::on_manifolds {

using sphere::Problem, sphere::Space;

/// The motion of the pendulum from its start: energy, L_z, the roots of f.
class Nutation {
 public:
  explicit Nutation(const Problem& problem)
      : energy_(problem.v.squaredNorm() / 2 + problem.q(2)),
        momentum_(problem.q(0) * problem.v(1) - problem.q(1) * problem.v(0)) {
    // f is negative at -1 and 1 and positive at the start.
    low_ = root(-1, problem.q(2));
    high_ = root(1, problem.q(2));
  }
  /// f(z) and its derivative.
  [[nodiscard]] double f(double z) const { return 2 * (energy_ - z) * (1 - z * z) - momentum_ * momentum_; }
  [[nodiscard]] double slope(double z) const { return -2 * (1 - z * z) - 4 * z * (energy_ - z); }
  [[nodiscard]] double mean_kinetic_energy() const {
    // The roots add up to E.
    const double third = energy_ - low_ - high_;
    double time = 0, of_z = 0;
    constexpr int angles = 200;
    for (int k = 0; k < angles; ++k) {
      const double z = (low_ + high_) / 2 + (high_ - low_) / 2 * std::cos(std::numbers::pi * (k + 0.5) / angles);
      time += 1 / std::sqrt(third - z);
      of_z += z / std::sqrt(third - z);
    }
    return energy_ - of_z / time;
  }
  /// The distance of a point of the section from its curve, to first order, in units of the curve's height.
  [[nodiscard]] double distance(double z, double rate) const {
    return std::abs(rate * rate - f(z)) / std::hypot(2 * rate, slope(z)) / (high_ - low_);
  }

 private:
  /// The root between `outside`, where f is negative, and `inside`.
  [[nodiscard]] double root(double outside, double inside) const {
    for (int k = 0; k < 200; ++k) (f((outside + inside) / 2) < 0 ? outside : inside) = (outside + inside) / 2;
    return inside;
  }
  double energy_, momentum_, low_ = 0, high_ = 0;
};

/// What a run without noise finds: parts that the mean kinetic energy is off, and the largest distance of points of the section
/// in the last tenth. Not numbers if a step fails, or if the last tenth has no point.
struct Statistics {
  double kinetic = not_a_number, section = not_a_number;
  long points = 0;
  [[nodiscard]] double worst() const {
    return std::isnan(kinetic) || std::isnan(section) ? not_a_number : std::max(kinetic, section);
  }
};

template <class Method>
Statistics statistics_of(Method method, const Problem& problem, double h, long steps) {
  const Nutation nutation(problem);
  auto z = method.start(problem.q, problem.v);
  Statistics found;
  double kinetic = 0, largest = 0;
  for (long k = 0; k < steps; ++k) {
    kinetic += z.v.squaredNorm() / 2 / static_cast<double>(steps);
    const auto before = z;
    if (!method.step(z, h).ok()) return {};
    if (k < steps - steps / 10 || !(before.q(1) < 0 && z.q(1) >= 0 && z.q(0) > 0)) continue;
    // The part of a step that ends at y = 0, by secants.
    auto point = before;
    double part = h * before.q(1) / (before.q(1) - z.q(1)), last_part = h, last_y = z.q(1);
    for (int iteration = 0; iteration < 20; ++iteration) {
      point = before;
      if (!method.step(point, part).ok()) return {};
      const double y = point.q(1), next = part - y * (part - last_part) / (y - last_y);
      if (std::abs(y) < 1e-14) break;
      last_part = part, last_y = y;
      part = next;
    }
    largest = std::max(largest, nutation.distance(point.q(2), point.v(2)));
    ++found.points;
  }
  if (found.points == 0) return {};
  found.kinetic = std::abs(kinetic / nutation.mean_kinetic_energy() - 1);
  found.section = largest;
  return found;
}

}  // namespace livi::on_manifolds
