// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// A claim of a document, the number that decides it, and the controls that show the number could have decided
/// otherwise.
///
/// A verdict is not an opinion: it follows from `measured`, the two-sided `interval` in which the claim holds, and the
/// controls (deliberately wrong cases, measured the same way, which must fall outside). Only three verdicts are the
/// experiment's to choose (confirmed with limits, misprint, not testable), and even those are lost when a control does
/// not fail.

namespace livi {

/// What an experiment found about a claim.
enum class Verdict { confirmed, confirmed_with_limits, refuted, misprint, not_testable, broken_control };

/// How it was found. `proved` may carry a bound on the probability that the proof is accidental (random evaluation
/// points).
enum class Evidence { measured, proved, disproved, argued };

namespace detail {
inline constexpr std::array<std::pair<Verdict, std::string_view>, 6> verdict_names{{
    {Verdict::confirmed, "confirmed"},
    {Verdict::confirmed_with_limits, "confirmed-with-limits"},
    {Verdict::refuted, "refuted"},
    {Verdict::misprint, "misprint"},
    {Verdict::not_testable, "not-testable"},
    {Verdict::broken_control, "broken-control"},
}};
}  // namespace detail

/// The verdict as reports print it, with hyphens.
inline std::string_view to_string(Verdict verdict) {
  for (const auto& [value, name] : detail::verdict_names) {
    if (value == verdict) return name;
  }
  throw std::invalid_argument("verdict: not one of the six verdicts");
}

/// The inverse of to_string; empty for any other word.
inline std::optional<Verdict> verdict_from(std::string_view text) {
  for (const auto& [value, name] : detail::verdict_names) {
    if (name == text) return value;
  }
  return std::nullopt;
}

/// A closed interval; an infinite end means "no bound on this side".
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  /// NaN is contained in nothing.
  bool contains(double x) const { return low <= x && x <= high; }

  /// `center` give or take `half_width` (>= 0).
  static Interval around(double center, double half_width) { return {center - half_width, center + half_width}; }
};

/// A case in which the claim is known not to hold, measured as the claim is.
struct Control {
  std::string name = {};
  double measured = std::numeric_limits<double>::quiet_NaN();
  /// Where `measured` would have to lie for the claim to hold in this case.
  Interval interval = {};
  std::string note = {};

  /// A control must fail: its number lies outside, or there is none (a run that blew up).
  bool failed() const { return !std::isfinite(measured) || !interval.contains(measured); }
};

/// Where a claim is made: the document's short name ("TO14") and the place in it ("Sec. 4.1, Fig. 1").
struct Place {
  std::string document = {};
  std::string place = {};
};

/// One claim, with what was measured about it.
struct Claim {
  std::string id = {};  ///< as in the registry, e.g. "TO14.thm1.1.2.symplectic"
  Place source = {};
  std::string statement = {};   ///< what the document says, in our words
  std::string hypothesis = {};  ///< under which conditions
  std::string how = {};         ///< how `measured` is obtained
  double measured = std::numeric_limits<double>::quiet_NaN();
  std::string unit = {};  ///< of `measured` and of the interval; empty for a pure number
  Interval interval = {};
  std::string reason = {};  ///< why the interval is this one; never empty
  std::vector<Control> controls = {};
  /// Set it to confirmed_with_limits, misprint or not_testable to propose one of these; any other value is recomputed
  /// by decide().
  Verdict verdict = Verdict::confirmed;
  Evidence evidence = Evidence::measured;
  /// For Evidence::proved only: the probability that an identity tested at random points holds there by accident.
  std::optional<double> probability_bound = std::nullopt;
  std::string note = {};  ///< what was found: the limits, the corrected formula beside the literal one
};

/// "measured", "proved (p < 1e-30)", "proved (exact)", "disproved (exact)" or "argued".
inline std::string evidence_text(Evidence evidence, std::optional<double> probability_bound = std::nullopt) {
  switch (evidence) {
    case Evidence::measured:
      return "measured";
    case Evidence::proved: {
      if (!probability_bound) return "proved (exact)";
      std::array<char, 40> buffer{};
      const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), *probability_bound).ptr;
      return "proved (p < " + std::string(buffer.data(), end) + ")";
    }
    case Evidence::disproved:
      return "disproved (exact)";
    case Evidence::argued:
      return "argued";
  }
  throw std::invalid_argument("evidence: not one of measured, proved, disproved, argued");
}

/// Refuses (std::invalid_argument, naming the claim) what cannot be judged: a missing id, source, statement or reason,
/// an interval with low > high or a NaN end, a NaN measurement of a testable claim, controls without a name or with one
/// name twice, a control without a number and without a note, a probability bound outside (0, 1) or beside evidence
/// that is not a proof.
inline void check(const Claim& claim) {
  const auto refuse = [&](const std::string& why) { throw std::invalid_argument("claim '" + claim.id + "': " + why); };
  const auto check_interval = [&](const Interval& interval, const std::string& of) {
    if (!(interval.low <= interval.high)) {
      refuse("the interval of " + of + " is [" + std::to_string(interval.low) + ", " + std::to_string(interval.high) +
             "]; its low end must not exceed its high end");
    }
  };
  if (claim.id.empty()) refuse("the id is empty");
  if (claim.source.document.empty() || claim.source.place.empty()) refuse("the source lacks its document or its place");
  if (claim.statement.empty()) refuse("the statement is empty");
  if (claim.reason.empty()) refuse("the reason for its interval is empty; every tolerance has a stated reason");
  check_interval(claim.interval, "the measurement");
  if (claim.verdict != Verdict::not_testable && std::isnan(claim.measured)) {
    refuse("the measured value is NaN, from which nothing follows; a claim without a number can only be not-testable");
  }
  for (const Control& control : claim.controls) {
    if (control.name.empty()) refuse("a control has no name");
    check_interval(control.interval, "control '" + control.name + "'");
    int same_name = 0;
    for (const Control& other : claim.controls) same_name += other.name == control.name ? 1 : 0;
    if (same_name > 1) refuse("two controls are named '" + control.name + "'");
    if (!std::isfinite(control.measured) && control.note.empty()) {
      refuse("control '" + control.name + "' has no finite value and no note that says why");
    }
  }
  if (claim.probability_bound) {
    const double bound = *claim.probability_bound;
    if (claim.evidence != Evidence::proved) refuse("a probability bound belongs to evidence 'proved' only");
    if (!(bound > 0 && bound < 1)) refuse("the probability bound must lie between 0 and 1, exclusive");
  }
}

/// The verdict that follows from the numbers alone: broken_control if a control did not fail, else confirmed inside the
/// interval and refuted outside. A NaN measurement is refused (std::invalid_argument): it is not evidence against a
/// claim.
inline Verdict decide(double measured, const Interval& interval, const std::vector<Control>& controls) {
  if (std::isnan(measured))
    throw std::invalid_argument("decide: the measured value is NaN, from which nothing follows");
  for (const Control& control : controls) {
    if (!control.failed()) return Verdict::broken_control;
  }
  return interval.contains(measured) ? Verdict::confirmed : Verdict::refuted;
}

/// The verdict of a claim. A proposed `claim.verdict` of misprint or not_testable stands, and confirmed_with_limits
/// stands if the measurement lies inside; none of them survives a control that did not fail. Calls check() first.
inline Verdict decide(const Claim& claim) {
  check(claim);
  const double judged = std::isnan(claim.measured) ? 0 : claim.measured;  // only a not-testable claim has no number
  const Verdict by_numbers = decide(judged, claim.interval, claim.controls);
  if (by_numbers == Verdict::broken_control) return by_numbers;
  switch (claim.verdict) {
    case Verdict::misprint:
    case Verdict::not_testable:
      return claim.verdict;
    case Verdict::confirmed_with_limits:
      return by_numbers == Verdict::confirmed ? claim.verdict : by_numbers;
    case Verdict::confirmed:
    case Verdict::refuted:
    case Verdict::broken_control:
      break;
  }
  return by_numbers;
}

}  // namespace livi
