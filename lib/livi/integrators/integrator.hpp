// SPDX-License-Identifier: MIT
//
// The interface of all integrators of the library.
//
// An integrator is a class template over a system with
//   system_type, state_type
//   state start(q, v)                 the state that stands for position q and velocity v
//   StepOutcome step(state, h)        advances by h (negative h allowed: compositions, adjoints)
//   Properties declares()             the properties it claims. Where the battery has a test for the kind of problem,
//   it
//                                     checks that declared properties hold and others fail; elsewhere a row says so
//   const WorkCounters& work()        the work done so far
// A state holds all that the next step needs (forces are computed once), as fields q, v, ...; `fields()` ties them for
// checkpoints. `q` is the position variable in which the method steps. For Z&S and push-forward Newmark that is the
// paper's x, not the physical position x + beta h^2 a (TO14 (13)), which physical_position(method, state, h) gives for
// every method.
//
// A user's own integrator needs much less: see livi/battery.hpp.
#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>

#include <livi/systems/mechanical_system.hpp>

namespace livi {

enum class Failure {
  none,
  singular_matrix,
  no_convergence,
  not_finite,
  outside_chart,
  no_real_root,     ///< the equation that determines the step has no solution
  no_step_density,  ///< the step density is not finite and > 0
  step_too_small,   ///< the time does not change by the step
};

/// The outcome of a step. A failed step leaves its state undefined: drivers keep the last good one.
struct [[nodiscard]] StepOutcome {
  Failure failure = Failure::none;
  int detail = -1;  ///< the singular pivot, or the number of iterations spent
  int block = -1;   ///< first block of equations (a molecule) that failed, if the solver goes block by block

  [[nodiscard]] bool ok() const { return failure == Failure::none; }
  [[nodiscard]] std::string describe() const {
    return block < 0 ? describe_failure() : describe_failure() + " in block " + std::to_string(block);
  }

 private:
  [[nodiscard]] std::string describe_failure() const {
    switch (failure) {
      case Failure::none:
        return "ok";
      case Failure::singular_matrix:
        return "singular matrix at pivot " + std::to_string(detail);
      case Failure::no_convergence:
        return "no convergence after " + std::to_string(detail) + " iterations";
      case Failure::not_finite:
        return "a value is not finite";
      case Failure::outside_chart:
        return "a rotation in one step is beyond the chart (half a turn)";
      case Failure::no_real_root:
        return "the equation that determines the step has no solution";
      case Failure::no_step_density:
        return "the step density is not finite and positive";
      case Failure::step_too_small:
        return "the step is too small to change the time";
    }
    return "unknown";
  }
};

/// Work done by an integrator since its construction.
struct WorkCounters {
  long linear_solves = 0;
  long newton_iterations = 0;
  long indefinite_matrices = 0;  ///< solves whose matrix was symmetric but not positive definite: legal, worth knowing
  /// The largest number of negative eigenvalues that such a matrix had, where the solver counts them (FactorOutcome).
  /// They belong to directions in which V curves down by more than the method can follow, m / (beta h^2). When the
  /// number changes between two steps, the motion has jumped over a pole of the modified potential of Z&S.
  int most_negative = 0;

  StepOutcome record(const FactorOutcome& outcome) {
    ++linear_solves;
    if (outcome.indefinite) ++indefinite_matrices;
    most_negative = std::max(most_negative, outcome.negative);
    if (outcome.singular) return {Failure::singular_matrix, outcome.pivot};
    return {};
  }
};

/// The intermediate vectors and matrices of a step. With Dynamic sizes they are allocated once and reused. With fixed
/// sizes they live on the stack of each step, where the compiler sees that nothing else points to them and keeps them
/// in registers.
template <class Scratch, int N>
class Workspace {
 public:
  explicit Workspace(Eigen::Index) {}
  [[nodiscard]] Scratch get() const { return Scratch(); }
};
template <class Scratch>
class Workspace<Scratch, Dynamic> {
 public:
  explicit Workspace(Eigen::Index size) : scratch_(size) {}
  [[nodiscard]] Scratch& get() { return scratch_; }

 private:
  Scratch scratch_;
};

inline constexpr double unlimited = std::numeric_limits<double>::infinity();
/// The value of a number of Properties about which the method says nothing: it is measured and printed, not judged.
inline constexpr double undeclared = std::numeric_limits<double>::quiet_NaN();

/// The evaluations in one step after the first; `iterative` marks counts that depend on an iteration and are not
/// declared.
struct DeclaredCost {
  bool iterative = false;
  int gradients = 1;
  int hessians = 0;
  int third_derivatives = 0;
  int linear_solves = 0;
  int values = 0;  ///< evaluations of the potential
};

/// The declarations of an integrator. Properties that it declares must hold. Those that it does not declare are measured, and
/// must be seen to fail where the battery is strict; a name, a source and a stability limit that are left out are not judged.
struct Properties {
  std::string name = {};
  std::string source = {};  ///< where it is published
  int order = 0;
  bool symmetric = false;             ///< its own adjoint: step(-h) undoes step(h)
  bool symplectic = false;            ///< preserves dq ^ dp with p = M v, q the stepped position
  bool conjugate_symplectic = false;  ///< symplectic after canonical_position(q, h), a map the method supplies
  bool linear_momentum = false;       ///< conserves momentum maps of translations
  bool angular_momentum = false;      ///< conserves momentum maps of rotations
  bool group = true;                  ///< rigid bodies: keeps the attitude on SO(3)
  /// True if the step only adds, subtracts, multiplies and divides, so that its properties can be decided exactly.
  /// False for roots, elementary functions, iterations to convergence, and branches on a size or a sign.
  bool rational = true;
  /// True if the state is more than a point: what it holds beside q and v changes later steps by more than rounding.
  /// Statements about one step are then about the step from a fresh start.
  bool memory = false;
  /// The supremum of h omega on q'' = -omega^2 q: unlimited if there is none, 0 if never stable, NaN if nothing is
  /// declared.
  double stability_limit = undeclared;
  DeclaredCost cost = {};
};

/// The position and the velocity: the state of a method without memory.
template <class S, int N>
struct PhaseState {
  Vector<S, N> q, v;
  auto fields() { return std::tie(q, v); }
};

/// The state of methods whose force depends on h: position and velocity, with the force per mass of the last position
/// and the step it was computed for.
template <class S, int N>
struct ForceState {
  Vector<S, N> q, v, f;
  S step{0};  ///< h of f; 0 while f is not known
  auto fields() { return std::tie(q, v, f, step); }
};

template <class System>
using ScalarOf = typename System::scalar_type;
template <class System>
using VectorOf = typename System::vector_type;

// --- the physical position that a state stands for. Z&S and push-forward Newmark step another variable, x; the physical position is
// q = x + beta h^2 a, whose acceleration a takes one solve. All other methods step q itself.

/// A method whose state holds another variable than the physical position.
template <class Method>
concept StepsAnotherPosition = requires(Method& method, const VectorOf<typename Method::system_type>& x,
                                        const ScalarOf<typename Method::system_type>& h,
                                        VectorOf<typename Method::system_type>& q, WorkCounters& work) {
  method.force().physical_position(method.system(), x, h, q, work);
};

/// Writes the physical position of a state of the method with step h into q, which may be z.q itself only if the method steps q. The work
/// is not counted as the method's. Fails as a step does, where the linear system of a is singular.
template <class Method>
StepOutcome physical_position(Method& method, const typename Method::state_type& z,
                              const ScalarOf<typename Method::system_type>& h,
                              VectorOf<typename Method::system_type>& q) {
  if constexpr (StepsAnotherPosition<Method>) {
    WorkCounters of_reading;
    return method.force().physical_position(method.system(), z.q, h, q, of_reading);
  } else {
    q = z.q;
    return {};
  }
}

/// Returns the physical position of a state of the method with step h. Throws std::runtime_error where its linear system is singular.
template <class Method>
VectorOf<typename Method::system_type> physical_position(Method& method, const typename Method::state_type& z,
                                                         const ScalarOf<typename Method::system_type>& h) {
  VectorOf<typename Method::system_type> q = z.q;
  if (const StepOutcome outcome = physical_position(method, z, h, q); !outcome.ok())
    throw std::runtime_error("the physical position of a state: " + outcome.describe());
  return q;
}

}  // namespace livi
