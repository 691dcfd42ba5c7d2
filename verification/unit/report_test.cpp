// SPDX-License-Identifier: MIT
#include <livi/report/atomic_files.hpp>
#include <livi/report/provenance.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <random>

#include "text_of.hpp"

namespace {

using livi::Report;
using livi::ReportError;
using livi::Verdict;
using nlohmann::json;
namespace fs = std::filesystem;
using livi::test::text_of;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// An empty folder of its own for each test, removed afterwards.
class ReportFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "livi_report_test.XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr) << std::strerror(errno);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  fs::path folder;
};

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

livi::Claim good_claim() {
  return {.id = "XX00.order",
          .source = {"XX00", "Sec. 1"},
          .anchor = "words of its sentence",
          .headline = "method",
          .statement = "the method has order two",
          .hypothesis = "V in C^3",
          .how = "fit over four steps",
          .measured = 2.01,
          .interval = {1.9, 2.1},
          .reason = "the fit scatters by 0.05",
          .controls = {{.name = "first-order method", .measured = 1.02, .interval = {1.9, 2.1}}},
          .note = "also with a full mass"};
}

Report good_report(const std::string& experiment = "sample") {
  Report report(experiment, {"XX00", "Figure 1", "4.1"});
  report.parameter("h", 0.1);
  report.parameter("steps", 500);
  report.parameter("method", "shake");
  report.parameter("full", true);
  report.parameter("masses", std::vector<double>{1.0, 4.0});
  report.measurement({.name = "max_error", .value = 0.1, .unit = "m", .tolerance = {.relative = 1e-6}});
  report.count("solves", 500U);
  report.claim(good_claim());
  report.series("row", {{"t", "s"}, {"x2", "m"}}, {{0.0, 1.0}, {0.1, 0.3}});
  report.figure({"sample.svg", "A sample."});
  report.seed("noise", 18446744073709551615U);
  report.timing("shake", 0.25);
  return report;
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const ReportError& error) {
    return error.what();
  }
  return "";
}

/// Runs `action` in a process of its own, so that limits set there end with it; true if it returned true.
bool in_another_process(const std::function<bool()>& action) {
  const pid_t child = fork();
  if (child == 0) _exit(action() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(ReportFiles, writes_what_it_was_told_and_reads_it_back) {
  const fs::path path = good_report().write(folder / "made" / "here");
  EXPECT_EQ(path, folder / "made" / "here" / "sample.json");
  const json report = livi::read_report(path);
  EXPECT_EQ(report["schema"], "livi.report/1");
  EXPECT_EQ(report["source"]["item"], "Figure 1");
  EXPECT_EQ(report["parameters"]["h"], 0.1);
  EXPECT_EQ(report["parameters"]["steps"], 500);
  EXPECT_TRUE(report["parameters"]["steps"].is_number_integer());
  EXPECT_EQ(report["parameters"]["full"], true);
  EXPECT_EQ(report["parameters"]["method"], "shake");
  EXPECT_EQ(report["parameters"]["masses"], json({1.0, 4.0}));
  EXPECT_EQ(report["measurements"][0]["tolerance"]["relative"], 1e-6);
  EXPECT_EQ(report["counts"]["solves"], 500);
  EXPECT_EQ(report["claims"][0]["verdict"], "confirmed");
  EXPECT_EQ(report["claims"][0]["evidence"], "measured");
  EXPECT_EQ(report["claims"][0]["note"], "also with a full mass");
  EXPECT_EQ(report["claims"][0]["controls"][0]["failed"], true);
  EXPECT_EQ(report["figures"][0]["file"], "sample.svg");
  EXPECT_EQ(report["timing"]["shake"], 0.25);
  EXPECT_TRUE(report["timing"].contains("whole_run"));
  EXPECT_EQ(report["provenance"]["seeds"]["noise"], 18446744073709551615U);
  EXPECT_EQ(text_of(folder / "made/here/sample.row.csv"), "t,x2\n0,1\n0.1,0.3\n");
  EXPECT_NO_THROW(livi::check_series(report, path));
}

TEST_F(ReportFiles, keys_are_sorted) {
  const json report = json::parse(text_of(good_report().write(folder)));
  // nlohmann::ordered_json keeps the order of the file, so equal texts mean that the file's keys were sorted.
  EXPECT_EQ(report.dump(2) + "\n", nlohmann::ordered_json::parse(text_of(folder / "sample.json")).dump(2) + "\n");
}

TEST_F(ReportFiles, doubles_round_trip_exactly) {
  std::vector<double> values{
      0.1, 1.0 / 3, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, -0.0, 1e22, 123456789012345678.0};
  std::mt19937_64 generator(20240131);
  while (values.size() < 2000) {
    const std::uint64_t bits = generator();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) values.push_back(value);
  }
  Report report("sample", {"XX00", "Figure 1", ""});
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < values.size(); ++i) {
    report.measurement({.name = "m" + std::to_string(i), .value = values[i], .unit = "", .tolerance = {}});
    rows.push_back({values[i]});
  }
  report.series("s", {{"x", ""}}, rows);
  const json read = livi::read_report(report.write(folder));
  std::ifstream csv(folder / "sample.s.csv");
  std::string line;
  std::getline(csv, line);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = read["measurements"][i]["value"];
    EXPECT_EQ(std::memcmp(&value, &values[i], sizeof value), 0) << values[i];
    std::getline(csv, line);
    const double from_series = std::strtod(line.c_str(), nullptr);
    EXPECT_EQ(std::memcmp(&from_series, &values[i], sizeof value), 0) << values[i];
  }
}

TEST_F(ReportFiles, two_runs_differ_in_provenance_and_timing_only) {
  const auto strip = [](json report) {
    report.erase("provenance");
    report.erase("timing");
    return report.dump();
  };
  good_report().write(folder / "one");
  good_report().write(folder / "two");
  EXPECT_EQ(strip(json::parse(text_of(folder / "one/sample.json"))),
            strip(json::parse(text_of(folder / "two/sample.json"))));
  EXPECT_EQ(text_of(folder / "one/sample.row.csv"), text_of(folder / "two/sample.row.csv"));
}

TEST(Report, refuses_numbers_that_are_none_and_names_them) {
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    Report report = good_report();
    EXPECT_NE(error_of([&] { report.measurement({.name = "drift", .value = bad}); }).find("'drift'"),
              std::string::npos);
    EXPECT_NE(error_of([&] { report.parameter("omega", bad); }).find("'omega'"), std::string::npos);
    EXPECT_NE(error_of([&] {
                report.parameter("list", std::vector<double>{1, bad});
              }).find("'list'"),
              std::string::npos);
    EXPECT_NE(error_of([&] { report.measurement({.name = "d", .value = 1, .tolerance = {.absolute = bad}}); }), "");
    EXPECT_NE(error_of([&] { report.measurement({.name = "d", .value = 1, .noise_floor = bad}); }), "");
    EXPECT_NE(error_of([&] { report.measurement({.name = "d", .value = 1, .h_exponent = bad}); }), "");
    EXPECT_NE(error_of([&] { report.timing("t", bad); }), "");
    const auto series = error_of([&] { report.series("bad", {{"t", "s"}, {"x", "m"}}, {{0, 0}, {1, bad}}); });
    EXPECT_NE(series.find("row 1"), std::string::npos) << series;
    EXPECT_NE(series.find("'x'"), std::string::npos) << series;
    livi::Claim claim = good_claim();
    claim.id = "XX00.other";
    claim.note.clear();
    claim.measured = bad;
    EXPECT_NE(error_of([&] { report.claim(claim); }).find("'XX00.other'"), std::string::npos);
    EXPECT_NO_THROW(report.json()) << "what was refused must not have been kept";
    EXPECT_EQ(report.json().find("drift"), std::string::npos);
  }
}

TEST(Report, refuses_names_used_twice_or_empty) {
  Report report = good_report();
  EXPECT_NE(error_of([&] { report.measurement({.name = "max_error", .value = 1}); }).find("'max_error'"),
            std::string::npos);
  EXPECT_NE(error_of([&] { report.measurement({.name = "solves", .value = 1}); }).find("'solves'"), std::string::npos);
  EXPECT_NE(error_of([&] { report.count("max_error", 1); }), "");
  EXPECT_NE(error_of([&] { report.parameter("h", 2); }), "");
  EXPECT_NE(error_of([&] { report.claim(good_claim()); }), "");
  EXPECT_NE(error_of([&] { report.series("row", {{"t", "s"}}, {}); }), "");
  EXPECT_NE(error_of([&] { report.figure({"sample.svg", "again"}); }), "");
  EXPECT_NE(error_of([&] { report.seed("noise", 1); }), "");
  EXPECT_NE(error_of([&] { report.timing("shake", 1); }), "");
  EXPECT_NE(error_of([&] { report.measurement({.name = "", .value = 1}); }), "");
}

TEST(Report, refuses_names_that_are_no_file_names) {
  for (const char* name : {"", "../escape", "Fig01", "a b", "1a"}) {
    EXPECT_THROW(Report(name, {"XX00", "Figure 1", ""}), ReportError) << name;
  }
  Report report = good_report();
  EXPECT_THROW(report.series("../escape", {{"t", ""}}, {}), ReportError);
  EXPECT_THROW(report.series("commas", {{"t,x", ""}}, {}), ReportError);
  EXPECT_NE(error_of([&] {
              report.series("ragged", {{"t", ""}}, {{1}, {1, 2, 3}, {1}});
            }).find("row 1 has 3 numbers for 1 columns"),
            std::string::npos);
  EXPECT_NE(error_of([&] { report.series("empty", {}, {}); }).find("series 'empty': has no columns"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              report.series("twice", {{"t", "s"}, {"x", "m"}, {"t", "s"}}, {});
            }).find("'t'"),
            std::string::npos);
  EXPECT_THROW(report.count("large", std::numeric_limits<std::uint64_t>::max()), ReportError);
}

TEST(Report, a_refuted_claim_without_a_passing_control_is_not_valid) {
  const auto verdict_with = [](bool passing) {
    Report report("sample", {"XX00", "Figure 1", "4.1"});
    livi::Claim claim = good_claim();
    claim.measured = 3;
    if (passing)
      claim.controls.push_back({.name = "another method of order two",
                                .measured = 2.0,
                                .interval = {1.9, 2.1},
                                .expected = livi::Expected::passes});
    report.claim(claim);
    return json::parse(report.json());
  };
  json refuted = verdict_with(true);
  EXPECT_EQ(refuted["claims"][0]["verdict"], "refuted");
  EXPECT_EQ(refuted["claims"][0]["controls"][1]["expected"], "passes");
  EXPECT_NO_THROW(livi::check_report(refuted, "sample.json"));
  refuted["claims"][0]["controls"].erase(1);
  EXPECT_NE(error_of([&] { livi::check_report(refuted, "sample.json"); }).find("make it 'undecided'"),
            std::string::npos);
  EXPECT_EQ(verdict_with(false)["claims"][0]["verdict"], "undecided");
}

TEST(Report, refuses_a_claim_without_a_reason) {
  Report report("sample", {"XX00", "Figure 1", ""});
  livi::Claim claim = good_claim();
  claim.reason = "";
  EXPECT_NE(error_of([&] { report.claim(claim); }).find("reason"), std::string::npos);
}

TEST(Report, a_control_that_does_not_fail_breaks_the_claim) {
  for (const Verdict proposed : {Verdict::confirmed, Verdict::misprint, Verdict::confirmed_with_limits}) {
    Report report("sample", {"XX00", "Figure 1", ""});
    livi::Claim claim = good_claim();
    claim.verdict = proposed;
    claim.controls[0].measured = 2.0;
    EXPECT_EQ(report.claim(claim), Verdict::broken_control);
    EXPECT_EQ(json::parse(report.json())["claims"][0]["verdict"], "broken-control");
  }
}

TEST(Report, open_interval_ends_and_blown_up_controls_become_null) {
  Report report("sample", {"XX00", "Figure 1", ""});
  livi::Claim claim = good_claim();
  claim.interval = {-kInfinity, 3};
  claim.controls[0].measured = kInfinity;
  claim.controls[0].note = "blew up at t = 3";
  report.claim(claim);
  const json written = json::parse(report.json())["claims"][0];
  EXPECT_EQ(written["interval"], json::parse("[null, 3.0]"));
  EXPECT_TRUE(written["controls"][0]["measured"].is_null());
  EXPECT_EQ(written["controls"][0]["lost"], true);
  EXPECT_NO_THROW(livi::check_report(json::parse(report.json()), "sample.json"));
  // Without that word there is only a control that was not measured, and the verdict no longer follows.
  json forged = json::parse(report.json());
  forged["claims"][0]["controls"][0].erase("lost");
  EXPECT_NE(error_of([&] { livi::check_report(forged, "sample.json"); }).find("controls/0/failed"), std::string::npos);
  forged["claims"][0]["controls"][0]["lost"] = true;
  forged["claims"][0]["controls"][0]["measured"] = 5;
  EXPECT_NE(error_of([&] { livi::check_report(forged, "sample.json"); }).find("controls/0/lost"), std::string::npos);
}

TEST(Report, what_was_not_measured_is_undecided_and_says_why) {
  Report report("sample", {"XX00", "Figure 1", ""});
  livi::Claim claim = good_claim();
  claim.measured = kNan;
  claim.note.clear();
  EXPECT_NE(error_of([&] { report.claim(claim); }).find("note"), std::string::npos);
  claim.note = "the run failed at t = 3";
  EXPECT_EQ(report.claim(claim), Verdict::undecided);
  EXPECT_EQ(json::parse(report.json())["claims"][0]["verdict"], "undecided");
  json forged = json::parse(report.json());
  forged["claims"][0]["verdict"] = "confirmed";
  EXPECT_NE(error_of([&] { livi::check_report(forged, "sample.json"); }).find("undecided"), std::string::npos);
}

TEST(Report, a_control_that_blew_up_fails_where_its_interval_is_open) {
  Report report("sample", {"XX00", "Figure 1", ""});
  livi::Claim claim = good_claim();
  claim.controls[0].measured = kInfinity;
  claim.controls[0].interval = {1.9, kInfinity};
  claim.controls[0].note = "blew up at t = 3";
  EXPECT_EQ(report.claim(claim), Verdict::confirmed);
  EXPECT_EQ(error_of([&] { livi::check_report(json::parse(report.json()), "sample.json"); }), "");
}

TEST(Report, a_not_testable_claim_needs_no_number) {
  Report report("sample", {"XX00", "Figure 1", ""});
  livi::Claim claim = good_claim();
  claim.verdict = Verdict::not_testable;
  claim.measured = kNan;
  EXPECT_EQ(report.claim(claim), Verdict::not_testable);
  EXPECT_TRUE(json::parse(report.json())["claims"][0]["measured"].is_null());
}

TEST(Provenance, has_what_the_contract_asks_for) {
  const json found = livi::provenance({{"a", 1}});
  for (const char* key :
       {"compiler", "flags", "contraction", "libraries", "commit", "dirty", "cpu", "seeds", "command_line", "date"}) {
    EXPECT_TRUE(found.contains(key)) << key;
  }
  EXPECT_NE(found["flags"].get<std::string>().find("-ffp-contract=off"), std::string::npos);
  EXPECT_NE(found["command_line"].get<std::string>().find("report_test"), std::string::npos);
  EXPECT_EQ(found["libraries"]["eigen"].get<std::string>().substr(0, 2), "3.");
  EXPECT_TRUE(found["dirty"].is_boolean() || found["dirty"] == "unknown");
}

TEST(Provenance, asks_the_running_code_about_contraction) {
  // This program is compiled with -ffp-contract=off; were the probe computed by the compiler, or the flag lost, it
  // would say "on" on a processor with fused multiply-add and a build for it.
  EXPECT_EQ(livi::probe_contraction(), "off");
}

TEST_F(ReportFiles, provenance_tells_a_clean_tree_from_a_dirty_one) {
  const fs::path tree = folder / "tree";
  fs::create_directories(tree / "below");
  // Nothing that the user or the machine has configured takes part.
  const auto git = [&](const std::string& arguments) {
    const std::string command = "env -u GIT_DIR -u GIT_WORK_TREE -u GIT_INDEX_FILE HOME=" + folder.string() +
                                " GIT_CONFIG_NOSYSTEM=1 git -c user.name=a -c user.email=a@b -C " + tree.string() +
                                " " + arguments + " >/dev/null 2>&1";
    return std::system(command.c_str());
  };
  const json none{{"commit", "unknown"}, {"dirty", "unknown"}};
  EXPECT_EQ(livi::commit_of(tree), none) << "no repository";
  EXPECT_EQ(livi::commit_of(tree / "absent"), none);
  ASSERT_EQ(git("init"), 0);
  EXPECT_EQ(livi::commit_of(tree), none) << "nothing committed";
  std::ofstream(tree / "source.cpp") << "int main() {}\n";
  ASSERT_EQ(git("add source.cpp"), 0);
  ASSERT_EQ(git("commit -m first"), 0);
  const json clean = livi::commit_of(tree);
  EXPECT_EQ(clean["commit"].get<std::string>().size(), 40U) << clean;
  EXPECT_EQ(clean["dirty"], false);
  EXPECT_EQ(livi::commit_of(tree / "below"), none) << "inside a repository, but not its top";

  std::ofstream(tree / "source.cpp") << "int main() { return 1; }\n";
  const json changed = livi::commit_of(tree);
  EXPECT_EQ(changed["commit"], clean["commit"]);
  EXPECT_EQ(changed["dirty"], true);
  ASSERT_EQ(git("commit -a -m second"), 0);
  EXPECT_NE(livi::commit_of(tree)["commit"], clean["commit"]);
  EXPECT_EQ(livi::commit_of(tree)["dirty"], false);
  std::ofstream(tree / "new.cpp") << "";
  EXPECT_EQ(livi::commit_of(tree)["dirty"], true) << "a file that is not committed may have been compiled";
}

TEST(Provenance, is_not_misled_by_the_variables_of_a_git_hook) {
  const json before = livi::provenance({});
  setenv("GIT_DIR", "/nonexistent", 1);
  const json inside = livi::provenance({});
  unsetenv("GIT_DIR");
  EXPECT_EQ(before["commit"], inside["commit"]);
}

TEST(Provenance, survives_without_git) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const json found = livi::provenance({});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(found["commit"], "unknown");
  EXPECT_EQ(found["dirty"], "unknown");
}

class Schema : public testing::Test {
 protected:
  /// The error for the good report changed by `change`.
  static std::string error_after(const std::function<void(json&)>& change) {
    json report = json::parse(good_report().json());
    change(report);
    return error_of([&] { livi::check_report(report, "folder/sample.json"); });
  }
};

TEST_F(Schema, accepts_the_good_report) {
  EXPECT_EQ(error_after([](json&) {}), "");
}

TEST_F(Schema, names_the_file_and_the_place) {
  const auto message = error_after([](json& report) { report["claims"][0]["verdict"] = "perhaps"; });
  EXPECT_EQ(message.rfind("folder/sample.json: /claims/0/verdict: ", 0), 0U) << message;
}

TEST_F(Schema, refuses_each_violation) {
  const std::vector<std::pair<std::string, std::function<void(json&)>>> violations{
      {"/", [](json& r) { r.erase("measurements"); }},
      {"/", [](json& r) { r.erase("series"); }},
      {"/", [](json& r) { r.erase("timing"); }},
      {"/", [](json& r) { r["extra"] = 1; }},
      {"/",
       [](json& r) {
         r["baseline"] = {{"reason", "first"}, {"date", "2024-01-31"}};
       }},
      {"/schema", [](json& r) { r["schema"] = "livi.report/2"; }},
      {"/experiment", [](json& r) { r["experiment"] = "../x"; }},
      {"/source", [](json& r) { r["source"].erase("item"); }},
      {"/parameters/h", [](json& r) { r["parameters"]["h"] = nullptr; }},
      {"/measurements/0/value", [](json& r) { r["measurements"][0]["value"] = "0.1"; }},
      {"/measurements/0/value", [](json& r) { r["measurements"][0]["value"] = nullptr; }},
      {"/measurements/0", [](json& r) { r["measurements"][0].erase("tolerance"); }},
      {"/measurements/0/tolerance/relative", [](json& r) { r["measurements"][0]["tolerance"]["relative"] = -1; }},
      {"/counts/solves", [](json& r) { r["counts"]["solves"] = 1.5; }},
      {"/claims/0", [](json& r) { r["claims"][0].erase("reason"); }},
      {"/claims/0", [](json& r) { r["claims"][0].erase("origin"); }},
      {"/claims/0", [](json& r) { r["claims"][0].erase("headline"); }},
      {"/claims/0", [](json& r) { r["claims"][0].erase("anchor"); }},
      {"/claims/0/origin", [](json& r) { r["claims"][0]["origin"] = "rumour"; }},
      {"/claims/0", [](json& r) { r["claims"][0]["origin"] = "ours"; }},
      {"/claims/0/controls/0", [](json& r) { r["claims"][0]["controls"][0].erase("expected"); }},
      {"/claims/0/controls/0/expected", [](json& r) { r["claims"][0]["controls"][0]["expected"] = "perhaps"; }},
      {"/claims/0/verdict", [](json& r) { r["claims"][0]["controls"][0]["expected"] = "passes"; }},
      {"/claims/0/reason", [](json& r) { r["claims"][0]["reason"] = ""; }},
      {"/claims/0/interval", [](json& r) { r["claims"][0]["interval"] = {1.0}; }},
      {"/claims/0/evidence", [](json& r) { r["claims"][0]["evidence"] = "believed"; }},
      {"/claims/0/controls/0", [](json& r) { r["claims"][0]["controls"][0].erase("failed"); }},
      {"/series/0/file", [](json& r) { r["series"][0]["file"] = "../x.csv"; }},
      {"/figures/0/file", [](json& r) { r["figures"][0]["file"] = "http://x/y.svg"; }},
      {"/provenance", [](json& r) { r["provenance"].erase("compiler"); }},
      {"/provenance/dirty", [](json& r) { r["provenance"]["dirty"] = "maybe"; }},
      {"/timing/shake", [](json& r) { r["timing"]["shake"] = -1; }},
  };
  for (std::size_t i = 0; i < violations.size(); ++i) {
    const auto message = error_after(violations[i].second);
    EXPECT_NE(message.find("folder/sample.json: " + violations[i].first + ": "), std::string::npos)
        << "violation " << i << ": " << message;
  }
}

TEST_F(Schema, refuses_verdicts_that_do_not_follow_from_the_numbers) {
  EXPECT_NE(error_after([](json& r) { r["claims"][0]["verdict"] = "refuted"; }).find("/claims/0/verdict"),
            std::string::npos);
  EXPECT_NE(error_after([](json& r) { r["claims"][0]["measured"] = 3.5; }).find("/claims/0/verdict"),
            std::string::npos);
  EXPECT_NE(
      error_after([](json& r) { r["claims"][0]["controls"][0]["measured"] = 2.0; }).find("/claims/0/controls/0/failed"),
      std::string::npos);
  EXPECT_NE(error_after([](json& r) { r["claims"][0]["interval"] = {2.1, 1.9}; }).find("/claims/0"), std::string::npos);
  EXPECT_NE(error_after([](json& r) { r["claims"][0]["measured"] = nullptr; }).find("/claims/0"), std::string::npos);
}

TEST_F(Schema, refuses_names_that_occur_twice) {
  EXPECT_NE(error_after([](json& r) { r["claims"].push_back(r["claims"][0]); }).find("/claims/1/id"),
            std::string::npos);
  EXPECT_NE(
      error_after([](json& r) { r["measurements"].push_back(r["measurements"][0]); }).find("/measurements/1/name"),
      std::string::npos);
  EXPECT_NE(error_after([](json& r) {
              r["series"][0]["columns"][1] = r["series"][0]["columns"][0];
            }).find("/series/0/columns/1/name: 't' occurs twice"),
            std::string::npos);
}

TEST_F(Schema, refuses_texts_that_are_too_long_for_a_pattern) {
  // In a process of its own: the regular expressions of the standard library overflow the stack on such texts.
  const std::string text(1000000, 'a');
  const auto refused = [&](const std::string& place, const std::function<void(json&)>& change) {
    return in_another_process(
        [&] { return error_after(change).find("folder/sample.json: " + place + ": has 1000000 characters") == 0; });
  };
  EXPECT_TRUE(refused("/experiment", [&](json& r) { r["experiment"] = text; }));
  EXPECT_TRUE(refused("/series/0/name", [&](json& r) { r["series"][0]["name"] = text; }));
  EXPECT_TRUE(refused("/series/0/columns/1/name", [&](json& r) { r["series"][0]["columns"][1]["name"] = text; }));
  EXPECT_TRUE(refused("/ (one of its names)", [&](json& r) { r[text] = 1; }));
  EXPECT_TRUE(refused("/provenance/compiler (one of its names)", [&](json& r) {
    r["provenance"]["compiler"] = {{text, 1}};
  }));
  EXPECT_EQ(error_after([&](json& r) { r["provenance"]["command_line"] = text; }), "") << "which has no pattern";
  const auto of_length = [&](std::size_t length) {
    return error_after([&](json& r) { r["claims"][0]["statement"] = std::string(length, 'a'); });
  };
  EXPECT_EQ(of_length(20000), "");
  EXPECT_NE(of_length(20001).find("has 20001 characters; allowed are at most 20000"), std::string::npos);
}

TEST_F(ReportFiles, reading_names_the_file_and_the_reason) {
  const auto read = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return error_of([&] { livi::read_report(folder / name); });
  };
  const std::string good = good_report().json();
  EXPECT_EQ(read("sample.json", good), "");
  EXPECT_NE(read("half.json", good.substr(0, good.size() / 2)).find("half.json: is not JSON"), std::string::npos);
  EXPECT_NE(read("empty.json", "").find("empty.json: is empty"), std::string::npos);
  EXPECT_NE(read("array.json", "[]").find("array.json: /"), std::string::npos);
  EXPECT_NE(read("other.json", good).find("other.json: /experiment"), std::string::npos);
  EXPECT_NE(read("twice.json", R"({"a": {"b": 1, "b": 2}})").find("'b' occurs twice"), std::string::npos);
  EXPECT_NE(error_of([&] { livi::read_report(folder / "missing.json"); }).find("No such file"), std::string::npos);
  EXPECT_NE(error_of([&] { livi::read_report(folder); }).find("folder"), std::string::npos);
  EXPECT_NE(error_of([&] { livi::list_reports(folder / "missing"); }).find("missing"), std::string::npos);
  // It can be opened, but nothing is mapped where reading begins.
  fs::create_symlink("/proc/self/mem", folder / "broken.json");
  EXPECT_NE(error_of([&] { livi::read_report(folder / "broken.json"); }).find("broken.json: cannot be read: Input/out"),
            std::string::npos);
}

TEST_F(ReportFiles, series_beside_a_report_are_checked) {
  const fs::path path = good_report().write(folder);
  const json report = livi::read_report(path);
  const fs::path csv = folder / "sample.row.csv";
  const auto error_with = [&](const std::string& text) {
    std::ofstream(csv) << text;
    return error_of([&] { livi::check_series(report, path); });
  };
  EXPECT_EQ(error_with("t,x2\n0,1\n0.1,0.3\n"), "");
  EXPECT_NE(error_with("t,x1\n0,1\n0.1,0.3\n").find("line 1"), std::string::npos);
  EXPECT_NE(error_with("t,x2\n0,1\n").find("1 rows"), std::string::npos);
  EXPECT_NE(error_with("t,x2\n0,1\n0.1\n").find("line 3"), std::string::npos);
  EXPECT_NE(error_with("t,x2\n0,1\n0.1,nan\n").find("line 3"), std::string::npos);
  fs::remove(csv);
  EXPECT_NE(error_of([&] { livi::check_series(report, path); }).find("sample.row.csv"), std::string::npos);
}

TEST_F(ReportFiles, an_impossible_folder_is_named_with_the_reason) {
  std::ofstream(folder / "file") << "in the way";
  const auto message = error_of([&] { good_report().write(folder / "file" / "results"); });
  EXPECT_NE(message.find((folder / "file").string()), std::string::npos) << message;
  EXPECT_NE(message.find("Not a directory"), std::string::npos) << message;
}

TEST_F(ReportFiles, an_unwritable_folder_is_named_with_the_reason) {
  // Permissions do not bind the superuser with capabilities, which anybody may give up.
  const auto give_up_capabilities = [] {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
    return syscall(SYS_capset, &header, none) == 0;
  };
  const fs::path closed = folder / "closed";
  fs::create_directory(closed);
  fs::permissions(closed, fs::perms{0555});
  const bool refused = in_another_process([&] {
    if (!give_up_capabilities()) return false;
    const auto message = error_of([&] { good_report().write(closed); });
    return message.find((closed / "sample.row.csv").string()) != std::string::npos &&
           message.find("Permission denied") != std::string::npos;
  });
  EXPECT_TRUE(refused);
  EXPECT_EQ(entries(closed), 0U);
}

TEST_F(ReportFiles, a_file_in_the_place_of_a_series_leaves_the_previous_report_intact) {
  good_report().write(folder);
  const std::string before = text_of(folder / "sample.json");
  Report changed = good_report();
  changed.series("zzz", {{"t", "s"}}, {{1.0}});
  fs::create_directory(folder / "sample.zzz.csv");
  EXPECT_NE(error_of([&] { changed.write(folder); }).find("sample.zzz.csv"), std::string::npos);
  EXPECT_EQ(text_of(folder / "sample.json"), before);
  EXPECT_EQ(entries(folder), 3U) << "json, csv and the folder in the way, but no temporary";
}

/// A report whose series alone is larger than the space that the tests leave.
Report large_report() {
  Report report = good_report();
  report.series("large", {{"t", "s"}}, std::vector<std::vector<double>>(20000, {0.12345678901234567}));
  return report;
}

TEST_F(ReportFiles, a_pipe_is_refused_and_stays_a_pipe) {
  const fs::path pipe = folder / "sample.json";
  fs::create_directories(folder);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(error_of([&] { livi::write_file_atomically(pipe, "text"); }),
            pipe.string() + ": is not a regular file; it is left as it is");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(ReportFiles, a_full_disk_leaves_the_previous_report_intact) {
  good_report().write(folder);
  const std::string before = text_of(folder / "sample.json");
  // A limit on file sizes makes write() fail as a full disk does, without the rights to mount one.
  const bool refused = in_another_process([&] {
    const rlimit limit{65536, 65536};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    const auto message = error_of([&] { large_report().write(folder); });
    return message.find((folder / "sample.large.csv").string()) != std::string::npos &&
           message.find("File too large") != std::string::npos;
  });
  EXPECT_TRUE(refused) << "the write must end with ReportError, not with a signal";
  EXPECT_EQ(text_of(folder / "sample.json"), before);
  EXPECT_EQ(entries(folder), 2U) << "no temporary may remain";
}

TEST_F(ReportFiles, a_full_file_system_leaves_the_previous_report_intact) {
  const fs::path disk = folder / "disk";
  fs::create_directory(disk);
  // Only the superuser may mount; the test above covers everybody else, and what follows then runs on a disk that is
  // not full.
  const bool mounted = mount("livi", disk.c_str(), "tmpfs", 0, "size=64k") == 0;
  good_report().write(disk);
  const std::string before = text_of(disk / "sample.json");
  const auto message = error_of([&] { large_report().write(disk); });
  const std::string after = text_of(disk / "sample.json");
  const std::size_t files = entries(disk);
  if (mounted) {
    umount(disk.c_str());
    EXPECT_NE(message.find((disk / "sample.large.csv").string()), std::string::npos) << message;
    EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
    EXPECT_EQ(after, before);
    EXPECT_EQ(files, 2U) << "no temporary may remain";
  } else {
    EXPECT_EQ(message, "");
    EXPECT_EQ(files, 3U);
  }
}

TEST_F(ReportFiles, an_interrupted_write_leaves_whole_files_of_one_set) {
  // The child does nothing but write sets of two files with one letter each; the signal comes at a different moment
  // each time.
  const auto write_set = [&](char letter) {
    livi::AtomicFiles files;
    files.add(folder / "a.csv", std::string(1 << 20, letter));
    files.add(folder / "b.json", std::string(1 << 20, letter));
    files.commit();
  };
  write_set('-');
  int changed = 0;
  constexpr int rounds = 40;
  for (int round = 0; round < rounds; ++round) {
    const std::string before = text_of(folder / "a.csv");
    const pid_t child = fork();
    if (child == 0) {
      for (char letter = 'a';; letter = letter == 'z' ? 'a' : static_cast<char>(letter + 1)) write_set(letter);
    }
    usleep(3000 + 1700 * static_cast<useconds_t>(round));
    // On a slow disk none of these times may have been enough: the last signal waits for a whole write, up to a minute.
    for (int i = 0; round == rounds - 1 && changed == 0 && i < 6000 && text_of(folder / "a.csv") == before; ++i)
      usleep(10000);
    kill(child, SIGTERM);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    const std::string csv = text_of(folder / "a.csv");
    ASSERT_EQ(csv.size(), std::size_t{1} << 20);
    EXPECT_EQ(csv, std::string(csv.size(), csv.front()));
    EXPECT_TRUE(text_of(folder / "b.json") == csv) << "the two files are of different sets";
    EXPECT_EQ(entries(folder), 2U) << "no temporary may remain";
    changed += csv != before ? 1 : 0;
  }
  EXPECT_GT(changed, 0) << "no write was ever finished: the test has tested nothing";
}

}  // namespace
