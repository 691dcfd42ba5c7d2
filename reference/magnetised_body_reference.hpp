// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include "reference/double_pendulum_reference.hpp"

/// High-accuracy references for the magnetised rigid body of TO14, Section 4.5, part of `livi::reference`. Nothing here
/// uses lib/: it is there to check it.
///
/// Identity inertia, a dipole along the third body axis in a field along the third axis of space:
///   R' = R hat(W),   W' = strength (R'e3) x e3,   E = |W|^2/2 + strength R_33,
/// W in body axes, strength = B mu. E, W_3 and the third component of R W are constant. The penalised motion in R^{3x3}
/// is R'' = -2 strength e3 e3' - 4 omega^2 R (R'R - I). With multipliers of R'R = I in place of the penalty it is
/// R'' = F - R L, F = -2 strength e3 e3', L symmetric such that the second derivative of R'R vanishes.
namespace livi::reference {

/// The defaults are the printed start and penalty, and a strength that is not printed.
struct MagnetisedBodyParameters {
  double strength = 1.0;
  double omega = 10.0;  ///< only the penalised motion reads it
  std::array<double, 3> initial_w{1.0, 0.2, 0.1};
  std::array<double, 3> initial_rotation{0.0, 0.0, 0.0};  ///< R(0) = cay of it (axis times 2 tan(angle/2))
};

/// One sample. `r` by columns: r[3 j + i] = R_ij; `w` angular velocity in body axes, of the penalised motion vee of the
/// antisymmetric part of R'R_dot.
struct MagnetisedBodyState {
  double t = 0;
  std::array<double, 9> r{};
  std::array<double, 3> w{};
};

/// Which equations are integrated: a quaternion and W, the nine entries of R and W, the penalised matrix and its
/// velocity, or the matrix and its velocity with multipliers.
enum class BodyFormulation { quaternion, matrix, penalised, constrained };

/// One run at t_k = k end_time/(samples - 1), k = 0 .. samples - 1, by Boost.Odeint, with a local error tolerance
/// (absolute and relative), converted to double at the end. Method::taylor and Arithmetic::double_precision are
/// refused. Errors: std::invalid_argument for parameters, times or a tolerance out of range; std::runtime_error naming
/// the time when a value stops being finite.
[[nodiscard]] std::vector<MagnetisedBodyState> integrate(const MagnetisedBodyParameters& parameters,
                                                         BodyFormulation formulation, Method method,
                                                         Arithmetic arithmetic, double end_time, int samples,
                                                         double tolerance);

/// Largest difference of an entry of R or W. Errors: std::invalid_argument if lengths or times differ.
[[nodiscard]] double disagreement(const std::vector<MagnetisedBodyState>& one,
                                  const std::vector<MagnetisedBodyState>& other);

/// The motion on SO(3) at `samples` equally spaced times from 0 to end_time to `accuracy` (1e-14 to 1e-2): matrices by
/// Bulirsch-Stoer and quaternions by Fehlberg, both in long double, which must agree to it. Errors: as integrate(), and
/// std::runtime_error if they do not. Cost to t = 50: 0.05 s.
[[nodiscard]] std::vector<MagnetisedBodyState> magnetised_body_reference(const MagnetisedBodyParameters& parameters,
                                                                         double end_time, int samples,
                                                                         double accuracy = 1e-12);

/// The exact penalised motion, two methods in long double that must agree. Cost: proportional to omega end_time.
[[nodiscard]] std::vector<MagnetisedBodyState> penalised_body_reference(const MagnetisedBodyParameters& parameters,
                                                                        double end_time, int samples,
                                                                        double accuracy = 1e-10);

}  // namespace livi::reference
