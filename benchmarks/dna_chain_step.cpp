// SPDX-License-Identifier: MIT
//
// Time of one step on the DNA model of TO14 4.4 (double) for n = 200 to 10^7 base pairs, its parts, the memory it needs
// and the share of the machine's memory bandwidth that it draws, measured in the same run.
//
//   dna_chain_step --benchmark_format=json --benchmark_filter='-/10000000'
//
// Counters: ns_per_unknown of a step; ns_per_unknown_and_time, the same per unit of simulated time (h = 2 for Z&S, 0.2
// for Verlet, as printed); bytes_per_unknown of state and workspace; bytes_per_second that a step moves and their share
// of the triad's, counted as in study/models/large_systems.hpp. All in time of this thread. Read ratios within one run:
// machines are noisy. `side_by_side` takes turns with two methods over the same simulated time.
#include <benchmark/benchmark.h>
#include <livi/integrators/odeint_adapter.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/systems/vectorised_morse_pairing.hpp>
#include <random>

#include "study/models/large_systems.hpp"

namespace {

using namespace livi;
using V = Vector<double, Dynamic>;

constexpr double beta = LongDna::beta, zhang_skeel_h = LongDna::zhang_skeel_h, verlet_h = LongDna::verlet_h;

/// The best of some passes: bytes per second.
double triad_bandwidth() {
  static const double bandwidth = [] {
    StreamTriad stream;
    double best = 0;
    for (int k = 0; k < 8; ++k) best = std::max(best, stream.pass());
    return best;
  }();
  return bandwidth;
}
void triad(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(triad_bandwidth());
  state.counters["bytes_per_second"] = triad_bandwidth();
}

V start_position(Eigen::Index n) {
  std::mt19937_64 generator(20140404);
  std::normal_distribution<double> normal;
  V xi(n);
  for (Eigen::Index i = 0; i < n; ++i) xi(i) = normal(generator);
  return dna_start_position<double>(xi);
}

/// Which pairing: an argument, because the macros below take no templates.
constexpr auto vectorised = [](Eigen::Index n) { return vectorised_dna_chain(n); };
constexpr auto scalar = [](Eigen::Index n) { return dna_chain<double>(n); };

/// A run that begins anew every 128 steps, within which all methods are stable.
template <class Method>
class Run {
 public:
  Run(Method& method, const V& q, const V& v, double h) : method_(&method), first_(method.start(q, v)), h_(h) {
    ok_ = method.step(first_, h).ok();
    state_ = first_;
  }
  void step() {
    if (++steps_ % 128 == 0) state_ = first_;
    ok_ = method_->step(state_, h_).ok() && ok_;
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] auto& state() { return state_; }

 private:
  using State = typename Method::state_type;
  Method* method_;
  State first_, state_{};
  double h_;
  long steps_ = 0;
  bool ok_ = false;
};

template <class MakeSystem, class MakeMethod>
void step(benchmark::State& state, MakeSystem make_system, MakeMethod make_method, double h, const char* counted_as) {
  const auto n = static_cast<Eigen::Index>(state.range(0));
  const auto system = make_system(n);
  const V q = start_position(n), v = dna_start_velocity<double>(n);
  const double before = heap_bytes();
  auto method = make_method(system);
  Run run(method, q, v, h);
  const auto states = 2.0 * 3 * 8;  // the run keeps its first state and does not need it
  const double bytes = (heap_bytes() - before) / static_cast<double>(n) - states / 2;
  const double start = thread_seconds();
  for (auto _ : state) {
    run.step();
    benchmark::DoNotOptimize(run.state());
  }
  const double per_unknown =
      (thread_seconds() - start) / (static_cast<double>(n) * static_cast<double>(state.iterations()));
  if (!run.ok()) state.SkipWithError("a step failed");
  state.counters["ns_per_unknown"] = 1e9 * per_unknown;
  state.counters["ns_per_unknown_and_time"] = 1e9 * per_unknown / h;
  state.counters["bytes_per_unknown"] = bytes;
  if (n < 1000000) return;
  for (const LargeSystem& large : large_systems())
    if (large.name == counted_as) {
      const double bandwidth = large.bytes_per_unknown_and_step / per_unknown;
      state.counters["bytes_per_second"] = bandwidth;
      state.counters["share_of_triad"] = bandwidth / triad_bandwidth();
    }
}

const auto zhang_skeel = [](const auto& s) { return ZhangSkeel(s, {beta}); };
const auto simplified = [](const auto& s) { return SimplifiedZhangSkeel(s, {beta}); };
const auto verlet = [](const auto& s) { return VelocityVerlet(s); };
const auto odeint = [](const auto& s) { return OdeintVelocityVerlet(s); };

/// Ten steps of Verlet and one of Z&S in turn, so that both have the same machine: the ratio of their times.
template <class MakeSystem, class MakeVerlet>
void side_by_side(benchmark::State& state, MakeSystem make_system, MakeVerlet make_verlet) {
  const auto n = static_cast<Eigen::Index>(state.range(0));
  const auto system = make_system(n);
  const V q = start_position(n), v = dna_start_velocity<double>(n);
  auto implicit = zhang_skeel(system);
  auto explicit_ = make_verlet(system);
  Run a(implicit, q, v, zhang_skeel_h);
  Run b(explicit_, q, v, verlet_h);
  // The median of many turns: an interruption spoils one of them.
  std::vector<double> of_zhang_skeel, of_verlet;
  const int steps = std::max(1, static_cast<int>(20000 / n));
  for (auto _ : state) {
    const double start = thread_seconds();
    for (int k = 0; k < 10 * steps; ++k) b.step();
    const double middle = thread_seconds();
    for (int k = 0; k < steps; ++k) a.step();
    of_verlet.push_back(middle - start);
    of_zhang_skeel.push_back(thread_seconds() - middle);
  }
  if (!a.ok() || !b.ok()) state.SkipWithError("a step failed");
  const auto median = [](std::vector<double>& x) {
    std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
    return x[x.size() / 2];
  };
  state.counters["verlet_over_zhang_skeel"] = median(of_verlet) / median(of_zhang_skeel);
}

// --- parts ----------------------------------------------------------------------------------------------------------

/// Calls work() on n unknowns.
template <class Work>
void time_part(benchmark::State& state, Eigen::Index n, const Work& work) {
  const double start = thread_seconds();
  for (auto _ : state) {
    work();
    benchmark::ClobberMemory();
  }
  state.counters["ns_per_unknown"] =
      1e9 * (thread_seconds() - start) / (static_cast<double>(n) * static_cast<double>(state.iterations()));
}

template <class Pairing>
void part_derivatives(benchmark::State& state, Pairing pairing, int order) {
  constexpr Eigen::Index n = 1000;
  const V q = start_position(n) * 3;
  V first(n), second(n), third(n);
  time_part(state, n, [&] {
    if constexpr (std::same_as<Pairing, VectorisedMorsePairing>) {
      pairing.derivatives(q.data(), n, first.data(), order > 1 ? second.data() : nullptr,
                          order > 2 ? third.data() : nullptr);
    } else {
      for (Eigen::Index i = 0; i < n; ++i) {
        const auto u = pairing.derivatives(q(i));
        first(i) = u.first;
        if (order > 1) second(i) = u.second;
        if (order > 2) third(i) = u.third;
      }
    }
  });
}

/// The library's elimination and substitution on a ring, rows stored.
void part_solve(benchmark::State& state) {
  constexpr Eigen::Index n = 1000;
  CyclicTridiagonalHessian<double> h(n);
  h.diagonal.setConstant(2);
  h.lower.setConstant(-1);
  ShiftedSolver<CyclicTridiagonalHessian<double>> solver;
  const ScalarMass<double, Dynamic> mass(1, n);
  V x = start_position(n);
  time_part(state, n, [&] {
    benchmark::DoNotOptimize(solver.factor(mass, 1.2, h).singular);
    solver.solve_in_place(x);
  });
}

/// What it could have been, for one chain of 1000 with constant couplings: `Arcs` pieces of it eliminated and
/// substituted at the same time, from one end to the other (their separators, a few unknowns, are left out). Two is
/// what the library does, from both ends.
template <int Arcs>
void part_arcs(benchmark::State& state) {
  constexpr Eigen::Index n = 1000, m = n / Arcs;
  const double e = -1.2;
  const V d = V::Constant(n, 3.4), b = start_position(n);
  V r(n), x = b;
  time_part(state, n, [&] {
    x = b;
    double pivot[Arcs] = {}, right[Arcs] = {};
    for (Eigen::Index i = 0; i < m; ++i)
      for (int j = 0; j < Arcs; ++j) {
        const Eigen::Index k = j * m + i;
        r(k) = 1 / (d(k) - pivot[j]);
        const double multiplier = e * r(k);
        pivot[j] = e * multiplier;
        x(k) -= right[j];
        right[j] = multiplier * x(k);
      }
    double ahead[Arcs] = {};
    for (Eigen::Index i = m; i-- > 0;)
      for (int j = 0; j < Arcs; ++j) {
        const Eigen::Index k = j * m + i;
        ahead[j] = x(k) = x(k) * r(k) - e * r(k) * ahead[j];
      }
  });
}

void sizes(benchmark::internal::Benchmark* b) {
  for (const int n : {200, 1000, 10000, 100000, 1000000, 10000000}) b->Arg(n);
}

BENCHMARK(triad)->Name("triad")->Iterations(1);
BENCHMARK_CAPTURE(step, , vectorised, zhang_skeel, zhang_skeel_h, "dna.zhang_skeel")
    ->Name("ZhangSkeel/vectorised")
    ->Apply(sizes);
BENCHMARK_CAPTURE(step, , vectorised, simplified, zhang_skeel_h, "dna.simplified_zhang_skeel")
    ->Name("SimplifiedZhangSkeel/vectorised")
    ->Apply(sizes);
BENCHMARK_CAPTURE(step, , vectorised, verlet, verlet_h, "dna.velocity_verlet")
    ->Name("VelocityVerlet/vectorised")
    ->Apply(sizes);
BENCHMARK_CAPTURE(step, , vectorised, odeint, verlet_h, "dna.velocity_verlet")
    ->Name("odeint/vectorised")
    ->Arg(200)
    ->Arg(10000);
BENCHMARK_CAPTURE(step, , scalar, zhang_skeel, zhang_skeel_h, "dna.zhang_skeel")
    ->Name("ZhangSkeel/scalar")
    ->Arg(200)
    ->Arg(10000);
BENCHMARK_CAPTURE(step, , scalar, verlet, verlet_h, "dna.velocity_verlet")
    ->Name("VelocityVerlet/scalar")
    ->Arg(200)
    ->Arg(10000);
BENCHMARK_CAPTURE(step, , scalar, odeint, verlet_h, "dna.velocity_verlet")->Name("odeint/scalar")->Arg(200)->Arg(10000);
BENCHMARK_CAPTURE(side_by_side, , vectorised, verlet)->Name("side_by_side/VelocityVerlet/vectorised")->Arg(200);
BENCHMARK_CAPTURE(side_by_side, , vectorised, odeint)->Name("side_by_side/odeint/vectorised")->Arg(200);
BENCHMARK_CAPTURE(side_by_side, , scalar, verlet)->Name("side_by_side/VelocityVerlet/scalar")->Arg(200);
BENCHMARK_CAPTURE(side_by_side, , scalar, odeint)->Name("side_by_side/odeint/scalar")->Arg(200);
BENCHMARK_CAPTURE(part_derivatives, , VectorisedMorsePairing(DnaParameters<double>{}), 1)
    ->Name("part/vectorised/gradient");
BENCHMARK_CAPTURE(part_derivatives, , VectorisedMorsePairing(DnaParameters<double>{}), 3)
    ->Name("part/vectorised/three_derivatives");
BENCHMARK_CAPTURE(part_derivatives, , MorsePairing<double>(DnaParameters<double>{}), 1)->Name("part/scalar/gradient");
BENCHMARK_CAPTURE(part_derivatives, , MorsePairing<double>(DnaParameters<double>{}), 3)
    ->Name("part/scalar/three_derivatives");
BENCHMARK(part_solve)->Name("part/factor_and_solve");
BENCHMARK(part_arcs<1>)->Name("part/arcs/1");
BENCHMARK(part_arcs<2>)->Name("part/arcs/2");
BENCHMARK(part_arcs<4>)->Name("part/arcs/4");
BENCHMARK(part_arcs<8>)->Name("part/arcs/8");

}  // namespace

BENCHMARK_MAIN();
