// SPDX-License-Identifier: MIT
//
// What the rows of the battery state, as entries of a report that are compared exactly. Rows are no claims of a
// document and are not counted as such; but a row whose interval is wider than it was, or whose control is another one,
// has a verdict that means something else.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <livi/claims/battery.hpp>
#include <livi/report/report.hpp>
#include <map>
#include <set>
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

/// Returns what a row states, by field: "declared", "statement", "interval", ..., "controls" with the intervals in which
/// they must not lie. What is empty is left out. Measured numbers are not among them.
inline std::map<std::string, std::vector<std::string>> statements_of(const BatteryRow& row) {
  const Claim& claim = row.claim;
  std::map<std::string, std::vector<std::string>> fields;
  const auto add = [&](const char* what, const std::string& text) {
    if (!text.empty()) fields[what] = {text};
  };
  const auto interval = [&](const Interval& ends) {
    return has_interval_of_its_run(row) ? std::string("follows from the run") : interval_text(ends);
  };
  fields["declared"] = {row.declared};
  add("verdict", std::string(to_string(claim.verdict)));
  add("detail", row.detail);
  add("statement", claim.statement);
  add("evidence", evidence_text(claim.evidence, claim.probability_bound));
  if (claim.verdict == Verdict::not_testable) return fields;  // nothing is measured: the statement says why
  add("hypothesis", claim.hypothesis);
  add("how", claim.how);
  add("unit", claim.unit);
  add("interval", interval(claim.interval));
  add("reason", claim.reason);
  for (const Control& control : claim.controls)
    fields["controls"].push_back(control.name + ": " + interval(control.interval) +
                                 (control.expected == Expected::passes ? ", in which it is to be" : "") +
                                 (control.as_expected() ? "" : ": a broken control"));
  return fields;
}

/// What the rows of several methods state. Most texts are those of nearly all methods, so that each is written once, as
/// "row.<test>.<field>", and as "<method>.<test>.<field>" only for a method with another one; one that has none where the
/// row has one has an empty text there. What is declared and the verdict are written for each method.
class BatteryStatements {
 public:
  void add(const std::string& method, const BatteryRow& row) { rows_[row.test][method] = statements_of(row); }

  void write(Report& report) const {
    for (const auto& [test, methods] : rows_) {
      std::set<std::string> fields;
      for (const auto& [method, of_method] : methods)
        for (const auto& [field, texts] : of_method) fields.insert(field);
      for (const std::string& field : fields) {
        const std::vector<std::string> shared = shared_text(methods, field);
        if (!shared.empty()) write(report, "row." + test + "." + field, field, shared);
        for (const auto& [method, of_method] : methods) {
          const auto found = of_method.find(field);
          if (found == of_method.end() ? shared.empty() : found->second == shared) continue;
          const std::vector<std::string> none(field == "controls" ? 0 : 1);
          write(report, method + "." + test + "." + field, field, found == of_method.end() ? none : found->second);
        }
      }
    }
  }

 private:
  using Methods = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

  /// Returns the text that the most methods have, if at least two do; the first of several.
  static std::vector<std::string> shared_text(const Methods& methods, const std::string& field) {
    if (field == "declared" || field == "verdict") return {};
    std::map<std::vector<std::string>, int> uses;
    for (const auto& [method, of_method] : methods)
      if (const auto found = of_method.find(field); found != of_method.end()) ++uses[found->second];
    const auto most =
        std::max_element(uses.begin(), uses.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most != uses.end() && most->second > 1 ? most->first : std::vector<std::string>();
  }
  static void write(Report& report, const std::string& entry, const std::string& field,
                    const std::vector<std::string>& texts) {
    if (field == "controls") {
      report.parameter(entry, texts);
    } else {
      report.parameter(entry, texts.front());
    }
  }

  std::map<std::string, Methods> rows_;  // by test
};

}  // namespace livi
