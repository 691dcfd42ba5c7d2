// SPDX-License-Identifier: MIT
#include <livi/judge/measures/constraints.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <livi/judge/measures/extrapolation.hpp>
#include <livi/judge/measures/manifold.hpp>
#include <livi/judge/problems/drawn_numbers.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

/// Returns the point of T*Q that is next to (q, p), rounded.
TimedPoint<double> on_manifold(const JudgedProblem& problem, const TimedPoint<double>& z) {
  const Manifold<Float50> manifold(problem);
  const std::vector<Float50> q = manifold.nearby(in_50_digits(z.q));
  return {z.t, in_double(q), in_double(manifold.tangent(q, in_50_digits(z.p)))};
}

/// Adds the constant that makes g vanish at q; numbers of few bits, of which no bit is lost.
void vanish_at(DyadicPolynomial& g, const std::vector<double>& q) { g.add(-g.value(q), {}); }

/// Sets the second start: positions moved by an eighth, momenta turned by one place.
void set_other_start(JudgedProblem& problem) {
  TimedPoint<double> z = problem.start;
  const std::size_t n = z.q.size();
  for (std::size_t i = 0; i < n; ++i) {
    z.q[i] += i % 3 == 1 ? -0.125 : 0.125;
    z.p[i] = 0.75 * problem.start.p[(i + 1) % n] / problem.masses[(i + 1) % n] * problem.masses[i] + 0.125;
  }
  problem.other_start = on_manifold(problem, z);
}

JudgedProblem sphere() {
  JudgedProblem problem{
      .name = "a particle on a sphere", .kind = ProblemKind::constrained, .masses = {1, 2, 0.5}, .potential = {}};
  problem.potential.add(0.75, {0})
      .add(-0.5, {1, 1})
      .add(1, {2})
      .add(0.5, {0, 1, 2})
      .add(0.25, {0, 0, 2})
      .add(1, {0, 1});
  problem.start = {0, {0.5, 1, 1}, {1, -2, 0.25}};
  problem.constraints.push_back(DyadicPolynomial{}.add(1, {0, 0}).add(1, {1, 1}).add(1, {2, 2}));
  return problem;
}
JudgedProblem surface_of_degree_four() {
  JudgedProblem problem{.name = "a particle on a surface of degree four",
                        .kind = ProblemKind::constrained,
                        .masses = {1, 0.5, 2},
                        .potential = {}};
  problem.potential.add(0.5, {0, 0}).add(1, {1}).add(-0.75, {1, 2}).add(0.5, {0, 1, 1}).add(-0.5, {2});
  problem.start = {0, {0.75, -0.5, 0.625}, {0.5, 0.5, 1}};
  problem.constraints.push_back(DyadicPolynomial{}
                                    .add(0.5, {0, 0, 0, 0})
                                    .add(1, {1, 1})
                                    .add(0.75, {2, 2})
                                    .add(0.375, {0, 1, 2})
                                    .add(0.25, {1, 1, 1, 1})
                                    .add(0.5, {0, 2})
                                    .add(0.25, {0}));
  return problem;
}
/// A particle on the intersection of two surfaces that is no quadric in either.
JudgedProblem two_surfaces() {
  JudgedProblem problem{.name = "four coordinates on two surfaces",
                        .kind = ProblemKind::constrained,
                        .masses = {0.5, 1, 2, 1},
                        .potential = {}};
  problem.potential.add(0.5, {0, 0})
      .add(1, {1, 2})
      .add(0.5, {3})
      .add(0.25, {0, 1, 3})
      .add(0.5, {2, 2, 2})
      .add(-0.5, {1});
  problem.start = {0, {0.75, 0.5, -0.625, 0.875}, {0.25, 1, 0.5, -0.75}};
  problem.constraints.push_back(DyadicPolynomial{}
                                    .add(0.5, {0, 0})
                                    .add(0.75, {1, 1})
                                    .add(0.5, {2, 2})
                                    .add(0.5, {3, 3})
                                    .add(0.25, {0, 0, 3})
                                    .add(0.125, {1, 1, 1, 1}));
  problem.constraints.push_back(DyadicPolynomial{}
                                    .add(0.75, {0, 0})
                                    .add(-0.5, {1, 1})
                                    .add(-0.75, {2})
                                    .add(0.25, {3, 3, 3})
                                    .add(0.25, {1, 2, 3})
                                    .add(-0.5, {1}));
  return problem;
}
/// Adds |q_j - q_i|^2 less its value: two bodies in the plane on a rod; i = -1 for the origin.
void add_rod(JudgedProblem& problem, int i, int j) {
  DyadicPolynomial g;
  for (const int axis : {0, 1}) {
    const int at = 2 * j + axis, from = 2 * i + axis;
    g.add(1, {at, at});
    if (i >= 0) g.add(-2, {from, at}).add(1, {from, from});
  }
  problem.constraints.push_back(std::move(g));
}
JudgedProblem chain_of_rods(int bodies, bool hangs) {
  JudgedProblem problem{.name = hangs ? std::to_string(bodies) + " bodies hanging on rods" : "bodies on rods",
                        .kind = ProblemKind::constrained,
                        .masses = {},
                        .potential = {}};
  double x = 0, y = 0;
  for (int i = 0; i < bodies; ++i) {
    // Two bodies are of one mass, which is usual, and where a method may take another way; of one that is not one.
    const double mass = bodies == 2 ? 0.5 : std::array{1.0, 0.5, 2.0}[static_cast<std::size_t>(i % 3)];
    x += i % 2 == 0 ? 0.75 : 0.5;
    y -= i % 2 == 0 ? 0.5 : 0.875;
    for (const double place : {x, y}) {
      problem.masses.push_back(mass);
      problem.start.q.push_back(place);
      problem.start.p.push_back(mass * (place == x ? 0.5 : i % 3 == 1 ? -0.25 : 0.75));
    }
    if (i > 0 || hangs) add_rod(problem, i - 1, i);
    if (hangs) problem.potential.add(mass, {2 * i + 1}).add(0.25, {2 * i, 2 * i}).add(0.125, {2 * i, 2 * i, 2 * i + 1});
  }
  return problem;
}
/// Multiplies masses and forces: the motion is the same one.
void make_heavier(JudgedProblem& problem, double times) {
  for (std::vector<double>* numbers : {&problem.masses, &problem.start.p})
    for (double& number : *numbers) number *= times;
  for (Monomial& term : problem.potential.terms) term.coefficient *= times;
}
/// A^T Omega A of a rotation of all bodies: the sum of x_i p_y - y_i p_x.
MomentumMap rotation(int n, int bodies) {
  MomentumMap map{"angular momentum", {}, {}};
  map.a.assign(static_cast<std::size_t>(n), std::vector<double>(static_cast<std::size_t>(n), 0.0));
  for (std::size_t i = 0; i < static_cast<std::size_t>(bodies); ++i) {
    map.a[2 * i][2 * i + 1] = 1;
    map.a[2 * i + 1][2 * i] = -1;
  }
  return map;
}
/// Three bodies on two rods and a spring, free in the plane.
JudgedProblem free_bodies() {
  JudgedProblem problem = chain_of_rods(3, false);
  problem.name = "three bodies on two rods";
  // The spring between the outer ones, (1/2) |q_3 - q_1|^2, and its square.
  for (const int axis : {0, 1}) {
    problem.potential.add(0.5, {axis, axis}).add(-1, {axis, axis + 4}).add(0.5, {axis + 4, axis + 4});
    MomentumMap along{axis == 0 ? "linear momentum along x" : "linear momentum along y", {}, std::vector<double>(6, 0)};
    for (std::size_t i = 0; i < 3; ++i) along.b[2 * i + static_cast<std::size_t>(axis)] = 1;
    problem.linear.push_back(std::move(along));
  }
  problem.angular.push_back(rotation(6, 3));
  return problem;
}
JudgedProblem surface_of_revolution() {
  JudgedProblem problem{.name = "a particle on a surface of revolution of degree four",
                        .kind = ProblemKind::constrained,
                        .masses = {0.5, 0.5, 2},
                        .potential = {}};
  problem.start = {0, {0.75, 0.5, -0.5}, {0.5, 0.25, 0.5}};
  // With s = x^2 + y^2: g = s + z^2 + s z / 2 + s^2 / 4, V = z + s / 2 + s z / 4.
  DyadicPolynomial g;
  g.add(1, {2, 2}).add(0.25, {0, 0, 0, 0}).add(0.5, {0, 0, 1, 1}).add(0.25, {1, 1, 1, 1});
  problem.potential.add(1, {2});
  for (const int axis : {0, 1}) {
    g.add(1, {axis, axis}).add(0.5, {axis, axis, 2});
    problem.potential.add(0.5, {axis, axis}).add(0.25, {axis, axis, 2});
  }
  problem.constraints.push_back(std::move(g));
  problem.angular.push_back(rotation(3, 1));
  return problem;
}

/// Returns whether the surfaces stay well apart along the motion, in either direction of time: a coarse look.
bool is_regular(const JudgedProblem& problem) {
  const Manifold<double> manifold(problem);
  for (const double h : {1.0 / 64, -1.0 / 64}) {
    std::vector<double> z = problem.start.q;
    z.insert(z.end(), problem.start.p.begin(), problem.start.p.end());
    const auto moved = [&](const std::vector<double>& by, double share) {
      std::vector<double> result = z;
      for (std::size_t i = 0; i < z.size(); ++i) result[i] += share * h * by[i];
      return result;
    };
    for (int k = 0; k < 80; ++k) {
      const std::vector<double> q(z.begin(), z.begin() + static_cast<std::ptrdiff_t>(manifold.size()));
      const auto rows = manifold.normals(q);
      // The product of Gram and Schmidt's heights: each row less what it has along those before it.
      std::vector<std::vector<double>> heights;
      for (std::vector<double> row : rows) {
        double whole = 0;
        for (std::size_t i = 0; i < row.size(); ++i) whole += row[i] * row[i] / problem.masses[i];
        for (const auto& other : heights) {
          double along = 0, length = 0;
          for (std::size_t i = 0; i < row.size(); ++i) {
            along += row[i] * other[i] / problem.masses[i];
            length += other[i] * other[i] / problem.masses[i];
          }
          for (std::size_t i = 0; i < row.size(); ++i) row[i] -= along / length * other[i];
        }
        double height = 0;
        for (std::size_t i = 0; i < row.size(); ++i) height += row[i] * row[i] / problem.masses[i];
        if (!(whole > 0.5 && height > 0.25 * whole)) return false;
        heights.push_back(std::move(row));
      }
      if (!(extent_of(z) < 4)) return false;
      const auto a = manifold.motion(z), b = manifold.motion(moved(a, 0.5)), c = manifold.motion(moved(b, 0.5)),
                 d = manifold.motion(moved(c, 1));
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += h * (a[i] + 2 * b[i] + 2 * c[i] + d[i]) / 6;
    }
  }
  return true;
}

JudgedProblem drawn_constrained_problem(DrawnNumbers& random, int n, int count, int number) {
  while (true) {
    JudgedProblem problem{.name = "drawn constrained problem " + std::to_string(number),
                          .kind = ProblemKind::constrained,
                          .masses = {},
                          .potential = {}};
    const auto sixteenths = [&](int from, int to) {
      return (from + static_cast<int>(random.below(static_cast<unsigned>(to - from + 1)))) / 16.0;
    };
    const auto sign = [&] { return random.below(2) == 0 ? -1 : 1; };
    const auto index = [&] { return static_cast<int>(random.below(static_cast<unsigned>(n))); };
    for (int i = 0; i < n; ++i) {
      problem.masses.push_back(std::ldexp(1.0, static_cast<int>(random.below(3)) - 1));
      problem.start.q.push_back(sign() * sixteenths(6, 14));
      problem.start.p.push_back(problem.masses.back() * sign() * sixteenths(4, 12));
      problem.potential.add(sixteenths(4, 12), {i, i}).add(sixteenths(-8, 8), {i}).add(sixteenths(1, 3), {i, i, i, i});
    }
    for (int k = 0; k < n; ++k) problem.potential.add(sixteenths(-6, 6), {index(), index(), index()});
    for (int a = 0; a < count; ++a) {
      DyadicPolynomial g;
      for (int i = 0; i < n; ++i) {
        // The first surface is closed, the others are open.
        g.add((a == 0 || (i + a) % 2 == 0 ? 1 : -1) * sixteenths(8, 16), {i, i});
        g.add(sixteenths(1, 2), {i, i, i, i});
        g.add(sixteenths(-4, 4), {i});
      }
      for (int k = 0; k < n; ++k) g.add(sixteenths(-3, 3), {index(), index(), index()});
      problem.constraints.push_back(std::move(g));
    }
    for (DyadicPolynomial& g : problem.constraints) vanish_at(g, problem.start.q);
    problem.start = on_manifold(problem, problem.start);
    if (is_regular(problem)) return problem;
  }
}

void finish(JudgedProblem& problem) {
  for (DyadicPolynomial& g : problem.constraints) vanish_at(g, problem.start.q);
  problem.start = on_manifold(problem, problem.start);
  set_other_start(problem);
  problem.h = 0.125;
}

}  // namespace

ConstrainedProblems constrained_problems(std::uint64_t seed, int drawn) {
  ConstrainedProblems all{{sphere(), surface_of_degree_four(), two_surfaces(), chain_of_rods(2, true)},
                          free_bodies(),
                          surface_of_revolution(),
                          {chain_of_rods(6, true)}};
  for (JudgedProblem& problem : all.generic) finish(problem);
  for (JudgedProblem* problem : {&all.bodies, &all.surface, &all.wide.front()}) finish(*problem);
  all.wide.front().h = 0.0625;
  DrawnNumbers random(seed ^ 0xc0457U);
  constexpr std::array<std::pair<int, int>, 3> sizes{{{5, 2}, {3, 1}, {6, 3}}};
  for (int k = 0; k < drawn; ++k) {
    const auto [n, count] = sizes[static_cast<std::size_t>(k % 3)];
    all.generic.push_back(drawn_constrained_problem(random, n, count, k + 1));
    set_other_start(all.generic.back());
    // Steps of either sign, which have all bits.
    const double bits = std::ldexp(static_cast<double>(random.next() >> 11), -53);
    all.generic.back().h = (k % 2 == 0 ? -0.0625 : 0.0625) * (0.75 + 0.25 * bits);
  }
  if (drawn > 0) {
    // Rods keep their distance, so that a long chain needs no rejection of what is drawn.
    all.wide.push_back(chain_of_rods(4 + static_cast<int>(random.below(2)), true));
    // Heavy, and not far from the origin, where an iteration that ends at 1e-12, whatever the size of g, would not end.
    make_heavier(all.wide.back(), 16);
    all.wide.back().name += ", heavy";
    finish(all.wide.back());
    all.wide.back().h = -0.055;
  }
  return all;
}

TimedPoint<Float50> constrained_motion(const JudgedProblem& problem, const TimedPoint<Float50>& from,
                                       const Float50& time, double tolerance) {
  const Manifold<Float50> manifold(problem);
  State50 start = from.q;
  start.insert(start.end(), from.p.begin(), from.p.end());
  const auto motion = [&](const State50& z) { return manifold.motion(z); };
  if (const auto z = extrapolated_motion(motion, start, time, tolerance)) {
    const auto half = z->begin() + static_cast<std::ptrdiff_t>(manifold.size());
    return {from.t + time, {z->begin(), half}, {half, z->end()}};
  }
  throw std::runtime_error("the motion of the problem '" + problem.name + "' could not be computed");
}

}  // namespace livi
