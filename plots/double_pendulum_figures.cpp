// SPDX-License-Identifier: MIT
// The double pendulum of TO14 4.1: Figure 1 and its energies, running times, chaos, work and precision, long times.
#include "figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace livi::plots {
namespace {

// --- Figure 1: the motion, and the errors of five methods, in the layout of the paper; and, which the paper does not
// show, their energy errors

std::vector<Curve> methods_of_figure_1() {
  return {{.title = "SHAKE", .colour = black, .series = "shake"},
          {.title = "variational Euler, penalised", .colour = green, .series = "symplectic_euler", .dashed = true},
          {.title = "Newmark, solved", .colour = blue, .series = "newmark_converged"},
          {.title = "Newmark, one iteration", .colour = vermilion, .series = "newmark_one_iteration", .dashed = true},
          {.title = "Zhang-Skeel", .colour = purple, .series = "zhang_skeel"}};
}

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

Figure fig01() {
  Figure figure{"fig01", "fig01_double_pendulum", "Figure 1 of TO14: errors on the double pendulum", finding_of_errors};
  figure.complete = scale_errors;
  const auto add = [&](const Curve& method, const std::string& name, const std::string& suffix) {
    Row row{122, {}};
    for (const std::string c : {"x", "y"})
      row.panels.push_back({.title = "Row " + std::to_string(figure.rows.size() + 1) + ", " + name + ", " + c + "_2",
                            .series = method.series,
                            .x = "t",
                            .y = c + "2" + suffix,
                            .x_label = figure.rows.size() == 5 ? "t []" : "",
                            .y_label = (suffix.empty() ? "" : "error of ") + c + "_2 []",
                            .tight = true,
                            .curves = {{.colour = method.colour, .width = 1.2}}});
    figure.rows.push_back(std::move(row));
  };
  add({.series = "reference"}, "reference", "");
  for (const Curve& method : methods_of_figure_1()) add(method, method.title, "_error");
  return figure;
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

Figure fig01_energy() {
  Figure figure{"fig01_energy", "fig01_double_pendulum", "Energy errors of the methods of Figure 1 of TO14",
                finding_of_energies};
  figure.complete = scale_energies;
  // A logarithmic axis has no zero.
  figure.rows = {{330,
                  {{.title = "Largest energy error so far",
                    .x = "t",
                    .y = "energy_error",
                    .x_label = "t []",
                    .y_label = "energy error []",
                    .log_y = true,
                    .legend = true,
                    .change = risen,
                    .above = 0,
                    .curves = methods_of_figure_1()}}}};
  for (const Curve& method : methods_of_figure_1())
    figure.rows.push_back({96,
                           {{.title = method.title,
                             .series = method.series,
                             .x = "t",
                             .y = "energy_error",
                             .x_label = figure.rows.size() == 5 ? "t []" : "",
                             .y_label = "error []",
                             .tight = true,
                             .curves = {{.colour = method.colour, .width = 1.2}}}}});
  return figure;
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

Figure cpu_times() {
  return {
      "cpu_times",
      "cpu_times",
      "Running times of TO14 4.1: printed ratios and counted arithmetic",
      finding_of_times,
      {{330,
        {{.title = "Work over that of Z&S (the printed times are meant as qualitative); below each method: printed | "
                   "counted",
          .y_label = "work / work of Z&S",
          .y_range = {{0.1, 2000.0}},
          .log_y = true,
          .legend = true}}}},
      add_bars};
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

Figure double_pendulum_chaos() {
  const auto section = [](const char* title, const char* series) {
    return Panel{.title = title,
                 .series = series,
                 .x = "phi",
                 .y = "p_phi",
                 .x_label = "phi",
                 .y_label = "momentum of phi",
                 .width = 2.5,
                 .curves = {{.colour = blue, .dots = true}}};
  };
  return {"double_pendulum_chaos",
          "double_pendulum_chaos",
          "Chaos in the double pendulum of TO14 4.1: Poincare sections and Lyapunov exponents",
          finding_of_chaos,
          {{240,
            {section("Section, energy -3 (Figure 1)", "section_low"), section("Section, energy -1.2", "section_middle"),
             section("Section, energy 1.42", "section_high")}},
           {320,
            {{.title = "Size of a tangent vector",
              .x = "t",
              .y = "log_size",
              .x_label = "t [time]",
              .y_label = "natural logarithm",
              .legend = true,
              .width = 1.5,
              .curves = {{.title = "exact, Figure 1", .colour = grey, .series = "constrained_printed"},
                         {.title = "exact, (2, 2)", .colour = black, .series = "constrained_high"},
                         {.title = "exact penalised", .colour = black, .series = "penalised_high", .dashed = true},
                         {.title = "SHAKE", .colour = orange, .series = "row2_shake_high"},
                         {.title = "Newmark, solved", .colour = blue, .series = "row4_newmark_high"},
                         {.title = "Newmark, 1 iteration",
                          .colour = vermilion,
                          .series = "row5_newmark_one_iteration_high"}}},
             {.title = "Exponent over T = 400 (off the scale: left)",
              .series = "family",
              .x = "angle",
              .x_label = "both angles of the start at rest",
              .y_label = "exponent [1/time]",
              .x_range = {{0, 3.1}},
              .y_range = {{-0.02, 0.6}},
              .legend = true,
              .width = 1.5,
              .curves = {{.title = "exact", .colour = black, .y = "constrained"},
                         {.title = "exact penalised", .colour = black, .y = "penalised", .dashed = true},
                         {.title = "SHAKE", .colour = orange, .y = "shake"},
                         {.title = "Newmark, solved", .colour = blue, .y = "newmark"},
                         {.title = "Newmark, 1 iteration", .colour = vermilion, .y = "newmark_one_iteration"},
                         {.title = "Z&S", .colour = purple, .y = "zhang_skeel"}}}}}}};
}

// --- counted arithmetic against error

/// The arithmetic of Z&S over that of push-forward Newmark at this error, as its measurement names it.
double over_pushforward(const ReportData& report, const std::string& error) {
  const std::string of = ".operations_for_error=" + error;
  return report.measurement("zhang_skeel" + of) / report.measurement("pushforward_newmark" + of);
}

std::string finding_of_work(const ReportData& report) {
  return sentence(
      "At errors of 10^{-2} and 10^{-4} against the exact penalised motion Z&S takes {} and {} times the "
      "arithmetic of push-forward Newmark, if that is solved to rounding",
      {over_pushforward(report, "0.01"), over_pushforward(report, "0.0001")});
}

Panel work(const char* title, const char* error, double most, double least_error, std::vector<Curve> curves) {
  return {.title = title,
          .x = "operations",
          .y = error,
          .x_label = "arithmetic operations to T = 10",
          .y_label = "largest position error [length]",
          .x_range = {{6e3, most}},
          .y_range = {{least_error, 2.0}},
          .log_x = true,
          .log_y = true,
          .legend = true,
          .curves = std::move(curves)};
}

Figure work_precision() {
  const std::vector<Curve> penalised{
      {.title = "Verlet", .colour = green, .series = "verlet"},
      {.title = "variational Euler", .colour = green, .series = "symplectic_euler", .dashed = true},
      {.title = "Newmark, solved", .colour = blue, .series = "newmark"},
      {.title = "push-forward Newmark", .colour = blue, .series = "pushforward_newmark", .dashed = true},
      {.title = "Newmark, one iteration", .colour = vermilion, .series = "newmark_one_iteration"},
      {.title = "Z&S", .colour = purple, .series = "zhang_skeel"},
      {.title = "Z&Ss", .colour = purple, .series = "simplified_zhang_skeel", .dashed = true},
      {.title = "implicit midpoint", .colour = sky_blue, .series = "implicit_midpoint"}};
  return {"work_precision",
          "work_precision",
          "Work-precision diagram of all methods on the double pendulum",
          finding_of_work,
          {{300,
            {work("Order 2, to the exact penalised motion", "error_penalised", 4e7, 1e-7, penalised),
             work("Order 4, to the exact penalised motion", "error_penalised", 4e7, 1e-11,
                  {{.title = "Suzuki 4 of Verlet", .colour = orange, .series = "verlet_suzuki_4"},
                   {.title = "Yoshida 4 of Verlet", .colour = orange, .series = "verlet_yoshida_4", .dashed = true},
                   {.title = "Suzuki 4 of Z&S", .colour = purple, .series = "zhang_skeel_suzuki_4"},
                   {.title = "McLachlan 4", .colour = grey, .series = "odeint_mclachlan_4"},
                   {.title = "Runge-Kutta 4", .colour = black, .series = "runge_kutta_4", .dashed = true},
                   {.title = "Verlet, order 2", .colour = green, .series = "verlet"}})}},
           {300,
            {work("Penalties, to the constrained motion", "error_constrained", 1e8, 1e-7, penalised),
             work("Constraints, to the constrained motion", "error_constrained", 1e8, 1e-7,
                  {{.title = "SHAKE", .colour = black, .series = "shake"},
                   {.title = "RATTLE", .colour = black, .series = "rattle", .dashed = true},
                   {.title = "variational Euler, angles", .colour = orange, .series = "angles_variational_euler"},
                   {.title = "Z&S, penalised", .colour = purple, .series = "zhang_skeel"}})}}}};
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

Figure long_time() {
  const auto panel = [](const char* title, std::vector<Curve> curves) {
    return Panel{.title = title,
                 .x = "t",
                 .y = "energy_error",
                 .x_label = "t [time]",
                 .y_label = "mean energy error [energy]",
                 .legend = true,
                 .width = 1.5,
                 .curves = std::move(curves)};
  };
  return {"long_time",
          "long_time",
          "Energy over long times: linearised SHAKE; symmetric methods on a turning rotor",
          finding_of_long_time,
          {{296,
            {panel("SHAKE, double pendulum",
                   {{.title = "converged", .colour = black, .series = "shake_converged"},
                    {.title = "one iteration from zero", .colour = vermilion, .series = "shake_one_iteration"},
                    {.title = "from the last multiplier",
                     .colour = blue,
                     .series = "shake_one_iteration_guessed",
                     .dashed = true}}),
             panel("Turning rotor",
                   {{.title = "Z&Ss", .colour = purple, .series = "rotor_simplified_zhang_skeel", .dashed = true},
                    {.title = "Z&S", .colour = purple, .series = "rotor_zhang_skeel"},
                    {.title = "push-forward Newmark",
                     .colour = blue,
                     .series = "rotor_pushforward_newmark",
                     .dashed = true}})}}}};
}

}  // namespace

std::vector<Figure> double_pendulum_figures() {
  return {fig01(), fig01_energy(), cpu_times(), double_pendulum_chaos(), work_precision(), long_time()};
}

}  // namespace livi::plots
