// SPDX-License-Identifier: MIT
//
// For tests in double of the methods on M q'' = -grad V, compiled in seconds: what each mutant of mutants.txt must
// fail. The thorough tests are those of verification/unit and the battery; these are the same ideas without templates
// over number types.
#pragma once

#include <gtest/gtest.h>

#include <livi/diagnostics/step_symplecticity.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/systems/potentials.hpp>

namespace livi::mutants {

template <class S>
using Potential2 = SplitPotential<HenonHeilesPotential<S>, CoupledAnharmonicPotential<S, 2>>;
template <class S>
using System = MechanicalSystem<FullMass<S, 2>, Potential2<S>>;
/// Two coupled degrees of freedom, a mass that is no multiple of the identity.
template <class S>
System<S> make_system() {
  Matrix<S, 2> m;
  m << S(2), ratio<S>(1, 2), ratio<S>(1, 2), S(1);
  return {FullMass<S, 2>(m), {{}, {ratio<S>(3, 4), ratio<S>(1, 2)}}};
}
using V = Vector<double, 2>;
inline const V start_q(0.5, -0.4), start_v(0.3, 0.25);
inline constexpr double beta = 0.3;

/// |J'Omega J - Omega| of one step: rounding is 1e-15 times matrices of size 10, defects are above h^5 times 1e-3.
inline constexpr double rounding = 1e-13;
template <class Make>
double symplecticity(const Make& make, CanonicalCoordinates coordinates = CanonicalCoordinates::own) {
  return step_symplecticity(make_system<Dual<double>>(), make, start_q, start_v, 0.25, coordinates);
}

template <class Method>
V end_of(Method method, int steps, double h) {
  auto z = method.start(start_q, start_v);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(method.step(z, h).ok());
  return z.q;
}
/// Order at T = 1 from differences of successive halvings; `finest` steps in the last.
template <class Make>
double order(const Make& make, int finest) {
  const System<double> system = make_system<double>();
  const auto end = [&](int steps) { return end_of(make(system), steps, 1.0 / steps); };
  const V a = end(finest / 4), b = end(finest / 2), c = end(finest);
  return std::log2((a - b).norm() / (b - c).norm());
}
/// The limit of convergence must be the motion itself: RungeKutta4 with small steps.
template <class Make>
double distance_from_the_motion(const Make& make) {
  const System<double> system = make_system<double>();
  return (end_of(make(system), 512, 1.0 / 512) - end_of(RungeKutta4<System<double>>(system), 512, 1.0 / 512)).norm();
}
/// Distance from the start after a step of h and one of -h.
template <class Make>
double asymmetry(const Make& make) {
  const System<double> system = make_system<double>();
  auto method = make(system);
  auto z = method.start(start_q, start_v);
  EXPECT_TRUE(method.step(z, 0.25).ok());
  auto back = method.start(z.q, z.v);
  EXPECT_TRUE(method.step(back, -0.25).ok());
  return (back.q - start_q).norm() + (back.v - start_v).norm();
}
inline constexpr double order_tolerance = 0.1;  // slopes at h = 1/128: the next term of the expansion
inline constexpr double closeness = 1e-4;       // error constants of order two at h = 1/512

}  // namespace livi::mutants
