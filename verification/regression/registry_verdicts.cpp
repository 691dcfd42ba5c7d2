// SPDX-License-Identifier: MIT
// Every claim of the registry has a verdict in some committed baseline, and no baseline decides a claim that is not
// registered.
#include <livi/report/registry.hpp>
#include <livi/report/report.hpp>
#include <livi/report/row_rules.hpp>
#include <livi/report/schemas.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "study/pages/row_text.hpp"

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// The tree that is looked at. Another one is that of LIVI_TREE.
const fs::path source = std::getenv("LIVI_TREE") != nullptr ? std::getenv("LIVI_TREE") : LIVI_SOURCE_FOLDER;

struct Judged {
  std::string experiment;
  std::string verdict;
};

class RegistryVerdicts : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    for (const fs::path& file : livi::list_reports(source / "results" / "baseline")) {
      const json report = livi::read_report(file);  // named: a temporary would not outlive the loop's first step
      for (const json& claim : report["claims"]) {
        judged.emplace(claim["id"], Judged{file.stem().string(), claim["verdict"]});
      }
    }
    for (const json& claim : livi::registered_claims(source / "reference" / "claims"))
      registered.emplace(claim["id"], claim);
    livi::use_registry(source / "reference" / "claims");
  }

  inline static std::multimap<std::string, Judged> judged;
  inline static std::map<std::string, json> registered;
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
    EXPECT_TRUE(registered.contains(id)) << id << " (" << verdict.experiment << ") is not in reference/claims";
  }
}

// A registry that was changed without its baselines, and so without the pages that are made of them, is noticed.
TEST_F(RegistryVerdicts, have_the_texts_of_the_registry) {
  const fs::path folder = source / "results" / "baseline";
  json changed;
  for (const fs::path& file : livi::list_reports(folder)) {
    const json report = livi::read_report(file);
    EXPECT_NO_THROW(livi::check_registered_texts(report, file.string()));
    if (changed.is_null() && !report.at("claims").empty() && registered.contains(report.at("claims")[0].at("id")))
      changed = report;
  }
  ASSERT_FALSE(changed.is_null());
  changed["claims"][0]["statement"] = "the opposite";
  EXPECT_THROW(livi::check_registered_texts(changed, "changed"), livi::ReportError);
}

// What a referee should find today stands in the registry; a baseline that finds otherwise is not accepted in silence.
TEST_F(RegistryVerdicts, are_those_that_are_expected) {
  for (const auto& [id, verdict] : judged) {
    const auto entry = registered.find(id);
    if (entry != registered.end()) {
      EXPECT_EQ(verdict.verdict, entry->second["verdict"]) << id;
    }
    EXPECT_NE(verdict.verdict, "broken-control") << id;
  }
}

// Each row has controls that can fail, and no row repeats another.
TEST_F(RegistryVerdicts, keep_the_rules_of_rows) {
  std::vector<json> reports;
  for (const fs::path& file : livi::list_reports(source / "results" / "baseline"))
    reports.push_back(livi::read_report(file));
  std::string problems;
  for (const std::string& problem : livi::row_problems(reports)) problems += problem + "\n";
  EXPECT_EQ(problems, "");
}

// Each row is a sentence that a reader takes in at once.
TEST_F(RegistryVerdicts, have_short_sentences) {
  std::string problems;
  for (const std::string& problem : livi::row_text_problems(livi::read_findings(
           source / "results" / "baseline", source / "reference" / "claims", livi::Kind::baselines)))
    problems += problem + "\n";
  EXPECT_EQ(problems, "");
}

// The row that settles a former claim names it; none is both.
TEST_F(RegistryVerdicts, former_claims_are_settled_by_one_that_there_is) {
  std::map<std::string, std::string> settled_by;
  for (const auto& [id, claim] : registered)
    for (const json& former : claim.value("answers", json::array())) {
      EXPECT_FALSE(registered.contains(former)) << former << " is a claim, and settled by " << id;
      EXPECT_TRUE(settled_by.emplace(former, id).second) << former << " is settled twice";
    }
  EXPECT_FALSE(settled_by.empty());
}

}  // namespace
