// SPDX-License-Identifier: MIT
//
// The logarithmic Hamiltonian log(K(p) - E0) - log(-W(q)) (Mikkola and Tanikawa 1999; Preto and Tremaine 1999): an
// explicit symplectic method with steps in time dt = h / (K - E0), which on the orbit is h / -W. In the fictitious time
//
//   q' = M^-1 p / (K - E0),   t' = 1 / (K - E0)      with p, hence K, constant
//   p' = -grad W / -W                                with q constant
//
// so that drift-kick-drift takes no equation. On Kepler's problem its positions lie on the exact ellipse; only the time
// at which they are reached has an error, of order two.
#pragma once

#include <livi/adaptive/adaptive_step.hpp>

namespace livi {

/// Leapfrog with the logarithmic Hamiltonian, for potentials W < 0: order two in the time t, symmetric, symplectic in
/// the phase space extended by (t, -E0). One gradient and one value of W per step.
template <class System>
class LogarithmicHamiltonian : public AdaptiveOnSystem<System> {
  using Base = AdaptiveOnSystem<System>;
  using Base::system_, Base::newton_, Base::work_;

 public:
  using typename Base::S, typename Base::vector_type;
  using state_type = TimedState<S, System::dimension>;

  /// Keeps a reference to the system.
  explicit LogarithmicHamiltonian(const System& system)
      : Base(system, {}), a_(zeros<vector_type>(system.size())), momentum_(a_) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    return this->template started<state_type>(q, v);
  }

  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2);
    S dt(0);
    if (!drift(z, half, dt)) return {Failure::no_step_density, -1};
    const S depth = -system_->potential().value(z.q);
    if (!is_density(depth)) return {Failure::no_step_density, -1};
    system_->acceleration(z.q, a_);
    z.v += (h / depth) * a_;
    if (!drift(z, half, dt)) return {Failure::no_step_density, -1};
    return advance_time(z, dt);
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "LogarithmicHamiltonian",
            .source = "Mikkola and Tanikawa 1999; Preto and Tremaine 1999",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .memory = true,
            .stability_limit = undeclared,
            .cost = {.gradients = 1, .values = 1}};
  }

 private:
  /// Drifts by a fictitious time and adds the time to dt. False if K - E0 is not positive.
  [[nodiscard]] bool drift(state_type& z, const S& by, S& dt) {
    system_->mass().apply(z.v, momentum_);
    const S rate = dot_product(z.v, momentum_) / S(2) - z.energy;
    if (!is_density(rate)) return false;
    const S time = by / rate;
    z.q += time * z.v;
    dt += time;
    return true;
  }

  vector_type a_, momentum_;
};

}  // namespace livi
