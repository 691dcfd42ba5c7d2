// SPDX-License-Identifier: MIT
// Slide 18 of CS101: the points of a Kepler orbit and of a swing of the pendulum under four rules for the step.
#include "drawing.hpp"
#include "figures.hpp"

#include <string>

namespace livi::plots {
namespace step_rules_parts {

struct Rule {
  const char* name;
  const char* title;
  Colour colour;
};
constexpr Rule rules[] = {{"constant", "constant", Colour::black},
                          {"equal_distances", "equal distances", Colour::blue},
                          {"inverse_acceleration", "1/acceleration", Colour::vermilion},
                          {"equal_states", "equal states", Colour::green}};

std::string finding(const ReportData& report) {
  const double of_kepler = report.measured("CS101.slide18.rules"),
               of_pendulum = report.measurement("pendulum.acceleration_over_constant.coarse");
  const std::string numbers = number(of_kepler) + " of the next rule's variation on Kepler's orbit, " +
                              number(of_pendulum) + " times that of constant steps on the pendulum";
  return of_kepler < 1 && of_pendulum > 1
             ? "1/acceleration spaces states best of slide 18's rules about a centre: " + numbers
             : "1/acceleration spaces states with " + numbers;
}

Panel points(const ReportData& report, const std::string& motion, const Rule& rule, const char* x, const char* y,
             bool labelled) {
  const Series series = report.series(motion + "_" + rule.name);
  Panel panel{.title = rule.title,
              .x_label = with_unit(x, series.unit(x)),
              .y_label = labelled ? with_unit(y, series.unit(y)) : ""};
  panel.curves.push_back({.points = series.points(x, y), .colour = rule.colour, .width = 1.5, .dots = true});
  return panel;
}

}  // namespace step_rules_parts

Plot step_rules() {
  using namespace step_rules_parts;
  return {"step_rules", "cs101_step_rules", "Points of motions under rules for the step (CS101, slide 18)",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            std::vector<Panel> orbits, swings;
            for (const Rule& rule : rules) {
              orbits.push_back(points(report, "kepler", rule, "x", "y", &rule == &rules[0]));
              orbits.back().x_range = {{-1.75, 0.55}};
              orbits.back().y_range = {{-1, 1}};
              swings.push_back(points(report, "pendulum", rule, "q", "p", &rule == &rules[0]));
              swings.back().x_range = {{-3, 3}};
              swings.back().y_range = {{-2.2, 2.2}};
            }
            drawing.row(190, std::move(orbits));
            drawing.row(190, std::move(swings));
            return drawing.write(folder, "step_rules");
          }};
}

}  // namespace livi::plots
