// SPDX-License-Identifier: MIT
//
// The coefficients of an explicit step, found from outside, and the positions at which a method asks for forces.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/problems/measured_text.hpp>

namespace livi {

/// The coefficients of an explicit step, found by answers that no potential would give: a force at one question alone.
struct FoundCoefficients {
  std::vector<double> c;      ///< where forces are asked for, in steps
  std::vector<double> kick;   ///< the share of each force in the momentum
  std::vector<double> path;   ///< the share of each force in the position
  double advance = 0;         ///< the way of a free particle, in steps
  bool is_splitting = false;  ///< kicks and drifts one after the other: path_i = kick_i (advance - c_i)
};
/// Returns the coefficients of a subject in double, in a step of h from the momentum p, on which they do not depend where they are
/// some. `kind`: mechanical, timed or separable, one that it takes. Throws ForeignRefusal where its questions depend on the
/// answers.
FoundCoefficients find_coefficients(ForeignSubject& subject, ProblemKind kind = ProblemKind::mechanical, double h = 1,
                                    double p = 1);

/// Forces that write down the positions at which gradients are asked for.
class AskedPositions final : public Forces<double> {
 public:
  using Forces<double>::Forces;
  std::vector<double> gradient(const double& t, const std::vector<double>& q) override {
    asked.push_back(q);
    return Forces<double>::gradient(t, q);
  }
  std::vector<std::vector<double>> asked;
};

/// Returns x with as many digits, and no fewer than these, as show how it differs from another number.
inline std::string unlike(double x, double other, int digits = 12) {
  std::string text;
  do text = foreign_detail::format("%.*g", digits, x);
  while (digits++ < 17 && !(std::abs(std::stod(text) - x) <= 1e-3 * std::abs(x - other)));
  return text;
}

}  // namespace livi
