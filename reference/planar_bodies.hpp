// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/double_pendulum_taylor.hpp"

/// Bodies under gravity in the plane by their Taylor series in time, for close encounters and for numbers of any
/// precision, those of lib/ among them. Nothing here uses the systems or the integrators of lib/: it is there to check
/// them.
namespace livi::reference {

/// Bodies in the plane, gravitational constant 1: position q = (x_1, y_1, x_2, ...) and velocity v, two numbers each
/// for every mass.
template <class S>
struct PlanarBodies {
  std::vector<S> masses, q, v;
};

/// The series of bodies about the present time.
template <class S>
struct GravityExpansion {
  std::vector<Series<S>> q, v;  ///< coefficients 0 .. order of each coordinate

  GravityExpansion(std::size_t bodies, std::size_t order)
      : q(2 * bodies, Series<S>(order + 1)),
        v(q),
        dx_(bodies * bodies, Series<S>(order + 1)),
        dy_(dx_),
        square_(dx_),
        inverse_cube_(dx_) {}

  /// Fills q and v from their coefficients of order zero. With d = q_j - q_i and R = |d|^2 the coefficients of
  /// P = R^(-3/2) follow from 2 R P' = -3 R' P, and those of P d are the pull. Cost: O(order^2) for each pair.
  void expand(const std::vector<S>& masses) {
    using detail::product, detail::square;
    using std::sqrt;
    const std::size_t bodies = masses.size(), order = q.front().size() - 1;
    std::vector<S> a(2 * bodies);
    for (std::size_t k = 0; k < order; ++k) {
      std::fill(a.begin(), a.end(), S(0));
      for (std::size_t i = 0; i < bodies; ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const std::size_t pair = i * bodies + j;
          Series<S>&dx = dx_[pair], &dy = dy_[pair], &r = square_[pair], &p = inverse_cube_[pair];
          dx[k] = q[2 * j][k] - q[2 * i][k];
          dy[k] = q[2 * j + 1][k] - q[2 * i + 1][k];
          r[k] = square(dx, k) + square(dy, k);
          if (k == 0) {
            p[0] = S(1) / (r[0] * sqrt(r[0]));
          } else {
            S sum(0);
            for (std::size_t l = 0; l < k; ++l) sum += S(static_cast<int>(3 * k - l)) * r[k - l] * p[l];
            p[k] = -sum / (S(static_cast<int>(2 * k)) * r[0]);
          }
          const S x = product(p, dx, k), y = product(p, dy, k);
          a[2 * i] += masses[j] * x;
          a[2 * i + 1] += masses[j] * y;
          a[2 * j] -= masses[i] * x;
          a[2 * j + 1] -= masses[i] * y;
        }
      const S next(static_cast<int>(k + 1));
      for (std::size_t i = 0; i < 2 * bodies; ++i) {
        q[i][k + 1] = v[i][k] / next;
        v[i][k + 1] = a[i] / next;
      }
    }
  }

 private:
  std::vector<Series<S>> dx_, dy_, square_, inverse_cube_;  ///< pair j < i stands at i * bodies + j
};

/// Moves the bodies by `time`, backwards if it is negative. The order is that of Jorba and Zou (Experimental Mathematics
/// 14 (2005), 99-117), 1 - ln(tolerance) / 2; in a step the last two terms are at most the tolerance, relative to the
/// largest coordinate (velocity) or to 1. Returns the number of steps. Errors: std::invalid_argument unless tolerance is
/// from 1e-100 to 1e-2; std::runtime_error if a coefficient is not finite or a step does not move the time.
template <class S>
long advance(PlanarBodies<S>& bodies, const S& time, double tolerance) {
  using std::abs, std::log;
  if (!(tolerance >= 1e-100) || !(tolerance <= 1e-2))
    throw std::invalid_argument("tolerance = " + std::to_string(tolerance) +
                                ": allowed are values from 1e-100 to 1e-2");
  const auto order = static_cast<std::size_t>(std::ceil(1.0 - std::log(tolerance) / 2.0));
  GravityExpansion<S> series(bodies.masses.size(), order);
  const std::size_t size = bodies.q.size();
  S left = time;
  long steps = 0;
  while (left != S(0)) {
    for (std::size_t i = 0; i < size; ++i) {
      series.q[i][0] = bodies.q[i];
      series.v[i][0] = bodies.v[i];
    }
    series.expand(bodies.masses);
    double step = std::numeric_limits<double>::infinity();
    for (const auto* of : {&series.q, &series.v})
      for (const std::size_t k : {order - 1, order}) {
        S coefficient(0), largest(1);
        for (const Series<S>& one : *of) {
          if (abs(one[k]) > coefficient || one[k] != one[k]) coefficient = abs(one[k]);
          if (abs(one[0]) > largest) largest = abs(one[0]);
        }
        // Coefficients may be beyond the range of double: their logarithms are not.
        const double logarithm = static_cast<double>(S(log(S(coefficient / largest))));
        if (std::isnan(logarithm) || logarithm == std::numeric_limits<double>::infinity())
          throw std::runtime_error("bodies: a Taylor coefficient is not finite, with " +
                                   std::to_string(static_cast<double>(left)) + " of the time left");
        step = std::min(step, std::exp((std::log(tolerance) - logarithm) / static_cast<double>(k)));
      }
    const bool last = S(step) >= abs(left);
    const S h = last ? left : left > S(0) ? S(step) : S(-step);
    if (left - h == left)
      throw std::runtime_error("bodies: the Taylor step underflows, with " + std::to_string(static_cast<double>(left)) +
                               " of the time left");
    for (std::size_t i = 0; i < size; ++i) {
      S x = series.q[i][order], w = series.v[i][order];
      for (std::size_t k = order; k-- > 0;) {
        x = x * h + series.q[i][k];
        w = w * h + series.v[i][k];
      }
      bodies.q[i] = x;
      bodies.v[i] = w;
    }
    left = last ? S(0) : left - h;
    ++steps;
  }
  return steps;
}

}  // namespace livi::reference
