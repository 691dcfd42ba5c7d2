// SPDX-License-Identifier: MIT
// Figure 7 of TO14: distances between the oxygens of a hundred water molecules.
#include "drawing.hpp"
#include "figures.hpp"

#include <cmath>
#include <utility>

namespace livi::plots {
namespace fig07_parts {

std::string finding(const ReportData& report) {
  const double rigid = report.measurement("shake.mean_distance"), zs = report.measurement("stiff_zs.mean_distance");
  const double share = report.measured("TO14.fig7.model-error");
  const std::string times =
      "small steps of Verlet on the same model have " + number(share, 3) + " times that difference";
  if (rigid > zs && std::abs(share - 1) < 0.1)
    return "A hundred penalised molecules sit " + number(rigid - zs) + " A closer than rigid ones (of " +
           number(rigid, 3) + " A), because of the penalty: " + times;
  return "Mean distances of the oxygens of a hundred molecules: " + number(rigid, 5) + " A by SHAKE, " + number(zs, 5) +
         " A by Z&Ss; " + times;
}

}  // namespace fig07_parts

Plot fig07() {
  using namespace fig07_parts;
  return {"fig07", "fig07_water", "Figure 7 of TO14: distances between oxygens, a hundred water molecules",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series series = report.series("distances");
            const std::string r = with_unit("distance between oxygens r", series.unit("r"));
            Panel methods{
                .title = "A hundred molecules, T = 1000, 8 seeds (errors thinner than the lines), Newmark's beta = 0.3",
                .x_label = r,
                .y_label = with_unit("density", series.unit("shake")),
                .x_range = {{2, 19}},
                .legend = true};
            methods.curves = {curve_of(series, "r", "shake", "SHAKE: rigid", Colour::black),
                              curve_of(series, "r", "stiff_zs", "Z&Ss: penalised, omega = 20", Colour::orange)};
            Points difference = series.points("r", "stiff_zs");
            Points low = difference;
            Points high = difference;
            for (std::size_t i = 0; i < difference.size(); ++i) {
              const double d = difference[i].second - series.column("shake")[i];
              const double error = 2 * (series.column("shake_error")[i] + series.column("stiff_zs_error")[i]);
              difference[i].second = d;
              low[i].second = d - error;
              high[i].second = d + error;
            }
            Panel below{.title = "Difference, Z&Ss less SHAKE; thin lines: two standard errors of both",
                        .x_label = r,
                        .y_label = with_unit("density", series.unit("shake")),
                        .x_range = {{2, 19}}};
            below.curves = {{.points = std::move(low), .colour = Colour::blue, .width = 0.5},
                            {.points = std::move(high), .colour = Colour::blue, .width = 0.5},
                            {.points = std::move(difference), .colour = Colour::blue, .width = 2}};
            Drawing drawing(finding(report));
            drawing.row(336, {std::move(methods)});
            drawing.row(270, {std::move(below)});
            return drawing.write(folder, "fig07");
          }};
}

}  // namespace livi::plots
