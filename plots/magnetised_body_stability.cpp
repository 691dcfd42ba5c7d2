// SPDX-License-Identifier: MIT
// The magnetised body over beta and h omega: where variational Z&S leaves SO(3), and the growth of a stretch.
#include "drawing.hpp"
#include "figures.hpp"

#include <cmath>

namespace livi::plots {
namespace magnetised_body_stability_parts {

Panel map(const Series& series, const Series& lines) {
  const auto& beta = series.column("beta");
  const auto& h_omega = series.column("h_omega");
  const auto& left_at = series.column("left_at");
  Points kept, slowly, soon;
  for (std::size_t k = 0; k < beta.size(); ++k)
    (left_at[k] >= 100 ? kept : left_at[k] >= 10 ? slowly : soon).emplace_back(beta[k], h_omega[k]);
  const auto line = [&](const char* column, const char* title, Colour colour, bool dashed) {
    Points points = lines.points("beta", column);
    std::erase_if(points, [](const auto& point) { return point.second > 3; });
    return Curve{.points = points, .title = title, .colour = colour, .width = 2, .dashed = dashed};
  };
  Panel panel{.title = "Variational Zhang-Skeel from the printed start, h = 0.1: near SO(3) to T = 100?",
              .x_label = "beta",
              .y_label = "h omega",
              .x_range = {{0.245, 0.755}},
              .y_range = {{0.45, 3}},
              .legend = true};
  panel.curves = {{.points = soon, .title = "leaves before t = 10", .colour = Colour::grey, .width = 11, .dots = true},
                  {.points = slowly, .title = "leaves by t = 100", .colour = Colour::orange, .width = 11, .dots = true},
                  {.points = kept, .title = "stays", .colour = Colour::sky_blue, .width = 11, .dots = true},
                  line("linear_limit", "linear limit, body at rest", Colour::black, false),
                  line("one_third", "rotation number 1/3", Colour::vermilion, true),
                  line("one_quarter", "rotation number 1/4", Colour::purple, true),
                  {.points = {{0.4, 1.0}}, .title = "printed", .colour = Colour::black, .width = 18, .dots = true}};
  return panel;
}

Panel stretch(const Series& series) {
  Panel panel{.title = "R = diag(1.05, 1, 1) at rest, no field: largest stretch over its start, 2000 steps",
              .x_label = "h omega",
              .y_label = "growth (10: lost)",
              .x_range = {{0.5, 1.8}},
              .y_range = {{0.9, 12}},
              .logarithmic_y = true,
              .legend = true};
  const auto curve = [&](const char* column, const char* title, Colour colour) {
    return curve_of(series, "h_omega", column, title, colour, false, 1.8);
  };
  panel.curves = {curve("beta_0.3", "beta = 0.3", Colour::orange),
                  curve("beta_0.4", "beta = 0.4", Colour::sky_blue),
                  curve("beta_0.5", "beta = 1/2", Colour::black),
                  curve("beta_0.6", "beta = 0.6", Colour::green),
                  {.points = {{1, 0.9}, {1, 12}}, .title = "printed h omega", .colour = Colour::grey, .dashed = true}};
  return panel;
}

std::string finding(const ReportData& report) {
  const double printed = report.measurement("printed.left_at");
  return "At h = 0.1 no beta from 0.25 to 0.75 keeps the turning body near SO(3) to T = 100 beyond h omega = " +
         number(report.measurement("map.largest_kept_h_omega"), 3) + "; with the printed beta = 0.4, h omega = 1 it " +
         (printed >= 100 ? "stays" : "leaves at t = " + number(printed));
}

}  // namespace magnetised_body_stability_parts

Plot magnetised_body_stability() {
  using namespace magnetised_body_stability_parts;
  return {"magnetised_body_stability", "magnetised_body_stability", "stability of the magnetised body of TO14 4.5",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            drawing.row(466, {map(report.series("map"), report.series("lines"))});
            drawing.row(280, {stretch(report.series("stretch"))});
            return drawing.write(folder, "magnetised_body_stability");
          }};
}

}  // namespace livi::plots
