// SPDX-License-Identifier: MIT
//
// Estimates in a report: as measurements, and as two columns of a series, the mean and its standard error.
#pragma once

#include <livi/report/report.hpp>
#include <string>
#include <vector>

#include "study/statistics/estimate.hpp"

namespace livi {

/// A mean over runs whose paths are chaotic. Another machine's libm takes other paths: what it may find differs by two
/// sampling errors.
inline void put_mean(Report& report, const std::string& name, const Estimate& e, const std::string& unit = "") {
  report.measurement({.name = name, .value = e.mean, .unit = unit, .tolerance = {.absolute = 4 * e.error}});
}

/// A mean and its standard error, which may move by this part of itself.
inline void put_estimate(Report& report, const std::string& name, const Estimate& e, const std::string& unit,
                         double part_of_error) {
  put_mean(report, name, e, unit);
  report.measurement(
      {.name = name + ".standard_error", .value = e.error, .unit = unit, .tolerance = {.relative = part_of_error}});
}

/// Returns the columns with two more for each of the names, NAME and NAME_error.
inline std::vector<Column> with_errors(std::vector<Column> columns, const std::vector<std::string>& names,
                                       const std::string& unit) {
  for (const std::string& name : names) columns.insert(columns.end(), {{name, unit}, {name + "_error", unit}});
  return columns;
}
inline void append(std::vector<double>& row, const Estimate& e) { row.insert(row.end(), {e.mean, e.error}); }

}  // namespace livi
