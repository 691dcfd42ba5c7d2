// SPDX-License-Identifier: MIT
//
// The methods that tests must reject, and those that they must accept, compiled once. Only for the battery's own sources.
#pragma once

#include <array>
#include <memory>
#include <optional>
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
/// Verlet with half kicks of 0.501 h and 0.499 h is of order one. ZhangSkeel and VelocityVerlet are what they declare.
const ControlMethod& simplified_control();
const ControlMethod& lopsided_control();
const ControlMethod& zhang_skeel_control();
const ControlMethod& verlet_control();

/// The controls of a kind of subjects. Those on the problems of vector spaces also serve subjects with constraints, in
/// generalised coordinates or with H = T(p) + V(q, t), which have no controls of their own kind.
struct Controls {
  bool rigid_body;  ///< on the problems of rigid bodies, or on those of vector spaces
  const ControlMethod* lopsided;
  const ControlMethod* runge_kutta;
  const ControlMethod* asymmetric;
  const ControlMethod* not_symplectic;  ///< symmetric, of order two
  const ControlMethod* symplectic;      ///< in its own coordinates, and not under `map`
  const ControlMethod* verlet;
  const ControlMethod* off_the_group;  ///< null on the problems of vector spaces
  const char* name_of_map;
  /// The canonical map of another method.
  PhasePoint<Dual<Float50>> (*map)(AnyStepper<Dual<Float50>>&, const PhasePoint<Dual<Float50>>&, const Dual<Float50>&);
};
const Controls& controls_of(SubjectKind kind);

/// What is measured of a control once, for each kind of subjects.
template <class T>
class OncePerKind {
 public:
  template <class Measure>
  const T& operator()(const Controls& controls, const Measure& measure) {
    std::optional<T>& kept = kept_[controls.rigid_body ? 1 : 0];
    if (!kept) kept = measure();
    return *kept;
  }

 private:
  std::array<std::optional<T>, 2> kept_;
};

/// Returns methods that are what they declare: a test that accepts one of them is able to say yes.
const std::vector<ControlMethod>& honest_methods(SubjectKind kind);

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
