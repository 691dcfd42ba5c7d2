// SPDX-License-Identifier: MIT
// Figure 10 of TO14: energy error, distance from SO(3) and deviation from the exact motion, (a) of variational Z&S,
// with the printed formulas beside, (b) of (34) with the same step.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>

namespace livi::plots {
namespace {

struct Entry {
  const char* series;
  const char* title;
  Colour colour;
  bool dashed;
};

Panel panel_of(const ReportData& report, const std::vector<Entry>& entries, const std::string& column) {
  Panel panel;
  for (const Entry& entry : entries) {
    const Series series = report.series(entry.series);
    Points points = series.points("t", column);
    // A logarithm needs more than zero.
    if (column != "energy_error") std::erase_if(points, [](const auto& point) { return !(point.second > 1e-17); });
    panel.curves.push_back(
        {.points = points, .title = entry.title, .colour = entry.colour, .width = 1.3, .dashed = entry.dashed});
  }
  return panel;
}

}  // namespace

Plot fig10() {
  return {"fig10", "fig10_magnetised_body", "Figure 10 of TO14: energy, group structure and deviation",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const std::vector<Entry> matrices{
                {"drift_as_printed", "p_{k+1} in the drift, as printed", Colour::grey, false},
                {"first_order", "first order", Colour::sky_blue, false},
                {"trapezoidal_as_printed", "f as printed", Colour::vermilion, true},
                {"trapezoidal", "variational Zhang-Skeel (trapezoidal)", Colour::black, false}};
            const std::vector<Entry> group{{"cayley_euler", "(34), h = 0.1", Colour::orange, false},
                                           {"cayley_strang", "its Strang form", Colour::blue, true}};
            Drawing drawing(1200, 1270);
            const auto add = [&](const std::vector<Entry>& entries, const std::string& column, const std::string& title,
                                 const std::string& label, bool left, int row) {
              Panel panel = panel_of(report, entries, column);
              panel.title = title;
              panel.x_label = with_unit("t", "time");
              panel.y_label = label;
              panel.x_range = {{0, 50}};
              panel.logarithmic_y = column != "energy_error";
              if (column == "energy_error") panel.y_range = {{-0.3, 0.3}};
              if (column == "group_defect") panel.y_range = left ? std::pair(1e-3, 0.2) : std::pair(1e-17, 1e-13);
              if (column == "deviation") panel.y_range = {{1e-4, 10}};
              panel.legend = row == 2;
              const double x = left ? 80 : 680, top = 40 + 385.0 * row;
              drawing.add(std::move(panel), {x, top, x + 490, top + 300});
            };
            add(matrices, "energy_error", "(a) Energy error, in R^{3x3}", "energy", true, 0);
            add(matrices, "group_defect", "|R'R - I|", "|R'R - I|", true, 1);
            add(matrices, "deviation", "Deviation from the exact motion", "|R - R_{ref}|", true, 2);
            add(group, "energy_error", "(b) Energy error, on SO(3)", "energy", false, 0);
            add(group, "group_defect", "|R'R - I|", "|R'R - I|", false, 1);
            add(group, "deviation", "Deviation from the exact motion", "|R - R_{ref}|", false, 2);
            return drawing.write(folder, "fig10");
          }};
}

}  // namespace livi::plots
