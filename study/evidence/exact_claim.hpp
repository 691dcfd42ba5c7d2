// SPDX-License-Identifier: MIT
//
// What an experiment says of a claim that rational functions vanish identically, by one certificate. Programs about
// theorems have certified.hpp, whose claims may have several parts.
#pragma once

#include <limits>
#include <livi/claims/claim.hpp>
#include <livi/diagnostics/certificate.hpp>
#include <string>
#include <utility>

namespace livi {

/// Returns the claim as proved, disproved or, without a number, undecided. Its note is the certificate in words if it
/// has none.
inline Claim decided_by(const Certificate& found, Claim claim) {
  claim.measured = found.proved() ? 0.0 : found.disproved() ? found.nonzero : std::numeric_limits<double>::quiet_NaN();
  claim.unit = "functions";
  claim.interval = {0, 0};
  claim.evidence = found.proved() ? Evidence::proved : found.disproved() ? Evidence::disproved : Evidence::measured;
  if (found.proved()) claim.probability_bound = found.probability;
  if (claim.note.empty()) claim.note = found.describe();
  return claim;
}

/// Returns a wrong case of such a claim as its control.
inline Control wrong_case(const std::string& name, const Certificate& found) {
  return {.name = name, .measured = static_cast<double>(found.nonzero), .interval = {0, 0}, .note = found.describe()};
}

}  // namespace livi
