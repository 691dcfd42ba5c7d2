// SPDX-License-Identifier: MIT
//
// What methods with adaptive steps share: their state, which has a clock of its own, and the scalar equations that
// determine a step.
//
// The interface is that of integrator.hpp, with these differences. The argument h of step(state, h) is the fictitious
// step, which stays constant; the state has the physical time `t`, which advances by about sigma h. start(q, v) fixes
// E0, the energy of the start, where the method needs it. What a method declares is meant so: its order is that of the
// error at the time t that it has reached, and symplectic means in the phase space extended by t and its momentum -E0,
// which at fixed E0 is dq ^ dp (diagnostics/extended_symplecticity.hpp). livi::adaptive_battery judges
// them (battery.hpp).
#pragma once

#include <livi/adaptive/step_density.hpp>
#include <livi/integrators/implicit_position.hpp>

namespace livi {

/// A method whose state has its own time.
template <class Method>
concept AdaptiveMethod = requires(typename Method::state_type& z) {
  { z.t } -> std::convertible_to<ScalarOf<typename Method::system_type>>;
};

/// The position, velocity and time; the length of the last step in time (of a composition: of its last stage), 0 before
/// the first; E0.
template <class S, int N>
struct TimedState {
  Vector<S, N> q, v;
  S t{0};
  S last_step{0};
  S energy{0};  ///< E0, the energy of the start
  auto fields() { return std::tie(q, v, t, last_step, energy); }
};

/// What the methods of this folder that are not made of another one have in common: the system, of which a reference is
/// kept, the options of their iterations, and the work done.
template <class System>
class AdaptiveOnSystem {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;

  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 protected:
  AdaptiveOnSystem(const System& system, NewtonOptions<S> newton) : system_(&system), newton_(newton) {
    newton_.validate();
  }
  /// Returns a state at q and v with E0 the energy there.
  template <class State>
  [[nodiscard]] State started(const vector_type& q, const vector_type& v) const {
    State z;
    z.q = q;
    z.v = v;
    z.energy = system_->energy(q, v);
    return z;
  }

  const System* system_;
  NewtonOptions<S> newton_;
  WorkCounters work_;
};

/// What an equation's own terms are rounded by, relative to its unknown: the position, the density there, the sum and its
/// product with the step by one rounding each. A smaller update of the unknown says nothing.
template <class S>
[[nodiscard]] RealOf<S> rounding_of_equation(const NewtonOptions<S>& options) {
  const RealOf<S> few = RealOf<S>(4) * ScalarTraits<S>::epsilon();
  return few < options.tolerance ? few : options.tolerance;
}

/// Returns whether the updates of an iteration have come down to the noise of its equation: the one before was small, and
/// this one is not smaller. Updates that converge fall; what is left then is what the terms of the equation are rounded by,
/// which near the collapse of a density, or where a whole step is one of the terms, is more than the tolerance. Small is
/// 2^14 roundings: an equation with more noise has no step worth making.
template <class S>
[[nodiscard]] bool is_noise(const RealOf<S>& update, const RealOf<S>& before, const RealOf<S>& size) {
  return before <= update && before <= RealOf<S>(16384) * ScalarTraits<S>::epsilon() * size;
}

/// Solves x = f(x) for the length x of a step by Newton's method on x - f(x); `f(x, slope)` returns f, which is made of
/// step densities, and sets its derivative. x enters as the guess. The last evaluation of f is at the x that is returned, so
/// that a step, which needs the density there anyway, can take it from f: to confirm a solution costs nothing then. An x is
/// taken if its update is below rounding_of_equation() or is_noise(), or if the one before was below the tolerance. The
/// options are those of every Newton iteration: a count of iterations instead of convergence is for exact numbers, which have no size. `work`
/// counts the evaluations as iterations.
template <class S, class F>
StepOutcome solve_length(const F& f, const NewtonOptions<S>& options, S& x, WorkCounters& work) {
  const bool fixed = options.fixed_iterations > 0;
  const int limit = fixed ? options.fixed_iterations : options.max_iterations;
  bool is_near = false;
  RealOf<S> before(0);
  for (int iteration = 1; iteration <= limit; ++iteration) {
    ++work.newton_iterations;
    S slope(0);
    const S value = f(x, slope);
    if (!is_finite(value)) return {Failure::no_step_density, -1};
    const S residual = x - value, derivative = S(1) - slope;
    if (magnitude(derivative) == RealOf<S>(0)) return {Failure::no_real_root, -1};
    const S update = residual / derivative;
    if constexpr (!ScalarTraits<S>::exact) {
      if (!fixed) {
        const RealOf<S> size = magnitude(update), of_x = magnitude(x);
        if (is_near || size <= rounding_of_equation(options) * of_x) return {};
        if (iteration > 1 && is_noise<S>(size, before, of_x)) return {};
        is_near = size <= options.tolerance * of_x;
        before = size;
      }
    }
    x -= update;
    if (!fixed && !is_finite(x)) return {Failure::not_finite, iteration};
  }
  if (!fixed) return {Failure::no_convergence, limit};
  S slope(0);
  return is_finite(f(x, slope)) ? StepOutcome{} : StepOutcome{Failure::no_step_density, -1};
}

/// Solves x = f(x) for a number where the derivative of f is not known: by steps (f(x) - x) / (1 - s) with s the slope of
/// the last two values. s is a plain number, so that derivatives and coefficients of x converge as x does. x enters as
/// the guess, and is taken when its update is below the tolerance or is_noise().
template <class S, class F>
StepOutcome solve_fixed_point(const F& f, const NewtonOptions<S>& options, S& x, WorkCounters& work) {
  using R = RealOf<S>;
  const int limit = options.fixed_iterations > 0 ? options.fixed_iterations : 4 * options.max_iterations;
  S before = x, value_before = x;
  R slope(0), size_before(0);
  for (int iteration = 1; iteration <= limit; ++iteration) {
    ++work.newton_iterations;
    S value(0);
    if (const StepOutcome outcome = f(x, value); !outcome.ok()) return outcome;
    if (!is_finite(value)) return {Failure::no_step_density, -1};
    if constexpr (has_order<S> && !ScalarTraits<S>::exact) {
      const R difference = leading(x) - leading(before), distance = absolute_value(difference);
      // Closer together than this, the two values differ by rounding as much as by the slope.
      const R near = R(1e-4) * absolute_value(R(leading(x)));
      if (iteration > 1 && near < distance) slope = (leading(value) - leading(value_before)) / difference;
      // The solution is unique where the slope is less than 1; a value near that is no slope to divide by.
      if (!(slope < R(0.9))) slope = R(0);
    }
    const S update = (value - x) / (S(1) - S(slope));
    if constexpr (!ScalarTraits<S>::exact) {
      if (options.fixed_iterations == 0) {
        if (iteration > 1 && is_noise<S>(magnitude(update), size_before, magnitude(x))) return {};
        size_before = magnitude(update);
      }
    }
    before = x;
    value_before = value;
    x += update;
    if (options.fixed_iterations > 0) continue;
    if (magnitude(update) <= options.tolerance * magnitude(x)) return {};
  }
  if (options.fixed_iterations > 0) return {};
  return {Failure::no_convergence, limit};
}

/// Finds the root x of a x^2 + b x + c = 0 that tends to -c/b as a tends to 0, for b < 0 in that limit:
/// x = 2 c / (sqrt(b^2 - 4 a c) - b), at which the slope of the polynomial is -sqrt(b^2 - 4 a c). False if there is none:
/// the discriminant is negative, or the root has left for infinity.
template <class S>
[[nodiscard]] bool smaller_root(const S& a, const S& b, const S& c, S& x) {
  using std::sqrt;
  const S discriminant = b * b - S(4) * a * c;
  if (!(RealOf<S>(0) < leading(discriminant))) return false;
  const S denominator = sqrt(discriminant) - b;
  if (!(RealOf<S>(0) < leading(denominator))) return false;
  x = S(2) * c / denominator;
  return true;
}

/// Returns the guess for the length of a step whose state has that of the last one: the same in the direction of h; at
/// the start h itself.
template <class State, class S>
[[nodiscard]] S length_like_the_last(const State& z, const S& h) {
  if (z.last_step == S(0)) return h;
  return (leading(h) < RealOf<S>(0)) != (leading(z.last_step) < RealOf<S>(0)) ? S(-z.last_step) : z.last_step;
}

/// Returns a . b.
template <class V>
typename V::Scalar dot_product(const V& a, const V& b) {
  typename V::Scalar sum(0);
  for (Eigen::Index i = 0; i < a.size(); ++i) sum += a(i) * b(i);
  return sum;
}

/// Sets out = M^-1 a.
template <class System>
void divide_by_mass(const System& system, const VectorOf<System>& a, VectorOf<System>& out) {
  out = a;
  system.mass().solve_in_place(out);
}

/// Advances the clock of a state by a step in time, and refuses one that does not change it.
template <class State, class S>
StepOutcome advance_time(State& z, const S& dt) {
  if (!is_finite(dt)) return {Failure::not_finite, -1};
  const S next = z.t + dt;
  if (next == z.t) return {Failure::step_too_small, -1};
  z.t = next;
  z.last_step = dt;
  return {};
}

}  // namespace livi
