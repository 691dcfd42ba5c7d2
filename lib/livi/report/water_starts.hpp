// SPDX-License-Identifier: MIT
//
// Starting clusters of rigid TIP3P water, minima of TO14 (24) under (25), found by livi-water-minima. They are part of
// the library, so that programs need no file at run time:
//   heptamer, heptamer-2, ..., heptamer-6   (H2O)_7, the lowest six minima
//   dimer                                   the lowest minimum
//   hundred                                 a low minimum of 100 molecules
// The remarks of each frame give its energy in kcal/mol, the smallest curvature at the minimum and how it was found.
// The centre of mass is at the origin; the numbers are doubles, so that molecules have their shape to rounding.
#pragma once

#include <livi/report/xyz.hpp>

namespace livi {

std::vector<std::string> water_start_names();

/// Returns a starting cluster. For an unknown name throws InvalidParameter, which lists the names.
WaterFrame water_start(const std::string& name);

}  // namespace livi
