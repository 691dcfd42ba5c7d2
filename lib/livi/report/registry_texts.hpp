// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace livi {

/// The registries of the documents' claims, as they stand in reference/claims.
const std::vector<std::string>& registry_texts();

}  // namespace livi
