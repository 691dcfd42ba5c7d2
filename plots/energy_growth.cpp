// SPDX-License-Identifier: MIT
// Section 1 of BO07: the energy that noise brings, and the steps that methods of higher order need for it.
#include "drawing.hpp"
#include "figures.hpp"

#include <string>

namespace livi::plots {
namespace energy_growth_parts {

std::string finding(const ReportData& report) {
  const double rattle = report.measured("BO07.energy.sphere"),
               euler = report.measurement("growth.triple.h=0.05.projected_euler"), exact = 0.9;
  const std::string of_rattle =
      "RATTLE has the energy of the noise to " + number(100 * rattle) + " % at steps up to 0.2";
  return (rattle < 0.1 ? of_rattle : "RATTLE misses the energy of the noise by " + number(100 * rattle) + " %") +
         "; projected Euler-Maruyama brings " + number(100 * euler / exact) + " % of it with steps of 0.05";
}

}  // namespace energy_growth_parts

Plot energy_growth() {
  using namespace energy_growth_parts;
  return {"energy_growth", "energy_growth",
          "The energy that noise brings (BO07, Section 1): all methods, the exact line",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            const Series growth = report.series("growth"), steps = report.series("largest_steps");
            Panel left{.title = "Sphere, h = 0.1: mean energy gained",
                       .x_label = "t",
                       .y_label = "E[H(t)] - H(0)",
                       .legend = true};
            Panel below{.title = "Sphere, h = 0.1: mean energy gained, less the exact (bars: 95 %)",
                        .x_label = "t",
                        .y_label = "E[H(t)] - H(0) - 0.09 t",
                        .legend = true};
            below.x_range = {{0, 10.5}};
            double aside = -0.15;
            const auto add = [&](const char* column, const char* name, Colour colour, bool dashed, double width = 1.5) {
              left.curves.push_back(curve_of(growth, "t", column, name, colour, dashed, width));
            };
            // Beside each other, for their bars to be seen.
            const auto add_below = [&](const char* column, const char* name, Colour colour, bool dashed) {
              const Points points = growth.points("t", column), exact = growth.points("t", "exact"),
                           errors = growth.points("t", std::string(column) + "_error");
              Points less;
              for (std::size_t k = 0; k < points.size(); ++k) {
                const double t = points[k].first + aside, y = points[k].second - exact[k].second,
                             bar = 1.96 * errors[k].second;
                less.emplace_back(t, y);
                below.curves.push_back({.points = {{t, y - bar}, {t, y + bar}}, .colour = colour, .width = 1});
              }
              below.curves.push_back({.points = less, .title = name, .colour = colour, .width = 1.5, .dashed = dashed});
              aside += 0.06;
            };
            const auto add_to_both = [&](const char* column, const char* name, Colour colour, bool dashed) {
              add(column, name, colour, dashed);
              add_below(column, name, colour, dashed);
            };
            add("exact", "exact", Colour::black, true, 3);
            add_to_both("rattle", "RATTLE", Colour::blue, false);
            add_to_both("euler_a", "variational Euler A", Colour::sky_blue, false);
            add_to_both("euler_b", "variational Euler B", Colour::sky_blue, true);
            add_to_both("projected_heun", "projected Heun", Colour::orange, false);
            add_below("commutator", "RATTLE with its commutator", Colour::green, false);
            add_below("lobatto_3", "three stages", Colour::vermilion, true);
            add("projected_euler", "projected Euler-Maruyama", Colour::vermilion, false);
            const Points euler = growth.points("t", "projected_euler"),
                         errors = growth.points("t", "projected_euler_error");
            for (std::size_t k = 0; k < euler.size(); ++k) {
              const auto [t, y] = euler[k];
              const double bar = 1.96 * errors[k].second;
              left.curves.push_back({.points = {{t, y - bar}, {t, y + bar}}, .colour = Colour::vermilion, .width = 1});
            }
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
            drawing.row(316, {below});
            return drawing.write(folder, "energy_growth");
          }};
}

}  // namespace livi::plots
