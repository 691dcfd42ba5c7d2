// SPDX-License-Identifier: MIT
//
// livi-compare and livi-validate as they are used: tables and explanations of differences, exit statuses, files and
// folders that are not in order, and baselines that are replaced or not.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <livi/report/compare.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "verification/support/report_sample.hpp"
#include "verification/support/run_command.hpp"
#include "verification/support/temporary_folder.hpp"
#include "verification/support/text_of.hpp"

namespace compare_command_test {

using namespace livi::test;
using nlohmann::json;

namespace fs = std::filesystem;

TEST(Compare, the_table_shows_both_numbers_and_the_tolerance) {
  const auto table = livi::difference_table({{"sample", "loose", "10", "10.7", "0.6 (off by 0.7)"}});
  EXPECT_EQ(table,
            "experiment  name   baseline  now   tolerance\n"
            "sample      loose  10        10.7  0.6 (off by 0.7)\n");
}

TEST(Compare, the_table_shows_which_tolerance_a_report_has_and_had) {
  const json baseline = livi::make_baseline(sample_report(), "first", "2024-01-31");
  json now = sample_report();
  now["measurements"][0]["tolerance"]["relative"] = 0.25;
  const std::string table = livi::difference_table(livi::compare_reports(now, baseline).differences);
  EXPECT_NE(table.find("0.5 + 0.01 |value|"), std::string::npos) << table;
  EXPECT_NE(table.find("0.5 + 0.25 |value|"), std::string::npos) << table;
}

TEST(Compare, the_table_cuts_no_character_of_several_bytes) {
  std::string cut;
  for (int i = 0; i < 60; ++i) cut += "\u00e4";
  // The difference is at an odd byte, and at an even one.
  for (const std::string& begin : {cut, "a" + cut}) {
    const std::string table = livi::difference_table({{"sample", "c", begin + "x" + cut, begin + "y" + cut, "exact"}});
    EXPECT_NO_THROW(static_cast<void>(json(table).dump())) << table;
  }
}

TEST(Compare, the_table_shows_of_long_texts_what_differs) {
  const std::string begin(200, 'a'), end(200, 'z');
  const auto table =
      livi::difference_table({{"sample", "claim c (reason)", begin + " was " + end, begin + " is " + end, "exact"}});
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 160U) << line;
  EXPECT_NE(table.find("aaa was zzz"), std::string::npos) << table;
  EXPECT_NE(table.find("aaa is zzz"), std::string::npos) << table;
}

TEST(Compare, the_explanation_says_claim_by_claim_which_words_went_and_came) {
  const json& report = sample_report();
  const json baseline = livi::make_baseline(report, "first", "2024-01-31");
  json now = report;
  now["counts"]["solves"] = 501;
  now["claims"][0]["statement"] = "the method never has order three";
  now["claims"][0]["verdict"] = "refuted";
  now["claims"][0]["measured"] = 2.2;
  now["claims"][0]["interval"] = {nullptr, 2.1};
  now["claims"][0]["controls"][0]["measured"] = 1.2;
  now["claims"][1]["reason"] = "50 digits  less those of some hundred terms";
  EXPECT_EQ(livi::explanation(livi::compare_reports(now, baseline).differences),
            "sample\n"
            "  count solves: 500 -> 501\n"
            "  claim XX00.order\n"
            "    verdict: confirmed -> refuted\n"
            "    measured: 2.01 -> 2.2; allowed: the same side of [1.9, 2.1]\n"
            "    interval: [1.9, 2.1] -> at most 2.1\n"
            "    statement\n"
            "      was: the method has order [-two-]\n"
            "      now: the method {+never+} has order {+three+}\n"
            "    control first-order method, measured: 1.02 -> 1.2; allowed: 0.044 (off by 0.18)\n"
            "  claim XX00.symplectic\n"
            "    reason: white space only\n"
            "      was: \"50 digits less those of some hundred terms\"\n"
            "      now: \"50 digits  less those of some hundred terms\"\n");
}

TEST(Compare, the_explanation_marks_each_run_of_words) {
  const auto text = [](const char* was, const char* now) {
    return livi::explanation({{"sample", "claim c (note)", was, now, "its words", "c", "note"}});
  };
  EXPECT_EQ(text("a b c d e f g", "a c e g h i"),
            "sample\n  claim c\n    note\n"
            "      was: a [-b-] c [-d-] e [-f-] g\n"
            "      now: a c e g {+h i+}\n");
  EXPECT_EQ(text("x y a b", "a b c d"),
            "sample\n  claim c\n    note\n"
            "      was: [-x y-] a b\n"
            "      now: a b {+c d+}\n");
  // Three words are read at one glance.
  EXPECT_EQ(text("a b c", "a b c d e"), "sample\n  claim c\n    note: a b c -> a b c d e\n");
}

TEST(Compare, the_explanation_breaks_long_texts_into_lines) {
  std::string was;
  for (int i = 0; i < 200; ++i) was += "word" + std::to_string(i) + " ";
  std::string now = was;
  now.replace(now.find("word150"), 7, "another");
  const std::string text = livi::explanation({{"sample", "claim c (note)", was, now, "its words", "c", "note"}});
  EXPECT_NE(text.find("[-word150-] word151"), std::string::npos) << text;
  EXPECT_NE(text.find("word149 {+another+} word151"), std::string::npos) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110U) << line;
}

TEST(Compare, the_explanation_tells_what_a_claim_on_one_side_says) {
  const json& report = sample_report();
  json now = report;
  now["claims"].erase(0);
  EXPECT_EQ(
      livi::explanation(livi::compare_reports(now, livi::make_baseline(report, "first", "2024-01-31")).differences),
      "sample\n"
      "  claim XX00.order: present (confirmed: the method has order two) -> missing\n");
}

class CompareFolders : public InFolder {
 protected:
  void SetUp() override {
    results = folder / "results";
    baseline = folder / "baseline";
    sample().write(results);
    livi::accept_baseline(results, baseline, "the first");
  }

  /// Rewrites the report of this run.
  void change(const std::function<void(json&)>& action) const {
    json report = json::parse(std::ifstream(results / "sample.json"));
    action(report);
    std::ofstream(results / "sample.json") << report.dump();
  }

  static std::pair<int, std::string> run(const std::string& command) {
    return run_command(std::string(LIVI_BINARY_FOLDER) + "/tools/" + command);
  }
  std::pair<int, std::string> compare(const std::string& options = "") const {
    return run("livi-compare " + results.string() + " " + baseline.string() + " " + options);
  }

  fs::path results;
  fs::path baseline;
};

TEST_F(CompareFolders, the_command_says_same_different_or_broken) {
  EXPECT_EQ(compare().first, 0) << compare().second;
  change([](json& r) { r["measurements"][0]["value"] = 10.7; });
  const auto [status, output] = compare();
  EXPECT_EQ(status, 1);
  for (const char* part : {"loose", "10", "10.7", "0.6"}) EXPECT_NE(output.find(part), std::string::npos) << output;
  std::ofstream(results / "sample.json") << "{";
  EXPECT_EQ(compare().first, 2);
  EXPECT_NE(compare().second.find((results / "sample.json").string()), std::string::npos);
}

TEST_F(CompareFolders, a_corrupted_baseline_is_named) {
  std::ofstream(baseline / "sample.json") << text_of(results / "sample.json").substr(0, 100);
  const auto [status, output] = compare();
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find((baseline / "sample.json").string() + ": is not JSON"), std::string::npos) << output;
}

TEST_F(CompareFolders, every_corrupted_file_is_named) {
  std::ofstream(baseline / "sample.json") << "";
  std::ofstream(results / "sample.json") << "[1,";
  const auto [status, output] = compare();
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find((baseline / "sample.json").string()), std::string::npos) << output;
  EXPECT_NE(output.find((results / "sample.json").string()), std::string::npos) << output;
}

TEST_F(CompareFolders, a_forged_verdict_is_refused) {
  change([](json& r) { r["claims"][0]["measured"] = 5; });
  const auto [status, output] = compare();
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("/claims/0/verdict"), std::string::npos) << output;
}

TEST_F(CompareFolders, missing_and_new_reports_are_differences) {
  sample("another").write(results);
  EXPECT_EQ(compare().first, 1);
  EXPECT_NE(compare().second.find("another"), std::string::npos);
  EXPECT_NE(compare().second.find("present (2 claims)"), std::string::npos) << compare().second;
  livi::Report single("single", {"XX00", "Figure 2", ""});
  single.claim({.id = "XX00.single",
                .source = {"XX00", "Sec. 3"},
                .anchor = "words of its sentence",
                .headline = "method",
                .statement = "one is one",
                .measured = 1,
                .interval = {1, 1},
                .reason = "counted"});
  single.write(results);
  EXPECT_NE(compare().second.find("present (1 claim)"), std::string::npos) << compare().second;
  fs::remove(results / "single.json");
  EXPECT_EQ(compare("--only sample").first, 0);
  fs::remove(results / "another.json");
  fs::remove(results / "sample.json");
  EXPECT_EQ(compare().first, 1);
  EXPECT_EQ(compare("--only sample").first, 1);
}

TEST_F(CompareFolders, comparing_nothing_is_no_success) {
  EXPECT_EQ(compare("--only nobody").first, 2);
  EXPECT_NE(compare("--only nobody").second.find("'nobody'"), std::string::npos);
  fs::create_directory(folder / "empty");
  EXPECT_EQ(run("livi-compare " + (folder / "empty").string() + " " + (folder / "empty").string()).first, 2);
  EXPECT_EQ(run("livi-compare " + (folder / "absent").string() + " " + baseline.string()).first, 2);
  EXPECT_EQ(run("livi-compare").first, 2);
  EXPECT_EQ(compare("--frobnicate").first, 2);
  EXPECT_EQ(run("livi-compare --help").first, 0);
  EXPECT_EQ(run("livi-compare --version").first, 0);
}

TEST_F(CompareFolders, folders_the_wrong_way_round_are_refused) {
  const auto [status, output] = run("livi-compare " + baseline.string() + " " + results.string());
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("is a baseline, not a report"), std::string::npos) << output;
  EXPECT_EQ(run("livi-compare --explain " + baseline.string() + " " + results.string()).first, 2);
  EXPECT_EQ(run("livi-compare " + baseline.string() + " " + baseline.string()).first, 2)
      << "a baseline beside itself is no comparison of a run";
}

TEST_F(CompareFolders, two_baselines_are_explained) {
  fs::copy(baseline, folder / "older");
  EXPECT_EQ(run("livi-compare --explain " + baseline.string() + " " + (folder / "older").string()).first, 0);
  change([](json& r) { r["claims"][0]["statement"] = "the method has order three"; });
  ASSERT_EQ(compare("--accept 'another order'").first, 0);
  const auto [status, output] = run("livi-compare --explain " + baseline.string() + " " + (folder / "older").string());
  EXPECT_EQ(status, 1);
  EXPECT_NE(output.find("order [-two-]"), std::string::npos) << output;
  EXPECT_NE(output.find("order {+three+}"), std::string::npos) << output;
}

TEST_F(CompareFolders, explain_replaces_the_table) {
  change([](json& r) { r["claims"][0]["reason"] = "the fit scatters by 0.06"; });
  const auto [status, output] = compare("--explain");
  EXPECT_EQ(status, 1);
  EXPECT_NE(output.find("  claim XX00.order\n    reason\n"), std::string::npos) << output;
  EXPECT_NE(output.find("1 difference\n"), std::string::npos) << output;
  change([](json& r) {
    r["claims"][0]["reason"] = "the fit scatters by 0.05";
    r["claims"][0]["measured"] = 2.011;
  });
  EXPECT_EQ(compare("--explain").first, 0);
  EXPECT_NE(compare().second.find(": no difference; 1 number moved within tolerance"), std::string::npos)
      << compare().second;
}

TEST_F(CompareFolders, accepting_prints_what_changed_before_it_is_written) {
  change([](json& r) { r["claims"][0]["statement"] = "the method has order three"; });
  const auto [status, output] = compare("--accept 'another order'");
  EXPECT_EQ(status, 0) << output;
  EXPECT_LT(output.find("order {+three+}"), output.find("replaced ")) << output;
  change([](json& r) { r["claims"][0]["statement"] = "the method has order four"; });
  fs::permissions(baseline / "sample.json", fs::perms{0444});
  const auto [refused, words] = compare("--accept ' '");
  EXPECT_EQ(refused, 2);
  EXPECT_NE(words.find("order {+four+}"), std::string::npos) << "said even where nothing is written: " << words;
}

TEST_F(CompareFolders, a_baseline_without_seeds_is_replaced) {
  json old = json::parse(text_of(baseline / "sample.json"));
  old["provenance"].erase("seeds");
  std::ofstream(baseline / "sample.json") << old.dump(2);
  const auto [status, output] = compare();
  EXPECT_EQ(status, 1);
  EXPECT_NE(output.find("seeds"), std::string::npos) << output;
  EXPECT_NE(compare("--accept 'with its seeds'").second.find("replaced "), std::string::npos);
  EXPECT_EQ(compare().first, 0);
}

TEST_F(CompareFolders, a_baseline_keeps_its_reason_and_a_short_provenance) {
  const json kept = livi::read_report(baseline / "sample.json");
  EXPECT_EQ(kept["baseline"]["reason"], "the first");
  EXPECT_EQ(kept["baseline"]["date"].get<std::string>().size(), 10U);
  for (const char* key : {"timing", "series", "figures"}) EXPECT_FALSE(kept.contains(key)) << key;
  EXPECT_EQ(kept["provenance"].size(), 5U);
  EXPECT_EQ(kept["provenance"]["seeds"], json({{"states", 20140825}}));
}

TEST_F(CompareFolders, accepting_replaces_what_changed_and_nothing_else) {
  sample("another").write(results);
  change([](json& r) { r["counts"]["solves"] = 501; });
  EXPECT_EQ(compare("--only another --accept 'a second experiment'").first, 0);
  EXPECT_EQ(json::parse(text_of(baseline / "sample.json"))["counts"]["solves"], 500);
  const std::string another = text_of(baseline / "another.json");
  const auto [status, output] = compare("--accept 'one solve more at the start'");
  EXPECT_EQ(status, 0) << output;
  EXPECT_EQ(json::parse(text_of(baseline / "sample.json"))["counts"]["solves"], 501);
  EXPECT_EQ(json::parse(text_of(baseline / "sample.json"))["baseline"]["reason"], "one solve more at the start");
  EXPECT_EQ(text_of(baseline / "another.json"), another) << "an unchanged baseline keeps its reason";
  EXPECT_EQ(compare().first, 0);
  fs::remove(results / "another.json");
  EXPECT_EQ(compare("--accept 'the second experiment is gone'").first, 0);
  EXPECT_FALSE(fs::exists(baseline / "another.json"));
}

TEST_F(CompareFolders, no_reason_no_new_baseline) {
  const std::string before = text_of(baseline / "sample.json");
  change([](json& r) { r["counts"]["solves"] = 501; });
  for (const char* reason : {"''", "' '"}) EXPECT_EQ(compare(std::string("--accept ") + reason).first, 2) << reason;
  EXPECT_EQ(compare("--accept").first, 2);
  EXPECT_EQ(text_of(baseline / "sample.json"), before);
}

TEST_F(CompareFolders, a_broken_control_cannot_be_accepted) {
  const std::string before = text_of(baseline / "sample.json");
  change([](json& r) {
    r["claims"][0]["controls"][0]["measured"] = 2.0;
    r["claims"][0]["controls"][0]["failed"] = false;
    r["claims"][0]["verdict"] = "broken-control";
  });
  EXPECT_EQ(compare().first, 1);
  const auto [status, output] = compare("--accept 'it is only a control'");
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("XX00.order"), std::string::npos) << output;
  EXPECT_EQ(text_of(baseline / "sample.json"), before);
}

TEST_F(CompareFolders, an_undecided_claim_cannot_be_accepted) {
  const std::string before = text_of(baseline / "sample.json");
  change([](json& r) {
    r["claims"][0]["verdict"] = "undecided";
    r["claims"][0]["measured"] = nullptr;
    r["claims"][0]["note"] = "the run ended early";
  });
  EXPECT_EQ(compare().first, 1);
  const auto [status, output] = compare("--accept 'it will do'");
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("claim 'XX00.order' is undecided"), std::string::npos) << output;
  EXPECT_EQ(text_of(baseline / "sample.json"), before);
}

TEST_F(CompareFolders, an_undecided_claim_that_the_registry_expects_is_accepted) {
  const fs::path registry = folder / "claims";
  fs::create_directories(registry);
  json whole = livi::read_json(std::string(LIVI_SOURCE_FOLDER) + "/reference/claims/TO14.json");
  const std::string headline = whole["headlines"][0]["key"];
  whole["document"] = "XX00";
  whole.erase("phrases");
  whole["headlines"] = {{{"key", headline},
                         {"question", "Is it so?"},
                         {"deciding", {"XX00.order"}},
                         {"answer", "It is open."},
                         {"advice", "Wait."}}};
  whole["claims"] = {{{"id", "XX00.order"},
                      {"place", "1"},
                      {"origin", "statement"},
                      {"anchor", "words of its sentence"},
                      {"headline", headline},
                      {"statement", "the order is two"},
                      {"how", "seen"},
                      {"reason", "it is"},
                      {"verdict", "undecided"},
                      {"experiment", "sample"}}};
  std::ofstream(registry / "XX00.json") << whole.dump();
  change([](json& r) {
    r["claims"][0]["verdict"] = "undecided";
    r["claims"][0]["measured"] = nullptr;
    r["claims"][0]["note"] = "the run ended early";
  });
  EXPECT_EQ(compare("--accept 'it is open' --registry '" + (folder / "absent").string() + "'").first, 2);
  const auto [status, output] = compare("--accept 'it is open' --registry '" + registry.string() + "'");
  EXPECT_EQ(status, 0) << output;
  // Validation compares the texts where there is a registry.
  const std::string report = (results / "sample.json").string();
  EXPECT_EQ(run("livi-validate " + report).first, 0);
  const auto [refused, words] = run("livi-validate --registry '" + registry.string() + "' " + report);
  EXPECT_EQ(refused, 2);
  EXPECT_NE(words.find("registry"), std::string::npos) << words;
}

TEST_F(CompareFolders, validate_names_the_file_and_the_place) {
  const std::string report = (results / "sample.json").string();
  const std::string registry = std::string(LIVI_SOURCE_FOLDER) + "/reference/claims/TO14.json";
  const auto [good, listed] =
      run("livi-validate " + report + " " + (baseline / "sample.json").string() + " " + registry);
  EXPECT_EQ(good, 0) << listed;
  EXPECT_NE(listed.find(report + ": valid report"), std::string::npos) << listed;
  change([](json& r) { r["counts"]["solves"] = "many"; });
  const auto [bad, output] = run("livi-validate " + report + " " + registry);
  EXPECT_EQ(bad, 2);
  EXPECT_NE(output.find(report + ": /counts/solves: "), std::string::npos) << output;
  EXPECT_EQ(output.find(report + ": valid"), std::string::npos) << output;
  EXPECT_NE(output.find(registry + ": valid registry"), std::string::npos)
      << "the other files are checked, too: " << output;
}

TEST_F(CompareFolders, validate_looks_at_the_series_beside_a_report) {
  std::ofstream(results / "sample.row.csv") << "t\n0\n";
  EXPECT_EQ(run("livi-validate " + (results / "sample.json").string()).first, 2);
  EXPECT_EQ(run("livi-validate").first, 2);
  EXPECT_EQ(run("livi-validate " + (folder / "absent.json").string()).first, 2);
}

TEST_F(CompareFolders, commands_work_from_any_folder) {
  const auto [status, output] = [&] {
    const fs::path here = fs::current_path();
    fs::current_path("/");
    auto result = compare();
    fs::current_path(here);
    return result;
  }();
  EXPECT_EQ(status, 0) << output;
}

}  // namespace compare_command_test
