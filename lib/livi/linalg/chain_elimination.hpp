// SPDX-License-Identifier: MIT
//
// Symmetric block-tridiagonal systems A a = r with blocks of size B, solved by A = L D L^T from both ends at once in
// O(n).
//
// Rows are eliminated from the first on and from the last on, until the two ends meet in the middle row m = n/2. At the
// front, with E_{k+1} = A_{k+1,k} and D_0 = A_00,
//   L_{k+1} = E_{k+1} D_k^-1,   D_{k+1} = A_{k+1,k+1} - L_{k+1} E_{k+1}^T,   r_{k+1} -= L_{k+1} r_k;
// at the back the mirror image holds, and from D_m both ends subtract. This is the L D L^T of the matrix with its rows
// in another order, as stable as an elimination from one end. The two recurrences are independent and do the same, so
// they share their instructions (both_ends.hpp) and wait for one division instead of two. The order depends on n alone.
//
// Back substitution then gives a_m = D_m^-1 r_m and, outwards, a_k = D_k^-1 r_k - L^T a_{neighbour nearer the middle}.
//
// Pivots are blocks, inverted by their adjugate, B <= 3. Rows are not exchanged, which is right for matrices that are
// clearly positive definite. For any other matrix the elimination starts again with pivots chosen by size
// (symmetric_band_elimination.hpp): without exchanges a pivot that happens to be small ruins all digits of the
// solution, however well conditioned the matrix is.
#pragma once

#include <optional>

#include <livi/linalg/both_ends.hpp>
#include <livi/linalg/symmetric_band_elimination.hpp>

namespace livi {

/// A row near the front of a chain, and the link that joins it to the next row towards the middle.
template <class S>
struct FrontRow {
  using number = S;
  Eigen::Index row;

  [[nodiscard]] FrontRow inner() const { return {row + 1}; }
  [[nodiscard]] FrontRow outer() const { return {row - 1}; }
  /// Returns f(row).
  template <class F>
  [[gnu::always_inline]] number at_row(const F& f) const {
    return f(row);
  }
  /// Returns f(link), where link k joins rows k-1 and k.
  template <class F>
  [[gnu::always_inline]] number at_link(const F& f) const {
    return f(row + 1);
  }
  /// Calls f(row, value).
  template <class F>
  [[gnu::always_inline]] void set(const F& f, const number& value) const {
    f(row, value);
  }
  /// Return which of the two numbers belongs to the lower and to the upper of two rows, if `own` belongs to this row
  /// and `inner` to its inner neighbour. Conversely, given the numbers of the lower and the upper row in this order,
  /// they return those of this row and of its inner neighbour.
  static const number& lower_of(const number& own, const number&) { return own; }
  static const number& upper_of(const number&, const number& inner) { return inner; }
};

/// A row near the front and one near the back, on which the same is done.
template <class S>
struct EndRows {
  using number = BothEnds<S>;
  Eigen::Index front, back;

  [[nodiscard]] EndRows inner() const { return {front + 1, back - 1}; }
  [[nodiscard]] EndRows outer() const { return {front - 1, back + 1}; }
  template <class F>
  [[gnu::always_inline]] number at_row(const F& f) const {
    return {f(front), f(back)};
  }
  template <class F>
  [[gnu::always_inline]] number at_link(const F& f) const {
    return {f(front + 1), f(back)};
  }
  template <class F>
  [[gnu::always_inline]] void set(const F& f, const number& value) const {
    f(front, value.front());
    f(back, value.back());
  }
  static number lower_of(const number& own, const number& inner) { return front_and_back(own, inner); }
  static number upper_of(const number& own, const number& inner) { return front_and_back(inner, own); }
};

/// The terms that a link adds to the matrix and the right-hand side of the two rows it joins. Only the lower triangles
/// of the symmetric blocks `lower` (k-1, k-1) and `upper` (k, k) are read; `cross` is block (k, k-1).
template <class T, int B>
struct ChainLink {
  Matrix<T, B> lower, cross, upper;
  Vector<T, B> right_lower, right_upper;
};

/// The inverse of a pivot, adjugate / determinant; T is S, or BothEnds<S> for a pivot at each end.
template <class T, int B>
struct PivotInverse {
  static_assert(1 <= B && B <= 3, "pivots are blocks of 1, 2 or 3 degrees of freedom");
  Matrix<T, B> adjugate;
  T reciprocal;  ///< 1 / determinant

  /// Sets the adjugate of `a` and returns its determinant.
  [[gnu::always_inline]] T set_adjugate(const Matrix<T, B>& a) {
    if constexpr (B == 1) {
      adjugate(0, 0) = T(1);
      return a(0, 0);
    } else if constexpr (B == 2) {
      adjugate(0, 0) = a(1, 1);
      adjugate(1, 1) = a(0, 0);
      adjugate(1, 0) = adjugate(0, 1) = -a(1, 0);
      return a(0, 0) * a(1, 1) - a(1, 0) * a(1, 0);
    } else {
      adjugate(0, 0) = a(1, 1) * a(2, 2) - a(2, 1) * a(2, 1);
      adjugate(1, 1) = a(0, 0) * a(2, 2) - a(2, 0) * a(2, 0);
      adjugate(2, 2) = a(0, 0) * a(1, 1) - a(1, 0) * a(1, 0);
      adjugate(1, 0) = adjugate(0, 1) = a(2, 0) * a(2, 1) - a(1, 0) * a(2, 2);
      adjugate(2, 0) = adjugate(0, 2) = a(1, 0) * a(2, 1) - a(2, 0) * a(1, 1);
      adjugate(2, 1) = adjugate(1, 2) = a(1, 0) * a(2, 0) - a(2, 1) * a(0, 0);
      return a(0, 0) * adjugate(0, 0) + a(1, 0) * adjugate(1, 0) + a(2, 0) * adjugate(2, 0);
    }
  }
  /// Returns the product of the adjugate, the reciprocal determinant and b.
  [[nodiscard, gnu::always_inline]] Vector<T, B> times(const Vector<T, B>& b) const {
    Vector<T, B> product;
    static_for<B>([&]<int i>() {
      T sum = adjugate(i, 0) * b(0);
      static_for<B - 1>([&]<int j>() { return sum += adjugate(i, j + 1) * b(j + 1), true; });
      return product(i) = sum * reciprocal, true;
    });
    return product;
  }
};

/// Returns whether x holds a reciprocal at each end, as is_reciprocal() of one number does.
template <class S>
bool is_reciprocal(const BothEnds<S>& x) {
  if constexpr (std::floating_point<S>)
    return true;
  else
    return is_reciprocal(x.front()) && is_reciprocal(x.back());
}

/// Block L D L^T of a chain from both ends. A class Rows hands out the rows link by link while the elimination goes on,
/// so that a matrix that is a sum over links need never be stored:
///   prepare(k)                       row k is about to be read for the first time
///   first_link()                     returns what link 0 adds to row 0: upper, right_upper
///   link(at)                         returns what the link of the row or pair of rows `at` (FrontRow, EndRows) adds
///   eliminated(at, inverse, L, r)    keeps D^-1, L and the reduced right-hand side of that row or pair
///   middle(m, inverse, r)            keeps D^-1 and the reduced right-hand side of the middle row
template <class S, int B>
class ChainElimination {
 public:
  /// Returns the middle row of n.
  static Eigen::Index middle(Eigen::Index n) { return n / 2; }
  /// Returns the number of pairs of rows at the same distance from the two ends. If n is even, one row at the front is
  /// left over.
  static Eigen::Index pairs(Eigen::Index n) { return n - 1 - middle(n); }

  /// Eliminates all n rows. Returns nothing if the matrix is clearly positive definite, otherwise the row whose pivot
  /// shows that it is not; either way all rows have been prepared. `largest_mass` is the largest entry of M: a diagonal
  /// entry of M + c H that is far below it has too few digits left.
  template <class Rows>
  static std::optional<Eigen::Index> eliminate(Eigen::Index n, Rows&& rows, const RealOf<S>& largest_mass) {
    if (n == 0) return {};
    // Pivots far below the largest mass are refused, and so are those that have no reciprocal.
    const RealOf<S> mass = largest_mass + least_mass();
    const Eigen::Index m = middle(n), both = pairs(n);
    End<S> front, back;
    rows.prepare(0);
    front.start(rows.first_link());
    back.clear();
    if (both > 0) {
      rows.prepare(n - 1);
      End<BothEnds<S>> ends{both_ends(front.block, back.block), both_ends(front.loss, back.loss),
                            both_ends(front.right, back.right), both_ends(front.right_loss, back.right_loss)};
      for (EndRows<S> at{0, n - 1}; at.front < both; at = at.inner()) {
        rows.prepare(at.front + 1);
        if (at.back - 1 > at.front + 1) rows.prepare(at.back - 1);
        if (!ends.eliminate(at, rows, mass)) {
          for (Eigen::Index k = at.front + 2; k < at.back - 1; ++k) rows.prepare(k);
          const End<S> at_front{front_of(ends.block), front_of(ends.loss), front_of(ends.right),
                                front_of(ends.right_loss)};
          return at_front.accepts(FrontRow<S>{at.front}, rows, mass) ? at.back : at.front;
        }
      }
      front = {front_of(ends.block), front_of(ends.loss), front_of(ends.right), front_of(ends.right_loss)};
      back = {back_of(ends.block), back_of(ends.loss), back_of(ends.right), back_of(ends.right_loss)};
    } else if (m > 0) {
      rows.prepare(m);
    }
    if (both < m && !front.eliminate(FrontRow<S>{both}, rows, mass)) return both;

    Matrix<S, B> minuend, pivot;
    Vector<S, B> reduced;
    for (int i = 0; i < B; ++i) {
      for (int j = 0; j <= i; ++j) {
        minuend(i, j) = front.block(i, j) + back.block(i, j);
        pivot(i, j) = (minuend(i, j) - front.loss(i, j)) - back.loss(i, j);
      }
      reduced(i) = ((front.right(i) + back.right(i)) - front.right_loss(i)) - back.right_loss(i);
    }
    PivotInverse<S, B> inverse;
    if (!invert_middle(pivot, minuend, mass, inverse)) return m;
    rows.middle(m, inverse, reduced);
    return {};
  }

 private:
  /// The state of the elimination at one end, or at both: the next row and what it loses to the row behind it. Its
  /// pivot is block - loss + the terms of the link ahead.
  template <class T>
  struct End {
    Matrix<T, B> block, loss;
    Vector<T, B> right, right_loss;

    void clear() {
      for (auto* matrix : {&block, &loss}) matrix->setConstant(T(0));
      for (auto* vector : {&right, &right_loss}) vector->setConstant(T(0));
    }
    void start(const ChainLink<T, B>& first) {
      clear();
      block = first.upper;
      right = first.right_upper;
    }
    /// Eliminates the row and moves on to its inner neighbour; false if the pivot is not clearly positive.
    template <class At, class Rows>
    [[gnu::always_inline]] bool eliminate(const At& at, Rows&& rows, const RealOf<S>& mass) {
      const ChainLink<T, B> link = rows.link(at);
      Matrix<T, B> minuend, pivot, cross;
      Vector<T, B> reduced;
      static_for<B>([&]<int i>() {
        static_for<i + 1>([&]<int j>() {
          minuend(i, j) = block(i, j) + At::lower_of(link.lower(i, j), link.upper(i, j));
          pivot(i, j) = minuend(i, j) - loss(i, j);
          return true;
        });
        // Block (inner neighbour, row).
        static_for<B>([&]<int j>() { return cross(i, j) = At::lower_of(link.cross(i, j), link.cross(j, i)), true; });
        reduced(i) = (right(i) + At::lower_of(link.right_lower(i), link.right_upper(i))) - right_loss(i);
        return true;
      });
      PivotInverse<T, B> inverse;
      const T determinant = inverse.set_adjugate(pivot);
      if (!clearly_positive(pivot, minuend, mass, inverse, determinant)) [[unlikely]]
        return false;
      inverse.reciprocal = T(1) / determinant;
      if (!is_reciprocal(inverse.reciprocal)) return false;
      // E adj(D) and E adj(D) E^T are formed before the division by det D, so that they need not wait for it.
      Matrix<T, B> product, multiplier;
      static_for<B>([&]<int i>() {
        static_for<B>([&]<int j>() {
          T sum = cross(i, 0) * inverse.adjugate(0, j);
          static_for<B - 1>([&]<int l>() { return sum += cross(i, l + 1) * inverse.adjugate(l + 1, j), true; });
          product(i, j) = sum;
          multiplier(i, j) = sum * inverse.reciprocal;
          return true;
        });
        T right_sum = multiplier(i, 0) * reduced(0);
        static_for<B - 1>([&]<int l>() { return right_sum += multiplier(i, l + 1) * reduced(l + 1), true; });
        right_loss(i) = right_sum;
        right(i) = At::upper_of(link.right_lower(i), link.right_upper(i));
        static_for<i + 1>([&]<int j>() {
          T sum = product(i, 0) * cross(j, 0);
          static_for<B - 1>([&]<int l>() { return sum += product(i, l + 1) * cross(j, l + 1), true; });
          loss(i, j) = sum * inverse.reciprocal;
          block(i, j) = At::upper_of(link.lower(i, j), link.upper(i, j));
          return true;
        });
        return true;
      });
      rows.eliminated(at, inverse, multiplier, reduced);
      return true;
    }
    /// Returns whether this row can be eliminated.
    template <class Rows>
    [[nodiscard]] bool accepts(const FrontRow<S>& at, Rows&& rows, const RealOf<S>& mass) const {
      const ChainLink<S, B> link = rows.link(at);
      Matrix<S, B> minuend, pivot;
      for (int i = 0; i < B; ++i)
        for (int j = 0; j <= i; ++j) {
          minuend(i, j) = block(i, j) + link.lower(i, j);
          pivot(i, j) = minuend(i, j) - loss(i, j);
        }
      PivotInverse<S, B> inverse;
      const S determinant = inverse.set_adjugate(pivot);
      return clearly_positive(pivot, minuend, mass, inverse, determinant) && is_reciprocal(S(S(1) / determinant));
    }
  };

  /// Sets the inverse of the middle pivot; false if that is not clearly positive. The pivot is scaled, for nothing is
  /// known about its size.
  static bool invert_middle(const Matrix<S, B>& block, const Matrix<S, B>& minuend, const RealOf<S>& mass,
                            PivotInverse<S, B>& inverse) {
    using Real = RealOf<S>;
    const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
    S scale(0);
    for (const Matrix<S, B>* matrix : {&block, &minuend})
      for (int i = 0; i < B; ++i)
        for (int j = 0; j <= i; ++j) {
          const S& entry = (*matrix)(i, j);
          if (!(absolute_value(leading(entry)) <= absolute_value(leading(scale))))
            scale = leading(entry) < Real(0) ? S(-entry) : entry;
        }
    if (!(Real(0) < leading(scale)) || !is_finite(scale)) return false;
    Matrix<S, B> a, b;
    for (int i = 0; i < B; ++i)
      for (int j = 0; j <= i; ++j) {
        a(i, j) = block(i, j) / scale;
        b(i, j) = minuend(i, j) / scale;
      }
    const S determinant = inverse.set_adjugate(a);
    if (!clearly_positive(a, b, Real(mass / leading(scale)), inverse, determinant)) return false;
    inverse.reciprocal = S(1) / (determinant * scale);
    return is_finite(inverse.reciprocal);
  }

  /// Returns a mass so small that adding it matters only to numbers whose pivots have no reciprocal, or whose inverse
  /// has entries that are no numbers: a pivot or a determinant is compared with a part of it at least.
  static RealOf<S> least_mass() {
    if constexpr (ScalarTraits<S>::exact)
      return RealOf<S>(0);
    else if constexpr (B == 1)
      return least_pivot<S>() / ScalarTraits<S>::epsilon();
    else
      return least_entry_of_pivot<S>() / least_part_of_determinant<S>();
  }

  /// Returns whether the pivot `a` is positive definite, so that no entry off the diagonal is larger than those on it,
  /// and has a determinant large enough for its inverse to be relied on. `a` is the difference of `minuend` and a loss.
  /// The entries of `minuend` are themselves sums of masses and c times stiffnesses; one that is far below the largest
  /// mass has too few digits left.
  template <class T>
  [[gnu::always_inline]] static bool clearly_positive(const Matrix<T, B>& a, const Matrix<T, B>& minuend,
                                                      const RealOf<S>& mass, const PivotInverse<T, B>& inverse,
                                                      const T& determinant) {
    if constexpr (std::same_as<T, S> || std::same_as<S, double>) {
      const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
      const Order<T> order;
      const auto least = order.constant(least_part_of_determinant<S>());
      const auto size = [&](int i) { return order.absolute(minuend(i, i)); };
      const auto real = [&](int i) { return order.real(a(i, i)); };
      const auto of_determinant = order.real(determinant);
      const auto m = order.constant(mass), none = order.constant(least_pivot<S>());
      // A single pivot only has to be above its rounding.
      if constexpr (B == 1)
        return order.less(order.constant(RealOf<S>(16) * ScalarTraits<S>::epsilon()) * (size(0) + m), of_determinant);
      if (!order.less(order.constant(RealOf<S>(0)), real(0))) return false;
      // Absolute values are used because a bound below zero would accept determinants below zero.
      const auto pivot = [&](int i) { return order.absolute(a(i, i)); };
      if constexpr (B == 2)
        return order.less(none + least * ((size(0) + m) * pivot(1) + (size(1) + m) * pivot(0)), of_determinant);
      if constexpr (B == 3)
        return order.less(order.constant(RealOf<S>(0)), order.real(inverse.adjugate(2, 2))) &&
               order.less(none + least * ((size(0) + m) * pivot(1) * pivot(2) + (size(1) + m) * pivot(0) * pivot(2) +
                                          (size(2) + m) * pivot(0) * pivot(1)),
                          of_determinant);
    } else {
      return clearly_positive<S>(front_of(a), front_of(minuend), mass, {front_of(inverse.adjugate), S(1)},
                                 determinant.front()) &&
             clearly_positive<S>(back_of(a), back_of(minuend), mass, {back_of(inverse.adjugate), S(1)},
                                 determinant.back());
    }
  }
  /// The order of numbers by their real parts, for one number or for two doubles at once.
  template <class T>
  struct Order {
    static RealOf<S> constant(const RealOf<S>& x) { return x; }
    static RealOf<S> real(const S& x) { return leading(x); }
    static RealOf<S> absolute(const S& x) {
      if constexpr (std::floating_point<S>) return std::abs(x);  // without a branch
      return leading(x) < RealOf<S>(0) ? RealOf<S>(-leading(x)) : RealOf<S>(leading(x));
    }
    static bool less(const RealOf<S>& x, const RealOf<S>& y) { return x < y; }
  };
  template <class Number>
  struct Order<BothEnds<Number>> {
    using Both = BothEnds<Number>;
    static Both constant(const RealOf<Number>& x) { return Both(x); }
    static const Both& real(const Both& x) { return x; }
    static Both absolute(const Both& x) { return sizes(x); }
    static bool less(const Both& x, const Both& y) { return all_less(x, y); }
  };
};

/// The elimination of what ChainElimination refuses: by rows of single degrees of freedom with pivots chosen by size.
template <class S, int B>
class IndefiniteChain {
 public:
  /// Factorises a matrix of n blocks: diagonal(k, i, j) for j <= i of block (k, k) and lower(k, i, j) of block (k,
  /// k-1). If the matrix is indefinite, the outcome names the row `refused`.
  template <class Mass, class Diagonal, class Lower>
  FactorOutcome factor(Eigen::Index n, Eigen::Index refused, const Mass& mass, const Diagonal& diagonal,
                       const Lower& lower) {
    FactorOutcome outcome = elimination_.factor(
        n * B, 2 * B - 1,
        [&](Eigen::Index i, Eigen::Index j) -> S {
          const Eigen::Index row = i / B, column = j / B;
          if (row == column) return diagonal(row, static_cast<int>(i % B), static_cast<int>(j % B));
          return row == column + 1 ? lower(row, static_cast<int>(i % B), static_cast<int>(j % B)) : S(0);
        },
        [&](Eigen::Index i, Eigen::Index j, const S& entry) -> RealOf<S> {
          if (i == j) return size_of_terms<S>(entry, mass.diagonal(i));
          return absolute_leading(entry);
        });
    if (outcome.singular) {
      outcome.pivot /= B;
    } else if (outcome.indefinite) {
      outcome.pivot = static_cast<int>(refused);
    }
    return outcome;
  }
  template <class V>
  void solve_in_place(V&& b) const {
    elimination_.solve_in_place(b);
  }

 private:
  SymmetricBandElimination<S> elimination_;
};

}  // namespace livi
