// SPDX-License-Identifier: MIT
//
// Deceivers that remember what a point (q, p) does not say: in the object, in statics, in fields that look like
// outputs, on the clock.
#pragma once

#include <chrono>
#include <random>

#include "motions.hpp"

namespace livi::deceivers {

/// Symplectic Euler and its adjoint in turn, the parity in the object: any even number of steps from a fresh object is
/// Verlet of 2 h. One step is of order one and not its own adjoint. Row: history.
template <class System>
struct AlternatesInTheObject {
  const System& system;
  bool odd = false;
  static Properties declares() { return alternating(); }
  static Properties alternating() {
    Properties declared = as_verlet();
    declared.stability_limit = std::numeric_limits<double>::quiet_NaN();
    declared.cost.gradients = 1;
    return declared;
  }
  void step(auto& z, const auto& h) {
    odd ? drift_kick(system, z, h) : kick_drift(system, z, h);
    odd = !odd;
  }
};

/// Symplectic Euler and its adjoint in turn, with a root, so that no certificate can tell. Row: history.
template <class System>
struct AlternatesWithARoot {
  const System& system;
  AlternatesInTheObject<System> method{system};
  static Properties declares() {
    Properties declared = AlternatesInTheObject<System>::alternating();
    declared.rational = false;
    return declared;
  }
  void step(auto& z, const auto& h) {
    using std::sqrt;
    const auto two = sqrt(ScalarOf<System>(4));
    method.step(z, ScalarOf<System>(h * two / ScalarOf<System>(2)));
  }
};

/// Symplectic Euler and its adjoint in turn, the parity in a static of the class, reset by start(). Row: repetition
/// (two objects disturb each other) or history.
template <class System>
struct AlternatesInAStatic {
  const System& system;
  static inline bool odd = false;
  static Properties declares() { return AlternatesInTheObject<System>::alternating(); }
  auto start(const auto& q, const auto& v) const {
    odd = false;
    return PhaseState<ScalarOf<System>, Dynamic>{q, v};
  }
  void step(auto& z, const auto& h) {
    odd ? drift_kick(system, z, h) : kick_drift(system, z, h);
    odd = !odd;
  }
};

/// Symplectic Euler and its adjoint in turn, the parity in the state, but not in fields(): a checkpoint loses it. Row:
/// restart or history.
template <class System>
struct AlternatesInTheState {
  const System& system;
  static Properties declares() { return AlternatesInTheObject<System>::alternating(); }
  void step(auto& z, const auto& h) {
    const bool odd = !(z.unsaved == ScalarOf<System>(0));
    odd ? drift_kick(system, z, h) : kick_drift(system, z, h);
    z.unsaved = ScalarOf<System>(odd ? 0 : 1);
  }
};

/// Symplectic Euler and its adjoint in turn, the parity in a field that is saved, and memory not declared. Row: memory.
template <class System>
struct AlternatesInAField {
  const System& system;
  static Properties declares() { return AlternatesInTheObject<System>::alternating(); }
  auto start(const auto& q, const auto& v) const { return ForceState<ScalarOf<System>, Dynamic>{q, v, q, {}}; }
  void step(auto& z, const auto& h) {
    const bool odd = !(z.step == ScalarOf<System>(0));
    odd ? drift_kick(system, z, h) : kick_drift(system, z, h);
    z.step = ScalarOf<System>(odd ? 0 : 1);
  }
};

/// Every thousandth step of an object is symplectic Euler's: longer than a test of order, too rare for the energy.
/// Row: history.
template <class System>
struct EveryThousandthStep {
  const System& system;
  long steps = 0;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) { ++steps % 1000 == 0 ? kick_drift(system, z, h) : verlet(system, z, h); }
};

/// Every thousandth step, counted over all objects, is symplectic Euler's. Row: repetition or history.
template <class System>
struct EveryThousandthStepOfAll {
  const System& system;
  static inline long steps = 0;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) { ++steps % 1000 == 0 ? kick_drift(system, z, h) : verlet(system, z, h); }
};

/// Right for three hundred steps, and symplectic Euler ever after: the number of steps is in a field that is saved.
/// Row: memory.
template <class System>
struct RightForThreeHundredSteps {
  const System& system;
  static Properties declares() { return as_verlet(); }
  auto start(const auto& q, const auto& v) const { return ForceState<ScalarOf<System>, Dynamic>{q, v, q, {}}; }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const double steps = ScalarTraits<S>::exact ? 0 : to_double(z.step);
    steps < 300 ? verlet(system, z, h) : kick_drift(system, z, h);
    z.step += S(1);
  }
};

/// The force of the end of a step is kept in a static for the next step, whoever makes it. Right as long as one object
/// runs. Row: repetition (interleaved with another object).
template <class System>
struct ForceInAStatic {
  using V = VectorOf<System>;
  const System& system;
  static inline V force = {};
  static Properties declares() {
    Properties declared = as_verlet();
    declared.cost.gradients = 1;
    return declared;
  }
  auto start(const V& q, const V& v) const {
    force.resize(0);
    return PhaseState<ScalarOf<System>, Dynamic>{q, v};
  }
  void step(auto& z, const auto& h) {
    if (force.size() != z.q.size()) {
      force = z.q;
      system.acceleration(z.q, force);
    }
    const ScalarOf<System> half = h / ScalarOf<System>(2);
    drift(z.v, force, half);
    drift(z, h);
    system.acceleration(z.q, force);
    drift(z.v, force, half);
  }
};

/// The first kick of a step takes the h of the step before: the same as long as h is, as in codes that keep v at half
/// steps. Row: order (the last step is shorter).
template <class System>
struct LastStepSize {
  const System& system;
  static Properties declares() { return as_verlet(); }
  auto start(const auto& q, const auto& v) const { return ForceState<ScalarOf<System>, Dynamic>{q, v, q, {}}; }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S before = z.step == S(0) ? h : z.step;
    kick(system, z, S(before / S(2)));
    drift(z, h);
    kick(system, z, S(h / S(2)));
    z.step = h;
  }
};

/// The velocity that it shows is an output, of order one, computed from the velocity that it steps with, kept in
/// another field. Row: order of p.
template <class System>
struct ShowsAnotherVelocity {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.symmetric = declared.symplectic = declared.angular_momentum = false;
    declared.stability_limit = std::numeric_limits<double>::quiet_NaN();
    declared.cost.gradients = 3;
    declared.memory = true;
    return declared;
  }
  auto start(const auto& q, const auto& v) const { return ForceState<ScalarOf<System>, Dynamic>{q, v, v, {}}; }
  void step(auto& z, const auto& h) {
    z.v = z.f;
    verlet(system, z, h);
    z.f = z.v;
    kick(system, z, ScalarOf<System>(h / ScalarOf<System>(8)));
  }
};

/// A field that looks like an output, the energy at the start, is what the velocities are scaled to. Row: memory, or
/// symplectic.
template <class System>
struct SteersByAnOutput {
  using S = ScalarOf<System>;
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.angular_momentum = declared.linear_momentum = false;
    declared.rational = false;
    return declared;
  }
  auto start(const auto& q, const auto& v) const { return ForceState<S, Dynamic>{q, v, q, system.energy(q, v)}; }
  void step(auto& z, const S& h) {
    verlet(system, z, h);
    const S excess = system.energy(z.q, z.v) - z.step;
    scale(z.v, S(S(1) - excess / S(1000)));
  }
};

/// The time since the object was made is in the force, 1 + t/10^6. Row: history, or order.
template <class System>
struct HiddenTime {
  const System& system;
  ScalarOf<System> time{0};
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h, S(S(1) + time / S(1000000)));
    time += h;
  }
};

/// Every object starts right and is worn out by its steps: the force loses 10^-13 a step, in double only. Row: history
/// or number types.
template <class System>
struct WearsOut {
  const System& system;
  double factor = 1;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    if constexpr (std::same_as<S, double>) factor *= 1 - 1e-13;
    verlet(system, z, h, S(factor));
  }
};

/// Looks at the clock of the machine: one kick in two is longer by 10^-12, in double only. Row: repetition.
template <class System>
struct LooksAtTheClock {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    double factor = 1;
    if constexpr (std::same_as<S, double>)
      factor += 1e-12 * static_cast<double>(std::chrono::steady_clock::now().time_since_epoch().count() / 64 % 2);
    verlet(system, z, h, S(factor));
  }
};

/// Draws random numbers: noise of 10^-14 in every kick, in double only. Row: repetition.
template <class System>
struct DrawsRandomNumbers {
  const System& system;
  static inline std::mt19937 generator{7};
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    double factor = 1;
    if constexpr (std::same_as<S, double>) factor += std::normal_distribution<double>(0, 1e-14)(generator);
    verlet(system, z, h, S(factor));
  }
};

/// Every two thousandth step is one of symplectic Euler: ... in the object. Row: history.
template <class System>
struct EveryTwoThousandthStep {
  const System& system;
  long steps = 0;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) { ++steps % 2000 == 0 ? kick_drift(system, z, h) : verlet(system, z, h); }
};
/// ... in a saved field. Row: memory.
template <class System>
struct EveryTwoThousandthStepOfAState {
  const System& system;
  static Properties declares() { return as_verlet(); }
  auto start(const auto& q, const auto& v) const { return ForceState<ScalarOf<System>, Dynamic>{q, v, q, {}}; }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    z.step = z.step + S(1);
    if (z.step == S(2000)) {
      kick_drift(system, z, h);
      z.step = S(0);
    } else {
      verlet(system, z, h);
    }
  }
};

}  // namespace livi::deceivers
