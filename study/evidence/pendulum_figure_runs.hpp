// SPDX-License-Identifier: MIT
//
// The runs of TO14 Figure 1: six methods on the double pendulum, every reading of one-step Newmark, both directions of gravity.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <livi/diagnostics/measures.hpp>
#include <livi/integrators/pushforward_newmark.hpp>
#include <livi/integrators/rattle.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/symplectic_euler.hpp>
#include <livi/integrators/variational_euler_generalized.hpp>
#include <string>
#include <utility>
#include <vector>

#include "study/models/stiff_pendulum.hpp"

namespace livi::figure_1 {

using namespace livi::stiff_pendulum;

struct Parameters {
  double h = 0.1, beta = 0.4, omega = 20, end_time = 50;
  [[nodiscard]] bool as_printed() const { return h == 0.1 && beta == 0.4 && omega == 20 && end_time == 50; }
};

/// What a run did, sampled at t = k * h of the figure.
struct Row {
  std::vector<double> t, x2_error, y2_error, energy_error;
  std::vector<V> position;
  double diverged_at = not_a_number;  ///< time at which the run failed or left for infinity
  double newton_per_step = 0;

  [[nodiscard]] bool diverged() const { return !std::isnan(diverged_at); }
  [[nodiscard]] static double largest(const std::vector<double>& errors) {
    double m = 0;
    for (const double e : errors) m = std::max(m, std::abs(e));
    return m;
  }
  [[nodiscard]] static double rms(const std::vector<double>& errors) {
    double sum = 0;
    for (const double e : errors) sum += e * e;
    return std::sqrt(sum / static_cast<double>(errors.size()));
  }
  /// Infinite for a run that diverged.
  [[nodiscard]] double max_error() const {
    return diverged() ? infinity : std::max(largest(x2_error), largest(y2_error));
  }
  /// Adds a position beside the exact one.
  void add(const reference::PendulumState& exact, const V& q, double energy_change) {
    t.push_back(exact.t);
    x2_error.push_back(q(2) - exact.q[2]);
    y2_error.push_back(q(3) - exact.q[3]);
    energy_error.push_back(energy_change);
    position.push_back(q);
  }
};

/// max over both coordinates and all samples of |a - b|.
inline double largest_difference(const Row& a, const Row& b) {
  double m = 0;
  for (std::size_t k = 0; k < std::min(a.position.size(), b.position.size()); ++k)
    for (const int i : {2, 3}) m = std::max(m, std::abs(a.position[k](i) - b.position[k](i)));
  return a.diverged() || b.diverged() ? infinity : m;
}

/// A reading of one-step Newmark: what the paper does not print.
struct Reading {
  std::string name;
  NewmarkGuess guess;
  NewmarkAcceleration acceleration;
  template <class S>
  [[nodiscard]] NewmarkOptions<S> options(const S& beta) const {
    return {.beta = beta, .guess = guess, .acceleration = acceleration, .newton = {.fixed_iterations = 1}};
  }
};
/// All eight; the first is the one shown.
inline const std::vector<Reading>& readings() {
  static const std::vector<Reading> all = [] {
    std::vector<Reading> list;
    for (const auto& [name, guess] :
         {std::pair<std::string, NewmarkGuess>{"last_position", NewmarkGuess::last_position},
          {"ballistic", NewmarkGuess::ballistic},
          {"zero_acceleration", NewmarkGuess::zero_acceleration},
          {"constant_acceleration", NewmarkGuess::constant_acceleration}}) {
      list.push_back({name + ".carried", guess, NewmarkAcceleration::carried});
      list.push_back({name + ".recomputed", guess, NewmarkAcceleration::recomputed});
    }
    return list;
  }();
  return all;
}

/// The pendulum is 1 + sqrt 2 long: a mass twenty times farther away has left.
inline constexpr double escape = 50;

inline constexpr auto stepped_position = [](const auto& z) { return z.q; };

/// The pendulum with one direction of gravity, over a time span of which the exact motion is known.
struct Setting {
  Parameters p;
  Gravity gravity;
  Reference exact;
  Constrained constrained = double_pendulum<double>(gravity);
  Penalised system = penalised(constrained, p.omega);

  /// A run with `every` steps of the method in a step of the figure.
  template <class Method, class Position, class Energy>
  [[nodiscard]] Row run(Method& method, typename Method::state_type from, long every, double h,
                        const Position& position, const Energy& energy) const {
    Row row;
    Trajectory trajectory(method, std::move(from), h, every * steps_in(p.end_time, p.h));
    double initial = 0;
    for (const auto& point : trajectory) {
      if (point.step % every != 0) continue;
      const V q = position(point.state);
      const double e = energy(point.state);
      if (point.step == 0) initial = e;
      if (!(max_magnitude(q) < escape)) {
        row.diverged_at = point.time;
        break;
      }
      row.add(exact[static_cast<std::size_t>(point.step / every)], q, e - initial);
    }
    const RunOutcome outcome = trajectory.outcome();
    if (!outcome.ok() && !row.diverged()) row.diverged_at = outcome.time;
    row.newton_per_step =
        static_cast<double>(method.work().newton_iterations) / static_cast<double>(std::max(1L, outcome.completed));
    return row;
  }
  /// A run on the penalised system, from rest.
  template <class Method, class Position = decltype(stepped_position)>
  [[nodiscard]] Row penalised_run(Method method, const V& from = start(), const Position& position = {},
                                  long every = 1) const {
    return run(method, method.start(from, V::Zero()), every, p.h / static_cast<double>(every), position,
               [&](const auto& z) { return system.energy(z.q, z.v); });
  }
  [[nodiscard]] Row newmark(const NewmarkOptions<double>& options) const {
    return penalised_run(Newmark(system, options));
  }
};

/// The figure for one direction of gravity.
struct Figure1 {
  Reference exact;
  double reference_disagreement = 0;
  Row benchmark, shake, rattle, symplectic_euler, newmark, newmark_shown, zhang_skeel, zhang_skeel_at_q,
      zhang_skeel_mapped, simplified, pushforward;
  std::vector<Row> one_iteration;  ///< all readings
  std::vector<Row> iterated;       ///< exactly 1, 2, 3, 4 iterations from the shown guess
  Row modelling;                   ///< the exact penalised motion

  /// The largest errors of rows 2, 3, 4 and 6.
  [[nodiscard]] std::array<double, 4> errors() const {
    return {shake.max_error(), symplectic_euler.max_error(), newmark.max_error(), zhang_skeel.max_error()};
  }
  /// Peak to peak of x2, y2, the larger.
  [[nodiscard]] double range() const {
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (const auto& state : exact)
      for (const std::size_t i : {0UL, 1UL}) {
        low[i] = std::min(low[i], state.q[2 + i]);
        high[i] = std::max(high[i], state.q[2 + i]);
      }
    return std::max(high[0] - low[0], high[1] - low[1]);
  }
};

inline Row run_benchmark(const Setting& setting, double h) {
  const auto lagrangian = double_pendulum_lagrangian<double>(setting.gravity);
  VariationalEulerGeneralized method(lagrangian);
  const Vector<double, 2> angles(0, std::atan2(1.0, 1.0)), still(0, 0);
  return setting.run(
      method, method.start(angles, still), steps_in(setting.p.h, h), h,
      [&](const auto& z) { return lagrangian.cartesian(z.q); },
      [&](const auto& z) {
        return lagrangian_energy<DoublePendulumLagrangian<double>, double, 2>(lagrangian, z.q, z.v);
      });
}

inline void run_multiplier_methods(const Setting& setting, Figure1& figure) {
  Shake shake(setting.constrained);
  figure.shake =
      setting.run(shake, shake.start(start(), V::Zero()), 1, setting.p.h, stepped_position, [&](const auto& z) {
        V v = z.v;
        static_cast<void>(shake.tangent_velocity(z, v));
        return setting.constrained.energy(z.q, v);
      });
  Rattle rattle(setting.constrained);
  figure.rattle = setting.run(rattle, rattle.start(start(), V::Zero()), 1, setting.p.h, stepped_position,
                              [&](const auto& z) { return setting.constrained.energy(z.q, z.v); });
}

inline void run_penalised_methods(const Setting& setting, Figure1& figure) {
  const Parameters& p = setting.p;
  const Penalised& system = setting.system;
  // "Row 3 uses h = 0.1/omega": a whole number of its steps makes a step of the others.
  figure.symplectic_euler = setting.penalised_run(SymplecticEuler(system), start(), stepped_position,
                                                  static_cast<long>(std::max(1.0, std::round(p.omega))));
  figure.newmark = setting.newmark({.beta = p.beta});
  for (const Reading& reading : readings()) figure.one_iteration.push_back(setting.newmark(reading.options(p.beta)));
  figure.newmark_shown = figure.one_iteration.front();
  for (int n = 1; n <= 4; ++n) figure.iterated.push_back(setting.newmark(one_iteration(p.beta, n)));
  ZhangSkeel zhang_skeel(system, {p.beta});
  const auto at_q = [&](const auto& z) { return physical_position(zhang_skeel, z, p.h); };
  figure.zhang_skeel = setting.penalised_run(zhang_skeel);
  figure.zhang_skeel_at_q = setting.penalised_run(zhang_skeel, start(), at_q);
  figure.zhang_skeel_mapped = setting.penalised_run(zhang_skeel, start_of(StartAt::mapped, system, p.beta, p.h), at_q);
  figure.simplified = setting.penalised_run(SimplifiedZhangSkeel(system, {p.beta}));
  figure.pushforward = setting.penalised_run(PushforwardNewmark(system, {.beta = p.beta}));
}

inline reference::DoublePendulumParameters parameters_of_reference(const Parameters& p,
                                                                   Gravity gravity = Gravity::down) {
  reference::DoublePendulumParameters parameters;
  parameters.gravity_sign = gravity == Gravity::down ? 1 : -1;
  parameters.omega = p.omega;
  return parameters;
}

/// The exact penalised motion beside the constrained one, with gravity down.
inline Row run_exact_penalised(const Setting& setting) {
  Row row;
  const Reference motion = reference::penalised_reference(parameters_of_reference(setting.p), setting.p.end_time,
                                                          static_cast<int>(setting.exact.size()));
  for (std::size_t k = 0; k < motion.size(); ++k) row.add(setting.exact[k], position_of(motion[k]), 0);
  return row;
}

inline Figure1 run_figure(Gravity gravity, const Parameters& p, double benchmark_step) {
  const auto checked = reference::checked_constrained_reference(parameters_of_reference(p, gravity), p.end_time,
                                                                static_cast<int>(steps_in(p.end_time, p.h)) + 1);
  const Setting setting{p, gravity, checked.states};
  Figure1 figure;
  figure.exact = checked.states;
  figure.reference_disagreement = checked.disagreement;
  figure.benchmark = run_benchmark(setting, benchmark_step);
  run_multiplier_methods(setting, figure);
  run_penalised_methods(setting, figure);
  if (gravity == Gravity::down) figure.modelling = run_exact_penalised(setting);
  return figure;
}

}  // namespace livi::figure_1
