// SPDX-License-Identifier: MIT
// Figure 6 of TO14: energy, linear and angular momentum of a water cluster, from a relaxed start and from g = 0.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <cmath>

namespace livi::plots {
namespace {

struct Drawn {
  std::string method;
  const char* title;
  Colour colour;
};

/// What a logarithmic axis can show.
Points positive(Points points) {
  std::erase_if(points, [](const auto& point) { return !(point.second > 1e-17); });
  return points;
}

/// Energies within the axis.
Points within(Points points, double limit) {
  std::erase_if(points, [&](const auto& point) { return !(std::abs(point.second) < limit); });
  return points;
}

}  // namespace

Plot fig06() {
  return {"fig06", "fig06_water_conservation", "Figure 6 of TO14: energy and momenta of a water cluster",
          [](const ReportData& report, const std::filesystem::path& folder) {
            Drawing drawing(1160, 1170);
            const auto column = [&](const Series& series, const std::vector<Drawn>& drawn, const std::string& start,
                                    double range, double left) {
              Panel energy{.title = "Energy less its first value, " + start,
                           .y_label = "E - E_0 [kcal/mol]",
                           .y_range = {{-range, range / 2}}};
              Panel linear{.title = "Linear momentum",
                           .y_label = "|P - P_0| [amu A/time]",
                           .y_range = {{1e-16, 1e-8}},
                           .logarithmic_y = true};
              Panel angular{.title = "Angular momentum",
                            .x_label = with_unit("t", series.unit("t")),
                            .y_label = "|L - L_0| [amu A^2/time]",
                            .y_range = {{1e-15, 100}},
                            .logarithmic_y = true,
                            .legend = true};
              for (const Drawn& one : drawn) {
                energy.curves.push_back(
                    {.points = within(thinned(series.points("t", one.method + "_energy"), 200), 2 * range),
                     .title = one.title,
                     .colour = one.colour});
                linear.curves.push_back({.points = positive(thinned(series.points("t", one.method + "_linear"), 200)),
                                         .title = one.title,
                                         .colour = one.colour});
                angular.curves.push_back({.points = positive(thinned(series.points("t", one.method + "_angular"), 200)),
                                          .title = one.title,
                                          .colour = one.colour});
              }
              drawing.add(std::move(energy), {left, 34, left + 450, 330});
              drawing.add(std::move(linear), {left, 370, left + 450, 666});
              drawing.add(std::move(angular), {left, 706, left + 450, 1026});
            };
            const Drawn simplified{"stiff_simplified", "simplified Z\\\\&S (x)", Colour::purple};
            const Drawn shake{"shake", "SHAKE", Colour::black};
            const Drawn from_q{"newmark_once.whole.from_q.carried", "Newmark once, as Fig. 1", Colour::orange};
            column(report.series("relaxed"),
                   {from_q,
                    {"newmark_once.whole.constant_acceleration.recomputed", "Newmark once, other", Colour::blue},
                    simplified,
                    shake},
                   "relaxed start", 0.5, 100);
            column(report.series("rigid"),
                   {from_q, simplified, {"stiff_variational", "variational form (x)", Colour::green}, shake},
                   "start with g = 0", 3.6, 690);
            return drawing.write(folder, "fig06");
          }};
}

}  // namespace livi::plots
