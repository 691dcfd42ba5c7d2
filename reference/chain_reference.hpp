// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "reference/double_pendulum_reference.hpp"

/// High-accuracy references for the planar chain of n pendula of TO14, Section 4.2, compiled once into
/// `livi::reference`. Nothing here uses the systems or the integrators of lib/: it is there to check them.
///
/// Unit masses, coordinates q = (x_1, y_1, ..., x_n, y_n), potential V = gravity_sign * gravity * sum y_k, constraints
/// g_k(q) = |d_k|^2 - L_k^2 with d_k = q_k - q_{k-1}, q_0 = 0.
namespace livi::reference {

struct ChainParameters {
  /// +1: V = g sum y_k, gravity points to negative y. -1: the potential as TO14 prints it.
  int gravity_sign = 1;
  double gravity = 1.0;
  /// L_k^2, n of them; squared because only squares enter g.
  std::vector<double> squared_lengths;
  std::vector<double> initial_q, initial_v;  ///< 2 n each; on g = 0 and tangent to it to rounding

  [[nodiscard]] std::size_t links() const { return squared_lengths.size(); }
};

/// The start of TO14, Figure 3, for any n: particle k at (k, -2 k), at rest, all L_k^2 = 5.
[[nodiscard]] ChainParameters slanted_chain(int links, int gravity_sign = 1);

/// One sample. lambda_k is the multiplier of M q'' = -grad V + Dg^T lambda: link k pulls with a force of -2 lambda_k
/// L_k.
struct ChainState {
  double t = 0.0;
  std::vector<double> q, v, lambda;
};

/// Which equations are integrated, both in the angles of the links: theta'' by a tridiagonal system for the tensions
/// at O(n), or by Cholesky factorisation of the full mass matrix at O(n^3). See chain.hpp.
enum class ChainFormulation { tensions, mass_matrix };

[[nodiscard]] std::string name(ChainFormulation formulation);

/// One run at t_k = k * end_time / (samples - 1), k = 0 .. samples - 1, with the given local error tolerance (absolute
/// and relative), converted to double at the end; as integrate() of the double pendulum. Method::taylor belongs to
/// ChainFormulation::tensions. Errors: std::invalid_argument for parameters, times, a tolerance or a combination out of
/// range; std::runtime_error naming the time when a value stops being finite or the step size underflows.
[[nodiscard]] std::vector<ChainState> integrate_chain(const ChainParameters& parameters, ChainFormulation formulation,
                                                      Method method, Arithmetic arithmetic, double end_time,
                                                      int samples, double tolerance);

/// Largest difference of q and v, relative to the largest of each (or to 1), and of lambda likewise, over two equally
/// long trajectories. Errors: std::invalid_argument if lengths, sizes or times differ.
[[nodiscard]] double disagreement(const std::vector<ChainState>& one, const std::vector<ChainState>& other);

/// A reference together with how its accuracy is known.
struct CheckedChainReference {
  std::vector<ChainState> states;
  double disagreement = 0.0;  ///< disagreement of two independent runs
  Arithmetic arithmetic = Arithmetic::extended_precision;
};

/// The motion at `samples` equally spaced times from 0 to end_time, both included, to `accuracy` (of [1e-14, 1e-2],
/// relative to the largest coordinate). How it is known: two runs with different equations or, beyond 16 links,
/// different methods (Taylor series; Fehlberg 7(8)) in long double; if they differ by more than accuracy / 10, two
/// Taylor runs of different orders and tolerances in 50 digits, which must agree to `accuracy`. Errors: as
/// integrate_chain(), and std::runtime_error if even these differ by more: the motion is chaotic and the interval too
/// long.
/// What can be had for slanted_chain(10). Gravity down: the motion is regular, long double runs agree to 1e-14 up to
/// t = 500, errors grow by less than 100. Gravity up: chaotic, errors grow by a factor of 5 to 7 per unit of time; long
/// double reaches 1e-10 up to t = 20 and 50 digits 3e-13 at t = 50. Cost: 0.5 s in long double to t = 50, 20 s for each
/// run in 50 digits. For 100 and 1000 links and t = 5: 0.2 s and 6 s, 1e-15.
[[nodiscard]] CheckedChainReference checked_chain_reference(const ChainParameters& parameters, double end_time,
                                                            int samples, double accuracy = 1e-10);

}  // namespace livi::reference
