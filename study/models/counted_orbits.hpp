// SPDX-License-Identifier: MIT
//
// Orbits with their force evaluations counted: methods of this library with adaptive or constant steps, and
// Boost.Odeint's error-controlled steppers, on any mechanical system.
#pragma once

#include <boost/numeric/odeint.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <memory>
#include <numbers>
#include <vector>

#include "adaptive_problems.hpp"

namespace livi {

/// A potential that counts how often its gradient is asked for; copies share the count.
template <class P>
struct GradientCounter : P {
  std::shared_ptr<long> gradients = std::make_shared<long>(0);
  explicit GradientCounter(P potential) : P(std::move(potential)) {}
  void gradient(const typename P::vector_type& q, typename P::vector_type& out) const {
    ++*gradients;
    P::gradient(q, out);
  }
};
template <class System>
using CountedSystem = MechanicalSystem<typename System::mass_type, GradientCounter<typename System::potential_type>>;
template <class System>
CountedSystem<System> counted_system(const System& system) {
  return {system.mass(), GradientCounter<typename System::potential_type>(system.potential())};
}

/// Where a run is, and the gradients it has taken.
template <class V>
struct OrbitPoint {
  V q, v;
  double t = 0;
  long calls = 0;
};

/// Runs a method with a clock until its time is at least the end; visit(point) after each step. False if a step fails or
/// more than `limit` gradients are asked for.
template <class Method, class V, class Visit>
bool run_counted(Method method, const V& q, const V& v, double h, double end, long limit, const Visit& visit) {
  const long& count = *method.system().potential().gradients;
  const long before = count;
  auto z = method.start(q, v);
  OrbitPoint<V> point;
  while (z.t < end) {
    const double last = z.t;
    if (!method.step(z, h).ok() || !(last < z.t) || !all_finite(z.q) || count - before > limit) return false;
    point.q = z.q;
    point.v = z.v;
    point.t = z.t;
    point.calls = count - before;
    visit(point);
  }
  return true;
}

/// Runs a controlled stepper of Boost.Odeint in the same way, from a first step of 1e-3.
template <class Stepper, class System, class V, class Visit>
bool run_controlled(Stepper stepper, const System& system, const V& q, const V& v, double end, long limit,
                    const Visit& visit) {
  const long& count = *system.potential().gradients;
  const long before = count;
  const auto n = static_cast<std::size_t>(q.size());
  OrbitPoint<V> point{q, v, 0, 0};
  std::vector<double> x(q.data(), q.data() + n);
  x.insert(x.end(), v.data(), v.data() + n);
  V at = q, a = q;
  const auto rate = [&](const std::vector<double>& y, std::vector<double>& out, double) {
    std::copy(y.begin(), y.begin() + static_cast<long>(n), at.data());
    system.acceleration(at, a);
    std::copy(y.begin() + static_cast<long>(n), y.end(), out.begin());
    std::copy(a.data(), a.data() + n, out.begin() + static_cast<long>(n));
  };
  double dt = 1e-3;
  while (point.t < end) {
    const double last = point.t;
    // The stepper shortens dt and tries again where it finds the error too large.
    if (stepper.try_step(rate, x, point.t, dt) != boost::numeric::odeint::success) {
      if (count - before > limit) return false;
      continue;
    }
    std::copy(x.begin(), x.begin() + static_cast<long>(n), point.q.data());
    std::copy(x.begin() + static_cast<long>(n), x.end(), point.v.data());
    point.calls = count - before;
    if (!(last < point.t) || !all_finite(point.q) || point.calls > limit) return false;
    visit(point);
  }
  return true;
}

/// Calls f(name, make) with a maker, from the tolerance, of each of Boost.Odeint's controlled steppers. The tolerance is
/// absolute and relative.
template <class F>
void for_each_controlled_stepper(const F& f) {
  using namespace boost::numeric::odeint;
  using X = std::vector<double>;
  f("dopri5", [](double tolerance) { return make_controlled(tolerance, tolerance, runge_kutta_dopri5<X>()); });
  f("fehlberg78", [](double tolerance) { return make_controlled(tolerance, tolerance, runge_kutta_fehlberg78<X>()); });
  f("bulirsch_stoer", [](double tolerance) { return bulirsch_stoer<X>(tolerance, tolerance); });
}

/// Returns the position on Kepler's ellipse with half axis 1 at a time from the pericentre. Newton's method on
/// u - e sin u = t converges from u = pi for every e < 1.
inline Vector<double, 2> position_on_ellipse(double e, double t) {
  const double period = 2 * std::numbers::pi, m = t - period * std::floor(t / period);
  double u = std::numbers::pi;
  for (int i = 0; i < 30; ++i) u -= (u - e * std::sin(u) - m) / (1 - e * std::cos(u));
  return {std::cos(u) - e, std::sqrt(1 - e * e) * std::sin(u)};
}
/// Returns the angle from a to b, in (-pi, pi].
inline double angle_between(const Vector<double, 2>& a, const Vector<double, 2>& b) {
  return std::atan2(a(0) * b(1) - a(1) * b(0), a.dot(b));
}

}  // namespace livi
