// SPDX-License-Identifier: MIT
//
// Step densities that are known at run time. For the price of a virtual call a method with adaptive steps is
// instantiated once for all densities of the position, and once for all others.
#pragma once

#include <memory>

#include <livi/adaptive/step_density.hpp>

namespace livi {

/// A density of the position of some type.
template <class System>
class AnyPositionDensity {
 public:
  using scalar_type = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  bool translations, rotations;  ///< what the density says of itself (step_density.hpp)

  template <PositionDensity D>
  requires(!std::same_as<D, AnyPositionDensity>) explicit AnyPositionDensity(D density)  //
      : translations(is_translation_invariant(density)),
        rotations(is_rotation_invariant(density)),
        implementation_(std::make_shared<Model<D>>(std::move(density))) {}

  [[nodiscard]] scalar_type value(const vector_type& q) const { return implementation_->value(q); }
  void gradient(const vector_type& q, vector_type& out) const { implementation_->gradient(q, out); }

 private:
  struct Interface {
    virtual ~Interface() = default;
    [[nodiscard]] virtual scalar_type value(const vector_type& q) const = 0;
    virtual void gradient(const vector_type& q, vector_type& out) const = 0;
  };
  template <class D>
  struct Model final : Interface {
    explicit Model(D d) : density(std::move(d)) {}
    [[nodiscard]] scalar_type value(const vector_type& q) const override { return density.value(q); }
    void gradient(const vector_type& q, vector_type& out) const override { density.gradient(q, out); }
    D density;
  };
  std::shared_ptr<const Interface> implementation_;
};

/// A density of position and velocity of some type.
template <class System>
class AnyStateDensity {
 public:
  using scalar_type = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  bool translations, rotations;  ///< what the density says of itself (step_density.hpp)

  template <StateDensity D>
  requires(!std::same_as<D, AnyStateDensity>) explicit AnyStateDensity(D density)  //
      : translations(is_translation_invariant(density)),
        rotations(is_rotation_invariant(density)),
        implementation_(std::make_shared<Model<D>>(std::move(density))) {}

  [[nodiscard]] scalar_type value(const vector_type& q, const vector_type& v) const {
    return implementation_->value(q, v);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    [[nodiscard]] virtual scalar_type value(const vector_type& q, const vector_type& v) const = 0;
  };
  template <class D>
  struct Model final : Interface {
    explicit Model(D d) : density(std::move(d)) {}
    [[nodiscard]] scalar_type value(const vector_type& q, const vector_type& v) const override {
      return density.value(q, v);
    }
    D density;
  };
  std::shared_ptr<const Interface> implementation_;
};

}  // namespace livi
