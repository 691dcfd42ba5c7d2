// SPDX-License-Identifier: MIT
//
// Pieces of the page and of the texts about claims: verdicts in words, and the row of a claim in HTML.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "study/pages/findings.hpp"

namespace livi::page_detail {

/// Returns whether a verdict decides nothing, although something was to be decided.
bool is_open(const std::string& verdict);
/// Returns "confirmed with limits" for "confirmed-with-limits".
std::string in_words(const std::string& verdict);
/// Returns how many claims have each verdict.
std::map<std::string, int> count_verdicts(const Findings& findings);

/// Returns a text in which nothing is a tag of HTML.
std::string escaped(const std::string& text);
/// Returns the sign and the words of a verdict.
std::string badge(const std::string& verdict);
/// Returns a number with its unit, or "no number".
std::string html_measured(const nlohmann::json& measured, const std::string& unit);
/// Returns an interval in words.
std::string html_interval(const nlohmann::json& interval);
/// Returns the place of the document's sentence and the words by which it is found.
std::string place_of(const nlohmann::json& claim);
/// Returns what was found and how sure it is.
std::string finding_html(const nlohmann::json& claim, const nlohmann::json* registered);
/// Returns the row of a claim. `experiment` is the program that decides it; `registered` is its entry in the registry,
/// if it has one.
std::string claim_row(const nlohmann::json& claim, const std::string& experiment, const nlohmann::json* registered);
/// A result of our own.
struct OwnResult {
  const nlohmann::json* claim;
  const nlohmann::json* registered;  ///< null without an entry in the registry
  std::string experiment;            ///< the one that decided it
};
/// The results of our own about one subject.
struct Subject {
  std::string title;
  std::vector<OwnResult> results;
};
/// Returns the results of our own by subject, in the order of the registries. Those without a subject are the last,
/// under "Others". No subject is empty. The pointers are into the findings.
std::vector<Subject> own_results_by_subject(const Findings& findings);

/// Returns what of a document a report is about.
std::string report_heading(const nlohmann::json& report);
/// Returns the head of a table of claims, whose first column `says` names.
std::string table_head(const char* says);

}  // namespace livi::page_detail
