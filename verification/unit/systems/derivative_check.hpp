// SPDX-License-Identifier: MIT
//
// Derivatives of a potential against automatic differentiation of its value alone.
#pragma once

#include <gtest/gtest.h>

#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/scalar/power_series.hpp>
#include <livi/systems/mechanical_system.hpp>

namespace livi::test {

/// V(q + t a + s e_i) to second order in t and first in s.
template <class S>
using Jet = Dual<PowerSeries<S, 2>>;

/// The jet of q + t a + s e_i; i < 0 leaves s out.
template <class S, class V, class W>
auto jet_point(const V& q, const W& a, Eigen::Index i) {
  Vector<Jet<S>, V::RowsAtCompileTime> z(q.size());
  for (Eigen::Index k = 0; k < q.size(); ++k) {
    PowerSeries<S, 2> along(S(q(k)));
    along[1] = a(k);
    z(k) = Jet<S>(along, PowerSeries<S, 2>(k == i ? 1 : 0));
  }
  return z;
}

/// gradient, Hessian times a, and a . V''' . a of `potential` at q against the same of `in_jets`, a copy of it over
/// jets, of which only value() is used. Where the potential has them: the Hessian's product without the matrix, and the
/// derivatives of its two parts (with those of the stiff part over jets). Also: the fused gradient_and_hessian is
/// bitwise the separate ones, value() is the leading coefficient, and nothing depends on what the outputs held before.
/// `tolerance` is relative to the largest entry; 0 demands equality (rationals).
template <class P, class PJ>
void expect_derivatives_of_value(const P& potential, const PJ& in_jets, const typename P::vector_type& q,
                                 const typename P::vector_type& a, const typename P::scalar_type& tolerance) {
  using S = typename P::scalar_type;
  const Eigen::Index n = q.size();
  typename P::vector_type gradient = q, image = q, third = q, fused = q;
  typename P::hessian_type hessian(n), fused_hessian(n);
  gradient.setConstant(S(1234));
  third.setConstant(S(1234));
  fused.setConstant(S(-1234));
  potential.gradient(q, gradient);
  potential.hessian(q, hessian);
  potential.hessian(q, hessian);  // overwrites, does not add
  potential.third(q, a, third);
  hessian.multiply(a, image);
  typename P::vector_type product = third, soft_image = third, stiff_image = third, stiff_third = third;
  typename PJ::vector_type stiff_along = jet_point<S>(q, a, -1);
  if constexpr (HasHessianProduct<P>) potential.hessian_product(q, a, product);
  if constexpr (ThriceDifferentiableSplit<P>) {
    potential.soft_hessian_product(q, a, soft_image);
    potential.stiff_hessian(q, hessian);
    hessian.multiply(a, stiff_image);
    potential.hessian(q, hessian);
    potential.stiff_third(q, a, stiff_third);
    // The stiff Hessian along q + t a, times a: its derivative in t is a . V1''' . a.
    typename PJ::hessian_type stiff_hessian(n);
    typename PJ::vector_type a_in_jets = stiff_along;
    for (Eigen::Index k = 0; k < n; ++k) a_in_jets(k) = Jet<S>(PowerSeries<S, 2>(S(a(k))));
    in_jets.stiff_hessian(jet_point<S>(q, a, -1), stiff_hessian);
    stiff_hessian.multiply(a_in_jets, stiff_along);
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    const Jet<S> v = in_jets.value(jet_point<S>(q, a, i));
    const S first = v.derivative[0], second = v.derivative[1], twice = S(2) * v.derivative[2];
    const auto expect = [&](const S& measured, const S& exact, const char* what) {
      const S scale = S(1) + abs(exact);
      EXPECT_LE(abs(S(measured - exact)), S(tolerance * scale)) << what << "[" << i << "] " << measured << " " << exact;
    };
    expect(potential.value(q), v.value[0], "value");
    expect(gradient(i), first, "gradient");
    expect(image(i), second, "Hessian a");
    expect(third(i), twice, "third");
    if constexpr (HasHessianProduct<P>) expect(product(i), second, "Hessian product");
    if constexpr (ThriceDifferentiableSplit<P>) {
      expect(soft_image(i) + stiff_image(i), second, "soft and stiff Hessian a");
      expect(stiff_third(i), stiff_along(i).value[1], "stiff third");
    }
  }
  gradient_and_hessian(potential, q, fused, fused_hessian);
  EXPECT_TRUE(fused == gradient);
  typename P::vector_type unit = q, column = q, fused_column = q;
  for (Eigen::Index j = 0; j < n; ++j) {
    unit.setConstant(S(0));
    unit(j) = S(1);
    hessian.multiply(unit, column);
    fused_hessian.multiply(unit, fused_column);
    EXPECT_TRUE(column == fused_column);
  }
}

/// A vector with every entry different, of size below 3/2.
template <class V>
V generic_vector(Eigen::Index n, int seed) {
  using S = typename V::Scalar;
  V v(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int k = static_cast<int>(i) + seed;
    v(i) = ratio<S>(k % 2 == 0 ? 3 + (7 * k) % 11 : -2 - (5 * k) % 13, 11);
  }
  return v;
}

}  // namespace livi::test
