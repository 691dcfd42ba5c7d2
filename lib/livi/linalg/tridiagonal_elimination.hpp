// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <livi/linalg/symmetric_factor.hpp>

namespace livi {

/// A x = b for a tridiagonal A that need not be symmetric: elimination along the band. Cost: 3 n multiplications and n
/// divisions to factorise, 3 n multiplications to solve, 5 n numbers; nothing is allocated once the size is known.
///
/// Rows are exchanged where the pivot is less than 1/8 of the entry below it (threshold pivoting). Every row is changed
/// by one other only, so nothing grows by more than a factor of 9, whatever n is; and matrices that need no exchange
/// (positive definite or dominant after a scaling of rows and columns) see none for a harmless ratio of lengths.
template <class S, int N>
class TridiagonalElimination {
 public:
  using vector_type = Vector<S, N>;

  vector_type lower = zeros<vector_type>();     ///< entry k is A(k, k-1); entry 0 is not read
  vector_type diagonal = zeros<vector_type>();  ///< A(k, k)
  vector_type upper = zeros<vector_type>();     ///< A(k, k+1); the last entry is not read

  void resize(Eigen::Index n) {
    if (n == reciprocal_pivot_.size() && !exchanged_.empty()) return;
    for (vector_type* band : {&lower, &diagonal, &upper, &second_upper_, &reciprocal_pivot_})
      *band = vector_type::Constant(n, S(0));
    exchanged_.assign(static_cast<std::size_t>(n), false);
  }

  /// Factorises what the three bands hold and overwrites them. Singular, with the row, where a pivot is at the rounding
  /// of the terms it is made of, or not a number.
  FactorOutcome factor() {
    using Real = RealOf<S>;
    const Eigen::Index n = diagonal.size();
    any_exchange_ = false;
    const Real rounding = Real(8) * ScalarTraits<S>::epsilon();
    S pivot = diagonal(0);
    Real terms = absolute(leading(pivot));
    for (Eigen::Index k = 0; k + 1 < n; ++k) {
      const auto at = static_cast<std::size_t>(k);
      exchanged_[at] = Real(8) * absolute(leading(pivot)) < absolute(leading(lower(k + 1)));
      if (exchanged_[at]) {
        // The row below comes first and brings its third entry; what is left of this one goes on.
        any_exchange_ = true;
        reciprocal_pivot_(k) = S(1) / lower(k + 1);
        const S ratio = pivot * reciprocal_pivot_(k), product = ratio * diagonal(k + 1);
        pivot = upper(k) - product;
        terms = absolute(leading(upper(k))) + absolute(leading(product));
        upper(k) = diagonal(k + 1);
        second_upper_(k) = k + 2 < n ? upper(k + 1) : S(0);
        if (k + 2 < n) upper(k + 1) = -ratio * second_upper_(k);
        lower(k + 1) = ratio;
      } else {
        if (!(rounding * terms < absolute(leading(pivot)))) return {.singular = true, .pivot = static_cast<int>(k)};
        reciprocal_pivot_(k) = S(1) / pivot;
        second_upper_(k) = S(0);
        lower(k + 1) *= reciprocal_pivot_(k);
        const S product = lower(k + 1) * upper(k);
        pivot = diagonal(k + 1) - product;
        terms = absolute(leading(diagonal(k + 1))) + absolute(leading(product));
      }
    }
    if (!(rounding * terms < absolute(leading(pivot)))) return {.singular = true, .pivot = static_cast<int>(n - 1)};
    reciprocal_pivot_(n - 1) = S(1) / pivot;
    return {};
  }

  /// Overwrites b by A^-1 b.
  template <class V>
  void solve_in_place(V&& b) const {
    const Eigen::Index n = diagonal.size();
    if (any_exchange_) {
      for (Eigen::Index k = 0; k + 1 < n; ++k) {
        if (exchanged_[static_cast<std::size_t>(k)]) std::swap(b(k), b(k + 1));
        b(k + 1) -= lower(k + 1) * b(k);
      }
    } else {
      for (Eigen::Index k = 0; k + 1 < n; ++k) b(k + 1) -= lower(k + 1) * b(k);
    }
    b(n - 1) *= reciprocal_pivot_(n - 1);
    for (Eigen::Index k = n - 2; k >= 0; --k) {
      b(k) -= upper(k) * b(k + 1);
      if (any_exchange_ && k + 2 < n) b(k) -= second_upper_(k) * b(k + 2);
      b(k) *= reciprocal_pivot_(k);
    }
  }

 private:
  template <class R>
  static R absolute(const R& x) {
    return x < R(0) ? R(-x) : x;
  }

  vector_type second_upper_ = zeros<vector_type>();  ///< of the triangular factor, where rows were exchanged
  vector_type reciprocal_pivot_ = zeros<vector_type>();
  std::vector<char> exchanged_;  ///< rows k and k+1 at step k
  bool any_exchange_ = false;
};

}  // namespace livi
