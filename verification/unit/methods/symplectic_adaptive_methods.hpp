// SPDX-License-Identifier: MIT
//
// Every method with adaptive steps that is symplectic in the extended phase space, for tests that go through them.
#pragma once

#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>

namespace livi {

/// Calls f with a maker of each method that is symplectic.
template <class System, class Density, class Function>
void for_each_symplectic(const Density& density, const Function& f) {
  for (const StepParts parts : {StepParts::kick_drift_kick, StepParts::drift_kick_drift})
    f(parts == StepParts::kick_drift_kick ? "Hamiltonian, kick first" : "Hamiltonian, drift first",
      [&density, parts](const System& s) { return HamiltonianAdaptiveVerlet<System, Density>(s, density, parts); });
  f("variational, start",
    [&](const System& s) { return VariationalAdaptiveVerlet<System, Density>(s, density, StepRule::start); });
  f("variational, mean",
    [&](const System& s) { return VariationalAdaptiveVerlet<System, Density>(s, density, StepRule::mean); });
  f("variational, midpoint",
    [&](const System& s) { return VariationalAdaptiveVerlet<System, Density>(s, density, StepRule::midpoint); });
  f("variational, weights by the density", [&](const System& s) {
    return VariationalAdaptiveVerlet<System, Density>(s, density, StepRule::mean, PotentialWeight::density);
  });
}

}  // namespace livi
