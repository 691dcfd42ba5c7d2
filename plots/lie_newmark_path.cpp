// SPDX-License-Identifier: MIT
// Figure 2 of BOS09: the path in the axis-angle ball; and energy over a hundred times the paper's interval.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace livi::plots {
namespace lie_newmark_path_parts {

std::string finding(const ReportData& report, const Series& path) {
  double turned = 0;
  const auto &x = path.column("x"), &y = path.column("y"), &z = path.column("z");
  for (std::size_t k = 0; k < x.size(); ++k) turned = std::max(turned, std::hypot(x[k], y[k], z[k]));
  const auto reached = [&](const char* series) { return number(largest(report.series(series).points("t", "mean"))); };
  return "The path of NMB drawn stays within " + number(turned) +
         " rad of the identity; within six million steps its mean "
         "energy error reaches " +
         reached("newmark") + ", that of LIEMID[EA] " + reached("midpoint") + " and that of VLV " + reached("verlet");
}

}  // namespace lie_newmark_path_parts

Plot lie_newmark_path() {
  using namespace lie_newmark_path_parts;
  return {
      "lie_newmark_path", "lie_newmark_long",
      "Path of NMB in the axis-angle ball (BOS09, Figure 2), and energy errors of NMB, LIEMID[EA] and VLV to T = 1.5e6",
      [](const ReportData& report, const std::filesystem::path& folder) {
        const Series path = report.series("path"), attractor = report.series("attractor");
        Drawing drawing(finding(report, path));
        const auto panel = [&](const std::string& plane, const char* title, const char* y_label, auto&& across) {
          Panel result{.title = title,
                       .x_label = "along the axis of Q_m [rad]",
                       .y_label = y_label,
                       .x_range = {{-3.2, 3.2}},
                       .y_range = {{-3.2, 3.2}},
                       .legend = true};
          const auto project = [&](const Series& of) {
            Points points;
            const auto &x = of.column("x"), &y = of.column("y"), &z = of.column("z");
            for (std::size_t k = 0; k < x.size(); ++k)
              points.emplace_back((x[k] + z[k]) / std::sqrt(2.0), across(x[k], y[k], z[k]));
            return points;
          };
          result.curves.push_back({.points = project(path), .title = "NMB", .colour = Colour::vermilion, .width = 0.6});
          const auto level = [&](const char* name, const char* legend, Colour colour, bool inner) {
            const std::string series = "level_plane" + plane + "_u" + name;
            result.curves.push_back({.points = report.series(series + "_outer").points("along", "across"),
                                     .title = legend,
                                     .colour = colour});
            if (inner)
              result.curves.push_back(
                  {.points = report.series(series + "_inner").points("along", "across"), .colour = colour});
          };
          level("10", "U = 0.1", Colour::black, true);
          level("67", "U = 0.67", Colour::blue, true);
          level("140", "U = 1.4", Colour::sky_blue, false);
          const auto circle = [](std::pair<double, double> centre, double radius) {
            Points points;
            for (int k = 0; k <= 90; ++k) {
              const double angle = k * std::numbers::pi / 45;
              points.emplace_back(centre.first + radius * std::cos(angle), centre.second + radius * std::sin(angle));
            }
            return points;
          };
          result.curves.push_back({.points = circle({0, 0}, std::numbers::pi),
                                   .title = "half turns",
                                   .colour = Colour::grey,
                                   .dashed = true});
          result.curves.push_back({.points = circle(project(attractor).front(), 0.05),
                                   .title = "Q_m",
                                   .colour = Colour::orange,
                                   .width = 5});
          return result;
        };
        drawing.row(Drawing::axes_width(2),
                    {panel("1", "Plane of the axis of Q_m and the second axis", "second axis [rad]",
                           [](double, double y, double) { return y; }),
                     panel("2", "Plane of the first and third axis", "(1, 0, -1)/2^{1/2} [rad]",
                           [](double x, double, double z) { return (x - z) / std::sqrt(2.0); })});
        const auto mean = [&](const char* series) {
          Points points = report.series(series).points("t", "mean");
          for (auto& [t, error] : points) t /= 1e5;
          return points;
        };
        Panel energy{.title = "Six million steps, h = 0.25; NMB until it rises above the pass to Q_m",
                     .x_label = "t [10^5 time]",
                     .y_label = "mean E - E_0 [energy]",
                     .x_range = {{0, 15}},
                     .legend = true};
        energy.curves = {
            {.points = mean("newmark"), .title = "NMB", .colour = Colour::vermilion},
            {.points = mean("newmark_mirrored"), .title = "NMB, -W_0", .colour = Colour::vermilion, .dashed = true},
            {.points = mean("midpoint"), .title = "LIEMID[EA]", .colour = Colour::green},
            {.points = mean("verlet"), .title = "VLV", .colour = Colour::blue}};
        drawing.row(220, {std::move(energy)});
        return drawing.write(folder, "lie_newmark_path");
      }};
}

}  // namespace livi::plots
