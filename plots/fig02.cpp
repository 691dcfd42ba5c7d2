// SPDX-License-Identifier: MIT
// Figure 2 of TO14: omega^2 |g| against omega, in x and in q; the multipliers of the penalised run beside SHAKE's.
#include "drawing.hpp"
#include "figures.hpp"

#include <cmath>

namespace livi::plots {
namespace {

/// x on a logarithmic scale, for axes labelled so.
Points with_logarithmic_x(Points points) {
  for (auto& point : points) point.first = std::log10(point.first);
  return points;
}

}  // namespace

Plot fig02() {
  return {"fig02", "fig02_constraints_and_multipliers", "Figure 2 of TO14: constraints against omega, and multipliers",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(1000, 1080);
            const Series constraints = report.series("constraints");
            Panel law{.title = "(a) omega^2 |g| of Zhang-Skeel, h = 0.01, beta = 0.4",
                      .x_label = "log_{10} omega",
                      .y_label = "omega^2 |g|",
                      .logarithmic_y = true,
                      .legend = true};
            struct Reading {
              const char *column, *title;
              Colour colour;
              bool dashed;
            };
            for (const Reading& r : {Reading{"mean_q", "mean, at q = x + beta h^2 a", Colour::blue, false},
                                     Reading{"max_q", "largest, at q", Colour::sky_blue, true},
                                     Reading{"mean_x", "mean, at the stepped x", Colour::vermilion, false},
                                     Reading{"max_x", "largest, at x", Colour::orange, true}})
              law.curves.push_back({.points = with_logarithmic_x(constraints.points("omega", r.column)),
                                    .title = r.title,
                                    .colour = r.colour,
                                    .width = 2,
                                    .dashed = r.dashed});
            law.y_range = {{0.5, 1000}};
            drawing.add(std::move(law), {90, 34, 960, 300});

            const Series multipliers = report.series("multipliers");
            double top = 440;
            for (const char* component : {"1", "2"}) {
              const std::string c = component;
              Panel panel{.title = "(b) multiplier " + c + " at omega = 20",
                          .x_label = c == "2" ? with_unit("t", multipliers.unit("t")) : "",
                          .y_label = "lambda_" + c,
                          .legend = c == "2"};
              panel.curves = {{.points = multipliers.points("t", "pointwise_" + c),
                               .title = "-omega^2 g(q), no average",
                               .colour = Colour::grey,
                               .width = 0.8},
                              {.points = multipliers.points("t", "averaged_" + c),
                               .title = "(8), window 0.2",
                               .colour = Colour::blue,
                               .width = 2},
                              {.points = multipliers.points("t", "exact_" + c),
                               .title = "exact",
                               .colour = Colour::vermilion,
                               .width = 3},
                              {.points = multipliers.points("t", "shake_" + c),
                               .title = "SHAKE",
                               .colour = Colour::black,
                               .width = 1,
                               .dashed = true}};
              drawing.add(std::move(panel), {90, top, 960, top + 240});
              top += 276;
            }
            return drawing.write(folder, "fig02");
          }};
}

}  // namespace livi::plots
