// SPDX-License-Identifier: MIT
//
// The Hamiltonian adaptive Stoermer-Verlet method with its last line
//
//   p_{n+1} = p_{n+1/2} - h/2 (s_{k+1} grad W(q_{k+1}) + (H(p_{k+1/2}, q_{k+1}) - H0) grad sigma(q_{k+1}))
//
// as CS101 slide 13 prints it, with n where the lines before have k, and with other changes of it: to show what each
// does. Not for use.
#pragma once

#include <livi/adaptive/adaptive_step.hpp>

namespace livi::misprints {

/// What the last line is.
enum class LastLine {
  as_meant,               ///< n = k
  index_behind,           ///< n = k - 1: the momentum p_{n+1/2} is that of the step before, p_0 in the first
  gradient_of_the_start,  ///< n = k, and the gradient of sigma is that at q_k
  left_out,               ///< p_{k+1} = p_{k+1/2}
};

template <class System, PositionDensity Density>
class HamiltonianAdaptiveAsPrinted : public AdaptiveOnSystem<System> {
  using Base = AdaptiveOnSystem<System>;
  using Base::system_, Base::newton_, Base::work_;

 public:
  using typename Base::S, typename Base::vector_type;

  /// The state also holds the velocity in the middle of the last step.
  struct state_type : TimedState<S, System::dimension> {
    vector_type between;
  };

  HamiltonianAdaptiveAsPrinted(const System& system, Density density, LastLine last_line)
      : Base(system, {}), density_(std::move(density)), last_line_(last_line) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    auto z = this->template started<state_type>(q, v);
    z.between = v;
    return z;
  }

  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2), s0 = density_.value(z.q);
    vector_type a = z.q, g0 = z.q, g1 = z.q, solved = z.q, x = z.q;
    system_->acceleration(z.q, a);
    density_.gradient(z.q, g0);
    divide_by_mass(*system_, g0, solved);
    vector_type w = z.v + (half * s0) * a;
    S e(0);
    if (!smaller_root(S(half * half / S(2) * dot_product(solved, g0)), S(-(S(1) + half * dot_product(w, g0))),
                      energy_error(z, w, z.q), e))
      return {Failure::no_real_root, -1};
    w -= (half * e) * solved;

    S dt = h * s0;
    const auto length = [&](const S& candidate, S& slope) {
      x = z.q + candidate * w;
      density_.gradient(x, g1);
      slope = half * dot_product(g1, w);
      return S(half * (s0 + density_.value(x)));
    };
    if (const StepOutcome outcome = solve_length(length, newton_, dt, work_); !outcome.ok()) return outcome;
    z.q += dt * w;

    const vector_type before = last_line_ == LastLine::index_behind ? z.between : w;
    z.between = z.v = w;
    if (last_line_ != LastLine::left_out) {
      density_.gradient(z.q, g1);
      divide_by_mass(*system_, last_line_ == LastLine::gradient_of_the_start ? g0 : g1, solved);
      system_->acceleration(z.q, a);
      z.v = before + (half * density_.value(z.q)) * a - (half * energy_error(z, w, z.q)) * solved;
    }
    return advance_time(z, dt);
  }

 private:
  [[nodiscard]] S energy_error(const state_type& z, const vector_type& v, const vector_type& q) const {
    return system_->energy(q, v) - z.energy;
  }
  Density density_;
  LastLine last_line_;
};

}  // namespace livi::misprints
