// SPDX-License-Identifier: MIT
//
// The implicit midpoint rule (TO14 4.1 compares with it). With the midpoint m = (q_k + q_{k+1})/2:
//
//   M (m - q_k - h/2 v_k) + h^2/4 grad V(m) = 0,
//   v_{k+1} = v_k - h M^-1 grad V(m),   q_{k+1} = q_k + h/2 (v_k + v_{k+1}).
#pragma once

#include <livi/integrators/implicit_position.hpp>

namespace livi {

/// The implicit midpoint rule: order two, symmetric, symplectic, stable for all steps.
template <class System>
class ImplicitMidpoint {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using state_type = PhaseState<S, System::dimension>;

  /// Keeps a reference to the system. With `fixed_iterations` = 1 the step is a drift-kick-drift whose force depends on
  /// the initial guess q_k + h/2 v_k alone: still symmetric, no longer symplectic.
  explicit ImplicitMidpoint(const System& system, NewtonOptions<S> newton = {})
      : system_(&system),
        converged_(newton.fixed_iterations == 0),
        solve_(system, newton),
        predicted_(zeros<vector_type>(system.size())),
        midpoint_(zeros<vector_type>(system.size())),
        a_(zeros<vector_type>(system.size())) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return {q, v}; }

  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2);
    predicted_ = z.q + half * z.v;
    midpoint_ = predicted_;
    if (const StepOutcome outcome = solve_.solve(*system_, predicted_, half * half, midpoint_, work_); !outcome.ok())
      return outcome;
    system_->acceleration(midpoint_, a_);
    z.q += h * z.v + (half * h) * a_;
    z.v += h * a_;
    return {};
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "ImplicitMidpoint",
            .source = "Gauss-Legendre with one stage; TO14 4.1",
            .order = 2,
            .symmetric = true,
            .symplectic = converged_,
            .linear_momentum = true,
            .angular_momentum = converged_,
            .rational = !converged_,
            .stability_limit = unlimited,
            .cost = {.iterative = true}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  bool converged_;
  ImplicitPosition<System> solve_;
  vector_type predicted_, midpoint_, a_;
  WorkCounters work_;
};

}  // namespace livi
