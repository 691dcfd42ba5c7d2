// SPDX-License-Identifier: MIT
// Figure 9 of TO14: a strip of frames of the magnetised body, the benchmark above and variational Z&S below. The body
// is a plate across its dipole, seen from the side and a little above.
#include "drawing.hpp"
#include "figures.hpp"

#include <array>
#include <cmath>

namespace livi::plots {
namespace fig09_parts {

using Vector = std::array<double, 3>;

/// Parallel projection to the page: the third axis of space points up.
std::pair<double, double> on_page(const Vector& v) {
  constexpr double azimuth = 0.6, elevation = 0.35;
  const double across = -std::sin(azimuth) * v[0] + std::cos(azimuth) * v[1];
  const double depth = std::cos(azimuth) * v[0] + std::sin(azimuth) * v[1];
  return {across, std::cos(elevation) * v[2] - std::sin(elevation) * depth};
}

/// A line from one point to another with a head at its end.
Points arrow(const Vector& from, const Vector& to) {
  const auto a = on_page(from), b = on_page(to);
  const double x = b.first - a.first, y = b.second - a.second;
  const auto barb = [&](double side) {
    return std::pair(b.first - 0.25 * x - side * 0.12 * y, b.second - 0.25 * y + side * 0.12 * x);
  };
  return {a, b, barb(1), b, barb(-1)};
}

struct Frame {
  double t, method;
  std::array<Vector, 3> axes;  // of the body, in space
};

Panel draw(const Frame& frame, const std::string& title) {
  const auto at = [&](double x, double y) {
    Vector v{};
    for (std::size_t i = 0; i < 3; ++i) v[i] = x * frame.axes[0][i] + y * frame.axes[1][i];
    return on_page(v);
  };
  Panel panel{.title = title, .x_range = {{-1.3, 1.3}}, .y_range = {{-1.3, 1.3}}};
  panel.curves = {{.points = {at(0.7, 0.5), at(-0.7, 0.5), at(-0.7, -0.5), at(0.7, -0.5), at(0.7, 0.5)},
                   .colour = Colour::grey,
                   .width = 2},
                  {.points = {at(0, 0), at(0.7, 0)}, .colour = Colour::sky_blue, .width = 2},
                  {.points = {at(0, 0), at(0, 0.5)}, .colour = Colour::green, .width = 2},
                  {.points = arrow({-0.9, -0.9, -0.9}, {-0.9, -0.9, 0.1}), .colour = Colour::vermilion, .width = 2.5},
                  {.points = arrow({0, 0, 0}, frame.axes[2]), .colour = Colour::black, .width = 2.5}};
  return panel;
}

}  // namespace fig09_parts

Plot fig09() {
  using namespace fig09_parts;
  return {"fig09", "fig10_magnetised_body", "Figure 9 of TO14: snapshots of the magnetised body",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series series = report.series("snapshots");
            const auto& times = series.column("t");
            const auto& methods = series.column("method");
            constexpr std::array<const char*, 3> names{"x", "y", "z"};
            constexpr double side = 226;  // that of a quarter of the canvas
            // Four times a row, the benchmark above and Z&S below.
            constexpr std::size_t columns = 4;
            Drawing drawing("The dipoles of Z&S and of the exact motion stay within 15 degrees of each other to t = " +
                            number(report.measured("TO14.fig9"), 3));
            std::vector<Panel> above, below;
            for (std::size_t k = 0; k < times.size(); ++k) {
              Frame frame{times[k], methods[k], {}};
              for (std::size_t axis = 0; axis < 3; ++axis)
                for (std::size_t i = 0; i < 3; ++i)
                  frame.axes[axis][i] = series.column(names[axis] + std::to_string(i + 1))[k];
              const bool is_below = frame.method > 0;
              const std::string method = is_below ? "Zhang-Skeel, h = 0.1" : "(34), h = 10^{-4}";
              (is_below ? below : above)
                  .push_back(draw(frame, method + ", t = " + std::to_string(static_cast<int>(frame.t))));
              if (below.size() < columns && k + 1 < times.size()) continue;
              for (std::vector<Panel>* panels : {&above, &below}) {
                drawing.row(side, std::move(*panels));
                panels->clear();
              }
            }
            return drawing.write(folder, "fig09");
          }};
}

}  // namespace livi::plots
