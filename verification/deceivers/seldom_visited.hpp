// SPDX-License-Identifier: MIT
//
// Methods that are right wherever a judge is likely to look, and wrong where it seldom does: potentials that are no
// polynomials, starts from rest, late states of a method with a memory, steps and sizes that are rare in double,
// several degrees of freedom for what is decided with one.
#pragma once

#include "other_equations.hpp"

namespace livi::deceivers {

/// One, by way of a root: no exact type follows it.
template <class S>
S one_by_a_root() {
  using std::sqrt;
  return S(sqrt(S(4)) / S(2));
}

/// Differences of the potential over five points at distance one for its gradient: exact on polynomials of degree four.
/// Values of the potential cost nothing, as it declares. Row: tiny steps, cost.
template <class System>
struct FivePointForce {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.cost = {.gradients = 0};
    return declared;
  }
  void kick_by_differences(auto& z, const auto& t) {
    using S = ScalarOf<System>;
    auto q = z.q, gradient = z.q;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const S x = q(i);
      const auto at = [&](int k) {
        q(i) = x + S(k);
        const S v = system.potential().value(q);
        q(i) = x;
        return v;
      };
      gradient(i) = (S(8) * (at(1) - at(-1)) - (at(2) - at(-2))) / S(12);
    }
    const auto a = system.velocity(gradient);
    for (Eigen::Index i = 0; i < q.size(); ++i) z.v(i) -= t * a(i);
  }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S half = h / S(2);
    kick_by_differences(z, half);
    drift(z, h);
    kick_by_differences(z, half);
  }
};

/// Whether every velocity of several is zero.
bool at_rest(const auto& v) {
  using S = std::remove_cvref_t<decltype(v(0))>;
  for (Eigen::Index i = 0; i < v.size(); ++i)
    if (leading(v(i)) != RealOf<S>(0)) return false;
  return v.size() > 1;
}
/// From rest nothing happens. Row: tiny steps.
template <class System>
struct StandsStillFromRest {
  const System& system;
  static Properties declares() { return as_irrational_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    if (!at_rest(z.v)) verlet(system, z, S(one_by_a_root<S>() * h));
  }
};
/// From rest nothing happens, but not in exact types. Row: tiny steps.
template <class System>
struct ForkedAtRest {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    if constexpr (!ScalarTraits<ScalarOf<System>>::exact)
      if (at_rest(z.v)) return;
    verlet(system, z, h);
  }
};

/// A memory is declared, and counts steps.
template <class System>
struct CountsWithAMemory {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.memory = true;
    return declared;
  }
  auto start(const auto& q, const auto& v) const { return ForceState<ScalarOf<System>, Dynamic>{q, v, q, {}}; }
  /// The steps made before this one; in exact types none.
  static double count(auto& z) {
    using S = ScalarOf<System>;
    const double before = ScalarTraits<S>::exact ? 0 : to_double(z.step);
    z.step += S(1);
    return before;
  }
};
/// Symplectic Euler after three hundred steps. Row: order.
template <class System>
struct MemoryThenEuler : CountsWithAMemory<System> {
  void step(auto& z, const auto& h) {
    if (this->count(z) < 300) {
      verlet(this->system, z, h);
    } else {
      kick_drift(this->system, z, h);
    }
  }
};
/// Not symplectic after eight steps. Row: symplectic.
template <class System>
struct MemoryNotSymplectic : CountsWithAMemory<System> {
  void step(auto& z, const auto& h) {
    if (this->count(z) < 8) {
      verlet(this->system, z, h);
    } else {
      unweighted_verlet(this->system, z, h);
    }
  }
};

/// In double only. Row: single steps.
template <class System>
struct EulerForLongStepsInDouble {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    if constexpr (std::same_as<ScalarOf<System>, double>)
      if (std::abs(h) > 0.5) return kick_drift(system, z, h);
    verlet(system, z, h);
  }
};
template <class System>
struct StillForTinyStepsInDouble {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    if constexpr (std::same_as<ScalarOf<System>, double>)
      if (std::abs(h) < 1e-4) return;
    verlet(system, z, h);
  }
};
template <class System>
struct FrictionFarOutInDouble {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    verlet(system, z, h);
    if constexpr (std::same_as<ScalarOf<System>, double>)
      if (std::abs(z.q(0)) > 200) scale(z.v, 0.5);
  }
};
/// In every type, where |q_0| > 200, not rational. Row: reach.
template <class System>
struct FrictionFarOut {
  const System& system;
  static Properties declares() { return as_irrational_verlet(); }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    verlet(system, z, S(one_by_a_root<S>() * h));
    if (exceeds(S(z.q(0) * z.q(0)), 40000)) scale(z.v, ratio<S>(1, 2));
  }
};

/// Three steps of Verlet, stable up to 6 with one degree of freedom, where they are equal, and up to 20/9 with more.
/// Row: coupled oscillators.
template <class System>
struct LowerLimitOfSeveral {
  const System& system;
  static Properties declares() {
    Properties declared = as_verlet();
    declared.stability_limit = 6;
    declared.cost.gradients = 6;
    return declared;
  }
  void step(auto& z, const auto& h) {
    using S = ScalarOf<System>;
    const S outer = z.q.size() == 1 ? ratio<S>(1, 3) : ratio<S>(9, 10), inner = S(1) - S(2) * outer;
    verlet(system, z, S(outer * h));
    verlet(system, z, S(inner * h));
    verlet(system, z, S(outer * h));
  }
};
/// Ten gradients more with more than two degrees of freedom. Row: cost.
template <class System>
struct TenGradientsOfMany {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    if (z.q.size() > 2) {
      auto a = z.q;
      for (int i = 0; i < 10; ++i) system.acceleration(z.q, a);
    }
    verlet(system, z, h);
  }
};
/// Stands still with more than forty degrees of freedom, and with full masses of more than five. Row: tiny steps.
template <class System>
struct OtherDimensions {
  const System& system;
  static Properties declares() { return as_verlet(); }
  void step(auto& z, const auto& h) {
    const auto n = z.q.size();
    if (n > 40 || (n > 5 && !(mass_entry(system, 0, 1) == ScalarOf<System>(0)))) return;
    verlet(system, z, h);
  }
};

/// Kicks that are softened by the stiffness along (1, ..., 1): unlimited with one degree of freedom, not with several.
/// Row: coupled oscillators.
template <class System>
struct UnconditionalAlone {
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
    const S half = h / S(2), c = h * h / S(4);
    if (const StepOutcome outcome = softened_kick(system, z, half, c); !outcome.ok()) return outcome;
    drift(z, h);
    return softened_kick(system, z, half, c);
  }
};

}  // namespace livi::deceivers
