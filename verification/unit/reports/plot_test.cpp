// SPDX-License-Identifier: MIT
//
// livi-plot on made-up reports: it draws what they say, the same bytes each time, or says what is wrong and draws
// nothing; and which points of a curve it keeps.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <livi/report/report.hpp>
#include <sstream>

#include "plot_program.hpp"
#include "plots/report_data.hpp"
#include "verification/support/text_of.hpp"

namespace plot_test {

using namespace livi::test;

using livi::plots::Points;

/// A fast oscillation around a slow one, with one peak and one trough that a coarser curve could miss.
Points oscillation(std::size_t n) {
  Points points(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double t = 0.01 * static_cast<double>(i);
    points[i] = {t, std::sin(97 * t) + 0.3 * std::cos(t)};
  }
  points[n / 3].second = 7;
  points[2 * n / 3].second = -9;
  return points;
}

TEST(PlotPoints, thinned_keep_the_envelope) {
  constexpr std::size_t n = 1003, buckets = 40;
  const Points points = oscillation(n);
  const Points kept = livi::plots::thinned(points, buckets);
  EXPECT_LE(kept.size(), 2 * buckets);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end())) << "in the order of time";
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(bucket * n / buckets);
    const auto end = points.begin() + static_cast<std::ptrdiff_t>((bucket + 1) * n / buckets);
    const auto [low, high] =
        std::minmax_element(begin, end, [](const auto& a, const auto& b) { return a.second < b.second; });
    EXPECT_EQ(std::count(kept.begin(), kept.end(), *low), 1) << bucket;
    EXPECT_EQ(std::count(kept.begin(), kept.end(), *high), 1) << bucket;
  }
}

TEST(PlotPoints, few_points_and_level_ones_are_thinned_to_themselves) {
  const Points few = oscillation(80);
  EXPECT_EQ(livi::plots::thinned(few, 40), few);
  Points level(100);
  for (std::size_t i = 0; i < level.size(); ++i) level[i] = {static_cast<double>(i), 2.0};
  const Points kept = livi::plots::thinned(level, 10);
  EXPECT_FALSE(kept.empty());
  for (const auto& [x, y] : kept) EXPECT_EQ(y, 2.0);
}

TEST(PlotPoints, the_running_maximum_is_of_the_size_whatever_the_sign) {
  const Points points{{0, 0.5}, {1, -2}, {2, 1}, {3, -1.5}, {4, 3}, {5, -2.5}};
  const Points expected{{0, 0.5}, {1, 2}, {2, 2}, {3, 2}, {4, 3}, {5, 3}};
  EXPECT_EQ(livi::plots::running_maximum(points), expected);
  EXPECT_EQ(livi::plots::largest(points), 3);
  EXPECT_EQ(livi::plots::largest({{0, 1}, {1, -4}}), 4);
  EXPECT_EQ(livi::plots::running_maximum({}), Points{});
  EXPECT_EQ(livi::plots::largest({}), 0);
}

TEST_F(Plot, draws_both_figures_with_every_row_and_unit) {
  const auto [status, output] = plot();
  ASSERT_EQ(status, 0) << output;
  const std::string svg = text_of(figures / "fig01.svg");
  for (const char* part : {"Row 1, reference", "Row 2, SHAKE", "Row 3, variational Euler", "Row 4, Newmark, solved",
                           "Row 5, Newmark, one iteration", "Row 6, Zhang-Skeel", "t [s]", "[m]"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  }
  const std::string energy = text_of(figures / "fig01_energy.svg");
  for (const char* part :
       {"SHAKE", "variational Euler", "Newmark, solved", "Newmark, one iteration", "Zhang-Skeel", "[J]"}) {
    EXPECT_NE(energy.find(part), std::string::npos) << part;
  }
  EXPECT_GT(fs::file_size(figures / "fig01.png"), 10000U);
  EXPECT_TRUE(no_temporary_in(figures));
}

TEST_F(Plot, draws_the_same_bytes_from_the_same_reports_and_others_from_others) {
  ASSERT_EQ(plot().first, 0);
  const std::string errors = text_of(figures / "fig01.svg");
  const std::string energy = text_of(figures / "fig01_energy.svg");
  ASSERT_EQ(plot().first, 0);
  EXPECT_EQ(text_of(figures / "fig01.svg"), errors);
  EXPECT_EQ(text_of(figures / "fig01_energy.svg"), energy);
  write_report(0.02);
  ASSERT_EQ(plot().first, 0);
  EXPECT_NE(text_of(figures / "fig01.svg"), errors);
  EXPECT_NE(text_of(figures / "fig01_energy.svg"), energy);
}

TEST_F(Plot, uses_the_palette_of_okabe_and_ito) {
  ASSERT_EQ(plot().first, 0);
  const std::string svg = text_of(figures / "fig01_energy.svg");
  for (const char* colour : {"rgb(  0, 158, 115)", "rgb(  0, 114, 178)", "rgb(213,  94,   0)", "rgb(204, 121, 167)"}) {
    EXPECT_NE(svg.find(colour), std::string::npos) << colour;
  }
}

TEST_F(Plot, has_one_path_for_all_dots_of_a_curve) {
  write_made_up_reports(results);
  const auto [status, output] = plot("step_rules");
  ASSERT_EQ(status, 0) << output;
  const std::string svg = text_of(figures / "step_rules.svg");
  const auto count = [&](const std::string& words) {
    int found = 0;
    for (auto at = svg.find(words); at != std::string::npos; at = svg.find(words, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("xlink:href='#gpPt6' transform"), 0);
  // Eight curves, each with two of its points in the panel.
  EXPECT_EQ(count("stroke-linecap='round'"), 8);
  EXPECT_EQ(count("h0"), 16);
  // The circles were of radius 0.73, with a border of 0.205 radii.
  EXPECT_EQ(count("stroke-width='1.60965' stroke='rgb(  0, 114, 178)' d='M"), 2);
  EXPECT_TRUE(svg.ends_with("</svg>\n\n"));
}

TEST_F(Plot, says_that_two_methods_err_alike_only_where_they_do) {
  const auto finding = [&] {
    EXPECT_EQ(plot("fig01", "PATH=" + figures_folder.string() + ":$PATH").first, 0);
    return finding_of(text_of(figures / "fig01.svg"));
  };
  // Each method errs by half as much again as the one before it: Z&S by 2.25 times as much as solved Newmark.
  EXPECT_EQ(finding(),
            "Z\\\\&S and the fully solved Newmark method err by at most 0.0759 against 0.0338, SHAKE by 0.015");
  const fs::path file = results / "fig01_double_pendulum.zhang_skeel.csv";
  fs::copy_file(results / "fig01_double_pendulum.newmark_converged.csv", file, fs::copy_options::overwrite_existing);
  EXPECT_EQ(finding(),
            "Z\\\\&S errs like the fully solved Newmark method, by at most 0.0338 against 0.0338; SHAKE errs by 0.015");
}

TEST_F(Plot, asks_a_report_for_the_numbers_it_says) {
  write_made_up_reports(results);
  const livi::plots::ReportData report(results, "fig07_water");
  EXPECT_EQ(report.measurement("shake.mean_distance"), 8.753);
  EXPECT_EQ(report.measured("TO14.fig7"), 0.0625);
  EXPECT_THROW((void)report.measurement("TO14.fig7"), livi::plots::PlotError);
  EXPECT_THROW((void)report.measured("shake.mean_distance"), livi::plots::PlotError);
  const fs::path file = results / "fig07_water.json";
  const std::string without = replaced(text_of(file), "stiff_zs.mean_distance", "mean_distance");
  std::ofstream(file) << without;
  const auto [status, output] = plot("fig07");
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find(file.string() + ": has no number 'stiff_zs.mean_distance' in its measurements"),
            std::string::npos)
      << output;
  EXPECT_FALSE(fs::exists(figures / "fig07.svg"));
}

TEST_F(Plot, thins_lines_and_doubles_the_size_of_the_png) {
  write_report(0.01, 5000);
  const auto [status, output] = plot("fig01_double_pendulum", "PATH=" + figures_folder.string() + ":$PATH");
  ASSERT_EQ(status, 0) << output;
  // Numbers of points between the lines "e" that end the curves.
  std::istringstream lines(text_of(figures / "fig01_energy.svg"));
  int points = 0, curves = 0;
  for (std::string line; std::getline(lines, line); ++points) {
    if (line == "e") {
      EXPECT_GT(points, 1000);
      EXPECT_LE(points, 2000);
      ++curves;
    }
    if (line.starts_with("plot ") || line == "e") points = -1;
  }
  EXPECT_GE(curves, 5);
  const auto size_of = [&](const char* file, const std::string& terminal) {
    const std::string script = text_of(figures / file), words = "set terminal " + terminal + " enhanced size ";
    const auto at = script.find(words);
    EXPECT_NE(at, std::string::npos) << file;
    int width = 0, height = 0;
    EXPECT_EQ(std::sscanf(script.c_str() + at + words.size(), "%d,%d", &width, &height), 2) << file;
    return std::pair(width, height);
  };
  const auto [width, height] = size_of("fig01.svg", "svg");
  EXPECT_EQ(size_of("fig01.png", "pngcairo"), std::pair(2 * width, 2 * height));
}

/// Where gnuplot knows no pngcairo and nothing else makes a PNG, the SVG is the figure.
TEST_F(Plot, needs_no_png) {
  const fs::path programs = folder / "programs";
  fs::create_directories(programs);
  for (const char* name : {"sh", "cat", "sed"}) fs::create_symlink(fs::path("/bin") / name, programs / name);
  std::ofstream(programs / "gnuplot") << "#!/bin/sh\ncase \"$*\" in *GPVAL_TERMINALS*) exit 1 ;; esac\nexec '"
                                      << (figures_folder / "gnuplot").string() << "'\n";
  fs::permissions(programs / "gnuplot", fs::perms{0755});
  const auto [status, output] = plot("fig01", "PATH=" + programs.string());
  EXPECT_EQ(status, 0) << output;
  EXPECT_TRUE(fs::exists(figures / "fig01.svg"));
  EXPECT_FALSE(fs::exists(figures / "fig01.png"));
}

/// Dots become one path; what only resembles them stays as gnuplot wrote it.
TEST_F(Plot, leaves_alone_what_is_no_dot) {
  const std::string begin = "\t<use xlink:href='#gpPt6' transform='translate(", end = "'/>\n";
  const std::string dot = begin + "1.0,2.0) scale(3.00)' color='red" + end;
  const std::string others = "\t<use xlink:href='#gpPt5' transform='translate(1.0,2.0) scale(3.00)' color='red" + end +
                             begin + "1.0,2.0)' color='red" + end + begin + "1.0,2.0) scale(3.00)' fill='red" + end +
                             begin + "1.0,2.0) scale(3.00)' color='red'><g/>\n";
  std::ofstream(folder / "drawn") << "<circle id='gpPt5' stroke-width='0.25'/>\n" << others << dot << dot << others;
  std::ofstream(folder / "gnuplot")
      << "#!/bin/sh\ncase \"$*\" in *GPVAL_TERMINALS*) exit 0 ;; esac\n"
      << "file=$(sed -n \"s/^set output '\\(.*\\)'$/\\1/p\")\n"
      << "case $file in *.svg.tmp) { cat '" << (folder / "drawn").string()
      << "'; printf '</svg>\\n\\n'; } >\"$file\" ;; *) printf 'xIEND\\256\\102\\140\\202' >\"$file\" ;; esac\n";
  fs::permissions(folder / "gnuplot", fs::perms{0755});
  const auto [status, output] = plot("fig01", "PATH=" + folder.string() + ":$PATH");
  ASSERT_EQ(status, 0) << output;
  EXPECT_EQ(
      text_of(figures / "fig01.svg"),
      "<circle id='gpPt5' stroke-width='0.25'/>\n" + others +
          "\t<path fill='none' stroke-linecap='round' stroke-width='6.75' stroke='red' d='M1.0,2.0h0M1.0,2.0h0'/>\n" +
          others + "</svg>\n\n");
}

TEST_F(Plot, is_chosen_by_name_or_experiment) {
  EXPECT_EQ(plot("fig01").first, 0);
  EXPECT_FALSE(fs::exists(figures / "fig01_energy.svg"));
  EXPECT_EQ(plot("fig01_double_pendulum").first, 0);
  const auto [status, output] = plot("fig99");
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("'fig99'"), std::string::npos) << output;
  EXPECT_EQ(run_command(program + " --list").first, 0);
  EXPECT_NE(run_command(program + " --list").second.find("fig01_double_pendulum"), std::string::npos);
  EXPECT_EQ(run_command(program).first, 2);
  EXPECT_EQ(run_command(program + " --frobnicate").first, 2);
  for (const char* option : {" --list", " --help"})
    EXPECT_EQ(run_command(program + option + " >/dev/full"), std::pair(2, unwritable)) << option;
}

TEST_F(Plot, says_what_is_wrong_with_a_report) {
  const fs::path report = results / "fig01_double_pendulum.json";
  const std::string good = text_of(report);
  ASSERT_EQ(plot().first, 0);
  const std::string figure = text_of(figures / "fig01.svg");
  const auto expect_refused = [&](const std::string& part) {
    const auto [status, output] = plot();
    EXPECT_EQ(status, 2);
    EXPECT_NE(output.find(part), std::string::npos) << output;
    EXPECT_EQ(text_of(figures / "fig01.svg"), figure) << "the previous figure must stay";
  };
  std::ofstream(report) << good.substr(0, good.size() / 2);
  expect_refused(report.string() + ": is not a report");
  std::ofstream(report) << replaced(good, "livi.report/1", "livi.report/9");
  expect_refused("is not a livi.report/1");
  std::ofstream(report) << replaced(good, "\"name\": \"shake\"", "\"name\": \"rattle\"");
  expect_refused("has no series 'shake'");
  std::ofstream(report) << replaced(good, "y2_error", "x2_error");
  expect_refused("series 'shake': column 'x2_error' occurs twice");
  std::ofstream(report) << replaced(good, "\"experiment\": \"fig01_double_pendulum\"",
                                    "\"experiment\": \"fig03_chain\"");
  expect_refused("is not the report of 'fig01_double_pendulum'");
  std::ofstream(report) << good << '\0' << "more";
  expect_refused(report.string() + ": has bytes of zero");
  fs::remove(report);
  expect_refused(report.string() + ": cannot be read: No such file");
  ASSERT_EQ(::mkfifo(report.c_str(), 0600), 0);
  expect_refused(report.string() + ": is no regular file");
  fs::remove(report);
  // It can be opened, but nothing is mapped where reading begins.
  fs::create_symlink("/proc/self/mem", report);
  expect_refused(report.string() + ": cannot be read: Input/output error");
}

TEST_F(Plot, a_report_under_the_name_of_another_is_not_read_for_it) {
  EXPECT_NO_THROW(livi::plots::ReportData(results, "fig01_double_pendulum"));
  fs::copy_file(results / "fig01_double_pendulum.json", results / "fig03_chain.json");
  EXPECT_THROW(livi::plots::ReportData(results, "fig03_chain"), livi::plots::PlotError);
  std::ofstream(results / "fig03_chain.json") << "{";
  EXPECT_THROW(livi::plots::ReportData(results, "fig03_chain"), livi::plots::PlotError) << "at once, not when asked";
}

TEST_F(Plot, leaves_out_figures_without_a_report_only_when_asked_to) {
  EXPECT_EQ(plot("--available").first, 0);
  EXPECT_TRUE(fs::exists(figures / "fig01.svg"));
  std::ofstream(results / "fig01_double_pendulum.json") << "{";
  EXPECT_EQ(plot("--available").first, 2) << "a report that is not in order is not left out";
  fs::remove(results / "fig01_double_pendulum.json");
  EXPECT_EQ(plot().first, 2);
  const auto [status, output] = plot("--available");
  EXPECT_EQ(status, 0);
  EXPECT_NE(output.find("fig01: left out"), std::string::npos) << output;
}

TEST_F(Plot, says_what_is_wrong_with_a_series) {
  const fs::path csv = results / "fig01_double_pendulum.shake.csv";
  const std::string good = text_of(csv);
  const auto expect_refused = [&](const std::string& part) {
    const auto [status, output] = plot();
    EXPECT_EQ(status, 2);
    EXPECT_NE(output.find(csv.string() + ": " + part), std::string::npos) << output;
  };
  std::ofstream(csv) << replaced(good, "x2_error", "x1_error");
  expect_refused("line 1");
  std::ofstream(csv) << good << "50.5,nan,0,0\n";
  expect_refused("line 103");
  std::ofstream(csv) << good << "50.5,0,0\n";
  expect_refused("line 103");
  std::ofstream(csv) << good << "50.5,0,0,0,\n";
  expect_refused("line 103");
  std::ofstream(csv) << good << "50.5,0,0,0\n";
  expect_refused("has 102 rows of numbers, but fig01_double_pendulum.json announces 101");
  std::ofstream(csv) << good.substr(0, good.rfind('\n', good.size() - 2) + 1);
  expect_refused("has 100 rows of numbers, but fig01_double_pendulum.json announces 101");
  std::ofstream(csv) << good.substr(0, good.find('\n') + 1);
  expect_refused("has no rows");
  fs::remove(csv);
  expect_refused("cannot be read");
}

TEST_F(Plot, asks_for_gnuplot_where_it_is_missing) {
  const auto [status, output] = plot("fig01", "PATH=/nonexistent");
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("gnuplot: not found"), std::string::npos) << output;
  EXPECT_NE(output.find("apt-get install"), std::string::npos) << output;
}

TEST_F(Plot, notices_a_gnuplot_that_fails) {
  ASSERT_EQ(plot().first, 0);
  const std::string figure = text_of(figures / "fig01.svg");
  std::ofstream(folder / "gnuplot") << "#!/bin/sh\nexit 1\n";
  fs::permissions(folder / "gnuplot", fs::perms{0755});
  const auto [status, output] = plot("fig01", "PATH=" + folder.string() + ":$PATH");
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find("fig01.svg"), std::string::npos) << output;
  EXPECT_EQ(text_of(figures / "fig01.svg"), figure);
  EXPECT_TRUE(no_temporary_in(figures));
}

TEST_F(Plot, a_full_disk_leaves_the_previous_figure_intact) {
  ASSERT_EQ(plot().first, 0);
  const std::string figure = text_of(figures / "fig01.svg");
  // Two blocks, of 512 or 1024 bytes by shell: no figure fits.
  const auto [status, output] = plot("fig01", "ulimit -f 2;");
  EXPECT_EQ(status, 2) << output;
  EXPECT_NE(output.find("fig01.svg"), std::string::npos) << output;
  EXPECT_EQ(text_of(figures / "fig01.svg"), figure);
  EXPECT_TRUE(no_temporary_in(figures));
}

TEST_F(Plot, an_impossible_folder_is_named) {
  std::ofstream(folder / "file") << "in the way";
  const auto [status, output] =
      run_command(program + " " + results.string() + " " + (folder / "file" / "figures").string());
  EXPECT_EQ(status, 2);
  EXPECT_NE(output.find((folder / "file" / "figures").string()), std::string::npos) << output;
}

}  // namespace plot_test
