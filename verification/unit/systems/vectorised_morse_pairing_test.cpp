// SPDX-License-Identifier: MIT
//
// The DNA pairing with vector instructions: how accurate its elementary functions are, that it is the scalar one to
// rounding, and that a number depends on nothing but its angle.
#include <gtest/gtest.h>

#include <livi/integrators/zhang_skeel.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/vectorised_morse_pairing.hpp>

#include <bit>
#include <cstdint>
#include <random>

#include "instruction_sets.hpp"
#include "verification/support/fixed_seed.hpp"

namespace vectorised_morse_pairing_test {

using livi::Dynamic;
using livi::Float50;
using livi::MorsePairing;
using livi::Vector;
using livi::VectorisedMorsePairing;
using livi::test::ulps;
using livi::test::with_each_instruction_set;

struct Worst {
  double sine = 0, cosine = 0, exponential = 0;
};
Worst measure(const std::vector<double>& angles, const std::vector<double>& exponents) {
  const std::size_t n = angles.size();
  std::vector<double> s(n), c(n), e(n);
  livi::vectorised_elementary_functions(angles.data(), exponents.data(), static_cast<std::ptrdiff_t>(n), s.data(),
                                        c.data(), e.data());
  Worst worst;
  for (std::size_t i = 0; i < n; ++i) {
    worst.sine = std::max(worst.sine, ulps(s[i], sin(Float50(angles[i]))));
    worst.cosine = std::max(worst.cosine, ulps(c[i], cos(Float50(angles[i]))));
    worst.exponential = std::max(worst.exponential, ulps(e[i], exp(Float50(exponents[i]))));
  }
  return worst;
}

/// Angles up to 4 pi and 39000, and the exponents a (cos q - 1 + x0) of the DNA model and all there are.
std::vector<double> uniform(std::uint64_t seed, std::size_t n, double low, double high) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> number(low, high);
  std::vector<double> x(n);
  for (double& entry : x) entry = number(generator);
  return x;
}

void expect_accurate(const std::vector<double>& angles, const std::vector<double>& exponents) {
  with_each_instruction_set([&](const std::string& name) {
    const Worst worst = measure(angles, exponents);
    testing::Test::RecordProperty("ulp_sin_" + name, std::to_string(worst.sine));
    testing::Test::RecordProperty("ulp_cos_" + name, std::to_string(worst.cosine));
    testing::Test::RecordProperty("ulp_exp_" + name, std::to_string(worst.exponential));
    EXPECT_LT(worst.sine, 3.5) << name;
    EXPECT_LT(worst.cosine, 3.5) << name;
    EXPECT_LT(worst.exponential, 1.5) << name;
  });
}

// What Highway states, 3, 3 and 1, where it counts whole numbers between results: half a unit more from the exact
// value. The largest errors of 20000 numbers are recorded. Beside zeros of sin and cos the argument is reduced with
// four parts of pi, so the bounds hold there too.
TEST(ElementaryFunctions, are_as_accurate_as_stated_at_the_angles_of_the_model) {
  auto angles = uniform(1, 20000, -12.6, 12.6);
  for (int k = -8; k <= 8; ++k) angles.push_back(k * std::acos(-1.0) / 2);  // to a rounding
  expect_accurate(angles, uniform(2, angles.size(), -12, 3));
}
TEST(ElementaryFunctions, are_as_accurate_as_stated_in_their_whole_range) {
  expect_accurate(uniform(3, 5000, -39000, 39000), uniform(4, 5000, -700, 706));
}
// The measure itself: the neighbours of the right number are off by one.
TEST(ElementaryFunctions, ulps_count_units_in_the_last_place) {
  for (const double x : {1.0, 3.7, 1e-300, 4e-310}) {
    EXPECT_EQ(ulps(x, Float50(x)), 0);
    EXPECT_NEAR(ulps(std::nextafter(x, 10.0), Float50(x)), 1, 1e-12);
  }
}

std::array<std::vector<double>, 3> all_derivatives(const VectorisedMorsePairing& pairing, const double* q,
                                                   std::size_t n) {
  std::array<std::vector<double>, 3> u;
  for (auto& column : u) column.assign(n, 7777.0);
  pairing.derivatives(q, static_cast<std::ptrdiff_t>(n), u[0].data(), u[1].data(), u[2].data());
  return u;
}
bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

TEST(VectorisedMorsePairing, is_the_scalar_one_to_rounding) {
  // The exponent a (cos q - 0.7) is off by a few epsilon times a, so E = exp of it by 1e-14 relative; the derivatives
  // are sums of terms up to a^3 E^2, in double both. 1e-13 of the largest: 60 epsilon a.
  const livi::DnaParameters<double> parameters;
  const VectorisedMorsePairing pairing(parameters);
  const auto q = uniform(5, 4001, -20, 20);
  const auto u = all_derivatives(pairing, q.data(), q.size());
  std::array<double, 3> difference{}, size{};
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto scalar = pairing.derivatives(q[i]);
    const std::array<double, 3> of_scalar{scalar.first, scalar.second, scalar.third};
    for (std::size_t k = 0; k < 3; ++k) {
      difference[k] = std::max(difference[k], std::abs(u[k][i] - of_scalar[k]));
      size[k] = std::max(size[k], std::abs(of_scalar[k]));
    }
  }
  for (std::size_t k = 0; k < 3; ++k) EXPECT_LE(difference[k], 1e-13 * size[k]) << "derivative " << k + 1;
}

RC_GTEST_PROP(VectorisedMorsePairing, a_number_depends_on_its_angle_alone, ()) {
  const VectorisedMorsePairing pairing(livi::DnaParameters<double>{});
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(1, 40));
  const auto before = static_cast<std::size_t>(*rc::gen::inRange(0, 9));  // and with it the alignment
  auto q = uniform(static_cast<std::uint64_t>(*rc::gen::inRange(0, 1 << 30)), before + n, -20, 20);
  if (*rc::gen::arbitrary<bool>()) q[before + n / 2] = *rc::gen::element(1e6, -4e4, 39000.5, 1e300);
  const auto u = all_derivatives(pairing, q.data() + before, n);
  std::vector<double> first(n, 7777.0), second(n, 7777.0);
  pairing.derivatives(q.data() + before, static_cast<std::ptrdiff_t>(n), first.data(), nullptr, nullptr);
  for (std::size_t i = 0; i < n; ++i) RC_ASSERT(same(first[i], u[0][i]));
  pairing.derivatives(q.data() + before, static_cast<std::ptrdiff_t>(n), first.data(), second.data(), nullptr);
  for (std::size_t i = 0; i < n; ++i) {
    const auto alone = all_derivatives(pairing, &q[before + i], 1);
    for (std::size_t k = 0; k < 3; ++k) RC_ASSERT(same(alone[k][0], u[k][i]));
    RC_ASSERT(same(first[i], u[0][i]) && same(second[i], u[1][i]));
  }
}

TEST(VectorisedMorsePairing, writes_nothing_behind_the_end) {
  const VectorisedMorsePairing pairing(livi::DnaParameters<double>{});
  for (std::size_t n = 0; n < 20; ++n) {
    const std::vector<double> q(n, 1.0);
    std::array<std::vector<double>, 3> u;
    for (auto& column : u) column.assign(n + 16, 7777.0);
    pairing.derivatives(q.data(), static_cast<std::ptrdiff_t>(n), u[0].data(), u[1].data(), u[2].data());
    for (const auto& column : u)
      for (std::size_t i = n; i < column.size(); ++i) EXPECT_EQ(column[i], 7777.0) << n;
  }
}

TEST(VectorisedMorsePairing, goes_base_by_base_where_the_vector_functions_are_not_valid) {
  const VectorisedMorsePairing pairing(livi::DnaParameters<double>{});
  const std::vector<double> q{1.0, 39001, -1e7, 1e300, 2.0, 3.0, 4.0, 5.0, 6.0};
  const auto u = all_derivatives(pairing, q.data(), q.size());
  for (const std::size_t i : {std::size_t(1), std::size_t(2), std::size_t(3)}) {
    const auto scalar = pairing.derivatives(q[i]);
    EXPECT_TRUE(same(u[0][i], scalar.first) && same(u[1][i], scalar.second) && same(u[2][i], scalar.third)) << q[i];
  }
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const std::vector<double> angles{1.0, bad, 2.0};
    const auto v = all_derivatives(pairing, angles.data(), 3);
    for (const auto& column : v) {
      EXPECT_TRUE(std::isnan(column[1]));
      EXPECT_TRUE(std::isfinite(column[0]) && std::isfinite(column[2]));
    }
  }
}

TEST(VectorisedMorsePairing, refuses_an_exponent_out_of_range) {
  EXPECT_THROW(VectorisedMorsePairing({.a = 800, .x0 = 1}), livi::InvalidParameter);
  EXPECT_THROW(VectorisedMorsePairing({.a = -1}), livi::InvalidParameter);
  EXPECT_NO_THROW(VectorisedMorsePairing({.a = 700, .x0 = 1}));
}

TEST(VectorisedMorsePairing, gives_the_step_of_the_scalar_one) {
  // Two steps of size 2: the forces differ by 1e-13 of their size, 1/50 or so, and the positions by some times that.
  constexpr Eigen::Index n = 203;
  const auto fast = livi::vectorised_dna_chain(n);
  const auto plain = livi::dna_chain<double>(n);
  livi::ZhangSkeel of_fast(fast, {0.3});
  livi::ZhangSkeel of_plain(plain, {0.3});
  Vector<double, Dynamic> q(n);
  for (Eigen::Index i = 0; i < n; ++i) q(i) = 0.8 + 0.1 * std::sin(static_cast<double>(i * i));
  auto y = of_fast.start(q, livi::dna_start_velocity<double>(n));
  auto z = of_plain.start(y.q, y.v);
  for (int k = 0; k < 2; ++k) ASSERT_TRUE(of_fast.step(y, 2.0).ok() && of_plain.step(z, 2.0).ok());
  EXPECT_LT((y.q - z.q).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((y.v - z.v).cwiseAbs().maxCoeff(), 1e-13);
}

}  // namespace vectorised_morse_pairing_test
