// SPDX-License-Identifier: MIT
// Figure 11 of TO14, a sketch there and computed here: the manifold, the penalised motion near it, its nearest point,
// and the slow and fast directions; below, the motion in these directions against time.
#include "drawing.hpp"
#include "figures.hpp"

namespace livi::plots {
namespace {

/// A panel in which a unit is as long across as it is high: `across` from `left`, the height follows from the box.
std::pair<double, double> vertical_range(const Box& box, const std::pair<double, double>& across, double low) {
  const double unit = (box.right - box.left) / (across.second - across.first);
  return {low, low + (box.bottom - box.top) / unit};
}

}  // namespace

Plot fig11() {
  return {
      "fig11", "appendix_geometry", "Figure 11 of TO14: the geometry of penalised motion, from a computed one",
      [](const ReportData& report, const std::filesystem::path& folder) {
        const Series manifold = report.series("manifold"), motion = report.series("motion"),
                     frame = report.series("frame"), moment = report.series("moment");
        const std::string x_label = with_unit("q_1", manifold.unit("x"));
        const std::string y_label = with_unit("q_2", manifold.unit("y"));
        const Points of_moment = moment.points("x", "y");
        const std::vector<Curve> geometry{
            {.points = manifold.points("x", "y"), .title = "manifold g = 0", .colour = Colour::black, .width = 2},
            {.points = motion.points("x", "y"), .title = "q^ω", .colour = Colour::vermilion, .width = 1.5},
            {.points = frame.points("tangent_x", "tangent_y"),
             .title = "x, slow",
             .colour = Colour::blue,
             .width = 2.5},
            {.points = frame.points("normal_x", "normal_y"), .title = "y, fast", .colour = Colour::green, .width = 2.5},
            {.points = of_moment, .title = "q_0 to q^ω", .colour = Colour::purple, .width = 5}};
        Drawing drawing(1000, 860);

        const Box wide_box{80, 40, 530, 310};
        Panel wide{.curves = geometry, .title = "Penalised motion near the manifold"};
        wide.curves.pop_back();
        wide.x_label = x_label;
        wide.y_label = y_label;
        wide.x_range = {{-0.15, 2.35}};
        wide.y_range = vertical_range(wide_box, *wide.x_range, -0.15);
        wide.legend = true;
        drawing.add(std::move(wide), wide_box);

        const Box close_box{640, 40, 970, 310};
        Panel close{.curves = geometry, .title = "The frame at q_0; purple: from q_0 to q^ω"};
        close.x_label = x_label;
        close.y_label = y_label;
        close.x_range = {{of_moment.front().first - 0.22, of_moment.front().first + 0.22}};
        close.y_range = vertical_range(close_box, *close.x_range, of_moment.front().second - 0.18);
        drawing.add(std::move(close), close_box);

        const auto against_time = [&](const std::string& column, const std::string& title, Colour colour, double top) {
          Panel panel;
          panel.curves = {{.points = motion.points("t", column), .colour = colour, .width = 1.2}};
          panel.title = title;
          panel.x_label = with_unit("t", motion.unit("t"));
          panel.y_label = with_unit(column, motion.unit(column));
          panel.x_range = {{motion.column("t").front(), motion.column("t").back()}};
          drawing.add(std::move(panel), {80, top, 970, top + 140});
        };
        against_time("along", "Slow: the way of q_0 along the manifold", Colour::blue, 430);
        against_time("normal", "Fast: the distance of q^ω from q_0, with its sign", Colour::green, 660);
        return drawing.write(folder, "fig11");
      }};
}

}  // namespace livi::plots
