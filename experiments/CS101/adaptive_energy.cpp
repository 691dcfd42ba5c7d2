// SPDX-License-Identifier: MIT
//
// Experiment: energy over 1000 periods of Kepler's problem and the pendulum with steps that follow the motion (slides 5
// to 9, 19, 23 and 28 of CS101), and over 2000 periods of two chaotic systems
//
// What to expect. A step dt of Verlet changes the energy by dt^3 {H, H_2} + O(dt^5), a derivative along the motion. With
// dt = h sigma the energy moves at the rate
//
//   dE/dt = h^2 sigma^2 dH_2/dt = d/dt(h^2 sigma^2 H_2) - h^2 H_2 d(sigma^2)/dt,
//
// of which the first part is an oscillation. The second is odd under the reversal of time if sigma is even: its mean
// vanishes on motions that the reversal maps to themselves, as all of one degree of freedom and of Kepler's problem do. A
// reversible method has even powers of h only, each odd under the reversal: no drift there. The explicit step
// h sigma(y_k) brings odd powers of h: a drift of order h^3. On a chaotic orbit the second part has no reason to vanish
// within a passage: sums of it are a random walk of order h^2, while a symplectic method has an energy of its own, kept
// as long as the steps resolve the density.
//
// How large an oscillation is depends on where a run begins. A symplectic method keeps sigma (H - E0) + h^2 G + ..., so that
//
//   H - E0 = h^2 (G(y0) - G(y)) / sigma(y) + ...,
//
// with E0 the energy of the start y0, in which G(y0) weighs where sigma is small. What a reversible method keeps,
// H + h^2 F + ..., moves by h^2 (F(y0) - F(y)): its range does not depend on y0.
//
// Means and lines: adaptive_energy.hpp, blocks of ten periods. A drift is judged by its size, what the slope makes of
// the energy over 1000 periods in units of the largest energy error of the Hamiltonian method (slide 13) on the same
// problem with the same density, or with the density of the position where it depends on p, too. Whether it is resolved
// is said beside.
//
// The numbers had been seen before the intervals were fixed; their reasons do not depend on the values.
#include <algorithm>
#include <cmath>
#include <livi/adaptive/logarithmic_hamiltonian.hpp>
#include <livi/adaptive/midpoint_energy_momentum.hpp>
#include <livi/adaptive/symplectic_energy_momentum.hpp>
#include <livi/systems/simple_pendulum.hpp>

#include "study/models/adaptive_energy_table.hpp"
#include "study/models/adaptive_problems.hpp"
#include "study/program/controls.hpp"
#include "study/program/experiment.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/estimate.hpp"

namespace {

using namespace livi;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr const char* oscillation_unit = "oscillations of the Hamiltonian method";
constexpr Interval drifts{outgrown_oscillation, infinity}, stays{0, no_drift};
constexpr double kepler_step = 2 * std::numbers::pi / 200, state_step = 0.05;

using Kepler = adaptive_problems::Kepler<double>;
using Pendulum = SimplePendulum<double>;

// --- the problems ---------------------------------------------------------------------------------------------------

const Kepler& kepler() {
  static const Kepler system = adaptive_problems::kepler<double>();
  return system;
}
PeriodicMotion<2> ellipse(double e) {
  const auto start = adaptive_problems::pericentre(e);
  return {start.q, start.v};
}
/// An ellipse with half axis 1 from its apocentre, which lies at -(1 + e).
PeriodicMotion<2> ellipse_from_apocentre(double e) {
  return {Vector<double, 2>(-(1 + e), 0), Vector<double, 2>(0, -std::sqrt((1 - e) / (1 + e)))};
}
void add_kepler(Table& table, const std::string& problem, double e) {
  const PeriodicMotion<2> motion = ellipse(e);
  add_constant(table, problem, kepler(), motion, kepler_step);
  add_position_density(table, problem, "kepler", kepler(), KeplerDensity<Kepler>{}, motion, kepler_step);
  add_position_density(table, problem, "distances", kepler(), EqualDistances<Kepler>(kepler(), -0.5, 0), motion,
                       kepler_step);
  add_state_density(table, problem, "state", kepler(), EqualStateDistances<Kepler>(kepler()), motion, state_step);
  // The tolerance makes about 200 steps a period with e = 0.6.
  table.add({problem, "", "error_controlled", Family::naive}, ErrorControlledVerlet<Kepler>(kepler(), 1e-3), motion,
            kepler_step);
  table.add({problem, "", "logarithmic", Family::other}, LogarithmicHamiltonian<Kepler>(kepler()), motion, kepler_step);
}

const Pendulum& pendulum() {
  static const Pendulum system = simple_pendulum<double>();
  return system;
}
/// A swing up to an angle, with the exact period 4 K(sin(angle/2)), from a part of that angle: 1 is from rest, 0 from the
/// lowest point.
PeriodicMotion<1> swing(double angle, double part = 1) {
  PeriodicMotion<1> motion;
  motion.q(0) = part * angle;
  motion.v(0) = part < 1 ? std::sqrt(2 * (std::cos(part * angle) - std::cos(angle))) : 0;
  motion.period = 4 * std::comp_ellint_1(std::sin(angle / 2));
  return motion;
}
EqualDistances<Pendulum> pendulum_density(double angle) { return {pendulum(), -std::cos(angle), 0.1}; }

void add_pendulum(Table& table) {
  const PeriodicMotion<1> motion = swing(2.5);
  add_constant(table, "pendulum", pendulum(), motion, 0.05);
  add_position_density(table, "pendulum", "distances", pendulum(), pendulum_density(2.5), motion, 0.05);
  add_state_density(table, "pendulum", "state", pendulum(), EqualStateDistances<Pendulum>(pendulum()), motion,
                    state_step);
  add_state_density(table, "pendulum", "speed", pendulum(), InverseSpeed<Pendulum>{0.1}, motion, state_step);
}

// --- the report of the runs -----------------------------------------------------------------------------------------

void put(Report& report, const NamedRun& run) {
  const AdaptiveDrift& drift = run.drift;
  if (!drift.outcome.ok()) {
    report.count(run.name() + ".steps_before_it_ended", drift.steps);
    return;
  }
  // Rounding moves the energy by some units of 1e-16 a step, and so the slope.
  report.measurement({.name = run.name() + ".slope",
                      .value = drift.slope,
                      .unit = "energy/period",
                      .tolerance = {.absolute = 1e-12 + 4 * drift.standard_error, .relative = 1e-3}});
  report.measurement({.name = run.name() + ".slope_standard_error",
                      .value = drift.standard_error,
                      .unit = "energy/period",
                      .tolerance = {.absolute = 1e-12, .relative = 0.5}});
  report.measurement({.name = run.name() + ".largest_error",
                      .value = drift.largest,
                      .unit = "energy",
                      .tolerance = {.absolute = 1e-12, .relative = 0.01}});
  report.measurement({.name = run.name() + ".steps_per_period",
                      .value = drift.steps_per_period(),
                      .unit = "",
                      .tolerance = {.relative = 1e-3}});
  add_measurements(report,
                   {{run.name() + ".shortest_step", drift.shortest}, {run.name() + ".longest_step", drift.longest}},
                   "time", {.relative = 1e-2});
}

void put_blocks(Report& report, const std::string& series, const AdaptiveDrift& drift) {
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < drift.t.size(); ++k)
    rows.push_back({drift.t[k], drift.mean[k], drift.low[k], drift.high[k], std::max(drift.high[k], -drift.low[k])});
  report.series(series, columns({{"t", "periods"}}, {"mean", "low", "high", "largest"}, "energy"), rows);
}

/// The steps of two periods.
template <class Method, int N>
void put_steps(Report& report, const std::string& series, Method method, const PeriodicMotion<N>& motion, double h) {
  auto z = method.start(motion.q, motion.v);
  std::vector<std::vector<double>> rows;
  while (z.t < 2 * motion.period) {
    const double before = z.t;
    if (!method.step(z, h).ok()) throw std::runtime_error("steps of " + series + ": a step failed");
    rows.push_back({before / motion.period, z.last_step});
  }
  report.series(series, {{"t", "periods"}, {"step", "time"}}, rows);
}

void put_all_series(Report& report, const Table& table) {
  for (const char* method : {"kepler.explicit", "kepler.hamiltonian", "kepler.reversible", "kepler.integrated",
                             "constant", "error_controlled"}) {
    std::string series = std::string("kepler60_") + method;
    std::replace(series.begin(), series.end(), '.', '_');
    put_blocks(report, series, table.drift(std::string("kepler60.") + method));
  }
  for (const char* method : {"speed.explicit", "distances.hamiltonian", "distances.reversible", "distances.integrated",
                             "constant", "speed.reversible"}) {
    std::string series = std::string("pendulum_") + method;
    std::replace(series.begin(), series.end(), '.', '_');
    put_blocks(report, series, table.drift(std::string("pendulum.") + method));
  }
  using OfKepler = KeplerDensity<Kepler>;
  put_steps(report, "steps_kepler60_kepler", HamiltonianAdaptiveVerlet<Kepler, OfKepler>(kepler(), {}), ellipse(0.6),
            kepler_step);
  put_steps(report, "steps_kepler60_distances",
            HamiltonianAdaptiveVerlet<Kepler, EqualDistances<Kepler>>(kepler(), {kepler(), -0.5, 0}), ellipse(0.6),
            kepler_step);
  put_steps(report, "steps_kepler60_error_controlled", ErrorControlledVerlet<Kepler>(kepler(), 1e-3), ellipse(0.6),
            kepler_step);
  put_steps(report, "steps_pendulum_distances",
            HamiltonianAdaptiveVerlet<Pendulum, EqualDistances<Pendulum>>(pendulum(), pendulum_density(2.5)),
            swing(2.5), 0.05);
  put_steps(report, "steps_pendulum_state",
            ReversibleAdaptiveVerlet<Pendulum, EqualStateDistances<Pendulum>>(
                pendulum(), EqualStateDistances<Pendulum>(pendulum())),
            swing(2.5), state_step);
  put_steps(report, "steps_pendulum_speed",
            ReversibleAdaptiveVerlet<Pendulum, InverseSpeed<Pendulum>>(pendulum(), {0.1}), swing(2.5), state_step);
}

// --- claims ---------------------------------------------------------------------------------------------------------

bool is_kepler(const NamedRun& run) { return run.problem != "pendulum"; }
bool is_naive(const NamedRun& run) { return run.family == Family::naive; }
bool is_symplectic(const NamedRun& run) {
  return run.family == Family::hamiltonian || run.family == Family::variational;
}

/// The largest significance of the runs for which `is_so`.
template <class IsSo>
double most_resolved(const Table& table, const IsSo& is_so) {
  double result = 0;
  for (const NamedRun& run : table.runs())
    if (is_so(run)) result = std::max(result, run.drift.significance());
  return result;
}
/// Returns "-5.7e-06 +- 2e-07 a period": with four standard errors.
std::string slope_in_words(const AdaptiveDrift& drift) {
  return text("%.3g +- %.1g a period", drift.slope, drift.half_width());
}
/// The change of the mean energy of a run on Kepler's problem over all its periods, in units of the largest error of
/// constant steps on the same ellipse; an infinity for a lost run.
double over_constant_steps(const Table& table, const NamedRun& run) {
  return run.drift.size(table.drift(run.problem + ".constant"));
}
/// The largest over the runs for which `is_so`.
template <class IsSo>
double largest_over_constant_steps(const Table& table, const IsSo& is_so) {
  double largest = 0;
  for (const NamedRun& run : table.runs())
    if (is_kepler(run) && is_so(run)) largest = std::max(largest, over_constant_steps(table, run));
  return largest;
}

void claim_of_ellipses_with_naive_steps(Report& report, const Table& table) {
  const auto constant = [](const NamedRun& run) { return run.family == Family::constant; };
  const auto reversible = [](const NamedRun& run) { return run.family == Family::reversible; };
  std::string sizes;
  long all = 0, beyond = 0;
  double least = infinity;
  for (const NamedRun& run : table.runs()) {
    if (!is_kepler(run) || !is_naive(run)) continue;
    const double size = over_constant_steps(table, run);
    sizes += text("%s%s %.2f", sizes.empty() ? "" : ", ", run.name().c_str(), size);
    ++all;
    beyond += size > 1 ? 1 : 0;
    least = std::min(least, size);
  }
  report.count("naive.kepler.runs", all);
  report.count("naive.kepler.runs_beyond_constant_steps", beyond);
  // A steady drift passes that error once: the slowest after so many periods.
  report.measurement({.name = "naive.kepler.thousand_periods_until_all_are_beyond",
                      .value = static_cast<double>(table.periods()) / 1000 / least,
                      .unit = "1000 periods",
                      .tolerance = {.relative = 0.02}});
  const auto& fixed = table.drift("kepler60.constant");
  const auto& changed = table.drift("kepler60.kepler.explicit");
  const auto& controlled = table.drift("kepler60.error_controlled");
  report.claim(
      {.id = "CS101.slide5.kepler",
       .measured = largest_over_constant_steps(table, is_naive),
       .unit = "errors of constant steps",
       .interval = drifts,
       .controls = {failing("constant steps", largest_over_constant_steps(table, constant), drifts),
                    failing("symplectic adaptive steps, the largest", largest_over_constant_steps(table, is_symplectic),
                            drifts),
                    failing("reversible adaptive steps, the largest", largest_over_constant_steps(table, reversible),
                            drifts)},
       .note =
           text("All runs: %s; the least passes 1 after %.0f periods. In oscillations of the Hamiltonian method with "
                "the same density the least is %.3g. e = 0.6: the largest error of the first period is %.2g with "
                "constant steps, %.2g with steps h r^(3/2) and %.2g with error control, at %.0f, %.0f and %.0f "
                "steps a period. The energy then moves by %s and %s, resolved by %.3g and %.3g standard errors; "
                "with constant steps by %s.",
                sizes.c_str(), static_cast<double>(table.periods()) / least,
                table.least([](const NamedRun& run) { return is_kepler(run) && is_naive(run); }),
                fixed.largest_of_first_period, changed.largest_of_first_period, controlled.largest_of_first_period,
                fixed.steps_per_period(), changed.steps_per_period(), controlled.steps_per_period(),
                slope_in_words(changed).c_str(), slope_in_words(controlled).c_str(), changed.significance(),
                controlled.significance(), slope_in_words(fixed).c_str())});
}

void claim_of_pendulum_with_naive_steps(Report& report, const Table& table) {
  const auto& fixed = table.drift("pendulum.constant");
  const auto& speed = table.drift("pendulum.speed.explicit");
  const auto& state = table.drift("pendulum.state.explicit");
  const auto& position = table.drift("pendulum.distances.explicit");
  report.claim(
      {.id = "CS101.slide8.pendulum",
       .measured = std::min(table.size("pendulum.speed.explicit"), table.size("pendulum.state.explicit")),
       .unit = oscillation_unit,
       .interval = drifts,
       .controls = {failing("constant steps", table.size("pendulum.constant"), drifts),
                    failing("the same density of the velocity, reversible", table.size("pendulum.speed.reversible"),
                            drifts),
                    failing("the same density of both, reversible", table.size("pendulum.state.reversible"), drifts)},
       .note = text(
           "The energy moves by %s with the velocity alone, %s with velocity and acceleration: over 1000 periods %.3g "
           "and %.3g times the error of constant steps. With the density of "
           "the position the run ends after %.0f periods: the energy has risen by %.3f, so that "
           "E0 - W + 0.1 is no longer positive where the pendulum goes.",
           slope_in_words(speed).c_str(), slope_in_words(state).c_str(), speed.size(fixed), state.size(fixed),
           position.t.back(), position.high.back())});
}

void claims_of_no_drift(Report& report, const Table& table) {
  const auto variational = [](const NamedRun& run) { return run.family == Family::variational; };
  const auto reversible = [](const NamedRun& run) { return run.family == Family::reversible; };
  const auto cures = [&](const NamedRun& run) { return is_symplectic(run) || reversible(run); };
  const Control naive = failing("explicit steps, the least", table.least_naive(), stays);
  const auto claim = [&](const char* id, const auto& is_so) {
    const double size = table.largest(is_so), resolved = most_resolved(table, is_so);
    report.claim({.id = id,
                  .measured = size,
                  .unit = oscillation_unit,
                  .interval = stays,
                  .controls = {naive},
                  .note = text("%ld runs; the most resolved slope has %.1f standard errors%s.",
                               std::count_if(table.runs().begin(), table.runs().end(), is_so), resolved,
                               resolved > drift_threshold ? " (resolved, of a change no larger than that)" : "")});
  };
  claim("CS101.slide7.goal", variational);
  claim("CS101.slide9.fixes", cures);
}

// --- oscillations ---------------------------------------------------------------------------------------------------

/// The largest error of a symplectic method over that of the reversible one (slide 20), with as many steps a period.
struct Oscillations {
  double variational = infinity, hamiltonian = infinity;
};
template <class System, class Density, int N>
Oscillations compare_oscillations(const System& system, const Density& density, PeriodicMotion<N> motion, double h) {
  motion.periods = 20;
  const auto over_reversible = [&](auto&& symplectic) {
    ReversibleAdaptiveVerlet<System, Density> reversible(system, density);
    const AdaptiveDrift of = measure_adaptive_energy(symplectic, motion, h);
    const double scale = measure_adaptive_energy(reversible, motion, h).steps_per_period() / of.steps_per_period();
    const AdaptiveDrift beside = measure_adaptive_energy(reversible, motion, h * scale);
    if (!of.outcome.ok() || !beside.outcome.ok()) return infinity;
    return of.largest / beside.largest;
  };
  return {over_reversible(VariationalAdaptiveVerlet<System, Density>(system, density)),
          over_reversible(HamiltonianAdaptiveVerlet<System, Density>(system, density))};
}

/// Puts the two ratios of a motion.
void put(Report& report, const std::string& name, const Oscillations& of) {
  add_measurements(report,
                   {{"oscillation." + name + ".variational", of.variational},
                    {"oscillation." + name + ".hamiltonian", of.hamiltonian}},
                   "", {.relative = 0.01});
}
/// Returns the variational ratios of several motions.
std::string in_words(const std::vector<Oscillations>& motions) {
  std::string words;
  for (const Oscillations& of : motions) words += text("%s%.2f", words.empty() ? "" : ", ", of.variational);
  return words;
}
std::string hamiltonian_in_words(const std::vector<Oscillations>& motions) {
  std::string words;
  for (const Oscillations& of : motions) words += text("%s%.2f", words.empty() ? "" : ", ", of.hamiltonian);
  return words;
}

/// The ratios on both ellipses with both densities from one of the two ends of the long axis.
std::vector<Oscillations> ellipse_oscillations(Report& report, bool from_apocentre) {
  std::vector<Oscillations> all;
  for (const double e : {0.6, 0.8}) {
    const PeriodicMotion<2> motion = from_apocentre ? ellipse_from_apocentre(e) : ellipse(e);
    const std::string name = text("kepler%.0f.%s", 100 * e, from_apocentre ? "apocentre." : "");
    all.push_back(compare_oscillations(kepler(), KeplerDensity<Kepler>{}, motion, kepler_step));
    put(report, name + "kepler", all.back());
    all.push_back(compare_oscillations(kepler(), EqualDistances<Kepler>(kepler(), -0.5, 0), motion, kepler_step));
    put(report, name + "distances", all.back());
  }
  return all;
}

/// The largest of the sixteen ratios on Kepler.
void claim_of_ellipses(Report& report, const std::vector<Oscillations>& near, const std::vector<Oscillations>& far,
                       double of_swing) {
  double largest = 0, least = infinity;
  for (const auto* of : {&near, &far})
    for (const Oscillations& one : *of) {
      largest = std::max({largest, one.variational, one.hamiltonian});
      least = std::min({least, one.variational, one.hamiltonian});
    }
  const Interval smaller{0, 1};
  report.claim({.id = "CS101.oscillation.kepler",
                .measured = largest,
                .interval = smaller,
                .controls = {failing("the pendulum from rest at 2", of_swing, smaller)},
                .note = text("The least of the ratios is %.2f. Hamiltonian over reversible (e = 0.6 with r^(3/2), with "
                             "(E0 - W)^(-1/2), e = 0.8 with both): from the pericentre %s, from the apocentre %s.",
                             least, hamiltonian_in_words(near).c_str(), hamiltonian_in_words(far).c_str())});
}

void claim_of_oscillations(Report& report) {
  std::vector<Oscillations> at_rest, quarter, bottom;
  const std::vector<double> angles{1, 1.5, 2, 2.5, 3};
  for (const double angle : angles) {
    const auto from = [&](double part, const char* place) {
      const Oscillations of = compare_oscillations(pendulum(), pendulum_density(angle), swing(angle, part), 0.05);
      put(report, text("pendulum%.0f%s", 10 * angle, place), of);
      return of;
    };
    at_rest.push_back(from(1, ""));
    quarter.push_back(from(0.75, ".quarter"));
    bottom.push_back(from(0, ".bottom"));
  }
  const std::vector<Oscillations> near = ellipse_oscillations(report, false), far = ellipse_oscillations(report, true);
  const Interval slightly{1, 2};
  report.claim(
      {.id = "CS101.slide23.oscillation",
       .measured = at_rest[3].variational,
       .interval = slightly,
       .controls = {failing("the two methods exchanged", 1 / at_rest[3].variational, slightly),
                    evidence("the pendulum from rest at 1.5", at_rest[1].variational, slightly),
                    evidence("the same motion as the claim's, from its lowest point", bottom[3].variational, slightly),
                    evidence("the same motion, from a quarter of the way down", quarter[3].variational, slightly),
                    evidence("the pendulum from rest at 3", at_rest[4].variational, slightly),
                    evidence("Kepler, e = 0.6, r^(3/2), from the pericentre", near[0].variational, slightly),
                    evidence("Kepler, e = 0.6, r^(3/2), from the apocentre", far[0].variational, slightly)},
       .note =
           text("Variational over reversible, the pendulum up to 1, 1.5, 2, 2.5, 3: from rest %s; from a quarter of "
                "the angle down %s; from the lowest point %s. Kepler (e = 0.6 with r^(3/2), with (E0 - W)^(-1/2), "
                "e = 0.8 with both): from the pericentre %s, from the apocentre %s. The run's start decides: the "
                "symplectic error is h^2 (G(y0) - G(y))/sigma.",
                in_words(at_rest).c_str(), in_words(quarter).c_str(), in_words(bottom).c_str(), in_words(near).c_str(),
                in_words(far).c_str())});
  claim_of_ellipses(report, near, far, at_rest[2].variational);
}

/// Kane's methods, whose steps the start and the first step fix, on ellipses and on the pendulum. Where there is no step
/// the report has how many there were before.
template <template <class> class Method>
void put_energy_momentum(Report& report, long periods, const std::string& name) {
  const auto measure = [&](const std::string& problem, const auto& system, auto motion, double h) {
    motion.periods = periods;
    Method<std::decay_t<decltype(system)>> method(system);
    put(report, {problem, "", name, Family::other, measure_adaptive_energy(method, motion, h)});
  };
  for (const double e : {0.3, 0.6, 0.8})
    measure(text("kepler%.0f", 100 * e), kepler(), ellipse(e), kepler_step * std::pow(1 - e, 1.5));
  measure("pendulum", pendulum(), swing(2.5), 0.05);
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(
      argc, argv, "adaptive_energy", {"CS101", "Slides 5 to 9, 19, 23, 28", ""},
      "Energy over 1000 periods with adaptive steps", {}, [](Report& report, const ExperimentOptions& options) {
        Table table(options.quick ? 100 : 1000);
        report.parameter("periods", table.periods());
        say_progress("Kepler");
        add_kepler(table, "kepler60", 0.6);
        add_kepler(table, "kepler80", 0.8);
        say_progress("pendulum");
        add_pendulum(table);
        for (const NamedRun& run : table.runs()) put(report, run);
        put_all_series(report, table);
        put_energy_momentum<SymplecticEnergyMomentum>(report, table.periods(), "energy_momentum");
        put_energy_momentum<MidpointEnergyMomentum>(report, table.periods(), "midpoint_energy_momentum");
        if (options.quick) return;
        claim_of_ellipses_with_naive_steps(report, table);
        claim_of_pendulum_with_naive_steps(report, table);
        claims_of_no_drift(report, table);
        say_progress("oscillations");
        claim_of_oscillations(report);
        report.figure(
            {"adaptive_energy.svg",
             "Largest energy error of blocks of ten periods, Kepler e = 0.6 (top left, sigma = r^(3/2)) and the "
             "pendulum from 2.5 (top right); the steps of two periods (below)."});
      });
}
