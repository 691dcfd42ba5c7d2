// SPDX-License-Identifier: MIT
// Figure 10 of TO14: energy error, distance from SO(3) and deviation from the exact motion, (a) of variational Z&S,
// with the printed formulas beside, (b) of (34) with the same step.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>

namespace livi::plots {
namespace fig10_parts {

struct Entry {
  const char* series;
  const char* title;
  Colour colour;
  bool dashed;
};

Panel panel_of(const ReportData& report, const std::vector<Entry>& entries, const std::string& column) {
  Panel panel;
  for (const Entry& entry : entries) {
    panel.curves.push_back(
        curve_of(report.series(entry.series), "t", column, entry.title, entry.colour, entry.dashed, 1.3));
    Points& points = panel.curves.back().points;
    if (column != "energy_error") points = above(points, 1e-17);
  }
  return panel;
}

std::string finding(const ReportData& report) {
  const auto reached = [&](const char* series, const char* column) {
    return number(largest(report.series(series).points("t", column)));
  };
  return "Z&S leaves SO(3) by at most " + reached("trapezoidal", "group_defect") + " and (34) by " +
         reached("cayley_euler", "group_defect") + "; from the exact motion they deviate by " +
         reached("trapezoidal", "deviation") + " and " + reached("cayley_euler", "deviation") + " at most";
}

}  // namespace fig10_parts

Plot fig10() {
  using namespace fig10_parts;
  return {"fig10", "fig10_magnetised_body", "Figure 10 of TO14: energy, group structure and deviation",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const std::vector<Entry> matrices{
                {"drift_as_printed", "p_{k+1} in the drift, as printed", Colour::grey, false},
                {"first_order", "first order", Colour::sky_blue, false},
                {"trapezoidal_as_printed", "f as printed", Colour::vermilion, true},
                {"trapezoidal", "variational Z&S, trapezoidal", Colour::black, false}};
            const std::vector<Entry> group{{"cayley_euler", "(34), h = 0.1", Colour::orange, false},
                                           {"cayley_strang", "its Strang form", Colour::blue, true}};
            Drawing drawing(finding(report));
            const auto panel = [&](const std::vector<Entry>& entries, const std::string& column,
                                   const std::string& title, const std::string& label) {
              const bool left = &entries == &matrices;
              Panel result = panel_of(report, entries, column);
              result.title = title;
              result.x_label = column == "deviation" ? with_unit("t", "time") : "";
              result.y_label = label;
              result.x_range = {{0, 50}};
              result.logarithmic_y = column != "energy_error";
              if (column == "energy_error") result.y_range = {{-0.3, 0.3}};
              if (column == "group_defect") result.y_range = left ? std::pair(1e-3, 0.2) : std::pair(1e-17, 1e-13);
              if (column == "deviation") result.y_range = {{1e-4, 10}};
              result.legend = column == "deviation";
              return result;
            };
            drawing.row(250, {panel(matrices, "energy_error", "(a) Energy error, in R^{3x3}", "energy"),
                              panel(group, "energy_error", "(b) Energy error, on SO(3)", "energy")});
            drawing.row(250, {panel(matrices, "group_defect", "Distance from SO(3)", "|R'R - I|"),
                              panel(group, "group_defect", "Distance from SO(3)", "|R'R - I|")});
            drawing.row(250, {panel(matrices, "deviation", "Deviation from the exact motion", "|R - R_{ref}|"),
                              panel(group, "deviation", "Deviation from the exact motion", "|R - R_{ref}|")});
            return drawing.write(folder, "fig10");
          }};
}

}  // namespace livi::plots
