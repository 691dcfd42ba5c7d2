// SPDX-License-Identifier: MIT
//
// Numbers of every type for tests, and when two of them count as equal.
#pragma once

#include <livi/scalar/dual.hpp>
#include <livi/scalar/power_series.hpp>

namespace livi::test {

/// A number with every component different from zero and from all others, of size between 1/16 and 3.
template <class S>
struct Sample {
  static S make(int k) {
    const int numerator = 1 + (5 * k) % 11;
    return ratio<S>(k % 3 == 1 ? -numerator : numerator, 4 + (3 * k) % 13);
  }
};
template <class S>
struct Sample<Dual<S>> {
  static Dual<S> make(int k) { return {Sample<S>::make(k), Sample<S>::make(7 * k + 5)}; }
};
template <class S, int N>
struct Sample<PowerSeries<S, N>> {
  static PowerSeries<S, N> make(int k) {
    PowerSeries<S, N> series;
    for (int j = 0; j <= N; ++j) series[j] = Sample<S>::make(k + 3 * j);
    return series;
  }
};

/// Equal in every component: exactly, or to within `roundings` of epsilon.
template <class S>
[[nodiscard]] bool same(const S& a, const S& b, int roundings) {
  return magnitude(S(a - b)) <= RealOf<S>(roundings) * ScalarTraits<S>::epsilon() * (RealOf<S>(1) + magnitude(a));
}

}  // namespace livi::test
