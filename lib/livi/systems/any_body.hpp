// SPDX-License-Identifier: MIT
//
// Rigid bodies whose potential is known at run time, the counterpart of AnySystem (any_system.hpp). The battery runs on
// them.
#pragma once

#include <memory>

#include <livi/systems/lie_system.hpp>

namespace livi {

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
