// SPDX-License-Identifier: MIT
//
// Solutions of the motion under noise in angles on a fine grid, with the multiplier, and the action along them.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "study/models/noise_in_angles.hpp"

namespace livi::noise_in_angles {

/// A solution on the finest grid: states, and the multiplier by (*) up to each of them, in all and without its noise.
struct Solution {
  std::vector<Angles<double>> x{start_in_angles()};
  std::vector<double> multiplier{0}, smooth_multiplier{0};
  std::vector<Space<double>> without_noise{Space<double>(0, 0, 0)};  ///< int q d(the multiplier without its noise)
};

/// Heun's method with impulse(q, dW) on the finest grid, dW the increments of the three motions in the document's components.
template <class Impulse>
Solution solution(const BrownianPath& path, const Impulse& impulse) {
  Solution found;
  const double h = path.step(finest);
  const Equations equations;
  for (std::uint64_t k = 0; k < std::uint64_t{1} << finest; ++k) {
    Angles<double> x = found.x.back();
    const Space<double> increments(path.over(0, finest, k).increment, path.over(1, finest, k).increment,
                                   path.over(2, finest, k).increment);
    const Embedded<double> e(x);
    const double smooth = (e.q.dot(equations.up) - e.p.squaredNorm()) * h;
    found.smooth_multiplier.push_back(found.smooth_multiplier.back() + smooth);
    found.multiplier.push_back(found.multiplier.back() + smooth - e.q.dot(impulse(e.q, increments)));
    found.without_noise.push_back(found.without_noise.back() + smooth * e.q);
    heun_step(
        equations, h, [&](const Space<double>& q) { return impulse(q, increments); }, x);
    found.x.push_back(x);
  }
  return found;
}
/// The noises a_i q_i.
inline auto linear(const Amplitudes& a) {
  return [a](const Space<double>&, const Space<double>& dw) -> Space<double> {
    return frame() * Space<double>(a[0] * dw(0), a[1] * dw(1), a[2] * dw(2));
  };
}
/// The noise gamma = q_x/2 + q_x q_y/4 of the first motion.
inline Space<double> quadratic(const Space<double>& q, const Space<double>& dw) {
  const Space<double> at = frame().transpose() * q;
  return frame() * (dw(0) * Space<double>(0.5 + at(1) / 4, at(0) / 4, 0));
}

/// Fixed directions: number 0, 1, 2 at the time t, zero at 0 and 1.
inline std::array<double, 2> direction_of_angles(int number, double t) {
  if (number == 0) return {std::sin(pi * t), 0};
  if (number == 1) return {0, std::sin(pi * t)};
  return {std::sin(2 * pi * t), std::sin(3 * pi * t)};
}
inline Space<double> direction_in_space(int number, double t) {
  Space<double> eta(0, 0, 0);
  eta(number) = std::sin(pi * t);
  return eta;
}

/// d/d epsilon of sum_k [h L(x_mid, (x_{k+1} - x_k)/h) + sum_i gamma_i(x_mid) dW_i] at x + epsilon eta, for the points h = 2^-level
/// apart of a curve x on the finest grid. theta may be moved by `shift` sin^2(pi t).
inline double derivative_of_action(const std::vector<Angles<double>>& curve, const BrownianPath& path,
                                   const Amplitudes& amplitudes, int level, int direction, double shift = 0) {
  const std::size_t stride = std::size_t{1} << (finest - level);
  const double h = path.step(level);
  const Space<double> up = slope();
  const auto moved = [&](double t) { return shift * std::sin(pi * t) * std::sin(pi * t); };
  double sum = 0;
  for (std::uint64_t k = 0; k < std::uint64_t{1} << level; ++k) {
    const double t = static_cast<double>(k) * h;
    const Angles<double>&a = curve[k * stride], &b = curve[(k + 1) * stride];
    const double theta_a = a.theta + moved(t), theta_b = b.theta + moved(t + h);
    const auto eta_a = direction_of_angles(direction, t), eta_b = direction_of_angles(direction, t + h);
    const Embedded<double> e({(theta_a + theta_b) / 2, (a.phi + b.phi) / 2, 0, 0});
    const double cos_theta = e.by_theta(2), theta_rate = (theta_b - theta_a) / h, phi_rate = (b.phi - a.phi) / h;
    const Space<double> force = impulse_over(path, amplitudes, level, k) - h * up;
    sum += theta_rate * (eta_b[0] - eta_a[0]) + cos_theta * cos_theta * phi_rate * (eta_b[1] - eta_a[1]);
    sum += (force.dot(e.by_theta) - h * e.q(2) * cos_theta * phi_rate * phi_rate) * (eta_a[0] + eta_b[0]) / 2;
    sum += force.dot(e.by_phi) * (eta_a[1] + eta_b[1]) / 2;
  }
  return sum;
}

/// The derivative of the augmented action sum_k [h |(q_{k+1} - q_k)/h|^2/2 - h U(q_mid) + sum_i gamma_i(q_mid) dW_i + g(q_mid) dLambda]
/// in a direction in R^3; `multiplier` is Lambda on the finest grid.
inline double derivative_of_augmented_action(const std::vector<Angles<double>>& curve,
                                             const std::vector<double>& multiplier, const BrownianPath& path,
                                             const Amplitudes& amplitudes, int level, int direction) {
  const std::size_t stride = std::size_t{1} << (finest - level);
  const double h = path.step(level);
  const Space<double> up = slope();
  double sum = 0;
  Space<double> q = Embedded<double>(curve[0]).q;
  for (std::uint64_t k = 0; k < std::uint64_t{1} << level; ++k) {
    const double t = static_cast<double>(k) * h;
    const Space<double> next = Embedded<double>(curve[(k + 1) * stride]).q, middle = (q + next) / 2;
    const Space<double> eta_a = direction_in_space(direction, t), eta_b = direction_in_space(direction, t + h);
    const double impulse = multiplier[(k + 1) * stride] - multiplier[k * stride];
    sum += (next - q).dot(eta_b - eta_a) / h +
           (impulse_over(path, amplitudes, level, k) - h * up + impulse * middle).dot(eta_a + eta_b) / 2;
    q = next;
  }
  return sum;
}

}  // namespace livi::noise_in_angles
