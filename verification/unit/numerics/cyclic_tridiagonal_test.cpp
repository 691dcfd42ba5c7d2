// SPDX-License-Identifier: MIT
//
// The solver of (M + c H) a = b on rings and open chains: exact in rationals, in double against the exact solution.
#include <gtest/gtest.h>

#include <livi/linalg/cyclic_tridiagonal.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>

#include "verification/support/fixed_seed.hpp"

namespace cyclic_tridiagonal_test {

using livi::CyclicTridiagonalHessian;
using livi::DiagonalMass;
using livi::Dual;
using livi::Dynamic;
using livi::FactorOutcome;
using livi::Matrix;
using livi::Rational;
using livi::ScalarMass;
using livi::ShiftedSolver;
using livi::Vector;

using Q = Rational;
using Exact = Matrix<Q, Dynamic>;
using ExactVector = Vector<Q, Dynamic>;

// --- linear algebra by definition, for comparison -------------------------------------------------------------------

/// The ring written out; couplings that join the same pair add up, one that joins an unknown to itself is none.
template <class S>
Exact dense(const CyclicTridiagonalHessian<S>& h) {
  const Eigen::Index n = h.size();
  Exact a = Exact::Constant(n, n, Q(0));
  for (Eigen::Index i = 0; i < n; ++i) a(i, i) = Q(h.diagonal(i));
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index j = (i + n - 1) % n;
    if (i == j) continue;
    a(i, j) += Q(h.lower(i));
    a(j, i) += Q(h.lower(i));
  }
  return a;
}

/// Rank of a, and the solution of a x = b in b when that is n.
Eigen::Index eliminate(Exact a, ExactVector& b) {
  const Eigen::Index n = a.rows();
  Eigen::Index rank = 0;
  for (Eigen::Index column = 0; column < n; ++column) {
    Eigen::Index pivot = rank;
    while (pivot < n && a(pivot, column) == 0) ++pivot;
    if (pivot == n) continue;
    a.row(rank).swap(a.row(pivot));
    std::swap(b(rank), b(pivot));
    const Q reciprocal = 1 / a(rank, column);
    for (Eigen::Index j = 0; j < n; ++j) a(rank, j) *= reciprocal;
    b(rank) *= reciprocal;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (i == rank || a(i, column) == 0) continue;
      const Q factor = a(i, column);
      for (Eigen::Index j = 0; j < n; ++j) a(i, j) -= factor * a(rank, j);
      b(i) -= factor * b(rank);
    }
    ++rank;
  }
  return rank;
}

/// By elimination without pivoting: all leading minors are positive (Sylvester).
bool is_positive_definite(Exact a) {
  for (Eigen::Index k = 0; k < a.rows(); ++k) {
    if (a(k, k) <= 0) return false;
    for (Eigen::Index i = k + 1; i < a.rows(); ++i) {
      const Q factor = a(i, k) / a(k, k);
      for (Eigen::Index j = k; j < a.rows(); ++j) a(i, j) -= factor * a(k, j);
    }
  }
  return true;
}

ExactVector product(const Exact& a, const ExactVector& x) {
  ExactVector y = ExactVector::Constant(a.rows(), Q(0));
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = 0; j < a.cols(); ++j) y(i) += a(i, j) * x(j);
  return y;
}

// --- random problems ------------------------------------------------------------------------------------------------

enum class Ends { ring, open };

template <class S>
CyclicTridiagonalHessian<S> random_hessian(Eigen::Index n, Ends ends, int least_diagonal = -9) {
  CyclicTridiagonalHessian<S> h(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    h.diagonal(i) = S(*rc::gen::inRange(least_diagonal, least_diagonal + 19));
    h.lower(i) = S(*rc::gen::inRange(-4, 5));
  }
  if (ends == Ends::open) h.lower(0) = S(0);
  return h;
}

void check_exactly(Ends ends, bool diagonally_dominant) {
  const Eigen::Index n = *rc::gen::inRange(1, 10);
  const auto h = random_hessian<Q>(n, ends, diagonally_dominant ? 8 : -9);
  Vector<Q, Dynamic> m(n);
  for (Eigen::Index i = 0; i < n; ++i) m(i) = *rc::gen::inRange(1, 9);
  const Q c = livi::ratio<Q>(*rc::gen::inRange(diagonally_dominant ? 1 : -4, 5), *rc::gen::inRange(1, 5));
  Exact a = dense(h);
  ExactVector x(n), image(n);
  for (Eigen::Index i = 0; i < n; ++i) x(i) = *rc::gen::inRange(-9, 10);
  h.multiply(x, image);
  RC_ASSERT(image == product(a, x));  // multiply() reads the same matrix
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) a(i, j) *= c;
    a(i, i) += m(i);
  }
  ShiftedSolver<CyclicTridiagonalHessian<Q>> solver;
  const FactorOutcome outcome = solver.factor(DiagonalMass<Q, Dynamic>(m), c, h);
  ExactVector solution = x;
  RC_ASSERT(outcome.singular == (eliminate(a, solution) < n));
  RC_ASSERT(outcome.indefinite == !is_positive_definite(a));
  RC_ASSERT((outcome.pivot >= 0) == (outcome.indefinite || outcome.singular));
  RC_ASSERT(outcome.pivot < n);
  if (outcome.singular) return;
  solver.solve_in_place(x);
  RC_ASSERT(x == solution);
}

RC_GTEST_PROP(ExactSolver, positive_definite_ring, ()) { check_exactly(Ends::ring, true); }
RC_GTEST_PROP(ExactSolver, positive_definite_open_chain, ()) { check_exactly(Ends::open, true); }
RC_GTEST_PROP(ExactSolver, any_ring, ()) { check_exactly(Ends::ring, false); }
RC_GTEST_PROP(ExactSolver, any_open_chain, ()) { check_exactly(Ends::open, false); }

/// In double, on the same integers: |x - x_exact| <= 1e-13 |A| |A^-1| |x_exact|, norms by rows. Elimination with a
/// modest growth commits a few epsilon times the condition number per operation on a row, five of them: 1e-13 leaves a
/// factor 80. Without pivoting there is no growth for definite matrices, the others are pivoted.
void check_in_double(Ends ends, bool diagonally_dominant) {
  const Eigen::Index n = *rc::gen::inRange(1, 12);
  const auto h = random_hessian<double>(n, ends, diagonally_dominant ? 8 : -9);
  const double c = 1.0 / *rc::gen::inRange(1, 40);
  Exact a = dense(h);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) a(i, j) *= Q(c);
    a(i, i) += 3;
  }
  ExactVector unit = ExactVector::Constant(n, Q(0)), right(n);
  Vector<double, Dynamic> x(n);
  for (Eigen::Index i = 0; i < n; ++i) right(i) = x(i) = *rc::gen::inRange(-9, 10);
  RC_PRE(eliminate(a, unit) == n);
  Q norm = 0, norm_of_inverse = 0;
  std::vector<Q> rows(static_cast<std::size_t>(n), Q(0));
  for (Eigen::Index j = 0; j < n; ++j) {
    unit.setConstant(Q(0));
    unit(j) = 1;
    eliminate(a, unit);
    Q sum = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      rows[static_cast<std::size_t>(i)] += abs(unit(i));
      sum += abs(a(j, i));
    }
    norm = std::max(norm, sum);
  }
  for (const Q& sum : rows) norm_of_inverse = std::max(norm_of_inverse, sum);
  RC_PRE(norm * norm_of_inverse < 1000000);
  ShiftedSolver<CyclicTridiagonalHessian<double>> solver;
  const FactorOutcome outcome = solver.factor(ScalarMass<double, Dynamic>(3, n), c, h);
  RC_ASSERT(!outcome.singular);
  RC_ASSERT(outcome.indefinite == !is_positive_definite(a));
  solver.solve_in_place(x);
  eliminate(a, right);
  Q error = 0, size = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    error = std::max<Q>(error, abs(Q(x(i)) - right(i)));
    size = std::max<Q>(size, abs(right(i)));
  }
  RC_ASSERT(livi::to_double(error) <= 1e-13 * livi::to_double(Q(norm * norm_of_inverse * size)));
}

RC_GTEST_PROP(DoubleSolver, positive_definite_ring, ()) { check_in_double(Ends::ring, true); }
RC_GTEST_PROP(DoubleSolver, positive_definite_open_chain, ()) { check_in_double(Ends::open, true); }
RC_GTEST_PROP(DoubleSolver, any_ring, ()) { check_in_double(Ends::ring, false); }
RC_GTEST_PROP(DoubleSolver, any_open_chain, ()) { check_in_double(Ends::open, false); }

// --- long rings -----------------------------------------------------------------------------------------------------

/// Residual of A x = b in units of epsilon (|A| |x| + |b|), the backward error: a few for a stable elimination,
/// whatever the length and the condition.
double backward_error(const CyclicTridiagonalHessian<double>& h, double mass, const Vector<double, Dynamic>& x,
                      const Vector<double, Dynamic>& b) {
  using LongVector = Vector<long double, Dynamic>;
  CyclicTridiagonalHessian<long double> exact(h.size());
  exact.diagonal = h.diagonal.cast<long double>().array() + static_cast<long double>(mass);
  exact.lower = h.lower.cast<long double>();
  LongVector image(h.size());
  exact.multiply(x.cast<long double>(), image);
  const double norm = h.diagonal.cwiseAbs().maxCoeff() + mass + 2 * h.lower.cwiseAbs().maxCoeff();
  const auto residual = static_cast<double>((image - b.cast<long double>()).cwiseAbs().maxCoeff());
  return residual /
         (std::numeric_limits<double>::epsilon() * (norm * x.cwiseAbs().maxCoeff() + b.cwiseAbs().maxCoeff()));
}

Vector<double, Dynamic> wave(Eigen::Index n, double frequency) {
  Vector<double, Dynamic> b(n);
  for (Eigen::Index i = 0; i < n; ++i) b(i) = std::sin(frequency * static_cast<double>(i + 1));
  return b;
}

// All parities, and lengths on both sides of the tiles in which rows are prepared, with fill-in that is gone after some
// rows (entries -1 beside 3) and fill-in that never is (beside 2.000001: the condition is 4e6).
TEST(LongRing, is_solved_to_a_small_backward_error) {
  for (const double extra : {1.0, 1e-6})
    for (const double corner : {-1.0, 0.0})
      for (const Eigen::Index n : {16, 255, 256, 257, 511, 512, 513, 514, 515, 1023, 1024, 1025, 1026, 1027, 5000}) {
        CyclicTridiagonalHessian<double> h(n);
        h.diagonal.setConstant(2);
        h.lower.setConstant(-1);
        h.lower(0) = corner;
        const Vector<double, Dynamic> b = wave(n, 0.7);
        Vector<double, Dynamic> x = b;
        ShiftedSolver<CyclicTridiagonalHessian<double>> solver;
        const FactorOutcome outcome = solver.factor(ScalarMass<double, Dynamic>(extra, n), 1.0, h);
        ASSERT_FALSE(outcome.indefinite) << n;
        solver.solve_in_place(x);
        // Some twenty roundings on a row, two of them of sums over the border's row: 16 is generous, a wrong entry
        // gives 1e6 and more.
        EXPECT_LT(backward_error(h, extra, x, b), 16) << n << " " << extra << " " << corner;
      }
}

TEST(LongRing, that_is_indefinite_is_solved_to_a_small_backward_error) {
  for (const Eigen::Index n : {16, 257, 1000}) {
    CyclicTridiagonalHessian<double> h(n);
    h.diagonal = 4 * wave(n, 1.3);
    h.lower = wave(n, 0.4);
    const Vector<double, Dynamic> b = wave(n, 0.7);
    Vector<double, Dynamic> x = b;
    ShiftedSolver<CyclicTridiagonalHessian<double>> solver;
    const FactorOutcome outcome = solver.factor(ScalarMass<double, Dynamic>(0.5, n), 1.0, h);
    EXPECT_TRUE(outcome.indefinite);
    ASSERT_FALSE(outcome.singular);
    solver.solve_in_place(x);
    // Exchanges of rows let entries grow, at most by a few here.
    EXPECT_LT(backward_error(h, 0.5, x, b), 64) << n;
  }
}

// --- special matrices -----------------------------------------------------------------------------------------------

FactorOutcome factor_and_solve(std::vector<double> diagonal, std::vector<double> lower, Vector<double, Dynamic>& b) {
  const auto n = static_cast<Eigen::Index>(diagonal.size());
  CyclicTridiagonalHessian<double> h(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    h.diagonal(i) = diagonal[static_cast<std::size_t>(i)] - 1;  // and the mass
    h.lower(i) = lower[static_cast<std::size_t>(i)];
  }
  ShiftedSolver<CyclicTridiagonalHessian<double>> solver;
  const FactorOutcome outcome = solver.factor(ScalarMass<double, Dynamic>(1, n), 1.0, h);
  if (!outcome.singular) solver.solve_in_place(b);
  return outcome;
}

// A ring of four whose leading blocks of one, two and three unknowns are all singular or indefinite:
// 0 1 0 2; 1 0 1 0; 0 1 0 1; 2 0 1 0, with determinant 1.
TEST(SpecialRing, is_solved_although_its_leading_blocks_are_singular) {
  Vector<double, Dynamic> b(4);
  b << 2 + 2 * 4, 1 + 3, 2 + 4, 2 * 1 + 3;
  const FactorOutcome outcome = factor_and_solve({0, 0, 0, 0}, {2, 1, 1, 1}, b);
  EXPECT_TRUE(outcome.indefinite);
  EXPECT_FALSE(outcome.singular);
  EXPECT_EQ(outcome.pivot, 0);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(b(i), i + 1, 1e-15);
}

// The chain that is left when the border is cut off is singular, (1 1; 1 1), the ring is not.
TEST(SpecialRing, is_solved_although_all_but_its_border_is_singular) {
  Vector<double, Dynamic> b(3);
  b << 1 + 2 + 3, 1 + 2 + 2 * 3, 1 + 2 * 2 + 5 * 3;
  const FactorOutcome outcome = factor_and_solve({1, 1, 5}, {1, 1, 2}, b);
  EXPECT_TRUE(outcome.indefinite);
  EXPECT_FALSE(outcome.singular);
  EXPECT_EQ(outcome.pivot, 1);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(b(i), i + 1, 1e-14);
}

TEST(SpecialRing, that_is_singular_says_where) {
  // The Laplacian of a ring: rows sum to zero. Its last pivot, of whatever row, is rounding.
  for (const int n : {2, 3, 4, 7, 600}) {
    const auto size = static_cast<std::size_t>(n);
    Vector<double, Dynamic> b = Vector<double, Dynamic>::Ones(n);
    const FactorOutcome outcome = factor_and_solve(std::vector<double>(size, 2.0), std::vector<double>(size, -1.0), b);
    EXPECT_TRUE(outcome.singular) << n;
    EXPECT_GE(outcome.pivot, 0);
    EXPECT_LT(outcome.pivot, n);
  }
  // An unknown that is in no equation.
  Vector<double, Dynamic> b = Vector<double, Dynamic>::Ones(5);
  const FactorOutcome outcome = factor_and_solve({2, 2, 0, 2, 2}, {1, 1, 0, 0, 1}, b);
  EXPECT_TRUE(outcome.singular);
  EXPECT_EQ(outcome.pivot, 2);
}

TEST(SpecialRing, of_one_has_no_coupling_and_of_two_has_both) {
  Vector<double, Dynamic> one(1), two(2);
  one << 6;
  EXPECT_FALSE(factor_and_solve({3}, {100}, one).singular);
  EXPECT_EQ(one(0), 2);
  two << 5 - 3 * 2, -3 + 5 * 2;  // couplings -1 and -2 of the same pair
  EXPECT_FALSE(factor_and_solve({5, 5}, {-1, -2}, two).singular);
  EXPECT_NEAR(two(0), 1, 1e-15);
  EXPECT_NEAR(two(1), 2, 1e-15);
}

TEST(SpecialRing, with_what_is_not_a_number_is_singular) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (std::size_t at = 0; at < 5; ++at) {
      std::vector<double> diagonal(5, 4.0);
      diagonal[at] = bad;
      Vector<double, Dynamic> b = Vector<double, Dynamic>::Ones(5);
      const FactorOutcome outcome = factor_and_solve(diagonal, std::vector<double>(5, -1.0), b);
      EXPECT_TRUE(outcome.singular) << bad << " " << at;
    }
}

// d/dt of the solution of (M + c H(t)) x = b: the derivative goes through the solver as the rule says, also where a
// coupling is zero and its derivative is not.
TEST(Duals, differentiate_the_solution) {
  using D = Dual<Q>;
  for (const int n : {2, 3, 6}) {
    CyclicTridiagonalHessian<D> h(n);
    CyclicTridiagonalHessian<Q> value(n), slope(n);
    for (int i = 0; i < n; ++i) {
      value.diagonal(i) = 7 + i;
      value.lower(i) = i - 1;  // zero for i = 1, and the corner is -1
      slope.diagonal(i) = 3 - 2 * i;
      slope.lower(i) = 2 + i;
    }
    if (n == 6) value.lower(0) = 0;
    for (int i = 0; i < n; ++i) {
      h.diagonal(i) = D(value.diagonal(i), slope.diagonal(i));
      h.lower(i) = D(value.lower(i), slope.lower(i));
    }
    Vector<D, Dynamic> x(n);
    ExactVector plain(n), derivative(n);
    for (int i = 0; i < n; ++i) {
      x(i) = D(Q(i + 1));
      plain(i) = i + 1;
    }
    ShiftedSolver<CyclicTridiagonalHessian<D>> solver;
    ASSERT_FALSE(solver.factor(ScalarMass<D, Dynamic>(D(Q(1)), n), D(Q(1)), h).singular);
    solver.solve_in_place(x);
    Exact a = dense(value);
    for (int i = 0; i < n; ++i) a(i, i) += 1;
    ASSERT_EQ(eliminate(a, plain), n);
    derivative = -product(dense(slope), plain);  // A x' = b' - A' x
    eliminate(a, derivative);
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(x(i).value, plain(i)) << n << " " << i;
      EXPECT_EQ(x(i).derivative, derivative(i)) << n << " " << i;
    }
  }
}

}  // namespace cyclic_tridiagonal_test
