// SPDX-License-Identifier: MIT
// When the DNA model of TO14 opens: first crossing of pi by the mean angle, and arrival beyond the plateau, over seeds.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace livi::plots {
namespace dna_statistics_parts {

struct Method {
  const char* title;
  Colour colour;
  bool dashed;
};
constexpr std::array<Method, 5> methods{{{"Verlet, h = 0.1", Colour::grey, false},
                                         {"Verlet, h = 0.2", Colour::black, true},
                                         {"Z&S, h = 2", Colour::purple, false},
                                         {"Z&Ss, h = 2", Colour::orange, false},
                                         {"Z&S, h = 1, from the x of q(0)", Colour::blue, false}}};

/// The share of the seeds whose time has come, as a staircase.
Points cumulative(const Series& series, std::size_t method, const char* time) {
  const std::vector<double>& of = series.column("method");
  const std::vector<double>& times = series.column(time);
  std::vector<double> own;
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (of[i] == static_cast<double>(method)) own.push_back(times[i]);
  }
  std::sort(own.begin(), own.end());
  Points points;
  for (std::size_t i = 0; i < own.size(); ++i) {
    points.emplace_back(own[i], static_cast<double>(i) / static_cast<double>(own.size()));
    points.emplace_back(own[i], static_cast<double>(i + 1) / static_cast<double>(own.size()));
  }
  return points;
}

std::string finding(const ReportData& report) {
  const auto mean = [&](const char* method) { return report.measurement(std::string(method) + ".first_crossing"); };
  const double verlet = mean("verlet"), zs = mean("zhang_skeel"), simplified = mean("simplified_zhang_skeel");
  const std::string mapped =
      "; by Z&S with h = 1 from the x that stands for q(0) at " + number(mean("zhang_skeel_h_1_physical_start"));
  if (verlet < zs && zs < simplified)
    return "From x(0) = q(0) the strand opens later by Z&S with h = 2, in the mean at t = " + number(zs, 3) +
           ", than by Verlet, at " + number(verlet) + ", and still later by Z&Ss, at " + number(simplified, 3) + mapped;
  return "The strand opens in the mean at t = " + number(verlet) + " by Verlet, at " + number(zs, 3) +
         " by Z&S and at " + number(simplified, 3) + " by Z&Ss, both with h = 2 from x(0) = q(0)" + mapped;
}

}  // namespace dna_statistics_parts

Plot dna_statistics() {
  using namespace dna_statistics_parts;
  return {"dna_statistics", "dna_statistics", "when the DNA model of TO14 opens, over seeds",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series series = report.series("passages");
            const auto panel = [&](const char* time, const char* title, std::pair<double, double> range) {
              Panel result{.title = title,
                           .x_label = with_unit("t", series.unit(time)),
                           .y_label = "share",
                           .x_range = range,
                           .y_range = {{0, 1.02}},
                           .legend = true};
              for (std::size_t i = 0; i < methods.size(); ++i) {
                const Method& method = methods[i];
                result.curves.push_back({.points = cumulative(series, i, time),
                                         .title = method.title,
                                         .colour = method.colour,
                                         .width = i == 0 ? 4.0 : 2.0,
                                         .dashed = method.dashed});
              }
              return result;
            };
            Drawing drawing(finding(report));
            drawing.row(330, {panel("first_crossing", "Share of 200 seeds: mean angle beyond pi", {70, 150}),
                              panel("arrival", "The same: beyond the plateau (3 pi/2)", {120, 260})});
            return drawing.write(folder, "dna_statistics");
          }};
}

}  // namespace livi::plots
