// SPDX-License-Identifier: MIT
//
// Methods for constrained systems under noise that are not variational, as controls of tests and for comparison:
//
//   ProjectedEulerMaruyama   q* = q + h v,  v* = v - h M^-1 grad V(q) + M^-1 sum_i dW_i grad gamma_i(q)
//   ProjectedHeun            the trapezoidal rule with an Euler predictor on the equations without multipliers,
//                              dq = v dt,  dv = (I - M^-1 G^T (G M^-1 G^T)^-1 G)(-M^-1 grad V dt + sum_i M^-1 grad gamma_i dW_i)
//                                               - M^-1 G^T (G M^-1 G^T)^-1 (v.g''.v) dt
//   UnprojectedNoise         RATTLE without noise, and then v = v + M^-1 sum_i dW_i grad gamma_i(q) without a multiplier: the
//                            velocity leaves the tangent space by the normal part of the kick, of the size of h^(1/2)
//
// The first two move q* to the constraint along M^-1 G(q_k)^T and project v* onto the tangent space there, so that both
// constraints hold. Neither is symplectic: the multiplier that moved the position does not act on the momentum.
//
// Strong orders, by the distance of (q, p), in the words of commutator_rattle.hpp. The first two take the increments
// only. Positions have h dW or h dW/2 in the place of I10: a word of weight 3/2 with mean zero is wrong, and the order is
// one, whatever the K_ij. Where the gradients of the noises are normal to the manifold and to its neighbours g = constant,
// there is no noise. Heun's method projects them where it takes them, and has its order without noise, two. Euler and
// Maruyama's projects the kick at q_k with the normal at q_{k+1}: a part of -h dW times the rate of the gradient, projected,
// stays, which is of weight 3/2 with mean zero, so that the order would be one without its own error, too.
//
// The third loses nothing for good: the multiplier of the next step acts along G^T where the kick was, and takes its normal
// part away. Positions are those of the projected kick dW at the end of the step, of order one. But after the last
// step the normal part of the last kick stays in the velocity: order 1/2, unless the gradients are tangent.
#pragma once

#include <livi/stochastic/stochastic_rattle.hpp>

namespace livi {

/// The projections of position and velocity that both methods share.
template <class System>
class ProjectedStep {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;

  ProjectedStep(const System& system, NewtonOptions<S> newton)
      : multipliers_(system, newton), next_(zeros<vector_type>(system.size())) {}

  /// Moves q to the projection of q_star, and projects v there.
  StepOutcome project(const System& system, const vector_type& q_star, vector_type& q, vector_type& v,
                      WorkCounters& work) {
    multipliers_.set_directions(system, q);
    system.constraint().value(q, mu_);  // gives it its size
    mu_.setConstant(S(0));
    if (const StepOutcome outcome = multipliers_.solve_nearest_position(system, q, q_star, mu_, next_, work);
        !outcome.ok())
      return outcome;
    q = next_;
    multipliers_.set_directions(system, q);
    return multipliers_.project_velocity(system, q, v, mu_, work);
  }

 private:
  MultiplierSolve<System> multipliers_;
  vector_type next_;
  typename System::multiplier_type mu_ = zeros<typename System::multiplier_type>();
};

/// Euler and Maruyama's method with projections: strong order one where the noise does not depend on the velocity.
template <class System>
class ProjectedEulerMaruyama {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using state_type = PhaseState<S, System::dimension>;

  explicit ProjectedEulerMaruyama(const System& system, NewtonOptions<S> newton = {})
      : system_(&system),
        projections_(system, newton),
        acceleration_(zeros<vector_type>(system.size())),
        star_(acceleration_),
        impulse_(acceleration_) {}

  /// Returns the state of q and v. Throws InvalidParameter unless q is on the constraint manifold and v tangent to it.
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    system_->require_consistent(q, v, RealOf<S>(4096) * ScalarTraits<S>::epsilon());
    return {q, v};
  }
  StepOutcome step(state_type& z, const S& h) {
    return step_with(z, h, [](Eigen::Index) { return S(0); });
  }
  StepOutcome step(state_type& z, const S& h, StepNoise<S> noises) {
    require_noises(*system_, noises);
    return step_with(z, h, [&](Eigen::Index i) { return noises[static_cast<std::size_t>(i)].increment; });
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "ProjectedEulerMaruyama",
            .source = "Maruyama 1955",
            .order = 1,
            .linear_momentum = true,
            .rational = false,
            .cost = {.iterative = true}};
  }
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    return {.deterministic = declares(), .strong_order = 1, .strong_order_for_constant_products = 1};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  template <class Weight>
  StepOutcome step_with(state_type& z, const S& h, const Weight& increment) {
    system_->acceleration(z.q, acceleration_);
    star_ = z.q + h * z.v;
    z.v += h * acceleration_;
    system_->kick(z.q, increment, impulse_, z.v);
    return projections_.project(*system_, star_, z.q, z.v, work_);
  }

  const System* system_;
  ProjectedStep<System> projections_;
  vector_type acceleration_, star_, impulse_;
  WorkCounters work_;
};

/// Heun's method with projections: order two without noise.
template <class System>
class ProjectedHeun {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using multiplier_type = typename System::multiplier_type;
  using state_type = PhaseState<S, System::dimension>;

  explicit ProjectedHeun(const System& system, NewtonOptions<S> newton = {})
      : system_(&system),
        projections_(system, newton),
        matrix_(system.mass()),
        impulse_(zeros<vector_type>(system.size())),
        first_(impulse_),
        second_(impulse_),
        predicted_(impulse_),
        star_(impulse_) {
    // An uninitialised double may be a signalling NaN when it is copied.
    if constexpr (requires { jacobian_.setConstant(S(0)); }) jacobian_.setConstant(S(0));
  }

  /// Returns the state of q and v. Throws InvalidParameter unless q is on the constraint manifold and v tangent to it.
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    system_->require_consistent(q, v, RealOf<S>(4096) * ScalarTraits<S>::epsilon());
    return {q, v};
  }
  StepOutcome step(state_type& z, const S& h) {
    return step_with(z, h, [](Eigen::Index) { return S(0); });
  }
  StepOutcome step(state_type& z, const S& h, StepNoise<S> noises) {
    require_noises(*system_, noises);
    return step_with(z, h, [&](Eigen::Index i) { return noises[static_cast<std::size_t>(i)].increment; });
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "ProjectedHeun",
            .source = "Kloeden and Platen 1992",
            .order = 2,
            .linear_momentum = true,
            .rational = false,
            .cost = {.iterative = true, .gradients = 2}};
  }
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    return {.deterministic = declares(), .strong_order = 1, .strong_order_for_constant_products = 1};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  template <class Weight>
  StepOutcome step_with(state_type& z, const S& h, const Weight& increment) {
    if (const StepOutcome outcome = change(z.q, z.v, h, increment, first_); !outcome.ok()) return outcome;
    predicted_ = z.v + first_;
    star_ = z.q + h * z.v;
    if (const StepOutcome outcome = change(star_, predicted_, h, increment, second_); !outcome.ok()) return outcome;
    star_ = z.q + (h / S(2)) * (z.v + predicted_);
    z.v += (first_ + second_) / S(2);
    return projections_.project(*system_, star_, z.q, z.v, work_);
  }
  /// Sets dv to the change of the velocity at (q, v): with multipliers, G dv = -h v.g''.v.
  template <class Weight>
  StepOutcome change(const vector_type& q, const vector_type& v, const S& h, const Weight& increment, vector_type& dv) {
    system_->acceleration(q, dv);
    dv *= h;
    system_->kick(q, increment, impulse_, dv);
    system_->constraint().jacobian(q, jacobian_);
    matrix_.set_directions(system_->mass(), jacobian_);
    if (const StepOutcome outcome = work_.record(matrix_.factor(jacobian_)); !outcome.ok()) return outcome;
    multiply(jacobian_, dv, multiplier_);
    system_->constraint().curvature(q, v, curvature_);
    multiplier_ = -multiplier_ - h * curvature_;
    matrix_.solve_in_place(multiplier_);
    matrix_.push(multiplier_, impulse_);
    dv += impulse_;
    return {};
  }

  const System* system_;
  ProjectedStep<System> projections_;
  MultiplierMatrix<typename System::jacobian_type, typename System::mass_type> matrix_;
  typename System::jacobian_type jacobian_;
  multiplier_type multiplier_ = zeros<multiplier_type>(), curvature_ = zeros<multiplier_type>();
  vector_type impulse_, first_, second_, predicted_, star_;
  WorkCounters work_;
};

/// RATTLE and then the noise, without a multiplier for it: what happens if the noise's projection is forgotten.
template <class System>
class UnprojectedNoise {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using state_type = typename Rattle<System>::state_type;

  explicit UnprojectedNoise(const System& system, NewtonOptions<S> newton = {})
      : rattle_(system, newton), impulse_(zeros<vector_type>(system.size())) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return rattle_.start(q, v); }
  StepOutcome step(state_type& z, const S& h) { return rattle_.step(z, h); }
  StepOutcome step(state_type& z, const S& h, StepNoise<S> noises) {
    require_noises(system(), noises);
    if (const StepOutcome outcome = rattle_.step(z, h, NearestMultiplier{}); !outcome.ok()) return outcome;
    system().kick(
        z.q, [&](Eigen::Index i) { return noises[static_cast<std::size_t>(i)].increment; }, impulse_, z.v);
    return {};
  }

  [[nodiscard]] Properties declares() const {
    Properties properties = rattle_.declares();
    properties.name = "UnprojectedNoise";
    properties.source = "livi, as a control";
    // Off the tangent space there is no form that a step could keep.
    properties.symplectic = false;
    return properties;
  }
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    return {.deterministic = declares(), .strong_order = 0.5};
  }
  [[nodiscard]] const WorkCounters& work() const { return rattle_.work(); }
  [[nodiscard]] const System& system() const { return rattle_.system(); }

 private:
  struct NearestMultiplier {
    static constexpr bool nearest = true;
    void at_start(const vector_type&, vector_type&) const {}
    void at_end(const vector_type&, vector_type&) const {}
  };

  Rattle<System> rattle_;
  vector_type impulse_;
};

}  // namespace livi
