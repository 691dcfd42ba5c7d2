// SPDX-License-Identifier: MIT
//
// What every experiment program does around its measurements: options, refusals, progress, the report.
#pragma once

#include <functional>
#include <iostream>
#include <livi/report/report.hpp>
#include <livi/report/text.hpp>
#include <string>
#include <vector>

namespace livi {

struct ExperimentOptions {
  std::string out = "results";
  bool quick = false;
};

/// An option of one experiment. The parser of options is compiled once, with run_experiment.
struct ExperimentOption {
  std::string name;  ///< without its dashes
  double* value;     ///< its default, which what the user gives replaces
  std::string description;
};

/// The options of an experiment besides --out and --quick.
struct OwnOptions {
  std::vector<ExperimentOption> numbers = {};
  unsigned* threads = nullptr;  ///< threads of an experiment whose report does not depend on them: from 1 to 1024
};

/// Says what is being done, with the fraction done where that is known; standard error, so that reports can be piped.
inline void say_progress(const std::string& what, double fraction = -1) {
  std::cerr << "  " << what;
  if (fraction >= 0) std::cerr << "  " << static_cast<int>(100 * fraction) << " %";
  std::cerr << "\n";
}

/// Parses --out, --quick and its `own` options, makes sure before any work that the folder can be written
/// to, runs `measure` on a fresh report, writes it and prints its claims. Exit status: 0, or 2 with a message.
int run_experiment(int argc, char** argv, const std::string& name, const Source& source, const std::string& description,
                   const OwnOptions& own, const std::function<void(Report&, const ExperimentOptions&)>& measure);

}  // namespace livi
