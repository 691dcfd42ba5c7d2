// SPDX-License-Identifier: MIT
//
// Deceivers among integrators for rigid bodies: velocity Lie-Verlet, or Lie-Newmark, and what was changed.
#pragma once

#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>

#include "motions.hpp"

namespace livi::deceivers {

/// Velocity Lie-Verlet as it is, its state and declarations, for those that change a line.
template <class System>
struct LieVerletBase {
  using S = ScalarOf<System>;
  using state_type = BodyState<S>;
  const System& system;
  LieVerlet<System> inner;
  long steps = 0;

  explicit LieVerletBase(const System& body) : system(body), inner(body) {}
  [[nodiscard]] Properties declares() const {
    Properties declared = inner.declares();
    declared.name = "a Lie-Verlet of the gallery";
    declared.source = "gallery";
    declared.rational = false;
    return declared;
  }
  [[nodiscard]] state_type start(const Matrix3<S>& q, const Vector3<S>& w) const { return inner.start(q, w); }
  /// I W += t tau(Q).
  void kick(state_type& z, const S& t) const { z.w = system.velocity(Vector3<S>(system.momentum(z.w) + t * z.torque)); }
};

/// Kicks before the free motion and after it in turn, the parity in the object. Row: history, symmetric.
template <class System>
struct AlternatingBody : LieVerletBase<System> {
  using Base = LieVerletBase<System>;
  using Base::Base, typename Base::S;
  StepOutcome step(typename Base::state_type& z, const S& h) {
    const S more = this->steps++ % 2 == 0 ? S(h / S(2)) : S(-h / S(2));
    Base::kick(z, more);
    if (const StepOutcome outcome = this->inner.step(z, h); !outcome.ok()) return outcome;
    Base::kick(z, S(-more));
    return {};
  }
};

/// The torque times 1 + 10^-10. Row: order.
template <class System>
struct TorqueTooLarge : LieVerletBase<System> {
  using Base = LieVerletBase<System>;
  using Base::Base, typename Base::S;
  StepOutcome step(typename Base::state_type& z, const S& h) {
    const S more = h / S(2) * tiny<S>(10);
    Base::kick(z, more);
    if (const StepOutcome outcome = this->inner.step(z, h); !outcome.ok()) return outcome;
    Base::kick(z, more);
    return {};
  }
};

/// Friction of 10^-9. Row: symplectic, stress test.
template <class System>
struct BodyWithFriction : LieVerletBase<System> {
  using Base = LieVerletBase<System>;
  using Base::Base, typename Base::S;
  StepOutcome step(typename Base::state_type& z, const S& h) {
    const StepOutcome outcome = this->inner.step(z, h);
    for (int i = 0; i < 3; ++i) z.w(i) *= S(1) - h * tiny<S>(9);
    return outcome;
  }
};

/// The attitude leaves the group by 10^-digits a step. Row: group.
template <class System, int digits>
struct LeavesTheGroupBy : LieVerletBase<System> {
  using Base = LieVerletBase<System>;
  using Base::Base, typename Base::S;
  StepOutcome step(typename Base::state_type& z, const S& h) {
    const StepOutcome outcome = this->inner.step(z, h);
    for (int i = 0; i < 9; ++i) z.q.data()[i] *= S(1) + tiny<S>(digits);
    return outcome;
  }
};
template <class System>
using LeavesTheGroup = LeavesTheGroupBy<System, 30>;
/// More than roundings in 50 digits, and less than those of coefficients in double: these are no excuse.
template <class System>
using LeavesTheGroupSlowly = LeavesTheGroupBy<System, 18>;

/// Kick, free motion, always forward. Row: negative steps.
template <class System>
struct BodyThatRunsForward : LieVerletBase<System> {
  using Base = LieVerletBase<System>;
  using Base::Base, typename Base::S;
  [[nodiscard]] Properties declares() const {
    Properties declared = Base::declares();
    declared.order = 1;
    declared.symmetric = false;
    return declared;
  }
  StepOutcome step(typename Base::state_type& z, const S& h) {
    const S forward = negative(h) ? S(-h) : h, half = forward / S(2);
    Base::kick(z, half);
    if (const StepOutcome outcome = this->inner.step(z, forward); !outcome.ok()) return outcome;
    Base::kick(z, S(-half));
    return {};
  }
};

/// In double the torque is too large by 10^-6. Row: number types.
template <class System>
struct AnotherBodyInDouble : LieVerletBase<System> {
  using Base = LieVerletBase<System>;
  using Base::Base, typename Base::S;
  StepOutcome step(typename Base::state_type& z, const S& h) {
    const S more = std::same_as<S, double> ? S(h / S(2000000)) : S(0);
    Base::kick(z, more);
    if (const StepOutcome outcome = this->inner.step(z, h); !outcome.ok()) return outcome;
    Base::kick(z, more);
    return {};
  }
};

/// Every thousandth step of an object makes its kicks at the start. Row: history.
template <class System>
struct BodyEveryThousandthStep : LieVerletBase<System> {
  using Base = LieVerletBase<System>;
  using Base::Base, typename Base::S;
  StepOutcome step(typename Base::state_type& z, const S& h) {
    const S more = ++this->steps % 1000 == 0 ? S(h / S(2)) : S(0);
    Base::kick(z, more);
    if (const StepOutcome outcome = this->inner.step(z, h); !outcome.ok()) return outcome;
    Base::kick(z, S(-more));
    return {};
  }
};

/// The implicit equation by eight fixed-point iterations, too few. Row: symplectic, symmetric.
template <class System>
struct BodyByFewIterations : LieVerletBase<System> {
  using Base = LieVerletBase<System>;
  using Base::Base, typename Base::S;
  StepOutcome step(typename Base::state_type& z, const S& h) {
    using V = Vector3<S>;
    const S half = h / S(2);
    const V mu = this->system.momentum(z.w) + half * z.torque;
    V x = this->system.velocity(mu), p = mu;
    for (int i = 0; i < 8; ++i) {
      p = this->system.momentum(x);
      x = this->system.velocity(V(mu - half * cross(x, p) - half * half * dot(x, p) * x));
    }
    p = this->system.momentum(x);
    z.q = z.q * so3::cay(V(h * x));
    z.torque = this->system.torque(z.q);
    z.w = this->system.velocity(V(p - half * cross(x, p) + half * half * dot(x, p) * x + half * z.torque));
    return {};
  }
};

/// Lie-Newmark, said to be symplectic after the map to zero momentum, where the form vanishes. Row: conjugate
/// symplectic.
template <class System>
struct MapToZeroMomentum : LieNewmark<System> {
  using LieNewmark<System>::LieNewmark;
  [[nodiscard]] Properties declares() const {
    Properties declared = LieNewmark<System>::declares();
    declared.conjugate_symplectic = true;
    declared.rational = false;
    return declared;
  }
  [[nodiscard]] auto canonical_momentum(const auto& w, const auto&) const {
    auto zero = w;
    for (int i = 0; i < 3; ++i) zero(i) *= ScalarOf<System>(0);
    return zero;
  }
};

/// Kicks before the free motion, not around it, where the body turns faster than eight radians in a unit of time:
/// symplectic there, and not its own adjoint. Row: reach.
template <class System>
struct BodyThatTurnsFast : LieVerletBase<System> {
  using Base = LieVerletBase<System>;
  using Base::Base, typename Base::S;
  StepOutcome step(typename Base::state_type& z, const S& h) {
    const S more = exceeds(dot(z.w, z.w), 64) ? S(h / S(2)) : S(0);
    Base::kick(z, more);
    if (const StepOutcome outcome = this->inner.step(z, h); !outcome.ok()) return outcome;
    Base::kick(z, S(-more));
    return {};
  }
};

/// The angular velocity is halved above two hundred. Row: reach.
template <class System>
struct BodyWithASpeedLimit : LieVerletBase<System> {
  using Base = LieVerletBase<System>;
  using Base::Base, typename Base::S;
  StepOutcome step(typename Base::state_type& z, const S& h) {
    const StepOutcome outcome = this->inner.step(z, h);
    if (exceeds(dot(z.w, z.w), 40000)) z.w = z.w * ratio<S>(1, 2);
    return outcome;
  }
};

/// Friction of 10^-9 where a moment of inertia is above five. Row: reach.
template <class System>
struct HeavyBody : LieVerletBase<System> {
  using Base = LieVerletBase<System>;
  using Base::Base, typename Base::S;
  StepOutcome step(typename Base::state_type& z, const S& h) {
    const StepOutcome outcome = this->inner.step(z, h);
    for (int i = 0; i < 3; ++i)
      if (exceeds(this->system.inertia().diagonal(i), 5)) z.w(i) *= S(1) - h * tiny<S>(9);
    return outcome;
  }
};

/// All of the kick before the free motion in steps longer than 3/10. Row: reach.
template <class System>
struct BodyInLongSteps : LieVerletBase<System> {
  using Base = LieVerletBase<System>;
  using Base::Base, typename Base::S;
  StepOutcome step(typename Base::state_type& z, const S& h) {
    const S more = std::abs(to_double(h)) > 0.3 ? S(h / S(2)) : S(0);
    Base::kick(z, more);
    if (const StepOutcome outcome = this->inner.step(z, h); !outcome.ok()) return outcome;
    Base::kick(z, S(-more));
    return {};
  }
};

/// Velocity Lie-Verlet as it is. Honest.
template <class System>
struct HonestLieVerlet : LieVerletBase<System> {
  using Base = LieVerletBase<System>;
  using Base::Base, typename Base::S;
  StepOutcome step(typename Base::state_type& z, const S& h) { return this->inner.step(z, h); }
};

}  // namespace livi::deceivers
