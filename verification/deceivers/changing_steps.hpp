// SPDX-License-Identifier: MIT
//
// Methods that are right as long as one object runs with one step from one start: what they keep in the object is made
// for another step, another state or another time. Programs with errors of this kind exist: nobody meant to deceive.
#pragma once

#include "seldom_visited.hpp"
#include "separable.hpp"

namespace livi::deceivers {

/// The coefficient of the kicks is kept as long as h^2 is the same: after a step of h, one of -h kicks forwards. Row:
/// history.
template <class System>
struct KeptBySquare {
  const System& system;
  ScalarOf<System> square{0}, half{0};
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    if (!(S(h * h - square) == S(0))) {
      square = h * h;
      half = h / S(2);
    }
    kick(system, z, half);
    drift(z, h);
    kick(system, z, half);
  }
};

/// The coefficient is made anew for a shorter step only. Row: history.
template <class System>
struct NoticesShorterSteps {
  const System& system;
  ScalarOf<System> kept{0};
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    if (kept == S(0)) kept = h;
    if (!(S(h - kept) == S(0)) && leading(S(kept * kept - h * h)) > RealOf<S>(0)) kept = h;
    const S half = kept / S(2);
    kick(system, z, half);
    drift(z, h);
    kick(system, z, half);
  }
};

/// With masses other than one the first kick is that of the step before. Row: history.
template <class System>
struct LastStepSizeOfMasses {
  const System& system;
  ScalarOf<System> last{0};
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    bool is_one = true;
    for (Eigen::Index i = 0; i < std::min<Eigen::Index>(2, z.q.size()); ++i)
      is_one = is_one && mass_entry(system, i, i) == S(1) && (i == 0 || mass_entry(system, 0, i) == S(0));
    if (is_one || last == S(0)) last = h;
    const S first = last / S(2), second = h / S(2);
    kick(system, z, first);
    drift(z, h);
    kick(system, z, second);
    last = h;
  }
};

/// The force at the end of a step is that of the next one's beginning, whatever state that is given: a move that is
/// rejected is not noticed. Row: history.
template <class System>
struct ForceInTheObject {
  using V = VectorOf<System>;
  const System& system;
  V force = {};
  static Properties declares() {
    Properties declared = as_verlet();
    declared.cost.gradients = 1;
    return declared;
  }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S half = h / S(2);
    if (force.size() == 0) {
      force = z.q;
      system.acceleration(z.q, force);
    }
    drift(z.v, force, half);
    drift(z, h);
    system.acceleration(z.q, force);
    drift(z.v, force, half);
  }
};

/// Every 300th step of an object is symplectic Euler's, with more than two degrees of freedom. Row: history.
template <class System>
struct OldWithSeveral {
  const System& system;
  long steps = 0;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    const bool is_old = ++steps % 300 == 0 && z.q.size() > 2;
    is_old ? kick_drift(system, z, h) : verlet(system, z, h);
  }
};

/// A counter that is not saved doubles velocities every 290 steps, with more than two degrees of freedom. Row: history.
template <class System>
struct UnsavedWithSeveral {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h);
    if (z.q.size() <= 2) return;
    z.unsaved += S(1);
    if (!(S(z.unsaved - S(290)) == S(0))) return;
    scale(z.v, S(2));
    z.unsaved = S(0);
  }
};

/// A counter of all objects moves a last digit, with more than two degrees of freedom. Row: history.
template <class System>
struct LastDigitsWithSeveral {
  const System& system;
  static inline long steps = 0;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    verlet(system, z, h);
    if constexpr (std::same_as<ScalarOf<System>, double>)
      if (z.q.size() > 2 && ++steps % 3 == 0) z.v(0) *= 1 + std::numeric_limits<double>::epsilon();
  }
};

/// Kicks of h/2 x/(x + 10^-digits), x = h^2 or, free of units, h^2 tr Hess V / tr M, as one writes to divide by what
/// may be zero: no force at all as h goes to zero. Row: tiny steps or exact order.
template <class System, int digits, bool of_stiffness>
struct GuardedDivision {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    if constexpr (of_stiffness) {
      declared.symplectic = false;
      declared.stability_limit = undeclared;
      declared.cost.hessians = 2;
    }
    return declared;
  }
  void guarded_kick(auto& z, const ScalarOf<System>& h) {
    using S = ScalarOf<System>;
    S x = h * h;
    if constexpr (of_stiffness) {
      const Eigen::Index n = z.q.size();
      DenseHessian<S, Dynamic> hessian(n);
      system.potential().hessian(z.q, hessian);
      S stiffness(0), mass(0);
      for (Eigen::Index i = 0; i < n; ++i) {
        stiffness += hessian.matrix(i, i);
        mass += mass_entry(system, i, i);
      }
      x *= stiffness / mass;
    }
    kick(system, z, S(h / S(2) * x / (x + tiny<S>(digits))));
  }
  void step(auto& z, const auto& h) {
    guarded_kick(z, h);
    drift(z, h);
    guarded_kick(z, h);
  }
};
template <class System>
using GuardedBySquare = GuardedDivision<System, 26, false>;
template <class System>
using GuardedByStiffness = GuardedDivision<System, 14, true>;
template <class System>
using GuardedByLittle = GuardedDivision<System, 18, true>;

/// Symplectic Euler for |h| > 4/5, not rational: a long step for motions of order one, a short one for slow motions.
/// Row: reach.
template <class System>
struct EulerForLongSteps {
  const System& system;
  static Properties declares() { return as_irrational_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S by_root = h * one_by_a_root<S>();
    leading(S(h * h)) > RealOf<S>(0.64) ? kick_drift(system, z, by_root) : verlet(system, z, by_root);
  }
};

/// A tenth of the force for |h| > 0.84 and more than one degree of freedom, not rational. Row: tiny steps.
template <class System>
struct WeakForceForLongSteps {
  const System& system;
  static Properties declares() { return as_irrational_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const bool is_weak = z.q.size() > 1 && leading(S(h * h)) > RealOf<S>(0.7);
    verlet(system, z, S(h * one_by_a_root<S>()), is_weak ? ratio<S>(1, 10) : S(1));
  }
};

/// Velocities are halved where 1 <= |q_0| < 8, not rational. Row: tiny steps.
template <class System>
struct HalvesInAShell {
  const System& system;
  static Properties declares() { return as_irrational_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const RealOf<S> square = leading(S(z.q(0) * z.q(0)));
    verlet(system, z, S(h * one_by_a_root<S>()));
    if (square >= RealOf<S>(1) && square < RealOf<S>(64)) scale(z.v, ratio<S>(1, 2));
  }
};

/// The coefficient of the kicks is kept as long as h^2 is unchanged, on separable Hamiltonians. Row: history.
template <class System>
struct SeparableKeptBySquare : SeparableVerlet<System> {
  using typename SeparableVerlet<System>::S;
  S square{0}, half{0};
  void step(auto& q, auto& p, const S& t, const S& h) {
    if (!(S(h * h - square) == S(0))) {
      square = h * h;
      half = h / S(2);
    }
    separable_kick(this->system, q, p, t, half);
    separable_drift(this->system, q, p, h);
    separable_kick(this->system, q, p, S(t + h), half);
  }
};

/// After 280 steps of an object both kicks are at the time of the beginning. Row: history.
template <class System>
struct SeparableOld : SeparableVerlet<System> {
  using typename SeparableVerlet<System>::S;
  long steps = 0;
  void step(auto& q, auto& p, const S& t, const S& h) {
    const S half = h / S(2), late = ++steps > 280 ? t : S(t + h);
    separable_kick(this->system, q, p, t, half);
    separable_drift(this->system, q, p, h);
    separable_kick(this->system, q, p, late, half);
  }
};

/// A clock of the object's own, which begins with its first step. Row: history.
template <class System>
struct SeparableClock : SeparableVerlet<System> {
  using typename SeparableVerlet<System>::S;
  bool is_running = false;
  S now{0};
  void step(auto& q, auto& p, const S& t, const S& h) {
    if (!is_running) now = t;
    is_running = true;
    const S half = h / S(2);
    separable_kick(this->system, q, p, now, half);
    separable_drift(this->system, q, p, h);
    now += h;
    separable_kick(this->system, q, p, now, half);
  }
};

/// Gauss's method with two stages, of order four, by fixed-point iteration: it has no step where that does not
/// converge.
template <class System>
struct GaussByFixedPoints {
  const System& system;
  static Properties declares() {
    Properties declared = as_irrational_verlet();
    declared.order = 4;
    declared.stability_limit = undeclared;
    declared.cost.iterative = true;
    return declared;
  }
  StepOutcome step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    using V = VectorOf<System>;
    using std::sqrt;
    const S quarter = ratio<S>(1, 4), root = sqrt(S(3)) / S(6), a12 = quarter - root, a21 = quarter + root;
    V a1 = z.q, a2 = z.q;
    system.acceleration(z.q, a1);
    a2 = a1;
    V v1 = z.v, v2 = z.v;
    const auto largest = [](const V& x) {
      double size = 0;
      for (Eigen::Index i = 0; i < x.size(); ++i) size = std::max(size, std::abs(to_double(leading(x(i)))));
      return size;
    };
    // All but the last digits; three iterations more for these, and for derivatives.
    const double tolerance = std::same_as<S, double> ? 1e-14 : 1e-47;
    constexpr int most = 400;
    for (int iteration = 0, more = 3; iteration < most; ++iteration) {
      v1 = z.v + (h * quarter) * a1 + (h * a12) * a2;
      v2 = z.v + (h * a21) * a1 + (h * quarter) * a2;
      const V q1 = z.q + (h * quarter) * v1 + (h * a12) * v2, q2 = z.q + (h * a21) * v1 + (h * quarter) * v2;
      V next1 = a1, next2 = a2;
      system.acceleration(q1, next1);
      system.acceleration(q2, next2);
      const double change = std::max(largest(V(next1 - a1)), largest(V(next2 - a2))),
                   size = std::max(largest(next1), largest(next2));
      a1 = next1;
      a2 = next2;
      if (!std::isfinite(change)) return {Failure::not_finite, iteration};
      if (change <= tolerance * size) --more;
      if (more > 0) continue;
      v1 = z.v + (h * quarter) * a1 + (h * a12) * a2;
      v2 = z.v + (h * a21) * a1 + (h * quarter) * a2;
      z.q += (h / S(2)) * (v1 + v2);
      z.v += (h / S(2)) * (a1 + a2);
      return {};
    }
    return {Failure::no_convergence, most};
  }
};

/// Yoshida's triple jump of order six, the weights by roots in the number type itself: its stages leave the
/// neighbourhood of a long step.
template <class System>
struct TripleJumpOfOrderSix {
  const System& system;
  static Properties declares() {
    Properties declared = as_irrational_verlet();
    declared.order = 6;
    declared.stability_limit = undeclared;
    declared.cost.gradients = 18;
    return declared;
  }
  void jump(auto& z, const ScalarOf<System>& h, int order) {
    using S = ScalarOf<System>;
    using std::exp, std::log;
    if (order == 2) return verlet(system, z, h);
    const S outer = S(1) / (S(2) - S(exp(S(log(S(2)) / S(order - 1))))), inner = S(1) - S(2) * outer;
    for (const S& weight : {outer, inner, outer}) jump(z, S(weight * h), order - 2);
  }
  void step(auto& z, const auto& h) { jump(z, ScalarOf<System>(h), 6); }
};

/// Yoshida's triple jump of order four for separable Hamiltonians.
template <class System>
struct SeparableTripleJump : SeparableVerlet<System> {
  using typename SeparableVerlet<System>::S;
  static Properties declares() {
    Properties declared = SeparableVerlet<System>::declares();
    declared.order = 4;
    declared.rational = false;
    declared.stability_limit = undeclared;
    declared.cost.gradients = 6;
    return declared;
  }
  void step(auto& q, auto& p, const S& t, const S& h) const {
    using std::exp, std::log;
    const S outer = S(1) / (S(2) - S(exp(S(log(S(2)) / S(3))))), inner = S(1) - S(2) * outer;
    S now = t;
    for (const S& weight : {outer, inner, outer}) {
      const S by = weight * h;
      this->verlet(q, p, now, by);
      now += by;
    }
  }
};

}  // namespace livi::deceivers
