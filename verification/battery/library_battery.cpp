// SPDX-License-Identifier: MIT
//
// Every integrator of the library through the battery: what it declares holds, what it does not declare is seen to
// fail, and every control is rejected.
#include <gtest/gtest.h>

#include "subjects/library_subjects.hpp"

namespace {

const std::vector<livi::NamedSubject>& subjects() {
  static const auto all = livi::library_subjects();
  return all;
}

class LibraryBattery : public testing::TestWithParam<std::size_t> {};

TEST_P(LibraryBattery, ConfirmsEveryDeclaration) {
  const livi::BatteryResult result = livi::run_battery(*subjects()[GetParam()].subject);
  EXPECT_EQ(result.exit_status(), 0);
  EXPECT_GE(result.rows.size(), 5u);
  for (const auto& row : result.rows) {
    EXPECT_EQ(row.claim.verdict, livi::Verdict::confirmed)
        << row.test << ", declared " << row.declared << ", measured " << row.claim.measured << " " << row.claim.note
        << " " << row.detail;
    for (const auto& control : row.claim.controls)
      EXPECT_TRUE(control.failed()) << row.test << ": " << control.name << " " << control.measured;
  }
}

INSTANTIATE_TEST_SUITE_P(Library, LibraryBattery, testing::Range<std::size_t>(0, subjects().size()),
                         [](const auto& test) {
                           std::string name = subjects()[test.param].name;
                           for (char& c : name)
                             if (c == '.') c = '_';
                           return name;
                         });

}  // namespace
