// SPDX-License-Identifier: MIT
//
// The variational linearised integrators on SO(3) of TO14 (36), (37), for penalised_body.hpp. The paper's a and f are
// forces and its p is R'/2. Here f is per mass (twice the paper's), as for Z&S, and v = R' = 2p:
//
//   a + c (a R'R + R a' R + R R' a - a) = -B mu e3 e3' - 2 omega^2 R (R'R - I),   c = 2 omega^2 beta h^2        (37)
//   f = a - 2 omega^2 beta^2 h^4 (R a'a + a R'a + a a'R)
//   first order   p_{k+1} = p_k + h f_k,  R_{k+1} = R_k + 2h p_{k+1}
//   trapezoidal   half a kick, R_{k+1} = R_k + 2h p_{k+1/2}, half a kick
//
// The derivative of the truncated action in R gives this f. The paper prints its correction with a plus sign and its
// factors transposed, and p_{k+1} in the drift of the trapezoidal form. Since (37) is (1 + beta h^2 Hess V) a = -grad
// V, the trapezoidal form is Z&S in R^9 with half this beta (the mass is 1/2): linearly stable for all steps when
// beta >= 1/2. The difference is that (37) is solved by its structure instead of a 9 x 9 factorisation. With the polar
// decomposition R = U P and a = U b it becomes
//
//   (1 - c) b + c (b P^2 + P b' P + P^2 b) = U' (right side).
//
// The symmetric and the antisymmetric part of b decouple. The symmetric part has six unknowns. The antisymmetric part
// hat(y) has three, which with S = P^2 and adj the adjugate satisfy
//
//   ((1 - c) I + c (tr S I - S - adj P)) y = vee(right side).
//
// U comes from Newton's iteration U <- (U + U'^-1)/2, which converges quadratically from any R with det R > 0, in two
// or three iterations near SO(3). It needs no square root, and derivatives go through it. Elsewhere, and over exact
// numbers, the nine equations are eliminated as they are.
#pragma once

#include <livi/integrators/kick_drift_kick.hpp>
#include <livi/integrators/newmark_stability.hpp>
#include <livi/systems/penalised_body.hpp>

namespace livi {

/// The parameter beta of TO14 (36), which is twice the beta of Z&S; the paper takes 0.4.
template <class S>
struct LinearizedSO3Beta {
  S beta = ratio<S>(1, 2);
};

/// The force per mass f of TO14 (37). Per evaluation: one solve of (37).
template <class S>
class LinearizedSO3Force {
 public:
  using System = PenalisedBody<S>;
  using vector_type = Vector<S, 9>;

  explicit LinearizedSO3Force(LinearizedSO3Beta<S> options) : beta_(require_newmark_beta(options.beta)) {}

  StepOutcome operator()(const System& system, const vector_type& x, const S& h, vector_type& f, WorkCounters& work) {
    const Matrix3<S> r = PenalisedBodyPotential<S>::matrix(x);
    const S stretch = S(2) * beta_ * h * h, c = stretch * system.potential().omega_squared;
    Matrix3<S> a;
    if (const StepOutcome outcome = solve(system.potential(), r, c, a, work); !outcome.ok()) return outcome;
    // 2 omega^2 beta^2 h^4 = c beta h^2
    const Matrix3<S> ta = a.transpose(), mixed = ta * r;
    a -= (c * stretch / S(2)) * (r * (ta * a) + a * (mixed + mixed.transpose()));
    PenalisedBodyPotential<S>::store(S(2) * a, f);
    return {};
  }

  /// Solves (37) for a: in floating point by the polar factors of R where it has them, over exact numbers from the nine
  /// equations. verification/theorems/BOS09/rigid_body_certificates.cpp certifies that both give one solution.
  StepOutcome solve(const PenalisedBodyPotential<S>& potential, const Matrix3<S>& r, const S& c, Matrix3<S>& a,
                    WorkCounters& work) {
    Matrix3<S> s = r.transpose() * r, right = s;
    for (int i = 0; i < 3; ++i) right(i, i) -= S(1);
    right = (S(-2) * potential.omega_squared) * (r * right);
    right(2, 2) -= potential.strength;
    Matrix3<S> u;
    if constexpr (ScalarTraits<S>::exact) {
      OrderAssumed<S>::note(OrderReason::formula);  // the polar factors come from an iteration until small
    } else if (orthogonal_factor(r, u)) {
      Matrix3<S> p = u.transpose() * r;
      symmetrise(p);
      return solve_structured(u, p, s, c, right, a, work);
    }
    return solve_dense(r, c, right, a, work);
  }

  /// Solves (37) for a from the nine equations, for cross-checks and where R is far from SO(3).
  static StepOutcome solve_dense(const Matrix3<S>& r, const S& c, const Matrix3<S>& right, Matrix3<S>& a,
                                 WorkCounters& work) {
    const Matrix3<S> inner = r.transpose() * r, outer = r * r.transpose();
    Matrix<S, 9> matrix;
    for (int column = 0; column < 9; ++column)
      for (int row = 0; row < 9; ++row) {
        const int i = row % 3, j = row / 3, k = column % 3, l = column / 3;
        S entry = r(i, l) * r(k, j);
        if (i == k) entry += inner(l, j);
        if (l == j) entry += outer(i, k);
        if (row == column) entry -= S(1);
        matrix(row, column) = c * entry;
        if (row == column) matrix(row, column) += S(1);
      }
    SymmetricFactor<S, 9> factor;
    if (const StepOutcome outcome = work.record(factor.factor(matrix)); !outcome.ok()) return outcome;
    Vector<S, 9> b;
    PenalisedBodyPotential<S>::store(right, b);
    factor.solve_in_place(b);
    a = PenalisedBodyPotential<S>::matrix(b);
    return {};
  }

  /// Solves (37) for a from the polar factors R = u p, u'u = I, p = p', and s = R'R, as three equations and six. This
  /// is rational in its arguments, so that a certificate can compare it with solve_dense; the polar factors of a given
  /// R are not.
  static StepOutcome solve_structured(const Matrix3<S>& u, const Matrix3<S>& p, const Matrix3<S>& s, const S& c,
                                      const Matrix3<S>& right, Matrix3<S>& a, WorkCounters& work) {
    const Matrix3<S> b = u.transpose() * right;
    const S rest = S(1) - c, twice = S(2) * c;

    // y is the vector of the antisymmetric part.
    Vector3<S> y = so3::vee(b);
    Matrix3<S> three = (-c) * (s + cofactors(p));
    const S diagonal = rest + c * trace(s);
    for (int i = 0; i < 3; ++i) three(i, i) += diagonal;
    if (const StepOutcome outcome = work.record(solve_three_equations(three, y)); !outcome.ok()) return outcome;

    // X is the symmetric part with entries 00, 11, 22, 10, 21, 20, where the left side is rest X + c (X S + S X + P X
    // P). The equations of the last three entries are doubled, which makes the matrix symmetric.
    Matrix<S, 6> six;
    Vector<S, 6> x;
    static_for<6>([&]<int e>() {
      constexpr int i = row_of[e], j = column_of[e];
      x(e) = i == j ? b(i, i) : b(i, j) + b(j, i);
      static_for<e + 1>([&]<int d>() {
        // The coefficient of X_kl = X_lk in the equation ij is p_ik p_lj + (i == k) s_lj + (l == j) s_ik, plus these
        // terms with k and l exchanged.
        constexpr int k = row_of[d], l = column_of[d];
        S entry = p(i, k) * p(l, j);
        if constexpr (i == k) entry += s(l, j);
        if constexpr (l == j) entry += s(i, k);
        if constexpr (k != l) {
          entry += p(i, l) * p(k, j);
          if constexpr (i == l) entry += s(k, j);
          if constexpr (k == j) entry += s(i, l);
        }
        entry *= i == j ? c : twice;
        if constexpr (e == d) entry += i == j ? rest : S(2) * rest;
        six(e, d) = entry;
        return true;
      });
      return true;
    });
    SymmetricFactor<S, 6> factor;
    if (const StepOutcome outcome = work.record(factor.factor(six)); !outcome.ok()) return outcome;
    factor.solve_in_place(x);
    Matrix3<S> of_polar = so3::hat(y);
    for (int e = 0; e < 6; ++e) {
      of_polar(row_of[e], column_of[e]) += x(e);
      if (e > 2) of_polar(column_of[e], row_of[e]) += x(e);
    }
    a = u * of_polar;
    --work.linear_solves;  // the two parts are one solve of (37)
    return {};
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "LinearizedSO3",
            .source = "TO14 (36)-(37), trapezoidal",
            .order = 2,
            .symmetric = true,
            .symplectic = true,
            .linear_momentum = true,
            .angular_momentum = true,
            .stability_limit = newmark_stability_limit(declared_beta(beta_) / 2),
            .cost = {.gradients = 1, .hessians = 1, .third_derivatives = 1, .linear_solves = 1}};
  }

 private:
  static void symmetrise(Matrix3<S>& m) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j) m(i, j) = m(j, i) = (m(i, j) + m(j, i)) / S(2);
  }

  /// Returns the transposed adjugate m'^-1 det m; its columns are cross products of the columns of m.
  static Matrix3<S> cofactors(const Matrix3<S>& m) {
    const Vector3<S> x = m.col(0), y = m.col(1), z = m.col(2);
    Matrix3<S> result;
    result.col(0) = cross(y, z);
    result.col(1) = cross(z, x);
    result.col(2) = cross(x, y);
    return result;
  }

  /// Sets u to the rotation nearest to r; false if r is out of reach (det r <= 1/8 or no convergence in 12 iterations).
  static bool orthogonal_factor(const Matrix3<S>& r, Matrix3<S>& u) {
    using Real = RealOf<S>;
    u = r;
    for (int iteration = 0; iteration < 12; ++iteration) {
      const Matrix3<S> cofactor = cofactors(u);
      const S determinant = u(0, 0) * cofactor(0, 0) + u(1, 0) * cofactor(1, 0) + u(2, 0) * cofactor(2, 0);
      if (!(Real(1) / Real(8) < leading(determinant))) return false;
      const Matrix3<S> change = (S(1) / (S(2) * determinant)) * cofactor - u / S(2);
      u += change;
      // The next change would be half the square of this one.
      const Real size = max_magnitude(change);
      if (size * size <= ScalarTraits<S>::epsilon()) return true;
    }
    return false;
  }

  /// The rows and columns of the six entries of a symmetric matrix.
  static constexpr int row_of[] = {0, 1, 2, 1, 2, 2}, column_of[] = {0, 1, 2, 0, 1, 0};

  S beta_;
};

/// The trapezoidal form of TO14 (36), (37): order two, symmetric, symplectic.
template <class System>
class LinearizedSO3 : public KickDriftKick<System, LinearizedSO3Force<ScalarOf<System>>> {
  using Force = LinearizedSO3Force<ScalarOf<System>>;

 public:
  using S = ScalarOf<System>;
  static_assert(std::same_as<System, PenalisedBody<S>>, "LinearizedSO3 is for the penalised body");
  explicit LinearizedSO3(const System& system, LinearizedSO3Beta<S> options = {})
      : KickDriftKick<System, Force>(system, Force(options)) {}
};

/// The first-order form of TO14 (36), (37): a whole kick, then a drift.
template <class System>
class LinearizedSO3Euler {
 public:
  using system_type = System;
  using S = ScalarOf<System>;
  using vector_type = VectorOf<System>;
  using state_type = PhaseState<S, 9>;
  static_assert(std::same_as<System, PenalisedBody<S>>, "LinearizedSO3Euler is for the penalised body");

  explicit LinearizedSO3Euler(const System& system, LinearizedSO3Beta<S> options = {})
      : system_(&system), force_(options) {}
  [[nodiscard]] state_type start(const vector_type& x, const vector_type& v) const { return {x, v}; }

  StepOutcome step(state_type& z, const S& h) {
    vector_type f;
    if (const StepOutcome outcome = force_(*system_, z.q, h, f, work_); !outcome.ok()) return outcome;
    z.v += h * f;
    z.q += h * z.v;
    return {};
  }

  [[nodiscard]] Properties declares() const {
    Properties p = force_.declares();
    p.name = "LinearizedSO3Euler";
    p.source = "TO14 (36)-(37)";
    p.order = 1;
    p.symmetric = false;
    return p;
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const System& system() const { return *system_; }

 private:
  const System* system_;
  LinearizedSO3Force<S> force_;
  WorkCounters work_;
};

}  // namespace livi
