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
//   block-tridiagonal  O(n B^2)      6 n B     block L D L^T without pivoting between blocks (chain_elimination.hpp)
#pragma once

#include <livi/linalg/chain_elimination.hpp>
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
      if (pivot < RealOf<S>(0)) {
        if (!outcome.indefinite) outcome = {.indefinite = true, .pivot = static_cast<int>(i)};
        ++outcome.negative;
      }
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

template <class S, int B>
class ShiftedSolver<BlockTridiagonalHessian<S, B>> {
 public:
  template <class Mass>
  requires Mass::is_diagonal FactorOutcome factor(const Mass& mass, const S& c,
                                                  const BlockTridiagonalHessian<S, B>& hessian) {
    const std::size_t n = hessian.diagonal.size();
    inverses_.resize(n);
    multipliers_.resize(n);
    return ChainElimination<S, B>::eliminate(static_cast<Eigen::Index>(n),
                                             Rows<Mass>{mass, c, hessian, inverses_.data(), multipliers_.data()});
  }
  void solve_in_place(Vector<S, Dynamic>& b) const {
    const auto n = static_cast<Eigen::Index>(inverses_.size()), m = ChainElimination<S, B>::middle(n);
    if (n == 0) return;
    for (Eigen::Index k = 0; k < m; ++k) reduce(b, k + 1, k);
    for (Eigen::Index k = n - 1; k > m; --k) reduce(b, k - 1, k);
    divide(b, m);
    for (Eigen::Index k = m; k-- > 0;) substitute(b, k, k + 1);
    for (Eigen::Index k = m + 1; k < n; ++k) substitute(b, k, k - 1);
  }

 private:
  template <class Mass>
  struct Rows {
    const Mass& mass;
    const S& c;
    const BlockTridiagonalHessian<S, B>& hessian;
    Matrix<S, B>*inverses, *multipliers;

    void prepare(Eigen::Index) const {}
    [[nodiscard]] ChainLink<S, B> first_link() const {
      return terms<S>([](const auto& of_link) { return of_link(0); });
    }
    template <class At>
    [[nodiscard]] ChainLink<typename At::number, B> link(const At& at) const {
      return terms<typename At::number>([&](const auto& of_link) { return at.at_link(of_link); });
    }
    template <class At, class T>
    void eliminated(const At& at, const PivotInverse<T, B>& inverse, const Matrix<T, B>& multiplier,
                    const Vector<T, B>&) const {
      for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j) {
          at.set([&](Eigen::Index k, const S& entry) { inverses[k](i, j) = entry; },
                 inverse.adjugate(i, j) * inverse.reciprocal);
          at.set([&](Eigen::Index k, const S& entry) { multipliers[k](i, j) = entry; }, multiplier(i, j));
        }
    }
    void middle(Eigen::Index m, const PivotInverse<S, B>& inverse, const Vector<S, B>&) const {
      for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j) inverses[m](i, j) = inverse.adjugate(i, j) * inverse.reciprocal;
    }

   private:
    /// All of row k is given to link k.
    template <class T, class Pick>
    [[nodiscard]] ChainLink<T, B> terms(const Pick& pick) const {
      ChainLink<T, B> link;
      link.lower.setConstant(T(0));
      link.right_lower.setConstant(T(0));
      link.right_upper.setConstant(T(0));
      for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j) {
          link.cross(i, j) =
              pick([&](Eigen::Index k) -> S { return c * hessian.lower[static_cast<std::size_t>(k)](i, j); });
          if (j > i) continue;
          link.upper(i, j) = pick([&](Eigen::Index k) -> S {
            const S entry = c * hessian.diagonal[static_cast<std::size_t>(k)](i, j);
            return i == j ? S(entry + mass.diagonal(k * B + i)) : entry;
          });
        }
      return link;
    }
  };

  /// b_next -= L_k b_k.
  void reduce(Vector<S, Dynamic>& b, Eigen::Index next, Eigen::Index k) const {
    const Matrix<S, B>& multiplier = multipliers_[static_cast<std::size_t>(k)];
    for (int i = 0; i < B; ++i)
      for (int j = 0; j < B; ++j) b(next * B + i) -= multiplier(i, j) * b(k * B + j);
  }
  /// b_k becomes D_k^-1 b_k.
  void divide(Vector<S, Dynamic>& b, Eigen::Index k) const {
    const Matrix<S, B>& inverse = inverses_[static_cast<std::size_t>(k)];
    Vector<S, B> right;
    for (int i = 0; i < B; ++i) right(i) = b(k * B + i);
    for (int i = 0; i < B; ++i) {
      b(k * B + i) = inverse(i, 0) * right(0);
      for (int j = 1; j < B; ++j) b(k * B + i) += inverse(i, j) * right(j);
    }
  }
  /// b_k becomes D_k^-1 b_k - L_k^T b_next.
  void substitute(Vector<S, Dynamic>& b, Eigen::Index k, Eigen::Index next) const {
    const Matrix<S, B>& multiplier = multipliers_[static_cast<std::size_t>(k)];
    divide(b, k);
    for (int i = 0; i < B; ++i)
      for (int j = 0; j < B; ++j) b(k * B + i) -= multiplier(j, i) * b(next * B + j);
  }

  std::vector<Matrix<S, B>> inverses_, multipliers_;
};

}  // namespace livi
