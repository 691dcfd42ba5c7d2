// SPDX-License-Identifier: MIT
//
// The nonlinear equation of SHAKE and RATTLE: multipliers mu with g(r + M^-1 G^T mu) = 0, where r is the unconstrained
// new position and G = Dg at the old one. Newton's method on mu takes m x m matrices Dg(q) M^-1 G^T, which are solved
// as the structure of the constraint's Jacobian allows: O(m) for a chain, O(m^3) for a dense one
// (multiplier_matrix.hpp).
#pragma once

#include <livi/integrators/implicit_position.hpp>
#include <livi/linalg/multiplier_matrix.hpp>
#include <livi/systems/constraints.hpp>

namespace livi {

/// The solver for the multipliers of SHAKE and RATTLE by Newton's method and MultiplierMatrix.
template <class System>
class MultiplierSolve {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using multiplier_type = typename System::multiplier_type;
  using jacobian_type = typename System::jacobian_type;

  MultiplierSolve(const System& system, NewtonOptions<S> options) : options_(options), matrix_(system.mass()) {
    options_.validate();
    // An uninitialised double may be a signalling NaN when it is copied.
    if constexpr (requires { jacobian_.setConstant(S(0)); }) jacobian_.setConstant(S(0));
  }

  /// Fixes the directions M^-1 G^T at the old position q.
  void set_directions(const System& system, const vector_type& q) {
    system.constraint().jacobian(q, jacobian_);
    matrix_.set_directions(system.mass(), jacobian_);
  }

  /// Solves g(r + M^-1 G^T mu) = 0; mu enters as the guess. On return q is the new position r + M^-1 G^T mu.
  StepOutcome solve_position(const System& system, const vector_type& r, multiplier_type& mu, vector_type& q,
                             WorkCounters& work) {
    const int limit = options_.fixed_iterations > 0 ? options_.fixed_iterations : options_.max_iterations;
    matrix_.push(mu, column_);
    q = r + column_;
    for (int iteration = 1; iteration <= limit; ++iteration) {
      ++work.newton_iterations;
      system.constraint().value(q, residual_);
      system.constraint().jacobian(q, jacobian_);
      if (const StepOutcome outcome = work.record(matrix_.factor(jacobian_)); !outcome.ok()) return outcome;
      matrix_.solve_in_place(residual_);
      mu -= residual_;
      matrix_.push(residual_, column_);
      q -= column_;
      if (options_.fixed_iterations > 0) continue;
      if (max_magnitude(column_) <= options_.tolerance * (RealOf<S>(1) + max_magnitude(q))) return {};
      if (!all_finite(q)) return {Failure::not_finite, iteration};
    }
    if (options_.fixed_iterations > 0) return {};
    return {Failure::no_convergence, limit};
  }

  /// Solves the linear problem of the hidden constraint, G (v + M^-1 G^T kappa) = 0 for kappa, with G at the position q
  /// of set_directions, and replaces v by the tangent velocity v + M^-1 G^T kappa.
  StepOutcome project_velocity(const System& system, const vector_type& q, vector_type& v, multiplier_type& kappa,
                               WorkCounters& work) {
    system.constraint().jacobian(q, jacobian_);
    if (const StepOutcome outcome = work.record(matrix_.factor(jacobian_)); !outcome.ok()) return outcome;
    multiply(jacobian_, v, kappa);
    kappa = -kappa;
    matrix_.solve_in_place(kappa);
    matrix_.push(kappa, column_);
    v += column_;
    return {};
  }

  /// Returns M^-1 G^T mu; the reference is valid until the next call.
  [[nodiscard]] const vector_type& push(const multiplier_type& mu) {
    matrix_.push(mu, column_);
    return column_;
  }

 private:
  NewtonOptions<S> options_;
  jacobian_type jacobian_;
  MultiplierMatrix<jacobian_type, typename System::mass_type> matrix_;
  multiplier_type residual_ = zeros<multiplier_type>();
  vector_type column_ = zeros<vector_type>();
};

/// A system whose constraint has its own algorithm for the multipliers (systems/constraints.hpp).
template <class System>
concept HasMultiplierEquations = requires {
  typename System::constraint_type::multiplier_equations;
};

inline StepOutcome as_step_outcome(const MultiplierOutcome& outcome) {
  switch (outcome.failure) {
    case MultiplierOutcome::Failure::none:
      return {};
    case MultiplierOutcome::Failure::singular:
      return {Failure::singular_matrix, outcome.block, outcome.block};
    case MultiplierOutcome::Failure::no_convergence:
      return {Failure::no_convergence, outcome.iterations, outcome.block};
    case MultiplierOutcome::Failure::not_finite:
      return {Failure::not_finite, outcome.iterations, outcome.block};
  }
  return {};
}

/// The solver for the multipliers of SHAKE and RATTLE by the constraint's own algorithm (systems/constraints.hpp).
template <HasMultiplierEquations System>
class MultiplierSolve<System> {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using multiplier_type = typename System::multiplier_type;

  MultiplierSolve(const System& system, NewtonOptions<S> options)
      : options_(options), equations_(system.constraint(), system.mass()) {
    options_.validate();
  }
  void set_directions(const System&, const vector_type& q) { equations_.set_directions(q); }
  StepOutcome solve_position(const System&, const vector_type& r, multiplier_type& mu, vector_type& q,
                             WorkCounters& work) {
    const MultiplierOutcome outcome = equations_.solve_position(r, options_, mu, q);
    work.newton_iterations += outcome.iterations;
    work.linear_solves += outcome.iterations;
    return as_step_outcome(outcome);
  }
  StepOutcome project_velocity(const System&, const vector_type& q, vector_type& v, multiplier_type& kappa,
                               WorkCounters& work) {
    ++work.linear_solves;
    return as_step_outcome(equations_.project_velocity(q, v, kappa));
  }
  [[nodiscard]] const vector_type& push(const multiplier_type& mu) {
    equations_.push(mu, column_);
    return column_;
  }

 private:
  NewtonOptions<S> options_;
  typename System::constraint_type::multiplier_equations equations_;
  vector_type column_ = zeros<vector_type>();
};

}  // namespace livi
