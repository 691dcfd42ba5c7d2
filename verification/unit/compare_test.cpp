// SPDX-License-Identifier: MIT
#include <livi/report/compare.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <fstream>
#include <functional>

#include "text_of.hpp"

namespace {

using livi::ReportError;
using nlohmann::json;
namespace fs = std::filesystem;
using livi::test::text_of;

livi::Report sample(const std::string& experiment = "sample") {
  livi::Report report(experiment, {"XX00", "Figure 1", "4.1"});
  report.parameter("h", 0.1);
  report.measurement({.name = "loose", .value = 10.0, .unit = "m", .tolerance = {.absolute = 0.5, .relative = 0.01}});
  report.measurement({.name = "strict", .value = 3.0, .unit = "m", .tolerance = {}});
  report.measurement({.name = "order_of_q", .value = 2.0, .unit = "order", .tolerance = {}});
  report.measurement(
      {.name = "defect", .value = 1e-12, .unit = "", .tolerance = {.absolute = 1e-12}, .h_exponent = 5.0});
  report.count("solves", 500);
  report.claim({.id = "XX00.order",
                .source = {"XX00", "Sec. 1"},
                .statement = "the method has order two",
                .measured = 2.01,
                .interval = {1.9, 2.1},
                .reason = "the fit scatters by 0.05",
                .controls = {{.name = "first-order method", .measured = 1.02, .interval = {1.9, 2.1}}}});
  report.series("row", {{"t", "s"}}, {{0.0}, {0.1}});
  report.timing("shake", 0.25);
  return report;
}

/// The names of the differences after `change` is applied to the report of this run, separated by "; ".
std::string names_after(const std::function<void(json&)>& change) {
  const json report = json::parse(sample().json());
  const json baseline = livi::make_baseline(report, "first", "2024-01-31");
  json now = report;
  change(now);
  std::string names;
  for (const auto& difference : livi::compare_reports(now, baseline)) {
    EXPECT_EQ(difference.experiment, "sample");
    names += (names.empty() ? "" : "; ") + difference.name;
  }
  return names;
}

TEST(Compare, a_report_is_equal_to_its_baseline) {
  EXPECT_EQ(names_after([](json&) {}), "");
}

TEST(Compare, provenance_timing_series_and_wording_are_free) {
  EXPECT_EQ(names_after([](json& r) {
              r["provenance"]["cpu"] = "another";
              r["timing"]["shake"] = 1000;
              r["series"][0]["rows"] = 1;
              r["claims"][0]["statement"] = "the order is two";
              r["claims"][0]["measured"] = 2.02;
            }),
            "");
}

TEST(Compare, numbers_move_within_their_tolerance_on_both_sides) {
  // 0.5 + 0.01 * 10 = 0.6 is allowed.
  for (const double inside : {9.41, 10.59})
    EXPECT_EQ(names_after([&](json& r) { r["measurements"][0]["value"] = inside; }), "");
  for (const double outside : {9.39, 10.61}) {
    EXPECT_EQ(names_after([&](json& r) { r["measurements"][0]["value"] = outside; }), "loose");
  }
}

TEST(Compare, a_tolerance_of_zero_asks_for_the_same_bits) {
  EXPECT_EQ(names_after([](json& r) { r["measurements"][1]["value"] = 3.0000000000000004; }), "strict");
}

TEST(Compare, a_report_cannot_loosen_its_own_tolerance) {
  EXPECT_EQ(names_after([](json& r) {
              r["measurements"][0]["tolerance"]["absolute"] = 100;
              r["measurements"][0]["value"] = 20;
            }),
            "loose");
}

TEST(Compare, orders_are_held_within_a_twentieth) {
  EXPECT_EQ(names_after([](json& r) { r["measurements"][2]["value"] = 2.04; }), "");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][2]["value"] = 2.06; }), "order_of_q");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][2]["value"] = 1.94; }), "order_of_q");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][3]["h_exponent"] = 5.04; }), "");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][3]["h_exponent"] = 5.06; }), "defect (h exponent)");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][3].erase("h_exponent"); }), "defect (h exponent)");
}

TEST(Compare, verdicts_counts_and_parameters_are_exact) {
  EXPECT_EQ(names_after([](json& r) { r["claims"][0]["verdict"] = "refuted"; }), "claim XX00.order");
  EXPECT_EQ(names_after([](json& r) { r["claims"][0]["evidence"] = "argued"; }), "claim XX00.order (evidence)");
  EXPECT_EQ(names_after([](json& r) { r["counts"]["solves"] = 501; }), "count solves");
  EXPECT_EQ(names_after([](json& r) { r["parameters"]["h"] = 0.05; }), "parameter h");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][0]["unit"] = "mm"; }), "loose (unit)");
  EXPECT_EQ(names_after([](json& r) { r["source"]["item"] = "Figure 2"; }), "source item");
}

TEST(Compare, names_on_one_side_only_are_differences) {
  EXPECT_EQ(names_after([](json& r) { r["measurements"].erase(0); }), "loose");
  EXPECT_EQ(names_after([](json& r) { r["measurements"][0]["name"] = "other"; }), "loose; other");
  EXPECT_EQ(names_after([](json& r) { r["claims"].erase(0); }), "claim XX00.order");
  EXPECT_EQ(names_after([](json& r) { r["claims"][0]["controls"] = json::array(); }),
            "claim XX00.order control first-order method");
  EXPECT_EQ(names_after([](json& r) { r["counts"]["more"] = 1; }), "count more");
  EXPECT_EQ(names_after([](json& r) { r["counts"].erase("solves"); }), "count solves");
  EXPECT_EQ(names_after([](json& r) { r["parameters"]["more"] = 1; }), "parameter more");
}

TEST(Compare, the_table_shows_both_numbers_and_the_tolerance) {
  const auto table = livi::difference_table({{"sample", "loose", "10", "10.7", "0.6 (off by 0.7)"}});
  EXPECT_EQ(table,
            "experiment  name   baseline  now   tolerance\n"
            "sample      loose  10        10.7  0.6 (off by 0.7)\n");
}

class CompareFolders : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "livi_compare_test.XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr) << std::strerror(errno);
    folder = pattern;
    results = folder / "results";
    baseline = folder / "baseline";
    sample().write(results);
    livi::accept_baseline(results, baseline, "the first");
  }
  void TearDown() override { fs::remove_all(folder); }

  /// Rewrites the report of this run.
  void change(const std::function<void(json&)>& action) const {
    json report = json::parse(std::ifstream(results / "sample.json"));
    action(report);
    std::ofstream(results / "sample.json") << report.dump();
  }

  /// Exit status and all output of a command.
  static std::pair<int, std::string> run(const std::string& command) {
    FILE* pipe = popen((std::string(LIVI_BINARY_FOLDER) + "/tools/" + command + " 2>&1").c_str(), "r");
    std::string output;
    std::array<char, 4096> buffer{};
    while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
    const int status = pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
  }
  std::pair<int, std::string> compare(const std::string& options = "") const {
    return run("livi-compare " + results.string() + " " + baseline.string() + " " + options);
  }

  fs::path folder;
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
}

TEST_F(CompareFolders, folders_the_wrong_way_round_are_refused) {
  const auto [status, output] = run("livi-compare " + baseline.string() + " " + results.string());
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("is a baseline, not a report"), std::string::npos) << output;
}

TEST_F(CompareFolders, a_baseline_keeps_its_reason_and_a_short_provenance) {
  const json kept = livi::read_report(baseline / "sample.json");
  EXPECT_EQ(kept["baseline"]["reason"], "the first");
  EXPECT_EQ(kept["baseline"]["date"].get<std::string>().size(), 10U);
  for (const char* key : {"timing", "series", "figures"}) EXPECT_FALSE(kept.contains(key)) << key;
  EXPECT_EQ(kept["provenance"].size(), 4U);
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

TEST_F(CompareFolders, validate_names_the_file_and_the_place) {
  const std::string report = (results / "sample.json").string();
  const std::string registry = std::string(LIVI_SOURCE_FOLDER) + "/reference/claims.json";
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

}  // namespace
