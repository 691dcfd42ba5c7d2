// SPDX-License-Identifier: MIT
#pragma once

#include "report_data.hpp"

#include <filesystem>
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

/// A curve of a panel; an empty title keeps it out of the legend.
struct Curve {
  Points points;
  std::string title = {};
  Colour colour = Colour::black;
  double width = 1.5;  ///< width of the line, in points; ten times that of a dot
  bool dashed = false;
  bool dots = false;  ///< every point by itself, no line
};

/// Two columns of a series as a curve.
Curve curve_of(const Series& series, const std::string& x, const std::string& y, const std::string& title,
               Colour colour, bool dashed = false, double width = 2);

/// One set of axes. Its legend has at most eight entries, no two of one look: more cannot be told apart.
struct Panel {
  std::vector<Curve> curves = {};
  std::string title = {};    ///< above the axes
  std::string x_label = {};  ///< empty: neither label nor numbers on this axis
  std::string y_label = {};  ///< empty: neither label nor numbers on this axis
  std::optional<std::pair<double, double>> x_range = std::nullopt;
  std::optional<std::pair<double, double>> y_range = std::nullopt;
  std::vector<std::pair<double, std::string>> x_names = {};  ///< instead of numbers on this axis
  bool logarithmic_x = false;
  bool logarithmic_y = false;
  bool legend = false;  ///< below the axes
};

/// "t [s]", or "t" if the unit is empty.
std::string with_unit(const std::string& name, const std::string& unit);

/// A number of a sentence or title, with so many digits: 0.023, 130, 5*10^{-15}.
std::string number(double value, int digits = 2);

/// A canvas with a finding and rows of panels, as high as these and their texts need.
class Drawing {
 public:
  /// What the figure shows, one sentence. Its numbers come from the report, and so do its comparisons: where the
  /// numbers do not bear them out, the sentence is another one.
  explicit Drawing(std::string finding) : finding_(std::move(finding)) {}

  /// Panels side by side below those before, with axes of one width and of this height, in pixels.
  void row(double height, std::vector<Panel> panels) { rows_.push_back({height, std::move(panels)}); }

  /// The width of the axes of each of so many panels with labels on both axes, in pixels.
  static double axes_width(std::size_t columns);

  /// Writes <name>.svg and <name>.png into `folder`, which is made if need be, and returns their paths. The previous
  /// files are replaced only by complete ones. PlotError if gnuplot is missing or fails, the folder cannot be written,
  /// the finding takes more than two lines, or a legend has too many entries or two of one look.
  std::vector<std::filesystem::path> write(const std::filesystem::path& folder, const std::string& name) const;

 private:
  struct Row {
    double height;
    std::vector<Panel> panels;
  };
  struct Layout;
  [[nodiscard]] Layout layout() const;

  std::string finding_;
  std::vector<Row> rows_;
};

}  // namespace livi::plots
