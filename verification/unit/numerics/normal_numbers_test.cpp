// SPDX-License-Identifier: MIT
// Unit tests: normal numbers as a function of seed and index, plain and vectorised; cases over threads.
#include <gtest/gtest.h>

#include <hwy/targets.h>
#include <cmath>
#include <livi/linalg/vectorised_normal_numbers.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <stdexcept>
#include <vector>

#include "study/program/parallel.hpp"

namespace livi {

namespace normal_numbers_test {

TEST(NormalNumbers, are_a_function_of_seed_stream_and_index) {
  const auto many = normal_numbers(7, 203), few = normal_numbers(7, 10);
  EXPECT_EQ(many.head(10), few);
  // However many are asked for, they are the first, and nothing is written beyond them.
  for (int n = 0; n < 10; ++n) {
    Vector<double, Dynamic> some = Vector<double, Dynamic>::Constant(10, 100);
    NormalNumbers(7)(0, 0, some.data(), n);
    EXPECT_EQ(some.head(n), few.head(n)) << n;
    EXPECT_EQ(some.tail(10 - n), (Vector<double, Dynamic>::Constant(10 - n, 100))) << n;
  }
  EXPECT_NE(normal_numbers(8, 10), few);
  EXPECT_NE(normal_numbers(7, 10, 1), few);
  EXPECT_EQ(normal_numbers(7, 0).size(), 0);
  // A stream of one seed is none of its neighbour: programs count both on by one.
  EXPECT_NE(normal_numbers(7, 10, 1), normal_numbers(8, 10, 0));
  EXPECT_NE(normal_numbers(7, 10, 2), normal_numbers(8, 10, 1));
  EXPECT_NE(normal_numbers(1, 10, 0), normal_numbers(0, 10, 1));
}

TEST(NormalNumbers, are_standard_normal) {
  // Bounds are five standard errors of each moment of n numbers.
  const double n = 400000;
  double sum = 0, square = 0, fourth = 0, beside = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const auto xi = normal_numbers(seed, 200);
    sum += xi.sum();
    square += xi.squaredNorm();
    fourth += xi.array().pow(4).sum();
    beside += xi.head(199).dot(xi.tail(199));
  }
  EXPECT_NEAR(sum / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(square / n, 1, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(fourth / n, 3, 5 * std::sqrt(96 / n));
  EXPECT_NEAR(beside / n, 0, 5 / std::sqrt(n));
}

TEST(NormalNumbers, of_steps_and_draws_are_others) {
  const NormalNumbers normals(7);
  const auto of = [&](std::uint64_t step, std::uint64_t draw) {
    std::vector<double> xi(10);
    normals(step, draw, xi.data(), 10);
    return xi;
  };
  const auto first = of(0, 0);
  const auto plain = normal_numbers(7, 10);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(first[i], plain(static_cast<Eigen::Index>(i)));
  EXPECT_EQ(of(3, 1), of(3, 1));
  EXPECT_NE(of(1, 0), first);
  EXPECT_NE(of(0, 1), first);
  EXPECT_NE(of(1, 0), of(0, 1));
}

/// Calls check() with each instruction set that Highway has compiled and this processor has.
template <class Check>
void with_each_instruction_set(const Check& check) {
  for (auto rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    hwy::SetSupportedTargetsForTest(rest & -rest);
    hwy::GetChosenTarget().DeInit();
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

TEST(VectorisedNormalNumbers, are_the_plain_ones_to_rounding) {
  // Numbers up to 7 and a few units in the last place of sin, cos and log: 1e-14; and what is written for an index is
  // the same bit for bit however many are asked for, odd ends included.
  with_each_instruction_set([] {
    const NormalNumbers plain(11, 5);
    const VectorisedNormalNumbers vectorised(11, 5);
    constexpr std::ptrdiff_t most = 700;
    std::vector<double> expected(most), all(most), some(most + 20);
    plain(3, 2, expected.data(), most);
    vectorised(3, 2, all.data(), most);
    for (std::size_t i = 0; i < most; ++i) ASSERT_NEAR(all[i], expected[i], 1e-13) << i;
    for (const std::ptrdiff_t n : {0, 1, 2, 3, 5, 8, 15, 17, 63, 255, 256, 257, 259, 513, 699}) {
      some.assign(some.size(), 7777.0);
      vectorised(3, 2, some.data(), n);
      for (std::size_t i = 0; i < some.size(); ++i)
        ASSERT_EQ(some[i], i < static_cast<std::size_t>(n) ? all[i] : 7777.0) << n << " " << i;
    }
  });
}

TEST(VectorisedNormalNumbers, are_exact_at_the_ends_of_the_random_bits) {
  // Against 50 digits of Box and Muller with the bits as numbers, at the largest and smallest radius and angle: where
  // the smallest radius comes from a number beside 1, whose rounding is all there is to its logarithm.
  const std::vector<std::uint64_t> extremes{
      0, 1, 2, 1000, 0x7fffffff, 0x100000000, 1ULL << 63, (1ULL << 63) - 1, ~0ULL - 5000, ~0ULL - 1, ~0ULL};
  const Float50 pi = 4 * atan(Float50(1));
  with_each_instruction_set([&] {
    for (const std::uint64_t angle : extremes)
      for (const std::uint64_t radius : extremes) {
        std::array<double, 2> both{};
        vectorised_box_muller(&angle, &radius, 2, both.data());
        const double turn = static_cast<double>(static_cast<std::int64_t>(angle)) * 0x1p-63 + 0x1p-64,
                     uniform = static_cast<double>(radius) * 0x1p-64 + 0x1p-65;
        const Float50 size = sqrt(-2 * log(Float50(uniform)));
        EXPECT_NEAR(both[0], (size * sin(pi * Float50(turn))).convert_to<double>(), 1e-13) << angle << " " << radius;
        EXPECT_NEAR(both[1], (size * cos(pi * Float50(turn))).convert_to<double>(), 1e-13) << angle << " " << radius;
      }
  });
}

TEST(Cases, do_not_depend_on_the_number_of_threads) {
  const auto of_case = [](std::size_t i) { return normal_numbers(i + 1, 50).sum(); };
  const auto one = for_each_case(37, 1, of_case);
  for (const unsigned threads : {2U, 5U, 64U}) EXPECT_EQ(for_each_case(37, threads, of_case), one);
  EXPECT_TRUE(for_each_case(0, 3, of_case).empty());
}

TEST(Cases, throw_what_a_case_throws) {
  for (const unsigned threads : {1U, 4U})
    EXPECT_THROW(for_each_case(20, threads,
                               [](std::size_t i) {
                                 if (i == 11) throw std::runtime_error("case 11");
                                 return i;
                               }),
                 std::runtime_error);
}

}  // namespace normal_numbers_test
}  // namespace livi
