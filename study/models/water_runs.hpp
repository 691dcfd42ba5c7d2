// SPDX-License-Identifier: MIT
//
// How runs of water clusters begin: from a minimum of the rigid energy, with velocities of a temperature, and then
// equilibrated, so that potential energy and (of the penalised model) the vibrations of the sides have it, too.
#pragma once

#include <livi/integrators/multiplier_solve.hpp>
#include <livi/stochastic/geometric_langevin.hpp>
#include <livi/systems/water_cluster.hpp>

#include <stdexcept>

namespace livi::water {

/// Streams of random numbers of a seed: 0 is the bath's.
constexpr std::uint64_t stream_of_velocities = 1, stream_of_equilibration = 2;

/// The part of the velocities v that keeps the constraints of the system, if it has any.
template <class System>
Vector<double, Dynamic> rigid_part(const System& system, const Vector<double, Dynamic>& q, Vector<double, Dynamic> v) {
  if constexpr (Constrained<System>) {
    MultiplierSolve<System> solve(system, {});
    solve.set_directions(system, q);
    typename System::multiplier_type kappa;
    WorkCounters work;
    if (const StepOutcome outcome = solve.project_velocity(system, q, v, kappa, work); !outcome.ok())
      throw std::runtime_error("velocities that keep the constraints: " + outcome.describe());
  }
  return v;
}

/// Velocities of the Maxwell distribution at q, tangent where there are constraints.
template <class System>
Vector<double, Dynamic> maxwell_velocities(const System& system, const Vector<double, Dynamic>& q,
                                           double inverse_temperature, std::uint64_t seed) {
  Vector<double, Dynamic> v = normal_numbers(seed, q.size(), stream_of_velocities);
  for (Eigen::Index i = 0; i < v.size(); ++i) v(i) *= std::sqrt(system.mass().reciprocal(i) / inverse_temperature);
  return rigid_part(system, q, v);
}

/// Degrees of freedom per molecule that are motions of its oxygen, and of its hydrogens.
struct Freedoms {
  double oxygen = 3, hydrogen = 6;
};
/// Returns the freedoms of a rigid molecule: the traces of I - M^-1 G^T (G M^-1 G^T)^-1 G over the coordinates of its
/// oxygen and of its hydrogens. Together 6.
inline Freedoms tangent_freedoms() {
  const auto molecule = water_cluster<double>(1);
  const Vector<double, Dynamic> q = water_molecule(tip3p<double>());
  Freedoms sum{0, 0};
  for (Eigen::Index i = 0; i < 9; ++i)
    (i < 3 ? sum.oxygen : sum.hydrogen) += rigid_part(molecule, q, Vector<double, Dynamic>::Unit(9, i))(i);
  return sum;
}

/// Ten times the friction of the bath: molecules forget their velocity in m/(30 gamma), 60 units of time for gamma =
/// 0.01, instead of 600.
constexpr double strong_friction = 10;

/// Langevin dynamics with strong friction until z.steps is `steps`, or goes_on() false, which is asked before each
/// step. With z.steps = 0 the state is then the start of a run with the bath itself; before, all that continues the
/// equilibration to the last bit. Noise of a stream of its own.
template <class Method, class State, class GoesOn>
StepOutcome equilibrate(const Method& method, State& z, Bath<double> bath, double h, long steps, std::uint64_t seed,
                        const GoesOn& goes_on) {
  bath.gamma *= strong_friction;
  GeometricLangevin langevin(method, bath, NormalNumbers(seed, stream_of_equilibration));
  while (z.steps < static_cast<std::uint64_t>(steps) && goes_on())
    if (const StepOutcome outcome = langevin.step(z, h); !outcome.ok()) return outcome;
  return {};
}

}  // namespace livi::water
