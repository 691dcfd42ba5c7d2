// SPDX-License-Identifier: MIT
//
// What a theorem program does with --out when its tests pass, fail and throw, and with --seed. This is such a program:
// its tests run it again, and in that run the first one does as it is told. And what claims say that stand on several
// certificates.
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <gtest/gtest-spi.h>

#include "study/evidence/certified.hpp"
#include "verification/support/temporary_folder.hpp"
#include "verification/support/text_of.hpp"

namespace livi::theorem {

Program this_program() {
  return {"theorem_program_test", {"TO14", "none", "none"}, "A program that can be told to fail"};
}

namespace theorem_program_test {

using test::text_of;

/// What the run inside is told to do; empty in the run outside.
std::string told() {
  const char* const what = std::getenv("LIVI_THEOREM_MAIN_TEST");
  return what == nullptr ? "" : what;
}

TEST(Inside, does_as_it_is_told) {
  if (told() == "throw") throw std::runtime_error("told to");
  if (told() == "fail") GTEST_FAIL() << "told to";
  const auto square = [](Draw<Residue>& draw) {
    const Residue a = draw.variable("a"), b = draw.variable("b");
    return std::vector<Residue>{(a + b) * (a + b) - a * a - b * b - Residue(2) * a * b};
  };
  // The registry expects of TO14.thm2.1.2.general-mass that it is refuted.
  expect_verdict(exactly(certify(square), {.id = told() == "refute" ? "TO14.thm2.1.2.general-mass" : "TO14.thm2.5"}));
}

class Outside : public livi::test::InFolder {
 protected:
  struct Run {
    int status;
    std::string said;
  };
  /// Runs this program with --out `results` and more arguments.
  Run run(const std::string& what, const std::string& arguments = "") const {
    const std::string command = "LIVI_THEOREM_MAIN_TEST=" + what + " '" +
                                std::filesystem::read_symlink("/proc/self/exe").string() + "' --out '" +
                                results.string() + "' " + arguments + " > '" + (folder / "said").string() + "' 2>&1";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder / "said")};
  }
  void SetUp() override {
    results = folder / "results";
    report = results / "theorem_program_test.json";
  }

  std::filesystem::path results, report;
};
/// The tests of the run outside do nothing in the run inside, all of whose tests must pass for a report.
bool inside() { return !told().empty(); }

TEST_F(Outside, all_tests_pass_and_the_report_is_written) {
  if (inside()) return;
  const Run all = run("pass");
  EXPECT_EQ(all.status, 0) << all.said;
  EXPECT_NE(all.said.find("wrote " + report.string()), std::string::npos) << all.said;
  EXPECT_NE(text_of(report).find("TO14.thm2.5"), std::string::npos);
}

TEST_F(Outside, a_test_that_throws_or_fails_leaves_no_report) {
  if (inside()) return;
  for (const std::string what : {"throw", "fail", "refute"}) {
    const Run failed = run(what);
    EXPECT_EQ(failed.status, 1) << what;
    EXPECT_NE(failed.said.find("tests passed: no report is written"), std::string::npos) << failed.said;
    EXPECT_EQ(failed.said.find("earlier run"), std::string::npos) << failed.said;
    EXPECT_FALSE(std::filesystem::exists(report)) << what;
  }
}

TEST_F(Outside, the_report_of_an_earlier_run_is_kept_and_named_as_such) {
  if (inside()) return;
  ASSERT_EQ(run("pass").status, 0);
  const std::string before = text_of(report);
  const Run failed = run("throw");
  EXPECT_EQ(failed.status, 1);
  EXPECT_NE(failed.said.find(report.string() + " is of an earlier run"), std::string::npos) << failed.said;
  EXPECT_EQ(text_of(report), before);
}

TEST_F(Outside, the_seed_of_certificates_can_be_chosen_and_is_printed_and_in_the_report) {
  if (inside()) return;
  const Run usual = run("pass");
  EXPECT_NE(usual.said.find("seed of the certificates: 20140825"), std::string::npos) << usual.said;
  EXPECT_NE(text_of(report).find(R"("certificates": 20140825)"), std::string::npos) << text_of(report);
  const Run other = run("pass", "--seed 7");
  EXPECT_EQ(other.status, 0) << other.said;
  EXPECT_NE(other.said.find("seed of the certificates: 7"), std::string::npos) << other.said;
  EXPECT_NE(text_of(report).find(R"("certificates": 7)"), std::string::npos) << text_of(report);
  EXPECT_NE(text_of(report).find("of seed 7"), std::string::npos) << "the note of the claim";
  const Run negative = run("pass", "--seed -1");
  EXPECT_EQ(negative.status, 2) << negative.said;
}

TEST_F(Outside, tests_that_were_only_listed_make_no_report) {
  if (inside()) return;
  const Run listed = run("pass", "--gtest_list_tests");
  EXPECT_EQ(listed.status, 2) << listed.said;
  EXPECT_FALSE(std::filesystem::exists(report));
}

Certificate proof(double probability) {
  Certificate certificate;
  certificate.finding = Certificate::Finding::proved;
  certificate.probability = probability;
  return certificate;
}

TEST(Combined, the_bound_of_a_claim_is_the_sum_over_its_certificates) {
  Combined first, second;
  for (int i = 0; i < 4; ++i) first.add("part", proof(1e-31));
  for (int i = 0; i < 7; ++i) second.add("part", proof(1e-31));
  EXPECT_DOUBLE_EQ(first.probability(), 1e-30) << "4e-31, rounded up to a power of ten";
  EXPECT_DOUBLE_EQ(combined({proof(6e-31), proof(6e-31)}).probability(), 1e-29);
  EXPECT_DOUBLE_EQ(all_of({first, second}).probability(), 1e-29) << "11e-31";
  EXPECT_DOUBLE_EQ(*exactly(second, {}).probability_bound, 1e-30);
  EXPECT_EQ(exactly(second, {}).evidence, Evidence::proved);
}

TEST(Combined, one_disproof_disproves_all) {
  Certificate disproof;
  disproof.finding = Certificate::Finding::disproved;
  disproof.nonzero = 3;
  disproof.probability = 0;
  Combined found;
  found.add("right", proof(1e-31));
  found.add("wrong", disproof);
  const Claim claim = exactly(found, {});
  EXPECT_EQ(claim.evidence, Evidence::disproved);
  EXPECT_EQ(claim.measured, 3);
  EXPECT_FALSE(claim.probability_bound.has_value());
}

TEST(Combined, what_is_not_decided_proves_nothing) {
  Certificate singular;
  singular.note = "singular everywhere";
  Combined found;
  found.add("right", proof(1e-31));
  EXPECT_NONFATAL_FAILURE(found.add("a part", singular), "singular everywhere");
  Claim claim{.id = "TO14.none",
              .source = {"TO14", "none"},
              .anchor = "zero is zero",
              .headline = "none",
              .statement = "0 is 0.",
              .reason = "none"};
  claim = exactly(found, claim);
  EXPECT_EQ(claim.evidence, Evidence::measured);
  EXPECT_EQ(decide(claim), Verdict::undecided);
}

}  // namespace theorem_program_test
}  // namespace livi::theorem
