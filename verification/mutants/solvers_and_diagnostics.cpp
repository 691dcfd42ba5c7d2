// SPDX-License-Identifier: MIT
//
// Solvers, masses, number types, trajectories and diagnostics in double, compiled in seconds: see
// methods.hpp.
#include <gtest/gtest.h>

#include <livi/diagnostics/check_derivatives.hpp>
#include <livi/diagnostics/step_symplecticity.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/linalg/shifted_solver.hpp>
#include <livi/linalg/tridiagonal_elimination.hpp>
#include <livi/scalar/power_series.hpp>
#include <livi/systems/potentials.hpp>
#include <livi/trajectory/checkpoint.hpp>
#include <livi/trajectory/trajectory.hpp>

namespace {

using namespace livi;

/// |(M + c H) a - b| for a of the solver; H symmetric, its lower triangle and its product given.
template <class Hessian, class Mass, int N>
double residual(const Mass& mass, const Hessian& hessian, double c, const Vector<double, N>& b) {
  ShiftedSolver<Hessian> solver;
  EXPECT_FALSE(solver.factor(mass, c, hessian).singular);
  Vector<double, N> a = b, of_mass = b, of_hessian = b;
  solver.solve_in_place(a);
  mass.apply(a, of_mass);
  hessian.multiply(a, of_hessian);
  return max_magnitude(Vector<double, N>(of_mass + c * of_hessian - b));
}

TEST(DenseSolver, solves_even_and_odd_sizes_definite_or_not) {
  for (const double shift : {0.0, -30.0}) {  // the second makes it indefinite
    DenseHessian<double, 4> four(4);
    four.matrix << 4, 0, 0, 0, 1, 3 + shift, 0, 0, -0.5, 0.3, 2, 0, 0.2, -0.7, 0.9, 5;
    Matrix<double, 4> m;
    m << 2, 0.5, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0.2, 0, 0, 0.2, 3;
    EXPECT_LT(residual(FullMass<double, 4>(m), four, 0.3, Vector<double, 4>(1, -2, 3, 0.5)), 1e-13);
    DenseHessian<double, 3> three(3);
    three.matrix << 4, 0, 0, 1, 3 + shift, 0, -0.5, 0.3, 2;
    EXPECT_LT(residual(ScalarMass<double, 3>(2), three, 0.3, Vector<double, 3>(1, -2, 3)), 1e-13);
  }
}
// Entries of a column that are found side by side have the operations of one after the other: not even a rounding differs.
TEST(DenseSolver, of_any_size_has_the_bits_of_one_entry_after_the_other) {
  for (int n = 1; n < 17; ++n) {
    Matrix<double, Dynamic> a(n, n), factor(n, n), with_pivot(n, n);
    Vector<double, Dynamic> b(n), reciprocal(n);
    for (int i = 0; i < n; ++i) {
      b(i) = 1 / (i + 1.5);
      for (int j = 0; j < n; ++j) a(i, j) = i == j ? 1.2 + 0.1 * i : 1 / (1.7 + i + 2 * j);
    }
    Vector<double, Dynamic> expected = b;
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i) {
        with_pivot(i, j) = a(i, j);
        for (int k = 0; k < j; ++k) with_pivot(i, j) -= factor(i, k) * with_pivot(j, k);
        if (i == j) reciprocal(j) = 1 / with_pivot(j, j);
        factor(i, j) = with_pivot(i, j) * reciprocal(j);
      }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) expected(i) -= factor(i, j) * expected(j);
    expected = expected.cwiseProduct(reciprocal).eval();
    for (int i = n - 1; i >= 0; --i)
      for (int j = i + 1; j < n; ++j) expected(i) -= factor(j, i) * expected(j);
    SymmetricFactor<double, Dynamic> found;
    ASSERT_FALSE(found.factor(a).singular);
    found.solve_in_place(b);
    EXPECT_EQ(b, expected) << n;
  }
}
TEST(GaussianElimination, exchanges_rows) {
  Matrix<double, 3> m;
  m << 0, 2, 1, 1, 1, 0, 3, 0, 1;
  GaussianElimination<double, 3> elimination;
  ASSERT_FALSE(elimination.factor(m).singular);
  Vector<double, 3> b(1, -2, 3);
  const Vector<double, 3> right = b;
  elimination.solve_in_place(b);
  EXPECT_LT((m * b - right).norm(), 1e-14);
}
// Nowhere symmetric; the second and the third need exchanges, one of them twice in a row.
TEST(TridiagonalElimination, exchanges_rows_where_it_must) {
  for (const Vector<double, 5>& diagonal :
       {Vector<double, 5>(4, 5, -3, 4, 6), Vector<double, 5>(0, 5, -3, 4, 6), Vector<double, 5>(1e-9, 2e-9, 0, 4, 0)}) {
    TridiagonalElimination<double, 5> elimination;
    elimination.resize(5);
    elimination.diagonal = diagonal;
    elimination.lower << 0, 1, 2, -1, 3;
    elimination.upper << 2, -1, 1.5, 1, 0;
    Matrix<double, 5> m = diagonal.asDiagonal();
    for (int k = 1; k < 5; ++k) {
      m(k, k - 1) = elimination.lower(k);
      m(k - 1, k) = elimination.upper(k - 1);
    }
    ASSERT_FALSE(elimination.factor().singular);
    Vector<double, 5> b(1, -2, 3, 0.5, 4);
    const Vector<double, 5> right = b;
    elimination.solve_in_place(b);
    EXPECT_LT((m * b - right).norm(), 1e-13);
  }
}
TEST(TridiagonalElimination, says_singular) {
  TridiagonalElimination<double, 2> elimination;
  elimination.resize(2);
  elimination.diagonal << 0.1, 0.9;
  elimination.lower << 0, 0.3;
  elimination.upper << 0.3, 0;  // 0.9 - 3 * 0.3 is not zero in doubles
  EXPECT_TRUE(elimination.factor().singular);
}
TEST(DenseSolver, says_singular_and_indefinite) {
  ShiftedSolver<DenseHessian<double, 2>> solver;
  DenseHessian<double, 2> hessian(2);
  hessian.matrix << 0, 0, 0, -2;
  const FactorOutcome outcome = solver.factor(ScalarMass<double, 2>(1), 1, hessian);
  EXPECT_TRUE(outcome.indefinite && !outcome.singular);
  EXPECT_EQ(outcome.pivot, 1);
  hessian.matrix(1, 1) = -1;
  EXPECT_TRUE(solver.factor(ScalarMass<double, 2>(1), 1, hessian).singular);
}
TEST(GaussianElimination, says_singular_where_a_pivot_has_no_reciprocal) {
  Matrix<double, 1> m;
  m << 1e-320;
  EXPECT_TRUE((GaussianElimination<double, 1>().factor(m).singular));
}
TEST(TridiagonalElimination, says_singular_where_a_pivot_has_no_reciprocal) {
  livi::TridiagonalElimination<double, Dynamic> elimination;
  for (int row = 0; row < 4; ++row) {
    elimination.resize(4);
    elimination.lower.setConstant(0);
    elimination.upper.setConstant(0);
    elimination.diagonal.setConstant(1);
    elimination.diagonal(row) = 1e-310;
    const FactorOutcome outcome = elimination.factor();
    EXPECT_TRUE(outcome.singular) << row;
    EXPECT_EQ(outcome.pivot, row);
  }
}
// A row of another size is in another unit.
TEST(DenseSolver, eliminates_rows_of_very_different_sizes) {
  Matrix<double, 3> m;
  m << -1, 0, 0.5, 0, 1e-20, 0, 0.5, 0, 1;
  SymmetricFactor<double, 3> factor;
  const FactorOutcome outcome = factor.factor(m);
  EXPECT_FALSE(outcome.singular);
  EXPECT_EQ(outcome.negative, 1);
  Vector<double, 3> x(0.5, 3e-20, 4.5);
  factor.solve_in_place(x);
  EXPECT_LT((x - Vector<double, 3>(1.4, 3, 3.8)).norm(), 1e-14);
}
// det = epsilon: one rounding of its terms.
TEST(DenseSolver, says_singular_at_rounding) {
  for (const double size : {1.0, 0x1p-20, 0x1p30}) {
    Matrix<double, 2> m;
    m << 1, size, size, size * size * (1 + 0x1p-52);
    SymmetricFactor<double, 2> factor;
    EXPECT_TRUE(factor.factor(m).singular) << size;
  }
}
// An explicit inverse would leave a residual of epsilon / 1e-9.
TEST(DenseSolver, solves_what_an_inverse_cannot) {
  Matrix<double, 2> m;
  m << 0.3, 0.7 - 1e-9, 0.7 - 1e-9, 0.49 / 0.3;
  SymmetricFactor<double, 2> factor;
  ASSERT_FALSE(factor.factor(m).singular);
  const Vector<double, 2> x(0.3, 0.7), b(m * x);
  Vector<double, 2> solution = b;
  factor.solve_in_place(solution);
  EXPECT_LT((m * solution - b).norm(), 1e-14);
}
// A = diag(1, 1, 1) with a tension of -0.6 between two particles: its first minors are positive, its determinant is
// not.
TEST(Triangles, count_the_negative_eigenvalues_of_compressed_ones) {
  using Sides = TriangleHessian<double>;
  Sides::Triangle t;
  t.sides << 1, 0, 0.5, 0, 1, 0.5, 0, 0, 0.5;
  t.tension << 0, 0, -0.6;
  t.stiffness << 0.1, 0.2, 0.3;
  Vector<double, 9> b = Vector<double, 9>::LinSpaced(9, -1, 2);
  const Vector<double, 3> masses(1, 1, 1);
  const FactorOutcome outcome = ShiftedSolver<Sides>::solve_one(masses, 1.0, t, b);
  SymmetricFactor<double, 9> dense;
  Matrix<double, 9> block = Sides::block(t);
  block.diagonal().array() += 1;
  EXPECT_GT(outcome.negative, 0);
  EXPECT_EQ(outcome.negative, dense.factor(block).negative);
  EXPECT_TRUE(outcome.indefinite && !outcome.singular);
}
TEST(DiagonalSolver, solves) {
  DiagonalHessian<double, 2> hessian(2);
  hessian.diagonal << 3, -5;
  EXPECT_LT(residual(ScalarMass<double, 2>(2), hessian, 0.3, Vector<double, 2>(1, -2)), 1e-15);
}
TEST(BlockSolvers, solve) {
  using W = Vector<double, Dynamic>;
  BlockDiagonalHessian<double, 2> blocks(6);
  BlockTridiagonalHessian<double, 2> chain(6);
  for (int k = 0; k < 3; ++k) {
    Matrix<double, 2> block, coupling;
    block << 3 + k, 0.4, 0.4, 2;
    coupling << 0.7, -0.2, 0.1 * k, 0.5;
    blocks.add_block<2>(k, k, block);
    chain.add_block<2>(k, k, block);
    if (k > 0) chain.add_block<2>(k, k - 1, coupling);
  }
  const W b = W::LinSpaced(6, -1, 2);
  const ScalarMass<double, Dynamic> mass(1.5, 6);
  EXPECT_LT(residual(mass, blocks, 0.3, b), 1e-14);
  EXPECT_LT(residual(mass, chain, 0.3, b), 1e-14);
}
TEST(Mass, applies_and_solves) {
  Matrix<double, 2> m;
  m << 2, 0.5, 0.5, 1;
  const FullMass<double, 2> full(m);
  const DiagonalMass<double, 2> diagonal(Vector<double, 2>(1, 4));
  Vector<double, 2> v(3, -1), p;
  full.apply(v, p);
  EXPECT_LT((p - Vector<double, 2>(5.5, 0.5)).norm(), 1e-15);
  full.solve_in_place(p);
  EXPECT_LT((p - v).norm(), 1e-15);
  diagonal.apply(v, p);
  EXPECT_EQ(p, (Vector<double, 2>(3, -4)));
  EXPECT_THROW((FullMass<double, 2>(Matrix<double, 2>(-m))), InvalidParameter);
}

TEST(Dual, differentiates_products_and_quotients) {
  const Dual<double> x(2, 1), f = x * x / (x + Dual<double>(1));
  EXPECT_NEAR(f.derivative, 8.0 / 9, 1e-15);
  EXPECT_NEAR(sin(x).derivative, std::cos(2), 1e-15);
  EXPECT_NEAR(sqrt(x).derivative, 0.5 / std::sqrt(2), 1e-15);
}
TEST(PowerSeries, multiplies_divides_and_integrates) {
  using T = PowerSeries<double, 4>;
  const T t = T::variable(), geometric = T(1) / (T(1) - t), square = geometric * geometric;
  for (int k = 0; k <= 4; ++k) {
    EXPECT_DOUBLE_EQ(geometric[k], 1) << k;
    EXPECT_DOUBLE_EQ(square[k], k + 1) << k;
  }
  EXPECT_DOUBLE_EQ(square.integral()[3], 1);
}

using Oscillator = MechanicalSystem<ScalarMass<double, 1>, HarmonicPotential<double, 1>>;
Oscillator oscillator() { return {ScalarMass<double, 1>(1), {Vector<double, 1>::Constant(1)}}; }
using V1 = Vector<double, 1>;

TEST(Trajectory, counts_steps_and_keeps_the_last_good_state) {
  const Oscillator system = oscillator();
  VelocityVerlet method(system);
  Trajectory run(method, method.start(V1::Constant(1), V1::Constant(0)), 0.125, 8);
  long points = 0;
  double last = -1;
  for (const auto& point : run) {
    EXPECT_EQ(point.time, 0.125 * static_cast<double>(point.step));
    last = point.time;
    ++points;
  }
  EXPECT_EQ(points, 9);
  EXPECT_EQ(last, 1);
  EXPECT_EQ(steps_in(1, 0.125), 8);
  EXPECT_THROW(static_cast<void>(steps_in(1, 0.3)), InvalidParameter);
}
TEST(Trajectory, stops_at_what_is_not_finite) {
  const Oscillator system = oscillator();
  VelocityVerlet method(system);
  Trajectory run(method, method.start(V1::Constant(1), V1::Constant(0)), 1e160, 50);
  run.complete();
  EXPECT_FALSE(run.outcome().ok());
  EXPECT_TRUE(all_finite(run.state().q));
}
TEST(Checkpoint, resumes_bitwise) {
  const Oscillator system = oscillator();
  VelocityVerlet method(system);
  auto z = method.start(V1::Constant(1.0 / 3), V1::Constant(0.1));
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(method.step(z, 0.1).ok());
  auto loaded = method.start(V1::Constant(0), V1::Constant(0));
  load_state(save_state(z), loaded);
  EXPECT_EQ(loaded.q, z.q);
  EXPECT_EQ(loaded.v, z.v);
  EXPECT_EQ(loaded.f, z.f);
  EXPECT_EQ(loaded.step, z.step);
}
TEST(CheckDerivatives, believes_right_ones_and_no_others) {
  const Vector<double, 2> q(0.5, -0.4);
  EXPECT_TRUE(check_derivatives(HenonHeilesPotential<double>{}, q).ok());
  EXPECT_TRUE((check_derivatives(CoupledAnharmonicPotential<double, 2>{0.75, 0.5}, q).ok()));
  struct WrongThird : HenonHeilesPotential<double> {
    void third(const vector_type& x, const vector_type& a, vector_type& out) const {
      HenonHeilesPotential<double>::third(x, a, out);
      out = -out;
    }
  };
  EXPECT_FALSE(check_derivatives(WrongThird{}, q).ok());
  // Products and parts.
  using Soft = HenonHeilesPotential<double>;
  using Split = SplitPotential<Soft, CoupledAnharmonicPotential<double, 2>>;
  EXPECT_LT(check_derivatives(Split{{}, {0.75, 0.5}}, q).parts, 1e-8);
  struct WrongSoft : Split {
    void soft_hessian_product(const vector_type& x, const vector_type& a, vector_type& out) const {
      Split::soft_hessian_product(x, a, out);
      out *= 2;
    }
  };
  struct WrongStiff : Split {
    void stiff_third(const vector_type& x, const vector_type& a, vector_type& out) const { Split::third(x, a, out); }
  };
  EXPECT_FALSE(check_derivatives(WrongSoft{{{}, {0.75, 0.5}}}, q).ok());
  EXPECT_FALSE(check_derivatives(WrongStiff{{{}, {0.75, 0.5}}}, q).ok());
  Vector<double, Dynamic> particles(6);
  particles << 0.5, 0, -0.4, 0.3, 0.1, -0.6;
  EXPECT_LT(check_derivatives(PairPotential<double, 2, QuarticProfile<double>>{{1, 0.5}}, particles).parts, 1e-8);
}
TEST(StepSymplecticity, of_known_maps) {
  using S = Dual<double>;
  struct Linear {
    using system_type = MechanicalSystem<ScalarMass<S, 1>, HarmonicPotential<S, 1>>;
    using state_type = PhaseState<S, 1>;
    double qq, qv, vq, vv;
    state_type start(const Vector<S, 1>& q, const Vector<S, 1>& v) const { return {q, v}; }
    StepOutcome step(state_type& z, const S&) const {
      const S q = z.q(0), v = z.v(0);
      z.q(0) = S(qq) * q + S(qv) * v;
      z.v(0) = S(vq) * q + S(vv) * v;
      return {};
    }
  };
  const Linear::system_type system(ScalarMass<S, 1>(1), {Vector<S, 1>::Constant(1)});
  const auto defect = [&](const Linear& map) {
    return step_symplecticity(
        system, [&](const auto&) { return map; }, V1(V1::Constant(1)), V1(V1::Constant(1)), 0.1,
        CanonicalCoordinates::own);
  };
  EXPECT_LT(defect({2, 0, 0, 0.5}), 1e-15);
  EXPECT_LT(defect({0.6, 0.8, -0.8, 0.6}), 1e-15);
  EXPECT_NEAR(defect({3, 0, 0, 0.5}), 0.5, 1e-15);  // determinant 3/2
}

}  // namespace
