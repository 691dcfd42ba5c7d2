// SPDX-License-Identifier: MIT
// Section 1 of BO07: Langevin dynamics with constraints, errors of its averages and the angle of a trimer.
#include "drawing.hpp"
#include "figures.hpp"

#include <string>

namespace livi::plots {
namespace constrained_sampling_parts {

std::string finding(const ReportData& report) {
  const double ratio = report.measured("BO07.langevin.constant"), order = report.measured("BO07.langevin.order"),
               kinetic = report.measured("BO07.langevin.kinetic"), trimer = report.measured("BO07.langevin.trimer");
  const bool as_found = ratio < 0.5 && order > 1.9 && order < 2.1 && kinetic > 3.8 && kinetic < 4.2;
  return (as_found ? "g-BAOAB has the better positions (error at most " + number(ratio, 2) +
                         " of RATTLE's with the bath), RATTLE the better kinetic temperature (h^{" +
                         number(kinetic, 2) + "})"
                   : "Errors of averages: g-BAOAB's positions have " + number(ratio, 2) + " of RATTLE's, order " +
                         number(order, 3) + "; kinetic temperature of RATTLE h^{" + number(kinetic, 2) + "}") +
         std::string(trimer < 0.01 ? "; both sample the restricted Gibbs measure"
                                   : "; the restricted Gibbs measure is missed");
}

}  // namespace constrained_sampling_parts

Plot constrained_sampling() {
  using namespace constrained_sampling_parts;
  return {
      "constrained_sampling", "constrained_sampling",
      "Langevin dynamics with constraints (BO07, Section 1): errors of averages, the angle of a trimer",
      [](const ReportData& report, const std::filesystem::path& folder) {
        Drawing drawing(finding(report));
        const Series averages = report.series("averages"), trimer = report.series("trimer");
        Panel left{.title = "Sphere, beta = 3, friction 1: errors of averages",
                   .x_label = "h [time]",
                   .y_label = "|error|, by quadrature",
                   .logarithmic_x = true,
                   .logarithmic_y = true,
                   .legend = true};
        left.x_range = {{0.017, 0.19}};
        const auto add = [&](const char* column, const char* name, Colour colour, bool dashed) {
          left.curves.push_back(curve_of(averages, "h", column, name, colour, dashed, 1.5));
          left.curves.push_back({.points = averages.points("h", column), .colour = colour, .width = 6, .dots = true});
        };
        add("euler_z", "symplectic Euler, bath: E z", Colour::vermilion, false);
        add("rattle_z", "RATTLE and bath: E z", Colour::blue, false);
        add("baoab_z", "g-BAOAB: E z", Colour::orange, false);
        add("baoab_v_squared", "g-BAOAB: E |v|^2", Colour::orange, true);
        add("rattle_v_squared", "RATTLE and bath: E |v|^2", Colour::blue, true);
        Panel right{.title = "Trimer, masses 9, 1, 9: angle between the rods (bars: 95 %)",
                    .x_label = "cosine of the angle",
                    .y_label = "density",
                    .legend = true};
        right.x_range = {{-1, 1}};
        const auto add_density = [&](const char* column, const char* name, Colour colour, double aside) {
          const Points errors = trimer.points("cosine", std::string(column) + "_error");
          Points points = trimer.points("cosine", column);
          // Methods stand beside each other: bins are 0.05 wide.
          for (auto& point : points) point.first += aside;
          right.curves.push_back({.points = points, .title = name, .colour = colour, .width = 5, .dots = true});
          for (std::size_t k = 0; k < points.size(); ++k) {
            const double bar = 1.96 * errors[k].second;
            right.curves.push_back(
                {.points = {{points[k].first, points[k].second - bar}, {points[k].first, points[k].second + bar}},
                 .colour = colour,
                 .width = 1});
          }
        };
        right.curves.push_back(
            curve_of(trimer, "cosine", "exact", "Gibbs measure: as (1 - 0.81 x^2)^{1/2}", Colour::black, false, 2));
        right.curves.push_back(
            curve_of(trimer, "cosine", "uniform", "stiff springs, without the factor", Colour::grey, true, 2));
        add_density("rattle", "RATTLE and bath", Colour::blue, -0.008);
        add_density("baoab", "g-BAOAB", Colour::orange, 0.008);
        drawing.row(330, {left, right});
        const Series over_time = report.series("long_time");
        Panel below{.title = "Sphere, noise 0.5 (q_x, q_y, q_z): mean energy gained, relative error",
                    .x_label = "t",
                    .y_label = "|E gained/(sigma^2 t) - 1|",
                    .logarithmic_x = true,
                    .logarithmic_y = true,
                    .legend = true};
        const auto add_over_time = [&](const char* column, const char* name, Colour colour, bool dashed) {
          // An error within its sampling error is not drawn.
          const Points means = over_time.points("t", column),
                       errors = over_time.points("t", std::string(column) + "_error");
          Points points;
          for (std::size_t k = 0; k < means.size(); ++k)
            if (std::abs(means[k].second) > 1.96 * errors[k].second)
              points.emplace_back(means[k].first, std::abs(means[k].second));
          below.curves.push_back({.points = points, .title = name, .colour = colour, .width = 1.5, .dashed = dashed});
          below.curves.push_back({.points = points, .colour = colour, .width = 6, .dots = true});
        };
        add_over_time("projected_heun_64", "projected Heun, h = 1/64", Colour::orange, false);
        add_over_time("projected_euler_64", "projected Euler-Maruyama, 1/64", Colour::vermilion, false);
        add_over_time("runge_kutta_4_32", "order four, 1/32", Colour::green, false);
        add_over_time("rattle_16", "RATTLE with I10, 1/16", Colour::blue, true);
        add_over_time("rattle_32", "RATTLE with I10, 1/32", Colour::blue, false);
        drawing.row(330, {below});
        return drawing.write(folder, "constrained_sampling");
      }};
}

}  // namespace livi::plots
