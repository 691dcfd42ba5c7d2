// SPDX-License-Identifier: MIT
// What the report of the battery on every integrator says of a row, and that livi-compare sees it change.
#include <livi/report/compare.hpp>
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <limits>

#include "study/evidence/battery_statements.hpp"

namespace battery_statements_test {

using livi::BatteryRow;
using nlohmann::json;
constexpr double infinity = std::numeric_limits<double>::infinity();

BatteryRow row(const std::string& test) {
  return {.test = test,
          .declared = "yes",
          .claim = {.id = "battery." + test,
                    .source = {"ZhangSkeel", "declares()"},
                    .anchor = "words of its sentence",
                    .headline = "method",
                    .statement = "a step preserves the form",
                    .hypothesis = "h < 1",
                    .how = "in 50 digits",
                    .measured = 3e-49,
                    .unit = "length",
                    .interval = {0, 1e-45},
                    .reason = "rounding in 50 digits",
                    .controls = {{.name = "SimplifiedZhangSkeel", .measured = 1e-5, .interval = {0, 1e-45}},
                                 {.name = "ExplicitEuler", .measured = 0.1, .interval = {0, 1e-45}}}},
          .detail = ""};
}

/// The report of a method with this row, and of so many others with the row of the test.
json report_of(const BatteryRow& of, int others = 0) {
  livi::Report report("battery_table", {"livi", "the battery", "all integrators"});
  livi::BatteryStatements statements;
  statements.add("ZhangSkeel", of);
  for (int other = 0; other < others; ++other) statements.add("Other" + std::to_string(other), row(of.test));
  statements.write(report);
  EXPECT_TRUE(report.claims().empty()) << "rows are no claims of a document";
  json written = json::parse(report.json());
  livi::check_report(written, "battery_table.json");
  return written;
}

/// What livi-compare finds after `change` is made to a row of this test.
std::vector<livi::Difference> found(const std::string& test, const std::function<void(BatteryRow&)>& change,
                                    int others = 0) {
  const json baseline = livi::make_baseline(report_of(row(test), others), "first", "2024-01-31");
  BatteryRow now = row(test);
  change(now);
  return livi::compare_reports(report_of(now, others), baseline).differences;
}

TEST(BatteryStatements, each_text_and_interval_of_a_row_is_compared) {
  const std::vector<std::pair<std::string, std::function<void(BatteryRow&)>>> changes{
      {"declared", [](BatteryRow& r) { r.declared = "no"; }},
      {"verdict", [](BatteryRow& r) { r.claim.verdict = livi::Verdict::refuted; }},
      {"detail", [](BatteryRow& r) { r.detail = "more"; }},
      {"statement", [](BatteryRow& r) { r.claim.statement = "not " + r.claim.statement; }},
      {"evidence", [](BatteryRow& r) { r.claim.evidence = livi::Evidence::argued; }},
      {"hypothesis", [](BatteryRow& r) { r.claim.hypothesis = ""; }},
      {"how", [](BatteryRow& r) { r.claim.how = "by eye"; }},
      {"unit", [](BatteryRow& r) { r.claim.unit = ""; }},
      {"interval", [](BatteryRow& r) { r.claim.interval.high = 1.0000000000000002e-45; }},
      {"interval", [](BatteryRow& r) { r.claim.interval.high = infinity; }},
      {"reason", [](BatteryRow& r) { r.claim.reason = "because"; }},
      {"controls", [](BatteryRow& r) { r.claim.controls[1].name = "another"; }},
      {"controls", [](BatteryRow& r) { r.claim.controls[1].interval.high = 1e-44; }},
      {"controls", [](BatteryRow& r) { r.claim.controls[1].measured = 0; }},
      {"controls", [](BatteryRow& r) { r.claim.controls.pop_back(); }},
      {"controls", [](BatteryRow& r) { r.claim.controls.clear(); }},
  };
  // Alone, and beside methods whose texts are the same but for the change.
  for (const int others : {0, 2})
    for (const auto& [what, change] : changes) {
      const auto differences = found("symplectic", change, others);
      ASSERT_EQ(differences.size(), 1U) << what << ", " << others << " others";
      EXPECT_EQ(differences[0].name, "parameter ZhangSkeel.symplectic." + what);
    }
}

TEST(BatteryStatements, what_methods_share_is_written_once) {
  const json parameters = report_of(row("symplectic"), 2).at("parameters");
  EXPECT_EQ(parameters.at("row.symplectic.how"), "in 50 digits");
  EXPECT_FALSE(parameters.contains("ZhangSkeel.symplectic.how"));
  EXPECT_EQ(parameters.at("Other1.symplectic.declared"), "yes");
  EXPECT_EQ(parameters.at("Other1.symplectic.verdict"), "confirmed");
  BatteryRow without = row("symplectic");
  without.claim.hypothesis = "";
  without.claim.controls.clear();
  const json of_two = report_of(without, 2).at("parameters");
  EXPECT_EQ(of_two.at("ZhangSkeel.symplectic.hypothesis"), "");
  EXPECT_EQ(of_two.at("ZhangSkeel.symplectic.controls"), json::array());
}

TEST(BatteryStatements, measured_numbers_may_move) {
  EXPECT_TRUE(found("symplectic", [](BatteryRow& r) {
                r.claim.measured = 4e-49;
                r.claim.controls[0].measured = 2e-5;
              }).empty());
}

TEST(BatteryStatements, only_intervals_of_the_run_itself_are_free) {
  const auto other_standard_error = [](BatteryRow& r) {
    r.claim.interval = {-1e-8, 1e-8};
    r.claim.controls[0].interval = {-2e-8, 2e-8};
  };
  EXPECT_TRUE(found("energy drift", other_standard_error).empty());
  EXPECT_EQ(found("stress test", other_standard_error).size(), 2U);
  EXPECT_EQ(found("energy drift", [](BatteryRow& r) { r.claim.reason = "a hundred standard errors"; }).size(), 1U);
  EXPECT_EQ(found("energy drift", [](BatteryRow& r) { r.claim.controls[0].name = "another"; }).size(), 1U);
}

TEST(BatteryStatements, intervals_are_written_so_that_they_are_read_as_the_same_numbers) {
  EXPECT_EQ(livi::interval_text({1.95, 2.05}), "[1.95, 2.05]");
  EXPECT_EQ(livi::interval_text({0.1, 0.1 + 0.2}), "[0.1, 0.30000000000000004]");
  EXPECT_EQ(livi::interval_text({-infinity, infinity}), "[-inf, inf]");
}

TEST(BatteryStatements, a_test_that_does_not_apply_says_why_and_has_no_interval) {
  BatteryRow of = row("certificate");
  of.claim.verdict = livi::Verdict::not_testable;
  const json parameters = report_of(of).at("parameters");
  EXPECT_EQ(parameters.size(), 4U);
  EXPECT_TRUE(parameters.contains("ZhangSkeel.certificate.statement"));
}

}  // namespace battery_statements_test
