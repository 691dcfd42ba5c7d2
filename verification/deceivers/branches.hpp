// SPDX-License-Identifier: MIT
//
// Deceivers that do something else somewhere: for large or fast or backward steps, for other dimensions and masses, at
// points and step sizes that no test comes to.
#pragma once

#include <cmath>

#include "motions.hpp"

namespace livi::deceivers {

/// Halves the velocity where q_0 > 2. Row: certificate (it branches by size) or reach.
template <class System>
struct HalvesVelocitiesFarOut {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    verlet(system, z, h);
    if (exceeds(z.q(0), 2)) scale(z.v, ratio<ScalarOf<System>>(1, 2));
  }
};

/// Halves the velocity where |q_0| > 2. Row: certificate or reach.
template <class System>
struct BranchesByMagnitude {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    verlet(system, z, h);
    if (magnitude(z.q(0)) > RealOf<ScalarOf<System>>(2)) scale(z.v, ratio<ScalarOf<System>>(1, 2));
  }
};

/// Halves the velocity where |q_0|, rounded to double, is above 5, and says that it is not rational: what no
/// certificate covers must be found by going there. Row: reach.
template <class System>
struct BranchesByRoundedValue {
  const System& system;
  static Properties declares() { return as_irrational_verlet(); }
  void step(auto& z, const auto& h) {
    verlet(system, z, h);
    if (std::abs(to_double(z.q(0))) > 5) scale(z.v, ratio<ScalarOf<System>>(1, 2));
  }
};

/// No velocity may exceed 10, as a safeguard. Row: certificate or reach.
template <class System>
struct SpeedLimit {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, h);
    for (Eigen::Index i = 0; i < z.v.size(); ++i)
      if (exceeds(z.v(i), 10)) z.v(i) = S(10);
  }
};

/// Two half steps where v_0 > 4, one step elsewhere: symplectic piece by piece, and not its own adjoint. Row:
/// certificate or reach.
template <class System>
struct SubstepsWhenFast {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    const int parts = exceeds(z.v(0), 4) ? 2 : 1;
    for (int k = 0; k < parts; ++k) verlet(system, z, ScalarOf<System>(h / ScalarOf<System>(parts)));
  }
};

/// Symplectic Euler below |h| = 1/1000. Row: order or reach.
template <class System>
struct CrudeForTinySteps {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) { std::abs(to_double(h)) < 1e-3 ? kick_drift(system, z, h) : verlet(system, z, h); }
};

/// Right for steps that are multiples of 1/1024, as tests have them; symplectic Euler for others. Row: order (the last
/// step is shorter) or reach.
template <class System>
struct RightForDyadicSteps {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    const double scaled = 1024 * to_double(h);
    std::floor(scaled) < scaled ? kick_drift(system, z, h) : verlet(system, z, h);
  }
};

/// Right where it was started from a position with few decimals, as tests have them. Row: memory or reach.
template <class System>
struct KnowsTheJudgesPoints {
  const System& system;
  static Properties declares() { return as_verlet(); }
  static bool of_a_test(const auto& q) {
    const double scaled = 20 * to_double(q(0)), nearest = std::round(scaled);
    return !(std::abs(scaled - nearest) > 1e-9);
  }
  auto start(const auto& q, const auto& v) const {
    return ForceState<ScalarOf<System>, Dynamic>{q, v, q, ScalarOf<System>(of_a_test(q) ? 0 : 1)};
  }
  void step(auto& z, const auto& h) { z.step == ScalarOf<System>(0) ? verlet(system, z, h) : kick_drift(system, z, h); }
};

/// Symplectic Euler with q -> 2 q for h < 0: its adjoint it need not be, but its inverse flow's. Row: negative steps.
template <class System>
struct DilatesBackwards {
  const System& system;
  static Properties declares() { return as_symplectic_euler(); }
  void step(auto& z, const auto& h) {
    kick_drift(system, z, h);
    if (negative(h)) scale(z.q, ScalarOf<System>(2));
  }
};

/// Takes |h| for h: runs forward whatever it is asked. Row: negative steps.
template <class System>
struct TakesTheSizeOfTheStep {
  const System& system;
  static Properties declares() { return as_symplectic_euler(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    kick_drift(system, z, negative(h) ? S(-h) : S(h));
  }
};

/// Takes the root of h^2 for h, and says that it is not rational. Row: negative steps.
template <class System>
struct TakesTheRootOfTheSquare {
  const System& system;
  static Properties declares() {
    Properties declared = as_symplectic_euler();
    declared.rational = false;
    return declared;
  }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    using std::sqrt;
    kick_drift(system, z, S(sqrt(S(h * h))));
  }
};

/// Verlet forward; backward, where it declares no symmetry, it stands still. Row: negative steps.
template <class System>
struct StandsStillBackwards {
  const System& system;
  static Properties declares() { return as_symplectic_euler(); }
  void step(auto& z, const auto& h) {
    if (!negative(h)) kick_drift(system, z, h);
  }
};

/// Symplectic Euler for more than six degrees of freedom. Row: reach.
template <class System>
struct CrudeInHighDimensions {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) { z.q.size() > 6 ? kick_drift(system, z, h) : verlet(system, z, h); }
};

/// Forgets the last coordinate of an odd number above six: the tail of a loop over pairs. Row: reach.
template <class System>
struct ForgetsTheTail {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    const Eigen::Index n = z.q.size();
    const auto tail = z.q(n - 1);
    verlet(system, z, h);
    if (n > 6 && n % 2 == 1) z.q(n - 1) = tail;
  }
};

/// With one degree of freedom it is symplectic Euler, whose trace on the oscillator is Verlet's. Row: reach.
template <class System>
struct CrudeInOneDimension {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) { z.q.size() == 1 ? kick_drift(system, z, h) : verlet(system, z, h); }
};

/// Divides by the diagonal of the mass alone when there are more than three degrees of freedom. Row: reach.
template <class System>
struct DiagonalMassOnly {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    if (z.q.size() <= 3) return verlet(system, z, h);
    const S half = h / S(2);
    kick_by_diagonal(z, half);
    drift(z, h);
    kick_by_diagonal(z, half);
  }
  void kick_by_diagonal(auto& z, const auto& t) {
    auto gradient = z.q;
    system.potential().gradient(z.q, gradient);
    for (Eigen::Index i = 0; i < z.q.size(); ++i) z.v(i) -= t * gradient(i) / mass_entry(system, i, i);
  }
};

/// Masses above 5 count as 5. Row: reach.
template <class System>
struct LightensHeavyMasses {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S mass = mass_entry(system, 0, 0);
    verlet(system, z, h, exceeds(mass, 5) ? S(mass / S(5)) : S(1));
  }
};

/// Verlet but where the mass is not diagonal and n > 3: the drift is unweighted_verlet's. Row: reach.
template <class System>
struct NotSymplecticForLargeFullMasses {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    const bool full = z.q.size() > 3 && !(mass_entry(system, 0, 1) == ScalarOf<System>(0));
    full ? unweighted_verlet(system, z, h) : verlet(system, z, h);
  }
};

/// Symplectic Euler for steps longer than 3, beyond Verlet's limit on the oscillator, but not on slow problems. Row:
/// certificate or reach.
template <class System>
struct CrudeForLongSteps {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) { exceeds(h, 3) ? kick_drift(system, z, h) : verlet(system, z, h); }
};

/// Symplectic Euler where the degrees of freedom fill the lanes of a processor. Row: reach.
template <class System>
struct CrudeInFullLanes {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) { z.q.size() % 16 == 0 ? kick_drift(system, z, h) : verlet(system, z, h); }
};

/// Symplectic Euler for long steps, and said not to be rational, so that nothing is decided. Row: symmetric.
template <class System>
struct CrudeInLongSteps {
  const System& system;
  static Properties declares() { return as_irrational_verlet(); }
  void step(auto& z, const auto& h) {
    to_double(h) > 0.6 && z.q.size() > 1 ? kick_drift(system, z, h) : verlet(system, z, h);
  }
};

}  // namespace livi::deceivers
