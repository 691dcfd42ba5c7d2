// SPDX-License-Identifier: MIT
// Noise on manifolds: the figures of BO07.
#include "figure.hpp"

#include <algorithm>
#include <cmath>

namespace livi::plots {
namespace {

// --- the energy that noise brings, and the steps that methods of higher order need for it, Section 1

std::string finding_of_growth(const ReportData& report) {
  const double rattle = report.measured("BO07.energy.sphere"),
               euler = report.measurement("growth.triple.h=0.05.projected_euler"), exact = 0.9;
  return sentence(std::string(rattle < 0.1 ? "RATTLE has the energy of the noise to {} % at steps up to 0.2"
                                           : "RATTLE misses the energy of the noise by {} %") +
                      "; projected Euler-Maruyama brings {} % of it with steps of 0.05",
                  {100 * rattle, 100 * euler / exact});
}

/// A change to the difference from the exact values.
Points less_the_exact(const Points& points, const Series& series, const std::string&) {
  Points less = points;
  for (std::size_t k = 0; k < points.size(); ++k) less[k].second -= series.column("exact")[k];
  return less;
}

Figure energy_growth() {
  return {
      "energy_growth",
      "energy_growth",
      "The energy that noise brings (BO07, Section 1): all methods, the exact line",
      finding_of_growth,
      {{316,
        {{.title = "Sphere, h = 0.1: mean energy gained",
          .series = "growth",
          .x = "t",
          .x_label = "t",
          .y_label = "E[H(t)] - H(0)",
          .legend = true,
          .width = 1.5,
          .curves = {{.title = "exact", .colour = black, .y = "exact", .width = 3, .dashed = true},
                     {.title = "RATTLE", .colour = blue, .y = "rattle"},
                     {.title = "variational Euler A", .colour = sky_blue, .y = "euler_a"},
                     {.title = "variational Euler B", .colour = sky_blue, .y = "euler_b", .dashed = true},
                     {.title = "projected Heun", .colour = orange, .y = "projected_heun"},
                     {.title = "projected Euler-Maruyama", .colour = vermilion, .y = "projected_euler", .bars = 1.96}}},
         {.title = "Oscillator, 16 periods: largest step for a tenth's accuracy",
          .series = "largest_steps",
          .x = "amplitude",
          .x_label = "amplitude of the noise",
          .y_label = "h",
          .log_x = true,
          .log_y = true,
          .legend = true,
          .width = 1.5,
          .curves = {{.title = "order four", .colour = green, .y = "runge_kutta_4"},
                     {.title = "Heun", .colour = orange, .y = "heun"},
                     {.title = "Euler-Maruyama", .colour = vermilion, .y = "explicit_euler"},
                     {.title = "h = amplitude", .colour = grey, .y = "amplitude", .dashed = true}}}}},
       {316,
        {{.title = "Sphere, h = 0.1: mean energy gained, less the exact (bars: 95 %)",
          .series = "growth",
          .x = "t",
          .x_label = "t",
          .y_label = "E[H(t)] - H(0) - 0.09 t",
          .x_range = {{0, 10.5}},
          .legend = true,
          .width = 1.5,
          .change = less_the_exact,
          .curves = {
              {.title = "RATTLE", .colour = blue, .y = "rattle", .bars = 1.96, .aside = -0.15},
              {.title = "variational Euler A", .colour = sky_blue, .y = "euler_a", .bars = 1.96, .aside = -0.09},
              {.title = "variational Euler B",
               .colour = sky_blue,
               .y = "euler_b",
               .dashed = true,
               .bars = 1.96,
               .aside = -0.03},
              {.title = "projected Heun", .colour = orange, .y = "projected_heun", .bars = 1.96, .aside = 0.03},
              {.title = "RATTLE with its commutator", .colour = green, .y = "commutator", .bars = 1.96, .aside = 0.09},
              {.title = "three stages",
               .colour = vermilion,
               .y = "lobatto_3",
               .dashed = true,
               .bars = 1.96,
               .aside = 0.15}}}}}}};
}

// --- one path of the noise on the sphere, by RATTLE and by a method that is not variational, Section 1

/// The largest distance of two paths at equal times.
double apart(const Series& a, const Series& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.column("t").size(); ++k)
    largest = std::max(largest, std::hypot(a.column("x")[k] - b.column("x")[k], a.column("y")[k] - b.column("y")[k],
                                           a.column("z")[k] - b.column("z")[k]));
  return largest;
}

std::string finding_of_paths(const ReportData& report) {
  const Series &fine = report.series("path_fine"), &rattle = report.series("path_rattle"),
               &euler = report.series("path_projected_euler");
  return sentence(
      "One path of the noise, h = 0.05: RATTLE stays within {} of the path of steps of 0.0016, projected "
      "Euler-Maruyama "
      "leaves it by {}; their energies at the end are {}, {} and {}",
      {apart(rattle, fine), apart(euler, fine), rattle.column("gained").back(), fine.column("gained").back(),
       euler.column("gained").back()});
}

Figure sphere_paths() {
  const std::vector<Curve> paths{{.title = "h = 0.0016", .colour = black, .series = "path_fine", .width = 3},
                                 {.title = "RATTLE", .colour = sky_blue, .series = "path_rattle"},
                                 {.title = "Euler-Maruyama", .colour = vermilion, .series = "path_projected_euler"}};
  const auto view = [&](const char* title, const std::string& x) {
    Panel panel{.title = title,
                .x = x,
                .y = "z",
                .x_label = x,
                .y_label = "z",
                .x_range = {{-1.1, 1.1}},
                .y_range = {{-1.1, 1.1}},
                .width = 1.2,
                .curves = paths};
    panel.curves.insert(panel.curves.begin(), {.colour = grey, .points = circle({0, 0}, 1, 128), .width = 0.8});
    return panel;
  };
  return {"sphere_paths",
          "energy_growth",
          "One path of the noise on the sphere (BO07, Section 1), and the energy along it",
          finding_of_paths,
          {{218,
            {view("From the front", "x"),
             view("From the side", "y"),
             {.title = "Energy gained",
              .x = "t",
              .y = "gained",
              .x_label = "t",
              .y_label = "H - H(0)",
              .x_range = {{0, 14}},
              .legend = true,
              .width = 1.2,
              .curves = paths}}}}};
}

// --- strong orders of RATTLE with int W dt, by what is constant on the manifold

std::string finding_of_orders(const ReportData& report) {
  const double constant = report.measured("BO07.abs.rattle-strong2"), trace = report.measured("BO07.strong.trace"),
               varying = report.measured("BO07.strong.varying");
  const bool as_derived = std::abs(constant - 2) <= 0.1 && std::abs(trace - 1.5) <= 0.1 && std::abs(varying - 1) <= 0.1;
  return sentence(
      std::string(as_derived ? "RATTLE with int W dt has strong order two only where all K_{ij} are constant"
                             : "Strong order of RATTLE with int W dt where all K_{ij} are constant") +
          " ({:3}); {:3} where their trace is, {:3} elsewhere",
      {constant, trace, varying});
}

/// A dashed line, at_one h^power.
Curve slope(const char* title, double power, double at_one, Colour colour) {
  Curve line{.title = title, .colour = colour, .width = 1, .dashed = true};
  for (const double h : {std::ldexp(1.0, -8), std::ldexp(1.0, -3)})
    line.points.emplace_back(h, at_one * std::pow(h, power));
  return line;
}

/// The powers in the legends, and in the titles whether the bars of 95 % can be seen.
void name_powers(const ReportData& report, std::vector<Row>& rows) {
  const std::vector<std::vector<std::string>> measurements{
      {"cylinder_z.rattle_integrals.power_of_error", "sphere_xyz.rattle_integrals.power_of_error.from_2^-5",
       "sphere_x.rattle_integrals.power_of_error.from_2^-5", "sphere_x.commutator.power_of_error"},
      {"sphere_xyz.rattle_integrals.power_of_distance", "sphere_x.commutator_mean.power_of_distance",
       "sphere_x.rattle_integrals.power_of_distance", "sphere_xy.rattle_integrals.power_of_distance",
       "cylinder_x.rattle_integrals.power_of_distance"}};
  double longest = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    auto name = measurements[side].begin();
    for (Curve& curve : rows[0].panels[side].curves) {
      const bool is_bar = curve.title.empty() && !curve.dots;
      if (is_bar)
        longest =
            std::max(longest, curve.points[1].second / (0.5 * (curve.points[0].second + curve.points[1].second)) - 1);
      if (curve.title.empty() || name == measurements[side].end()) continue;
      curve.title += ": " + number(report.measurement(*name), 3) + (name->ends_with("2^-5") ? " from 2^{-5}" : "");
      ++name;
    }
  }
  // A dot is 0.07 of a decade high.
  for (Panel& panel : rows[0].panels) panel.title += longest < 0.08 ? " (95 % within the dots)" : " (bars: 95 %)";
}

Figure strong_orders() {
  const auto panel = [](const char* title, const char* y_label, std::vector<Curve> curves) {
    for (Curve& curve : curves) {
      if (!curve.points.empty()) continue;
      curve.marks = 12;
      curve.bars = 1.96;
    }
    return Panel{.title = title,
                 .x = "h",
                 .x_label = "h [time]",
                 .y_label = y_label,
                 .x_range = {{0.0033, 0.15}},
                 .log_x = true,
                 .log_y = true,
                 .legend = true,
                 .width = 1.2,
                 .curves = std::move(curves)};
  };
  const std::string rattle = "rattle_integrals", distance = "rattle_integrals_distance";
  return {"strong_orders",
          "strong_orders",
          "Strong orders of RATTLE with int W dt (BO07)",
          finding_of_orders,
          {{320,
            {panel("Error and its power", "rms error of (q, p) at T = 1",
                   {{.title = "K constant", .colour = blue, .series = "cylinder_z", .y = rattle},
                    {.title = "trace constant", .colour = orange, .series = "sphere_xyz", .y = rattle},
                    {.title = "K varies, q_x", .colour = vermilion, .series = "sphere_x", .y = rattle},
                    {.title = "with the kick of C, q_x", .colour = black, .series = "sphere_x", .y = "commutator"},
                    slope("slope 1", 1, 0.008, grey),
                    slope("slope 2", 2, 0.12, black)}),
             panel("Distance from order two and its power", "rms distance of (q, p) at T = 1",
                   {{.title = "trace constant", .colour = orange, .series = "sphere_xyz", .y = distance},
                    {.title = "mean of C, q_x", .colour = green, .series = "sphere_x", .y = "commutator_mean_distance"},
                    {.title = "K varies, q_x", .colour = vermilion, .series = "sphere_x", .y = distance},
                    {.title = "K varies, q_x and q_y", .colour = purple, .series = "sphere_xy", .y = distance},
                    {.title = "K varies, cylinder", .colour = sky_blue, .series = "cylinder_x", .y = distance},
                    slope("slope 1", 1, 0.03, grey),
                    slope("slope 3/2", 1.5, 0.016, black)})}}},
          name_powers};
}

// --- Langevin dynamics with constraints: errors of averages, the angle of a trimer, Section 1

std::string finding_of_sampling(const ReportData& report) {
  const double ratio = report.measured("BO07.langevin.constant"), order = report.measured("BO07.langevin.order"),
               kinetic = report.measured("BO07.langevin.kinetic"), trimer = report.measured("BO07.langevin.trimer");
  const std::string measure =
      trimer < 0.01 ? "; both sample the restricted Gibbs measure" : "; the restricted Gibbs measure is missed";
  if (ratio < 0.5 && order > 1.9 && order < 2.1 && kinetic > 3.8 && kinetic < 4.2)
    return sentence(
               "g-BAOAB has the better positions (error at most {} of RATTLE's with the bath), RATTLE the better "
               "kinetic temperature (h^{{}})",
               {ratio, kinetic}) +
           measure;
  return sentence(
             "Errors of averages: g-BAOAB's positions have {} of RATTLE's, order {:3}; kinetic temperature of "
             "RATTLE h^{{}}",
             {ratio, order, kinetic}) +
         measure;
}

/// A change to the sizes; those within their sampling errors are not drawn.
Points significant(const Points& points, const Series& series, const std::string& y) {
  const std::vector<double>& errors = series.column(y + "_error");
  Points sizes;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (std::abs(points[k].second) > 1.96 * errors[k]) sizes.emplace_back(points[k].first, std::abs(points[k].second));
  return sizes;
}

Figure constrained_sampling() {
  return {
      "constrained_sampling",
      "constrained_sampling",
      "Langevin dynamics with constraints (BO07, Section 1): errors of averages, the angle of a trimer",
      finding_of_sampling,
      {{330,
        {{.title = "Sphere, beta = 3, friction 1: errors of averages",
          .series = "averages",
          .x = "h",
          .x_label = "h [time]",
          .y_label = "|error|, by quadrature",
          .x_range = {{0.017, 0.19}},
          .log_x = true,
          .log_y = true,
          .legend = true,
          .width = 1.5,
          .curves =
              with({{.title = "symplectic Euler, bath: E z", .colour = vermilion, .y = "euler_z"},
                    {.title = "RATTLE and bath: E z", .colour = blue, .y = "rattle_z"},
                    {.title = "g-BAOAB: E z", .colour = orange, .y = "baoab_z"},
                    {.title = "g-BAOAB: E |v|^2", .colour = orange, .y = "baoab_v_squared", .dashed = true},
                    {.title = "RATTLE and bath: E |v|^2", .colour = blue, .y = "rattle_v_squared", .dashed = true}},
                   &Curve::marks, 6.0)},
         {.title = "Trimer, masses 9, 1, 9: angle between the rods (bars: 95 %)",
          .series = "trimer",
          .x = "cosine",
          .x_label = "cosine of the angle",
          .y_label = "density",
          .x_range = {{-1, 1}},
          .legend = true,
          .curves = {{.title = "Gibbs measure: as (1 - 0.81 x^2)^{1/2}", .colour = black, .y = "exact"},
                     {.title = "stiff springs, without the factor", .colour = grey, .y = "uniform", .dashed = true},
                     // Methods stand beside each other: bins are 0.05 wide.
                     {.title = "RATTLE and bath",
                      .colour = blue,
                      .y = "rattle",
                      .width = 5,
                      .dots = true,
                      .bars = 1.96,
                      .aside = -0.008},
                     {.title = "g-BAOAB",
                      .colour = orange,
                      .y = "baoab",
                      .width = 5,
                      .dots = true,
                      .bars = 1.96,
                      .aside = 0.008}}}}},
       {330,
        {{.title = "Sphere, noise 0.5 (q_x, q_y, q_z): mean energy gained, relative error",
          .series = "long_time",
          .x = "t",
          .x_label = "t",
          .y_label = "|E gained/(sigma^2 t) - 1|",
          .log_x = true,
          .log_y = true,
          .legend = true,
          .width = 1.5,
          .change = significant,
          .curves = with({{.title = "projected Heun, h = 1/64", .colour = orange, .y = "projected_heun_64"},
                          {.title = "projected Euler-Maruyama, 1/64", .colour = vermilion, .y = "projected_euler_64"},
                          {.title = "order four, 1/32", .colour = green, .y = "runge_kutta_4_32"},
                          {.title = "RATTLE with I10, 1/16", .colour = blue, .y = "rattle_16", .dashed = true},
                          {.title = "RATTLE with I10, 1/32", .colour = blue, .y = "rattle_32"}},
                         &Curve::marks, 6.0)}}}}};
}

}  // namespace

std::vector<Figure> noise_figures() {
  return {energy_growth(), sphere_paths(), strong_orders(), constrained_sampling()};
}

}  // namespace livi::plots
