// SPDX-License-Identifier: MIT
//
// Explicit steps of rigid bodies, which have no equation to solve: the method of Euler and rotations in turn.
#pragma once

#include <livi/integrators/body_step.hpp>

namespace livi::explicit_steps {

/// mu += h torque, R <- R tau(h I^-1 mu), mu carried along: no equation to solve.
template <class System, class Map>
class ExplicitEuler {
 public:
  using S = ScalarOf<System>;
  explicit ExplicitEuler(const System& system) : system_(&system) {}
  [[nodiscard]] BodyState<S> start(const Matrix3<S>& q, const Vector3<S>& w) const {
    return {q, w, system_->torque(q)};
  }
  StepOutcome step(BodyState<S>& z, const S& h) const {
    const Vector3<S> mu = system_->momentum(z.w) + h * z.torque;
    const Matrix3<S> turn = Map::map(Vector3<S>(h * system_->velocity(mu)));
    z.q = z.q * turn;
    z.w = system_->velocity(turn.transpose() * mu);
    z.torque = system_->torque(z.q);
    return {};
  }

 private:
  const System* system_;
};

/// A kick mu += h torque, then the exact flows of mu_i^2/(2 I_i), rotations about e_i by h mu_i/I_i, one after the
/// other (Touma and Wisdom 1994, Reich 1994): explicit and a composition of flows, hence symplectic, for all diagonal
/// inertias.
template <class System>
class RotationsInTurn {
 public:
  using S = ScalarOf<System>;
  explicit RotationsInTurn(const System& system) : system_(&system) {}
  [[nodiscard]] BodyState<S> start(const Matrix3<S>& q, const Vector3<S>& w) const {
    return {q, w, system_->torque(q)};
  }
  StepOutcome step(BodyState<S>& z, const S& h) const {
    Vector3<S> mu = system_->momentum(z.w) + h * z.torque;
    for (int i = 0; i < 3; ++i) {
      Vector3<S> turn = Vector3<S>::Constant(S(0));
      turn(i) = h * system_->velocity(mu)(i);
      const Matrix3<S> rotation = so3::exp(turn);
      z.q = z.q * rotation;
      mu = (rotation.transpose() * mu).eval();
    }
    z.w = system_->velocity(mu);
    z.torque = system_->torque(z.q);
    return {};
  }

 private:
  const System* system_;
};

/// NMB where I_1 = I_2 = a and I_3 = c, without a solver: I W x W = (a - c) W_3 (W_2, -W_1, 0), so that (6) gives W_3
/// and then two linear equations.
template <class System>
class SymmetricTopNewmark {
 public:
  using S = ScalarOf<System>;
  explicit SymmetricTopNewmark(const System& system) : system_(&system) {}
  [[nodiscard]] BodyState<S> start(const Matrix3<S>& q, const Vector3<S>& w) const {
    return {q, w, system_->torque(q)};
  }
  StepOutcome step(BodyState<S>& z, const S& h) const {
    const S half = h / S(2);
    const Vector3<S> middle = z.w + half * system_->acceleration(z.w, z.torque);
    z.q = z.q * so3::cay(Vector3<S>(h * middle));
    z.torque = system_->torque(z.q);
    const Vector3<S> known = system_->momentum(middle) + half * z.torque;
    const S a = system_->inertia().diagonal(0), c = system_->inertia().diagonal(2), w3 = known(2) / c,
            k = half * (a - c) * w3, determinant = a * a + k * k;
    z.w = vector3<S>((a * known(0) + k * known(1)) / determinant, (a * known(1) - k * known(0)) / determinant, w3);
    return {};
  }

 private:
  const System* system_;
};

}  // namespace livi::explicit_steps
