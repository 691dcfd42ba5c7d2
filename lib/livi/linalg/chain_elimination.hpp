// SPDX-License-Identifier: MIT
//
// Symmetric block-tridiagonal systems A a = r, A = L D L^T by blocks of B, at O(n), from both ends at once.
//
// Rows are eliminated from the first on and from the last on, until the two meet in the middle row m = n/2. For the
// end that comes from the front, with E_{k+1} = A_{k+1,k} and D_0 = A_00,
//   L_{k+1} = E_{k+1} D_k^-1,   D_{k+1} = A_{k+1,k+1} - L_{k+1} E_{k+1}^T,   r_{k+1} -= L_{k+1} r_k,
// the mirror image for the other end, and D_m loses both. This is the L D L^T of the matrix with its rows in another
// order, as stable as that from one end; but the two recurrences are independent, so one proceeds while the other waits
// for its division. The order depends on n alone.
//
// Who has the rows, a class Rows, hands them out link by link while the elimination goes on: link k holds what couples
// row k-1 to row k together with what is row k's own, so a matrix that is a sum over links need never be stored:
//   prepare(k)                   row k is about to be read for the first time
//   first_link(), link(k)        the terms of link 0 (its part `before` is not read) and of link k > 0
//   eliminated(k, pivot, L, r)   D_k^-1, the multiplier of row k and its reduced right-hand side, to be kept
// Back substitution then gives a_m = D_m^-1 r_m and, outwards, a_k = D_k^-1 r_k - L^T a_{neighbour nearer the middle}.
//
// Pivots are blocks, inverted by their adjugate, B <= 3. A singular one is an error although the whole matrix may be
// regular: no rows are exchanged. Blocks that are not positive definite are counted, and so are negative eigenvalues
// (Sylvester: of all pivots together, whatever the order, as many as A has).
#pragma once

#include <livi/linalg/symmetric_factor.hpp>

namespace livi {

/// What link k adds to rows k-1 ("before") and k of a matrix and a right-hand side. Of the symmetric blocks `before`
/// (k-1, k-1) and `here` (k, k) the lower triangle counts; `cross` is block (k, k-1).
template <class S, int B>
struct ChainLink {
  Matrix<S, B> before, cross, here;
  Vector<S, B> right_before, right;

  /// The link as met from the other end.
  [[nodiscard]] ChainLink reversed() const { return {here, cross.transpose(), before, right, right_before}; }
};

/// The inverse of a pivot, adjugate / determinant.
template <class S, int B>
struct PivotInverse {
  static_assert(1 <= B && B <= 3, "pivots are blocks of 1, 2 or 3 degrees of freedom");
  Matrix<S, B> adjugate;
  S reciprocal;  ///< 1 / determinant

  /// Inverts `block`, a difference of matrices of which the first was `minuend` (lower triangles): the round-off of its
  /// entries is that of the minuend. Counts in `outcome`; false if it is singular.
  [[gnu::always_inline]] bool invert(const Matrix<S, B>& block, const Matrix<S, B>& minuend, Eigen::Index row,
                                     FactorOutcome& outcome) {
    const S determinant = set_adjugate(block);
    if (clearly_positive(block, minuend, determinant)) {
      reciprocal = S(1) / determinant;
      return true;
    }
    // Copies: what the other function refers to could not stay in registers here.
    PivotInverse other;
    const Matrix<S, B> block_copy = block, minuend_copy = minuend;
    const bool regular = other.invert_not_positive(block_copy, minuend_copy, row, outcome);
    *this = other;
    return regular;
  }
  /// Times a vector.
  [[nodiscard, gnu::always_inline]] Vector<S, B> times(const Vector<S, B>& b) const {
    Vector<S, B> product;
    static_for<B>([&]<int i>() {
      S sum = adjugate(i, 0) * b(0);
      static_for<B - 1>([&]<int j>() { return sum += adjugate(i, j + 1) * b(j + 1), true; });
      return product(i) = sum * reciprocal, true;
    });
    return product;
  }
  [[nodiscard]] Matrix<S, B> matrix() const {
    Matrix<S, B> inverse;
    for (int i = 0; i < B; ++i)
      for (int j = 0; j < B; ++j) inverse(i, j) = adjugate(i, j) * reciprocal;
    return inverse;
  }

 private:
  using Real = RealOf<S>;
  static Real absolute(const Real& x) {
    if constexpr (std::floating_point<Real>) return std::abs(x);  // without a branch
    return x < Real(0) ? Real(-x) : x;
  }
  static Real size(const Matrix<S, B>& lower, int i, int j) {
    return absolute(leading(i < j ? lower(j, i) : lower(i, j)));
  }

  /// Returns the determinant.
  S set_adjugate(const Matrix<S, B>& a) {
    if constexpr (B == 1) {
      adjugate(0, 0) = S(1);
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
  /// Positive definite, with a determinant well above its round-off; entries off the diagonal are then bounded by those
  /// on it.
  bool clearly_positive(const Matrix<S, B>& a, const Matrix<S, B>& minuend, const S& determinant) const {
    const Real floor = Real(2 * B) * ScalarTraits<S>::epsilon();
    if constexpr (B == 1) return floor * size(minuend, 0, 0) < leading(determinant);
    if constexpr (B == 2) {
      const Real scale = size(minuend, 0, 0) * leading(a(1, 1)) + size(minuend, 1, 1) * leading(a(0, 0));
      return (Real(0) < leading(a(0, 0))) & (floor * scale < leading(determinant));
    }
    return Real(0) < leading(a(0, 0)) && Real(0) < leading(adjugate(2, 2)) &&
           roundoff(a, minuend) < leading(determinant);
  }
  /// What the determinant may be off by: each entry by epsilon times that of the minuend.
  static Real roundoff(const Matrix<S, B>& a, const Matrix<S, B>& minuend) {
    if constexpr (ScalarTraits<S>::exact) return Real(0);
    Real sum(0);
    if constexpr (B == 1) {
      sum = size(minuend, 0, 0);
    } else if constexpr (B == 2) {
      sum = size(minuend, 0, 0) * size(a, 1, 1) + size(minuend, 1, 1) * size(a, 0, 0) +
            Real(2) * size(minuend, 1, 0) * size(a, 1, 0);
    } else {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
          sum += size(minuend, i, j) * (size(a, k, m) * size(a, l, n) + size(a, k, n) * size(a, l, m));
        }
    }
    return ScalarTraits<S>::epsilon() * sum;
  }

  /// Again, scaled (determinants of large or small entries leave the range of the number type), for any signs.
  [[gnu::noinline, gnu::cold]] bool invert_not_positive(const Matrix<S, B>& block, const Matrix<S, B>& minuend,
                                                        Eigen::Index row, FactorOutcome& outcome) {
    S scale(0);
    for (const Matrix<S, B>* matrix : {&block, &minuend})
      for (int i = 0; i < B; ++i)
        for (int j = 0; j <= i; ++j) {
          const S& entry = (*matrix)(i, j);
          if (!(size(*matrix, i, j) <= absolute(leading(scale)))) scale = leading(entry) < Real(0) ? S(-entry) : entry;
        }
    bool regular = Real(0) < leading(scale) && is_finite(scale);
    if (regular) {
      Matrix<S, B> unit, minuend_of_unit;
      for (int i = 0; i < B; ++i)
        for (int j = 0; j <= i; ++j) {
          unit(i, j) = block(i, j) / scale;
          minuend_of_unit(i, j) = minuend(i, j) / scale;
        }
      const S determinant = set_adjugate(unit);
      regular = roundoff(unit, minuend_of_unit) < absolute(leading(determinant));
      if (regular) {
        // Signs of the coefficients of det(unit + x I): all roots are real, so each change is a positive root, the
        // negative of an eigenvalue (Descartes).
        const Real last = leading(determinant);
        Real trace(0), minors(0);
        for (int i = 0; i < B; ++i) {
          trace += leading(unit(i, i));
          minors += leading(adjugate(i, i));
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
          // In the order of the rows, whichever end they were eliminated from.
          if (!outcome.indefinite || row < outcome.pivot) outcome.pivot = static_cast<int>(row);
          outcome.indefinite = true;
          outcome.negative += negative;
        }
        reciprocal = S(1) / (determinant * scale);
        return true;
      }
    }
    outcome.singular = true;
    outcome.pivot = static_cast<int>(row);
    return false;
  }
};

template <class S, int B>
class ChainElimination {
 public:
  /// The middle row of n.
  static Eigen::Index middle(Eigen::Index n) { return n / 2; }

  /// Eliminates all rows. The right-hand side of the middle row is reduced by both sides.
  template <class Rows>
  static FactorOutcome eliminate(Eigen::Index n, Rows&& rows) {
    FactorOutcome outcome;
    if (n == 0) return outcome;
    const Eigen::Index m = middle(n), last = n - 1;
    End front, back;
    rows.prepare(0);
    const ChainLink<S, B> first = rows.first_link();
    front.receive(first);
    back.receive_nothing();
    Eigen::Index k = 0, j = last;
    if (last > m) rows.prepare(last);
    for (; j > m + 1; ++k, --j) {
      rows.prepare(k + 1);
      if (!front.eliminate(k, rows.link(k + 1), rows, outcome)) return outcome;
      rows.prepare(j - 1);
      if (!back.eliminate(j, rows.link(j).reversed(), rows, outcome)) return outcome;
    }
    for (; k < m; ++k) {  // one row, or two if n is even
      rows.prepare(k + 1);
      if (!front.eliminate(k, rows.link(k + 1), rows, outcome)) return outcome;
    }
    if (j > m && !back.eliminate(j, rows.link(j).reversed(), rows, outcome)) return outcome;
    front.meet(m, back, rows, outcome);
    return outcome;
  }

 private:
  /// One end: the row that is next, with what the row behind it has given.
  struct End {
    Matrix<S, B> block, loss;        ///< its pivot is block - loss + what it gets from ahead
    Vector<S, B> right, right_loss;  ///< the same of the right-hand side

    [[gnu::always_inline]] void receive(const ChainLink<S, B>& link) {
      block = link.here;
      right = link.right;
      loss.setConstant(S(0));
      right_loss.setConstant(S(0));
    }
    void receive_nothing() {
      block.setConstant(S(0));
      right.setConstant(S(0));
      loss.setConstant(S(0));
      right_loss.setConstant(S(0));
    }
    /// Eliminates row k and goes to its neighbour towards the middle; `link` joins row k, as `before`, to that one.
    template <class Rows>
    [[gnu::always_inline]] bool eliminate(Eigen::Index k, const ChainLink<S, B>& link, Rows&& rows,
                                          FactorOutcome& outcome) {
      Matrix<S, B> minuend, pivot;
      Vector<S, B> reduced;
      for (int i = 0; i < B; ++i) {
        for (int j = 0; j <= i; ++j) {
          minuend(i, j) = block(i, j) + link.before(i, j);
          pivot(i, j) = minuend(i, j) - loss(i, j);
        }
        reduced(i) = (right(i) + link.right_before(i)) - right_loss(i);
      }
      PivotInverse<S, B> inverse;
      if (!inverse.invert(pivot, minuend, k, outcome)) return false;
      // E adj(D), and E adj(D) E^T before the division by det D: the two need not wait for it.
      Matrix<S, B> product, multiplier;
      for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j) {
          S sum = link.cross(i, 0) * inverse.adjugate(0, j);
          for (int l = 1; l < B; ++l) sum += link.cross(i, l) * inverse.adjugate(l, j);
          product(i, j) = sum;
          multiplier(i, j) = sum * inverse.reciprocal;
        }
      for (int i = 0; i < B; ++i) {
        for (int j = 0; j <= i; ++j) {
          S sum = product(i, 0) * link.cross(j, 0);
          for (int l = 1; l < B; ++l) sum += product(i, l) * link.cross(j, l);
          loss(i, j) = sum * inverse.reciprocal;
        }
        S sum = multiplier(i, 0) * reduced(0);
        for (int l = 1; l < B; ++l) sum += multiplier(i, l) * reduced(l);
        right_loss(i) = sum;
      }
      block = link.here;
      right = link.right;
      rows.eliminated(k, inverse, multiplier, reduced);
      return true;
    }
    /// The last row, which both ends have reached.
    template <class Rows>
    void meet(Eigen::Index m, const End& other, Rows&& rows, FactorOutcome& outcome) {
      Matrix<S, B> minuend, pivot;
      Vector<S, B> reduced;
      for (int i = 0; i < B; ++i) {
        for (int j = 0; j <= i; ++j) {
          minuend(i, j) = block(i, j) + other.block(i, j);
          pivot(i, j) = (minuend(i, j) - loss(i, j)) - other.loss(i, j);
        }
        reduced(i) = ((right(i) + other.right(i)) - right_loss(i)) - other.right_loss(i);
      }
      PivotInverse<S, B> inverse;
      if (!inverse.invert(pivot, minuend, m, outcome)) return;
      rows.eliminated(m, inverse, Matrix<S, B>(Matrix<S, B>::Constant(S(0))), reduced);
    }
  };
};

}  // namespace livi
