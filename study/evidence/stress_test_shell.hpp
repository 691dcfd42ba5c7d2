// SPDX-License-Identifier: MIT
//
// The well and the pass of the potential of the stress test of BOS09, and motions that start near its shell of minima.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/systems/rotation_potentials.hpp>
#include <numbers>
#include <vector>

namespace livi::stress_test_shell {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Where f is least on [low, high], by golden section.
template <class F>
double least_at(const F& f, double low, double high) {
  for (int k = 0; k < 90; ++k) {
    const double width = (high - low) / std::numbers::phi, left = high - width, right = low + width;
    if (f(left) < f(right)) {
      high = right;
    } else {
      low = left;
    }
  }
  return (low + high) / 2;
}

inline ShellPotential<double> shell(double alpha) { return {alpha, stress_test<double>().potential().attractor}; }
/// U_alpha as a function of the angle on the axis n.
inline auto along(double alpha, const Vector3<double>& n) {
  return [=](double angle) { return shell(alpha).value(so3::exp(Vector3<double>(angle * n))); };
}
/// The angle of the rotations on which U_0 is least.
inline const double well_angle = 2 * std::asin(1 / (2 * std::numbers::sqrt2));

/// The angle on the axis n at which U is least, near the well: S_alpha consists of these rotations.
inline double angle_of_surface(double alpha, const Vector3<double>& n) { return least_at(along(alpha, n), 0.2, 1.6); }

using Axes = std::vector<Vector3<double>>;

/// U on the pass between the well and Q_m, and on S_alpha, with alpha = 0.3.
struct Heights {
  double pass_angle = 0, pass = 0, lowest = infinity, highest = -infinity;
};
inline Heights heights(const Axes& axes) {
  const auto on_axis_of_q_m = [](double angle) {
    return shell(0.3).value(so3::exp(Vector3<double>(angle / std::numbers::sqrt2 * Vector3<double>(1, 0, 1))));
  };
  Heights result;
  result.pass_angle = least_at([&](double angle) { return -on_axis_of_q_m(angle); }, 0.9, 2.4);
  result.pass = on_axis_of_q_m(result.pass_angle);
  for (const Vector3<double>& n : axes) {
    const double u = along(0.3, n)(angle_of_surface(0.3, n));
    result.lowest = std::min(result.lowest, u);
    result.highest = std::max(result.highest, u);
  }
  return result;
}

/// Largest |W|, and largest dist(Q, I) less that of S_alpha along the axis of Q.
struct Motion {
  double speed = 0, distance = 0;
};
/// What is stable is kept: (Q, 0) of a set that is stable must stay in the set, at rest. The motion from rest `beside`
/// S_alpha on these axes.
inline Motion released(double alpha, double beside, const Axes& axes) {
  using System = StressTestSystem<double>;
  const System body(stress_test<double>().inertia(), shell(alpha));
  Motion largest;
  for (const Vector3<double>& n : axes) {
    RungeKuttaMuntheKaas4<System> method(body);
    auto z =
        method.start(so3::exp(Vector3<double>((angle_of_surface(alpha, n) + beside) * n)), Vector3<double>(0, 0, 0));
    for (int k = 1; k <= 3000; ++k) {
      if (!method.step(z, 0.05).ok()) return {infinity, infinity};
      largest.speed = std::max(largest.speed, z.w.norm());
      if (k % 10 != 0) continue;
      const Vector3<double> turn = so3::log(z.q);
      const double angle = turn.norm();
      largest.distance = std::max(largest.distance, std::abs(angle - angle_of_surface(alpha, turn / angle)));
    }
  }
  return largest;
}

}  // namespace livi::stress_test_shell
