// SPDX-License-Identifier: MIT
//
// Numbers in sentences; only for the judge's own sources.
#pragma once

#include <cstdio>
#include <limits>
#include <string>

namespace livi::foreign_detail {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Returns what printf() writes, up to 511 bytes.
template <class... Arguments>
std::string format(const char* pattern, Arguments... arguments) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, arguments...);
  return text;
}

}  // namespace livi::foreign_detail
