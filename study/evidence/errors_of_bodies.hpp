// SPDX-License-Identifier: MIT
//
// Errors of three bodies at the time that a method has reached, for its calls of forces, against a reference that two other ways agree with.
#pragma once

#include <algorithm>
#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <limits>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/gravity.hpp>
#include <vector>

#include "reference/pythagorean_states.hpp"
#include "study/models/counted_orbits.hpp"

namespace livi::errors_of_bodies {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The errors of a run at its end; of the energy of an orbit, the largest of the last period. Infinite if the run was
/// lost. The seconds are those of the processor.
struct Errors {
  double calls = 0, position = infinity, phase = infinity, energy = infinity, seconds = 0;
};
/// Returns the errors of a run that is watched, with its seconds.
using Extended = std::vector<long double>;
using ThreeBodies = CountedSystem<GravitationalSystem<double, 2>>;

/// The Pythagorean problem in extended precision for Boost.Odeint: positions, then velocities.
inline void rate_of_bodies(const Extended& x, Extended& out, long double) {
  static const std::array<long double, 3> mass{3, 4, 5};
  for (std::size_t i = 0; i < 6; ++i) {
    out[i] = x[6 + i];
    out[6 + i] = 0;
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const long double dx = x[2 * j] - x[2 * i], dy = x[2 * j + 1] - x[2 * i + 1], r2 = dx * dx + dy * dy,
                        c = 1 / (r2 * std::sqrt(r2));
      out[6 + 2 * i] += mass[j] * c * dx;
      out[7 + 2 * i] += mass[j] * c * dy;
      out[6 + 2 * j] -= mass[i] * c * dx;
      out[7 + 2 * j] -= mass[i] * c * dy;
    }
}
inline Extended flow_by_bulirsch_stoer(Extended x, double to, long double tolerance) {
  using namespace boost::numeric::odeint;
  bulirsch_stoer<Extended, long double> stepper(tolerance, tolerance);
  integrate_adaptive(stepper, rate_of_bodies, x, 0.0L, static_cast<long double>(to), 1e-6L);
  return x;
}
using Bodies = reference::PlanarBodies<long double>;
/// Positions, then velocities.
inline Extended entries(const Bodies& bodies) {
  Extended x = bodies.q;
  x.insert(x.end(), bodies.v.begin(), bodies.v.end());
  return x;
}
inline double distance_of_positions(const Extended& a, const Extended& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return static_cast<double>(std::sqrt(sum));
}

class BodyErrors {
 public:
  BodyErrors(const ThreeBodies& system, const Bodies& exact, double end)
      : system_(&system), exact_(&exact), end_(end) {}
  void operator()(const OrbitPoint<Vector<double, Dynamic>>& point) {
    if (point.t < end_) return;
    Bodies at = *exact_;
    std::copy_n(point.q.data(), 6, at.q.begin());
    std::copy_n(point.v.data(), 6, at.v.begin());
    // Backwards by a step at most.
    reference::advance(at, static_cast<long double>(end_) - static_cast<long double>(point.t), 1e-19);
    errors_.calls = static_cast<double>(point.calls);
    errors_.position = distance_of_positions(at.q, exact_->q);
    errors_.energy = std::abs(system_->energy(point.q, point.v) + 769.0 / 60);
    // The shift of time that brings the bodies nearest, in the metric of their masses.
    long double along = 0, speed = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      along += exact_->masses[i / 2] * exact_->v[i] * (at.q[i] - exact_->q[i]);
      speed += exact_->masses[i / 2] * exact_->v[i] * exact_->v[i];
    }
    errors_.phase = static_cast<double>(std::abs(along / speed));
  }
  [[nodiscard]] const Errors& errors() const { return errors_; }

 private:
  const ThreeBodies* system_;
  const Bodies* exact_;
  double end_;
  Errors errors_;
};

/// Computes the kept state anew in arithmetic of 50 digits, and by another method in extended precision. Returns the
/// differences from it.
struct Disagreement {
  double fifty_digits, extended;
};
inline Disagreement disagreement_of_references(const Bodies& exact, int end) {
  auto digits = reference::pythagorean_start<Float50>();
  reference::advance(digits, Float50(end), 1e-50);
  const auto kept = reference::pythagorean_state<Float50>(end, [](const char* text) { return Float50(text); });
  const Extended other = flow_by_bulirsch_stoer(entries(reference::pythagorean_start<long double>()), end, 1e-17L);
  return {reference::largest_difference(digits, kept), distance_of_positions(exact.q, other)};
}

}  // namespace livi::errors_of_bodies
