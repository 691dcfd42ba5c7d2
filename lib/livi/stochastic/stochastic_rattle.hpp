// SPDX-License-Identifier: MIT
//
// RATTLE under noise (BO07 (5)) for the equations of systems/stochastic_system.hpp:
//
//   P       = p_k + h/2 F(q_k) + sum_i B1_i grad gamma_i(q_k) + G_k^T mu,        q_{k+1} = q_k + h M^-1 P,   g(q_{k+1}) = 0
//   p_{k+1} = P + h/2 F(q_{k+1}) + sum_i B2_i grad gamma_i(q_{k+1}) + G_{k+1}^T kappa,   G_{k+1} M^-1 p_{k+1} = 0,
//
// with B1 + B2 = dW, the increment of the noise. The weights are
//
//   increments   B1 = B2 = dW/2
//   integrals    B1 = dW/2 + zeta/h,  B2 = dW/2 - zeta/h,   zeta = I10 - h dW/2
//   weak         B1 = dW/2 + 3^(1/2) zeta/h,  B2 = dW/2 - 3^(1/2) zeta/h.
//
// Strong order one with all, two with the integrals where the products K_ij of noise_products.hpp are constant
// (commutator_rattle.hpp). In the mean
// only second moments of B1 count: the K_ij enter by h B1_i B1_j/2, where the exact flow has int W_i W_j/2, whose mean
// is delta_ij h^2/4. With B1 = dW/2 + c zeta/h the difference has the mean delta_ij h^2 (3 - c^2)/24. It vanishes for
// c^2 = 3:
// weak order two for all K_ij and any number of noises, without a further gradient. Half the increments, c = 0, and I10, c = 1, have
// weak order one, unless sum_i K_ii is constant.
//
// Signs: on a plane and for linear gamma, q' = v and dv = dW have q(h) = q + h v + I10, and the step has q + h v + h
// B1. So h B1 = I10, and the step is exact. I10 = int (h - s) dW(s): noise that acts early has the larger part at q_k.
//
// With B1 and B2 fixed each kick is the flow of -B gamma, and the rest is RATTLE, so that the step is symplectic for
// each path. It is the code of Rattle: where the noise is zero, bit for bit.
#pragma once

#include <livi/integrators/rattle.hpp>
#include <livi/stochastic/noise_integrals.hpp>
#include <livi/systems/stochastic_system.hpp>

namespace livi {

/// What the weights of a step are made of: the increments of the noises, or I10 as well, for the strong or for the weak
/// order.
enum class NoiseWeights { increments, integrals, weak };

/// RATTLE under noise. A step whose multiplier does not exist has the outcome no_real_root.
template <class System>
class StochasticRattle {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using state_type = typename Rattle<System>::state_type;

  explicit StochasticRattle(const System& system, NoiseWeights weights = NoiseWeights::integrals,
                            NewtonOptions<S> newton = {})
      : weights_(weights),
        of_zeta_(of_zeta(weights)),
        rattle_(system, newton),
        impulse_(zeros<vector_type>(system.size())) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return rattle_.start(q, v); }
  StepOutcome step(state_type& z, const S& h) { return rattle_.step(z, h); }
  StepOutcome step(state_type& z, const S& h, StepNoise<S> noises) {
    require_noises(system(), noises);
    return rattle_.step(z, h, Kicks{system(), noises, h, of_zeta_, impulse_});
  }

  [[nodiscard]] Properties declares() const { return declares_for_noise().deterministic; }
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    Properties properties = rattle_.declares();
    const bool weak = weights_ == NoiseWeights::weak, integrals = weights_ == NoiseWeights::integrals;
    properties.name = weak ? "StochasticRattle, weak" : integrals ? "StochasticRattle" : "StochasticRattle, increments";
    properties.source = weak ? "livi" : "Bou-Rabee and Owhadi 2007 (5)";
    // The weak order of the others is one or two, as sum_i K_ii varies or does not: not one number.
    return {.deterministic = properties,
            .strong_order = 1,
            .strong_order_for_constant_products = integrals ? 2.0 : 1.0,
            .weak_order = weak ? 2.0 : undeclared};
  }
  [[nodiscard]] const WorkCounters& work() const { return rattle_.work(); }
  [[nodiscard]] const System& system() const { return rattle_.system(); }

 private:
  struct Kicks {
    static constexpr bool nearest = true;
    const System& system;
    StepNoise<S> noises;
    const S& h;
    const S& of_zeta;
    vector_type& impulse;

    void at_start(const vector_type& q, vector_type& v) const {
      system.kick(
          q, [&](Eigen::Index i) { return weight(i, true); }, impulse, v);
    }
    void at_end(const vector_type& q, vector_type& v) const {
      system.kick(
          q, [&](Eigen::Index i) { return weight(i, false); }, impulse, v);
    }
    [[nodiscard]] S weight(Eigen::Index i, bool first) const {
      const NoiseIntegrals<S>& noise = noises[static_cast<std::size_t>(i)];
      const S half = noise.increment / S(2);
      if (zero_by_construction(of_zeta)) return half;
      const S part = of_zeta * noise.zeta(h) / h;
      return first ? S(half + part) : S(half - part);
    }
  };

  /// Returns c of B1 = dW/2 + c zeta/h.
  static S of_zeta(NoiseWeights weights) {
    if (weights != NoiseWeights::weak) return S(weights == NoiseWeights::integrals ? 1 : 0);
    using std::sqrt;
    if constexpr (requires(const S& x) { sqrt(x); })
      return sqrt(S(3));
    else
      throw InvalidParameter("square of the weight of zeta", 3, "must have a root in the number type");
  }

  NoiseWeights weights_;
  S of_zeta_;
  Rattle<System> rattle_;
  vector_type impulse_;
};

}  // namespace livi
