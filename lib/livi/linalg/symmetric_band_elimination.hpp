// SPDX-License-Identifier: MIT
//
// L D L^T of symmetric band matrices of any signature, with pivots of 1 x 1 and 2 x 2 chosen by size. It gives the
// solutions and the inertia where an elimination without exchanges cannot be trusted.
//
// Unknowns enter one by one, in their order, into a front, a small full matrix. An unknown may be eliminated once all
// unknowns that it is coupled to have entered. Among those the pivot is taken whose elimination adds least to the
// front. If every one would add more than `growth` times the largest entry that the matrix has in these rows, all wait
// for more unknowns; in the end nothing is left to wait for, and the largest entry of the front is always good enough
// (Bunch and Parlett 1971). So |L| |D| |L^T| stays within a small multiple of |A|, which makes the elimination backward
// stable and its signs those of a nearby matrix (Higham 2002, Theorem 11.3), whatever the condition of A and of its
// leading blocks. A matrix of n rows with bandwidth w costs O(n w^2); in practice fewer than w unknowns ever wait.
//
// Beside each entry of the front the size of its terms is kept, beginning with those of M + c H: a pivot at the
// rounding of its terms is noise, and the matrix is then singular as far as anyone can tell.
#pragma once

#include <optional>
#include <vector>

#include <livi/linalg/factor_outcome.hpp>
#include <livi/linalg/vector.hpp>

namespace livi {

template <class S>
class SymmetricBandElimination {
 public:
  using Index = Eigen::Index;
  using Real = RealOf<S>;

  /// Factorises the n x n matrix with entry(i, j) for j <= i <= j + bandwidth, each of which is asked for once;
  /// terms(i, j, entry) >= |entry| is the size of the numbers the entry was computed from. In the outcome `pivot` is
  /// the unknown whose pivot is singular or has no reciprocal, otherwise -1, and `negative` counts all negative
  /// eigenvalues.
  template <class Entry, class Terms>
  FactorOutcome factor(Index n, Index bandwidth, const Entry& entry, const Terms& terms) {
    const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
    start(n, bandwidth);
    FactorOutcome outcome;
    const auto fail = [&](Index unknown) {
      return FactorOutcome{.singular = true, .indefinite = true, .pivot = static_cast<int>(unknown)};
    };
    while (entered_ < n || size_ > 0) {
      if (entered_ < n) {
        if (size_ == front_.rows()) return fail(unknowns_[0]);
        if (!enter(entry, terms)) return fail(entered_ - 1);
      }
      while (const std::optional<Choice> choice = choose())
        if (const Index unknown = unknowns_[static_cast<std::size_t>(choice->first)]; !eliminate(*choice, outcome))
          return fail(unknown);
      if (const Index unknown = row_of_zeros(); unknown >= 0) return fail(unknown);
      if (entered_ == n && size_ > 0) return fail(unknowns_[0]);
    }
    outcome.indefinite = outcome.negative > 0;
    return outcome;
  }

  /// Overwrites b by A^-1 b.
  template <class V>
  void solve_in_place(V&& b) const {
    for (const Pivot& pivot : pivots_)
      for (std::size_t k = pivot.begin; k < pivot.end; ++k) {
        const Multiplier& l = multipliers_[k];
        b(l.unknown) -= l.of_first * b(pivot.first);
        if (pivot.second >= 0) b(l.unknown) -= l.of_second * b(pivot.second);
      }
    for (std::size_t p = pivots_.size(); p-- > 0;) {
      const Pivot& pivot = pivots_[p];
      const S first = b(pivot.first);
      if (pivot.second < 0) {
        b(pivot.first) = first * pivot.inverse_first;
      } else {
        const S second = b(pivot.second);
        b(pivot.first) = pivot.inverse_first * first + pivot.inverse_cross * second;
        b(pivot.second) = pivot.inverse_cross * first + pivot.inverse_second * second;
      }
      for (std::size_t k = pivot.begin; k < pivot.end; ++k) {
        const Multiplier& l = multipliers_[k];
        b(pivot.first) -= l.of_first * b(l.unknown);
        if (pivot.second >= 0) b(pivot.second) -= l.of_second * b(l.unknown);
      }
    }
  }

 private:
  /// A pivot of one unknown or of two, with its inverse and its column or columns of L: multipliers_[begin ... end-1].
  struct Pivot {
    Index first, second;
    std::size_t begin, end;
    S inverse_first, inverse_cross, inverse_second;
  };
  struct Multiplier {
    Index unknown;
    S of_first, of_second;
  };
  /// Rows of the front that are proposed as a pivot; second < 0 for a pivot of one.
  struct Choice {
    Index first, second;
    Real added;  ///< the largest entry of |L| |D| |L^T|
  };

  static constexpr int growth = 4;
  /// True if pivots are chosen by size. Without rounding every pivot that is not zero is as good as any other.
  static constexpr bool sizes_matter = !ScalarTraits<S>::exact;
  [[nodiscard]] Real size_of(Index i, Index j) const { return absolute_value(leading(front_(i, j))); }

  void start(Index n, Index bandwidth) {
    n_ = n;
    bandwidth_ = bandwidth;
    size_ = entered_ = 0;
    // Each pivot that an entry meets adds a few terms to it.
    roundoff_ = Real(static_cast<int>(2 * bandwidth + 8)) * ScalarTraits<S>::epsilon();
    const Index room = std::min(n, 4 * bandwidth + 8);
    if (front_.rows() != room) {
      front_ = zeros<Matrix<S, Dynamic>>(room, room);
      terms_ = zeros<Matrix<Real, Dynamic>>(room, room);
      largest_ = zeros<Vector<Real, Dynamic>>(room);
      unknowns_.assign(static_cast<std::size_t>(room), 0);
    }
    pivots_.clear();
    multipliers_.clear();
  }

  template <class Entry, class Terms>
  bool enter(const Entry& entry, const Terms& terms) {
    const Index i = entered_++, row = size_++;
    unknown(row) = i;
    largest_(row) = Real(0);
    bool finite = true;
    for (Index k = 0; k <= row; ++k) {
      const Index j = unknown(k);
      if (i - j > bandwidth_) {
        front_(row, k) = front_(k, row) = S(0);
        terms_(row, k) = terms_(k, row) = Real(0);
        continue;
      }
      const S a = entry(i, j);
      const Real size = terms(i, j, a);
      finite = finite && is_finite(a);
      front_(row, k) = front_(k, row) = a;
      terms_(row, k) = terms_(k, row) = size;
      if (largest_(row) < size) largest_(row) = size;
      if (largest_(k) < size) largest_(k) = size;
    }
    return finite;
  }
  Index& unknown(Index row) { return unknowns_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] Index unknown(Index row) const { return unknowns_[static_cast<std::size_t>(row)]; }
  /// Returns whether all unknowns to which that of `row` is coupled have entered.
  [[nodiscard]] bool is_complete(Index row) const { return entered_ == n_ || unknown(row) + bandwidth_ < entered_; }

  /// Returns the size at and below which an entry is no pivot: the rounding of its terms, or too small to have a
  /// reciprocal.
  [[nodiscard]] Real noise(Index i, Index j) const { return roundoff_ * terms_(i, j) + least_pivot<S>(); }
  /// Returns the unknown of a complete row all of whose entries are at the rounding of their terms, or -1.
  [[nodiscard]] Index row_of_zeros() const {
    for (Index i = 0; i < size_; ++i) {
      bool zero = is_complete(i);
      for (Index j = 0; zero && j < size_; ++j) zero = size_of(i, j) <= noise(i, j);
      if (zero) return unknown(i);
    }
    return -1;
  }

  [[nodiscard]] std::optional<Choice> choose() const {
    Real allowed(0);
    for (Index i = 0; i < size_; ++i)
      if (allowed < largest_(i)) allowed = largest_(i);
    allowed *= Real(growth);
    std::optional<Choice> best;
    const auto see = [&](const Choice& choice) {
      if (!best || choice.added < best->added) best = choice;
    };
    for (Index i = 0; i < size_; ++i)
      if (is_complete(i) && noise(i, i) < size_of(i, i)) {
        see({i, -1, added_by(i)});
        if (best->added <= largest_(i)) return best;  // no better one is needed
      }
    if (best && (!sizes_matter || best->added <= allowed)) return best;
    for (Index i = 0; i < size_; ++i) {
      if (!is_complete(i)) continue;
      Index partner = -1;
      for (Index j = 0; j < size_; ++j)
        if (j != i && is_complete(j) && (partner < 0 || size_of(i, partner) < size_of(i, j))) partner = j;
      if (partner >= 0 && is_regular(i, partner)) see({i, partner, added_by(i, partner)});
    }
    if (best && (!sizes_matter || entered_ == n_ || best->added <= allowed)) return best;
    return {};
  }
  [[nodiscard]] Real added_by(Index i) const {
    Real largest(0);
    for (Index k = 0; k < size_; ++k)
      if (k != i && largest < size_of(k, i)) largest = size_of(k, i);
    return largest * (largest / size_of(i, i));
  }
  [[nodiscard]] Real determinant(Index i, Index j) const {
    return leading(front_(i, i)) * leading(front_(j, j)) - leading(front_(i, j)) * leading(front_(i, j));
  }
  /// Returns whether rows i and j are a pivot: its determinant is negative because of the entry off the diagonal, and
  /// farther from 0 than rounding can take it. (25/64 is the square of the bound by Bunch and Parlett on the diagonal.)
  [[nodiscard]] bool is_regular(Index i, Index j) const {
    if (!(Real(64) * size_of(i, i) * size_of(j, j) <= Real(25) * size_of(i, j) * size_of(i, j))) return false;
    return roundoff_ *
               (terms_(i, i) * size_of(j, j) + terms_(j, j) * size_of(i, i) + Real(2) * terms_(i, j) * size_of(i, j)) <
           absolute_value(determinant(i, j));
  }
  [[nodiscard]] Real added_by(Index i, Index j) const {
    const Real size = absolute_value(determinant(i, j));
    Real first(0), second(0);
    for (Index k = 0; k < size_; ++k) {
      if (k == i || k == j) continue;
      const Real l = absolute_value(leading(front_(k, i)) * leading(front_(j, j)) -
                                    leading(front_(k, j)) * leading(front_(i, j))) /
                     size,
                 m = absolute_value(leading(front_(k, j)) * leading(front_(i, i)) -
                                    leading(front_(k, i)) * leading(front_(i, j))) /
                     size;
      if (first < l) first = l;
      if (second < m) second = m;
    }
    return first * first * size_of(i, i) + Real(2) * first * second * size_of(i, j) + second * second * size_of(j, j);
  }

  /// Eliminates the chosen pivot; false if it has no reciprocal.
  bool eliminate(const Choice& choice, FactorOutcome& outcome) {
    // The pivot goes to the last rows of the front.
    const bool of_two = choice.second >= 0;
    exchange(choice.first, size_ - 1);
    if (of_two) exchange(choice.second == size_ - 1 ? choice.first : choice.second, size_ - 2);
    const Index i = size_ - 1, j = size_ - 2;
    Pivot pivot{unknown(i), of_two ? unknown(j) : -1, multipliers_.size(), 0, S(0), S(0), S(0)};
    if (of_two) {
      const S reciprocal = S(1) / (front_(i, i) * front_(j, j) - front_(i, j) * front_(i, j));
      pivot.inverse_first = front_(j, j) * reciprocal;
      pivot.inverse_cross = -front_(i, j) * reciprocal;
      pivot.inverse_second = front_(i, i) * reciprocal;
      ++outcome.negative;
    } else {
      pivot.inverse_first = S(1) / front_(i, i);
      outcome.negative += leading(front_(i, i)) < Real(0) ? 1 : 0;
    }
    if (!is_finite(pivot.inverse_first) || !is_finite(pivot.inverse_cross) || !is_finite(pivot.inverse_second))
      return false;
    size_ -= of_two ? 2 : 1;
    for (Index k = 0; k < size_; ++k) {
      Multiplier l{unknown(k), front_(k, i) * pivot.inverse_first, S(0)};
      if (of_two) {
        l.of_first += front_(k, j) * pivot.inverse_cross;
        l.of_second = front_(k, i) * pivot.inverse_cross + front_(k, j) * pivot.inverse_second;
      }
      multipliers_.push_back(l);
    }
    pivot.end = multipliers_.size();
    for (Index k = 0; k < size_; ++k) {
      const Multiplier& l = multipliers_[pivot.begin + static_cast<std::size_t>(k)];
      // The entries of this row of |L| |D|.
      Real first = absolute_value(leading(l.of_first)) * size_of(i, i), second(0);
      if (of_two) {
        first += absolute_value(leading(l.of_second)) * size_of(i, j);
        second =
            absolute_value(leading(l.of_first)) * size_of(i, j) + absolute_value(leading(l.of_second)) * size_of(j, j);
      }
      for (Index m = 0; m <= k; ++m) {
        const Multiplier& other = multipliers_[pivot.begin + static_cast<std::size_t>(m)];
        S change = l.of_first * front_(m, i);
        Real added = first * absolute_value(leading(other.of_first));
        if (of_two) {
          change += l.of_second * front_(m, j);
          added += second * absolute_value(leading(other.of_second));
        }
        front_(k, m) -= change;
        terms_(k, m) += added;
        front_(m, k) = front_(k, m);
        terms_(m, k) = terms_(k, m);
      }
    }
    pivots_.push_back(pivot);
    return true;
  }
  void exchange(Index a, Index b) {
    if (a == b) return;
    for (Index k = 0; k < size_; ++k) {
      std::swap(front_(a, k), front_(b, k));
      std::swap(terms_(a, k), terms_(b, k));
    }
    for (Index k = 0; k < size_; ++k) {
      std::swap(front_(k, a), front_(k, b));
      std::swap(terms_(k, a), terms_(k, b));
    }
    std::swap(largest_(a), largest_(b));
    std::swap(unknown(a), unknown(b));
  }

  Index n_ = 0, bandwidth_ = 0, size_ = 0, entered_ = 0;
  Real roundoff_ = Real(0);
  Matrix<S, Dynamic> front_ = zeros<Matrix<S, Dynamic>>();
  Matrix<Real, Dynamic> terms_ = zeros<Matrix<Real, Dynamic>>();    ///< sizes of the terms of the front's entries
  Vector<Real, Dynamic> largest_ = zeros<Vector<Real, Dynamic>>();  ///< largest matrix entry in each row of the front
  std::vector<Index> unknowns_;                                     ///< unknown of each row of the front
  std::vector<Pivot> pivots_;
  std::vector<Multiplier> multipliers_;
};

}  // namespace livi
