// SPDX-License-Identifier: MIT
//
// What the battery measures of methods under noise: its means, its paths and its steps, on a method that is right and on two that
// are not as good; compiled in seconds: see methods.hpp.
#include <gtest/gtest.h>

#include <livi/claims/battery/rows.cpp>
#include <livi/claims/stochastic_means.cpp>
#include <livi/claims/stochastic_paths.cpp>
#include <livi/claims/stochastic_steps.cpp>
#include <livi/diagnostics/stochastic_problems.cpp>
#include <livi/stochastic/commutator_rattle.hpp>
#include <livi/stochastic/noise_products.hpp>
#include <livi/stochastic/projected_methods.hpp>

namespace livi {

// What is not run here.
PhasePoint<Float50> AnyStochasticSubject::exact(std::size_t, const PhasePoint<Float50>& from, const Float50&) const {
  return from;
}
namespace battery_detail {
const ControlMethod& stochastic_control(StochasticControl) { throw std::logic_error("there are no controls here"); }
}  // namespace battery_detail

}  // namespace livi

namespace livi::battery_detail {
namespace {

/// RATTLE under noise, which may be too strong.
template <class System>
struct StrongRattle : StochasticRattle<System> {
  using typename StochasticRattle<System>::S, typename StochasticRattle<System>::state_type;
  StrongRattle(const System& system, NoiseWeights weights, int by)
      : StochasticRattle<System>(system, weights), factor(by) {}
  int factor;
  std::vector<NoiseIntegrals<S>> strong = {};
  using StochasticRattle<System>::step;
  StepOutcome step(state_type& z, const S& h, StepNoise<S> noises) {
    strong.clear();
    for (const auto& noise : noises) strong.push_back({S(factor) * noise.increment, S(factor) * noise.integral, S(0)});
    return StochasticRattle<System>::step(z, h, strong);
  }
};
struct MakeRattle {
  NoiseWeights weights;
  int factor = 1;
  template <class System>
  auto operator()(const System& system) const {
    return StrongRattle<System>(system, weights, factor);
  }
};
constexpr auto make_commutator = []<class System>(const System& system) { return CommutatorRattle<System>(system); };
constexpr auto make_euler = []<class System>(const System& system) { return ProjectedEulerMaruyama<System>(system); };
using CommutatorSubject = StochasticSubject<decltype(make_commutator)>;
using EulerSubject = StochasticSubject<decltype(make_euler)>;

/// RATTLE with the kick of the mean of C, and with something else where the noises are zero.
enum class Besides { nothing, turned_kick, longer_velocity, moved_position };
template <class System>
struct MeanAnd : CommutatorRattle<System> {
  using Base = CommutatorRattle<System>;
  using typename Base::S, typename Base::state_type;
  MeanAnd(const System& system, Besides what) : Base(system, PathCovariance::mean), besides(what) {}
  Besides besides;
  using Base::step;
  StepOutcome step(state_type& z, const S& h, StepNoise<S> noises) {
    state_type without = z;
    const StepOutcome outcome = Base::step(z, h, noises);
    for (const auto& noise : noises)
      if (!(magnitude(noise.increment) <= RealOf<S>(0))) return outcome;
    S tiny(1);
    for (int k = 0; k < 60; ++k) tiny = tiny / S(2);
    if (besides == Besides::turned_kick) {
      static_cast<void>(Base::step(without, h));
      z.v = S(2) * without.v - z.v;
    }
    if (besides == Besides::longer_velocity) z.v *= S(1) + tiny;
    if (besides == Besides::moved_position) z.q += tiny * z.v;
    return outcome;
  }
};
struct MakeMeanAnd {
  Besides besides;
  template <class System>
  auto operator()(const System& system) const {
    return MeanAnd<System>(system, besides);
  }
};

double order_of_means(NoiseWeights weights, int factor = 1) {
  return weak_order(StochasticSubject(MakeRattle{weights, factor})).order;
}

// The bounds are those of the battery.
TEST(Means, are_exact_to_order_two) {
  EXPECT_NEAR(order_of_means(NoiseWeights::weak), 2, 0.05);
  EXPECT_NEAR(weak_order(CommutatorSubject(make_commutator)).order, 2, 0.05);
}
// With a full mass matrix, by another reference.
TEST(Means, are_exact_to_order_two_on_rods) {
  EXPECT_NEAR(weak_order(StochasticSubject(MakeRattle{NoiseWeights::weak}), place::rods).order, 2, 0.05);
  EXPECT_NEAR(weak_order(CommutatorSubject(make_commutator), place::rods).order, 2, 0.05);
  for (const NoiseWeights weights : {NoiseWeights::integrals, NoiseWeights::increments})
    EXPECT_NEAR(weak_order(StochasticSubject(MakeRattle{weights}), place::rods).order, 1, 0.05);
}
TEST(Means, show_an_order_of_one) {
  EXPECT_NEAR(order_of_means(NoiseWeights::integrals), 1, 0.05);
  EXPECT_NEAR(order_of_means(NoiseWeights::increments), 1, 0.05);
}
// Its mean velocity errs by h^2 only, products of two velocities by h.
TEST(Means, show_a_noise_that_is_too_strong) { EXPECT_NEAR(order_of_means(NoiseWeights::integrals, 2), 0, 0.05); }
// For W of a step: 1, 0, h, 0, 3 h^2, 0, 15 h^3; for zeta h^3/12. One value for each of K noises.
TEST(Means, are_over_values_with_the_moments_of_the_noise) {
  const double h = 0.25;
  double moments[7] = {}, of_zeta = 0, mixed = 0, product = 0, square = 0;
  for_each_value(2, h, [&](const DrawnNoise<double>& noise, double weight) {
    const double w = noise.noises[1].increment;
    for (int k = 0; k < 7; ++k) moments[k] += weight * std::pow(w, k);
    of_zeta += weight * std::pow(noise.noises[1].zeta(h), 2);
    mixed += weight * w * noise.noises[0].increment;
    product += weight * noise.products[0] * w * noise.noises[0].increment;
    square += weight * noise.noises[0].squared;
  });
  const double exact[7] = {1, 0, h, 0, 3 * h * h, 0, 15 * h * h * h};
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(moments[k], exact[k], 1e-14) << k;
  EXPECT_NEAR(of_zeta, h * h * h / 12, 1e-16);
  EXPECT_NEAR(mixed, 0, 1e-16);
  // E[J_12 w_1 w_2] = h^3/3, E[int W^2] = h^2/2.
  EXPECT_NEAR(product, h * h * h / 3, 1e-15);
  EXPECT_NEAR(square, h * h / 2, 1e-15);
}

/// Returns the mean energy of exact_means() less that of Ito's formula. E[H(h)] - H(0) is half of the integral of E[tr K], whose
/// first and second derivatives at the start are those along the motion without noise: Simpson's rule errs by h^4 there.
double error_of_mean_energy(double h) {
  const auto& problem = stochastic_test_problems<double>().round[place::varying_products];
  const auto& [q, v] = problem.points.front();
  StochasticRattle<RoundInDouble> motion(problem.system);
  auto z = motion.start(q, v);
  const double before = noise_products(problem.system, q).trace();
  EXPECT_TRUE(motion.step(z, h / 2).ok());
  const double middle = noise_products(problem.system, z.q).trace();
  EXPECT_TRUE(motion.step(z, h / 2).ok());
  const double after = noise_products(problem.system, z.q).trace();
  // The place of x_i among the 27 functions is i (i + 3)/2, that of x_i^2 the last before the next coordinate.
  const auto place_of = [](Eigen::Index i) { return i * (i + 3) / 2; };
  const Means means = exact_means(0, h);
  double energy = means(place_of(2));
  for (Eigen::Index i = 3; i < 6; ++i) energy += means(place_of(i + 1) - 1) / 2;
  return energy - (v.squaredNorm() / 2 + q(2)) - h / 12 * (before + 4 * middle + after);
}
// An error of h^3, as of the reference itself, would be divided by eight.
TEST(Means, of_the_energy_are_those_of_itos_formula) {
  EXPECT_NEAR(std::log2(error_of_mean_energy(1.0 / 16) / error_of_mean_energy(1.0 / 32)), 4, 0.3);
}

// The reference on shorter and longer steps, against much shorter ones: of order two its error falls by 64 over three halvings.
TEST(Reference, is_of_strong_order_two) {
  double coarse = 0, fine = 0;
  for (std::size_t number = 0; number < 8; ++number) {
    const auto& problem = stochastic_test_problems<double>().round[place::varying_products];
    const BrownianPathWithProducts path(1, number, 2, 1, 10);
    const auto end = [&](int level) {
      const NoisesOnLevel noises = noises_on_level(path, level);
      ReferenceMethod method(problem.system);
      auto z = method.start(problem.points.front().first, problem.points.front().second);
      for (std::size_t k = 0; k < std::size_t{1} << level; ++k) method.step(z, path.step(level), noises.over(k, 2));
      return z.q;
    };
    const auto best = end(10);
    coarse += (end(4) - best).squaredNorm();
    fine += (end(7) - best).squaredNorm();
  }
  EXPECT_NEAR(std::log2(coarse / fine) / 2 / 3, 2, 0.25);
}
// Along the motion itself the excess of energy is zero for every path. The sum for the integral errs by h^(1/2)/4 or so.
TEST(Reference, has_the_energy_of_itos_formula_on_every_path) {
  const auto stepper = StochasticSubject(MakeRattle{NoiseWeights::integrals}).noisy_in_double(place::isotropic_noise);
  ReferencePaths paths(place::isotropic_noise, 2, 3, 9);
  for (std::size_t number = 0; number < 4; ++number)
    EXPECT_NEAR(excess(*stepper, paths.path(number).end, paths.path(number)), 0, 0.05);
}
// Values 8^-l have the mean square root's power 3/2 in 2^-l; one path has no error.
TEST(Slopes, are_those_of_a_power) {
  ByLevel squares(5);
  for (std::size_t l = 0; l < 5; ++l)
    squares[l] = {std::pow(8.0, -static_cast<double>(l)), std::pow(8.0, -static_cast<double>(l))};
  EXPECT_NEAR(slope_of(squares, 0, 5, 0.5).value, 1.5, 1e-14);
  EXPECT_NEAR(slope_of(squares, 0, 5, 0.5, true).value, 0, 1e-14);
  for (std::size_t l = 3; l < 5; ++l) squares[l] = {squares[2][0], squares[2][1]};
  EXPECT_LT(slope_of(squares, 0, 5, 0.5, true).value, -1);
}

TEST(Noises, are_drawn_with_products_that_are_not_their_means) {
  const double h = 0.25;
  const DrawnNoise<double> drawn = drawn_noise<double>(2, 1, 0, h), again = drawn_noise<double>(2, 1, 1, h);
  EXPECT_NE(drawn.noises[0].increment, again.noises[0].increment);
  StepCovariance<double> exact(2, PathCovariance::exact), mean(2, PathCovariance::conditional_mean);
  exact.set(drawn, h);
  mean.set(drawn, h);
  EXPECT_GT((exact.matrix() - mean.matrix()).norm(), 1e-3);
}
TEST(Steps, are_taken_back_with_the_products_of_the_path_backwards) {
  EXPECT_LT(symmetry_worst(CommutatorSubject(make_commutator)).value, floor_50);
  EXPECT_GT(symmetry_worst(EulerSubject(make_euler)).value, visible_50);
}
TEST(Steps, keep_momenta_of_translations_and_of_rotations) {
  const EulerSubject subject(make_euler);
  EXPECT_LT(momentum_worst(subject, ProblemRole::generic, true).value, floor_50);
  EXPECT_GT(momentum_worst(subject, ProblemRole::generic, false).value, visible_50);
  EXPECT_GT(momentum_worst(subject, ProblemRole::broken, true).value, visible_50);
  EXPECT_LT(momentum_worst(CommutatorSubject(make_commutator), ProblemRole::generic, false).value, floor_50);
}
// The bound is that of the battery.
TEST(Steps, show_what_zero_noise_does_besides_the_kick_of_a_mean) {
  const auto left = [](Besides besides) { return left_of_mean_kick(StochasticSubject(MakeMeanAnd{besides})).value; };
  EXPECT_LT(left(Besides::nothing), 1e-4);
  for (const Besides besides : {Besides::turned_kick, Besides::longer_velocity, Besides::moved_position})
    EXPECT_GT(left(besides), 1e-3) << static_cast<int>(besides);
}
TEST(Steps, show_the_noise_of_each_potential) {
  EXPECT_LT(short_step_worst(CommutatorSubject(make_commutator), true).value, 1e-12);
  EXPECT_GT(short_step_worst(StochasticSubject(MakeRattle{NoiseWeights::integrals, 2}), true).value, 0.5);
}

}  // namespace
}  // namespace livi::battery_detail
