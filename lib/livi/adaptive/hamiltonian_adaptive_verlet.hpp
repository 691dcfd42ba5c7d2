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
// (the slide writes n for some k). The first line is a quadratic equation for the number H - E0, the second an equation
// for the number s_{k+1}. Drift-kick-drift exchanges the roles of p and q.
#pragma once

#include <livi/adaptive/adaptive_step.hpp>

namespace livi {

/// The order of the parts of a step.
enum class StepParts { kick_drift_kick, drift_kick_drift };

/// The Hamiltonian adaptive Stoermer-Verlet method: order two in the time t, symmetric, symplectic for fixed E0. At the
/// new position one gradient of W; each iteration for the length of a drift takes a value and a gradient of sigma (three
/// iterations as a rule, the last of which is at the new position and only confirms it).
template <class System, PositionDensity Density>
class HamiltonianAdaptiveVerlet : public AdaptiveOnSystem<System> {
  using Base = AdaptiveOnSystem<System>;
  using Base::system_, Base::newton_, Base::work_;

 public:
  using typename Base::S, typename Base::vector_type;

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
      : Base(system, newton), density_(std::move(density)), parts_(parts), workspace_(system.size()) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    auto z = this->template started<state_type>(q, v);
    z.a = z.g = zeros<vector_type>(q.size());
    if (parts_ == StepParts::kick_drift_kick) {
      z.density = density_.value(q);
      density_.gradient(q, z.g);
      evaluate_potential(z, q);
    }
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
            .linear_momentum = is_translation_invariant(density_),
            .angular_momentum = is_rotation_invariant(density_),
            .rational = false,
            .memory = true,
            .stability_limit = undeclared,
            .cost = {.iterative = true}};
  }
  [[nodiscard]] const Density& density() const { return density_; }

 private:
  struct Scratch {
    vector_type x, momentum, solved;  // a position; M times a velocity; M^-1 grad sigma
    Scratch() = default;
    explicit Scratch(Eigen::Index n) : x(zeros<vector_type>(n)), momentum(x), solved(x) {}
  };

  void evaluate_potential(state_type& z, const vector_type& q) const {
    z.potential = system_->potential().value(q);
    system_->acceleration(q, z.a);
  }

  /// Returns H - E0 with the velocity of z at the position of which z has the potential.
  [[nodiscard]] S energy_error(const state_type& z, Scratch& scratch) const {
    system_->mass().apply(z.v, scratch.momentum);
    return dot_product(z.v, scratch.momentum) / S(2) + z.potential - z.energy;
  }
  /// The kick by c (H - E0) grad sigma that has H with the velocity after it: a quadratic equation. False if it has no
  /// root.
  [[nodiscard]] bool implicit_kick(state_type& z, const S& c, Scratch& scratch) const {
    S e(0);
    if (!smaller_root(S(c * c / S(2) * dot_product(scratch.solved, z.g)), S(-(S(1) + c * dot_product(z.v, z.g))),
                      energy_error(z, scratch), e))
      return false;
    z.v -= (c * e) * scratch.solved;
    return true;
  }
  /// The kick by c (H - E0) grad sigma that has H with the velocity before it. False if the step back, which solves an
  /// equation here, would find another root: then the method is not its own adjoint any more.
  [[nodiscard]] bool explicit_kick(state_type& z, const S& c, Scratch& scratch) const {
    if (!(leading(S(c * dot_product(z.v, z.g))) < RealOf<S>(1))) return false;
    const S e = energy_error(z, scratch);
    z.v -= (c * e) * scratch.solved;
    return true;
  }
  /// Sets dt to the solution of dt = before + half sigma(q + dt v), from the guess that it is; scratch.x, z.density and
  /// z.g to the position there, sigma and its gradient.
  StepOutcome find_length(state_type& z, const S& before, const S& half, S& dt, Scratch& scratch) {
    const auto length = [&](const S& candidate, S& slope) {
      scratch.x = z.q + candidate * z.v;
      density_.gradient(scratch.x, z.g);
      slope = half * dot_product(z.g, z.v);
      z.density = density_.value(scratch.x);
      return S(before + half * z.density);
    };
    return solve_length(length, newton_, dt, work_);
  }

  StepOutcome kick_drift_kick(state_type& z, const S& h) {
    auto&& scratch = workspace_.get();
    if (!is_density(z.density)) return {Failure::no_step_density, -1};
    const S half = h / S(2);
    divide_by_mass(*system_, z.g, scratch.solved);
    z.v += (half * z.density) * z.a;
    if (!implicit_kick(z, half, scratch)) return {Failure::no_real_root, -1};

    S dt = h * z.density;
    if (const StepOutcome outcome = find_length(z, S(half * z.density), half, dt, scratch); !outcome.ok())
      return outcome;
    z.q = scratch.x;
    evaluate_potential(z, z.q);
    if (!is_density(z.density)) return {Failure::no_step_density, -1};

    divide_by_mass(*system_, z.g, scratch.solved);
    if (!explicit_kick(z, half, scratch)) return {Failure::no_real_root, -1};
    z.v += (half * z.density) * z.a;
    return advance_time(z, dt);
  }

  StepOutcome drift_kick_drift(state_type& z, const S& h) {
    auto&& scratch = workspace_.get();
    const S half = h / S(2);
    // The middle of the drift: half a step of the length d = h/2 sigma(q_k + d v_k).
    S d = half * density_.value(z.q);
    if (const StepOutcome outcome = find_length(z, S(0), half, d, scratch); !outcome.ok()) return outcome;
    evaluate_potential(z, scratch.x);
    if (!is_density(z.density)) return {Failure::no_step_density, -1};

    divide_by_mass(*system_, z.g, scratch.solved);
    if (!explicit_kick(z, half, scratch)) return {Failure::no_real_root, -1};
    z.v += (h * z.density) * z.a;
    if (!implicit_kick(z, half, scratch)) return {Failure::no_real_root, -1};
    const S rest = half * z.density;
    z.q = scratch.x + rest * z.v;
    return advance_time(z, S(d + rest));
  }

  Density density_;
  StepParts parts_;
  Workspace<Scratch, System::dimension> workspace_;
};

}  // namespace livi
