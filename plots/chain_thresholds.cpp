// SPDX-License-Identifier: MIT
// How stiff a chain of pendula Z&S can follow: first lost omega against h for ten links, and h^2 omega against the
// number of links, with the reduced map that predicts it.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace livi::plots {
namespace chain_thresholds_parts {

/// Two columns of the rows in which a third one has a value.
Points where(const Series& series, const std::string& key, double value, const std::string& x, const std::string& y) {
  Points points;
  const auto& keys = series.column(key);
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == value) points.emplace_back(series.column(x)[i], series.column(y)[i]);
  return points;
}

Panel against_step(const Series& series, const Series& verlet) {
  constexpr double links = 10;
  Panel panel{.title = "First lost omega of the chain of ten links to T = 50, beta = 0.4",
              .x_label = "h",
              .y_label = "omega",
              .logarithmic_x = true,
              .logarithmic_y = true,
              .legend = true};
  const auto omega = [&](const char* column) {
    Points points = where(series, "n", links, "h", column);
    for (auto& point : points) point.second /= point.first * point.first;
    return points;
  };
  Points of_verlet = where(series, "n", links, "h", "position");
  double limit = 0;
  for (std::size_t i = 0; i < verlet.column("n").size(); ++i)
    if (verlet.column("n")[i] == links) limit = verlet.column("measured")[i];
  for (auto& point : of_verlet) point.second = limit / point.first;
  Points printed{{0.05, 20}, {0.05, 20.0001}};
  panel.curves = {
      {.points = omega("position"), .title = "Zhang-Skeel from x(0) = q(0)", .colour = Colour::purple, .width = 2},
      {.points = omega("mapped"),
       .title = "Zhang-Skeel from x(0) = eta(q(0))",
       .colour = Colour::vermilion,
       .width = 2},
      {.points = of_verlet, .title = "Verlet", .colour = Colour::black, .width = 2, .dashed = true},
      {.points = printed, .title = "as printed in TO14", .colour = Colour::green, .width = 12, .dots = true}};
  return panel;
}

Panel against_links(const Series& series, const Series& loads) {
  constexpr double step = 0.025;
  Panel panel{.title = "First lost h^2 omega against the number of links, h = 0.025",
              .x_label = "n",
              .y_label = "h^2 omega",
              .y_range = {{0, 0.5}},
              .logarithmic_x = true,
              .legend = true};
  const Points predicted = loads.points("n", "reduced_map");
  Points by_load;
  // With f fixed at its value for ten links, h^2 omega goes as the load to the power -1/2.
  const Points load = loads.points("n", "load");
  double of_ten = 0, at_ten = 0;
  for (const auto& [links, value] : load)
    if (links == 10) of_ten = value;
  const Points measured = where(series, "h", step, "n", "position");
  for (const auto& [links, value] : measured)
    if (links == 10) at_ten = value;
  for (const auto& [links, value] : load)
    if (links >= 10) by_load.emplace_back(links, at_ten * std::sqrt(of_ten / value));
  panel.curves = {{.points = measured, .title = "from x(0) = q(0)", .colour = Colour::purple, .width = 2},
                  {.points = where(series, "h", step, "n", "mapped"),
                   .title = "from x(0) = eta(q(0))",
                   .colour = Colour::vermilion,
                   .width = 2},
                  {.points = predicted,
                   .title = "from eta(q(0)) by the reduced map, without load",
                   .colour = Colour::grey,
                   .width = 2,
                   .dashed = true},
                  {.points = by_load,
                   .title = "largest centrifugal force to the power -1/2, through n = 10",
                   .colour = Colour::black,
                   .width = 2,
                   .dashed = true}};
  return panel;
}

std::string finding(const Series& series, const Series& verlet) {
  double low = std::numeric_limits<double>::infinity(), high = 0, limit = 0;
  for (const char* start : {"position", "mapped"})
    for (const auto& [h, value] : where(series, "n", 10, "h", start)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  for (const auto& [links, value] : verlet.points("n", "measured"))
    if (links == 10) limit = value;
  return "On ten links Z&S is first lost at h^2 omega from " + number(low) + " to " + number(high) +
         ", by step and start, Verlet at h omega = " + number(limit) + "";
}

}  // namespace chain_thresholds_parts

Plot chain_thresholds() {
  using namespace chain_thresholds_parts;
  return {"chain_thresholds", "chain_thresholds", "stability of the chain of pendula of TO14",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series series = report.series("thresholds"), verlet = report.series("verlet");
            Drawing drawing(finding(series, verlet));
            drawing.row(296, {against_step(series, verlet)});
            drawing.row(280, {against_links(series, report.series("loads"))});
            return drawing.write(folder, "chain_thresholds");
          }};
}

}  // namespace livi::plots
