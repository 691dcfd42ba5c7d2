// SPDX-License-Identifier: MIT
#include <livi/catalogue/entries.hpp>
#include <livi/catalogue/families/implicit.hpp>

namespace livi {

std::vector<MethodEntry> newmark_entries() { return entries_of("Newmark's kind", newmark_methods()); }
std::vector<MethodEntry> midpoint_entries() { return entries_of("Implicit Runge-Kutta", midpoint_methods()); }

}  // namespace livi
