// SPDX-License-Identifier: MIT
// Kinetic temperatures of seven water molecules, TO14 4.3, against the step and against Newmark's beta.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace livi::plots {
namespace water_temperature_parts {

/// A curve, or points alone, with a bar of two standard errors at each point.
void add_with_bars(Panel& panel, const Series& series, const char* parameter, const std::string& column,
                   const std::string& title, Colour colour, bool dashed = false, bool line = true) {
  const Points points = series.points(parameter, column);
  const std::vector<double>& errors = series.column(column + "_error");
  if (line) panel.curves.push_back({.points = points, .title = title, .colour = colour, .width = 2, .dashed = dashed});
  panel.curves.push_back({.points = points, .title = line ? "" : title, .colour = colour, .width = 6, .dots = true});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& [x, y] = points[i];
    panel.curves.push_back({.points = {{x, y - 2 * errors[i]}, {x, y + 2 * errors[i]}}, .colour = colour});
  }
}

/// The value of a column at the largest step.
double at_largest_step(const Series& series, const char* column) {
  const std::vector<double>& steps = series.column("h");
  const auto largest_step = std::max_element(steps.begin(), steps.end()) - steps.begin();
  return series.column(column)[static_cast<std::size_t>(largest_step)];
}

std::string finding(const Series& shake, const Series& zs) {
  return "With the largest step, h = " + number(at_largest_step(zs, "h"), 1) +
         ", Z&Ss has the rotation of the cluster at " + number(at_largest_step(zs, "rotation")) +
         " times the temperature of the bath, the rest at " + number(at_largest_step(zs, "internal"), 3) +
         "; SHAKE all at " + number(at_largest_step(shake, "temperature"), 3);
}

}  // namespace water_temperature_parts

Plot water_temperature() {
  using namespace water_temperature_parts;
  return {"water_temperature", "water_temperature", "temperatures of seven water molecules",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series shake = report.series("shake");
            const Series zs = report.series("stiff_zs");
            const Series by_beta = report.series("by_beta");
            const char* const temperature = "kinetic temperature over the bath's";
            Panel step{.title = "Z&Ss with beta = 1/4, 8 seeds; bars: two standard errors",
                       .x_label = with_unit("h", zs.unit("h")),
                       .y_label = temperature,
                       .x_range = {{0.01, 0.052}},
                       .y_range = {{0.8, 3.6}},
                       .legend = true};
            add_with_bars(step, shake, "h", "temperature", "SHAKE, all", Colour::black, true);
            add_with_bars(step, zs, "h", "temperature", "Z&Ss, all", Colour::orange);
            add_with_bars(step, zs, "h", "oxygen", "Z&Ss, oxygens", Colour::vermilion);
            add_with_bars(step, zs, "h", "rotation", "Z&Ss, rotation", Colour::purple);
            add_with_bars(step, zs, "h", "internal", "Z&Ss, internal", Colour::blue);
            Panel newmark{.title = "Z&Ss with h = 0.05, 4 seeds; runs are lost for beta = 0.2, 0.26 to 0.29, 1",
                          .x_label = "Newmark's beta",
                          .y_label = temperature,
                          .x_range = {{0.2, 0.78}},
                          .y_range = {{0.8, 50}},
                          .logarithmic_y = true,
                          .legend = true};
            // No lines: between these points there are some where runs are lost.
            add_with_bars(newmark, by_beta, "beta", "rotation", "rotation of the whole", Colour::purple, false, false);
            add_with_bars(newmark, by_beta, "beta", "temperature", "all", Colour::orange, false, false);
            add_with_bars(newmark, by_beta, "beta", "internal", "internal: without drift and rotation of the whole",
                          Colour::blue, false, false);
            Drawing drawing(finding(shake, zs));
            drawing.row(320, {std::move(step)});
            drawing.row(320, {std::move(newmark)});
            return drawing.write(folder, "water_temperature");
          }};
}

}  // namespace livi::plots
