// SPDX-License-Identifier: MIT
//
// SO(3) and the integrators for rigid bodies, in double, compiled in seconds: see methods.hpp.
#include <gtest/gtest.h>

#include <livi/diagnostics/body_symplecticity.hpp>
#include <livi/diagnostics/check_torque.hpp>
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/integrators/cayley_variational_euler.hpp>
#include <livi/integrators/lie_midpoint.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/integrators/linearized_so3.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/systems/rotation_potentials.hpp>

namespace {

using namespace livi;
using so3::CayleyMap;
using so3::ExponentialMap;

template <class S>
using Top = LieSystem<FullMass<S, 3>, HeavyTopPotential<S>>;
/// A full inertia with three different moments, a centre of mass off all axes.
template <class S>
Top<S> top() {
  Matrix3<S> m;
  m << S(1), ratio<S>(1, 5), ratio<S>(-1, 10), ratio<S>(1, 5), S(2), ratio<S>(3, 10), ratio<S>(-1, 10), ratio<S>(3, 10),
      S(3);
  return {FullMass<S, 3>(m), {S(1), vector3<S>(ratio<S>(1, 5), ratio<S>(-1, 3), ratio<S>(1, 2))}};
}
const Vector3<double> start_w(0.5, 0.7, -0.75);
Matrix3<double> start_q() { return so3::exp(Vector3<double>(0.3, -0.5, 0.4)); }

/// Rounding is 1e-15 times matrices of size 10; defects are above h^3 times 1e-2.
constexpr double rounding = 1e-13;

template <class Make>
double symplecticity(const Make& make, CanonicalCoordinates coordinates = CanonicalCoordinates::own) {
  return body_symplecticity(top<Dual<double>>(), make, start_q(), start_w, 0.25, coordinates);
}
template <class Method>
auto end_of(Method method, int steps, double h) {
  auto z = method.start(start_q(), start_w);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(method.step(z, h).ok());
  return z;
}
/// Distance at T = 1 from RungeKuttaMuntheKaas4 with small steps, and the order from halvings.
template <class Make>
std::pair<double, double> order_and_distance(const Make& make, int finest) {
  const auto system = top<double>();
  const auto end = [&](int steps) { return end_of(make(system), steps, 1.0 / steps).q; };
  const auto exact = end_of(RungeKuttaMuntheKaas4<Top<double>>(system), 256, 1.0 / 256).q;
  const double coarse = so3::distance(end(finest / 2), exact), fine = so3::distance(end(finest), exact);
  return {std::log2(coarse / fine), fine};
}
template <class Make>
double asymmetry(const Make& make) {
  const auto system = top<double>();
  auto method = make(system);
  auto z = method.start(start_q(), start_w);
  EXPECT_TRUE(method.step(z, 0.25).ok());
  auto back = method.start(z.q, z.w);
  EXPECT_TRUE(method.step(back, -0.25).ok());
  return so3::distance(back.q, start_q()) + (back.w - start_w).norm();
}
template <class Make>
double vertical_momentum_defect(const Make& make) {
  const auto system = top<double>();
  const auto z = end_of(make(system), 16, 0.125);
  return std::abs(system.spatial_momentum(z.q, z.w)(2) - system.spatial_momentum(start_q(), start_w)(2));
}

constexpr auto verlet = []<class System>(const System& s) { return LieVerlet<System>(s); };
constexpr auto verlet_exponential = []<class System>(const System& s) { return LieVerlet<System, ExponentialMap>(s); };
constexpr auto newmark = []<class System>(const System& s) { return LieNewmark<System>(s); };
constexpr auto midpoint = []<class System>(const System& s) { return LieMidpoint<System>(s); };
constexpr auto midpoint_cayley = []<class System>(const System& s) { return LieMidpoint<System, CayleyMap>(s); };
constexpr auto euler = []<class System>(const System& s) { return CayleyVariationalEuler<System>(s); };
constexpr auto matrix_runge_kutta = []<class System>(const System& s) { return MatrixRungeKutta4<System>(s); };
constexpr auto munthe_kaas = []<class System>(const System& s) { return RungeKuttaMuntheKaas4<System>(s); };

template <class Make>
void expect_order(const Make& make, double order, int finest, double closeness) {
  const auto [measured, distance] = order_and_distance(make, finest);
  EXPECT_NEAR(measured, order, 0.1);
  EXPECT_LT(distance, closeness);
}

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

// --- methods --------------------------------------------------------------------------------------------------------

TEST(LieVerlet, is_symplectic) {
  EXPECT_LT(symplecticity(verlet), rounding);
  EXPECT_LT(symplecticity(verlet_exponential), rounding);
}
TEST(LieVerlet, is_symmetric) {
  EXPECT_LT(asymmetry(verlet), rounding);
  EXPECT_LT(asymmetry(verlet_exponential), rounding);
}
TEST(LieVerlet, is_of_order_two) {
  expect_order(verlet, 2, 64, 1e-3);
  expect_order(verlet_exponential, 2, 64, 1e-3);
}
TEST(LieVerlet, keeps_the_momentum_about_the_vertical) { EXPECT_LT(vertical_momentum_defect(verlet), rounding); }
TEST(LieVerlet, takes_few_iterations) {
  const auto system = top<double>();
  auto method = verlet(system);
  auto z = method.start(start_q(), start_w);
  for (int k = 0; k < 10; ++k) EXPECT_TRUE(method.step(z, 0.125).ok());
  EXPECT_GE(method.work().newton_iterations, 10);
  EXPECT_LE(method.work().newton_iterations, 30);
}
TEST(LieNewmark, is_symmetric_and_of_order_two) {
  EXPECT_LT(asymmetry(newmark), rounding);
  expect_order(newmark, 2, 64, 1e-3);
}
TEST(LieNewmark, is_not_symplectic) { EXPECT_GT(symplecticity(newmark), 1e-5); }
TEST(LieMidpoint, is_symmetric_and_of_order_two) {
  EXPECT_LT(asymmetry(midpoint), rounding);
  EXPECT_LT(asymmetry(midpoint_cayley), rounding);
  expect_order(midpoint, 2, 64, 1e-3);
  expect_order(midpoint_cayley, 2, 64, 1e-3);
}
TEST(LieMidpoint, keeps_the_momentum_about_the_vertical) { EXPECT_LT(vertical_momentum_defect(midpoint), rounding); }
TEST(LieMidpoint, converges_quadratically) {
  const auto system = top<double>();
  auto method = midpoint(system);
  auto z = method.start(start_q(), start_w);
  for (int k = 0; k < 10; ++k) EXPECT_TRUE(method.step(z, 0.125).ok());
  EXPECT_LE(method.work().newton_iterations, 50);
}
TEST(CayleyVariationalEuler, is_symplectic_in_its_momentum) {
  EXPECT_LT(symplecticity(euler, CanonicalCoordinates::mapped), rounding);
  EXPECT_GT(symplecticity(euler), 1e-5);
}
TEST(CayleyVariationalEuler, is_of_order_one) { expect_order(euler, 1, 512, 1e-2); }
TEST(CayleyVariationalEuler, with_equal_moments_solves_its_cubic) {
  const LieSystem<ScalarMass<double, 3>, MagneticDipolePotential<double>> body(ScalarMass<double, 3>(1.5), {1});
  CayleyVariationalEuler method(body);
  auto z = method.start(start_q(), start_w);
  const Vector3<double> mu = method.canonical_momentum(start_w, 0.5) + 0.5 * body.torque(start_q());
  EXPECT_TRUE(method.step(z, 0.5).ok());
  EXPECT_LT((method.canonical_momentum(z.w, 0.5) - mu).norm(), 4e-15);
}
TEST(RungeKutta, is_of_order_four) {
  expect_order(matrix_runge_kutta, 4, 32, 1e-6);
  expect_order(munthe_kaas, 4, 32, 1e-6);
}
TEST(Newton, that_diverges_says_so) {
  const auto system = top<double>();
  const NewtonOptions<double> once{.tolerance = 1e-300, .max_iterations = 1};
  LieVerlet<Top<double>> method(system, once);
  auto z = method.start(start_q(), start_w);
  EXPECT_EQ(method.step(z, 0.25).failure, Failure::no_convergence);
}
TEST(Maps, that_reach_half_a_turn_only_say_so) {
  const auto system = top<double>();
  LieNewmark<Top<double>, ExponentialMap> method(system);
  auto z = method.start(start_q(), Vector3<double>(0, 0, 40));
  EXPECT_EQ(method.step(z, 0.25).failure, Failure::outside_chart);
}
TEST(SymplecticityDefect, knows_the_sign_of_the_bracket) {
  const auto v = body_variations(top<Dual<double>>(), verlet, start_q(), start_w, 0.25);
  EXPECT_GT(symplecticity_defect(v, -1), 1e-3);
  EXPECT_LT(symplecticity_defect(v), rounding);
}

// --- LinearizedSO3 --------------------------------------------------------------------------------------------------

TEST(LinearizedSO3, is_zhang_skeel_with_half_its_beta) {
  using System = PenalisedBody<double>;
  const System system = penalised_body<double>(1, 10);
  Matrix3<double> r = start_q();
  r(0, 1) += 0.03;
  r(2, 2) -= 0.04;
  LinearizedSO3<System> linearized(system, {0.4});
  ZhangSkeel<System> vectorised(system, {0.2});
  auto x = linearized.start(matrix_position(r), matrix_velocity(r, start_w));
  auto y = vectorised.start(matrix_position(r), matrix_velocity(r, start_w));
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(linearized.step(x, 0.1).ok());
    ASSERT_TRUE(vectorised.step(y, 0.1).ok());
  }
  EXPECT_LT((x.q - y.q).norm(), 1e-12);
  EXPECT_LT((x.v - y.v).norm(), 1e-12);
  EXPECT_EQ(linearized.work().linear_solves, vectorised.work().linear_solves);
}
TEST(LinearizedSO3, of_first_order_is_symplectic) {
  using D = Dual<double>;
  const auto make = [](const PenalisedBody<D>& s) { return LinearizedSO3Euler<PenalisedBody<D>>(s, {D(0.4)}); };
  const double defect = step_symplecticity(penalised_body<D>(D(1), D(10)), make, matrix_position(start_q()),
                                           matrix_velocity(start_q(), start_w), 0.1, CanonicalCoordinates::own);
  EXPECT_LT(defect, 1e-11);
}

}  // namespace
