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
/// A verdict is not an opinion. It follows from `measured`, from the two-sided `interval` in which the claim holds, and
/// from the controls: cases measured in the same way, of which deliberately wrong ones must fall outside and right ones
/// must lie inside. Logic has three values here: what could not be measured is undecided, never confirmed and never
/// refuted. Four verdicts are a person's to propose (confirmed with limits, misprint, undecided, not testable). The
/// numbers can take the first two away, and a control with an unexpected outcome takes all of them away.
///
/// A document is refuted only by a test that has been seen to say no and to say yes. What it leaves open is not held
/// against it: if an interpretation of ours (a "reading") fails, nothing is decided. What we found ourselves is a
/// result, not a claim.

namespace livi {

/// The finding of an experiment about a claim. `result` is the verdict about a statement of our own.
enum class Verdict {
  confirmed,
  confirmed_with_limits,
  refuted,
  misprint,
  undecided,
  not_testable,
  result,
  broken_control
};

/// Who makes a claim: the document in words, or by a number that it prints; we, by one interpretation (reading) where
/// the document leaves open what matters; or we alone.
enum class Origin { statement, number, reading, ours };

/// How a claim was decided. `proved` may carry a bound on the probability that the proof is accidental (random
/// evaluation points).
enum class Evidence { measured, proved, disproved, argued };

namespace detail {
inline constexpr std::array<std::pair<Verdict, std::string_view>, 8> verdict_names{{
    {Verdict::confirmed, "confirmed"},
    {Verdict::confirmed_with_limits, "confirmed-with-limits"},
    {Verdict::refuted, "refuted"},
    {Verdict::misprint, "misprint"},
    {Verdict::undecided, "undecided"},
    {Verdict::not_testable, "not-testable"},
    {Verdict::result, "result"},
    {Verdict::broken_control, "broken-control"},
}};
inline constexpr std::array<std::pair<Origin, std::string_view>, 4> origin_names{{
    {Origin::statement, "statement"},
    {Origin::number, "number"},
    {Origin::reading, "reading"},
    {Origin::ours, "ours"},
}};
}  // namespace detail

/// Returns the verdict as reports print it, with hyphens.
inline std::string_view to_string(Verdict verdict) {
  for (const auto& [value, name] : detail::verdict_names) {
    if (value == verdict) return name;
  }
  throw std::invalid_argument("verdict: not one of the eight verdicts");
}

/// Returns the verdict that to_string() prints so; nothing for any other word.
inline std::optional<Verdict> verdict_from(std::string_view text) {
  for (const auto& [value, name] : detail::verdict_names) {
    if (name == text) return value;
  }
  return std::nullopt;
}

/// Returns the origin as reports print it.
inline std::string_view to_string(Origin origin) {
  for (const auto& [value, name] : detail::origin_names) {
    if (value == origin) return name;
  }
  throw std::invalid_argument("origin: not one of statement, number, reading, ours");
}

/// Returns the origin that to_string() prints so; nothing for any other word.
inline std::optional<Origin> origin_from(std::string_view text) {
  for (const auto& [value, name] : detail::origin_names) {
    if (name == text) return value;
  }
  return std::nullopt;
}

/// A closed interval; an infinite end means "no bound on this side".
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  /// Returns whether x is a number in the interval: neither NaN nor an infinity, whatever the ends are.
  bool contains(double x) const { return std::isfinite(x) && low <= x && x <= high; }

  /// Returns the interval from `center` - `half_width` to `center` + `half_width` (>= 0).
  static Interval around(double center, double half_width) { return {center - half_width, center + half_width}; }
};

/// What is known about a control before it is measured: that the claim does not hold in this case, or that it does. A
/// case of the claim's own sentence in other circumstances is evidence, not a control: it supports or contradicts.
enum class Expected { fails, passes, evidence };

/// Returns "fails", "passes" or "evidence", as reports print it.
inline std::string_view to_string(Expected expected) {
  return expected == Expected::fails ? "fails" : expected == Expected::passes ? "passes" : "evidence";
}

/// Returns what to_string() prints so; nothing for any other word.
inline std::optional<Expected> expected_from(std::string_view text) {
  for (const Expected expected : {Expected::fails, Expected::passes, Expected::evidence})
    if (to_string(expected) == text) return expected;
  return std::nullopt;
}

/// A case in which it is known whether the claim holds, measured as the claim is.
struct Control {
  std::string name = {};
  /// The number of this case. NaN: it was not measured, and shows nothing. An infinity: the run was lost (it blew up or
  /// stopped early), which is a way to fail where the claim is about a run that goes on; the note says what happened.
  double measured = std::numeric_limits<double>::quiet_NaN();
  /// The interval in which `measured` would have to lie for the claim to hold in this case.
  Interval interval = {};
  std::string note = {};
  Expected expected = Expected::fails;

  /// Returns whether the run was lost: it ended before there was a number.
  bool lost() const { return std::isinf(measured); }
  /// Returns whether the number lies outside the interval or the run was lost. What was not measured has not failed.
  bool failed() const { return !std::isnan(measured) && !interval.contains(measured); }
  /// Returns whether the outcome was the expected one. What was not measured has no outcome; of evidence none is
  /// expected.
  bool as_expected() const {
    return expected == Expected::evidence || (expected == Expected::fails ? failed() : interval.contains(measured));
  }
};

/// The place where a claim is made: the document's short name ("TO14") and the place in it ("Sec. 4.1, Fig. 1").
struct Place {
  std::string document = {};
  std::string place = {};
};

/// One claim, with what was measured about it.
struct Claim {
  std::string id = {};  ///< as in the registry, e.g. "TO14.thm1.1.2.symplectic"
  Place source = {};
  Origin origin = Origin::statement;
  std::string anchor = {};      ///< a few words by which the sentence is found in the document; empty if it is ours
  std::string headline = {};    ///< the question about the document to which the claim belongs
  std::string statement = {};   ///< what the document says, in our words
  std::string hypothesis = {};  ///< the conditions under which it says so
  std::string how = {};         ///< how `measured` is obtained
  double measured = std::numeric_limits<double>::quiet_NaN();
  std::string unit = {};  ///< unit of `measured` and of the interval; empty for a pure number
  Interval interval = {};
  std::string reason = {};  ///< why the interval is this one; never empty
  std::vector<Control> controls = {};
  /// The verdict. Setting it to confirmed_with_limits, misprint, undecided or not_testable proposes one of these; any
  /// other value is recomputed by decide().
  Verdict verdict = Verdict::confirmed;
  Evidence evidence = Evidence::measured;
  /// The probability that an identity tested at random points holds there by accident; for Evidence::proved only.
  std::optional<double> probability_bound = std::nullopt;
  std::string note = {};  ///< what was found: the limits, the corrected formula beside the literal one
};

/// Returns "measured", "proved (p < 1e-30)", "proved (exact)", "disproved (exact)" or "argued".
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

/// Throws std::invalid_argument, which names the claim, for a claim that cannot be judged: a missing id, source,
/// headline, statement or reason; a missing anchor of what a document says, or an anchor of what it does not say; an
/// interval with low > high or a NaN end; a measurement that is no finite number, or a proposal other than misprint,
/// without a note that says why; controls without a name or with one name twice; a control without a finite number, or
/// with an interval other than the claim's, without a note; a probability bound outside (0, 1e-9] or beside evidence
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
  if (claim.anchor.empty() != (claim.origin == Origin::ours)) {
    refuse(claim.anchor.empty() ? "it has no anchor, by which its sentence is found in the document"
                                : "it has an anchor in the document, but is ours");
  }
  if (claim.headline.empty()) refuse("the headline is empty");
  if (claim.statement.empty()) refuse("the statement is empty");
  if (claim.reason.empty()) refuse("the reason for its interval is empty; every tolerance has a stated reason");
  check_interval(claim.interval, "the measurement");
  if (claim.verdict != Verdict::not_testable && claim.note.empty()) {
    if (!std::isfinite(claim.measured)) {
      refuse("the measured value is " + std::to_string(claim.measured) +
             ", which decides nothing; the note of a claim without a finite number says why there is none");
    }
    if (claim.verdict == Verdict::undecided) refuse("it is undecided, but no note says what is missing");
    if (claim.verdict == Verdict::confirmed_with_limits) refuse("it is confirmed with limits, but no note says which");
  }
  if (claim.verdict == Verdict::not_testable && claim.note.empty()) refuse("it is not testable, but no note says why");
  for (const Control& control : claim.controls) {
    if (control.name.empty()) refuse("a control has no name");
    check_interval(control.interval, "control '" + control.name + "'");
    int same_name = 0;
    for (const Control& other : claim.controls) same_name += other.name == control.name ? 1 : 0;
    if (same_name > 1) refuse("two controls are named '" + control.name + "'");
    if (!std::isfinite(control.measured) && control.note.empty()) {
      refuse("control '" + control.name + "' has no finite value and no note that says why");
    }
    const bool same = control.interval.low == claim.interval.low && control.interval.high == claim.interval.high;
    if (!same && control.note.empty())
      refuse("the interval of control '" + control.name + "' is not the claim's, and no note says why");
  }
  if (claim.probability_bound) {
    const double bound = *claim.probability_bound;
    if (claim.evidence != Evidence::proved) refuse("a probability bound belongs to evidence 'proved' only");
    if (!(bound > 0 && bound <= 1e-9))
      refuse("the probability bound is " + std::to_string(bound) + "; a proof has one above 0 and at most 1e-9");
  }
}

/// Returns the verdict that follows from the numbers alone. It is broken_control if a control had an unexpected
/// outcome, undecided without a finite number, and confirmed inside the interval. Outside the interval it is refuted if
/// a control of each kind shows that the test can say no and can say yes, and undecided if not.
inline Verdict decide(double measured, const Interval& interval, const std::vector<Control>& controls) {
  bool can_say_no = false, can_say_yes = false;
  for (const Control& control : controls) {
    if (!control.as_expected()) return Verdict::broken_control;
    if (control.expected == Expected::evidence) continue;
    (control.expected == Expected::fails ? can_say_no : can_say_yes) = true;
  }
  if (!std::isfinite(measured)) return Verdict::undecided;
  if (interval.contains(measured)) return Verdict::confirmed;
  return can_say_no && can_say_yes ? Verdict::refuted : Verdict::undecided;
}

/// Returns whether more natural cases of a claim contradict it than support it, its own case among them: it is no rule.
inline bool is_no_rule(const Claim& claim) {
  int supporting = claim.interval.contains(claim.measured) ? 1 : 0, contradicting = 1 - supporting;
  for (const Control& control : claim.controls) {
    if (control.expected != Expected::evidence || std::isnan(control.measured)) continue;
    ++(control.failed() ? contradicting : supporting);
  }
  return contradicting > supporting;
}

/// Returns the verdict of a claim, after check(). Among the proposals in `claim.verdict`, undecided and not_testable
/// stand; confirmed_with_limits stands where the numbers confirm, and misprint where they refute what is printed (what
/// is right as printed is confirmed). An interpretation of ours (Origin::reading) is confirmed with limits, for it is
/// one of several, or undecided. A statement of our own is a result if its number supports it, and undecided if not.
/// What its numbers confirm is undecided if it is no rule. Nothing survives a control with an unexpected outcome.
inline Verdict decide(const Claim& claim) {
  check(claim);
  Verdict by_numbers = decide(claim.measured, claim.interval, claim.controls);
  if (by_numbers == Verdict::confirmed && is_no_rule(claim)) by_numbers = Verdict::undecided;
  if (by_numbers == Verdict::broken_control) return by_numbers;
  if (claim.origin == Origin::ours) return by_numbers == Verdict::confirmed ? Verdict::result : Verdict::undecided;
  if (claim.verdict == Verdict::undecided || claim.verdict == Verdict::not_testable) return claim.verdict;
  if (claim.origin == Origin::reading)
    return by_numbers == Verdict::confirmed ? Verdict::confirmed_with_limits : Verdict::undecided;
  if (by_numbers == Verdict::refuted && claim.verdict == Verdict::misprint) return claim.verdict;
  if (by_numbers == Verdict::confirmed && claim.verdict == Verdict::confirmed_with_limits) return claim.verdict;
  return by_numbers;
}

}  // namespace livi
