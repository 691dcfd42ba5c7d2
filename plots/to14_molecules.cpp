// SPDX-License-Identifier: MIT
// The code of the figures of TO14 on molecules, heat baths and the magnetised body.
#include "figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

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

std::string finding_of_hundred(const ReportData& report) {
  const double rigid = report.measurement("shake.mean_distance"), zs = report.measurement("stiff_zs.mean_distance"),
               share = report.measurement("shift_of_small_steps_over_shift");
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

Points low_difference(const Points&, const Series& series, const std::string&) { return difference(series, -2); }
Points high_difference(const Points&, const Series& series, const std::string&) { return difference(series, 2); }
Points mean_difference(const Points&, const Series& series, const std::string&) { return difference(series, 0); }

// --- where Integrator 5 is stable: over beta and h, against omega, lifetimes

std::string finding_of_water_stability(const ReportData& report) {
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

std::string finding_of_bias(const ReportData& report) {
  const double deviation = report.measured("TO14.s4.3.gla-symplectic-accurate");
  return "On harmonic motion GLA around Verlet and Z&S has " +
         (deviation < 1e-30 ? "the right temperature" : sentence("a temperature wrong by {}", {deviation})) +
         sentence(" and positions that err as h^{{}}; around RK4 the temperature errs as h^{{}} gamma^{{}}",
                  {report.measurement("verlet.position.power_of_h"), report.measurement("rk4.temperature.power_of_h"),
                   report.measurement("rk4.temperature.power_of_gamma")});
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

// --- how long velocity Verlet and Z&S last, and what makes the energy of Z&S grow

std::string finding_of_dna_stability(const ReportData& report) {
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

// --- Figure 9, a strip of frames: the benchmark above and variational Z&S below. The body is a plate across its
// dipole, seen from the side and a little above.

using Vector = std::array<double, 3>;

/// Parallel projection to the page: the third axis of space points up.
std::pair<double, double> on_page(const Vector& v) {
  constexpr double azimuth = 0.6, elevation = 0.35;
  const double across = -std::sin(azimuth) * v[0] + std::cos(azimuth) * v[1];
  const double depth = std::cos(azimuth) * v[0] + std::sin(azimuth) * v[1];
  return {across, std::cos(elevation) * v[2] - std::sin(elevation) * depth};
}

/// A line from one point to another with a head at its end.
Points arrow(const Vector& from, const Vector& to) {
  const auto a = on_page(from), b = on_page(to);
  const double x = b.first - a.first, y = b.second - a.second;
  const auto barb = [&](double side) {
    return std::pair(b.first - 0.25 * x - side * 0.12 * y, b.second - 0.25 * y + side * 0.12 * x);
  };
  return {a, b, barb(1), b, barb(-1)};
}

/// The body with these axes in space.
Panel frame(const std::string& title, const std::array<Vector, 3>& axes) {
  const auto at = [&](double x, double y) {
    Vector v{};
    for (std::size_t i = 0; i < 3; ++i) v[i] = x * axes[0][i] + y * axes[1][i];
    return on_page(v);
  };
  return {.title = title,
          .x_range = {{-1.3, 1.3}},
          .y_range = {{-1.3, 1.3}},
          .curves = {{.colour = grey,
                      .points = {at(0.7, 0.5), at(-0.7, 0.5), at(-0.7, -0.5), at(0.7, -0.5), at(0.7, 0.5)},
                      .width = 2},
                     {.colour = sky_blue, .points = {at(0, 0), at(0.7, 0)}, .width = 2},
                     {.colour = green, .points = {at(0, 0), at(0, 0.5)}, .width = 2},
                     {.colour = vermilion, .points = arrow({-0.9, -0.9, -0.9}, {-0.9, -0.9, 0.1}), .width = 2.5},
                     {.colour = black, .points = arrow({0, 0, 0}, axes[2]), .width = 2.5}}};
}

void add_frames(const ReportData& report, std::vector<Row>& rows) {
  const Series& series = report.series("snapshots");
  const auto &times = series.column("t"), &methods = series.column("method");
  constexpr double side = 226;  // that of a quarter of the canvas
  // Four times a row, the benchmark above and Z&S below.
  constexpr std::size_t columns = 4;
  std::vector<Panel> above, below;
  for (std::size_t k = 0; k < times.size(); ++k) {
    std::array<Vector, 3> axes{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t i = 0; i < 3; ++i) axes[axis][i] = series.column("xyz"[axis] + std::to_string(i + 1))[k];
    const bool is_below = methods[k] > 0;
    const std::string method = is_below ? "Zhang-Skeel, h = 0.1" : "(34), h = 10^{-4}";
    (is_below ? below : above).push_back(frame(method + ", t = " + std::to_string(static_cast<int>(times[k])), axes));
    if (below.size() < columns && k + 1 < times.size()) continue;
    for (std::vector<Panel>* panels : {&above, &below}) {
      rows.push_back({side, std::move(*panels)});
      panels->clear();
    }
  }
}

// --- Figure 10: energy error, distance from SO(3) and deviation from the exact motion, (a) of variational Z&S, with
// the printed formulas beside, (b) of (34) with the same step

std::string finding_of_group(const ReportData& report) {
  return sentence(
      "Z&S leaves SO(3) by at most {} and (34) by {}; from the exact motion they deviate by {} and {} at most",
      {largest(report, "trapezoidal", "group_defect"), largest(report, "cayley_euler", "group_defect"),
       largest(report, "trapezoidal", "deviation"), largest(report, "cayley_euler", "deviation")});
}

// --- over beta and h omega: where variational Z&S leaves SO(3), and the growth of a stretch

std::string finding_of_body_stability(const ReportData& report) {
  const double printed = report.measurement("printed.left_at");
  return sentence(
             "At h = 0.1 no beta from 0.25 to 0.75 keeps the turning body near SO(3) to T = 100 beyond h omega = "
             "{:3}; with the printed beta = 0.4, h omega = 1 it ",
             {report.measurement("map.largest_kept_h_omega")}) +
         (printed >= 100 ? "stays" : sentence("leaves at t = {}", {printed}));
}

}  // namespace

Special to14_molecules() {
  return {{{"fig04", {finding_of_seven}},
           {"fig06", {finding_of_conservation}},
           {"fig07", {finding_of_hundred}},
           {"water_stability", {finding_of_water_stability}},
           {"water_temperature", {finding_of_temperature}},
           {"geometric_langevin", {finding_of_bias}},
           {"langevin_sampling", {finding_of_sampling}},
           {"fig08", {finding_of_transitions, mark_stable_angles}},
           {"dna_stability", {finding_of_dna_stability, mark_resonances}},
           {"dna_statistics", {finding_of_passages}},
           {"fig09", {nullptr, add_frames}},
           {"fig10", {finding_of_group}},
           {"magnetised_body_stability", {finding_of_body_stability}}},
          {{"low_difference", low_difference},
           {"high_difference", high_difference},
           {"difference", mean_difference},
           {"cumulative", cumulative}}};
}

}  // namespace livi::plots
