// SPDX-License-Identifier: MIT
//
// Deceivers that fail, or return what is no number as a success: a property that cannot be measured is neither there
// nor absent.
#pragma once

#include <cmath>

#include "motions.hpp"

namespace livi::deceivers {

inline StepOutcome gives_up() { return {Failure::no_convergence, 1}; }

/// Verlet that refuses h > 1/5, where tests of structure are made, and declares no structure. Row: symplectic or
/// symmetric.
template <class System>
struct RefusesLongSteps {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.symplectic = declared.symmetric = false;
    declared.stability_limit = std::numeric_limits<double>::quiet_NaN();
    return declared;
  }
  StepOutcome step(auto& z, const auto& h) {
    using Real = RealOf<ScalarOf<System>>;
    if (leading(h) > Real(1) / Real(5) || leading(h) < Real(-1) / Real(5)) return gives_up();
    verlet(system, z, h);
    return {};
  }
};

/// Heun's method, without a word on its stability.
inline Properties as_fragile_heun() {
  Properties declared = as_heun();
  declared.stability_limit = std::numeric_limits<double>::quiet_NaN();
  return declared;
}

/// Heun's method, which fails where M_11 = 4: one problem of the five. Row: order.
template <class System>
struct FailsOnOneProblem {
  const System& system;
  static Properties declares() { return as_fragile_heun(); }
  StepOutcome step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    if (z.q.size() > 1 && mass_entry(system, 1, 1) == S(4)) return gives_up();
    heun(system, z, h);
    return {};
  }
};

/// Heun's method, which fails at h = 1/64 when it is differentiated. Row: symplectic.
template <class System>
struct FailsAtOneStepSize {
  const System& system;
  static Properties declares() { return as_fragile_heun(); }
  StepOutcome step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    if (!std::same_as<S, RealOf<S>> && to_double(h) == 1.0 / 64) return gives_up();
    heun(system, z, h);
    return {};
  }
};

/// Heun's method, every 1000th step of which fails; nothing that it declares is tested by so many. Row: history.
template <class System>
struct FailsEveryThousandthStep {
  const System& system;
  long steps = 0;
  static Properties declares() { return as_fragile_heun(); }
  StepOutcome step(auto& z, const auto& h) {
    heun(system, z, h);
    return ++steps % 1000 == 0 ? gives_up() : StepOutcome{};
  }
};

/// Heun's method, which fails in one state of a hundred. Row: history, memory or order.
template <class System>
struct FailsInSomeStates {
  const System& system;
  static Properties declares() {
    Properties declared = as_fragile_heun();
    declared.rational = false;
    return declared;
  }
  StepOutcome step(auto& z, const auto& h) {
    heun(system, z, h);
    const double scaled = 1000 * to_double(z.q(0));
    return scaled - std::floor(scaled) < 1e-2 && scaled > std::floor(scaled) ? gives_up() : StepOutcome{};
  }
};

/// Symplectic Euler, for h < 0 not a number, and no failure. Row: negative steps.
template <class System>
struct NotANumberBackwards {
  const System& system;
  static Properties declares() { return as_symplectic_euler(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    kick_drift(system, z, h);
    if (to_double(h) < 0) scale(z.v, S(std::numeric_limits<double>::quiet_NaN()));
  }
};

/// Verlet that for h < 0 fails, and declares no symmetry. Row: negative steps or symmetric.
template <class System>
struct FailsBackwards {
  const System& system;
  static Properties declares() { return as_symplectic_euler(); }
  StepOutcome step(auto& z, const auto& h) {
    if (to_double(h) < 0) return gives_up();
    kick_drift(system, z, h);
    return {};
  }
};

/// Infinite velocities for more than six degrees of freedom, and no failure. Row: reach.
template <class System>
struct InfiniteInHighDimensions {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h);
    if (z.q.size() > 6) scale(z.v, S(std::numeric_limits<double>::infinity()));
  }
};

/// Verlet that is not a number under duals, declared not to be symplectic. Row: symplectic.
template <class System>
struct NotANumberUnderDuals {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.symplectic = false;
    declared.rational = false;
    return declared;
  }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h);
    if constexpr (std::same_as<S, Dual<Float50>>) scale(z.v, S(std::numeric_limits<double>::quiet_NaN()));
    if constexpr (ScalarTraits<S>::exact) throw NotRational("this method");
  }
};

/// Always fails, and declares nothing. Row: order.
template <class System>
struct AlwaysFails {
  const System& system;
  static Properties declares() {
    return {.stability_limit = std::numeric_limits<double>::quiet_NaN(), .cost = {.iterative = true}};
  }
  StepOutcome step(auto&, const auto&) { return gives_up(); }
};

/// Stands still, and declares order 0: every structure there is. Row: order (a method of order 0 is none).
template <class System>
struct StandsStill {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.order = 0;
    declared.stability_limit = std::numeric_limits<double>::quiet_NaN();
    declared.cost.gradients = 0;
    return declared;
  }
  void step(auto&, const auto&) {}
};

}  // namespace livi::deceivers
