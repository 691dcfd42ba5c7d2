// SPDX-License-Identifier: MIT
//
// SO(3) and the torques of potentials on it, in double, compiled in seconds: see methods.hpp.
#include <gtest/gtest.h>

#include <livi/diagnostics/check_derivatives.hpp>

#include "verification/mutants/bodies.hpp"

namespace {

using namespace livi;
using so3::CayleyMap;
using so3::ExponentialMap;

// --- SO(3) ----------------------------------------------------------------------------------------------------------

/// All that Map says of itself, at x and against differences of order four.
template <class Map>
void expect_consistent(const Vector3<double>& x) {
  const Matrix3<double> q = Map::map(x), d = Map::differential(x);
  EXPECT_LT(so3::orthogonality_defect(q), rounding);
  EXPECT_LT((Map::inverse(q) - x).norm(), rounding * (1 + x.squaredNorm()));
  EXPECT_LT((Map::inverse_differential(x) * d - Matrix3<double>::Identity()).norm(), rounding * (1 + x.squaredNorm()));
  const Vector3<double> m(0.3, -0.8, 0.5);
  EXPECT_LT((Map::pull_back(x, m) - Map::inverse_differential(x).transpose() * m).norm(), rounding);
  const Matrix3<double> dm = Map::pull_back_derivative(x, m);
  for (int i = 0; i < 3; ++i) {
    const double s = 1e-3;
    const auto at = [&](double along) { return Vector3<double>(x + along * Vector3<double>::Unit(i)); };
    const auto difference = [&](const auto& f) {
      return ((8 * (f(s) - f(-s)) - (f(2 * s) - f(-2 * s))) / (12 * s)).eval();
    };
    const Matrix3<double> body = q.transpose() * difference([&](double t) { return Map::map(at(t)); });
    EXPECT_LT((so3::vee(body) - d.col(i)).norm(), 1e-9);
    EXPECT_LT((difference([&](double t) { return Map::pull_back(at(t), m); }) - dm.col(i)).norm(), 1e-9);
  }
}
TEST(SO3, exponential_map_is_consistent) {
  expect_consistent<ExponentialMap>({0.2, -0.3, 0.1});
  expect_consistent<ExponentialMap>({1.1, -0.9, 1.3});
  expect_consistent<ExponentialMap>({0, 0, 0});
}
TEST(SO3, cayley_map_is_consistent) {
  expect_consistent<CayleyMap>({0.2, -0.3, 0.1});
  expect_consistent<CayleyMap>({1.1, -0.9, 1.3});
}
TEST(SO3, angle_of_the_exponential_map_is_that_of_its_vector) {
  for (const double angle : {0.5, 2.0}) {
    const Matrix3<double> q = so3::exp(Vector3<double>(0, 0, angle));
    EXPECT_NEAR(q(1, 0), std::sin(angle), 1e-15);
    EXPECT_NEAR(q(0, 0), std::cos(angle), 1e-15);
  }
}
TEST(SO3, inverse_maps_are_accurate_near_half_turns) {
  const Vector3<double> axis = Vector3<double>(1, -2, 0.5).normalized();
  for (const double hair : {1e-3, 1e-6, 1e-9}) {
    const Vector3<double> x = (M_PI - hair) * axis;
    EXPECT_LT((so3::log(so3::exp(x)) - x).norm(), 1e-14);
  }
}
TEST(SO3, three_equations_are_solved) {
  Matrix3<double> a;
  a << 2, -1, 0.5, 0.25, 3, 1, -0.5, 0.75, 1.5;
  Vector3<double> x(1, -2, 3), b = a * x;
  EXPECT_FALSE(solve_three_equations(a, b).singular);
  EXPECT_LT((b - x).norm(), 1e-14);
}

// --- systems --------------------------------------------------------------------------------------------------------

TEST(Torques, belong_to_their_potentials) {
  const Matrix3<double> q = so3::exp(Vector3<double>(0.6, 0.3, -0.9));
  EXPECT_LT(torque_deviation(top<double>().potential(), q), 1e-8);
  EXPECT_LT(torque_deviation(MagneticDipolePotential<double>{0.7}, q), 1e-8);
  EXPECT_LT(torque_deviation(stress_test<double>().potential(), q), 1e-8);
  TracePolynomialPotential<double> polynomial;
  polynomial.linear << 1, 2, 3, 4, 5, 6, 7, 8, 10;
  polynomial.direction << 0.3, 0.2, 0.1, -0.5, 0.4, 0.6, 0.1, -0.2, 0.7;
  EXPECT_LT(torque_deviation(polynomial, q), 1e-8);
}
TEST(Torques, of_a_wrong_potential_are_noticed) {
  struct Wrong : MagneticDipolePotential<double> {
    void torque(const Matrix3<double>& q, Vector3<double>& out) const {
      MagneticDipolePotential<double>::torque(q, out);
      out *= 1.01;
    }
  };
  EXPECT_GT(torque_deviation(Wrong{{0.7}}, so3::exp(Vector3<double>(0.6, 0.3, -0.9))), 1e-3);
}

}  // namespace
