// SPDX-License-Identifier: MIT
//
// The judgement of a method from outside: rows of evidence with their controls and verdicts. What is declared must hold,
// what is declared not to hold must be seen to fail, and what is not declared is measured only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <livi/claims/exit_code.hpp>
#include <livi/diagnostics/seed.hpp>
#include <livi/judge/measures/measurements.hpp>
#include <livi/judge/rows/row_table.hpp>

namespace livi {

struct JudgementOptions {
  std::uint64_t seed = default_seed;  ///< seed of the problems and loops that are drawn
  int drawn = 3;                      ///< the number of drawn problems
  bool quick = false;                 ///< without the long runs: energy, later; no verdict
  bool slow = false;                  ///< quick, and orders from at most 2^8 steps: for steps that take milliseconds
  bool strict = false;                ///< asks that properties that are not declared be seen to fail
  /// Called with the name of each test as it begins.
  std::function<void(const std::string&)> progress = {};
};

/// One test: a claim with its verdict, and what the evidence is made of. The verdict `result` is a measurement of what
/// is not declared.
struct JudgementRow {
  RowId id;
  std::string test;      ///< the name for display: "order of q", "symplectic", ...
  std::string declared;  ///< "2", "yes", "no", "-"
  std::string evidence;  ///< "loop integral, double"
  Claim claim;
  Cause cause = Cause::none;
  std::string problem = {};  ///< the name of the problem with the largest defect, if it is on one
};

struct Judgement {
  ForeignDeclaration declares;
  std::vector<JudgementRow> rows;
  std::uint64_t seed = 0;
  std::string ended_by = {};  ///< why it ended before its last row; then there is no verdict
  bool partial = false;       ///< rows were left out
  bool has_all_rows = false;  ///< it reached its last row, whatever came later

  /// Returns the ExitCode: inconclusive also if nothing was declared, or the judgement ended before its last row.
  [[nodiscard]] int exit_status() const;
  /// Ends the judgement: adds an undecided row with the reason, one sentence. There is no verdict.
  void end_early(const std::string& reason);
};

/// Returns whether a row on a property is refuted, of any kind of problem.
inline bool is_refuted(const Judgement& judgement, TestId property) {
  return std::ranges::any_of(judgement.rows, [&](const JudgementRow& row) {
    return property_of(row.id.test) == property && row.claim.verdict == Verdict::refuted;
  });
}

/// Returns about how many steps a judgement makes of a method that declares what Verlet does: at most twice too many or
/// too few.
[[nodiscard]] long steps_of_judgement(const JudgementOptions& options);

/// Returns the largest bound up to which a row holds that needs what the method declares of its accuracy; 0 if none does.
inline double largest_limit(const Judgement& judgement) {
  double largest = 0;
  for (const JudgementRow& row : judgement.rows)
    if (row.claim.verdict == Verdict::confirmed_with_limits && row.claim.interval.high > largest)
      largest = row.claim.interval.high;
  return largest;
}
/// Returns a claim about a method, with the source and the name of a row. It has neither a statement nor a measurement.
Claim claim_of_row(const ForeignDeclaration& declares, const RowId& id);
/// Returns a row that does not apply, for the reason `why`. `name`: for display, if it is not the name of the row.
JudgementRow row_that_does_not_apply(const ForeignDeclaration& declares, const RowId& id, const std::string& why,
                                     const std::string& name = "");
/// Returns what is judged: what a method declares and, if that is asked for, `no` for all properties of its kinds that it leaves open.
ForeignDeclaration judged_declaration(const ForeignDeclaration& declares, bool strict);
/// Returns an undecided row: what is declared was not measured, for the reason in `note`.
JudgementRow undecided_row(const ForeignDeclaration& declares, const RowId& id, const std::string& statement,
                           const std::string& note);
/// Returns the row that asks whether the order that a method declares is even, as that of a symmetric step is which is one smooth map of h
/// through 0: the adjoint's leading error is (-1)^order times the step's. Refuted by the declaration itself.
JudgementRow odd_order_of_symmetric(const ForeignDeclaration& declares, const RowId& id);

/// Judges a method. Throws ForeignFailure where it breaks its contract: `judgement` has the rows judged before.
void judge(ForeignSubject& subject, const JudgementOptions& options, Judgement& judgement);
inline Judgement judge(ForeignSubject& subject, const JudgementOptions& options = {}) {
  Judgement judgement;
  judge(subject, options, judgement);
  return judgement;
}

}  // namespace livi
