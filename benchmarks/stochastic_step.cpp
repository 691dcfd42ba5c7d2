// SPDX-License-Identifier: MIT
//
// Time of a step of RATTLE under one noise on the unit sphere (M = I, V = z, gamma = q_x / 2) beside the same step written by
// hand, and of the other methods under noise.
//
//   stochastic_step --benchmark_format=json
//
// hand_written/closed_form knows that the multiplier on a sphere is the root of a quadratic equation; hand_written/newton
// finds it by Newton's iteration from zero, as a general method has to, until it changes by less than 1e-15. Both must make
// the library's steps, or the program ends with status 1. Read ratios within one run: machines are noisy. No package of
// Debian 12 has a step of such a method, with which it could be compared.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <livi/stochastic/commutator_rattle.hpp>
#include <livi/stochastic/constrained_variational_euler.hpp>
#include <livi/stochastic/projected_methods.hpp>
#include <livi/stochastic/staircase_rattle.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>
#include <livi/systems/stochastic_problems.hpp>
#include <random>
#include <vector>

namespace {

using namespace livi;

constexpr double h = 0.05;
constexpr std::size_t count = 256;  // then a run begins anew, before it has heated up

auto problem() { return sphere_pendulum<double>(coordinate_noise<double, 3>(0.5, std::array{0})); }
using System = decltype(problem().system);

/// The integrals of the noise over `count` steps: W at their ends, I10 and the integral of W^2, the last one by its mean.
const std::vector<NoiseIntegrals<double>>& noises() {
  static const std::vector<NoiseIntegrals<double>> all = [] {
    std::mt19937_64 generator(1);
    std::normal_distribution<double> normal;
    std::vector<NoiseIntegrals<double>> made;
    for (std::size_t k = 0; k < count; ++k) {
      const double increment = std::sqrt(h) * normal(generator);
      const double zeta = std::sqrt(h * h * h / 12) * normal(generator);
      made.push_back({increment, h * increment / 2 + zeta, h * h / 6 + h * increment * increment / 3});
    }
    return made;
  }();
  return all;
}

/// The step written out, in registers. Solve: (|q|^2, q.w, |w|^2) -> lambda with |q + h (w - lambda q)| = 1.
template <double (*solve)(double, double, double)>
struct HandWrittenRattle {
  double x = 0.6, y = 0, z = -0.8, u = 0.4, v = 1, w = 0.3;

  void step(const NoiseIntegrals<double>& noise) {
    const double half = noise.increment / 2, part = noise.integral / h - half;
    u += 0.5 * (half + part);
    w -= h / 2;
    const double lambda = solve(x * x + y * y + z * z, x * u + y * v + z * w, u * u + v * v + w * w);
    u -= lambda * x;
    v -= lambda * y;
    w -= lambda * z;
    x += h * u;
    y += h * v;
    z += h * w;
    u += 0.5 * (half - part);
    w -= h / 2;
    const double normal = (x * u + y * v + z * w) / (x * x + y * y + z * z);
    u -= normal * x;
    v -= normal * y;
    w -= normal * z;
  }
};
/// |q|^2 (1 - h lambda)^2 + 2 h (1 - h lambda) q.w + h^2 |w|^2 = 1, the root near one.
double closed_form(double qq, double qw, double ww) {
  const double root = std::sqrt(h * h * qw * qw - qq * (h * h * ww - 1));
  return (1 - (root - h * qw) / qq) / h;
}
double newton(double qq, double qw, double ww) {
  double lambda = 0;
  for (int k = 0; k < 20; ++k) {
    const double s = 1 - h * lambda;
    const double change = (qq * s * s + 2 * h * s * qw + h * h * ww - 1) / (2 * h * (qq * s + h * qw));
    lambda += change;
    if (std::abs(change) < 1e-15) break;
  }
  return lambda;
}

template <class Kernel>
void hand_written(benchmark::State& state) {
  Kernel kernel;
  std::size_t k = 0;
  for (auto _ : state) {
    kernel.step(noises()[k]);
    if (++k == count) {
      k = 0;
      kernel = Kernel();
    }
    benchmark::DoNotOptimize(kernel);
  }
}

template <class Make>
void library_step(benchmark::State& state, Make make) {
  const auto given = problem();
  auto method = make(given.system);
  auto z = method.start(given.q, given.v);
  std::size_t k = 0;
  long ended = 0;
  for (auto _ : state) {
    ended += method.step(z, h, std::span(&noises()[k], 1)).ok() ? 0 : 1;
    if (++k == count) {
      k = 0;
      z = method.start(given.q, given.v);
    }
    benchmark::DoNotOptimize(z);
  }
  state.counters["ended"] = static_cast<double>(ended);
}

/// The largest difference of a kernel's run from the library's.
template <class Kernel>
double difference() {
  const auto given = problem();
  StochasticRattle<System> method(given.system);
  auto state = method.start(given.q, given.v);
  Kernel kernel;
  double largest = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (!method.step(state, h, std::span(&noises()[k], 1)).ok()) return 1;
    kernel.step(noises()[k]);
    for (const double d : {state.q(0) - kernel.x, state.q(1) - kernel.y, state.q(2) - kernel.z, state.v(0) - kernel.u})
      if (!(std::abs(d) <= largest)) largest = std::abs(d);
  }
  return largest;
}

constexpr auto rattle = [](const System& system) { return StochasticRattle<System>(system); };
constexpr auto commutator = [](const System& system) { return CommutatorRattle<System>(system); };
constexpr auto staircase = [](const System& system) { return StaircaseRattle<System>(system); };
constexpr auto euler_maruyama = [](const System& system) { return ProjectedEulerMaruyama<System>(system); };
constexpr auto heun = [](const System& system) { return ProjectedHeun<System>(system); };

BENCHMARK(hand_written<HandWrittenRattle<closed_form>>)->Name("hand_written/closed_form");
BENCHMARK(hand_written<HandWrittenRattle<newton>>)->Name("hand_written/newton");
BENCHMARK_CAPTURE(library_step, StochasticRattle, rattle)->Name("livi/StochasticRattle");
BENCHMARK_CAPTURE(library_step, CommutatorRattle, commutator)->Name("livi/CommutatorRattle");
BENCHMARK_CAPTURE(library_step, StaircaseRattle, staircase)->Name("livi/StaircaseRattle");
BENCHMARK_CAPTURE(library_step, ProjectedEulerMaruyama, euler_maruyama)->Name("livi/ProjectedEulerMaruyama");
BENCHMARK_CAPTURE(library_step, ProjectedHeun, heun)->Name("livi/ProjectedHeun");

}  // namespace

int main(int argc, char** argv) {
  // Rounding of some hundred steps, each of which can multiply it.
  for (const double apart : {difference<HandWrittenRattle<closed_form>>(), difference<HandWrittenRattle<newton>>()})
    if (!(apart < 1e-9)) {
      std::fprintf(stderr, "stochastic_step: a hand-written step differs by %g from the library's\n", apart);
      return 1;
    }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
