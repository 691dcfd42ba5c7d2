// SPDX-License-Identifier: MIT
#pragma once

#include <livi/catalogue/method.hpp>
#include <livi/integrators/odeint_adapter.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/velocity_verlet.hpp>

namespace livi {

inline auto explicit_methods() {
  return std::tuple{
      method<SystemKind::mechanical>({.name = "velocity-verlet",
                                      .type = "VelocityVerlet",
                                      .header = "velocity_verlet.hpp",
                                      .sentence = "For smooth forces: symplectic, with one gradient a step.",
                                      .equation = "kick, drift, kick with a = -M^-1 grad V",
                                      .subjects = {{"VelocityVerlet"}}},
                                     Plain<VelocityVerlet>()),
      method<SystemKind::mechanical>({.name = "symplectic-euler",
                                      .type = "SymplecticEuler",
                                      .header = "symplectic_euler.hpp",
                                      .sentence = "The simplest symplectic method; Verlet costs no more.",
                                      .equation = "kick, drift",
                                      .subjects = {{"SymplecticEuler"}}},
                                     Plain<SymplecticEuler>())};
}

/// Methods that are not geometric, for comparison.
inline auto runge_kutta_methods() {
  return std::tuple{method<SystemKind::mechanical>({.name = "explicit-euler",
                                                    .type = "ExplicitEuler",
                                                    .header = "runge_kutta.hpp",
                                                    .sentence = "The control that every test must reject.",
                                                    .subjects = {{"ExplicitEuler"}}},
                                                   Plain<ExplicitEuler>()),
                    method<SystemKind::mechanical>({.name = "runge-kutta-4",
                                                    .type = "RungeKutta4",
                                                    .header = "runge_kutta.hpp",
                                                    .sentence = "The usual method without structure.",
                                                    .subjects = {{"RungeKutta4"}}},
                                                   Plain<RungeKutta4>())};
}

inline auto odeint_methods() {
  return std::tuple{method<SystemKind::mechanical>({.name = "odeint-velocity-verlet",
                                                    .type = "OdeintVelocityVerlet",
                                                    .header = "odeint_adapter.hpp",
                                                    .sentence = "Velocity Verlet of Boost.Odeint.",
                                                    .subjects = {{"odeint_velocity_verlet"}},
                                                    .allocates = true},
                                                   Plain<OdeintVelocityVerlet>()),
                    method<SystemKind::mechanical>({.name = "odeint-mclachlan",
                                                    .type = "OdeintMcLachlan",
                                                    .header = "odeint_adapter.hpp",
                                                    .sentence = "McLachlan's splitting of order four of Boost.Odeint.",
                                                    .subjects = {{"odeint_mclachlan_sb3a"}},
                                                    .allocates = true},
                                                   Plain<OdeintMcLachlan>())};
}

}  // namespace livi
