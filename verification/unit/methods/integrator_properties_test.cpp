// SPDX-License-Identifier: MIT
//
// Z&S on random systems: polynomial potentials in 2 to 6 dimensions, positive definite masses, h and beta in the range
// where M + beta h^2 Hess V is positive definite. It is symplectic, reversible and conserves momentum maps on all of
// them; every method that is not symplectic is caught on almost all.
#include <gtest/gtest.h>

#include <livi/diagnostics/certificate.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/polynomial.hpp>
#include <livi/systems/potentials.hpp>

#include "verification/support/fixed_seed.hpp"

namespace integrator_properties_test {

using livi::Dual;
using livi::Dynamic;
using livi::Float50;
using livi::FullMass;
using livi::magnitude;
using livi::Matrix;
using livi::PhasePoint;
using livi::PolynomialPotential;
using livi::ratio;
using livi::Vector;

/// From the whole range in every case, not from its low end in the first ones.
int between(int low, int high) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1)); }
Float50 number() { return ratio<Float50>(between(-100, 100), 100); }
Float50 positive() { return ratio<Float50>(between(5, 100), 100); }

/// |q|^2/2 and some random monomials of degree 3 and 4, M = D + L L^T with D positive: everything else follows from it.
struct RandomSystem {
  int n;
  Matrix<Float50, Dynamic> mass;
  PolynomialPotential<Float50> potential;
  Float50 h, beta;
  PhasePoint<Float50> at;

  RandomSystem() : n(between(2, 6)) {
    Matrix<Float50, Dynamic> lower = Matrix<Float50, Dynamic>::Constant(n, n, Float50(0));
    mass = lower;
    for (int i = 0; i < n; ++i) {
      mass(i, i) = positive();
      for (int j = 0; j <= i; ++j) lower(i, j) = number();
      potential.monomials.push_back({Float50(1) / 2, exponents({i, i})});
    }
    mass += lower * lower.transpose();
    const auto index = [&] { return between(0, n - 1); };
    for (int k = 0; k < 2 * n; ++k) {
      potential.monomials.push_back({number() / 4, exponents({index(), index(), index()})});
      potential.monomials.push_back({number() / 4, exponents({index(), index(), index(), index()})});
    }
    // One that always couples: otherwise the potential may be separable, and Z&Ss symplectic.
    potential.monomials.push_back({Float50(1) / 4, exponents({0, 0, 1})});
    potential.monomials.push_back({Float50(1) / 5, exponents({0, 1, 1, 1})});
    h = positive() / 2;
    beta = between(0, 1) == 0 ? positive() : ratio<Float50>(1, 4);
    at = {Vector<Float50, Dynamic>(n), Vector<Float50, Dynamic>(n)};
    for (int i = 0; i < n; ++i) {
      at.q(i) = number() / 2;
      at.p(i) = number() / 2;
    }
  }
  std::vector<int> exponents(std::initializer_list<int> variables) const {
    std::vector<int> result(static_cast<std::size_t>(n), 0);
    for (const int i : variables) ++result[static_cast<std::size_t>(i)];
    return result;
  }
  template <class T>
  using System = livi::MechanicalSystem<FullMass<T, Dynamic>, PolynomialPotential<T>>;
  template <class T>
  System<T> in() const {
    PolynomialPotential<T> converted;
    for (const auto& monomial : potential.monomials)
      converted.monomials.push_back({T(monomial.coefficient), monomial.exponents});
    return {FullMass<T, Dynamic>(mass.template cast<T>().eval()), converted};
  }
};

template <class Method, class System, class V, class T>
void advance(Method& method, const System& system, V& q, V& p, const T& h) {
  auto state = method.start(q, system.velocity(p));
  RC_ASSERT(method.step(state, h).ok());
  q = state.q;
  p = system.momentum(state.v);
}

/// Largest entry of J'Omega J - Omega of one step of factory(system, beta).
template <class Factory>
Float50 symplectic_defect(const RandomSystem& random, Factory&& factory) {
  using T = Dual<Float50>;
  const auto system = random.in<T>();
  auto method = factory(system, T(random.beta));
  Float50 largest(0);
  for (const Float50& entry :
       livi::symplecticity<Float50>(random.at, [&](auto&q, auto&p) { advance(method, system, q, p, T(random.h)); }))
    largest = livi::larger(largest, magnitude(entry));
  return largest;
}

constexpr auto zhang_skeel = []<class System, class T>(const System& system, const T& beta) {
  return livi::ZhangSkeel<System>(system, {beta});
};
constexpr auto simplified = []<class System, class T>(const System& system, const T& beta) {
  return livi::SimplifiedZhangSkeel<System>(system, {beta});
};
constexpr auto runge_kutta = []<class System, class T>(const System& system, const T&) {
  return livi::RungeKutta4<System>(system);
};
constexpr auto newmark_one_iteration = []<class System, class T>(const System& system, const T& beta) {
  livi::NewmarkOptions<T> options;
  options.beta = beta;
  options.newton.fixed_iterations = 1;
  return livi::Newmark<System>(system, options);
};
constexpr auto symplectic_euler = []<class System, class T>(const System& system, const T&) {
  return livi::SymplecticEuler<System>(system);
};

/// Masses may be nearly singular, 1e-2: velocities of 1e2, Jacobians of 1e4 and more are possible, and their squares.
const Float50 rounding("1e-38");
const Float50 visible("1e-30");

RC_GTEST_PROP(RandomSystems, zhang_skeel_is_symplectic, ()) {
  const RandomSystem random;
  RC_ASSERT(symplectic_defect(random, zhang_skeel) < rounding);
}

RC_GTEST_PROP(RandomSystems, other_methods_are_not, ()) {
  const RandomSystem random;
  RC_ASSERT(symplectic_defect(random, simplified) > visible);
  RC_ASSERT(symplectic_defect(random, runge_kutta) > visible);
  RC_ASSERT(symplectic_defect(random, newmark_one_iteration) > visible);
}

/// Distance from the start after step(h), step(-h), and after step, reversal, step.
template <class Factory>
Float50 reversal_defect(const RandomSystem& random, Factory&& factory) {
  const auto system = random.in<Float50>();
  auto method = factory(system, random.beta);
  PhasePoint<Float50> there = random.at;
  advance(method, system, there.q, there.p, random.h);
  PhasePoint<Float50> back = there, turned{there.q, -there.p};
  advance(method, system, back.q, back.p, Float50(-random.h));
  advance(method, system, turned.q, turned.p, random.h);
  turned.p = -turned.p;
  Float50 largest(0);
  for (const PhasePoint<Float50>& end : {back, turned})
    for (const Float50& difference : livi::differences(end, random.at))
      largest = livi::larger(largest, magnitude(difference));
  return largest;
}

RC_GTEST_PROP(RandomSystems, zhang_skeel_is_reversible, ()) {
  const RandomSystem random;
  RC_ASSERT(reversal_defect(random, zhang_skeel) < rounding);
  RC_ASSERT(reversal_defect(random, simplified) < rounding);
}

RC_GTEST_PROP(RandomSystems, symplectic_euler_is_not_reversible, ()) {
  RandomSystem random;
  random.at.p(0) = Float50(1) / 3;  // not at rest at a critical point
  RC_ASSERT(reversal_defect(random, symplectic_euler) > visible);
}

/// Random particles in the plane with random masses and a random pair potential.
struct RandomParticles {
  int particles = between(3, 4);
  Float50 stiffness = positive(), quartic = positive(), h = positive() / 2, beta = positive();
  Vector<Float50, Dynamic> masses, q, p;
  RandomParticles() : masses(2 * particles), q(2 * particles), p(2 * particles) {
    for (int i = 0; i < 2 * particles; ++i) {
      masses(i) = i % 2 == 0 ? positive() : masses(i - 1);
      q(i) = number();
      p(i) = number();
    }
    // Masses that differ: with equal ones and this profile V depends on two singular values only (a 2 x 2 matrix of
    // relative positions, for three particles), a second rotation that saves the angular momentum of Z&Ss.
    masses(0) += 1, masses(1) += 1, masses(2) += Float50(1) / 2, masses(3) += Float50(1) / 2;
    q(0) = 1, q(1) = 0, q(2) = Float50(-1) / 3, q(3) = Float50(1) / 2, q(4) = Float50(1) / 5, q(5) = -2;
  }
  /// Changes of both linear momenta and of the angular momentum over one step.
  template <class Factory>
  std::pair<Float50, Float50> momentum_defects(Factory&& factory) const {
    using Pairs = livi::PairPotential<Float50, 2, livi::QuarticProfile<Float50>>;
    Matrix<Float50, Dynamic> mass = Matrix<Float50, Dynamic>::Constant(q.size(), q.size(), Float50(0));
    for (Eigen::Index i = 0; i < q.size(); ++i) mass(i, i) = masses(i);
    const livi::MechanicalSystem<FullMass<Float50, Dynamic>, Pairs> system(FullMass<Float50, Dynamic>(mass),
                                                                           Pairs{{stiffness, quartic}});
    auto method = factory(system, beta);
    Vector<Float50, Dynamic> end_q = q, end_p = p;
    advance(method, system, end_q, end_p, h);
    Float50 x = 0, y = 0, angular = 0;
    for (Eigen::Index i = 0; i < q.size(); i += 2) {
      x += end_p(i) - p(i);
      y += end_p(i + 1) - p(i + 1);
      angular += end_q(i) * end_p(i + 1) - end_q(i + 1) * end_p(i) - q(i) * p(i + 1) + q(i + 1) * p(i);
    }
    return {livi::larger(magnitude(x), magnitude(y)), magnitude(angular)};
  }
};

RC_GTEST_PROP(RandomSystems, zhang_skeel_conserves_momentum_maps, ()) {
  const RandomParticles random;
  const auto exact = random.momentum_defects(zhang_skeel), lost = random.momentum_defects(simplified);
  RC_ASSERT(exact.first < rounding);
  RC_ASSERT(exact.second < rounding);
  RC_ASSERT(lost.first < rounding);
  RC_ASSERT(lost.second > visible);
}

}  // namespace integrator_properties_test
