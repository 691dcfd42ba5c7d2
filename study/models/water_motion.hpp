// SPDX-License-Identifier: MIT
//
// What the experiments on the motion of a water cluster without noise share (TO14 4.3, Figures 5 and 6): the cluster,
// its starts, the two momenta.
//
// Not printed in TO14, chosen here: units (Angstrom, atomic mass units, kcal/mol), Newmark's beta, positions and
// velocities at the start. A start is the minimum of the energy of seven rigid molecules with velocities of the Maxwell
// distribution of twice the temperature, projected to rigid motions: when half of the kinetic energy has become
// potential energy, the temperature is the printed one.
//
// Two starts of the penalised model have these velocities:
//   rigid      positions of the rigid minimum, g = 0 as Theorem 1.2 asks for. The forces between molecules load the
//              sides, which are then not at rest: they start to vibrate, with the energy |lambda|^2 / (2 omega^2);
//   relaxed    positions of the minimum of (26): no such vibration.
#pragma once

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <livi/integrators/rattle.hpp>
#include <livi/linalg/normal_numbers.hpp>
#include <livi/linalg/three_vector.hpp>
#include <livi/report/water_starts.hpp>
#include <livi/systems/vectorised_water.hpp>
#include <livi/trajectory/trajectory.hpp>

#include "study/statistics/estimate.hpp"
#include "water_parameters.hpp"
#include "water_runs.hpp"

namespace livi::water {

using V = Vector<double, Dynamic>;
using Dense = DenseHessian<double, Dynamic>;
using PairPotential = VectorisedWaterPotential;

constexpr Eigen::Index heptamer_size = 7;

/// N rigid molecules, forces vectorised; `Hessian` is the structure that the Hessian of the penalty shall have.
template <class Hessian = TriangleHessian<double>>
auto rigid_cluster(Eigen::Index molecules) {
  const auto plain = water_cluster<double, Hessian>(molecules);
  return ConstrainedSystem<DiagonalMass<double, Dynamic>, PairPotential, WaterRigidity<double, Hessian>>(
      plain.mass(), PairPotential(plain.potential().model), plain.constraint());
}
using Rigid = decltype(rigid_cluster(1));

/// (26), for methods that need the Hessian of the penalty alone.
inline auto stiff_cluster(Eigen::Index molecules, double omega) { return penalised(rigid_cluster(molecules), omega); }
using Stiff = decltype(stiff_cluster(1, 1));

/// (26) with its whole Hessian.
inline auto dense_cluster(Eigen::Index molecules, double omega) {
  return penalised(rigid_cluster<Dense>(molecules), omega);
}
using WithHessian = decltype(dense_cluster(1, 1));

using Vector3d = Vector<double, 3>;

template <class Mass>
Vector3d linear_momentum(const Mass& mass, const V& v) {
  Vector3d sum = Vector3d::Zero();
  for (Eigen::Index i = 0; i < v.size(); ++i) sum(i % 3) += mass.diagonal(i) * v(i);
  return sum;
}

struct Start {
  V q, v;
};

/// Velocities of the Maxwell distribution for the energy `kt` per degree of freedom, projected to rigid motions; the
/// cluster as a whole is at rest but may turn.
inline V rigid_velocities(const Rigid& system, const V& q, double kt, std::uint64_t seed) {
  V v = normal_numbers(seed, q.size());
  for (Eigen::Index i = 0; i < v.size(); ++i) v(i) *= std::sqrt(kt / system.mass().diagonal(i));
  v = rigid_part(system, q, v);
  const Vector3d momentum = linear_momentum(system.mass(), v);
  double mass = 0;
  for (Eigen::Index i = 0; i < v.size(); ++i) mass += system.mass().diagonal(i) / 3;
  for (Eigen::Index i = 0; i < v.size(); ++i) v(i) -= momentum(i % 3) / mass;
  return v;
}

/// The start of a seed: the minimum with velocities of twice the printed temperature.
inline Start rigid_start(const Rigid& system, const V& minimum, std::uint64_t seed) {
  return {minimum, rigid_velocities(system, minimum, 2 / printed_inverse_temperature, seed)};
}

/// The minimum of (26) near a rigid one, by Newton's method. The energy does not change with motions of the whole
/// cluster: a small multiple of the unit matrix keeps the steps away from them.
inline V relaxed_minimum(const WithHessian& system, V q) {
  V gradient = q;
  Dense hessian(q.size());
  for (int iteration = 0; iteration < 100; ++iteration) {
    system.potential().gradient_and_hessian(q, gradient, hessian);
    hessian.matrix.diagonal().array() += 1e-4;
    const V step = hessian.matrix.selfadjointView<Eigen::Lower>().ldlt().solve(gradient);
    q -= step;
    if (step.norm() < 1e-10) return q;
  }
  throw std::runtime_error("relaxed minimum: no convergence");
}

/// The lowest minimum of the energy of seven rigid molecules (water_starts.hpp).
inline V heptamer() { return water_start("heptamer").q; }

/// About the origin.
template <class Mass>
Vector3d angular_momentum(const Mass& mass, const V& q, const V& v) {
  Vector3d sum = Vector3d::Zero();
  for (Eigen::Index i = 0; i < v.size(); i += 3) {
    const Vector3d r = q.segment<3>(i), w = v.segment<3>(i);
    sum += mass.diagonal(i) * cross<double>(r, w);
  }
  return sum;
}
template <class Mass>
double kinetic_energy(const Mass& mass, const V& v) {
  double sum = 0;
  for (Eigen::Index i = 0; i < v.size(); ++i) sum += mass.diagonal(i) * v(i) * v(i) / 2;
  return sum;
}

}  // namespace livi::water
