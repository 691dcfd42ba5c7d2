// SPDX-License-Identifier: MIT
//
// What the programs about Section 4.3 of TO14 share: random clusters of water in 50 digits, the symplecticity defect of
// a method on two molecules, and polynomial molecules for certificates.
#pragma once

#include <livi/diagnostics/step_symplecticity.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/potentials.hpp>
#include <livi/systems/water_cluster.hpp>
#include <random>

#include "certified.hpp"

namespace livi::theorem {

using F = Float50;
using V = Vector<F, Dynamic>;

/// Random clusters from numbers that are equal on every machine.
class RandomClusters {
 public:
  explicit RandomClusters(std::uint64_t seed) : generator_(seed) {}

  /// In [-1, 1).
  F uniform() { return F(static_cast<double>(generator_() >> 11) * 0x1p-52 - 1); }
  V vector(Eigen::Index n) {
    V v(n);
    for (Eigen::Index i = 0; i < n; ++i) v(i) = uniform();
    return v;
  }
  /// Molecules turned at random, 3 A apart along a bent line, each coordinate up to `bend` from the rigid shape.
  V cluster(Eigen::Index molecules, const F& bend) {
    const Vector<F, 9> shape = water_molecule(tip3p<F>());
    V q(9 * molecules);
    for (Eigen::Index a = 0; a < molecules; ++a) {
      const Matrix<F, 3> turn = rotation();
      for (int atom = 0; atom < 3; ++atom) {
        const Vector<F, 3> turned = turn * Vector<F, 3>(shape.segment<3>(3 * atom));
        for (int k = 0; k < 3; ++k) q(9 * a + 3 * atom + k) = turned(k) + bend * uniform();
        q(9 * a + 3 * atom) += F(3 * static_cast<int>(a));
        q(9 * a + 3 * atom + 1) += F(static_cast<int>(a % 2));
      }
    }
    return q;
  }
  /// Velocities of rigid motions of the molecules at q, each its own.
  V rigid_velocities(const V& q) {
    V v(q.size());
    for (Eigen::Index a = 0; a < q.size() / 9; ++a) {
      const V shift = vector(3), spin = vector(3);
      for (int atom = 0; atom < 3; ++atom)
        for (int k = 0; k < 3; ++k) {
          const int l = (k + 1) % 3, m = (k + 2) % 3;
          const auto arm = [&](int i) { return F(q(9 * a + 3 * atom + i) - q(9 * a + i)); };
          v(9 * a + 3 * atom + k) = shift(k) + spin(l) * arm(m) - spin(m) * arm(l);
        }
    }
    return v;
  }

 private:
  /// Returns the rotation of a random quaternion.
  Matrix<F, 3> rotation() {
    V u = vector(4);
    u /= sqrt(u.dot(u));
    const F w = u(0), x = u(1), y = u(2), z = u(3);
    Matrix<F, 3> r;
    r << 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),  //
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),   //
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y);
    return r;
  }
  std::mt19937_64 generator_;
};

/// Largest entry of J'Omega J - Omega of one step from a random state of two molecules, omega = 20, beta = 3/10.
template <class Make>
F symplecticity_on_two_molecules(const Make& make, const F& h) {
  using D = Dual<F>;
  const WaterModel<F> m = tip3p<F>();
  const WaterModel<D> model{m.oxygen_mass, m.hydrogen_mass, m.squared_oh, m.squared_hh,
                            m.coulomb,     m.repulsion,     m.attraction};
  const auto system = penalised(water_cluster<D, DenseHessian<D, Dynamic>>(2, model), D(20));
  RandomClusters random(150);
  const V q = random.cluster(2, ratio<F>(1, 50)), v = random.vector(18) / 10;
  return step_symplecticity(
      system, [&](const auto& s) { return make(s, ratio<D>(3, 10)); }, q, v, h, CanonicalCoordinates::own);
}

/// Pairs of particles in space, two to a molecule, with u = k s/2 + c s^2/4 of squared distances: those of one molecule
/// or those between molecules.
template <class T>
struct MoleculePairs : PairSum<MoleculePairs<T>, T, 3> {
  using vector_type = Vector<T, Dynamic>;
  using hessian_type = DenseHessian<T, Dynamic>;
  bool within;
  QuarticProfile<T> profile;
  MoleculePairs(bool same_molecule, QuarticProfile<T> u) : within(same_molecule), profile(std::move(u)) {}
  template <class Visit>
  void for_each_pair(const vector_type& q, const Visit& f) const {
    for (Eigen::Index i = 1; i < q.size() / 3; ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        if ((i / 2 == j / 2) != within) continue;
        Vector<T, 3> d;
        T s(0);
        for (int k = 0; k < 3; ++k) {
          d(k) = q(3 * i + k) - q(3 * j + k);
          s += d(k) * d(k);
        }
        f(i, j, d, profile(s));
      }
  }
};
template <class T>
using Molecules = MechanicalSystem<DiagonalMass<T, Dynamic>, SplitPotential<MoleculePairs<T>, MoleculePairs<T>>>;

/// Two molecules of two atoms: masses and the coefficients of both springs are variables.
template <class T, class K>
Molecules<T> draw_molecules(Draw<K>& draw) {
  Vector<T, Dynamic> masses(12);
  for (int i = 0; i < 12; i += 3) masses(i) = masses(i + 1) = masses(i + 2) = T(draw.positive("m"));
  const T soft_k(draw.variable("k0")), soft_c(draw.variable("c0")), stiff_k(draw.variable("k1")),
      stiff_c(draw.variable("c1"));
  return {DiagonalMass<T, Dynamic>(masses), {{false, {soft_k, soft_c}}, {true, {stiff_k, stiff_c}}}};
}

/// sum p, or sum q x p; of particles in space.
template <class T>
Vector<T, 3> momentum_of(const Vector<T, Dynamic>& q, const Vector<T, Dynamic>& p, bool linear) {
  Vector<T, 3> sum = Vector<T, 3>::Constant(T(0));
  for (Eigen::Index i = 0; i < q.size(); i += 3)
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      sum(k) += linear ? p(i + k) : T(q(i + l) * p(i + m) - q(i + m) * p(i + l));
    }
  return sum;
}

/// The change of linear or angular momentum over one step.
template <class Factory>
struct MomentumChange {
  Factory factory;
  bool linear;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    const auto system = draw_molecules<K>(draw);
    const K h = draw.positive("h"), beta = draw.positive("beta");
    Vector<K, Dynamic> q = draw.variables("q", 12), p = draw.variables("p", 12);
    const Vector<K, 3> before = momentum_of<K>(q, p, linear);
    auto method = factory(system, beta);
    advance(method, system, q, p, h);
    const Vector<K, 3> after = momentum_of<K>(q, p, linear);
    return {after(0) - before(0), after(1) - before(1), after(2) - before(2)};
  }
};

/// The coefficients of h, h^2 and h^3 of the change of angular momentum over a step of Integrator 5; the last less what
/// it should be, or the last as it is.
struct AngularCoefficient {
  bool less_formula;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = PowerSeries<K, 3>;
    const auto system = draw_molecules<T>(draw);
    const K beta = draw.positive("beta");
    const Vector<K, Dynamic> q = draw.variables("q", 12), p = draw.variables("p", 12);
    Vector<T, Dynamic> x = q.template cast<T>(), y = p.template cast<T>(), soft = x, stiff = x;
    system.potential().soft.gradient(x, soft);
    system.potential().stiff.gradient(x, stiff);
    stiff = system.velocity(stiff);
    const Vector<T, 3> before = momentum_of<T>(x, y, false);
    // A g0 . M^-1 g1 about axis k is the sum over atoms of (g0 x M^-1 g1)_k.
    const Vector<T, 3> formula = momentum_of<T>(soft, stiff, false);
    StiffZhangSkeel method(system, {T(beta)});
    advance(method, system, x, y, T::variable());
    const Vector<T, 3> change = momentum_of<T>(x, y, false) - before;
    std::vector<K> values;
    for (int k = 0; k < 3; ++k) {
      values.push_back(change(k)[1]);
      values.push_back(change(k)[2]);
      values.push_back(less_formula ? K(change(k)[3] + beta * formula(k)[0]) : change(k)[3]);
    }
    return values;
  }
};

}  // namespace livi::theorem
