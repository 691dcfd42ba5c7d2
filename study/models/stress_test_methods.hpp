// SPDX-License-Identifier: MIT
//
// The methods of BOS09 that the experiments on its stress test compare, each with the Cayley map and with the
// exponential map, and states to start from.
#pragma once

#include <livi/integrators/lie_midpoint.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/systems/rotation_potentials.hpp>

namespace livi {

struct BodyPoint {
  Matrix3<double> q;
  Vector3<double> w;
  [[nodiscard]] BodyPoint mirrored() const { return {q, -w}; }
};
inline BodyPoint printed_start() {
  const auto [q, w] = stress_test_start<double>();
  return {q, w};
}
/// The printed attitude with another angular velocity.
inline BodyPoint start_with(double x, double y, double z) { return {printed_start().q, Vector3<double>(x, y, z)}; }

/// f(name, method) for the six methods.
template <class System, class Function>
void for_each_method(const System& system, const Function& f) {
  using so3::CayleyMap, so3::ExponentialMap;
  f("newmark_cayley", LieNewmark<System, CayleyMap>(system));
  f("newmark_exponential", LieNewmark<System, ExponentialMap>(system));
  f("verlet_cayley", LieVerlet<System, CayleyMap>(system));
  f("verlet_exponential", LieVerlet<System, ExponentialMap>(system));
  f("midpoint_exponential", LieMidpoint<System, ExponentialMap>(system));
  f("midpoint_cayley", LieMidpoint<System, CayleyMap>(system));
}
/// The place of each in that order.
enum MethodIndex : std::size_t {
  newmark,
  newmark_exponential,
  verlet,
  verlet_exponential,
  midpoint,
  midpoint_cayley,
  number_of_methods
};

}  // namespace livi
