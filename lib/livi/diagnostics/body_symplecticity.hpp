// SPDX-License-Identifier: MIT
//
// The Jacobian of one step of an integrator for rigid bodies, and its symplecticity defect on T*SO(3) in the
// left-trivialised form of systems/lie_system.hpp,
//
//   J' Omega(mu_1) J - Omega(mu_0),   Omega(mu) = [[-hat(mu), 1], [-1, 0]],
//
// where the columns of J are variations (eta, nu) of the attitude, dQ = Q hat(eta), and of the momentum mu = I W.
#pragma once

#include <livi/diagnostics/step_symplecticity.hpp>
#include <livi/systems/lie_system.hpp>

namespace livi {

/// The variations (columns: eta above, nu below) at both ends of a step, and the momenta there.
template <class S>
struct BodyVariations {
  Matrix<S, 6> start, end;
  Vector3<S> start_momentum, end_momentum;
  StepOutcome outcome;
};

/// Computes the variations in one step of size h from (q, w); the Jacobian J is end start^-1. `system` is over Dual<S>
/// and `make(system)` returns the method. Momenta are those of the method's canonical_momentum(w, h) if `coordinates`
/// is mapped, I W otherwise.
template <class System, class Make, class S = RealOf<ScalarOf<System>>>
BodyVariations<S> body_variations(const System& system, const Make& make, const Matrix3<S>& q, const Vector3<S>& w,
                                  const S& h, CanonicalCoordinates coordinates = CanonicalCoordinates::own) {
  using D = ScalarOf<System>;
  BodyVariations<S> result;
  for (int j = 0; j < 6; ++j) {
    Vector3<S> eta = Vector3<S>::Constant(S(0));
    if (j < 3) eta(j) = S(1);
    const Matrix3<S> turned = q * so3::hat(eta);
    Matrix3<D> dq;
    for (int i = 0; i < 9; ++i) dq.coeffRef(i) = D(q.coeff(i), turned.coeff(i));
    Vector3<D> dw;
    for (int i = 0; i < 3; ++i) dw(i) = D(w(i), S(j == i + 3 ? 1 : 0));
    auto method = make(system);
    const auto momentum = [&](const Vector3<D>& velocity) {
      if constexpr (requires { method.canonical_momentum(velocity, D(h)); })
        if (coordinates == CanonicalCoordinates::mapped) return method.canonical_momentum(velocity, D(h));
      return system.momentum(velocity);
    };
    const auto put = [&](const Matrix3<D>& attitude, const Vector3<D>& mu, Matrix<S, 6>& columns, Vector3<S>& value) {
      Matrix3<S> at, rate;
      for (int i = 0; i < 9; ++i) {
        at.coeffRef(i) = attitude.coeff(i).value;
        rate.coeffRef(i) = attitude.coeff(i).derivative;
      }
      const Vector3<S> body = so3::vee<S>(at.transpose() * rate);
      for (int i = 0; i < 3; ++i) {
        columns(i, j) = body(i);
        columns(i + 3, j) = mu(i).derivative;
        value(i) = mu(i).value;
      }
    };
    put(dq, momentum(dw), result.start, result.start_momentum);
    auto z = method.start(dq, dw);
    result.outcome = method.step(z, D(h));
    if (!result.outcome.ok()) return result;
    put(z.q, momentum(z.w), result.end, result.end_momentum);
  }
  return result;
}

/// Returns the largest entry of the change of the form over a step; infinite if the step failed. With `bracket` = -1
/// the form has the opposite sign of mu, that of the right trivialisation, which no method preserves in these
/// variables.
template <class S>
S symplecticity_defect(const BodyVariations<S>& v, int bracket = 1) {
  if (!v.outcome.ok()) return std::numeric_limits<S>::infinity();
  const auto form = [&](const Matrix<S, 6>& m, const Vector3<S>& mu, int a, int b) {
    const Vector3<S> eta = m.col(a).head(3), nu = m.col(a).tail(3), zeta = m.col(b).head(3), rho = m.col(b).tail(3);
    return left_trivialised_form<S>(S(bracket) * mu, eta, nu, zeta, rho);
  };
  S largest(0);
  for (int a = 0; a < 6; ++a)
    for (int b = a + 1; b < 6; ++b) {
      using std::abs;
      largest = larger(largest, S(abs(S(form(v.end, v.end_momentum, a, b) - form(v.start, v.start_momentum, a, b)))));
    }
  return largest;
}

/// Returns the symplecticity defect of one step of size h from (q, w), computed from body_variations().
template <class System, class Make, class S = RealOf<ScalarOf<System>>>
S body_symplecticity(const System& system, const Make& make, const Matrix3<S>& q, const Vector3<S>& w, const S& h,
                     CanonicalCoordinates coordinates = CanonicalCoordinates::own, int bracket = 1) {
  return symplecticity_defect(body_variations(system, make, q, w, h, coordinates), bracket);
}

}  // namespace livi
