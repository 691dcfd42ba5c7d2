// SPDX-License-Identifier: MIT
// The magnetised body: Figures 9 and 10 of TO14, and stability over beta and h omega.
#include "figure.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace livi::plots {
namespace {

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

Figure fig09() {
  return {.name = "fig09",
          .experiment = "fig10_magnetised_body",
          .what = "Figure 9 of TO14: snapshots of the magnetised body",
          .finding =
              [](const ReportData& report) {
                return sentence(
                    "The dipoles of Z&S and of the exact motion stay within 15 degrees of each other to t = "
                    "{:3}",
                    {report.measured("TO14.fig9")});
              },
          .complete = add_frames};
}

// --- Figure 10: energy error, distance from SO(3) and deviation from the exact motion, (a) of variational Z&S, with
// the printed formulas beside, (b) of (34) with the same step

std::string finding_of_group(const ReportData& report) {
  return sentence(
      "Z&S leaves SO(3) by at most {} and (34) by {}; from the exact motion they deviate by {} and {} at most",
      {largest(report, "trapezoidal", "group_defect"), largest(report, "cayley_euler", "group_defect"),
       largest(report, "trapezoidal", "deviation"), largest(report, "cayley_euler", "deviation")});
}

Figure fig10() {
  const std::vector<Curve> matrices{
      {.title = "p_{k+1} in the drift, as printed", .colour = grey, .series = "drift_as_printed"},
      {.title = "first order", .colour = sky_blue, .series = "first_order"},
      {.title = "f as printed", .colour = vermilion, .series = "trapezoidal_as_printed", .dashed = true},
      {.title = "variational Z&S, trapezoidal", .colour = black, .series = "trapezoidal"}};
  const std::vector<Curve> group{
      {.title = "(34), h = 0.1", .colour = orange, .series = "cayley_euler"},
      {.title = "its Strang form", .colour = blue, .series = "cayley_strang", .dashed = true}};
  const auto energy = [](const char* title, const std::vector<Curve>& curves) {
    return Panel{.title = title,
                 .x = "t",
                 .y = "energy_error",
                 .y_label = "energy",
                 .x_range = {{0, 50}},
                 .y_range = {{-0.3, 0.3}},
                 .width = 1.3,
                 .curves = curves};
  };
  const auto distance = [](std::pair<double, double> range, const std::vector<Curve>& curves) {
    return Panel{.title = "Distance from SO(3)",
                 .x = "t",
                 .y = "group_defect",
                 .y_label = "|R'R - I|",
                 .x_range = {{0, 50}},
                 .y_range = range,
                 .log_y = true,
                 .width = 1.3,
                 .above = 1e-17,
                 .curves = curves};
  };
  const auto deviation = [](const std::vector<Curve>& curves) {
    return Panel{.title = "Deviation from the exact motion",
                 .x = "t",
                 .y = "deviation",
                 .x_label = "t [time]",
                 .y_label = "|R - R_{ref}|",
                 .x_range = {{0, 50}},
                 .y_range = {{1e-4, 10}},
                 .log_y = true,
                 .legend = true,
                 .width = 1.3,
                 .above = 1e-17,
                 .curves = curves};
  };
  return {"fig10",
          "fig10_magnetised_body",
          "Figure 10 of TO14: energy, group structure and deviation",
          finding_of_group,
          {{250, {energy("(a) Energy error, in R^{3x3}", matrices), energy("(b) Energy error, on SO(3)", group)}},
           {250, {distance({1e-3, 0.2}, matrices), distance({1e-17, 1e-13}, group)}},
           {250, {deviation(matrices), deviation(group)}}}};
}

// --- over beta and h omega: where variational Z&S leaves SO(3), and the growth of a stretch

std::string finding_of_stability(const ReportData& report) {
  const double printed = report.measurement("printed.left_at");
  return sentence(
             "At h = 0.1 no beta from 0.25 to 0.75 keeps the turning body near SO(3) to T = 100 beyond h omega = "
             "{:3}; with the printed beta = 0.4, h omega = 1 it ",
             {report.measurement("map.largest_kept_h_omega")}) +
         (printed >= 100 ? "stays" : sentence("leaves at t = {}", {printed}));
}

Figure magnetised_body_stability() {
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto left = [](const char* title, Colour colour, double from, double below) {
    return Curve{.title = title,
                 .colour = colour,
                 .series = "map",
                 .y = "h_omega",
                 .width = 11,
                 .dots = true,
                 .where = {{"left_at", from, below}}};
  };
  return {
      "magnetised_body_stability",
      "magnetised_body_stability",
      "stability of the magnetised body of TO14 4.5",
      finding_of_stability,
      {{466,
        {{.title = "Variational Zhang-Skeel from the printed start, h = 0.1: near SO(3) to T = 100?",
          .x = "beta",
          .x_label = "beta",
          .y_label = "h omega",
          .x_range = {{0.245, 0.755}},
          .y_range = {{0.45, 3}},
          .legend = true,
          .up_to = 3,
          .curves = {left("leaves before t = 10", grey, -never, 10),
                     left("leaves by t = 100", orange, 10, 100),
                     left("stays", sky_blue, 100, never),
                     {.title = "linear limit, body at rest", .colour = black, .series = "lines", .y = "linear_limit"},
                     {.title = "rotation number 1/3",
                      .colour = vermilion,
                      .series = "lines",
                      .y = "one_third",
                      .dashed = true},
                     {.title = "rotation number 1/4",
                      .colour = purple,
                      .series = "lines",
                      .y = "one_quarter",
                      .dashed = true},
                     {.title = "printed", .colour = black, .points = {{0.4, 1.0}}, .width = 18, .dots = true}}}}},
       {280,
        {{.title = "R = diag(1.05, 1, 1) at rest, no field: largest stretch over its start, 2000 steps",
          .series = "stretch",
          .x = "h_omega",
          .x_label = "h omega",
          .y_label = "growth (10: lost)",
          .x_range = {{0.5, 1.8}},
          .y_range = {{0.9, 12}},
          .log_y = true,
          .legend = true,
          .width = 1.8,
          .curves = {{.title = "beta = 0.3", .colour = orange, .y = "beta_0.3"},
                     {.title = "beta = 0.4", .colour = sky_blue, .y = "beta_0.4"},
                     {.title = "beta = 1/2", .colour = black, .y = "beta_0.5"},
                     {.title = "beta = 0.6", .colour = green, .y = "beta_0.6"},
                     {.title = "printed h omega",
                      .colour = grey,
                      .points = {{1, 0.9}, {1, 12}},
                      .width = 1.5,
                      .dashed = true}}}}}}};
}

}  // namespace

std::vector<Figure> magnetised_body_figures() { return {fig09(), fig10(), magnetised_body_stability()}; }

}  // namespace livi::plots
