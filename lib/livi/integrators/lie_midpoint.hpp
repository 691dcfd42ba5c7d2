// SPDX-License-Identifier: MIT
//
// The explicit Lie-midpoint method LIEMID[EA] of Krysl, BOS09 (13)-(18), with tau = exp in the original:
//
//   Theta_{k+1/2} = h/2 I^-1 tau(-Theta_{k+1/2}/2) (I W_k + h/2 tau(Q_k))                  (13)
//   Q_{k+1/2} = Q_k tau(Theta_{k+1/2})                                                     (14)
//   I W_{k+1/2} = tau(-Theta_{k+1/2}) (I W_k + h/2 tau(Q_k))                               (15)
//   Theta_{k+1} = h/2 I^-1 tau(-Theta_{k+1}/2) I W_{k+1/2}                                 (16)
//   Q_{k+1} = Q_{k+1/2} tau(Theta_{k+1})                                                   (17)
//   I W_{k+1} = tau(-Theta_{k+1}) I W_{k+1/2} + h/2 tau(Q_{k+1})                           (18)
//
// ((18) prints Theta_k, which would lose order and symmetry.) (13)-(15) are half a step of a Lie-midpoint method of
// order one, (16)-(18) half a step of its adjoint, so the whole is symmetric and of order two. If tau is not a
// one-parameter group, the adjoint has tau(Theta_{k+1}/2) tau(-Theta_{k+1}) in (16), which takes the midpoint from its
// end; for exp that equals tau(-Theta_{k+1}/2). Body momentum is only rotated along with Q, so Q I W changes by torques
// alone and momentum maps are conserved. Not symplectic, except where I is a multiple of the identity. Two equations in
// R^3 and one torque per step.
#pragma once

#include <livi/integrators/body_step.hpp>

namespace livi {

/// The explicit Lie-midpoint method, BOS09 (13)-(18): order two, symmetric, conserves momentum maps.
template <class System, class Map = so3::ExponentialMap>
class LieMidpoint {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using state_type = BodyState<S>;

  explicit LieMidpoint(const System& system, NewtonOptions<S> newton = {}) : system_(&system), newton_(newton) {
    newton_.validate();
  }

  [[nodiscard]] state_type start(const Matrix3<S>& q, const Vector3<S>& w) const { return {q, w, system_->torque(q)}; }

  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2);
    Vector3<S> mu = system_->momentum(z.w) + half * z.torque;
    if (const StepOutcome outcome = rotate<false>(z.q, mu, half); !outcome.ok()) return outcome;
    if (const StepOutcome outcome = rotate<!Map::one_parameter_group>(z.q, mu, half); !outcome.ok()) return outcome;
    z.torque = system_->torque(z.q);
    z.w = system_->velocity(mu + half * z.torque);
    return {};
  }

  [[nodiscard]] Properties declares() const {
    return {.name = std::string("LieMidpoint, ") + Map::name,
            .source = "Krysl 2005, LIEMID[EA]; BOS09 (13)-(18)",
            .order = 2,
            .symmetric = true,
            .angular_momentum = true,
            .rational = false,
            .cost = {.gradients = 1}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  /// Applies (13)-(15): solves I Theta = half tau(-Theta/2) mu and replaces q by q tau(Theta), mu by tau(-Theta) mu.
  /// The adjoint has tau(Theta/2) tau(-Theta) in the equation for Theta.
  template <bool adjoint>
  StepOutcome rotate(Matrix3<S>& q, Vector3<S>& mu, const S& half) {
    Vector3<S> theta = half * system_->velocity(mu);
    theta = half * system_->velocity(mu + cross(mu, theta) / S(2));  // the guess is off by O(h^3)
    // The derivative of tau(x) m in x is -tau(x) hat(m) dtau_x.
    const auto derivative = [](const Vector3<S>& x, const Vector3<S>& m) {
      return Matrix3<S>(-(Map::map(x) * so3::hat(m) * Map::differential(x)));
    };
    // Terms have the size of half |mu|, so a residual that is small beside |mu| alone would leave short steps unsolved.
    // The terms are products with a map that is itself rounded, some twenty epsilon; without the factor four one step
    // in millions would not be accepted.
    NewtonOptions<S> options = newton_;
    if (const RealOf<S> size = RealOf<S>(4) * magnitude(half); size < RealOf<S>(1)) options.tolerance *= size;
    const StepOutcome outcome = solve_in_three_unknowns<S>(
        theta, max_magnitude(mu), options, work_,
        [&](const Vector3<S>& y) {
          const Vector3<S> x = y / S(adjoint ? 2 : -2), m = adjoint ? Vector3<S>(Map::map(Vector3<S>(-y)) * mu) : mu;
          return Vector3<S>(system_->momentum(y) - half * (Map::map(x) * m));
        },
        [&](const Vector3<S>& y) {
          const Vector3<S> x = y / S(adjoint ? 2 : -2);
          Matrix3<S> turning = derivative(x, mu) / S(-2);
          if constexpr (adjoint) {
            const Vector3<S> back = -y;
            turning = derivative(x, Vector3<S>(Map::map(back) * mu)) / S(2) - Map::map(x) * derivative(back, mu);
          }
          return Matrix3<S>(system_->times_inertia(identity3<S>()) - half * turning);
        });
    if (!outcome.ok()) return outcome;
    if (!Map::covers(theta)) return {Failure::outside_chart, -1};
    const Matrix3<S> turn = Map::map(theta);
    q = q * turn;
    mu = turn.transpose() * mu;
    return {};
  }

  const System* system_;
  NewtonOptions<S> newton_;
  WorkCounters work_;
};

}  // namespace livi
