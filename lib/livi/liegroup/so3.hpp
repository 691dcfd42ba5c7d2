// SPDX-License-Identifier: MIT
//
// The rotation group SO(3) and two maps tau from R^3 to it: the exponential map and the Cayley map.
//
// hat maps a vector x to the antisymmetric matrix with hat(x) y = x cross y; vee is its inverse. Derivatives are
// trivialised from the LEFT, as body angular velocities are:
//
//   d/ds tau(x(s)) = tau(x) hat(dtau_x x'),    dtau_x = differential(x), a 3 x 3 matrix,
//
// so that Q' = Q hat(W) for Q = Q_0 tau(x) means x' = dtau_x^-1 W. With t = |x|^2:
//
//   exp(x) = I + sin|x|/|x| hat(x) + (1 - cos|x|)/t hat(x)^2
//   dexp_x = I - (1 - cos|x|)/t hat(x) + (|x| - sin|x|)/|x|^3 hat(x)^2
//   dexp_x^-1 = I + hat(x)/2 + (1 - |x|/2 cot(|x|/2))/t hat(x)^2
//   cay(x) = (I - hat(x)/2)^-1 (I + hat(x)/2) = I + (hat(x) + hat(x)^2/2)/(1 + t/4)
//   dcay_x = (I - hat(x)/2)/(1 + t/4),   dcay_x^-1 = I + hat(x)/2 + x x'/4.
//
// (Trivialised from the right, as in much of the literature, x has the other sign: dtau_-x = tau(x) dtau_x.) Both maps
// satisfy tau(-x) = tau(x)^-1. The Cayley map is a rational function, exact over rationals; it differs from exp by
// O(|x|^3), and never reaches a half turn.
#pragma once

#include <livi/linalg/three_vector.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/errors.hpp>

#include <tuple>
#include <utility>

namespace livi::so3 {

template <class S>
Matrix3<S> hat(const Vector3<S>& x) {
  Matrix3<S> m;
  m(0, 0) = m(1, 1) = m(2, 2) = S(0);
  m(2, 1) = x(0), m(1, 2) = -x(0);
  m(0, 2) = x(1), m(2, 0) = -x(1);
  m(1, 0) = x(2), m(0, 1) = -x(2);
  return m;
}

/// Returns vee(m - m'), twice the vector of the antisymmetric part of m. With G the gradient of U in the nine entries
/// of Q, DU . Q hat(y) = y . vee_of_difference(Q' G).
template <class S>
Vector3<S> vee_of_difference(const Matrix3<S>& m) {
  return vector3<S>(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1));
}

/// Returns the vector of an antisymmetric matrix; for any other matrix, that of its antisymmetric part.
template <class S>
Vector3<S> vee(const Matrix3<S>& m) {
  return vee_of_difference(m) / S(2);
}

/// Returns the distance BOS09 (11): sqrt(2 tr(I - a'b)), which is |a - b| in the Frobenius norm; in that form
/// nothing cancels. It is at most 2 sqrt 2, for half turns, and not differentiable where it vanishes.
template <class S>
S distance(const Matrix3<S>& a, const Matrix3<S>& b) {
  using std::sqrt;
  S sum(0);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) sum += (a(i, j) - b(i, j)) * (a(i, j) - b(i, j));
  return sqrt(sum);
}

/// Returns the largest entry of |Q'Q - I|, derivatives included: how far Q is from orthogonal.
template <class S>
RealOf<S> orthogonality_defect(const Matrix3<S>& q) {
  return max_magnitude((q.transpose() * q - identity3<S>()).eval());
}

namespace detail {

/// Sums first - first ratio(0) t + first ratio(0) ratio(1) t^2 - ... until the terms, with their derivatives, are below
/// rounding.
template <class S, class Ratio>
S alternating_series(const S& t, const S& first, const Ratio& ratio) {
  S term = first, sum = first;
  for (int k = 0; ScalarTraits<S>::epsilon() * magnitude(sum) < magnitude(term); ++k) {
    term *= -t * ratio(k);
    sum += term;
  }
  return sum;
}
template <class S>
S reciprocal(int n) {
  return S(1) / S(n);
}

// The four coefficients are functions of t = |x|^2 that are analytic at 0. Below t = 1 each is summed as a series: it
// alternates with falling terms, so its error is a rounding or two, after at most 9 terms in double and 21 in 50
// digits. Above t = 1 the closed forms are used: their subtractions leave at least a sixth of the larger number at
// t = 1 (for |x| - sin|x|; a twelfth for the last coefficient), so that at most one digit cancels. At t = 0 the closed
// forms would lose all digits of the value and of the derivative.
template <class S>
bool is_small(const S& t) {
  return leading(t) < RealOf<S>(1);
}
/// Returns sin|x| / |x|, given t = |x|^2.
template <class S>
S sine_quotient(const S& t) {
  using std::sin, std::sqrt;
  if (is_small(t)) return alternating_series(t, S(1), [](int k) { return reciprocal<S>((2 * k + 2) * (2 * k + 3)); });
  const S angle = sqrt(t);
  return sin(angle) / angle;
}
/// Returns (1 - cos|x|) / |x|^2, given t = |x|^2.
template <class S>
S cosine_quotient(const S& t) {
  using std::sin, std::sqrt;
  if (is_small(t))
    return alternating_series(t, ratio<S>(1, 2), [](int k) { return reciprocal<S>((2 * k + 3) * (2 * k + 4)); });
  const S half = sin(S(sqrt(t) / S(2)));
  return S(2) * half * half / t;
}
/// Returns (|x| - sin|x|) / |x|^3, given t = |x|^2.
template <class S>
S cubic_quotient(const S& t) {
  using std::sin, std::sqrt;
  if (is_small(t))
    return alternating_series(t, ratio<S>(1, 6), [](int k) { return reciprocal<S>((2 * k + 4) * (2 * k + 5)); });
  const S angle = sqrt(t);
  return (angle - sin(angle)) / (t * angle);
}
/// Returns (1 - |x|/2 cot(|x|/2)) / |x|^2, given t = |x|^2. This is (1 - a/(2b))/t with a = sine_quotient(t) and
/// b = cosine_quotient(t); for small t the numerator 2b - a has a series of its own.
template <class S>
S cotangent_quotient(const S& t) {
  using std::cos, std::sin, std::sqrt;
  if (is_small(t))
    return alternating_series(t, ratio<S>(1, 12),
                              [](int k) { return livi::ratio<S>(k + 2, 2 * (k + 1) * (k + 3) * (2 * k + 5)); }) /
           (S(2) * cosine_quotient(t));
  const S half = sqrt(t) / S(2);
  return (S(1) - half * cos(half) / sin(half)) / t;
}

/// Returns the row of 4 (w, v) (w, v)' that is v_i (w, v), i = 0, 1, 2. It is a multiple of the unit quaternion (w, v)
/// of the rotation q, as is the row of w, (1 + trace, vee_of_difference).
template <class S>
std::pair<S, Vector3<S>> quaternion_row(const Matrix3<S>& q, int i) {
  Vector3<S> v;
  for (int j = 0; j < 3; ++j) v(j) = q(i, j) + q(j, i);
  v(i) = S(1) + S(2) * q(i, i) - trace(q);
  return {vee_of_difference(q)(i), v};
}

/// Returns a multiple (w, v) of the unit quaternion of a rotation, w >= 0 unless S is exact: the row of 4 (w, v) (w,
/// v)' with the largest diagonal entry, where each entry is a sum of entries of q without cancellation (Shepperd 1978).
/// Exact numbers have no order and take the row of w; verification/theorems/BOS09/rigid_body_certificates.cpp certifies that
/// all rows are multiples of it.
template <class S>
std::pair<S, Vector3<S>> quaternion(const Matrix3<S>& q) {
  const S sum = trace(q);
  S w = S(1) + sum;
  Vector3<S> v = vee_of_difference(q);
  if constexpr (ScalarTraits<S>::exact) {
    OrderAssumed<S>::note(OrderReason::formula);
  } else {
    int largest = 0;
    for (int i = 1; i < 3; ++i)
      if (leading(q(largest, largest)) < leading(q(i, i))) largest = i;
    if (leading(sum) < leading(q(largest, largest))) {
      std::tie(w, v) = quaternion_row(q, largest);
      if (leading(w) < RealOf<S>(0)) {
        w = -w;
        v = -v;
      }
    }
  }
  return {w, v};
}

}  // namespace detail

/// The exponential map: x is the axis times the angle in radians.
struct ExponentialMap {
  static constexpr const char* name = "exponential map";
  /// True because tau(s x) tau(t x) = tau((s + t) x).
  static constexpr bool one_parameter_group = true;
  /// Returns exp(x).
  template <class S>
  static Matrix3<S> map(const Vector3<S>& x) {
    const S t = dot(x, x), a = detail::sine_quotient(t), b = detail::cosine_quotient(t);
    return polynomial(x, t, a, b);
  }
  /// Returns log q: the x with |x| <= pi and exp(x) = q. It is accurate to rounding at all angles. At exactly pi, where
  /// x and -x are the same rotation, it is one of the two.
  template <class S>
  static Vector3<S> inverse(const Matrix3<S>& q) {
    using std::atan2, std::sqrt;
    const auto [w, v] = detail::quaternion(q);
    const S square = dot(v, v);
    // |x| = 2 atan(|v|/w). For |v|/w < 1/4 the series is used, which avoids the root that has no derivative at 0.
    if (leading(S(RealOf<S>(16) * square)) < leading(S(w * w))) {
      const S y = square / (w * w);
      S power(1), sum(1);
      for (int k = 1; ScalarTraits<S>::epsilon() * magnitude(sum) < magnitude(power); ++k) {
        power *= -y;
        sum += power / S(2 * k + 1);
      }
      return (S(2) * sum / w) * v;
    }
    const S length = sqrt(square);
    return (S(2) * atan2(length, w) / length) * v;
  }
  /// Returns dexp_x.
  template <class S>
  static Matrix3<S> differential(const Vector3<S>& x) {
    const S t = dot(x, x);
    return polynomial(x, t, S(-detail::cosine_quotient(t)), detail::cubic_quotient(t));
  }
  /// Returns dexp_x^-1, which is singular at |x| = 2 pi.
  template <class S>
  static Matrix3<S> inverse_differential(const Vector3<S>& x) {
    const S t = dot(x, x);
    return polynomial(x, t, ratio<S>(1, 2), detail::cotangent_quotient(t));
  }
  /// Returns (dexp_x^-1)' m.
  template <class S>
  static Vector3<S> pull_back(const Vector3<S>& x, const Vector3<S>& m) {
    const Vector3<S> xm = cross(x, m);
    return m - xm / S(2) + detail::cotangent_quotient(dot(x, x)) * cross(x, xm);
  }
  /// Returns the derivative of pull_back(x, m) with respect to x, a 3 x 3 matrix.
  template <class S>
  static Matrix3<S> pull_back_derivative(const Vector3<S>& x, const Vector3<S>& m) {
    const Dual<S> d = detail::cotangent_quotient(Dual<S>(dot(x, x), S(1)));
    const S xm = dot(x, m);
    const Vector3<S> twice = cross(x, cross(x, m));
    Matrix3<S> result = hat(m) / S(2);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        result(i, j) += d.value * (x(i) * m(j) - S(2) * m(i) * x(j)) + S(2) * d.derivative * twice(i) * x(j);
      result(i, i) += d.value * xm;
    }
    return result;
  }
  /// Returns whether x is where the map is one to one: |x| < pi.
  template <class S>
  static bool covers(const Vector3<S>& x) {
    return leading(dot(x, x)) < RealOf<S>(9.8696044010893586);
  }

 private:
  /// Returns I + a hat(x) + b hat(x)^2.
  template <class S>
  static Matrix3<S> polynomial(const Vector3<S>& x, const S& t, const S& a, const S& b) {
    Matrix3<S> m;
    for (int i = 0; i < 3; ++i) m(i, i) = S(1) + b * (x(i) * x(i) - t);
    const auto pair = [&](int i, int j, int k) {  // a cyclic permutation of 0, 1, 2
      const S symmetric = b * x(i) * x(j), antisymmetric = a * x(k);
      m(i, j) = symmetric - antisymmetric;
      m(j, i) = symmetric + antisymmetric;
    };
    pair(0, 1, 2), pair(1, 2, 0), pair(2, 0, 1);
    return m;
  }
};

/// The Cayley map: x is the axis times twice the tangent of half the angle. It takes only additions, multiplications
/// and one division, so it is exact over rationals.
struct CayleyMap {
  static constexpr const char* name = "Cayley map";
  static constexpr bool one_parameter_group = false;
  /// Returns cay(x).
  template <class S>
  static Matrix3<S> map(const Vector3<S>& x) {
    const Vector3<S> half = x / S(2);
    const S a = S(2) / (S(1) + dot(half, half));
    Matrix3<S> m;
    const Vector3<S> y = a * half;
    const S xx = y(0) * half(0), yy = y(1) * half(1), zz = y(2) * half(2);
    m(0, 0) = S(1) - (yy + zz), m(1, 1) = S(1) - (zz + xx), m(2, 2) = S(1) - (xx + yy);
    const S xy = y(0) * half(1), yz = y(1) * half(2), zx = y(2) * half(0);
    m(0, 1) = xy - y(2), m(1, 0) = xy + y(2);
    m(1, 2) = yz - y(0), m(2, 1) = yz + y(0);
    m(2, 0) = zx - y(1), m(0, 2) = zx + y(1);
    return m;
  }
  /// Returns the x with cay(x) = q; accurate to rounding at all angles below pi. Throws at a half turn, which the map
  /// does not reach.
  template <class S>
  static Vector3<S> inverse(const Matrix3<S>& q) {
    const auto [w, v] = detail::quaternion(q);
    if (magnitude(w) == RealOf<S>(0))
      throw InvalidParameter("rotation", "a half turn", "must turn by less than pi: no x has it as its cay(x)");
    return (S(2) / w) * v;
  }
  /// Returns dcay_x.
  template <class S>
  static Matrix3<S> differential(const Vector3<S>& x) {
    const S scale = S(1) / (S(1) + dot(x, x) / S(4)), half = scale / S(2);
    Matrix3<S> m = (-half) * hat(x);
    for (int i = 0; i < 3; ++i) m(i, i) = scale;
    return m;
  }
  // The matrices below are set entry by entry: Eigen's packets of two would wait for numbers just stored one by one.
  /// Returns dcay_x^-1.
  template <class S>
  static Matrix3<S> inverse_differential(const Vector3<S>& x) {
    const Vector3<S> half = vector3<S>(x(0) / S(2), x(1) / S(2), x(2) / S(2));
    Matrix3<S> m;
    for (int i = 0; i < 3; ++i) m(i, i) = S(1) + half(i) * half(i);
    const auto pair = [&](int i, int j, int k) {
      const S symmetric = half(i) * half(j);
      m(i, j) = symmetric - half(k);
      m(j, i) = symmetric + half(k);
    };
    pair(0, 1, 2), pair(1, 2, 0), pair(2, 0, 1);
    return m;
  }
  /// Returns (dcay_x^-1)' m.
  template <class S>
  static Vector3<S> pull_back(const Vector3<S>& x, const Vector3<S>& m) {
    const Vector3<S> half = vector3<S>(x(0) / S(2), x(1) / S(2), x(2) / S(2)), turned = cross(half, m);
    const S along = dot(half, m);
    return vector3<S>(m(0) - turned(0) + along * half(0), m(1) - turned(1) + along * half(1),
                      m(2) - turned(2) + along * half(2));
  }
  /// Returns the derivative of pull_back(x, m) with respect to x, a 3 x 3 matrix.
  template <class S>
  static Matrix3<S> pull_back_derivative(const Vector3<S>& x, const Vector3<S>& m) {
    const Vector3<S> half = vector3<S>(m(0) / S(2), m(1) / S(2), m(2) / S(2)),
                     y = vector3<S>(x(0) / S(2), x(1) / S(2), x(2) / S(2));
    const S diagonal = dot(y, half);
    Matrix3<S> result = so3::hat(half);
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) result(i, j) += y(i) * half(j);
      result(j, j) += diagonal;
    }
    return result;
  }
  /// Returns true: the map is one to one on all of R^3.
  template <class S>
  static bool covers(const Vector3<S>&) {
    return true;
  }
};

/// Returns the rotation exp(x) (ExponentialMap); log and cay are functions in the same way.
template <class S>
Matrix3<S> exp(const Vector3<S>& x) {
  return ExponentialMap::map(x);
}
template <class S>
Vector3<S> log(const Matrix3<S>& q) {
  return ExponentialMap::inverse(q);
}
template <class S>
Matrix3<S> cay(const Vector3<S>& x) {
  return CayleyMap::map(x);
}

}  // namespace livi::so3
