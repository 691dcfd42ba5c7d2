// SPDX-License-Identifier: MIT
//
// Time of one step on the double pendulum (n = 4, double) beside hand-written fixed-size kernels, its parts, and its
// allocations.
//
//   double_pendulum_step --benchmark_format=json
//
// Read ratios within one run: machines are noisy. The hand-written kernels know that the Hessian is made of 2 x 2
// blocks and that the masses are one; the library's step knows neither.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <livi/integrators/newmark.hpp>
#include <livi/integrators/shake.hpp>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/systems/double_pendulum.hpp>
#include <new>

namespace {
std::atomic<long> allocations{0};
}

// Every allocation of the program is counted.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

using namespace livi;
using V = Vector<double, 4>;

constexpr double omega = 20, beta = 0.4, h = 0.1;

/// Z&S on the penalised double pendulum, written out: block elimination of the 2 x 2 blocks, everything in registers.
struct HandWrittenZhangSkeel {
  double q[4] = {0, -1, 1, -2}, v[4] = {0, 0, 0, 0}, f[4] = {0, 0, 0, 0};

  HandWrittenZhangSkeel() { force(); }
  void force() {
    constexpr double w2 = omega * omega, c = beta * h * h;
    const double rx = q[0], ry = q[1], dx = q[2] - q[0], dy = q[3] - q[1];
    const double s1 = w2 * (rx * rx + ry * ry - 1), s2 = w2 * (dx * dx + dy * dy - 2);
    // Gradients and Hessian blocks of both links: 2 s d, 2 s I + 4 w2 d d^T.
    const double g1x = 2 * s1 * rx, g1y = 2 * s1 * ry, g2x = 2 * s2 * dx, g2y = 2 * s2 * dy;
    const double a11 = 2 * s1 + 4 * w2 * rx * rx, a21 = 4 * w2 * rx * ry, a22 = 2 * s1 + 4 * w2 * ry * ry;
    const double b11 = 2 * s2 + 4 * w2 * dx * dx, b21 = 4 * w2 * dx * dy, b22 = 2 * s2 + 4 * w2 * dy * dy;
    // [I + c (A + B), -c B; -c B, I + c B] (a1; a2) = -(g1 - g2 + e_y; g2 + e_y).
    const double d11 = 1 + c * b11, d21 = c * b21, d22 = 1 + c * b22;
    const double det = 1 / (d11 * d22 - d21 * d21);
    const double i11 = d22 * det, i21 = -d21 * det, i22 = d11 * det;
    const double e11 = c * b11, e21 = c * b21, e22 = c * b22;
    // Schur complement I + c (A + B) - E D^-1 E, E = c B.
    const double p11 = e11 * i11 + e21 * i21, p12 = e11 * i21 + e21 * i22, p21 = e21 * i11 + e22 * i21,
                 p22 = e21 * i21 + e22 * i22;
    const double m11 = 1 + c * (a11 + b11) - (p11 * e11 + p12 * e21), m21 = c * (a21 + b21) - (p21 * e11 + p22 * e21),
                 m22 = 1 + c * (a22 + b22) - (p21 * e21 + p22 * e22);
    const double r2x = -g2x, r2y = -(g2y + 1);
    const double r1x = -(g1x - g2x) + p11 * r2x + p12 * r2y, r1y = -(g1y - g2y + 1) + p21 * r2x + p22 * r2y;
    const double dm = 1 / (m11 * m22 - m21 * m21);
    const double a1x = (m22 * r1x - m21 * r1y) * dm, a1y = (m11 * r1y - m21 * r1x) * dm;
    const double t2x = r2x + e11 * a1x + e21 * a1y, t2y = r2y + e21 * a1x + e22 * a1y;
    const double a2x = i11 * t2x + i21 * t2y, a2y = i21 * t2x + i22 * t2y;
    // a . V''' . a of both links: 4 w2 |a|^2 d + 8 w2 (d.a) a.
    const double ux = a2x - a1x, uy = a2y - a1y;
    const double n1 = 4 * w2 * (a1x * a1x + a1y * a1y), k1 = 8 * w2 * (rx * a1x + ry * a1y);
    const double n2 = 4 * w2 * (ux * ux + uy * uy), k2 = 8 * w2 * (dx * ux + dy * uy);
    const double t1 = n1 * rx + k1 * a1x, t1y = n1 * ry + k1 * a1y, t2 = n2 * dx + k2 * ux, t3 = n2 * dy + k2 * uy;
    constexpr double half_c2 = c * c / 2;
    f[0] = a1x - half_c2 * (t1 - t2);
    f[1] = a1y - half_c2 * (t1y - t3);
    f[2] = a2x - half_c2 * t2;
    f[3] = a2y - half_c2 * t3;
  }
  void step() {
    for (int i = 0; i < 4; ++i) {
      v[i] += h / 2 * f[i];
      q[i] += h * v[i];
    }
    force();
    for (int i = 0; i < 4; ++i) v[i] += h / 2 * f[i];
  }
};

/// SHAKE written out for the two links, Newton on two multipliers to the same tolerance.
struct HandWrittenShake {
  double q[4] = {0, -1, 1, -2}, w[4] = {0, 0, 0, 0}, lambda[2] = {0, 0};
  void step() {
    const double rx = q[0], ry = q[1], dx = q[2] - q[0], dy = q[3] - q[1];
    double half[4] = {w[0], w[1] - h / 2, w[2], w[3] - h / 2}, r[4];
    for (int i = 0; i < 4; ++i) r[i] = q[i] + h * half[i];
    double m1 = h * h * lambda[0], m2 = h * h * lambda[1];
    double x1, y1, x2, y2;
    for (int k = 0; k < 50; ++k) {
      x1 = r[0] + 2 * (m1 * rx - m2 * dx);
      y1 = r[1] + 2 * (m1 * ry - m2 * dy);
      x2 = r[2] + 2 * m2 * dx;
      y2 = r[3] + 2 * m2 * dy;
      const double ex = x2 - x1, ey = y2 - y1;
      const double g1 = x1 * x1 + y1 * y1 - 1, g2 = ex * ex + ey * ey - 2;
      const double j11 = 4 * (x1 * rx + y1 * ry), j12 = -4 * (x1 * dx + y1 * dy), j21 = -4 * (ex * rx + ey * ry),
                   j22 = 8 * (ex * dx + ey * dy);
      const double det = 1 / (j11 * j22 - j12 * j21), u1 = (j22 * g1 - j12 * g2) * det,
                   u2 = (j11 * g2 - j21 * g1) * det;
      m1 -= u1;
      m2 -= u2;
      if (std::abs(u1) + std::abs(u2) < 32 * 2.2e-16) break;
    }
    x1 = r[0] + 2 * (m1 * rx - m2 * dx);
    y1 = r[1] + 2 * (m1 * ry - m2 * dy);
    x2 = r[2] + 2 * m2 * dx;
    y2 = r[3] + 2 * m2 * dy;
    lambda[0] = m1 / (h * h);
    lambda[1] = m2 / (h * h);
    w[0] = (x1 - q[0]) / h;
    w[1] = (y1 - q[1]) / h - h / 2;
    w[2] = (x2 - q[2]) / h;
    w[3] = (y2 - q[3]) / h - h / 2;
    q[0] = x1, q[1] = y1, q[2] = x2, q[3] = y2;
  }
};

template <class Hand>
void hand_written(benchmark::State& state) {
  Hand hand;
  for (auto _ : state) {
    hand.step();
    benchmark::DoNotOptimize(hand);
  }
}

template <class Method>
void library_step(benchmark::State& state, Method method) {
  auto z = method.start(double_pendulum_start<double>(), V::Zero());
  bool ok = method.step(z, h).ok();
  const long before = allocations;
  for (auto _ : state) {
    ok = method.step(z, h).ok() && ok;
    benchmark::DoNotOptimize(z);
  }
  if (!ok) state.SkipWithError("a step failed");
  state.counters["allocations_per_step"] =
      benchmark::Counter(static_cast<double>(allocations - before) / static_cast<double>(state.iterations()));
}

const auto constrained = double_pendulum<double>();
const auto system_ = penalised(constrained, omega);
using Potential_ = std::remove_cvref_t<decltype(system_)>::potential_type;

/// The parts of a Z&S step, each on its own.
void part_gradient_and_hessian(benchmark::State& state) {
  V q(0.1, -0.98, 1.0, -2.05), g = V::Zero();
  Potential_::hessian_type hessian(4);
  for (auto _ : state) {
    benchmark::DoNotOptimize(q);
    gradient_and_hessian(system_.potential(), q, g, hessian);
    benchmark::DoNotOptimize(g);
    benchmark::DoNotOptimize(hessian);
  }
}
void part_gradient(benchmark::State& state) {
  V q(0.1, -0.98, 1.0, -2.05), g = V::Zero();
  for (auto _ : state) {
    benchmark::DoNotOptimize(q);
    system_.potential().gradient(q, g);
    benchmark::DoNotOptimize(g);
  }
}
void part_third(benchmark::State& state) {
  V q(0.1, -0.98, 1.0, -2.05), a(0.3, -0.2, 0.1, 0.5), out = V::Zero();
  for (auto _ : state) {
    benchmark::DoNotOptimize(q);
    system_.potential().third(q, a, out);
    benchmark::DoNotOptimize(out);
  }
}
void part_solve(benchmark::State& state) {
  V q(0.1, -0.98, 1.0, -2.05), b(0.3, -0.2, 0.1, 0.5);
  Potential_::hessian_type hessian(4);
  system_.potential().hessian(q, hessian);
  ShiftedSolver<Potential_::hessian_type> solver;
  for (auto _ : state) {
    benchmark::DoNotOptimize(hessian);
    benchmark::DoNotOptimize(solver.factor(system_.mass(), beta * h * h, hessian).singular);
    V x = b;
    solver.solve_in_place(x);
    benchmark::DoNotOptimize(x);
  }
}

BENCHMARK(hand_written<HandWrittenZhangSkeel>)->Name("hand_written/ZhangSkeel");
BENCHMARK_CAPTURE(library_step, ZhangSkeel, ZhangSkeel(system_, {beta}))->Name("livi/ZhangSkeel");
BENCHMARK_CAPTURE(library_step, SimplifiedZhangSkeel, SimplifiedZhangSkeel(system_, {beta}))
    ->Name("livi/SimplifiedZhangSkeel");
BENCHMARK_CAPTURE(library_step, VelocityVerlet, VelocityVerlet(system_))->Name("livi/VelocityVerlet");
BENCHMARK_CAPTURE(library_step, Newmark, Newmark(system_, {.beta = beta}))->Name("livi/Newmark");
BENCHMARK(hand_written<HandWrittenShake>)->Name("hand_written/Shake");
BENCHMARK_CAPTURE(library_step, Shake, Shake(constrained))->Name("livi/Shake");
BENCHMARK(part_gradient)->Name("part/gradient");
BENCHMARK(part_gradient_and_hessian)->Name("part/gradient_and_hessian");
BENCHMARK(part_third)->Name("part/third");
BENCHMARK(part_solve)->Name("part/factor_and_solve");

}  // namespace

BENCHMARK_MAIN();
