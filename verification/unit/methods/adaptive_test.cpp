// SPDX-License-Identifier: MIT
//
// Methods with adaptive steps: symplectic in the extended phase space and symmetric to 50 digits where they claim it,
// with controls that are not; the length of a step; the order in the time.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/logarithmic_hamiltonian.hpp>
#include <livi/adaptive/midpoint_energy_momentum.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/adaptive/symplectic_energy_momentum.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/diagnostics/extended_symplecticity.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/rotation_potentials.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>
#include <numbers>
#include <random>

#include "study/models/adaptive_problems.hpp"
#include "symplectic_adaptive_methods.hpp"

namespace livi {

namespace adaptive_test {

using namespace adaptive_problems;

using F = Float50;

/// A controlled method, with E0 in its state, of which it knows nothing.
template <class Method>
struct WithEnergy : Method {
  struct state_type : Method::state_type {
    typename Method::S energy{0};
  };
  explicit WithEnergy(Method method) : Method(std::move(method)) {}
  state_type start(const auto& q, const auto& v) const { return {Method::start(q, v), 0}; }
};

template <class System, class Make>
F defect(const System& system, const Make& make, const F& energy, const F& h) {
  const auto z = generic_state<F, System::dimension>();
  return extended_symplecticity(
      system, make, [](auto&) {}, z.q, z.v, energy, h);
}

template <class System>
void expect_symplectic(const System& system, const F& energy) {
  using D = ScalarOf<System>;
  const F h = ratio<F>(1, 10);
  int methods = 0;
  for_each_position_density(system, D(F(energy + F(1))), [&](const char* name, const auto& density) {
    using Density = std::decay_t<decltype(density)>;
    for_each_symplectic<System>(density, [&](const char* method, const auto& make) {
      EXPECT_LT(defect(system, make, energy, h), F(1e-45)) << method << ", " << name;
      ++methods;
    });
    // Controls: symmetric, but not symplectic; neither.
    EXPECT_GT(
        defect(
            system, [&](const System& s) { return ReversibleAdaptiveVerlet<System, Density>(s, density); }, energy, h),
        F(1e-6))
        << name;
    EXPECT_GT(
        defect(
            system, [&](const System& s) { return WithEnergy(ExplicitSteps(VelocityVerlet<System>(s), density)); },
            energy, h),
        F(1e-6))
        << name;
  });
  EXPECT_EQ(methods, 24);
}
TEST(AdaptiveSteps, symplectic_methods_are_so_in_extended_phase_space_with_a_full_mass) {
  expect_symplectic(coupled<Dual<F>>(), ratio<F>(14, 10));
}
TEST(AdaptiveSteps, symplectic_methods_are_so_in_extended_phase_space_in_three_dimensions) {
  expect_symplectic(plummer<Dual<F>>(), ratio<F>(-5, 2));
}
TEST(AdaptiveSteps, the_logarithmic_hamiltonian_is_symplectic) {
  using System = Plummer<Dual<F>>;
  const auto make = [](const System& s) { return LogarithmicHamiltonian<System>(s); };
  EXPECT_LT(defect(plummer<Dual<F>>(), make, ratio<F>(-5, 2), ratio<F>(1, 10)), F(1e-45));
}
TEST(AdaptiveSteps, symplectic_energy_momentum_steps_are_symplectic) {
  using System = Coupled<Dual<F>>;
  const auto make = [](const System& s) { return SymplecticEnergyMomentum<System>(s); };
  const auto z = generic_state<F, 2>();
  const F dt = ratio<F>(1, 10);
  // The energy for which the step is about dt.
  const auto system = coupled<F>();
  SymplecticEnergyMomentum<Coupled<F>> method(system);
  const F energy = method.discrete_energy(method.start(z.q, z.v), dt);
  const auto with_guess = [&](auto& state) { state.last_step = Dual<F>(F(dt * ratio<F>(21, 20))); };
  EXPECT_LT(extended_symplecticity(coupled<Dual<F>>(), make, with_guess, z.q, z.v, energy, dt), F(1e-45));
  // The midpoint rule's energy of a step of dt is that of its first step.
  MidpointEnergyMomentum<Coupled<F>> of_midpoint(system);
  auto first = of_midpoint.start(z.q, z.v);
  ASSERT_TRUE(of_midpoint.step(first, dt).ok());
  const auto make_midpoint = [](const System& s) { return MidpointEnergyMomentum<System>(s); };
  EXPECT_LT(extended_symplecticity(coupled<Dual<F>>(), make_midpoint, with_guess, z.q, z.v, first.energy, dt),
            F(1e-45));
}
/// The symplecticity residual of a step of the length dt that keeps the energy, times the square of E', the derivative of the
/// discrete energy by the length. The length is known to rounding/E', and its derivatives go with 1/E', too.
template <template <class> class Method, class Problem>
F residual_without_the_slope(const Problem& problem, const F& dt) {
  const auto system = problem.template operator()<F>();
  const auto of_duals = problem.template operator()<Dual<F>>();
  using OfDuals = std::decay_t<decltype(of_duals)>;
  const auto z = generic_state<F, OfDuals::dimension>();
  const auto energy = [&](const F& length) {
    Method<std::decay_t<decltype(system)>> method(system);
    auto state = method.start(z.q, z.v);
    EXPECT_TRUE(method.step(state, length).ok());
    return state.energy;
  };
  const F apart = dt / F(1e9), slope = (energy(F(dt + apart)) - energy(F(dt - apart))) / (F(2) * apart);
  const auto with_guess = [&](auto& state) { state.last_step = Dual<F>(F(dt * ratio<F>(21, 20))); };
  return slope * slope *
         extended_symplecticity(
             of_duals, [](const OfDuals& s) { return Method<OfDuals>(s); }, with_guess, z.q, z.v, energy(dt), dt);
}
TEST(AdaptiveSteps, symplectic_energy_momentum_steps_have_one_length_in_all_directions) {
  // Some hundred operations with numbers up to ten: a thousand roundings. Directions that end at lengths a rounding apart
  // leave ten thousand and more, though not at every length.
  const F roundings = F(1000) * ScalarTraits<F>::epsilon();
  const auto on_coupled = []<class S>() { return coupled<S>(); };
  const auto on_plummer = []<class S>() { return plummer<S>(); };
  for (const int parts : {40, 80, 128, 1000}) {
    const F dt = ratio<F>(1, parts);
    EXPECT_LT(residual_without_the_slope<SymplecticEnergyMomentum>(on_coupled, dt), roundings) << parts;
    EXPECT_LT(residual_without_the_slope<SymplecticEnergyMomentum>(on_plummer, dt), roundings) << parts;
    EXPECT_LT(residual_without_the_slope<MidpointEnergyMomentum>(on_coupled, dt), roundings) << parts;
    EXPECT_LT(residual_without_the_slope<MidpointEnergyMomentum>(on_plummer, dt), roundings) << parts;
  }
}

// --- the length of a step ---------------------------------------------------------------------------------------------

/// The equation x = h (sigma_0 + sigma(q + x v)) / 2 with sigma(q) = |q|^(3/2), where h is a part of the largest h that has a
/// solution: at part = 1 it has a double root. Counts its evaluations and knows where the last one was.
template <class S>
struct LengthOnRay {
  S closest, along, density0, half;
  mutable S last{0};
  mutable int evaluations = 0;
  [[nodiscard]] S density(const S& x) const {
    using std::sqrt;
    const S r = sqrt(S(closest * closest + (along + x) * (along + x)));
    return r * sqrt(r);
  }
  S operator()(const S& x, S& slope) const {
    using std::sqrt;
    const S r = sqrt(S(closest * closest + (along + x) * (along + x)));
    slope = half * S(3) / S(2) * (along + x) / sqrt(r);
    last = x;
    ++evaluations;
    return half * (density0 + r * sqrt(r));
  }
};
/// Returns h/2 at which x is a double root: 1 = half sigma'(x) and x = half (sigma_0 + sigma(x)), by bisection in x.
double half_of_double_root(const LengthOnRay<double>& f) {
  const auto excess = [&](double x) {  // x sigma'(x) - sigma_0 - sigma(x), which grows with x
    const double r = std::hypot(f.closest, f.along + x);
    return x * 1.5 * (f.along + x) / std::sqrt(r) - f.density0 - f.density(x);
  };
  double low = 0, high = 1;
  while (excess(high) < 0) high *= 2;
  for (int k = 0; k < 200; ++k) (excess((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
  return low / (f.density0 + f.density(low));
}
TEST(AdaptiveSteps, lengths_are_solved_to_rounding_up_to_the_double_root) {
  std::mt19937_64 random(20260);
  std::uniform_real_distribution<double> uniform(0, 1);
  int solved = 0;
  for (int k = 0; k < 20000; ++k) {
    // From 1e-3 of the distance along the line, as past a pericentre with e = 0.99, to far off it.
    LengthOnRay<double> f{
        .closest = std::pow(10, 1 - 4 * uniform(random)), .along = 4 * uniform(random) - 2, .density0 = 0, .half = 0};
    f.density0 = f.density(0);
    f.half = half_of_double_root(f) * (1 - std::pow(10, -6 * uniform(random)));
    const double guess = 2 * f.half * f.density0;
    double x = guess;
    WorkCounters work, not_asked;
    ASSERT_TRUE(solve_length(f, NewtonOptions<double>{.fixed_iterations = 1}, x, not_asked).ok());
    EXPECT_EQ(f.last, x);
    f.evaluations = 0;
    x = guess;
    // Newton's method may leap over the root; where it does, there is no solution to compare.
    if (!solve_length(f, NewtonOptions<double>{}, x, work).ok()) continue;
    ++solved;
    EXPECT_EQ(f.last, x);
    EXPECT_EQ(f.evaluations, work.newton_iterations);
    LengthOnRay<F> exact{.closest = F(f.closest), .along = F(f.along), .density0 = F(f.density0), .half = F(f.half)};
    F in_full(x), slope(0);
    ASSERT_TRUE(solve_length(exact, NewtonOptions<F>{.fixed_iterations = 40}, in_full, work).ok());
    exact(in_full, slope);
    // x - f(x) is rounded by x, the two densities and the position, a few units of each: no method in double does better
    // than that over its slope. Near the double root the slope changes within that distance: the root of it, then.
    const double derivative = std::abs(1 - to_double(slope)),
                 noise = 16 * 2.3e-16 * (x + std::abs(f.along) * std::abs(to_double(slope)));
    const double bound = noise / std::max(derivative, std::sqrt(noise / x));
    EXPECT_LT(std::abs(x - to_double(in_full)), bound) << k << ", slope " << to_double(slope);
    // In 50 digits, and its derivative by h: x' = f_h / (1 - f_x) at the solution.
    // Near a double root the derivative is known to 1/(1 - f_x)^2 roundings, and the iteration asks for 32.
    if (k % 100 != 0 || derivative < 0.25) continue;
    LengthOnRay<Dual<F>> dual{.closest = Dual<F>(F(f.closest)),
                              .along = Dual<F>(F(f.along)),
                              .density0 = Dual<F>(F(f.density0)),
                              .half = Dual<F>(F(f.half), F(1))};
    Dual<F> y(x);
    ASSERT_TRUE(solve_length(dual, NewtonOptions<Dual<F>>{}, y, work).ok());
    EXPECT_LT(magnitude(F(y.value - in_full)), F(1e-45));
    const F by_half = in_full / exact.half / (F(1) - slope);
    EXPECT_LT(magnitude(F(y.derivative - by_half)), F(1e-40) * magnitude(by_half)) << k;
  }
  EXPECT_GT(solved, 10000);
}
/// Returns the largest difference of steps that are solved with the default options and by so many iterations, relative to
/// the position, over random states on ellipses of any eccentricity up to 0.99 and fictitious steps up to the largest.
template <class S, class Make>
double difference_from_full(const Make& make, int states, int iterations) {
  using System = Kepler<S>;
  const System system = kepler<S>();
  std::mt19937_64 random(14);
  std::uniform_real_distribution<double> uniform(0, 1);
  double worst = 0;
  int steps = 0;
  for (int k = 0; k < states; ++k) {
    const double e = 0.99 * uniform(random), u = 2 * std::numbers::pi * uniform(random), b = std::sqrt(1 - e * e),
                 rate = 1 / (1 - e * std::cos(u));
    const Vector<S, 2> q(S(std::cos(u) - e), S(b * std::sin(u))), v(S(-rate * std::sin(u)), S(rate * b * std::cos(u)));
    auto method = make(system, NewtonOptions<S>{}),
         in_full = make(system, NewtonOptions<S>{.fixed_iterations = iterations});
    const auto start = method.start(q, v);
    double low = 0, high = 4;
    for (int i = 0; i < 20; ++i) {
      auto z = start;
      (method.step(z, S((low + high) / 2)).ok() ? low : high) = (low + high) / 2;
    }
    for (const double part : {0.02, 0.2, 0.8, 0.99}) {
      auto z = start, y = start;
      // Between the steps below the largest found there may be others that have none.
      if (!method.step(z, S(part * low)).ok() || !in_full.step(y, S(part * low)).ok()) continue;
      ++steps;
      const auto size = max_magnitude(y.q) + max_magnitude(y.v);
      worst = std::max(worst, to_double(RealOf<S>((max_magnitude(z.q - y.q) + max_magnitude(z.v - y.v)) / size)));
    }
  }
  EXPECT_GT(steps, 2 * states);
  return worst;
}
TEST(AdaptiveSteps, states_are_those_of_equations_solved_in_full) {
  using System = Kepler<F>;
  for_each_position_density(kepler<F>(), ratio<F>(-1, 2), [&](const char* name, const auto& density) {
    using Density = std::decay_t<decltype(density)>;
    const auto expect_same = [&](const char* method, const auto& make, int iterations = 40) {
      // Rounding of 1e-49; at 0.99 of the largest step the slope of the equations is a tenth, and e = 0.99 makes it a
      // hundredth of that in places.
      EXPECT_LT((difference_from_full<F>(make, 6, iterations)), 1e-46) << method << ", " << name;
    };
    for (const StepParts parts : {StepParts::kick_drift_kick, StepParts::drift_kick_drift})
      expect_same("Hamiltonian", [&](const System& s, const NewtonOptions<F>& newton) {
        return HamiltonianAdaptiveVerlet<System, Density>(s, density, parts, newton);
      });
    for (const StepRule rule : {StepRule::start, StepRule::mean, StepRule::midpoint})
      expect_same(
          "variational",
          [&](const System& s, const NewtonOptions<F>& newton) {
            return VariationalAdaptiveVerlet<System, Density>(s, density, rule, PotentialWeight::time, newton);
          },
          // Halfway, where a gradient is that of the iteration before, convergence is linear.
          rule == StepRule::midpoint ? 400 : 40);
    expect_same("variational, weighted", [&](const System& s, const NewtonOptions<F>& newton) {
      return VariationalAdaptiveVerlet<System, Density>(s, density, StepRule::mean, PotentialWeight::density, newton);
    });
    expect_same("reversible", [&](const System& s, const NewtonOptions<F>& newton) {
      return ReversibleAdaptiveVerlet<System, Density>(s, density, newton);
    });
  });
}

// --- symmetric --------------------------------------------------------------------------------------------------------

/// Returns how far a step h and a step -h lead from the start, in position, velocity and time.
template <class Method>
F reversal(Method method, const PhaseState<F, Method::system_type::dimension>& from, const F& h) {
  auto z = method.start(from.q, from.v);
  EXPECT_TRUE(method.step(z, h).ok());
  EXPECT_TRUE(method.step(z, F(-h)).ok());
  const F position = max_magnitude(z.q - from.q), velocity = max_magnitude(z.v - from.v);
  return larger(larger(position, velocity), magnitude(z.t));
}
TEST(AdaptiveSteps, symmetric_methods_come_back) {
  using System = Coupled<F>;
  const System system = coupled<F>();
  const auto z = generic_state<F, 2>();
  const F h = ratio<F>(1, 10), tolerance(1e-45);
  for_each_position_density(system, F(3), [&](const char* name, const auto& density) {
    using Density = std::decay_t<decltype(density)>;
    for_each_symplectic<System>(density, [&](const char* method, const auto& make) {
      const F found = reversal(make(system), z, h);
      if (make(system).declares().symmetric) {
        EXPECT_LT(found, tolerance) << method << ", " << name;
      } else {
        EXPECT_GT(found, F(1e-6)) << method << ", " << name;
      }
    });
    EXPECT_LT(reversal(ReversibleAdaptiveVerlet<System, Density>(system, density), z, h), tolerance) << name;
    const VelocityVerlet<System> verlet(system);
    const SimplifiedZhangSkeel<System> zs(system, {ratio<F>(1, 3)});
    EXPECT_LT(reversal(ReversibleSteps(verlet, density), z, h), tolerance) << name;
    EXPECT_LT(reversal(ReversibleSteps(zs, density), z, h), tolerance) << name;
    EXPECT_LT(reversal(IntegratedSteps(verlet, density), z, h), tolerance) << name;
    EXPECT_LT(reversal(IntegratedSteps(zs, density), z, h), tolerance) << name;
    EXPECT_GT(reversal(ExplicitSteps(verlet, density), z, h), F(1e-6)) << name;
  });
  const EqualStateDistances<System> of_state(system);
  EXPECT_LT(reversal(ReversibleAdaptiveVerlet<System, EqualStateDistances<System>>(system, of_state), z, h), tolerance);
  EXPECT_LT(reversal(ReversibleSteps(VelocityVerlet<System>(system), of_state), z, h), tolerance);
  EXPECT_LT(reversal(IntegratedSteps(VelocityVerlet<System>(system), of_state), z, h), tolerance);
  // Their second step, whose length they find; from there forward again.
  const auto expect_back = [&](auto momentum) {
    auto state = momentum.start(z.q, z.v);
    ASSERT_TRUE(momentum.step(state, h).ok());
    const auto first = state;
    ASSERT_TRUE(momentum.step(state, h).ok() && momentum.step(state, F(-h)).ok());
    EXPECT_LT(max_magnitude(state.q - first.q), tolerance);
    EXPECT_LT(max_magnitude(state.v - first.v), tolerance);
    ASSERT_TRUE(momentum.step(state, h).ok());
    EXPECT_GT(state.t, first.t);
  };
  expect_back(SymplecticEnergyMomentum<System>(system));
  expect_back(MidpointEnergyMomentum<System>(system));
  EXPECT_LT(reversal(LogarithmicHamiltonian<Plummer<F>>(plummer<F>()), generic_state<F, 3>(), h), tolerance);
}

/// Steps of rigid bodies: how far a step h and a step -h lead from the start.
template <class Method>
F reversal_of_body(Method method, const F& h) {
  const auto [q, w] = stress_test_start<F>();
  auto z = method.start(q, w);
  // On the way, where the angular velocity changes.
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(method.step(z, h).ok());
  const auto from = z;
  EXPECT_TRUE(method.step(z, h).ok());
  EXPECT_GT(max_magnitude(z.w - from.w), F(1e-6));
  EXPECT_TRUE(method.step(z, F(-h)).ok());
  return larger(larger(RealOf<F>(max_magnitude(z.q - from.q)), RealOf<F>(max_magnitude(z.w - from.w))),
                magnitude(F(z.t - from.t)));
}
TEST(AdaptiveSteps, rigid_bodies_come_back_with_steps_of_equal_angles) {
  const auto system = stress_test<F>();
  using System = StressTestSystem<F>;
  const LieVerlet<System> verlet(system);
  const EqualAngles<System> density(system, ratio<F>(1, 10));
  const F h = ratio<F>(1, 10), tolerance(1e-45);
  EXPECT_LT(reversal_of_body(ReversibleSteps(verlet, density), h), tolerance);
  EXPECT_LT(reversal_of_body(IntegratedSteps(verlet, density), h), tolerance);
  EXPECT_GT(reversal_of_body(ExplicitSteps(verlet, density), h), F(1e-7));
}
/// d(log sigma)/dt by differences over two short steps of a method, and as the density says.
template <class Method, class Density>
std::pair<double, double> log_rates(Method method, const Density& density, const auto& q, const auto& v) {
  const F d = ratio<F>(1, 1000000);
  const auto log_sigma = [&](const F& by) {
    auto z = method.start(q, v);
    EXPECT_TRUE(method.step(z, by).ok());
    return log(density.value(z.q, velocity_of(z)));
  };
  return {to_double(F((log_sigma(d) - log_sigma(F(-d))) / (F(2) * d))), to_double(density.log_rate(q, v))};
}
TEST(AdaptiveSteps, rates_of_densities_are_their_derivatives_along_the_motion) {
  const auto body = stress_test<F>();
  const auto [by_differences, as_said] =
      log_rates(LieVerlet<StressTestSystem<F>>(body), EqualAngles<StressTestSystem<F>>(body, ratio<F>(1, 10)),
                so3::exp(vector3<F>(ratio<F>(1, 2), ratio<F>(-2, 5), ratio<F>(3, 5))), vector3<F>(F(1), F(-2), F(3)));
  EXPECT_NEAR(by_differences, as_said, 1e-9);
  EXPECT_GT(std::abs(as_said), 1e-3);
  const Coupled<F> system = coupled<F>();
  const auto z = generic_state<F, 2>();
  const auto [of_steps, of_density] =
      log_rates(VelocityVerlet<Coupled<F>>(system), EqualStateDistances<Coupled<F>>(system, ratio<F>(1, 10)), z.q, z.v);
  EXPECT_NEAR(of_steps, of_density, 1e-9);
  EXPECT_GT(std::abs(of_density), 1e-3);
}

// --- the order in the time --------------------------------------------------------------------------------------------

/// Returns the order from the errors at about t = 5 with fictitious steps h and h/2: the error at the time that the
/// method says it has reached.
template <class Method>
double order_in_time(Method method, double h, double e = 0.6) {
  const auto z = pericentre(e);
  double error[2];
  for (const int k : {0, 1}) {
    AdaptiveTrajectory run(method, method.start(z.q, z.v), k == 0 ? h : h / 2, 5.0);
    EXPECT_TRUE(run.complete().ok()) << run.outcome().describe();
    // Both runs end within a step of 5; what is compared is the error per time, which is smooth.
    error[k] = (run.state().q - on_ellipse(e, run.state().t)).norm() / run.state().t;
  }
  return std::log2(error[0] / error[1]);
}
TEST(AdaptiveSteps, orders_in_the_time_are_those_declared) {
  using System = Kepler<double>;
  const System system = kepler<double>();
  const KeplerDensity<System> density;
  const double h = 2 * std::numbers::pi / 2000;
  for_each_symplectic<System>(density, [&](const char* name, const auto& make) {
    EXPECT_NEAR(order_in_time(make(system), h), 2, 0.02) << name;
  });
  EXPECT_NEAR(order_in_time(ReversibleAdaptiveVerlet<System, KeplerDensity<System>>(system, density), h), 2, 0.02);
  EXPECT_NEAR(order_in_time(IntegratedSteps(VelocityVerlet<System>(system), density), h), 2, 0.02);
  EXPECT_NEAR(order_in_time(ReversibleSteps(VelocityVerlet<System>(system), density), h), 2, 0.02);
  EXPECT_NEAR(order_in_time(ExplicitSteps(VelocityVerlet<System>(system), density), h), 2, 0.02);
  EXPECT_NEAR(order_in_time(LogarithmicHamiltonian<System>(system), h), 2, 0.02);
  EXPECT_NEAR(order_in_time(SymplecticEnergyMomentum<System>(system), h, 0.3), 2, 0.02);
  EXPECT_NEAR(order_in_time(MidpointEnergyMomentum<System>(system), h, 0.3), 2, 0.02);
  // Explicit steps keep the order of what they step.
  const Composition fourth(VelocityVerlet<System>(system), yoshida<double>(4));
  EXPECT_NEAR(order_in_time(ExplicitSteps(fourth, density), 8 * h), 4, 0.05);
  // Compositions in the fictitious time raise the order of symmetric methods.
  using Hamiltonian = HamiltonianAdaptiveVerlet<System, KeplerDensity<System>>;
  EXPECT_NEAR(order_in_time(Composition(Hamiltonian(system, density), yoshida<double>(4)), 8 * h), 4, 0.05);
  EXPECT_NEAR(order_in_time(Composition(Hamiltonian(system, density), suzuki<double>(4)), 16 * h), 4, 0.05);
}
TEST(AdaptiveSteps, compositions_are_of_order_six_in_the_time) {
  using System = Kepler<double>;
  using Density = KeplerDensity<System>;
  const System system = kepler<double>();
  // Errors from 1e-8 to 1e-12: the next term is below a hundredth of them, and rounding, too.
  const double h = 2 * std::numbers::pi / 200;
  const auto order = [&](const auto& method) { return order_in_time(Composition(method, yoshida<double>(6)), h); };
  EXPECT_NEAR(order(HamiltonianAdaptiveVerlet<System, Density>(system, {})), 6, 0.02);
  EXPECT_NEAR(order(VariationalAdaptiveVerlet<System, Density>(system, {})), 6, 0.02);
  EXPECT_NEAR(order(ReversibleAdaptiveVerlet<System, Density>(system, {})), 6, 0.02);
  EXPECT_NEAR(order(IntegratedSteps(VelocityVerlet<System>(system), Density())), 6, 0.02);
  EXPECT_NEAR(order(LogarithmicHamiltonian<System>(system)), 6, 0.02);
  // That of order four is seen to be none.
  const Composition fourth(LogarithmicHamiltonian<System>(system), yoshida<double>(4));
  EXPECT_LT(order_in_time(fourth, h), 4.1);
}

/// x = cos x with noise of a size that a hash of x decides, as terms have it that cancel or are solved for.
struct NoisyEquation {
  double noise;
  double operator()(double x) const {
    const auto bits = std::bit_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15U;
    return std::cos(x) + noise * (static_cast<double>(bits >> 11) * 0x1p-53 - 0.5);
  }
};

// The noise of an equation may be larger than the tolerance; what is found then is the solution up to the noise. An
// equation that is noise is not solved.
TEST(StepLength, is_found_as_far_as_the_noise_of_its_equation_allows) {
  constexpr double solution = 0.73908513321516064166;
  for (const double start : {0.5, 0.7, 0.9, 1.1})
    for (const auto& [noise, is_solved] : {std::pair(0.0, true), {1e-13, true}, {1e-12, true}, {1e-8, false}}) {
      const NoisyEquation f{noise};
      WorkCounters work;
      double by_newton = start, by_values = start;
      const StepOutcome newton = solve_length(
          [&](double x, double& slope) {
            slope = -std::sin(x);
            return f(x);
          },
          NewtonOptions<double>{}, by_newton, work);
      const StepOutcome values = solve_fixed_point(
          [&](double x, double& value) {
            value = f(x);
            return StepOutcome{};
          },
          NewtonOptions<double>{}, by_values, work);
      EXPECT_EQ(newton.ok(), is_solved) << noise << " from " << start;
      EXPECT_EQ(values.ok(), is_solved) << noise << " from " << start;
      if (!is_solved) continue;
      // One application of f, which contracts by 0.67, is left of the noise.
      EXPECT_NEAR(by_newton, solution, 2 * noise + 1e-14);
      EXPECT_NEAR(by_values, solution, 4 * noise + 1e-14);
    }
}

}  // namespace adaptive_test
}  // namespace livi
