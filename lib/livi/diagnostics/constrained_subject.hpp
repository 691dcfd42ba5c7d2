// SPDX-License-Identifier: MIT
//
// Integrators for holonomic constraints, and integrators in generalised coordinates, as Subjects.
#pragma once

#include <livi/diagnostics/subject.hpp>
#include <livi/integrators/variational_euler_generalized.hpp>
#include <livi/systems/any_constraint.hpp>

#include <optional>

namespace livi {

/// Returns the constrained problems: the double pendulum; a particle on a spheroid in a field along its axis (angular
/// momentum); two particles joined by a rod and otherwise free (linear and angular momentum). Then follow problems
/// drawn at random: two ellipsoids, a chain of five links, another rod. Compiled once (battery library).
template <class S>
const std::vector<AnyConstrainedSystem<S>>& constrained_problems();
template <>
const std::vector<AnyConstrainedSystem<double>>& constrained_problems<double>();
template <>
const std::vector<AnyConstrainedSystem<Float50>>& constrained_problems<Float50>();
template <>
const std::vector<AnyConstrainedSystem<Dual<Float50>>>& constrained_problems<Dual<Float50>>();
const std::vector<ProblemSummary>& constrained_problem_summaries();
PhasePoint<Float50> constrained_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time);
PhasePoint<Float50> constrained_short_flow(std::size_t problem, std::size_t point, const Float50& time);
/// Returns max |g|, |Dg v| of the penalised double pendulum with omega = 20: an example of "almost constrained".
double penalised_constraint_defect();

/// The Subject of a method for constrained systems. Factory: `auto operator()(const AnyConstrainedSystem<S>&) const ->
/// method`. Velocities that are not tangent (SHAKE's) are projected before they are measured, which is also what the
/// next step does to them.
template <class Factory>
class ConstrainedSubject final : public Subject {
 public:
  explicit ConstrainedSubject(Factory factory) : factory_(std::move(factory)) {}

  [[nodiscard]] Properties declares() const override {
    return factory_(constrained_problems<double>().front()).declares();
  }
  [[nodiscard]] const std::vector<ProblemSummary>& problems() const override { return constrained_problem_summaries(); }
  [[nodiscard]] std::unique_ptr<AnyStepper<double>> in_double(std::size_t problem) const override {
    return make<double>(problem);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Float50>> in_50_digits(std::size_t problem) const override {
    return make<Float50>(problem);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Dual<Float50>>> in_duals(std::size_t problem) const override {
    return make<Dual<Float50>>(problem);
  }
  [[nodiscard]] PhasePoint<Float50> exact(std::size_t problem, const PhasePoint<Float50>& from,
                                          const Float50& time) const override {
    return constrained_exact(problem, from, time);
  }
  [[nodiscard]] PhasePoint<Float50> short_flow(std::size_t problem, std::size_t point,
                                               const Float50& time) const override {
    return constrained_short_flow(problem, point, time);
  }
  [[nodiscard]] bool can_be_counted() const override { return false; }
  bool count(CountedCost&, int) const override { return false; }

 private:
  template <class S>
  class Stepper final : public AnyStepper<S> {
   public:
    using System = AnyConstrainedSystem<S>;
    using Method = decltype(std::declval<const Factory&>()(std::declval<const System&>()));
    using V = Vector<S, Dynamic>;

    Stepper(const System& system, const Factory& factory) : system_(system), factory_(factory) {
      method_.emplace(factory_(system_));
    }
    void start(const PhasePoint<S>& z) override {
      method_.emplace(factory_(system_));  // so that nothing is remembered
      state_.emplace(method_->start(z.q, system_.velocity(z.p)));
    }
    StepOutcome step(const S& h) override { return method_->step(*state_, h); }
    PhasePoint<S> point() override { return {state_->q, system_.momentum(velocity())}; }
    PhasePoint<S> canonical(const PhasePoint<S>& z, const S&) override { return z; }
    void reverse() override {
      using State = typename Method::state_type;
      subject_detail::reverse_state(
          *method_, *state_, [](State& z) { z.v = -z.v; }, [&] { start(point()); });
    }
    S energy(const PhasePoint<S>& z) override { return system_.energy(z.q, system_.velocity(z.p)); }
    RealOf<S> constraint_defect() override {
      V g;
      Matrix<S, Dynamic> jacobian;
      system_.constraint().value(state_->q, g);
      system_.constraint().jacobian(state_->q, jacobian);
      const RealOf<S> position = max_magnitude(g), rate = max_magnitude((jacobian * velocity()).eval());
      return position < rate ? rate : position;
    }
    std::string save() override { return subject_detail::save<S>(*state_); }
    void load(const std::string& text) override { subject_detail::load<S>(text, *state_); }

   private:
    V velocity() {
      if constexpr (requires { method_->tangent_velocity(*state_, state_->v); }) {
        V v;
        static_cast<void>(method_->tangent_velocity(*state_, v));
        return v;
      } else {
        return state_->v;
      }
    }
    System system_;
    Factory factory_;
    std::optional<Method> method_;
    std::optional<typename Method::state_type> state_;
  };

  template <class S>
  std::unique_ptr<AnyStepper<S>> make(std::size_t problem) const {
    return std::make_unique<Stepper<S>>(constrained_problems<S>()[problem], factory_);
  }
  Factory factory_;
};

/// The Lagrangian problems: the double pendulum in angles (TO14 (23)), and an oscillator with unit frequency.
template <class S>
struct BatteryLagrangian {
  using scalar_type = S;
  static constexpr int dimension = Dynamic;
  enum class Kind { double_pendulum, oscillator } kind;

  template <class T>
  T operator()(const Vector<T, Dynamic>& q, const Vector<T, Dynamic>& v) const {
    if (kind == Kind::oscillator) return (v(0) * v(0) - q(0) * q(0)) / T(2);
    const T difference = q(0) - q(1);
    using std::cos;
    // Lengths are 1 and 2, masses and gravity 1.
    return v(0) * v(0) + T(2) * cos(difference) * v(0) * v(1) + T(2) * v(1) * v(1) + T(2) * cos(q(0)) +
           T(2) * cos(q(1));
  }
};

const std::vector<ProblemSummary>& lagrangian_problem_summaries();
PhasePoint<Float50> lagrangian_exact(std::size_t problem, const PhasePoint<Float50>& from, const Float50& time);

/// The Subject of a method in generalised coordinates. Factory: `auto operator()(const BatteryLagrangian<S>&) const ->
/// method`; the method's state has fields q, p, v.
template <class Factory>
class LagrangianSubject final : public Subject {
 public:
  explicit LagrangianSubject(Factory factory) : factory_(std::move(factory)) {}

  [[nodiscard]] Properties declares() const override { return factory_(lagrangian<double>(0)).declares(); }
  [[nodiscard]] const std::vector<ProblemSummary>& problems() const override { return lagrangian_problem_summaries(); }
  [[nodiscard]] std::unique_ptr<AnyStepper<double>> in_double(std::size_t problem) const override {
    return std::make_unique<Stepper<double>>(problem, factory_);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Float50>> in_50_digits(std::size_t problem) const override {
    return std::make_unique<Stepper<Float50>>(problem, factory_);
  }
  [[nodiscard]] std::unique_ptr<AnyStepper<Dual<Float50>>> in_duals(std::size_t problem) const override {
    return std::make_unique<Stepper<Dual<Float50>>>(problem, factory_);
  }
  [[nodiscard]] PhasePoint<Float50> exact(std::size_t problem, const PhasePoint<Float50>& from,
                                          const Float50& time) const override {
    return lagrangian_exact(problem, from, time);
  }
  [[nodiscard]] bool can_be_counted() const override { return false; }
  bool count(CountedCost&, int) const override { return false; }

 private:
  template <class S>
  static const BatteryLagrangian<S>& lagrangian(std::size_t problem) {
    using Kind = typename BatteryLagrangian<S>::Kind;
    static const BatteryLagrangian<S> pendulum{Kind::double_pendulum}, oscillator{Kind::oscillator};
    return lagrangian_problem_summaries()[problem].role == ProblemRole::oscillator ? oscillator : pendulum;
  }
  template <class S>
  class Stepper final : public AnyStepper<S> {
   public:
    using Method = decltype(std::declval<const Factory&>()(std::declval<const BatteryLagrangian<S>&>()));
    using V = Vector<S, Dynamic>;
    Stepper(std::size_t problem, const Factory& factory) : lagrangian_(lagrangian<S>(problem)), factory_(factory) {
      method_.emplace(factory_(lagrangian_));
    }
    void start(const PhasePoint<S>& z) override {
      method_.emplace(factory_(lagrangian_));  // so that nothing is remembered
      state_.emplace(method_->start(z.q, velocity(z)));
      state_->p = z.p;  // start() recomputes p, which differs by rounding
    }
    StepOutcome step(const S& h) override { return method_->step(*state_, h); }
    PhasePoint<S> point() override { return {state_->q, state_->p}; }
    PhasePoint<S> canonical(const PhasePoint<S>& z, const S&) override { return z; }
    void reverse() override {
      const auto turn = [](typename Method::state_type& z) {
        z.p = -z.p;
        z.v = -z.v;
      };
      subject_detail::reverse_state(*method_, *state_, turn, [&] { start(point()); });
    }
    S energy(const PhasePoint<S>& z) override {
      return lagrangian_energy<BatteryLagrangian<S>, S, Dynamic>(lagrangian_, z.q, velocity(z));
    }
    RealOf<S> constraint_defect() override { return RealOf<S>(0); }
    std::string save() override { return subject_detail::save<S>(*state_); }
    void load(const std::string& text) override { subject_detail::load<S>(text, *state_); }

   private:
    /// Returns v from p = dL/dv, which is linear in v for a mechanical Lagrangian.
    V velocity(const PhasePoint<S>& z) const {
      const Eigen::Index n = z.q.size();
      V zero = V::Constant(n, S(0)), unit = zero, dq = zero, base = zero, column = zero, v = z.p;
      Matrix<S, Dynamic> mass(n, n);
      lagrangian_gradients<BatteryLagrangian<S>, S, Dynamic>(lagrangian_, z.q, zero, dq, base);
      for (Eigen::Index j = 0; j < n; ++j) {
        unit(j) = S(1);
        lagrangian_gradients<BatteryLagrangian<S>, S, Dynamic>(lagrangian_, z.q, unit, dq, column);
        mass.col(j) = column - base;
        unit(j) = S(0);
      }
      GaussianElimination<S, Dynamic> solver;
      static_cast<void>(solver.factor(mass));
      v -= base;
      solver.solve_in_place(v);
      return v;
    }
    BatteryLagrangian<S> lagrangian_;
    Factory factory_;
    std::optional<Method> method_;
    std::optional<typename Method::state_type> state_;
  };
  Factory factory_;
};

}  // namespace livi
