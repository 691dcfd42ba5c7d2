// SPDX-License-Identifier: MIT
//
// Constraints that fix distances, with dense Jacobians of fixed size: a particle on a sphere or a cylinder, and particles in
// space joined by rods, at a full mass matrix too. Beside them stand a plane and any quadratic form. All are polynomials over every
// scalar.
#pragma once

#include <array>
#include <livi/systems/constraints.hpp>

namespace livi {

/// The constraint g = (q_1^2 + ... + q_K^2 - r^2)/2 = 0 on N coordinates: a sphere about the origin for K = N, a cylinder
/// with a plane of dimension N - K as its axis for K < N.
template <class S, int N, int K = N>
struct RoundConstraint {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  using multiplier_type = Vector<S, 1>;
  using jacobian_type = Matrix<S, 1, N>;
  static constexpr int dimension = N;
  static constexpr int constraints = 1;
  S squared_radius;

  void value(const vector_type& q, multiplier_type& g) const {
    S sum = q(0) * q(0);
    for (int i = 1; i < K; ++i) sum += q(i) * q(i);
    g(0) = (sum - squared_radius) / S(2);
  }
  void jacobian(const vector_type& q, jacobian_type& jacobian) const {
    jacobian.template leftCols<K>() = q.template head<K>().transpose();
    for (int i = K; i < N; ++i) jacobian(0, i) = S(0);
  }
  template <class H>
  void add_hessian(const vector_type&, const multiplier_type& w, H& h) const {
    for (int i = 0; i < K; ++i) h.matrix(i, i) += w(0);
  }
  void curvature(const vector_type&, const vector_type& a, multiplier_type& w) const {
    w(0) = a(0) * a(0);
    for (int i = 1; i < K; ++i) w(0) += a(i) * a(i);
  }
  void add_hessian_product(const vector_type&, const multiplier_type& w, const vector_type& a, vector_type& out) const {
    for (int i = 0; i < K; ++i) out(i) += w(0) * a(i);
  }
  void add_third(const vector_type&, const multiplier_type&, const vector_type&, vector_type&) const {}

  /// Sets mu to the root of g(r + mu d) = c + b mu + a mu^2/2 that is nearest to the branch from q_k (multiplier_solve.hpp), where
  /// d = M^-1 G(q_k)^T; returns whether it is real. On the branch the derivative b + a mu is positive, so that it is the root
  /// with + (b^2 - 2 a c)^(1/2). On the way from q_k to r the discriminant is a concave function: the branch ends before r only if
  /// it is negative at r.
  bool nearest_root(const vector_type& r, const vector_type& d, multiplier_type& mu) const {
    using std::sqrt;
    multiplier_type c;
    value(r, c);
    S a = d(0) * d(0), b = r(0) * d(0);
    for (int i = 1; i < K; ++i) {
      a += d(i) * d(i);
      b += r(i) * d(i);
    }
    const S discriminant = b * b - S(2) * a * c(0);
    if (!(RealOf<S>(0) < leading(discriminant))) return false;
    const S root = sqrt(discriminant);
    // The form without cancellation.
    mu(0) = leading(b) < RealOf<S>(0) ? S((root - b) / a) : S(S(-2) * c(0) / (b + root));
    return true;
  }
};

/// The constraint of one equation g(q) = q . A q / 2 - c = 0 with symmetric A: ellipsoids, rods between free particles.
template <class S, int N>
struct QuadraticConstraint {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  using multiplier_type = Vector<S, 1>;
  using jacobian_type = Matrix<S, 1, N>;
  static constexpr int dimension = N;
  static constexpr int constraints = 1;
  Matrix<S, N> a;
  S level;

  void value(const vector_type& q, multiplier_type& g) const { g(0) = form(q, q) / S(2) - level; }
  void jacobian(const vector_type& q, jacobian_type& jacobian) const {
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      S sum(0);
      for (Eigen::Index i = 0; i < q.size(); ++i) sum += a(j, i) * q(i);
      jacobian(0, j) = sum;
    }
  }
  template <class H>
  void add_hessian(const vector_type&, const multiplier_type& w, H& h) const {
    h.matrix += w(0) * a;
  }
  void curvature(const vector_type&, const vector_type& direction, multiplier_type& w) const {
    w(0) = form(direction, direction);
  }
  void add_hessian_product(const vector_type&, const multiplier_type& w, const vector_type& direction,
                           vector_type& out) const {
    for (Eigen::Index i = 0; i < out.size(); ++i)
      for (Eigen::Index j = 0; j < out.size(); ++j) out(i) += w(0) * a(i, j) * direction(j);
  }
  void add_third(const vector_type&, const multiplier_type&, const vector_type&, vector_type&) const {}

 private:
  S form(const vector_type& x, const vector_type& y) const {
    S sum(0);
    for (Eigen::Index i = 0; i < x.size(); ++i)
      for (Eigen::Index j = 0; j < x.size(); ++j) sum += x(i) * a(i, j) * y(j);
    return sum;
  }
};

/// The constraint g = a . q - c = 0: a plane, on which multipliers are those of a linear equation.
template <class S, int N>
struct PlaneConstraint {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  using multiplier_type = Vector<S, 1>;
  using jacobian_type = Matrix<S, 1, N>;
  static constexpr int dimension = N;
  static constexpr int constraints = 1;
  vector_type normal;  ///< a
  S level;             ///< c

  void value(const vector_type& q, multiplier_type& g) const {
    g(0) = -level;
    for (Eigen::Index i = 0; i < q.size(); ++i) g(0) += normal(i) * q(i);
  }
  void jacobian(const vector_type&, jacobian_type& jacobian) const { jacobian = normal.transpose(); }
  template <class H>
  void add_hessian(const vector_type&, const multiplier_type&, H&) const {}
  void curvature(const vector_type&, const vector_type&, multiplier_type& w) const { w(0) = S(0); }
  void add_hessian_product(const vector_type&, const multiplier_type&, const vector_type&, vector_type&) const {}
  void add_third(const vector_type&, const multiplier_type&, const vector_type&, vector_type&) const {}
};

/// The constraints g_k = (|r_a - r_b|^2 - l_k^2)/2 = 0 of M rods between P particles in space, or between a particle and
/// the origin.
template <class S, int P, int M>
struct RodConstraints {
  using scalar_type = S;
  using vector_type = Vector<S, 3 * P>;
  using multiplier_type = Vector<S, M>;
  using jacobian_type = Matrix<S, M, 3 * P>;
  static constexpr int dimension = 3 * P;
  static constexpr int constraints = M;
  static constexpr int origin = -1;  ///< in the place of a particle
  struct Rod {
    int from, to;  ///< particles; `from` may be the origin
    S squared_length;
  };
  std::array<Rod, M> rods;

  void value(const vector_type& q, multiplier_type& g) const {
    for_each(q, [&](int k, const Rod& rod, const Vector<S, 3>& d) { g(k) = (square(d) - rod.squared_length) / S(2); });
  }
  void jacobian(const vector_type& q, jacobian_type& jacobian) const {
    jacobian.setConstant(S(0));
    for_each(q, [&](int k, const Rod& rod, const Vector<S, 3>& d) {
      for (int i = 0; i < 3; ++i) {
        jacobian(k, 3 * rod.to + i) = d(i);
        if (rod.from != origin) jacobian(k, 3 * rod.from + i) = -d(i);
      }
    });
  }
  template <class H>
  void add_hessian(const vector_type&, const multiplier_type& w, H& h) const {
    for (int k = 0; k < M; ++k)
      for (int i = 0; i < 3; ++i) {
        const auto& rod = rods[static_cast<std::size_t>(k)];
        h.matrix(3 * rod.to + i, 3 * rod.to + i) += w(k);
        if (rod.from == origin) continue;
        h.matrix(3 * rod.from + i, 3 * rod.from + i) += w(k);
        h.matrix(3 * std::max(rod.from, rod.to) + i, 3 * std::min(rod.from, rod.to) + i) -= w(k);
      }
  }
  void curvature(const vector_type&, const vector_type& a, multiplier_type& w) const {
    for_each(a, [&](int k, const Rod&, const Vector<S, 3>& d) { w(k) = square(d); });
  }
  void add_hessian_product(const vector_type&, const multiplier_type& w, const vector_type& a, vector_type& out) const {
    for_each(a, [&](int k, const Rod& rod, const Vector<S, 3>& d) {
      for (int i = 0; i < 3; ++i) {
        out(3 * rod.to + i) += w(k) * d(i);
        if (rod.from != origin) out(3 * rod.from + i) -= w(k) * d(i);
      }
    });
  }
  void add_third(const vector_type&, const multiplier_type&, const vector_type&, vector_type&) const {}

 private:
  static S square(const Vector<S, 3>& d) { return d(0) * d(0) + d(1) * d(1) + d(2) * d(2); }
  /// Calls f(k, rod, r_to - r_from) for every rod.
  template <class F>
  void for_each(const vector_type& q, const F& f) const {
    for (int k = 0; k < M; ++k) {
      const Rod& rod = rods[static_cast<std::size_t>(k)];
      Vector<S, 3> d;
      for (int i = 0; i < 3; ++i)
        d(i) = rod.from == origin ? q(3 * rod.to + i) : q(3 * rod.to + i) - q(3 * rod.from + i);
      f(k, rod, d);
    }
  }
};

}  // namespace livi
