// SPDX-License-Identifier: MIT
#pragma once

#include <livi/systems/potential.hpp>
#include <vector>

namespace livi::test {

/// V = sum_k sum_r p(s_kr), s_kr = c_kr . x_{k-1} + d_kr . x_k, p(s) = s^2/2 + s^3/6: a chain as a user may bring it,
/// with Hessian blocks that are not symmetric off the diagonal, and exact in rationals.
template <class S, int B>
struct RidgeChain {
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  using hessian_type = BlockTridiagonalHessian<S, B>;
  static constexpr int dimension = Dynamic;
  static constexpr int block_size = B;
  struct Ridge {
    Vector<S, B> before, here;
  };
  std::vector<std::vector<Ridge>> ridges;  ///< [k][r]; as many of each k

  S value(const vector_type& q) const {
    S sum(0);
    for_each(q, [&](Eigen::Index, const Ridge&, const S& s) { sum += s * s / S(2) + s * s * s / S(6); });
    return sum;
  }
  void gradient(const vector_type& q, vector_type& out) const {
    out.setConstant(S(0));
    for_each(q, [&](Eigen::Index k, const Ridge& r, const S& s) { add(k, r, s + s * s / S(2), out); });
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    h.set_zero();
    for_each(q, [&](Eigen::Index k, const Ridge& r, const S& s) {
      const S curvature = S(1) + s;
      h.template add_block<B>(k, k, outer(curvature, r.here, r.here));
      if (k == 0) return;
      h.template add_block<B>(k, k - 1, outer(curvature, r.here, r.before));
      h.template add_block<B>(k - 1, k - 1, outer(curvature, r.before, r.before));
    });
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    out.setConstant(S(0));
    for_each(q, [&](Eigen::Index k, const Ridge& r, const S&) {
      const S along = along_ridge(k, r, a);
      add(k, r, along * along, out);
    });
  }

  template <class T, class At>
  NeighbourDerivatives<T, B> neighbour_derivatives(const At& at, const Vector<T, B>& before,
                                                   const Vector<T, B>& here) const {
    NeighbourDerivatives<T, B> w;
    for (auto* matrix : {&w.hessian, &w.hessian_before, &w.hessian_cross}) matrix->setConstant(T(0));
    for (auto* vector : {&w.gradient, &w.gradient_before}) vector->setConstant(T(0));
    for (std::size_t r = 0; r < ridges[0].size(); ++r) {
      const auto [c, d] = directions<T>(at, r);
      T s(0);
      for (int i = 0; i < B; ++i) s += c(i) * before(i) + d(i) * here(i);
      const T slope = s + s * s / T(2), curvature = T(1) + s;
      for (int i = 0; i < B; ++i) {
        w.gradient_before(i) += slope * c(i);
        w.gradient(i) += slope * d(i);
        for (int j = 0; j < B; ++j) {
          w.hessian_before(i, j) += curvature * c(i) * c(j);
          w.hessian_cross(i, j) += curvature * d(i) * c(j);
          w.hessian(i, j) += curvature * d(i) * d(j);
        }
      }
    }
    return w;
  }
  template <class T, class At>
  NeighbourThird<T, B> neighbour_third(const At& at, const Vector<T, B>&, const Vector<T, B>&,
                                       const Vector<T, B>& a_before, const Vector<T, B>& a) const {
    NeighbourThird<T, B> t;
    for (auto* vector : {&t.before, &t.here}) vector->setConstant(T(0));
    for (std::size_t r = 0; r < ridges[0].size(); ++r) {
      const auto [c, d] = directions<T>(at, r);
      T along(0);
      for (int i = 0; i < B; ++i) along += c(i) * a_before(i) + d(i) * a(i);
      for (int i = 0; i < B; ++i) {
        t.before(i) += along * along * c(i);
        t.here(i) += along * along * d(i);
      }
    }
    return t;
  }

 private:
  template <class T, class At>
  std::pair<Vector<T, B>, Vector<T, B>> directions(const At& at, std::size_t r) const {
    std::pair<Vector<T, B>, Vector<T, B>> of;
    for (int i = 0; i < B; ++i) {
      of.first(i) = at([&](Eigen::Index k) -> S { return ridges[static_cast<std::size_t>(k)][r].before(i); });
      of.second(i) = at([&](Eigen::Index k) -> S { return ridges[static_cast<std::size_t>(k)][r].here(i); });
    }
    return of;
  }
  static Matrix<S, B> outer(const S& factor, const Vector<S, B>& a, const Vector<S, B>& b) {
    Matrix<S, B> product;
    for (int i = 0; i < B; ++i)
      for (int j = 0; j < B; ++j) product(i, j) = factor * a(i) * b(j);
    return product;
  }
  static S along_ridge(Eigen::Index k, const Ridge& r, const vector_type& q) {
    S s(0);
    for (int i = 0; i < B; ++i) {
      s += r.here(i) * q(k * B + i);
      if (k > 0) s += r.before(i) * q(k * B - B + i);
    }
    return s;
  }
  static void add(Eigen::Index k, const Ridge& r, const S& slope, vector_type& out) {
    for (int i = 0; i < B; ++i) {
      out(k * B + i) += slope * r.here(i);
      if (k > 0) out(k * B - B + i) += slope * r.before(i);
    }
  }
  template <class F>
  void for_each(const vector_type& q, const F& f) const {
    for (std::size_t k = 0; k < ridges.size(); ++k)
      for (const Ridge& r : ridges[k]) {
        const auto index = static_cast<Eigen::Index>(k);
        f(index, r, along_ridge(index, r, q));
      }
  }
};

/// The potential P without the terms one by one: steps on it store its Hessian.
template <class P>
struct WithoutTerms : P {
 private:
  void neighbour_derivatives() const;
};

}  // namespace livi::test
