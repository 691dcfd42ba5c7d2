// SPDX-License-Identifier: MIT
//
// Factorisations and the solvers of (M + c H) a = b for every Hessian structure: exact in rationals, where
// "indefinite", "singular" and the pivot are theorems about leading minors and ranks; in double against the exact
// solution.
#include <gtest/gtest.h>

#include <algorithm>
#include <livi/linalg/cyclic_tridiagonal.hpp>
#include <livi/linalg/shifted_solver.hpp>
#include <livi/linalg/tridiagonal_elimination.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/scalar/residue.hpp>
#include <random>

#include "fixed_seed.hpp"

namespace {

using livi::BlockDiagonalHessian;
using livi::BlockTridiagonalHessian;
using livi::DenseHessian;
using livi::DiagonalHessian;
using livi::DiagonalMass;
using livi::Dual;
using livi::Dynamic;
using livi::FactorOutcome;
using livi::FullMass;
using livi::GaussianElimination;
using livi::Matrix;
using livi::Rational;
using livi::ScalarMass;
using livi::ShiftedSolver;
using livi::SymmetricFactor;
using livi::Vector;

using Q = Rational;
using Exact = Matrix<Q, Dynamic>;
using ExactVector = Vector<Q, Dynamic>;

// --- linear algebra by definition, for comparison -------------------------------------------------------------------

/// Row echelon form of [a | b] by exact elimination; returns the rank of a.
Eigen::Index eliminate(Exact& a, Exact& b) {
  Eigen::Index rank = 0;
  for (Eigen::Index column = 0; column < a.cols() && rank < a.rows(); ++column) {
    Eigen::Index pivot = rank;
    while (pivot < a.rows() && a(pivot, column) == 0) ++pivot;
    if (pivot == a.rows()) continue;
    a.row(rank).swap(a.row(pivot));
    b.row(rank).swap(b.row(pivot));
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      if (i == rank || a(i, column) == 0) continue;
      const Q factor = a(i, column) / a(rank, column);
      for (Eigen::Index j = 0; j < a.cols(); ++j) a(i, j) -= factor * a(rank, j);
      for (Eigen::Index j = 0; j < b.cols(); ++j) b(i, j) -= factor * b(rank, j);
    }
    ++rank;
  }
  return rank;
}

Eigen::Index rank_of(Exact a) {
  Exact nothing(a.rows(), 0);
  return eliminate(a, nothing);
}

/// Laplace expansion along the first row.
Q determinant(const Exact& a) {
  const Eigen::Index n = a.rows();
  if (n == 0) return 1;
  Q sum = 0;
  for (Eigen::Index j = 0; j < n; ++j) {
    if (a(0, j) == 0) continue;
    Exact minor(n - 1, n - 1);
    for (Eigen::Index i = 1; i < n; ++i)
      for (Eigen::Index k = 0, at = 0; k < n; ++k)
        if (k != j) minor(i - 1, at++) = a(i, k);
    sum += (j % 2 == 0 ? Q(1) : Q(-1)) * a(0, j) * determinant(minor);
  }
  return sum;
}

/// A^-1, for regular A.
Exact inverse(Exact a) {
  const Eigen::Index n = a.rows();
  Exact b = Exact::Constant(n, n, Q(0));
  for (Eigen::Index i = 0; i < n; ++i) b(i, i) = 1;
  eliminate(a, b);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) b(i, j) /= a(i, i);
  return b;
}

Q norm(const Exact& a) {
  Q largest = 0;
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    Q sum = 0;
    for (Eigen::Index j = 0; j < a.cols(); ++j) sum += abs(a(i, j));
    largest = std::max(largest, sum);
  }
  return largest;
}

ExactVector product(const Exact& a, const ExactVector& x) {
  ExactVector y(a.rows());
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    y(i) = 0;
    for (Eigen::Index j = 0; j < a.cols(); ++j) y(i) += a(i, j) * x(j);
  }
  return y;
}

/// Index of the first leading minor that is not positive; n if the matrix is positive definite (Sylvester).
int first_bad_minor(const Exact& a) {
  for (Eigen::Index k = 0; k < a.rows(); ++k)
    if (determinant(a.topLeftCorner(k + 1, k + 1)) <= 0) return static_cast<int>(k);
  return static_cast<int>(a.rows());
}

/// Negative eigenvalues of a symmetric matrix: its characteristic polynomial (Faddeev and Le Verrier) has real roots
/// only, so det(a + x I) has as many positive roots as its coefficients change sign (Descartes).
int negative_eigenvalues(const Exact& a) {
  const Eigen::Index n = a.rows();
  Exact power = Exact::Constant(n, n, Q(0));
  Q coefficient = 1;  // of x^n, x^(n-1), ... in det(x I - b), b = -a
  int changes = 0;
  bool sign = false;
  for (Eigen::Index k = 1; k <= n; ++k) {
    for (Eigen::Index i = 0; i < n; ++i) power(i, i) += coefficient;
    power = Exact(-a * power);
    coefficient = -power.trace() / Q(static_cast<int>(k));
    if (coefficient != 0 && (coefficient < 0) != sign) {
      sign = !sign;
      ++changes;
    }
  }
  return changes;
}

// --- random problems ------------------------------------------------------------------------------------------------

int small_integer() { return *rc::gen::inRange(-9, 10); }

/// A number that no solver may read: it fills upper triangles.
constexpr int never_read = 7777;

/// A random Hessian of each structure with integer entries, and the same as a dense matrix.
template <class S, int N>
Exact fill(DenseHessian<S, N>& h) {
  const Eigen::Index n = h.size();
  Exact dense(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const int entry = small_integer();
      dense(i, j) = dense(j, i) = entry;
      h.matrix(j, i) = S(never_read);
      h.matrix(i, j) = S(entry);
    }
  return dense;
}
template <class S, int N>
Exact fill(DiagonalHessian<S, N>& h) {
  Exact dense = Exact::Constant(h.size(), h.size(), Q(0));
  for (Eigen::Index i = 0; i < h.size(); ++i) {
    const int entry = small_integer();
    dense(i, i) = entry;
    h.diagonal(i) = S(entry);
  }
  return dense;
}
template <class S, int B>
void fill_symmetric(Matrix<S, B>& block, Exact& dense, Eigen::Index at) {
  for (int i = 0; i < B; ++i)
    for (int j = 0; j <= i; ++j) {
      const int entry = small_integer();
      dense(at + i, at + j) = dense(at + j, at + i) = entry;
      block(j, i) = S(never_read);
      block(i, j) = S(entry);
    }
}
template <class S, int B>
Exact fill(BlockDiagonalHessian<S, B>& h) {
  Exact dense = Exact::Constant(h.size(), h.size(), Q(0));
  for (std::size_t k = 0; k < h.blocks.size(); ++k)
    fill_symmetric<S, B>(h.blocks[k], dense, static_cast<Eigen::Index>(k) * B);
  return dense;
}
template <class S, int B>
Exact fill(BlockTridiagonalHessian<S, B>& h) {
  Exact dense = Exact::Constant(h.size(), h.size(), Q(0));
  for (std::size_t k = 0; k < h.diagonal.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k) * B;
    fill_symmetric<S, B>(h.diagonal[k], dense, at);
    if (k == 0) continue;
    for (int i = 0; i < B; ++i)
      for (int j = 0; j < B; ++j) {
        const int entry = small_integer();
        dense(at + i, at - B + j) = dense(at - B + j, at + i) = entry;
        h.lower[k](i, j) = S(entry);
      }
  }
  return dense;
}

template <class Mass>
struct RandomMass;
template <class S, int N>
struct RandomMass<ScalarMass<S, N>> {
  static std::pair<ScalarMass<S, N>, Exact> make(Eigen::Index n) {
    const int m = *rc::gen::inRange(1, 9);
    Exact dense = Exact::Constant(n, n, Q(0));
    for (Eigen::Index i = 0; i < n; ++i) dense(i, i) = m;
    return {ScalarMass<S, N>(S(m), n), dense};
  }
};
template <class S, int N>
struct RandomMass<DiagonalMass<S, N>> {
  static std::pair<DiagonalMass<S, N>, Exact> make(Eigen::Index n) {
    Exact dense = Exact::Constant(n, n, Q(0));
    Vector<S, N> m(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const int entry = *rc::gen::inRange(1, 9);
      dense(i, i) = entry;
      m(i) = S(entry);
    }
    return {DiagonalMass<S, N>(m), dense};
  }
};
template <class S, int N>
struct RandomMass<FullMass<S, N>> {
  static std::pair<FullMass<S, N>, Exact> make(Eigen::Index n) {
    Exact dense = Exact::Constant(n, n, Q(0));  // diagonally dominant
    Matrix<S, N> m(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < i; ++j) dense(i, j) = dense(j, i) = *rc::gen::inRange(-3, 4);
    for (Eigen::Index i = 0; i < n; ++i) {
      Q sum = *rc::gen::inRange(1, 9);
      for (Eigen::Index j = 0; j < n; ++j) sum += abs(dense(i, j));
      dense(i, i) = sum;
      for (Eigen::Index j = 0; j <= i; ++j) m(i, j) = m(j, i) = S(dense(i, j).template convert_to<int>());
    }
    return {FullMass<S, N>(m), dense};
  }
};

template <class Hessian>
constexpr int block_of = 1;
template <class S, int B>
constexpr int block_of<BlockDiagonalHessian<S, B>> = B;
template <class S, int B>
constexpr int block_of<BlockTridiagonalHessian<S, B>> = B;

/// Size of a random problem: the fixed one, or up to six degrees of freedom in whole blocks.
template <class Hessian>
Eigen::Index random_size() {
  if constexpr (Hessian::dimension != Dynamic) return Hessian::dimension;
  constexpr int b = block_of<Hessian>;
  return b * *rc::gen::inRange(1, 6 / b + 1);
}

template <class S, int N>
constexpr bool is_dense(const DenseHessian<S, N>*) {
  return true;
}
constexpr bool is_dense(const void*) { return false; }

template <class S, int B>
constexpr bool is_chain(const BlockTridiagonalHessian<S, B>*) {
  return true;
}
constexpr bool is_chain(const void*) { return false; }

/// Rows of blocks are eliminated in pairs from both ends to the middle one: the first row to be refused belongs to a
/// leading (or, from the end, trailing) block that is not positive definite. -1 if there is none.
int first_refused_from_both_ends(const Exact& a, Eigen::Index b) {
  const Eigen::Index n = a.rows() / b, m = n / 2;
  const auto is_definite = [](const Exact& block) { return first_bad_minor(block) == block.rows(); };
  for (Eigen::Index k = 0; k < m; ++k) {
    if (!is_definite(a.topLeftCorner((k + 1) * b, (k + 1) * b))) return static_cast<int>(k);
    if (n - 1 - k > m && !is_definite(a.bottomRightCorner((k + 1) * b, (k + 1) * b)))
      return static_cast<int>(n - 1 - k);
  }
  return is_definite(a) ? -1 : static_cast<int>(m);
}

/// In rationals: flags and pivots are what minors and ranks say, and the solution solves.
template <class Hessian, class Mass>
void check_exactly() {
  constexpr int b = block_of<Hessian>;
  const Eigen::Index n = random_size<Hessian>();
  Hessian h(n);
  const Exact dense_h = fill(h);
  const auto [mass, dense_mass] = RandomMass<Mass>::make(n);
  const Q c = livi::ratio<Q>(*rc::gen::inRange(-4, 5), *rc::gen::inRange(1, 5));
  const Exact a = dense_mass + c * dense_h;

  // multiply() reads the same matrix.
  typename Hessian::vector_type x(n), image(n);
  for (Eigen::Index i = 0; i < n; ++i) x(i) = small_integer();
  h.multiply(x, image);
  RC_ASSERT(ExactVector(image) == product(dense_h, x));

  ShiftedSolver<Hessian> solver;
  const FactorOutcome outcome = solver.factor(mass, c, h);
  const int bad = first_bad_minor(a);
  if constexpr (is_dense(static_cast<Hessian*>(nullptr))) {
    RC_ASSERT(outcome.singular == (rank_of(a) < n));
    RC_ASSERT(outcome.indefinite == (bad < n));
    if (outcome.singular) {
      const Eigen::Index k = outcome.pivot;
      RC_ASSERT(rank_of(a.leftCols(k + 1)) == k && rank_of(a.leftCols(k)) == k);
    } else if (outcome.indefinite) {
      RC_ASSERT(outcome.pivot == bad);
    }
  } else if constexpr (is_chain(static_cast<Hessian*>(nullptr))) {
    RC_ASSERT(outcome.singular == (rank_of(a) < n));
    if (outcome.singular) {
      RC_ASSERT(0 <= outcome.pivot && outcome.pivot < n / b);
    } else {
      RC_ASSERT(outcome.indefinite == (bad < n));
      RC_ASSERT(outcome.pivot == first_refused_from_both_ends(a, b));
    }
  } else {
    // Blocks are eliminated in order: singular at the first leading block whose determinant vanishes.
    Eigen::Index k = 0;
    while (k < n / b && determinant(a.topLeftCorner((k + 1) * b, (k + 1) * b)) != 0) ++k;
    RC_ASSERT(outcome.singular == (k < n / b));
    if (outcome.singular) {
      RC_ASSERT(outcome.pivot == k);
    } else {
      RC_ASSERT(outcome.indefinite == (bad < n));
      if (outcome.indefinite) RC_ASSERT(outcome.pivot == bad / b);
    }
  }
  if (outcome.singular) return;
  if (!outcome.indefinite) RC_ASSERT(outcome.pivot == -1);
  RC_ASSERT(outcome.negative == negative_eigenvalues(a));
  const typename Hessian::vector_type right = x;
  solver.solve_in_place(x);
  RC_ASSERT(product(a, x) == ExactVector(right));
}

RC_GTEST_PROP(ExactSolver, dense_fixed_1, ()) { check_exactly<DenseHessian<Q, 1>, ScalarMass<Q, 1>>(); }
RC_GTEST_PROP(ExactSolver, dense_fixed_3_diagonal_mass, ()) { check_exactly<DenseHessian<Q, 3>, DiagonalMass<Q, 3>>(); }
RC_GTEST_PROP(ExactSolver, dense_fixed_2_full_mass, ()) { check_exactly<DenseHessian<Q, 2>, FullMass<Q, 2>>(); }
RC_GTEST_PROP(ExactSolver, dense_fixed_4_diagonal_mass, ()) { check_exactly<DenseHessian<Q, 4>, DiagonalMass<Q, 4>>(); }
RC_GTEST_PROP(ExactSolver, dense_dynamic_full_mass, ()) {
  check_exactly<DenseHessian<Q, Dynamic>, FullMass<Q, Dynamic>>();
}
RC_GTEST_PROP(ExactSolver, dense_dynamic_scalar_mass, ()) {
  check_exactly<DenseHessian<Q, Dynamic>, ScalarMass<Q, Dynamic>>();
}
RC_GTEST_PROP(ExactSolver, diagonal_fixed, ()) { check_exactly<DiagonalHessian<Q, 2>, ScalarMass<Q, 2>>(); }
RC_GTEST_PROP(ExactSolver, diagonal_dynamic, ()) {
  check_exactly<DiagonalHessian<Q, Dynamic>, DiagonalMass<Q, Dynamic>>();
}
RC_GTEST_PROP(ExactSolver, block_diagonal_2, ()) {
  check_exactly<BlockDiagonalHessian<Q, 2>, DiagonalMass<Q, Dynamic>>();
}
RC_GTEST_PROP(ExactSolver, block_diagonal_3, ()) {
  check_exactly<BlockDiagonalHessian<Q, 3>, ScalarMass<Q, Dynamic>>();
}
RC_GTEST_PROP(ExactSolver, block_tridiagonal_1, ()) {
  check_exactly<BlockTridiagonalHessian<Q, 1>, DiagonalMass<Q, Dynamic>>();
}
RC_GTEST_PROP(ExactSolver, block_tridiagonal_2, ()) {
  check_exactly<BlockTridiagonalHessian<Q, 2>, DiagonalMass<Q, Dynamic>>();
}
RC_GTEST_PROP(ExactSolver, block_tridiagonal_3, ()) {
  check_exactly<BlockTridiagonalHessian<Q, 3>, ScalarMass<Q, Dynamic>>();
}

RC_GTEST_PROP(ExactSolver, gaussian_elimination_of_any_matrix, ()) {
  const Eigen::Index n = *rc::gen::inRange(1, 6);
  Exact a(n, n);
  ExactVector right(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    right(i) = small_integer();
    for (Eigen::Index j = 0; j < n; ++j) a(i, j) = small_integer();
  }
  GaussianElimination<Q, Dynamic> solver;
  const FactorOutcome outcome = solver.factor(a);
  RC_ASSERT(outcome.singular == (rank_of(a) < n));
  if (outcome.singular) {
    RC_ASSERT(rank_of(a.leftCols(outcome.pivot + 1)) == outcome.pivot);
    return;
  }
  ExactVector x = right;
  solver.solve_in_place(x);
  RC_ASSERT(product(a, x) == right);
}

/// In double, on the same integers: |x - x_exact| <= 1e-13 |A| |A^-1| |x_exact|. For n <= 6 an elimination with a
/// modest growth factor commits n^2 eps = 1e-14 of the bound; structures without pivoting between blocks get a positive
/// definite matrix, where growth is bounded.
template <class Hessian, class Mass>
void check_in_double(bool positive_definite) {
  const Eigen::Index n = random_size<Hessian>();
  Hessian h(n);
  const Exact dense_h = fill(h);
  const auto [mass, dense_mass] = RandomMass<Mass>::make(n);
  // Rows of h sum to 54 at most.
  const double c = 1.0 / (positive_definite ? *rc::gen::inRange(64, 200) : *rc::gen::inRange(1, 40));
  Exact a(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) a(i, j) = dense_mass(i, j) + Q(c) * dense_h(i, j);
  RC_PRE(rank_of(a) == n);
  const Exact a_inverse = inverse(a);
  // The condition of A as it is formed: its entries are rounded at the size of M and c H, of which it may be a small difference.
  const Q condition = (norm(dense_mass) + Q(c) * norm(dense_h)) * norm(a_inverse);
  RC_PRE(condition < 1000000);
  typename Hessian::vector_type x(n);
  ExactVector right(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int entry = small_integer();
    x(i) = entry;
    right(i) = entry;
  }
  ShiftedSolver<Hessian> solver;
  const FactorOutcome outcome = solver.factor(mass, c, h);
  RC_ASSERT(!outcome.singular);
  RC_ASSERT(outcome.indefinite == (first_bad_minor(a) < n));
  solver.solve_in_place(x);
  const ExactVector exact = product(a_inverse, right);
  Q error = 0, size = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    error = std::max<Q>(error, abs(Q(x(i)) - exact(i)));
    size = std::max<Q>(size, abs(exact(i)));
  }
  RC_ASSERT(livi::to_double(error) <= 1e-13 * livi::to_double(Q(condition * size)));
}

RC_GTEST_PROP(DoubleSolver, dense_fixed, ()) { check_in_double<DenseHessian<double, 3>, FullMass<double, 3>>(false); }
RC_GTEST_PROP(DoubleSolver, dense_fixed_in_pairs, ()) {
  check_in_double<DenseHessian<double, 4>, ScalarMass<double, 4>>(false);
}
RC_GTEST_PROP(DoubleSolver, dense_dynamic, ()) {
  check_in_double<DenseHessian<double, Dynamic>, DiagonalMass<double, Dynamic>>(false);
}
RC_GTEST_PROP(DoubleSolver, diagonal, ()) { check_in_double<DiagonalHessian<double, 2>, ScalarMass<double, 2>>(false); }
RC_GTEST_PROP(DoubleSolver, block_diagonal, ()) {
  check_in_double<BlockDiagonalHessian<double, 2>, ScalarMass<double, Dynamic>>(false);
}
RC_GTEST_PROP(DoubleSolver, block_tridiagonal, ()) {
  check_in_double<BlockTridiagonalHessian<double, 2>, DiagonalMass<double, Dynamic>>(true);
}

/// Block-tridiagonal matrices of any signs, whatever the condition of their leading blocks is.
template <int B>
void check_chain_in_double() {
  using Hessian = BlockTridiagonalHessian<double, B>;
  const Eigen::Index rows = *rc::gen::inRange(1, B == 1 ? 8 : 5), n = B * rows;
  Hessian h(n);
  const Exact dense_h = fill(h);
  const auto [mass, dense_mass] = RandomMass<DiagonalMass<double, Dynamic>>::make(n);
  const double c = 1.0 / *rc::gen::inRange(1, 40);
  Exact a(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) a(i, j) = dense_mass(i, j) + Q(c) * dense_h(i, j);
  // The size at which the entries of A are rounded when it is formed; A may be a small difference.
  const Q formed = norm(dense_mass) + Q(c) * norm(dense_h);
  RC_PRE(rank_of(a) == n);
  const Q bound = formed * norm(inverse(a));
  RC_PRE(bound < 1000000000);
  Vector<double, Dynamic> x(n);
  ExactVector right(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int entry = small_integer();
    x(i) = entry;
    right(i) = entry;
  }
  ShiftedSolver<Hessian> solver;
  const FactorOutcome outcome = solver.factor(mass, c, h);
  RC_ASSERT(!outcome.singular);
  RC_ASSERT(outcome.negative == negative_eigenvalues(a));
  RC_ASSERT(outcome.indefinite == (outcome.negative > 0));
  solver.solve_in_place(x);
  const ExactVector exact = product(inverse(a), right);
  Q error = 0, size = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    error = std::max<Q>(error, abs(Q(x(i)) - exact(i)));
    size = std::max<Q>(size, abs(exact(i)));
  }
  RC_ASSERT(livi::to_double(error) <= 1e-13 * livi::to_double(Q(bound * size)));
}
RC_GTEST_PROP(DoubleSolver, chains_of_any_sign_with_blocks_of_one, ()) { check_chain_in_double<1>(); }
RC_GTEST_PROP(DoubleSolver, chains_of_any_sign_with_blocks_of_two, ()) { check_chain_in_double<2>(); }
RC_GTEST_PROP(DoubleSolver, chains_of_any_sign_with_blocks_of_three, ()) { check_chain_in_double<3>(); }

// --- special matrices -----------------------------------------------------------------------------------------------

template <class S, int N>
FactorOutcome factor_and_solve(const Matrix<S, N>& a, Vector<S, N>& b) {
  SymmetricFactor<S, N> factor;
  const FactorOutcome outcome = factor.factor(a);
  if (!outcome.singular) factor.solve_in_place(b);
  return outcome;
}

TEST(SymmetricFactor, solves_an_indefinite_matrix_with_a_zero_leading_pivot) {
  Matrix<double, 2> a;
  a << 0, 2, 2, 0;
  Vector<double, 2> b(4, 6);
  const FactorOutcome outcome = factor_and_solve<double, 2>(a, b);
  EXPECT_TRUE(outcome.indefinite);
  EXPECT_FALSE(outcome.singular);
  EXPECT_EQ(outcome.pivot, 0);
  EXPECT_EQ(b, (Vector<double, 2>(3, 2)));
}

TEST(SymmetricFactor, flags_a_singular_matrix_at_roundoff_with_its_pivot) {
  const double eps = std::numeric_limits<double>::epsilon();
  for (const double scale : {1.0, 0x1p-600, 0x1p600}) {
    for (const double perturbation : {0.0, eps}) {
      Matrix<double, 3> a;
      a << 1, 1, 1, 1, 1 + perturbation, 1, 1, 1, 5;
      Vector<double, 3> b(1, 2, 3);
      const FactorOutcome outcome = factor_and_solve<double, 3>(scale * a, b);
      EXPECT_TRUE(outcome.singular) << scale;
      EXPECT_EQ(outcome.pivot, 1) << scale;
    }
  }
  // Even sizes take pivots of 2 x 2, whose determinants must not leave the range of double.
  for (const double scale : {1.0, 0x1p-500, 0x1p500}) {
    Matrix<double, 2> nearly;
    nearly << 1, 1, 1, 1 + 64 * eps;
    Vector<double, 2> b(1, 1);
    EXPECT_FALSE((factor_and_solve<double, 2>(scale * nearly, b).singular)) << scale;
    EXPECT_FALSE((factor_and_solve<double, 2>(scale * nearly, b).indefinite)) << scale;
  }
}

TEST(DiagonalSolver, flags_a_nan) {
  livi::ShiftedSolver<DiagonalHessian<double, 2>> solver;
  DiagonalHessian<double, 2> hessian(2);
  hessian.diagonal << 1, std::numeric_limits<double>::quiet_NaN();
  const FactorOutcome outcome = solver.factor(ScalarMass<double, 2>(1), 1.0, hessian);
  EXPECT_TRUE(outcome.singular);
  EXPECT_EQ(outcome.pivot, 1);
}

TEST(SymmetricFactor, flags_a_nan) {
  for (int entry = 0; entry < 3; ++entry) {
    Matrix<double, 2> a;
    a << 2, 0, 1, 3;
    (entry == 0 ? a(0, 0) : entry == 1 ? a(1, 0) : a(1, 1)) = std::numeric_limits<double>::quiet_NaN();
    Vector<double, 2> b(1, 1);
    EXPECT_TRUE((factor_and_solve<double, 2>(a, b).singular)) << entry;
  }
}

// A factorisation may follow one of the other kind.
TEST(SymmetricFactor, forgets_the_matrix_before) {
  Matrix<double, 2> definite, indefinite;
  definite << 2, 0, 1, 3;
  indefinite << 1, 0, 2, 1;
  SymmetricFactor<double, 2> factor;
  for (int round = 0; round < 2; ++round) {
    EXPECT_FALSE(factor.factor(definite).indefinite);
    Vector<double, 2> b(4, 7);
    factor.solve_in_place(b);
    EXPECT_NEAR(b(0), 1, 1e-15);
    EXPECT_NEAR(b(1), 2, 1e-15);
    EXPECT_TRUE(factor.factor(indefinite).indefinite);
    b << 5, 4;
    factor.solve_in_place(b);
    EXPECT_NEAR(b(0), 1, 1e-15);
    EXPECT_NEAR(b(1), 2, 1e-15);
  }
}

// Rows in other units are no sign of a singular matrix: as the solver of diagonal matrices says.
TEST(SymmetricFactor, eliminates_rows_of_very_different_sizes) {
  for (const double small : {1e-10, 1e-20, 1e-100}) {
    Matrix<double, 3> a;  // in the units (1, sqrt(small), 1): [[-1, 0, 1/2], [0, 1, 0], [1/2, 0, 1]]
    a << -1, 0, 0.5, 0, small, 0, 0.5, 0, 1;
    SymmetricFactor<double, 3> factor;
    const FactorOutcome outcome = factor.factor(a);
    EXPECT_FALSE(outcome.singular) << small;
    EXPECT_EQ(outcome.negative, 1) << small;
    Vector<double, 3> x(0.5, 3 * small, 4.5);
    factor.solve_in_place(x);
    EXPECT_NEAR(x(0), 1.4, 1e-14) << small;
    EXPECT_NEAR(x(1), 3, 1e-14) << small;
    EXPECT_NEAR(x(2), 3.8, 1e-14) << small;
    // What is left of a mass that has been cancelled is noise in any units.
    a(1, 1) = small * std::numeric_limits<double>::epsilon();
    EXPECT_TRUE(factor.factor(a, [&](int j) { return j == 1 ? small : 1.0; }).singular) << small;
    // No entry on the diagonal to take a unit from.
    a << 0, small, 0, small, 0, 0, 0, 0, 1;
    EXPECT_FALSE(factor.factor(a).singular) << small;
    EXPECT_EQ(factor.factor(a).negative, 1) << small;
  }
}

// Units may decide what is singular, not which pivots are taken: what is small in its units may be large beside others.
TEST(SymmetricFactor, leaves_small_residuals_of_entries_of_all_sizes) {
  std::mt19937_64 generator(20);
  std::uniform_int_distribution<int> exponent(-20, 20), mantissa(-1000, 1000), is_zero(0, 3);
  SymmetricFactor<double, 4> factor;
  int solved = 0;
  for (int k = 0; k < 20000; ++k) {
    Matrix<double, 4> a;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j <= i; ++j)
        a(i, j) = a(j, i) = is_zero(generator) == 0 ? 0 : std::ldexp(mantissa(generator), exponent(generator));
    if (factor.factor(a).singular) continue;
    ++solved;
    const Vector<double, 4> b(a * Vector<double, 4>(1, -2, 3, 0.5));
    Vector<double, 4> x = b;
    factor.solve_in_place(x);
    const double size = a.cwiseAbs().maxCoeff() * x.cwiseAbs().maxCoeff() + b.cwiseAbs().maxCoeff();
    EXPECT_LT((a * x - b).cwiseAbs().maxCoeff(), 100 * std::numeric_limits<double>::epsilon() * size) << k << "\n" << a;
  }
  EXPECT_GT(solved, 19000);
}

TEST(GaussianElimination, takes_the_largest_pivot) {
  Matrix<double, 2> a;  // without exchange: x = (0, 1)
  a << 1e-20, 1, 1, 1;
  Vector<double, 2> b(1, 2);
  GaussianElimination<double, 2> solver;
  EXPECT_FALSE(solver.factor(a).singular);
  solver.solve_in_place(b);
  EXPECT_NEAR(b(0), 1, 1e-15);
  EXPECT_NEAR(b(1), 1, 1e-15);
}

// Near a pole of the first row alone the matrix is as well conditioned as any.
TEST(BlockTridiagonal, solves_where_a_pivot_is_small_and_the_matrix_is_not_singular) {
  for (const double d : {1e-10, 1e-14, 2.2e-16, 0.0, -2.2e-16, -1e-10}) {
    BlockTridiagonalHessian<double, 1> h(2);  // M + h = [[d, 1], [1, 1]]
    h.diagonal[0](0, 0) = d - 1;
    h.lower[1](0, 0) = 1;
    ShiftedSolver<BlockTridiagonalHessian<double, 1>> solver;
    const FactorOutcome outcome = solver.factor(ScalarMass<double, Dynamic>(1.0, 2), 1.0, h);
    EXPECT_FALSE(outcome.singular) << d;
    EXPECT_TRUE(outcome.indefinite) << d;
    EXPECT_EQ(outcome.negative, 1) << d;
    Vector<double, Dynamic> x(2);
    x << 1, 2.1;
    solver.solve_in_place(x);
    // To O(d), and to a few roundings of entries of size 1.
    EXPECT_NEAR(x(0), 1.1, 2 * std::abs(d) + 1e-15) << d;
    EXPECT_NEAR(x(1), 1, 2 * std::abs(d) + 1e-15) << d;
  }
}

template <class Hessian, class Mass, class Set>
void expect_singular_at_a_pole(const Mass& mass, const Set& set) {
  const double eps = std::numeric_limits<double>::epsilon();
  for (const double left : {0.0, -eps, eps / 2, -eps / 2}) {
    Hessian h(mass.size());
    h.set_zero();
    set(h, left - 1);
    ShiftedSolver<Hessian> solver;
    EXPECT_TRUE(solver.factor(mass, 1.0, h).singular) << left;
  }
}
// 1 + c h is one rounding away from 0: that rounding has decided its sign, and its size is noise.
TEST(Poles, are_singular_in_every_structure) {
  const auto diagonal = [](auto& h, double x) { h.diagonal(0) = x; };
  const auto dense = [](auto& h, double x) { h.matrix(0, 0) = x; };
  const auto chain = [](auto& h, double x) { h.diagonal[0](0, 0) = x; };
  const auto one = [](Eigen::Index n) { return ScalarMass<double, Dynamic>(1, n); };
  expect_singular_at_a_pole<DiagonalHessian<double, 1>>(ScalarMass<double, 1>(1), diagonal);
  expect_singular_at_a_pole<DiagonalHessian<double, Dynamic>>(one(3), diagonal);
  expect_singular_at_a_pole<DenseHessian<double, 1>>(ScalarMass<double, 1>(1), dense);
  expect_singular_at_a_pole<DenseHessian<double, 2>>(ScalarMass<double, 2>(1), dense);
  expect_singular_at_a_pole<DenseHessian<double, 3>>(ScalarMass<double, 3>(1), dense);
  expect_singular_at_a_pole<DenseHessian<double, Dynamic>>(one(4), dense);
  expect_singular_at_a_pole<DenseHessian<double, 1>>(FullMass<double, 1>(Matrix<double, 1>::Identity()), dense);
  expect_singular_at_a_pole<BlockDiagonalHessian<double, 2>>(one(4), [](auto& h, double x) { h.blocks[0](0, 0) = x; });
  expect_singular_at_a_pole<BlockDiagonalHessian<double, 3>>(one(6), [](auto& h, double x) { h.blocks[0](0, 0) = x; });
  expect_singular_at_a_pole<BlockTridiagonalHessian<double, 1>>(one(1), chain);
  expect_singular_at_a_pole<BlockTridiagonalHessian<double, 1>>(one(5), chain);
  expect_singular_at_a_pole<BlockTridiagonalHessian<double, 2>>(one(8), chain);
  expect_singular_at_a_pole<BlockTridiagonalHessian<double, 3>>(one(9), chain);
}

// 1/x is infinite where x is denormal, and infinity times zero is not a number: such a pivot makes a matrix singular as
// far as its type can tell.
constexpr double denormal = 1e-310;

/// M + h with M = 1e-300 I, whose entry 0 is denormal; and with entries of size 1e-300 only.
template <class Hessian, class Set>
void expect_denormal_pivot_is_singular(Eigen::Index n, const Set& set) {
  const ScalarMass<double, Hessian::dimension> mass(1e-300, n);
  Hessian h(n);
  h.set_zero();
  ShiftedSolver<Hessian> solver;
  EXPECT_FALSE(solver.factor(mass, 1.0, h).singular) << n;
  Vector<double, Hessian::dimension> x = Vector<double, Hessian::dimension>::Constant(n, 2e-300);
  solver.solve_in_place(x);
  for (Eigen::Index i = 0; i < n; ++i) EXPECT_NEAR(x(i), 2, 1e-14) << n;
  for (const double sign : {1.0, -1.0}) {
    set(h, sign * denormal - 1e-300);
    const FactorOutcome outcome = solver.factor(mass, 1.0, h);
    EXPECT_TRUE(outcome.singular) << n << " " << sign;
    EXPECT_EQ(outcome.pivot, 0) << n << " " << sign;
  }
}
TEST(DenormalPivots, are_singular_in_every_structure) {
  const auto dense = [](auto& h, double x) { h.matrix(0, 0) = x; };
  const auto diagonal = [](auto& h, double x) { h.diagonal(0) = x; };
  const auto block = [](auto& h, double x) { h.blocks[0](0, 0) = x; };
  const auto chain = [](auto& h, double x) { h.diagonal[0](0, 0) = x; };
  expect_denormal_pivot_is_singular<DenseHessian<double, 1>>(1, dense);
  expect_denormal_pivot_is_singular<DenseHessian<double, 2>>(2, dense);
  expect_denormal_pivot_is_singular<DenseHessian<double, 3>>(3, dense);
  expect_denormal_pivot_is_singular<DenseHessian<double, 4>>(4, dense);
  expect_denormal_pivot_is_singular<DenseHessian<double, Dynamic>>(5, dense);
  expect_denormal_pivot_is_singular<DiagonalHessian<double, 2>>(2, diagonal);
  expect_denormal_pivot_is_singular<DiagonalHessian<double, Dynamic>>(3, diagonal);
  expect_denormal_pivot_is_singular<BlockDiagonalHessian<double, 2>>(4, block);
  expect_denormal_pivot_is_singular<BlockDiagonalHessian<double, 3>>(6, block);
  for (const int rows : {1, 2, 3, 4, 5}) {
    expect_denormal_pivot_is_singular<BlockTridiagonalHessian<double, 1>>(rows, chain);
    expect_denormal_pivot_is_singular<BlockTridiagonalHessian<double, 2>>(2 * rows, chain);
    expect_denormal_pivot_is_singular<BlockTridiagonalHessian<double, 3>>(3 * rows, chain);
    expect_denormal_pivot_is_singular<livi::CyclicTridiagonalHessian<double>>(rows, diagonal);
  }
}

TEST(DenormalPivots, are_singular_where_a_chain_has_them) {
  for (const int rows : {1, 2, 3, 4, 5, 6}) {
    for (int row = 0; row < rows; ++row) {
      BlockTridiagonalHessian<double, 2> chain(2 * rows);
      chain.set_zero();
      chain.diagonal[static_cast<std::size_t>(row)](1, 1) = denormal - 1e-300;
      ShiftedSolver<BlockTridiagonalHessian<double, 2>> of_chain;
      FactorOutcome outcome = of_chain.factor(ScalarMass<double, Dynamic>(1e-300, 2 * rows), 1.0, chain);
      EXPECT_TRUE(outcome.singular) << rows << " " << row;
      EXPECT_EQ(outcome.pivot, row) << rows;

      livi::CyclicTridiagonalHessian<double> ring(rows);
      ring.diagonal(row) = denormal - 1e-300;
      ShiftedSolver<livi::CyclicTridiagonalHessian<double>> of_ring;
      outcome = of_ring.factor(ScalarMass<double, Dynamic>(1e-300, rows), 1.0, ring);
      EXPECT_TRUE(outcome.singular) << rows << " " << row;
      EXPECT_EQ(outcome.pivot, row) << rows;

      livi::TridiagonalElimination<double, Dynamic> elimination;
      elimination.resize(rows);
      elimination.diagonal.setConstant(1);
      elimination.diagonal(row) = denormal;
      outcome = elimination.factor();
      EXPECT_TRUE(outcome.singular) << rows << " " << row;
      EXPECT_EQ(outcome.pivot, row) << rows;
    }
  }
}

TEST(DenormalPivots, are_singular_where_rows_are_exchanged) {
  livi::TridiagonalElimination<double, 2> elimination;
  const auto factor = [&](double diagonal, double off_diagonal) {
    elimination.resize(2);
    elimination.diagonal.setConstant(diagonal);
    elimination.lower.setConstant(off_diagonal);
    elimination.upper.setConstant(off_diagonal);
    return elimination.factor();
  };
  for (const double diagonal : {0.0, denormal / 100}) {
    const FactorOutcome outcome = factor(diagonal, denormal);
    EXPECT_TRUE(outcome.singular);
    EXPECT_EQ(outcome.pivot, 0) << "where the pivot is that has no reciprocal, not where it has made a number none";
  }
  EXPECT_FALSE(factor(0, 1e-307).singular);
  Vector<double, 2> b(1e-307, 2e-307);
  elimination.solve_in_place(b);
  EXPECT_NEAR(b(0), 2, 1e-14);
  EXPECT_NEAR(b(1), 1, 1e-14);
}

// The determinant of a block, 1e-310, is denormal where its entries are not: they are eliminated one by one.
TEST(DenormalPivots, are_not_made_by_determinants) {
  const double small = 1e-155;
  Matrix<double, 2> a = small * Matrix<double, 2>::Identity();
  SymmetricFactor<double, 2> factor;
  EXPECT_FALSE(factor.factor(a).singular);
  Vector<double, 2> b(small, 2 * small);
  factor.solve_in_place(b);
  EXPECT_NEAR(b(0), 1, 1e-14);
  EXPECT_NEAR(b(1), 2, 1e-14);
  // Well scaled as a product, with an inverse that has no entry for the denormal one.
  a << 1e300, 0, 0, denormal;
  EXPECT_TRUE(factor.factor(a).singular);

  for (const int rows : {1, 2, 3, 4}) {
    BlockTridiagonalHessian<double, 2> h(2 * rows);
    h.set_zero();
    ShiftedSolver<BlockTridiagonalHessian<double, 2>> solver;
    EXPECT_FALSE(solver.factor(ScalarMass<double, Dynamic>(small, 2 * rows), 1.0, h).singular) << rows;
    Vector<double, Dynamic> x = Vector<double, Dynamic>::Constant(2 * rows, 3 * small);
    solver.solve_in_place(x);
    for (int i = 0; i < 2 * rows; ++i) EXPECT_NEAR(x(i), 3, 1e-13) << rows;
  }
}

TEST(DenormalPivots, are_singular_in_triangles) {
  livi::TriangleHessian<double> h(9);
  h.set_zero();
  ShiftedSolver<livi::TriangleHessian<double>> solver;
  for (const double mass : {1e-300, 1e-104, 1e-103}) {  // the determinant of the masses is zero, denormal, and neither
    EXPECT_FALSE(solver.factor(ScalarMass<double, Dynamic>(mass, 9), 1.0, h).singular) << mass;
    Vector<double, Dynamic> x = Vector<double, Dynamic>::Constant(9, 3 * mass);
    solver.solve_in_place(x);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(x(i), 3, 1e-13) << mass;
  }
}

// The derivative of 1/x, -x'/x^2, overflows before 1/x does.
TEST(DenormalPivots, are_those_whose_derivatives_overflow) {
  using D = Dual<double>;
  const D tiny(1e-200, 1);
  livi::TridiagonalElimination<D, Dynamic> elimination;
  for (const int rows : {1, 2, 3, 4}) {
    for (int row = 0; row < rows; ++row) {
      elimination.resize(rows);
      elimination.diagonal.setConstant(D(1));
      elimination.diagonal(row) = tiny;
      EXPECT_TRUE(elimination.factor().singular) << rows << " " << row;

      BlockTridiagonalHessian<D, 1> chain(rows);
      livi::CyclicTridiagonalHessian<D> ring(rows);
      DenseHessian<D, Dynamic> dense(rows);
      chain.set_zero();
      ring.set_zero();
      dense.set_zero();
      const ScalarMass<D, Dynamic> mass(D(1e-150), rows);
      for (int i = 0; i < rows; ++i) {
        const D entry = i == row ? D(0, 1e10) : D(0);
        chain.diagonal[static_cast<std::size_t>(i)](0, 0) = ring.diagonal(i) = dense.matrix(i, i) = entry;
      }
      const D c(1);
      EXPECT_TRUE((ShiftedSolver<BlockTridiagonalHessian<D, 1>>().factor(mass, c, chain).singular)) << rows << row;
      EXPECT_TRUE((ShiftedSolver<livi::CyclicTridiagonalHessian<D>>().factor(mass, c, ring).singular)) << rows << row;
      EXPECT_TRUE((ShiftedSolver<DenseHessian<D, Dynamic>>().factor(mass, c, dense).singular)) << rows << row;
    }
  }
}

// Numbers with a wider range than double, or without rounding, have no such pivots there.
template <class S>
void expect_small_pivot_is_solved(const S& small) {
  livi::TridiagonalElimination<S, 3> elimination;
  elimination.resize(3);
  elimination.diagonal = Vector<S, 3>(S(1), small, S(2));
  EXPECT_FALSE(elimination.factor().singular);
  Vector<S, 3> b(S(1), small, S(2));
  elimination.solve_in_place(b);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(b(i), S(1));
  SymmetricFactor<S, 2> factor;
  Matrix<S, 2> a = Matrix<S, 2>::Constant(S(0));
  a(0, 0) = small;
  a(1, 1) = S(1);
  EXPECT_FALSE(factor.factor(a).singular);
}
TEST(DenormalPivots, are_none_in_types_without_them) {
  using livi::Float50;
  expect_small_pivot_is_solved<Float50>(Float50(1) / pow(Float50(2), 1100));
  expect_small_pivot_is_solved<Q>(Q(1) / Q(pow(livi::Integer(2), 1100)));
  std::mt19937_64 generator(5);
  livi::Residue::choose_prime(generator);
  expect_small_pivot_is_solved<livi::Residue>(livi::Residue::variable(generator));
}

// Rank one with entries that are exact: what elimination leaves of the other rows is noise of either sign.
template <int N>
void expect_rank_one_is_singular() {
  std::mt19937 generator(46);
  for (int problem = 0; problem < 20000; ++problem) {
    Matrix<double, N> a;
    Vector<double, N> v, b;
    for (int i = 0; i < N; ++i) v(i) = std::ldexp(static_cast<double>(generator() % 100000 + 1), -17);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) a(i, j) = v(i) * v(j);
    b = v;
    ASSERT_TRUE((factor_and_solve<double, N>(a, b).singular)) << v.transpose();
  }
}
TEST(SymmetricFactor, says_singular_of_rank_one_in_all_sizes) {
  expect_rank_one_is_singular<2>();
  expect_rank_one_is_singular<3>();
  expect_rank_one_is_singular<4>();
  expect_rank_one_is_singular<6>();
}

/// M + c H with pivots of 2 x 2 from both ends; row `row` singular to rounding, entries of any size.
TEST(BlockTridiagonal, says_which_pivot_is_singular_at_roundoff) {
  for (const double scale : {1.0, 0x1p-300, 0x1p300})
    for (const int rows : {1, 2, 3, 4, 5, 6, 9})
      for (int row = 0; row < rows; ++row) {
        BlockTridiagonalHessian<double, 2> h(2 * rows);
        for (std::size_t k = 0; k < h.diagonal.size(); ++k) {
          h.diagonal[k] << 2 * scale, 0, 0.5 * scale, 3 * scale;
          if (static_cast<int>(k) == row) h.diagonal[k] << 0.1 * scale, 0, 0.3 * scale, 0.9 * scale;  // 0.1 0.9 - 0.3^2
        }
        ShiftedSolver<BlockTridiagonalHessian<double, 2>> solver;
        // The mass is far below the round-off of H.
        const FactorOutcome outcome = solver.factor(ScalarMass<double, Dynamic>(1e-18 * scale, 2 * rows), 1.0, h);
        EXPECT_TRUE(outcome.singular) << rows << " " << row << " " << scale;
        EXPECT_EQ(outcome.pivot, row) << rows << " " << scale;
        h.diagonal[static_cast<std::size_t>(row)](1, 1) *= 1 + 1e-13;
        EXPECT_FALSE(solver.factor(ScalarMass<double, Dynamic>(1e-18 * scale, 2 * rows), 1.0, h).singular);
      }
}

/// In a pivot of 2 x 2 the first entry is at rounding and the second negative: the determinant is a negative rounding,
/// and so would be a bound on it that is made of the entries with their signs.
TEST(BlockTridiagonal, believes_no_pivot_whose_determinant_is_a_negative_rounding) {
  for (const std::size_t row : {0U, 1U, 2U})
    for (const double first : {0x1p-52, 0x1p-50, 1e-12})
      for (const double coupling : {0.0, 0.5}) {
        BlockTridiagonalHessian<double, 2> h(6);
        h.set_zero();
        h.diagonal[row] << first - 1, 0, 0, -2;
        for (std::size_t k = 1; k < 3; ++k) h.lower[k](0, 0) = coupling;
        ShiftedSolver<BlockTridiagonalHessian<double, 2>> solver;
        const FactorOutcome outcome = solver.factor(ScalarMass<double, Dynamic>(1, 6), 1.0, h);
        // Alone the first entry is a rounding; coupled, it may be any small number.
        EXPECT_EQ(outcome.singular, coupling == 0 && first < 1e-13) << row << " " << first << " " << coupling;
        if (outcome.singular) continue;
        EXPECT_TRUE(outcome.indefinite) << row << " " << first << " " << coupling;
        EXPECT_EQ(outcome.negative, coupling == 0 ? 1 : 2) << row << " " << first << " " << coupling;
      }
}

/// Numbers without order go the ways of all others, whose pivots that are not zero are all good.
template <class Hessian>
void expect_same_solution_of_residues(std::mt19937_64& generator, int n, int block) {
  using livi::Residue;
  for (int trial = 0; trial < 40; ++trial) {
    Residue::choose_prime(generator);
    const Residue c = Residue::variable(generator);
    Hessian h(n);
    h.set_zero();
    Matrix<Residue, Dynamic> a(n, n);
    a.setConstant(Residue(0));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        if (i / block > j / block + 1 || (i / block != j / block && !is_chain(&h))) continue;
        Residue entry = generator() % 3 == 0 ? Residue(0) : Residue::variable(generator);
        if (i == j && generator() % 2 == 0) entry = Residue(-1) / c;  // M + c H has a zero there
        a(i, j) = a(j, i) = c * entry + Residue(i == j ? 1 : 0);
        const auto row = static_cast<std::size_t>(i / block);
        if constexpr (is_chain(static_cast<Hessian*>(nullptr))) {
          if (i / block != j / block) {
            h.lower[row](i % block, j % block) = entry;
          } else {
            h.diagonal[row](i % block, j % block) = h.diagonal[row](j % block, i % block) = entry;
          }
        } else {
          h.blocks[row](i % block, j % block) = h.blocks[row](j % block, i % block) = entry;
        }
      }
    Vector<Residue, Dynamic> b(n);
    for (Residue& entry : b) entry = Residue::variable(generator);
    Vector<Residue, Dynamic> x = b, y = b;
    ShiftedSolver<Hessian> solver;
    GaussianElimination<Residue, Dynamic> dense;
    const bool singular = solver.factor(ScalarMass<Residue, Dynamic>(Residue(1), n), c, h).singular;
    ASSERT_EQ(singular, dense.factor(a).singular) << trial;
    if (singular) continue;
    solver.solve_in_place(x);
    dense.solve_in_place(y);
    for (int i = 0; i < n; ++i) ASSERT_EQ(x(i), y(i)) << trial;
  }
}
TEST(Residues, have_the_solutions_of_dense_elimination_in_every_structure) {
  using livi::Residue;
  std::mt19937_64 generator(5);
  for (int rows = 1; rows < 7; ++rows) {
    expect_same_solution_of_residues<BlockTridiagonalHessian<Residue, 1>>(generator, rows, 1);
    expect_same_solution_of_residues<BlockTridiagonalHessian<Residue, 2>>(generator, 2 * rows, 2);
    expect_same_solution_of_residues<BlockTridiagonalHessian<Residue, 3>>(generator, 3 * rows, 3);
    expect_same_solution_of_residues<BlockDiagonalHessian<Residue, 2>>(generator, 2 * rows, 2);
    expect_same_solution_of_residues<BlockDiagonalHessian<Residue, 3>>(generator, 3 * rows, 3);
  }
}

/// A pivot that cancels to the round-off of what it is a difference of is singular, however large its own digits look.
TEST(BlockTridiagonal, measures_a_pivot_by_what_it_is_the_difference_of) {
  BlockTridiagonalHessian<double, 1> h(2);  // M + H = [[0.3, 0.1], [0.1, 1/30 + 1e-18]]
  h.diagonal[0](0, 0) = 0.2;
  h.lower[1](0, 0) = 0.1;
  h.diagonal[1](0, 0) = 0.1 * 0.1 / 0.3 - 0.1;
  ShiftedSolver<BlockTridiagonalHessian<double, 1>> solver;
  const FactorOutcome outcome = solver.factor(ScalarMass<double, Dynamic>(0.1, 2), 1.0, h);
  EXPECT_TRUE(outcome.singular);
  EXPECT_EQ(outcome.pivot, 1);
}

// Derivatives go through both factorisations: A x' = b' - A' x.
RC_GTEST_PROP(SymmetricFactor, differentiates_exactly, ()) {
  using D = Dual<Q>;
  Matrix<D, 3> a;
  Vector<D, 3> b;
  Exact value(3, 3), derivative(3, 3);
  ExactVector right(3), right_derivative(3);
  for (int i = 0; i < 3; ++i) {
    b(i) = D(small_integer(), small_integer());
    right(i) = b(i).value;
    right_derivative(i) = b(i).derivative;
    for (int j = 0; j <= i; ++j) {
      a(i, j) = a(j, i) = D(small_integer(), small_integer());
      value(i, j) = value(j, i) = a(i, j).value;
      derivative(i, j) = derivative(j, i) = a(i, j).derivative;
    }
  }
  RC_PRE(rank_of(value) == 3);
  RC_ASSERT(!(factor_and_solve<D, 3>(a, b).singular));
  ExactVector x(3), x_derivative(3);
  for (int i = 0; i < 3; ++i) {
    x(i) = b(i).value;
    x_derivative(i) = b(i).derivative;
  }
  RC_ASSERT(product(value, x) == right);
  RC_ASSERT(product(value, x_derivative) == ExactVector(right_derivative - product(derivative, x)));
}

// --- Hessians -------------------------------------------------------------------------------------------------------

template <class Hessian>
void expect_blocks_add(bool with_neighbours) {
  Hessian h(4);
  Matrix<double, 2> block;
  block << 1, 2, 2, 4;
  h.add_block(0, 0, block);
  h.add_block(1, 1, block);
  h.add_block(1, 1, block);
  if constexpr (!std::same_as<Hessian, BlockDiagonalHessian<double, 2>>) {
    if (with_neighbours) h.add_block(1, 0, block);
  }
  Vector<double, Dynamic> x(4), y(4);
  x << 1, 0, 0, 1;
  h.multiply(x, y);
  const double n = with_neighbours ? 1 : 0;
  EXPECT_EQ(y, (Vector<double, 4>(1 + 2 * n, 2 + 4 * n, 4 + 1 * n, 8 + 2 * n)));
  h.set_zero();
  h.multiply(x, y);
  EXPECT_EQ(y, (Vector<double, 4>(0, 0, 0, 0)));
  EXPECT_EQ(h.size(), 4);
}

TEST(Hessians, add_blocks) {
  expect_blocks_add<DenseHessian<double, Dynamic>>(true);
  expect_blocks_add<BlockDiagonalHessian<double, 2>>(false);
  expect_blocks_add<BlockTridiagonalHessian<double, 2>>(true);
}

// --- masses ---------------------------------------------------------------------------------------------------------

template <class Mass, class V>
void expect_applies_and_solves(const Mass& mass, const V& v, const V& image) {
  EXPECT_EQ(mass.size(), v.size());
  V out = v;
  mass.apply(v, out);
  EXPECT_EQ(out, image);
  out = v;
  mass.apply(out, out);  // in place
  EXPECT_EQ(out, image);
  mass.solve_in_place(out);
  EXPECT_EQ(out, v);
}

TEST(Masses, apply_and_solve) {
  const Vector<Q, 2> v(2, -3);
  expect_applies_and_solves(ScalarMass<Q, 2>(5), v, Vector<Q, 2>(10, -15));
  expect_applies_and_solves(DiagonalMass<Q, 2>(Vector<Q, 2>(1, 4)), v, Vector<Q, 2>(2, -12));
  Matrix<Q, 2> full;
  full << 3, 1, 1, 2;
  expect_applies_and_solves(FullMass<Q, 2>(full), v, Vector<Q, 2>(3, -4));
}

template <class Make>
std::string refusal(const Make& make) {
  try {
    make();
  } catch (const livi::InvalidParameter& error) {
    return error.what();
  }
  return "accepted";
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Masses, refuse_what_is_not_symmetric_positive_definite) {
  EXPECT_EQ(refusal([] { ScalarMass<double, 2>(0); }), "mass = 0: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { ScalarMass<double, 2>(-1); }), "mass = -1: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { ScalarMass<double, 2>{nan}; }), "mass = nan: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { ScalarMass<double, 2>{infinity}; }), "mass = inf: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { DiagonalMass<double, 2>(Vector<double, 2>(1, infinity)); }),
            "mass[1] = inf: a mass must be finite and positive");
  const std::string large = ": a mass must be large enough for its reciprocal to be finite";
  EXPECT_EQ(refusal([] { ScalarMass<double, 2>{denormal}; }), "mass = 1e-310" + large);
  EXPECT_EQ(refusal([] { DiagonalMass<double, 2>(Vector<double, 2>(1, denormal)); }), "mass[1] = 1e-310" + large);
  EXPECT_EQ(refusal([] { ScalarMass<double, 2>{std::numeric_limits<double>::min()}; }), "accepted");
  static_assert(!std::is_constructible_v<ScalarMass<double, Dynamic>, double>, "a dynamic size must be given");
  EXPECT_EQ(refusal([] { ScalarMass<Q, 2>(0); }), "mass = 0: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { DiagonalMass<double, 2>(Vector<double, 2>(1, 0)); }),
            "mass[1] = 0: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { DiagonalMass<Q, 2>(Vector<Q, 2>(0, 1)); }), "mass[0] = 0: a mass must be finite and positive");
  EXPECT_EQ(refusal([] { DiagonalMass<double, 2>(Vector<double, 2>(nan, 1)); }),
            "mass[0] = nan: a mass must be finite and positive");
  const auto full = [](double a, double b, double c, double d) {
    return refusal([&] {
      Matrix<double, 2> m;
      m << a, b, c, d;
      FullMass<double, 2>{m};
    });
  };
  const std::string definite = ": a mass matrix must be symmetric positive definite: all pivots of its elimination > 0";
  EXPECT_EQ(full(2, 1, 1, 3), "accepted");
  EXPECT_EQ(full(2, 1, 0.5, 3), "mass(1,0) - mass(0,1) = -0.5: a mass matrix must be symmetric");
  EXPECT_EQ(full(1, 2, 2, 1), "pivot 1 of the mass = -3" + definite);
  EXPECT_EQ(full(0, 0, 0, 0), "pivot 0 of the mass = 0" + definite);
  EXPECT_EQ(full(1, 1, 1, 1), "pivot 1 of the mass = 0" + definite);
  EXPECT_EQ(full(1, 0, 0, denormal), "pivot 1 of the mass = 1e-310" + definite);
  EXPECT_EQ(full(1, 0, 0, -1), "pivot 1 of the mass = -1" + definite);
  EXPECT_EQ(full(nan, 0, 0, 1), "mass(0,0) = nan: a mass must be finite");
  EXPECT_EQ(full(1, 0, nan, 1), "mass(1,0) = nan: a mass must be finite");
  EXPECT_EQ(full(1, 0, 0, std::numeric_limits<double>::infinity()), "mass(1,1) = inf: a mass must be finite");
  // Symmetric to rounding is symmetric.
  EXPECT_EQ(full(1, 0.1, 0.1 + 1e-17, 1), "accepted");
}

}  // namespace
