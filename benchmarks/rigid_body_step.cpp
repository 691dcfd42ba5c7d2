// SPDX-License-Identifier: MIT
//
// Time of one step of the integrators for rigid bodies on the stress test of BOS09 (double, h = 0.125) from
// its printed start, and of their parts.
//
//   rigid_body_step --benchmark_format=json
//
// Read ratios within one run: machines are noisy.
#include <benchmark/benchmark.h>

#include <cmath>
#include <livi/integrators/body_runge_kutta.hpp>
#include <livi/integrators/cayley_variational_euler.hpp>
#include <livi/integrators/lie_midpoint.hpp>
#include <livi/integrators/lie_newmark.hpp>
#include <livi/integrators/lie_verlet.hpp>
#include <livi/integrators/linearized_so3.hpp>
#include <livi/systems/rotation_potentials.hpp>

namespace {

using namespace livi;
using Body = StressTestSystem<double>;
constexpr double h = 0.125;

template <class Method>
void step_of(benchmark::State& state) {
  const Body system = stress_test<double>();
  Method method(system);
  const auto [q, w] = stress_test_start<double>();
  auto z = method.start(q, w);
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

/// TO14 4.5: the magnetised body with identity inertia, by the Lie group integrator (34) and on penalised matrices.
void variational_euler(benchmark::State& state) {
  const LieSystem<ScalarMass<double, 3>, MagneticDipolePotential<double>> system(ScalarMass<double, 3>(1), {1});
  CayleyVariationalEuler method(system);
  auto z = method.start(identity3<double>(), Vector3<double>(1, 0.2, 0.1));
  for (auto _ : state)
    if (!method.step(z, 0.1).ok()) state.SkipWithError("a step failed");
  benchmark::DoNotOptimize(z.w);
}
BENCHMARK(variational_euler)->Name("CayleyVariationalEuler, magnetised body");
void linearized(benchmark::State& state) {
  const auto system = penalised_body<double>(1, 10);
  LinearizedSO3<std::remove_const_t<decltype(system)>> method(system, {0.4});
  const Matrix3<double> q = identity3<double>();
  auto z = method.start(matrix_position(q), matrix_velocity(q, Vector3<double>(1, 0.2, 0.1)));
  for (auto _ : state)
    if (!method.step(z, 0.1).ok()) state.SkipWithError("a step failed");
  benchmark::DoNotOptimize(z.v);
}
BENCHMARK(linearized)->Name("LinearizedSO3, magnetised body");

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
