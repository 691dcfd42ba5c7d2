// SPDX-License-Identifier: MIT
//
// TO14 Integrators 4 and 5: Z&S without its third-derivative term (Z&Ss), and the form for V = V0 + V1/eps that
// keeps only the stiff part of the Hessian.
//
//   x_{k+1} = x_k + h v_k + h^2/2 a_k,   v_{k+1} = v_k + h/2 (a_k + a_{k+1})
//   (M + beta h^2 Hess V(x_k)) a_k = -grad V(x_k)                                    (18)
//   (M + beta h^2 eps^-1 Hess V1(x_k)) a_k = -grad V(x_k)                            (19)
//
// In general neither is symplectic: the force M a_k is not a gradient. Translations still give exact momenta. Rotations
// do not once three particles interact, because then a_k is not free of torque. Defects of a step are of order h^5 in
// (18), h^3 in (19). For a symplectic form of (19) see variational_stiff_zhang_skeel.hpp.
#pragma once

#include <livi/integrators/zhang_skeel.hpp>

namespace livi {

enum class HessianPart { all, stiff };

inline Properties simplified_zhang_skeel_properties(HessianPart part, double beta) {
  const bool all = part == HessianPart::all;
  return {.name = all ? "SimplifiedZhangSkeel" : "StiffZhangSkeel",
          .source = all ? "TO14 (18)" : "TO14 (19)",
          .order = 2,
          .symmetric = true,
          .linear_momentum = true,
          .stability_limit = newmark_stability_limit(beta),
          .cost = {.gradients = 1, .hessians = 1, .linear_solves = 1}};
}

/// The force a of (18) or (19). Per evaluation: one gradient, one Hessian, one linear solve.
template <class System, HessianPart Part>
class SimplifiedZhangSkeelForce {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  static_assert(Part == HessianPart::all || StiffSplit<typename System::potential_type>,
                "the stiff form needs stiff_hessian of its potential");

  SimplifiedZhangSkeelForce(const System& system, NewmarkBeta<S> options)
      : beta_(require_newmark_beta(options.beta)), workspace_(system.size()) {}

  StepOutcome operator()(const System& system, const vector_type& x, const S& h, vector_type& a, WorkCounters& work) {
    auto&& [hessian, solver] = workspace_.get();
    if constexpr (Part == HessianPart::all) {
      gradient_and_hessian(system.potential(), x, a, hessian);
    } else {
      system.potential().gradient(x, a);
      system.potential().stiff_hessian(x, hessian);
    }
    const StepOutcome outcome = work.record(solver.factor(system.mass(), beta_ * h * h, hessian));
    a = -a;
    if (outcome.ok()) solver.solve_in_place(a);
    return outcome;
  }

  [[nodiscard]] Properties declares() const { return simplified_zhang_skeel_properties(Part, declared_beta(beta_)); }

 private:
  using hessian_type = typename System::potential_type::hessian_type;
  struct Scratch {
    hessian_type hessian;
    ShiftedSolver<hessian_type> solver;
    Scratch() = default;
    explicit Scratch(Eigen::Index n) : hessian(n) {}
  };

  S beta_;
  Workspace<Scratch, System::dimension> workspace_;
};

/// The force a of (18) on a chain, in one pass of O(n) (neighbour_sweep.hpp).
template <NeighbourSystem System>
class SimplifiedZhangSkeelForce<System, HessianPart::all> {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;

  SimplifiedZhangSkeelForce(const System& system, NewmarkBeta<S> options)
      : beta_(require_newmark_beta(options.beta)), sweep_(system.size()) {}

  StepOutcome operator()(const System& system, const vector_type& x, const S& h, vector_type& a, WorkCounters& work) {
    return by_rows(system, x, h, a, work, ignore_row, ignore_row);
  }
  template <class Ready, class Done>
  StepOutcome by_rows(const System& system, const vector_type& x, const S& h, vector_type& a, WorkCounters& work,
                      const Ready& ready, const Done& done) {
    return sweep_.template solve<SweepResult::acceleration>(system, x, beta_ * h * h, a, work, ready, done);
  }

  [[nodiscard]] Properties declares() const {
    return simplified_zhang_skeel_properties(HessianPart::all, declared_beta(beta_));
  }

 private:
  S beta_;
  NeighbourSweep<System> sweep_;
};

/// The force a of (18) where the potential has its own algorithm for it (shifted_force of potential.hpp).
template <HasShiftedForce System>
class SimplifiedZhangSkeelForce<System, HessianPart::all> {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;

  SimplifiedZhangSkeelForce(const System&, NewmarkBeta<S> options) : beta_(require_newmark_beta(options.beta)) {}

  StepOutcome operator()(const System& system, const vector_type& x, const S& h, vector_type& a, WorkCounters& work) {
    return by_rows(system, x, h, a, work, ignore_row, ignore_row);
  }
  template <class Ready, class Done>
  StepOutcome by_rows(const System& system, const vector_type& x, const S& h, vector_type& a, WorkCounters& work,
                      const Ready& ready, const Done& done) {
    const S c = beta_ * h * h;
    return work.record(system.potential().shifted_force(system.mass(), c, x, solver_, nullptr, a, ready, done));
  }

  [[nodiscard]] Properties declares() const {
    return simplified_zhang_skeel_properties(HessianPart::all, declared_beta(beta_));
  }

 private:
  S beta_;
  ShiftedSolver<typename System::potential_type::hessian_type> solver_;
};

/// A system whose potential has its own algorithm for the force of (19) (stiff_force of potential.hpp).
template <class System>
concept HasStiffForce = requires(const System& system, const ScalarOf<System>& c, const VectorOf<System>& x,
                                 VectorOf<System>& f) {
  system.potential().stiff_force(system.mass(), c, x, f);
};

/// The force a of (19) where the potential has its own algorithm for it (stiff_force of potential.hpp).
template <HasStiffForce System>
class SimplifiedZhangSkeelForce<System, HessianPart::stiff> {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;

  SimplifiedZhangSkeelForce(const System&, NewmarkBeta<S> options) : beta_(require_newmark_beta(options.beta)) {}

  StepOutcome operator()(const System& system, const vector_type& x, const S& h, vector_type& a, WorkCounters& work) {
    return work.record(system.potential().stiff_force(system.mass(), beta_ * h * h, x, a));
  }

  [[nodiscard]] Properties declares() const {
    return simplified_zhang_skeel_properties(HessianPart::stiff, declared_beta(beta_));
  }

 private:
  S beta_;
};

/// Z&Ss, TO14 Integrator 4, (18): order two, symmetric, not symplectic.
template <class System>
class SimplifiedZhangSkeel : public KickDriftKick<System, SimplifiedZhangSkeelForce<System, HessianPart::all>> {
  using Base = KickDriftKick<System, SimplifiedZhangSkeelForce<System, HessianPart::all>>;

 public:
  using S = ScalarOf<System>;
  explicit SimplifiedZhangSkeel(const System& system, NewmarkBeta<S> options = {}) : Base(system, {system, options}) {}
};

/// TO14 Integrator 5, (19), Z&Ss with the stiff part of the Hessian: order two, symmetric, not symplectic.
template <class System>
class StiffZhangSkeel : public KickDriftKick<System, SimplifiedZhangSkeelForce<System, HessianPart::stiff>> {
  using Base = KickDriftKick<System, SimplifiedZhangSkeelForce<System, HessianPart::stiff>>;

 public:
  using S = ScalarOf<System>;
  explicit StiffZhangSkeel(const System& system, NewmarkBeta<S> options = {}) : Base(system, {system, options}) {}
};

}  // namespace livi
