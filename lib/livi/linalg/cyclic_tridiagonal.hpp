// SPDX-License-Identifier: MIT
//
// Rings and open chains of single degrees of freedom: tridiagonal matrices with two corners, and the solver of
// (M + c H) a = b for them, in O(n).
//
//     d_0  e_1              e_0
//     e_1  d_1  e_2
//          e_2  d_2  ...
//               ...  ...  e_{n-1}
//     e_0         e_{n-1}  d_{n-1}
//
// Elimination. A ring is cut at its last unknown, the border; what is left is a chain. An open chain, e_0 = 0, has no
// border. The chain is eliminated from both ends towards its middle, which makes two recurrences that do not wait for
// each other, then the middle, then the border. Each eliminated unknown leaves an entry of the border's row (fill-in)
// at its successor, of size e_0 times a product of multipliers. In a matrix of an integrator, M + beta h^2 Hess V with
// Hess V bounded, those fall off geometrically.
//
// Fill-in below epsilon^2 times the largest entry of the matrix is dropped. That is the same as a change of the matrix
// by as much, and the rounding of its entries is larger by 1/epsilon. Exact types drop only what is zero.
//
// Positive definite matrices need no pivoting. The first pivot that is not positive shows that the matrix is not
// positive definite; it may be regular although one of its leading blocks is singular. It is then factorised by
// Gaussian elimination with partial pivoting, as a band matrix: in the order 0, n-1, 1, n-2, ... neighbours on the ring
// are at most two places apart.
#pragma once

#include <livi/linalg/shifted_solver.hpp>

namespace livi {

/// Degrees of freedom on a ring, each coupled to its two neighbours; 2 n numbers.
template <class S>
struct CyclicTridiagonalHessian {
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  static constexpr int dimension = Dynamic;
  vector_type diagonal;  ///< d_i
  /// e_i: entry (i, i-1); e_0 is the corner (0, n-1), zero for an open chain. For n = 2 e_0 and e_1 join the same pair
  /// and add up; for n = 1 there is no pair and e_0 is not read.
  vector_type lower;

  explicit CyclicTridiagonalHessian(Eigen::Index size = 0)
      : diagonal(zeros<vector_type>(size)), lower(zeros<vector_type>(size)) {}
  [[nodiscard]] Eigen::Index size() const { return diagonal.size(); }
  void set_zero() {
    diagonal.setConstant(S(0));
    lower.setConstant(S(0));
  }
  void multiply(const vector_type& x, vector_type& out) const {
    const Eigen::Index n = size();
    for (Eigen::Index i = 0; i < n; ++i) out(i) = diagonal(i) * x(i);
    for (Eigen::Index i = 1; i < n; ++i) {
      out(i) += lower(i) * x(i - 1);
      out(i - 1) += lower(i) * x(i);
    }
    if (n > 1) {
      out(0) += lower(0) * x(n - 1);
      out(n - 1) += lower(0) * x(0);
    }
  }
};

/// Factorisation of a symmetric band matrix that need not be definite: two diagonals on either side of the main one,
/// Gaussian elimination with partial pivoting on the ring folded as above. Cost 28 n, solve 18 n, 9 n numbers.
template <class S>
class FoldedRingElimination {
 public:
  /// diagonal(i) = d_i and coupling(i) = e_i of the ring, for i = 0, ..., n-1. Singular when the largest candidate for
  /// a pivot is at most n epsilon times the largest entry; `pivot` is the index of that unknown.
  template <class Diagonal, class Coupling>
  FactorOutcome factor(Eigen::Index n, const Diagonal& diagonal, const Coupling& coupling) {
    using Real = RealOf<S>;
    n_ = n;
    upper_.assign(static_cast<std::size_t>(n), {});
    multipliers_.assign(static_cast<std::size_t>(n), {});
    swap_.assign(static_cast<std::size_t>(n), 0);
    for (auto& row : upper_) row.fill(S(0));
    for (Eigen::Index i = 0; i < n; ++i) entry(position(i), position(i)) += diagonal(i);
    if (n > 1)
      for (Eigen::Index i = 0; i < n; ++i) {
        const Eigen::Index here = position(i), before = position(i == 0 ? n - 1 : i - 1);
        entry(here, before) += coupling(i);
        entry(before, here) += coupling(i);
      }
    Real scale(0);
    for (const auto& row : upper_)
      for (const S& x : row) scale = larger(scale, absolute(leading(x)));
    const Real threshold = Real(static_cast<int>(n)) * ScalarTraits<S>::epsilon() * scale;
    for (Eigen::Index k = 0; k < n; ++k) {
      const Eigen::Index last_row = std::min(k + 2, n - 1), last_column = std::min(k + 4, n - 1);
      Eigen::Index best = k;
      for (Eigen::Index i = k + 1; i <= last_row; ++i)
        if (absolute(leading(entry(best, k))) < absolute(leading(entry(i, k)))) best = i;
      if (!(threshold < absolute(leading(entry(best, k)))))
        return {.singular = true, .pivot = static_cast<int>(unknown(k))};
      swap_[static_cast<std::size_t>(k)] = static_cast<int>(best - k);
      if (best != k)
        for (Eigen::Index j = k; j <= last_column; ++j) std::swap(entry(best, j), entry(k, j));
      for (Eigen::Index i = k + 1; i <= last_row; ++i) {
        const S multiplier = entry(i, k) / entry(k, k);
        multipliers_[static_cast<std::size_t>(k)][static_cast<std::size_t>(i - k - 1)] = multiplier;
        entry(i, k) = S(0);
        for (Eigen::Index j = k + 1; j <= last_column; ++j) entry(i, j) -= multiplier * entry(k, j);
      }
    }
    return {};
  }

  void solve_in_place(Vector<S, Dynamic>& b) const {
    for (Eigen::Index k = 0; k < n_; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (swap_[at] != 0) std::swap(b(unknown(k)), b(unknown(k + swap_[at])));
      for (Eigen::Index i = k + 1; i <= std::min(k + 2, n_ - 1); ++i)
        b(unknown(i)) -= multipliers_[at][static_cast<std::size_t>(i - k - 1)] * b(unknown(k));
    }
    for (Eigen::Index k = n_; k-- > 0;) {
      S& x = b(unknown(k));
      for (Eigen::Index j = k + 1; j <= std::min(k + 4, n_ - 1); ++j) x -= entry(k, j) * b(unknown(j));
      x /= entry(k, k);
    }
  }

 private:
  [[nodiscard]] Eigen::Index position(Eigen::Index i) const { return 2 * i < n_ ? 2 * i : 2 * (n_ - 1 - i) + 1; }
  [[nodiscard]] Eigen::Index unknown(Eigen::Index k) const { return k % 2 == 0 ? k / 2 : n_ - 1 - k / 2; }
  /// Entry (i, j), i - 2 <= j <= i + 4: two columns of fill-in by the exchanges of rows.
  S& entry(Eigen::Index i, Eigen::Index j) {
    return upper_[static_cast<std::size_t>(i)][static_cast<std::size_t>(j - i + 2)];
  }
  const S& entry(Eigen::Index i, Eigen::Index j) const {
    return upper_[static_cast<std::size_t>(i)][static_cast<std::size_t>(j - i + 2)];
  }
  template <class R>
  static R absolute(const R& x) {
    return x < R(0) ? R(-x) : x;
  }

  Eigen::Index n_ = 0;
  std::vector<std::array<S, 7>> upper_;
  std::vector<std::array<S, 2>> multipliers_;
  std::vector<int> swap_;
};

/// L D L^T in the order of the head of this file. Cost 6 n, solve 6 n, 3 n numbers.
template <class S>
class ShiftedSolver<CyclicTridiagonalHessian<S>> {
 public:
  /// `pivot` of the outcome is the index of the unknown whose pivot was not positive, or was zero.
  template <class Mass>
  requires Mass::is_diagonal FactorOutcome factor(const Mass& mass, const S& c,
                                                  const CyclicTridiagonalHessian<S>& hessian) {
    n_ = hessian.size();
    reciprocal_.resize(n_);
    multiplier_.resize(n_);
    border_.resize(n_);
    positive_definite_ = true;
    const auto d = [&](Eigen::Index i) -> S { return mass.diagonal(i) + c * hessian.diagonal(i); };
    const auto e = [&](Eigen::Index i) -> S { return c * hessian.lower(i); };
    int refused = -1;
    // The pivot of unknown i: not below the rounding of the two differences it is made by.
    const auto accept = [&](Eigen::Index i, const S& pivot) {
      if (RealOf<S>(4) * ScalarTraits<S>::epsilon() * leading(d(i)) < leading(pivot)) {
        reciprocal_(i) = S(1) / pivot;
        return true;
      }
      refused = static_cast<int>(i);
      return false;
    };
    if (eliminate(d, e, accept)) return {};
    positive_definite_ = false;
    FactorOutcome outcome = general_.factor(n_, d, e);
    outcome.indefinite = true;
    if (!outcome.singular) outcome.pivot = refused;
    return outcome;
  }

  void solve_in_place(Vector<S, Dynamic>& b) const {
    if (!positive_definite_) {
      general_.solve_in_place(b);
      return;
    }
    const Eigen::Index m = chain_, last = n_ - 1;
    if (m > 0) {
      const Eigen::Index middle = m / 2;
      S of_border(0);
      for (Eigen::Index k = 0; k < left_fill_; ++k) {
        of_border += border_(k) * b(k);
        b(k + 1) -= multiplier_(k) * b(k);
      }
      for (Eigen::Index k = left_fill_; k < middle; ++k) b(k + 1) -= multiplier_(k) * b(k);
      for (Eigen::Index k = m - 1; k > right_fill_; --k) {
        of_border += border_(k) * b(k);
        b(k - 1) -= multiplier_(k) * b(k);
      }
      for (Eigen::Index k = right_fill_; k > middle; --k) b(k - 1) -= multiplier_(k) * b(k);
      if (m < n_) {
        b(last) = (b(last) - of_border - border_(middle) * b(middle)) * reciprocal_(last);
        b(middle) = b(middle) * reciprocal_(middle) - border_(middle) * b(last);
      } else {
        b(middle) *= reciprocal_(middle);
      }
      for (Eigen::Index k = middle; k-- > left_fill_;) b(k) = b(k) * reciprocal_(k) - multiplier_(k) * b(k + 1);
      for (Eigen::Index k = left_fill_; k-- > 0;)
        b(k) = b(k) * reciprocal_(k) - multiplier_(k) * b(k + 1) - border_(k) * b(last);
      for (Eigen::Index k = middle + 1; k <= right_fill_; ++k) b(k) = b(k) * reciprocal_(k) - multiplier_(k) * b(k - 1);
      for (Eigen::Index k = right_fill_ + 1; k < m; ++k)
        b(k) = b(k) * reciprocal_(k) - multiplier_(k) * b(k - 1) - border_(k) * b(last);
    } else if (n_ > 0) {
      b(last) *= reciprocal_(last);
    }
  }

 private:
  /// False when a pivot is not accepted.
  template <class Diagonal, class Coupling, class Accept>
  bool eliminate(const Diagonal& d, const Coupling& e, const Accept& accept) {
    left_fill_ = 0;
    if (n_ == 0) return true;
    const Eigen::Index last = n_ - 1;
    const bool ring = n_ > 1 && !(e(0) == S(0));
    const Eigen::Index m = chain_ = ring ? n_ - 1 : n_, middle = m / 2;
    right_fill_ = m - 1;
    RealOf<S> negligible(0);
    if (ring) {
      for (Eigen::Index i = 0; i < n_; ++i) negligible = larger(negligible, magnitude(d(i)));
      negligible *= ScalarTraits<S>::epsilon() * ScalarTraits<S>::epsilon();
    }
    const auto dropped = [&](const S& fill) { return magnitude(fill) <= negligible; };
    S pivot_of_border = ring ? d(last) : S(0);

    S pivot = d(0), fill = ring ? e(0) : S(0);  // of unknown k, and the entry of the border's row there
    if (middle == m - 1 && ring && middle == 0) fill += e(last);
    for (Eigen::Index k = 0; k < middle; ++k) {
      if (!accept(k, pivot)) return false;
      multiplier_(k) = e(k + 1) * reciprocal_(k);
      if (ring && left_fill_ == k) {
        if (dropped(fill)) {
          fill = S(0);
        } else {
          left_fill_ = k + 1;
          border_(k) = fill * reciprocal_(k);
          pivot_of_border -= fill * border_(k);
          fill = -fill * multiplier_(k);
        }
      }
      pivot = d(k + 1) - e(k + 1) * multiplier_(k);
    }
    S pivot_of_middle = pivot, fill_of_middle = fill;
    if (m - 1 > middle) {
      pivot = d(m - 1);
      fill = ring ? e(last) : S(0);
      for (Eigen::Index k = m - 1; k > middle; --k) {
        if (!accept(k, pivot)) return false;
        multiplier_(k) = e(k) * reciprocal_(k);
        if (ring && right_fill_ == k) {
          if (dropped(fill)) {
            fill = S(0);
          } else {
            right_fill_ = k - 1;
            border_(k) = fill * reciprocal_(k);
            pivot_of_border -= fill * border_(k);
            fill = -fill * multiplier_(k);
          }
        }
        if (k - 1 > middle) pivot = d(k - 1) - e(k) * multiplier_(k);
        if (k - 1 == middle) pivot_of_middle -= e(k) * multiplier_(k);
      }
      fill_of_middle += fill;
    } else if (ring && middle > 0) {
      fill_of_middle += e(last);  // the middle is the border's neighbour
    }
    if (!accept(middle, pivot_of_middle)) return false;
    if (!ring) return true;
    border_(middle) = fill_of_middle * reciprocal_(middle);
    return accept(last, pivot_of_border - fill_of_middle * border_(middle));
  }

  Eigen::Index n_ = 0, chain_ = 0;
  Eigen::Index left_fill_ = 0, right_fill_ = -1;  ///< border_ is nonzero before the one and after the other
  Vector<S, Dynamic> reciprocal_, multiplier_, border_;
  FoldedRingElimination<S> general_;
  bool positive_definite_ = true;
};

}  // namespace livi
