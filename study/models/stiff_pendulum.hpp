// SPDX-License-Identifier: MIT
//
// What the experiments on the stiff double pendulum of TO14 4.1 share: the systems, one-step Newmark as it is read, the
// run of a method beside the constrained reference, and what such a run may come to.
#pragma once

#include <cmath>
#include <limits>
#include <livi/integrators/integrator.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/systems/distance_constraints.hpp>
#include <livi/systems/double_pendulum.hpp>
#include <livi/trajectory/trajectory.hpp>
#include <string>
#include <vector>

#include "reference/double_pendulum_reference.hpp"

namespace livi::stiff_pendulum {

using V = Vector<double, 4>;
using Multipliers = Vector<double, 2>;
using Constrained = ConstrainedDoublePendulum<double>;
using Penalised = decltype(penalised(double_pendulum<double>(), 20.0));
using Reference = std::vector<reference::PendulumState>;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The pendulum of Figure 1 with gravity down, penalised.
inline Penalised stiff(double omega) { return penalised(double_pendulum<double>(), omega); }
inline V start() { return double_pendulum_start<double>(); }

inline Multipliers constraint(const V& q) {
  Multipliers g;
  double_pendulum<double>().constraint().value(q, g);
  return g;
}

inline V position_of(const reference::PendulumState& state) { return {state.q[0], state.q[1], state.q[2], state.q[3]}; }

/// One penalised rod, |q|^2 = 1 in the plane, without gravity: the rotor.
inline auto rotor(double omega) {
  using Constraint = QuadraticConstraint<double, 2>;
  const Matrix<double, 2> twice = 2 * Matrix<double, 2>::Identity();
  return penalised(
      ConstrainedSystem(ScalarMass<double, 2>(1.0), GravityPotential<double, 2>{0}, Constraint{.a = twice, .level = 1}),
      omega);
}
using Rotor = decltype(rotor(1.0));

/// Newmark with one iteration in the reading that is shown as row 5 of Figure 1: from q_k, with the acceleration of the
/// iteration carried into the next step; or with more iterations.
template <class S>
NewmarkOptions<S> one_iteration(const S& beta, int iterations = 1) {
  return {.beta = beta,
          .guess = NewmarkGuess::last_position,
          .acceleration = NewmarkAcceleration::carried,
          .newton = {.fixed_iterations = iterations}};
}

/// At t = k h, k = 0 .. T/h.
inline Reference constrained_motion(double end_time, double h) {
  return reference::constrained_reference({}, end_time, static_cast<int>(steps_in(end_time, h)) + 1);
}

/// The Euclidean distance.
inline double distance(const V& a, const V& b) {
  double sum = 0;
  for (Eigen::Index i = 0; i < 4; ++i) sum += std::pow(a(i) - b(i), 2);
  return std::sqrt(sum);
}

/// Where Z&S starts: at x(0) = q(0), or at the x that stands for q(0), x(0) = eta(q(0)) = q + beta h^2 M^-1 grad V.
enum class StartAt { position, mapped };

inline V start_of(StartAt at, const Penalised& system, double beta, double h) {
  V x = start();
  if (at == StartAt::mapped) Newmark(system, {.beta = beta}).canonical_position(start(), h, x);
  return x;
}

/// A run is lost when a mass is half the shorter rod from where the constrained motion has it: no modelling or
/// integration error of a run that works comes near this for omega >= 12.
constexpr double lost_distance = 0.5;

struct Run {
  double lost_at = not_a_number;  ///< time at which the run was lost; NaN for one that was not
  double largest_error = 0;       ///< largest error of any coordinate, up to then
  long indefinite = 0;            ///< matrices that were not positive definite
  bool solve_failed = false;      ///< it ended because an equation was not solved
  [[nodiscard]] bool lost() const { return !std::isnan(lost_at); }
};

/// Runs to the end of the reference, whose samples are the steps. `observe(step, q)` sees every physical position.
template <class Method, class Observe>
Run run_beside(Method& method, typename Method::state_type from, double h, const Reference& exact,
               const Observe& observe) {
  Run run;
  Trajectory trajectory(method, std::move(from), h, static_cast<long>(exact.size()) - 1);
  for (const auto& point : trajectory) {
    const V q = physical_position(method, point.state, h);
    const double error = max_magnitude(V(q - position_of(exact[static_cast<std::size_t>(point.step)])));
    if (!(error < lost_distance)) {
      run.lost_at = point.time;
      break;
    }
    run.largest_error = std::max(run.largest_error, error);
    observe(point.step, q);
  }
  if (!trajectory.outcome().ok() && !run.lost()) {
    run.lost_at = trajectory.outcome().time;
    run.solve_failed = true;
  }
  run.indefinite = method.work().indefinite_matrices;
  return run;
}
template <class Method>
Run run_beside(Method& method, typename Method::state_type from, double h, const Reference& exact) {
  return run_beside(method, std::move(from), h, exact, [](long, const V&) {});
}

/// The largest error; infinite for a lost run.
inline double error_of(const Run& run) { return run.lost() ? infinity : run.largest_error; }

/// A run of the method that `make` makes for the penalised pendulum.
template <class Make>
Run pendulum_run(double omega, double h, const Reference& exact, const Make& make) {
  const Penalised system = stiff(omega);
  auto method = make(system);
  return run_beside(method, method.start(start(), V::Zero()), h, exact);
}

/// A run of SHAKE or RATTLE.
template <class Method>
Run multiplier_run(double h, const Reference& exact) {
  const Constrained system = double_pendulum<double>();
  Method method(system);
  return run_beside(method, method.start(start(), V::Zero()), h, exact);
}

/// Largest stable h of a method made by `make(system)` on the penalised pendulum to `end_time`, by bisection of
/// h omega: never farther away than 50, twenty times the length of the pendulum.
template <class Make>
double step_limit(double omega, double end_time, const Make& make) {
  const Penalised system = stiff(omega);
  const auto stable = [&](double h) {
    auto method = make(system);
    Trajectory run(method, method.start(start(), V::Zero()), h, static_cast<long>(end_time / h));
    for (const auto& point : run)
      if (!(max_magnitude(point.state.q) < 50)) return false;
    return run.outcome().ok();
  };
  double low = 0.05 / omega, high = 2 / omega;
  for (int i = 0; i < 14; ++i) (stable((low + high) / 2) ? low : high) = (low + high) / 2;
  return low;
}

}  // namespace livi::stiff_pendulum
