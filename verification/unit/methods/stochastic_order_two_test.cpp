// SPDX-License-Identifier: MIT
//
// Stochastic methods of strong order two and of weak order two, and what they are made of: integrals of products of
// noises, the covariance of the noises within a step, staircases. Weak orders are measured without a random number.
#include <gtest/gtest.h>

#include <algorithm>
#include <livi/stochastic/run_along.hpp>
#include <livi/systems/stochastic_problems.hpp>

#include "stochastic_methods.hpp"
#include "stochastic_step.hpp"

namespace livi {

namespace stochastic_order_two_test {

using stochastic_test::commutator;
using stochastic_test::Noise;
using stochastic_test::rattle;
using stochastic_test::staircase;
using stochastic_test::symplecticity;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

TEST(BrownianPathWithProducts, of_more_than_a_gib_are_refused) {
  // 2000 noises are two million pairs: 2 GB for 64 finest steps and all coarser ones.
  try {
    BrownianPathWithProducts(1, 1, 2000, 1, 6);
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_NE(std::string(error.what()).find("the products of 2000 noises"), std::string::npos);
  }
}

// For W_1 = t and W_2 = t^2 the integrals over [1, 2], [2, 3] and [1, 3] are numbers.
TEST(BrownianPathWithProducts, of_a_joined_step_are_exact) {
  const std::array<BrownianIntegrals, 2> a{{{1, 1. / 2, 0}, {3, 4. / 3, 0}}}, b{{{1, 1. / 2, 0}, {5, 7. / 3, 0}}};
  EXPECT_NEAR(joined_product(a, 11. / 12, b, 19. / 12, 1), 28. / 3, 16 * epsilon);
}

// The mean of W under increment w and zeta is w s/h + 6 zeta s (h - s)/h^3; products of two have degree four.
TEST(BrownianPathWithProducts, on_the_finest_level_are_those_of_the_mean_paths) {
  Noise noise(5, 2, 3, 2);
  const double h = noise.path().step(3);
  for (std::uint64_t k = 0; k < 8; ++k) {
    const auto step = noise.over(3, k);
    const auto mean = [&](std::size_t i, double s) {
      return step[i].increment * s / h + 6 * step[i].zeta(h) * s * (h - s) / (h * h * h);
    };
    const auto product = [&](double s) { return mean(0, s) * mean(1, s); };
    const double root = std::sqrt(0.6) / 2;
    EXPECT_NEAR(step.product(0, 1),
                h / 18 * (5 * product((0.5 - root) * h) + 8 * product(h / 2) + 5 * product((0.5 + root) * h)),
                16 * epsilon);
  }
}

TEST(BrownianPathWithProducts, of_a_coarse_step_are_those_of_its_fine_ones) {
  Noise noise(3, 3, 6);
  double worst = 0, size = 0;
  for (int level = 0; level < 6; ++level)
    for (std::uint64_t k = 0; k < 1ULL << level; ++k)
      for (int i = 0; i < 3; ++i)
        for (int j = i + 1; j < 3; ++j) {
          const auto of = [&](int l, std::uint64_t step) {
            return std::array{noise.path().over(i, l, step), noise.path().over(j, l, step)};
          };
          const auto pair = static_cast<std::size_t>(i + j - 1);
          const double whole = noise.path().products_over(level, k)[pair];
          const double sum = joined_product(
              of(level + 1, 2 * k), noise.path().products_over(level + 1, 2 * k)[pair], of(level + 1, 2 * k + 1),
              noise.path().products_over(level + 1, 2 * k + 1)[pair], noise.path().step(level + 1));
          worst = std::max(worst, std::abs(sum - whole));
          size = std::max(size, std::abs(whole));
        }
  EXPECT_EQ(worst, 0);
  EXPECT_GT(size, 0.01);
  EXPECT_THROW(static_cast<void>(noise.path().products_over(7, 0)), InvalidParameter);
  EXPECT_THROW(static_cast<void>(noise.path().products_over(3, 8)), InvalidParameter);
}

TEST(StepNoise, finds_the_product_of_a_pair) {
  const std::vector<NoiseIntegrals<double>> noises(4, NoiseIntegrals<double>{0, 0, 7});
  const std::vector<double> products{1, 2, 3, 12, 13, 23};
  const StepNoise<double> step(std::span<const NoiseIntegrals<double>>(noises), products);
  EXPECT_EQ(step.product(0, 1), 1);
  EXPECT_EQ(step.product(3, 0), 3);
  EXPECT_EQ(step.product(1, 2), 12);
  EXPECT_EQ(step.product(1, 3), 13);
  EXPECT_EQ(step.product(3, 2), 23);
  EXPECT_EQ(step.product(2, 2), 7);
  EXPECT_FALSE(StepNoise<double>(noises).has_products());
  EXPECT_THROW(StepNoise<double>(std::span<const NoiseIntegrals<double>>(noises), std::span(products).first(5)),
               InvalidParameter);
}

// There the integrals of squares and products are means themselves.
TEST(StepCovariance, on_the_finest_level_is_its_mean_under_increments_and_integrals) {
  Noise noise(6, 3, 3, 2);
  const double h = noise.path().step(3);
  StepCovariance<double> exact(3, PathCovariance::exact), mean(3, PathCovariance::conditional_mean);
  exact.set(noise.over(3, 4), h);
  mean.set(noise.over(3, 4), h);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(exact.matrix()(i, j), mean.matrix()(i, j), 16 * epsilon);
  // A control: not of a step of two.
  exact.set(noise.over(2, 2), 2 * h);
  mean.set(noise.over(2, 2), 2 * h);
  EXPECT_GT((exact.matrix() - mean.matrix()).norm(), 1e-3);
}

/// Returns the integrals over the piece of the path that a step passed, passed the other way with -h.
StepNoise<double> reversed(const StepNoise<double>& step, double h, std::vector<NoiseIntegrals<double>>& noises,
                           std::vector<double>& products) {
  noises.clear();
  products.clear();
  const auto product = [&](std::size_t i, std::size_t j) {
    const auto &a = step[i], &b = step[j];
    return -(step.product(i, j) - a.increment * b.integral - b.increment * a.integral + h * a.increment * b.increment);
  };
  for (std::size_t i = 0; i < step.size(); ++i) {
    noises.push_back({-step[i].increment, h * step[i].increment - step[i].integral, product(i, i)});
    for (std::size_t j = i + 1; j < step.size(); ++j) products.push_back(product(i, j));
  }
  return {noises, products};
}

// Rounding: sums of a dozen products, which for four noises take the differences of numbers of size h.
TEST(Staircase, has_mean_and_covariance_of_the_noise_and_is_the_same_backwards) {
  for (const int m : {1, 2, 3, 4})
    for (std::uint64_t number = 0; number < 50; ++number) {
      Noise noise(number, m, 3, 0.5);
      const double h = 0.25;
      const auto step = noise.over(1, 1);
      Staircase<double> stairs(m, PathCovariance::exact);
      StepCovariance<double> covariance(m, PathCovariance::exact);
      stairs.set(step, h);
      covariance.set(step, h);
      const Matrix<double, Dynamic> steps = stairs.steps();
      const Vector<double, Dynamic> mean = steps.rowwise().mean();
      const Matrix<double, Dynamic> deviations = steps.colwise() - mean;
      const Matrix<double, Dynamic> found = deviations * deviations.transpose() / (m + 1);
      for (int i = 0; i < m; ++i) {
        EXPECT_NEAR(mean(i), step[static_cast<std::size_t>(i)].integral / h, 16 * epsilon);
        for (int j = 0; j < m; ++j) EXPECT_NEAR(found(i, j), covariance.matrix()(i, j), 64 * epsilon);
      }
      std::vector<NoiseIntegrals<double>> noises;
      std::vector<double> products;
      stairs.set(reversed(step, h, noises, products), -h);
      for (int i = 0; i < m; ++i)
        for (int k = 0; k <= m; ++k)
          EXPECT_NEAR(stairs.steps()(i, m - k), steps(i, k) - step[static_cast<std::size_t>(i)].increment,
                      4096 * epsilon)
              << m << " noises, " << i << " " << k;
    }
}

// One path for all noises has a covariance of rank one, and no noise has none.
TEST(Staircase, needs_no_rank) {
  const SmoothPath path(0.7, 3, 2);
  const std::vector<NoiseIntegrals<double>> noises(3, path.over(0, 2, 1)), none(3);
  const std::vector<double> products(3, noises[0].squared), no_products(3);
  Staircase<double> stairs(3, PathCovariance::exact);
  stairs.set({noises, products}, path.step(2));
  const Matrix<double, Dynamic> steps = stairs.steps();
  const double mean = noises[0].integral / path.step(2);
  double square = 0;
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(steps(0, k), steps(2, k), 16 * epsilon);
    square += std::pow(steps(0, k) - mean, 2) / 4;
  }
  EXPECT_NEAR(square, noises[0].squared / path.step(2) - mean * mean, 16 * epsilon);
  EXPECT_GT(square, 1e-3);
  stairs.set({none, no_products}, 0.5);
  EXPECT_EQ(stairs.steps(), (zeros<Matrix<double, Dynamic>>(3, 4)));
}

/// The pair of quadratic noises (x z, x^2 + y z) with the amplitude 3/10.
template <class S>
QuadraticNoise<S, 3> quadratic_noise() {
  const S sigma = ratio<S>(3, 10);
  QuadraticNoise<S, 3> noise;
  noise.terms.resize(2, {zeros<Vector<S, 3>>(), zeros<Matrix<S, 3>>()});
  noise.terms[0].matrix(0, 2) = noise.terms[0].matrix(2, 0) = sigma;
  noise.terms[1].matrix(0, 0) = S(2) * sigma;
  noise.terms[1].matrix(1, 2) = noise.terms[1].matrix(2, 1) = sigma;
  return noise;
}
template <class S>
auto sphere(const S&) {
  return sphere_pendulum<S>(quadratic_noise<S>());
}
template <class S>
auto double_pendulum(const S&) {
  return double_sphere_pendulum<S>(coordinate_noise<S, 6>(ratio<S>(1, 2), std::array{0, 4, 5}));
}
template <class State>
std::string bits(const State& z) {
  const auto of = [](const auto& x) {
    return std::string(reinterpret_cast<const char*>(x.data()), sizeof(double) * static_cast<std::size_t>(x.size()));
  };
  return of(z.q) + of(z.v) + of(z.lambda) + of(z.kappa);
}

TEST(MethodsOfOrderTwo, without_noise_are_rattle_bit_for_bit) {
  const auto compare = [](const auto& problem, const auto& make, int parts) {
    Rattle deterministic(problem.system);
    auto method = make(problem.system);
    auto z = deterministic.start(problem.q, problem.v);
    auto w = method.start(problem.q, problem.v), u = w;
    const auto count = static_cast<std::size_t>(problem.system.noise().count());
    const std::vector<NoiseIntegrals<double>> none(count);
    const std::vector<double> no_products(count * (count - 1) / 2);
    const StepNoise<double> noise(std::span<const NoiseIntegrals<double>>(none), no_products);
    for (int k = 0; k < 200; ++k) {
      for (int part = 0; part < parts; ++part) ASSERT_TRUE(deterministic.step(z, 0.1 / parts).ok());
      ASSERT_TRUE(method.step(w, 0.1, noise).ok());
      ASSERT_TRUE(method.step(u, 0.1).ok());
    }
    EXPECT_EQ(bits(z), bits(w));
    EXPECT_EQ(bits(z), bits(u));
    // A control: noise changes them.
    Noise some(1, static_cast<int>(count), 0);
    ASSERT_TRUE(method.step(w, 0.1, some.over(0, 0)).ok());
    ASSERT_TRUE(method.step(u, 0.1).ok());
    EXPECT_NE(bits(u), bits(w));
  };
  compare(sphere(0.0), commutator(PathCovariance::exact), 1);
  compare(sphere(0.0), staircase(PathCovariance::exact), 3);
  compare(sphere(0.0), rattle(NoiseWeights::weak), 1);
  compare(double_pendulum(0.0), commutator(PathCovariance::exact), 1);
  compare(double_pendulum(0.0), staircase(PathCovariance::exact), 4);
}

TEST(MethodsOfOrderTwo, are_symplectic_for_fixed_integrals_of_the_noise) {
  const auto defect = [](const auto& make_problem, const auto& make, int noises) {
    Noise noise(2, noises, 4);
    const auto step = noise.over(3, 5);
    return symplecticity(make_problem, make, noise.path().step(3), step, noise.path().products_over(3, 5));
  };
  const auto on_sphere = [](const auto& s) { return sphere(s); };
  const auto on_double_pendulum = [](const auto& s) { return double_pendulum(s); };
  EXPECT_LT(defect(on_sphere, commutator(PathCovariance::exact), 2), 1e-45);
  EXPECT_LT(defect(on_sphere, commutator(PathCovariance::mean), 2), 1e-45);
  EXPECT_LT(defect(on_sphere, staircase(PathCovariance::exact), 2), 1e-45);
  EXPECT_LT(defect(on_sphere, rattle(NoiseWeights::weak), 2), 1e-45);
  EXPECT_LT(defect(on_double_pendulum, commutator(PathCovariance::conditional_mean), 3), 1e-45);
}

// Rounding of two steps and of the roots in a staircase.
TEST(MethodsOfOrderTwo, are_undone_by_the_path_passed_the_other_way) {
  const auto defect = [](const auto& make) {
    const auto problem = sphere(0.0);
    auto method = make(problem.system);
    Noise noise(4, 2, 6);
    const double h = noise.path().step(3);
    std::vector<NoiseIntegrals<double>> noises;
    std::vector<double> products;
    auto z = method.start(problem.q, problem.v);
    EXPECT_TRUE(method.step(z, h, noise.over(3, 2)).ok());
    EXPECT_GT((z.q - problem.q).norm(), 0.01);
    EXPECT_TRUE(method.step(z, -h, reversed(noise.over(3, 2), h, noises, products)).ok());
    return (z.q - problem.q).norm() + (z.v - problem.v).norm();
  };
  EXPECT_LT(defect(commutator(PathCovariance::exact)), 1e-13);
  EXPECT_LT(defect(commutator(PathCovariance::conditional_mean)), 1e-13);
  EXPECT_LT(defect(commutator(PathCovariance::mean)), 1e-13);
  EXPECT_LT(defect(staircase(PathCovariance::exact)), 1e-13);
  EXPECT_LT(defect(rattle(NoiseWeights::weak)), 1e-13);
}

// The noise z has the symmetry of gravity, x has not. Roundings of n steps add up like a random walk, n^(1/2) of them; a staircase has
// two steps of RATTLE in each. Momenta are sums of two products of numbers up to three.
TEST(MethodsOfOrderTwo, keep_constraints_and_the_momentum_of_a_symmetry_over_1e5_steps) {
  struct Worst {
    double position = 0, velocity = 0, momentum = 0;
  };
  const auto run = [](const auto& make, int coordinate, int steps) {
    const auto problem = sphere_pendulum<double>(coordinate_noise<double, 3>(0.05, std::array{coordinate}));
    const NormalNumbers normal(4, 0);
    auto method = make(problem.system);
    auto z = method.start(problem.q, problem.v);
    const auto momentum = [](const auto& s) { return s.q(0) * s.v(1) - s.q(1) * s.v(0); };
    const double h = 0.05, first = momentum(z);
    Worst worst;
    for (int k = 0; k < steps; ++k) {
      double xi[3];
      normal(static_cast<std::uint64_t>(k), 0, xi, 3);
      const double w = std::sqrt(h) * xi[0], zeta = std::sqrt(h * h * h / 12) * xi[1], i10 = zeta + h * w / 2;
      // A positive covariance that is not its mean under w and zeta.
      const double covariance = w * w / 12 + zeta * zeta / (5 * h * h) + h / 15 * xi[2] * xi[2];
      const NoiseIntegrals<double> noise{w, i10, i10 * i10 / h + h * covariance};
      EXPECT_TRUE(method.step(z, h, {&noise, 1}).ok());
      worst.momentum = std::max(worst.momentum, std::abs(momentum(z) - first));
      if (k % 16 != 0) continue;
      worst.position = std::max(worst.position, stochastic_test::constraint_defect(problem.system, z.q));
      worst.velocity = std::max(worst.velocity,
                                stochastic_test::tangent_defect(problem.system, z.q, z.v) / std::max(1.0, z.v.norm()));
    }
    return worst;
  };
  const auto expect = [&](const auto& make, double steps_of_rattle) {
    const Worst kept = run(make, 2, 100000);
    EXPECT_LT(kept.position, 4 * epsilon);
    EXPECT_LT(kept.velocity, 4 * epsilon);
    EXPECT_LT(kept.momentum, 3 * std::sqrt(1e5 * steps_of_rattle) * epsilon);
    EXPECT_GT(run(make, 0, 1000).momentum, 1e-2);
  };
  expect(commutator(PathCovariance::exact), 1);
  expect(staircase(PathCovariance::exact), 2);
}

TEST(MethodsOfOrderTwo, refuse_several_noises_without_their_products) {
  const auto problem = sphere(0.0);
  const std::vector<NoiseIntegrals<double>> noises(2, NoiseIntegrals<double>{0.1, 0.005, 0.001});
  const auto step = [&](auto method) {
    auto z = method.start(problem.q, problem.v);
    return method.step(z, 0.1, noises).ok();
  };
  EXPECT_THROW(step(CommutatorRattle(problem.system)), InvalidParameter);
  EXPECT_THROW(step(StaircaseRattle(problem.system)), InvalidParameter);
  EXPECT_TRUE(step(CommutatorRattle(problem.system, PathCovariance::mean)));
  EXPECT_TRUE(step(StaircaseRattle(problem.system, PathCovariance::conditional_mean)));
}

TEST(RunAlong, gives_the_products_of_a_path_that_has_them) {
  const auto problem = sphere(0.0);
  const BrownianPathWithProducts path(7, 1, 2, 1, 4);
  CommutatorRattle method(problem.system);
  auto z = method.start(problem.q, problem.v), w = z;
  EXPECT_FALSE(run_along(method, z, path, 3).has_value());
  for (std::uint64_t k = 0; k < 8; ++k) {
    const std::vector<NoiseIntegrals<double>> noises{path.over(0, 3, k), path.over(1, 3, k)};
    ASSERT_TRUE(method.step(w, path.step(3), StepNoise<double>(noises, path.products_over(3, k))).ok());
  }
  EXPECT_EQ(bits(z), bits(w));
  EXPECT_THROW(static_cast<void>(run_along(method, z, BrownianPath(7, 1, 2, 1, 4), 3)), InvalidParameter);
}

/// Returns how the distance of two methods after one step falls with h, along paths h^(1/2) w(t/h): the weight of the
/// first word in which they differ. The numbers are those of a path: their covariance is positive.
template <class Make, class Other>
double weight_of_difference(const Make& make, const Other& other) {
  const auto problem = sphere(0.0);
  const auto distance = [&](double h) {
    const double root = std::sqrt(h);
    const std::vector<NoiseIntegrals<double>> noises{{0.9 * root, 0.7 * h * root, 0.6 * h * h},
                                                     {-0.6 * root, 0.1 * h * root, 0.2 * h * h}};
    const std::vector<double> products{-0.05 * h * h};
    const StepNoise<double> noise(noises, products);
    auto method = make(problem.system);
    auto other_method = other(problem.system);
    auto z = method.start(problem.q, problem.v), w = z;
    EXPECT_TRUE(method.step(z, h, noise).ok());
    EXPECT_TRUE(other_method.step(w, h, noise).ok());
    return (z.v - w.v).norm();
  };
  return std::log2(distance(1.0 / 4096) / distance(1.0 / 16384)) / 2;
}

// The next word is smaller by h^(1/2) = 1/64 times a number of size ten or so.
TEST(MethodsOfOrderTwo, differ_in_words_of_the_weights_that_decide_their_orders) {
  const auto exact = commutator(PathCovariance::exact);
  EXPECT_NEAR(weight_of_difference(staircase(PathCovariance::exact), exact), 2.5, 0.1);
  EXPECT_NEAR(weight_of_difference(commutator(PathCovariance::mean), exact), 2, 0.1);
  EXPECT_NEAR(weight_of_difference(commutator(PathCovariance::conditional_mean), exact), 2, 0.1);
  EXPECT_NEAR(weight_of_difference(rattle(NoiseWeights::integrals), exact), 2, 0.1);
  EXPECT_NEAR(weight_of_difference(rattle(NoiseWeights::weak), exact), 1.5, 0.1);
  EXPECT_NEAR(weight_of_difference(rattle(NoiseWeights::increments), exact), 1.5, 0.1);
}

/// Returns how the difference between the mean velocities after a step h and after two steps h/2 falls with h: the
/// local weak order, one more than the weak order. Means over increments and I10 are by the formula of Gauss and
/// Hermite with five nodes, exact for polynomials of degree nine.
template <class Make>
double local_weak_order(const Make& make) {
  const auto problem = sphere_pendulum<double>(coordinate_noise<double, 3>(0.5, std::array{0}));
  constexpr std::array nodes{-2.8569700138728056, -1.3556261799742659, 0.0, 1.3556261799742659, 2.8569700138728056};
  constexpr std::array weights{0.011257411327720689, 0.22207592200561266, 8.0 / 15, 0.22207592200561266,
                               0.011257411327720689};
  const auto difference = [&](double h) {
    auto method = make(problem.system);
    // Calls f(z, weight) for z after one step from `before` with each of the nodes.
    const auto for_all = [&](const auto& before, double step, const auto& f) {
      for (std::size_t a = 0; a < 5; ++a)
        for (std::size_t b = 0; b < 5; ++b) {
          const double w = std::sqrt(step) * nodes[a], zeta = std::sqrt(step * step * step / 12) * nodes[b];
          const NoiseIntegrals<double> noise{w, step * w / 2 + zeta, 0};
          auto z = before;
          EXPECT_TRUE(method.step(z, step, {&noise, 1}).ok());
          f(z, weights[a] * weights[b]);
        }
    };
    const auto start = method.start(problem.q, problem.v);
    Vector<double, 3> sum(0, 0, 0);
    for_all(start, h, [&](const auto& z, double weight) { sum += weight * z.v; });
    for_all(start, h / 2, [&](const auto& half, double weight) {
      for_all(half, h / 2, [&](const auto& z, double weight_2) { sum -= weight * weight_2 * z.v; });
    });
    return sum.norm();
  };
  return std::log2(difference(1.0 / 64) / difference(1.0 / 128));
}

// 0.1 is for the next term of the expansion; the neighbours of an order are an order away.
TEST(MethodsOfOrderTwo, have_weak_order_two_where_rattle_has_one) {
  EXPECT_NEAR(local_weak_order(rattle(NoiseWeights::weak)), 3, 0.1);
  EXPECT_NEAR(local_weak_order(commutator(PathCovariance::mean)), 3, 0.1);
  EXPECT_NEAR(local_weak_order(commutator(PathCovariance::conditional_mean)), 3, 0.1);
  EXPECT_NEAR(local_weak_order(rattle(NoiseWeights::increments)), 2, 0.1);
  EXPECT_NEAR(local_weak_order(rattle(NoiseWeights::integrals)), 2, 0.1);
}

}  // namespace stochastic_order_two_test
}  // namespace livi
