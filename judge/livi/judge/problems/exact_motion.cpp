// SPDX-License-Identifier: MIT
#include <livi/judge/problems/judged_problem.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace livi {

namespace {

using Point50 = TimedPoint<Float50>;

/// Returns the motion over `time` by `steps` symmetric steps of drift, kick, drift: its error is even in the step.
Point50 leapfrog(Forces<Float50>& forces, Point50 z, const Float50& time, int steps) {
  const Float50 h = time / Float50(steps), half = h / Float50(2);
  const auto drift = [&](const Float50& by) {
    const auto v = forces.velocity(z.p);
    for (std::size_t i = 0; i < v.size(); ++i) z.q[i] += by * v[i];
    z.t += by;
  };
  for (int k = 0; k < steps; ++k) {
    drift(k == 0 ? half : h);
    const auto g = forces.gradient(z.t, z.q);
    for (std::size_t i = 0; i < g.size(); ++i) z.p[i] -= h * g[i];
  }
  drift(half);
  return z;
}

/// Returns the largest difference of two points.
double difference(const Point50& a, const Point50& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) {
    largest = std::max(largest, std::abs((a.q[i] - b.q[i]).convert_to<double>()));
    largest = std::max(largest, std::abs((a.p[i] - b.p[i]).convert_to<double>()));
  }
  return largest;
}

/// Extrapolates the leapfrog step over one interval; returns whether two columns agree.
bool extrapolate(Forces<Float50>& forces, Point50& z, const Float50& time, double tolerance) {
  constexpr int columns = 28;
  std::vector<Point50> row;
  for (int j = 1; j <= columns; ++j) {
    std::vector<Point50> next{leapfrog(forces, z, time, 2 * j)};
    for (int k = 1; k < j; ++k) {
      const Float50 ratio = Float50(j * j) / Float50((j - k) * (j - k)) - Float50(1);
      Point50 better = next.back();
      const Point50& worse = row[static_cast<std::size_t>(k - 1)];
      for (std::size_t i = 0; i < better.q.size(); ++i) {
        better.q[i] += (better.q[i] - worse.q[i]) / ratio;
        better.p[i] += (better.p[i] - worse.p[i]) / ratio;
      }
      next.push_back(std::move(better));
    }
    if (j > 3 && difference(next.back(), row.back()) < tolerance) {
      const Float50 end = z.t + time;
      z = next.back();
      z.t = end;
      return true;
    }
    row = std::move(next);
  }
  return false;
}

}  // namespace

TimedPoint<Float50> exact_motion(const JudgedProblem& problem, const TimedPoint<Float50>& from, const Float50& time,
                                 double tolerance) {
  Forces<Float50> forces(problem);
  const int least = std::max(1, static_cast<int>(std::ceil(std::abs(time.convert_to<double>()) * 4)));
  for (int intervals = least; intervals <= 64 * least; intervals *= 2) {
    TimedPoint<Float50> z = from;
    bool converged = true;
    for (int k = 0; k < intervals && converged; ++k)
      converged = extrapolate(forces, z, time / Float50(intervals), tolerance / intervals);
    if (converged) return z;
  }
  throw std::runtime_error("the motion of the problem '" + problem.name + "' could not be computed");
}

}  // namespace livi
