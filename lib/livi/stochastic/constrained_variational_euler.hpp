// SPDX-License-Identifier: MIT
//
// The constrained variational Euler methods under noise (BO07 (6)-(8)), each with the projection (7):
//
//   A   P = p_k + h F(q_k) + sum_i dW_i grad gamma_i(q_k) + G_k^T mu,   q_{k+1} = q_k + h M^-1 P,   g(q_{k+1}) = 0       (6)
//       p_{k+1} = P + G_{k+1}^T kappa,   G_{k+1} M^-1 p_{k+1} = 0                                                        (7)
//
//   B   P = p_k + G_k^T mu,   q_{k+1} = q_k + h M^-1 P,   g(q_{k+1}) = 0,
//       p*  = P + h F(q_{k+1}) + sum_i dW_i grad gamma_i(q_{k+1})                                                        (8)
//       and (7)
//
// In (8), too, the multiplier of the position acts along G at q_k. A step of A with h and then one of B with -h and -dW is
// the identity: B is the adjoint of A. (6) alone leaves the tangent space.
#pragma once

#include <livi/stochastic/partitioned_tableau.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>

namespace livi {

/// Whether the projection (7) follows.
enum class VelocityProjection { after_step, none };

/// The constrained variational Euler methods, of order one, symplectic with the projection. A step whose multiplier does not exist has the outcome
/// no_real_root.
template <class System>
class ConstrainedVariationalEuler {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using state_type = PhaseState<S, System::dimension>;

  explicit ConstrainedVariationalEuler(const System& system, EulerForce force = EulerForce::at_start,
                                       VelocityProjection projection = VelocityProjection::after_step,
                                       NewtonOptions<S> newton = {})
      : system_(&system),
        force_(force),
        projection_(projection),
        multipliers_(system, newton),
        acceleration_(zeros<vector_type>(system.size())),
        predicted_(acceleration_),
        next_(acceleration_),
        impulse_(acceleration_) {}

  /// Returns the state of q and v. Throws InvalidParameter unless q is on the constraint manifold and v tangent to it.
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    system_->require_consistent(q, v, RealOf<S>(4096) * ScalarTraits<S>::epsilon());
    return {q, v};
  }
  StepOutcome step(state_type& z, const S& h) {
    return step_with(z, h, [](Eigen::Index) { return S(0); });
  }
  StepOutcome step(state_type& z, const S& h, StepNoise<S> noises) {
    require_noises(*system_, noises);
    return step_with(z, h, [&](Eigen::Index i) { return noises[static_cast<std::size_t>(i)].increment; });
  }

  [[nodiscard]] Properties declares() const {
    return {.name = force_ == EulerForce::at_start ? "ConstrainedVariationalEuler A" : "ConstrainedVariationalEuler B",
            .source = force_ == EulerForce::at_start ? "Bou-Rabee and Owhadi 2007 (6), (7)"
                                                     : "Bou-Rabee and Owhadi 2007 (8), (7)",
            .order = 1,
            .symplectic = projection_ == VelocityProjection::after_step,
            .linear_momentum = true,
            .angular_momentum = true,
            .rational = false,
            .cost = {.iterative = true}};
  }
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    return {.deterministic = declares(), .strong_order = 1, .strong_order_for_constant_products = 1};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  template <class Weight>
  StepOutcome step_with(state_type& z, const S& h, const Weight& increment) {
    multipliers_.set_directions(*system_, z.q);
    if (force_ == EulerForce::at_start) push(z, h, increment);
    predicted_ = z.q + h * z.v;
    system_->constraint().value(z.q, mu_);  // gives it its size
    mu_.setConstant(S(0));
    if (const StepOutcome outcome = multipliers_.solve_nearest_position(*system_, z.q, predicted_, mu_, next_, work_);
        !outcome.ok())
      return outcome;
    z.v += multipliers_.push(mu_) / h;
    z.q = next_;
    if (force_ == EulerForce::at_end) push(z, h, increment);
    if (projection_ == VelocityProjection::none) return {};
    multipliers_.set_directions(*system_, z.q);
    return multipliers_.project_velocity(*system_, z.q, z.v, mu_, work_);
  }
  template <class Weight>
  void push(state_type& z, const S& h, const Weight& increment) {
    system_->acceleration(z.q, acceleration_);
    z.v += h * acceleration_;
    system_->kick(z.q, increment, impulse_, z.v);
  }

  const System* system_;
  EulerForce force_;
  VelocityProjection projection_;
  MultiplierSolve<System> multipliers_;
  vector_type acceleration_, predicted_, next_, impulse_;
  typename System::multiplier_type mu_ = zeros<typename System::multiplier_type>();
  WorkCounters work_;
};

}  // namespace livi
