// SPDX-License-Identifier: MIT
//
// The gallery before the judge: every deceiver is named by the row that must name it, every honest method is cleared.
#include <gtest/gtest.h>

#include <livi/battery.hpp>

#include "gallery.hpp"

namespace {

using livi::deceivers::Exhibit;

const std::vector<Exhibit>& gallery() {
  static const auto all = [] {
    namespace rooms = livi::deceivers;
    std::vector<Exhibit> exhibits;
    for (const auto room : {rooms::with_hidden_state, rooms::with_branches, rooms::of_other_equations,
                            rooms::with_false_declarations, rooms::that_fail, rooms::of_rigid_bodies,
                            rooms::of_constrained_systems, rooms::that_are_honest})
      for (Exhibit& exhibit : room()) exhibits.push_back(std::move(exhibit));
    return exhibits;
  }();
  return all;
}

class Deceivers : public testing::TestWithParam<std::size_t> {};

TEST_P(Deceivers, are_named_and_honest_methods_cleared) {
  const Exhibit& exhibit = gallery()[GetParam()];
  const livi::BatteryResult result = livi::run_battery(*exhibit.subject);
  const std::string found = exhibit.hides + "\n" + livi::battery_table(result);
  if (exhibit.honest()) {
    EXPECT_EQ(result.exit_status(), 0) << found;
    return;
  }
  EXPECT_NE(result.exit_status(), 0) << found;
  const bool named = std::any_of(result.rows.begin(), result.rows.end(), [&](const livi::BatteryRow& row) {
    return row.claim.verdict != livi::Verdict::confirmed &&
           std::find(exhibit.rows.begin(), exhibit.rows.end(), row.test) != exhibit.rows.end();
  });
  std::string expected;
  for (const std::string& row : exhibit.rows) expected += (expected.empty() ? "" : " or ") + row;
  EXPECT_TRUE(named) << "it must be named by " << expected << ": " << found;
}

INSTANTIATE_TEST_SUITE_P(Gallery, Deceivers, testing::Range<std::size_t>(0, gallery().size()),
                         [](const auto& test) { return gallery()[test.param].name; });

TEST(Gallery, has_what_it_promises) {
  int honest = 0, deceivers = 0;
  for (const Exhibit& exhibit : gallery()) ++(exhibit.honest() ? honest : deceivers);
  EXPECT_GE(deceivers, 45);
  EXPECT_GE(honest, 10);
}

}  // namespace
