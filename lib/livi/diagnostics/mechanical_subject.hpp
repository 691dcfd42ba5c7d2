// SPDX-License-Identifier: MIT
//
// Any integrator for M q'' = -grad V as a Subject. It must offer, in order of preference where there is a choice:
//
//   declares()                            static or not, -> Properties
//   state_type and start(q, v)            or nothing: then its state is (q, v)
//   step(state, h) -> StepOutcome | void  or step(q, v, h), q and v by reference
//   state.q, state.v, state.fields()      as in integrators/integrator.hpp
//   canonical_position(q, h, out)         if it declares conjugate_symplectic
//   reverse(state)                        if reversing v does not reverse its state
//
// It is compiled for double, Float50, Dual<Float50>, and for three exact types: Dual<Residue>, ExactSeries and
// FunctionOfStep (diagnostics/subject.hpp). Exact numbers have no sign and no size: a method that takes a root,
// compares or iterates to convergence throws NotRational or fails on them, and gets no exact rows; it should declare
// `.rational = false`.
#pragma once

#include <livi/diagnostics/subject.hpp>

#include <optional>

namespace livi {

namespace subject_detail {

template <class Method, class System>
struct StateOf {
  using type = PhaseState<ScalarOf<System>, System::dimension>;
};
template <class Method, class System>
requires requires { typename Method::state_type; }
struct StateOf<Method, System> {
  using type = typename Method::state_type;
};

template <class Method, class State, class S>
StepOutcome step_of(Method& method, State& state, const S& h) {
  if constexpr (requires {
                  { method.step(state, h) } -> std::same_as<StepOutcome>;
                }) {
    return method.step(state, h);
  } else if constexpr (requires { method.step(state, h); }) {
    method.step(state, h);
    return {};
  } else {
    method.step(state.q, state.v, h);
    return {};
  }
}

template <class Method, class V>
auto start_of(const Method& method, const V& q, const V& v) {
  if constexpr (requires { method.start(q, v); }) {
    return method.start(q, v);
  } else {
    return PhaseState<typename V::Scalar, V::RowsAtCompileTime>{q, v};
  }
}

}  // namespace subject_detail

/// The Subject of a method for M q'' = -grad V. Factory: `auto operator()(const AnySystem<S>&) const -> method`, for
/// all types S named at the head of this file.
template <class Factory>
class MechanicalSubject final : public Subject {
 public:
  explicit MechanicalSubject(Factory factory) : factory_(std::move(factory)) {}

  [[nodiscard]] Properties declares() const override {
    const auto& system = mechanical_problems<double>().front().system;
    return factory_(system).declares();
  }
  [[nodiscard]] const std::vector<ProblemSummary>& problems() const override { return mechanical_problem_summaries(); }
  [[nodiscard]] std::unique_ptr<AnyStepper<double>> in_double(std::size_t problem) const override {
    return make<double>(problem);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Float50>> in_50_digits(std::size_t problem) const override {
    return make<Float50>(problem);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Dual<Float50>>> in_duals(std::size_t problem) const override {
    return make<Dual<Float50>>(problem);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Dual<Residue>>> in_residues(std::size_t problem) const override {
    return std::make_unique<Stepper<Dual<Residue>>>(mechanical_problem_in_residues(problem).system, factory_);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<ExactSeries>> in_series(std::size_t problem) const override {
    return std::make_unique<Stepper<ExactSeries>>(mechanical_problem_in_series(problem).system, factory_);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<FunctionOfStep>> in_functions_of_step(std::size_t problem) const override {
    return std::make_unique<Stepper<FunctionOfStep>>(mechanical_problem_in_functions_of_step(problem).system, factory_);
  }
  [[nodiscard]] PhasePoint<Float50> exact(std::size_t problem, const PhasePoint<Float50>& from,
                                          const Float50& time) const override {
    return mechanical_exact(problem, from, time);
  }
  [[nodiscard]] PhasePoint<Float50> short_flow(std::size_t problem, std::size_t point,
                                               const Float50& time) const override {
    return mechanical_short_flow(problem, point, time);
  }
  [[nodiscard]] int counted_runs() const override { return number_of_counted_runs; }
  bool count(CountedCost& cost, int run) const override {
    const auto counts = std::make_shared<CountedCost>();
    const auto [system, from, h] = counted_run(run, counts);
    auto method = factory_(system);
    const auto solves = [&] {
      if constexpr (requires { method.work().linear_solves; }) {
        return static_cast<double>(method.work().linear_solves);
      } else {
        return std::numeric_limits<double>::quiet_NaN();
      }
    };
    auto state = subject_detail::start_of(method, from.q, Vector<double, Dynamic>(system.velocity(from.p)));
    constexpr int steps = 64;
    if (!subject_detail::step_of(method, state, h).ok()) return false;
    *counts = {};
    const double before = solves();
    for (int k = 0; k < steps; ++k)
      if (!subject_detail::step_of(method, state, h).ok()) return false;
    cost = {counts->gradients / steps, counts->hessians / steps, counts->third_derivatives / steps,
            (solves() - before) / steps, counts->values / steps};
    return true;
  }

 private:
  template <class S>
  class Stepper final : public AnyStepper<S> {
   public:
    using Method = decltype(std::declval<const Factory&>()(std::declval<const AnySystem<S>&>()));
    using State =
        decltype(subject_detail::start_of(std::declval<const Method&>(), std::declval<const Vector<S, Dynamic>&>(),
                                          std::declval<const Vector<S, Dynamic>&>()));

    Stepper(const AnySystem<S>& system, const Factory& factory) : system_(system), factory_(factory) {
      method_.emplace(factory_(system_));
    }

    void start(const PhasePoint<S>& z) override {
      method_.emplace(factory_(system_));  // so that nothing is remembered
      state_.emplace(subject_detail::start_of(*method_, z.q, Vector<S, Dynamic>(system_.velocity(z.p))));
    }
    StepOutcome step(const S& h) override { return subject_detail::step_of(*method_, *state_, h); }
    PhasePoint<S> point() override { return {state_->q, system_.momentum(state_->v)}; }
    PhasePoint<S> canonical(const PhasePoint<S>& z, const S& h) override {
      PhasePoint<S> result = z;
      if constexpr (requires { method_->canonical_position(z.q, h, result.q); })
        method_->canonical_position(z.q, h, result.q);
      static_cast<void>(h);
      return result;
    }
    void reverse() override {
      subject_detail::reverse_state(
          *method_, *state_, [](State& z) { z.v = -z.v; }, [&] { start(point()); });
    }
    S energy(const PhasePoint<S>& z) override { return system_.energy(z.q, system_.velocity(z.p)); }
    RealOf<S> constraint_defect() override { return RealOf<S>(0); }
    std::string save() override { return subject_detail::save<S>(*state_); }
    void load(const std::string& text) override { subject_detail::load<S>(text, *state_); }

   private:
    AnySystem<S> system_;
    Factory factory_;
    std::optional<Method> method_;
    std::optional<State> state_;
  };

  template <class S>
  std::unique_ptr<AnyStepper<S>> make(std::size_t problem) const {
    return std::make_unique<Stepper<S>>(mechanical_problems<S>()[problem].system, factory_);
  }

  Factory factory_;
};

}  // namespace livi
