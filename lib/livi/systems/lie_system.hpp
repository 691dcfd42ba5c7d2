// SPDX-License-Identifier: MIT
//
// A rigid body that turns about a fixed point in a potential (BOS09 (1)-(3)):
//
//   Q' = Q hat(W),   I W' = I W x W + tau(Q),   energy W . I W / 2 + U(Q),
//
// Q is the attitude (columns: the body's axes in space), W the angular velocity in body axes, I the inertia and mu = I
// W the body momentum. The torque is the left-trivialised derivative of the potential,
//
//   tau(Q) . y = -DU(Q) . Q hat(y)   for all y in R^3.
//
// The flow is symplectic on T*SO(3). With a variation (Q hat(eta), nu) of (Q, mu) the canonical one-form is theta = mu
// . eta. Since the left-invariant fields hat(y) have the bracket [y, z] = y x z,
//
//   -dtheta((eta, nu), (zeta, rho)) = eta . rho - nu . zeta + mu . (eta x zeta),
//
// whose matrix is Omega(mu) = [[-hat(mu), 1], [-1, 0]].
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <livi/liegroup/so3.hpp>
#include <livi/linalg/mass.hpp>

namespace livi {

/// A potential on SO(3): it offers its value and its torque, which must belong together at every Q
/// (diagnostics/check_derivatives.hpp tests this).
template <class P>
concept RotationPotential = requires(const P& potential, const Matrix3<typename P::scalar_type>& q,
                                     Vector3<typename P::scalar_type>& out) {
  requires Scalar<typename P::scalar_type>;
  { potential.value(q) } -> std::convertible_to<typename P::scalar_type>;
  potential.torque(q, out);
};

/// A rigid body in a potential. The inertia is a mass of linalg/mass.hpp with three entries: ScalarMass (isotropic),
/// DiagonalMass (fast), or FullMass (any symmetric positive definite matrix; checked).
template <class InertiaT, RotationPotential PotentialT>
class LieSystem {
 public:
  using inertia_type = InertiaT;
  using potential_type = PotentialT;
  using scalar_type = typename PotentialT::scalar_type;
  using vector_type = Vector3<scalar_type>;
  using matrix_type = Matrix3<scalar_type>;
  static_assert(std::same_as<typename InertiaT::vector_type, vector_type>, "the inertia needs three entries");

  LieSystem(InertiaT inertia, PotentialT potential) : inertia_(std::move(inertia)), potential_(std::move(potential)) {}

  [[nodiscard]] const InertiaT& inertia() const { return inertia_; }
  [[nodiscard]] const PotentialT& potential() const { return potential_; }

  /// Returns mu = I W.
  [[nodiscard]] vector_type momentum(const vector_type& w) const {
    if constexpr (InertiaT::is_diagonal) {
      return vector3<scalar_type>(inertia_.diagonal(0) * w(0), inertia_.diagonal(1) * w(1),
                                  inertia_.diagonal(2) * w(2));
    } else {
      vector_type mu;
      inertia_.apply(w, mu);
      return mu;
    }
  }
  /// Returns W = I^-1 mu.
  [[nodiscard]] vector_type velocity(vector_type mu) const {
    inertia_.solve_in_place(mu);
    return mu;
  }
  /// Returns Q mu, the angular momentum in space; constant when there is no torque.
  [[nodiscard]] vector_type spatial_momentum(const matrix_type& q, const vector_type& w) const {
    return q * momentum(w);
  }
  [[nodiscard]] vector_type torque(const matrix_type& q) const {
    vector_type out;
    potential_.torque(q, out);
    return out;
  }
  /// Returns W' = I^-1 (I W x W + torque).
  [[nodiscard]] vector_type acceleration(const vector_type& w, const vector_type& torque) const {
    return velocity(cross(momentum(w), w) + torque);
  }
  /// Returns W . I W / 2 + U(Q).
  [[nodiscard]] scalar_type energy(const matrix_type& q, const vector_type& w) const {
    return dot(w, momentum(w)) / scalar_type(2) + potential_.value(q);
  }

  /// Returns m I, for the matrices of Newton's method.
  [[nodiscard]] matrix_type times_inertia(matrix_type m) const {
    if constexpr (InertiaT::is_diagonal) {
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) m(i, j) *= inertia_.diagonal(j);
      return m;
    } else {
      return m * inertia_.matrix();
    }
  }

 private:
  InertiaT inertia_;
  PotentialT potential_;
};

/// Returns Omega(mu) applied to two variations (eta, nu) and (zeta, rho).
template <class S>
S left_trivialised_form(const Vector3<S>& mu, const Vector3<S>& eta, const Vector3<S>& nu, const Vector3<S>& zeta,
                        const Vector3<S>& rho) {
  return dot(eta, rho) - dot(nu, zeta) + dot(mu, cross(eta, zeta));
}

/// A potential on SO(3) known at run time, the counterpart of AnyPotential (any_system.hpp). The battery runs on bodies with it.
template <class S>
class AnyRotationPotential {
 public:
  using scalar_type = S;

  template <RotationPotential P>
  requires(!std::same_as<P, AnyRotationPotential>) explicit AnyRotationPotential(P potential)
      : implementation_(std::make_shared<Model<P>>(std::move(potential))) {}

  S value(const Matrix3<S>& q) const { return implementation_->value(q); }
  void torque(const Matrix3<S>& q, Vector3<S>& out) const { implementation_->torque(q, out); }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual S value(const Matrix3<S>& q) const = 0;
    virtual void torque(const Matrix3<S>& q, Vector3<S>& out) const = 0;
  };
  template <class P>
  struct Model final : Interface {
    explicit Model(P p) : potential(std::move(p)) {}
    S value(const Matrix3<S>& q) const override { return potential.value(q); }
    void torque(const Matrix3<S>& q, Vector3<S>& out) const override { potential.torque(q, out); }
    P potential;
  };
  std::shared_ptr<const Interface> implementation_;
};

template <class S>
using AnyBody = LieSystem<FullMass<S, 3>, AnyRotationPotential<S>>;

}  // namespace livi
