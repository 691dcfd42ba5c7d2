// SPDX-License-Identifier: MIT
//
// A good report, and tests that write reports into a folder of their own.
#pragma once

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>
#include <functional>
#include <limits>
#include <livi/report/report.hpp>
#include <nlohmann/json.hpp>

#include "verification/support/temporary_folder.hpp"
#include "verification/support/text_of.hpp"

namespace livi::test {

namespace fs = std::filesystem;

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

class ReportFiles : public InFolder {};

inline std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

inline livi::Claim good_claim() {
  return {.id = "XX00.order",
          .source = {"XX00", "Sec. 1"},
          .anchor = "words of its sentence",
          .headline = "method",
          .statement = "the method has order two",
          .hypothesis = "V in C^3",
          .how = "fit over four steps",
          .measured = 2.01,
          .interval = {1.9, 2.1},
          .reason = "the fit scatters by 0.05",
          .controls = {{.name = "first-order method", .measured = 1.02, .interval = {1.9, 2.1}}},
          .note = "also with a full mass"};
}

inline Report good_report(const std::string& experiment = "sample") {
  Report report(experiment, {"XX00", "Figure 1", "4.1"});
  report.parameter("h", 0.1);
  report.parameter("steps", 500);
  report.parameter("method", "shake");
  report.parameter("full", true);
  report.parameter("masses", std::vector<double>{1.0, 4.0});
  report.measurement({.name = "max_error", .value = 0.1, .unit = "m", .tolerance = {.relative = 1e-6}});
  report.count("solves", 500U);
  report.claim(good_claim());
  report.series("row", {{"t", "s"}, {"x2", "m"}}, {{0.0, 1.0}, {0.1, 0.3}});
  report.figure({"sample.svg", "A sample."});
  report.seed("noise", 18446744073709551615U);
  report.timing("shake", 0.25);
  return report;
}

inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const ReportError& error) {
    return error.what();
  }
  return "";
}

/// Runs `action` in a process of its own, so that limits set there end with it; true if it returned true.
inline bool in_another_process(const std::function<bool()>& action) {
  const pid_t child = fork();
  if (child == 0) _exit(action() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace livi::test
