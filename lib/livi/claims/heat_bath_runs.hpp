// SPDX-License-Identifier: MIT
//
// Runs of heat baths, as all measures make them. Only for the battery's own sources.
#pragma once

#include <livi/claims/battery/rows.hpp>
#include <livi/diagnostics/heat_bath_subject.hpp>
#include <livi/diagnostics/seed.hpp>
#include <memory>
#include <stdexcept>
#include <string>

namespace livi::battery_detail {

using D = BathStepper::D;

/// Returns a run with the numbers of the judge's seed and a stream.
inline std::unique_ptr<BathStepper> run_of(const AnyHeatBathSubject& subject, std::size_t problem,
                                           const Bath<double>& bath, std::uint64_t stream) {
  return subject.in_bath(problem, bath, BathNumbers(judge_seed(), stream));
}
/// Makes steps. A step that cannot be made throws std::runtime_error.
inline void steps(BathStepper& run, double h, int count) {
  for (int k = 0; k < count; ++k)
    if (const StepOutcome outcome = run.step(h); !outcome.ok())
      throw std::runtime_error(std::string("on ") + run.name() + ": " + outcome.describe());
}
/// Returns the name of a problem in a bath.
inline std::string named(const char* problem, const Bath<double>& bath) {
  return format("%s, gamma %g, beta %g", problem, bath.gamma, bath.inverse_temperature);
}

}  // namespace livi::battery_detail
