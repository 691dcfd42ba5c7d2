// SPDX-License-Identifier: MIT
//
// The reversible adaptive Stoermer-Verlet method (CS101 slide 20):
//
//   v_{k+1/2} = v_k       + h/2 s_k     a(q_k)
//   q_{k+1}   = q_k       + h/2 (s_k + s_{k+1}) v_{k+1/2}
//   v_{k+1}   = v_{k+1/2} + h/2 s_{k+1} a(q_{k+1}),      a = -M^-1 grad W,
//
// with s_k = sigma(q_k, v_{k+1/2}) and s_{k+1} = sigma(q_{k+1}, v_{k+1/2}). (The slide lets s_{k+1} of one step be s_k of
// the next, which holds only for a density of the position.)
#pragma once

#include <livi/adaptive/adaptive_step.hpp>

namespace livi {

/// The reversible adaptive Verlet method: order two in the time t, symmetric, not symplectic. One gradient of W per
/// step, and what its equations for numbers take: one equation for a density of the position, each iteration of which
/// evaluates sigma and its gradient (the last one at the new position), and two otherwise, each iteration of which
/// evaluates sigma.
template <class System, class Density>
requires(PositionDensity<Density> || StateDensity<Density>) class ReversibleAdaptiveVerlet
    : public AdaptiveOnSystem<System> {
  using Base = AdaptiveOnSystem<System>;
  using Base::system_, Base::newton_, Base::work_;

 public:
  using typename Base::S, typename Base::vector_type;

  /// The state also holds what the next step needs of the position it starts from: a(q_k), and sigma(q_k) of a density of
  /// the position.
  struct state_type : TimedState<S, System::dimension> {
    vector_type a;
    S density{0};
    auto fields() { return std::tie(this->q, this->v, this->t, this->last_step, this->energy, a, density); }
  };

  /// Keeps a reference to the system and a copy of the density.
  ReversibleAdaptiveVerlet(const System& system, Density density, NewtonOptions<S> newton = {})
      : Base(system, newton), density_(std::move(density)), workspace_(system.size()) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    auto z = this->template started<state_type>(q, v);
    z.a = zeros<vector_type>(q.size());
    system_->acceleration(q, z.a);
    z.density = density_at(density_, q, v);
    return z;
  }

  StepOutcome step(state_type& z, const S& h) {
    auto&& at = workspace_.get();
    const S half = h / S(2);
    S before = z.density;
    if constexpr (!PositionDensity<Density>) {
      const auto density = [&](const S& s, S& value) -> StepOutcome {
        at.w = z.v + (half * s) * z.a;
        value = density_.value(z.q, at.w);
        return {};
      };
      if (const StepOutcome outcome = solve_fixed_point(density, newton_, before, work_); !outcome.ok()) return outcome;
    }
    if (!is_density(before)) return {Failure::no_step_density, -1};
    z.v += (half * before) * z.a;
    S dt = h * before;
    if constexpr (PositionDensity<Density>) {
      const auto length = [&](const S& candidate, S& slope) {
        at.x = z.q + candidate * z.v;
        density_.gradient(at.x, at.g);
        slope = half * dot_product(at.g, z.v);
        z.density = density_.value(at.x);
        return S(half * (before + z.density));
      };
      if (const StepOutcome outcome = solve_length(length, newton_, dt, work_); !outcome.ok()) return outcome;
      z.q = at.x;
    } else {
      const auto length = [&](const S& candidate, S& value) -> StepOutcome {
        at.x = z.q + candidate * z.v;
        value = half * (before + density_.value(at.x, z.v));
        return {};
      };
      if (const StepOutcome outcome = solve_fixed_point(length, newton_, dt, work_); !outcome.ok()) return outcome;
      z.q += dt * z.v;
      z.density = density_.value(z.q, z.v);
    }
    if (!is_density(z.density)) return {Failure::no_step_density, -1};
    system_->acceleration(z.q, z.a);
    z.v += (half * z.density) * z.a;
    return advance_time(z, dt);
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "ReversibleAdaptiveVerlet",
            .source = "CS101 slide 20",
            .order = 2,
            .symmetric = true,
            .linear_momentum = true,  // forces of W at one position at a time: all that Verlet keeps
            .angular_momentum = true,
            .rational = false,
            .memory = true,
            .stability_limit = undeclared,
            .cost = {.iterative = true}};
  }
  [[nodiscard]] const Density& density() const { return density_; }

 private:
  struct Scratch {
    vector_type x, w, g;  // a position, a velocity, grad sigma
    Scratch() = default;
    explicit Scratch(Eigen::Index n) : x(zeros<vector_type>(n)), w(x), g(x) {}
  };
  Density density_;
  Workspace<Scratch, System::dimension> workspace_;
};

}  // namespace livi
