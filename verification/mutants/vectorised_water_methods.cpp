// SPDX-License-Identifier: MIT
//
// Water with vector instructions: what a wrong version of it must fail. The kernels are compiled with this program.
// Two instruction sets are enough here, and quick to compile: one with four lanes, one with one.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#include <livi/systems/vectorised_water.cpp>

#include <gtest/gtest.h>

#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>

namespace {

using V = livi::Vector<double, livi::Dynamic>;

/// Molecules in a row that winds, each turned by a different angle.
V row(Eigen::Index molecules) {
  const auto shape = livi::water_molecule(livi::tip3p<double>());
  V q(9 * molecules);
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double angle = static_cast<double>(i / 9 * (i / 9)), c = std::cos(angle), s = std::sin(angle);
    const Eigen::Index atom = i % 9 / 3;
    const double x = shape(3 * atom), y = shape(3 * atom + 1);
    q(i) = i % 3 == 0 ? 3.0 * static_cast<double>(i / 9) + c * x - s * y : i % 3 == 1 ? s * x + c * y : 2 * s;
  }
  return q;
}

TEST(VectorisedPairs, are_the_scalar_ones) {
  const livi::WaterPotential<double> plain(livi::tip3p<double>());
  const livi::VectorisedWaterPotential fast(livi::tip3p<double>());
  for (Eigen::Index molecules = 1; molecules < 14; ++molecules) {
    const V q = row(molecules);
    V f(q.size()), g(q.size());
    plain.gradient(q, g);
    const double value = fast.value_and_gradient(q, f);
    EXPECT_LE((f - g).cwiseAbs().maxCoeff(), 1e-11) << molecules;
    EXPECT_NEAR(value, plain.value(q), 1e-10) << molecules;
  }
}
TEST(VectorisedSteps, are_the_scalar_ones) {
  const auto fast = penalised(livi::vectorised_water_cluster(9), 20.0);
  const auto plain = penalised(livi::water_cluster<double>(9), 20.0);
  livi::StiffZhangSkeel of_fast(fast);
  livi::StiffZhangSkeel of_plain(plain);
  const V q = row(9), at_rest = V::Zero(81);
  auto y = of_fast.start(q, at_rest);
  auto z = of_plain.start(q, at_rest);
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(of_fast.step(y, 0.05).ok() && of_plain.step(z, 0.05).ok());
  EXPECT_LE((y.q - z.q).cwiseAbs().maxCoeff(), 1e-11);
}
// Masses of 1 with c times the tension of the hydrogens' side -0.6: the first minors of A are positive, its determinant
// is not.
TEST(VectorisedSolves, count_the_negative_eigenvalues_of_compressed_molecules) {
  const livi::RestrainedWater penalty(1, 2, 1);
  V q(9);
  q << 0, 0, 0, 1, 0, 0, 0.6, 0.8, 0;  // the hydrogens nearer than they should be
  livi::TriangleHessian<double> hessian(9);
  penalty.hessian(q, hessian);
  const auto& triangle = hessian.triangles[0];
  ASSERT_LT(triangle.tension(2), 0);
  const double c = -0.6 / triangle.tension(2);
  V f = V::LinSpaced(9, -1, 1);
  const livi::FactorOutcome outcome =
      livi::vectorised_stiff_solve(penalty, livi::DiagonalMass<double, livi::Dynamic>(V::Ones(9)), c, q, f);
  livi::Vector<double, 9> b = V::LinSpaced(9, -1, 1);
  const livi::FactorOutcome scalar =
      livi::ShiftedSolver<livi::TriangleHessian<double>>::solve_one(livi::Vector<double, 3>(1, 1, 1), c, triangle, b);
  EXPECT_GT(scalar.negative, 0);
  EXPECT_EQ(outcome.negative, scalar.negative);
}
TEST(VectorisedMultipliers, of_a_molecule_depend_on_it_alone) {
  const auto rigid = livi::vectorised_water_cluster(9);
  const auto one = livi::vectorised_water_cluster(1);
  const V q = row(9);
  V r = q, mu = V::Zero(27), solved(81);
  for (Eigen::Index i = 0; i < 81; ++i)
    r(i) += 1e-3 * static_cast<double>(i / 9) * std::sin(static_cast<double>(i * i));
  livi::VectorisedWaterMultipliers equations(rigid.constraint(), rigid.mass());
  equations.set_directions(q);
  ASSERT_EQ(equations.solve_position(r, livi::NewtonOptions<double>(), mu, solved).block, -1);
  for (Eigen::Index a = 0; a < 9; ++a) {
    livi::VectorisedWaterMultipliers alone(one.constraint(), one.mass());
    V mu_1 = V::Zero(3), solved_1(9);
    alone.set_directions(q.segment(9 * a, 9));
    ASSERT_EQ(alone.solve_position(r.segment(9 * a, 9), livi::NewtonOptions<double>(), mu_1, solved_1).block, -1);
    EXPECT_TRUE(mu_1 == mu.segment(3 * a, 3) && solved_1 == solved.segment(9 * a, 9)) << a;
  }
}

}  // namespace
