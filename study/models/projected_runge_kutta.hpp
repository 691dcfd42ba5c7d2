// SPDX-License-Identifier: MIT
#pragma once

#include "study/models/sphere_ensembles.hpp"

namespace livi::sphere {

/// U = z on the unit sphere: v' = -grad U + q (q.grad U - |v|^2).
struct MotionOnSphere {
  static Space acceleration(const Space& q, const Space& v) { return q * (q(2) - v.squaredNorm()) - Space(0, 0, 1); }
  static double normal_part(const Space& q, const Space& a) { return q.dot(a); }
  static Space normal(const Space& q) { return q; }
  static void project(Space& q, Space& v) {
    q /= q.norm();
    v -= q.dot(v) * q;
  }
};
/// U = x z + z^2/2 on the unit cylinder x^2 + y^2 = 1: the same of the first two components.
struct MotionOnCylinder {
  static Space acceleration(const Space& q, const Space& v) {
    const Space force(-q(2), 0, -q(0) - q(2));
    return force - (normal_part(q, force) + v(0) * v(0) + v(1) * v(1)) * normal(q);
  }
  static double normal_part(const Space& q, const Space& a) { return q(0) * a(0) + q(1) * a(1); }
  static Space normal(const Space& q) { return {q(0), q(1), 0}; }
  static void project(Space& q, Space& v) {
    const double radius = std::hypot(q(0), q(1));
    q(0) /= radius, q(1) /= radius;
    v -= normal_part(q, v) * normal(q);
  }
};

/// The classical method of Runge and Kutta for q' = v with the acceleration of a motion, projected
/// after each step. Under noise a kick by half the projected increments comes before it and another after it: weak order two.
/// It is not symplectic: a turn by the small angle a = h |v| multiplies |v|^2 by 1 + a^6/36.
template <class Motion, class System>
class ProjectedClassicalMethod {
 public:
  struct state_type {
    Space q, v;
  };
  /// Without noise.
  ProjectedClassicalMethod() : system_(nullptr) {}
  explicit ProjectedClassicalMethod(const System& system) : system_(&system) {}

  [[nodiscard]] static state_type start(const Space& q, const Space& v) { return {q, v}; }
  static StepOutcome step(state_type& z, double h) {
    const auto acceleration = [](const Space& q, const Space& v) { return Motion::acceleration(q, v); };
    const Space a1 = acceleration(z.q, z.v), v2 = z.v + h / 2 * a1;
    const Space a2 = acceleration(z.q + h / 2 * z.v, v2), v3 = z.v + h / 2 * a2;
    const Space a3 = acceleration(z.q + h / 2 * v2, v3), v4 = z.v + h * a3;
    const Space a4 = acceleration(z.q + h * v3, v4);
    z.q += h / 6 * (z.v + 2 * v2 + 2 * v3 + v4);
    z.v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    Motion::project(z.q, z.v);
    return {};
  }
  StepOutcome step(state_type& z, double h, StepNoise<double> noises) const {
    const Space half = impulse(*system_, noises) / 2;
    kick(z, half);
    static_cast<void>(step(z, h));
    kick(z, half);
    return {};
  }

 private:
  static void kick(state_type& z, const Space& a) { z.v += a - Motion::normal_part(z.q, a) * Motion::normal(z.q); }

  const System* system_;
};
using ProjectedRungeKutta4 = ProjectedClassicalMethod<MotionOnSphere, System>;

/// The cylinder with the noises of the sphere.
using CylinderSystem = CylinderPendulum<double, Noise>;
using CylinderProblem = StochasticProblem<CylinderSystem>;
using ProjectedRungeKutta4OnCylinder = ProjectedClassicalMethod<MotionOnCylinder, CylinderSystem>;

}  // namespace livi::sphere
