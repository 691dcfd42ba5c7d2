// SPDX-License-Identifier: MIT
// Slides 19 and 23 of CS101 over up to a million periods of Kepler's ellipse with e = 0.9.
#include "drawing.hpp"
#include "figures.hpp"

#include <string>

namespace livi::plots {

Plot adaptive_long() {
  return {"adaptive_long", "adaptive_long",
          "Up to a million periods with adaptive steps (CS101): energy and perihelion",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing("Over 10^6 periods with e = 0.9 the logarithmic Hamiltonian errs by " +
                            number(report.measurement("logarithmic.largest_energy_error")) +
                            " in the energy; the reversible method turns the perihelion by " +
                            number(report.measurement("reversible.turn_per_period")) + " rad a period");
            const auto panel = [&](const char* column, const char* title, const char* label, bool legend) {
              Panel result{.title = title,
                           .x_label = "t [periods]",
                           .y_label = label,
                           .logarithmic_x = true,
                           .logarithmic_y = true,
                           .legend = legend};
              const auto add = [&](const char* series, const char* name, Colour colour, bool dashed) {
                Curve curve = curve_of(report.series(series), "n", column, name, colour, dashed, 1.5);
                // Where the perihelion has not turned yet there is no logarithm.
                std::erase_if(curve.points, [](const auto& point) { return !(point.second > 0); });
                result.curves.push_back(curve);
              };
              add("logarithmic", "logarithmic H", Colour::blue, false);
              add("reversible", "reversible", Colour::green, false);
              add("integrated", "slide 28", Colour::orange, true);
              add("hamiltonian", "Hamiltonian", Colour::vermilion, false);
              add("variational", "variational", Colour::purple, false);
              add("reversible4", "reversible, order 4", Colour::green, true);
              add("hamiltonian4", "Hamiltonian, order 4", Colour::vermilion, true);
              return result;
            };
            drawing.row(316, {panel("energy", "Largest energy error so far", "|H - E_0| at the aphelia", true),
                              panel("turn", "Turn of the perihelion", "angle [rad]", false)});
            return drawing.write(folder, "adaptive_long");
          }};
}

}  // namespace livi::plots
