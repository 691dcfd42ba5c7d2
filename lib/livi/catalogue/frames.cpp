// SPDX-License-Identifier: MIT
#include <livi/catalogue/entries.hpp>
#include <livi/catalogue/frames.hpp>

namespace livi {

std::vector<MethodEntry> frame_entries() { return entries_of("Frames", frame_methods()); }

}  // namespace livi
