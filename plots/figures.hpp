// SPDX-License-Identifier: MIT
#pragma once

#include "report_data.hpp"

#include <functional>
#include <string>
#include <vector>

namespace livi::plots {

/// A plot: the report it is drawn from, and how. It may draw several files, whose names begin with its own.
struct Plot {
  std::string name;
  std::string experiment;
  std::string what;
  std::function<std::vector<std::filesystem::path>(const ReportData&, const std::filesystem::path& folder)> draw;
};

/// Figure 1 of TO14: fig01 (errors in six rows) and fig01_energy.
Plot fig01();

}  // namespace livi::plots
