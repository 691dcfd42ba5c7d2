// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// \file
/// What was found, as the pages are made of it: all reports, or all baselines, of a folder, with the registries that
/// they answer to.

namespace livi {

/// All reports of a folder, checked, and the registry they answer to.
struct Findings {
  std::vector<nlohmann::json> reports;    ///< sorted by experiment
  std::vector<nlohmann::json> documents;  ///< the registries, the longest first
  nlohmann::json registry;                ///< the claims of all of them
};

/// Reports, or the baselines that are committed of them.
enum class Kind { reports, baselines };

/// Reads reports or baselines, and the registries. ReportError names every file that is not in order or of the other
/// kind; a folder without reports is not in order, either.
Findings read_findings(const std::filesystem::path& results, const std::filesystem::path& registry,
                       Kind kind = Kind::reports);

/// Four significant digits: a table is for reading; the report has all of them.
std::string short_number(double value);

/// Text as it stands in a cell of a Markdown table.
std::string markdown_cell(const std::string& text);

/// The ids of registered claims without a verdict in any report.
std::vector<std::string> without_verdict(const Findings& findings);

}  // namespace livi
