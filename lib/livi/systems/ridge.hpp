// SPDX-License-Identifier: MIT
//
// Sums of ridge functions, V = sum of c_k f_k(e_k . q): functions of one variable along given directions, with all
// derivatives that the methods ask for. No difference quotient of any width has the derivative of a sine, and none of
// these functions is stiff far from the origin. For tests: they allocate.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include <livi/systems/potential.hpp>

namespace livi {

/// The function f of u = e . q: u^2, sin u, exp(-u^2) or sqrt(1 + u^2).
enum class RidgeFunction { square, sine, gaussian, hyperbola };

template <class S>
struct RidgePotential {
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  using hessian_type = DenseHessian<S, Dynamic>;
  static constexpr int dimension = Dynamic;
  struct Ridge {
    RidgeFunction function;
    S coefficient;
    vector_type direction;  ///< e, n entries
  };
  std::vector<Ridge> ridges;

  S value(const vector_type& q) const {
    S sum(0);
    for (const Ridge& ridge : ridges) sum += ridge.coefficient * derivatives(ridge, q)[0];
    return sum;
  }
  void gradient(const vector_type& q, vector_type& out) const {
    out.setConstant(S(0));
    for (const Ridge& ridge : ridges) {
      const S slope = ridge.coefficient * derivatives(ridge, q)[1];
      for (Eigen::Index i = 0; i < q.size(); ++i) out(i) += slope * ridge.direction(i);
    }
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    h.set_zero();
    for (const Ridge& ridge : ridges) {
      const S second = ridge.coefficient * derivatives(ridge, q)[2];
      for (Eigen::Index i = 0; i < q.size(); ++i)
        for (Eigen::Index j = 0; j < q.size(); ++j) h.matrix(i, j) += second * ridge.direction(i) * ridge.direction(j);
    }
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    out.setConstant(S(0));
    for (const Ridge& ridge : ridges) {
      const S along = dot(ridge.direction, a), third = ridge.coefficient * derivatives(ridge, q)[3] * along * along;
      for (Eigen::Index i = 0; i < q.size(); ++i) out(i) += third * ridge.direction(i);
    }
  }

 private:
  static S dot(const vector_type& x, const vector_type& y) {
    S sum(0);
    for (Eigen::Index i = 0; i < x.size(); ++i) sum += x(i) * y(i);
    return sum;
  }
  /// Returns f, f', f'', f''' at e . q.
  static std::array<S, 4> derivatives(const Ridge& ridge, const vector_type& q) {
    using std::cos, std::exp, std::sin, std::sqrt;
    const S u = dot(ridge.direction, q);
    switch (ridge.function) {
      case RidgeFunction::sine: {
        const S s = sin(u), c = cos(u);
        return {s, c, -s, -c};
      }
      case RidgeFunction::gaussian: {
        const S g = exp(-u * u);
        return {g, S(-2) * u * g, (S(4) * u * u - S(2)) * g, (S(12) - S(8) * u * u) * u * g};
      }
      case RidgeFunction::hyperbola: {
        const S square = S(1) + u * u, root = sqrt(square), inverse = S(1) / (square * root);
        return {root, u / root, inverse, S(-3) * u * inverse / square};
      }
      case RidgeFunction::square:
        break;
    }
    return {u * u, S(2) * u, S(2), S(0)};
  }
};

}  // namespace livi
