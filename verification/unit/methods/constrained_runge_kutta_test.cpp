// SPDX-License-Identifier: MIT
//
// Constrained variational Runge-Kutta methods from a tableau: the members that are also written by hand, Condition 2.1, orders,
// constraints at all stages, symplecticity and adjoints with noise, existence of the multipliers.
#include <gtest/gtest.h>

#include <livi/stochastic/brownian_path.hpp>
#include <livi/stochastic/constrained_runge_kutta.hpp>
#include <livi/stochastic/constrained_variational_euler.hpp>
#include <livi/systems/stochastic_problems.hpp>

#include "stochastic_step.hpp"

namespace livi {

namespace constrained_runge_kutta_test {

using stochastic_test::constraint_defect;
using stochastic_test::fixed_noise;
using stochastic_test::symplecticity;
using stochastic_test::tangent_defect;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

template <class S>
QuadraticNoise<S, 3> quadratic_noise() {
  QuadraticNoise<S, 3> noise;
  noise.terms.resize(2, {zeros<Vector<S, 3>>(), zeros<Matrix<S, 3>>()});
  noise.terms[0].matrix(0, 1) = noise.terms[0].matrix(1, 0) = ratio<S>(1, 2);
  noise.terms[1].matrix(2, 2) = noise.terms[1].force(0) = ratio<S>(1, 2);
  return noise;
}
template <class S>
auto sphere() {
  return sphere_pendulum<S>(quadratic_noise<S>());
}
template <class S>
auto cylinder() {
  return cylinder_pendulum<S>(quadratic_noise<S>());
}
template <class S>
auto double_pendulum() {
  return double_sphere_pendulum<S>(coordinate_noise<S, 6>(ratio<S>(1, 2), std::array{0, 4, 5}));
}

/// Returns the largest distance of two methods after some steps from one start, with noise or without it.
template <class A, class B, class Problem>
double distance_of(A first, B second, const Problem& problem, bool with_noise) {
  auto z = first.start(problem.q, problem.v);
  auto w = second.start(problem.q, problem.v);
  const double h = 0.1;
  const auto count = static_cast<std::size_t>(problem.system.noise().count());
  double largest = 0;
  for (int k = 0; k < 10; ++k) {
    const auto noises = fixed_noise<double>(count, k % 2 == 0 ? h : h / 2);
    const bool ok = with_noise ? first.step(z, h, noises).ok() && second.step(w, h, noises).ok()
                               : first.step(z, h).ok() && second.step(w, h).ok();
    EXPECT_TRUE(ok);
    largest = larger(largest, (z.q - w.q).norm() + (z.v - w.v).norm());
  }
  return largest;
}

// Ten steps of numbers up to 3 with a few roundings each, divided by h = 0.1 where a multiplier of the position changes the
// velocity.
constexpr double roundings = 1e-13;

template <class Problem>
void compare_with_those_by_hand(const Problem& problem) {
  using System = decltype(problem.system);
  using Tableau = ConstrainedPartitionedRungeKutta<System>;
  using Euler = ConstrainedVariationalEuler<System>;
  for (const bool noise : {false, true}) {
    for (const NoiseWeights weights : {NoiseWeights::increments, NoiseWeights::integrals})
      EXPECT_LT(distance_of(Tableau(problem.system, lobatto<double>(2), weights),
                            StochasticRattle<System>(problem.system, weights), problem, noise),
                roundings);
    for (const EulerForce force : {EulerForce::at_start, EulerForce::at_end}) {
      const auto tableau = [&](EulerForce of) {
        return Tableau(problem.system, variational_euler_tableau<double>(of), NoiseWeights::increments,
                       TableauCondition::weights_may_vanish);
      };
      const EulerForce other = force == EulerForce::at_start ? EulerForce::at_end : EulerForce::at_start;
      EXPECT_LT(distance_of(tableau(force), Euler(problem.system, force), problem, noise), roundings);
      EXPECT_GT(distance_of(tableau(other), Euler(problem.system, force), problem, noise), 1e-4);  // a control
    }
  }
  EXPECT_GT(distance_of(Tableau(problem.system, lobatto<double>(2), NoiseWeights::increments),
                        StochasticRattle<System>(problem.system, NoiseWeights::integrals), problem, true),
            1e-4);  // a control
}
TEST(Tableau, contains_rattle_and_the_euler_methods_on_the_sphere) { compare_with_those_by_hand(sphere<double>()); }
TEST(Tableau, contains_rattle_and_the_euler_methods_for_two_constraints_and_a_full_mass) {
  compare_with_those_by_hand(double_pendulum<double>());
}

TEST(Condition21, is_asked_of_a_tableau_and_named_where_it_is_violated) {
  const auto problem = sphere<double>();
  using Tableau = ConstrainedPartitionedRungeKutta<decltype(problem.system)>;
  const auto complaint = [&](const PartitionedTableau<double>& tableau) -> std::string {
    EXPECT_FALSE(satisfies_condition_2_1(tableau));
    try {
      const Tableau method(problem.system, tableau);
    } catch (const InvalidParameter& refused) {
      return refused.what();
    }
    return "accepted";
  };
  const auto says = [&](const PartitionedTableau<double>& tableau, const std::string& words) {
    EXPECT_NE(complaint(tableau).find(words), std::string::npos) << complaint(tableau);
  };
  for (const int stages : {2, 3, 4}) EXPECT_TRUE(satisfies_condition_2_1(lobatto<double>(stages)));
  auto first_row = lobatto<double>(3), last_row = first_row, sum = lobatto<double>(2);
  first_row.a(0, 2) = 0.1;
  says(first_row, "a(1,3)");
  says(first_row, "Condition 2.1, a_1j = 0");
  last_row.a(2, 1) += 0.1;
  says(last_row, "Condition 2.1, a_sj = b_j");
  // Lobatto's method IIIB in the place of IIIA: a_i1 = b_1, a_is = 0.
  PartitionedTableau<double> of_momenta{"Lobatto IIIB", Matrix<double, Dynamic>(2, 2), Vector<double, Dynamic>(2), 2};
  of_momenta.a << 0.5, 0, 0.5, 0;
  of_momenta.b << 0.5, 0.5;
  says(of_momenta, "Condition 2.1, a_1j = 0");
  for (const EulerForce force : {EulerForce::at_start, EulerForce::at_end})
    says(variational_euler_tableau<double>(force), "Condition 2.1, b_j != 0");
  sum.b(0) = sum.a(1, 0) = 0.4;
  says(sum, "sum of the weights");
  says({"one stage", Matrix<double, Dynamic>::Constant(1, 1, 0), Vector<double, Dynamic>::Constant(1, 1), 1}, "stages");
  // Without b_j != 0 the rest is still asked.
  auto no_column = variational_euler_tableau<double>(EulerForce::at_start);
  no_column.a(1, 1) = no_column.a(1, 0) = 0.5;
  EXPECT_THROW(Tableau(problem.system, no_column, NoiseWeights::increments, TableauCondition::weights_may_vanish),
               InvalidParameter);
  EXPECT_THROW(Tableau(problem.system, variational_euler_tableau<double>(EulerForce::at_start), NoiseWeights::integrals,
                       TableauCondition::weights_may_vanish),
               InvalidParameter);
  EXPECT_THROW(static_cast<void>(lobatto<double>(5)), InvalidParameter);
}

/// Returns the exponents of the errors of q and v at T = 1, from `steps` and twice as many steps.
template <class Make, class Problem>
std::pair<double, double> orders(const Make& make, const Problem& problem, const Problem& exact, int steps) {
  const auto errors = [&](int n) {
    auto method = make(problem.system);
    auto z = method.start(problem.q, problem.v);
    for (int k = 0; k < n; ++k) EXPECT_TRUE(method.step(z, 1.0 / n).ok());
    return std::pair<double, double>((z.q - exact.q).norm(), (z.v - exact.v).norm());
  };
  const auto a = errors(steps), b = errors(2 * steps);
  return {std::log2(a.first / b.first), std::log2(a.second / b.second)};
}
TEST(Tableau, has_the_orders_of_lobattos_methods_without_noise) {
  const auto check = [](const auto& problem) {
    using System = std::decay_t<decltype(problem.system)>;
    const auto of = [](int stages) {
      return [stages](const System& s) { return ConstrainedPartitionedRungeKutta<System>(s, lobatto<double>(stages)); };
    };
    auto exact = problem;
    auto reference = of(4)(problem.system);
    auto z = reference.start(problem.q, problem.v);
    for (int k = 0; k < 64; ++k) ASSERT_TRUE(reference.step(z, 1.0 / 64).ok());
    exact.q = z.q;
    exact.v = z.v;
    // The reference's error is 4096 times smaller than the smallest of order six, and a few roundings; that is 1e-12 or more.
    // Slopes: the next term of the expansion, h^2 of the leading one.
    for (const auto& [stages, steps] : {std::pair{2, 32}, {3, 16}, {4, 8}}) {
      const auto found = orders(of(stages), problem, exact, steps);
      EXPECT_NEAR(found.first, 2 * stages - 2, 0.1) << stages;
      EXPECT_NEAR(found.second, 2 * stages - 2, 0.1) << stages;
    }
    for (const EulerForce force : {EulerForce::at_start, EulerForce::at_end}) {
      const auto found =
          orders([&](const System& s) { return ConstrainedVariationalEuler<System>(s, force); }, problem, exact, 128);
      EXPECT_NEAR(found.first, 1, 0.1);
      EXPECT_NEAR(found.second, 1, 0.1);
    }
  };
  check(sphere<double>());
  check(cylinder<double>());
  check(double_pendulum<double>());
}

TEST(Tableau, keeps_the_constraint_at_every_stage_and_the_tangent_space_at_the_end) {
  const auto problem = sphere<double>();
  ConstrainedPartitionedRungeKutta method(problem.system, lobatto<double>(3), NoiseWeights::integrals);
  auto z = method.start(problem.q, problem.v);
  double position = 0, velocity = 0;
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(method.step(z, 0.05, fixed_noise<double>(2, k % 2 == 0 ? 0.05 : 0.02)).ok());
    for (int i = 0; i < 3; ++i) position = larger(position, constraint_defect(problem.system, method.stage(i)));
    velocity = larger(velocity, tangent_defect(problem.system, z.q, z.v) / std::max(1.0, z.v.norm()));
  }
  EXPECT_LT(position, 4 * epsilon);
  EXPECT_LT(velocity, 4 * epsilon);
}

TEST(Tableau, is_symplectic_for_fixed_integrals_of_the_noise) {
  const auto with = [](int stages, NoiseWeights weights) {
    return [=]<class System>(const System& system) {
      return ConstrainedPartitionedRungeKutta<System>(system, lobatto<ScalarOf<System>>(stages), weights);
    };
  };
  const auto on_sphere = []<class S>(S) { return sphere<S>(); };
  EXPECT_LT(symplecticity(on_sphere, with(2, NoiseWeights::integrals), 0.1), 1e-45);
  EXPECT_LT(symplecticity(on_sphere, with(3, NoiseWeights::integrals), 0.1), 1e-45);
  EXPECT_LT(symplecticity([]<class S>(S) { return cylinder<S>(); }, with(3, NoiseWeights::increments), 0.1), 1e-45);
  EXPECT_LT(symplecticity([]<class S>(S) { return double_pendulum<S>(); }, with(3, NoiseWeights::increments), 0.1),
            1e-45);
  for (const EulerForce force : {EulerForce::at_start, EulerForce::at_end})
    EXPECT_LT(
        symplecticity(
            on_sphere,
            [=]<class System>(const System& system) { return ConstrainedVariationalEuler<System>(system, force); },
            0.1),
        1e-45);
}

TEST(ConstrainedVariationalEuler, leaves_the_tangent_space_by_h_without_the_projection) {
  const auto problem = sphere<double>();
  const auto defect = [&](VelocityProjection projection, double h) {
    ConstrainedVariationalEuler method(problem.system, EulerForce::at_start, projection);
    auto z = method.start(problem.q, problem.v);
    EXPECT_TRUE(method.step(z, h).ok());
    EXPECT_LT(constraint_defect(problem.system, z.q), 4 * epsilon);
    return tangent_defect(problem.system, z.q, z.v);
  };
  EXPECT_LT(defect(VelocityProjection::after_step, 0.01), 4 * epsilon);
  const double whole = defect(VelocityProjection::none, 0.01), half = defect(VelocityProjection::none, 0.005);
  EXPECT_GT(half, 1e-3);
  EXPECT_NEAR(whole / half, 2, 0.1);  // the next term of the expansion
}

TEST(ConstrainedVariationalEuler, b_is_the_adjoint_of_a_and_a_is_not_its_own) {
  const auto problem = double_pendulum<double>();
  using Euler = ConstrainedVariationalEuler<decltype(problem.system)>;
  const double h = 0.1;
  auto forward = fixed_noise<double>(3, h), backward = forward;
  for (auto& noise : backward) noise.increment = -noise.increment;
  const auto distance = [&](EulerForce there, EulerForce back) {
    Euler first(problem.system, there), second(problem.system, back);
    auto z = first.start(problem.q, problem.v);
    EXPECT_TRUE(first.step(z, h, forward).ok());
    EXPECT_TRUE(second.step(z, -h, backward).ok());
    return (z.q - problem.q).norm() + (z.v - problem.v).norm();
  };
  EXPECT_LT(distance(EulerForce::at_start, EulerForce::at_end), roundings);
  EXPECT_LT(distance(EulerForce::at_end, EulerForce::at_start), roundings);
  EXPECT_GT(distance(EulerForce::at_start, EulerForce::at_start), 1e-3);
}

// The example of stochastic_rattle_test: on the unit sphere from (1, 0, 0) the multiplier exists up to a product 1 of h and the
// tangential velocity of the step.
TEST(Multipliers, of_every_method_end_where_the_sphere_does) {
  const auto field = zeros<Vector<double, 3>>();
  const StochasticSystem system(ScalarMass<double, 3>(1.0), UniformField<double, 3>{field},
                                RoundConstraint<double, 3>{1}, coordinate_noise<double, 3>(1.0, std::array{1}));
  using System = std::remove_const_t<decltype(system)>;
  const Vector<double, 3> q(1, 0, 0);
  const auto outcome = [&](auto method, double h, double product, double kick = 0) {
    auto z = method.start(q, Vector<double, 3>(0, product / h, 0));
    const NoiseIntegrals<double> noise{kick, 0, 0};
    const StepOutcome result = method.step(z, h, {&noise, 1});
    if (result.ok() && !(z.q(0) > 0)) ADD_FAILURE() << "the far solution";
    return result.failure;
  };
  for (const double h : {0.5, -0.5, 0.01})
    for (const double product : {0.99, 1.01}) {
      const Failure expected = product < 1 ? Failure::none : Failure::no_real_root;
      EXPECT_EQ(outcome(ConstrainedVariationalEuler<System>(system, EulerForce::at_start), h, product), expected);
      EXPECT_EQ(outcome(ConstrainedVariationalEuler<System>(system, EulerForce::at_end), h, product), expected);
      EXPECT_EQ(outcome(ConstrainedPartitionedRungeKutta<System>(system, lobatto<double>(2)), h, product), expected);
    }
  // Three stages go further round in one step: each of two multipliers turns the velocity. They end, too.
  const ConstrainedPartitionedRungeKutta<System> three(system, lobatto<double>(3));
  EXPECT_EQ(outcome(three, 0.5, 1.0), Failure::none);
  EXPECT_EQ(outcome(three, 0.5, 3.0), Failure::no_real_root);
  // What is no number is no question of where a branch ends.
  const double nan = std::nan("");
  EXPECT_EQ(outcome(three, 0.5, 0.1, nan), Failure::not_finite);
  EXPECT_EQ(outcome(ConstrainedVariationalEuler<System>(system), 0.5, 0.1, nan), Failure::not_finite);
  EXPECT_EQ(outcome(StochasticRattle<System>(system), 0.5, 0.1, nan), Failure::not_finite);
}

}  // namespace constrained_runge_kutta_test
}  // namespace livi
