// SPDX-License-Identifier: MIT
// Section 1 of BO07: one path of the noise on the sphere, by RATTLE and by a method that is not variational.
#include "drawing.hpp"
#include "figures.hpp"

#include <cmath>
#include <numbers>
#include <string>

namespace livi::plots {
namespace sphere_paths_parts {

/// The largest distance of two paths at equal times.
double apart(const Series& a, const Series& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.column("t").size(); ++k)
    largest = std::max(largest, std::hypot(a.column("x")[k] - b.column("x")[k], a.column("y")[k] - b.column("y")[k],
                                           a.column("z")[k] - b.column("z")[k]));
  return largest;
}

std::string finding(const Series& fine, const Series& rattle, const Series& euler) {
  return "One path of the noise, h = 0.05: RATTLE stays within " + number(apart(rattle, fine)) +
         " of the path of steps of 0.0016, projected Euler-Maruyama leaves it by " + number(apart(euler, fine)) +
         "; their energies at the end are " + number(rattle.column("gained").back()) + ", " +
         number(fine.column("gained").back()) + " and " + number(euler.column("gained").back());
}

}  // namespace sphere_paths_parts

Plot sphere_paths() {
  using namespace sphere_paths_parts;
  return {
      "sphere_paths", "energy_growth", "One path of the noise on the sphere (BO07, Section 1), and the energy along it",
      [](const ReportData& report, const std::filesystem::path& folder) {
        const Series fine = report.series("path_fine"), rattle = report.series("path_rattle"),
                     euler = report.series("path_projected_euler");
        Drawing drawing(finding(fine, rattle, euler));
        Points circle;
        for (int k = 0; k <= 128; ++k)
          circle.emplace_back(std::cos(k * std::numbers::pi / 64), std::sin(k * std::numbers::pi / 64));
        const auto add = [&](Panel& panel, const char* x, const char* y) {
          panel.curves.push_back(curve_of(fine, x, y, "h = 0.0016", Colour::black, false, 3));
          panel.curves.push_back(curve_of(rattle, x, y, "RATTLE", Colour::sky_blue, false, 1.2));
          panel.curves.push_back(curve_of(euler, x, y, "Euler-Maruyama", Colour::vermilion, false, 1.2));
        };
        const auto view = [&](const char* title, const char* x) {
          Panel panel{.title = title, .x_label = x, .y_label = "z", .x_range = {{-1.1, 1.1}}, .y_range = {{-1.1, 1.1}}};
          panel.curves.push_back({.points = circle, .colour = Colour::grey, .width = 0.8});
          add(panel, x, "z");
          return panel;
        };
        Panel energies{
            .title = "Energy gained", .x_label = "t", .y_label = "H - H(0)", .x_range = {{0, 14}}, .legend = true};
        add(energies, "t", "gained");
        drawing.row(218, {view("From the front", "x"), view("From the side", "y"), energies});
        return drawing.write(folder, "sphere_paths");
      }};
}

}  // namespace livi::plots
