// SPDX-License-Identifier: MIT
//
// Symplectic-energy-momentum integration (Kane, Marsden and Ortiz 1999; CS101 slide 27): the step in time is chosen so
// that the discrete energy E = -dL_d/d(dt) stays what it was. With velocity Verlet's Lagrangian,
//
//   w = v_k + dt/2 a(q_k),   q_{k+1} = q_k + dt w,   v_{k+1} = w + dt/2 a(q_{k+1}),      a = -M^-1 grad W,
//   w . M w / 2 + (W(q_k) + W(q_{k+1})) / 2 = E,
//
// the last of which determines dt. The first step is given: it fixes E.
//
// When is there a step? With c(q, v) = v . Hess W v / 4 - grad W . M^-1 grad W / 8 the discrete energy of a step from (q, v)
// is H(q, v) + c dt^2 + O(dt^3), and that of the step to (q, v) is the same with dt -> -dt. So the step from a point is as
// long as the one to it, to leading order, as long as c is not zero; where c changes its sign there is no short step, and
// the equation may have no solution.
#pragma once

#include <livi/adaptive/adaptive_step.hpp>

namespace livi {

/// Returns c(q, v) = v . Hess W v / 4 - grad W . M^-1 grad W / 8, the coefficient of dt^2 in the discrete energy of a step of
/// velocity Verlet's Lagrangian. Steps that keep this energy need it to have one sign along the motion.
template <class System>
requires TwiceDifferentiable<typename System::potential_type> ScalarOf<System> discrete_energy_coefficient(
    const System& system, const VectorOf<System>& q, const VectorOf<System>& v) {
  using S = ScalarOf<System>;
  VectorOf<System> force = q, product = q;
  system.potential().gradient(q, force);
  typename System::potential_type::hessian_type hessian(q.size());
  system.potential().hessian(q, hessian);
  hessian.multiply(v, product);
  return dot_product(v, product) / S(4) - dot_product(force, system.velocity(force)) / S(8);
}

/// Kane, Marsden and Ortiz's method for velocity Verlet's Lagrangian: order two, symmetric, symplectic. The argument h of
/// the first step is its length in time. Later steps choose their length themselves: of h only the sign counts. Each
/// iteration takes a value and a gradient of W.
template <class System>
class SymplecticEnergyMomentum : public AdaptiveOnSystem<System> {
  using Base = AdaptiveOnSystem<System>;
  using Base::system_, Base::newton_, Base::work_;

 public:
  using typename Base::S, typename Base::vector_type;

  /// TimedState::energy is the discrete energy E, 0 before the first step.
  struct state_type : TimedState<S, System::dimension> {
    vector_type a;
    S potential{0};
    auto fields() { return std::tie(this->q, this->v, this->t, this->last_step, this->energy, a, potential); }
  };

  /// Keeps a reference to the system.
  explicit SymplecticEnergyMomentum(const System& system, NewtonOptions<S> newton = {})
      : Base(system, newton), workspace_(system.size()) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    state_type z;
    z.q = q;
    z.v = v;
    z.a = zeros<vector_type>(q.size());
    system_->acceleration(q, z.a);
    z.potential = system_->potential().value(q);
    return z;
  }

  StepOutcome step(state_type& z, const S& h) {
    const bool first = z.last_step == S(0);
    S dt = length_like_the_last(z, h);
    if (!first) {
      if (const StepOutcome outcome = find_step(z, dt); !outcome.ok()) return outcome;
    }
    if (first) z.energy = discrete_energy(z, dt);
    if (!is_finite(z.energy)) return {Failure::not_finite, -1};
    z.v += (dt / S(2)) * z.a;
    z.q += dt * z.v;
    system_->acceleration(z.q, z.a);
    z.potential = system_->potential().value(z.q);
    z.v += (dt / S(2)) * z.a;
    return advance_time(z, dt);
  }

  /// Returns the discrete energy of a step of the length dt from z.
  [[nodiscard]] S discrete_energy(const state_type& z, const S& dt) const {
    const vector_type w = z.v + (dt / S(2)) * z.a;
    const vector_type x = z.q + dt * w;
    return dot_product(w, system_->momentum(w)) / S(2) + (z.potential + system_->potential().value(x)) / S(2);
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "SymplecticEnergyMomentum",
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
  struct Scratch {
    vector_type w, x, p, force;  // the velocity between, q_{k+1}, M w, grad W(q_{k+1})
    Scratch() = default;
    explicit Scratch(Eigen::Index n) : w(zeros<vector_type>(n)), x(w), p(w), force(w) {}
  };

  /// Sets dt to the root of discrete_energy(z, dt) = E nearest to the guess, of its sign and at most four times as long. The
  /// length itself decides where the iteration ends, and stays as it is from there on while its derivatives come down to their
  /// noise: two directions of derivation must not end at two roots, a rounding apart.
  StepOutcome find_step(const state_type& z, S& dt) {
    auto&& [w, x, p, force] = workspace_.get();
    using R = RealOf<S>;
    const S guess = dt;
    R before(0);
    bool settled = false;
    for (int iteration = 1; iteration <= newton_.max_iterations; ++iteration) {
      ++work_.newton_iterations;
      w = z.v + (dt / S(2)) * z.a;
      x = z.q + dt * w;
      system_->potential().gradient(x, force);
      system_->mass().apply(w, p);
      const S kinetic = dot_product(w, p) / S(2), potential = (z.potential + system_->potential().value(x)) / S(2);
      const S residual = kinetic + potential - z.energy;
      w += (dt / S(2)) * z.a;  // dq_{k+1}/d(dt)
      const S derivative = (dot_product(p, z.a) + dot_product(force, w)) / S(2);
      if (magnitude(derivative) == RealOf<S>(0)) return {Failure::no_real_root, iteration};
      const S update = residual / derivative, of_derivatives = update - S(leading(update));
      dt -= settled ? of_derivatives : update;
      const auto ratio = leading(S(dt / guess));
      if (!is_finite(dt)) return {Failure::not_finite, iteration};
      if (!(RealOf<S>(0) < ratio && ratio < RealOf<S>(4))) return {Failure::no_real_root, iteration};
      // The equation is a small difference of energies, which are known to their rounding.
      const auto size = [](const S& of) { return absolute_value(R(leading(of))); };
      const R rounding = R(4) * ScalarTraits<S>::epsilon() * (size(kinetic) + size(potential) + size(z.energy));
      // Where the whole term of dt is rounding, every length would do: there is none to be found.
      if (size(derivative * dt) <= R(16) * rounding) return {Failure::no_real_root, iteration};
      // A plain number has nothing left then.
      settled = settled || size(update) <= newton_.tolerance * size(dt) || size(residual) <= rounding;
      if (settled) {
        const R of_rest = magnitude(of_derivatives);
        if (of_rest <= newton_.tolerance * magnitude(dt) || (R(0) < before && before <= R(2) * of_rest)) return {};
        before = of_rest;
      }
    }
    return {Failure::no_convergence, newton_.max_iterations};
  }

  Workspace<Scratch, System::dimension> workspace_;
};

}  // namespace livi
