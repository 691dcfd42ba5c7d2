// SPDX-License-Identifier: MIT
// Push-forward Newmark near a stable equilibrium: growth against h omega for several beta.
#include "drawing.hpp"
#include "figures.hpp"

namespace livi::plots {
namespace nonlinear_stability_parts {

std::string finding(const ReportData& report) {
  const double low = report.measurement("resonances.lowest_rotation_number"),
               high = report.measurement("resonances.highest_rotation_number");
  const std::string turns = number(low, 3) + " to " + number(high, 3) + " of a turn a step";
  if (low > 0.32 && high < 0.345)
    return "Push-forward Newmark grows only where it makes " + turns +
           ": at the third-order resonance, which there is for beta < 1/3 only";
  return "The runs of push-forward Newmark that grow make " + turns;
}

}  // namespace nonlinear_stability_parts

Plot nonlinear_stability() {
  using namespace nonlinear_stability_parts;
  return {"nonlinear_stability", "nonlinear_stability", "push-forward Newmark near a stable equilibrium",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series series = report.series("confinement");
            Panel panel{.title = "Largest |q| over its start, 2000 steps of push-forward Newmark from q = 0.05",
                        .x_label = "h omega",
                        .y_label = "growth",
                        .x_range = {{0, 12}},
                        .y_range = {{0.8, 100}},
                        .logarithmic_y = true,
                        .legend = true};
            const auto curve = [&](const char* column, const char* title, Colour colour) {
              return curve_of(series, "h_omega", column, title, colour, false, 1.6);
            };
            panel.curves = {
                curve("beta_0.25", "beta = 1/4", Colour::vermilion), curve("beta_0.3", "beta = 0.3", Colour::orange),
                curve("beta_0.333", "beta = 1/3", Colour::green), curve("beta_0.4", "beta = 0.4", Colour::sky_blue),
                curve("beta_0.5", "beta = 1/2", Colour::black)};
            Drawing drawing(finding(report));
            drawing.row(300, {std::move(panel)});
            return drawing.write(folder, "nonlinear_stability");
          }};
}

}  // namespace livi::plots
