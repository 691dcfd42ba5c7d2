// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

/// High-accuracy references for the planar double pendulum of TO14, Section 4.1, compiled once into `livi::reference`.
/// Nothing here uses the systems or the integrators of lib/: it is there to check them.
///
/// Unit masses, coordinates q = (x1, y1, x2, y2), potential V = gravity_sign * gravity * (y1 + y2), constraints
/// g(q) = (|r|^2 - L1^2, |d|^2 - L2^2) with r = (x1, y1) and d = (x2 - x1, y2 - y1).
namespace livi::reference {

/// The double pendulum and its start. The defaults are those printed under Figure 1 of TO14, with gravity pointing
/// down. Lengths are given squared because only their squares enter g, and 2 is exact where sqrt(2) is not.
struct DoublePendulumParameters {
  /// +1: V = g (y1 + y2), gravity points to negative y. -1: the potential as TO14 prints it, gravity points to positive
  /// y.
  int gravity_sign = 1;
  double gravity = 1.0;
  double length1_squared = 1.0;
  double length2_squared = 2.0;
  /// Stiffness of the penalty 1/2 omega^2 g'g of (7); only the penalised system reads it.
  double omega = 20.0;
  std::array<double, 4> initial_q{0.0, -1.0, 1.0, -2.0};
  std::array<double, 4> initial_v{0.0, 0.0, 0.0, 0.0};
};

/// One sample of a trajectory. lambda is the multiplier of (6), M q'' = -grad V + Dg' lambda; for a penalised
/// trajectory it is its counterpart -omega^2 g(q) of (22), which oscillates.
template <class S>
struct BasicPendulumState {
  S t{};
  std::array<S, 4> q{};
  std::array<S, 4> v{};
  std::array<S, 2> lambda{};
};

using PendulumState = BasicPendulumState<double>;

/// Which equations of motion are integrated: angles on the constraint manifold, the index-reduced Cartesian equations
/// with lambda eliminated, or the penalised equations (7).
enum class Formulation { angles, cartesian, penalised };

/// How: Boost.Odeint's controlled Runge-Kutta-Fehlberg 7(8) or Bulirsch-Stoer, or a Taylor series with its own
/// expansions.
enum class Method { fehlberg78, bulirsch_stoer, taylor };

/// In which arithmetic: 53 bits, the platform's long double, or 50 decimal digits.
enum class Arithmetic { double_precision, extended_precision, fifty_digits };

[[nodiscard]] std::string name(Formulation formulation);
[[nodiscard]] std::string name(Method method);
[[nodiscard]] std::string name(Arithmetic arithmetic);

namespace detail {
/// Returns integrate() of double_pendulum_methods.hpp by Method::taylor.
[[nodiscard]] std::vector<PendulumState> integrate_by_taylor(const DoublePendulumParameters& parameters,
                                                             Formulation formulation, Arithmetic arithmetic,
                                                             double end_time, int samples, double tolerance);
}  // namespace detail

/// A reference together with how its accuracy is known.
struct CheckedReference {
  std::vector<PendulumState> states;
  /// Largest difference in q, v and (relative to its largest value) lambda between two independent runs.
  double disagreement = 0.0;
  /// The arithmetic that was sufficient.
  Arithmetic arithmetic = Arithmetic::extended_precision;
};

/// Largest difference of q and v, and of lambda relative to the largest |lambda| (or to 1), over two equally long
/// trajectories. Errors: std::invalid_argument if lengths or times differ.
[[nodiscard]] double disagreement(const std::vector<PendulumState>& one, const std::vector<PendulumState>& other);

/// The constrained motion (6) at `samples` equally spaced times from 0 to end_time, both included, to `accuracy`.
/// How it is known: the angle and the Cartesian formulation run by Taylor series of different orders and tolerances,
/// first in long double; if they differ by more than accuracy / 10, in 50 digits, where they must agree to `accuracy`.
/// accuracy is in [1e-14, 1e-2]. Errors: as integrate(), and std::runtime_error if even the 50-digit runs differ by
/// more (the motion is chaotic and the interval too long): never a doubtful result. Cost to t = 50 from the printed
/// start: 0.01 s with gravity down, below 2 s with gravity up, where errors grow by 1e12.
[[nodiscard]] CheckedReference checked_constrained_reference(const DoublePendulumParameters& parameters,
                                                             double end_time, int samples, double accuracy = 1e-12);

/// The exact motion of the penalised system (7) for parameters.omega, in the same way, except that both runs are of the
/// same equations with different orders and tolerances. The start may violate g = 0.
/// Cost: proportional to omega * end_time; in long double 0.02 s for omega = 20 and 0.1 s for omega = 200 to t = 50, in
/// 50 digits a hundred times that. With gravity down long double reaches 1e-12 up to omega = 50 and 1e-11 at omega =
/// 200.
[[nodiscard]] CheckedReference checked_penalised_reference(const DoublePendulumParameters& parameters, double end_time,
                                                           int samples, double accuracy = 1e-12);

/// The states alone.
[[nodiscard]] std::vector<PendulumState> constrained_reference(const DoublePendulumParameters& parameters,
                                                               double end_time, int samples, double accuracy = 1e-12);
[[nodiscard]] std::vector<PendulumState> penalised_reference(const DoublePendulumParameters& parameters,
                                                             double end_time, int samples, double accuracy = 1e-12);

/// Total energy 1/2 |v|^2 + V(q) of the constrained system.
template <class S>
[[nodiscard]] S energy(const DoublePendulumParameters& parameters, const BasicPendulumState<S>& state) {
  const S gamma = S(parameters.gravity_sign) * S(parameters.gravity);
  S kinetic(0);
  for (const S& component : state.v) kinetic += component * component;
  return kinetic / S(2) + gamma * (state.q[1] + state.q[3]);
}

/// g(q), two components.
template <class S>
[[nodiscard]] std::array<S, 2> constraint(const DoublePendulumParameters& parameters, const std::array<S, 4>& q) {
  const S dx = q[2] - q[0], dy = q[3] - q[1];
  return {q[0] * q[0] + q[1] * q[1] - S(parameters.length1_squared), dx * dx + dy * dy - S(parameters.length2_squared)};
}

/// Dg(q) v, two components.
template <class S>
[[nodiscard]] std::array<S, 2> constraint_rate(const std::array<S, 4>& q, const std::array<S, 4>& v) {
  const S dx = q[2] - q[0], dy = q[3] - q[1], wx = v[2] - v[0], wy = v[3] - v[1];
  return {S(2) * (q[0] * v[0] + q[1] * v[1]), S(2) * (dx * wx + dy * wy)};
}

/// Total energy of the penalised system: the above plus 1/2 omega^2 g'g.
template <class S>
[[nodiscard]] S penalised_energy(const DoublePendulumParameters& parameters, const BasicPendulumState<S>& state) {
  const std::array<S, 2> g = constraint(parameters, state.q);
  const S omega(parameters.omega);
  return energy(parameters, state) + omega * omega * (g[0] * g[0] + g[1] * g[1]) / S(2);
}

}  // namespace livi::reference
