// SPDX-License-Identifier: MIT
//
// The DNA model of TO14 4.4. The angle q_k of base k of one strand is coupled to its neighbours on the strand, and
// paired with its partner on the other strand by a Morse potential of the distance.
//
//   q_k'' = q_{k+1} - 2 q_k + q_{k-1} - epsilon U'(q_k),  U(q) = (exp(-a (1 - cos q - x0)) - 1)^2 (31)
//
// The paper does not print the boundary conditions. Periodic ends are the default; free ends show whether it matters.
#pragma once

#include <livi/systems/klein_gordon_chain.hpp>

#include <cmath>

namespace livi {

/// The parameters of TO14 4.4.
template <class S>
struct DnaParameters {
  S a = S(7);                     ///< steepness
  S x0 = ratio<S>(3, 10);         ///< 1 - cos of the angle at rest, between 0 and 2
  S epsilon = ratio<S>(1, 1400);  ///< strength relative to the coupling of neighbours; 0 leaves a linear chain
};

/// The pairing epsilon U, evaluated one number at a time for every type that has exp, sin and cos. With
/// E = exp(-a (1 - cos q - x0)), E' = -a sin(q) E.
template <class S>
class MorsePairing {
 public:
  using scalar_type = S;

  /// Throws InvalidParameter unless a > 0, 0 < x0 < 2 and epsilon >= 0, all finite.
  explicit MorsePairing(const DnaParameters<S>& p) : p_(p) {
    using Real = RealOf<S>;
    const OrderAssumed<S> all_parameters(OrderReason::parameters);
    const auto require = [](const char* name, const S& x, bool good, const char* allowed) {
      if (!is_finite(x) || !good) throw InvalidParameter(name, to_double(x), allowed);
    };
    require("a", p.a, Real(0) < leading(p.a), "must be finite and > 0");
    require("x0", p.x0, Real(0) < leading(p.x0) && leading(p.x0) < Real(2), "must be between 0 and 2");
    require("epsilon", p.epsilon, !(leading(p.epsilon) < Real(0)), "must be finite and >= 0");
  }
  [[nodiscard]] const DnaParameters<S>& parameters() const { return p_; }

  S value(const S& q) const {
    using std::cos, std::exp;
    const S e = exp(p_.a * (cos(q) - (S(1) - p_.x0))) - S(1);
    return p_.epsilon * e * e;
  }
  OnSiteDerivatives<S> derivatives(const S& q) const {
    using std::cos, std::exp, std::sin;
    const S s = sin(q), c = cos(q), &a = p_.a;
    const S e = exp(a * (c - (S(1) - p_.x0)));
    const S as = a * s, ac = a * c, factor = S(2) * p_.epsilon * e, bent = as * as - ac;  // E'' = bent E
    return {-factor * as * (e - S(1)),                                                    //
            factor * (as * as * e + (e - S(1)) * bent),
            factor * as * ((e - S(1)) * (S(1) - as * as + S(3) * ac) - S(3) * e * bent)};
  }

 private:
  DnaParameters<S> p_;
};

template <class S>
using DnaChain = KleinGordonChain<MorsePairing<S>>;

/// Returns the chain of n base pairs of unit mass.
template <class S>
DnaChain<S> dna_chain(Eigen::Index n, ChainEnds ends = ChainEnds::periodic, const DnaParameters<S>& parameters = {}) {
  return klein_gordon_chain(n, MorsePairing<S>(parameters), ends);
}

/// Returns q_k(0) = 0.8 + 0.1 xi_k for the given standard normal numbers xi: near one of the two stable angles (TO14
/// 4.4).
template <class S>
Vector<S, Dynamic> dna_start_position(const Vector<S, Dynamic>& xi) {
  Vector<S, Dynamic> q(xi.size());
  for (Eigen::Index k = 0; k < xi.size(); ++k) q(k) = ratio<S>(4, 5) + xi(k) / S(10);
  return q;
}

/// Returns q_k'(0) = cos(4 pi k / n) / sqrt(n), k = 0, ..., n-1 (TO14 4.4).
template <class S>
Vector<S, Dynamic> dna_start_velocity(Eigen::Index n) {
  using std::acos, std::cos, std::sqrt;
  const S pi = acos(S(-1)), root = sqrt(whole<S>(n));
  Vector<S, Dynamic> v(n);
  for (Eigen::Index k = 0; k < n; ++k) v(k) = cos(S(4) * pi * whole<S>(k) / whole<S>(n)) / root;
  return v;
}

}  // namespace livi
