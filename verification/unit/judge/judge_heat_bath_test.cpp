// SPDX-License-Identifier: MIT
//
// The rows of the judge for methods with friction and noise: which flaw is refuted by which rows, that honest methods are
// cleared, and numbers that are known in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <livi/judge/controls/built_in_methods.hpp>
#include <livi/judge/measures/heat_bath.hpp>
#include <livi/judge/rows/judgement.hpp>

#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "judged_baths.hpp"
#include "verification/judge/bath_method.hpp"
#include "verification/judge/declaring.hpp"

namespace judge_heat_bath_test {

using namespace livi;
using namespace livi::test;

using Tests = std::set<std::string>;

/// Returns the rows of the heat bath with a verdict.
Tests rows_with(const BuiltInMethod& method, const ForeignDeclaration& declaration, Verdict verdict) {
  static const Tests of_bath{
      "noise",       "fresh noise",         "friction",      "noise of a body", "noise without heat",
      "noise later", "restart in the bath", "sampling of q", "sampling of p"};
  Declaring subject(method, declaration);
  Tests tests;
  int seen = 0;
  for (const JudgementRow& row : judge(subject, {.drawn = 0, .quick = true}).rows) {
    if (!of_bath.count(row.test)) continue;
    ++seen;
    EXPECT_NE(row.claim.verdict, Verdict::broken_control) << row.test << ": " << row.claim.note;
    if (row.claim.verdict == verdict) tests.insert(row.test);
  }
  EXPECT_EQ(seen, 9);
  return tests;
}
Tests refuted(BuiltInFlaw flaw, int power = 2) {
  return rows_with(built_in_baoab(flaw), sampling_with(power), Verdict::refuted);
}

TEST(HeatBath, clears_honest_methods) {
  for (const BuiltInMethod& method : {built_in_baoab(), obabo(), aboba()})
    EXPECT_EQ(rows_with(method, sampling_with(2), Verdict::confirmed).size(), 9U) << method.name;
  EXPECT_EQ(rows_with(built_in_baoab(BuiltInFlaw::first_order_bath), sampling_with(1), Verdict::confirmed).size(), 9U);
}

TEST(HeatBath, refutes_each_flaw_by_the_rows_that_it_belongs_to) {
  EXPECT_EQ(refuted(BuiltInFlaw::friction_per_body), (Tests{"friction", "noise of a body"}));
  EXPECT_EQ(refuted(BuiltInFlaw::noise_without_mass), (Tests{"noise of a body", "sampling of q", "sampling of p"}));
  EXPECT_EQ(refuted(BuiltInFlaw::shared_noise), (Tests{"noise of a body", "sampling of q", "sampling of p"}));
  EXPECT_EQ(refuted(BuiltInFlaw::old_noise), (Tests{"fresh noise", "noise later"}));
  EXPECT_EQ(refuted(BuiltInFlaw::squared_noise), (Tests{"noise"}));
  // Ones do not tell the variance of what is not linear in them.
  EXPECT_EQ(rows_with(built_in_baoab(BuiltInFlaw::squared_noise), sampling_with(2), Verdict::undecided),
            (Tests{"noise of a body", "noise later", "sampling of q", "sampling of p"}));
  EXPECT_EQ(refuted(BuiltInFlaw::noise_of_three), (Tests{"noise of a body"}));
  EXPECT_EQ(refuted(BuiltInFlaw::bath_ends), (Tests{"noise later"}));
  EXPECT_EQ(refuted(BuiltInFlaw::bath_is_not_saved), (Tests{"restart in the bath"}));
  EXPECT_EQ(refuted(BuiltInFlaw::first_order_bath), (Tests{"sampling of q", "sampling of p"}));
  // A temperature wrong by 6e-7 of itself: seen without heat, and as an error that stops falling.
  EXPECT_TRUE(refuted(BuiltInFlaw::warm_without_heat).count("noise without heat"));
  // Order two is not order four, although positions on springs are exact.
  EXPECT_EQ(refuted(BuiltInFlaw::none, 4), (Tests{"sampling of p"}));
}

TEST(HeatBath, needs_noise_that_the_judge_knows) {
  // Random numbers of its own: none is asked for, and nothing is confirmed that depends on them.
  const Tests without = rows_with(built_in_verlet(), sampling_with(2), Verdict::undecided);
  EXPECT_EQ(without, (Tests{"noise", "fresh noise", "noise later", "sampling of q", "sampling of p"}));
  EXPECT_EQ(rows_with(built_in_verlet(), sampling_with(2), Verdict::refuted), (Tests{"friction", "noise of a body"}));
}

/// BAOAB that clips its normal numbers at three, as some generators do.
class ClippingSubject final : public ForeignSubject {
 public:
  [[nodiscard]] const ForeignDeclaration& declares() const override { return baoab_->declares(); }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    class Clipped final : public Forces<double> {
     public:
      explicit Clipped(Forces<double>& real) : Forces<double>(real.problem()), real_(&real) {}
      std::vector<double> noise(std::size_t count) override {
        std::vector<double> x = real_->noise(count);
        for (double& entry : x) entry = std::clamp(entry, -3.0, 3.0);
        return x;
      }

     private:
      Forces<double>* real_;
    };
    forces_ = std::make_unique<Clipped>(forces);
    return baoab_->in_double(*forces_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override { return std::make_unique<ClippingSubject>(); }

 private:
  std::unique_ptr<ForeignSubject> baoab_ = built_in_subject(built_in_baoab());
  std::unique_ptr<Forces<double>> forces_;
};

TEST(HeatBath, sees_noise_that_is_clipped_where_it_is_seldom) {
  ClippingSubject clipping;
  EXPECT_GT(step_is_affine(clipping, 1).value, 1e-3);
  EXPECT_LT(step_is_affine(*built_in_subject(built_in_baoab()), 1).value, 1e-14);
  // Whatever is drawn: numbers up to eight.
  BathMethod far(rules([](BathRules& r) { r.taken_for = [](double x) { return std::clamp(x, -7.5, 7.5); }; }), false);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) EXPECT_GT(step_is_affine(far, seed).value, 1e-3) << seed;
}

/// BAOAB whose friction is divided by the mass of the first body.
class FirstMassSubject final : public ForeignSubject {
 public:
  [[nodiscard]] const ForeignDeclaration& declares() const override { return baoab_->declares(); }
  std::unique_ptr<ForeignRun<double>> in_double(Forces<double>& forces) override {
    problem_ = forces.problem();
    problem_.friction /= problem_.masses.front();
    forces_ = std::make_unique<Forces<double>>(problem_);
    return baoab_->in_double(*forces_);
  }
  [[nodiscard]] std::unique_ptr<ForeignSubject> another() const override {
    return std::make_unique<FirstMassSubject>();
  }

 private:
  std::unique_ptr<ForeignSubject> baoab_ = built_in_subject(built_in_baoab());
  JudgedProblem problem_;
  std::unique_ptr<Forces<double>> forces_;
};

TEST(HeatBath, sees_the_first_mass_in_the_friction_of_all) {
  FirstMassSubject subject;
  EXPECT_NEAR(friction_of_free_bodies(subject).value, 0.5, 1e-3);
}

TEST(HeatBath, sees_a_motion_that_is_wrong_in_the_bath_alone) {
  for (const bool of_forces : {true, false}) {
    BathMethod wrong(rules([&](BathRules& r) { (of_forces ? r.forces_times : r.drifts_times) = 1.005; }), false);
    EXPECT_GT(friction_of_free_bodies(wrong).value, 1e-3) << of_forces;
    EXPECT_LT(noise_of_free_bodies(wrong).value, 1e-3) << of_forces;
  }
  // Honest ones are far from the bound, 1e-3.
  for (const BuiltInMethod& method : {built_in_baoab(), obabo(), aboba()})
    EXPECT_LT(friction_of_free_bodies(*built_in_subject(method)).value, 1e-4) << method.name;
  EXPECT_LT(friction_of_free_bodies(*built_in_subject(built_in_baoab(BuiltInFlaw::first_order_bath))).value, 1e-4);
}

TEST(HeatBath, sees_every_step_of_a_run) {
  const auto later = [](const std::function<double(long)>& noise) {
    BathMethod subject(rules([&](BathRules& r) { r.noise_in_step = noise; }), false);
    return noise_later(subject).value;
  };
  EXPECT_LT(later([](long) { return 1.0; }), 1e-14);
  EXPECT_GT(later([](long k) { return k >= 5 && k <= 900 ? 3.0 : 1.0; }), 1e-3);
  EXPECT_GT(later([](long k) { return k % 100 == 0 ? 0.0 : 1.0; }), 1e-3);
  EXPECT_GT(later([](long k) { return k == 5 ? 3.0 : 1.0; }), 1e-3);
  // Numbers that are rounded to 24 bits.
  BathMethod single(
      rules([](BathRules& r) { r.taken_for = [](double x) { return static_cast<double>(static_cast<float>(x)); }; }),
      false);
  EXPECT_GT(noise_later(single).value, 1e-9);
}

TEST(HeatBath, sees_a_motion_that_is_wrong_without_friction) {
  BathMethod wrong(rules([](BathRules& r) { r.longer_when_cold = 0.01; }), false);
  EXPECT_NEAR(friction_of_free_bodies(wrong).value, 0.01, 1e-3);
}

TEST(HeatBath, sees_a_friction_that_keeps_the_size_of_the_first_step) {
  BathMethod wrong(rules([](BathRules& r) { r.first_size = true; }), false);
  EXPECT_GT(noise_later(wrong).value, 1e-3);
  BathMethod right(BathRules(), false);
  EXPECT_LT(noise_later(right).value, 1e-14);
}

// Each step ends at a multiple of what an iteration, or numbers of 24 bits, leave.
TEST(HeatBath, judges_up_to_what_is_declared) {
  for (const double tolerance : {0.0, 1e-10, 1e-8}) {
    ForeignDeclaration declares = sampling_with(2);
    declares.tolerance = tolerance;
    declares.single_precision = tolerance == 0;
    const double to = tolerance == 0 ? 0x1p-24 : tolerance;
    for (const bool declared : {true, false}) {
      BathRules coarse;
      coarse.rounds_to = to;
      BathMethod subject(coarse, false);
      if (declared) subject.will_declare() = declares;
      // Exact but for that.
      const Measured q = sampling_order(subject, false);
      EXPECT_EQ(q.value > 1.7, declared) << to << ": " << q.note;
      EXPECT_EQ(q.note.find(" leaves, shown as order 20") != std::string::npos, declared) << q.note;
    }
  }
}

TEST(HeatBath, never_takes_what_is_no_number_for_small) {
  NumberlessSubject subject;
  EXPECT_TRUE(std::isnan(step_is_affine(subject, 1).value));
  EXPECT_TRUE(std::isnan(fresh_noise(subject).value));
  EXPECT_TRUE(std::isnan(noise_of_free_bodies(subject).value));
  EXPECT_TRUE(std::isnan(noise_without_heat(subject).value));
  EXPECT_TRUE(std::isnan(sampling_order(subject, false).value));
}

// The stationary covariance of BAOAB on springs in closed form (Leimkuhler and Matthews 2013): positions exactly, momenta
// T (M - h^2 K / 4), in one dimension T m (1 - (h omega)^2 / 4).
TEST(HeatBath, finds_orders_that_are_known) {
  const auto subject = built_in_subject(built_in_baoab());
  EXPECT_EQ(sampling_order(*subject, false).value, exact_sampling);
  EXPECT_NEAR(sampling_order(*subject, true).value, 2, 1e-3);
  const std::string note = sampling_order(*subject, true).note;
  const JudgedProblem problem = bodies_in_a_heat_bath();
  // The largest entry of M^-1/2 K M^-1/2 h^2 / 4 at h = 2^-2: K_22 = 2, m_2 = 1.
  EXPECT_NE(note.find("2^-2: 3.13e-02"), std::string::npos) << note;
}

TEST(HeatBath, says_what_is_wrong) {
  const auto note = [](BuiltInFlaw flaw, auto measure) {
    return measure(*built_in_subject(built_in_baoab(flaw))).note;
  };
  EXPECT_NE(note(BuiltInFlaw::friction_per_body, friction_of_free_bodies).find("3 times what it is to be"),
            std::string::npos);
  EXPECT_NE(note(BuiltInFlaw::noise_without_mass, noise_of_free_bodies)
                .find("the noise of body 3 is 2 times what it is to be"),
            std::string::npos);
  EXPECT_NE(note(BuiltInFlaw::shared_noise, noise_of_free_bodies).find("is connected: 1"), std::string::npos);
  EXPECT_NE(note(BuiltInFlaw::old_noise, fresh_noise).find("asks for 3 normal numbers, four steps for 3"),
            std::string::npos);
}

}  // namespace judge_heat_bath_test
