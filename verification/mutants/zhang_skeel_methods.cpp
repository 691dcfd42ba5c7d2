// SPDX-License-Identifier: MIT
//
// Z&S, its simplified forms and velocity Verlet: see methods.hpp.
#include "verification/mutants/methods.hpp"

#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/variational_stiff_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>

namespace {

using namespace livi;
using namespace livi::mutants;

const auto zhang_skeel = []<class S>(const S& s) { return ZhangSkeel<S>(s, {ScalarOf<S>(beta)}); };
const auto simplified = []<class S>(const S& s) { return SimplifiedZhangSkeel<S>(s, {ScalarOf<S>(beta)}); };
const auto stiff = []<class S>(const S& s) { return StiffZhangSkeel<S>(s, {ScalarOf<S>(beta)}); };
const auto variational = []<class S>(const S& s) { return VariationalStiffZhangSkeel<S>(s, {ScalarOf<S>(beta)}); };
const auto verlet = []<class S>(const S& s) { return VelocityVerlet<S>(s); };

TEST(ZhangSkeel, is_symplectic) {
  EXPECT_LT(symplecticity(zhang_skeel), rounding);
  EXPECT_GT(symplecticity(simplified), 1e-8);  // the control
}

TEST(ZhangSkeel, is_of_order_two) {
  EXPECT_NEAR(order(zhang_skeel, 128), 2, order_tolerance);
  EXPECT_LT(distance_from_the_motion(zhang_skeel), closeness);
}

TEST(ZhangSkeel, is_symmetric) { EXPECT_LT(asymmetry(zhang_skeel), rounding); }

/// Returns the difference of the first kick from -grad U, U = V - c/2 grad V'(M + c H)^-1 grad V, H the Hessian of V or
/// of its stiff part.
template <class Make>
double distance_from_verlet_on_the_modified_potential(const Make& make, bool stiff_part) {
  const System<double> system = make_system<double>();
  constexpr double h = 0.25, c = beta * h * h;
  const auto modified = [&](const V& q) {
    DenseHessian<double, 2> hessian;
    V g, a;
    system.potential().gradient(q, g);
    if (stiff_part) {
      system.potential().stiff_hessian(q, hessian);
    } else {
      system.potential().hessian(q, hessian);
    }
    const double m00 = 2 + c * hessian.matrix(0, 0), m10 = 0.5 + c * hessian.matrix(1, 0),
                 m11 = 1 + c * hessian.matrix(1, 1), determinant = m00 * m11 - m10 * m10;
    a = V(m11 * g(0) - m10 * g(1), m00 * g(1) - m10 * g(0)) / determinant;
    return system.potential().value(q) - c / 2 * g.dot(a);
  };
  auto method = make(system);
  auto z = method.start(start_q, start_v);
  EXPECT_TRUE(method.step(z, h).ok());
  V kick = system.momentum((z.q - start_q) / h - start_v) * (2 / h);  // M f at the start
  for (int i = 0; i < 2; ++i) {
    V step = V::Zero();
    step(i) = 1e-3;
    const double slope = (8 * (modified(start_q + step) - modified(start_q - step)) -
                          (modified(start_q + 2 * step) - modified(start_q - 2 * step))) /
                         12e-3;
    kick(i) += slope;
  }
  return kick.norm();
}

// Sees beta and every factor, where symplecticity does not. Differences of order four: 1e-12, and rounding 1e-13.
TEST(ZhangSkeel, is_verlet_on_the_modified_potential) {
  EXPECT_LT(distance_from_verlet_on_the_modified_potential(zhang_skeel, false), 1e-10);
}

TEST(ZhangSkeel, physical_position_is_x_plus_c_a) {
  const System<double> system = make_system<double>();
  ZhangSkeel method(system, {beta});
  WorkCounters work;
  V q;
  ASSERT_TRUE(method.force().physical_position(system, start_q, 0.25, q, work).ok());
  constexpr double c = beta / 16;
  DenseHessian<double, 2> hessian;
  V gradient;
  system.potential().gradient(start_q, gradient);
  system.potential().hessian(start_q, hessian);
  const auto residual = [&] {
    const V a = (q - start_q) / c;
    V product;
    hessian.multiply(a, product);
    return (system.momentum(a) + c * product + gradient).norm();
  };
  EXPECT_LT(residual(), 1e-12);
  VariationalStiffZhangSkeel of_stiff(system, {beta});
  ASSERT_TRUE(of_stiff.force().physical_position(system, start_q, 0.25, q, work).ok());
  system.potential().stiff_hessian(start_q, hessian);
  EXPECT_LT(residual(), 1e-12);
}

TEST(ZhangSkeel, computes_its_force_anew_for_a_new_step) {
  const System<double> system = make_system<double>();
  ZhangSkeel method(system, {beta});
  auto z = method.start(start_q, start_v), fresh = z;
  ASSERT_TRUE(method.step(z, 0.25).ok());
  fresh = method.start(z.q, z.v);
  ASSERT_TRUE(method.step(z, 0.125).ok() && method.step(fresh, 0.125).ok());
  EXPECT_EQ(z.q, fresh.q);
}

TEST(ZhangSkeel, counts_one_solve_a_step) {
  const System<double> system = make_system<double>();
  ZhangSkeel method(system, {beta});
  auto z = method.start(start_q, start_v);
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(method.step(z, 0.25).ok());
  EXPECT_EQ(method.work().linear_solves, 6);  // one at the start
}

// On a generic state, line 3 of (18).
TEST(SimplifiedZhangSkeel, solves_its_linear_system) {
  const System<double> system = make_system<double>();
  for (const bool whole : {true, false}) {
    constexpr double h = 0.25, c = beta * h * h;
    V a;
    const auto first_kick = [&](auto method) {
      auto z = method.start(start_q, start_v);
      EXPECT_TRUE(method.step(z, h).ok());
      a = ((z.q - start_q) / h - start_v) * (2 / h);
    };
    whole ? first_kick(simplified(system)) : first_kick(stiff(system));
    DenseHessian<double, 2> hessian;
    V gradient, product;
    system.potential().gradient(start_q, gradient);
    if (whole) {
      system.potential().hessian(start_q, hessian);
    } else {
      system.potential().stiff_hessian(start_q, hessian);
    }
    hessian.multiply(a, product);
    EXPECT_LT((system.momentum(a) + c * product + gradient).norm(), 1e-12) << whole;
  }
}

TEST(SimplifiedZhangSkeel, is_symmetric_of_order_two) {
  EXPECT_LT(asymmetry(simplified), rounding);
  EXPECT_NEAR(order(simplified, 128), 2, order_tolerance);
  EXPECT_LT(asymmetry(stiff), rounding);
  EXPECT_NEAR(order(stiff, 128), 2, order_tolerance);
}

TEST(VariationalStiffZhangSkeel, is_verlet_on_the_modified_potential) {
  EXPECT_LT(distance_from_verlet_on_the_modified_potential(variational, true), 1e-10);
  EXPECT_GT(distance_from_verlet_on_the_modified_potential(variational, false), 1e-4);  // the controls
  EXPECT_GT(distance_from_verlet_on_the_modified_potential(stiff, true), 1e-4);
}

TEST(VariationalStiffZhangSkeel, is_symplectic_and_symmetric_of_order_two) {
  EXPECT_LT(symplecticity(variational), rounding);
  EXPECT_GT(symplecticity(stiff), 1e-8);  // the control
  EXPECT_LT(asymmetry(variational), rounding);
  EXPECT_NEAR(order(variational, 128), 2, order_tolerance);
  EXPECT_LT(distance_from_the_motion(variational), closeness);
}

TEST(VelocityVerlet, is_symplectic_and_of_order_two) {
  EXPECT_LT(symplecticity(verlet), rounding);
  EXPECT_NEAR(order(verlet, 128), 2, order_tolerance);
  EXPECT_LT(distance_from_the_motion(verlet), closeness);
}

TEST(StabilityLimit, is_that_of_theorem_2_2) {
  EXPECT_EQ(newmark_stability_limit(0.25), unlimited);
  EXPECT_DOUBLE_EQ(newmark_stability_limit(0.1875), 4);
}

}  // namespace
