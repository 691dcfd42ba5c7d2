// SPDX-License-Identifier: MIT
// Free rigid bodies and bodies in a potential: the figures of BOS09.
#include "figure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace livi::plots {
namespace {

// --- energy errors in the stress test, Figures 1 and 4

std::string finding_of_drift(const ReportData& report) {
  const double nmb = report.measured("BOS09.fig1.nmb"), midpoint = report.measured("BOS09.fig4.drift"),
               vlv = report.measured("BOS09.fig1.vlv");
  if (nmb > 1 && midpoint > 1 && vlv < 0.1)
    return sentence(
        "The energies of NMB and LIEMID[EA] drift, by at least {} and {} times the oscillation of VLV's to T "
        "= 15000; that of VLV does not, its mean moves by {} of it at most",
        {nmb, midpoint, vlv});
  return sentence(
      "To T = 15000 the energies of NMB and LIEMID[EA] change by at least {} and {} times the oscillation of "
      "VLV's, VLV's mean by {} of it at most",
      {nmb, midpoint, vlv});
}

/// The mean between the lowest and the highest.
Panel drift(const char* title, const std::string& method, const char* name, Colour colour, const std::string& step) {
  const auto curves = [](const std::string& series, const char* legend, Colour of) {
    return std::vector<Curve>{{.colour = of, .series = series, .y = "low", .width = 0.7, .dashed = true},
                              {.colour = of, .series = series, .y = "high", .width = 0.7, .dashed = true},
                              {.title = legend, .colour = of, .series = series, .y = "mean"}};
  };
  Panel panel{.title = title,
              .series = "*_h" + step,
              .x = "t",
              .x_label = "t [time]",
              .y_label = "E - E_0 [energy]",
              .x_range = {{0, 15000}},
              .legend = true,
              .width = 2.2,
              .curves = curves(method, name, colour)};
  for (Curve& curve : curves("verlet_cayley", "VLV", blue)) panel.curves.push_back(std::move(curve));
  return panel;
}

Figure lie_newmark_drift() {
  return {"lie_newmark_drift",
          "lie_newmark_drift",
          "Energy error in the stress test of BOS09 (its Figures 1 and 4): NMB, LIEMID[EA], VLV",
          finding_of_drift,
          {{280,
            {drift("NMB and VLV, h = 0.125", "newmark_cayley", "NMB", vermilion, "1250"),
             drift("NMB and VLV, h = 0.25", "newmark_cayley", "NMB", vermilion, "2500")}},
           {280,
            {drift("LIEMID[EA] and VLV, h = 0.125", "midpoint_exponential", "LIEMID[EA]", orange, "1250"),
             drift("LIEMID[EA] and VLV, h = 0.25", "midpoint_exponential", "LIEMID[EA]", orange, "2500")}}}};
}

// --- errors at T = 5 against the step, Figures 3 and 5

std::string finding_of_order(const ReportData& report) {
  const double order = report.measured("BOS09.fig5");
  return sentence(
      std::string("Errors of NMB, VLV and LIEMID[EA] ") + (std::abs(order - 2) < 0.05 ? "fall as h^2 " : "") +
          "(the power farthest from two is {:4}); at T = 5 VLV errs {} times as much as NMB in Q",
      {order,
       report.measurement("verlet_cayley.finest_error_q") / report.measurement("newmark_cayley.finest_error_q")});
}

Panel errors(const char* title, const char* column, const char* label) {
  return {.title = title,
          .x = "h",
          .y = column,
          .x_label = "h",
          .y_label = label,
          .log_x = true,
          .log_y = true,
          .legend = true,
          .width = 1.5,
          .curves = {{.title = "NMB", .colour = vermilion, .series = "newmark_cayley"},
                     {.title = "NMB, exp", .colour = vermilion, .series = "newmark_exponential", .dashed = true},
                     {.title = "VLV", .colour = blue, .series = "verlet_cayley"},
                     {.title = "VLV, exp", .colour = blue, .series = "verlet_exponential", .dashed = true},
                     {.title = "LIEMID[EA]", .colour = orange, .series = "midpoint_exponential"},
                     {.title = "slope 2", .colour = grey, .series = "slope_two", .dashed = true}}};
}

Figure lie_newmark_order() {
  return {"lie_newmark_order",
          "lie_newmark_order",
          "Error at T = 5 against the step (BOS09, Figures 3 and 5): NMB, VLV, LIEMID[EA]",
          finding_of_order,
          {{316,
            {errors("Configuration", "error_q", "dist(Q, reference)"),
             errors("Body angular velocity", "error_w", "|W - reference| [1/time]")}}}};
}

// --- the path in the axis-angle ball, Figure 2; and energy over a hundred times the paper's interval

std::string finding_of_path(const ReportData& report) {
  const Series& path = report.series("path");
  const auto &x = path.column("x"), &y = path.column("y"), &z = path.column("z");
  double turned = 0;
  for (std::size_t k = 0; k < x.size(); ++k) turned = std::max(turned, std::hypot(x[k], y[k], z[k]));
  return sentence(
      "The path of NMB drawn stays within {} rad of the identity; within six million steps its mean energy "
      "error reaches {}, that of LIEMID[EA] {} and that of VLV {}",
      {turned, largest(report, "newmark", "mean"), largest(report, "midpoint", "mean"),
       largest(report, "verlet", "mean")});
}

/// Changes to the projections to the two planes: along the axis of Q_m, and across.
Points along_and(const Series& series, double (*across)(double x, double y, double z)) {
  const auto &x = series.column("x"), &y = series.column("y"), &z = series.column("z");
  Points points;
  for (std::size_t k = 0; k < x.size(); ++k)
    points.emplace_back((x[k] + z[k]) / std::sqrt(2.0), across(x[k], y[k], z[k]));
  return points;
}
Points to_first_plane(const Points&, const Series& series, const std::string&) {
  return along_and(series, [](double, double y, double) { return y; });
}
Points to_second_plane(const Points&, const Series& series, const std::string&) {
  return along_and(series, [](double x, double, double z) { return (x - z) / std::sqrt(2.0); });
}

Panel plane(const std::string& plane, const char* title, const char* y_label, Change projected) {
  const std::string level = "level_plane" + plane + "_u";
  return {.title = title,
          .x = "along",
          .y = "across",
          .x_label = "along the axis of Q_m [rad]",
          .y_label = y_label,
          .x_range = {{-3.2, 3.2}},
          .y_range = {{-3.2, 3.2}},
          .legend = true,
          .width = 1.5,
          .curves = {
              {.title = "NMB",
               .colour = vermilion,
               .series = "path",
               .x = "x",
               .y = "y",
               .width = 0.6,
               .change = projected},
              {.title = "U = 0.1", .colour = black, .series = level + "10_outer"},
              {.colour = black, .series = level + "10_inner"},
              {.title = "U = 0.67", .colour = blue, .series = level + "67_outer"},
              {.colour = blue, .series = level + "67_inner"},
              {.title = "U = 1.4", .colour = sky_blue, .series = level + "140_outer"},
              {.title = "half turns", .colour = grey, .points = circle({0, 0}, std::numbers::pi, 90), .dashed = true},
              {.title = "Q_m",
               .colour = orange,
               .series = "attractor",
               .x = "x",
               .y = "y",
               .width = 5,
               .change = projected}}};
}

/// A small circle around the attractor.
void encircle_attractor(const ReportData&, std::vector<Row>& rows) {
  for (Panel& panel : rows[0].panels) panel.curves.back().points = circle(panel.curves.back().points.front(), 0.05, 90);
}

Points in_1e5(const Points& points, const Series&, const std::string&) {
  Points scaled = points;
  for (auto& [t, y] : scaled) t /= 1e5;
  return scaled;
}

Figure lie_newmark_path() {
  return {"lie_newmark_path",
          "lie_newmark_long",
          "Path of NMB in the axis-angle ball (BOS09, Figure 2), and energy errors of NMB, LIEMID[EA] and VLV to T = "
          "1.5e6",
          finding_of_path,
          {{Drawing::axes_width(2),
            {plane("1", "Plane of the axis of Q_m and the second axis", "second axis [rad]", to_first_plane),
             plane("2", "Plane of the first and third axis", "(1, 0, -1)/2^{1/2} [rad]", to_second_plane)}},
           {220,
            {{.title = "Six million steps, h = 0.25; NMB until it rises above the pass to Q_m",
              .x = "t",
              .y = "mean",
              .x_label = "t [10^5 time]",
              .y_label = "mean E - E_0 [energy]",
              .x_range = {{0, 15}},
              .legend = true,
              .width = 1.5,
              .change = in_1e5,
              .curves = {{.title = "NMB", .colour = vermilion, .series = "newmark"},
                         {.title = "NMB, -W_0", .colour = vermilion, .series = "newmark_mirrored", .dashed = true},
                         {.title = "LIEMID[EA]", .colour = green, .series = "midpoint"},
                         {.title = "VLV", .colour = blue, .series = "verlet"}}}}}},
          encircle_attractor};
}

}  // namespace

std::vector<Figure> rigid_body_figures() { return {lie_newmark_drift(), lie_newmark_order(), lie_newmark_path()}; }

}  // namespace livi::plots
