// SPDX-License-Identifier: MIT
//
// RATTLE under noise with the kick of its commutator, for the equations of systems/stochastic_system.hpp:
//
//   P       = p_k + h/2 F(q_k) + sum_i B1_i grad gamma_i(q_k) - h/4 sum_ij C_ij grad K_ij(q_k) + G_k^T mu
//   q_{k+1} = q_k + h M^-1 P,   g(q_{k+1}) = 0
//   p_{k+1} = P + h/2 F(q_{k+1}) + sum_i B2_i grad gamma_i(q_{k+1}) - h/4 sum_ij C_ij grad K_ij(q_{k+1})
//             + G_{k+1}^T kappa,   G_{k+1} M^-1 p_{k+1} = 0,       B1 = I10/h,  B2 = dW - I10/h,
//
// with K_ij = grad gamma_i . a_j, where a_i = M^-1 (grad gamma_i + G^T kappa_i) is tangent, G a_i = 0, and with C the
// covariance of the noises about their means within the step (path_covariance.hpp).
//
// Why. The noises are removed by the canonical map phi_t, p -> p + sum_i W_i(t) grad gamma_i(q), projected. The gamma_i
// depend on q alone, and H = p.M^-1 p/2 + V is quadratic in p, so that in the new variables the Hamiltonian is, without
// a remainder,
//
//   H_t = H + sum_i W_i L_i + 1/2 sum_ij W_i W_j K_ij,                                                           (1)
//   L_i = a_i . p = {gamma_i, H},   K_ij = {gamma_i, {gamma_j, H}}
//
// up to signs of the brackets, and with the average of H_t the flow over a step is (dt has the weight 1, dW 1/2)
//
//   phi_h exp(h H + sum_i I10_i L_i + 1/2 sum_ij J_ij K_ij + weights 5/2, 3, ...),      J_ij = int W_i W_j.
//
// What has the weight 5/2 is sum_i int (t - h/2) W_i dt {H, L_i}, of odd order in the noise. Kicks B1 and B2 = dW - B1
// around RATTLE without noise are (1) with W = B1 throughout: J_ij is replaced by h B1_i B1_j, and I10 by h B1. So
//
//   weights       first word that is wrong               strong order             weak order
//   B1 = dW/2     -zeta_i L_i, weight 3/2, mean zero     1                        2 if sum_i K_ii is constant, else 1
//   B1 = I10/h    -h C_ij K_ij/2, weight 2, with the     2 if all K_ij are con-   2 if sum_i K_ii is constant, else 1
//                 mean -h^2/12 sum_i K_ii                stant, 3/2 if sum_i K_ii
//                                                        is, else 1
//   this method   C exact: weight 5/2, mean zero         2                        2
//                 C by a mean: weight 2, mean zero       3/2, or 2 if all K_ij    2
//                                                        are constant
//
// where constant means: on the constraint manifold. (A local error of weight w has, in the mean square, the size h^w.
// Those of mean zero add up like a random walk, to h^(w - 1/2), means to h^(w - 1); the mean of half-integer weights
// vanishes, as W and -W have the same law.) RATTLE's own error has the weight 3. So one word of weight two decides:
// C_ij K_ij, which needs one more number for each pair of noises, and no Levy area, for gamma_i and gamma_j commute.
//
// Nothing here asks for linear gamma_i. (1) has no further term for any gamma(q), since H is quadratic in p and the second
// bracket with a function of q is a function of q. Quadratic gamma_i differ from linear ones by their K_ij alone: 0.5 z
// on a cylinder about the z axis has a constant K, z^2/4 has not. Nor does anything ask for gradients that are tangent: L_i and
// K_ij have their tangent part. 0.5 z + (x^2 + y^2)/4 has the K of 0.5 z there. Where gradients are normal, L_i = K_ij = 0, and
// the multipliers take each kick whole: all these methods make the step without noise, and have order two with any B1.
//
// K_ij needs no derivative of the projection: it is stationary in kappa. So
//
//   grad K_ij = (Hess gamma_i + sum_a kappa_i^a Hess g_a) a_j + (i <-> j)
//
// plus multiples of G^T, which the multipliers absorb. The kick is the flow of h/4 C_ij K_ij, hence the step is
// symplectic for each path; symmetric, too, since C is the same for the path passed the other way.
//
// With the mean of C the kick has the potential h/12 sum_i K_ii times the step, for all paths: RATTLE with I10 has, in
// the mean and to order two, the motion in V - h/12 sum_i K_ii.
//
// How an exact C is had. None is drawn at the step itself: no simple law has J_ij given dW and I10. The step is divided
// into n steps, dW and I10 of these are drawn, and on each J_ij is its mean under them (brownian_products.hpp). What is
// neglected has mean zero and the size h^2 n^(-3/2), so that the errors of all steps add up to h^(3/2) n^(-3/2). Order
// two is kept for n ~ h^(-1/3): for h = 2^-9, eight times the n of h = 1. Noises are drawn n times; RATTLE is one step.
#pragma once

#include <livi/integrators/rattle.hpp>
#include <livi/stochastic/path_covariance.hpp>
#include <livi/systems/stochastic_system.hpp>

namespace livi {

/// RATTLE under noise with the kick of its commutator: strong order two with the covariance of the noises within the
/// step, 3/2 with a mean of it, weak order two with each. A step whose multiplier does not exist has the outcome
/// no_real_root. Cost in addition to RATTLE, for K noises: twice K solves for tangent vectors and K products with
/// Hessians of noises and constraints.
template <class System>
class CommutatorRattle {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using multiplier_type = typename System::multiplier_type;
  using state_type = typename Rattle<System>::state_type;

  explicit CommutatorRattle(const System& system, PathCovariance taken = PathCovariance::exact,
                            NewtonOptions<S> newton = {})
      : taken_(taken),
        rattle_(system, newton),
        multipliers_(system, newton),
        covariance_(system.noise().count(), taken),
        impulse_(zeros<vector_type>(system.size())),
        sum_(impulse_),
        tangents_(static_cast<std::size_t>(system.noise().count()), impulse_),
        kappas_(tangents_.size(), zeros<multiplier_type>()) {}

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const { return rattle_.start(q, v); }
  StepOutcome step(state_type& z, const S& h) { return rattle_.step(z, h); }
  StepOutcome step(state_type& z, const S& h, StepNoise<S> noises) {
    require_noises(system(), noises);
    covariance_.set(noises, h);
    for (multiplier_type& kappa : kappas_)
      if (kappa.size() != z.kappa.size()) kappa = z.kappa;  // gives it its size
    StepOutcome of_kicks;
    const StepOutcome outcome = rattle_.step(z, h, Kicks{*this, noises, h, of_kicks});
    work_ = rattle_.work();
    work_.linear_solves += of_tangents_.linear_solves;
    return of_kicks.ok() ? outcome : of_kicks;
  }

  [[nodiscard]] Properties declares() const { return declares_for_noise().deterministic; }
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    Properties properties = rattle_.declares();
    properties.name = "CommutatorRattle" + in_name_of_method(taken_);
    properties.source = "livi; RATTLE of Bou-Rabee and Owhadi 2007 (5)";
    return {.deterministic = properties,
            .strong_order = taken_ == PathCovariance::exact ? 2 : 1.5,
            .strong_order_for_constant_products = 2,
            .weak_order = 2,
            .means_of_products = taken_ != PathCovariance::exact};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return rattle_.system(); }

 private:
  struct Kicks {
    static constexpr bool nearest = true;
    CommutatorRattle& method;
    const StepNoise<S>& noises;
    const S& h;
    StepOutcome& outcome;

    void at_start(const vector_type& q, vector_type& v) const {
      kick(
          q, [&](Eigen::Index i) { return S(noise(i).integral / h); }, v);
    }
    void at_end(const vector_type& q, vector_type& v) const {
      kick(
          q, [&](Eigen::Index i) { return S(noise(i).increment - noise(i).integral / h); }, v);
    }
    template <class Weight>
    void kick(const vector_type& q, const Weight& weight, vector_type& v) const {
      method.system().kick(q, weight, method.impulse_, v);
      if (outcome.ok()) outcome = method.kick_of_commutator(q, h, v);
    }
    [[nodiscard]] const NoiseIntegrals<S>& noise(Eigen::Index i) const { return noises[static_cast<std::size_t>(i)]; }
  };

  /// Adds -h/4 M^-1 sum_ij C_ij grad K_ij to v, or nothing where C vanishes.
  StepOutcome kick_of_commutator(const vector_type& q, const S& h, vector_type& v) {
    const auto& covariance = covariance_.matrix();
    bool any = false;
    for (Eigen::Index i = 0; i < covariance.size(); ++i) any = any || !zero_by_construction(S(covariance(i)));
    if (!any) return {};
    const auto& noise = system().noise();
    multipliers_.set_directions(system(), q);
    for (std::size_t i = 0; i < tangents_.size(); ++i) {
      tangents_[i].setConstant(S(0));
      noise.add_gradient(static_cast<Eigen::Index>(i), q, S(1), tangents_[i]);
      system().mass().solve_in_place(tangents_[i]);
      if (const StepOutcome outcome =
              multipliers_.project_velocity(system(), q, tangents_[i], kappas_[i], of_tangents_);
          !outcome.ok())
        return outcome;
    }
    impulse_.setConstant(S(0));
    const S weight = -h / S(2);
    for (std::size_t i = 0; i < tangents_.size(); ++i) {
      sum_.setConstant(S(0));
      for (std::size_t j = 0; j < tangents_.size(); ++j)
        sum_ += S(weight * covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j))) * tangents_[j];
      noise.add_hessian_product(static_cast<Eigen::Index>(i), q, S(1), sum_, impulse_);
      system().constraint().add_hessian_product(q, kappas_[i], sum_, impulse_);
    }
    system().mass().solve_in_place(impulse_);
    v += impulse_;
    return {};
  }

  PathCovariance taken_;
  Rattle<System> rattle_;
  MultiplierSolve<System> multipliers_;
  StepCovariance<S> covariance_;
  vector_type impulse_, sum_;
  std::vector<vector_type> tangents_;    ///< a_i
  std::vector<multiplier_type> kappas_;  ///< kappa_i
  WorkCounters of_tangents_, work_;
};

}  // namespace livi
