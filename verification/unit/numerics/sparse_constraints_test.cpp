// SPDX-License-Identifier: MIT
//
// Constraints that state the structure of their Jacobian: the tridiagonal elimination and the multiplier matrices exact
// in rationals, and SHAKE and RATTLE of a chain at O(n) against the same with dense matrices.
#include <gtest/gtest.h>

#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/any_constraint.hpp>
#include <livi/systems/planar_chain.hpp>

#include "verification/support/fixed_seed.hpp"

namespace sparse_constraints_test {

using livi::BlockBidiagonalJacobian;
using livi::DiagonalMass;
using livi::Dynamic;
using livi::Float50;
using livi::Matrix;
using livi::Rational;
using livi::Rattle;
using livi::Shake;
using livi::TridiagonalElimination;
using livi::Vector;

using Q = Rational;

int between(int low, int high) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1)); }
template <class S>
S number() {
  return livi::ratio<S>(between(-8, 8), between(1, 4));
}
template <class S>
S positive() {
  return livi::ratio<S>(between(1, 20), between(1, 5));
}
template <class S>
Vector<S, Dynamic> numbers(Eigen::Index n) {
  return Vector<S, Dynamic>(n).unaryExpr([](const S&) { return number<S>(); }).eval();
}

/// The bands, from which zero is not excluded, and the matrix they are of.
template <class S>
struct Bands {
  TridiagonalElimination<S, Dynamic> elimination;
  Matrix<S, Dynamic> matrix;
  explicit Bands(Eigen::Index n) : matrix(Matrix<S, Dynamic>::Constant(n, n, S(0))) {
    elimination.resize(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      set(k, k, number<S>());
      if (k > 0) set(k, k - 1, number<S>());
      if (k > 0) set(k - 1, k, number<S>());
    }
  }
  void set(Eigen::Index i, Eigen::Index j, const S& value) {
    matrix(i, j) = value;
    (i == j ? elimination.diagonal : i > j ? elimination.lower : elimination.upper)(i) = value;
  }
};

// --- elimination ----------------------------------------------------------------------------------------------------

// In rationals: the solution is exact, and "singular" means that Gaussian elimination finds no pivot either.
RC_GTEST_PROP(TridiagonalElimination, solves_exactly_or_is_singular, ()) {
  const int n = between(1, 9);
  Bands<Q> bands(n);
  livi::GaussianElimination<Q, Dynamic> dense;
  const bool singular = dense.factor(bands.matrix).singular;
  RC_ASSERT(bands.elimination.factor().singular == singular);
  if (singular) return;
  RC_ASSERT(bands.elimination.negative_determinant() == dense.negative_determinant());
  const Vector<Q, Dynamic> b = numbers<Q>(n);
  Vector<Q, Dynamic> x = b;
  bands.elimination.solve_in_place(x);
  for (int i = 0; i < n; ++i) {
    Q sum(0);
    for (int j = 0; j < n; ++j) sum += bands.matrix(i, j) * x(j);
    RC_ASSERT(sum == b(i));
  }
}

// Growth by at most 9 and two rounded operations per entry and step: a residual of some tens of roundings of |A| |x|,
// whatever the size and however many exchanges; also where the diagonal is far too small to be a pivot.
RC_GTEST_PROP(TridiagonalElimination, is_backward_stable, ()) {
  const int n = between(1, 200), how = between(0, 2);
  Bands<double> bands(n);
  for (int k = 0; k < n; ++k) {
    const double scale = how == 0 ? 1e-9 : how == 1 && k % 2 == 0 ? 1e-3 : 1.0;
    bands.set(k, k, scale * (bands.matrix(k, k) + 0.3));
  }
  if (bands.elimination.factor().singular) return;  // an isolated tiny entry
  const Vector<double, Dynamic> b = numbers<double>(n);
  Vector<double, Dynamic> x = b;
  bands.elimination.solve_in_place(x);
  const double residual = livi::max_magnitude(Vector<double, Dynamic>(bands.matrix * x - b));
  const double size = bands.matrix.cwiseAbs().rowwise().sum().maxCoeff() * livi::max_magnitude(x);
  RC_ASSERT(residual <= 200 * 2.3e-16 * size);
}

TEST(TridiagonalElimination, says_singular_with_its_row) {
  TridiagonalElimination<double, 3> of_three;
  of_three.resize(3);
  const auto factor = [&](const Vector<double, 3>& lower, const Vector<double, 3>& diagonal,
                          const Vector<double, 3>& upper) {
    of_three.lower = lower, of_three.diagonal = diagonal, of_three.upper = upper;
    return of_three.factor();
  };
  const auto expect = [&](const livi::FactorOutcome& outcome, int row) {
    EXPECT_EQ(outcome.singular, row >= 0);
    EXPECT_EQ(outcome.pivot, row);
    EXPECT_FALSE(outcome.indefinite);
  };
  expect(factor({0, 1, 1}, {2, 2, 2}, {1, 1, 0}), -1);
  expect(factor({0, 0, 1}, {0, 2, 2}, {1, 1, 0}), 0);
  expect(factor({0, 2, 0}, {1, 2, 5}, {1, 3, 0}), 1);
  expect(factor({0, -1, -1}, {1, 2, 1}, {-1, -1, 0}), 2);
  // 1/10 and 3/10 are not numbers of the type: the last pivot is zero to rounding, not exactly.
  expect(factor({0, 0.1, 0.3}, {0.1, 0.3, 0.9}, {0.1, 0.2 * 3, 0}), 2);
  expect(factor({0, 1, 1}, {std::nan(""), 2, 2}, {1, 1, 0}), 0);
  expect(factor({0, 1, std::nan("")}, {2, 2, 2}, {1, 1, 0}), 2);
  TridiagonalElimination<double, 1> of_one;
  of_one.resize(1);
  of_one.diagonal(0) = 0;
  EXPECT_TRUE(of_one.factor().singular);
}

TEST(GaussianElimination, knows_the_sign_of_the_determinant) {
  livi::GaussianElimination<double, 3> solver;
  const auto negative = [&](const Matrix<double, 3>& a) {
    EXPECT_FALSE(solver.factor(a).singular);
    return solver.negative_determinant();
  };
  Matrix<double, 3> a;
  a << 0, 2, 0, 3, 0, 0, 0, 0, 1;
  EXPECT_TRUE(negative(a));
  EXPECT_FALSE(negative(-a));
  a << 0, 2, 0, 0, 0, 5, 1, 0, 0;
  EXPECT_FALSE(negative(a));
  a << 1, 2, 3, 4, 5, 6, 7, 8, 10;  // -3
  EXPECT_TRUE(negative(a));
}

// --- structures -----------------------------------------------------------------------------------------------------

template <class S>
using Banded = livi::PlanarChainConstraint<S, Dynamic, livi::BlockTridiagonalHessian<S, 2>>;
template <class S>
using Dense = livi::PlanarChainConstraint<S, Dynamic>;

RC_GTEST_PROP(ChainJacobian, is_the_dense_one, ()) {
  const int n = between(1, 6);
  const Banded<Q> constraint{numbers<Q>(n)};
  const Vector<Q, Dynamic> q = numbers<Q>(2 * n), v = numbers<Q>(2 * n), mu = numbers<Q>(n);
  BlockBidiagonalJacobian<Q, 2> banded;
  Matrix<Q, Dynamic> dense;
  constraint.jacobian(q, banded);
  constraint.jacobian(q, dense);
  RC_ASSERT(livi::dense(banded) == dense);
  Vector<Q, Dynamic> rate, expected_rate, force, expected_force;
  livi::multiply(banded, v, rate);
  livi::multiply(dense, v, expected_rate);
  RC_ASSERT(rate == expected_rate);
  livi::multiply_transposed(banded, mu, force);
  livi::multiply_transposed(dense, mu, expected_force);
  RC_ASSERT(force == expected_force);
}

// Dg(q) M^-1 G^T with unequal masses, not symmetric: the same solutions, exactly, and the same directions.
RC_GTEST_PROP(MultiplierMatrix, of_the_chain_is_the_dense_one, ()) {
  const int n = between(1, 6);
  const Banded<Q> constraint{numbers<Q>(n)};
  const DiagonalMass<Q, Dynamic> mass(
      Vector<Q, Dynamic>(2 * n).unaryExpr([](const Q&) { return positive<Q>(); }).eval());
  const Vector<Q, Dynamic> old = numbers<Q>(2 * n), at = numbers<Q>(2 * n), b = numbers<Q>(n);
  const auto solutions = [&](auto jacobian) {
    livi::MultiplierMatrix<decltype(jacobian), DiagonalMass<Q, Dynamic>> matrix(mass);
    constraint.jacobian(old, jacobian);
    matrix.set_directions(mass, jacobian);
    constraint.jacobian(at, jacobian);
    Vector<Q, Dynamic> mu = b, pushed;
    const bool singular = matrix.factor(jacobian).singular;
    if (!singular) matrix.solve_in_place(mu);
    matrix.push(mu, pushed);
    return std::tuple(singular, mu, pushed);
  };
  RC_ASSERT(solutions(BlockBidiagonalJacobian<Q, 2>()) == solutions(Matrix<Q, Dynamic>()));
}

// Blocks of three equations on nine coordinates each, with a mass of its own for every coordinate.
RC_GTEST_PROP(MultiplierMatrix, of_blocks_is_the_dense_one, ()) {
  using Blocks = livi::BlockDiagonalJacobian<Q, 3, 9>;
  const int blocks = between(1, 2);
  const DiagonalMass<Q, Dynamic> mass(
      Vector<Q, Dynamic>(9 * blocks).unaryExpr([](const Q&) { return positive<Q>(); }).eval());
  Blocks old, at;
  old.resize(3 * blocks);
  at.resize(3 * blocks);
  Matrix<Q, Dynamic> dense_old = Matrix<Q, Dynamic>::Constant(3 * blocks, 9 * blocks, Q(0)), dense_at = dense_old;
  for (int equation = 0; equation < 3 * blocks; ++equation)
    for (int i = 0; i < 9; ++i) {
      dense_old(equation, equation / 3 * 9 + i) = old.own(i, equation) = number<Q>();
      dense_at(equation, equation / 3 * 9 + i) = at.own(i, equation) = number<Q>();
    }
  const Vector<Q, Dynamic> b = numbers<Q>(3 * blocks);
  const auto solutions = [&](const auto& old_jacobian, const auto& jacobian) {
    livi::MultiplierMatrix<std::decay_t<decltype(jacobian)>, DiagonalMass<Q, Dynamic>> matrix(mass);
    matrix.set_directions(mass, old_jacobian);
    Vector<Q, Dynamic> mu = b, pushed;
    const bool singular = matrix.factor(jacobian).singular;
    if (!singular) matrix.solve_in_place(mu);
    matrix.push(mu, pushed);
    return std::tuple(singular, mu, pushed);
  };
  RC_ASSERT(solutions(old, at) == solutions(dense_old, dense_at));
}

/// The two products of cosines and the pivots of a chain whose links turn by `turned`, as in multiplier_matrix.hpp.
struct Turned {
  Vector<double, Dynamic> angle, turn, length, stretch, inverse_mass;
  livi::MultiplierMatrix<BlockBidiagonalJacobian<double, 2>, DiagonalMass<double, Dynamic>> matrix;
  BlockBidiagonalJacobian<double, 2> jacobian;

  explicit Turned(Eigen::Index n)
      : angle(n), turn(n), length(n), stretch(n), inverse_mass(n), matrix(mass(Vector<double, Dynamic>::Ones(n))) {}
  static DiagonalMass<double, Dynamic> mass(const Vector<double, Dynamic>& inverse) {
    Vector<double, Dynamic> m(2 * inverse.size());
    for (Eigen::Index i = 0; i < m.size(); ++i) m(i) = 1 / inverse(i / 2);
    return DiagonalMass<double, Dynamic>(m);
  }
  [[nodiscard]] Vector<double, Dynamic> positions(bool old) const {
    Vector<double, Dynamic> q(2 * angle.size());
    double x = 0, y = 0;
    for (Eigen::Index k = 0; k < angle.size(); ++k) {
      const double at = angle(k) + (old ? 0 : turn(k)), l = length(k) * (old ? 1 : stretch(k));
      q(2 * k) = x += l * std::sin(at);
      q(2 * k + 1) = y -= l * std::cos(at);
    }
    return q;
  }
  [[nodiscard]] double above(Eigen::Index k) const { return k > 0 ? inverse_mass(k - 1) : 0; }
  /// A(k, k) and A(k, k-1) A(k-1, k), rows and columns divided by 2 L.
  [[nodiscard]] double diagonal(Eigen::Index k) const { return (above(k) + inverse_mass(k)) * std::cos(turn(k)); }
  [[nodiscard]] double product(Eigen::Index k) const {
    const double bend = angle(k) - angle(k - 1);
    return above(k) * above(k) * std::cos(bend + turn(k)) * std::cos(bend - turn(k - 1));
  }
  /// Pivots of the elimination without exchanges from the fixed end.
  [[nodiscard]] std::vector<double> pivots() const {
    std::vector<double> p{diagonal(0)};
    for (Eigen::Index k = 1; k < angle.size(); ++k) p.push_back(diagonal(k) - product(k) / p.back());
    return p;
  }
  /// Pivots of the elimination without exchanges from the free end, the last link first.
  [[nodiscard]] std::vector<double> pivots_from_the_free_end() const {
    std::vector<double> p{diagonal(angle.size() - 1)};
    for (Eigen::Index k = angle.size() - 1; k > 0; --k) p.push_back(diagonal(k - 1) - product(k) / p.back());
    return p;
  }
  /// The largest error of a solution, against the exact one.
  double solve() {
    const Eigen::Index n = angle.size();
    const Banded<double> constraint{length.cwiseProduct(length)};
    const auto m = mass(inverse_mass);
    livi::MultiplierMatrix<BlockBidiagonalJacobian<double, 2>, DiagonalMass<double, Dynamic>> banded(m);
    livi::MultiplierMatrix<Matrix<double, Dynamic>, DiagonalMass<double, Dynamic>> full(m);
    Matrix<double, Dynamic> dense;
    constraint.jacobian(positions(true), jacobian);
    banded.set_directions(m, jacobian);
    full.set_directions(m, jacobian.dense());
    constraint.jacobian(positions(false), jacobian);
    EXPECT_FALSE(banded.factor(jacobian).singular);
    EXPECT_FALSE(full.factor(jacobian.dense()).singular);
    Vector<double, Dynamic> a = Vector<double, Dynamic>::LinSpaced(n, -1, 2), b = a;
    banded.solve_in_place(a);
    full.solve_in_place(b);
    return livi::max_magnitude(Vector<double, Dynamic>(a - b)) / livi::max_magnitude(b);
  }
};

// The bound of multiplier_matrix.hpp: links that turn alike, by up to 85 degrees, whatever masses, lengths and n.
RC_GTEST_PROP(MultiplierMatrix, needs_no_exchange_when_links_turn_alike, ()) {
  const int n = between(1, 60);
  Turned chain(n);
  const double turn = between(-85, 85) * std::numbers::pi / 180;
  for (int k = 0; k < n; ++k) {
    chain.angle(k) = between(-180, 180) * std::numbers::pi / 180;
    chain.turn(k) = turn;
    chain.inverse_mass(k) = positive<double>();
  }
  const std::vector<double> pivots = chain.pivots(), from_the_free_end = chain.pivots_from_the_free_end();
  for (int k = 0; k < n; ++k) {
    const double low = (1 - 1e-9) * std::cos(turn);
    RC_ASSERT(pivots[static_cast<std::size_t>(k)] >= low * chain.inverse_mass(k));
    RC_ASSERT(from_the_free_end[static_cast<std::size_t>(n - 1 - k)] >= low * chain.above(k));
  }
}

// Where they do not: a zigzag of 60 links that bends the other way in one step, for which the bound is sharp. Pivots
// become negative on the way; the solution is right to the condition of the matrix (about n^2) all the same. Control: a
// zigzag that is hardly one.
TEST(MultiplierMatrix, exchanges_rows_where_links_turn_differently) {
  for (const double turn : {0.001, 0.15, 0.3}) {
    Turned chain(60);
    for (int k = 0; k < 60; ++k) {
      chain.turn(k) = k % 2 == 0 ? turn : -turn;
      chain.angle(k) = -chain.turn(k) / 2;
      chain.length(k) = chain.stretch(k) = chain.inverse_mass(k) = 1;
    }
    const std::vector<double> pivots = chain.pivots();
    EXPECT_EQ(*std::min_element(pivots.begin(), pivots.end()) > 0, turn == 0.001);
    EXPECT_LT(chain.solve(), 1e-11) << turn;
  }
}

// --- methods --------------------------------------------------------------------------------------------------------

template <class S, template <class> class Constraint>
auto chain(const Vector<S, Dynamic>& squared_lengths, const Vector<S, Dynamic>& masses) {
  return livi::ConstrainedSystem(DiagonalMass<S, Dynamic>(masses), livi::GravityPotential<S, Dynamic>{S(1)},
                                 Constraint<S>{squared_lengths});
}

/// Links (3, -4), (4, -3), (-5, -12), ... times small rationals: lengths without roots; tangent velocities.
template <class S>
struct Start {
  Vector<S, Dynamic> squared_lengths, masses, q, v;
  explicit Start(int n) : squared_lengths(n), masses(2 * n), q(2 * n), v(2 * n) {
    S x(0), y(0), vx(0), vy(0);
    for (int k = 0; k < n; ++k) {
      const S scale = livi::ratio<S>(between(1, 6), 20), turn = livi::ratio<S>(between(-10, 10), 10);
      const bool wide = between(0, 1) == 1;
      const S dx = scale * S(wide ? 5 : between(0, 1) == 1 ? 3 : -3), dy = scale * S(wide ? -12 : -4);
      q(2 * k) = x += dx, q(2 * k + 1) = y += dy;
      v(2 * k) = vx -= turn * dy, v(2 * k + 1) = vy += turn * dx;
      squared_lengths(k) = dx * dx + dy * dy;
      masses(2 * k) = masses(2 * k + 1) = livi::ratio<S>(between(2, 6), 2);
    }
  }
};

template <class Method, class S>
auto after_steps(Method method, const Start<S>& start, int steps) {
  auto z = method.start(start.q, start.v);
  for (int k = 0; k < steps; ++k) {
    const livi::StepOutcome outcome = method.step(z, livi::ratio<S>(1, 200));
    RC_ASSERT(outcome.ok());
  }
  return std::tuple(z, method.work().newton_iterations);
}

/// Positions, velocities and multipliers after 20 steps agree. Masses of 1 to 3 and links of 1 to 6 give matrices of
/// condition 1e4 or so, Newton ends within 32 epsilon, velocities are positions over h, and multipliers over h^2. The
/// step is small enough for the transverse modes of short links under the weight of 12 masses, h omega < 1.
template <template <class> class Method, class S>
void expect_as_dense(int n) {
  const Start<S> start(n);
  const auto sparse = chain<S, Banded>(start.squared_lengths, start.masses);
  const auto dense = chain<S, Dense>(start.squared_lengths, start.masses);
  const auto [a, a_iterations] = after_steps(Method(sparse), start, 20);
  const auto [b, b_iterations] = after_steps(Method(dense), start, 20);
  const double epsilon = livi::to_double(livi::ScalarTraits<S>::epsilon());
  const auto close = [](const auto& x, const auto& y, double tolerance) {
    const std::decay_t<decltype(x)> difference = x - y;
    return livi::to_double(livi::max_magnitude(difference)) <=
           tolerance * (1 + livi::to_double(livi::max_magnitude(x)));
  };
  RC_ASSERT(close(a.q, b.q, 1e5 * epsilon));
  RC_ASSERT(close(a.v, b.v, 1e7 * epsilon));
  RC_ASSERT(close(a.lambda, b.lambda, 1e9 * epsilon));
  // One of the two may end an iteration earlier where the update meets the tolerance.
  RC_ASSERT(std::abs(a_iterations - b_iterations) <= 5);
}

RC_GTEST_PROP(ShakeOfAChain, is_the_dense_one, ()) { expect_as_dense<Shake, double>(between(1, 12)); }
RC_GTEST_PROP(RattleOfAChain, is_the_dense_one, ()) { expect_as_dense<Rattle, double>(between(1, 12)); }
TEST(ShakeOfAChain, is_the_dense_one_in_50_digits) {
  rc::check([] { expect_as_dense<Shake, Float50>(between(1, 3)); });
}
TEST(RattleOfAChain, is_the_dense_one_in_50_digits) {
  rc::check([] { expect_as_dense<Rattle, Float50>(between(1, 3)); });
}

// The velocities of RATTLE are tangent, those of SHAKE after their projection.
RC_GTEST_PROP(RattleOfAChain, has_tangent_velocities, ()) {
  const Start<double> start(between(1, 12));
  const auto system = chain<double, Banded>(start.squared_lengths, start.masses);
  const auto z = std::get<0>(after_steps(Rattle(system), start, 10));
  Shake shake(system);
  const auto w = std::get<0>(after_steps(shake, start, 10));
  Vector<double, Dynamic> tangent = w.v, rate, g;
  RC_ASSERT(shake.tangent_velocity(w, tangent).ok());
  BlockBidiagonalJacobian<double, 2> jacobian;
  system.constraint().jacobian(z.q, jacobian);
  livi::multiply(jacobian, z.v, rate);
  system.constraint().value(z.q, g);
  RC_ASSERT(livi::max_magnitude(rate) < 1e-11);
  RC_ASSERT(livi::max_magnitude(g) < 1e-11);
  RC_ASSERT(livi::max_magnitude(Vector<double, Dynamic>(tangent - z.v)) < 1e-9 * (1 + livi::max_magnitude(z.v)));
}

// Upside down and falling by exactly its length in a step of SHAKE, the upper link shrinks to a point.
TEST(ShakeOfAChain, says_that_its_matrix_is_singular) {
  for (const int n : {1, 2, 3}) {
    Vector<double, Dynamic> q(2 * n);
    for (int k = 0; k < n; ++k) q(2 * k) = k, q(2 * k + 1) = 1;
    const auto system = livi::ConstrainedSystem(livi::ScalarMass<double, Dynamic>(1, 2 * n),
                                                livi::GravityPotential<double, Dynamic>{2.0},
                                                Banded<double>{Vector<double, Dynamic>::Ones(n)});
    Shake method(system);
    auto z = method.start(q, Vector<double, Dynamic>::Zero(2 * n));
    const livi::StepOutcome outcome = method.step(z, 1.0);
    EXPECT_EQ(outcome.failure, livi::Failure::singular_matrix) << n;
    EXPECT_EQ(outcome.detail, 0) << n;
  }
}

TEST(AnyConstraint, holds_a_banded_one) {
  const livi::AnyConstraint<double> any(Banded<double>{Vector<double, Dynamic>::Ones(2)}, 2);
  Matrix<double, Dynamic> jacobian;
  any.jacobian(Vector<double, Dynamic>{{0.0, -1.0, 1.0, -1.0}}, jacobian);
  Matrix<double, Dynamic> expected(2, 4);
  expected << 0, -2, 0, 0, -2, 0, 2, 0;
  EXPECT_EQ(jacobian, expected);
}

}  // namespace sparse_constraints_test
