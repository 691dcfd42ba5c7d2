// SPDX-License-Identifier: MIT
#include <livi/catalogue/entries.hpp>
#include <livi/catalogue/families/compositions.hpp>

namespace livi {

std::vector<MethodEntry> composition_entries() { return entries_of("Compositions", composition_methods()); }

}  // namespace livi
