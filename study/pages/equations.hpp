// SPDX-License-Identifier: MIT
//
// The page of places: for each equation, theorem, figure, section or slide of a document, the headers, programs, claims and figures about it.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "study/pages/findings.hpp"

namespace livi {

/// A place in a document: "(12)", "Theorem 2.1", "Figure 3", "slide 16", "Section 4.1".
struct DocumentPlace {
  int kind = 0;           ///< its position in the order of kinds on the page
  std::string word = {};  ///< "Theorem"; empty for an equation
  std::string number = {};
  std::string name() const;
  bool operator<(const DocumentPlace& other) const;
};

/// Returns the places that a text names: "Sec. 2.1, Thm 1.1(2), eqs. (2)-(4)" names Theorem 1.1 and (2) to (4). A section is left out beside a
/// place in it. A number without a word is a slide if `slides`, else a section.
std::set<DocumentPlace> places_in(const std::string& text, bool slides);

/// Returns the places of each document that a comment or text cites in the form of Properties::source: "TO14 (12), (14)", "BOS09 (4)-(6)",
/// "TO14 Theorem 2.2", "CS101 slides 14 to 16", "TO14 4.1".
std::map<std::string, std::set<DocumentPlace>> cited_places(const std::string& text,
                                                            const std::vector<std::string>& documents);

/// Returns the page equations.md. The headers of lib/livi and the lists of figures in plots/ are read below `tree`. A header is about the
/// places that its comments cite, a program about those of its report's source and of the claims that it decides. Throws ReportError if a
/// program has no source in `tree`, or a file cannot be read.
std::string equations_page(const Findings& findings, const std::filesystem::path& tree);

}  // namespace livi
