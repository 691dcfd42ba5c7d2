// SPDX-License-Identifier: MIT
//
// Klein-Gordon chains: equal particles with one degree of freedom each, a linear coupling of neighbours, and the same
// potential U on every site.
//
//   V = sum over neighbours (q_{k+1} - q_k)^2 / 2 + sum_k U(q_k)
//
// With periodic ends particle n-1 is coupled to particle 0 too: for n = 2 that joins the same pair twice, for n = 1
// there is no pair. Everything costs O(n): the Hessian is cyclic tridiagonal with off-diagonal entries -1, third
// derivatives are those of U alone.
//
// A potential on a site, OnSite, offers scalar_type, value(x) -> U(x) and derivatives(x) -> {U', U'', U'''}.
#pragma once

#include <livi/linalg/cyclic_tridiagonal.hpp>
#include <livi/systems/mechanical_system.hpp>

namespace livi {

enum class ChainEnds { periodic, free };

/// The derivatives of a function of one variable at one point.
template <class S>
struct OnSiteDerivatives {
  S first, second, third;
};

template <class OnSite>
struct KleinGordonChainPotential {
  using scalar_type = typename OnSite::scalar_type;
  using S = scalar_type;
  using vector_type = Vector<S, Dynamic>;
  using hessian_type = CyclicTridiagonalHessian<S>;
  static constexpr int dimension = Dynamic;
  OnSite on_site;
  ChainEnds ends = ChainEnds::periodic;

  S value(const vector_type& q) const {
    S sum(0);
    for (Eigen::Index i = 0; i < q.size(); ++i) sum += on_site.value(q(i));
    S twice_coupling(0);
    for (Eigen::Index i = first_coupling(q); i < q.size(); ++i) {
      const S d = q(i) - q(before(q, i));
      twice_coupling += d * d;
    }
    return sum + twice_coupling / S(2);
  }
  void gradient(const vector_type& q, vector_type& out) const {
    for (Eigen::Index i = 0; i < q.size(); ++i) out(i) = on_site.derivatives(q(i)).first;
    add_coupling_gradient(q, out);
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    set_coupling(q, h);
    for (Eigen::Index i = 0; i < q.size(); ++i) h.diagonal(i) += on_site.derivatives(q(i)).second;
  }
  void gradient_and_hessian(const vector_type& q, vector_type& out, hessian_type& h) const {
    set_coupling(q, h);
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const OnSiteDerivatives<S> u = on_site.derivatives(q(i));
      out(i) = u.first;
      h.diagonal(i) += u.second;
    }
    add_coupling_gradient(q, out);
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    for (Eigen::Index i = 0; i < q.size(); ++i) out(i) = on_site.derivatives(q(i)).third * a(i) * a(i);
  }

 private:
  /// Coupling i joins i and the particle before it, n-1 before 0.
  [[nodiscard]] Eigen::Index first_coupling(const vector_type& q) const {
    return ends == ChainEnds::periodic && q.size() > 1 ? 0 : 1;
  }
  static Eigen::Index before(const vector_type& q, Eigen::Index i) { return i == 0 ? q.size() - 1 : i - 1; }
  void add_coupling_gradient(const vector_type& q, vector_type& out) const {
    for (Eigen::Index i = first_coupling(q); i < q.size(); ++i) {
      const S d = q(i) - q(before(q, i));
      out(i) += d;
      out(before(q, i)) -= d;
    }
  }
  void set_coupling(const vector_type& q, hessian_type& h) const {
    h.set_zero();
    for (Eigen::Index i = first_coupling(q); i < q.size(); ++i) {
      h.diagonal(i) += S(1);
      h.diagonal(before(q, i)) += S(1);
      h.lower(i) -= S(1);
    }
  }
};

/// U(x) = depth (x^2 - 1)^2: two wells at -1 and 1, a polynomial; steps on it are rational functions.
template <class S>
struct QuarticDoubleWell {
  using scalar_type = S;
  S depth;

  S value(const S& x) const { return depth * (x * x - S(1)) * (x * x - S(1)); }
  OnSiteDerivatives<S> derivatives(const S& x) const {
    return {S(4) * depth * x * (x * x - S(1)), depth * (S(12) * x * x - S(4)), S(24) * depth * x};
  }
};

template <class OnSite>
using KleinGordonChain =
    MechanicalSystem<ScalarMass<typename OnSite::scalar_type, Dynamic>, KleinGordonChainPotential<OnSite>>;

/// n particles of unit mass. InvalidParameter unless n >= 1.
template <class OnSite>
KleinGordonChain<OnSite> klein_gordon_chain(Eigen::Index n, OnSite on_site, ChainEnds ends = ChainEnds::periodic) {
  using S = typename OnSite::scalar_type;
  if (n < 1) throw InvalidParameter("n", n, "a chain has 1 or more particles");
  return {ScalarMass<S, Dynamic>(S(1), n), {std::move(on_site), ends}};
}

}  // namespace livi
