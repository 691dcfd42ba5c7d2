// SPDX-License-Identifier: MIT
//
// What a stochastic step gets of the noise, and what a stochastic method declares.
//
// A stochastic integrator is an integrator (integrators/integrator.hpp) on a StochasticSystem with one more member,
//   StepOutcome step(state, h, noises)      advances by h under the noise, with one NoiseIntegrals for each noise
// so that one step is a function of finitely many numbers: with fixed ones it has a Jacobian, an adjoint, and a run in
// 50 digits. step(state, h) is the step without noise. A step allocates nothing.
#pragma once

#include <livi/integrators/integrator.hpp>
#include <span>

namespace livi {

/// The integrals of one noise over one step of length h, from t to t + h:
///   increment   W(t + h) - W(t)
///   integral    I10 = int_t^{t+h} (W(s) - W(t)) ds
///   squared     int_t^{t+h} (W(s) - W(t))^2 ds
template <class S>
struct NoiseIntegrals {
  S increment = S(0);  ///< time^(1/2)
  S integral = S(0);   ///< I10, time^(3/2)
  S squared = S(0);    ///< time^2
  /// Returns zeta = I10 - h (increment)/2, independent of the increment.
  [[nodiscard]] S zeta(const S& h) const { return integral - h * increment / S(2); }
  /// Returns the same numbers in another type, exactly where that holds them.
  template <class T>
  [[nodiscard]] NoiseIntegrals<T> cast() const {
    return {T(increment), T(integral), T(squared)};
  }
};

/// The integrals of all noises over one step, in the order of the noise potentials. Methods that ask for it get the
/// integrals int (W_i(s) - W_i(t)) (W_j(s) - W_j(t)) ds of the products of two noises, too: i < j, in the order (0, 1),
/// (0, 2), ..., (1, 2), ... Nothing is copied.
template <class S>
class StepNoise : public std::span<const NoiseIntegrals<S>> {
 public:
  using noises_type = std::span<const NoiseIntegrals<S>>;
  using noises_type::noises_type;
  StepNoise(noises_type noises) : noises_type(noises) {}
  /// Throws InvalidParameter unless there is a product for each pair of noises.
  StepNoise(noises_type noises, std::span<const S> products) : noises_type(noises), products_(products) {
    if (products.size() != pairs())
      throw InvalidParameter("number of products of noises", static_cast<double>(products.size()),
                             "must be that of their pairs, " + std::to_string(pairs()));
  }
  /// Returns whether the integrals of all products are there. Those of a single noise are its squares.
  [[nodiscard]] bool has_products() const { return products_.size() == pairs(); }
  /// Returns the integral of the product of noises i and j, which for i = j is that of the square.
  [[nodiscard]] const S& product(std::size_t i, std::size_t j) const {
    if (i == j) return (*this)[i].squared;
    if (i > j) std::swap(i, j);
    return products_[i * this->size() - i * (i + 1) / 2 + j - i - 1];
  }

 private:
  [[nodiscard]] std::size_t pairs() const { return this->size() * (this->size() - 1) / 2; }

  std::span<const S> products_;
};

/// Throws InvalidParameter unless there is one integral for each noise potential.
template <class System, class S>
void require_noises(const System& system, StepNoise<S> noises) {
  if (static_cast<Eigen::Index>(noises.size()) != system.noise().count())
    throw InvalidParameter("number of noises of a step", static_cast<double>(noises.size()),
                           "must be that of the noise potentials, " + std::to_string(system.noise().count()));
}

/// The declarations of a stochastic integrator. Without noise `deterministic` holds. With fixed integrals of the noise
/// a step is symplectic if that says so, and keeps momentum maps under which the noise potentials are invariant, too.
struct StochasticProperties {
  Properties deterministic;
  /// The strong order, and that where the products K_ij = grad gamma_i . P M^-1 grad gamma_j, with the projection P on
  /// tangent vectors, do not depend on the position.
  double strong_order = undeclared, strong_order_for_constant_products = undeclared;
  double weak_order = undeclared;
  /// Whether a step takes means of the integrals of products of noises, in the place of the integrals. Where the others are
  /// zero these means are not, so that the step is not the one without noise: it has a kick by the gradient of sum_i K_ii.
  bool means_of_products = false;
};

}  // namespace livi
