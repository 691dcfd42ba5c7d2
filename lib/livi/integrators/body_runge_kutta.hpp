// SPDX-License-Identifier: MIT
//
// Methods for rigid bodies that are *not* geometric: the controls of the battery. Both are of order four:
//
//   MatrixRungeKutta4       Kutta's method on the twelve numbers (Q, W); leaves SO(3)
//   RungeKuttaMuntheKaas4   Kutta's method for x in Q = Q_k tau(x), x' = dtau_x^-1 W (Munthe-Kaas 1998); stays on SO(3)
#pragma once

#include <livi/integrators/body_step.hpp>

namespace livi {

/// Kutta's method of order four for the entries of Q and W, which leaves SO(3).
template <class System>
class MatrixRungeKutta4 {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using state_type = BodyState<S>;

  explicit MatrixRungeKutta4(const System& system) : system_(&system) {}
  [[nodiscard]] state_type start(const Matrix3<S>& q, const Vector3<S>& w) const { return {q, w, system_->torque(q)}; }

  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2), sixth = h / S(6);
    const auto rate = [](const Matrix3<S>& q, const Vector3<S>& w) { return Matrix3<S>(q * so3::hat(w)); };
    const auto acceleration = [&](const Matrix3<S>& q, const Vector3<S>& w) {
      return system_->acceleration(w, system_->torque(q));
    };
    const Matrix3<S> q1 = rate(z.q, z.w);
    const Vector3<S> w1 = system_->acceleration(z.w, z.torque), v2 = z.w + half * w1;
    const Matrix3<S> p2 = z.q + half * q1, q2 = rate(p2, v2);
    const Vector3<S> w2 = acceleration(p2, v2), v3 = z.w + half * w2;
    const Matrix3<S> p3 = z.q + half * q2, q3 = rate(p3, v3);
    const Vector3<S> w3 = acceleration(p3, v3), v4 = z.w + h * w3;
    const Matrix3<S> p4 = z.q + h * q3, q4 = rate(p4, v4);
    const Vector3<S> w4 = acceleration(p4, v4);
    z.q += sixth * (q1 + S(2) * (q2 + q3) + q4);
    z.w += sixth * (w1 + S(2) * (w2 + w3) + w4);
    z.torque = system_->torque(z.q);
    return {};
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "MatrixRungeKutta4", .source = "Kutta 1901", .order = 4, .group = false, .cost = {.gradients = 4}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  WorkCounters work_;
};

/// Kutta's method of order four in the chart Q = Q_k tau(x) (Munthe-Kaas 1998), which stays on SO(3).
template <class System, class Map = so3::ExponentialMap>
class RungeKuttaMuntheKaas4 {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using state_type = BodyState<S>;

  explicit RungeKuttaMuntheKaas4(const System& system) : system_(&system) {}
  [[nodiscard]] state_type start(const Matrix3<S>& q, const Vector3<S>& w) const { return {q, w, system_->torque(q)}; }

  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2), sixth = h / S(6);
    const auto rate = [](const Vector3<S>& x, const Vector3<S>& w) {
      return Vector3<S>(Map::inverse_differential(x) * w);
    };
    const auto acceleration = [&](const Vector3<S>& x, const Vector3<S>& w) {
      return system_->acceleration(w, system_->torque(Matrix3<S>(z.q * Map::map(x))));
    };
    const Vector3<S>&x1 = z.w, w1 = system_->acceleration(z.w, z.torque), v2 = z.w + half * w1;
    const Vector3<S> y2 = half * x1, x2 = rate(y2, v2), w2 = acceleration(y2, v2), v3 = z.w + half * w2;
    const Vector3<S> y3 = half * x2, x3 = rate(y3, v3), w3 = acceleration(y3, v3), v4 = z.w + h * w3;
    const Vector3<S> y4 = h * x3, x4 = rate(y4, v4), w4 = acceleration(y4, v4);
    const Vector3<S> x = sixth * (x1 + S(2) * (x2 + x3) + x4);
    if (!Map::covers(x)) return {all_finite(x) ? Failure::outside_chart : Failure::not_finite, -1};
    z.q = z.q * Map::map(x);
    z.w += sixth * (w1 + S(2) * (w2 + w3) + w4);
    z.torque = system_->torque(z.q);
    return {};
  }

  [[nodiscard]] Properties declares() const {
    return {.name = std::string("RungeKuttaMuntheKaas4, ") + Map::name,
            .source = "Munthe-Kaas 1998",
            .order = 4,
            .cost = {.gradients = 4}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  WorkCounters work_;
};

}  // namespace livi
