// SPDX-License-Identifier: MIT
//
// The symplecticity of methods with adaptive steps. They change the time by an amount that depends on the state, so that
// the form they can preserve lives in the phase space extended by the time and its momentum -E0: dq ^ dp - dt ^ dE0
// with p = M v. At fixed E0 it is dq ^ dp.
#pragma once

#include <livi/adaptive/adaptive_step.hpp>
#include <livi/scalar/dual.hpp>

namespace livi {

/// Returns the largest entry of J' Omega J - Omega for one step of size h in (q, t; p, -E0), with J from dual numbers
/// over S. `system` is over Dual<S>; `make(system)` returns the method, whose state has the fields `t` and `energy`.
/// E0 is independent of q and v: -E0 is the momentum of t, not the energy at (q, v). `prepare(state)` sets what else a state
/// needs. Infinite if the step fails.
template <class System, class Make, class Prepare, class S = RealOf<ScalarOf<System>>, int N = System::dimension>
S extended_symplecticity(const System& system, const Make& make, const Prepare& prepare, const Vector<S, N>& q,
                         const Vector<S, N>& v, const S& energy, const S& h) {
  using D = ScalarOf<System>;
  using W = VectorOf<System>;
  const Eigen::Index n = q.size(), m = n + 1;
  Matrix<S, Dynamic> after(2 * m, 2 * m);
  for (Eigen::Index j = 0; j < 2 * m; ++j) {
    W dq = zeros<W>(n), dv = zeros<W>(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      dq(i) = D(q(i), S(j == i ? 1 : 0));
      dv(i) = D(v(i));
    }
    W dp = system.momentum(dv);
    for (Eigen::Index i = 0; i < n; ++i) dp(i).derivative = S(j == m + i ? 1 : 0);
    dv = system.velocity(dp);
    auto method = make(system);
    auto z = method.start(dq, dv);
    z.t = D(S(0), S(j == n ? 1 : 0));
    z.energy = D(energy, S(j == 2 * m - 1 ? -1 : 0));
    prepare(z);
    if (!method.step(z, D(h)).ok()) return std::numeric_limits<S>::infinity();
    const W momentum = system.momentum(z.v);
    for (Eigen::Index i = 0; i < n; ++i) {
      after(i, j) = z.q(i).derivative;
      after(m + i, j) = momentum(i).derivative;
    }
    after(n, j) = z.t.derivative;
    after(2 * m - 1, j) = -z.energy.derivative;
  }
  S largest(0);
  for (Eigen::Index a = 0; a < 2 * m; ++a)
    for (Eigen::Index b = a + 1; b < 2 * m; ++b) {
      S sum(b == a + m ? -1 : 0);
      for (Eigen::Index i = 0; i < m; ++i) sum += after(i, a) * after(m + i, b) - after(m + i, a) * after(i, b);
      largest = larger(largest, magnitude(sum));
    }
  return largest;
}

}  // namespace livi
