// SPDX-License-Identifier: MIT
// The DNA model: Figure 8 of TO14, how long methods last, and when the strand opens.
#include "figure.hpp"

#include <algorithm>
#include <numbers>

namespace livi::plots {
namespace {

/// A dashed line up from `low` to `high`.
Curve vertical(const char* title, Colour colour, double x, double low, double high, double width = 1) {
  return {.title = title, .colour = colour, .points = {{x, low}, {x, high}}, .width = width, .dashed = true};
}

// --- Figure 8: the mean angle and its rate, and energies, by velocity Verlet and by Z&S

/// Whether the mean angle has been in both wells, on both sides of pi.
bool crosses(const Series& series) {
  const std::vector<double>& angles = series.column("mean_angle");
  const auto [low, high] = std::minmax_element(angles.begin(), angles.end());
  constexpr double half_turn = std::numbers::pi;
  return (*low < half_turn && half_turn < *high) || (*low < -half_turn && -half_turn < *high);
}

std::string finding_of_transitions(const ReportData& report) {
  return sentence(std::string(crosses(report.series("verlet")) && crosses(report.series("zhang_skeel"))
                                  ? "Z&S with h = 2 passes between the stable angles as Verlet with h = 0.2 does; "
                                  : "Z&S with h = 2 beside Verlet with h = 0.2: ") +
                      "its energy, read at x, is at first {} of Verlet's",
                  {report.measurement("energy_ratio")});
}

constexpr std::pair<double, double> rates{-0.06, 0.06};

/// Marks the stable angles in every turn that the axis shows.
void mark_stable_angles(const ReportData& report, std::vector<Row>& rows) {
  constexpr double stable = 0.7954, turn = 2 * std::numbers::pi;
  for (Panel& panel : rows[0].panels) {
    const auto [left, right] = x_range_of(panel);
    panel.x_range = {{left - 0.5, right + 0.5}};
    std::vector<Curve> lines;
    for (int k = -5; k <= 5; ++k)
      for (const double angle : {k * turn - stable, k * turn + stable})
        if (angle > left - 0.5 && angle < right + 0.5)
          lines.push_back(vertical("", grey, angle, rates.first, rates.second, 0.8));
    panel.curves.insert(panel.curves.begin(), lines.begin(), lines.end());
  }
  rows[1].panels[0].y_range = {{0, 1.08 * largest(report, "verlet", "energy")}};
}

Figure fig08() {
  const auto portrait = [](const char* title, const char* series, Colour colour) {
    return Panel{.title = title,
                 .series = series,
                 .x = "mean_angle",
                 .y = "mean_rate",
                 .x_label = "mean angle []",
                 .y_label = "its rate []",
                 .y_range = rates,
                 .width = 2.5,
                 .curves = {{.colour = colour, .dots = true}}};
  };
  return {"fig08",
          "fig08_dna",
          "Figure 8 of TO14: transitions and energies of the DNA model",
          finding_of_transitions,
          {{300,
            {portrait("Velocity Verlet, h = 0.2, seed 1", "verlet", black),
             portrait("Zhang-Skeel, h = 2, same start", "zhang_skeel", purple)}},
           {320,
            {{.title = "Energies, read every 2 units of time (dashed grey lines above: stable angles)",
              .series = "zhang_skeel",
              .x = "t",
              .x_label = "t []",
              .y_label = "energy []",
              .legend = true,
              .width = 1.5,
              .curves = {{.title = "Verlet", .colour = black, .series = "verlet", .y = "energy"},
                         {.title = "its mean in linear theory",
                          .colour = grey,
                          .series = "verlet",
                          .y = "energy_of_linear_theory",
                          .dashed = true},
                         {.title = "Zhang-Skeel at x", .colour = purple, .y = "energy"},
                         {.title = "its mean in linear theory",
                          .colour = blue,
                          .y = "energy_of_linear_theory",
                          .width = 2,
                          .dashed = true},
                         {.title = "at q = x + c a", .colour = orange, .y = "physical_energy"}}}}}},
          mark_stable_angles};
}

// --- how long velocity Verlet and Z&S last, and what makes the energy of Z&S grow

std::string finding_of_stability(const ReportData& report) {
  const double verlet = report.measurement("verlet.limit");
  return sentence(
      "Most runs of Z&S last to the printed T = 3500 up to h = {} and to T = 10^4 up to h = {}; those of "
      "Verlet up to h = {}, {} times the printed 0.2",
      {report.measurement("zhang_skeel.limit"), report.measurement("zhang_skeel.limit.T=10000"), verlet, verlet / 0.2});
}

/// The resonant steps, under one entry of the legend.
void mark_resonances(const ReportData& report, std::vector<Row>& rows) {
  const char* title = "beta h^2 = 1.2: 5, 4, 3 steps a turn";
  for (const double h : report.series("resonant_steps").column("h")) {
    rows[0].panels[1].curves.push_back(vertical(title, sky_blue, h, 1e-7, 1e-3));
    title = "";
  }
}

Figure dna_stability() {
  return {"dna_stability",
          "dna_stability",
          "how long Verlet and Z&S last on the DNA model of TO14",
          finding_of_stability,
          {{296,
            {{.title = "Share of the seeds that are lost",
              .x = "h",
              .y = "share_lost_by_10000",
              .x_label = "h []",
              .y_label = "share",
              .y_range = {{-0.05, 1.05}},
              .legend = true,
              .curves = {{.title = "Verlet, T = 10^4", .colour = black, .series = "verlet"},
                         {.title = "Z&S, T = 3500",
                          .colour = purple,
                          .series = "zhang_skeel",
                          .y = "share_lost_by_3500",
                          .dashed = true},
                         {.title = "Z&S, T = 10^4", .colour = purple, .series = "zhang_skeel"},
                         {.title = "Z&Ss, T = 10^4", .colour = orange, .series = "simplified_zhang_skeel"},
                         vertical("used in the paper", grey, 0.2, 0, 1),
                         vertical("", grey, 2, 0, 1)}},
             {.title = "Growth of the modified energy, not lost by 10^4",
              .x = "h",
              .y = "growth",
              .x_label = "h []",
              .y_label = "d ln H/dt []",
              .y_range = {{1e-7, 1e-3}},
              .log_y = true,
              .legend = true,
              .above = 0.999e-7,
              .curves = {{.title = "beta = 0.3", .colour = purple, .series = "zhang_skeel"},
                         {.title = "beta h^2 = 1.2", .colour = blue, .series = "fixed_potential"},
                         {.title = "Verlet", .colour = black, .series = "verlet"}}}}},
           {296,
            {{.title = "Lifetime of Z&S, h = 2",
              .series = "by_beta",
              .x = "beta",
              .x_label = "beta",
              .y_label = "t []",
              .y_range = {{100, 20000}},
              .log_y = true,
              .legend = true,
              .curves = {{.title = "half of the seeds", .colour = purple, .y = "median_lost_at"},
                         {.title = "the first", .colour = purple, .y = "first_lost_at", .dashed = true},
                         {.title = "3500", .colour = grey, .points = {{0.25, 3500}, {0.5, 3500}}, .width = 1.5}}},
             {.title = "Modified energy of Z&S, seed 1",
              .series = "energy_in_time",
              .x = "t",
              .x_label = "t []",
              .y_label = "H over its first value",
              .y_range = {{0.8, 3}},
              .legend = true,
              .curves = {{.title = "h = 1", .colour = sky_blue, .y = "h_1"},
                         {.title = "h = 1.5", .colour = blue, .y = "h_1_5"},
                         {.title = "h = 2", .colour = purple, .y = "h_2"}}}}}},
          mark_resonances};
}

// --- when the strand opens: first crossing of pi by the mean angle, and arrival beyond the plateau, over seeds

std::string finding_of_passages(const ReportData& report) {
  const auto mean = [&](const char* method) { return report.measurement(std::string(method) + ".first_crossing"); };
  const double verlet = mean("verlet"), zs = mean("zhang_skeel"), simplified = mean("simplified_zhang_skeel"),
               mapped = mean("zhang_skeel_h_1_physical_start");
  const std::string of_mapped = "; by Z&S with h = 1 from the x that stands for q(0) at {}";
  if (verlet < zs && zs < simplified)
    return sentence(
        "From x(0) = q(0) the strand opens later by Z&S with h = 2, in the mean at t = {:3}, than by Verlet, "
        "at {}, and still later by Z&Ss, at {:3}" +
            of_mapped,
        {zs, verlet, simplified, mapped});
  return sentence(
      "The strand opens in the mean at t = {} by Verlet, at {:3} by Z&S and at {:3} by Z&Ss, both with h = 2 "
      "from x(0) = q(0)" +
          of_mapped,
      {verlet, zs, simplified, mapped});
}

/// A change to the share of the seeds whose time has come, as a staircase.
Points cumulative(const Points& points, const Series&, const std::string&) {
  Points sorted = points, steps;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (const std::size_t have : {i, i + 1})
      steps.emplace_back(sorted[i].first, static_cast<double>(have) / static_cast<double>(sorted.size()));
  return steps;
}

Panel passages(const char* title, const char* time, std::pair<double, double> range) {
  return {.title = title,
          .series = "passages",
          .x = time,
          .y = "method",
          .x_label = "t []",
          .y_label = "share",
          .x_range = range,
          .y_range = {{0, 1.02}},
          .legend = true,
          .change = cumulative,
          .curves = {{.title = "Verlet, h = 0.1", .colour = grey, .width = 4, .where = {{"method", 0, 1}}},
                     {.title = "Verlet, h = 0.2", .colour = black, .dashed = true, .where = {{"method", 1, 2}}},
                     {.title = "Z&S, h = 2", .colour = purple, .where = {{"method", 2, 3}}},
                     {.title = "Z&Ss, h = 2", .colour = orange, .where = {{"method", 3, 4}}},
                     {.title = "Z&S, h = 1, from the x of q(0)", .colour = blue, .where = {{"method", 4, 5}}}}};
}

Figure dna_statistics() {
  return {"dna_statistics",
          "dna_statistics",
          "when the DNA model of TO14 opens, over seeds",
          finding_of_passages,
          {{330,
            {passages("Share of 200 seeds: mean angle beyond pi", "first_crossing", {70, 150}),
             passages("The same: beyond the plateau (3 pi/2)", "arrival", {120, 260})}}}};
}

}  // namespace

std::vector<Figure> dna_figures() { return {fig08(), dna_stability(), dna_statistics()}; }

}  // namespace livi::plots
