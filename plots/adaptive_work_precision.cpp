// SPDX-License-Identifier: MIT
// Slides 3 and 4 of CS101: force evaluations against errors of adaptive, constant and error-controlled steps.
#include "drawing.hpp"
#include "figures.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace livi::plots {
namespace adaptive_work_precision_parts {

std::string finding(const ReportData& report) {
  return "For an error of 1e-3 after 100 periods with e = 0.8 from the pericentre, Verlet's constant steps take " +
         number(report.measured("CS101.which.kepler")) + " times the forces of the Hamiltonian adaptive method";
}

}  // namespace adaptive_work_precision_parts

Plot adaptive_work_precision() {
  using namespace adaptive_work_precision_parts;
  return {"adaptive_work_precision", "adaptive_work_precision",
          "Force evaluations against errors (CS101): adaptive, constant and error-controlled steps",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            struct Entry {
              const char *series, *title;
              Colour colour;
              bool dashed;
            };
            // The three errors of a problem on one scale. A run that leaves the orbit has errors of any size.
            constexpr double least = 1e-14, most = 10;
            const auto panel = [&](const std::string& problem, const std::string& title, const char* label,
                                   std::pair<double, double> x_range, const char* error,
                                   const std::vector<Entry>& methods) {
              Panel result{.title = title,
                           .x_label = label,
                           .x_range = x_range,
                           .y_range = {{least, most}},
                           .logarithmic_x = true,
                           .logarithmic_y = true};
              for (const Entry& of : methods) {
                Curve curve = curve_of(report.series(problem + "_" + of.series), "calls", error, of.title, of.colour,
                                       of.dashed, 1.5);
                std::erase_if(curve.points, [&](const auto& point) {
                  return !(point.second >= least && point.second <= most && point.first >= x_range.first &&
                           point.first <= x_range.second);
                });
                result.curves.push_back(std::move(curve));
              }
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
            const auto row = [&](const std::string& problem, const std::string& title, const char* label,
                                 std::pair<double, double> x_range, const std::vector<Entry>& methods) {
              std::vector<Panel> panels;
              for (const char* error : {"position", "phase", "energy"})
                panels.push_back(panel(problem, title + ": " + error, label, x_range, error, methods));
              panels.front().y_label = "error";
              drawing.row(190, std::move(panels));
            };
            const std::pair<double, double> a_period{40, 60000};
            row("e60", "e = 0.6", "forces a period", a_period, of_kepler);
            row("e80", "e = 0.8", "forces a period", a_period, of_kepler);
            row("e99", "e = 0.99", "forces a period", a_period, of_kepler);
            row("pythagorean", "Pythagorean", "forces", {2000, 3e6}, of_bodies);
            Panel misled{.title = "e = 0.8: what the energy says of the position",
                         .x_label = "position error",
                         .y_label = "energy error",
                         .x_range = {{1e-10, 1}},
                         .y_range = {{least, most}},
                         .logarithmic_x = true,
                         .logarithmic_y = true,
                         .legend = true};
            for (const Entry& of : of_kepler) {
              Curve curve = curve_of(report.series("e80_" + std::string(of.series)), "position", "energy", of.title,
                                     of.colour, of.dashed, 1.5);
              std::erase_if(curve.points, [](const auto& point) { return point.first > 1; });
              misled.curves.push_back(std::move(curve));
            }
            Panel growth{.title = "Kepler, e = 0.6: angle",
                         .x_label = "t [periods]",
                         .y_label = "error of the angle [rad]",
                         .logarithmic_x = true,
                         .logarithmic_y = true};
            for (const Entry& of : of_kepler)
              if (!std::string_view(of.series).ends_with("4"))
                growth.curves.push_back(curve_of(report.series("growth_" + std::string(of.series)), "t", "angle",
                                                 of.title, of.colour, of.dashed, 1.5));
            drawing.row(300, {std::move(misled), std::move(growth)});
            return drawing.write(folder, "adaptive_work_precision");
          }};
}

}  // namespace livi::plots
