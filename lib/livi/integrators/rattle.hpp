// SPDX-License-Identifier: MIT
//
// RATTLE (Andersen 1983; TO14 1.2) for any holonomic constraint:
//
//   v_{k+1/2} = v_k + h/2 M^-1 (-grad V(q_k) + G_k^T lambda_k),   q_{k+1} = q_k + h v_{k+1/2},   g(q_{k+1}) = 0
//   v_{k+1}   = v_{k+1/2} + h/2 M^-1 (-grad V(q_{k+1}) + G_{k+1}^T kappa_{k+1}),           G_{k+1} v_{k+1} = 0.
//
// Its positions are those of SHAKE. Its velocities are tangent, so it maps the constrained phase space to itself.
#pragma once

#include <livi/integrators/multiplier_solve.hpp>

namespace livi {

/// RATTLE: order two, symmetric and symplectic on the constrained phase space.
template <class System>
class Rattle {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using multiplier_type = typename System::multiplier_type;
  struct state_type {
    vector_type q, v;
    vector_type f;           ///< -M^-1 grad V(q)
    multiplier_type lambda;  ///< multiplier lambda_k of the last step, at the time before it; 0 at the start
    multiplier_type kappa;   ///< multiplier kappa_{k+1} of the last step, at the present time; 0 at the start
    auto fields() { return std::tie(q, v, f, lambda, kappa); }
  };

  explicit Rattle(const System& system, NewtonOptions<S> newton = {})
      : system_(&system),
        converged_(newton.fixed_iterations == 0),
        multipliers_(system, newton),
        predicted_(zeros<vector_type>(system.size())),
        next_(zeros<vector_type>(system.size())) {}

  /// Returns the state of q and v. Throws InvalidParameter unless q is on the constraint manifold and v tangent to it.
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    system_->require_consistent(q, v, RealOf<S>(4096) * ScalarTraits<S>::epsilon());
    state_type z{q, v, q, {}, {}};
    system_->constraint().value(q, z.lambda);
    z.lambda.setConstant(S(0));
    z.kappa = z.lambda;
    system_->acceleration(q, z.f);
    return z;
  }

  StepOutcome step(state_type& z, const S& h) { return step(z, h, NoKicks{}); }

  /// Advances by h with kicks of the velocity, as noise gives them: kicks.at_start(q_k, v) and kicks.at_end(q_{k+1}, v) add to v
  /// what the multipliers of position and velocity then make consistent. Kicks may be large: if kicks.nearest, the step takes
  /// the multiplier nearest to the unkicked one, or none (multiplier_solve.hpp).
  template <class Kicks>
  StepOutcome step(state_type& z, const S& h, const Kicks& kicks) {
    const S half = h / S(2);
    multipliers_.set_directions(*system_, z.q);
    z.v += half * z.f;
    kicks.at_start(z.q, z.v);
    predicted_ = z.q + h * z.v;
    mu_ = (h * half) * z.kappa;
    if (const StepOutcome outcome = solve_position<Kicks::nearest>(z.q); !outcome.ok()) return outcome;
    z.lambda = mu_ / (h * half);
    z.v += multipliers_.push(mu_) / h;
    z.q = next_;
    system_->acceleration(z.q, z.f);
    z.v += half * z.f;
    kicks.at_end(z.q, z.v);
    multipliers_.set_directions(*system_, z.q);
    if (const StepOutcome outcome = multipliers_.project_velocity(*system_, z.q, z.v, mu_, work_); !outcome.ok())
      return outcome;
    z.kappa = mu_ / half;
    return {};
  }

  [[nodiscard]] Properties declares() const {
    return {.name = converged_ ? "Rattle" : "Rattle, fixed number of Newton iterations",
            .source = "Andersen 1983; TO14 1.2",
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

 private:
  struct NoKicks {
    static constexpr bool nearest = false;
    void at_start(const vector_type&, vector_type&) const {}
    void at_end(const vector_type&, vector_type&) const {}
  };
  template <bool nearest>
  StepOutcome solve_position(const vector_type& q) {
    if constexpr (nearest)
      return multipliers_.solve_nearest_position(*system_, q, predicted_, mu_, next_, work_);
    else
      return multipliers_.solve_position(*system_, predicted_, mu_, next_, work_);
  }

  const System* system_;
  bool converged_;
  MultiplierSolve<System> multipliers_;
  vector_type predicted_, next_;
  multiplier_type mu_ = zeros<multiplier_type>();
  WorkCounters work_;
};

}  // namespace livi
