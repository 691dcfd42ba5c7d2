// SPDX-License-Identifier: MIT
#include <livi/catalogue/entries.hpp>
#include <livi/catalogue/families/linearly_implicit.hpp>

namespace livi {

std::vector<MethodEntry> linearly_implicit_entries() {
  return entries_of("Linearly implicit", linearly_implicit_methods());
}

}  // namespace livi
