// SPDX-License-Identifier: MIT
#pragma once

#include <livi/systems/constraints.hpp>

namespace livi {

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

}  // namespace livi
