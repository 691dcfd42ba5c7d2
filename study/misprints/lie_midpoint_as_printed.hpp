// SPDX-License-Identifier: MIT
//
// The explicit Lie-midpoint method BOS09 (13)-(18), also with the index that (18) prints.
#pragma once

#include <livi/integrators/body_step.hpp>

namespace livi::misprints {

/// (13)-(18) with a choice of the rotation in (18), which is printed with the index of the step's start.
enum class LastTurn { corrected, previous, first_half };
template <class System>
class WrittenMidpoint {
 public:
  using S = ScalarOf<System>;
  struct state_type {
    Matrix3<S> q;
    Vector3<S> w, theta;
  };
  WrittenMidpoint(const System& system, LastTurn last) : system_(&system), last_(last) {}
  [[nodiscard]] state_type start(const Matrix3<S>& q, const Vector3<S>& w) const {
    return {q, w, Vector3<S>::Constant(S(0))};
  }
  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2);
    Vector3<S> mu = system_->momentum(z.w) + half * system_->torque(z.q);
    const Vector3<S> first = solve(mu, half);
    z.q = z.q * so3::exp(first);
    mu = so3::exp(first).transpose() * mu;
    const Vector3<S> second = solve(mu, half);
    z.q = z.q * so3::exp(second);
    const Vector3<S>& turn = last_ == LastTurn::corrected ? second : last_ == LastTurn::previous ? z.theta : first;
    z.w = system_->velocity(so3::exp(turn).transpose() * mu + half * system_->torque(z.q));
    z.theta = second;
    return {};
  }
  /// The first-order Lie-midpoint method: a kick and (13)-(15), for a step of h/2.
  void half_step(Matrix3<S>& q, Vector3<S>& mu, const S& half) const {
    mu += half * system_->torque(q);
    const Vector3<S> theta = solve(mu, half);
    q = q * so3::exp(theta);
    mu = so3::exp(theta).transpose() * mu;
  }

 private:
  /// Theta = half I^-1 exp(-Theta/2) mu by iteration, a contraction for these steps.
  Vector3<S> solve(const Vector3<S>& mu, const S& half) const {
    Vector3<S> theta = half * system_->velocity(mu);
    for (int k = 0; k < 120; ++k) theta = half * system_->velocity(so3::exp(Vector3<S>(theta / S(-2))) * mu);
    return theta;
  }
  const System* system_;
  LastTurn last_;
};

}  // namespace livi::misprints
