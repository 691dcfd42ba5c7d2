// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/double_pendulum.hpp"

/// Taylor-series integration of the three formulations of double_pendulum.hpp. The coefficients come from recurrences
/// that are written apart from the right-hand sides, so the two check each other; at 20 and more digits it is also some
/// tens of times faster than the odeint runs.
namespace livi::reference {

/// Coefficients of a power series in t, x(t0 + t) = sum_k x[k] t^k.
template <class S>
using Series = std::vector<S>;

namespace detail {

/// Coefficient k of the product a b.
template <class S>
[[nodiscard]] S product(const Series<S>& a, const Series<S>& b, std::size_t k) {
  S sum(0);
  for (std::size_t j = 0; j <= k; ++j) sum += a[j] * b[k - j];
  return sum;
}

/// Coefficient k of a^2.
template <class S>
[[nodiscard]] S square(const Series<S>& a, std::size_t k) {
  S sum(0);
  for (std::size_t j = 0; 2 * j < k; ++j) sum += a[j] * a[k - j];
  sum += sum;
  if (k % 2 == 0) sum += a[k / 2] * a[k / 2];
  return sum;
}

/// Coefficient k of numerator / denominator, given the lower coefficients of the quotient.
template <class S>
[[nodiscard]] S quotient(const Series<S>& numerator, const Series<S>& denominator, const Series<S>& quotient_so_far,
                         std::size_t k) {
  S sum = numerator[k];
  for (std::size_t j = 1; j <= k; ++j) sum -= denominator[j] * quotient_so_far[k - j];
  return sum / denominator[0];
}

}  // namespace detail

/// Series of (theta, phi, theta', phi'), see AnglesSystem.
template <class S>
class AnglesExpansion {
 public:
  using System = AnglesSystem<S>;
  static constexpr std::size_t size = 4;
  AnglesExpansion(const System& of, std::size_t order) : system_(of) {
    for (auto& series : x) series.resize(order + 1);
    for (auto* series : {&s1_, &c1_, &s2_, &c2_, &s_, &c_, &rate_, &u2_, &w2_, &a_, &b_, &determinant_, &numerator1_,
                         &numerator2_, &quotient1_, &quotient2_})
      series->resize(order + 1);
  }

  void expand(std::size_t order) {
    using detail::product, detail::square, detail::quotient;
    using std::cos, std::sin;
    const S &length1 = system_.length1, &length2 = system_.length2, &gamma = system_.gamma;
    auto& [theta, phi, u, w] = x;
    for (std::size_t k = 0; k < order; ++k) {
      rate_[k] = u[k] - w[k];
      if (k == 0) {
        s1_[0] = sin(theta[0]), c1_[0] = cos(theta[0]), s2_[0] = sin(phi[0]), c2_[0] = cos(phi[0]);
        s_[0] = sin(theta[0] - phi[0]), c_[0] = cos(theta[0] - phi[0]);
      } else {
        const S n(static_cast<unsigned>(k));
        s1_[k] = product(u, c1_, k - 1) / n, c1_[k] = -product(u, s1_, k - 1) / n;
        s2_[k] = product(w, c2_, k - 1) / n, c2_[k] = -product(w, s2_, k - 1) / n;
        s_[k] = product(rate_, c_, k - 1) / n, c_[k] = -product(rate_, s_, k - 1) / n;
      }
      u2_[k] = square(u, k);
      w2_[k] = square(w, k);
      a_[k] = -length2 * product(s_, w2_, k) - S(2) * gamma * s1_[k];
      b_[k] = length1 * product(s_, u2_, k) - gamma * s2_[k];
      determinant_[k] = (k == 0 ? S(2) : S(0)) - square(c_, k);
      numerator1_[k] = a_[k] - product(c_, b_, k);
      numerator2_[k] = S(2) * b_[k] - product(c_, a_, k);
      quotient1_[k] = quotient(numerator1_, determinant_, quotient1_, k);
      quotient2_[k] = quotient(numerator2_, determinant_, quotient2_, k);
      const S n(static_cast<unsigned>(k + 1));
      theta[k + 1] = u[k] / n;
      phi[k + 1] = w[k] / n;
      u[k + 1] = quotient1_[k] / (n * length1);
      w[k + 1] = quotient2_[k] / (n * length2);
    }
  }

  std::array<Series<S>, size> x;

 private:
  const System& system_;
  Series<S> s1_, c1_, s2_, c2_, s_, c_, rate_, u2_, w2_, a_, b_, determinant_, numerator1_, numerator2_, quotient1_,
      quotient2_;
};

/// Series of (q, v), see CartesianSystem.
template <class S>
class CartesianExpansion {
 public:
  using System = CartesianSystem<S>;
  static constexpr std::size_t size = 8;
  CartesianExpansion(const System& of, std::size_t order) : system_(of) {
    for (auto& series : x) series.resize(order + 1);
    for (auto* series : {&dx_, &dy_, &wx_, &wy_, &rr_, &dd_, &rd_, &b1_, &b2_, &determinant_, &numerator1_,
                         &numerator2_, &lambda1_, &lambda2_})
      series->resize(order + 1);
  }

  void expand(std::size_t order) {
    using detail::product, detail::square, detail::quotient;
    const S& gamma = system_.gamma;
    auto& [x1, y1, x2, y2, vx1, vy1, vx2, vy2] = x;
    for (std::size_t k = 0; k < order; ++k) {
      dx_[k] = x2[k] - x1[k];
      dy_[k] = y2[k] - y1[k];
      wx_[k] = vx2[k] - vx1[k];
      wy_[k] = vy2[k] - vy1[k];
      rr_[k] = square(x1, k) + square(y1, k);
      dd_[k] = square(dx_, k) + square(dy_, k);
      rd_[k] = product(x1, dx_, k) + product(y1, dy_, k);
      b1_[k] = gamma * y1[k] - square(vx1, k) - square(vy1, k);
      b2_[k] = -square(wx_, k) - square(wy_, k);
      // Half of the determinant and of the numerators of Cramer's rule.
      determinant_[k] = S(4) * product(rr_, dd_, k) - S(2) * square(rd_, k);
      numerator1_[k] = S(2) * product(dd_, b1_, k) + product(rd_, b2_, k);
      numerator2_[k] = product(rr_, b2_, k) + product(rd_, b1_, k);
      lambda1_[k] = quotient(numerator1_, determinant_, lambda1_, k);
      lambda2_[k] = quotient(numerator2_, determinant_, lambda2_, k);
      const S n(static_cast<unsigned>(k + 1));
      const S weight = k == 0 ? gamma : S(0);
      const S tension_x = S(2) * product(lambda2_, dx_, k), tension_y = S(2) * product(lambda2_, dy_, k);
      for (std::size_t i = 0; i < 4; ++i) x[i][k + 1] = x[i + 4][k] / n;
      vx1[k + 1] = (S(2) * product(lambda1_, x1, k) - tension_x) / n;
      vy1[k + 1] = (S(2) * product(lambda1_, y1, k) - tension_y - weight) / n;
      vx2[k + 1] = tension_x / n;
      vy2[k + 1] = (tension_y - weight) / n;
    }
  }

  std::array<Series<S>, size> x;

 private:
  const System& system_;
  Series<S> dx_, dy_, wx_, wy_, rr_, dd_, rd_, b1_, b2_, determinant_, numerator1_, numerator2_, lambda1_, lambda2_;
};

/// Series of (q, v), see PenalisedSystem.
template <class S>
class PenalisedExpansion {
 public:
  using System = PenalisedSystem<S>;
  static constexpr std::size_t size = 8;
  PenalisedExpansion(const System& of, std::size_t order) : system_(of) {
    for (auto& series : x) series.resize(order + 1);
    for (auto* series : {&dx_, &dy_, &g1_, &g2_}) series->resize(order + 1);
  }

  void expand(std::size_t order) {
    using detail::product, detail::square;
    auto& [x1, y1, x2, y2, vx1, vy1, vx2, vy2] = x;
    const S factor = S(-2) * system_.stiffness;
    for (std::size_t k = 0; k < order; ++k) {
      const S constant(k == 0 ? 1 : 0);
      dx_[k] = x2[k] - x1[k];
      dy_[k] = y2[k] - y1[k];
      g1_[k] = square(x1, k) + square(y1, k) - constant * S(system_.parameters.length1_squared);
      g2_[k] = square(dx_, k) + square(dy_, k) - constant * S(system_.parameters.length2_squared);
      const S n(static_cast<unsigned>(k + 1));
      const S tension_x = factor * product(g2_, dx_, k), tension_y = factor * product(g2_, dy_, k);
      const S weight = constant * system_.gamma;
      for (std::size_t i = 0; i < 4; ++i) x[i][k + 1] = x[i + 4][k] / n;
      vx1[k + 1] = (factor * product(g1_, x1, k) - tension_x) / n;
      vy1[k + 1] = (factor * product(g1_, y1, k) - tension_y - weight) / n;
      vx2[k + 1] = tension_x / n;
      vy2[k + 1] = (tension_y - weight) / n;
    }
  }

  std::array<Series<S>, size> x;

 private:
  const System& system_;
  Series<S> dx_, dy_, g1_, g2_;
};

/// Runs Expansion's system through `times` (increasing, the first one is the start). The order is the one of Jorba and
/// Zou (Experimental Mathematics 14 (2005), 99-117), 1 - ln(tolerance) / 2, and a step ends where either of the last
/// two terms reaches the tolerance; its polynomial is evaluated at the times inside the step. Errors:
/// std::invalid_argument; std::runtime_error naming the time.
template <class Expansion>
[[nodiscard]] auto taylor_trajectory(const typename Expansion::System& system,
                                     const std::vector<typename Expansion::System::Scalar>& times, double tolerance) {
  using S = typename Expansion::System::Scalar;
  using State = typename Expansion::System::State;
  constexpr std::size_t size = Expansion::size;
  if (!(tolerance >= 1e-48) || !(tolerance < 1.0))
    throw std::invalid_argument("tolerance = " + std::to_string(tolerance) + ": allowed are values from 1e-48 to 1");
  if (times.empty()) throw std::invalid_argument("times: at least one is needed");
  for (std::size_t k = 1; k < times.size(); ++k)
    if (!(times[k] > times[k - 1])) throw std::invalid_argument("times: they must increase strictly");

  const auto order = static_cast<std::size_t>(std::ceil(1.0 - std::log(tolerance) / 2.0));
  Expansion expansion(system, order);
  const auto evaluate = [&](const S& dt) {
    State at;
    for (std::size_t i = 0; i < size; ++i) {
      const Series<S>& series = expansion.x[i];
      S sum = series[order];
      for (std::size_t k = order; k-- > 0;) sum = sum * dt + series[k];
      at[i] = sum;
    }
    return at;
  };

  std::vector<BasicPendulumState<S>> trajectory;
  trajectory.reserve(times.size());
  State at = system.initial();
  S t = times.front();
  std::size_t next = 0;
  while (next < times.size()) {
    detail::check_finite(at, t);
    for (std::size_t i = 0; i < size; ++i) expansion.x[i][0] = at[i];
    expansion.expand(order);
    double step = std::numeric_limits<double>::infinity();
    for (const std::size_t k : {order - 1, order}) {
      double largest = 0.0;
      for (const Series<S>& series : expansion.x) {
        const double magnitude = std::abs(static_cast<double>(series[k]));
        if (!std::isfinite(magnitude))
          throw std::runtime_error("double pendulum reference: a Taylor coefficient is not finite at t = " +
                                   std::to_string(static_cast<double>(t)));
        largest = std::max(largest, magnitude);
      }
      if (largest > 0.0)
        step = std::min(step, std::exp((std::log(tolerance) - std::log(largest)) / static_cast<double>(k)));
    }
    // At an equilibrium all coefficients vanish and any step is exact.
    step = std::min(step, static_cast<double>(times.back() - times.front()) + 1.0);
    const S end = t + S(step);
    if (!(end > t))
      throw std::runtime_error("double pendulum reference: the Taylor step underflows at t = " +
                               std::to_string(static_cast<double>(t)));
    for (; next < times.size() && times[next] <= end; ++next)
      trajectory.push_back(system.state(times[next], evaluate(times[next] - t)));
    at = evaluate(S(step));
    t = end;
  }
  return trajectory;
}

}  // namespace livi::reference
