// SPDX-License-Identifier: MIT
// Slides 5 to 9, 23 and 24 of CS101: energy errors over 1000 periods and the steps of two, Kepler and the pendulum.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <tuple>

namespace livi::plots {
namespace adaptive_energy_parts {

std::string finding(const ReportData& report) {
  // In oscillations of the Hamiltonian method.
  const double naive = report.measured("CS101.slide8.pendulum"), kept = report.measured("CS101.slide9.fixes");
  const std::string sizes = "on the pendulum by " + number(naive) +
                            " oscillations and more, with symplectic or reversible ones by " + number(kept) +
                            " at most";
  return (naive >= 1 && kept <= 0.01
              ? "Over 1000 periods the energy drifts away with steps that only follow the motion, "
              : "Over 1000 periods the energy moves with steps that only follow the motion ") +
         sizes;
}

}  // namespace adaptive_energy_parts

Plot adaptive_energy() {
  using namespace adaptive_energy_parts;
  return {
      "adaptive_energy", "adaptive_energy", "Energy with adaptive steps (CS101): Kepler and the pendulum, their steps",
      [](const ReportData& report, const std::filesystem::path& folder) {
        Drawing drawing(finding(report));
        const auto energy = [&](const std::string& problem, const char* title,
                                std::initializer_list<std::tuple<const char*, const char*, Colour, bool>> methods) {
          Panel panel{.title = title,
                      .x_label = "t [periods]",
                      .y_label = "largest |H - E_0| [energy]",
                      .x_range = {{0, 1000}},
                      .logarithmic_y = true,
                      .legend = true};
          for (const auto& [method, name, colour, dashed] : methods)
            panel.curves.push_back(
                curve_of(report.series(problem + "_" + method), "t", "largest", name, colour, dashed));
          return panel;
        };
        drawing.row(300, {energy("kepler60", "Kepler, e = 0.6, dt = h r^{3/2}",
                                 {{"kepler_explicit", "explicit", Colour::vermilion, false},
                                  {"error_controlled", "error control", Colour::orange, false},
                                  {"constant", "constant", Colour::grey, false},
                                  {"kepler_reversible", "reversible", Colour::green, false},
                                  {"kepler_integrated", "slide 28", Colour::green, true},
                                  {"kepler_hamiltonian", "Hamiltonian", Colour::blue, false}}),
                          energy("pendulum", "Pendulum from 2.5",
                                 {{"speed_explicit", "explicit, speed", Colour::vermilion, false},
                                  {"constant", "constant", Colour::grey, false},
                                  {"distances_reversible", "reversible", Colour::green, false},
                                  {"distances_integrated", "slide 28", Colour::green, true},
                                  {"distances_hamiltonian", "Hamiltonian", Colour::blue, false},
                                  {"speed_reversible", "reversible, speed", Colour::purple, false}})});
        const auto steps = [&](const std::string& problem, const char* title,
                               std::initializer_list<std::tuple<const char*, const char*, Colour>> densities) {
          Panel panel{
              .title = title, .x_label = "t [periods]", .y_label = "dt [time]", .x_range = {{0, 2}}, .legend = true};
          for (const auto& [density, name, colour] : densities)
            panel.curves.push_back(
                curve_of(report.series("steps_" + problem + "_" + density), "t", "step", name, colour, false, 1.5));
          return panel;
        };
        drawing.row(240, {steps("kepler60", "Steps, Kepler",
                                {{"kepler", "h r^{3/2}", Colour::blue},
                                 {"distances", "h (E_0 - W)^{-1/2}", Colour::purple},
                                 {"error_controlled", "error control", Colour::orange}}),
                          steps("pendulum", "Steps, pendulum",
                                {{"distances", "h (E_0 - W + 0.1)^{-1/2}", Colour::blue},
                                 {"state", "equal distances of states", Colour::green},
                                 {"speed", "h (v^2 + 0.1)^{-1/2}", Colour::purple}})});
        return drawing.write(folder, "adaptive_energy");
      }};
}

}  // namespace livi::plots
