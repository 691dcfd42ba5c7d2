// SPDX-License-Identifier: MIT
//
// The rows of the battery for methods with adaptive steps. One file: a row is what is measured of a method and, in the
// same words, of its control.
#include <array>
#include <livi/claims/adaptive_controls.hpp>
#include <livi/diagnostics/measures.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>
#include <map>
#include <numbers>

namespace livi::battery_detail {

namespace {

using F = Float50;
constexpr double period = 2 * std::numbers::pi;

const AnyAdaptiveSubject& control_subject(AdaptiveControl control) {
  return static_cast<const AnyAdaptiveSubject&>(*adaptive_control(control).subject);
}
const std::string& control_name(AdaptiveControl control) { return adaptive_control(control).name; }

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

LastStep run(AnyStepper<F>& stepper, const PhasePoint<F>& from, const F& h, int steps) {
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
Vector<F, Dynamic> error_of_output(std::size_t problem, const LastStep& last) {
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
F lateness(std::size_t problem, const PhasePoint<F>& error, const PhasePoint<F>& exact) {
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
OrdersInTime orders_in_time(const Subject& subject, std::size_t problem) {
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
Worst tiny_steps_worst(const Subject& subject, int order, ProblemRole role = ProblemRole::generic) {
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

PhasePoint<F> widened(const PhasePoint<double>& z) { return {z.q.cast<F>(), z.p.cast<F>()}; }

/// Returns the largest distance between runs of 32 steps in double and in 50 digits, over the size of the point.
Worst number_types_worst(const Subject& subject) {
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
Worst symplectic_worst(const Subject& subject, const F& of_generic, bool must_exist = true) {
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

Worst symmetry_worst(const Subject& subject, const F& of_generic = F(F(1) / 4), bool must_exist = true) {
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
void add_momentum_defect(const Subject& subject, std::size_t i, bool translations, Worst& worst) {
  const ProblemSummary& problem = subject.problems()[i];
  const auto stepper = subject.in_50_digits(i);
  for (const auto& symmetry : problem.symmetries)
    if (symmetry.is_translation == translations)
      for (const PhasePoint<F>& point : problem.points)
        worst.update(momentum_defect(*stepper, point, symmetry, F(F(1) / 8), 64), problem.name + ", " + symmetry.name);
}
/// Returns the largest change of the momentum maps of one kind.
Worst momentum_worst(const Subject& subject, ProblemRole role, bool translations) {
  Worst worst;
  for_each_problem(role,
                   [&](std::size_t i, const ProblemSummary&) { add_momentum_defect(subject, i, translations, worst); });
  return worst;
}
/// Returns that with a density that does not have the symmetry.
Worst momentum_without_symmetry(const Subject& subject, bool translations) {
  Worst worst;
  add_momentum_defect(subject, density_without_symmetry, translations, worst);
  return worst;
}

/// Returns the largest distance between runs of 32 steps of 1/16 with sigma and of 1/48 with 3 sigma, in 50 digits.
Worst scale_worst(const AnyAdaptiveSubject& subject) {
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
double lost_by_restart(const Subject& subject) {
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
double changed_by_repetition(const Subject& subject) {
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
Worst later_worst(const Subject& subject) {
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
double steps_from_nowhere(const AnyAdaptiveSubject& subject) {
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

LongRun long_run(const Subject& subject, std::size_t problem) {
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
double significance(const EnergyDrift& drift) {
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(drift.initial_energy) / regular_step;
  return std::abs(drift.slope) / (drift.standard_error + rounding);
}

std::string describe(const LongRun& run) {
  return format(
      "max |E - E0| %.2e, slope %.2e +- %.1e per fictitious time, growth of its changes %.2f, %.0f steps per 2 pi",
      run.drift.largest_error, run.drift.slope, run.drift.standard_error, run.growth, run.steps_per_period);
}

// ---- cost -------------------------------------------------------------------------------------------------------------

/// Returns the evaluations of W and its gradient in one period of Kepler's problem for an error in the position at the time
/// reached, between the two step sizes that enclose it.
CountedCost cost_of_a_period(const AnyAdaptiveSubject& subject, double wanted) {
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

// ---- the rows ---------------------------------------------------------------------------------------------------------

class AdaptiveTests {
 public:
  AdaptiveTests(const AnyAdaptiveSubject& subject, const BatteryOptions& options)
      : subject_(subject), options_(options), rows_(result_.declares, result_.rows, options) {
    result_.declares = subject.declares();
    result_.quick = options.quick;
    result_.only = options.only;
    result_.seed = judge_seed();
  }

  BatteryResult run() {
    rows_.test("order in time", {"order of q", "order of p", "order of output", "clock"}, [&] { orders(); });
    rows_.test("tiny steps", [&] { tiny_steps(); });
    rows_.test("drawn problems", [&] { drawn_problems(); });
    rows_.test("number types", [&] {
      static const double of_control = number_types_worst(control_subject(AdaptiveControl::clock_in_double)).value;
      of_all("number types", "a run in double is the run in 50 digits", number_types_worst(subject_), 1e-11,
             "32 steps whose equations are solved to 32 units of 2e-16 and whose errors grow by a factor of up to ten "
             "are 2e-12",
             AdaptiveControl::clock_in_double, of_control,
             "largest distance after 32 steps of 1/16 on each problem, over the size of the point");
    });
    rows_.test("later", [&] {
      static const double of_control = later_worst(control_subject(AdaptiveControl::late)).value;
      of_all("later", "a run that begins at another time is the same run", later_worst(subject_), 1e-40,
             "times near 1000 lose 3 of 50 digits, 32 steps not more than as many", AdaptiveControl::late, of_control,
             "largest distance after 32 steps begun at t, t + 1000 and t - 1000");
    });
    rows_.test("symplectic", [&] { symplecticity(); });
    rows_.test("symmetric", [&] { symmetry(); });
    rows_.test("linear momentum", [&] { momentum(true); });
    rows_.test("angular momentum", [&] { momentum(false); });
    rows_.test("linear momentum, other density", [&] { momentum_of_other_density(true); });
    rows_.test("angular momentum, other density", [&] { momentum_of_other_density(false); });
    rows_.test("scale of sigma", [&] { scale(); });
    rows_.test("repetition", [&] {
      count("repetition", "a run is the same when it is repeated, after another and by another object",
            changed_by_repetition(subject_), AdaptiveControl::counter_shared,
            changed_by_repetition(control_subject(AdaptiveControl::counter_shared)),
            "repeated runs of 32 steps that differ in a bit, in double");
    });
    rows_.test("restart", [&] {
      count("restart", "fields() are all that a step depends on", lost_by_restart(subject_),
            AdaptiveControl::counter_in_method, lost_by_restart(control_subject(AdaptiveControl::counter_in_method)),
            "steps of 32 on each problem that differ in a bit when a new object makes them from the saved state");
    });
    rows_.test("no step", [&] {
      count("no step", "where no step is defined it fails, and says so", steps_from_nowhere(subject_),
            AdaptiveControl::unguarded, steps_from_nowhere(control_subject(AdaptiveControl::unguarded)),
            "steps made from a density that is negative, and from the centre of Kepler's problem");
    });
    rows_.test("energy, regular", [&] { energy(true); });
    rows_.test("energy, chaotic", [&] { energy(false); });
    rows_.test("cost", [&] { cost(); });
    for (const std::string& row : options_.only)
      if (!rows_.find(row)) throw InvalidParameter("only", row, "must be a row of the battery that this method has");
    return std::move(result_);
  }

 private:
  const Properties& declared() const { return result_.declares; }

  void orders() {
    const int order = declared().order;
    if (order < 1) {
      rows_.undecided("order of q", std::to_string(order), {.statement = "the declared order is an order"},
                      "an order is at least 1");
      return;
    }
    static const OrdersInTime of_wrong_clock = orders_in_time(control_subject(AdaptiveControl::wrong_clock), 2);
    const auto farther = [](double candidate, double so_far, double from) {
      if (std::isnan(so_far)) return so_far;  // a failure on one problem cannot be mended by another
      return !(std::abs(candidate - from) <= std::abs(so_far - from)) ? candidate : so_far;
    };
    // The end of a step has an error of order p + 1, Hermite's polynomial one of order four.
    const double of_output = std::min(order + 1, 4);
    OrdersInTime worst{double(order), double(order), of_output, infinity, 0};
    std::string detail;
    for_each_problem(ProblemRole::generic, [&](std::size_t i, const ProblemSummary& problem) {
      const OrdersInTime found = orders_in_time(subject_, i);
      detail += format("%s: q %.3f, p %.3f, output %.3f, clock %.3f (error at 512 steps: %.2e); ", problem.name.c_str(),
                       found.q, found.p, found.output, found.clock, found.error);
      worst.q = farther(found.q, worst.q, order);
      worst.p = farther(found.p, worst.p, order);
      worst.output = farther(found.output, worst.output, of_output);
      if (!std::isnan(worst.clock) && !(found.clock >= worst.clock)) worst.clock = found.clock;
    });
    const std::string how =
        "errors at the time reached in one unit of time, 64 to 512 steps, in 50 digits, slope "
        "extrapolated; where they are below 1e-12, of differences of errors";
    const char* const reason = "what the extrapolation of slopes leaves at 512 steps";
    const auto add = [&](const char* row, const std::string& statement, double measured, double expected,
                         double control, const Interval& interval, double of_control = 2) {
      Claim claim;
      claim.statement = statement;
      claim.how = how;
      claim.measured = measured;
      claim.unit = "order";
      claim.interval = interval;
      claim.reason = reason;
      claim.controls = {{.name = control_name(AdaptiveControl::wrong_clock),
                         .measured = control,
                         .interval = {of_control - 0.05, interval.high == infinity ? infinity : of_control + 0.05}}};
      rows_.add(row, format("%g", expected), claim, std::string(row) == "order of q" ? detail : "");
    };
    const Interval around = Interval::around(order, 0.05);
    add("order of q", format("error of q of order %d at the time t", order), worst.q, order, of_wrong_clock.q, around);
    add("order of p", format("error of p of order %d at the time t", order), worst.p, order, of_wrong_clock.p, around);
    add("order of output",
        format("error of order %g of the position interpolated within a step that begins on the motion", of_output),
        worst.output, of_output, of_wrong_clock.output, Interval::around(of_output, 0.05), 3);
    add("clock", format("t is the time of the motion, up to an error of order %d", order), worst.clock, order,
        of_wrong_clock.clock, {order - 0.05, infinity});
  }

  void tiny_steps() {
    const int order = declared().order;
    if (order < 1) {
      rows_.undecided("tiny steps", std::to_string(order), {.statement = "the declared order is an order"},
                      "an order is at least 1");
      return;
    }
    static const double of_control = tiny_steps_worst(control_subject(AdaptiveControl::fast_clock), 2).value;
    of_all("tiny steps", "the motion is that of the system, and t is its time", tiny_steps_worst(subject_, order),
           1e-14, "coefficients with 16 digits err by 1e-16 each; the method's own error is below 1e-18",
           AdaptiveControl::fast_clock, of_control,
           "largest error of one step, forwards and backwards, over its change, in 50 digits");
  }

  /// A method can know the fixed problems, but not those that are drawn.
  void drawn_problems() {
    const int order = declared().order;
    if (order < 1) {
      rows_.undecided("drawn problems", std::to_string(order), {.statement = "the declared order is an order"},
                      "an order is at least 1");
      return;
    }
    const auto of = [](const Subject& subject, int of_order) {
      return tiny_steps_worst(subject, of_order, ProblemRole::drawn);
    };
    static const double of_control = of(control_subject(AdaptiveControl::for_problems), 2).value;
    of_all("drawn problems", "so it is on problems and densities drawn at random", of(subject_, order), 1e-14,
           "coefficients with 16 digits err by 1e-16 each; the method's own error is below 1e-16",
           AdaptiveControl::for_problems, of_control,
           format("largest error of one step, forwards and backwards, over its change, in 50 digits; seed %llu",
                  static_cast<unsigned long long>(judge_seed())));
  }

  /// Adds a row for the largest defect over all problems, which must be below a bound.
  void of_all(const std::string& row, const std::string& statement, const Worst& worst, double bound,
              const std::string& reason, AdaptiveControl control, double of_control, const std::string& how) {
    Claim claim;
    claim.statement = statement;
    claim.how = how;
    claim.measured = worst.value;
    claim.interval = {0, bound};
    claim.reason = reason;
    claim.controls = {{.name = control_name(control), .measured = of_control, .interval = {0, bound}}};
    rows_.add(row, "yes", claim, worst.where);
  }

  void symplecticity() {
    const F quarter = F(1) / 4;
    const auto of = [&](AdaptiveControl control) { return symplectic_worst(control_subject(control), quarter).value; };
    static const double of_naive = of(AdaptiveControl::naive), of_reversible = of(AdaptiveControl::reversible),
                        of_printed_sign = of(AdaptiveControl::printed_sign);
    const bool holds = declared().symplectic;
    Worst worst;
    if (!holds) worst.value = infinity;
    std::string detail = "at h = 1/4, 1/16, 1/64, -1/8:";
    for (const F& h : {quarter, F(F(1) / 16), F(F(1) / 64), F(F(-1) / 8)}) {
      // Long compositions go back by more than a step of 1/4: where they have none, shorter ones decide.
      const Worst found = symplectic_worst(subject_, h, h != quarter);
      if (found.value < 0) {
        detail += " no step";
        continue;
      }
      detail += format(" %.2e", found.value);
      if (holds) worst.update(found.value, found.where);
      // What must fail has to be visible and measured at every h.
      if (!holds && !std::isnan(worst.value) && !(found.value >= worst.value)) worst = found;
    }
    const Worst of_long = symplectic_worst(subject_, F(1), false);
    detail += format("; at h = 1, where it has such steps: %.2e", of_long.value);
    if (holds) worst.update(of_long.value, of_long.where + ", h = 1");
    rows_.add_defect("symplectic", holds, "preserves dq ^ dp - dt ^ dE0", worst,
                     {{.name = control_name(AdaptiveControl::naive), .measured = of_naive},
                      {.name = control_name(AdaptiveControl::reversible), .measured = of_reversible},
                      {.name = control_name(AdaptiveControl::printed_sign), .measured = of_printed_sign}},
                     "max |J'Omega J - Omega| of two steps in (q, t; p, -E0), after one step and after a hundred, J by "
                     "exact duals in 50 digits, generic states of all problems",
                     detail);
  }

  void symmetry() {
    static const double of_naive = symmetry_worst(control_subject(AdaptiveControl::naive)).value;
    Worst worst = symmetry_worst(subject_, F(F(1) / 4), false);
    if (declared().symmetric || worst.value < 0) {
      const Worst of_short = symmetry_worst(subject_, F(F(1) / 16));
      worst.update(of_short.value, of_short.where + ", h = 1/16");
    }
    if (declared().symmetric) {
      const Worst of_long = symmetry_worst(subject_, F(1), false);
      worst.update(of_long.value, of_long.where + ", h = 1");
    }
    rows_.add_defect("symmetric", declared().symmetric, "its own adjoint, and reversed by turning velocity and time",
                     worst, {{.name = control_name(AdaptiveControl::naive), .measured = of_naive}},
                     "distance from the start in q, p and t after three steps of h = 1/16, reversal, three steps; and "
                     "after a step of h and one of -h; also of h = 1/4 and 1 where there are such steps; in 50 digits");
  }

  void momentum(bool translations) {
    const std::string test = translations ? "linear momentum" : "angular momentum";
    const Subject& reversible = control_subject(AdaptiveControl::reversible);
    static const double of_translations = momentum_worst(reversible, ProblemRole::broken, true).value,
                        of_rotations = momentum_worst(reversible, ProblemRole::broken, false).value;
    rows_.add_defect(test, translations ? declared().linear_momentum : declared().angular_momentum, "conserves " + test,
                     momentum_worst(subject_, ProblemRole::generic, translations),
                     {{.name = control_name(AdaptiveControl::reversible) + ", the symmetry broken by 1e-6",
                       .measured = translations ? of_translations : of_rotations}},
                     "largest change of the momentum map over 64 steps of h = 1/8, in 50 digits", "",
                     translations ? Coefficients::cannot_matter : Coefficients::can_matter);
  }

  /// Says whether the momentum depends on the density's symmetry: with a density that has none.
  void momentum_of_other_density(bool translations) {
    const std::string kind = translations ? "linear momentum" : "angular momentum", row = kind + ", other density";
    if (!subject_.takes_density()) {
      rows_.does_not_apply(row, "the method brings its own density");
      return;
    }
    static const std::array<double, 2> of_control = [] {
      const Subject& control = control_subject(AdaptiveControl::every_density);
      return std::array{momentum_without_symmetry(control, false).value,
                        momentum_without_symmetry(control, true).value};
    }();
    const Properties declares = subject_.declares_on(density_without_symmetry);
    const bool holds = translations ? declares.linear_momentum : declares.angular_momentum;
    rows_.add_defect(
        row, holds, "conserves " + kind + " with a density that does not have the symmetry",
        momentum_without_symmetry(subject_, translations),
        {{.name = control_name(AdaptiveControl::every_density), .measured = of_control[translations]}},
        "largest change of the momentum map over 64 steps of h = 1/8 with sigma = (1 + q_0^2)^(1/2), in 50 "
        "digits",
        holds ? "declared for every density" : "declared for densities that have the symmetry, at most",
        Coefficients::cannot_matter);
  }

  /// A step density and a fictitious step are one number too many: only their product is a step in time.
  void scale() {
    if (!subject_.takes_density()) {
      rows_.does_not_apply("scale of sigma", "the method brings its own density");
      return;
    }
    const std::string how =
        "largest distance between 32 steps of 1/16 with sigma and of 1/48 with 3 sigma, in 50 digits";
    static const double of_control = scale_worst(control_subject(AdaptiveControl::own_scale)).value;
    const Worst worst = scale_worst(subject_);
    if (subject_.depends_on_scale()) {
      rows_
          .add_defect("scale of sigma", false, "the same motion with c sigma and h / c", worst,
                      {{.name = control_name(AdaptiveControl::own_scale), .measured = of_control}}, how)
          .undeclared = false;
      return;
    }
    of_all("scale of sigma", "the same motion with c sigma and h / c", worst, 1e-40,
           "32 steps of equations solved to 50 digits lose less than ten of them", AdaptiveControl::own_scale,
           of_control, how);
  }

  /// Adds a row for a number of events, of which there must be none.
  void count(const std::string& row, const std::string& statement, double measured, AdaptiveControl control,
             double of_control, const std::string& how) {
    Claim claim;
    claim.statement = statement;
    claim.how = how;
    claim.measured = measured;
    claim.interval = {0, 0};
    claim.reason = "counts are exact";
    claim.controls = {{.name = control_name(control), .measured = of_control, .interval = {0, 0}}};
    rows_.add(row, "yes", claim);
  }

  /// The regular orbit: no trend, if the method is symmetric or symplectic. The chaotic one: no trend and no random walk, if
  /// it is symplectic; a method that is only symmetric has no energy of its own there, and the row shows what it does.
  void energy(bool regular) {
    const std::string test = regular ? "energy, regular" : "energy, chaotic";
    if (options_.quick) {
      rows_.does_not_apply(test, "a quick run leaves it out");
      return;
    }
    const std::size_t problem = regular ? regular_orbit : chaotic_orbit;
    const auto measured = [regular](const LongRun& run) { return regular ? significance(run.drift) : run.share; };
    static std::map<std::size_t, double> of_naive;
    if (!of_naive.contains(problem))
      of_naive[problem] = measured(long_run(control_subject(AdaptiveControl::naive), problem));
    const LongRun run = long_run(subject_, problem);
    const bool promised = declared().symplectic || (regular && declared().symmetric);
    const Interval interval{0, regular ? 4 : 0.1};
    Claim claim;
    claim.statement = !promised ? "nothing is promised about the energy on " + adaptive_problems<double>()[problem].name
                      : regular ? "no trend of the energy in a thousand periods of Kepler's problem"
                                : "the energy stays on a chaotic orbit";
    claim.how = regular ? "least-squares slope through 64 block means, over its standard error plus rounding, in double"
                        : "root mean square change of the mean energy over 32 of 64 blocks, over the largest error "
                          "and what rounding walks, in double";
    claim.measured = measured(run);
    claim.unit = regular ? "standard errors" : "";
    claim.interval = promised ? interval : Interval{0, infinity};
    claim.reason = !promised ? "nothing is declared; the number is for information"
                   : regular ? "four standard errors of the slope, from the scatter of block means about the line"
                             : "means over a thousand steps of an error that oscillates; a trend has 0.5";
    claim.controls = {
        {.name = control_name(AdaptiveControl::naive), .measured = of_naive[problem], .interval = interval}};
    rows_.add(test, promised ? (regular ? "no trend" : "stays") : "-", claim, describe(run));
  }

  void cost() {
    // A method of order one would take millions of steps for an error of 1e-4.
    const double wanted = declared().order == 1 ? 1e-2 : 1e-4;
    static std::map<double, CountedCost> kept;
    if (!kept.contains(wanted)) kept[wanted] = cost_of_a_period(control_subject(AdaptiveControl::naive), wanted);
    const CountedCost& of_naive = kept[wanted];
    const CountedCost cost = cost_of_a_period(subject_, wanted);
    Claim claim;
    claim.statement =
        format("forces in a period of Kepler's problem, e = 0.6, for an error of %g in the position", wanted);
    claim.how = "gradients of W counted until t has passed the period, h halved from 2 pi/25, interpolated";
    claim.measured = cost.gradients;
    claim.interval = {0, infinity};
    claim.reason = "nothing is declared; the number is for information";
    rows_.add("cost", "-", claim,
              format("%.0f gradients and %.0f values of W per period; %s takes %.0f and %.0f", cost.gradients,
                     cost.values, control_name(AdaptiveControl::naive).c_str(), of_naive.gradients, of_naive.values));
  }

  const AnyAdaptiveSubject& subject_;
  const BatteryOptions& options_;
  BatteryResult result_;
  Rows rows_;
};

}  // namespace

BatteryResult run_adaptive_tests(const AnyAdaptiveSubject& subject, const BatteryOptions& options) {
  return AdaptiveTests(subject, options).run();
}

}  // namespace livi::battery_detail
