// SPDX-License-Identifier: MIT
//
// Steps of TO14 (34) with their variations, from derivatives along SO(3).
#pragma once

#include <livi/diagnostics/body_symplecticity.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/systems/rotation_potentials.hpp>

#include "study/evidence/certified.hpp"

namespace livi::magnetised_action {

using theorem::draw_vector;

template <class K>
Vector3<K> axis(int i) {
  Vector3<K> y = Vector3<K>::Constant(K(0));
  y(i) = K(1);
  return y;
}
/// m moved with a velocity.
template <class K>
Matrix3<Dual<K>> moving(const Matrix3<K>& m, const Matrix3<K>& rate) {
  Matrix3<Dual<K>> out;
  for (int i = 0; i < 9; ++i) out.data()[i] = Dual<K>(m.data()[i], rate.data()[i]);
  return out;
}
/// R moved along R hat(y).
template <class K>
Matrix3<Dual<K>> turning(const Matrix3<K>& r, const Vector3<K>& y) {
  return moving<K>(r, r * so3::hat(y));
}

inline constexpr auto torque_35 = []<class K>(const K& strength, const Matrix3<K>& r) {
  return Vector3<K>(strength * cross<K>(Vector3<K>(r.transpose() * axis<K>(2)), axis<K>(2)));
};

/// m(Omega) = Omega (1 + h^2 |Omega|^2/4), what (34) compares. `sign` of the cubic term.
template <class K>
Vector3<K> m_of(const Vector3<K>& w, const K& h, int sign = 1) {
  return (K(1) + K(sign) * h * h / K(4) * dot(w, w)) * w;
}
/// A step of (34) with (R_k, Omega_{k+1}) for its parameters, which make it explicit: variations of (R, m(Omega)) at
/// both ends (columns: eta above, the change of m below), momenta and attitudes there.
template <class K>
struct BenchmarkStep {
  Matrix<K, 6> start, end;
  Vector3<K> mu_start, mu_end;
  Matrix3<K> r_start, r_end;
};
template <class K>
BenchmarkStep<K> benchmark_step(Draw<K>& draw) {
  using T = Dual<K>;
  const K h = draw.positive("h"), strength = draw.variable("strength");
  const Matrix3<K> r = so3::cay(draw_vector(draw, "x"));
  const Vector3<K> w = draw_vector(draw, "w");
  BenchmarkStep<K> step;
  for (int j = 0; j < 6; ++j) {
    const Matrix3<T> q = turning<K>(r, j < 3 ? axis<K>(j) : Vector3<K>(Vector3<K>::Constant(K(0))));
    Vector3<T> u;
    for (int i = 0; i < 3; ++i) u(i) = T(w(i), K(j == i + 3 ? 1 : 0));
    const Vector3<T> mu = m_of<T>(u, T(h)), mu_before = mu - T(h) * torque_35(T(strength), q);
    const Matrix3<T> q_after = q * so3::cay<T>(T(h) * u);
    const auto put = [&](const Matrix3<T>& at, const Vector3<T>& momentum, Matrix<K, 6>& columns, Vector3<K>& value,
                         Matrix3<K>& attitude) {
      Matrix3<K> rate;
      for (int e = 0; e < 9; ++e) {
        attitude.data()[e] = at.data()[e].value;
        rate.data()[e] = at.data()[e].derivative;
      }
      const Vector3<K> eta = so3::vee<K>(attitude.transpose() * rate);
      for (int i = 0; i < 3; ++i) {
        columns(i, j) = eta(i);
        columns(i + 3, j) = momentum(i).derivative;
        value(i) = momentum(i).value;
      }
    };
    put(q, mu_before, step.start, step.mu_start, step.r_start);
    put(q_after, mu, step.end, step.mu_end, step.r_end);
  }
  return step;
}
template <class K>
std::vector<K> form_changes(const BenchmarkStep<K>& step, int bracket) {
  const auto form = [&](const Matrix<K, 6>& m, const Vector3<K>& mu, int a, int b) {
    const Vector3<K> eta = m.col(a).head(3), nu = m.col(a).tail(3), zeta = m.col(b).head(3), rho = m.col(b).tail(3);
    return left_trivialised_form<K>(K(bracket) * mu, eta, nu, zeta, rho);
  };
  std::vector<K> result;
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < a; ++b)
      result.push_back(form(step.end, step.mu_end, a, b) - form(step.start, step.mu_start, a, b));
  return result;
}

/// The derivative of U along R hat(e_i) plus the component of the formula.
template <class K, class Formula>
std::vector<K> torque_residual(Draw<K>& draw, const Formula& formula) {
  using T = Dual<K>;
  const K strength = draw.variable("strength");
  const Matrix3<K> r = so3::cay(draw_vector(draw, "x"));
  const Vector3<K> torque = formula(strength, r);
  std::vector<K> result;
  for (int i = 0; i < 3; ++i)
    result.push_back(MagneticDipolePotential<T>{T(strength)}.value(turning<K>(r, axis<K>(i))).derivative + torque(i));
  return result;
}

}  // namespace livi::magnetised_action
