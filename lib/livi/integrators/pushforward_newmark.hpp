// SPDX-License-Identifier: MIT
//
// TO14 Integrator 3: Newmark's method in the coordinates (x, v) = eta(q, v) of (13), where it is symplectic.
//
//   x_{k+1} = x_k + h v_k + h^2/2 a_k,   v_{k+1} = v_k + h/2 (a_k + a_{k+1}),
//   a_k = -M^-1 grad V(x_k + beta h^2 a_k)                                                                        (14)
#pragma once

#include <livi/integrators/implicit_position.hpp>
#include <livi/integrators/kick_drift_kick.hpp>
#include <livi/integrators/newmark_stability.hpp>

namespace livi {

template <class S>
struct PushforwardNewmarkOptions {
  S beta = ratio<S>(1, 4);
  NewtonOptions<S> newton = {};
};

/// The force per mass a of (14). Per evaluation: one nonlinear solve and one gradient.
template <class System>
class PushforwardNewmarkForce {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;

  PushforwardNewmarkForce(const System& system, PushforwardNewmarkOptions<S> options)
      : beta_(require_newmark_beta(options.beta)),
        converged_(options.newton.fixed_iterations == 0),
        solve_(system, options.newton),
        position_(zeros<vector_type>(system.size())) {}

  /// Computes a at x: y = x + beta h^2 a solves M (y - x) + beta h^2 grad V(y) = 0. y is the physical position
  /// q = eta^-1(x).
  StepOutcome operator()(const System& system, const vector_type& x, const S& h, vector_type& a, WorkCounters& work) {
    position_ = x;
    const StepOutcome outcome = solve_.solve(system, x, beta_ * h * h, position_, work);
    if (outcome.ok()) system.acceleration(position_, a);
    return outcome;
  }
  /// Sets q to the physical position that x stands for.
  StepOutcome physical_position(const System& system, const vector_type& x, const S& h, vector_type& q,
                                WorkCounters& work) {
    q = x;
    return solve_.solve(system, x, beta_ * h * h, q, work);
  }
  [[nodiscard]] Properties declares() const {
    return {.name = "PushforwardNewmark",
            .source = "Skeel, Zhang and Schlick 1997; TO14 (14)",
            .order = 2,
            .symmetric = true,
            .symplectic = converged_,
            .linear_momentum = true,
            .angular_momentum = converged_,
            .rational = !converged_,
            .stability_limit = newmark_stability_limit(declared_beta(beta_)),
            .cost = {.iterative = true}};
  }

 private:
  S beta_;
  bool converged_;
  ImplicitPosition<System> solve_;
  vector_type position_;
};

/// Newmark's method in the coordinates in which it is symplectic, TO14 (14): order two, symmetric.
template <class System>
class PushforwardNewmark : public KickDriftKick<System, PushforwardNewmarkForce<System>> {
  using Base = KickDriftKick<System, PushforwardNewmarkForce<System>>;

 public:
  using S = ScalarOf<System>;
  explicit PushforwardNewmark(const System& system, PushforwardNewmarkOptions<S> options = {})
      : Base(system, {system, options}) {}
};

}  // namespace livi
