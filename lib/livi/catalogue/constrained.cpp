// SPDX-License-Identifier: MIT
#include <livi/catalogue/constrained.hpp>
#include <livi/catalogue/entries.hpp>

namespace livi {

std::vector<MethodEntry> constrained_entries() { return entries_of("Constraints", constrained_methods()); }

}  // namespace livi
