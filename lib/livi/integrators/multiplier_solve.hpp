// SPDX-License-Identifier: MIT
//
// The nonlinear equation of SHAKE and RATTLE: multipliers mu with g(r + M^-1 G^T mu) = 0, where r is the unconstrained
// new position and G = Dg at the old one. Newton's method on mu, m x m matrices Dg(q) M^-1 G^T.
#pragma once

#include <livi/integrators/implicit_position.hpp>
#include <livi/systems/constraints.hpp>

namespace livi {

template <class System>
class MultiplierSolve {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using multiplier_type = typename System::multiplier_type;
  using jacobian_type = typename System::jacobian_type;
  static constexpr int constraints = System::constraint_type::constraints;

  explicit MultiplierSolve(NewtonOptions<S> options) : options_(options) { options_.validate(); }

  /// Fixes the directions M^-1 G^T at the old position q.
  void set_directions(const System& system, const vector_type& q) {
    system.constraint().jacobian(q, jacobian_);
    directions_ = jacobian_.transpose();
    for (Eigen::Index k = 0; k < directions_.cols(); ++k) {
      column_ = directions_.col(k);
      system.mass().solve_in_place(column_);
      directions_.col(k) = column_;
    }
  }

  /// Solves g(r + M^-1 G^T mu) = 0; mu enters as the guess. On return q is the new position.
  StepOutcome solve_position(const System& system, const vector_type& r, multiplier_type& mu, vector_type& q,
                             WorkCounters& work) {
    const int limit = options_.fixed_iterations > 0 ? options_.fixed_iterations : options_.max_iterations;
    q = r + directions_ * mu;
    for (int iteration = 1; iteration <= limit; ++iteration) {
      ++work.newton_iterations;
      system.constraint().value(q, residual_);
      system.constraint().jacobian(q, jacobian_);
      matrix_ = jacobian_ * directions_;
      if (const StepOutcome outcome = work.record(factor_.factor(matrix_)); !outcome.ok()) return outcome;
      factor_.solve_in_place(residual_);
      mu -= residual_;
      column_ = directions_ * residual_;
      q -= column_;
      if (options_.fixed_iterations > 0) continue;
      if (max_magnitude(column_) <= options_.tolerance * (RealOf<S>(1) + max_magnitude(q))) return {};
      if (!all_finite(q)) return {Failure::not_finite, iteration};
    }
    if (options_.fixed_iterations > 0) return {};
    return {Failure::no_convergence, limit};
  }

  /// The linear problem of the hidden constraint: kappa with G (v + M^-1 G^T kappa) = 0, G at the position of
  /// set_directions. v becomes the tangent velocity.
  StepOutcome project_velocity(const System& system, const vector_type& q, vector_type& v, multiplier_type& kappa,
                               WorkCounters& work) {
    system.constraint().jacobian(q, jacobian_);
    matrix_ = jacobian_ * directions_;
    if (const StepOutcome outcome = work.record(factor_.factor(matrix_)); !outcome.ok()) return outcome;
    kappa = jacobian_ * v;
    kappa = -kappa;
    factor_.solve_in_place(kappa);
    v += directions_ * kappa;
    return {};
  }

  /// M^-1 G^T mu.
  [[nodiscard]] auto push(const multiplier_type& mu) const { return directions_ * mu; }

 private:
  NewtonOptions<S> options_;
  jacobian_type jacobian_ = zeros<jacobian_type>();
  Matrix<S, System::dimension, constraints> directions_ = zeros<Matrix<S, System::dimension, constraints>>();
  Matrix<S, constraints> matrix_ = zeros<Matrix<S, constraints>>();
  GaussianElimination<S, constraints> factor_;
  multiplier_type residual_ = zeros<multiplier_type>();
  vector_type column_ = zeros<vector_type>();
};

}  // namespace livi
