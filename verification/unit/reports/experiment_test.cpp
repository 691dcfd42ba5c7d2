// SPDX-License-Identifier: MIT
//
// The frame of the experiments: what it refuses, what it writes and says.
#include <gtest/gtest.h>

#include <filesystem>

#include "study/program/experiment.hpp"
#include "verification/support/text_of.hpp"

namespace experiment_test {

/// run_experiment with these arguments, as a program "made_up" with an option --h and threads: its status, what was
/// said, the options that the measurements were given.
struct ExperimentRun {
  int status = -1;
  std::string said, printed;
  livi::ExperimentOptions options{.out = "not run", .quick = false};
  double h = 0.5;
  unsigned threads = 1;
};
ExperimentRun run_made_up(std::vector<std::string> arguments, bool threaded = true) {
  ExperimentRun result;
  arguments.insert(arguments.begin(), "made_up");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  livi::OwnOptions own{.numbers = {{"h", &result.h, "step"}}};
  if (threaded) own.threads = &result.threads;
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  result.status = livi::run_experiment(
      static_cast<int>(pointers.size()), pointers.data(), "made_up", {"XX00", "1", ""}, "a made-up experiment", own,
      [&](livi::Report& report, const livi::ExperimentOptions& options) {
        result.options = options;
        report.claim({.id = "XX00.made_up",
                      .source = {"XX00", "1"},
                      .anchor = "words of its sentence",
                      .headline = "method",
                      .statement = "one is one",
                      .how = "seen",
                      .measured = 1,
                      .unit = "m",
                      .interval = {1, 1},
                      .reason = "it is",
                      .controls = {{.name = "two", .measured = 2, .interval = {1, 1}}}});
      });
  result.said = testing::internal::GetCapturedStderr();
  result.printed = testing::internal::GetCapturedStdout();
  return result;
}

TEST(Experiment, writes_its_report_and_says_what_it_found) {
  std::string folder = (std::filesystem::temp_directory_path() / "livi_experiment_test.XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string below = folder + "/made/if/missing";
  const ExperimentRun run = run_made_up({"--out", below, "--quick", "--h", "0.25", "--threads", "3"});
  EXPECT_EQ(run.status, 0) << run.said;
  EXPECT_EQ(run.options.out, below);
  EXPECT_TRUE(run.options.quick);
  EXPECT_EQ(run.h, 0.25);
  EXPECT_EQ(run.threads, 3U);
  EXPECT_EQ(run.said, "made_up: a made-up experiment\n  XX00.made_up: confirmed (1 m)\nmade_up: wrote " + below +
                          "/made_up.json\n");
  EXPECT_NE(livi::test::text_of(below + "/made_up.json").find("\"XX00.made_up\""), std::string::npos);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(below)) ++files;
  EXPECT_EQ(files, 1U) << "nothing but the report";
  EXPECT_FALSE(run_made_up({"--out", below}).options.quick);
  std::filesystem::remove_all(folder);
}

TEST(Experiment, refuses_what_it_cannot_do_before_it_measures) {
  const auto expect_refused = [](const ExperimentRun& run, const std::string& words) {
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.said.find(words), std::string::npos) << run.said;
    EXPECT_EQ(run.options.out, "not run");
  };
  for (const std::string folder : {"/proc/nowhere", "/dev/null/below"})
    expect_refused(run_made_up({"--out", folder}), "cannot write in the folder '" + folder + "'; choose another");
  expect_refused(run_made_up({"--threads", "0"}), "--threads");
  expect_refused(run_made_up({"--threads", "1025"}), "--threads");
  expect_refused(run_made_up({"--threads", "2"}, false), "--threads");
  expect_refused(run_made_up({"--frobnicate"}), "--frobnicate");
}

TEST(Experiment, explains_itself) {
  const ExperimentRun run = run_made_up({"--help"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.options.out, "not run");
  for (const char* words :
       {"a made-up experiment", "--out", "=results", "folder of the report (made if missing)", "--quick",
        "no claims are decided", "--h", "=0.5", "step", "--threads", "the report does not depend on it", "this text"})
    EXPECT_NE(run.printed.find(words), std::string::npos) << words;
  testing::internal::CaptureStderr();
  livi::say_progress("half", 0.5);
  livi::say_progress("begun", 0);
  livi::say_progress("something");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "  half  50 %\n  begun  0 %\n  something\n");
}

}  // namespace experiment_test
