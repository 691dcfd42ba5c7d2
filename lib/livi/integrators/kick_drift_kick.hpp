// SPDX-License-Identifier: MIT
//
// The family TO14 (21), for any force per mass f(x), which here may also depend on h:
//
//   x_{k+1} = x_k + h v_k + h^2/2 f_k
//   v_{k+1} = v_k + h/2 (f_k + f_{k+1}),   f_k = f(x_k, h).
//
// Its members are velocity Verlet (f = -M^-1 grad V), Z&S (3), push-forward Newmark (14), Z&Ss (18) and its stiff form
// (19). Symmetric for every f even in h (Theorem 2.4); symplectic in (x, M v) when M Df is symmetric. (Lemma 2.1 asks
// it of Df, which is equivalent only if M is a multiple of the identity.)
#pragma once

#include <livi/integrators/integrator.hpp>

namespace livi {

/// A force that computes f row by row while x becomes known row by row (zhang_skeel.hpp), so that the state passes
/// through the processor twice a step instead of six times.
template <class Force, class System>
concept ForceByRows = requires(Force& force, const System& system, VectorOf<System>& x, const ScalarOf<System>& h,
                               WorkCounters& work, void (*row)(Eigen::Index)) {
  force.by_rows(system, x, h, x, work, row, row);
};

/// Whether a force says that it does not depend on h: it is then not computed anew when the step changes.
template <class Force>
constexpr bool is_of_position_only() {
  if constexpr (requires { Force::of_position_only; }) return Force::of_position_only;
  return false;
}

/// An integrator of the family (21). Force is a class with `StepOutcome operator()(const System&, x, h, f,
/// WorkCounters&)` and `Properties declares() const`.
template <class System, class Force>
class KickDriftKick {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using state_type = ForceState<S, System::dimension>;

  KickDriftKick(const System& system, Force force) : system_(&system), force_(std::move(force)) {}

  [[nodiscard]] state_type start(const vector_type& x, const vector_type& v) const { return {x, v, x, S(0)}; }

  StepOutcome step(state_type& z, const S& h) {
    if (z.step != h) {
      if (!is_of_position_only<Force>() || z.step == S(0))
        if (const StepOutcome outcome = force_(*system_, z.q, h, z.f, work_); !outcome.ok()) return outcome;
      z.step = h;
    }
    const S half = h / S(2);
    if constexpr (ForceByRows<Force, System>) return step_by_rows(z, h, half);
    z.v += half * z.f;
    z.q += h * z.v;
    if (const StepOutcome outcome = force_(*system_, z.q, h, z.f, work_); !outcome.ok()) return outcome;
    z.v += half * z.f;
    return {};
  }

  [[nodiscard]] Properties declares() const { return force_.declares(); }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] Force& force() { return force_; }

 private:
  StepOutcome step_by_rows(state_type& z, const S& h, const S& half) {
    constexpr int rows = System::potential_type::block_size;
    const auto kick_and_drift = [&](Eigen::Index k) __attribute__((always_inline)) {
      static_for<rows>([&]<int i>() {
        z.v(k * rows + i) += half * z.f(k * rows + i);
        z.q(k * rows + i) += h * z.v(k * rows + i);
        return true;
      });
    };
    const auto kick = [&](Eigen::Index k) __attribute__((always_inline)) {
      static_for<rows>([&]<int i>() { return z.v(k * rows + i) += half * z.f(k * rows + i), true; });
    };
    return force_.by_rows(*system_, z.q, h, z.f, work_, kick_and_drift, kick);
  }

  const System* system_;
  Force force_;
  WorkCounters work_;
};

/// A force per mass given by the user as any callable f(x) -> vector.
template <class System, class Function>
class GenericForce {
 public:
  explicit GenericForce(Function function) : function_(std::move(function)) {}
  StepOutcome operator()(const System&, const VectorOf<System>& x, const ScalarOf<System>&, VectorOf<System>& f,
                         WorkCounters&) {
    f = function_(x);
    return {};
  }
  [[nodiscard]] Properties declares() const {
    return {.name = "(21) with a given force",
            .source = "TO14 (21)",
            .order = 2,
            .symmetric = true,
            .cost = {.gradients = 0}};
  }

 private:
  Function function_;
};

/// The method (21) for a force per mass f(x) given by the user.
template <class System, class Function>
class GenericSymmetric : public KickDriftKick<System, GenericForce<System, Function>> {
 public:
  GenericSymmetric(const System& system, Function function)
      : KickDriftKick<System, GenericForce<System, Function>>(system,
                                                              GenericForce<System, Function>(std::move(function))) {}
};

}  // namespace livi
