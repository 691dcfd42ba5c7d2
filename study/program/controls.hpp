// SPDX-License-Identifier: MIT
//
// Controls that are judged by an interval and say nothing more.
#pragma once

#include <livi/claims/claim.hpp>
#include <string>

namespace livi {

/// A case in which the claim does not hold: it must fall outside of the interval.
inline Control failing(const std::string& name, double measured, const Interval& interval) {
  return {.name = name, .measured = measured, .interval = interval};
}
/// A case in which the claim holds: it must lie in the interval.
inline Control passing(const std::string& name, double measured, const Interval& interval) {
  return {.name = name, .measured = measured, .interval = interval, .expected = Expected::passes};
}
/// A case of the claim's own sentence in other circumstances: in the interval it supports it, outside it contradicts.
inline Control evidence(const std::string& name, double measured, const Interval& interval) {
  return {.name = name, .measured = measured, .interval = interval, .expected = Expected::evidence};
}

}  // namespace livi
