// SPDX-License-Identifier: MIT
//
// A method on a problem as a map of phase-space points (q, p). Diagnostics are written once, for this interface: for
// integrators on vector spaces, with constraints and in generalised coordinates, and for integrators from outside this
// library.
#pragma once

#include <memory>
#include <vector>

#include <livi/integrators/integrator.hpp>
#include <livi/scalar/dual.hpp>
#include <livi/scalar/multiprecision.hpp>

namespace livi {

/// A point of phase space: position and momentum p = dL/dv (p = M v for a constant mass), n entries each.
template <class S>
struct PhasePoint {
  Vector<S, Dynamic> q, p;
};

/// Returns dq ^ dp applied to two variations of a point.
template <class S>
S canonical_form(const PhasePoint<S>&, const PhasePoint<S>& a, const PhasePoint<S>& b) {
  S sum(0);
  for (Eigen::Index i = 0; i < a.q.size(); ++i) sum += a.q(i) * b.p(i) - a.p(i) * b.q(i);
  return sum;
}

/// A running method on a problem. start() forgets everything; step() keeps what the method keeps.
template <class S>
class AnyStepper {
 public:
  virtual ~AnyStepper() = default;
  virtual void start(const PhasePoint<S>& point) = 0;
  virtual StepOutcome step(const S& h) = 0;
  [[nodiscard]] virtual PhasePoint<S> point() = 0;
  /// Returns a point in the coordinates in which the method declares itself canonical (`conjugate_symplectic`); the
  /// point itself if it declares none.
  [[nodiscard]] virtual PhasePoint<S> canonical(const PhasePoint<S>& point, const S& h) = 0;
  /// Reverses the velocity. The rest of the state is reversed by the method's reverse(state), if there is one;
  /// otherwise it is kept if the method declares a memory, and started anew if not.
  virtual void reverse() = 0;
  [[nodiscard]] virtual S energy(const PhasePoint<S>& point) = 0;
  /// Returns the largest |g| and |Dg v| at the present point; zero without constraints.
  [[nodiscard]] virtual RealOf<S> constraint_defect() = 0;
  [[nodiscard]] virtual std::string save() = 0;
  virtual void load(const std::string& text) = 0;
};

/// The numbers of evaluations counted in a step.
struct CountedCost {
  double gradients = 0, hessians = 0, third_derivatives = 0, linear_solves = 0;
  double values = 0;  ///< values of the potential
};

}  // namespace livi
