// SPDX-License-Identifier: MIT
//
// Time of one step of the integrators for rigid bodies on the stress test of BOS09 (double, h = 0.125), beside the
// torque alone and a hand-written velocity Lie-Verlet step with unit quaternions.
//
//   rigid_body_step --benchmark_format=json
//
// Read ratios within one run: machines are noisy. The hand-written kernel knows that I_1 = I_2, that the torque is a
// sum of two multiples of vectors of quaternions, and stops its iteration by the size of the last update.
#include <benchmark/benchmark.h>

#include <cmath>
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/integrators/lie_midpoint.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/systems/rotation_potentials.hpp>

namespace {

using namespace livi;
using Body = StressTestSystem<double>;
constexpr double h = 0.125;

template <class Method>
void step_of(benchmark::State& state) {
  const Body system = stress_test<double>();
  Method method(system);
  auto z = method.start(so3::exp(Vector3<double>(0.5, -0.4, 0.6)), Vector3<double>(0.5, -0.4, 0.7));
  for (auto _ : state)
    if (!method.step(z, h).ok()) state.SkipWithError("a step failed");
  benchmark::DoNotOptimize(z.w);
  state.counters["iterations_per_step"] =
      benchmark::Counter(static_cast<double>(method.work().newton_iterations), benchmark::Counter::kAvgIterations);
}
BENCHMARK(step_of<LieNewmark<Body>>)->Name("LieNewmark, Cayley map");
BENCHMARK(step_of<LieVerlet<Body>>)->Name("LieVerlet, Cayley map");
BENCHMARK(step_of<LieVerlet<Body, so3::ExponentialMap>>)->Name("LieVerlet, exponential map");
BENCHMARK(step_of<LieMidpoint<Body>>)->Name("LieMidpoint, exponential map");
BENCHMARK(step_of<RungeKuttaMuntheKaas4<Body>>)->Name("RungeKuttaMuntheKaas4");

void torque(benchmark::State& state) {
  const Body system = stress_test<double>();
  Matrix3<double> q = so3::exp(Vector3<double>(0.5, -0.4, 0.6));
  for (auto _ : state) {
    benchmark::DoNotOptimize(q);
    benchmark::DoNotOptimize(system.torque(q));
  }
}
BENCHMARK(torque)->Name("torque");

/// The free step alone: (8) without torque and (9).
void drift(benchmark::State& state) {
  const Body system = stress_test<double>();
  const DiscreteEulerPoincare<Body, so3::CayleyMap> free{NewtonOptions<double>()};
  WorkCounters work;
  Matrix3<double> q = so3::exp(Vector3<double>(0.5, -0.4, 0.6));
  Vector3<double> mu(1, -0.8, 2.8), w = mu;
  for (auto _ : state)
    if (!free.drift(system, h, q, mu, w, work).ok()) state.SkipWithError("a step failed");
  benchmark::DoNotOptimize(mu);
}
BENCHMARK(drift)->Name("free step, Cayley map");

}  // namespace

BENCHMARK_MAIN();
