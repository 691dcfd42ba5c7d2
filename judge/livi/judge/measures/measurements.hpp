// SPDX-License-Identifier: MIT
//
// What the judge measures on a method from outside: numbers, without verdicts. Each function throws ForeignFailure when
// the method breaks its contract, and ForeignRefusal when it cannot make a step; NaN stands for what could not be
// measured.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <livi/judge/method/foreign_subject.hpp>

namespace livi {

/// What is known of where a number comes from, beside the number. The names of these are the `cause` of a row in JSON.
enum class Cause {
  none,
  not_measured,      ///< a step failed, or the number is not finite
  short_numbers,     ///< momenta after a step from rest, and so the forces, all have 24 bits
  changed_momentum,  ///< a defect of a free particle is one of its momentum, not of its position
  lost_in_rounding,  ///< where steps lead, round-off is larger than the loops
  some_not_judged    ///< some steps failed, or their problems were declined: others were judged
};

/// A number with what is to be said of it.
struct Measured {
  double value;
  std::string note = {};  ///< for people: nothing reads it
  bool exact = false;     ///< decided exactly; `value` is then zero or a size
  Cause cause = Cause::none;
  std::string problem = {};  ///< the name of the problem with the largest defect; empty if it is on none, or on several
};

/// Returns a measurement with the problem that it was made on.
inline Measured measured_on(const JudgedProblem& problem, Measured measured) {
  measured.problem = problem.name;
  return measured;
}

/// Returns pointers to problems, which must outlive them.
inline std::vector<const JudgedProblem*> pointers_to(const std::vector<JudgedProblem>& problems) {
  std::vector<const JudgedProblem*> pointers;
  for (const JudgedProblem& problem : problems) pointers.push_back(&problem);
  return pointers;
}

/// The order of a method on a problem, for position and momentum.
struct MeasuredOrder {
  double q, p;
  bool shows_nothing = false;  ///< errors are rounding before two slopes are seen, or the slopes have not settled
  double stalled = 0;          ///< where errors stop falling though rounding is far below: their size; 0 if they do not
  std::string table = {};
  std::string why_undecided = {};
  /// The last three slopes above rounding, the finest one last; NaN where there are fewer.
  std::array<double, 3> of_q = no_slopes, of_p = no_slopes;

  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  static constexpr std::array<double, 3> no_slopes{none, none, none};
};

/// Returns whether the last three slopes refute an order: all are on one side of it, and agree or lead away from it. Two slopes
/// of long steps cannot tell an order from the next: the next term of the error is as large as the first one there.
bool slopes_refute(const std::array<double, 3>& slopes, int order);
/// Returns the lowest order that problems show, of positions, of momenta or of both, and which problem it is. Problems whose
/// slopes have not settled are left out; NaN where none is left. A slope that is off the declared order by 0.3 counts if it
/// refutes it. At least two problems are to show a higher order, and none the declared one; or, from order six on, the next lower.
enum class OrderOf { positions, momenta, both };
Measured lowest_order(const std::vector<std::pair<std::string, MeasuredOrder>>& on_problems, OrderOf of,
                      std::optional<int> declared);

/// The errors of a run at its end, and the size below which they are not the method's: those of rounding, or of an
/// iteration.
struct MeasuredError {
  double q, p, floor;
  double parts = 1;  ///< the number of parts of a step that round: what is below as many floors may have some of it
};
/// Sets the orders to the slopes between the finest two of the errors that are above their floors; says so where slopes have
/// not settled, or where `met` comes before two of them are seen. Each error is of half of the step of the one `stride` before.
void settle_order(MeasuredOrder& result, const std::vector<MeasuredError>& errors, const std::string& met = "rounding",
                  std::size_t stride = 1);
/// Returns the last four errors, each with the size of its step.
std::string table_of_errors(const std::vector<MeasuredError>& errors, const std::vector<double>& steps);

/// The measurements of one judgement, which share the exact motions of the problems.
class Measurements {
 public:
  /// `finest`: global errors are those of up to 2^finest steps.
  explicit Measurements(std::uint64_t seed, int finest = 11) : seed_(seed), finest_(finest) {}

  /// Returns the order in double over the time `time`, from the finest steps above rounding. Where the declared order is six or
  /// more, or rounding is met before three slopes are seen, it is that of long steps, over 3 in the direction of `time`.
  MeasuredOrder order(ForeignSubject& subject, const JudgedProblem& problem, double time);
  /// Returns the order over the time `time` = 3 * 2^k of either sign, from steps of 3/2, 1, 3/4, 1/2, ... (longer ones if `time` is)
  /// down to those where rounding is seen. Methods of high order have few of them: their steps fall by the root of two.
  MeasuredOrder order_of_long_steps(ForeignSubject& subject, const JudgedProblem& problem, double time);
  /// Returns the order of the local error in many digits or in fractions, less one: h = 2^-10, 2^-11, with the sign of
  /// the problem's step.
  MeasuredOrder local_order(ForeignSubject& subject, const JudgedProblem& problem, NumberType type);
  /// Returns the largest change of the loop integral of p dq over the loops of a problem, relative to the loops' size,
  /// by one step and by two: in double, or in the subject's digits.
  Measured loop_integral(ForeignSubject& subject, const JudgedProblem& problem, NumberType type);
  /// Returns the same over one loop across all coordinates, by one step; the loop has the size of the start.
  Measured one_loop(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns the largest entry of J^T Omega J - Omega, J from imaginary variations of 2^-200.
  Measured complex_step(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns the largest entry of J^T Omega J - Omega in fractions, J from variations so small that a value other than
  /// zero cannot be mistaken for zero.
  Measured exact_in_fractions(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns the same in double, where all values at whole multiples of a dyadic variation are those of one polynomial:
  /// then nothing was rounded, and its derivatives are exact. NaN where something was rounded.
  Measured exact_in_double(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns the largest relative difference of a step of -h from one of h with the signs of momenta and of time turned
  /// before and after, in the start and in T(p) and V(q, t). For any step that is one smooth formula in h, without
  /// other constants that have a unit, this is the same map: the equations do not change, whichever unit time is in. Of what branches on the sign of h it is another.
  Measured turned_step(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns the largest difference, relative to the size of the point, after a step of h and one of -h.
  Measured reversal(ForeignSubject& subject, const JudgedProblem& problem, NumberType type);
  /// Returns the largest change of momentum maps of a problem over 64 steps, or 8 back; exact over one step in
  /// fractions.
  Measured momentum(ForeignSubject& subject, const JudgedProblem& problem, const std::vector<MomentumMap>& maps,
                    NumberType type);
  /// Returns the evaluations of the gradient in a step after the first, of 64 of one size; NaN where they differ from
  /// step to step.
  Measured gradients(ForeignSubject& subject, const JudgedProblem& problem);

  /// Returns the evaluations of Hessians, third derivatives and values in the second step.
  Measured other_evaluations(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns why the subject does not take a problem; empty if it does.
  std::string why_refused(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns the first reason why the subject makes no step on any of these problems, whether long or short; empty if it
  /// makes one.
  std::string why_no_step(ForeignSubject& subject, const std::vector<const JudgedProblem*>& problems);

  // ---- what a step depends on; in the first number type of the subject ----

  /// Returns the number of entries that differ between two runs of the same fifteen steps, the second one in another
  /// process where there is one.
  Measured repetition(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns the number of entries that differ between 2, 3, 10, 15, 16 and 100 steps asked for at once and one by one.
  Measured batch(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns the number of entries that differ between steps after a start in the middle of another run and after a
  /// start that is the first.
  Measured history(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns the largest relative difference between a step that goes on and one that starts at the same point, for
  /// steps of one size and of changing size.
  Measured memory(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns the largest relative difference between a step that goes on and one that starts there, after 20000 steps and
  /// after 32 counts from 1000 on that the seed draws, of either parity.
  Measured after_many_steps(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns the number of entries that differ between eight steps that start at t = 0 and those from t = 1024 or t = -3;
  /// for problems that do not depend on time.
  Measured start_of_time(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns why a run has no text from which it could be continued; empty if it has one.
  std::string why_nothing_is_saved(ForeignSubject& subject, const JudgedProblem& problem);
  /// Returns the number of entries that differ between a run that goes on and one that another process continues from
  /// the text that the first one saved, or that the first one itself continues from it after other steps.
  Measured restart(ForeignSubject& subject, const JudgedProblem& problem);

  // ---- problems whose motion is known in closed form ----

  /// Returns the relative error of the position, or the change of the momentum, after a step of a free particle.
  /// `general`: with masses and a step that no short format holds.
  Measured free_particle(ForeignSubject& subject, const JudgedProblem& like, bool general = false);
  /// Returns the error of a step of h under a constant force, in h and, from order two, in h^2.
  Measured constant_force(ForeignSubject& subject, int order, double h = 0.5, bool general = false);
  /// Returns the error of the momentum after a step of size 1.3 under forces 1, t, t^2 ..., t^(order - 1), order <= 4.
  Measured forces_of_time(ForeignSubject& subject, int order);
  /// Returns the relative error of the momentum, or of the position, after a step of 2^-26 from rest: the momentum is
  /// -h times the gradient but for a share of h^2, and all entries have 53 bits. Throws ProblemRefused where momenta are differences
  /// of positions over h, except for a control.
  Measured precision(ForeignSubject& subject, const JudgedProblem& like, bool is_control = false);
  /// Returns the supremum of h omega up to which the oscillator stays bounded, at most `most`.
  Measured stability_limit(ForeignSubject& subject, double most);
  /// Returns by which factor 512 steps of three oscillators grow, the fastest of which has h omega = `h`.
  Measured growth_of_several(ForeignSubject& subject, double h);
  /// Returns the share of the largest energy error of a long run by which its mean drifts from end to end. Errors of `rounding` in each
  /// step explain a drift.
  Measured energy_drift(ForeignSubject& subject, const JudgedProblem& problem, long steps, double rounding);
  /// Returns the largest relative difference between a step in double and one in another type.
  Measured number_types(ForeignSubject& subject, const JudgedProblem& problem, NumberType other);

 private:
  const TimedPoint<Float50>& motion(const JudgedProblem& problem, double time);

  std::uint64_t seed_;
  int finest_;
  std::map<std::pair<std::string, double>, TimedPoint<Float50>> motions_;
};

}  // namespace livi
