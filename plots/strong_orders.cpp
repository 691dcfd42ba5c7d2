// SPDX-License-Identifier: MIT
// BO07: strong orders of RATTLE with int W dt, by what is constant on the manifold.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace livi::plots {
namespace strong_orders_parts {

std::string finding(const ReportData& report) {
  const double constant = report.measured("BO07.abs.rattle-strong2"), trace = report.measured("BO07.strong.trace"),
               varying = report.measured("BO07.strong.varying");
  const bool as_derived = std::abs(constant - 2) <= 0.1 && std::abs(trace - 1.5) <= 0.1 && std::abs(varying - 1) <= 0.1;
  return (as_derived ? "RATTLE with int W dt has strong order two only where all K_{ij} are constant"
                     : "Strong order of RATTLE with int W dt where all K_{ij} are constant") +
         std::string(" (") + number(constant, 3) + "); " + number(trace, 3) + " where their trace is, " +
         number(varying, 3) + " elsewhere";
}

/// A method in a case, with its error bars.
struct Entry {
  std::string of_case, method, title;
  Colour colour;
};

/// Adds the curves of errors or distances, and their powers in the legend. Returns the length of the
/// longest bar of 95 %, in parts of its value.
double add(Panel& panel, const ReportData& report, const Entry& entry, bool distances) {
  const Series series = report.series(entry.of_case);
  const std::string column = entry.method + (distances ? "_distance" : "");
  const std::string measurement =
      entry.of_case + "." + entry.method + (distances ? ".power_of_distance" : ".power_of_error");
  const std::string slope = distances || entry.of_case == "cylinder_z" || entry.method == "commutator"
                                ? ": " + number(report.measurement(measurement), 3)
                                : ": " + number(report.measurement(measurement + ".from_2^-5"), 3) + " from 2^{-5}";
  panel.curves.push_back(curve_of(series, "h", column, entry.title + slope, entry.colour, false, 1.2));
  const Points points = series.points("h", column), errors = series.points("h", column + "_error");
  panel.curves.push_back({.points = points, .colour = entry.colour, .width = 12, .dots = true});
  double longest = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto& [h, value] = points[k];
    const double bar = 1.96 * errors[k].second;
    longest = std::max(longest, bar / value);
    panel.curves.push_back({.points = {{h, value - bar}, {h, value + bar}}, .colour = entry.colour, .width = 1});
  }
  return longest;
}

void add_slope(Panel& panel, const std::string& title, double power, double at_one, Colour colour) {
  Curve curve{.points = {}, .title = title, .colour = colour, .width = 1, .dashed = true};
  for (const double h : {std::ldexp(1.0, -8), std::ldexp(1.0, -3)})
    curve.points.emplace_back(h, at_one * std::pow(h, power));
  panel.curves.push_back(curve);
}

}  // namespace strong_orders_parts

Plot strong_orders() {
  using namespace strong_orders_parts;
  return {"strong_orders", "strong_orders", "Strong orders of RATTLE with int W dt (BO07)",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            const auto panel = [](const char* title, const char* y_label) {
              return Panel{.title = title,
                           .x_label = "h [time]",
                           .y_label = y_label,
                           .logarithmic_x = true,
                           .logarithmic_y = true,
                           .legend = true};
            };
            Panel errors = panel("Error and its power", "rms error of (q, p) at T = 1");
            double longest = 0;
            for (const Entry& entry : {Entry{"cylinder_z", "rattle_integrals", "K constant", Colour::blue},
                                       Entry{"sphere_xyz", "rattle_integrals", "trace constant", Colour::orange},
                                       Entry{"sphere_x", "rattle_integrals", "K varies, q_x", Colour::vermilion},
                                       Entry{"sphere_x", "commutator", "with the kick of C, q_x", Colour::black}})
              longest = std::max(longest, add(errors, report, entry, false));
            Panel distances = panel("Distance from order two and its power", "rms distance of (q, p) at T = 1");
            for (const Entry& entry : {Entry{"sphere_xyz", "rattle_integrals", "trace constant", Colour::orange},
                                       Entry{"sphere_x", "commutator_mean", "mean of C, q_x", Colour::green},
                                       Entry{"sphere_x", "rattle_integrals", "K varies, q_x", Colour::vermilion},
                                       Entry{"sphere_xy", "rattle_integrals", "K varies, q_x and q_y", Colour::purple},
                                       Entry{"cylinder_x", "rattle_integrals", "K varies, cylinder", Colour::sky_blue}})
              longest = std::max(longest, add(distances, report, entry, true));
            add_slope(errors, "slope 1", 1, 0.008, Colour::grey);
            add_slope(errors, "slope 2", 2, 0.12, Colour::black);
            add_slope(distances, "slope 1", 1, 0.03, Colour::grey);
            add_slope(distances, "slope 3/2", 1.5, 0.016, Colour::black);
            for (Panel* of : {&errors, &distances}) {
              of->x_range = {{0.0033, 0.15}};
              // A dot is 0.07 of a decade high.
              of->title += longest < 0.08 ? " (95 % within the dots)" : " (bars: 95 %)";
            }
            drawing.row(320, {std::move(errors), std::move(distances)});
            return drawing.write(folder, "strong_orders");
          }};
}

}  // namespace livi::plots
