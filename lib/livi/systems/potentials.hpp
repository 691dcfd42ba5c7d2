// SPDX-License-Identifier: MIT
//
// Unconstrained test potentials. All but Kepler's are polynomials with rational coefficients, so that a linearly
// implicit step on them is a rational function and can be certified exactly.
#pragma once

#include <livi/systems/pair_sum.hpp>

namespace livi {

/// The potential V = sum k_i q_i^2 / 2 of uncoupled oscillators.
template <class S, int N>
struct HarmonicPotential {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  using hessian_type = DiagonalHessian<S, N>;
  static constexpr int dimension = N;
  vector_type stiffness;  ///< k_i

  S value(const vector_type& q) const {
    S sum(0);
    for (Eigen::Index i = 0; i < q.size(); ++i) sum += stiffness(i) * q(i) * q(i);
    return sum / S(2);
  }
  void gradient(const vector_type& q, vector_type& out) const { out = stiffness.cwiseProduct(q); }
  void hessian(const vector_type&, hessian_type& h) const { h.diagonal = stiffness; }
  void third(const vector_type&, const vector_type&, vector_type& out) const { out.setConstant(S(0)); }
};

/// The potential V = sum_i q_i^2/2 + c q_i^2 q_{i+1}/2 + d q_i^4/4, i + 1 cyclic. Neighbours are coupled so that
/// Hessians at different points commute neither with each other nor with a diagonal mass. Bounded below for d > 0.
template <class S, int N>
struct CoupledAnharmonicPotential {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  using hessian_type = DenseHessian<S, N>;
  static constexpr int dimension = N;
  S coupling;  ///< c
  S quartic;   ///< d

  S value(const vector_type& q) const {
    S sum(0);
    for (Eigen::Index i = 0; i < q.size(); ++i)
      sum += q(i) * q(i) * (S(1) / S(2) + coupling * q(next(q, i)) / S(2) + quartic * q(i) * q(i) / S(4));
    return sum;
  }
  void gradient(const vector_type& q, vector_type& out) const {
    for (Eigen::Index i = 0; i < q.size(); ++i) out(i) = q(i) + quartic * q(i) * q(i) * q(i);
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const Eigen::Index j = next(q, i);
      out(i) += coupling * q(i) * q(j);
      out(j) += coupling * q(i) * q(i) / S(2);
    }
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    h.set_zero();
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const Eigen::Index j = next(q, i);
      h.matrix(i, i) += S(1) + S(3) * quartic * q(i) * q(i) + coupling * q(j);
      h.matrix(i, j) += coupling * q(i);
      h.matrix(j, i) += coupling * q(i);
    }
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    for (Eigen::Index i = 0; i < q.size(); ++i) out(i) = S(6) * quartic * q(i) * a(i) * a(i);
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const Eigen::Index j = next(q, i);
      out(i) += S(2) * coupling * a(i) * a(j);
      out(j) += coupling * a(i) * a(i);
    }
  }

 private:
  static Eigen::Index next(const vector_type& q, Eigen::Index i) { return i + 1 == q.size() ? 0 : i + 1; }
};

/// The potential V = (x^2 + y^2)/2 + x^2 y - y^3/3 (Henon and Heiles 1964). Motions are regular below E = 1/12; escape
/// is possible above 1/6.
template <class S>
struct HenonHeilesPotential {
  using scalar_type = S;
  using vector_type = Vector<S, 2>;
  using hessian_type = DenseHessian<S, 2>;
  static constexpr int dimension = 2;

  S value(const vector_type& q) const {
    return (q(0) * q(0) + q(1) * q(1)) / S(2) + q(0) * q(0) * q(1) - q(1) * q(1) * q(1) / S(3);
  }
  void gradient(const vector_type& q, vector_type& out) const {
    out(0) = q(0) + S(2) * q(0) * q(1);
    out(1) = q(1) + q(0) * q(0) - q(1) * q(1);
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    h.matrix(0, 0) = S(1) + S(2) * q(1);
    h.matrix(1, 0) = h.matrix(0, 1) = S(2) * q(0);
    h.matrix(1, 1) = S(1) - S(2) * q(1);
  }
  void third(const vector_type&, const vector_type& a, vector_type& out) const {
    out(0) = S(4) * a(0) * a(1);
    out(1) = S(2) * (a(0) * a(0) - a(1) * a(1));
  }
};

/// The potential V = V0 + V1 with V1 named as the stiff part (TO14 (19), eps absorbed in V1), both with dense Hessians.
/// For tests: it allocates.
template <class Soft, class Stiff>
struct SplitPotential {
  using scalar_type = typename Stiff::scalar_type;
  using vector_type = typename Stiff::vector_type;
  using hessian_type = typename Stiff::hessian_type;
  static constexpr int dimension = Stiff::dimension;
  Soft soft;
  Stiff stiff;

  scalar_type value(const vector_type& q) const { return soft.value(q) + stiff.value(q); }
  void gradient(const vector_type& q, vector_type& out) const {
    vector_type of_soft = q;
    soft.gradient(q, of_soft);
    stiff.gradient(q, out);
    out += of_soft;
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    hessian_type of_soft(q.size());
    soft.hessian(q, of_soft);
    stiff.hessian(q, h);
    h.matrix += of_soft.matrix;
  }
  void stiff_hessian(const vector_type& q, hessian_type& h) const { stiff.hessian(q, h); }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    vector_type of_soft = q;
    soft.third(q, a, of_soft);
    stiff.third(q, a, out);
    out += of_soft;
  }
  void stiff_third(const vector_type& q, const vector_type& a, vector_type& out) const { stiff.third(q, a, out); }
  void soft_hessian_product(const vector_type& q, const vector_type& a, vector_type& out) const {
    hessian_type of_soft(q.size());
    soft.hessian(q, of_soft);
    out = q;
    of_soft.multiply(a, out);
  }
};

/// The potential V = u(|q|^2) of one particle in N dimensions; Profile as in radial.hpp.
template <class S, int N, class Profile>
struct CentralPotential {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  using hessian_type = DenseHessian<S, N>;
  static constexpr int dimension = N;
  Profile profile;

  S value(const vector_type& q) const { return profile(squared(q)).value; }
  void gradient(const vector_type& q, vector_type& out) const { out = (S(2) * profile(squared(q)).first) * q; }
  void hessian(const vector_type& q, hessian_type& h) const { h.matrix = radial_hessian<S, N>(profile(squared(q)), q); }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    out = radial_third<S, N>(profile(squared(q)), q, a);
  }

 private:
  static S squared(const vector_type& q) {
    S s(0);
    for (int i = 0; i < N; ++i) s += q(i) * q(i);
    return s;
  }
};

/// The potential V = sum over pairs of u(|r_i - r_j|^2) for particles in D dimensions, n = D * particles degrees of
/// freedom; it conserves linear and angular momentum. Cost O(particles^2); the Hessian is dense.
template <class S, int D, class Profile>
struct PairPotential : PairSum<PairPotential<S, D, Profile>, S, D> {
  using vector_type = Vector<S, Dynamic>;
  using hessian_type = DenseHessian<S, Dynamic>;
  Profile profile;

  explicit PairPotential(Profile u) : profile(std::move(u)) {}

  template <class F>
  void for_each_pair(const vector_type& q, const F& f) const {
    const Eigen::Index particles = q.size() / D;
    for (Eigen::Index i = 1; i < particles; ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        const Vector<S, D> d = q.template segment<D>(i * D) - q.template segment<D>(j * D);
        S s(0);
        for (int k = 0; k < D; ++k) s += d(k) * d(k);
        f(i, j, d, profile(s));
      }
  }
};

}  // namespace livi
