// SPDX-License-Identifier: MIT
//
// Time of one step on long chains beside a kernel written by hand, the step that stores its Hessian, velocity Verlet,
// and the bandwidth of the memory of this machine in the same run. One thread: a step is one recurrence along the
// chain.
//
//   large_systems_step --benchmark_format=json
//
// The argument is the number of pendula. Counters: ns_per_row, ns_per_unknown; bytes_per_unknown, held by state and
// method; bytes_per_second, that a step reads and writes (study/models/large_systems.hpp), to be read beside the
// triad's where the arrays do not fit in the cache. Read ratios within one run: machines are noisy.
#include <benchmark/benchmark.h>

#include <livi/integrators/velocity_verlet.hpp>

#include "study/models/large_systems.hpp"

namespace {

using namespace livi;

void report(benchmark::State& state, Eigen::Index rows, int unknowns_per_row, double bytes_held,
            double bytes_per_unknown) {
  const double unknowns = static_cast<double>(rows) * unknowns_per_row;
  const auto per = [](double n) {
    return benchmark::Counter(n * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  };
  state.counters["ns_per_row"] = per(static_cast<double>(rows));
  state.counters["ns_per_unknown"] = per(unknowns);
  state.counters["bytes_per_unknown"] = bytes_held / unknowns;
  if (bytes_per_unknown > 0)
    state.counters["bytes_per_second"] =
        benchmark::Counter(bytes_per_unknown * unknowns, benchmark::Counter::kIsIterationInvariantRate);
}

void measure(benchmark::State& state, const LargeSystem& system) {
  const auto rows = static_cast<Eigen::Index>(state.range(0));
  const double before = heap_bytes();
  const LargeRun run = system.make(rows);
  bool ok = run.step();
  const double held = heap_bytes() - before;
  for (auto _ : state) ok = run.step() && ok;
  if (!ok) state.SkipWithError("a step failed");
  report(state, rows, system.unknowns_per_row, held, system.bytes_per_unknown_and_step);
}

/// The chain without its terms: the step stores gradient, Hessian, a and third derivative.
template <class P>
struct StoredHessian : P {
 private:
  void neighbour_derivatives() const;
};
LargeRun with_stored_hessian(Eigen::Index n) {
  const auto system = LongChain::system<double>(n);
  using Stored = StoredHessian<std::remove_cvref_t<decltype(system.potential())>>;
  using System = MechanicalSystem<ScalarMass<double, Dynamic>, Stored>;
  return large_run<System, ZhangSkeel<System>>(
      System(system.mass(), Stored{system.potential()}),
      [](const System& s) { return ZhangSkeel<System>(s, {LongChain::beta}); }, LongChain::start<double>(n),
      LongChain::h);
}
/// The explicit step, stable at a tenth of h; its cost is that of one gradient.
LargeRun explicit_step(Eigen::Index n) {
  const auto system = LongChain::system<double>(n);
  using System = std::remove_cv_t<decltype(system)>;
  return large_run<System, VelocityVerlet<System>>(
      system, [](const System& s) { return VelocityVerlet<System>(s); }, LongChain::start<double>(n),
      LongChain::h / 10);
}

void triad(benchmark::State& state) {
  StreamTriad stream;
  double best = 0;
  for (auto _ : state) best = std::max(best, stream.pass());
  state.counters["bytes_per_second"] = best;
}

const int registered = [] {
  std::vector<LargeSystem> systems = large_systems();
  systems.push_back({"chain.stored_hessian", 2, 0, with_stored_hessian});
  systems.push_back({"chain.velocity_verlet", 2, 0, explicit_step});
  for (const LargeSystem& system : systems) {
    auto* const benchmark = benchmark::RegisterBenchmark(system.name.c_str(),
                                                         [system](benchmark::State& state) { measure(state, system); });
    for (const long rows : {5L, 50L, 500L, 5'000L, 50'000L, 500'000L, 2'000'000L}) benchmark->Arg(rows);
  }
  benchmark::RegisterBenchmark("stream_triad", triad)->Unit(benchmark::kMillisecond);
  return 0;
}();

}  // namespace

BENCHMARK_MAIN();
