// SPDX-License-Identifier: MIT
//
// The methods that tests must reject, compiled once. Only for the battery's own sources.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <livi/diagnostics/subject.hpp>

namespace livi::battery_detail {

/// A method that a test must reject, with its name in reports.
struct ControlMethod {
  std::string name;
  std::unique_ptr<Subject> subject;
};

/// Return controls on the problems of vector spaces. SimplifiedZhangSkeel is symmetric, of order two, not symplectic.
/// Verlet with half kicks of 0.501 h and 0.499 h is of order one.
const ControlMethod& simplified_control();
const ControlMethod& lopsided_control();

/// The flaw of a FlawedVerlet. Lopsided means half kicks of 0.501 h and 0.499 h: consistent, of order one.
enum class Flaw {
  lopsided,        ///< every step is lopsided
  other_equation,  ///< the force is 1 + 1e-12 times the right one
  absolute_step,   ///< a step of -h is one of h with the velocity reversed before and after
  first_step,      ///< the step size of the first call is kept
  single_number,   ///< in double, forces are rounded to float
  counts_steps,    ///< a counter shared by all objects makes every other step lopsided
  in_object,       ///< a counter in the method makes every other step lopsided
  in_state,        ///< a counter in the state makes every other step lopsided
  duals,           ///< lopsided under dual numbers
  beyond_six,      ///< more than six degrees of freedom: lopsided
};
/// Returns Verlet with a flaw, made once.
const Subject& flawed(Flaw flaw);

}  // namespace livi::battery_detail
