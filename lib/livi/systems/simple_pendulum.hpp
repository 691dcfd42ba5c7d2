// SPDX-License-Identifier: MIT
#pragma once

#include <livi/linalg/mass.hpp>
#include <livi/systems/mechanical_system.hpp>

#include <cmath>

namespace livi {

/// The simple pendulum of length, mass and gravity 1: W(q) = -cos q, q the angle from hanging down.
template <class S>
struct SimplePendulumPotential {
  using scalar_type = S;
  using vector_type = Vector<S, 1>;
  using hessian_type = DenseHessian<S, 1>;
  static constexpr int dimension = 1;

  [[nodiscard]] S value(const vector_type& q) const {
    using std::cos;
    return -cos(q(0));
  }
  void gradient(const vector_type& q, vector_type& out) const {
    using std::sin;
    out(0) = sin(q(0));
  }
  void hessian(const vector_type& q, hessian_type& out) const {
    using std::cos;
    out.matrix(0, 0) = cos(q(0));
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    using std::sin;
    out(0) = -sin(q(0)) * a(0) * a(0);
  }
};

template <class S>
using SimplePendulum = MechanicalSystem<ScalarMass<S, 1>, SimplePendulumPotential<S>>;

/// Returns the pendulum.
template <class S>
SimplePendulum<S> simple_pendulum() {
  return {ScalarMass<S, 1>(S(1), 1), SimplePendulumPotential<S>{}};
}

}  // namespace livi
