// SPDX-License-Identifier: MIT
//
// The integrators for rigid bodies, in double, compiled in seconds: see methods.hpp.
#include <gtest/gtest.h>

#include <livi/diagnostics/body_symplecticity.hpp>
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/integrators/cayley_variational_euler.hpp>
#include <livi/integrators/lie_midpoint.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>

#include "verification/mutants/bodies.hpp"

namespace {

using namespace livi;
using so3::CayleyMap;
using so3::ExponentialMap;

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
// atan x = 0 from x = 2: whole updates run away.
TEST(Newton, that_leads_away_is_halved) {
  Vector3<double> x = vector3(2.0, -0.6, 0.1);
  WorkCounters work;
  const auto outcome = solve_in_three_unknowns<double>(
      x, 0.0, {}, work,
      [](const Vector3<double>& y) { return vector3(std::atan(y(0)), std::atan(y(1)), std::atan(y(2))); },
      [](const Vector3<double>& y) {
        Matrix3<double> j = Matrix3<double>::Zero();
        for (int i = 0; i < 3; ++i) j(i, i) = 1 / (1 + y(i) * y(i));
        return j;
      });
  EXPECT_TRUE(outcome.ok());
  EXPECT_LT(x.norm(), 1e-12);
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

}  // namespace
