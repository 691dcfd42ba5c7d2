// SPDX-License-Identifier: MIT
//
// Methods for a rigid body about a fixed point, R' = R hat(W), mu' = mu x W + tau(R), mu = I W, in this process: controls
// of the judge, and exhibits that it must name. R has the body's axes in space as columns; mu, W and tau are in the axes
// of the body.
//
// The splitting: with I = L D L^T, L lower with ones on its diagonal, and l_k row k of L^-1,
//   mu . I^-1 mu / 2 = sum over k of (l_k . mu)^2 / (2 d_k).
// Under one of these terms l_k . mu is constant, so that the body turns about l_k by x = h (l_k . mu) l_k / d_k:
//   R <- R exp(hat(x)),  mu <- exp(-hat(x)) mu.
// With the axes of the body this is that of Touma and Wisdom (1994) and Reich (1994). Half a step of the torques, half
// of two rotations, one of the third, and back: symplectic, symmetric, of order two, and R mu changes by torques only.
//
// The Lie-Verlet method (Bou-Rabee and Marsden 2009), with the Cayley map:
//   mu + h/2 tau(R) = I x + h/2 x x I x + h^2/4 (x . I x) x,  R <- R cay(h x),
//   mu = I x - h/2 x x I x + h^2/4 (x . I x) x + h/2 tau(R).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <livi/judge/method/foreign_subject.hpp>

namespace livi {

enum class BodyRule {
  splitting,
  lie_verlet,
  /// Two of Adams' explicit steps are not symmetric: after four steps of the splitting, that of order two.
  adams_bashforth,
  runge_kutta,  ///< the classical one in (R, mu), and R put back on SO(3): of order four, and not symplectic
};

/// The way in which a method for rigid bodies is wrong.
enum class BodyFlaw {
  none,
  old_torque,            ///< the torque at the old attitude for both halves
  in_place,              ///< the momentum is not turned into the new axes of the body
  turned_back,           ///< the momentum is turned the wrong way
  torque_of_space,       ///< the torque is taken for one in the axes of space
  off_the_group,         ///< rotations are I + hat(x) + hat(x)^2 / 2
  left_handed,           ///< from the hundredth step of a run on the third axis is the other way
  without_products,      ///< only the diagonal of the inertia counts
  as_if_symmetric,       ///< the first two moments are taken for equal to the first
  without_quadratic,     ///< Lie-Verlet without the terms h^2/4 (x . I x) x
  early_end,             ///< the iteration of Lie-Verlet ends where the momentum is right to 1e-8
  weak_if_equal,         ///< torques are half of what they are where moments are equal
  weak_at_identity,      ///< a torque at the attitude I is taken for none
  kicks_at_start,        ///< one torque and one product of rotations: order one, no flaw where that is said
  lopsided,              ///< halves of 0.501 h and 0.499 h
  absolute_step,         ///< the size of the step counts, not its sign
  inverse_if_negative,   ///< order one, and for h < 0 the inverse of a step of -h
  float_step,            ///< h is rounded to 24 bits
  strong_torque,         ///< torques are too strong by 1e-9
  long_turn,             ///< rotations are too large by 1e-8
  light_when_short,      ///< the inertia is half of what it is for |h| between 1e-7 and 1/600
  far_when_short,        ///< rotations are too large by 1e-5 for |h| between 1e-7 and 1/600
  weak_on_tops,          ///< torques are half of what they are where two moments are equal and the third is not
  weak_upside_down,      ///< torques are half of what they are within two degrees of half a turn from the attitude I
  weak_if_fast,          ///< torques are half of what they are where |W| is above three
  asleep_at_rest,        ///< no step where the momentum is zero
  slow_is_still,         ///< the body does not turn where |W| is below 0.1
  reads_clock,           ///< torques are half of what they are where |t| is above one
  asleep_for_a_while,    ///< half of h from the 5000th to the 15000th step of a run
  stale_torque,          ///< the torque of the last step where the attitude is that one to 1e-3
  grows,                 ///< attitudes are longer by 2.5e-15 after each step
  longer_if_long,        ///< the momentum of a free body is too long by 0.01 h^4 where |h| is above 0.1
  inverse_if_short,      ///< lopsided in three parts for h between -0.09 and 0.09, and for h < 0 the inverse of that
  short_cut,             ///< Lie-Verlet without the terms h^2/4 (x . I x) x for |h| below 0.09
  short_cut_in_between,  ///< Lie-Verlet without these terms for |h| between 0.13 and 0.18
  short_cut_if_fast,     ///< Lie-Verlet without these terms where |W| is above two
  pushes,                ///< the momentum gets h 2^-10 from nowhere
  longer_momentum,       ///< the momentum is too long by h 2^-12 of itself, and the rotation knows nothing of it
  counts_steps,          ///< every other step of the process is lopsided
  tires,                 ///< lopsided from the ten-thousandth step of a run on
  falls_asleep,          ///< half of h from the ten-thousandth step of a run on
  remembers,             ///< start() leaves the torque of the run before, with which the first step begins
  keeps_torque,          ///< the torque of the first half is the last one, whatever step came between
  forgets_in_saved,      ///< the saved text has not got the momentum's last bits
};

/// Steps with the shares of h, one after the other.
struct BodySteps {
  std::vector<double> shares;
  BodyRule rule = BodyRule::splitting;
  BodyFlaw flaw = BodyFlaw::none;
};

/// Returns the name of the splitting, or of the method that a flaw belongs to, with the flaw.
std::string name_of_body_splitting(BodyFlaw flaw);
/// Returns such a method as a subject for the kind body in double. A step whose equations Newton's iteration does not
/// solve is refused.
std::unique_ptr<ForeignSubject> body_subject(const std::string& name, const BodySteps& steps);

}  // namespace livi
