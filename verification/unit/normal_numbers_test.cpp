// SPDX-License-Identifier: MIT
// Unit tests: normal numbers as a function of seed and index; cases over threads.
#include "experiments/normal_numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "experiments/parallel.hpp"

namespace livi {
namespace {

TEST(NormalNumbers, are_a_function_of_seed_stream_and_index) {
  const auto many = normal_numbers(7, 203), few = normal_numbers(7, 10);
  EXPECT_EQ(many.head(10), few);
  EXPECT_NE(normal_numbers(8, 10), few);
  EXPECT_NE(normal_numbers(7, 10, 1), few);
  EXPECT_EQ(normal_numbers(7, 0).size(), 0);
}

TEST(NormalNumbers, are_standard_normal) {
  // Of n numbers: five standard errors of each moment.
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

}  // namespace
}  // namespace livi
