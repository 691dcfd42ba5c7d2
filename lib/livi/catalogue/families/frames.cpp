// SPDX-License-Identifier: MIT
#include <livi/catalogue/entries.hpp>
#include <livi/catalogue/families/frames.hpp>

namespace livi {

std::vector<MethodEntry> frame_entries() { return entries_of("Heat baths and families", frame_methods()); }

}  // namespace livi
