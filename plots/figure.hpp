// SPDX-License-Identifier: MIT
#pragma once

#include "drawing.hpp"

#include <map>

/// \file
/// Figures as data: a specification in JSON for each document, which the engine reads together with the reports. Code is
/// written only where a figure is special. docs/plots.md states the members of a specification.

namespace livi::plots {

using enum Colour;

/// What is code in a figure.
struct Code {
  std::string (*finding)(const ReportData& report) = nullptr;  ///< the sentence above the panels
  /// Completes what the data cannot say, after the series were read: ranges, titles, further curves.
  void (*complete)(const ReportData& report, std::vector<Row>& rows) = nullptr;
};

/// The code of the figures of a document, and the changes of points that its specification names.
struct Special {
  std::map<std::string, Code> figures;
  std::map<std::string, Change> changes = {};
};
Special to14_pendula();
Special to14_molecules();
Special bos09();
Special cs101();
Special bo07();

/// A figure: its report, its sentence, and rows of panels.
struct Figure {
  std::string name = {};        ///< name of the files
  std::string experiment = {};  ///< its report
  std::string what = {};
  std::vector<Row> rows = {};
  std::string sentence = {};  ///< in place of the code of the finding, with these measurements or claims
  std::vector<std::string> numbers = {};
  Code code = {};
};

/// The figures of a specification. PlotError names the file, the figure and the member that is wrong, its value and
/// what is allowed.
std::vector<Figure> figures_of(const std::filesystem::path& specification, const Special& special);

/// The figures of all documents, whose specifications are in `folder`.
std::vector<Figure> all_figures(const std::filesystem::path& folder);

/// The figure with the numbers of the report. PlotError if a series, column or number is missing, or nothing is left to
/// draw.
Drawing drawing_of(const Figure& figure, const ReportData& report);

/// A circle of so many sides.
Points circle(std::pair<double, double> centre, double radius, int sides);

/// The largest |y| of a column.
double largest(const ReportData& report, const std::string& series, const std::string& column);

}  // namespace livi::plots
