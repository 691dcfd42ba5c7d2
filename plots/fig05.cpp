// SPDX-License-Identifier: MIT
// Figure 5 of TO14: windowed multipliers of the first molecule by SHAKE and by the penalised model, and their distance.
#include "drawing.hpp"
#include "figures.hpp"

#include <string>

namespace livi::plots {
namespace fig05_parts {

/// The distance against omega; what is beyond the axes left out.
Points by_omega(const Series& series, const char* column) {
  Points points = series.points("omega", column);
  std::erase_if(points, [](const auto& point) { return !(point.second < 100); });
  return points;
}

std::string finding(const ReportData& report) {
  const std::string run = "omega=500.h=0.05.beta=0.25.";
  return "At omega = 500 the averaged multipliers are " + number(report.measurement(run + "at_q")) +
         " standard deviations from SHAKE's if read at q and " + number(report.measurement(run + "at_x")) +
         " if read at x, while the motions are within 0.01 A of each other";
}

}  // namespace fig05_parts

Plot fig05() {
  using namespace fig05_parts;
  return {"fig05", "fig05_water_multipliers", "Figure 5 of TO14: multipliers of rigid and of penalised water",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series curves = report.series("curves");
            Drawing drawing(finding(report));
            const auto bond = [&](const char* title, const std::string& name, bool with_x) {
              Panel panel{.title = title,
                          .x_label = with_unit("t", curves.unit("t")),
                          .y_label = with_unit("multiplier", curves.unit("shake_oh1")),
                          .legend = true};
              if (with_x)
                panel.curves.push_back(
                    curve_of(curves, "t", "at_x_" + name, "-omega^2 g at x", Colour::orange, false, 1.5));
              panel.curves.push_back(curve_of(curves, "t", "at_q_" + name, "-omega^2 g at q", Colour::purple));
              panel.curves.push_back(curve_of(curves, "t", "shake_" + name, "SHAKE", Colour::black, true, 1.5));
              return panel;
            };
            drawing.row(296, {bond("First bond of the first oxygen, windows of 0.2", "oh1", false),
                              bond("Second bond", "oh2", false)});
            Panel distances{.title = "Distance to SHAKE while within 0.01 A",
                            .x_label = "omega",
                            .y_label = "distance in standard deviations",
                            .y_range = {{0.01, 100}},
                            .logarithmic_x = true,
                            .logarithmic_y = true,
                            .legend = true};
            const Series coarse = report.series("scan_h_500");
            const Series fine = report.series("scan_h_125");
            distances.curves = {
                {.points = by_omega(coarse, "at_q"), .title = "h = 0.05 at q", .colour = Colour::purple, .width = 2},
                {.points = by_omega(coarse, "at_x"), .title = "at x", .colour = Colour::orange, .width = 2},
                {.points = by_omega(fine, "at_q"), .title = "h = 0.0125 at q", .colour = Colour::blue, .width = 2},
                {.points = by_omega(report.series("scan_resolved"), "at_q"),
                 .title = "h omega = 1/4",
                 .colour = Colour::green,
                 .width = 2}};
            drawing.row(296, {bond("First bond, with the reading at x", "oh1", true), std::move(distances)});
            return drawing.write(folder, "fig05");
          }};
}

}  // namespace livi::plots
