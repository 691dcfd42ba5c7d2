// SPDX-License-Identifier: MIT
//
// The main program of tests of the battery: GoogleTest's, and --seed, with which everything that the judge draws is
// drawn.
#include <gtest/gtest.h>

#include "study/program/command_line.hpp"

#include <cstdint>
#include <filesystem>
#include <livi/diagnostics/seed.hpp>

int main(int argc, char** argv) {
  using namespace livi;
  testing::InitGoogleTest(&argc, argv);
  CommandLine application("Tests of methods by the battery (GoogleTest; --gtest_list_tests shows them)",
                          std::filesystem::path(argv[0]).filename().string());
  std::uint64_t seed = judge_seed();
  application.add_seed(seed, "seed of problems, points, steps and primes; verdicts must not depend on it");
  return application.run(argc, argv, [&] {
    set_judge_seed(seed);
    return RUN_ALL_TESTS();
  });
}
