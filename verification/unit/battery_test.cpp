// SPDX-License-Identifier: MIT
#include <livi/battery.hpp>

#include <gtest/gtest.h>

#include <map>

#include "subjects/library_subjects.hpp"

namespace {

using livi::BatteryResult;
using livi::BatteryRow;
using livi::Interval;
using livi::Verdict;

const livi::Subject& library_subject(const std::string& name) {
  static const auto subjects = livi::library_subjects();
  for (const auto& subject : subjects)
    if (subject.name == name) return *subject.subject;
  throw std::invalid_argument("no integrator '" + name + "' in the library");
}

BatteryResult result_of(std::initializer_list<Verdict> verdicts, bool quick = false) {
  BatteryResult result;
  result.quick = quick;
  for (const Verdict verdict : verdicts) {
    result.rows.emplace_back();
    result.rows.back().claim.verdict = verdict;
  }
  return result;
}

TEST(Battery, has_an_exit_status_for_each_outcome) {
  using enum Verdict;
  EXPECT_EQ(result_of({confirmed, confirmed_with_limits, not_testable}).exit_status(), 0);
  EXPECT_EQ(result_of({confirmed, refuted, confirmed}).exit_status(), 1);
  EXPECT_EQ(result_of({undecided, refuted}).exit_status(), 1);
  EXPECT_EQ(result_of({confirmed, undecided}).exit_status(), 2);
  EXPECT_EQ(result_of({refuted, broken_control}).exit_status(), 2);
  EXPECT_EQ(result_of({}).exit_status(), 2) << "nothing was tested";
  EXPECT_EQ(result_of({confirmed}, true).exit_status(), 3) << "a quick run is no verdict";
  EXPECT_EQ(result_of({refuted}, true).exit_status(), 1);
  EXPECT_EQ(result_of({undecided}, true).exit_status(), 2);
}

// A control that is a constant, or another method than it says, has another number. Each range is that of the method
// named, by hand or from runs of that method alone.
TEST(Battery, has_controls_with_the_numbers_of_the_methods_that_they_name) {
  const std::map<std::string, Interval> expected{
      // Between its second order, which the errors still show in part at h = 1/256, and its first.
      {"order of q: Verlet with one coefficient moved by 1e-3", {1.2, 1.4}},
      {"order of p: Verlet with one coefficient moved by 1e-3", {2.4, 2.6}},
      {"symplectic: RungeKutta4", {1e-8, 1e-2}},
      {"symplectic: SimplifiedZhangSkeel", {1e-8, 1e-1}},
      {"symmetric: SymplecticEuler", {1e-2, 10}},
      {"linear momentum: the same method, the symmetry broken by 1e-6", {1e-7, 1e-4}},
      {"angular momentum: the same method, the symmetry broken by 1e-6", {1e-8, 1e-5}},
      {"tiny steps: Verlet with a force 1 + 1e-12 times too large", {1e-14, 1e-11}},
      {"negative steps: Verlet that makes half a step for a negative one", {-0.5, 1.5}},
      {"last step shorter: Verlet that keeps its first step", {0.5, 1.5}},
      {"end moved: the same method, the end moved by 1e-9", {1e5, 1e8}},
      {"number types: Verlet with forces rounded to float in double", {1e4, 1e10}},
      {"duals: Verlet that is lopsided under dual numbers", {1e-8, 1e-2}},
      {"reach: Verlet that is lopsided beyond six degrees of freedom", {1e-10, 1}},
      {"repetition: Verlet with a counter shared by all objects", {500, 2002}},
      {"history: Verlet with a counter in the method", {90, 100}},
      {"memory: Verlet with a counter in its state", {1e-8, 1e-1}},
      {"restart: a state with one field lost", {1, 10}},
      {"certificate: SimplifiedZhangSkeel declared to be what ZhangSkeel is", {2, 2}},
      {"exact order: Verlet with one coefficient moved by 1e-3", {1, 1}},
      {"linear stability: VelocityVerlet, declared stable up to 2.001", {0.5 - 1e-12, 0.5 + 1e-12}},
      {"energy drift: RungeKutta4", {-1e-3, -1e-9}},
      {"cost: VelocityVerlet declared with one gradient more", {1, 1}}};
  std::map<std::string, double> found;
  for (const BatteryRow& row : livi::run_battery(library_subject("VelocityVerlet")).rows)
    for (const auto& control : row.claim.controls) found[row.test + ": " + control.name] = control.measured;
  for (const auto& [name, range] : expected) {
    ASSERT_TRUE(found.contains(name)) << name;
    EXPECT_TRUE(range.contains(found[name])) << name << ": " << found[name];
  }
  EXPECT_EQ(found.size(), expected.size()) << "every control has a range here";
}

TEST(Battery, says_that_a_quick_run_is_no_verdict) {
  const BatteryResult result = livi::run_battery(library_subject("VelocityVerlet"), {.quick = true});
  EXPECT_EQ(result.exit_status(), 3);
  EXPECT_NE(livi::battery_table(result).find("NO VERDICT"), std::string::npos);
}

// In a process of its own: what is drawn keeps the seed that it was drawn with.
TEST(Battery, has_the_same_verdicts_with_another_seed) {
  livi::set_judge_seed(4711);
  for (const char* name : {"VelocityVerlet", "ZhangSkeel", "RungeKutta4", "odeint_mclachlan_sb3a"}) {
    const BatteryResult result = livi::run_battery(library_subject(name));
    EXPECT_EQ(result.exit_status(), 0) << livi::battery_table(result);
    EXPECT_NE(livi::battery_table(result).find("seed 4711"), std::string::npos);
  }
}

}  // namespace
