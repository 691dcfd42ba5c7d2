// SPDX-License-Identifier: MIT
//
// The method that references are computed with, on the round problems in double. A step is one of RATTLE with I10, and then
//
//   v += P M^-1 grad (-sum_ij K_ij (J_ij - I_i I_j/h)/2),      J_ij = int W_i W_j ds,   I_i = int W_i ds.
//
// Why: in the frame of the momentum p - sum_i W_i grad gamma_i the noise is the Hamiltonian sum_i W_i v . grad gamma_i
// + sum_ij W_i W_j K_ij(q)/2 with the products K_ij of noise_products.hpp. RATTLE with I10 has the integral of the first part, but
// I_i I_j/h where the second has J_ij. What is then left is of weight 5/2 with mean zero: strong order two, and with the mean of
// J_ij weak order two. Only for the battery's own sources: K_ij is differentiated by hand here, so that no method of the library
// is judged by itself.
#pragma once

#include <livi/diagnostics/stochastic_subject.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>

namespace livi::battery_detail {

using RoundInDouble = TestRoundSystem<double>;

class ReferenceMethod {
 public:
  using V = Vector<double, 3>;
  using state_type = typename StochasticRattle<RoundInDouble>::state_type;

  explicit ReferenceMethod(const RoundInDouble& system)
      : rattle_(system), gradients_(static_cast<std::size_t>(system.noise().count())) {}

  state_type start(const V& q, const V& v) {
    set_gradients(q);
    return rattle_.start(q, v);
  }
  /// Makes a step. Throws InvalidParameter if it does not exist.
  void step(state_type& z, double h, const StepNoise<double>& noises) {
    if (!rattle_.step(z, h, noises).ok()) throw InvalidParameter("step of the reference", h, "must exist");
    const V n = normal(z.q);
    set_gradients(z.q);
    const auto& noise = rattle_.system().noise();
    V kick = V::Zero();
    for (std::size_t i = 0; i < gradients_.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        const double left = noises.product(i, j) - noises[i].integral * noises[j].integral / h;
        const double weight = (i == j ? 0.5 : 1.0) * left;
        // grad K_ij for K_ij = g_i . g_j - (n . g_i)(n . g_j) with g = grad gamma.
        const V &a = gradients_[i], &b = gradients_[j];
        const double ni = n.dot(a), nj = n.dot(b);
        noise.add_hessian_product(static_cast<Eigen::Index>(i), z.q, -weight, V(b - nj * n), kick);
        noise.add_hessian_product(static_cast<Eigen::Index>(j), z.q, -weight, V(a - ni * n), kick);
        kick += weight * (nj * normal(a) + ni * normal(b));
      }
    z.v += kick - n * n.dot(kick);
  }
  /// Returns the gradients of the noise potentials where the last step ended.
  [[nodiscard]] const std::vector<V>& gradients() const { return gradients_; }

 private:
  /// Returns the unit normal of the sphere or the cylinder, which is linear in the position.
  [[nodiscard]] V normal(const V& q) const { return rattle_.system().constraint().is_sphere ? q : V(q(0), q(1), 0); }
  void set_gradients(const V& q) {
    for (std::size_t i = 0; i < gradients_.size(); ++i) {
      gradients_[i] = V::Zero();
      rattle_.system().noise().add_gradient(static_cast<Eigen::Index>(i), q, 1.0, gradients_[i]);
    }
  }

  StochasticRattle<RoundInDouble> rattle_;
  std::vector<V> gradients_;
};

}  // namespace livi::battery_detail
