// SPDX-License-Identifier: MIT
//
// Water with vector instructions: that it is the scalar one, and the exact one, to rounding, for every number of
// molecules beside the number of lanes, and that nothing but the input decides the result.
#include <gtest/gtest.h>

#include <livi/systems/vectorised_water.hpp>

#include <bit>
#include <cstdint>
#include <numeric>
#include <random>
#include <thread>

#include "fixed_seed.hpp"
#include "instruction_sets.hpp"

namespace {

using livi::Dynamic;
using livi::Float50;
using livi::Vector;
using livi::VectorisedWaterPotential;
using livi::WaterPotential;
using livi::test::ulps;
using livi::test::with_each_instruction_set;
using V = Vector<double, Dynamic>;

/// Molecules on a cubic lattice 3.1 A wide, each bent and turned at random by moving its atoms by up to 0.3 A.
V cluster(Eigen::Index molecules, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> number(-0.3, 0.3);
  const Vector<double, 9> molecule = livi::water_molecule(livi::tip3p<double>());
  Eigen::Index edge = 1;
  while (edge * edge * edge < molecules) ++edge;
  V q(9 * molecules);
  for (Eigen::Index a = 0; a < molecules; ++a) {
    const Eigen::Index cell[3]{a % edge, a / edge % edge, a / edge / edge};
    for (int i = 0; i < 9; ++i) q(9 * a + i) = 3.1 * static_cast<double>(cell[i % 3]) + molecule(i) + number(generator);
  }
  return q;
}
bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same(const V& a, const V& b) {
  for (Eigen::Index i = 0; i < a.size(); ++i)
    if (!same(a(i), b(i))) return false;
  return a.size() == b.size();
}

const WaterPotential<double> scalar(livi::tip3p<double>());
const VectorisedWaterPotential vectorised(livi::tip3p<double>());

// The last step, a fused product and sum, rounds by half a unit. The residual it corrects with is off by a rounding of
// x y, the series by its first term left out, 35/128 e^4 < 2^-53: each up to half a unit. Without fused operations the
// product in the residual and the one in the last step round too.
TEST(ReciprocalRoots, are_as_accurate_as_stated) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> near(1, 4), exponent(-37, 38);
  std::vector<double> x;
  for (int k = 0; k < 20000; ++k) x.push_back(near(generator));
  for (int k = 0; k < 2000; ++k) x.push_back(std::pow(10, exponent(generator)));
  std::vector<double> y(x.size());
  with_each_instruction_set([&](const std::string& name) {
    livi::vectorised_reciprocal_roots(x.data(), static_cast<std::ptrdiff_t>(x.size()), y.data());
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, ulps(y[i], 1 / sqrt(Float50(x[i]))));
    testing::Test::RecordProperty("ulp_" + name, std::to_string(worst));
    EXPECT_LT(worst, name.starts_with("AVX") ? 1.5 : 2.5) << name;
  });
}

// A gradient is a sum of up to 9 N terms, which partly cancel, each off by some 10 roundings; 1e-13 of the largest
// entry leaves a factor of 40 for the cancellation.
TEST(VectorisedWater, is_the_scalar_one_to_rounding) {
  with_each_instruction_set([](const std::string& name) {
    for (Eigen::Index molecules = 1; molecules <= 20; ++molecules)
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const V q = cluster(molecules, seed);
        V expected(q.size()), gradient(q.size()), both(q.size());
        scalar.gradient(q, expected);
        vectorised.gradient(q, gradient);
        const double value = vectorised.value_and_gradient(q, both);
        EXPECT_LE((gradient - expected).cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff())
            << name << " " << molecules;
        EXPECT_TRUE(same(both, gradient) || molecules == 1);
        EXPECT_TRUE(same(value, vectorised.value(q)));
        // Pairs of atoms have energies up to 1e2 and there are 4.5 N^2 of them: roundings of their sum.
        EXPECT_NEAR(value, scalar.value(q), 1e-13 * 1e2 * static_cast<double>(molecules)) << name << " " << molecules;
        V sum = expected;
        vectorised.add_gradient(q, sum);
        EXPECT_LE((sum - 2 * expected).cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff());
      }
  });
}
TEST(VectorisedWater, is_the_exact_one_to_rounding) {
  const livi::WaterModel<double> m = livi::tip3p<double>();
  const WaterPotential<Float50> exact({Float50(m.oxygen_mass), Float50(m.hydrogen_mass), Float50(m.squared_oh),
                                       Float50(m.squared_hh), Float50(m.coulomb), Float50(m.repulsion),
                                       Float50(m.attraction)});
  for (const Eigen::Index molecules : {2, 7, 8, 9, 20}) {
    const V q = cluster(molecules, 11);
    const Vector<Float50, Dynamic> exact_q = q.cast<Float50>();
    Vector<Float50, Dynamic> exact_gradient(q.size());
    exact.gradient(exact_q, exact_gradient);
    const V expected = exact_gradient.cast<double>();
    const auto exact_value = exact.value(exact_q).convert_to<double>();
    with_each_instruction_set([&](const std::string& name) {
      V gradient(q.size());
      const double value = vectorised.value_and_gradient(q, gradient);
      EXPECT_LE((gradient - expected).cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff())
          << name << " " << molecules;
      EXPECT_NEAR(value, exact_value, 1e-13 * 1e2 * static_cast<double>(molecules)) << name << " " << molecules;
    });
  }
}

RC_GTEST_PROP(VectorisedWater, molecules_have_no_order, ()) {
  const auto molecules = *rc::gen::inRange(1, 40);
  const V q = cluster(molecules, static_cast<std::uint64_t>(*rc::gen::inRange(0, 1 << 30)));
  std::vector<Eigen::Index> order(static_cast<std::size_t>(molecules));
  std::iota(order.begin(), order.end(), Eigen::Index(0));
  std::shuffle(order.begin(), order.end(), std::mt19937_64(7));
  V permuted(q.size()), expected(q.size()), gradient(q.size()), of_permuted(q.size());
  vectorised.gradient(q, gradient);
  for (std::size_t a = 0; a < order.size(); ++a) {
    const auto at = 9 * static_cast<Eigen::Index>(a);
    permuted.segment<9>(at) = q.segment<9>(9 * order[a]);
    expected.segment<9>(at) = gradient.segment<9>(9 * order[a]);
  }
  vectorised.gradient(permuted, of_permuted);
  RC_ASSERT((of_permuted - expected).cwiseAbs().maxCoeff() <= 1e-13 * expected.cwiseAbs().maxCoeff());
}

// The workspace holds what larger and smaller clusters left in it, and each thread has its own.
TEST(VectorisedWater, depends_on_its_input_alone) {
  const auto all = [] {
    std::vector<V> gradients;
    for (const Eigen::Index molecules : {7, 100, 3, 9, 64, 1, 7}) {
      const V q = cluster(molecules, 5);
      V gradient(q.size());
      vectorised.gradient(q, gradient);
      gradients.push_back(gradient);
    }
    return gradients;
  };
  const auto expected = all();
  EXPECT_TRUE(same(expected.front(), expected.back()));
  std::vector<std::vector<V>> of_threads(3);
  std::vector<std::thread> threads;
  for (auto& result : of_threads)
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) result = all();
    });
  for (auto& thread : threads) thread.join();
  for (const auto& result : of_threads)
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_TRUE(same(result[k], expected[k]));
}

// What is not a number stays visible, wherever it stands, and so do atoms at one place.
TEST(VectorisedWater, shows_what_is_not_finite) {
  with_each_instruction_set([](const std::string& name) {
    for (const Eigen::Index molecules : {2, 7, 8, 9, 16, 19})
      for (const Eigen::Index at : {Eigen::Index(0), 9 * molecules - 1, 9 * (molecules / 2) + 4})
        for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
          V q = cluster(molecules, 1), gradient(q.size());
          q(at) = bad;
          EXPECT_FALSE(std::isfinite(vectorised.value_and_gradient(q, gradient))) << name << molecules << " " << at;
          EXPECT_FALSE(std::isfinite(gradient(at))) << name << molecules << " " << at;
        }
    V q = cluster(3, 1), gradient(q.size());
    q.segment<3>(9) = q.segment<3>(0);
    EXPECT_FALSE(std::isfinite(vectorised.value_and_gradient(q, gradient))) << name;
    EXPECT_FALSE(gradient.allFinite()) << name;
  });
}

}  // namespace
