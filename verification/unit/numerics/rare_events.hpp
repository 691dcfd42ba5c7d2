// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace livi::test {

/// How often something that is as rare as `probability` happens at most in n cases: four standard deviations of the
/// binomial number and one, which chance passes in less than 1 of 10^4 tests.
inline double at_most(double probability, int n) { return n * probability + 4 * std::sqrt(n * probability) + 1; }
/// How often it happens at least in n cases, but for the same chance.
inline double at_least(double probability, int n) { return n * probability - 4 * std::sqrt(n * probability) - 1; }

}  // namespace livi::test
