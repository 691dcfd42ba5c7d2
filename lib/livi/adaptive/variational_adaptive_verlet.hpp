// SPDX-License-Identifier: MIT
//
// The variational adaptive method (CS101 slides 14 to 19; numbers of slides as in the text, whose corrections are
// made): a discrete Lagrangian L_d(q_k, q_{k+1}, dt) with the step dt = h sigma(q_k, q_{k+1}) prescribed by a
// multiplier lambda. The action sum of
//
//   L_d(q_k, q_{k+1}, dt_{k+1}) + lambda_{k+1} (dt_{k+1} - h sigma(q_k, q_{k+1}))
//
// is stationary in q, t and lambda. With E_{k+1} = -dL_d/d(dt) the variation of t gives lambda_{k+1} = E_{k+1} - E0,
// that of q
//
//   p_k = -D1 L_d + h lambda_{k+1} D1 sigma,      p_{k+1} = D2 L_d - h lambda_{k+1} D2 sigma.
//
// The same step comes from L_d(q_k, q_{k+1}, h sigma) + E0 h sigma, in which dt is substituted. Here L_d is that of
// velocity Verlet,
//
//   L_d = d . M d / (2 dt) - dt (W(q_k) + W(q_{k+1})) / 2,   d = q_{k+1} - q_k,
//
// or, with weights, the one whose potential part is -h (sigma(q_k) W(q_k) + sigma(q_{k+1}) W(q_{k+1})) / 2. With the
// mean of sigma at both ends the latter is the Hamiltonian method of CS101 slide 13, to rounding.
#pragma once

#include <livi/adaptive/adaptive_step.hpp>

namespace livi {

/// The rules sigma(q_k, q_{k+1}) made of a density of the position.
enum class StepRule {
  start,     ///< sigma(q_k): dt is explicit, only lambda is not. Not symmetric
  mean,      ///< (sigma(q_k) + sigma(q_{k+1})) / 2
  midpoint,  ///< sigma((q_k + q_{k+1}) / 2)
};

/// How the potential enters the discrete Lagrangian.
enum class PotentialWeight {
  time,     ///< by the time of the step: velocity Verlet's Lagrangian
  density,  ///< by the densities at both ends; with StepRule::mean only
};

/// The variational adaptive Verlet method: symplectic for fixed E0, of order two in the time t, symmetric for the
/// symmetric rules. Each iteration for the two unknowns lambda and dt takes a gradient of W and one of sigma.
template <class System, PositionDensity Density>
class VariationalAdaptiveVerlet {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;

  /// With the multiplier of the last step, which guesses that of the next.
  struct state_type : TimedState<S, System::dimension> {
    S multiplier{0};
    auto fields() { return std::tie(this->q, this->v, this->t, this->last_step, this->energy, multiplier); }
  };

  /// Keeps a reference to the system and a copy of the density. Throws InvalidParameter for weights by the density
  /// with another rule than the mean.
  VariationalAdaptiveVerlet(const System& system, Density density, StepRule rule = StepRule::mean,
                            PotentialWeight weight = PotentialWeight::time, NewtonOptions<S> newton = {})
      : system_(&system), density_(std::move(density)), rule_(rule), weight_(weight), newton_(newton) {
    newton_.validate();
    if (weight == PotentialWeight::density && rule != StepRule::mean)
      throw InvalidParameter("rule of the steps", static_cast<int>(rule),
                             "must be the mean with weights by the density");
  }

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    state_type z;
    z.q = q;
    z.v = v;
    z.energy = system_->energy(q, v);
    return z;
  }

  StepOutcome step(state_type& z, const S& h) {
    const auto n = z.q.size();
    const S half = S(1) / S(2), sigma0 = density_.value(z.q), potential0 = system_->potential().value(z.q);
    if (!is_density(sigma0)) return {Failure::no_step_density, -1};
    vector_type a0 = zeros<vector_type>(n), g0 = a0, g1 = a0, g2 = a0, a1 = a0, force1 = a0, w = z.v, x = z.q,
                solved = a0, by_step = a0, by_multiplier = a0;
    system_->acceleration(z.q, a0);
    density_.gradient(z.q, g0);
    const bool by_time = weight_ == PotentialWeight::time;
    S dt = h * sigma0, lambda = z.multiplier, potential1(0), sigma1(0);

    // Sets w, x and all that belongs to the guesses dt and lambda; g1 and g2 are D1 sigma and D2 sigma at the last x.
    const auto place = [&] {
      w = z.v + (by_time ? S(half * dt) : S(half * h * sigma0)) * a0 - (lambda * h) * solved;
      x = z.q + dt * w;
    };
    const auto rule = [&]() -> S {
      switch (rule_) {
        case StepRule::start:
          return sigma0;
        case StepRule::mean:
          density_.gradient(x, g2);
          g2 *= half;
          sigma1 = density_.value(x);
          return half * (sigma0 + sigma1);
        case StepRule::midpoint:
          break;
      }
      const vector_type middle = half * (z.q + x);
      density_.gradient(middle, g2);
      g2 *= half;
      g1 = g2;
      return density_.value(middle);
    };
    g1 = rule_ == StepRule::start ? g0 : vector_type(half * g0);
    solved = system_->velocity(g1);

    const int limit = newton_.fixed_iterations > 0 ? newton_.fixed_iterations : newton_.max_iterations;
    int iteration = 0;
    for (bool converged = false; !converged;) {
      if (++iteration > limit) return {Failure::no_convergence, limit};
      ++work_.newton_iterations;
      place();
      const S sigma = rule();
      if (rule_ == StepRule::midpoint) solved = system_->velocity(g1);
      potential1 = system_->potential().value(x);
      system_->potential().gradient(x, force1);
      const vector_type p = system_->momentum(w);
      const S kinetic = half * dot_product(w, p), inner = by_time ? S(half * (potential0 + potential1)) : potential0;
      // Derivatives of the residuals in dt and lambda, with the gradients of sigma held.
      by_step = w;
      if (by_time) by_step += (half * dt) * a0;
      by_multiplier = (-dt * h) * solved;
      const S r1 = dt - h * sigma, r2 = lambda - kinetic - inner + z.energy;
      const S j11 = S(1) - h * dot_product(g2, by_step), j12 = -h * dot_product(g2, by_multiplier);
      S j21(0), j22 = S(1) + h * dot_product(w, g1);
      if (by_time) {
        j21 = -half * dot_product(p, a0) - half * dot_product(force1, by_step);
        j22 -= half * dot_product(force1, by_multiplier);
      }
      const S determinant = j11 * j22 - j12 * j21;
      if (magnitude(determinant) == RealOf<S>(0)) return {Failure::no_real_root, iteration};
      const S of_step = (r1 * j22 - r2 * j12) / determinant, of_multiplier = (r2 * j11 - r1 * j21) / determinant;
      dt -= of_step;
      lambda -= of_multiplier;
      if (!is_finite(dt) || !is_finite(lambda)) return {Failure::not_finite, iteration};
      if (newton_.fixed_iterations > 0) {
        converged = iteration == limit;
      } else {
        // lambda is a small difference of energies, known to the rounding of these.
        const RealOf<S> energies = magnitude(kinetic) + magnitude(inner) + magnitude(z.energy);
        converged = magnitude(of_step) <= newton_.tolerance * magnitude(dt) &&
                    magnitude(of_multiplier) <= newton_.tolerance * energies;
      }
    }
    place();
    const S sigma = rule();
    if (!is_density(sigma)) return {Failure::no_step_density, -1};
    const S density1 = rule_ == StepRule::mean ? sigma1 : sigma;
    if (!is_density(density1)) return {Failure::no_step_density, -1};
    system_->acceleration(x, a1);
    solved = system_->velocity(g2);
    S end_energy = lambda;
    if (!by_time) end_energy = lambda + system_->potential().value(x) - potential0;
    z.v = w + (by_time ? S(half * dt) : S(half * h * sigma1)) * a1 - (end_energy * h) * solved;
    z.q = x;
    z.multiplier = lambda;
    return advance_time(z, dt);
  }

  [[nodiscard]] Properties declares() const {
    const bool symmetric = rule_ != StepRule::start;
    return {.name = "VariationalAdaptiveVerlet",
            .source = "CS101 slides 14 to 19",
            .order = 2,
            .symmetric = symmetric,
            .symplectic = true,
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
  const System* system_;
  Density density_;
  StepRule rule_;
  PotentialWeight weight_;
  NewtonOptions<S> newton_;
  WorkCounters work_;
};

}  // namespace livi
