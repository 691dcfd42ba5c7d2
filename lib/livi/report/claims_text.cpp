// SPDX-License-Identifier: MIT
#include <livi/claims/claim.hpp>
#include <livi/report/headlines.hpp>
#include <livi/report/page.hpp>
#include <livi/report/page_claims.hpp>
#include <livi/report/report.hpp>
#include <livi/report/text.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace livi {
namespace {

using nlohmann::json;
using page_detail::count_verdicts;
using page_detail::in_words;

/// Returns "2.01 m", or "no number".
std::string measured_text(const json& measured, const std::string& unit) {
  if (measured.is_null()) return "no number";
  return short_number(measured) + (unit.empty() ? "" : " " + unit);
}

/// Returns "[1.9, 2.1]", "<= 2.1", ">= 1.9" or "any"; `at_most` and `at_least` are the signs in the medium at hand.
std::string interval_text(const json& interval, const std::string& at_most, const std::string& at_least) {
  const bool low = !interval[0].is_null();
  const bool high = !interval[1].is_null();
  if (low && high && interval[0] == interval[1]) return "exactly " + short_number(interval[0]);
  if (low && high) return "[" + short_number(interval[0]) + ", " + short_number(interval[1]) + "]";
  if (high) return at_most + " " + short_number(interval[1]);
  if (low) return at_least + " " + short_number(interval[0]);
  return "any";
}

int total(const std::map<std::string, int>& counts) {
  int sum = 0;
  for (const auto& [verdict, count] : counts) sum += count;
  return sum;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

}  // namespace

std::string claims_text(const Findings& findings) {
  std::size_t id_width = 0;
  for (const json& report : findings.reports) {
    for (const json& claim : report.at("claims"))
      id_width = std::max(id_width, claim.at("id").get<std::string>().size());
  }
  std::string text;
  for (const json& report : findings.reports) {
    for (const json& claim : report.at("claims")) {
      text +=
          padded(in_words(claim.at("verdict")), 23) + padded(claim.at("id"), id_width + 2) +
          measured_text(claim.at("measured"), claim.at("unit")) + "; holds for " +
          interval_text(claim.at("interval"), "<=", ">=") + "; " + claim.at("evidence").get<std::string>() + "\n" +
          wrapped(claim.at("source").at("place").get<std::string>() + ": " + claim.at("statement").get<std::string>(),
                  std::string(23, ' '), 110);
    }
  }
  const auto counts = count_verdicts(findings);
  std::string line = std::to_string(total(counts)) + (total(counts) == 1 ? " claim" : " claims");
  const char* separator = ": ";
  for (const auto& [value, name] : detail::verdict_names) {
    const std::string verdict(name);
    const auto found = counts.find(verdict);
    if (found == counts.end()) continue;
    line += separator + std::to_string(found->second) + " " + in_words(verdict);
    separator = ", ";
  }
  const auto missing = without_verdict(findings);
  text += "\n" + line + "\n";
  const auto list = [&](const std::vector<std::string>& listed, const std::string& what) {
    if (listed.empty()) return;
    std::string ids;
    for (const std::string& id : listed) ids += (ids.empty() ? "" : ", ") + id;
    text += wrapped(std::to_string(listed.size()) + " " + what + ": " + ids, "", 110);
  };
  for (const auto& [value, name] : detail::verdict_names) {
    const std::string verdict(name);
    std::vector<std::string> ids;
    for (const json& report : findings.reports) {
      for (const json& claim : report.at("claims")) {
        if (claim.at("verdict") == verdict) ids.push_back(claim.at("id"));
      }
    }
    if (page_detail::is_open(verdict)) list(ids, in_words(verdict));
  }
  list(missing, "registered without a verdict");
  return text;
}

std::string claims_markdown(const Findings& findings) {
  std::string table = "| Claim | Place | Statement | Verdict | Measured | Holds for |\n|---|---|---|---|---|---|\n";
  for (const json& report : findings.reports) {
    for (const json& claim : report.at("claims")) {
      table += "| `" + claim.at("id").get<std::string>() + "` | " + markdown_cell(claim.at("source").at("place")) +
               " | " + markdown_cell(claim.at("statement")) + " | **" + in_words(claim.at("verdict")) + "**, " +
               markdown_cell(claim.at("evidence")) + " | " +
               markdown_cell(measured_text(claim.at("measured"), claim.at("unit"))) + " | " +
               markdown_cell(interval_text(claim.at("interval"), "≤", "≥")) + " |\n";
    }
  }
  return table;
}

}  // namespace livi
