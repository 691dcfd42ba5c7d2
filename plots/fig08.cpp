// SPDX-License-Identifier: MIT
// Figure 8 of TO14: the mean angle of the DNA model and its rate, and energies, by velocity Verlet and by Z&S.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <utility>

namespace livi::plots {
namespace fig08_parts {

constexpr std::pair<double, double> rates{-0.06, 0.06};

Panel portrait(const Series& series, const char* title, Colour colour) {
  Panel panel{.title = title,
              .x_label = with_unit("mean angle", series.unit("mean_angle")),
              .y_label = with_unit("its rate", series.unit("mean_rate")),
              .y_range = rates};
  // The stable angles, in every turn that the axis shows.
  Points points = series.points("mean_angle", "mean_rate");
  double low = points.front().first;
  double high = low;
  for (const auto& [angle, rate] : points) {
    low = std::min(low, angle);
    high = std::max(high, angle);
  }
  panel.x_range = {{low - 0.5, high + 0.5}};
  constexpr double stable = 0.7954;
  constexpr double turn = 6.283185307179586;
  for (int k = -5; k <= 5; ++k) {
    for (const double angle : {k * turn - stable, k * turn + stable}) {
      if (angle > low - 0.5 && angle < high + 0.5) {
        panel.curves.push_back({.points = {{angle, rates.first}, {angle, rates.second}},
                                .colour = Colour::grey,
                                .width = 0.8,
                                .dashed = true});
      }
    }
  }
  panel.curves.push_back({.points = std::move(points), .colour = colour, .width = 2.5, .dots = true});
  return panel;
}

/// Whether the mean angle has been in both wells, on both sides of pi.
bool crosses(const Series& series) {
  const std::vector<double>& angles = series.column("mean_angle");
  const auto [low, high] = std::minmax_element(angles.begin(), angles.end());
  constexpr double half_turn = 3.141592653589793;
  return (*low < half_turn && half_turn < *high) || (*low < -half_turn && -half_turn < *high);
}

std::string finding(const ReportData& report, const Series& verlet, const Series& zs) {
  const std::string energy =
      "its energy, read at x, is at first " + number(report.measurement("energy_ratio")) + " of Verlet's";
  if (crosses(verlet) && crosses(zs))
    return "Z&S with h = 2 passes between the stable angles as Verlet with h = 0.2 does; " + energy;
  return "Z&S with h = 2 beside Verlet with h = 0.2: " + energy;
}

}  // namespace fig08_parts

Plot fig08() {
  using namespace fig08_parts;
  return {"fig08", "fig08_dna", "Figure 8 of TO14: transitions and energies of the DNA model",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series verlet = report.series("verlet");
            const Series zs = report.series("zhang_skeel");
            Drawing drawing(finding(report, verlet, zs));
            drawing.row(300, {portrait(verlet, "Velocity Verlet, h = 0.2, seed 1", Colour::black),
                              portrait(zs, "Zhang-Skeel, h = 2, same start", Colour::purple)});
            Panel energy{.title = "Energies, read every 2 units of time (dashed grey lines above: stable angles)",
                         .x_label = with_unit("t", zs.unit("t")),
                         .y_label = with_unit("energy", zs.unit("energy")),
                         .legend = true};
            energy.curves = {
                curve_of(verlet, "t", "energy", "Verlet", Colour::black, false, 1.5),
                curve_of(verlet, "t", "energy_of_linear_theory", "its mean in linear theory", Colour::grey, true, 1.5),
                curve_of(zs, "t", "energy", "Zhang-Skeel at x", Colour::purple, false, 1.5),
                curve_of(zs, "t", "energy_of_linear_theory", "its mean in linear theory", Colour::blue, true),
                curve_of(zs, "t", "physical_energy", "at q = x + c a", Colour::orange, false, 1.5)};
            energy.y_range = {{0, 1.08 * largest(verlet.points("t", "energy"))}};
            drawing.row(320, {std::move(energy)});
            return drawing.write(folder, "fig08");
          }};
}

}  // namespace livi::plots
