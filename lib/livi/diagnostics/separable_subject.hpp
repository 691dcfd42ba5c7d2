// SPDX-License-Identifier: MIT
//
// Any integrator for H(q, p, t) = T(p) + V(q, t), T not quadratic, V depending on time, as a Subject. Its points are
// the n positions followed by the time, and the n momenta. The method must offer, in order of preference where there is
// a choice:
//
//   declares()                            static or not, -> Properties
//   start(q, p, t)                        or nothing: then its state is (q, p, t)
//   step(state, h) -> StepOutcome | void  advances state.t, too; or step(q, p, t, h) -> StepOutcome | void, q and p by
//                                         reference, t the time at the beginning of the step
//   state.q, .p, .t, state.fields()       as in integrators/integrator.hpp
//
// It is compiled for double, Float50, Dual<Float50> and FunctionOfStep (diagnostics/subject.hpp): linear stability is
// decided exactly where a step on the oscillator is a rational function of h; everything else is measured.
#pragma once

#include <livi/diagnostics/subject.hpp>
#include <livi/systems/any_separable.hpp>

#include <algorithm>
#include <optional>

namespace livi {

template <class S>
struct SeparableProblem {
  std::string name;
  ProblemRole role;
  AnySeparable<S> system;
  std::vector<LinearSymmetry<S>> symmetries;  ///< matrices of n x (n + 1): the time does not take part
  std::vector<PhasePoint<S>> points;
};

/// Returns the problems for separable Hamiltonians: T of degree four with V depending on time; T of degrees two to
/// four; p.M^-1 p/2 with full M and V depending on time; a rotation; translations, broken by 1e-6 at the end; a regular
/// orbit of an autonomous Hamiltonian with quartic T; the oscillator. Start times are not zero. Then follow problems
/// drawn at random: T and V polynomials with 1, 4 and 9 degrees of freedom, and three particles in the plane, at times
/// up to 64, before zero and after it. Compiled once (battery library).
template <class S>
const std::vector<SeparableProblem<S>>& separable_problems();
template <>
const std::vector<SeparableProblem<double>>& separable_problems<double>();
template <>
const std::vector<SeparableProblem<Float50>>& separable_problems<Float50>();
template <>
const std::vector<SeparableProblem<Dual<Float50>>>& separable_problems<Dual<Float50>>();
const std::vector<ProblemSummary>& separable_problem_summaries();
/// Returns the oscillator T = p^2/2, V = q^2/2.
const AnySeparable<FunctionOfStep>& separable_oscillator_in_functions_of_step();
/// Returns the exact flow of a fixed problem, with an error below 1e-25.
PhasePoint<Float50> separable_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time);
PhasePoint<Float50> separable_short_flow(std::size_t problem, std::size_t point, const Float50& time);
/// Returns the Henon-Heiles problem, which counts its forces.
AnySeparable<double> counting_separable(std::shared_ptr<CountedCost> counts);

/// The state of a method without memory: position, momentum and time.
template <class S>
struct PlainSeparableState {
  Vector<S, Dynamic> q, p;
  S t{0};
  auto fields() { return std::tie(q, p, t); }
};

/// The Subject of a method for separable Hamiltonians. Factory: `auto operator()(const AnySeparable<S>&) const ->
/// method`, for all types S named at the head of this file.
template <class Factory>
class SeparableSubject final : public Subject {
 public:
  explicit SeparableSubject(Factory factory) : factory_(std::move(factory)) {}

  [[nodiscard]] SubjectKind kind() const override { return SubjectKind::separable; }
  [[nodiscard]] Properties declares() const override {
    const auto& system = separable_problems<double>().front().system;
    return factory_(system).declares();
  }
  [[nodiscard]] const std::vector<ProblemSummary>& problems() const override { return separable_problem_summaries(); }
  [[nodiscard]] std::unique_ptr<AnyStepper<double>> in_double(std::size_t problem) const override {
    return std::make_unique<Stepper<double>>(separable_problems<double>()[problem].system, factory_);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Float50>> in_50_digits(std::size_t problem) const override {
    return std::make_unique<Stepper<Float50>>(separable_problems<Float50>()[problem].system, factory_);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Dual<Float50>>> in_duals(std::size_t problem) const override {
    return std::make_unique<Stepper<Dual<Float50>>>(separable_problems<Dual<Float50>>()[problem].system, factory_);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<FunctionOfStep>> in_functions_of_step(std::size_t problem) const override {
    if (problems()[problem].role != ProblemRole::oscillator) return nullptr;
    return std::make_unique<Stepper<FunctionOfStep>>(separable_oscillator_in_functions_of_step(), factory_);
  }
  [[nodiscard]] PhasePoint<Float50> exact(std::size_t problem, const PhasePoint<Float50>& from,
                                          const Float50& time) const override {
    return separable_exact(problem, from, time);
  }
  [[nodiscard]] PhasePoint<Float50> short_flow(std::size_t problem, std::size_t point,
                                               const Float50& time) const override {
    return separable_short_flow(problem, point, time);
  }
  /// Returns dq ^ dp of the positions: the time is a parameter.
  [[nodiscard]] Float50 form(const PhasePoint<Float50>&, const PhasePoint<Float50>& a,
                             const PhasePoint<Float50>& b) const override {
    Float50 sum = 0;
    for (Eigen::Index i = 0; i < a.p.size(); ++i) sum += a.q(i) * b.p(i) - a.p(i) * b.q(i);
    return sum;
  }
  /// Returns the number of counted runs, of which the second is backwards. Only forces are counted, for velocities cost
  /// little.
  [[nodiscard]] int counted_runs() const override { return 2; }
  bool count(CountedCost& cost, int run) const override {
    const auto counts = std::make_shared<CountedCost>();
    Stepper<double> stepper(counting_separable(counts), factory_);
    const auto on_orbit = std::ranges::find(problems(), ProblemRole::long_run, &ProblemSummary::role);
    stepper.start(convert_point<double>(on_orbit->points.front()));
    constexpr int steps = 64;
    const double h = run == 0 ? 0.125 : -0.0625;
    if (!stepper.step(h).ok()) return false;
    *counts = {};
    for (int k = 0; k < steps; ++k)
      if (!stepper.step(h).ok()) return false;
    cost = {.gradients = counts->gradients / steps, .linear_solves = std::numeric_limits<double>::quiet_NaN()};
    return true;
  }

 private:
  template <class S>
  class Stepper final : public AnyStepper<S> {
   public:
    using Method = decltype(std::declval<const Factory&>()(std::declval<const AnySeparable<S>&>()));

    Stepper(const AnySeparable<S>& system, const Factory& factory)
        : turning_(system), system_(turning_, system.size()), factory_(factory) {
      method_.emplace(factory_(system_));
    }
    /// Starts at a point; a point without a time is one at time 0.
    void start(const PhasePoint<S>& z) override {
      turning_.reset();
      method_.emplace(factory_(system_));  // so that nothing is remembered
      const Eigen::Index n = system_.size();
      state_.emplace(start_of(*method_, Vector<S, Dynamic>(z.q.head(n)), z.p, z.q.size() > n ? z.q(n) : S(0)));
    }
    StepOutcome step(const S& h) override {
      if constexpr (requires {
                      { method_->step(*state_, h) } -> std::same_as<StepOutcome>;
                    }) {
        return method_->step(*state_, h);
      } else if constexpr (requires { method_->step(*state_, h); }) {
        method_->step(*state_, h);
        return {};
      } else {
        const S now = state_->t;  // a copy, which the method cannot change
        if constexpr (requires {
                        { method_->step(state_->q, state_->p, now, h) } -> std::same_as<StepOutcome>;
                      }) {
          const StepOutcome outcome = method_->step(state_->q, state_->p, now, h);
          state_->t += h;
          return outcome;
        } else {
          method_->step(state_->q, state_->p, now, h);
          state_->t += h;
          return {};
        }
      }
    }
    /// Returns the present point. Its time is that of the system, which runs backwards after reverse().
    PhasePoint<S> point() override {
      const Eigen::Index n = system_.size();
      PhasePoint<S> z{Vector<S, Dynamic>(n + 1), state_->p};
      for (Eigen::Index i = 0; i < n; ++i) z.q(i) = state_->q(i);
      z.q(n) = turning_.system_time(state_->t);
      return z;
    }
    PhasePoint<S> canonical(const PhasePoint<S>& z, const S&) override { return z; }
    void reverse() override {
      state_->p = -state_->p;
      turning_.turn(state_->t);
    }
    S energy(const PhasePoint<S>& z) override {
      const Eigen::Index n = system_.size();
      return system_.energy(Vector<S, Dynamic>(z.q.head(n)), z.p, z.q(n));
    }
    RealOf<S> constraint_defect() override { return RealOf<S>(0); }
    std::string save() override { return subject_detail::save<S>(*state_); }
    void load(const std::string& text) override { subject_detail::load<S>(text, *state_); }

   private:
    static auto start_of(const Method& method, const Vector<S, Dynamic>& q, const Vector<S, Dynamic>& p, const S& t) {
      if constexpr (requires { method.start(q, p, t); }) {
        return method.start(q, p, t);
      } else {
        return PlainSeparableState<S>{q, p, t};
      }
    }
    using State = decltype(start_of(std::declval<const Method&>(), std::declval<const Vector<S, Dynamic>&>(),
                                    std::declval<const Vector<S, Dynamic>&>(), std::declval<const S&>()));

    ReversibleSeparable<S> turning_;
    AnySeparable<S> system_;
    Factory factory_;
    std::optional<Method> method_;
    std::optional<State> state_;
  };

  Factory factory_;
};

}  // namespace livi
