// SPDX-License-Identifier: MIT
// Figure 11 of TO14, a sketch there and computed here: the manifold, the penalised motion near it, its nearest point,
// and the slow and fast directions; below, the motion in these directions against time.
#include "drawing.hpp"
#include "figures.hpp"

namespace livi::plots {
namespace fig11_parts {

/// A panel in which a unit is as long across as it is high: `across` on axes of this width and height, from `low`.
std::pair<double, double> vertical_range(double width, double height, const std::pair<double, double>& across,
                                         double low) {
  return {low, low + height * (across.second - across.first) / width};
}

/// How often a sequence changes its sign.
std::size_t sign_changes(const std::vector<double>& values) {
  std::size_t changes = 0;
  double last = 0;
  for (const double value : values) {
    if (value == 0) continue;
    if (last * value < 0) ++changes;
    last = value;
  }
  return changes;
}

std::string finding(const Series& motion) {
  const std::vector<double>& along = motion.column("along");
  std::vector<double> ways;
  for (std::size_t i = 1; i < along.size(); ++i) ways.push_back(along[i] - along[i - 1]);
  const std::size_t crossings = sign_changes(motion.column("normal")), turns = sign_changes(ways);
  const std::string crosses =
      "The penalised motion of unit mass crosses the manifold " + std::to_string(crossings) + " times ";
  if (turns == 0 && crossings > 10) return crosses + "and never turns along it: y is fast, x is slow";
  return crosses + "and turns " + std::to_string(turns) + " times along it";
}

}  // namespace fig11_parts

Plot fig11() {
  using namespace fig11_parts;
  return {"fig11", "appendix_geometry", "Figure 11 of TO14: the geometry of penalised motion, from a computed one",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series manifold = report.series("manifold"), motion = report.series("motion"),
                         frame = report.series("frame"), moment = report.series("moment");
            const std::string x_label = with_unit("q_1", manifold.unit("x"));
            const std::string y_label = with_unit("q_2", manifold.unit("y"));
            const Points of_moment = moment.points("x", "y");
            const std::vector<Curve> geometry{
                curve_of(manifold, "x", "y", "manifold g = 0", Colour::black),
                curve_of(motion, "x", "y", "q^{omega}", Colour::vermilion, false, 1.5),
                curve_of(frame, "tangent_x", "tangent_y", "x, slow", Colour::blue, false, 2.5),
                curve_of(frame, "normal_x", "normal_y", "y, fast", Colour::green, false, 2.5),
                {.points = of_moment, .title = "q_0 to q^{omega}", .colour = Colour::purple, .width = 5}};
            Drawing drawing(finding(motion));
            const double width = Drawing::axes_width(2);
            constexpr double height = 270;

            Panel wide{.curves = geometry, .title = "Penalised motion near the manifold"};
            wide.curves.pop_back();
            wide.x_label = x_label;
            wide.y_label = y_label;
            wide.x_range = {{-0.15, 2.35}};
            wide.y_range = vertical_range(width, height, *wide.x_range, -0.15);
            wide.legend = true;

            Panel close{.curves = geometry, .title = "The frame at q_0; purple: from q_0 to q^{omega}"};
            close.x_label = x_label;
            close.y_label = y_label;
            close.x_range = {{of_moment.front().first - 0.22, of_moment.front().first + 0.22}};
            close.y_range = vertical_range(width, height, *close.x_range, of_moment.front().second - 0.18);
            drawing.row(height, {std::move(wide), std::move(close)});

            const auto against_time = [&](const std::string& column, const std::string& title, Colour colour) {
              Panel panel;
              panel.curves = {{.points = motion.points("t", column), .colour = colour, .width = 1.2}};
              panel.title = title;
              panel.x_label = with_unit("t", motion.unit("t"));
              panel.y_label = with_unit(column, motion.unit(column));
              panel.x_range = {{motion.column("t").front(), motion.column("t").back()}};
              drawing.row(140, {std::move(panel)});
            };
            against_time("along", "Slow: the way of q_0 along the manifold", Colour::blue);
            against_time("normal", "Fast: the distance of q^{omega} from q_0, with its sign", Colour::green);
            return drawing.write(folder, "fig11");
          }};
}

}  // namespace livi::plots
