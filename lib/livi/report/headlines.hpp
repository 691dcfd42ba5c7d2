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
/// verdict or with a broken control makes it "not decided"; else it is "yes" if all are confirmed, and "yes, within
/// limits" if some are so within limits or misprinted.
struct Headline {
  std::string document = {};  ///< "TO14"
  std::string key = {};
  std::string question = {};
  std::string verdict = {};
  std::string answer = {};  ///< with its numbers in their places
  std::string advice = {};  ///< what to do about it
  std::vector<std::string> deciding = {};
};

/// The headlines of all documents, in the order of the registries. ReportError if an answer needs the number of a claim
/// that has none.
std::vector<Headline> headlines(const Findings& findings);

}  // namespace livi
