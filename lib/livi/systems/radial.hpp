// SPDX-License-Identifier: MIT
//
// Functions of a squared distance s = |d|^2 and their derivatives, for central fields, pair interactions and distance
// penalties.
//
//   V = u(s):   grad = 2 u' d,   Hess = 2 u' I + 4 u'' d d^T,
//   a . V''' . a = (4 u'' a.a + 8 u''' (d.a)^2) d + 8 u'' (d.a) a.
//
// With s instead of the distance polynomial profiles need no square roots, hence are exact in rationals.
#pragma once

#include <livi/linalg/vector.hpp>

namespace livi {

/// The value and three derivatives of u at s.
template <class S>
struct RadialDerivatives {
  S value, first, second, third;
};

/// The profile u(s) = k s / 2 + c s^2 / 4: a spring with a quartic correction, k r^2/2 + c r^4/4.
template <class S>
struct QuarticProfile {
  S k, c;
  RadialDerivatives<S> operator()(const S& s) const {
    return {s * k / S(2) + c * s * s / S(4), k / S(2) + c * s / S(2), c / S(2), S(0)};
  }
};

/// Kepler's profile u(s) = -mu / sqrt(s).
template <class S>
struct KeplerProfile {
  S mu;
  RadialDerivatives<S> operator()(const S& s) const {
    using std::sqrt;
    const S u = -mu / sqrt(s);
    return {u, -u / (S(2) * s), S(3) * u / (S(4) * s * s), S(-15) * u / (S(8) * s * s * s)};
  }
};

/// Kepler's profile softened, u(s) = -mu / sqrt(s + b^2) (Plummer 1911).
template <class S>
struct PlummerProfile {
  S mu, squared_softening;  ///< b^2
  RadialDerivatives<S> operator()(const S& s) const { return KeplerProfile<S>{mu}(S(s + squared_softening)); }
};

/// The profile u(s) = c (s - L^2)^2 / 2: the penalty of a distance constraint, with c = omega^2.
template <class S>
struct DistancePenaltyProfile {
  S c, squared_length;
  RadialDerivatives<S> operator()(const S& s) const {
    const S g = s - squared_length;
    return {c * g * g / S(2), c * g, c, S(0)};
  }
};

template <class S, int D>
Matrix<S, D> radial_hessian(const RadialDerivatives<S>& u, const Vector<S, D>& d) {
  Matrix<S, D> block;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) block(i, j) = S(4) * u.second * d(i) * d(j);
  for (int i = 0; i < D; ++i) block(i, i) += S(2) * u.first;
  return block;
}

template <class S, int D>
Vector<S, D> radial_third(const RadialDerivatives<S>& u, const Vector<S, D>& d, const Vector<S, D>& a) {
  S aa(0), da(0);
  for (int i = 0; i < D; ++i) {
    aa += a(i) * a(i);
    da += d(i) * a(i);
  }
  const S along_d = S(4) * u.second * aa + S(8) * u.third * da * da, along_a = S(8) * u.second * da;
  return along_d * d + along_a * a;
}

}  // namespace livi
