// SPDX-License-Identifier: MIT
// Every claim of the registry has a verdict in some committed baseline, and no baseline decides a claim that is not
// registered.
#include <livi/report/schemas.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Judged {
  std::string experiment;
  std::string verdict;
};

class RegistryVerdicts : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path source = LIVI_SOURCE_FOLDER;
    for (const fs::path& file : livi::list_reports(source / "results" / "baseline")) {
      const json report = livi::read_report(file);  // named: a temporary would not outlive the loop's first step
      for (const json& claim : report["claims"]) {
        judged.emplace(claim["id"], Judged{file.stem().string(), claim["verdict"]});
      }
    }
    for (const json& claim : livi::read_registry(source / "reference" / "claims.json"))
      registered.emplace(claim["id"], claim);
  }

  std::multimap<std::string, Judged> judged;
  std::map<std::string, json> registered;
};

TEST_F(RegistryVerdicts, every_registered_claim_has_one) {
  for (const auto& [id, claim] : registered)
    EXPECT_TRUE(judged.contains(id)) << id << " has no verdict in any baseline";
}

TEST_F(RegistryVerdicts, each_claim_is_judged_once_by_its_experiment) {
  EXPECT_FALSE(judged.empty()) << "results/baseline has no verdicts";
  for (const auto& [id, verdict] : judged) {
    EXPECT_EQ(judged.count(id), 1U) << id;
    const auto entry = registered.find(id);
    if (entry == registered.end()) continue;
    EXPECT_EQ(verdict.experiment, entry->second["experiment"]) << id;
  }
}

TEST_F(RegistryVerdicts, every_judged_claim_is_registered) {
  for (const auto& [id, verdict] : judged) {
    EXPECT_TRUE(registered.contains(id)) << id << " (" << verdict.experiment << ") is not in reference/claims.json";
  }
}

// The README's rows are generated from the reports; a verdict that has changed since must not stay there.
TEST_F(RegistryVerdicts, are_those_of_the_readme) {
  std::ifstream readme(fs::path(LIVI_SOURCE_FOLDER) / "README.md");
  std::map<std::string, std::string> row_of;
  for (std::string line; std::getline(readme, line);)
    if (line.rfind("| `", 0) == 0) row_of[line.substr(3, line.find('`', 3) - 3)] = line;
  for (const auto& [id, verdict] : judged) {
    std::string words = verdict.verdict;
    std::ranges::replace(words, '-', ' ');
    ASSERT_TRUE(row_of.contains(id)) << id << " is not in the README";
    EXPECT_NE(row_of.at(id).find("**" + words + "**"), std::string::npos)
        << id << ": the README says " << row_of.at(id);
  }
}

// Neither is ever expected, so that no baseline may have it.
TEST_F(RegistryVerdicts, none_is_undecided_and_no_control_is_broken) {
  for (const auto& [id, verdict] : judged) {
    EXPECT_NE(verdict.verdict, "undecided") << id;
    EXPECT_NE(verdict.verdict, "broken-control") << id;
  }
}

}  // namespace
