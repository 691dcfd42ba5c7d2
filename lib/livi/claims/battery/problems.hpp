// SPDX-License-Identifier: MIT
//
// Which of a subject's problems a test looks at. Only for the battery's own sources.
#pragma once

#include <algorithm>
#include <optional>

#include <livi/diagnostics/subject.hpp>

namespace livi::battery_detail {

/// Returns the first problem of a role.
inline std::optional<std::size_t> first(const Subject& subject, ProblemRole role) {
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i)
    if (problems[i].role == role) return i;
  return std::nullopt;
}

inline bool is_generic(const ProblemSummary& problem) { return problem.role == ProblemRole::generic; }
inline bool is_drawn(const ProblemSummary& problem) { return problem.role == ProblemRole::drawn; }

/// Calls f(i, problems[i]) for each generic problem of a subject.
template <class F>
void for_each_generic(const Subject& subject, const F& f) {
  const auto& problems = subject.problems();
  for (std::size_t i = 0; i < problems.size(); ++i)
    if (is_generic(problems[i])) f(i, problems[i]);
}

/// Returns a step in which a motion changes little, at most eight.
inline double short_step(const ProblemSummary& problem, std::size_t point) {
  return 1 / std::max(0.125, problem.rates[point]);
}

}  // namespace livi::battery_detail
