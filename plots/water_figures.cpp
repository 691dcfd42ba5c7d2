// SPDX-License-Identifier: MIT
// Water clusters: Figures 4 to 7 of TO14, stability and temperatures.
#include "figure.hpp"

#include <algorithm>
#include <cmath>

namespace livi::plots {
namespace {

// --- distances between oxygens, Figures 4 and 7

std::string finding_of_seven(const ReportData& report) {
  const double rigid = report.measurement("shake.mean_distance"), zs = report.measurement("stiff_zs.mean_distance"),
               small = report.measurement("small_steps.mean_distance"), model = rigid - small,
               method = std::abs(zs - small), basins = report.measurement("other_basin.earth_mover");
  const std::string of_basins = "; a start in another basin moves them by {} A";
  if (model > 0 && method < 0.1 * model)
    return sentence(
        "The penalised molecules sit {} A closer than the rigid ones, because of the penalty: small steps of "
        "Verlet differ from Z&Ss by {:1} A" +
            of_basins,
        {rigid - zs, method, basins});
  return sentence(
      "Mean distances of the oxygens: {:5} A by SHAKE, {:5} A by Z&Ss, {:5} A by small steps of Verlet" + of_basins,
      {rigid, zs, small, basins});
}

Panel distances(const char* title, std::pair<double, double> x_range, std::vector<Curve> curves) {
  return {.title = title,
          .series = "distances",
          .x = "r",
          .x_label = "distance between oxygens r []",
          .y_label = "density []",
          .x_range = x_range,
          .legend = true,
          .curves = std::move(curves)};
}

Figure fig04() {
  return {"fig04",
          "fig04_water",
          "Figure 4 of TO14: distances between oxygens, seven water molecules",
          finding_of_seven,
          {{336,
            {distances("Seven molecules, T = 10000, 16 seeds; thin lines: two standard errors", {2.4, 7},
                       {{.title = "SHAKE: rigid", .colour = black, .y = "shake", .band = 2},
                        {.title = "Z&Ss: penalised, omega = 20", .colour = orange, .y = "stiff_zs", .band = 2},
                        {.title = "the same by small steps of Verlet",
                         .colour = blue,
                         .y = "small_steps",
                         .dashed = true,
                         .band = 2}})}},
           {336,
            {distances("SHAKE from two minima of the energy", {2.4, 7},
                       {{.title = "the lowest", .colour = black, .y = "shake", .band = 2},
                        {.title = "the third", .colour = green, .y = "other_basin", .band = 2}})}}}};
}

std::string finding_of_hundred(const ReportData& report) {
  const double rigid = report.measurement("shake.mean_distance"), zs = report.measurement("stiff_zs.mean_distance"),
               share = report.measured("TO14.fig7.model-error");
  const std::string times = "small steps of Verlet on the same model have {:3} times that difference";
  if (rigid > zs && std::abs(share - 1) < 0.1)
    return sentence(
        "A hundred penalised molecules sit {} A closer than rigid ones (of {:3} A), because of the penalty: " + times,
        {rigid - zs, rigid, share});
  return sentence("Mean distances of the oxygens of a hundred molecules: {:5} A by SHAKE, {:5} A by Z&Ss; " + times,
                  {rigid, zs, share});
}

/// The density of Z&Ss less that of SHAKE, and so many standard errors of both.
Points difference(const Series& series, double errors) {
  Points points = series.points("r", "stiff_zs");
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].second -= series.column("shake")[i];
    points[i].second += errors * (series.column("shake_error")[i] + series.column("stiff_zs_error")[i]);
  }
  return points;
}

Figure fig07() {
  Panel below = distances("Difference, Z&Ss less SHAKE; thin lines: two standard errors of both", {2, 19},
                          {{.colour = blue, .y = "shake", .width = 0.5},
                           {.colour = blue, .y = "shake", .width = 0.5},
                           {.colour = blue, .y = "shake"}});
  below.legend = false;
  below.curves[0].change = [](const Points&, const Series& series, const std::string&) {
    return difference(series, -2);
  };
  below.curves[1].change = [](const Points&, const Series& series, const std::string&) {
    return difference(series, 2);
  };
  below.curves[2].change = [](const Points&, const Series& series, const std::string&) {
    return difference(series, 0);
  };
  return {"fig07",
          "fig07_water",
          "Figure 7 of TO14: distances between oxygens, a hundred water molecules",
          finding_of_hundred,
          {{336,
            {distances("A hundred molecules, T = 1000, 8 seeds (errors thinner than the lines), Newmark's beta = 0.3",
                       {2, 19},
                       {{.title = "SHAKE: rigid", .colour = black, .y = "shake"},
                        {.title = "Z&Ss: penalised, omega = 20", .colour = orange, .y = "stiff_zs"}})}},
           {270, {std::move(below)}}}};
}

// --- windowed multipliers of the first molecule by SHAKE and by the penalised model, Figure 5

std::string finding_of_multipliers(const ReportData& report) {
  const std::string run = "omega=500.h=0.05.beta=0.25.";
  return sentence(
      "At omega = 500 the averaged multipliers are {} standard deviations from SHAKE's if read at q and {} "
      "if read at x, while the motions are within 0.01 A of each other",
      {report.measurement(run + "at_q"), report.measurement(run + "at_x")});
}

Panel bond(const char* title, const std::string& name) {
  return {.title = title,
          .series = "curves",
          .x = "t",
          .y = "*_" + name,
          .x_label = "t []",
          .y_label = "multiplier []",
          .legend = true,
          .curves = {{.title = "-omega^2 g at q", .colour = purple, .y = "at_q"},
                     {.title = "SHAKE", .colour = black, .y = "shake", .width = 1.5, .dashed = true}}};
}

Figure fig05() {
  Panel with_x = bond("First bond, with the reading at x", "oh1");
  with_x.curves.insert(with_x.curves.begin(),
                       {.title = "-omega^2 g at x", .colour = orange, .y = "at_x", .width = 1.5});
  return {"fig05",
          "fig05_water_multipliers",
          "Figure 5 of TO14: multipliers of rigid and of penalised water",
          finding_of_multipliers,
          {{296, {bond("First bond of the first oxygen, windows of 0.2", "oh1"), bond("Second bond", "oh2")}},
           {296,
            {std::move(with_x),
             {.title = "Distance to SHAKE while within 0.01 A",
              .series = "scan_*",
              .x = "omega",
              .x_label = "omega",
              .y_label = "distance in standard deviations",
              .y_range = {{0.01, 100}},
              .log_x = true,
              .log_y = true,
              .legend = true,
              .up_to = 99.99,
              .curves = {{.title = "h = 0.05 at q", .colour = purple, .series = "h_500", .y = "at_q"},
                         {.title = "at x", .colour = orange, .series = "h_500", .y = "at_x"},
                         {.title = "h = 0.0125 at q", .colour = blue, .series = "h_125", .y = "at_q"},
                         {.title = "h omega = 1/4", .colour = green, .series = "resolved", .y = "at_q"}}}}}}};
}

// --- energy, linear and angular momentum from a relaxed start and from g = 0, Figure 6

std::string finding_of_conservation(const ReportData& report) {
  const double of_relaxed = largest(report, "relaxed", "stiff_simplified_angular"),
               of_rigid = largest(report, "rigid", "stiff_simplified_angular"),
               of_others = std::max(largest(report, "rigid", "shake_angular"),
                                    largest(report, "rigid", "stiff_variational_angular"));
  double linear = 0;
  for (const std::string method : {"shake", "stiff_simplified", "stiff_variational"})
    linear = std::max(linear, largest(report, "rigid", method + "_linear"));
  const std::string changes = sentence(
      "In the runs drawn the angular momentum of Z&Ss changes by {} from a relaxed start "
      "and by {} from g = 0",
      {of_relaxed, of_rigid});
  constexpr double rounding = 1e-9;
  if (of_others > rounding || linear > rounding)
    return changes + sentence(", that of SHAKE and the variational form by up to {}", {of_others});
  return changes + "; SHAKE and the variational form keep it to rounding, and all three keep linear momentum";
}

Figure fig06() {
  const Curve from_q{.title = "Newmark once, as Fig. 1", .colour = orange, .y = "newmark_once.whole.from_q.carried"},
      recomputed{
          .title = "Newmark once, other", .colour = blue, .y = "newmark_once.whole.constant_acceleration.recomputed"},
      simplified{.title = "Z&Ss (x)", .colour = purple, .y = "stiff_simplified"},
      variational{.title = "variational form (x)", .colour = green, .y = "stiff_variational"},
      shake{.title = "SHAKE", .colour = black, .y = "shake"};
  Figure figure{"fig06", "fig06_water_conservation", "Figure 6 of TO14: energy and momenta of a water cluster",
                finding_of_conservation};
  figure.rows = {{240, {}}, {240, {}}, {260, {}}};
  const auto add = [&](const char* series, const std::string& start, double range, const std::vector<Curve>& curves) {
    figure.rows[0].panels.push_back({.title = "Energy less its first value, " + start,
                                     .series = series,
                                     .x = "t",
                                     .y = "*_energy",
                                     .y_label = "E - E_0 [kcal/mol]",
                                     .y_range = {{-range, range / 2}},
                                     .width = 1.5,
                                     .thin = 200,
                                     .above = -2 * range,
                                     .up_to = 2 * range,
                                     .curves = curves});
    figure.rows[1].panels.push_back({.title = "Linear momentum",
                                     .series = series,
                                     .x = "t",
                                     .y = "*_linear",
                                     .y_label = "|P - P_0| [amu A/time]",
                                     .y_range = {{1e-16, 1e-8}},
                                     .log_y = true,
                                     .width = 1.5,
                                     .thin = 200,
                                     .above = 1e-17,
                                     .curves = curves});
    figure.rows[2].panels.push_back({.title = "Angular momentum",
                                     .series = series,
                                     .x = "t",
                                     .y = "*_angular",
                                     .x_label = "t []",
                                     .y_label = "|L - L_0| [amu A^2/time]",
                                     .y_range = {{1e-15, 100}},
                                     .log_y = true,
                                     .legend = true,
                                     .width = 1.5,
                                     .thin = 200,
                                     .above = 1e-17,
                                     .curves = curves});
  };
  add("relaxed", "relaxed start", 0.5, {from_q, recomputed, simplified, shake});
  add("rigid", "start with g = 0", 3.6, {from_q, simplified, variational, shake});
  return figure;
}

// --- where Integrator 5 is stable: over beta and h, against omega, lifetimes

std::string finding_of_stability(const ReportData& report) {
  const double resonance = report.measurement("third_order_resonance.beta");
  return sentence(
      std::string(
          "From omega = 200 to 2000 the largest step goes as omega^{{}} with beta = 0.3, Verlet's as omega^{{}}; ") +
          (std::abs(report.measured("TO14.s4.3.third-order-resonance")) < 0.005
               ? "with h = 0.05 relaxed starts are lost at the third-order resonance, beta = {:3}"
               : "the third-order resonance at h = 0.05 is at beta = {:3}"),
      {report.measurement("step_exponent.omega=200_to_2000.beta=0.3"),
       report.measurement("step_exponent.omega=200_to_2000.verlet_bound"), resonance});
}

Figure water_stability() {
  const auto dots = [](const char* title, Colour colour, double kept) {
    return Curve{.title = title,
                 .colour = colour,
                 .series = "map",
                 .width = 5,
                 .dots = true,
                 .where = {{"kept", kept, kept + 1}}};
  };
  return {"water_stability",
          "water_stability",
          "Stability of Integrator 5 of TO14 on a water cluster",
          finding_of_stability,
          {{296,
            {{.title = "omega = 20, T = 50, relaxed start",
              .x = "beta",
              .y = "h",
              .x_label = "beta",
              .y_label = "h [time]",
              .x_range = {{-0.02, 1.02}},
              .y_range = {{0, 0.32}},
              .legend = true,
              .curves = {dots("kept", blue, 2),
                         dots("lost after t = 10", orange, 1),
                         dots("lost before", grey, 0),
                         {.title = "linear theory", .colour = black, .series = "linear_bound"},
                         {.title = "third-order resonance",
                          .colour = vermilion,
                          .series = "third_order_resonance",
                          .dashed = true}}}}},
           {296,
            {{.title = "Largest step that half of the starts survive",
              .series = "largest_steps",
              .x = "omega",
              .x_label = "omega",
              .y_label = "h []",
              .y_range = {{1e-4, 0.3}},
              .log_x = true,
              .log_y = true,
              .legend = true,
              .above = 0,
              .curves = {{.title = "beta = 1/4", .colour = sky_blue, .y = "beta_0_25"},
                         {.title = "0.3", .colour = purple, .y = "beta_0_3"},
                         {.title = "1/2", .colour = orange, .y = "beta_0_5"},
                         {.title = "variational, 0.3", .colour = green, .y = "variational"},
                         {.title = "Verlet (linear)", .colour = black, .y = "verlet", .width = 1.5, .dashed = true}}},
             {.title = "First of three lost, h = 0.05, omega = 20",
              .series = "lifetimes_by_beta",
              .x = "beta",
              .y = "first_lost",
              .x_label = "beta",
              .y_label = "t []",
              .y_range = {{5, 300}},
              .log_y = true,
              .legend = true,
              .curves = {{.title = "simplified Z&S (200: not lost)", .colour = purple}}}}}}};
}

// --- kinetic temperatures of seven molecules, against the step and against Newmark's beta

/// The value of a column at the largest step.
double at_largest_step(const Series& series, const char* column) {
  const std::vector<double>& steps = series.column("h");
  const auto largest_step = std::max_element(steps.begin(), steps.end()) - steps.begin();
  return series.column(column)[static_cast<std::size_t>(largest_step)];
}

std::string finding_of_temperature(const ReportData& report) {
  const Series &shake = report.series("shake"), &zs = report.series("stiff_zs");
  return sentence(
      "With the largest step, h = {:1}, Z&Ss has the rotation of the cluster at {} times the temperature of the bath, "
      "the "
      "rest at {:3}; SHAKE all at {:3}",
      {at_largest_step(zs, "h"), at_largest_step(zs, "rotation"), at_largest_step(zs, "internal"),
       at_largest_step(shake, "temperature")});
}

Panel temperatures(const char* title, std::vector<Curve> curves) {
  for (Curve& curve : curves) {
    (curve.dots ? curve.width : curve.marks) = 6;
    curve.bars = 2;
    curve.bar_width = 1.5;
  }
  return {
      .title = title, .y_label = "kinetic temperature over the bath's", .legend = true, .curves = std::move(curves)};
}

Figure water_temperature() {
  Panel step =
      temperatures("Z&Ss with beta = 1/4, 8 seeds; bars: two standard errors",
                   {{.title = "SHAKE, all", .colour = black, .series = "shake", .y = "temperature", .dashed = true},
                    {.title = "Z&Ss, all", .colour = orange, .series = "stiff_zs", .y = "temperature"},
                    {.title = "Z&Ss, oxygens", .colour = vermilion, .series = "stiff_zs", .y = "oxygen"},
                    {.title = "Z&Ss, rotation", .colour = purple, .series = "stiff_zs", .y = "rotation"},
                    {.title = "Z&Ss, internal", .colour = blue, .series = "stiff_zs", .y = "internal"}});
  step.x = "h";
  step.x_label = "h []";
  step.x_range = {{0.01, 0.052}};
  step.y_range = {{0.8, 3.6}};
  // No lines: between these points there are some where runs are lost.
  Panel newmark = temperatures(
      "Z&Ss with h = 0.05, 4 seeds; runs are lost for beta = 0.2, 0.26 to 0.29, 1",
      {{.title = "rotation of the whole", .colour = purple, .y = "rotation", .dots = true},
       {.title = "all", .colour = orange, .y = "temperature", .dots = true},
       {.title = "internal: without drift and rotation of the whole", .colour = blue, .y = "internal", .dots = true}});
  newmark.series = "by_beta";
  newmark.x = "beta";
  newmark.x_label = "Newmark's beta";
  newmark.x_range = {{0.2, 0.78}};
  newmark.y_range = {{0.8, 50}};
  newmark.log_y = true;
  return {"water_temperature",
          "water_temperature",
          "temperatures of seven water molecules",
          finding_of_temperature,
          {{320, {std::move(step)}}, {320, {std::move(newmark)}}}};
}

}  // namespace

std::vector<Figure> water_figures() {
  return {fig04(), fig05(), fig06(), fig07(), water_stability(), water_temperature()};
}

}  // namespace livi::plots
