// SPDX-License-Identifier: MIT
//
// Matrices of rationals by definition: ranks, minors, inverses; and random problems with integer entries, in every
// structure of Hessian and mass, beside the same problem as a dense matrix of rationals.
#pragma once

#include <algorithm>
#include <livi/linalg/shifted_solver.hpp>
#include <livi/scalar/multiprecision.hpp>

#include "verification/support/fixed_seed.hpp"

namespace livi::test {

using Q = Rational;
using Exact = Matrix<Q, Dynamic>;
using ExactVector = Vector<Q, Dynamic>;

// --- linear algebra by definition, for comparison -------------------------------------------------------------------

/// Row echelon form of [a | b] by exact elimination; returns the rank of a.
inline Eigen::Index eliminate(Exact& a, Exact& b) {
  Eigen::Index rank = 0;
  for (Eigen::Index column = 0; column < a.cols() && rank < a.rows(); ++column) {
    Eigen::Index pivot = rank;
    while (pivot < a.rows() && a(pivot, column) == 0) ++pivot;
    if (pivot == a.rows()) continue;
    a.row(rank).swap(a.row(pivot));
    if (b.cols() > 0) b.row(rank).swap(b.row(pivot));  // a row of nothing has no address
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

inline Eigen::Index rank_of(Exact a) {
  Exact nothing(a.rows(), 0);
  return eliminate(a, nothing);
}

/// Laplace expansion along the first row.
inline Q determinant(const Exact& a) {
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
inline Exact inverse(Exact a) {
  const Eigen::Index n = a.rows();
  Exact b = Exact::Constant(n, n, Q(0));
  for (Eigen::Index i = 0; i < n; ++i) b(i, i) = 1;
  eliminate(a, b);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) b(i, j) /= a(i, i);
  return b;
}

inline Q norm(const Exact& a) {
  Q largest = 0;
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    Q sum = 0;
    for (Eigen::Index j = 0; j < a.cols(); ++j) sum += abs(a(i, j));
    largest = std::max(largest, sum);
  }
  return largest;
}

inline ExactVector product(const Exact& a, const ExactVector& x) {
  ExactVector y(a.rows());
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    y(i) = 0;
    for (Eigen::Index j = 0; j < a.cols(); ++j) y(i) += a(i, j) * x(j);
  }
  return y;
}

/// Index of the first leading minor that is not positive; n if the matrix is positive definite (Sylvester).
inline int first_bad_minor(const Exact& a) {
  for (Eigen::Index k = 0; k < a.rows(); ++k)
    if (determinant(a.topLeftCorner(k + 1, k + 1)) <= 0) return static_cast<int>(k);
  return static_cast<int>(a.rows());
}

/// Negative eigenvalues of a symmetric matrix: its characteristic polynomial (Faddeev and Le Verrier) has real roots
/// only, so det(a + x I) has as many positive roots as its coefficients change sign (Descartes).
inline int negative_eigenvalues(const Exact& a) {
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

inline int small_integer() { return *rc::gen::inRange(-9, 10); }

/// A number that no solver may read: it fills upper triangles.
inline constexpr int never_read = 7777;

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

}  // namespace livi::test
