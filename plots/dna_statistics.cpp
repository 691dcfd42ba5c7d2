// SPDX-License-Identifier: MIT
// When the DNA model of TO14 opens: first crossing of pi by the mean angle, and arrival beyond the plateau, over seeds.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace livi::plots {
namespace {

struct Method {
  const char* title;
  Colour colour;
  bool dashed;
};
constexpr std::array<Method, 5> methods{{{"Verlet, h = 0.1", Colour::grey, false},
                                         {"Verlet, h = 0.2", Colour::black, true},
                                         {"Z\\\\&S, h = 2", Colour::purple, false},
                                         {"Z\\\\&Ss, h = 2", Colour::orange, false},
                                         {"Z\\\\&S, h = 1, from the x of q(0)", Colour::blue, false}}};

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

}  // namespace

Plot dna_statistics() {
  return {"dna_statistics", "dna_statistics", "when the DNA model of TO14 opens, over seeds",
          [](const ReportData& report, const std::filesystem::path& folder) {
            const Series series = report.series("passages");
            Panel panel{.title = "Share of 200 seeds: left, mean angle beyond pi; right, beyond the plateau (3 pi/2)",
                        .x_label = with_unit("t", series.unit("arrival")),
                        .y_label = "share",
                        .x_range = {{70, 260}},
                        .y_range = {{0, 1.02}},
                        .legend = true};
            for (const char* time : {"first_crossing", "arrival"}) {
              for (std::size_t i = 0; i < methods.size(); ++i) {
                const Method& method = methods[i];
                panel.curves.push_back({.points = cumulative(series, i, time),
                                        .title = time == std::string("arrival") ? method.title : "",
                                        .colour = method.colour,
                                        .width = i == 0 ? 4.0 : 2.0,
                                        .dashed = method.dashed});
              }
            }
            Drawing drawing(1000, 520);
            drawing.add(std::move(panel), {90, 34, 970, 400});
            return drawing.write(folder, "dna_statistics");
          }};
}

}  // namespace livi::plots
