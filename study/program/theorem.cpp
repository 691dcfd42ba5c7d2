// SPDX-License-Identifier: MIT
#include "study/program/theorem.hpp"

#include "study/program/command_line.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <livi/diagnostics/certificate.hpp>
#include <livi/report/registry.hpp>

namespace livi::theorem {

Report& report() {
  static Report instance(this_program().name, this_program().source);
  return instance;
}

namespace {

/// Some of these claims were decided by certificates, or by exact numbers drawn as theirs.
bool stands_on_certificates(const std::vector<Claim>& claims) {
  return std::any_of(claims.begin(), claims.end(), [](const Claim& claim) {
    return claim.probability_bound.has_value() || claim.evidence == Evidence::disproved;
  });
}

}  // namespace

void expect_verdict(Claim claim) {
  const std::string id = claim.id;
  const auto registered = registered_claims().find(id);
  ASSERT_NE(registered, registered_claims().end()) << id << " is not in the registry";
  const double measured = claim.measured;
  const Interval interval = claim.interval;
  std::string controls;
  for (const Control& control : claim.controls)
    controls += "; control '" + control.name + "' = " + testing::PrintToString(control.measured) +
                (control.as_expected() ? " as it must be: " : " BUT IT MUST NOT BE SO: ") +
                (control.failed() ? "fails" : "passes");
  const Verdict found = report().claim(std::move(claim));
  EXPECT_EQ(to_string(found), to_string(registered->second.verdict))
      << id << ": measured " << measured << ", interval [" << interval.low << ", " << interval.high << "]" << controls;
}

}  // namespace livi::theorem

int main(int argc, char** argv) {
  using namespace livi;
  testing::InitGoogleTest(&argc, argv);
  const theorem::Program program = theorem::this_program();
  CommandLine application(program.description, program.name);
  std::string out;
  bool quick = false;
  std::uint64_t seed = judge_seed();
  application.add_option("--out", out, "folder of the report (made if missing); without it no report is written");
  application.add_flag("--quick", quick, "accepted as by the experiments; theorems have no small parameters");
  std::string registry = LIVI_REGISTRY;
  application.add_registry(registry,
                           "folder of the registries of claims (default: reference/claims of the source tree)");
  application.add_seed(seed, "seed of the random points of all certificates");
  return application.run(argc, argv, [&] {
    set_judge_seed(seed);
    if (!testing::GTEST_FLAG(list_tests)) use_registry(registry);
    if (!out.empty() && (testing::GTEST_FLAG(filter) != "*" || testing::GTEST_FLAG(list_tests)))
      throw ReportError(
          "--out with --gtest_filter or --gtest_list_tests would write an incomplete report; use one of "
          "them");
    const int status = RUN_ALL_TESTS();
    if (theorem::stands_on_certificates(theorem::report().claims())) {
      theorem::report().seed("certificates", seed);
      std::cerr << program.name << ": seed of the certificates: " << seed << "\n";
    }
    if (out.empty()) return status;
    // A test that stopped early leaves claims out, and one that found another verdict says so: a report is of a run in
    // which every test passed.
    const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
    const bool all_ran = tests.test_to_run_count() == tests.total_test_count();
    if (status != 0 || !all_ran || tests.successful_test_count() != tests.total_test_count()) {
      const std::filesystem::path earlier = std::filesystem::path(out) / (program.name + ".json");
      std::cerr << program.name << ": " << tests.successful_test_count() << " of " << tests.total_test_count()
                << " tests passed: no report is written";
      if (std::filesystem::exists(earlier))
        std::cerr << "; " << earlier.string() << " is of an earlier run and was left as it is";
      std::cerr << "\n";
      return status != 0 ? status : 2;
    }
    std::cerr << program.name << ": wrote " << theorem::report().write(out).string() << "\n";
    return status;
  });
}
