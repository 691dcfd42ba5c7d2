// SPDX-License-Identifier: MIT
//
// What the judge measures on methods for a rigid body about a fixed point, the kind body: the attitude R in SO(3), whose
// columns are the body's axes in space, nine numbers by rows, and the body momentum mu, in the axes of the body,
//   R' = R hat(W),  mu' = mu x W + tau(R),  mu = I W,  H = mu . I^-1 mu / 2 + V(R).
// V is a polynomial in the nine numbers; its torque is tau . y = -d/ds V(R exp(s hat(y))). The one-form of T*SO(3) is
// mu . y for dR = R hat(y), from the left as in systems/lie_system.hpp. That is sum of P_ij dR_ij with P = R hat(mu) / 2,
// so that its integral along a closed curve needs no chart; a symplectic step preserves it.
#pragma once

#include <livi/judge/measures/measurements.hpp>

namespace livi {

/// The problems of kind body. Sums of two moments of inertia are above the third, as those of all bodies are.
struct JudgedBodies {
  std::vector<JudgedProblem>
      generic;                      ///< no symmetry: three moments, a ball, two moments, a full inertia, and drawn ones
  std::vector<JudgedProblem> tops;  ///< V depends on the vertical in the body: (R mu)_3 is constant
  std::vector<JudgedProblem> free;  ///< no torque: R mu and |mu| are constant
};
JudgedBodies judged_bodies(std::uint64_t seed, int drawn);

/// Returns the motion from a point over `time`, by extrapolation in 50 digits of the equations above. Throws
/// std::runtime_error where it does not converge to `tolerance`.
TimedPoint<Float50> body_motion(const JudgedProblem& problem, const TimedPoint<Float50>& from, const Float50& time,
                                double tolerance);

/// Returns a problem whose velocities are `speed` times as large in both starts, with a step.
JudgedProblem at_speed(JudgedProblem problem, double speed, double h);

/// Returns the largest of |R^T R - 1| and |det R - 1| over the square root of the number of steps made, or over that number
/// where what each leaves `adds_up`, in runs of 24 steps of changing size and of 1024.
Measured distance_from_group(ForeignSubject& subject, const JudgedProblem& problem, bool adds_up);

/// The loops along which a method is judged.
struct LoopsOf {
  std::size_t curves = 4;
  double speed = 1;  ///< the size of their velocities
  long steps = 1;    ///< made at once: what is compared is the point before and the point after them
};

/// Measurements on rigid bodies with the seed of their loops, and the finest steps.
class BodyMeasurements {
 public:
  /// `finest`: errors are those of up to 2^finest steps in a unit of time.
  explicit BodyMeasurements(std::uint64_t seed, int finest = 9) : seed_(seed), finest_(finest) {}

  /// Returns the order over the time `time`, from the finest two slopes above rounding and above what `left`, the error of
  /// the equations of a step, adds up to.
  MeasuredOrder order(ForeignSubject& subject, const JudgedProblem& problem, double time, double left) const;
  /// Returns the error of one step over its size, in the limit of short steps, over the rates of R and mu: by a polynomial
  /// through steps of 0.9 2^-4 ... 0.9 2^-9, of 53 bits, with the sign of the problem's step. From the start of a problem, from rest, from there with a
  /// sixty-fourth of the velocity, and with eight times the velocity, where steps are a quarter as long.
  /// Where the equations of a step are solved to `left`, only an eighth of what is not the start of the problem counts.
  Measured short_steps(ForeignSubject& subject, const JudgedProblem& problem, double left) const;
  /// Returns the largest error of single steps of 0.9 2^-10 to 0.9 2^-22, of 53 bits and either sign, over their size and
  /// the rates of R and mu; less what rounding, and `left`, make of it. Errors of shorter steps count for more, as they are
  /// smaller by a power of h.
  Measured very_short_steps(ForeignSubject& subject, const JudgedProblem& problem, double left, int power) const;
  /// Returns the largest change of the integral of the one-form along closed curves, relative to their size, by one step
  /// and by two.
  Measured loop_integral(ForeignSubject& subject, const JudgedProblem& problem, const LoopsOf& loops = {}) const;

 private:
  Measured short_steps_from(ForeignSubject& subject, const JudgedProblem& problem) const;

  std::uint64_t seed_;
  int finest_;
};

/// Returns the largest difference after a step and one of its negative: of h from two starts, and from the first of other
/// sizes of both signs, from 0.06 h to 1.6 h. Momenta are compared relative to their size. Of a method with a memory, of
/// whose steps some are made and taken back, the smaller difference counts: that of a run that goes on, and that of one that
/// begins anew where it turns.
Measured body_reversal(ForeignSubject& subject, const JudgedProblem& problem, long steps = 1);
/// Returns the largest difference of a step of -h from one of h with momenta turned before and after, which any step that is
/// one smooth map of h has; of the same sizes.
Measured body_turned_step(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns the largest change of R mu, of its part along `axis` (0 to 2) or of all three (-1), over 64 steps of h/2 and over
/// 32 of h, -h/2 and h/7, relative to its size.
Measured change_of_spatial_momentum(ForeignSubject& subject, const JudgedProblem& problem, int axis);
/// Returns the largest change of |mu| over the same steps, relative to it.
Measured change_of_size_of_momentum(ForeignSubject& subject, const JudgedProblem& problem);
/// The relative error of a torque, and what it is in roundings of attitudes over h.
struct MeasuredTorque {
  Measured error;
  double in_roundings;
};
/// Returns the error of the momentum after a step of 2^-26 from rest, beside h tau. `for_short_steps`: extrapolates from two step sizes to
/// h = 0, for methods of order one, whose relative error is proportional to h.
MeasuredTorque torque_from_rest(ForeignSubject& subject, const JudgedProblem& problem, bool for_short_steps = false);
/// Returns how far a free body at rest moves in sixteen steps of changing size.
Measured motion_at_rest(ForeignSubject& subject, JudgedProblem problem);

}  // namespace livi
