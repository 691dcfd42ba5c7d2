// SPDX-License-Identifier: MIT
//
// livi-plot on a made-up report of Figure 1, run as a user runs it, and what its tests share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <livi/report/report.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "verification/support/run_command.hpp"
#include "verification/support/temporary_folder.hpp"
#include "verification/support/text_of.hpp"

namespace livi::test {

namespace fs = std::filesystem;

/// What the figures are drawn from, and how.
inline const fs::path figures_folder = fs::path(LIVI_SOURCE_FOLDER) / "verification/unit/reports/figures";

/// `text` with every `from` made `to`.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// Claims with what they measured alone: a figure reads no more, and what a whole claim needs is not its business.
inline void add_claims(const fs::path& report, const std::map<std::string, double>& measured) {
  nlohmann::json content = nlohmann::json::parse(text_of(report));
  for (const auto& [id, value] : measured) content["claims"].push_back({{"id", id}, {"measured", value}});
  std::ofstream(report) << content;
}

/// A report of every experiment that is drawn, as figures/made_up_reports.txt says.
inline void write_made_up_reports(const fs::path& results) {
  std::map<std::string, livi::Report> reports;
  std::map<std::string, std::map<std::string, double>> claims;
  std::map<std::string, int> number_of_series;
  std::ifstream lines(figures_folder / "made_up_reports.txt");
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string experiment, series;
    words >> experiment >> series;
    livi::Report& report =
        reports.try_emplace(experiment, experiment, livi::Source{"made up", "figures", ""}).first->second;
    std::vector<livi::Column> columns;
    const auto colon = series.find(':');
    std::vector<std::vector<double>> rows(colon == std::string::npos ? 6 : std::stoul(series.substr(colon + 1)));
    series = series.substr(0, colon);
    for (std::string word; words >> word;) {
      const auto equals = word.rfind('=');
      if (series == "timing" || series == "measurement" || series == "claim") {
        const std::string name = word.substr(0, equals);
        const double value = std::stod(word.substr(equals + 1));
        if (series == "timing") report.timing(name, value);
        if (series == "measurement") report.measurement({.name = name, .value = value});
        if (series == "claim") claims[experiment][name] = value;
        continue;
      }
      const double c = static_cast<double>(columns.size());
      columns.push_back({word.substr(0, equals), "unit " + std::to_string(columns.size())});
      std::istringstream values(equals == std::string::npos ? "" : word.substr(equals + 1));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        // Positive, because some axes are logarithmic, rising, and different from one column and series to the next.
        double value = (1 + static_cast<double>(i)) * (0.375 + 0.125 * c) + 0.0625 * c * static_cast<double>(i % 3);
        value *= 1 + static_cast<double>(number_of_series[experiment]) / 32;
        if (std::string given; std::getline(values, given, ';')) value = std::stod(given);
        rows[i].push_back(value);
      }
    }
    if (columns.empty()) continue;
    report.series(series, columns, rows);
    ++number_of_series[experiment];
  }
  for (auto& [name, report] : reports) {
    const fs::path file = report.write(results);
    if (claims.contains(name)) add_claims(file, claims.at(name));
  }
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

  std::pair<int, std::string> plot(const std::string& arguments = "fig01_double_pendulum",
                                   const std::string& before = "", const std::string& options = "") const {
    return run_command(before + " " + program + " " + options + " " + results.string() + " " + figures.string() + " " +
                       arguments);
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
