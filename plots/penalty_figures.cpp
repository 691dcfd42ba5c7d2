// SPDX-License-Identifier: MIT
// Penalties in place of constraints: Figures 2 and 11 of TO14, and how stiff a penalty may be.
#include "figure.hpp"

#include <algorithm>
#include <cmath>

namespace livi::plots {
namespace {

// --- Figure 2: omega^2 |g| against omega, in x and in q; the multipliers of the penalised run beside SHAKE's

std::string finding_of_constraints(const ReportData& report) {
  const Series& constraints = report.series("constraints");
  const std::vector<double>&at_q = constraints.column("mean_q"), &at_x = constraints.column("mean_x");
  const double omega = constraints.column("omega").back();
  const auto [low, high] = std::minmax_element(at_q.begin(), at_q.end());
  if (*high < 1.5 * *low && at_x.back() > 2 * *high)
    return sentence(
        "Read at q, the mean of omega^2 |g| stays at {:3} up to omega = {:4}, as |g| = O(omega^{-2}) predicts; "
        "read at the stepped x it grows to {:3}",
        {at_q.back(), omega, at_x.back()});
  return sentence(
      "The mean of omega^2 |g| lies between {} and {} at q up to omega = {:4}, and reaches {} at the stepped x",
      {*low, *high, omega, at_x.back()});
}

Panel multiplier(const std::string& component, bool last) {
  return {.title = "(b) multiplier " + component + " at omega = 20",
          .series = "multipliers",
          .x = "t",
          .y = "*_" + component,
          .x_label = last ? "t []" : "",
          .y_label = "lambda_" + component,
          .legend = last,
          .curves = {{.title = "-omega^2 g(q), no average", .colour = grey, .y = "pointwise", .width = 0.8},
                     {.title = "(8), window 0.2", .colour = blue, .y = "averaged"},
                     {.title = "exact", .colour = vermilion, .y = "exact", .width = 3},
                     {.title = "SHAKE", .colour = black, .y = "shake", .width = 1, .dashed = true}}};
}

Figure fig02() {
  return {"fig02",
          "fig02_constraints_and_multipliers",
          "Figure 2 of TO14: constraints against omega, and multipliers",
          finding_of_constraints,
          {{266,
            {{.title = "(a) omega^2 |g| of Zhang-Skeel, h = 0.01, beta = 0.4",
              .series = "constraints",
              .x = "omega",
              .x_label = "omega",
              .y_label = "omega^2 |g|",
              .y_range = {{0.5, 1000}},
              .log_x = true,
              .log_y = true,
              .legend = true,
              .curves = {{.title = "mean, at q = x + beta h^2 a", .colour = blue, .y = "mean_q"},
                         {.title = "largest, at q", .colour = sky_blue, .y = "max_q", .dashed = true},
                         {.title = "mean, at the stepped x", .colour = vermilion, .y = "mean_x"},
                         {.title = "largest, at x", .colour = orange, .y = "max_x", .dashed = true}}}}},
           {240, {multiplier("1", false)}},
           {240, {multiplier("2", true)}}}};
}

// --- Figure 11, a sketch there and computed here: the manifold, the penalised motion near it, its nearest point, and
// the slow and fast directions; below, the motion in these directions against time

/// How often a sequence changes its sign.
double sign_changes(const std::vector<double>& values) {
  double changes = 0, last = 0;
  for (const double value : values) {
    if (value == 0) continue;
    if (last * value < 0) ++changes;
    last = value;
  }
  return changes;
}

std::string finding_of_geometry(const ReportData& report) {
  const std::vector<double>& along = report.series("motion").column("along");
  std::vector<double> ways;
  for (std::size_t i = 1; i < along.size(); ++i) ways.push_back(along[i] - along[i - 1]);
  const double crossings = sign_changes(report.series("motion").column("normal")), turns = sign_changes(ways);
  const auto count = [](double value) { return std::to_string(static_cast<int>(value)); };
  const std::string crosses =
      "The penalised motion of unit mass crosses the manifold " + count(crossings) + " times and ";
  if (turns == 0 && crossings > 10) return crosses + "never turns along it: y is fast, x is slow";
  return crosses + "turns " + count(turns) + " times along it";
}

constexpr double height_of_geometry = 270;

/// A unit is as long across as it is high.
void set_ranges(Panel& panel, double left, double right, double low) {
  panel.x_range = {{left, right}};
  panel.y_range = {{low, low + height_of_geometry * (right - left) / Drawing::axes_width(2)}};
}

void set_ranges_of_geometry(const ReportData&, std::vector<Row>& rows) {
  std::vector<Panel>& panels = rows[0].panels;
  set_ranges(panels[0], -0.15, 2.35, -0.15);
  const auto [x, y] = panels[1].curves.back().points.front();
  set_ranges(panels[1], x - 0.22, x + 0.22, y - 0.18);
}

Figure fig11() {
  const auto geometry = [](const char* title, bool legend) {
    return Panel{
        .title = title,
        .x = "x",
        .y = "y",
        .x_label = "q_1 []",
        .y_label = "q_2 []",
        .legend = legend,
        .width = 2.5,
        .curves = {{.title = "manifold g = 0", .colour = black, .series = "manifold", .width = 2},
                   {.title = "q^{omega}", .colour = vermilion, .series = "motion", .width = 1.5},
                   {.title = "x, slow", .colour = blue, .series = "frame", .x = "tangent_x", .y = "tangent_y"},
                   {.title = "y, fast", .colour = green, .series = "frame", .x = "normal_x", .y = "normal_y"}}};
  };
  const auto against_time = [](const char* title, const std::string& column, Colour colour) {
    return Row{140,
               {{.title = title,
                 .series = "motion",
                 .x = "t",
                 .y = column,
                 .x_label = "t []",
                 .y_label = column + " []",
                 .tight = true,
                 .curves = {{.colour = colour, .width = 1.2}}}}};
  };
  Panel close = geometry("The frame at q_0; purple: from q_0 to q^{omega}", false);
  close.curves.push_back({.title = "q_0 to q^{omega}", .colour = purple, .series = "moment", .width = 5});
  return {"fig11",
          "appendix_geometry",
          "Figure 11 of TO14: the geometry of penalised motion, from a computed one",
          finding_of_geometry,
          {{height_of_geometry, {geometry("Penalised motion near the manifold", true), std::move(close)}},
           against_time("Slow: the way of q_0 along the manifold", "along", blue),
           against_time("Fast: the distance of q^{omega} from q_0, with its sign", "normal", green)},
          set_ranges_of_geometry};
}

// --- how stiff the double pendulum may be: first lost omega against h, lifetime of Z&S against beta, and the potential
// on which Z&S is Verlet

std::string finding_of_thresholds(const ReportData& report) {
  const auto exponent = [&](const char* method) {
    return report.measurement("largest_step_exponent." + std::string(method));
  };
  const double newmark = exponent("newmark");
  return sentence(
             "The largest step of Z&S from x(0) = eta(q(0)) falls as omega^{{}}, that of Verlet as omega^{{}}; that of "
             "Newmark, solved, with beta = 0.4, ",
             {exponent("zhang_skeel_mapped"), exponent("verlet")}) +
         (std::abs(newmark) < 0.05 ? "does not fall" : sentence("goes as omega^{{}}", {newmark}));
}

Figure stability_thresholds() {
  return {"stability_thresholds",
          "stability_thresholds",
          "stability of the stiff double pendulum of TO14",
          finding_of_thresholds,
          {{276,
            {{.title = "First lost omega of the double pendulum to T = 50 (Newmark with beta = 0.4: none up to 10^4)",
              .series = "omega_c",
              .x = "h",
              .x_label = "h",
              .y_label = "omega",
              .log_x = true,
              .log_y = true,
              .legend = true,
              .curves = {{.title = "Newmark, beta = 1/4", .colour = green, .y = "newmark_quarter"},
                         {.title = "implicit midpoint", .colour = sky_blue, .y = "midpoint", .dashed = true},
                         {.title = "simplified Zhang-Skeel: wrong by then", .colour = grey, .y = "simplified"},
                         {.title = "Zhang-Skeel from x(0) = q(0)", .colour = purple, .y = "zhang_skeel"},
                         {.title = "Zhang-Skeel from x(0) = eta(q(0))", .colour = vermilion, .y = "zhang_skeel_mapped"},
                         {.title = "Verlet, 0.468/h", .colour = black, .y = "verlet", .dashed = true}}}}},
           {240,
            {{.title = "Time at which Zhang-Skeel is lost, h = 0.1, omega = 20 (500: not lost)",
              .series = "beta_scan",
              .x = "beta",
              .x_label = "beta",
              .y_label = "t []",
              .y_range = {{0.5, 800}},
              .log_y = true,
              .legend = true,
              .curves = {{.title = "from x(0) = eta(q(0))", .colour = vermilion, .y = "lost_at_mapped", .width = 1.2},
                         {.title = "from x(0) = q(0)", .colour = purple, .y = "lost_at", .width = 1.6},
                         {.title = "rotation number 1/3 without load",
                          .colour = grey,
                          .points = {{1.0 / 3, 0.5}, {1.0 / 3, 800}},
                          .width = 1.5,
                          .dashed = true},
                         {.title = "1/4", .colour = grey, .points = {{0.5, 0.5}, {0.5, 800}}, .width = 0.8}}}}},
           {260,
            {{.title = "The potential U of Zhang-Skeel along one rod, beta h^2 = 0.004",
              .series = "modified_potential",
              .x = "stretch",
              .x_label = "stretch of the rod []",
              .y_label = "U []",
              .y_range = {{-0.4, 0.8}},
              .legend = true,
              .curves = {
                  {.title = "omega = 10", .colour = sky_blue, .y = "omega_10"},
                  {.title = "omega = 20", .colour = blue, .y = "omega_20"},
                  {.title = "omega = 40", .colour = orange, .y = "omega_40"},
                  {.title = "omega = 80", .colour = vermilion, .y = "omega_80"},
                  {.title = "Newmark, omega to infinity", .colour = black, .y = "newmark_limit", .dashed = true}}}}}}};
}

// --- push-forward Newmark near a stable equilibrium: growth against h omega for several beta

std::string finding_of_resonances(const ReportData& report) {
  const double low = report.measurement("resonances.lowest_rotation_number"),
               high = report.measurement("resonances.highest_rotation_number");
  return sentence(
      low > 0.32 && high < 0.345
          ? "Push-forward Newmark grows only where it makes {:3} to {:3} of a turn a step: at the third-order "
            "resonance, which there is for beta < 1/3 only"
          : "The runs of push-forward Newmark that grow make {:3} to {:3} of a turn a step",
      {low, high});
}

Figure nonlinear_stability() {
  return {"nonlinear_stability",
          "nonlinear_stability",
          "push-forward Newmark near a stable equilibrium",
          finding_of_resonances,
          {{300,
            {{.title = "Largest |q| over its start, 2000 steps of push-forward Newmark from q = 0.05",
              .series = "confinement",
              .x = "h_omega",
              .x_label = "h omega",
              .y_label = "growth",
              .x_range = {{0, 12}},
              .y_range = {{0.8, 100}},
              .log_y = true,
              .legend = true,
              .width = 1.6,
              .curves = {{.title = "beta = 1/4", .colour = vermilion, .y = "beta_0.25"},
                         {.title = "beta = 0.3", .colour = orange, .y = "beta_0.3"},
                         {.title = "beta = 1/3", .colour = green, .y = "beta_0.333"},
                         {.title = "beta = 0.4", .colour = sky_blue, .y = "beta_0.4"},
                         {.title = "beta = 1/2", .colour = black, .y = "beta_0.5"}}}}}}};
}

// --- steps on the penalised double pendulum against omega: explicit, adaptive, Zhang-Skeel

std::string finding_of_steps(const ReportData& report) {
  return sentence(
      "The largest stable step of Verlet goes as omega^{{}}, the mean step of an adaptive method as omega^{{}}, "
      "the step of Z&S for a given error as omega^{{}}",
      {report.measurement("step_exponent.verlet"), report.measurement("step_exponent.adaptive"),
       report.measurement("step_exponent.zhang_skeel")});
}

Figure stiff_steps() {
  return {"stiff_steps",
          "stiff_steps",
          "steps of Verlet, an adaptive method and Zhang-Skeel against omega",
          finding_of_steps,
          {{306,
            {{.title = "Steps on the penalised double pendulum",
              .series = "steps",
              .x = "omega",
              .x_label = "omega",
              .y_label = "h []",
              .y_range = {{1e-4, 0.2}},
              .log_x = true,
              .log_y = true,
              .legend = true,
              .curves = {{.title = "Zhang-Skeel, error 0.02 to t = 10", .colour = purple, .y = "zhang_skeel_step"},
                         {.title = "Verlet, largest stable", .colour = black, .y = "verlet_limit"},
                         {.title = "Cash-Karp 5(4), tolerance 10^{-5}, mean",
                          .colour = orange,
                          .y = "adaptive_mean_step",
                          .dashed = true}}}}}}};
}

}  // namespace

std::vector<Figure> penalty_figures() {
  return {fig02(), fig11(), stability_thresholds(), nonlinear_stability(), stiff_steps()};
}

}  // namespace livi::plots
