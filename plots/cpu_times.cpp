// SPDX-License-Identifier: MIT
// The running times of TO14 4.1: printed ratios beside counted arithmetic.
#include "drawing.hpp"
#include "figures.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace livi::plots {
namespace {

constexpr std::array<const char*, 7> row_names{
    "benchmark\\nh = 0.005",  "SHAKE\\n ",   "variational\\nEuler",      "Newmark,\\nsolved",
    "Newmark,\\n1 iteration", "Z\\\\&S\\n ", "Newmark, 1,\\ndifferenced"};

std::string short_number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

constexpr double bottom = 0.1;

/// A bar from the bottom of the scale to `top`: one line to and fro, dense enough to fill it.
Points bar(double centre, double top) {
  Points points;
  constexpr int strokes = 60;
  for (int k = 0; k <= strokes; ++k) {
    const double x = centre - 0.36 + 0.72 * k / strokes;
    points.emplace_back(x, k % 2 == 0 ? bottom : top);
    points.emplace_back(x, k % 2 == 0 ? top : bottom);
  }
  return points;
}

}  // namespace

Plot cpu_times() {
  return {"cpu_times", "cpu_times", "Running times of TO14 4.1: printed ratios and counted arithmetic",
          [](const ReportData& report, const std::filesystem::path& folder) {
            constexpr int width = 1080;
            constexpr double column = 140;
            const Series series = report.series("ratios");
            const auto& printed = series.column("printed");
            const auto& counted = series.column("counted");
            Drawing drawing(width, 390);
            for (std::size_t row = 0; row < printed.size(); ++row) {
              // One narrow panel a method: its name is the title, its bars start at the bottom of one common scale.
              const double left = 92 + static_cast<double>(row) * column;
              Panel panel;
              panel.curves = {{.points = bar(0, printed[row]), .colour = Colour::grey},
                              {.points = bar(1, counted[row]), .colour = Colour::blue}};
              panel.title =
                  std::string(row_names[row]) + "\\n" + short_number(printed[row]) + " | " + short_number(counted[row]);
              panel.y_label = row == 0 ? "work / work of Z\\\\&S (grey: printed, blue: counted)" : "";
              panel.x_range = {{-0.8, 1.8}};
              panel.y_range = {{bottom, 2000.0}};
              panel.logarithmic_y = true;
              drawing.add(std::move(panel), {left, 76, left + column - 46, 366});
            }
            return drawing.write(folder, "cpu_times");
          }};
}

}  // namespace livi::plots
