// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// \file
/// The accuracy regression: the reports of this run against the committed baselines.
///
/// Compared are parameters, counts, verdicts, evidence and the names of everything, exactly; measurements, within the
/// tolerance that the *baseline* states (a report cannot loosen its own); orders and exponents of h, within 0.05. A
/// name on one side only is a difference. Wording, series, provenance and timing are not compared.

namespace livi {

/// How far orders of convergence and exponents may differ.
inline constexpr double order_tolerance = 0.05;

/// One difference, as text for a table. An absent side is "missing".
struct Difference {
  std::string experiment = {};
  std::string name = {};
  std::string baseline = {};
  std::string now = {};
  std::string tolerance = {};
};

/// Everything in which two checked reports of one experiment differ.
std::vector<Difference> compare_reports(const nlohmann::json& now, const nlohmann::json& baseline);

/// What compare_folders() found.
struct Comparison {
  std::vector<std::string> experiments;  ///< compared, sorted
  std::vector<Difference> differences;
};

/// Compares all reports of `results` with all baselines, or only the named experiments. Throws ReportError, with one
/// line per file, if a report, baseline or folder cannot be read or is not valid, if a named experiment is on neither
/// side, or if there is nothing to compare.
Comparison compare_folders(const std::filesystem::path& results, const std::filesystem::path& baseline,
                           const std::vector<std::string>& only = {});

/// The baseline of a report: without series, figures and timing, with a short provenance, the reason and the date
/// (YYYY-MM-DD).
nlohmann::json make_baseline(const nlohmann::json& report, const std::string& reason, const std::string& date);

/// Makes the reports of `results` the baseline; baselines without a report go. Files that would not change are left
/// alone. Returns one line per file. Throws ReportError, before anything is written, on an empty reason, on what
/// compare_folders() refuses, and on a claim with a broken control, which no reason excuses.
std::vector<std::string> accept_baseline(const std::filesystem::path& results, const std::filesystem::path& baseline,
                                         const std::string& reason, const std::vector<std::string>& only = {});

/// The differences as a table with a header line, columns aligned.
std::string difference_table(const std::vector<Difference>& differences);

}  // namespace livi
