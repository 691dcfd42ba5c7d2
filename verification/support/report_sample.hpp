// SPDX-License-Identifier: MIT
//
// A report with a bit of everything, and the names of the differences after something in it has changed.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <livi/report/compare.hpp>
#include <livi/report/report.hpp>
#include <nlohmann/json.hpp>

namespace livi::test {

using nlohmann::json;

inline livi::Report sample(const std::string& experiment = "sample") {
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
                .anchor = "words of its sentence",
                .headline = "method",
                .statement = "the method has order two",
                .measured = 2.01,
                .interval = {1.9, 2.1},
                .reason = "the fit scatters by 0.05",
                .controls = {{.name = "first-order method", .measured = 1.02, .interval = {1.9, 2.1}}}});
  report.claim({.id = "XX00.symplectic",
                .source = {"XX00", "Sec. 2"},
                .anchor = "words of its sentence",
                .headline = "method",
                .statement = "a step preserves the form",
                .hypothesis = "M is positive definite",
                .how = "residual of the form in 50 digits",
                .measured = 2.5e-50,
                .unit = "length",
                .interval = {0, 1e-45},
                .reason = "50 digits less those of some hundred terms",
                .controls = {{.name = "explicit Euler", .measured = 0.5, .interval = {0, 1e-45}},
                             {.name = "a step of 10",
                              .measured = std::numeric_limits<double>::infinity(),
                              .interval = {0, 1e-45},
                              .note = "it blew up"}},
                .note = "largest at x2 = 0.25, of 40 random states"});
  report.seed("states", 20140825);
  report.series("row", {{"t", "s"}}, {{0.0}, {0.1}});
  report.timing("shake", 0.25);
  return report;
}

/// The sample as JSON, made once: a report asks git for its commit.
inline const json& sample_report() {
  static const json report = json::parse(sample().json());
  return report;
}

/// The names of the differences after `change` is applied to the report of this run, separated by "; ".
inline std::string names_after(const std::function<void(json&)>& change) {
  const json& report = sample_report();
  const json baseline = livi::make_baseline(report, "first", "2024-01-31");
  json now = report;
  change(now);
  std::string names;
  for (const auto& difference : livi::compare_reports(now, baseline).differences) {
    EXPECT_EQ(difference.experiment, "sample");
    names += (names.empty() ? "" : "; ") + difference.name;
  }
  return names;
}

}  // namespace livi::test
