// SPDX-License-Identifier: MIT
#include <livi/judge/measures/rigid_bodies.hpp>

#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <livi/judge/measures/extrapolation.hpp>
#include <livi/judge/problems/drawn_numbers.hpp>
#include <livi/judge/problems/rigid_body_motion.hpp>

namespace livi {
using namespace foreign_detail;
namespace {

using Vector3d = Three<double>;

/// Returns the attitude r cay(x), rounded; its columns are orthonormal to rounding.
std::vector<double> turned(const std::vector<double>& r, const Vector3d& x) {
  const auto by = cayley(Three<Float50>{Float50(x[0]), Float50(x[1]), Float50(x[2])});
  return in_double(listed(product(taken<Nine<Float50>>(r), by)));
}
const std::vector<double> not_turned{1, 0, 0, 0, 1, 0, 0, 0, 1};

/// A quaternion a + b i + c j + d k of any length.
using Quaternion = std::array<double, 4>;

/// Returns the rotation of a quaternion, rounded: half a turn where its first number is zero, of which a Cayley map has none.
std::vector<double> rotation_of(const Quaternion& q) {
  const Three<Float50> v{Float50(q[1]), Float50(q[2]), Float50(q[3])};
  const Float50 share = Float50(2) / (Float50(q[0]) * Float50(q[0]) + dot(v, v));
  return in_double(listed(turned_by(v, Float50(share * Float50(q[0])), share)));
}

/// Sets both starts: an attitude and the velocity w, whose momentum has few bits; and one near it.
void set_starts_at(JudgedProblem& problem, const std::vector<double>& attitude, const Vector3d& w) {
  const RigidBody<double> body(problem);
  problem.start = {0, attitude, listed(body.momentum(w))};
  const Vector3d other{0.75 * w[1] + 0.125, 0.75 * w[2] - 0.125, 0.75 * w[0] + 0.25};
  problem.other_start = {0, turned(problem.start.q, {0.125, -0.25, 0.375}), listed(body.momentum(other))};
}

void set_starts(JudgedProblem& problem, const Vector3d& x, const Vector3d& w) {
  set_starts_at(problem, turned(not_turned, x), w);
}

JudgedProblem body_of(std::string name, std::vector<double> inertia) {
  return {
      .name = std::move(name), .kind = ProblemKind::body, .masses = std::move(inertia), .potential = {}, .h = 0.125};
}
std::vector<double> diagonal(double x, double y, double z) { return {x, 0, 0, 0, y, 0, 0, 0, z}; }

JudgedProblem full_inertia() {
  JudgedProblem problem =
      body_of("a body with a full inertia", {1.25, 0.125, -0.0625, 0.125, 1.75, 0.25, -0.0625, 0.25, 2.25});
  problem.potential.add(0.5, {0})
      .add(-0.375, {1})
      .add(0.25, {2})
      .add(0.625, {4})
      .add(0.25, {5})
      .add(-0.25, {6})
      .add(0.5, {7})
      .add(-0.75, {8})
      .add(0.5, {0, 5})
      .add(-0.375, {1, 1})
      .add(0.25, {2, 7})
      .add(0.5, {4, 8});
  set_starts(problem, {0.375, -0.625, 0.5}, {0.5, 0.375, -0.75});
  return problem;
}
/// Begins with the axes of space, where attitudes are diagonal and often special.
JudgedProblem three_moments() {
  JudgedProblem problem = body_of("a body with three moments", diagonal(1, 1.5, 2));
  problem.potential.add(0.5, {1})
      .add(-0.25, {3})
      .add(0.5, {2})
      .add(0.375, {5})
      .add(0.75, {7})
      .add(0.5, {0, 0})
      .add(-0.25, {3, 8})
      .add(0.25, {4, 6});
  set_starts(problem, {0, 0, 0}, {-0.5, 0.75, 0.625});
  return problem;
}
/// Two of whose moments are equal, where a method may take another way. Begins half a turn from the axes of space, where
/// quaternions and rotation vectors change their branch.
JudgedProblem flat_body() {
  JudgedProblem problem = body_of("a body with two equal moments", diagonal(1, 1, 1.75));
  problem.potential.add(0.375, {0}).add(0.5, {1}).add(-0.25, {5}).add(0.5, {6}).add(0.25, {2, 3}).add(-0.375, {4, 7});
  set_starts_at(problem, rotation_of({0, 1, 0, 0}), {0.625, -0.5, 0.375});
  return problem;
}
/// A rod, whose moments are far apart, 2^-18 from half a turn.
JudgedProblem rod() {
  JudgedProblem problem = body_of("a rod", diagonal(1, 1, 0.125));
  problem.potential.add(-0.25, {0})
      .add(0.25, {3})
      .add(0.375, {7})
      .add(-0.125, {8})
      .add(0.25, {1, 5})
      .add(0.125, {2, 2});
  set_starts_at(problem, rotation_of({0x1p-19, 2, -1, 2}), {0.5, 0.25, -0.625});
  return problem;
}
/// Whose moments are equal, where a method may take another way. Begins at 175 degrees.
JudgedProblem ball() {
  JudgedProblem problem = body_of("a ball", diagonal(0.5, 0.5, 0.5));
  problem.potential.add(0.25, {0}).add(-0.25, {4}).add(0.25, {5}).add(0.125, {6, 8}).add(-0.25, {1, 3});
  set_starts(problem, {-24, 12, 36}, {0.75, -0.5, 0.25});
  return problem;
}
/// Adds m times a potential of the vertical in the body, row three of R: its turns about the vertical change nothing.
void add_weight(JudgedProblem& problem, double m, const Vector3d& centre) {
  for (int j = 0; j < 3; ++j) problem.potential.add(m * centre[static_cast<std::size_t>(j)], {6 + j});
  problem.potential.add(0.25 * m, {6, 7}).add(0.125 * m, {8, 8});
}
JudgedProblem heavy_top() {
  JudgedProblem problem = body_of("a heavy top", diagonal(1, 1.5, 2));
  add_weight(problem, 1, {0.25, -0.375, 0.5});
  set_starts(problem, {0.25, 0.5, -0.375}, {0.5, -0.25, 1});
  return problem;
}
/// A top whose second and third moments are equal, half a turn about a diagonal from the axes of space.
JudgedProblem symmetric_top() {
  JudgedProblem problem = body_of("a symmetric heavy top", diagonal(1.75, 1, 1));
  add_weight(problem, 1, {0.5, -0.25, 0.375});
  set_starts_at(problem, rotation_of({0, 1, 1, 1}), {1, 0.5, -0.25});
  return problem;
}
JudgedProblem free_body() {
  JudgedProblem problem = body_of("a free body", diagonal(0.75, 1, 1.5));
  set_starts(problem, {0.5, -0.25, 0.375}, {0.75, 0.5, -0.625});
  return problem;
}

/// Draws inertias, moments 1/4 to 32, and starts.
class DrawnBodies {
 public:
  explicit DrawnBodies(std::uint64_t seed) : random_(seed ^ 0xb0d1e5U) {}

  JudgedProblem generic(int number) {
    JudgedProblem problem = body("drawn body " + std::to_string(number));
    for (int i = 0; i < 9; ++i) problem.potential.add(scale_ * sixteenths(-8, 8), {i});
    for (int k = 0; k < 6; ++k)
      problem.potential.add(scale_ * sixteenths(-6, 6),
                            {static_cast<int>(random_.below(9)), static_cast<int>(random_.below(9))});
    start(problem, number);
    return problem;
  }
  JudgedProblem top() {
    JudgedProblem problem = body("drawn heavy top");
    add_weight(problem, scale_, {sixteenths(-8, 8), sixteenths(-8, 8), sixteenths(4, 8)});
    start(problem, 1);
    return problem;
  }
  JudgedProblem free() {
    JudgedProblem problem = body("drawn free body");
    start(problem, 2);
    return problem;
  }

 private:
  double sixteenths(int from, int to) {
    return (from + static_cast<int>(random_.below(static_cast<unsigned>(to - from + 1)))) / 16.0;
  }
  JudgedProblem body(std::string name) {
    scale_ = std::ldexp(1.0, static_cast<int>(random_.below(7)) - 2);
    while (true) {
      const double x = sixteenths(16, 32), y = sixteenths(16, 32), z = sixteenths(16, 32), xy = sixteenths(-4, 4),
                   xz = sixteenths(-4, 4), yz = sixteenths(-4, 4), half = (x + y + z) / 2;
      // The second moments of the masses, half the trace less the inertia, are positive: its leading minors are.
      const double a = half - x, b = half - y, c = half - z;
      const Nine<double> second{a, -xy, -xz, -xy, b, -yz, -xz, -yz, c};
      if (!(a > 0.125 && a * b - xy * xy > 0.0625 && determinant(second) > 0.03125)) continue;
      std::vector<double> inertia{x, xy, xz, xy, y, yz, xz, yz, z};
      for (double& entry : inertia) entry *= scale_;
      return body_of(std::move(name), std::move(inertia));
    }
  }
  void start(JudgedProblem& problem, int number) {
    // Directions of points of a ball in four dimensions: attitudes are drawn evenly.
    Quaternion q{};
    double square = 0;
    while (!(square > 0.25 && square <= 1)) {
      square = 0;
      for (double& entry : q) {
        entry = sixteenths(-16, 16);
        square += entry * entry;
      }
    }
    set_starts_at(problem, rotation_of(q), {sixteenths(4, 12), -sixteenths(4, 12), sixteenths(-12, 12)});
    // Steps of either sign, which have all bits.
    const double bits = std::ldexp(static_cast<double>(random_.next() >> 11), -53);
    problem.h = (number % 2 == 1 ? -0.125 : 0.125) * (0.75 + 0.25 * bits);
  }

  DrawnNumbers random_;
  double scale_ = 1;
};

}  // namespace

JudgedBodies judged_bodies(std::uint64_t seed, int drawn) {
  JudgedBodies all{
      {three_moments(), ball(), flat_body(), rod(), full_inertia()}, {heavy_top(), symmetric_top()}, {free_body()}};
  DrawnBodies bodies(seed);
  for (int k = 0; k < drawn; ++k) all.generic.push_back(bodies.generic(k + 1));
  if (drawn > 0) {
    all.tops.push_back(bodies.top());
    all.free.push_back(bodies.free());
  }
  return all;
}

TimedPoint<Float50> body_motion(const JudgedProblem& problem, const TimedPoint<Float50>& from, const Float50& time,
                                double tolerance) {
  const RigidBody<Float50> body(problem);
  State50 start = from.q;
  start.insert(start.end(), from.p.begin(), from.p.end());
  const auto motion = [&](const State50& z) { return body.motion(z); };
  if (const auto z = extrapolated_motion(motion, start, time, tolerance))
    return {from.t + time, {z->begin(), z->begin() + 9}, {z->begin() + 9, z->end()}};
  throw std::runtime_error("the motion of the problem '" + problem.name + "' could not be computed");
}

}  // namespace livi
