// SPDX-License-Identifier: MIT
//
// Water with vector instructions: that it is the scalar one, and the exact one, to rounding, for every number of
// molecules beside the number of lanes, and that nothing but the input decides the result.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/stochastic/geometric_langevin.hpp>
#include <livi/systems/vectorised_water.hpp>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <new>
#include <numeric>
#include <random>
#include <thread>

#include "instruction_sets.hpp"
#include "verification/support/fixed_seed.hpp"

namespace vectorised_water_test {

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

// --- steps -----------------------------------------------------------------------------------------------------------

/// Rigid molecules on the lattice, turned about z by a different angle each.
V rigid_cluster(Eigen::Index molecules) {
  const Vector<double, 9> molecule = livi::water_molecule(livi::tip3p<double>());
  V q = cluster(molecules, 0);
  for (Eigen::Index a = 0; a < molecules; ++a) {
    const double angle = static_cast<double>(a * a) + 0.5;
    const Vector<double, 3> centre = q.segment<3>(9 * a);
    for (int atom = 0; atom < 3; ++atom) {
      const double x = molecule(3 * atom), y = molecule(3 * atom + 1);
      q(9 * a + 3 * atom) = centre(0) + std::cos(angle) * x - std::sin(angle) * y;
      q(9 * a + 3 * atom + 1) = centre(1) + std::sin(angle) * x + std::cos(angle) * y;
      q(9 * a + 3 * atom + 2) = centre(2);
    }
  }
  return q;
}
V small_velocity(Eigen::Index size) {
  V v(size);
  for (Eigen::Index i = 0; i < size; ++i) v(i) = 0.1 * std::sin(static_cast<double>(i * i));
  return v;
}

/// Ten steps of both. Forces differ by 1e-13 of their size, the iterations of SHAKE end where updates are 32 roundings;
/// ten steps of h = 0.05 sum that up and let it grow by a small factor.
template <class Fast, class Plain>
void expect_the_same_steps(Fast fast, Plain plain, const V& q, const V& v, const std::string& what) {
  auto y = fast.start(q, v);
  auto z = plain.start(q, v);
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(fast.step(y, 0.05).ok()) << what;
    ASSERT_TRUE(plain.step(z, 0.05).ok()) << what;
  }
  EXPECT_LE((y.q - z.q).cwiseAbs().maxCoeff(), 1e-12) << what;
  EXPECT_LE((y.v - z.v).cwiseAbs().maxCoeff(), 1e-11) << what;
  EXPECT_GT((y.q - q).cwiseAbs().maxCoeff(), 1e-2) << what;
  EXPECT_EQ(fast.work().indefinite_matrices, plain.work().indefinite_matrices) << what;
  // An iteration more or less where an update is just as large as the tolerance.
  EXPECT_NEAR(static_cast<double>(fast.work().newton_iterations), static_cast<double>(plain.work().newton_iterations),
              4)
      << what;
}
TEST(VectorisedSteps, are_the_scalar_ones_to_rounding) {
  with_each_instruction_set([](const std::string& name) {
    for (const Eigen::Index molecules : {1, 2, 3, 7, 8, 9, 17}) {
      const std::string what = name + " " + std::to_string(molecules);
      const auto fast = livi::vectorised_water_cluster(molecules);
      const auto plain = livi::water_cluster<double>(molecules);
      const V q = rigid_cluster(molecules), at_rest = V::Zero(q.size()), v = small_velocity(q.size());
      const auto restrained_fast = penalised(fast, 20.0);
      const auto restrained_plain = penalised(plain, 20.0);
      expect_the_same_steps(livi::StiffZhangSkeel(restrained_fast), livi::StiffZhangSkeel(restrained_plain), q, v,
                            what);
      V tangent = v, kappa(q.size() / 3);
      livi::VectorisedWaterMultipliers(fast.constraint(), fast.mass()).project_velocity(q, tangent, kappa);
      expect_the_same_steps(livi::Shake(fast), livi::Shake(plain), q, tangent, what);
      expect_the_same_steps(livi::Rattle(fast), livi::Rattle(plain), q, tangent, what);
      const livi::Bath<double> bath{0.01, 50};
      expect_the_same_steps(livi::GeometricLangevin(livi::Rattle(fast), bath),
                            livi::GeometricLangevin(livi::Rattle(plain), bath), q, tangent, what);
    }
  });
}

// One linear solve at positions with compressed molecules, of which A is indefinite: they take the dense way, counted.
TEST(VectorisedSteps, go_molecule_by_molecule_where_a_block_is_not_positive_definite) {
  with_each_instruction_set([](const std::string& name) {
    for (const Eigen::Index molecules : {1, 7, 8, 17}) {
      V q = rigid_cluster(molecules);
      for (const Eigen::Index a : {Eigen::Index(0), molecules / 2, molecules - 1}) {
        const Vector<double, 3> oxygen = q.segment<3>(9 * a);
        for (int atom = 1; atom < 3; ++atom)
          q.segment<3>(9 * a + 3 * atom) = oxygen + 0.2 * (q.segment<3>(9 * a + 3 * atom) - oxygen).eval();
      }
      const auto fast = penalised(livi::vectorised_water_cluster(molecules), 20.0);
      const auto plain = penalised(livi::water_cluster<double>(molecules), 20.0);
      livi::SimplifiedZhangSkeelForce<std::decay_t<decltype(fast)>, livi::HessianPart::stiff> of_fast(fast, {});
      livi::SimplifiedZhangSkeelForce<std::decay_t<decltype(plain)>, livi::HessianPart::stiff> of_plain(plain, {});
      V f(q.size()), g(q.size());
      for (const double h : {0.01, 0.05}) {
        livi::WorkCounters work_of_fast, work_of_plain;
        ASSERT_TRUE(of_fast(fast, q, h, f, work_of_fast).ok());
        ASSERT_TRUE(of_plain(plain, q, h, g, work_of_plain).ok());
        EXPECT_EQ(work_of_fast.indefinite_matrices, work_of_plain.indefinite_matrices) << name << molecules;
        EXPECT_EQ(work_of_fast.indefinite_matrices, h > 0.02 ? 1 : 0) << name << molecules;
        // 1e-13 times a condition number of the blocks, up to 1e2 here.
        EXPECT_LE((f - g).cwiseAbs().maxCoeff(), 1e-11 * g.cwiseAbs().maxCoeff()) << name << molecules << " " << h;
      }
    }
  });
}

// What is solved for a molecule depends on it alone: bitwise, wherever it stands and whoever its neighbours are, even
// when these need more iterations.
TEST(VectorisedSteps, solve_for_each_molecule_alone) {
  with_each_instruction_set([](const std::string& name) {
    constexpr Eigen::Index molecules = 19;
    const auto rigid = livi::vectorised_water_cluster(molecules);
    const auto one = livi::vectorised_water_cluster(1);
    const auto penalty = penalised(rigid, 20.0).potential().penalty;
    const V q = rigid_cluster(molecules), v = small_velocity(q.size());
    V r(q.size());
    for (Eigen::Index i = 0; i < r.size(); ++i) r(i) = q(i) + 1e-3 * static_cast<double>(i / 9 % 5) * v(i);
    V mu = V::Zero(3 * molecules), solved(q.size()), kappa(3 * molecules), tangent = v, a = v, push(q.size());
    livi::VectorisedWaterMultipliers equations(rigid.constraint(), rigid.mass());
    equations.set_directions(q);
    const livi::NewtonOptions<double> newton;
    EXPECT_EQ(equations.solve_position(r, newton, mu, solved).failure, livi::MultiplierOutcome::Failure::none);
    equations.project_velocity(q, tangent, kappa);
    equations.push(mu, push);
    vectorised_stiff_solve(penalty, rigid.mass(), 0.001, q, a);
    for (Eigen::Index m = 0; m < molecules; ++m) {
      const auto part = [&](const V& x) { return V(x.segment(9 * m, 9)); };
      V mu_1 = V::Zero(3), solved_1(9), kappa_1(3), tangent_1 = part(v), a_1 = part(v), push_1(9);
      livi::VectorisedWaterMultipliers alone(one.constraint(), one.mass());
      alone.set_directions(part(q));
      alone.solve_position(part(r), newton, mu_1, solved_1);
      alone.project_velocity(part(q), tangent_1, kappa_1);
      alone.push(mu_1, push_1);
      vectorised_stiff_solve(penalty, one.mass(), 0.001, part(q), a_1);
      EXPECT_TRUE(same(mu_1, mu.segment(3 * m, 3)) && same(solved_1, part(solved))) << name << m;
      EXPECT_TRUE(same(kappa_1, kappa.segment(3 * m, 3)) && same(tangent_1, part(tangent))) << name << m;
      EXPECT_TRUE(same(push_1, part(push)) && same(a_1, part(a))) << name << m;
    }
  });
}

// Failures are explicit and say where.
TEST(VectorisedSteps, name_the_molecule_that_fails) {
  constexpr Eigen::Index molecules = 19;
  const auto rigid = livi::vectorised_water_cluster(molecules);
  const V q = rigid_cluster(molecules), at_rest = V::Zero(q.size());
  const auto system = penalised(rigid, 20.0);
  for (const Eigen::Index bad : {0, 11, 18}) {
    livi::VectorisedWaterMultipliers equations(rigid.constraint(), rigid.mass());
    const livi::NewtonOptions<double> newton;
    const auto solve = [&](const V& old, const V& r) {
      V mu = V::Zero(3 * molecules), solved(q.size());
      equations.set_directions(old);
      return equations.solve_position(r, newton, mu, solved);
    };
    V r = q;
    r(9 * bad + 4) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(solve(q, r).failure, livi::MultiplierOutcome::Failure::not_finite);
    EXPECT_EQ(solve(q, r).block, bad);
    V flat = q;
    flat.segment<3>(9 * bad + 3) = flat.segment<3>(9 * bad + 6);  // both hydrogens at one place: no third direction
    EXPECT_EQ(solve(flat, flat).failure, livi::MultiplierOutcome::Failure::singular);
    EXPECT_EQ(solve(flat, flat).block, bad);
    // Turned by a right angle about y, which no impulse along the old sides undoes.
    V turned = q;
    for (int atom = 0; atom < 3; ++atom) turned.segment<3>(9 * bad + 3 * atom) = 3 * q.segment<3>(9 * bad + 3 * atom);
    for (int atom = 0; atom < 3; ++atom) turned(9 * bad + 3 * atom + 2) += atom;
    const livi::MultiplierOutcome outcome = solve(q, turned);
    EXPECT_NE(outcome.failure, livi::MultiplierOutcome::Failure::none);
    EXPECT_EQ(outcome.block, bad);

    livi::Shake shake(rigid);
    auto z = shake.start(q, at_rest);
    z.q(9 * bad + 4) = std::numeric_limits<double>::quiet_NaN();
    const livi::StepOutcome of_shake = shake.step(z, 0.05);
    EXPECT_EQ(of_shake.failure, livi::Failure::not_finite);
    EXPECT_EQ(of_shake.describe(), "a value is not finite in block " + std::to_string(bad));
    livi::StiffZhangSkeel stiff(system);
    auto y = stiff.start(q, at_rest);
    y.q(9 * bad + 4) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(stiff.step(y, 0.05).ok());
  }
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)  // which ends a program that gets no memory
/// In a process of its own: one that cannot have the workspace of a large cluster still computes small ones.
TEST(VectorisedPairs, go_on_when_there_was_no_memory) {
  const auto whole = [] {
    const V small = cluster(100, 1), large = V::LinSpaced(9 * 1'000'000, 0, 1e6);
    const double expected = vectorised.value(small);
    std::ifstream statm("/proc/self/statm");
    rlim_t pages = 0;
    statm >> pages;
    const rlim_t bytes = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (1U << 24);
    const rlimit limit{bytes, bytes};
    if (setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(2);
    try {
      static_cast<void>(vectorised.value(large));
      std::_Exit(3);
    } catch (const std::bad_alloc&) {
    }
    std::_Exit(same(vectorised.value(small), expected) ? 0 : 1);
  };
  EXPECT_EXIT(whole(), testing::ExitedWithCode(0), "");
}
#endif

}  // namespace vectorised_water_test
