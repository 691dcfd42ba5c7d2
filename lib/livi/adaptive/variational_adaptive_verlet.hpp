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
/// symmetric rules. At the new position one gradient of W; besides, each iteration for the two unknowns lambda and dt takes
/// W, sigma and the gradients of both. The last one, which is at the new position and only confirms it, does without the
/// gradient of W, but with StepRule::midpoint.
template <class System, PositionDensity Density>
class VariationalAdaptiveVerlet : public AdaptiveOnSystem<System> {
  using Base = AdaptiveOnSystem<System>;
  using Base::system_, Base::newton_, Base::work_;

 public:
  using typename Base::S, typename Base::vector_type;

  /// The state also holds the multiplier of the last step, which guesses that of the next, and what the next step needs of
  /// the position it starts from: a = -M^-1 grad W, g = grad sigma, W and sigma.
  struct state_type : TimedState<S, System::dimension> {
    vector_type a, g;
    S multiplier{0}, potential{0}, density{0};
    auto fields() {
      return std::tie(this->q, this->v, this->t, this->last_step, this->energy, a, g, multiplier, potential, density);
    }
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
    auto z = this->template started<state_type>(q, v);
    z.a = z.g = zeros<vector_type>(q.size());
    z.density = density_.value(q);
    z.potential = system_->potential().value(q);
    density_.gradient(q, z.g);
    system_->acceleration(q, z.a);
    return z;
  }

  StepOutcome step(state_type& z, const S& h) {
    auto&& at = workspace_.get();
    if (!is_density(z.density)) return {Failure::no_step_density, -1};
    at.d1 = z.g;
    if (rule_ != StepRule::start) at.d1 /= S(2);
    divide_by_mass(*system_, at.d1, at.solved);
    at.dt = h * z.density;
    at.lambda = z.multiplier;
    const int limit = newton_.fixed_iterations > 0 ? newton_.fixed_iterations : newton_.max_iterations;
    Convergence convergence = Convergence::far;
    for (int iteration = 1; convergence != Convergence::confirmed; ++iteration) {
      if (iteration > limit) {
        if (newton_.fixed_iterations > 0) break;
        return {Failure::no_convergence, limit};
      }
      ++work_.newton_iterations;
      if (const StepOutcome outcome = iterate(z, h, at, iteration, convergence); !outcome.ok()) return outcome;
      if (convergence == Convergence::near && !can_confirm()) break;
    }
    if (convergence != Convergence::confirmed) {
      place(z, h, at);
      at.sigma = mean_density(z, at);
      if (by_time()) at.potential1 = system_->potential().value(at.x);
    }
    if (!is_density(at.sigma)) return {Failure::no_step_density, -1};
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
    vector_type d1, d2;          // D1 sigma and D2 sigma
    vector_type w, x, p, force;  // the velocity between, q_{k+1}, M w, grad W(q_{k+1})
    vector_type solved, by_dt, by_lambda, middle;
    S density1{0}, sigma{0}, potential1{0}, dt{0}, lambda{0};
    S j11{1}, j12{0}, j21{0}, j22{1}, determinant{1};  // Newton's matrix of the last iteration
    RealOf<S> size{0};                                 // of the last update, relative
    Scratch() : Scratch(0) {}
    explicit Scratch(Eigen::Index n)
        : d1(zeros<vector_type>(n)),
          d2(d1),
          w(d1),
          x(d1),
          p(d1),
          force(d1),
          solved(d1),
          by_dt(d1),
          by_lambda(d1),
          middle(d1) {}
  };
  /// What is known of dt and lambda: nothing; that their last update was below the tolerance; that they are the solution.
  enum class Convergence { far, near, confirmed };
  /// The residuals tell how far dt and lambda are from the solution only if D1 sigma does not depend on q_{k+1}: halfway it
  /// is that of the iteration before. Exact numbers have no size.
  [[nodiscard]] bool can_confirm() const {
    return !ScalarTraits<S>::exact && newton_.fixed_iterations == 0 && rule_ != StepRule::midpoint;
  }
  [[nodiscard]] bool by_time() const { return weight_ == PotentialWeight::time; }

  /// Sets w and x to what the guesses dt and lambda give, with D1 sigma at the last x.
  void place(const state_type& z, const S& h, Scratch& at) const {
    const S kick = (by_time() ? at.dt : S(h * z.density)) / S(2);
    at.w = z.v + kick * z.a - (at.lambda * h) * at.solved;
    at.x = z.q + at.dt * at.w;
  }
  /// Returns sigma(q_k, x), and sets its gradients.
  [[nodiscard]] S mean_density(const state_type& z, Scratch& at) const {
    switch (rule_) {
      case StepRule::start:
        return z.density;
      case StepRule::mean:
        density_.gradient(at.x, at.d2);
        at.d2 /= S(2);
        at.density1 = density_.value(at.x);
        return (z.density + at.density1) / S(2);
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
  /// One iteration of Newton's method for dt and lambda, with the gradients of sigma held. No gradient of W is needed to see
  /// that they are the solution: the update by the matrix of the last iteration differs from Newton's by that update times
  /// the change of the matrix.
  StepOutcome iterate(const state_type& z, const S& h, Scratch& at, int iteration, Convergence& convergence) const {
    const S half = S(1) / S(2);
    place(z, h, at);
    at.sigma = mean_density(z, at);
    if (!is_finite(at.sigma)) return {Failure::no_step_density, -1};
    system_->mass().apply(at.w, at.p);
    const S kinetic = half * dot_product(at.w, at.p);
    S potential = z.potential;
    if (by_time()) {
      at.potential1 = system_->potential().value(at.x);
      potential = half * (z.potential + at.potential1);
    }
    const S r1 = at.dt - h * at.sigma, r2 = at.lambda - kinetic - potential + z.energy;
    S of_dt(0), of_lambda(0);
    // lambda is a small difference of energies, known to the rounding of these.
    const RealOf<S> energies = magnitude(kinetic) + magnitude(potential) + magnitude(z.energy);
    const auto are_below = [&](const RealOf<S>& tolerance) {
      return magnitude(of_dt) <= tolerance * magnitude(at.dt) && magnitude(of_lambda) <= tolerance * energies;
    };
    // The larger one of the two updates, each over what its unknown is made of.
    const auto size_of_update = [&] {
      const RealOf<S> share = magnitude(of_dt) * energies, other = magnitude(of_lambda) * magnitude(at.dt);
      return RealOf<S>((share < other ? other : share) / (energies * magnitude(at.dt)));
    };
    if (iteration > 1 && can_confirm()) {
      of_dt = (r1 * at.j22 - r2 * at.j12) / at.determinant;
      of_lambda = (r2 * at.j11 - r1 * at.j21) / at.determinant;
      if (convergence == Convergence::near || are_below(rounding_of_equation(newton_)) ||
          is_noise<S>(size_of_update(), at.size, RealOf<S>(1))) {
        convergence = Convergence::confirmed;
        return {};
      }
    }
    system_->potential().gradient(at.x, at.force);
    at.by_dt = at.w;
    if (by_time()) at.by_dt += (half * at.dt) * z.a;
    at.by_lambda = (-at.dt * h) * at.solved;
    at.j11 = S(1) - h * dot_product(at.d2, at.by_dt);
    at.j12 = -h * dot_product(at.d2, at.by_lambda);
    at.j21 = S(0);
    at.j22 = S(1) + h * dot_product(at.w, at.d1);
    if (by_time()) {
      at.j21 = -half * dot_product(at.p, z.a) - half * dot_product(at.force, at.by_dt);
      at.j22 -= half * dot_product(at.force, at.by_lambda);
    }
    at.determinant = at.j11 * at.j22 - at.j12 * at.j21;
    if (magnitude(at.determinant) == RealOf<S>(0)) return {Failure::no_real_root, -1};
    of_dt = (r1 * at.j22 - r2 * at.j12) / at.determinant;
    of_lambda = (r2 * at.j11 - r1 * at.j21) / at.determinant;
    at.dt -= of_dt;
    at.lambda -= of_lambda;
    if (!is_finite(at.dt) || !is_finite(at.lambda)) return {Failure::not_finite, -1};
    if (newton_.fixed_iterations == 0 && are_below(newton_.tolerance)) convergence = Convergence::near;
    if (can_confirm()) at.size = size_of_update();
    return {};
  }
  /// Sets position, velocity and multiplier to those of the end: p_{k+1} = D2 L_d - h lambda D2 sigma.
  void finish(state_type& z, const S& h, Scratch& at) const {
    S kick = at.dt / S(2), end_energy = at.lambda;
    if (!by_time()) {
      kick = h * at.density1 / S(2);
      at.potential1 = system_->potential().value(at.x);
      end_energy += at.potential1 - z.potential;
    }
    divide_by_mass(*system_, at.d2, at.solved);
    system_->acceleration(at.x, z.a);
    z.v = at.w + kick * z.a;
    if (rule_ != StepRule::start) z.v -= (end_energy * h) * at.solved;
    z.q = at.x;
    z.potential = at.potential1;
    z.multiplier = at.lambda;
    if (rule_ == StepRule::mean) {
      z.density = at.density1;
      z.g = S(2) * at.d2;
    } else {
      z.density = density_.value(z.q);
      density_.gradient(z.q, z.g);
    }
  }

  Density density_;
  StepRule rule_;
  PotentialWeight weight_;
  Workspace<Scratch, System::dimension> workspace_;
};

}  // namespace livi
