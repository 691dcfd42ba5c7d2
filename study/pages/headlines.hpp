// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "study/pages/findings.hpp"

/// \file
/// The questions that a reader asks about a document, answered by its claims.

namespace livi {

/// A question about a document with its answer. Let the deciding claims be those that the registry names as `deciding`,
/// all of them the document's and not ours. The first of these rules that applies makes the verdict:
///  1. "no" if a deciding claim is refuted;
///  2. "not run here" if one is of an experiment that has no report;
///  3. "open" if one is undecided, not testable, without a verdict or has a broken control;
///  4. "no" if one is a misprint and the registry states no condition (`only_if`);
///  5. "yes" if all are confirmed;
///  6. "only if " with the condition, which is the document's limit, if the registry states one;
///  7. "yes, as far as tried", for the limit is then ours.
/// Claims that do not decide are counted beside the verdict if they are refuted, and do not change it.
struct Headline {
  std::string document = {};  ///< "TO14"
  std::string key = {};
  std::string question = {};
  std::string verdict = {};
  std::string answer = {};  ///< with its numbers inserted, without the sentences whose numbers are missing; what is
                            ///< missing, if a deciding claim is or no sentence is left
  std::string advice = {};  ///< what to do about it; empty if it names a number that is missing
  std::vector<std::string> missing = {};  ///< experiments without a report that the verdict or a number needs
  std::vector<std::string> deciding = {};
  int claims = 0;                         ///< number of the document's claims under this headline, without ours
  std::vector<std::string> refuted = {};  ///< the refuted ones among these
};

/// Returns the headlines of all documents, in the order of the registries. An answer and an advice name the number of a
/// claim by "@{id}", that of a measurement or a count of a report by "@{experiment:name}". A number
/// of an experiment that has no report here is missing. Throws ReportError if there is no such number although the
/// report is there, or if a name without colon is that of no claim.
std::vector<Headline> headlines(const Findings& findings);

/// Returns the headlines. Throws ReportError if one of them needs a report that is not there: a page that is kept with
/// the sources answers every question.
std::vector<Headline> answered_headlines(const Findings& findings);

/// Returns the verdict with the number of other claims refuted under it, as "**no**" or "**yes** (1 of 14 claims
/// refuted)". `before` and `after` surround the verdict, to make it bold in the medium at hand.
std::string verdict_with_refuted(const Headline& headline, const std::string& before, const std::string& after);

/// Returns the README with one line for each document between "<!-- headlines -->" and "<!-- /headlines -->": its title and summary, and
/// how many of the questions about it have which answer. The page of the document's claims has the questions. Throws ReportError if
/// these marks are not there once each, in this order.
std::string with_headlines(const std::string& readme, const Findings& findings);

}  // namespace livi
