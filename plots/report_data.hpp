// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// \file
/// What the plots read: a report and the series beside it. Nothing here knows the library, so a figure shows what was
/// reported and cannot show anything else.

namespace livi::plots {

/// Names the file and what is wrong with it.
class PlotError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Points = std::vector<std::pair<double, double>>;

/// Columns of numbers, all of one length, under their names.
class Series {
 public:
  Series(std::filesystem::path file, std::map<std::string, std::vector<double>> columns,
         std::map<std::string, std::string> units)
      : file_(std::move(file)), columns_(std::move(columns)), units_(std::move(units)) {}

  /// PlotError if there is no such column.
  const std::vector<double>& column(const std::string& name) const;
  /// Two columns as points.
  Points points(const std::string& x, const std::string& y) const;
  /// The unit of a column, empty for a pure number.
  std::string unit(const std::string& name) const;

 private:
  std::filesystem::path file_;
  std::map<std::string, std::vector<double>> columns_;
  std::map<std::string, std::string> units_;
};

/// A report, with its series read on demand.
class ReportData {
 public:
  /// Reads <folder>/<experiment>.json; PlotError if it is missing or is no report of this experiment.
  ReportData(const std::filesystem::path& folder, const std::string& experiment);

  /// PlotError if the report or its file lacks the series, two columns have one name, the header or the number of rows
  /// differs from the report, or a cell is not a finite number.
  const Series& series(const std::string& name) const;

  /// A measurement by its name; PlotError if the report has none.
  double measurement(const std::string& name) const;
  /// What the claim of this id measured; PlotError if the report has no such claim, or it measured no number.
  double measured(const std::string& claim) const;
  /// A measurement or what a claim measured, by name; PlotError if the report has neither.
  double number(const std::string& name) const;

 private:
  Series read(const std::string& name) const;
  std::optional<double> number_in(const char* list, const char* key, const std::string& name, const char* field) const;

  std::filesystem::path folder_;
  std::filesystem::path file_;
  std::shared_ptr<const nlohmann::json> report_;  ///< behind a pointer: each plot would parse JSON's headers otherwise
  mutable std::map<std::string, Series> series_;  ///< what was read
};

/// At most about 2 * `buckets` of the points, whose curve looks the same: the lowest and the highest of each bucket of
/// neighbours, so that a fast oscillation keeps its envelope (dropping every n-th point would alias it).
Points thinned(const Points& points, std::size_t buckets);

/// The largest |y| of the points up to each one: a curve that only rises.
Points running_maximum(const Points& points);

/// The largest |y|.
double largest(const Points& points);

}  // namespace livi::plots
