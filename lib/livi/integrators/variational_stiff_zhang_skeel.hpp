// SPDX-License-Identifier: MIT
//
// The variational form of TO14 Integrator 5: Z&S for V = V0 + V1 with V1 stiff. Its matrix contains the Hessian of
// V1 only, and yet it is symplectic.
//
//   x_{k+1} = x_k + h v_k + h^2/2 f_k,   v_{k+1} = v_k + h/2 (f_k + f_{k+1})
//   B a_k = -grad V(x_k),   B = M + c Hess V1(x_k),   c = beta h^2                                       (19)
//   M f_k = M a_k - c Hess V0(x_k) a_k - c^2/2 (a_k . V1'''(x_k) . a_k)
//
// It is velocity Verlet on U = V - c/2 grad V^T B^-1 grad V = V + c/2 grad V . a:
//   dU = grad V + c Hess V a + c^2/2 a.V1'''.a,   grad V = -M a - c Hess V1 a,   so   grad U = -M f.
// Hence it is symmetric, symplectic, of order two, and has every momentum map of a group that leaves M, V0 and V1
// invariant. Compared with (19) it costs one product of Hess V0 with a vector and the third derivatives of V1, block by
// block. V0 = 0 is Z&S; V1 = 0 with beta = 1/12 is Rowlands' modified potential (1991).
//
// Linear stability: let V0'' = K0, V1'' = K1 with K0 + K1 and B positive definite, and E = M/c - K0. Then
//   U'' = E - c E B^-1 E   (= (E^-1 + (K0 + K1)^-1)^-1 where E is regular),
// and the soft part limits the step: the method is stable for every K1 if and only if
//   -(4 - 1/beta) M <= h^2 K0 <= M/beta.
// (U'' <= E always, and U'' > 0 if E > 0. Conversely, for one degree of freedom,
//   h^2 U'' = (s + t)(1 - beta s)/(1 + beta t),   s = h^2 K0,   t = h^2 K1,
// which tends to (1 - beta s)/beta for large t.) With beta = 1/4 a soft force that curves down is not covered, however
// small it is: beta must be 1/(4 - h^2 |K0|) or more.
#pragma once

#include <livi/integrators/zhang_skeel.hpp>

namespace livi {

/// The force f of the variational stiff form. Per evaluation: one gradient, one Hessian and one contracted third
/// derivative of V1, one linear solve, one product with the Hessian of V0.
template <class System>
class VariationalStiffZhangSkeelForce {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  static_assert(
      ThriceDifferentiableSplit<typename System::potential_type>,
      "the variational stiff form needs stiff_hessian, stiff_third and soft_hessian_product of its potential");

  VariationalStiffZhangSkeelForce(const System& system, NewmarkBeta<S> options)
      : beta_(require_newmark_beta(options.beta)), workspace_(system.size()) {}

  StepOutcome operator()(const System& system, const vector_type& x, const S& h, vector_type& f, WorkCounters& work) {
    const S c = beta_ * h * h;
    auto&& [hessian, solver, a, product, third] = workspace_.get();
    if (const StepOutcome outcome = solve_a(system, x, c, hessian, solver, a, work); !outcome.ok()) return outcome;
    system.potential().soft_hessian_product(x, a, product);
    system.potential().stiff_third(x, a, third);
    third = c * product + (c * c / S(2)) * third;
    system.mass().solve_in_place(third);
    f = a - third;
    return {};
  }

  /// Sets q = x + beta h^2 a(x), the physical position that x stands for.
  StepOutcome physical_position(const System& system, const vector_type& x, const S& h, vector_type& q,
                                WorkCounters& work) {
    const S c = beta_ * h * h;
    auto&& [hessian, solver, a, product, third] = workspace_.get();
    if (const StepOutcome outcome = solve_a(system, x, c, hessian, solver, a, work); !outcome.ok()) return outcome;
    q = x + c * a;
    return {};
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "VariationalStiffZhangSkeel",
            .source = "variational form of TO14 (19)",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .stability_limit = newmark_stability_limit(declared_beta(beta_)),
            .cost = {.gradients = 1, .hessians = 1, .third_derivatives = 1, .linear_solves = 1}};
  }

 private:
  using hessian_type = typename System::potential_type::hessian_type;
  struct Scratch {
    hessian_type hessian;
    ShiftedSolver<hessian_type> solver;
    vector_type a, product, third;
    Scratch() = default;
    explicit Scratch(Eigen::Index n)
        : hessian(n), a(zeros<vector_type>(n)), product(zeros<vector_type>(n)), third(zeros<vector_type>(n)) {}
  };

  /// Solves (19) for a.
  static StepOutcome solve_a(const System& system, const vector_type& x, const S& c, hessian_type& hessian,
                             ShiftedSolver<hessian_type>& solver, vector_type& a, WorkCounters& work) {
    system.potential().gradient(x, a);
    system.potential().stiff_hessian(x, hessian);
    a = -a;
    const StepOutcome outcome = work.record(solver.factor(system.mass(), c, hessian));
    if (outcome.ok()) solver.solve_in_place(a);
    return outcome;
  }

  S beta_;
  Workspace<Scratch, System::dimension> workspace_;
};

/// The variational form of Integrator 5: order two, symmetric, symplectic. Linear stability needs beta >= 1/4, and more
/// where the soft force curves down (see the head of this file).
template <class System>
class VariationalStiffZhangSkeel : public KickDriftKick<System, VariationalStiffZhangSkeelForce<System>> {
  using Base = KickDriftKick<System, VariationalStiffZhangSkeelForce<System>>;

 public:
  using S = ScalarOf<System>;
  explicit VariationalStiffZhangSkeel(const System& system, NewmarkBeta<S> options = {})
      : Base(system, {system, options}) {}
};

}  // namespace livi
