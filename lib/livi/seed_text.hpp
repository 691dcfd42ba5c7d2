// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdint>
#include <string>

namespace livi {

/// Returns what is wrong with the text of a seed; nothing if it is a whole number. For parsers of arguments, which
/// would otherwise accept "-1" and numbers that are too large.
inline std::string refusal_of_seed(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return "";
  return "is '" + text + "'; allowed: a whole number from 0 to 18446744073709551615";
}

}  // namespace livi
