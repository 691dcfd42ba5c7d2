// SPDX-License-Identifier: MIT
//
// The body on which the mutants of SO(3) and of the integrators for rigid bodies are seen.
#pragma once

#include <livi/systems/rotation_potentials.hpp>

namespace livi {

template <class S>
using Top = LieSystem<FullMass<S, 3>, HeavyTopPotential<S>>;
/// A full inertia with three different moments, a centre of mass off all axes.
template <class S>
Top<S> top() {
  Matrix3<S> m;
  m << S(1), ratio<S>(1, 5), ratio<S>(-1, 10), ratio<S>(1, 5), S(2), ratio<S>(3, 10), ratio<S>(-1, 10), ratio<S>(3, 10),
      S(3);
  return {FullMass<S, 3>(m), {S(1), vector3<S>(ratio<S>(1, 5), ratio<S>(-1, 3), ratio<S>(1, 2))}};
}
inline const Vector3<double> start_w(0.5, 0.7, -0.75);
inline Matrix3<double> start_q() { return so3::exp(Vector3<double>(0.3, -0.5, 0.4)); }

/// Rounding is 1e-15 times matrices of size 10; defects are above h^3 times 1e-2.
constexpr double rounding = 1e-13;

}  // namespace livi
