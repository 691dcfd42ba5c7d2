// SPDX-License-Identifier: MIT
//
// Planar chains of point masses: link k joins mass k to mass k-1, link 0 joins mass 0 to the origin; coordinates are
// (x_1, y_1, x_2, y_2, ...). Two masses are the double pendulum of TO14 4.1, n masses the chain of 4.2.
//
// Sign of gravity. TO14 prints V = -g sum y_i in 4.1 and 4.2, which is gravity upward. With heights y = -L cos(theta),
// as in the paper's own coordinates, a hanging pendulum needs V = +g sum y_i. `gravity` here is the coefficient of sum
// y_i: with +g the chain hangs, -g is the text as printed.
#pragma once

#include <livi/systems/constraints.hpp>
#include <livi/systems/potential.hpp>
#include <livi/systems/radial.hpp>

namespace livi {

/// The potential V = gravity * sum of the heights y_i.
template <class S, int N>
struct GravityPotential {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  static constexpr int dimension = N;
  static constexpr bool is_linear = true;
  S gravity;

  S value(const vector_type& q) const {
    S sum(0);
    for (Eigen::Index i = 1; i < q.size(); i += 2) sum += q(i);
    return gravity * sum;
  }
  void gradient(const vector_type& q, vector_type& out) const {
    for (Eigen::Index i = 0; i < q.size(); i += 2) {
      out(i) = S(0);
      out(i + 1) = gravity;
    }
  }
  /// Adds grad V to `out`.
  void add_gradient(const vector_type& q, vector_type& out) const {
    for (Eigen::Index i = 1; i < q.size(); i += 2) out(i) += gravity;
  }
  /// Adds grad V of one mass to the block of its two coordinates.
  template <class T>
  void add_block_gradient(Vector<T, 2>& block) const {
    block(1) += T(gravity);
  }
};

/// The penalty sum over links of omega^2 (|d_k|^2 - L_k^2)^2 / 2. Its Hessian is a DenseHessian<S, N> or a
/// BlockTridiagonalHessian<S, 2>. Cost O(n), except for a dense Hessian.
template <class S, int N, class Hessian>
struct PlanarChainPenalty {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  using hessian_type = Hessian;
  using lengths_type = Vector<S, N == Dynamic ? Dynamic : N / 2>;
  static constexpr int dimension = N;
  static constexpr int block_size = 2;
  lengths_type squared_lengths;
  S stiffness;  ///< omega^2

  S value(const vector_type& q) const {
    S sum(0);
    for (Eigen::Index k = 0; k < links(); ++k) sum += profile(k)(squared(link(q, k))).value;
    return sum;
  }
  void gradient(const vector_type& q, vector_type& out) const {
    for (Eigen::Index k = 0; k < links(); ++k) {
      const Vector<S, 2> d = link(q, k);
      add_force(k, (S(2) * profile(k)(squared(d)).first) * d, out);
    }
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    h.set_zero();
    for (Eigen::Index k = 0; k < links(); ++k) {
      const Vector<S, 2> d = link(q, k);
      add_link_block(k, radial_hessian<S, 2>(profile(k)(squared(d)), d), h);
    }
  }
  void gradient_and_hessian(const vector_type& q, vector_type& out, hessian_type& h) const {
    h.set_zero();
    for (Eigen::Index k = 0; k < links(); ++k) {
      const Vector<S, 2> d = link(q, k);
      const RadialDerivatives<S> u = profile(k)(squared(d));
      add_force(k, (S(2) * u.first) * d, out);
      add_link_block(k, radial_hessian<S, 2>(u, d), h);
    }
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    for (Eigen::Index k = 0; k < links(); ++k) {
      const Vector<S, 2> d = link(q, k);
      add_force(k, radial_third<S, 2>(profile(k)(squared(d)), d, link(a, k)), out);
    }
  }
  /// Returns the derivatives of the term of link k, which joins masses k-1 and k (potential.hpp); for k = 0
  /// `before` is the origin.
  template <class T, class At>
  [[nodiscard, gnu::always_inline]] NeighbourDerivatives<T, 2> neighbour_derivatives(const At& at,
                                                                                     const Vector<T, 2>& before,
                                                                                     const Vector<T, 2>& here) const {
    const T dx = here(0) - before(0), dy = here(1) - before(1);
    const RadialDerivatives<T> u = profile_at<T>(at)(dx * dx + dy * dy);
    const T first = T(2) * u.first, second = T(4) * u.second, px = second * dx, py = second * dy;
    NeighbourDerivatives<T, 2> w;
    w.gradient(0) = first * dx;
    w.gradient(1) = first * dy;
    w.hessian(0, 0) = px * dx + first;
    w.hessian(1, 0) = w.hessian(0, 1) = py * dx;
    w.hessian(1, 1) = py * dy + first;
    static_for<2>([&]<int i>() {
      w.gradient_before(i) = -w.gradient(i);
      static_for<2>([&]<int j>() {
        w.hessian_before(i, j) = w.hessian(i, j);
        w.hessian_cross(i, j) = -w.hessian(i, j);
        return true;
      });
      return true;
    });
    return w;
  }
  template <class T, class At>
  [[nodiscard, gnu::always_inline]] NeighbourThird<T, 2> neighbour_third(const At& at, const Vector<T, 2>& before,
                                                                         const Vector<T, 2>& here,
                                                                         const Vector<T, 2>& a_before,
                                                                         const Vector<T, 2>& a) const {
    // The formula of radial_third() with u''' = 0.
    const T dx = here(0) - before(0), dy = here(1) - before(1), ax = a(0) - a_before(0), ay = a(1) - a_before(1);
    const T second = T(4) * profile_at<T>(at)(dx * dx + dy * dy).second;
    const T along_d = second * (ax * ax + ay * ay), along_a = T(2) * second * (dx * ax + dy * ay);
    NeighbourThird<T, 2> t;
    t.here(0) = along_d * dx + along_a * ax;
    t.here(1) = along_d * dy + along_a * ay;
    t.before(0) = -t.here(0);
    t.before(1) = -t.here(1);
    return t;
  }

 private:
  [[nodiscard]] Eigen::Index links() const { return N == Dynamic ? squared_lengths.size() : N / 2; }
  [[nodiscard]] DistancePenaltyProfile<S> profile(Eigen::Index k) const { return {stiffness, squared_lengths(k)}; }
  template <class T, class At>
  [[nodiscard, gnu::always_inline]] DistancePenaltyProfile<T> profile_at(const At& at) const {
    return {T(stiffness), at([&](Eigen::Index k) -> S { return squared_lengths(k); })};
  }
  static S squared(const Vector<S, 2>& d) { return d(0) * d(0) + d(1) * d(1); }
  static Vector<S, 2> link(const vector_type& q, Eigen::Index k) {
    if (k == 0) return {q(0), q(1)};
    return {q(2 * k) - q(2 * k - 2), q(2 * k + 1) - q(2 * k - 1)};
  }
  /// Adds the force of link k, f on mass k and -f on mass k-1. Mass k appears here for the first time, so its entries
  /// are set.
  static void add_force(Eigen::Index k, const Vector<S, 2>& f, vector_type& out) {
    out(2 * k) = f(0);
    out(2 * k + 1) = f(1);
    if (k > 0) {
      out(2 * k - 2) -= f(0);
      out(2 * k - 1) -= f(1);
    }
  }
  static void add_link_block(Eigen::Index k, const Matrix<S, 2>& block, hessian_type& h) {
    h.template add_block<2>(k, k, block);
    if (k > 0) {
      h.template add_block<2>(k - 1, k - 1, block);
      h.template add_block<2>(k, k - 1, -block);
    }
  }
};

/// The constraint g_k = |d_k|^2 - L_k^2 (TO14 4.1, 4.2). The structure chosen for the penalty's Hessian is also that of
/// the Jacobian: if it is banded, both cost O(n), and SHAKE and RATTLE solve for the multipliers at O(n).
template <class S, int N, class Hessian = DenseHessian<S, N>>
struct PlanarChainConstraint {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  static constexpr int dimension = N;
  static constexpr int constraints = N == Dynamic ? Dynamic : N / 2;
  using multiplier_type = Vector<S, constraints>;
  using dense_jacobian_type = Matrix<S, constraints, N>;
  using banded_jacobian_type = BlockBidiagonalJacobian<S, 2, constraints>;
  using jacobian_type =
      std::conditional_t<std::same_as<Hessian, DenseHessian<S, N>>, dense_jacobian_type, banded_jacobian_type>;
  multiplier_type squared_lengths;

  void value(const vector_type& q, multiplier_type& g) const {
    g.resize(squared_lengths.size());
    for (Eigen::Index k = 0; k < g.size(); ++k) {
      const Vector<S, 2> d = link(q, k);
      g(k) = d(0) * d(0) + d(1) * d(1) - squared_lengths(k);
    }
  }
  void jacobian(const vector_type& q, banded_jacobian_type& jacobian) const {
    jacobian.resize(squared_lengths.size());
    for (Eigen::Index k = 0; k < squared_lengths.size(); ++k) {
      const Vector<S, 2> d = link(q, k);
      for (int i = 0; i < 2; ++i) {
        jacobian.own(i, k) = d(i) + d(i);
        jacobian.previous(i, k) = -jacobian.own(i, k);
      }
    }
  }
  void jacobian(const vector_type& q, dense_jacobian_type& jacobian) const {
    jacobian.setConstant(squared_lengths.size(), q.size(), S(0));
    for (Eigen::Index k = 0; k < squared_lengths.size(); ++k) {
      const Vector<S, 2> d = link(q, k);
      for (int i = 0; i < 2; ++i) {
        jacobian(k, 2 * k + i) = S(2) * d(i);
        if (k > 0) jacobian(k, 2 * k - 2 + i) = S(-2) * d(i);
      }
    }
  }
  template <class H>
  void add_hessian(const vector_type&, const multiplier_type& w, H& h) const {
    for (Eigen::Index k = 0; k < w.size(); ++k) {
      Matrix<S, 2> block = Matrix<S, 2>::Constant(S(0));
      block(0, 0) = block(1, 1) = S(2) * w(k);
      h.template add_block<2>(k, k, block);
      if (k > 0) {
        h.template add_block<2>(k - 1, k - 1, block);
        h.template add_block<2>(k, k - 1, -block);
      }
    }
  }
  void curvature(const vector_type&, const vector_type& a, multiplier_type& w) const {
    w.resize(squared_lengths.size());
    for (Eigen::Index k = 0; k < w.size(); ++k) {
      const Vector<S, 2> d = link(a, k);
      w(k) = S(2) * (d(0) * d(0) + d(1) * d(1));
    }
  }
  void add_hessian_product(const vector_type&, const multiplier_type& w, const vector_type& a, vector_type& out) const {
    for (Eigen::Index k = 0; k < w.size(); ++k) {
      const Vector<S, 2> d = link(a, k);
      for (int i = 0; i < 2; ++i) {
        out(2 * k + i) += S(2) * w(k) * d(i);
        if (k > 0) out(2 * k - 2 + i) -= S(2) * w(k) * d(i);
      }
    }
  }
  void add_third(const vector_type&, const multiplier_type&, const vector_type&, vector_type&) const {
  }  // g is quadratic
  [[nodiscard]] PlanarChainPenalty<S, N, Hessian> penalty(const S& stiffness) const {
    return {squared_lengths, stiffness};
  }

 private:
  static Vector<S, 2> link(const vector_type& q, Eigen::Index k) {
    if (k == 0) return {q(0), q(1)};
    return {q(2 * k) - q(2 * k - 2), q(2 * k + 1) - q(2 * k - 1)};
  }
};

}  // namespace livi
