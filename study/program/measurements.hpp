// SPDX-License-Identifier: MIT
//
// Several measurements with one unit and one tolerance, and several columns with one unit, which are said once.
#pragma once

#include <initializer_list>
#include <livi/report/report.hpp>
#include <string>
#include <vector>

namespace livi {

struct NamedValue {
  std::string name;
  double value;
};

/// Adds the measurements in this order.
inline void add_measurements(Report& report, std::initializer_list<NamedValue> values, const std::string& unit,
                             const Tolerance& tolerance = {}) {
  for (const auto& [name, value] : values)
    report.measurement({.name = name, .value = value, .unit = unit, .tolerance = tolerance});
}

/// Returns the first columns and those with these names.
inline std::vector<Column> columns(std::vector<Column> first, std::initializer_list<const char*> names,
                                   const std::string& unit = "") {
  for (const char* name : names) first.push_back({name, unit});
  return first;
}

}  // namespace livi
