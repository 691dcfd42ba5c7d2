// SPDX-License-Identifier: MIT
//
// Methods for H = sum of p_i^2 / (2 m_i) + V(q) under constraints g(q) = 0, in this process: RATTLE (Andersen 1983),
//   p' = p - h/2 grad V(q) - Dg(q)^T lambda,  Q = q + h M^-1 p',  g(Q) = 0,
//   P = p' - h/2 grad V(Q) - Dg(Q)^T mu,  Dg(Q) M^-1 P = 0,
// its compositions, and what goes wrong in it: controls of the judge, and exhibits that it must name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <livi/judge/method/foreign_subject.hpp>

namespace livi {

/// The way in which a method for constrained systems is wrong, or other than RATTLE.
enum class ConstrainedFlaw {
  none,
  without_hidden,         ///< no mu: SHAKE (Ryckaert, Ciccotti and Berendsen 1977), which is no flaw where it is said
  hidden_of_start,        ///< Dg(q)^T mu instead of Dg(Q)^T mu
  hidden_without_masses,  ///< Dg P = 0 by Dg(Q)^T mu, in place of velocities
  momentum_of_free,       ///< lambda moves the position and leaves the momentum as it is
  half_in_momentum,       ///< the momentum gets half of lambda
  direction_of_end,       ///< Dg(Q)^T lambda instead of Dg(q)^T lambda
  step_without_masses,    ///< Q gets -h Dg(q)^T lambda instead of -h M^-1 Dg(q)^T lambda
  one_iteration,          ///< Newton's iteration ends after its first step
  early_end,              ///< Newton's iteration ends where the distance from the manifold is below 1e-8
  forgets_last,           ///< the last of several constraints is not enforced
  hides_failure,          ///< returns the last iterate of an iteration that does not converge
  as_if_quadratic,        ///< takes the constraint for its second-order expansion at q, which spheres and rods are
  from_differences,       ///< the momentum is M (Q - q) / h before its last kick: no flaw, but it loses bits
  kicks_at_start,         ///< one kick of h, then the drift: order one, not symmetric, and no flaw where that is said
  asleep_at_rest,         ///< no step where the momentum is zero
  reads_clock,            ///< forces are half of what they are where |t| is above one
  too_light_when_short,   ///< masses are too small by 1e-5 of themselves for |h| between 1e-7 and 1/600
  falls_asleep,           ///< half of h from the ten-thousandth step of a run on
  tires,                  ///< lopsided from the ten-thousandth step of a run on
  weak_for_many,          ///< forces are half of what they are under more than three constraints
  weak_for_equal_masses,  ///< forces are half of what they are where all masses are equal
  float_step,             ///< h is rounded to 24 bits
  lopsided_in_between,    ///< half kicks of 0.4 h and 0.6 h for |h| between 0.13 and 0.99
  light_when_short,       ///< masses are half of what they are for |h| between 1e-7 and 1/600
  keeps_sign_across,      ///< parts of 0.4 h and 0.6 h, or 0.6 h and 0.4 h after -h, whose sign is in Dg M^-1 p
  stops_by_sign_across,   ///< half of h where the step before was one of -h, whose sign is in Dg M^-1 p
  strong_force,           ///< forces are too strong by 1e-9
  long_drift,             ///< velocities are too large by 1e-8
  lopsided,               ///< half kicks of 0.501 h and 0.499 h
  absolute_step,          ///< the size of the step counts, not its sign
  pushes,                 ///< the momentum gets h 2^-10 from nowhere, along the manifold
  old_jacobian,           ///< the derivatives of the constraints are those of the run's first step
  counts_steps,           ///< every other step of the process is lopsided
  remembers,              ///< start() leaves the multipliers of the step before, with which the iteration begins
  forgets_in_saved,       ///< the saved text has not got the momentum's last bits
};

/// Steps of RATTLE with the shares of h, one after the other.
struct ConstrainedSteps {
  std::vector<double> shares;
  ConstrainedFlaw flaw = ConstrainedFlaw::none;
};

/// Returns the name of RATTLE with a flaw.
std::string name_of_rattle(ConstrainedFlaw flaw);
/// Returns the shares of Suzuki's composition of order four (1990).
std::vector<double> suzuki_shares();

/// Returns such a method as a subject for the kind constrained in double. A step whose equations Newton's iteration does
/// not solve is refused.
std::unique_ptr<ForeignSubject> constrained_subject(const std::string& name, const ConstrainedSteps& steps);

namespace foreign_detail {
/// Solves a x = b, a with n rows of n entries, by elimination with pivots; overwrites both. Numbers that are not finite
/// come of a singular matrix.
template <class S>
void solve_in_place(std::vector<S>& a, std::vector<S>& b) {
  using std::abs;
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (abs(a[i * n + k]) > abs(a[pivot * n + k])) pivot = i;
    for (std::size_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const S factor = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
}
}  // namespace foreign_detail

}  // namespace livi
