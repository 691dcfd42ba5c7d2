// SPDX-License-Identifier: MIT
//
// Mechanical systems whose potential is known at run time. For the price of a virtual call a method is instantiated
// once, not once for each system. The battery runs on these; production code does not.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>

#include <livi/systems/mechanical_system.hpp>

namespace livi {

template <class S>
class AnyPotential {
 public:
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  using hessian_type = DenseHessian<S, Dynamic>;
  static constexpr int dimension = Dynamic;

  template <ThriceDifferentiable P>
  requires(!std::same_as<P, AnyPotential>) AnyPotential(P potential, Eigen::Index size)  //
      : implementation_(std::make_shared<Model<P>>(std::move(potential), size)) {}

  S value(const vector_type& q) const { return implementation_->value(q); }
  void gradient(const vector_type& q, vector_type& out) const { implementation_->gradient(q, out); }
  void hessian(const vector_type& q, hessian_type& h) const { implementation_->hessian(q, h, false); }
  void third(const vector_type& q, const vector_type& a, vector_type& out) const { implementation_->third(q, a, out); }
  /// Sets h to the Hessian of the stiff part, which is all of V when the potential names no stiff part.
  void stiff_hessian(const vector_type& q, hessian_type& h) const { implementation_->hessian(q, h, true); }
  /// Sets out = a . V'''(q) . a of the stiff part, which is all of V when the potential names no stiff part. Throws
  /// std::logic_error if it names one without this derivative.
  void stiff_third(const vector_type& q, const vector_type& a, vector_type& out) const {
    implementation_->stiff_third(q, a, out);
  }
  void soft_hessian_product(const vector_type& q, const vector_type& a, vector_type& out) const {
    implementation_->soft_hessian_product(q, a, out);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual S value(const vector_type& q) const = 0;
    virtual void gradient(const vector_type& q, vector_type& out) const = 0;
    virtual void hessian(const vector_type& q, hessian_type& h, bool stiff_part) const = 0;
    virtual void third(const vector_type& q, const vector_type& a, vector_type& out) const = 0;
    virtual void stiff_third(const vector_type& q, const vector_type& a, vector_type& out) const = 0;
    virtual void soft_hessian_product(const vector_type& q, const vector_type& a, vector_type& out) const = 0;
  };
  template <class P>
  struct Model final : Interface {
    using V = typename P::vector_type;
    Model(P p, Eigen::Index size) : potential(std::move(p)), zero(V::Constant(size, S(0))) {}
    S value(const vector_type& q) const override { return potential.value(V(q)); }
    void gradient(const vector_type& q, vector_type& out) const override {
      V result = zero;
      potential.gradient(V(q), result);
      out = result;
    }
    void hessian(const vector_type& q, hessian_type& h, bool stiff_part) const override {
      typename P::hessian_type structured(q.size());
      if constexpr (StiffSplit<P>) {
        stiff_part ? potential.stiff_hessian(V(q), structured) : potential.hessian(V(q), structured);
      } else {
        static_cast<void>(stiff_part);
        potential.hessian(V(q), structured);
      }
      h.matrix.resize(q.size(), q.size());
      V unit = zero, column = zero;
      for (Eigen::Index j = 0; j < q.size(); ++j) {
        unit(j) = S(1);
        structured.multiply(unit, column);
        h.matrix.col(j) = column;
        unit(j) = S(0);
      }
    }
    void third(const vector_type& q, const vector_type& a, vector_type& out) const override {
      V result = zero;
      potential.third(V(q), V(a), result);
      out = result;
    }
    void stiff_third(const vector_type& q, const vector_type& a, vector_type& out) const override {
      if constexpr (ThriceDifferentiableSplit<P>) {
        V result = zero;
        potential.stiff_third(V(q), V(a), result);
        out = result;
      } else {
        require_no_stiff_part();
        third(q, a, out);
      }
    }
    void soft_hessian_product(const vector_type& q, const vector_type& a, vector_type& out) const override {
      V result = zero;
      if constexpr (ThriceDifferentiableSplit<P>) {
        potential.soft_hessian_product(V(q), V(a), result);
      } else {
        static_cast<void>(q);
        static_cast<void>(a);
        require_no_stiff_part();
      }
      out = result;
    }
    static void require_no_stiff_part() {
      if constexpr (StiffSplit<P>)
        throw std::logic_error("the potential names a stiff part without stiff_third and soft_hessian_product");
    }
    P potential;
    V zero;
  };
  std::shared_ptr<const Interface> implementation_;
};

template <class S>
using AnySystem = MechanicalSystem<FullMass<S, Dynamic>, AnyPotential<S>>;

}  // namespace livi
