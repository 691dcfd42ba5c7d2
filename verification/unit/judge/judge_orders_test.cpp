// SPDX-License-Identifier: MIT
//
// Methods of order 5 to 12 before the judge: right ones are not refuted, whatever the seed, and a declaration that is wrong by
// one is. Double has room for few of their steps between those that are long for the motion and rounding.
#include <gtest/gtest.h>
#include <livi/judge/rows/judgement.hpp>

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
  // Their slopes in double agree on 11, and on 12 with another seed.
  for (const high_orders::Named& method : high_orders::right_methods())
    if (method.name == "Gauss 12")
      for (const std::uint64_t seed : {21, 30}) expect_right(method, seed);
}

TEST(HighOrders, right_methods_are_not_refuted_with_forty_seeds) {
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

}  // namespace judge_orders_test
