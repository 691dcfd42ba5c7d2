// SPDX-License-Identifier: MIT
//
// Vectors of R^3: products, and linear equations with three unknowns.
#pragma once

#include <livi/linalg/symmetric_factor.hpp>

namespace livi {

template <class S>
using Vector3 = Vector<S, 3>;
template <class S>
using Matrix3 = Matrix<S, 3>;

template <class S>
Vector3<S> vector3(S x, S y, S z) {
  Vector3<S> v;
  v(0) = std::move(x);
  v(1) = std::move(y);
  v(2) = std::move(z);
  return v;
}

template <class S>
Matrix3<S> identity3() {
  Matrix3<S> m = Matrix3<S>::Constant(S(0));
  for (int i = 0; i < 3; ++i) m(i, i) = S(1);
  return m;
}

template <class S>
S dot(const Vector3<S>& a, const Vector3<S>& b) {
  return a(0) * b(0) + a(1) * b(1) + a(2) * b(2);
}

template <class S>
Vector3<S> cross(const Vector3<S>& a, const Vector3<S>& b) {
  return vector3<S>(a(1) * b(2) - a(2) * b(1), a(2) * b(0) - a(0) * b(2), a(0) * b(1) - a(1) * b(0));
}

template <class S>
S trace(const Matrix3<S>& m) {
  return m(0, 0) + m(1, 1) + m(2, 2);
}

/// Replaces b by A^-1 b, by Gaussian elimination.
template <class S>
[[gnu::noinline, gnu::cold]] FactorOutcome solve_three_equations_by_elimination(const Matrix3<S>& a, Vector3<S>& b) {
  GaussianElimination<S, 3> elimination;
  const FactorOutcome outcome = elimination.factor(a);
  if (!outcome.singular) elimination.solve_in_place(b);
  return outcome;
}

/// Replaces b by A^-1 b, by Cramer's rule with cross products of the columns of A, which takes one division. Its
/// forward error is that of an elimination while A is far from singular, as the matrices of a Newton iteration on a
/// group are. If the determinant is below the least part of the product of the columns' absolute sums, Gaussian
/// elimination is used. The outcome is singular if the determinant is at most 8 epsilon times that product.
template <class S>
FactorOutcome solve_three_equations(const Matrix3<S>& a, Vector3<S>& b) {
  const Vector3<S> x = a.col(0), y = a.col(1), z = a.col(2), yz = cross(y, z);
  const S determinant = dot(x, yz);
  using Real = RealOf<S>;
  using std::abs;
  const auto size = [](const Vector3<S>& v) {
    return Real(abs(Real(leading(v(0)))) + abs(Real(leading(v(1)))) + abs(Real(leading(v(2)))));
  };
  const Real d = abs(Real(leading(determinant))), product = size(x) * size(y) * size(z);
  if (!(least_part_of_determinant<S>() * product < d)) [[unlikely]] {
    if (!(Real(8) * ScalarTraits<S>::epsilon() * product < d)) return {.singular = true, .pivot = 2};
    // Copies are passed, so that the likely branch may keep its numbers in registers.
    const Matrix3<S> matrix = a;
    Vector3<S> solution = b;
    const FactorOutcome outcome = solve_three_equations_by_elimination<S>(matrix, solution);
    b = solution;
    return outcome;
  }
  const Vector3<S> right = b, xb = cross(x, right);
  const S reciprocal = S(1) / determinant;
  b(0) = dot(right, yz) * reciprocal;
  b(1) = dot(z, xb) * reciprocal;
  b(2) = -(dot(y, xb) * reciprocal);
  return {};
}

}  // namespace livi
