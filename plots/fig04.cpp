// SPDX-License-Identifier: MIT
// Figure 4 of TO14: distances between the oxygens of seven water molecules.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace livi::plots {
namespace fig04_parts {

/// Mean density over seeds, between two thin lines of two standard errors.
void add_with_errors(Panel& panel, const Series& series, const std::string& column, const char* title, Colour colour,
                     bool dashed = false) {
  Points low = series.points("r", column);
  Points high = low;
  const std::vector<double>& errors = series.column(column + "_error");
  for (std::size_t i = 0; i < errors.size(); ++i) {
    low[i].second = std::max(0.0, low[i].second - 2 * errors[i]);
    high[i].second += 2 * errors[i];
  }
  panel.curves.push_back({.points = std::move(low), .colour = colour, .width = 0.5});
  panel.curves.push_back({.points = std::move(high), .colour = colour, .width = 0.5});
  panel.curves.push_back(curve_of(series, "r", column, title, colour, dashed));
}

std::string finding(const ReportData& report) {
  const double rigid = report.measurement("shake.mean_distance"), zs = report.measurement("stiff_zs.mean_distance"),
               small = report.measurement("small_steps.mean_distance");
  const double model = rigid - small, method = std::abs(zs - small),
               basins = report.measurement("other_basin.earth_mover");
  const std::string of_basins = "a start in another basin moves them by " + number(basins) + " A";
  if (model > 0 && method < 0.1 * model)
    return "The penalised molecules sit " + number(rigid - zs) +
           " A closer than the rigid ones, because of the penalty: "
           "small steps of Verlet differ from Z&Ss by " +
           number(method, 1) + " A; " + of_basins;
  return "Mean distances of the oxygens: " + number(rigid, 5) + " A by SHAKE, " + number(zs, 5) + " A by Z&Ss, " +
         number(small, 5) + " A by small steps of Verlet; " + of_basins;
}

}  // namespace fig04_parts

Plot fig04() {
  using namespace fig04_parts;
  return {"fig04", "fig04_water", "Figure 4 of TO14: distances between oxygens, seven water molecules",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series series = report.series("distances");
            const std::string r = with_unit("distance between oxygens r", series.unit("r"));
            const std::string density = with_unit("density", series.unit("shake"));
            Panel methods{.title = "Seven molecules, T = 10000, 16 seeds; thin lines: two standard errors",
                          .x_label = r,
                          .y_label = density,
                          .x_range = {{2.4, 7}},
                          .legend = true};
            add_with_errors(methods, series, "shake", "SHAKE: rigid", Colour::black);
            add_with_errors(methods, series, "stiff_zs", "Z&Ss: penalised, omega = 20", Colour::orange);
            add_with_errors(methods, series, "small_steps", "the same by small steps of Verlet", Colour::blue, true);
            Panel basins{.title = "SHAKE from two minima of the energy",
                         .x_label = r,
                         .y_label = density,
                         .x_range = {{2.4, 7}},
                         .legend = true};
            add_with_errors(basins, series, "shake", "the lowest", Colour::black);
            add_with_errors(basins, series, "other_basin", "the third", Colour::green);
            Drawing drawing(finding(report));
            drawing.row(336, {std::move(methods)});
            drawing.row(336, {std::move(basins)});
            return drawing.write(folder, "fig04");
          }};
}

}  // namespace livi::plots
