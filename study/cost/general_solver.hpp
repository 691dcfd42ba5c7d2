// SPDX-License-Identifier: MIT
//
// A nonlinear equation as a general solver solves it, counted: it is told nothing but the function. Newton's method, a
// Jacobian by forward differences, elimination of the full matrix; it ends at the tolerances that TO14 4.3 prints for
// its own (Matlab's fsolve): |f| below 1e-10, or a change of the unknowns below 1e-6.
#pragma once

#include <functional>
#include <livi/integrators/implicit_position.hpp>
#include <livi/linalg/gaussian_elimination.hpp>
#include <livi/systems/constraints.hpp>

#include "counted_arithmetic.hpp"

namespace livi {

struct GeneralSolver {
  using V = Vector<Counted, Dynamic>;

  /// function(x, f) = 0 from the guess x, which becomes the solution. Iterations, or none without convergence.
  template <class Function>
  MultiplierOutcome operator()(const Function& function, V& x) {
    constexpr double increment = 0x1p-26;
    const Eigen::Index n = x.size();
    f_.resize(n);
    moved_.resize(n);
    matrix_.resize(n, n);
    function(x, f_);
    for (int iteration = 0; iteration < 50; ++iteration) {
      if (max_magnitude(f_) < 1e-10) return {.iterations = iteration};
      for (Eigen::Index j = 0; j < n; ++j) {
        const Counted here = x(j);
        x(j) += Counted(increment);
        function(x, moved_);
        x(j) = here;
        for (Eigen::Index i = 0; i < n; ++i) matrix_(i, j) = (moved_(i) - f_(i)) / Counted(increment);
      }
      if (elimination_.factor(matrix_).singular) return {MultiplierOutcome::Failure::singular, 0, iteration};
      elimination_.solve_in_place(f_);
      x -= f_;
      if (max_magnitude(f_) < 1e-6) return {.iterations = iteration + 1};
      function(x, f_);
    }
    return {MultiplierOutcome::Failure::no_convergence, 0, 50};
  }

 private:
  V f_, moved_;
  Matrix<Counted, Dynamic> matrix_;
  GaussianElimination<Counted, Dynamic> elimination_;
};

/// A constraint whose multipliers SHAKE finds by the general solver, all at once, with M^-1 G^T a full matrix.
template <class Constraint>
struct GenerallySolved : Constraint {
  using vector_type = typename Constraint::vector_type;
  using multiplier_type = typename Constraint::multiplier_type;

  class multiplier_equations {
   public:
    template <class Mass>
    multiplier_equations(const Constraint& constraint, const Mass& mass)
        : constraint_(&constraint), reciprocal_([mass](Eigen::Index i) { return mass.reciprocal(i); }) {}
    void set_directions(const vector_type& q) {
      typename Constraint::jacobian_type jacobian;
      constraint_->jacobian(q, jacobian);
      directions_ = dense(jacobian).transpose();
      for (Eigen::Index i = 0; i < directions_.rows(); ++i)
        for (Eigen::Index j = 0; j < directions_.cols(); ++j) directions_(i, j) *= reciprocal_(i);
    }
    MultiplierOutcome solve_position(const vector_type& r, const NewtonOptions<Counted>&, multiplier_type& mu,
                                     vector_type& q) {
      GeneralSolver::V unknowns = mu;
      multiplier_type g = mu;
      const MultiplierOutcome outcome = solver_(
          [&](const GeneralSolver::V& at, GeneralSolver::V& value) {
            add_push(at, q = r);
            constraint_->value(q, g);
            value = g;
          },
          unknowns);
      add_push(unknowns, q = r);
      mu = unknowns;
      return outcome;
    }
    /// RATTLE's; SHAKE has no need of it.
    MultiplierOutcome project_velocity(const vector_type&, vector_type&, multiplier_type&) {
      return {MultiplierOutcome::Failure::no_convergence, 0, 0};
    }
    void push(const multiplier_type& mu, vector_type& out) const {
      out.setConstant(directions_.rows(), Counted(0));
      add_push(mu, out);
    }

   private:
    template <class Multipliers>
    void add_push(const Multipliers& mu, vector_type& out) const {
      for (Eigen::Index j = 0; j < directions_.cols(); ++j)
        for (Eigen::Index i = 0; i < directions_.rows(); ++i) out(i) += directions_(i, j) * mu(j);
    }

    const Constraint* constraint_;
    std::function<Counted(Eigen::Index)> reciprocal_;
    Matrix<Counted, Dynamic> directions_;
    GeneralSolver solver_;
  };
};

/// Returns the system with its multipliers found by GeneralSolver.
template <class Mass, class PotentialT, class Constraint>
auto generally_solved(const ConstrainedSystem<Mass, PotentialT, Constraint>& system) {
  return ConstrainedSystem<Mass, PotentialT, GenerallySolved<Constraint>>(system.mass(), system.potential(),
                                                                          {system.constraint()});
}

}  // namespace livi
