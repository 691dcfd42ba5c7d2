// SPDX-License-Identifier: MIT
#include "study/pages/findings.hpp"
#include <livi/report/report.hpp>
#include <livi/report/schemas.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

namespace livi {

using nlohmann::json;
namespace fs = std::filesystem;

std::string short_number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '\n') {
      cell += ' ';
    } else {
      // These signs would end the cell or be read as emphasis, code, HTML or a link.
      if (std::string("|*_`<>[]\\").find(c) != std::string::npos) cell += '\\';
      cell += c;
    }
  }
  return cell;
}

Findings read_findings(const fs::path& results, const fs::path& registry, Kind kind) {
  Findings findings;
  std::string problems;
  const auto attempt = [&](const auto& action) {
    try {
      action();
    } catch (const ReportError& error) {
      problems += (problems.empty() ? "" : "\n") + std::string(error.what());
    }
  };
  attempt([&] {
    findings.documents = read_registries(registry);
    findings.registry = json::array();
    for (const json& document : findings.documents)
      findings.registry.insert(findings.registry.end(), document.at("claims").begin(), document.at("claims").end());
    std::stable_sort(findings.documents.begin(), findings.documents.end(),
                     [](const json& a, const json& b) { return a.at("claims").size() > b.at("claims").size(); });
  });
  for (const fs::path& file : list_reports(results)) {
    attempt([&] {
      json report = read_report(file);
      if (report.contains("baseline") != (kind == Kind::baselines)) {
        throw ReportError(file.string() + (kind == Kind::baselines ? ": is a report, not a baseline"
                                                                   : ": is a baseline, not a report"));
      }
      findings.reports.push_back(std::move(report));
    });
  }
  if (problems.empty() && findings.reports.empty()) problems = results.string() + ": has no reports";
  if (!problems.empty()) throw ReportError(problems);
  return findings;
}

std::vector<std::string> without_verdict(const Findings& findings) {
  std::set<std::string> decided;
  for (const json& report : findings.reports) {
    for (const json& claim : report.at("claims")) decided.insert(claim.at("id"));
  }
  std::vector<std::string> missing;
  for (const json& claim : findings.registry) {
    if (claim.at("origin") != "ours" && !decided.contains(claim.at("id"))) missing.push_back(claim.at("id"));
  }
  return missing;
}

}  // namespace livi
