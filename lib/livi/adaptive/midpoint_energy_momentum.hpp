// SPDX-License-Identifier: MIT
//
// Symplectic-energy-momentum integration (Kane, Marsden and Ortiz 1999; CS101 slide 27) with the Lagrangian of the
// midpoint rule: steps of that rule,
//
//   w = v_k + dt/2 a(m),   m = q_k + dt/2 w,   q_{k+1} = q_k + dt w,   v_{k+1} = 2 w - v_k,      a = -M^-1 grad W,
//
// whose length dt keeps the discrete energy E = -dL_d/d(dt) = w . M w / 2 + W(m). The first step is given: it fixes E.
//
// When is there a step? The discrete energy of a step from (q, v) is H(q, v) + c dt^2 + O(dt^3) with
// c(q, v) = -(v . Hess W v + grad W . M^-1 grad W) / 8, which is negative wherever W is convex. Steps are short only while
// c keeps its sign.
#pragma once

#include <livi/adaptive/adaptive_step.hpp>
#include <livi/integrators/implicit_midpoint.hpp>

namespace livi {

/// Returns c(q, v) = -(v . Hess W v + grad W . M^-1 grad W) / 8, the coefficient of dt^2 in the discrete energy of a step
/// of the midpoint rule's Lagrangian.
template <class System>
requires TwiceDifferentiable<typename System::potential_type> ScalarOf<System> midpoint_energy_coefficient(
    const System& system, const VectorOf<System>& q, const VectorOf<System>& v) {
  VectorOf<System> force = q, product = q;
  system.potential().gradient(q, force);
  typename System::potential_type::hessian_type hessian(q.size());
  system.potential().hessian(q, hessian);
  hessian.multiply(v, product);
  return -(dot_product(v, product) + dot_product(force, system.velocity(force))) / ScalarOf<System>(8);
}

/// Kane, Marsden and Ortiz's method for the midpoint rule's Lagrangian: order two, symmetric, symplectic. The argument h
/// of the first step is its length in time. Later steps choose their length themselves: of h only the sign counts. Each
/// iteration for the length takes a step of the midpoint rule.
template <class System>
class MidpointEnergyMomentum : public AdaptiveOnSystem<System> {
  using Base = AdaptiveOnSystem<System>;
  using Base::system_, Base::newton_, Base::work_;

 public:
  using typename Base::S, typename Base::vector_type;
  /// TimedState::energy is the discrete energy E, 0 before the first step.
  using state_type = TimedState<S, System::dimension>;

  /// Keeps a reference to the system.
  explicit MidpointEnergyMomentum(const System& system, NewtonOptions<S> newton = {})
      : Base(system, newton),
        inner_(system, newton),
        velocity_(zeros<vector_type>(system.size())),
        momentum_(velocity_),
        middle_(velocity_) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    state_type z;
    z.q = q;
    z.v = v;
    return z;
  }

  StepOutcome step(state_type& z, const S& h) {
    const bool first = z.last_step == S(0);
    S dt = length_like_the_last(z, h);
    StepOutcome outcome;
    if (first) {
      RealOf<S> ignored(0);
      outcome = try_length(z, dt, z.energy, ignored);
    } else {
      outcome = find_step(z, dt);
    }
    work_ = inner_.work();
    work_.newton_iterations += lengths_;
    if (!outcome.ok()) return outcome;
    z.q = end_.q;
    z.v = end_.v;
    return advance_time(z, dt);
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "MidpointEnergyMomentum",
            .source = "Kane, Marsden and Ortiz 1999; CS101 slide 27",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .rational = false,
            .memory = true,
            .stability_limit = undeclared,
            .cost = {.iterative = true}};
  }

 private:
  /// Sets `end_` to the end of a step of the length dt, with its discrete energy and the rounding of that.
  StepOutcome try_length(const state_type& z, const S& dt, S& energy, RealOf<S>& rounding) {
    end_.q = z.q;
    end_.v = z.v;
    if (const StepOutcome outcome = inner_.step(end_, dt); !outcome.ok()) return outcome;
    middle_ = (z.q + end_.q) / S(2);
    velocity_ = (z.v + end_.v) / S(2);
    this->system_->mass().apply(velocity_, momentum_);
    const S kinetic = dot_product(velocity_, momentum_) / S(2), potential = system_->potential().value(middle_);
    energy = kinetic + potential;
    if (!is_finite(energy)) return {Failure::not_finite, -1};
    // The middle m is known to its rounding, w = 2 (m - q_k)/dt so many times worse.
    using R = RealOf<S>;
    const auto size = [](const S& of) { return absolute_value(R(leading(of))); };
    const auto largest = [&](const vector_type& x) {
      R of_all(0);
      for (Eigen::Index i = 0; i < x.size(); ++i)
        if (of_all < size(x(i))) of_all = size(x(i));
      return of_all;
    };
    const R middle_error = ScalarTraits<S>::epsilon() * (R(1) + largest(middle_)) / size(dt);
    rounding =
        R(4) * (ScalarTraits<S>::epsilon() * (size(kinetic) + size(potential)) + middle_error * largest(momentum_));
    return {};
  }

  /// Sets dt to the root of the equation of the energy nearest to the guess, of its sign and at most four times as long: by
  /// steps along the line through the last two lengths, whose slope is a plain number, so that derivatives converge too. The
  /// length itself decides where the iteration ends, and stays as it is from there on while its derivatives come down to their
  /// noise: two directions of derivation must not end at two roots, a rounding apart.
  StepOutcome find_step(const state_type& z, S& dt) {
    using R = RealOf<S>;
    const S guess = dt;
    S energy(0);
    R rounding(0);
    S before = dt * ratio<S>(1001, 1000);
    ++lengths_;
    if (const StepOutcome outcome = try_length(z, before, energy, rounding); !outcome.ok()) return outcome;
    S residual_before = energy - z.energy;
    R slope(0), size_before(0);
    bool settled = false;
    for (int iteration = 1; iteration <= newton_.max_iterations; ++iteration) {
      ++lengths_;
      if (const StepOutcome outcome = try_length(z, dt, energy, rounding); !outcome.ok()) return outcome;
      const S residual = energy - z.energy;
      const R apart = leading(S(dt - before));
      // Closer together than this, the two energies differ by rounding as much as by the slope.
      if (R(1e-6) * absolute_value(R(leading(dt))) < absolute_value(apart))
        slope = leading(S(residual - residual_before)) / apart;
      // Where the whole term of dt is rounding, every length would do: there is none to be found.
      if (!(R(16) * rounding < absolute_value(R(slope * leading(dt))))) return {Failure::no_real_root, iteration};
      const S update = residual / S(slope), of_derivatives = update - S(leading(update));
      settled = settled || absolute_value(R(leading(update))) <= newton_.tolerance * absolute_value(R(leading(dt))) ||
                absolute_value(R(leading(residual))) <= rounding;
      if (settled) {
        const R size = magnitude(of_derivatives);
        if (size <= newton_.tolerance * magnitude(dt) || (R(0) < size_before && size_before <= R(2) * size)) return {};
        size_before = size;
      }
      before = dt;
      residual_before = residual;
      dt -= settled ? of_derivatives : update;
      if (!is_finite(dt)) return {Failure::not_finite, iteration};
      const auto relative = leading(S(dt / guess));
      if (!(R(0) < relative && relative < R(4))) return {Failure::no_real_root, iteration};
    }
    return {Failure::no_convergence, newton_.max_iterations};
  }

  ImplicitMidpoint<System> inner_;
  PhaseState<S, System::dimension> end_{};  // kept, so that a step allocates nothing
  vector_type velocity_, momentum_, middle_;
  long lengths_ = 0;
};

}  // namespace livi
