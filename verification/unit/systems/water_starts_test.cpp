// SPDX-License-Identifier: MIT
//
// The starting clusters are what they say: minima of (24) under (25) with the stated energies, in double and in 50
// digits, found again by formulas that the search for them does not use.
#include <gtest/gtest.h>
#include <livi/report/water_starts.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/rigid_water.hpp>

#include <Eigen/Dense>
#include <algorithm>
#include <cstdlib>

#include "derivative_check.hpp"

namespace water_starts_test {

using livi::DenseHessian;
using livi::Dynamic;
using livi::Float50;
using livi::Matrix;
using livi::tip3p;
using livi::Vector;
using livi::WaterFrame;
using livi::test::generic_vector;

template <class S>
using V = Vector<S, Dynamic>;

/// E(exp(e motion) q) of a trial motion, by differences in 50 digits.
TEST(RigidMotion, derivatives_are_those_of_the_energy) {
  const livi::WaterPotential<Float50> potential(tip3p<Float50>());
  const V<Float50> q = livi::with_rigid_shape(livi::water_start("heptamer").q, potential.model);
  const V<Float50> motion = generic_vector<V<Float50>>(42, 3);
  V<Float50> gradient;
  potential.gradient(q, gradient);
  DenseHessian<Float50, Dynamic> hessian(63);
  potential.hessian(q, hessian);
  // The cluster turned away from its minimum, where the gradient counts.
  const V<Float50> away = livi::moved_rigidly(q, generic_vector<V<Float50>>(42, 1));
  for (const V<Float50>& at : {q, away}) {
    potential.gradient(at, gradient);
    potential.hessian(at, hessian);
    const Float50 e("1e-12");
    const auto energy = [&](int k) { return potential.value(livi::moved_rigidly<Float50>(at, k * e * motion)); };
    const Float50 before = energy(-1), here = energy(0), after = energy(1);
    const V<Float50> rigid = livi::rigid_gradient(at, gradient);
    const Matrix<Float50, Dynamic> second = livi::rigid_hessian(at, gradient, hessian);
    Float50 first_expected(0), second_expected(0);
    for (int i = 0; i < 42; ++i) {
      first_expected += rigid(i) * motion(i);
      for (int j = 0; j < 42; ++j) second_expected += motion(i) * second(i, j) * motion(j);
    }
    // Differences leave e^2 = 1e-24 of the third and fourth derivatives, which here reach 1e6; rounding 1e-48/e^2.
    EXPECT_LE(abs((after - before) / (2 * e) - first_expected), Float50("1e-16"));
    EXPECT_LE(abs((after - 2 * here + before) / (e * e) - second_expected), Float50("1e-16"));
  }
}

TEST(RigidMotion, of_something_that_is_no_number_is_none) {
  const V<double> q = livi::with_rigid_shape(livi::water_start("dimer").q, tip3p<double>());
  for (Eigen::Index k = 0; k < 6; ++k) {
    V<double> motion = V<double>::Zero(12);
    motion(k) = std::nan("");
    const V<double> moved = livi::moved_rigidly(q, motion);
    for (Eigen::Index atom = 0; atom < 3; ++atom) EXPECT_TRUE(moved.segment(3 * atom, 3).hasNaN()) << k << " " << atom;
    // The other molecule.
    EXPECT_EQ(moved.tail(9), q.tail(9)) << k;
  }
  EXPECT_EQ(livi::moved_rigidly<double>(q, V<double>::Zero(12)), q);
}
/// No motion, in dual numbers: the derivative along a displacement is that displacement.
TEST(RigidMotion, dual_numbers_that_stay_have_derivatives) {
  using Dual = livi::Dual<double>;
  const V<double> q = livi::with_rigid_shape(livi::water_start("dimer").q, tip3p<double>());
  V<Dual> dual(18), motion = V<Dual>::Constant(12, Dual(0));
  for (Eigen::Index i = 0; i < 18; ++i) dual(i) = Dual(q(i));
  motion(0).derivative = 1;
  const V<Dual> moved = livi::moved_rigidly(dual, motion);
  for (Eigen::Index i = 0; i < 18; ++i) {
    EXPECT_EQ(moved(i).value, q(i));
    EXPECT_EQ(moved(i).derivative, i < 9 && i % 3 == 0 ? 1 : 0) << i;
  }
}

class WaterStarts : public testing::TestWithParam<std::string> {};

TEST_P(WaterStarts, have_their_energy_and_shape) {
  const WaterFrame frame = livi::water_start(GetParam());
  const Float50 stated(frame.remark("energy"));
  const auto rigid = livi::water_cluster<double>(frame.molecules());
  // Positions of size 10 round to 1e-15; g is a difference of their squares.
  V<double> g;
  rigid.constraint().value(frame.q, g);
  EXPECT_LE(g.cwiseAbs().maxCoeff(), 1e-13);
  // At a minimum only the second order of rounding counts, and the sum's own: 44550 terms of size 30 to 1e-16 each.
  EXPECT_NEAR(rigid.potential().value(frame.q), static_cast<double>(stated), 1e-9);
  const livi::WaterPotential<Float50> potential(tip3p<Float50>());
  const V<Float50> exact = livi::with_rigid_shape(frame.q, potential.model);
  // Rounding displaces molecules by 1e-15, against curvatures of up to 1e3: below 1e-25.
  EXPECT_LE(abs(potential.value(exact) - stated), Float50("1e-24"));
  // Centre of mass.
  const auto masses = livi::water_masses(frame.molecules(), tip3p<double>());
  for (int k = 0; k < 3; ++k) {
    double moment = 0;
    for (Eigen::Index i = k; i < frame.q.size(); i += 3) moment += masses.diagonal(i) * frame.q(i);
    EXPECT_LE(std::abs(moment), 1e-10);
  }
}

/// At rest: grad V is in the span of the rows of Dg. A minimum: Hess V - sum lambda Hess g is positive on the kernel of
/// Dg, but for six motions of the whole cluster.
TEST_P(WaterStarts, are_minima_by_multipliers) {
  const WaterFrame frame = livi::water_start(GetParam());
  const auto rigid = livi::water_cluster<double>(frame.molecules());
  const Eigen::Index n = frame.q.size(), molecules = frame.molecules();
  V<double> gradient, lambda(3 * molecules);
  rigid.potential().gradient(frame.q, gradient);
  livi::WaterRigidity<double>::jacobian_type jacobian;
  rigid.constraint().jacobian(frame.q, jacobian);
  const Eigen::MatrixXd rows = dense(jacobian);
  DenseHessian<double, Dynamic> hessian(n);
  rigid.potential().hessian(frame.q, hessian);
  Eigen::MatrixXd tangent = Eigen::MatrixXd::Zero(n, 6 * molecules);
  double residual = 0;
  for (Eigen::Index m = 0; m < molecules; ++m) {
    // The multipliers of a molecule, and an orthonormal basis of what its equations leave free.
    const Eigen::MatrixXd own = rows.block(3 * m, 9 * m, 3, 9).transpose();
    const Eigen::HouseholderQR<Eigen::MatrixXd> factor(own);
    const Eigen::MatrixXd basis = factor.householderQ() * Eigen::MatrixXd::Identity(9, 9);
    const Eigen::VectorXd force = gradient.segment(9 * m, 9);
    lambda.segment(3 * m, 3) = own.colPivHouseholderQr().solve(force);
    residual = std::max(residual, (basis.rightCols(6).transpose() * force).cwiseAbs().maxCoeff());
    tangent.block(9 * m, 6 * m, 9, 6) = basis.rightCols(6);
  }
  // Positions rounded to 1e-15 with curvatures of up to 1e3, in sums of 100 terms.
  EXPECT_LE(residual, 1e-10);
  rigid.constraint().add_hessian(frame.q, V<double>(-lambda), hessian);
  const Eigen::MatrixXd full = hessian.matrix.selfadjointView<Eigen::Lower>();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> curvatures(tangent.transpose() * full * tangent,
                                                                  Eigen::EigenvaluesOnly);
  V<double> sorted = curvatures.eigenvalues();
  std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  // Curvatures of up to 1e3 to rounding; the smallest that is not zero is far above.
  EXPECT_LE(std::abs(sorted(5)), 1e-7);
  EXPECT_GT(curvatures.eigenvalues()(0), -1e-7);
  EXPECT_GT(sorted(6), 1e-3);
}

/// What a search would write, from the file: 50 digits of the derivative and the smallest curvature.
TEST_P(WaterStarts, are_at_rest_as_rigid_bodies) {
  const WaterFrame frame = livi::water_start(GetParam());
  const livi::WaterPotential<double> potential(tip3p<double>());
  V<double> gradient;
  potential.gradient(frame.q, gradient);
  DenseHessian<double, Dynamic> hessian(frame.q.size());
  potential.hessian(frame.q, hessian);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> curvatures(livi::rigid_hessian(frame.q, gradient, hessian),
                                                                  Eigen::EigenvaluesOnly);
  EXPECT_LE(livi::rigid_gradient(frame.q, gradient).cwiseAbs().maxCoeff(), 1e-10);
  const std::string& stated = frame.remark("least_curvature");
  EXPECT_NEAR(curvatures.eigenvalues()(6), std::strtod(stated.c_str(), nullptr), 1e-5);
  const Eigen::MatrixXd whole = livi::whole_motions(frame.q);
  EXPECT_LE((whole.transpose() * whole - Eigen::MatrixXd::Identity(6, 6)).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LE((livi::rigid_hessian(frame.q, gradient, hessian) * whole).cwiseAbs().maxCoeff(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(All, WaterStarts, testing::ValuesIn(livi::water_start_names()), [](const auto& start) {
  std::string name = start.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(WaterStartNames, are_known_and_ordered_by_energy) {
  EXPECT_EQ(livi::water_start_names(), (std::vector<std::string>{"dimer", "heptamer-2", "heptamer-3", "heptamer-4",
                                                                 "heptamer-5", "heptamer-6", "heptamer", "hundred"}));
  double before = std::strtod(livi::water_start("heptamer").remark("energy").c_str(), nullptr);
  for (const char* other : {"heptamer-2", "heptamer-3", "heptamer-4", "heptamer-5", "heptamer-6"}) {
    const double energy = std::strtod(livi::water_start(other).remark("energy").c_str(), nullptr);
    EXPECT_GT(energy, before + 0.01);
    before = energy;
  }
  EXPECT_EQ(livi::water_start("hundred").molecules(), 100);
  EXPECT_THROW(livi::water_start("octamer"), livi::InvalidParameter);
}

}  // namespace water_starts_test
