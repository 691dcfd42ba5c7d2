// SPDX-License-Identifier: MIT
//
// Problems for methods with adaptive steps, in any number type: two degrees of freedom with a full mass matrix, three
// with different masses, Kepler's ellipse; and the densities of the position on each.
#pragma once

#include <cmath>
#include <livi/adaptive/step_density.hpp>
#include <livi/systems/gravity.hpp>
#include <livi/systems/potentials.hpp>
#include <string>

namespace livi::adaptive_problems {

/// Two degrees of freedom, a full mass matrix and Hessians that do not commute.
template <class S>
using Coupled = MechanicalSystem<FullMass<S, 2>, CoupledAnharmonicPotential<S, 2>>;
template <class S>
Coupled<S> coupled() {
  Matrix<S, 2> m;
  m << S(2), ratio<S>(1, 2), ratio<S>(1, 2), S(3);
  return {FullMass<S, 2>(m), {ratio<S>(1, 5), ratio<S>(1, 3)}};
}

/// A softened centre in three dimensions with three different masses; W < 0.
template <class S>
using Plummer = MechanicalSystem<DiagonalMass<S, 3>, CentralPotential<S, 3, PlummerProfile<S>>>;
template <class S>
Plummer<S> plummer() {
  return {DiagonalMass<S, 3>(Vector<S, 3>(S(1), S(2), ratio<S>(3, 2))), {{S(3), ratio<S>(1, 10)}}};
}

/// Kepler's problem W = -1/|q|.
template <class S>
using Kepler = MechanicalSystem<ScalarMass<S, 2>, CentralPotential<S, 2, KeplerProfile<S>>>;
template <class S>
Kepler<S> kepler() {
  return {ScalarMass<S, 2>(S(1)), {{S(1)}}};
}
/// Returns the state at the pericentre of the ellipse with half axis 1.
template <class S>
PhaseState<S, 2> pericentre(const S& e) {
  const Vector<S, 4> start = kepler_pericentre(e);
  return {Vector<S, 2>(start(0), start(1)), Vector<S, 2>(start(2), start(3))};
}
/// Returns the position on that ellipse at a time, from the pericentre: Newton's method on u - e sin u = t.
inline Vector<double, 2> on_ellipse(double e, double t) {
  double u = t;
  for (int i = 0; i < 50; ++i) u -= (u - e * std::sin(u) - t) / (1 - e * std::cos(u));
  return {std::cos(u) - e, std::sqrt(1 - e * e) * std::sin(u)};
}

/// Returns a state without any symmetry.
template <class S, int N>
PhaseState<S, N> generic_state() {
  PhaseState<S, N> z{zeros<Vector<S, N>>(), zeros<Vector<S, N>>()};
  for (int i = 0; i < N; ++i) {
    z.q(i) = ratio<S>(i % 2 == 0 ? 3 + i : -4, 10);
    z.v(i) = ratio<S>(5 + 2 * i, 10);
  }
  return z;
}

/// Calls f(name, density) with each density of the position; `energy` is E0.
template <class System, class Function>
void for_each_position_density(const System& system, const ScalarOf<System>& energy, const Function& f) {
  using S = ScalarOf<System>;
  const S epsilon = ratio<S>(1, 10);
  f("equal distances", EqualDistances<System>(system, energy, epsilon));
  f("inverse kinetic energy", InverseKineticEnergy<System>(system, energy, epsilon));
  f("inverse acceleration", InverseAcceleration<System>(system, epsilon));
  f("|q|^(3/2)", KeplerDensity<System>());
}

}  // namespace livi::adaptive_problems
