// SPDX-License-Identifier: MIT
//
// Deceivers among integrators for constrained systems: RATTLE, and what was changed.
#pragma once

#include <livi/integrators/rattle.hpp>

#include "motions.hpp"

namespace livi::deceivers {

/// RATTLE as it is, but that a start off the constraint is not refused: the battery must find what is off. Honest.
template <class System>
struct HonestRattle : Rattle<System> {
  using Rattle<System>::Rattle, typename Rattle<System>::S, typename Rattle<System>::state_type;
  [[nodiscard]] state_type start(const VectorOf<System>& q, const VectorOf<System>& v) const {
    state_type z{q, v, q, {}, {}};
    this->system().constraint().value(q, z.lambda);
    z.lambda.setConstant(S(0));
    z.kappa = z.lambda;
    this->system().acceleration(q, z.f);
    return z;
  }
  [[nodiscard]] Properties declares() const {
    Properties declared = Rattle<System>::declares();
    declared.name = "a RATTLE of the gallery";
    declared.source = "gallery";
    declared.rational = false;
    declared.symmetric = declared.symplectic = true;
    return declared;
  }
};

/// The velocity has a component out of the tangent space, 10^-12 h. Row: constraint.
template <class System>
struct RattleOffTheTangents : HonestRattle<System> {
  using HonestRattle<System>::HonestRattle, typename HonestRattle<System>::S;
  StepOutcome step(auto& z, const auto& h) {
    const StepOutcome outcome = HonestRattle<System>::step(z, h);
    z.v += S(h * tiny<S>(12)) * z.q;
    return outcome;
  }
};

/// The multipliers push along the normals of the unconstrained new position. Row: symplectic, symmetric.
template <class System>
struct RattleWithNewNormals : HonestRattle<System> {
  using HonestRattle<System>::HonestRattle, typename HonestRattle<System>::S;
  StepOutcome step(auto& z, const auto& h) {
    const S half = h / S(2);
    MultiplierSolve<System> multipliers(this->system(), {});
    z.v += half * z.f;
    const VectorOf<System> predicted = z.q + h * z.v;
    VectorOf<System> next = predicted;
    multipliers.set_directions(this->system(), predicted);
    auto mu = z.lambda;
    mu.setConstant(S(0));
    WorkCounters work;
    if (const StepOutcome outcome = multipliers.solve_position(this->system(), predicted, mu, next, work);
        !outcome.ok())
      return outcome;
    z.v += multipliers.push(mu) / h;
    z.q = next;
    this->system().acceleration(z.q, z.f);
    z.v += half * z.f;
    multipliers.set_directions(this->system(), z.q);
    return multipliers.project_velocity(this->system(), z.q, z.v, mu, work);
  }
};

/// Two iterations of Newton's method, said to be enough. Row: constraint, symplectic.
template <class System>
struct RattleStopsEarly : HonestRattle<System> {
  explicit RattleStopsEarly(const System& system) : HonestRattle<System>(system, {.fixed_iterations = 2}) {}
};

/// The force of the first half kick times 1 + 10^-9. Row: order.
template <class System>
struct RattleWithAnotherForce : HonestRattle<System> {
  using HonestRattle<System>::HonestRattle, typename HonestRattle<System>::S;
  StepOutcome step(auto& z, const auto& h) {
    z.f *= S(1) + tiny<S>(9);
    return HonestRattle<System>::step(z, h);
  }
};

/// The force of the first half kick times 3/2 in every thousandth step of an object. Row: history.
template <class System>
struct RattleEveryThousandthStep : HonestRattle<System> {
  using HonestRattle<System>::HonestRattle, typename HonestRattle<System>::S;
  long steps = 0;
  StepOutcome step(auto& z, const auto& h) {
    if (++steps % 1000 == 0) z.f *= ratio<S>(3, 2);
    return HonestRattle<System>::step(z, h);
  }
};

/// Runs forward whatever it is asked, and declares no symmetry. Row: negative steps.
template <class System>
struct RattleThatRunsForward : HonestRattle<System> {
  using HonestRattle<System>::HonestRattle, typename HonestRattle<System>::S;
  [[nodiscard]] Properties declares() const {
    Properties declared = HonestRattle<System>::declares();
    declared.symmetric = false;
    return declared;
  }
  StepOutcome step(auto& z, const auto& h) { return HonestRattle<System>::step(z, negative(h) ? S(-h) : S(h)); }
};

/// The first half kick is of 501/1000 of the step in more than four dimensions. Row: reach.
template <class System>
struct RattleInManyDimensions : HonestRattle<System> {
  using HonestRattle<System>::HonestRattle, typename HonestRattle<System>::S;
  StepOutcome step(auto& z, const auto& h) {
    if (z.q.size() > 4) z.f *= ratio<S>(501, 500);
    return HonestRattle<System>::step(z, h);
  }
};

/// Friction of 10^-9 where a mass is above five: velocities remain tangent. Row: reach.
template <class System>
struct RattleWithHeavyMasses : HonestRattle<System> {
  using HonestRattle<System>::HonestRattle, typename HonestRattle<System>::S;
  StepOutcome step(auto& z, const auto& h) {
    const StepOutcome outcome = HonestRattle<System>::step(z, h);
    bool heavy = false;
    for (Eigen::Index i = 0; i < z.q.size(); ++i) heavy = heavy || exceeds(this->system().mass().diagonal(i), 5);
    if (heavy) z.v *= S(1) - h * tiny<S>(9);
    return outcome;
  }
};

/// Velocities are off the tangent space by 10^-9 h farther than eight from the origin. Row: reach.
template <class System>
struct RattleFarFromTheOrigin : HonestRattle<System> {
  using HonestRattle<System>::HonestRattle, typename HonestRattle<System>::S;
  StepOutcome step(auto& z, const auto& h) {
    const StepOutcome outcome = HonestRattle<System>::step(z, h);
    if (magnitude(z.q(0)) > RealOf<S>(8)) z.v += S(h * tiny<S>(9)) * z.q;
    return outcome;
  }
};

}  // namespace livi::deceivers
