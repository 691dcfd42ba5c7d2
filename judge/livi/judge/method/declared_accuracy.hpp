// SPDX-License-Identifier: MIT
//
// How accurately a method declares to compute: an iteration stops at a tolerance, numbers have 24 bits. What would be a
// defect of other methods is then judged up to that, and the table says so.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include <livi/judge/method/foreign_subject.hpp>
#include <livi/judge/problems/measured_text.hpp>

namespace livi {

/// The bounds of what holds and of what is visible, for one kind of evidence.
struct Bounds {
  double holds, visible;
  const char* reason;
  double strict;  ///< what `holds` is for a method that declares nothing less accurate than its numbers
};

/// The largest value of `tolerance` that may be declared.
inline constexpr double largest_tolerance = 1e-6;

/// Returns the relative error of one operation, or of one solved equation, that a method declares for a number type;
/// 0 for fractions.
inline double declared_rounding(const ForeignDeclaration& declaration, NumberType type) {
  if (type == NumberType::rational) return 0;
  if (type == NumberType::digits) return std::max(std::pow(10.0, -declaration.digits), declaration.tolerance);
  return std::max(declaration.single_precision ? 0x1p-24 : 0x1p-53, declaration.tolerance);
}
/// Returns the declaration that leaves more than the rounding of double: "tolerance=1e-10"; empty if there is none.
inline std::string declared_accuracy(const ForeignDeclaration& declaration) {
  std::string text = declaration.single_precision ? "precision=single" : "";
  if (declaration.tolerance > 0)
    text += (text.empty() ? "" : " ") + foreign_detail::format("tolerance=%g", declaration.tolerance);
  return text;
}

/// Errors of this many times the declared one hold: loops of a sixteenth of the numbers' size divide by 16, and two steps
/// solve some four equations.
inline constexpr double times_declared = 16 * 4;
inline constexpr const char* reason_of_declared =
    "64 times what is declared: errors of some four equations, divided by loops of a sixteenth of the numbers' size";

/// Returns the largest error that counts as none where `strict` does for double, which allows for its rounding.
inline double allowed(const ForeignDeclaration& declaration, double strict) {
  return std::max(strict, declared_accuracy(declaration).empty()
                              ? 0
                              : times_declared * declared_rounding(declaration, NumberType::real));
}
/// Returns the bounds for measurements in double and complex numbers.
inline Bounds double_bounds(const ForeignDeclaration& declaration) {
  const double holds = allowed(declaration, 0x1p-40);
  return {holds, std::max(0x1p-33, holds > 0x1p-40 ? 16 * holds : 0),
          holds > 0x1p-40
              ? reason_of_declared
              : "rounding: some thousand operations of 1.1e-16 on numbers of order one, divided by loops or "
                "points of that order",
          0x1p-40};
}
/// Returns the bounds for measurements in many digits.
inline Bounds digits_bounds(const ForeignDeclaration& declaration) {
  const double strict = std::pow(10.0, 8 - declaration.digits), of_tolerance = times_declared * declaration.tolerance;
  const bool is_strict = strict >= of_tolerance;
  return {std::max(strict, of_tolerance),
          std::max(std::pow(10.0, 14 - std::min(declaration.digits, 40)), is_strict ? 0 : 16 * of_tolerance),
          is_strict ? "rounding in the method's digits: less than 1e7 times that of one operation" : reason_of_declared,
          strict};
}

}  // namespace livi
