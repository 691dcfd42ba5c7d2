// SPDX-License-Identifier: MIT
#include <livi/judge/output/judgement_table.hpp>

#include <livi/judge/method/declared_accuracy.hpp>

namespace livi {
using namespace foreign_detail;

std::string judgement_table(const Judgement& judgement) {
  const auto column = [](const std::string& s, std::size_t width) {
    return s + std::string(s.size() < width ? width - s.size() : 1, ' ');
  };
  std::string text = judgement.declares.name;
  if (!judgement.declares.source.empty()) text += " (" + judgement.declares.source + ")";
  text += ", seed " + std::to_string(judgement.seed);
  if (const std::string accuracy = declared_accuracy(judgement.declares); !accuracy.empty())
    text += ", declares " + accuracy +
            (largest_limit(judgement) > 0 ? format(", judged up to %.2g", largest_limit(judgement))
                                          : ", which no row needs");
  text += "\n";
  text += column("test", 28) + column("declared", 10) + column("measured", 12) + column("verdict", 16) + "evidence\n";
  for (const JudgementRow& row : judgement.rows) {
    const Claim& claim = row.claim;
    if (claim.verdict == Verdict::not_testable) {
      text += column(row.test, 28) + column("-", 10) + column("-", 12) +
              (row.cause == Cause::not_measured ? "" : "does not apply: ") + claim.note + "\n";
      continue;
    }
    const std::string verdict = claim.verdict == Verdict::result ? "measured" : std::string(to_string(claim.verdict));
    text += column(row.test, 28) + column(row.declared, 10) + column(text_of_measured(claim.measured), 12) +
            column(verdict, 16) + row.evidence;
    if (claim.verdict == Verdict::refuted || claim.verdict == Verdict::undecided ||
        claim.verdict == Verdict::confirmed_with_limits ||
        (claim.verdict == Verdict::confirmed && row.cause == Cause::some_not_judged))
      text += ": " + claim.note;
    text += "\n";
    if (claim.verdict == Verdict::broken_control)
      for (const Control& control : claim.controls)
        if (!control.as_expected())
          text += "  control '" + control.name + "' was not " +
                  (control.expected == Expected::fails ? "rejected" : "accepted") + ": " +
                  text_of_measured(control.measured) + ", " + control.note + "\n";
  }
  return text;
}

}  // namespace livi
