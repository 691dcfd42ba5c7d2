// SPDX-License-Identifier: MIT
//
// Methods of order 5 to 12 before the judge: right ones are not refuted, whatever the seed, and a declaration that is wrong by
// one is. Double has room for few of their steps between those that are long for the motion and rounding.
#include <gtest/gtest.h>
#include <livi/judge/rows/judgement.hpp>

#include <algorithm>
#include <cmath>

#include "verification/judge/high_orders.hpp"

namespace judge_orders_test {

using namespace livi;

struct Counts {
  int confirmed = 0, refuted = 0, undecided = 0;
  std::string notes;
};
/// The verdicts on the rows of the order.
Counts judged(const high_orders::Named& method, int declared, std::uint64_t seed) {
  ForeignDeclaration declaration;
  declaration.name = method.name;
  declaration.order = declared;
  declaration.kinds = {ProblemKind::mechanical, ProblemKind::timed, ProblemKind::separable};
  OfStepSubject subject(method.step, declaration);
  Counts counts;
  for (const JudgementRow& row : judge(subject, {.seed = seed, .quick = true}).rows) {
    if (row.test.rfind("order", 0) != 0) continue;
    const Verdict verdict = row.claim.verdict;
    ++(verdict == Verdict::confirmed ? counts.confirmed
       : verdict == Verdict::refuted ? counts.refuted
                                     : counts.undecided);
    if (verdict != Verdict::confirmed)
      counts.notes += "seed " + std::to_string(seed) + ", " + row.test + ": " + row.claim.note + "\n";
  }
  return counts;
}

/// Double shows no order of eleven or more: errors meet rounding after two or three halvings.
void expect_right(const high_orders::Named& method, std::uint64_t seed) {
  const Counts counts = judged(method, method.order, seed);
  EXPECT_EQ(counts.refuted, 0) << method.name << ": " << counts.notes;
  if (method.order <= 8) {
    EXPECT_EQ(counts.confirmed, 3) << method.name << ": " << counts.notes;
  }
  if (method.order > 10) {
    EXPECT_EQ(counts.undecided, 3) << method.name << ": " << counts.notes;
    EXPECT_NE(counts.notes.find("numbers=digits:50"), std::string::npos) << counts.notes;
  }
}

TEST(HighOrders, right_methods_are_not_refuted) {
  for (const high_orders::Named& method : high_orders::right_methods()) expect_right(method, 7);
}

// The weights of extrapolated Euler steps are in the thousands. So is the rounding of a step, and errors soon stop falling.
TEST(HighOrders, with_large_rounding_are_not_refuted) {
  for (const int order : {7, 9})
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Counts counts =
          judged({"extrapolated Euler", order, false, false, high_orders::extrapolated_euler(order)}, order, seed);
      EXPECT_EQ(counts.refuted, 0) << order << ": " << counts.notes;
    }
}

TEST(HighOrders, right_methods_are_not_refuted_with_forty_seeds) {
  // With the seeds 21 and 30 the slopes of Gauss 12 in double agree on 11 and on 12.
  for (const high_orders::Named& method : high_orders::right_methods())
    for (std::uint64_t seed = 1; seed <= 40; ++seed) expect_right(method, seed);
}

TEST(HighOrders, declarations_wrong_by_one_are_refuted) {
  for (const high_orders::Named& method : high_orders::right_methods())
    for (const int wrong : {-1, 1}) {
      if (method.order + wrong > 10 || (method.order > 8 && wrong < 0)) continue;
      const Counts counts = judged(method, method.order + wrong, 2);
      EXPECT_EQ(counts.confirmed, 0) << method.name << " as of order " << method.order + wrong;
      EXPECT_GE(counts.refuted, 2) << method.name << " as of order " << method.order + wrong << ": " << counts.notes;
    }
}

// Double does not tell orders above ten. What declares one and has a lower one is never confirmed.
TEST(HighOrders, of_ten_are_not_confirmed_as_eleven_or_fourteen) {
  for (const high_orders::Named& method : high_orders::right_methods()) {
    if (method.order != 10) continue;
    for (const int declared : {11, 14})
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Counts counts = judged(method, declared, seed);
        EXPECT_EQ(counts.confirmed, 0) << method.name << " as of order " << declared << ", seed " << seed;
      }
  }
}

// Points and forces without time show no slope, for errors are rounding there. Forces of time are looked at all the same.
TEST(Orders, backwards_are_those_of_all_kinds) {
  const auto methods = high_orders::right_methods();
  const auto exact = std::ranges::find(methods, "Gauss 12", &high_orders::Named::name);
  ASSERT_NE(exact, methods.end());
  const Step fine = exact->step,
             fourth = high_orders::runge_kutta({{}, {0.5}, {0, 0.5}, {0, 0, 1}, {1. / 6, 1. / 3, 1. / 3, 1. / 6}});
  const Step step = [=](Forces<double>& forces, TimedPoint<double>& z, double h) {
    if (forces.problem().kind == ProblemKind::timed) {
      const double t = z.t;
      if (h < 0) z.t = t - h;  // it takes another force where it goes back
      fourth(forces, z, h);
      z.t = t;
      return;
    }
    const double t = z.t;
    for (int k = 0; k < 16; ++k, z.t += h / 16) fine(forces, z, h / 16);
    z.t = t;
  };
  ForeignDeclaration declaration;
  declaration.name = "x";
  declaration.order = 4;
  declaration.kinds = {ProblemKind::mechanical, ProblemKind::timed};
  OfStepSubject subject(step, declaration);
  const Judgement judgement = judge(subject, {.seed = 1, .quick = true});
  const auto row = std::ranges::find(judgement.rows, RowId(TestId::order_negative), &JudgementRow::id);
  ASSERT_NE(row, judgement.rows.end());
  EXPECT_EQ(row->claim.verdict, Verdict::refuted) << row->claim.measured << ": " << row->claim.note;
}

}  // namespace judge_orders_test
