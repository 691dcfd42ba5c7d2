// SPDX-License-Identifier: MIT
// The code of the figures of BOS09.
#include "figure.hpp"

#include <algorithm>
#include <cmath>

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

// --- errors at T = 5 against the step, Figures 3 and 5

std::string finding_of_order(const ReportData& report) {
  const double order = report.measured("BOS09.fig5");
  return sentence(
      std::string("Errors of NMB, VLV and LIEMID[EA] ") + (std::abs(order - 2) < 0.05 ? "fall as h^2 " : "") +
          "(the power farthest from two is {:4}); at T = 5 VLV errs {} times as much as NMB in Q",
      {order,
       report.measurement("verlet_cayley.finest_error_q") / report.measurement("newmark_cayley.finest_error_q")});
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

/// A small circle around the attractor.
void encircle_attractor(const ReportData&, std::vector<Row>& rows) {
  for (Panel& panel : rows[0].panels) panel.curves.back().points = circle(panel.curves.back().points.front(), 0.05, 90);
}

Points in_1e5(const Points& points, const Series&, const std::string&) {
  Points scaled = points;
  for (auto& [t, y] : scaled) t /= 1e5;
  return scaled;
}

}  // namespace

Special bos09() {
  return {{{"lie_newmark_drift", {finding_of_drift}},
           {"lie_newmark_order", {finding_of_order}},
           {"lie_newmark_path", {finding_of_path, encircle_attractor}}},
          {{"to_first_plane", to_first_plane}, {"to_second_plane", to_second_plane}, {"in_1e5", in_1e5}}};
}

}  // namespace livi::plots
