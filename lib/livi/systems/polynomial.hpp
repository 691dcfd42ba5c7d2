// SPDX-License-Identifier: MIT
//
// Polynomial potentials V = sum of c_m q_1^{m_1} ... q_n^{m_n}, with all derivatives that the methods ask for. They
// serve tests and proofs, where generality counts and speed does not.
#pragma once

#include <vector>

#include <livi/systems/potential.hpp>

namespace livi {

template <class S>
struct PolynomialPotential {
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  using hessian_type = DenseHessian<S, Dynamic>;
  static constexpr int dimension = Dynamic;
  struct Monomial {
    S coefficient;
    std::vector<int> exponents;  ///< m_1, ..., m_n
  };
  std::vector<Monomial> monomials;

  S value(const vector_type& q) const {
    S sum(0);
    for_each_derivative(q, 0, [&](const S& d, const std::vector<Eigen::Index>&) { sum += d; });
    return sum;
  }
  void gradient(const vector_type& q, vector_type& out) const {
    out.setConstant(S(0));
    for_each_derivative(q, 1, [&](const S& d, const std::vector<Eigen::Index>& by) { out(by[0]) += d; });
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    h.set_zero();
    for_each_derivative(q, 2, [&](const S& d, const std::vector<Eigen::Index>& by) {
      h.matrix(by[0], by[1]) += d;
      if (by[0] != by[1]) h.matrix(by[1], by[0]) += d;
    });
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    out.setConstant(S(0));
    for_each_derivative(q, 3, [&](const S& d, const std::vector<Eigen::Index>& by) {
      const Eigen::Index i = by[0], j = by[1], k = by[2];  // i >= j >= k; every distinct order of them is a term
      const auto add = [&](Eigen::Index to, Eigen::Index x, Eigen::Index y) {
        out(to) += (x == y ? d : S(2) * d) * a(x) * a(y);
      };
      add(i, j, k);
      if (j != i) add(j, i, k);
      if (k != j) add(k, i, j);
    });
  }

 private:
  /// Calls f(derivative of a monomial, i >= j >= ...) for all partial derivatives of the given order that do not
  /// vanish.
  template <class F>
  void for_each_derivative(const vector_type& q, int order, F&& f) const {
    for (const Monomial& monomial : monomials) {
      std::vector<int> exponents = monomial.exponents;
      std::vector<Eigen::Index> by;
      differentiate(q, monomial.coefficient, exponents, by, order, f);
    }
  }
  template <class F>
  static void differentiate(const vector_type& q, const S& factor, std::vector<int>& exponents,
                            std::vector<Eigen::Index>& by, int order, F&& f) {
    if (order == 0) {
      S term = factor;
      for (std::size_t i = 0; i < exponents.size(); ++i)
        for (int k = 0; k < exponents[i]; ++k) term *= q(static_cast<Eigen::Index>(i));
      f(term, by);
      return;
    }
    const Eigen::Index last = by.empty() ? q.size() - 1 : by.back();
    for (Eigen::Index i = 0; i <= last; ++i) {
      int& exponent = exponents[static_cast<std::size_t>(i)];
      if (exponent == 0) continue;
      const S next = factor * S(exponent);
      --exponent;
      by.push_back(i);
      differentiate(q, next, exponents, by, order - 1, f);
      by.pop_back();
      ++exponent;
    }
  }
};

/// Returns the sum of all monomials of n variables with lowest <= degree <= highest, in a fixed order, with
/// coefficients from `coefficient()`.
template <class S, class Coefficient>
PolynomialPotential<S> polynomial(int n, int lowest, int highest, Coefficient&& coefficient) {
  PolynomialPotential<S> result;
  std::vector<int> exponents(static_cast<std::size_t>(n), 0);
  const auto extend = [&](auto&& self, std::size_t from, int degree) -> void {
    if (degree >= lowest) result.monomials.push_back({S(coefficient()), exponents});
    if (degree == highest) return;
    for (std::size_t i = from; i < exponents.size(); ++i) {
      ++exponents[i];
      self(self, i, degree + 1);
      --exponents[i];
    }
  };
  extend(extend, 0, 0);
  return result;
}

}  // namespace livi
