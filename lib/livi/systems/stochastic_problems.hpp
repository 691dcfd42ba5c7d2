// SPDX-License-Identifier: MIT
//
// Mechanical systems under noise, with their starts: a pendulum on the sphere and one on the cylinder, a double pendulum in
// space, a rigid molecule of water in a field that fluctuates, a particle on a plane.
#pragma once

#include <livi/systems/distance_constraints.hpp>
#include <livi/systems/stochastic_system.hpp>
#include <livi/systems/water_cluster.hpp>

namespace livi {

/// The potential V = a . q: uniform fields.
template <class S, int N>
struct UniformField {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  using hessian_type = DenseHessian<S, N>;
  static constexpr int dimension = N;
  static constexpr bool is_linear = true;
  vector_type slope;  ///< a

  S value(const vector_type& q) const {
    S sum(0);
    for (Eigen::Index i = 0; i < q.size(); ++i) sum += slope(i) * q(i);
    return sum;
  }
  void gradient(const vector_type&, vector_type& out) const { out = slope; }
  void hessian(const vector_type&, hessian_type& h) const { h.set_zero(); }
  void third(const vector_type&, const vector_type&, vector_type& out) const { out.setConstant(S(0)); }
};

/// The potential V = q . A q / 2 with symmetric A.
template <class S, int N>
struct QuadraticPotential {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  using hessian_type = DenseHessian<S, N>;
  static constexpr int dimension = N;
  Matrix<S, N> matrix;  ///< A

  S value(const vector_type& q) const {
    S sum(0);
    for (Eigen::Index i = 0; i < q.size(); ++i) sum += row(i, q) * q(i);
    return sum / S(2);
  }
  void gradient(const vector_type& q, vector_type& out) const {
    for (Eigen::Index i = 0; i < q.size(); ++i) out(i) = row(i, q);
  }
  void hessian(const vector_type&, hessian_type& h) const { h.matrix = matrix; }
  void third(const vector_type&, const vector_type&, vector_type& out) const { out.setConstant(S(0)); }

 private:
  S row(Eigen::Index i, const vector_type& q) const {
    S sum(0);
    for (Eigen::Index j = 0; j < q.size(); ++j) sum += matrix(i, j) * q(j);
    return sum;
  }
};

/// A stochastic system and where it starts.
template <class System>
struct StochasticProblem {
  System system;
  typename System::vector_type q, v;
};

template <class S, class Noise>
using SpherePendulum = StochasticSystem<ScalarMass<S, 3>, UniformField<S, 3>, RoundConstraint<S, 3>, Noise>;
template <class S, class Noise>
using CylinderPendulum = StochasticSystem<ScalarMass<S, 3>, QuadraticPotential<S, 3>, RoundConstraint<S, 3, 2>, Noise>;
template <class S, class Noise>
using DoubleSpherePendulum = StochasticSystem<FullMass<S, 6>, UniformField<S, 6>, RodConstraints<S, 2, 2>, Noise>;
template <class S>
using WaterInField =
    StochasticSystem<DiagonalMass<S, 9>, UniformField<S, 9>, RodConstraints<S, 3, 3>, LinearNoise<S, 9, 3>>;
template <class S, class Noise>
using PlaneParticle = StochasticSystem<ScalarMass<S, 3>, UniformField<S, 3>, PlaneConstraint<S, 3>, Noise>;

/// Returns the noises gamma = sigma q_i for the listed coordinates i of N.
template <class S, int N, std::size_t K>
LinearNoise<S, N, static_cast<int>(K)> coordinate_noise(const S& sigma, const std::array<int, K>& coordinates) {
  auto forces = zeros<Matrix<S, N, static_cast<int>(K)>>();
  for (std::size_t i = 0; i < K; ++i) forces(coordinates[i], static_cast<Eigen::Index>(i)) = sigma;
  return {forces};
}

/// Returns a pendulum on the unit sphere: M = I, V = z, from q = (3/5, 0, -4/5) with v = (2/5, 1, 3/10), which is tangent.
template <class S, class Noise>
StochasticProblem<SpherePendulum<S, Noise>> sphere_pendulum(Noise noise) {
  Vector<S, 3> up, q, v;
  up << S(0), S(0), S(1);
  q << ratio<S>(3, 5), S(0), ratio<S>(-4, 5);
  v << ratio<S>(2, 5), S(1), ratio<S>(3, 10);
  return {{ScalarMass<S, 3>(S(1)), {up}, {S(1)}, std::move(noise)}, q, v};
}

/// Returns a particle on the unit cylinder x^2 + y^2 = 1: M = I, V = x z + z^2/2, from q = (3/5, 4/5, 3/10) with
/// v = (-4/5, 3/5, 2/5).
template <class S, class Noise>
StochasticProblem<CylinderPendulum<S, Noise>> cylinder_pendulum(Noise noise) {
  auto a = zeros<Matrix<S, 3>>();
  a(0, 2) = a(2, 0) = a(2, 2) = S(1);
  Vector<S, 3> q, v;
  q << ratio<S>(3, 5), ratio<S>(4, 5), ratio<S>(3, 10);
  v << ratio<S>(-4, 5), ratio<S>(3, 5), ratio<S>(2, 5);
  return {{ScalarMass<S, 3>(S(1)), {a}, {S(1)}, std::move(noise)}, q, v};
}

/// Returns a double pendulum in space: bobs of mass 1 and 2 on rods of length 1 and 2 that are heavy themselves, of mass
/// 3/2 each, spread evenly. A rod from a to b has the kinetic energy (rod)/6 (|v_a|^2 + v_a . v_b + |v_b|^2), so that the
/// mass matrix is full; gravity is 1, along -z.
template <class S, class Noise>
StochasticProblem<DoubleSpherePendulum<S, Noise>> double_sphere_pendulum(Noise noise) {
  const S bob_1(1), bob_2(2), rod = ratio<S>(3, 2);
  auto mass = zeros<Matrix<S, 6>>();
  auto weight = zeros<Vector<S, 6>>();
  for (int i = 0; i < 3; ++i) {
    mass(i, i) = bob_1 + S(2) * rod / S(3);
    mass(i + 3, i + 3) = bob_2 + rod / S(3);
    mass(i, i + 3) = mass(i + 3, i) = rod / S(6);
  }
  weight(2) = bob_1 + rod;
  weight(5) = bob_2 + rod / S(2);
  using Rods = RodConstraints<S, 2, 2>;
  // The first rod is q_1 = (3/5, 0, -4/5), the second 2 (2/7, 3/7, -6/7); rates are products of vectors with the rods.
  Vector<S, 6> q, v;
  q << ratio<S>(3, 5), S(0), ratio<S>(-4, 5), ratio<S>(41, 35), ratio<S>(6, 7), ratio<S>(-88, 35);
  v << ratio<S>(2, 5), S(1), ratio<S>(3, 10), S(1), ratio<S>(3, 5), ratio<S>(3, 10);
  return {{FullMass<S, 6>(mass),
           {weight},
           Rods{{typename Rods::Rod{Rods::origin, 0, S(1)}, typename Rods::Rod{0, 1, S(4)}}},
           std::move(noise)},
          q,
          v};
}

/// Returns one rigid molecule of the water model, of charges -2, 1 and 1, in an electric field: constant along z, and with
/// white noise of amplitude sigma in each direction. The charges add up to zero, so that noise keeps its linear momentum.
template <class S>
StochasticProblem<WaterInField<S>> water_in_field(const S& field, const S& sigma,
                                                  const WaterModel<S>& model = tip3p<S>()) {
  Vector<S, 9> mass, slope, q = water_molecule(model), v;
  auto forces = zeros<Matrix<S, 9, 3>>();
  const Vector<S, 9> at = q;
  for (int i = 0; i < 9; ++i) {
    const S charge(i < 3 ? -2 : 1);
    mass(i) = i < 3 ? model.oxygen_mass : model.hydrogen_mass;
    slope(i) = i % 3 == 2 ? S(-charge * field) : S(0);
    forces(i, i % 3) = sigma * charge;
  }
  // It turns with the angular velocity (1/10, 1/5, 1/20) about its oxygen.
  const S x = ratio<S>(1, 10), y = ratio<S>(1, 5), z = ratio<S>(1, 20);
  for (int i = 0; i < 9; i += 3) {
    v(i) = y * at(i + 2) - z * at(i + 1);
    v(i + 1) = z * at(i) - x * at(i + 2);
    v(i + 2) = x * at(i + 1) - y * at(i);
  }
  using Rods = RodConstraints<S, 3, 3>;
  using Rod = typename Rods::Rod;
  return {{DiagonalMass<S, 9>(mass),
           {slope},
           Rods{{Rod{0, 1, model.squared_oh}, Rod{0, 2, model.squared_oh}, Rod{1, 2, model.squared_hh}}},
           {forces}},
          q,
          v};
}

/// Returns a particle on the plane z = 0 under the uniform force -slope, from the origin with
/// v = (1/2, -1/4, 0): methods whose weights
/// are the integrals of the noise are exact.
template <class S, class Noise>
StochasticProblem<PlaneParticle<S, Noise>> plane_particle(const Vector<S, 3>& slope, Noise noise) {
  Vector<S, 3> normal, q, v;
  normal << S(0), S(0), S(1);
  q << S(0), S(0), S(0);
  v << ratio<S>(1, 2), ratio<S>(-1, 4), S(0);
  return {{ScalarMass<S, 3>(S(1)), {slope}, {normal, S(0)}, std::move(noise)}, q, v};
}

}  // namespace livi
