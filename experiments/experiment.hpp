// SPDX-License-Identifier: MIT
//
// What every experiment program does around its measurements: options, refusals, progress, the report.
#pragma once

#include <functional>
#include <iostream>
#include <livi/report/report.hpp>
#include <string>

namespace CLI {
class App;  // only an experiment with options of its own includes the parser
}

namespace livi {

struct ExperimentOptions {
  std::string out = "results";
  bool quick = false;
};

/// Says what is being done, with the fraction done where that is known; standard error, so that reports can be piped.
inline void say_progress(const std::string& what, double fraction = -1) {
  std::cerr << "  " << what;
  if (fraction >= 0) std::cerr << "  " << static_cast<int>(100 * fraction) << " %";
  std::cerr << "\n";
}

/// Parses --out and --quick (and what `add_options` adds), makes sure before any work that the folder can be written
/// to, runs `measure` on a fresh report, writes it and prints its claims. Exit status: 0, or 2 with a message.
int run_experiment(int argc, char** argv, const std::string& name, const Source& source, const std::string& description,
                   const std::function<void(CLI::App&)>& add_options,
                   const std::function<void(Report&, const ExperimentOptions&)>& measure);

}  // namespace livi
