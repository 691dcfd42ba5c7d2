// SPDX-License-Identifier: MIT
//
// Counted arithmetic on the chain of n links of TO14 4.2: a step, a . V''' . a, and a linear system solved or multiplied by the inverse.
#pragma once

#include <cmath>
#include <livi/linalg/shifted_solver.hpp>
#include <livi/systems/planar_chain.hpp>
#include <random>
#include <stdexcept>

#include "study/cost/counted_arithmetic.hpp"

namespace livi::chain_work {

inline constexpr double beta = 0.4;  ///< Newmark's beta, as in TO14 4.1

/// Operations that `work` does.
template <class Work>
double operations_of(const Work& work) {
  return static_cast<double>(count_operations(work).total());
}

template <class S, class Hessian>
auto chain(int links, double stiffness) {
  using N = Vector<S, Dynamic>;
  return penalised(ConstrainedSystem(ScalarMass<S, Dynamic>(S(1), 2 * links), GravityPotential<S, Dynamic>{S(1)},
                                     PlanarChainConstraint<S, Dynamic, Hessian>{N::Constant(links, S(1))}),
                   S(stiffness));
}
template <class S>
using Banded = BlockTridiagonalHessian<S, 2>;
template <class S>
using Dense = DenseHessian<S, Dynamic>;

/// Hanging at an angle of 0.3, so that it swings.
template <class S>
Vector<S, Dynamic> chain_start(int links) {
  Vector<S, Dynamic> q(2 * links);
  for (int k = 0; k < links; ++k) {
    q(2 * k) = S((k + 1) * std::sin(0.3));
    q(2 * k + 1) = S(-(k + 1) * std::cos(0.3));
  }
  return q;
}

/// Operations per step of `method` on a chain, of ten steps after the first.
template <class Method>
double chain_operations(Method method, int links, double h) {
  const Vector<Counted, Dynamic> rest = Vector<Counted, Dynamic>::Constant(2 * links, Counted(0));
  auto z = method.start(chain_start<Counted>(links), rest);
  static_cast<void>(method.step(z, Counted(h)));
  return operations_of([&] {
           for (int k = 0; k < 10; ++k) static_cast<void>(method.step(z, Counted(h)));
         }) /
         10;
}

/// a . V''' . a the brute-force way: the tensor by differences of n Hessians, n^3 entries, then its contraction.
template <class Potential>
double tensor_operations(const Potential& potential, const Vector<Counted, Dynamic>& q) {
  const Eigen::Index n = q.size();
  return operations_of([&] {
    DenseHessian<Counted, Dynamic> at(n), moved(n);
    potential.hessian(q, at);
    Vector<Counted, Dynamic> p = q, result = Vector<Counted, Dynamic>::Constant(n, Counted(0));
    for (Eigen::Index j = 0; j < n; ++j) {
      p(j) += Counted(1e-5);
      potential.hessian(p, moved);
      p(j) = q(j);
      for (Eigen::Index k = 0; k < n; ++k)
        for (Eigen::Index l = 0; l < n; ++l)
          result(k) += (moved.matrix(k, l) - at.matrix(k, l)) / Counted(1e-5) * q(j) * q(l);
    }
  });
}

// --- solving against inverting ---------------------------------------------------------------------------------------

/// The inverse of a symmetric positive definite matrix in n^3 operations to leading order, the least known to direct
/// methods: L D L^T (n^3/3), L^-1 (n^3/3), L^-T D^-1 L^-1, lower triangle (n^3/3). False: not positive definite.
template <class S>
bool invert(Matrix<S, Dynamic>& a) {
  const Eigen::Index n = a.rows();
  Vector<S, Dynamic> reciprocal(n);
  Matrix<S, Dynamic> l = a, scaled = a;
  for (Eigen::Index j = 0; j < n; ++j) {
    S pivot = a(j, j);
    for (Eigen::Index k = 0; k < j; ++k) pivot -= l(j, k) * scaled(j, k);
    if (!(to_double(pivot) > 0)) return false;
    reciprocal(j) = S(1) / pivot;
    for (Eigen::Index i = j + 1; i < n; ++i) {
      S entry = a(i, j);
      for (Eigen::Index k = 0; k < j; ++k) entry -= l(i, k) * scaled(j, k);
      scaled(i, j) = entry;
      l(i, j) = entry * reciprocal(j);
    }
  }
  Matrix<S, Dynamic> inverse_l = a;
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = j + 1; i < n; ++i) {
      S entry = -l(i, j);
      for (Eigen::Index k = j + 1; k < i; ++k) entry -= l(i, k) * inverse_l(k, j);
      inverse_l(i, j) = entry;
    }
  // (L^-T D^-1 L^-1)_ij = sum over k >= i of (L^-1)_ki d_k^-1 (L^-1)_kj; the diagonal of L^-1 is one
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = i + 1; k < n; ++k) scaled(i, k) = reciprocal(k) * inverse_l(k, i);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = j; i < n; ++i) {
      S entry = i == j ? reciprocal(i) : S(scaled(j, i));
      for (Eigen::Index k = i + 1; k < n; ++k) entry += scaled(i, k) * inverse_l(k, j);
      a(i, j) = a(j, i) = entry;
    }
  return true;
}

struct SolveAndInverse {
  double solve_operations = 0, inverse_operations = 0;
};

inline SolveAndInverse solve_and_inverse_operations(int n) {
  std::mt19937_64 random(1402);
  DenseHessian<Counted, Dynamic> hessian(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      hessian.matrix(i, j) = hessian.matrix(j, i) =
          Counted(static_cast<double>(random() % 1000) / 1000 + (i == j ? 2 * n : 0));
  const ScalarMass<Counted, Dynamic> mass(Counted(1), n);
  const Vector<Counted, Dynamic> b = Vector<Counted, Dynamic>::Constant(n, Counted(1));
  SolveAndInverse result;
  ShiftedSolver<DenseHessian<Counted, Dynamic>> solver;
  Vector<Counted, Dynamic> x = b;
  result.solve_operations = operations_of([&] {
    static_cast<void>(solver.factor(mass, Counted(0.01), hessian));
    solver.solve_in_place(x);
  });
  Vector<Counted, Dynamic> y = b;
  result.inverse_operations = operations_of([&] {
    Matrix<Counted, Dynamic> a = Counted(0.01) * hessian.matrix;
    for (int i = 0; i < n; ++i) a(i, i) += Counted(1);
    invert(a);
    for (int i = 0; i < n; ++i) {
      Counted sum = a(i, 0) * b(0);
      for (int j = 1; j < n; ++j) sum += a(i, j) * b(j);
      y(i) = sum;
    }
  });
  for (int i = 0; i < n; ++i)
    if (!(std::abs(to_double(x(i)) - to_double(y(i))) < 1e-12)) throw std::runtime_error("the two solutions differ");
  return result;
}

/// |A x - b| / (|A| |x| + |b|) of the two solutions of the Z&S system of a stretched chain.
struct Residuals {
  double solve = 0, inverse = 0;
};
inline Residuals residuals(double stiffness) {
  constexpr int links = 8, n = 2 * links;
  const auto system = chain<double, Dense<double>>(links, stiffness);
  Vector<double, Dynamic> q = chain_start<double>(links), b(n);
  for (int i = 0; i < n; ++i) q(i) += std::sin(3.0 * i + 1) / (stiffness * stiffness);
  DenseHessian<double, Dynamic> hessian(n);
  system.potential().hessian(q, hessian);
  system.potential().gradient(q, b);
  b = -b;
  const double c = beta * 0.01;
  ShiftedSolver<DenseHessian<double, Dynamic>> solver;
  static_cast<void>(solver.factor(system.mass(), c, hessian));
  Vector<double, Dynamic> x = b;
  solver.solve_in_place(x);
  Matrix<double, Dynamic> a(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a(i, j) = c * (j <= i ? hessian.matrix(i, j) : hessian.matrix(j, i)) + (i == j ? 1 : 0);
  Matrix<double, Dynamic> inverse = a;
  const bool positive = invert(inverse);
  const auto relative = [&](const Vector<double, Dynamic>& at) {
    long double worst = 0, size = 0, row_sum = 0, of_b = 0;
    for (int i = 0; i < n; ++i) {
      long double r = -static_cast<long double>(b(i)), sum = 0;
      for (int j = 0; j < n; ++j) {
        r += static_cast<long double>(a(i, j)) * at(j);
        sum += std::abs(a(i, j));
      }
      worst = std::max(worst, std::abs(r));
      row_sum = std::max(row_sum, sum);
      size = std::max(size, static_cast<long double>(std::abs(at(i))));
      of_b = std::max(of_b, static_cast<long double>(std::abs(b(i))));
    }
    return static_cast<double>(worst / (row_sum * size + of_b));
  };
  if (!positive) throw std::runtime_error("the matrix is not positive definite");
  return {relative(x), relative(inverse * b)};
}

}  // namespace livi::chain_work
