// SPDX-License-Identifier: MIT
//
// RATTLE under noise and its controls: constraints, symplecticity for fixed integrals of the noise in 50 digits, momentum path
// by path, bits without noise, exactness on a plane, existence of the multiplier.
#include <gtest/gtest.h>

#include <livi/diagnostics/check_derivatives.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/stochastic/noise_products.hpp>
#include <livi/stochastic/projected_methods.hpp>
#include <livi/stochastic/run_along.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>
#include <livi/systems/distance_constraints.hpp>
#include <livi/systems/stochastic_problems.hpp>
#include <set>

#include "stochastic_step.hpp"

namespace livi {

namespace stochastic_rattle_test {

using stochastic_test::constraint_defect;
using stochastic_test::fixed_noise;
using stochastic_test::symplecticity;
using stochastic_test::tangent_defect;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

template <class S>
auto sphere_triple(const S& sigma) {
  return sphere_pendulum<S>(coordinate_noise<S, 3>(sigma, std::array{0, 1, 2}));
}

/// The quadratic noise (x y, z^2/2 + x) with amplitude 1/2.
template <class S>
QuadraticNoise<S, 3> quadratic_noise() {
  QuadraticNoise<S, 3> noise;
  noise.terms.resize(2, {zeros<Vector<S, 3>>(), zeros<Matrix<S, 3>>()});
  noise.terms[0].matrix(0, 1) = noise.terms[0].matrix(1, 0) = ratio<S>(1, 2);
  noise.terms[1].matrix(2, 2) = noise.terms[1].force(0) = ratio<S>(1, 2);
  return noise;
}

TEST(NoisePotentials, have_the_derivatives_of_their_values) {
  const auto noise = quadratic_noise<double>();
  const Vector<double, 3> q(0.3, -0.7, 0.9);
  for (int i = 0; i < 2; ++i) {
    const DerivativeCheck check = check_derivatives(NoisePotential<QuadraticNoise<double, 3>>{noise, i}, q);
    EXPECT_TRUE(check.ok()) << check.describe();
  }
  const auto linear = coordinate_noise<double, 3>(0.5, std::array{0, 2});
  for (int i = 0; i < 2; ++i)
    EXPECT_TRUE(check_derivatives(NoisePotential<LinearNoise<double, 3, 2>>{linear, i}, q).ok());
  // A control: the gradient of the other noise.
  struct Wrong : QuadraticNoise<double, 3> {
    void add_gradient(Eigen::Index i, const vector_type& x, double w, vector_type& out) const {
      QuadraticNoise::add_gradient(1 - i, x, w, out);
    }
  };
  EXPECT_FALSE(check_derivatives(NoisePotential<Wrong>{{noise}, 0}, q).ok());
}

TEST(NoisePotentials, are_exact_in_rationals) {
  const auto noise = quadratic_noise<Rational>();
  Vector<Rational, 3> q, out = zeros<Vector<Rational, 3>>();
  q << ratio<Rational>(1, 3), Rational(2), ratio<Rational>(-1, 5);
  EXPECT_EQ(noise.value(0, q), ratio<Rational>(1, 3));
  noise.add_gradient(1, q, Rational(2), out);
  EXPECT_EQ(out(0), Rational(1));
  EXPECT_EQ(out(2), ratio<Rational>(-1, 5));
}

TEST(Constraints, are_those_of_the_general_quadratic_form) {
  const QuadraticConstraint<double, 3> general{Vector<double, 3>(1, 1, 0).asDiagonal(), 0.5};
  const RoundConstraint<double, 3, 2> round{1};
  const Vector<double, 3> q(0.3, -0.7, 0.9), a(1, 2, -1);
  Vector<double, 1> g, of_general;
  round.value(q, g);
  general.value(q, of_general);
  EXPECT_NEAR(g(0), of_general(0), epsilon);
  Matrix<double, 1, 3> jacobian, jacobian_of_general;
  round.jacobian(q, jacobian);
  general.jacobian(q, jacobian_of_general);
  EXPECT_EQ(jacobian, jacobian_of_general);
  round.curvature(q, a, g);
  general.curvature(q, a, of_general);
  EXPECT_EQ(g, of_general);
}

TEST(StochasticRattle, without_noise_is_rattle_bit_for_bit) {
  const auto compare = [](const auto& problem) {
    Rattle rattle(problem.system);
    StochasticRattle stochastic(problem.system);
    auto z = rattle.start(problem.q, problem.v), w = stochastic.start(problem.q, problem.v), u = w;
    const std::vector<NoiseIntegrals<double>> none(static_cast<std::size_t>(problem.system.noise().count()));
    for (int k = 0; k < 1000; ++k) {
      ASSERT_TRUE(rattle.step(z, 0.05).ok());
      ASSERT_TRUE(stochastic.step(w, 0.05, none).ok());
      ASSERT_TRUE(stochastic.step(u, 0.05).ok());
    }
    const auto bits = [](const auto& x) {
      return std::string(reinterpret_cast<const char*>(x.data()), sizeof(double) * static_cast<std::size_t>(x.size()));
    };
    for (const auto& other : {w, u}) {
      EXPECT_EQ(bits(z.q), bits(other.q));
      EXPECT_EQ(bits(z.v), bits(other.v));
      EXPECT_EQ(bits(z.lambda), bits(other.lambda));
      EXPECT_EQ(bits(z.kappa), bits(other.kappa));
    }
    // A control: noise changes them.
    EXPECT_TRUE(stochastic.step(w, 0.05, fixed_noise<double>(none.size(), 0.05)).ok());
    EXPECT_TRUE(rattle.step(z, 0.05).ok());
    EXPECT_NE(bits(z.q), bits(w.q));
  };
  compare(sphere_triple(0.5));
  compare(double_sphere_pendulum<double>(coordinate_noise<double, 6>(0.5, std::array{0, 5})));
  compare(water_in_field(0.3, 0.5));
}

// On a plane the motion is q(t) = q + t v - t^2/2 slope + sigma I10 and v(t) = v - t slope + sigma W, without what is normal.
TEST(StochasticRattle, is_exact_on_a_plane) {
  using E = Rational;
  const Vector<E, 3> slope{E(1), E(-2), E(3)};
  const E sigma = ratio<E>(2, 3), h = ratio<E>(1, 4);
  const auto problem = plane_particle<E>(slope, coordinate_noise<E, 3>(sigma, std::array{0, 2}));
  const std::vector<NoiseIntegrals<E>> noises{{ratio<E>(3, 7), ratio<E>(1, 11)}, {ratio<E>(-2, 7), ratio<E>(1, 5)}};
  // The equation for the multiplier is linear: one iteration of Newton's method solves it.
  const auto after = [&](NoiseWeights weights) {
    StochasticRattle method(problem.system, weights, {.fixed_iterations = 1});
    auto z = method.start(problem.q, problem.v);
    EXPECT_TRUE(method.step(z, h, noises).ok());
    return z;
  };
  const auto z = after(NoiseWeights::integrals);
  for (int i = 0; i < 2; ++i) {
    const E w = i == 0 ? sigma : E(0);
    EXPECT_EQ(z.q(i), problem.q(i) + h * problem.v(i) - h * h / E(2) * slope(i) + w * noises[0].integral);
    EXPECT_EQ(z.v(i), problem.v(i) - h * slope(i) + w * noises[0].increment);
  }
  EXPECT_EQ(z.q(2), E(0));
  EXPECT_EQ(z.v(2), E(0));
  // A control: the weights that do not know I10.
  EXPECT_NE(after(NoiseWeights::increments).q(0), z.q(0));
}

// Positions of size 1: a rounding of each of three coordinates, and of the multiplier's part of it, is the same rounding of
// g = (|q|^2 - 1)/2. Velocities are projected by one solve, whose rounding is that of G v before it.
TEST(StochasticRattle, keeps_both_constraints_to_four_roundings) {
  const auto problem = sphere_triple(0.5);
  double position = 0, velocity = 0, forgotten = 0;
  for (std::uint64_t number = 0; number < 20; ++number) {
    const BrownianPath path(11, number, 3, 2, 7);
    StochasticRattle method(problem.system);
    UnprojectedNoise wrong(problem.system);
    auto z = method.start(problem.q, problem.v);
    auto w = wrong.start(problem.q, problem.v);
    const auto failed = run_along(method, z, path, 7, number, [&](std::uint64_t, const auto& s) {
      position = larger(position, constraint_defect(problem.system, s.q));
      velocity = larger(velocity, tangent_defect(problem.system, s.q, s.v) / std::max(1.0, s.v.norm()));
    });
    ASSERT_FALSE(failed) << failed->describe();
    ASSERT_FALSE(run_along(wrong, w, path, 7, number, [&](std::uint64_t, const auto& s) {
      forgotten = larger(forgotten, tangent_defect(problem.system, s.q, s.v));
    }));
  }
  EXPECT_LT(position, 4 * epsilon);
  EXPECT_LT(velocity, 4 * epsilon);
  // The normal part of a kick: up to some standard deviations of 0.5 h^(1/2) = 0.06.
  EXPECT_GT(forgotten, 0.06);
}

// As on the sphere; g of a rod of length l is rounded like l^2.
TEST(StochasticRattle, keeps_the_constraints_of_rods_to_four_roundings) {
  const auto expect = [](const auto& problem, int noises, double squared_length) {
    StochasticRattle method(problem.system);
    double position = 0, velocity = 0;
    for (std::uint64_t number = 0; number < 5; ++number) {
      const BrownianPath path(12, number, noises, 2, 6);
      auto z = method.start(problem.q, problem.v);
      const auto failed = run_along(method, z, path, 6, number, [&](std::uint64_t, const auto& s) {
        position = larger(position, constraint_defect(problem.system, s.q));
        velocity = larger(velocity, tangent_defect(problem.system, s.q, s.v) / std::max(1.0, s.v.norm()));
      });
      ASSERT_FALSE(failed) << failed->describe();
    }
    EXPECT_LT(position, 4 * epsilon * squared_length);
    EXPECT_LT(velocity, 4 * epsilon * squared_length);
  };
  expect(double_sphere_pendulum<double>(coordinate_noise<double, 6>(0.5, std::array{0, 4, 5})), 3, 4);
  expect(water_in_field(0.3, 0.5), 3, 2.3);
}

TEST(StochasticRattle, is_symplectic_for_fixed_integrals_of_the_noise) {
  const auto rattle = [](NoiseWeights weights) {
    return [weights]<class System>(const System& system) { return StochasticRattle<System>(system, weights); };
  };
  const auto on = [](const auto& make_problem, const auto& make) { return symplecticity(make_problem, make, 0.1); };
  const auto sphere = []<class S>(S) { return sphere_pendulum<S>(quadratic_noise<S>()); };
  const auto double_pendulum = []<class S>(S) {
    return double_sphere_pendulum<S>(coordinate_noise<S, 6>(ratio<S>(1, 2), std::array{0, 4, 5}));
  };
  EXPECT_LT(on(sphere, rattle(NoiseWeights::increments)), 1e-45);
  EXPECT_LT(on(sphere, rattle(NoiseWeights::integrals)), 1e-45);
  EXPECT_LT(on(double_pendulum, rattle(NoiseWeights::integrals)), 1e-45);
  // Controls: defects are of the order of h times the noise, 0.1^1.5 of it or so.
  EXPECT_GT(on(sphere, []<class System>(const System& s) { return ProjectedEulerMaruyama<System>(s); }), 1e-3);
  EXPECT_GT(on(sphere, []<class System>(const System& s) { return ProjectedHeun<System>(s); }), 1e-5);
}

// The noise z has the symmetry of gravity, x has not. The roundings of 10^5 steps add up like a random walk: 316 of them, of
// numbers up to three.
TEST(StochasticRattle, keeps_the_momentum_of_a_symmetry_path_by_path) {
  const auto worst = [](int coordinate, std::uint64_t steps) {
    const auto problem = sphere_pendulum<double>(coordinate_noise<double, 3>(0.05, std::array{coordinate}));
    const NormalNumbers normal(3, 0);
    StochasticRattle method(problem.system);
    auto z = method.start(problem.q, problem.v);
    const auto momentum = [](const auto& s) { return s.q(0) * s.v(1) - s.q(1) * s.v(0); };
    const double h = 0.05, first = momentum(z);
    double largest = 0;
    for (std::uint64_t k = 0; k < steps; ++k) {
      double xi[2];
      normal(k, 0, xi, 2);
      const double w = std::sqrt(h) * xi[0], zeta = std::sqrt(h * h * h / 12) * xi[1];
      const NoiseIntegrals<double> noise{w, zeta + h * w / 2, 0};
      EXPECT_TRUE(method.step(z, h, {&noise, 1}).ok());
      largest = std::max(largest, std::abs(momentum(z) - first));
    }
    return largest;
  };
  EXPECT_LT(worst(2, 100000), 3 * 316 * epsilon);
  EXPECT_GT(worst(0, 1000), 1e-2);
}

/// A free particle on the unit sphere with the noise y, by a constraint whose root is known or by Newton's method.
template <class Constraint>
auto free_particle(const Constraint& constraint) {
  return StochasticSystem(ScalarMass<double, 3>(1.0), UniformField<double, 3>{zeros<Vector<double, 3>>()}, constraint,
                          coordinate_noise<double, 3>(1.0, std::array{1}));
}
auto by_its_root() { return free_particle(RoundConstraint<double, 3>{1}); }
auto by_newtons_method() { return free_particle(QuadraticConstraint<double, 3>{Matrix<double, 3>::Identity(), 0.5}); }

// On the unit sphere the multiplier exists while h |P v| <= 1 for the tangent part of the half-step's velocity. At q_k = (1, 0, 0)
// without a force and with the kick B1 along y, h (v + B1) is the product.
template <class System>
void expect_an_end_of_the_sphere(const System& system) {
  const Vector<double, 3> q(1, 0, 0), v(0, 0.5, 0);
  const auto outcome = [&](double h, double product, auto& z, auto& method) {
    const double kick = product / h - 0.5;
    const NoiseIntegrals<double> noise{2 * kick, kick * h, 0};  // zeta = 0
    return method.step(z, h, {&noise, 1});
  };
  StochasticRattle method(system);
  for (const double h : {0.5, 0.1, 0.01})
    for (const double sign : {1.0, -1.0}) {
      for (const double product : {0.5, 0.99, 0.999999}) {
        auto z = method.start(q, v);
        ASSERT_TRUE(outcome(h, sign * product, z, method).ok()) << h << " " << product;
        // The nearest solution: cos of the angle is positive. Its condition is 1/cos.
        const double cosine = std::sqrt(1 - product * product);
        EXPECT_NEAR(z.q(0), cosine, 8 * epsilon / cosine);
        EXPECT_NEAR(z.q(1), sign * product, 8 * epsilon / cosine);
      }
      for (const double product : {1.000001, 1.01, 1.5, 30.0, 1e8}) {
        auto z = method.start(q, v);
        EXPECT_EQ(outcome(h, sign * product, z, method).failure, Failure::no_real_root) << h << " " << product;
      }
    }
  // Not after a bad guess either: the multiplier of the last step is the guess of this one.
  for (const double guess : {-100.0, -1.0, 1.0, 100.0}) {
    auto z = method.start(q, v);
    z.kappa(0) = guess;
    ASSERT_TRUE(outcome(0.5, 0.99, z, method).ok());
    EXPECT_GT(z.q(0), 0);
    z = method.start(q, v);
    z.kappa(0) = guess;
    EXPECT_EQ(outcome(0.5, 1.01, z, method).failure, Failure::no_real_root);
  }
  MultiplierSolve<System> solve(system, {});
  WorkCounters work;
  Vector<double, 1> mu(-2);
  Vector<double, 3> next;
  solve.set_directions(system, q);
  ASSERT_TRUE(solve.solve_nearest_position(system, q, Vector<double, 3>(1, 0.6, 0), mu, next, work).ok());
  EXPECT_NEAR(next(0), 0.8, 4 * epsilon);
  // Also where r lies beyond the plane of the nearest points.
  ASSERT_TRUE(solve.solve_nearest_position(system, q, Vector<double, 3>(-3, 0.6, 0), mu, next, work).ok());
  EXPECT_NEAR(next(0), 0.8, 16 * epsilon);
  EXPECT_EQ(solve.solve_nearest_position(system, q, Vector<double, 3>(1, std::nan(""), 0), mu, next, work).failure,
            Failure::not_finite);
}
TEST(StochasticRattle, says_where_the_multiplier_does_not_exist) { expect_an_end_of_the_sphere(by_newtons_method()); }
TEST(StochasticRattle, says_so_by_the_root_that_a_constraint_knows) { expect_an_end_of_the_sphere(by_its_root()); }
// The control: without the question which solution it is, Newton's method takes the far one.
TEST(MultiplierSolve, takes_a_far_solution_if_it_is_not_asked_for_the_nearest) {
  const auto system = by_newtons_method();
  MultiplierSolve<std::remove_const_t<decltype(system)>> solve(system, {});
  WorkCounters work;
  Vector<double, 1> mu(-2);
  Vector<double, 3> next;
  solve.set_directions(system, Vector<double, 3>(1, 0, 0));
  ASSERT_TRUE(solve.solve_position(system, Vector<double, 3>(1, 0.6, 0), mu, next, work).ok());
  EXPECT_LT(next(0), 0);
}
// A hundred steps of size 1, an amplification by some ten.
TEST(MultiplierSolve, finds_by_the_root_what_newtons_method_finds) {
  const auto end = [](const auto& system) {
    StochasticRattle method(system);
    auto z = method.start(Vector<double, 3>(0.6, 0, -0.8), Vector<double, 3>(0.4, 1, 0.3));
    for (int k = 0; k < 100; ++k)
      EXPECT_TRUE(method.step(z, 0.1, fixed_noise<double>(1, k % 2 == 0 ? 0.1 : 0.01)).ok());
    return Vector<double, 6>(z.q(0), z.q(1), z.q(2), z.v(0), z.v(1), z.v(2));
  };
  EXPECT_LT((end(by_its_root()) - end(by_newtons_method())).norm(), 1e-12);
}

// Two particles on spheres: where both have gone to the far side the determinant is positive again.
TEST(MultiplierSolve, takes_the_nearest_solution_for_two_constraints_too) {
  using Rods = RodConstraints<double, 2, 2>;
  const Rods rods{{Rods::Rod{Rods::origin, 0, 1}, Rods::Rod{Rods::origin, 1, 1}}};
  const StochasticSystem system(ScalarMass<double, 6>(1), UniformField<double, 6>{zeros<Vector<double, 6>>()}, rods,
                                coordinate_noise<double, 6>(0.5, std::array{0}));
  MultiplierSolve<std::remove_const_t<decltype(system)>> solve(system, {});
  WorkCounters work;
  const Vector<double, 6> from(1, 0, 0, 0, 1, 0), r(1, 0.6, 0, 0, 1, 0.8);
  solve.set_directions(system, from);
  std::set<std::pair<bool, bool>> sides;
  for (const double first : {0.0, -2.0})
    for (const double second : {0.0, -2.0}) {
      Vector<double, 2> mu(first, second);
      Vector<double, 6> q;
      ASSERT_TRUE(solve.solve_position(system, r, mu, q, work).ok());
      sides.emplace(q(0) > 0, q(4) > 0);
      mu << first, second;
      ASSERT_TRUE(solve.solve_nearest_position(system, from, r, mu, q, work).ok());
      EXPECT_LT((q - Vector<double, 6>(0.8, 0.6, 0, 0, 0.6, 0.8)).norm(), 1e-14) << first << " " << second;
    }
  EXPECT_EQ(sides.size(), 4U);  // the control: plain Newton finds all four
}

// On the unit sphere with gamma_i = sigma q_i: K = sigma^2 (I - q q'). On the cylinder z has the constant product sigma^2.
TEST(NoiseProducts, are_those_of_projected_gradients) {
  const auto sphere = sphere_triple(0.5);
  const Matrix<double, Dynamic> k = noise_products(sphere.system, sphere.q);
  const Matrix<double, 3> expected = 0.25 * (Matrix<double, 3>::Identity() - sphere.q * sphere.q.transpose());
  EXPECT_LT((k - expected).norm(), 4 * epsilon);
  const auto cylinder = cylinder_pendulum<double>(coordinate_noise<double, 3>(0.5, std::array{0, 2}));
  const Vector<double, 3> elsewhere(0, 1, 2);
  EXPECT_NEAR(noise_products(cylinder.system, cylinder.q)(1, 1), 0.25, epsilon);
  EXPECT_NEAR(noise_products(cylinder.system, elsewhere)(1, 1), 0.25, epsilon);
  EXPECT_NEAR(noise_products(cylinder.system, cylinder.q)(0, 0), 0.25 * 0.64, epsilon);
  EXPECT_NEAR(noise_products(cylinder.system, elsewhere)(0, 0), 0.25, epsilon);
  // A full mass and two constraints: K is grad gamma . dv for the dv of a kick by grad gamma, projected.
  const auto rods = double_sphere_pendulum<double>(coordinate_noise<double, 6>(1.0, std::array{4}));
  using System = decltype(rods.system);
  MultiplierSolve<std::remove_const_t<System>> solve(rods.system, {});
  Vector<double, 6> kick = zeros<Vector<double, 6>>(), impulse = kick;
  Vector<double, 2> kappa;
  WorkCounters work;
  rods.system.kick(
      rods.q, [](Eigen::Index) { return 1.0; }, impulse, kick);
  solve.set_directions(rods.system, rods.q);
  ASSERT_TRUE(solve.project_velocity(rods.system, rods.q, kick, kappa, work).ok());
  EXPECT_NEAR(noise_products(rods.system, rods.q)(0, 0), kick(4), 4 * epsilon);
}

TEST(RunAlong, says_which_step_of_which_path_could_not_be_made) {
  const auto problem = sphere_pendulum<double>(coordinate_noise<double, 3>(40.0, std::array{0, 1}));
  const BrownianPath path(5, 77, 2, 1, 4);
  StochasticRattle method(problem.system);
  auto z = method.start(problem.q, problem.v);
  std::uint64_t last = 0;
  auto before = z;
  const auto failed = run_along(method, z, path, 4, 77, [&](std::uint64_t k, const auto& s) {
    last = k;
    before = s;
  });
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->outcome.failure, Failure::no_real_root);
  EXPECT_EQ(failed->step, last);
  EXPECT_EQ(z.q, before.q);
  EXPECT_EQ(z.v, before.v);
  EXPECT_EQ(failed->h_times_momentum, z.v.norm() / 16);
  EXPECT_NE(failed->describe().find("path 77, step " + std::to_string(last) + " of length 0.0625: the equation"),
            std::string::npos)
      << failed->describe();
  std::vector<NoiseIntegrals<double>> noises(2);
  integrals_over(path, 4, failed->step, noises);
  EXPECT_EQ(noises[1].increment, path.over(1, 4, failed->step).increment);
  EXPECT_FALSE(method.step(z, path.step(4), noises).ok());
}

TEST(StochasticRattle, refuses_another_number_of_noises) {
  const auto problem = sphere_triple(0.5);
  StochasticRattle method(problem.system);
  auto z = method.start(problem.q, problem.v);
  EXPECT_THROW(static_cast<void>(method.step(z, 0.1, fixed_noise<double>(2, 0.1))), InvalidParameter);
}

// Along a smooth path: the methods have the orders of ordinary differential equations, which shows that kicks and projections
// belong to one equation. What converges is the motion of all of them.
TEST(StochasticMethods, have_their_orders_along_a_smooth_path) {
  const auto problem = sphere_triple(0.5);
  const SmoothPath path(1, 2, 1);
  const auto end = [&](auto method, int level) {
    auto z = method.start(problem.q, problem.v);
    for (std::uint64_t k = 0; k < 1ULL << level; ++k) {
      const std::vector<NoiseIntegrals<double>> noises(3, path.over(0, level, k));
      EXPECT_TRUE(method.step(z, path.step(level), noises).ok());
    }
    return Vector<double, 6>(z.q(0), z.q(1), z.q(2), z.v(0), z.v(1), z.v(2));
  };
  using System = decltype(problem.system);
  const Vector<double, 6> exact = end(StochasticRattle<System>(problem.system), 12);
  const auto order = [&](const auto& method) {
    return std::log2((end(method, 6) - exact).norm() / (end(method, 7) - exact).norm());
  };
  // Slopes at h = 1/64: the next term of the expansion.
  EXPECT_NEAR(order(StochasticRattle<System>(problem.system)), 2, 0.1);
  EXPECT_NEAR(order(StochasticRattle<System>(problem.system, NoiseWeights::increments)), 2, 0.1);
  EXPECT_NEAR(order(ProjectedHeun<System>(problem.system)), 2, 0.1);
  EXPECT_NEAR(order(ProjectedEulerMaruyama<System>(problem.system)), 1, 0.1);
  EXPECT_NEAR(order(UnprojectedNoise<System>(problem.system)), 1, 0.1);
}

}  // namespace stochastic_rattle_test
}  // namespace livi
