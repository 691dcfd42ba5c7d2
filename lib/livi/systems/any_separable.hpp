// SPDX-License-Identifier: MIT
//
// Hamiltonians H(q, p, t) = T(p) + V(q, t) known at run time, the counterpart of AnySystem (any_system.hpp) for
// separable systems. The battery runs on them.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include <livi/systems/any_system.hpp>

namespace livi {

/// A separable system q' = grad T(p), p' = -grad V(q, t) with n entries each. T need be neither even nor quadratic.
template <class S>
class AnySeparable {
 public:
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  static constexpr int dimension = Dynamic;

  /// Wraps a system of n = `size` entries, which is kept by value. It offers velocity(p, out), force(q, t, out) and
  /// energy(q, p, t) with the meaning of the members below.
  template <class System>
  requires(!std::same_as<System, AnySeparable>) AnySeparable(System system, Eigen::Index size)  //
      : implementation_(std::make_shared<Model<System>>(std::move(system))), size_(size) {}

  [[nodiscard]] Eigen::Index size() const { return size_; }
  /// Sets out = grad T(p).
  void velocity(const vector_type& p, vector_type& out) const {
    out.resize(size_);
    implementation_->velocity(p, out);
  }
  /// Sets out = -grad V(q, t), where grad is the derivative with respect to q alone.
  void force(const vector_type& q, const S& t, vector_type& out) const {
    out.resize(size_);
    implementation_->force(q, t, out);
  }
  /// Returns T(p) + V(q, t).
  [[nodiscard]] S energy(const vector_type& q, const vector_type& p, const S& t) const {
    return implementation_->energy(q, p, t);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual void velocity(const vector_type& p, vector_type& out) const = 0;
    virtual void force(const vector_type& q, const S& t, vector_type& out) const = 0;
    [[nodiscard]] virtual S energy(const vector_type& q, const vector_type& p, const S& t) const = 0;
  };
  template <class System>
  struct Model final : Interface {
    explicit Model(System s) : system(std::move(s)) {}
    void velocity(const vector_type& p, vector_type& out) const override { system.velocity(p, out); }
    void force(const vector_type& q, const S& t, vector_type& out) const override { system.force(q, t, out); }
    [[nodiscard]] S energy(const vector_type& q, const vector_type& p, const S& t) const override {
      return system.energy(q, p, t);
    }
    System system;
  };
  std::shared_ptr<const Interface> implementation_;
  Eigen::Index size_;
};

/// The driven system with H = T(p) + (1 + c_1 t + c_2 t^2) V(q) + d t^2 q_1.
template <class S>
struct DrivenSeparable {
  using vector_type = Vector<S, Dynamic>;
  AnyPotential<S> kinetic, potential;
  S linear{0}, quadratic{0};  ///< c_1, c_2
  S drive{0};                 ///< d

  [[nodiscard]] S strength(const S& t) const { return S(1) + t * (linear + t * quadratic); }
  void velocity(const vector_type& p, vector_type& out) const { kinetic.gradient(p, out); }
  void force(const vector_type& q, const S& t, vector_type& out) const {
    potential.gradient(q, out);
    const S factor = strength(t);
    for (Eigen::Index i = 0; i < out.size(); ++i) out(i) = -factor * out(i);
    out(0) -= drive * t * t;
  }
  [[nodiscard]] S energy(const vector_type& q, const vector_type& p, const S& t) const {
    return kinetic.value(p) + strength(t) * potential.value(q) + drive * t * t * q(0);
  }
};

/// A separable system that can be turned round: after turn() at time t_r its Hamiltonian is H(q, -p, 2 t_r - t), whose
/// motion runs the old one backwards. Copies turn together.
template <class S>
class ReversibleSeparable {
 public:
  using vector_type = Vector<S, Dynamic>;
  explicit ReversibleSeparable(AnySeparable<S> system)
      : system_(std::move(system)), mirror_(std::make_shared<Mirror>()) {}

  /// Turns the system round at time `now`. A second turn restores the first system, with its time shifted.
  void turn(const S& now) {
    // The system's time is shift - t while it is turned, and shift + t otherwise.
    mirror_->shift = mirror_->is_turned ? S(system_time(now) - now) : S(system_time(now) + now);
    mirror_->is_turned = !mirror_->is_turned;
  }
  void reset() { *mirror_ = Mirror(); }
  [[nodiscard]] S system_time(const S& t) const {
    return mirror_->is_turned ? S(mirror_->shift - t) : S(mirror_->shift + t);
  }

  void velocity(const vector_type& p, vector_type& out) const {
    if (!mirror_->is_turned) return system_.velocity(p, out);
    system_.velocity(vector_type(-p), out);
    out = -out;
  }
  void force(const vector_type& q, const S& t, vector_type& out) const { system_.force(q, system_time(t), out); }
  [[nodiscard]] S energy(const vector_type& q, const vector_type& p, const S& t) const {
    return system_.energy(q, mirror_->is_turned ? vector_type(-p) : vector_type(p), system_time(t));
  }

 private:
  struct Mirror {
    bool is_turned = false;
    S shift{0};
  };
  AnySeparable<S> system_;
  std::shared_ptr<Mirror> mirror_;
};

}  // namespace livi
