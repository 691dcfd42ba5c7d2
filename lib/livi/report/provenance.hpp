// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace livi {

/// Returns whether this build fuses a * b + c into one rounding ("on") or rounds twice ("off"), found by computing one
/// such sum.
std::string probe_contraction();

/// Returns what git says of `folder`, the top of a checkout: its "commit", and whether it is "dirty" (true or false),
/// which means that it has changes or new files that are not committed. Both are "unknown" where git is missing or
/// `folder` is no such top.
nlohmann::json commit_of(const std::filesystem::path& folder);

/// Returns where a report comes from: compiler, flags, contraction, library versions, commit (asked of git now;
/// "unknown" outside a checkout), processor, seeds, command line, date (UTC). It never fails: what cannot be found is
/// "unknown".
nlohmann::json provenance(const std::map<std::string, std::uint64_t>& seeds);

}  // namespace livi
