// SPDX-License-Identifier: MIT
//
// Holonomic constraints g(q) = 0 and the two systems made of them: the constrained one, M q'' = -grad V + Dg^T lambda
// (TO14 (6)), and the penalised one with potential V + omega^2 |g|^2 / 2 (TO14 (7)).
//
// A constraint of m equations on n coordinates is any class with
//   scalar_type, dimension (n), constraints (m), vector_type, multiplier_type = Vector<S, m>
//   jacobian_type                   Matrix<S, m, n>, or a structure of linalg/jacobian.hpp that says which coordinates
//                                   an equation touches: it decides how SHAKE and RATTLE solve for the multipliers
//   value(q, g), jacobian(q, G)
//   add_hessian(q, w, H)            H += sum_i w_i Hess g_i(q), lower triangle
//   curvature(q, a, w)              w_i = a . Hess g_i(q) . a
//   add_third(q, w, a, out)         out += sum_i w_i a . g_i'''(q) . a
//   add_hessian_product(q, w, a, out)   out += sum_i w_i Hess g_i(q) a
// A constraint of one equation that is quadratic may have nearest_root(r, d, mu), which solves g(r + mu d) = 0 in closed form
// (RoundConstraint). A constraint whose penalty has a cheaper form of its own returns it from penalty(omega squared) -> a Potential. A
// constraint that has its own algorithm for the multipliers of SHAKE and RATTLE names it as multiplier_equations, a
// class with
//   multiplier_equations(constraint, mass)
//   set_directions(q)                        fixes G = Dg(q)
//   solve_position(r, newton, mu, q)         solves g(q) = 0 for q = r + M^-1 G^T mu; mu enters as the guess; newton is
//                                            NewtonOptions (integrators/implicit_position.hpp)
//   project_velocity(q, v, kappa)            replaces v by v + M^-1 Dg(q)^T kappa with Dg(q) v = 0
//   push(mu, out)                            out = M^-1 G^T mu
// where both solves return a MultiplierOutcome.
#pragma once

#include <sstream>

#include <livi/linalg/jacobian.hpp>
#include <livi/systems/mechanical_system.hpp>
#include <livi/systems/potential.hpp>

namespace livi {

template <class C>
concept HolonomicConstraint = requires(const C& constraint, const typename C::vector_type& q,
                                       typename C::multiplier_type& g, typename C::jacobian_type& jacobian) {
  constraint.value(q, g);
  constraint.jacobian(q, jacobian);
};

/// The outcome of a solve for multipliers, by blocks of equations that share no coordinate.
struct MultiplierOutcome {
  enum class Failure { none, singular, no_convergence, not_finite };
  Failure failure = Failure::none;
  int block = -1;      ///< first block that failed
  int iterations = 0;  ///< until the last block converged, or up to the failure
};

template <class MassT, Potential PotentialT, HolonomicConstraint ConstraintT>
class ConstrainedSystem : public MechanicalSystem<MassT, PotentialT> {
 public:
  using constraint_type = ConstraintT;
  using multiplier_type = typename ConstraintT::multiplier_type;
  using jacobian_type = typename ConstraintT::jacobian_type;
  using vector_type = typename PotentialT::vector_type;

  ConstrainedSystem(MassT mass, PotentialT potential, ConstraintT constraint)
      : MechanicalSystem<MassT, PotentialT>(std::move(mass), std::move(potential)),
        constraint_(std::move(constraint)) {}
  [[nodiscard]] const ConstraintT& constraint() const { return constraint_; }

  /// Throws InvalidParameter if g(q) or Dg(q) v exceeds `tolerance` in size: the point is then not on the tangent
  /// bundle of g = 0.
  void require_consistent(const vector_type& q, const vector_type& v,
                          RealOf<typename PotentialT::scalar_type> tolerance) const {
    multiplier_type g;
    jacobian_type jacobian;
    constraint_.value(q, g);
    constraint_.jacobian(q, jacobian);
    multiplier_type rate = g;
    multiply(jacobian, v, rate);
    const auto refuse = [&](const std::string& what, Eigen::Index i, const typename PotentialT::scalar_type& value) {
      std::ostringstream allowed;
      allowed << "must vanish to within " << to_double(tolerance);
      throw InvalidParameter(what + "[" + std::to_string(i) + "]", to_double(value), allowed.str());
    };
    for (Eigen::Index i = 0; i < g.size(); ++i) {
      if (!(magnitude(g(i)) <= tolerance)) refuse("initial position: constraint g", i, g(i));
      if (!(magnitude(rate(i)) <= tolerance)) refuse("initial velocity: constraint rate (Dg v)", i, rate(i));
    }
  }

 private:
  ConstraintT constraint_;
};

/// The penalty omega^2 |g|^2 / 2 of any constraint with a dense Jacobian. With u = Dg a and w_i = a . Hess g_i . a:
///   gradient  omega^2 Dg^T g
///   Hessian   omega^2 (Dg^T Dg + sum g_i Hess g_i)
///   third     omega^2 (2 sum u_i Hess g_i a + Dg^T w + sum g_i a . g_i''' . a)
template <class Constraint, class Hessian>
struct ConstraintPenalty {
  using scalar_type = typename Constraint::scalar_type;
  using S = scalar_type;
  using vector_type = typename Constraint::vector_type;
  using hessian_type = Hessian;
  static constexpr int dimension = Constraint::dimension;
  Constraint constraint;
  S stiffness;  ///< omega^2

  S value(const vector_type& q) const {
    typename Constraint::multiplier_type g;
    constraint.value(q, g);
    S sum(0);
    for (Eigen::Index i = 0; i < g.size(); ++i) sum += g(i) * g(i);
    return stiffness * sum / S(2);
  }
  void gradient(const vector_type& q, vector_type& out) const {
    typename Constraint::multiplier_type g;
    typename Constraint::jacobian_type jacobian;
    constraint.value(q, g);
    constraint.jacobian(q, jacobian);
    out = stiffness * (jacobian.transpose() * g);
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    typename Constraint::multiplier_type g;
    typename Constraint::jacobian_type jacobian;
    constraint.value(q, g);
    constraint.jacobian(q, jacobian);
    h.set_zero();
    for (Eigen::Index i = 0; i < g.size(); ++i) g(i) *= stiffness;
    constraint.add_hessian(q, g, h);
    h.matrix += stiffness * (jacobian.transpose() * jacobian);
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    typename Constraint::multiplier_type g, curvature;
    typename Constraint::jacobian_type jacobian;
    constraint.value(q, g);
    constraint.jacobian(q, jacobian);
    constraint.curvature(q, a, curvature);
    typename Constraint::multiplier_type twice_u = jacobian * a;  // u: a 1 x 1 product would count as a number
    twice_u *= S(2);
    out = jacobian.transpose() * curvature;
    constraint.add_hessian_product(q, twice_u, a, out);
    constraint.add_third(q, g, a, out);
    out *= stiffness;
  }
};

/// The potential V0 + penalty, with the penalty as the stiff part of the split.
template <Potential Base, Potential Penalty>
struct PenalisedPotential {
  using scalar_type = typename Penalty::scalar_type;
  using S = scalar_type;
  using vector_type = typename Penalty::vector_type;
  using hessian_type = typename Penalty::hessian_type;
  static constexpr int dimension = Penalty::dimension;
  Base base;
  Penalty penalty;
  /// True if the base has no second derivatives (gravity), so that they need not be evaluated.
  static constexpr bool base_is_linear = requires { requires Base::is_linear; };

  S value(const vector_type& q) const { return base.value(q) + penalty.value(q); }
  void gradient(const vector_type& q, vector_type& out) const {
    penalty.gradient(q, out);
    add_base_gradient(q, out);
  }
  /// Sets h to the Hessian of the sum; the structure of the penalty's Hessian must have room for that of the base.
  void hessian(const vector_type& q, hessian_type& h) const {
    penalty.hessian(q, h);
    if constexpr (!base_is_linear) base.add_hessian(q, h);
  }
  void gradient_and_hessian(const vector_type& q, vector_type& out, hessian_type& h) const {
    livi::gradient_and_hessian(penalty, q, out, h);
    add_base_gradient(q, out);
    if constexpr (!base_is_linear) base.add_hessian(q, h);
  }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const {
    penalty.third(q, a, out);
    if constexpr (!base_is_linear) base.add_third(q, a, out);
  }
  void stiff_hessian(const vector_type& q, hessian_type& h) const { penalty.hessian(q, h); }
  /// Computes the stiff force as potential.hpp describes it, where the base has its own algorithm for this penalty.
  template <class Mass>
  auto stiff_force(const Mass& mass, const S& c, const vector_type& q, vector_type& f) const requires requires {
    base.stiff_force(penalty, mass, c, q, f);
  }
  { return base.stiff_force(penalty, mass, c, q, f); }
  void stiff_third(const vector_type& q, const vector_type& a, vector_type& out) const { penalty.third(q, a, out); }
  void soft_hessian_product(const vector_type& q, const vector_type& a, vector_type& out) const
      requires(base_is_linear || HasHessianProduct<Base>) {
    if constexpr (base_is_linear) {
      out.setConstant(q.size(), S(0));
    } else {
      base.hessian_product(q, a, out);
    }
  }

  // A chain's penalty with a linear base is a chain's potential (potential.hpp).
  static constexpr int block_size = [] {
    if constexpr (NeighbourPotential<Penalty>) return Penalty::block_size;
    return 0;
  }();
  static constexpr bool is_chain =
      NeighbourPotential<Penalty> && requires(const Base& linear, Vector<S, block_size>& out) {
    linear.add_block_gradient(out);
  };
  template <class T, class At>
  [[nodiscard]] auto neighbour_derivatives(const At& at, const Vector<T, block_size>& before,
                                           const Vector<T, block_size>& here) const requires is_chain {
    auto w = penalty.neighbour_derivatives(at, before, here);
    base.add_block_gradient(w.gradient);
    return w;
  }
  template <class T, class At>
  [[nodiscard]] auto neighbour_third(const At& at, const Vector<T, block_size>& before,
                                     const Vector<T, block_size>& here, const Vector<T, block_size>& a_before,
                                     const Vector<T, block_size>& a) const requires is_chain {
    return penalty.neighbour_third(at, before, here, a_before, a);
  }

 private:
  /// Adds the gradient of the base to `out`. If the base can add, no vector is needed: a step on a long chain must not
  /// allocate one.
  void add_base_gradient(const vector_type& q, vector_type& out) const {
    if constexpr (requires { base.add_gradient(q, out); }) {
      base.add_gradient(q, out);
    } else {
      vector_type slow = q;
      base.gradient(q, slow);
      out += slow;
    }
  }
};

/// Returns the penalised system of a constrained one: equal mass, potential V + omega^2 |g|^2 / 2.
template <class MassT, class PotentialT, class ConstraintT>
auto penalised(const ConstrainedSystem<MassT, PotentialT, ConstraintT>& system,
               const typename PotentialT::scalar_type& omega) {
  const OrderAssumed<typename PotentialT::scalar_type> all_omega(OrderReason::parameters);
  if (!(RealOf<typename PotentialT::scalar_type>(0) < leading(omega)))
    throw InvalidParameter("omega", to_double(omega), "a penalty needs omega > 0");
  const auto make = [&] {
    if constexpr (requires { system.constraint().penalty(omega * omega); }) {
      return system.constraint().penalty(omega * omega);
    } else {
      using Hessian = DenseHessian<typename PotentialT::scalar_type, PotentialT::dimension>;
      return ConstraintPenalty<ConstraintT, Hessian>{system.constraint(), omega * omega};
    }
  };
  using Penalty = decltype(make());
  using Total = PenalisedPotential<PotentialT, Penalty>;
  return MechanicalSystem<MassT, Total>(system.mass(), Total{system.potential(), make()});
}

}  // namespace livi
