// SPDX-License-Identifier: MIT
//
// Step densities: positive functions sigma of the state that say how long a step is. A method with adaptive steps is
// given a fictitious step h, which is constant, and advances the time t by about sigma h (CS101 slides 10, 14).
//
// A density of the position is a class with
//   scalar_type, vector_type
//   value(q)            -> sigma(q)
//   gradient(q, out)    out = grad sigma(q)
//   translations, rotations   whether sigma does not change under those that leave the system as it is (optional, bool,
//                             static constexpr or of the object; false if left out): methods whose forces have the
//                             gradient of sigma keep the momentum that belongs to it for such densities only
// A density of the state has value(q, v) instead; it may have log_rate(q, v), the derivative in time of log sigma along
// the motion, which the controller of Hairer and Soederlind integrates. Densities of the position have one by the
// chain rule. For rigid bodies q is the attitude, a 3x3 matrix, and v the angular velocity.
//
// Letters: W is the potential (CS101), E0 the energy of the start.
#pragma once

#include <string>

#include <livi/integrators/integrator.hpp>
#include <livi/liegroup/so3.hpp>

namespace livi {

/// A step density that depends on the position only.
template <class D>
concept PositionDensity = requires(const D& density, const typename D::vector_type& q, typename D::vector_type& out) {
  requires Scalar<typename D::scalar_type>;
  { density.value(q) } -> std::convertible_to<typename D::scalar_type>;
  density.gradient(q, out);
};

/// A step density that depends on position and velocity.
template <class D>
concept StateDensity = requires(const D& density, const typename D::vector_type& q, const typename D::vector_type& v) {
  requires Scalar<typename D::scalar_type>;
  { density.value(q, v) } -> std::convertible_to<typename D::scalar_type>;
};

/// Returns whether a density says that it does not change under the translations of its system.
template <class D>
constexpr bool is_translation_invariant(const D& density) {
  if constexpr (requires { density.translations; }) return density.translations;
  return false;
}
/// Returns whether a density says that it does not change under the rotations of its system.
template <class D>
constexpr bool is_rotation_invariant(const D& density) {
  if constexpr (requires { density.rotations; }) return density.rotations;
  return false;
}

/// Returns sigma at a state, whatever the density depends on: also for rigid bodies, whose q is the attitude and v the
/// angular velocity.
template <class D, class Q>
typename D::scalar_type density_at(const D& density, const Q& q, const typename D::vector_type& v) {
  if constexpr (requires { density.value(q); }) {
    return density.value(q);
  } else {
    return density.value(q, v);
  }
}
/// Returns the velocity of a state: v of particles, the angular velocity w of rigid bodies.
template <class State>
auto& velocity_of(State& z) {
  if constexpr (requires { z.w; }) {
    return z.w;
  } else {
    return z.v;
  }
}

/// Returns whether a density can be used: finite and > 0. Where numbers have no order it must only not be zero.
template <class S>
[[nodiscard]] bool is_density(const S& sigma) {
  const OrderAssumed<S> all_densities(OrderReason::parameters);
  return is_finite(sigma) && RealOf<S>(0) < leading(sigma);
}

/// Throws InvalidParameter unless epsilon is finite and >= 0.
template <class S>
void require_epsilon(const S& epsilon) {
  const OrderAssumed<S> all_epsilons(OrderReason::parameters);
  if (!is_finite(epsilon) || leading(epsilon) < RealOf<S>(0))
    throw InvalidParameter("epsilon of a step density", to_double(epsilon), "must be finite and >= 0");
}

/// The density sigma = c: constant steps. A c that is not finite and > 0 is refused by every step.
template <class System>
struct ConstantDensity {
  using scalar_type = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  static constexpr bool translations = true, rotations = true;
  scalar_type c{1};

  [[nodiscard]] scalar_type value(const vector_type&) const { return c; }
  void gradient(const vector_type& q, vector_type& out) const {
    out = q;
    for (Eigen::Index i = 0; i < q.size(); ++i) out(i) = scalar_type(0);
  }
};

/// The density sigma = (E0 - W(q) + epsilon)^(-1/2), with which neighbouring positions are nearly the same distance
/// apart (CS101 slide 18): E0 - W is the kinetic energy.
template <class System>
class EqualDistances {
 public:
  using scalar_type = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  static constexpr bool translations = true, rotations = true;
  /// Keeps a reference to the system. `epsilon` >= 0 bounds the step where the motion turns round.
  EqualDistances(const System& system, const scalar_type& energy, const scalar_type& epsilon)
      : system_(&system), bound_(energy + epsilon) {
    if (!is_finite(energy)) throw InvalidParameter("energy of a step density", to_double(energy), "must be finite");
    require_epsilon(epsilon);
  }
  [[nodiscard]] scalar_type value(const vector_type& q) const {
    using std::sqrt;
    return scalar_type(1) / sqrt(scalar_type(bound_ - system_->potential().value(q)));
  }
  void gradient(const vector_type& q, vector_type& out) const {
    const scalar_type sigma = value(q);
    system_->potential().gradient(q, out);
    out *= sigma * sigma * sigma / scalar_type(2);
  }

 private:
  const System* system_;
  scalar_type bound_;
};

/// The density sigma = c / (E0 - W(q) + epsilon), the inverse of the kinetic energy (CS101 slide 18). Rational where W
/// is.
template <class System>
class InverseKineticEnergy {
 public:
  using scalar_type = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  static constexpr bool translations = true, rotations = true;
  InverseKineticEnergy(const System& system, const scalar_type& energy, const scalar_type& epsilon,
                       const scalar_type& c = scalar_type(1))
      : system_(&system), bound_(energy + epsilon), c_(c) {
    require_epsilon(epsilon);
    if (!is_density(c)) throw InvalidParameter("factor of a step density", to_double(c), "must be finite and > 0");
    if (!is_finite(bound_)) throw InvalidParameter("energy of a step density", to_double(bound_), "must be finite");
  }
  [[nodiscard]] scalar_type value(const vector_type& q) const {
    const scalar_type kinetic = bound_ - system_->potential().value(q);
    // A division by zero is an exception for exact numbers; a density of zero is refused by the step.
    return kinetic == scalar_type(0) ? scalar_type(0) : scalar_type(c_ / kinetic);
  }
  void gradient(const vector_type& q, vector_type& out) const {
    const scalar_type sigma = value(q);
    system_->potential().gradient(q, out);
    out *= sigma * sigma / c_;
  }

 private:
  const System* system_;
  scalar_type bound_, c_;
};

/// The density sigma = (|M^-1 grad W(q)|^2 + epsilon)^(-1/2), the inverse of the acceleration (CS101 slide 18). Its
/// gradient takes a product with the Hessian of W.
template <class System>
class InverseAcceleration {
 public:
  using scalar_type = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  static constexpr bool translations = true, rotations = true;
  InverseAcceleration(const System& system, const scalar_type& epsilon) : system_(&system), epsilon_(epsilon) {
    require_epsilon(epsilon);
  }
  [[nodiscard]] scalar_type value(const vector_type& q) const {
    vector_type a = q;
    system_->acceleration(q, a);
    return of_acceleration(a);
  }
  void gradient(const vector_type& q,
                vector_type& out) const requires TwiceDifferentiable<typename System::potential_type> {
    vector_type a = q;
    system_->acceleration(q, a);
    const scalar_type sigma = of_acceleration(a);
    // |a|^2 has the gradient -2 Hess W M^-1 a.
    system_->mass().solve_in_place(a);
    typename System::potential_type::hessian_type hessian(q.size());
    system_->potential().hessian(q, hessian);
    hessian.multiply(a, out);
    out *= sigma * sigma * sigma;
  }

 private:
  [[nodiscard]] scalar_type of_acceleration(const vector_type& a) const {
    using std::sqrt;
    scalar_type sum = epsilon_;
    for (Eigen::Index i = 0; i < a.size(); ++i) sum += a(i) * a(i);
    return scalar_type(1) / sqrt(sum);
  }
  const System* system_;
  scalar_type epsilon_;
};

/// The density sigma = c |q|^(3/2) of motions about a centre: the time scale of Kepler's third law.
template <class System>
struct KeplerDensity {
  using scalar_type = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  static constexpr bool translations = false, rotations = true;
  scalar_type c{1};

  [[nodiscard]] scalar_type value(const vector_type& q) const {
    using std::sqrt;
    const scalar_type r = sqrt(squared(q));
    return c * r * sqrt(r);
  }
  void gradient(const vector_type& q, vector_type& out) const {
    out = (scalar_type(3) * value(q) / (scalar_type(2) * squared(q))) * q;
  }

 private:
  static scalar_type squared(const vector_type& q) {
    scalar_type sum(0);
    for (Eigen::Index i = 0; i < q.size(); ++i) sum += q(i) * q(i);
    return sum;
  }
};

/// The density sigma = (|v|^2 + |M^-1 grad W|^2 + epsilon)^(-1/2), with which neighbouring states are nearly the same
/// distance apart in position and velocity (CS101 slide 18; slide 8 uses the velocity).
template <class System>
class EqualStateDistances {
 public:
  using scalar_type = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  static constexpr bool translations = true, rotations = true;
  explicit EqualStateDistances(const System& system, const scalar_type& epsilon = scalar_type(0))
      : system_(&system), epsilon_(epsilon) {
    require_epsilon(epsilon);
  }
  [[nodiscard]] scalar_type value(const vector_type& q, const vector_type& v) const {
    using std::sqrt;
    vector_type a = q;
    system_->acceleration(q, a);
    return scalar_type(1) / sqrt(squared(v, a));
  }
  /// Returns d(log sigma)/dt = -(v . a + a . a')/(|v|^2 + |a|^2 + epsilon) with a' = -M^-1 Hess W v.
  [[nodiscard]] scalar_type log_rate(const vector_type& q, const vector_type& v) const requires
      TwiceDifferentiable<typename System::potential_type> {
    vector_type a = q, jerk = q;
    system_->acceleration(q, a);
    typename System::potential_type::hessian_type hessian(q.size());
    system_->potential().hessian(q, hessian);
    hessian.multiply(v, jerk);
    system_->mass().solve_in_place(jerk);
    scalar_type rate(0);
    for (Eigen::Index i = 0; i < q.size(); ++i) rate += a(i) * (jerk(i) - v(i));
    return rate / squared(v, a);
  }

 private:
  [[nodiscard]] scalar_type squared(const vector_type& v, const vector_type& a) const {
    scalar_type sum = epsilon_;
    for (Eigen::Index i = 0; i < v.size(); ++i) sum += v(i) * v(i) + a(i) * a(i);
    return sum;
  }
  const System* system_;
  scalar_type epsilon_;
};

/// The density sigma = (|W|^2 + epsilon)^(-1/2) of rigid bodies, W the angular velocity: with it a body turns by nearly the
/// same angle in each step.
template <class System>
class EqualAngles {
 public:
  using scalar_type = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using matrix_type = typename System::matrix_type;
  EqualAngles(const System& system, const scalar_type& epsilon) : system_(&system), epsilon_(epsilon) {
    require_epsilon(epsilon);
  }
  [[nodiscard]] scalar_type value(const matrix_type&, const vector_type& w) const {
    using std::sqrt;
    return scalar_type(1) / sqrt(scalar_type(dot(w, w) + epsilon_));
  }
  /// Returns d(log sigma)/dt = -W . W'/(|W|^2 + epsilon).
  [[nodiscard]] scalar_type log_rate(const matrix_type& q, const vector_type& w) const {
    return -dot(w, system_->acceleration(w, system_->torque(q))) / (dot(w, w) + epsilon_);
  }

 private:
  const System* system_;
  scalar_type epsilon_;
};

}  // namespace livi
