// SPDX-License-Identifier: MIT
//
// Potentials: every derivative is that of the value, by automatic differentiation in 50 digits; what is said to be
// symmetric is, and its momentum map is conserved by the exact flow. Constraints and pendulums are in
// pendulum_test.cpp.
#include <gtest/gtest.h>

#include <livi/diagnostics/taylor_flow.hpp>
#include <livi/systems/any_system.hpp>
#include <livi/systems/potentials.hpp>

#include "derivative_check.hpp"

namespace systems_test {

using livi::CentralPotential;
using livi::CoupledAnharmonicPotential;
using livi::Dynamic;
using livi::Float50;
using livi::HarmonicPotential;
using livi::HenonHeilesPotential;
using livi::KeplerProfile;
using livi::LinearSymmetry;
using livi::MechanicalSystem;
using livi::PairPotential;
using livi::QuarticProfile;
using livi::ratio;
using livi::ScalarMass;
using livi::Vector;
using livi::test::generic_vector;
using livi::test::Jet;

// --- the potentials of the library over any scalar ------------------------------------------------------------------

struct Harmonic {
  template <class S>
  static auto make() {
    return HarmonicPotential<S, 3>{Vector<S, 3>(S(1), S(4), ratio<S>(2, 3))};
  }
};
template <int N>
struct CoupledAnharmonic {
  template <class S>
  static auto make() {
    return CoupledAnharmonicPotential<S, N>{ratio<S>(3, 4), ratio<S>(2, 5)};
  }
};
struct HenonHeiles {
  template <class S>
  static auto make() {
    return HenonHeilesPotential<S>{};
  }
};
struct CentralQuartic {
  template <class S>
  static auto make() {
    return CentralPotential<S, 2, QuarticProfile<S>>{{ratio<S>(4, 3), ratio<S>(1, 2)}};
  }
};
struct Kepler {
  template <class S>
  static auto make() {
    return CentralPotential<S, 3, KeplerProfile<S>>{{ratio<S>(5, 4)}};
  }
};
struct QuarticPairs {
  template <class S>
  static auto make() {
    return PairPotential<S, 2, QuarticProfile<S>>{{ratio<S>(4, 3), ratio<S>(1, 2)}};
  }
};
struct KeplerPairs {
  template <class S>
  static auto make() {
    return PairPotential<S, 3, KeplerProfile<S>>{{ratio<S>(5, 4)}};
  }
};

template <class Family>
void expect_right_derivatives(Eigen::Index n) {
  const auto potential = Family::template make<Float50>();
  const auto in_jets = Family::template make<Jet<Float50>>();
  using V = typename decltype(potential)::vector_type;
  // Some tens of operations on numbers of size 10 at most: 1e-40 leaves eight digits.
  for (int seed = 0; seed < 3; ++seed)
    livi::test::expect_derivatives_of_value(potential, in_jets, generic_vector<V>(n, seed),
                                            generic_vector<V>(n, seed + 7), Float50("1e-40"));
}

TEST(Derivatives, harmonic) { expect_right_derivatives<Harmonic>(3); }
TEST(Derivatives, coupled_anharmonic) {
  expect_right_derivatives<CoupledAnharmonic<3>>(3);
  expect_right_derivatives<CoupledAnharmonic<2>>(2);
}
TEST(Derivatives, henon_heiles) { expect_right_derivatives<HenonHeiles>(2); }
TEST(Derivatives, central_quartic) { expect_right_derivatives<CentralQuartic>(2); }
TEST(Derivatives, kepler) { expect_right_derivatives<Kepler>(3); }
TEST(Derivatives, quartic_pairs) { expect_right_derivatives<QuarticPairs>(6); }
TEST(Derivatives, kepler_pairs) { expect_right_derivatives<KeplerPairs>(6); }

// --- values by hand -------------------------------------------------------------------------------------------------

TEST(Values, are_those_of_the_formulas) {
  EXPECT_EQ((HarmonicPotential<double, 2>{Vector<double, 2>(1, 4)}.value({2, 3})), 2 + 18);
  // q = (2, 3): 2 + 4.5 + c (4 * 3 + 9 * 2)/2 + d (16 + 81)/4
  EXPECT_EQ((CoupledAnharmonicPotential<double, 2>{0.5, 0.25}.value({2, 3})), 6.5 + 7.5 + 97.0 / 16);
  EXPECT_EQ(HenonHeilesPotential<double>{}.value({1, 3}), 5 + 3 - 9);
  EXPECT_EQ((CentralPotential<double, 2, QuarticProfile<double>>{{3, 8}}.value({1, 2})), 7.5 + 50);
  EXPECT_EQ((CentralPotential<double, 2, KeplerProfile<double>>{{10}}.value({3, 4})), -2);
  Vector<double, Dynamic> three(3);  // particles on a line at 0, 1, 3: distances 1, 2, 3
  three << 0, 1, 3;
  EXPECT_EQ((PairPotential<double, 1, QuarticProfile<double>>{{2, 4}}.value(three)), (1 + 4 + 9) + (1 + 16 + 81));
}

// --- symmetries -----------------------------------------------------------------------------------------------------

/// Rotates every particle of the plane by the angle, or every particle of space about the axis (0, 0, 1) and then
/// (1, 0, 0).
template <class V>
V rotated(const V& q, int d, const typename V::Scalar& angle) {
  using S = typename V::Scalar;
  V r = q;
  const S c = cos(angle), s = sin(angle);
  for (Eigen::Index i = 0; i < q.size(); i += d) {
    r(i) = c * q(i) - s * q(i + 1);
    r(i + 1) = s * q(i) + c * q(i + 1);
    if (d == 3) {
      const S y = r(i + 1), z = q(i + 2);
      r(i + 1) = c * y - s * z;
      r(i + 2) = s * y + c * z;
    }
  }
  return r;
}

template <class Family>
Float50 change_under_rotation(Eigen::Index n, int d) {
  const auto potential = Family::template make<Float50>();
  const auto q = generic_vector<typename decltype(potential)::vector_type>(n, 2);
  return abs(potential.value(rotated(q, d, ratio<Float50>(7, 5))) - potential.value(q));
}
template <class Family>
Float50 change_under_translation(Eigen::Index n, int d) {
  const auto potential = Family::template make<Float50>();
  auto q = generic_vector<typename decltype(potential)::vector_type>(n, 2), moved = q;
  for (Eigen::Index i = 0; i < n; ++i) moved(i) += Float50(1 + i % d) / 3;
  return abs(potential.value(moved) - potential.value(q));
}

TEST(Symmetries, of_values) {
  const Float50 nothing("1e-47"), something("1e-3");
  EXPECT_LE(change_under_rotation<CentralQuartic>(2, 2), nothing);
  EXPECT_LE(change_under_rotation<Kepler>(3, 3), nothing);
  EXPECT_LE(change_under_rotation<QuarticPairs>(6, 2), nothing);
  EXPECT_LE(change_under_rotation<KeplerPairs>(6, 3), nothing);
  EXPECT_LE(change_under_translation<QuarticPairs>(6, 2), nothing);
  EXPECT_LE(change_under_translation<KeplerPairs>(6, 3), nothing);
  // Moving one kind of coordinate is not a symmetry; neither is anything of these:
  EXPECT_GE(change_under_translation<QuarticPairs>(6, 3), something);
  EXPECT_GE(change_under_rotation<CoupledAnharmonic<2>>(2, 2), something);
  EXPECT_GE(change_under_rotation<HenonHeiles>(2, 2), something);
  EXPECT_GE(change_under_translation<CentralQuartic>(2, 2), something);
}

LinearSymmetry<Float50> rotation(Eigen::Index n, Eigen::Index d, Eigen::Index i, Eigen::Index j) {
  LinearSymmetry<Float50> symmetry{"rotation", livi::zeros<livi::Matrix<Float50, Dynamic>>(n, n),
                                   livi::zeros<Vector<Float50, Dynamic>>(n)};
  for (Eigen::Index k = 0; k < n; k += d) {
    symmetry.generator(k + i, k + j) = -1;
    symmetry.generator(k + j, k + i) = 1;
  }
  return symmetry;
}
LinearSymmetry<Float50> translation(Eigen::Index n, Eigen::Index d, Eigen::Index axis) {
  LinearSymmetry<Float50> symmetry{"translation", livi::zeros<livi::Matrix<Float50, Dynamic>>(n, n),
                                   livi::zeros<Vector<Float50, Dynamic>>(n), true};
  for (Eigen::Index k = axis; k < n; k += d) symmetry.translation(k) = 1;
  return symmetry;
}

TEST(Symmetries, momentum_maps_are_p_times_the_generator) {
  Vector<Float50, Dynamic> q(4), p(4);
  q << 1, 2, 3, 4;
  p << 5, 6, 7, 9;
  EXPECT_EQ(rotation(4, 2, 0, 1).momentum(q, p), (1 * 6 - 2 * 5) + (3 * 9 - 4 * 7));
  EXPECT_EQ(translation(4, 2, 1).momentum(q, p), 6 + 9);
}

/// Energy and momentum maps along the exact flow, masses 1, 2, 3, ... per particle: the last word on gradient, mass and
/// generators together. 1e-45: forty Taylor terms with steps of 1/32, and some hundred roundings.
template <class Family>
void expect_exact_flow_conserves(Eigen::Index n, Eigen::Index d, const std::vector<LinearSymmetry<Float50>>& symmetries,
                                 bool conserved = true) {
  using T = livi::TaylorSeries<Float50>;
  const auto mass = [&](Eigen::Index i) { return static_cast<int>(1 + i / d); };
  const auto potential = Family::template make<Float50>();
  const auto series = Family::template make<T>();
  using V = typename decltype(potential)::vector_type;
  using VT = typename decltype(series)::vector_type;
  Vector<Float50, Dynamic> q = generic_vector<Vector<Float50, Dynamic>>(n, 2), v = q.reverse() / 4;
  const Vector<Float50, Dynamic> q_start = q, v_start = v;
  livi::taylor_flow<Float50>(q, v, ratio<Float50>(1, 4), 8,
                             [&](const Vector<T, Dynamic>& x, const Vector<T, Dynamic>&) {
                               VT gradient = x;
                               series.gradient(VT(x), gradient);
                               Vector<T, Dynamic> a = gradient;
                               for (Eigen::Index i = 0; i < n; ++i) a(i) = -a(i) / T(mass(i));
                               return a;
                             });
  Vector<Float50, Dynamic> m(n);
  for (Eigen::Index i = 0; i < n; ++i) m(i) = mass(i);
  using M = livi::DiagonalMass<Float50, V::RowsAtCompileTime>;
  const MechanicalSystem<M, std::decay_t<decltype(potential)>> system(M(V(m)), potential);
  EXPECT_LE(abs(system.energy(V(q), V(v)) - system.energy(V(q_start), V(v_start))), Float50("1e-45"));
  EXPECT_GT(livi::max_magnitude(Vector<Float50, Dynamic>(q - q_start)), Float50("1e-3"));
  for (const auto& symmetry : symmetries) {
    const Float50 change = abs(symmetry.momentum(V(q), system.momentum(V(v))) -
                               symmetry.momentum(V(q_start), system.momentum(V(v_start))));
    if (conserved) {
      EXPECT_LE(change, Float50("1e-45")) << symmetry.name;
    } else {
      EXPECT_GE(change, Float50("1e-4")) << symmetry.name;
    }
  }
}

TEST(Symmetries, of_the_central_field_are_conserved_by_the_flow) {
  expect_exact_flow_conserves<CentralQuartic>(2, 2, {rotation(2, 2, 0, 1)});
  expect_exact_flow_conserves<CentralQuartic>(2, 2, {translation(2, 2, 0)}, false);
}
TEST(Symmetries, of_kepler_are_conserved_by_the_flow) {
  expect_exact_flow_conserves<Kepler>(3, 3, {rotation(3, 3, 0, 1), rotation(3, 3, 1, 2), rotation(3, 3, 2, 0)});
}
TEST(Symmetries, of_pairs_are_conserved_by_the_flow) {
  expect_exact_flow_conserves<QuarticPairs>(6, 2, {rotation(6, 2, 0, 1), translation(6, 2, 0), translation(6, 2, 1)});
}

// --- systems --------------------------------------------------------------------------------------------------------

TEST(MechanicalSystem, connects_mass_and_potential) {
  livi::Matrix<double, 2> m;
  m << 3, 1, 1, 2;
  const MechanicalSystem<livi::FullMass<double, 2>, HarmonicPotential<double, 2>> system(
      livi::FullMass<double, 2>(m), HarmonicPotential<double, 2>{Vector<double, 2>(1, 4)});
  const Vector<double, 2> q(2, 1), v(1, -2);
  EXPECT_EQ(system.size(), 2);
  EXPECT_EQ(system.momentum(v), (Vector<double, 2>(1, -3)));
  EXPECT_NEAR((system.velocity({1, -3}) - v).norm(), 0, 1e-15);
  EXPECT_EQ(system.energy(q, v), 0.5 * (1 * 1 + (-2) * (-3)) + 0.5 * (4 + 4));
  Vector<double, 2> a;
  system.acceleration(q, a);  // M a = -(2, 4)
  EXPECT_NEAR(a(0), 0, 1e-15);
  EXPECT_NEAR(a(1), -2, 1e-15);
}

/// A potential with a stiff part of its own.
struct SplitPotential : CoupledAnharmonicPotential<double, 3> {
  void stiff_hessian(const vector_type&, hessian_type& h) const {
    h.set_zero();
    h.matrix(1, 1) = 5;
  }
};

TEST(AnyPotential, is_the_potential_it_holds) {
  using V = Vector<double, Dynamic>;
  const SplitPotential plain{{0.75, 0.5}};
  const livi::AnyPotential<double> any(plain, 3);
  const Vector<double, 3> q(0.5, -0.25, 0.75), a(1, 2, -3);
  Vector<double, 3> expected;
  V out(3);
  EXPECT_EQ(any.value(q), plain.value(q));
  plain.gradient(q, expected);
  any.gradient(V(q), out);
  EXPECT_EQ(out, expected);
  plain.third(q, a, expected);
  any.third(V(q), V(a), out);
  EXPECT_EQ(out, expected);
  livi::DenseHessian<double, 3> h;
  livi::DenseHessian<double, Dynamic> any_h(3);
  plain.hessian(q, h);
  any.hessian(V(q), any_h);
  EXPECT_EQ(any_h.matrix, h.matrix);
  plain.stiff_hessian(q, h);
  any.stiff_hessian(V(q), any_h);
  EXPECT_EQ(any_h.matrix, h.matrix);
  // Without a named stiff part, all of it is.
  const livi::AnyPotential<double> whole(CoupledAnharmonicPotential<double, 3>{0.75, 0.5}, 3);
  plain.hessian(q, h);
  whole.stiff_hessian(V(q), any_h);
  EXPECT_EQ(any_h.matrix, h.matrix);
  plain.third(q, a, expected);
  whole.stiff_third(V(q), V(a), out);
  EXPECT_EQ(out, expected);
  whole.soft_hessian_product(V(q), V(a), out);
  EXPECT_EQ(out, V(V::Zero(3)));
  // A stiff part without its third derivative.
  EXPECT_THROW(any.stiff_third(V(q), V(a), out), std::logic_error);
  EXPECT_THROW(any.soft_hessian_product(V(q), V(a), out), std::logic_error);
  // Both parts with all derivatives.
  using Soft = CoupledAnharmonicPotential<double, 3>;
  const livi::SplitPotential<Soft, Soft> parts{{0.5, 0.25}, {0.75, 0.5}};
  const livi::AnyPotential<double> any_parts(parts, 3);
  parts.stiff_third(q, a, expected);
  any_parts.stiff_third(V(q), V(a), out);
  EXPECT_EQ(out, expected);
  parts.soft_hessian_product(q, a, expected);
  any_parts.soft_hessian_product(V(q), V(a), out);
  EXPECT_EQ(out, expected);
}

}  // namespace systems_test
