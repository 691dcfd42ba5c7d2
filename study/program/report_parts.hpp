// SPDX-License-Identifier: MIT
//
// What the entries of a report have in common, said once: the unit and the tolerance of several measurements, the unit
// of several columns, the interval of a claim and of its controls.
#pragma once

#include <initializer_list>
#include <livi/claims/claim.hpp>
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

/// Returns the claim with its interval in all its controls: they are cases of it, measured in the same way.
inline Claim in_one_interval(Claim claim) {
  for (Control& control : claim.controls) control.interval = claim.interval;
  return claim;
}

}  // namespace livi
