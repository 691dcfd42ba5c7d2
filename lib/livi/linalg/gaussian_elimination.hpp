// SPDX-License-Identifier: MIT
//
// A x = b by Gaussian elimination with partial pivoting, for general and for symmetric A, for every Scalar.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include <livi/linalg/factor_outcome.hpp>
#include <livi/linalg/vector.hpp>

namespace livi {

/// A factorisation of a general square matrix by Gaussian elimination with partial pivoting. Cost 2/3 n^3, solve 2 n^2. Columns in which
/// the row of the pivot is zero are passed over for floating-point numbers: matrices of Newton's method are made of blocks, most of them
/// zero.
template <class S, int N>
class GaussianElimination {
 public:
  using matrix_type = Matrix<S, N>;
  using vector_type = Vector<S, N>;

  /// Factorises a copy of `a`. The outcome is singular if the largest candidate for a pivot is at most n epsilon times
  /// the largest entry.
  FactorOutcome factor(const matrix_type& a) {
    const OrderAssumed<S> any(OrderReason::pivots);
    RealOf<S> scale(0);
    if constexpr (std::floating_point<S>)
      scale = max_magnitude(a);
    else
      for (Eigen::Index i = 0; i < a.rows(); ++i)
        for (Eigen::Index j = 0; j < a.cols(); ++j) {
          const RealOf<S> size = absolute_value(leading(a(i, j)));
          if (!(size <= scale)) scale = size;
        }
    return factor(a, [&](Eigen::Index, Eigen::Index) { return scale; });
  }
  /// Factorises a copy of `a` whose entry (i, j) was computed from numbers of the size terms(i, j), with which its
  /// pivot is compared.
  template <class Terms>
  FactorOutcome factor(const matrix_type& a, const Terms& terms) {
    lu_ = a;
    const Eigen::Index n = lu_.rows();
    if constexpr (N == Dynamic) {
      row_.resize(static_cast<std::size_t>(n));
      reciprocal_pivot_.resize(n);
    }
    const OrderAssumed<S> first_that_is_not_zero(OrderReason::pivots);
    const RealOf<S> roundoff = RealOf<S>(static_cast<int>(n)) * ScalarTraits<S>::epsilon();
    for (Eigen::Index k = 0; k < n; ++k) {
      Eigen::Index best = k;
      for (Eigen::Index i = k + 1; i < n; ++i)
        if (absolute_value(leading(lu_(best, k))) < absolute_value(leading(lu_(i, k)))) best = i;
      if (!(roundoff * terms(row_before_exchanges(best, k), k) < absolute_value(leading(lu_(best, k)))))
        return {.singular = true, .pivot = static_cast<int>(k)};
      row_[static_cast<std::size_t>(k)] = best;
      if (best != k)
        for (Eigen::Index j = 0; j < n; ++j) std::swap(lu_(k, j), lu_(best, j));
      reciprocal_pivot_(k) = S(1) / lu_(k, k);
      // A denormal pivot has no reciprocal.
      if (!is_finite(reciprocal_pivot_(k))) return {.singular = true, .pivot = static_cast<int>(k)};
      for (Eigen::Index i = k + 1; i < n; ++i) lu_(i, k) *= reciprocal_pivot_(k);
      for (Eigen::Index j = k + 1; j < n; ++j) {
        const S above = lu_(k, j);
        // Not for other number types: operations that are counted are those of the formulas.
        if (std::floating_point<S> && zero_by_construction(above)) continue;
        for (Eigen::Index i = k + 1; i < n; ++i) lu_(i, j) -= lu_(i, k) * above;
      }
    }
    return {};
  }

  /// Overwrites b by A^-1 b.
  template <class V>
  void solve_in_place(V&& b) const {
    const Eigen::Index n = lu_.rows();
    // One row has no exchanges: said here, or b would have to be in memory.
    for (Eigen::Index k = 0; N != 1 && k < n; ++k)
      if (const Eigen::Index r = row_[static_cast<std::size_t>(k)]; r != k) std::swap(b(k), b(r));
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = j + 1; i < n; ++i) b(i) -= lu_(i, j) * b(j);
    for (Eigen::Index i = n - 1; i >= 0; --i) {
      for (Eigen::Index j = i + 1; j < n; ++j) b(i) -= lu_(i, j) * b(j);
      b(i) *= reciprocal_pivot_(i);
    }
  }

  /// Returns whether the determinant is negative. Cost n.
  [[nodiscard]] bool negative_determinant() const {
    bool negative = false;
    for (Eigen::Index k = 0; k < lu_.rows(); ++k) {
      if (leading(reciprocal_pivot_(k)) < RealOf<S>(0)) negative = !negative;
      if (row_[static_cast<std::size_t>(k)] != k) negative = !negative;
    }
    return negative;
  }

 private:
  /// Returns the row of A that the first `exchanges` exchanges have moved to `row`.
  [[nodiscard]] Eigen::Index row_before_exchanges(Eigen::Index row, Eigen::Index exchanges) const {
    for (Eigen::Index k = exchanges - 1; k >= 0; --k) {
      const Eigen::Index other = row_[static_cast<std::size_t>(k)];
      if (row == k)
        row = other;
      else if (row == other)
        row = k;
    }
    return row;
  }

  matrix_type lu_ = zeros<matrix_type>();
  vector_type reciprocal_pivot_ = zeros<vector_type>();
  std::conditional_t<N == Dynamic, std::vector<Eigen::Index>,
                     std::array<Eigen::Index, N == Dynamic ? 1 : static_cast<std::size_t>(N)>>
      row_{};
};

/// A factorisation of a symmetric matrix that counts the negative eigenvalues. A pivot is compared with the size that
/// an entry in its row and column may have, s_i s_j >= |a_ij| (Bunch 1971), so that rows in different units are treated
/// alike. Cost n^3, solve 2 n^2.
template <class S, int N>
class SymmetricElimination {
 public:
  using matrix_type = Matrix<S, N>;

  /// Factorises the matrix A whose lower triangle is given; mass(j) >= 0 is the size of the numbers A(j, j) was
  /// computed from, where that is larger than A(j, j).
  template <class Mass>
  FactorOutcome factor(const matrix_type& lower, const Mass& mass) {
    symmetric_ = lower;
    for (Eigen::Index i = 0; i < lower.rows(); ++i)
      for (Eigen::Index j = 0; j < i; ++j) symmetric_(j, i) = lower(i, j);
    if constexpr (!ScalarTraits<S>::exact) find_sizes(lower, mass);
    FactorOutcome outcome = elimination_.factor(symmetric_, [&](Eigen::Index i, Eigen::Index j) {
      if constexpr (ScalarTraits<S>::exact)
        return RealOf<S>(0);  // no rounding
      else
        return RealOf<S>(sizes_(i) * sizes_(j));
    });
    if (!outcome.singular) outcome.negative = count_negative(symmetric_);
    return outcome;
  }

  /// Overwrites b by A^-1 b.
  template <class V>
  void solve_in_place(V&& b) const {
    elimination_.solve_in_place(b);
  }

 private:
  template <class Mass>
  void find_sizes(const matrix_type& lower, const Mass& mass) {
    using std::sqrt;  // found beside those of other number types
    using Real = RealOf<S>;
    const Eigen::Index n = lower.rows();
    if constexpr (N == Dynamic) sizes_.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      sizes_(i) = sqrt(larger(absolute_value(leading(lower(i, i))), Real(mass(static_cast<int>(i)))));
      for (Eigen::Index j = 0; j < i; ++j)
        sizes_(i) = larger(sizes_(i), Real(absolute_value(leading(lower(i, j))) / sizes_(j)));
      if (sizes_(i) == Real(0)) sizes_(i) = Real(1);  // no entry so far gives a size
    }
  }

  /// Counts the negative eigenvalues of `a`, which is overwritten, by symmetric elimination with pivots of one or two
  /// rows, the largest there are (Bunch and Parlett 1971). It is backward stable, so the count is that of a nearby
  /// matrix. A pivot of two rows is taken only where its entry off the diagonal is the largest, so that its determinant
  /// is negative.
  static int count_negative(matrix_type& a) {
    using Real = RealOf<S>;
    const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
    const auto size = [&](Eigen::Index i, Eigen::Index j) { return absolute_value(leading(a(i, j))); };
    const auto exchange = [&](Eigen::Index i, Eigen::Index j) {
      if (i == j) return;
      for (Eigen::Index k = 0; k < a.rows(); ++k) std::swap(a(i, k), a(j, k));
      for (Eigen::Index k = 0; k < a.rows(); ++k) std::swap(a(k, i), a(k, j));
    };
    int negative = 0;
    for (Eigen::Index n = a.rows(); n > 0;) {
      Eigen::Index diagonal = 0, row = 0, column = 0;
      for (Eigen::Index i = 0; i < n; ++i) {
        if (size(diagonal, diagonal) < size(i, i)) diagonal = i;
        for (Eigen::Index j = 0; j < i; ++j)
          if (row == column || size(row, column) < size(i, j)) row = i, column = j;
      }
      if (row == column || !(Real(8) * size(diagonal, diagonal) < Real(5) * size(row, column))) {
        if (size(diagonal, diagonal) == Real(0)) return negative;
        exchange(diagonal, --n);
        negative += leading(a(n, n)) < Real(0) ? 1 : 0;
        for (Eigen::Index i = 0; i < n; ++i) {
          const S l = a(i, n) / a(n, n);
          for (Eigen::Index j = 0; j < n; ++j) a(i, j) -= l * a(n, j);
        }
        continue;
      }
      exchange(row, n - 1);  // row > column, so column has not moved
      exchange(column, n - 2);
      n -= 2;
      ++negative;
      const S reciprocal = S(1) / (a(n, n) * a(n + 1, n + 1) - a(n, n + 1) * a(n, n + 1));
      for (Eigen::Index i = 0; i < n; ++i) {
        const S l = (a(i, n) * a(n + 1, n + 1) - a(i, n + 1) * a(n, n + 1)) * reciprocal,
                m = (a(i, n + 1) * a(n, n) - a(i, n) * a(n, n + 1)) * reciprocal;
        for (Eigen::Index j = 0; j < n; ++j) a(i, j) -= l * a(n, j) + m * a(n + 1, j);
      }
    }
    return negative;
  }

  matrix_type symmetric_ = zeros<matrix_type>();  ///< A; later what its signs were found with
  GaussianElimination<S, N> elimination_;
  Vector<RealOf<S>, N> sizes_ = zeros<Vector<RealOf<S>, N>>();  ///< s
};

}  // namespace livi
