// SPDX-License-Identifier: MIT
// Figure 1 of TO14, the double pendulum: the motion, and the errors of five methods, in the layout of the paper; and,
// which the paper does not show, their energy errors.
#include "drawing.hpp"
#include "figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace livi::plots {
namespace fig01_parts {

struct Method {
  const char* series;
  const char* title;
  Colour colour;
};

constexpr std::array<Method, 5> shown_methods{{
    {"shake", "SHAKE", Colour::black},
    {"symplectic_euler", "variational Euler, penalised", Colour::green},
    {"newmark_converged", "Newmark, solved", Colour::blue},
    {"newmark_one_iteration", "Newmark, one iteration", Colour::vermilion},
    {"zhang_skeel", "Zhang-Skeel", Colour::purple},
}};

std::pair<double, double> range_of(const Points& points) { return {points.front().first, points.back().first}; }

double largest_error(const ReportData& report, const char* method) {
  const Series series = report.series(method);
  return std::max(largest(series.points("t", "x2_error")), largest(series.points("t", "y2_error")));
}

/// The largest distance of two methods' errors from each other, at any time.
double largest_difference(const ReportData& report, const char* one, const char* other) {
  const Series first = report.series(one), second = report.series(other);
  double difference = 0;
  for (const char* column : {"x2_error", "y2_error"}) {
    const std::vector<double>&a = first.column(column), &b = second.column(column);
    if (a.size() != b.size()) throw PlotError("fig01: the methods are reported at different times");
    for (std::size_t i = 0; i < a.size(); ++i) difference = std::max(difference, std::abs(a[i] - b[i]));
  }
  return difference;
}

std::string finding_of_errors(const ReportData& report) {
  const double zs = largest_error(report, "zhang_skeel"), solved = largest_error(report, "newmark_converged"),
               shake = largest_error(report, "shake");
  const std::string numbers = number(zs, 3) + " against " + number(solved, 3);
  if (largest_difference(report, "zhang_skeel", "newmark_converged") <= 0.25 * solved)
    return "Z&S errs like the fully solved Newmark method, by at most " + numbers + "; SHAKE errs by " + number(shake);
  return "Z&S and the fully solved Newmark method err by at most " + numbers + ", SHAKE by " + number(shake);
}

std::vector<std::filesystem::path> draw_errors(const ReportData& report, const std::filesystem::path& folder) {
  constexpr std::size_t rows = 6;
  Drawing drawing(finding_of_errors(report));
  const Series reference = report.series("reference");
  const auto t_range = range_of(reference.points("t", "x2"));
  const std::string t_label = with_unit("t", reference.unit("t"));

  const auto add = [&](std::size_t row, const Series& series, const std::string& suffix, const std::string& title,
                       Colour colour, bool symmetric) {
    // One scale for both coordinates of a row, so that their sizes can be compared by eye.
    const double reach =
        1.08 * std::max(largest(series.points("t", "x2" + suffix)), largest(series.points("t", "y2" + suffix)));
    std::vector<Panel> panels;
    for (const std::string coordinate : {"x", "y"}) {
      const Points points = series.points("t", coordinate + "2" + suffix);
      Panel panel;
      panel.curves = {{.points = points, .colour = colour, .width = 1.2}};
      panel.title = title + ", " + coordinate + "_2";
      if (symmetric) panel.title += ": largest error " + number(largest(points));
      panel.x_label = row == rows - 1 ? t_label : "";
      panel.y_label =
          with_unit((suffix.empty() ? "" : "error of ") + coordinate + "_2", series.unit(coordinate + "2" + suffix));
      panel.x_range = t_range;
      if (symmetric && reach > 0) panel.y_range = {{-reach, reach}};
      panels.push_back(std::move(panel));
    }
    drawing.row(122, std::move(panels));
  };
  add(0, reference, "", "Row 1, reference", Colour::black, false);
  std::size_t row = 1;
  for (const Method& method : shown_methods) {
    add(row, report.series(method.series), "_error", "Row " + std::to_string(row + 1) + ", " + method.title,
        method.colour, true);
    ++row;
  }
  return drawing.write(folder, "fig01");
}

std::string finding_of_energies(const ReportData& report) {
  const auto reached = [&](const char* method) { return largest(report.series(method).points("t", "energy_error")); };
  const double one_iteration = reached("newmark_one_iteration"),
               others = std::max({reached("shake"), reached("symplectic_euler"), reached("newmark_converged"),
                                  reached("zhang_skeel")});
  if (one_iteration > 2 * others)
    return "Newmark with one iteration from the last position has the largest energy error, " + number(one_iteration) +
           "; the other four methods stay within " + number(others);
  return "The energy error of Newmark with one iteration reaches " + number(one_iteration) +
         ", that of the other four methods at most " + number(others);
}

std::vector<std::filesystem::path> draw_energy(const ReportData& report, const std::filesystem::path& folder) {
  Drawing drawing(finding_of_energies(report));
  Panel overview{.title = "Largest energy error so far", .logarithmic_y = true, .legend = true};
  std::vector<Panel> errors;
  std::size_t drawn = 0;
  for (const Method& method : shown_methods) {
    const Series series = report.series(method.series);
    const Points points = series.points("t", "energy_error");
    // A logarithmic axis has no zero: the curve begins where the error does.
    const Points rising = above(running_maximum(points), 0);
    if (!rising.empty()) {
      overview.curves.push_back(
          {.points = rising, .title = method.title, .colour = method.colour, .width = 2, .dashed = drawn % 2 == 1});
    }
    overview.x_label = with_unit("t", series.unit("t"));
    overview.y_label = with_unit("energy error", series.unit("energy_error"));
    overview.x_range = range_of(points);

    Panel panel;
    panel.curves = {{.points = points, .colour = method.colour, .width = 1.2}};
    panel.title = std::string(method.title) + ": largest energy error " + number(largest(points));
    ++drawn;
    panel.x_label = drawn == shown_methods.size() ? overview.x_label : "";
    panel.y_label = with_unit("error", series.unit("energy_error"));
    panel.x_range = range_of(points);
    errors.push_back(std::move(panel));
  }
  if (overview.curves.empty()) throw PlotError("fig01_energy: all energy errors are zero; there is nothing to draw");
  // The first steps pass through many decades in no time; two decades below the smallest final error show enough of
  // them.
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const Curve& curve : overview.curves) {
    low = std::min(low, curve.points.back().second);
    high = std::max(high, curve.points.back().second);
  }
  overview.y_range = {{std::pow(10, std::floor(std::log10(low)) - 2), std::pow(10, std::ceil(std::log10(high)))}};
  drawing.row(330, {std::move(overview)});
  for (Panel& panel : errors) drawing.row(96, {std::move(panel)});
  return drawing.write(folder, "fig01_energy");
}

}  // namespace fig01_parts

Plot fig01() {
  using namespace fig01_parts;
  return {"fig01", "fig01_double_pendulum", "Figure 1 of TO14: errors on the double pendulum, and their energy errors",
          [](const ReportData& report, const std::filesystem::path& folder) {
            auto written = draw_errors(report, folder);
            for (auto& file : draw_energy(report, folder)) written.push_back(std::move(file));
            return written;
          }};
}

}  // namespace livi::plots
