// SPDX-License-Identifier: MIT
// The code of the figures of BO07.
#include "figure.hpp"

#include <algorithm>
#include <cmath>

namespace livi::plots {
namespace {

// --- the energy that noise brings, and the steps that methods of higher order need for it, Section 1

std::string finding_of_growth(const ReportData& report) {
  const double rattle = report.measured("BO07.energy.sphere"),
               euler = report.measurement("growth.triple.h=0.05.projected_euler"), exact = 0.9;
  return sentence(std::string(rattle < 0.1 ? "RATTLE has the energy of the noise to {} % at steps up to 0.2"
                                           : "RATTLE misses the energy of the noise by {} %") +
                      "; projected Euler-Maruyama brings {} % of it with steps of 0.05",
                  {100 * rattle, 100 * euler / exact});
}

/// A change to the difference from the exact values.
Points less_the_exact(const Points& points, const Series& series, const std::string&) {
  Points less = points;
  for (std::size_t k = 0; k < points.size(); ++k) less[k].second -= series.column("exact")[k];
  return less;
}

// --- one path of the noise on the sphere, by RATTLE and by a method that is not variational, Section 1

/// The largest distance of two paths at equal times.
double apart(const Series& a, const Series& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.column("t").size(); ++k)
    largest = std::max(largest, std::hypot(a.column("x")[k] - b.column("x")[k], a.column("y")[k] - b.column("y")[k],
                                           a.column("z")[k] - b.column("z")[k]));
  return largest;
}

std::string finding_of_paths(const ReportData& report) {
  const Series &fine = report.series("path_fine"), &rattle = report.series("path_rattle"),
               &euler = report.series("path_projected_euler");
  return sentence(
      "One path of the noise, h = 0.05: RATTLE stays within {} of the path of steps of 0.0016, projected "
      "Euler-Maruyama "
      "leaves it by {}; their energies at the end are {}, {} and {}",
      {apart(rattle, fine), apart(euler, fine), rattle.column("gained").back(), fine.column("gained").back(),
       euler.column("gained").back()});
}

// --- strong orders of RATTLE with int W dt, by what is constant on the manifold

std::string finding_of_orders(const ReportData& report) {
  const double constant = report.measured("BO07.abs.rattle-strong2"), trace = report.measured("BO07.strong.trace"),
               varying = report.measured("BO07.strong.varying");
  const bool as_derived = std::abs(constant - 2) <= 0.1 && std::abs(trace - 1.5) <= 0.1 && std::abs(varying - 1) <= 0.1;
  return sentence(
      std::string(as_derived ? "RATTLE with int W dt has strong order two only where all K_{ij} are constant"
                             : "Strong order of RATTLE with int W dt where all K_{ij} are constant") +
          " ({:3}); {:3} where their trace is, {:3} elsewhere",
      {constant, trace, varying});
}

/// The powers in the legends, and in the titles whether the bars of 95 % can be seen.
void name_powers(const ReportData& report, std::vector<Row>& rows) {
  const std::vector<std::vector<std::string>> measurements{
      {"cylinder_z.rattle_integrals.power_of_error", "sphere_xyz.rattle_integrals.power_of_error.from_2^-5",
       "sphere_x.rattle_integrals.power_of_error.from_2^-5", "sphere_x.commutator.power_of_error"},
      {"sphere_xyz.rattle_integrals.power_of_distance", "sphere_x.commutator_mean.power_of_distance",
       "sphere_x.rattle_integrals.power_of_distance", "sphere_xy.rattle_integrals.power_of_distance",
       "cylinder_x.rattle_integrals.power_of_distance"}};
  double longest = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    auto name = measurements[side].begin();
    for (Curve& curve : rows[0].panels[side].curves) {
      const bool is_bar = curve.title.empty() && !curve.dots;
      if (is_bar)
        longest =
            std::max(longest, curve.points[1].second / (0.5 * (curve.points[0].second + curve.points[1].second)) - 1);
      if (curve.title.empty() || name == measurements[side].end()) continue;
      curve.title += ": " + number(report.measurement(*name), 3) + (name->ends_with("2^-5") ? " from 2^{-5}" : "");
      ++name;
    }
  }
  // A dot is 0.07 of a decade high.
  for (Panel& panel : rows[0].panels) panel.title += longest < 0.08 ? " (95 % within the dots)" : " (bars: 95 %)";
}

// --- Langevin dynamics with constraints: errors of averages, the angle of a trimer, Section 1

std::string finding_of_constrained_sampling(const ReportData& report) {
  const double ratio = report.measured("BO07.langevin.constant"), order = report.measured("BO07.langevin.order"),
               kinetic = report.measured("BO07.langevin.kinetic"), trimer = report.measured("BO07.langevin.trimer");
  const std::string measure =
      trimer < 0.01 ? "; both sample the restricted Gibbs measure" : "; the restricted Gibbs measure is missed";
  if (ratio < 0.5 && order > 1.9 && order < 2.1 && kinetic > 3.8 && kinetic < 4.2)
    return sentence(
               "g-BAOAB has the better positions (error at most {} of RATTLE's with the bath), RATTLE the better "
               "kinetic temperature (h^{{}})",
               {ratio, kinetic}) +
           measure;
  return sentence(
             "Errors of averages: g-BAOAB's positions have {} of RATTLE's, order {:3}; kinetic temperature of "
             "RATTLE h^{{}}",
             {ratio, order, kinetic}) +
         measure;
}

/// A change to the sizes; those within their sampling errors are not drawn.
Points significant(const Points& points, const Series& series, const std::string& y) {
  const std::vector<double>& errors = series.column(y + "_error");
  Points sizes;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (std::abs(points[k].second) > 1.96 * errors[k]) sizes.emplace_back(points[k].first, std::abs(points[k].second));
  return sizes;
}

}  // namespace

Special bo07() {
  return {{{"energy_growth", {finding_of_growth}},
           {"sphere_paths", {finding_of_paths}},
           {"strong_orders", {finding_of_orders, name_powers}},
           {"constrained_sampling", {finding_of_constrained_sampling}}},
          {{"less_the_exact", less_the_exact}, {"significant", significant}}};
}

}  // namespace livi::plots
