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
  std::erase_if(tests, [](const std::string& test) {
    return test.starts_with("drawn steps") || test.starts_with("local error");
  });
  return tests;
}

inline const JudgementRow& row_of(const Judgement& judgement, const std::string& test) {
  const auto found = std::ranges::find(judgement.rows, test, &JudgementRow::test);
  if (found == judgement.rows.end()) throw std::runtime_error("no row '" + test + "'");
  return *found;
}

}  // namespace livi::test
