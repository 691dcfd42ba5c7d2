// SPDX-License-Identifier: MIT
//
// The methods for constraints and generalised coordinates on the double pendulum, in double, compiled in seconds: see
// methods.hpp.
#include <gtest/gtest.h>

#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/variational_euler_generalized.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/systems/double_pendulum.hpp>
#include <livi/systems/potentials.hpp>

namespace {

using namespace livi;
using Pendulum = ConstrainedDoublePendulum<double>;
using V = Vector<double, 4>;
const V rest(0, 0, 0, 0);

Pendulum pendulum() { return double_pendulum<double>(); }

double constraint_of(const Pendulum& system, const V& q) {
  Vector<double, 2> g;
  system.constraint().value(q, g);
  return max_magnitude(g);
}

template <class Method>
auto end_of(Method& method, int steps, double h) {
  auto z = method.start(double_pendulum_start<double>(), rest);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(method.step(z, h).ok());
  return z;
}

template <template <class> class Method>
double order() {
  const Pendulum system = pendulum();
  const auto end = [&](int steps) {
    Method<Pendulum> method(system);
    return end_of(method, steps, 1.0 / steps).q;
  };
  const V a = end(32), b = end(64), c = end(128);
  return std::log2((a - b).norm() / (b - c).norm());
}

TEST(Shake, stays_on_the_constraint) {
  const Pendulum system = pendulum();
  Shake method(system);
  EXPECT_LT(constraint_of(system, end_of(method, 50, 0.05).q), 1e-13);
}
TEST(Shake, is_of_order_two) { EXPECT_NEAR(order<Shake>(), 2, 0.1); }
TEST(Rattle, stays_on_the_constraint_and_its_tangent) {
  const Pendulum system = pendulum();
  Rattle method(system);
  const auto z = end_of(method, 50, 0.05);
  Matrix<double, 2, 4> jacobian;
  system.constraint().jacobian(z.q, jacobian);
  EXPECT_LT(constraint_of(system, z.q), 1e-13);
  EXPECT_LT(max_magnitude(Vector<double, 2>(jacobian * z.v)), 1e-13);
}
TEST(Rattle, is_of_order_two) { EXPECT_NEAR(order<Rattle>(), 2, 0.1); }
TEST(Shake, has_the_positions_of_rattle) {
  const Pendulum system = pendulum();
  Shake shake(system);
  Rattle rattle(system);
  EXPECT_LT((end_of(shake, 20, 0.05).q - end_of(rattle, 20, 0.05).q).norm(), 1e-12);
}
TEST(Shake, has_the_positions_of_rattle_where_the_force_varies) {
  using Springs =
      ConstrainedSystem<ScalarMass<double, 4>, HarmonicPotential<double, 4>, PlanarChainConstraint<double, 4>>;
  const Springs system(ScalarMass<double, 4>(1), {V(1, 3, 2, 5)}, pendulum().constraint());
  const V q = double_pendulum_start<double>();
  Shake shake(system);
  Rattle rattle(system);
  auto z = shake.start(q, rest);
  auto w = rattle.start(q, rest);
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(shake.step(z, 0.05).ok() && rattle.step(w, 0.05).ok());
  EXPECT_LT((z.q - w.q).norm(), 1e-12);
}
// At the start, at rest: G M^-1 G' lambda = G M^-1 grad V.
TEST(Multipliers, tend_to_those_of_the_motion) {
  const Pendulum system = pendulum();
  const V q = double_pendulum_start<double>();
  Matrix<double, 2, 4> g;
  system.constraint().jacobian(q, g);
  const Matrix<double, 2> m = g * g.transpose();
  const Vector<double, 2> right = g * V(0, 1, 0, 1);
  const Vector<double, 2> lambda((m(1, 1) * right(0) - m(0, 1) * right(1)) / (m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0)),
                                 (m(0, 0) * right(1) - m(1, 0) * right(0)) / (m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0)));
  Shake shake(system);
  Rattle rattle(system);
  EXPECT_LT((end_of(shake, 1, 1e-4).lambda - lambda).norm(), 1e-3);
  EXPECT_LT((end_of(rattle, 1, 1e-4).lambda - lambda).norm(), 1e-3);
  EXPECT_LT((end_of(rattle, 1, 1e-4).kappa - lambda).norm(), 1e-3);
}
// A chain of four with unequal masses and links, moving: the structured multiplier equations against the dense ones.
template <class Hessian>
auto uneven_chain() {
  const Vector<double, Dynamic> squared{{5, 1, 2, 5}}, masses{{1, 1, 3, 3, 2, 2, 0.5, 0.5}};
  return ConstrainedSystem(DiagonalMass<double, Dynamic>(masses), GravityPotential<double, Dynamic>{1},
                           PlanarChainConstraint<double, Dynamic, Hessian>{squared});
}
template <template <class> class Method>
double distance_of_chains() {
  const Vector<double, Dynamic> q{{1, -2, 1, -3, 2, -4, 4, -3}}, v{{2, 1, 3, 1, 2, 0, 2.5, -1}};
  const auto end = [&](const auto& system) {
    Method method(system);
    auto z = method.start(q, v);
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(method.step(z, 0.01).ok());
    return z;
  };
  const auto banded = uneven_chain<BlockTridiagonalHessian<double, 2>>();
  const auto dense = uneven_chain<DenseHessian<double, Dynamic>>();
  const auto a = end(banded), b = end(dense);
  return (a.q - b.q).norm() + (a.v - b.v).norm() + 1e-4 * (a.lambda - b.lambda).norm();
}
TEST(Shake, of_a_chain_is_the_dense_one) { EXPECT_LT(distance_of_chains<Shake>(), 1e-11); }
TEST(Rattle, of_a_chain_is_the_dense_one) { EXPECT_LT(distance_of_chains<Rattle>(), 1e-11); }
// Two Newton iterations from a good guess; a wrong matrix converges slowly to the same positions.
TEST(Shake, of_a_chain_converges_quadratically) {
  const auto system = uneven_chain<BlockTridiagonalHessian<double, 2>>();
  Shake method(system);
  auto z = method.start(Vector<double, Dynamic>{{1, -2, 1, -3, 2, -4, 4, -3}},
                        Vector<double, Dynamic>{{2, 1, 3, 1, 2, 0, 2.5, -1}});
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(method.step(z, 0.01).ok());
  EXPECT_LE(method.work().newton_iterations, 80);
}
TEST(Start, off_the_constraint_is_refused) {
  const Pendulum system = pendulum();
  Shake shake(system);
  Rattle rattle(system);
  const V off(0, -1.1, 1, -2), normal(0, 0.3, 0, 0);
  EXPECT_THROW(static_cast<void>(shake.start(off, rest)), InvalidParameter);
  EXPECT_THROW(static_cast<void>(rattle.start(double_pendulum_start<double>(), normal)), InvalidParameter);
}
// Three descriptions of one motion: angles, multipliers, and (far more steps) the penalised system.
TEST(VariationalEulerGeneralized, is_the_motion_of_rattle) {
  const Pendulum system = pendulum();
  const auto lagrangian = double_pendulum_lagrangian<double>();
  VariationalEulerGeneralized angles(lagrangian);
  const auto distance = [&](int steps) {
    auto z = angles.start(Vector<double, 2>(0, std::atan2(1.0, 1.0)), Vector<double, 2>(0, 0));
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(angles.step(z, 1.0 / steps).ok());
    Rattle rattle(system);
    return (lagrangian.cartesian(z.q) - end_of(rattle, 256, 1.0 / 256).q).norm();
  };
  const double coarse = distance(256), fine = distance(512);
  EXPECT_LT(fine, 3e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.1);
}
TEST(Penalty, has_its_own_derivatives) {
  const auto system = penalised(pendulum(), 20.0);
  const V q(0.1, -0.98, 1.0, -2.05), d(0.3, -0.2, 0.5, 0.7);
  constexpr double h = 1e-3;
  const auto gradient = [&](const V& x) {
    V g;
    system.potential().gradient(x, g);
    return g;
  };
  const auto value = [&](double s) { return system.potential().value(q + s * d); };
  const double slope = (8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h);
  EXPECT_NEAR(gradient(q).dot(d), slope, 1e-6);
  std::decay_t<decltype(system)>::potential_type::hessian_type hessian(4);
  system.potential().hessian(q, hessian);
  V product, third;
  hessian.multiply(d, product);
  const V first =
      (8 * (gradient(q + h * d) - gradient(q - h * d)) - (gradient(q + 2 * h * d) - gradient(q - 2 * h * d))) /
      (12 * h);
  EXPECT_LT((product - first).norm(), 1e-6);
  system.potential().third(q, d, third);
  const V second = (gradient(q + h * d) - 2 * gradient(q) + gradient(q - h * d)) / (h * h);
  EXPECT_LT((third - second).norm(), 1e-2 * second.norm());
}
TEST(Penalty, pulls_towards_the_constrained_motion) {
  const auto system = penalised(pendulum(), 200.0);
  VelocityVerlet verlet(system);
  auto z = verlet.start(double_pendulum_start<double>(), rest);
  for (int k = 0; k < 2000; ++k) ASSERT_TRUE(verlet.step(z, 5e-4).ok());
  const Pendulum constrained = pendulum();
  Rattle rattle(constrained);
  EXPECT_LT((z.q - end_of(rattle, 256, 1.0 / 256).q).norm(), 1e-3);
}

}  // namespace
