// SPDX-License-Identifier: MIT
//
// Constrained variational partitioned Runge-Kutta methods from a tableau (BO07 (4); Jay 1996), under noise:
//
//   Q_i = q_k + h sum_j a_ij M^-1 P_j,   P_i = p_k + sum_j (1 - a_ji/b_i) I_j,   g(Q_i) = 0,
//   I_j = h b_j F(Q_j) + sum_l B_lj grad gamma_l(Q_j) + G(Q_j)^T mu_j,
//   q_{k+1} = Q_s,   p_{k+1} = p_k + sum_j I_j,   G(Q_s) M^-1 p_{k+1} = 0.
//
// With mu_j = h b_j Lambda_j and B = 0 the matrix of the momenta is the conjugate one, b_j - b_j a_ji/b_i. Without the P_i,
//
//   Q_i = q_k + h c_i M^-1 p_k + h sum_{j<s} d_ij M^-1 I_j,   d_ij = sum_l a_il (1 - a_jl/b_l),
//
// where d_is = 0 because a_sl = b_l: I_s, and with it mu_s, acts on the velocity alone. Newton's method is for Q_2, ..., Q_s and
// mu_1, ..., mu_{s-1} at once, (s - 1)(n + m) numbers. It uses Hess V, Hess gamma and Hess g where s > 2.
//
// The weights of noise W are B_j = b_j dW, or, with c- = sum b_j c_j and var = sum b_j (c_j - c-)^2,
//
//   B_j = b_j dW - b_j (c_j - c-)/var (I10/h - (1 - c-) dW).
//
// sum B_j = dW, and sum (1 - c_j) B_j = I10/h: the position on a plane under a linear potential is exact. Where c- = 1/2 this
// is the part of white noise that is linear in time, at the nodes; for RATTLE B_1, B_2 = dW/2 +- zeta/h.
//
// Strong orders, in the words of commutator_rattle.hpp. To first order in h, with the kicks fixed, the momentum of stage
// i is that of a noise that stands at W_i = sum_j (1 - a_ji/b_i) B_j. So the step has h sum_i b_i W_i = sum_j h (1 - c_j)
// B_j in the place of I10, and h sum_i b_i W_i W_i in the place of int W W. With B_j = b_j dW the first is h dW/2: a word
// of weight 3/2 is wrong, with mean zero, and the order is one. With I10 that word is right. For Lobatto's methods the
// W_i are the values of a polynomial of degree s - 2: of dW t/h + 6 zeta t (h - t)/h^3, what such polynomials can have of
// it in the mean square. So the covariance C of the noise within the step, of mean h/6, is replaced by
//
//   stages    instead of C_ij                                  of the mean of C_ii is left
//   2         0                                                h/6
//   3         dW_i dW_j/12                                     h/12
//   4         dW_i dW_j/12 + zeta_i zeta_j/(5 h^2)             h/15
//
// More stages have no more: 4 have the mean of C under increments and zeta but for delta_ij h/15. Hence the strong
// orders are those of RATTLE with I10, two where all K_ij are constant, 3/2 where sum_i K_ii is and one elsewhere; what is
// wrong at order one is a half and two fifths of that of RATTLE.
#pragma once

#include <livi/stochastic/partitioned_tableau.hpp>
#include <livi/stochastic/stochastic_rattle.hpp>

namespace livi {

/// What a tableau must satisfy: Condition 2.1, or the condition without b_j != 0 (variational_euler_tableau).
enum class TableauCondition { condition_2_1, weights_may_vanish };

/// A constrained variational partitioned Runge-Kutta method. The cost of an iteration is that of a dense system of
/// (s - 1)(n + m) equations. A step whose multipliers do not exist has the outcome no_real_root.
template <class System>
class ConstrainedPartitionedRungeKutta {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using multiplier_type = typename System::multiplier_type;
  using state_type = PhaseState<S, System::dimension>;

  /// Throws InvalidParameter, which names the condition, for a tableau that violates it, and for weights of the noise that need
  /// I10 where all nodes with a weight are equal.
  ConstrainedPartitionedRungeKutta(const System& system, PartitionedTableau<S> tableau,
                                   NoiseWeights weights = NoiseWeights::increments,
                                   TableauCondition condition = TableauCondition::condition_2_1,
                                   NewtonOptions<S> newton = {})
      : system_(&system),
        tableau_(std::move(tableau)),
        options_(newton),
        weights_(weights),
        projection_(system, newton),
        hessian_(system.size()),
        column_(zeros<vector_type>(system.size())),
        direction_(column_),
        image_(column_),
        drift_(column_),
        start_(column_) {
    options_.validate();
    if (const auto violation = violation_of_condition_2_1(tableau_, condition == TableauCondition::weights_may_vanish))
      throw *violation;
    find_coefficients();
    const auto stages = static_cast<std::size_t>(tableau_.stages());
    stages_.assign(stages, column_);
    impulses_ = last_stages_ = stages_;
    jacobians_.resize(stages);
    multipliers_.resize(stages);
    last_multipliers_ = multipliers_;
  }

  /// Returns the state of q and v. Throws InvalidParameter unless q is on the constraint manifold and v tangent to it.
  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    system_->require_consistent(q, v, RealOf<S>(4096) * ScalarTraits<S>::epsilon());
    return {q, v};
  }
  StepOutcome step(state_type& z, const S& h) {
    return step_with(z, h, [](Eigen::Index, Eigen::Index) { return S(0); });
  }
  StepOutcome step(state_type& z, const S& h, StepNoise<S> noises) {
    require_noises(*system_, noises);
    return step_with(z, h, [&](Eigen::Index noise, Eigen::Index stage) {
      const NoiseIntegrals<S>& w = noises[static_cast<std::size_t>(noise)];
      if (weights_ == NoiseWeights::increments) return S(tableau_.b(stage) * w.increment);
      return S(tableau_.b(stage) * w.increment + slope_(stage) * (w.integral / h - (S(1) - mean_node_) * w.increment));
    });
  }

  /// Returns the position of stage i = 0, ..., s - 1 in the last step.
  [[nodiscard]] const vector_type& stage(Eigen::Index i) const { return stages_[static_cast<std::size_t>(i)]; }
  /// Returns the multiplier mu_j of stage j = 0, ..., s - 1 in the last step: G(Q_j)^T mu_j is its part of the momentum.
  [[nodiscard]] const multiplier_type& multiplier(Eigen::Index j) const {
    return multipliers_[static_cast<std::size_t>(j)];
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "ConstrainedPartitionedRungeKutta, " + tableau_.name,
            .source = "Jay 1996; Bou-Rabee and Owhadi 2007 (4)",
            .order = tableau_.order,
            .symmetric = is_symmetric(),
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .rational = false,
            .cost = {.iterative = true}};
  }
  [[nodiscard]] StochasticProperties declares_for_noise() const {
    return {
        .deterministic = declares(),
        .strong_order = 1,
        .strong_order_for_constant_products = weights_ == NoiseWeights::integrals && tableau_.order >= 2 ? 2.0 : 1.0};
  }
  [[nodiscard]] const PartitionedTableau<S>& tableau() const { return tableau_; }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  using hessian_type = typename System::potential_type::hessian_type;

  [[nodiscard]] bool vanishes(Eigen::Index j) const {
    return magnitude(tableau_.b(j)) <= RealOf<S>(4) * ScalarTraits<S>::epsilon();
  }
  void find_coefficients() {
    const Eigen::Index s = tableau_.stages();
    d_ = Matrix<S, Dynamic>::Constant(s, s, S(0));
    for (Eigen::Index i = 0; i < s; ++i)
      for (Eigen::Index j = 0; j + 1 < s; ++j)
        for (Eigen::Index l = 0; l < s; ++l)
          if (!vanishes(l)) d_(i, j) += tableau_.a(i, l) * (S(1) - tableau_.a(j, l) / tableau_.b(l));
    // For h to 0 the determinant of Newton's matrix has the sign of h^((s-1) m) det(d)^m, with rows 2, ..., s of d.
    GaussianElimination<S, Dynamic> elimination;
    if (elimination.factor(d_.bottomLeftCorner(s - 1, s - 1)).singular)
      throw InvalidParameter("determinant of the tableau's coefficients of the multipliers", 0, "must not be 0");
    negative_ = elimination.negative_determinant();
    mean_node_ = S(0);
    for (Eigen::Index j = 0; j < s; ++j) mean_node_ += tableau_.b(j) * tableau_.node(j);
    S variance(0);
    for (Eigen::Index j = 0; j < s; ++j) {
      const S difference = tableau_.node(j) - mean_node_;
      variance += tableau_.b(j) * difference * difference;
    }
    slope_ = Vector<S, Dynamic>::Constant(s, S(0));
    if (weights_ == NoiseWeights::increments) return;
    if (magnitude(variance) <= RealOf<S>(64) * ScalarTraits<S>::epsilon())
      throw InvalidParameter("variance of the tableau's nodes", to_double(variance),
                             "must not be 0 where weights of the noise need I10");
    for (Eigen::Index j = 0; j < s; ++j) slope_(j) = -tableau_.b(j) * (tableau_.node(j) - mean_node_) / variance;
  }
  /// Returns whether a_ij + a_(s+1-i)(s+1-j) = b_j and b_j = b_(s+1-j).
  [[nodiscard]] bool is_symmetric() const {
    const Eigen::Index s = tableau_.stages();
    const RealOf<S> rounding = RealOf<S>(16) * ScalarTraits<S>::epsilon();
    for (Eigen::Index j = 0; j < s; ++j) {
      if (!(magnitude(S(tableau_.b(j) - tableau_.b(s - 1 - j))) <= rounding)) return false;
      for (Eigen::Index i = 0; i < s; ++i)
        if (!(magnitude(S(tableau_.a(i, j) + tableau_.a(s - 1 - i, s - 1 - j) - tableau_.b(j))) <= rounding))
          return false;
    }
    return true;
  }

  template <class Weight>
  StepOutcome step_with(state_type& z, const S& h, const Weight& weight) {
    const Eigen::Index s = tableau_.stages();
    for (auto& mu : multipliers_) system_->constraint().value(z.q, mu);  // gives them their sizes
    start_ = z.q;
    drift_ = h * z.v;
    stages_[0] = z.q;
    system_->constraint().jacobian(z.q, jacobians_[0]);
    if (const StepOutcome outcome = solve(h, weight); !outcome.ok()) return outcome;
    for (Eigen::Index j = 0; j + 1 < s; ++j) z.v += impulses_[static_cast<std::size_t>(j)];
    z.q = stages_[static_cast<std::size_t>(s - 1)];
    force(s - 1, S(1), h, weight, column_);
    z.v += column_;
    projection_.set_directions(*system_, z.q);
    return projection_.project_velocity(*system_, z.q, z.v, multipliers_[static_cast<std::size_t>(s - 1)], work_);
  }

  /// Sets out = scale M^-1 (h b_j F(Q_j) + sum_l B_lj grad gamma_l(Q_j)).
  template <class Weight>
  void force(Eigen::Index j, const S& scale, const S& h, const Weight& weight, vector_type& out) {
    system_->acceleration(stages_[static_cast<std::size_t>(j)], out);
    out *= scale * h * tableau_.b(j);
    system_->kick(
        stages_[static_cast<std::size_t>(j)], [&](Eigen::Index noise) { return S(scale * weight(noise, j)); }, image_,
        out);
  }

  /// Solves for stages and multipliers: from the guess of no force at all, and where that finds nothing, or another solution,
  /// along the branch on which velocities and forces grow from zero.
  template <class Weight>
  StepOutcome solve(const S& h, const Weight& weight) {
    const auto from_the_start = [&](const S& scale) {
      for (std::size_t i = 1; i < stages_.size(); ++i)
        stages_[i] = start_ + (scale * tableau_.node(static_cast<Eigen::Index>(i))) * drift_;
      for (auto& mu : multipliers_) mu.setConstant(S(0));
    };
    from_the_start(S(1));
    const StepOutcome outcome = newton(S(1), h, weight);
    if (options_.fixed_iterations > 0) return outcome;
    if (outcome.ok() && keeps_orientation(h) && turns_less_than_a_right_angle()) return {};
    if (!all_finite(drift_) || (outcome.failure == Failure::not_finite && outcome.detail == 0))
      return {Failure::not_finite};
    from_the_start(S(0));
    last_stages_ = stages_;
    last_multipliers_ = multipliers_;
    return follow_branch<S>([&](const S& scale) {
      if (newton(scale, h, weight).ok() && keeps_orientation(h)) {
        last_stages_ = stages_;
        last_multipliers_ = multipliers_;
        return true;
      }
      stages_ = last_stages_;
      multipliers_ = last_multipliers_;
      return false;
    });
  }
  /// Returns whether the determinant of Newton's matrix has the sign that it has for h to 0.
  [[nodiscard]] bool keeps_orientation(const S& h) const {
    const bool odd = multipliers_[0].size() % 2 != 0;
    const bool backwards = leading(h) < RealOf<S>(0) && (tableau_.stages() - 1) % 2 != 0;
    return elimination_.negative_determinant() == (odd && (negative_ != backwards));
  }
  /// Returns whether no gradient of a constraint has turned by a right angle or more at a stage.
  [[nodiscard]] bool turns_less_than_a_right_angle() {
    for (std::size_t i = 1; i < stages_.size(); ++i)
      for (Eigen::Index k = 0; k < multipliers_[0].size(); ++k) {
        set_direction(jacobians_[0], k);
        S product(0);
        const auto& jacobian = dense(jacobians_[i]);
        for (Eigen::Index l = 0; l < direction_.size(); ++l) product += jacobian(k, l) * direction_(l);
        if (!(RealOf<S>(0) < leading(product))) return false;
      }
    return true;
  }
  /// Sets direction_ to column k of M^-1 G^T.
  void set_direction(const typename System::jacobian_type& jacobian, Eigen::Index k) {
    direction_ = dense(jacobian).row(k).transpose();
    system_->mass().solve_in_place(direction_);
  }

  /// Newton's method for the equations in which velocities and forces are multiplied by `scale`.
  template <class Weight>
  StepOutcome newton(const S& scale, const S& h, const Weight& weight) {
    const int limit = options_.fixed_iterations > 0 ? options_.fixed_iterations : options_.max_iterations;
    set_impulses(scale, h, weight);
    for (std::size_t j = 0; j + 1 < impulses_.size(); ++j)
      if (!all_finite(impulses_[j])) return {Failure::not_finite, 0};
    for (int iteration = 1; iteration <= limit; ++iteration) {
      ++work_.newton_iterations;
      assemble(scale, h, weight);
      if (const StepOutcome outcome = work_.record(elimination_.factor(matrix_)); !outcome.ok()) return outcome;
      elimination_.solve_in_place(residual_);
      const Eigen::Index n = column_.size(), m = multipliers_[0].size(), inner = tableau_.stages() - 1;
      RealOf<S> update(0), size(0);
      for (Eigen::Index i = 0; i < inner; ++i) {
        auto& q = stages_[static_cast<std::size_t>(i + 1)];
        for (Eigen::Index l = 0; l < n; ++l) {
          q(l) -= residual_(i * n + l);
          update = larger(update, magnitude(residual_(i * n + l)));
          size = larger(size, magnitude(q(l)));
        }
        for (Eigen::Index k = 0; k < m; ++k)
          multipliers_[static_cast<std::size_t>(i)](k) -= residual_(inner * n + i * m + k);
      }
      set_impulses(scale, h, weight);
      if (options_.fixed_iterations > 0) continue;
      if (update <= options_.tolerance * (RealOf<S>(1) + size)) return {};
      if (!is_finite(update)) return {Failure::not_finite, iteration};
    }
    if (options_.fixed_iterations > 0) return {};
    return {Failure::no_convergence, limit};
  }

  /// Sets impulses_[j] = M^-1 I_j and the Jacobians of the constraint at all stages.
  template <class Weight>
  void set_impulses(const S& scale, const S& h, const Weight& weight) {
    for (std::size_t i = 1; i < stages_.size(); ++i) system_->constraint().jacobian(stages_[i], jacobians_[i]);
    for (std::size_t j = 0; j + 1 < stages_.size(); ++j) {
      force(static_cast<Eigen::Index>(j), scale, h, weight, impulses_[j]);
      for (Eigen::Index k = 0; k < multipliers_[j].size(); ++k) {
        set_direction(jacobians_[j], k);
        impulses_[j] += multipliers_[j](k) * direction_;
      }
    }
  }

  /// Sets the residual and its matrix; rows are those of Q_2, ..., Q_s and then of g(Q_2), ..., g(Q_s).
  template <class Weight>
  void assemble(const S& scale, const S& h, const Weight& weight) {
    const Eigen::Index n = column_.size(), m = multipliers_[0].size(), inner = tableau_.stages() - 1,
                       size = inner * (n + m);
    residual_.setConstant(size, S(0));
    matrix_.setConstant(size, size, S(0));
    for (Eigen::Index i = 0; i < inner; ++i) {
      const auto& q = stages_[static_cast<std::size_t>(i + 1)];
      column_ = q - start_ - (scale * tableau_.node(i + 1)) * drift_;
      for (Eigen::Index j = 0; j < inner; ++j) column_ -= (h * d_(i + 1, j)) * impulses_[static_cast<std::size_t>(j)];
      residual_.segment(i * n, n) = column_;
      system_->constraint().value(q, value_);
      residual_.segment(inner * n + i * m, m) = value_;
      matrix_.block(inner * n + i * m, i * n, m, n) = dense(jacobians_[static_cast<std::size_t>(i + 1)]);
      for (Eigen::Index l = 0; l < n; ++l) matrix_(i * n + l, i * n + l) += S(1);
    }
    for (Eigen::Index j = 0; j < inner; ++j) {
      for (Eigen::Index k = 0; k < m; ++k) {
        set_direction(jacobians_[static_cast<std::size_t>(j)], k);
        for (Eigen::Index i = 0; i < inner; ++i)
          matrix_.block(i * n, inner * n + j * m + k, n, 1) = (-h * d_(i + 1, j)) * direction_;
      }
      if (j == 0) continue;  // Q_1 is given
      const auto& q = stages_[static_cast<std::size_t>(j)];
      system_->potential().hessian(q, hessian_);
      for (Eigen::Index l = 0; l < n; ++l) {
        column_.setConstant(S(0));
        column_(l) = S(1);
        hessian_.multiply(column_, direction_);
        direction_ *= -(scale * h * tableau_.b(j));
        for (Eigen::Index noise = 0; noise < system_->noise().count(); ++noise) {
          const S w = scale * weight(noise, j);
          if (!zero_by_construction(w)) system_->noise().add_hessian_product(noise, q, w, column_, direction_);
        }
        system_->constraint().add_hessian_product(q, multipliers_[static_cast<std::size_t>(j)], column_, direction_);
        system_->mass().solve_in_place(direction_);
        for (Eigen::Index i = 0; i < inner; ++i)
          for (Eigen::Index row = 0; row < n; ++row)
            matrix_(i * n + row, (j - 1) * n + l) -= h * d_(i + 1, j) * direction_(row);
      }
    }
  }

  const System* system_;
  PartitionedTableau<S> tableau_;
  NewtonOptions<S> options_;
  NoiseWeights weights_;
  Matrix<S, Dynamic> d_;
  bool negative_ = false;  ///< det(d)
  S mean_node_ = S(0);
  Vector<S, Dynamic> slope_;  ///< the weights' part that is linear in time
  MultiplierSolve<System> projection_;
  hessian_type hessian_;
  vector_type column_, direction_, image_, drift_, start_;
  std::vector<vector_type> stages_, impulses_, last_stages_;
  std::vector<typename System::jacobian_type> jacobians_;
  std::vector<multiplier_type> multipliers_, last_multipliers_;
  multiplier_type value_ = zeros<multiplier_type>();
  Matrix<S, Dynamic> matrix_;
  Vector<S, Dynamic> residual_;
  GaussianElimination<S, Dynamic> elimination_;
  WorkCounters work_;
};

}  // namespace livi
