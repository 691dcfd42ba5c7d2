// SPDX-License-Identifier: MIT
//
// Long chains to measure the cost of a step on: one table of systems, shared by the experiment and the benchmark of
// this name, with a kernel written by hand for the chain of pendula and the bandwidth of the memory beside them.
#pragma once

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <functional>
#include <livi/integrators/simplified_zhang_skeel.hpp>
#include <livi/integrators/velocity_verlet.hpp>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/systems/planar_chain.hpp>
#include <livi/systems/vectorised_morse_pairing.hpp>
#include <memory>
#include <string>
#include <vector>

#include "study/cost/counted_arithmetic.hpp"

namespace livi {

/// n pendula with lengths and masses 1, penalised with omega = 20, at rest in a zigzag. Gravity 1/(1000 n): the first
/// link carries the weight of all, which must not tear it at any n; then the motion is small, and every step of a
/// measurement is like the first.
struct LongChain {
  static constexpr double omega = 20, beta = 0.4, h = 0.05;

  template <class S>
  static auto system(Eigen::Index n) {
    using Constraint = PlanarChainConstraint<S, Dynamic, BlockTridiagonalHessian<S, 2>>;
    const ConstrainedSystem<ScalarMass<S, Dynamic>, GravityPotential<S, Dynamic>, Constraint> chain{
        ScalarMass<S, Dynamic>(S(1), 2 * n),
        {S(1e-3 / static_cast<double>(n))},
        Constraint{Vector<S, Dynamic>::Constant(n, S(1))}};
    return penalised(chain, S(omega));
  }
  template <class S>
  static Vector<S, Dynamic> start(Eigen::Index n) {
    Vector<S, Dynamic> q(2 * n);
    for (Eigen::Index k = 0; k < n; ++k) {
      q(2 * k) = S(0.6 * static_cast<double>(k + 1));
      q(2 * k + 1) = S(k % 2 == 0 ? -0.8 : 0.0);
    }
    return q;
  }
};

/// Z&S on LongChain, written out for it: one number type, one mass, from one end to the other; no failure is looked
/// for.
class HandWrittenChain {
 public:
  explicit HandWrittenChain(Eigen::Index n)
      : gravity_(1e-3 / static_cast<double>(n)), q_(2 * n), v_(2 * n), f_(2 * n), multipliers_(4 * n) {
    q_ = LongChain::start<double>(n);
    v_.setZero();
    f_.setZero();
    sweep<false>();
  }
  void step() { sweep<true>(); }
  [[nodiscard]] const Vector<double, Dynamic>& q() const { return q_; }

 private:
  static constexpr double h = LongChain::h, stiffness = LongChain::omega * LongChain::omega,
                          c = LongChain::beta * h * h;

  /// Kick and drift (`Moves`), link by link inwards, then outwards, and the second kick.
  template <bool Moves>
  void sweep() {
    double *const q = q_.data(), *const v = v_.data(), *const f = f_.data(), *l = multipliers_.data();
    const Eigen::Index n = q_.size() / 2;
    const auto move = [&](Eigen::Index k) {
      if constexpr (Moves)
        for (Eigen::Index i = 2 * k; i < 2 * k + 2; ++i) {
          v[i] += h / 2 * f[i];
          q[i] += h * v[i];
        }
    };
    // Pivot and right-hand side of the row before, without the link that is next.
    double a00 = 0, a10 = 0, a11 = 0, r0 = 0, r1 = 0, x = 0, y = 0;
    for (Eigen::Index k = 0; k < n; ++k) {
      move(k);
      const double dx = q[2 * k] - x, dy = q[2 * k + 1] - y;
      x = q[2 * k];
      y = q[2 * k + 1];
      const double s = 2 * stiffness * (dx * dx + dy * dy - 1), gx = s * dx, gy = s * dy;
      const double px = 4 * stiffness * dx, py = 4 * stiffness * dy;
      const double e00 = c * (s + px * dx), e10 = c * (py * dx), e11 = c * (s + py * dy);
      if (k == 0) {
        a00 = 1 + e00, a10 = e10, a11 = 1 + e11;
        r0 = -gx, r1 = -gy - gravity_;
        continue;
      }
      const double d00 = a00 + e00, d10 = a10 + e10, d11 = a11 + e11, s0 = r0 + gx, s1 = r1 + gy;
      const double reciprocal = 1 / (d00 * d11 - d10 * d10);
      const double i00 = d11 * reciprocal, i10 = -d10 * reciprocal, i11 = d00 * reciprocal;
      // L = -E D^-1.
      const double l00 = e00 * i00 + e10 * i10, l01 = e00 * i10 + e10 * i11, l10 = e10 * i00 + e11 * i10,
                   l11 = e10 * i10 + e11 * i11;
      double* const row = l + 4 * (k - 1);
      row[0] = l00, row[1] = l01, row[2] = l10, row[3] = l11;
      f[2 * k - 2] = i00 * s0 + i10 * s1;
      f[2 * k - 1] = i10 * s0 + i11 * s1;
      a00 = 1 + e00 - (l00 * e00 + l01 * e10);
      a10 = e10 - (l10 * e00 + l11 * e10);
      a11 = 1 + e11 - (l10 * e10 + l11 * e11);
      r0 = -gx + (l00 * s0 + l01 * s1);
      r1 = -gy - gravity_ + (l10 * s0 + l11 * s1);
    }
    const double reciprocal = 1 / (a00 * a11 - a10 * a10);
    double ax = (a11 * r0 - a10 * r1) * reciprocal, ay = (a00 * r1 - a10 * r0) * reciprocal, tx = 0, ty = 0;
    for (Eigen::Index k = n - 1; k >= 0; --k) {
      double bx = 0, by = 0, dx = q[2 * k], dy = q[2 * k + 1];
      if (k > 0) {
        const double* const row = l + 4 * (k - 1);
        bx = f[2 * k - 2] + row[0] * ax + row[2] * ay;
        by = f[2 * k - 1] + row[1] * ax + row[3] * ay;
        dx -= q[2 * k - 2];
        dy -= q[2 * k - 1];
      }
      const double ux = ax - bx, uy = ay - by;
      const double along_d = 4 * stiffness * (ux * ux + uy * uy), along_u = 8 * stiffness * (dx * ux + dy * uy);
      const double wx = along_d * dx + along_u * ux, wy = along_d * dy + along_u * uy;
      f[2 * k] = ax - c * c / 2 * (wx - tx);
      f[2 * k + 1] = ay - c * c / 2 * (wy - ty);
      if constexpr (Moves)
        for (Eigen::Index i = 2 * k; i < 2 * k + 2; ++i) v[i] += h / 2 * f[i];
      tx = wx, ty = wy, ax = bx, ay = by;
    }
  }

  double gravity_;
  Vector<double, Dynamic> q_, v_, f_, multipliers_;
};

/// A system and a method at rows = n, ready to step; `step` returns whether it went well.
struct LargeRun {
  std::function<bool()> step;
};

/// A row of the table.
struct LargeSystem {
  std::string name;
  int unknowns_per_row;
  /// That a step reads and writes in arrays, each pass over an array counted, as STREAM counts: without the lines that
  /// a write first fetches. What remains of them when all arrays fit in the cache is no traffic of the memory.
  double bytes_per_unknown_and_step;
  std::function<LargeRun(Eigen::Index rows)> make;
  /// Counted arithmetic of a step; empty for what is not a template over its number.
  std::function<Operations(Eigen::Index rows)> operations = {};
};

/// A method on a system, with its state, in one object that lives as long as its steps.
template <class System, class Method, class Make>
LargeRun large_run(System system, const Make& make_method, const typename System::vector_type& q, double h) {
  struct Held {
    System system;
    Method method;
    typename Method::state_type state;
    Held(System s, const Make& make, const typename System::vector_type& start)
        : system(std::move(s)),
          method(make(system)),
          state(method.start(start, System::vector_type::Zero(start.size()))) {}
  };
  const auto held = std::make_shared<Held>(std::move(system), make_method, q);
  return {[held, h] { return held->method.step(held->state, h).ok(); }};
}

template <template <class> class Method>
LargeRun long_chain_run(Eigen::Index n) {
  const auto system = LongChain::system<double>(n);
  using System = std::remove_cv_t<decltype(system)>;
  return large_run<System, Method<System>>(
      system, [](const System& s) { return Method<System>(s, {LongChain::beta}); }, LongChain::start<double>(n),
      LongChain::h);
}

template <template <class> class Method>
Operations long_chain_operations(Eigen::Index n) {
  const auto system = LongChain::system<Counted>(n);
  Method<std::remove_cv_t<decltype(system)>> method(system, {Counted(LongChain::beta)});
  auto z = method.start(LongChain::start<Counted>(n), Vector<Counted, Dynamic>::Constant(2 * n, Counted(0)));
  const Counted h(LongChain::h);
  static_cast<void>(method.step(z, h));
  return count_operations([&] { static_cast<void>(method.step(z, h)); });
}

/// The DNA model of TO14 4.4 with n base pairs on a ring, all at one angle near rest: they stay there, and every step
/// of a measurement is like the first.
struct LongDna {
  static constexpr double beta = 0.3, zhang_skeel_h = 2, verlet_h = 0.2;

  template <class S>
  static Vector<S, Dynamic> start(Eigen::Index n) {
    return Vector<S, Dynamic>::Constant(n, S(0.8));
  }
};

template <class Method, class... Options>
LargeRun long_dna_run(Eigen::Index n, double h, Options... options) {
  LargeRun run = large_run<VectorisedDnaChain, Method>(
      vectorised_dna_chain(n), [=](const VectorisedDnaChain& s) { return Method(s, {options}...); },
      LongDna::start<double>(n), h);
  static_cast<void>(run.step());  // the first takes the memory that the others need
  return run;
}

/// With the pairing base by base, sin, cos and exp counted as one operation each.
template <class System, template <class> class Method>
Operations long_dna_operations(const System& system, Eigen::Index n) {
  Method<System> method(system, {Counted(LongDna::beta)});
  auto z = method.start(LongDna::start<Counted>(n), Vector<Counted, Dynamic>::Constant(n, Counted(0)));
  const Counted h(LongDna::zhang_skeel_h);
  static_cast<void>(method.step(z, h));
  return count_operations([&] { static_cast<void>(method.step(z, h)); });
}

/// All systems whose cost against n is measured. A pendulum's row of Z&S: inwards q, v, f, one length and, written, q,
/// v, f and four numbers of the multiplier; outwards q, v, f, a length and the multiplier and, written, f and v.
inline std::vector<LargeSystem> large_systems() {
  return {{"chain.zhang_skeel", 2, 8 * (6 + 1 + 6 + 4 + 6 + 1 + 4 + 4) / 2.0, long_chain_run<ZhangSkeel>,
           long_chain_operations<ZhangSkeel>},
          {"chain.simplified_zhang_skeel", 2, 8 * (6 + 1 + 6 + 4 + 2 + 2 + 4 + 4) / 2.0,
           long_chain_run<SimplifiedZhangSkeel>, long_chain_operations<SimplifiedZhangSkeel>},
          {"chain.hand_written", 2, 8 * (6 + 6 + 4 + 6 + 4 + 4) / 2.0,
           [](Eigen::Index n) {
             const auto hand = std::make_shared<HandWrittenChain>(n);
             return LargeRun{[hand] { return hand->step(), true; }};
           }},
          // Inwards q, v, f and, written, those, the third derivative and the reciprocal pivot; outwards f, v, the
          // third derivative and the reciprocal and, written, f and v.
          {"dna.zhang_skeel", 1, 8 * (3 + 5 + 4 + 2),
           [](Eigen::Index n) {
             return long_dna_run<ZhangSkeel<VectorisedDnaChain>>(n, LongDna::zhang_skeel_h, LongDna::beta);
           },
           [](Eigen::Index n) { return long_dna_operations<DnaChain<Counted>, ZhangSkeel>(dna_chain<Counted>(n), n); }},
          {"dna.simplified_zhang_skeel", 1, 8 * (3 + 4 + 3 + 2),
           [](Eigen::Index n) {
             return long_dna_run<SimplifiedZhangSkeel<VectorisedDnaChain>>(n, LongDna::zhang_skeel_h, LongDna::beta);
           },
           [](Eigen::Index n) {
             return long_dna_operations<DnaChain<Counted>, SimplifiedZhangSkeel>(dna_chain<Counted>(n), n);
           }},
          // v, f to v; q, v to q; q to f; f to its negative; f to f over m; v, f to v.
          {"dna.velocity_verlet", 1, 8 * (3 + 3 + 2 + 2 + 2 + 3),
           [](Eigen::Index n) { return long_dna_run<VelocityVerlet<VectorisedDnaChain>>(n, LongDna::verlet_h); }}};
}

/// Bytes that the program holds on its heap.
inline double heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks + heap.hblkhd);
}

/// Seconds that the processor has spent on this thread: what others do on a shared machine does not count.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The triad of STREAM, a = b + s c, on arrays of 128 MB each.
class StreamTriad {
 public:
  StreamTriad() : a_(length, 0.0), b_(length, 1.0), c_(length, 2.0) {}
  /// One pass: bytes a second, counting 24 an element.
  double pass() {
    const double begin = thread_seconds();
    double *const a = a_.data(), *const b = b_.data(), *const c = c_.data();
    for (std::size_t i = 0; i < length; ++i) a[i] = b[i] + 3.0 * c[i];
    const double seconds = thread_seconds() - begin;
    std::swap(a_, b_);  // or a compiler would see that nothing new is written
    return 24.0 * static_cast<double>(length) / seconds;
  }

 private:
  static constexpr std::size_t length = std::size_t(1) << 24;
  std::vector<double> a_, b_, c_;
};

}  // namespace livi
