// SPDX-License-Identifier: MIT
//
// The oscillator H = (q^2 + p^2)/2 under white noise and friction, dq = p dt, dp = -q dt - c p dt + sigma dW, by its second
// moments. A linear method z' = A z + b xi, xi normal, makes of m = (E q^2, E q p, E p^2, 1) an affine map, and n steps are its
// n-th power: no sampling, and 2^36 steps in 36 products of matrices. Rounding: a product of many steps is as exact as each
// of its factors is, 1e-15 of m a doubling, so that n steps are good to about n 1e-16 of m.
#pragma once

#include <cmath>
#include <cstdint>
#include <livi/linalg/vector.hpp>

namespace livi::oscillator {

using Moments = Vector<double, 4>;  ///< E q^2, E q p, E p^2, 1
using MomentMap = Matrix<double, 4>;

inline double mean_energy(const Moments& m) { return (m(0) + m(2)) / 2; }

/// Returns the map of the moments under z' = A z + b xi.
inline MomentMap moment_map(const Matrix<double, 2>& a, const Vector<double, 2>& b) {
  MomentMap map;
  map << a(0, 0) * a(0, 0), 2 * a(0, 0) * a(0, 1), a(0, 1) * a(0, 1), b(0) * b(0),               //
      a(0, 0) * a(1, 0), a(0, 0) * a(1, 1) + a(0, 1) * a(1, 0), a(0, 1) * a(1, 1), b(0) * b(1),  //
      a(1, 0) * a(1, 0), 2 * a(1, 0) * a(1, 1), a(1, 1) * a(1, 1), b(1) * b(1),                  //
      0, 0, 0, 1;
  return map;
}

/// Returns n >= 0 times the map, by repeated squaring.
inline MomentMap power(MomentMap map, std::uint64_t n) {
  MomentMap result = MomentMap::Identity();
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = (map * result).eval();
    map = (map * map).eval();
  }
  return result;
}

/// Returns the exact map over a time t: exp(t L), dm/dt = L m, by Taylor's series of t/2^20 and squaring.
inline MomentMap exact_map(double t, double friction, double sigma) {
  MomentMap rate;
  rate << 0, 2, 0, 0,                       //
      -1, -friction, 1, 0,                  //
      0, -2, -2 * friction, sigma * sigma,  //
      0, 0, 0, 0;
  constexpr int doublings = 20;
  const MomentMap x = rate * std::ldexp(t, -doublings);
  MomentMap map = MomentMap::Identity(), term = map;
  for (int k = 1; k <= 8; ++k) {
    term = (term * x).eval() / k;
    map += term;
  }
  return power(map, std::uint64_t{1} << doublings);
}

/// A method, by its step of length h.
struct Setting {
  double h = 0.1, friction = 0, sigma = 0.1;
};
using Method = MomentMap (*)(const Setting&);

namespace detail {

using M = Matrix<double, 2>;
inline M matrix(double a, double b, double c, double d) {
  M m;
  m << a, b, c, d;
  return m;
}
inline M generator(const Setting& s) { return matrix(0, 1, -1, -s.friction); }
/// The exact flow of friction and noise after a step.
inline MomentMap then_bath(const M& step, const Setting& s) {
  const double kept = std::exp(-s.friction * s.h);
  const double variance = s.friction > 0 ? (1 - kept * kept) / (2 * s.friction) : s.h;
  return moment_map(matrix(1, 0, 0, kept) * step, Vector<double, 2>(0, s.sigma * std::sqrt(variance)));
}

}  // namespace detail

inline MomentMap verlet(const Setting& s) {
  const double h = s.h;
  return detail::then_bath(detail::matrix(1 - h * h / 2, h, -h * (1 - h * h / 4), 1 - h * h / 2), s);
}
inline MomentMap symplectic_euler(const Setting& s) {
  return detail::then_bath(detail::matrix(1 - s.h * s.h, s.h, -s.h, 1), s);
}
inline MomentMap rotation(const Setting& s) {
  return detail::then_bath(detail::matrix(std::cos(s.h), std::sin(s.h), -std::sin(s.h), std::cos(s.h)), s);
}
/// The classical method of Runge and Kutta, with the bath between steps.
inline MomentMap runge_kutta_4(const Setting& s) {
  const double x = s.h * s.h, c = 1 - x / 2 + x * x / 24, d = s.h * (1 - x / 6);
  return detail::then_bath(detail::matrix(c, d, -d, c), s);
}
inline MomentMap explicit_euler(const Setting& s) {
  return moment_map(detail::M::Identity() + s.h * detail::generator(s), Vector<double, 2>(0, s.sigma * std::sqrt(s.h)));
}
inline MomentMap backward_euler(const Setting& s) {
  const double c = s.friction, h = s.h, determinant = 1 + h * c + h * h;
  const detail::M inverse = detail::matrix(1 + h * c, h, -h, 1) / determinant;
  return moment_map(inverse, inverse * Vector<double, 2>(0, s.sigma * std::sqrt(h)));
}
inline MomentMap heun(const Setting& s) {
  const detail::M x = s.h * detail::generator(s), one = detail::M::Identity();
  return moment_map(one + x + x * x / 2, (one + x / 2) * Vector<double, 2>(0, s.sigma * std::sqrt(s.h)));
}

/// The start q = 1, p = 0.
inline Moments start() { return {1, 0, 0, 1}; }

/// Returns |(mean energy gained to T)/(exact) - 1|, energies at the end as means over the last period of 2 pi.
inline double error_of_gain(Method method, const Setting& s, double end_time) {
  const auto steps = static_cast<std::uint64_t>(std::llround(end_time / s.h)),
             period = static_cast<std::uint64_t>(std::llround(6.283185307179586 / s.h));
  const MomentMap step = method(s), exact_step = exact_map(s.h, s.friction, s.sigma);
  Moments m = power(step, steps - period) * start(), exact = power(exact_step, steps - period) * start();
  double sum = 0, exact_sum = 0;
  for (std::uint64_t k = 0; k < period; ++k) {
    m = (step * m).eval();
    exact = (exact_step * exact).eval();
    sum += mean_energy(m) / static_cast<double>(period);
    exact_sum += mean_energy(exact) / static_cast<double>(period);
  }
  const double initial = mean_energy(start());
  return std::abs((sum - initial) / (exact_sum - initial) - 1);
}

/// Returns the largest step T/n, n >= 8, such that with it and all smaller ones |(energy gained to T)/(exact) - 1| < `tolerance`,
/// without friction; n on a grid that is 0.2 % fine, up to 10^11.
inline double largest_step(Method method, double sigma, double end_time, double tolerance) {
  const double gain = sigma * sigma * end_time / 2, initial = mean_energy(start());
  double n = 1e11, good = 0;
  while (n >= 8) {
    const Setting s{end_time / n, 0, sigma};
    const double energy = mean_energy(power(method(s), static_cast<std::uint64_t>(n)) * start());
    if (!(std::abs((energy - initial) / gain - 1) < tolerance)) break;
    good = s.h;
    n = std::min(n - 1, std::floor(n / 1.002));
  }
  return good;
}

}  // namespace livi::oscillator
