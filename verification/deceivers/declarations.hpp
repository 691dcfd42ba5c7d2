// SPDX-License-Identifier: MIT
//
// Deceivers whose step is a good one and whose words about it are not: absent properties that are there, limits, costs,
// maps to canonical coordinates that are no coordinates.
#pragma once

#include "motions.hpp"

namespace livi::deceivers {

/// Verlet that declares not to be symplectic. Row: symplectic.
template <class System>
struct HidesSymplecticity {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.symplectic = false;
    return declared;
  }
  void step(auto& z, const auto& h) { verlet(system, z, h); }
};

/// Verlet that declares to lose angular momentum. Row: angular momentum.
template <class System>
struct HidesAngularMomentum {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.angular_momentum = false;
    return declared;
  }
  void step(auto& z, const auto& h) { verlet(system, z, h); }
};

/// Verlet that declares memory. Row: memory.
template <class System>
struct DeclaresAMemoryItHasNot {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.memory = true;
    return declared;
  }
  void step(auto& z, const auto& h) { verlet(system, z, h); }
};

/// Verlet that declares to be stable up to 2.1. Row: linear stability.
template <class System>
struct StableUpToTooMuch {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.stability_limit = 2.1;
    return declared;
  }
  void step(auto& z, const auto& h) { verlet(system, z, h); }
};

/// Verlet that declares to be stable up to 2 + 10^-9. Row: linear stability.
template <class System>
struct StableUpToALittleTooMuch {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.stability_limit = 2 + 1e-9;
    return declared;
  }
  void step(auto& z, const auto& h) { verlet(system, z, h); }
};

/// Heun's method, never stable, which declares the step at which its radius has left 1 by 10^-6. Row: linear stability.
template <class System>
struct HeunWithALimit {
  const System& system;
  static Properties declares() {
    Properties declared = as_heun();
    declared.stability_limit = 0.0531829589694;
    return declared;
  }
  void step(auto& z, const auto& h) { heun(system, z, h); }
};

/// Three Verlet steps of h (1/3 + d), h (1/3 - 2 d), h (1/3 + d): resonances as narrow as d near h omega = 3 and 5.2,
/// far below the last limit. Row: linear stability.
template <class System>
struct NarrowResonances {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.stability_limit = 6;
    declared.cost.gradients = 6;
    return declared;
  }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S side = ratio<S>(1, 3) + ratio<S>(1, 20000), middle = S(1) - S(2) * side;
    for (const S& fraction : {side, middle, side}) verlet(system, z, S(fraction * h));
  }
};

/// Verlet but for 1.0050 < h < 1.0060, where it grows. Row: linear stability, certificate or reach.
template <class System>
struct NarrowWindow {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h);
    const double size = to_double(h);
    if (1.0050 < size && size < 1.0060) scale(z.v, ratio<S>(101, 100));
  }
};

/// Kicks that stiffness weakens up to h = 20000, Verlet beyond. Declares to be stable for every step. Row: linear
/// stability or certificate.
template <class System>
struct UnconditionalUpToABound {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.symplectic = false;
    declared.stability_limit = unlimited;
    declared.cost = {.gradients = 2, .hessians = 2};
    return declared;
  }
  StepOutcome step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S half = h / S(2);
    if (exceeds(h, 20000)) return verlet(system, z, h), StepOutcome{};
    if (const StepOutcome outcome = softened_kick(system, z, half, S(h * h / S(4))); !outcome.ok()) return outcome;
    drift(z, h);
    return softened_kick(system, z, half, S(h * h / S(4)));
  }
};

/// One gradient more than it declares. Row: cost.
template <class System>
struct OneGradientMore {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.cost.gradients = 1;
    return declared;
  }
  void step(auto& z, const auto& h) { verlet(system, z, h); }
};

/// One gradient more in every 32nd step. Row: cost.
template <class System>
struct OneGradientMoreNowAndThen {
  const System& system;
  long steps = 0;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    verlet(system, z, h);
    auto v = z.v;
    if (++steps % 32 == 0) kick(system, z.q, v, h);
  }
};

/// Declares a linear solve that it does not make. Row: cost.
template <class System>
struct SolveNotMade {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.cost.linear_solves = 1;
    return declared;
  }
  void step(auto& z, const auto& h) { verlet(system, z, h); }
};

/// Not symplectic; conjugate to a symplectic method by a map, it says.
inline Properties as_conjugate() {
  Properties declared = as_verlet();
  declared.symplectic = false;
  declared.conjugate_symplectic = true;
  return declared;
}

/// By the map to zero, where every form is preserved. Row: conjugate symplectic.
template <class System>
struct MapToZero {
  const System& system;
  static Properties declares() { return as_conjugate(); }
  void step(auto& z, const auto& h) { unweighted_verlet(system, z, h); }
  void canonical_position(const auto& q, const auto&, auto& out) const {
    out = q;
    scale(out, ScalarOf<System>(0));
  }
};

/// By a change of coordinates that makes every form too small to be seen, 10^-50 q. Row: conjugate symplectic.
template <class System>
struct MapTooSmall {
  const System& system;
  static Properties declares() { return as_conjugate(); }
  void step(auto& z, const auto& h) { unweighted_verlet(system, z, h); }
  void canonical_position(const auto& q, const auto&, auto& out) const {
    out = q;
    scale(out, tiny<ScalarOf<System>>(50));
  }
};

/// By a map that depends on the step, h^512 q. Row: conjugate symplectic.
template <class System>
struct MapThatDependsOnTheStep {
  const System& system;
  static Properties declares() { return as_conjugate(); }
  void step(auto& z, const auto& h) { unweighted_verlet(system, z, h); }
  void canonical_position(const auto& q, const auto& h, auto& out) const {
    using S = ScalarOf<System>;
    S factor = h;
    for (int k = 0; k < 9; ++k) factor *= factor;  // h^512
    out = q;
    scale(out, factor);
  }
};

/// By the identity without its derivative: the values of q, constant on every rounding. Row: conjugate symplectic.
template <class System>
struct MapWithoutDerivative {
  const System& system;
  static Properties declares() {
    Properties declared = as_conjugate();
    declared.rational = false;
    return declared;
  }
  void step(auto& z, const auto& h) { unweighted_verlet(system, z, h); }
  void canonical_position(const auto& q, const auto&, auto& out) const {
    using S = ScalarOf<System>;
    out = q;
    if constexpr (!ScalarTraits<S>::exact)
      for (Eigen::Index i = 0; i < q.size(); ++i) out(i) = S(leading(q(i)));
  }
};

/// By a map that is the identity for equal masses, where the step is symplectic, and zero where it is not. Row:
/// conjugate symplectic.
template <class System>
struct MapThatDependsOnTheMass {
  const System& system;
  static Properties declares() { return as_conjugate(); }
  void step(auto& z, const auto& h) { unweighted_verlet(system, z, h); }
  void canonical_position(const auto& q, const auto&, auto& out) const {
    using S = ScalarOf<System>;
    out = q;
    if (q.size() > 2 || !(mass_entry(system, q.size() - 1, q.size() - 1) == S(1))) scale(out, S(0));
  }
};

}  // namespace livi::deceivers
