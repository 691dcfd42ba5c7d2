// SPDX-License-Identifier: MIT
#pragma once

#include <livi/report/findings.hpp>

#include <string>
#include <vector>

/// \file
/// The questions that a reader asks about a document, answered by its claims.

namespace livi {

/// What the claims of a headline say. The rule: of the claims that decide it (`deciding` in the registry, all of them
/// the document's and not ours) one that is refuted makes it "no"; else one that is undecided, not testable, without a
/// verdict or with a broken control makes it "not decided"; else it is "yes" if all are confirmed and no other claim
/// under the headline is refuted, and "yes, within limits" if not.
struct Headline {
  std::string document = {};  ///< "TO14"
  std::string key = {};
  std::string question = {};
  std::string verdict = {};
  std::string answer = {};  ///< with its numbers in their places
  std::string advice = {};  ///< what to do about it
  std::vector<std::string> deciding = {};
  int claims = 0;                         ///< the document's, not ours, under this headline
  std::vector<std::string> refuted = {};  ///< of these
};

/// The headlines of all documents, in the order of the registries. An answer and an advice name the number of a claim
/// by
/// "@{id}", that of a measurement or a count of a report by "@{experiment:name}". ReportError if there is none.
std::vector<Headline> headlines(const Findings& findings);

/// "**no**", or "**yes, within limits** (1 of 14 claims refuted)": the verdict with what else is refuted under it, as
/// text in the medium of `strong`, which is put before and after the verdict.
std::string verdict_with_refuted(const Headline& headline, const std::string& before, const std::string& after);

}  // namespace livi
