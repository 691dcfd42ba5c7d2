// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace livi {

/// Returns a number of things in words: "1 step", "2 steps".
template <class Count>
std::string counted(Count count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace livi
