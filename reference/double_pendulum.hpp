// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/double_pendulum_reference.hpp"
#include "reference/integration.hpp"

/// The equations of motion of the double pendulum written by hand, for any scalar, and their integration by
/// Boost.Odeint. Letters: gamma = gravity_sign * gravity, r = (x1, y1), d = (x2 - x1, y2 - y1), Delta = theta - phi.
namespace livi::reference {

namespace detail {

inline void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument("double pendulum reference: " + message);
}

inline void check_common(const DoublePendulumParameters& p) {
  require(p.gravity_sign == 1 || p.gravity_sign == -1,
          "gravity_sign = " + std::to_string(p.gravity_sign) + ", allowed are +1 and -1");
  require(std::isfinite(p.gravity) && p.gravity >= 0.0,
          "gravity = " + std::to_string(p.gravity) + ", allowed are finite values >= 0");
  require(std::isfinite(p.length1_squared) && p.length1_squared > 0.0,
          "length1_squared = " + std::to_string(p.length1_squared) + ", allowed are finite values > 0");
  require(std::isfinite(p.length2_squared) && p.length2_squared > 0.0,
          "length2_squared = " + std::to_string(p.length2_squared) + ", allowed are finite values > 0");
  for (std::size_t i = 0; i < 4; ++i) {
    require(std::isfinite(p.initial_q[i]), "initial_q[" + std::to_string(i) + "] is not finite");
    require(std::isfinite(p.initial_v[i]), "initial_v[" + std::to_string(i) + "] is not finite");
  }
}

/// A few roundings of the coordinates are forgiven (the start is then projected); anything more is a wrong start.
inline void check_on_constraint(const DoublePendulumParameters& p) {
  const double eps = std::numeric_limits<double>::epsilon();
  const std::array<double, 2> g = constraint<double>(p, p.initial_q);
  const std::array<double, 2> rate = constraint_rate<double>(p.initial_q, p.initial_v);
  const std::array<double, 2> squared{p.length1_squared, p.length2_squared};
  double reach = p.length1_squared + p.length2_squared, speed = 0.0;
  for (const double component : p.initial_v) speed += std::abs(component);
  for (std::size_t i = 0; i < 2; ++i) {
    require(
        std::abs(g[i]) <= 8.0 * eps * (squared[i] + reach),
        "initial_q is off the constraint: g[" + std::to_string(i) + "] = " + std::to_string(g[i]) + ", allowed is 0");
    require(
        std::abs(rate[i]) <= 8.0 * eps * (1.0 + std::sqrt(reach)) * speed,
        "initial_v is not tangent: (Dg v)[" + std::to_string(i) + "] = " + std::to_string(rate[i]) + ", allowed is 0");
  }
}

template <class S, std::size_t N>
void check_finite(const std::array<S, N>& x, const S& t) {
  using std::isfinite;
  for (const S& component : x)
    if (!isfinite(component))
      throw std::runtime_error("double pendulum reference: a value stopped being finite at t = " +
                               std::to_string(static_cast<double>(t)));
}

}  // namespace detail

/// (a) Generalised coordinates, x1 = L1 sin theta, y1 = -L1 cos theta, x2 = x1 + L2 sin phi, y2 = y1 - L2 cos phi.
///
/// The kinetic energy 1/2 (|v1|^2 + |v2|^2) is 1/2 u' Mt u with u = (theta', phi') and
///   Mt = [2 L1^2, L1 L2 cos Delta; L1 L2 cos Delta, L2^2],
/// which is (23), since cos theta cos phi + sin theta sin phi = cos Delta. Lagrange's equations are
///   2 L1 theta'' + L2 cos(Delta) phi''  = -L2 sin(Delta) phi'^2 - 2 gamma sin theta =: A      (divided by L1)
///   L1 cos(Delta) theta'' + L2 phi''    =  L1 sin(Delta) theta'^2 - gamma sin phi   =: B      (divided by L2)
/// with the determinant 2 - cos(Delta)^2 >= 1. The state is (theta, phi, theta', phi').
template <class S>
struct AnglesSystem {
  using Scalar = S;
  using State = std::array<S, 4>;

  explicit AnglesSystem(const DoublePendulumParameters& of) : parameters(of) {
    using std::sqrt;
    detail::check_common(parameters);
    detail::check_on_constraint(parameters);
    gamma = S(parameters.gravity_sign) * S(parameters.gravity);
    length1 = sqrt(S(parameters.length1_squared));
    length2 = sqrt(S(parameters.length2_squared));
  }

  /// Mt of (23) as (first diagonal, off-diagonal, second diagonal).
  [[nodiscard]] std::array<S, 3> mass_matrix(const S& theta, const S& phi) const {
    using std::cos;
    return {S(2) * length1 * length1, length1 * length2 * cos(theta - phi), length2 * length2};
  }

  [[nodiscard]] State initial() const {
    using std::atan2, std::cos, std::sin;
    const auto& q = parameters.initial_q;
    const auto& v = parameters.initial_v;
    const S theta = atan2(S(q[0]), -S(q[1]));
    const S phi = atan2(S(q[2]) - S(q[0]), S(q[1]) - S(q[3]));
    return {theta, phi, (S(v[0]) * cos(theta) + S(v[1]) * sin(theta)) / length1,
            ((S(v[2]) - S(v[0])) * cos(phi) + (S(v[3]) - S(v[1])) * sin(phi)) / length2};
  }

  void operator()(const State& x, State& dxdt, const S& t) const {
    using std::cos, std::sin;
    detail::check_finite(x, t);
    const S s = sin(x[0] - x[1]), c = cos(x[0] - x[1]);
    const S A = -length2 * s * x[3] * x[3] - S(2) * gamma * sin(x[0]);
    const S B = length1 * s * x[2] * x[2] - gamma * sin(x[1]);
    const S determinant = S(2) - c * c;
    dxdt = {x[2], x[3], (A - c * B) / (length1 * determinant), (S(2) * B - c * A) / (length2 * determinant)};
  }

  /// Cartesian state. lambda comes from the accelerations: along d, a2 = -gamma e_y + 2 lambda2 d; along r,
  /// a1 = -gamma e_y + 2 lambda1 r - 2 lambda2 d.
  [[nodiscard]] BasicPendulumState<S> state(const S& t, const State& x) const {
    using std::cos, std::sin;
    State dxdt;
    (*this)(x, dxdt, t);
    const S s1 = sin(x[0]), c1 = cos(x[0]), s2 = sin(x[1]), c2 = cos(x[1]);
    const S u = x[2], w = x[3], du = dxdt[2], dw = dxdt[3];
    const S rx = length1 * s1, ry = -length1 * c1, dx = length2 * s2, dy = -length2 * c2;
    const S vx = length1 * c1 * u, vy = length1 * s1 * u, wx = length2 * c2 * w, wy = length2 * s2 * w;
    const S a1x = length1 * (c1 * du - s1 * u * u), a1y = length1 * (s1 * du + c1 * u * u);
    const S a2x = a1x + length2 * (c2 * dw - s2 * w * w), a2y = a1y + length2 * (s2 * dw + c2 * w * w);
    const S lambda2 = (dx * a2x + dy * (a2y + gamma)) / (S(2) * length2 * length2);
    const S lambda1 =
        (rx * a1x + ry * (a1y + gamma) + S(2) * lambda2 * (rx * dx + ry * dy)) / (S(2) * length1 * length1);
    return {t, {rx, ry, rx + dx, ry + dy}, {vx, vy, vx + wx, vy + wy}, {lambda1, lambda2}};
  }

  DoublePendulumParameters parameters;
  S gamma{}, length1{}, length2{};
};

/// (b) Cartesian coordinates with lambda eliminated: differentiating g(q) = 0 twice along
///   a1 = -gamma e_y + 2 lambda1 r - 2 lambda2 d,   a2 = -gamma e_y + 2 lambda2 d
/// gives, with w = v2 - v1,
///   [ 2 r.r   -2 r.d ] [lambda1]   [ gamma y1 - |v1|^2 ]
///   [-2 r.d    4 d.d ] [lambda2] = [ -|w|^2            ].
/// Nothing pulls the solution back to g = 0, so drift off it measures the error. The state is (q, v).
template <class S>
struct CartesianSystem {
  using Scalar = S;
  using State = std::array<S, 8>;

  explicit CartesianSystem(const DoublePendulumParameters& of) : parameters(of) {
    detail::check_common(parameters);
    detail::check_on_constraint(parameters);
    gamma = S(parameters.gravity_sign) * S(parameters.gravity);
  }

  /// The start of the angle formulation, so that coordinates with rounding errors are projected in the same way. Where
  /// the given coordinates satisfy the constraint exactly they are kept.
  [[nodiscard]] State initial() const {
    const auto& p = parameters;
    std::array<S, 4> q, v;
    for (std::size_t i = 0; i < 4; ++i) {
      q[i] = S(p.initial_q[i]);
      v[i] = S(p.initial_v[i]);
    }
    const std::array<S, 2> g = constraint(p, q), rate = constraint_rate(q, v);
    if (g[0] != S(0) || g[1] != S(0) || rate[0] != S(0) || rate[1] != S(0)) {
      const AnglesSystem<S> angles(p);
      const BasicPendulumState<S> projected = angles.state(S(0), angles.initial());
      q = projected.q;
      v = projected.v;
    }
    return {q[0], q[1], q[2], q[3], v[0], v[1], v[2], v[3]};
  }

  [[nodiscard]] std::array<S, 2> lambda(const State& x) const {
    const S dx = x[2] - x[0], dy = x[3] - x[1], wx = x[6] - x[4], wy = x[7] - x[5];
    const S rr = x[0] * x[0] + x[1] * x[1], dd = dx * dx + dy * dy, rd = x[0] * dx + x[1] * dy;
    const S b1 = gamma * x[1] - x[4] * x[4] - x[5] * x[5], b2 = -wx * wx - wy * wy;
    const S determinant = S(8) * rr * dd - S(4) * rd * rd;
    return {(S(4) * dd * b1 + S(2) * rd * b2) / determinant, (S(2) * rr * b2 + S(2) * rd * b1) / determinant};
  }

  void operator()(const State& x, State& dxdt, const S& t) const {
    detail::check_finite(x, t);
    const std::array<S, 2> l = lambda(x);
    const S dx = x[2] - x[0], dy = x[3] - x[1];
    const S f1 = S(2) * l[0], f2 = S(2) * l[1];
    dxdt = {x[4], x[5], x[6], x[7], f1 * x[0] - f2 * dx, f1 * x[1] - f2 * dy - gamma, f2 * dx, f2 * dy - gamma};
  }

  [[nodiscard]] BasicPendulumState<S> state(const S& t, const State& x) const {
    return {t, {x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7]}, lambda(x)};
  }

  DoublePendulumParameters parameters;
  S gamma{};
};

/// (c) The penalised system (7): lambda is replaced by -omega^2 g(q). The state is (q, v).
template <class S>
struct PenalisedSystem {
  using Scalar = S;
  using State = std::array<S, 8>;

  explicit PenalisedSystem(const DoublePendulumParameters& of) : parameters(of) {
    detail::check_common(parameters);
    detail::require(std::isfinite(parameters.omega) && parameters.omega > 0.0,
                    "omega = " + std::to_string(parameters.omega) + ", allowed are finite values > 0");
    gamma = S(parameters.gravity_sign) * S(parameters.gravity);
    stiffness = S(parameters.omega) * S(parameters.omega);
  }

  [[nodiscard]] State initial() const {
    State x;
    for (std::size_t i = 0; i < 4; ++i) {
      x[i] = S(parameters.initial_q[i]);
      x[i + 4] = S(parameters.initial_v[i]);
    }
    return x;
  }

  [[nodiscard]] std::array<S, 2> lambda(const State& x) const {
    const std::array<S, 2> g = constraint<S>(parameters, {x[0], x[1], x[2], x[3]});
    return {-stiffness * g[0], -stiffness * g[1]};
  }

  void operator()(const State& x, State& dxdt, const S& t) const {
    detail::check_finite(x, t);
    const std::array<S, 2> l = lambda(x);
    const S dx = x[2] - x[0], dy = x[3] - x[1];
    const S f1 = S(2) * l[0], f2 = S(2) * l[1];
    dxdt = {x[4], x[5], x[6], x[7], f1 * x[0] - f2 * dx, f1 * x[1] - f2 * dy - gamma, f2 * dx, f2 * dy - gamma};
  }

  [[nodiscard]] BasicPendulumState<S> state(const S& t, const State& x) const {
    return {t, {x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7]}, lambda(x)};
  }

  DoublePendulumParameters parameters;
  S gamma{}, stiffness{};
};

/// Runs `system` through `times` (increasing, the first one is the start) by an odeint method whose steps end exactly
/// on them. tolerance is both the absolute and the relative bound on the local error. Errors: std::invalid_argument;
/// std::runtime_error if a value stops being finite (a NaN would pass odeint's own acceptance test, which is a
/// comparison); boost::numeric::odeint::no_progress_error, a std::runtime_error.
template <class System>
[[nodiscard]] std::vector<BasicPendulumState<typename System::Scalar>> odeint_trajectory(
    const System& system, const std::vector<typename System::Scalar>& times, const typename System::Scalar& tolerance,
    Method method) {
  using S = typename System::Scalar;
  if (!(tolerance >= std::numeric_limits<S>::epsilon()) || !(tolerance < S(1)))
    throw std::invalid_argument("tolerance = " + std::to_string(static_cast<double>(tolerance)) +
                                ": allowed are values from the rounding unit to 1");
  if (times.empty()) throw std::invalid_argument("times: at least one is needed");
  for (std::size_t k = 1; k < times.size(); ++k)
    if (!(times[k] > times[k - 1])) throw std::invalid_argument("times: they must increase strictly");

  std::vector<BasicPendulumState<S>> trajectory;
  trajectory.reserve(times.size());
  integrate_by_odeint(system, times, tolerance, method, [&](const typename System::State& at, const S& t) {
    detail::check_finite(at, t);
    trajectory.push_back(system.state(t, at));
  });
  return trajectory;
}

template <class S>
[[nodiscard]] std::vector<BasicPendulumState<S>> double_pendulum_angles(const DoublePendulumParameters& parameters,
                                                                        const std::vector<S>& times, const S& tolerance,
                                                                        Method method = Method::bulirsch_stoer) {
  return odeint_trajectory(AnglesSystem<S>(parameters), times, tolerance, method);
}

template <class S>
[[nodiscard]] std::vector<BasicPendulumState<S>> double_pendulum_cartesian(const DoublePendulumParameters& parameters,
                                                                           const std::vector<S>& times,
                                                                           const S& tolerance,
                                                                           Method method = Method::bulirsch_stoer) {
  return odeint_trajectory(CartesianSystem<S>(parameters), times, tolerance, method);
}

template <class S>
[[nodiscard]] std::vector<BasicPendulumState<S>> double_pendulum_penalised(const DoublePendulumParameters& parameters,
                                                                           const std::vector<S>& times,
                                                                           const S& tolerance,
                                                                           Method method = Method::bulirsch_stoer) {
  return odeint_trajectory(PenalisedSystem<S>(parameters), times, tolerance, method);
}

/// The trajectory rounded to double.
template <class S>
[[nodiscard]] std::vector<PendulumState> to_double(const std::vector<BasicPendulumState<S>>& trajectory) {
  std::vector<PendulumState> rounded;
  rounded.reserve(trajectory.size());
  for (const BasicPendulumState<S>& state : trajectory) {
    PendulumState& out = rounded.emplace_back();
    out.t = static_cast<double>(state.t);
    for (std::size_t i = 0; i < 4; ++i) {
      out.q[i] = static_cast<double>(state.q[i]);
      out.v[i] = static_cast<double>(state.v[i]);
    }
    for (std::size_t i = 0; i < 2; ++i) out.lambda[i] = static_cast<double>(state.lambda[i]);
  }
  return rounded;
}

}  // namespace livi::reference
