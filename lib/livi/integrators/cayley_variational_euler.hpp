// SPDX-License-Identifier: MIT
//
// The variational Euler method on SO(3) of TO14 (34), (35), in the paper's letters Omega = W. For identity inertia it
// reads
//
//   R_{k+1} = R_k cay(h Omega_{k+1}),
//   Omega_{k+1} + h^2/4 |Omega_{k+1}|^2 Omega_{k+1} = Omega_k + h^2/4 |Omega_k|^2 Omega_k + h tau(R_k)            (34)
//
// (the paper's hat(Omega)' hat(Omega) hat(Omega)' is -|Omega|^2 hat(Omega), and R dl/dR is the left-trivialised -DU
// (35)). In general the step is a kick mu += h tau(R_k), with mu_k = (dcay_{h Omega_k}^-1)' I Omega_k, and the free
// step of discrete_euler_poincare.hpp. It is symplectic in (R, mu), of order one, and conserves the momentum of every
// symmetry of U. The state is (R, Omega), in which another form is conserved: canonical_momentum gives mu. A start
// Omega(0) stands for the momentum mu_0, which is off by O(h) for general inertia and O(h^2) for identity inertia.
//
// For identity inertia the implicit equation is one cubic for |Omega|. With kicks of h/2 on both sides of the free step
// the method becomes LieVerlet, of order two.
#pragma once

#include <livi/integrators/discrete_euler_poincare.hpp>

namespace livi {

/// The variational Euler method on SO(3) with the Cayley map, TO14 (34), (35): symplectic in canonical_momentum, order
/// one.
template <class System>
class CayleyVariationalEuler {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using state_type = BodyState<S>;

  explicit CayleyVariationalEuler(const System& system, NewtonOptions<S> newton = {})
      : system_(&system), free_(newton) {}

  [[nodiscard]] state_type start(const Matrix3<S>& q, const Vector3<S>& w) const { return {q, w, system_->torque(q)}; }

  StepOutcome step(state_type& z, const S& h) {
    Vector3<S> mu = canonical_momentum(z.w, h) + h * z.torque;
    if (const StepOutcome outcome = free_.drift(*system_, h, z.q, mu, z.w, work_); !outcome.ok()) return outcome;
    z.torque = system_->torque(z.q);
    return {};
  }

  /// Returns mu = (dcay_{hW}^-1)' I W, the left-trivialised momentum in which the method is symplectic.
  [[nodiscard]] Vector3<S> canonical_momentum(const Vector3<S>& w, const S& h) const {
    return so3::CayleyMap::pull_back(Vector3<S>(h * w), system_->momentum(w));
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "CayleyVariationalEuler",
            .source = "Bou-Rabee and Marsden 2009; TO14 (34)-(35)",
            .order = 1,
            .conjugate_symplectic = true,
            .rational = false,
            .cost = {.gradients = 1}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  DiscreteEulerPoincare<System, so3::CayleyMap> free_;
  WorkCounters work_;
};

}  // namespace livi
