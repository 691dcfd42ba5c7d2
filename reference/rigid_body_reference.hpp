// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include "reference/double_pendulum_reference.hpp"

/// High-accuracy references for the rigid body of BOS09, Section 3, compiled once into `livi::reference`. Nothing here
/// uses the systems, the integrators or the rotation group of lib/: it is there to check them.
///
/// Q' = Q hat(W), I W' = I W x W + tau(Q), I = diag(moments), tau(Q) . y = -DU(Q) . Q hat(y),
/// U(Q) = (dist(Q, I) - 1)^2 - alpha/dist(Q, Q_m), dist the Frobenius norm of the difference.
namespace livi::reference {

/// The defaults are those of BOS09, Section 3.
struct RigidBodyParameters {
  std::array<double, 3> moments{2.0, 2.0, 4.0};
  double alpha = 0.3;
  /// Q_m turns by this angle (radians) about this axis, which need not have length one.
  double attractor_angle = 2.5;
  std::array<double, 3> attractor_axis{1.0, 0.0, 1.0};
  /// Q_0 = exp of this vector (radians), of length below pi.
  std::array<double, 3> initial_rotation{0.0, 0.7227, 0.0};
  /// W_0, in body axes.
  std::array<double, 3> initial_w{0.0, 0.0, 0.625};
};

/// One sample of a trajectory: Q by columns, W in body axes.
struct RigidBodyState {
  double t = 0.0;
  std::array<double, 9> q{};
  std::array<double, 3> w{};
};

/// Which equations are integrated: Q as a unit quaternion p, p' = p W/2, where dist(Q, I) = 2 sqrt(2) |vector of p|;
/// or as a matrix of nine entries, whose orthogonality is a result and no assumption.
enum class RigidBodyFormulation { quaternions, matrices };

[[nodiscard]] std::string name(RigidBodyFormulation formulation);

/// One run at t_k = k * end_time / (samples - 1), k = 0 .. samples - 1, by Boost.Odeint, with the given local error
/// tolerance (absolute and relative; states are of order one), rounded to double at the end. Method::taylor is refused.
/// Errors: std::invalid_argument for parameters, times or a tolerance out of range; std::runtime_error naming the time
/// when a value stops being finite or the step size underflows.
[[nodiscard]] std::vector<RigidBodyState> integrate_rigid_body(const RigidBodyParameters& parameters,
                                                               RigidBodyFormulation formulation, Method method,
                                                               Arithmetic arithmetic, double end_time, int samples,
                                                               double tolerance);

/// Largest difference of any entry of Q and W over two equally long trajectories. Errors: std::invalid_argument if
/// lengths or times differ.
[[nodiscard]] double disagreement(const std::vector<RigidBodyState>& one, const std::vector<RigidBodyState>& other);

/// A reference with how its accuracy is known: the largest difference between a run on quaternions by Bulirsch-Stoer
/// and one on matrices by Runge-Kutta-Fehlberg 7(8), both in long double.
struct CheckedRigidBodyReference {
  std::vector<RigidBodyState> states;
  double disagreement = 0.0;
  Arithmetic arithmetic = Arithmetic::extended_precision;
};

/// The exact motion to `accuracy` (1e-14 to 1e-2). Errors: as integrate_rigid_body(), and std::runtime_error if the two
/// runs differ by more: never a doubtful result. Cost: some milliseconds per unit of time.
[[nodiscard]] CheckedRigidBodyReference checked_rigid_body_reference(const RigidBodyParameters& parameters,
                                                                     double end_time, int samples,
                                                                     double accuracy = 1e-12);

}  // namespace livi::reference
