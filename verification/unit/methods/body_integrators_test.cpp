// SPDX-License-Identifier: MIT
//
// Integrators for rigid bodies: they have their order and structure, and fail loudly. Random bodies have three
// different moments of inertia about axes that are not the body's, and potentials without symmetry.
#include <gtest/gtest.h>

#include <livi/diagnostics/body_symplecticity.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/integrators/cayley_variational_euler.hpp>
#include <livi/integrators/lie_midpoint.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/rotation_potentials.hpp>
#include <livi/trajectory/checkpoint.hpp>
#include <livi/trajectory/trajectory.hpp>

#include "random_body.hpp"
#include "study/misprints/lie_as_printed.hpp"
#include "verification/support/fixed_seed.hpp"

namespace body_integrators_test {

using namespace livi;
using namespace livi::test;
using so3::CayleyMap;
using so3::ExponentialMap;

/// Defect of the form over one step of 1/4 in 50 digits.
template <template <class...> class Method, class... Map>
double defect(const RandomBody& random, CanonicalCoordinates coordinates = CanonicalCoordinates::own, int bracket = 1) {
  using System = Body<Dual<Float50>>;
  const System system = random.system<Dual<Float50>>();
  return to_double(body_symplecticity(
      system, [](const System& s) { return Method<System, Map...>(s); }, random.q, random.w, Float50(Float50(1) / 4),
      coordinates, bracket));
}
RC_GTEST_PROP(Symplecticity, is_declared_and_lost_as_it_is, ()) {
  const RandomBody random;
  RC_ASSERT((defect<LieVerlet, CayleyMap>(random)) < floor_50);
  RC_ASSERT((defect<LieVerlet, ExponentialMap>(random)) < floor_50);
  RC_ASSERT((defect<CayleyVariationalEuler>(random, CanonicalCoordinates::mapped)) < floor_50);
  // The others, and the same with the wrong bracket.
  RC_ASSERT((defect<CayleyVariationalEuler>(random)) > visible);
  RC_ASSERT((defect<LieNewmark, CayleyMap>(random)) > visible);
  RC_ASSERT((defect<LieNewmark, ExponentialMap>(random)) > visible);
  RC_ASSERT((defect<LieMidpoint, ExponentialMap>(random)) > visible);
  RC_ASSERT((defect<LieMidpoint, CayleyMap>(random)) > visible);
  RC_ASSERT((defect<MatrixRungeKutta4>(random)) > visible);
  RC_ASSERT((defect<RungeKuttaMuntheKaas4, ExponentialMap>(random)) > visible);
  RC_ASSERT((defect<LieVerlet, CayleyMap>(random, CanonicalCoordinates::own, -1)) > 1e-4);
}

/// The sign of the bracket, from the motion itself: the defect of a step of h of a method of order four falls as h^5 in
/// the right form; in the wrong one it is that of the motion, of order h.
TEST(Symplecticity, of_the_motion_has_the_sign_of_the_left_trivialisation) {
  using System = LieSystem<DiagonalMass<Dual<Float50>, 3>, HeavyTopPotential<Dual<Float50>>>;
  using D = Dual<Float50>;
  const System system(DiagonalMass<D, 3>(vector3<D>(D(1), D(2), D(3))),
                      {D(1), vector3<D>(ratio<D>(1, 5), ratio<D>(-1, 3), ratio<D>(1, 2))});
  const auto make = [](const System& s) { return RungeKuttaMuntheKaas4<System>(s); };
  const Matrix3<Float50> q = so3::exp(vector3<Float50>(Float50(1) / 3, Float50(-1) / 2, Float50(1) / 4));
  const Vector3<Float50> w = vector3<Float50>(Float50(1) / 2, Float50(2) / 3, Float50(-3) / 4);
  const Float50 h = Float50(1) / 64;
  EXPECT_LT(to_double(body_symplecticity(system, make, q, w, h)), 1e-9);
  EXPECT_GT(to_double(body_symplecticity(system, make, q, w, h, CanonicalCoordinates::own, -1)), 1e-3);
}
/// The sign of the bracket from the geometry: the canonical form of R^18 on (Q, P = Q hat(mu)/2), for which P . dQ = mu
/// . eta.
RC_GTEST_PROP(Symplecticity, form_is_the_canonical_one_of_the_matrices, ()) {
  const Matrix3<Float50> q = so3::exp(random_vector());
  const Vector3<Float50> mu = random_vector(), eta = random_vector(), nu = random_vector(), zeta = random_vector(),
                         rho = random_vector();
  const auto dq = [&](const Vector3<Float50>& y) { return Matrix3<Float50>(q * so3::hat(y)); };
  const auto dp = [&](const Vector3<Float50>& y, const Vector3<Float50>& m) {
    return Matrix3<Float50>(q * (so3::hat(y) * so3::hat(mu) + so3::hat(m)) / Float50(2));
  };
  const auto inner = [](const Matrix3<Float50>& a, const Matrix3<Float50>& b) {
    return Float50((a.cwiseProduct(b)).sum());
  };
  const Float50 canonical = inner(dq(eta), dp(zeta, rho)) - inner(dp(eta, nu), dq(zeta));
  RC_ASSERT(abs(Float50(canonical - left_trivialised_form(mu, eta, nu, zeta, rho))) < floor_50);
}

template <template <class...> class Method, class... Map>
double asymmetry(const RandomBody& random) {
  const auto system = random.system<Float50>();
  const Float50 h = Float50(1) / 4;
  Method<Body<Float50>, Map...> method(system);
  auto z = method.start(random.q, random.w);
  RC_ASSERT(method.step(z, h).ok());
  auto back = method.start(z.q, z.w);
  RC_ASSERT(method.step(back, Float50(-h)).ok());
  auto turned = method.start(z.q, Vector3<Float50>(-z.w));
  RC_ASSERT(method.step(turned, h).ok());
  return std::max({size(Matrix3<Float50>(back.q - random.q)), size(Vector3<Float50>(back.w - random.w)),
                   size(Matrix3<Float50>(turned.q - random.q)), size(Vector3<Float50>(turned.w + random.w))});
}
RC_GTEST_PROP(Reversibility, is_declared_and_lost_as_it_is, ()) {
  const RandomBody random;
  RC_ASSERT((asymmetry<LieNewmark, CayleyMap>(random)) < floor_50);
  RC_ASSERT((asymmetry<LieNewmark, ExponentialMap>(random)) < floor_50);
  RC_ASSERT((asymmetry<LieVerlet, CayleyMap>(random)) < floor_50);
  RC_ASSERT((asymmetry<LieVerlet, ExponentialMap>(random)) < floor_50);
  RC_ASSERT((asymmetry<LieMidpoint, ExponentialMap>(random)) < floor_50);
  RC_ASSERT((asymmetry<LieMidpoint, CayleyMap>(random)) < floor_50);
  RC_ASSERT((asymmetry<CayleyVariationalEuler>(random)) > visible);
  RC_ASSERT((asymmetry<MatrixRungeKutta4>(random)) > visible);
  RC_ASSERT((asymmetry<RungeKuttaMuntheKaas4, ExponentialMap>(random)) > visible);
}

/// Changes of the spatial momentum and of |mu| of the free body over ten steps of 1/4.
template <template <class...> class Method, class... Map>
std::pair<double, double> free_body_defects(const RandomBody& random) {
  using System = LieSystem<FullMass<Float50, 3>, FreeBodyPotential<Float50>>;
  const System system(FullMass<Float50, 3>(random.inertia), {});
  Method<System, Map...> method(system);
  auto z = method.start(random.q, random.w);
  const Vector3<Float50> before = system.spatial_momentum(z.q, z.w);
  for (int k = 0; k < 10; ++k) RC_ASSERT(method.step(z, Float50(Float50(1) / 4)).ok());
  const Vector3<Float50> after = system.spatial_momentum(z.q, z.w);
  const Vector3<Float50> start = system.momentum(random.w), end = system.momentum(z.w);
  return {size(Vector3<Float50>(after - before)), to_double(magnitude(Float50(dot(end, end) - dot(start, start))))};
}
RC_GTEST_PROP(SpatialMomentum, is_kept_by_the_variational_methods_and_by_the_midpoint, ()) {
  const RandomBody random;
  const auto kept = [](const std::pair<double, double>& d) { return d.first < floor_50 && d.second < floor_50; };
  RC_ASSERT(kept(free_body_defects<LieVerlet, CayleyMap>(random)));
  RC_ASSERT(kept(free_body_defects<LieVerlet, ExponentialMap>(random)));
  RC_ASSERT(kept(free_body_defects<LieMidpoint, ExponentialMap>(random)));
  RC_PRE(size(random.w) > 0.1);
  const auto lost = [](const std::pair<double, double>& d) { return d.first > visible && d.second > visible; };
  RC_ASSERT(lost(free_body_defects<LieNewmark, CayleyMap>(random)));
  RC_ASSERT(lost(free_body_defects<MatrixRungeKutta4>(random)));
  RC_ASSERT(lost(free_body_defects<RungeKuttaMuntheKaas4, ExponentialMap>(random)));
}

/// Order of q and w at T = 1 against RungeKuttaMuntheKaas4 with 2^11 steps, whose own error is below 1e-13.
template <template <class...> class Method, class... Map>
std::pair<double, double> orders(int slope_power) {
  using System = LieSystem<DiagonalMass<Float50, 3>, HeavyTopPotential<Float50>>;
  const System system(
      DiagonalMass<Float50, 3>(vector3<Float50>(1, 2, 3)),
      {Float50(1), vector3<Float50>(ratio<Float50>(1, 5), ratio<Float50>(-1, 3), ratio<Float50>(1, 2))});
  const Matrix3<Float50> q = so3::exp(vector3<Float50>(Float50(1) / 3, Float50(-1) / 2, Float50(1) / 4));
  const Vector3<Float50> w = vector3<Float50>(Float50(1) / 2, Float50(2) / 3, Float50(-3) / 4);
  const auto end = [&](auto method, int steps) {
    auto z = method.start(q, w);
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(method.step(z, Float50(Float50(1) / steps)).ok());
    return std::pair(z.q, z.w);
  };
  static const auto exact = end(RungeKuttaMuntheKaas4<System>(system), 1 << 11);
  std::vector<double> of_q, of_w;
  for (int power = 5; power <= 7; ++power) {
    const auto at = end(Method<System, Map...>(system), 1 << power);
    of_q.push_back(to_double(so3::distance(at.first, exact.first)));
    of_w.push_back(size(Vector3<Float50>(at.second - exact.second)));
  }
  return {fitted_exponent(of_q, slope_power), fitted_exponent(of_w, slope_power)};
}
void expect_order(const std::pair<double, double>& measured, double order) {
  EXPECT_NEAR(measured.first, order, 0.05);
  EXPECT_NEAR(measured.second, order, 0.05);
}
TEST(Order, is_that_declared) {
  expect_order(orders<LieNewmark, CayleyMap>(2), 2);
  expect_order(orders<LieNewmark, ExponentialMap>(2), 2);
  expect_order(orders<LieVerlet, CayleyMap>(2), 2);
  expect_order(orders<LieVerlet, ExponentialMap>(2), 2);
  expect_order(orders<LieMidpoint, ExponentialMap>(2), 2);
  expect_order(orders<LieMidpoint, CayleyMap>(2), 2);
  expect_order(orders<CayleyVariationalEuler>(1), 1);
  expect_order(orders<MatrixRungeKutta4>(1), 4);
}

// --- as printed -----------------------------------------------------------------------------------------------------

RC_GTEST_PROP(AsPrinted, the_cayley_map_is_a_rotation_for_unit_vectors_only, ()) {
  const Vector3<Float50> x = random_vector();
  const Float50 length = sqrt(dot(x, x));
  RC_PRE(length > Float50(1) / 10 && abs(Float50(length - 1)) > Float50(1) / 10);
  const auto defect_of = [](const Vector3<Float50>& y) {
    return to_double(so3::orthogonality_defect(misprints::PrintedCayleyMap::map(y)));
  };
  RC_ASSERT(defect_of(x) > 1e-4);
  RC_ASSERT(defect_of(Vector3<Float50>(x / length)) < floor_50);
  // So Lie-Newmark leaves the group in one step; the scale of W decides by how much.
  const RandomBody random;
  const auto system = random.system<Float50>();
  LieNewmark<Body<Float50>, misprints::PrintedCayleyMap> method(system);
  auto z = method.start(random.q, x);
  RC_ASSERT(method.step(z, Float50(Float50(1) / 4)).ok());
  RC_ASSERT(to_double(so3::orthogonality_defect(z.q)) > 1e-8);
}
TEST(AsPrinted, the_last_line_of_lie_midpoint_loses_an_order) {
  expect_order(orders<misprints::PrintedLieMidpoint>(1), 1);
}
RC_GTEST_PROP(AsPrinted, the_last_line_of_lie_midpoint_loses_symmetry, ()) {
  RC_ASSERT(asymmetry<misprints::PrintedLieMidpoint>(RandomBody()) > 1e-8);
}

// --- running --------------------------------------------------------------------------------------------------------

template <class Method>
StepOutcome first_step(Method method, const Matrix3<double>& q, const Vector3<double>& w, double h) {
  auto z = method.start(q, w);
  return method.step(z, h);
}
TEST(Failure, is_explicit) {
  const auto system = stress_test<double>();
  using System = StressTestSystem<double>;
  const auto [q, w] = stress_test_start<double>();
  const Vector3<double> infinite(std::numeric_limits<double>::infinity(), 0, 0);
  const NewtonOptions<double> once{.tolerance = 1e-300, .max_iterations = 1};
  EXPECT_EQ(first_step(LieNewmark<System>(system, once), q, w, 0.25).failure, Failure::no_convergence);
  EXPECT_EQ(first_step(LieVerlet<System>(system, once), q, w, 0.25).failure, Failure::no_convergence);
  EXPECT_EQ(first_step(LieMidpoint<System>(system, once), q, w, 0.25).failure, Failure::no_convergence);
  EXPECT_EQ(first_step(LieVerlet<System>(system), q, infinite, 0.25).failure, Failure::not_finite);
  EXPECT_EQ(first_step(LieNewmark<System>(system), q, infinite, 0.25).failure, Failure::not_finite);
  EXPECT_EQ(first_step(LieMidpoint<System>(system), q, infinite, 0.25).failure, Failure::not_finite);
  // More than half a turn in one step: nothing for cay, out of reach for exp.
  const Vector3<double> fast(0, 0, 40);
  EXPECT_EQ((first_step(LieNewmark<System, ExponentialMap>(system), q, fast, 0.25).failure), Failure::outside_chart);
  EXPECT_TRUE(first_step(LieNewmark<System>(system), q, fast, 0.25).ok());
  EXPECT_EQ((StepOutcome{Failure::outside_chart, -1}.describe()),
            "a rotation in one step is beyond the chart (half a turn)");
  // On the tip of the cone of U the torque is not a number.
  EXPECT_FALSE(first_step(LieVerlet<System>(system), identity3<double>(), w, 0.25).ok());
  EXPECT_THROW(LieVerlet<System>(system, {.tolerance = -1}), InvalidParameter);
}
TEST(Newton, converges_from_far_away) {
  // Fast rotations: the update has to be halved or not, but the equation is solved.
  const LieSystem<DiagonalMass<double, 3>, FreeBodyPotential<double>> body(DiagonalMass<double, 3>({1, 2, 3}), {});
  LieVerlet<std::decay_t<decltype(body)>> method(body);
  for (const double speed : {1.0, 10.0, 100.0, 1000.0}) {
    auto z = method.start(identity3<double>(), Vector3<double>(speed, -0.5 * speed, 0.7 * speed));
    const Vector3<double> before = body.spatial_momentum(z.q, z.w);
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(method.step(z, 0.1).ok()) << speed;
    EXPECT_LT((body.spatial_momentum(z.q, z.w) - before).norm(), 1e-12 * before.norm());
  }
  EXPECT_GT(method.work().newton_iterations, 80);
}
TEST(Body, runs_as_a_trajectory_and_through_a_checkpoint) {
  const auto system = stress_test<double>();
  const auto [q, w] = stress_test_start<double>();
  LieVerlet<StressTestSystem<double>> method(system);
  Trajectory whole(method, method.start(q, w), 0.125, 40), first(method, method.start(q, w), 0.125, 25);
  EXPECT_TRUE(whole.complete().ok());
  EXPECT_TRUE(first.complete().ok());
  auto saved = method.start(q, w);
  load_state(save_state(first.state()), saved);
  Trajectory rest(method, saved, 0.125, 15);
  EXPECT_TRUE(rest.complete().ok());
  EXPECT_EQ(rest.state().q, whole.state().q);
  EXPECT_EQ(rest.state().w, whole.state().w);
}

// --- Newton's method ------------------------------------------------------------------------------------------------

// atan x = 0 from |x| > 1.39: whole updates run away, each further than the one before.
TEST(NewtonInThreeUnknowns, halves_updates_that_lead_away) {
  int residuals = 0;
  const auto solve = [&](Vector3<double>& x, WorkCounters& work) {
    residuals = 0;
    return solve_in_three_unknowns<double>(
        x, 0.0, {}, work,
        [&](const Vector3<double>& y) {
          ++residuals;
          return vector3(std::atan(y(0)), std::atan(y(1)), std::atan(y(2)));
        },
        [](const Vector3<double>& y) {
          Matrix3<double> j = Matrix3<double>::Zero();
          for (int i = 0; i < 3; ++i) j(i, i) = 1 / (1 + y(i) * y(i));
          return j;
        });
  };
  for (const double start : {2.0, 5.0}) {
    Vector3<double> x = vector3(start, -0.3 * start, 0.1);
    WorkCounters work;
    EXPECT_TRUE(solve(x, work).ok()) << start;
    EXPECT_LT(max_magnitude(x), 1e-12) << start;
    // Residuals beyond one for each update and one at the start are those of halved updates.
    EXPECT_GT(residuals, work.newton_iterations + 1) << start;
  }
  // Near the root none is halved.
  Vector3<double> x = vector3(0.3, -0.2, 0.1);
  WorkCounters work;
  EXPECT_TRUE(solve(x, work).ok());
  EXPECT_EQ(residuals, work.newton_iterations + 1);
}

}  // namespace body_integrators_test
