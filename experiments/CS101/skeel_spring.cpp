// SPDX-License-Identifier: MIT
//
// Experiment: slide 6 of CS101, Skeel's spring H = (q^2 + p^2)/2 (Skeel 1993) with velocity Verlet: steps h1 where
// q p >= 0 and h2 elsewhere, strictly alternating steps, constant steps, and the adaptive methods of slides 13 to 20
//
// Why changed steps pump. A step h of Verlet on the spring turns the circle of (c q, p), c^2 = 1 - h^2/4, by the angle
// theta with cos theta = 1 - h^2/2: it keeps I_h = p^2 + (1 - h^2/4) q^2. Where the step changes, the state stays and
// the form changes: I by -q^2/4 times the change of h^2. A turn changes the logarithm of the energy by
//
//   g = -1/4 (integral over the turn of q^2/(q^2 + p^2) d(h^2)) + O(h^4).                                           (1)
//
// With h1 where q p >= 0 and h2 elsewhere the form changes on the axes only, from I_h1 to I_h2 where p = 0 and back where
// q = 0, where both are p^2: twice in a turn I grows by the factor (1 - h2^2/4)/(1 - h1^2/4), so that
//
//   g = 2 log((1 - h2^2/4)/(1 - h1^2/4)),   about (h1^2 - h2^2)/2.                                                  (2)
//
// The step changes at the first state beyond the axis, which overshoots it by an angle x; the change then is that of the
// part cos^2 x of q^2 at the one axis, and sin^2 x at the other what should be none:
//
//   g = 2 log((1 - h2^2/4)/(1 - h1^2/4)) (1 - <x1^2> - <x2^2> + O(h^4)).                                            (3)
//
// The steps s of the shorter kind end beyond their axis anywhere from 0 to theta_s: x = (x_l - pi/2) mod theta_s is a
// rotation, as a quarter of a turn is no multiple of the steps. Those of the longer kind begin with such an x_s and end
// with x_l = (x_s - pi/2) mod theta_l, which takes a part of its values only: where it lies depends on pi/2 mod theta_l.
//
// A step that is even in p has no g: q^2 and h^2 take the same values on the way back, so that (1) vanishes. The rule
// q p >= 0 is odd. That is also why a symmetric method does not help there: its h is a function of both ends, but not an
// even one. With h = a + b sin 2 phi, sin 2 phi = 2 q p/(q^2 + p^2), (1) is g = pi a b/2.
//
// Steps that alternate strictly, h1, h2, h1, ...: the matrix of two steps has the trace
//
//   2 (1 - h1^2/2)(1 - h2^2/2) - h1 h2 (2 - (h1^2 + h2^2)/4) = 2 - (h1 + h2)^2 (1 - h1 h2/4),                       (4)
//
// so that the energy is bounded if 0 < (h1 + h2)^2 (1 - h1 h2/4) < 4. Near h1 h2 = 2, where two steps are half a turn,
// there is a band of unequal steps, each of which is stable (h < 2), without that.
//
// Most numbers had been seen, roughly, before the intervals were fixed; their reasons do not depend on the values.
#include <cmath>
#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/systems/potentials.hpp>

#include "study/program/controls.hpp"
#include "study/program/experiment.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/adaptive_energy.hpp"
#include "study/statistics/estimate.hpp"

namespace {

using namespace livi;

constexpr double infinity = std::numeric_limits<double>::infinity();

using Spring = MechanicalSystem<ScalarMass<double, 1>, HarmonicPotential<double, 1>>;
using Verlet = VelocityVerlet<Spring>;
using Plane = Vector<double, 1>;

Plane on_line(double x) {
  Plane q;
  q(0) = x;
  return q;
}
const Spring& spring() {
  static const Spring system(ScalarMass<double, 1>(1.0), {on_line(1)});
  return system;
}

/// Skeel's rule: the step itself, so that the fictitious step is one.
struct QuadrantSteps {
  using scalar_type = double;
  using vector_type = Plane;
  double h1, h2;
  [[nodiscard]] double value(const Plane& q, const Plane& v) const { return q(0) * v(0) >= 0 ? h1 : h2; }
  [[nodiscard]] double growth() const { return 2 * std::log((1 - h2 * h2 / 4) / (1 - h1 * h1 / 4)); }
  /// <x1^2> + <x2^2>: by what part of itself the growth is less, (3).
  [[nodiscard]] double overshoot() const {
    const double longer = 2 * std::asin(std::max(h1, h2) / 2), shorter = 2 * std::asin(std::min(h1, h2) / 2);
    // The integral of (x mod theta_l)^2 from 0.
    const auto integral = [&](double x) {
      const double turns = std::floor(x / longer), rest = x - turns * longer;
      return (turns * std::pow(longer, 3) + std::pow(rest, 3)) / 3;
    };
    const double quarter = std::numbers::pi / 2, from = longer * std::ceil(quarter / longer) - quarter;
    return (integral(from + shorter) - integral(from)) / shorter + shorter * shorter / 3;
  }
  /// What it would be if the overshoots of both kinds were anywhere up to their step.
  [[nodiscard]] double uniform_overshoot() const { return (h1 * h1 + h2 * h2) / 3; }
};

/// h = a + b sin 2 phi, which is smooth and odd in p up to a constant as Skeel's rule is; with `even` the sine is taken
/// by its size.
struct SmoothSteps {
  using scalar_type = double;
  using vector_type = Plane;
  double a, b;
  bool even;
  [[nodiscard]] double value(const Plane& q, const Plane& v) const {
    const double sine = 2 * q(0) * v(0) / (q(0) * q(0) + v(0) * v(0));
    return a + b * (even ? sine * sine : sine);
  }
  [[nodiscard]] double growth() const { return even ? 0 : std::numbers::pi * a * b / 2; }
};

/// Verlet with the steps h1, h2, h1, ...
class AlternatingSteps {
 public:
  using system_type = Spring;
  struct state_type : TimedState<double, 1> {
    Verlet::state_type inner;
    bool second = false;
  };
  AlternatingSteps(double h1, double h2) : verlet_(spring()), h1_(h1), h2_(h2) {}
  [[nodiscard]] state_type start(const Plane& q, const Plane& v) const {
    state_type z;
    z.q = q;
    z.v = v;
    z.inner = verlet_.start(q, v);
    return z;
  }
  StepOutcome step(state_type& z, double) {
    const double h = z.second ? h2_ : h1_;
    z.second = !z.second;
    if (const StepOutcome outcome = verlet_.step(z.inner, h); !outcome.ok()) return outcome;
    z.q = z.inner.q;
    z.v = z.inner.v;
    return advance_time(z, h);
  }
  [[nodiscard]] const Spring& system() const { return verlet_.system(); }

 private:
  Verlet verlet_;
  double h1_, h2_;
};

/// log(E/E0) of a run, its slope per turn of the state about the origin and what (1) says of it.
struct Growth {
  std::string name;
  AdaptiveDrift drift;
  double per_turn = not_a_number, expected = 0;
  /// log(E/E0) at the end, by the line; an infinity for a lost run.
  [[nodiscard]] double total() const { return drift.outcome.ok() ? std::abs(drift.change()) : infinity; }
  [[nodiscard]] double ratio() const { return per_turn / expected; }
};

template <class Method>
Growth measure_growth(const std::string& name, Method&& method, double h, double expected, long periods) {
  Growth growth{name, {}, not_a_number, expected};
  double side = 1, first = 0, last = 0;
  long turns = -1;
  const PeriodicMotion<1> motion{on_line(1), on_line(0), 2 * std::numbers::pi, periods, 10};
  growth.drift = measure_adaptive_energy(method, motion, h, [&](const auto& z) {
    if (side < 0 && z.q(0) >= 0) {
      (++turns == 0 ? first : last) = z.t;
    }
    side = z.q(0) >= 0 ? 1 : -1;
    return std::log(2 * spring().energy(z.q, z.v));
  });
  const double periods_of_turn = (last - first) / (2 * std::numbers::pi * static_cast<double>(turns));
  if (growth.drift.outcome.ok()) growth.per_turn = growth.drift.slope * periods_of_turn;
  return growth;
}

void put(Report& report, const Growth& growth) {
  const AdaptiveDrift& drift = growth.drift;
  // A bounded energy has a slope of rounding.
  report.measurement({.name = growth.name + ".growth_per_turn",
                      .value = growth.per_turn,
                      .unit = "",
                      .tolerance = {.absolute = 1e-10 + 4 * drift.standard_error, .relative = 1e-4}});
  report.measurement({.name = growth.name + ".growth_per_turn_closed_form",
                      .value = growth.expected,
                      .tolerance = {.absolute = 1e-15}});
  add_measurements(report,
                   {{growth.name + ".largest_change_of_log_energy", drift.largest},
                    {growth.name + ".shortest_step", drift.shortest},
                    {growth.name + ".longest_step", drift.longest}},
                   "", {.relative = 1e-3});
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < drift.t.size(); ++k)
    rows.push_back({drift.t[k], drift.mean[k], drift.low[k], drift.high[k]});
  report.series(growth.name, columns({{"t", "periods"}}, {"mean", "low", "high"}), rows);
}

// --- the runs -------------------------------------------------------------------------------------------------------

struct Runs {
  Growth quadrants, fine_quadrants, exchanged, constant, alternating, fine_alternating;
  Growth smooth, symmetric_smooth, even;
  std::vector<Growth> adaptive;
  Growth explicit_adaptive;
};

Growth by_rule(const std::string& name, const QuadrantSteps& rule, long periods) {
  return measure_growth(name, ExplicitSteps<Verlet, QuadrantSteps>(Verlet(spring()), rule), 1, rule.growth(), periods);
}

/// The density (E0 - W + 1/6)^(-1/2) with h = 0.1 (2/3)^(1/2): steps from 0.1 to 0.2, as far apart as those of the rule.
void adaptive_runs(Runs& runs, long periods) {
  using Density = EqualDistances<Spring>;
  const Density density(spring(), 0.5, 1.0 / 6);
  const double h = 0.1 * std::sqrt(2.0 / 3);
  const auto add = [&](const char* name, auto&& method) {
    runs.adaptive.push_back(measure_growth(name, method, h, 0, periods));
  };
  using Variational = VariationalAdaptiveVerlet<Spring, Density>;
  add("variational_start", Variational(spring(), density, StepRule::start));
  add("variational_mean", Variational(spring(), density, StepRule::mean));
  add("variational_midpoint", Variational(spring(), density, StepRule::midpoint));
  add("variational_density", Variational(spring(), density, StepRule::mean, PotentialWeight::density));
  add("hamiltonian", HamiltonianAdaptiveVerlet<Spring, Density>(spring(), density));
  add("reversible", ReversibleAdaptiveVerlet<Spring, Density>(spring(), density));
  add("integrated", IntegratedSteps<Verlet, Density>(Verlet(spring()), density));
  runs.explicit_adaptive =
      measure_growth("explicit", ExplicitSteps<Verlet, Density>(Verlet(spring()), density), h, 0, periods);
}

Runs measure_runs(long periods) {
  Runs runs;
  runs.quadrants = by_rule("quadrants_coarse", {0.2, 0.1}, periods);
  runs.fine_quadrants = by_rule("quadrants_fine", {0.1, 0.05}, periods);
  runs.exchanged = by_rule("quadrants_exchanged", {0.1, 0.2}, periods);
  runs.constant = by_rule("constant", {0.2, 0.2}, periods);
  runs.alternating = measure_growth("alternating_coarse", AlternatingSteps(0.2, 0.1), 1, 0, periods);
  runs.fine_alternating = measure_growth("alternating_fine", AlternatingSteps(0.1, 0.05), 1, 0, periods);
  const SmoothSteps odd{0.15, 0.05, false}, even{0.1, 0.1, true};
  runs.smooth =
      measure_growth("smooth_odd", ExplicitSteps<Verlet, SmoothSteps>(Verlet(spring()), odd), 1, odd.growth(), periods);
  runs.symmetric_smooth = measure_growth(
      "smooth_odd_symmetric", ReversibleSteps<Verlet, SmoothSteps>(Verlet(spring()), odd), 1, odd.growth(), periods);
  runs.even = measure_growth("smooth_even_symmetric", ReversibleSteps<Verlet, SmoothSteps>(Verlet(spring()), even), 1,
                             0, periods);
  adaptive_runs(runs, periods);
  return runs;
}

/// States of `turns` turns for a portrait.
template <class Method>
void portrait(Report& report, const std::string& name, Method method, double h, double turns) {
  auto z = method.start(on_line(1), on_line(0));
  std::vector<std::vector<double>> rows{{z.q(0), z.v(0)}};
  while (z.t < 2 * std::numbers::pi * turns) {
    if (!method.step(z, h).ok()) throw std::runtime_error("portrait " + name + ": a step failed");
    rows.push_back({z.q(0), z.v(0)});
  }
  report.series("portrait_" + name, {{"q", ""}, {"p", ""}}, rows);
}

// --- strictly alternating steps -------------------------------------------------------------------------------------

/// Whether log(E/E0) stays below 20 over so many pairs of steps. Bounded motion far from the edge of stability has a
/// ratio of energies of order one, and 1e6 at the distance 1e-6 of the trace from 2.
bool stays_bounded(double h1, double h2, long pairs) {
  AlternatingSteps method(h1, h2);
  auto z = method.start(on_line(0.6), on_line(0.8));
  for (long k = 0; k < 2 * pairs; ++k) {
    if (!method.step(z, 1).ok()) return false;
    if (!(std::log(2 * spring().energy(z.q, z.v)) < 20)) return false;
  }
  return true;
}

/// Counts the pairs of steps below 2 on a grid where the runs and a condition disagree.
struct Disagreements {
  long with_trace = 0, with_single_steps = 0, unbounded = 0, pairs = 0;
};
Disagreements compare_with_trace(int cells, long pairs) {
  Disagreements count;
  for (int i = 1; i < cells; ++i)
    for (int j = 1; j < i; ++j) {
      const double h1 = 2.0 * i / cells, h2 = 2.0 * j / cells, sum = h1 + h2;
      const double x = sum * sum * (1 - h1 * h2 / 4);
      const bool bounded = stays_bounded(h1, h2, pairs);
      ++count.pairs;
      count.unbounded += bounded ? 0 : 1;
      count.with_trace += bounded != (0 < x && x < 4) ? 1 : 0;
      count.with_single_steps += bounded ? 0 : 1;  // both steps are below 2
    }
  return count;
}

// --- claims ---------------------------------------------------------------------------------------------------------

void claim_spring(Report& report, const Runs& runs) {
  const Interval pumped{1, infinity};
  double adaptive = 0;
  for (const Growth& run : runs.adaptive) adaptive = std::max(adaptive, run.total());
  report.claim(
      {.id = "CS101.slide6.spring",
       .measured = std::min(runs.quadrants.total(), runs.fine_quadrants.total()),
       .interval = pumped,
       .controls = {failing("constant steps 0.2", runs.constant.total(), pumped),
                    failing("strictly alternating steps 0.2, 0.1", runs.alternating.total(), pumped),
                    failing("adaptive steps from 0.1 to 0.2, symplectic or reversible, the largest", adaptive, pumped)},
       .note =
           text("log(E/E0) after %.0f periods: %.4f with the steps 0.2 and 0.1, %.4f with 0.1 and 0.05; with the steps "
                "exchanged, 0.1 and 0.2, %.4f: then the energy falls. Steps of one length: %.1e.",
                runs.quadrants.drift.end_time, runs.quadrants.drift.change(), runs.fine_quadrants.drift.change(),
                runs.exchanged.drift.change(), runs.constant.drift.change())});
}

void claim_growth(Report& report, const Runs& runs) {
  const Interval next{0, 0.0025};
  const auto beside = [](const Growth& run, const QuadrantSteps& rule) {
    return std::abs(run.ratio() - (1 - rule.overshoot()));
  };
  const QuadrantSteps coarse{0.2, 0.1}, fine{0.1, 0.05}, exchanged{0.1, 0.2};
  report.claim(
      {.id = "CS101.spring.growth",
       .measured = std::max(beside(runs.quadrants, coarse), beside(runs.fine_quadrants, fine)),
       .interval = next,
       .controls = {failing("0.2, 0.1 without the overshoot of the axes", std::abs(runs.quadrants.ratio() - 1), next),
                    failing("0.1, 0.05 without the overshoot", std::abs(runs.fine_quadrants.ratio() - 1), next),
                    failing("0.2, 0.1 with overshoots anywhere up to the step",
                            std::abs(runs.quadrants.ratio() - (1 - coarse.uniform_overshoot())), next),
                    passing("0.1 where q p >= 0 and 0.2 elsewhere", beside(runs.exchanged, exchanged), next)},
       .note = text("Growth of log E per turn, measured and by (2): %.7f and %.7f (0.2, 0.1), %.7f and %.7f (0.1, "
                    "0.05); ratios %.5f and %.5f, with the overshoot %.5f and %.5f.",
                    runs.quadrants.per_turn, runs.quadrants.expected, runs.fine_quadrants.per_turn,
                    runs.fine_quadrants.expected, runs.quadrants.ratio(), runs.fine_quadrants.ratio(),
                    1 - coarse.overshoot(), 1 - fine.overshoot())});
}

void claim_even(Report& report, const Runs& runs) {
  const Interval law{0.95, 1.05};
  report.claim(
      {.id = "CS101.spring.even",
       .measured = runs.symmetric_smooth.ratio(),
       .interval = law,
       .controls = {failing("steps even in p, their growth over the same", runs.even.per_turn / runs.smooth.expected,
                            law),
                    passing("the same rule, explicit", runs.smooth.ratio(), law)},
       .note = text("Growth of log E per turn: %.6f with the mean of the steps at both ends, %.6f with the step at the "
                    "start, pi a b/2 = %.6f; even in p: %.1e.",
                    runs.symmetric_smooth.per_turn, runs.smooth.per_turn, runs.smooth.expected, runs.even.per_turn)});
}

void claim_alternating(Report& report, const Runs& runs) {
  const Disagreements found = compare_with_trace(38, 3000);
  report.count("alternating.pairs_of_steps", found.pairs);
  report.count("alternating.unbounded", found.unbounded);
  const Interval none{0, 0};
  report.claim(
      {.id = "CS101.spring.alternating",
       .measured = static_cast<double>(found.with_trace),
       .interval = none,
       .controls = {failing("condition: each step below 2", static_cast<double>(found.with_single_steps), none)},
       .note =
           text("%ld of %ld pairs of unequal steps below 2 are unbounded. Steps 0.2, 0.1 and 0.1, 0.05 change log E "
                "by %.1e and %.1e over 1000 periods; their energy swings by %.4f and %.4f of itself.",
                found.unbounded, found.pairs, runs.alternating.drift.change(), runs.fine_alternating.drift.change(),
                runs.alternating.drift.largest, runs.fine_alternating.drift.largest)});
}

void portraits(Report& report) {
  constexpr double turns = 60;
  report.parameter("turns_of_portrait", turns);
  const QuadrantSteps rule{0.2, 0.1}, constant{0.15, 0.15};
  portrait(report, "quadrants", ExplicitSteps<Verlet, QuadrantSteps>(Verlet(spring()), rule), 1, turns);
  portrait(report, "constant", ExplicitSteps<Verlet, QuadrantSteps>(Verlet(spring()), constant), 1, turns);
  portrait(report, "variational",
           VariationalAdaptiveVerlet<Spring, EqualDistances<Spring>>(spring(),
                                                                     EqualDistances<Spring>(spring(), 0.5, 1.0 / 6)),
           0.1 * std::sqrt(2.0 / 3), turns);
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(
      argc, argv, "skeel_spring", {"CS101", "Slide 6", ""}, "Skeel's spring: steps that pump energy into Verlet", {},
      [](Report& report, const ExperimentOptions& options) {
        const long periods = options.quick ? 100 : 1000;
        report.parameter("periods", periods);
        const Runs runs = measure_runs(periods);
        for (const Growth* run :
             {&runs.quadrants, &runs.fine_quadrants, &runs.exchanged, &runs.constant, &runs.alternating,
              &runs.fine_alternating, &runs.smooth, &runs.symmetric_smooth, &runs.even, &runs.explicit_adaptive})
          put(report, *run);
        for (const Growth& run : runs.adaptive) put(report, run);
        portraits(report);
        if (options.quick) return;
        claim_spring(report, runs);
        claim_growth(report, runs);
        claim_even(report, runs);
        claim_alternating(report, runs);
        report.figure(
            {"skeel_spring.svg",
             "Skeel's spring with velocity Verlet. Above: states of 60 turns with the steps 0.2 where q p >= 0 and "
             "0.1 elsewhere, with constant steps 0.15, and with variational adaptive steps from 0.1 to 0.2. "
             "Below: log(E/E0) over 1000 periods, with the closed form (dashed)."});
      });
}
