// SPDX-License-Identifier: MIT
// Chains: Figure 3 of TO14, stability, work and precision of the chain of pendula; time of a step on long systems.
#include "figure.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace livi::plots {
namespace {

// --- Figure 3, ten pendula: the paths of two masses by SHAKE with two steps and by Z&S; and, which the paper does not
// show, their errors, over the figure's time and over ten times as long

std::string finding_of_paths(const ReportData& report) {
  const double zs = largest(report, "errors", "zhang_skeel"), shake = largest(report, "errors", "shake");
  return sentence(
      "SHAKE and Z&S agree within {} in every coordinate; with the same step Z&S errs by {}, {} times as much "
      "as SHAKE",
      {report.measured("TO14.fig3"), zs, zs / shake});
}

Figure fig03() {
  // Wide first: three curves that agree are seen as three only if the later ones are thinner.
  const std::vector<Curve> methods{{.title = "SHAKE, h = 0.05", .colour = sky_blue, .y = "shake", .width = 5},
                                   {.title = "SHAKE, h = 0.025", .colour = black, .y = "shake_half_step", .width = 2},
                                   {.title = "Zhang-Skeel, h = 0.05, omega = 20",
                                    .colour = vermilion,
                                    .y = "zhang_skeel",
                                    .width = 2,
                                    .dashed = true}};
  const auto path = [&](const std::string& label, const std::string& coordinate) {
    return Panel{.title = label + " by the three methods, colours as below",
                 .series = "paths",
                 .x = "t",
                 .y = "*." + coordinate,
                 .x_label = "t []",
                 .y_label = label + " []",
                 .curves = methods};
  };
  const auto errors = [&](const char* title, const char* series) {
    return Panel{.title = title,
                 .series = series,
                 .x = "t",
                 .x_label = "t []",
                 .y_label = "largest error so far []",
                 .y_range = {{1e-6, 1}},
                 .log_y = true,
                 .legend = true,
                 .change = risen,
                 .above = 0,
                 .curves = with(methods, &Curve::width, 0.0)};
  };
  return {"fig03",
          "fig03_chain",
          "Figure 3 of TO14: the chain of ten pendula, with errors",
          finding_of_paths,
          {{226, {path("x_{10}", "x10"), path("y_{10}", "y10")}},
           {226, {path("x_5", "x5"), path("y_5", "y5")}},
           {300,
            {errors("Error, to a reference good to 10^{-15}", "errors"),
             errors("The same, ten times as long", "long_time")}}}};
}

// --- how stiff a chain Z&S can follow: first lost omega against h for ten links, and h^2 omega against the number of
// links, with the reduced map that predicts it

/// The y of a point at this x, or 0.
double at(const Points& points, double x) {
  const auto found = std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.first == x; });
  return found == points.end() ? 0 : found->second;
}

std::string finding_of_thresholds(const ReportData& report) {
  const Series& series = report.series("thresholds");
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const char* start : {"position", "mapped"})
    for (const auto& [links, value] : series.points("n", start)) {
      if (links != 10) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  return sentence(
      "On ten links Z&S is first lost at h^2 omega from {} to {}, by step and start, Verlet at h omega = {}",
      {low, high, at(report.series("verlet").points("n", "measured"), 10)});
}

/// A change from h^2 omega to omega.
Points omega_of(const Points& points, const Series&, const std::string&) {
  Points changed = points;
  for (auto& [h, omega] : changed) omega /= h * h;
  return changed;
}

/// The curves that are derived from others: Verlet's, and that of the load.
void complete_thresholds(const ReportData& report, std::vector<Row>& rows) {
  const double limit = at(report.series("verlet").points("n", "measured"), 10);
  Curve& verlet = rows[0].panels[0].curves[2];
  for (auto& [h, omega] : verlet.points) omega = limit / h;
  // With f fixed at its value for ten links, h^2 omega goes as the load to the power -1/2.
  std::vector<Curve>& curves = rows[1].panels[0].curves;
  const double at_ten = at(curves[0].points, 10), of_ten = at(report.series("loads").points("n", "load"), 10);
  Points by_load;
  for (const auto& [links, load] : report.series("loads").points("n", "load"))
    if (links >= 10) by_load.emplace_back(links, at_ten * std::sqrt(of_ten / load));
  curves.push_back({.title = "largest centrifugal force to the power -1/2, through n = 10",
                    .points = by_load,
                    .width = 2,
                    .dashed = true});
}

Figure chain_thresholds() {
  const Where ten_links{"n", 10, 11}, step{"h", 0.025, 0.0251};
  return {
      "chain_thresholds",
      "chain_thresholds",
      "stability of the chain of pendula of TO14",
      finding_of_thresholds,
      {{296,
        {{.title = "First lost omega of the chain of ten links to T = 50, beta = 0.4",
          .series = "thresholds",
          .x = "h",
          .x_label = "h",
          .y_label = "omega",
          .log_x = true,
          .log_y = true,
          .legend = true,
          .change = omega_of,
          .curves =
              {{.title = "Zhang-Skeel from x(0) = q(0)", .colour = purple, .y = "position", .where = ten_links},
               {.title = "Zhang-Skeel from x(0) = eta(q(0))", .colour = vermilion, .y = "mapped", .where = ten_links},
               {.title = "Verlet", .colour = black, .y = "position", .dashed = true, .where = ten_links},
               {.title = "as printed in TO14",
                .colour = green,
                .points = {{0.05, 20}, {0.05, 20.0001}},
                .width = 12,
                .dots = true}}}}},
       {280,
        {{.title = "First lost h^2 omega against the number of links, h = 0.025",
          .series = "thresholds",
          .x = "n",
          .x_label = "n",
          .y_label = "h^2 omega",
          .y_range = {{0, 0.5}},
          .log_x = true,
          .legend = true,
          .curves = {{.title = "from x(0) = q(0)", .colour = purple, .y = "position", .where = step},
                     {.title = "from x(0) = eta(q(0))", .colour = vermilion, .y = "mapped", .where = step},
                     {.title = "from eta(q(0)) by the reduced map, without load",
                      .colour = grey,
                      .series = "loads",
                      .y = "reduced_map",
                      .dashed = true}}}}}},
      complete_thresholds};
}

// --- counted arithmetic against error for 10, 100 and 1000 links, and with real springs

std::string finding_of_work(const ReportData& report) {
  const auto over_shake = [&](const std::string& links) {
    const std::string of = ".operations.n=" + links + ".error=1e-3";
    return report.measurement("zhang_skeel" + of) / report.measurement("shake" + of);
  };
  return sentence(
      "For an error of 10^{-3} Z&S takes {}, {} and {} times the arithmetic of SHAKE on 10, 100 and 1000 "
      "links, but on stiff real springs {} of Verlet's",
      {over_shake("10"), over_shake("100"), over_shake("1000"),
       report.measured("TO14.s4.2.work-precision.real-springs-zs-cheaper-than-verlet")});
}

Panel work(const std::string& title, const std::string& series, std::pair<double, double> x_range,
           std::vector<Curve> curves) {
  return {.title = title,
          .series = series,
          .x = "operations",
          .y = "error",
          .x_label = "arithmetic operations to t = 5",
          .y_label = "error of the position at t = 5 [length]",
          .x_range = x_range,
          .y_range = {{1e-9, 1.0}},
          .log_x = true,
          .log_y = true,
          .legend = true,
          .curves = std::move(curves)};
}

Figure chain_work_precision() {
  // RATTLE has the positions of SHAKE and takes more arithmetic: it would be a ninth curve.
  const std::vector<Curve> all{
      {.title = "SHAKE", .colour = black, .series = "shake"},
      {.title = "Z&S, omega = 20", .colour = orange, .series = "zhang_skeel_20", .dashed = true},
      {.title = "Z&S, omega = 200", .colour = orange, .series = "zhang_skeel_200"},
      {.title = "Z&S, omega = 2000", .colour = vermilion, .series = "zhang_skeel_2000"},
      {.title = "Z&S, omega = 20000", .colour = purple, .series = "zhang_skeel_20000"},
      {.title = "angles, order 4", .colour = sky_blue, .series = "runge_kutta_4"},
      {.title = "angles, order 5", .colour = blue, .series = "dormand_prince_5"},
      {.title = "angles, order 8", .colour = green, .series = "fehlberg_8"}};
  std::vector<Curve> of_thousand = all;
  of_thousand.erase(of_thousand.begin() + 1);
  return {"chain_work_precision",
          "chain_work_precision",
          "Work-precision diagrams of the chain: multipliers, penalties, angles",
          finding_of_work,
          {{320, {work("10 links", "n10_*", {1e4, 1e7}, all), work("100 links", "n100_*", {1e5, 1e8}, all)}},
           {320,
            {work("1000 links", "n1000_*", {1e6, 1e9}, of_thousand),
             work("100 real springs, omega = 200, error to their motion", "elastic_*", {1e5, 3e8},
                  {{.title = "SHAKE", .colour = black, .series = "shake"},
                   {.title = "Verlet", .colour = green, .series = "verlet"},
                   {.title = "Z&S, beta = 1/4", .colour = purple, .series = "zhang_skeel"}})}}}};
}

// --- time of a step per unknown against the number of unknowns, beside the bandwidth of the memory. Drawn from
// timings: it differs between two runs.

/// n against nanoseconds.
Points per_unknown(const std::map<std::string, double>& timing, const std::string& system) {
  const std::string prefix = system + ".per_unknown.n=";
  Points points;
  for (const auto& [name, seconds] : timing) {
    if (!name.starts_with(prefix)) continue;
    double n = 0;
    const auto [end, error] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), n);
    if (error != std::errc() || end != name.data() + name.size() || !(n > 0))
      throw PlotError("timing '" + name + "': has no size");
    points.emplace_back(n, 1e9 * seconds);
  }
  if (points.empty()) throw PlotError("timing: has no '" + prefix + "*'");
  std::sort(points.begin(), points.end());
  return points;
}

std::string finding_of_times(const ReportData& report) {
  const bool linear = std::abs(report.measurement("chain.zhang_skeel.slope_of_operations") - 1) < 0.01 &&
                      std::abs(report.measurement("dna.zhang_skeel.slope_of_operations") - 1) < 0.01;
  const Points chain = per_unknown(report.timing(), "chain.zhang_skeel");
  const auto [least, most] =
      std::minmax_element(chain.begin(), chain.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return sentence("A step of Z&S takes {} operations an unknown on the chain and {} on DNA" +
                      std::string(linear ? ", however long" : "") + "; on the chain {} to {} ns an unknown",
                  {report.measurement("chain.zhang_skeel.operations_per_unknown"),
                   report.measurement("dna.zhang_skeel.operations_per_unknown"), least->second, most->second});
}

/// The times of each curve's system, and what the memory needs to move its bytes.
void add_times(const ReportData& report, std::vector<Row>& rows) {
  const auto timing = report.timing();
  double highest = 0, smallest = 0, largest_n = 0;
  Panel& panel = rows[0].panels[0];
  const auto add = [&](const std::string& system, const char* title, Colour colour) {
    const Points points = per_unknown(timing, system);
    for (const auto& [n, ns] : points) highest = std::max(highest, ns);
    smallest = points.front().first;
    largest_n = points.back().first;
    panel.curves.push_back({.title = title, .colour = colour, .points = points, .width = 2});
    panel.curves.push_back({.colour = colour, .points = points, .width = 7, .dots = true});
    const auto moved = timing.find(system + ".per_unknown.at_the_bandwidth_of_the_triad");
    if (moved == timing.end()) return;
    const double ns = 1e9 * moved->second;
    panel.curves.push_back({.colour = colour, .points = {{smallest, ns}, {largest_n, ns}}, .width = 1, .dashed = true});
  };
  add("chain.zhang_skeel", "chain, Zhang-Skeel", blue);
  add("chain.simplified_zhang_skeel", "chain, simplified Zhang-Skeel", sky_blue);
  add("chain.hand_written", "chain, Zhang-Skeel by hand", orange);
  add("dna.zhang_skeel", "DNA, Zhang-Skeel", vermilion);
  add("dna.simplified_zhang_skeel", "DNA, simplified Zhang-Skeel", purple);
  add("dna.velocity_verlet", "DNA, velocity Verlet", green);
  panel.x_range = {{smallest / 1.25, largest_n * 1.25}};
  panel.y_range = {{0, 1.05 * highest}};
}

Figure large_systems() {
  return {"large_systems",
          "large_systems",
          "Time of a step per unknown on long chains",
          finding_of_times,
          {{340,
            {{.title = "Time of a step per unknown, one thread (dashed: what the memory needs to move its bytes)",
              .x_label = "n",
              .y_label = "ns",
              .log_x = true,
              .legend = true}}}},
          add_times};
}

}  // namespace

std::vector<Figure> chain_figures() { return {fig03(), chain_work_precision(), chain_thresholds(), large_systems()}; }

}  // namespace livi::plots
