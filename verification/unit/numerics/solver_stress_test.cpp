// SPDX-License-Identifier: MIT
//
// Solvers of (M + c H) a = b near poles: random matrices of every structure whose pivots, blocks or determinants nearly
// vanish, of all signs, 10^5 for each structure. Each solve either solves or says singular; negative eigenvalues are
// those of the matrix; and nothing is called singular that is not. Residuals are computed in long double, one solution
// in a hundred is compared with one of 100 digits; all of them, which takes an hour, with LIVI_STRESS_COMPARE_EVERY=1
// in the environment.
//
// "Solves": |b - A x| <= k epsilon (T |x| + |b|) in the largest norm, T the largest row sum of |M| + |c H|: the entries
// of A = m + c h are rounded at the size of these terms, and no solver in floating point can do better than a k. An
// elimination with pivoting of n rows has k = 3 n times the growth of its entries (Higham 2002, Theorem 9.3), which for
// these n < 20 and random matrices stays below 10: k = 1000. Explicit inverses of pivots, and cofactors, multiply an
// error of rounding by up to the inverse of the part that a determinant is of its terms, of which the least allowed is
// 2^-10 (least_part_of_determinant): the same k.
//
// One file, for every solver is judged by the same measure, and its arithmetic of 100 digits is what takes the compiler
// its time.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdlib>
#include <random>
#include <stdexcept>

#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/linalg/cyclic_tridiagonal.hpp>
#include <livi/linalg/three_vector.hpp>
#include <livi/linalg/tridiagonal_elimination.hpp>
#include <livi/systems/klein_gordon_chain.hpp>
#include <livi/systems/vectorised_water.hpp>

#include "ridge_chain.hpp"
#include "solver_stress.hpp"

namespace solver_stress_test {

template <int N>
void stress_dense() {
  stress<livi::DenseHessian<double, N>>("dense " + std::to_string(N), N == Dynamic ? 1 : N, 8, true,
                                        [](auto& h, Eigen::Index i, Eigen::Index j, double x) { h.matrix(i, j) = x; });
}
TEST(Stress, dense_1) { stress_dense<1>(); }
TEST(Stress, dense_2) { stress_dense<2>(); }
TEST(Stress, dense_3) { stress_dense<3>(); }
TEST(Stress, dense_4) { stress_dense<4>(); }
TEST(Stress, dense_6) { stress_dense<6>(); }
TEST(Stress, dense_of_run_time_size) { stress_dense<Dynamic>(); }
TEST(Stress, diagonal) {
  stress<livi::DiagonalHessian<double, Dynamic>>("diagonal", 1, 6, false,
                                                 [](auto& h, Eigen::Index i, Eigen::Index j, double x) {
                                                   if (i == j) h.diagonal(i) = x;
                                                 });
}
template <int B>
void stress_blocks() {
  stress<livi::BlockDiagonalHessian<double, B>>("blocks " + std::to_string(B), B, 3, false,
                                                [](auto& h, Eigen::Index i, Eigen::Index j, double x) {
                                                  if (i / B == j / B)
                                                    h.blocks[static_cast<std::size_t>(i / B)](i % B, j % B) = x;
                                                });
}
TEST(Stress, blocks_of_two) { stress_blocks<2>(); }
TEST(Stress, blocks_of_three) { stress_blocks<3>(); }

template <int B>
void set_chain(livi::BlockTridiagonalHessian<double, B>& h, Eigen::Index i, Eigen::Index j, double x) {
  const auto row = static_cast<std::size_t>(i / B);
  if (i / B == j / B) h.diagonal[row](i % B, j % B) = x;
  if (i / B == j / B + 1) h.lower[row](i % B, j % B) = x;
}
template <int B>
void stress_chain() {
  stress<livi::BlockTridiagonalHessian<double, B>>("chain of blocks of " + std::to_string(B), B, B == 1 ? 8 : 8 - B,
                                                   true, set_chain<B>);
}
TEST(Stress, chains_of_blocks_of_one) { stress_chain<1>(); }
TEST(Stress, chains_of_blocks_of_two) { stress_chain<2>(); }
TEST(Stress, chains_of_blocks_of_three) { stress_chain<3>(); }

/// The elimination from one end without exchanges, which believes all pivots that are not zero.
V solve_naively(const Rows<Wide>& a, V b) {
  const std::size_t n = a.size();
  Rows<double> u(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) u[i][j] = static_cast<double>(a[i][j]);
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t i = p + 1; i < n; ++i) {
      const double l = u[i][p] / u[p][p];
      for (std::size_t j = p; j < n; ++j) u[i][j] -= l * u[p][j];
      b(static_cast<Eigen::Index>(i)) -= l * b(static_cast<Eigen::Index>(p));
    }
  for (std::size_t i = n; i-- > 0;) {
    double& x = b(static_cast<Eigen::Index>(i));
    for (std::size_t j = i + 1; j < n; ++j) x -= u[i][j] * b(static_cast<Eigen::Index>(j));
    x /= u[i][i];
  }
  return b;
}
TEST(Control, an_elimination_without_exchanges_is_seen) {
  Random random;
  Seen seen;
  for (int problem = 0; problem < problems / 10; ++problem) {
    const int n = 2 + random.below(6);
    const System system = make_system(random, near_a_pole(random, n, 1, true), random_masses(random, n), 0.5,
                                      [](Eigen::Index, Eigen::Index, double) {});
    const V x = solve_naively(system.a, system.right);
    judge(seen, system, {}, x);
  }
  EXPECT_GT(seen.wrong, 100);
  EXPECT_GT(seen.wrong_count, 100);
  EXPECT_GT(seen.sample_wrong, 1);
  EXPECT_GT(seen.worst, 1e6);
}

TEST(Stress, rings) {
  Random random;
  Seen seen;
  ShiftedSolver<livi::CyclicTridiagonalHessian<double>> solver;
  for (int problem = 0; problem < problems; ++problem) {
    const int n = 1 + random.below(12);
    const V masses = random_masses(random, n);
    const double c = random.between(0.1, 1);
    livi::CyclicTridiagonalHessian<double> hessian(n);
    auto wanted = near_a_pole(random, n, 1, true);
    if (n > 2 && random.below(2)) wanted.front().back() = wanted.back().front() = random.between(-1, 1);
    const System system = make_system(random, wanted, masses, c, [&](Eigen::Index i, Eigen::Index j, double h) {
      if (i == j) hessian.diagonal(i) = h;
      if (i == j + 1) hessian.lower(i) = h;
      if (n > 2 && i == n - 1 && j == 0) hessian.lower(0) = h;
    });
    V x = system.right;
    const FactorOutcome outcome = solver.factor(DiagonalMass<double, Dynamic>(masses), c, hessian);
    if (!outcome.singular) solver.solve_in_place(x);
    judge(seen, system, outcome, x);
  }
  expect_none_wrong("rings", seen);
}

/// (M + c H) of triangles; entries by the formula at the head of TriangleHessian.
System system_of(const livi::TriangleHessian<double>::Triangle& t, const livi::Vector<double, 3>& masses, double c) {
  using Sides = livi::TriangleHessian<double>;
  System system;
  system.a.assign(9, std::vector<Wide>(9, 0));
  Rows<Wide> sizes = system.a;
  for (std::size_t i = 0; i < 9; ++i) sizes[i][i] = system.a[i][i] = masses(static_cast<Eigen::Index>(i / 3));
  for (int side = 0; side < 3; ++side)
    for (int x = 0; x < 3; ++x)
      for (int y = 0; y < 3; ++y) {
        const Wide stiff = Wide(c) * Wide(t.stiffness(side)) * Wide(t.sides(x, side)) * Wide(t.sides(y, side)),
                   tense = x == y ? Wide(c) * Wide(t.tension(side)) : 0;
        const int ends[2] = {Sides::side_end[side], Sides::side_start[side]};
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j) {
            const auto row = static_cast<std::size_t>(3 * ends[i] + x),
                       column = static_cast<std::size_t>(3 * ends[j] + y);
            system.a[row][column] += (i == j ? 1 : -1) * (stiff + tense);
            sizes[row][column] += std::abs(stiff) + std::abs(tense);
          }
      }
  for (const auto& row : sizes) {
    Wide sum = 0;
    for (const Wide size : row) sum += size;
    system.terms = std::max(system.terms, sum);
  }
  return system;
}
TEST(Stress, triangles) {
  Random random;
  Seen seen;
  using Sides = livi::TriangleHessian<double>;
  for (int problem = 0; problem < problems; ++problem) {
    Sides::Triangle t;
    livi::Vector<double, 3> masses(random.between(0.5, 2), random.between(0.5, 2), random.between(0.5, 2));
    const double c = random.between(0.1, 1);
    const int kind = random.below(4);
    for (int side = 0; side < 3; ++side) {
      for (int x = 0; x < 3; ++x) t.sides(x, side) = random.between(-1, 1);
      t.tension(side) = kind == 0 ? random.between(-2, 2) : random.between(0, 2);
      t.stiffness(side) = std::pow(10, random.between(-2, 8)) * (random.below(10) ? 1 : -1);
    }
    if (kind == 1 || kind == 2) {  // det A = 0, nearly; alone the side does not make the whole singular
      t.tension.setZero();
      const int side = random.below(3), i = Sides::side_end[side], j = Sides::side_start[side];
      t.tension(side) = -(1 + random.tiny()) / (1 / masses(i) + 1 / masses(j)) / c;
      for (int other = 0; kind == 2 && other < 3; ++other)
        if (other != side) t.stiffness(other) = 0;
    }
    System system = system_of(t, masses, c);
    set_right(random, system);
    livi::Vector<double, 9> b = system.right;
    const FactorOutcome outcome = ShiftedSolver<Sides>::solve_one(masses, c, t, b);
    judge(seen, system, outcome, V(b));
  }
  expect_none_wrong("triangles", seen);
}

/// Symmetric or not: what SHAKE, RATTLE and Newton iterations solve.
TEST(Stress, general_matrices) {
  Random random;
  Seen dense, tridiagonal, three;
  for (int problem = 0; problem < problems; ++problem) {
    const int n = 1 + random.below(8);
    Rows<double> a = near_a_pole(random, n, 1, true);
    for (std::size_t i = 1; i < a.size(); ++i)
      if (random.below(2)) a[i][i - 1] *= random.between(-3, 3);
    System system = make_system(random, a, V::Zero(n), 1, [](Eigen::Index, Eigen::Index, double) {});
    system.symmetric = false;
    Matrix<double, Dynamic> matrix(n, n);
    livi::TridiagonalElimination<double, Dynamic> chain;
    chain.resize(n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) matrix(i, j) = a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      chain.diagonal(i) = matrix(i, i);
      if (i > 0) chain.lower(i) = matrix(i, i - 1);
      if (i + 1 < n) chain.upper(i) = matrix(i, i + 1);
    }
    livi::GaussianElimination<double, Dynamic> elimination;
    V x = system.right;
    FactorOutcome outcome = elimination.factor(matrix);
    if (!outcome.singular) elimination.solve_in_place(x);
    judge(dense, system, outcome, x);
    x = system.right;
    outcome = chain.factor();
    if (!outcome.singular) chain.solve_in_place(x);
    judge(tridiagonal, system, outcome, x);
    if (n != 3) continue;
    livi::Vector<double, 3> b = system.right;
    outcome = livi::solve_three_equations<double>(Matrix<double, 3>(matrix), b);
    judge(three, system, outcome, V(b));
  }
  expect_none_wrong("general dense", dense, false);
  expect_none_wrong("general tridiagonal", tridiagonal, false);
  EXPECT_EQ(three.wrong, 0) << three.first;
  EXPECT_GT(three.solved, problems / 20);
}

/// The linear system of a step on a chain of ridges (ridge_chain.hpp), with the sizes of what it is computed from.
template <int B>
System system_of(const livi::test::RidgeChain<double, B>& chain, const V& masses, const V& x, double c) {
  System system;
  const auto n = static_cast<std::size_t>(masses.size());
  system.a.assign(n, std::vector<Wide>(n, 0));
  Rows<Wide> sizes = system.a;
  std::vector<Wide> right(n, 0), right_sizes(n, 0);
  for (std::size_t i = 0; i < n; ++i) sizes[i][i] = system.a[i][i] = masses(static_cast<Eigen::Index>(i));
  for (std::size_t row = 0; row < chain.ridges.size(); ++row)
    for (const auto& ridge : chain.ridges[row]) {
      std::vector<Wide> direction(n, 0);
      for (int i = 0; i < B; ++i) {
        direction[row * B + static_cast<std::size_t>(i)] = ridge.here(i);
        if (row > 0) direction[(row - 1) * B + static_cast<std::size_t>(i)] = ridge.before(i);
      }
      Wide along = 0, size = 1;
      for (std::size_t i = 0; i < n; ++i) {
        along += direction[i] * Wide(x(static_cast<Eigen::Index>(i)));
        size += std::abs(direction[i] * Wide(x(static_cast<Eigen::Index>(i))));
      }
      for (std::size_t i = 0; i < n; ++i) {
        right[i] -= (along + along * along / 2) * direction[i];
        right_sizes[i] += size * size * std::abs(direction[i]);
        for (std::size_t j = 0; j < n; ++j) {
          system.a[i][j] += Wide(c) * (1 + along) * direction[i] * direction[j];
          sizes[i][j] += Wide(c) * size * std::abs(direction[i] * direction[j]);
        }
      }
    }
  system.right.resize(masses.size());
  for (std::size_t i = 0; i < n; ++i) {
    system.right(static_cast<Eigen::Index>(i)) = static_cast<double>(right[i]);
    system.right_size = std::max(system.right_size, right_sizes[i]);
    Wide sum = 0;
    for (const Wide size : sizes[i]) sum += size;
    system.terms = std::max(system.terms, sum);
  }
  return system;
}
template <int B>
void stress_fused_chain() {
  using Chain = livi::test::RidgeChain<double, B>;
  using Problem = livi::MechanicalSystem<DiagonalMass<double, Dynamic>, Chain>;
  Random random;
  Seen seen;
  for (int problem = 0; problem < problems; ++problem) {
    const int rows = 1 + random.below(7 - B), n = B * rows;
    const V masses = random_masses(random, n);
    Chain chain;
    V x(n);
    for (double& entry : x) entry = random.between(-2, 2);
    const auto vector = [&] {
      livi::Vector<double, B> v;
      for (double& entry : v) entry = random.between(-1, 1);
      return v;
    };
    for (int k = 0; k < rows; ++k) chain.ridges.push_back({{vector(), vector()}, {vector(), vector()}});
    // c where the first diagonal entry vanishes, nearly, if there is one.
    livi::BlockTridiagonalHessian<double, B> hessian(n);
    chain.hessian(x, hessian);
    const double h = hessian.diagonal[0](0, 0),
                 c = h < 0 ? -masses(0) / h * (1 + random.tiny() / 2) : random.between(0, 9);
    const Problem problem_system(DiagonalMass<double, Dynamic>(masses), chain);
    livi::SimplifiedZhangSkeel<Problem> method(problem_system, {c});
    livi::WorkCounters work;
    V a = x;
    const livi::StepOutcome step = method.force()(problem_system, x, 1.0, a, work);
    FactorOutcome outcome{.singular = !step.ok(), .indefinite = work.indefinite_matrices > 0};
    outcome.negative = work.most_negative;
    judge(seen, system_of<B>(chain, masses, x, c), outcome, a);
  }
  expect_none_wrong("fused chain of blocks of " + std::to_string(B), seen, true, B == 1);
}
TEST(Stress, fused_chains_of_blocks_of_one) { stress_fused_chain<1>(); }
TEST(Stress, fused_chains_of_blocks_of_two) { stress_fused_chain<2>(); }
TEST(Stress, fused_chains_of_blocks_of_three) { stress_fused_chain<3>(); }

/// The kernel of Klein-Gordon chains, by which chains of DNA go, too.
TEST(Stress, fused_rings) {
  Random random;
  Seen seen;
  for (int problem = 0; problem < problems; ++problem) {
    const int n = 1 + random.below(10);
    const livi::QuarticDoubleWell<double> well{random.between(0.1, 2)};
    const bool periodic = random.below(2) == 0;
    const auto chain = livi::klein_gordon_chain(n, well, periodic ? livi::ChainEnds::periodic : livi::ChainEnds::free);
    V x(n);
    for (double& entry : x) entry = random.between(-1.5, 1.5);
    const bool ring = periodic && n > 1;
    const auto neighbours = [&](int i) { return n == 1 ? 0 : ring || (i > 0 && i + 1 < n) ? 2 : 1; };
    const int at = random.below(n);
    const double h = well.derivatives(x(at)).second + neighbours(at);
    const double c = h < 0 ? -1 / h * (1 + random.tiny() / 2) : random.between(0, 9);
    System system;
    system.a.assign(static_cast<std::size_t>(n), std::vector<Wide>(static_cast<std::size_t>(n), 0));
    V a = x;
    ShiftedSolver<livi::CyclicTridiagonalHessian<double>> solver;
    const auto ignore = [](Eigen::Index) {};
    const FactorOutcome outcome =
        chain.potential().shifted_force(chain.mass(), c, x, solver, nullptr, a, ignore, ignore);
    system.right.resize(n);
    for (int i = 0; i < n; ++i) {
      const Wide y = x(i), depth = well.depth;
      Wide force = -4 * depth * y * (y * y - 1) - neighbours(i) * y;
      const auto row = static_cast<std::size_t>(i);
      system.a[row][row] += 1 + Wide(c) * (depth * (12 * y * y - 4) + neighbours(i));
      for (const int j : {i - 1, i + 1}) {
        if (n == 1 || (!ring && (j < 0 || j >= n))) continue;
        system.a[row][static_cast<std::size_t>((j + n) % n)] -= Wide(c);
        force += Wide(x((j + n) % n));
      }
      system.right(i) = static_cast<double>(force);
      system.right_size = std::max(system.right_size, 4 * depth * std::abs(y) * (y * y + 1) + 6);
      system.terms = std::max(system.terms, 1 + Wide(c) * (depth * (12 * y * y + 4) + 4));
    }
    judge(seen, system, outcome, a);
  }
  expect_none_wrong("fused rings", seen);
}

/// A molecule of any shape at the origin.
livi::Vector<double, 9> random_molecule(Random& random, bool flat) {
  livi::Vector<double, 9> q;
  for (double& entry : q) entry = random.between(-1, 1);
  if (flat)
    for (int x = 0; x < 3; ++x) q(6 + x) = q(x) + 0.7 * (q(3 + x) - q(x)) + random.tiny();
  return q;
}

TEST(Stress, vectorised_triangles) {
  Random random;
  Seen seen;
  using Sides = livi::TriangleHessian<double>;
  long as_the_scalar_ones = 0;
  for (int problem = 0; problem < problems; ++problem) {
    const V q = random_molecule(random, random.below(4) == 0);
    const livi::RestrainedWater penalty(random.between(0.1, 2), random.between(0.1, 2),
                                        std::pow(10, random.between(-2, 4)));
    const livi::Vector<double, 3> masses(random.between(0.5, 2), random.between(0.5, 2), random.between(0.5, 2));
    V mass(9);
    for (int i = 0; i < 9; ++i) mass(i) = masses(i / 3);
    Sides hessian(9);
    penalty.hessian(q, hessian);
    const Sides::Triangle& t = hessian.triangles[0];
    // The smallest c with det A = 0, nearly, if there is one below 1e4; of A the first minors are then positive.
    const auto determinant = [&](double c) {
      Wide a[3][3] = {{masses(0), 0, 0}, {0, masses(1), 0}, {0, 0, masses(2)}};
      for (int side = 0; side < 3; ++side) {
        const int i = Sides::side_end[side], j = Sides::side_start[side];
        const Wide tension = Wide(c) * Wide(t.tension(side));
        a[i][i] += tension, a[j][j] += tension, a[i][j] -= tension, a[j][i] -= tension;
      }
      return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[1][2]) - a[0][1] * (a[0][1] * a[2][2] - a[1][2] * a[0][2]) +
             a[0][2] * (a[0][1] * a[1][2] - a[1][1] * a[0][2]);
    };
    double low = 0, high = 1e-6;
    while (high < 1e4 && determinant(high) > 0) high *= 1.5;
    double c = random.between(0, 1) / penalty.stiffness;
    if (high < 1e4) {
      for (int k = 0; k < 60; ++k) (determinant((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
      c = low * (1 + random.tiny() / 2);
    }
    System system = system_of(t, masses, c);
    for (int side = 0; side < 3; ++side)
      system.terms += 16 * Wide(c) * Wide(penalty.stiffness) *
                      (Wide(t.sides.col(side).squaredNorm()) + Wide(penalty.squared_oh) + Wide(penalty.squared_hh));
    V a(9);
    for (double& entry : a) entry = random.between(-1, 1);
    std::vector<Wide> right(9);
    for (int i = 0; i < 9; ++i) right[static_cast<std::size_t>(i)] = -Wide(a(i));
    for (int side = 0; side < 3; ++side)
      for (int x = 0; x < 3; ++x) {
        const Wide pull = Wide(t.tension(side)) * Wide(t.sides(x, side));
        right[static_cast<std::size_t>(3 * Sides::side_end[side] + x)] -= pull;
        right[static_cast<std::size_t>(3 * Sides::side_start[side] + x)] += pull;
      }
    system.right.resize(9);
    for (int i = 0; i < 9; ++i) system.right(i) = static_cast<double>(right[static_cast<std::size_t>(i)]);
    system.right_size = 16 * Wide(penalty.stiffness) * (Wide(q.squaredNorm()) + 4) * (1 + largest(q));
    const FactorOutcome outcome = livi::vectorised_stiff_solve(penalty, DiagonalMass<double, Dynamic>(mass), c, q, a);
    judge(seen, system, outcome, a);
    livi::Vector<double, 9> b = system.right;
    const FactorOutcome scalar = ShiftedSolver<Sides>::solve_one(masses, c, t, b);
    as_the_scalar_ones += outcome.singular == scalar.singular && outcome.negative == scalar.negative;
  }
  expect_none_wrong("vectorised triangles", seen, true, false);
  EXPECT_GT(as_the_scalar_ones, 0.99 * problems);  // tensions are rounded elsewhere
}

TEST(Stress, vectorised_multipliers) {
  Random random;
  Seen seen;
  using Sides = livi::TriangleHessian<double>;
  for (int problem = 0; problem < problems; ++problem) {
    const V q = random_molecule(random, random.below(2) == 0);
    const livi::Vector<double, 3> masses(random.between(0.5, 2), random.between(0.5, 2), random.between(0.5, 2));
    V mass(9), v(9), kappa(3);
    for (int i = 0; i < 9; ++i) {
      mass(i) = masses(i / 3);
      v(i) = random.between(-1, 1);
    }
    Wide d[3][3], rate[3][3];
    for (int side = 0; side < 3; ++side)
      for (int x = 0; x < 3; ++x) {
        const int i = 3 * Sides::side_end[side] + x, j = 3 * Sides::side_start[side] + x;
        d[side][x] = Wide(q(i)) - Wide(q(j));
        rate[side][x] = Wide(v(i)) - Wide(v(j));
      }
    System system;
    system.symmetric = false;
    system.a.assign(3, std::vector<Wide>(3, 0));
    system.right.resize(3);
    for (int row = 0; row < 3; ++row) {
      Wide right = 0, terms = 0;
      for (int x = 0; x < 3; ++x) right -= 2 * d[row][x] * rate[row][x];
      system.right(row) = static_cast<double>(right);
      for (int column = 0; column < 3; ++column) {
        Wide inverse_mass = 0;
        for (const int i : {Sides::side_end[row], Sides::side_start[row]})
          for (const int j : {Sides::side_end[column], Sides::side_start[column]})
            if (i == j)
              inverse_mass +=
                  (i == Sides::side_end[row] ? 1 : -1) * (j == Sides::side_end[column] ? 1 : -1) / Wide(masses(i));
        for (int x = 0; x < 3; ++x) {
          system.a[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] +=
              4 * inverse_mass * d[row][x] * d[column][x];
          terms += 16 / Wide(masses.minCoeff()) * std::abs(d[row][x] * d[column][x]);
        }
      }
      system.terms = std::max(system.terms, terms);
    }
    system.right_size = 16 * largest(q) * largest(v);
    livi::VectorisedWaterMultipliers equations(livi::WaterRigidity<double>{1, 1}, DiagonalMass<double, Dynamic>(mass));
    const auto outcome = equations.project_velocity(q, v, kappa);
    judge(seen, system, {.singular = outcome.failure != livi::MultiplierOutcome::Failure::none}, kappa);
  }
  expect_none_wrong("vectorised multipliers", seen, false);
}

}  // namespace solver_stress_test
