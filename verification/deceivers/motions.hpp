// SPDX-License-Identifier: MIT
//
// What the exhibits are made of: kicks, drifts, and the step of velocity Verlet, from which most of them deviate in a
// line or two. Compiled once for the number types of the battery (motions.cpp).
#pragma once

#include <livi/diagnostics/subject.hpp>

namespace livi::deceivers {

/// v += t a(q).
template <class S>
[[gnu::noinline]] void kick(const AnySystem<S>& system, const Vector<S, Dynamic>& q, Vector<S, Dynamic>& v,
                            const S& t) {
  Vector<S, Dynamic> a(q.size());
  system.acceleration(q, a);
  for (Eigen::Index i = 0; i < q.size(); ++i) v(i) += t * a(i);
}
/// q += t v.
template <class S>
[[gnu::noinline]] void drift(Vector<S, Dynamic>& q, const Vector<S, Dynamic>& v, const S& t) {
  for (Eigen::Index i = 0; i < q.size(); ++i) q(i) += t * v(i);
}
/// v *= factor.
template <class S>
[[gnu::noinline]] void scale(Vector<S, Dynamic>& v, const S& factor) {
  for (Eigen::Index i = 0; i < v.size(); ++i) v(i) *= factor;
}
/// v . v.
template <class S>
[[gnu::noinline]] S square(const Vector<S, Dynamic>& v) {
  S sum(0);
  for (Eigen::Index i = 0; i < v.size(); ++i) sum += v(i) * v(i);
  return sum;
}
/// The entry i, j of the mass matrix.
template <class S>
[[gnu::noinline]] S mass_entry(const AnySystem<S>& system, Eigen::Index i, Eigen::Index j) {
  Vector<S, Dynamic> unit = Vector<S, Dynamic>::Constant(system.size(), S(0));
  unit(j) = S(1);
  return system.momentum(unit)(i);
}

#define LIVI_MOTIONS_IN(prefix, S)                                                                          \
  prefix template void kick(const AnySystem<S>&, const Vector<S, Dynamic>&, Vector<S, Dynamic>&, const S&); \
  prefix template void drift(Vector<S, Dynamic>&, const Vector<S, Dynamic>&, const S&);                     \
  prefix template void scale(Vector<S, Dynamic>&, const S&);                                                \
  prefix template S square(const Vector<S, Dynamic>&);                                                      \
  prefix template S mass_entry(const AnySystem<S>&, Eigen::Index, Eigen::Index);
LIVI_MOTIONS_IN(extern, double)
LIVI_MOTIONS_IN(extern, Float50)
LIVI_MOTIONS_IN(extern, Dual<Float50>)
LIVI_MOTIONS_IN(extern, Dual<Residue>)

// On states.
template <class S, class State>
void kick(const AnySystem<S>& system, State& z, const S& t) {
  kick(system, z.q, z.v, t);
}
template <class State, class S>
void drift(State& z, const S& t) {
  drift(z.q, z.v, t);
}
/// Symplectic Euler and its adjoint: of order one, symplectic, not symmetric.
template <class S, class State>
void kick_drift(const AnySystem<S>& system, State& z, const S& h) {
  kick(system, z, h);
  drift(z, h);
}
template <class S, class State>
void drift_kick(const AnySystem<S>& system, State& z, const S& h) {
  drift(z, h);
  kick(system, z, h);
}
/// With the force times `factor`.
template <class S, class State>
void verlet(const AnySystem<S>& system, State& z, const S& h, const S& factor = S(1)) {
  const S half = factor * h / S(2);
  kick(system, z, half);
  drift(z, h);
  kick(system, z, half);
}
/// Heun's method: of order two, no structure, |R(iy)| > 1 for every y.
template <class S, class State>
void heun(const AnySystem<S>& system, State& z, const S& h) {
  const S half = h / S(2);
  Vector<S, Dynamic> end_q = z.q, end_v = z.v, start_v = z.v;
  drift(end_q, z.v, h);
  kick(system, z.q, end_v, h);
  kick(system, z.q, z.v, half);
  kick(system, end_q, z.v, half);
  drift(z.q, start_v, half);
  drift(z.q, end_v, half);
}

/// Verlet's declarations, two gradients a step.
inline Properties as_verlet() {
  return {.source = "gallery",
          .order = 2,
          .symmetric = true,
          .symplectic = true,
          .linear_momentum = true,
          .angular_momentum = true,
          .stability_limit = 2,
          .cost = {.gradients = 2}};
}
inline Properties as_symplectic_euler() {
  Properties declared = as_verlet();
  declared.order = 1;
  declared.symmetric = false;
  declared.cost.gradients = 1;
  return declared;
}
inline Properties as_heun() {
  return {.source = "gallery", .order = 2, .linear_momentum = true, .stability_limit = 0, .cost = {.gradients = 3}};
}

/// Verlet with the drift q += h v (1 + h^2 |v|^2 / 8): still symmetric, of order two, with exact momenta, stable as
/// Verlet is; symplectic where all masses are equal, as |v|^2 does not weigh them, and nowhere else.
template <class S, class State>
void unweighted_verlet(const AnySystem<S>& system, State& z, const S& h) {
  const S half = h / S(2);
  kick(system, z, half);
  drift(z, z.q.size() == 1 ? h : S(h * (S(1) + h * h * square(z.v) / S(8))));
  kick(system, z, half);
}

/// v += t a, (M + c Hess V(q)) a = -grad V(q), by Gauss's elimination: Z&S without its third derivative, c = beta h^2.
template <class S, class State>
StepOutcome softened_kick(const AnySystem<S>& system, State& z, const S& t, const S& c, WorkCounters& work) {
  const Eigen::Index n = z.q.size();
  Vector<S, Dynamic> a(n);
  Matrix<S, Dynamic> matrix(n, n);
  system.potential().gradient(z.q, a);
  DenseHessian<S, Dynamic> hessian(n);
  system.potential().hessian(z.q, hessian);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) matrix(i, j) = mass_entry(system, i, j) + c * hessian.matrix(i, j);
  ++work.linear_solves;
  for (Eigen::Index k = 0; k < n; ++k) {
    if (matrix(k, k) == S(0)) return {Failure::singular_matrix, static_cast<int>(k)};
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const S factor = matrix(i, k) / matrix(k, k);
      for (Eigen::Index j = k; j < n; ++j) matrix(i, j) -= factor * matrix(k, j);
      a(i) -= factor * a(k);
    }
  }
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    for (Eigen::Index j = k + 1; j < n; ++j) a(k) -= matrix(k, j) * a(j);
    a(k) /= matrix(k, k);
  }
  for (Eigen::Index i = 0; i < n; ++i) z.v(i) -= t * a(i);
  return {};
}

/// 10^-digits.
template <class S>
S tiny(int digits) {
  S x(1);
  for (; digits > 0; --digits) x /= S(10);
  return x;
}

/// Whether x is beyond a number, by value.
template <class S>
bool exceeds(const S& x, int bound) {
  return leading(x) > RealOf<S>(bound);
}
template <class S>
bool negative(const S& x) {
  return leading(x) < RealOf<S>(0);
}

}  // namespace livi::deceivers
