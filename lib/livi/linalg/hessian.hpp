// SPDX-License-Identifier: MIT
//
// Hessian matrices by structure. The type of a potential's Hessian decides how (M + c Hess V) a = b is solved
// (shifted_solver.hpp): a potential states its sparsity once, here, and every method profits.
//
// All structures have set_zero(), add_block(i, j, B) for blocks of particles i >= j (the mirror image is implied), and
// multiply(x, out).
#pragma once

#include <vector>

#include <livi/linalg/vector.hpp>

namespace livi {

/// Any symmetric matrix, n^2 numbers. Only the lower triangle is read.
template <class S, int N>
struct DenseHessian {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  static constexpr int dimension = N;
  Matrix<S, N> matrix;

  /// Leaves a matrix of fixed size uninitialised, for the scratch of a step.
  DenseHessian() requires(N != Dynamic) {}
  /// Makes the zero matrix of the given size.
  explicit DenseHessian(Eigen::Index size) : matrix(Matrix<S, N>::Constant(size, size, S(0))) {}
  [[nodiscard]] Eigen::Index size() const { return matrix.rows(); }
  void set_zero() { matrix.setConstant(S(0)); }
  /// Adds the B x B block at block row i, block column j <= i; for i == j only its lower triangle is read.
  template <int B>
  void add_block(Eigen::Index i, Eigen::Index j, const Matrix<S, B>& block) {
    matrix.template block<B, B>(i * B, j * B) += block;
  }
  void multiply(const vector_type& x, vector_type& out) const {
    for (Eigen::Index i = 0; i < size(); ++i) {
      S sum(0);
      for (Eigen::Index j = 0; j < size(); ++j) sum += (j <= i ? matrix(i, j) : matrix(j, i)) * x(j);
      out(i) = sum;
    }
  }
};

/// A diagonal matrix: uncoupled degrees of freedom.
template <class S, int N>
struct DiagonalHessian {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  static constexpr int dimension = N;
  vector_type diagonal;

  /// Leaves a matrix of fixed size uninitialised, for the scratch of a step.
  DiagonalHessian() requires(N != Dynamic) {}
  /// Makes the zero matrix of the given size.
  explicit DiagonalHessian(Eigen::Index size) : diagonal(vector_type::Constant(size, S(0))) {}
  [[nodiscard]] Eigen::Index size() const { return diagonal.size(); }
  void set_zero() { diagonal.setConstant(S(0)); }
  void multiply(const vector_type& x, vector_type& out) const { out = diagonal.cwiseProduct(x); }
};

/// Independent blocks of B degrees of freedom: molecules whose stiffnesses are not coupled.
template <class S, int B>
struct BlockDiagonalHessian {
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  static constexpr int dimension = Dynamic;
  static constexpr int block_size = B;
  std::vector<Matrix<S, B>> blocks;

  explicit BlockDiagonalHessian(Eigen::Index size = 0) : blocks(static_cast<std::size_t>(size / B)) { set_zero(); }
  [[nodiscard]] Eigen::Index size() const { return B * static_cast<Eigen::Index>(blocks.size()); }
  void set_zero() {
    for (auto& block : blocks) block.setConstant(S(0));
  }
  /// Adds a block of a size that divides B at block row i, block column j, counted in blocks of that size; both must
  /// lie in one block of B.
  template <int Size>
  requires(B % Size == 0) void add_block(Eigen::Index i, Eigen::Index j, const Matrix<S, Size>& block) {
    constexpr Eigen::Index parts = B / Size;
    eigen_assert(i / parts == j / parts);
    blocks[static_cast<std::size_t>(i / parts)].template block<Size, Size>(Size * (i % parts), Size * (j % parts)) +=
        block;
  }
  void multiply(const vector_type& x, vector_type& out) const {
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const auto at = static_cast<Eigen::Index>(k) * B;
      for (int i = 0; i < B; ++i) {
        S sum(0);
        for (int j = 0; j < B; ++j) sum += (j <= i ? blocks[k](i, j) : blocks[k](j, i)) * x(at + j);
        out(at + i) = sum;
      }
    }
  }
};

/// Blocks of B degrees of freedom, each coupled to its two neighbours: chains.
template <class S, int B>
struct BlockTridiagonalHessian {
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  static constexpr int dimension = Dynamic;
  static constexpr int block_size = B;
  std::vector<Matrix<S, B>> diagonal;  ///< block (i, i)
  std::vector<Matrix<S, B>> lower;     ///< block (i, i-1); entry 0 is unused and zero

  explicit BlockTridiagonalHessian(Eigen::Index size = 0)
      : diagonal(static_cast<std::size_t>(size / B)), lower(static_cast<std::size_t>(size / B)) {
    set_zero();
  }
  [[nodiscard]] Eigen::Index size() const { return B * static_cast<Eigen::Index>(diagonal.size()); }
  void set_zero() {
    for (auto& block : diagonal) block.setConstant(S(0));
    for (auto& block : lower) block.setConstant(S(0));
  }
  template <int Size>
  requires(Size == B) void add_block(Eigen::Index i, Eigen::Index j, const Matrix<S, Size>& block) {
    eigen_assert(i == j || i == j + 1);
    (i == j ? diagonal : lower)[static_cast<std::size_t>(i)] += block;
  }
  void multiply(const vector_type& x, vector_type& out) const {
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
      const auto at = static_cast<Eigen::Index>(k) * B;
      for (int i = 0; i < B; ++i) {
        S sum(0);
        for (int j = 0; j < B; ++j) sum += (j <= i ? diagonal[k](i, j) : diagonal[k](j, i)) * x(at + j);
        if (k > 0)
          for (int j = 0; j < B; ++j) sum += lower[k](i, j) * x(at - B + j);
        if (k + 1 < diagonal.size())
          for (int j = 0; j < B; ++j) sum += lower[k + 1](j, i) * x(at + B + j);
        out(at + i) = sum;
      }
    }
  }
};

/// Independent triangles of three particles in space, nine degrees of freedom each, whose Hessian comes from functions
/// u_k of the squared lengths of their three sides alone: rigid or restrained molecules. With side d_k from particle j
/// to particle i and e_k the vector of R^3 with 1 at i and -1 at j, a triangle's 9 x 9 block is
///   sum_k e_k e_k^T (x) (tension_k I + stiffness_k d_k d_k^T),   tension_k = 2 u_k', stiffness_k = 4 u_k''.
/// It takes fifteen numbers instead of 81, and a solve with 3 x 3 matrices only (shifted_solver.hpp).
template <class S>
struct TriangleHessian {
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  static constexpr int dimension = Dynamic;
  /// The particles where sides 0, 1, 2 end and start. Particle 0 joins sides 0 and 1: the oxygen of water comes first.
  static constexpr int side_end[3] = {1, 2, 1}, side_start[3] = {0, 0, 2};
  struct Triangle {
    Matrix<S, 3> sides;  ///< column k: d_k
    Vector<S, 3> tension, stiffness;
  };
  std::vector<Triangle> triangles;

  explicit TriangleHessian(Eigen::Index size = 0) : triangles(static_cast<std::size_t>(size / 9)) { set_zero(); }
  [[nodiscard]] Eigen::Index size() const { return 9 * static_cast<Eigen::Index>(triangles.size()); }
  void set_zero() {
    for (auto& t : triangles) {
      t.sides.setConstant(S(0));
      t.tension.setConstant(S(0));
      t.stiffness.setConstant(S(0));
    }
  }
  void multiply(const vector_type& x, vector_type& out) const {
    out.setConstant(x.size(), S(0));
    for (std::size_t a = 0; a < triangles.size(); ++a)
      for (int k = 0; k < 3; ++k) {
        const Triangle& t = triangles[a];
        const Eigen::Index i = 9 * static_cast<Eigen::Index>(a) + 3 * side_end[k],
                           j = 9 * static_cast<Eigen::Index>(a) + 3 * side_start[k];
        S along(0);
        for (int l = 0; l < 3; ++l) along += t.sides(l, k) * (x(i + l) - x(j + l));
        for (int l = 0; l < 3; ++l) {
          const S force = t.tension(k) * (x(i + l) - x(j + l)) + t.stiffness(k) * along * t.sides(l, k);
          out(i + l) += force;
          out(j + l) -= force;
        }
      }
  }
  /// Returns the 9 x 9 block of triangle a.
  [[nodiscard]] Matrix<S, 9> block(std::size_t a) const { return block(triangles[a]); }
  [[nodiscard]] static Matrix<S, 9> block(const Triangle& t) {
    Matrix<S, 9> matrix = Matrix<S, 9>::Constant(S(0));
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l)
        for (int m = 0; m < 3; ++m) {
          const S entry = t.stiffness(k) * t.sides(l, k) * t.sides(m, k) + (l == m ? t.tension(k) : S(0));
          matrix(3 * side_end[k] + l, 3 * side_end[k] + m) += entry;
          matrix(3 * side_start[k] + l, 3 * side_start[k] + m) += entry;
          matrix(3 * side_end[k] + l, 3 * side_start[k] + m) -= entry;
          matrix(3 * side_start[k] + l, 3 * side_end[k] + m) -= entry;
        }
    return matrix;
  }
};

}  // namespace livi
