// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// \file
/// The findings from which the pages are made: all reports, or all baselines, of a folder, with the registries of their
/// claims.

namespace livi {

/// All reports of a folder, checked, and the registries of their claims.
struct Findings {
  std::vector<nlohmann::json> reports;    ///< sorted by experiment
  std::vector<nlohmann::json> documents;  ///< the registries, the longest first
  nlohmann::json registry;                ///< the claims of all registries
};

/// The kind of files that are read: reports, or their committed baselines.
enum class Kind { reports, baselines };

/// Reads reports or baselines, and the registries. Throws ReportError, which names every file that is not in order or
/// of the other kind; a folder without reports is not in order, either.
Findings read_findings(const std::filesystem::path& results, const std::filesystem::path& registry,
                       Kind kind = Kind::reports);

/// Returns four significant digits, enough for a reader of a table; the report has all of them.
std::string short_number(double value);

/// Returns a text as it is written in a cell of a Markdown table.
std::string markdown_cell(const std::string& text);

/// Returns the ids of the documents' claims without a verdict in any report. Results of our own may be absent: most of
/// their programs are run by `tools/reproduce --beyond` only.
std::vector<std::string> without_verdict(const Findings& findings);

}  // namespace livi
