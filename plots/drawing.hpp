// SPDX-License-Identifier: MIT
#pragma once

#include "report_data.hpp"

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// \file
/// How all figures look: one width, one font, the colour-blind-safe palette of Okabe and Ito, thin grids, axes with
/// units. A figure is a sentence that says what it shows and rows of panels below, drawn by gnuplot as SVG and PNG. The
/// SVG has no date in it: the same data give the same bytes.
///
/// Texts may use gnuplot's enhanced text: x_2, 10^{-3}. Greek letters are written by their names: omega.

namespace livi::plots {

/// The palette of Okabe and Ito (2008), distinguishable with any colour vision.
enum class Colour { black, orange, sky_blue, green, yellow, blue, vermilion, purple, grey };

/// "#rrggbb"
std::string hexadecimal(Colour colour);

class Series;
/// The points of a curve made other points; `y` is the column they are of.
using Change = Points (*)(const Points& points, const Series& series, const std::string& y);

/// The rows of a series in which a column is at least `from` and less than `below`.
struct Where {
  std::string column;
  double from, below;
};

/// A curve of a panel: two columns of a series, or points.
struct Curve {
  std::string title = {};  ///< in the legend; empty keeps the curve out of it
  Colour colour = Colour::black;
  std::string series = {}, x = {}, y = {};  ///< what the panel does not say of them
  Points points = {};                       ///< instead of a series
  double width = 0;  ///< width of the line, in points, or ten times that of a dot; 0: as the panel says
  bool dashed = false;
  bool dots = false;     ///< every point by itself, no line
  double marks = 0;      ///< a dot of this width on every point of the line
  double bars = 0;       ///< at every point a bar of so many standard errors, the column y + "_error", up and down
  double bar_width = 1;  ///< in points
  double band = 0;       ///< thin lines so many standard errors above and below, not below zero
  double aside = 0;      ///< added to x, so that points of several curves stand beside each other
  std::optional<Where> where = std::nullopt;
  Change change = nullptr;
};

/// One set of axes. Its legend has at most eight entries, no two of one look: more cannot be told apart.
struct Panel {
  std::string title = {};  ///< above the axes
  /// Series and columns of the curves. A star stands for the name that the curve has there: "run_*".
  std::string series = {}, x = {}, y = {};
  /// Empty: neither label nor numbers on this axis. "t []" ends with the unit of the first curve's column.
  std::string x_label = {}, y_label = {};
  std::optional<std::pair<double, double>> x_range = std::nullopt;
  std::optional<std::pair<double, double>> y_range = std::nullopt;
  bool log_x = false;
  bool log_y = false;
  bool legend = false;      ///< below the axes
  double width = 2;         ///< for curves that state none
  Change change = nullptr;  ///< for curves that state none
  std::size_t thin = 0;     ///< so many buckets of points only, if not 0
  /// Points of series are left out unless above < y <= up_to, and, if `clip`, within both ranges.
  double above = -std::numeric_limits<double>::infinity();
  double up_to = std::numeric_limits<double>::infinity();
  bool clip = false;
  bool tight = false;                                        ///< the axis of x begins and ends with the curves
  std::vector<std::pair<double, std::string>> x_names = {};  ///< instead of numbers on this axis
  std::vector<Curve> curves = {};
};

/// Panels side by side, with axes of one width and of this height, in pixels.
struct Row {
  double height;
  std::vector<Panel> panels;
};

/// The least and the largest x of the curves.
std::pair<double, double> x_range_of(const Panel& panel);

/// "t [s]", or "t" if the unit is empty.
std::string with_unit(const std::string& name, const std::string& unit);

/// A number of a sentence or title, with so many digits: 0.023, 130, 5*10^{-15}.
std::string number(double value, int digits = 2);

/// `text` with every "{}" made the next of the numbers, and every "{:4}" with four digits.
std::string sentence(const std::string& text, const std::vector<double>& numbers);

/// A canvas with a finding and rows of panels, as high as these and their texts need.
class Drawing {
 public:
  /// What the figure shows, one sentence. Its numbers come from the report, and so do its comparisons: where the
  /// numbers do not bear them out, the sentence is another one.
  Drawing(std::string finding, std::vector<Row> rows) : finding_(std::move(finding)), rows_(std::move(rows)) {}

  /// The width of the axes of each of so many panels with labels on both axes, in pixels.
  static double axes_width(std::size_t columns);

  /// Writes <name>.svg and <name>.png into `folder`, which is made if need be, and returns their paths. The previous
  /// files are replaced only by complete ones. PlotError if gnuplot is missing or fails, the folder cannot be written,
  /// the finding takes more than two lines, or a legend has too many entries or two of one look.
  std::vector<std::filesystem::path> write(const std::filesystem::path& folder, const std::string& name) const;

 private:
  struct Layout;
  [[nodiscard]] Layout layout() const;

  std::string finding_;
  std::vector<Row> rows_;
};

}  // namespace livi::plots
