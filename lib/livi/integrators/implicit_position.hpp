// SPDX-License-Identifier: MIT
//
// The nonlinear equation of Newmark, push-forward Newmark and the implicit midpoint rule,
//
//   M (y - r) + c grad V(y) = 0,
//
// for the position y at which the force is evaluated; r is known, c = beta h^2 or h^2/4. It is solved by Newton's
// method with the matrix M + c Hess V(y), which is that of a Z&S step, so one iteration costs as much as one linearly
// implicit step.
#pragma once

#include <livi/integrators/integrator.hpp>
#include <livi/linalg/shifted_solver.hpp>

namespace livi {

/// The options of Newton's method. It has converged when an update is at most tolerance * (1 + |y|) in every component
/// (and derivative); rigid bodies judge the residual instead (body_step.hpp). The default tolerance is a few roundings,
/// which Newton's method reaches one iteration after its square root.
template <class S>
struct NewtonOptions {
  RealOf<S> tolerance = RealOf<S>(32) * ScalarTraits<S>::epsilon();
  int max_iterations = 50;
  /// If positive, exactly so many iterations are done and their result is taken ("partially solved").
  int fixed_iterations = 0;

  void validate() const {
    if constexpr (!ScalarTraits<S>::exact) {  // exact numbers have no size and take fixed_iterations
      if (!is_finite(tolerance) || !(RealOf<S>(0) < tolerance))
        throw InvalidParameter("Newton tolerance", to_double(tolerance), "must be finite and > 0");
    }
    if (max_iterations < 1) throw InvalidParameter("Newton max_iterations", max_iterations, "must be >= 1");
    if (fixed_iterations < 0)
      throw InvalidParameter("Newton fixed_iterations", fixed_iterations, "must be >= 0; 0 iterates to convergence");
  }
};

/// The solver of M (y - r) + c grad V(y) = 0 by Newton's method.
template <class System>
class ImplicitPosition {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;

  ImplicitPosition(const System& system, NewtonOptions<S> options) : options_(options), workspace_(system.size()) {
    options_.validate();
  }

  /// Solves for y, which enters as the initial guess. c is beta h^2 or h^2/4; `work` counts iterations and linear
  /// solves.
  StepOutcome solve(const System& system, const vector_type& r, const S& c, vector_type& y, WorkCounters& work) {
    auto&& [hessian, solver, difference, residual, gradient] = workspace_.get();
    const int limit = options_.fixed_iterations > 0 ? options_.fixed_iterations : options_.max_iterations;
    for (int iteration = 1; iteration <= limit; ++iteration) {
      ++work.newton_iterations;
      gradient_and_hessian(system.potential(), y, gradient, hessian);
      if (const StepOutcome outcome = work.record(solver.factor(system.mass(), c, hessian)); !outcome.ok())
        return outcome;
      difference = y - r;
      system.mass().apply(difference, residual);
      residual += c * gradient;
      solver.solve_in_place(residual);
      y -= residual;
      if (options_.fixed_iterations > 0) continue;
      const RealOf<S> update = max_magnitude(residual);
      if (update <= options_.tolerance * (RealOf<S>(1) + max_magnitude(y))) return {};
      if (!all_finite(y)) return {Failure::not_finite, iteration};
    }
    if (options_.fixed_iterations > 0) return {};
    return {Failure::no_convergence, limit};
  }

 private:
  using hessian_type = typename System::potential_type::hessian_type;
  struct Scratch {
    hessian_type hessian;
    ShiftedSolver<hessian_type> solver;
    vector_type difference, residual, gradient;
    Scratch() = default;
    explicit Scratch(Eigen::Index n)
        : hessian(n), difference(zeros<vector_type>(n)), residual(difference), gradient(difference) {}
  };

  NewtonOptions<S> options_;
  Workspace<Scratch, System::dimension> workspace_;
};

}  // namespace livi
