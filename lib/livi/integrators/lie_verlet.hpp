// SPDX-License-Identifier: MIT
//
// The velocity Lie-Verlet method (VLV) of Bou-Rabee and Marsden, BOS09 (8)-(10) for tau = cay:
//
//   W_{k+1/2} = W_k + h/2 I^-1 [I W_{k+1/2} x W_{k+1/2} - h/2 (W_{k+1/2} . I W_{k+1/2}) W_{k+1/2} + tau(Q_k)]       (8)
//   Q_{k+1} = Q_k cay(h W_{k+1/2})                                                                                  (9)
//   W_{k+1} = W_{k+1/2} + h/2 I^-1 [the bracket of (8) with + h/2 (...) and tau(Q_{k+1})]                          (10)
//
// In mu = I W this is a kick mu += h/2 tau, the free step of discrete_euler_poincare.hpp (I dcay_{-hW}^-T W is the left
// side of (8)), and another kick. So it is the Strang form of the variational Euler method TO14 (34), and defined
// for any tau: here also for the exponential map. It is variational: symplectic on T*SO(3), symmetric, of order two,
// and conserves the momentum of every symmetry of U. One torque per step; (8) is implicit in W alone.
#pragma once

#include <livi/integrators/discrete_euler_poincare.hpp>

namespace livi {

/// The velocity Lie-Verlet method, BOS09 (8)-(10): order two, symmetric, symplectic.
template <class System, class Map = so3::CayleyMap>
class LieVerlet {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using state_type = BodyState<S>;

  explicit LieVerlet(const System& system, NewtonOptions<S> newton = {}) : system_(&system), free_(newton) {}

  [[nodiscard]] state_type start(const Matrix3<S>& q, const Vector3<S>& w) const { return {q, w, system_->torque(q)}; }

  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2);
    Vector3<S> mu = system_->momentum(z.w) + half * z.torque;
    if (const StepOutcome outcome = free_.drift(*system_, h, z.q, mu, z.w, work_); !outcome.ok()) return outcome;
    z.torque = system_->torque(z.q);
    z.w = system_->velocity(mu + half * z.torque);
    return {};
  }

  [[nodiscard]] Properties declares() const {
    return {.name = std::string("LieVerlet, ") + Map::name,
            .source = "Bou-Rabee and Marsden 2009; BOS09 (8)-(10)",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .angular_momentum = true,
            .rational = false,
            .cost = {.gradients = 1}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  DiscreteEulerPoincare<System, Map> free_;
  WorkCounters work_;
};

}  // namespace livi
