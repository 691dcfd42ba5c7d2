// SPDX-License-Identifier: MIT
// Figure 3 of TO14, the chain of ten pendula: the paths of two masses by SHAKE with two steps and by Z&S; and, which
// the paper does not show, their errors, over the figure's time and over ten times as long.
#include "drawing.hpp"
#include "figures.hpp"

#include <array>
#include <string>

namespace livi::plots {
namespace fig03_parts {

struct Method {
  const char* column;
  const char* title;
  Colour colour;
  double width;
  bool dashed;
};

// Wide first: three curves that agree are seen as three only if the later ones are thinner.
constexpr std::array<Method, 3> methods{{
    {"shake", "SHAKE, h = 0.05", Colour::sky_blue, 5, false},
    {"shake_half_step", "SHAKE, h = 0.025", Colour::black, 2, false},
    {"zhang_skeel", "Zhang-Skeel, h = 0.05, omega = 20", Colour::vermilion, 2, true},
}};

Panel path(const Series& series, const std::string& coordinate, const std::string& label) {
  Panel panel{.title = label + " by the three methods, colours as below",
              .x_label = with_unit("t", series.unit("t")),
              .y_label = with_unit(label, series.unit("shake." + coordinate))};
  for (const Method& method : methods)
    panel.curves.push_back(curve_of(series, "t", std::string(method.column) + "." + coordinate, method.title,
                                    method.colour, method.dashed, method.width));
  return panel;
}

Panel errors(const Series& series, const std::string& title) {
  Panel panel{.title = title,
              .x_label = with_unit("t", series.unit("t")),
              .y_label = with_unit("largest error so far", series.unit("shake")),
              .y_range = {{1e-6, 1}},
              .logarithmic_y = true,
              .legend = true};
  for (const Method& method : methods)
    panel.curves.push_back({.points = above(running_maximum(series.points("t", method.column)), 0),
                            .title = method.title,
                            .colour = method.colour,
                            .width = 2,
                            .dashed = method.dashed});
  return panel;
}

std::string finding(const ReportData& report, const Series& errors) {
  const double zs = largest(errors.points("t", "zhang_skeel"));
  const double shake = largest(errors.points("t", "shake"));
  return "SHAKE and Z&S agree within " + number(report.measured("TO14.fig3")) +
         " in every coordinate; with the same step Z&S errs by " + number(zs) + ", " + number(zs / shake) +
         " times as much as SHAKE";
}

}  // namespace fig03_parts

Plot fig03() {
  using namespace fig03_parts;
  return {"fig03", "fig03_chain", "Figure 3 of TO14: the chain of ten pendula, with errors",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series paths = report.series("paths"), of_figure = report.series("errors");
            Drawing drawing(finding(report, of_figure));
            drawing.row(226, {path(paths, "x10", "x_{10}"), path(paths, "y10", "y_{10}")});
            drawing.row(226, {path(paths, "x5", "x_5"), path(paths, "y5", "y_5")});
            drawing.row(300, {errors(of_figure, "Error, to a reference good to 10^{-15}"),
                              errors(report.series("long_time"), "The same, ten times as long")});
            return drawing.write(folder, "fig03");
          }};
}

}  // namespace livi::plots
