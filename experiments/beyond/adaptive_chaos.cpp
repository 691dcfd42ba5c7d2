// SPDX-License-Identifier: MIT
//
// Experiment: the energy of adaptive steps on chaotic orbits (slides 19 and 23 of CS101: "good energy behavior", "both
// methods do not drift"): two coupled quartic oscillators, and the Henon-Heiles system
//
// What to expect. With dt = h sigma the energy of Verlet moves at the rate (H_2: the next term of its modified energy)
//
//   dE/dt = d/dt(h^2 sigma^2 H_2) - h^2 H_2 d(sigma^2)/dt + O(h^4).
//
// The first part is an oscillation. The second, of a reversible method, is odd under the reversal of time. Where the
// motion is its own reversal the sum over a passage vanishes. On a chaotic orbit passages differ from their reversals and
// from each other: the sums grow about as the square root of the time, and go like h^2. A symplectic method has a modified energy of its
// own and no walk, as long as the steps resolve the density: what is left beyond all powers of h walks, too, and with
// steps twice as long it is seen.
//
// How a walk is told from a bounded motion: by the power of the time with which the root mean square of the changes of
// the block means grows, between 8 and 64 of 128 blocks. It is 0 for a bounded energy, 1/2 for a walk, 1 for a drift.
//
// Most numbers had been seen, roughly, before the intervals were fixed; their reasons do not depend on the values.
#include <algorithm>
#include <cmath>
#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/integrators/velocity_verlet.hpp>

#include "study/models/adaptive_problems.hpp"
#include "study/program/controls.hpp"
#include "study/program/experiment.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/adaptive_energy.hpp"
#include "study/statistics/estimate.hpp"

namespace {

using namespace livi;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t blocks = 128, short_lag = 8, long_lag = 64;
/// Halfway from 1/2, the power of a walk, to those of a bounded motion and of a drift.
constexpr Interval walks{0.25, 0.75};

using Coupled = adaptive_problems::Coupled<double>;
using HenonHeiles = MechanicalSystem<ScalarMass<double, 2>, HenonHeilesPotential<double>>;

/// The energy errors of one method from several starts.
struct Walk {
  std::string name;
  std::vector<AdaptiveDrift> runs;
  [[nodiscard]] bool lost() const {
    return std::any_of(runs.begin(), runs.end(), [](const AdaptiveDrift& run) { return !run.outcome.ok(); });
  }
  [[nodiscard]] double largest() const {
    double result = 0;
    for (const AdaptiveDrift& run : runs) result = std::max(result, run.largest);
    return result;
  }
  /// Returns the root mean square of the changes of a run's block means over so many blocks, in the mean over the runs
  /// but one.
  [[nodiscard]] double change(std::size_t lag, std::size_t left_out = blocks) const {
    double squares = 0, count = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (i == left_out) continue;
      const std::vector<double>& mean = runs[i].mean;
      for (std::size_t b = 0; b + lag < mean.size(); ++b, ++count) squares += std::pow(mean[b + lag] - mean[b], 2);
    }
    return std::sqrt(squares / count);
  }
  [[nodiscard]] double power(std::size_t left_out = blocks) const {
    if (lost()) return infinity;
    return std::log(change(long_lag, left_out) / change(short_lag, left_out)) /
           std::log(static_cast<double>(long_lag) / short_lag);
  }
  /// The standard error of the power over the starts, by leaving out each.
  [[nodiscard]] double error() const {
    double squares = 0;
    const auto n = static_cast<double>(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) squares += std::pow(power(i) - power(), 2);
    return std::sqrt(squares * (n - 1) / n);
  }
  [[nodiscard]] std::string in_words() const { return text("%.2f +- %.2f (%s)", power(), error(), name.c_str()); }
};

/// Starts of one energy on a line of positions, each with its direction.
template <class System>
std::vector<PeriodicMotion<2>> starts_of(const System& system, double energy, double period, long periods, int count,
                                         double spread) {
  std::vector<PeriodicMotion<2>> starts;
  for (int i = 0; i < count; ++i) {
    PeriodicMotion<2> motion{
        {0.2 * spread * i, spread * (1 - 0.2 * i)}, {}, period, periods, periods / static_cast<long>(blocks)};
    const double direction = 0.5 + 0.3 * i;
    motion.v = Vector<double, 2>(std::sin(direction), -std::cos(direction));
    const double potential = system.potential().value(motion.q), unit = system.energy(motion.q, motion.v) - potential;
    motion.v *= std::sqrt((energy - potential) / unit);
    starts.push_back(motion);
  }
  return starts;
}

/// Returns the largest Lyapunov exponent of the orbit from a start: the distance of two orbits of Verlet, brought back
/// to 1e-8 after each unit of time.
template <class System>
double lyapunov_exponent(const System& system, const PeriodicMotion<2>& start, double end_time) {
  VelocityVerlet<System> verlet(system);
  const double h = 0.01, near = 1e-8;
  auto z = verlet.start(start.q, start.v);
  Vector<double, 2> dq(near, 0), dv(0, 0);
  double growth = 0;
  for (long unit = 0; unit < std::lround(end_time); ++unit) {
    auto other = verlet.start(z.q + dq, z.v + dv);
    for (int k = 0; k < 100; ++k)
      if (!verlet.step(z, h).ok() || !verlet.step(other, h).ok()) return not_a_number;
    dq = other.q - z.q;
    dv = other.v - z.v;
    const double distance = std::sqrt(dot_product(dq, dq) + dot_product(dv, dv));
    growth += std::log(distance / near);
    dq *= near / distance;
    dv *= near / distance;
  }
  return growth / end_time;
}
/// About as many units of time as periods of the long runs.
double lyapunov_time(long periods) { return std::min(2000.0, static_cast<double>(periods)); }
/// Puts the least exponent of the starts, and how many are larger than those of regular orbits, which are log(T)/T here.
template <class System>
void put_chaos(Report& report, const std::string& problem, const System& system,
               const std::vector<PeriodicMotion<2>>& starts, double end_time) {
  const double regular = std::log(end_time) / end_time;
  std::vector<double> exponents;
  for (const PeriodicMotion<2>& start : starts) exponents.push_back(lyapunov_exponent(system, start, end_time));
  report.count(problem + ".starts", static_cast<long>(starts.size()));
  report.count(problem + ".chaotic_starts",
               std::count_if(exponents.begin(), exponents.end(), [&](double x) { return x > 3 * regular; }));
  report.measurement({.name = problem + ".least_lyapunov_exponent",
                      .value = *std::min_element(exponents.begin(), exponents.end()),
                      .unit = "1/time",
                      .tolerance = {.absolute = 2 * regular, .relative = 0.5}});
}

template <class Method>
Walk measure_walk(const std::string& name, Method&& method, const std::vector<PeriodicMotion<2>>& starts, double h) {
  Walk walk{name, {}};
  for (const PeriodicMotion<2>& start : starts) walk.runs.push_back(measure_adaptive_energy(method, start, h));
  say_progress(name);
  return walk;
}

void put(Report& report, const std::string& problem, const Walk& walk) {
  if (walk.lost()) {
    report.count(
        problem + "." + walk.name + ".lost_runs",
        std::count_if(walk.runs.begin(), walk.runs.end(), [](const AdaptiveDrift& run) { return !run.outcome.ok(); }));
    return;
  }
  // Other rounding takes another path: a new sample of the same starts.
  report.measurement({.name = problem + "." + walk.name + ".power",
                      .value = walk.power(),
                      .unit = "",
                      .tolerance = {.absolute = 4 * walk.error() + 0.1}});
  report.measurement({.name = problem + "." + walk.name + ".power_standard_error",
                      .value = walk.error(),
                      .unit = "",
                      .tolerance = {.absolute = 0.1, .relative = 1}});
  report.measurement({.name = problem + "." + walk.name + ".largest_error",
                      .value = walk.largest(),
                      .unit = "energy",
                      .tolerance = {.relative = 0.5}});
  double steps = 0;
  for (const AdaptiveDrift& run : walk.runs) steps += run.steps_per_period() / static_cast<double>(walk.runs.size());
  report.measurement({.name = problem + "." + walk.name + ".steps_per_period",
                      .value = steps,
                      .unit = "",
                      .tolerance = {.relative = 0.02}});
  std::vector<std::vector<double>> rows;
  for (std::size_t lag = 1; lag <= long_lag; lag *= 2)
    rows.push_back(
        {static_cast<double>(lag) * walk.runs.front().end_time / static_cast<double>(blocks), walk.change(lag)});
  report.series(problem + "_" + walk.name, {{"t", "periods"}, {"change", "energy"}}, rows);
}

/// E = 10, sigma = (E - W + 1)^(-1/2), about 255 steps in a period of about 5; constant steps of 0.025.
struct CoupledWalks {
  Walk hamiltonian, variational, constant, drift, coarse;
  std::vector<Walk> reversible;
};
CoupledWalks measure_coupled(Report& report, long periods) {
  const Coupled system = adaptive_problems::coupled<double>();
  const double energy = 10, h = 0.05;
  const auto starts = starts_of(system, energy, 5, periods, 8, 0.5);
  put_chaos(report, "coupled", system, starts, lyapunov_time(periods));
  using Verlet = VelocityVerlet<Coupled>;
  using Density = EqualDistances<Coupled>;
  using State = EqualStateDistances<Coupled>;
  const Density density(system, energy, 1);
  using Hamiltonian = HamiltonianAdaptiveVerlet<Coupled, Density>;
  CoupledWalks all;
  all.hamiltonian = measure_walk("hamiltonian", Hamiltonian(system, density), starts, h);
  all.variational =
      measure_walk("variational", VariationalAdaptiveVerlet<Coupled, Density>(system, density), starts, h);
  all.constant =
      measure_walk("constant", ExplicitSteps<Verlet, ConstantDensity<Coupled>>(Verlet(system), {}), starts, 0.025);
  all.drift = measure_walk("explicit", ExplicitSteps<Verlet, Density>(Verlet(system), density), starts, h);
  all.coarse = measure_walk("hamiltonian_coarse", Hamiltonian(system, density), starts, 2 * h);
  all.reversible.push_back(
      measure_walk("reversible", ReversibleAdaptiveVerlet<Coupled, Density>(system, density), starts, h));
  all.reversible.push_back(
      measure_walk("reversible_steps", ReversibleSteps<Verlet, Density>(Verlet(system), density), starts, h));
  all.reversible.push_back(
      measure_walk("integrated", IntegratedSteps<Verlet, Density>(Verlet(system), density), starts, h));
  all.reversible.push_back(measure_walk(
      "reversible_state", ReversibleAdaptiveVerlet<Coupled, State>(system, State(system, 1)), starts, 2 * h));
  for (const Walk* walk : {&all.hamiltonian, &all.variational, &all.constant, &all.drift, &all.coarse})
    put(report, "coupled", *walk);
  for (const Walk& walk : all.reversible) put(report, "coupled", walk);
  return all;
}

void claim_walk(Report& report, const CoupledWalks& all) {
  double farthest = 0.5;
  std::string powers;
  for (const Walk& walk : all.reversible) {
    powers += (powers.empty() ? "" : ", ") + walk.in_words();
    if (std::abs(walk.power() - 0.5) > std::abs(farthest - 0.5)) farthest = walk.power();
  }
  const Walk& slide20 = all.reversible.front();
  report.claim(
      {.id = "CS101.chaos.walk",
       .measured = farthest,
       .unit = "power of time",
       .interval = walks,
       .controls = {failing("Hamiltonian method", all.hamiltonian.power(), walks),
                    failing("variational method", all.variational.power(), walks),
                    failing("constant steps", all.constant.power(), walks),
                    failing("explicit steps", all.drift.power(), walks)},
       .note =
           text("Powers: %s; Hamiltonian %.2f +- %.2f, variational %.2f +- %.2f, explicit %.2f +- %.2f. Over half "
                "of the run the energy moves by %.2g (slide 20), %.2g (Hamiltonian), in oscillations of %.2g of the "
                "latter. With twice the step the Hamiltonian method walks, too: %.2f +- %.2f.",
                powers.c_str(), all.hamiltonian.power(), all.hamiltonian.error(), all.variational.power(),
                all.variational.error(), all.drift.power(), all.drift.error(), slide20.change(long_lag),
                all.hamiltonian.change(long_lag), all.hamiltonian.largest(), all.coarse.power(), all.coarse.error())});
}

/// Weak chaos: the changes of the energy over half of the run, in oscillations.
void henon_heiles(Report& report, long periods, bool decide) {
  const HenonHeiles system(ScalarMass<double, 2>(1.0), {});
  using Density = InverseAcceleration<HenonHeiles>;
  using State = EqualStateDistances<HenonHeiles>;
  const Density density(system, 0.1);
  double largest_change = 0, naive_change = infinity;
  std::string sizes;
  for (const double energy : {0.125, 0.16}) {
    const auto starts = starts_of(system, energy, 2 * std::numbers::pi, periods, 6, 0.2);
    const std::string problem = text("henon_heiles%.0f", 1000 * energy);
    put_chaos(report, problem, system, starts, lyapunov_time(periods));
    using Verlet = VelocityVerlet<HenonHeiles>;
    const double h = 0.05;
    const Walk symplectic =
        measure_walk("hamiltonian", HamiltonianAdaptiveVerlet<HenonHeiles, Density>(system, density), starts, h);
    put(report, problem, symplectic);
    const auto add = [&](const Walk& walk) {
      const double size = walk.lost() ? infinity : walk.change(long_lag) / symplectic.largest();
      largest_change = std::max(largest_change, size);
      sizes += text("%s%.4f (%s, E = %.3f)", sizes.empty() ? "" : ", ", size, walk.name.c_str(), energy);
      put(report, problem, walk);
    };
    add(measure_walk("reversible", ReversibleAdaptiveVerlet<HenonHeiles, Density>(system, density), starts, h));
    add(measure_walk("reversible_steps", ReversibleSteps<Verlet, Density>(Verlet(system), density), starts, h));
    add(measure_walk("reversible_state", ReversibleAdaptiveVerlet<HenonHeiles, State>(system, State(system, 0.1)),
                     starts, h));
    const Walk naive = measure_walk("explicit", ExplicitSteps<Verlet, Density>(Verlet(system), density),
                                    starts_of(system, energy, 2 * std::numbers::pi, 128, 6, 0.2), h);
    naive_change = std::min(naive_change, naive.lost() ? infinity : naive.change(long_lag) / symplectic.largest());
  }
  if (!decide) return;
  const Interval small{0, 0.1};
  report.claim({.id = "CS101.chaos.henon-heiles",
                .measured = largest_change,
                .unit = "oscillations of the Hamiltonian method",
                .interval = small,
                .controls = {{.name = "explicit steps, over 64 periods, the least",
                              .measured = naive_change,
                              .interval = small,
                              .note = "an infinity: the run was lost"}},
                .note = "Changes over half of the run: " + sizes + "."});
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(argc, argv, "adaptive_chaos", {"CS101", "Slides 19 and 23", ""},
                        "Energy of adaptive steps on chaotic orbits", {},
                        [](Report& report, const ExperimentOptions& options) {
                          const long periods = options.quick ? 128 : 2048;
                          report.parameter("periods", periods);
                          const CoupledWalks all = measure_coupled(report, periods);
                          henon_heiles(report, periods, !options.quick);
                          if (options.quick) return;
                          claim_walk(report, all);
                          report.figure({"adaptive_chaos.svg",
                                         "Root mean square change of the mean energy against the time between, eight "
                                         "chaotic orbits of two coupled oscillators (left) and six of the Henon-Heiles "
                                         "system at E = 0.16 (right)."});
                        });
}
