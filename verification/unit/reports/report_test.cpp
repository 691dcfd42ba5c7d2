// SPDX-License-Identifier: MIT
//
// Reports: what is written is read back, what is no report is refused by name, and the schema knows every violation.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <livi/report/provenance.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>
#include <nlohmann/json.hpp>
#include <random>

#include "report_files.hpp"
#include "verification/support/text_of.hpp"

namespace report_test {

using namespace livi::test;
using livi::Report;
using livi::ReportError;
using livi::Verdict;
using livi::test::text_of;
using nlohmann::json;

namespace fs = std::filesystem;

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
  // nlohmann::json takes a byte of zero for the end of the text.
  EXPECT_NE(read("more.json", good + '\0' + "more").find("more.json: has bytes of zero"), std::string::npos);
  EXPECT_NE(read("behind.json", good + "more").find("behind.json: is not JSON"), std::string::npos);
  ASSERT_EQ(::mkfifo((folder / "pipe.json").c_str(), 0600), 0);
  EXPECT_NE(error_of([&] { livi::read_report(folder / "pipe.json"); }).find("pipe.json: is no regular file"),
            std::string::npos);
  EXPECT_NE(read("long.json", std::string((1 << 24) + 1, ' ')).find("long.json: has more than 16777216 bytes"),
            std::string::npos);
  EXPECT_NE(read("twice.json", R"({"a": {"b": 1, "b": 2}})").find("'b' occurs twice"), std::string::npos);
  EXPECT_NE(error_of([&] { livi::read_report(folder / "missing.json"); }).find("No such file"), std::string::npos);
  EXPECT_NE(error_of([&] { livi::read_report(folder); }).find("folder"), std::string::npos);
  EXPECT_NE(error_of([&] { livi::list_reports(folder / "missing"); }).find("missing"), std::string::npos);
  // It can be opened, but nothing is mapped where reading begins.
  fs::create_symlink("/proc/self/mem", folder / "broken.json");
  EXPECT_NE(error_of([&] { livi::read_report(folder / "broken.json"); }).find("broken.json: cannot be read: Input/out"),
            std::string::npos);
}

}  // namespace report_test
