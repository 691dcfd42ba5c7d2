// SPDX-License-Identifier: MIT
// Section 1 of BO07: the energy that noise brings, and the steps that methods of higher order need for it.
#include "drawing.hpp"
#include "figures.hpp"

#include <string>

namespace livi::plots {
namespace {

std::string finding(const ReportData& report) {
  const double rattle = report.measured("BO07.energy.sphere"),
               euler = report.measurement("growth.triple.h=0.05.projected_euler"), exact = 0.9;
  const std::string of_rattle =
      "RATTLE has the energy of the noise to " + number(100 * rattle) + " % at steps up to 0.2";
  return (rattle < 0.1 ? of_rattle : "RATTLE misses the energy of the noise by " + number(100 * rattle) + " %") +
         "; projected Euler-Maruyama brings " + number(100 * euler / exact) + " % of it with steps of 0.05";
}

}  // namespace

Plot energy_growth() {
  return {"energy_growth", "energy_growth",
          "The energy that noise brings (BO07, Section 1): all methods, the exact line",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            const Series growth = report.series("growth"), steps = report.series("largest_steps");
            Panel left{.title = "Sphere, h = 0.1: mean energy gained",
                       .x_label = "t",
                       .y_label = "E[H(t)] - H(0)",
                       .legend = true};
            const auto add = [&](const char* column, const char* name, Colour colour, bool dashed, double width) {
              left.curves.push_back(curve_of(growth, "t", column, name, colour, dashed, width));
            };
            add("exact", "exact", Colour::black, true, 3);
            add("rattle", "RATTLE", Colour::blue, false, 1.5);
            add("euler_a", "variational Euler A", Colour::sky_blue, false, 1.5);
            add("euler_b", "variational Euler B", Colour::sky_blue, true, 1.5);
            add("projected_heun", "projected Heun", Colour::orange, false, 1.5);
            add("projected_euler", "projected Euler-Maruyama", Colour::vermilion, false, 1.5);
            Panel right{.title = "Oscillator, 16 periods: largest step for a tenth's accuracy",
                        .x_label = "amplitude of the noise",
                        .y_label = "h",
                        .logarithmic_x = true,
                        .logarithmic_y = true,
                        .legend = true};
            const auto add_steps = [&](const char* column, const char* name, Colour colour, bool dashed) {
              right.curves.push_back(curve_of(steps, "amplitude", column, name, colour, dashed, 1.5));
            };
            add_steps("runge_kutta_4", "order four", Colour::green, false);
            add_steps("heun", "Heun", Colour::orange, false);
            add_steps("explicit_euler", "Euler-Maruyama", Colour::vermilion, false);
            add_steps("amplitude", "h = amplitude", Colour::grey, true);
            drawing.row(316, {left, right});
            return drawing.write(folder, "energy_growth");
          }};
}

}  // namespace livi::plots
