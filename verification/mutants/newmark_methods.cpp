// SPDX-License-Identifier: MIT
//
// Newmark, its push-forward, the midpoint rule, compositions and comparisons: see methods.hpp.
#include "verification/mutants/methods.hpp"

#include <livi/integrators/composition.hpp>
#include <livi/integrators/generic_consistent.hpp>
#include <livi/integrators/implicit_midpoint.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/odeint_adapter.hpp>
#include <livi/integrators/pushforward_newmark.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/velocity_verlet.hpp>

namespace {

using namespace livi;
using namespace livi::mutants;

const auto newmark = []<class S>(const S& s) { return Newmark<S>(s, {.beta = ScalarOf<S>(beta)}); };
const auto pushed = []<class S>(const S& s) { return PushforwardNewmark<S>(s, {.beta = ScalarOf<S>(beta)}); };
const auto midpoint = []<class S>(const S& s) { return ImplicitMidpoint<S>(s); };

TEST(Newmark, is_symplectic_in_the_mapped_position) {
  EXPECT_LT(symplecticity(newmark, CanonicalCoordinates::mapped), rounding);
  EXPECT_GT(symplecticity(newmark), 1e-6);
}

TEST(Newmark, is_of_order_two) {
  EXPECT_NEAR(order(newmark, 128), 2, order_tolerance);
  EXPECT_LT(distance_from_the_motion(newmark), closeness);
}

TEST(Newmark, is_symmetric) { EXPECT_LT(asymmetry(newmark), rounding); }

TEST(Newmark, satisfies_its_equations) {
  const System<double> system = make_system<double>();
  constexpr double h = 0.25;
  Newmark method(system, {.beta = beta});
  auto z = method.start(start_q, start_v);
  ASSERT_TRUE(method.step(z, h).ok());
  V a0, a1;
  system.acceleration(start_q, a0);
  system.acceleration(z.q, a1);
  EXPECT_LT((z.q - (start_q + h * start_v + h * h / 2 * ((1 - 2 * beta) * a0 + 2 * beta * a1))).norm(), rounding);
  EXPECT_LT((z.v - (start_v + h / 2 * (a0 + a1))).norm(), rounding);
}

TEST(Newmark, readings_of_one_iteration_start_where_they_say) {
  // On a quadratic potential one Newton iteration is exact from any guess; here each guess gives its own answer.
  const System<double> system = make_system<double>();
  constexpr double h = 0.25, c = beta * h * h;
  V a0;
  system.acceleration(start_q, a0);
  const V predicted = start_q + h * start_v + (h * h / 2 - c) * a0;
  const std::pair<NewmarkGuess, V> guesses[] = {{NewmarkGuess::last_position, start_q},
                                                {NewmarkGuess::ballistic, start_q + h * start_v},
                                                {NewmarkGuess::zero_acceleration, predicted},
                                                {NewmarkGuess::constant_acceleration, predicted + c * a0}};
  for (const auto& [guess, position] : guesses) {
    Newmark method(system, {.beta = beta, .guess = guess, .newton = {.fixed_iterations = 1}});
    auto z = method.start(start_q, start_v);
    ASSERT_TRUE(method.step(z, h).ok());
    // One Newton iteration: M (z.q - predicted) + c (grad V(guess) + Hess V(guess)(z.q - guess)) = 0.
    DenseHessian<double, 2> hessian;
    V gradient, product;
    system.potential().gradient(position, gradient);
    system.potential().hessian(position, hessian);
    hessian.multiply(V(z.q - position), product);
    EXPECT_LT((system.momentum(z.q - predicted) + c * (gradient + product)).norm(), rounding)
        << static_cast<int>(guess);
  }
}

TEST(Newmark, carries_the_acceleration_of_its_first_line) {
  const System<double> system = make_system<double>();
  constexpr double h = 0.25;
  Newmark method(system,
                 {.beta = beta, .acceleration = NewmarkAcceleration::carried, .newton = {.fixed_iterations = 1}});
  auto z = method.start(start_q, start_v);
  V a0;
  system.acceleration(start_q, a0);
  ASSERT_TRUE(method.step(z, h).ok());
  EXPECT_LT((z.q - (start_q + h * start_v + h * h / 2 * ((1 - 2 * beta) * a0 + 2 * beta * z.a))).norm(), rounding);
}

TEST(PushforwardNewmark, is_symplectic) { EXPECT_LT(symplecticity(pushed), rounding); }

TEST(PushforwardNewmark, is_newmark_after_the_map) {
  const System<double> system = make_system<double>();
  constexpr double h = 0.25;
  Newmark method(system, {.beta = beta});
  PushforwardNewmark pushforward(system, {.beta = beta});
  V x0, x1;
  method.canonical_position(start_q, h, x0);
  auto z = method.start(start_q, start_v);
  auto w = pushforward.start(x0, start_v);
  ASSERT_TRUE(method.step(z, h).ok() && pushforward.step(w, h).ok());
  method.canonical_position(z.q, h, x1);
  EXPECT_LT((w.q - x1).norm() + (w.v - z.v).norm(), rounding);
}

TEST(ImplicitMidpoint, is_symplectic_symmetric_and_of_order_two) {
  EXPECT_LT(symplecticity(midpoint), rounding);
  EXPECT_LT(asymmetry(midpoint), rounding);
  EXPECT_NEAR(order(midpoint, 128), 2, order_tolerance);
  EXPECT_LT(distance_from_the_motion(midpoint), closeness);
}

// Other equations for the point of the force give other symplectic, symmetric methods of order two: Verlet is one.
TEST(ImplicitMidpoint, satisfies_its_equations) {
  const System<double> system = make_system<double>();
  constexpr double h = 0.25;
  auto method = midpoint(system);
  auto z = method.start(start_q, start_v);
  ASSERT_TRUE(method.step(z, h).ok());
  V a;
  system.acceleration((start_q + z.q) / 2, a);
  EXPECT_LT((z.v - (start_v + h * a)).norm(), rounding);
  EXPECT_LT((z.q - (start_q + h / 2 * (start_v + z.v))).norm(), rounding);
}

TEST(SymplecticEuler, is_symplectic_and_of_order_one) {
  const auto make = []<class S>(const S& s) { return SymplecticEuler<S>(s); };
  EXPECT_LT(symplecticity(make), rounding);
  EXPECT_NEAR(order(make, 1024), 1, order_tolerance);
}

TEST(RungeKutta4, is_of_order_four) {
  EXPECT_NEAR(order([]<class S>(const S& s) { return RungeKutta4<S>(s); }, 64), 4, order_tolerance);
}

TEST(ExplicitEuler, is_of_order_one_and_not_symplectic) {
  const auto make = []<class S>(const S& s) { return ExplicitEuler<S>(s); };
  EXPECT_NEAR(order(make, 1024), 1, order_tolerance);
  EXPECT_GT(symplecticity(make), 1e-6);
}

TEST(GenericConsistent, is_symmetric_and_of_order_two) {
  const auto make = []<class S>(const S& s) {
    const auto f = [](const VectorOf<S>& x) { return Matrix<ScalarOf<S>, 2>(x * x.transpose()); };
    const auto g = [](const VectorOf<S>& x) { return VectorOf<S>(ScalarOf<S>(8) * x); };
    return GenericConsistent(s, f, g, PositionCorrection::included);
  };
  EXPECT_NEAR(order(make, 128), 2, order_tolerance);
  EXPECT_LT(asymmetry(make), rounding);
}

TEST(Odeint, is_velocity_verlet) {
  const System<double> system = make_system<double>();
  const V ours = end_of(VelocityVerlet<System<double>>(system), 16, 1.0 / 16);
  EXPECT_LT((end_of(OdeintVelocityVerlet<System<double>>(system), 16, 1.0 / 16) - ours).norm(), rounding);
}

TEST(Odeint, mclachlan_is_of_order_four) {
  const auto make = []<class S>(const S& s) { return OdeintMcLachlan<S>(s); };
  EXPECT_NEAR(order(make, 64), 4, order_tolerance);
  EXPECT_LT(distance_from_the_motion(make), closeness);
}

TEST(Composition, has_the_order_of_its_scheme) {
  EXPECT_NEAR(order([]<class S>(const S& s) { return Composition(VelocityVerlet<S>(s), yoshida<double>(4)); }, 64), 4,
              order_tolerance);
  EXPECT_NEAR(order([]<class S>(const S& s) { return Composition(VelocityVerlet<S>(s), suzuki<double>(4)); }, 64), 4,
              order_tolerance);
  EXPECT_NEAR(order([]<class S>(const S& s) { return Composition(VelocityVerlet<S>(s), yoshida<double>(6)); }, 32), 6,
              0.3);
}

}  // namespace
