// SPDX-License-Identifier: MIT
//
// Variational (symplectic) Euler, called "Variational Euler" in TO14 for the penalised pendulum:
//
//   v_{k+1} = v_k - h M^-1 grad V(q_k),   q_{k+1} = q_k + h v_{k+1}.
#pragma once

#include <livi/integrators/integrator.hpp>

namespace livi {

/// The symplectic Euler method: order one, symplectic.
template <class System>
class SymplecticEuler {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using state_type = PhaseState<S, System::dimension>;

  explicit SymplecticEuler(const System& system) : system_(&system), a_(zeros<vector_type>(system.size())) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return {q, v}; }

  StepOutcome step(state_type& z, const S& h) {
    system_->acceleration(z.q, a_);
    z.v += h * a_;
    z.q += h * z.v;
    return {};
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "SymplecticEuler",
            .source = "TO14 4.1",
            .order = 1,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .stability_limit = 2,
            .cost = {.gradients = 1}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  vector_type a_;
  WorkCounters work_;
};

}  // namespace livi
