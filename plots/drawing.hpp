// SPDX-License-Identifier: MIT
#pragma once

#include "report_data.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// \file
/// How all figures look: one font, the colour-blind-safe palette of Okabe and Ito, thin grids, axes with units. A
/// figure is a set of panels on a canvas, drawn by gnuplot as SVG and PNG. The SVG has no date in it: the same data
/// give the same bytes.

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
  double width = 1.5;  ///< of the line, in points; ten times that of a dot
  bool dashed = false;
  bool dots = false;  ///< every point by itself, no line
};

/// One set of axes. Labels may use gnuplot's enhanced text: x_2, 10^{-3}.
struct Panel {
  std::vector<Curve> curves = {};
  std::string title = {};    ///< above the axes
  std::string x_label = {};  ///< empty: neither label nor numbers on this axis
  std::string y_label = {};
  std::optional<std::pair<double, double>> x_range = std::nullopt;
  std::optional<std::pair<double, double>> y_range = std::nullopt;
  bool logarithmic_y = false;
  bool legend = false;  ///< below the axes
};

/// The place of a panel's axes on the canvas, in pixels from the upper left corner.
struct Box {
  double left;
  double top;
  double right;
  double bottom;
};

/// "t [s]", or "t" if the unit is empty.
std::string with_unit(const std::string& name, const std::string& unit);

/// A canvas with panels. A panel is drawn farther down than asked for where the legend or the labels of one above it
/// need the room, and the canvas is as high as all need.
class Drawing {
 public:
  Drawing(int width, int height) : width_(width), height_(height) {}

  void add(Panel panel, Box box) { panels_.emplace_back(std::move(panel), box); }

  /// Writes <name>.svg and <name>.png into `folder`, which is made if need be, and returns their paths. The previous
  /// files are replaced only by complete ones. PlotError if gnuplot is missing or fails, or the folder cannot be
  /// written.
  std::vector<std::filesystem::path> write(const std::filesystem::path& folder, const std::string& name) const;

 private:
  int width_;
  int height_;
  std::vector<std::pair<Panel, Box>> panels_;
};

}  // namespace livi::plots
