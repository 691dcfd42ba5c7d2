// SPDX-License-Identifier: MIT
//
// The solvers of (M + c H) a = b for every Hessian structure: exact in rationals, where "indefinite", "singular" and
// the pivot are theorems about leading minors and ranks; in double against the exact solution; modulo primes and with
// derivatives.
#include <gtest/gtest.h>

#include <algorithm>
#include <livi/linalg/shifted_solver.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/scalar/residue.hpp>
#include <random>

#include "exact_matrices.hpp"
#include "verification/support/fixed_seed.hpp"

namespace shifted_solver_test {

using namespace livi::test;
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
  SymmetricFactor<D, 3> factor;
  RC_ASSERT(!factor.factor(a).singular);
  factor.solve_in_place(b);
  ExactVector x(3), x_derivative(3);
  for (int i = 0; i < 3; ++i) {
    x(i) = b(i).value;
    x_derivative(i) = b(i).derivative;
  }
  RC_ASSERT(product(value, x) == right);
  RC_ASSERT(product(value, x_derivative) == ExactVector(right_derivative - product(derivative, x)));
}

}  // namespace shifted_solver_test
