// SPDX-License-Identifier: MIT
#include "simulate_methods.hpp"

#include <livi/integrators/composition.hpp>
#include <livi/integrators/implicit_midpoint.hpp>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/pushforward_newmark.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/runge_kutta.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/trajectory/checkpoint.hpp>

namespace livi {

namespace {

using V = Vector<double, Dynamic>;
using Constrained = AnyConstrainedSystem<double>;

template <class Method>
class SimulationOf final : public Simulation {
 public:
  SimulationOf(Method method, const V& q, const V& v, double h)
      : method_(std::move(method)), state_(method_.start(q, v)), h_(h) {}

  [[nodiscard]] Properties declares() const override { return method_.declares(); }
  [[nodiscard]] std::string save() const override { return save_state(state_); }
  void load(const std::string& state) override { load_state(state, state_); }
  [[nodiscard]] const V& position() const override { return state_.q; }
  [[nodiscard]] const V& velocity() const override { return state_.v; }

  StepOutcome read(Reading& reading) override {
    reading.q = state_.q;
    reading.v = state_.v;
    if constexpr (requires { method_.tangent_velocity(state_, reading.v); })
      return method_.tangent_velocity(state_, reading.v);
    if constexpr (requires(WorkCounters & work) {
                    method_.force().physical_position(method_.system(), state_.q, h_, reading.physical_q, work);
                  }) {
      WorkCounters work;
      return method_.force().physical_position(method_.system(), state_.q, h_, reading.physical_q, work);
    }
    return {};
  }

  RunOutcome run(long steps, const std::function<bool(long)>& observe) override {
    Trajectory trajectory(method_, state_, h_, steps);
    for (const auto& point : trajectory) {
      state_ = point.state;
      if (!observe(point.step)) break;
    }
    return trajectory.outcome();
  }

 private:
  Method method_;
  typename Method::state_type state_;
  double h_;
};

template <class Method>
std::unique_ptr<Simulation> start(Method method, const V& q, const V& v, const MethodOptions& options) {
  return std::make_unique<SimulationOf<Method>>(std::move(method), q, v, options.h);
}

NewtonOptions<double> newton(const MethodOptions& options) {
  return {.tolerance = options.newton_tolerance, .max_iterations = options.newton_iterations};
}

template <template <class> class Method>
std::unique_ptr<Simulation> plain(const Problem& problem, const V& q, const V& v, const MethodOptions& options) {
  return problem.on_unconstrained(
      [&]<class System>(const System& system) { return start(Method<System>(system), q, v, options); });
}

template <template <class> class Method>
std::unique_ptr<Simulation> with_beta(const Problem& problem, const V& q, const V& v, const MethodOptions& options) {
  return problem.on_unconstrained([&]<class System>(const System& system) {
    return start(Method<System>(system, {.beta = options.beta}), q, v, options);
  });
}

template <template <class> class Method>
std::unique_ptr<Simulation> with_both(const Problem& problem, const V& q, const V& v, const MethodOptions& options) {
  return problem.on_unconstrained([&]<class System>(const System& system) {
    return start(Method<System>(system, {.beta = options.beta, .newton = newton(options)}), q, v, options);
  });
}

template <template <class> class Method>
std::unique_ptr<Simulation> with_constraint(const Problem& problem, const V& q, const V& v,
                                            const MethodOptions& options) {
  return start(Method<Constrained>(*problem.constrained, newton(options)), q, v, options);
}

std::unique_ptr<Simulation> midpoint(const Problem& problem, const V& q, const V& v, const MethodOptions& options) {
  return problem.on_unconstrained([&]<class System>(const System& system) {
    return start(ImplicitMidpoint<System>(system, newton(options)), q, v, options);
  });
}

template <int Order>
std::unique_ptr<Simulation> yoshida_zhang_skeel(const Problem& problem, const V& q, const V& v,
                                                const MethodOptions& options) {
  return problem.on_unconstrained([&]<class System>(const System& system) {
    return start(Composition(ZhangSkeel<System>(system, {.beta = options.beta}), yoshida<double>(Order)), q, v,
                 options);
  });
}

}  // namespace

const std::vector<MethodEntry>& method_entries() {
  // Name, on constraints, beta, Newton's method, steps another position than the physical one.
  static const std::vector<MethodEntry> entries{
      {"zhang-skeel", false, true, false, true, with_beta<ZhangSkeel>},
      {"simplified-zhang-skeel", false, true, false, false, with_beta<SimplifiedZhangSkeel>},
      {"stiff-zhang-skeel", false, true, false, false, with_beta<StiffZhangSkeel>},
      {"newmark", false, true, true, false, with_both<Newmark>},
      {"pushforward-newmark", false, true, true, true, with_both<PushforwardNewmark>},
      {"velocity-verlet", false, false, false, false, plain<VelocityVerlet>},
      {"symplectic-euler", false, false, false, false, plain<SymplecticEuler>},
      {"implicit-midpoint", false, false, true, false, midpoint},
      {"shake", true, false, true, false, with_constraint<Shake>},
      {"rattle", true, false, true, false, with_constraint<Rattle>},
      {"yoshida-4-zhang-skeel", false, true, false, false, yoshida_zhang_skeel<4>},
      {"yoshida-6-zhang-skeel", false, true, false, false, yoshida_zhang_skeel<6>},
      {"yoshida-8-zhang-skeel", false, true, false, false, yoshida_zhang_skeel<8>},
      {"runge-kutta-4", false, false, false, false, plain<RungeKutta4>}};
  return entries;
}

}  // namespace livi
