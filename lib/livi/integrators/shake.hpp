// SPDX-License-Identifier: MIT
//
// SHAKE (Ryckaert, Ciccotti and Berendsen 1977; TO14 1.2) for any holonomic constraint, in its velocity form:
//
//   v_{k+1/2} = w_k - h/2 M^-1 grad V(q_k) + h M^-1 G_k^T lambda_k,   g(q_k + h v_{k+1/2}) = 0
//   q_{k+1}   = q_k + h v_{k+1/2},   w_{k+1} = v_{k+1/2} - h/2 M^-1 grad V(q_{k+1}),   G_k = Dg(q_k).
//
// Eliminating w gives the two-step form q_{k+1} - 2 q_k + q_{k-1} = h^2 M^-1 (-grad V + G^T lambda_k). w_k lacks the
// constraint force at t_k, so it is not tangent; tangent_velocity() is. lambda_k is the multiplier of
// M q'' = -grad V + G^T lambda at t_k.
#pragma once

#include <livi/integrators/multiplier_solve.hpp>

namespace livi {

/// SHAKE: order two, symmetric and symplectic.
template <class System>
class Shake {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using multiplier_type = typename System::multiplier_type;
  struct state_type {
    vector_type q;           ///< on the constraint manifold
    vector_type v;           ///< w_k
    vector_type f;           ///< -M^-1 grad V(q)
    multiplier_type lambda;  ///< multiplier at the time *before* the last step, 0 at the start
    bool first = true;       ///< true until the first step
    auto fields() { return std::tie(q, v, f, lambda, first); }
  };

  explicit Shake(const System& system, NewtonOptions<S> newton = {})
      : system_(&system),
        converged_(newton.fixed_iterations == 0),
        multipliers_(system, newton),
        predicted_(zeros<vector_type>(system.size())),
        next_(zeros<vector_type>(system.size())),
        half_velocity_(zeros<vector_type>(system.size())) {}

  /// Returns the state of q and v. Throws InvalidParameter unless q is on the constraint manifold and v tangent to it.
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    system_->require_consistent(q, v, consistency_tolerance());
    state_type z{q, v, q, {}, true};
    system_->constraint().value(q, z.lambda);
    z.lambda.setConstant(S(0));
    system_->acceleration(q, z.f);
    return z;
  }

  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2);
    multipliers_.set_directions(*system_, z.q);
    half_velocity_ = z.v + half * z.f;
    predicted_ = z.q + h * half_velocity_;
    // A tangent start already contains half the constraint force of the first step.
    const S weight = z.first ? h * half : h * h;
    mu_ = weight * z.lambda;
    if (const StepOutcome outcome = multipliers_.solve_position(*system_, predicted_, mu_, next_, work_); !outcome.ok())
      return outcome;
    z.lambda = mu_ / weight;
    half_velocity_ += multipliers_.push(mu_) / h;
    z.q = next_;
    system_->acceleration(z.q, z.f);
    z.v = half_velocity_ + half * z.f;
    z.first = false;
    return {};
  }

  /// Sets v to the velocity w_k projected to Dg v = 0 in the metric of M. It is exactly the velocity of RATTLE from an
  /// equal start: the two velocities differ by a normal vector, which the next multiplier absorbs.
  StepOutcome tangent_velocity(const state_type& z, vector_type& v) {
    multipliers_.set_directions(*system_, z.q);
    v = z.v;
    return multipliers_.project_velocity(*system_, z.q, v, mu_, work_);
  }

  [[nodiscard]] Properties declares() const {
    return {.name = converged_ ? "Shake" : "Shake, fixed number of Newton iterations",
            .source = "Ryckaert, Ciccotti and Berendsen 1977; TO14 1.2",
            .order = 2,
            .symmetric = converged_,
            .symplectic = converged_,
            .linear_momentum = true,
            .angular_momentum = true,
            .rational = !converged_,
            .stability_limit = 2,
            .cost = {.iterative = true}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }
  /// Returns how far initial data may be off the constraint: 4096 roundings, 1e-12 in double.
  static RealOf<S> consistency_tolerance() { return RealOf<S>(4096) * ScalarTraits<S>::epsilon(); }

 private:
  const System* system_;
  bool converged_;
  MultiplierSolve<System> multipliers_;
  vector_type predicted_, next_, half_velocity_;
  multiplier_type mu_ = zeros<multiplier_type>();
  WorkCounters work_;
};

}  // namespace livi
