// SPDX-License-Identifier: MIT
//
// The variational adaptive method (CS101 slides 14 to 16, with the signs as derived): a discrete Lagrangian
// L_d(q_k, q_{k+1}, dt) with the step dt = h sigma(q_k, q_{k+1}) prescribed by a multiplier lambda. The action sum of
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
class VariationalAdaptiveVerlet : public AdaptiveOnSystem<System> {
  using Base = AdaptiveOnSystem<System>;
  using Base::system_, Base::newton_, Base::work_;

 public:
  using typename Base::S, typename Base::vector_type;

  /// The state also holds the multiplier of the last step, which guesses that of the next.
  struct state_type : TimedState<S, System::dimension> {
    S multiplier{0};
    auto fields() { return std::tie(this->q, this->v, this->t, this->last_step, this->energy, multiplier); }
  };

  /// Keeps a reference to the system and a copy of the density. Throws InvalidParameter for weights by the density
  /// with another rule than the mean.
  VariationalAdaptiveVerlet(const System& system, Density density, StepRule rule = StepRule::mean,
                            PotentialWeight weight = PotentialWeight::time, NewtonOptions<S> newton = {})
      : Base(system, newton), density_(std::move(density)), rule_(rule), weight_(weight), workspace_(system.size()) {
    if (weight == PotentialWeight::density && rule != StepRule::mean)
      throw InvalidParameter("rule of the steps", static_cast<int>(rule),
                             "must be the mean with weights by the density");
  }

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    return this->template started<state_type>(q, v);
  }

  StepOutcome step(state_type& z, const S& h) {
    auto&& at = workspace_.get();
    at.density0 = density_.value(z.q);
    if (!is_density(at.density0)) return {Failure::no_step_density, -1};
    at.potential0 = system_->potential().value(z.q);
    system_->acceleration(z.q, at.a0);
    density_.gradient(z.q, at.d1);
    if (rule_ != StepRule::start) at.d1 /= S(2);
    divide_by_mass(*system_, at.d1, at.solved);
    at.dt = h * at.density0;
    at.lambda = z.multiplier;
    const int limit = newton_.fixed_iterations > 0 ? newton_.fixed_iterations : newton_.max_iterations;
    bool converged = false;
    for (int iteration = 1; !converged; ++iteration) {
      if (iteration > limit) return {Failure::no_convergence, limit};
      ++work_.newton_iterations;
      if (const StepOutcome outcome = iterate(z, h, at, converged); !outcome.ok()) return outcome;
      if (newton_.fixed_iterations > 0) converged = iteration == limit;
    }
    place(z, h, at);
    if (const S sigma = mean_density(z, at); !is_density(sigma)) return {Failure::no_step_density, -1};
    if (rule_ == StepRule::mean && !is_density(at.density1)) return {Failure::no_step_density, -1};
    finish(z, h, at);
    return advance_time(z, at.dt);
  }

  [[nodiscard]] Properties declares() const {
    const bool symmetric = rule_ != StepRule::start;
    return {.name = "VariationalAdaptiveVerlet",
            .source = "CS101 slides 14 to 19",
            .order = 2,
            .symmetric = symmetric,
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
    vector_type a0, d1, d2;      // a(q_k); D1 sigma and D2 sigma
    vector_type w, x, p, force;  // the velocity between, q_{k+1}, M w, grad W(q_{k+1})
    vector_type solved, by_dt, by_lambda, middle;
    S density0{0}, density1{0}, potential0{0}, dt{0}, lambda{0};
    Scratch() : Scratch(0) {}
    explicit Scratch(Eigen::Index n)
        : a0(zeros<vector_type>(n)),
          d1(a0),
          d2(a0),
          w(a0),
          x(a0),
          p(a0),
          force(a0),
          solved(a0),
          by_dt(a0),
          by_lambda(a0),
          middle(a0) {}
  };
  [[nodiscard]] bool by_time() const { return weight_ == PotentialWeight::time; }

  /// Sets w and x to what the guesses dt and lambda give, with D1 sigma at the last x.
  void place(const state_type& z, const S& h, Scratch& at) const {
    const S kick = (by_time() ? at.dt : S(h * at.density0)) / S(2);
    at.w = z.v + kick * at.a0 - (at.lambda * h) * at.solved;
    at.x = z.q + at.dt * at.w;
  }
  /// Returns sigma(q_k, x), and sets its gradients.
  [[nodiscard]] S mean_density(const state_type& z, Scratch& at) const {
    switch (rule_) {
      case StepRule::start:
        return at.density0;
      case StepRule::mean:
        density_.gradient(at.x, at.d2);
        at.d2 /= S(2);
        at.density1 = density_.value(at.x);
        return (at.density0 + at.density1) / S(2);
      case StepRule::midpoint:
        break;
    }
    at.middle = (z.q + at.x) / S(2);
    density_.gradient(at.middle, at.d2);
    at.d2 /= S(2);
    at.d1 = at.d2;
    divide_by_mass(*system_, at.d1, at.solved);
    return density_.value(at.middle);
  }
  /// One iteration of Newton's method for dt and lambda, with the gradients of sigma held.
  StepOutcome iterate(const state_type& z, const S& h, Scratch& at, bool& converged) const {
    const S half = S(1) / S(2);
    place(z, h, at);
    const S sigma = mean_density(z, at);
    if (!is_finite(sigma)) return {Failure::no_step_density, -1};
    system_->potential().gradient(at.x, at.force);
    system_->mass().apply(at.w, at.p);
    const S kinetic = half * dot_product(at.w, at.p);
    const S potential = by_time() ? S(half * (at.potential0 + system_->potential().value(at.x))) : at.potential0;
    at.by_dt = at.w;
    if (by_time()) at.by_dt += (half * at.dt) * at.a0;
    at.by_lambda = (-at.dt * h) * at.solved;
    const S r1 = at.dt - h * sigma, r2 = at.lambda - kinetic - potential + z.energy;
    const S j11 = S(1) - h * dot_product(at.d2, at.by_dt), j12 = -h * dot_product(at.d2, at.by_lambda);
    S j21(0), j22 = S(1) + h * dot_product(at.w, at.d1);
    if (by_time()) {
      j21 = -half * dot_product(at.p, at.a0) - half * dot_product(at.force, at.by_dt);
      j22 -= half * dot_product(at.force, at.by_lambda);
    }
    const S determinant = j11 * j22 - j12 * j21;
    if (magnitude(determinant) == RealOf<S>(0)) return {Failure::no_real_root, -1};
    const S of_dt = (r1 * j22 - r2 * j12) / determinant, of_lambda = (r2 * j11 - r1 * j21) / determinant;
    at.dt -= of_dt;
    at.lambda -= of_lambda;
    if (!is_finite(at.dt) || !is_finite(at.lambda)) return {Failure::not_finite, -1};
    // lambda is a small difference of energies, known to the rounding of these.
    const RealOf<S> energies = magnitude(kinetic) + magnitude(potential) + magnitude(z.energy);
    converged = magnitude(of_dt) <= newton_.tolerance * magnitude(at.dt) &&
                magnitude(of_lambda) <= newton_.tolerance * energies;
    return {};
  }
  /// Sets position, velocity and multiplier to those of the end: p_{k+1} = D2 L_d - h lambda D2 sigma.
  void finish(state_type& z, const S& h, Scratch& at) const {
    system_->acceleration(at.x, at.a0);
    S kick = at.dt / S(2), end_energy = at.lambda;
    if (!by_time()) {
      kick = h * at.density1 / S(2);
      end_energy += system_->potential().value(at.x) - at.potential0;
    }
    divide_by_mass(*system_, at.d2, at.solved);
    z.v = at.w + kick * at.a0;
    if (rule_ != StepRule::start) z.v -= (end_energy * h) * at.solved;
    z.q = at.x;
    z.multiplier = at.lambda;
  }

  Density density_;
  StepRule rule_;
  PotentialWeight weight_;
  Workspace<Scratch, System::dimension> workspace_;
};

}  // namespace livi
