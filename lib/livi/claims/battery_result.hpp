// SPDX-License-Identifier: MIT
//
// What the battery is asked for and what it answers. Whoever only reads rows needs no subject of any kind.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <livi/claims/exit_code.hpp>
#include <livi/integrators/integrator.hpp>

namespace livi {

struct BatteryOptions {
  /// Skips the long runs of energy, the long stress test, and the finest steps of the convergence table: for smoke
  /// tests, never for a verdict. The result is marked, and its exit status is not 0.
  bool quick = false;
  /// The names of the rows that are asked for ("symplectic"); all if empty. Only the tests that write them run, which
  /// may write others, too. A part is no verdict: the result is marked like a quick one. A name that no test writes
  /// throws InvalidParameter.
  std::vector<std::string> only = {};
  /// Asks that properties which are not declared (symplectic, symmetric, momenta, manifolds) be seen to fail. Otherwise they are
  /// measured and not judged.
  bool strict = false;
  /// Called with the name of each test as it begins.
  std::function<void(const std::string&)> progress = {};
};

/// One test of the battery: a claim with its verdict, and details for a table.
struct BatteryRow {
  std::string test;                                 ///< "order of q", "symplectic", ...
  std::string declared;                             ///< what the method declares: "2", "yes", "no", "-"
  Claim claim;                                      ///< claim.verdict is final
  std::string detail;                               ///< exponents, tables, in words
  std::optional<double> h_exponent = std::nullopt;  ///< power of h with which an existing defect scales
  bool undeclared = false;                          ///< a property that is not declared: only a strict run judges it
};

struct BatteryResult {
  Properties declares;
  std::vector<BatteryRow> rows;
  bool quick = false;
  std::vector<std::string> only = {};  ///< the rows asked for, where these were not all
  std::uint64_t seed = 0;              ///< seed of what was drawn at random

  /// Returns the ExitCode.
  [[nodiscard]] int exit_status() const { return static_cast<int>(exit_code(rows, quick || !only.empty())); }
};

}  // namespace livi
