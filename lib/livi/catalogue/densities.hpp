// SPDX-License-Identifier: MIT
//
// The step densities of the library by name: what --density of livi-simulate chooses from.
#pragma once

#include <livi/adaptive/any_density.hpp>

#include <string>
#include <vector>

namespace livi {

enum class DensityKind {
  constant,
  equal_distances,
  inverse_kinetic_energy,
  inverse_acceleration,
  kepler,
  equal_state_distances,
};

/// A density of the catalogue.
struct DensityEntry {
  DensityKind kind;
  std::string name;     ///< in commands
  std::string formula;  ///< W the potential, E0 the energy of the start
  bool of_state;        ///< depends on the velocity, too
  bool has_epsilon;
};

/// Returns all densities.
const std::vector<DensityEntry>& density_entries();
/// Returns the entry of a density.
const DensityEntry& density_entry(DensityKind kind);

/// Makes a density of the position for motions of a system with energy E0; keeps a reference to the system. Throws
/// InvalidParameter for one of the state, or for an epsilon that is not finite and >= 0.
template <class System>
AnyPositionDensity<System> make_position_density(DensityKind kind, const System& system, const ScalarOf<System>& energy,
                                                 const ScalarOf<System>& epsilon) {
  using Any = AnyPositionDensity<System>;
  switch (kind) {
    case DensityKind::constant:
      return Any(ConstantDensity<System>{});
    case DensityKind::equal_distances:
      return Any(EqualDistances<System>(system, energy, epsilon));
    case DensityKind::inverse_kinetic_energy:
      return Any(InverseKineticEnergy<System>(system, energy, epsilon));
    case DensityKind::inverse_acceleration:
      return Any(InverseAcceleration<System>(system, epsilon));
    case DensityKind::kepler:
      return Any(KeplerDensity<System>{});
    case DensityKind::equal_state_distances:
      break;
  }
  throw InvalidParameter("density", density_entry(kind).name, "must be one of the position");
}

/// Makes a density of the state, as make_position_density makes those of the position.
template <class System>
AnyStateDensity<System> make_state_density(DensityKind kind, const System& system, const ScalarOf<System>& epsilon) {
  if (kind != DensityKind::equal_state_distances)
    throw InvalidParameter("density", density_entry(kind).name, "must be one of the state");
  return AnyStateDensity<System>(EqualStateDistances<System>(system, epsilon));
}

}  // namespace livi
