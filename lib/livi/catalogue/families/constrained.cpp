// SPDX-License-Identifier: MIT
#include <livi/catalogue/entries.hpp>
#include <livi/catalogue/families/constrained.hpp>

namespace livi {

std::vector<MethodEntry> constrained_entries() { return entries_of("Constraints", constrained_methods()); }

}  // namespace livi
