// SPDX-License-Identifier: MIT
//
// What a refuted method probably does wrong, found by a search over typical mistakes: each is a method of which it is
// known what it does, and which is compared with the one at hand. A diagnosis is a hint, no verdict.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <livi/foreign/built_in_methods.hpp>
#include <livi/foreign/judgement.hpp>
#include <livi/foreign/measured_text.hpp>

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

/// Returns sentences about what a method that was judged probably does wrong; none where nothing typical fits.
std::vector<std::string> diagnose(ForeignSubject& subject, const Judgement& judgement);
/// Returns such a sentence about the clock of a method that takes the kind timed; an empty one where it is right.
std::string mistake_of_clock(ForeignSubject& subject, std::uint64_t seed);
/// Returns such sentences about a method that was refuted for the kind body.
std::vector<std::string> diagnose_bodies(ForeignSubject& subject, const Judgement& judgement);
/// Returns such sentences about a method that was refuted in a heat bath, for the kinds langevin and constrained_langevin.
std::vector<std::string> diagnose_baths(ForeignSubject& subject, const Judgement& judgement);

/// The smallest case found in which a refuted declaration fails: words for everything, and, of a method behind a pipe,
/// the session. Lines of it that begin with "> " are what the method is sent, so that
/// `sed -n 's/^> //p' FILE | command` repeats it without livi.
struct Reproducer {
  std::string test;  ///< the row; empty if there is none
  std::string words;
  std::string session;
};
/// Searches from the smallest problems, numbers and steps upwards. `only` is the row that is to be reproduced; the
/// first that is refuted if it is empty.
Reproducer reproduce(ForeignSubject& subject, const Judgement& judgement, const std::string& only = "");

}  // namespace livi
