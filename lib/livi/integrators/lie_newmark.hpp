// SPDX-License-Identifier: MIT
//
// The semi-explicit Lie-Newmark method (NMB) of Simo and Vu-Quoc, BOS09 (4)-(6), with tau = cay:
//
//   W_{k+1/2} = W_k + h/2 I^-1 (I W_k x W_k + tau(Q_k))                                    (4)
//   Q_{k+1} = Q_k cay(h W_{k+1/2})                                                         (5)
//   W_{k+1} = W_{k+1/2} + h/2 I^-1 (I W_{k+1} x W_{k+1} + tau(Q_{k+1}))                    (6)
//
// or with the exponential map in (5). Only (6) is implicit, in W_{k+1} alone, so there is one torque per step.
// Symmetric, of order two; neither symplectic nor conjugate symplectic (the counterexample of BOS09). W follows the
// trapezoidal rule, which on the free body is conjugate to the midpoint rule: |I W| is nearly, not exactly, conserved.
#pragma once

#include <livi/integrators/body_step.hpp>

namespace livi {

/// The semi-explicit Lie-Newmark method, BOS09 (4)-(6): order two, symmetric, not symplectic.
template <class System, class Map = so3::CayleyMap>
class LieNewmark {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using state_type = BodyState<S>;

  explicit LieNewmark(const System& system, NewtonOptions<S> newton = {}) : system_(&system), newton_(newton) {
    newton_.validate();
  }

  [[nodiscard]] state_type start(const Matrix3<S>& q, const Vector3<S>& w) const { return {q, w, system_->torque(q)}; }

  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2);
    const Vector3<S> middle = z.w + half * system_->acceleration(z.w, z.torque), x = h * middle;
    if (!Map::covers(x)) return {all_finite(x) ? Failure::outside_chart : Failure::not_finite, -1};
    z.q = z.q * Map::map(x);
    z.torque = system_->torque(z.q);
    const Vector3<S> known = system_->momentum(middle) + half * z.torque;
    z.w = middle + half * system_->acceleration(middle, z.torque);  // the guess is off by O(h^2)
    return solve_in_three_unknowns<S>(
        z.w, max_magnitude(known), newton_, work_,
        [&](const Vector3<S>& w) {
          const Vector3<S> mu = system_->momentum(w);
          return Vector3<S>(mu - half * cross(mu, w) - known);
        },
        [&](const Vector3<S>& w) {
          // I - h/2 (hat(I W) - hat(W) I)
          Matrix3<S> kinetic = half * so3::hat(w);
          for (int i = 0; i < 3; ++i) kinetic(i, i) = S(1);
          return Matrix3<S>(system_->times_inertia(kinetic) - half * so3::hat(system_->momentum(w)));
        });
  }

  [[nodiscard]] Properties declares() const {
    return {.name = std::string("LieNewmark, ") + Map::name,
            .source = "Simo and Vu-Quoc 1988; BOS09 (4)-(6)",
            .order = 2,
            .symmetric = true,
            .rational = false,
            .cost = {.gradients = 1}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  NewtonOptions<S> newton_;
  WorkCounters work_;
};

}  // namespace livi
