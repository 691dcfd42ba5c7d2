// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace livi {

/// Returns `format` with the values that follow, of any length, as std::printf takes them and the compiler checks them.
/// Throws std::invalid_argument for a format that the C library refuses.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

/// Returns the words of `text` in lines of at most `width` characters, each begun by `indent` and ended by a newline; a
/// longer word has a line of its own.
std::string wrapped(const std::string& text, const std::string& indent, std::size_t width);

}  // namespace livi
