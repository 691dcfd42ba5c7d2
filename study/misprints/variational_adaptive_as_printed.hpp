// SPDX-License-Identifier: MIT
//
// The variational adaptive method by the formulas of CS101 slide 16, with a sign at each of two places:
//
//   E_k = +- dL_d(q_{k-1}, q_k, t_{k-1}, t_k)/dt_k,   lambda_{k+1} = E_{k+1} - E_0,
//   D2 L_d(k-1, k) + D1 L_d(k, k+1) +- (h lambda_{k+1} D1 sigma(q_k, q_{k+1}) + h lambda_k D2 sigma(q_{k-1}, q_k)) = 0.
//
// Printed is + and +. dL_d/dt is minus the energy, so that the printed E_k, E_0 and lambda are minus the physical ones.
// L_d is that of velocity Verlet, sigma the mean of those of both positions. Not for use.
#pragma once

#include <livi/adaptive/adaptive_step.hpp>

namespace livi::misprints {

/// What E_k is.
enum class EnergyOfStep {
  derivative_in_time,  ///< dL_d/dt_k, as printed
  physical,            ///< -dL_d/dt_k
};
/// The sign of the terms with lambda.
enum class MultiplierTerms {
  plus,  ///< as printed
  minus,
};

template <class System, PositionDensity Density>
class VariationalAdaptiveAsPrinted : public AdaptiveOnSystem<System> {
  using Base = AdaptiveOnSystem<System>;
  using Base::system_, Base::newton_, Base::work_;

 public:
  using typename Base::S, typename Base::vector_type;

  /// The state has the physical energy of the start, whatever E_0 is made of it, and lambda of the last step.
  struct state_type : TimedState<S, System::dimension> {
    S multiplier{0};
  };

  VariationalAdaptiveAsPrinted(const System& system, Density density, EnergyOfStep energy, MultiplierTerms terms)
      : Base(system, {}), density_(std::move(density)), energy_(energy), terms_(terms) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    return this->template started<state_type>(q, v);
  }

  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2), sign(energy_ == EnergyOfStep::physical ? 1 : -1),
            // That of -+ h lambda D1 sigma in p_k, and of its opposite in p_{k+1}.
        of_terms(terms_ == MultiplierTerms::plus ? 1 : -1);
    const S s0 = density_.value(z.q), potential0 = system_->potential().value(z.q);
    vector_type a = z.q, g = z.q, solved = z.q, w = z.v, x = z.q, p = z.q;
    system_->acceleration(z.q, a);
    density_.gradient(z.q, g);
    divide_by_mass(*system_, g, solved);
    S dt = h * s0, lambda = z.multiplier;
    const int limit = 10 * newton_.max_iterations;
    bool converged = false;
    for (int iteration = 1; !converged; ++iteration) {
      if (iteration > limit) return {Failure::no_convergence, limit};
      ++work_.newton_iterations;
      w = z.v + (dt / S(2)) * a + (of_terms * half * lambda) * solved;
      x = z.q + dt * w;
      system_->mass().apply(w, p);
      const S kinetic = dot_product(w, p) / S(2), potential = (potential0 + system_->potential().value(x)) / S(2);
      const S next_dt = half * (s0 + density_.value(x)), next_lambda = sign * (kinetic + potential - z.energy);
      if (!is_finite(next_dt) || !is_finite(next_lambda)) return {Failure::no_step_density, -1};
      const auto energies = magnitude(kinetic) + magnitude(potential) + magnitude(z.energy);
      converged = magnitude(S(next_dt - dt)) <= newton_.tolerance * magnitude(dt) &&
                  magnitude(S(next_lambda - lambda)) <= newton_.tolerance * energies;
      dt = next_dt;
      lambda = next_lambda;
    }
    z.q += dt * w;
    z.multiplier = lambda;
    system_->acceleration(z.q, a);
    density_.gradient(z.q, g);
    divide_by_mass(*system_, g, solved);
    z.v = w + (dt / S(2)) * a + (of_terms * half * lambda) * solved;
    return advance_time(z, dt);
  }

 private:
  Density density_;
  EnergyOfStep energy_;
  MultiplierTerms terms_;
};

}  // namespace livi::misprints
