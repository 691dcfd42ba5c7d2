// SPDX-License-Identifier: MIT
//
// Experiment: adaptive steps with eight degrees of freedom (CS101, slides 24 to 26): step histories with a largest step
// of 0.1 and 0.2 on chains of springs, and the energy of a chaotic chain over a long time
//
// The density is sigma = (E0 - W + epsilon)^(-1/2) and the fictitious step h = dt_max sqrt(epsilon): no step is longer
// than dt_max where E0 - W, the kinetic energy, is not negative. Numbers of a chaotic motion are those of one path, and
// another machine's arithmetic takes another.
//
// Most numbers had been seen, roughly, before the intervals were fixed; their reasons do not depend on the values. The set-up
// of the long runs (largest step 0.025, epsilon 3) is one of four that were tried: see the hypotheses and the notes.
#include <algorithm>
#include <cmath>
#include <livi/adaptive/hamiltonian_adaptive_verlet.hpp>
#include <livi/adaptive/reversible_adaptive_verlet.hpp>
#include <livi/adaptive/step_control.hpp>
#include <livi/adaptive/variational_adaptive_verlet.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/trajectory/adaptive_trajectory.hpp>
#include <map>
#include <numbers>

#include "study/models/spring_chain.hpp"
#include "study/program/controls.hpp"
#include "study/program/experiment.hpp"
#include "study/program/report_parts.hpp"
#include "study/statistics/estimate.hpp"
#include "study/statistics/over_runs.hpp"

namespace {

using namespace livi;
using System = spring_chain::Chain<double>;
using Position = VectorOf<System>;
using Distances = EqualDistances<System>;
using StateDistances = EqualStateDistances<System>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double stiff = 50, soft = 5;

System chain_of(double stiffness) { return {ScalarMass<double, 8>(1.0), {{stiffness, 1.0}, 1.0}}; }
/// All springs at 0.3 from hanging down, or level; the latter start is turned a little at its first spring.
Position hanging() { return spring_chain::unstretched(0.3, 0.3); }
Position level(int number) {
  constexpr double right_angle = std::numbers::pi / 2;
  return spring_chain::unstretched(right_angle + 1e-3 * number, right_angle);
}

// --- one run ---------------------------------------------------------------------------------------------------------

constexpr std::size_t blocks = 256;

/// A run from rest: its steps, its energy error and the means of that over equal blocks of time.
struct Run {
  bool complete = false;
  double end = 0, shortest = infinity, longest = 0, energy_error = 0;
  long steps = 0;
  std::string ended = {};
  std::vector<double> block_means = {};
  std::vector<std::vector<double>> history = {};  ///< t, dt, energy error; of the first steps

  [[nodiscard]] double range() const { return longest / shortest; }
  [[nodiscard]] double mean_step() const { return end / static_cast<double>(steps); }
};

/// An energy error beyond which the motion is not that of the chain any more: ten times the depth of its potential.
constexpr double lost_energy = 100;

template <class Method>
Run run(Method method, const Position& q, double h, double end_time, double history_until = 0) {
  const System& system = method.system();
  const Position rest = Position::Zero();
  AdaptiveTrajectory trajectory(method, method.start(q, rest), h, end_time);
  const double energy = system.energy(q, rest);
  std::vector<double> sums(blocks), times(blocks);
  Run result;
  for (const auto& point : trajectory) {
    if (point.step == 0) continue;
    const auto& z = point.state;
    const double error = system.energy(z.q, z.v) - energy;
    result.energy_error = std::max(result.energy_error, std::abs(error));
    result.shortest = std::min(result.shortest, z.last_step);
    result.longest = std::max(result.longest, z.last_step);
    const auto block = std::min(blocks - 1, static_cast<std::size_t>(z.t / end_time * static_cast<double>(blocks)));
    sums[block] += error * z.last_step;
    times[block] += z.last_step;
    if (z.t <= history_until) result.history.push_back({z.t, z.last_step, error});
    if (!(result.energy_error < lost_energy)) break;
  }
  result.end = trajectory.outcome().time;
  result.steps = trajectory.outcome().completed;
  result.complete = trajectory.outcome().step.ok() && result.end >= end_time;
  result.ended = trajectory.outcome().step.ok() ? "its energy left" : trajectory.outcome().step.describe();
  for (std::size_t k = 0; k < blocks; ++k) result.block_means.push_back(sums[k] / times[k]);
  return result;
}

/// The methods on the density of equal distances.
enum class Id { hamiltonian, variational, reversible, integrated, explicit_steps };
struct Named {
  Id id;
  const char* name;
};
constexpr std::array<Named, 5> methods{{{Id::hamiltonian, "hamiltonian"},
                                        {Id::variational, "variational"},
                                        {Id::reversible, "reversible"},
                                        {Id::integrated, "integrated"},
                                        {Id::explicit_steps, "explicit"}}};
/// The three of the slides, without the naive one.
constexpr std::array<Id, 3> of_slides{Id::hamiltonian, Id::variational, Id::reversible};

Run run_with(Id id, double stiffness, const Position& q, double longest, double epsilon, double end_time,
             double history_until = 0) {
  const System system = chain_of(stiffness);
  const Distances density(system, system.potential().value(q), epsilon);
  const auto finish = [&](auto method) {
    return run(std::move(method), q, longest * std::sqrt(epsilon), end_time, history_until);
  };
  switch (id) {
    case Id::hamiltonian:
      return finish(HamiltonianAdaptiveVerlet(system, density));
    case Id::variational:
      return finish(VariationalAdaptiveVerlet(system, density));
    case Id::reversible:
      return finish(ReversibleAdaptiveVerlet(system, density));
    case Id::integrated:
      return finish(IntegratedSteps(VelocityVerlet(system), density));
    case Id::explicit_steps:
      break;
  }
  return finish(ExplicitSteps(VelocityVerlet(system), density));
}
/// Verlet with steps of one length.
Run run_constant(double stiffness, const Position& q, double step, double end_time, double history_until = 0) {
  const System system = chain_of(stiffness);
  return run(ExplicitSteps(VelocityVerlet(system), ConstantDensity<System>{}), q, step, end_time, history_until);
}
/// The reversible method on (|v|^2 + |a|^2 + epsilon)^(-1/2).
Run run_state_distances(const Position& q, double longest, double epsilon, double end_time) {
  const System system = chain_of(stiff);
  return run(ReversibleAdaptiveVerlet(system, StateDistances(system, epsilon)), q, longest * std::sqrt(epsilon),
             end_time);
}

// --- step histories --------------------------------------------------------------------------------------------------

/// Returns the largest frequency of the stiff chain hanging unstretched: sqrt(k) times twice the largest cosine of a
/// chain fixed at one end.
double fastest_frequency(double stiffness) { return 2 * std::sqrt(stiffness) * std::cos(std::numbers::pi / 9); }

/// Whether a run shows steps with a maximum: it went to its end, no step was longer than the maximum but for rounding, some
/// were nearly as long, and some shorter by a tenth at least, which a figure shows.
bool is_shown(const Run& run, double longest) {
  return run.complete && run.longest <= longest * (1 + 1e-12) && run.longest >= 0.9 * longest && run.range() >= 1.1;
}

/// How many of some runs did.
struct Shown {
  long all = 0, shown = 0;
  std::string words = {};
  void add(const Run& run, double longest) {
    ++all;
    shown += is_shown(run, longest) ? 1 : 0;
  }
  [[nodiscard]] double share() const { return static_cast<double>(shown) / static_cast<double>(all); }
};

struct Case {
  const char* name;
  double stiffness, longest, epsilon;
};
constexpr std::array<Case, 3> regular_cases{
    {{"stiff_01", stiff, 0.1, 1}, {"soft_01", soft, 0.1, 3}, {"soft_02", soft, 0.2, 3}}};

void put_run(Report& report, const std::string& name, const Run& r) {
  add_measurements(report,
                   {{name + ".longest_step", r.longest}, {name + ".shortest_step", r.shortest}, {name + ".end", r.end}},
                   "time", {.relative = 0.02});
  report.measurement(
      {.name = name + ".energy_error", .value = r.energy_error, .unit = "energy", .tolerance = {.relative = 0.5}});
}

const std::vector<Column> history_columns{{"t", "time"}, {"dt", "time"}, {"energy_error", "energy"}};

/// The regular motions by the three methods.
Shown measure_regular(Report& report, double end_time) {
  Shown shown;
  for (const Case& c : regular_cases) {
    shown.words += text("%sk = %g, maximum %g:", shown.words.empty() ? "" : "; ", c.stiffness, c.longest);
    for (const auto& [id, method] : methods) {
      const Run r = run_with(id, c.stiffness, hanging(), c.longest, c.epsilon, end_time, 20);
      put_run(report, text("regular.%s.%s", c.name, method), r);
      report.series(text("regular_%s_%s", c.name, method), history_columns, r.history);
      if (std::find(of_slides.begin(), of_slides.end(), id) == of_slides.end()) continue;
      shown.add(r, c.longest);
      shown.words += text(" %s %.4f to %.4f,", method, r.shortest, r.longest);
    }
    shown.words.pop_back();
  }
  return shown;
}

/// The chaotic motion from the level start by the three methods, and how far they come, or which maximum they break.
Shown measure_chaotic(Report& report, double end_time, double stiffness, double epsilon, const std::string& name,
                      const std::string& not_shown) {
  Shown shown;
  for (const Id id : of_slides)
    for (const double longest : {0.1, 0.2}) {
      const char* method = methods[static_cast<std::size_t>(id)].name;
      const Run r = run_with(id, stiffness, level(0), longest, epsilon, end_time, 60);
      report.series(text("%s_0%.0f_%s", name.c_str(), 10 * longest, method), history_columns, r.history);
      shown.add(r, longest);
      shown.words += text("%s%s, %g: ", shown.words.empty() ? "" : "; ", method, longest);
      shown.words += r.complete ? text("to the end, steps up to %.4f, |H - E0| up to %.2g", r.longest, r.energy_error)
                                : text("t = %.0f, %s", r.end, r.ended.c_str());
    }
  report.count(name + ".runs", shown.all);
  // On another machine's path a run may end later, and one or two not at all.
  report.measurement(
      {.name = name + not_shown, .value = static_cast<double>(shown.all - shown.shown), .tolerance = {.absolute = 2}});
  return shown;
}

/// Slides 24 to 26 are figures without their system, start and density: the chains are ours.
void claim_histories(Report& report, double end_time) {
  const Shown regular = measure_regular(report, end_time),
              chaotic = measure_chaotic(report, end_time, stiff, 1, "chaotic", ".lost_runs"),
              soft_chaotic =
                  measure_chaotic(report, end_time, soft, 3, "soft_chaotic", ".runs_lost_or_with_longer_steps");
  Shown beyond_limit, constant;
  double latest = 0;
  for (const Id id : of_slides) {
    const Run r = run_with(id, stiff, hanging(), 0.2, 1, end_time);
    beyond_limit.add(r, 0.2);
    latest = std::max(latest, r.end);
  }
  for (const Case& c : regular_cases)
    constant.add(run_constant(c.stiffness, hanging(), c.longest, end_time), c.longest);
  const Interval every{1, 1};
  const double frequency = fastest_frequency(stiff);
  report.claim(
      {.id = "CS101.slide24.many-dof",
       .measured = regular.share(),
       .interval = every,
       .controls = {failing("constant steps of the maximum", constant.share(), every),
                    evidence("k = 50 with a maximum of 0.2", beyond_limit.share(), every),
                    evidence("chaotic motion, k = 50, both maxima", chaotic.share(), every),
                    evidence("chaotic motion, k = 5, both maxima", soft_chaotic.share(), every)},
       .note = text("T = %g from the angles 0.3. Steps: %s. With k = 50 the fastest mode has omega = %.1f, so Verlet's "
                    "limit 2/omega = %.3f is below a maximum of 0.2, and all three methods are lost by t = %.1f. From "
                    "the level start, k = 50, epsilon = 1: %s. The same with k = 5, epsilon = 3: %s. A step is longer "
                    "than its maximum where the error of the energy makes E0 - W negative. The "
                    "reversible runs end where the density rises along the drift as fast as the step: the equation for "
                    "its length "
                    "has no solution, and trials reach E0 - W + epsilon < 0.",
                    end_time, regular.words.c_str(), frequency, 2 / frequency, latest, chaotic.words.c_str(),
                    soft_chaotic.words.c_str())});
}

// --- the energy of the chaotic chain ---------------------------------------------------------------------------------

constexpr double walk_longest = 0.025, walk_epsilon = 3;
constexpr int starts = 6;

/// Six runs of one method.
struct Six {
  std::vector<Run> runs;
  [[nodiscard]] double largest_error() const {
    double largest = 0;
    for (const Run& r : runs) largest = std::max(largest, r.complete ? r.energy_error : infinity);
    return largest;
  }
};

/// Returns the mean square of the change of the energy over `lag` blocks.
double mean_square_change(const std::vector<double>& means, std::size_t lag) {
  double sum = 0;
  for (std::size_t k = 0; k + lag < means.size(); ++k) sum += (means[k + lag] - means[k]) * (means[k + lag] - means[k]);
  return sum / static_cast<double>(means.size() - lag);
}
/// Returns p of mean square change ~ lag^p from 2 to 32 blocks: 0 for a bounded energy, 1 for a walk at random, 2 for a
/// drift. A run that was lost has none.
double exponent(const Run& r) {
  if (!r.complete) return not_a_number;
  return std::log(mean_square_change(r.block_means, 32) / mean_square_change(r.block_means, 2)) / std::log(16.0);
}
Confidence exponent(const Six& six) {
  const std::vector<double> values = of_each(six.runs, [](const Run& r) { return exponent(r); });
  return std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); }) ? Confidence{}
                                                                                           : confidence(values);
}
double root_mean_square_change(const Six& six, std::size_t lag) {
  double sum = 0;
  for (const Run& r : six.runs) sum += mean_square_change(r.block_means, lag) / starts;
  return std::sqrt(sum);
}

template <class Make>
Six six_starts(const Make& make) {
  Six six;
  for (int k = 0; k < starts; ++k) six.runs.push_back(make(level(k)));
  return six;
}

void put_six(Report& report, const std::string& name, const Six& six, double end_time) {
  const Confidence p = exponent(six);
  // Which of the six are lost, if some are, depends on the path.
  const long lost = count_of(six.runs, [](const Run& r) { return !r.complete; });
  report.measurement({.name = name + ".lost_runs",
                      .value = static_cast<double>(lost),
                      .tolerance = {.absolute = lost > 0 ? 3.0 : 0.0}});
  if (!std::isfinite(p.half_width)) return;
  report.measurement(
      {.name = name + ".exponent", .value = p.mean, .unit = "", .tolerance = {.absolute = 2 * p.half_width}});
  report.measurement(
      {.name = name + ".exponent.half_width", .value = p.half_width, .unit = "", .tolerance = {.relative = 2}});
  report.measurement(
      {.name = name + ".energy_error", .value = six.largest_error(), .unit = "energy", .tolerance = {.relative = 2}});
  std::vector<std::vector<double>> growth, paths;
  const double block = end_time / static_cast<double>(blocks);
  for (const std::size_t lag : std::vector<std::size_t>{1, 2, 4, 8, 16, 32, 64, 128})
    growth.push_back({static_cast<double>(lag) * block, root_mean_square_change(six, lag)});
  report.series(name + "_growth", {{"lag", "time"}, {"change", "energy"}}, growth);
  for (std::size_t k = 0; k < blocks; ++k) {
    paths.push_back({(static_cast<double>(k) + 0.5) * block});
    for (const Run& r : six.runs) paths.back().push_back(r.block_means[k]);
  }
  report.series(name + "_energy",
                columns({{"t", "time"}}, {"run_1", "run_2", "run_3", "run_4", "run_5", "run_6"}, "energy"), paths);
}

/// Symplectic runs where the energy is not bounded: longer steps, and a density that follows the springs.
std::map<std::string, Six> measure_beyond(double end_time) {
  const System system = chain_of(stiff);
  constexpr double epsilon = 30 * walk_epsilon;
  const InverseAcceleration<System> density(system, epsilon);
  const double h = walk_longest * std::sqrt(epsilon);
  const auto longer_steps = [&](Id id) {
    return six_starts(
        [&](const Position& q) { return run_with(id, stiff, q, 2 * walk_longest, walk_epsilon, end_time); });
  };
  return {
      {"hamiltonian_longer_steps", longer_steps(Id::hamiltonian)},
      {"variational_longer_steps", longer_steps(Id::variational)},
      {"hamiltonian_acceleration",
       six_starts([&](const Position& q) { return run(HamiltonianAdaptiveVerlet(system, density), q, h, end_time); })},
      {"variational_acceleration",
       six_starts([&](const Position& q) { return run(VariationalAdaptiveVerlet(system, density), q, h, end_time); })}};
}

/// The exponent, or how many of the runs were lost.
std::string exponent_text(const Six& six) {
  const long lost = count_of(six.runs, [](const Run& r) { return !r.complete; });
  const Confidence p = exponent(six);
  return lost > 0 ? text("%ld of %d runs lost", lost, starts) : text("%.2f +- %.2f", p.mean, p.half_width);
}

std::map<std::string, Six> measure_walks(Report& report, double end_time) {
  std::map<std::string, Six> all;
  for (const auto& [id, name] : methods) {
    const Id method = id;
    all[name] =
        six_starts([&](const Position& q) { return run_with(method, stiff, q, walk_longest, walk_epsilon, end_time); });
  }
  all["state_distances"] =
      six_starts([&](const Position& q) { return run_state_distances(q, walk_longest, 10 * walk_epsilon, end_time); });
  const double mean_step = mean_over(all["variational"].runs, &Run::mean_step).mean;
  all["constant"] = six_starts([&](const Position& q) { return run_constant(stiff, q, mean_step, end_time); });
  all.merge(measure_beyond(end_time));
  for (const auto& [name, six] : all) put_six(report, "chaotic_" + name, six, end_time);
  return all;
}

void claim_walk(Report& report, double end_time) {
  auto all = measure_walks(report, end_time);
  const double mean_step = mean_over(all["variational"].runs, &Run::mean_step).mean;
  const auto p = [&](const char* name) { return exponent(all.at(name)).mean; };
  const auto with_width = [&](const char* name) { return exponent_text(all.at(name)); };
  const Interval walk{0.7, 1.3}, bounded{-0.3, 0.3};
  const double symplectic = std::max(p("hamiltonian"), p("variational"));
  report.claim(
      {.id = "CS101.chains.symplectic-bounded",
       .measured = symplectic,
       .interval = bounded,
       .controls = {failing("the reversible method", p("reversible"), bounded),
                    failing("steps h sigma(q_k)", p("explicit"), bounded),
                    failing("the Hamiltonian method, sigma = (|a|^2 + epsilon)^(-1/2)", p("hamiltonian_acceleration"),
                            bounded),
                    failing("the variational method, sigma = (|a|^2 + epsilon)^(-1/2)", p("variational_acceleration"),
                            bounded),
                    passing("Verlet with constant steps of the same mean", p("constant"), bounded)},
       .note = text(
           "Exponents with 95 %% intervals over six starts: Hamiltonian %s, variational %s, constant steps %s. "
           "Largest |H - E0|: %.3g, %.3g, and %.3g with constant steps of %.4f, the same mean: steps that "
           "follow the kinetic energy gain nothing on springs whose period does not change. So it is for short "
           "steps and a density that varies slowly: with a maximum of 0.05 Hamiltonian %s, variational %s; with "
           "(|a|^2 + epsilon)^(-1/2) and a maximum of 0.025 %s, %s.",
           with_width("hamiltonian").c_str(), with_width("variational").c_str(), with_width("constant").c_str(),
           all["hamiltonian"].largest_error(), all["variational"].largest_error(), all["constant"].largest_error(),
           mean_step, with_width("hamiltonian_longer_steps").c_str(), with_width("variational_longer_steps").c_str(),
           with_width("hamiltonian_acceleration").c_str(), with_width("variational_acceleration").c_str())});
  report.claim(
      {.id = "CS101.chains.reversible-walks",
       .measured = p("reversible"),
       .interval = walk,
       .controls = {failing("the Hamiltonian method", p("hamiltonian"), walk),
                    failing("the variational method", p("variational"), walk),
                    failing("Verlet with constant steps of the same mean", p("constant"), walk),
                    failing("steps h sigma(q_k), which drift", p("explicit"), walk),
                    passing("the explicit reversible method of slide 28", p("integrated"), walk),
                    passing("the reversible method with equal distances of states", p("state_distances"), walk)},
       .note =
           text("Exponents with 95 %% intervals over six starts: reversible %s, slide 28 %s, equal distances of "
                "states %s, steps h sigma(q_k) %s. Root mean square change of the energy over %g units of time: "
                "reversible %.2g, Hamiltonian %.2g, variational %.2g; over %g: %.2g, %.2g, %.2g.",
                with_width("reversible").c_str(), with_width("integrated").c_str(),
                with_width("state_distances").c_str(), with_width("explicit").c_str(),
                2 * end_time / static_cast<double>(blocks), root_mean_square_change(all["reversible"], 2),
                root_mean_square_change(all["hamiltonian"], 2), root_mean_square_change(all["variational"], 2),
                128 * end_time / static_cast<double>(blocks), root_mean_square_change(all["reversible"], 128),
                root_mean_square_change(all["hamiltonian"], 128), root_mean_square_change(all["variational"], 128))});
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(
      argc, argv, "adaptive_chains", {"CS101", "Tests with more degrees of freedom", "slides 24 to 26"},
      "Adaptive steps on a regular and a chaotic chain of springs: step histories, energy over long times", {},
      [](Report& report, const ExperimentOptions& options) {
        const double end_time = options.quick ? 200 : 4000;
        report.parameter("T", end_time);
        report.parameter("starts", starts);
        report.parameter("walk.longest_step", walk_longest);
        report.parameter("walk.epsilon", walk_epsilon);
        say_progress("step histories");
        claim_histories(report, end_time);
        if (options.quick) {
          say_progress("a short time only: nothing is decided about the chaotic chain");
          return;
        }
        say_progress("the chaotic chain, six starts");
        claim_walk(report, end_time);
        report.figure({"adaptive_chains.svg",
                       "Step histories of adaptive methods on chains of springs with maximal steps 0.1 and 0.2, and "
                       "the energy of a chaotic chain over T = 4000: bounded for the symplectic methods, a random walk "
                       "for the reversible one."});
      });
}
