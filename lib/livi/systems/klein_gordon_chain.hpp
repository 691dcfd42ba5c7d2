// SPDX-License-Identifier: MIT
//
// Klein-Gordon chains: equal particles with one degree of freedom each, a linear coupling of neighbours, and one
// potential U on every site.
//
//   V = sum over neighbours (q_{k+1} - q_k)^2 / 2 + sum_k U(q_k)
//
// With periodic ends particle n-1 is also coupled to particle 0: for n = 2 this joins the same pair twice, for n = 1
// there is no pair. Everything costs O(n): the Hessian is cyclic tridiagonal with off-diagonal entries -1, and the
// third derivatives are those of U alone.
//
// A potential on a site, OnSite, offers scalar_type, value(x) -> U(x) and derivatives(x) -> {U', U'', U'''}. If it has
// a faster algorithm for many sites at once, it also offers
//   derivatives(q, n, first, second, third)   writes n numbers to each; second and third may be null
// where a result must depend neither on its place nor on n.
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
class KleinGordonChainPotential {
 public:
  using scalar_type = typename OnSite::scalar_type;
  using S = scalar_type;
  using vector_type = Vector<S, Dynamic>;
  using hessian_type = CyclicTridiagonalHessian<S>;
  static constexpr int dimension = Dynamic;
  static constexpr int block_size = 1;

  explicit KleinGordonChainPotential(OnSite on_site, ChainEnds ends = ChainEnds::periodic)
      : on_site_(std::move(on_site)), ends_(ends) {}
  [[nodiscard]] const OnSite& on_site() const { return on_site_; }
  [[nodiscard]] ChainEnds ends() const { return ends_; }

  S value(const vector_type& q) const {
    S sum(0), twice_coupling(0);
    for (Eigen::Index i = 0; i < q.size(); ++i) sum += on_site_.value(q(i));
    for (Eigen::Index i = 1; i < q.size(); ++i) twice_coupling += (q(i) - q(i - 1)) * (q(i) - q(i - 1));
    if (joined(q.size())) twice_coupling += (q(0) - q(q.size() - 1)) * (q(0) - q(q.size() - 1));
    return sum + twice_coupling / S(2);
  }
  void gradient(const vector_type& q, vector_type& out) const {
    constexpr Eigen::Index tile = 512;  // both parts are added while the numbers are in the nearest cache
    for (Eigen::Index first = 0; first < q.size(); first += tile) {
      const Eigen::Index last = std::min(first + tile, q.size());
      on_site_derivatives(q, first, last, out.data(), nullptr, nullptr);
      for_each_coupling(q, first, last, [&](Eigen::Index i, const S& force, int) { out(i) += force; });
    }
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    vector_type first = q;
    gradient_and_hessian(q, first, h);
  }
  void gradient_and_hessian(const vector_type& q, vector_type& out, hessian_type& h) const {
    on_site_derivatives(q, 0, q.size(), out.data(), h.diagonal.data(), nullptr);
    for_each_coupling(q, 0, q.size(), [&](Eigen::Index i, const S& force, int neighbours) {
      out(i) += force;
      h.diagonal(i) += S(neighbours);
      h.lower(i) = S(-1);
    });
    if (q.size() > 0 && !joined(q.size())) h.lower(0) = S(0);
  }
  /// Sets h to the Hessian of the stiff part, which is the coupling; U is the soft part (TO14 (19)).
  void stiff_hessian(const vector_type& q, hessian_type& h) const {
    for_each_coupling(q, 0, q.size(), [&](Eigen::Index i, const S&, int neighbours) {
      h.diagonal(i) = S(neighbours);
      h.lower(i) = S(-1);
    });
    if (q.size() > 0 && !joined(q.size())) h.lower(0) = S(0);
  }
  void stiff_third(const vector_type& q, const vector_type&, vector_type& out) const {
    out.setConstant(q.size(), S(0));
  }
  void soft_hessian_product(const vector_type& q, const vector_type& a, vector_type& out) const {
    vector_type first = q;
    out = q;
    on_site_derivatives(q, 0, q.size(), first.data(), out.data(), nullptr);
    for (Eigen::Index i = 0; i < q.size(); ++i) out(i) *= a(i);
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    vector_type first = q, second = q;
    on_site_derivatives(q, 0, q.size(), first.data(), second.data(), out.data());
    for (Eigen::Index i = 0; i < q.size(); ++i) out(i) = out(i) * a(i) * a(i);
  }

  /// Computes the shifted force as potential.hpp describes it, in two sweeps that evaluate each derivative once.
  /// `third` has n numbers.
  template <class Mass, class Ready, class Done>
  FactorOutcome shifted_force(const Mass& mass, const S& c, const vector_type& q, ShiftedSolver<hessian_type>& solver,
                              vector_type* third, vector_type& f, const Ready& ready, const Done& done) const {
    Rows<Mass, Ready, Done> rows{*this, mass, c, S(-c),   S(c * c / S(2)), q, third ? third->data() : nullptr,
                                 ready, done, 0, q.size()};
    return solver.solve(q.size(), rows, f);
  }

 private:
  [[nodiscard]] bool joined(Eigen::Index n) const { return ends_ == ChainEnds::periodic && n > 1; }

  /// Writes U', U'' and U''' of sites first, ..., last-1 to the same places of u1, u2 and u3; u2 and u3 may be null.
  void on_site_derivatives(const vector_type& q, Eigen::Index first, Eigen::Index last, S* u1, S* u2, S* u3) const {
    if constexpr (requires { on_site_.derivatives(q.data(), first, u1, u2, u3); }) {
      on_site_.derivatives(q.data() + first, last - first, u1 + first, u2 ? u2 + first : nullptr,
                           u3 ? u3 + first : nullptr);
    } else {
      for (Eigen::Index i = first; i < last; ++i) {
        const OnSiteDerivatives<S> u = on_site_.derivatives(q(i));
        u1[i] = u.first;
        if (u2) u2[i] = u.second;
        if (u3) u3[i] = u.third;
      }
    }
  }
  /// Calls f(i, gradient of the coupling, number of neighbours) for the sites first, ..., last-1.
  template <class F>
  void for_each_coupling(const vector_type& q, Eigen::Index first, Eigen::Index last, F&& f) const {
    const Eigen::Index n = q.size();
    if (n == 1) {
      if (first == 0 && last == 1) f(0, S(0), 0);
      return;
    }
    const bool ring = joined(n);
    if (first == 0 && last > 0) ring ? f(0, S(S(2) * q(0) - q(n - 1) - q(1)), 2) : f(0, S(q(0) - q(1)), 1);
    for (Eigen::Index i = std::max<Eigen::Index>(first, 1); i < std::min(last, n - 1); ++i)
      f(i, S(S(2) * q(i) - q(i - 1) - q(i + 1)), 2);
    if (last == n && first < n)
      ring ? f(n - 1, S(S(2) * q(n - 1) - q(n - 2) - q(0)), 2) : f(n - 1, S(q(n - 1) - q(n - 2)), 1);
  }

  /// The rows of M + c Hess V and of -grad V, in the form in which the solver asks for them.
  template <class Mass, class Ready, class Done>
  struct Rows {
    const KleinGordonChainPotential& potential;
    const Mass& mass;
    const S c, minus_c, half_square;
    const vector_type& q;
    S* third;
    const Ready& ready;
    const Done& done;
    Eigen::Index ready_before, ready_from;  ///< rows below the first and from the second on are ready

    [[nodiscard]] S corner() const { return potential.joined(q.size()) ? minus_c : S(0); }
    [[nodiscard]] const S& coupling(Eigen::Index) const { return minus_c; }

    /// Makes rows first, ..., last-1 ready; the rows on one side of them already are.
    void make_ready(Eigen::Index first, Eigen::Index last) {
      if (first <= ready_before) {
        for (; ready_before < std::min(last, ready_from); ++ready_before) ready(ready_before);
      } else {
        while (ready_from > first) ready(--ready_from);
      }
    }
    void prepare(Eigen::Index first, Eigen::Index last, S* d, S* b) {
      const Eigen::Index n = q.size();
      make_ready(std::max<Eigen::Index>(first - 1, 0), std::min(last + 1, n));
      if (potential.joined(n) && first == 0) make_ready(n - 1, n);
      if (potential.joined(n) && last == n) make_ready(0, 1);
      potential.on_site_derivatives(q, first, last, b, d, third);
      potential.for_each_coupling(q, first, last, [&](Eigen::Index i, const S& force, int neighbours) {
        b[i] = -(b[i] + force);
        d[i] = mass.diagonal(i) + c * (d[i] + S(neighbours));
      });
    }
    void prepare_all(S* d, S* b) {
      make_ready(0, q.size());
      prepare(0, q.size(), d, b);
    }
    void finish(Eigen::Index first, Eigen::Index last, S* a) const {
      if (third)
        for (Eigen::Index i = first; i < last; ++i) a[i] -= half_square * mass.reciprocal(i) * third[i] * a[i] * a[i];
      for (Eigen::Index i = first; i < last; ++i) done(i);
    }
  };

  OnSite on_site_;
  ChainEnds ends_;
};

/// The potential U(x) = depth (x^2 - 1)^2, with two wells at -1 and 1. It is a polynomial, so steps on it are rational
/// functions.
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

/// Returns the chain of n particles of unit mass. Throws InvalidParameter unless n >= 1.
template <class OnSite>
KleinGordonChain<OnSite> klein_gordon_chain(Eigen::Index n, OnSite on_site, ChainEnds ends = ChainEnds::periodic) {
  using S = typename OnSite::scalar_type;
  if (n < 1) throw InvalidParameter("n", n, "a chain has 1 or more particles");
  return {ScalarMass<S, Dynamic>(S(1), n), KleinGordonChainPotential<OnSite>(std::move(on_site), ends)};
}

}  // namespace livi
