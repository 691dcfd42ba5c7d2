// SPDX-License-Identifier: MIT
// Figure 2 of TO14: omega^2 |g| against omega, in x and in q; the multipliers of the penalised run beside SHAKE's.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>

namespace livi::plots {
namespace fig02_parts {

std::string finding(const Series& constraints) {
  const std::vector<double>&at_q = constraints.column("mean_q"), &at_x = constraints.column("mean_x");
  const auto [low, high] = std::minmax_element(at_q.begin(), at_q.end());
  const std::string up_to = " up to omega = " + number(constraints.column("omega").back(), 4);
  if (*high < 1.5 * *low && at_x.back() > 2 * *high)
    return "Read at q, the mean of omega^2 |g| stays at " + number(at_q.back(), 3) + up_to +
           ", as |g| = O(omega^{-2}) predicts; read at the stepped x it grows to " + number(at_x.back(), 3);
  return "The mean of omega^2 |g| lies between " + number(*low) + " and " + number(*high) + " at q" + up_to +
         ", and reaches " + number(at_x.back()) + " at the stepped x";
}

}  // namespace fig02_parts

Plot fig02() {
  using namespace fig02_parts;
  return {"fig02", "fig02_constraints_and_multipliers", "Figure 2 of TO14: constraints against omega, and multipliers",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series constraints = report.series("constraints");
            Drawing drawing(finding(constraints));
            Panel law{.title = "(a) omega^2 |g| of Zhang-Skeel, h = 0.01, beta = 0.4",
                      .x_label = "omega",
                      .y_label = "omega^2 |g|",
                      .logarithmic_x = true,
                      .logarithmic_y = true,
                      .legend = true};
            law.curves = {curve_of(constraints, "omega", "mean_q", "mean, at q = x + beta h^2 a", Colour::blue),
                          curve_of(constraints, "omega", "max_q", "largest, at q", Colour::sky_blue, true),
                          curve_of(constraints, "omega", "mean_x", "mean, at the stepped x", Colour::vermilion),
                          curve_of(constraints, "omega", "max_x", "largest, at x", Colour::orange, true)};
            law.y_range = {{0.5, 1000}};
            drawing.row(266, {std::move(law)});

            const Series multipliers = report.series("multipliers");
            for (const char* component : {"1", "2"}) {
              const std::string c = component;
              Panel panel{.title = "(b) multiplier " + c + " at omega = 20",
                          .x_label = c == "2" ? with_unit("t", multipliers.unit("t")) : "",
                          .y_label = "lambda_" + c,
                          .legend = c == "2"};
              panel.curves = {
                  curve_of(multipliers, "t", "pointwise_" + c, "-omega^2 g(q), no average", Colour::grey, false, 0.8),
                  curve_of(multipliers, "t", "averaged_" + c, "(8), window 0.2", Colour::blue),
                  curve_of(multipliers, "t", "exact_" + c, "exact", Colour::vermilion, false, 3),
                  curve_of(multipliers, "t", "shake_" + c, "SHAKE", Colour::black, true, 1)};
              drawing.row(240, {std::move(panel)});
            }
            return drawing.write(folder, "fig02");
          }};
}

}  // namespace livi::plots
