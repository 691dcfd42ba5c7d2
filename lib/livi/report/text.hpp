// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace livi {

/// `format` with the values that follow, as std::printf takes them and the compiler checks them, of any length.
/// std::invalid_argument for a format that the C library refuses.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

}  // namespace livi
