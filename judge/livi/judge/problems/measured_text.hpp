// SPDX-License-Identifier: MIT
//
// Numbers in sentences; only for the judge's own sources.
#pragma once

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include <livi/text/counted.hpp>

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

/// Returns a measured number for people: "-" where there is none, "overflow" where it is beyond all numbers.
inline std::string text_of_measured(double x, const char* pattern = "%.4g") {
  if (std::isnan(x)) return "-";
  return std::abs(x) >= std::numeric_limits<double>::max() ? "overflow" : format(pattern, x);
}

/// Returns how an error that is `ratio` times smaller is called; it may be larger.
inline std::string times_smaller(double ratio) {
  return ratio >= 1 ? format("%.3g times smaller", ratio) : format("%.3g times larger", 1 / ratio);
}

/// Returns whether a defect is the worst so far: larger, or no number, which nothing is worse than.
inline bool is_worse(double candidate, double worst) { return !std::isnan(worst) && !(candidate <= worst); }
/// Returns the worse of two defects.
inline double worse(double a, double b) { return is_worse(b, a) ? b : a; }

}  // namespace livi::foreign_detail
