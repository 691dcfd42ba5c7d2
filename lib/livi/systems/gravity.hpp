// SPDX-License-Identifier: MIT
//
// Bodies that attract each other by gravity, V = -G sum over pairs of m_i m_j / sqrt(|r_i - r_j|^2 + b^2), for any number
// of bodies, masses and any softening b >= 0 (Plummer 1911); and starts that the literature on adaptive steps uses:
// Kepler's ellipses, the Pythagorean problem, the outer solar system.
#pragma once

#include <vector>

#include <livi/linalg/mass.hpp>
#include <livi/systems/mechanical_system.hpp>
#include <livi/systems/pair_sum.hpp>

namespace livi {

/// The potential of bodies in D dimensions, n = D * bodies degrees of freedom, ordered body by body. Conserves linear
/// and angular momentum. Cost O(bodies^2); the Hessian is dense.
template <class S, int D>
class GravitationalPotential : public PairSum<GravitationalPotential<S, D>, S, D> {
 public:
  using vector_type = Vector<S, Dynamic>;
  using hessian_type = DenseHessian<S, Dynamic>;

  /// Throws InvalidParameter unless G and all masses are finite and > 0, b finite and >= 0.
  GravitationalPotential(std::vector<S> masses, const S& gravity, const S& softening = S(0))
      : masses_(std::move(masses)), gravity_(gravity), squared_softening_(softening * softening) {
    require_mass("gravitational constant", gravity);
    for (std::size_t i = 0; i < masses_.size(); ++i) require_mass("mass of body " + std::to_string(i), masses_[i]);
    const OrderAssumed<S> all_softenings(OrderReason::parameters);
    if (!is_finite(softening) || leading(softening) < RealOf<S>(0))
      throw InvalidParameter("softening", to_double(softening), "must be finite and >= 0");
  }
  [[nodiscard]] const std::vector<S>& masses() const { return masses_; }
  /// Returns each body's mass D times, for the mass matrix of the coordinates.
  [[nodiscard]] DiagonalMass<S, Dynamic> mass() const {
    Vector<S, Dynamic> m(D * static_cast<Eigen::Index>(masses_.size()));
    for (Eigen::Index i = 0; i < m.size(); ++i) m(i) = masses_[static_cast<std::size_t>(i / D)];
    return DiagonalMass<S, Dynamic>(m);
  }

  template <class F>
  void for_each_pair(const vector_type& q, const F& f) const {
    const auto bodies = static_cast<Eigen::Index>(masses_.size());
    for (Eigen::Index i = 1; i < bodies; ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        const Vector<S, D> d = q.template segment<D>(i * D) - q.template segment<D>(j * D);
        S s = squared_softening_;
        for (int k = 0; k < D; ++k) s += d(k) * d(k);
        const S strength = gravity_ * masses_[static_cast<std::size_t>(i)] * masses_[static_cast<std::size_t>(j)];
        f(i, j, d, KeplerProfile<S>{strength}(s));
      }
  }

 private:
  std::vector<S> masses_;
  S gravity_, squared_softening_;
};

template <class S, int D>
using GravitationalSystem = MechanicalSystem<DiagonalMass<S, Dynamic>, GravitationalPotential<S, D>>;

/// A system of bodies and where they start.
template <class S, int D>
struct GravitationalProblem {
  GravitationalSystem<S, D> system;
  Vector<S, Dynamic> q, v;
};

/// Returns the problem of these bodies. Throws InvalidParameter unless position and velocity have D numbers for each
/// body and, without softening, no two bodies are at one place.
template <class S, int D>
GravitationalProblem<S, D> gravitational_problem(GravitationalPotential<S, D> potential, Vector<S, Dynamic> q,
                                                 Vector<S, Dynamic> v) {
  const auto size = D * static_cast<Eigen::Index>(potential.masses().size());
  if (q.size() != size || v.size() != size)
    throw InvalidParameter("numbers of position and velocity",
                           std::to_string(q.size()) + " and " + std::to_string(v.size()),
                           "must be " + std::to_string(size) + ", one for each coordinate of each body");
  potential.for_each_pair(q, [](Eigen::Index i, Eigen::Index j, const Vector<S, D>&, const RadialDerivatives<S>& u) {
    if (!is_finite(u.value))
      throw InvalidParameter("distance of bodies " + std::to_string(j) + " and " + std::to_string(i), 0,
                             "must be > 0 where there is no softening");
  });
  DiagonalMass<S, Dynamic> mass = potential.mass();
  return {{std::move(mass), std::move(potential)}, std::move(q), std::move(v)};
}

/// Returns position (first two numbers) and velocity at the pericentre of Kepler's ellipse about the origin with half
/// axis 1 and V = -1/|q|: its energy is -1/2, its period 2 pi. Throws InvalidParameter unless 0 <= e < 1.
template <class S>
Vector<S, 4> kepler_pericentre(const S& e) {
  using std::sqrt;
  if (!is_finite(e) || leading(e) < RealOf<S>(0) || !(leading(e) < RealOf<S>(1)))
    throw InvalidParameter("eccentricity", to_double(e), "must be at least 0 and less than 1");
  Vector<S, 4> start;
  start << S(1) - e, S(0), S(0), sqrt(S((S(1) + e) / (S(1) - e)));
  return start;
}

/// Returns the Pythagorean problem (Burrau 1913; Szebehely and Peters 1967): masses 3, 4 and 5 at rest in the corners of
/// a triangle with these sides, each opposite to the side of its number; G = 1. After close encounters two bodies leave
/// as a pair and the lightest by itself.
template <class S>
GravitationalProblem<S, 2> pythagorean_problem() {
  Vector<S, Dynamic> q(6), v(6);
  q << S(1), S(3), S(-2), S(-1), S(1), S(-1);
  v << S(0), S(0), S(0), S(0), S(0), S(0);
  return gravitational_problem<S, 2>({{S(3), S(4), S(5)}, S(1)}, q, v);
}

/// Returns the sun, with the mass of the inner planets, and Jupiter, Saturn, Uranus, Neptune and Pluto on September 5,
/// 1994 (Hairer, Lubich and Wanner, Geometric Numerical Integration, Section I.2.4): astronomical units, days, masses of
/// the sun. The start's momentum is not zero: the whole moves.
inline GravitationalProblem<double, 3> outer_solar_system() {
  Vector<double, Dynamic> q(18), v(18);
  q << 0, 0, 0,                              //
      -3.5023653, -3.8169847, -1.5507963,    // Jupiter
      9.0755314, -3.0458353, -1.6483708,     // Saturn
      8.3101420, -16.2901086, -7.2521278,    // Uranus
      11.4707666, -25.7294829, -10.8169456,  // Neptune
      -15.5387357, -25.2225594, -3.1902382;  // Pluto
  v << 0, 0, 0,                              //
      0.00565429, -0.00412490, -0.00190589,  //
      0.00168318, 0.00483525, 0.00192462,    //
      0.00354178, 0.00137102, 0.00055029,    //
      0.00288930, 0.00114527, 0.00039677,    //
      0.00276725, -0.00170702, -0.00136504;
  return gravitational_problem<double, 3>(
      {{1.00000597682, 0.000954786104043, 0.000285583733151, 0.0000437273164546, 0.0000517759138449, 1 / 1.3e8},
       2.95912208286e-4},
      q, v);
}

}  // namespace livi
