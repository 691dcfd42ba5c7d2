// SPDX-License-Identifier: MIT
//
// livi-plot on a made-up report of Figure 1, run as a user runs it, and what its tests share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <livi/report/report.hpp>

#include "verification/support/run_command.hpp"
#include "verification/support/temporary_folder.hpp"
#include "verification/support/text_of.hpp"

namespace livi::test {

namespace fs = std::filesystem;

/// What the figures were told last, and of which reports.
inline const fs::path figures_folder = fs::path(LIVI_SOURCE_FOLDER) / "verification/unit/reports/figures";

/// `text` with every `from` made `to`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// The sentence above the panels of what gnuplot was told, in one line; empty if there is none.
inline std::string finding_of(const std::string& script) {
  std::string finding;
  std::istringstream lines(script);
  const std::string begin = "{/:Bold ", end = "}\" at screen";
  for (std::string line; std::getline(lines, line);) {
    const auto from = line.find(begin), to = line.find(end);
    if (!line.starts_with("set label ") || from == std::string::npos || to == std::string::npos) continue;
    finding += (finding.empty() ? "" : " ") + line.substr(from + begin.size(), to - from - begin.size());
  }
  return finding;
}

class Plot : public InFolder {
 protected:
  void SetUp() override {
    results = folder / "results";
    figures = folder / "figures";
    write_report(0.01);
  }

  /// A report of Figure 1 whose rows, one more than `count`, have errors of this size.
  void write_report(double size, int count = 100) const {
    livi::Report report("fig01_double_pendulum", {"TO14", "Figure 1", "4.1"});
    std::vector<std::vector<double>> rows;
    for (int i = 0; i <= count; ++i) rows.push_back({0.5 * i, std::sin(0.5 * i), -2 + 0.1 * std::cos(0.5 * i)});
    report.series("reference", {{"t", "s"}, {"x2", "m"}, {"y2", "m"}}, rows);
    for (const char* method :
         {"shake", "symplectic_euler", "newmark_converged", "newmark_one_iteration", "zhang_skeel"}) {
      rows.clear();
      size *= 1.5;
      for (int i = 0; i <= count; ++i) {
        rows.push_back({0.5 * i, size * std::sin(0.5 * i), size * std::cos(0.4 * i), 0.1 * size * std::sin(0.7 * i)});
      }
      report.series(method, {{"t", "s"}, {"x2_error", "m"}, {"y2_error", "m"}, {"energy_error", "J"}}, rows);
    }
    report.write(results);
  }

  std::pair<int, std::string> plot(const std::string& arguments = "fig01", const std::string& before = "") const {
    return run_command(before + " " + program + " " + results.string() + " " + figures.string() + " " + arguments);
  }

  static bool no_temporary_in(const fs::path& where) {
    for (const auto& entry : fs::directory_iterator(where)) {
      if (entry.path().filename().string().front() == '.') return false;
    }
    return true;
  }

  const std::string program = std::string(LIVI_BINARY_FOLDER) + "/plots/livi-plot";
  const std::string unwritable = "livi-plot: the standard output cannot be written\n";
  fs::path results;
  fs::path figures;
};

}  // namespace livi::test
