// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <livi/linalg/symmetric_factor.hpp>

namespace livi {

/// A solver of A x = b for a tridiagonal A that need not be symmetric. Elimination goes from both ends to the middle
/// row: the same work as from one end, in two chains of divisions that need not wait for each other. Cost: 4 n
/// multiplications and n divisions to factorise, 3 n multiplications to solve, 7 n numbers. Nothing is allocated once
/// the size is known.
///
/// Where a pivot is less than 1/8 of the entry to be eliminated, or at its rounding, elimination starts again from one
/// end and exchanges rows. This is threshold pivoting: matrices that need no exchange are not exchanged because of a
/// harmless ratio of scales. Every row is changed by its neighbours only, so entries grow by at most a factor of 9 from
/// one end and 17 from both, whatever n is.
template <class S, int N>
class TridiagonalElimination {
 public:
  using vector_type = Vector<S, N>;
  using Real = RealOf<S>;

  vector_type lower = zeros<vector_type>();     ///< entry k is A(k, k-1); entry 0 is not read
  vector_type diagonal = zeros<vector_type>();  ///< A(k, k)
  vector_type upper = zeros<vector_type>();     ///< A(k, k+1); the last entry is not read

  void resize(Eigen::Index n) {
    if (n == reciprocal_pivot_.size() && !exchanged_.empty()) return;
    for (vector_type* band : {&lower, &diagonal, &upper, &multiplier_, &substitution_, &reciprocal_pivot_})
      *band = vector_type::Constant(n, S(0));
    exchanged_.assign(static_cast<std::size_t>(n), false);
  }

  /// Factorises the matrix in the three bands, which it may overwrite. The outcome is singular, and names the row, if a
  /// pivot is at the rounding of its terms, has no reciprocal, or is not a number.
  FactorOutcome factor() {
    const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
    from_both_ends_ = factor_from_both_ends();
    return from_both_ends_ ? FactorOutcome{} : factor_with_exchanges();
  }

  /// Overwrites b by A^-1 b.
  template <class V>
  void solve_in_place(V&& b) const {
    if (from_both_ends_) {
      solve_from_both_ends(b);
    } else {
      solve_with_exchanges(b);
    }
  }

  /// Returns whether the determinant is negative. Cost n.
  [[nodiscard]] bool negative_determinant() const {
    bool negative = false;
    for (Eigen::Index k = 0; k < diagonal.size(); ++k) {
      if (leading(reciprocal_pivot_(k)) < Real(0)) negative = !negative;
      if (!from_both_ends_ && k + 1 < diagonal.size() && exchanged_[static_cast<std::size_t>(k)]) negative = !negative;
    }
    return negative;
  }

 private:
  static Real rounding() { return Real(8) * ScalarTraits<S>::epsilon(); }

  struct End {
    S pivot;
    Real terms;  ///< sum of the sizes of the terms of the pivot
  };
  /// Returns whether the pivot is above its rounding and has a reciprocal.
  static bool is_pivot(const End& end) {
    return rounding() * end.terms + least_pivot<S>() < absolute_value(leading(end.pivot));
  }
  /// Eliminates `entry`, which stands in the column of row k in the next row; `across` is its mirror image in row k.
  /// Returns false where that is not safe.
  bool eliminate(Eigen::Index k, const S& entry, const S& across, const S& next_diagonal, End& end) {
    const Real size = absolute_value(leading(end.pivot));
    if (!is_pivot(end) || !(absolute_value(leading(entry)) <= Real(8) * size)) return false;
    reciprocal_pivot_(k) = S(1) / end.pivot;
    if (!is_reciprocal(reciprocal_pivot_(k))) return false;
    multiplier_(k) = entry * reciprocal_pivot_(k);
    substitution_(k) = across * reciprocal_pivot_(k);
    const S product = (entry * across) * reciprocal_pivot_(k);
    end = {next_diagonal - product, absolute_value(leading(next_diagonal)) + absolute_value(leading(product))};
    return true;
  }

  bool factor_from_both_ends() {
    const Eigen::Index n = diagonal.size(), middle = n / 2;
    const auto alone = [](const S& pivot) { return End{pivot, absolute_value(leading(pivot))}; };
    const S nothing(0);
    End front = alone(diagonal(0)), back = alone(n - 1 > middle ? diagonal(n - 1) : nothing);
    for (Eigen::Index k = 0, j = n - 1; k < middle; ++k) {
      if (!eliminate(k, lower(k + 1), upper(k), diagonal(k + 1), front)) return false;
      if (j == middle) continue;
      if (!eliminate(j, upper(j - 1), lower(j), j - 1 > middle ? diagonal(j - 1) : nothing, back)) return false;
      --j;
    }
    // Both ends have subtracted their parts from the middle row.
    const S pivot = front.pivot + back.pivot;
    if (!is_pivot({pivot, front.terms + back.terms})) return false;
    reciprocal_pivot_(middle) = S(1) / pivot;
    return is_reciprocal(reciprocal_pivot_(middle));
  }

  template <class V>
  void solve_from_both_ends(V&& b) const {
    const Eigen::Index n = diagonal.size(), middle = n / 2;
    S front = b(0), back = b(n - 1);
    for (Eigen::Index k = 0, j = n - 1; k < middle; ++k) {
      b(k + 1) = front = b(k + 1) - multiplier_(k) * front;
      if (j == middle) continue;
      b(j - 1) = back = b(j - 1) - multiplier_(j) * back;
      --j;
    }
    front = back = b(middle) *= reciprocal_pivot_(middle);
    for (Eigen::Index k = middle - 1, j = middle + 1; k >= 0; --k) {
      b(k) = front = b(k) * reciprocal_pivot_(k) - substitution_(k) * front;
      if (j == n) continue;
      b(j) = back = b(j) * reciprocal_pivot_(j) - substitution_(j) * back;
      ++j;
    }
  }

  FactorOutcome factor_with_exchanges() {
    const Eigen::Index n = diagonal.size();
    End end{diagonal(0), absolute_value(leading(diagonal(0)))};
    const auto singular = [](Eigen::Index k) { return FactorOutcome{.singular = true, .pivot = static_cast<int>(k)}; };
    for (Eigen::Index k = 0; k + 1 < n; ++k) {
      const auto at = static_cast<std::size_t>(k);
      exchanged_[at] = Real(8) * absolute_value(leading(end.pivot)) < absolute_value(leading(lower(k + 1)));
      if (exchanged_[at]) {
        // The row below comes first and brings its third entry; the rest of this row is eliminated further.
        if (!(least_pivot<S>() < absolute_value(leading(lower(k + 1))))) return singular(k);
        reciprocal_pivot_(k) = S(1) / lower(k + 1);
        multiplier_(k) = end.pivot * reciprocal_pivot_(k);
        const S product = multiplier_(k) * diagonal(k + 1);
        end = {upper(k) - product, absolute_value(leading(upper(k))) + absolute_value(leading(product))};
        upper(k) = diagonal(k + 1);
        substitution_(k) = k + 2 < n ? upper(k + 1) : S(0);
        if (k + 2 < n) upper(k + 1) = -multiplier_(k) * substitution_(k);
      } else {
        if (!is_pivot(end)) return singular(k);
        reciprocal_pivot_(k) = S(1) / end.pivot;
        multiplier_(k) = lower(k + 1) * reciprocal_pivot_(k);
        const S product = multiplier_(k) * upper(k);
        end = {diagonal(k + 1) - product, absolute_value(leading(diagonal(k + 1))) + absolute_value(leading(product))};
        substitution_(k) = S(0);
      }
      if (!is_reciprocal(reciprocal_pivot_(k))) return singular(k);
    }
    if (!is_pivot(end)) return singular(n - 1);
    reciprocal_pivot_(n - 1) = S(1) / end.pivot;
    return is_reciprocal(reciprocal_pivot_(n - 1)) ? FactorOutcome{} : singular(n - 1);
  }

  template <class V>
  void solve_with_exchanges(V&& b) const {
    const Eigen::Index n = diagonal.size();
    for (Eigen::Index k = 0; k + 1 < n; ++k) {
      if (exchanged_[static_cast<std::size_t>(k)]) std::swap(b(k), b(k + 1));
      b(k + 1) -= multiplier_(k) * b(k);
    }
    b(n - 1) *= reciprocal_pivot_(n - 1);
    for (Eigen::Index k = n - 2; k >= 0; --k) {
      b(k) -= upper(k) * b(k + 1);
      if (k + 2 < n) b(k) -= substitution_(k) * b(k + 2);
      b(k) *= reciprocal_pivot_(k);
    }
  }

  vector_type multiplier_ = zeros<vector_type>();  ///< multiplier of row k in the next row inwards (or the last)
  /// The entry of row k towards the middle, over its pivot, after an elimination from both ends; the third entry of row
  /// k after one with exchanges.
  vector_type substitution_ = zeros<vector_type>();
  vector_type reciprocal_pivot_ = zeros<vector_type>();
  std::vector<char> exchanged_;  ///< whether rows k and k+1 were exchanged at step k
  bool from_both_ends_ = true;
};

}  // namespace livi
