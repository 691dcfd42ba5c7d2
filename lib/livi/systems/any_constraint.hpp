// SPDX-License-Identifier: MIT
//
// Holonomic constraints known at run time, for the reason given in any_system.hpp.
#pragma once

#include <livi/systems/any_system.hpp>
#include <livi/systems/constraints.hpp>

namespace livi {

template <class S>
class AnyConstraint {
 public:
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  using multiplier_type = Vector<S, Dynamic>;
  using jacobian_type = Matrix<S, Dynamic>;
  static constexpr int dimension = Dynamic;
  static constexpr int constraints = Dynamic;

  /// Wraps a constraint of `count` equations, which is kept by value.
  template <HolonomicConstraint C>
  requires(!std::same_as<C, AnyConstraint>) AnyConstraint(C constraint, Eigen::Index count)
      : implementation_(std::make_shared<Model<C>>(std::move(constraint))), count_(count) {}

  [[nodiscard]] Eigen::Index count() const { return count_; }
  void value(const vector_type& q, multiplier_type& g) const { implementation_->value(q, g); }
  void jacobian(const vector_type& q, jacobian_type& jacobian) const { implementation_->jacobian(q, jacobian); }
  void curvature(const vector_type& q, const vector_type& a, multiplier_type& w) const {
    implementation_->curvature(q, a, w);
  }
  void add_hessian_product(const vector_type& q, const multiplier_type& w, const vector_type& a,
                           vector_type& out) const {
    implementation_->add_hessian_product(q, w, a, out);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual void value(const vector_type& q, multiplier_type& g) const = 0;
    virtual void jacobian(const vector_type& q, jacobian_type& jacobian) const = 0;
    virtual void curvature(const vector_type& q, const vector_type& a, multiplier_type& w) const = 0;
    virtual void add_hessian_product(const vector_type& q, const multiplier_type& w, const vector_type& a,
                                     vector_type& out) const = 0;
  };
  template <class C>
  struct Model final : Interface {
    using V = typename C::vector_type;
    using W = typename C::multiplier_type;
    explicit Model(C c) : constraint(std::move(c)) {}
    void value(const vector_type& q, multiplier_type& g) const override {
      W result;
      constraint.value(V(q), result);
      g = result;
    }
    void jacobian(const vector_type& q, jacobian_type& jacobian) const override {
      typename C::jacobian_type result;
      constraint.jacobian(V(q), result);
      jacobian = dense(result);
    }
    void curvature(const vector_type& q, const vector_type& a, multiplier_type& w) const override {
      W result;
      constraint.curvature(V(q), V(a), result);
      w = result;
    }
    void add_hessian_product(const vector_type& q, const multiplier_type& w, const vector_type& a,
                             vector_type& out) const override {
      V sum(out);
      constraint.add_hessian_product(V(q), W(w), V(a), sum);
      out = sum;
    }
    C constraint;
  };
  std::shared_ptr<const Interface> implementation_;
  Eigen::Index count_;
};

template <class S>
using AnyConstrainedSystem = ConstrainedSystem<FullMass<S, Dynamic>, AnyPotential<S>, AnyConstraint<S>>;

}  // namespace livi
