// SPDX-License-Identifier: MIT
//
// Block-tridiagonal systems and steps on chains in double, compiled in seconds, against dense elimination with
// pivoting: see methods.hpp. The thorough tests are shifted_solver_test.cpp and neighbour_sweep_test.cpp of verification/unit/numerics.
#include <gtest/gtest.h>

#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/systems/planar_chain.hpp>

namespace {

using namespace livi;
using V = Vector<double, Dynamic>;

/// Numbers without a pattern between -1 and 1.
double number(int i) { return std::sin(12.9898 * i) * std::cos(78.233 * i + 1); }

/// A random symmetric block-tridiagonal matrix, diagonally dominant but for the rows `negative`, which are so with the
/// other sign.
template <int B>
BlockTridiagonalHessian<double, B> random_matrix(int rows, const std::vector<int>& negative = {}) {
  BlockTridiagonalHessian<double, B> h(B * rows);
  int next = 1;
  for (int k = 0; k < rows; ++k) {
    Matrix<double, B> block = Matrix<double, B>::Zero(), coupling;
    for (int i = 0; i < B; ++i)
      for (int j = 0; j < B; ++j) {
        coupling(i, j) = number(next++);
        if (j <= i) block(i, j) = block(j, i) = number(next++);
      }
    const bool is_negative = std::find(negative.begin(), negative.end(), k) != negative.end();
    for (int i = 0; i < B; ++i) block(i, i) += is_negative ? -9 : 9;
    h.template add_block<B>(k, k, block);
    if (k > 0) h.template add_block<B>(k, k - 1, coupling);
  }
  return h;
}
/// M + c H as a full matrix.
template <class Hessian, class Mass>
Matrix<double, Dynamic> dense(const Mass& mass, double c, const Hessian& h) {
  const Eigen::Index n = h.size();
  Matrix<double, Dynamic> a(n, n);
  V unit = V::Zero(n), column(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    unit(j) = 1;
    h.multiply(unit, column);
    a.col(j) = c * column;
    a(j, j) += mass.diagonal(j);
    unit(j) = 0;
  }
  return a;
}
V solve_densely(const Matrix<double, Dynamic>& a, V b) {
  GaussianElimination<double, Dynamic> elimination;
  EXPECT_FALSE(elimination.factor(a).singular);
  elimination.solve_in_place(b);
  return b;
}

template <int B>
void expect_solves() {
  for (int rows = 1; rows <= 8; ++rows)
    for (const std::vector<int>& negative :
         {std::vector<int>{}, std::vector<int>{0, rows - 1}, std::vector<int>{rows / 2}}) {
      const auto h = random_matrix<B>(rows, negative);
      V masses(B * rows), b(B * rows);
      for (int i = 0; i < B * rows; ++i) {
        masses(i) = 1 + 0.1 * i;
        b(i) = number(1000 + i);
      }
      const DiagonalMass<double, Dynamic> mass(masses);
      const V exact = solve_densely(dense(mass, 0.7, h), b);
      ShiftedSolver<BlockTridiagonalHessian<double, B>> solver;
      ASSERT_FALSE(solver.factor(mass, 0.7, h).singular);
      solver.solve_in_place(b);
      EXPECT_LT((b - exact).norm(), 1e-12) << rows;
    }
}
TEST(BlockTridiagonal, solves) {
  expect_solves<1>();
  expect_solves<2>();
  expect_solves<3>();
}

TEST(BlockTridiagonal, counts_negative_eigenvalues_and_names_the_first_row) {
  for (int rows = 3; rows <= 8; ++rows) {
    ShiftedSolver<BlockTridiagonalHessian<double, 2>> solver;
    const FactorOutcome outcome =
        solver.factor(ScalarMass<double, Dynamic>(1, 2 * rows), 1.0, random_matrix<2>(rows, {0, rows / 2, rows - 1}));
    EXPECT_TRUE(outcome.indefinite);
    EXPECT_EQ(outcome.negative, 6);
    EXPECT_EQ(outcome.pivot, 0);
    const FactorOutcome definite = solver.factor(ScalarMass<double, Dynamic>(1, 2 * rows), 1.0, random_matrix<2>(rows));
    EXPECT_FALSE(definite.indefinite);
    EXPECT_EQ(definite.negative, 0);
  }
}

TEST(BlockTridiagonal, names_the_singular_row) {
  for (int rows = 1; rows <= 8; ++rows)
    for (int row = 0; row < rows; ++row) {
      BlockTridiagonalHessian<double, 2> h(2 * rows);
      for (auto& block : h.diagonal) block << 2, 0, 0.5, 3;
      h.diagonal[static_cast<std::size_t>(row)] << 0.1, 0, 0.3, 0.9;  // 0.1 0.9 - 0.3^2 is round-off
      ShiftedSolver<BlockTridiagonalHessian<double, 2>> solver;
      const FactorOutcome outcome = solver.factor(ScalarMass<double, Dynamic>(1e-18, 2 * rows), 1.0, h);
      EXPECT_TRUE(outcome.singular) << rows << " " << row;
      EXPECT_EQ(outcome.pivot, row) << rows;
    }
}

/// A chain of n pendula of different masses and lengths at a generic point.
struct Pendula {
  using Potential = PenalisedPotential<GravityPotential<double, Dynamic>,
                                       PlanarChainPenalty<double, Dynamic, BlockTridiagonalHessian<double, 2>>>;
  using System = MechanicalSystem<DiagonalMass<double, Dynamic>, Potential>;
  System system;
  V q, v;
  static System make(int n) {
    V masses(2 * n), squared_lengths(n);
    for (int i = 0; i < 2 * n; ++i) masses(i) = 1.5 + number(i);
    for (int k = 0; k < n; ++k) squared_lengths(k) = 1.5 + 0.5 * number(k + 100);
    return {DiagonalMass<double, Dynamic>(masses), {{0.7}, {squared_lengths, 25}}};
  }
  explicit Pendula(int n) : system(make(n)), q(2 * n), v(2 * n) {
    for (int i = 0; i < 2 * n; ++i) {
      q(i) = 0.6 * (i / 2 + 1) + number(i + 200);
      v(i) = number(i + 300);
    }
  }
};
constexpr double h = 0.1, beta = 0.3, c = beta * h * h;

TEST(Sweep, is_equation_3_by_dense_elimination) {
  for (int n = 1; n <= 8; ++n) {
    const Pendula chain(n);
    const auto& potential = chain.system.potential();
    V gradient(2 * n), third(2 * n), f(2 * n), simple(2 * n), physical(2 * n);
    BlockTridiagonalHessian<double, 2> hessian(2 * n);
    potential.gradient(chain.q, gradient);
    potential.hessian(chain.q, hessian);
    const V a = solve_densely(dense(chain.system.mass(), c, hessian), -gradient);
    potential.third(chain.q, a, third);
    chain.system.mass().solve_in_place(third);
    WorkCounters work;
    ZhangSkeel method(chain.system, {beta});
    SimplifiedZhangSkeel simplified(chain.system, {beta});
    ASSERT_TRUE(method.force()(chain.system, chain.q, h, f, work).ok());
    ASSERT_TRUE(simplified.force()(chain.system, chain.q, h, simple, work).ok());
    ASSERT_TRUE(method.force().physical_position(chain.system, chain.q, h, physical, work).ok());
    // Accelerations of 10 to 100.
    EXPECT_LT((simple - a).norm(), 1e-11) << n;
    EXPECT_LT((f - (a - c * c / 2 * third)).norm(), 1e-11) << n;
    EXPECT_LT((physical - (chain.q + c * a)).norm(), 1e-13) << n;
  }
}

TEST(Sweep, moves_each_row_once) {
  for (int n = 1; n <= 8; ++n) {
    const Pendula chain(n);
    ZhangSkeel method(chain.system, {beta});
    auto z = method.start(chain.q, chain.v);
    ASSERT_TRUE(method.step(z, h).ok());
    auto by_hand = z;
    ASSERT_TRUE(method.step(z, h).ok());
    by_hand.v += h / 2 * by_hand.f;
    by_hand.q += h * by_hand.v;
    WorkCounters work;
    ASSERT_TRUE(method.force()(chain.system, by_hand.q, h, by_hand.f, work).ok());
    by_hand.v += h / 2 * by_hand.f;
    EXPECT_EQ(z.q, by_hand.q) << n;
    EXPECT_EQ(z.v, by_hand.v) << n;
    EXPECT_EQ(z.f, by_hand.f) << n;
  }
}

}  // namespace
