// SPDX-License-Identifier: MIT
//
// Tests of the vectorised kernels: with every instruction set, and in units in the last place.
#pragma once

#include <hwy/targets.h>

#include <cmath>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/vectorised_morse_pairing.hpp>
#include <set>
#include <string>

namespace livi::test {

/// |x - exact| in units in the last place of exact.
inline double ulps(double x, const Float50& exact) {
  int exponent = 0;
  std::frexp(exact.convert_to<double>(), &exponent);
  return (abs(Float50(x) - exact) / Float50(std::ldexp(1.0, std::max(exponent, -1021) - 53))).convert_to<double>();
}

/// Calls check(name) with each instruction set that Highway has compiled and this processor has.
template <class Check>
void with_each_instruction_set(const Check& check) {
  std::set<std::string> seen;
  const auto have = hwy::SupportedTargets();
  for (auto rest = have; rest != 0; rest &= rest - 1) {
    hwy::SetSupportedTargetsForTest(rest & -rest);
    hwy::GetChosenTarget().DeInit();
    if (seen.insert(livi::vectorised_instructions()).second) check(livi::vectorised_instructions());
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

}  // namespace livi::test
