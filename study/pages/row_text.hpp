// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "study/pages/findings.hpp"

/// \file
/// What a reader sees of a row, the finding about one claim, before he opens its details: a sentence, how sure it is,
/// and the numbers that would have been accepted. Markdown, HTML and the terminal print the same text.

namespace livi {

/// The largest number of characters of a row before its details.
inline constexpr std::size_t longest_visible_text = 300;

/// The parts of a row before its details.
struct RowText {
  std::string finding;  ///< "With h/2 the error is 4.02 times smaller."
  std::string sure;     ///< "Measured: 4.02 (accepted: 3.9 to 4.1). The test rejects 2 wrong variants."
};

/// Returns an interval in words: "0.9 to 1.1", "at most 2".
std::string interval_text(const nlohmann::json& interval);

/// Returns a number with its unit, or "no number".
std::string measured_text(const nlohmann::json& measured, const std::string& unit);

/// Returns the parts of a row. The finding is `finds` of the registry, in which "@{measured}" stands for the number and
/// "@{NAME}" for that of the control NAME. Without it, or with a verdict that the registry does not expect, the finding
/// is the first clause of how the number is obtained, and the number, or "True as stated." of a proof. Misprints and
/// proofs have no accepted numbers. Cases that support or contradict are named if there is room, or counted. What is not
/// testable is not sure either. `registered` is null for a claim without a registry. Throws ReportError if a number is
/// named that is not there.
RowText row_text(const nlohmann::json& claim, const nlohmann::json* registered);

/// Returns the parts in one line: "confirmed: With h/2 ... Measured: 4.02 (accepted: 3.9 to 4.1). ..."
std::string visible_text(const nlohmann::json& claim, const nlohmann::json* registered);

/// Returns one sentence for each violation by the rows of registered claims; empty if there is none. The rules:
/// - a row has at most `longest_visible_text` characters before its details;
/// - a claim of a document has a finding of at least five words that ends with a stop;
/// - a finding has no certificate (a number of twelve digits or more);
/// - a number that is typed into a finding stands in the row, so that no run leaves it behind. Whole numbers below
///   ten are words.
std::vector<std::string> row_text_problems(const Findings& findings);

}  // namespace livi
