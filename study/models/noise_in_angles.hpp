// SPDX-License-Identifier: MIT
//
// The pendulum on the sphere under noise in two forms: angles by the method of Heun, and RATTLE with multipliers.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <livi/stochastic/brownian_path.hpp>
#include <livi/stochastic/projected_methods.hpp>
#include <livi/stochastic/run_along.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>
#include <livi/systems/stochastic_problems.hpp>
#include <numbers>

#include "study/statistics/estimate.hpp"

namespace livi::noise_in_angles {

inline constexpr std::uint64_t seed = 3507, other_seed = 3508;
/// As many as strong orders are measured with elsewhere: 95 % intervals of powers are 0.016 to either side, or narrower. Controls, whose
/// powers are far away, have fewer.
inline constexpr std::size_t paths = 2000, paths_of_controls = 100;
inline constexpr int finest = 12, first_level = 4, last_level = 9;
inline constexpr double infinity = std::numeric_limits<double>::infinity(), pi = std::numbers::pi;

/// The amplitudes of the noises gamma_i = a_i q_i, i = x, y, z.
using Amplitudes = std::array<double, 3>;
inline constexpr Amplitudes of_x{0.5, 0, 0}, of_z{0, 0, 0.5}, of_both{0.5, 0, 0.5}, of_all{0.5, 0.5, 0.5},
    none{0, 0, 0};

template <class S>
using Space = Vector<S, 3>;

// --- angles -----------------------------------------------------------------------------------------------------------

template <class S>
struct Angles {
  S theta, phi, p_theta, p_phi;
};

/// Position, its derivatives by the angles, and velocity at a point, in the frame.
template <class S>
struct Embedded {
  Space<S> q, by_theta, by_phi, p;

  explicit Embedded(const Angles<S>& x) {
    using std::cos, std::sin;
    const S c = cos(x.theta), s = sin(x.theta), cos_phi = cos(x.phi), sin_phi = sin(x.phi);
    q << c * cos_phi, c * sin_phi, s;
    by_theta << -s * cos_phi, -s * sin_phi, c;
    by_phi << -c * sin_phi, c * cos_phi, S(0);
    p = x.p_theta * by_theta + (x.p_phi / (c * c)) * by_phi;
  }
};

/// The frame as rows: it takes vectors of the document to components in which the angles are simple.
inline const Matrix<double, 3>& frame() {
  static const Matrix<double, 3> rows = [] {
    const Space<double> q(0.6, 0, -0.8), p(0.4, 1, 0.3);
    Matrix<double, 3> m;
    m.row(0) = q;
    m.row(1) = p.normalized();
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      m(2, i) = m(0, j) * m(1, k) - m(0, k) * m(1, j);
    }
    return m;
  }();
  return rows;
}
inline Space<double> slope() { return frame() * Space<double>(0, 0, 1); }
inline double initial_speed() { return std::sqrt(1.25); }

/// The equations in angles, and wrong ones.
struct Equations {
  bool centrifugal = true;     ///< with the term sin theta/cos^3 theta p_phi^2
  bool pulled_back = true;     ///< noise forces by the derivatives of q; otherwise their first components in the frame
  double friction = 0;         ///< a force -friction p
  Space<double> up = slope();  ///< grad U, in the frame
};

/// One step of Heun's method. impulse(q) is sum_i dW_i grad gamma_i(q) in the frame.
template <class S, class Impulse>
void heun_step(const Equations& equations, double h, const Impulse& impulse, Angles<S>& x) {
  const auto change = [&](const Angles<S>& at) {
    const Embedded<S> e(at);
    const S cos_squared = S(1) - e.q(2) * e.q(2);
    const auto noise = impulse(e.q);
    Angles<S> d{h * at.p_theta, h * at.p_phi / cos_squared, S(0), S(0)};
    // -sin theta/cos^3 theta p_phi^2 with cos theta = by_theta(2)
    if (equations.centrifugal) d.p_theta -= h * e.q(2) * at.p_phi * at.p_phi / (cos_squared * e.by_theta(2));
    for (int i = 0; i < 3; ++i) {
      const S u = S(h * equations.up(i));
      d.p_theta -= u * e.by_theta(i);
      d.p_phi -= u * e.by_phi(i);
    }
    if (equations.pulled_back) {
      d.p_theta += noise.dot(e.by_theta);
      d.p_phi += noise.dot(e.by_phi);
    } else {
      d.p_theta += noise(0);
      d.p_phi += noise(1);
    }
    d.p_theta -= S(h * equations.friction) * at.p_theta;
    d.p_phi -= S(h * equations.friction) * at.p_phi;
    return d;
  };
  const auto moved = [](const Angles<S>& a, const Angles<S>& d) {
    return Angles<S>{a.theta + d.theta, a.phi + d.phi, a.p_theta + d.p_theta, a.p_phi + d.p_phi};
  };
  const Angles<S> first = change(x), second = change(moved(x, first));
  x.theta += (first.theta + second.theta) / S(2);
  x.phi += (first.phi + second.phi) / S(2);
  x.p_theta += (first.p_theta + second.p_theta) / S(2);
  x.p_phi += (first.p_phi + second.p_phi) / S(2);
}

inline Angles<double> start_in_angles() { return {0, 0, 0, initial_speed()}; }

/// sum_i a_i dW_i e_i over a step of a path, in the frame.
inline Space<double> impulse_over(const BrownianPath& path, const Amplitudes& amplitudes, int level, std::uint64_t k) {
  Space<double> sum(0, 0, 0);
  for (int i = 0; i < 3; ++i)
    if (amplitudes[static_cast<std::size_t>(i)] != 0)
      sum(i) = amplitudes[static_cast<std::size_t>(i)] * path.over(i, level, k).increment;
  return frame() * sum;
}

/// The state at the end of Heun's method with the 2^level steps of a level.
inline Angles<double> heun(const BrownianPath& path, const Amplitudes& amplitudes, int level,
                           const Equations& equations) {
  Angles<double> x = start_in_angles();
  for (std::uint64_t k = 0; k < std::uint64_t{1} << level; ++k) {
    const Space<double> kick = impulse_over(path, amplitudes, level, k);
    heun_step(
        equations, path.step(level), [&](const auto&) -> const Space<double>& { return kick; }, x);
  }
  return x;
}

// --- multipliers ------------------------------------------------------------------------------------------------------

inline auto pendulum(const Amplitudes& amplitudes) {
  auto forces = zeros<Matrix<double, 3>>();
  for (int i = 0; i < 3; ++i) forces(i, i) = amplitudes[static_cast<std::size_t>(i)];
  return sphere_pendulum<double>(LinearNoise<double, 3, 3>{forces});
}

/// Where a run ended, unless a step did not exist.
struct End {
  bool exists = false;
  Space<double> q, p;
};

/// Runs RATTLE along a path; observe(state, h) after each step.
template <class Problem, class Path, class Observe>
End rattle(const Problem& problem, const Path& path, int level, const Observe& observe) {
  StochasticRattle method(problem.system, NoiseWeights::increments);
  auto z = method.start(problem.q, problem.v);
  const auto after_step = [&](std::uint64_t, const auto& state) { observe(state, path.step(level)); };
  if (run_along(method, z, path, level, 0, after_step)) return {};
  return {true, z.q, z.v};
}
inline End rattle(const auto& problem, const auto& path, int level) {
  return rattle(problem, path, level, [](const auto&, double) {});
}

/// |(q, p) - (q, p)|^2 between the end of a run of RATTLE and a state in angles.
inline double squared_distance(const End& end, const Angles<double>& x) {
  if (!end.exists) return not_a_number;
  const Embedded<double> e(x);
  return (frame() * end.q - e.q).squaredNorm() + (frame() * end.p - e.p).squaredNorm();
}

}  // namespace livi::noise_in_angles
