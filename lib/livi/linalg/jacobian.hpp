// SPDX-License-Identifier: MIT
//
// Jacobians G = Dg of m constraints on n coordinates, by structure. The type of a constraint's Jacobian decides how the
// multipliers of SHAKE and RATTLE are solved for (multiplier_matrix.hpp): a constraint states once, here, which
// coordinates its equations touch, and every method profits. A dense Jacobian is a Matrix<S, m, n>.
#pragma once

#include <livi/linalg/vector.hpp>

namespace livi {

/// A Jacobian of a chain: coordinates in blocks of B, one block per equation, where equation k touches blocks k and k-1
/// only. 2 B m numbers instead of B m^2.
template <class S, int B, int M = Dynamic>
struct BlockBidiagonalJacobian {
  using scalar_type = S;
  using dense_type = Matrix<S, M, M == Dynamic ? Dynamic : B * M>;
  static constexpr int block_size = B;
  Matrix<S, B, M> own = zeros<Matrix<S, B, M>>();       ///< column k: row k of G in block k
  Matrix<S, B, M> previous = zeros<Matrix<S, B, M>>();  ///< column k: row k of G in block k-1; column 0 is not read

  void resize(Eigen::Index equations) {
    own.resize(B, equations);
    previous.resize(B, equations);
  }
  /// Returns the number of equations m.
  [[nodiscard]] Eigen::Index equations() const { return own.cols(); }
  /// Returns this matrix in dense form, m x n. Cost m n.
  [[nodiscard]] dense_type dense() const {
    dense_type matrix = dense_type::Constant(equations(), B * equations(), S(0));
    for (Eigen::Index k = 0; k < equations(); ++k)
      for (int i = 0; i < B; ++i) {
        matrix(k, B * k + i) = own(i, k);
        if (k > 0) matrix(k, B * (k - 1) + i) = previous(i, k);
      }
    return matrix;
  }
};

/// A Jacobian of rigid molecules: coordinates in blocks of B, and R equations per block that touch no other. B m
/// numbers.
template <class S, int R, int B>
struct BlockDiagonalJacobian {
  using scalar_type = S;
  using dense_type = Matrix<S, Dynamic>;
  static constexpr int equations_per_block = R;
  static constexpr int block_size = B;
  Matrix<S, B, Dynamic> own = zeros<Matrix<S, B, Dynamic>>();  ///< column k: row k of G in block k / R

  void resize(Eigen::Index equations) { own.resize(B, equations); }
  /// Returns the number of equations m.
  [[nodiscard]] Eigen::Index equations() const { return own.cols(); }
  /// Returns this matrix in dense form, m x n. Cost m n.
  [[nodiscard]] dense_type dense() const {
    dense_type matrix = dense_type::Constant(equations(), equations() / R * B, S(0));
    for (Eigen::Index k = 0; k < equations(); ++k)
      for (int i = 0; i < B; ++i) matrix(k, k / R * B + i) = own(i, k);
    return matrix;
  }
};

/// Sets out = G v; out must not be v.
template <class Derived, class V, class W>
void multiply(const Eigen::MatrixBase<Derived>& jacobian, const V& v, W& out) {
  out.noalias() = jacobian * v;
}
template <class S, int B, int M, class V, class W>
void multiply(const BlockBidiagonalJacobian<S, B, M>& jacobian, const V& v, W& out) {
  out.resize(jacobian.equations());
  for (Eigen::Index k = 0; k < jacobian.equations(); ++k) {
    S sum = jacobian.own(0, k) * v(B * k);
    for (int i = 1; i < B; ++i) sum += jacobian.own(i, k) * v(B * k + i);
    if (k > 0)
      for (int i = 0; i < B; ++i) sum += jacobian.previous(i, k) * v(B * (k - 1) + i);
    out(k) = sum;
  }
}

template <class S, int R, int B, class V, class W>
void multiply(const BlockDiagonalJacobian<S, R, B>& jacobian, const V& v, W& out) {
  out.resize(jacobian.equations());
  for (Eigen::Index k = 0; k < jacobian.equations(); ++k) {
    S sum = jacobian.own(0, k) * v(k / R * B);
    for (int i = 1; i < B; ++i) sum += jacobian.own(i, k) * v(k / R * B + i);
    out(k) = sum;
  }
}

/// Sets out = G^T mu; out must not be mu.
template <class Derived, class V, class W>
void multiply_transposed(const Eigen::MatrixBase<Derived>& jacobian, const V& mu, W& out) {
  out.noalias() = jacobian.transpose() * mu;
}
template <class S, int B, int M, class V, class W>
void multiply_transposed(const BlockBidiagonalJacobian<S, B, M>& jacobian, const V& mu, W& out) {
  const Eigen::Index m = jacobian.equations();
  out.resize(B * m);
  for (Eigen::Index k = 0; k + 1 < m; ++k)
    for (int i = 0; i < B; ++i) out(B * k + i) = jacobian.own(i, k) * mu(k) + jacobian.previous(i, k + 1) * mu(k + 1);
  for (int i = 0; i < B; ++i) out(B * (m - 1) + i) = jacobian.own(i, m - 1) * mu(m - 1);
}

template <class S, int R, int B, class V, class W>
void multiply_transposed(const BlockDiagonalJacobian<S, R, B>& jacobian, const V& mu, W& out) {
  const Eigen::Index blocks = jacobian.equations() / R;
  out.resize(B * blocks);
  for (Eigen::Index a = 0; a < blocks; ++a)
    for (int i = 0; i < B; ++i) {
      S sum = jacobian.own(i, R * a) * mu(R * a);
      for (int k = 1; k < R; ++k) sum += jacobian.own(i, R * a + k) * mu(R * a + k);
      out(B * a + i) = sum;
    }
}

/// Returns the Jacobian as a dense matrix: itself.
template <class Derived>
const Derived& dense(const Eigen::MatrixBase<Derived>& jacobian) {
  return jacobian.derived();
}
template <class S, int B, int M>
auto dense(const BlockBidiagonalJacobian<S, B, M>& jacobian) {
  return jacobian.dense();
}

template <class S, int R, int B>
auto dense(const BlockDiagonalJacobian<S, R, B>& jacobian) {
  return jacobian.dense();
}

}  // namespace livi
