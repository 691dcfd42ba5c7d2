// SPDX-License-Identifier: MIT
//
// A random rigid body in a random potential, to 50 digits.
#pragma once

#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/rotation_potentials.hpp>

#include "verification/support/fixed_seed.hpp"

namespace livi::test {

inline int between(int low, int high) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1)); }
inline Float50 number() { return ratio<Float50>(between(-100, 100), 100); }
inline Vector3<Float50> random_vector() { return vector3(number(), number(), number()); }
inline Matrix3<Float50> random_matrix() {
  Matrix3<Float50> m;
  for (int i = 0; i < 9; ++i) m.coeffRef(i) = number();
  return m;
}

template <class S>
using Body = LieSystem<FullMass<S, 3>, TracePolynomialPotential<S>>;

/// A body with a full inertia, and a state.
struct RandomBody {
  Matrix3<Float50> inertia, linear, direction, q;
  Vector3<Float50> w;
  RandomBody() : linear(random_matrix()), direction(random_matrix()), q(so3::exp(random_vector())), w(random_vector()) {
    const Matrix3<Float50> axes = so3::exp(random_vector());
    Matrix3<Float50> moments = Matrix3<Float50>::Constant(Float50(0));
    for (int i = 0; i < 3; ++i) moments(i, i) = Float50(1 + i) + ratio<Float50>(between(0, 50), 100);
    inertia = axes * moments * axes.transpose();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j) inertia(i, j) = inertia(j, i);
  }
  template <class S>
  static S to(const Float50& x) {
    if constexpr (std::same_as<S, double>) {
      return to_double(x);
    } else {
      return S(x);
    }
  }
  template <class S>
  static Matrix3<S> in(const Matrix3<Float50>& m) {
    return m.unaryExpr([](const Float50& x) { return to<S>(x); });
  }
  template <class S>
  static Vector3<S> in(const Vector3<Float50>& m) {
    return m.unaryExpr([](const Float50& x) { return to<S>(x); });
  }
  template <class S>
  Body<S> system() const {
    return {FullMass<S, 3>(in<S>(inertia)), {in<S>(linear), in<S>(direction)}};
  }
};

inline constexpr double floor_50 = 1e-45, visible = 1e-12;
template <class M>
double size(const M& m) {
  return to_double(max_magnitude(m));
}

}  // namespace livi::test
