// SPDX-License-Identifier: MIT
//
// Experiment: a million periods of Kepler's ellipse with e = 0.9 and the logarithmic Hamiltonian, a hundred thousand with other
// adaptive steps and their compositions: error of the energy, turn of the perihelion, rounding
//
// Both are read off at the aphelion, where the radial velocity turns from positive to negative. The perihelion is the
// direction of the vector v x L - q/|q| of Laplace, Runge and Lenz, whose turns from one aphelion to the next are summed.
// The positions of the logarithmic Hamiltonian lie on the exact ellipse, so that rounding alone moves its energy and its
// perihelion: what there is to be seen grows slowly, and takes a million periods. The other methods are symmetric: their turn
// is a series in h^2, the same in each period, so that a hundred thousand periods show it. A million of theirs take two
// minutes: --periods-of-others 1000000. The steps of a composition are counted in stages. A period takes the integral of dt/sigma
// over h: 2 pi/h steps where sigma is r, as of the logarithmic Hamiltonian, and a third more for e = 0.9 and r^(3/2).
//
// The numbers had been seen before the intervals were fixed; their reasons do not depend on the values.
#include <cmath>
#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/logarithmic_hamiltonian.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/integrators/composition.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <numbers>

#include "study/models/adaptive_problems.hpp"
#include "study/program/controls.hpp"
#include "study/program/experiment.hpp"
#include "study/program/parallel.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/fitted_line.hpp"

namespace {

using namespace livi;

constexpr double eccentricity = 0.9, step = 2 * std::numbers::pi / 120;
using Kepler = adaptive_problems::Kepler<double>;
using Density = KeplerDensity<Kepler>;

const Kepler& kepler() {
  static const Kepler system = adaptive_problems::kepler<double>();
  return system;
}

/// What has been found at some of the aphelia: their number, the energy's largest error so far, the angle by which the
/// perihelion has turned since the first.
struct LongRun {
  std::vector<double> n, energy, turn;
  long steps = 0;
  std::string failure = {};
  [[nodiscard]] double turn_per_period() const { return turn.back() / (n.back() - 1); }
  /// Returns the turn per period after the first half or so of the run over that before.
  [[nodiscard]] double evenness() const {
    std::size_t k = 0;
    while (2 * n[k] < n.back() && k + 2 < n.size()) ++k;
    return (turn.back() - turn[k]) / (n.back() - n[k]) / (turn[k] / (n[k] - 1));
  }
  /// Returns the power of the number of periods with which the energy's largest error grows.
  [[nodiscard]] double power_of_energy(double from) const {
    std::vector<double> x, y;
    for (std::size_t k = 0; k < n.size(); ++k)
      if (n[k] >= from) {
        x.push_back(n[k]);
        y.push_back(energy[k]);
      }
    return fitted_power(x, y).slope;
  }
};

double perihelion(const Vector<double, 2>& q, const Vector<double, 2>& v) {
  const double momentum = q(0) * v(1) - q(1) * v(0), r = q.norm();
  return std::atan2(-v(0) * momentum - q(1) / r, v(1) * momentum - q(0) / r);
}

template <class Method>
LongRun run(Method method, double h, long periods) {
  const auto start = adaptive_problems::pericentre(eccentricity);
  auto z = method.start(start.q, start.v);
  LongRun result;
  double largest = 0, last = 0, sum = 0, next = 2;
  bool outwards = true;
  for (long aphelia = 0; aphelia < periods;) {
    if (const StepOutcome outcome = method.step(z, h); !outcome.ok()) {
      result.failure = "a step failed";
      return result;
    }
    ++result.steps;
    const bool now = z.q.dot(z.v) > 0, passed = outwards && !now;
    outwards = now;
    if (!passed) continue;
    ++aphelia;
    largest = std::max(largest, std::abs(z.v.squaredNorm() / 2 - 1 / z.q.norm() + 0.5));
    const double angle = perihelion(z.q, z.v);
    if (aphelia > 1) sum += std::remainder(angle - last, 2 * std::numbers::pi);
    last = angle;
    if (static_cast<double>(aphelia) < next && aphelia < periods) continue;
    result.n.push_back(static_cast<double>(aphelia));
    result.energy.push_back(largest);
    result.turn.push_back(sum);
    next = 1.5 * static_cast<double>(aphelia);
  }
  return result;
}

constexpr int stages = 5;  // of Suzuki's composition
struct LongMethod {
  std::string name;
  int order = 2, stages = 1;
};
const std::vector<LongMethod>& methods() {
  static const std::vector<LongMethod> all{{"logarithmic"},
                                           {"reversible"},
                                           {"hamiltonian"},
                                           {"variational"},
                                           {"integrated"},
                                           {"reversible4", 4, stages},
                                           {"hamiltonian4", 4, stages}};
  return all;
}
/// Runs a method with steps whose stages are h on average.
LongRun run_named(std::size_t index, double h, long periods) {
  const ReversibleAdaptiveVerlet<Kepler, Density> reversible(kepler(), Density{});
  const HamiltonianAdaptiveVerlet<Kepler, Density> hamiltonian(kepler(), Density{});
  switch (index) {
    case 0:
      return run(LogarithmicHamiltonian<Kepler>(kepler()), h, periods);
    case 1:
      return run(reversible, h, periods);
    case 2:
      return run(hamiltonian, h, periods);
    case 3:
      return run(VariationalAdaptiveVerlet<Kepler, Density>(kepler(), Density{}), h, periods);
    case 4:
      return run(IntegratedSteps(VelocityVerlet<Kepler>(kepler()), Density{}), h, periods);
    case 5:
      return run(Composition(reversible, suzuki<double>(4)), stages * h, periods);
    default:
      return run(Composition(hamiltonian, suzuki<double>(4)), stages * h, periods);
  }
}

void put(Report& report, const LongMethod& method, const LongRun& of) {
  const std::string& name = method.name;
  if (!of.failure.empty()) {
    report.count(name + ".steps_before_it_ended", of.steps);
    return;
  }
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < of.n.size(); ++k) rows.push_back({of.n[k], of.energy[k], std::abs(of.turn[k])});
  report.series(name, {{"n", "periods"}, {"energy", "energy"}, {"turn", "rad"}}, rows);
  // Rounding of another compiler's roots moves the last digits of a million periods.
  add_measurements(report, {{name + ".largest_energy_error", of.energy.back()}}, "energy",
                   {.absolute = 1e-11, .relative = 0.01});
  add_measurements(report, {{name + ".turn_per_period", of.turn_per_period()}}, "rad",
                   {.absolute = 1e-12, .relative = 1e-4});
  add_measurements(report, {{name + ".steps_per_period", static_cast<double>(method.stages * of.steps) / of.n.back()}},
                   "", {.relative = 1e-3});
}

void claims(Report& report, const std::vector<LongRun>& runs) {
  std::string words;
  for (std::size_t k = 0; k < runs.size(); ++k)
    words += text("%s%s %.3e rad a period, energy %.2e", k == 0 ? "" : "; ", methods()[k].name.c_str(),
                  runs[k].turn_per_period(), runs[k].energy.back());
  const Interval walk{0.2, 0.8};
  // The drift ends this run after 400 periods.
  const LongRun naive = run(ExplicitSteps(VelocityVerlet<Kepler>(kepler()), Density{}), step, 300);
  if (!naive.failure.empty()) throw std::runtime_error("explicit steps: " + naive.failure);
  report.claim(
      {.id = "CS101.long.energy",
       .measured = runs[0].power_of_energy(1000),
       .unit = "power of t",
       .interval = walk,
       .controls = {failing("explicit steps h sigma(q_k), 10 to 300 periods", naive.power_of_energy(10), walk)},
       .note = words + "."});
  double fastest = 0;
  for (std::size_t k = 1; k < runs.size(); ++k) fastest = std::max(fastest, runs[k].power_of_energy(10));
  const Interval bounded{0, 0.05};
  report.claim(
      {.id = "CS101.long.bounded",
       .measured = fastest,
       .unit = "power of t",
       .interval = bounded,
       .controls = {
           failing("explicit steps h sigma(q_k), 10 to 300 periods", naive.power_of_energy(10), bounded),
           failing("the logarithmic Hamiltonian, whose rounding walks", runs[0].power_of_energy(10), bounded)}});
  const auto power = [](const LongRun& a, const LongRun& b) {
    return std::log2(std::abs(a.turn_per_period() / b.turn_per_period()));
  };
  // The power that is farthest from the order, and the turn that is least even.
  double farthest = 0, uneven = 0;
  std::string powers;
  for (std::size_t k = 1; k < runs.size(); ++k) {
    const double of = power(run_named(k, step, 1000), run_named(k, step / 2, 1000)), off = of - methods()[k].order;
    powers += text("%s%s %.3f", powers.empty() ? "" : ", ", methods()[k].name.c_str(), of);
    if (!(std::abs(off) < std::abs(farthest))) farthest = off;
    uneven = std::max(uneven, std::abs(runs[k].evenness() - 1));
  }
  report.measurement({.name = "unevenness_of_the_turn", .value = uneven, .tolerance = {.absolute = 1e-4}});
  const Interval none = Interval::around(0, 0.25);
  report.claim({.id = "CS101.long.perihelion",
                .measured = farthest,
                .unit = "power of h",
                .interval = none,
                .controls = {failing("Suzuki's composition against order two",
                                     power(run_named(5, step, 1000), run_named(5, step / 2, 1000)) - 2, none)},
                .note = "Powers: " + powers +
                        text("; the turn per period of the second half of a run differs from that of the first by %.0e "
                             "of it at most. ",
                             uneven) +
                        words + "."});
}

}  // namespace

int main(int argc, char** argv) {
  unsigned threads = 1;
  double others = 100000;
  return run_experiment(
      argc, argv, "adaptive_long", {"CS101", "slides 19 and 23", "19; 23"},
      "An eccentric ellipse over a million periods with adaptive steps: energy, perihelion, rounding",
      {.numbers = {{"periods-of-others", &others, "periods of the methods besides the logarithmic Hamiltonian"}},
       .threads = &threads},
      [&](Report& report, const ExperimentOptions& options) {
        if (!(others >= 1000 && others <= 1e9))
          throw InvalidParameter("periods-of-others", others, "must be from 1000 to 1e9");
        const long periods = options.quick ? 2000 : 1000000,
                   of_others = options.quick ? 1000 : static_cast<long>(others);
        report.parameter("periods", static_cast<std::int64_t>(periods));
        report.parameter("periods_of_others", static_cast<std::int64_t>(of_others));
        const auto runs = for_each_case(
            methods().size(), threads, [&](std::size_t k) { return run_named(k, step, k == 0 ? periods : of_others); });
        for (std::size_t k = 0; k < runs.size(); ++k) put(report, methods()[k], runs[k]);
        if (options.quick) return;
        for (const LongRun& of : runs)
          if (!of.failure.empty()) throw std::runtime_error("a long run: " + of.failure);
        claims(report, runs);
        report.figure(
            {"adaptive_long.svg",
             "Kepler's ellipse with e = 0.9 and h = 2 pi/120, which makes 120 steps a period of the logarithmic "
             "Hamiltonian and 160 of the other methods: the largest energy error at the aphelia "
             "so far, and the angle by which the perihelion has turned."});
      });
}
