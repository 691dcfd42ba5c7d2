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
// border. The chain is eliminated from both ends towards its middle, in two recurrences that do not wait for each
// other; then come the middle and the border. Each eliminated unknown leaves an entry of the border's row (fill-in) at
// its successor, of size e_0 times a product of multipliers. These fall off geometrically in a matrix of an integrator,
// M + beta h^2 Hess V with Hess V bounded.
//
// Fill-in below a thousandth of epsilon times the border's diagonal entry is dropped. This changes two entries of the
// matrix by as much, a thousandth of its rounding. Exact types drop only zeros.
//
// Positive definite matrices need no pivoting. The first pivot that is not positive shows that the matrix is not
// positive definite; it may be regular although one of its leading blocks is singular. It is then factorised as a band
// matrix by Gaussian elimination with partial pivoting: in the order 0, n-1, 1, n-2, ... neighbours on the ring are at
// most two places apart. Its negative eigenvalues are counted in the same order (symmetric_band_elimination.hpp).
#pragma once

#include <livi/linalg/shifted_solver.hpp>

namespace livi {

/// A Hessian of degrees of freedom on a ring, each coupled to its two neighbours; 2 n numbers.
template <class S>
struct CyclicTridiagonalHessian {
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  static constexpr int dimension = Dynamic;
  vector_type diagonal;  ///< d_i
  /// The couplings e_i: entry (i, i-1). e_0 is the corner (0, n-1), zero for an open chain. For n = 2, e_0 and e_1 join
  /// the same pair and add up; for n = 1 there is no pair and e_0 is not read.
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

/// A factorisation of a symmetric band matrix that need not be definite: the ring is folded into the order 0, n-1, 1,
/// n-2, ..., where it has two diagonals on either side of the main one, and eliminated with partial pivoting. Cost 28
/// n, solve 18 n, 9 n numbers.
template <class S>
class FoldedRingElimination {
 public:
  /// Factorises the ring with d_i = diagonal(i) and e_i = coupling(i), i = 0, ..., n-1; mass(i) is a term of the sum
  /// d_i. The outcome is singular if a pivot of the count of signs is at the rounding of its terms; `pivot` is then
  /// that unknown.
  template <class Diagonal, class Coupling, class Mass>
  FactorOutcome factor(Eigen::Index n, const Diagonal& diagonal, const Coupling& coupling, const Mass& mass) {
    n_ = n;
    const FactorOutcome of_signs = inertia_.factor(
        n, 2,
        [&](Eigen::Index i, Eigen::Index j) -> S {
          const Eigen::Index a = unknown(i), b = unknown(j);
          if (a == b) return diagonal(a);
          S sum(0);
          if (a == (b + 1) % n) sum += coupling(a);
          if (b == (a + 1) % n) sum += coupling(b);
          return sum;
        },
        [&](Eigen::Index i, Eigen::Index j, const S& entry) -> RealOf<S> {
          return i == j ? size_of_terms<S>(entry, mass(unknown(i))) : absolute_leading(entry);
        });
    if (of_signs.singular) return {.singular = true, .pivot = static_cast<int>(unknown(of_signs.pivot))};
    FactorOutcome outcome = eliminate(diagonal, coupling);
    if (!outcome.singular) outcome.negative = of_signs.negative;
    return outcome;
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
  template <class Diagonal, class Coupling>
  FactorOutcome eliminate(const Diagonal& diagonal, const Coupling& coupling) {
    const Eigen::Index n = n_;
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
    const OrderAssumed<S> first_that_is_not_zero(OrderReason::pivots);
    for (Eigen::Index k = 0; k < n; ++k) {
      const Eigen::Index last_row = std::min(k + 2, n - 1), last_column = std::min(k + 4, n - 1);
      Eigen::Index best = k;
      for (Eigen::Index i = k + 1; i <= last_row; ++i)
        if (absolute_value(leading(entry(best, k))) < absolute_value(leading(entry(i, k)))) best = i;
      if (!(least_pivot<S>() < absolute_value(leading(entry(best, k)))))
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

  [[nodiscard]] Eigen::Index position(Eigen::Index i) const { return 2 * i < n_ ? 2 * i : 2 * (n_ - 1 - i) + 1; }
  [[nodiscard]] Eigen::Index unknown(Eigen::Index k) const { return k % 2 == 0 ? k / 2 : n_ - 1 - k / 2; }
  /// Returns entry (i, j), i - 2 <= j <= i + 4: exchanges of rows fill in two columns.
  S& entry(Eigen::Index i, Eigen::Index j) {
    return upper_[static_cast<std::size_t>(i)][static_cast<std::size_t>(j - i + 2)];
  }
  const S& entry(Eigen::Index i, Eigen::Index j) const {
    return upper_[static_cast<std::size_t>(i)][static_cast<std::size_t>(j - i + 2)];
  }

  Eigen::Index n_ = 0;
  std::vector<std::array<S, 7>> upper_;
  std::vector<std::array<S, 2>> multipliers_;
  std::vector<int> swap_;
  SymmetricBandElimination<S> inertia_;
};

/// L D L^T from both ends of the chain, then its middle, then the border. Cost 6 n, solve 8 n; 3 n numbers, 2 n if the
/// couplings are a formula.
///
/// A class Rows hands out the rows while the elimination goes on, so that a matrix given by a formula need never be
/// stored:
///   corner(), coupling(k)        return e_0, and e_k for k > 0
///   mass                         M, whose entry k is a term of row k
///   prepare(first, last, d, b)   writes d[k], and b[k] of the right-hand side unless b is null, for first <= k < last;
///                                every row is asked for once
///   prepare_all(d, b)            writes all rows, some for the second time, after a pivot that is not positive
///   finish(first, last, x)       x[k] are final and may be overwritten
template <class S>
class ShiftedSolver<CyclicTridiagonalHessian<S>> {
 public:
  /// Factorises M + c H. `pivot` of the outcome is the index of the unknown whose pivot was not positive or was zero.
  template <class Mass>
  requires Mass::is_diagonal FactorOutcome factor(const Mass& mass, const S& c,
                                                  const CyclicTridiagonalHessian<S>& hessian) {
    couplings_.resize(hessian.size());
    for (Index i = 0; i < hessian.size(); ++i) couplings_(i) = c * hessian.lower(i);
    StoredRows<Mass> rows{{couplings_}, mass, c, hessian.diagonal};
    resize(hessian.size(), mass.largest());
    positive_definite_ = eliminate<false>(rows, nullptr);
    return positive_definite_ ? FactorOutcome{} : factor_general(rows, nullptr);
  }

  void solve_in_place(Vector<S, Dynamic>& b) const {
    if (!positive_definite_) {
      general_.solve_in_place(b);
    } else if (n_ > 0) {
      const StoredCouplings rows{couplings_};
      reduce(rows, b.data());
      substitute(rows, b.data());
    }
  }

  /// Solves A x = b with the matrix and the right-hand side of `rows`, in two sweeps over x, which has n entries.
  template <class Rows>
  FactorOutcome solve(Eigen::Index n, Rows& rows, Vector<S, Dynamic>& x) {
    resize(n, rows.mass.largest());
    if (eliminate<true>(rows, x.data())) {
      if (n > 0) substitute(rows, x.data());
      return {};
    }
    const FactorOutcome outcome = factor_general(rows, x.data());
    if (!outcome.singular) {
      general_.solve_in_place(x);
      rows.finish(0, n, x.data());
    }
    return outcome;
  }

 private:
  using Index = Eigen::Index;

  struct StoredCouplings {
    const Vector<S, Dynamic>& couplings;
    [[nodiscard]] const S& corner() const { return couplings(0); }
    [[nodiscard]] const S& coupling(Index k) const { return couplings(k); }
    void finish(Index, Index, S*) const {}
  };
  template <class Mass>
  struct StoredRows : StoredCouplings {
    const Mass& mass;
    const S& c;
    const Vector<S, Dynamic>& diagonal;
    void prepare(Index first, Index last, S* d, S*) const {
      for (Index k = first; k < last; ++k) d[k] = mass.diagonal(k) + c * diagonal(k);
    }
    void prepare_all(S* d, S* b) const { prepare(0, diagonal.size(), d, b); }
  };

  /// The number of rows on either side that are prepared and finished at a time, so that their data stay in the nearest
  /// cache.
  static constexpr Index tile = 256;

  /// One end of the remaining chain: what the eliminated row subtracts from the next one, and the border's entry there.
  struct End {
    S loss{0}, right_loss{0}, fill{0};
  };

  void resize(Index n, const RealOf<S>& mass) {
    n_ = n;
    least_ = RealOf<S>(8) * ScalarTraits<S>::epsilon() * mass + least_pivot<S>();
    reciprocal_.resize(n);
    border_.resize(n);
    left_fill_ = right_fill_ = 0;
    ring_ = false;
  }
  /// Return the numbers of rows of the chain, of those before its middle and of those after it.
  [[nodiscard]] Index chain() const { return ring_ ? n_ - 1 : n_; }
  [[nodiscard]] Index before_middle() const { return chain() / 2; }
  [[nodiscard]] Index after_middle() const { return chain() - 1 - chain() / 2; }

  /// Returns whether x is zero with all derivatives and coefficients.
  static bool is_zero(const S& x) { return magnitude(x) == RealOf<S>(0); }
  /// Replaces reciprocal_(k), which still holds the diagonal entry, by the reciprocal pivot. Returns false if the pivot
  /// is not above the rounding of its terms and of the largest mass, or has no reciprocal.
  bool invert(Index k, const S& loss) {
    const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
    S& d = reciprocal_(k);
    const S pivot = d - loss;
    // Losses are not negative, since all pivots so far were accepted: if d is below zero, the pivot is even lower.
    if (!(RealOf<S>(4) * ScalarTraits<S>::epsilon() * leading(d) + least_ < leading(pivot))) {
      refused_ = static_cast<int>(k);
      return false;
    }
    d = S(1) / pivot;
    if constexpr (!std::floating_point<S>) {
      if (!is_reciprocal(d)) {
        refused_ = static_cast<int>(k);
        return false;
      }
    }
    return true;
  }
  /// Eliminates row k, which `coupling` joins to the next.
  template <bool Right>
  [[gnu::always_inline]] bool eliminate_row(Index k, const S& coupling, End& end, S* b) {
    if (!invert(k, end.loss)) return false;
    const S multiplier = coupling * reciprocal_(k);
    end.loss = coupling * multiplier;
    if constexpr (Right) {
      b[k] -= end.right_loss;
      end.right_loss = multiplier * b[k];
    }
    return true;
  }
  /// Applies the elimination of row k to the border, whose losses `border` collects.
  template <bool Right>
  void eliminate_fill(Index k, const S& coupling, End& end, End& border, Index& count, const S* b) {
    border_(k) = end.fill * reciprocal_(k);
    border.loss += end.fill * border_(k);
    if constexpr (Right) border.right_loss += border_(k) * b[k];
    end.fill = -(coupling * border_(k));
    if (magnitude(end.fill) <= negligible_) end.fill = S(0);
    ++count;
  }

  /// Eliminates all rows, with their right-hand side if there is one. Returns false if a pivot is not positive: that of
  /// row refused_.
  template <bool Right, class Rows>
  bool eliminate(Rows& rows, S* b) {
    if (n_ == 0) return true;
    ring_ = n_ > 1 && !is_zero(rows.corner());
    const Index m = chain(), left = before_middle(), right = after_middle(), last = n_ - 1;
    S* d = reciprocal_.data();
    End front, back, border;
    if (ring_) {
      rows.prepare(last, n_, d, b);
      negligible_ = ScalarTraits<S>::epsilon() / RealOf<S>(1000) * magnitude(reciprocal_(last));
      front.fill = rows.corner();
      back.fill = rows.coupling(last);
    }
    for (Index first = 0; first == 0 || first < left; first += tile) {
      const Index end = std::min(first + tile, left), paired = std::min(end, right);
      rows.prepare(first, end == left ? left + 1 : end, d, b);
      if (first < paired) rows.prepare(m - paired, m - first, d, b);
      Index j = first;
      for (; j < end && !(is_zero(front.fill) && is_zero(back.fill)); ++j) {
        const S& ahead = rows.coupling(j + 1);
        if (!eliminate_row<Right>(j, ahead, front, b)) return false;
        if (!is_zero(front.fill)) eliminate_fill<Right>(j, ahead, front, border, left_fill_, b);
        if (j >= right) continue;
        const Index k = m - 1 - j;
        const S& behind = rows.coupling(k);
        if (!eliminate_row<Right>(k, behind, back, b)) return false;
        if (!is_zero(back.fill)) eliminate_fill<Right>(k, behind, back, border, right_fill_, b);
      }
      for (; j < paired; ++j)
        if (!eliminate_row<Right>(j, rows.coupling(j + 1), front, b) ||
            !eliminate_row<Right>(m - 1 - j, rows.coupling(m - 1 - j), back, b))
          return false;
      for (; j < end; ++j)
        if (!eliminate_row<Right>(j, rows.coupling(j + 1), front, b)) return false;
    }
    if (!invert(left, front.loss + back.loss)) return false;
    if constexpr (Right) b[left] -= front.right_loss + back.right_loss;
    if (!ring_) return true;
    const S fill = front.fill + back.fill;
    border_(left) = fill * reciprocal_(left);
    if (!invert(last, border.loss + fill * border_(left))) return false;
    if constexpr (Right) b[last] -= border.right_loss + border_(left) * b[left];
    return true;
  }

  /// Applies the elimination to the right-hand side b alone.
  template <class Rows>
  void reduce(const Rows& rows, S* b) const {
    const Index m = chain(), left = before_middle(), right = after_middle();
    S front(0), back(0), border(0);
    for (Index j = 0; j < left; ++j) {
      b[j] -= front;
      front = rows.coupling(j + 1) * reciprocal_(j) * b[j];
      if (j < left_fill_) border += border_(j) * b[j];
      if (j >= right) continue;
      const Index k = m - 1 - j;
      b[k] -= back;
      back = rows.coupling(k) * reciprocal_(k) * b[k];
      if (j < right_fill_) border += border_(k) * b[k];
    }
    b[left] -= front + back;
    if (ring_) b[n_ - 1] -= border + border_(left) * b[left];
  }

  /// Substitutes from the border to the middle and outwards.
  template <class Rows>
  void substitute(const Rows& rows, S* x) const {
    const Index m = chain(), left = before_middle(), right = after_middle(), last = n_ - 1;
    S border(0);
    x[left] *= reciprocal_(left);
    if (ring_) {
      border = x[last] *= reciprocal_(last);
      x[left] -= border_(left) * border;
    }
    S front = x[left], back = front;
    rows.finish(left, left + 1, x);
    if (ring_) rows.finish(last, n_, x);
    const Index fill = std::max(left_fill_, right_fill_);
    const auto substitute_row = [&](Index k, const S& coupling, S& ahead) {
      ahead = x[k] = x[k] * reciprocal_(k) - coupling * reciprocal_(k) * ahead;
    };
    for (Index first = left == 0 ? 0 : (left - 1) / tile * tile; first >= 0; first -= tile) {
      const Index end = std::min(first + tile, left), paired = std::min(end, right);
      Index j = end;
      while (j > std::max({first, paired, fill})) {
        --j;
        substitute_row(j, rows.coupling(j + 1), front);
      }
      while (j > std::max(first, fill)) {
        --j;
        substitute_row(j, rows.coupling(j + 1), front);
        substitute_row(m - 1 - j, rows.coupling(m - 1 - j), back);
      }
      while (j > first) {
        --j;
        substitute_row(j, rows.coupling(j + 1), front);
        if (j < left_fill_) front = x[j] -= border_(j) * border;
        if (j >= right) continue;
        const Index k = m - 1 - j;
        substitute_row(k, rows.coupling(k), back);
        if (j < right_fill_) back = x[k] -= border_(k) * border;
      }
      rows.finish(first, end, x);
      if (first < paired) rows.finish(m - paired, m - first, x);
    }
  }

  /// Factorises the rows again by Gaussian elimination with exchanges.
  template <class Rows>
  [[gnu::noinline, gnu::cold]] FactorOutcome factor_general(Rows& rows, S* b) {
    rows.prepare_all(reciprocal_.data(), b);
    FactorOutcome outcome = general_.factor(
        n_, [&](Index k) -> const S& { return reciprocal_(k); },
        [&](Index k) -> S { return k == 0 ? S(rows.corner()) : S(rows.coupling(k)); },
        [&](Index k) -> const S& { return rows.mass.diagonal(k); });
    outcome.indefinite = outcome.singular || outcome.negative > 0;
    if (!outcome.singular) outcome.pivot = outcome.indefinite ? refused_ : -1;
    return outcome;
  }

  Index n_ = 0;
  bool ring_ = false;
  Index left_fill_ = 0, right_fill_ = 0;    ///< numbers of rows from either end where border_ is not zero
  Vector<S, Dynamic> reciprocal_, border_;  ///< 1 / pivots, and the border's row of L
  Vector<S, Dynamic> couplings_;            ///< c e_k of a Hessian that is stored
  RealOf<S> negligible_ = RealOf<S>(0);
  RealOf<S> least_ = RealOf<S>(0);  ///< a pivot has to be above this: the rounding of the largest mass
  FoldedRingElimination<S> general_;
  bool positive_definite_ = true;
  int refused_ = -1;
};

}  // namespace livi
