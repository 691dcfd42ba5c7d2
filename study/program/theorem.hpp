// SPDX-License-Identifier: MIT
//
// What every program about a theorem does: its tests decide claims, ctest runs them one by one, and with --out the
// program writes the report of all of them, as an experiment does.
#pragma once

#include <gtest/gtest.h>

#include <livi/report/report.hpp>
#include <livi/report/text.hpp>
#include <string>

namespace livi::theorem {

/// The report of this program, for measurements, parameters, series and timings beside the claims.
Report& report();

/// Judges the claim, adds it to the report and expects the verdict that the registry has: what a referee should find
/// today. A test whose verdict has changed fails with the measured number and its interval.
void expect_verdict(Claim claim);

/// Each program defines this function: its name (that of the file and of the report), what it is about, one sentence.
struct Program {
  std::string name;
  Source source;
  std::string description;
};
Program this_program();

}  // namespace livi::theorem
