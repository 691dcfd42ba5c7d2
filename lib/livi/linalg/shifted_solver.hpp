// SPDX-License-Identifier: MIT
//
// Solvers of (M + c H) a = b, chosen by the structure of H: the one linear system of a linearly implicit step (TO14
// (3), (16), (18), (19)) and of a Newton iteration on an implicit one (TO14 (12), (14)). No inverse is formed; nothing
// is allocated after the first factorisation.
//
//   structure          factor        solve     by
//   dense              n^3/3         2 n^2     L D L^T, Gaussian elimination if indefinite (symmetric_factor.hpp)
//   diagonal           n             n
//   block-diagonal     (n/B) B^3/3   2 n B     each block as dense
//   block-tridiagonal  (n/B) 7B^3/3  6 n B     block L D L^T without pivoting between blocks
#pragma once

#include <livi/linalg/hessian.hpp>
#include <livi/linalg/mass.hpp>

namespace livi {

template <class Hessian>
class ShiftedSolver;

template <class S, int N>
class ShiftedSolver<DenseHessian<S, N>> {
 public:
  template <class Mass>
  FactorOutcome factor(const Mass& mass, const S& c, const DenseHessian<S, N>& hessian) {
    const int n = N == Dynamic ? static_cast<int>(hessian.size()) : N;
    if constexpr (N == Dynamic) matrix_.resize(n, n);
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i) {
        matrix_(i, j) = c * hessian.matrix(i, j);
        if constexpr (Mass::is_diagonal) {
          if (i == j) matrix_(i, j) += mass.diagonal(i);
        } else {
          matrix_(i, j) += mass.matrix()(i, j);
        }
      }
    return factor_.factor(matrix_);
  }
  void solve_in_place(Vector<S, N>& b) const { factor_.solve_in_place(b); }

 private:
  Matrix<S, N> matrix_;
  SymmetricFactor<S, N> factor_;
};

template <class S, int N>
class ShiftedSolver<DiagonalHessian<S, N>> {
 public:
  template <class Mass>
  requires Mass::is_diagonal FactorOutcome factor(const Mass& mass, const S& c, const DiagonalHessian<S, N>& hessian) {
    const Eigen::Index n = hessian.size();
    if constexpr (N == Dynamic) diagonal_.resize(n);
    FactorOutcome outcome;
    for (Eigen::Index i = 0; i < n; ++i) {
      diagonal_(i) = mass.diagonal(i) + c * hessian.diagonal(i);
      const auto pivot = leading(diagonal_(i));
      if (!(pivot < RealOf<S>(0)) && !(RealOf<S>(0) < pivot))  // zero or NaN
        return {.singular = true, .indefinite = outcome.indefinite, .pivot = static_cast<int>(i)};
      if (pivot < RealOf<S>(0) && !outcome.indefinite) outcome = {.indefinite = true, .pivot = static_cast<int>(i)};
    }
    return outcome;
  }
  void solve_in_place(Vector<S, N>& b) const { b = b.cwiseQuotient(diagonal_); }

 private:
  Vector<S, N> diagonal_;
};

template <class S, int B>
class ShiftedSolver<BlockDiagonalHessian<S, B>> {
 public:
  template <class Mass>
  requires Mass::is_diagonal FactorOutcome factor(const Mass& mass, const S& c,
                                                  const BlockDiagonalHessian<S, B>& hessian) {
    factors_.resize(hessian.blocks.size());
    FactorOutcome outcome;
    for (std::size_t k = 0; k < factors_.size(); ++k) {
      Matrix<S, B> block = c * hessian.blocks[k];
      for (int i = 0; i < B; ++i) block(i, i) += mass.diagonal(static_cast<Eigen::Index>(k) * B + i);
      const FactorOutcome of_block = factors_[k].factor(block);
      if (of_block.singular) return {.singular = true, .indefinite = outcome.indefinite, .pivot = static_cast<int>(k)};
      if (of_block.indefinite && !outcome.indefinite) outcome = {.indefinite = true, .pivot = static_cast<int>(k)};
    }
    return outcome;
  }
  void solve_in_place(Vector<S, Dynamic>& b) const {
    for (std::size_t k = 0; k < factors_.size(); ++k)
      factors_[k].solve_in_place(b.template segment<B>(static_cast<Eigen::Index>(k) * B));
  }

 private:
  std::vector<SymmetricFactor<S, B>> factors_;
};

/// Block L D L^T: D_0 = A_0, L_k = E_k D_{k-1}^-1, D_k = A_k - L_k E_k^T with E_k the block below the diagonal. Pivots
/// are blocks; a singular one is an error although the whole matrix may be regular: the blocks of a penalised chain are
/// positive definite whenever the matrix is.
template <class S, int B>
class ShiftedSolver<BlockTridiagonalHessian<S, B>> {
 public:
  template <class Mass>
  requires Mass::is_diagonal FactorOutcome factor(const Mass& mass, const S& c,
                                                  const BlockTridiagonalHessian<S, B>& hessian) {
    const std::size_t n = hessian.diagonal.size();
    pivots_.resize(n);
    lower_.resize(n);
    FactorOutcome outcome;
    for (std::size_t k = 0; k < n; ++k) {
      Matrix<S, B> block;
      for (int i = 0; i < B; ++i)
        for (int j = 0; j <= i; ++j) block(i, j) = block(j, i) = c * hessian.diagonal[k](i, j);
      for (int i = 0; i < B; ++i) block(i, i) += mass.diagonal(static_cast<Eigen::Index>(k) * B + i);
      if (k > 0) {
        const Matrix<S, B> below = c * hessian.lower[k];
        Matrix<S, B> transposed = below.transpose();  // columns of E^T become columns of (E D^-1)^T, D symmetric
        for (int j = 0; j < B; ++j) pivots_[k - 1].solve_in_place(transposed.col(j));
        lower_[k] = transposed.transpose();
        for (int i = 0; i < B; ++i)
          for (int j = 0; j < B; ++j)
            for (int l = 0; l < B; ++l) block(i, j) -= lower_[k](i, l) * below(j, l);
      }
      const FactorOutcome of_block = pivots_[k].factor(block);
      if (of_block.singular) return {.singular = true, .indefinite = outcome.indefinite, .pivot = static_cast<int>(k)};
      if (of_block.indefinite && !outcome.indefinite) outcome = {.indefinite = true, .pivot = static_cast<int>(k)};
    }
    return outcome;
  }
  void solve_in_place(Vector<S, Dynamic>& b) const {
    const std::size_t n = pivots_.size();
    for (std::size_t k = 1; k < n; ++k) {
      const auto at = static_cast<Eigen::Index>(k) * B;
      for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j) b(at + i) -= lower_[k](i, j) * b(at - B + j);
    }
    for (std::size_t k = n; k-- > 0;) {
      const auto at = static_cast<Eigen::Index>(k) * B;
      pivots_[k].solve_in_place(b.template segment<B>(at));
      if (k + 1 < n)
        for (int i = 0; i < B; ++i)
          for (int j = 0; j < B; ++j) b(at + i) -= lower_[k + 1](j, i) * b(at + B + j);
    }
  }

 private:
  std::vector<SymmetricFactor<S, B>> pivots_;
  std::vector<Matrix<S, B>> lower_;
};

}  // namespace livi
