// SPDX-License-Identifier: MIT
//
// Numbers of a command line and of rows as text: read exactly (no rounding through a longer type), written as short as
// reads back unchanged.
#pragma once

#include <livi/scalar/errors.hpp>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <system_error>

namespace livi {

inline std::string shortest(double x) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

/// InvalidParameter of that option unless the whole text is a number of type T.
template <class T>
T parse(const std::string& option, const std::string& text, const char* allowed) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    throw InvalidParameter(option, "'" + text + "'", allowed);
  return value;
}

inline double parse_number(const std::string& option, const std::string& text) {
  return parse<double>(option, text, "must be a number");
}
/// From `least` to `most`; a number with more digits than a long holds is out of this range, too.
inline long parse_count(const std::string& option, const std::string& text, long least, long most) {
  long n = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, n);
  if (end != last || (error != std::errc() && error != std::errc::result_out_of_range))
    throw InvalidParameter(option, "'" + text + "'", "must be a whole number");
  if (error != std::errc() || n < least || n > most)
    throw InvalidParameter(option, text, "must be from " + std::to_string(least) + " to " + std::to_string(most));
  return n;
}
inline long parse_count(const std::string& option, const std::string& text) {
  return parse_count(option, text, std::numeric_limits<long>::min(), std::numeric_limits<long>::max());
}

/// Two options must not name one file.
inline void require_different(const std::string& option, const std::filesystem::path& path, const std::string& other,
                              const std::filesystem::path& other_path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const auto whole = [&](const fs::path& p) { return fs::weakly_canonical(fs::absolute(p, ignored), ignored); };
  if (!path.empty() && whole(path) == whole(other_path))
    throw InvalidParameter(option, path.string(), "must not be the file of " + other);
}

}  // namespace livi
