// SPDX-License-Identifier: MIT
// Where Integrator 5 of TO14 is stable on a water cluster: over beta and h, against omega, lifetimes.
#include "drawing.hpp"
#include "figures.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace livi::plots {
namespace water_stability_parts {

std::string finding(const ReportData& report) {
  const double resonance = report.measurement("third_order_resonance.beta");
  const double distance = report.measured("TO14.s4.3.third-order-resonance");
  const std::string steps = "From omega = 200 to 2000 the largest step goes as omega^{" +
                            number(report.measurement("step_exponent.omega=200_to_2000.beta=0.3")) +
                            "} with beta = 0.3, Verlet's as omega^{" +
                            number(report.measurement("step_exponent.omega=200_to_2000.verlet_bound")) + "}; ";
  if (std::abs(distance) < 0.005)
    return steps + "with h = 0.05 relaxed starts are lost at the third-order resonance, beta = " + number(resonance, 3);
  return steps + "the third-order resonance at h = 0.05 is at beta = " + number(resonance, 3);
}

}  // namespace water_stability_parts

Plot water_stability() {
  using namespace water_stability_parts;
  return {
      "water_stability", "water_stability", "Stability of Integrator 5 of TO14 on a water cluster",
      [](const ReportData& report, const std::filesystem::path& folder) {
        Drawing drawing(finding(report));
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
        map.curves.push_back(curve_of(report.series("linear_bound"), "beta", "h", "linear theory", Colour::black));
        map.curves.push_back(curve_of(report.series("third_order_resonance"), "beta", "h", "third-order resonance",
                                      Colour::vermilion, true));
        drawing.row(296, {std::move(map)});

        const Series steps = report.series("largest_steps");
        const auto positive = [&](const char* column) { return above(steps.points("omega", column), 0); };
        Panel largest{.title = "Largest step that half of the starts survive",
                      .x_label = "omega",
                      .y_label = with_unit("h", steps.unit("beta_0_3")),
                      .y_range = {{1e-4, 0.3}},
                      .logarithmic_x = true,
                      .logarithmic_y = true,
                      .legend = true};
        largest.curves = {
            {.points = positive("beta_0_25"), .title = "beta = 1/4", .colour = Colour::sky_blue, .width = 2},
            {.points = positive("beta_0_3"), .title = "0.3", .colour = Colour::purple, .width = 2},
            {.points = positive("beta_0_5"), .title = "1/2", .colour = Colour::orange, .width = 2},
            {.points = positive("variational"), .title = "variational, 0.3", .colour = Colour::green, .width = 2},
            {.points = positive("verlet"), .title = "Verlet (linear)", .colour = Colour::black, .dashed = true}};

        const Series lives = report.series("lifetimes_by_beta");
        Panel lifetimes{.title = "First of three lost, h = 0.05, omega = 20",
                        .x_label = "beta",
                        .y_label = with_unit("t", lives.unit("first_lost")),
                        .y_range = {{5, 300}},
                        .logarithmic_y = true,
                        .legend = true};
        lifetimes.curves = {curve_of(lives, "beta", "first_lost", "simplified Z&S (200: not lost)", Colour::purple)};
        drawing.row(296, {std::move(largest), std::move(lifetimes)});
        return drawing.write(folder, "water_stability");
      }};
}

}  // namespace livi::plots
