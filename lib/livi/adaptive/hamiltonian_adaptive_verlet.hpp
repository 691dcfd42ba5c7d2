// SPDX-License-Identifier: MIT
//
// Stoermer-Verlet on the Hamiltonian sigma(q) (H - E0), whose motion in the fictitious time tau is that of H with
// dt = sigma dtau, where H = E0 (Hairer 1997; Reich 1999; CS101 slides 12 and 13). With s_k = sigma(q_k), W the
// potential and g = grad sigma, kick-drift-kick is
//
//   p_{k+1/2} = p_k       - h/2 (s_k     grad W(q_k)     + (H(p_{k+1/2}, q_k)     - E0) g(q_k))
//   q_{k+1}   = q_k       + h/2 (s_k + s_{k+1}) M^-1 p_{k+1/2}
//   p_{k+1}   = p_{k+1/2} - h/2 (s_{k+1} grad W(q_{k+1}) + (H(p_{k+1/2}, q_{k+1}) - E0) g(q_{k+1}))
//   t_{k+1}   = t_k       + h/2 (s_k + s_{k+1})
//
// (the slide has g at q_k in the third line, which is a misprint). The first line is a quadratic equation for the
// number H - E0, the second an equation for the number s_{k+1}. Drift-kick-drift exchanges the roles of p and q.
#pragma once

#include <livi/adaptive/adaptive_step.hpp>

namespace livi {

/// The order of the parts of a step.
enum class StepParts { kick_drift_kick, drift_kick_drift };

/// The Hamiltonian adaptive Stoermer-Verlet method: order two in the time t, symmetric, symplectic for fixed E0. One
/// gradient of W and of sigma per step, and the values of sigma that the scalar equation takes.
template <class System, PositionDensity Density>
class HamiltonianAdaptiveVerlet {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;

  /// What the next step needs of the position it starts from is kept: a = -M^-1 grad W, g = grad sigma, W and sigma.
  struct state_type : TimedState<S, System::dimension> {
    vector_type a, g;
    S potential{0}, density{0};
    auto fields() {
      return std::tie(this->q, this->v, this->t, this->last_step, this->energy, a, g, potential, density);
    }
  };

  /// Keeps a reference to the system and a copy of the density.
  HamiltonianAdaptiveVerlet(const System& system, Density density, StepParts parts = StepParts::kick_drift_kick,
                            NewtonOptions<S> newton = {})
      : system_(&system), density_(std::move(density)), parts_(parts), newton_(newton) {
    newton_.validate();
  }

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    state_type z;
    z.q = q;
    z.v = v;
    z.a = z.g = zeros<vector_type>(q.size());
    z.energy = system_->energy(q, v);
    if (parts_ == StepParts::kick_drift_kick) evaluate(z, q);
    return z;
  }

  StepOutcome step(state_type& z, const S& h) {
    return parts_ == StepParts::kick_drift_kick ? kick_drift_kick(z, h) : drift_kick_drift(z, h);
  }

  [[nodiscard]] Properties declares() const {
    return {.name = parts_ == StepParts::kick_drift_kick ? "HamiltonianAdaptiveVerlet"
                                                         : "HamiltonianAdaptiveVerlet, drift-kick-drift",
            .source = "Hairer 1997; Reich 1999; CS101 slide 13",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = false,
            .angular_momentum = true,
            .rational = false,
            .memory = true,
            .stability_limit = undeclared,
            .cost = {.iterative = true}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] const Density& density() const { return density_; }

 private:
  void evaluate(state_type& z, const vector_type& q) const {
    z.density = density_.value(q);
    z.potential = system_->potential().value(q);
    density_.gradient(q, z.g);
    system_->acceleration(q, z.a);
  }

  /// Sets e to H - E0 at the position q of which z has the derivatives, where the velocity is u - c e M^-1 g: a quadratic equation.
  [[nodiscard]] bool implicit_energy(const state_type& z, const vector_type& u, const S& c, const vector_type& solved,
                                     S& e) const {
    const S outside = dot_product(u, system_->momentum(u)) / S(2) + z.potential - z.energy;
    return smaller_root(S(c * c / S(2) * dot_product(solved, z.g)), S(-(S(1) + c * dot_product(u, z.g))), outside, e);
  }

  StepOutcome kick_drift_kick(state_type& z, const S& h) {
    if (!is_density(z.density)) return {Failure::no_step_density, -1};
    const S half = h / S(2);
    vector_type solved = system_->velocity(z.g);
    S e(0);
    z.v += (half * z.density) * z.a;
    if (!implicit_energy(z, z.v, half, solved, e)) return {Failure::no_real_root, -1};
    z.v -= (half * e) * solved;

    // The length of the step in time: dt = h/2 (s_k + sigma(q_k + dt v)).
    const S before = z.density;
    S dt = h * before;
    vector_type x = z.q;
    const auto length = [&](const S& candidate, S& slope) {
      x = z.q + candidate * z.v;
      density_.gradient(x, z.g);
      slope = half * dot_product(z.g, z.v);
      return S(half * (before + density_.value(x)));
    };
    if (const StepOutcome outcome = solve_scalar(length, newton_, dt, work_); !outcome.ok()) return outcome;
    z.q += dt * z.v;
    evaluate(z, z.q);
    if (!is_density(z.density)) return {Failure::no_step_density, -1};
    const S energy = dot_product(z.v, system_->momentum(z.v)) / S(2) + z.potential - z.energy;
    solved = system_->velocity(z.g);
    z.v += (half * z.density) * z.a;
    z.v -= (half * energy) * solved;
    return advance_time(z, dt);
  }

  StepOutcome drift_kick_drift(state_type& z, const S& h) {
    const S half = h / S(2);
    // The middle of the drift: half a step of the length d = h/2 sigma(q_k + d v_k).
    S d = half * density_.value(z.q);
    vector_type x = z.q;
    const auto length = [&](const S& candidate, S& slope) {
      x = z.q + candidate * z.v;
      density_.gradient(x, z.g);
      slope = half * dot_product(z.g, z.v);
      return S(half * density_.value(x));
    };
    if (const StepOutcome outcome = solve_scalar(length, newton_, d, work_); !outcome.ok()) return outcome;
    x = z.q + d * z.v;
    evaluate(z, x);
    if (!is_density(z.density)) return {Failure::no_step_density, -1};
    // Two kicks, of which the first knows the energy and the second solves for it.
    const vector_type solved = system_->velocity(z.g);
    const S before = dot_product(z.v, system_->momentum(z.v)) / S(2) + z.potential - z.energy;
    z.v += (h * z.density) * z.a;
    z.v -= (half * before) * solved;
    S e(0);
    if (!implicit_energy(z, z.v, half, solved, e)) return {Failure::no_real_root, -1};
    z.v -= (half * e) * solved;
    const S rest = half * z.density;
    z.q = x + rest * z.v;
    return advance_time(z, S(d + rest));
  }

  const System* system_;
  Density density_;
  StepParts parts_;
  NewtonOptions<S> newton_;
  WorkCounters work_;
};

}  // namespace livi
