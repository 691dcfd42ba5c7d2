// SPDX-License-Identifier: MIT
//
// What the judge measures on methods that choose their steps in time, the kind adaptive: h is the step of a variable tau of
// the method's own, dt = sigma h + O(h^2) with a sigma > 0 that the judge does not know, and a state says which time it has.
// What holds must hold at that time. Where the method also shows the energy E0 that it keeps (the kind extended), a step is
// a map of the phase space (q, t; p, -E0), in which symplecticity is defined for it.
#pragma once

#include <livi/judge/measures/measurements.hpp>

namespace livi {

/// Returns a problem of the kind adaptive with a constant in its potential that keeps it below zero on the motion, for
/// methods that need it; the motion is the same.
JudgedProblem below_zero(const JudgedProblem& problem);
/// Returns an orbit far from a circle in the potential |q|^4 / 4, on which forces vary a thousandfold.
JudgedProblem elongated_orbit();
/// Returns a problem of the kind adaptive, or extended, whose `h` is that of the problem given times the power of two with
/// which the subject's first step is about as long; the start has the energy of its point.
JudgedProblem for_adaptive_steps(ForeignSubject& subject, const JudgedProblem& problem, ProblemKind kind);

/// Returns the elongated orbit with that h with which the longest step on it is about as long as its own h.
JudgedProblem orbit_for_adaptive_steps(ForeignSubject& subject);

/// Returns the subject on one problem as a method with constant steps in tau that has the time as its last coordinate and
/// minus the energy (zero where it shows none) as its last momentum; `with_clock()` of the problem is that problem. Both,
/// and the subject, must outlive it.
std::unique_ptr<ForeignSubject> clock_as_coordinate(ForeignSubject& subject, const JudgedProblem& problem);
JudgedProblem with_clock(const JudgedProblem& problem);

/// Returns the order in the time: errors against the exact motion at the times that are reached about `time` (1 or -1).
MeasuredOrder order_in_time(ForeignSubject& subject, const JudgedProblem& problem, double time);
/// Returns the largest relative error of a step of 2^-26: of the position from the origin against its motion in the time
/// that the step has by its clock, and of the momentum from rest. Both begin at zero, so that all bits count; what is left
/// is the method's own error, of the square of the step's size from order two on.
Measured error_of_the_clock(ForeignSubject& subject);
/// Returns how many of 96 steps, forwards and backwards, do not advance the time in the direction of h.
Measured steps_against_time(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns the ratio of the longest to the shortest of 512 steps on the elongated orbit.
Measured range_of_steps(ForeignSubject& subject);
/// Returns the largest relative difference of states after four steps of h, four of -h, and four of h, from the start and
/// from the first end; without another start between where the method says that it has a memory. Says so where a step of h/2 is
/// exactly half as long as one of h.
Measured reversal_in_time(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns the largest difference of the mean length of steps, or relative one of positions and momenta, between 32 steps
/// that begin at the time of the problem and at 1024 more.
Measured later_by_the_clock(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns the largest relative error of a step of either sign, about 2^-20 long by its clock, in q' = p/m, p' = -grad V, up to
/// the second order in the time: over the velocity, and over the force. A method of order one has errors of 2^-20.
Measured short_step_in_time(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns the largest error of the way, of a method of order two at least, over the velocity and the square of the time in
/// single steps of some 2^-17, 2^-15 and 2^-13, of both signs.
Measured ways_of_single_steps(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns how much dt(h) / h differs, relatively, between four h of 53 bits near 2^-26 and the power of two, dt being the mean
/// of steps of h and -h, so that dt / h = sigma + O(h^2).
Measured bits_of_steps(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns the error of a step over its length by its clock, in the limit of short steps, over the velocity and the force:
/// by a polynomial through steps of a quarter of the problem's to its 128th part, of its sign.
Measured clock_in_the_limit(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns the largest relative difference of a step of -h from one of h with momenta turned before and after, times with
/// the other sign, which any step that is one smooth map of h has. Throws ProblemRefused where the density of steps is
/// not even in the momenta.
Measured turned_step_in_time(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns the largest relative difference of times, positions and momenta between eight steps of the kind adaptive and
/// eight of the kind extended with E = H(q, p), of either sign; or, where it is larger, of the energy from the one given,
/// also where that is H + 2^-20, with which the state may change by 1024 times as much.
Measured extended_beside_adaptive(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns whether the method answers with a state, 1, where forces are no numbers, or says that it has no step, 0.
Measured state_without_forces(ForeignSubject& subject, const JudgedProblem& problem);
/// Returns the share of the largest energy error by which its mean over the time drifts in 8192 steps on the elongated
/// orbit, from end to end.
Measured energy_drift_in_time(ForeignSubject& subject);

}  // namespace livi
