// SPDX-License-Identifier: MIT
#include <livi/catalogue/compositions.hpp>
#include <livi/catalogue/entries.hpp>

namespace livi {

std::vector<MethodEntry> composition_entries() { return entries_of("Compositions", composition_methods()); }

}  // namespace livi
