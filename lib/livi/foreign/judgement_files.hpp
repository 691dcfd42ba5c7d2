// SPDX-License-Identifier: MIT
//
// A judgement for other programs: JSON, JUnit (CI servers), TAP 14 (prove and its kin), and a badge.
#pragma once

#include <string>
#include <vector>

#include <livi/foreign/diagnosis.hpp>
#include <livi/foreign/judgement.hpp>

namespace livi {

/// A judgement with what was found about its refutations.
struct JudgementReport {
  Judgement judgement;
  std::vector<std::string> diagnosis;
  Reproducer reproducer;
};

/// Return the text of a file. Texts that came from the method are shown without control characters, and as UTF-8
/// whatever they were.
std::string judgement_json(const JudgementReport& report);
std::string judgement_junit(const JudgementReport& report);
std::string judgement_tap(const JudgementReport& report);
std::string judgement_badge(const JudgementReport& report);

}  // namespace livi
