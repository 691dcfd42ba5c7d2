// SPDX-License-Identifier: MIT
//
// The magnetised body of TO14 4.5 in R^{3x3}: x holds the nine entries of R, column by column, and a penalty keeps R
// near SO(3),
//
//   M = 1/2 (kinetic energy tr(R''R')/4),   V(R) = strength R_33 + omega^2/2 tr((R'R - I)^2).
//
// (In the paper's first display the penalty has a plus sign in the action, which drives R away from SO(3); (36) has the
// minus sign of a potential.) With S = R'R - I and E = e3 e3':
//
//   gradient  strength E + 2 omega^2 R S,     A.V'''.A = 4 omega^2 (A (A'R + R'A) + R A'A),
//   Hessian in (ij), (kl)  2 omega^2 (d_ik S_lj + R_il R_kj + d_lj (RR')_ik).
//
// Motions on SO(3) are those of a LieSystem with identity inertia and MagneticDipolePotential.
#pragma once

#include <livi/liegroup/so3.hpp>
#include <livi/systems/mechanical_system.hpp>

namespace livi {

template <class S>
struct PenalisedBodyPotential {
  using scalar_type = S;
  using vector_type = Vector<S, 9>;
  using hessian_type = DenseHessian<S, 9>;
  static constexpr int dimension = 9;
  S strength, omega_squared;

  static Matrix3<S> matrix(const vector_type& x) { return Matrix3<S>(x.data()); }
  static void store(const Matrix3<S>& m, vector_type& out) {
    for (int i = 0; i < 9; ++i) out(i) = m.data()[i];
  }
  /// Returns R'R - I.
  static Matrix3<S> defect(const Matrix3<S>& r) {
    Matrix3<S> s = r.transpose() * r;
    for (int i = 0; i < 3; ++i) s(i, i) -= S(1);
    return s;
  }

  S value(const vector_type& x) const {
    const Matrix3<S> s = defect(matrix(x));
    S sum(0);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) sum += s(i, j) * s(i, j);
    return strength * x(8) + omega_squared / S(2) * sum;
  }
  void gradient(const vector_type& x, vector_type& out) const {
    const Matrix3<S> r = matrix(x);
    store((S(2) * omega_squared) * (r * defect(r)), out);
    out(8) += strength;
  }
  void hessian(const vector_type& x, hessian_type& h) const {
    const Matrix3<S> r = matrix(x), s = defect(r), outer = r * r.transpose();
    const S factor = S(2) * omega_squared;
    for (int column = 0; column < 9; ++column)
      for (int row = column; row < 9; ++row) {
        const int i = row % 3, j = row / 3, k = column % 3, l = column / 3;
        S entry = r(i, l) * r(k, j);
        if (i == k) entry += s(l, j);
        if (l == j) entry += outer(i, k);
        h.matrix(row, column) = factor * entry;
      }
  }
  void third(const vector_type& x, const vector_type& direction, vector_type& out) const {
    const Matrix3<S> r = matrix(x), a = matrix(direction), mixed = a.transpose() * r;
    store((S(4) * omega_squared) * (a * (mixed + mixed.transpose()) + r * (a.transpose() * a)), out);
  }
};

template <class S>
using PenalisedBody = MechanicalSystem<ScalarMass<S, 9>, PenalisedBodyPotential<S>>;

/// Returns the body with strength = B mu and omega > 0 of the penalty. Throws InvalidParameter for any other omega.
template <class S>
PenalisedBody<S> penalised_body(const S& strength, const S& omega) {
  const OrderAssumed<S> all_omega(OrderReason::parameters);
  if (!is_finite(omega) || !(RealOf<S>(0) < leading(omega)))
    throw InvalidParameter("omega", to_double(omega), "must be finite and > 0");
  return {ScalarMass<S, 9>(ratio<S>(1, 2)), {strength, omega * omega}};
}

/// Returns the nine numbers of an attitude R; matrix_velocity() those of the velocity R hat(W).
template <class S>
Vector<S, 9> matrix_position(const Matrix3<S>& r) {
  Vector<S, 9> x;
  PenalisedBodyPotential<S>::store(r, x);
  return x;
}
template <class S>
Vector<S, 9> matrix_velocity(const Matrix3<S>& r, const Vector3<S>& w) {
  return matrix_position<S>(r * so3::hat(w));
}

}  // namespace livi
