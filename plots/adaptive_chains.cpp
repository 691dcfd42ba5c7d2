// SPDX-License-Identifier: MIT
// Slides 24 to 26 of CS101: step histories on chains of springs, and the energy of a chaotic chain over a long time.
#include "drawing.hpp"
#include "figures.hpp"

#include <cmath>
#include <string>

namespace livi::plots {
namespace adaptive_chains_parts {

std::string finding(const ReportData& report) {
  const double reversible = report.measurement("chaotic_reversible.exponent"),
               hamiltonian = report.measurement("chaotic_hamiltonian.exponent"),
               variational = report.measurement("chaotic_variational.exponent");
  const std::string powers = " (mean square change as lag^p, p = " + number(reversible) + "; " + number(hamiltonian) +
                             ", " + number(variational) + ")";
  const bool walks = reversible > 0.7 && reversible < 1.3,
             bounded = std::abs(hamiltonian) < 0.3 && std::abs(variational) < 0.3;
  return (walks && bounded
              ? "On a chaotic chain the energy walks at random under the reversible adaptive method and is "
                "bounded under the symplectic ones"
              : "Mean square change of the energy of a chaotic chain: reversible; Hamiltonian, variational "
                "adaptive steps") +
         powers;
}

/// The steps, or the energy errors, of the three methods on a regular motion.
Panel histories(const ReportData& report, const std::string& chain, const std::string& title, bool energies) {
  Panel panel{.title = title,
              .x_label = "t [time]",
              .y_label = energies ? "H - E_0 [energy]" : "dt [time]",
              .x_range = {{0, 20}},
              .legend = !energies};
  const auto add = [&](const char* method, const char* name, Colour colour, bool dashed) {
    panel.curves.push_back(curve_of(report.series("regular_" + chain + "_" + method), "t",
                                    energies ? "energy_error" : "dt", name, colour, dashed, 1.5));
  };
  add("hamiltonian", "Hamiltonian", Colour::blue, false);
  add("variational", "variational", Colour::sky_blue, true);
  add("reversible", "reversible", Colour::vermilion, true);
  return panel;
}

/// Six runs of a method, under one entry of the legend.
void add_runs(Panel& panel, const ReportData& report, const char* method, const char* name, Colour colour) {
  const Series series = report.series(std::string("chaotic_") + method + "_energy");
  for (const char* run : {"run_1", "run_2", "run_3", "run_4", "run_5", "run_6"})
    panel.curves.push_back(curve_of(series, "t", run, std::string(run) == "run_1" ? name : "", colour, false, 1));
}

}  // namespace adaptive_chains_parts

Plot adaptive_chains() {
  using namespace adaptive_chains_parts;
  return {"adaptive_chains", "adaptive_chains",
          "Step histories and energies of adaptive methods on chains of springs (CS101, slides 24 to 26)",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            drawing.row(170, {histories(report, "stiff_01", "Four masses, k = 50, maximum 0.1", false),
                              histories(report, "soft_02", "k = 5, maximum 0.2", false)});
            drawing.row(150, {histories(report, "stiff_01", "Their energy error", true),
                              histories(report, "soft_02", "Their energy error", true)});
            Panel paths{.title = "Chaotic, k = 50: six starts",
                        .x_label = "t [time]",
                        .y_label = "H - E_0, means over 16 [energy]",
                        .legend = true};
            add_runs(paths, report, "reversible", "reversible", Colour::vermilion);
            add_runs(paths, report, "hamiltonian", "Hamiltonian", Colour::blue);
            add_runs(paths, report, "variational", "variational", Colour::sky_blue);
            Panel growth{.title = "Root mean square change over a lag",
                         .x_label = "lag [time]",
                         .y_label = "change [energy]",
                         .logarithmic_x = true,
                         .logarithmic_y = true,
                         .legend = true};
            const auto add = [&](const char* method, const char* name, Colour colour, bool dashed) {
              growth.curves.push_back(curve_of(report.series(std::string("chaotic_") + method + "_growth"), "lag",
                                               "change", name, colour, dashed, 1.5));
            };
            add("explicit", "dt = h sigma(q_k)", Colour::black, false);
            add("reversible", "reversible", Colour::vermilion, false);
            add("integrated", "slide 28", Colour::orange, true);
            add("constant", "constant", Colour::grey, true);
            add("hamiltonian", "Hamiltonian", Colour::blue, false);
            add("variational", "variational", Colour::sky_blue, false);
            drawing.row(240, {std::move(paths), std::move(growth)});
            return drawing.write(folder, "adaptive_chains");
          }};
}

}  // namespace livi::plots
