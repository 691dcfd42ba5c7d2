// SPDX-License-Identifier: MIT
//
// Mass matrices M: a multiple of the identity, diagonal, full. All are constant and symmetric positive definite, which
// is checked.
#pragma once

#include <type_traits>

#include <livi/linalg/symmetric_factor.hpp>
#include <livi/scalar/errors.hpp>

namespace livi {

/// Throws InvalidParameter unless m is finite and > 0 and has a reciprocal, which a denormal number has not.
template <class S>
void require_mass(const std::string& name, const S& m) {
  const OrderAssumed<S> all_masses(OrderReason::parameters);
  if (!is_finite(m) || !(RealOf<S>(0) < leading(m)))
    throw InvalidParameter(name, to_double(m), "a mass must be finite and positive");
  if constexpr (!ScalarTraits<S>::exact)
    if (!is_finite(S(S(1) / m)))
      throw InvalidParameter(name, to_double(m), "a mass must be large enough for its reciprocal to be finite");
}

/// The mass matrix M = m I.
template <class S, int N>
class ScalarMass {
 public:
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  static constexpr bool is_diagonal = true;

  explicit ScalarMass(const S& m) requires(N != Dynamic) : ScalarMass(m, N) {}
  ScalarMass(const S& m, Eigen::Index size) : mass_(m), reciprocal_(m), size_(size) {
    require_mass("mass", m);
    reciprocal_ = S(1) / m;  // not before the check: exact types throw on division by zero
  }
  [[nodiscard]] Eigen::Index size() const { return N == Dynamic ? size_ : N; }
  [[nodiscard]] const S& diagonal(Eigen::Index) const { return mass_; }
  /// Returns the largest mass, as a size.
  [[nodiscard]] RealOf<S> largest() const { return leading(mass_); }
  [[nodiscard]] const S& reciprocal(Eigen::Index) const { return reciprocal_; }
  /// Sets out = M v; out may be v.
  void apply(const vector_type& v, vector_type& out) const { out = mass_ * v; }
  /// Replaces v by M^-1 v.
  void solve_in_place(vector_type& v) const { v *= reciprocal_; }

 private:
  S mass_, reciprocal_;
  Eigen::Index size_;
};

/// The mass matrix M = diag(m_1, ..., m_n).
template <class S, int N>
class DiagonalMass {
 public:
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  static constexpr bool is_diagonal = true;

  explicit DiagonalMass(const vector_type& m) : mass_(m), reciprocal_(m) {
    for (Eigen::Index i = 0; i < m.size(); ++i) {
      require_mass("mass[" + std::to_string(i) + "]", m(i));
      reciprocal_(i) = S(1) / m(i);
      largest_ = larger(largest_, RealOf<S>(leading(m(i))));
    }
  }
  [[nodiscard]] Eigen::Index size() const { return mass_.size(); }
  [[nodiscard]] const S& diagonal(Eigen::Index i) const { return mass_(i); }
  /// Returns the largest mass, as a size.
  [[nodiscard]] const RealOf<S>& largest() const { return largest_; }
  [[nodiscard]] const S& reciprocal(Eigen::Index i) const { return reciprocal_(i); }
  void apply(const vector_type& v, vector_type& out) const { out = mass_.cwiseProduct(v); }
  void solve_in_place(vector_type& v) const { v = v.cwiseProduct(reciprocal_); }

 private:
  vector_type mass_, reciprocal_;
  RealOf<S> largest_ = RealOf<S>(0);
};

/// A full mass matrix M, symmetric positive definite, factorised once.
template <class S, int N>
class FullMass {
 public:
  using scalar_type = S;
  using vector_type = Vector<S, N>;
  using matrix_type = Matrix<S, N>;
  static constexpr bool is_diagonal = false;

  explicit FullMass(const matrix_type& m) : mass_(m) {
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      for (Eigen::Index j = 0; j < m.cols(); ++j)
        if (!is_finite(m(i, j)))
          throw InvalidParameter("mass(" + std::to_string(i) + "," + std::to_string(j) + ")", to_double(m(i, j)),
                                 "a mass must be finite");
    const auto epsilon = ScalarTraits<S>::epsilon() * RealOf<S>(8) * max_magnitude(m);
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      for (Eigen::Index j = 0; j < i; ++j)
        if (!(magnitude(S(m(i, j) - m(j, i))) <= epsilon))
          throw InvalidParameter("mass(" + std::to_string(i) + "," + std::to_string(j) + ") - mass(" +
                                     std::to_string(j) + "," + std::to_string(i) + ")",
                                 to_double(S(m(i, j) - m(j, i))), "a mass matrix must be symmetric");
    const FactorOutcome outcome = factor_.factor(m);
    if (outcome.singular || outcome.indefinite) refuse_pivot(m);
  }
  [[nodiscard]] Eigen::Index size() const { return mass_.rows(); }
  [[nodiscard]] const matrix_type& matrix() const { return mass_; }
  [[nodiscard]] const S& diagonal(Eigen::Index i) const { return mass_(i, i); }
  /// Sets out = M v; out may be v, at the price of a temporary (allocated for Dynamic sizes).
  void apply(const vector_type& v, vector_type& out) const {
    if (&v == &out) {
      apply(vector_type(v), out);
    } else if constexpr (std::is_floating_point_v<S>) {
      out.noalias() = mass_ * v;
    } else {  // Eigen's kernel for long vectors of floats would take a second to compile per type, and gain nothing
      out = mass_.col(0) * v(0);
      for (Eigen::Index j = 1; j < v.size(); ++j) out += mass_.col(j) * v(j);
    }
  }
  void solve_in_place(vector_type& v) const { factor_.solve_in_place(v); }

 private:
  /// Throws InvalidParameter, which names the first pivot of the elimination that is not positive and its value.
  [[noreturn]] static void refuse_pivot(matrix_type m) {
    const auto roundoff = RealOf<S>(static_cast<int>(m.rows())) * ScalarTraits<S>::epsilon() * max_magnitude(m);
    const OrderAssumed<S> all_masses(OrderReason::parameters);
    Eigen::Index k = 0;
    for (; k + 1 < m.rows() && roundoff + least_pivot<S>() < leading(m(k, k)); ++k)
      for (Eigen::Index i = k + 1; i < m.rows(); ++i)
        for (Eigen::Index j = m.rows(); j-- > k + 1;) m(i, j) -= m(i, k) / m(k, k) * m(k, j);
    throw InvalidParameter("pivot " + std::to_string(k) + " of the mass", to_double(m(k, k)),
                           "a mass matrix must be symmetric positive definite: all pivots of its elimination > 0");
  }

  matrix_type mass_;
  SymmetricFactor<S, N> factor_;
};

}  // namespace livi
