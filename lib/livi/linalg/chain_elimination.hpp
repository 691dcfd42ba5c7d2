// SPDX-License-Identifier: MIT
//
// Symmetric block-tridiagonal systems A a = r, A = L D L^T by blocks of B, at O(n), from both ends at once.
//
// Rows are eliminated from the first on and from the last on, until the two meet in the middle row m = n/2. For the
// end that comes from the front, with E_{k+1} = A_{k+1,k} and D_0 = A_00,
//   L_{k+1} = E_{k+1} D_k^-1,   D_{k+1} = A_{k+1,k+1} - L_{k+1} E_{k+1}^T,   r_{k+1} -= L_{k+1} r_k,
// the mirror image for the other end, and D_m loses both. This is the L D L^T of the matrix with its rows in another
// order, as stable as that from one end; but the two recurrences are independent and the same, so they share their
// instructions (both_ends.hpp) and wait for one division instead of two. The order depends on n alone.
//
// Back substitution then gives a_m = D_m^-1 r_m and, outwards, a_k = D_k^-1 r_k - L^T a_{neighbour nearer the middle}.
//
// Pivots are blocks, inverted by their adjugate, B <= 3. A singular one is an error although the whole matrix may be
// regular: no rows are exchanged. Blocks that are not positive definite are counted, and so are negative eigenvalues
// (Sylvester: of all pivots together, whatever the order, as many as A has).
#pragma once

#include <livi/linalg/both_ends.hpp>
#include <livi/linalg/symmetric_factor.hpp>

namespace livi {

/// A row near the front of a chain, and the link that joins it to the next row towards the middle.
template <class S>
struct FrontRow {
  using number = S;
  Eigen::Index row;

  [[nodiscard]] FrontRow inner() const { return {row + 1}; }
  [[nodiscard]] FrontRow outer() const { return {row - 1}; }
  /// f(row).
  template <class F>
  [[gnu::always_inline]] number at_row(const F& f) const {
    return f(row);
  }
  /// f(link): link k joins rows k-1 and k.
  template <class F>
  [[gnu::always_inline]] number at_link(const F& f) const {
    return f(row + 1);
  }
  /// Calls f(row, value).
  template <class F>
  [[gnu::always_inline]] void set(const F& f, const number& value) const {
    f(row, value);
  }
  /// What belongs to the lower of two rows, if this row and its inner neighbour have `own` and `inner`; and the
  /// converse: what belongs to this row, if the lower and the upper of the two have these.
  static const number& lower_of(const number& own, const number&) { return own; }
  static const number& upper_of(const number&, const number& inner) { return inner; }
};

/// A row near the front and one near the back, treated alike.
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

/// What a link adds to the matrix and the right-hand side of the two rows it joins. Of the symmetric blocks `lower`
/// (k-1, k-1) and `upper` (k, k) the lower triangle counts; `cross` is block (k, k-1).
template <class T, int B>
struct ChainLink {
  Matrix<T, B> lower, cross, upper;
  Vector<T, B> right_lower, right_upper;
};

/// The inverse of a pivot, adjugate / determinant; T is S or both ends' S.
template <class T, int B>
struct PivotInverse {
  static_assert(1 <= B && B <= 3, "pivots are blocks of 1, 2 or 3 degrees of freedom");
  Matrix<T, B> adjugate;
  T reciprocal;  ///< 1 / determinant

  /// Returns the determinant of `a`, whose adjugate it sets.
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
  /// Times a vector.
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

/// The inverse of a pivot of any signs. `block` is a difference of matrices of which the first was `minuend` (lower
/// triangles of both count): the round-off of its entries is that of the minuend. Counts in `outcome`; false if the
/// pivot is singular to round-off.
template <class S, int B>
bool invert_pivot(const Matrix<S, B>& block, const Matrix<S, B>& minuend, Eigen::Index row, PivotInverse<S, B>& inverse,
                  FactorOutcome& outcome) {
  using Real = RealOf<S>;
  const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
  const auto absolute = [](const Real& x) { return x < Real(0) ? Real(-x) : x; };
  const auto size = [&](const Matrix<S, B>& lower, int i, int j) {
    return absolute(leading(i < j ? lower(j, i) : lower(i, j)));
  };
  const auto fail = [&] {
    outcome.singular = true;
    outcome.pivot = static_cast<int>(row);
    return false;
  };
  // Scaled: determinants of large or small entries leave the range of the number type.
  S scale(0);
  for (const Matrix<S, B>* matrix : {&block, &minuend})
    for (int i = 0; i < B; ++i)
      for (int j = 0; j <= i; ++j) {
        const S& entry = (*matrix)(i, j);
        if (!(size(*matrix, i, j) <= absolute(leading(scale)))) scale = leading(entry) < Real(0) ? S(-entry) : entry;
      }
  if (!(Real(0) < leading(scale)) || !is_finite(scale)) return fail();
  Matrix<S, B> a, b;
  for (int i = 0; i < B; ++i)
    for (int j = 0; j <= i; ++j) {
      a(i, j) = block(i, j) / scale;
      b(i, j) = minuend(i, j) / scale;
    }
  const S determinant = inverse.set_adjugate(a);
  Real roundoff(0);
  if constexpr (B == 1) {
    roundoff = size(b, 0, 0);
  } else if constexpr (B == 2) {
    roundoff = size(b, 0, 0) * size(a, 1, 1) + size(b, 1, 1) * size(a, 0, 0) + Real(2) * size(b, 1, 0) * size(a, 1, 0);
  } else {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
        roundoff += size(b, i, j) * (size(a, k, m) * size(a, l, n) + size(a, k, n) * size(a, l, m));
      }
  }
  if (!(ScalarTraits<S>::epsilon() * roundoff < absolute(leading(determinant)))) return fail();
  inverse.reciprocal = S(1) / (determinant * scale);
  // Signs of the coefficients of det(a + x I): all roots are real, so each change is a positive root, the negative of
  // an eigenvalue (Descartes).
  const Real last = leading(determinant);
  Real trace(0), minors(0);
  for (int i = 0; i < B; ++i) {
    trace += leading(a(i, i));
    minors += leading(inverse.adjugate(i, i));
  }
  const Real coefficients[] = {B > 1 ? trace : last, B > 2 ? minors : last, last};
  int negative = 0;
  bool sign = false;
  for (const Real& coefficient : coefficients)
    if ((coefficient < Real(0)) != sign && !(coefficient == Real(0))) {
      sign = !sign;
      ++negative;
    }
  if (negative > 0) {
    // The first in the order of the rows, whichever end it was eliminated from.
    if (!outcome.indefinite || row < outcome.pivot) outcome.pivot = static_cast<int>(row);
    outcome.indefinite = true;
    outcome.negative += negative;
  }
  return true;
}

/// The elimination. Who has the rows, a class Rows, hands them out link by link while it goes on, so that a matrix that
/// is a sum over links need never be stored:
///   prepare(k)          row k is about to be read for the first time
///   first_link()        what link 0 adds to row 0: upper, right_upper
///   link(at)            what the link of the row or pair of rows `at` (FrontRow, EndRows) adds
///   eliminated(at, inverse, L, r)    D^-1, L and the reduced right-hand side of its row, to be kept
///   middle(m, inverse, r)            the same of the middle row
template <class S, int B>
class ChainElimination {
 public:
  /// The middle row of n.
  static Eigen::Index middle(Eigen::Index n) { return n / 2; }
  /// Pairs of rows at the same distance from the ends, front and back; if n is even, one row at the front is left.
  static Eigen::Index pairs(Eigen::Index n) { return n - 1 - middle(n); }

  template <class Rows>
  static FactorOutcome eliminate(Eigen::Index n, Rows&& rows) {
    FactorOutcome outcome;
    if (n == 0) return outcome;
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
        if (!ends.eliminate(at, rows, outcome)) return outcome;
      }
      front = {front_of(ends.block), front_of(ends.loss), front_of(ends.right), front_of(ends.right_loss)};
      back = {back_of(ends.block), back_of(ends.loss), back_of(ends.right), back_of(ends.right_loss)};
    } else if (m > 0) {
      rows.prepare(m);
    }
    if (both < m && !front.eliminate(FrontRow<S>{both}, rows, outcome)) return outcome;

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
    if (invert_pivot(pivot, minuend, m, inverse, outcome)) rows.middle(m, inverse, reduced);
    return outcome;
  }

 private:
  /// One end, or both: the row that is next, with what the row behind it has given. Its pivot is block - loss + what
  /// the link ahead adds.
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
    /// Eliminates the row and goes to its inner neighbour.
    template <class At, class Rows>
    [[gnu::always_inline]] bool eliminate(const At& at, Rows&& rows, FactorOutcome& outcome) {
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
      if (clearly_positive(pivot, minuend, inverse, determinant)) [[likely]] {
        inverse.reciprocal = T(1) / determinant;
      } else {
        // Copies: what a function refers to that is not inlined could not stay in registers.
        const Matrix<T, B> pivot_copy = pivot, minuend_copy = minuend;
        PivotInverse<T, B> inverse_copy;
        if (!invert_any(at, pivot_copy, minuend_copy, inverse_copy, outcome)) return false;
        inverse = inverse_copy;
      }
      // E adj(D), and E adj(D) E^T before the division by det D: the two need not wait for it.
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
  };

  /// Positive definite, with a determinant well above its round-off (invert_pivot); entries off the diagonal are then
  /// bounded by those on it.
  template <class T>
  [[gnu::always_inline]] static bool clearly_positive(const Matrix<T, B>& a, const Matrix<T, B>& minuend,
                                                      const PivotInverse<T, B>& inverse, const T& determinant) {
    if constexpr (std::same_as<T, S> || std::same_as<S, double>) {
      const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
      const Order<T> order;
      const auto floor = order.real(T(2 * B)) * ScalarTraits<S>::epsilon();
      const auto size = [&](int i) { return order.absolute(minuend(i, i)); };
      const auto real = [&](int i) { return order.real(a(i, i)); };
      const auto of_determinant = order.real(determinant);
      if constexpr (B == 1) return order.less(floor * size(0), of_determinant);
      if (!order.less(order.real(T(0)), real(0))) return false;
      if constexpr (B == 2) return order.less(floor * (size(0) * real(1) + size(1) * real(0)), of_determinant);
      return order.less(order.real(T(0)), order.real(inverse.adjugate(2, 2))) &&
             order.less(
                 floor * (size(0) * real(1) * real(2) + size(1) * real(0) * real(2) + size(2) * real(0) * real(1)),
                 of_determinant);
    } else {
      return clearly_positive<S>(front_of(a), front_of(minuend), {front_of(inverse.adjugate), S(1)},
                                 determinant.front()) &&
             clearly_positive<S>(back_of(a), back_of(minuend), {back_of(inverse.adjugate), S(1)}, determinant.back());
    }
  }
  /// The order of S by its real part, or that of two doubles at once.
  template <class T>
  struct Order {
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
    static const Both& real(const Both& x) { return x; }
    static Both absolute(const Both& x) { return sizes(x); }
    static bool less(const Both& x, const Both& y) { return all_less(x, y); }
  };

  [[gnu::noinline, gnu::cold]] static bool invert_any(const FrontRow<S>& at, const Matrix<S, B>& pivot,
                                                      const Matrix<S, B>& minuend, PivotInverse<S, B>& inverse,
                                                      FactorOutcome& outcome) {
    return invert_pivot(pivot, minuend, at.row, inverse, outcome);
  }
  [[gnu::noinline, gnu::cold]] static bool invert_any(const EndRows<S>& at, const Matrix<BothEnds<S>, B>& pivot,
                                                      const Matrix<BothEnds<S>, B>& minuend,
                                                      PivotInverse<BothEnds<S>, B>& inverse, FactorOutcome& outcome) {
    PivotInverse<S, B> front, back;
    if (!invert_pivot<S, B>(front_of(pivot), front_of(minuend), at.front, front, outcome)) return false;
    if (!invert_pivot<S, B>(back_of(pivot), back_of(minuend), at.back, back, outcome)) return false;
    inverse = {both_ends(front.adjugate, back.adjugate), {front.reciprocal, back.reciprocal}};
    return true;
  }
};

}  // namespace livi
