// SPDX-License-Identifier: MIT
#include <livi/foreign/drawn_steps.hpp>

#include <algorithm>
#include <cmath>

#include <livi/foreign/attitude.hpp>
#include <livi/foreign/constraints.hpp>
#include <livi/foreign/manifold.hpp>
#include <livi/foreign/rigid_bodies.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

/// Momenta that are nearly zero, and positions.
constexpr double nearly_at_rest = 0x1p-30, near_the_origin = 0x1p-20;

class Blocks {
 public:
  explicit Blocks(std::uint64_t seed) : random_(seed ^ 0xb10c5U) {}

  /// Bodies on springs that are not linear, each with its neighbour, under constant forces.
  JudgedProblem springs(int n, ProblemKind kind, bool ordinary_masses = false) {
    JudgedProblem problem{.name = "", .kind = kind, .masses = {}, .potential = {}};
    const bool equal = random_.below(3) == 0;
    for (int i = 0; i < n; ++i) {
      const double drawn = random_.below(2) == 0 ? std::array{1.0, 2.0, 0.5, 1.5}[random_.below(4)] : between(0.5, 2);
      problem.masses.push_back(kind == ProblemKind::separable ? 1 : equal && i > 0 ? problem.masses.front() : drawn);
      if (ordinary_masses) problem.masses.back() *= std::ldexp(1.0, static_cast<int>(random_.below(3)) - 1);
      const double m = problem.masses.back();
      problem.potential.add(m * between(0.25, 0.75), {i, i}).add(m * between(0.05, 0.125), {i, i, i, i});
      problem.potential.add(m * between(-0.5, 0.5), {i});
      if (i > 0)
        problem.potential.add(m * between(-0.25, 0.25), {i - 1, i}).add(m * between(-0.125, 0.125), {i - 1, i - 1, i});
      if (kind != ProblemKind::separable) continue;
      problem.kinetic.add(0.5, {i, i}).add(between(0.05, 0.125), {i, i, (i + 1) % n}).add(0.0625, {i, i, i, i});
      if (i > 0) problem.kinetic.add(between(-0.25, 0.25), {i - 1, i});
    }
    return problem;
  }
  /// Adds forces of time, of degree two in it.
  void drive(JudgedProblem& problem) {
    const int t = problem.size();
    for (int i = 0; i < t; ++i) {
      const double m = problem.masses[static_cast<std::size_t>(i)];
      problem.potential.add(m * between(-1, 1), {i, t}).add(m * between(-0.25, 0.25), {i, i, t});
      problem.potential.add(m * between(-0.5, 0.5), {i, t, t});
    }
  }
  /// Starts of both signs, at rest and nearly so, near the origin, with equal entries.
  std::vector<TimedPoint<double>> starts(const JudgedProblem& problem, double t) {
    const auto n = static_cast<std::size_t>(problem.size());
    const auto drawn = [&] {
      TimedPoint<double> z{t, {}, {}};
      for (const double m : problem.masses) {
        z.q.push_back(sign() * between(0.25, 1));
        z.p.push_back(m * sign() * between(0.25, 1));
      }
      return z;
    };
    std::vector<TimedPoint<double>> all{drawn(), drawn()};
    const auto add = [&](double of_q, double of_p) {
      TimedPoint<double> z = drawn();
      for (double& q : z.q) q *= of_q;
      for (double& p : z.p) p *= of_p;
      all.push_back(std::move(z));
    };
    add(1, 0);
    add(1, nearly_at_rest);
    add(0, 1);
    add(near_the_origin, 1);
    all.push_back({t, std::vector<double>(n, 0.5), std::vector<double>(n, 0.25)});
    return all;
  }
  DrawnBlock block(JudgedProblem problem, bool of_time = false) {
    if (of_time) drive(problem);
    auto of = starts(problem, of_time ? 0.5 : 0);
    return {std::move(problem), std::move(of)};
  }
  /// A rotation drawn from the Cayley map, often near half a turn.
  std::vector<double> attitude() {
    const double far = random_.below(2) == 0 ? 2 : 64;
    const Three<Float50> x{Float50(between(-far, far)), Float50(between(-far, far)), Float50(between(-far, far))};
    return in_double(listed(cayley(x)));
  }
  double between(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(random_.next() >> 11), -53);
  }
  double sign() { return random_.below(2) == 0 ? -1 : 1; }
  unsigned below(unsigned n) { return random_.below(n); }

 private:
  DrawnNumbers random_;
};

/// Returns the starts of a problem on a manifold, at rest, nearly so, and the other way.
std::vector<TimedPoint<double>> starts_on_manifold(const JudgedProblem& problem) {
  std::vector<TimedPoint<double>> all;
  for (const TimedPoint<double>& z : {problem.start, problem.other_start})
    for (const double times : {1.0, -1.0, 0.0, nearly_at_rest}) {
      all.push_back(z);
      for (double& p : all.back().p) p *= times;
    }
  return all;
}

/// Problems of many sizes, for methods whose step lengths follow all of the bodies.
std::vector<DrawnBlock> wholes(ProblemKind kind, Blocks& blocks, int most) {
  std::vector<DrawnBlock> all;
  for (int k = 0; k < 14; ++k) {
    const double n = std::exp2(blocks.between(0, std::log2(most + 0.99)));
    DrawnBlock whole = blocks.block(blocks.springs(k == 0 ? 7 : k == 1 ? 16 : static_cast<int>(n), kind, true));
    // A density has units, and need not have a value at rest or in the origin.
    whole.starts.resize(2);
    whole.starts[1].t = blocks.sign() * std::exp2(blocks.between(-10, 10));
    all.push_back(std::move(whole));
  }
  return all;
}

}  // namespace

std::vector<DrawnBlock> drawn_blocks(ProblemKind kind, std::uint64_t seed, bool of_time) {
  Blocks blocks(of_time ? ~seed : seed);
  std::vector<DrawnBlock> all;
  switch (kind) {
    case ProblemKind::constrained:
    case ProblemKind::constrained_langevin:
      for (JudgedProblem& problem : constrained_problems(seed, 2).generic) {
        const auto of = starts_on_manifold(problem);
        problem.kind = kind;
        all.push_back({std::move(problem), of});
      }
      return all;
    case ProblemKind::body: {
      JudgedBodies bodies = judged_bodies(seed, 3);
      for (std::vector<JudgedProblem>* const of : {&bodies.generic, &bodies.tops, &bodies.free})
        for (JudgedProblem& problem : *of) {
          auto starts = starts_on_manifold(problem);
          for (int k = 0; k < 3; ++k) starts.push_back({0, blocks.attitude(), problem.start.p});
          all.push_back({std::move(problem), std::move(starts)});
        }
      return all;
    }
    case ProblemKind::adaptive:
    case ProblemKind::extended:
      return wholes(kind, blocks, 48);
    default:
      for (const int n : {1, 1, 2, 3, 4}) all.push_back(blocks.block(blocks.springs(n, kind), of_time));
      return all;
  }
}

}  // namespace livi
