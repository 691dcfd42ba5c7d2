// SPDX-License-Identifier: MIT
#include <livi/integrators/odeint_adapter.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/velocity_verlet.hpp>

#include <livi/catalogue/library_subjects.hpp>

namespace livi {

std::vector<NamedSubject> explicit_subjects() {
  std::vector<NamedSubject> list;
  list.push_back(mechanical("VelocityVerlet", []<class System>(const System& s) { return VelocityVerlet<System>(s); }));
  list.push_back(
      mechanical("SymplecticEuler", []<class System>(const System& s) { return SymplecticEuler<System>(s); }));
  list.push_back(mechanical("ExplicitEuler", []<class System>(const System& s) { return ExplicitEuler<System>(s); }));
  list.push_back(mechanical("RungeKutta4", []<class System>(const System& s) { return RungeKutta4<System>(s); }));
  list.push_back(mechanical("odeint_velocity_verlet",
                            []<class System>(const System& s) { return OdeintVelocityVerlet<System>(s); }));
  list.push_back(
      mechanical("odeint_mclachlan_sb3a", []<class System>(const System& s) { return OdeintMcLachlan<System>(s); }));
  return list;
}

}  // namespace livi
