// SPDX-License-Identifier: MIT
//
// The gallery before the judge: every deceiver is named by the row that must name it, every honest method is cleared.
// Deceivers are shown to the tests that write those rows; all exhibits are shown to the whole battery, too, which takes
// three times as long, by tools/fresh_seed.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <livi/battery.hpp>
#include <set>
#include <stdexcept>

#include "gallery.hpp"

namespace {

using namespace livi::deceivers;

class Deceivers : public testing::TestWithParam<Exhibit> {};

void judge(const Exhibit& exhibit, const livi::BatteryOptions& options) {
  const livi::BatteryResult result = livi::run_battery(*exhibit.subject, options);
  std::string named_by;
  bool as_expected = false;
  for (const livi::BatteryRow& row : result.rows) {
    using enum livi::Verdict;
    if (std::set{confirmed, confirmed_with_limits, not_testable}.contains(row.claim.verdict)) continue;
    named_by += row.test + " (" + std::string(to_string(row.claim.verdict)) + "); ";
    as_expected = as_expected || std::find(exhibit.rows.begin(), exhibit.rows.end(), row.test) != exhibit.rows.end();
  }
  std::string expected;
  for (const std::string& row : exhibit.rows) expected += (expected.empty() ? "" : " or ") + row;
  std::cout << exhibit.name << ", " << exhibit.hides << ": status " << result.exit_status() << ", named by "
            << (named_by.empty() ? "nothing" : named_by) << "\n";
  if (exhibit.honest()) {
    EXPECT_EQ(result.exit_status(), 0) << livi::battery_table(result);
  } else {
    EXPECT_TRUE((std::set{1, 2}.contains(result.exit_status()))) << livi::battery_table(result);
    EXPECT_TRUE(as_expected) << "it must be named by " << expected << "\n" << livi::battery_table(result);
  }
}

TEST_P(Deceivers, are_named_and_honest_methods_cleared) {
  judge(GetParam(), {.only = GetParam().rows, .strict = true});
}

TEST_P(Deceivers, are_before_the_whole_battery) { judge(GetParam(), {.strict = true}); }

const auto name_of = [](const testing::TestParamInfo<Exhibit>& test) { return test.param.name; };
INSTANTIATE_TEST_SUITE_P(hidden_state, Deceivers, testing::ValuesIn(with_hidden_state()), name_of);
INSTANTIATE_TEST_SUITE_P(branches, Deceivers, testing::ValuesIn(with_branches()), name_of);
INSTANTIATE_TEST_SUITE_P(other_equations, Deceivers, testing::ValuesIn(of_other_equations()), name_of);
INSTANTIATE_TEST_SUITE_P(declarations, Deceivers, testing::ValuesIn(with_false_declarations()), name_of);
INSTANTIATE_TEST_SUITE_P(failures, Deceivers, testing::ValuesIn(that_fail()), name_of);
INSTANTIATE_TEST_SUITE_P(precision, Deceivers, testing::ValuesIn(of_number_types()), name_of);
INSTANTIATE_TEST_SUITE_P(bodies, Deceivers, testing::ValuesIn(of_rigid_bodies()), name_of);
INSTANTIATE_TEST_SUITE_P(constrained, Deceivers, testing::ValuesIn(of_constrained_systems()), name_of);
INSTANTIATE_TEST_SUITE_P(separable, Deceivers, testing::ValuesIn(of_separable_hamiltonians()), name_of);
INSTANTIATE_TEST_SUITE_P(seldom_visited, Deceivers, testing::ValuesIn(in_places_seldom_visited()), name_of);
INSTANTIATE_TEST_SUITE_P(changing_steps, Deceivers, testing::ValuesIn(of_changing_steps()), name_of);
INSTANTIATE_TEST_SUITE_P(honest, Deceivers, testing::ValuesIn(that_are_honest()), name_of);

Exhibit named(const std::string& name, const std::vector<Exhibit>& room) {
  for (const Exhibit& exhibit : room)
    if (exhibit.name == name) return exhibit;
  throw std::invalid_argument("no exhibit is named " + name);
}

// Nothing was measured: no row is confirmed, and none refuted.
TEST(Gallery, of_what_never_makes_a_step_no_row_is_decided) {
  using enum livi::Verdict;
  for (const livi::BatteryRow& row : livi::run_battery(*named("always_fails", that_fail()).subject).rows)
    EXPECT_FALSE((std::set{confirmed, confirmed_with_limits, refuted}.contains(row.claim.verdict))) << row.test;
}

TEST(Gallery, of_an_unlimited_method_a_report_can_be_written) {
  const Exhibit unlimited = named("unconditional", that_are_honest());
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "livi_gallery";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::string program = "battery", option = "--out", argument = folder.string();
  char* arguments[] = {program.data(), option.data(), argument.data(), nullptr};
  EXPECT_EQ(livi::battery_program(*unlimited.subject, 3, arguments), 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "battery_unconditional.json"));
}

}  // namespace
