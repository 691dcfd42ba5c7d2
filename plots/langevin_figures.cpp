// SPDX-License-Identifier: MIT
// Geometric Langevin algorithms, TO14 4.3: bias of temperature and positions, and the angle of a trimer.
#include "figure.hpp"

#include <algorithm>
#include <cmath>

namespace livi::plots {
namespace {

std::string finding_of_bias(const ReportData& report) {
  const double deviation = report.measured("TO14.s4.3.gla-symplectic-accurate");
  return "On harmonic motion GLA around Verlet and Z&S has " +
         (deviation < 1e-30 ? "the right temperature" : sentence("a temperature wrong by {}", {deviation})) +
         sentence(" and positions that err as h^{{}}; around RK4 the temperature errs as h^{{}} gamma^{{}}",
                  {report.measurement("verlet.position.power_of_h"), report.measurement("rk4.temperature.power_of_h"),
                   report.measurement("rk4.temperature.power_of_gamma")});
}

Panel bias(const char* title, const char* columns, std::vector<Curve> curves) {
  return {.title = title,
          .series = "harmonic_bias",
          .x = "h",
          .y = columns,
          .x_label = "h",
          .y_label = "relative error",
          .x_range = {{0, 0.72}},
          .y_range = {{1e-7, 3}},
          .log_y = true,
          .legend = true,
          .curves = std::move(curves)};
}

Figure geometric_langevin() {
  return {"geometric_langevin",
          "geometric_langevin",
          "bias of GLA on harmonic motion against the step",
          finding_of_bias,
          {{296,
            {bias("Temperature (Verlet, Z&S: below 10^{-40})", "temperature.*",
                  {{.title = "RK4, gamma = 0.01", .colour = vermilion, .y = "rk4.gamma_0.01"},
                   {.title = "RK4, gamma = 1", .colour = vermilion, .y = "rk4.gamma_1", .dashed = true}}),
             bias("Covariance of positions", "position.*",
                  {{.title = "Verlet, any gamma", .colour = black, .y = "verlet.gamma_0.01"},
                   {.title = "Z&S at its x, any gamma", .colour = sky_blue, .y = "zs.gamma_0.01"},
                   {.title = "RK4, gamma = 0.01", .colour = vermilion, .y = "rk4.gamma_0.01"},
                   {.title = "RK4, gamma = 1", .colour = vermilion, .y = "rk4.gamma_1", .dashed = true}})}}}};
}

std::string finding_of_sampling(const ReportData& report) {
  const auto mean = [&](const char* run) { return report.measurement(std::string(run) + ".mean_cos_2"); };
  const double rods = mean("rigid"), springs = mean("springs.omega_16"), corrected = mean("fixman"),
               exact = mean("exact.flexible");
  const bool are_parted =
      std::abs(rods - springs) > 4 * std::max(std::abs(springs - exact), std::abs(corrected - exact));
  return sentence("Rods and stiff springs sample " + std::string(are_parted ? "different angles, " : "") +
                      "<cos 2 alpha> = {} and {}; with Fixman's potential rods have {}, infinitely stiff springs in "
                      "closed form {}",
                  {rods, springs, corrected, exact});
}

Figure langevin_sampling() {
  const auto sampled = [](const char* title, Colour colour, const char* column, double aside) {
    return Curve{.title = title,
                 .colour = colour,
                 .y = column,
                 .width = 6,
                 .dots = true,
                 .bars = 2,
                 .bar_width = 1.2,
                 .aside = aside};
  };
  return {
      "langevin_sampling",
      "langevin_sampling",
      "angles of rigid and restrained trimers under GLA",
      finding_of_sampling,
      {{366,
        {{.title = "Angle of a planar trimer, masses 4, 1, 4; bars: two standard errors up and down",
          .series = "angles",
          .x = "alpha",
          .x_label = "alpha [degree]",
          .y_label = "density per radian",
          .x_range = {{0, 180}},
          .legend = true,
          .curves = {{.title = "rods, closed form", .colour = black, .y = "exact_rigid"},
                     {.title = "stiff springs, closed form", .colour = black, .y = "exact_flexible", .dashed = true},
                     sampled("rods, SHAKE", vermilion, "rigid", 0),
                     sampled("rods with Fixman's potential", blue, "fixman", -0.8),
                     sampled("springs, omega = 16", orange, "springs", 0.8)}}}}}};
}

}  // namespace

std::vector<Figure> langevin_figures() { return {geometric_langevin(), langevin_sampling()}; }

}  // namespace livi::plots
