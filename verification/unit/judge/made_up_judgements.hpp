// SPDX-License-Identifier: MIT
//
// Judgements in which a test chooses the refuted row, and the methods and clocks that such tests share.
#pragma once

#include <gtest/gtest.h>
#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/problems/measured_text.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <cmath>
#include <string>

#include "verification/judge/judgement_rows.hpp"
#include "verification/judge/mistaken.hpp"

namespace livi::test {

inline ForeignDeclaration declaring(ProblemKind kind, int order = 2) {
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.kinds = {kind};
  declaration.order = order;
  declaration.symplectic = declaration.symmetric = declaration.angular_momentum = true;
  return declaration;
}
inline Judgement with_row(const ForeignDeclaration& declares, const std::string& test,
                          Verdict verdict = Verdict::refuted, const std::string& declared = "yes") {
  return {declares, {bare_row(declares, test, verdict, declared)}, 1};
}
inline void expect_part(const std::string& words, const std::string& part, const std::string& of) {
  EXPECT_NE(words.find(part), std::string::npos) << of << ": '" << part << "' is not in: " << words;
}
inline BuiltInMethod body_of(BodyFlaw flaw, BodyRule rule = BodyRule::splitting) {
  return {.name = "x", .body = BodySteps{{1}, rule, flaw}};
}

inline double of_the_start(const Asked& at) { return at.start; }
/// The time of a step back goes forwards.
inline double of_the_size(const Asked& at) { return at.start + std::abs(at.begin + at.share * at.h - at.start); }
inline double with_six_digits(const Asked& at) {
  return std::stod(foreign_detail::format("%.6g", at.begin + at.share * at.h));
}

inline BuiltInMethod position_verlet() { return built_in_splitting("position Verlet", {0.5, 0.5}, {1}, false); }
/// Three Verlet steps, kick first, of order four.
inline BuiltInMethod yoshida() {
  const double side = 1 / (2 - std::cbrt(2.0)), middle = 1 - 2 * side, between = (side + middle) / 2;
  return built_in_splitting("Yoshida", {side, middle, side}, {side / 2, between, between, side / 2}, true);
}

}  // namespace livi::test
