// SPDX-License-Identifier: MIT
//
// livi-water-minima, run as a user runs it: what it refuses, and that it finds the least energy of two molecules.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <livi/report/water_starts.hpp>
#include <livi/systems/water_cluster.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "verification/support/temporary_folder.hpp"
#include "verification/support/text_of.hpp"

namespace water_minima_test {

namespace fs = std::filesystem;
using livi::test::text_of;

class WaterMinima : public livi::test::InFolder {
 protected:
  void SetUp() override { fs::create_directory(folder / "work"); }

  /// Exit status and error stream of the program with these arguments, in the folder work.
  std::pair<int, std::string> run(const std::string& arguments) {
    const std::string command = "cd '" + (folder / "work").string() +
                                "' && '" LIVI_BINARY_FOLDER "/tools/livi-water-minima' --threads 1 --out two " +
                                arguments + " > ../out 2> ../error";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder / "error")};
  }
};

TEST_F(WaterMinima, refuses_numbers_that_are_none_or_out_of_bounds) {
  for (const auto& [arguments, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"--seed -1", "--seed = -1: must be from 0 to 9007199254740992"},
           {"--seed 99999999999999999999", "--seed = 99999999999999999999: must be from 0 to 9007199254740992"},
           {"--molecules 1", "--molecules = 1: must be from 2 to 1000"},
           {"--molecules 0x2", "--molecules = '0x2': must be a whole number"},
           {"--runs 0", "--runs = 0: must be from 1 to 10000"},
           {"--hops 1e3", "--hops = '1e3': must be a whole number"},
           {"--keep ''", "--keep = '': must be a whole number"},
           {"--temperature nan", "--temperature = nan: must be from 1e-6 to 1e6"},
           {"--temperature 0", "--temperature = 0: must be from 1e-6 to 1e6"}}) {
    // Those that the program believes are to end soon.
    const std::string small = std::string(arguments).find("--molecules") == 0 ? "" : "--molecules 2 ";
    const auto [status, error] = run(small + arguments);
    EXPECT_EQ(status, 2) << arguments;
    EXPECT_EQ(error, "livi-water-minima: " + std::string(message) + "\n");
    EXPECT_TRUE(fs::is_empty(folder / "work")) << arguments;
  }
}

TEST_F(WaterMinima, finds_the_dimer) {
  // Decimal, whatever zeros it begins with.
  const auto [status, error] = run("--molecules 2 --seed 08 --runs 2 --hops 010 --keep 1");
  ASSERT_EQ(status, 0) << error;
  const livi::WaterFrame found = livi::read_xyz(folder / "work" / "two-1.xyz").back();
  EXPECT_EQ(found.molecules(), 2);
  EXPECT_NE(text_of(folder / "work" / "two-1.xyz").find("--seed 8 --runs 2 --hops 10 "), std::string::npos);
  EXPECT_NE(text_of(folder / "work" / "two-1.xyz").find("energy=-6.53994149548459"), std::string::npos);
  // The centre of mass is the origin.
  const auto masses = livi::water_masses<double>(2, livi::tip3p<double>());
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    double sum = 0;
    for (Eigen::Index i = axis; i < found.q.size(); i += 3) sum += masses.diagonal(i) * found.q(i);
    EXPECT_NEAR(sum, 0, 1e-12) << "an atomic mass times the rounding of some Angstrom";
  }
}

/// With one seed for all, what one run finds all would find. The lowest tetramer of these two is one's alone.
TEST_F(WaterMinima, runs_search_differently) {
  const auto [status, error] = run("--molecules 4 --seed 1 --runs 2 --hops 3 --keep 6");
  ASSERT_EQ(status, 0) << error;
  EXPECT_NE(text_of(folder / "work" / "two-1.xyz").find("found by 1 of the runs"), std::string::npos)
      << text_of(folder / "work" / "two-1.xyz");
}

/// One evaluation is no way down: every hop of every run ends without a minimum.
TEST_F(WaterMinima, says_when_no_minimum_was_found) {
  const auto [status, error] = run("--molecules 3 --runs 2 --hops 4 --evaluations 1");
  EXPECT_EQ(status, 2);
  EXPECT_EQ(error,
            "livi-water-minima: no minimum was found; none of the 4 hops of 2 runs arrived at one: try more --hops or "
            "another --seed\n");
  EXPECT_TRUE(fs::is_empty(folder / "work"));
}

}  // namespace water_minima_test
