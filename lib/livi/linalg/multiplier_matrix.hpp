// SPDX-License-Identifier: MIT
//
// The matrix of the multipliers, A = Dg(q) M^-1 G^T. G is Dg at the old position; Dg(q) is taken at an iterate (SHAKE),
// or at that same position for the velocities of RATTLE, where A is symmetric. Solvers by the structure of the
// Jacobian:
//
//   structure         assembly       factor      solve    by
//   dense             m^2 n          2/3 m^3     2 m^2    Gaussian elimination with partial pivoting
//   block-bidiagonal  4 m B          5 m         3 m      elimination along three diagonals (diagonal masses)
//   block-diagonal    m R B          2/3 m R^2   2 m R    each block as dense, R equations in each (diagonal masses)
//
// Nothing is allocated after the first step (dense: as long as Eigen multiplies without a heap, m below about 100).
//
// Pivots of a planar chain. Let w_k be the inverse mass of particle k, w_{-1} = 0, phi_k the angle of link k at the old
// position, alpha_k the angle by which it is turned at the iterate, kappa = phi_k - phi_{k-1}. With rows and columns
// divided by twice the lengths of their links, which changes neither signs of pivots nor ratios to their terms,
//   A(k, k) = (w_{k-1} + w_k) cos alpha_k,
//   A(k, k-1) A(k-1, k) = w_{k-1}^2 cos(kappa + alpha_k) cos(kappa - alpha_{k-1}).
// The product of the two cosines is (cos(2 kappa + alpha_k - alpha_{k-1}) + cos(alpha_k + alpha_{k-1})) / 2, which is
// at most cos alpha_k cos alpha_{k-1} + sin^2((alpha_k - alpha_{k-1}) / 2). If all links turn alike, by less than 90
// degrees, pivot k of an elimination from the fixed end is therefore at least w_k cos alpha_k, and from the free end at
// least w_{k-1} cos alpha_k (by induction), whatever the masses, the lengths and n; where the ends meet, something is
// left, for the last particle has no link below it. Links whose angles differ by eta after a step lose eta^2/4 per link
// and can bring a pivot to zero when n eta is of order one: hence exchanges of rows, and an outcome `singular`.
#pragma once

#include <algorithm>
#include <livi/linalg/jacobian.hpp>
#include <livi/linalg/mass.hpp>
#include <livi/linalg/tridiagonal_elimination.hpp>

namespace livi {

template <class Jacobian, class Mass>
class MultiplierMatrix;

template <class S, int M, int N, int Options, int MaxM, int MaxN, class Mass>
class MultiplierMatrix<Eigen::Matrix<S, M, N, Options, MaxM, MaxN>, Mass> {
 public:
  using jacobian_type = Eigen::Matrix<S, M, N, Options, MaxM, MaxN>;
  using vector_type = Vector<S, N>;

  explicit MultiplierMatrix(const Mass&) {}

  /// Fixes G, and with it the directions M^-1 G^T.
  void set_directions(const Mass& mass, const jacobian_type& jacobian) {
    directions_ = jacobian.transpose();
    for (Eigen::Index k = 0; k < directions_.cols(); ++k) {
      column_ = directions_.col(k);
      mass.solve_in_place(column_);
      directions_.col(k) = column_;
    }
  }
  /// Factorises Dg M^-1 G^T for this Dg.
  FactorOutcome factor(const jacobian_type& jacobian) {
    matrix_.noalias() = jacobian * directions_;
    return factor_.factor(matrix_);
  }
  /// Returns whether, in the matrix factorised last, the determinant and all diagonal entries are positive, as they are for
  /// Dg = G: no gradient of a constraint has turned by a right angle or more.
  [[nodiscard]] bool keeps_orientation() const {
    for (Eigen::Index k = 0; k < matrix_.rows(); ++k)
      if (!(RealOf<S>(0) < leading(matrix_(k, k)))) return false;
    return !factor_.negative_determinant();
  }
  /// Returns whether the determinant of the matrix factorised last is negative.
  [[nodiscard]] bool negative_determinant() const { return factor_.negative_determinant(); }
  template <class V>
  void solve_in_place(V&& b) const {
    factor_.solve_in_place(b);
  }
  /// Sets out = M^-1 G^T mu.
  template <class V>
  void push(const V& mu, vector_type& out) const {
    out.noalias() = directions_ * mu;
  }

 private:
  Matrix<S, N, M> directions_ = zeros<Matrix<S, N, M>>();
  Matrix<S, M> matrix_ = zeros<Matrix<S, M>>();
  GaussianElimination<S, M> factor_;
  vector_type column_ = zeros<vector_type>();
};

/// The matrix of the multipliers of a chain: equations k and k-1 share block k-1 of coordinates, so A has three
/// diagonals.
template <class S, int B, int M, class Mass>
class MultiplierMatrix<BlockBidiagonalJacobian<S, B, M>, Mass> {
  static_assert(Mass::is_diagonal, "a full mass couples all constraints: give the constraint a dense Jacobian");

 public:
  using jacobian_type = BlockBidiagonalJacobian<S, B, M>;

  explicit MultiplierMatrix(const Mass&) {}

  /// Fixes G, and with it the directions M^-1 G^T.
  void set_directions(const Mass& mass, const jacobian_type& jacobian) {
    const Eigen::Index m = jacobian.equations();
    directions_.resize(m);
    for (Eigen::Index k = 0; k < m; ++k)
      for (int i = 0; i < B; ++i) {
        directions_.own(i, k) = jacobian.own(i, k) * mass.reciprocal(B * k + i);
        if (k > 0) directions_.previous(i, k) = jacobian.previous(i, k) * mass.reciprocal(B * (k - 1) + i);
      }
    elimination_.resize(m);
  }
  /// Factorises Dg M^-1 G^T for this Dg.
  FactorOutcome factor(const jacobian_type& jacobian) {
    assemble(jacobian);
    return elimination_.factor();
  }
  /// Returns whether, in the matrix factorised last, the determinant and all diagonal entries are positive, as they are for
  /// Dg = G: no gradient of a constraint has turned by a right angle or more.
  [[nodiscard]] bool keeps_orientation() const {
    for (Eigen::Index k = 0; k < elimination_.diagonal.size(); ++k)
      if (!(RealOf<S>(0) < leading(elimination_.diagonal(k)))) return false;
    return !elimination_.negative_determinant();
  }
  /// Returns whether the determinant of the matrix factorised last is negative.
  [[nodiscard]] bool negative_determinant() const { return elimination_.negative_determinant(); }
  template <class V>
  void solve_in_place(V&& b) const {
    elimination_.solve_in_place(b);
  }
  /// Sets out = M^-1 G^T mu.
  template <class V, class W>
  void push(const V& mu, W& out) const {
    multiply_transposed(directions_, mu, out);
  }

 protected:
  void assemble(const jacobian_type& jacobian) {
    const Eigen::Index m = jacobian.equations();
    elimination_.diagonal(0) = dot(jacobian.own, 0, directions_.own, 0);
    for (Eigen::Index k = 1; k < m; ++k) {
      elimination_.upper(k - 1) = dot(jacobian.own, k - 1, directions_.previous, k);
      elimination_.lower(k) = dot(jacobian.previous, k, directions_.own, k - 1);
      elimination_.diagonal(k) =
          dot(jacobian.own, k, directions_.own, k) + dot(jacobian.previous, k, directions_.previous, k);
    }
  }
  TridiagonalElimination<S, M> elimination_;

 private:
  static S dot(const Matrix<S, B, M>& a, Eigen::Index i, const Matrix<S, B, M>& b, Eigen::Index j) {
    S sum = a(0, i) * b(0, j);
    for (int l = 1; l < B; ++l) sum += a(l, i) * b(l, j);
    return sum;
  }

  jacobian_type directions_;  ///< G M^-1, row by row
};

/// The matrix of the multipliers of rigid molecules: equations of different blocks share no coordinate, so A is
/// block-diagonal.
template <class S, int R, int B, class Mass>
class MultiplierMatrix<BlockDiagonalJacobian<S, R, B>, Mass> {
  static_assert(Mass::is_diagonal, "a full mass couples all constraints: give the constraint a dense Jacobian");

 public:
  using jacobian_type = BlockDiagonalJacobian<S, R, B>;

  explicit MultiplierMatrix(const Mass&) {}

  /// Fixes G, and with it the directions M^-1 G^T.
  void set_directions(const Mass& mass, const jacobian_type& jacobian) {
    const Eigen::Index m = jacobian.equations();
    directions_.resize(m);
    for (Eigen::Index k = 0; k < m; ++k)
      for (int i = 0; i < B; ++i) directions_.own(i, k) = jacobian.own(i, k) * mass.reciprocal(k / R * B + i);
    factors_.resize(static_cast<std::size_t>(m / R));
    diagonal_.resize(m);
  }
  /// Factorises Dg M^-1 G^T for this Dg; `pivot` of the outcome is the block.
  FactorOutcome factor(const jacobian_type& jacobian) {
    Matrix<S, R> block;
    for (std::size_t a = 0; a < factors_.size(); ++a) {
      const Eigen::Index first = R * static_cast<Eigen::Index>(a);
      for (int k = 0; k < R; ++k)
        for (int l = 0; l < R; ++l) {
          S sum = jacobian.own(0, first + k) * directions_.own(0, first + l);
          for (int i = 1; i < B; ++i) sum += jacobian.own(i, first + k) * directions_.own(i, first + l);
          block(k, l) = sum;
        }
      for (int k = 0; k < R; ++k) diagonal_(first + k) = block(k, k);
      if (factors_[a].factor(block).singular) return {.singular = true, .pivot = static_cast<int>(a)};
    }
    return {};
  }
  /// Returns whether, in the matrix factorised last, all diagonal entries and the determinants of all blocks are positive, as
  /// they are for Dg = G: no gradient of a constraint has turned by a right angle or more.
  [[nodiscard]] bool keeps_orientation() const {
    for (Eigen::Index k = 0; k < diagonal_.size(); ++k)
      if (!(RealOf<S>(0) < leading(diagonal_(k)))) return false;
    return !negative_determinant();
  }
  /// Returns whether, in the matrix factorised last, the determinant of a block is negative.
  [[nodiscard]] bool negative_determinant() const {
    return std::any_of(factors_.begin(), factors_.end(),
                       [](const auto& block) { return block.negative_determinant(); });
  }
  template <class V>
  void solve_in_place(V&& b) const {
    for (std::size_t a = 0; a < factors_.size(); ++a)
      factors_[a].solve_in_place(b.template segment<R>(R * static_cast<Eigen::Index>(a)));
  }
  /// Sets out = M^-1 G^T mu.
  template <class V, class W>
  void push(const V& mu, W& out) const {
    multiply_transposed(directions_, mu, out);
  }

 private:
  jacobian_type directions_;  ///< G M^-1, row by row
  std::vector<GaussianElimination<S, R>> factors_;
  Vector<S, Dynamic> diagonal_;  ///< the diagonal of the matrix factorised last
};

}  // namespace livi
