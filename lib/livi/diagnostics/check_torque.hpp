// SPDX-License-Identifier: MIT
//
// A check that a torque belongs to its potential, tau(Q) . y = -DU(Q) . Q hat(y); check_derivatives.hpp does it for
// gradients.
#pragma once

#include <livi/systems/lie_system.hpp>

namespace livi {

/// Returns the largest deviation of the torque at q from central differences of order four of U(Q exp(s y)), for y the
/// three axes and a generic direction, relative to the size of the torque (to 1e-3 where it is smaller); NaN if a value
/// is not finite. Differences with s = 1e-3 are accurate to 1e-9 or so where U varies over angles of order one.
template <RotationPotential P>
requires std::same_as<typename P::scalar_type, double>
double torque_deviation(const P& potential, const Matrix3<double>& q) {
  constexpr double s = 1e-3;
  Vector3<double> torque;
  potential.torque(q, torque);
  const double scale = std::max(1e-3, max_magnitude(torque));
  double largest = 0;
  for (const Vector3<double>& y : {Vector3<double>(1, 0, 0), Vector3<double>(0, 1, 0), Vector3<double>(0, 0, 1),
                                   Vector3<double>(0.6, -0.7, 0.4)}) {
    const auto at = [&](double along) { return potential.value(q * so3::exp(Vector3<double>(along * y))); };
    const double slope = (8 * (at(s) - at(-s)) - (at(2 * s) - at(-2 * s))) / (12 * s);
    largest = larger(largest, std::abs(dot(torque, y) + slope) / scale);
  }
  return largest;
}

}  // namespace livi
