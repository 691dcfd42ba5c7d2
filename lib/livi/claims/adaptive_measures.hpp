// SPDX-License-Identifier: MIT
//
// What the battery measures of methods with adaptive steps: orders in the time, tiny steps, what a step keeps, what a run depends on,
// the energy over a thousand periods, cost.
#pragma once

#include <array>
#include <livi/claims/adaptive_controls.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>
#include <map>
#include <numbers>
#include <optional>
#include <string>

namespace livi::battery_detail::adaptive {

using F = Float50;
inline constexpr double period = 2 * std::numbers::pi;

inline const AnyAdaptiveSubject& control_subject(AdaptiveControl control) {
  return static_cast<const AnyAdaptiveSubject&>(*adaptive_control(control).subject);
}
inline const std::string& control_name(AdaptiveControl control) { return adaptive_control(control).name; }

template <class S>
S time_of(const PhasePoint<S>& z) {
  return z.q(z.q.size() - 1);
}

/// Calls f with the place of each problem of a role.
template <class Function>
void for_each_problem(ProblemRole role, const Function& f) {
  const auto& problems = adaptive_problem_summaries();
  for (std::size_t i = 0; i < problems.size(); ++i)
    if (problems[i].role == role) f(i, problems[i]);
}
/// Calls f with the place of each generic or drawn problem, and with the step in the place of h: a quarter of it on drawn
/// problems, where steps of 1/16 are short.
template <class Function>
void for_each_generic_or_drawn(const F& h, const Function& f) {
  for_each_problem(ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) { f(i, problem, h); });
  for_each_problem(ProblemRole::drawn, [&](std::size_t i, const ProblemSummary& problem) { f(i, problem, F(h / 4)); });
}

/// Returns the number of steps of size h until the time has advanced by `time`; nothing if a step fails, the clock does
/// not advance, or it takes more than `limit`.
template <class S>
std::optional<int> steps_until(AnyStepper<S>& stepper, const PhasePoint<S>& from, const S& h, const S& time,
                               int limit) {
  stepper.start(from);
  for (int k = 1; k <= limit; ++k) {
    if (!stepper.step(h).ok()) return std::nullopt;
    const S passed = time_of(stepper.point()) - time_of(from);
    if (!is_finite(passed)) return std::nullopt;
    if (!(passed < time)) return k;
  }
  return std::nullopt;
}

// ---- the order in the time --------------------------------------------------------------------------------------------

/// The exponents of the errors at the time reached: of q and p, of the interpolated position, and of the time itself.
struct OrdersInTime {
  double q = not_a_number, p = not_a_number, output = not_a_number, clock = not_a_number;
  double error = not_a_number;  ///< the error of q at the finest step
};

/// What is left of a run's last step.
struct LastStep {
  bool ok = true;
  PhasePoint<F> before, after;
};

inline LastStep run(AnyStepper<F>& stepper, const PhasePoint<F>& from, const F& h, int steps) {
  LastStep last;
  stepper.start(from);
  last.after = from;
  for (int k = 0; k < steps && last.ok; ++k) {
    last.before = last.after;
    last.ok = stepper.step(h).ok();
    last.after = stepper.point();
    // A clock that stands still or goes back does not say when.
    last.ok = last.ok && time_of(last.before) < time_of(last.after);
  }
  // E0, which the exact flow does not know.
  last.before.p(last.before.p.size() - 1) = 0;
  last.after.p(last.after.p.size() - 1) = 0;
  return last;
}

/// Returns the error of the interpolated position at two fifths of a step that begins on the motion.
inline Vector<F, Dynamic> error_of_output(std::size_t problem, const LastStep& last) {
  const AnySystem<F>& system = adaptive_problems<F>()[problem].system;
  const Eigen::Index n = system.size();
  struct End {
    Vector<F, Dynamic> q, v;
    F t;
  };
  const auto end = [&](const PhasePoint<F>& z) {
    return End{z.q.head(n), system.velocity(Vector<F, Dynamic>(z.p.head(n))), time_of(z)};
  };
  const F time = (F(3) * time_of(last.before) + F(2) * time_of(last.after)) / F(5);
  const PhasePoint<F> there = adaptive_exact(problem, last.before, F(time - time_of(last.before)));
  return interpolate<F>(end(last.before), end(last.after), time).q - there.q.head(n);
}

/// Returns the time by which a point is late on the exact flow: the share of the error along the motion.
inline F lateness(std::size_t problem, const PhasePoint<F>& error, const PhasePoint<F>& exact) {
  const AnySystem<F>& system = adaptive_problems<F>()[problem].system;
  const Eigen::Index n = system.size();
  const Vector<F, Dynamic> velocity = system.velocity(Vector<F, Dynamic>(exact.p.head(n)));
  Vector<F, Dynamic> gradient = velocity;
  system.potential().gradient(Vector<F, Dynamic>(exact.q.head(n)), gradient);
  F along(0), size(0);
  for (Eigen::Index i = 0; i < n; ++i) {
    along += error.q(i) * velocity(i) - error.p(i) * gradient(i);
    size += velocity(i) * velocity(i) + gradient(i) * gradient(i);
  }
  return along / size;
}

/// Runs of 64 to 512 steps through one fictitious time, in which about one unit of time passes.
inline OrdersInTime orders_in_time(const Subject& subject, std::size_t problem) {
  const PhasePoint<F>& from = subject.problems()[problem].points.front();
  const auto stepper = subject.in_50_digits(problem);
  const std::optional<int> coarse = steps_until(*stepper, from, F(F(1) / 64), F(1), 4096);
  if (!coarse) return {};
  const PhasePoint<F> near = adaptive_exact(problem, from, F(1));
  ConvergenceTable table;
  std::vector<Vector<F, Dynamic>> clocks;
  for (int steps = 64; steps <= 512; steps *= 2) {
    const LastStep last = run(*stepper, from, F(F(*coarse) / F(64 * steps)), steps);
    if (!last.ok) return {};
    const PhasePoint<F> exact = adaptive_exact(problem, near, F(time_of(last.after) - time_of(near)));
    table.add(steps, true, last.after, exact);
    const PhasePoint<F> error{table.vectors_q.back(), table.vectors_p.back()};
    clocks.push_back(Vector<F, Dynamic>::Constant(1, lateness(problem, error, exact)));
  }
  std::vector<Vector<F, Dynamic>> outputs;
  std::vector<double> shares;
  // First steps, so short that Hermite's error is told from that of a method of order four.
  for (int share = 1 << 11; share <= 1 << 14; share *= 2) {
    const LastStep first = run(*stepper, from, F(F(1) / F(share)), 1);
    if (!first.ok) return {};
    outputs.push_back(error_of_output(problem, first));
    shares.push_back(share);
  }
  const int slope_power = subject.declares().symmetric ? 2 : 1;
  return {fitted_exponent(table.vectors_q, slope_power, table.steps),
          fitted_exponent(table.vectors_p, slope_power, table.steps), fitted_exponent(outputs, 1, shares),
          fitted_exponent(clocks, slope_power, table.steps), table.error_q.back()};
}

// ---- tiny steps and number types ---------------------------------------------------------------------------------------

/// Returns the largest error of a tiny step, forwards or backwards, over the change that it makes, in 50 digits. An error of
/// order p is C h^p of the change; h is so small that this is below 1e-18 for C up to a thousand. On drawn problems it is
/// below 1e-16: a clock that is late by h^2 is to be seen on each of them.
inline Worst tiny_steps_worst(const Subject& subject, int order, ProblemRole role = ProblemRole::generic) {
  Worst worst;
  const int bits = order == 1 ? 70 : order > 2 ? 25 : role == ProblemRole::drawn ? 32 : 40;
  for_each_problem(role, [&](std::size_t i, const ProblemSummary& problem) {
    const auto stepper = subject.in_50_digits(i);
    for (const PhasePoint<F>& point : problem.points)
      for (const int sign : {1, -1}) {
        stepper->start(point);
        const bool ok = stepper->step(F(ldexp(F(sign), -bits))).ok();
        PhasePoint<F> end = stepper->point();
        end.p(end.p.size() - 1) = 0;
        // A clock that stands still has no step that could be compared.
        const bool moves = ok && is_finite(time_of(end)) && time_of(end) != time_of(point);
        const double change = moves ? distance(end, point) : not_a_number;
        const double error =
            moves ? distance(end, adaptive_exact(i, point, F(time_of(end) - time_of(point)))) : not_a_number;
        worst.update(error / change, problem.name + (sign > 0 ? "" : ", backwards"));
      }
  });
  return worst;
}

inline PhasePoint<F> widened(const PhasePoint<double>& z) { return {z.q.cast<F>(), z.p.cast<F>()}; }

/// Returns the largest distance between runs of 32 steps in double and in 50 digits, over the size of the point.
inline Worst number_types_worst(const Subject& subject) {
  Worst worst;
  for_each_problem(ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
    const auto coarse = subject.in_double(i);
    const auto fine = subject.in_50_digits(i);
    const PhasePoint<double> from = convert_point<double>(problem.points.front());
    coarse->start(from);
    fine->start(widened(from));
    const bool ok = run_steps(*coarse, 0.0625, 32).ok() && run_steps(*fine, F(F(1) / 16), 32).ok();
    const PhasePoint<F> end = fine->point();
    const double size = ok ? std::max(to_double(max_magnitude(end.q)), to_double(max_magnitude(end.p))) : not_a_number;
    worst.update(ok ? distance(widened(coarse->point()), end) / size : not_a_number, problem.name);
  });
  return worst;
}

// ---- what a step keeps ------------------------------------------------------------------------------------------------

/// Returns the worst symplecticity defect of two steps in (q, t; p, -E0), after one step and after a hundred: by then
/// E0 is not H any more, and a term that H - E0 multiplies shows. A long step need not exist: where it does not, nothing is
/// said.
inline Worst symplectic_worst(const Subject& subject, const F& of_generic, bool must_exist = true) {
  Worst worst;
  for_each_generic_or_drawn(of_generic, [&](std::size_t i, const ProblemSummary& problem, const F& h) {
    const auto stepper = subject.in_50_digits(i);
    const auto duals = subject.in_duals(i);
    for (const PhasePoint<F>& point : problem.points)
      for (const int steps : {1, 100}) {
        if (steps > 1 && (&point != &problem.points.front() || problem.role == ProblemRole::drawn)) continue;
        stepper->start(point);
        const bool ok = run_steps(*stepper, steps == 1 ? h : F(h / 8), steps).ok();
        const PhasePoint<F> at = stepper->point();
        if (!must_exist) {
          if (!ok) continue;
          stepper->start(at);
          if (!run_steps(*stepper, h, 2).ok()) continue;
        }
        worst.update(ok ? symplecticity_residual(*duals, at, {}, h, 2, identity) : not_a_number,
                     problem.name + (steps > 1 ? ", after a hundred steps" : ""));
      }
  });
  return worst;
}

inline Worst symmetry_worst(const Subject& subject, const F& of_generic = F(F(1) / 4), bool must_exist = true) {
  Worst worst;
  for_each_generic_or_drawn(of_generic, [&](std::size_t i, const ProblemSummary& problem, const F& h) {
    const auto stepper = subject.in_50_digits(i);
    for (const PhasePoint<F>& point : problem.points) {
      // E0 is not compared: the start says nothing of it.
      const auto missed = [&](bool ok) {
        PhasePoint<F> end = stepper->point();
        end.p(end.p.size() - 1) = 0;
        return ok ? distance(end, point) : not_a_number;
      };
      stepper->start(point);
      bool ok = run_steps(*stepper, h, 3).ok();
      if (!ok && !must_exist) continue;
      stepper->reverse();
      ok = ok && run_steps(*stepper, h, 3).ok();
      stepper->reverse();
      worst.update(missed(ok), problem.name + ", reversal");
      stepper->start(point);
      ok = stepper->step(h).ok() && stepper->step(F(-h)).ok();
      worst.update(missed(ok), problem.name + ", adjoint");
    }
  });
  return worst;
}

/// Adds the change of the momentum maps of one kind on a problem.
inline void add_momentum_defect(const Subject& subject, std::size_t i, bool translations, Worst& worst) {
  const ProblemSummary& problem = subject.problems()[i];
  const auto stepper = subject.in_50_digits(i);
  for (const auto& symmetry : problem.symmetries)
    if (symmetry.is_translation == translations)
      for (const PhasePoint<F>& point : problem.points)
        worst.update(momentum_defect(*stepper, point, symmetry, F(F(1) / 8), 64), problem.name + ", " + symmetry.name);
}
/// Returns the largest change of the momentum maps of one kind.
inline Worst momentum_worst(const Subject& subject, ProblemRole role, bool translations) {
  Worst worst;
  for_each_problem(role,
                   [&](std::size_t i, const ProblemSummary&) { add_momentum_defect(subject, i, translations, worst); });
  return worst;
}
/// Returns that with a density that does not have the symmetry.
inline Worst momentum_without_symmetry(const Subject& subject, bool translations) {
  Worst worst;
  add_momentum_defect(subject, density_without_symmetry, translations, worst);
  return worst;
}

/// Returns the largest distance between runs of 32 steps of 1/16 with sigma and of 1/48 with 3 sigma, in 50 digits.
inline Worst scale_worst(const AnyAdaptiveSubject& subject) {
  Worst worst;
  for_each_problem(ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
    const auto plain = subject.in_50_digits(i), scaled = subject.with_density_times(F(3), i);
    plain->start(problem.points.front());
    scaled->start(problem.points.front());
    const bool ok = run_steps(*plain, F(F(1) / 16), 32).ok() && run_steps(*scaled, F(F(1) / 48), 32).ok();
    worst.update(ok ? distance(plain->point(), scaled->point()) : not_a_number, problem.name);
  });
  return worst;
}

// ---- what a run depends on --------------------------------------------------------------------------------------------

/// Returns the number of steps that end elsewhere when a new object makes them from the saved state: of the first 32 on each
/// generic problem, which must exist, and of every 499th up to 20000, as far as the run goes.
inline double lost_by_restart(const Subject& subject) {
  double lost = 0;
  for_each_problem(ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
    const auto stepper = subject.in_double(i);
    const PhasePoint<double> from = convert_point<double>(problem.points.front());
    stepper->start(from);
    for (int k = 0; k < 20000; ++k) {
      if (k >= 32 && k % 499 != 0) {
        if (!stepper->step(0.0625).ok()) return;
        continue;
      }
      const auto fresh = subject.in_double(i);
      fresh->start(from);
      fresh->load(stepper->save());
      const bool ok = stepper->step(0.0625).ok(), fresh_ok = fresh->step(0.0625).ok();
      if (!ok && k < 32) lost = not_a_number;
      if (!ok && !fresh_ok) return;
      lost += ok && fresh_ok && fresh->save() == stepper->save() ? 0 : 1;
    }
  });
  return lost;
}

/// Returns the number of repeated runs, of two on each generic problem, that end elsewhere.
inline double changed_by_repetition(const Subject& subject) {
  double changed = 0;
  for_each_problem(ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
    const auto run_of = [&](AnyStepper<double>& stepper, const PhasePoint<F>& point, int steps) {
      stepper.start(convert_point<double>(point));
      return run_steps(stepper, 0.0625, steps).ok() ? stepper.save() : std::string("a failure");
    };
    const auto stepper = subject.in_double(i), other = subject.in_double(i);
    const std::string first = run_of(*stepper, problem.points.front(), 32);
    static_cast<void>(run_of(*other, problem.points.back(), 5));
    changed += run_of(*stepper, problem.points.front(), 32) == first ? 0 : 1;
    changed += run_of(*other, problem.points.front(), 32) == first ? 0 : 1;
    if (first == "a failure") changed = not_a_number;
  });
  return changed;
}

/// Returns the largest distance between runs of 32 steps that begin at different times, in 50 digits: no problem depends on
/// the time.
inline Worst later_worst(const Subject& subject) {
  Worst worst;
  for_each_problem(ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
    const auto stepper = subject.in_50_digits(i);
    const PhasePoint<F>& from = problem.points.front();
    const auto end_of_run = [&](const F& later) {
      PhasePoint<F> start = from;
      start.q(start.q.size() - 1) += later;
      stepper->start(start);
      const bool ok = run_steps(*stepper, F(F(1) / 16), 32).ok();
      PhasePoint<F> end = stepper->point();
      end.q(end.q.size() - 1) -= later;
      return std::pair(ok, end);
    };
    const auto [ok, end] = end_of_run(F(0));
    for (const int later : {1000, -1000}) {
      const auto [other_ok, other] = end_of_run(F(later));
      worst.update(ok && other_ok ? distance(end, other) : not_a_number, problem.name);
    }
  });
  return worst;
}

/// Returns the number of starts without a step from which the method steps all the same, in double and in 50 digits.
inline double steps_from_nowhere(const AnyAdaptiveSubject& subject) {
  double made = 0;
  for_each_problem(ProblemRole::no_step, [&](std::size_t i, const ProblemSummary& problem) {
    if (i == negative_density && !subject.takes_density()) return;
    const auto stepper = subject.in_double(i);
    stepper->start(convert_point<double>(problem.points.front()));
    made += stepper->step(0.0625).ok() ? 1 : 0;
    const auto fine = subject.in_50_digits(i);
    fine->start(problem.points.front());
    made += fine->step(F(F(1) / 16)).ok() ? 1 : 0;
  });
  return made;
}

// ---- the energy over a thousand periods -------------------------------------------------------------------------------

/// The energy over about a thousand units of 2 pi in time.
struct LongRun {
  EnergyDrift drift;
  double steps_per_period = not_a_number;
  /// The change of block means over half of the run, over that from block to block, both as root mean squares: near 1
  /// for an error that stays, about sqrt(32) = 5.7 for a random walk, 32 for a trend.
  double growth = not_a_number;
  double share = not_a_number;  ///< the change over half of the run, over the largest error
};

constexpr double regular_step = period / 200;
/// Half of that: with regular_step the density changes so much within a step near the turning points that the energy
/// of a symplectic composition of order six walks by 1e-8, its largest error, in some thousand periods; with half of it by 3e-14.
constexpr double chaotic_step = regular_step / 2;
constexpr int blocks = 64;

inline LongRun long_run(const Subject& subject, std::size_t problem) {
  LongRun result;
  const auto stepper = subject.in_double(problem);
  const PhasePoint<double> from = convert_point<double>(subject.problems()[problem].points.front());
  const double h = problem == regular_orbit ? regular_step : chaotic_step;
  const auto steps = steps_until(*stepper, from, h, period, 4000);
  if (!steps) return result;
  result.steps_per_period = *steps;
  result.drift = measure_energy_drift(*stepper, from, h, blocks, 1000 * *steps / blocks);
  if (std::isnan(result.drift.slope)) return result;
  const auto change = [&](std::size_t lag) {
    double sum = 0;
    const auto& means = result.drift.means;
    for (std::size_t b = 0; b + lag < means.size(); ++b)
      sum += (means[b + lag] - means[b]) * (means[b + lag] - means[b]);
    return std::sqrt(sum / static_cast<double>(means.size() - lag));
  };
  result.growth = change(blocks / 2) / change(1);
  // An error that is rounding walks: 8 epsilon of the energy in a step, a thousand periods long.
  const double walk =
      8 * std::numeric_limits<double>::epsilon() * std::abs(result.drift.initial_energy) * std::sqrt(1000.0 * *steps);
  result.share = change(blocks / 2) / (result.drift.largest_error + 10 * walk);
  return result;
}

/// Returns the slope of the energy in units of its noise: its standard error, and a rounding of 8 epsilon |E| in a step.
inline double significance(const EnergyDrift& drift) {
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(drift.initial_energy) / regular_step;
  return std::abs(drift.slope) / (drift.standard_error + rounding);
}

inline std::string describe(const LongRun& run) {
  return format(
      "max |E - E0| %.2e, slope %.2e +- %.1e per fictitious time, growth of its changes %.2f, %.0f steps per 2 pi",
      run.drift.largest_error, run.drift.slope, run.drift.standard_error, run.growth, run.steps_per_period);
}

// ---- cost -------------------------------------------------------------------------------------------------------------

/// Returns the evaluations of W and its gradient in one period of Kepler's problem for an error in the position at the time
/// reached, between the two step sizes that enclose it.
inline CountedCost cost_of_a_period(const AnyAdaptiveSubject& subject, double wanted) {
  CountedCost before{};
  double error_before = not_a_number;
  for (int k = 0; k < 10; ++k) {
    const auto counts = std::make_shared<CountedCost>();
    const auto stepper = subject.counting(counts);
    const PhasePoint<double> from = convert_point<double>(subject.problems()[regular_orbit].points.front());
    *counts = {};
    const double h = period / (25 << k);
    // A method that cannot make steps of this size may make smaller ones.
    if (!steps_until(*stepper, from, h, period, 1000000)) continue;
    const CountedCost now = *counts;
    const PhasePoint<double> z = stepper->point();
    const double e = 0.6, t = time_of(z) - time_of(from);
    double u = t;  // Kepler's equation by Newton's method
    for (int i = 0; i < 50; ++i) u -= (u - e * std::sin(u) - t) / (1 - e * std::cos(u));
    const double error = std::hypot(z.q(0) - (std::cos(u) - e), z.q(1) - std::sqrt(1 - e * e) * std::sin(u));
    if (error <= wanted) {
      const double share =
          std::isnan(error_before) ? 1 : std::log(error_before / wanted) / std::log(error_before / error);
      const auto between = [&](double a, double b) { return a > 0 ? a * std::pow(b / a, share) : b; };
      return {.gradients = between(before.gradients, now.gradients), .values = between(before.values, now.values)};
    }
    before = now;
    error_before = error;
  }
  return {.gradients = not_a_number};
}

}  // namespace livi::battery_detail::adaptive
