// SPDX-License-Identifier: MIT
#pragma once

#include <livi/claims/claim.hpp>

namespace livi {

/// The exit codes of livi-judge and livi::battery, with one meaning everywhere.
enum class ExitCode {
  confirmed = 0,     ///< everything that is declared is confirmed
  refuted = 1,       ///< a row whose controls worked refutes a declaration
  inconclusive = 2,  ///< a row is undecided, a control failed, nothing was confirmed, or the method broke the protocol
  partial = 3        ///< rows were left out (`--quick`, `--slow`, `--only`) and nothing above was found: no verdict
};

/// Returns the exit code of rows that have a claim with its verdict.
template <class Rows>
ExitCode exit_code(const Rows& rows, bool is_partial) {
  bool refuted = false, open = false, confirmed = false;
  for (const auto& row : rows) {
    const Verdict verdict = row.claim.verdict;
    refuted = refuted || verdict == Verdict::refuted || verdict == Verdict::misprint;
    open = open || verdict == Verdict::undecided || verdict == Verdict::broken_control;
    confirmed = confirmed || verdict == Verdict::confirmed || verdict == Verdict::confirmed_with_limits;
  }
  if (refuted) return ExitCode::refuted;
  if (open || rows.empty()) return ExitCode::inconclusive;
  if (is_partial) return ExitCode::partial;
  return confirmed ? ExitCode::confirmed : ExitCode::inconclusive;
}

}  // namespace livi
