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
/// Verlet's declarations for a method that has more in it than the four operations: no certificate covers it.
inline Properties as_irrational_verlet() {
  Properties declared = as_verlet();
  declared.rational = false;
  return declared;
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

/// v += t M^-1 f(q) / (1 + c k), k = e.Hess V(q) e / e.M e with e = (1, ..., 1): omega^2 for an oscillator. Cost:
/// O(n^2) beside the force.
template <class S, class State>
StepOutcome softened_kick(const AnySystem<S>& system, State& z, const S& t, const S& c) {
  const Eigen::Index n = z.q.size();
  DenseHessian<S, Dynamic> hessian(n);
  system.potential().hessian(z.q, hessian);
  const Vector<S, Dynamic> momentum = system.momentum(Vector<S, Dynamic>::Constant(n, S(1)));
  S stiffness(0), mass(0);
  for (Eigen::Index i = 0; i < n; ++i) {
    mass += momentum(i);
    for (Eigen::Index j = 0; j < n; ++j) stiffness += hessian.matrix(i, j);
  }
  const S softened = mass + c * stiffness;
  if (softened == S(0)) return {Failure::singular_matrix, 0};
  kick(system, z, S(t * mass / softened));
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
