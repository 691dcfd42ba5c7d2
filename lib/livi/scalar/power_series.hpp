// SPDX-License-Identifier: MIT
//
// Power series c_0 + c_1 t + ... + c_N t^N truncated after order N.
//
// A step evaluated at h = t is its own expansion in h, so an order condition becomes a comparison of coefficients.
// Picard iteration with a series in time gives the Taylor expansion of the exact flow, which is a reference solution of
// any accuracy (diagnostics/taylor_flow.hpp). Cost: O(N^2) per multiplication or function.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <tuple>

#include <livi/scalar/scalar.hpp>

namespace livi {

template <class S, int N>
struct PowerSeries {
  static_assert(N >= 1);
  std::array<S, N + 1> coefficient;

  PowerSeries() { coefficient.fill(S(0)); }
  PowerSeries(int constant) : PowerSeries() { coefficient[0] = S(constant); }    // NOLINT(google-explicit-constructor)
  PowerSeries(const S& constant) : PowerSeries() { coefficient[0] = constant; }  // NOLINT(google-explicit-constructor)
  PowerSeries(double constant) requires(!std::same_as<S, double>)                // NOLINT(google-explicit-constructor)
      : PowerSeries(S(constant)) {}

  /// Returns the series t, the variable itself.
  static PowerSeries variable() {
    PowerSeries t;
    t.coefficient[1] = S(1);
    return t;
  }

  S& operator[](int k) { return coefficient[static_cast<std::size_t>(k)]; }
  const S& operator[](int k) const { return coefficient[static_cast<std::size_t>(k)]; }

  /// Returns the value of the polynomial at t, by Horner's scheme.
  [[nodiscard]] S evaluate(const S& t) const {
    S sum = (*this)[N];
    for (int k = N - 1; k >= 0; --k) sum = sum * t + (*this)[k];
    return sum;
  }
  /// Returns the antiderivative that vanishes at t = 0, truncated after order N.
  [[nodiscard]] PowerSeries integral() const {
    PowerSeries result;
    for (int k = 0; k < N; ++k) result[k + 1] = (*this)[k] / S(k + 1);
    return result;
  }

  PowerSeries& operator+=(const PowerSeries& b) {
    for (int k = 0; k <= N; ++k) (*this)[k] += b[k];
    return *this;
  }
  PowerSeries& operator-=(const PowerSeries& b) {
    for (int k = 0; k <= N; ++k) (*this)[k] -= b[k];
    return *this;
  }
  PowerSeries& operator*=(const PowerSeries& b) { return *this = *this * b; }
  PowerSeries& operator/=(const PowerSeries& b) { return *this = *this / b; }
  friend PowerSeries operator+(PowerSeries a, const PowerSeries& b) { return a += b; }
  friend PowerSeries operator-(PowerSeries a, const PowerSeries& b) { return a -= b; }
  friend PowerSeries operator-(const PowerSeries& a) {
    PowerSeries result;
    for (int k = 0; k <= N; ++k) result[k] = -a[k];
    return result;
  }
  friend PowerSeries operator*(const PowerSeries& a, const PowerSeries& b) { return product(a, b); }
  friend PowerSeries operator/(const PowerSeries& a, const PowerSeries& b) { return quotient(a, b); }
  static PowerSeries product(const PowerSeries& a, const PowerSeries& b);
  static PowerSeries quotient(const PowerSeries& a, const PowerSeries& b);
  friend bool operator==(const PowerSeries& a, const PowerSeries& b) { return a.coefficient == b.coefficient; }
  friend bool operator!=(const PowerSeries& a, const PowerSeries& b) { return !(a == b); }
  // Series are ordered by their values at t = 0: these decide which branch a program takes for small t.
  friend bool operator<(const PowerSeries& a, const PowerSeries& b) { return a[0] < b[0]; }
  friend bool operator>(const PowerSeries& a, const PowerSeries& b) { return b < a; }
  friend bool operator<=(const PowerSeries& a, const PowerSeries& b) { return !(b < a); }
  friend bool operator>=(const PowerSeries& a, const PowerSeries& b) { return !(a < b); }
  friend PowerSeries abs(const PowerSeries& a) { return a[0] < S(0) ? -a : a; }

  friend PowerSeries sqrt(const PowerSeries& a) {
    using std::sqrt;
    PowerSeries root;
    root[0] = sqrt(a[0]);
    for (int k = 1; k <= N; ++k) {
      S sum = a[k];
      for (int j = 1; j < k; ++j) sum -= root[j] * root[k - j];
      root[k] = sum / (S(2) * root[0]);
    }
    return root;
  }
  friend PowerSeries exp(const PowerSeries& a) {
    using std::exp;
    PowerSeries e;
    e[0] = exp(a[0]);
    for (int k = 1; k <= N; ++k) {  // e' = a' e
      S sum(0);
      for (int j = 1; j <= k; ++j) sum += S(j) * a[j] * e[k - j];
      e[k] = sum / S(k);
    }
    return e;
  }
  friend PowerSeries log(const PowerSeries& a) {
    using std::log;
    PowerSeries l;
    l[0] = log(a[0]);
    for (int k = 1; k <= N; ++k) {  // a l' = a'
      S sum = S(k) * a[k];
      for (int j = 1; j < k; ++j) sum -= S(j) * l[j] * a[k - j];
      l[k] = sum / (S(k) * a[0]);
    }
    return l;
  }
  friend void sin_cos(const PowerSeries& a, PowerSeries& s, PowerSeries& c) {
    using std::cos, std::sin;
    s = PowerSeries();
    c = PowerSeries();
    s[0] = sin(a[0]);
    c[0] = cos(a[0]);
    for (int k = 1; k <= N; ++k) {  // s' = a' c, c' = -a' s
      S s_sum(0), c_sum(0);
      for (int j = 1; j <= k; ++j) {
        s_sum += S(j) * a[j] * c[k - j];
        c_sum -= S(j) * a[j] * s[k - j];
      }
      s[k] = s_sum / S(k);
      c[k] = c_sum / S(k);
    }
  }
  friend PowerSeries sin(const PowerSeries& a) {
    PowerSeries s, c;
    sin_cos(a, s, c);
    return s;
  }
  friend PowerSeries cos(const PowerSeries& a) {
    PowerSeries s, c;
    sin_cos(a, s, c);
    return c;
  }
};

template <class S, int N>
PowerSeries<S, N> PowerSeries<S, N>::product(const PowerSeries& a, const PowerSeries& b) {
  PowerSeries result;
  auto sums = std::apply([](const auto&... zero) { return std::array{SumOfProducts<S>(zero)...}; }, result.coefficient);
  for (int i = 0; i <= N; ++i) {
    // Constants and low-order polynomials are common. Of a dual, value *and* derivative must vanish.
    if (zero_by_construction(a[i])) continue;
    for (int j = 0; i + j <= N; ++j) sums[static_cast<std::size_t>(i + j)].add(a[i], b[j]);
  }
  for (int k = 0; k <= N; ++k) result[k] = sums[static_cast<std::size_t>(k)].value();
  return result;
}
template <class S, int N>
PowerSeries<S, N> PowerSeries<S, N>::quotient(const PowerSeries& a, const PowerSeries& b) {
  PowerSeries result;
  for (int k = 0; k <= N; ++k) {
    SumOfProducts<S> sum(a[k]);
    for (int j = 1; j <= k; ++j) sum.subtract(b[j], result[k - j]);
    result[k] = sum.value() / b[0];
  }
  return result;
}

template <class S, int N>
struct ScalarTraits<PowerSeries<S, N>> {
  using real = RealOf<S>;
  static constexpr bool exact = ScalarTraits<S>::exact;
  static real epsilon() { return ScalarTraits<S>::epsilon(); }
  static bool zero_by_construction(const PowerSeries<S, N>& x) {
    return std::ranges::all_of(x.coefficient, [](const S& c) { return livi::zero_by_construction(c); });
  }
  static real magnitude(const PowerSeries<S, N>& x) {
    real largest(0);
    for (const S& c : x.coefficient) largest = larger(largest, ScalarTraits<S>::magnitude(c));
    return largest;
  }
  static real leading(const PowerSeries<S, N>& x) { return ScalarTraits<S>::leading(x[0]); }
  static double to_double(const PowerSeries<S, N>& x) { return ScalarTraits<S>::to_double(x[0]); }
  static bool is_finite(const PowerSeries<S, N>& x) {
    for (const S& c : x.coefficient)
      if (!ScalarTraits<S>::is_finite(c)) return false;
    return true;
  }
};

}  // namespace livi

template <class S, int N>
struct Eigen::NumTraits<livi::PowerSeries<S, N>> : Eigen::GenericNumTraits<livi::PowerSeries<S, N>> {
  using Real = livi::PowerSeries<S, N>;
  using NonInteger = livi::PowerSeries<S, N>;
  using Nested = livi::PowerSeries<S, N>;
  using Literal = livi::PowerSeries<S, N>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 8,
    AddCost = 8,
    MulCost = 64
  };
};
