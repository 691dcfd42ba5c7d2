// SPDX-License-Identifier: MIT
// Theorem: CS101 slides 19, 20 and 28: steps that are symmetric in both ends make reversible methods, of order two, which
// are not symplectic; also without an equation to solve
//
// Phi_dt is reversible if turning the velocities round after a step and taking it again leads to the start turned round. Let
// dt = h (sigma(y) + sigma(y'))/2 with y' = Phi_dt(y) and sigma even in the velocities. From y' turned round, the same dt
// solves the equation of the step, and leads to y turned round. So the *relation* between y and y' is reversible whatever h
// is. The *method* is, too, if the equation has one solution, as it has where |d sigma/dt| h / 2 < 1: its derivative in dt is
// at most that. Where there are several, which one is found is a matter of the guess, and that is another one on the way
// back.
#include <algorithm>
#include <cmath>
#include <limits>
#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/logarithmic_hamiltonian.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/diagnostics/extended_symplecticity.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/double_pendulum.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>
#include <numbers>

#include "study/models/adaptive_problems.hpp"
#include "study/program/controls.hpp"
#include "study/program/report_parts.hpp"
#include "study/program/theorem.hpp"
#include "study/statistics/fitted_line.hpp"

namespace livi::theorem {

Program this_program() {
  return {"cs101_reversible",
          {"CS101", "Slides 19, 20 and 28", "19, 20, 28"},
          "Adaptive steps that are reversible: what they are and what they are not"};
}

namespace {

using namespace adaptive_problems;
using F = Float50;

constexpr double infinity = std::numeric_limits<double>::infinity(), floor_50 = 1e-45;
constexpr Interval zero{0, floor_50};

/// How far some steps, the velocity turned round, and as many steps lead from the start turned round.
template <class Method, class State, class S>
double reversal(Method method, const State& from, const S& h, int steps = 10) {
  auto z = method.start(from.q, from.v);
  for (const bool back : {false, true}) {
    for (int k = 0; k < steps; ++k)
      if (!method.step(z, h).ok()) return infinity;
    if (!back) z.v = -z.v;
  }
  return to_double(larger(RealOf<S>(max_magnitude(z.q - from.q)), RealOf<S>(max_magnitude(z.v + from.v))));
}

// --- slide 19 ---------------------------------------------------------------------------------------------------------

/// Symmetric densities around reversible methods, on two systems; the largest distance from the start.
template <class System>
double reversal_of_all(const System& system, const F& energy) {
  constexpr int N = System::dimension;
  const auto from = generic_state<F, N>();
  const F h = ratio<F>(1, 20);
  double worst = 0;
  const auto add = [&](const auto& method) { worst = std::max(worst, reversal(method, from, h)); };
  const auto add_density = [&](const char*, const auto& density) {
    using Density = std::decay_t<decltype(density)>;
    add(ReversibleSteps(VelocityVerlet<System>(system), density));
    add(ReversibleSteps(SimplifiedZhangSkeel<System>(system, {ratio<F>(1, 3)}), density));
    add(ReversibleSteps(Composition(VelocityVerlet<System>(system), yoshida<F>(4)), density));
    add(ReversibleAdaptiveVerlet<System, Density>(system, density));
  };
  for_each_position_density(system, energy, add_density);
  add_density("equal distances of states", EqualStateDistances<System>(system));
  return worst;
}

/// RATTLE on the double pendulum, whose steps follow its speed.
double reversal_of_rattle() {
  const auto system = double_pendulum<F>();
  using System = ConstrainedDoublePendulum<F>;
  ReversibleSteps method{Rattle<System>(system), EqualStateDistances<System>(system)};
  // On the way, so that it moves.
  auto z = method.start(double_pendulum_start<F>(), zeros<Vector<F, 4>>(4));
  for (int k = 0; k < 5; ++k)
    if (!method.step(z, ratio<F>(1, 2)).ok()) return infinity;
  return reversal(method, z, ratio<F>(1, 2));
}

TEST(Slide19, symmetric_densities_make_reversible_methods) {
  const Coupled<F> system = coupled<F>();
  const auto from = generic_state<F, 2>();
  const F h = ratio<F>(1, 20);
  const InverseAcceleration<Coupled<F>> density(system, ratio<F>(1, 10));
  using Variational = VariationalAdaptiveVerlet<Coupled<F>, InverseAcceleration<Coupled<F>>>;
  expect_verdict(in_one_interval(
      {.id = "CS101.slide19.reversible",
       .measured = std::max({reversal_of_all(system, F(3)), reversal_of_all(plummer<F>(), F(0)), reversal_of_rattle()}),
       .interval = zero,
       .controls = {{.name = "Verlet with sigma(q_k)",
                     .measured = reversal(ExplicitSteps(VelocityVerlet<Coupled<F>>(system), density), from, h)},
                    {.name = "the variational method with sigma(q_k)",
                     .measured = reversal(Variational(system, density, StepRule::start), from, h)},
                    {.name = "a symmetric density around symplectic Euler, which is not reversible",
                     .measured = reversal(ReversibleSteps(SymplecticEuler<Coupled<F>>(system), density), from, h)}}}));
}

/// A density that rises from 0.1 to 1.9 over a width of 0.2.
template <class System>
struct Rise {
  using scalar_type = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  [[nodiscard]] scalar_type value(const vector_type& q) const { return 1 + 0.9 * std::tanh(5 * q(0)); }
  void gradient(const vector_type& q, vector_type& out) const {
    const double t = std::tanh(5 * q(0));
    out(0) = 4.5 * (1 - t * t);
  }
};

TEST(Slide19, where_the_equation_of_a_step_has_several_solutions_the_way_back_may_take_another) {
  using System = MechanicalSystem<ScalarMass<double, 1>, HarmonicPotential<double, 1>>;
  const System free(ScalarMass<double, 1>(1, 1), {Vector<double, 1>::Constant(0)});
  const PhaseState<double, 1> from{Vector<double, 1>::Constant(1.4), Vector<double, 1>::Constant(-1)};
  using Method = ReversibleAdaptiveVerlet<System, Rise<System>>;
  // |d sigma/dt| h / 2 is at most 2.25 h.
  const double long_step = reversal(Method(free, {}), from, 2.0, 1),
               short_step = reversal(Method(free, {}), from, 0.4, 1);
  expect_verdict(in_one_interval(
      {.id = "CS101.reversible.one-solution",
       .measured = long_step,
       .interval = {0.1, infinity},
       .controls = {
           {.name = "the step h = 0.4, for which there is one solution", .measured = short_step},
           passing("the same by the combinator around Verlet, h = 2",
                   reversal(ReversibleSteps(VelocityVerlet<System>(free), Rise<System>()), from, 2.0, 1), {})}}));
}

// --- slide 20 ---------------------------------------------------------------------------------------------------------

/// The largest residual of the three printed equations and that of the time along steps of a method, with s_k and s_{k+1} at
/// p_{k+1/2}. `at_half` turns a state and a next one into the velocity between: from positions alone.
template <class Method, class Density>
double residual_of_slide_20(Method method, const Density& density, const PhaseState<F, 2>& from, const F& h) {
  const auto& system = method.system();
  auto z = method.start(from.q, from.v);
  F worst(0);
  for (int k = 0; k < 10; ++k) {
    const auto before = z;
    if (!method.step(z, h).ok()) return infinity;
    const F dt = z.t - before.t;
    const Vector<F, 2> w = (z.q - before.q) / dt;
    Vector<F, 2> a0 = w, a1 = w;
    system.acceleration(before.q, a0);
    system.acceleration(z.q, a1);
    const F s0 = density_at(density, before.q, w), s1 = density_at(density, z.q, w), half = h / F(2);
    const Vector<F, 2> first = w - before.v - (half * s0) * a0, third = z.v - w - (half * s1) * a1;
    const F time = dt - half * (s0 + s1);
    worst = larger(worst,
                   larger(magnitude(time), larger(RealOf<F>(max_magnitude(first)), RealOf<F>(max_magnitude(third)))));
  }
  return to_double(worst);
}

TEST(Slide20, the_method_is_that_of_the_slide_and_reversible) {
  const Coupled<F> system = coupled<F>();
  const auto from = generic_state<F, 2>();
  const F h = ratio<F>(1, 20);
  double worst = 0;
  const auto add = [&](const char*, const auto& density) {
    using Density = std::decay_t<decltype(density)>;
    const ReversibleAdaptiveVerlet<Coupled<F>, Density> method(system, density);
    worst = std::max({worst, residual_of_slide_20(method, density, from, h), reversal(method, from, h)});
  };
  for_each_position_density(system, F(3), add);
  add("equal distances of states", EqualStateDistances<Coupled<F>>(system));
  const InverseAcceleration<Coupled<F>> density(system, ratio<F>(1, 10));
  const HamiltonianAdaptiveVerlet<Coupled<F>, InverseAcceleration<Coupled<F>>> hamiltonian(system, density);
  const ReversibleSteps combinator(VelocityVerlet<Coupled<F>>(system), density);
  expect_verdict(in_one_interval(
      {.id = "CS101.slide20.scheme",
       .measured = worst,
       .interval = zero,
       .controls = {{.name = "residual of the Hamiltonian method, which has the terms with H - H0",
                     .measured = residual_of_slide_20(hamiltonian, density, from, h)},
                    {.name = "residual of Verlet with the mean of both densities as its step: another method",
                     .measured = residual_of_slide_20(combinator, density, from, h)}}}));
}

/// Slide 20 read as a sequence s_0, s_1, ...: s_k of a step is the s_{k+1} of the one before.
template <class System, class Density>
class OneSequence {
 public:
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using system_type = System;
  struct state_type : TimedState<S, System::dimension> {
    S density{0};
  };
  OneSequence(const System& system, Density density) : system_(&system), density_(std::move(density)) {}
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    state_type z;
    z.q = q;
    z.v = v;
    z.density = density_.value(q, v);
    return z;
  }
  StepOutcome step(state_type& z, const S& h) {
    const S half = h / S(2);
    vector_type a = z.q;
    system_->acceleration(z.q, a);
    z.v += (half * z.density) * a;
    S dt = h * z.density;
    const auto length = [&](const S& candidate, S& value) -> StepOutcome {
      value = half * (z.density + density_.value(vector_type(z.q + candidate * z.v), z.v));
      return {};
    };
    if (const StepOutcome outcome = solve_fixed_point(length, NewtonOptions<S>{}, dt, work_); !outcome.ok())
      return outcome;
    z.q += dt * z.v;
    z.density = density_.value(z.q, z.v);
    system_->acceleration(z.q, a);
    z.v += (half * z.density) * a;
    z.t += dt;
    return {};
  }

 private:
  const System* system_;
  Density density_;
  WorkCounters work_;
};

TEST(Slide20, both_densities_belong_to_one_step) {
  const Coupled<F> system = coupled<F>();
  const auto from = generic_state<F, 2>();
  const F h = ratio<F>(1, 20);
  using Density = EqualStateDistances<Coupled<F>>;
  const Density density(system);
  const ReversibleAdaptiveVerlet<Coupled<F>, Density> method(system, density);
  const double reuse = reversal(OneSequence<Coupled<F>, Density>(system, density), from, h),
               of_half = reversal(OneSequence<Coupled<F>, Density>(system, density), from, F(h / F(2)), 20);
  expect_verdict(in_one_interval(
      {.id = "CS101.slide20.index",
       .measured = reversal(method, from, h),
       .interval = zero,
       .controls = {{.name = "s_k taken as the s_{k+1} of the step before", .measured = reuse}},
       .note = text(
           "Taken as one sequence s_0, s_1, ... the steps do not come back: by %.1e after ten steps of 1/20, by %.1e "
           "after twenty of 1/40.",
           reuse, of_half)}));
}

// --- slide 28 ---------------------------------------------------------------------------------------------------------

TEST(Slide28, steps_whose_density_is_integrated_are_reversible) {
  const Coupled<F> system = coupled<F>();
  const auto from = generic_state<F, 2>();
  const F h = ratio<F>(1, 20);
  double worst = 0;
  long equations = 0;
  for_each_position_density(system, F(3), [&](const char*, const auto& density) {
    IntegratedSteps steps(VelocityVerlet<Coupled<F>>(system), density);
    worst = std::max(worst, reversal(steps, from, h));
    auto z = steps.start(from.q, from.v);
    for (int k = 0; k < 10; ++k) EXPECT_TRUE(steps.step(z, h).ok());
    equations += steps.work().newton_iterations + steps.work().linear_solves;
  });
  const InverseAcceleration<Coupled<F>> density(system, ratio<F>(1, 10));
  ReversibleSteps with_equation(VelocityVerlet<Coupled<F>>(system), density);
  (void)reversal(with_equation, from, h);
  auto z = with_equation.start(from.q, from.v);
  EXPECT_TRUE(with_equation.step(z, h).ok());
  const ExplicitSteps naive(VelocityVerlet<Coupled<F>>(system), density);
  expect_verdict(in_one_interval(
      {.id = "CS101.slide28.hairer",
       .measured = worst,
       .interval = zero,
       .controls = {{.name = "explicit steps h sigma(q_k), in which sigma is not integrated",
                     .measured = reversal(naive, from, h)}},
       .note = text(
           "No equation is solved: %ld iterations and linear systems; the mean of the densities at both ends takes "
           "%ld iterations in one step.",
           equations, with_equation.work().newton_iterations)}));
  EXPECT_EQ(equations, 0);
}

}  // namespace
}  // namespace livi::theorem
