// SPDX-License-Identifier: MIT
//
// Every integrator of the library through the battery: what it declares holds, what it does not declare is seen to
// fail, and every control is rejected.
#include <gtest/gtest.h>

#include <livi/catalogue/library_subjects.hpp>

namespace {

const std::vector<livi::NamedSubject>& subjects() {
  static const auto all = livi::library_subjects();
  return all;
}

class LibraryBattery : public testing::TestWithParam<std::size_t> {};

/// What coefficients in double leave is a limit; of this library's methods only one has such.
bool has_coefficients_in_double(const std::string& name) { return name == "odeint_mclachlan_sb3a"; }

TEST_P(LibraryBattery, ConfirmsEveryDeclaration) {
  const auto& [name, subject] = subjects()[GetParam()];
  const livi::BatteryResult result = livi::run_battery(*subject, {.strict = true});
  EXPECT_EQ(result.exit_status(), 0);
  int confirmed = 0;
  for (const auto& row : result.rows) {
    using livi::Verdict;
    const Verdict verdict = row.claim.verdict;
    // A declared threshold that is scanned for, not decided.
    const bool scanned =
        row.test == "linear stability" && row.declared != "-" && row.claim.evidence == livi::Evidence::measured;
    EXPECT_TRUE(verdict == Verdict::not_testable ||
                verdict == (scanned ? Verdict::confirmed_with_limits : Verdict::confirmed) ||
                (verdict == Verdict::confirmed_with_limits && has_coefficients_in_double(name)))
        << row.test << ", declared " << row.declared << ", measured " << row.claim.measured << ", "
        << to_string(verdict) << " " << row.claim.note << " " << row.detail;
    confirmed += verdict == Verdict::not_testable ? 0 : 1;
    for (const auto& control : row.claim.controls)
      EXPECT_TRUE(control.as_expected()) << row.test << ": " << control.name << " " << control.measured;
  }
  // Order, symplecticity, symmetry and nine tests of runs; what does not apply is no confirmation.
  EXPECT_GE(confirmed, 13);
}

INSTANTIATE_TEST_SUITE_P(Library, LibraryBattery, testing::Range<std::size_t>(0, subjects().size()),
                         [](const auto& test) {
                           std::string name = subjects()[test.param].name;
                           for (char& c : name)
                             if (c == '.') c = '_';
                           return name;
                         });

}  // namespace
