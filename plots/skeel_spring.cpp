// SPDX-License-Identifier: MIT
// Slide 6 of CS101: Skeel's spring, its states and its energy with changed steps.
#include "drawing.hpp"
#include "figures.hpp"

#include <cmath>
#include <string>

namespace livi::plots {
namespace skeel_spring_parts {

std::string finding(const ReportData& report) {
  const double per_turn = report.measurement("quadrants_coarse.growth_per_turn"),
               closed_form = report.measurement("quadrants_coarse.growth_per_turn_closed_form"),
               bounded = report.measurement("variational_mean.largest_change_of_log_energy");
  const std::string growth = "by " + number(100 * per_turn, 3) + " % a turn (closed form " +
                             number(100 * closed_form, 3) + " %)",
                    rest = "variational steps as different change it by " + number(100 * bounded, 2) + " % at most";
  return (per_turn > 0.01 ? "Steps of 0.2 where q p >= 0 and 0.1 elsewhere pump Skeel's spring, " + growth
                          : "With steps of 0.2 where q p >= 0 and 0.1 elsewhere the energy changes " + growth) +
         "; " + rest;
}

Curve closed_form(const ReportData& report, const std::string& run, const Series& measured) {
  const double slope = report.measurement(run + ".growth_per_turn_closed_form");
  const double end = measured.column("t").back();
  return {.points = {{0, 0}, {end, slope * end}}, .colour = Colour::black, .width = 1.2, .dashed = true};
}

}  // namespace skeel_spring_parts

Plot skeel_spring() {
  using namespace skeel_spring_parts;
  return {"skeel_spring", "skeel_spring", "Skeel's spring (CS101, slide 6): phase portraits, growth of the energy",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            const auto portrait = [&](const char* name, const char* title, Colour colour) {
              return Panel{.curves = {{.points = report.series(std::string("portrait_") + name).points("q", "p"),
                                       .colour = colour,
                                       .width = 1,
                                       .dots = true}},
                           .title = title,
                           .x_label = "q",
                           .y_label = "p",
                           .x_range = {{-1.8, 1.8}},
                           .y_range = {{-1.8, 1.8}}};
            };
            drawing.row(Drawing::axes_width(3),
                        {portrait("quadrants", "0.2 where q p >= 0, 0.1 elsewhere", Colour::vermilion),
                         portrait("constant", "constant steps 0.15", Colour::grey),
                         portrait("variational", "variational, 0.1 to 0.2", Colour::blue)});
            Panel energy{.title = "The logarithm of the energy (dashed: closed form)",
                         .x_label = "t [periods]",
                         .y_label = "log(E/E_0)",
                         .x_range = {{0, 1000}},
                         .legend = true};
            const auto add = [&](const char* name, const char* title, Colour colour, bool predicted) {
              const Series series = report.series(name);
              energy.curves.push_back(curve_of(series, "t", "mean", title, colour));
              if (predicted) energy.curves.push_back(closed_form(report, name, series));
            };
            add("quadrants_coarse", "0.2 and 0.1", Colour::vermilion, true);
            add("quadrants_fine", "0.1 and 0.05", Colour::orange, true);
            add("quadrants_exchanged", "0.1 and 0.2", Colour::purple, true);
            add("alternating_coarse", "0.2, 0.1 in turn", Colour::grey, false);
            add("variational_mean", "variational", Colour::blue, false);
            drawing.row(260, {energy});
            return drawing.write(folder, "skeel_spring");
          }};
}

}  // namespace livi::plots
