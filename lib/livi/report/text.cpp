// SPDX-License-Identifier: MIT
#include <livi/report/text.hpp>

#include <cstdarg>
#include <cstdio>
#include <stdexcept>

namespace livi {

std::string text(const char* format, ...) {
  va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  const int length = std::vsnprintf(nullptr, 0, format, values);
  va_end(values);
  std::string result(length < 0 ? 0 : static_cast<std::size_t>(length), '\0');
  if (length > 0) std::vsnprintf(result.data(), result.size() + 1, format, again);
  va_end(again);
  if (length < 0) throw std::invalid_argument(std::string("format '") + format + "'");
  return result;
}

}  // namespace livi
