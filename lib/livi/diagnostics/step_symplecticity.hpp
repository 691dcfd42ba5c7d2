// SPDX-License-Identifier: MIT
//
// The symplecticity defect of one step in a number type of choice. It shows how far from symplectic a method is as it
// runs, with its rounding; measures.hpp examines the method itself in 50 digits.
#pragma once

#include <livi/integrators/integrator.hpp>
#include <livi/scalar/dual.hpp>

namespace livi {

/// The position in which a step is expected to be canonical: its own, or the one its canonical_position() gives.
enum class CanonicalCoordinates { own, mapped };

/// Returns the largest entry of J^T Omega J - Omega for one step of size h from (q, v), with J from dual numbers over
/// S, in (q, p = M v). `system` is over Dual<S>; `make(system)` returns the method. Infinite if the step fails.
template <class System, class Make, class S = RealOf<ScalarOf<System>>, int N = System::dimension>
S step_symplecticity(const System& system, const Make& make, const Vector<S, N>& q, const Vector<S, N>& v, const S& h,
                     CanonicalCoordinates coordinates) {
  using D = ScalarOf<System>;
  using W = VectorOf<System>;
  const Eigen::Index n = q.size();
  Matrix<S, Dynamic> before(2 * n, 2 * n), after(2 * n, 2 * n);
  for (Eigen::Index j = 0; j < 2 * n; ++j) {
    W dq = zeros<W>(n), dv = zeros<W>(n), dp = zeros<W>(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      dq(i) = D(q(i), S(j == i ? 1 : 0));
      dv(i) = D(v(i));
    }
    dp = system.momentum(dv);
    if (j >= n) dp(j - n).derivative = S(1);
    dv = system.velocity(dp);
    auto method = make(system);
    const auto canonical = [&](const W& position) {
      W x = position;
      if constexpr (requires { method.canonical_position(position, D(h), x); })
        if (coordinates == CanonicalCoordinates::mapped) method.canonical_position(position, D(h), x);
      return x;
    };
    auto z = method.start(dq, dv);
    if (!method.step(z, D(h)).ok()) return std::numeric_limits<S>::infinity();
    const W start = canonical(dq), end = canonical(z.q), momentum = system.momentum(z.v);
    for (Eigen::Index i = 0; i < n; ++i) {
      before(i, j) = start(i).derivative;
      before(n + i, j) = dp(i).derivative;
      after(i, j) = end(i).derivative;
      after(n + i, j) = momentum(i).derivative;
    }
  }
  S largest(0);
  for (Eigen::Index a = 0; a < 2 * n; ++a)
    for (Eigen::Index b = a + 1; b < 2 * n; ++b) {
      S sum(0);
      for (Eigen::Index i = 0; i < n; ++i)
        sum += after(i, a) * after(n + i, b) - after(n + i, a) * after(i, b) -
               (before(i, a) * before(n + i, b) - before(n + i, a) * before(i, b));
      using std::abs;
      largest = larger(largest, S(abs(sum)));
    }
  return largest;
}

}  // namespace livi
