// SPDX-License-Identifier: MIT
//
// Deceivers that depend on the number type: what is tested in 50 digits, differentiated by duals and certified in
// residues is not what runs in double. And iterations that stop too early.
#pragma once

#include "motions.hpp"

namespace livi::deceivers {

/// In double the force is too large by 10^-6: a table of coefficients of its own. Row: number types.
template <class System>
struct WrongTableInDouble {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h, S(std::same_as<S, double> ? 1 + 1e-6 : 1));
  }
};

/// In double it is drift, kick, drift: another good method than the one that is certified. Row: number types.
template <class System>
struct AnotherMethodInDouble {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.cost.iterative = true;
    return declared;
  }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    if constexpr (!std::same_as<S, double>) return verlet(system, z, h);
    const S half = h / S(2);
    drift(z, half);
    kick(system, z, h);
    drift(z, half);
  }
};

/// In double positions are rounded to float. Row: number types.
template <class System>
struct RoundsToFloat {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    verlet(system, z, h);
    if constexpr (std::same_as<ScalarOf<System>, double>)
      for (Eigen::Index i = 0; i < z.q.size(); ++i) z.q(i) = static_cast<double>(static_cast<float>(z.q(i)));
  }
};

/// In double velocities grow by 10^-13 a step, below what a test of one step sees. Row: number types or energy drift.
template <class System>
struct GrowsInDouble {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    verlet(system, z, h);
    if constexpr (std::same_as<ScalarOf<System>, double>) scale(z.v, 1 + 1e-13);
  }
};

/// Positions are rounded to double in every number type that has more: honest, with limits of 1e-17.
template <class System>
struct RoundsToDouble {
  const System& system;
  static Properties declares() { return as_irrational_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h);
    if constexpr (!ScalarTraits<S>::exact)
      for (Eigen::Index i = 0; i < z.q.size(); ++i) z.q(i) += S(to_double(z.q(i))) - S(leading(z.q(i)));
  }
};

/// Verlet where it is differentiated or certified; without derivatives the drift is unweighted_verlet's, which keeps
/// every property but the one that derivatives show. Row: number types.
template <class System>
struct AnotherMethodUnderDuals {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    std::same_as<S, RealOf<S>> ? unweighted_verlet(system, z, h) : verlet(system, z, h);
  }
};

/// Verlet in residues, unweighted_verlet elsewhere; it is said not to be symplectic, as is seen, and no certificate may
/// say otherwise. Row: certificate.
template <class System>
struct AnotherMethodInResidues {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.symplectic = false;
    return declared;
  }
  void step(auto& z, const auto& h) {
    ScalarTraits<ScalarOf<System>>::exact ? verlet(system, z, h) : unweighted_verlet(system, z, h);
  }
};

/// The implicit midpoint rule by a number of fixed-point iterations.
template <class System>
void midpoint(const System& system, auto& z, const auto& h, int iterations) {
  using S = ScalarOf<System>;
  const S half = h / S(2);
  const auto q = z.q, v = z.v;
  for (int k = 0; k < iterations; ++k) {  // z is the midpoint: q + h/2 v_m, v + h/2 a(q_m)
    auto next = v;
    kick(system, z.q, next, half);
    z.q = q;
    drift(z.q, next, half);
    z.v = next;
  }
  z.q = S(2) * z.q - q;
  z.v = S(2) * z.v - v;
}
inline Properties as_midpoint() {
  Properties declared = as_verlet();
  declared.stability_limit = std::numeric_limits<double>::quiet_NaN();
  declared.cost.iterative = true;
  return declared;
}

/// Three iterations: a fixed number, which is symplectic to h^5 or so. Row: symplectic, symmetric.
template <class System>
struct ThreeIterations {
  const System& system;
  static Properties declares() { return as_midpoint(); }
  void step(auto& z, const auto& h) { midpoint(system, z, h, 3); }
};

/// Twelve iterations, enough for double and not for more. Row: symplectic, symmetric.
template <class System>
struct TwelveIterations {
  const System& system;
  static Properties declares() { return as_midpoint(); }
  void step(auto& z, const auto& h) { midpoint(system, z, h, 12); }
};

/// Right in every number type but double, in which the runs are made; there it is symplectic Euler where h is ...
/// Row: number types.
template <class System>
struct AnotherMethodBackwardsInDouble {  // ... negative,
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    if constexpr (std::same_as<ScalarOf<System>, double>)
      if (h < 0) return kick_drift(system, z, h);
    verlet(system, z, h);
  }
};
template <class System>
struct AnotherMethodForDecimalSteps {  // ... no multiple of 1/1024, as 0.01,
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    if constexpr (std::same_as<ScalarOf<System>, double>)
      if (std::abs(h) > 1.0 / 1024 && 1024 * h != std::round(1024 * h)) return kick_drift(system, z, h);
    verlet(system, z, h);
  }
};
template <class System>
struct AnotherMethodForLongSteps {  // ... above 1/5.
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    if constexpr (std::same_as<ScalarOf<System>, double>)
      if (h > 0.2) return kick_drift(system, z, h);
    verlet(system, z, h);
  }
};

/// Iterations until the change is below 10^-10, and no derivative is asked. Row: symplectic, symmetric.
template <class System>
struct StopsEarly {
  const System& system;
  static Properties declares() {
    Properties declared = as_midpoint();
    declared.rational = false;
    return declared;
  }
  StepOutcome step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    if constexpr (ScalarTraits<S>::exact) throw NotRational("an iteration to convergence");
    const auto start = z;
    midpoint(system, z, h, 1);
    for (int iterations = 2; iterations <= 60; ++iterations) {
      const VectorOf<System> before = z.q;
      z = start;
      midpoint(system, z, h, iterations);
      const S change = square(VectorOf<System>(z.q - before));
      if (leading(change) < leading(tiny<S>(20))) return {};
    }
    return {Failure::no_convergence, 60};
  }
};

/// Verlet in all exact types; in others it halves velocities beyond 100. Row: exact types.
template <class System>
struct ForkedFarOut {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h);
    if constexpr (!ScalarTraits<S>::exact)
      if (std::abs(to_double(z.q(0))) > 100) scale(z.v, ratio<S>(1, 2));
  }
};

/// Verlet in three substeps, the second backwards: of order two as well, and stable up to another limit.
void three_verlets(const auto& system, auto& z, const auto& h) {
  using S = std::decay_t<decltype(h)>;
  const S side = ratio<S>(3, 2), middle = S(1) - S(2) * side;
  for (const S& fraction : {side, middle, side}) verlet(system, z, S(fraction * h));
}
inline Properties as_three_verlets() {
  Properties declared = as_verlet();
  declared.cost.gradients = 6;
  return declared;
}

/// Verlet in all exact types; in others a composition with another limit of stability. Row: exact types.
template <class System>
struct ForkedStability {
  const System& system;
  static Properties declares() { return as_three_verlets(); }
  void step(auto& z, const auto& h) {
    ScalarTraits<ScalarOf<System>>::exact ? verlet(system, z, h) : three_verlets(system, z, h);
  }
};
/// Verlet in all exact types; in others, for one degree of freedom alone, where stability is decided, a composition.
/// Row: exact types.
template <class System>
struct ForkedOnTheOscillator {
  const System& system;
  static Properties declares() { return as_three_verlets(); }
  void step(auto& z, const auto& h) {
    ScalarTraits<ScalarOf<System>>::exact || z.q.size() > 1 ? verlet(system, z, h) : three_verlets(system, z, h);
  }
};
/// Verlet, but a composition in series alone, with which orders are decided. Row: exact types.
template <class System>
struct ForkedInSeries {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    std::same_as<ScalarOf<System>, ExactSeries> ? three_verlets(system, z, h) : verlet(system, z, h);
  }
};
/// Seven Verlets: rational numbers of a step have too many digits to be compared. Honest.
template <class System>
struct VerletSevenTimes {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.cost.gradients = 14;
    declared.stability_limit = 14;
    return declared;
  }
  void step(auto& z, const auto& h) {
    const auto part = ScalarOf<System>(h / ScalarOf<System>(7));
    for (int k = 0; k < 7; ++k) verlet(system, z, part);
  }
};
/// Seven Verlets in exact types; in others the middle one is another method where there is more than one degree of
/// freedom. Row: exact types, which compares expansions.
template <class System>
struct ForkedComposition {
  const System& system;
  static Properties declares() {
    Properties declared = VerletSevenTimes<System>::declares();
    declared.cost.gradients = 18;
    return declared;
  }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S part = h / S(7);
    for (int k = 0; k < 7; ++k)
      k == 3 && !ScalarTraits<S>::exact && z.q.size() > 1 ? three_verlets(system, z, part) : verlet(system, z, part);
  }
};
}  // namespace livi::deceivers
