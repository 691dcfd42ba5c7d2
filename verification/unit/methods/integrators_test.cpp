// SPDX-License-Identifier: MIT
//
// Integrators in double: compositions, the same method on every structure and mass, other libraries' steppers, and what
// happens when a step fails or an option is refused.
#include <gtest/gtest.h>

#include <livi/integrators/composition.hpp>
#include <livi/integrators/implicit_midpoint.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/odeint_adapter.hpp>
#include <livi/integrators/pushforward_newmark.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/any_system.hpp>
#include <livi/systems/double_pendulum.hpp>
#include <livi/systems/potentials.hpp>

namespace integrators_test {

using livi::CoupledAnharmonicPotential;
using livi::Dynamic;
using livi::Failure;
using livi::Float50;
using livi::HenonHeilesPotential;
using livi::Matrix;
using livi::MechanicalSystem;
using livi::ScalarMass;
using livi::StepOutcome;
using livi::Vector;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using HenonHeiles = MechanicalSystem<ScalarMass<double, 2>, HenonHeilesPotential<double>>;
HenonHeiles henon_heiles() { return {ScalarMass<double, 2>(1), {}}; }

template <class Method, class V>
auto run(Method& method, const V& q, const V& v, double h, int steps) {
  auto z = method.start(q, v);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(method.step(z, h).ok());
  return z;
}

template <class V, class W>
double difference(const V& a, const W& b) {
  double largest = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i) largest = livi::larger(largest, std::abs(a(i) - b(i)));
  return largest;
}

template <class Make>
std::string refusal(const Make& make) {
  try {
    make();
  } catch (const livi::InvalidParameter& error) {
    return error.what();
  }
  return "accepted";
}

// --- compositions ---------------------------------------------------------------------------------------------------

template <class S>
void expect_scheme(const livi::CompositionScheme<S>& scheme, int order, std::size_t stages, const S& tolerance) {
  EXPECT_EQ(scheme.order, order);
  ASSERT_EQ(scheme.fractions.size(), stages);
  for (std::size_t i = 0; i < stages; ++i)
    EXPECT_TRUE(scheme.fractions[i] == scheme.fractions[stages - 1 - i]) << "not a palindrome at " << i;
  // Necessary for orders 2, 4, 6, 8 of a composition of a symmetric method: sum gamma = 1, sum gamma^p = 0, p = 3,
  // 5, 7.
  for (int power = 1; power < order; power += 2) {
    S sum = 0;
    for (const S& fraction : scheme.fractions) {
      S term = 1;
      for (int k = 0; k < power; ++k) term *= fraction;
      sum += term;
    }
    EXPECT_LE(livi::magnitude(S(sum - S(power == 1 ? 1 : 0))), tolerance) << scheme.name << " power " << power;
  }
}

template <class S>
void expect_schemes(const S& tolerance) {
  expect_scheme<S>(livi::yoshida<S>(4), 4, 3, tolerance);
  expect_scheme<S>(livi::yoshida<S>(6), 6, 9, tolerance);
  expect_scheme<S>(livi::yoshida<S>(8), 8, 27, tolerance);
  expect_scheme<S>(livi::suzuki<S>(4), 4, 5, tolerance);
  expect_scheme<S>(livi::suzuki<S>(6), 6, 25, tolerance);
}

TEST(Composition, schemes_are_palindromes_that_meet_the_order_conditions) {
  // Stages are up to 4 h long and powers up to the seventh: 4^7 = 2e4 roundings.
  expect_schemes<double>(1e-11);
  expect_schemes<long double>(1e-14L);
  expect_schemes<Float50>(Float50("1e-44"));
  // Yoshida's number, and Suzuki's
  EXPECT_NEAR(livi::yoshida<double>(4).fractions[0], 1 / (2 - std::cbrt(2.0)), 1e-15);
  EXPECT_NEAR(livi::suzuki<double>(4).fractions[0], 1 / (4 - std::cbrt(4.0)), 1e-15);
  EXPECT_LT(livi::yoshida<double>(4).fractions[1], -1);
  EXPECT_GT(livi::suzuki<double>(4).fractions[2], -1);
}

TEST(Composition, steps_through_its_fractions) {
  const auto system = henon_heiles();
  const auto scheme = livi::suzuki<double>(4);
  livi::Composition composition(livi::ZhangSkeel<HenonHeiles>(system), scheme);
  livi::ZhangSkeel<HenonHeiles> inner(system);
  auto a = composition.start({0.3, 0.2}, {0.1, -0.25});
  auto b = inner.start({0.3, 0.2}, {0.1, -0.25});
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(composition.step(a, 0.25).ok());
    for (const double fraction : scheme.fractions) ASSERT_TRUE(inner.step(b, fraction * 0.25).ok());
  }
  EXPECT_TRUE(a.q == b.q && a.v == b.v);
  EXPECT_EQ(composition.work().linear_solves, inner.work().linear_solves);
  EXPECT_EQ(composition.declares().order, 4);
  EXPECT_TRUE(composition.declares().symplectic);
}

TEST(Composition, refuses_orders_and_methods_it_cannot_raise) {
  EXPECT_EQ(refusal([] { livi::yoshida<double>(5); }), "Yoshida composition order = 5: must be 4, 6 or 8");
  EXPECT_EQ(refusal([] { livi::yoshida<double>(2); }), "Yoshida composition order = 2: must be 4, 6 or 8");
  EXPECT_EQ(refusal([] { livi::suzuki<double>(8); }), "Suzuki composition order = 8: must be 4 or 6");
  const auto system = henon_heiles();
  const auto of = [&](auto inner) {
    return refusal([&] { livi::Composition composition(std::move(inner), livi::yoshida<double>(4)); });
  };
  const std::string reason = ": the schemes raise the order of symmetric methods of order 2 only";
  EXPECT_EQ(of(livi::SymplecticEuler(system)), "composition of SymplecticEuler = order 1" + reason);
  EXPECT_EQ(of(livi::RungeKutta4(system)), "composition of RungeKutta4 = order 4" + reason);
  livi::NewmarkOptions<double> once;
  once.newton.fixed_iterations = 1;
  EXPECT_EQ(of(livi::Newmark<HenonHeiles>(system, once)),
            "composition of Newmark, 1 Newton iteration(s) = order 2" + reason);
  EXPECT_EQ(of(livi::Composition(livi::VelocityVerlet(system), livi::yoshida<double>(4))),
            "composition of Yoshida 4 of VelocityVerlet = order 4" + reason);
  EXPECT_EQ(of(livi::VelocityVerlet(system)), "accepted");
}

// --- one method on every structure ----------------------------------------------------------------------------------

/// Runs a method on the same problem with a fixed size, known at run time, and with every type of mass.
template <template <class> class Method>
void expect_same_on_every_type(double tolerance) {
  using P = CoupledAnharmonicPotential<double, 3>;
  const P potential{0.75, 0.5};
  const Vector<double, 3> q(0.5, -0.4, 0.3), v(0.3, 0.25, -0.2);
  const auto end_of = [&](const auto& system) {
    Method<std::decay_t<decltype(system)>> method(system);
    const auto z = run(method, typename std::decay_t<decltype(system)>::vector_type(q),
                       typename std::decay_t<decltype(system)>::vector_type(v), 0.125, 50);
    Vector<double, 6> end;
    end << z.q, z.v;
    return end;
  };
  const Matrix<double, 3> two = 2 * Matrix<double, 3>::Identity();
  const auto scalar = end_of(MechanicalSystem<ScalarMass<double, 3>, P>(ScalarMass<double, 3>(2), potential));
  const auto diagonal = end_of(MechanicalSystem<livi::DiagonalMass<double, 3>, P>(
      livi::DiagonalMass<double, 3>(Vector<double, 3>(2, 2, 2)), potential));
  const auto full = end_of(MechanicalSystem<livi::FullMass<double, 3>, P>(livi::FullMass<double, 3>(two), potential));
  const auto dynamic = end_of(livi::AnySystem<double>(livi::FullMass<double, Dynamic>(Matrix<double, Dynamic>(two)),
                                                      livi::AnyPotential<double>(potential, 3)));
  EXPECT_LE(difference(scalar, diagonal), tolerance);
  EXPECT_LE(difference(scalar, full), tolerance);
  EXPECT_LE(difference(scalar, dynamic), tolerance);
  EXPECT_GE(difference(q, scalar), 0.1);
}

// 50 steps of a regular orbit; implicit methods stop within 32 epsilon.
TEST(EveryType, gives_the_same_orbit) {
  expect_same_on_every_type<livi::VelocityVerlet>(1e-13);
  expect_same_on_every_type<livi::ZhangSkeel>(1e-13);
  expect_same_on_every_type<livi::SimplifiedZhangSkeel>(1e-13);
  expect_same_on_every_type<livi::Newmark>(1e-12);
  expect_same_on_every_type<livi::PushforwardNewmark>(1e-12);
  expect_same_on_every_type<livi::ImplicitMidpoint>(1e-12);
}

// The chain of two masses with a block-tridiagonal Hessian is the double pendulum with a dense one.
TEST(EveryType, solves_the_penalised_pendulum_dense_or_banded) {
  using Banded = livi::BlockTridiagonalHessian<double, 2>;
  using Constraint = livi::PlanarChainConstraint<double, Dynamic, Banded>;
  Vector<double, Dynamic> lengths(2);
  lengths << 1, 2;
  const livi::ConstrainedSystem<ScalarMass<double, Dynamic>, livi::GravityPotential<double, Dynamic>, Constraint> chain{
      ScalarMass<double, Dynamic>(1, 4), {1}, Constraint{lengths}};
  const auto banded = livi::penalised(chain, 20.0);
  const auto dense = livi::penalised(livi::double_pendulum<double>(), 20.0);
  static_assert(std::same_as<std::decay_t<decltype(banded)>::potential_type::hessian_type, Banded>);
  const Vector<double, 4> q = livi::double_pendulum_start<double>(), v(0, 0, 0, 0);
  const auto expect_same = [&](auto a, auto b) {
    const auto x = run(a, q, v, 0.05, 40);
    const auto y = run(b, Vector<double, Dynamic>(q), Vector<double, Dynamic>(v), 0.05, 40);
    // Forces of size omega^2 |g| = 400 h in 40 steps, T = 2: well before neighbouring orbits part.
    EXPECT_LE(difference(x.q, y.q), 1e-12);
    EXPECT_LE(difference(x.v, y.v), 1e-11);
    EXPECT_GE(difference(x.q, q), 0.1);
  };
  using Dense = std::decay_t<decltype(dense)>;
  using Band = std::decay_t<decltype(banded)>;
  expect_same(livi::ZhangSkeel<Dense>(dense), livi::ZhangSkeel<Band>(banded));
  expect_same(livi::SimplifiedZhangSkeel<Dense>(dense), livi::SimplifiedZhangSkeel<Band>(banded));
  expect_same(livi::StiffZhangSkeel<Dense>(dense), livi::StiffZhangSkeel<Band>(banded));
  expect_same(livi::PushforwardNewmark<Dense>(dense), livi::PushforwardNewmark<Band>(banded));
}

/// Henon-Heiles whose stiff part is the harmonic one.
struct SplitPotential : HenonHeilesPotential<double> {
  void stiff_hessian(const vector_type&, hessian_type& h) const { h.matrix << 1, 0, 0, 1; }
};

TEST(StiffZhangSkeel, takes_only_the_stiff_hessian) {
  const MechanicalSystem<ScalarMass<double, 2>, SplitPotential> system(ScalarMass<double, 2>(2), {});
  livi::StiffZhangSkeel<std::decay_t<decltype(system)>> method(system, {0.5});
  const double h = 0.5, solved = 2 + 0.5 * h * h;
  auto z = method.start({0.3, 0.2}, {0.1, -0.25});
  ASSERT_TRUE(method.step(z, h).ok());
  Vector<double, 2> gradient;
  system.potential().gradient({0.3, 0.2}, gradient);
  const Vector<double, 2> a = -gradient / solved,
                          q = Vector<double, 2>(0.3, 0.2) + h * Vector<double, 2>(0.1, -0.25) + h * h / 2 * a;
  EXPECT_LE(difference(z.q, q), 1e-15);
  system.potential().gradient(q, gradient);
  const Vector<double, 2> v = Vector<double, 2>(0.1, -0.25) + h / 2 * (a - gradient / solved);
  EXPECT_LE(difference(z.v, v), 1e-15);
}

// --- Boost.Odeint ---------------------------------------------------------------------------------------------------

TEST(Odeint, velocity_verlet_is_ours) {
  const auto system = henon_heiles();
  livi::VelocityVerlet ours(system);
  livi::OdeintVelocityVerlet theirs(system);
  const Vector<double, 2> q(0.3, 0.2), v(0.1, -0.25);
  const auto a = run(ours, q, v, 0.125, 100);
  const auto b = run(theirs, q, v, 0.125, 100);
  EXPECT_LE(difference(a.q, b.q), 1e-14);
  EXPECT_LE(difference(a.v, b.v), 1e-14);
}

TEST(Odeint, mclachlan_has_order_four_and_solves_the_same_problem) {
  const auto system = henon_heiles();
  livi::OdeintMcLachlan method(system);
  livi::RungeKutta4 reference(system);
  const Vector<double, 2> q(0.3, 0.2), v(0.1, -0.25);
  const auto exact = run(reference, q, v, 1.0 / 2048, 2048);
  const double coarse = difference(run(method, q, v, 1.0 / 8, 8).q, exact.q),
               fine = difference(run(method, q, v, 1.0 / 16, 16).q, exact.q);
  EXPECT_GE(std::log2(coarse / fine), 3.8);
  EXPECT_LE(std::log2(coarse / fine), 4.2);
}

// --- failures -------------------------------------------------------------------------------------------------------

TEST(StepOutcome, says_what_happened) {
  EXPECT_EQ(StepOutcome{}.describe(), "ok");
  EXPECT_EQ((StepOutcome{Failure::singular_matrix, 3}.describe()), "singular matrix at pivot 3");
  EXPECT_EQ((StepOutcome{Failure::no_convergence, 7}.describe()), "no convergence after 7 iterations");
  EXPECT_EQ((StepOutcome{Failure::not_finite, -1}.describe()), "a value is not finite");
  EXPECT_TRUE(StepOutcome{}.ok());
  EXPECT_FALSE((StepOutcome{Failure::not_finite, -1}.ok()));
}

template <class Method>
StepOutcome first_step(Method method, const Vector<double, 2>& q, double h) {
  auto z = method.start(q, Vector<double, 2>(0.1, -0.25));
  return method.step(z, h);
}

TEST(Newton, that_may_not_iterate_says_so_with_the_count) {
  const auto system = henon_heiles();
  for (const int limit : {1, 2}) {
    livi::NewtonOptions<double> few;
    few.max_iterations = limit;
    const auto expect = [&](const StepOutcome& outcome) {
      EXPECT_EQ(outcome.failure, Failure::no_convergence);
      EXPECT_EQ(outcome.detail, limit);
    };
    const Vector<double, 2> q(0.3, 0.2);
    expect(first_step(livi::Newmark<HenonHeiles>(system, {.newton = few}), q, 1));
    expect(first_step(livi::PushforwardNewmark<HenonHeiles>(system, {.newton = few}), q, 1));
    expect(first_step(livi::ImplicitMidpoint<HenonHeiles>(system, few), q, 1));
  }
}

TEST(Newton, refuses_options_that_mean_nothing) {
  const auto system = henon_heiles();
  const auto with = [&](double tolerance, int max_iterations, int fixed) {
    livi::NewtonOptions<double> options;
    options.tolerance = tolerance;
    options.max_iterations = max_iterations;
    options.fixed_iterations = fixed;
    return refusal([&] { livi::ImplicitMidpoint<HenonHeiles>(system, options); });
  };
  EXPECT_EQ(with(1e-12, 10, 0), "accepted");
  EXPECT_EQ(with(0, 10, 0), "Newton tolerance = 0: must be finite and > 0");
  EXPECT_EQ(with(nan, 10, 0), "Newton tolerance = nan: must be finite and > 0");
  EXPECT_EQ(with(std::numeric_limits<double>::infinity(), 10, 0), "Newton tolerance = inf: must be finite and > 0");
  EXPECT_EQ(with(1e-12, 0, 0), "Newton max_iterations = 0: must be >= 1");
  EXPECT_EQ(with(1e-12, 10, -1), "Newton fixed_iterations = -1: must be >= 0; 0 iterates to convergence");
}

// M + beta h^2 Hess V = diag(1 + c (1 + 2y), 1 + c (1 - 2y)) on x = 0; c = 1/4 with h = 1, beta = 1/4.
TEST(ZhangSkeel, stops_at_a_singular_matrix_and_counts_indefinite_ones) {
  const auto system = henon_heiles();
  const Vector<double, 2> singular(0, 2.5), indefinite(0, 2.75), definite(0, 2.25);
  const auto expect_singular = [&](auto method) {
    const StepOutcome outcome = first_step(std::move(method), singular, 1);
    EXPECT_EQ(outcome.failure, Failure::singular_matrix);
    EXPECT_EQ(outcome.detail, 1);
    EXPECT_EQ(outcome.describe(), "singular matrix at pivot 1");
  };
  expect_singular(livi::ZhangSkeel<HenonHeiles>(system));
  expect_singular(livi::SimplifiedZhangSkeel<HenonHeiles>(system));
  expect_singular(livi::PushforwardNewmark<HenonHeiles>(system));
  const auto indefinite_of = [&](const Vector<double, 2>& q) {
    livi::ZhangSkeelForce<HenonHeiles> force(system, {});
    livi::WorkCounters work;
    Vector<double, 2> f;
    EXPECT_TRUE(force(system, q, 1, f, work).ok());
    EXPECT_EQ(work.linear_solves, 1);
    return work.indefinite_matrices;
  };
  EXPECT_EQ(indefinite_of(indefinite), 1);
  EXPECT_EQ(indefinite_of(definite), 0);
  // A diagonal Hessian: 1 + c k = 0 for the second oscillator.
  using Oscillators = MechanicalSystem<ScalarMass<double, 2>, livi::HarmonicPotential<double, 2>>;
  const Oscillators oscillators(ScalarMass<double, 2>(1), {Vector<double, 2>(1, -4)});
  expect_singular(livi::ZhangSkeel<Oscillators>(oscillators));
}

TEST(Newton, does_not_converge_to_a_nan) {
  const auto system = henon_heiles();
  for (const Vector<double, 2>& q : {Vector<double, 2>(nan, 0.2), Vector<double, 2>(0.3, nan)}) {
    EXPECT_FALSE(first_step(livi::Newmark<HenonHeiles>(system), q, 0.5).ok());
    EXPECT_FALSE(first_step(livi::PushforwardNewmark<HenonHeiles>(system), q, 0.5).ok());
    EXPECT_FALSE(first_step(livi::ImplicitMidpoint<HenonHeiles>(system), q, 0.5).ok());
  }
  // Only one of two uncoupled oscillators is lost: nothing is singular, and the other one converges.
  using Oscillators = MechanicalSystem<ScalarMass<double, 2>, livi::HarmonicPotential<double, 2>>;
  const Oscillators oscillators(ScalarMass<double, 2>(1), {Vector<double, 2>(1, 4)});
  for (const Vector<double, 2>& q : {Vector<double, 2>(nan, 0.2), Vector<double, 2>(0.3, nan)}) {
    EXPECT_EQ(first_step(livi::Newmark<Oscillators>(oscillators), q, 0.5).failure, Failure::not_finite);
    EXPECT_EQ(first_step(livi::ImplicitMidpoint<Oscillators>(oscillators), q, 0.5).failure, Failure::not_finite);
  }
}

TEST(Options, refuse_a_beta_that_is_negative_or_not_finite) {
  const auto system = henon_heiles();
  for (const auto& [value, text] :
       {std::pair(-0.25, "-0.25"), std::pair(nan, "nan"), std::pair(std::numeric_limits<double>::infinity(), "inf")}) {
    const double beta = value;  // clang++ 14 captures no structured binding
    const std::string message = std::string("beta = ") + text + ": Newmark's beta must be finite and >= 0";
    EXPECT_EQ(refusal([&] { livi::ZhangSkeel<HenonHeiles>(system, {beta}); }), message);
    EXPECT_EQ(refusal([&] { livi::SimplifiedZhangSkeel<HenonHeiles>(system, {beta}); }), message);
    EXPECT_EQ(refusal([&] { livi::PushforwardNewmark<HenonHeiles>(system, {beta}); }), message);
    EXPECT_EQ(refusal([&] { livi::Newmark<HenonHeiles>(system, {.beta = beta}); }), message);
  }
  EXPECT_EQ(refusal([&] { livi::ZhangSkeel<HenonHeiles>(system, {0.0}); }), "accepted");
  EXPECT_EQ(refusal([&] {
              livi::Newmark<HenonHeiles>(system, {.beta = 0, .acceleration = livi::NewmarkAcceleration::carried});
            }),
            "beta = 0: a carried acceleration needs beta > 0");
}

TEST(Options, declare_the_stability_limit_of_theorem_2_2) {
  EXPECT_EQ(livi::newmark_stability_limit(0.25), livi::unlimited);
  EXPECT_EQ(livi::newmark_stability_limit(0.5), livi::unlimited);
  EXPECT_EQ(livi::newmark_stability_limit(0), 2);
  EXPECT_NEAR(livi::newmark_stability_limit(0.1875), 4, 1e-15);
}

}  // namespace integrators_test
