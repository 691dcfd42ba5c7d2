// SPDX-License-Identifier: MIT
#include <livi/judge/problems/judged_problem.hpp>

#include <algorithm>
#include <cmath>

#include <livi/judge/problems/drawn_numbers.hpp>
#include <livi/judge/problems/number_text.hpp>

namespace livi {

namespace {

/// Three unequal masses, quadratic, cubic and quartic terms that couple everything.
JudgedProblem generic_problem() {
  JudgedProblem problem{.name = "three coupled oscillators, quartic", .masses = {1, 4, 0.5}, .potential = {}};
  problem.potential.add(0.5, {0, 0})
      .add(0.75, {1, 1})
      .add(0.375, {2, 2})
      .add(0.25, {0, 1})
      .add(0.5, {0, 0, 1})
      .add(-0.25, {1, 1, 1})
      .add(0.375, {0, 1, 2})
      .add(0.25, {0, 2, 2})
      .add(0.25, {0, 0, 0, 0})
      .add(0.125, {1, 1, 1, 1})
      .add(0.25, {2, 2, 2, 2})
      .add(0.25, {0, 0, 2, 2});
  problem.start = {0, {0.5, -0.25, 0.375}, {0.25, 0.5, -0.375}};
  return problem;
}

JudgedProblem cubic_problem() {
  JudgedProblem problem{.name = "three coupled oscillators, cubic", .masses = {1, 1, 1}, .potential = {}};
  problem.potential.add(0.5, {0, 0})
      .add(0.5, {1, 1})
      .add(1, {2, 2})
      .add(1, {0, 1})
      .add(0.5, {0, 0, 1})
      .add(1, {0, 1, 2})
      .add(-0.5, {1, 2, 2});
  problem.start = {0, {0.5, -0.25, 0.25}, {0.25, 0.5, -0.5}};
  return problem;
}

JudgedProblem henon_heiles() {
  JudgedProblem problem{.name = "Henon-Heiles", .masses = {1, 1}, .potential = {}};
  // The textbook's 1/3 is no dyadic number; 3/8 keeps the shape.
  problem.potential.add(0.5, {0, 0}).add(0.5, {1, 1}).add(1, {0, 0, 1}).add(-0.375, {1, 1, 1});
  problem.start = {0, {0.125, -0.125}, {0.25, 0.125}};
  return problem;
}

/// The energy of two bodies at the distance r: second r^2 + fourth r^4.
struct PairEnergy {
  double second, fourth;
};

/// Bodies in the plane; `pairs` has the energy of each pair, the first body with all others first.
JudgedProblem bodies_in_the_plane(std::string name, const std::vector<double>& masses,
                                  const std::vector<PairEnergy>& pairs) {
  const int bodies = static_cast<int>(masses.size());
  JudgedProblem problem{.name = std::move(name), .masses = {}, .potential = {}};
  for (const double m : masses) problem.masses.insert(problem.masses.end(), {m, m});
  auto pair = pairs.begin();
  for (int i = 0; i < bodies; ++i)
    for (int j = i + 1; j < bodies; ++j, ++pair) {
      // r^2 = sum over both coordinates of (a - b)^2
      std::vector<std::pair<double, std::vector<int>>> square;
      for (int c = 0; c < 2; ++c) {
        const int a = 2 * i + c, b = 2 * j + c;
        square.insert(square.end(), {{1, {a, a}}, {-2, {a, b}}, {1, {b, b}}});
      }
      for (const auto& [coefficient, variables] : square) problem.potential.add(pair->second * coefficient, variables);
      for (const auto& [x, left] : square)
        for (const auto& [y, right] : square) {
          std::vector<int> all = left;
          all.insert(all.end(), right.begin(), right.end());
          problem.potential.add(pair->fourth * x * y, all);
        }
    }
  const auto n = static_cast<std::size_t>(2 * bodies);
  for (std::size_t c = 0; c < 2; ++c) {
    MomentumMap map{.name = c == 0 ? "P1" : "P2", .a = {}, .b = std::vector<double>(n, 0)};
    for (std::size_t i = c; i < n; i += 2) map.b[i] = 1;
    problem.linear.push_back(std::move(map));
  }
  MomentumMap rotation{.name = "L", .a = std::vector(n, std::vector<double>(n, 0)), .b = {}};
  for (std::size_t i = 0; i < n; i += 2) {
    rotation.a[i][i + 1] = 1;
    rotation.a[i + 1][i] = -1;
  }
  problem.angular.push_back(std::move(rotation));
  return problem;
}

JudgedProblem three_bodies() {
  const PairEnergy energy{0.25, 0.0625};
  JudgedProblem problem = bodies_in_the_plane("three bodies in the plane", {1, 2, 0.5}, {energy, energy, energy});
  problem.start = {0, {0.5, 0.25, -0.5, 0.125, 0.25, -0.75}, {0.25, -0.5, 0.5, 0.375, -0.125, 0.25}};
  return problem;
}

JudgedProblem driven_problem() {
  JudgedProblem problem{
      .name = "two driven oscillators", .kind = ProblemKind::timed, .masses = {1, 2}, .potential = {}};
  constexpr int t = 2;
  problem.potential.add(0.5, {0, 0})
      .add(0.75, {1, 1})
      .add(0.5, {0, 0, 1})
      .add(0.125, {1, 1, 1, 1})
      .add(-1, {0, t})
      .add(0.5, {1, t, t})
      .add(0.25, {0, 1, t})
      .add(-0.125, {0, 0, t, t});
  problem.start = {0.75, {0.25, -0.5}, {0.5, 0.25}};
  return problem;
}

JudgedProblem separable_problem() {
  JudgedProblem problem = henon_heiles();
  problem.name = "Henon-Heiles with a kinetic energy that is neither quadratic nor even";
  problem.kind = ProblemKind::separable;
  problem.kinetic.add(0.5, {0, 0})
      .add(0.75, {1, 1})
      .add(0.25, {0, 1})
      .add(0.25, {0, 0, 1})
      .add(0.125, {0, 1, 1})
      .add(0.125, {0, 0, 0, 0});
  problem.start = {0, {0.25, -0.375}, {0.5, 0.25}};
  return problem;
}

JudgedProblem drawn_problem(DrawnNumbers& random, int n, int number) {
  JudgedProblem problem;
  problem.name = "drawn problem " + std::to_string(number) + ", n = " + std::to_string(n);
  const auto index = [&] { return static_cast<int>(random.below(static_cast<unsigned>(n))); };
  const auto sixteenths = [&](int from, int to) {
    return (from + static_cast<int>(random.below(static_cast<unsigned>(to - from + 1)))) / 16.0;
  };
  for (int i = 0; i < n; ++i) {
    problem.masses.push_back(std::ldexp(1.0, static_cast<int>(random.below(5)) - 2));
    // Stiffness in proportion to the mass keeps all frequencies of order one.
    problem.potential.add(problem.masses.back() * sixteenths(4, 12), {i, i});
    problem.potential.add(problem.masses.back() * sixteenths(1, 4), {i, i, i, i});
    problem.start.q.push_back(sixteenths(-8, 8));
    problem.start.p.push_back(problem.masses.back() * sixteenths(-8, 8));
  }
  for (int k = 0; k < 2 * n; ++k) problem.potential.add(0.25 * sixteenths(-8, 8), {index(), index(), index()});
  for (int k = 0; k < n; ++k) problem.potential.add(0.25 * sixteenths(-4, 4), {index(), index()});
  return problem;
}

/// Returns a size of a step, from 0.15 to 0.25, of 53 bits.
double drawn_step(DrawnNumbers& random) {
  return 0.15 + 0.1 * std::ldexp(static_cast<double>(random.next() >> 11), -53);
}

/// Four bodies in the plane with masses from 1/2 to 2 and energies of their own for each pair.
JudgedProblem drawn_bodies(DrawnNumbers& random) {
  std::vector<double> masses;
  for (int i = 0; i < 4; ++i) masses.push_back(std::ldexp(1.0, static_cast<int>(random.below(3)) - 1));
  std::vector<PairEnergy> pairs;
  for (int k = 0; k < 6; ++k)
    pairs.push_back({(1 + static_cast<int>(random.below(4))) / 16.0, (1 + static_cast<int>(random.below(4))) / 64.0});
  JudgedProblem problem = bodies_in_the_plane("four drawn bodies in the plane", masses, pairs);
  for (int i = 0; i < 8; ++i) {
    problem.start.q.push_back((static_cast<int>(random.below(17)) - 8) / 8.0);
    problem.start.p.push_back((static_cast<int>(random.below(17)) - 8) / 16.0);
  }
  problem.h = -drawn_step(random);
  return problem;
}

/// A cubic problem with masses from 1/2 to 2, coupled in every way where n is three, else each coordinate with its
/// neighbours. Coefficients of forces are halves and starts are odd eighths, which no fixed problem has, so that a
/// splitting of three parts does not round in double.
JudgedProblem drawn_cubic(DrawnNumbers& random, int n, double h) {
  JudgedProblem problem{.name = "drawn cubic problem, n = " + std::to_string(n), .masses = {}, .potential = {}, .h = h};
  const auto sign = [&] { return random.below(2) == 0 ? -1.0 : 1.0; };
  const auto eighths = [&] { return sign() * (1 + 2 * static_cast<int>(random.below(3))) / 8; };
  for (int i = 0; i < n; ++i) {
    problem.masses.push_back(std::ldexp(1.0, static_cast<int>(random.below(3)) - 1));
    problem.potential.add(0.25 * (1 + static_cast<int>(random.below(4))), {i, i}).add(0.5 * sign(), {i, i, i});
    problem.start.q.push_back(eighths());
    problem.start.p.push_back(eighths());
  }
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      if (n > 3 && j > i + 1) continue;
      problem.potential.add(0.5 * sign(), {i, j}).add(0.5 * sign(), {i, i, j}).add(0.5 * sign(), {i, j, j});
    }
  for (int i = 0; i + 2 < n; ++i) problem.potential.add(0.5 * sign(), {i, i + 1, i + 2});
  return problem;
}

/// Adds every quadratic monomial in three variables to a polynomial, and every cubic one if it is to be cubic; the
/// coefficients of its derivatives are halves.
void add_all_monomials(DyadicPolynomial& polynomial, DrawnNumbers& random, bool cubic) {
  const auto sign = [&] { return random.below(2) == 0 ? -1.0 : 1.0; };
  for (int i = 0; i < 3; ++i) {
    polynomial.add(0.5 * (1 + static_cast<int>(random.below(2))), {i, i});
    for (int j = 0; j < i; ++j) polynomial.add(0.5 * sign(), {i, j});
    for (int j = 0; j < 3 && cubic; ++j) polynomial.add(0.5 * sign(), {i, i, j});
  }
  if (cubic) polynomial.add(0.5 * sign(), {0, 1, 2});
}

/// A separable problem in which kinetic and potential energy couple all coordinates; one of them is cubic, the other
/// quadratic, so that a splitting of three parts does not round in double.
JudgedProblem drawn_separable_cubic(DrawnNumbers& random, bool kinetic, double h) {
  JudgedProblem problem{
      .name = kinetic ? "drawn problem with a cubic kinetic energy" : "drawn problem with a cubic potential",
      .kind = ProblemKind::separable,
      .masses = {1, 1, 1},
      .potential = {},
      .h = h};
  add_all_monomials(problem.kinetic, random, kinetic);
  add_all_monomials(problem.potential, random, !kinetic);
  for (int i = 0; i < 3; ++i)
    for (auto* x : {&problem.start.q, &problem.start.p})
      x->push_back((random.below(2) == 0 ? -1 : 1) * (1 + 2 * static_cast<int>(random.below(3))) / 8.0);
  return problem;
}

/// One degree of freedom.
JudgedProblem one_oscillator() {
  JudgedProblem problem{.name = "one anharmonic oscillator", .masses = {2}, .potential = {}};
  problem.potential.add(1, {0, 0}).add(0.5, {0, 0, 0}).add(0.25, {0, 0, 0, 0});
  problem.start = {0, {0.375}, {0.5}};
  return problem;
}

/// Five degrees of freedom with forces of time that begin at t = -8, where those of the other problem are long over.
JudgedProblem drawn_driven_problem(DrawnNumbers& random) {
  JudgedProblem problem = drawn_problem(random, 5, 0);
  problem.name = "five driven oscillators";
  problem.kind = ProblemKind::timed;
  constexpr int t = 5;
  for (int i = 0; i < 5; ++i) {
    // s = t + 8: forces 1/4 - s/8 and a spring s^2/16.
    const double m = problem.masses[static_cast<std::size_t>(i)];
    problem.potential.add(m * (i % 2 == 0 ? 0.75 : -0.75), {i}).add(m * (i % 2 == 0 ? 0.125 : -0.125), {i, t});
    problem.potential.add(2 * m, {i, i}).add(0.5 * m, {i, i, t}).add(0.03125 * m, {i, i, t, t});
  }
  problem.start.t = -8;
  problem.h = -drawn_step(random);
  return problem;
}

/// Five degrees of freedom with a kinetic energy that is neither quadratic nor even.
JudgedProblem drawn_separable_problem(DrawnNumbers& random) {
  JudgedProblem problem = drawn_problem(random, 5, 0);
  problem.name = "five oscillators with a kinetic energy that is neither quadratic nor even";
  problem.kind = ProblemKind::separable;
  for (int i = 0; i < 5; ++i) {
    const double m = std::exchange(problem.masses[static_cast<std::size_t>(i)], 1);
    problem.start.p[static_cast<std::size_t>(i)] /= m;
    problem.kinetic.add(0.5, {i, i}).add(0.125, {i, i, (i + 1) % 5}).add(0.0625, {i, i, i, i});
    for (int j = 0; j < i; ++j) problem.kinetic.add((i + j) % 2 == 0 ? 0.0625 : -0.0625, {i, j});
  }
  problem.h = -drawn_step(random);
  return problem;
}

}  // namespace

JudgedProblems judged_problems(const std::vector<ProblemKind>& kinds, std::uint64_t seed, int drawn) {
  const auto takes = [&](ProblemKind kind) { return std::ranges::find(kinds, kind) != kinds.end(); };
  JudgedProblems all;
  all.cubic = cubic_problem();
  all.particles = three_bodies();
  all.bodies = {all.particles};
  all.orbit = henon_heiles();
  all.driven = driven_problem();
  all.oscillator = {.name = "oscillator", .masses = {1}, .potential = {}};
  all.oscillator.potential.add(0.5, {0, 0});
  all.oscillator.start = {0, {0.5}, {0.25}};
  if (takes(ProblemKind::mechanical)) {
    all.generic.push_back(generic_problem());
    all.generic.push_back(all.orbit);
    all.generic.push_back(one_oscillator());
    DrawnNumbers random(seed);
    // One of every size class, whatever the seed: 1 to 3, 4 to 6, and above six.
    for (int k = 0; k < drawn; ++k) {
      const int least = k % 3 == 0 ? 7 : k % 3 == 1 ? 4 : 1;
      const int most = k % 3 == 0 ? 12 : k % 3 == 1 ? 6 : 3;
      const int n = least + static_cast<int>(random.below(static_cast<unsigned>(most - least + 1)));
      all.generic.push_back(drawn_problem(random, n, k + 1));
    }
    DrawnNumbers of_steps(seed + 2);
    for (std::size_t k = 3; k < all.generic.size(); ++k)
      all.generic[k].h = (k % 2 == 1 ? -1 : 1) * drawn_step(of_steps);
    all.cubics.push_back(all.cubic);
    if (drawn > 0) {
      // What vanishes with its derivatives at one start does not at another.
      JudgedProblem elsewhere = drawn_cubic(of_steps, 3, -0.25);
      all.cubics.push_back(elsewhere);
      elsewhere.potential = all.cubic.potential;
      elsewhere.masses = all.cubic.masses;
      elsewhere.name = all.cubic.name + ", from a drawn start";
      all.cubics.push_back(std::move(elsewhere));
      all.cubics.push_back(drawn_cubic(of_steps, 4 + static_cast<int>(of_steps.below(2)), 0.1875));
      all.cubics.push_back(drawn_cubic(of_steps, 4 + static_cast<int>(of_steps.below(2)), -0.125));
      all.bodies.push_back(drawn_bodies(of_steps));
    }
  }
  DrawnNumbers of_other_kinds(seed + 1);
  if (takes(ProblemKind::separable)) {
    all.generic.push_back(separable_problem());
    if (drawn > 0) all.generic.push_back(drawn_separable_problem(of_other_kinds));
    DrawnNumbers of_cubics(seed + 3);
    if (drawn > 0)
      for (const bool kinetic : {true, false})
        all.cubics.push_back(drawn_separable_cubic(of_cubics, kinetic, kinetic ? -0.25 : 0.25));
  }
  if (takes(ProblemKind::timed)) {
    all.generic.push_back(all.driven);
    if (drawn > 0) all.generic.push_back(drawn_driven_problem(of_other_kinds));
  }
  return all;
}

std::vector<JudgedProblem> scaled_problems(std::uint64_t seed) {
  struct Scale {
    int n;
    double position, mass, time, step;
    bool at_rest;
  };
  // One thing differs from the ordinary at a time, so that what fails has a name.
  constexpr double quarter = 0.125;  // taken twice
  const std::vector<Scale> scales{
      {1, 1, 1, 1, quarter, false},      {2, 1, 1, 1, quarter, false},      {9, 1, 1, 1, quarter, false},
      {16, 1, 1, 1, quarter, false},     {48, 1, 1, 1, quarter, false},     {3, 0x1p10, 1, 1, quarter, false},
      {3, 0x1p5, 1, 1, quarter, false},  {3, 8, 1, 1, quarter, false},      {3, 0x1p-10, 1, 1, quarter, false},
      {3, 1, 0x1p10, 1, quarter, false}, {3, 1, 16, 1, quarter, false},     {3, 1, 0x1p-10, 1, quarter, false},
      {3, 1, 1, 16, quarter, false},     {3, 1, 1, 4, quarter, false},      {3, 1, 1, 0x1p-10, quarter, false},
      {3, 1, 1, 1, 0.1, false},          {3, 1, 1, 1, 0.01, false},         {3, 1, 1, 1, -quarter, false},
      {3, 1, 1, 1, quarter, true},       {3, 64, 1, 0x1p-5, quarter, false}};
  DrawnNumbers random(seed ^ 0x5ca1edU);
  std::vector<JudgedProblem> all;
  for (const Scale& scale : scales) {
    JudgedProblem problem;
    const auto sixteenths = [&](int from, int to) {
      return (from + static_cast<int>(random.below(static_cast<unsigned>(to - from + 1)))) / 16.0;
    };
    problem.name =
        "n = " + std::to_string(scale.n) + ", positions near " + number_text(scale.position, NumberForm::decimal) +
        ", masses near " + number_text(scale.mass, NumberForm::decimal) +
        ", h = " + number_text(2 * scale.step * scale.time, NumberForm::decimal) + (scale.at_rest ? ", at rest" : "");
    // V = m (r / t)^2 U(q / r) has the motion of U in units of r, t and m.
    const double unit = scale.mass * scale.position * scale.position / (scale.time * scale.time);
    const auto add = [&](double coefficient, const std::vector<int>& variables) {
      problem.potential.add(coefficient * unit * std::pow(1 / scale.position, static_cast<double>(variables.size())),
                            variables);
    };
    for (int i = 0; i < scale.n; ++i) {
      problem.masses.push_back(scale.mass * std::ldexp(1.0, static_cast<int>(random.below(3)) - 1));
      add(sixteenths(4, 8), {i, i});
      add(sixteenths(1, 2), {i, i, i, i});
      add(sixteenths(1, 2), {i, i, i, i, i, i});
      if (i > 0) {
        add(sixteenths(1, 4), {i - 1, i});
        add(sixteenths(1, 4), {i - 1, i - 1, i});
      }
      // No coordinate is near zero.
      problem.start.q.push_back(scale.position * sixteenths(4, 8) * (random.below(2) == 0 ? -1 : 1));
      problem.start.p.push_back(scale.at_rest ? 0
                                              : scale.mass * scale.position / scale.time * sixteenths(4, 8) *
                                                    (random.below(2) == 0 ? -1 : 1));
    }
    problem.h = scale.step * scale.time;
    all.push_back(std::move(problem));
  }
  return all;
}

}  // namespace livi
