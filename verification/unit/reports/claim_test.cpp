// SPDX-License-Identifier: MIT
#include <livi/claims/claim.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace claim_test {

using livi::Claim;
using livi::Control;
using livi::Evidence;
using livi::Expected;
using livi::Interval;
using livi::Origin;
using livi::Verdict;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Claim order_claim() {
  return {.id = "XX00.order",
          .source = {"XX00", "Sec. 1"},
          .anchor = "words of its sentence",
          .headline = "method",
          .statement = "the method has order two",
          .measured = 2.01,
          .interval = {1.9, 2.1},
          .reason = "the fit scatters by 0.05",
          .controls = {{.name = "first-order method", .measured = 1.02, .interval = {1.9, 2.1}},
                       {.name = "another method of order two",
                        .measured = 2.02,
                        .interval = {1.9, 2.1},
                        .expected = Expected::passes}}};
}

std::string refusal(const Claim& claim) {
  try {
    livi::check(claim);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Interval, is_closed_and_contains_no_nan) {
  const Interval interval{1, 2};
  EXPECT_TRUE(interval.contains(1));
  EXPECT_TRUE(interval.contains(2));
  EXPECT_FALSE(interval.contains(std::nextafter(1.0, 0.0)));
  EXPECT_FALSE(interval.contains(std::nextafter(2.0, 3.0)));
  EXPECT_FALSE(interval.contains(kNan));
}

TEST(Interval, open_ends_contain_every_number_and_nothing_else) {
  EXPECT_FALSE(Interval{}.contains(-kInfinity));
  EXPECT_FALSE((Interval{0, kInfinity}.contains(kInfinity)));
  EXPECT_TRUE((Interval{0, kInfinity}.contains(1e308)));
  EXPECT_FALSE((Interval{0, kInfinity}.contains(-1e-300)));
  EXPECT_FALSE(Interval{}.contains(kNan));
}

TEST(Interval, around_is_two_sided) {
  const Interval interval = Interval::around(2, 0.25);
  EXPECT_EQ(interval.low, 1.75);
  EXPECT_EQ(interval.high, 2.25);
}

TEST(Control, fails_outside_its_interval_or_when_its_run_was_lost) {
  EXPECT_FALSE((Control{"inside", 2.0, {1, 3}}.failed()));
  EXPECT_TRUE((Control{"outside", 4.0, {1, 3}}.failed()));
  // What was not measured shows nothing about the test.
  EXPECT_FALSE((Control{"no number", kNan, {1, 3}}.failed()));
  EXPECT_TRUE((Control{"blew up", kInfinity, {1, 3}}.failed()));
  // A report holds no infinities: what is read back must fail as what was written.
  EXPECT_TRUE((Control{"blew up", kInfinity, {1, kInfinity}}.failed()));
  EXPECT_TRUE((Control{"blew down", -kInfinity, {-kInfinity, 3}}.failed()));
}

TEST(Control, does_what_is_known_of_it) {
  const auto as_expected = [](double measured, Expected expected) {
    return Control{.measured = measured, .interval = {1, 3}, .expected = expected}.as_expected();
  };
  EXPECT_TRUE(as_expected(4, Expected::fails));
  EXPECT_FALSE(as_expected(2, Expected::fails));
  EXPECT_TRUE(as_expected(2, Expected::passes));
  EXPECT_FALSE(as_expected(4, Expected::passes));
  // A run that was lost has failed; what was not measured has neither failed nor passed.
  EXPECT_TRUE(as_expected(kInfinity, Expected::fails));
  EXPECT_FALSE(as_expected(kInfinity, Expected::passes));
  EXPECT_FALSE(as_expected(kNan, Expected::fails));
  EXPECT_FALSE(as_expected(kNan, Expected::passes));
  EXPECT_FALSE((Control{.measured = kInfinity, .interval = {}, .expected = Expected::passes}.as_expected()));
}

TEST(Decide, inside_confirms_and_outside_refutes_on_both_sides) {
  Claim claim = order_claim();
  EXPECT_EQ(decide(claim), Verdict::confirmed);
  claim.measured = 2.2;
  EXPECT_EQ(decide(claim), Verdict::refuted);
  claim.measured = 1.8;
  EXPECT_EQ(decide(claim), Verdict::refuted);
}

TEST(Decide, does_not_believe_a_proposed_confirmation_or_refutation) {
  Claim claim = order_claim();
  claim.measured = 1.0;
  claim.verdict = Verdict::confirmed;
  EXPECT_EQ(decide(claim), Verdict::refuted);
  claim.measured = 2.0;
  claim.verdict = Verdict::refuted;
  EXPECT_EQ(decide(claim), Verdict::confirmed);
  claim.verdict = Verdict::broken_control;
  EXPECT_EQ(decide(claim), Verdict::confirmed);
}

// A test that was never seen to say no, or never to say yes, may always say the same.
TEST(Decide, refutes_only_where_controls_of_both_kinds_were_seen) {
  Claim claim = order_claim();
  claim.measured = 1.0;
  EXPECT_EQ(decide(claim), Verdict::refuted);
  claim.controls.pop_back();  // only one that fails
  EXPECT_EQ(decide(claim), Verdict::undecided);
  claim.verdict = Verdict::misprint;  // as printed it fails; the corrected formula has not been seen to pass
  EXPECT_EQ(decide(claim), Verdict::undecided);
  claim = order_claim();
  claim.measured = 1.0;
  claim.controls.erase(claim.controls.begin());  // only one that passes
  EXPECT_EQ(decide(claim), Verdict::undecided);
  claim.controls.clear();
  EXPECT_EQ(decide(claim), Verdict::undecided);
  claim.measured = 2.0;
  EXPECT_EQ(decide(claim), Verdict::confirmed) << "a count that is right needs no control";
}

TEST(Decide, evidence_is_no_control_and_more_against_than_for_decides_nothing) {
  const auto with = [](std::vector<double> cases, Verdict proposed = Verdict::confirmed) {
    Claim claim = order_claim();
    claim.verdict = proposed;
    claim.note = "for these cases";
    int k = 0;
    for (const double measured : cases)
      claim.controls.push_back({.name = "case " + std::to_string(++k),
                                .measured = measured,
                                .interval = claim.interval,
                                .note = "a case",
                                .expected = Expected::evidence});
    return claim;
  };
  constexpr double supports = 2.0, contradicts = 1.0;
  EXPECT_EQ(decide(with({contradicts})), Verdict::confirmed) << "as many for it, with its own case";
  EXPECT_EQ(decide(with({contradicts, contradicts})), Verdict::undecided);
  EXPECT_EQ(decide(with({contradicts, contradicts, supports})), Verdict::confirmed);
  EXPECT_EQ(decide(with({contradicts, kNan})), Verdict::confirmed) << "not measured";
  EXPECT_EQ(decide(with({contradicts, contradicts}, Verdict::confirmed_with_limits)), Verdict::undecided);
  // It does not show that the test can say yes or no.
  Claim outside = with({contradicts, supports});
  outside.measured = contradicts;
  EXPECT_EQ(decide(outside), Verdict::refuted);
  for (const int kept : {0, 1}) {
    Claim one_kind = outside;
    one_kind.controls.erase(one_kind.controls.begin() + kept);
    EXPECT_EQ(decide(one_kind), Verdict::undecided) << kept;
  }
  for (const char* word : {"fails", "passes", "evidence"}) EXPECT_EQ(livi::to_string(*livi::expected_from(word)), word);
  EXPECT_FALSE(livi::expected_from("maybe"));
}

TEST(Decide, what_is_ours_is_a_result_and_never_a_claim_of_the_document) {
  for (const Verdict proposed : {Verdict::confirmed, Verdict::confirmed_with_limits, Verdict::refuted,
                                 Verdict::misprint, Verdict::undecided, Verdict::not_testable, Verdict::result}) {
    Claim claim = order_claim();
    claim.origin = Origin::ours;
    claim.anchor = "";
    claim.verdict = proposed;
    claim.note = "found by the way";
    EXPECT_EQ(decide(claim), Verdict::result) << to_string(proposed);
    claim.measured = 1.0;
    EXPECT_EQ(decide(claim), Verdict::undecided) << "its own number does not support it";
    claim.measured = kNan;
    EXPECT_EQ(decide(claim), Verdict::undecided);
    claim.measured = 2.0;
    claim.controls[0].measured = 2.0;
    EXPECT_EQ(decide(claim), Verdict::broken_control);
  }
}

TEST(Decide, a_reading_holds_within_limits_or_decides_nothing) {
  for (const Verdict proposed :
       {Verdict::confirmed, Verdict::confirmed_with_limits, Verdict::refuted, Verdict::misprint}) {
    Claim claim = order_claim();
    claim.origin = Origin::reading;
    claim.verdict = proposed;
    claim.note = "For h < 1.";
    EXPECT_EQ(decide(claim), Verdict::confirmed_with_limits) << to_string(proposed);
    claim.measured = 1.0;
    EXPECT_EQ(decide(claim), Verdict::undecided) << to_string(proposed);
  }
}

TEST(Decide, nothing_is_called_a_result_that_is_not_ours) {
  Claim claim = order_claim();
  claim.verdict = Verdict::result;
  EXPECT_EQ(decide(claim), Verdict::confirmed);
}

TEST(Decide, no_verdict_survives_a_control_that_did_otherwise) {
  for (const Verdict proposed : {Verdict::confirmed, Verdict::confirmed_with_limits, Verdict::refuted,
                                 Verdict::misprint, Verdict::not_testable, Verdict::broken_control}) {
    Claim claim = order_claim();
    claim.verdict = proposed;
    claim.note = "For h < 1.";
    claim.controls.push_back({.name = "a control that passes", .measured = 2.0, .interval = {1.9, 2.1}});
    EXPECT_EQ(decide(claim), Verdict::broken_control) << to_string(proposed);
    claim.measured = 7;  // nor does a refutation
    EXPECT_EQ(decide(claim), Verdict::broken_control) << to_string(proposed);
    claim.controls.back() = {
        .name = "a control that fails", .measured = 1.0, .interval = {1.9, 2.1}, .expected = Expected::passes};
    EXPECT_EQ(decide(claim), Verdict::broken_control) << to_string(proposed);
  }
}

TEST(Decide, keeps_the_verdicts_that_are_the_experiments_to_choose) {
  Claim claim = order_claim();
  claim.verdict = Verdict::misprint;
  claim.measured = 1.0;
  EXPECT_EQ(decide(claim), Verdict::misprint);
  claim.measured = 2.0;
  claim.verdict = Verdict::undecided;
  claim.note = "the error of sampling is larger than what is asked";
  EXPECT_EQ(decide(claim), Verdict::undecided);
  claim.verdict = Verdict::confirmed_with_limits;
  EXPECT_EQ(decide(claim), Verdict::confirmed_with_limits);
  claim.verdict = Verdict::not_testable;
  claim.measured = kNan;
  EXPECT_EQ(decide(claim), Verdict::not_testable);
}

TEST(Decide, a_misprint_that_turns_out_right_is_confirmed) {
  Claim claim = order_claim();
  claim.verdict = Verdict::misprint;
  EXPECT_EQ(decide(claim), Verdict::confirmed);
}

TEST(Decide, a_control_that_was_not_measured_is_broken) {
  Claim claim = order_claim();
  claim.controls[0].measured = kNan;
  claim.controls[0].note = "the run could not be made";
  EXPECT_EQ(decide(claim), Verdict::broken_control);
  claim.controls[0].measured = kInfinity;
  EXPECT_EQ(decide(claim), Verdict::confirmed);
}

TEST(Decide, limits_do_not_rescue_a_number_outside) {
  Claim claim = order_claim();
  claim.verdict = Verdict::confirmed_with_limits;
  claim.note = "For h < 1.";
  claim.measured = 1.0;
  EXPECT_EQ(decide(claim), Verdict::refuted);
}

TEST(Decide, what_is_no_finite_number_is_undecided_whatever_the_interval) {
  for (const double nothing : {kNan, kInfinity, -kInfinity}) {
    for (const Interval& interval : {Interval{0, 1}, Interval{0, kInfinity}, Interval{}}) {
      EXPECT_EQ(livi::decide(nothing, interval, {}), Verdict::undecided);
      for (const Verdict proposed : {Verdict::confirmed, Verdict::confirmed_with_limits, Verdict::refuted,
                                     Verdict::misprint, Verdict::undecided, Verdict::broken_control}) {
        Claim claim = order_claim();
        claim.interval = interval;
        claim.controls.clear();
        claim.measured = nothing;
        claim.verdict = proposed;
        EXPECT_THROW(decide(claim), std::invalid_argument) << "without a note that says why";
        EXPECT_NE(refusal(claim).find("XX00.order"), std::string::npos);
        claim.note = "the run failed at t = 3";
        EXPECT_EQ(decide(claim), Verdict::undecided);
      }
    }
  }
}

TEST(Check, accepts_a_complete_claim) { EXPECT_EQ(refusal(order_claim()), ""); }

TEST(Check, refuses_an_empty_reason) {
  Claim claim = order_claim();
  claim.reason = "";
  EXPECT_NE(refusal(claim).find("reason"), std::string::npos);
}

TEST(Check, refuses_missing_texts) {
  Claim claim = order_claim();
  claim.id = "";
  EXPECT_NE(refusal(claim).find("id"), std::string::npos);
  claim = order_claim();
  claim.source.place = "";
  EXPECT_NE(refusal(claim).find("source"), std::string::npos);
  claim = order_claim();
  claim.statement = "";
  EXPECT_NE(refusal(claim).find("statement"), std::string::npos);
  claim = order_claim();
  claim.headline = "";
  EXPECT_NE(refusal(claim).find("headline"), std::string::npos);
}

TEST(Check, wants_an_anchor_for_what_a_document_says_and_for_nothing_else) {
  for (const Origin origin : {Origin::statement, Origin::number, Origin::reading}) {
    Claim claim = order_claim();
    claim.origin = origin;
    EXPECT_EQ(refusal(claim), "");
    claim.anchor = "";
    EXPECT_NE(refusal(claim).find("no anchor"), std::string::npos);
  }
  Claim claim = order_claim();
  claim.origin = Origin::ours;
  EXPECT_NE(refusal(claim).find("has an anchor"), std::string::npos);
  claim.anchor = "";
  EXPECT_EQ(refusal(claim), "");
}

TEST(Check, refuses_intervals_that_are_none) {
  Claim claim = order_claim();
  claim.interval = {2.1, 1.9};
  EXPECT_NE(refusal(claim).find("interval"), std::string::npos);
  claim = order_claim();
  claim.interval = {kNan, 1};
  EXPECT_NE(refusal(claim).find("interval"), std::string::npos);
  claim = order_claim();
  claim.controls[0].interval = {0, kNan};
  EXPECT_NE(refusal(claim).find("first-order method"), std::string::npos);
}

TEST(Check, refuses_nameless_repeated_and_unexplained_controls) {
  Claim claim = order_claim();
  claim.controls.push_back(claim.controls[0]);
  EXPECT_NE(refusal(claim).find("two controls"), std::string::npos);
  claim = order_claim();
  claim.controls[0].name = "";
  EXPECT_NE(refusal(claim).find("no name"), std::string::npos);
  claim = order_claim();
  claim.controls[0].measured = kInfinity;
  EXPECT_NE(refusal(claim).find("note"), std::string::npos);
  claim.controls[0].note = "blew up at t = 3";
  EXPECT_EQ(refusal(claim), "");
}

TEST(Check, wants_a_note_for_what_a_person_proposes) {
  for (const Verdict verdict : {Verdict::confirmed_with_limits, Verdict::undecided, Verdict::not_testable}) {
    Claim claim = order_claim();
    claim.verdict = verdict;
    EXPECT_NE(refusal(claim).find("note"), std::string::npos);
    claim.note = "For h < 1.";
    EXPECT_EQ(refusal(claim), "");
  }
}

TEST(Check, wants_a_note_for_a_control_with_another_interval) {
  for (const Interval& other : {Interval{1.9, 2.2}, Interval{1.8, 2.1}}) {
    Claim claim = order_claim();
    claim.controls[1].interval = other;
    EXPECT_NE(refusal(claim).find("'another method of order two' is not the claim's"), std::string::npos);
    claim.controls[1].note = "of q alone";
    EXPECT_EQ(refusal(claim), "");
  }
}

TEST(Check, refuses_probability_bounds_that_bound_nothing) {
  Claim claim = order_claim();
  claim.probability_bound = 1e-30;
  EXPECT_NE(refusal(claim).find("proved"), std::string::npos);
  claim.evidence = Evidence::proved;
  EXPECT_EQ(refusal(claim), "");
  for (const double bound : {0.0, 1.0, -1.0, 0.999, 2e-9, kNan}) {
    claim.probability_bound = bound;
    EXPECT_NE(refusal(claim), "") << bound;
  }
}

TEST(Texts, name_every_verdict_and_read_it_back) {
  for (const Verdict verdict : {Verdict::confirmed, Verdict::confirmed_with_limits, Verdict::refuted, Verdict::misprint,
                                Verdict::undecided, Verdict::not_testable, Verdict::result, Verdict::broken_control}) {
    EXPECT_EQ(livi::verdict_from(to_string(verdict)), verdict);
  }
  EXPECT_EQ(to_string(Verdict::confirmed_with_limits), "confirmed-with-limits");
  EXPECT_FALSE(livi::verdict_from("confirmed_with_limits"));
}

TEST(Texts, name_every_origin_and_read_it_back) {
  for (const Origin origin : {Origin::statement, Origin::number, Origin::reading, Origin::ours})
    EXPECT_EQ(livi::origin_from(to_string(origin)), origin);
  EXPECT_FALSE(livi::origin_from("theirs"));
}

TEST(Texts, say_how_a_verdict_was_obtained) {
  EXPECT_EQ(livi::evidence_text(Evidence::measured), "measured");
  EXPECT_EQ(livi::evidence_text(Evidence::proved, 1e-30), "proved (p < 1e-30)");
  EXPECT_EQ(livi::evidence_text(Evidence::proved), "proved (exact)");
  EXPECT_EQ(livi::evidence_text(Evidence::disproved), "disproved (exact)");
  EXPECT_EQ(livi::evidence_text(Evidence::argued), "argued");
}

TEST(Control, is_lost_when_it_has_no_finite_number) {
  for (const double infinite : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()})
    EXPECT_TRUE(livi::Control{.measured = infinite}.lost());
  for (const double number : {0.0, -1e300, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_FALSE(livi::Control{.measured = number}.lost());
}

}  // namespace claim_test
