// SPDX-License-Identifier: MIT
//
// The products K_ij(q) = grad gamma_i . P M^-1 grad gamma_j of the noise potentials in the metric of the constraint manifold, with
// the projection P = I - M^-1 G^T (G M^-1 G^T)^-1 G. By Ito's formula the energy H = v . M v/2 + V grows by
//
//   d E[H]/dt = E[sum_i K_ii(q)]/2,
//
// and where all K_ij are constant, kicks by the noises and the motion commute as far as strong order two asks.
#pragma once

#include <livi/linalg/gaussian_elimination.hpp>
#include <livi/systems/stochastic_system.hpp>

namespace livi {

/// Returns the matrix K(q). For diagnostics: it allocates.
template <class System>
Matrix<typename System::scalar_type, Dynamic> noise_products(const System& system,
                                                             const typename System::vector_type& q) {
  using S = typename System::scalar_type;
  using V = typename System::vector_type;
  typename System::jacobian_type structured;
  system.constraint().jacobian(q, structured);
  const auto& jacobian = dense(structured);
  const Eigen::Index count = system.noise().count(), n = q.size(), m = jacobian.rows();
  const auto product = [n](const auto& a, const auto& b) {
    S sum(0);
    for (Eigen::Index l = 0; l < n; ++l) sum += a(l) * b(l);
    return sum;
  };
  std::vector<V> gradients, accelerations, normals;
  for (Eigen::Index i = 0; i < count; ++i) {
    V gradient = V::Constant(n, S(0));
    system.noise().add_gradient(i, q, S(1), gradient);
    gradients.push_back(gradient);
    accelerations.push_back(system.velocity(gradient));
  }
  Matrix<S, Dynamic> matrix(m, m), out(count, count);
  for (Eigen::Index k = 0; k < m; ++k) normals.push_back(system.velocity(V(jacobian.row(k).transpose())));
  for (Eigen::Index k = 0; k < m; ++k)
    for (Eigen::Index l = 0; l < m; ++l) matrix(k, l) = product(jacobian.row(k), normals[static_cast<std::size_t>(l)]);
  GaussianElimination<S, Dynamic> elimination;
  if (const FactorOutcome outcome = elimination.factor(matrix); outcome.singular)
    throw InvalidParameter("pivot of G M^-1 G^T", outcome.pivot,
                           "must not vanish: the constraints are not independent");
  for (Eigen::Index j = 0; j < count; ++j) {
    V tangent = accelerations[static_cast<std::size_t>(j)];
    Vector<S, Dynamic> rate(m);
    for (Eigen::Index k = 0; k < m; ++k) rate(k) = product(jacobian.row(k), tangent);
    elimination.solve_in_place(rate);
    for (Eigen::Index k = 0; k < m; ++k) tangent -= rate(k) * normals[static_cast<std::size_t>(k)];
    for (Eigen::Index i = 0; i < count; ++i) out(i, j) = product(gradients[static_cast<std::size_t>(i)], tangent);
  }
  return out;
}

}  // namespace livi
