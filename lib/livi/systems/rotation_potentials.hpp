// SPDX-License-Identifier: MIT
//
// Potentials on SO(3). If U is a function of the matrix Q with gradient G (3 x 3, in the nine entries), the torque is
// -vee_of_difference(Q' G); it is written out below for each potential.
#pragma once

#include <livi/systems/lie_system.hpp>

namespace livi {

/// The potential U = 0 of Euler's free body; Q mu is constant.
template <class S>
struct FreeBodyPotential {
  using scalar_type = S;
  static S value(const Matrix3<S>&) { return S(0); }
  static void torque(const Matrix3<S>&, Vector3<S>& out) { out.setConstant(S(0)); }
};

/// The potential U = weight e3 . Q centre: a body of that weight, held at a point, with its centre of mass at `centre`
/// in body axes. The third component of Q mu is constant (rotations about the vertical). The heavy symmetric top has
/// two equal moments and its centre on the third axis.
template <class S>
struct HeavyTopPotential {
  using scalar_type = S;
  S weight;
  Vector3<S> centre;

  S value(const Matrix3<S>& q) const { return weight * dot(vertical(q), centre); }
  void torque(const Matrix3<S>& q, Vector3<S>& out) const { out = weight * cross(vertical(q), centre); }

 private:
  static Vector3<S> vertical(const Matrix3<S>& q) { return vector3<S>(q(2, 0), q(2, 1), q(2, 2)); }  // Q' e3
};

/// The potential U = strength Q_33: a dipole along the third body axis in a field along the third axis of space (TO14
/// 4.5, strength = B mu). The torque is strength (Q' e3) x e3 (35). It has no component along either axis, so that with
/// equal moments both W_3 and the third component of Q mu are constant.
template <class S>
struct MagneticDipolePotential {
  using scalar_type = S;
  S strength;

  S value(const Matrix3<S>& q) const { return strength * q(2, 2); }
  void torque(const Matrix3<S>& q, Vector3<S>& out) const {
    out = vector3<S>(strength * q(2, 1), -(strength * q(2, 0)), S(0));
  }
};

/// The potential U_alpha, BOS09 (12): (dist(Q, I) - 1)^2 - alpha/dist(Q, Q_m): a shell of minima around I and an
/// attracting point Q_m. With d = dist(Q, I), d^2 = 6 - 2 tr Q, and e = dist(Q, Q_m), P = Q_m' Q, the torque is
///
///   -2 (d - 1)/d vee(Q - Q') - alpha/e^3 vee(P - P').
///
/// It is singular at Q = Q_m, where U tends to minus infinity, and not smooth at Q = I, where U has the tip of a cone.
/// Both give values that are not finite, which steps report.
template <class S>
struct ShellPotential {
  using scalar_type = S;
  S alpha;
  Matrix3<S> attractor;  ///< Q_m

  S value(const Matrix3<S>& q) const {
    using std::sqrt;
    const S d = sqrt(squared_distance(trace(q))), e = sqrt(squared_distance(trace(relative(q))));
    return (d - S(1)) * (d - S(1)) - alpha / e;
  }
  void torque(const Matrix3<S>& q, Vector3<S>& out) const {
    using std::sqrt;
    const Matrix3<S> p = relative(q);
    const S d = sqrt(squared_distance(trace(q))), ee = squared_distance(trace(p)), e = sqrt(ee);
    out = (S(2) / d - S(2)) * so3::vee_of_difference(q) - (alpha / (ee * e)) * so3::vee_of_difference(p);
  }

 private:
  static S squared_distance(const S& trace_of_relative) { return S(6) - S(2) * trace_of_relative; }
  Matrix3<S> relative(const Matrix3<S>& q) const { return attractor.transpose() * q; }
};

/// The potential U = tr(linear' Q) + tr(direction' Q)^2/2: a polynomial without symmetry, for exact arithmetic and
/// generic tests.
template <class S>
struct TracePolynomialPotential {
  using scalar_type = S;
  Matrix3<S> linear, direction;

  S value(const Matrix3<S>& q) const {
    const S s = inner(direction, q);
    return inner(linear, q) + s * s / S(2);
  }
  void torque(const Matrix3<S>& q, Vector3<S>& out) const {
    const Matrix3<S> gradient = linear + inner(direction, q) * direction;
    out = -so3::vee_of_difference<S>(q.transpose() * gradient);
  }

 private:
  static S inner(const Matrix3<S>& a, const Matrix3<S>& b) {  // tr(a' b)
    S sum(0);
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) sum += a(i, j) * b(i, j);
    return sum;
  }
};

template <class S>
using StressTestSystem = LieSystem<DiagonalMass<S, 3>, ShellPotential<S>>;

/// Returns the system of the stress test of BOS09 3: I = diag(2, 2, 4), alpha = 0.3, Q_m = exp((2.5, 0, 2.5)/sqrt 2).
template <class S>
StressTestSystem<S> stress_test() {
  using std::sqrt;
  const S along = ratio<S>(5, 2) / sqrt(S(2));
  return {DiagonalMass<S, 3>(vector3<S>(S(2), S(2), S(4))),
          ShellPotential<S>{ratio<S>(3, 10), so3::exp(vector3<S>(along, S(0), along))}};
}
/// Returns the start of the stress test of BOS09 3: Q_0 = exp((0, 0.7227, 0)), W_0 = (0, 0, 0.625).
template <class S>
std::pair<Matrix3<S>, Vector3<S>> stress_test_start() {
  return {so3::exp(vector3<S>(S(0), ratio<S>(7227, 10000), S(0))), vector3<S>(S(0), S(0), ratio<S>(5, 8))};
}

}  // namespace livi
