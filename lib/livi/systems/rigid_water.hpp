// SPDX-License-Identifier: MIT
//
// Water molecules moved as rigid bodies. A motion of N molecules is 6 N numbers: for each molecule a displacement t and
// a rotation vector w about the oxygen,
//   x_O -> x_O + t,   x_H -> x_O + t + exp(hat w) (x_H - x_O).
// Motions preserve the constraint TO14 (25), so minima of TO14 (24) under (25) are minima over motions, without
// multipliers.
#pragma once

#include <livi/linalg/three_vector.hpp>
#include <livi/systems/water_cluster.hpp>

namespace livi {

namespace detail {
/// Returns the position of an atom relative to the oxygen of its molecule.
template <class S>
Vector3<S> from_oxygen(const Vector<S, Dynamic>& q, Eigen::Index atom) {
  const Eigen::Index i = 3 * atom, o = 9 * (atom / 3);
  return vector3<S>(q(i) - q(o), q(i + 1) - q(o + 1), q(i + 2) - q(o + 2));
}
}  // namespace detail

/// Returns q moved by `motion`.
template <class S>
Vector<S, Dynamic> moved_rigidly(const Vector<S, Dynamic>& q, const Vector<S, Dynamic>& motion) {
  using std::sin, std::sqrt;
  Vector<S, Dynamic> out = q;
  for (Eigen::Index atom = 0; atom < q.size() / 3; ++atom) {
    const Eigen::Index m = 6 * (atom / 3), o = 9 * (atom / 3);
    Vector3<S> r = detail::from_oxygen(q, atom);
    const Vector3<S> w = vector3<S>(motion(m + 3), motion(m + 4), motion(m + 5));
    const S angle = sqrt(dot(w, w));
    if (!(angle == S(0))) {  // a NaN angle must go through, so that the result is no number either
      const Vector3<S> once = cross(w, r), twice = cross(w, once);
      const S half_sine = S(2) * sin(angle / S(2)) / angle;
      r += (sin(angle) / angle) * once + (half_sine * half_sine / S(2)) * twice;
    }
    for (int k = 0; k < 3; ++k) out(3 * atom + k) = q(o + k) + motion(m + k) + r(k);
  }
  return out;
}

/// Returns the derivative over motions of a function whose gradient at q is given: force and torque on each molecule,
/// with their signs changed.
template <class S>
Vector<S, Dynamic> rigid_gradient(const Vector<S, Dynamic>& q, const Vector<S, Dynamic>& gradient) {
  Vector<S, Dynamic> out = Vector<S, Dynamic>::Constant(q.size() / 9 * 6, S(0));
  for (Eigen::Index atom = 0; atom < q.size() / 3; ++atom) {
    const Vector3<S> g = gradient.template segment<3>(3 * atom), torque = cross(detail::from_oxygen(q, atom), g);
    for (int k = 0; k < 3; ++k) {
      out(6 * (atom / 3) + k) += g(k);
      out(6 * (atom / 3) + 3 + k) += torque(k);
    }
  }
  return out;
}

/// Returns the second derivative over motions, at the motion 0, of a function with this gradient and Hessian: the whole
/// 6 N x 6 N matrix. With B = (1, -hat r) for each atom its terms are B_a' H_ab B_b and, from w x (w x r)/2, the
/// curvature of rotations (r g' + g r')/2 - (r . g) 1.
template <class S>
Matrix<S, Dynamic> rigid_hessian(const Vector<S, Dynamic>& q, const Vector<S, Dynamic>& gradient,
                                 const DenseHessian<S, Dynamic>& hessian) {
  const Eigen::Index size = q.size() / 9 * 6;
  Matrix<S, Dynamic> out = Matrix<S, Dynamic>::Constant(size, size, S(0));
  // Column k of B is the movement of the atom under number k of its molecule's motion.
  const auto direction = [&](Eigen::Index atom, int k) {
    Vector3<S> axis = Vector3<S>::Constant(S(0));
    axis(k % 3) = S(1);
    return k < 3 ? axis : cross(axis, detail::from_oxygen(q, atom));
  };
  for (Eigen::Index a = 0; a < q.size() / 3; ++a)
    for (Eigen::Index b = 0; b < q.size() / 3; ++b) {
      for (int l = 0; l < 6; ++l) {
        const Vector3<S> of_b = direction(b, l);
        Vector3<S> image = Vector3<S>::Constant(S(0));
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const Eigen::Index row = 3 * a + i, column = 3 * b + j;
            image(i) += hessian.matrix(std::max(row, column), std::min(row, column)) * of_b(j);
          }
        for (int k = 0; k < 6; ++k) out(6 * (a / 3) + k, 6 * (b / 3) + l) += dot(direction(a, k), image);
      }
    }
  for (Eigen::Index a = 0; a < q.size() / 3; ++a) {
    const Vector3<S> r = detail::from_oxygen(q, a), g = gradient.template segment<3>(3 * a);
    const Eigen::Index m = 6 * (a / 3) + 3;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) out(m + i, m + j) += (r(i) * g(j) + g(i) * r(j)) / S(2);
      out(m + i, m + i) -= dot(r, g);
    }
  }
  return out;
}

/// Returns motions of the whole cluster, three displacements and three rotations about the origin, as orthonormal
/// columns: where the energy is stationary its second derivative vanishes in these directions. A cluster of one
/// molecule has them, too.
template <class S>
Matrix<S, Dynamic> whole_motions(const Vector<S, Dynamic>& q) {
  using std::sqrt;
  Matrix<S, Dynamic> out = Matrix<S, Dynamic>::Constant(q.size() / 9 * 6, 6, S(0));
  for (Eigen::Index m = 0; m < q.size() / 9; ++m)
    for (int k = 0; k < 3; ++k) {
      Vector3<S> axis = Vector3<S>::Constant(S(0));
      axis(k) = S(1);
      out(6 * m + k, k) = out(6 * m + 3 + k, 3 + k) = S(1);
      const Vector3<S> turned = cross<S>(axis, q.template segment<3>(9 * m));
      for (int i = 0; i < 3; ++i) out(6 * m + i, 3 + k) = turned(i);
    }
  for (int column = 0; column < 6; ++column) {
    for (int other = 0; other < column; ++other) {
      S along(0);
      for (Eigen::Index i = 0; i < out.rows(); ++i) along += out(i, column) * out(i, other);
      for (Eigen::Index i = 0; i < out.rows(); ++i) out(i, column) -= along * out(i, other);
    }
    S square(0);
    for (Eigen::Index i = 0; i < out.rows(); ++i) square += out(i, column) * out(i, column);
    const S scale = S(1) / sqrt(square);
    for (Eigen::Index i = 0; i < out.rows(); ++i) out(i, column) *= scale;
  }
  return out;
}

/// Returns the nearby cluster whose molecules have exactly the shape of the model: oxygens, bisectors and planes are
/// kept. It also converts numbers from one type to another.
template <class S, class From>
Vector<S, Dynamic> with_rigid_shape(const Vector<From, Dynamic>& from, const WaterModel<S>& model) {
  using std::sqrt;
  const Vector<S, 9> shape = water_molecule(model);
  Vector<S, Dynamic> q(from.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) q(i) = S(from(i));
  const auto unit = [](const Vector3<S>& d) { return Vector3<S>((S(1) / sqrt(dot(d, d))) * d); };
  for (Eigen::Index m = 0; m < q.size() / 9; ++m) {
    const Vector3<S> one = detail::from_oxygen(q, 3 * m + 1), two = detail::from_oxygen(q, 3 * m + 2);
    const Vector3<S> along = unit(one + two);
    Vector3<S> across = two - one;
    across -= dot(across, along) * along;
    across = unit(across);
    for (int hydrogen = 1; hydrogen < 3; ++hydrogen)
      for (int k = 0; k < 3; ++k)
        q(9 * m + 3 * hydrogen + k) =
            q(9 * m + k) + shape(3 * hydrogen) * across(k) + shape(3 * hydrogen + 1) * along(k);
  }
  return q;
}

}  // namespace livi
