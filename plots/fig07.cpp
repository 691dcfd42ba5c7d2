// SPDX-License-Identifier: MIT
// Figure 7 of TO14: distances between the oxygens of a hundred water molecules.
#include "drawing.hpp"
#include "figures.hpp"

#include <utility>

namespace livi::plots {

Plot fig07() {
  return {"fig07", "fig07_water", "Figure 7 of TO14: distances between oxygens, a hundred water molecules",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series series = report.series("distances");
            const std::string r = with_unit("distance between oxygens r", series.unit("r"));
            Panel methods{.title = "A hundred molecules, T = 1000, 8 seeds (errors thinner than the lines)",
                          .x_label = r,
                          .y_label = with_unit("density", series.unit("shake")),
                          .x_range = {{2, 19}},
                          .legend = true};
            methods.curves = {
                {.points = series.points("r", "shake"), .title = "SHAKE: rigid", .colour = Colour::black, .width = 2},
                {.points = series.points("r", "stiff_zs"),
                 .title = "Z\\\\&Ss: penalised, omega = 20",
                 .colour = Colour::orange,
                 .width = 2}};
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
            Panel below{.title = "Difference, Z\\\\&Ss less SHAKE; thin lines: two standard errors of both",
                        .x_label = r,
                        .y_label = with_unit("density", series.unit("shake")),
                        .x_range = {{2, 19}}};
            below.curves = {{.points = std::move(low), .colour = Colour::blue, .width = 0.5},
                            {.points = std::move(high), .colour = Colour::blue, .width = 0.5},
                            {.points = std::move(difference), .colour = Colour::blue, .width = 2}};
            Drawing drawing(1000, 840);
            drawing.add(std::move(methods), {90, 34, 970, 370});
            drawing.add(std::move(below), {90, 500, 970, 770});
            return drawing.write(folder, "fig07");
          }};
}

}  // namespace livi::plots
