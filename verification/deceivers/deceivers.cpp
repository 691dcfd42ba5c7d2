// SPDX-License-Identifier: MIT
//
// The gallery before the judge: every deceiver is named by the row that must name it, every honest method is cleared.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <livi/battery.hpp>
#include <set>

#include "gallery.hpp"

namespace {

using namespace livi::deceivers;

class Deceivers : public testing::TestWithParam<Exhibit> {};

TEST_P(Deceivers, are_named_and_honest_methods_cleared) {
  const Exhibit& exhibit = GetParam();
  const livi::BatteryResult result = livi::run_battery(*exhibit.subject);
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
    EXPECT_NE(result.exit_status(), 0) << livi::battery_table(result);
    EXPECT_TRUE(as_expected) << "it must be named by " << expected << "\n" << livi::battery_table(result);
  }
}

const auto name_of = [](const testing::TestParamInfo<Exhibit>& test) { return test.param.name; };
INSTANTIATE_TEST_SUITE_P(hidden_state, Deceivers, testing::ValuesIn(with_hidden_state()), name_of);
INSTANTIATE_TEST_SUITE_P(branches, Deceivers, testing::ValuesIn(with_branches()), name_of);
INSTANTIATE_TEST_SUITE_P(other_equations, Deceivers, testing::ValuesIn(of_other_equations()), name_of);
INSTANTIATE_TEST_SUITE_P(declarations, Deceivers, testing::ValuesIn(with_false_declarations()), name_of);
INSTANTIATE_TEST_SUITE_P(failures, Deceivers, testing::ValuesIn(that_fail()), name_of);
INSTANTIATE_TEST_SUITE_P(precision, Deceivers, testing::ValuesIn(of_number_types()), name_of);
INSTANTIATE_TEST_SUITE_P(bodies, Deceivers, testing::ValuesIn(of_rigid_bodies()), name_of);
INSTANTIATE_TEST_SUITE_P(constrained, Deceivers, testing::ValuesIn(of_constrained_systems()), name_of);
INSTANTIATE_TEST_SUITE_P(honest, Deceivers, testing::ValuesIn(that_are_honest()), name_of);

TEST(Gallery, of_an_unlimited_method_a_report_can_be_written) {
  const auto unlimited = that_are_honest();
  const auto found = std::find_if(unlimited.begin(), unlimited.end(),
                                  [](const Exhibit& exhibit) { return exhibit.name == "unconditional"; });
  ASSERT_NE(found, unlimited.end());
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "livi_gallery";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::string program = "battery", option = "--out", argument = folder.string();
  char* arguments[] = {program.data(), option.data(), argument.data(), nullptr};
  EXPECT_EQ(livi::battery_program(*found->subject, 3, arguments), 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "battery_unconditional.json"));
}

}  // namespace
