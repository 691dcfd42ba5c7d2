// SPDX-License-Identifier: MIT
//
// Rigid bodies: torques are the derivatives of their potentials, and every method satisfies its equations to 50
// digits.
#include <gtest/gtest.h>

#include <livi/diagnostics/check_derivatives.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/integrators/cayley_variational_euler.hpp>
#include <livi/integrators/lie_midpoint.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/rotation_potentials.hpp>

#include "random_body.hpp"
#include "verification/support/fixed_seed.hpp"

namespace body_equations_test {

using namespace livi;
using namespace livi::test;
using so3::CayleyMap;
using so3::ExponentialMap;

RC_GTEST_PROP(Torques, belong_to_their_potentials, ()) {
  const RandomBody random;
  const Matrix3<double> q = RandomBody::in<double>(random.q);
  const Vector3<double> centre = RandomBody::in<double>(random.w);
  // Differences of order four with s = 1e-3: 1e-12 of fifth derivatives, and rounding 1e-16/1e-3 of U.
  constexpr double enough = 1e-8;
  RC_ASSERT(torque_deviation(FreeBodyPotential<double>(), q) < enough);
  RC_ASSERT(torque_deviation(HeavyTopPotential<double>{2.5, centre}, q) < enough);
  RC_ASSERT(torque_deviation(MagneticDipolePotential<double>{-0.7}, q) < enough);
  RC_ASSERT(torque_deviation(random.system<double>().potential(), q) < enough);
  RC_PRE(so3::distance(q, identity3<double>()) > 0.1);  // the tip of the cone
  RC_ASSERT(torque_deviation(stress_test<double>().potential(), q) < enough);
}
TEST(Torques, that_do_not_belong_are_noticed) {
  struct Wrong : HeavyTopPotential<double> {
    void torque(const Matrix3<double>& q, Vector3<double>& out) const {
      HeavyTopPotential<double>::torque(q, out);
      out(1) *= 1.001;
    }
  };
  const Matrix3<double> q = so3::exp(Vector3<double>(0.4, -0.3, 0.8));
  EXPECT_GT(torque_deviation(Wrong{{1, Vector3<double>(0.1, 0.2, 0.3)}}, q), 1e-4);
}
RC_GTEST_PROP(Torques, are_the_derivatives_of_the_potential_in_duals, ()) {
  const RandomBody random;
  using D = Dual<Float50>;
  const auto all = [&](const auto& plain, const auto& dual) {
    Vector3<Float50> torque;
    plain.torque(random.q, torque);
    for (int i = 0; i < 3; ++i) {
      Vector3<Float50> y = Vector3<Float50>::Constant(Float50(0));
      y(i) = 1;
      const Matrix3<Float50> turned = random.q * so3::hat(y);
      Matrix3<D> q;
      for (int k = 0; k < 9; ++k) q.coeffRef(k) = D(random.q.coeff(k), turned.coeff(k));
      RC_ASSERT(abs(Float50(dual.value(q).derivative + torque(i))) < 1e-43);
    }
  };
  all(random.system<Float50>().potential(), random.system<D>().potential());
  all(HeavyTopPotential<Float50>{Float50(2), random.w}, HeavyTopPotential<D>{D(2), RandomBody::in<D>(random.w)});
  all(MagneticDipolePotential<Float50>{Float50(3)}, MagneticDipolePotential<D>{D(3)});
  RC_PRE(so3::distance(random.q, identity3<Float50>()) > Float50(1) / 10);
  all(stress_test<Float50>().potential(), stress_test<D>().potential());
}
TEST(LieSystem, refuses_an_inertia_that_is_none) {
  EXPECT_THROW((DiagonalMass<double, 3>(Vector3<double>(1, 0, 2))), InvalidParameter);
  Matrix3<double> indefinite = Matrix3<double>::Identity();
  indefinite(0, 1) = indefinite(1, 0) = 2;
  EXPECT_THROW((FullMass<double, 3>(indefinite)), InvalidParameter);
}
RC_GTEST_PROP(LieSystem, multiplies_by_its_inertia, ()) {
  const RandomBody random;
  const Matrix3<Float50> m = random_matrix();
  RC_ASSERT(size(Matrix3<Float50>(random.system<Float50>().times_inertia(m) - m * random.inertia)) < floor_50);
  const LieSystem<DiagonalMass<Float50, 3>, FreeBodyPotential<Float50>> diagonal(
      DiagonalMass<Float50, 3>(vector3<Float50>(1, 2, 3)), {});
  RC_ASSERT(Vector3<Float50>(diagonal.times_inertia(m).col(1)) == Vector3<Float50>(Float50(2) * m.col(1)));
}

// --- the equations, as printed --------------------------------------------------------------------------------------

/// I^-1 (I W x W + tau).
template <class System>
auto euler(const System& system, const Vector3<Float50>& w, const Vector3<Float50>& torque) {
  return system.velocity(cross(system.momentum(w), w) + torque);
}

template <class Map>
void check_newmark() {
  const RandomBody random;
  const auto system = random.system<Float50>();
  LieNewmark<std::decay_t<decltype(system)>, Map> method(system);
  auto z = method.start(random.q, random.w);
  const Float50 h = ratio<Float50>(between(1, 40), 100), half = h / 2;
  RC_ASSERT(method.step(z, h).ok());
  const Vector3<Float50> middle = random.w + half * euler(system, random.w, system.torque(random.q));          // (4)
  RC_ASSERT(size(Matrix3<Float50>(z.q - random.q * Map::map(Vector3<Float50>(h * middle)))) < floor_50);       // (5)
  RC_ASSERT(size(Vector3<Float50>(z.w - middle - half * euler(system, z.w, system.torque(z.q)))) < floor_50);  // (6)
  RC_ASSERT(size(Vector3<Float50>(z.torque - system.torque(z.q))) == 0);
}
RC_GTEST_PROP(LieNewmark, satisfies_its_equations, ()) {
  check_newmark<CayleyMap>();
  check_newmark<ExponentialMap>();
}

RC_GTEST_PROP(LieVerlet, satisfies_its_equations, ()) {
  const RandomBody random;
  const auto system = random.system<Float50>();
  LieVerlet<std::decay_t<decltype(system)>> method(system);
  auto z = method.start(random.q, random.w);
  const Float50 h = ratio<Float50>(between(1, 40), 100), half = h / 2;
  RC_ASSERT(method.step(z, h).ok());
  // W_{k+1/2} from (9); then (8) and (10).
  const Vector3<Float50> w = CayleyMap::inverse(Matrix3<Float50>(random.q.transpose() * z.q)) / h;
  const Vector3<Float50> spin = cross(system.momentum(w), w), stretch = (half * dot(w, system.momentum(w))) * w;
  RC_ASSERT(size(Vector3<Float50>(w - random.w - half * system.velocity(spin - stretch + system.torque(random.q)))) <
            floor_50);
  RC_ASSERT(size(Vector3<Float50>(z.w - w - half * system.velocity(spin + stretch + system.torque(z.q)))) < floor_50);
}
RC_GTEST_PROP(LieVerlet, of_the_exponential_map_satisfies_its_equations, ()) {
  const RandomBody random;
  const auto system = random.system<Float50>();
  LieVerlet<std::decay_t<decltype(system)>, ExponentialMap> method(system);
  auto z = method.start(random.q, random.w);
  const Float50 h = ratio<Float50>(between(1, 40), 100), half = h / 2;
  RC_ASSERT(method.step(z, h).ok());
  const Vector3<Float50> x = so3::log(Matrix3<Float50>(random.q.transpose() * z.q));
  const Vector3<Float50> mu = system.momentum(Vector3<Float50>(x / h));
  const Matrix3<Float50> forth = ExponentialMap::inverse_differential(x),
                         back = ExponentialMap::inverse_differential(Vector3<Float50>(-x));
  RC_ASSERT(size(Vector3<Float50>(back.transpose() * mu - system.momentum(random.w) - half * system.torque(random.q))) <
            floor_50);
  RC_ASSERT(size(Vector3<Float50>(system.momentum(z.w) - forth.transpose() * mu - half * system.torque(z.q))) <
            floor_50);
}

template <class Map>
void check_midpoint() {
  const RandomBody random;
  const auto system = random.system<Float50>();
  LieMidpoint<std::decay_t<decltype(system)>, Map> method(system);
  auto z = method.start(random.q, random.w);
  const Float50 h = ratio<Float50>(between(1, 40), 100), half = h / 2;
  RC_ASSERT(method.step(z, h).ok());
  // Forwards through (13)-(18) with a fixed-point iteration of its own.
  const auto solve = [&](const Vector3<Float50>& mu, bool adjoint) {
    Vector3<Float50> theta = Vector3<Float50>::Constant(Float50(0));
    for (int k = 0; k < 400; ++k) {
      Matrix3<Float50> turn = Map::map(Vector3<Float50>(theta / -2));
      if (adjoint) turn = Map::map(Vector3<Float50>(theta / 2)) * Map::map(Vector3<Float50>(-theta));
      theta = half * system.velocity(turn * mu);
    }
    return theta;
  };
  Vector3<Float50> mu = system.momentum(random.w) + half * system.torque(random.q);
  Matrix3<Float50> q = random.q;
  for (const bool adjoint : {false, true}) {
    const Matrix3<Float50> turn = Map::map(solve(mu, adjoint));
    q = q * turn;
    mu = turn.transpose() * mu;
  }
  RC_ASSERT(size(Matrix3<Float50>(z.q - q)) < floor_50);
  RC_ASSERT(size(Vector3<Float50>(system.momentum(z.w) - mu - half * system.torque(q))) < floor_50);
}
RC_GTEST_PROP(LieMidpoint, satisfies_its_equations, ()) {
  check_midpoint<ExponentialMap>();
  check_midpoint<CayleyMap>();
}

/// The magnetised body of TO14 4.5.
template <class S>
using Magnet = LieSystem<ScalarMass<S, 3>, MagneticDipolePotential<S>>;
template <class S>
Magnet<S> magnet() {
  return {ScalarMass<S, 3>(S(1)), {S(1)}};
}

RC_GTEST_PROP(CayleyVariationalEuler, satisfies_its_equations, ()) {
  const auto system = magnet<Float50>();
  CayleyVariationalEuler<Magnet<Float50>> method(system);
  const Matrix3<Float50> r = so3::exp(random_vector());
  const Vector3<Float50> omega = random_vector();
  auto z = method.start(r, omega);
  const Float50 h = ratio<Float50>(between(1, 60), 100);
  RC_ASSERT(method.step(z, h).ok());
  // (34) with its matrices: A' A A' for A = hat(Omega).
  const Matrix3<Float50> a = so3::hat(omega), b = so3::hat(z.w), one = identity3<Float50>();
  const Matrix3<Float50> kick = so3::hat(system.torque(r));
  RC_ASSERT(size(Matrix3<Float50>(b - a -
                                  h * h / 4 * (b.transpose() * b * b.transpose() - a.transpose() * a * a.transpose()) -
                                  h * kick)) < floor_50);
  RC_ASSERT(size(Matrix3<Float50>(z.q * (one - h / 2 * b) - r * (one + h / 2 * b))) < floor_50);
}
RC_GTEST_PROP(CayleyVariationalEuler, with_half_kicks_is_lie_verlet, ()) {
  const RandomBody random;
  const auto system = random.system<Float50>();
  using System = Body<Float50>;
  const DiscreteEulerPoincare<System, CayleyMap> free{NewtonOptions<Float50>()};
  LieVerlet<System> verlet(system);
  const Float50 h = ratio<Float50>(between(1, 40), 100);
  auto z = verlet.start(random.q, random.w);
  RC_ASSERT(verlet.step(z, h).ok());
  Matrix3<Float50> q = random.q;
  Vector3<Float50> mu = system.momentum(random.w) + h / 2 * system.torque(q), w;
  WorkCounters work;
  RC_ASSERT(free.drift(system, h, q, mu, w, work).ok());
  mu += h / 2 * system.torque(q);
  RC_ASSERT(size(Matrix3<Float50>(z.q - q)) < floor_50);
  RC_ASSERT(size(Vector3<Float50>(system.momentum(z.w) - mu)) < floor_50);
}
RC_GTEST_PROP(DiscreteEulerPoincare, with_equal_moments_is_one_cubic, ()) {
  // The special case against the equations in R^3.
  const Float50 inertia = ratio<Float50>(between(10, 300), 100), h = ratio<Float50>(between(1, 200), 100);
  const LieSystem<ScalarMass<Float50, 3>, FreeBodyPotential<Float50>> scalar(ScalarMass<Float50, 3>(inertia), {});
  const LieSystem<DiagonalMass<Float50, 3>, FreeBodyPotential<Float50>> general(
      DiagonalMass<Float50, 3>(Vector3<Float50>::Constant(inertia)), {});
  Matrix3<Float50> q = identity3<Float50>(), r = q;
  Vector3<Float50> mu = random_vector(), nu = mu, w, v;
  WorkCounters work;
  RC_ASSERT(
      (DiscreteEulerPoincare<std::decay_t<decltype(scalar)>, CayleyMap>({}).drift(scalar, h, q, mu, w, work).ok()));
  RC_ASSERT(
      (DiscreteEulerPoincare<std::decay_t<decltype(general)>, CayleyMap>({}).drift(general, h, r, nu, v, work).ok()));
  RC_ASSERT(size(Vector3<Float50>(w - v)) < floor_50);
  RC_ASSERT(size(Matrix3<Float50>(q - r)) < floor_50);
  RC_ASSERT(size(Vector3<Float50>(mu - nu)) < floor_50);
}

}  // namespace body_equations_test
