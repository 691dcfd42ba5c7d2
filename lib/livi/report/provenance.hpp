// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace livi {

/// Whether this build fuses a * b + c into one rounding ("on") or rounds twice ("off"), found by computing one such
/// sum.
std::string probe_contraction();

/// Where a report comes from: compiler, flags, contraction, library versions, commit (asked of git now; "unknown"
/// outside a checkout), processor, seeds, command line, date (UTC). Never fails: what cannot be found is "unknown".
nlohmann::json provenance(const std::map<std::string, std::uint64_t>& seeds);

}  // namespace livi
