// SPDX-License-Identifier: MIT
//
// Time of a step on the water clusters of TO14 4.3 (double, one thread) for N = 7, 100 and 1000 molecules, and of its
// parts: forces, penalty with linear solve, multipliers, noise.
//
//   water_step --benchmark_format=json --benchmark_filter=N:100
//
// Counters: microseconds a step or part; of the gradient, ns_per_pair of molecules (9 pairs of atoms) and
// share_of_peak: operations on numbers a second, counted in the source (study/models/water_steps.hpp), over those of
// fused products and sums on registers alone in the same run. `scalar`: without vector instructions. All in time of
// this thread. Read ratios within one run: machines are noisy. `side_by_side` takes turns with SHAKE and Z&S, both in
// the bath.
#include <benchmark/benchmark.h>

#include <map>
#include <memory>

#include "study/models/water_steps.hpp"

namespace {

using namespace livi;
using namespace livi::water_steps;

constexpr Eigen::Index sizes[]{7, 100, 1000};

const Cluster& cluster(Eigen::Index molecules) {
  static std::map<Eigen::Index, std::unique_ptr<Cluster>> all;
  auto& entry = all[molecules];
  if (!entry) entry = std::make_unique<Cluster>(molecules);
  return *entry;
}

/// Operations a second: the best of some passes.
double peak() {
  static const double best = [] {
    double most = 0;
    for (int k = 0; k < 20; ++k) {
      const double begin = thread_seconds();
      const double operations = vectorised_fused_operations(1000000);
      most = std::max(most, operations / (thread_seconds() - begin));
    }
    return most;
  }();
  return best;
}
void fused_operations(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(peak());
  state.counters["operations_per_second"] = peak();
}

/// Batches of `n` for a clock that takes its time; microseconds of one.
template <class Run>
double microseconds(benchmark::State& state, int n, const Run& run) {
  const double start = thread_seconds();
  for (auto _ : state) run(n);
  return 1e6 * (thread_seconds() - start) / (static_cast<double>(n) * static_cast<double>(state.iterations()));
}
int batch(Eigen::Index molecules) { return molecules > 500 ? 1 : molecules > 50 ? 20 : 500; }

void part(benchmark::State& state, Eigen::Index molecules, const std::string& name) {
  auto all = parts(cluster(molecules));
  for (auto& each : all) {
    if (each.name != name) continue;
    const double time = microseconds(state, batch(molecules), each.run);
    state.counters["microseconds"] = time;
    if (name != "gradient") return;
    const auto n = static_cast<double>(molecules);
    const double of_pair = 1e-6 * time / (n * (n - 1) / 2);
    state.counters["ns_per_pair"] = 1e9 * of_pair;
    state.counters["share_of_peak"] = operations_per_pair / of_pair / peak();
  }
}

/// From a state of the vectorised run.
template <class System, class MakeMethod, class Start>
void scalar(benchmark::State& state, const System& system, MakeMethod make, const Start& start) {
  auto method = make(system);
  auto z = method.start(start.q, start.v);
  state.counters["microseconds"] = microseconds(state, 1, [&](int n) { advance(method, z, n); });
}

void side_by_side(benchmark::State& state, Eigen::Index molecules) {
  auto all = parts(cluster(molecules));
  Part &zhang_skeel = all[all.size() - 2], &shake = all.back();
  double of_zhang_skeel = 0, of_shake = 0;
  for (auto _ : state) {
    const double begin = thread_seconds();
    zhang_skeel.run(batch(molecules));
    const double middle = thread_seconds();
    shake.run(batch(molecules));
    of_shake += thread_seconds() - middle;
    of_zhang_skeel += middle - begin;
  }
  state.counters["shake_over_zhang_skeel"] = of_shake / of_zhang_skeel;
}

void add_all() {
  benchmark::RegisterBenchmark("peak", fused_operations)->Iterations(1);
  for (const Eigen::Index molecules : sizes) {
    const std::string n = "N:" + std::to_string(molecules) + "/";
    for (const char* name : {"gradient", "linear_solve", "multipliers", "normal_numbers", "bath", "bath_tangent",
                             "zhang_skeel", "shake", "langevin.zhang_skeel", "langevin.shake"})
      benchmark::RegisterBenchmark((n + name).c_str(), [=](benchmark::State& state) { part(state, molecules, name); });
    benchmark::RegisterBenchmark((n + "side_by_side").c_str(),
                                 [=](benchmark::State& state) { side_by_side(state, molecules); });
    if (molecules > 100) continue;
    benchmark::RegisterBenchmark((n + "scalar/zhang_skeel").c_str(), [=](benchmark::State& state) {
      scalar(
          state, penalised(water_cluster<double>(molecules), omega),
          [](const auto& system) { return StiffZhangSkeel(system, {beta}); }, cluster(molecules).restrained_state);
    });
    benchmark::RegisterBenchmark((n + "scalar/shake").c_str(), [=](benchmark::State& state) {
      scalar(
          state, water_cluster<double>(molecules), [](const auto& system) { return Shake(system); },
          cluster(molecules).rigid_state);
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  add_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
