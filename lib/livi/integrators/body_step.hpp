// SPDX-License-Identifier: MIT
//
// The common part of integrators for rigid bodies (LieSystem): their state, and the equation in R^3 that most of them
// solve. Like integrators on vector spaces (integrator.hpp) they have state_type, start(q, w), step(state, h),
// declares() and work(). The state holds q = Q, w = W in body axes, and what the next step can reuse.
#pragma once

#include <cmath>

#include <livi/integrators/implicit_position.hpp>
#include <livi/systems/lie_system.hpp>

namespace livi {

/// The attitude and the angular velocity, with the torque at q, so that each torque is computed once.
template <class S>
struct BodyState {
  Matrix3<S> q;
  Vector3<S> w, torque;
  auto fields() { return std::tie(q, w, torque); }
};

/// Solves residual(x) = 0 in R^3 by Newton's method. x enters as the initial guess, `scale` is the size of the terms of
/// the residual, and jacobian(x) is the derivative of residual. The iteration has converged when
/// |residual| <= tolerance (1 + scale) with all derivatives; near the solution that takes one residual more than there
/// are updates. An update that makes the residual larger is halved until it does not, 30 times at most. `work` counts
/// the iterations.
template <class S, class ResidualFunction, class JacobianFunction>
StepOutcome solve_in_three_unknowns(Vector3<S>& x, const RealOf<S>& scale, const NewtonOptions<S>& options,
                                    WorkCounters& work, const ResidualFunction& residual,
                                    const JacobianFunction& jacobian) {
  using Real = RealOf<S>;
  using std::abs;
  const auto value_of = [](const Vector3<S>& v) {  // NaN if any entry is
    return Real(abs(Real(leading(v(0)))) + abs(Real(leading(v(1)))) + abs(Real(leading(v(2)))));
  };
  const Real enough = options.tolerance * (Real(1) + scale);
  const int limit = options.fixed_iterations > 0 ? options.fixed_iterations : options.max_iterations;
  Vector3<S> update = x;
  Real before(0);
  for (int iteration = 0, halvings = 0;;) {
    const Vector3<S> f = residual(x);
    const Real size = value_of(f);
    if (options.fixed_iterations == 0 && (std::same_as<S, Real> ? size : max_magnitude(f)) <= enough) return {};
    // At the level of rounding residuals rise and fall. Only above it does a rise mean that the update was too long.
    const bool too_long = [&] {
      const OrderAssumed<S> whole_updates(OrderReason::damping);
      return iteration > 0 && !(size <= before) && enough < before;
    }();
    if (too_long && halvings < 30) {
      ++halvings;
      update /= S(2);
      x += update;
      continue;
    }
    if (!is_finite(size)) return {Failure::not_finite, iteration};
    if (iteration == limit) break;
    ++iteration;
    ++work.newton_iterations;
    halvings = 0;
    before = size;
    update = f;
    if (const StepOutcome outcome = work.record(solve_three_equations<S>(jacobian(x), update)); !outcome.ok())
      return outcome;
    for (int i = 0; i < 3; ++i) x(i) -= update(i);
  }
  if (options.fixed_iterations > 0) return {};
  return {Failure::no_convergence, limit};
}

}  // namespace livi
