// SPDX-License-Identifier: MIT
//
// Constrained systems under noise (BO07 (10)),
//
//   dq = M^-1 p dt,   dp = -grad V(q) dt + sum_i grad gamma_i(q) o dW_i + G^T d lambda,   g(q) = 0,   p = M v,
//
// with independent Brownian motions W_i and noise potentials gamma_i. These depend on q alone, so that the integrals of Ito
// and Stratonovich agree.
//
// Noise potentials are any class with
//   scalar_type, dimension (n), vector_type
//   count()                                  the number of noises
//   value(i, q)                              gamma_i(q)
//   add_gradient(i, q, w, out)               out += w grad gamma_i(q)
//   add_hessian_product(i, q, w, a, out)     out += w Hess gamma_i(q) a
// Ready ones are polynomials of degree one and two, over every scalar.
#pragma once

#include <livi/systems/constraints.hpp>
#include <vector>

namespace livi {

template <class Noise>
concept NoisePotentials = requires(const Noise& noise, const typename Noise::vector_type& q,
                                   const typename Noise::scalar_type& w, typename Noise::vector_type& out) {
  { noise.count() } -> std::convertible_to<Eigen::Index>;
  { noise.value(0, q) } -> std::convertible_to<typename Noise::scalar_type>;
  noise.add_gradient(0, q, w, out);
  noise.add_hessian_product(0, q, w, q, out);
};

/// Noise potentials gamma_i = a_i . q, K of them or Dynamic: a white force that does not depend on the position.
template <class S, int N, int K>
struct LinearNoise {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  static constexpr int dimension = N;
  Matrix<S, N, K> forces;  ///< column i is a_i, with the amplitude of noise i in it

  [[nodiscard]] Eigen::Index count() const { return forces.cols(); }
  S value(Eigen::Index i, const vector_type& q) const {
    S sum(0);
    for (Eigen::Index j = 0; j < q.size(); ++j) sum += forces(j, i) * q(j);
    return sum;
  }
  void add_gradient(Eigen::Index i, const vector_type&, const S& w, vector_type& out) const {
    out += w * forces.col(i);
  }
  void add_hessian_product(Eigen::Index, const vector_type&, const S&, const vector_type&, vector_type&) const {}
};

/// Noise potentials gamma_i = a_i . q + q . A_i q / 2 with symmetric A_i.
template <class S, int N>
struct QuadraticNoise {
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  static constexpr int dimension = N;
  struct Term {
    vector_type force;    ///< a_i
    Matrix<S, N> matrix;  ///< A_i
  };
  std::vector<Term> terms;

  [[nodiscard]] Eigen::Index count() const { return static_cast<Eigen::Index>(terms.size()); }
  S value(Eigen::Index i, const vector_type& q) const {
    const Term& term = terms[static_cast<std::size_t>(i)];
    S sum(0);
    for (Eigen::Index j = 0; j < q.size(); ++j) sum += (term.force(j) + row(term, j, q) / S(2)) * q(j);
    return sum;
  }
  void add_gradient(Eigen::Index i, const vector_type& q, const S& w, vector_type& out) const {
    const Term& term = terms[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < out.size(); ++j) out(j) += w * (term.force(j) + row(term, j, q));
  }
  void add_hessian_product(Eigen::Index i, const vector_type&, const S& w, const vector_type& a,
                           vector_type& out) const {
    const Term& term = terms[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < out.size(); ++j) out(j) += w * row(term, j, a);
  }

 private:
  static S row(const Term& term, Eigen::Index j, const vector_type& a) {
    S sum(0);
    for (Eigen::Index k = 0; k < a.size(); ++k) sum += term.matrix(j, k) * a(k);
    return sum;
  }
};

/// One noise potential as a potential (potential.hpp), for check_derivatives(). Its Hessian is dense.
template <NoisePotentials Noise>
struct NoisePotential {
  using scalar_type = typename Noise::scalar_type;
  using S = scalar_type;
  using vector_type = typename Noise::vector_type;
  using hessian_type = DenseHessian<S, Noise::dimension>;
  static constexpr int dimension = Noise::dimension;
  Noise noise;
  Eigen::Index index;  ///< i of gamma_i

  S value(const vector_type& q) const { return noise.value(index, q); }
  void gradient(const vector_type& q, vector_type& out) const {
    out.setConstant(S(0));
    noise.add_gradient(index, q, S(1), out);
  }
  void hessian(const vector_type& q, hessian_type& h) const {
    vector_type unit = zeros<vector_type>(q.size()), column = unit;
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      unit.setConstant(S(0));
      column.setConstant(S(0));
      unit(j) = S(1);
      noise.add_hessian_product(index, q, S(1), unit, column);
      h.matrix.col(j) = column;
    }
  }
};

/// A constrained system with noise potentials. Methods for constrained systems take it for the motion without noise.
template <class MassT, Potential PotentialT, HolonomicConstraint ConstraintT, NoisePotentials NoiseT>
class StochasticSystem : public ConstrainedSystem<MassT, PotentialT, ConstraintT> {
 public:
  using noise_type = NoiseT;
  using scalar_type = typename PotentialT::scalar_type;
  using vector_type = typename PotentialT::vector_type;

  StochasticSystem(MassT mass, PotentialT potential, ConstraintT constraint, NoiseT noise)
      : ConstrainedSystem<MassT, PotentialT, ConstraintT>(std::move(mass), std::move(potential), std::move(constraint)),
        noise_(std::move(noise)) {}
  [[nodiscard]] const NoiseT& noise() const { return noise_; }

  /// Adds M^-1 sum_i w_i grad gamma_i(q) to v, where weight(i) is w_i and `impulse` is for intermediate results. A noise whose
  /// weight is zero is left out, so that a step without noise is bitwise that of the motion without noise.
  template <class Weight>
  void kick(const vector_type& q, const Weight& weight, vector_type& impulse, vector_type& v) const {
    bool any = false;
    for (Eigen::Index i = 0; i < noise_.count(); ++i) {
      const scalar_type w = weight(i);
      if (zero_by_construction(w)) continue;
      if (!any) impulse.setConstant(scalar_type(0));
      any = true;
      noise_.add_gradient(i, q, w, impulse);
    }
    if (!any) return;
    this->mass().solve_in_place(impulse);
    v += impulse;
  }

 private:
  NoiseT noise_;
};

}  // namespace livi
