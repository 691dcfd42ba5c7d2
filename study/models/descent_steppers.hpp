// SPDX-License-Identifier: MIT
//
// Newmark's method and the implicit midpoint rule with a solver that cannot fail to converge, so that a run which is
// lost was lost by the method and not by Newton's method.
//
// Both solve M (y - r) + c grad V(y) = 0 with c > 0, that is, they look for a stationary point of
//   F(y) = (y - r) M (y - r) / 2 + c V(y).
// For V bounded below by -A - B |y| F is coercive, so a minimum exists for every r, c and every stiffness, and a method
// that decreases F in each iteration finds a stationary point from any start: Newton's method with a line search, its
// matrix shifted by a multiple of M where it is not positive definite.
#pragma once

#include <livi/integrators/integrator.hpp>
#include <livi/linalg/shifted_solver.hpp>

namespace livi {

/// For unit masses and a dense Hessian.
template <class System>
class DescentPosition {
 public:
  using vector_type = VectorOf<System>;
  static constexpr int n = System::dimension;

  explicit DescentPosition(const System& system) : system_(&system) {}

  /// y enters as the initial guess.
  StepOutcome solve(const vector_type& r, double c, vector_type& y, WorkCounters& work) const {
    DenseHessian<double, n> hessian;
    ShiftedSolver<DenseHessian<double, n>> solver;
    vector_type gradient = y;
    double last = unlimited;
    constexpr int limit = 500;
    for (int iteration = 1; iteration <= limit; ++iteration) {
      ++work.newton_iterations;
      system_->potential().gradient(y, gradient);
      system_->potential().hessian(y, hessian);
      const vector_type residual = y - r + c * gradient;
      const FactorOutcome factor = solver.factor(system_->mass(), c, hessian);
      static_cast<void>(work.record(factor));
      const bool convex = !factor.indefinite && !factor.singular;
      FactorOutcome shifted = factor;
      for (double shift = 1; shifted.indefinite || shifted.singular; shift *= 4) {
        for (int i = 0; i < n; ++i) hessian.matrix(i, i) += shift / c;
        shifted = solver.factor(system_->mass(), c, hessian);
      }
      vector_type direction = residual;
      solver.solve_in_place(direction);
      direction = -direction;
      const double size = max_magnitude(direction);
      if (!std::isfinite(size)) return {Failure::not_finite, iteration};
      if (convex && size < 1e-6) {
        // F is too flat here for a line search to see a decrease; Newton's method converges quadratically.
        y += direction;
        if (size <= 1e-15 * (1 + max_magnitude(y)) || (size >= last / 2 && size < 1e-9)) return {};
        last = size;
        continue;
      }
      last = unlimited;
      const double before = value(r, c, y), slope = residual.dot(direction);
      double factor_of_step = 1;
      while (factor_of_step > 1e-15 &&
             !(value(r, c, vector_type(y + factor_of_step * direction)) <= before + 1e-4 * factor_of_step * slope))
        factor_of_step /= 2;
      y += factor_of_step * direction;
    }
    return {Failure::no_convergence, limit};
  }

 private:
  double value(const vector_type& r, double c, const vector_type& y) const {
    return (y - r).squaredNorm() / 2 + c * system_->potential().value(y);
  }

  const System* system_;
};

/// (12) of TO14 with gamma = 1/2; the acceleration is (y - r) / c, which is -M^-1 grad V(y) without its cancellation.
template <class System>
class DescentNewmark {
 public:
  using system_type = System;
  using vector_type = VectorOf<System>;
  struct state_type {
    vector_type q, v, a;
  };
  DescentNewmark(const System& system, double beta) : system_(&system), solve_(system), beta_(beta) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    state_type z{q, v, q};
    system_->acceleration(q, z.a);
    return z;
  }
  StepOutcome step(state_type& z, double h) {
    const double c = beta_ * h * h;
    const vector_type r = z.q + h * z.v + (h * h / 2 - c) * z.a;
    vector_type y = z.q;
    if (const StepOutcome outcome = solve_.solve(r, c, y, work_); !outcome.ok()) return outcome;
    const vector_type a = (y - r) / c;
    z.v += (h / 2) * (z.a + a);
    z.a = a;
    z.q = y;
    return {};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  DescentPosition<System> solve_;
  double beta_;
  WorkCounters work_;
};

template <class System>
class DescentMidpoint {
 public:
  using system_type = System;
  using vector_type = VectorOf<System>;
  using state_type = PhaseState<double, System::dimension>;
  explicit DescentMidpoint(const System& system) : system_(&system), solve_(system) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return {q, v}; }
  StepOutcome step(state_type& z, double h) {
    const vector_type r = z.q + (h / 2) * z.v;
    vector_type middle = z.q;
    if (const StepOutcome outcome = solve_.solve(r, h * h / 4, middle, work_); !outcome.ok()) return outcome;
    z.v += (4 / h) * (middle - r);
    z.q = 2 * middle - z.q;
    return {};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  DescentPosition<System> solve_;
  WorkCounters work_;
};

}  // namespace livi
