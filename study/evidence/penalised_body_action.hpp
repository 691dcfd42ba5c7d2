// SPDX-License-Identifier: MIT
//
// The part of the action TO14 (36) at one node, its Taylor polynomial in a, and as the paper displays it.
#pragma once

#include <livi/scalar/dual.hpp>
#include <livi/scalar/power_series.hpp>
#include <livi/systems/penalised_body.hpp>

#include "study/evidence/certified.hpp"

namespace livi::magnetised_action {

template <class T>
using Nine = Vector<T, 9>;
template <class T>
using BodyPotential = PenalisedBodyPotential<T>;

template <class T, class K>
Matrix3<T> raised(const Matrix3<K>& m, int direction = -1) {
  Matrix3<T> out;
  for (int i = 0; i < 9; ++i) out.data()[i] = T(m.data()[i], K(i == direction ? 1 : 0));
  return out;
}
template <class T>
T inner(const Matrix3<T>& a, const Matrix3<T>& b) {  // tr(a'b)
  T sum(0);
  for (int i = 0; i < 9; ++i) sum += a.data()[i] * b.data()[i];
  return sum;
}

/// strength, omega^2, h, beta.
template <class K>
struct Numbers {
  K strength, stiffness, h, beta;
  [[nodiscard]] K b() const { return beta * h * h; }
  template <class T>
  [[nodiscard]] Numbers<T> as() const {
    return {T(strength), T(stiffness), T(h), T(beta)};
  }
};
template <class K>
Numbers<K> draw_numbers(Draw<K>& draw) {
  return {draw.variable("strength"), draw.positive("stiffness"), draw.positive("h"), draw.positive("beta")};
}
template <class T, class K>
PenalisedBody<T> system_of(const Numbers<K>& n) {
  return {ScalarMass<T, 9>(ratio<T>(1, 2)), {T(n.strength), T(n.stiffness)}};
}

/// P(R, s a) as a power series in s: the Taylor polynomial of (36) in a, and its remainder.
template <class T>
T node(const Numbers<T>& n, const Matrix3<T>& r, const Matrix3<T>& a) {
  const T b = n.b();
  return b / T(2) * inner(a, a) + BodyPotential<T>{n.strength, n.stiffness}.value(matrix_position<T>(r + b * a));
}
template <class T>
PowerSeries<T, 4> node_in_a(const Numbers<T>& n, const Matrix3<T>& r, const Matrix3<T>& a) {
  using P = PowerSeries<T, 4>;
  const auto lift = [](const Matrix3<T>& m, const P& factor) {
    Matrix3<P> out;
    for (int i = 0; i < 9; ++i) out.data()[i] = P(m.data()[i]) * factor;
    return out;
  };
  return node<P>(n.template as<P>(), lift(r, P(T(1))), lift(a, P::variable()));
}
template <class T>
T truncated(const Numbers<T>& n, const Matrix3<T>& r, const Matrix3<T>& a) {
  const auto p = node_in_a(n, r, a);
  return p[0] + p[1] + p[2];
}
/// As the paper displays it after (36), by nodes and without its sign.
template <class T>
T displayed(const Numbers<T>& n, const Matrix3<T>& r, const Matrix3<T>& a) {
  const T b = n.b();
  const Matrix3<T> rt = r.transpose(), at = a.transpose(), s = rt * r, defect = BodyPotential<T>::defect(r);
  const T quadratic = trace<T>(at * a * s) + trace<T>(rt * a * rt * a) + trace<T>(at * r * rt * a) - inner(a, a);
  return b / T(2) * inner(a, a) + n.strength * (r(2, 2) + b * a(2, 2)) +
         n.stiffness / T(2) *
             (inner(defect, defect) + T(4) * b * trace<T>((s * rt - rt) * a) + T(2) * b * b * quadratic);
}

}  // namespace livi::magnetised_action
