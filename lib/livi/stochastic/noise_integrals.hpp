// SPDX-License-Identifier: MIT
//
// What a stochastic step gets of the noise, and what a stochastic method declares.
//
// A stochastic integrator is an integrator (integrators/integrator.hpp) on a StochasticSystem with one more member,
//   StepOutcome step(state, h, noises)      advances by h under the noise, with one NoiseIntegrals for each noise
// so that one step is a function of finitely many numbers: with fixed ones it has a Jacobian, an adjoint, and a run in 50
// digits. step(state, h) is the step without noise. A step allocates nothing.
#pragma once

#include <livi/integrators/integrator.hpp>
#include <span>

namespace livi {

/// The integrals of one noise over one step of length h, from t to t + h:
///   increment   W(t + h) - W(t)
///   integral    I10 = int_t^{t+h} (W(s) - W(t)) ds
///   squared     int_t^{t+h} (W(s) - W(t))^2 ds
template <class S>
struct NoiseIntegrals {
  S increment = S(0);  ///< time^(1/2)
  S integral = S(0);   ///< I10, time^(3/2)
  S squared = S(0);    ///< time^2
  /// Returns zeta = I10 - h (increment)/2, independent of the increment.
  [[nodiscard]] S zeta(const S& h) const { return integral - h * increment / S(2); }
  /// Returns the same numbers in another type, exactly where that holds them.
  template <class T>
  [[nodiscard]] NoiseIntegrals<T> cast() const {
    return {T(increment), T(integral), T(squared)};
  }
};

/// The integrals of all noises over one step, in the order of the noise potentials.
template <class S>
using StepNoise = std::span<const NoiseIntegrals<S>>;

/// Throws InvalidParameter unless there is one integral for each noise potential.
template <class System, class S>
void require_noises(const System& system, StepNoise<S> noises) {
  if (static_cast<Eigen::Index>(noises.size()) != system.noise().count())
    throw InvalidParameter("number of noises of a step", static_cast<double>(noises.size()),
                           "must be that of the noise potentials, " + std::to_string(system.noise().count()));
}

/// The declarations of a stochastic integrator. Without noise `deterministic` holds. With fixed integrals of the noise a step
/// is symplectic if that says so, and keeps momentum maps under which the noise potentials are invariant, too.
struct StochasticProperties {
  Properties deterministic;
  /// The strong order, and that where the products K_ij = grad gamma_i . P M^-1 grad gamma_j, with the projection P on tangent
  /// vectors, do not depend on the position.
  double strong_order = undeclared, strong_order_for_constant_products = undeclared;
  double weak_order = undeclared;
};

}  // namespace livi
