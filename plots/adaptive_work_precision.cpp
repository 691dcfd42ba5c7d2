// SPDX-License-Identifier: MIT
// Slides 3 and 4 of CS101: force evaluations against errors of adaptive, constant and error-controlled steps.
#include "drawing.hpp"
#include "figures.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace livi::plots {
namespace {

std::string finding(const ReportData& report) {
  return "For an error of 1e-3 after 100 periods with e = 0.8 from the pericentre, Verlet's constant steps take " +
         number(report.measured("CS101.which.kepler")) + " times the forces of the Hamiltonian adaptive method";
}

}  // namespace

Plot adaptive_work_precision() {
  return {"adaptive_work_precision", "adaptive_work_precision",
          "Force evaluations against errors (CS101): adaptive, constant and error-controlled steps",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            struct Entry {
              const char *series, *title;
              Colour colour;
              bool dashed;
            };
            const auto panel = [&](const std::string& problem, const char* title, const char* label, bool legend,
                                   const std::vector<Entry>& methods) {
              Panel result{.title = title,
                           .x_label = label,
                           .y_label = "position error [length]",
                           .logarithmic_x = true,
                           .logarithmic_y = true,
                           .legend = legend};
              for (const Entry& of : methods)
                result.curves.push_back(curve_of(report.series(problem + "_" + of.series), "calls", "position",
                                                 of.title, of.colour, of.dashed, 1.5));
              return result;
            };
            const std::vector<Entry> of_kepler{{"constant", "constant", Colour::grey, false},
                                               {"explicit", "h sigma(q_k)", Colour::black, true},
                                               {"reversible", "reversible", Colour::green, false},
                                               {"hamiltonian", "Hamiltonian", Colour::vermilion, false},
                                               {"hamiltonian4", "Hamiltonian, order 4", Colour::vermilion, true},
                                               {"logarithmic4", "log. H, order 4", Colour::blue, true},
                                               {"dopri5", "Dormand-Prince", Colour::orange, false},
                                               {"fehlberg78", "Fehlberg 7(8)", Colour::purple, false}},
                of_bodies(of_kepler.begin() + 1, of_kepler.end());
            drawing.row(300, {panel("e80", "Kepler, e = 0.8, 100.25 periods", "forces a period", true, of_kepler),
                              panel("e99", "Kepler, e = 0.99, 100.25 periods", "forces a period", false, of_kepler)});
            Panel growth{.title = "Kepler, e = 0.6: angle",
                         .x_label = "t [periods]",
                         .y_label = "error of the angle [rad]",
                         .logarithmic_x = true,
                         .logarithmic_y = true};
            for (const Entry& of : of_kepler)
              if (!std::string_view(of.series).ends_with("4"))
                growth.curves.push_back(curve_of(report.series("growth_" + std::string(of.series)), "t", "angle",
                                                 of.title, of.colour, of.dashed, 1.5));
            Panel bodies =
                panel("pythagorean", "Pythagorean problem, t = 20 (errors up to 10)", "forces", false, of_bodies);
            // Where a body is thrown out, the number of steps does not follow their size any more.
            for (Curve& curve : bodies.curves)
              std::erase_if(curve.points, [](const auto& point) { return point.second > 10; });
            drawing.row(300, {std::move(bodies), growth});
            return drawing.write(folder, "adaptive_work_precision");
          }};
}

}  // namespace livi::plots
