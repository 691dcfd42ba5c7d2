// SPDX-License-Identifier: MIT
//
// Adaptive steps for any method of the library: combinators that choose the step of an inner method, as compositions
// choose their stages. With y the state of the inner method and Phi_dt its step:
//
//   ExplicitSteps      dt = h sigma(y_k). What one does first; not symmetric (CS101 slides 4 to 8)
//   ReversibleSteps    dt = h (sigma(y_k) + sigma(y_{k+1})) / 2, y_{k+1} = Phi_dt(y_k): symmetric where Phi is
//   IntegratedSteps    explicit and symmetric where Phi is (Hairer and Soederlind 2005; CS101 slide 28):
//                      z_{k+1/2} = z_k + h/2 G(y_k), dt = h / z_{k+1/2}, z_{k+1} = z_{k+1/2} + h/2 G(y_{k+1}),
//                      G = -d(log sigma)/dt, so that z follows 1/sigma
//
// A density of the velocity, and the rate that IntegratedSteps takes, read the velocity of the inner method's state. That of
// SHAKE is not tangent and depends on the step before: around it only ReversibleSteps with a density of the position are
// symmetric. RATTLE has no such limit.
#pragma once

#include <livi/adaptive/adaptive_step.hpp>

namespace livi {

/// The state of an inner method with a clock.
template <class Inner, class S>
struct ControlledState : Inner {
  S t{0};
  S last_step{0};
  S control{0};  ///< z of IntegratedSteps
  auto fields() { return std::tuple_cat(Inner::fields(), std::tie(t, last_step, control)); }
};

namespace step_control_detail {

/// Returns the properties of an inner method that a choice of its steps leaves.
inline Properties controlled(Properties inner, const std::string& name, const std::string& source) {
  inner.name = name + " of " + inner.name;
  inner.source = source;
  inner.symplectic = inner.conjugate_symplectic = inner.rational = false;
  inner.memory = true;
  inner.stability_limit = undeclared;
  inner.cost = {.iterative = true};
  return inner;
}

/// What the three combinators share.
template <class Inner, class Density>
class Controlled {
 public:
  using system_type = typename Inner::system_type;
  using S = ScalarOf<system_type>;
  using vector_type = VectorOf<system_type>;
  using state_type = ControlledState<typename Inner::state_type, S>;

  Controlled(Inner inner, Density density) : inner_(std::move(inner)), density_(std::move(density)) {}

  /// Starts at q and v; of rigid bodies at the attitude and the angular velocity.
  template <class Q>
  [[nodiscard]] state_type start(const Q& q, const vector_type& v) const {
    const S sigma = density_at(density_, q, v);
    // A density of zero is refused by the first step; exact numbers would refuse to divide by it here.
    return {inner_.start(q, v), S(0), S(0), sigma == S(0) ? S(0) : S(S(1) / sigma)};
  }
  [[nodiscard]] const WorkCounters& work() const { return inner_.work(); }
  [[nodiscard]] const system_type& system() const { return inner_.system(); }
  [[nodiscard]] const Density& density() const { return density_; }
  [[nodiscard]] Inner& inner() { return inner_; }

 protected:
  [[nodiscard]] S density_of(const state_type& z) const { return density_at(density_, z.q, velocity_of(z)); }
  StepOutcome inner_step(state_type& z, const S& dt) {
    if (const StepOutcome outcome = inner_.step(z, dt); !outcome.ok()) return outcome;
    return advance_time(z, dt);
  }

  Inner inner_;
  Density density_;
};

}  // namespace step_control_detail

/// Steps dt = h sigma(y_k) of an inner method, whose order in the time t it keeps: a step is one of the inner method, of
/// some length. Neither symmetric nor symplectic, whatever the inner method is.
template <class Inner, class Density>
class ExplicitSteps : public step_control_detail::Controlled<Inner, Density> {
  using Base = step_control_detail::Controlled<Inner, Density>;

 public:
  ExplicitSteps(Inner inner, Density density) : Base(std::move(inner), std::move(density)) {}
  using typename Base::S, typename Base::state_type;

  StepOutcome step(state_type& z, const S& h) {
    const S sigma = this->density_of(z);
    if (!is_density(sigma)) return {Failure::no_step_density, -1};
    return this->inner_step(z, S(h * sigma));
  }
  [[nodiscard]] Properties declares() const {
    Properties p = step_control_detail::controlled(this->inner_.declares(), "ExplicitSteps", "CS101 slides 4 to 8");
    p.symmetric = false;
    return p;
  }
};

/// Steps of an inner method that are the mean of the densities at both ends. The step is an equation for one number,
/// each evaluation of which takes a step of the inner method; work() counts them as iterations.
template <class Inner, class Density>
class ReversibleSteps : public step_control_detail::Controlled<Inner, Density> {
  using Base = step_control_detail::Controlled<Inner, Density>;

 public:
  using typename Base::S, typename Base::state_type;

  ReversibleSteps(Inner inner, Density density, NewtonOptions<S> newton = {})
      : Base(std::move(inner), std::move(density)), newton_(newton) {
    newton_.validate();
  }

  StepOutcome step(state_type& z, const S& h) {
    const S before = this->density_of(z), half = h / S(2);
    if (!is_density(before)) return {Failure::no_step_density, -1};
    S dt = h * before;
    const auto length = [&](const S& candidate, S& value) -> StepOutcome {
      trial_ = z;
      if (const StepOutcome outcome = this->inner_.step(trial_, candidate); !outcome.ok()) return outcome;
      const S after = this->density_of(trial_);
      if (!is_density(after)) return {Failure::no_step_density, -1};
      value = half * (before + after);
      return {};
    };
    StepOutcome outcome = solve_fixed_point(length, newton_, dt, iterations_);
    if (outcome.ok()) outcome = this->inner_step(z, dt);
    work_ = this->inner_.work();
    work_.newton_iterations += iterations_.newton_iterations;
    return outcome;
  }
  /// Returns the work of the inner method, and the iterations for the length of the step besides its own.
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] Properties declares() const {
    return step_control_detail::controlled(this->inner_.declares(), "ReversibleSteps",
                                           "CS101 slide 20; Hut et al. 1995");
  }

 private:
  NewtonOptions<S> newton_;
  state_type trial_{};  // kept, so that a step allocates nothing
  WorkCounters iterations_, work_;
};

/// The explicit, reversible step control of Hairer and Soederlind: no equation is solved. The density's gradient, or
/// its log_rate, is evaluated once a step.
template <class Inner, class Density>
class IntegratedSteps : public step_control_detail::Controlled<Inner, Density> {
  using Base = step_control_detail::Controlled<Inner, Density>;

 public:
  IntegratedSteps(Inner inner, Density density) : Base(std::move(inner), std::move(density)), gradient_(room()) {}
  using typename Base::S, typename Base::state_type, typename Base::vector_type;

  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2);
    if (!is_density(this->density_of(z))) return {Failure::no_step_density, -1};
    z.control -= half * log_rate(z);
    if (!is_density(z.control)) return {Failure::no_step_density, -1};
    const S middle = z.control;
    if (const StepOutcome outcome = this->inner_step(z, S(h / middle)); !outcome.ok()) return outcome;
    z.control -= half * log_rate(z);
    return is_density(z.control) ? StepOutcome{} : StepOutcome{Failure::no_step_density, -1};
  }
  [[nodiscard]] Properties declares() const {
    return step_control_detail::controlled(this->inner_.declares(), "IntegratedSteps",
                                           "Hairer and Soederlind 2005; CS101 slide 28");
  }

 private:
  /// Returns d(log sigma)/dt along the motion.
  [[nodiscard]] S log_rate(const state_type& z) {
    if constexpr (PositionDensity<Density>) {
      this->density_.gradient(z.q, gradient_);
      return dot_product(gradient_, z.v) / this->density_.value(z.q);
    } else {
      return this->density_.log_rate(z.q, velocity_of(z));
    }
  }
  [[nodiscard]] vector_type room() const {
    if constexpr (PositionDensity<Density>) return zeros<vector_type>(this->system().size());
    return zeros<vector_type>();
  }

  vector_type gradient_;
};

}  // namespace livi
