// SPDX-License-Identifier: MIT
// Theorem: CS101 slides 19 and 28, beyond: reversible adaptive steps of Z&S, SHAKE, RATTLE and Lie-Verlet are reversible,
// of order two in the time, and keep the energy as constant steps do
//
// Each method has an integrable problem, so that energies that drift do so because of the steps: Z&S Kepler's ellipse, SHAKE
// and RATTLE the spherical pendulum, Lie-Verlet the heavy symmetric top. Steps are the mean of the densities at both ends
// (ReversibleSteps), or follow an integrated density (IntegratedSteps).
//
// SHAKE carries w_k, which lacks the constraint force at t_k and so differs from the tangent velocity by a vector M^-1 G_k^T a.
// Its next multiplier absorbs whatever a is, also where steps change: positions are those of RATTLE. A density of the
// position therefore makes reversible steps of it. A density of the velocity would read w_k, which is no function of the
// place and the direction alone, and so would the rate of an integrated density: their steps are not reversible.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <livi/adaptive/step_control.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/liegroup/so3.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/systems/rotation_potentials.hpp>
#include <livi/systems/stochastic_problems.hpp>
#include <numbers>
#include <string>

#include "study/models/adaptive_problems.hpp"
#include "study/program/controls.hpp"
#include "study/program/report_parts.hpp"
#include "study/program/theorem.hpp"
#include "study/statistics/fitted_line.hpp"

namespace livi::theorem {

Program this_program() {
  return {"cs101_step_control",
          {"CS101", "Slides 19 and 28", "19, 28"},
          "Reversible adaptive steps of Z&S, SHAKE, RATTLE and Lie-Verlet: reversal, order, energy"};
}

namespace {

using namespace adaptive_problems;
using F = Float50;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Interval zero{0, 1e-45};

// --- problems ---------------------------------------------------------------------------------------------------------

/// A unit mass on the unit sphere, V = z.
template <class S>
using Sphere = ConstrainedSystem<ScalarMass<S, 3>, UniformField<S, 3>, RoundConstraint<S, 3>>;
template <class S>
Sphere<S> sphere() {
  return {ScalarMass<S, 3>(S(1)), {Vector<S, 3>(S(0), S(0), S(1))}, {S(1)}};
}
/// A symmetric top whose centre of mass is on its axis, V = Q_33.
template <class S>
using Top = LieSystem<DiagonalMass<S, 3>, HeavyTopPotential<S>>;
template <class S>
Top<S> top() {
  return {DiagonalMass<S, 3>(vector3<S>(S(1), S(1), ratio<S>(1, 2))), {S(1), vector3<S>(S(0), S(0), S(1))}};
}

/// Where a motion starts: position or attitude, velocity or angular velocity.
template <class Q, class V>
struct Start {
  Q q;
  V v;
};

/// Calls f(name, method, density, start) with the four methods, each on its problem; SHAKE's density is one of the position.
template <class S, class Function>
void for_each_method(const Function& f) {
  static const Kepler<S> of_kepler = kepler<S>();
  static const Sphere<S> on_sphere = sphere<S>();
  static const Top<S> heavy = top<S>();
  const PhaseState<S, 2> ellipse = pericentre(ratio<S>(3, 5));
  f("Z&S", ZhangSkeel<Kepler<S>>(of_kepler, {ratio<S>(1, 4)}), KeplerDensity<Kepler<S>>(), ellipse);
  const Start<Vector<S, 3>, Vector<S, 3>> swing{{ratio<S>(3, 5), S(0), ratio<S>(-4, 5)},
                                                {ratio<S>(2, 5), ratio<S>(1, 2), ratio<S>(3, 10)}};
  const EqualDistances<Sphere<S>> density(on_sphere, on_sphere.energy(swing.q, swing.v), ratio<S>(1, 20));
  f("SHAKE", Shake<Sphere<S>>(on_sphere), density, swing);
  f("RATTLE", Rattle<Sphere<S>>(on_sphere), density, swing);
  const Start<Matrix3<S>, Vector3<S>> spin{so3::exp(vector3<S>(S(1), ratio<S>(1, 5), S(0))),
                                           vector3<S>(ratio<S>(1, 2), ratio<S>(-1, 5), S(2))};
  f("Lie-Verlet", LieVerlet<Top<S>>(heavy), EqualAngles<Top<S>>(heavy, ratio<S>(1, 10)), spin);
}

template <class Inner>
constexpr bool is_shake = requires(Inner inner) {
  inner.tangent_velocity(std::declval<typename Inner::state_type>(), std::declval<typename Inner::vector_type&>());
};

/// Returns the velocity of a state: of SHAKE the tangent one.
template <class Method, class State>
auto velocity(Method& method, const State& z) {
  std::decay_t<decltype(velocity_of(z))> v = velocity_of(z);
  if constexpr (is_shake<std::decay_t<decltype(method.inner())>>) {
    if (!method.inner().tangent_velocity(z, v).ok()) v.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return v;
}

// --- reversal ---------------------------------------------------------------------------------------------------------

/// How far ten steps, the velocity turned round, and ten steps lead from the start turned round.
template <class Method, class From>
double reversal(Method method, const From& from) {
  const F h = ratio<F>(1, 20);
  auto z = method.start(from.q, from.v);
  for (const bool back : {false, true}) {
    for (int k = 0; k < 10; ++k)
      if (!method.step(z, h).ok()) return infinity;
    if (!back) velocity_of(z) = -velocity_of(z);
  }
  const auto v = velocity(method, z);
  return to_double(larger(RealOf<F>(max_magnitude(z.q - from.q)), RealOf<F>(max_magnitude(v + from.v))));
}

TEST(StepControl, reversible_steps_of_all_four_come_back) {
  double worst = 0, least_of_naive = infinity;
  std::string words;
  for_each_method<F>([&](const char* name, const auto& method, const auto& density, const auto& from) {
    using Inner = std::decay_t<decltype(method)>;
    const double mean = reversal(ReversibleSteps(method, density), from),
                 naive = reversal(ExplicitSteps(method, density), from);
    worst = std::max(worst, mean);
    least_of_naive = std::min(least_of_naive, naive);
    words += text("%s%s %.0e", words.empty() ? "" : ", ", name, naive);
    if constexpr (!is_shake<Inner>) worst = std::max(worst, reversal(IntegratedSteps(method, density), from));
  });
  const Sphere<F> system = sphere<F>();
  double of_velocity = 0, rattle_of_velocity = 0, integrated = 0;
  for_each_method<F>([&](const char*, const auto& method, const auto& density, const auto& from) {
    using Inner = std::decay_t<decltype(method)>;
    const EqualStateDistances<Sphere<F>> of_state(system);
    if constexpr (is_shake<Inner>) {
      of_velocity = reversal(ReversibleSteps(method, of_state), from);
      integrated = reversal(IntegratedSteps(method, density), from);
    } else if constexpr (std::is_same_v<Inner, Rattle<Sphere<F>>>) {
      rattle_of_velocity = reversal(ReversibleSteps(method, of_state), from);
    }
  });
  expect_verdict(in_one_interval(
      {.id = "CS101.step-control.reversal",
       .measured = worst,
       .interval = zero,
       .controls = {{.name = "steps h sigma(y_k), the least of four", .measured = least_of_naive},
                    {.name = "SHAKE with a density of the velocity, which reads w_k", .measured = of_velocity},
                    {.name = "SHAKE with an integrated density, whose rate reads w_k", .measured = integrated},
                    passing("RATTLE with that density of the velocity", rattle_of_velocity, zero)},
       .note = "Steps h sigma(y_k): " + words + "."}));
}

// --- order ------------------------------------------------------------------------------------------------------------

/// Returns the state at a time by the classical Runge-Kutta method with steps of about 1/500: errors of about 1e-11.
template <class State, class Rate>
State state_at(double time, State y, const Rate& rate) {
  const long steps = std::lround(std::ceil(500 * time));
  const double h = time / static_cast<double>(steps);
  for (long k = 0; k < steps; ++k) {
    const State a = rate(y), b = rate(State(y + h / 2 * a)), c = rate(State(y + h / 2 * b)), d = rate(State(y + h * c));
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y;
}
/// Returns the position at a time on each problem, from equations that no method of this library solves here.
Vector<double, 2> position_at(const Kepler<double>&, double time, const PhaseState<double, 2>&) {
  return on_ellipse(0.6, time);
}
template <class From>
Vector<double, 3> position_at(const Sphere<double>&, double time, const From& from) {
  Eigen::Matrix<double, 6, 1> y;
  y << from.q, from.v;
  // |q| = 1 asks for q'' = -e_3 + (q_3 - |q'|^2) q.
  y = state_at(time, y, [](const Eigen::Matrix<double, 6, 1>& at) {
    Eigen::Matrix<double, 6, 1> rate;
    rate.head<3>() = at.tail<3>();
    rate.tail<3>() = (at(2) - at.tail<3>().squaredNorm()) * at.head<3>();
    rate(5) -= 1;
    return rate;
  });
  return y.head<3>();
}
template <class From>
Matrix3<double> position_at(const Top<double>& system, double time, const From& from) {
  // The attitude beside the angular velocity.
  Eigen::Matrix<double, 3, 4> y;
  y << from.q, from.v;
  y = state_at(time, y, [&](const Eigen::Matrix<double, 3, 4>& at) {
    const Matrix3<double> q = at.leftCols<3>();
    const Vector3<double> w = at.col(3);
    Eigen::Matrix<double, 3, 4> rate;
    rate.leftCols<3>() = q * so3::hat(w);
    rate.col(3) = system.acceleration(w, system.torque(q));
    return rate;
  });
  return y.leftCols<3>();
}

/// Returns the power of h in the error of the position at the time that the method has reached, just after t = 5.
template <class Method, class From>
double order_in_time(const Method& method, const From& from, double coarsest) {
  std::vector<double> steps, errors;
  for (int k = 0; k < 3; ++k) {
    Method fresh = method;
    const double h = coarsest / static_cast<double>(1 << k);
    auto z = fresh.start(from.q, from.v);
    while (z.t < 5)
      if (!fresh.step(z, h).ok()) return std::numeric_limits<double>::quiet_NaN();
    steps.push_back(h);
    // Runs end within a step of 5; the error per time is smooth.
    errors.push_back((z.q - position_at(fresh.system(), z.t, from)).norm() / z.t);
  }
  return fitted_power(steps, errors).slope;
}

/// A composition that starts as its method does, of rigid bodies, too.
template <class Inner>
class Composed : public Composition<Inner> {
 public:
  using state_type = typename Inner::state_type;
  Composed(const Inner& inner, int order) : Composition<Inner>(inner, yoshida<double>(order)), inner_(inner) {}
  template <class Q, class V>
  [[nodiscard]] state_type start(const Q& q, const V& v) const {
    return inner_.start(q, v);
  }

 private:
  Inner inner_;
};

TEST(StepControl, all_four_are_of_order_two_in_the_time) {
  const double h = 2 * std::numbers::pi / 1000;
  double farthest = 2, fourth = infinity;
  std::string words;
  const auto take = [&](double order) {
    if (!(std::abs(order - 2) < std::abs(farthest - 2))) farthest = order;
  };
  for_each_method<double>([&](const char* name, const auto& method, const auto& density, const auto& from) {
    using Inner = std::decay_t<decltype(method)>;
    const ReversibleSteps mean(method, density);
    const double order = order_in_time(mean, from, h);
    take(order);
    words += text("%s%s %.4f", words.empty() ? "" : "; ", name, order);
    if constexpr (!is_shake<Inner>) {
      const double integrated = order_in_time(IntegratedSteps(method, density), from, h);
      take(integrated);
      words += text(", %.4f integrated", integrated);
    }
    fourth = std::min(fourth, order_in_time(Composed(mean, 4), from, 8 * h));
  });
  const Kepler<double> system = kepler<double>();
  const ReversibleSteps euler{SymplecticEuler<Kepler<double>>(system), KeplerDensity<Kepler<double>>()};
  expect_verdict(in_one_interval(
      {.id = "CS101.step-control.order",
       .measured = farthest,
       .unit = "order",
       .interval = {1.98, 2.02},
       .controls = {{.name = "around symplectic Euler", .measured = order_in_time(euler, pericentre(0.6), h)},
                    {.name = "compositions of order four, the least of four", .measured = fourth}},
       .note = "Orders: " + words + "."}));
}

// --- energy -----------------------------------------------------------------------------------------------------------

/// The energy of a long run: its largest error, and the change of its mean from the first tenth of the time to the last.
struct Energy {
  double largest = 0, change = infinity;
  long steps = 0;
};
template <class Method, class From>
Energy energy_of(Method method, const From& from, double h, double end) {
  auto z = method.start(from.q, from.v);
  const double first = method.system().energy(from.q, from.v);
  std::array<double, 2> sum{}, time{};
  Energy energy;
  for (; z.t < end; ++energy.steps) {
    const double before = z.t;
    if (!method.step(z, h).ok()) return {infinity, infinity, energy.steps};
    const double error = method.system().energy(z.q, velocity(method, z)) - first;
    energy.largest = std::max(energy.largest, std::abs(error));
    for (const std::size_t part : {0U, 1U})
      if (part == 0 ? z.t < end / 10 : z.t > 0.9 * end) {
        sum[part] += error * (z.t - before);
        time[part] += z.t - before;
      }
  }
  energy.change = std::abs(sum[1] / time[1] - sum[0] / time[0]);
  return energy;
}

/// Constant steps c h, of rigid bodies, too.
template <class System>
struct Constant {
  using scalar_type = double;
  using vector_type = VectorOf<System>;
  double c;
  template <class Q>
  [[nodiscard]] double value(const Q&, const vector_type&) const {
    return c;
  }
};

TEST(StepControl, all_four_keep_the_energy_where_naive_steps_lose_it) {
  const double h = 2 * std::numbers::pi / 60, end = 200 * 2 * std::numbers::pi;
  double worst = 0, least_of_naive = infinity, constant_worst = 0;
  std::string words;
  for_each_method<double>([&](const char* name, const auto& method, const auto& density, const auto& from) {
    using Inner = std::decay_t<decltype(method)>;
    const Energy mean = energy_of(ReversibleSteps(method, density), from, h, end),
                 naive = energy_of(ExplicitSteps(method, density), from, h, end);
    // As many constant steps.
    const Constant<typename Inner::system_type> same{end / static_cast<double>(mean.steps) / h};
    const Energy constant = energy_of(ExplicitSteps(method, same), from, h, end);
    worst = std::max(worst, mean.change / constant.largest);
    least_of_naive = std::min(least_of_naive, naive.change / constant.largest);
    constant_worst = std::max(constant_worst, constant.change / constant.largest);
    words += text("%s%s %.1e (constant %.1e), drift %.0e (naive %.0e)", words.empty() ? "" : "; ", name, mean.largest,
                  constant.largest, mean.change / constant.largest, naive.change / constant.largest);
    if constexpr (!is_shake<Inner>) {
      const Energy integrated = energy_of(IntegratedSteps(method, density), from, h, end);
      worst = std::max(worst, integrated.change / constant.largest);
      words += text(", integrated %.1e, drift %.0e", integrated.largest, integrated.change / constant.largest);
    }
  });
  expect_verdict(
      in_one_interval({.id = "CS101.step-control.energy",
                       .measured = worst,
                       .interval = {0, 0.1},
                       .controls = {{.name = "steps h sigma(y_k), the least of four", .measured = least_of_naive},
                                    passing("as many constant steps, the most of four", constant_worst, {})},
                       .note = "Largest errors, and drift over the largest error of constant steps: " + words + "."}));
}

}  // namespace
}  // namespace livi::theorem
