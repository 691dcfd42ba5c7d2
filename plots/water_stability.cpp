// SPDX-License-Identifier: MIT
// Where Integrator 5 of TO14 is stable on a water cluster: over beta and h, against omega, lifetimes.
#include "drawing.hpp"
#include "figures.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace livi::plots {

Plot water_stability() {
  return {
      "water_stability", "water_stability", "Stability of Integrator 5 of TO14 on a water cluster",
      [](const ReportData& report, const std::filesystem::path& folder) {
        Drawing drawing(1120, 900);
        Panel map{.title = "omega = 20, T = 50, relaxed start",
                  .x_label = "beta",
                  .y_label = "h [time]",
                  .x_range = {{-0.02, 1.02}},
                  .y_range = {{0, 0.32}},
                  .legend = true};
        const Series scan = report.series("map");
        const Points places = scan.points("beta", "h");
        const std::vector<double>& kept = scan.column("kept");
        const auto dots = [&](double kind, const char* title, Colour colour) {
          Points points;
          for (std::size_t i = 0; i < places.size(); ++i) {
            if (kept[i] == kind) points.push_back(places[i]);
          }
          if (points.empty()) return;
          map.curves.push_back(
              {.points = std::move(points), .title = title, .colour = colour, .width = 5, .dots = true});
        };
        dots(2, "kept", Colour::blue);
        dots(1, "lost after t = 10", Colour::orange);
        dots(0, "lost before", Colour::grey);
        map.curves.push_back({.points = report.series("linear_bound").points("beta", "h"),
                              .title = "linear theory",
                              .colour = Colour::black,
                              .width = 2});
        map.curves.push_back({.points = report.series("third_order_resonance").points("beta", "h"),
                              .title = "third-order resonance",
                              .colour = Colour::vermilion,
                              .width = 2,
                              .dashed = true});
        drawing.add(std::move(map), {90, 34, 1100, 330});

        const Series steps = report.series("largest_steps");
        const auto logarithmic = [&](const char* column) {
          Points points;
          for (const auto& [omega, h] : steps.points("omega", column)) {
            if (h > 0) points.emplace_back(std::log10(omega), h);
          }
          return points;
        };
        Panel largest{.title = "Largest step that half of the starts survive",
                      .x_label = "log_{10} omega",
                      .y_label = with_unit("h", steps.unit("beta_0_3")),
                      .y_range = {{1e-4, 0.3}},
                      .logarithmic_y = true,
                      .legend = true};
        largest.curves = {
            {.points = logarithmic("beta_0_25"), .title = "beta = 1/4", .colour = Colour::sky_blue, .width = 2},
            {.points = logarithmic("beta_0_3"), .title = "0.3", .colour = Colour::purple, .width = 2},
            {.points = logarithmic("beta_0_5"), .title = "1/2", .colour = Colour::orange, .width = 2},
            {.points = logarithmic("variational"), .title = "variational, 0.3", .colour = Colour::green, .width = 2},
            {.points = logarithmic("verlet"), .title = "Verlet (linear)", .colour = Colour::black, .dashed = true}};
        drawing.add(std::move(largest), {90, 490, 530, 786});

        const Series lives = report.series("lifetimes_by_beta");
        Panel lifetimes{.title = "The first of three starts is lost, h = 0.05, omega = 20",
                        .x_label = "beta",
                        .y_label = with_unit("t", lives.unit("first_lost")),
                        .y_range = {{5, 300}},
                        .logarithmic_y = true,
                        .legend = true};
        lifetimes.curves = {{.points = lives.points("beta", "first_lost"),
                             .title = "simplified Z\\\\&S (200: not lost)",
                             .colour = Colour::purple,
                             .width = 2}};
        drawing.add(std::move(lifetimes), {660, 490, 1100, 786});
        return drawing.write(folder, "water_stability");
      }};
}

}  // namespace livi::plots
