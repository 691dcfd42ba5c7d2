// SPDX-License-Identifier: MIT
//
// Methods for constrained systems in a heat bath before the judge: which flaw is seen by which measure, and that an honest method is
// cleared by all rows.
#include <gtest/gtest.h>
#include <livi/claims/heat_bath_measures.hpp>
#include <livi/judge/doors/hello.hpp>
#include <livi/judge/hints/diagnosis.hpp>
#include <livi/judge/measures/constrained_bath.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <cmath>
#include <map>
#include <set>

#include "verification/judge/bath_method.hpp"
#include "verification/judge/judgement_rows.hpp"

namespace judge_constrained_bath_test {

using namespace livi;
using namespace livi::battery_detail;

enum class Flaw {
  none,
  friction_per_constraint,
  not_projected,
  across_as_declared,  ///< not projected either, and does not declare `hidden`
  twice_as_hot,
  shared_noise,        ///< all bodies have the numbers of the first
  old_noise,           ///< all steps have the numbers of the first one after a start
  clipped,             ///< numbers beyond 2 are 2
  noise_when_cold,     ///< without friction momenta get 1e-14 of a number
  none_when_cold,      ///< without friction momenta are NaN
  other_when_cold,     ///< without friction steps are 1e-9 longer
  numbers_of_its_own,  ///< numbers that are not those of the judge
  bath_of_order_one,   ///< p (1 - gamma h) + (2 gamma T h m)^(1/2) noise
  late,                ///< as none, and declares averages of order three
  many_numbers,        ///< asks for 50 numbers that it does not use
  first_size,          ///< the bath of each step has the size of the first one after a start
};

BathRules rules_with(Flaw flaw) {
  using Of = BathRules::Of;
  BathRules rules;
  switch (flaw) {
    case Flaw::friction_per_constraint:
      rules.decay = [](const Of& of) { return std::exp(-of.gamma * of.h * of.constraints); };
      break;
    case Flaw::not_projected:
    case Flaw::across_as_declared:
      rules.projected = false;
      break;
    case Flaw::twice_as_hot:
      rules.variance = [](const Of& of) { return 2 * of.temperature * of.mass * -std::expm1(-2 * of.gamma * of.h); };
      break;
    case Flaw::shared_noise:
      rules.number = [](std::size_t i) { return i % 3; };
      break;
    case Flaw::old_noise:
      rules.first_numbers = true;
      break;
    case Flaw::clipped:
      rules.taken_for = [](double x) { return std::max(-2.0, std::min(2.0, x)); };
      break;
    case Flaw::noise_when_cold:
      rules.when_cold = 1e-14;
      break;
    case Flaw::none_when_cold:
      rules.when_cold = std::nan("");
      break;
    case Flaw::other_when_cold:
      rules.longer_when_cold = 1e-9;
      break;
    case Flaw::numbers_of_its_own:
      rules.has_own_numbers = true;
      break;
    case Flaw::bath_of_order_one:
      rules.decay = [](const Of& of) { return 1 - of.gamma * of.h; };
      rules.variance = [](const Of& of) { return 2 * of.gamma * of.temperature * of.mass * of.h; };
      break;
    case Flaw::first_size:
      rules.first_size = true;
      break;
    case Flaw::many_numbers:
      rules.superfluous = 50;
      break;
    case Flaw::none:
    case Flaw::late:
      break;
  }
  return rules;
}
BathMethod method_with(Flaw flaw) {
  return BathMethod(rules_with(flaw), true, flaw == Flaw::late ? 3 : 2, flaw != Flaw::across_as_declared);
}

using Tests = std::set<std::string>;

const Judgement& judged(Flaw flaw) {
  static std::map<Flaw, Judgement> all;
  if (!all.contains(flaw)) {
    BathMethod method = method_with(flaw);
    all.emplace(flaw, judge(method, {.drawn = 0, .quick = true, .slow = true}));
  }
  return all.at(flaw);
}
/// Returns the rows of the bath with a verdict.
Tests rows_with(Flaw flaw, Verdict verdict) {
  static const Tests others{"without friction", "noise without friction", "sampling of q and p"};
  Tests tests;
  int seen = 0;
  for (const JudgementRow& row : judged(flaw).rows) {
    if (row.test.find("in the bath") == std::string::npos && !others.contains(row.test)) continue;
    ++seen;
    EXPECT_NE(row.claim.verdict, Verdict::broken_control) << row.test << ": " << row.claim.note;
    if (row.claim.verdict == verdict) tests.insert(row.test);
  }
  EXPECT_EQ(seen, flaw == Flaw::across_as_declared ? 9 : 10);
  return tests;
}
Tests refuted(Flaw flaw) { return rows_with(flaw, Verdict::refuted); }

TEST(ConstrainedBath, clears_honest_methods) {
  EXPECT_EQ(rows_with(Flaw::none, Verdict::confirmed).size(), 10U);
  EXPECT_EQ(rows_with(Flaw::across_as_declared, Verdict::confirmed).size(), 9U);
}

TEST(ConstrainedBath, refutes_each_flaw_by_the_rows_that_it_belongs_to) {
  const std::string friction = "friction in the bath", noise = "noise in the bath", fresh = "fresh noise in the bath",
                    sampling = "sampling of q and p";
  EXPECT_EQ(refuted(Flaw::friction_per_constraint), (Tests{friction, sampling}));
  EXPECT_EQ(refuted(Flaw::not_projected), (Tests{"hidden constraint in the bath"}));
  EXPECT_EQ(refuted(Flaw::twice_as_hot), (Tests{noise, fresh, sampling}));
  EXPECT_EQ(refuted(Flaw::shared_noise), (Tests{noise, fresh, sampling}));
  EXPECT_EQ(refuted(Flaw::old_noise), (Tests{fresh}));
  EXPECT_EQ(refuted(Flaw::clipped), (Tests{"linear noise in the bath"}));
  EXPECT_EQ(refuted(Flaw::noise_when_cold), (Tests{"noise without friction"}));
  EXPECT_EQ(refuted(Flaw::other_when_cold), (Tests{"without friction"}));
  EXPECT_EQ(refuted(Flaw::bath_of_order_one), (Tests{sampling}));
  EXPECT_EQ(refuted(Flaw::first_size), (Tests{fresh}));
  EXPECT_TRUE(refuted(Flaw::numbers_of_its_own).contains("repetition in the bath"));
}
TEST(ConstrainedBath, does_not_decide_what_its_rule_does_not_tell) {
  EXPECT_EQ(rows_with(Flaw::late, Verdict::undecided), Tests{"sampling of q and p"});
  EXPECT_EQ(rows_with(Flaw::many_numbers, Verdict::undecided), Tests{"sampling of q and p"});
  // What is clipped at two has another variance than that of what ones do.
  EXPECT_EQ(rows_with(Flaw::clipped, Verdict::undecided),
            (Tests{"friction in the bath", "noise in the bath", "fresh noise in the bath"}));
}
TEST(ConstrainedBath, does_not_take_what_is_not_a_number_for_noise) {
  EXPECT_EQ(refuted(Flaw::none_when_cold), Tests());
  const std::string& note = livi::test::row_of(judged(Flaw::none_when_cold), "noise without friction").claim.note;
  EXPECT_EQ(note.rfind("inconclusive: the state is not a number after ", 0), 0U) << note;
}

/// Geodesic BAOAB with several steps of RATTLE for each motion without forces.
BathMethod geodesic(int steps_of_rattle) {
  BathRules rules;
  rules.geodesic_steps = steps_of_rattle;
  return BathMethod(rules, true);
}

// What few nodes leave of an integral of h^2 makes slopes of short steps fall, to 1.47 and 1.35 with two and four steps.
TEST(ConstrainedBath, does_not_refute_averages_whose_slopes_have_not_settled) {
  for (const int steps_of_rattle : {1, 2, 4}) {
    BathMethod method = geodesic(steps_of_rattle);
    const Worst order = order_of_averages(ForeignHeatBath(method), GibbsPositions::few);
    EXPECT_FALSE(order.value < 1.7) << steps_of_rattle << ": " << order.value << ", " << order.where;
    const Judgement judgement = judge(method, {.drawn = 0, .quick = true, .slow = true});
    for (const JudgementRow& row : judgement.rows) {
      if (row.id.test != TestId::sampling) continue;
      EXPECT_NE(row.claim.verdict, Verdict::refuted) << row.claim.note;
    }
  }
}

// After a whole judgement, in which one mistake is refuted by several rows.
TEST(ConstrainedBath, says_what_is_wrong) {
  const auto said_of = [](Flaw flaw) {
    BathMethod method = method_with(flaw);
    const std::vector<std::string> said = diagnose(method, judged(flaw));
    return said.size() == 1 ? said.front() : std::to_string(said.size()) + " sentences";
  };
  EXPECT_EQ(said_of(Flaw::friction_per_constraint),
            "momenta are damped at the rate gamma c, not gamma: once for every constraint");
  EXPECT_EQ(said_of(Flaw::twice_as_hot),
            "the noise of a step of h has the variance 4 gamma T m h, not 2 gamma T m h: as at twice the temperature");
  EXPECT_EQ(said_of(Flaw::shared_noise), "the normal numbers of the first three momenta are taken for all others, too");
  EXPECT_EQ(said_of(Flaw::old_noise), "the normal numbers of the first step are taken in the next one, too");
  EXPECT_EQ(said_of(Flaw::clipped), "normal numbers are clipped: those beyond 2 have the effect of that");
  EXPECT_EQ(said_of(Flaw::first_size),
            "where steps change their size, friction and noise have that of the first step after a start");
  EXPECT_EQ(said_of(Flaw::none), "0 sentences");
}

TEST(ConstrainedBath, has_controls_under_a_declared_tolerance) {
  BathMethod method = method_with(Flaw::none);
  method.will_declare().tolerance = 1e-8;
  for (const JudgementRow& row : judge(method, {.drawn = 0, .quick = true, .slow = true}).rows)
    EXPECT_NE(row.claim.verdict, Verdict::broken_control) << row.test << ": " << row.claim.note;
}

TEST(ConstrainedBath, is_declared_with_or_without_the_kind_constrained) {
  const ForeignDeclaration bath =
      parse_hello("livi 1 kinds=constrained,constrained_langevin sampling=2 hidden=yes").declaration;
  EXPECT_TRUE(bath.takes(ProblemKind::constrained_langevin));
  EXPECT_EQ(bath.sampling, 2);
  EXPECT_TRUE(parse_hello("livi 1 kinds=constrained_langevin").declaration.takes(ProblemKind::constrained));
  for (const char* line :
       {"livi 1 kinds=constrained sampling=2", "livi 1 kinds=constrained,constrained_langevin numbers=rational"})
    EXPECT_THROW(parse_hello(line), ForeignFailure) << line;
}

}  // namespace judge_constrained_bath_test
