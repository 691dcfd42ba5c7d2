// SPDX-License-Identifier: MIT
//
// A judgement for other programs: JSON, JUnit (CI servers), TAP 14 (prove and its kin), and a badge.
#pragma once

#include <string>
#include <vector>

#include <livi/judge/hints/diagnosis.hpp>
#include <livi/judge/rows/judgement.hpp>

namespace livi {

/// How a method was reached, so that the judgement can be repeated.
struct JudgedThrough {
  std::vector<std::string> command = {};  ///< a program and its arguments; empty for a library or a template
  std::string library = {};               ///< a path; empty for a command
  double time_limit = 0;                  ///< seconds for an answer
  std::size_t line_limit = 0;             ///< bytes of a line
};

/// A judgement with what was found about its refutations, and what it takes to repeat it.
struct JudgementReport {
  Judgement judgement;
  std::vector<std::string> diagnosis;
  Reproducer reproducer;
  JudgementOptions options = {};
  JudgedThrough through = {};
};

/// Return the text of a file. Texts that came from the method are shown without control characters, and as UTF-8
/// whatever they were.
/// The keys of the JSON are those of docs/judge.md.
std::string judgement_json(const JudgementReport& report);
std::string judgement_junit(const JudgementReport& report);
std::string judgement_tap(const JudgementReport& report);
std::string judgement_badge(const JudgementReport& report);

}  // namespace livi
