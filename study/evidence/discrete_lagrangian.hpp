// SPDX-License-Identifier: MIT
//
// The discrete Lagrangians TO14 (2) and (15) of any system, their derivatives by dual numbers, and a of TO14 (16).
#pragma once

#include <array>
#include <livi/integrators/zhang_skeel.hpp>
#include <livi/scalar/dual.hpp>

namespace livi::discrete_action {

template <class V>
auto dot(const V& a, const V& b) {
  typename V::Scalar sum(0);
  for (Eigen::Index i = 0; i < a.size(); ++i) sum += a(i) * b(i);
  return sum;
}
template <class System>
VectorOf<System> gradient(const System& system, const VectorOf<System>& x) {
  VectorOf<System> g = x;
  system.potential().gradient(x, g);
  return g;
}
template <class System>
using HessianOf = typename System::potential_type::hessian_type;
template <class System>
VectorOf<System> hessian_times(const System& system, const VectorOf<System>& x, const VectorOf<System>& a) {
  HessianOf<System> hessian(x.size());
  VectorOf<System> out = x;
  system.potential().hessian(x, hessian);
  hessian.multiply(a, out);
  return out;
}
template <class System>
VectorOf<System> third_times(const System& system, const VectorOf<System>& x, const VectorOf<System>& a) {
  VectorOf<System> out = x;
  system.potential().third(x, a, out);
  return out;
}

/// The parts of a discrete Lagrangian at one end: c a'Ma/2 + V(x + c a), whole (15) or to second order in a (2).
template <class System>
ScalarOf<System> whole_end(const System& system, const VectorOf<System>& x, const VectorOf<System>& a,
                           const ScalarOf<System>& c) {
  using S = ScalarOf<System>;
  const VectorOf<System> y = x + c * a;
  return c * dot(a, system.momentum(a)) / S(2) + system.potential().value(y);
}
template <class System>
ScalarOf<System> quadratic_end(const System& system, const VectorOf<System>& x, const VectorOf<System>& a,
                               const ScalarOf<System>& c) {
  using S = ScalarOf<System>;
  return c * dot(a, system.momentum(a)) / S(2) + system.potential().value(x) + c * dot(a, gradient(system, x)) +
         c * c * dot(a, hessian_times(system, x, a)) / S(2);
}
enum class Lagrangian { whole, quadratic };
template <class System>
ScalarOf<System> end_of(Lagrangian kind, const System& system, const VectorOf<System>& x, const VectorOf<System>& a,
                        const ScalarOf<System>& c) {
  return kind == Lagrangian::whole ? whole_end(system, x, a, c) : quadratic_end(system, x, a, c);
}
template <class System>
ScalarOf<System> discrete_lagrangian(Lagrangian kind, const System& system, const ScalarOf<System>& h,
                                     const ScalarOf<System>& beta, const VectorOf<System>& x0,
                                     const VectorOf<System>& x1, const VectorOf<System>& a0,
                                     const VectorOf<System>& a1) {
  using S = ScalarOf<System>;
  const S c = beta * h * h;
  const VectorOf<System> d = x1 - x0;
  return dot(d, system.momentum(d)) / (S(2) * h) -
         h / S(2) * (end_of(kind, system, x0, a0, c) + end_of(kind, system, x1, a1, c));
}

/// Derivative of discrete_lagrangian with respect to its k-th vector argument (0: x0, 1: x1, 2: a0, 3: a1), from the
/// system in dual numbers.
template <class System, class V>
V derivative(Lagrangian kind, int argument, const System& of_duals, const typename V::Scalar& h,
             const typename V::Scalar& beta, const std::array<V, 4>& at) {
  using S = typename V::Scalar;
  using D = Dual<S>;
  V result = at[0];
  for (Eigen::Index i = 0; i < result.size(); ++i) {
    std::array<VectorOf<System>, 4> z;
    for (std::size_t k = 0; k < 4; ++k) z[k] = at[k].template cast<D>();
    z[static_cast<std::size_t>(argument)](i).derivative = S(1);
    result(i) = discrete_lagrangian(kind, of_duals, D(h), D(beta), z[0], z[1], z[2], z[3]).derivative;
  }
  return result;
}

/// a of (16).
template <class System>
VectorOf<System> acceleration_16(const System& system, const VectorOf<System>& x, const ScalarOf<System>& c) {
  HessianOf<System> hessian(x.size());
  ShiftedSolver<HessianOf<System>> solver;
  system.potential().hessian(x, hessian);
  if (solver.factor(system.mass(), c, hessian).singular) throw StepFailed("(16) is singular");
  VectorOf<System> a = -gradient(system, x);
  solver.solve_in_place(a);
  return a;
}

}  // namespace livi::discrete_action
