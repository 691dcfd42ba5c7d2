// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace livi {

/// Whether this build fuses a * b + c into one rounding ("on") or rounds twice ("off"), found by computing one such
/// sum.
std::string probe_contraction();

/// What git says of `folder`, the top of a checkout: its "commit", and whether it is "dirty", that is, has changes or
/// new files that are not committed (true or false). "unknown" for both where git is missing or `folder` is no such
/// top.
nlohmann::json commit_of(const std::filesystem::path& folder);

/// Where a report comes from: compiler, flags, contraction, library versions, commit (asked of git now; "unknown"
/// outside a checkout), processor, seeds, command line, date (UTC). Never fails: what cannot be found is "unknown".
nlohmann::json provenance(const std::map<std::string, std::uint64_t>& seeds);

}  // namespace livi
