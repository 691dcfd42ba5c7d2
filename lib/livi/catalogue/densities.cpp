// SPDX-License-Identifier: MIT
#include <livi/catalogue/densities.hpp>

#include <algorithm>

namespace livi {

const std::vector<DensityEntry>& density_entries() {
  using enum DensityKind;
  static const std::vector<DensityEntry> entries{
      {constant, "constant", "1", false, false},
      {equal_distances, "equal-distances", "(E0 - W + epsilon)^(-1/2)", false, true},
      {inverse_kinetic_energy, "inverse-kinetic-energy", "1 / (E0 - W + epsilon)", false, true},
      {inverse_acceleration, "inverse-acceleration", "(|M^-1 grad W|^2 + epsilon)^(-1/2)", false, true},
      {kepler, "kepler", "|q|^(3/2)", false, false},
      {equal_state_distances, "equal-state-distances", "(|v|^2 + |M^-1 grad W|^2 + epsilon)^(-1/2)", true, true}};
  return entries;
}

const DensityEntry& density_entry(DensityKind kind) {
  return *std::ranges::find(density_entries(), kind, &DensityEntry::kind);
}

}  // namespace livi
