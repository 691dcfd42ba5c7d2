// SPDX-License-Identifier: MIT
//
// The exact flow, as accurate as the number type, by Taylor series in time whose coefficients come from Picard
// iteration in truncated power series. It shares nothing with the integrators but the force, so it is the reference
// against which their order is measured.
#pragma once

#include <livi/linalg/vector.hpp>
#include <livi/scalar/power_series.hpp>

namespace livi {

/// The number of terms of the Taylor series in time: with steps well inside the radius of convergence, enough for 50
/// digits.
inline constexpr int taylor_terms = 40;
template <class S>
using TaylorSeries = PowerSeries<S, taylor_terms>;

/// Advances (q, v), n entries each, by `time` in `steps` equal Taylor steps; acceleration(q, v) acts on vectors of
/// TaylorSeries<S>. Each pass of q'' = a gains two orders. The error is that of the last coefficients times
/// (time/steps)^taylor_terms; halving the step shows it.
template <class S, class Acceleration>
void taylor_flow(Vector<S, Dynamic>& q, Vector<S, Dynamic>& v, const S& time, int steps,
                 const Acceleration& acceleration) {
  using T = TaylorSeries<S>;
  const S h = time / S(steps);
  for (int k = 0; k < steps; ++k) {
    Vector<T, Dynamic> series_q(q.size()), series_v(q.size());
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      series_q(i) = T(q(i));
      series_v(i) = T(v(i));
    }
    for (int pass = 0; pass < taylor_terms; ++pass) {
      const Vector<T, Dynamic> a = acceleration(series_q, series_v);
      bool changed = false;
      for (Eigen::Index i = 0; i < q.size(); ++i) {
        const T next_v = T(v(i)) + a(i).integral(), next_q = T(q(i)) + next_v.integral();
        // Sizes are compared because != compares dual numbers by value alone.
        changed = changed || magnitude(T(next_v - series_v(i))) != RealOf<S>(0) ||
                  magnitude(T(next_q - series_q(i))) != RealOf<S>(0);
        series_v(i) = next_v;
        series_q(i) = next_q;
      }
      if (!changed) break;
    }
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      q(i) = series_q(i).evaluate(h);
      v(i) = series_v(i).evaluate(h);
    }
  }
}

}  // namespace livi
