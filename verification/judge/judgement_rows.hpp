// SPDX-License-Identifier: MIT
//
// The rows of a judgement, as tests ask for them.
#pragma once

#include <livi/judge/rows/judgement.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

namespace livi::test {

using Tests = std::set<std::string>;

/// Returns the names of the rows with a verdict.
inline Tests rows_with(const Judgement& judgement, Verdict verdict) {
  Tests tests;
  for (const JudgementRow& row : judgement.rows)
    if (row.claim.verdict == verdict) tests.insert(row.test);
  return tests;
}
/// Returns them without the rows on single steps at drawn places, which see mistakes of every kind.
inline Tests own_rows_with(const Judgement& judgement, Verdict verdict) {
  Tests tests = rows_with(judgement, verdict);
  for (const JudgementRow& row : judgement.rows)
    if (row.id.test == TestId::drawn_steps || row.id.test == TestId::local_error) tests.erase(row.test);
  return tests;
}

/// Returns whether everything declared is confirmed, in a partial run as well.
inline bool is_cleared(const Judgement& judgement) {
  Judgement whole = judgement;
  whole.partial = false;
  return whole.exit_status() == 0;
}

inline const JudgementRow& row_of(const Judgement& judgement, const std::string& test) {
  const auto found = std::ranges::find(judgement.rows, test, &JudgementRow::test);
  if (found == judgement.rows.end()) throw std::runtime_error("no row '" + test + "'");
  return *found;
}

/// Returns the id of a row of a method, by its name.
inline RowId id_of(const ForeignDeclaration& declares, const std::string& test) {
  const std::optional<RowId> id = row_named(test, declares);
  if (!id) throw std::runtime_error("'" + test + "' is the name of no row of this method");
  return *id;
}
/// Returns a row with a verdict and nothing else.
inline JudgementRow bare_row(const ForeignDeclaration& declares, const std::string& test,
                             Verdict verdict = Verdict::refuted, const std::string& declared = "yes") {
  JudgementRow row{id_of(declares, test), test, declared, "", {}};
  row.claim.verdict = verdict;
  return row;
}

}  // namespace livi::test
