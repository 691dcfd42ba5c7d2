// SPDX-License-Identifier: MIT
//
// What the judge measures on methods for constrained systems, the kind constrained:
//   q' = M^-1 p,  p' = -grad V(q) - Dg(q)^T lambda,  g(q) = 0, from which Dg(q) M^-1 p = 0, the hidden constraint, follows.
// The motion is one on the cotangent bundle of the manifold Q = {g = 0}. A momentum that does not meet the hidden
// constraint is another name of a point of it: what p has along Dg^T does no work on Q. So p is projected to the tangent
// space before it is compared, along Dg^T. The form needs no chart: along a closed curve in g = 0 the integral of p dq is
// that on T*Q, with or without what p has along Dg^T, for Dg dq = 0. A symplectic step preserves it.
#pragma once

#include <livi/judge/measures/measurements.hpp>

namespace livi {

/// The problems of kind constrained.
struct ConstrainedProblems {
  std::vector<JudgedProblem> generic;  ///< no symmetry: a sphere, a surface of degree four, rods, and drawn ones
  JudgedProblem bodies;                ///< three bodies in the plane on two rods: translations and rotations
  JudgedProblem surface;               ///< a surface of revolution of degree four: rotations
  std::vector<JudgedProblem> wide;     ///< six bodies on rods; where any are drawn, four or five heavy ones
};
ConstrainedProblems constrained_problems(std::uint64_t seed, int drawn);

/// Returns the motion from a point over `time`, by extrapolation of the midpoint rule in 50 digits on the equation in
/// which lambda is eliminated, until two columns of its table agree to `tolerance`. It needs second derivatives of g and
/// shares nothing with the methods that are judged. Throws std::runtime_error where they never do.
TimedPoint<Float50> constrained_motion(const JudgedProblem& problem, const TimedPoint<Float50>& from,
                                       const Float50& time, double tolerance);

/// Returns the largest distance of positions from the surfaces g_a = 0, over the size of the position: after each of 24
/// steps of changing size, and after 256 short ones.
Measured distance_from_constraints(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns the largest velocity across the surfaces g_a = 0, Dg_a M^-1 p / |Dg_a|, over the size of the velocity, at the
/// same points.
Measured velocity_across_constraints(ForeignSubject& subject, const JudgedProblem& problem);

/// Measurements on constrained problems that share the exact motions.
class ConstrainedMeasurements {
 public:
  /// `finest`: errors are those of up to 2^finest steps in a unit of time.
  explicit ConstrainedMeasurements(std::uint64_t seed, int finest = 9) : seed_(seed), finest_(finest) {}

  /// Returns the order over the time `time`, from the finest two slopes that are above rounding and above what `distance`,
  /// the distance from the manifold that each step leaves, adds up to.
  MeasuredOrder order(ForeignSubject& subject, const JudgedProblem& problem, double time, double distance);
  /// Returns the error of one step over its size, in the limit of short steps, over the velocity and the force: by a
  /// polynomial through steps of 0.9 2^-4 ... 0.9 2^-9, of 53 bits, with the sign of the problem's step. A momentum formed
  /// of differences of positions has rounding over h in it, and is as good here.
  /// From the start of a problem and from rest, of which only an eighth counts where equations are solved to `left`.
  Measured short_steps(ForeignSubject& subject, const JudgedProblem& problem, double left);
  /// Returns the largest error of single steps of 0.9 2^-10 to 0.9 2^-22, of 53 bits and either sign, over their size and
  /// the velocity or the force; less what rounding makes of it, where momenta are differences of positions, too, and what
  /// a position is beside the manifold by `distance`. Errors of shorter steps count for more, as they are smaller by a power
  /// of h.
  Measured very_short_steps(ForeignSubject& subject, const JudgedProblem& problem, double distance, int power);
  /// Returns the largest change of the integral of p dq over closed curves on the manifold, relative to their size, by one
  /// step and by two. A defect of the size of `distance` is none of the curves being too coarse.
  Measured loop_integral(ForeignSubject& subject, const JudgedProblem& problem, double distance) const;

 private:
  const TimedPoint<Float50>& motion(const JudgedProblem& problem, double time);
  Measured short_steps_from(ForeignSubject& subject, const JudgedProblem& problem);

  std::uint64_t seed_;
  int finest_;
  std::map<std::pair<std::string, double>, TimedPoint<Float50>> motions_;
};

/// Returns the largest relative difference, of momenta along the manifold, of a step of -h from one of h with momenta turned
/// before and after, which any step that is one smooth map of h has.
Measured constrained_turned_step(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns the largest difference, relative to the size of the point, after a step and one of its negative: of h from two
/// starts, and from the first of other sizes of both signs, from 0.06 h to 1.6 h. What the momentum has across the
/// constraints is taken away before the step back.
Measured constrained_reversal(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns the largest relative difference of a step from one without what the momentum has across the constraints, after
/// one to three steps. RATTLE's multipliers take that up; it is none of the state, and no other row compares it.
Measured effect_of_momentum_across(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns the largest change of momentum maps over 64 steps.
Measured constrained_momentum(ForeignSubject& subject, const JudgedProblem& problem,
                              const std::vector<MomentumMap>& maps);
/// The relative error of a force, and what it is in roundings of positions over h.
struct MeasuredForce {
  Measured error;
  double in_roundings;
};
/// Returns the error of the momentum along the manifold after a step of 2^-26 from rest: it is -h times the projected
/// gradient but for a share of h (order one) or h^2.
MeasuredForce force_along_manifold(ForeignSubject& subject, const JudgedProblem& problem);
/// Makes single steps of sizes up to 32, of which some have no solution, on a sphere and on rods. Returns the largest
/// distance from the constraints after those that the method does not say to have failed.
Measured long_steps(ForeignSubject& subject);
/// Returns the evaluations of constraints and of their derivatives in a step, of 16; the value is the sum in the last.
Measured constraint_evaluations(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns a sentence about what a method that was refuted does: the first of the typical mistakes in RATTLE whose step
/// is its own to 1e-10. Empty if there is none.
std::string typical_constrained_mistake(ForeignSubject& subject);

}  // namespace livi
