// SPDX-License-Identifier: MIT
//
// The family TO14 (20), the subject of TO14 Theorem 2.3 (consistency), for any functions f (matrix) and g (vector):
//
//   x_{k+1} = x_k + h v_k + h^2/2 a_k [+ h^6/2 g(x_k)]
//   v_{k+1} = v_k + h/2 (a_k + a_{k+1} + h^4 g(x_k) + h^4 g(x_{k+1})),   (M + h^2 f(x_k)) a_k = -grad V(x_k)       (20)
//
// The bracket is not printed. Without it the family does not contain Z&S (f = beta Hess V, g = -beta^2/2 M^-1
// a.V'''.a), so that Corollary 2.1 does not follow from Theorem 2.3. With the bracket it does, and the order is
// unchanged.
#pragma once

#include <livi/integrators/integrator.hpp>

namespace livi {

enum class PositionCorrection { as_printed, included };

/// The method (20) for given f and g. `f(x)` returns an n x n matrix and `g(x)` a vector. Each evaluation takes one
/// dense solve by Gaussian elimination, since f need not be symmetric.
template <class System, class MatrixFunction, class VectorFunction>
class GenericConsistent {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using matrix_type = Matrix<S, System::dimension>;
  using state_type = PhaseState<S, System::dimension>;

  GenericConsistent(const System& system, MatrixFunction f, VectorFunction g, PositionCorrection correction)
      : system_(&system), f_(std::move(f)), g_(std::move(g)), correction_(correction), mass_(mass_matrix(system)) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return {q, v}; }

  StepOutcome step(state_type& z, const S& h) {
    vector_type a = z.q, next_a = z.q;
    if (const StepOutcome outcome = acceleration(z.q, h, a); !outcome.ok()) return outcome;
    const S h4 = h * h * h * h;
    const vector_type g = g_(z.q);
    z.q += h * z.v + (h * h / S(2)) * a;
    if (correction_ == PositionCorrection::included) z.q += (h * h * h4 / S(2)) * g;
    if (const StepOutcome outcome = acceleration(z.q, h, next_a); !outcome.ok()) return outcome;
    z.v += (h / S(2)) * (a + next_a + h4 * g + h4 * g_(z.q));
    return {};
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "(20) with given f and g",
            .source = "TO14 (20)",
            .order = 2,
            .symmetric = correction_ == PositionCorrection::included,
            .cost = {.gradients = 2, .linear_solves = 2}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  StepOutcome acceleration(const vector_type& x, const S& h, vector_type& a) {
    const matrix_type matrix = mass_ + (h * h) * f_(x);
    if (const StepOutcome outcome = work_.record(solver_.factor(matrix)); !outcome.ok()) return outcome;
    system_->potential().gradient(x, a);
    a = -a;
    solver_.solve_in_place(a);
    return {};
  }
  static matrix_type mass_matrix(const System& system) {
    const Eigen::Index n = system.size();
    matrix_type m(n, n);
    vector_type unit = vector_type::Constant(n, S(0));
    for (Eigen::Index j = 0; j < n; ++j) {
      unit(j) = S(1);
      m.col(j) = system.momentum(unit);
      unit(j) = S(0);
    }
    return m;
  }

  const System* system_;
  MatrixFunction f_;
  VectorFunction g_;
  PositionCorrection correction_;
  matrix_type mass_;
  GaussianElimination<S, System::dimension> solver_;
  WorkCounters work_;
};

}  // namespace livi
