// SPDX-License-Identifier: MIT
#include <livi/judge/rows/judgement.hpp>

namespace livi {

int Judgement::exit_status() const {
  if (!ended_by.empty()) return 2;
  bool refuted = false, undecided = false, confirmed = false;
  for (const JudgementRow& row : rows) {
    const Verdict verdict = row.claim.verdict;
    refuted = refuted || verdict == Verdict::refuted;
    undecided = undecided || verdict == Verdict::undecided || verdict == Verdict::broken_control;
    confirmed = confirmed || verdict == Verdict::confirmed || verdict == Verdict::confirmed_with_limits;
  }
  return refuted ? 1 : undecided || !confirmed || !declares.declares_something() ? 2 : 0;
}

void Judgement::end_early(const std::string& reason) {
  ended_by = reason;
  rows.push_back(
      undecided_row(declares, "protocol", "yes", "the method keeps to the protocol up to the last row", reason));
}

}  // namespace livi
