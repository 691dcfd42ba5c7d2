// SPDX-License-Identifier: MIT
//
// The one nonlinear equation that Newmark, push-forward Newmark and the implicit midpoint rule have to solve: for y in
//
//   M (y - r) + c grad V(y) = 0,
//
// the position at which the force is evaluated; r is known, c = beta h^2 or h^2/4. Newton's method; its matrix M + c
// Hess V(y) is that of a Z&S step, so one iteration costs one linearly implicit step.
#pragma once

#include <livi/integrators/integrator.hpp>
#include <livi/linalg/shifted_solver.hpp>

namespace livi {

/// When an iteration ends. Converged: an update smaller than tolerance * (1 + |y|) in every component (and derivative).
/// The default tolerance is a few roundings; Newton's method reaches it one iteration after the square root of it.
template <class S>
struct NewtonOptions {
  RealOf<S> tolerance = RealOf<S>(32) * ScalarTraits<S>::epsilon();
  int max_iterations = 50;
  /// Positive: do exactly so many iterations and take what they give ("partially solved").
  int fixed_iterations = 0;

  void validate() const {
    if (!(RealOf<S>(0) < tolerance) && !ScalarTraits<S>::exact)
      throw InvalidParameter("Newton tolerance", static_cast<double>(tolerance), "must be > 0");
    if (max_iterations < 1) throw InvalidParameter("Newton max_iterations", max_iterations, "must be >= 1");
    if (fixed_iterations < 0)
      throw InvalidParameter("Newton fixed_iterations", fixed_iterations, "must be >= 0; 0 iterates to convergence");
  }
};

template <class System>
class ImplicitPosition {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;

  ImplicitPosition(const System& system, NewtonOptions<S> options)
      : options_(options),
        hessian_(system.size()),
        residual_(zeros<vector_type>(system.size())),
        gradient_(zeros<vector_type>(system.size())) {
    options_.validate();
  }

  /// Solves for y, which enters as the initial guess.
  StepOutcome solve(const System& system, const vector_type& r, const S& c, vector_type& y, WorkCounters& work) {
    const int limit = options_.fixed_iterations > 0 ? options_.fixed_iterations : options_.max_iterations;
    for (int iteration = 1; iteration <= limit; ++iteration) {
      ++work.newton_iterations;
      gradient_and_hessian(system.potential(), y, gradient_, hessian_);
      if (const StepOutcome outcome = work.record(solver_.factor(system.mass(), c, hessian_)); !outcome.ok())
        return outcome;
      residual_ = y - r;
      system.mass().apply(residual_, residual_);
      residual_ += c * gradient_;
      solver_.solve_in_place(residual_);
      y -= residual_;
      if (options_.fixed_iterations > 0) continue;
      const RealOf<S> update = max_magnitude(residual_);
      if (update <= options_.tolerance * (RealOf<S>(1) + max_magnitude(y))) return {};
      if (!all_finite(y)) return {Failure::not_finite, iteration};
    }
    if (options_.fixed_iterations > 0) return {};
    return {Failure::no_convergence, limit};
  }

 private:
  NewtonOptions<S> options_;
  typename System::potential_type::hessian_type hessian_;
  ShiftedSolver<typename System::potential_type::hessian_type> solver_;
  vector_type residual_, gradient_;
};

}  // namespace livi
