// SPDX-License-Identifier: MIT
// Theorem: CS101 slide 27: steps that keep the energy are symplectic and keep momenta, their length is no choice, and
// where they do not exist
//
// With a discrete Lagrangian L_d(q_k, q_{k+1}, dt) of the order two that is symmetric, the discrete energy of a step that
// begins in (q, v) is
//
//   -dL_d/d(dt) = H(q, v) + c(q, v) dt^2 + O(dt^3),
//
// and that of the step that ends there is the same with -dt. That both are equal says dt_{k+1}^2 = dt_k^2 (1 + O(dt)) where
// c is not zero: the step changes slowly, as c^(-1/2). Where c changes its sign it would have to be as long as the way to
// where c has the sign of before: there is no short step. With W the potential,
//
//   velocity Verlet's L_d:       c = v . Hess W v / 4 - grad W . M^-1 grad W / 8
//   the midpoint rule's L_d:     c = -(v . Hess W v + grad W . M^-1 grad W) / 8
//
// One degree of freedom about a minimum: at rest c < 0 for both, at the minimum c > 0 for the first, whose steps end on the
// way, always. For H = (p^2 + q^2)/2 the place is q^2 = 2 p^2, where p^2/2 is a third of H. For the second c < 0 wherever W is
// convex: steps can end where it is concave, and the motion fast, as near the inflections of a double well. At a turning point
// c = -|grad W|^2/8 for both, which is not zero.
//
// Which L_d the slide means by Kane's method (Kane, Marsden and Ortiz 1999) it does not say, and that paper is not at hand:
// what it says of turning points is a reading.
//
// Kepler's ellipse with half axis 1, r the distance, L^2 = 1 - e^2: v^2 = 2/r - 1, v_r^2 = v^2 - L^2/r^2, v . Hess W v =
// (v^2 - 3 v_r^2)/r^3, so that
//
//   first:    8 r^4 c = 4 r + 6 L^2/r - 9,       of one sign on the ellipse iff 81 < 96 L^2, e < sqrt(5/32) = 0.3953
//   second:  -8 r^5 c = 3 L^2/r + 2 r - 3,       of one sign on the ellipse iff  9 < 24 L^2, e < sqrt(5/8)  = 0.7906
//
// (at the radius of the double zero, which lies between pericentre and apocentre).
#include <algorithm>
#include <cmath>
#include <limits>
#include <livi/adaptive/midpoint_energy_momentum.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/adaptive/symplectic_energy_momentum.hpp>
#include <livi/diagnostics/extended_symplecticity.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/simple_pendulum.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>
#include <numbers>

#include "study/models/adaptive_problems.hpp"
#include "study/program/controls.hpp"
#include "study/program/report_parts.hpp"
#include "study/program/theorem.hpp"

namespace livi::theorem {

Program this_program() {
  return {"cs101_energy_momentum",
          {"CS101", "Slide 27", "27"},
          "Steps that keep the energy: what they keep, and where there are none"};
}

namespace {

using namespace adaptive_problems;
using F = Float50;

constexpr double infinity = std::numeric_limits<double>::infinity(), floor_50 = 1e-45;

// --- what the steps keep ----------------------------------------------------------------------------------------------

/// What some steps of a method on Kepler's ellipse in 50 digits change, as parts of what there was.
struct Changes {
  double discrete_energy = 0, energy = 0, angular_momentum = 0;
};

/// `discrete_energy(before, after)` is that of a step between two states.
template <class Method, class DiscreteEnergy>
Changes changes_in_steps(Method method, const F& e, const F& h, int steps, const DiscreteEnergy& discrete_energy) {
  const Kepler<F>& system = method.system();
  const auto from = pericentre<F>(e);
  auto z = method.start(from.q, from.v);
  const auto momentum = [](const auto& state) { return F(state.q(0) * state.v(1) - state.q(1) * state.v(0)); };
  const F energy = system.energy(z.q, z.v), angular = momentum(z);
  Changes found;
  F discrete(0);
  for (int k = 0; k < steps; ++k) {
    const auto before = z;
    if (!method.step(z, h).ok()) return {infinity, infinity, infinity};
    const F of_step = discrete_energy(before, z);
    if (k == 0) discrete = of_step;
    const auto part = [](const F& now, const F& then) { return to_double(magnitude(F(now / then - F(1)))); };
    found.discrete_energy = std::max(found.discrete_energy, part(of_step, discrete));
    found.energy = std::max(found.energy, part(system.energy(z.q, z.v), energy));
    found.angular_momentum = std::max(found.angular_momentum, part(momentum(z), angular));
  }
  return found;
}

/// -dL_d/d(dt) of velocity Verlet's Lagrangian between two positions, written down from L_d alone.
F verlet_energy(const Kepler<F>& system, const auto& before, const auto& after) {
  const F dt = after.t - before.t;
  const Vector<F, 2> w = (after.q - before.q) / dt;
  return dot_product(w, system.momentum(w)) / F(2) +
         (system.potential().value(before.q) + system.potential().value(after.q)) / F(2);
}
F midpoint_energy(const Kepler<F>& system, const auto& before, const auto& after) {
  const F dt = after.t - before.t;
  const Vector<F, 2> w = (after.q - before.q) / dt, middle = (before.q + after.q) / F(2);
  return dot_product(w, system.momentum(w)) / F(2) + system.potential().value(middle);
}

/// How far the states of two runs are apart whose steps are asked to be of different lengths, after an equal first one.
template <class Method>
double effect_of_the_argument(Method method, const F& e, const F& first, int steps) {
  const auto from = pericentre<F>(e);
  auto z = method.start(from.q, from.v);
  if (!method.step(z, first).ok()) return infinity;
  auto other = z;
  double apart = 0;
  for (int k = 1; k < steps; ++k) {
    if (!method.step(z, first).ok() || !method.step(other, F(first * ratio<F>(1 + k % 5, 3))).ok()) return infinity;
    apart = std::max(apart, to_double(max_magnitude(z.q - other.q)));
  }
  return apart;
}

TEST(Slide27, the_steps_keep_their_energy_and_the_momentum_and_leave_no_choice) {
  const Kepler<F> system = kepler<F>();
  const F e = ratio<F>(3, 10), h = ratio<F>(1, 50);
  const int steps = 300;
  const auto of_verlet = [&](const auto& a, const auto& b) { return verlet_energy(system, a, b); };
  const auto of_midpoint = [&](const auto& a, const auto& b) { return midpoint_energy(system, a, b); };
  const SymplecticEnergyMomentum<Kepler<F>> with_verlet(system);
  const MidpointEnergyMomentum<Kepler<F>> with_midpoint(system);
  const ExplicitSteps constant{VelocityVerlet<Kepler<F>>(system), ConstantDensity<Kepler<F>>{}};
  const Changes verlet = changes_in_steps(with_verlet, e, h, steps, of_verlet),
                midpoint = changes_in_steps(with_midpoint, e, h, steps, of_midpoint),
                plain = changes_in_steps(constant, e, h, steps, of_verlet);
  const double choice =
      std::max(effect_of_the_argument(with_verlet, e, h, steps), effect_of_the_argument(with_midpoint, e, h, steps));
  expect_verdict(in_one_interval(
      {.id = "CS101.slide27.sem",
       .measured = std::max({verlet.discrete_energy, verlet.angular_momentum, midpoint.discrete_energy,
                             midpoint.angular_momentum, choice}),
       .interval = {0, floor_50},
       .controls = {{.name = "velocity Verlet with constant steps: its discrete energy",
                     .measured = plain.discrete_energy},
                    {.name = "Verlet with steps that can be chosen: effect of the choice",
                     .measured = effect_of_the_argument(constant, e, h, steps)}},
       .note = text("What is kept is the discrete energy -dL_d/d(dt). H itself moves by %.1e of itself with Verlet's "
                    "Lagrangian and by %.1e with the midpoint rule's, and by %.1e with constant steps of Verlet.",
                    verlet.energy, midpoint.energy, plain.energy)}));
  report().measurement(
      {.name = "verlet.relative_change_of_h", .value = verlet.energy, .tolerance = {.relative = 1e-9}});
  report().measurement(
      {.name = "midpoint.relative_change_of_h", .value = midpoint.energy, .tolerance = {.relative = 1e-9}});
}

/// Systems whose mass is not the identity: two degrees of freedom with a full mass matrix, three with different masses.
struct OnCoupled {
  static constexpr int dimension = 2;
  template <class S>
  static Coupled<S> system() {
    return coupled<S>();
  }
};
struct OnPlummer {
  static constexpr int dimension = 3;
  template <class S>
  static Plummer<S> system() {
    return plummer<S>();
  }
};
template <class Problem, class S>
using SystemOf = decltype(Problem::template system<S>());

/// J'Omega J - Omega in (q, t; p, -E0) of a step of about 1/10.
template <class Problem, template <class> class Method>
double symplecticity_of(const F& energy) {
  using System = SystemOf<Problem, Dual<F>>;
  const F dt = ratio<F>(1, 10);
  const auto z = generic_state<F, Problem::dimension>();
  return to_double(extended_symplecticity(
      Problem::template system<Dual<F>>(), [](const System& s) { return Method<System>(s); },
      [&](auto& state) { state.last_step = Dual<F>(F(dt * ratio<F>(21, 20))); }, z.q, z.v, energy, dt));
}
/// The discrete energy of a step, which is that of a first step.
template <class Problem, template <class> class Method>
F energy_of_a_step(const F& dt) {
  const auto system = Problem::template system<F>();
  const auto z = generic_state<F, Problem::dimension>();
  Method<SystemOf<Problem, F>> method(system);
  auto state = method.start(z.q, z.v);
  EXPECT_TRUE(method.step(state, dt).ok());
  return state.energy;
}
/// The size of its derivative by the length of the step.
template <class Problem, template <class> class Method>
double slope_of_energy(const F& dt) {
  const F apart = dt / F(1e9);
  const F change = energy_of_a_step<Problem, Method>(F(dt + apart)) - energy_of_a_step<Problem, Method>(F(dt - apart));
  return to_double(magnitude(F(change / (F(2) * apart))));
}
/// A step of a fixed length, which the energy does not determine.
template <class System>
struct ConstantStep : ExplicitSteps<VelocityVerlet<System>, ConstantDensity<System>> {
  using Base = ExplicitSteps<VelocityVerlet<System>, ConstantDensity<System>>;
  struct state_type : Base::state_type {
    typename Base::S energy{0};
  };
  explicit ConstantStep(const System& system) : Base(VelocityVerlet<System>(system), {}) {}
  state_type start(const auto& q, const auto& v) const { return {Base::start(q, v), 0}; }
};
/// Its step is the density of the start: not symplectic.
template <class System>
struct DensityOfTheStart : ExplicitSteps<VelocityVerlet<System>, InverseAcceleration<System>> {
  using Base = ExplicitSteps<VelocityVerlet<System>, InverseAcceleration<System>>;
  struct state_type : Base::state_type {
    typename Base::S energy{0};
  };
  explicit DensityOfTheStart(const System& system)
      : Base(VelocityVerlet<System>(system), {system, ratio<typename Base::S>(1, 10)}) {}
  state_type start(const auto& q, const auto& v) const { return {Base::start(q, v), 0}; }
};

/// The residuals on one system, and the smaller derivative of the discrete energy by the step.
struct Residuals {
  double verlet, midpoint, density_of_the_start, constant, slope;
};
template <class Problem>
Residuals residuals() {
  const F dt = ratio<F>(1, 10), of_verlet = energy_of_a_step<Problem, SymplecticEnergyMomentum>(dt),
          of_midpoint = energy_of_a_step<Problem, MidpointEnergyMomentum>(dt);
  return {symplecticity_of<Problem, SymplecticEnergyMomentum>(of_verlet),
          symplecticity_of<Problem, MidpointEnergyMomentum>(of_midpoint),
          symplecticity_of<Problem, DensityOfTheStart>(of_verlet), symplecticity_of<Problem, ConstantStep>(of_verlet),
          std::min(slope_of_energy<Problem, SymplecticEnergyMomentum>(dt),
                   slope_of_energy<Problem, MidpointEnergyMomentum>(dt))};
}

TEST(Slide27, the_steps_are_symplectic) {
  const Residuals full = residuals<OnCoupled>(), diagonal = residuals<OnPlummer>();
  expect_verdict(in_one_interval(
      {.id = "CS101.kane.symplectic",
       .measured = std::max({full.verlet, full.midpoint, diagonal.verlet, diagonal.midpoint}),
       .interval = {0, floor_50},
       .controls = {{.name = "Verlet with steps h sigma(q_k), the least of both systems",
                     .measured = std::min(full.density_of_the_start, diagonal.density_of_the_start)},
                    passing("Verlet with constant steps", std::max(full.constant, diagonal.constant), {})},
       .note = text("The smallest derivative of a discrete energy by the step is %.4f.",
                    std::min(full.slope, diagonal.slope))}));
}

// --- where there is no step -------------------------------------------------------------------------------------------

/// How a run ended: whether it was for want of a step, and where.
template <class Method>
struct End {
  bool no_step = false;
  double t = 0;
  typename Method::state_type state;
};
template <class Method>
End<Method> run_to_end(Method method, const auto& q, const auto& v, double h, double end_time) {
  AdaptiveTrajectory run(method, method.start(q, v), h, end_time);
  const StepOutcome outcome = run.complete().step;
  EXPECT_TRUE(outcome.ok() || outcome.failure == Failure::no_real_root || outcome.failure == Failure::no_convergence)
      << outcome.describe();
  return {!outcome.ok(), run.state().t, run.state()};
}

template <class S>
using Spring = MechanicalSystem<ScalarMass<S, 1>, HarmonicPotential<S, 1>>;
Spring<double> spring() { return {ScalarMass<double, 1>(1, 1), {Vector<double, 1>::Constant(1)}}; }
Vector<double, 1> number(double x) { return Vector<double, 1>::Constant(x); }

/// Oscillations in one degree of freedom: how many there are, how many end for want of a step within 20 units of time
/// (more than a period), how many of these near the turning point, where the kinetic energy is less than a tenth of its
/// largest value, and the least and the largest kinetic energy at an end as a part of that.
struct Oscillations {
  int all = 0, ended = 0, ended_near = 0;
  double least = infinity, largest = 0;
  [[nodiscard]] double share() const { return static_cast<double>(ended) / all; }
  [[nodiscard]] double share_near() const { return static_cast<double>(ended_near) / all; }
};
template <class System, template <class> class Method>
void add_oscillations(const System& system, const std::vector<double>& amplitudes, Oscillations& found) {
  for (const double amplitude : amplitudes)
    for (const bool from_rest : {true, false})
      for (const double h : {0.02, 0.005}) {
        const double largest = system.potential().value(number(amplitude)) - system.potential().value(number(0));
        const auto q = number(from_rest ? amplitude : 0), v = number(from_rest ? 0 : std::sqrt(2 * largest));
        const auto end = run_to_end(Method<System>(system), q, v, h, 20);
        ++found.all;
        if (!end.no_step) continue;
        ++found.ended;
        const double part = end.state.v(0) * end.state.v(0) / (2 * largest);
        found.ended_near += part < 0.1 ? 1 : 0;
        found.least = std::min(found.least, part);
        found.largest = std::max(found.largest, part);
      }
}
template <template <class> class Method>
Oscillations oscillations() {
  Oscillations found;
  add_oscillations<Spring<double>, Method>(spring(), {0.5, 2}, found);
  add_oscillations<SimplePendulum<double>, Method>(simple_pendulum<double>(), {0.3, 1, 2, 2.5, 3}, found);
  return found;
}

/// W = (q^4 - q^2)/2, concave for |q| < 6^(-1/2) = 0.408.
struct DoubleWell {
  using scalar_type = double;
  using vector_type = Vector<double, 1>;
  using hessian_type = DenseHessian<double, 1>;
  static constexpr int dimension = 1;
  [[nodiscard]] double value(const vector_type& q) const { return (q(0) * q(0) - 1) * q(0) * q(0) / 2; }
  void gradient(const vector_type& q, vector_type& out) const { out(0) = 2 * q(0) * q(0) * q(0) - q(0); }
  void hessian(const vector_type& q, hessian_type& out) const { out.matrix(0, 0) = 6 * q(0) * q(0) - 1; }
};

TEST(Slide27, every_oscillation_ends_for_want_of_a_step) {
  const Oscillations verlet = oscillations<SymplecticEnergyMomentum>(),
                     midpoint = oscillations<MidpointEnergyMomentum>();
  // Round and round, where the pendulum does not turn back.
  const auto round = run_to_end(SymplecticEnergyMomentum(simple_pendulum<double>()), number(0), number(3), 0.005, 20);
  // Over the barrier, from rest.
  const MechanicalSystem<ScalarMass<double, 1>, DoubleWell> well{ScalarMass<double, 1>(1, 1), {}};
  const auto over = run_to_end(MidpointEnergyMomentum(well), number(1.5), number(0), 0.01, 20);
  EXPECT_TRUE(over.no_step);
  const auto orbit = pericentre(0.2);
  const auto near_circle = run_to_end(SymplecticEnergyMomentum(kepler<double>()), orbit.q, orbit.v, 0.005, 60);
  expect_verdict(in_one_interval(
      {.id = "CS101.slide27.brittle",
       .measured = verlet.share(),
       .interval = {1, 1},
       .controls = {{.name = "a motion without turning points: Kepler's ellipse with e = 0.2, ten periods",
                     .measured = near_circle.no_step ? 1.0 : 0.0},
                    {.name = "the midpoint rule's Lagrangian on the same oscillations",
                     .measured = midpoint.share(),
                     .expected = Expected::evidence},
                    {.name = "only ends near the turning point, with less than a tenth of the largest kinetic energy",
                     .measured = verlet.share_near(),
                     .expected = Expected::evidence}},
       .note =
           text("%d of %d oscillations end, where the kinetic energy is %.2f to %.2f of its largest value: between the "
                "turning point and the minimum, where c is 0, whatever the step; near the turning point none does, and "
                "runs that start there leave it. A pendulum that turns round and round "
                "has no turning point and ends as well (%s at the angle %.2f). With the midpoint rule's Lagrangian a "
                "motion over the barrier of a double well, (q^4 - q^2)/2 from rest at 1.5, ends at q = %.2f, near the "
                "inflection at 0.41. Which Lagrangian the slide means it does not say.",
                verlet.ended, verlet.all, verlet.least, verlet.largest, round.no_step ? "without a step" : "not",
                round.state.q(0), over.state.q(0))}));
  EXPECT_TRUE(round.no_step);
}

TEST(Slide27, the_place_is_where_the_coefficient_changes_its_sign) {
  // From the turning point of the spring, with x = p^2, c = (3 x - 1)/8: a step is h (c(0)/c)^(1/2) long, and there is none
  // once that is longer than the time s that is left to c = 0. There x grows as 2 |q p| s = 0.943 s, so that c = 0.354 s and
  // s^3 = h^2 (1/8) / 0.354.
  const double h = 0.001;
  const auto end = run_to_end(SymplecticEnergyMomentum(spring()), number(1), number(0), h, 20);
  const auto plain = run_to_end(MidpointEnergyMomentum(spring()), number(1), number(0), h, 20);
  const double time_left = std::cbrt(h * h / 8 / 0.354);
  const auto kinetic = [](const auto& state) { return state.v(0) * state.v(0); };
  expect_verdict(
      in_one_interval({.id = "CS101.kane.place",
                       .measured = end.no_step ? kinetic(end.state) : std::numeric_limits<double>::quiet_NaN(),
                       .interval = Interval::around(1.0 / 3, 2 * 0.943 * time_left),
                       .controls = {failing("the midpoint rule's Lagrangian, which goes on: kinetic energy at t = 20",
                                            kinetic(plain.state), {})}}));
}

/// States of two coupled oscillators, spread evenly over a cube of positions and velocities.
std::vector<PhaseState<double, 2>> spread_states(int count) {
  std::vector<PhaseState<double, 2>> states;
  for (int k = 1; k <= count; ++k) {
    const auto entry = [k](double irrational) { return 1.5 * (2 * std::fmod(k * std::sqrt(irrational), 1) - 1); };
    states.push_back({{entry(2), entry(3)}, {entry(5), entry(7)}});
  }
  return states;
}
/// The times until 6 at which c changes its sign on the motion from a state, by Verlet's steps of 1/500.
std::vector<double> changes_of_sign(const Coupled<double>& system, const PhaseState<double, 2>& from) {
  VelocityVerlet verlet(system);
  auto z = verlet.start(from.q, from.v);
  std::vector<double> times;
  double before = discrete_energy_coefficient(system, z.q, z.v);
  for (int k = 1; k <= 3000; ++k) {
    EXPECT_TRUE(verlet.step(z, 0.002).ok());
    const double c = discrete_energy_coefficient(system, z.q, z.v);
    if (before * c < 0) times.push_back(0.002 * (k - c / (c - before)));
    before = c;
  }
  return times;
}
double distance_to_nearest(double t, const std::vector<double>& times) {
  double nearest = infinity;
  for (const double other : times) nearest = std::min(nearest, std::abs(t - other));
  return nearest;
}

TEST(Slide27, steps_end_where_the_coefficient_changes_its_sign_from_either_side) {
  const Coupled<double> system = coupled<double>();
  constexpr double h = 1e-3;
  double farthest = 0, of_midpoint = 0;
  int positive = 0, negative = 0, at_first = 0;
  for (const auto& from : spread_states(32)) {
    const std::vector<double> places = changes_of_sign(system, from);
    ++(discrete_energy_coefficient(system, from.q, from.v) > 0 ? positive : negative);
    const auto end = run_to_end(SymplecticEnergyMomentum(system), from.q, from.v, h, 6);
    const double distance = end.no_step ? distance_to_nearest(end.t, places) : infinity;
    farthest = std::max(farthest, distance);
    at_first += !places.empty() && std::abs(end.t - places.front()) == distance ? 1 : 0;
  }
  // Its c is another one.
  for (const auto& from : spread_states(3)) {
    const auto plain = run_to_end(MidpointEnergyMomentum(system), from.q, from.v, h, 3);
    of_midpoint = std::max(of_midpoint, distance_to_nearest(plain.t, changes_of_sign(system, from)));
  }
  expect_verdict(in_one_interval(
      {.id = "CS101.kane.inequality",
       .measured = farthest,
       .unit = "time",
       .interval = {0, 0.03},
       .controls = {{.name = "the midpoint rule's Lagrangian", .measured = of_midpoint}},
       .note = text("%d starts with c > 0 and %d with c < 0, of which all end, %d at the first change of the sign. The "
                    "others pass it with a step that has grown as long as the way there, and end at the next.",
                    positive, negative, at_first)}));
  EXPECT_GE(std::min(positive, negative), 4);
}

/// The eccentricity below which a method goes on for 20 periods, to 1/1000, between the given ones.
template <template <class> class Method>
double limit_of_eccentricity(double runs, double ends, double h) {
  const Kepler<double> system = kepler<double>();
  const auto has_steps = [&](double e) {
    const auto from = pericentre(e);
    return !run_to_end(Method<Kepler<double>>(system), from.q, from.v, h, 40 * std::numbers::pi).no_step;
  };
  EXPECT_TRUE(has_steps(runs));
  EXPECT_FALSE(has_steps(ends));
  while (ends - runs > 0.001) {
    const double middle = (runs + ends) / 2;
    (has_steps(middle) ? runs : ends) = middle;
  }
  return (runs + ends) / 2;
}

TEST(Slide27, keplers_ellipse_has_steps_up_to_an_eccentricity) {
  const double h = 2 * std::numbers::pi / 2000;
  const double verlet = limit_of_eccentricity<SymplecticEnergyMomentum>(0.3, 0.5, h),
               midpoint = limit_of_eccentricity<MidpointEnergyMomentum>(0.6, 0.9, h);
  const auto bound = [](double exact) { return Interval::around(exact, 0.01); };
  expect_verdict({.id = "CS101.kane.eccentricity-verlet",
                  .measured = verlet,
                  .interval = bound(std::sqrt(5.0 / 32)),
                  .controls = {failing("the midpoint rule's Lagrangian", midpoint, bound(std::sqrt(5.0 / 32)))}});
  expect_verdict({.id = "CS101.kane.eccentricity-midpoint",
                  .measured = midpoint,
                  .interval = bound(std::sqrt(5.0 / 8)),
                  .controls = {failing("velocity Verlet's Lagrangian", verlet, bound(std::sqrt(5.0 / 8)))}});
}

}  // namespace
}  // namespace livi::theorem
