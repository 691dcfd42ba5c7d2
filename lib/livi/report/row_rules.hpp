// SPDX-License-Identifier: MIT
#pragma once

#include <livi/claims/claim.hpp>
#include <livi/report/registry.hpp>

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// \file
/// What a row, the finding about one registered claim, needs beside its number before a reader can trust it.

namespace livi {

/// Returns one sentence for each violation by the registered claims of these reports or baselines; empty if there is
/// none. The rules:
/// - A claim that is testable has a negative control that fails in the claim's own interval.
/// - A number outside of its interval, or a missing one, has a positive control that passes in that interval.
/// - A control is no case of the claim's own sentence in other circumstances: such a case is evidence. It is known by a
///   name that says only on which motion the claim is looked at.
/// - A misprint counts once: the limits of a statement do not name a misprint that has its own row.
/// - An interval for an order or a power has room for one whole number where the statement is our own.
/// - No two claims of documents have the same number: they are one claim, found in two places. Counts may agree, and so
///   may rounding errors.
std::vector<std::string> row_problems(const std::vector<nlohmann::json>& reports,
                                      const std::map<std::string, Claim>& registered = registered_claims());

}  // namespace livi
