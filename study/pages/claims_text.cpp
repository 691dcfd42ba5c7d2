// SPDX-License-Identifier: MIT
#include <livi/claims/claim.hpp>
#include <livi/report/report.hpp>
#include <livi/report/text.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include "study/pages/headlines.hpp"
#include "study/pages/page.hpp"
#include "study/pages/page_claims.hpp"
#include "study/pages/row_text.hpp"

namespace livi {
namespace {

using nlohmann::json;
using page_detail::count_verdicts;
using page_detail::in_words;

/// Calls with(claim, its entry in the registry or null) for each claim, in the order of the reports.
template <class With>
void for_each_claim(const Findings& findings, const With& with) {
  std::map<std::string, const json*> registered;
  for (const json& entry : findings.registry) registered.emplace(entry.at("id"), &entry);
  for (const json& report : findings.reports)
    for (const json& claim : report.at("claims")) {
      const auto entry = registered.find(claim.at("id"));
      with(claim, entry == registered.end() ? nullptr : entry->second);
    }
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
  std::string text;
  for_each_claim(findings, [&](const json& claim, const json* registered) {
    const std::string verdict = in_words(claim.at("verdict"));
    text += padded(verdict, 23) + claim.at("id").get<std::string>() + "\n";
    const auto add = [&](const std::string& line) { text += wrapped(line, std::string(23, ' '), 110); };
    add(claim.at("source").at("place").get<std::string>() + ": " + claim.at("statement").get<std::string>());
    add("We find" + visible_text(claim, registered).substr(verdict.size()));
  });
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
  std::string table = "| Claim | Place | Statement | We find |\n|---|---|---|---|\n";
  for_each_claim(findings, [&](const json& claim, const json* registered) {
    const std::string verdict = in_words(claim.at("verdict"));
    table += "| `" + claim.at("id").get<std::string>() + "` | " + markdown_cell(claim.at("source").at("place")) +
             " | " + markdown_cell(claim.at("statement")) + " | **" + verdict + "**" +
             markdown_cell(visible_text(claim, registered).substr(verdict.size())) + " |\n";
  });
  return table;
}

}  // namespace livi
