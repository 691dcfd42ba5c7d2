// SPDX-License-Identifier: MIT
// Steps on the penalised double pendulum against omega: explicit, adaptive, Zhang-Skeel.
#include "drawing.hpp"
#include "figures.hpp"

#include <string>

namespace livi::plots {
namespace stiff_steps_parts {

std::string finding(const ReportData& report) {
  const auto power = [&](const std::string& method) {
    return "omega^{" + number(report.measurement("step_exponent." + method)) + "}";
  };
  return "The largest stable step of Verlet goes as " + power("verlet") + ", the mean step of an adaptive method as " +
         power("adaptive") + ", the step of Z&S for a given error as " + power("zhang_skeel");
}

}  // namespace stiff_steps_parts

Plot stiff_steps() {
  using namespace stiff_steps_parts;
  return {"stiff_steps", "stiff_steps", "steps of Verlet, an adaptive method and Zhang-Skeel against omega",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series series = report.series("steps");
            Panel panel{.title = "Steps on the penalised double pendulum",
                        .x_label = "omega",
                        .y_label = with_unit("h", series.unit("verlet_limit")),
                        .y_range = {{1e-4, 0.2}},
                        .logarithmic_x = true,
                        .logarithmic_y = true,
                        .legend = true};
            panel.curves = {
                curve_of(series, "omega", "zhang_skeel_step", "Zhang-Skeel, error 0.02 to t = 10", Colour::purple),
                curve_of(series, "omega", "verlet_limit", "Verlet, largest stable", Colour::black),
                curve_of(series, "omega", "adaptive_mean_step", "Cash-Karp 5(4), tolerance 10^{-5}, mean",
                         Colour::orange, true)};
            Drawing drawing(finding(report));
            drawing.row(306, {std::move(panel)});
            return drawing.write(folder, "stiff_steps");
          }};
}

}  // namespace livi::plots
