// SPDX-License-Identifier: MIT
//
// Experiment: the cost of a step on long chains against their length, counted and timed, in memory and time, beside the
// bandwidth of the memory (the applications of TO14 4.2 and 4.4 at up to a million unknowns)
#include "study/models/large_systems.hpp"

#include <cmath>
#include <limits>
#include <livi/systems/any_system.hpp>

#include "study/program/experiment.hpp"
#include "study/statistics/power_by_sums.hpp"

namespace {

using namespace livi;

using Points = std::vector<std::pair<double, double>>;

/// The largest distance of the points from the straight line through the first two.
double distance_from_a_line(const Points& points) {
  const auto [x0, y0] = points[0];
  const auto [x1, y1] = points[1];
  double largest = 0;
  for (const auto& [x, y] : points) largest = std::max(largest, std::abs((y - y0) * (x1 - x0) - (y1 - y0) * (x - x0)));
  return largest / (x1 - x0);
}

/// Operations of a Z&S step on a chain of n with a dense Hessian, as for a potential without structure.
double dense_operations(Eigen::Index n) {
  const auto chain = LongChain::system<Counted>(n);
  using Penalty = PlanarChainPenalty<Counted, Dynamic, DenseHessian<Counted, Dynamic>>;
  using Potential = PenalisedPotential<GravityPotential<Counted, Dynamic>, Penalty>;
  const MechanicalSystem<ScalarMass<Counted, Dynamic>, Potential> system(
      chain.mass(),
      {chain.potential().base, {chain.potential().penalty.squared_lengths, chain.potential().penalty.stiffness}});
  ZhangSkeel method(system, {Counted(LongChain::beta)});
  auto z = method.start(LongChain::start<Counted>(n), Vector<Counted, Dynamic>::Constant(2 * n, Counted(0)));
  const Counted h(LongChain::h);
  static_cast<void>(method.step(z, h));
  return static_cast<double>(count_operations([&] { static_cast<void>(method.step(z, h)); }).total());
}

/// Operations of a Z&S step on the DNA model with a dense Hessian.
double dense_dna_operations(Eigen::Index n) {
  const auto chain = dna_chain<Counted>(n);
  const AnySystem<Counted> system(FullMass<Counted, Dynamic>(Matrix<Counted, Dynamic>::Identity(n, n)),
                                  AnyPotential<Counted>(chain.potential(), n));
  return static_cast<double>(long_dna_operations<AnySystem<Counted>, ZhangSkeel>(system, n).total());
}

/// Seconds of one step: the least of several measurements, each of about `least` seconds at least.
double seconds_per_step(const LargeRun& run, double least, int repetitions) {
  double best = std::numeric_limits<double>::infinity();
  long steps = 1;
  for (int repetition = 0; repetition < repetitions;) {
    const double begin = thread_seconds();
    for (long k = 0; k < steps; ++k)
      if (!run.step()) throw std::runtime_error("a step failed");
    const double seconds = thread_seconds() - begin;
    if (seconds < least / 2) {
      steps *= 2;
      continue;
    }
    best = std::min(best, seconds / static_cast<double>(steps));
    ++repetition;
  }
  return best;
}

/// Unknowns from which slopes are taken: below, the ends of the chain and the call of the step show.
constexpr double slopes_from = 1e3;

Eigen::Index rows_of(const LargeSystem& system, double unknowns) {
  return static_cast<Eigen::Index>(unknowns) / system.unknowns_per_row;
}

/// Operations of a step against unknowns, by the name of the system.
std::map<std::string, Points> counted_operations(Report& report, const std::vector<double>& sizes) {
  std::map<std::string, Points> operations;
  for (const LargeSystem& system : large_systems()) {
    if (!system.operations) continue;
    say_progress("counting " + system.name);
    Points& points = operations[system.name];
    for (const double n : sizes)
      if (n >= slopes_from) points.emplace_back(n, static_cast<double>(system.operations(rows_of(system, n)).total()));
    report.measurement({.name = system.name + ".operations_per_unknown",
                        .value = points.back().second / points.back().first,
                        .unit = "operations",
                        .tolerance = {.relative = 0.02}});
    if (points.size() > 1)
      report.measurement({.name = system.name + ".slope_of_operations",
                          .value = power_by_sums(points),
                          .tolerance = {.absolute = 1e-3}});
  }
  return operations;
}

/// Bytes a second.
double bandwidth_of_the_triad(Report& report, int passes) {
  say_progress("measuring the bandwidth");
  double bandwidth = 0;
  StreamTriad triad;
  for (int pass = 0; pass < passes; ++pass) bandwidth = std::max(bandwidth, triad.pass());
  report.timing("stream_triad.per_byte", 1 / bandwidth);
  return bandwidth;
}

void time_steps(Report& report, const std::vector<double>& sizes, int repetitions, double bandwidth) {
  std::map<std::string, Points> seconds;
  for (const double n : sizes) {
    say_progress(text("timing n = %.0f", n));
    for (const LargeSystem& system : large_systems()) {
      const double before = heap_bytes();
      const LargeRun run = system.make(rows_of(system, n));
      const double held = heap_bytes() - before, step = seconds_per_step(run, 2e-3, repetitions);
      if (n >= slopes_from) seconds[system.name].emplace_back(n, step);
      report.timing(system.name + text(".per_unknown.n=%.0f", n), step / n);
      if (n != sizes.back()) continue;
      // Allocators add some bytes an array.
      for (const auto& [what, value, tolerance] :
           {std::tuple{".bytes_per_unknown", std::round(held / n), 0.5},
            {".bytes_moved_per_unknown_and_step", system.bytes_per_unknown_and_step, 0.0}})
        report.measurement(
            {.name = system.name + what, .value = value, .unit = "bytes", .tolerance = {.absolute = tolerance}});
      report.timing(system.name + ".per_unknown.at_the_bandwidth_of_the_triad",
                    system.bytes_per_unknown_and_step / bandwidth);
    }
  }
  for (const auto& [name, points] : seconds)
    if (points.size() > 1) report.timing(name + ".slope_of_time", power_by_sums(points));  // a number, not seconds
  report.figure({"large_systems.svg",
                 "Time of a step per unknown against the number of unknowns, on this machine, one thread: Z&S and "
                 "Z&Ss on the chain of pendula, and Z&S written by hand for it. Dashed: the time in which the "
                 "memory, at the bandwidth of the triad measured in the same run, moves the bytes that a step of "
                 "Z&S reads and writes."});
}

/// The note begins with what a step costs, and goes on with `words`.
void claim_linear(Report& report, const std::string& id, const Points& counted, const std::string& name_of_control,
                  const Points& dense, const std::string& words) {
  const Interval exactly{0, 0};
  report.claim(
      {.id = id,
       .measured = distance_from_a_line(counted),
       .unit = "operations",
       .interval = exactly,
       .controls = {{.name = name_of_control, .measured = distance_from_a_line(dense), .interval = exactly}},
       .note = text("%.1f operations an unknown, slope of log operations against log n %.4f (dense: %.2f). ",
                    counted.back().second / counted.back().first, power_by_sums(counted), power_by_sums(dense)) +
               words});
}

}  // namespace

int main(int argc, char** argv) {
  return run_experiment(
      argc, argv, "large_systems", {"TO14", "A chain of many pendula", "4.2"},
      "The cost of a step on long chains: operations, memory, time and bandwidth against length", {},
      [](Report& report, const ExperimentOptions& options) {
        std::vector<double> sizes{10, 40, 100, 400, 1e3, 4e3, 1e4, 4e4, 1e5, 4e5, 1e6};  // unknowns
        if (options.quick) sizes.resize(7);
        report.parameter("largest_n", sizes.back());
        report.parameter("h", LongChain::h);
        report.parameter("beta", LongChain::beta);
        report.parameter("omega", LongChain::omega);
        const auto operations = counted_operations(report, sizes);
        const double bandwidth = bandwidth_of_the_triad(report, options.quick ? 3 : 12);
        time_steps(report, sizes, options.quick ? 3 : 9, bandwidth);
        if (options.quick) {
          say_progress("short chains only: no claims are decided");
          return;
        }
        Points dense, dense_dna;
        for (const Eigen::Index n : {8, 16, 32}) dense.emplace_back(2.0 * static_cast<double>(n), dense_operations(n));
        claim_linear(report, "TO14.s4.2.zs-cost-linear", operations.at("chain.zhang_skeel"),
                     "the same step with a dense Hessian, 16 to 64 unknowns", dense,
                     "Gradient, Hessian and the vector a.V'''.a are computed link by link while the elimination "
                     "goes on and are never stored: beside the state, 16 bytes an unknown are. Rows are eliminated "
                     "from both ends at once, in an order that depends on n alone; a step is one recurrence along "
                     "the chain, runs on one thread and gives the same bits however many there are. Times, their "
                     "slope and the bandwidth are in the timing part of the report: chain.*.per_unknown.n=*, "
                     "*.slope_of_time, stream_triad.per_byte.");
        for (const Eigen::Index n : {16, 32, 64}) dense_dna.emplace_back(n, dense_dna_operations(n));
        claim_linear(report, "TO14.s4.4.zs-cost-linear", operations.at("dna.zhang_skeel"),
                     "the same step with a dense Hessian, 16 to 64 bases", dense_dna,
                     "Times, with the pairing by vector instructions, are in the timing part of the report: "
                     "dna.*.per_unknown.n=*.");
      });
}
