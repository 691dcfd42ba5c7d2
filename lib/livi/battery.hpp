// SPDX-License-Identifier: MIT
//
// Verify your own integrator. A step that remembers nothing between steps:
//
//   #include <livi/battery.hpp>
//
//   int main(int argc, char** argv) {
//     return livi::battery(argc, argv, {.name = "mine", .order = 2, .symmetric = true, ...},
//                          [](const auto& system, auto& q, auto& v, const auto& h) { ... system.acceleration(q, a); ... });
//   }
//
// Any other method, made once for a system:
//
//   template <class System> struct MyMethod {
//     const System& system;
//     static livi::Properties declares() { return {.name = "mine", .order = 2, .symmetric = true, ...}; }
//     void step(auto& q, auto& v, const auto& h) const { ... system.acceleration(q, a); ... }
//   };
//
//   int main(int argc, char** argv) { return livi::battery<MyMethod>(argc, argv); }
//
// Link livi::battery. The method is compiled for double, for 50 digits, for dual numbers over them, and for exact
// numbers. If its step only adds, subtracts, multiplies and divides, its symplecticity, symmetry, momentum maps, order
// and linear stability are not only measured but decided exactly (diagnostics/certificate.hpp). Otherwise it declares
// `.rational = false`. More freedom (states of its own, options, failures, maps to canonical coordinates) is described
// in diagnostics/mechanical_subject.hpp.
#pragma once

#include <type_traits>

#include <livi/claims/battery.hpp>
#include <livi/claims/heat_bath_battery.hpp>

namespace livi {

/// Runs the battery on a subject as a program, which prints the table on standard output. Options: `--out FOLDER` also
/// writes a report, `--quick` makes a short run, `--only ROW...` runs a part of the rows, `--seed N` takes other random
/// problems, points and primes, `--certificate FILE` writes what was decided exactly, for others to check
/// (certificate_file.hpp), `--strict` asks that properties that are not declared be seen to fail. Returns an ExitCode; 2 also if the
/// options cannot be understood.
int battery_program(const Subject& subject, int argc, char** argv);

/// Returns the table of a result, as printed.
std::string battery_table(const BatteryResult& result);

/// Runs battery_program on Method<AnySystem<S>>, constructed from a system.
template <template <class> class Method>
int battery(int argc, char** argv) {
  return battery_program(MechanicalSubject(construct_from_system<Method>), argc, argv);
}

/// A method that is one step and nothing else.
template <class Step>
struct StepAlone {
  static inline Properties declared;
  template <class System>
  struct Method {
    const System& system;
    static Properties declares() { return declared; }
    void step(auto& q, auto& v, const auto& h) const { Step()(system, q, v, h); }
  };
};
/// Runs battery_program on a step for every number type, a lambda without captures: `step(system, q, v, h)` moves q and v by h;
/// `system.acceleration(q, a)` is a = -M^-1 grad V(q).
template <class Step>
int battery(int argc, char** argv, const Properties& declared, Step) requires std::is_empty_v<Step> {
  StepAlone<Step>::declared = declared;
  return battery<StepAlone<Step>::template Method>(argc, argv);
}

/// Runs battery_program on Method<AnyBody<S>>, an integrator for rigid bodies: `step(q, w, h)` with the attitude q
/// (3 x 3) and the angular velocity w in body axes; `system.acceleration(w, system.torque(q))` is W'
/// (diagnostics/body_subject.hpp). Among its rows is the stress test of BOS09.
template <template <class> class Method>
int rigid_body_battery(int argc, char** argv) {
  return battery_program(BodySubject(construct_from_system<Method>), argc, argv);
}

/// Runs battery_program on Method<AnySeparable<S>>, an integrator for H(q, p, t) = T(p) + V(q, t): `step(q, p, t, h)`
/// with q and p by reference and t the time at the beginning of the step; `system.velocity(p, out)` is grad T,
/// `system.force(q, t, out)` is -grad V (diagnostics/separable_subject.hpp).
template <template <class> class Method>
int separable_battery(int argc, char** argv) {
  return battery_program(SeparableSubject(construct_from_system<Method>), argc, argv);
}

/// Runs battery_program on Method<AnySystem<S>>, a method with adaptive steps that brings its own step density:
/// `start(q, v)` returns a state with the time `t`, `step(state, h)` makes a fictitious step of size h
/// (diagnostics/adaptive_subject.hpp).
template <template <class> class Method>
int adaptive_battery(int argc, char** argv) {
  return battery_program(AdaptiveSubject(construct_from_system<Method>), argc, argv);
}
/// Runs battery_program on Method<AnySystem<S>, Density>, a method with adaptive steps for any density of the position,
/// made of a system and a density (adaptive/step_density.hpp).
template <template <class, PositionDensity> class Method>
int adaptive_battery(int argc, char** argv) {
  return battery_program(AdaptiveSubject(construct_from_density<Method>), argc, argv);
}

/// Runs battery_program on Method<System>, a method for constrained systems under noise: `step(state, h, noises)` with one
/// NoiseIntegrals for each noise potential, and StochasticProperties declared (diagnostics/stochastic_subject.hpp).
template <template <class> class Method>
int stochastic_battery(int argc, char** argv) {
  return battery_program(StochasticSubject(construct_from_system<Method>), argc, argv);
}

}  // namespace livi
