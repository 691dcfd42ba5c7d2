// SPDX-License-Identifier: MIT
//
// The solver of (M + c H) a = b on rings and open chains: exact in rationals, in double against the exact solution.
#include <gtest/gtest.h>

#include <livi/linalg/cyclic_tridiagonal.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>

#include "fixed_seed.hpp"

namespace {

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

}  // namespace
