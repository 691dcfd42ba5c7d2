// SPDX-License-Identifier: MIT
//
// The nonlinear equation of SHAKE and RATTLE: multipliers mu with g(r + M^-1 G^T mu) = 0, where r is the unconstrained
// new position and G = Dg at the old one. Newton's method on mu takes m x m matrices Dg(q) M^-1 G^T, which are solved
// as the structure of the constraint's Jacobian allows: O(m) for a chain, O(m^3) for a dense one
// (multiplier_matrix.hpp).
//
// The equation has several solutions, and for a large r none. On a unit sphere, with r = (1 + a) q_k + t and t tangent,
// q = q_k (1 - |t|^2)^(1/2) + t or q_k (-(1 - |t|^2)^(1/2)) + t. The one that is meant is the nearest: the end of the branch
// that begins at q_k and follows g(q_k + s (r - q_k) + M^-1 G^T mu) = 0 from s = 0 to 1. A branch ends where the matrix
// Dg(q) M^-1 G^T becomes singular. So on it the determinant is positive, as it is at q_k; for one equation that is a
// quadratic form, as on the sphere, the determinant has the other sign at the other solution.
#pragma once

#include <livi/integrators/implicit_position.hpp>
#include <livi/linalg/multiplier_matrix.hpp>
#include <livi/systems/constraints.hpp>

namespace livi {

/// Follows a branch of solutions x(s) from s = 0 to 1. attempt(s) solves for x(s) from the last x, returns whether it is on
/// the branch, and restores the last x if not. Pieces are 1/8 of the way at most; shorter ones are tried down to 2^-16. The
/// outcome is no_real_root where the branch ends.
template <class S, class Attempt>
StepOutcome follow_branch(const Attempt& attempt) {
  constexpr int whole = 1 << 16, longest = whole / 8;
  int attempts = 0;
  for (int at = 0, piece = longest; at < whole;) {
    const int next = std::min(at + piece, whole);
    ++attempts;
    if (attempt(ratio<S>(next, whole))) {
      at = next;
      piece = std::min(2 * piece, longest);
    } else if (piece > 1) {
      piece /= 2;
    } else {
      return {Failure::no_real_root, attempts};
    }
  }
  return {};
}

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
    if constexpr (has_nearest_root)
      if (options_.fixed_iterations == 0) return solve_along_a_line(system, r, mu, q, work);
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

  /// Solves g(r + M^-1 G^T mu) = 0 for the solution nearest to the old position `from`, where G was taken; mu enters as the
  /// guess. Newton's solution is taken if no gradient of a constraint has turned by a right angle (MultiplierMatrix). Otherwise,
  /// and where there is no solution, the branch is followed from `from`. The outcome is no_real_root where it ends before r.
  StepOutcome solve_nearest_position(const System& system, const vector_type& from, const vector_type& r,
                                     multiplier_type& mu, vector_type& q, WorkCounters& work) {
    if (has_nearest_root || options_.fixed_iterations > 0) return solve_position(system, r, mu, q, work);
    if (solve_position(system, r, mu, q, work).ok() && matrix_.keeps_orientation()) return {};
    if (!all_finite(r)) return {Failure::not_finite};
    mu.setConstant(S(0));
    return follow_branch<S>([&](const S& s) {
      const multiplier_type before = mu;
      towards_ = from + s * (r - from);
      if (solve_position(system, towards_, mu, q, work).ok() && !matrix_.negative_determinant()) return true;
      mu = before;
      return false;
    });
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
  /// True if the constraint solves its equation itself (systems/constraints.hpp). That takes a square root.
  static constexpr bool has_nearest_root =
      !ScalarTraits<S>::exact && requires(const System& system, const vector_type& r, multiplier_type& mu) {
    { system.constraint().nearest_root(r, r, mu) } -> std::same_as<bool>;
  };
  StepOutcome solve_along_a_line(const System& system, const vector_type& r, multiplier_type& mu, vector_type& q,
                                 WorkCounters& work) {
    ++work.linear_solves;
    mu(0) = S(1);
    matrix_.push(mu, column_);
    if (!system.constraint().nearest_root(r, column_, mu))
      return {all_finite(r) ? Failure::no_real_root : Failure::not_finite};
    column_ *= S(mu(0));
    q = r + column_;
    return {};
  }

  NewtonOptions<S> options_;
  jacobian_type jacobian_;
  MultiplierMatrix<jacobian_type, typename System::mass_type> matrix_;
  multiplier_type residual_ = zeros<multiplier_type>();
  vector_type column_ = zeros<vector_type>(), towards_ = zeros<vector_type>();
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
  using jacobian_type = typename System::jacobian_type;

  MultiplierSolve(const System& system, NewtonOptions<S> options)
      : options_(options), equations_(system.constraint(), system.mass()), gradients_(system.mass()) {
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
  /// Solves for the solution nearest to the old position `from`, as the solver by Newton's method does. The constraint's own
  /// algorithm does not look at gradients, so that whether one has turned is asked of MultiplierMatrix afterwards: a Jacobian and a
  /// factorisation for each step under noise.
  StepOutcome solve_nearest_position(const System& system, const vector_type& from, const vector_type& r,
                                     multiplier_type& mu, vector_type& q, WorkCounters& work) {
    if (options_.fixed_iterations > 0) return solve_position(system, r, mu, q, work);
    system.constraint().jacobian(from, jacobian_);
    gradients_.set_directions(system.mass(), jacobian_);
    const auto is_solved = [&](const vector_type& at) {
      if (!solve_position(system, at, mu, q, work).ok()) return false;
      system.constraint().jacobian(q, jacobian_);
      return work.record(gradients_.factor(jacobian_)).ok();
    };
    if (is_solved(r) && gradients_.keeps_orientation()) return {};
    if (!all_finite(r)) return {Failure::not_finite};
    mu.setConstant(S(0));
    return follow_branch<S>([&](const S& s) {
      const multiplier_type before = mu;
      towards_ = from + s * (r - from);
      if (is_solved(towards_) && !gradients_.negative_determinant()) return true;
      mu = before;
      return false;
    });
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
  jacobian_type jacobian_;
  MultiplierMatrix<jacobian_type, typename System::mass_type> gradients_;
  vector_type column_ = zeros<vector_type>(), towards_ = zeros<vector_type>();
};

}  // namespace livi
