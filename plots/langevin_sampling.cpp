// SPDX-License-Identifier: MIT
// The angle of a trimer with rods, with rods and Fixman's potential, and with springs: sampled and in closed form.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace livi::plots {
namespace langevin_sampling_parts {

/// Points moved aside by some degrees, so that those of several samples stand beside each other.
Points aside(Points points, double degrees) {
  for (auto& point : points) point.first += degrees;
  return points;
}

/// A vertical bar of two errors up and down at each point, as one curve per point.
void add_bars(Panel& panel, const Series& series, const std::string& column, double degrees, Colour colour) {
  const Points points = aside(series.points("alpha", column), degrees);
  const std::vector<double>& errors = series.column(column + "_error");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [x, y] = points[i];
    panel.curves.push_back(
        {.points = {{x, y - 2 * errors[i]}, {x, y + 2 * errors[i]}}, .colour = colour, .width = 1.2});
  }
}

std::string finding(const ReportData& report) {
  const auto mean = [&](const char* run) { return report.measurement(std::string(run) + ".mean_cos_2"); };
  const double rods = mean("rigid"), springs = mean("springs.omega_16"), corrected = mean("fixman"),
               exact = mean("exact.flexible");
  const bool are_parted =
      std::abs(rods - springs) > 4 * std::max(std::abs(springs - exact), std::abs(corrected - exact));
  return "Rods and stiff springs sample " + std::string(are_parted ? "different angles, " : "") +
         "<cos 2 alpha> = " + number(rods) + " and " + number(springs) + "; with Fixman's potential rods have " +
         number(corrected) + ", infinitely stiff springs in closed form " + number(exact);
}

}  // namespace langevin_sampling_parts

Plot langevin_sampling() {
  using namespace langevin_sampling_parts;
  return {"langevin_sampling", "langevin_sampling", "angles of rigid and restrained trimers under GLA",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series series = report.series("angles");
            Panel panel{.title = "Angle of a planar trimer, masses 4, 1, 4; bars: two standard errors up and down",
                        .x_label = with_unit("alpha", "degree"),
                        .y_label = "density per radian",
                        .x_range = {{0, 180}},
                        .legend = true};
            struct Sampled {
              const char* column;
              const char* title;
              double aside;
              Colour colour;
            };
            constexpr std::array<Sampled, 3> sampled{{{"rigid", "rods, SHAKE", 0, Colour::vermilion},
                                                      {"fixman", "rods with Fixman's potential", -0.8, Colour::blue},
                                                      {"springs", "springs, omega = 16", 0.8, Colour::orange}}};
            panel.curves = {
                curve_of(series, "alpha", "exact_rigid", "rods, closed form", Colour::black),
                curve_of(series, "alpha", "exact_flexible", "stiff springs, closed form", Colour::black, true)};
            for (const Sampled& entry : sampled) {
              panel.curves.push_back({.points = aside(series.points("alpha", entry.column), entry.aside),
                                      .title = entry.title,
                                      .colour = entry.colour,
                                      .width = 6,
                                      .dots = true});
              add_bars(panel, series, entry.column, entry.aside, entry.colour);
            }
            Drawing drawing(finding(report));
            drawing.row(366, {std::move(panel)});
            return drawing.write(folder, "langevin_sampling");
          }};
}

}  // namespace livi::plots
