// SPDX-License-Identifier: MIT
//
// Water clusters: every derivative is that of the value, in 50 digits; the energy is that of the formula; the
// structures of Hessian and Jacobian are all the same matrix, and their solvers give the same solution.
#include <gtest/gtest.h>

#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/variational_stiff_zhang_skeel.hpp>
#include <livi/systems/any_constraint.hpp>
#include <livi/systems/water_cluster.hpp>

#include "derivative_check.hpp"

namespace water_cluster_test {

using livi::BlockDiagonalHessian;
using livi::DenseHessian;
using livi::Dynamic;
using livi::Float50;
using livi::Matrix;
using livi::ratio;
using livi::Rational;
using livi::tip3p;
using livi::TriangleHessian;
using livi::Vector;
using livi::WaterModel;
using livi::WaterPenalty;
using livi::WaterPotential;
using livi::test::generic_vector;
using livi::test::Jet;

/// `molecules` of them near their rigid shape, 3 apart along a bent line; `bend` is the size of the deviation.
template <class S>
Vector<S, Dynamic> bent_cluster(Eigen::Index molecules, const S& bend) {
  const Vector<S, 9> shape = livi::water_molecule(tip3p<S>());
  const Vector<S, Dynamic> generic = generic_vector<Vector<S, Dynamic>>(9 * molecules, 3);
  Vector<S, Dynamic> q(9 * molecules);
  for (Eigen::Index a = 0; a < molecules; ++a)
    for (int i = 0; i < 9; ++i) {
      // Each molecule with its axes permuted another way.
      const auto axis = static_cast<Eigen::Index>((i + a) % 3);
      q(9 * a + i) = shape(i - i % 3 + axis) + bend * generic(9 * a + i);
    }
  for (Eigen::Index a = 0; a < molecules; ++a)
    for (int atom = 0; atom < 3; ++atom) {
      q(9 * a + 3 * atom) += S(3 * static_cast<int>(a));
      q(9 * a + 3 * atom + 1) += S(static_cast<int>(a * a % 3));
    }
  return q;
}

template <class Make>
void expect_derivatives(const Make& make, Eigen::Index molecules) {
  const auto potential = make.template operator()<Float50>();
  const auto in_jets = make.template operator()<Jet<Float50>>();
  // Energies are of size 1e3, their third derivatives 1e5: 1e-42 relative leaves three digits.
  livi::test::expect_derivatives_of_value(potential, in_jets, bent_cluster<Float50>(molecules, ratio<Float50>(1, 10)),
                                          generic_vector<Vector<Float50, Dynamic>>(9 * molecules, 8), Float50("1e-42"));
}

/// The model with numbers of Float50 as any S.
template <class S>
WaterModel<S> model() {
  const WaterModel<Float50> m = tip3p<Float50>();
  return {S(m.oxygen_mass), S(m.hydrogen_mass), S(m.squared_oh), S(m.squared_hh),
          S(m.coulomb),     S(m.repulsion),     S(m.attraction)};
}

TEST(WaterDerivatives, pair_potential) {
  expect_derivatives([]<class S>() { return WaterPotential<S>(model<S>()); }, 3);
}
TEST(WaterDerivatives, penalty) {
  const auto penalty = []<class S, class H>() {
    return WaterPenalty<S, H>(model<S>().squared_oh, model<S>().squared_hh, S(400));
  };
  expect_derivatives([&]<class S>() { return penalty.template operator()<S, TriangleHessian<S>>(); }, 2);
  expect_derivatives([&]<class S>() { return penalty.template operator()<S, BlockDiagonalHessian<S, 9>>(); }, 2);
  expect_derivatives([&]<class S>() { return penalty.template operator()<S, DenseHessian<S, Dynamic>>(); }, 2);
}
TEST(WaterDerivatives, penalised_cluster) {
  expect_derivatives(
      []<class S>() {
        return penalised(livi::water_cluster<S, DenseHessian<S, Dynamic>>(2, model<S>()), S(20)).potential();
      },
      2);
}

TEST(WaterValues, are_those_of_the_formulas) {
  const auto q = bent_cluster<double>(4, 0.05);
  double energy = 0, penalty = 0;
  const auto distance = [&](Eigen::Index i, Eigen::Index j) {
    return std::hypot(q(3 * i) - q(3 * j), q(3 * i + 1) - q(3 * j + 1), q(3 * i + 2) - q(3 * j + 2));
  };
  const double charge[]{-0.834, 0.417, 0.417}, oh = 0.9572, hh = 2 * oh * std::sin(104.52 / 2 * std::acos(-1) / 180);
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < a; ++b) {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) energy += 332.06371 * charge[i] * charge[j] / distance(3 * a + i, 3 * b + j);
      const double r = distance(3 * a, 3 * b);
      energy += 582000 / std::pow(r, 12) - 595 / std::pow(r, 6);
    }
    for (const double g :
         {std::pow(distance(3 * a + 1, 3 * a), 2) - oh * oh, std::pow(distance(3 * a + 2, 3 * a), 2) - oh * oh,
          std::pow(distance(3 * a + 1, 3 * a + 2), 2) - hh * hh})
      penalty += 400 * g * g / 2;
  }
  const auto rigid = livi::water_cluster<double>(4);
  // 54 terms of size 100 that cancel to about 10.
  EXPECT_NEAR(rigid.potential().value(q), energy, 1e-11);
  EXPECT_NEAR(penalised(rigid, 20.0).potential().value(q), energy + penalty, 1e-11);
  EXPECT_EQ(rigid.mass().diagonal(2), 15.9994);
  EXPECT_EQ(rigid.mass().diagonal(3), 1.008);
  EXPECT_THROW(livi::water_cluster<double>(0), livi::InvalidParameter);
}

TEST(WaterConstraint, jacobian_is_that_of_its_value) {
  using D = livi::Dual<Float50>;
  const auto rigid = livi::water_cluster<Float50>(2);
  const livi::WaterRigidity<D> in_duals{D(rigid.constraint().squared_oh), D(rigid.constraint().squared_hh)};
  const auto q = bent_cluster<Float50>(2, ratio<Float50>(1, 10));
  livi::WaterRigidity<Float50>::jacobian_type jacobian;
  rigid.constraint().jacobian(q, jacobian);
  const auto matrix = dense(jacobian);
  ASSERT_EQ(matrix.rows(), 6);
  ASSERT_EQ(matrix.cols(), 18);
  for (Eigen::Index j = 0; j < 18; ++j) {
    Vector<D, Dynamic> z(18), g;
    for (Eigen::Index i = 0; i < 18; ++i) z(i) = D(q(i), Float50(i == j ? 1 : 0));
    in_duals.value(z, g);
    for (Eigen::Index i = 0; i < 6; ++i) EXPECT_TRUE(g(i).derivative == matrix(i, j));
  }
  const auto v = generic_vector<Vector<Float50, Dynamic>>(18, 2), mu = generic_vector<Vector<Float50, Dynamic>>(6, 1);
  Vector<Float50, Dynamic> image, transposed;
  multiply(jacobian, v, image);
  multiply_transposed(jacobian, mu, transposed);
  EXPECT_LE(livi::max_magnitude((image - matrix * v).eval()), Float50("1e-47"));
  EXPECT_LE(livi::max_magnitude((transposed - matrix.transpose() * mu).eval()), Float50("1e-47"));
}

/// (M + c H) x = b by triangles and by dense 9 x 9 blocks, in rationals: equal means equal. Tensions of both signs.
TEST(TriangleSolver, gives_the_solution_of_the_dense_blocks) {
  using Q = Rational;
  const WaterModel<Q> water{Q(16), Q(1), ratio<Q>(23, 25), ratio<Q>(229, 100), Q(1), Q(1), Q(1)};
  for (const int omega : {1, 20, 500})
    for (const bool compressed : {false, true}) {
      Vector<Q, Dynamic> q = generic_vector<Vector<Q, Dynamic>>(18, omega);
      if (compressed) q *= ratio<Q>(1, 10);
      TriangleHessian<Q> triangles(18);
      BlockDiagonalHessian<Q, 9> blocks(18);
      WaterPenalty<Q, TriangleHessian<Q>>(water.squared_oh, water.squared_hh, Q(omega * omega)).hessian(q, triangles);
      WaterPenalty<Q, BlockDiagonalHessian<Q, 9>>(water.squared_oh, water.squared_hh, Q(omega * omega))
          .hessian(q, blocks);
      const auto mass = livi::water_masses<Q>(2, water);
      livi::ShiftedSolver<TriangleHessian<Q>> fast;
      livi::ShiftedSolver<BlockDiagonalHessian<Q, 9>> dense;
      const Q c = ratio<Q>(1, 1600);
      const auto of_fast = fast.factor(mass, c, triangles), of_dense = dense.factor(mass, c, blocks);
      EXPECT_FALSE(of_fast.singular);
      EXPECT_EQ(of_fast.indefinite, of_dense.indefinite);
      EXPECT_EQ(of_fast.indefinite, compressed && omega > 1) << omega;
      Vector<Q, Dynamic> x = generic_vector<Vector<Q, Dynamic>>(18, 5), y = x;
      fast.solve_in_place(x);
      dense.solve_in_place(y);
      EXPECT_TRUE(x == y) << "omega " << omega << ", compressed " << compressed;
      for (std::size_t a = 0; a < 2; ++a)
        for (int i = 0; i < 9; ++i)
          for (int j = 0; j <= i; ++j) EXPECT_TRUE(triangles.block(a)(i, j) == blocks.blocks[a](i, j));
      Vector<Q, Dynamic> image, of_block = y;
      triangles.multiply(y, image);
      blocks.multiply(y, of_block);
      EXPECT_TRUE(image == of_block);
    }
}

/// SHAKE and RATTLE molecule by molecule are those with one dense Jacobian.
TEST(RigidWater, steps_are_those_with_a_dense_jacobian) {
  const auto rigid = livi::water_cluster<double>(3);
  const auto q = bent_cluster<double>(3, 0);
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(27);
  const livi::AnyConstraint<double> constraint(rigid.constraint(), 9);
  const livi::ConstrainedSystem<livi::DiagonalMass<double, Dynamic>, WaterPotential<double>,
                                livi::AnyConstraint<double>>
      any(rigid.mass(), rigid.potential(), constraint);
  const auto compare = [&](auto structured, auto dense) {
    auto z = structured.start(q, at_rest);
    auto w = dense.start(q, at_rest);
    for (int k = 0; k < 20; ++k) {
      ASSERT_TRUE(structured.step(z, 0.05).ok());
      ASSERT_TRUE(dense.step(w, 0.05).ok());
    }
    // Rounding of 1e-15 per step, grown by a motion of twenty steps.
    EXPECT_LE((z.q - w.q).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LE((z.v - w.v).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_GT((z.q - q).cwiseAbs().maxCoeff(), 1e-2);
    Vector<double, Dynamic> g;
    rigid.constraint().value(z.q, g);
    EXPECT_LE(g.cwiseAbs().maxCoeff(), 1e-13);
  };
  compare(livi::Shake(rigid), livi::Shake(any));
  compare(livi::Rattle(rigid), livi::Rattle(any));
}

TEST(RestrainedWater, stiff_steps_do_not_depend_on_the_structure) {
  const auto triangles = penalised(livi::water_cluster<double>(3), 20.0);
  const auto blocks = penalised(livi::water_cluster<double, BlockDiagonalHessian<double, 9>>(3), 20.0);
  const auto q = bent_cluster<double>(3, 0.01);
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(27);
  const auto compare = [&](auto fast, auto slow) {
    auto z = fast.start(q, at_rest);
    auto w = slow.start(q, at_rest);
    for (int k = 0; k < 20; ++k) {
      ASSERT_TRUE(fast.step(z, 0.05).ok());
      ASSERT_TRUE(slow.step(w, 0.05).ok());
    }
    EXPECT_LE((z.q - w.q).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_GT((z.q - q).cwiseAbs().maxCoeff(), 1e-2);
  };
  compare(livi::StiffZhangSkeel(triangles), livi::StiffZhangSkeel(blocks));
  compare(livi::VariationalStiffZhangSkeel(triangles, {0.3}), livi::VariationalStiffZhangSkeel(blocks, {0.3}));
}

}  // namespace water_cluster_test
