// SPDX-License-Identifier: MIT
//
// The planar double pendulum of TO14 4.1 in its three forms: constrained (6), penalised (7), generalised coordinates
// (23). Units are the paper's: masses, g = 1, lengths L_1 = 1, L_2 = sqrt 2.
#pragma once

#include <livi/systems/planar_chain.hpp>

namespace livi {

/// The direction of gravity: downward, or with the sign that TO14 prints (see planar_chain.hpp).
enum class Gravity { down, as_printed };

template <class S>
S gravity_coefficient(Gravity direction) {
  return direction == Gravity::down ? S(1) : S(-1);
}

template <class S, class Hessian = DenseHessian<S, 4>>
using ConstrainedDoublePendulum =
    ConstrainedSystem<ScalarMass<S, 4>, GravityPotential<S, 4>, PlanarChainConstraint<S, 4, Hessian>>;

/// Returns the constrained double pendulum with unit masses and L_1^2 = 1, L_2^2 = 2, which are exact in every scalar:
/// the constraints need no square root of 2.
template <class S>
ConstrainedDoublePendulum<S> double_pendulum(Gravity direction = Gravity::down) {
  Vector<S, 2> squared_lengths;
  squared_lengths << S(1), S(2);
  return {ScalarMass<S, 4>(S(1)), GravityPotential<S, 4>{gravity_coefficient<S>(direction)},
          PlanarChainConstraint<S, 4>{squared_lengths}};
}

/// Returns the start (x1, y1, x2, y2) = (0, -1, 1, -2) of TO14 Figure 1; at rest.
template <class S>
Vector<S, 4> double_pendulum_start() {
  Vector<S, 4> q;
  q << S(0), S(-1), S(1), S(-2);
  return q;
}

/// The Lagrangian L(theta, phi, theta', phi') with x1 = L1 sin theta, y1 = -L1 cos theta, x2 = x1 + L2 sin phi, y2 = y1
/// - L2 cos phi, where both angles are measured from the downward vertical. Its Hessian in the velocities is the matrix
/// of TO14 (23).
template <class S>
struct DoublePendulumLagrangian {
  using scalar_type = S;
  using vector_type = Vector<S, 2>;
  static constexpr int dimension = 2;
  S length_1, length_2, gravity;

  /// Returns L(q, v) for any scalar T that S converts to; dual numbers give the partial derivatives.
  template <class T>
  T operator()(const Vector<T, 2>& q, const Vector<T, 2>& v) const {
    using std::cos;
    const T l1(length_1), l2(length_2);
    const T kinetic = l1 * l1 * v(0) * v(0) + l1 * l2 * cos(q(0) - q(1)) * v(0) * v(1) + l2 * l2 * v(1) * v(1) / T(2);
    const T height = T(-2) * l1 * cos(q(0)) - l2 * cos(q(1));
    return kinetic - T(gravity) * height;
  }
  /// Returns (x1, y1, x2, y2) for the two angles.
  [[nodiscard]] Vector<S, 4> cartesian(const vector_type& q) const {
    using std::cos, std::sin;
    Vector<S, 4> r;
    r(0) = length_1 * sin(q(0));
    r(1) = -length_1 * cos(q(0));
    r(2) = r(0) + length_2 * sin(q(1));
    r(3) = r(1) - length_2 * cos(q(1));
    return r;
  }
};

template <class S>
DoublePendulumLagrangian<S> double_pendulum_lagrangian(Gravity direction = Gravity::down) {
  using std::sqrt;
  return {S(1), sqrt(S(2)), gravity_coefficient<S>(direction)};
}

}  // namespace livi
