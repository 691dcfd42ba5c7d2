// SPDX-License-Identifier: MIT
// How stiff the penalised double pendulum of TO14 may be: first lost omega against h, lifetime of Z&S against beta, and
// the potential on which Z&S is Verlet.
#include "drawing.hpp"
#include "figures.hpp"

#include <cmath>

namespace livi::plots {
namespace stability_thresholds_parts {

Panel thresholds(const Series& series) {
  Panel panel{.title = "First lost omega of the double pendulum to T = 50 (Newmark with beta = 0.4: none up to 10^4)",
              .x_label = "h",
              .y_label = "omega",
              .logarithmic_x = true,
              .logarithmic_y = true,
              .legend = true};
  panel.curves = {curve_of(series, "h", "newmark_quarter", "Newmark, beta = 1/4", Colour::green),
                  curve_of(series, "h", "midpoint", "implicit midpoint", Colour::sky_blue, true),
                  curve_of(series, "h", "simplified", "simplified Zhang-Skeel: wrong by then", Colour::grey),
                  curve_of(series, "h", "zhang_skeel", "Zhang-Skeel from x(0) = q(0)", Colour::purple),
                  curve_of(series, "h", "zhang_skeel_mapped", "Zhang-Skeel from x(0) = eta(q(0))", Colour::vermilion),
                  curve_of(series, "h", "verlet", "Verlet, 0.468/h", Colour::black, true)};
  return panel;
}

Panel lifetimes(const Series& series) {
  Panel panel{.title = "Time at which Zhang-Skeel is lost, h = 0.1, omega = 20 (500: not lost)",
              .x_label = "beta",
              .y_label = with_unit("t", series.unit("lost_at")),
              .y_range = {{0.5, 800}},
              .logarithmic_y = true,
              .legend = true};
  panel.curves = {curve_of(series, "beta", "lost_at_mapped", "from x(0) = eta(q(0))", Colour::vermilion, false, 1.2),
                  curve_of(series, "beta", "lost_at", "from x(0) = q(0)", Colour::purple, false, 1.6),
                  {.points = {{1.0 / 3, 0.5}, {1.0 / 3, 800}},
                   .title = "rotation number 1/3 without load",
                   .colour = Colour::grey,
                   .dashed = true},
                  {.points = {{0.5, 0.5}, {0.5, 800}}, .title = "1/4", .colour = Colour::grey, .width = 0.8}};
  return panel;
}

Panel potential(const Series& series) {
  Panel panel{.title = "The potential U of Zhang-Skeel along one rod, beta h^2 = 0.004",
              .x_label = with_unit("stretch of the rod", series.unit("stretch")),
              .y_label = with_unit("U", series.unit("omega_20")),
              .y_range = {{-0.4, 0.8}},
              .legend = true};
  panel.curves = {curve_of(series, "stretch", "omega_10", "omega = 10", Colour::sky_blue),
                  curve_of(series, "stretch", "omega_20", "omega = 20", Colour::blue),
                  curve_of(series, "stretch", "omega_40", "omega = 40", Colour::orange),
                  curve_of(series, "stretch", "omega_80", "omega = 80", Colour::vermilion),
                  curve_of(series, "stretch", "newmark_limit", "Newmark, omega to infinity", Colour::black, true)};
  return panel;
}

std::string finding(const ReportData& report) {
  const auto exponent = [&](const char* method) {
    return report.measurement("largest_step_exponent." + std::string(method));
  };
  const double newmark = exponent("newmark");
  return "The largest step of Z&S from x(0) = eta(q(0)) falls as omega^{" + number(exponent("zhang_skeel_mapped")) +
         "}, that of Verlet as omega^{" + number(exponent("verlet")) + "}; that of Newmark, solved, with beta = 0.4, " +
         (std::abs(newmark) < 0.05 ? "does not fall" : "goes as omega^{" + number(newmark) + "}");
}

}  // namespace stability_thresholds_parts

Plot stability_thresholds() {
  using namespace stability_thresholds_parts;
  return {"stability_thresholds", "stability_thresholds", "stability of the stiff double pendulum of TO14",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(finding(report));
            drawing.row(276, {thresholds(report.series("omega_c"))});
            drawing.row(240, {lifetimes(report.series("beta_scan"))});
            drawing.row(260, {potential(report.series("modified_potential"))});
            return drawing.write(folder, "stability_thresholds");
          }};
}

}  // namespace livi::plots
