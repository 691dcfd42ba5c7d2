// SPDX-License-Identifier: MIT
//
// TO14 Integrator 1: Zhang and Skeel's symplectic, linearly implicit method (Z&S).
//
//   x_{k+1} = x_k + h v_k + h^2/2 f_k
//   v_{k+1} = v_k + h/2 (f_k + f_{k+1})
//   (M + beta h^2 Hess V(x_k)) a_k = -grad V(x_k)
//   f_k = a_k - beta^2 h^4/2 M^-1 (a_k . V'''(x_k) . a_k)                                                           (3)
//
// Why it is symplectic: M f_k = -grad U(x_k) with U = V - beta h^2/2 grad V^T (M + beta h^2 Hess V)^-1 grad V, so the
// step is velocity Verlet on the modified potential U. (With c = beta h^2, B = M + c Hess V and B a = -grad V,
//   U = V + c/2 grad V . a,
//   dU = grad V + c/2 d(-grad V^T B^-1 grad V) = grad V + c Hess V a + c^2/2 a.V'''.a = -M a + c^2/2 a.V'''.a.)
#pragma once

#include <livi/integrators/kick_drift_kick.hpp>
#include <livi/integrators/neighbour_sweep.hpp>
#include <livi/integrators/newmark_stability.hpp>
#include <livi/linalg/shifted_solver.hpp>

namespace livi {

/// Newmark's beta. Linear stability for all steps needs beta >= 1/4.
template <class S>
struct NewmarkBeta {
  S beta = ratio<S>(1, 4);
};

inline Properties zhang_skeel_properties(double beta) {
  return {.name = "ZhangSkeel",
          .source = "Zhang and Skeel 1997; TO14 (3)",
          .order = 2,
          .symmetric = true,
          .symplectic = true,
          .linear_momentum = true,
          .angular_momentum = true,
          .stability_limit = newmark_stability_limit(beta),
          .cost = {.gradients = 1, .hessians = 1, .third_derivatives = 1, .linear_solves = 1}};
}

/// The force per mass f of Z&S. Per evaluation: one gradient, one Hessian, one contracted third derivative, one linear
/// solve.
template <class System>
class ZhangSkeelForce {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  static_assert(ThriceDifferentiable<typename System::potential_type>,
                "Z&S needs gradient, hessian and third of its potential");

  ZhangSkeelForce(const System& system, NewmarkBeta<S> options)
      : beta_(require_newmark_beta(options.beta)), workspace_(system.size()) {}

  StepOutcome operator()(const System& system, const vector_type& x, const S& h, vector_type& f, WorkCounters& work) {
    const S c = beta_ * h * h;
    auto&& [hessian, solver, a, third] = workspace_.get();
    if (const StepOutcome outcome = solve_a(system, x, c, hessian, solver, a, work); !outcome.ok()) return outcome;
    system.potential().third(x, a, third);
    system.mass().solve_in_place(third);
    f = a - (c * c / S(2)) * third;
    return {};
  }

  /// Sets q = x + beta h^2 a(x), the physical position that x stands for.
  StepOutcome physical_position(const System& system, const vector_type& x, const S& h, vector_type& q,
                                WorkCounters& work) {
    const S c = beta_ * h * h;
    auto&& [hessian, solver, a, third] = workspace_.get();
    if (const StepOutcome outcome = solve_a(system, x, c, hessian, solver, a, work); !outcome.ok()) return outcome;
    q = x + c * a;
    return {};
  }

  [[nodiscard]] Properties declares() const { return zhang_skeel_properties(declared_beta(beta_)); }

 private:
  using hessian_type = typename System::potential_type::hessian_type;
  struct Scratch {
    hessian_type hessian;
    ShiftedSolver<hessian_type> solver;
    vector_type a, third;
    Scratch() = default;
    explicit Scratch(Eigen::Index n) : hessian(n), a(zeros<vector_type>(n)), third(zeros<vector_type>(n)) {}
  };

  /// Solves (M + c Hess V(x)) a = -grad V(x).
  static StepOutcome solve_a(const System& system, const vector_type& x, const S& c, hessian_type& hessian,
                             ShiftedSolver<hessian_type>& solver, vector_type& a, WorkCounters& work) {
    gradient_and_hessian(system.potential(), x, a, hessian);
    a = -a;
    const StepOutcome outcome = work.record(solver.factor(system.mass(), c, hessian));
    if (outcome.ok()) solver.solve_in_place(a);
    return outcome;
  }

  S beta_;
  Workspace<Scratch, System::dimension> workspace_;
};

/// The force per mass f of Z&S on a chain, in one pass of O(n) that stores neither gradient nor Hessian
/// (neighbour_sweep.hpp).
template <NeighbourSystem System>
class ZhangSkeelForce<System> {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;

  ZhangSkeelForce(const System& system, NewmarkBeta<S> options)
      : beta_(require_newmark_beta(options.beta)), sweep_(system.size()) {}

  StepOutcome operator()(const System& system, const vector_type& x, const S& h, vector_type& f, WorkCounters& work) {
    return by_rows(system, x, h, f, work, ignore_row, ignore_row);
  }
  /// Computes f for KickDriftKick, which kicks and drifts each row as soon as `ready` and `done` report it.
  template <class Ready, class Done>
  StepOutcome by_rows(const System& system, const vector_type& x, const S& h, vector_type& f, WorkCounters& work,
                      const Ready& ready, const Done& done) {
    return sweep_.template solve<SweepResult::zhang_skeel>(system, x, beta_ * h * h, f, work, ready, done);
  }

  StepOutcome physical_position(const System& system, const vector_type& x, const S& h, vector_type& q,
                                WorkCounters& work) {
    const S c = beta_ * h * h;
    a_.resize(x.size());  // not part of a step
    const StepOutcome outcome =
        sweep_.template solve<SweepResult::acceleration>(system, x, c, a_, work, ignore_row, ignore_row);
    if (outcome.ok()) q = x + c * a_;
    return outcome;
  }

  [[nodiscard]] Properties declares() const { return zhang_skeel_properties(declared_beta(beta_)); }

 private:
  S beta_;
  NeighbourSweep<System> sweep_;
  vector_type a_;
};

/// A system whose potential has its own algorithm for the force of a linearly implicit step (shifted_force of
/// potential.hpp).
template <class System>
concept HasShiftedForce = requires(const System& system, const ScalarOf<System>& c, VectorOf<System>& f,
                                   ShiftedSolver<typename System::potential_type::hessian_type>& solver) {
  system.potential().shifted_force(system.mass(), c, f, solver, &f, f, ignore_row, ignore_row);
};

/// The force per mass f of Z&S where the potential has its own algorithm for it (shifted_force of potential.hpp).
template <HasShiftedForce System>
class ZhangSkeelForce<System> {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;

  ZhangSkeelForce(const System& system, NewmarkBeta<S> options)
      : beta_(require_newmark_beta(options.beta)), third_(zeros<vector_type>(system.size())) {}

  StepOutcome operator()(const System& system, const vector_type& x, const S& h, vector_type& f, WorkCounters& work) {
    return by_rows(system, x, h, f, work, ignore_row, ignore_row);
  }
  template <class Ready, class Done>
  StepOutcome by_rows(const System& system, const vector_type& x, const S& h, vector_type& f, WorkCounters& work,
                      const Ready& ready, const Done& done) {
    const S c = beta_ * h * h;
    return work.record(system.potential().shifted_force(system.mass(), c, x, solver_, &third_, f, ready, done));
  }

  StepOutcome physical_position(const System& system, const vector_type& x, const S& h, vector_type& q,
                                WorkCounters& work) {
    const S c = beta_ * h * h;
    const StepOutcome outcome = work.record(
        system.potential().shifted_force(system.mass(), c, x, solver_, nullptr, third_, ignore_row, ignore_row));
    if (outcome.ok()) q = x + c * third_;
    return outcome;
  }

  [[nodiscard]] Properties declares() const { return zhang_skeel_properties(declared_beta(beta_)); }

 private:
  S beta_;
  ShiftedSolver<typename System::potential_type::hessian_type> solver_;
  vector_type third_;
};

/// Z&S, TO14 Integrator 1, (3): order two, symmetric, symplectic, linearly implicit.
template <class System>
class ZhangSkeel : public KickDriftKick<System, ZhangSkeelForce<System>> {
  using Base = KickDriftKick<System, ZhangSkeelForce<System>>;

 public:
  using S = ScalarOf<System>;
  explicit ZhangSkeel(const System& system, NewmarkBeta<S> options = {}) : Base(system, {system, options}) {}
};

}  // namespace livi
