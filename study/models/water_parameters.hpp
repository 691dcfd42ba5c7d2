// SPDX-License-Identifier: MIT
//
// What TO14 prints for its water clusters (4.3), in Angstrom, atomic mass units and kcal/mol (units are not printed).
#pragma once

#include <limits>

namespace livi::water {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr double printed_omega = 20, printed_step = 0.05, printed_friction = 0.01, printed_inverse_temperature = 50;
/// Newmark's. Not printed for 4.3: the least that is stable for every h.
constexpr double chosen_beta = 0.25;

}  // namespace livi::water
