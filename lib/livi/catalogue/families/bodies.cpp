// SPDX-License-Identifier: MIT
#include <livi/catalogue/entries.hpp>
#include <livi/catalogue/families/bodies.hpp>

namespace livi {

std::vector<MethodEntry> body_entries() { return entries_of("Rigid bodies", body_methods()); }
std::vector<MethodEntry> matrix_entries() { return entries_of("Rotation matrices", matrix_methods()); }

}  // namespace livi
