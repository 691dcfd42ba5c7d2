// SPDX-License-Identifier: MIT
// Slides 19 and 23 of CS101 on chaotic orbits: changes of the energy against the time between.
#include "drawing.hpp"
#include "figures.hpp"

#include <initializer_list>
#include <string>
#include <tuple>

namespace livi::plots {
namespace adaptive_chaos_parts {

std::string finding(const ReportData& report) {
  const double reversible = report.measurement("coupled.reversible.power"),
               symplectic = report.measurement("coupled.hamiltonian.power"),
               coarse = report.measurement("coupled.hamiltonian_coarse.power");
  const bool walks = reversible > 0.25 && symplectic < 0.25;
  return (walks ? "On chaotic orbits the energy of the reversible method walks, as t^{"
                : "On chaotic orbits the energy of the reversible method moves as t^{") +
         number(reversible) + "}; that of the Hamiltonian method goes as t^{" + number(symplectic) +
         "}, with twice the step as t^{" + number(coarse) + "}";
}

}  // namespace adaptive_chaos_parts

Plot adaptive_chaos() {
  using namespace adaptive_chaos_parts;
  return {"adaptive_chaos", "adaptive_chaos", "Energy of adaptive steps on chaotic orbits (CS101, slides 19 and 23)",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            const auto panel = [&](const std::string& problem, const char* title,
                                   std::initializer_list<std::tuple<const char*, const char*, Colour, bool>> methods) {
              Panel result{.title = title,
                           .x_label = "time between [periods]",
                           .y_label = "rms change of the mean energy [energy]",
                           .logarithmic_x = true,
                           .logarithmic_y = true,
                           .legend = true};
              for (const auto& [method, name, colour, dashed] : methods)
                result.curves.push_back(
                    curve_of(report.series(problem + "_" + method), "t", "change", name, colour, dashed));
              return result;
            };
            drawing.row(300, {panel("coupled", "Coupled quartic oscillators, E = 10",
                                    {{"explicit", "explicit", Colour::vermilion, false},
                                     {"reversible", "reversible", Colour::green, false},
                                     {"integrated", "slide 28", Colour::green, true},
                                     {"hamiltonian", "Hamiltonian", Colour::blue, false},
                                     {"hamiltonian_coarse", "Hamiltonian, 2 h", Colour::blue, true},
                                     {"constant", "constant", Colour::grey, false}}),
                              panel("henon_heiles160", "Henon-Heiles, E = 0.16",
                                    {{"reversible", "reversible", Colour::green, false},
                                     {"reversible_steps", "mean of both ends", Colour::orange, false},
                                     {"reversible_state", "reversible, (p, q)", Colour::purple, false},
                                     {"hamiltonian", "Hamiltonian", Colour::blue, false}})});
            return drawing.write(folder, "adaptive_chaos");
          }};
}

}  // namespace livi::plots
