// SPDX-License-Identifier: MIT
//
// A planar chain of point masses hung up at the origin by linear springs: mass i, counted from 1, is at (x_i, y_i),
// spring i joins it to mass i - 1, and
//
//   W = sum_i k (|d_i| - L)^2 / 2 + g sum_i y_i,   d_i = r_i - r_{i-1},   r_0 = 0.
//
// Coordinates (x_1, y_1, x_2, y_2, ...).
#pragma once

#include <cmath>
#include <livi/systems/mechanical_system.hpp>
#include <livi/systems/radial.hpp>

namespace livi::spring_chain {

/// The profile of a linear spring, u(s) = k (sqrt(s) - L)^2 / 2.
template <class S>
struct SpringProfile {
  S k, length;
  RadialDerivatives<S> operator()(const S& s) const {
    using std::sqrt;
    const S r = sqrt(s), stretch = r - length;
    return {k * stretch * stretch / S(2), k * stretch / (S(2) * r), k * length / (S(4) * s * r),
            S(-3) * k * length / (S(8) * s * s * r)};
  }
};

template <class S, int Masses>
struct ChainPotential {
  using scalar_type = S;
  using vector_type = Vector<S, 2 * Masses>;
  using hessian_type = DenseHessian<S, 2 * Masses>;
  static constexpr int dimension = 2 * Masses;
  SpringProfile<S> spring;
  S gravity;

  [[nodiscard]] S value(const vector_type& q) const {
    S sum(0);
    for (int i = 0; i < Masses; ++i) sum += spring(squared(link(q, i))).value + gravity * q(2 * i + 1);
    return sum;
  }
  void gradient(const vector_type& q, vector_type& out) const {
    for (int i = 0; i < Masses; ++i) {
      const Vector<S, 2> d = link(q, i), force = (S(2) * spring(squared(d)).first) * d;
      for (int k = 0; k < 2; ++k) {
        out(2 * i + k) = force(k);
        if (i > 0) out(2 * i - 2 + k) -= force(k);
      }
      out(2 * i + 1) += gravity;
    }
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    h.set_zero();
    for (int i = 0; i < Masses; ++i) {
      const Vector<S, 2> d = link(q, i);
      const Matrix<S, 2> block = radial_hessian<S, 2>(spring(squared(d)), d);
      h.template add_block<2>(i, i, block);
      if (i == 0) continue;
      h.template add_block<2>(i - 1, i - 1, block);
      h.template add_block<2>(i, i - 1, -block);
    }
  }

 private:
  static S squared(const Vector<S, 2>& d) { return d(0) * d(0) + d(1) * d(1); }
  static Vector<S, 2> link(const vector_type& q, int i) {
    Vector<S, 2> d(q(2 * i), q(2 * i + 1));
    if (i > 0) d -= Vector<S, 2>(q(2 * i - 2), q(2 * i - 1));
    return d;
  }
};

template <class S, int Masses = 4>
using Chain = MechanicalSystem<ScalarMass<S, 2 * Masses>, ChainPotential<S, Masses>>;

/// Returns the chain with masses 1, springs of stiffness 50 and rest length 1, and gravity 1.
template <class S, int Masses = 4>
Chain<S, Masses> chain() {
  return {ScalarMass<S, 2 * Masses>(S(1)), {{S(50), S(1)}, S(1)}};
}

/// Returns the positions with all springs unstretched, the first at the angle `first` from hanging down and the others
/// at `others`.
template <int Masses = 4>
Vector<double, 2 * Masses> unstretched(double first, double others) {
  Vector<double, 2 * Masses> q;
  double x = 0, y = 0;
  for (int i = 0; i < Masses; ++i) {
    const double angle = i == 0 ? first : others;
    q(2 * i) = x += std::sin(angle);
    q(2 * i + 1) = y -= std::cos(angle);
  }
  return q;
}

}  // namespace livi::spring_chain
