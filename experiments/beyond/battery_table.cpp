// SPDX-License-Identifier: MIT
// Experiment: the battery on every integrator of the library: declared against measured
#include <cmath>
#include <livi/diagnostics/measures.hpp>

#include <livi/catalogue/library_subjects.hpp>
#include "study/evidence/battery_statements.hpp"
#include "study/program/experiment.hpp"

namespace {

using namespace livi;

/// How a measurement of the battery may move before the regression calls it a change.
Tolerance tolerance_of(const BatteryRow& row) {
  if (row.test == "linear stability") return {.relative = 1e-5};
  // Roundings differ between machines: any number below the bound is as good.
  if (row.claim.unit == "epsilon") return {.absolute = row.claim.interval.high};
  if (row.test == "energy drift") return {.absolute = 1e-9};
  // Residuals at rounding level may be any number below the floor; real defects are reproducible.
  if (row.claim.interval.low == 0 && row.claim.interval.high < 1e-40) return {.absolute = 1e-45};
  return {.absolute = 1e-12, .relative = 1e-6};
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(
      argc, argv, "battery_table", {"livi", "the battery", "all integrators"},
      "the battery on every integrator of the library", {}, [](Report& report, const ExperimentOptions& options) {
        const auto subjects = library_subjects();
        BatteryStatements statements;
        std::size_t done = 0;
        int failed = 0;
        for (const auto& [name, subject] : subjects) {
          say_progress(name, static_cast<double>(done++) / static_cast<double>(subjects.size()));
          const BatteryResult result = run_battery(*subject, {.quick = options.quick, .strict = true});
          failed += result.exit_status() != (options.quick ? 3 : 0);
          report.count(name + ".exit_status", result.exit_status());
          for (const BatteryRow& row : result.rows) {
            const std::string entry = name + "." + row.test;
            statements.add(name, row);
            if (!std::isfinite(row.claim.measured)) continue;  // does not apply
            report.measurement(
                {.name = entry,
                 .value = row.claim.measured,
                 .unit = row.claim.unit,
                 .tolerance = row.claim.unit == "order" ? Tolerance{.absolute = 0.05} : tolerance_of(row),
                 .h_exponent = row.h_exponent});
          }
        }
        statements.write(report);
        report.seed("judge", judge_seed());
        report.count("integrators", static_cast<long>(subjects.size()));
        report.count("integrators_that_are_not_what_they_declare", failed);
      });
}
