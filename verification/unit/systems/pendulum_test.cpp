// SPDX-License-Identifier: MIT
//
// Constraints, their penalties, and the double pendulum in its three forms. Everything about quadratic constraints is
// checked in rationals, where equal means equal.
#include <gtest/gtest.h>

#include <livi/systems/any_constraint.hpp>
#include <livi/systems/distance_constraints.hpp>
#include <livi/systems/double_pendulum.hpp>

#include "derivative_check.hpp"

namespace pendulum_test {

using livi::BlockTridiagonalHessian;
using livi::ConstraintPenalty;
using livi::DenseHessian;
using livi::Dual;
using livi::Dynamic;
using livi::Float50;
using livi::Gravity;
using livi::Matrix;
using livi::PlanarChainConstraint;
using livi::PlanarChainPenalty;
using livi::QuadraticConstraint;
using livi::ratio;
using livi::Rational;
using livi::Vector;
using livi::test::expect_derivatives_of_value;
using livi::test::generic_vector;
using livi::test::Jet;

using Q = Rational;

/// Squared lengths 1, 2, 5/2, ...
template <class V>
V squared_lengths(Eigen::Index links) {
  using S = typename V::Scalar;
  V l(links);
  for (Eigen::Index k = 0; k < links; ++k) l(k) = k == 0 ? S(1) : ratio<S>(3 + static_cast<int>(k), 2);
  return l;
}

/// g_0 = x^3 y + z^2, g_1 = x y z - 2: constraints with a third derivative, which the library's own do not have.
template <class S>
struct CubicConstraint {
  using scalar_type = S;
  using vector_type = Vector<S, 3>;
  using multiplier_type = Vector<S, 2>;
  using jacobian_type = Matrix<S, 2, 3>;
  static constexpr int dimension = 3;
  static constexpr int constraints = 2;

  void value(const vector_type& q, multiplier_type& g) const {
    g(0) = q(0) * q(0) * q(0) * q(1) + q(2) * q(2);
    g(1) = q(0) * q(1) * q(2) - S(2);
  }
  void jacobian(const vector_type& q, jacobian_type& j) const {
    j << S(3) * q(0) * q(0) * q(1), q(0) * q(0) * q(0), S(2) * q(2), q(1) * q(2), q(0) * q(2), q(0) * q(1);
  }
  Matrix<S, 3> combined(const vector_type& q, const multiplier_type& w) const {
    Matrix<S, 3> h;
    h << w(0) * S(6) * q(0) * q(1), w(0) * S(3) * q(0) * q(0) + w(1) * q(2), w(1) * q(1),  //
        w(0) * S(3) * q(0) * q(0) + w(1) * q(2), S(0), w(1) * q(0),                        //
        w(1) * q(1), w(1) * q(0), w(0) * S(2);
    return h;
  }
  template <class H>
  void add_hessian(const vector_type& q, const multiplier_type& w, H& h) const {
    h.matrix += combined(q, w);
  }
  void curvature(const vector_type& q, const vector_type& a, multiplier_type& w) const {
    for (int i = 0; i < 2; ++i) {
      multiplier_type unit(S(0), S(0));
      unit(i) = S(1);
      const vector_type image = combined(q, unit) * a;
      w(i) = a(0) * image(0) + a(1) * image(1) + a(2) * image(2);
    }
  }
  void add_hessian_product(const vector_type& q, const multiplier_type& w, const vector_type& a,
                           vector_type& out) const {
    out += combined(q, w) * a;
  }
  void add_third(const vector_type& q, const multiplier_type& w, const vector_type& a, vector_type& out) const {
    out(0) += w(0) * (S(6) * q(1) * a(0) * a(0) + S(12) * q(0) * a(0) * a(1)) + w(1) * S(2) * a(1) * a(2);
    out(1) += w(0) * S(6) * q(0) * a(0) * a(0) + w(1) * S(2) * a(0) * a(2);
    out(2) += w(1) * S(2) * a(0) * a(1);
  }
};

// --- penalties ------------------------------------------------------------------------------------------------------

TEST(Penalties, of_any_constraint_have_the_derivatives_of_their_value) {
  using P = ConstraintPenalty<CubicConstraint<Q>, DenseHessian<Q, 3>>;
  using J = ConstraintPenalty<CubicConstraint<Jet<Q>>, DenseHessian<Jet<Q>, 3>>;
  for (int seed = 0; seed < 3; ++seed)
    expect_derivatives_of_value(P{{}, Q(7)}, J{{}, Jet<Q>(7)}, generic_vector<Vector<Q, 3>>(3, seed),
                                generic_vector<Vector<Q, 3>>(3, seed + 4), Q(0));
}

TEST(Penalties, of_a_quadratic_constraint_have_the_derivatives_of_their_value) {
  Matrix<Q, 2> a;
  a << 2, 1, 1, 6;
  using P = ConstraintPenalty<QuadraticConstraint<Q, 2>, DenseHessian<Q, 2>>;
  using J = ConstraintPenalty<QuadraticConstraint<Jet<Q>, 2>, DenseHessian<Jet<Q>, 2>>;
  expect_derivatives_of_value(P{{a, 3}, Q(7)}, J{{a.cast<Jet<Q>>(), Jet<Q>(3)}, Jet<Q>(7)}, Vector<Q, 2>(2, -3),
                              Vector<Q, 2>(1, 4), Q(0));
}

template <int N, class Hessian>
void expect_chain_penalty(Eigen::Index n) {
  using P = PlanarChainPenalty<Q, N, Hessian>;
  using J = PlanarChainPenalty<Jet<Q>, N, DenseHessian<Jet<Q>, N>>;
  const auto lengths = squared_lengths<typename P::lengths_type>(n / 2);
  const P penalty{lengths, Q(100)};
  const J in_jets{lengths.template cast<Jet<Q>>(), Jet<Q>(100)};
  const auto q = generic_vector<typename P::vector_type>(n, 1), a = generic_vector<typename P::vector_type>(n, 5);
  expect_derivatives_of_value(penalty, in_jets, q, a, Q(0));

  // The penalty made from the constraint, by the formulas that hold for any.
  using C = PlanarChainConstraint<Q, N>;
  const ConstraintPenalty<C, DenseHessian<Q, N>> generic{C{lengths}, Q(100)};
  typename P::vector_type x = q, y = q;
  EXPECT_EQ(penalty.value(q), generic.value(q));
  penalty.gradient(q, x);
  generic.gradient(q, y);
  EXPECT_TRUE(x == y);
  Hessian h(n);
  DenseHessian<Q, N> dense(n);
  penalty.hessian(q, h);
  generic.hessian(q, dense);
  h.multiply(a, x);
  dense.multiply(a, y);
  EXPECT_TRUE(x == y);
  penalty.third(q, a, x);
  generic.third(q, a, y);
  EXPECT_TRUE(x == y);
}

TEST(Penalties, of_the_double_pendulum) { expect_chain_penalty<4, DenseHessian<Q, 4>>(4); }
TEST(Penalties, of_a_chain_dense) { expect_chain_penalty<Dynamic, DenseHessian<Q, Dynamic>>(6); }
TEST(Penalties, of_a_chain_block_tridiagonal) {
  expect_chain_penalty<Dynamic, BlockTridiagonalHessian<Q, 2>>(2);
  expect_chain_penalty<Dynamic, BlockTridiagonalHessian<Q, 2>>(6);
}

TEST(Penalties, value_by_hand) {
  // g = (4 + 9 - 1, 1 + 4 - 2) = (12, 3), omega^2 = 10
  const PlanarChainPenalty<Q, 4, DenseHessian<Q, 4>> penalty{{1, 2}, 10};
  EXPECT_EQ(penalty.value({2, 3, 3, 5}), 10 * (144 + 9) / 2);
}

// --- constraints ----------------------------------------------------------------------------------------------------

/// Every derivative of a constraint, exactly, from jets of its value.
template <class C, class CJ>
void expect_constraint_derivatives(const C& constraint, const CJ& in_jets, const typename C::vector_type& q,
                                   const typename C::vector_type& a) {
  const Eigen::Index n = q.size();
  typename C::multiplier_type g, curvature, w;
  typename C::jacobian_type jacobian;
  constraint.value(q, g);
  constraint.jacobian(q, jacobian);
  curvature = g;
  constraint.curvature(q, a, curvature);
  const Eigen::Index m = g.size();
  w = generic_vector<typename C::multiplier_type>(m, 3);
  typename C::vector_type product = generic_vector<typename C::vector_type>(n, 9), third = product;
  const typename C::vector_type before = product;
  constraint.add_hessian_product(q, w, a, product);
  constraint.add_third(q, w, a, third);
  DenseHessian<Q, C::dimension> h(n);
  h.matrix.setConstant(Q(5));
  constraint.add_hessian(q, w, h);
  typename C::vector_type image = q, base = q;
  h.multiply(a, image);
  h.matrix.setConstant(Q(5));
  h.multiply(a, base);
  for (Eigen::Index i = 0; i < n; ++i) {
    typename CJ::multiplier_type jets;
    in_jets.value(livi::test::jet_point<Q>(q, a, i), jets);
    Q hessian_product = 0, third_product = 0;
    for (Eigen::Index k = 0; k < m; ++k) {
      EXPECT_EQ(g(k), jets(k).value[0]);
      EXPECT_EQ(curvature(k), 2 * jets(k).value[2]);
      EXPECT_EQ(jacobian(k, i), jets(k).derivative[0]);
      hessian_product += w(k) * jets(k).derivative[1];
      third_product += w(k) * 2 * jets(k).derivative[2];
    }
    EXPECT_EQ(product(i) - before(i), hessian_product);
    EXPECT_EQ(image(i) - base(i), hessian_product);
    EXPECT_EQ(third(i) - before(i), third_product);
  }
}

TEST(Constraints, have_the_derivatives_of_their_values) {
  const auto lengths = squared_lengths<Vector<Q, Dynamic>>(3);
  expect_constraint_derivatives(PlanarChainConstraint<Q, Dynamic>{lengths},
                                PlanarChainConstraint<Jet<Q>, Dynamic>{lengths.cast<Jet<Q>>()},
                                generic_vector<Vector<Q, Dynamic>>(6, 1), generic_vector<Vector<Q, Dynamic>>(6, 5));
  Matrix<Q, 3> a;
  a << 2, 1, -1, 1, 6, 3, -1, 3, 1;
  expect_constraint_derivatives(QuadraticConstraint<Q, 3>{a, 4},
                                QuadraticConstraint<Jet<Q>, 3>{a.cast<Jet<Q>>(), Jet<Q>(4)}, Vector<Q, 3>(1, -2, 3),
                                Vector<Q, 3>(5, 1, -1));
  expect_constraint_derivatives(CubicConstraint<Q>{}, CubicConstraint<Jet<Q>>{}, Vector<Q, 3>(1, -2, 3),
                                Vector<Q, 3>(5, 1, -1));
}

TEST(Constraints, of_a_chain_fill_either_structure) {
  const PlanarChainConstraint<Q, Dynamic> constraint{squared_lengths<Vector<Q, Dynamic>>(3)};
  const Vector<Q, Dynamic> w = generic_vector<Vector<Q, Dynamic>>(3, 2), a = generic_vector<Vector<Q, Dynamic>>(6, 5);
  DenseHessian<Q, Dynamic> dense(6);
  BlockTridiagonalHessian<Q, 2> banded(6);
  constraint.add_hessian(a, w, dense);
  constraint.add_hessian(a, w, banded);
  Vector<Q, Dynamic> x = a, y = a;
  dense.multiply(a, x);
  banded.multiply(a, y);
  EXPECT_TRUE(x == y);
}

TEST(Constraints, of_the_pendulum_by_hand) {
  const PlanarChainConstraint<double, 4> constraint{{1, 2}};
  Vector<double, 2> g;
  constraint.value({2, 3, 3, 5}, g);
  EXPECT_EQ(g, (Vector<double, 2>(4 + 9 - 1, 1 + 4 - 2)));
}

TEST(Constraints, known_at_run_time_are_the_constraints_they_hold) {
  using V = Vector<double, Dynamic>;
  const PlanarChainConstraint<double, 4> plain{{1, 2}};
  const livi::AnyConstraint<double> any(plain, 2);
  const Vector<double, 4> q(0.5, -1, 2, 0.25), a(1, 2, -1, 3);
  const Vector<double, 2> w(2, -5);
  Vector<double, 2> g;
  Matrix<double, 2, 4> jacobian;
  Vector<double, 4> out = a;
  V any_g, any_out = a;
  Matrix<double, Dynamic> any_jacobian;
  EXPECT_EQ(any.count(), 2);
  plain.value(q, g);
  any.value(q, any_g);
  EXPECT_EQ(any_g, g);
  plain.jacobian(q, jacobian);
  any.jacobian(q, any_jacobian);
  EXPECT_EQ(any_jacobian, jacobian);
  plain.curvature(q, a, g);
  any.curvature(q, a, any_g);
  EXPECT_EQ(any_g, g);
  plain.add_hessian_product(q, w, a, out);
  any.add_hessian_product(q, w, a, any_out);
  EXPECT_EQ(any_out, out);
}

// --- the penalised system -------------------------------------------------------------------------------------------

template <class S>
auto penalised_pendulum(Gravity direction, int omega) {
  return livi::penalised(livi::double_pendulum<S>(direction), S(omega));
}

TEST(PenalisedSystem, has_the_derivatives_of_its_value_for_both_signs_of_gravity) {
  for (const Gravity direction : {Gravity::down, Gravity::as_printed}) {
    const auto system = penalised_pendulum<Float50>(direction, 20);
    const auto in_jets = penalised_pendulum<Jet<Float50>>(direction, 20);
    // Entries of size 1e4: 1e-40 relative leaves eight digits.
    expect_derivatives_of_value(system.potential(), in_jets.potential(), generic_vector<Vector<Float50, 4>>(4, 2),
                                generic_vector<Vector<Float50, 4>>(4, 6), Float50("1e-40"));
  }
}

TEST(PenalisedSystem, is_gravity_and_half_omega_squared_g_squared) {
  const Vector<Q, 4> q(2, 3, 3, 5);  // g = (12, 3)
  EXPECT_EQ(penalised_pendulum<Q>(Gravity::down, 10).potential().value(q), 8 + 50 * (144 + 9));
  EXPECT_EQ(penalised_pendulum<Q>(Gravity::as_printed, 10).potential().value(q), -8 + 50 * (144 + 9));
  // The stiff part of the split is all of the Hessian, for gravity has none.
  DenseHessian<Q, 4> all, stiff;
  penalised_pendulum<Q>(Gravity::down, 10).potential().hessian(q, all);
  penalised_pendulum<Q>(Gravity::down, 10).potential().stiff_hessian(q, stiff);
  EXPECT_TRUE(all.matrix == stiff.matrix);
  // The mass is that of the constrained system.
  const auto constrained = livi::double_pendulum<Q>();
  const livi::ConstrainedSystem<livi::DiagonalMass<Q, 4>, livi::GravityPotential<Q, 4>, PlanarChainConstraint<Q, 4>>
      heavy{livi::DiagonalMass<Q, 4>(Vector<Q, 4>(1, 1, 3, 3)), constrained.potential(), constrained.constraint()};
  EXPECT_TRUE(livi::penalised(heavy, Q(2)).momentum(q) == (Vector<Q, 4>(2, 3, 9, 15)));
}

TEST(PenalisedSystem, of_a_constraint_without_a_penalty_of_its_own_takes_the_generic_one) {
  using Gravity2 = livi::GravityPotential<Q, 2>;
  Matrix<Q, 2> a;
  a << 2, 0, 0, 6;
  const livi::ConstrainedSystem<livi::ScalarMass<Q, 2>, Gravity2, QuadraticConstraint<Q, 2>> system{
      livi::ScalarMass<Q, 2>(1), Gravity2{5}, QuadraticConstraint<Q, 2>{a, 3}};
  // g(1, 2) = 1 + 12 - 3 = 10
  EXPECT_EQ(livi::penalised(system, Q(3)).potential().value({1, 2}), 10 + Q(9) * 100 / 2);
}

template <class Make>
std::string refusal(const Make& make) {
  try {
    make();
  } catch (const livi::InvalidParameter& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PenalisedSystem, refuses_a_penalty_that_is_not_positive) {
  const auto with = [](double omega) {
    return refusal([&] { livi::penalised(livi::double_pendulum<double>(), omega); });
  };
  EXPECT_EQ(with(0), "omega = 0: a penalty needs omega > 0");
  EXPECT_EQ(with(-100), "omega = -100: a penalty needs omega > 0");
  EXPECT_EQ(with(std::numeric_limits<double>::quiet_NaN()), "omega = nan: a penalty needs omega > 0");
  EXPECT_EQ(with(100), "accepted");
}

TEST(ConstrainedSystem, refuses_initial_data_off_the_constraint_or_its_tangent) {
  const auto system = livi::double_pendulum<double>();
  const auto check = [&](const Vector<double, 4>& q, const Vector<double, 4>& v) {
    return refusal([&] { system.require_consistent(q, v, 1e-12); });
  };
  const Vector<double, 4> q = livi::double_pendulum_start<double>(), rest(0, 0, 0, 0);
  EXPECT_EQ(check(q, rest), "accepted");
  EXPECT_EQ(check(q, {1, 0, 1, 0}), "accepted");
  EXPECT_EQ(check(q, {1, 0, 2, 1}), "accepted");
  EXPECT_EQ(check({0, -1, 1, -2.5}, rest), "initial position: constraint g[1] = 1.25: must vanish to within 1e-12");
  EXPECT_EQ(check({0, -2, 1, -3}, rest), "initial position: constraint g[0] = 3: must vanish to within 1e-12");
  EXPECT_EQ(check(q, {0, 1, 0, 1}), "initial velocity: constraint rate (Dg v)[0] = -2: must vanish to within 1e-12");
  EXPECT_EQ(check(q, {1, 0, 2, 0}), "initial velocity: constraint rate (Dg v)[1] = 2: must vanish to within 1e-12");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(check({0, nan, 1, -2}, rest), "initial position: constraint g[0] = nan: must vanish to within 1e-12");
}

// --- the double pendulum --------------------------------------------------------------------------------------------

TEST(DoublePendulum, hangs_with_gravity_down_and_stands_as_printed) {
  using V = Vector<double, 4>;
  const double l2 = std::sqrt(2.0);
  const V hanging(0, -1, 0, -1 - l2), standing(0, 1, 0, 1 + l2);
  const auto down = livi::double_pendulum<double>(Gravity::down);
  const auto printed = livi::double_pendulum<double>(Gravity::as_printed);
  EXPECT_LT(down.potential().value(hanging), down.potential().value(standing));
  EXPECT_GT(printed.potential().value(hanging), printed.potential().value(standing));
  V a;
  down.acceleration(hanging, a);
  EXPECT_EQ(a, V(0, -1, 0, -1));
  printed.acceleration(hanging, a);
  EXPECT_EQ(a, V(0, 1, 0, 1));
}

TEST(DoublePendulum, starts_on_the_constraint_of_figure_1) {
  const auto system = livi::double_pendulum<Q>();
  const Vector<Q, 4> q = livi::double_pendulum_start<Q>();
  EXPECT_TRUE(q == (Vector<Q, 4>(0, -1, 1, -2)));
  system.require_consistent(q, Vector<Q, 4>(0, 0, 0, 0), Q(0));
}

/// The Cartesian Lagrangian at (theta, phi, theta', phi'): the velocity is the derivative of the position along (1,
/// theta', phi').
template <class S>
S cartesian_lagrangian(const Vector<S, 2>& q, const Vector<S, 2>& v, Gravity direction) {
  using D = Dual<S>;
  const auto in_duals = livi::double_pendulum_lagrangian<D>(direction);
  const Vector<D, 4> r = in_duals.cartesian(Vector<D, 2>(D(q(0), v(0)), D(q(1), v(1))));
  S kinetic(0);
  Vector<S, 4> position;
  for (int i = 0; i < 4; ++i) {
    kinetic += r(i).derivative * r(i).derivative / S(2);
    position(i) = r(i).value;
  }
  const auto system = livi::double_pendulum<S>(direction);
  return kinetic - system.potential().value(position);
}

// TO14.eq23.mass-matrix. The kinetic energy is quadratic in the velocity, so its velocity Hessian is the mass matrix;
// nested duals of the pulled-back Cartesian Lagrangian give it, and so must the library's Lagrangian and the printed
// matrix. 1e-46: some tens of roundings of numbers of size 10.
TEST(DoublePendulum, in_angles_has_the_printed_mass_matrix) {
  using F = Float50;
  using D2 = Dual<Dual<F>>;
  const F tolerance("1e-46");
  for (int seed = 0; seed < 20; ++seed) {
    const auto q = generic_vector<Vector<F, 2>>(2, 3 * seed), v = generic_vector<Vector<F, 2>>(2, 5 * seed + 1);
    const auto lagrangian = livi::double_pendulum_lagrangian<F>();
    const F l1 = 1, l2 = sqrt(F(2));
    Matrix<F, 2> printed;
    const F off = l1 * l2 * (cos(q(0)) * cos(q(1)) + sin(q(0)) * sin(q(1)));
    printed << 2 * l1 * l1, off, off, l2 * l2;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        Vector<D2, 2> position, velocity;
        for (int k = 0; k < 2; ++k) {
          position(k) = D2(Dual<F>(q(k)));
          velocity(k) = D2(Dual<F>(v(k), k == i ? 1 : 0), Dual<F>(k == j ? 1 : 0));
        }
        const F pulled_back = cartesian_lagrangian<D2>(position, velocity, Gravity::down).derivative.derivative;
        const F of_library = lagrangian(position, velocity).derivative.derivative;
        EXPECT_LE(abs(pulled_back - printed(i, j)), tolerance);
        EXPECT_LE(abs(of_library - printed(i, j)), tolerance);
      }
  }
}

TEST(DoublePendulum, in_angles_is_the_cartesian_one_for_both_signs_of_gravity) {
  using F = Float50;
  for (int seed = 0; seed < 10; ++seed) {
    const auto q = generic_vector<Vector<F, 2>>(2, 3 * seed), v = generic_vector<Vector<F, 2>>(2, 5 * seed + 1);
    for (const Gravity direction : {Gravity::down, Gravity::as_printed}) {
      const auto lagrangian = livi::double_pendulum_lagrangian<F>(direction);
      EXPECT_LE(abs(lagrangian(q, v) - cartesian_lagrangian<F>(q, v, direction)), F("1e-46"));
      const auto system = livi::double_pendulum<F>(direction);
      Vector<F, 2> g;
      system.constraint().value(lagrangian.cartesian(q), g);
      EXPECT_LE(livi::max_magnitude(g), F("1e-48"));
    }
  }
}

// TO14.s4.1.cubic: along any line the force of the penalty is a polynomial of degree three, and not two.
TEST(DoublePendulum, penalised_has_a_force_that_is_exactly_cubic) {
  const auto system = penalised_pendulum<Q>(Gravity::down, 100);
  for (int seed = 0; seed < 5; ++seed) {
    const auto q = generic_vector<Vector<Q, 4>>(4, seed), d = generic_vector<Vector<Q, 4>>(4, seed + 8);
    const auto force = [&](int k) {
      Vector<Q, 4> gradient;
      system.potential().gradient(Vector<Q, 4>(q + ratio<Q>(k, 3) * d), gradient);
      return gradient;
    };
    const Vector<Q, 4> third = force(3) - Q(3) * force(2) + Q(3) * force(1) - force(0);
    const Vector<Q, 4> fourth = force(4) - Q(4) * force(3) + Q(6) * force(2) - Q(4) * force(1) + force(0);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(fourth(i), 0);
      EXPECT_NE(third(i), 0);
    }
  }
}

}  // namespace pendulum_test
