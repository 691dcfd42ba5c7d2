// SPDX-License-Identifier: MIT
//
// Solvers of (M + c H) a = b, chosen by the structure of H. This is the one linear system of a linearly implicit step
// (TO14 (3), (16), (18), (19)) and of a Newton iteration on an implicit one (TO14 (12), (14)). No inverse is formed;
// nothing is allocated after the first factorisation of a kind.
//
// Near a pole of the method M + c H is singular, or indefinite with small pivots. Whatever the structure, a solve then
// either has a residual of rounding size or is reported as singular, and negative eigenvalues are counted. Each
// structure has one algorithm for matrices that are clearly positive definite, and another for all others. Entries are
// sums m + c h, which may cancel: pivots are therefore compared with the size of these terms, not with the sums.
//
//   structure          factor        solve     by
//   dense              n^3/3         2 n^2     L D L^T, Gaussian elimination if indefinite (symmetric_factor.hpp)
//   diagonal           n             n
//   block-diagonal     (n/B) B^3/3   2 n B     each block as dense
//   triangles          O(n)          O(n)      3 x 3 matrices of Woodbury's formula, one pair per triangle
//   block-tridiagonal  O(n B^2)      6 n B     block L D L^T (chain_elimination.hpp), symmetric_band_elimination.hpp
//   cyclic tridiagonal 6 n           8 n       scalar L D L^T from both ends, and a border (cyclic_tridiagonal.hpp)
#pragma once

#include <livi/linalg/chain_elimination.hpp>
#include <livi/linalg/hessian.hpp>
#include <livi/linalg/mass.hpp>
#include <livi/linalg/symmetric_band_elimination.hpp>

namespace livi {

template <class Hessian>
class ShiftedSolver;

/// Adds the outcome of one of several independent parts of a matrix, `part`, to that of the parts before. Returns false
/// if the matrix is singular.
inline bool add_part(FactorOutcome& outcome, const FactorOutcome& of_part, int part) {
  if (of_part.singular) {
    outcome = {.singular = true, .indefinite = outcome.indefinite, .pivot = part};
    return false;
  }
  if (of_part.indefinite && !outcome.indefinite) {
    outcome.indefinite = true;
    outcome.pivot = part;
  }
  outcome.negative += of_part.negative;
  return true;
}

template <class S, int N>
class ShiftedSolver<DenseHessian<S, N>> {
 public:
  template <class Mass>
  FactorOutcome factor(const Mass& mass, const S& c, const DenseHessian<S, N>& hessian) {
    const int n = N == Dynamic ? static_cast<int>(hessian.size()) : N;
    if constexpr (N == Dynamic) matrix_.resize(n, n);
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i) {
        matrix_(i, j) = c * hessian.matrix(i, j);
        if constexpr (Mass::is_diagonal) {
          if (i == j) matrix_(i, j) += mass.diagonal(i);
        } else {
          matrix_(i, j) += mass.matrix()(i, j);
        }
      }
    return factor_.factor(matrix_, [&](int j) { return RealOf<S>(leading(mass.diagonal(j))); });
  }
  void solve_in_place(Vector<S, N>& b) const { factor_.solve_in_place(b); }

 private:
  Matrix<S, N> matrix_;
  SymmetricFactor<S, N> factor_;
};

template <class S, int N>
class ShiftedSolver<DiagonalHessian<S, N>> {
 public:
  template <class Mass>
  requires Mass::is_diagonal FactorOutcome factor(const Mass& mass, const S& c, const DiagonalHessian<S, N>& hessian) {
    const Eigen::Index n = hessian.size();
    if constexpr (N == Dynamic) diagonal_.resize(n);
    const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
    const RealOf<S> safely = RealOf<S>(4) * ScalarTraits<S>::epsilon(), least = least_pivot<S>();
    // Positive pivots are counted, instead of stopping at the first that is not, so that the loop has no branches.
    Eigen::Index positive = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      diagonal_(i) = mass.diagonal(i) + c * hessian.diagonal(i);
      positive += safely * leading(mass.diagonal(i)) + least < leading(diagonal_(i)) ? 1 : 0;
    }
    return positive == n ? FactorOutcome{} : outcome_of(mass);
  }
  void solve_in_place(Vector<S, N>& b) const { b = b.cwiseQuotient(diagonal_); }

 private:
  template <class Mass>
  [[gnu::noinline, gnu::cold]] FactorOutcome outcome_of(const Mass& mass) const {
    const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
    FactorOutcome outcome;
    for (Eigen::Index i = 0; i < diagonal_.size(); ++i) {
      const RealOf<S> size = absolute_leading(diagonal_(i));
      const bool negative = leading(diagonal_(i)) < RealOf<S>(0);
      // |m| + |c h| is at most size + 2 m.
      const RealOf<S> roundoff =
          ScalarTraits<S>::epsilon() * (size + RealOf<S>(2) * leading(mass.diagonal(i))) + least_pivot<S>();
      const FactorOutcome of_one{.singular = !(roundoff < size), .indefinite = negative, .negative = negative ? 1 : 0};
      if (!add_part(outcome, of_one, static_cast<int>(i))) break;
    }
    return outcome;
  }

  Vector<S, N> diagonal_;
};

template <class S, int B>
class ShiftedSolver<BlockDiagonalHessian<S, B>> {
 public:
  template <class Mass>
  requires Mass::is_diagonal FactorOutcome factor(const Mass& mass, const S& c,
                                                  const BlockDiagonalHessian<S, B>& hessian) {
    factors_.resize(hessian.blocks.size());
    FactorOutcome outcome;
    for (std::size_t k = 0; k < factors_.size(); ++k) {
      Matrix<S, B> block = c * hessian.blocks[k];
      for (int i = 0; i < B; ++i) block(i, i) += mass.diagonal(static_cast<Eigen::Index>(k) * B + i);
      const auto mass_of = [&](int i) {
        return RealOf<S>(leading(mass.diagonal(static_cast<Eigen::Index>(k) * B + i)));
      };
      if (factors_[k].factor_clearly_definite(block, mass_of)) [[likely]]
        continue;
      if (!add_part(outcome, factors_[k].factor_any(block, mass_of), static_cast<int>(k))) return outcome;
    }
    return outcome;
  }
  void solve_in_place(Vector<S, Dynamic>& b) const {
    for (std::size_t k = 0; k < factors_.size(); ++k)
      factors_[k].solve_in_place(b.template segment<B>(static_cast<Eigen::Index>(k) * B));
  }

 private:
  std::vector<SymmetricFactor<S, B>> factors_;
};

template <class S, int B>
class ShiftedSolver<BlockTridiagonalHessian<S, B>> {
 public:
  template <class Mass>
  requires Mass::is_diagonal FactorOutcome factor(const Mass& mass, const S& c,
                                                  const BlockTridiagonalHessian<S, B>& hessian) {
    const std::size_t n = hessian.diagonal.size();
    inverses_.resize(n);
    multipliers_.resize(n);
    const Rows<Mass> rows{mass, c, hessian, inverses_.data(), multipliers_.data()};
    const auto refused = ChainElimination<S, B>::eliminate(static_cast<Eigen::Index>(n), rows, mass.largest());
    positive_definite_ = !refused;
    return refused ? factor_general(mass, c, hessian, *refused) : FactorOutcome{};
  }
  void solve_in_place(Vector<S, Dynamic>& b) const {
    if (!positive_definite_) {
      general_.solve_in_place(b);
      return;
    }
    const auto n = static_cast<Eigen::Index>(inverses_.size()), m = ChainElimination<S, B>::middle(n);
    if (n == 0) return;
    for (Eigen::Index k = 0; k < m; ++k) reduce(b, k + 1, k);
    for (Eigen::Index k = n - 1; k > m; --k) reduce(b, k - 1, k);
    divide(b, m);
    for (Eigen::Index k = m; k-- > 0;) substitute(b, k, k + 1);
    for (Eigen::Index k = m + 1; k < n; ++k) substitute(b, k, k - 1);
  }

 private:
  template <class Mass>
  struct Rows {
    const Mass& mass;
    const S& c;
    const BlockTridiagonalHessian<S, B>& hessian;
    Matrix<S, B>*inverses, *multipliers;

    void prepare(Eigen::Index) const {}
    [[nodiscard]] ChainLink<S, B> first_link() const {
      return terms<S>([](const auto& of_link) { return of_link(0); });
    }
    template <class At>
    [[nodiscard]] ChainLink<typename At::number, B> link(const At& at) const {
      return terms<typename At::number>([&](const auto& of_link) { return at.at_link(of_link); });
    }
    template <class At, class T>
    void eliminated(const At& at, const PivotInverse<T, B>& inverse, const Matrix<T, B>& multiplier,
                    const Vector<T, B>&) const {
      for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j) {
          at.set([&](Eigen::Index k, const S& entry) { inverses[k](i, j) = entry; },
                 inverse.adjugate(i, j) * inverse.reciprocal);
          at.set([&](Eigen::Index k, const S& entry) { multipliers[k](i, j) = entry; }, multiplier(i, j));
        }
    }
    void middle(Eigen::Index m, const PivotInverse<S, B>& inverse, const Vector<S, B>&) const {
      for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j) inverses[m](i, j) = inverse.adjugate(i, j) * inverse.reciprocal;
    }

   private:
    /// Returns the terms of link k; all of row k is given to it.
    template <class T, class Pick>
    [[nodiscard]] ChainLink<T, B> terms(const Pick& pick) const {
      ChainLink<T, B> link;
      link.lower.setConstant(T(0));
      link.right_lower.setConstant(T(0));
      link.right_upper.setConstant(T(0));
      for (int i = 0; i < B; ++i)
        for (int j = 0; j < B; ++j) {
          link.cross(i, j) =
              pick([&](Eigen::Index k) -> S { return c * hessian.lower[static_cast<std::size_t>(k)](i, j); });
          if (j > i) continue;
          link.upper(i, j) = pick([&](Eigen::Index k) -> S {
            const S entry = c * hessian.diagonal[static_cast<std::size_t>(k)](i, j);
            return i == j ? S(entry + mass.diagonal(k * B + i)) : entry;
          });
        }
      return link;
    }
  };

  template <class Mass>
  [[gnu::noinline, gnu::cold]] FactorOutcome factor_general(const Mass& mass, const S& c,
                                                            const BlockTridiagonalHessian<S, B>& hessian,
                                                            Eigen::Index refused) {
    return general_.factor(
        static_cast<Eigen::Index>(inverses_.size()), refused, mass,
        [&](Eigen::Index k, int i, int j) {
          const S entry = c * hessian.diagonal[static_cast<std::size_t>(k)](i, j);
          return i == j ? S(entry + mass.diagonal(k * B + i)) : entry;
        },
        [&](Eigen::Index k, int i, int j) { return S(c * hessian.lower[static_cast<std::size_t>(k)](i, j)); });
  }

  /// Subtracts L_k b_k from b_next.
  void reduce(Vector<S, Dynamic>& b, Eigen::Index next, Eigen::Index k) const {
    const Matrix<S, B>& multiplier = multipliers_[static_cast<std::size_t>(k)];
    for (int i = 0; i < B; ++i)
      for (int j = 0; j < B; ++j) b(next * B + i) -= multiplier(i, j) * b(k * B + j);
  }
  /// Replaces b_k by D_k^-1 b_k.
  void divide(Vector<S, Dynamic>& b, Eigen::Index k) const {
    const Matrix<S, B>& inverse = inverses_[static_cast<std::size_t>(k)];
    Vector<S, B> right;
    for (int i = 0; i < B; ++i) right(i) = b(k * B + i);
    for (int i = 0; i < B; ++i) {
      b(k * B + i) = inverse(i, 0) * right(0);
      for (int j = 1; j < B; ++j) b(k * B + i) += inverse(i, j) * right(j);
    }
  }
  /// Replaces b_k by D_k^-1 b_k - L_k^T b_next.
  void substitute(Vector<S, Dynamic>& b, Eigen::Index k, Eigen::Index next) const {
    const Matrix<S, B>& multiplier = multipliers_[static_cast<std::size_t>(k)];
    divide(b, k);
    for (int i = 0; i < B; ++i)
      for (int j = 0; j < B; ++j) b(k * B + i) -= multiplier(j, i) * b(next * B + j);
  }

  std::vector<Matrix<S, B>> inverses_, multipliers_;
  bool positive_definite_ = true;
  IndefiniteChain<S, B> general_;
};

/// The solver for independent triangles. With A = diag(m) + c sum_k tension_k e_k e_k^T (3 x 3, m the masses of the
/// particles), J the 3 x 9 matrix with rows e_k^T (x) d_k^T and D = c diag(stiffness), a block of M + c H is
/// A (x) I + J^T D J. By Woodbury's formula
///   (A (x) I + J^T D J)^-1 b = y - (A^-1 (x) I) J^T D z,  y = (A^-1 (x) I) b,  (I + W D) z = J y,
///   W_kl = (e_k . A^-1 e_l) (d_k . d_l) = (J (A^-1 (x) I) J^T)_kl.
/// Where A is not positive definite, the 9 x 9 block is factorised as a dense matrix, which tells whether it is
/// indefinite.
template <class S>
class ShiftedSolver<TriangleHessian<S>> {
 public:
  template <class Mass>
  requires Mass::is_diagonal FactorOutcome factor(const Mass& mass, const S& c, const TriangleHessian<S>& hessian) {
    factors_.resize(hessian.triangles.size());
    FactorOutcome outcome;
    for (std::size_t a = 0; a < factors_.size(); ++a) {
      Vector<S, 3> masses;
      for (int i = 0; i < 3; ++i) masses(i) = mass.diagonal(9 * static_cast<Eigen::Index>(a) + 3 * i);
      const FactorOutcome of_block = factors_[a].factor_any(masses, c, hessian.triangles[a]);
      if (!add_part(outcome, of_block, static_cast<int>(a))) return outcome;
    }
    return outcome;
  }
  void solve_in_place(Vector<S, Dynamic>& b) const {
    for (std::size_t a = 0; a < factors_.size(); ++a)
      factors_[a].solve_in_place(b.template segment<9>(9 * static_cast<Eigen::Index>(a)));
  }
  /// Solves for one triangle alone: b becomes the solution unless the outcome is singular.
  static FactorOutcome solve_one(const Vector<S, 3>& masses, const S& c,
                                 const typename TriangleHessian<S>::Triangle& triangle, Vector<S, 9>& b) {
    Factor factor;
    const FactorOutcome outcome = factor.factor_any(masses, c, triangle);
    if (!outcome.singular) factor.solve_in_place(b.template segment<9>(0));
    return outcome;
  }

 private:
  using Sides = TriangleHessian<S>;
  struct Factor {
    Matrix<S, 3> sides;
    Matrix<S, 3> inverse;         ///< A^-1
    Matrix<S, 3> middle;          ///< D (I + W D)^-1
    SymmetricFactor<S, 9> dense;  ///< only where `is_dense`
    bool is_dense = false;

    FactorOutcome factor_any(const Vector<S, 3>& masses, const S& c, const typename Sides::Triangle& t) {
      if (factor(masses, c, t)) return {};
      Matrix<S, 9> block = c * TriangleHessian<S>::block(t);
      for (int i = 0; i < 9; ++i) block(i, i) += masses(i / 3);
      is_dense = true;
      return dense.factor(block, [&](int i) { return RealOf<S>(leading(masses(i / 3))); });
    }
    /// Factorises one triangle by Woodbury's formula. Returns false unless A is clearly positive definite, D is not
    /// negative, and the inverses of A and I + W D can be relied on. The criterion for the latter: the product of the
    /// parts of their determinants, divided by the largest entry of I + W D (which says how much stiffer than heavy the
    /// triangle is), is above the least part of one.
    bool factor(const Vector<S, 3>& masses, const S& c, const typename Sides::Triangle& t) {
      is_dense = false;
      sides = t.sides;
      Matrix<S, 3> a = Matrix<S, 3>::Constant(S(0));
      for (int i = 0; i < 3; ++i) a(i, i) = masses(i);
      for (int k = 0; k < 3; ++k) {
        const int i = Sides::side_end[k], j = Sides::side_start[k];
        const S tension = c * t.tension(k);
        a(i, i) += tension;
        a(j, j) += tension;
        a(i, j) -= tension;
        a(j, i) -= tension;
      }
      using Real = RealOf<S>;
      const OrderAssumed<S> all_that_are_not_zero(OrderReason::pivots);
      const Real least = least_part_of_determinant<S>();
      const S minor = a(0, 0) * a(1, 1) - a(1, 0) * a(1, 0);
      for (int i = 0; i < 3; ++i)
        if (!(least * leading(masses(i)) + least_entry_of_pivot<S>() < leading(a(i, i))) ||
            !(Real(0) <= leading(c) * leading(t.stiffness(i))))
          return false;
      if (!(least * leading(a(0, 0)) * leading(a(1, 1)) < leading(minor))) return false;
      const Real part_of_a = invert(a, inverse);
      if (!(Real(0) < leading(inverse(2, 2)))) return false;
      Matrix<S, 3> k_matrix;
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
          const int i = Sides::side_end[k], j = Sides::side_start[k], m = Sides::side_end[l], n = Sides::side_start[l];
          S product(0);
          for (int x = 0; x < 3; ++x) product += sides(x, k) * sides(x, l);
          const S w = (inverse(i, m) - inverse(i, n) - inverse(j, m) + inverse(j, n)) * product;
          k_matrix(k, l) = w * c * t.stiffness(l) + S(k == l ? 1 : 0);
        }
      Real stiffest(1);
      for (int k = 0; k < 3; ++k) stiffest = larger(stiffest, Real(leading(k_matrix(k, k))));
      if (!(least * stiffest < part_of_a * invert(k_matrix, middle))) return false;
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) middle(k, l) *= c * t.stiffness(k);
      return true;
    }
    template <class V>
    void solve_in_place(V b) const {
      if (is_dense) {
        dense.solve_in_place(b);
        return;
      }
      Matrix<S, 3> y;  // column i: particle i
      for (int x = 0; x < 3; ++x)
        for (int i = 0; i < 3; ++i)
          y(x, i) = inverse(i, 0) * b(x) + inverse(i, 1) * b(3 + x) + inverse(i, 2) * b(6 + x);
      Vector<S, 3> along;
      for (int k = 0; k < 3; ++k) {
        along(k) = S(0);
        for (int x = 0; x < 3; ++x) along(k) += sides(x, k) * (y(x, Sides::side_end[k]) - y(x, Sides::side_start[k]));
      }
      Matrix<S, 3> pull = Matrix<S, 3>::Constant(S(0));  // J^T D z, particle by particle
      for (int k = 0; k < 3; ++k) {
        const S z = middle(k, 0) * along(0) + middle(k, 1) * along(1) + middle(k, 2) * along(2);
        for (int x = 0; x < 3; ++x) {
          pull(x, Sides::side_end[k]) += z * sides(x, k);
          pull(x, Sides::side_start[k]) -= z * sides(x, k);
        }
      }
      for (int x = 0; x < 3; ++x)
        for (int i = 0; i < 3; ++i)
          b(3 * i + x) =
              y(x, i) - (inverse(i, 0) * pull(x, 0) + inverse(i, 1) * pull(x, 1) + inverse(i, 2) * pull(x, 2));
    }

    /// Sets out = m^-1 by cofactors. Returns the determinant as a part of the product of the rows' sizes; 0 if it is
    /// zero, has no reciprocal or is not a number.
    static RealOf<S> invert(const Matrix<S, 3>& m, Matrix<S, 3>& out) {
      using Real = RealOf<S>;
      Real size(1);
      for (int i = 0; i < 3; ++i) {
        Real row(0);
        for (int j = 0; j < 3; ++j) {
          const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
          out(j, i) = m(i1, j1) * m(i2, j2) - m(i1, j2) * m(i2, j1);
          const Real entry = leading(m(i, j));
          row += entry < Real(0) ? Real(-entry) : entry;
        }
        size *= row;
      }
      const S determinant = m(0, 0) * out(0, 0) + m(0, 1) * out(1, 0) + m(0, 2) * out(2, 0);
      const Real d = leading(determinant);
      const Real d_size = d < Real(0) ? Real(-d) : d;
      if (!(least_pivot<S>() < d_size)) return Real(0);
      const S reciprocal = S(1) / determinant;
      if (!is_reciprocal(reciprocal)) return Real(0);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out(i, j) *= reciprocal;
      return d_size / size;
    }
  };

  std::vector<Factor> factors_;
};

}  // namespace livi
