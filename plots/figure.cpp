// SPDX-License-Identifier: MIT
#include "figure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace livi::plots {
namespace {

/// The curve's name in the place of the star of the panel's; without a star the curve's, or else the panel's.
std::string combined(const std::string& of_panel, const std::string& of_curve) {
  const auto star = of_panel.find('*');
  if (star == std::string::npos) return of_curve.empty() ? of_panel : of_curve;
  return std::string(of_panel).replace(star, 1, of_curve);
}

/// Ends a label on " []" with the unit.
void set_unit(std::string& label, const std::string& unit) {
  constexpr std::string_view open = " []";
  if (label.ends_with(open)) label = with_unit(label.substr(0, label.size() - open.size()), unit);
}

/// Two columns in the rows that the curve asks for, changed as it or its panel says, and of them what is shown.
Points points_of(const Curve& curve, const Panel& panel, const Series& series, const std::string& x,
                 const std::string& y) {
  Points points = series.points(x, y);
  if (curve.where) {
    const std::vector<double>& keys = series.column(curve.where->column);
    std::size_t row = 0;
    std::erase_if(points, [&](const auto&) {
      const double key = keys[row++];
      return !(key >= curve.where->from && key < curve.where->below);
    });
  }
  if (const Change change = curve.change != nullptr ? curve.change : panel.change) points = change(points, series, y);
  if (panel.thin > 0) points = thinned(points, panel.thin);
  std::erase_if(points, [&](const auto& point) {
    const auto outside = [&](const auto& range, double value) {
      return panel.clip && range && !(value >= range->first && value <= range->second);
    };
    return !(point.second > panel.above && point.second <= panel.up_to) || outside(panel.x_range, point.first) ||
           outside(panel.y_range, point.second);
  });
  for (auto& point : points) point.first += curve.aside;
  return points;
}

/// Adds a curve with its marks and errors, unless no point of it is left.
void add(std::vector<Curve>& curves, Curve curve, const std::vector<double>& errors, const Panel& panel) {
  if (curve.points.empty()) return;
  if ((curve.bars > 0 || curve.band > 0) && errors.size() != curve.points.size())
    throw PlotError("panel '" + panel.title + "': curve '" + curve.title + "': some of its points have no error");
  for (const double sign : {-curve.band, curve.band}) {
    if (sign == 0) continue;
    Curve border{.colour = curve.colour, .points = curve.points, .width = 0.5};
    for (std::size_t i = 0; i < errors.size(); ++i)
      border.points[i].second = std::max(0.0, border.points[i].second + sign * errors[i]);
    curves.push_back(std::move(border));
  }
  curves.push_back(curve);
  if (curve.marks > 0)
    curves.push_back({.colour = curve.colour, .points = curve.points, .width = curve.marks, .dots = true});
  if (curve.bars == 0) return;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const auto [x, y] = curve.points[i];
    const double bar = curve.bars * errors[i];
    curves.push_back({.colour = curve.colour, .points = {{x, y - bar}, {x, y + bar}}, .width = curve.bar_width});
  }
}

void read(Panel& panel, const ReportData& report) {
  std::vector<Curve> curves;
  for (Curve& curve : panel.curves) {
    if (curve.width == 0) curve.width = panel.width;
    std::vector<double> errors;
    if (curve.points.empty()) {
      const Series& series = report.series(combined(panel.series, curve.series));
      const std::string x = combined(panel.x, curve.x), y = combined(panel.y, curve.y);
      set_unit(panel.x_label, series.unit(x));
      set_unit(panel.y_label, series.unit(y));
      curve.points = points_of(curve, panel, series, x, y);
      if (curve.bars > 0 || curve.band > 0) errors = series.column(y + "_error");
    }
    add(curves, std::move(curve), errors, panel);
  }
  panel.curves = std::move(curves);
}

}  // namespace

Drawing drawing_of(const Figure& figure, const ReportData& report) {
  std::vector<Row> rows = figure.rows;
  for (Row& row : rows)
    for (Panel& panel : row.panels) read(panel, report);
  if (figure.code.complete != nullptr) figure.code.complete(report, rows);
  for (const Row& row : rows)
    for (const Panel& panel : row.panels)
      if (panel.curves.empty())
        throw PlotError(figure.name + ": panel '" + panel.title + "': there is nothing to draw");
  if (figure.code.finding != nullptr) return {figure.code.finding(report), std::move(rows)};
  std::vector<double> numbers;
  for (const std::string& name : figure.numbers) numbers.push_back(report.number(name));
  return {sentence(figure.sentence, numbers), std::move(rows)};
}

Points circle(std::pair<double, double> centre, double radius, int sides) {
  Points points;
  for (int k = 0; k <= sides; ++k) {
    const double angle = k * std::numbers::pi / (sides / 2);
    points.emplace_back(centre.first + radius * std::cos(angle), centre.second + radius * std::sin(angle));
  }
  return points;
}

double largest(const ReportData& report, const std::string& series, const std::string& column) {
  return largest(report.series(series).points(column, column));
}

}  // namespace livi::plots
