// SPDX-License-Identifier: MIT
//
// What the rows of the battery state, as entries of a report that are compared exactly. Rows are no claims of a
// document and are not counted as such; but a row whose interval is wider than it was, or whose control is another one,
// has a verdict that means something else.
#pragma once

#include <array>
#include <charconv>
#include <livi/claims/battery.hpp>
#include <livi/report/report.hpp>
#include <string>
#include <vector>

namespace livi {

/// "[1.9, 2.1]", "[0, inf]": the shortest texts that are read as the same doubles.
inline std::string interval_text(const Interval& interval) {
  const auto text = [](double end) {
    std::array<char, 32> buffer{};
    return std::string(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), end).ptr);
  };
  return "[" + text(interval.low) + ", " + text(interval.high) + "]";
}

/// The energy drift is judged by the standard error of its own run, which differs in its last digits between compilers:
/// these intervals, of the row and of its controls, cannot be compared exactly. The reason of the row says how they
/// follow from the run.
inline bool has_interval_of_its_run(const BatteryRow& row) { return row.test == "energy drift"; }

/// Adds the row to the report as "<entry>.declared", "<entry>.statement", "<entry>.interval", ..., and its controls
/// with the intervals in which they must not lie. What is empty is left out. Measured numbers are not among them.
inline void add_statements(Report& report, const std::string& entry, const BatteryRow& row) {
  const Claim& claim = row.claim;
  const auto add = [&](const char* what, const std::string& text) {
    if (!text.empty()) report.parameter(entry + "." + what, text);
  };
  const auto interval = [&](const Interval& ends) {
    return has_interval_of_its_run(row) ? std::string("follows from the run") : interval_text(ends);
  };
  report.parameter(entry + ".declared", row.declared);
  add("verdict", std::string(to_string(claim.verdict)));
  add("detail", row.detail);
  add("statement", claim.statement);
  add("evidence", evidence_text(claim.evidence, claim.probability_bound));
  if (claim.verdict == Verdict::not_testable) return;  // nothing is measured: the statement says why
  add("hypothesis", claim.hypothesis);
  add("how", claim.how);
  add("unit", claim.unit);
  add("interval", interval(claim.interval));
  add("reason", claim.reason);
  std::vector<std::string> controls;
  for (const Control& control : claim.controls)
    controls.push_back(control.name + ": " + interval(control.interval) +
                       (control.expected == Expected::passes ? ", in which it is to be" : "") +
                       (control.as_expected() ? "" : ": a broken control"));
  if (!controls.empty()) report.parameter(entry + ".controls", controls);
}

}  // namespace livi
