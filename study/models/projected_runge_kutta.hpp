// SPDX-License-Identifier: MIT
#pragma once

#include "study/models/sphere_ensembles.hpp"

namespace livi::sphere {

/// The classical method of Runge and Kutta for q' = v, v' = -grad U + q (q.grad U - |v|^2) on the unit sphere, U = z, projected
/// after each step. Under noise a kick by half the projected increments comes before it and another after it: weak order two.
/// It is not symplectic: a turn by the small angle a = h |v| multiplies |v|^2 by 1 + a^6/36.
class ProjectedRungeKutta4 {
 public:
  struct state_type {
    Space q, v;
  };
  /// Without noise.
  ProjectedRungeKutta4() : system_(nullptr) {}
  explicit ProjectedRungeKutta4(const System& system) : system_(&system) {}

  [[nodiscard]] static state_type start(const Space& q, const Space& v) { return {q, v}; }
  static StepOutcome step(state_type& z, double h) {
    const auto acceleration = [](const Space& q, const Space& v) -> Space {
      return q * (q(2) - v.squaredNorm()) - Space(0, 0, 1);
    };
    const Space a1 = acceleration(z.q, z.v), v2 = z.v + h / 2 * a1;
    const Space a2 = acceleration(z.q + h / 2 * z.v, v2), v3 = z.v + h / 2 * a2;
    const Space a3 = acceleration(z.q + h / 2 * v2, v3), v4 = z.v + h * a3;
    const Space a4 = acceleration(z.q + h * v3, v4);
    z.q += h / 6 * (z.v + 2 * v2 + 2 * v3 + v4);
    z.v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    z.q /= z.q.norm();
    z.v -= z.q.dot(z.v) * z.q;
    return {};
  }
  StepOutcome step(state_type& z, double h, StepNoise<double> noises) const {
    const Space half = impulse(*system_, noises) / 2;
    z.v += half - z.q.dot(half) * z.q;
    static_cast<void>(step(z, h));
    z.v += half - z.q.dot(half) * z.q;
    return {};
  }

 private:
  const System* system_;
};

}  // namespace livi::sphere
