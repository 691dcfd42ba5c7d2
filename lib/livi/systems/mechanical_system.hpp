// SPDX-License-Identifier: MIT
//
// Mechanical systems M q'' = -grad V(q) with a constant mass and a potential (TO14 (1)).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <livi/linalg/mass.hpp>
#include <livi/systems/potential.hpp>

namespace livi {

/// A symmetry: V and M are invariant under q -> q + s (A q + b) to first order in s. Its momentum map is
/// J(q, p) = p . (A q + b) (Noether). b is the direction of a translation; A is antisymmetric for a rotation.
template <class S>
struct LinearSymmetry {
  std::string name;
  Matrix<S, Dynamic> generator;    ///< A, n x n
  Vector<S, Dynamic> translation;  ///< b, n
  /// True if the action is a translation (A = 0): its momentum is then linear momentum, otherwise angular momentum.
  bool is_translation = false;

  template <class V>
  S momentum(const V& q, const V& p) const {
    S sum(0);
    for (Eigen::Index i = 0; i < p.size(); ++i) {
      S xi = translation(i);
      for (Eigen::Index j = 0; j < q.size(); ++j) xi += generator(i, j) * q(j);
      sum += p(i) * xi;
    }
    return sum;
  }
};

template <class MassT, Potential PotentialT>
class MechanicalSystem {
 public:
  using mass_type = MassT;
  using potential_type = PotentialT;
  using scalar_type = typename PotentialT::scalar_type;
  using vector_type = typename PotentialT::vector_type;
  static constexpr int dimension = PotentialT::dimension;

  MechanicalSystem(MassT mass, PotentialT potential) : mass_(std::move(mass)), potential_(std::move(potential)) {}

  [[nodiscard]] const MassT& mass() const { return mass_; }
  [[nodiscard]] const PotentialT& potential() const { return potential_; }
  /// Returns the number of degrees of freedom.
  [[nodiscard]] Eigen::Index size() const { return mass_.size(); }

  /// Returns p = M v.
  [[nodiscard]] vector_type momentum(const vector_type& v) const {
    vector_type p = v;
    mass_.apply(v, p);
    return p;
  }
  /// Returns v = M^-1 p.
  [[nodiscard]] vector_type velocity(vector_type p) const {
    mass_.solve_in_place(p);
    return p;
  }
  /// Returns the energy v . M v / 2 + V(q).
  [[nodiscard]] scalar_type energy(const vector_type& q, const vector_type& v) const {
    const vector_type p = momentum(v);
    scalar_type twice_kinetic(0);
    for (Eigen::Index i = 0; i < v.size(); ++i) twice_kinetic += v(i) * p(i);
    return twice_kinetic / scalar_type(2) + potential_.value(q);
  }
  /// Sets out = -M^-1 grad V(q).
  void acceleration(const vector_type& q, vector_type& out) const {
    potential_.gradient(q, out);
    out = -out;
    mass_.solve_in_place(out);
  }

 private:
  MassT mass_;
  PotentialT potential_;
};

/// Computes both derivatives at q, in one pass where the potential offers that.
template <TwiceDifferentiable P>
void gradient_and_hessian(const P& potential, const typename P::vector_type& q, typename P::vector_type& gradient,
                          typename P::hessian_type& hessian) {
  if constexpr (requires { potential.gradient_and_hessian(q, gradient, hessian); }) {
    potential.gradient_and_hessian(q, gradient, hessian);
  } else {
    potential.gradient(q, gradient);
    potential.hessian(q, hessian);
  }
}

}  // namespace livi
