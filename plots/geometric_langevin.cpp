// SPDX-License-Identifier: MIT
// What the step between two baths does to the temperature and to positions: bias of GLA on harmonic motion against h.
#include "drawing.hpp"
#include "figures.hpp"

#include <string>

namespace livi::plots {
namespace geometric_langevin_parts {

std::string finding(const ReportData& report) {
  const double deviation = report.measured("TO14.s4.3.gla-symplectic-accurate");
  const std::string temperature =
      deviation < 1e-30 ? "the right temperature" : "a temperature wrong by " + number(deviation);
  return "On harmonic motion GLA around Verlet and Z&S has " + temperature + " and positions that err as h^{" +
         number(report.measurement("verlet.position.power_of_h")) + "}; around RK4 the temperature errs as h^{" +
         number(report.measurement("rk4.temperature.power_of_h")) + "} gamma^{" +
         number(report.measurement("rk4.temperature.power_of_gamma")) + "}";
}

}  // namespace geometric_langevin_parts

Plot geometric_langevin() {
  using namespace geometric_langevin_parts;
  return {"geometric_langevin", "geometric_langevin", "bias of GLA on harmonic motion against the step",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series series = report.series("harmonic_bias");
            const auto curve = [&](const char* column, const char* title, Colour colour, bool dashed = false) {
              return curve_of(series, "h", column, title, colour, dashed);
            };
            Panel temperature{.title = "Temperature (Verlet, Z&S: below 10^{-40})",
                              .x_label = "h",
                              .y_label = "relative error",
                              .x_range = {{0, 0.72}},
                              .y_range = {{1e-7, 3}},
                              .logarithmic_y = true,
                              .legend = true};
            temperature.curves = {curve("temperature.rk4.gamma_0.01", "RK4, gamma = 0.01", Colour::vermilion),
                                  curve("temperature.rk4.gamma_1", "RK4, gamma = 1", Colour::vermilion, true)};
            Panel position{.title = "Covariance of positions",
                           .x_label = "h",
                           .y_label = "relative error",
                           .x_range = {{0, 0.72}},
                           .y_range = {{1e-7, 3}},
                           .logarithmic_y = true,
                           .legend = true};
            position.curves = {curve("position.verlet.gamma_0.01", "Verlet, any gamma", Colour::black),
                               curve("position.zs.gamma_0.01", "Z&S at its x, any gamma", Colour::sky_blue),
                               curve("position.rk4.gamma_0.01", "RK4, gamma = 0.01", Colour::vermilion),
                               curve("position.rk4.gamma_1", "RK4, gamma = 1", Colour::vermilion, true)};
            Drawing drawing(finding(report));
            drawing.row(296, {std::move(temperature), std::move(position)});
            return drawing.write(folder, "geometric_langevin");
          }};
}

}  // namespace livi::plots
