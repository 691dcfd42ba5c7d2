// SPDX-License-Identifier: MIT
//
// Factorisations of matrices that are singular, nearly so or badly scaled: what is flagged, with which pivot, and what
// is solved.
#include <gtest/gtest.h>

#include <livi/linalg/cyclic_tridiagonal.hpp>
#include <livi/linalg/shifted_solver.hpp>
#include <livi/linalg/tridiagonal_elimination.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/scalar/residue.hpp>
#include <random>

namespace singular_matrices_test {

using livi::BlockDiagonalHessian;
using livi::BlockTridiagonalHessian;
using livi::DenseHessian;
using livi::DiagonalHessian;
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

}  // namespace singular_matrices_test
