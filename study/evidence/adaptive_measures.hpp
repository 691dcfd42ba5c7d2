// SPDX-License-Identifier: MIT
//
// What the theorems about CS101 measure of an adaptive method: the change of the form in the extended phase space and
// the defect of reversal in 50 digits, over four densities and two systems whose mass is not the identity; the order in
// the time on Kepler's ellipse; the energy over many of its periods.
//
// A method is given as `make(system, density)`, a function of any number type.
#pragma once

#include <algorithm>
#include <limits>
#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/diagnostics/extended_symplecticity.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/scalar/multiprecision.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>
#include <numbers>
#include <vector>

#include "study/models/adaptive_problems.hpp"
#include "study/statistics/fitted_line.hpp"

namespace livi::theorem {

// --- methods ----------------------------------------------------------------------------------------------------------

template <template <class, class> class Method, class System, class Density, class... Options>
Method<System, Density> adaptive_method(const System& system, const Density& density, const Options&... options) {
  return {system, density, options...};
}
/// Slide 13.
inline constexpr auto hamiltonian_adaptive = [](const auto& system, const auto& density) {
  return adaptive_method<HamiltonianAdaptiveVerlet>(system, density);
};
/// Slide 20.
inline constexpr auto reversible_adaptive = [](const auto& system, const auto& density) {
  return adaptive_method<ReversibleAdaptiveVerlet>(system, density);
};
/// Slides 14 to 16.
inline auto variational_adaptive(StepRule rule = StepRule::mean, PotentialWeight weight = PotentialWeight::time) {
  return [=](const auto& system, const auto& density) {
    return adaptive_method<VariationalAdaptiveVerlet>(system, density, rule, weight);
  };
}
/// Velocity Verlet with steps h sigma(q_k).
inline constexpr auto naive_adaptive = [](const auto& system, const auto& density) {
  return ExplicitSteps(VelocityVerlet<std::decay_t<decltype(system)>>(system), density);
};

// --- measures ---------------------------------------------------------------------------------------------------------

inline constexpr double lost = std::numeric_limits<double>::infinity();
/// The rounding of 50 digits after some hundred operations.
inline constexpr double floor_of_50_digits = 1e-45;

/// The smallest and the largest of a number over all cases. A claim that something vanishes is about the largest, a
/// control that it does not about the smallest.
struct OverCases {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  void add(double x) {
    smallest = std::min(smallest, x);
    largest = std::max(largest, x);
  }
};

/// Calls f(system, energy) with two systems in the numbers S: a full mass in two dimensions, three different masses in
/// three. The energy is near that of the generic state.
template <class S, class Function>
void for_each_adaptive_system(const Function& f) {
  f(adaptive_problems::coupled<S>(), ratio<S>(14, 10));
  f(adaptive_problems::plummer<S>(), ratio<S>(-5, 2));
}

/// Returns the changes of dq ^ dp - dt ^ dE0 in a step h = 1/10 from a generic state.
template <class Make>
OverCases adaptive_symplecticity(const Make& make) {
  using F = Float50;
  OverCases result;
  for_each_adaptive_system<Dual<F>>([&](const auto& system, const Dual<F>& energy) {
    using System = std::decay_t<decltype(system)>;
    const auto z = adaptive_problems::generic_state<F, System::dimension>();
    adaptive_problems::for_each_position_density(system, Dual<F>(energy + Dual<F>(1)),
                                                 [&](const char*, const auto& density) {
                                                   const F found = extended_symplecticity(
                                                       system, [&](const System& s) { return make(s, density); },
                                                       [](auto&) {}, z.q, z.v, energy.value, ratio<F>(1, 10));
                                                   result.add(to_double(found));
                                                 });
  });
  return result;
}

/// Returns how far a step h = 1/10 and a step -h lead from a generic state, in position, velocity and time.
template <class Make>
OverCases adaptive_reversal(const Make& make) {
  using F = Float50;
  OverCases result;
  for_each_adaptive_system<F>([&](const auto& system, const F& energy) {
    using System = std::decay_t<decltype(system)>;
    const auto from = adaptive_problems::generic_state<F, System::dimension>();
    adaptive_problems::for_each_position_density(system, F(energy + F(1)), [&](const char*, const auto& density) {
      auto method = make(system, density);
      auto z = method.start(from.q, from.v);
      const F h = ratio<F>(1, 10);
      if (!method.step(z, h).ok() || !method.step(z, F(-h)).ok()) return result.add(lost);
      result.add(to_double(larger(
          larger(RealOf<F>(max_magnitude(z.q - from.q)), RealOf<F>(max_magnitude(z.v - from.v))), magnitude(z.t))));
    });
  });
  return result;
}

/// Returns the errors of the position on Kepler's ellipse, e = 0.6, at the time that the method says it has reached, per
/// time, after about t = 5 with fictitious steps h = 2 pi/1000, h/2, h/4; sigma = r^(3/2). `prepare(state)` changes the
/// start, `clock(method's state)` is its time.
template <class Make, class Prepare, class Clock>
std::vector<double> kepler_errors(const Make& make, const Prepare& prepare, const Clock& clock) {
  using System = adaptive_problems::Kepler<double>;
  const System system = adaptive_problems::kepler<double>();
  const auto from = adaptive_problems::pericentre(0.6);
  std::vector<double> errors;
  for (const int parts : {1000, 2000, 4000}) {
    auto method = make(system, KeplerDensity<System>());
    auto z = method.start(from.q, from.v);
    prepare(z);
    const double h = 2 * std::numbers::pi / parts;
    bool ok = true;
    for (int k = 0; ok && k < 100 * parts && z.t < 5; ++k) ok = method.step(z, h).ok();
    if (!ok || z.t < 5) return {lost, lost, lost};
    errors.push_back((z.q - adaptive_problems::on_ellipse(0.6, clock(z))).norm() / z.t);
  }
  return errors;
}
template <class Make>
std::vector<double> kepler_errors(const Make& make) {
  return kepler_errors(
      make, [](auto&) {}, [](const auto& z) { return z.t; });
}
/// Returns the order in the time from these errors. The runs end within a step of t = 5, where the error per time is
/// smooth.
inline double order_of(const std::vector<double>& errors) { return std::log2(errors[1] / errors[2]); }

/// How a number of a run about Kepler's centre behaves over many periods: its largest size in the whole run and in the
/// first and the last tenth, and the trend of its means over single periods, per period. (2 pi
/// is not quite the period of a method's orbit: the means move a little with where they begin.)
struct LongRun {
  double largest = 0, first_tenth = 0, last_tenth = 0;
  Line trend;
  int periods = 0;
  [[nodiscard]] double growth() const { return last_tenth / first_tenth; }
  /// What the trend makes of the mean over the run, in units of the largest size.
  [[nodiscard]] double drift() const { return trend.slope * periods / largest; }
};
/// `number(before, after)` is evaluated after each step, sigma = r^(3/2), fictitious steps h; `prepare(state)` changes the
/// start.
template <class Make, class Number, class Prepare>
LongRun kepler_long_run(const Make& make, double e, double h, int periods, const Number& number,
                        const Prepare& prepare) {
  using System = adaptive_problems::Kepler<double>;
  const System system = adaptive_problems::kepler<double>();
  const auto from = adaptive_problems::pericentre(e);
  auto method = make(system, KeplerDensity<System>());
  auto z = method.start(from.q, from.v);
  prepare(z);
  LongRun run;
  run.periods = periods;
  std::vector<double> index, means;
  double sum = 0, time = 0;
  for (int period = 0; period < periods;) {
    const auto before = z;
    if (!method.step(z, h).ok()) return {lost, lost, lost, {lost, lost, lost}, periods};
    const double x = number(before, z);
    run.largest = std::max(run.largest, std::abs(x));
    if (10 * period < periods) run.first_tenth = std::max(run.first_tenth, std::abs(x));
    if (10 * period >= 9 * periods) run.last_tenth = std::max(run.last_tenth, std::abs(x));
    sum += x * (z.t - before.t);
    time += z.t - before.t;
    if (z.t < 2 * std::numbers::pi * (period + 1)) continue;
    index.push_back(++period);
    means.push_back(sum / time);
    sum = time = 0;
  }
  run.trend = fitted_trend(index, means);
  return run;
}
template <class Make, class Number>
LongRun kepler_long_run(const Make& make, double e, double h, int periods, const Number& number) {
  return kepler_long_run(make, e, h, periods, number, [](auto&) {});
}

}  // namespace livi::theorem
