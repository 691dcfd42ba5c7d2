// SPDX-License-Identifier: MIT
//
// What Theorem 2.1(2) and Remark 2.2 of TO14 speak of: the matrices B, W and the Jacobian Da of the force of Z&Ss, the
// conditions on them, and potentials on which these hold or fail everywhere.
#pragma once

#include "certified.hpp"

namespace livi::theorem {

/// B, W, and Da of Z&Ss at x (by duals), for any system.
template <class K>
struct Linearisation {
  Matrix<K, Dynamic> mass, b, w, da;
};
template <class K>
Matrix<K, Dynamic> inverse_times(const Matrix<K, Dynamic>& a, Matrix<K, Dynamic> columns) {
  GaussianElimination<K, Dynamic> solver;
  if (solver.factor(a).singular) throw StepFailed("singular");
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    Vector<K, Dynamic> column = columns.col(j);
    solver.solve_in_place(column);
    columns.col(j) = column;
  }
  return columns;
}
template <class K, class Potential, class DualPotential>
Linearisation<K> linearise(const Matrix<K, Dynamic>& mass, const Potential& potential,
                           const DualPotential& dual_potential, const Vector<K, Dynamic>& x, const K& c) {
  using T = Dual<K>;
  const Eigen::Index n = x.size();
  Linearisation<K> result;
  result.mass = mass;
  DenseHessian<K, Dynamic> hessian(n);
  potential.hessian(x, hessian);
  result.b = mass + c * hessian.matrix;
  Vector<K, Dynamic> g = x;
  potential.gradient(x, g);
  const Vector<K, Dynamic> b_inverse_g = inverse_times<K>(result.b, g);
  // (V'''.u)_ij = d/ds Hess_ij(x + s u)
  Vector<T, Dynamic> along(n);
  for (Eigen::Index i = 0; i < n; ++i) along(i) = T(x(i), b_inverse_g(i));
  DenseHessian<T, Dynamic> hessian_along(n);
  dual_potential.hessian(along, hessian_along);
  result.w = Matrix<K, Dynamic>::Constant(n, n, K(0));
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) result.w(i, j) = hessian_along.matrix(i, j).derivative;
  const MechanicalSystem<FullMass<T, Dynamic>, DualPotential> system(
      FullMass<T, Dynamic>(mass.template cast<T>().eval()), dual_potential);
  WorkCounters work;
  // With h = 1, beta is c = beta h^2.
  SimplifiedZhangSkeelForce<std::decay_t<decltype(system)>, HessianPart::all> with_c(system, {T(c)});
  result.da = Matrix<K, Dynamic>::Constant(n, n, K(0));
  for (Eigen::Index j = 0; j < n; ++j) {
    Vector<T, Dynamic> z(n), a(n);
    for (Eigen::Index i = 0; i < n; ++i) z(i) = T(x(i), K(i == j ? 1 : 0));
    if (!with_c(system, z, T(1), a, work).ok()) throw StepFailed("singular");
    for (Eigen::Index i = 0; i < n; ++i) result.da(i, j) = a(i).derivative;
  }
  return result;
}

template <class K>
void append(std::vector<K>& values, const Matrix<K, Dynamic>& m) {
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index j = 0; j < m.cols(); ++j) values.push_back(m(i, j));
}

/// What is asked of B, W, M and Da at a point.
enum class Condition {
  derivation,         ///< (*) holds
  equivalence,        ///< W M^-1 B - B M^-1 W = B M^-1 (M B^-1 W - W B^-1 M) M^-1 B
  commutes,           ///< B W = W B: the paper's condition
  symmetric,          ///< M B^-1 W = W B^-1 M: the corrected condition
  jacobian_symmetric  ///< Da = Da^T: what Lemma 2.1 asks
};
template <class K>
std::vector<K> residuals(const Linearisation<K>& at, const K& c, Condition condition) {
  using M = Matrix<K, Dynamic>;
  std::vector<K> values;
  const M product = at.mass * inverse_times<K>(at.b, at.w), skew = product - product.transpose();
  switch (condition) {
    case Condition::derivation: {
      const M m_da = at.mass * at.da, left = m_da - m_da.transpose();
      append<K>(values, left - c * skew);
      break;
    }
    case Condition::equivalence: {
      const M w_b = at.w * inverse_times<K>(at.mass, at.b), b_w = at.b * inverse_times<K>(at.mass, at.w);
      const M right = at.b * inverse_times<K>(at.mass, M(skew * inverse_times<K>(at.mass, at.b)));
      append<K>(values, w_b - b_w - right);
      break;
    }
    case Condition::commutes:
      append<K>(values, at.b * at.w - at.w * at.b);
      break;
    case Condition::symmetric:
      append<K>(values, skew);
      break;
    case Condition::jacobian_symmetric:
      append<K>(values, at.da - at.da.transpose());
      break;
  }
  return values;
}

// --- potentials of special structure --------------------------------------------------------------------------------

/// V = x.A x/2 + sum_i phi_i(u_i.x), phi_i(s) = p_i s^2/2 + q_i s^3/3 + r_i s^4/4.
template <class S>
struct RidgePotential {
  using scalar_type = S;
  using vector_type = Vector<S, Dynamic>;
  using hessian_type = DenseHessian<S, Dynamic>;
  static constexpr int dimension = Dynamic;
  Matrix<S, Dynamic> quadratic;
  Matrix<S, Dynamic> directions;    ///< u_i, columns
  Matrix<S, Dynamic> coefficients;  ///< p_i, q_i, r_i, columns

  S value(const vector_type& x) const {
    S sum(0);
    const vector_type ax = quadratic * x;
    for (Eigen::Index i = 0; i < x.size(); ++i) sum += x(i) * ax(i) / S(2);
    for (Eigen::Index k = 0; k < directions.cols(); ++k) {
      const S s = along(k, x);
      sum += s * s * (p(k) / S(2) + s * (q(k) / S(3) + r(k) * s / S(4)));
    }
    return sum;
  }
  void gradient(const vector_type& x, vector_type& out) const {
    out = quadratic * x;
    for (Eigen::Index k = 0; k < directions.cols(); ++k) {
      const S s = along(k, x);
      out += (s * (p(k) + s * (q(k) + r(k) * s))) * directions.col(k);
    }
  }
  void hessian(const vector_type& x, hessian_type& h) const {
    h.matrix = quadratic;
    for (Eigen::Index k = 0; k < directions.cols(); ++k) {
      const S s = along(k, x), second = p(k) + s * (S(2) * q(k) + S(3) * r(k) * s);
      h.matrix += second * (directions.col(k) * directions.col(k).transpose());
    }
  }
  void third(const vector_type& x, const vector_type& a, vector_type& out) const {
    out.setConstant(S(0));
    for (Eigen::Index k = 0; k < directions.cols(); ++k) {
      const S s = along(k, x), t = along(k, a);
      out += ((S(2) * q(k) + S(6) * r(k) * s) * t * t) * directions.col(k);
    }
  }

 private:
  S along(Eigen::Index k, const vector_type& x) const {
    S sum(0);
    for (Eigen::Index i = 0; i < x.size(); ++i) sum += directions(i, k) * x(i);
    return sum;
  }
  const S& p(Eigen::Index k) const { return coefficients(0, k); }
  const S& q(Eigen::Index k) const { return coefficients(1, k); }
  const S& r(Eigen::Index k) const { return coefficients(2, k); }
};

enum class Example {
  general,               ///< any quartic, any mass
  general_scalar,        ///< any quartic, M = m I
  general_two_masses,    ///< any quartic, M = diag(1, 4)
  central,               ///< V = k |x|^2/2 + c |x|^4/4 in three dimensions, M = m I: commutes though its axes turn
  rotated,               ///< separable in axes rotated by any angle, M = m I
  ridge_commuting,       ///< (A): commutes everywhere for one h, M = diag(1, 4), not symplectic
  ridge_symplectic,      ///< (B): symplectic for all h, M = diag(1, 4), does not commute
  rotated_diagonal_mass  ///< separable in rotated axes, any diagonal M: Remark 2.2 with a mass
};

/// Potential and mass of an example with h = 1, so that beta is c.
template <class K>
struct Drawn {
  Matrix<K, Dynamic> mass;
  K c;
};
template <class T, class K>
Matrix<T, Dynamic> constants(std::initializer_list<int> rows, int n) {
  Matrix<T, Dynamic> m(n, static_cast<int>(rows.size()) / n);
  Eigen::Index i = 0;
  for (const int value : rows) {
    m(i / m.cols(), i % m.cols()) = T(value);
    ++i;
  }
  return m;
}

/// Calls f(mass, c, potential in K, potential in Dual<K>) for a member of the example.
template <class K, class F>
std::vector<K> with_example(Draw<K>& draw, Example example, F&& f) {
  using T = Dual<K>;
  const auto dual = [](const Matrix<K, Dynamic>& m) { return Matrix<T, Dynamic>(m.template cast<T>()); };
  const K c = draw.positive("c");
  if (example == Example::general || example == Example::general_scalar || example == Example::general_two_masses) {
    Matrix<K, Dynamic> mass = draw_mass<K>(draw, 2, example == Example::general ? Mass::full : Mass::identity);
    if (example == Example::general_scalar) mass *= draw.positive("m");
    if (example == Example::general_two_masses) mass(1, 1) = K(4);
    auto potential = polynomial<K>(2, 1, 4, [&] { return draw.variable("v"); });
    PolynomialPotential<T> in_duals;
    for (const auto& [coefficient, exponents] : potential.monomials)
      in_duals.monomials.push_back({T(coefficient), exponents});
    return f(mass, c, potential, in_duals);
  }
  if (example == Example::central) {
    Matrix<K, Dynamic> mass = draw_mass<K>(draw, 3, Mass::identity) * draw.positive("m");
    const K k = draw.variable("k"), quartic = draw.variable("quartic");
    // |x|^2 and |x|^4 as polynomials.
    PolynomialPotential<K> potential;
    PolynomialPotential<T> in_duals;
    const auto add = [&](const K& coefficient, std::vector<int> exponents) {
      potential.monomials.push_back({coefficient, exponents});
      in_duals.monomials.push_back({T(coefficient), exponents});
    };
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        std::vector<int> exponents(3, 0);
        exponents[i] += 2, exponents[j] += 2;
        add(i == j ? K(quartic / K(4)) : K(quartic / K(2)), exponents);
      }
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<int> exponents(3, 0);
      exponents[i] = 2;
      add(k / K(2), exponents);
    }
    return f(mass, c, potential, in_duals);
  }
  Matrix<K, Dynamic> mass, quadratic = Matrix<K, Dynamic>::Constant(2, 2, K(0)), directions;
  if (example == Example::ridge_commuting) {
    // u = (1, 1) is an eigenvector of M + c A = 5 I but not of M.
    mass = constants<K, K>({1, 0, 0, 4}, 2);
    quadratic(0, 0) = K(4) / c;
    quadratic(1, 1) = K(1) / c;
    directions = constants<K, K>({1, 1}, 2);
  } else if (example == Example::ridge_symplectic) {
    // u_1 . M^-1 u_2 = 0: two independent oscillators in coordinates that suit M.
    mass = constants<K, K>({1, 0, 0, 4}, 2);
    directions = constants<K, K>({1, 1, 1, -4}, 2);
  } else {
    const K t = draw.variable("t"), s = K(1) + t * t;  // a rotation by any angle but pi
    directions = Matrix<K, Dynamic>(2, 2);
    directions << (K(1) - t * t) / s, -(K(2) * t) / s, (K(2) * t) / s, (K(1) - t * t) / s;
    mass = draw_mass<K>(draw, 2, example == Example::rotated ? Mass::identity : Mass::diagonal);
    if (example == Example::rotated) mass *= draw.positive("m");
  }
  Matrix<K, Dynamic> coefficients(3, directions.cols());
  for (Eigen::Index j = 0; j < directions.cols(); ++j)
    for (Eigen::Index i = 0; i < 3; ++i) coefficients(i, j) = draw.variable("phi");
  return f(mass, c, RidgePotential<K>{quadratic, directions, coefficients},
           RidgePotential<T>{dual(quadratic), dual(directions), dual(coefficients)});
}

struct ConditionHolds {
  Example example;
  Condition condition;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    return with_example(draw, example, [&](const auto& mass, const K& c, const auto& potential, const auto& in_duals) {
      const auto x = draw.variables("x", mass.rows());
      return residuals<K>(linearise<K>(mass, potential, in_duals, x, c), c, condition);
    });
  }
};

/// J'Omega J - Omega of a step of Z&Ss with h = 1, beta = c; by rescaling time that is every h.
struct ExampleIsSymplectic {
  Example example;
  template <class K>
  std::vector<K> operator()(Draw<K>& draw) const {
    using T = Dual<K>;
    return with_example(draw, example, [&](const auto& mass, const K& c, const auto&, const auto& in_duals) {
      using System = MechanicalSystem<FullMass<T, Dynamic>, std::decay_t<decltype(in_duals)>>;
      const System system(FullMass<T, Dynamic>(mass.template cast<T>().eval()), in_duals);
      SimplifiedZhangSkeel<System> method(system, {T(c)});
      const PhasePoint<K> at{draw.variables("q", mass.rows()), draw.variables("p", mass.rows())};
      return symplecticity<K>(at, [&](auto& q, auto& p) { advance(method, system, q, p, T(1)); });
    });
  }
};

inline double nonzero(const Certificate& certificate) {
  EXPECT_NE(certificate.finding, Certificate::Finding::undecided) << certificate.note;
  return static_cast<double>(certificate.nonzero);
}

}  // namespace livi::theorem
