// SPDX-License-Identifier: MIT
// How long velocity Verlet and Z&S last on the DNA model of TO14, and what makes the energy of Z&S grow.
#include "drawing.hpp"
#include "figures.hpp"

namespace livi::plots {
namespace dna_stability_parts {

Curve vertical(double x, double low, double high, const char* title, Colour colour) {
  return {.points = {{x, low}, {x, high}}, .title = title, .colour = colour, .width = 1, .dashed = true};
}

std::string finding(const ReportData& report) {
  const double verlet = report.measurement("verlet.limit");
  return "Most runs of Z&S last to the printed T = 3500 up to h = " + number(report.measurement("zhang_skeel.limit")) +
         " and to T = 10^4 up to h = " + number(report.measurement("zhang_skeel.limit.T=10000")) +
         "; those of Verlet up to h = " + number(verlet) + ", " + number(verlet / 0.2) + " times the printed 0.2";
}

}  // namespace dna_stability_parts

Plot dna_stability() {
  using namespace dna_stability_parts;
  return {"dna_stability", "dna_stability", "how long Verlet and Z&S last on the DNA model of TO14",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series verlet = report.series("verlet");
            const Series zs = report.series("zhang_skeel");
            const Series simplified = report.series("simplified_zhang_skeel");
            const Series fixed = report.series("fixed_potential");
            Panel lost{.title = "Share of the seeds that are lost",
                       .x_label = with_unit("h", zs.unit("h")),
                       .y_label = "share",
                       .y_range = {{-0.05, 1.05}},
                       .legend = true};
            lost.curves = {curve_of(verlet, "h", "share_lost_by_10000", "Verlet, T = 10^4", Colour::black),
                           curve_of(zs, "h", "share_lost_by_3500", "Z&S, T = 3500", Colour::purple, true),
                           curve_of(zs, "h", "share_lost_by_10000", "Z&S, T = 10^4", Colour::purple),
                           curve_of(simplified, "h", "share_lost_by_10000", "Z&Ss, T = 10^4", Colour::orange),
                           vertical(0.2, 0, 1, "used in the paper", Colour::grey),
                           vertical(2, 0, 1, "", Colour::grey)};

            constexpr double low = 1e-7;
            constexpr double high = 1e-3;
            Panel growth{.title = "Growth of the modified energy, not lost by 10^4",
                         .x_label = with_unit("h", zs.unit("h")),
                         .y_label = with_unit("d ln H/dt", zs.unit("growth")),
                         .y_range = {{low, high}},
                         .logarithmic_y = true,
                         .legend = true};
            growth.curves = {curve_of(zs, "h", "growth", "beta = 0.3", Colour::purple),
                             curve_of(fixed, "h", "growth", "beta h^2 = 1.2", Colour::blue),
                             curve_of(verlet, "h", "growth", "Verlet", Colour::black)};
            for (Curve& curve : growth.curves)
              std::erase_if(curve.points, [](const auto& point) { return point.second < low; });
            const char* title = "beta h^2 = 1.2: 5, 4, 3 steps a turn";
            const Series resonant = report.series("resonant_steps");
            for (const double h : resonant.column("h")) {
              growth.curves.push_back(vertical(h, low, high, title, Colour::sky_blue));
              title = "";
            }

            const Series beta = report.series("by_beta");
            Panel lives{.title = "Lifetime of Z&S, h = 2",
                        .x_label = "beta",
                        .y_label = with_unit("t", beta.unit("median_lost_at")),
                        .y_range = {{100, 20000}},
                        .logarithmic_y = true,
                        .legend = true};
            lives.curves = {curve_of(beta, "beta", "median_lost_at", "half of the seeds", Colour::purple),
                            curve_of(beta, "beta", "first_lost_at", "the first", Colour::purple, true),
                            {.points = {{0.25, 3500}, {0.5, 3500}}, .title = "3500", .colour = Colour::grey}};

            const Series in_time = report.series("energy_in_time");
            Panel energy{.title = "Modified energy of Z&S, seed 1",
                         .x_label = with_unit("t", in_time.unit("t")),
                         .y_label = "H over its first value",
                         .y_range = {{0.8, 3}},
                         .legend = true};
            energy.curves = {curve_of(in_time, "t", "h_1", "h = 1", Colour::sky_blue),
                             curve_of(in_time, "t", "h_1_5", "h = 1.5", Colour::blue),
                             curve_of(in_time, "t", "h_2", "h = 2", Colour::purple)};

            Drawing drawing(finding(report));
            drawing.row(296, {std::move(lost), std::move(growth)});
            drawing.row(296, {std::move(lives), std::move(energy)});
            return drawing.write(folder, "dna_stability");
          }};
}

}  // namespace livi::plots
