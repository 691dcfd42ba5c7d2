// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace livi {

/// Returns the texts of the registries of the documents' claims in reference/claims.
const std::vector<std::string>& registry_texts();

}  // namespace livi
