// SPDX-License-Identifier: MIT
//
// Methods in this process behind the interface of methods from outside: the controls of the judge, right and wrong, and
// the typical mistakes with which it compares a method that is refuted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <livi/judge/controls/constrained_methods.hpp>
#include <livi/judge/controls/rigid_body_methods.hpp>
#include <livi/judge/method/foreign_subject.hpp>

namespace livi {

/// A part of a step: q += (a/b) h dT/dp, or p -= (a/b) h dV/dq.
struct StepPart {
  enum class What {
    drift,
    kick,
    drift_with_first_velocity,  ///< the velocity is that of the first drift of the step
    kick_with_first_force,      ///< the force is that of the position with which the step began
    kick_with_last_force,       ///< the force is the last one that was computed, in an earlier step if there is one
    heat_bath,  ///< exact motion of p under friction and noise over (a/b) h; nothing but for the kind langevin
  };
  What what;
  double numerator, denominator = 1;
};

/// The way in which a built-in method is wrong beyond its parts.
enum class BuiltInFlaw {
  none,
  absolute_step,       ///< the size of the step counts, not its sign
  turned_back,         ///< a step back has the parts of a step in reverse order, which makes it the inverse of one
  counts_steps,        ///< every other step of the process is lopsided
  single_number,       ///< forces are rounded to 24 bits
  coarse_number,       ///< forces are rounded to 8 bits
  remembers,           ///< what start() should forget stays: the step before enters the next
  pushes,              ///< the first momentum gets h 2^-20 from nowhere
  pushes_hard,         ///< the first momentum gets h 2^-8 from nowhere
  tires,               ///< lopsided from the ten-thousandth step of a run on
  forgets_in_saved,    ///< the saved text has not got the momentum's last bits
  friction_per_body,   ///< the friction is applied once for every body, to all
  noise_without_mass,  ///< the noise of every body is that of mass one
  shared_noise,        ///< one normal number is taken for all bodies
  noise_of_three,      ///< the first three bodies' normal numbers are taken for all others, too
  squared_noise,       ///< the square of a normal number stands in its place
  old_noise,           ///< the normal numbers of the first step after a start are taken in all steps
  warm_without_heat,   ///< the temperature is 2^-20 higher than it is
  first_order_bath,    ///< friction and noise by Euler and Maruyama's step
  bath_ends,           ///< no friction and no noise from the 500th step of a run on
  still_in_sevens,     ///< stands still in 7, 14, ... dimensions
  bath_is_not_saved,   ///< no friction and no noise in a run that goes on from a saved text
};

/// A method given as data: the parts of its step one after the other, or an explicit Runge-Kutta tableau.
struct BuiltInMethod {
  std::string name;
  std::vector<StepPart> parts = {};
  /// Rows of a, below each other, and b as the last row; each entry numerator / `tableau_denominator`.
  std::vector<std::vector<double>> tableau = {};
  double tableau_denominator = 1;
  BuiltInFlaw flaw = BuiltInFlaw::none;
  std::optional<ConstrainedSteps> constrained = {};  ///< a method for the kind constrained alone; nothing else counts
  std::optional<BodySteps> body = {};                ///< a method for the kind body alone; nothing else counts
};

/// Return methods with which the judge measures itself.
BuiltInMethod built_in_verlet(BuiltInFlaw flaw = BuiltInFlaw::none);
BuiltInMethod built_in_lopsided_verlet();  ///< half kicks of 501/1000 and 499/1000: order one
BuiltInMethod built_in_symplectic_euler(BuiltInFlaw flaw = BuiltInFlaw::none);
BuiltInMethod built_in_explicit_euler();
BuiltInMethod built_in_runge_kutta_4();
/// Returns the splitting of Leimkuhler and Matthews (2013): kick, drift, heat bath, drift, kick.
BuiltInMethod built_in_baoab(BuiltInFlaw flaw = BuiltInFlaw::none);
/// Returns Andersen's RATTLE (1983), for the kind constrained.
BuiltInMethod built_in_rattle(ConstrainedFlaw flaw = ConstrainedFlaw::none);
/// Returns the splitting of a rigid body's motion into torques and rotations, for the kind body.
BuiltInMethod built_in_body_splitting(BodyFlaw flaw = BodyFlaw::none);
/// Returns the composition of drifts a[i] and kicks b[i], drift first or kick first.
BuiltInMethod built_in_splitting(std::string name, const std::vector<double>& a, const std::vector<double>& b,
                                 bool kick_first);

/// Returns a built-in method as a subject that computes in every number type and takes every kind of problem.
std::unique_ptr<ForeignSubject> built_in_subject(const BuiltInMethod& method);

}  // namespace livi
