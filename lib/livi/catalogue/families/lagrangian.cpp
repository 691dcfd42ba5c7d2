// SPDX-License-Identifier: MIT
#include <livi/catalogue/entries.hpp>
#include <livi/catalogue/families/lagrangian.hpp>

namespace livi {

std::vector<MethodEntry> lagrangian_entries() { return entries_of("Generalised coordinates", lagrangian_methods()); }

}  // namespace livi
