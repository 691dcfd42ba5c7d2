// SPDX-License-Identifier: MIT
//
// Variational Euler for any Lagrangian L(q, v), the benchmark of TO14 Figure 1 in the angles of the double pendulum.
//
// The discrete Lagrangian is L_d(q_k, q_{k+1}) = h L(q_k, w), w = (q_{k+1} - q_k)/h. Its discrete Legendre transforms
// are
//
//   p_k = dL/dv(q_k, w) - h dL/dq(q_k, w),   p_{k+1} = dL/dv(q_k, w),   q_{k+1} = q_k + h w.
//
// The first is implicit in w. It would be linear, with matrix (23), but for dL/dq, which contains w through the mass
// matrix. Derivatives of L come from dual numbers: L is a class with a template `T operator()(q, v)` for any scalar T
// to which its own converts.
#pragma once

#include <livi/integrators/implicit_position.hpp>
#include <livi/scalar/dual.hpp>

namespace livi {

/// Computes dL/dq and dL/dv at (q, v), over any scalar T. Cost: 2 n evaluations of L in dual numbers.
template <class Lagrangian, class T, int N>
void lagrangian_gradients(const Lagrangian& lagrangian, const Vector<T, N>& q, const Vector<T, N>& v, Vector<T, N>& dq,
                          Vector<T, N>& dv) {
  Vector<Dual<T>, N> position = q.template cast<Dual<T>>(), velocity = v.template cast<Dual<T>>();
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    position(i).derivative = T(1);
    dq(i) = lagrangian(position, velocity).derivative;
    position(i).derivative = T(0);
    velocity(i).derivative = T(1);
    dv(i) = lagrangian(position, velocity).derivative;
    velocity(i).derivative = T(0);
  }
}

/// Returns the energy v . dL/dv - L.
template <class Lagrangian, class T, int N>
T lagrangian_energy(const Lagrangian& lagrangian, const Vector<T, N>& q, const Vector<T, N>& v) {
  Vector<T, N> dq = q, dv = v;
  lagrangian_gradients(lagrangian, q, v, dq, dv);
  T energy = -lagrangian(q, v);
  for (Eigen::Index i = 0; i < v.size(); ++i) energy += v(i) * dv(i);
  return energy;
}

/// Returns the acceleration a of the Euler-Lagrange equations, L_vv a = L_q - L_vq v. Throws InvalidParameter if L_vv
/// is singular.
template <class Lagrangian, class T, int N>
Vector<T, N> euler_lagrange_acceleration(const Lagrangian& lagrangian, const Vector<T, N>& q, const Vector<T, N>& v) {
  using D = Dual<T>;
  Vector<D, N> position = q.template cast<D>(), velocity = v.template cast<D>(), dq = position, dv = velocity;
  Matrix<T, N> mass(q.size(), q.size());
  for (Eigen::Index j = 0; j < q.size(); ++j) {
    velocity(j).derivative = T(1);
    lagrangian_gradients(lagrangian, position, velocity, dq, dv);
    for (Eigen::Index i = 0; i < q.size(); ++i) mass(i, j) = dv(i).derivative;
    velocity(j).derivative = T(0);
  }
  for (Eigen::Index j = 0; j < q.size(); ++j) position(j).derivative = v(j);
  lagrangian_gradients(lagrangian, position, velocity, dq, dv);
  Vector<T, N> a = q;
  for (Eigen::Index i = 0; i < q.size(); ++i) a(i) = dq(i).value - dv(i).derivative;
  GaussianElimination<T, N> solver;
  if (solver.factor(mass).singular)
    throw InvalidParameter("Lagrangian", "singular d2L/dv2", "must be regular in the velocity");
  solver.solve_in_place(a);
  return a;
}

/// The variational Euler method for a Lagrangian: order one, symplectic in (q, p).
template <class Lagrangian>
class VariationalEulerGeneralized {
 public:
  using system_type = Lagrangian;
  using S = typename Lagrangian::scalar_type;
  static constexpr int N = Lagrangian::dimension;
  using vector_type = Vector<S, N>;
  /// The state; v is w of the last step, which is the guess for the next one.
  struct state_type {
    vector_type q, p, v;
    auto fields() { return std::tie(q, p, v); }
  };

  explicit VariationalEulerGeneralized(const Lagrangian& lagrangian, NewtonOptions<S> newton = {})
      : lagrangian_(&lagrangian), options_(newton) {
    options_.validate();
  }

  [[nodiscard]] state_type start(const vector_type& q, const vector_type& v) const {
    vector_type dq = q, dv = v;
    lagrangian_gradients(*lagrangian_, q, v, dq, dv);
    return {q, dv, v};
  }

  StepOutcome step(state_type& z, const S& h) {
    vector_type w = z.v, residual = w;
    for (int iteration = 1; iteration <= options_.max_iterations; ++iteration) {
      ++work_.newton_iterations;
      Vector<Dual<S>, N> position = z.q.template cast<Dual<S>>(), velocity = w.template cast<Dual<S>>(), dq = position,
                         dv = velocity;
      Matrix<S, N> jacobian(w.size(), w.size());
      for (Eigen::Index j = 0; j < w.size(); ++j) {
        velocity(j).derivative = S(1);
        lagrangian_gradients(*lagrangian_, position, velocity, dq, dv);
        for (Eigen::Index i = 0; i < w.size(); ++i) jacobian(i, j) = dv(i).derivative - h * dq(i).derivative;
        velocity(j).derivative = S(0);
      }
      for (Eigen::Index i = 0; i < w.size(); ++i) residual(i) = dv(i).value - h * dq(i).value - z.p(i);
      if (const StepOutcome outcome = work_.record(solver_.factor(jacobian)); !outcome.ok()) return outcome;
      solver_.solve_in_place(residual);
      w -= residual;
      if (!all_finite(w)) return {Failure::not_finite, iteration};
      if (max_magnitude(residual) <= options_.tolerance * (RealOf<S>(1) + max_magnitude(w))) {
        vector_type dq_end = w, dv_end = w;
        lagrangian_gradients(*lagrangian_, z.q, w, dq_end, dv_end);
        z = {z.q + h * w, dv_end, w};
        return {};
      }
    }
    return {Failure::no_convergence, options_.max_iterations};
  }

  [[nodiscard]] Properties declares() const {
    return {.name = "VariationalEulerGeneralized",
            .source = "TO14 4.1, (23)",
            .order = 1,
            .symplectic = true,
            .rational = false,
            .stability_limit = 2,
            .cost = {.iterative = true}};
  }
  [[nodiscard]] const WorkCounters& work() const { return work_; }
  [[nodiscard]] const Lagrangian& lagrangian() const { return *lagrangian_; }

 private:
  const Lagrangian* lagrangian_;
  NewtonOptions<S> options_;
  GaussianElimination<S, N> solver_;
  WorkCounters work_;
};

}  // namespace livi
