// SPDX-License-Identifier: MIT
//
// A x = b for symmetric A of modest size, for every Scalar.
//
// Positive definite A, the ordinary case of M + beta h^2 Hess V, is factorised as L D L^T without square roots, which
// would leave the rationals, and without pivoting, which stability does not need. The first pivot that is not positive
// shows that A is indefinite. The method is still defined there, but L D L^T without pivoting is not stable: A is then
// factorised by Gaussian elimination with partial pivoting, its negative eigenvalues are counted, and the outcome says
// so.
#pragma once

#include <livi/linalg/gaussian_elimination.hpp>

#include <optional>

namespace livi {

/// A factorisation of a symmetric matrix, of which the lower triangle is read. Cost n^3/3 when positive definite, solve
/// 2 n^2. Even fixed sizes take pivots of 2 x 2 instead of 1 x 1, with half the divisions, which are what a small
/// factorisation waits for. The inverse of a pivot loses digits where its determinant is a small part of its terms:
/// such a matrix is eliminated row by row.
template <class S, int N>
class SymmetricFactor {
 public:
  using matrix_type = Matrix<S, N>;
  static constexpr bool paired = N != Dynamic && N > 0 && N % 2 == 0;

  /// Factorises `a`. The outcome is singular if a pivot is at the rounding of the entries of `a`, the only terms known
  /// here.
  FactorOutcome factor(const matrix_type& a) {
    return factor(a, [](int) { return RealOf<S>(0); });
  }
  /// Factorises a matrix whose diagonal entries a(j, j) are sums of mass(j) >= 0 and something else: where the two
  /// cancel, the sum has the rounding of mass(j).
  template <class Mass>
  FactorOutcome factor(const matrix_type& a, const Mass& mass) {
    return factor_clearly_definite(a, mass) ? FactorOutcome{} : factor_any(a, mass);
  }
  /// Tries the fast factorisation of a clearly positive definite matrix; where it returns false, factor_any() has to
  /// follow.
  template <class Mass>
  [[nodiscard]] bool factor_clearly_definite(const matrix_type& a, const Mass& mass) {
    if constexpr (paired) {
      way_ = Way::pairs;
      return factor_in_pairs(a, mass);
    } else {
      return !factor_by_rows(a, mass);
    }
  }
  template <class Mass>
  [[gnu::noinline, gnu::cold]] FactorOutcome factor_any(const matrix_type& a, const Mass& mass) {
    const std::optional<int> refused = factor_by_rows(a, mass);
    return refused ? factor_general(a, mass, *refused) : FactorOutcome{};
  }

  /// Overwrites b by A^-1 b; b is a vector expression.
  template <class V>
  void solve_in_place(V&& b) const {
    if constexpr (paired) {
      if (way_ == Way::pairs) [[likely]] {
        solve_in_pairs(b);
        return;
      }
    }
    if constexpr (!paired) {
      if (way_ == Way::rows) [[likely]] {
        solve_by_rows(b);
        return;
      }
    }
    solve_otherwise(b);
  }

 private:
  /// Solves in all other cases, out of line, so that the likely branch stays short enough to be inlined.
  template <class V>
  [[gnu::noinline, gnu::cold]] void solve_otherwise(V&& b) const {
    if (way_ == Way::general)
      general_->solve_in_place(b);
    else
      solve_by_rows(b);
  }
  template <class V>
  void solve_by_rows(V&& b) const {
    const int n = N == Dynamic ? static_cast<int>(factor_.rows()) : N;
    for (int i = 1; i < n; ++i)
      for (int j = 0; j < i; ++j) b(i) -= factor_(i, j) * b(j);
    for (int i = 0; i < n; ++i) b(i) *= reciprocal_pivot_(i);
    for (int i = n - 2; i >= 0; --i)
      for (int j = i + 1; j < n; ++j) b(i) -= factor_(j, i) * b(j);
  }

  /// Whether entries of a column are found side by side. The operations of each, and their order, are those of one after the other,
  /// but none waits for the last, and they are done by vectors.
  static constexpr bool by_columns = N == Dynamic && std::floating_point<S>;
  /// Sets the column of factor_ from the diagonal on to d_j and L_ij d_j.
  void find_column(const matrix_type& a, int j) {
    const Eigen::Index count = factor_.rows() - j;
    auto column = factor_.col(j).tail(count);
    column = a.col(j).tail(count);
    const auto part = [&](int k) { return work_(j, k) * factor_.col(k).tail(count); };
    int k = 0;
    for (; k + 3 < j; k += 4) column = (((column - part(k)) - part(k + 1)) - part(k + 2)) - part(k + 3);
    for (; k < j; ++k) column -= part(k);
  }

  /// Factorises row by row. Returns the first row whose pivot is not above the rounding of its terms or has no
  /// reciprocal, if there is one.
  template <class Mass>
  std::optional<int> factor_by_rows(const matrix_type& a, const Mass& mass) {
    const int n = N == Dynamic ? static_cast<int>(a.rows()) : N;
    if constexpr (N == Dynamic) {
      factor_.resize(n, n);
      reciprocal_pivot_.resize(n);
    }
    way_ = Way::rows;
    const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
    const RealOf<S> roundoff = RealOf<S>(n) * ScalarTraits<S>::epsilon();
    for (int j = 0; j < n; ++j) {
      if constexpr (by_columns) find_column(a, j);
      S pivot = by_columns ? factor_(j, j) : a(j, j);
      for (int k = 0; !by_columns && k < j; ++k) pivot -= factor_(j, k) * work_(j, k);
      if (!(roundoff * (leading(a(j, j)) + mass(j)) + least_pivot<S>() < leading(pivot))) return j;
      reciprocal_pivot_(j) = S(1) / pivot;
      if (!is_reciprocal(reciprocal_pivot_(j))) return j;
      for (int i = j + 1; i < n; ++i) {
        S entry = by_columns ? factor_(i, j) : a(i, j);
        for (int k = 0; !by_columns && k < j; ++k) entry -= factor_(i, k) * work_(j, k);
        work_(i, j) = entry;                           // L_ij d_j
        factor_(i, j) = entry * reciprocal_pivot_(j);  // L_ij
      }
    }
    return {};
  }

  /// Factorises with 2 x 2 blocks in the place of scalars. The inverse of the pivot block at (j, j), (j+1, j+1) is kept
  /// in reciprocal_pivot_(j), reciprocal_pivot_(j+1) and, its off-diagonal entry, factor_(j+1, j).
  template <class Mass>
  bool factor_in_pairs(const matrix_type& a, const Mass& mass) {
    const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
    return static_for<N, 2>([&]<int j>() {
      S first = a(j, j), cross = a(j + 1, j), second = a(j + 1, j + 1);
      static_for<j>([&]<int k>() {
        first -= factor_(j, k) * work_(j, k);
        cross -= factor_(j + 1, k) * work_(j, k);
        second -= factor_(j + 1, k) * work_(j + 1, k);
        return true;
      });
      const S determinant = first * second - cross * cross;
      // Accepts the pair only if the earlier pivots have left more than rounding in these entries and the determinant
      // is within the range of the number type.
      const RealOf<S> least = least_part_of_determinant<S>();
      const auto enough = [&](int i) {
        return RealOf<S>(least * (leading(a(i, i)) + mass(i)) + least_entry_of_pivot<S>());
      };
      if (!(enough(j) < leading(first)) || !(leading(first) * enough(j + 1) < leading(determinant)) ||
          !(least_pivot<S>() < leading(determinant)))
        return false;
      const S reciprocal = S(1) / determinant;
      if (!is_reciprocal(reciprocal)) return false;
      const S inverse_first = second * reciprocal, inverse_cross = -cross * reciprocal,
              inverse_second = first * reciprocal;
      reciprocal_pivot_(j) = inverse_first;
      reciprocal_pivot_(j + 1) = inverse_second;
      factor_(j + 1, j) = inverse_cross;
      static_for<N - j - 2>([&]<int below>() {
        constexpr int i = j + 2 + below;
        S left = a(i, j), right = a(i, j + 1);
        static_for<j>([&]<int k>() {
          left -= factor_(i, k) * work_(j, k);
          right -= factor_(i, k) * work_(j + 1, k);
          return true;
        });
        work_(i, j) = left;  // (L D)_ij
        work_(i, j + 1) = right;
        factor_(i, j) = left * inverse_first + right * inverse_cross;
        factor_(i, j + 1) = left * inverse_cross + right * inverse_second;
        return true;
      });
      return true;
    });
  }

  template <class V>
  void solve_in_pairs(V&& b) const {
    static_for<N>([&]<int i>() {
      static_for<i - i % 2>([&]<int j>() { return b(i) -= factor_(i, j) * b(j), true; });
      return true;
    });
    static_for<N, 2>([&]<int i>() {
      const S first = b(i), second = b(i + 1), &cross = factor_(i + 1, i);
      b(i) = reciprocal_pivot_(i) * first + cross * second;
      b(i + 1) = cross * first + reciprocal_pivot_(i + 1) * second;
      return true;
    });
    static_for<N>([&]<int from_the_end>() {
      constexpr int i = N - 1 - from_the_end, next = i - i % 2 + 2;
      static_for<N - next>([&]<int offset>() { return b(i) -= factor_(next + offset, i) * b(next + offset), true; });
      return true;
    });
  }

  /// Factorises by elimination with exchanges; `pivot` is the first that was not positive.
  template <class Mass>
  FactorOutcome factor_general(const matrix_type& lower, const Mass& mass, int pivot) {
    way_ = Way::general;
    const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
    if (!general_) general_.emplace();
    FactorOutcome outcome = general_->factor(lower, mass);
    if (outcome.singular) {
      outcome.indefinite = true;
    } else {
      outcome.indefinite = outcome.negative > 0;
      outcome.pivot = outcome.indefinite ? pivot : -1;
    }
    return outcome;
  }

  S& work_(int i, int j) { return factor_(j, i); }  // the unused upper triangle holds L_ij d_j

  // Not initialised: a factor of fixed size lives on the stack of a step, which would pay for it.
  matrix_type factor_;
  Vector<S, N> reciprocal_pivot_;
  std::optional<SymmetricElimination<S, N>> general_;  ///< only for an indefinite matrix
  enum class Way { pairs, rows, general } way_ = paired ? Way::pairs : Way::rows;
};

}  // namespace livi
