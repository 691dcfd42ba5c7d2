// SPDX-License-Identifier: MIT
// The code of the figures of TO14 on pendula and chains.
#include "figure.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace livi::plots {
namespace {

// --- Figure 1: the motion, and the errors of five methods, in the layout of the paper; and, which the paper does not
// show, their energy errors

double largest_error(const ReportData& report, const char* method) {
  return std::max(largest(report, method, "x2_error"), largest(report, method, "y2_error"));
}

/// The largest distance of two methods' errors from each other, at any time.
double largest_difference(const ReportData& report, const char* one, const char* other) {
  double difference = 0;
  for (const char* column : {"x2_error", "y2_error"}) {
    const std::vector<double>&a = report.series(one).column(column), &b = report.series(other).column(column);
    if (a.size() != b.size()) throw PlotError("fig01: the methods are reported at different times");
    for (std::size_t i = 0; i < a.size(); ++i) difference = std::max(difference, std::abs(a[i] - b[i]));
  }
  return difference;
}

std::string finding_of_errors(const ReportData& report) {
  const double zs = largest_error(report, "zhang_skeel"), solved = largest_error(report, "newmark_converged"),
               shake = largest_error(report, "shake");
  return sentence(largest_difference(report, "zhang_skeel", "newmark_converged") <= 0.25 * solved
                      ? "Z&S errs like the fully solved Newmark method, by at most {:3} against {:3}; SHAKE errs by {}"
                      : "Z&S and the fully solved Newmark method err by at most {:3} against {:3}, SHAKE by {}",
                  {zs, solved, shake});
}

/// One scale for both coordinates of a row, so that their sizes can be compared by eye.
void scale_errors(const ReportData&, std::vector<Row>& rows) {
  for (std::size_t row = 1; row < rows.size(); ++row) {
    double reach = 0;
    for (Panel& panel : rows[row].panels) {
      const double of_panel = largest(panel.curves[0].points);
      panel.title += ": largest error " + number(of_panel);
      reach = std::max(reach, 1.08 * of_panel);
    }
    for (Panel& panel : rows[row].panels)
      if (reach > 0) panel.y_range = {{-reach, reach}};
  }
}

std::string finding_of_energies(const ReportData& report) {
  double others = 0;
  for (const char* method : {"shake", "symplectic_euler", "newmark_converged", "zhang_skeel"})
    others = std::max(others, largest(report, method, "energy_error"));
  const double one_iteration = largest(report, "newmark_one_iteration", "energy_error");
  return sentence(one_iteration > 2 * others
                      ? "Newmark with one iteration from the last position has the largest energy error, {}; the other "
                        "four methods stay within {}"
                      : "The energy error of Newmark with one iteration reaches {}, that of the other four methods at "
                        "most {}",
                  {one_iteration, others});
}

/// A change to the largest |y| of the points up to each one.
Points risen(const Points& points, const Series&, const std::string&) { return running_maximum(points); }

/// The first steps pass through many decades in no time; two decades below the smallest final error show enough of them.
void scale_energies(const ReportData&, std::vector<Row>& rows) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  Panel& overview = rows[0].panels[0];
  for (const Curve& curve : overview.curves) {
    low = std::min(low, curve.points.back().second);
    high = std::max(high, curve.points.back().second);
  }
  overview.y_range = {{std::pow(10, std::floor(std::log10(low)) - 2), std::pow(10, std::ceil(std::log10(high)))}};
  // The curves begin where the errors do.
  overview.x_range = x_range_of(rows[1].panels[0]);
  for (std::size_t row = 1; row < rows.size(); ++row)
    rows[row].panels[0].title += ": largest energy error " + number(largest(rows[row].panels[0].curves[0].points));
}

// --- the running times: printed ratios beside counted arithmetic

constexpr std::array<const char*, 7> timed{
    "benchmark,\\nh = 0.005", "SHAKE", "variational\\nEuler",      "Newmark,\\nsolved",
    "Newmark,\\n1 iteration", "Z&S",   "Newmark, 1,\\ndifferenced"};
constexpr std::size_t row_of_shake = 1;

std::string finding_of_times(const ReportData& report) {
  const Series& series = report.series("ratios");
  if (series.column("printed").size() <= row_of_shake || series.column("printed").size() > timed.size())
    throw PlotError("cpu_times: the series 'ratios' has rows of unknown methods");
  return sentence(
      "With a general solver, as the paper has, counted arithmetic puts {} % of the pairs of methods in the "
      "printed order; with its own solver SHAKE takes {} times the work of Z&S, printed {}",
      {100 * report.measurement("running_time.share_of_pairs_in_order.general"), series.column("counted")[row_of_shake],
       series.column("printed")[row_of_shake]});
}

/// Bars from the bottom of the scale, each `aside` of the number of its row: one line to and fro, dense enough to fill
/// them.
Points bars(const std::vector<double>& tops, double aside, double bottom) {
  Points points;
  constexpr int strokes = 60;
  for (std::size_t row = 0; row < tops.size(); ++row) {
    const double centre = static_cast<double>(row) + aside;
    points.emplace_back(centre - 0.18, bottom);
    for (int k = 0; k <= strokes; ++k) {
      const double x = centre - 0.18 + 0.36 * k / strokes;
      points.emplace_back(x, k % 2 == 0 ? bottom : tops[row]);
      points.emplace_back(x, k % 2 == 0 ? tops[row] : bottom);
    }
    points.emplace_back(centre + 0.18, bottom);
  }
  return points;
}

void add_bars(const ReportData& report, std::vector<Row>& rows) {
  Panel& panel = rows[0].panels[0];
  const auto &printed = report.series("ratios").column("printed"), &counted = report.series("ratios").column("counted");
  const double bottom = panel.y_range->first;
  panel.x_range = {{-0.6, static_cast<double>(printed.size()) - 0.4}};
  panel.curves = {{.title = "printed: seconds", .colour = grey, .points = bars(printed, -0.2, bottom), .width = 1.5},
                  {.title = "counted: operations", .colour = blue, .points = bars(counted, 0.2, bottom), .width = 1.5}};
  for (std::size_t row = 0; row < printed.size(); ++row) {
    std::string name = timed[row];
    name += (name.find("\\n") == std::string::npos ? "\\n\\n" : "\\n") + number(printed[row], 3) + " | " +
            number(counted[row], 3);
    panel.x_names.emplace_back(static_cast<double>(row), name);
  }
}

// --- regular and chaotic motion: Poincare sections, growth of a tangent vector, a family of starts

std::string finding_of_chaos(const ReportData& report) {
  double printed = 0;
  for (const std::string method :
       {"row1_benchmark", "row2_shake", "row3_variational_euler", "row4_newmark", "row6_zhang_skeel"})
    printed = std::max(printed, report.measurement("printed." + method + ".exponent"));
  const double high = report.measurement("high.constrained.exponent");
  return sentence(
      "The start of Figure 1" + std::string(printed < 0.005 && high > 0.1 ? " is regular" : "") +
          ": Lyapunov exponents of the five symplectic runs from it are at most {}, that of the exact motion "
          "from (2, 2) is {}",
      {printed, high});
}

// --- counted arithmetic against error

/// The arithmetic of Z&S over that of push-forward Newmark at this error, as its measurement names it.
double over_pushforward(const ReportData& report, const std::string& error) {
  const std::string of = ".operations_for_error=" + error;
  return report.measurement("zhang_skeel" + of) / report.measurement("pushforward_newmark" + of);
}

std::string finding_of_pendulum_work(const ReportData& report) {
  return sentence(
      "At errors of 10^{-2} and 10^{-4} against the exact penalised motion Z&S takes {} and {} times the "
      "arithmetic of push-forward Newmark, if that is solved to rounding",
      {over_pushforward(report, "0.01"), over_pushforward(report, "0.0001")});
}

// --- energy over long times: linearised SHAKE, and symmetric methods on an orbit without reversal symmetry

std::string finding_of_long_time(const ReportData& report) {
  const auto change = [&](const char* series) {
    const std::vector<double>& energy = report.series(series).column("energy_error");
    return energy.back() - energy.front();
  };
  return sentence(
      "The mean energy changes by {} with one iteration of SHAKE from multiplier zero and by {} from the last "
      "one; on the rotor by {} with Z&Ss and by {} with Z&S",
      {change("shake_one_iteration"), change("shake_one_iteration_guessed"), change("rotor_simplified_zhang_skeel"),
       change("rotor_zhang_skeel")});
}

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

// --- how stiff the double pendulum may be: first lost omega against h, lifetime of Z&S against beta, and the potential
// on which Z&S is Verlet

std::string finding_of_thresholds(const ReportData& report) {
  const std::string exponent = "largest_step_exponent.";
  const double newmark = report.measurement(exponent + "newmark");
  return sentence(
             "The largest step of Z&S from x(0) = eta(q(0)) falls as omega^{{}}, that of Verlet as omega^{{}}; that of "
             "Newmark, solved, with beta = 0.4, ",
             {report.measurement(exponent + "zhang_skeel_mapped"), report.measurement(exponent + "verlet")}) +
         (std::abs(newmark) < 0.05 ? "does not fall" : sentence("goes as omega^{{}}", {newmark}));
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

// --- Figure 3, ten pendula: the paths of two masses by SHAKE with two steps and by Z&S; and, which the paper does not
// show, their errors, over the figure's time and over ten times as long

std::string finding_of_chain_paths(const ReportData& report) {
  const double zs = largest(report, "errors", "zhang_skeel"), shake = largest(report, "errors", "shake");
  return sentence(
      "SHAKE and Z&S agree within {} in every coordinate; with the same step Z&S errs by {}, {} times as much "
      "as SHAKE",
      {report.measured("TO14.fig3"), zs, zs / shake});
}

// --- how stiff a chain Z&S can follow: first lost omega against h for ten links, and h^2 omega against the number of
// links, with the reduced map that predicts it

/// The y of a point at this x, or 0.
double at(const Points& points, double x) {
  const auto found = std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.first == x; });
  return found == points.end() ? 0 : found->second;
}

std::string finding_of_chain_thresholds(const ReportData& report) {
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
Points omega(const Points& points, const Series&, const std::string&) {
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

// --- counted arithmetic against error for 10, 100 and 1000 links, and with real springs

std::string finding_of_chain_work(const ReportData& report) {
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

}  // namespace

Special to14_pendula() {
  return {{{"fig01", {finding_of_errors, scale_errors}},
           {"fig01_energy", {finding_of_energies, scale_energies}},
           {"cpu_times", {finding_of_times, add_bars}},
           {"double_pendulum_chaos", {finding_of_chaos}},
           {"work_precision", {finding_of_pendulum_work}},
           {"long_time", {finding_of_long_time}},
           {"fig02", {finding_of_constraints}},
           {"fig11", {finding_of_geometry, set_ranges_of_geometry}},
           {"stability_thresholds", {finding_of_thresholds}},
           {"nonlinear_stability", {finding_of_resonances}},
           {"fig03", {finding_of_chain_paths}},
           {"chain_thresholds", {finding_of_chain_thresholds, complete_thresholds}},
           {"chain_work_precision", {finding_of_chain_work}}},
          {{"risen", risen}, {"omega", omega}}};
}

}  // namespace livi::plots
