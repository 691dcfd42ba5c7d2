// SPDX-License-Identifier: MIT
// Figure 6 of TO14: energy, linear and angular momentum of a water cluster, from a relaxed start and from g = 0.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <cmath>

namespace livi::plots {
namespace fig06_parts {

struct Drawn {
  std::string method;
  const char* title;
  Colour colour;
};

/// What is not zero.
Points positive(const Points& points) { return above(points, 1e-17); }

/// Energies within the axis.
Points within(Points points, double limit) {
  std::erase_if(points, [&](const auto& point) { return !(std::abs(point.second) < limit); });
  return points;
}

std::string finding(const Series& relaxed, const Series& rigid) {
  const auto reached = [](const Series& series, const std::string& method, const char* momentum) {
    return largest(series.points("t", method + momentum));
  };
  const double of_relaxed = reached(relaxed, "stiff_simplified", "_angular"),
               of_rigid = reached(rigid, "stiff_simplified", "_angular"),
               of_others =
                   std::max(reached(rigid, "shake", "_angular"), reached(rigid, "stiff_variational", "_angular"));
  double linear = 0;
  for (const char* method : {"shake", "stiff_simplified", "stiff_variational"})
    linear = std::max(linear, reached(rigid, method, "_linear"));
  const std::string changes = "In the runs drawn the angular momentum of Z&Ss changes by " + number(of_relaxed) +
                              " from a relaxed start and by " + number(of_rigid) + " from g = 0";
  constexpr double rounding = 1e-9;
  if (of_others > rounding || linear > rounding)
    return changes + ", that of SHAKE and the variational form by up to " + number(of_others);
  return changes + "; SHAKE and the variational form keep it to rounding, and all three keep linear momentum";
}

}  // namespace fig06_parts

Plot fig06() {
  using namespace fig06_parts;
  return {"fig06", "fig06_water_conservation", "Figure 6 of TO14: energy and momenta of a water cluster",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series relaxed = report.series("relaxed"), rigid = report.series("rigid");
            Drawing drawing(finding(relaxed, rigid));
            std::vector<Panel> energies, linear_momenta, angular_momenta;
            const auto column = [&](const Series& series, const std::vector<Drawn>& drawn, const std::string& start,
                                    double range) {
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
              energies.push_back(std::move(energy));
              linear_momenta.push_back(std::move(linear));
              angular_momenta.push_back(std::move(angular));
            };
            const Drawn simplified{"stiff_simplified", "Z&Ss (x)", Colour::purple};
            const Drawn shake{"shake", "SHAKE", Colour::black};
            const Drawn from_q{"newmark_once.whole.from_q.carried", "Newmark once, as Fig. 1", Colour::orange};
            column(relaxed,
                   {from_q,
                    {"newmark_once.whole.constant_acceleration.recomputed", "Newmark once, other", Colour::blue},
                    simplified,
                    shake},
                   "relaxed start", 0.5);
            column(rigid, {from_q, simplified, {"stiff_variational", "variational form (x)", Colour::green}, shake},
                   "start with g = 0", 3.6);
            drawing.row(240, std::move(energies));
            drawing.row(240, std::move(linear_momenta));
            drawing.row(260, std::move(angular_momenta));
            return drawing.write(folder, "fig06");
          }};
}

}  // namespace livi::plots
