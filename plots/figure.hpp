// SPDX-License-Identifier: MIT
#pragma once

#include "drawing.hpp"

/// \file
/// Figures as data. The engine reads the series that their curves name; code is written only where a figure is special.

namespace livi::plots {

using enum Colour;

/// A figure: its report, its sentence, and rows of panels.
struct Figure {
  std::string name;        ///< name of the files
  std::string experiment;  ///< its report
  std::string what;
  std::string (*finding)(const ReportData& report);  ///< the sentence above the panels
  std::vector<Row> rows = {};
  /// Completes what the data cannot say, after the series were read: ranges, titles, further curves.
  void (*complete)(const ReportData& report, std::vector<Row>& rows) = nullptr;
};

/// The figures of each part, in the order of the list.
std::vector<Figure> double_pendulum_figures();
std::vector<Figure> penalty_figures();
std::vector<Figure> chain_figures();
std::vector<Figure> water_figures();
std::vector<Figure> dna_figures();
std::vector<Figure> magnetised_body_figures();
std::vector<Figure> langevin_figures();
std::vector<Figure> rigid_body_figures();
std::vector<Figure> adaptive_figures();
std::vector<Figure> noise_figures();

/// The panels with the points of their curves. PlotError if a series or column is missing, or nothing is left to draw.
std::vector<Row> rows_of(const Figure& figure, const ReportData& report);

/// A change to the largest |y| of the points up to each one.
Points risen(const Points& points, const Series& series, const std::string& y);

/// A circle of so many sides.
Points circle(std::pair<double, double> centre, double radius, int sides);

/// The largest |y| of a column.
double largest(const ReportData& report, const std::string& series, const std::string& column);

/// Curves with another value of a member.
template <typename Value>
std::vector<Curve> with(std::vector<Curve> curves, Value Curve::*member, const Value& value) {
  for (Curve& curve : curves) curve.*member = value;
  return curves;
}

}  // namespace livi::plots
